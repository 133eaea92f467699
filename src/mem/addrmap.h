/* Where an address lies: channel, slice, address within the slice; one map for network, L2, DRAM, techniques.
 *
 *   address ─ channel stage ─▶ channel, address in the channel ─ slice stage ─▶ slice, address in the slice
 *
 * A stage maps blocks of `interleave` bytes to its places in turn (any number of places), or by address bits (powers of two): with
 * "10^16,9^15,8" bits 10, 9 and 8 are taken out of the address and make the number of the place, after bit 16 was exclusive-ored with
 * bit 10 and bit 15 with bit 9. "hashed" maps blocks in turn, but every n blocks in another order, so that no stride meets one place
 * only; "hashed2" does the same after neighbouring blocks have exchanged halves: of four halves the first and third are one block, the
 * second and fourth the next. No mapping loses anything: place and remaining address give the address back. */
#ifndef SLUICE_MEM_ADDRMAP_H
#define SLUICE_MEM_ADDRMAP_H

#include "base/bitselect.h"

struct addr_stage {
  uint32_t n;               /* places */
  unsigned shift;           /* log2 of the interleave */
  bool power;               /* n is a power of two: */
  unsigned bits;            /* log2 of n */
  uint64_t inverse;         /* 2^64 / n, rounded up */
  struct bit_select select; /* if it has bits, they alone choose the place */
  bool mixed;   /* the places of every n blocks are in an order of their own, by a hash (addr_stage_mix()): */
  uint32_t odd; /* n without its factors of two */
  unsigned halves; /* > 0: number of the address bit that is first exchanged with the next higher one */
};

struct addrmap {
  struct addr_stage channel, slice;
  uint32_t
      together; /* > 0: the first stage maps to the slices of all channels, of which there are so many: first to one of each */
  uint32_t sms; /* of a GPU whose SMs and slices lie in two halves (l2.halves); 0: no such halves */
};

/* `bits`: as above; empty: blocks in turn. A line of `line_bytes` is never split. */
bool addr_stage_init(struct addr_stage *s, uint32_t n, uint32_t interleave, const char *bits,
                     uint32_t line_bytes, const char *name, struct error *err);

/* hashed: the place of the block that comes at `place` in its turn of n blocks. With n = odd × 2^k, place / 2^k is rotated by a hash of the
 * turn, and the low k bits are exclusive-ored with another hash. addr_stage_unmix() is the inverse. */
__attribute__((pure)) uint32_t addr_stage_mix(const struct addr_stage *s, uint64_t turn, uint32_t place);
uint32_t addr_stage_unmix(const struct addr_stage *s, uint64_t turn, uint32_t number);
__attribute__((pure)) uint64_t addr_stage_rest_bits(const struct addr_stage *s, uint64_t a);

/* Two bits of an address exchanged, where `halves` is set: the bit that tells blocks apart, and the bit that tells their halves. The
 * exchange is its own inverse. */
static inline uint64_t addr_stage_halves(const struct addr_stage *s, uint64_t a) {
  uint64_t differ = (a >> s->halves ^ a >> (s->halves + 1)) & 1;
  return a ^ differ * UINT64_C(3) << s->halves;
}

/* Takes an address apart: returns the number of its place; `rest` is what remains of the address there. */
static inline uint32_t addr_stage_split(const struct addr_stage *s, uint64_t a, uint64_t *rest) {
  if (s->select.n) {
    *rest = addr_stage_rest_bits(s, a);
    return bit_select(&s->select, a);
  }
  __extension__ typedef unsigned __int128 wide;
  if (s->halves)
    a = addr_stage_halves(s, a);
  uint64_t block = a >> s->shift, low = a & ((UINT64_C(1) << s->shift) - 1);
  /* block / n; a product in place of a division, which takes several times as long, is exact while block × n < 2^64 */
  uint64_t turn = s->power      ? block >> s->bits
                  : block >> 40 ? block / s->n
                                : (uint64_t)((wide)block * s->inverse >> 64);
  uint32_t place = (uint32_t)(block - turn * s->n);
  *rest = turn << s->shift | low;
  return s->mixed ? addr_stage_mix(s, turn, place) : place;
}
/* The inverse: the address of place `number` whose remaining address is `rest`; of the slice stage, an address in the channel. */
uint64_t addr_stage_join_bits(const struct addr_stage *s, uint32_t number, uint64_t rest);
static inline uint64_t addr_stage_join(const struct addr_stage *s, uint32_t number, uint64_t rest) {
  if (s->select.n)
    return addr_stage_join_bits(s, number, rest);
  uint64_t low = rest & ((UINT64_C(1) << s->shift) - 1), block = rest >> s->shift;
  if (s->mixed)
    number = addr_stage_unmix(s, block, number);
  uint64_t a = (block * s->n + number) << s->shift | low;
  return s->halves ? addr_stage_halves(s, a) : a;
}

/* Where an address lies in the L2: the slice among all (channel × slices per channel + slice), and the address within the slice. */
struct addr_place {
  uint32_t slice;
  uint64_t address;
};
static inline struct addr_place addrmap_place(const struct addrmap *m, uint64_t a) {
  struct addr_place p;
  uint64_t in_channel;
  if (m->together) {
    uint32_t number = addr_stage_split(&m->channel, a, &p.address);
    p.slice = number % m->together * m->slice.n + number / m->together;
    return p;
  }
  p.slice = addr_stage_split(&m->channel, a, &in_channel) * m->slice.n;
  p.slice += addr_stage_split(&m->slice, in_channel, &p.address);
  return p;
}

/* The address of which a channel knows `in_channel`. */
static inline uint64_t addrmap_address(const struct addrmap *m, uint32_t channel, uint64_t in_channel) {
  uint64_t rest = in_channel;
  if (m->together)
    channel += addr_stage_split(&m->slice, in_channel, &rest) * m->together;
  return addr_stage_join(&m->channel, channel, rest);
}

/* Where the GPU has two halves (sms > 0): the slice that an SM's read of a line of `slice` goes to, that of two neighbours which lies in the
 * SM's half (l2/half.h). */
static inline uint32_t addrmap_near(const struct addrmap *m, uint32_t slice, uint32_t sm) {
  return (slice & ~1u) | (sm * 2 >= m->sms);
}

#endif
