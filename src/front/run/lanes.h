/* Vector helpers for addresses, compiled for several instruction sets like the arithmetic. */
#ifndef SLUICE_FRONT_RUN_LANES_H
#define SLUICE_FRONT_RUN_LANES_H

#include "front/run/lanes_word.h"
#include <stdbool.h>
#include <stdint.h>

struct lane_scan {
  uint64_t lo, hi, ors; /* smallest, largest and OR of the active addresses */
  uint64_t base;        /* affine: address of lane i = base + stride * i */
  int64_t stride;
  bool affine;
};

struct site;
struct node;
typedef bool path_fn(struct site *s, struct node *n, uint64_t until); /* run.h */

struct lane_fns {
  void (*address64)(uint64_t *out, const uint64_t *reg, uint64_t imm);
  void (*address32)(uint64_t *out, const uint32_t *reg, uint64_t imm);
  /* 4 * a number with sign, one in every `step` words of reg */
  void (*address_index)(uint64_t *out, const int32_t *reg, unsigned step, uint64_t imm);
  /* mask must not be 0 */
  void (*scan)(const uint64_t *addr, uint32_t mask, struct lane_scan *r);
  /* Bit k: some active lane lies in block lowest + k of 2^shift bytes; all lie within 64 of them. */
  uint64_t (*blocks)(const uint64_t *addr, uint32_t mask, unsigned shift, uint64_t lowest);
  /* A 4-byte load from shared memory in which all lanes fall within 128 bytes. False, with nothing
   * done, when they do not, or when an address is misaligned or beyond limit. Reads up to 128 bytes
   * from the lowest address on. */
  bool (*load_near)(uint32_t *d, const uint8_t *shared, uint64_t limit, const void *reg, bool wide,
                    uint64_t imm, uint32_t mask);
  void (*gather32)(uint32_t *d, uintptr_t base, const uint64_t *addr); /* all 32 lanes */
  void (*blend32)(uint32_t *d, uint32_t v, uint32_t mask);
  void (*blend64)(uint64_t *d, uint64_t v, uint32_t mask);
  const struct lane_word_fns *word; /* may be NULL */
  path_fn *const *path;             /* for warps of up to 32 lanes, and for wider ones */
};

const struct lane_fns *lane_fns(void);

#endif
