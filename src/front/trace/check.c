/* A segment from a file, record by record, before anybody else walks it. */
#include "base/bits.h"
#include "front/texture/texture.h"
#include "front/trace/trace.h"

struct walk {
  const uint32_t *w, *end;
  bool wide;
  uint64_t lanes; /* that a warp has */
};

static bool word(struct walk *k, uint32_t *out) {
  if (k->w == k->end)
    return false;
  *out = *k->w++;
  return true;
}

static bool mask(struct walk *k, uint64_t within, uint64_t *out) {
  uint32_t lo, hi = 0;
  if (!word(k, &lo) || (k->wide && !word(k, &hi)))
    return false;
  *out = (uint64_t)hi << 32 | lo;
  return !(*out & ~within);
}

/* One access: parts have lanes of their own, also inactive ones (front.lanes = all). Parts of a texture fetch have the same lanes, a part
 * for each texel. */
static bool access_ok(struct walk *k, uint64_t active) {
  uint64_t left = active, part = active;
  unsigned parts = 0;
  bool again = false, elsewhere = false;
  for (bool several = false, more = true; more;) {
    uint32_t a;
    if (!word(k, &a) || SLUICE_ACCESS_SPACE(a) > SLUICE_SP_GENERIC)
      return false;
    more = a & SLUICE_ACCESS_MORE;
    several |= more;
    if (++parts > TEXELS_MAX || (several && (!mask(k, k->lanes, &part) || !part)))
      return false;
    again |= (part & ~left) != 0;
    elsewhere |= SLUICE_ACCESS_SPACE(a) != SLUICE_SP_GLOBAL;
    if (again && elsewhere)
      return false;
    left &= ~part;
    static const uint8_t fixed[] = {3, 2, 0, 0}, per_lane[] = {0, 1, 2, 0};
    uint32_t form = SLUICE_ACCESS_FORM(a);
    size_t n = fixed[form] + (size_t)per_lane[form] * count_bits(part);
    if ((size_t)(k->end - k->w) < n)
      return false;
    k->w += n;
  }
  return true;
}

static bool inst_ok(struct walk *k, const struct sluice_inst *i, uint64_t active) {
  if (i->flags & SLUICE_IF_GUARD && i->klass != SLUICE_BRANCH && !mask(k, active, &active))
    return false;
  uint32_t unused;
  if (i->flags & SLUICE_IF_BARRIER && !word(k, &unused))
    return false;
  if (!(i->flags & SLUICE_IF_ADDRESS) || !active)
    return true;
  for (int n = i->klass == SLUICE_COPY ? 2 : 1; n; n--)
    if (!access_ok(k, active))
      return false;
  return true;
}

const uint32_t *trace_record_end(const struct sluice_block *b, const uint32_t *w, const uint32_t *end,
                                 unsigned warp_width) {
  struct walk k = {w + 2, end, warp_width > 32, UINT64_MAX};
  uint64_t active;
  bool ok = mask(&k, UINT64_MAX, &active);
  for (uint32_t i = 0; ok && i < b->ninst; i++)
    ok = inst_ok(&k, &b->insts[i], active);
  return ok ? k.w : NULL;
}

bool trace_segment_ok(const struct sluice_block *blocks, size_t nblocks, const uint32_t *words, size_t n,
                      unsigned warp_width, uint32_t nwarps) {
  uint64_t all = warp_width == 64 ? UINT64_MAX : (UINT64_C(1) << warp_width) - 1;
  struct walk k = {words, words + n, warp_width > 32, all};
  while (k.w < k.end) {
    uint32_t number, warp;
    uint64_t active;
    if (!word(&k, &number) || !word(&k, &warp) || !mask(&k, all, &active) || number >= nblocks ||
        !blocks[number].insts || warp >= nwarps)
      return false;
    for (uint32_t i = 0; i < blocks[number].ninst; i++)
      if (!inst_ok(&k, &blocks[number].insts[i], active))
        return false;
  }
  return true;
}
