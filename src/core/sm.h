/* A streaming multiprocessor: CTAs, warps, schedulers, pipelines, the load/store unit and its L1.
 *
 * Nobody polls: a warp knows the cycle at which the registers of its next instruction are ready
 * (`ready`, NEVER while a load is out), a pipeline the cycle at which it can take the next one. */
#ifndef SLUICE_CORE_SM_H
#define SLUICE_CORE_SM_H

#include "engine/engine.h"
#include "core/config.h"
#include "core/counters.h"
#include "mem/addrmap.h"
#include "mem/checker.h"
#include "mem/mem.h"
#include "core/collector.h"
#include "core/supply.h"
#include "l1/l1.h"
#include "l1/coherent.h"
#include "l1/retry.h"
#include "mem/request_ring.h"
#include "l1/scalar.h"
#include "core/sched/sched.h"
#include "core/stall.h"
#include "core/work.h"
#include "stat/detail.h"

/* What an instruction needs to issue. A compute unit has vector ALUs of its own for each SIMD, a scalar unit,
 * a branch unit and local memory beside the load/store unit. */
enum sm_pipe {
  PIPE_SP,
  PIPE_SFU,
  PIPE_MEM,
  PIPE_NONE,
  SIMT_PIPES,
  PIPE_SCALAR = SIMT_PIPES,
  PIPE_BRANCH,
  PIPE_LDS,
  PIPE_SMEM, /* loads of the scalar unit */
  PIPE_SIMD,
  SM_PIPES = PIPE_SIMD + GCN_SIMDS
};
enum { SM_MAX_UNITS = 16, SM_MAX_REGS = 1024, SM_MAX_PORTS = 8 };
enum { SM_SOON = 64 };
/* 64 lanes, each in a line of its own; in local memory eight rows of them. */
enum { SM_MAX_ACCESSES = 512 };

/* 128 bytes. */
struct sm_warp {
  const struct warp_inst *next,
      *end;             /* what is left of its block; NULL: nothing that is known, or nothing at all */
  const uint32_t *item; /* the next of its items in the stream */
  uint64_t pc;          /* of the next instruction */
  uint64_t mask;
  uint64_t fetch_ready; /* cycle at which fetched ones can issue; NEVER: the L1I has missed */
  uint64_t since;       /* first cycle not yet booked (stall.h) */
  uint64_t *reg_ready;  /* by register: the cycle from which it can be read */
  uint8_t *reg_cause;   /* enum stall: what one waits for in waiting for it */
  uint64_t closed_mark; /* what `closed` was of its pipeline when it became ready */
  uint32_t fetched;     /* instructions left in its buffer */
  uint32_t loads;       /* instructions whose data is out */
  uint32_t stores;      /* requests not yet acknowledged */
  uint32_t queued;      /* line accesses in a technique's order before the L1 */
  uint8_t pipe;         /* of its next instruction */
  bool live;            /* not yet drained */
  bool ended;           /* has issued everything */
  bool at_barrier;
  uint8_t barrier; /* at_barrier: which */
  uint8_t lanes;   /* of the mask */
  uint32_t number; /* of the block */
  uint32_t cta;    /* slot */
  uint32_t in_cta; /* which warp of it */
  struct supply_cta *stream;
};

struct sm_cta {
  struct supply_cta *stream;         /* NULL: free */
  uint32_t warps, left, undrained; /* warps in all; not yet ended; ended or not, with work outstanding */
  uint32_t threads, registers;
  uint64_t shared;
  struct {
    uint32_t arrived, expected;
  } barrier[16];
};

/* A memory instruction in the load/store unit. */
struct sm_memop {
  struct l1_of of;
  uint32_t vmb;  /* its entry */
  bool keeps;    /* that, until its last answer; else until its last access */
  bool shared;   /* it uses shared memory */
  uint64_t at;   /* cycle from which its operands are there */
  bool param;    /* a parameter, which has no tracker yet */
  bool data;     /* and nothing else, for which its registers wait: it has no tracker */
  uint32_t busy; /* shared memory: cycles it occupies the unit */
  uint32_t n, next;
  uint32_t merge;       /* lanes of a group, which alone share accesses; 0: all of them do */
  uint64_t seen;        /* while they are found: marks of their lines */
  bool apart;           /* lanes that name the same bytes share no access */
  uint32_t from, group; /* the first access of the lanes at hand, which may share it; which lanes these are */
  struct sm_access access[SM_MAX_ACCESSES];
};

/* A load whose answers are counted; or a store, where its entry in the buffer or its warp waits for them. */
struct sm_tracker {
  const struct warp_inst *inst;
  uint32_t warp, left, next_free;
  uint32_t vmb; /* entry in the buffer of instructions under way */
  bool store;
  uint16_t degree, hits; /* line accesses; those that hit, where a technique counts them */
  bool bypass;
  uint8_t fail_cause; /* the L1 refused its access last, for this; SLUICE_NFAILS: it did not */
  uint64_t issued;
  uint64_t tried;      /* cycle of its accesses' last attempt at the L1 */
  uint32_t delay;      /* cycles before that which are the L1's (l1d.latency_first) */
  uint32_t refused[4]; /* cycles its accesses were refused, by cause */
};

struct sm_stats {
#define X(id, name, unit, help, where)
#define S(id, field, name, unit, help) uint64_t field;
  SM_COUNTERS(X, S)
#undef X
#undef S
  struct work_count work[WORK_KEYS];      /* issued instructions, with their lanes */
  uint64_t l1_fail_cycles[SLUICE_NFAILS]; /* of l1_fail_stall_cycles, by what was missing at the last try */
  uint64_t stall[NSTALLS];                /* warp cycles by what they were spent on */
  uint64_t stage[NSTAGES];                /* cycles of the reads answered, by where they were */
  uint64_t stage_bucket[NSTAGES][STAT_BUCKETS], latency_bucket[STAT_BUCKETS];
};

/* Most SMs are plain (below), which is known where `plain` is a constant: they need not ask for anything else. */
#define FAST_OR_GENERAL static inline __attribute__((always_inline))

/* The running launch, as all SMs know it. */
struct sm_launch {
  struct supply *supply;
  struct error *err;
  unsigned width;              /* lanes of a warp */
  bool wide;                   /* more than 32 */
  uint32_t threads, registers; /* of a CTA */
  uint32_t register_room;      /* those of an SM that CTAs can have */
  uint64_t shared;             /* of a CTA */
  uint32_t number;             /* of the launch, from 1 */
};
/* SMs of a lane on which CTAs ended in this window. */
struct sm_ended {
  uint32_t *sm, n;
};

/* What every cycle looks at comes first: an SM is seldom still in the host's first-level cache when it runs. */
struct sm {
  _Alignas(64) struct engine *engine; /* its clock; on lines of the host's cache that no other SM is on */
  const struct core_config *k;
  struct port *in, *out;              /* from and to the network */
  struct port *ask, *reply, *notice;  /* loads of other SMs of the link, and what the L1 has; NULL: no such */
  uint64_t now;                       /* cycle being simulated */
  uint64_t last;                      /* cycle that was simulated last */
  uint32_t nctas_running, live_warps; /* CTAs and warps that are resident */
  uint32_t nwarps, words;             /* words: of a set of warps */
  uint64_t mem_busy;                  /* cycle until which shared memory keeps the unit busy */
  uint32_t mem_head, mem_count, mem_mask;
  uint32_t nfetch_failed;  /* warps whose fetch the L1I could not take */
  bool mem_fresh;     /* something was accepted in this cycle */
  bool mem_blocked;   /* the L1 refused the head */
  bool mem_again;     /* and would do so again */
  uint8_t mem_until;  /* what may let it pass (l1_retry_events()) */
  bool active;        /* a CTA was resident when this cycle began, which is one of a launch */
  bool gate_stale;    /* something happened that the warp gate may decide by */
  bool answer_shared; /* tracker_answer() is called by shared memory */
  bool issue_fast;   /* warps in one word, no warp gate, no rule of a compute unit or an active set, no waits noted */
  bool fast;  /* that, and accesses go straight into the L1: no order or queue of a technique, no buffer of
                        * instructions under way, no other SM or L2 that wants lines, loads or answers */
  bool no_allocate; /* stores beyond local memory go around the L1, and nobody wants to know of them */
  bool load_fast;     /* plain, lines of the L1 are one sector, and no technique wants to know of loads */
  bool issue_stale;    /* something has changed for the schedulers since they were asked last */
  uint64_t issue_at;   /* if not: cycle at which one of them may issue next */
  uint64_t booked;     /* last cycle for which their counters are up to date */
  uint64_t counted;    /* the same of active_cycles and warp_cycles */
  uint64_t next_ready; /* no warp is ready before it but those in `can` */
  uint64_t looked;     /* cycle of the last look */
  uint64_t soon_at;    /* cycles of the ring `soon` at which there are warps */
  uint64_t late_least; /* the first of `late` */
  struct sm_warp *warp;
  uint64_t *ready;        /* by warp: cycle its next instruction may issue; NEVER: waits for an event */
  struct stamp_pool stamps; /* of requests under way */
  struct request_ring miss, cmiss, imiss; /* of the L1 data, constant and instruction caches */
  uint64_t data_sent;                     /* cycle in which one of the first two, or past them, left last */
  struct l1_hooks l1;
  struct sm_memop *memop;   /* ring */
  struct l1_delayed *delay; /* ring: accesses on their way to the tags, one per cycle */
  uint32_t delay_head, delay_count, delay_mask;
  struct port *scalar_ask, *scalar_reply; /* to and from the scalar cache; NULL: none */
  uint64_t pipe_at[SM_PIPES]; /* cycle from which each takes an instruction; NEVER: an event tells */
  uint64_t can[4];            /* warps with ready <= now, as of the last look */
  uint64_t uses[4][SM_PIPES]; /* those by the pipeline of their next instruction */
  /* warps by the cycle they are ready, modulo the ring; those ready later than it reaches */
  uint64_t soon[SCHED_WORDS][SM_SOON], late[SCHED_WORDS];
  const struct sm_launch *launch;
  struct sm_ended *ended; /* of its lane */
  const struct addrmap *map;
  uint32_t id, unit;
  struct sm_cta *cta;
  uint64_t *registers_ready; /* of all warps; there from the first CTA on */
  uint8_t *registers_cause;  /* the same */
  uint32_t register_count;   /* of each warp */
  struct sched sched[SM_MAX_UNITS];
  uint32_t on_scheduler[SM_MAX_UNITS];        /* live warps */
  uint64_t pipe_free[PIPE_MEM][SM_MAX_UNITS]; /* pipelines of several units: cycle at which each is free */
  uint32_t pipe_units[PIPE_MEM];
  uint64_t long_until[PIPE_MEM];  /* when the last of them is free, but for: */
  uint32_t short_units[PIPE_MEM]; /* units taken in the cycle of the last issue for only that */
  /* cycles in which it took nothing, and until (the load/store unit's queue: since) when it is closed */
  uint64_t closed[SM_PIPES], closed_at[SM_PIPES];
  struct collect collect;
  struct slots fetches;  /* with sm.fetch_ahead: what the fetch unit does, in place of: */
  uint64_t fetch_free;   /* cycle at which the fetch unit can serve the next warp */
  uint64_t fetch_at;     /* last cycle it serves one in */
  uint32_t fetch_served; /* how many in that */
  uint32_t code_mask;    /* instructions of a line of the L1I - 1 */
  struct cache *l1i;
  uint32_t *fetch_failed; /* warps whose fetch the L1I could not take */
  uint32_t threads, registers;
  uint64_t shared;
  /* instructions under way, in order: the cycle at which each is done, NEVER while that is not known */
  uint64_t *vmb, vmb_full_since;
  uint32_t vmb_head, vmb_count, vmb_mask;
  uint64_t head_epoch;       /* behind an order: of the L1 when it refused the constant access at the head */
  bool head_failed;         /* the same before the tags' delay: it was refused, */
  uint64_t head_since;       /* last in this cycle, */
  enum sluice_fail head_why; /* for lack of this */
  uint64_t blocked_since;
  enum sluice_fail fail_why;                    /* what the L1 lacked last */
  struct cache *fail_cache;                     /* which of its caches counted that; NULL: none */
  uint32_t fail_set;                            /* the set of that which must change; UINT32_MAX: any */
  uint64_t gate_next;                           /* cycle at which its answer may change */
  uint64_t gate_any[4], gate_load[4], loads[4]; /* its answers; warps whose next instruction is a load */
  unsigned line_shift;                          /* log2 of gpu.line_bytes */
  struct cache *l1d, *l1c, *l1t;
  struct sm_tracker *tracker;
  uint32_t free_tracker, ntrackers;
  uint32_t sends;            /* requests one access may cause: 2 with dirty lines or fetches on writes */
  struct mem_request *flush; /* dirty lines that the end of a launch writes back */
  size_t nflush, capflush, flushed;
  uint64_t writebacks;              /* not yet acknowledged */
  uint64_t prefetches;              /* not yet answered: no warp waits for them */
  uint64_t port_busy[SM_MAX_PORTS]; /* L1D: cycle at which each port is free again */
  uint32_t out_unit, in_unit;       /* behind them, to wake */
  struct retry retry;
  struct coherent coherent;
  struct port *ack; /* acknowledgements to the L2; NULL: it takes no lines back */
  uint32_t ack_unit;
  uint32_t scalar_unit, scalar_loads; /* behind them; loads under way there */
  struct sm_starting {
    struct supply_cta *cta;
    uint64_t cycle;
  } * starting; /* CTAs that were given to the SM and begin before its next cycle */
  uint32_t nstarting;
  struct supply_cta **done; /* CTAs that ended in this window */
  uint32_t ndone;
  uint64_t done_cycle;
  const struct mem_request *answer; /* what tracker_answer() is called for; NULL: the L1 or shared memory */
  struct sm_waits *waits; /* NULL: nobody wants to know */
  struct sm_stats stats;
  struct checker *checker; /* NULL: requests are not followed */
};

struct sm_setup {
  const struct core_config *core;
  const struct l1_config *l1;
  const struct addrmap *map;
  const struct sm_launch *launch;
  struct tech_set *tech;
  bool check_requests;
};
void sm_init(struct sm *s, const struct sm_setup *o, uint32_t id);
void sm_destroy(struct sm *s);
void sm_connected(struct sm *s);
/* From now on what warps wait for is noted there; NULL: no more. */
void sm_note_waits(struct sm *s, struct sm_waits *to); /* its ports are known */
uint64_t sm_cycle(void *self, uint64_t cycle);
/* Room for one more CTA of the running launch? */
bool sm_fits(const struct sm *s, uint32_t threads, uint32_t registers, uint64_t shared);
/* A CTA of the running launch is the SM's, from the end of a cycle on. What that takes is done when the SM next runs, on the thread
 * of its lane; or now, where the CTA may have nothing to do. */
void sm_start_cta(struct sm *s, struct supply_cta *c, uint64_t cycle);
void sm_start_pending(struct sm *s); /* does it, for who looks at the SM before that */
/* The L1s forget everything, as between launches. True: dirty lines are being written back, call it again
 * when that is done. */
bool sm_flush(struct sm *s);
bool sm_drained(const struct sm *s); /* nothing of the launch is under way here */

/* ready.c */
static inline bool wants_to_issue(const struct sm_warp *k) {
  return k->next && !k->at_barrier;
}
void set_ready(struct sm *s, uint32_t w, uint64_t cycle); /* NEVER: until an event */
void warp_settle(struct sm *s, uint32_t w);               /* recomputes ready[w] from registers */
/* The same after an event, for a warp that may have waited for it. True: it did, and will be ready. */
bool warp_woken(struct sm *s, uint32_t w);
void sm_update_ready(struct sm *s); /* moves warps whose cycle has come among those that can issue */
/* issue.c */
uint64_t sm_issue(struct sm *s); /* next cycle at which a scheduler may issue, if nothing changes */
/* Before something does that they decide by: warps that are ready, pipelines that open, CTAs. */
static inline void issue_changes(struct sm *s) {
  if (s->issue_stale)
    return;
  if (s->booked + 1 != s->now)
    stall_schedulers(s, s->now);
  s->issue_stale = true;
}
void sm_issue_warp(struct sm *s, uint32_t w);
static inline bool sm_pipe_open(const struct sm *s, enum sm_pipe p) {
  return s->pipe_at[p] <= s->now;
}
enum sm_pipe sm_pipe_of(const struct warp_inst *in); /* in the SIMT model */
/* The warp gate: asks it again where its answer may have changed; takes out warps it holds back. */
void sm_ask_gate(struct sm *s);
void sm_hold_back(const struct sm *s, uint64_t *set);
/* Counters up to and without `cycle`, which no unit has reached yet; at least to the last one that was simulated. */
void sm_settle(struct sm *s, uint64_t cycle);
void warp_end(struct sm *s, uint32_t w);  /* it has issued everything */
void warp_gone(struct sm *s, uint32_t w); /* nothing of it is outstanding */
static inline void warp_drained(struct sm *s, uint32_t w) {
  const struct sm_warp *k = &s->warp[w];
  if (k->ended && k->live && !k->loads && !k->stores)
    warp_gone(s, w);
}
/* barrier.c */
void barrier_arrive(struct sm *s, uint32_t w, uint32_t item); /* its item in the stream */
void barrier_release(struct sm *s, uint32_t cta);             /* if all are there */
/* gcn.c: a compute unit */
enum sm_pipe gcn_pipe_of(const struct sm *s, uint32_t w, const struct warp_inst *in);
/* Everything of an instruction but vector memory; returns where its items end. */
const uint32_t *gcn_execute(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t mask,
                            const uint32_t *item);
uint64_t gcn_issue(struct sm *s);
/* Loads of the scalar unit come back; returns when the next one does. */
uint64_t gcn_scalar_loads(struct sm *s);
void gcn_book_skipped(struct sm *s, uint64_t from, uint64_t to);
/* The SIMD that a CTA of so many wavefronts goes to; GCN_SIMDS: dealt out over all. False: no room. */
bool gcn_place(const struct sm *s, uint32_t wavefronts, uint32_t *simd);
/* fetch.c */
void fetch_init(struct sm *s);
void fetch_destroy(struct sm *s);
void fetch_refill(struct sm *s, uint32_t w); /* a warp has no instructions left in its buffer */
void fetch_answer(struct sm *s);             /* the answer at the head is of the L1I */
/* Has another request left since the oldest miss of the L1I? Then that goes first: data could keep it waiting for good. */
static inline bool fetch_overtaken(const struct sm *s) {
  return s->imiss.count && ring_front(&s->imiss)->born < s->data_sent;
}
uint64_t fetch_cycle(struct sm *s); /* sends a miss */
/* Its block is through: makes its next instruction known; false: the warp has ended. */
bool warp_fetch(struct sm *s, uint32_t w);
/* The same when it has issued one. */
static inline bool warp_step(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  k->next++, k->pc++;
  if (k->next == k->end)
    return warp_fetch(s, w);
  if (!k->fetched)
    fetch_refill(s, w);
  return true;
}
/* accept.c, ldst.c */
/* Returns where the instruction's items end. */
const uint32_t *ldst_accept(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t mask,
                            const uint32_t *item);
/* A load of the kernel's parameters, through the constant cache. */
void ldst_accept_param(struct sm *s, uint32_t w, const struct warp_inst *in);
/* Accesses of longer lines become accesses of so many bytes; and the last comes first (segment.c). */
void segment_split(struct sm_memop *m, uint32_t bytes);
void segment_order(struct sm_memop *m);
/* It is to be looked up as others are, by which its data may come later. */
void ldst_track_param(struct sm *s, struct sm_memop *m);
uint64_t ldst_cycle(struct sm *s);
/* Requests for the network. */
FAST_OR_GENERAL bool l1_has_requests(const struct sm *s, bool fast) {
  return (s->miss.count | s->cmiss.count | (fast ? 0 : s->l1.detour_count)) != 0;
}
/* Nothing can enter the way to the tags, or nothing is there to enter it. */
static inline bool ldst_head_waits(const struct sm *s) {
  const struct sm_memop *m = &s->memop[s->mem_head];
  return !s->mem_count ||
         (s->delay_count == s->l1.k->d_delay && !(m->shared && m->busy) && !m->of.constant && !m->of.no_allocate);
}
/* The L1 refused what is at the head of the unit, nothing has changed that, and no request can leave. */
FAST_OR_GENERAL bool ldst_stuck(struct sm *s, bool fast) {
  return s->mem_blocked && (!s->l1.k->d_delay || ldst_head_waits(s)) &&
         (fast || (!s->l1.order.ops && !(s->vmb_count | s->retry.n | s->retry.nacks))) &&
         !(l1_has_requests(s, fast) && port_room(s->out, s->engine->now));
}
uint64_t ldst_wait(struct sm *s); /* a cycle in which it is; returns when it may no longer be */
void ldst_answer(struct sm *s, const struct mem_request *r); /* the message at the head, not of the L1I */
uint32_t tracker_new(struct sm *s, const struct warp_inst *in, uint32_t warp);
/* Some of its data is there at `cycle`; the last takes so many stages more to registers. */
void tracker_answer(struct sm *s, uint32_t t, uint64_t cycle, uint32_t stages);
void l1_block(struct sm *s); /* an access was refused, or may pass again */
void l1_unblock(struct sm *s);
/* Is a port of the L1D free? If not, `when` says from which cycle on. */
static inline bool l1_port_free(const struct sm *s, uint64_t *when) {
  *when = s->port_busy[0];
  for (uint32_t i = 1; i < s->l1.k->d_ports; i++)
    if (s->port_busy[i] < *when)
      *when = s->port_busy[i];
  return *when <= s->now;
}
/* Whether the unit could do anything in this cycle. */
FAST_OR_GENERAL bool ldst_has_work(const struct sm *s, bool fast) {
  uint32_t usual = s->mem_count | s->delay_count | s->miss.count | s->cmiss.count;
  return fast ? usual != 0
               : usual | s->l1.detour_count | s->l1.waiting | s->vmb_count | s->retry.n | s->retry.nacks |
                     s->l1.wanted;
}
/* When the unit can begin with the instruction at its head. */
static inline uint64_t ldst_due(const struct sm *s) {
  uint64_t at = s->memop[s->mem_head].at;
  at = s->mem_busy > at ? s->mem_busy : at;
  return at > s->now ? at : s->now + 1;
}
/* The buffer of instructions under way is full: when will its first leave it, as far as is known? Else never. */
static inline uint64_t vmb_next_room(const struct sm *s) {
  uint64_t at = s->k->vmb && s->vmb_count == s->k->vmb ? s->vmb[s->vmb_head] : NEVER;
  return at > s->now ? at : s->now + 1;
}
/* No place for another memory instruction. */
static inline bool mem_full(const struct sm *s) {
  return s->mem_count >= s->k->mem_queue || (s->k->vmb && s->vmb_count >= s->k->vmb);
}
/* Cycles before `cycle` in which a pipeline took nothing from the beginning of the cycle. */
static inline uint64_t closed_before(const struct sm *s, unsigned pipe, uint64_t cycle) {
  if (pipe == PIPE_MEM) {
    bool full = s->pipe_at[PIPE_MEM] == NEVER;
    return s->closed[pipe] + (full && cycle > s->closed_at[pipe] ? cycle - s->closed_at[pipe] : 0);
  }
  return s->closed[pipe] - (s->closed_at[pipe] > cycle ? s->closed_at[pipe] - cycle : 0);
}
/* coalesce.c */
const uint32_t *coalesce(struct sm *s, struct sm_memop *m, const uint32_t *item, uint64_t mask, bool several);

#endif
