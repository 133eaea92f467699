/* A launch: the window of resident CTAs and the segments they yield. */
#include "base/stop.h"
#include "front/exec.h"
#include "front/run/attempt.h"
#include <stdlib.h>
#include <string.h>

struct exec_options exec_defaults(void) {
  return (struct exec_options){.warp_width = 32,
                               .window = 256,
                               .turn = 16384,
                               .memcheck = MEMCHECK_ERROR,
                               .heap_bytes = 8u << 20,
                               .stack_bytes = 512u << 10};
}

static bool check_launch(const struct launch *l, const struct func *f, const struct exec_options *o,
                         struct error *err) {
  uint32_t yz = l->dims ? INT32_MAX : 65535; /* OpenCL has no limit of its own */
  const uint32_t most[3] = {INT32_MAX, yz, yz};
  uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  for (int i = 0; i < 3; i++) {
    if (!l->grid[i] || l->grid[i] > most[i])
      return error_set(err, EXIT_USAGE, "kernel '%s': a grid of (%u,%u,%u): 1 to (%u,%u,%u) are allowed",
                       l->kernel, l->grid[0], l->grid[1], l->grid[2], most[0], most[1], most[2]);
    if (f->info.reqntid[i] && f->info.reqntid[i] != l->block[i])
      return error_set(err, EXIT_USAGE, "kernel '%s' requires blocks of (%u,%u,%u) threads, not (%u,%u,%u)",
                       l->kernel, f->info.reqntid[0], f->info.reqntid[1] ? f->info.reqntid[1] : 1,
                       f->info.reqntid[2] ? f->info.reqntid[2] : 1, l->block[0], l->block[1], l->block[2]);
  }
  if (!threads || threads > 1024 || l->block[0] > 1024 || l->block[1] > 1024 ||
      l->block[2] > 64) /* the product may wrap */
    return error_set(
        err, EXIT_USAGE,
        "kernel '%s': a block of (%u,%u,%u) has %llu threads; 1 to 1024 are allowed, at most 64 in z",
        l->kernel, l->block[0], l->block[1], l->block[2], (unsigned long long)threads);
  uint64_t most_threads = 1;
  for (int i = 0; i < 3; i++)
    most_threads *= f->info.maxntid[i] ? f->info.maxntid[i] : 1;
  if (f->info.maxntid[0] && threads > most_threads)
    return error_set(err, EXIT_USAGE, "kernel '%s' allows at most %llu threads per block, not %llu",
                     l->kernel, (unsigned long long)most_threads, (unsigned long long)threads);
  if (f->static_shared + l->dynamic_shared > UINT64_C(1) << SHARED_CTA_SHIFT)
    return error_set(err, EXIT_USAGE,
                     "kernel '%s' would have %llu bytes of shared memory; 16 MiB is the limit", l->kernel,
                     (unsigned long long)(f->static_shared + l->dynamic_shared));
  if (o->warp_width < 1 || o->warp_width > 64)
    return error_set(err, EXIT_USAGE, "a warp of %u lanes: 1 to 64 are allowed", o->warp_width);
  if (!o->window || !o->turn)
    return error_set(err, EXIT_USAGE, "window and turn must be at least 1");
  return true;
}

static void fill_launch_constants(struct exec *x) {
  const struct func *f = x->kernel;
  x->launch = xaligned((f->launch_bytes + 63) / 64 * 64);
  for (unsigned i = 0; i < 32; i++)
    memcpy(x->launch + 8 * i, &x->static_shared, 8);
  uint32_t at = LAUNCH_FIRST;
  for (uint32_t k = 0; k < f->nlaunch_consts; k++) {
    const struct launch_const *c = &f->launch_consts[k];
    uint8_t v[16] = {0};
    memcpy(v,
           c->size == SIZE_BLOCK  ? (const uint8_t *)&x->block[c->at]
           : c->size == SIZE_GRID ? (const uint8_t *)&x->grid[c->at]
                                  : x->params + c->at,
           c->bytes);
    if (c->is_signed && v[c->bytes - 1] & 0x80)
      memset(v + c->bytes, 0xff, sizeof v - c->bytes);
    for (unsigned i = 0; i < 32; i++)
      memcpy(x->launch + at + i * c->lane_bytes, v, c->lane_bytes);
    at += 32 * c->lane_bytes;
  }
}

static void fill_thread_indices(struct exec *x) {
  size_t bytes = (size_t)x->nwarps * x->nlanes * sizeof **x->tid;
  for (int d = 0; d < 3; d++) {
    x->tid[d] = xaligned(bytes); /* read as registers are */
    memset(x->tid[d], 0, bytes);
  }
  x->warp_mask = xcalloc(x->nwarps, sizeof *x->warp_mask);
  for (uint32_t t = 0; t < x->threads; t++) {
    uint32_t w = t / x->width, lane = t % x->width;
    size_t i = (size_t)w * x->nlanes + lane;
    x->tid[0][i] = t % x->block[0];
    x->tid[1][i] = t / x->block[0] % x->block[1];
    x->tid[2][i] = t / x->block[0] / x->block[1];
    x->warp_mask[w] |= UINT64_C(1) << lane;
  }
}

struct exec *exec_open(struct program *p, struct devmem *mem, const struct launch *l,
                       const struct exec_options *o, struct error *err) {
  const struct kernel_info *info = program_kernel(p, l->kernel, err);
  if (!info || !kernel_usable(info, err))
    return NULL;
  const struct func *f = NULL;
  for (uint32_t i = 0; i < p->ast->nfuncs; i++)
    if (&p->funcs[i].info == info)
      f = &p->funcs[i];
  if (!check_launch(l, f, o, err))
    return NULL;
  struct exec *x = xcalloc(1, sizeof *x);
  x->p = p, x->mem = mem, x->o = *o, x->kernel = f;
  x->kernel_index = (uint32_t)(f - p->funcs);
  x->lanes = lane_fns();
  memcpy(x->grid, l->grid, sizeof x->grid);
  memcpy(x->block, l->block, sizeof x->block);
  memcpy(x->envreg, l->offset, sizeof l->offset);
  x->envreg[3] = l->dims ? l->dims : 1;
  x->opencl = l->dims != 0;
  x->nctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  if (l->cooperative && x->nctas > x->o.window)
    x->o.window = (unsigned)x->nctas;
  x->threads = l->block[0] * l->block[1] * l->block[2];
  x->width = o->warp_width;
  x->halves = x->width > 32 ? 2 : 1;
  x->nlanes = 32 * x->halves;
  x->nwarps = (x->threads + x->width - 1) / x->width;
  x->contended = o->contend && p->contended;
  if (x->contended && o->contend / (x->nwarps * x->width) > x->o.window)
    x->o.window = o->contend / (x->nwarps * x->width);
  x->static_shared = ((uint64_t)f->static_shared + 15) / 16 * 16;
  x->shared_bytes = l->dynamic_shared ? x->static_shared + l->dynamic_shared : f->static_shared;
  x->dynamic_shared = l->dynamic_shared;
  bool workspace = false, reserved = false;
  for (uint32_t i = 0; i < p->ast->nfuncs; i++)
    workspace |= p->funcs[i].uses_workspace, reserved |= p->funcs[i].uses_reserved_shared;
  x->reserved_shared = (x->shared_bytes + 15) / 16 * 16;
  if (reserved)
    x->shared_bytes = x->reserved_shared + RESERVED_SHARED_BYTES;
  x->local_limit = o->stack_bytes > f->local_bytes + 4096u ? o->stack_bytes : f->local_bytes + 4096u;
  x->params = xcalloc(1, info->param_bytes + 16);
  if (info->param_bytes && l->params)
    memcpy(x->params, l->params, info->param_bytes);
  x->hints = xcalloc(p->nmemops + 1, sizeof *x->hints);
  x->window = xcalloc(x->o.window, sizeof *x->window);
  x->pool = xcalloc(x->o.window + 1, sizeof *x->pool);
  x->cappool = x->o.window + 1;
  x->launch_number = 1;
  tally_grow(&x->tally, p->nblocks);
  fill_launch_constants(x);
  fill_thread_indices(x);
  x->order = cta_order(o, x->nctas);
  if (workspace && !(x->workspace = devmem_alloc(mem, 256, "grid workspace", err))) {
    exec_close(x);
    return NULL;
  }
  return x;
}

void exec_close(struct exec *x) {
  if (!x)
    return;
  if (x->from) {
    x->from->free(x->source);
    free(x);
    return;
  }
  for (size_t i = 0; i < x->nwindow; i++)
    cta_free(x, x->window[i]);
  for (size_t i = 0; i < x->npool; i++)
    cta_free(x, x->pool[i]);
  attempts_free(x);
  if (x->workspace)
    devmem_free(x->mem, x->workspace);
  for (int d = 0; d < 3; d++)
    free(x->tid[d]);
  free(x->warp_mask), free(x->params), free(x->launch), free(x->hints), free(x->window), free(x->pool),
      free(x->out);
  tally_free(&x->tally);
  free(x);
}

/* The round is over. If nothing moved in it, watch stores closely; if the whole state then repeats
 * while nothing moves, it will do so for ever. */
static bool round_ends(struct exec *x) {
  bool moved = x->progress != x->round_progress;
  x->round_progress = x->progress;
  if (moved) {
    x->watch_stores = false;
    x->round_hash = 0;
    return true;
  }
  uint64_t h = window_hash(x) | 1;
  if (x->watch_stores && h == x->round_hash) {
    describe_stall(x, x->err, "every warp repeats what it did");
    return false;
  }
  x->watch_stores = true;
  x->round_hash = h;
  return true;
}

/* The CTA whose turn it is: along the window, then new ones while there is room, then from the start. */
static struct cta *next_cta(struct exec *x) {
  if (x->cursor < x->nwindow)
    return x->window[x->cursor];
  if (x->nwindow < x->o.window && x->next_cta < x->nctas)
    return x->window[x->nwindow++] = cta_start(x, x->next_cta++);
  if (!x->nwindow || !round_ends(x))
    return NULL;
  x->cursor = 0;
  return x->window[0];
}

struct exec *exec_of_source(const struct exec_source *ops, void *source) {
  struct exec *x = xcalloc(1, sizeof *x);
  x->from = ops;
  x->source = source;
  return x;
}

/* A turn whose time has come. */
static bool execute(struct exec *x, struct cta *c) {
  x->nout = 0;
  tally_clear(&x->tally);
  access_refresh(x);
  return cta_turn(x, c);
}

int exec_next(struct exec *x, struct sluice_segment *seg, struct error *err) {
  if (!stop_check(err))
    return -1;
  if (x->from)
    return x->from->next(x->source, seg, err);
  x->err = err;
  if (x->failed)
    return -1;
  const struct attempt *a = attempt_adopt(x);
  struct cta *c = a ? x->window[x->cursor] : next_cta(x);
  if (!c) {
    x->failed = err->code != 0;
    return x->failed ? -1 : 0;
  }
  uint32_t turn = a ? a->turn : c->turn;
  bool done = a ? a->done : execute(x, c);
  if (x->failed)
    return -1;
  *seg = (struct sluice_segment){.cta = c->linear,
                                 .turn = turn,
                                 .last = done,
                                 .warp_width = x->width,
                                 .words = a ? a->out : x->out,
                                 .n = a ? a->nout : x->nout};
  if (done) {
    x->done_ctas++;
    x->progress++;
    memmove(x->window + x->cursor, x->window + x->cursor + 1,
            (x->nwindow - x->cursor - 1) * sizeof *x->window);
    x->nwindow--;
    cta_release(x, c);
  } else {
    x->cursor++;
  }
  if (x->o.max_instructions && x->executed > x->o.max_instructions) {
    describe_stall(x, err, "the limit of warp instructions (front.max_instructions) is reached");
    x->failed = true;
    return -1;
  }
  return 1;
}

const struct tally *exec_tally(const struct exec *x) {
  size_t adopted = exec_adopted(x);
  return x->from ? NULL : adopted == SIZE_MAX ? &x->tally : &x->attempts->attempt[adopted].tally;
}

struct sluice_block exec_block(const struct exec *x, uint32_t block) {
  if (x->from)
    return x->from->block(x->source, block);
  const struct block *b = &x->p->blocks[block];
  return (struct sluice_block){.ninst = b->ninst, .insts = x->p->funcs[b->func].insts + b->first_inst};
}

uint32_t exec_blocks(const struct exec *x) {
  return x->from ? x->from->blocks(x->source) : x->p->nblocks;
}

static void name_all(uint64_t *named, const uint16_t *reg, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    named[reg[i] % EXEC_REGISTERS / 64] |= UINT64_C(1) << reg[i] % 64;
}

void exec_registers(const struct exec *x, uint64_t named[EXEC_REGISTERS / 64]) {
  _Static_assert(sizeof x->kernel->named == EXEC_REGISTERS / 8, "a set of registers");
  memset(named, 0, EXEC_REGISTERS / 8);
  for (uint32_t f = 0; !x->from && f < x->p->ast->nfuncs; f++) { /* the kernel, and what it may call */
    const struct func *g = &x->p->funcs[f];
    for (uint32_t i = 0; (g == x->kernel || !x->p->ast->funcs[f].is_entry) && i < EXEC_REGISTERS / 64; i++)
      named[i] |= g->named[i];
  }
  if (!x->from)
    return;
  for (uint32_t b = 0; b < exec_blocks(x); b++) {
    struct sluice_block k = exec_block(x, b);
    for (uint32_t i = 0; i < k.ninst; i++) {
      name_all(named, k.insts[i].dst, k.insts[i].ndst);
      name_all(named, k.insts[i].src, k.insts[i].nsrc);
    }
  }
}

uint64_t exec_ctas(const struct exec *x) {
  return x->from ? x->from->ctas(x->source) : x->nctas;
}
uint64_t exec_ctas_done(const struct exec *x) {
  return x->from ? x->from->done(x->source) : x->done_ctas;
}
void exec_warn(const struct exec *x, const char *text) {
  if (x->o.warn)
    x->o.warn(x->o.warn_ctx, text);
}

uint64_t exec_violations(const struct exec *x) {
  return x->from ? x->from->violations(x->source) : x->violations;
}
