/* Requests in, answers out. */
#include "dram/queue.h"
#include "base/hot.h"
#include "dram/timing.h"
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
  c->plain = is_plain(c) && !o->general;
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
    c->group_banks[c->group_of[b]] |= bank_bit(b);
    c->bank[b].bit = bank_bit(b);
    c->bank[b].open_row = NO_ROW;
    c->bank[b].pinned = NONE;
    c->room |= bank_bit(b);
    c->ranks_state[c->rank_of[b]].banks |= bank_bit(b);
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
  c->n.latency[dram_latency_bucket(1)]++;
}

static void waits(struct channel *c, const struct entry *e, uint64_t cycle) {
  if (!c->waiting++)
    c->busy_from = max64(cycle, c->busy_until);
  if (c->p.age_limit && c->age_check == DRAM_NEVER) {
    c->age_check = e->handed + c->p.age_limit;
    c->timer = min64(c->timer, c->age_check);
    c->wake = min64(c->wake, c->timer);
  }
}

/* A read can be dealt with only where another may be merged with, or where a write waits. */
static inline bool may_absorb(const struct channel *c, const struct entry *e) {
  uint64_t writes = c->pending[WRITE] | c->waiting_front[WRITE];
  if (c->p.no_forwarding)
    return false;
  return e->type == WRITE || c->p.merge_reads || c->parked || writes & c->bank[e->bank].bit;
}

/* What needs no command of its own. True if the request is dealt with. */
static bool absorb(struct channel *c, uint32_t h, uint64_t cycle) {
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
      return true;
    }
    if (read != NONE) {
      c->pool[read].parked = h;
      c->parked++;
      count_in(c, WRITE, cycle);
      waits(c, e, cycle);
      return true;
    }
    return false;
  }
  if (write != NONE && !c->pool[write].mask) {
    c->n.forwarded++;
    answer_at_once(c, h);
    return true;
  }
  if (read != NONE && c->p.merge_reads && c->pool[read].parked == NONE) {
    e->merged = c->pool[read].merged;
    c->pool[read].merged = h;
    c->n.merged_reads++;
    return true;
  }
  return false;
}

SPECIALIZED void enqueue(struct channel *c, uint32_t b, int type, uint32_t h, uint64_t cycle, bool plain) {
  count_in(c, type, cycle);
  if (!plain && c->p.bank_queue) {
    list_append(c, &c->bank[b].front[type], h);
    c->waiting_front[type] |= bank_bit(b);
    c->wake = min64(c->wake, cycle);
    return;
  }
  bool same = bank_indifferent(c, b, type, c->pool[h].row, plain);
  queue_add(c, b, type, h, cycle);
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
  uint32_t h = pool_take(c);
  struct entry *e = &c->pool[h]; /* done, opening, open and column_at are set once it is served */
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
  if (may_absorb(c, e) && absorb(c, h, cycle))
    return;
  waits(c, e, cycle);
  if (c->plain)
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
