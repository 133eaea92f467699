/* DRAM alone, to embed into another simulator. */
#ifndef SLUICE_DRAM_H
#define SLUICE_DRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DRAM alone: requests in, answers out, at the level of single commands (docs/dram.md). Time counts cycles
 * of the device's command clock; results do not depend on the steps in which it is advanced.
 *
 *   struct sluice_dram_options o = {.size = sizeof o, .device = "hbm2-pc"};
 *   struct sluice_dram *d = sluice_dram_open(&o, why, sizeof why);
 *   while (work) {
 *     if (have && sluice_dram_push(d, &request)) ...           false: its queue is full
 *     sluice_dram_advance(d, sluice_dram_cycle(d) + 1);         or as far as nothing new comes
 *     while (sluice_dram_pop(d, &answer)) ...
 *   }
 *   sluice_dram_close(d); */
struct sluice_dram;
struct sluice_dram_options {
  uint32_t size;          /* sizeof (struct sluice_dram_options) */
  const char *device;     /* a preset or file */
  const char *mapping;    /* NULL: the device's */
  const char *controller; /* NULL: "sluice" */
  const char *refresh;    /* "none", "allbank", "perbank"; NULL: allbank where the device has it */
  uint32_t channels;      /* 0: the device's */
  uint32_t lockstep;      /* 0: 1 */
  const char *ideal;      /* an idealisation, docs/dram.md: "none" (NULL), "rows", "order" */
  bool no_skip;           /* evaluate every cycle: the same numbers, slowly */
  bool general;           /* take no fast path: the same numbers, slowly */
  bool logs;              /* sluice_dram_log() will be called */
};
/* These two are passed often: they have no size and do not grow. */
struct sluice_dram_request {
  uint64_t address, tag;
  uint64_t mask; /* write: bytes to be written; 0: all */
  bool write;
};
struct sluice_dram_answer {
  uint64_t tag, done /* cycle of the last data */, latency;
  bool write;
};

/* NULL with the reason in `why` (NULL: not wanted) if something is refused. */
SLUICE_API struct sluice_dram *sluice_dram_open(const struct sluice_dram_options *o, char *why, size_t size);
SLUICE_API void sluice_dram_close(struct sluice_dram *d);
/* SLUICE_OK; SLUICE_E_MEMORY or SLUICE_E_INTERNAL, after which nothing happens any more. What happened, or why the last call failed. */
SLUICE_API enum sluice_status sluice_dram_status(const struct sluice_dram *d);
SLUICE_API const char *sluice_dram_error(const struct sluice_dram *d);
/* The request takes part from cycle sluice_dram_cycle() on. */
SLUICE_API bool sluice_dram_push(struct sluice_dram *d, const struct sluice_dram_request *r);
/* Simulates all cycles before `until`. */
SLUICE_API void sluice_dram_advance(struct sluice_dram *d, uint64_t until);
SLUICE_API bool sluice_dram_pop(struct sluice_dram *d, struct sluice_dram_answer *out);
SLUICE_API uint64_t sluice_dram_cycle(const struct sluice_dram *d);
/* The next cycle in which anything can happen without new requests; UINT64_MAX: none. */
SLUICE_API uint64_t sluice_dram_next_event(const struct sluice_dram *d);
SLUICE_API uint64_t sluice_dram_transaction(const struct sluice_dram *d); /* bytes of one request */
/* A statistic of `sluice list stats` ("dram.row_hits"). False for an unknown name. */
SLUICE_API bool sluice_dram_stat(struct sluice_dram *d, const char *name, double *value);

SLUICE_API uint32_t sluice_dram_channels(const struct sluice_dram *d);
/* From here on, every command of a channel is written as text, behind a head (docs/dram.md), which comes with the first command or when
 * a trace begins to run; options.logs must be set. NULL: no longer. The file stays the caller's. */
SLUICE_API enum sluice_status sluice_dram_log(struct sluice_dram *d, uint32_t channel, FILE *to);

/* A whole trace in place of single requests, on a DRAM that has not run: handed over in order, one per cycle and channel; one that finds its queue full
 * holds up those behind it. */
struct sluice_dram_trace {
  uint32_t size; /* sizeof (struct sluice_dram_trace) */
  const char
      *name; /* a file, "-": standard input, or a generator (docs/dram-traces.md): "gen:random,n=1000" */
  const char *format;                                         /* NULL: "auto" */
  bool as_fast_as_accepted;                                   /* arrival cycles of the trace are ignored */
  void (*progress)(void *ctx, uint64_t done, uint64_t total); /* now and then; may be NULL */
  void *ctx;
};
SLUICE_API enum sluice_status sluice_dram_run(struct sluice_dram *d, const struct sluice_dram_trace *t);
/* What was counted of the trace: SLUICE_SUMMARY, SLUICE_TABLE, SLUICE_JSON or SLUICE_CSV; to be freed with sluice_text_free(). NULL: there is
 * none. */
SLUICE_API char *sluice_dram_text(struct sluice_dram *d, enum sluice_report form);

#ifdef __cplusplus
}
#endif
#endif
