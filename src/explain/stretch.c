#include "explain/stretch.h"
#include <string.h>

/* A resource is saturated from this share of what it can do at most; docs/seeing.md says why. */
#define SATURATED 0.7
/* Where requests do queue, the resource that they queue for is used at least so much. */
#define BUSY 0.45
/* A kind of unit is hot in one place if the mean of all is below this share of the busiest. */
#define UNEVEN 0.5

static double sum_of(const double *v, size_t n) {
  double s = 0;
  for (size_t i = 0; v && i < n; i++)
    s += v[i];
  return s;
}
static double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}
static double least(double a, double b) {
  return a < b ? a : b;
}
static double most(double a, double b) {
  return a > b ? a : b;
}

/* The busiest of units that share `all` by how much of `part` each has. */
static double busiest(const struct stretch *s, enum stretch_unit u, double all, double per_unit_cycles,
                      double group) {
  const double *v = s->unit[u];
  size_t n = s->nunits[u], g = group > 1 ? (size_t)group : 1;
  double sum = sum_of(v, n), top = 0;
  for (size_t i = 0; v && i < n; i += g)
    top = most(top, sum_of(v + i, i + g < n ? g : n - i));
  return ratio(all * ratio(top, sum), per_unit_cycles);
}

static void use_network(const struct stretch *s, const struct explain_machine *m, double cycles,
                        double *use) {
  const double *t = s->total;
  if (m->ideal_noc)
    return;
  double noc = cycles * m->noc;
  double up = most(busiest(s, U_SM_REQUESTS, t[T_REQUEST_FLITS], noc, m->sms_per_link),
                   busiest(s, U_SLICE_REQUESTS, t[T_REQUEST_FLITS], noc, 1));
  double down = most(busiest(s, U_SM_ANSWERS, t[T_RESPONSE_FLITS], noc, m->sms_per_link),
                     busiest(s, U_SLICE_ANSWERS, t[T_RESPONSE_FLITS], noc, 1));
  /* inside, flits pass `speedup` times as fast, and the allocation costs a message one of them */
  double flits = m->packet > 0 ? m->packet : ratio(t[T_RESPONSE_FLITS], t[T_RESPONSE_MESSAGES]),
         through = m->allocator;
  if (m->allocator < 1 && m->speedup > 1)
    through = least(1, m->allocator * m->speedup * ratio(flits, flits + 1));
  use[USE_XBAR] = least(1, most(up, down) / most(through, 0.1));
}

static void use_l2(const struct stretch *s, const struct explain_machine *m, double cycles, double *use) {
  size_t n = s->nunits[U_SLICE_ACCESSES];
  double l2 = cycles * m->l2, top = 0, all = 0;
  const double *a = s->unit[U_SLICE_ACCESSES], *atomic = s->unit[U_SLICE_ATOMICS];
  for (size_t i = 0; a && i < n; i++) {
    double busy = a[i] * m->l2_access + (atomic ? atomic[i] * (m->l2_atomic - 1) : 0);
    top = most(top, busy);
    all += busy;
  }
  use[USE_L2] = least(1, ratio(top, l2));
  use[USE_L2_MEAN] = least(1, ratio(all, l2 * (double)n));
  const double *t = s->total;
  use[USE_L2_FULL] =
      least(1, ratio(t[T_L2_WAYS] + t[T_L2_MSHR] + t[T_L2_MERGE] + t[T_L2_QUEUE], l2 * (double)n));
}

static void use_dram(const struct stretch *s, const struct explain_machine *m, double cycles, double *use) {
  double dram = cycles * m->dram, all = 0, fixed = m->fixed_dram ? m->fixed_interval / m->controllers : 0;
  size_t n = s->nunits[U_CHANNEL_BUS], banks = n ? s->nunits[U_BANK_ACTIVATES] / n : 0;
  double refresh = ratio(s->total[T_REFRESHES] * m->refresh, dram * (double)n);
  for (size_t c = 0; c < n; c++) {
    double turns = s->unit[U_CHANNEL_TURNS] ? s->unit[U_CHANNEL_TURNS][c] : 0;
    double bus = fixed > 0 ? 0 : ratio(s->unit[U_CHANNEL_BUS][c] + turns * m->turn, dram * m->controllers),
           act = 0, bank = 0;
    if (!m->free_rows && fixed == 0) {
      act = s->unit[U_CHANNEL_ACTIVATES]
                ? ratio(s->unit[U_CHANNEL_ACTIVATES][c] * m->act, dram * m->controllers)
                : 0;
      for (size_t b = 0; b < banks; b++)
        bank = most(bank, ratio(s->unit[U_BANK_ACTIVATES][c * banks + b] * m->rc, dram));
    }
    double top = least(1, most(bus, most(act, bank)) + refresh);
    all += top;
    if (top > use[USE_DRAM] || !c) {
      use[USE_DRAM] = top;
      use[USE_BUS] = least(1, bus), use[USE_ACT] = least(1, act), use[USE_BANK] = least(1, bank);
    }
  }
  use[USE_DRAM_MEAN] = ratio(all, (double)n);
  /* Banks may be busy for one request after the other. They are no limit unless requests queue: at the DRAM, or before it, in an L2
   * that cannot send more. */
  double wait = s->total[T_LATENCY_DRAM], idle = s->total[T_FETCHED] * m->dram_idle;
  if (s->total[T_FETCHED] > 0 && use[USE_DRAM] > 0) {
    double queue = least(1, most(most(0, 1 - ratio(idle, wait)) / 0.3, use[USE_L2_FULL] / 0.1));
    use[USE_DRAM] *= queue;
    use[USE_DRAM_MEAN] *= queue;
  }
}

static void use_sm(const struct stretch *s, const struct stall_index *k, const struct explain_machine *m,
                   double *use) {
  const double *t = s->total;
  double active = t[T_ACTIVE], slots = active * m->schedulers;
  use[USE_ISSUE] = least(1, ratio(t[T_ISSUED], slots * m->width));
  double select = k->select >= 0 ? s->stall[k->select] : 0;
  use[USE_ELIGIBLE] = ratio(select + t[T_ISSUED] - t[T_MORE], slots);
  use[USE_SHARED] = least(1, ratio(t[T_SHARED], active));
  use[USE_L1_PORT] =
      least(1, most(ratio(t[T_ACCESSES], active * m->l1_ports),
                    ratio((t[T_DATA_READS] + t[T_DATA_WRITES]) * m->l1_line_cycles, active * m->l1_ports)));
  use[USE_L1_REFUSE] = least(1, ratio(t[T_WAYS] + t[T_MSHR] + t[T_MERGE], active));
  use[USE_L1_QUEUE] = least(1, ratio(t[T_QUEUE], active));
  use[USE_REFETCH] = ratio(sum_of(s->unit[U_REFETCHED], s->nunits[U_REFETCHED]),
                           sum_of(s->unit[U_FILLED], s->nunits[U_FILLED]));
  use[USE_WARPS] = ratio(t[T_WARP_CYCLES], active * m->warps);
  double pipe = k->pipe >= 0 ? s->stall[k->pipe] : 0, ldst = k->ldst >= 0 ? s->stall[k->ldst] : 0;
  use[USE_ALU] = ratio(t[T_PIPE] * ratio(pipe, pipe + ldst), slots);
}

/* What the DRAM is short of, at its busiest channel. */
static enum limiter dram_limit(const double *use) {
  if (use[USE_DRAM_MEAN] < UNEVEN * use[USE_DRAM])
    return LIMIT_DRAM_CHANNEL;
  return use[USE_BUS] >= most(use[USE_BANK], use[USE_ACT]) ? LIMIT_DRAM_BANDWIDTH : LIMIT_DRAM_BANKS;
}

static enum limiter l2_limit(const double *use) {
  return use[USE_L2_MEAN] < UNEVEN * use[USE_L2] ? LIMIT_L2_SLICE : LIMIT_L2_BANDWIDTH;
}

/* The resource that queues are full because of: the most used one, and of equals the one furthest behind, if it is used at
 * least so much. LIMIT_LATENCY: none is. */
static enum limiter root_of(const double *use, double at_least) {
  double dram = use[USE_DRAM], l2 = use[USE_L2], xbar = use[USE_XBAR];
  if (dram >= at_least && dram >= l2 - 0.05 && dram >= xbar - 0.05)
    return dram_limit(use);
  if (l2 >= at_least && l2 >= xbar - 0.05)
    return l2_limit(use);
  if (xbar >= at_least)
    return LIMIT_CROSSBAR;
  if (dram >= at_least)
    return dram_limit(use);
  if (use[USE_L2_FULL] >= 0.4) /* behind it, nothing is */
    return LIMIT_L2_MISSES;
  return LIMIT_LATENCY;
}

struct split {
  double limit[NLIMITERS]; /* warp cycles */
};

static double stall(const struct stretch *s, int i) {
  return i >= 0 ? s->stall[i] : 0;
}

/* What a warp that waits for its turn in the load/store unit waits for: what keeps the unit. */
static void split_unit(const double *use, enum limiter root, double time, struct split *to) {
  double shared = use[USE_SHARED], refuse = use[USE_L1_REFUSE], queue = use[USE_L1_QUEUE],
         port = most(0, least(use[USE_L1_PORT], 1 - shared - refuse - queue)),
         all = shared + refuse + queue + port;
  if (all <= 0) {
    to->limit[LIMIT_LATENCY] += time;
    return;
  }
  to->limit[LIMIT_SHARED] += time * shared / all;
  to->limit[root == LIMIT_LATENCY ? LIMIT_MISS_REGISTERS : root] += time * refuse / all;
  to->limit[root == LIMIT_LATENCY ? LIMIT_CROSSBAR : root] += time * queue / all;
  /* while the unit hands over, it is the limit only if it does so nearly always */
  to->limit[port >= 0.5 || all >= SATURATED ? LIMIT_L1_PORTS : LIMIT_LATENCY] += time * port / all;
}

/* The part of the time in a network that is longer than an idle network takes. */
static double queued(double sum, double count, double idle) {
  return sum > 0 ? most(0, 1 - count * idle / sum) : 1; /* without reads, stores and atomics wait */
}

static void split_memory(const struct stretch *s, const struct stall_index *k,
                         const struct explain_machine *m, const double *use, struct split *to) {
  const double *t = s->total;
  enum limiter root = root_of(use, SATURATED), queue = root_of(use, BUSY);
  double refused = stall(s, k->l1_ways) + stall(s, k->l1_mshr) + stall(s, k->l1_merge);
  split_unit(use, root, stall(s, k->ldst), to);
  to->limit[root == LIMIT_LATENCY ? LIMIT_MISS_REGISTERS : root] += refused;
  /* queues: full because of what is behind them */
  double up = queued(t[T_LATENCY_REQUEST], t[T_LATENCY_COUNT], m->way_up),
         down = queued(t[T_LATENCY_RESPONSE], t[T_LATENCY_COUNT], m->way_down);
  to->limit[queue] += stall(s, k->l1_queue) + stall(s, k->request) * up + stall(s, k->l2_queue) +
                      stall(s, k->l2_response) + stall(s, k->response) * down;
  to->limit[LIMIT_LATENCY] += stall(s, k->request) * (1 - up) + stall(s, k->response) * (1 - down);
  enum limiter behind = use[USE_DRAM] >= SATURATED ? dram_limit(use)
                        : root == LIMIT_LATENCY    ? LIMIT_L2_MISSES
                                                   : root;
  to->limit[behind] +=
      stall(s, k->l2_ways) + stall(s, k->l2_mshr) + stall(s, k->l2_merge) + stall(s, k->l2_miss_queue);
  to->limit[use[USE_DRAM] >= SATURATED ? dram_limit(use) : LIMIT_LATENCY] += stall(s, k->dram_queue);
  /* delays that are there whatever else happens */
  to->limit[LIMIT_LATENCY] +=
      stall(s, k->l2) + stall(s, k->dram) + stall(s, k->dram_row) + stall(s, k->dram_bus) + stall(s, k->l1);
  /* stores and fences wait at the same places */
  double memory = 0, rest = stall(s, k->drain) + stall(s, k->fence);
  for (int i = 0; i < NLIMITERS; i++)
    memory += to->limit[i];
  for (int i = 0; i < NLIMITERS && memory > 0; i++)
    to->limit[i] += to->limit[i] / memory * rest;
  if (memory <= 0)
    to->limit[queue] += rest;
}

/* Of what fetches cost, the share of lines that a larger L1 would still have. */
static void take_refetches(const double *use, struct split *to) {
  static const enum limiter of[] = {LIMIT_MISS_REGISTERS, LIMIT_CROSSBAR,     LIMIT_L2_BANDWIDTH,
                                    LIMIT_L2_SLICE,       LIMIT_L2_MISSES,    LIMIT_DRAM_BANDWIDTH,
                                    LIMIT_DRAM_BANKS,     LIMIT_DRAM_CHANNEL, LIMIT_LATENCY};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    double part = to->limit[of[i]] * use[USE_REFETCH];
    to->limit[of[i]] -= part;
    to->limit[LIMIT_L1_CAPACITY] += part;
  }
}

/* What waits for nothing that is full: are there warps enough? */
static enum limiter unhidden(const double *use, const struct explain_machine *m,
                             const struct stretch_launch *l) {
  double could = l->warps > 0 ? least(1, l->warps / m->warps) : use[USE_WARPS];
  if (could < 0.5)
    return LIMIT_FEW_WARPS;
  return use[USE_WARPS] < could / 2 ? LIMIT_IMBALANCE : LIMIT_LATENCY;
}

void stretch_explain(const struct stretch *s, const struct stall_index *k, const struct explain_machine *m,
                     const struct stretch_launch *l, struct explain_part *p) {
  const double *t = s->total;
  double cycles = t[T_CYCLES], slots = cycles * m->sms * m->schedulers, active = t[T_ACTIVE] * m->schedulers;
  double use[NUSES] = {0};
  if (cycles <= 0)
    return;
  use_sm(s, k, m, use);
  use_network(s, m, cycles, use);
  use_l2(s, m, cycles, use);
  use_dram(s, m, cycles, use);
  use[USE_ACTIVE] = ratio(t[T_ACTIVE], cycles * m->sms);
  double idle = t[T_IDLE], pipe = t[T_PIPE], wait = t[T_SCOREBOARD],
         issued = most(0, active - idle - pipe - wait);
  /* SMs and schedulers without work; while something that they share is saturated, more of them would not help */
  enum limiter empty = l->covers ? LIMIT_IMBALANCE : LIMIT_FEW_WARPS, root = root_of(use, SATURATED),
               shared_by_sm = use[USE_SHARED] >= SATURATED    ? LIMIT_SHARED
                              : use[USE_L1_PORT] >= SATURATED ? LIMIT_L1_PORTS
                                                              : root;
  p->limit[root != LIMIT_LATENCY && root != LIMIT_L2_MISSES ? root : empty] += most(0, slots - active);
  p->limit[shared_by_sm != LIMIT_LATENCY              ? shared_by_sm
           : l->warps > 0 && l->warps < m->schedulers ? LIMIT_FEW_WARPS
                                                      : empty] += idle;
  double behind = most(use[USE_XBAR], most(use[USE_L2], use[USE_DRAM]));
  bool full = (use[USE_ISSUE] >= 0.8 && use[USE_ISSUE] >= behind - 0.05) ||
              (use[USE_ISSUE] >= 0.6 && use[USE_ELIGIBLE] >= 1 && root == LIMIT_LATENCY &&
               shared_by_sm == LIMIT_LATENCY);
  if (full) {
    p->limit[LIMIT_ISSUE] += issued + pipe + wait;
  } else {
    p->work += issued;
    struct split memory = {{0}};
    split_memory(s, k, m, use, &memory);
    take_refetches(use, &memory);
    enum limiter hide = unhidden(use, m, l);
    double other = stall(s, k->scoreboard), fetch = stall(s, k->fetch), shared = stall(s, k->shared), all = 0;
    memory.limit[use[USE_SHARED] >= SATURATED ? LIMIT_SHARED : LIMIT_LATENCY] += shared;
    /* results that are late because their pipeline has a backlog */
    double backlog = least(1, 2 * use[USE_ALU]);
    memory.limit[LIMIT_ARITHMETIC] += other * backlog;
    memory.limit[LIMIT_LATENCY] += other * (1 - backlog);
    memory.limit[LIMIT_FETCH] += fetch;
    memory.limit[hide] += hide == LIMIT_LATENCY ? 0 : memory.limit[LIMIT_LATENCY];
    if (hide != LIMIT_LATENCY)
      memory.limit[LIMIT_LATENCY] = 0;
    for (int i = 0; i < NLIMITERS; i++)
      all += memory.limit[i];
    /* who waits at a barrier waits for warps that wait for something else; alone, for the barrier */
    double barrier = stall(s, k->barrier);
    if (all > 0 && barrier < 4 * all) {
      for (int i = 0; i < NLIMITERS; i++)
        memory.limit[i] *= (all + barrier) / all;
      all += barrier;
    } else {
      memory.limit[LIMIT_BARRIERS] += barrier;
      all += barrier;
    }
    /* cycles with ready warps whose pipeline is busy: arithmetic, or the load/store unit */
    double alu = use[USE_ALU] * active, unit = most(0, pipe - alu);
    p->limit[LIMIT_ARITHMETIC] += alu;
    struct split ready = {{0}};
    split_unit(use, root_of(use, SATURATED), unit, &ready);
    take_refetches(use, &ready);
    for (int i = 0; i < NLIMITERS; i++) {
      p->limit[i == LIMIT_LATENCY ? hide : (enum limiter)i] += ready.limit[i];
      p->limit[i] += all > 0 ? wait * memory.limit[i] / all : 0;
    }
    if (all <= 0)
      p->limit[hide] += wait;
  }
  p->cycles += cycles;
  p->slots += slots;
  for (int i = 0; i < NUSES; i++)
    p->use[i] += use[i] * cycles;
  for (size_t i = 0; i < 64; i++)
    p->stall[i] += s->stall[i];
  p->warp_cycles += t[T_WARP_CYCLES];
}
