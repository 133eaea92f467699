/* Instructions in which lanes look at each other. Each 32 lanes act for themselves: PTX member
 * masks have 32 bits, so a 64-wide warp behaves as two of them side by side. */
#include "front/run/run.h"
#include <string.h>

struct half {
  const struct site *s;
  const struct uop *u;
  unsigned h;
  uint32_t mask; /* lanes that execute */
};

static uint32_t members(const struct half *k) {
  slot_t m = k->u->x->regs[0];
  if (m == SLOT_NONE)
    return k->mask;
  return ((const uint32_t *)site_at(k->s, m, k->h))[__builtin_ctz(k->mask)] & k->mask;
}

static uint32_t members_of(const struct half *k, unsigned lane) {
  slot_t m = k->u->x->regs[0];
  return (m == SLOT_NONE ? UINT32_MAX : ((const uint32_t *)site_at(k->s, m, k->h))[lane]) & k->mask;
}

static void set_pred(const struct half *k, slot_t slot, uint32_t bits) {
  if (slot == SLOT_NONE)
    return;
  uint32_t *p = site_at(k->s, slot, k->h);
  *p = (*p & ~k->mask) | (bits & k->mask);
}

static void set_lanes(const struct half *k, const uint32_t *value) {
  uint32_t *d = site_at(k->s, k->u->d, k->h);
  for (unsigned i = 0; i < 32; i++)
    if (k->mask >> i & 1)
      d[i] = value[i];
}

static void shuffle(const struct half *k) {
  const uint32_t *a = site_at(k->s, k->u->a, k->h), *b = site_at(k->s, k->u->b, k->h),
                 *c = site_at(k->s, k->u->c, k->h);
  uint32_t value[32], inside = 0;
  for (unsigned i = 0; i < 32; i++) {
    uint32_t bval = b[i] & 31, cval = c[i] & 31, segment = c[i] >> 8 & 31;
    int32_t max = (int32_t)((i & segment) | (cval & ~segment)), min = (int32_t)(i & segment), j;
    bool p;
    switch (k->u->aux) {
    case 0:
      j = (int32_t)i - (int32_t)bval;
      p = j >= max;
      break;
    case 1:
      j = (int32_t)(i + bval);
      p = j <= max;
      break;
    case 2:
      j = (int32_t)(i ^ bval);
      p = j <= max;
      break;
    default:
      j = min | (int32_t)(bval & ~segment);
      p = j <= max;
      break;
    }
    if (!p)
      j = (int32_t)i;
    value[i] = a[j & 31];
    inside |= (uint32_t)p << i;
  }
  set_lanes(k, value);
  set_pred(k, k->u->e, inside);
}

static void vote(const struct half *k) {
  uint32_t a = *(const uint32_t *)site_at(k->s, k->u->a, k->h), m = members(k), yes = a & m;
  if (k->u->aux == 3) {
    k->s->x->lanes->blend32(site_at(k->s, k->u->d, k->h), yes, k->mask);
    return;
  }
  bool r = k->u->aux == 0 ? yes == m : k->u->aux == 1 ? yes != 0 : yes == 0 || yes == m;
  set_pred(k, k->u->d, r ? UINT32_MAX : 0);
}

static void match(const struct half *k) {
  bool wide = k->u->aux2;
  const void *a = site_at(k->s, k->u->a, k->h);
  uint64_t v[32];
  for (unsigned i = 0; i < 32; i++)
    v[i] = wide ? ((const uint64_t *)a)[i] : ((const uint32_t *)a)[i];
  uint32_t value[32] = {0}, all = 0;
  for (uint32_t m = k->mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    uint32_t group = members_of(k, i);
    for (uint32_t n = group; n; n &= n - 1)
      if (v[__builtin_ctz(n)] == v[i])
        value[i] |= n & (0u - n);
    if (k->u->aux) { /* all: the whole group, or nothing */
      bool same = value[i] == group;
      value[i] = same ? group : 0;
      all |= (uint32_t)same << i;
    }
  }
  set_lanes(k, value);
  if (k->u->aux)
    set_pred(k, k->u->e, all);
}

static void reduce(const struct half *k) {
  const uint32_t *a = site_at(k->s, k->u->a, k->h);
  uint32_t m = members(k), r = a[__builtin_ctz(m)];
  for (uint32_t n = m & (m - 1); n; n &= n - 1) {
    uint32_t v = a[__builtin_ctz(n)];
    bool less = k->u->aux2 ? (int32_t)v < (int32_t)r : v < r;
    switch (k->u->aux) {
    case 0:
      r += v;
      break;
    case 1:
      r = less ? v : r;
      break;
    case 2:
      r = less ? r : v;
      break;
    case 3:
      r &= v;
      break;
    case 4:
      r |= v;
      break;
    default:
      r ^= v;
      break;
    }
  }
  k->s->x->lanes->blend32(site_at(k->s, k->u->d, k->h), r, k->mask);
}

static void elect(const struct half *k) {
  uint32_t leader = (uint32_t)__builtin_ctz(members(k));
  k->s->x->lanes->blend32(site_at(k->s, k->u->d, k->h), leader, k->mask);
  set_pred(k, k->u->e, UINT32_C(1) << leader);
}

static void run_half(const struct half *k) {
  if (k->u->kind != U_WARPSYNC && !members(k))
    return; /* names none of its own lanes: undefined, nothing happens */
  switch (k->u->kind) {
  case U_SHFL:
    shuffle(k);
    break;
  case U_VOTE:
    vote(k);
    break;
  case U_MATCH:
    match(k);
    break;
  case U_REDUX:
    reduce(k);
    break;
  case U_ELECT:
    elect(k);
    break;
  case U_MMA:
    run_mma(k->s, k->u, k->h);
    break;
  case U_LDMATRIX:
    run_ldmatrix(k->s, k->u, k->h);
    break;
  default:
    break;
  }
}

/* Lanes with the same member mask are a group; several groups may execute together. */
static void run_groups(struct half k) {
  const uint32_t *named = site_at(k.s, k.u->x->regs[0], k.h);
  for (uint32_t rest = k.mask; rest; rest &= ~k.mask) {
    uint32_t first = named[__builtin_ctz(rest)];
    k.mask = 0;
    for (uint32_t m = rest; m; m &= m - 1)
      if (named[__builtin_ctz(m)] == first)
        k.mask |= m & (0u - m);
    run_half(&k);
  }
}

void run_warpwide(struct site *s, const struct uop *u, uint64_t mask) {
  bool groups = SLOT_AREA(u->x->regs[0]) == SLOT_REG && u->kind != U_SHFL && u->kind != U_MATCH &&
                u->kind != U_WARPSYNC;
  for (unsigned h = 0; h < s->x->halves; h++) {
    struct half k = {s, u, h, (uint32_t)(mask >> 32 * h)};
    if (!k.mask)
      continue;
    if (groups)
      run_groups(k);
    else
      run_half(&k);
  }
}
