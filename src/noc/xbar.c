#include "noc/xbar.h"
#include "base/hot.h"
#include "base/bits.h"
#include "noc/alloc/round_robin.h"

enum { ERA = 1 << 15 }; /* cycles */

/* What each part has for itself. */
static void own(struct xbar *x) {
  x->asked = xcalloc(x->n, sizeof *x->asked);
  x->head = xcalloc(x->inputs, sizeof *x->head);
  for (uint32_t i = 0; i < x->inputs; i++)
    x->head[i].number = UINT16_MAX;
  x->waits = xcalloc(x->inputs / COUNTS_AT_ONCE + 1, sizeof(uint64_t));
  x->others = x->n == x->outputs ? NULL : xcalloc(x->inputs / COUNTS_AT_ONCE + 1, sizeof(uint64_t));
  x->era = UINT64_MAX;
  x->later = xcalloc((size_t)XBAR_LATER * (x->inputs / 64 + 1), sizeof *x->later);
}

static void disown(struct xbar *x) {
  free(x->asked), free(x->head), free(x->waits), free(x->others), free(x->view), free(x->later);
}

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes) {
  *x = (struct xbar){.engine = e,
                     .inputs = inputs,
                     .outputs = outputs,
                     .n = outputs,
                     .response = response,
                     .large_kinds =
                         (uint8_t)(UINT8_MAX << MEM_ATOMIC | 1 << (response ? MEM_READ : MEM_WRITE)),
                     .flit_bytes = flit_bytes,
                     .sms_per_link = 1,
                     .speedup = 1,
                     .domain = domain,
                     .period = e->period[domain]};
  x->in = memset(xaligned(inputs * sizeof *x->in), 0, inputs * sizeof *x->in);
  x->out = memset(xaligned(outputs * sizeof *x->out), 0, outputs * sizeof *x->out);
  x->busy = xcalloc(inputs, sizeof *x->busy);
  x->link = xcalloc(inputs, sizeof *x->link);
  x->output = xcalloc(outputs, sizeof *x->output);
  size_t words = inputs / COUNTS_AT_ONCE + 1;
  x->sent = xcalloc(words, sizeof(uint64_t));
  x->taken = xcalloc(words, sizeof(uint64_t));
  x->unit_of = xcalloc(outputs, sizeof *x->unit_of);
  own(x);
  x->words = inputs / 64 + 1;
  x->want = xcalloc((size_t)outputs * x->words, sizeof *x->want);
  for (uint32_t o = 0; o < outputs; o++)
    x->output[o].want = &x->want[o * x->words], x->output[o].from = NEVER;
  for (uint32_t m = 0; m < 1 << MEM_SECTORS; m++) {
    x->flits_of[m] = (8 + count_bits(m) * MEM_SECTOR + flit_bytes - 1) / flit_bytes;
    x->packets_of[m] = (uint8_t)(m ? count_bits(m) : 1);
  }
}

void xbar_input(struct xbar *x, uint32_t i, uint32_t slots, uint64_t data, uint64_t credit) {
  port_init(&x->in[i], slots, sizeof(struct mem_request), data, credit);
  x->in[i].sent = &x->sent[i];
}

void xbar_split(struct xbar *x, uint32_t n, struct engine *const *engine) {
  uint32_t outputs = x->outputs;
  x->nmore = n - 1;
  x->more = xcalloc(n, sizeof *x->more);
  disown(x);
  for (uint32_t i = n; i-- > 0;) { /* the first is the last: the others are copies of it as it was */
    struct xbar *part = xbar_part(x, i);
    if (i)
      *part = *x, part->more = NULL, part->nmore = 0;
    part->engine = engine[i];
    part->first = (uint32_t)((uint64_t)outputs * i / n);
    part->n = (uint32_t)((uint64_t)outputs * (i + 1) / n) - part->first;
    own(part);
  }
}

void xbar_see_late(struct xbar *x) {
  x->moved = xcalloc(x->inputs / COUNTS_AT_ONCE + 1, COUNTS_AT_ONCE * sizeof *x->moved);
  for (uint32_t i = 0; i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    part->moved = x->moved;
    part->view = xcalloc(x->inputs / COUNTS_AT_ONCE + 1, sizeof(uint64_t));
  }
}

struct xbar *xbar_part(struct xbar *x, uint32_t i) {
  return i ? &x->more[i - 1] : x;
}

void xbar_add(struct xbar *x, const char *name) {
  for (uint32_t i = 0; i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    part->unit = engine_add(part->engine, name, part->domain, part, xbar_cycle);
    if (x->nmore) /* a part acts on an input when a message was pushed and another part moved the one before it */
      engine_share(part->engine, part->unit);
    for (uint32_t o = part->first; o < part->first + part->n; o++)
      x->unit_of[o] = part->unit;
  }
  x->all = x->unit;
}

void xbar_ends(struct xbar *x, const uint32_t *sender, const uint32_t *receiver) {
  const struct engine *e = x->engine;
  bool even = x->out->data % x->period == 0;
  for (uint32_t o = 0; o < x->outputs; o++)
    even &= x->out[o].data == x->out->data && receiver[o] >> UNIT_SHARD_SHIFT == e->shard &&
            (receiver[o] >> UNIT_CLOCK_SHIFT & 3) == e->clock[x->domain];
  for (uint32_t i = 0; i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    part->sender = sender, part->receiver = receiver;
    part->even = even && !x->nmore, part->arrive = x->out->data / x->period;
  }
}

void xbar_settle(struct xbar *x, uint64_t cycle) {
  for (uint32_t i = 0; packets_even(x) && i <= x->nmore; i++) {
    struct xbar *part = xbar_part(x, i);
    for (uint32_t k = 0; k < part->nasked; k++)
      packets_settle(part, &part->output[part->asked[k]], cycle + 1);
  }
}

struct xbar_counts xbar_counts(const struct xbar *x) {
  struct xbar_counts n = {x->messages, x->flits, x->wait_cycles};
  for (uint32_t i = 0; i < x->nmore; i++) {
    n.messages += x->more[i].messages;
    n.flits += x->more[i].flits;
    n.wait_cycles += x->more[i].wait_cycles;
  }
  return n;
}

void xbar_mask_bytes(struct xbar *x, uint32_t bytes) {
  for (uint32_t n = 0; bytes && n <= MEM_SECTORS; n++)
    x->masked[n] = (8 + n * MEM_SECTOR + bytes + x->flit_bytes - 1) / x->flit_bytes;
}

void xbar_destroy(struct xbar *x) {
  for (uint32_t i = 0; i < x->inputs; i++)
    port_destroy(&x->in[i]);
  for (uint32_t i = 0; i < x->outputs; i++)
    port_destroy(&x->out[i]);
  for (uint32_t i = 0; i < x->nmore; i++)
    disown(&x->more[i]);
  disown(x);
  free(x->in), free(x->out), free(x->busy), free(x->link), free(x->output), free(x->sent), free(x->taken),
      free(x->unit_of), free(x->from), free(x->until);
  free(x->want), free(x->more), free(x->moved);
  xbar_post_free(x);
  voqs_free(x->voqs);
}

static uint64_t to_cycle(const struct xbar *x, uint64_t tick) {
  return engine_cycle_at(x->engine, x->domain, tick);
}

/* For tests: a message that was taken in this cycle by a part of another shard may not be known yet. */
static uint16_t taken_late(const struct xbar *x, uint32_t i) {
  enum { SHARDS = 256 };
  uint64_t moved = __atomic_load_n(&x->moved[i], __ATOMIC_ACQUIRE); /* noted after it is counted */
  uint64_t cycle = engine_cycle(x->engine, x->domain);
  uint16_t taken = __atomic_load_n(&x->taken[i], __ATOMIC_ACQUIRE);
  if (moved / SHARDS != cycle || moved % SHARDS == x->engine->shard)
    return taken;
  return (uint16_t)(taken - delay_mix((cycle << 20 ^ x->first << 10 ^ i) + DELAY_STEP) % 2);
}

/* Has input i a message, and if so, how many were before it? Another part may take it meanwhile, but only if it is not for
 * this one. `late` is known to the compiler: parts that see late have functions of their own. */
static inline bool has_head(const struct xbar *x, uint32_t i, uint16_t *number, bool late) {
  uint16_t sent = count16_seen(&x->sent[i]);
  *number = late ? x->view[i] : count16_seen(&x->taken[i]);
  return sent != *number;
}

/* What a part's cycle is compiled for; these are constants of one text. */
struct form {
  bool late;  /* for tests: what others take is seen late */
  bool whole; /* the crossbar has one part */
  bool post;  /* and that allocates by notes (noc/mail.h), in place of reading and writing the ports */
};

/* The head of an input that has one. It is looked at when it comes, or while the one before it passes: as soon as it can
 * pass at the latest. */
SPECIALIZED const struct xbar_head *head(struct xbar *x, uint32_t i, uint16_t number, uint64_t cycle,
                                         struct form f) {
  struct xbar_head *h = &x->head[i];
  if (h->number == number)
    return h;
  h->number = number;
  h->message = f.post ? NULL : port_message(&x->in[i], number);
  struct xbar_note n = f.post ? x->post->ring[(size_t)i * (x->post->mask + 1) + (number & x->post->mask)]
                              : xbar_note(x, h->message, x->in[i].when[number & x->in[i].mask]);
  h->to = n.output;
  if (f.post)
    h->place = n.place;
  h->mine = f.whole || h->to - x->first < x->n;
  if (!h->mine) {
    x->others[i] = number;
    return h;
  }
  /* when it can pass, and in what packets */
  uint64_t now = x->now, here = n.at > now ? to_cycle(x, n.at) : cycle;
  h->ready = max64(here, x->busy[i]);
  h->left = n.packets & (XBAR_LARGE - 1);
  h->flits = x->packets ? (uint8_t)x->flits_of[n.packets / XBAR_LARGE] : n.flits;
  if (x->speedup > 1) { /* it has come when what was before it on the link has */
    uint64_t since = n.at > now ? 0 : now - n.at;
    uint64_t came =
        max64(x->link[i], since < x->period ? here : cycle - engine_cycles(x->engine, x->domain, since));
    x->link[i] = came + n.flits;
    later(&h->ready, came);
  }
  return h;
}

/* The head of input i goes. */
SPECIALIZED void move(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle, struct form f) {
  struct port *p = &x->in[i];
  const struct xbar_head *h = &x->head[i];
  uint16_t taken = (uint16_t)(x->taken[i] + 1); /* nobody else takes this one */
  if (!f.post) {
    p->popped++;
    __builtin_prefetch(port_message(p, taken)); /* if there is one, it is the next head */
  }
  xbar_send(x, i, o, h->message, h->place, h->flits, cycle - h->ready, cycle, f.post);
  __atomic_store_n(&x->taken[i], taken, __ATOMIC_RELEASE); /* others see busy[i], too */
  if (f.late) {
    x->view[i] = taken;
    __atomic_store_n(&x->moved[i], cycle << 8 | x->engine->shard, __ATOMIC_RELEASE);
  }
}

/* The head of input i, which can pass, asks for output o. */
static inline void ask(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle) {
  struct xbar_output *out = &x->output[o];
  if (out->from != NEVER) { /* packets pass: from here on in turn with those of this one */
    packets_settle(x, out, cycle);
    out->from = NEVER;
    out->busy = cycle;
  }
  x->waits[i] = 1 << 15;
  out->want[i / 64] |= UINT64_C(1) << i % 64;
  if (!out->nwant++)
    x->asked[x->nasked++] = o;
}

/* What an output does that is asked for and not busy. Returns when to look again. */
SPECIALIZED uint64_t serve(struct xbar *x, uint32_t o, struct xbar_output *out, uint64_t cycle,
                           struct form f) {
  if (out->from != NEVER) { /* there is room, and the next packet is the last of its message */
    packets_settle(x, out, cycle);
    out->from = NEVER;
  } else if (!xbar_room(x, o, f.post)) {
    return xbar_next_room(x, o, f.post); /* not known yet: the receiver wakes us */
  } else if (packets_even(x)) {
    uint64_t n = packets_before_last(x, out);
    if (n) {
      out->from = cycle;
      return out->busy = cycle + n;
    }
  }
  uint32_t i = round_robin_choose(x, out);
  if (x->packets && x->head[i].left > 1) {
    x->head[i].left--;
    x->head[i].ready++; /* a cycle in which it did not wait */
    xbar_occupy(x, out, x->head[i].flits, cycle);
    x->waits[i] = 1 << 15; /* it asks on, after the others */
    out->want[i / 64] |= UINT64_C(1) << i % 64;
    out->nwant++;
    return out->busy;
  }
  move(x, i, o, cycle, f);
  if (f.late)
    delay_here(&x->engine->delay);
  /* The next message of the input may be for another part, which is told; of one that came just now and is not seen here, who sent
   * it tells. */
  uint16_t number;
  bool another = has_head(x, i, &number, f.late);
  if (another && !f.whole && x->n != x->outputs) {
    uint32_t unit = x->unit_of[head(x, i, number, cycle, f)->to];
    if (unit != x->unit)
      engine_wake(x->engine, unit, x->now + (x->busy[i] - cycle) * x->period);
  }
  return another || out->nwant ? out->busy : NEVER; /* the input's link is free then as well */
}

/* Every head for which there is room passes; who comes first when there is little rotates. */
SPECIALIZED uint64_t ideal(struct xbar *x, uint64_t cycle, struct form f) {
  uint64_t next = NEVER;
  uint32_t start = (uint32_t)(cycle % x->inputs);
  for (uint32_t k = 0; k < x->inputs; k++) {
    uint32_t i = start + k < x->inputs ? start + k : start + k - x->inputs;
    uint16_t number;
    if (has_head(x, i, &number, f.late) && head(x, i, number, cycle, f)->ready <= cycle) {
      uint32_t o = x->head[i].to;
      if (xbar_room(x, o, f.post)) {
        move(x, i, o, cycle, f);
      } else { /* not known yet: the receiver wakes us */
        sooner(&next, xbar_next_room(x, o, f.post));
        continue;
      }
    }
    if (has_head(x, i, &number, f.late)) {
      uint64_t ready = head(x, i, number, cycle, f)->ready;
      sooner(&next, ready <= cycle ? cycle + 1 : ready);
    }
  }
  return next;
}

/* Counts of messages wrap, so that what is known of a head does not hold forever. An input passes one message in a cycle at
 * most: within an era no count comes twice, nor in two that follow each other. A head of the part's own that has been looked at
 * stays known: its time on the link in front of the input is counted. */
static void forget(struct xbar *x, uint64_t era) {
  bool next = era == x->era + 1;
  x->era = era;
  for (uint32_t i = 0; i < x->inputs; i++) {
    uint16_t taken = __atomic_load_n(&x->taken[i], __ATOMIC_ACQUIRE), before = (uint16_t)(taken - 1);
    x->others[i] = before;
    if (!(next && x->head[i].mine && x->head[i].number == taken))
      x->head[i].number = before;
  }
}

/* The head of input i asks in a later cycle. Returns when it has to be looked at again otherwise. */
static inline uint64_t ask_later(struct xbar *x, uint32_t i, uint64_t ready, uint64_t cycle) {
  if (ready - cycle >= XBAR_LATER)
    return ready;
  x->waits[i] = 1 << 15;
  x->later[ready % XBAR_LATER * x->words + i / 64] |= UINT64_C(1) << i % 64;
  x->later_cycles |= UINT64_C(1) << ready % XBAR_LATER;
  return NEVER;
}

/* Those that were to ask in this cycle. */
static void ask_now(struct xbar *x, uint64_t cycle) {
  uint64_t *set = &x->later[cycle % XBAR_LATER * x->words];
  x->later_cycles &= ~(UINT64_C(1) << cycle % XBAR_LATER);
  for (uint32_t w = 0; w < x->words; w++) {
    for (uint64_t m = set[w]; m; m &= m - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
      ask(x, i, x->head[i].to, cycle);
    }
    set[w] = 0;
  }
}

/* Heads that can pass ask for their outputs. Returns when others can. */
SPECIALIZED uint64_t ask_all(struct xbar *x, uint64_t cycle, struct form f) {
  uint64_t next = NEVER;
  if (x->later_cycles >> cycle % XBAR_LATER & 1)
    ask_now(x, cycle);
  for (uint32_t begin = 0; begin < x->inputs; begin += 64) {
    /* a bit for each input that has a message which may be for this part and does not ask yet */
    uint64_t fresh = 0;
    uint32_t end = begin + 64 < x->inputs ? begin + 64 : x->inputs;
    for (uint32_t first = begin; first < end; first += COUNTS_AT_ONCE) {
      uint64_t sent = counts_seen(&x->sent[first]),
               taken = counts_seen(f.late ? &x->view[first] : &x->taken[first]);
      uint64_t some = counts_not_zero(sent ^ taken) & ~counts_seen(&x->waits[first]);
      if (!f.whole && x->others)
        some &= counts_not_zero(taken ^ counts_seen(&x->others[first]));
      fresh |= some >> (COUNT_BITS - 1 - (first - begin) / COUNTS_AT_ONCE);
    }
    for (uint64_t m = fresh; m; m &= m - 1) {
      uint32_t at = (uint32_t)__builtin_ctzll(m);
      uint32_t i = begin + at % COUNT_BITS * COUNTS_AT_ONCE + at / COUNT_BITS;
      uint16_t number = count16_seen(&x->taken[i]);
      if (!f.whole && !has_head(x, i, &number, f.late)) /* another part has taken it */
        continue;
      const struct xbar_head *h = head(x, i, number, cycle, f);
      if (!h->mine)
        continue;
      if (h->ready <= cycle)
        ask(x, i, h->to, cycle);
      else
        sooner(&next, ask_later(x, i, h->ready, cycle));
    }
  }
  if (x->later_cycles) {
    uint64_t ahead = rotate_right(x->later_cycles, cycle + 1); /* XBAR_LATER bits: all of the word */
    sooner(&next, cycle + 1 + (uint64_t)__builtin_ctzll(ahead));
  }
  return next;
}

SPECIALIZED uint64_t round_robin(struct xbar *x, uint64_t cycle, struct form f) {
  if (!f.whole && x->others && x->era != cycle / ERA)
    forget(x, cycle / ERA);
  uint64_t next = ask_all(x, cycle, f);
  for (uint32_t k = 0; k < x->nasked;) {
    uint32_t o = x->asked[k];
    struct xbar_output *out = &x->output[o];
    sooner(&next, out->busy > cycle ? out->busy : serve(x, o, out, cycle, f));
    if (out->nwant)
      k++;
    else
      x->asked[k] = x->asked[--x->nasked];
  }
  return next == NEVER || next > cycle ? next : cycle + 1;
}

static __attribute__((noinline)) uint64_t round_robin_by_notes(struct xbar *x, uint64_t cycle) {
  return round_robin(x, cycle, (struct form){.whole = true, .post = true});
}

static __attribute__((noinline)) uint64_t ideal_cycle(struct xbar *x, uint64_t cycle) {
  return x->post ? ideal(x, cycle, (struct form){.whole = true, .post = true})
                 : ideal(x, cycle, (struct form){.whole = true});
}

static __attribute__((noinline)) uint64_t round_robin_part(struct xbar *x, uint64_t cycle) {
  return round_robin(x, cycle, (struct form){0});
}

static __attribute__((noinline)) uint64_t round_robin_late(struct xbar *x, uint64_t cycle) {
  for (uint32_t i = 0; i < x->inputs; i++)
    x->view[i] = taken_late(x, i);
  return round_robin(x, cycle, (struct form){.late = true});
}

/* Cycles of a crossbar of one part, as many as can be simulated now (noc/ahead.c). */
HOT static uint64_t cycles(struct xbar *x, uint64_t cycle) {
  const struct form whole = {.whole = true};
  if (cycle < x->fresh) /* called for a slot, or for a message behind others */
    return min64(x->due, x->fresh);
  uint64_t next = round_robin(x, cycle, whole), end = x->from ? xbar_ahead_until(x, cycle, next) : 0;
  if (next >= end)
    return next;
  for (uint64_t left = x->left; next < end && left; left--) {
    cycle = next;
    x->now = cycle * x->period;
    x->engine->steps++;
    next = round_robin(x, cycle, whole);
  }
  x->fresh = cycle + 1;
  x->due = next;
  engine_passed(x->engine, x->unit, x->fresh);
  return next;
}

HOT uint64_t xbar_cycle(void *self, uint64_t cycle) {
  struct xbar *x = self;
  x->now = x->engine->now;
  if (x->voqs)
    return voq_cycle(x, cycle);
  if (x->allocator == NOC_IDEAL)
    return ideal_cycle(x, cycle);
  if (x->post)
    return round_robin_by_notes(x, cycle);
  if (x->view)
    return round_robin_late(x, cycle);
  return x->others ? round_robin_part(x, cycle) : cycles(x, cycle);
}
