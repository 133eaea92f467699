/* What a segment of the stream adds up to. The executor keeps it while it writes the words, which spares the
 * counters reading them again; of a recording or a generated stream, count.c makes it from the words. */
#ifndef SLUICE_FRONT_TALLY_H
#define SLUICE_FRONT_TALLY_H

#include "base/mem.h"
#include "sluice_stream.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What an access is counted as. A prefetch moves no data to a lane: it has a kind that goes nowhere. */
enum tally_kind { TALLY_LOAD, TALLY_STORE, TALLY_ATOMIC, TALLY_COPY, TALLY_NONE, TALLY_KINDS };
enum { TALLY_SPACES = 8, TALLY_LINES = 64 /* and more; a warp has as many lanes */ };

struct tally_sum {
  uint64_t accesses, lanes, sectors;
  uint64_t detail; /* lines; of shared memory: bank cycles */
};

struct tally_block {
  uint64_t runs, lanes; /* executions, and their active lanes */
};

struct tally {
  struct tally_sum of[TALLY_KINDS][TALLY_SPACES];
  uint64_t loads_of[TALLY_LINES + 1]; /* global loads by the lines they touch */
  uint64_t guarded;                   /* lanes of instructions under a guard */
  struct tally_block *blocks;
  size_t nblocks;
  uint32_t *touched; /* blocks that ran; room for all */
  size_t ntouched;
};

static inline enum tally_kind tally_kind(const struct sluice_inst *i) {
  switch (i->klass) {
  case SLUICE_LOAD:
    return TALLY_LOAD;
  case SLUICE_STORE:
    return TALLY_STORE;
  case SLUICE_ATOMIC:
  case SLUICE_RED:
    return TALLY_ATOMIC;
  case SLUICE_COPY:
    return TALLY_COPY;
  default:
    return TALLY_NONE;
  }
}

/* Room for blocks below n. */
static inline void tally_grow(struct tally *t, size_t n) {
  if (n <= t->nblocks)
    return;
  t->blocks = xrealloc(t->blocks, n * sizeof *t->blocks);
  t->touched = xrealloc(t->touched, n * sizeof *t->touched);
  memset(t->blocks + t->nblocks, 0, (n - t->nblocks) * sizeof *t->blocks);
  t->nblocks = n;
}

static inline void tally_free(struct tally *t) {
  free(t->blocks);
  free(t->touched);
}

static inline void tally_clear(struct tally *t) {
  for (size_t i = 0; i < t->ntouched; i++)
    t->blocks[t->touched[i]] = (struct tally_block){0};
  memset(t->of, 0, sizeof t->of);
  memset(t->loads_of, 0, sizeof t->loads_of);
  t->ntouched = t->guarded = 0;
}

/* A record: block number b ran with so many lanes. */
static inline void tally_record(struct tally *t, uint32_t b, unsigned lanes) {
  if (__builtin_expect(!t->blocks[b].runs++, 0))
    t->touched[t->ntouched++] = b;
  t->blocks[b].lanes += lanes;
}

/* An access, by the first of its words, to anything but shared memory. */
static inline void tally_lines(struct tally *t, struct tally_sum *s, uint32_t word, unsigned lanes,
                               bool global_load) {
  unsigned lines = SLUICE_ACCESS_LINES(word);
  s->accesses++;
  s->lanes += lanes;
  s->detail += lines;
  s->sectors += SLUICE_ACCESS_SECTORS(word);
  if (global_load)
    t->loads_of[lines < TALLY_LINES ? lines : TALLY_LINES]++;
}

/* The same to shared memory. */
static inline void tally_banks(struct tally_sum *s, uint32_t word, unsigned lanes) {
  s->accesses++;
  s->lanes += lanes;
  s->detail += SLUICE_ACCESS_BANKS(word);
}

/* Any access, or a part of one. */
static inline void tally_access(struct tally *t, enum tally_kind kind, uint32_t word, unsigned lanes) {
  unsigned space = SLUICE_ACCESS_SPACE(word);
  struct tally_sum *s = &t->of[kind][space];
  if (SLUICE_ACCESS_FORM(word) == SLUICE_SHARED)
    tally_banks(s, word, lanes);
  else
    tally_lines(t, s, word, lanes, kind == TALLY_LOAD && space == SLUICE_SP_GLOBAL);
}

#endif
