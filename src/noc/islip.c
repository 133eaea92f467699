/* Virtual output queues and their matching by iSLIP.
 *
 *   input i ─ port ─▶ slots, in a list for each output ──┐ request
 *                        ▲                                ▼
 *                        └─ accept (rotates) ◀── grant (rotates) of each free output
 *
 * A message that has arrived is put in its queue at once; its slot of the port is given back when it leaves.
 *
 * A cycle looks at what changes in it: inputs whose next message arrives and inputs whose link becomes free are in sets by the cycle at
 * which they do (struct upcoming), and only outputs that somebody asks for are matched. */
#include "noc/xbar.h"

#define NONE UINT32_MAX

/* Sets of inputs by cycle, modulo UPCOMING. Whoever is due later is looked at before, and put back. */
enum { UPCOMING = 64 };
struct upcoming {
  uint64_t *set, cycles; /* [cycle][word]; cycles that have somebody */
};

/* A message: when it came, and the slot behind it in its queue, or the next free one. */
struct voq_slot {
  uint64_t arrived; /* cycle */
  uint32_t next;
};

/* A queue: its slots, and when the last message was gone. */
struct voq {
  uint64_t left; /* cycle */
  uint32_t head, tail;
};

struct voqs {
  uint32_t iterations, slots, words, out_words; /* words: of a set of inputs, of outputs */
  struct mem_request *message;                  /* [input][slot] */
  struct voq_slot *slot;                        /* [input][slot] */
  struct voq *queue;                            /* [input][output] */
  uint32_t *free;                               /* [input] */
  uint64_t *want;                               /* [output][word]: inputs with something for it */
  uint32_t *nwant;                              /* [output]: how many */
  uint64_t *asked;                              /* outputs that somebody has something for */
  uint32_t *accept;                             /* [input]: output that is asked first */
  uint32_t *granted;                            /* [input]: the best grant of this round */
  uint64_t *grants;                             /* inputs that have one */
  uint64_t *matched;                            /* outputs, in this cycle: matched, busy or without room */
  uint64_t *open;                               /* inputs whose links are free */
  uint64_t *noted;                              /* inputs of which a message is on its way: in `arriving` */
  struct upcoming arriving, opening;
  uint64_t last; /* cycle */
};

static void upcoming_add(const struct voqs *v, struct upcoming *u, uint32_t i, uint64_t cycle, uint64_t at) {
  uint64_t slot = (at - cycle < UPCOMING ? at : cycle + UPCOMING - 1) % UPCOMING;
  u->set[slot * v->words + i / 64] |= UINT64_C(1) << i % 64;
  u->cycles |= UINT64_C(1) << slot;
}

/* Cycles after `last` up to this one that have somebody, as bits by slot. */
static uint64_t upcoming_until(const struct upcoming *u, uint64_t last, uint64_t cycle) {
  if (cycle - last >= UPCOMING)
    return u->cycles;
  uint64_t n = cycle - last, from = (last + 1) % UPCOMING, m = n ? UINT64_MAX >> (UPCOMING - n) : 0;
  return u->cycles & (m << from | (from ? m >> (UPCOMING - from) : 0));
}

void xbar_use_islip(struct xbar *x, uint32_t iterations, uint32_t slots) {
  struct voqs *v = xcalloc(1, sizeof *v);
  size_t ni = x->inputs, no = x->outputs;
  v->iterations = iterations;
  v->slots = slots;
  v->words = (x->inputs + 63) / 64;
  v->out_words = (x->outputs + 63) / 64;
  v->message = xcalloc(ni * slots, sizeof *v->message);
  v->slot = xcalloc(ni * slots, sizeof *v->slot);
  v->queue = xcalloc(ni * no, sizeof *v->queue);
  v->free = xcalloc(ni, sizeof *v->free);
  v->want = xcalloc(no * v->words, sizeof *v->want);
  v->nwant = xcalloc(no, sizeof *v->nwant);
  v->asked = xcalloc(v->out_words, sizeof *v->asked);
  v->accept = xcalloc(ni, sizeof *v->accept);
  v->granted = xcalloc(ni, sizeof *v->granted);
  v->grants = xcalloc(v->words, sizeof *v->grants);
  v->matched = xcalloc(v->out_words, sizeof *v->matched);
  v->open = xcalloc(v->words, sizeof *v->open);
  v->noted = xcalloc(v->words, sizeof *v->noted);
  v->arriving.set = xcalloc((size_t)UPCOMING * v->words, sizeof *v->arriving.set);
  v->opening.set = xcalloc((size_t)UPCOMING * v->words, sizeof *v->opening.set);
  for (size_t i = 0; i < ni; i++) {
    for (uint32_t s = 0; s < slots; s++)
      v->slot[i * slots + s].next = s + 1 < slots ? s + 1 : NONE;
    v->granted[i] = NONE;
    v->open[i / 64] |= UINT64_C(1) << i % 64;
  }
  for (size_t i = 0; i < ni * no; i++)
    v->queue[i].head = NONE;
  x->voqs = v;
  x->allocator = NOC_ISLIP;
}

void voqs_free(struct voqs *v) {
  if (!v)
    return;
  free(v->message), free(v->slot), free(v->queue);
  free(v->free), free(v->want), free(v->nwant), free(v->asked), free(v->accept), free(v->granted);
  free(v->grants), free(v->matched), free(v->open), free(v->noted), free(v->arriving.set),
      free(v->opening.set);
  free(v);
}

static void put(struct xbar *x, uint32_t i, const struct mem_request *r, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint32_t o = xbar_output(x, r), s = v->free[i];
  struct voq *q = &v->queue[(size_t)i * x->outputs + o];
  struct voq_slot *slot = &v->slot[(size_t)i * v->slots];
  v->free[i] = slot[s].next;
  v->message[(size_t)i * v->slots + s] = *r;
  slot[s] = (struct voq_slot){cycle, NONE};
  if (q->head == NONE) {
    q->head = s;
    v->want[(size_t)o * v->words + i / 64] |= UINT64_C(1) << i % 64;
    v->asked[o / 64] |= UINT64_C(1) << o % 64;
    v->nwant[o]++;
  } else {
    slot[q->tail].next = s;
  }
  q->tail = s;
}

static void take(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle) {
  struct voqs *v = x->voqs;
  struct voq *q = &v->queue[(size_t)i * x->outputs + o];
  uint32_t s = q->head;
  struct voq_slot *slot = &v->slot[(size_t)i * v->slots + s];
  uint64_t since = slot->arrived > q->left ? slot->arrived : q->left;
  xbar_send(x, i, o, &v->message[(size_t)i * v->slots + s], cycle - since, cycle);
  q->left = x->output[o].busy;
  q->head = slot->next;
  slot->next = v->free[i];
  v->free[i] = s;
  v->open[i / 64] &= ~(UINT64_C(1) << i % 64);
  upcoming_add(v, &v->opening, i, cycle, x->busy[i]);
  if (q->head != NONE)
    return;
  v->want[(size_t)o * v->words + i / 64] &= ~(UINT64_C(1) << i % 64);
  if (!--v->nwant[o])
    v->asked[o / 64] &= ~(UINT64_C(1) << o % 64);
}

/* The first input from `from` on that asks and is free. */
static uint32_t first_from(const struct voqs *v, const uint64_t *want, uint32_t from) {
  for (uint32_t k = 0; k <= v->words; k++) {
    uint32_t w = from / 64 + k;
    bool wrapped = w >= v->words;
    w -= wrapped ? v->words : 0;
    uint64_t set = want[w] & v->open[w];
    if (k == 0)
      set &= UINT64_MAX << from % 64;
    if (k == v->words)
      set &= ~(UINT64_MAX << from % 64);
    if (set)
      return w * 64 + (uint32_t)__builtin_ctzll(set);
  }
  return NONE;
}

/* How far output o is from the one input i asks first. */
static uint32_t distance(const struct xbar *x, uint32_t i, uint32_t o) {
  uint32_t a = x->voqs->accept[i];
  return o >= a ? o - a : o + x->outputs - a;
}

/* Every output that is asked for and not matched grants an input; the first round finds out who is busy or has no room. */
static bool grant(struct xbar *x, uint64_t cycle, bool first) {
  struct voqs *v = x->voqs;
  bool any = false;
  for (uint32_t w = 0; w < v->out_words; w++)
    for (uint64_t m = v->asked[w] & ~v->matched[w]; m; m &= m - 1) {
      uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(m);
      if (first && (x->output[o].busy > cycle || !xbar_room(x, o))) {
        v->matched[w] |= m & -m;
        continue;
      }
      uint32_t i = first_from(v, v->want + (size_t)o * v->words, x->output[o].turn);
      if (i == NONE)
        continue;
      any = true;
      if (v->granted[i] == NONE || distance(x, i, o) < distance(x, i, v->granted[i]))
        v->granted[i] = o;
      v->grants[i / 64] |= UINT64_C(1) << i % 64;
    }
  return any;
}

/* Grants and accepts once. False: no output found an input. */
static bool match_once(struct xbar *x, uint64_t cycle, bool first) {
  struct voqs *v = x->voqs;
  if (!grant(x, cycle, first))
    return false;
  for (uint32_t w = 0; w < v->words; w++) {
    for (uint64_t m = v->grants[w]; m; m &= m - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m), o = v->granted[i];
      v->granted[i] = NONE;
      if (first) {
        x->output[o].turn = i + 1 == x->inputs ? 0 : i + 1;
        v->accept[i] = o + 1 == x->outputs ? 0 : o + 1;
      }
      take(x, i, o, cycle);
      v->matched[o / 64] |= UINT64_C(1) << o % 64;
    }
    v->grants[w] = 0;
  }
  return true;
}

static void sooner(uint64_t *next, uint64_t t) {
  if (t < *next)
    *next = t;
}

/* Input i: what has arrived is put into its queue, what has not is noted. */
static void arrive(struct xbar *x, uint32_t i, uint64_t cycle) {
  struct voqs *v = x->voqs;
  struct port *p = &x->in[i];
  uint64_t now = x->engine->now, bit = UINT64_C(1) << i % 64;
  uint16_t taken = x->taken[i],
           sent = __atomic_load_n(&x->sent[i], __ATOMIC_ACQUIRE); /* a sender may be at it */
  for (; taken != sent && *port_when(p, taken) <= now; taken++) {
    put(x, i, port_message(p, taken), cycle);
    if (!x->mail) /* the sender's shard does */
      port_take(p);
  }
  x->taken[i] = taken;
  v->noted[i / 64] &= ~bit;
  if (taken == sent)
    return;
  v->noted[i / 64] |= bit;
  upcoming_add(v, &v->arriving, i, cycle, engine_cycle_at(x->engine, x->domain, *port_when(p, taken)));
}

/* Inputs of which a message is to arrive now, or has been sent since they were last looked at. */
static void arrivals(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  for (uint64_t c = upcoming_until(&v->arriving, v->last, cycle); c; c &= c - 1) {
    uint64_t slot = (uint64_t)__builtin_ctzll(c), *set = &v->arriving.set[slot * v->words];
    v->arriving.cycles &= ~(UINT64_C(1) << slot);
    for (uint32_t w = 0; w < v->words; w++) {
      uint64_t m = set[w];
      for (set[w] = 0; m; m &= m - 1)
        arrive(x, w * 64 + (uint32_t)__builtin_ctzll(m), cycle);
    }
  }
  if (x->by_window && x->engine->by_unit && x->looked == x->window)
    return;
  x->looked = x->window;
  for (uint32_t i = 0; i < x->inputs; i++)
    if (x->taken[i] != __atomic_load_n(&x->sent[i], __ATOMIC_ACQUIRE) && !(v->noted[i / 64] >> i % 64 & 1))
      arrive(x, i, cycle);
}

/* Links of inputs that are free again. */
static void reopen(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  for (uint64_t c = upcoming_until(&v->opening, v->last, cycle); c; c &= c - 1) {
    uint64_t slot = (uint64_t)__builtin_ctzll(c), *set = &v->opening.set[slot * v->words];
    v->opening.cycles &= ~(UINT64_C(1) << slot);
    for (uint32_t w = 0; w < v->words; w++) {
      uint64_t m = set[w];
      for (set[w] = 0; m; m &= m - 1) {
        uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
        if (x->busy[i] > cycle)
          upcoming_add(v, &v->opening, i, cycle, x->busy[i]);
        else
          v->open[w] |= UINT64_C(1) << i % 64;
      }
    }
  }
}

/* The first cycle after this one in which an output could take something that is here, its input's link being free; or in which
 * something arrives. */
static uint64_t next_chance(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  uint64_t next = NEVER;
  if (v->arriving.cycles) {
    unsigned at = (unsigned)((cycle + 1) % UPCOMING);
    uint64_t m = v->arriving.cycles >> at | (at ? v->arriving.cycles << (UPCOMING - at) : 0);
    next = cycle + 1 + (uint64_t)__builtin_ctzll(m);
  }
  for (uint32_t w = 0; w < v->out_words; w++)
    for (uint64_t m = v->asked[w]; m; m &= m - 1) {
      if (next == cycle + 1)
        return next;
      uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(m);
      uint64_t at = x->output[o].busy > cycle ? x->output[o].busy : cycle + 1;
      if (!xbar_room(x, o)) { /* NEVER: not known yet, the receiver wakes us */
        uint64_t room = xbar_next_room(x, o);
        at = room > at ? room : at;
      }
      sooner(&next, at);
    }
  return next;
}

uint64_t islip_cycle(struct xbar *x, uint64_t cycle) {
  struct voqs *v = x->voqs;
  arrivals(x, cycle);
  reopen(x, cycle);
  v->last = cycle;
  for (uint32_t w = 0; w < v->out_words; w++)
    v->matched[w] = 0;
  for (uint32_t k = 0; k < v->iterations && match_once(x, cycle, k == 0); k++) {
  }
  return next_chance(x, cycle);
}
