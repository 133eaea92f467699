#include "front/accelsim/access.h"
#include "base/bits.h"
#include "base/mem.h"
#include <string.h>

/* Windows of generic addresses span this much on NVIDIA's GPUs. */
#define WINDOW (UINT64_C(1) << 24)

enum sluice_space window_of(const struct windows *k, uint64_t address) {
  if (k->shared && k->local && address - k->shared < (k->local > k->shared ? k->local - k->shared : WINDOW))
    return SLUICE_SP_SHARED;
  return k->local && address - k->local < WINDOW ? SLUICE_SP_LOCAL : SLUICE_SP_GLOBAL;
}

static unsigned lane_of(uint32_t mask) {
  return (unsigned)__builtin_ctz(mask);
}

/* Distinct blocks of 2^shift bytes. */
static unsigned distinct(const uint64_t *address, uint32_t mask, unsigned shift) {
  uint64_t seen[ACCESS_LANES];
  unsigned n = 0;
  for (; mask; mask &= mask - 1) {
    uint64_t v = address[lane_of(mask)] >> shift;
    unsigned i = n;
    while (i && seen[i - 1] != v)
      i--;
    if (!i)
      seen[n++] = v;
  }
  return n;
}

/* Words of one phase that lie in the same bank, at most; the same word counts once. */
static unsigned phase_cycles(const uint64_t *address, uint32_t mask, unsigned words) {
  uint32_t seen[ACCESS_LANES];
  uint8_t count[32] = {0};
  unsigned n = 0, worst = 1;
  for (; mask; mask &= mask - 1)
    for (unsigned k = 0; k < words; k++) {
      uint32_t word = (uint32_t)(address[lane_of(mask)] >> 2) + k;
      unsigned i = n;
      while (i && seen[i - 1] != word)
        i--;
      if (i)
        continue;
      if (n < ACCESS_LANES)
        seen[n++] = word;
      if (++count[word & 31] > worst)
        worst = count[word & 31];
    }
  return worst;
}

/* Wider accesses go in phases of 128 bytes. */
static unsigned phase_lanes(unsigned bytes) {
  return bytes <= 4 ? 32 : bytes >= 128 ? 1 : 128 / bytes;
}
static uint32_t phase_mask(unsigned from, unsigned lanes) {
  return (lanes == 32 ? UINT32_MAX : (1u << lanes) - 1) << from;
}

unsigned access_banks(const uint64_t address[ACCESS_LANES], uint32_t mask, unsigned bytes) {
  unsigned words = bytes <= 4 ? 1 : bytes / 4, lanes = phase_lanes(bytes), cycles = 0;
  for (unsigned from = 0; from < ACCESS_LANES; from += lanes)
    if (mask & phase_mask(from, lanes))
      cycles += phase_cycles(address, mask & phase_mask(from, lanes), words);
  return cycles;
}

bool access_banked(uint64_t address[ACCESS_LANES], uint32_t mask, unsigned bytes, unsigned cycles) {
  unsigned lanes = phase_lanes(bytes), left = cycles, phases = 0;
  memset(address, 0, ACCESS_LANES * sizeof *address);
  for (unsigned from = 0; from < ACCESS_LANES; from += lanes)
    phases += (mask & phase_mask(from, lanes)) != 0;
  for (unsigned from = 0; from < ACCESS_LANES; from += lanes) {
    uint32_t part = mask & phase_mask(from, lanes);
    if (!part)
      continue;
    phases--;
    unsigned want = left > phases + count_bits(part) ? count_bits(part)
                    : left > phases                  ? left - phases
                                                     : 1,
             k = 0;
    left -= want < left ? want : left;
    for (; part; part &= part - 1, k++) /* rows of all banks: the same bank each, else side by side */
      address[lane_of(part)] =
          want > 1 ? (uint64_t)(k < want ? k : 0) * 128 : (uint64_t)k * (bytes < 4 ? 4 : bytes);
  }
  return access_banks(address, mask, bytes) == cycles;
}

static uint32_t clamp8(unsigned v) {
  return v > 255 ? 255 : v;
}

static bool affine(const uint64_t *address, uint32_t mask, uint64_t *base, int64_t *stride) {
  unsigned first = lane_of(mask);
  uint32_t rest = mask & (mask - 1);
  *stride = 0;
  if (rest) {
    int64_t far = (int64_t)(address[lane_of(rest)] - address[first]),
            lanes = (int64_t)(lane_of(rest) - first);
    if (far % lanes)
      return false;
    *stride = far / lanes;
  }
  *base = address[first] - (uint64_t)*stride * first;
  if (*stride < INT32_MIN || *stride > INT32_MAX)
    return false;
  for (; rest; rest &= rest - 1)
    if (address[lane_of(rest)] != *base + (uint64_t)*stride * lane_of(rest))
      return false;
  return true;
}

/* One part, all of whose lanes are in the same space. */
static void put_part(struct words *to, enum sluice_space space, const uint64_t *address, uint32_t mask,
                     uint32_t head, bool own_mask, unsigned rows) {
  uint64_t base = 0, lo = UINT64_MAX, hi = 0;
  int64_t stride = 0;
  bool line = affine(address, mask, &base, &stride);
  for (uint32_t k = mask; k; k &= k - 1) {
    uint64_t a = address[lane_of(k)];
    lo = a < lo ? a : lo, hi = a > hi ? a : hi;
  }
  bool near = hi - lo <= UINT32_MAX;
  uint32_t form = line ? SLUICE_AFFINE : near ? SLUICE_LIST32 : SLUICE_LIST64;
  words_put(to, head | form | (uint32_t)space << 2 | clamp8(distinct(address, mask, 7) * rows) << 6 |
                    clamp8(distinct(address, mask, 5) * rows) << 14);
  if (own_mask)
    words_put(to, mask);
  if (form != SLUICE_LIST64) {
    uint64_t from = line ? base : lo;
    words_put(to, (uint32_t)from), words_put(to, (uint32_t)(from >> 32));
  }
  if (line) {
    words_put(to, (uint32_t)stride);
    return;
  }
  for (uint32_t k = mask; k; k &= k - 1) {
    uint64_t a = address[lane_of(k)];
    words_put(to, (uint32_t)(near ? a - lo : a));
    if (!near)
      words_put(to, (uint32_t)(a >> 32));
  }
}

static void put_space(struct words *to, enum sluice_space space, const struct sluice_inst *in,
                      const uint64_t *address, uint32_t mask, uint32_t head, bool own_mask, uint32_t banks) {
  if (space == SLUICE_SP_SHARED) {
    uint32_t cycles = banks ? banks : access_banks(address, mask, in->bytes);
    words_put(to, head | SLUICE_SHARED | SLUICE_SP_SHARED << 2 | (cycles > 0xffff ? 0xffff : cycles) << 6);
    if (own_mask)
      words_put(to, mask);
    return;
  }
  if (space != SLUICE_SP_LOCAL) {
    put_part(to, space, address, mask, head, own_mask, 1);
    return;
  }
  /* word k of every lane lies side by side, so that equal addresses coalesce */
  uint64_t flat[ACCESS_LANES];
  for (uint32_t k = mask; k; k &= k - 1) {
    uint64_t a = address[lane_of(k)] & ((UINT64_C(1) << LOCAL_BITS) - 1);
    flat[lane_of(k)] = ((a >> 2) * ACCESS_LANES + lane_of(k)) * 4 + (a & 3);
  }
  put_part(to, SLUICE_SP_LOCAL, flat, mask, head, own_mask, in->bytes > 4 ? in->bytes / 4u : 1);
}

/* Lanes of a generic access by where their addresses lead, the first lane's first. */
static void put_generic(struct words *to, const struct sluice_inst *in, const struct windows *k,
                        const uint64_t *address, uint32_t mask, uint32_t head, uint32_t banks) {
  for (bool several = false; mask;) {
    enum sluice_space space = window_of(k, address[lane_of(mask)]);
    uint32_t part = 0;
    for (uint32_t m = mask; m; m &= m - 1)
      if (window_of(k, address[lane_of(m)]) == space)
        part |= m & (0u - m);
    mask &= ~part;
    several |= mask != 0;
    put_space(to, space, in, address, part, head | (mask ? SLUICE_ACCESS_MORE : 0), several, banks);
  }
}

void access_put(struct words *to, const struct sluice_inst *in, const struct windows *k,
                const uint64_t address[ACCESS_LANES], uint32_t mask, uint32_t banks, bool taken) {
  uint32_t head = taken ? SLUICE_ACCESS_TAKEN : 0;
  if (in->space == SLUICE_SP_GENERIC)
    put_generic(to, in, k, address, mask, head, banks);
  else
    put_space(to, (enum sluice_space)in->space, in, address, mask, head, false, banks);
  if (in->klass != SLUICE_COPY)
    return;
  /* a trace has the address that a copy reads, not the one in shared memory: without conflicts, if nothing is said */
  unsigned lanes = phase_lanes(in->bytes), phases = 0;
  for (unsigned from = 0; from < ACCESS_LANES; from += lanes)
    phases += (mask & phase_mask(from, lanes)) != 0;
  words_put(to, SLUICE_SHARED | SLUICE_SP_SHARED << 2 | (banks ? banks : phases) << 6);
}

/* Lanes of a part, not of shared memory. */
static const uint32_t *get_lanes(const uint32_t *w, uint32_t word, uint32_t mask, uint64_t *address) {
  unsigned form = SLUICE_ACCESS_FORM(word);
  uint64_t base = 0;
  if (form != SLUICE_LIST64)
    base = w[0] | (uint64_t)w[1] << 32, w += 2;
  int64_t stride = form == SLUICE_AFFINE ? (int32_t)*w++ : 0;
  for (; mask; mask &= mask - 1) {
    unsigned lane = lane_of(mask);
    if (form == SLUICE_AFFINE)
      address[lane] = base + (uint64_t)(stride * (int64_t)lane);
    else if (form == SLUICE_LIST32)
      address[lane] = base + *w++;
    else
      address[lane] = w[0] | (uint64_t)w[1] << 32, w += 2;
  }
  return w;
}

static bool unflatten(uint64_t *address, uint32_t mask, uint64_t window) {
  for (; mask; mask &= mask - 1) {
    unsigned lane = lane_of(mask);
    uint64_t a = address[lane];
    if (a >> 2 >> 5 >> LOCAL_BITS || (a >> 2) % ACCESS_LANES != lane)
      return false;
    address[lane] = window + ((a >> 2) / ACCESS_LANES * 4 + (a & 3));
  }
  return true;
}

const uint32_t *access_get(const uint32_t *w, const struct sluice_inst *in, const struct windows *k,
                           uint32_t mask, uint64_t address[ACCESS_LANES], uint32_t *banks, bool *taken) {
  bool generic = in->space == SLUICE_SP_GENERIC;
  for (bool several = false;;) {
    uint32_t word = *w++;
    bool more = word & SLUICE_ACCESS_MORE;
    several |= more;
    if (several)
      mask = *w++;
    *taken |= (word & SLUICE_ACCESS_TAKEN) != 0;
    if (SLUICE_ACCESS_FORM(word) == SLUICE_SHARED) {
      uint64_t some[ACCESS_LANES];
      if (!access_banked(some, mask, in->bytes, SLUICE_ACCESS_BANKS(word)))
        *banks = SLUICE_ACCESS_BANKS(word);
      for (uint32_t m = mask; m; m &= m - 1)
        address[lane_of(m)] = some[lane_of(m)] + (generic ? k->shared : 0);
    } else {
      w = get_lanes(w, word, mask, address);
      if (SLUICE_ACCESS_SPACE(word) == SLUICE_SP_LOCAL && !unflatten(address, mask, generic ? k->local : 0))
        return NULL;
    }
    if (!more)
      return w;
  }
}
