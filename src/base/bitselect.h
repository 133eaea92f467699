/* A small number taken from address bits: "11^19,10^17,9,8,7" is five bits, most significant first, each the
 * exclusive or of the address bits named. */
#ifndef SLUICE_BASE_BITSELECT_H
#define SLUICE_BASE_BITSELECT_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

enum { BIT_SELECT_MAX = 24 };

struct bit_select {
  unsigned n;                    /* bits of the result */
  uint64_t mask[BIT_SELECT_MAX]; /* [0] makes the least significant one: parity of these address bits */
  uint8_t first[BIT_SELECT_MAX]; /* the bit named first */
};

/* `name` is the parameter, for messages. An empty text is no bits. */
bool bit_select_parse(struct bit_select *b, const char *text, const char *name, struct error *err);

static inline uint32_t bit_select(const struct bit_select *b, uint64_t a) {
  uint32_t v = 0;
  for (unsigned i = 0; i < b->n; i++)
    v |= (uint32_t)__builtin_parityll(a & b->mask[i]) << i;
  return v;
}

#endif
