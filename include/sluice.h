/* Sluice, a GPU memory-hierarchy simulator: the public interface of libsluice.
 *
 *   struct sluice *s = sluice_create();
 *   struct sluice_module *m = sluice_load_file(s, "kernels.ptx");
 *   uint64_t a = sluice_alloc(s, bytes, "a");
 *   sluice_write(s, a, data, bytes);
 *   struct sluice_launch l = {.kernel = "vecadd", .grid = {4096, 1, 1}, .block = {256, 1, 1},
 *                             .params = params, .param_bytes = sizeof params};
 *   if (sluice_launch(s, m, &l) != 0) fprintf(stderr, "%s\n", sluice_error(s));
 *   sluice_read(s, a, data, bytes);
 *   sluice_destroy(s);
 *
 * Functions that can fail return NULL, 0 or a code as said below; sluice_error() then tells why.
 * A `struct sluice` is used by one thread at a time; several may exist. */
#ifndef SLUICE_H
#define SLUICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice_technique.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sluice;
struct sluice_module;

const char *sluice_version(void);

struct sluice *sluice_create(void);
void sluice_destroy(struct sluice *s);

/* The text of the last failure, "" if there was none; its code: 1 host trouble, 2 bad input,
 * 3 the kernel did something illegal, 4 no progress. */
const char *sluice_error(const struct sluice *s);
int sluice_error_code(const struct sluice *s);

/* A parameter of `sluice list params`, as --set takes it: sluice_set(s, "front.memcheck", "warn").
 * Those of memory.* must come before the first allocation or module. 0 or 2. */
int sluice_set(struct sluice *s, const char *key, const char *value);

/* Device memory. sluice_alloc returns 0 on failure; read and write 0 or 2. */
uint64_t sluice_alloc(struct sluice *s, uint64_t bytes, const char *name);
int sluice_free(struct sluice *s, uint64_t address);
int sluice_write(struct sluice *s, uint64_t address, const void *from, uint64_t bytes);
int sluice_read(struct sluice *s, uint64_t address, void *to, uint64_t bytes);

/* PTX modules; they live as long as the sluice. NULL if the text is refused. */
struct sluice_module *sluice_load_file(struct sluice *s, const char *path);
struct sluice_module *sluice_load_text(struct sluice *s, const char *ptx, size_t n, const char *name);
/* Address and size of a .global or .const variable; 0 or 2. */
int sluice_symbol(struct sluice *s, const struct sluice_module *m, const char *name, uint64_t *address,
                  uint64_t *bytes);

struct sluice_launch {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint64_t dynamic_shared;
  const void *params; /* the parameter block, laid out as the kernel declares it */
  size_t param_bytes;
};

/* Executes a launch to its end. 0, or the code of the failure. */
int sluice_launch(struct sluice *s, struct sluice_module *m, const struct sluice_launch *l);

/* The same as a stream: open, then sluice_next() until it returns 0 (complete) or -1 (failure). */
struct sluice_stream;
struct sluice_segment;
struct sluice_block;
struct sluice_stream *sluice_open(struct sluice *s, struct sluice_module *m, const struct sluice_launch *l);
int sluice_next(struct sluice_stream *x, struct sluice_segment *segment); /* valid until the next call */
struct sluice_block sluice_describe(const struct sluice_stream *x, uint32_t block);
void sluice_close(struct sluice_stream *x);

/* Totals over all launches so far, by the names of `sluice list stats`. False for an unknown name. */
bool sluice_stat(const struct sluice *s, const char *name, double *value);

const char *sluice_unit_name(unsigned unit);

/* DRAM alone: requests in, answers out, at the level of single commands (docs/dram.md). Time counts cycles
 * of the device's command clock; results do not depend on the steps in which it is advanced.
 *
 *   struct sluice_dram_options o = {.device = "hbm2-pc"};
 *   struct sluice_dram *d = sluice_dram_open(&o, why, sizeof why);
 *   while (work) {
 *     if (have && sluice_dram_push(d, &request)) ...           false: its queue is full
 *     sluice_dram_advance(d, sluice_dram_cycle(d) + 1);         or as far as nothing new comes
 *     while (sluice_dram_pop(d, &answer)) ...
 *   }
 *   sluice_dram_close(d); */
struct sluice_dram;
struct sluice_dram_options {
  const char *device;     /* a preset or file */
  const char *mapping;    /* NULL: the device's */
  const char *controller; /* NULL: "sluice" */
  const char *refresh;    /* "none", "allbank", "perbank"; NULL: allbank where the device has it */
  uint32_t channels;      /* 0: the device's */
  uint32_t lockstep;      /* 0: 1 */
};
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
struct sluice_dram *sluice_dram_open(const struct sluice_dram_options *o, char *why, size_t size);
void sluice_dram_close(struct sluice_dram *d);
/* The request takes part from cycle sluice_dram_cycle() on. */
bool sluice_dram_push(struct sluice_dram *d, const struct sluice_dram_request *r);
/* Simulates all cycles before `until`. */
void sluice_dram_advance(struct sluice_dram *d, uint64_t until);
bool sluice_dram_pop(struct sluice_dram *d, struct sluice_dram_answer *out);
uint64_t sluice_dram_cycle(const struct sluice_dram *d);
/* The next cycle in which anything can happen without new requests; UINT64_MAX: none. */
uint64_t sluice_dram_next_event(const struct sluice_dram *d);
uint64_t sluice_dram_transaction(const struct sluice_dram *d); /* bytes of one request */
/* A statistic of `sluice list stats` ("dram.row_hits"). False for an unknown name. */
bool sluice_dram_stat(const struct sluice_dram *d, const char *name, double *value);

/* The stream of warp operations: what the timing model, traces and experiments consume.
 *
 * Static side, per program: blocks of instructions (sluice_block, sluice_inst).
 * Dynamic side: segments. A segment is what one CTA did in one turn: 32-bit words,
 *
 *   record  = head, mask                       one execution of a basic block by (part of) a warp
 *             { item }                         for its instructions in order, where they need one
 *   head    = block number, warp in CTA
 *   mask    = 1 word (2 when the warp is wider than 32)
 *   item    = guard   = the mask that executed (same width), for every predicated instruction but branches
 *           | barrier = 3..0 number, 7..4 kind (enum sluice_barrier), 31..8 threads expected, 0: all of the CTA
 *           | shared  = access word            for each shared-memory access with lanes active
 *           | address = access word, then      for each other memory access with lanes active
 *                 AFFINE  base lo, base hi, stride      address = base + stride * lane
 *                 LIST32  base lo, base hi, one offset for each active lane
 *                 LIST64  lo, hi for each active lane
 *
 *   access word: 1..0 form, 4..2 space, 5 more parts follow (lanes in different spaces; then the
 *   part's own mask comes after the access word), 13..6 distinct 128-byte lines,
 *   21..14 distinct 32-byte sectors, for shared memory instead 21..6 cycles the banks need;
 *   with front.shared = lanes 21..6 the cycles of accesses one after the other and 24..22 one less than the instructions that
 *   those are of.
 *
 * A segment ends on a record. Everything in it is determined by program, inputs and options. */

enum sluice_form { SLUICE_AFFINE, SLUICE_LIST32, SLUICE_LIST64, SLUICE_SHARED };
enum sluice_space {
  SLUICE_SP_GLOBAL,
  SLUICE_SP_SHARED,
  SLUICE_SP_LOCAL,
  SLUICE_SP_CONST,
  SLUICE_SP_PARAM,
  SLUICE_SP_GENERIC
};
enum sluice_cache_op {
  SLUICE_CA,
  SLUICE_CG,
  SLUICE_CS,
  SLUICE_LU,
  SLUICE_CV,
  SLUICE_WB,
  SLUICE_WT,
  SLUICE_NC,
  SLUICE_TEXTURE, /* streams of graphics data: through caches of their own where a GPU has them, else as usual */
  SLUICE_DEPTH,
  SLUICE_COLOUR,
  SLUICE_HIZ,
  SLUICE_STENCIL
};

#define SLUICE_ACCESS_FORM(w)  ((w)&3u)
#define SLUICE_ACCESS_SPACE(w) ((w) >> 2 & 7u)
#define SLUICE_ACCESS_MORE     0x20u
#define SLUICE_ACCESS_TAKEN                                                                                  \
  0x400000u /* a CAS to global memory: each word it names was changed by one of its lanes */
#define SLUICE_ACCESS_LINES(w)   ((w) >> 6 & 0xffu)
#define SLUICE_ACCESS_SECTORS(w) ((w) >> 14 & 0xffu)
#define SLUICE_ACCESS_BANKS(w)   ((w) >> 6 & 0xffffu)
#define SLUICE_ACCESS_TIMES(w)   (((w) >> 22 & 7u) + 1)

enum sluice_barrier { SLUICE_BAR_SYNC, SLUICE_BAR_ARRIVE, SLUICE_BAR_POPC, SLUICE_BAR_AND, SLUICE_BAR_OR };

enum sluice_class {
  SLUICE_ALU,
  SLUICE_LOAD,
  SLUICE_STORE,
  SLUICE_ATOMIC,
  SLUICE_RED,
  SLUICE_COPY /* cp.async: two items, global then shared */,
  SLUICE_PREFETCH,
  SLUICE_BRANCH,
  SLUICE_BARRIER,
  SLUICE_FENCE,
  SLUICE_CALL,
  SLUICE_RETURN,
  SLUICE_OTHER,
  SLUICE_NCLASSES
};

enum {
  SLUICE_IF_GUARD = 1,
  SLUICE_IF_ADDRESS = 2,  /* has an access item */
  SLUICE_IF_VOLATILE = 4, /* volatile, relaxed, acquire or release */
  SLUICE_IF_CLOCK = 8,    /* reads a clock */
  SLUICE_IF_BARRIER = 16, /* a CTA barrier: has a barrier item */
  SLUICE_IF_SCALAR = 32,  /* the same for all lanes, and a scalar unit can do it */
  SLUICE_IF_LONG = 64,    /* integers of 64 bits */
};

/* One PTX instruction as a timing model sees it. Registers are numbered from 0 within the function, after
 * allocation, so that a scoreboard can use them. The number modulo SLUICE_BANKS is that of the name (5 of %f5), from which
 * banks of a register file follow; registers whose names have none are SLUICE_UNBANKED or more, and in no bank. */
#define SLUICE_MAX_REGS 8
enum { SLUICE_BANKS = 64, SLUICE_UNBANKED = 960 };
struct sluice_inst {
  uint8_t klass; /* enum sluice_class */
  uint8_t unit;  /* execution unit; sluice_unit_name() */
  uint8_t flags;
  uint8_t space; /* enum sluice_space, as written */
  uint8_t bytes; /* per lane, whole vector */
  uint8_t cache_op;
  uint8_t ndst, nsrc; /* registers listed; further ones are left out */
  uint16_t dst[SLUICE_MAX_REGS], src[SLUICE_MAX_REGS];
  uint32_t line; /* PTX line */
};

struct sluice_block {
  uint32_t ninst;
  const struct sluice_inst *insts;
};

struct sluice_segment {
  uint64_t cta;  /* linear CTA number */
  uint32_t turn; /* of this CTA, from 0 */
  bool last;     /* the CTA ends here */
  unsigned warp_width;
  const uint32_t *words;
  size_t n;
};

#ifdef __cplusplus
}
#endif

#endif
