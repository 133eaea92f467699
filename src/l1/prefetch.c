#include "l1/prefetch.h"
#include "base/mem.h"
#include "l1/internal.h"

enum { QUEUE = 32, VICTIMS = 1024, MOST = 16 };

struct wanted {
  uint64_t line;
  struct l1_of of; /* the load that it was wanted after */
};

struct l1_prefetch {
  struct tech_prefetch hook;
  struct wanted queue[QUEUE];
  uint32_t head;            /* s->l1.wanted of them */
  bool begins;              /* a line came in since the last try */
  uint64_t victim[VICTIMS]; /* by hash: lines that prefetches replaced last */
  /* lines that came or come by a prefetch and that nobody has asked for: a hash table, NEVER: free */
  uint64_t *unused;
  uint32_t mask, n;
};

static uint32_t hash(uint64_t line) {
  return (uint32_t)((line >> 5) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

static uint32_t place(const struct l1_prefetch *p, uint64_t line) {
  uint32_t i = hash(line) & p->mask;
  while (p->unused[i] != NEVER && p->unused[i] != line)
    i = (i + 1) & p->mask;
  return i;
}

static bool take_out(struct l1_prefetch *p, uint64_t line) {
  uint32_t i = place(p, line);
  if (p->unused[i] != line)
    return false;
  p->n--;
  for (uint32_t k = (i + 1) & p->mask; p->unused[k] != NEVER; k = (k + 1) & p->mask) {
    uint32_t home = hash(p->unused[k]) & p->mask;
    if (((k - home) & p->mask) < ((k - i) & p->mask))
      continue; /* it would no longer be found there */
    p->unused[i] = p->unused[k];
    i = k;
  }
  p->unused[i] = NEVER;
  return true;
}

static void forget_unused(struct sm *s, struct l1_prefetch *p) {
  s->stats.prefetch_useless += p->n;
  for (uint32_t i = 0; i <= p->mask && p->n; i++)
    p->unused[i] = NEVER;
  p->n = 0;
}

static void put_in(struct sm *s, struct l1_prefetch *p, uint64_t line) {
  if (p->n > p->mask / 2)
    forget_unused(s, p); /* lines that stores dropped pile up here */
  uint32_t i = place(p, line);
  p->n += p->unused[i] != line;
  s->stats.prefetch_useless += p->unused[i] == line; /* a store dropped it before */
  p->unused[i] = line;
}

void prefetch_init(struct sm *s, struct tech_set *tech) {
  struct tech_prefetch hook = tech_prefetch(tech, s->id);
  const struct l1_config *k = s->l1.k;
  if (!hook.ops)
    return;
  struct l1_prefetch *p = s->l1.prefetch = xcalloc(1, sizeof *p);
  p->hook = hook;
  p->mask = 63;
  while (p->mask < 4 * (k->d.sets * k->d.ways + k->d.mshrs))
    p->mask = p->mask * 2 + 1;
  p->unused = xmalloc((p->mask + 1u) * sizeof *p->unused);
  for (uint32_t i = 0; i <= p->mask; i++)
    p->unused[i] = NEVER;
  for (uint32_t i = 0; i < VICTIMS; i++)
    p->victim[i] = NEVER;
}

void prefetch_destroy(struct sm *s) {
  if (s->l1.prefetch)
    free(s->l1.prefetch->unused);
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
  uint64_t lines[MOST], *victim = &p->victim[hash(a->line) % VICTIMS];
  bool ours = p->n && take_out(p, a->line);
  s->stats.prefetch_useful += ours && o == SLUICE_HIT;
  s->stats.prefetch_late += ours && o == SLUICE_MERGED;
  s->stats.prefetch_useless += ours && o == SLUICE_MISSED; /* gone unseen: a store dropped it */
  if (*victim == a->line) {
    s->stats.prefetch_polluting += o == SLUICE_MISSED;
    *victim = NEVER;
  }
  struct sluice_request v = l1_view(s, of, a);
  uint32_t n = p->hook.ops->access(p->hook.self, &v, o, lines, MOST, s->now);
  for (uint32_t i = 0; i < n && i < MOST; i++)
    want(s, p, lines[i], of);
}

void prefetch_replaced(struct sm *s, uint64_t line, bool by_prefetch) {
  struct l1_prefetch *p = s->l1.prefetch;
  if (p->n && take_out(p, line))
    s->stats.prefetch_useless++;
  else if (by_prefetch)
    p->victim[hash(line) % VICTIMS] = line;
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
  struct cache_result r = cache_prefetch(s->l1d, a.line, l1_cache_sectors(s, a.sectors));
  if (r.outcome == CACHE_FAILED)
    return NEVER;
  s->stats.prefetch_issued++;
  l1_send(s, &fetch, &a, l1_request_sectors(s, r.fetch), 0);
  l1_write_back(s, &r);
  if (r.replaced)
    prefetch_replaced(s, r.replaced_line, true);
  l1_replaced(s, &r);
  put_in(s, p, a.line);
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
  forget_unused(s, p);
  for (uint32_t i = 0; i < VICTIMS; i++)
    p->victim[i] = NEVER;
}
