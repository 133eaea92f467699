/* Requests in, answers out. */
#include "dram/channel.h"
#include "base/hot.h"
#include "dram/timing.h"
#include "base/mem.h"
#include <stddef.h>
#include <string.h>

static bool is_plain(const struct channel *c) {
  const struct dram_profile *p = &c->p;
  return !c->alone && !c->round_robin && !c->ordered && c->row_class == CLASS_ROW && p->page == DRAM_OPEN &&
         p->keep_hits && !p->write_queue && !p->bank_queue && !p->row_hit_cap && !p->age_limit &&
         !p->pin_activated && !p->use_opened && c->device->ranks == 1 && c->refresh_mode == DRAM_REFRESH_NONE;
}

void channel_init(struct channel *c, const struct dram_options *o, const struct dram *d, uint32_t index) {
  const struct dram_device *v = o->device;
  memset(c, 0, sizeof *c);
  c->dram = d;
  c->device = v;
  c->index = index;
  c->p = *o->profile;
  c->refresh_mode = o->refresh;
  c->no_skip = o->no_skip;
  c->log = o->log;
  c->log_ctx = o->log_ctx;
  c->two_buses = v->row_and_column_bus;
  const struct sluice_dram_scheduler *s = o->scheduler.ops;
  bool hits_first = !s->open && s->order(NULL, NULL, true) < s->order(NULL, NULL, false);
  c->round_robin = s->scope == SLUICE_DRAM_BANKS_IN_TURN;
  c->alone = s->scope == SLUICE_DRAM_OLDEST;
  c->directed = !c->p.bank_queue && (c->p.write_queue || c->p.age_limit || c->alone);
  c->row_class = hits_first ? CLASS_ROW : CLASS_COLUMN;
  c->ordered = dram_scheduler_orders(s);
  c->order_at = DRAM_NEVER;
  c->plain = is_plain(c) && !o->general && !o->no_skip;
  c->taken.most[READ] = c->p.read_queue;
  c->taken.most[WRITE] = c->p.write_queue;
  c->stale = STALE_ALL;
  c->opening_until[READ] = c->opening_until[WRITE] = DRAM_NEVER;
  c->ranks = v->ranks;
  c->groups = v->ranks * v->bank_groups;
  c->banks = c->groups * v->banks;
  c->allow = c->p.bank_queue || !c->p.write_queue ? 3 : 1;
  c->first = NONE;
  c->turn = 0;
  c->last_type = -1;
  c->age_check = c->drain_at = DRAM_NEVER;
  timing_build(&c->d, v, o->ideal);
  pool_init(c);
  for (uint32_t b = 0; b < c->banks; b++) {
    c->group_of[b] = (uint8_t)(b / v->banks);
    c->rank_of[b] = (uint8_t)(c->group_of[b] / v->bank_groups);
    c->group_banks[c->group_of[b]] |= bit64(b);
    c->bank[b].bit = bit64(b);
    c->bank[b].open_row = NO_ROW;
    c->bank[b].pinned = NONE;
    c->room |= bit64(b);
    c->ranks_state[c->rank_of[b]].banks |= bit64(b);
  }
  for (uint32_t k = 0; k < c->ranks; k++) {
    c->ranks_state[k].first_group = k * v->bank_groups;
    c->ranks_state[k].last_perbank = DRAM_NEVER;
  }
  refresh_init(c);
  if (c->ordered)
    ordered_init(c, &o->scheduler);
  c->timer = min64(refresh_timer(c), c->order_at);
  schedule_wake(c, 0);
}

static void answer_at_once(struct channel *c, uint32_t h) {
  struct entry *e = &c->pool[h];
  e->done = e->handed + 1;
  e->opening = e->open = e->column_at = e->handed;
  fifo_add(c, 2, h);
  if (e->type == WRITE) {
    c->n.write_requests++;
    return;
  }
  c->n.read_requests++;
  c->n.read_latency++;
  if (!c->n.read_latency_max)
    c->n.read_latency_max = 1;
  c->n.latency[stat_fine_bucket(1)]++;
}

/* What needs no command of its own: the request is answered or merged (ABSORBED); or waits for a read of the same address (PARKED). */
enum absorbed { QUEUED, ABSORBED, PARKED };
static enum absorbed absorb(struct channel *c, uint32_t h) {
  struct entry *e = &c->pool[h];
  bool search = e->type == WRITE || c->p.merge_reads || c->parked;
  uint32_t read = search ? queue_find(c, e->bank, READ, e->row, e->column) : NONE;
  uint32_t write = queue_find(c, e->bank, WRITE, e->row, e->column);
  if (write == NONE && read != NONE)
    write = c->pool[read].parked;
  if (e->type == WRITE) {
    if (write != NONE) {
      struct entry *w = &c->pool[write];
      w->mask = w->mask && e->mask ? w->mask | e->mask : 0;
      c->n.merged_writes++;
      answer_at_once(c, h);
      return ABSORBED;
    }
    if (read != NONE) {
      c->pool[read].parked = h;
      c->parked++;
      return PARKED;
    }
    return QUEUED;
  }
  if (write != NONE && !c->pool[write].mask) {
    c->n.forwarded++;
    answer_at_once(c, h);
    return ABSORBED;
  }
  if (read != NONE && c->p.merge_reads && c->pool[read].parked == NONE) {
    e->merged = c->pool[read].merged;
    c->pool[read].merged = h;
    c->n.merged_reads++;
    return ABSORBED;
  }
  return QUEUED;
}

SPECIALIZED void enqueue(struct channel *c, uint32_t b, int type, uint32_t h, uint64_t cycle, bool plain) {
  count_taken(c, type, 1, cycle);
  if (!plain && c->p.bank_queue) {
    list_insert(c, &c->bank[b].front[type], h);
    c->waiting_front[type] |= bit64(b);
    c->wake = min64(c->wake, cycle);
    return;
  }
  bool same = bank_indifferent(c, b, type, c->pool[h].row, plain);
  queue_add(c, b, type, h, cycle, false);
  if (!plain && c->ordered)
    ordered_arrived(c, h, cycle);
  if (!plain && c->directed && !direction_same(c))
    direction_update(c, cycle);
  if (!same) {
    bank_offer(c, b);
    schedule_bank(c, b, cycle);
  }
}

HOT void channel_push(struct channel *c, const struct dram_request *r, uint32_t bank, uint32_t row,
                      uint32_t column, uint64_t cycle) {
  uint32_t h = c->free;
  struct entry *e = &c->pool[h]; /* done, opening, open and column_at are set once it is served */
  c->free = h + 1 + e->next;
  e->seq = c->seq++;
  e->handed = cycle - 1 + c->p.latency_from;
  e->tag = r->tag;
  e->mask = r->mask;
  e->row = row;
  e->column = column;
  e->merged = e->parked = NONE;
  e->bank = (uint8_t)bank;
  e->type = r->write;
  e->touched = false;
  c->n.partial_writes += r->write && r->mask;
  if (c->ordered)
    c->who[h] =
        (struct sluice_dram_entry){.size = sizeof(struct sluice_dram_entry), .sm = r->sm, .warp = r->warp};
  /* a read can be dealt with only where another may be merged with, or where a write waits */
  bool writes = (c->pending[WRITE] | c->waiting_front[WRITE]) & c->bank[bank].bit;
  enum absorbed how = QUEUED;
  if (!c->p.no_forwarding && (r->write || c->p.merge_reads || c->parked || writes))
    how = absorb(c, h);
  if (how == ABSORBED)
    return;
  if (!c->waiting++)
    c->busy_from = max64(cycle, c->busy_until);
  if (c->p.age_limit && c->age_check == DRAM_NEVER) {
    c->age_check = e->handed + c->p.age_limit;
    c->timer = min64(c->timer, c->age_check);
    c->wake = min64(c->wake, c->timer);
  }
  if (how == PARKED)
    count_taken(c, WRITE, 1, cycle);
  else if (c->plain)
    enqueue(c, bank, r->write, h, cycle, true);
  else
    enqueue(c, bank, r->write, h, cycle, false);
}

void channel_counts(const struct channel *c, uint64_t now, struct dram_counters *out) {
  memcpy(out, &c->n, offsetof(struct dram_counters, latency));
  out->read_queue_area = c->area[READ] + now * c->taken.count[READ];
  out->write_queue_area = c->area[WRITE] + now * c->taken.count[WRITE];
  out->bank_area = c->bank_area + now * c->busy_banks;
  out->bank_cycles = c->bank_cycles + (c->busy_banks ? now : 0);
  out->cycles = now;
  out->bus_cycles = (c->n.reads + c->n.writes) * c->device->burst_cycles;
  out->channels = 1;
  if (c->waiting && now > c->busy_from)
    out->busy_cycles += now - c->busy_from;
  for (uint32_t k = 0; k < c->ranks; k++)
    if (c->ranks_state[k].open && now > c->ranks_state[k].open_since)
      out->open_cycles += now - c->ranks_state[k].open_since;
  out->closed_cycles = now * c->ranks > out->open_cycles ? now * c->ranks - out->open_cycles : 0;
}

/* What of the queues is not done for every request. */

/* Beyond the queues: requests that were issued but not fetched yet, and merged reads. */
enum { POOL_SLACK = 4096 };

_Static_assert(sizeof(struct entry) == 64, "an entry fills a line of the host's cache");

void pool_init(struct channel *c) {
  uint32_t n = c->p.read_queue + c->p.write_queue + c->banks * (c->p.bank_queue + 1) + POOL_SLACK;
  c->pool_entries = n;
  c->pool_memory = xcalloc(n + 1u, sizeof *c->pool);
  c->pool = (struct entry *)(void *)(((uintptr_t)c->pool_memory + sizeof *c->pool - 1) & -sizeof *c->pool);
  c->pool[n - 1].next = NONE - n; /* the others follow each other: all 0 */
  c->free = 0;
  for (int t = 0; t < 2; t++)
    for (uint32_t b = 0; b < MAX_BANKS; b++)
      c->bank[b].queue[t] = c->bank[b].front[t] = (struct list){.head = NONE, .tail = NONE, .hit = NONE};
  for (int k = 0; k < 3; k++)
    c->done[k] = (struct fifo){DRAM_NEVER, NONE, NONE};
  c->next_done = DRAM_NEVER;
}

void list_insert(struct channel *c, struct list *l, uint32_t h) {
  struct entry *e = &c->pool[h];
  uint32_t before = l->tail;
  while (before != NONE && c->pool[before].seq > e->seq)
    before = c->pool[before].prev;
  e->prev = before;
  e->next = before == NONE ? l->head : c->pool[before].next;
  *(before == NONE ? &l->head : &c->pool[before].next) = h;
  *(e->next == NONE ? &l->tail : &c->pool[e->next].prev) = h;
  l->n++;
}

void queue_row_closed(struct channel *c, uint32_t b) {
  for (int t = 0; t < 2; t++) {
    c->bank[b].queue[t].hit = NONE;
    c->bank[b].queue[t].hits = 0;
  }
}

static uint32_t search(const struct channel *c, const struct list *l, uint32_t row, uint32_t column) {
  for (uint32_t h = l->tail; h != NONE; h = c->pool[h].prev)
    if (c->pool[h].row == row && c->pool[h].column == column)
      return h;
  return NONE;
}

uint32_t queue_find(const struct channel *c, uint32_t b, int type, uint32_t row, uint32_t column) {
  uint32_t h = search(c, &c->bank[b].queue[type], row, column);
  if (h == NONE && c->p.bank_queue)
    h = search(c, &c->bank[b].front[type], row, column);
  return h;
}

/* What a bank offers: for its oldest requests, the command each needs next.
 *
 *   row closed            ACT for the oldest
 *   row open, hits wait   RD or WR for the oldest hit of each direction
 *   row open, others wait PRE for the oldest of them, unless the profile keeps the row for the hits */

static inline void offer_row(struct channel *c, uint32_t b, uint32_t h, uint8_t command, uint64_t class) {
  c->row_mask |= c->bank[b].bit;
  c->row_command[b] = command;
  c->row_for[b] = h;
  c->row_at[b] = c->next[b][command];
  c->row_key[b] = KEY(class, c->pool[h].seq, b);
}

static inline void offer_column(struct channel *c, uint32_t b, uint32_t h, uint64_t class) {
  bank_offer_column(c, b, h, c->pool[h].type, class);
}

/* An overdue request: only its own next command, before everyone's. */
static void offer_first(struct channel *c, uint32_t b) {
  uint32_t h = c->first;
  if (c->bank[b].open_row == c->pool[h].row)
    offer_column(c, b, h, CLASS_FIRST);
  else
    offer_row(c, b, h, c->bank[b].open_row == NO_ROW ? DRAM_ACT : DRAM_PRE, CLASS_FIRST);
}

uint32_t bank_oldest(const struct channel *c, uint32_t b) {
  uint32_t r = c->allow & 1 ? c->bank[b].queue[READ].head : NONE;
  uint32_t w = c->allow & 2 ? c->bank[b].queue[WRITE].head : NONE;
  if (r == NONE || w == NONE)
    return r == NONE ? w : r;
  return c->pool[r].seq < c->pool[w].seq ? r : w;
}

static uint32_t oldest_conflict(const struct channel *c, uint32_t b) {
  uint32_t found = NONE;
  for (int t = 0; t < 2; t++) {
    const struct list *l = &c->bank[b].queue[t];
    if (!(c->allow >> t & 1) || l->hits == l->n)
      continue;
    uint32_t h = l->head;
    while (c->pool[h].row == c->bank[b].open_row)
      h = c->pool[h].next;
    if (found == NONE || c->pool[h].seq < c->pool[found].seq)
      found = h;
  }
  return found;
}

/* A row nobody wants any more is closed after a while. */
void bank_offer_timeout(struct channel *c, uint32_t b) {
  if (c->bank[b].queue[READ].hits || c->bank[b].queue[WRITE].hits || c->bank[b].pinned != NONE)
    return;
  c->row_mask |= bit64(b);
  c->row_command[b] = DRAM_PRE;
  c->row_for[b] = NONE;
  c->row_at[b] = max64(c->next[b][DRAM_PRE], c->bank[b].last_use + c->p.page_timeout);
  c->row_key[b] = KEY(CLASS_IDLE, 0, b);
}

/* Row hits come first, and the row stays open for them unless the profile says otherwise. */
static inline void offer_open(struct channel *c, uint32_t b) {
  const struct bank *k = &c->bank[b];
  const struct list *r = &k->queue[READ], *w = &k->queue[WRITE];
  bool reads = c->allow & 1 && r->hits, writes = c->allow & 2 && w->hits;
  uint32_t oldest = NONE, loser = NONE;
  bool capped = c->p.row_hit_cap && k->used >= c->p.row_hit_cap && (oldest = bank_oldest(c, b)) != NONE &&
                c->pool[oldest].row != k->open_row;
  if (!(capped && c->p.cap_stops_hits)) {
    if (reads)
      bank_offer_column(c, b, r->hit, READ, CLASS_COLUMN);
    if (writes)
      bank_offer_column(c, b, w->hit, WRITE, CLASS_COLUMN);
  }
  if (k->pinned != NONE) {
    offer_column(c, b, k->pinned, CLASS_FIRST);
    return;
  }
  if (!c->p.keep_hits)
    loser = oldest_conflict(c, b);
  else if ((reads || writes) && !capped)
    return;
  else
    loser = capped ? oldest : bank_oldest(c, b);
  if (c->p.use_opened && !k->used && !reads && !writes) {
    const struct list *l = c->allow & 1 ? w : r; /* opened before the direction changed */
    if (l->hits) {
      offer_column(c, b, l->hit, CLASS_COLUMN);
      return;
    }
  }
  if (loser != NONE)
    offer_row(c, b, loser, DRAM_PRE, c->row_class);
  else if (c->p.page == DRAM_TIMEOUT)
    bank_offer_timeout(c, b);
}

HOT void bank_offer(struct channel *c, uint32_t b) {
  const struct bank *k = &c->bank[b];
  const struct list *r = &k->queue[READ], *w = &k->queue[WRITE];
  uint64_t bit = k->bit;
  c->row_mask &= ~bit;
  c->column_mask[READ] &= ~bit;
  c->column_mask[WRITE] &= ~bit;
  if (c->plain) {
    bool open = k->open_row != NO_ROW, hits = open && r->hits | w->hits;
    uint32_t h = r->head;
    if (w->head != NONE && (h == NONE || c->pool[w->head].seq < c->pool[h].seq))
      h = w->head;
    if (hits && r->hits)
      bank_offer_column(c, b, r->hit, READ, CLASS_COLUMN);
    if (hits && w->hits)
      bank_offer_column(c, b, w->hit, WRITE, CLASS_COLUMN);
    if (!hits && h != NONE)
      offer_row(c, b, h, open ? DRAM_PRE : DRAM_ACT, CLASS_ROW);
    return;
  }
  if (c->blocked & bit) {
    if (c->bank[b].pinned != NONE)
      offer_column(c, b, c->bank[b].pinned, CLASS_FIRST);
    return;
  }
  if (c->directed && c->first != NONE && c->pool[c->first].bank == b) {
    offer_first(c, b);
  } else if (c->ordered) {
    ordered_offer(c, b);
  } else if (c->alone) {
    if (c->p.page == DRAM_TIMEOUT && c->bank[b].open_row != NO_ROW)
      bank_offer_timeout(c, b);
  } else if (c->bank[b].open_row == NO_ROW) {
    uint32_t h = bank_oldest(c, b);
    if (h != NONE)
      offer_row(c, b, h, DRAM_ACT, c->row_class);
  } else {
    offer_open(c, b);
  }
}
