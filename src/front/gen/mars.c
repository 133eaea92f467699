#include "front/gen/mars.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "front/cta_order.h"
#include "front/gen/emit.h"
#include "front/gen/mars_blocks.h"
#include "front/gen/surface.h"
#include "front/registers.h"
#include <math.h>
#include <stdlib.h>

/* Texture coordinates are fixed-point numbers, so that they are the same on every machine. */
enum { FRACTION = 16 };

struct resident {
  uint64_t cta;
  uint32_t turn; /* tiles done */
};

struct stream {
  struct mars m;
  const struct mars_rule *rule;
  struct mars_blocks blocks;
  struct surface surface[MARS_MOST_SURFACES];
  uint64_t base[MARS_MOST_SURFACES];
  uint32_t *tiles; /* in the order they are handed out: row * tiles_x + column */
  uint32_t ntiles, tiles_x;
  int64_t u[3], v[3]; /* texture coordinates: at (0, 0), and what a step in x and y adds */
  uint64_t key;       /* of the test */
  /* CTAs run in turns through a window, as kernels do (exec.c); a turn is a tile */
  struct cta_order order;
  uint64_t nctas, next_cta, done;
  struct resident *window;
  size_t nwindow, most, cursor;
  uint64_t instructions, most_instructions;
  struct emit out;
};

static struct surface surface_of(const struct mars *m, unsigned i) {
  const struct mars_surface *s = &mars_rules[m->kind].surface[i];
  bool texture = m->kind == MARS_TEXTURE;
  return surface_make((texture ? m->texture_width : m->width) / s->cell,
                      (texture ? m->texture_height : m->height) / s->cell, s->bytes, m->tiled);
}

unsigned mars_buffers(const struct mars *m, struct mars_buffer to[MARS_MOST_SURFACES]) {
  const struct mars_rule *r = &mars_rules[m->kind];
  for (unsigned i = 0; i < r->nsurfaces; i++) /* one page more: a surface begins with one */
    to[i] = (struct mars_buffer){r->surface[i].name, surface_of(m, i).size + SURFACE_PAGE};
  return r->nsurfaces;
}

bool mars_check(const struct mars *m, struct error *err) {
  if (m->width % m->tile || m->height % m->tile)
    return error_set(err, EXIT_USAGE, "%s: width %u and height %u must be multiples of tile, %u", m->name,
                     m->width, m->height, m->tile);
  if (m->kind == MARS_TEXTURE && !(m->scale > 0 && m->scale <= 64))
    return error_set(err, EXIT_USAGE, "%s: scale %g: more than 0 and at most 64 is allowed", m->name,
                     m->scale);
  if (m->kind == MARS_TEXTURE && !(fabs(m->rotation) <= 360))
    return error_set(err, EXIT_USAGE, "%s: rotation %g: -360 to 360 is allowed", m->name, m->rotation);
  return true;
}

/* The screen's tiles in their order. A Z curve over the square around them leaves out those beside the screen. */
static void lay_tiles(struct stream *s) {
  uint32_t columns = s->m.width / s->m.tile, rows = s->m.height / s->m.tile, n = 0;
  s->tiles_x = columns;
  s->ntiles = columns * rows;
  s->tiles = xcalloc(s->ntiles, sizeof *s->tiles);
  for (uint64_t i = 0; n < s->ntiles; i++) {
    uint32_t x = (uint32_t)(i % columns), y = (uint32_t)(i / columns);
    if (s->m.tiles_along_z)
      morton_at(i, &x, &y);
    if (x < columns && y < rows)
      s->tiles[n++] = y * columns + x;
  }
}

static int64_t fixed(double v) {
  return llround(v * (1 << FRACTION));
}

/* The texture is turned and scaled around a point of it that the seed chooses, and repeats at its borders. */
static void set_coordinates(struct stream *s) {
  uint64_t rng = s->m.seed;
  double turn = s->m.rotation * acos(-1) / 180, c = cos(turn) * s->m.scale, d = sin(turn) * s->m.scale;
  s->key = rng_splitmix(&rng);
  if (s->m.kind != MARS_TEXTURE)
    return;
  s->u[0] = (int64_t)rng_below(&rng, s->m.texture_width) << FRACTION;
  s->v[0] = (int64_t)rng_below(&rng, s->m.texture_height) << FRACTION;
  s->u[1] = fixed(c), s->u[2] = fixed(-d);
  s->v[1] = fixed(d), s->v[2] = fixed(c);
}

static uint32_t wrapped(int64_t coordinate, unsigned more, uint32_t size) {
  int64_t i = ((coordinate >> FRACTION) + more) % size;
  return (uint32_t)(i < 0 ? i + size : i);
}

static uint32_t texel(const struct stream *s, uint32_t x, uint32_t y, unsigned sample) {
  int64_t u = s->u[0] + s->u[1] * x + s->u[2] * y, v = s->v[0] + s->v[1] * x + s->v[2] * y;
  return (uint32_t)surface_offset(&s->surface[0], wrapped(u, sample & 1, s->m.texture_width),
                                  wrapped(v, sample >> 1, s->m.texture_height));
}

static bool passes(const struct stream *s, uint32_t x, uint32_t y) {
  uint64_t at = (uint64_t)(y / s->rule->decide) << 32 | x / s->rule->decide;
  return hash_mix(s->key ^ hash_mix(at)) % 100 < s->m.pass;
}

/* The cells of one step, by lane: pixel of the screen at their corner. */
struct step {
  uint64_t mask, passing;
  uint32_t x[64], y[64];
};

static struct step step_at(const struct stream *s, uint32_t tile, const struct mars_pass *p, uint32_t k) {
  uint32_t side = s->m.tile / p->cell, width = s->out.warp_width;
  struct step t;
  t.mask = t.passing = 0;
  for (uint32_t lane = 0; lane < width && k * width + lane < side * side; lane++) {
    uint32_t i = k * width + lane, x = i % side, y = i / side;
    if (s->m.pixels_along_z)
      morton_at(i, &x, &y);
    t.x[lane] = tile % s->tiles_x * s->m.tile + x * p->cell;
    t.y[lane] = tile / s->tiles_x * s->m.tile + y * p->cell;
    t.mask |= UINT64_C(1) << lane;
    t.passing |= (uint64_t)passes(s, t.x[lane], t.y[lane]) << lane;
  }
  return t;
}

static void put_access(struct stream *s, const struct mars_pass *p, const struct mars_access *a,
                       const struct step *t) {
  uint64_t mask = a->tested ? t->passing : t->mask;
  uint32_t offset[64];
  if (a->tested && s->m.pass < 100)
    emit_mask(&s->out, mask);
  if (!mask)
    return;
  for (uint64_t left = mask; left; left &= left - 1) {
    int i = __builtin_ctzll(left);
    offset[i] = s->m.kind == MARS_TEXTURE
                    ? texel(s, t->x[i], t->y[i], a->sample)
                    : (uint32_t)surface_offset(&s->surface[a->surface], t->x[i] / p->cell, t->y[i] / p->cell);
  }
  emit_access(&s->out, s->base[a->surface], offset, mask);
}

static void put_record(struct stream *s, uint32_t tile, unsigned pass, uint32_t k, bool retire) {
  const struct mars_pass *p = &s->rule->pass[pass];
  uint32_t block = mars_block_number(&s->m, pass, k % s->m.inflight, retire);
  if (!s->blocks.block[block].ninst)
    return;
  struct step t = step_at(s, tile, p, k);
  s->instructions += s->blocks.block[block].ninst;
  emit_head(&s->out, block, 0, t.mask);
  for (unsigned a = 0; a < mars_accesses(&s->m, pass); a++)
    if (p->access[a].store == retire)
      put_access(s, p, &p->access[a], &t);
}

static void put_tile(struct stream *s, uint32_t tile) {
  for (unsigned pass = 0; pass < s->rule->npasses; pass++) {
    uint32_t side = s->m.tile / s->rule->pass[pass].cell, width = s->out.warp_width;
    uint32_t steps = (side * side + width - 1) / width;
    for (uint32_t k = 0; k < steps + s->m.inflight; k++) {
      if (k >= s->m.inflight)
        put_record(s, tile, pass, k - s->m.inflight, true);
      if (k < steps)
        put_record(s, tile, pass, k, false);
    }
  }
}

/* Along the window, then new ones while there is room, then from the start. */
static struct resident *next_resident(struct stream *s) {
  if (s->cursor == s->nwindow && s->nwindow < s->most && s->next_cta < s->nctas)
    s->window[s->nwindow++] = (struct resident){.cta = cta_order_at(&s->order, s->next_cta++)};
  if (s->cursor == s->nwindow)
    s->cursor = 0;
  return s->nwindow ? &s->window[s->cursor] : NULL;
}

static int stream_next(void *source, struct sluice_segment *seg, struct error *err) {
  struct stream *s = source;
  struct resident *r = next_resident(s);
  if (!r)
    return 0;
  s->out.n = 0;
  put_tile(s, s->tiles[r->cta + r->turn * s->nctas]);
  bool last = r->cta + (r->turn + 1) * s->nctas >= s->ntiles;
  *seg = (struct sluice_segment){.cta = r->cta,
                                 .turn = r->turn++,
                                 .last = last,
                                 .warp_width = s->out.warp_width,
                                 .words = s->out.words,
                                 .n = s->out.n};
  if (last) {
    s->done++;
    s->nwindow--;
    for (size_t i = s->cursor; i < s->nwindow; i++)
      s->window[i] = s->window[i + 1];
  } else {
    s->cursor++;
  }
  if (s->most_instructions && s->instructions > s->most_instructions) {
    error_set(err, EXIT_STALL, "%s: the limit of warp instructions (front.max_instructions) is reached",
              s->m.name);
    return -1;
  }
  return 1;
}

static struct sluice_block stream_block(const void *source, uint32_t block) {
  return ((const struct stream *)source)->blocks.block[block];
}
static uint32_t stream_blocks(const void *source) {
  return ((const struct stream *)source)->blocks.n;
}
static uint64_t stream_ctas(const void *source) {
  return ((const struct stream *)source)->nctas;
}
static uint64_t stream_done(const void *source) {
  return ((const struct stream *)source)->done;
}
static uint64_t stream_violations(const void *source) {
  (void)source;
  return 0; /* surface_offset stops at a texel outside */
}
static void stream_free(void *source) {
  struct stream *s = source;
  mars_blocks_free(&s->blocks);
  free(s->tiles), free(s->window), free(s->out.words);
  free(s);
}

struct exec *mars_open(const void *what, const uint64_t *buffers, const struct exec_options *o,
                       struct launch *l, struct kernel_info *k, struct error *err) {
  static const struct exec_source ops = {.next = stream_next,
                                         .block = stream_block,
                                         .blocks = stream_blocks,
                                         .ctas = stream_ctas,
                                         .done = stream_done,
                                         .violations = stream_violations,
                                         .free = stream_free};
  const struct mars *m = what;
  if (!mars_check(m, err))
    return NULL;
  struct stream *s = xcalloc(1, sizeof *s);
  s->m = *m;
  s->rule = &mars_rules[m->kind];
  s->blocks = mars_blocks_make(m);
  for (unsigned i = 0; i < s->rule->nsurfaces; i++) {
    s->surface[i] = surface_of(m, i);
    s->base[i] = (buffers[i] + SURFACE_PAGE - 1) / SURFACE_PAGE * SURFACE_PAGE;
  }
  lay_tiles(s);
  set_coordinates(s);
  s->nctas = m->contexts && m->contexts < s->ntiles ? m->contexts : s->ntiles;
  s->order = cta_order(o, s->nctas);
  s->most = o->window;
  s->window = xcalloc(o->window, sizeof *s->window);
  s->most_instructions = o->max_instructions;
  s->out.warp_width = o->warp_width;
  *l = (struct launch){.kernel = s->rule->kernel, .grid = {(uint32_t)s->nctas, 1, 1}, .block = {1, 1, 1}};
  l->block[0] = o->warp_width;
  *k = (struct kernel_info){
      .name = s->rule->kernel, .registers = s->blocks.registers, .registers_from = REGISTERS_GENERATOR};
  return exec_of_source(&ops, s);
}
