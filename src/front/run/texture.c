/* Texture fetches, surface accesses and queries of a warp. What a fetch computes is front/texture's; here lanes' registers meet
 * the memory that they read, and the stream learns which.
 *
 * A fetch is one access with a part for each texel that the filter wants, 1, 4 or 8. Lanes that read no texel (a border)
 * are given the place of another one, so that they cost nothing. */
#include "front/run/attempt.h"
#include <string.h>

/* Texels never straddle words of 4 bytes, or begin on one. */
#define WORD_OF(address) ((address) & ~UINT64_C(3))

static void *lane_at(const struct site *s, const struct uop_ext *x, unsigned i, unsigned lane) {
  return (uint8_t *)site_at(s, x->regs[i], lane >> 5) + (size_t)(lane & 31) * x->width[i];
}

/* The texture that a handle names, found out anew; NULL after a fault. */
static struct texture_view *look_up(struct site *s, const struct uop *u, unsigned lane, uint64_t handle,
                                    uint64_t now) {
  struct exec *x = s->x;
  struct texture_view *v = &x->view;
  v->good = false;
  if (!devmem_read(x->mem, handle, &v->t, sizeof v->t) || v->t.magic != TEXTURE_MAGIC) {
    char near[256];
    devmem_describe(x->mem, handle, near, sizeof near);
    fault(s, u, lane, FAULT_TEXTURE, handle, 0, near);
    return NULL;
  }
  const struct texture *t = &v->t;
  const struct devbuf *b = devmem_find(x->mem, t->base);
  if (!b || !texture_is_whole(t, b->size - (t->base - b->addr))) {
    fault(s, u, lane, FAULT_TEXTURE, handle, 0, b ? "what lies there describes none" : "its memory is gone");
    return NULL;
  }
  v->image = b->host + (t->base - b->addr);
  v->texels = b;
  v->header = devmem_find(x->mem, handle);
  v->handle = handle;
  v->generation = now;
  v->good = true;
  return v;
}

/* The texture that a handle names; NULL after a fault. An attempt (attempt.h) reads its header and, but for a store, its texels. */
static const struct texture_view *view(struct site *s, const struct uop *u, unsigned lane, uint64_t handle) {
  struct exec *x = s->x;
  struct texture_view *v = &x->view;
  uint64_t now = devmem_generation(x->mem);
  if (!v->good || v->handle != handle || v->generation != now)
    v = look_up(s, u, lane, handle, now);
  if (!v || !SELDOM(x->attempt))
    return v;
  return attempt_touches(x, v->header, false) && attempt_touches(x, v->texels, u->aux == TEXTURE_STORE)
             ? v
             : NULL;
}

static struct texture_point place_of(const struct site *s, const struct uop *u, unsigned lane) {
  const struct uop_ext *x = u->x;
  struct texture_point p = {.shape = u->aux2,
                            .kind = x->imm & TEXTURE_INTEGER ? COORDINATES_INT : COORDINATES_FLOAT};
  unsigned i = x->imm & TEXTURE_SAMPLER ? 2 : 1, d = 0;
  unsigned dims = p.shape == SHAPE_1D || p.shape == SHAPE_1D_ARRAY ? 1 : p.shape == SHAPE_3D ? 3 : 2;
  if (p.shape == SHAPE_1D_ARRAY || p.shape == SHAPE_2D_ARRAY)
    memcpy(&p.layer, lane_at(s, x, i++, lane), 4);
  for (; d < dims; d++, i++) {
    memcpy(&p.f[d], lane_at(s, x, i, lane), 4);
    memcpy(&p.i[d], lane_at(s, x, i, lane), 4);
  }
  return p;
}

/* Parts of the access under way. */
struct parts {
  struct access a[TEXELS_MAX];
  unsigned n;
  uint64_t seen; /* an address that some lane read, for those that read none */
};

static void note(struct parts *p, const struct texels *at, uint64_t base, unsigned lane) {
  if (at->n > p->n) { /* lanes before this one had fewer: their first stands for the others */
    for (unsigned k = p->n; k < at->n; k++)
      memcpy(p->a[k].addr, p->a[0].addr, sizeof p->a[0].addr);
    p->n = at->n;
  }
  uint64_t own = 0;
  for (unsigned k = 0; k < at->n && !own; k++)
    if (at->at[k] < TEXEL_LIMIT)
      own = WORD_OF(base + at->at[k]);
  for (unsigned k = 0; k < p->n; k++)
    p->a[k].addr[lane] = k < at->n && at->at[k] < TEXEL_LIMIT ? WORD_OF(base + at->at[k]) : own;
  if (own)
    p->seen = own;
  else if (!p->seen)
    p->seen = WORD_OF(base);
}

/* Room for the parts of this instruction and whatever the rest of the block has (path.c reserves for a usual one). */
static void reserve(struct site *s) {
  enum { PART_WORDS = 5 + 2 * 64, USUAL_WORDS = 320 };
  struct exec *x = s->x;
  size_t need =
      x->nout + TEXELS_MAX * PART_WORDS + (size_t)(s->block ? s->block->ninst + 1 : 1) * USUAL_WORDS;
  if (need <= x->capout)
    return;
  while (x->capout < need)
    x->capout *= 2;
  x->out = xrealloc(x->out, x->capout * sizeof *x->out);
}

static void emit_parts(struct site *s, const struct uop *u, struct parts *p, uint64_t mask) {
  reserve(s);
  for (unsigned k = 0; k < p->n; k++) {
    for (uint64_t m = mask; m; m &= m - 1)
      if (!p->a[k].addr[__builtin_ctzll(m)])
        p->a[k].addr[__builtin_ctzll(m)] = p->seen;
    p->a[k].mask = mask;
    access_scan(s->x, &p->a[k]);
    emit_global(s->x, u, &p->a[k], SLUICE_SP_GLOBAL, k + 1 < p->n, p->n > 1);
  }
}

static void run_fetch(struct site *s, const struct uop *u, uint64_t mask) {
  const struct uop_ext *x = u->x;
  struct parts parts = {.n = 1};
  for (uint64_t m = mask; m && !s->x->failed; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(m);
    uint64_t handle, word;
    uint32_t out[4] = {0};
    memcpy(&handle, lane_at(s, x, 0, lane), 8);
    const struct texture_view *v = view(s, u, lane, handle);
    if (v) {
      struct sampler sampler = v->t.sampler;
      if (x->imm & TEXTURE_SAMPLER) {
        memcpy(&word, lane_at(s, x, 1, lane), 8);
        sampler = sampler_of_word(word);
      }
      struct texture_point p = place_of(s, u, lane);
      struct texels at;
      if (u->aux == TEXTURE_GATHER) {
        texture_place_gather(&v->t, &sampler, &p, &at);
        texture_gather(&v->t, &sampler, &at, x->op, v->image, out);
      } else {
        texture_place(&v->t, &sampler, &p, &at);
        texture_blend(&v->t, &sampler, &at, v->image, out);
      }
      note(&parts, &at, v->t.base, lane);
    }
    for (unsigned k = 0; k < 4; k++)
      if (x->regs[x->nregs - 4 + k] != SLOT_NONE)
        memcpy(lane_at(s, x, x->nregs - 4 + k, lane), &out[k], 4);
  }
  if (!s->x->failed)
    emit_parts(s, u, &parts, mask);
}

/* The byte of a surface that an access begins at; x counts bytes, or texels of a formatted store. TEXEL_BORDER: outside, and
 * nothing is to be done there; TEXEL_NONE after a fault. */
static uint64_t surface_offset(struct site *s, const struct uop *u, unsigned lane, const struct texture *t,
                               const struct texture_point *p, unsigned bytes) {
  bool formatted = u->x->imm & TEXTURE_FORMATTED;
  int64_t row = (int64_t)t->width * (formatted ? 1 : t->texel_bytes), step = formatted ? 1 : bytes;
  int64_t size[3] = {row, t->height, t->depth}, at[3] = {p->i[0], p->i[1], p->i[2]};
  unsigned dims = p->shape == SHAPE_1D || p->shape == SHAPE_1D_ARRAY ? 1 : p->shape == SHAPE_3D ? 3 : 2;
  bool layers = p->shape == SHAPE_1D_ARRAY || p->shape == SHAPE_2D_ARRAY;
  at[1] = dims > 1 ? at[1] : 0;
  at[2] = layers ? (int64_t)(uint32_t)p->layer : dims > 2 ? at[2] : 0;
  bool outside = false;
  for (unsigned d = 0; d < 3; d++) {
    int64_t most = d == 0 ? size[0] - step : size[d] - 1;
    if (at[d] >= 0 && at[d] <= most)
      continue;
    outside = true;
    at[d] = at[d] < 0 ? 0 : most < 0 ? 0 : most;
  }
  if (outside && u->x->op == BOUNDS_ZERO)
    return TEXEL_BORDER;
  char text[192];
  if (outside && u->x->op == BOUNDS_TRAP) {
    snprintf(text, sizeof text, "(%d, %d, %d) lies outside the surface of %u x %u x %u texels of %u bytes",
             p->i[0], dims > 1 ? p->i[1] : 0,
             layers     ? p->layer
             : dims > 2 ? p->i[2]
                        : 0,
             t->width, t->height, t->depth, t->texel_bytes);
    fault(s, u, lane, FAULT_SURFACE, 0, bytes, text);
    return TEXEL_NONE;
  }
  if (!formatted && at[0] % bytes) {
    snprintf(text, sizeof text, "%u bytes at byte %lld of a surface's row, which is misaligned", bytes,
             (long long)at[0]);
    fault(s, u, lane, FAULT_SURFACE, 0, bytes, text);
    return TEXEL_NONE;
  }
  if (formatted)
    return texel_offset(t, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
  return texel_offset(t, (uint32_t)(at[0] / t->texel_bytes), (uint32_t)at[1], (uint32_t)at[2]) +
         (uint64_t)(at[0] % t->texel_bytes);
}

static void read_surface(const struct site *s, const struct uop_ext *x, unsigned lane, const uint8_t *from) {
  for (unsigned k = 0; k < x->vec; k++) {
    unsigned i = x->nregs - x->vec + k;
    if (x->regs[i] == SLOT_NONE)
      continue;
    memset(lane_at(s, x, i, lane), 0, x->width[i]);
    if (from)
      memcpy(lane_at(s, x, i, lane), from + k * x->size, x->size);
  }
}

/* A texel, or bytes of it, as they are to be stored; how many. */
static unsigned value_of(const struct site *s, const struct uop *u, unsigned lane, const struct texture *t,
                         uint8_t to[16]) {
  const struct uop_ext *x = u->x;
  unsigned n = u->target, first = x->nregs - n;
  uint32_t v[4] = {0};
  if (!(x->imm & TEXTURE_FORMATTED)) {
    for (unsigned k = 0; k < n; k++)
      memcpy(to + k * x->size, lane_at(s, x, first + k, lane), x->size);
    return n * x->size;
  }
  for (unsigned k = 0; k < n; k++)
    memcpy(&v[k], lane_at(s, x, first + k, lane), 4);
  texel_encode(t, v, to);
  return t->texel_bytes;
}

static void write_surface(struct site *s, const struct uop *u, unsigned lane, const struct texture *t,
                          uint8_t *to) {
  uint8_t value[16];
  unsigned bytes = value_of(s, u, lane, t, value);
  if (SELDOM(s->x->attempt)) {
    attempt_stores(s->x, to, value, bytes);
    return;
  }
  if (SELDOM(s->x->watch_stores) && memcmp(value, to, bytes))
    s->x->progress++;
  memcpy(to, value, bytes);
}

static void run_surface(struct site *s, const struct uop *u, uint64_t mask) {
  const struct uop_ext *x = u->x;
  bool store = u->aux == TEXTURE_STORE, formatted = x->imm & TEXTURE_FORMATTED;
  unsigned bytes = x->size * (store ? u->target : x->vec);
  struct parts parts = {.n = 1};
  for (uint64_t m = mask; m && !s->x->failed; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(m);
    uint64_t handle;
    memcpy(&handle, lane_at(s, x, 0, lane), 8);
    const struct texture_view *v = view(s, u, lane, handle);
    struct texture_point p = place_of(s, u, lane);
    struct texels at = {.n = 1, .at = {TEXEL_NONE}};
    if (v)
      at.at[0] = surface_offset(s, u, lane, &v->t, &p, bytes);
    bool inside = at.at[0] < TEXEL_LIMIT;
    if (store && inside)
      write_surface(s, u, lane, &v->t, v->image + at.at[0]);
    else if (!store)
      read_surface(s, x, lane, inside ? v->image + at.at[0] : NULL);
    if (v && formatted && inside) { /* wide texels are several words */
      at.n = v->t.texel_bytes > 4 ? v->t.texel_bytes / 4 : 1;
      for (unsigned k = 1; k < at.n; k++)
        at.at[k] = at.at[0] + 4 * k;
    }
    if (v)
      note(&parts, &at, v->t.base, lane);
    if (v && !formatted && inside)
      parts.a[0].addr[lane] = v->t.base + at.at[0]; /* bytes of a store are exact */
  }
  if (!s->x->failed)
    emit_parts(s, u, &parts, mask);
}

static uint32_t answer(const struct texture *t, enum texture_query q) {
  bool flat = t->shape == SHAPE_1D || t->shape == SHAPE_1D_ARRAY || t->shape == SHAPE_BUFFER;
  bool layers = t->shape == SHAPE_1D_ARRAY || t->shape == SHAPE_2D_ARRAY;
  switch (q) {
  case QUERY_WIDTH:
    return t->width;
  case QUERY_HEIGHT:
    return flat ? 0 : t->height;
  case QUERY_DEPTH:
    return t->shape == SHAPE_3D ? t->depth : 0;
  case QUERY_CHANNEL_TYPE:
    return t->type;
  case QUERY_CHANNEL_ORDER:
    return t->order;
  case QUERY_NORMALIZED:
    return t->sampler.normalized;
  case QUERY_LAYERS:
    return layers ? t->depth : 0;
  case QUERY_FILTER:
    return t->sampler.linear;
  case QUERY_ADDRESS0:
  case QUERY_ADDRESS1:
  case QUERY_ADDRESS2:
    return t->sampler.address[q - QUERY_ADDRESS0];
  case QUERY_MIPMAPS:
    return t->num_mips;
  case QUERY_SAMPLES:
    return t->num_samples;
  case QUERY_LINEAR_MEMORY:
    return t->layout == LAYOUT_PITCH;
  }
  return 0;
}

void run_texture(struct site *s, const struct uop *u, uint64_t mask) {
  const struct uop_ext *x = u->x;
  if (u->aux == TEXTURE_FETCH || u->aux == TEXTURE_GATHER) {
    run_fetch(s, u, mask);
  } else if (u->aux == TEXTURE_LOAD || u->aux == TEXTURE_STORE) {
    run_surface(s, u, mask);
  } else {
    for (uint64_t m = mask; m && !s->x->failed; m &= m - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(m);
      uint64_t handle;
      memcpy(&handle, lane_at(s, x, 0, lane), 8);
      const struct texture_view *v = view(s, u, lane, handle);
      uint32_t a = v ? answer(&v->t, x->op) : 0;
      memset(lane_at(s, x, 1, lane), 0, x->width[1]);
      memcpy(lane_at(s, x, 1, lane), &a, 4);
    }
  }
}
