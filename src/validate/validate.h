/* Comparison with a real GPU: what was recorded of it, what the timing model says, and how far they are apart.
 *
 *   DIR/micro.csv          microbenchmarks: steps of an iteration, the two lengths, caches cold or warm
 *   DIR/kernels.csv        kernels and their class
 *   DIR/split.csv          which kernels and workloads calibrate, and which only validate
 *   DIR/looks.csv          when the part that validates was looked at
 *   DIR/recorded/NAME.csv  counters of the card: a row for each launch, with cold and with warm caches
 *   DIR/micro/, kernels/   the launch files
 *
 * Another set of kernels, NAME, has files and a split of its own, and neither microbenchmarks nor workloads: DIR/NAME.csv,
 * NAME_split.csv, NAME_looks.csv, recorded/NAME_cold.csv, recorded/NAME_warm.csv, NAME/.
 *
 * A workload that was recorded at another size than medium has it in its name: `bfs@small`. */
#ifndef SLUICE_VALIDATE_VALIDATE_H
#define SLUICE_VALIDATE_VALIDATE_H

#include "base/error.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>

enum validate_kind { VALIDATE_MICRO, VALIDATE_KERNEL, VALIDATE_WORKLOAD };

/* What both sides count. */
enum validate_value {
  V_CYCLES,       /* elapsed cycles of an SM, from the launch to its end */
  V_ACTIVE,       /* of the card only: cycles in which an SM has a warp */
  V_INSTRUCTIONS, /* of warps: of machine code there, of PTX here */
  V_ISSUED, /* ours only: instructions, and issue slots that they take beyond one each: one for each of machine code */
  V_MORE,
  V_THREADS,  /* of threads */
  V_L1_LOADS, /* sectors that loads ask the L1 for; of the card only */
  V_L1_HITS,  /* of the card only */
  V_L2_SECTORS,
  V_L2_HITS,
  V_DRAM_READ, /* bytes; ours: commands, until a run is finished */
  V_DRAM_WRITE,
  V_DRAM_BYTES, /* ours only: both */
  V_REGISTERS,
  V_CTAS, /* of the grid */
  V_NUMBER
};

struct validate_row {
  enum validate_kind kind;
  char *name, *kernel;
  unsigned launch;
  bool warm, calibration;
  const char *class;                     /* bandwidth, latency, compute, divergent, atomic */
  double card[V_NUMBER], ours[V_NUMBER]; /* NaN: not known */
};

struct validate_micro { /* of a microbenchmark: a step of each length */
  char *name;
  double steps, length[2];
};

struct validate_set {
  char *dir, *kernels; /* the folder; the name of the set of kernels in it */
  struct validate_row *row;
  size_t n, cap;
  struct validate_micro *micro;
  size_t nmicro, capmicro;
};

/* `kernels` NULL: the first set, with microbenchmarks and workloads. */
bool validate_load(struct validate_set *s, const char *dir, const char *kernels, struct error *err);
/* Whether the set is the first, whose microbenchmarks and workloads were recorded, too. */
bool validate_first(const struct validate_set *s);
/* Where looks at the part that validates are noted. */
void validate_looks(const struct validate_set *s, char *path, size_t n);
void validate_free(struct validate_set *s);

struct validate_options {
  const char *gpu;
  const char *const *arguments; /* of `sluice run`, behind its own: --set and the like; NULL at the end */
  bool micro, kernels, workloads;
  bool calibration, validation; /* which part of the split */
  const char *only;             /* a shell pattern of names; NULL: all */
  unsigned jobs;
  enum progress_mode progress;
};

/* Runs everything asked for in processes of their own and fills `ours`. A run that fails leaves NaN and a line in `failed`. */
bool validate_run(struct validate_set *s, const struct validate_options *o, struct strbuf *failed,
                  struct error *err);

struct validate_summary {
  size_t n;
  double mean, median, worst; /* absolute error of cycles, relative */
  double geomean;             /* of ours over the card's */
  double pearson, spearman;   /* of logarithms; of ranks */
  double within;              /* share of rows within 15 % */
  double roofline;            /* mean absolute error of the roofline */
  double l2, dram;            /* median absolute error of L2 sectors, of bytes read from the DRAM */
  double machine,
      machine_error; /* instructions of machine code, ours over the card's: geometric mean; median absolute error */
};

/* `wanted` NULL: every row that has both sides. */
struct validate_summary validate_summarise(const struct validate_set *s,
                                           bool (*wanted)(const struct validate_row *r, const void *ctx),
                                           const void *ctx);
/* What the card would need at least: launch, CTAs, DRAM, L2, issue; from its own counters. */
double validate_roofline(const struct validate_row *r);
/* Cycles of one step, by the slope of the two lengths; NaN: not recorded or not run. */
void validate_slope(const struct validate_set *s, const struct validate_micro *m, double *card, double *ours);

#endif
