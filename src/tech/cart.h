/* The state of CART's tree, for its own file and for tests that load a state directly. */
#ifndef SLUICE_TECH_CART_H
#define SLUICE_TECH_CART_H

#include "sluice_technique.h"

enum cart_drain { CART_ROTATING, CART_GREEDY, CART_LONGEST, CART_ROUND_ROBIN };

struct cart_leaf {
  uint64_t line; /* the tag: row and column are those of a line */
  uint32_t row;
  uint64_t tagged; /* order in which leaves were tagged: of two with one line the older drains first */
  uint32_t head, n;
  bool second;    /* when it was tagged, another leaf had the line */
  uint64_t since; /* cycle since which it is in use */
};

struct cart_slot {
  uint32_t handle, older, newer; /* slots by age, across leaves; SLUICE_NONE: none */
  uint64_t cycle;                /* inserted */
};

struct cart {
  uint32_t banks, rows, columns, entries;
  enum cart_drain drain;
  bool rotate;            /* after a refusal the next branch is tried */
  struct cart_leaf *leaf; /* [bank][row group][column] */
  struct cart_slot *slot; /* [leaf][entries] */
  uint32_t *bank_count;
  uint64_t *busy;      /* a bit for each bank with requests */
  uint32_t *last_leaf; /* of each bank, the leaf drained last; SLUICE_NONE: none yet */
  uint32_t *last_row;
  uint32_t bank;                  /* drained or tried last */
  uint32_t leaf_at;               /* greedy, round robin: likewise, of all leaves */
  uint32_t count, oldest, newest; /* slots */
  uint64_t tags, last_insert, stalled_since, busy_since, age_limit;
  uint64_t *counts;
  uint32_t *place; /* handle → leaf */
  uint32_t nplaces;
};

struct cart *cart_new(uint32_t banks, uint32_t rows, uint32_t columns, uint32_t entries,
                      enum cart_drain drain, bool rotate, uint64_t *counts);
void cart_free(void *self);
/* Puts a request into a leaf, whatever the fill policy says. */
void cart_put(struct cart *c, uint32_t leaf, uint64_t line, uint32_t row, uint32_t handle, uint64_t cycle);
extern const struct sluice_order cart_order;

#endif
