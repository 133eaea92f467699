/* Completion in the order of issue. Multi2Sim's units look at the oldest instruction only when they write back, one in a cycle:
 *
 *   vector memory: a load's data reaches its registers, and a store is done, when all instructions before it are done
 *   scalar unit:   the same holds for loads; any other instruction lets its wavefront fetch the next instruction when it
 *                  completes; the last instruction of a wavefront completes when the wavefront's accesses are done, and holds up
 *                  the unit until then
 *
 * An instruction whose completion time is not known holds up the instructions behind it. When the time becomes known, so do the times
 * of the instructions behind it, up to the next instruction of unknown time. */
#include "core/in_order.h"
#include "base/mem.h"
#include "core/sm.h"

void in_order_init(struct sm *s) {
  if (s->k->vmb_in_order)
    s->vmb_order.answer = xcalloc(s->vmb_mask + 1u, sizeof *s->vmb_order.answer);
}

void in_order_destroy(struct sm *s) {
  free(s->vmb_order.answer);
  free(s->scalar_order.op);
}

void vmb_order_answer(struct sm *s, uint32_t e, uint64_t cycle, uint32_t tracker, uint32_t stages) {
  struct vmb_order *o = &s->vmb_order;
  s->vmb[e] = cycle;
  o->answer[e] = (struct vmb_answer){tracker, stages};
  while (o->told < s->vmb_count) {
    uint32_t first = (s->vmb_head + o->told) & s->vmb_mask;
    if (s->vmb[first] == NEVER)
      return;
    o->last = s->vmb[first] > o->last ? s->vmb[first] : o->last + 1;
    s->vmb[first] = o->last;
    o->told++;
    if (o->answer[first].tracker != UINT32_MAX)
      tracker_leaves(s, o->answer[first].tracker, o->last, o->answer[first].stages);
  }
}

static struct scalar_op *op_at(const struct scalar_order *o, uint32_t i) {
  return &o->op[(o->head + i) & o->mask];
}

static void push(struct scalar_order *o, const struct scalar_op *op) {
  if (!o->op || o->count > o->mask) {
    uint32_t size = o->op ? 2 * (o->mask + 1) : 16;
    struct scalar_op *more = xcalloc(size, sizeof *more);
    for (uint32_t i = 0; i < o->count; i++)
      more[i] = *op_at(o, i);
    free(o->op);
    o->op = more, o->head = 0, o->mask = size - 1;
  }
  o->op[(o->head + o->count++) & o->mask] = *op;
}

/* An instruction that instructions before it held up completes at `cycle`. */
static void complete(struct sm *s, const struct scalar_op *op, uint64_t cycle) {
  struct sm_warp *k = &s->warp[op->warp];
  switch ((enum scalar_kind)op->kind) {
  case SCALAR_ALU:
    k->fetch_ready = cycle + s->k->scalar_fetch - s->k->scalar_complete;
    warp_woken(s, op->warp);
    break;
  case SCALAR_DATA:
    gcn_results_at(k, op->inst, cycle, STALL_SCOREBOARD);
    warp_woken(s, op->warp);
    break;
  case SCALAR_LOAD:
    tracker_answer(s, op->tracker, cycle, s->k->load_stages);
    break;
  case SCALAR_BARRIER:
    k->fetch_ready = s->now;
    warp_arrives(s, op->warp, op->item);
    break;
  case SCALAR_END:
    k->past_end = true;
    if (!k->stores)
      warp_gone(s, op->warp);
    break;
  }
}

static uint64_t take(struct scalar_order *o, uint64_t at) {
  o->last = at > o->last ? at : o->last + 1;
  return o->last;
}

uint64_t scalar_order_enter(struct sm *s, const struct scalar_op *op) {
  struct scalar_order *o = &s->scalar_order;
  if (!o->count && op->at != NEVER)
    return take(o, op->at);
  push(o, op);
  return NEVER;
}

/* Has the warp no access left that keeps an entry of the buffer of memory instructions? Stores keep an entry only with sm.vmb_stores. */
static bool has_left(const struct sm *s, const struct sm_warp *k) {
  return !k->loads && !(k->stores && s->k->vmb_stores);
}

void scalar_order_end(struct sm *s, uint32_t w) {
  struct scalar_op op = {
      .at = has_left(s, &s->warp[w]) ? s->now + s->k->scalar_complete : NEVER, .warp = w, .kind = SCALAR_END};
  uint64_t cycle = scalar_order_enter(s, &op);
  if (cycle != NEVER)
    complete(s, &op, cycle);
}

void scalar_order_ended(struct sm *s, uint32_t w) {
  if (has_left(s, &s->warp[w]))
    scalar_order_known(s, w, UINT32_MAX, s->now + 1);
}

void scalar_order_known(struct sm *s, uint32_t warp, uint32_t tracker, uint64_t at) {
  struct scalar_order *o = &s->scalar_order;
  for (uint32_t i = 0; i < o->count; i++) {
    struct scalar_op *op = op_at(o, i);
    bool is = tracker != UINT32_MAX ? op->kind == SCALAR_LOAD && op->tracker == tracker
                                    : op->kind == SCALAR_END && op->warp == warp;
    if (is) {
      op->at = at;
      break;
    }
  }
  while (o->count && op_at(o, 0)->at != NEVER) {
    struct scalar_op op = *op_at(o, 0);
    o->head = (o->head + 1) & o->mask;
    o->count--;
    complete(s, &op, take(o, op.at));
  }
}
