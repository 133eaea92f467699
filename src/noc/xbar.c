#include "noc/xbar.h"
#include "base/hot.h"
#include "base/bits.h"
#include "noc/alloc/round_robin.h"

enum { ERA = 1 << 15 }; /* cycles */

static uint64_t to_cycle(const struct xbar *x, uint64_t tick) {
  return engine_cycle_at(x->engine, x->domain, tick);
}

/* For tests: messages of input i that were taken; a message that a part of another shard took in this cycle is left out at random. */
static uint16_t taken_late(const struct xbar *x, uint32_t i) {
  enum { SHARDS = 256 };
  uint64_t moved = __atomic_load_n(&x->moved[i], __ATOMIC_ACQUIRE); /* written after `taken` */
  uint64_t cycle = engine_cycle(x->engine, x->domain);
  uint16_t taken = __atomic_load_n(&x->taken[i], __ATOMIC_ACQUIRE);
  if (moved / SHARDS != cycle || moved % SHARDS == x->engine->shard)
    return taken;
  return (uint16_t)(taken - delay_mix((cycle << 20 ^ x->first << 10 ^ i) + DELAY_STEP) % 2);
}

/* Has input i a message? *number: how many messages came before it. Another part may take the message meanwhile, but only if the
 * message is not for this part. `late` is a constant after inlining: parts that see late have functions of their own. */
static inline bool has_head(const struct xbar *x, uint32_t i, uint16_t *number, bool late) {
  uint16_t sent = count16_seen(&x->sent[i]);
  *number = late ? x->view[i] : count16_seen(&x->taken[i]);
  return sent != *number;
}

/* What a part's cycle is compiled for: constants of a specialized function. */
struct form {
  bool late;  /* for tests: what other parts take is seen late */
  bool whole; /* the crossbar has one part */
  bool post;  /* the crossbar allocates by notes (noc/mail.h), and does not read or write the ports */
  /* Of the usual kind: whole, up to 64 inputs and outputs, a speedup of 2, packets of a flit if there are any, all ends in the crossbar's
   * shard and of its clock. */
  bool usual;
};

/* The head of input i, which has a message. The part examines a head when it comes, or while the message before it passes, at the
 * latest when the head can pass. */
SPECIALIZED const struct xbar_head *head(struct xbar *x, uint32_t i, uint16_t number, uint64_t cycle,
                                         struct form f) {
  struct xbar_head *h = &x->head[i];
  if (h->number == number)
    return h;
  h->number = number;
  h->message = f.post ? NULL : port_line(&x->in[i], number);
  struct xbar_note n = f.post ? x->post->ring[(size_t)i * (x->post->mask + 1) + (number & x->post->mask)]
                              : xbar_note(x, h->message, 0, f.usual);
  h->to = n.output;
  if (f.post)
    h->place = n.place;
  h->mine = f.whole || h->to - x->first < x->n;
  if (!f.whole && !h->mine) {
    x->others[i] = number;
    return h;
  }
  if (!f.post) /* not before: the part whose head it is writes there when it gives the slot back */
    n.at = x->in[i].when[number & x->in[i].mask];
  /* when the head can pass, and in what packets */
  uint64_t now = x->now, here = n.at > now ? to_cycle(x, n.at) : cycle;
  h->ready = max64(here, x->busy[i]);
  h->left = n.packets & (XBAR_LARGE - 1);
  if (f.usual)
    h->flits = x->packets ? 1 : n.flits;
  else
    h->flits = x->packets ? (uint8_t)x->flits_of[n.packets / XBAR_LARGE] : n.flits;
  if (f.usual || x->speedup > 1) { /* the head follows the message before it on the link */
    uint64_t since = n.at > now ? 0 : now - n.at;
    uint64_t came =
        max64(x->link[i], since < x->period ? here : cycle - engine_cycles(x->engine, x->domain, since));
    x->link[i] = came + n.flits;
    later(&h->ready, came);
  }
  return h;
}

/* The head of input i passes to output o. */
SPECIALIZED void move(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle, struct form f) {
  struct port *p = &x->in[i];
  const struct xbar_head *h = &x->head[i];
  uint16_t taken = (uint16_t)(x->taken[i] + 1); /* no other part takes this message */
  if (!f.post) {
    p->popped++;
    __builtin_prefetch(h->message + 1); /* the next head, if there is one */
  }
  xbar_send(x, i, o, h->message, h->place, h->flits, cycle - h->ready, cycle, f.post, f.usual);
  __atomic_store_n(&x->taken[i], taken, __ATOMIC_RELEASE); /* other parts then see busy[i], too */
  if (f.late) {
    x->view[i] = taken;
    __atomic_store_n(&x->moved[i], cycle << 8 | x->engine->shard, __ATOMIC_RELEASE);
  }
}

/* The head of input i, which can pass, asks for output o. */
SPECIALIZED void ask(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle, struct form f) {
  struct xbar_output *out = &x->output[o];
  if (out->from != NEVER) { /* packets pass: from now on in turn with packets of input i */
    packets_settle(x, out, cycle);
    out->from = NEVER;
    out->busy = cycle;
  }
  if (f.usual) {
    x->waits[0] |= UINT64_C(1) << i;
    out->set |= UINT64_C(1) << i;
    out->nwant++;
    x->asking |= UINT64_C(1) << o;
    return;
  }
  x->waits[i / 64] |= UINT64_C(1) << i % 64;
  out->want[i / 64] |= UINT64_C(1) << i % 64;
  if (!out->nwant++)
    x->asked[x->nasked++] = o;
}

/* Simulates a cycle of an output that heads ask for and that is not busy. Returns the cycle at which to serve it again. */
SPECIALIZED uint64_t serve(struct xbar *x, uint32_t o, struct xbar_output *out, uint64_t cycle,
                           struct form f) {
  if (out->from != NEVER) { /* there is room, and the next packet is the last of its message */
    packets_settle(x, out, cycle);
    out->from = NEVER;
  } else if (!xbar_room(x, o, f.post)) {
    return xbar_next_room(x, o, f.post); /* NEVER: the receiver wakes the crossbar */
  } else if (x->packets_even) {
    uint64_t n = packets_before_last(x, out);
    if (n) {
      out->from = cycle;
      return out->busy = cycle + n;
    }
  }
  uint32_t i = round_robin_choose(x, out, f.usual);
  if (!f.usual && x->packets && x->head[i].left > 1) {
    x->head[i].left--;
    x->head[i].ready++; /* a cycle in which the message did not wait */
    xbar_occupy(x, out, x->head[i].flits, cycle, false);
    x->waits[i / 64] |= UINT64_C(1) << i % 64; /* input i asks on, after the others */
    out->want[i / 64] |= UINT64_C(1) << i % 64;
    out->nwant++;
    return out->busy;
  }
  move(x, i, o, cycle, f);
  if (f.late)
    delay_here(&x->engine->delay);
  /* The next message of the input may be for another part, which is woken. For a message that came just now and is not seen here, its
   * sender wakes that part. */
  uint16_t number;
  bool another = has_head(x, i, &number, f.late);
  if (another && !f.whole && x->n != x->outputs) {
    uint32_t unit = x->unit_of[head(x, i, number, cycle, f)->to];
    if (unit != x->unit)
      engine_wake(x->engine, unit, x->now + (x->busy[i] - cycle) * x->period);
  }
  return another || out->nwant ? out->busy : NEVER; /* the input's link is free then as well */
}

/* Every head for which there is room passes; the input that comes first, where room is short, rotates. */
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
      } else { /* NEVER: the receiver wakes the crossbar */
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

/* Forgets heads when an era begins: counts of messages wrap, so a head's number does not identify a message forever. An input passes at
 * most one message in a cycle, so no count occurs twice within two successive eras. A head for the part itself that has been examined
 * stays known, as its time on the link in front of the input is counted already. */
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

/* Notes that the head of input i asks in cycle `ready`. Returns NEVER; or `ready`, if the cycle is too far ahead to note. */
SPECIALIZED uint64_t ask_later(struct xbar *x, uint32_t i, uint64_t ready, uint64_t cycle, struct form f) {
  if (ready - cycle >= XBAR_LATER)
    return ready;
  if (f.usual) {
    x->waits[0] |= UINT64_C(1) << i;
    x->later[ready % XBAR_LATER] |= UINT64_C(1) << i;
    x->later_cycles |= UINT64_C(1) << ready % XBAR_LATER;
    return NEVER;
  }
  x->waits[i / 64] |= UINT64_C(1) << i % 64;
  x->later[ready % XBAR_LATER * x->words + i / 64] |= UINT64_C(1) << i % 64;
  x->later_cycles |= UINT64_C(1) << ready % XBAR_LATER;
  return NEVER;
}

/* Heads that were noted for this cycle ask for their outputs. */
SPECIALIZED void ask_now(struct xbar *x, uint64_t cycle, struct form f) {
  uint32_t words = f.usual ? 1 : x->words;
  uint64_t *set = &x->later[cycle % XBAR_LATER * words];
  x->later_cycles &= ~(UINT64_C(1) << cycle % XBAR_LATER);
  for (uint32_t w = 0; w < words; w++) {
    for (uint64_t m = set[w]; m; m &= m - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
      ask(x, i, x->head[i].to, cycle, f);
    }
    set[w] = 0;
  }
}

/* Heads that can pass ask for their outputs. Returns the cycle at which the next head can. */
SPECIALIZED uint64_t ask_all(struct xbar *x, uint64_t cycle, struct form f) {
  uint64_t next = NEVER;
  if (x->later_cycles >> cycle % XBAR_LATER & 1)
    ask_now(x, cycle, f);
  for (uint32_t begin = 0; begin < (f.usual ? 1 : x->inputs); begin += 64) {
    /* a bit for each input that has a message which may be for this part and does not ask yet */
    uint64_t fresh = 0;
    uint32_t end = begin + 64 < x->inputs ? begin + 64 : x->inputs;
    for (uint32_t first = begin; first < end; first += COUNTS_AT_ONCE) {
      const uint16_t *taken = f.late ? x->view : x->taken;
      uint32_t some = counts_differ(&x->sent[first], &taken[first]);
      if (!f.whole && x->others)
        some &= counts_differ(&x->others[first], &taken[first]);
      fresh |= (uint64_t)some << (first - begin);
    }
    fresh &= ~x->waits[begin / 64];
    for (uint64_t m = fresh; m; m &= m - 1) {
      uint32_t i = begin + (uint32_t)__builtin_ctzll(m);
      uint16_t number = count16_seen(&x->taken[i]);
      if (!f.whole && !has_head(x, i, &number, f.late)) /* another part has taken the message */
        continue;
      const struct xbar_head *h = head(x, i, number, cycle, f);
      if (!f.whole && !h->mine)
        continue;
      if (h->ready <= cycle)
        ask(x, i, h->to, cycle, f);
      else
        sooner(&next, ask_later(x, i, h->ready, cycle, f));
    }
  }
  if (x->later_cycles) {
    uint64_t ahead = rotate_right(x->later_cycles, cycle + 1); /* all XBAR_LATER = 64 bits of the word */
    sooner(&next, cycle + 1 + (uint64_t)__builtin_ctzll(ahead));
  }
  return next;
}

SPECIALIZED uint64_t round_robin(struct xbar *x, uint64_t cycle, struct form f) {
  if (!f.whole && x->others && x->era != cycle / ERA)
    forget(x, cycle / ERA);
  uint64_t next = ask_all(x, cycle, f);
  if (f.usual) {
    for (uint64_t m = x->asking; m; m &= m - 1) {
      uint32_t o = (uint32_t)__builtin_ctzll(m);
      struct xbar_output *out = &x->output[o];
      sooner(&next, out->busy > cycle ? out->busy : serve(x, o, out, cycle, f));
      if (!out->nwant)
        x->asking ^= m & -m;
    }
    return next;
  }
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

/* Simulates cycles of a crossbar with one part, as many as can be simulated now (xbar_ahead_until()). */
SPECIALIZED uint64_t cycles(struct xbar *x, uint64_t cycle, struct form f) {
  if (cycle < x->fresh) /* called for a slot, or for a message behind others */
    return min64(x->due, x->fresh);
  uint64_t first = cycle, end = 0, left = 0;
  for (;;) { /* the cycle is inlined once: twice, it takes twice the lines of the host's instruction cache */
    uint64_t next = round_robin(x, cycle, f);
    if (cycle == first) {
      end = x->from ? xbar_ahead_until(x, cycle, next) : 0;
      if (next >= end)
        return next;
      left = x->left;
    } else {
      left--;
    }
    if (next >= end || !left) {
      x->fresh = cycle + 1;
      x->due = next;
      engine_passed(x->engine, x->unit, x->fresh);
      return next;
    }
    cycle = next;
    x->now = cycle * x->period;
    x->engine->steps++;
  }
}

static __attribute__((noinline)) uint64_t whole_cycles(struct xbar *x, uint64_t cycle) {
  return cycles(x, cycle, (struct form){.whole = true});
}

HOT uint64_t xbar_cycle(void *self, uint64_t cycle) {
  struct xbar *x = self;
  x->now = x->engine->now;
  if (x->usual)
    return cycles(x, cycle, (struct form){.whole = true, .usual = true});
  if (x->voqs)
    return voq_cycle(x, cycle);
  if (x->allocator == NOC_IDEAL)
    return ideal_cycle(x, cycle);
  if (x->post)
    return round_robin_by_notes(x, cycle);
  if (x->view)
    return round_robin_late(x, cycle);
  return x->others ? round_robin_part(x, cycle) : whole_cycles(x, cycle);
}

/* How far a crossbar runs ahead of the other units, as partitions (l2/ahead.h) and SMs (sm_cycle()) do, so that the host's caches hold the
 * crossbar's state for several cycles, and that SMs know which messages come to them.
 *
 *   others     c ────────────▶ want of a sender     what is sent from then on is at the crossbar in the cycle after it
 *   crossbar   c ■■■■■■■■■■■■■■■■■ fresh
 *
 * What a cycle does is the same as if it were simulated later:
 *
 *   messages   of a sender that is ahead or asleep are in its port, up to `want`. A sender of which nothing is known may send meanwhile, as
 *              long as its input holds more messages than can pass: what comes behind them is looked at when its turn comes.
 *   slots      of all outputs are known, as many as there are cycles. A slot that comes back earlier changes nothing.
 *   counters   are read at serial points, beyond which no unit runs (`horizon` of the engine), and at the end of a launch, before which all
 *              messages have arrived. */
enum { LOOK_AGAIN = 4 /* cycles after a look in vain */ };

/* The first cycle in which the sender of input i may send a message that is not in its port yet. A sender without a slot may send as soon as
 * it gets a slot. */
static inline uint64_t sends_at(const struct xbar *x, uint32_t i, uint64_t cycle) {
  const struct xbar_sender *s = &x->from[i];
  const struct unit *u = &x->engine->unit[s->unit & UNIT_INDEX];
  const struct port *p = &x->in[i];
  if (p->pushed - p->released >= p->capacity)
    return max64(*s->fresh, cycle);
  return *s->fresh > cycle ? *s->want : min64(u->wake, u->call);
}

HOT uint64_t xbar_ahead_until(struct xbar *x, uint64_t cycle, uint64_t next) {
  if (!x->engine->horizon || next == NEVER || cycle < x->look_at)
    return 0;
  uint64_t last = min64(cycle + x->reach, (x->engine->horizon - 1) / x->period);
  for (uint32_t i = 0; i < x->inputs && last >= next; i++) {
    uint32_t here = x->in[i].pushed - x->in[i].popped; /* at most one message passes in a cycle */
    sooner(&last, max64(sends_at(x, i, cycle), cycle + here));
  }
  x->left = last >= next ? UINT64_MAX : 0; /* cycles for which all outputs are known to have slots */
  for (uint32_t o = 0; o < x->outputs && x->left; o++)
    sooner(&x->left, port_slots(&x->out[o], x->now));
  if (x->left)
    return last + 1;
  x->look_at = cycle + LOOK_AGAIN;
  return 0;
}

HOT uint64_t xbar_known(struct xbar *x, uint64_t cycle) {
  if (x->looked == cycle) /* computed for the first SM that asks in a cycle */
    return x->known;
  const struct unit *u = &x->engine->unit[x->unit & UNIT_INDEX];
  uint64_t known = x->nasked || x->asking ? cycle : min64(cycle + x->reach, min64(u->wake, u->call));
  for (uint32_t i = 0; i < x->inputs && known > cycle; i++)
    sooner(&known, sends_at(x, i, cycle));
  x->looked = cycle;
  return x->known = max64(x->fresh, max64(known, cycle));
}
