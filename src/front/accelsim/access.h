/* Addresses of lanes as access items of the stream (sluice.h), and back. */
#ifndef SLUICE_FRONT_ACCELSIM_ACCESS_H
#define SLUICE_FRONT_ACCELSIM_ACCESS_H

#include "sluice_stream.h"

enum {
  ACCESS_LANES = 32,
  LOCAL_BITS = 21 /* of an address in a thread's local memory: an SM has 64 MiB for a warp */
};

struct words {
  uint32_t *w;
  size_t n, cap;
};
static inline void words_put(struct words *to, uint32_t v);

/* Where generic addresses lead elsewhere than to global memory; 0: nowhere. */
struct windows {
  uint64_t shared, local;
};
enum sluice_space window_of(const struct windows *k, uint64_t address);

/* The accesses of an instruction with lanes active. banks: cycles, 0: by the addresses. */
void access_put(struct words *to, const struct sluice_inst *in, const struct windows *k,
                const uint64_t address[ACCESS_LANES], uint32_t mask, uint32_t banks, bool taken);
/* Cycles that the banks of shared memory need. */
unsigned access_banks(const uint64_t address[ACCESS_LANES], uint32_t mask, unsigned bytes);
/* Addresses of which that many cycles come, as far as there are any; false: there are none. */
bool access_banked(uint64_t address[ACCESS_LANES], uint32_t mask, unsigned bytes, unsigned cycles);

/* Of an item: addresses of its lanes, as a trace has them. Returns where it ends; *banks, *taken as above.
 * NULL: local memory that does not belong to its lane. */
const uint32_t *access_get(const uint32_t *w, const struct sluice_inst *in, const struct windows *k,
                           uint32_t mask, uint64_t address[ACCESS_LANES], uint32_t *banks, bool *taken);

#include "base/mem.h"
static inline void words_put(struct words *to, uint32_t v) {
  VEC_PUSH(to->w, to->n, to->cap) = v;
}

#endif
