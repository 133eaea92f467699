/* The tree of paths a warp's lanes follow; see run.h for the picture. */
#include "front/run/run.h"
#include <stdlib.h>
#include <string.h>

static uint32_t node_new(struct warp *w) {
  for (size_t i = 0; i < w->nnodes; i++)
    if (w->nodes[i].state == NODE_FREE)
      return (uint32_t)i;
  (void)VEC_PUSH(w->nodes, w->nnodes, w->capnodes);
  return (uint32_t)w->nnodes - 1;
}

void paths_ready(struct warp *w, uint32_t node) {
  w->nodes[node].state = NODE_READY;
  VEC_PUSH(w->ready, w->nready, w->capready) = node;
}

void paths_start(struct exec *x, struct warp *w, uint64_t mask) {
  if (!w->capnodes) { /* the first time */
    (void)VEC_PUSH(w->frames, w->nframes, w->capframes);
    (void)VEC_PUSH(w->nodes, w->nnodes, w->capnodes);
    (void)VEC_PUSH(w->ready, w->nready, w->capready);
  }
  w->nframes = w->nnodes = w->nready = 1;
  w->frames[0] = (struct frame){.used = true, .func = x->kernel_index};
  w->nodes[0] =
      (struct node){.mask = mask, .pc = x->kernel->entry, .rpc = PC_NONE, .parent = -1, .state = NODE_READY};
  w->ready[0] = 0;
}

void paths_finish(struct exec *x, struct warp *w) {
  struct node *n = &w->nodes[w->ready[--w->nready]];
  int32_t parent = n->parent;
  n->state = NODE_FREE;
  if (parent < 0)
    return;
  struct node *p = &w->nodes[parent];
  if (--p->nchild)
    return;
  if (p->is_call) {
    frame_copy_results(x, w, p, &w->frames[p->callee], p->mask & p->called);
    w->frames[p->callee].used = false;
    p->is_call = 0;
  }
  if (!x->p->loops)
    p->iterations = 0;
  paths_ready(w, (uint32_t)parent);
}

void paths_diverge(struct warp *w, uint32_t rpc, const uint32_t *pc, const uint64_t *mask, unsigned n) {
  uint32_t self = w->ready[w->nready - 1];
  struct node *leaf = &w->nodes[self];
  if (rpc == PC_NONE)
    rpc = leaf->rpc;
  int32_t parent = leaf->parent;
  uint32_t iterations = leaf->iterations;
  uint16_t frame = leaf->frame;
  bool nested = rpc != leaf->rpc;
  uint32_t leaf_rpc = rpc;
  w->nready--;
  bool reuse = !nested; /* the leaf itself becomes the first child */
  if (nested) {
    leaf->state = NODE_INNER;
    leaf->pc = rpc;
    parent = (int32_t)self;
  }
  for (unsigned i = 0; i < n; i++) {
    if (!mask[i] || pc[i] == rpc)
      continue;
    uint32_t c = reuse ? self : node_new(w);
    if (!reuse && parent >= 0)
      w->nodes[parent].nchild++;
    reuse = false;
    struct node *k = &w->nodes[c];
    uint64_t hash = c == self ? k->spin_hash : 0;
    *k = (struct node){.mask = mask[i],
                       .pc = pc[i],
                       .rpc = leaf_rpc,
                       .parent = parent,
                       .frame = frame,
                       .iterations = iterations,
                       .spin_hash = hash};
    paths_ready(w, c);
  }
  if (reuse) { /* every lane is at the meeting point already */
    w->nodes[self].mask = 0;
    paths_ready(w, self);
  } else if (nested && !w->nodes[self].nchild) {
    paths_ready(w, self);
  }
}

static bool within(const struct exec *x, uint32_t block, uint32_t loop) {
  for (uint32_t l = block < PC_RET ? x->p->loops[block].inner : PC_NONE; l != PC_NONE; l = x->p->outer[l])
    if (l == loop)
      return true;
  return false;
}

/* A node above `whole` at which its lanes meet behind the loop. */
static uint32_t meet_behind(struct warp *w, uint32_t whole, uint32_t pc) {
  uint32_t t = node_new(w);
  struct node *q = &w->nodes[whole];
  w->nodes[t] = (struct node){.mask = q->mask,
                              .pc = pc,
                              .rpc = q->rpc,
                              .parent = q->parent,
                              .nchild = 1,
                              .frame = q->frame,
                              .state = NODE_INNER};
  q->parent = (int32_t)t;
  q->rpc = pc;
  return t;
}

bool paths_leave(const struct exec *x, struct warp *w, const struct block *b, const uint32_t *pc,
                 const uint64_t *mask, unsigned n) {
  uint32_t self = w->ready[w->nready - 1], whole = self, loop = x->p->loops[b - x->p->blocks].left,
           stay_at = 0;
  uint64_t going = 0, stay[65];
  unsigned staying = 0;
  if (!within(x, w->nodes[self].rpc, loop))
    return false;
  for (unsigned i = 0; i < n; i++) {
    bool stays = within(x, pc[i], loop);
    stay[i] = stays ? mask[i] : 0;
    going |= mask[i] & ~stay[i];
    if (stay[i])
      stay_at = pc[i], staying++;
  }
  if (!going)
    return false;
  while (within(x, w->nodes[whole].rpc, loop)) /* the path that is in the loop as a whole */
    whole = (uint32_t)w->nodes[whole].parent;
  if (b->rpc != PC_NONE && b->rpc != w->nodes[whole].rpc)
    (void)meet_behind(w, whole, b->rpc);
  uint32_t rpc = w->nodes[whole].rpc;
  int32_t parent = w->nodes[whole].parent;
  for (uint32_t i = self;; i = (uint32_t)w->nodes[i].parent) {
    w->nodes[i].mask &= ~going;
    if (i == whole)
      break;
  }
  if (staying > 1)
    paths_diverge(w, PC_NONE, pc, stay, n);
  else if (staying)
    w->nodes[self].pc = stay_at;
  for (unsigned i = 0; i < n; i++) {
    if (!(mask[i] & going) || pc[i] == rpc)
      continue;
    uint32_t c = node_new(w);
    w->nodes[c] = (struct node){
        .mask = mask[i], .pc = pc[i], .rpc = rpc, .parent = parent, .frame = w->nodes[whole].frame};
    if (parent >= 0)
      w->nodes[parent].nchild++;
    paths_ready(w, c);
  }
  return true;
}

/* Registers of frames in use end here. */
static size_t frames_end(const struct exec *x, const struct warp *w) {
  size_t end = 0;
  for (size_t i = 0; i < w->nframes; i++) {
    size_t e = w->frames[i].reg_at + (size_t)x->p->funcs[w->frames[i].func].frame_bytes;
    if (w->frames[i].used && e > end)
      end = e;
  }
  return end;
}

static void reserve_registers(struct exec *x, struct warp *w, size_t bytes) {
  if (bytes <= w->half_bytes)
    return;
  size_t cap = bytes + bytes / 2;
  cap = (cap + 63) / 64 * 64;
  uint8_t *grown = xaligned(cap * x->halves);
  for (unsigned h = 0; h < x->halves; h++)
    memcpy(grown + h * cap, w->regs + h * w->half_bytes, w->half_bytes);
  free(w->regs);
  w->regs = grown;
  w->half_bytes = cap;
}

static void zero_registers(const struct site *s, const struct func *f, uint64_t mask) {
  for (uint32_t i = 0; i < f->nzero; i++) {
    const struct live_slot *z = &f->zero[i];
    if (!z->width) {
      site_set_pred(s, z->slot, 0, mask);
      continue;
    }
    for (uint64_t m = mask; m; m &= m - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(m);
      memset((uint8_t *)site_at(s, z->slot, lane >> 5) + (lane & 31) * z->width, 0, z->width);
    }
  }
}

static void copy_lanes(void *d, const void *from, unsigned width, uint32_t mask) {
  for (uint32_t m = mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    memcpy((uint8_t *)d + i * width, (const uint8_t *)from + i * width, width);
  }
}

static void copy_argument(const struct site *from, const struct site *to, const struct call_arg *a,
                          slot_t formal, uint64_t mask) {
  struct exec *x = from->x;
  struct warp *w = from->w;
  unsigned width = a->bytes < 2 ? 2 : a->bytes;
  if (a->from_reg && a->to_reg) {
    for (unsigned h = 0; h < x->halves; h++)
      copy_lanes(site_at(to, formal, h), site_at(from, a->reg, h), width, (uint32_t)(mask >> 32 * h));
    return;
  }
  for (uint64_t m = mask; m; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(m);
    if (a->from_reg) {
      local_write(x, w, to->frame->local_at + a->formal, lane,
                  (uint8_t *)site_at(from, a->reg, lane >> 5) + (lane & 31) * width, a->bytes);
    } else if (a->to_reg) {
      local_read(x, w, from->frame->local_at + a->local, lane,
                 (uint8_t *)site_at(to, formal, lane >> 5) + (lane & 31) * width, a->bytes);
    } else {
      for (unsigned b = 0; b < a->bytes; b += 4)
        memcpy(local_word(x, w, to->frame->local_at + a->formal + b, lane),
               local_word(x, w, from->frame->local_at + a->local + b, lane), 4);
    }
  }
}

void paths_call(struct exec *x, struct site *s, const struct uop *u, uint64_t mask, uint32_t after) {
  struct warp *w = s->w;
  const struct func *f = &x->p->funcs[u->target];
  uint32_t self = w->ready[w->nready - 1];
  size_t local_at = s->frame->local_at + (size_t)x->p->funcs[s->frame->func].local_bytes;
  local_at = (local_at + f->local_align - 1) & ~((size_t)f->local_align - 1);
  size_t reg_at = frames_end(x, w);
  if (local_at + f->local_bytes + 64 > x->local_limit || reg_at > (64u << 20)) {
    fault(s, u, (unsigned)__builtin_ctzll(mask), FAULT_STACK, 0, 0, NULL);
    x->failed = true; /* there is no way to go on without a frame */
    return;
  }
  if (!local_reserve(x, w, local_at + f->local_bytes + 64))
    return;
  struct frame callee = {
      .used = true, .func = u->target, .reg_at = (uint32_t)reg_at, .local_at = (uint32_t)local_at};
  if (f->intrinsic) {
    struct site inside = *s;
    inside.frame = &callee;
    for (uint32_t i = 0; i < u->x->nargs; i++)
      copy_argument(s, &inside, &u->x->args[i], SLOT_NONE, mask);
    run_intrinsic(s, u, f, callee.local_at, mask);
    struct node n = {.pc = after, .frame = w->nodes[self].frame, .wait = u};
    frame_copy_results(x, w, &n, &callee, mask);
    w->nodes[self].pc = after;
    return;
  }
  size_t slot = 0;
  while (slot < w->nframes && w->frames[slot].used)
    slot++;
  if (slot == w->nframes)
    (void)VEC_PUSH(w->frames, w->nframes, w->capframes);
  w->frames[slot] = callee;
  reserve_registers(x, w, reg_at + f->frame_bytes);
  struct site from, to;
  site_set(&from, x, s->cta, w, w->nodes[self].frame);
  site_set(&to, x, s->cta, w, (uint16_t)slot);
  zero_registers(&to, f, mask);
  for (uint32_t i = 0; i < u->x->nargs; i++)
    copy_argument(&from, &to, &u->x->args[i], f->param_reg[i], mask);
  uint32_t c = node_new(w);
  struct node *n = &w->nodes[self];
  n->state = NODE_INNER;
  n->is_call = 1;
  n->callee = (uint16_t)slot;
  n->called = mask;
  n->nchild = 1;
  n->pc = after;
  n->wait = u;
  w->nready--;
  w->nodes[c] = (struct node){
      .mask = mask, .pc = f->entry, .rpc = PC_RET, .parent = (int32_t)self, .frame = (uint16_t)slot};
  paths_ready(w, c);
}

/* Results go from the callee's frame to where the caller wants them. */
void frame_copy_results(struct exec *x, struct warp *w, const struct node *call, const struct frame *callee,
                        uint64_t mask) {
  const struct uop *u = call->wait;
  const struct func *f = &x->p->funcs[u->target];
  struct site caller, inside;
  site_set(&caller, x, x->cta, w, call->frame);
  inside = caller;
  inside.frame = callee;
  inside.base[SLOT_REG] = w->regs + callee->reg_at;
  for (uint32_t i = 0; i < u->x->nrets; i++) {
    const struct call_arg *r = &u->x->rets[i];
    slot_t formal = f->intrinsic ? SLOT_NONE : f->ret_reg[i];
    unsigned width = r->bytes < 2 ? 2 : r->bytes;
    for (uint64_t m = mask; m; m &= m - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(m);
      uint8_t value[64] = {0};
      uint32_t bytes = r->bytes;
      for (uint32_t at = 0; at < bytes; at += sizeof value) { /* structs may be large */
        uint32_t n = bytes - at < sizeof value ? bytes - at : (uint32_t)sizeof value;
        if (r->to_reg) {
          memcpy(value, (uint8_t *)site_at(&inside, formal, lane >> 5) + (lane & 31) * width, n);
        } else {
          local_read(x, w, callee->local_at + r->formal + at, lane, value, n);
        }
        if (r->from_reg) {
          memcpy((uint8_t *)site_at(&caller, r->reg, lane >> 5) + (lane & 31) * width, value, n);
        } else {
          local_write(x, w, caller.frame->local_at + r->local + at, lane, value, n);
        }
      }
    }
  }
}

void paths_return(struct warp *w, uint64_t mask) {
  int32_t i = (int32_t)w->ready[w->nready - 1];
  for (; i >= 0 && !w->nodes[i].is_call; i = w->nodes[i].parent)
    w->nodes[i].mask &= ~mask;
}

void paths_exit(struct warp *w, uint64_t mask) {
  for (size_t i = 0; i < w->nnodes; i++)
    w->nodes[i].mask &= ~mask;
  w->live &= ~mask;
}

/* Lanes that wait at a meeting point above `node` go on alone. */
static bool split_waiting(struct exec *x, struct warp *w, uint32_t node) {
  for (int32_t i = w->nodes[node].parent; i >= 0; i = w->nodes[i].parent) {
    uint64_t below = 0;
    for (size_t k = 0; k < w->nnodes; k++)
      if (w->nodes[k].state != NODE_FREE && w->nodes[k].parent == i)
        below |= w->nodes[k].mask;
    uint64_t waiting = w->nodes[i].mask & ~below;
    if (!waiting)
      continue;
    uint32_t n = node_new(w);
    struct node *p = &w->nodes[i];
    if (p->is_call)
      frame_copy_results(x, w, p, &w->frames[p->callee], waiting & p->called);
    w->nodes[n] =
        (struct node){.mask = waiting, .pc = p->pc, .rpc = p->rpc, .parent = p->parent, .frame = p->frame};
    p->mask &= ~waiting;
    if (p->parent >= 0)
      w->nodes[p->parent].nchild++;
    paths_ready(w, n);
    return true;
  }
  return false;
}

bool paths_give_way(struct exec *x, struct warp *w) {
  uint32_t self = w->ready[w->nready - 1];
  w->nodes[self].spinning = 1;
  for (size_t i = w->nready - 1; i-- > 0;) {
    if (w->nodes[w->ready[i]].spinning)
      continue;
    uint32_t other = w->ready[i];
    memmove(w->ready + i, w->ready + i + 1, (w->nready - 1 - i) * sizeof *w->ready);
    w->ready[w->nready - 1] = other;
    return true;
  }
  if (split_waiting(x, w, self))
    return true;
  for (size_t i = 0; i < w->nnodes; i++)
    w->nodes[i].spinning = 0;
  memmove(w->ready + 1, w->ready, (w->nready - 1) * sizeof *w->ready);
  w->ready[0] = self;
  return false;
}

bool paths_unblock(struct exec *x, struct warp *w) {
  for (size_t i = 0; i < w->nnodes; i++)
    if ((w->nodes[i].state == NODE_AT_BARRIER || w->nodes[i].state == NODE_AT_SYNC) &&
        split_waiting(x, w, (uint32_t)i))
      return true;
  return false;
}

void paths_block(struct warp *w, enum node_state state, const struct uop *u) {
  struct node *n = &w->nodes[w->ready[--w->nready]];
  n->state = (uint8_t)state;
  n->wait = u;
}

void site_set(struct site *s, struct exec *x, struct cta *c, struct warp *w, uint16_t frame) {
  const struct frame *f = &w->frames[frame];
  *s = (struct site){.x = x,
                     .cta = c,
                     .w = w,
                     .frame = f,
                     .func = &x->p->funcs[f->func],
                     .half = w->half_bytes,
                     .base = {w->regs + f->reg_at, x->p->consts, x->launch, w->regs}};
}
