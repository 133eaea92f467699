/* Where lanes of one iteration of a loop meet again, as machine code of recent NVIDIA GPUs has it. The immediate post-dominator of a branch
 * whose sides may leave the loop stands behind the loop, and lanes that stay would not meet before all have left. An assembler lets them
 * meet within the iteration: lanes that leave are taken off the meeting point (BREAK), and those that are there need not wait for them.
 *
 *      head: ...              a branch within the loop: its post-dominator in the loop alone, without the ways out;
 *         @p bra B ──┐        the head, if the sides meet where the next iteration begins only
 *         ...        │
 *         @q bra out │ ──▶    a branch out of the loop (BF_LEAVES): as before, where all ways out of it meet
 *      B: ...     ◀──┘
 *         @r bra head
 *      out:
 *
 * Of nested loops the innermost that has all sides of a branch counts. Branches back to one head make nested loops of their own where one
 * stands on the way to the other (an attempt is repeated, then the next is made: lanes meet between the two), and one loop otherwise (`continue`). */
#include "base/bits.h"
#include "base/mem.h"
#include "front/ptx/lower.h"
#include <stdlib.h>
#include <string.h>

struct loops {
  struct lower *l;
  uint32_t first, n, words, cap; /* blocks; words of a set of them; most successors of a block */
  struct block_loop *loop;       /* from the smallest on */
  size_t nloops, caploops;
  uint32_t *to, *stack;
  uint32_t *pred_at, *pred;
};

static uint32_t successors(struct loops *s, uint32_t b) {
  uint32_t n = block_successors(s->l, &s->l->blocks[s->first + b], s->to, s->cap), k = 0;
  for (uint32_t i = 0; i < n; i++)
    if (s->to[i] != PC_NONE)
      s->to[k++] = s->to[i] - s->first;
  return k;
}

static void find_predecessors(struct loops *s) {
  uint32_t edges = 0;
  s->cap = 3;
  for (uint32_t b = 0; b < s->n; b++) {
    const struct block *k = &s->l->blocks[s->first + b];
    const struct uop *u = &s->l->uops[k->end - 1];
    if (k->end > k->first && u->kind == U_BRX && u->x->ntargets + 2 > s->cap)
      s->cap = u->x->ntargets + 2;
  }
  s->to = xmalloc(s->cap * sizeof *s->to);
  s->pred_at = xcalloc(s->n + 2u, sizeof *s->pred_at);
  for (uint32_t b = 0; b < s->n; b++)
    for (uint32_t k = successors(s, b); k-- > 0; edges++)
      s->pred_at[s->to[k] + 1]++;
  for (uint32_t b = 0; b < s->n; b++)
    s->pred_at[b + 1] += s->pred_at[b];
  s->pred = xmalloc((edges + 1u) * sizeof *s->pred);
  s->stack = xmalloc((edges + s->n + 2u) * sizeof *s->stack);
  uint32_t *fill = xmalloc((s->n + 1u) * sizeof *fill);
  memcpy(fill, s->pred_at, (s->n + 1u) * sizeof *fill);
  for (uint32_t b = 0; b < s->n; b++)
    for (uint32_t k = successors(s, b); k-- > 0;)
      s->pred[fill[s->to[k]]++] = b;
  free(fill);
}

/* Adds what can reach `from` without passing the loop's head. */
static void grow(struct loops *s, struct block_loop *loop, uint32_t from) {
  uint32_t top = 0;
  if (!bits_have(loop->body, from))
    s->stack[top++] = from, bits_add(loop->body, from);
  while (top) {
    uint32_t b = s->stack[--top];
    for (uint32_t i = s->pred_at[b]; i < s->pred_at[b + 1]; i++)
      if (!bits_have(loop->body, s->pred[i]))
        bits_add(loop->body, s->pred[i]), s->stack[top++] = s->pred[i];
  }
}

static void back_edge(struct loops *s, uint32_t from, uint32_t head) {
  struct block_loop *loop = &VEC_PUSH(s->loop, s->nloops, s->caploops);
  *loop = (struct block_loop){.head = head, .body = xcalloc(s->words, sizeof *loop->body)};
  bits_add(loop->body, head);
  grow(s, loop, from);
  for (uint32_t w = 0; w < s->words; w++)
    loop->size += count_bits(loop->body[w]);
}

/* Edges back to a block on the way from the entry make loops. */
static void find_loops(struct loops *s) {
  enum { NEW, OPEN, DONE };
  uint8_t *state = xcalloc(s->n, 1);
  uint32_t *way = xmalloc(s->n * sizeof *way), *next = xcalloc(s->n, sizeof *next), depth = 0;
  way[depth++] = 0, state[0] = OPEN;
  while (depth) {
    uint32_t b = way[depth - 1], k = successors(s, b);
    if (next[b] == k) {
      state[b] = DONE, depth--;
      continue;
    }
    uint32_t t = s->to[next[b]++];
    if (state[t] == OPEN)
      back_edge(s, b, t);
    else if (state[t] == NEW)
      state[t] = OPEN, way[depth++] = t;
  }
  free(state), free(way), free(next);
}

static int by_size(const void *a, const void *b) {
  const struct block_loop *x = a, *y = b;
  return x->size != y->size ? (x->size > y->size) - (x->size < y->size)
                            : (x->head > y->head) - (x->head < y->head);
}

static bool holds(const struct loops *s, const struct block_loop *big, const struct block_loop *small) {
  bool all = true;
  for (uint32_t w = 0; w < s->words; w++)
    all &= !(small->body[w] & ~big->body[w]);
  return all;
}

/* A loop that has the entry, but not as its head, has a second way in: where its iterations begin is not known. Of two loops with one head
 * that are not nested, or are the same, one remains. */
static void settle(struct loops *s) {
  size_t kept = 0;
  if (s->nloops)
    qsort(s->loop, s->nloops, sizeof *s->loop, by_size);
  for (size_t i = 0; i < s->nloops; i++) {
    struct block_loop *loop = &s->loop[i];
    if (loop->head && bits_have(loop->body, 0)) {
      free(loop->body);
      continue;
    }
    for (size_t k = 0; k < kept;) {
      struct block_loop *other = &s->loop[k];
      if (other->head != loop->head || (other->size < loop->size && holds(s, loop, other))) {
        k++;
        continue;
      }
      loop->size = 0;
      for (uint32_t w = 0; w < s->words; w++)
        loop->size += count_bits(loop->body[w] |= other->body[w]);
      free(other->body);
      memmove(other, other + 1, (--kept - k) * sizeof *other);
      k = 0;
    }
    s->loop[kept++] = *loop;
  }
  s->nloops = kept;
  if (kept)
    qsort(s->loop, kept, sizeof *s->loop, by_size);
  for (size_t i = 0; i < kept; i++)
    for (size_t k = 0; k < i; k++)
      if (s->loop[k].head == s->loop[i].head)
        s->loop[i].inner = s->loop[k].body;
}

/* The meeting points of a loop's branches, but for those that an inner loop has given theirs. */
static void meet_in(struct loops *s, size_t i, bool *met) {
  const struct block_loop *loop = &s->loop[i];
  uint32_t *dominator = cfg_post_dominators(s->l, s->first, loop);
  for (uint32_t b = 0; b < s->n; b++) {
    uint32_t n = met[b] || !bits_have(loop->body, b) ? 0 : successors(s, b), inside = 0;
    for (uint32_t k = 0; k < n; k++)
      inside += bits_have(loop->body, s->to[k]);
    if (n < 2 || inside < n || dominator[b] == UINT32_MAX)
      continue;
    met[b] = true;
    s->l->blocks[s->first + b].rpc = s->first + (dominator[b] == s->n ? loop->head : dominator[b]);
  }
  free(dominator);
}

/* Notes the loops around blocks and the outermost that a branch leaves. */
static void note_loops(struct loops *s) {
  struct lower *l = s->l;
  for (size_t i = s->nloops; i-- > 0;) {
    const struct block_loop *loop = &s->loop[i];
    uint32_t id = (uint32_t)l->nloops;
    VEC_PUSH(l->outer, l->nloops, l->caploops) = l->loops[s->first + loop->head].inner;
    l->blocks[s->first + loop->head].flags |= BF_HEAD;
    for (uint32_t b = 0; b < s->n; b++) {
      if (!bits_have(loop->body, b))
        continue;
      struct loops_around *a = &l->loops[s->first + b];
      struct block *k = &l->blocks[s->first + b];
      a->inner = id;
      uint32_t n = successors(s, b), inside = 0;
      for (uint32_t t = 0; t < n; t++)
        inside += bits_have(loop->body, s->to[t]);
      if (n < 2 || inside == n || a->left != PC_NONE)
        continue;
      const struct uop *u = &l->uops[k->end - 1];
      a->left = id;
      k->flags |= BF_LEAVES;
      if (u->kind == U_BRA && !bits_have(loop->body, u->target - s->first))
        k->flags |= BF_LEAVES_TAKEN;
    }
  }
}

void loops_meet(struct lower *l, uint32_t first) {
  struct loops s = {.l = l, .first = first, .n = (uint32_t)l->nblocks - first};
  s.words = (s.n + 63) / 64;
  l->loops = xrealloc(l->loops, l->nblocks * sizeof *l->loops);
  for (uint32_t b = first; b < l->nblocks; b++)
    l->loops[b] = (struct loops_around){PC_NONE, PC_NONE};
  find_predecessors(&s);
  find_loops(&s);
  settle(&s);
  bool *met = xcalloc(s.n, sizeof *met);
  for (size_t i = 0; i < s.nloops; i++)
    meet_in(&s, i, met);
  note_loops(&s);
  for (size_t i = 0; i < s.nloops; i++)
    free(s.loop[i].body);
  free(met), free(s.loop), free(s.to), free(s.stack), free(s.pred_at), free(s.pred);
}
