/* From lane addresses to line accesses: an access for each distinct line, in order of its first lane; where lanes are
 * merged rather than coalesced, an access for each distinct line of a group of lanes. */
#include "base/bits.h"
#include "base/hot.h"
#include "core/sm.h"
#include <string.h>

/* The mark of a line: most lines are found to be new by their mark, without a search. */
static uint64_t mark_of(uint64_t line, unsigned shift) {
  uint64_t n = line >> shift;
  return UINT64_C(1) << ((n ^ n >> 6 ^ n >> 12) & 63);
}

/* Where lanes are merged, a lane shares an access with lanes of its own group only. `last`: the access of the lane before. Returns the
 * access that this lane may share: `last`, or NULL where the lane begins a group. */
static inline struct sm_access *begin_lane(struct sm_memop *m, uint64_t rest, struct sm_access *last) {
  if (!m->merge)
    return last;
  uint32_t group = (uint32_t)__builtin_ctzll(rest) / m->merge;
  if (group == m->group)
    return last;
  m->group = group;
  m->from = m->n;
  m->seen = 0;
  return NULL;
}

static inline struct sm_access *last_of(struct sm_memop *m) {
  return m->n > m->from ? &m->access[m->n - 1] : NULL;
}

static inline struct sm_access *new_access(struct sm_memop *m, uint64_t line, uint64_t mark) {
  m->seen |= mark;
  struct sm_access *a = &m->access[m->n++];
  *a = (struct sm_access){.line = line};
  return a;
}

/* Finds or adds the access of a line. */
static inline struct sm_access *access_of(struct sm_memop *m, unsigned shift, uint64_t line) {
  uint64_t mark = mark_of(line, shift);
  for (uint32_t i = m->seen & mark ? m->n : m->from; i-- > m->from;)
    if (m->access[i].line == line)
      return &m->access[i];
  return new_access(m, line, mark);
}

/* The sectors of bytes `lo` to `hi` - 1, within the line. */
static inline uint8_t sectors_between(unsigned lo, unsigned hi, unsigned shift) {
  unsigned all = (1u << (1u << shift) / MEM_SECTOR) - 1;
  return (uint8_t)(((2u << (hi - 1) / MEM_SECTOR) - (1u << lo / MEM_SECTOR)) & all);
}

/* Adds a lane of an atomic, where lanes that name the same bytes share no access; `bytes` of an access has the bytes that its lanes name. */
static struct sm_access *add_apart(struct sm_memop *m, unsigned shift, uint64_t line, unsigned at,
                                   uint64_t ones) {
  for (uint32_t i = m->from; i < m->n; i++)
    if (m->access[i].line == line && !(m->access[i].bytes[at / 64] & ones << at % 64))
      return &m->access[i];
  return new_access(m, line, mark_of(line, shift));
}

/* Adds a lane whose predecessor has access `last` (or NULL); returns the lane's access. */
static inline struct sm_access *add(struct sm_memop *m, unsigned shift, struct sm_access *last, uint64_t addr,
                                    unsigned bytes, bool store) {
  uint64_t line = addr >> shift << shift;
  unsigned at = (unsigned)(addr - line);
  uint64_t ones = bytes >= 64 ? UINT64_MAX : (UINT64_C(1) << bytes) - 1;
  struct sm_access *a = RARELY(m->apart)             ? add_apart(m, shift, line, at, ones)
                        : last && last->line == line ? last
                        : m->runs                    ? new_access(m, line, mark_of(line, shift))
                                                     : access_of(m, shift, line);
  a->sectors |= sectors_between(at, at + bytes, shift);
  if (RARELY(m->count))
    m->lane_word[m->nlanes++ % 64] = addr >> 2;
  if (store || m->apart)
    a->bytes[at / 64] |= ones << at % 64;
  return a;
}

/* The byte mask of half a line. */
static inline uint64_t bytes_between(uint64_t lo, uint64_t hi, uint64_t half) {
  uint64_t b = lo > half ? lo - half : 0, e = hi > half ? hi - half : 0;
  if (b >= e || b >= 64)
    return 0;
  return (e >= 64 ? UINT64_MAX : (UINT64_C(1) << e) - 1) & ~((UINT64_C(1) << b) - 1);
}

/* Adds a run of lanes with consecutive addresses: whole lines, except for the first and last line. */
static inline void add_run(struct sm_memop *m, unsigned shift, uint64_t from, uint64_t to, bool store) {
  uint64_t size = UINT64_C(1) << shift;
  for (uint64_t line = from >> shift << shift; line < to; line += size) {
    uint64_t lo = from > line ? from - line : 0, hi = to - line < size ? to - line : size;
    struct sm_access *a = new_access(m, line, mark_of(line, shift));
    a->sectors = sectors_between((unsigned)lo, (unsigned)hi, shift);
    if (!store)
      continue;
    bool whole = hi - lo == size;
    a->bytes[0] = whole ? UINT64_MAX : bytes_between(lo, hi, 0);
    if (size > 64)
      a->bytes[1] = whole ? UINT64_MAX : bytes_between(lo, hi, 64);
  }
}

/* Adds the accesses of a part of the instruction's item. `store`: requests name their bytes. `shift`: log2 of a line's bytes, a constant after
 * inlining, since the loops over lanes are most of the work of coalescing. */
static inline const uint32_t *lines_of(struct sm *s, struct sm_memop *m, const uint32_t *w, uint64_t mask,
                                       bool several, bool store, unsigned shift) {
  uint32_t word = *w++;
  unsigned bytes = m->of.inst->bytes;
  bool local = SLUICE_ACCESS_SPACE(word) == SLUICE_SP_LOCAL;
  if (RARELY(several || word & SLUICE_ACCESS_MORE)) {
    mask = *w++;
    if (s->launch->wide)
      mask |= (uint64_t)*w++ << 32;
  }
  if (SLUICE_ACCESS_FORM(word) == SLUICE_SHARED) {
    m->shared = true;
    m->busy += shared_cycles(s, m->of.inst, word);
    return w;
  }
  m->of.constant = SLUICE_ACCESS_SPACE(word) == SLUICE_SP_CONST;
  store |= m->of.constant; /* bytes tell how many addresses lanes read (l1/constant.c) */
  /* local memory: each warp slot has an area of its own; rows of an access lie a word per lane apart */
  uint64_t offset = 0;
  unsigned rows = 1;
  if (RARELY(local)) {
    offset = SM_LOCAL_BASE + (((uint64_t)s->id * s->nwarps + m->of.warp) << 26);
    rows = bytes > 4 ? bytes / 4 : 1;
    bytes = bytes > 4 ? 4 : bytes;
  }
  for (unsigned r = 0; r < rows; r++) {
    const uint32_t *p = w;
    struct sm_access *last = last_of(m);
    uint64_t extra = offset + (uint64_t)r * 4 * s->launch->width;
    switch (SLUICE_ACCESS_FORM(word)) {
    case SLUICE_AFFINE: {
      uint64_t base = (p[0] | (uint64_t)p[1] << 32) + extra;
      int64_t stride = (int32_t)p[2];
      p += 3;
      if ((mask == UINT32_MAX || mask == UINT64_MAX) && stride == (int64_t)bytes) {
        unsigned lanes = mask == UINT32_MAX ? 32 : 64, group = m->merge ? m->merge : lanes;
        for (unsigned i = 0; i < lanes; i += group)
          add_run(m, shift, base + i * bytes, base + (i + group < lanes ? i + group : lanes) * bytes, store);
      } else {
        for (uint64_t k = mask; k; k &= k - 1) {
          last = begin_lane(m, k, last);
          last = add(m, shift, last, base + (uint64_t)(stride * __builtin_ctzll(k)), bytes, store);
        }
      }
      break;
    }
    case SLUICE_LIST32: {
      uint64_t base = (p[0] | (uint64_t)p[1] << 32) + extra;
      p += 2;
      for (uint64_t k = mask; k; k &= k - 1) {
        last = begin_lane(m, k, last);
        last = add(m, shift, last, base + *p++, bytes, store);
      }
      break;
    }
    default:
      for (uint64_t k = mask; k; k &= k - 1, p += 2) {
        last = begin_lane(m, k, last);
        last = add(m, shift, last, (p[0] | (uint64_t)p[1] << 32) + extra, bytes, store);
      }
      break;
    }
    if (r + 1 == rows)
      w = p;
  }
  for (uint32_t i = m->from; RARELY(m->apart && !store) && i < m->n; i++)
    m->access[i].bytes[0] = m->access[i].bytes[1] = 0;
  return w;
}

/* The words of half a line that have bytes in the mask `bytes`: of each word of four bytes, the bit of the first byte. */
static inline uint64_t words_of(uint64_t bytes) {
  bytes |= bytes >> 1;
  return (bytes | bytes >> 2) & UINT64_C(0x1111111111111111);
}

/* How often the busiest bank is read, where each word of a line lies in a bank of its own: counts the words of all lines for each bank,
 * with bit b of all counts in one mask. */
uint32_t bank_passes(const struct sm_memop *m) {
  uint64_t sum[2][10] = {0}; /* SM_MAX_ACCESSES at most */
  for (uint32_t i = 0; i < m->n; i++)
    for (int half = 0; half < 2; half++) {
      uint64_t carry = words_of(m->access[i].bytes[half]);
      for (int b = 0; carry; b++) {
        uint64_t both = sum[half][b] & carry;
        sum[half][b] ^= carry;
        carry = both;
      }
    }
  uint32_t most = 0;
  uint64_t left[2] = {UINT64_MAX, UINT64_MAX}; /* banks that may have the largest sum */
  for (int b = 9; b >= 0; b--) {
    uint64_t one[2] = {left[0] & sum[0][b], left[1] & sum[1][b]};
    if (one[0] | one[1]) {
      most |= 1u << b;
      left[0] = one[0], left[1] = one[1];
    }
  }
  return most;
}

/* Passes over the sectors of one access. A pass changes each word of a sector once, so a sector needs as many passes as its busiest word has
 * lanes. */
struct passes {
  uint32_t n;
  bool one; /* all lanes have one word */
  bool
      wide; /* three words or more in each pass, on average: so is a whole line, which lists no words of its lanes */
};

static struct passes passes_of(const struct sm_memop *m, const struct sm_access *a, unsigned shift) {
  uint32_t lanes = m->nlanes < 64 ? m->nlanes : 64, busiest[MEM_SECTORS] = {0}, sum = 0;
  uint64_t of_line[64], words = 0;
  bool one = true;
  for (uint32_t i = 0; i < lanes; i++)
    if (m->lane_word[i] << 2 >> shift << shift == a->line)
      of_line[words++] = m->lane_word[i];
  for (uint32_t i = 0; i < words; i++) {
    uint32_t turn = 1, *most = &busiest[of_line[i] * 4 / MEM_SECTOR % MEM_SECTORS];
    for (uint32_t k = 0; k < i; k++)
      turn += of_line[k] == of_line[i];
    *most = turn > *most ? turn : *most;
    one &= of_line[i] == of_line[0];
  }
  for (uint32_t i = 0; i < MEM_SECTORS; i++)
    sum += busiest[i];
  uint32_t n = sum < 1 ? 1 : sum > MEM_PASSES ? MEM_PASSES : sum;
  return (struct passes){.n = n, .one = one, .wide = words >= UINT64_C(3) * n || !words};
}

uint32_t count_passes(struct sm_memop *m, unsigned shift) {
  const bool floats = m->of.inst->flags & SLUICE_IF_FLOAT, doubles = floats && m->of.inst->bytes == 8;
  uint32_t more = 0; /* passes beyond the first of each sector */
  for (uint32_t i = 0; i < m->n; i++) {
    struct sm_access *a = &m->access[i];
    struct passes p = passes_of(m, a, shift);
    uint32_t sectors = count_bits4(a->sectors);
    bool several = !p.one || sectors > 1;
    if (several && doubles) /* as many as 31 lanes of a word */
      a->passes = (uint8_t)((p.n < MEM_WIDE ? p.n : MEM_WIDE - 1) | MEM_F64 | (p.wide ? MEM_WIDE : 0));
    else
      a->passes = (uint8_t)(p.n | (several ? MEM_WORDS : floats ? MEM_ONE_FLOAT : 0));
    more += p.n > sectors ? p.n - sectors
                          : 0; /* an access of a whole line lists no words of its lanes: one pass */
  }
  return more;
}

HOT const uint32_t *coalesce(struct sm *s, struct sm_memop *m, const uint32_t *w, uint64_t mask,
                             bool several) {
  /* requests name their bytes: stores, and a CAS that succeeds (l2/spin.h) */
  bool store = m->of.kind == MEM_WRITE || m->banks || *w & SLUICE_ACCESS_TAKEN;
  bool affine = SLUICE_ACCESS_FORM(*w) == SLUICE_AFFINE && SLUICE_ACCESS_SPACE(*w) == SLUICE_SP_GLOBAL &&
                !(*w & SLUICE_ACCESS_MORE) && !several;
  if (affine && mask == UINT32_MAX &&
      !m->merge) { /* the fast path: all lanes of a full warp in one whole line */
    uint64_t base = w[1] | (uint64_t)w[2] << 32, size = UINT64_C(1) << s->line_shift;
    if (m->of.inst->bytes * 32 == size && w[3] == m->of.inst->bytes && !(base & (size - 1))) {
      uint64_t written = store ? UINT64_MAX : 0;
      m->of.constant = false;
      m->seen = UINT64_MAX; /* this access has no mark: a search finds it for accesses that follow */
      m->access[m->n++] = (struct sm_access){.line = base,
                                             .bytes = {written, size > 64 ? written : 0},
                                             .sectors = (uint8_t)((1u << size / MEM_SECTOR) - 1)};
      return w + 4;
    }
  }
  return s->line_shift == 7 ? lines_of(s, m, w, mask, several, store, 7)
                            : lines_of(s, m, w, mask, several, store, 6);
}

/* Accesses by segments, as GPGPU-Sim's memory unit makes them: data of one byte in segments of 32 bytes, data of two bytes in segments of
 * 64, all other data in segments of a line of 128; the highest address first. */

/* The bytes of n sectors from `first` on, as a mask of half a line. */
static uint64_t bytes_of(unsigned first, unsigned n, unsigned half) {
  enum { HALF = 64 / MEM_SECTOR };
  uint64_t bytes = 0;
  for (unsigned k = 0; k < HALF; k++)
    if (half * HALF + k - first < n)
      bytes |= (uint64_t)UINT32_MAX << k * MEM_SECTOR;
  return bytes;
}

void segment_split(struct sm_memop *m, uint32_t bytes) {
  uint32_t n = m->n, per = bytes / MEM_SECTOR;
  uint8_t part = (uint8_t)((1u << per) - 1);
  for (uint32_t i = 0; i < n; i++) {
    struct sm_access whole = m->access[i];
    bool first = true;
    for (uint32_t k = 0; k < MEM_SECTORS; k += per) {
      uint8_t sectors = (uint8_t)(whole.sectors & part << k);
      if (!sectors)
        continue;
      struct sm_access *a = first ? &m->access[i] : &m->access[m->n++];
      *a = whole;
      a->sectors = sectors;
      for (unsigned h = 0; h < 2; h++)
        a->bytes[h] &= bytes_of(k, per, h);
      first = false;
    }
  }
}

/* The rank of each of n keys, the earlier of equal keys first. Without branches: those of a sort would be guessed wrong. */
static void rank_all(const uint64_t *key, uint32_t n, uint16_t *rank) {
  for (uint32_t i = 0; i < n; i++) {
    uint64_t at = key[i];
    uint32_t before = 0;
    for (uint32_t k = 0; k < i; k++) {
      uint32_t after = key[k] > at;
      rank[k] += (uint16_t)after;
      before += 1 - after;
    }
    rank[i] = (uint16_t)before;
  }
}

void segment_order(struct sm_memop *m) {
  uint64_t key[SM_MAX_ACCESSES];
  uint16_t number[SM_MAX_ACCESSES];
  struct sm_access found[SM_MAX_ACCESSES];
  bool ascending = true;
  memcpy(found, m->access, m->n * sizeof *found);
  for (uint32_t i = 0; i < m->n; i++) {
    key[i] = found[i].line / MEM_SECTOR + (unsigned)__builtin_ctz(found[i].sectors);
    number[i] = (uint16_t)i;
    ascending &= key[i ? i - 1 : 0] <= key[i];
  }
  if (!ascending)
    rank_all(key, m->n, number);
  for (uint32_t i = 0; i < m->n; i++)
    m->access[m->n - 1 - number[i]] = found[i];
}
