/* Instruction fetch: sm.fetch_warps warps per cycle, in the order in which they run out of instructions; through an
 * instruction cache or, without one, never missing.
 *
 *   warp ─▶ L1I ─┬─ hit ──▶ in line for the fetch unit ─▶ sm.fetch_latency later it can issue
 *                ├─ miss ─▶ network ─▶ fill ─▶ in line
 *                └─ no miss register or queue slot ─▶ waits, and asks again when a register or slot may be free
 *
 * Tags are looked up when a warp gets in line, not when its turn comes. */
#include "base/bits.h"
#include "base/hot.h"
#include "cache/cache.h"
#include "core/sm.h"

/* Code has addresses apart from all data. */
#define CODE_BASE UINT64_C(0x500000000000)

void fetch_init(struct sm *s) {
  const struct l1_config *k = s->l1.k;
  s->l1i = cache_new(&k->i);
  s->code_mask = k->i.line_bytes / k->instruction_bytes - 1;
  ring_init(&s->imiss, k->i_miss_queue, 0);
  s->fetch_failed = xcalloc(s->k->warps, sizeof *s->fetch_failed);
  s->waited = xcalloc(s->k->warps, sizeof *s->waited);
}

void fetch_destroy(struct sm *s) {
  cache_free(s->l1i);
  ring_destroy(&s->imiss);
  free(s->waited);
  free(s->fetch_failed);
}

/* Takes a slot of the fetch unit in cycle `from` or later. */
static void queue_fetch(struct sm *s, struct sm_warp *k, uint64_t from) {
  if (s->k->fetch_ahead) {
    k->fetch_ready = slots_take(&s->fetches, from, s->now, s->k->fetch_warps) + s->k->fetch_latency;
    return;
  }
  uint64_t at = s->fetch_free > s->now ? s->fetch_free : s->now;
  if (at > s->fetch_at)
    s->fetch_at = at, s->fetch_served = 0;
  s->fetch_free = ++s->fetch_served < s->k->fetch_warps ? at : at + 1;
  k->fetch_ready = at + s->k->fetch_latency;
}

static void send(struct sm *s, uint64_t line) {
  uint64_t from = line & ~(uint64_t)(s->l1.k->line_bytes - 1);
  uint32_t sectors = (1u << s->l1.k->i.line_bytes / MEM_SECTOR) - 1;
  struct mem_request r = {.line = from,
                          .born = s->now,
                          .waiter = UINT32_MAX,
                          .sm = (uint16_t)s->id,
                          .slice = (uint16_t)addrmap_place(s->map, from).slice,
                          .kind = MEM_READ,
                          .flags = MEM_CODE,
                          .number = checker_number(s->checker),
                          .sectors = (uint8_t)(sectors << (line - from) / MEM_SECTOR)};
  ring_push(&s->imiss, &r);
  s->stats.requests++;
}

static inline uint64_t line_of(const struct sm *s, const struct sm_warp *k) {
  return CODE_BASE + (k->pc & ~(uint64_t)s->code_mask) * s->l1.k->instruction_bytes;
}

/* Looks up the warp's line in the L1I. False: reservation fail. */
static bool look_up(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  uint64_t line = line_of(s, k);
  if (cache_hit(s->l1i, line, 1)) {
    queue_fetch(s, k, s->now);
    return true;
  }
  struct cache_result r = cache_load(s->l1i, line, 1, w, ring_room(&s->imiss, 1));
  if (r.outcome == CACHE_FAILED)
    return false;
  if (r.outcome == CACHE_MISS)
    send(s, line);
  return true;
}

/* The warp's line is not in the L1I. */
static __attribute__((noinline)) void missed(struct sm *s, uint32_t w) {
  s->warp[w].fetch_ready = NEVER;
  if (!look_up(s, w))
    s->fetch_failed[s->nfetch_failed++] = w;
}

static inline void refill(struct sm *s, uint32_t w, uint64_t from) {
  struct sm_warp *k = &s->warp[w];
  uint32_t width = s->k->fetch_width, rest = s->code_mask + 1 - ((uint32_t)k->pc & s->code_mask);
  k->fetched = rest < width && s->l1.k->i_on && !s->k->fetch_ahead ? rest : width; /* a line at a time */
  if (!s->l1.k->i_on || cache_hit(s->l1i, line_of(s, k), 1))
    queue_fetch(s, k, from);
  else
    missed(s, w);
}

HOT void fetch_refill(struct sm *s, uint32_t w) {
  refill(s, w, s->now);
}

/* A jump empties the instruction buffer in the next cycle. If the buffer was empty, the instructions behind the jump were already being
 * fetched. */
static void refill_jumped(struct sm *s, uint32_t w) {
  uint64_t from = s->now + 1;
  if (!s->warp[w].fetched) {
    from = slots_take(&s->fetches, s->now, s->now, s->k->fetch_warps) + s->k->fetch_latency;
  }
  refill(s, w, from);
}

/* Repeats failed fetches, in order. */
static void ask_again(struct sm *s) {
  uint32_t n = s->nfetch_failed;
  s->nfetch_failed = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t w = s->fetch_failed[i];
    if (!look_up(s, w))
      s->fetch_failed[s->nfetch_failed++] = w;
    else if (s->warp[w].fetch_ready != NEVER)
      warp_settle(s, w);
  }
}

static void arrived(void *ctx, uint32_t w) {
  struct sm *s = ctx;
  queue_fetch(s, &s->warp[w], s->now);
  warp_settle(s, w);
}

void fetch_answer(struct sm *s) {
  const struct mem_request *r = port_front(s->in, s->tick);
  uint64_t line = r->line + (uint64_t)__builtin_ctz(r->sectors) * MEM_SECTOR;
  cache_fill(s->l1i, line, 1, arrived, s);
  s->stats.answers++;
  if (s->checker)
    checker_answered(s->checker, r, s->now);
  s->in->popped++;
  engine_release_at(s->engine, s->in, s->in_unit, s->tick);
  ask_again(s);
}

/* Sends the oldest miss of the L1I; returns the next cycle with work. */
uint64_t fetch_cycle(struct sm *s) {
  uint64_t tick = s->tick;
  if (port_room(s->out, tick)) {
    port_push(s->out, tick, &s->imiss.request[s->imiss.at.head]);
    engine_wake_one(s->engine, s->out_unit, s->imiss.request[s->imiss.at.head].slice, tick + s->out->data);
    ring_drop(&s->imiss.at);
    ask_again(s);
  }
  if (!s->imiss.at.count)
    return NEVER;
  return port_room(s->out, tick) ? s->now + 1
                                 : engine_cycle_at(s->engine, DOMAIN_CORE, port_next_room(s->out));
}

/* The host fetches a line of the warp's records before it is read: those of other warps are read meanwhile. */
enum { WORDS_AHEAD = 16 };

HOT bool warp_fetch(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  bool jumped = false, starts = !k->next;
  struct supply_warp *f = &k->stream->warp[k->in_cta];
  while (k->next == k->end) {
    if (k->next) {
      f->at = (size_t)(k->item - f->words);
      k->next = k->end = NULL;
    }
    if (f->at == f->n && !supply_more(s->launch->supply, k->stream, k->in_cta, s->launch->err))
      return false;
    const uint32_t *r = f->words + f->at;
    const struct supply_block *b = supply_block(s->launch->supply, r[0]);
    jumped = r[0] != k->number + 1;
    k->number = r[0];
    k->next = b->inst;
    k->end = b->inst + b->n;
    k->pc = b->pc;
    k->mask = r[2];
    k->item = r + 3;
    if (s->launch->wide)
      k->mask |= (uint64_t)*k->item++ << 32;
    k->lanes = (uint8_t)count_bits(k->mask);
    __builtin_prefetch(k->item + WORDS_AHEAD);
  }
  if (jumped && !starts && s->k->fetch_ahead)
    refill_jumped(s, w);
  else if (!k->fetched || jumped) /* a jump empties the buffer */
    fetch_refill(s, w);
  return true;
}
