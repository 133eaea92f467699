/* Control flow of one function: branch targets, immediate post-dominators (where diverged lanes
 * meet again) and loops in which a warp may be waiting for somebody else. */
#include "base/bits.h"
#include "front/ptx/lower.h"
#include <stdlib.h>
#include <string.h>

uint32_t block_successors(const struct lower *l, const struct block *b, uint32_t *to, uint32_t cap) {
  const struct uop *u = &l->uops[b->end - 1];
  uint32_t n = 0;
  bool falls = true;
  if (b->end > b->first) {
    switch (u->kind) {
    case U_BRA:
      if (cap > n)
        to[n++] = u->target;
      falls = u->flags & UF_GUARD;
      break;
    case U_BRX:
      for (uint32_t i = 0; i < u->x->ntargets && n < cap; i++)
        to[n++] = u->x->targets[i];
      falls = u->flags & UF_GUARD;
      break;
    case U_RET:
    case U_EXIT:
    case U_TRAP:
      if (n < cap)
        to[n++] = PC_NONE;
      falls = u->flags & UF_GUARD;
      break;
    default:
      break;
    }
  }
  if (falls && n < cap)
    to[n++] = b->next;
  return n;
}

static void resolve_targets(struct lower *l, uint32_t first) {
  for (uint32_t b = first; b < l->nblocks; b++) {
    struct block *k = &l->blocks[b];
    k->next = b + 1 < l->nblocks ? b + 1 : PC_NONE;
    for (uint32_t i = k->first; i < k->end; i++) {
      struct uop *u = &l->uops[i];
      if (u->flags & UF_FIRST)
        k->ninst++, k->weight += 1 + (u->inst < l->ast->ninsts ? l->ast->insts[u->inst].more : 0u);
      if (u->kind == U_BRA)
        u->target = l->inst_block[u->target];
      if (u->kind == U_BRX)
        for (uint32_t t = 0; t < u->x->ntargets; t++)
          u->x->targets[t] = l->inst_block[u->x->targets[t]];
    }
  }
}

/* Post-dominators by the iterative algorithm on the reversed graph (Cooper, Harvey and Kennedy 2001). Node n is the exit. */
struct pdom {
  uint32_t n, first;
  uint32_t *succ_at, *succ, *pred_at, *pred; /* of the forward graph, node n = exit */
  uint32_t *order, *post, *idom;
};

static void build_edges(struct lower *l, struct pdom *g, const struct block_loop *loop) {
  uint32_t cap = 2, nsucc = 0;
  for (uint32_t b = 0; b < g->n; b++) {
    const struct block *k = &l->blocks[g->first + b];
    const struct uop *u = &l->uops[k->end - 1];
    uint32_t most = k->end > k->first && u->kind == U_BRX ? u->x->ntargets + 2 : 3;
    nsucc += most;
    if (most > cap)
      cap = most;
  }
  uint32_t *to = xmalloc(cap * sizeof *to);
  g->succ_at = xcalloc(g->n + 2, sizeof *g->succ_at);
  g->succ = xmalloc((nsucc + 1) * sizeof *g->succ);
  g->pred_at = xcalloc(g->n + 2, sizeof *g->pred_at);
  g->pred = xmalloc((nsucc + 1) * sizeof *g->pred);
  uint32_t at = 0;
  for (uint32_t b = 0; b < g->n; b++) {
    g->succ_at[b] = at;
    uint32_t n =
        loop && !bits_have(loop->body, b) ? 0 : block_successors(l, &l->blocks[g->first + b], to, cap);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t t = to[i] == PC_NONE ? g->n : to[i] - g->first;
      if (loop && (t == g->n || !bits_have(loop->body, t)))
        continue;
      if (loop && t == loop->head && !(loop->inner && bits_have(loop->inner, b)))
        t = g->n;
      g->succ[at++] = t;
      g->pred_at[t + 1]++;
    }
  }
  g->succ_at[g->n] = g->succ_at[g->n + 1] = at;
  for (uint32_t i = 0; i <= g->n; i++)
    g->pred_at[i + 1] += g->pred_at[i];
  uint32_t *fill = xmalloc((g->n + 1) * sizeof *fill);
  memcpy(fill, g->pred_at, (g->n + 1) * sizeof *fill);
  for (uint32_t b = 0; b < g->n; b++)
    for (uint32_t i = g->succ_at[b]; i < g->succ_at[b + 1]; i++)
      g->pred[fill[g->succ[i]]++] = b;
  free(fill);
  free(to);
}

/* Post-order of the reversed graph from the exit, without recursion. */
static uint32_t reverse_postorder(struct pdom *g) {
  uint32_t *stack = xmalloc((g->n + 1) * sizeof *stack), *next = xmalloc((g->n + 1) * sizeof *next);
  uint8_t *seen = xcalloc(g->n + 1, 1);
  uint32_t depth = 0, count = 0;
  stack[depth++] = g->n;
  seen[g->n] = 1;
  next[g->n] = g->pred_at[g->n];
  while (depth) {
    uint32_t b = stack[depth - 1];
    if (next[b] < g->pred_at[b + 1]) {
      uint32_t p = g->pred[next[b]++];
      if (!seen[p]) {
        seen[p] = 1;
        next[p] = g->pred_at[p];
        stack[depth++] = p;
      }
    } else {
      depth--;
      g->post[b] = count;
      g->order[count++] = b;
    }
  }
  free(stack);
  free(next);
  free(seen);
  return count;
}

static uint32_t intersect(const struct pdom *g, uint32_t a, uint32_t b) {
  while (a != b) {
    while (g->post[a] < g->post[b])
      a = g->idom[a];
    while (g->post[b] < g->post[a])
      b = g->idom[b];
  }
  return a;
}

uint32_t *cfg_post_dominators(struct lower *l, uint32_t first, const struct block_loop *loop) {
  struct pdom g = {.n = (uint32_t)l->nblocks - first, .first = first};
  build_edges(l, &g, loop);
  g.order = xmalloc((g.n + 1) * sizeof *g.order);
  g.post = xmalloc((g.n + 1) * sizeof *g.post);
  g.idom = xmalloc((g.n + 1) * sizeof *g.idom);
  memset(g.idom, 0xff, (g.n + 1) * sizeof *g.idom);
  memset(g.post, 0, (g.n + 1) * sizeof *g.post);
  uint32_t count = reverse_postorder(&g);
  g.idom[g.n] = g.n;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = count; k-- > 0;) {
      uint32_t b = g.order[k], best = UINT32_MAX;
      if (b == g.n)
        continue;
      for (uint32_t i = g.succ_at[b]; i < g.succ_at[b + 1]; i++) {
        uint32_t s = g.succ[i];
        if (g.idom[s] == UINT32_MAX)
          continue;
        best = best == UINT32_MAX ? s : intersect(&g, best, s);
      }
      if (best != g.idom[b]) {
        g.idom[b] = best;
        changed = true;
      }
    }
  }
  free(g.succ_at), free(g.succ), free(g.pred_at), free(g.pred), free(g.order), free(g.post);
  return g.idom;
}

static void find_post_dominators(struct lower *l, uint32_t first) {
  uint32_t n = (uint32_t)l->nblocks - first, *idom = cfg_post_dominators(l, first, NULL);
  l->post_dominator = xrealloc(l->post_dominator, l->nblocks * sizeof *l->post_dominator);
  for (uint32_t b = 0; b < n; b++)
    l->post_dominator[first + b] = l->blocks[first + b].rpc =
        idom[b] == UINT32_MAX || idom[b] == n ? PC_NONE : first + idom[b];
  free(idom);
}

/* A backward branch makes its target the head of a loop; text order is close enough to nesting for
 * what compilers emit, and too wide a loop only costs a few more checks. */
static void mark_spin_loops(struct lower *l, uint32_t first) {
  uint32_t n = (uint32_t)l->nblocks - first;
  uint32_t *reads = xcalloc(n + 1, sizeof *reads), *syncs = xcalloc(n + 1, sizeof *syncs); /* prefix sums */
  for (uint32_t b = 0; b < n; b++) {
    const struct block *k = &l->blocks[first + b];
    bool read = false, sync = false;
    for (uint32_t i = k->first; i < k->end; i++) {
      const struct uop *u = &l->uops[i];
      bool hard = u->kind == U_ATOM || (u->kind == U_LD && u->x->is_volatile) || (u->kind == U_NOP && u->aux);
      sync |= hard;
      read |= hard || (u->kind == U_LD && u->x->space != PTX_CONST && u->x->space != PTX_PARAM &&
                       u->x->cache_op != SLUICE_NC);
    }
    reads[b + 1] = reads[b] + read;
    syncs[b + 1] = syncs[b] + sync;
  }
  for (uint32_t b = 0; b < n; b++) {
    const struct block *k = &l->blocks[first + b];
    if (k->end == k->first)
      continue;
    const struct uop *u = &l->uops[k->end - 1];
    uint32_t count = u->kind == U_BRA ? 1 : u->kind == U_BRX ? u->x->ntargets : 0;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t t = (u->kind == U_BRA ? u->target : u->x->targets[i]) - first;
      if (t > b)
        continue;
      if (reads[b + 1] > reads[t])
        l->blocks[first + t].flags |= BF_SPIN;
      if (syncs[b + 1] > syncs[t])
        l->blocks[first + t].flags |= BF_SYNC_LOOP;
    }
  }
  free(reads);
  free(syncs);
}

void cfg_analyse(struct lower *l, uint32_t first) {
  resolve_targets(l, first);
  for (uint32_t b = first; b < l->nblocks; b++) {
    struct block *k = &l->blocks[b];
    for (uint32_t i = k->first; i < k->end;
         i++) { /* operands of a warp-wide instruction may be made just before it */
      uint8_t kind = l->uops[i].kind;
      if (kind >= U_SHFL && kind <= U_WARPSYNC && l->uops[i].x->regs[0] != SLOT_NONE)
        k->flags |= BF_SYNC;
    }
  }
  find_post_dominators(l, first);
  if (l->p->ast->for_sm_90)
    loops_meet(l, first);
  mark_spin_loops(l, first);
}

/* A branch around a single block, which is passed by the lanes that do not take it or by those that do:
 *
 *      b: @p bra meet ──┐         Executed there and then, without a path of its own: nothing in the block can
 *      then: ...        │         tell. It stands after the branch, so that passing it is no iteration.
 *      meet: ... ◀──────┘
 */
void cfg_find_then(struct lower *l, uint32_t first_block) {
  for (uint32_t i = first_block; i < l->nblocks; i++) {
    struct block *b = &l->blocks[i];
    const struct uop *end = b->end > b->first ? &l->uops[b->end - 1] : NULL;
    if (!end || end->kind != U_BRA || !(end->flags & UF_GUARD) || b->rpc == PC_NONE ||
        (l->loops && b->rpc <= i) || (end->target == b->rpc) == (b->next == b->rpc))
      continue;
    uint32_t then = end->target == b->rpc ? b->next : end->target;
    if (then == PC_NONE || then <= i || l->blocks[then].flags & BF_SYNC)
      continue;
    const struct block *t = &l->blocks[then];
    const struct uop *last = t->end > t->first ? &l->uops[t->end - 1] : NULL;
    bool jumps = last && last->kind >= U_BRA;
    if (jumps ? last->kind == U_BRA && !(last->flags & UF_GUARD) && last->target == b->rpc
              : t->next == b->rpc)
      b->then = then;
  }
}
