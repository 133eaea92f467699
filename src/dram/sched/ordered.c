/* Requests in the order of a scheduler that looks at each of them (struct sluice_dram_scheduler).
 *
 * A bank offers one command: the next one of its request of least order. The order stands in the key of the candidate, between class and
 * age, so that picks are compared as under every other scheduler (dram/timing.h). What the scheduler is notified of may change the
 * orders of all requests: then every bank offers anew. */
#include "base/mem.h"
#include "dram/channel.h"

enum { AGE_BITS = 38, ORDER_SHIFT = 6 + AGE_BITS };

static uint64_t key_of(const struct channel *c, uint32_t h, uint32_t order, uint32_t b) {
  uint64_t age = c->pool[h].seq & ((UINT64_C(1) << AGE_BITS) - 1);
  return KEY(CLASS_COLUMN, age, b) | (uint64_t)order << ORDER_SHIFT;
}

static uint32_t order_of(const struct channel *c, uint32_t h, bool hit) {
  uint32_t order = c->scheduler->order(c->scheduler_state, &c->who[h], hit);
  return order < SLUICE_DRAM_LAST ? order : SLUICE_DRAM_LAST;
}

struct choice {
  uint32_t request, order; /* request NONE: there is none */
  bool hit;
};

/* The first request of a bank among those of the directions `allow`, or among those that hit alone. */
static struct choice first_of(const struct channel *c, uint32_t b, uint32_t allow, bool hits_alone) {
  const struct bank *k = &c->bank[b];
  struct choice best = {.request = NONE};
  for (int t = 0; t < 2; t++)
    for (uint32_t h = allow >> t & 1 ? k->queue[t].head : NONE; h != NONE; h = c->pool[h].next) {
      bool hit = c->pool[h].row == k->open_row;
      if (hits_alone && !hit)
        continue;
      uint32_t order = order_of(c, h, hit);
      if (best.request == NONE || order < best.order ||
          (order == best.order && c->pool[h].seq < c->pool[best.request].seq))
        best = (struct choice){h, order, hit};
    }
  return best;
}

static void offer_row(struct channel *c, uint32_t b, uint32_t h, uint32_t order) {
  uint8_t command = c->bank[b].open_row == NO_ROW ? DRAM_ACT : DRAM_PRE;
  c->row_mask |= c->bank[b].bit;
  c->row_command[b] = command;
  c->row_for[b] = h;
  c->row_at[b] = c->next[b][command];
  c->row_key[b] = key_of(c, h, order, b);
}

static void offer_column(struct channel *c, uint32_t b, const struct choice *k) {
  int type = c->pool[k->request].type;
  c->column_mask[type] |= c->bank[b].bit;
  c->column_for[type][b] = k->request;
  c->column_key[type][b] = key_of(c, k->request, k->order, b);
}

/* The oldest request closes the row that has had as many hits as the profile allows. */
static bool offer_capped(struct channel *c, uint32_t b) {
  if (!c->p.row_hit_cap || c->bank[b].open_row == NO_ROW || c->bank[b].used < c->p.row_hit_cap)
    return false;
  uint32_t oldest = bank_oldest(c, b);
  if (oldest == NONE || c->pool[oldest].row == c->bank[b].open_row)
    return false;
  struct choice hit = first_of(c, b, c->p.cap_stops_hits ? 0 : c->allow, true);
  if (hit.request != NONE)
    offer_column(c, b, &hit);
  offer_row(c, b, oldest, order_of(c, oldest, false));
  return true;
}

void ordered_offer(struct channel *c, uint32_t b) {
  if (offer_capped(c, b))
    return;
  struct choice k = first_of(c, b, c->allow, false);
  bool open = c->bank[b].open_row != NO_ROW;
  if (!k.hit && open && c->p.use_opened && !c->bank[b].used) { /* a row is used once before it is closed */
    struct choice hit = first_of(c, b, c->allow, true);
    if (hit.request == NONE)
      hit = first_of(c, b, 3, true);
    k = hit.request != NONE ? hit : k;
  }
  if (k.request == NONE) {
    if (open && c->p.page == DRAM_TIMEOUT)
      bank_offer_timeout(c, b);
  } else if (k.hit) {
    offer_column(c, b, &k);
  } else {
    offer_row(c, b, k.request, k.order);
  }
}

static void renew(struct channel *c) {
  for (uint64_t m = c->pending[READ] | c->pending[WRITE]; m; m &= m - 1)
    bank_offer(c, (uint32_t)__builtin_ctzll(m));
  schedule_stale(c);
}

static void notified(struct channel *c, bool changed, uint64_t now) {
  if (changed)
    renew(c);
  if (!c->scheduler->next)
    return;
  c->order_at = c->scheduler->next(c->scheduler_state, now);
  c->timer = min64(c->timer, c->order_at);
  c->wake = min64(c->wake, c->timer);
}

void ordered_arrived(struct channel *c, uint32_t h, uint64_t now) {
  const struct entry *e = &c->pool[h];
  struct sluice_dram_entry *r = &c->who[h];
  *r = (struct sluice_dram_entry){.size = sizeof(struct sluice_dram_entry),
                                  .arrived = now,
                                  .age = e->seq,
                                  .bank = e->bank,
                                  .row = e->row,
                                  .column = e->column,
                                  .sm = r->sm,
                                  .warp = r->warp,
                                  .write = e->type == WRITE};
  if (c->scheduler->arrived)
    notified(c, c->scheduler->arrived(c->scheduler_state, r, now), now);
}

void ordered_served(struct channel *c, uint32_t h, uint64_t now) {
  if (c->scheduler->served)
    notified(c, c->scheduler->served(c->scheduler_state, &c->who[h], now), now);
}

void ordered_time(struct channel *c, uint64_t now) {
  if (now < c->order_at)
    return;
  c->scheduler->elapsed(c->scheduler_state, now);
  notified(c, true, now);
}

void ordered_init(struct channel *c, const struct dram_scheduler *s) {
  const struct sluice_dram_queue q = {.size = sizeof q,
                                      .banks = c->banks,
                                      .entries = c->p.read_queue + c->p.write_queue,
                                      .writes_apart = c->p.write_queue != 0};
  c->scheduler = s->ops;
  c->who = xcalloc(c->pool_entries, sizeof *c->who);
  c->scheduler_state = s->ops->open ? s->open(s->ctx, c->index, &q) : NULL;
  if (s->ops->next)
    c->order_at = s->ops->next(c->scheduler_state, 0);
}
