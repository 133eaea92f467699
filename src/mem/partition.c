#include "base/bits.h"
#include "mem/partition.h"
#include "mem/cache.h"
#include <string.h>

/* Global address → (channel, slice, address within the slice), and back to the channel's own address. */
static uint64_t in_channel(const struct gpu_config *k, uint64_t a) {
  return a / k->interleave / k->channels * k->interleave + a % k->interleave;
}

uint32_t partition_slice_of(const struct gpu_config *k, uint64_t line) {
  uint32_t ch = (uint32_t)(line / k->interleave % k->channels);
  return ch * k->slices_per_channel + (uint32_t)(in_channel(k, line) / k->interleave % k->slices_per_channel);
}

static uint64_t in_slice(const struct gpu_config *k, uint64_t line) {
  uint64_t a = in_channel(k, line);
  return a / k->interleave / k->slices_per_channel * k->interleave + a % k->interleave;
}

static uint64_t from_slice(const struct gpu_config *k, uint32_t slice, uint64_t a) {
  unsigned shift = (unsigned)__builtin_ctz(k->interleave),
           slices = (unsigned)__builtin_ctz(k->slices_per_channel);
  return ((a >> shift << slices) + slice) << shift | (a & (k->interleave - 1));
}

static uint32_t parent_new(const struct gpu_config *k, struct l2_slice *s, const struct mem_request *r) {
  if (s->free_parent == UINT32_MAX) {
    uint32_t n = s->nparents ? s->nparents * 2 : 64;
    s->parent = xrealloc(s->parent, n * sizeof *s->parent);
    for (uint32_t i = s->nparents; i < n; i++)
      s->parent[i].next = i + 1 < n ? i + 1 : UINT32_MAX;
    s->free_parent = s->nparents;
    s->nparents = n;
  }
  uint32_t p = s->free_parent;
  s->free_parent = s->parent[p].next;
  s->parent[p] =
      (struct l2_parent){.request = *r, .left = count_bits(r->sectors), .line = in_slice(k, r->line)};
  return p;
}

/* A ring for n entries has a power of two of them; this is its mask. */
static uint32_t ring(uint32_t n) {
  uint32_t size = 1;
  while (size < n)
    size *= 2;
  return size - 1;
}

bool partition_init(struct partition *c, struct engine *e, const struct gpu_config *k, uint32_t index,
                    uint64_t dram_period, struct error *err) {
  *c = (struct partition){.engine = e,
                          .k = k,
                          .index = index,
                          .nslices = k->slices_per_channel,
                          .dram_period = dram_period,
                          .wait_cap = k->dram_queue};
  struct dram_device device;
  struct dram_profile profile;
  if (!dram_device_load(&device, k->dram_device, err) ||
      !dram_profile_load(&profile, k->dram_controller, err))
    return false;
  double mhz = 1e9 / (double)device.tck_fs; /* 10^15 fs per second over 10^6 Hz per MHz */
  if (mhz < (double)k->dram_mhz * 0.999 || mhz > (double)k->dram_mhz * 1.001)
    return error_set(err, EXIT_USAGE, "gpu.dram_mhz is %llu, but the command clock of '%s' is %.1f MHz",
                     (unsigned long long)k->dram_mhz, k->dram_device, mhz);
  struct dram_options o = {.device = &device,
                           .profile = &profile,
                           .mapping = *k->dram_mapping ? k->dram_mapping : NULL,
                           .refresh = (enum dram_refresh)k->dram_refresh,
                           .channels = 1};
  c->dram = dram_new(&o, err);
  if (!c->dram)
    return false;
  c->wait_mask = ring(c->wait_cap);
  c->wait = xcalloc(c->wait_mask + 1u, sizeof *c->wait);
  c->slice = xcalloc(c->nslices, sizeof *c->slice);
  uint64_t most = (uint64_t)k->l2.mshrs * k->l2.merges;
  uint32_t answers = most < 1 << 20 ? (uint32_t)most : 1 << 20;
  for (uint32_t i = 0; i < c->nslices; i++) {
    struct l2_slice *s = &c->slice[i];
    s->cache = cache_new(&k->l2);
    s->index = index * c->nslices + i;
    s->free_parent = UINT32_MAX;
    s->delay_cap = k->rop_latency + k->l2_in + 8;
    s->delay_mask = ring(s->delay_cap);
    s->delay = xcalloc(s->delay_mask + 1u, sizeof *s->delay);
    s->done_mask =
        ring(k->l2_out + answers); /* fills may answer more than the queue holds; new accesses stop before */
    s->done = xcalloc(s->done_mask + 1u, sizeof *s->done);
    s->miss_mask = ring(k->l2_miss_queue + 8); /* and a victim's sectors */
    s->miss = xcalloc(s->miss_mask + 1u, sizeof *s->miss);
  }
  return true;
}

void partition_destroy(struct partition *c) {
  for (uint32_t i = 0; c->slice && i < c->nslices; i++) {
    struct l2_slice *s = &c->slice[i];
    cache_free(s->cache);
    free(s->parent), free(s->delay), free(s->done), free(s->miss);
  }
  free(c->slice), free(c->wait);
  if (c->dram)
    dram_free(c->dram);
}

/* One sector of a parent is served. */
static void sector_done(struct partition *c, struct l2_slice *s, uint32_t p) {
  if (--s->parent[p].left)
    return;
  uint32_t at = (s->done_head + s->done_count++) & s->done_mask;
  if (s->done_count > s->done_mask + 1u)
    panic("the response queue of L2 slice %u overflows", s->index);
  s->done[at].parent = p;
  s->done[at].at = c->now + c->k->l2_latency;
}

static void to_dram(struct l2_slice *s, uint64_t address, bool write) {
  uint32_t at = (s->miss_head + s->miss_count++) & s->miss_mask;
  if (s->miss_count > s->miss_mask + 1u)
    panic("the miss queue of L2 slice %u overflows", s->index);
  s->miss[at].address = address;
  s->miss[at].write = write;
}

static void write_back(struct partition *c, struct l2_slice *s, const struct cache_result *r) {
  (void)c;
  for (uint32_t m = r->evicted ? r->victim_sectors : 0; m; m &= m - 1) {
    to_dram(s, r->victim + (uint64_t)__builtin_ctz(m) * MEM_SECTOR, true);
    s->stats.writes++;
  }
}

/* An atomic has the sector it read: it changes it, which takes its time. */
static void change(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sector) {
  cache_dirty(s->cache, line, 1u << sector);
  s->busy = c->now + c->k->l2_atomic_interval;
}

/* Looks up one sector of the request at the head. False: it must wait. */
static bool look_up(struct partition *c, struct l2_slice *s, uint32_t p) {
  struct mem_request *r = &s->parent[p].request;
  uint32_t sector = (uint32_t)__builtin_ctz(s->todo);
  uint64_t line = s->parent[p].line;
  if (s->done_count >= c->k->l2_out)
    return false;
  bool room = s->miss_count < c->k->l2_miss_queue;
  if (!room)
    return false; /* an eviction may need it */
  struct cache_result k;
  if (r->kind == MEM_WRITE) {
    uint64_t bytes[2] = {0, 0}, part = (r->bytes[sector / 2] >> 32 * (sector % 2)) & UINT32_MAX;
    bytes[sector / 2] = part << 32 * (sector % 2);
    k = cache_store(s->cache, line, bytes, CACHE_BACK, c->k->l2_write_miss, p, room);
  } else {
    k = cache_load(s->cache, line, 1u << sector, p, room);
  }
  if (k.outcome == CACHE_FAILED)
    return false;
  s->stats.accesses++;
  s->stats.hits += k.outcome == CACHE_HIT;
  s->stats.misses += k.outcome == CACHE_MISS;
  s->stats.merges += k.outcome == CACHE_PENDING;
  write_back(c, s, &k);
  for (uint32_t m = k.fetch; m; m &= m - 1) {
    to_dram(s, line + (uint64_t)__builtin_ctz(m) * MEM_SECTOR, false);
    s->stats.reads++;
  }
  bool waits = k.outcome == CACHE_PENDING || k.fetch;
  if (r->kind == MEM_WRITE && k.outcome == CACHE_MISS && c->k->l2_write_miss == CACHE_NO_ALLOCATE) {
    to_dram(s, line + sector * MEM_SECTOR, true); /* no line took it */
    s->stats.writes++;
  }
  if (!waits) {
    if (r->kind == MEM_ATOMIC)
      change(c, s, line, sector);
    sector_done(c, s, p);
  }
  s->todo &= (uint8_t)(s->todo - 1);
  return true;
}

struct fill {
  struct partition *c;
  struct l2_slice *s;
  uint64_t line;
  uint32_t sector;
};

static void fill_answer(void *ctx, uint32_t waiter) {
  struct fill *f = ctx;
  if (f->s->parent[waiter].request.kind == MEM_ATOMIC)
    change(f->c, f->s, f->line, f->sector);
  sector_done(f->c, f->s, waiter);
}

static void completions(struct partition *c) {
  struct dram_completion d;
  while (dram_pop(c->dram, &d)) {
    c->outstanding--;
    c->moves++;
    if (d.write)
      continue;
    struct l2_slice *s = &c->slice[d.tag & 15];
    uint64_t a = d.tag >> 4;
    struct fill f = {c, s, a & ~(uint64_t)(MEM_LINE - 1), (uint32_t)(a % MEM_LINE / MEM_SECTOR)};
    cache_fill(s->cache, f.line, 1u << f.sector, fill_answer, &f);
  }
}

/* Requests of the slices, in turn, go through a fixed delay to the controller. */
static bool feed_dram(struct partition *c) {
  uint64_t cycle = c->engine->now / c->dram_period;
  bool moved = false;
  c->refused = false;
  for (uint32_t k = 0; k < c->nslices && c->wait_count < c->wait_cap; k++) {
    uint32_t i = (c->turn + k) % c->nslices;
    struct l2_slice *s = &c->slice[i];
    if (!s->miss_count)
      continue;
    uint32_t at = (c->wait_head + c->wait_count++) & c->wait_mask;
    uint64_t a = s->miss[s->miss_head].address;
    c->wait[at].address = from_slice(c->k, i, a);
    c->wait[at].tag = a << 4 | i;
    c->wait[at].write = s->miss[s->miss_head].write;
    c->wait[at].at = cycle + c->k->dram_latency;
    s->miss_head = (s->miss_head + 1) & s->miss_mask;
    s->miss_count--;
    c->turn = i + 1;
    moved = true;
    break;
  }
  while (c->wait_count && c->wait[c->wait_head].at <= cycle) {
    struct dram_request r = {.address = c->wait[c->wait_head].address,
                             .tag = c->wait[c->wait_head].tag,
                             .write = c->wait[c->wait_head].write};
    if (!dram_push(c->dram, &r)) {
      c->refused = true; /* until the controller has done something */
      break;
    }
    c->outstanding++;
    c->moves++;
    c->wait_head = (c->wait_head + 1) & c->wait_mask;
    c->wait_count--;
    moved = true;
  }
  return moved;
}

static uint64_t to_cycle(const struct partition *c, uint64_t tick) {
  return engine_cycle_at(c->engine, 2, tick);
}

static uint64_t slice_cycle(struct partition *c, struct l2_slice *s) {
  uint64_t tick = c->engine->now, next = NEVER;
  uint32_t done_before = s->done_count;
  s->stalled = false;
  const struct mem_request *r = port_front(s->in, tick);
  if (r && s->delay_count < s->delay_cap) {
    uint32_t at = (s->delay_head + s->delay_count++) & s->delay_mask;
    s->delay[at].parent = parent_new(c->k, s, r);
    s->delay[at].at = c->now + c->k->rop_latency;
    port_pop(s->in, tick);
    engine_wake(c->engine, c->request_unit, tick + s->in->credit);
  }
  if (s->delay_count && s->delay[s->delay_head].at <= c->now && s->busy <= c->now) {
    uint32_t p = s->delay[s->delay_head].parent;
    if (!s->todo)
      s->todo = s->parent[p].request.sectors;
    uint64_t since = s->delay[s->delay_head].at > s->free_at ? s->delay[s->delay_head].at : s->free_at;
    if (look_up(c, s, p)) {
      s->stats.stall_cycles += c->now - since;
      s->free_at = s->busy > c->now + 1 ? s->busy : c->now + 1;
      if (!s->todo) {
        s->delay_head = (s->delay_head + 1) & s->delay_mask;
        s->delay_count--;
      }
      next = c->now + 1;
    } else {
      /* a fill, or room somewhere, changes that; each wakes us */
      s->stalled = true;
    }
  } else if (s->delay_count) {
    uint64_t at = s->delay[s->delay_head].at > s->busy ? s->delay[s->delay_head].at : s->busy;
    next = at > c->now ? at : c->now + 1;
  }
  if (s->done_count) {
    if (s->done[s->done_head].at <= c->now && port_room(s->out, tick)) {
      uint32_t p = s->done[s->done_head].parent;
      struct mem_request a = s->parent[p].request;
      a.flags |= MEM_ANSWERED;
      port_push(s->out, tick, &a);
      engine_wake(c->engine, c->response_unit, tick + s->out->data);
      s->parent[p].next = s->free_parent;
      s->free_parent = p;
      s->done_head = (s->done_head + 1) & s->done_mask;
      s->done_count--;
    }
    if (s->done_count) {
      uint64_t t = s->done[s->done_head].at;
      if (t <= c->now)
        t = port_room(s->out, tick) ? c->now + 1 : to_cycle(c, port_next_room(s->out));
      if (t < next)
        next = t;
    }
  }
  if (s->stalled && s->done_count < c->k->l2_out) { /* room was made for the answer it waits to give */
    if (s->done_count != done_before)
      next = c->now + 1;
  }
  uint64_t message = to_cycle(c, port_next_message(s->in));
  if (message <= c->now)
    message = c->now + 1;
  return message < next ? message : next;
}

uint64_t partition_cycle(void *self, uint64_t cycle) {
  struct partition *c = self;
  c->now = cycle;
  dram_advance(c->dram, c->engine->now / c->dram_period);
  completions(c);
  uint64_t next = NEVER;
  for (uint32_t i = 0; i < c->nslices; i++) {
    uint64_t n = slice_cycle(c, &c->slice[i]);
    if (n < next)
      next = n;
  }
  bool moved = feed_dram(c);
  bool misses = false, stalled = false;
  for (uint32_t i = 0; i < c->nslices; i++)
    misses |= c->slice[i].miss_count != 0, stalled |= c->slice[i].stalled;
  if (moved && (misses || stalled))
    next = cycle + 1;
  uint64_t p = c->engine->period[2], d = NEVER;
  if (c->wait_count && !c->refused)
    d = c->wait[c->wait_head].at;
  if (c->outstanding) {
    uint64_t e = dram_next_event(c->dram), a = dram_next_answer(c->dram);
    if (a < e)
      e = a;
    if (e != DRAM_NEVER && e + 1 < d)
      d = e + 1; /* its result shows once that cycle is simulated */
  }
  if (d != NEVER) {
    uint64_t at = (d * c->dram_period + p - 1) / p;
    if (at <= cycle)
      at = cycle + 1;
    if (at < next)
      next = at;
  }
  return next;
}

void partition_warm(struct partition *c, uint32_t slice, uint64_t line) {
  struct l2_slice *s = &c->slice[slice];
  uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
  cache_store(s->cache, in_slice(c->k, line), all, CACHE_THROUGH, CACHE_WRITE_VALIDATE, 0, true);
}
