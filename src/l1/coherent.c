#include "l1/coherent.h"
#include "base/mem.h"
#include "l1/internal.h"
#include <string.h>

void coherent_init(struct sm *s) {
  const struct l1_config *k = s->l1.k;
  s->coherent.protocol = &protocols[k->coherence];
  if (s->coherent.protocol->directory)
    s->coherent.state = xcalloc((size_t)k->d.sets * k->d.ways, sizeof *s->coherent.state);
  s->coherent.in_turn = k->coherence == COHERENCE_MOESI && k->coherent_store == L1_ALL;
}

void coherent_destroy(struct sm *s) {
  free(s->coherent.older);
  free(s->coherent.state), free(s->coherent.notice), free(s->coherent.store);
}

void coherent_enters(struct sm *s, uint32_t tracker, bool store) {
  struct coherent *c = &s->coherent;
  VEC_PUSH(c->older, c->nolder, c->capolder) = (struct coherent_older){tracker, store};
}

void coherent_ends(struct sm *s, uint32_t tracker) {
  struct coherent *c = &s->coherent;
  for (size_t i = 0; i < c->nolder; i++)
    if (c->older[i].tracker == tracker) {
      memmove(&c->older[i], &c->older[i + 1], (--c->nolder - i) * sizeof *c->older);
      break;
    }
  if (s->l1.aside)
    aside_turn(s);
}

bool coherent_turn(const struct sm *s, const struct l1_of *of) {
  const struct coherent *c = &s->coherent;
  for (size_t i = 0; i < c->nolder; i++) {
    if (c->older[i].tracker == of->tracker)
      return of->kind != MEM_WRITE || (!i && !c->nstores); /* no access of its own is under way */
    if (c->older[i].store)
      return false;
  }
  return true;
}

static struct coherent_bytes *find_store(const struct sm *s, uint64_t line) {
  for (size_t i = 0; i < s->coherent.nstores; i++)
    if (s->coherent.store[i].line == line)
      return &s->coherent.store[i];
  return NULL;
}

static struct coherent_notice *find_notice(const struct sm *s, uint64_t line) {
  for (size_t i = 0; i < s->coherent.nnotices; i++)
    if (s->coherent.notice[i].of.line == line)
      return &s->coherent.notice[i];
  return NULL;
}

uint32_t coherent_leaves(const struct sm *s, uint64_t line) {
  const struct coherent_notice *t = s->coherent.nnotices ? find_notice(s, line) : NULL;
  return t && t->waits ? cache_place(s->l1d, t->then.line) : UINT32_MAX;
}

bool coherent_may_ask(const struct sm *s, uint64_t line) {
  return !find_notice(s, line);
}

/* The rule for an event, as the line is. */
static const struct line_rule *rule(const struct sm *s, enum line_state now, enum line_event e) {
  const struct line_rule *r = &s->coherent.protocol->l1[now][e];
  if (r->does == RULE_NEVER)
    panic("%s: a line in state %s has no rule for the event '%s'", s->coherent.protocol->name,
          line_state_names[now], line_event_names[e]);
  return r;
}

enum line_ask coherent_ask(const struct sm *s, uint64_t line) {
  return rule(s, LINE_I, find_store(s, line) ? EVENT_STORE : EVENT_LOAD)->ask;
}

static enum line_state state_of(const struct sm *s, uint64_t line) {
  return cache_probe(s->l1d, line) ? s->coherent.state[cache_place(s->l1d, line)] : LINE_I;
}

void coherent_notify(struct sm *s, const struct mem_request *r) {
  struct coherent *c = &s->coherent;
  s->stats.notice++;
  VEC_PUSH(c->notice, c->nnotices, c->capnotices) =
      (struct coherent_notice){.of = {.line = r->line, .bytes = {r->bytes[0], r->bytes[1]}}};
}

/* There is room in the queue: whoever takes a way asks for it first. */
static void notify(struct sm *s, uint64_t line, const uint64_t bytes[2], enum line_notice what) {
  struct cache_result gone = {.victim = line, .victim_mask = {bytes[0], bytes[1]}};
  l1_write_to_l2(s, &gone);
  ring_last(&s->miss)->coherence = (uint8_t)what;
}

static void leaves(struct sm *s, uint64_t line, const struct cache_result *r, uint32_t place) {
  static const uint64_t none[2];
  const struct line_rule *gone = rule(s, s->coherent.state[place], EVENT_REPLACED);
  s->stats.clean_notices += !r->evicted;
  s->stats.bytes_left += r->evicted ? r->victim_bytes : 0;
  notify(s, line, r->evicted ? r->victim_mask : none, gone->notice);
  s->coherent.state[place] = (uint8_t)gone->next;
}

void coherent_replaced(struct sm *s, const struct cache_result *r, uint64_t line) {
  struct coherent *c = &s->coherent;
  if (!r->replaced)
    return;
  struct mem_request ask = *ring_last(&s->miss);
  if (s->l1.k->d_evict_first)
    s->miss.at.count--; /* it goes when the other is gone */
  leaves(s, r->replaced_line, r, cache_place(s->l1d, line));
  if (s->l1.k->d_evict_first) {
    c->notice[c->nnotices - 1].waits = true;
    c->notice[c->nnotices - 1].then = ask;
  }
}

bool coherent_drop(struct sm *s, uint64_t line) {
  struct cache_result r;
  uint32_t place = cache_place(s->l1d, line);
  if (cache_probe(s->l1d, line) && cache_invalidate(s->l1d, line, &r))
    leaves(s, line, &r, place);
  return coherent_may_ask(s, line);
}

static void wait_for_line(struct sm *s, const struct sm_access *a) {
  struct coherent *c = &s->coherent;
  struct coherent_bytes *w = find_store(s, a->line);
  if (!w) {
    VEC_PUSH(c->store, c->nstores, c->capstores) = (struct coherent_bytes){.line = a->line};
    w = &c->store[c->nstores - 1];
  }
  w->bytes[0] |= a->bytes[0], w->bytes[1] |= a->bytes[1];
}

/* The store asks for its line, or joins those that do. */
static bool acquire(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  enum line_state now = state_of(s, a->line);
  if (now == LINE_I && !coherent_may_ask(s, a->line))
    return l1_reservation_fail(s, SLUICE_FAIL_WAYS);
  l1_set_owner(s, of->warp);
  l1_set_access(s, of);
  struct cache_result r = cache_acquire(s->l1d, a->line, of->tracker, ring_room(&s->miss, s->sends));
  if (r.outcome == CACHE_FAILED)
    return l1_cache_fail(s, s->l1d, r.fail);
  l1_replaced(s, &r);
  wait_for_line(s, a);
  if (!r.fetch)
    return true;
  struct l1_of fetch = *of;
  fetch.kind = MEM_READ, fetch.tracker = UINT32_MAX;
  l1_send(s, &s->miss, &fetch, a, sectors_from_cache(s->l1.k->d.sector_bytes, 1), 0);
  ring_last(&s->miss)->coherence = (uint8_t)coherent_ask(s, a->line);
  s->stats.store_asks++;
  s->stats.upgrade_asks += now != LINE_I;
  coherent_replaced(s, &r, a->line);
  return true;
}

static bool write_here(struct sm *s, const struct l1_of *of, const struct sm_access *a,
                       const struct line_rule *how) {
  static const uint64_t none[2];
  bool tells = how->does == RULE_NOTIFY;
  if (tells && !l1_miss_room(s))
    return l1_reservation_fail(s, SLUICE_FAIL_QUEUE);
  cache_store(s->l1d, a->line, a->bytes, CACHE_BACK, CACHE_WRITE_VALIDATE, of->tracker, true);
  s->coherent.state[cache_place(s->l1d, a->line)] = (uint8_t)how->next;
  if (tells)
    notify(s, a->line, none, how->notice);
  s->stats.no_owner_notices += tells;
  l1_store_done(s, of->warp, of->tracker);
  return true;
}

bool coherent_store(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  bool wanted = find_store(s, a->line), under_way = cache_pending(s->l1d, a->line);
  bool waits = !wanted || s->l1.k->pending_store == L1_WAIT;
  if (retry_has(s, a->line) || (under_way && waits)) /* a load of it is under way, or another store's */
    return l1_reservation_fail(s, SLUICE_FAIL_MSHR);
  const struct line_rule *how = rule(s, state_of(s, a->line), EVENT_STORE);
  if (!under_way && how->does != RULE_ASK) {
    if (!write_here(s, of, a, how))
      return false;
  } else {
    if (!acquire(s, of, a))
      return false;
    if (of->tracker == UINT32_MAX) /* nobody waits for it */
      l1_store_done(s, of->warp, of->tracker);
  }
  l1_use_port(s, a->sectors);
  return true;
}

bool coherent_store_again(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (find_store(s, a->line))
    return acquire(s, of, a);
  if (of->tracker != UINT32_MAX) /* the line has come meanwhile, and was written */
    l1_store_done(s, of->warp, of->tracker);
  return true;
}

void coherent_filled(struct sm *s, const struct mem_request *r) {
  struct coherent *c = &s->coherent;
  c->state[cache_place(s->l1d, r->line)] = r->coherence;
  struct coherent_bytes *w = find_store(s, r->line);
  if (!w)
    return;
  cache_change(s->l1d, r->line, w->bytes);
  *w = c->store[--c->nstores];
}

void coherent_notice(struct sm *s, uint64_t line) {
  struct coherent *c = &s->coherent;
  struct coherent_notice *t = find_notice(s, line);
  if (t->waits)
    ring_push(&s->miss, &t->then); /* there is room for as many as there are misses */
  memmove(t, t + 1, (size_t)(c->notice + c->nnotices - (t + 1)) * sizeof *t);
  c->nnotices--;
}

/* Bytes of the line that are on their way: the acknowledgement brings them first. */
static void take_noticed_bytes(struct sm *s, struct mem_request *ack) {
  struct coherent *c = &s->coherent;
  for (size_t i = 0; i < c->nnotices; i++)
    if (c->notice[i].of.line == ack->line) {
      uint64_t *bytes = c->notice[i].of.bytes;
      ack->bytes[0] |= bytes[0], ack->bytes[1] |= bytes[1];
      bytes[0] = bytes[1] = 0;
    }
}

static enum line_state let_read(struct sm *s, struct mem_request *ack) {
  const struct line_rule *how = rule(s, state_of(s, ack->line), EVENT_DOWNGRADE);
  s->stats.downgraded++;
  if (how->next == LINE_I)
    take_noticed_bytes(s, ack);
  else
    s->coherent.state[cache_place(s->l1d, ack->line)] = (uint8_t)how->next;
  ack->sectors = how->does == RULE_ACKNOWLEDGE_LINE ? sectors_from_cache(s->l1.k->d.sector_bytes, 1)
                                                    : sectors_of_bytes(ack->bytes);
  return how->next;
}

static void give_back(struct sm *s, struct mem_request *ack) {
  struct cache_result had;
  uint32_t place = cache_place(s->l1d, ack->line);
  if (cache_probe(s->l1d, ack->line))
    s->coherent.state[place] = (uint8_t)rule(s, s->coherent.state[place], EVENT_INVALIDATE)->next;
  cache_revoke(s->l1d, ack->line, &had);
  s->stats.bytes_left += had.victim_bytes;
  ack->bytes[0] = had.victim_mask[0], ack->bytes[1] = had.victim_mask[1];
  take_noticed_bytes(s, ack);
  ack->sectors = sectors_of_bytes(ack->bytes);
  s->stats.invalidated += had.replaced;
}

void coherent_respond(struct sm *s, const struct mem_request *r, struct mem_request *ack) {
  enum line_state now = LINE_I;
  if (r->kind == MEM_DOWNGRADE)
    now = let_read(s, ack);
  else
    give_back(s, ack);
  ack->coherence = (uint8_t)(((unsigned)r->coherence & ~(unsigned)STATE_MASK) | now);
}

void coherent_reset(struct sm *s) {
  memset(s->coherent.state, LINE_I, (size_t)s->l1.k->d.sets * s->l1.k->d.ways);
}
