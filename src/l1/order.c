/* Techniques at the L1: accesses that wait in the order of a technique. */
#include "base/mem.h"
#include "l1/internal.h"
#include "l1/prefetch.h"

void l1_hooks_init(struct sm *s, struct tech_set *tech) {
  struct l1_hooks *h = &s->l1;
  *h = (struct l1_hooks){.k = h->k, .free_entry = UINT32_MAX, .epoch = 1};
  guard_init(&h->guard, tech);
  h->order = tech_l1_order(tech, s->id);
  h->bypass = tech_l1_bypass(tech, s->id);
  const struct sluice_cache_shape shape = {
      .size = sizeof shape, .sets = h->k->d.sets, .ways = h->k->d.ways, .l1 = true};
  const struct tech_replacement r = tech_replacement(tech, s->id, &shape);
  h->names_access = r.ops != NULL;
  if (r.ops)
    cache_set_replacement(s->l1d, r.ops, r.self);
  h->gate = tech_gate(tech, s->id);
  h->side_buffer = tech_l1_side(tech, s->id);
  h->aside = h->k->d_refused == L1_ASIDE && !h->order.ops ? aside_new(h->k->d.sets, h->k->d.ways) : NULL;
  prefetch_init(s, tech);
  const struct l1_config *k = h->k;
  s->no_allocate = k->d_on && k->write[0].policy == CACHE_AROUND && k->write[0].miss == CACHE_NO_ALLOCATE &&
                   !k->coherence && !h->bypass.queue && !h->gate.ops && !s->general;
  if (!h->bypass.queue)
    return;
  ring_init(&h->detour, h->bypass.queue, 0);
}

void l1_hooks_destroy(struct sm *s) {
  prefetch_destroy(s);
  guard_destroy(&s->l1.guard);
  aside_free(s->l1.aside);
  free(s->l1.entry);
  ring_destroy(&s->l1.detour);
}

struct sluice_request l1_view(const struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  const struct supply_cta *cta = s->warp[of->warp].stream;
  uint32_t slice = addrmap_place(s->map, a->line).slice;
  if (s->map->sms && of->kind == MEM_READ)
    slice = addrmap_near(s->map, slice, s->id);
  return (struct sluice_request){.size = sizeof(struct sluice_request),
                                 .line = a->line,
                                 .arrived = s->now,
                                 .sm = s->id,
                                 .warp = of->warp,
                                 .slice = slice,
                                 .degree = of->degree,
                                 .kind = of->kind,
                                 .sectors = a->sectors,
                                 .pending = cache_pending(s->l1d, a->line),
                                 .op = of->inst->cache_op,
                                 .pc = of->inst->pc,
                                 .ptx_line = of->inst->line,
                                 .source_line = of->inst->source_line,
                                 .cta = cta ? (uint32_t)cta->linear : UINT32_MAX,
                                 .launch = s->launch->number};
}

bool l1_enqueue(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  struct l1_hooks *h = &s->l1;
  if (h->full)
    return false;
  uint32_t e = POOL_TAKE(h->entry, h->nentries, h->free_entry, next);
  h->entry[e] = (struct l1_entry){.of = *of, .access = *a};
  struct sluice_request v = l1_view(s, of, a);
  guard_enters(&h->guard, e);
  if (h->order.ops->insert(h->order.self, e, &v, s->now)) {
    h->waiting++;
    h->calls.inserted++;
    s->warp[of->warp].queued++;
    return true;
  }
  guard_leaves(&h->guard, e);
  h->entry[e].next = h->free_entry;
  h->free_entry = e;
  h->full = true;
  return false;
}

uint64_t l1_drain(struct sm *s) {
  struct l1_hooks *h = &s->l1;
  if (!h->waiting)
    return NEVER;
  uint64_t free;
  if (!l1_port_free(s, &free))
    return free;
  uint32_t e = guard_pick(&h->guard, h->order.ops->pick(h->order.self, s->now), s->now);
  s->engine->asked |= h->guard.what != NULL;
  if (e == SLUICE_NONE || h->entry[e].epoch == h->epoch)
    return h->order.ops->next(h->order.self, s->now);
  l1_unblock(s);
  if (!l1_access(s, &h->entry[e].of, &h->entry[e].access)) {
    h->entry[e].epoch = h->epoch;
    l1_block(s);
    h->order.ops->refused(h->order.self, e, s->fail_why, s->now);
    return s->now + 1; /* another access may be accepted */
  }
  h->order.ops->took(h->order.self, e, s->now);
  h->calls.took++;
  guard_leaves(&h->guard, e);
  uint32_t w = h->entry[e].of.warp;
  h->entry[e].next = h->free_entry;
  h->free_entry = e;
  h->waiting--;
  h->full = false;
  h->epoch++; /* the L1 has changed */
  if (--s->warp[w].queued == 0)
    warp_woken(s, w); /* a barrier may wait for the warp's accesses */
  return s->now + 1;
}
