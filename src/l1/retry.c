#include "l1/retry.h"
#include "base/bits.h"
#include "base/mem.h"
#include "cache/cache.h"
#include "mem/mem.h"
#include "core/sm.h"

void retry_destroy(struct sm *s) {
  free(s->retry.load), free(s->retry.ack), free(s->retry.cas);
}

struct nack {
  struct sm *s;
  const struct mem_request *r;
};

/* Puts a load that got a NACK into the retry queue. Stalls count the wait as one for a miss register. */
static void again(void *ctx, uint32_t tracker) {
  struct nack *k = ctx;
  struct sm *s = k->s;
  struct retry *q = &s->retry;
  VEC_PUSH(q->load, q->n, q->cap) = (struct retry_load){
      .line = k->r->line, .at = s->now + s->l1.k->d_retry, .tracker = tracker, .sectors = k->r->sectors};
  if (tracker != UINT32_MAX)
    s->tracker[tracker].fail_cause = SLUICE_FAIL_MSHR;
}

static void give_back(struct sm *s, const struct mem_request *r) {
  struct cache_result had;
  struct retry *q = &s->retry;
  struct mem_request a = *r;
  a.kind = MEM_ACKNOWLEDGE;
  a.flags = 0;
  if (s->coherent.state) {
    coherent_respond(s, r, &a);
    VEC_PUSH(q->ack, q->nacks, q->capacks) = a;
    return;
  }
  cache_revoke(s->l1d, r->line, &had);
  a.bytes[0] = had.victim_mask[0], a.bytes[1] = had.victim_mask[1];
  a.sectors |= sectors_of_bytes(a.bytes);
  VEC_PUSH(q->ack, q->nacks, q->capacks) = a;
  s->stats.invalidated += had.replaced;
}

void retry_take(struct sm *s, const struct mem_request *r) {
  if (r->kind == MEM_INVALIDATE || r->kind == MEM_DOWNGRADE) {
    give_back(s, r);
    return;
  }
  struct nack k = {s, r};
  cache_cancel(s->l1d, r->line, again, &k);
  if (s->l1.side_buffer.on) {
    s->l1.side_buffer.fill->drop(s->l1.side_buffer.self, r->line, r->technique);
    s->l1.calls.dropped += r->technique;
  }
  s->stats.nacked++;
  s->stats.answers++;
}

enum { CAS_AT_FIRST = 16 };

void retry_take_cas(struct sm *s, const struct mem_request *r) {
  struct retry *q = &s->retry;
  uint64_t at = s->now + s->k->cas_retry;
  struct mem_request again = *r;
  if (r->stamps) {
    r->stamps->more->seen = r->stamps->more->shown;
    r->stamps->again = true;
  }
  again.flags &= (uint16_t) ~(MEM_ANSWERED | MEM_AGAIN);
  again.sectors = sectors_of_bytes(r->bytes);
  if (r->coherence) /* each sector takes one pass from now on */
    again.coherence = (uint8_t)((r->coherence & MEM_LANES) | count_bits(again.sectors));
  if (!q->cas) {
    q->failed.mask = ring_mask(CAS_AT_FIRST);
    q->cas = xmalloc((q->failed.mask + 1u) * sizeof *q->cas);
  }
  if (ring_full(&q->failed))
    q->cas = ring_double(q->cas, sizeof *q->cas, q->failed.head, &q->failed.mask);
  q->cas[ring_add(&q->failed)] = (struct retry_cas){again, at};
  if (at < s->mem_at)
    s->mem_at = at;
  s->stats.answers++;
}

uint64_t retry_send_cas(struct sm *s) {
  struct retry *q = &s->retry;
  struct retry_cas *c = &q->cas[q->failed.head];
  if (c->at > s->now)
    return c->at;
  if (!ring_room(&s->miss, 1))
    return s->now + 1;
  if (s->checker) /* each attempt is a request of its own */
    c->request.number = checker_number(s->checker);
  ring_push(&s->miss, &c->request);
  s->stats.requests++;
  ring_drop(&q->failed);
  return s->now + 1;
}

bool retry_has(const struct sm *s, uint64_t line) {
  for (size_t i = s->retry.first; i < s->retry.n; i++)
    if (s->retry.load[i].line == line)
      return true;
  return false;
}

static uint64_t try_first(struct sm *s) {
  struct retry *q = &s->retry;
  const struct retry_load l = q->load[q->first];
  uint64_t free;
  if (l.at > s->now)
    return l.at;
  if (q->epoch == s->l1.epoch)
    return NEVER;
  if (!l1_port_free(s, &free))
    return free;
  if (!l1_load_again(s, l.line, l.sectors, l.tracker)) {
    q->epoch = s->l1.epoch;
    return NEVER;
  }
  s->l1.epoch++;
  if (++q->first == q->n)
    q->first = q->n = 0;
  if (s->l1.aside && !cache_pending(s->l1d, l.line))
    aside_changed(s, l.line, UINT32_MAX);
  return s->now + 1;
}

static uint64_t acknowledge(struct sm *s) {
  struct retry *q = &s->retry;
  uint64_t tick = s->engine->now;
  if (port_room(s->ack, tick)) {
    port_push(s->ack, tick, &q->ack[q->ack_first++]);
    engine_wake(s->engine, s->ack_unit, tick + s->ack->data);
    if (q->ack_first == q->nacks)
      q->ack_first = q->nacks = 0;
  }
  if (!q->nacks)
    return NEVER;
  return port_room(s->ack, tick) ? s->now + 1
                                 : engine_cycle_at(s->engine, DOMAIN_CORE, port_next_room(s->ack));
}

uint64_t retry_cycle(struct sm *s) {
  uint64_t load = s->retry.n ? try_first(s) : NEVER, ack = s->retry.nacks ? acknowledge(s) : NEVER;
  return load < ack ? load : ack;
}
