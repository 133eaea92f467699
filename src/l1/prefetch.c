#include "l1/prefetch.h"
#include "base/mem.h"
#include "cache/prefetched.h"
#include "l1/internal.h"

enum { QUEUE = 32, MOST = 16 };

struct wanted {
  uint64_t line;
  struct l1_of of; /* the load that it was wanted after */
};

struct l1_prefetch {
  struct tech_prefetch hook;
  struct wanted queue[QUEUE];
  uint32_t head; /* s->l1.wanted of them */
  bool begins;   /* a line came in since the last try */
  struct prefetched lines;
};

void prefetch_init(struct sm *s, struct tech_set *tech) {
  struct tech_prefetch hook = tech_prefetch(tech, s->id);
  const struct l1_config *k = s->l1.k;
  if (!hook.ops)
    return;
  struct l1_prefetch *p = s->l1.prefetch = xcalloc(1, sizeof *p);
  p->hook = hook;
  prefetched_init(&p->lines, k->d.sets * k->d.ways + k->d.mshrs);
}

void prefetch_destroy(struct sm *s) {
  if (s->l1.prefetch)
    prefetched_free(&s->l1.prefetch->lines);
  free(s->l1.prefetch);
}

static void want(struct sm *s, struct l1_prefetch *p, uint64_t line, const struct l1_of *of) {
  line &= ~(uint64_t)(s->l1.k->d.line_bytes - 1);
  for (uint32_t i = 0; i < s->l1.wanted; i++)
    if (p->queue[(p->head + i) % QUEUE].line == line) {
      s->stats.prefetch_redundant++;
      return;
    }
  if (s->l1.wanted == QUEUE) {
    s->stats.prefetch_dropped++;
    return;
  }
  p->begins |= s->l1.wanted == 0;
  p->queue[(p->head + s->l1.wanted++) % QUEUE] = (struct wanted){line, *of};
}

void prefetch_seen(struct sm *s, const struct l1_of *of, const struct sm_access *a, enum sluice_outcome o) {
  struct l1_prefetch *p = s->l1.prefetch;
  uint64_t lines[MOST];
  bool ours = prefetched_take(&p->lines, a->line), replaced = prefetched_missed(&p->lines, a->line);
  s->stats.prefetch_useful += ours && o == SLUICE_HIT;
  s->stats.prefetch_late += ours && o == SLUICE_MERGED;
  s->stats.prefetch_useless += ours && o == SLUICE_MISSED; /* gone unseen: a store dropped it */
  s->stats.prefetch_polluting += replaced && o == SLUICE_MISSED;
  struct sluice_request v = l1_view(s, of, a);
  uint32_t n = p->hook.ops->access(p->hook.self, &v, o, lines, MOST, s->now);
  for (uint32_t i = 0; i < n && i < MOST; i++)
    want(s, p, lines[i], of);
}

void prefetch_replaced(struct sm *s, uint64_t line, bool by_prefetch) {
  struct l1_prefetch *p = s->l1.prefetch;
  if (prefetched_take(&p->lines, line))
    s->stats.prefetch_useless++;
  else if (by_prefetch)
    prefetched_victim(&p->lines, line);
}

static uint64_t pop(struct sm *s, struct l1_prefetch *p) {
  p->head = (p->head + 1) % QUEUE;
  return --s->l1.wanted ? s->now + 1 : NEVER;
}

uint64_t prefetch_cycle(struct sm *s) {
  struct l1_prefetch *p = s->l1.prefetch;
  uint64_t free_at;
  p->begins = false;
  if (!s->l1.wanted)
    return NEVER;
  if (!l1_port_free(s, &free_at))
    return free_at;
  struct wanted *w = &p->queue[p->head];
  if (cache_pending(s->l1d, w->line) || cache_probe(s->l1d, w->line)) {
    s->stats.prefetch_redundant++;
    return pop(s, p);
  }
  /* a refusal ends with data that comes or a request that leaves: the SM runs then */
  if (!ring_room(&s->miss, s->sends))
    return NEVER;
  struct sm_access a = {.line = w->line,
                        .sectors = (uint8_t)((1u << s->l1.k->d.line_bytes / MEM_SECTOR) - 1)};
  struct l1_of fetch = w->of;
  fetch.kind = MEM_READ, fetch.tracker = UINT32_MAX, fetch.degree = 1;
  l1_set_owner(s, fetch.warp);
  l1_set_access(s, &fetch);
  struct cache_result r =
      cache_prefetch(s->l1d, a.line, sectors_to_cache(s->l1.k->d.sector_bytes, a.sectors));
  if (r.outcome == CACHE_FAILED)
    return NEVER;
  s->stats.prefetch_issued++;
  l1_send(s, &s->miss, &fetch, &a, sectors_from_cache(s->l1.k->d.sector_bytes, r.fetch), 0);
  l1_write_back(s, &r);
  if (r.replaced)
    prefetch_replaced(s, r.replaced_line, true);
  l1_replaced(s, &r);
  s->stats.prefetch_useless += prefetched_put(&p->lines, a.line);
  s->l1.epoch++;
  pop(s, p);
  return s->now + 1; /* the request leaves */
}

bool prefetch_begins(struct sm *s) {
  return s->l1.prefetch->begins;
}

void prefetch_forget(struct sm *s) {
  struct l1_prefetch *p = s->l1.prefetch;
  s->stats.prefetch_dropped += s->l1.wanted;
  s->l1.wanted = 0;
  s->stats.prefetch_useless += prefetched_forget(&p->lines);
}
