/* The channels of a device as one memory. */
#include "dram/dram.h"
#include "base/hot.h"
#include "base/mem.h"
#include "dram/channel.h"
#include "dram/fixed.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const dram_command_names[DRAM_COMMANDS] = {"ACT", "PRE",  "RD",  "WR",   "RDA",
                                                       "WRA", "PREA", "REF", "REFPB"};
const char *const dram_refresh_names[] = {"none", "allbank", "perbank", NULL};
const char *const dram_ideal_names[] = {"none", "rows", "order", NULL};

struct dram {
  uint64_t cycle;
  struct channel *channel;
  struct fixed *fixed; /* in place of channels; NULL: channels */
  uint32_t channels, lockstep;
  bool no_skip;
  bool one_row; /* all rows of a bank are open: to the channel they are one row with as many columns */
  struct dram_map map;
  struct dram_device device;
};

static bool check(const struct dram_options *o, uint32_t channels, uint32_t lockstep, struct error *err) {
  const struct dram_device *v = o->device;
  uint64_t banks = (uint64_t)v->ranks * v->bank_groups * v->banks;
  bool ok = true;
  if (!banks || banks > MAX_BANKS)
    ok = error_add(err, EXIT_USAGE, "device %s: %llu banks in a channel (allowed: 1..%d)", v->name,
                   (unsigned long long)banks, MAX_BANKS);
  if (!channels || channels > 1024 || channels & (channels - 1))
    ok = error_add(err, EXIT_USAGE, "device %s: %u channels (allowed: a power of two up to 1024)", v->name,
                   channels);
  if (!lockstep || lockstep > 64 || lockstep & (lockstep - 1))
    ok = error_add(err, EXIT_USAGE, "device %s: %u channels in lock step (allowed: a power of two up to 64)",
                   v->name, lockstep);
  if (o->refresh != DRAM_REFRESH_NONE && !v->t.refi)
    ok = error_add(err, EXIT_USAGE, "device %s: no tREFI; use refresh none", v->name);
  if (o->refresh == DRAM_REFRESH_ALLBANK && !v->t.rfc)
    ok = error_add(err, EXIT_USAGE, "device %s: no all-bank refresh (tRFC)", v->name);
  if (o->refresh == DRAM_REFRESH_PERBANK && !v->t.rfc_pb)
    ok = error_add(err, EXIT_USAGE, "device %s: no per-bank refresh (tRFCpb)", v->name);
  ok &= dram_scheduler_check(o->scheduler.ops, o->profile, err);
  if (o->ideal && o->log)
    ok = error_add(err, EXIT_USAGE, "device %s: with free rows or order there are no commands to be logged",
                   v->name);
  if (o->ideal && v->rows * v->columns > UINT32_MAX)
    ok = error_add(err, EXIT_USAGE, "device %s: rows can be free with up to 2^32 bursts in a bank", v->name);
  return ok;
}

/* What is left to open a row once, at the beginning and after a refresh, takes no longer than a command. */
static void open_at_once(struct dram_timing *t) {
  t->rcd_rd = t->rcd_wr = t->rp = t->ras = t->rrd_s = t->rrd_l = t->rtp = t->wr = 1;
  t->rc = 2;
  t->faw = t->aw32 = t->ppd = 0;
}

static void idealise(struct dram_device *d, struct dram_profile *p, enum dram_ideal ideal) {
  if (ideal == DRAM_IDEAL_NONE)
    return;
  open_at_once(&d->t);
  p->page = DRAM_OPEN;
  if (ideal == DRAM_IDEAL_ORDER) { /* data follow each other as commands do, whatever their direction */
    d->t.wl = d->t.cl;
    d->t.ccd_s = d->t.ccd_l = d->t.rtw = d->burst_cycles;
    d->t.rtrs = 0;
  }
}

struct dram *dram_new(const struct dram_options *given, struct error *err) {
  struct dram_options o = *given;
  uint32_t channels = o.channels ? o.channels : o.device->channels ? o.device->channels : 1;
  uint32_t lockstep = o.lockstep ? o.lockstep : 1;
  struct dram_map map;
  if (!o.profile)
    o.profile = dram_profile_default();
  if (!o.scheduler.ops)
    o.scheduler.ops = dram_schedulers[o.profile->pick];
  if (!check(&o, channels, lockstep, err) || !dram_profile_check(o.profile, o.profile->name, err))
    return NULL;
  const char *mapping = o.mapping ? o.mapping : *o.device->mapping ? o.device->mapping : "bglow";
  if (!dram_map_parse(&map, mapping, o.device, channels, lockstep, err))
    return NULL;
  struct dram *d = xcalloc(1, sizeof *d);
  struct dram_profile profile = *o.profile;
  d->device = *o.device;
  d->one_row = o.ideal;
  idealise(&d->device, &profile, o.ideal);
  o.profile = &profile;
  d->map = map;
  d->channels = channels;
  d->lockstep = lockstep;
  d->no_skip = o.no_skip;
  d->channel = xaligned(channels * sizeof *d->channel);
  o.device = &d->device;
  for (uint32_t i = 0; i < channels; i++)
    channel_init(&d->channel[i], &o, d, i);
  return d;
}

struct dram *dram_new_fixed(struct fixed *f) {
  struct dram *d = xcalloc(1, sizeof *d);
  d->fixed = f;
  return d;
}

void dram_set_log(struct dram *d, void (*log)(void *ctx, const struct dram_issue *issue), void *ctx) {
  for (uint32_t i = 0; i < d->channels; i++) {
    d->channel[i].log = log;
    d->channel[i].log_ctx = ctx;
  }
}

void dram_free(struct dram *d) {
  if (!d)
    return;
  for (uint32_t i = 0; i < d->channels; i++)
    free(d->channel[i].pool_memory), free(d->channel[i].who);
  free(d->channel);
  fixed_free(d->fixed);
  free(d);
}

const struct dram_taken *dram_taken(const struct dram *d) {
  return d->channels == 1 ? &d->channel->taken : NULL;
}

bool dram_orders(const struct dram *d) {
  return d->channel->ordered;
}

bool dram_accepts(const struct dram *d, const struct dram_request *r) {
  if (d->channels == 1)
    return channel_accepts(d->channel, r->write);
  return channel_accepts(&d->channel[dram_channel_of(d, r->address)], r->write);
}

uint64_t dram_retry_at(const struct dram *d, uint32_t channel) {
  return d->fixed ? fixed_ready(d->fixed, channel) : DRAM_NEVER;
}

uint32_t dram_channel_of(const struct dram *d, uint64_t address) {
  return d->fixed ? fixed_controller(d->fixed, address)
                  : dram_map_place(&d->map, address).field[DRAM_CHANNEL];
}

HOT bool dram_push(struct dram *d, const struct dram_request *r) {
  if (d->fixed)
    return fixed_push(d->fixed, r);
  struct dram_place p = dram_map_place(&d->map, r->address);
  struct channel *c = &d->channel[p.field[DRAM_CHANNEL]];
  if (!channel_accepts(c, r->write))
    return false;
  if (d->one_row) {
    p.field[DRAM_COLUMN] += p.field[DRAM_ROW] * d->device.columns;
    p.field[DRAM_ROW] = 0;
  }
  channel_push(c, r, p.bank, p.field[DRAM_ROW], p.field[DRAM_COLUMN], d->cycle);
  return true;
}

HOT bool dram_answer(struct dram *d, struct dram_completion *out) {
  if (d->fixed)
    return fixed_answer(d->fixed, out);
  struct channel *c = d->channel;
  for (uint32_t i = 1; i < d->channels; i++)
    if (d->channel[i].next_done < c->next_done)
      c = &d->channel[i];
  struct fifo *f = c->done;
  while (f->first != c->next_done)
    f++;
  uint32_t h = f->head;
  const struct entry *e = &c->pool[h];
  *out = (struct dram_completion){.tag = e->tag,
                                  .done = e->done,
                                  .latency = e->done - e->handed,
                                  .opening = e->opening,
                                  .open = e->open,
                                  .column = e->column_at,
                                  .write = e->type == WRITE};
  f->head = e->next;
  f->first = f->head == NONE ? DRAM_NEVER : c->pool[f->head].done;
  c->next_done = min64(c->done[0].first, min64(c->done[1].first, c->done[2].first));
  c->pool[h].next = c->free - (h + 1);
  c->free = h;
  return (d->channels == 1 ? c->next_done : dram_next_answer(d)) < d->cycle;
}

bool dram_pop(struct dram *d, struct dram_completion *out) {
  if (dram_next_answer(d) >= d->cycle)
    return false;
  dram_answer(d, out);
  return true;
}

uint64_t dram_last_answer(const struct dram *d) {
  uint64_t at = 0;
  bool any = false;
  for (uint32_t i = 0; i < d->channels; i++)
    for (int k = 0; k < 3; k++) {
      const struct channel *c = &d->channel[i];
      if (c->done[k].head == NONE)
        continue;
      any = true;
      at = max64(at, c->pool[c->done[k].tail].done);
    }
  return any ? at : DRAM_NEVER;
}

uint64_t dram_cycle(const struct dram *d) {
  return d->cycle;
}

void dram_tick(struct dram *d) {
  dram_advance(d, d->cycle + 1);
}

static void every_cycle(struct dram *d, uint64_t until) {
  for (; d->cycle < until; d->cycle++)
    for (uint32_t i = 0; i < d->channels; i++) {
      schedule_stale(&d->channel[i]);
      schedule_cycle(&d->channel[i], d->cycle);
    }
}

HOT bool dram_advance(struct dram *d, uint64_t until) {
  if (d->fixed)
    return fixed_advance(d->fixed, until);
  if (d->no_skip)
    every_cycle(d, until);
  uint64_t from = d->cycle, now;
  bool answers = false;
  d->cycle = max64(from, until);
  for (struct channel *c = d->channel, *end = c + d->channels; c < end; c++) {
    while ((now = max64(c->wake, from)) < until)
      schedule_cycle(c, now);
    answers |= c->next_done < until;
  }
  return answers;
}

bool dram_advance_to_room(struct dram *d, bool write) {
  struct channel *c = d->channel;
  if (d->channels > 1 || d->no_skip || !c->taken.full[write])
    return false;
  uint64_t at = schedule_until_room(c, d->cycle, write);
  if (at == DRAM_NEVER)
    return false;
  d->cycle = at;
  return true;
}

uint64_t dram_next_event(const struct dram *d) {
  uint64_t at = DRAM_NEVER;
  for (uint32_t i = 0; i < d->channels; i++)
    at = min64(at, d->channel[i].wake);
  return max64(at, d->cycle);
}

uint64_t dram_next_answer(const struct dram *d) {
  uint64_t at = DRAM_NEVER;
  for (uint32_t i = 0; i < d->channels; i++)
    at = min64(at, d->channel[i].next_done);
  return at;
}

uint64_t dram_next_change(const struct dram *d) {
  if (d->fixed)
    return fixed_next(d->fixed);
  uint64_t event = DRAM_NEVER, answer = DRAM_NEVER;
  for (const struct channel *c = d->channel, *end = c + d->channels; c < end; c++) {
    sooner(&event, c->wake);
    sooner(&answer, c->next_done);
  }
  uint64_t next = min64(max64(event, d->cycle), answer);
  return next == DRAM_NEVER ? DRAM_NEVER
                            : next + 1; /* the result of a cycle shows once the cycle is simulated */
}

uint64_t dram_waiting(const struct dram *d) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < d->channels; i++)
    n += d->channel[i].waiting;
  return n;
}

void dram_flush(struct dram *d) {
  for (uint32_t i = 0; i < d->channels; i++) {
    d->channel[i].flush = true;
    d->channel[i].wake = d->channel[i].timer = 0;
  }
}

uint64_t dram_finished(const struct dram *d) {
  uint64_t at = 0;
  for (uint32_t i = 0; i < d->channels; i++)
    at = max64(at, d->channel[i].n.finished);
  return at;
}

uint32_t dram_channels(const struct dram *d) {
  return d->channels;
}

const struct dram_map *dram_mapping(const struct dram *d) {
  return &d->map;
}

uint64_t dram_transaction(const struct dram *d) {
  return d->map.transaction;
}

uint64_t dram_capacity(const struct dram *d) {
  return d->map.transaction << d->map.bits;
}

static void channel_counts_of(const struct dram *d, uint32_t i, struct dram_counters *out) {
  channel_counts(&d->channel[i], d->cycle, out);
  out->bytes = (out->reads + out->writes) * d->map.transaction;
}

void dram_counts(const struct dram *d, struct dram_counters *out) {
  if (d->fixed) {
    memcpy(out, fixed_counters(d->fixed), offsetof(struct dram_counters, latency));
    return;
  }
  channel_counts_of(d, 0, out);
  for (uint32_t i = 1; i < d->channels; i++) {
    struct dram_counters n;
    channel_counts_of(d, i, &n);
    dram_counts_add(out, &n);
  }
}

void dram_add_counters(const struct dram *d, struct dram_counters *to) {
  if (d->fixed)
    dram_counters_add(to, fixed_counters(d->fixed));
  for (uint32_t i = 0; i < d->channels; i++) {
    struct dram_counters n;
    channel_counts_of(d, i, &n);
    dram_counts_add(to, &n);
    dram_latencies_add(to, &d->channel[i].n);
  }
}

void dram_counters(const struct dram *d, struct dram_counters *out) {
  memset(out, 0, sizeof *out);
  dram_add_counters(d, out);
}
