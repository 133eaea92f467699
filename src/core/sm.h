/* A streaming multiprocessor: CTAs, warps, schedulers, pipelines, the load/store unit and its L1.
 *
 * Nothing polls: a warp knows the cycle at which the registers of its next instruction are ready (`ready`, NEVER while a
 * load is outstanding), a pipeline the cycle at which the pipeline can take the next instruction. */
#ifndef SLUICE_CORE_SM_H
#define SLUICE_CORE_SM_H

#include "engine/engine.h"
#include "core/config.h"
#include "core/in_order.h"
#include "core/counters.h"
#include "mem/addrmap.h"
#include "mem/checker.h"
#include "mem/mem.h"
#include "core/collector.h"
#include "core/supply.h"
#include "core/warp.h"
#include "l1/l1.h"
#include "l1/coherent.h"
#include "l1/combine.h"
#include "l1/retry.h"
#include "l1/scalar.h"
#include "core/sched/sched.h"
#include "core/stall.h"
#include "core/work.h"
#include "stat/detail.h"
#include "base/specialized.h"

/* What an instruction needs to issue. A compute unit has vector ALUs of its own for each SIMD, a scalar unit,
 * a branch unit and local memory beside the load/store unit. */
enum sm_pipe {
  PIPE_SP,
  PIPE_SFU,
  PIPE_MEM,
  PIPE_NONE,
  PIPE_INT, /* with sm.pipes = split, as the next three */
  PIPE_F64,
  PIPE_CTRL,
  PIPE_TENSOR,
  SIMT_PIPES,
  PIPE_SCALAR = SIMT_PIPES,
  PIPE_BRANCH,
  PIPE_LDS,
  PIPE_SMEM, /* loads of the scalar unit */
  PIPE_SIMD,
  SM_PIPES = PIPE_SIMD + GCN_SIMDS
};
enum { SM_MAX_UNITS = 16, SM_MAX_PORTS = 8 };
enum { SM_SOON = 64 };
/* 64 lanes, each in a line of its own; in local memory eight rows of them. */
enum { SM_MAX_ACCESSES = 512 };

struct sm_cta {
  struct supply_cta *stream; /* NULL: free */
  uint32_t warps, left,
      undrained; /* warps in all; warps that have not ended; warps with instructions or accesses left */
  uint32_t threads, registers;
  uint64_t shared;
  struct {
    uint32_t arrived, expected;
  } barrier[16];
};

/* A memory instruction in the load/store unit. */
struct sm_memop {
  _Alignas(64) struct l1_of of;
  uint32_t vmb;  /* its entry */
  bool keeps;    /* the entry is kept until the last answer; else until the last access */
  bool shared;   /* the instruction uses shared memory */
  uint64_t at;   /* cycle from which the operands are collected */
  bool param;    /* a parameter, which has no tracker yet */
  bool data;     /* shared memory only, and registers wait for the data: there is no tracker */
  uint32_t busy; /* shared memory: cycles that the instruction occupies the unit */
  uint32_t n, next;
  uint32_t merge; /* merging: lanes of a group, which share accesses; 0: all lanes do */
  uint64_t seen;  /* during coalescing: marks of the lines found */
  bool runs;      /* a lane shares the access of the lane before only */
  bool apart;     /* lanes that name the same bytes share no access */
  bool count;     /* atomics: the words of lanes are noted */
  uint32_t nlanes;
  bool banks;           /* bytes of all accesses are noted, for the banks of the L1 */
  uint32_t passes;      /* cycles of the unit: reads of the busiest bank, or passes of an atomic */
  uint64_t began;       /* cycle of the first access */
  uint32_t from, group; /* merging: first access and number of the current group of lanes */
  _Alignas(64) struct sm_access access[SM_MAX_ACCESSES];
  uint64_t lane_word[64];
};

/* ISSUE_SLOTS: the fast path where an instruction may take several issue slots (sm.slots). */
enum issue_how { ISSUE_FAST, ISSUE_SLOTS, ISSUE_GENERALLY };

/* A tracker counts the answers of a load; or of a store that an entry of the buffer or a warp waits for. */
struct sm_tracker {
  const struct warp_inst *inst;
  uint32_t left, next_free;
  uint32_t vmb; /* entry in the buffer of memory instructions */
  uint16_t warp;
  uint16_t degree, hits; /* line accesses; hits, where a technique counts them */
  bool store;
  bool bypass;
  uint16_t delay;     /* cycles before the last attempt that count for the L1 (l1d.latency_first) */
  uint8_t fail_cause; /* cause of the last reservation fail; SLUICE_NFAILS: the last attempt succeeded */
  uint64_t issued;
  uint64_t tried;      /* cycle of the last attempt at the L1 */
  uint32_t refused[4]; /* cycles lost to reservation fails, by cause */
};
_Static_assert(sizeof(struct sm_tracker) == 64, "a tracker is a line of the host's cache");

struct sm_stats {
#define X(id, name, unit, help, where)
#define S(id, field, name, unit, help) uint64_t field;
  SM_COUNTERS(X, S)
#undef X
#undef S
  uint64_t l1_fail_cycles[SLUICE_NFAILS]; /* of l1_fail_stall_cycles, by what was missing at the last try */
  uint64_t stall[NSTALLS];                /* warp cycles by cause */
  uint64_t stage[NSTAGES];                /* cycles of answered reads, by stage */
  uint64_t stage_bucket[NSTAGES][STAT_BUCKETS], latency_bucket[STAT_BUCKETS];
};

/* The running launch, as all SMs know it. */
struct sm_launch {
  struct supply *supply;
  const struct work_numbers *work;
  struct error *err;
  unsigned width;              /* lanes of a warp */
  bool wide;                   /* more than 32 */
  uint32_t threads, registers; /* of a CTA */
  uint32_t register_room;      /* those of an SM that CTAs can have */
  uint64_t shared;             /* of a CTA */
  uint32_t number;             /* of the launch, from 1 */
  uint32_t code_cycles;        /* before an SM has the first instructions (gpu.code_cycles) */
  uint64_t code_interval;      /* more for each SM before it, in 1024ths of a cycle */
};
/* SMs of a shard on which CTAs ended in this window. A line of the host's cache: each shard writes its own. */
struct sm_ended {
  _Alignas(64) uint32_t *sm;
  uint32_t n;
};

/* Fields that every cycle reads come first: an SM is seldom still in the host's first-level cache when the
 * SM runs. */
struct sm {
  _Alignas(64) struct engine
      *engine; /* the engine that runs the SM; aligned so that no other SM shares the host's cache lines */
  const struct core_config *k;
  struct port *in, *out; /* from and to the network */
  uint64_t now;          /* cycle being simulated */
  uint64_t tick;         /* its tick: the engine's, or a later one where the SM is ahead (sm_cycle()) */
  uint64_t last;         /* cycle that was simulated last */
  bool ahead;            /* the SM is ahead of the other units (sm_cycle()) */
  bool unsaid;           /* CTAs ended while the SM was ahead, and the engine does not know yet */
  bool full;             /* no CTA of the running launch can start on the SM now */
  uint32_t reach;        /* cycles that a message takes from the network to the SM, at least */
  struct xbar *answers;  /* the network that answers come from, where it may run ahead; NULL: it does not */
  uint64_t fresh,
      want; /* the first cycle that is not simulated yet; where the SM was ahead, the next with work */
  uint32_t nstarting, ndone; /* CTAs that start before the next cycle, and that ended in this window */
  uint32_t nctas_running, live_warps; /* CTAs and warps that are resident */
  uint32_t nwarps, words;             /* words: of a set of warps */
  uint64_t mem_busy;                  /* cycle until which shared memory keeps the unit busy */
  uint64_t mem_at; /* next cycle with work for the load/store unit, except requests to send */
  uint32_t mem_head, mem_count, mem_mask;
  uint32_t nfetch_failed; /* warps whose fetch the L1I could not take */
  bool mem_fresh;         /* an instruction was accepted in this cycle */
  bool mem_blocked;       /* the access at the head has had a reservation fail */
  bool mem_again;         /* the failed access would fail again */
  uint8_t mem_until;      /* events that may end the fail (l1_retry_events()) */
  bool active;            /* a CTA was resident when this cycle of a launch began */
  bool gate_stale;        /* an event that the warp gate may decide by */
  bool answer_shared;     /* tracker_answer() is called by shared memory */
  bool general;           /* no fast path is taken, wherever one could be */
  bool issue_fast;   /* fast path of issue: at most 64 warps, no warp gate, no compute unit, no active set */
  uint8_t issue_how; /* enum issue_how */
  bool
      fast; /* fast path: issue_fast, and accesses go straight to the tags: no order or queue of a technique, no buffer of memory instructions, no cluster, no inclusive L2 */
  bool no_allocate; /* stores to global memory take no line of the L1, and no technique is notified of them */
  bool load_fast;   /* fast, also in the L1 (cache_fast()), and no technique is notified of loads */
  bool names;       /* requests carry the names of their instructions, which techniques ask for */
  bool issue_stale; /* an event that schedulers decide by since the last issue */
  uint64_t issue_at;   /* if not: next cycle at which a scheduler may issue */
  uint64_t booked;     /* last cycle that the schedulers' counters include */
  uint64_t counted;    /* last cycle that active_cycles and warp_cycles include */
  uint64_t next_ready; /* first cycle at which a warp outside `can` is ready */
  uint64_t looked;     /* cycle of the last update of `can` */
  uint64_t soon_at;    /* cycles of the ring `soon` that have warps */
  uint64_t late_least; /* first cycle of `late` */
  struct sm_warp *warp;
  uint64_t
      *ready; /* by warp: cycle at which the next instruction may issue; NEVER: the warp waits for an event */
  struct stamp_pool stamps;               /* time stamps of requests under way */
  struct request_ring miss, cmiss, imiss; /* miss queues of the data, constant and instruction caches */
  uint64_t data_sent;                     /* last cycle in which a data or constant request left */
  struct l1_hooks l1;
  struct sm_memop *memop;   /* ring */
  struct l1_delayed *delay; /* ring: accesses in the delay before the tags */
  uint32_t delay_head, delay_count, delay_mask;
  struct port *ask, *reply,
      *notice; /* ports to the cluster: loads of other SMs, replies, notices of the L1's lines; NULL: no cluster */
  struct port *scalar_ask, *scalar_reply; /* to and from the scalar cache; NULL: none */
  uint64_t pipe_at[SM_PIPES]; /* cycle from which each pipeline takes an instruction; NEVER: until an event */
  uint64_t can[4];            /* warps that can issue, as of the last update */
  uint64_t uses[4][SM_PIPES]; /* the same by the pipeline of the next instruction */
  /* warps by the cycle at which they are ready: a ring of the next cycles, and later ones */
  uint64_t soon[SCHED_WORDS][SM_SOON], late[SCHED_WORDS];
  const struct sm_launch *launch;
  uint64_t code_at;       /* cycle from which the SM has the first instructions of a launch */
  uint32_t code_launch;   /* number of that launch */
  uint32_t code_warps;    /* warps that have waited for the first instructions */
  struct sm_ended *ended; /* of its lane */
  const struct addrmap *map;
  uint32_t id, unit;
  struct sm_cta *cta;
  uint32_t *scoreboard;    /* registers of all warps (core/warp.h); allocated with the first CTA */
  uint32_t register_count; /* of each warp */
  struct sched sched[SM_MAX_UNITS];
  uint32_t turn;     /* sm.stores_in_turn: the scheduler behind the one that used the load/store unit last */
  struct sched *row; /* sm.greedy_stores: the scheduler in a row of stores, which issues first; NULL: none */
  uint32_t on_scheduler[SM_MAX_UNITS];          /* live warps per scheduler */
  uint64_t pipe_free[SIMT_PIPES][SM_MAX_UNITS]; /* pipelines of several units: cycle at which each is free */
  uint64_t unit_at[SM_MAX_UNITS][SIMT_PIPES];   /* sm.pipes own: by scheduler, the same as pipe_at */
  uint32_t pipe_units[SIMT_PIPES];
  uint32_t npipes;                  /* pipelines that a warp of the SIMT model may wait for */
  uint64_t long_until[SIMT_PIPES];  /* when the last unit is free, except short_units */
  uint32_t short_units[SIMT_PIPES]; /* units taken for one cycle in the cycle of the last issue */
  /* by pipeline: cycles in which the pipeline took nothing; until when (load/store unit: since when) it is
   * closed */
  uint64_t closed[SM_PIPES], closed_at[SM_PIPES];
  struct collect collect;
  uint64_t lds_free; /* gcn, front.shared = lanes: cycle at which local memory is through with all accesses */
  uint64_t hold;     /* gcn: cycle from which on the wavefront that issues can issue again */
  struct slots fetches;  /* with sm.fetch_ahead: slots of the fetch unit, in place of: */
  uint64_t barrier_free; /* cycle at which the next arrival at a barrier can be taken */
  uint64_t fetch_free;   /* cycle at which the fetch unit can serve the next warp */
  uint64_t fetch_at;     /* last cycle in which the fetch unit serves a warp */
  uint32_t fetch_served; /* warps served in that cycle */
  uint32_t code_mask;    /* instructions per line of the L1I - 1 */
  struct cache *l1i;
  uint64_t
      *waited; /* sm.latency.part_again, by warp: lanes that waited for others and have not parted since */
  uint32_t *fetch_failed; /* warps whose fetch the L1I could not take */
  uint32_t threads, registers;
  uint64_t shared;
  /* buffer of memory instructions, in order: cycle at which each is done; NEVER: not known */
  uint64_t *vmb, vmb_full_since;
  uint32_t vmb_head, vmb_count, vmb_mask;
  struct vmb_order vmb_order;
  struct scalar_order scalar_order;
  uint64_t head_epoch; /* with an order: epoch of the L1 at the fail of the constant access at the head */
  bool head_failed;    /* with a delay before the tags: the access at the head has failed */
  uint64_t head_since; /* the cycle since when that access fails */
  enum sluice_fail head_why; /* cause of that fail */
  uint64_t blocked_since;
  enum sluice_fail fail_why;  /* cause of the last reservation fail */
  struct cache *fail_cache;   /* cache that counted the fail; NULL: none */
  const struct way *fail_set; /* set in which a way must come free; NULL: any */
  uint64_t gate_next;         /* cycle at which the gate's answer may change */
  uint64_t gate_any[4], gate_load[4],
      loads[4];        /* the gate's answers; warps whose next instruction is a load */
  unsigned line_shift; /* log2 of gpu.line_bytes */
  struct cache *l1d, *l1c, *l1t;
  struct sm_tracker *tracker;
  uint32_t free_tracker, ntrackers;
  uint32_t sends;            /* requests that one access may send: 2 with dirty lines or fetches on writes */
  struct mem_request *flush; /* dirty lines that the flush at the end of a launch writes back */
  size_t nflush, capflush, flushed;
  uint64_t writebacks;              /* write-backs that are not acknowledged yet */
  uint64_t prefetches;              /* not yet answered: no warp waits for them */
  uint64_t port_busy[SM_MAX_PORTS]; /* L1D: cycle at which each port is free again */
  uint32_t out_unit, in_unit;       /* units at the other ends of the ports, to wake */
  struct retry retry;
  struct l1_combine combine;
  struct coherent coherent;
  struct l1_repeat repeat;
  uint64_t constant_free; /* cycle at which the next constant can leave its cache (l1c.interval) */
  uint64_t constant_last; /* cycle at which the last one left it */
  struct port *ack;       /* acknowledgements to the L2; NULL: the L2 does not include the L1s */
  uint32_t ack_unit;
  uint32_t scalar_unit, scalar_loads; /* unit of the scalar cache; loads under way there */
  struct sm_starting {
    struct supply_cta *cta;
    uint64_t cycle;
  } * starting;             /* nstarting CTAs assigned to the SM, which start before its next cycle */
  struct supply_cta **done; /* ndone CTAs that ended in this window */
  uint64_t done_cycle;
  const struct mem_request
      *answer; /* the answer that tracker_answer() is called for; NULL: a hit in the L1, or shared memory */
  struct sm_waits *waits; /* NULL: nobody wants to know */
  struct sm_stats stats;
  struct work_count *work; /* issued instructions, with their lanes, by number (core/work.h) */
  struct checker *checker; /* NULL: requests are not followed */
};

/* Kernel parameters have addresses apart from all data. */
#define PARAM_BASE UINT64_C(0x480000000000)

struct sm_setup {
  const struct core_config *core;
  const struct l1_config *l1;
  const struct addrmap *map;
  const struct sm_launch *launch;
  struct tech_set *tech;
  bool check_requests;
  bool general; /* no fast path */
};
void sm_init(struct sm *s, const struct sm_setup *o, uint32_t id);
void sm_destroy(struct sm *s);
void sm_connected(struct sm *s); /* the ports of the SM are connected */
/* Notes in `to` what warps wait for, from now on; NULL: nowhere. */
void sm_note_waits(struct sm *s, struct sm_waits *to);
uint64_t sm_cycle(void *self, uint64_t cycle);
/* Room for one more CTA of the running launch? */
bool sm_fits(const struct sm *s, uint32_t threads, uint32_t registers, uint64_t shared);
/* Prefetches into the host's cache the fields that CTA dispatch reads. */
static inline void sm_dispatch_near(const struct sm *s) {
  __builtin_prefetch(&s->engine), __builtin_prefetch(&s->nstarting, 1), __builtin_prefetch(&s->shared);
  __builtin_prefetch(&s->done_cycle);
}
/* Assigns a CTA of the running launch to the SM from the end of a cycle on. The CTA starts when the SM next
 * runs, on the thread of the SM; or now, where the CTA may end at once. */
void sm_start_cta(struct sm *s, struct supply_cta *c, uint64_t cycle);
void sm_start_pending(struct sm *s); /* starts assigned CTAs, before the SM is inspected */
/* Flushes the L1s, as between launches. True: dirty lines are being written back, call again when that is
 * done. */
bool sm_flush(struct sm *s);
bool sm_drained(const struct sm *s); /* no instruction or request of the launch is left in the SM */

/* ready.c */
void set_ready(struct sm *s, uint32_t w, uint64_t cycle); /* NEVER: until an event */
void warp_settle(struct sm *s, uint32_t w);               /* recomputes ready[w] from the registers */
/* Recomputes ready[w] after an event that the warp may have waited for. True: the warp will be ready. */
bool warp_woken(struct sm *s, uint32_t w);
void sm_update_ready(struct sm *s); /* moves warps that are ready now into `can` */
/* issue.c */
uint64_t
sm_issue(struct sm *s); /* issues; returns the next cycle at which a scheduler may issue if nothing changes */
/* To be called before an event that schedulers decide by: ready warps, open pipelines, CTAs. */
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
enum sm_pipe sm_pipe_of(const struct warp_inst *in, enum sm_pipes pipes,
                        enum sm_pipe before); /* in the SIMT model */
/* The warp gate: asks the gate again where its answer may have changed; removes warps that the gate holds
 * back. */
void sm_ask_gate(struct sm *s);
void sm_hold_back(const struct sm *s, uint64_t *set);
/* Brings counters up to, without, `cycle`, which no unit has reached yet; at least to the last simulated
 * cycle. */
void sm_settle(struct sm *s, uint64_t cycle);
void warp_end(struct sm *s, uint32_t w);  /* the warp has issued its last instruction */
void warp_gone(struct sm *s, uint32_t w); /* the warp has no access left */
/* An access of a warp that has ended is done: it may have been the last. */
static inline void warp_drained(struct sm *s, uint32_t w) {
  const struct sm_warp *k = &s->warp[w];
  if (!k->live || k->loads)
    return;
  if (s->k->scalar_in_order && !k->past_end)
    scalar_order_ended(s, w);
  else if (!k->stores)
    warp_gone(s, w);
}
/* fence.c */
/* A warp issues a fence of the GPU (sm.fence_latency), for which it has waited so many cycles. Returns the cycles until its next instruction. */
uint32_t fence_issue(struct sm *s, uint32_t w, uint64_t waited);
/* barrier.c */
void barrier_arrive(struct sm *s, uint32_t w, uint32_t item); /* `item` is the barrier's item in the stream */
void barrier_release(struct sm *s, uint32_t cta);             /* if all warps have arrived */
/* issue.c */
bool warp_step(struct sm *s, uint32_t w); /* advances a warp that has issued; false: the warp has ended */
void warp_arrives(struct sm *s, uint32_t w, uint32_t item); /* a warp arrives at a barrier */
/* gcn.c: a compute unit */
void gcn_results_at(struct sm_warp *k, const struct warp_inst *in, uint64_t cycle, enum stall cause);
enum sm_pipe gcn_pipe_of(const struct sm *s, uint32_t w, const struct warp_inst *in);
/* Executes an instruction other than vector memory; returns the end of its items. */
const uint32_t *gcn_execute(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t mask,
                            const uint32_t *item);
uint64_t gcn_issue(struct sm *s);
/* Takes answers of the scalar cache; returns the cycle of the next one. */
uint64_t gcn_scalar_loads(struct sm *s);
void gcn_book_skipped(struct sm *s, uint64_t from, uint64_t to);
/* The SIMD for a CTA of so many wavefronts; GCN_SIMDS: spread over all SIMDs. False: no room. */
bool gcn_place(const struct sm *s, uint32_t wavefronts, uint32_t *simd);
/* fetch.c */
void fetch_init(struct sm *s);
void fetch_destroy(struct sm *s);
void fetch_refill(struct sm *s, uint32_t w); /* the instruction buffer of a warp is empty */
void fetch_answer(struct sm *s);             /* takes an answer of the L1I */
/* Has a data request left since the oldest miss of the L1I? The miss then goes first, so that data cannot
 * starve fetches. */
static inline bool fetch_overtaken(const struct sm *s) {
  return s->imiss.request[s->imiss.at.head].born < s->data_sent;
}
uint64_t fetch_cycle(struct sm *s); /* sends a miss of the L1I */
/* Advances a warp to its next basic block; false: the warp has ended. */
bool warp_fetch(struct sm *s, uint32_t w);
/* accept.c, ldst.c */
/* Takes a memory instruction; returns the end of its items. */
const uint32_t *ldst_accept(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t mask,
                            const uint32_t *item);
/* A store that no lane executes (sm.empty_interval). */
void ldst_accept_empty(struct sm *s, uint32_t w, const struct warp_inst *in);
/* A load of the kernel's parameters, through the constant cache. */
void ldst_accept_param(struct sm *s, uint32_t w, const struct warp_inst *in);
/* coalesce.c: splits accesses into accesses of `bytes` bytes; sorts accesses, the highest address first. */
void segment_split(struct sm_memop *m, uint32_t bytes);
void segment_order(struct sm_memop *m);
/* A load of a parameter that does not hit at once gets a tracker, and is looked up like other loads of constants. */
void ldst_track_param(struct sm *s, struct sm_memop *m);
uint64_t ldst_cycle(struct sm *s); /* simulates a cycle of the unit; returns the next with work */
/* Are there requests for the network? */
SPECIALIZED bool l1_has_requests(const struct sm *s, bool fast) {
  return (s->miss.at.count | s->cmiss.at.count | (fast ? 0 : s->l1.detour.at.count)) != 0;
}
/* The delay before the tags is full for the head, or there is no head. */
static inline bool ldst_head_waits(const struct sm *s) {
  const struct sm_memop *m = &s->memop[s->mem_head];
  return !s->mem_count || (s->delay_count == s->l1.k->d_delay && !(m->shared && m->busy) && !m->of.constant &&
                           !m->of.no_allocate);
}
/* An access has failed (mem_blocked): is there nothing else to do for the unit, and can no request leave? */
SPECIALIZED bool ldst_stuck(struct sm *s, bool fast) {
  return !s->retry.failed.count && !(s->combine.n && combine_next(s) <= s->now + 1) &&
         (!s->l1.k->d_delay || ldst_head_waits(s)) &&
         (fast || (!s->l1.order.ops && !(s->vmb_count | s->retry.n | s->retry.nacks))) &&
         !(l1_has_requests(s, fast) && port_room(s->out, s->tick));
}
uint64_t ldst_wait(struct sm *s); /* a cycle in which the unit is stuck; returns the next cycle with work */
void ldst_answer(struct sm *s, const struct mem_request *r); /* takes an answer that is not of the L1I */
uint32_t tracker_new(struct sm *s, const struct warp_inst *in, uint32_t warp);
/* Data of an instruction arrives at `cycle`; the last data of the instruction takes `stages` cycles more to the registers. */
void tracker_answer(struct sm *s, uint32_t t, uint64_t cycle, uint32_t stages);
/* The instruction leaves the buffer of memory instructions, in order (sm.vmb_in_order). */
void tracker_leaves(struct sm *s, uint32_t t, uint64_t cycle, uint32_t stages);
void l1_block(struct sm *s); /* an access has failed, or may succeed again */
void l1_unblock(struct sm *s);
/* Is a data port of the L1 free? If not, `when` is the first cycle at which one is. */
static inline bool l1_port_free(const struct sm *s, uint64_t *when) {
  *when = s->port_busy[0];
  for (uint32_t i = 1; i < s->l1.k->d_ports; i++)
    if (s->port_busy[i] < *when)
      *when = s->port_busy[i];
  return *when <= s->now;
}
/* Is anything in the load/store unit or in front of the L1? */
static inline bool ldst_has_work(const struct sm *s) {
  return s->mem_count | s->delay_count | s->miss.at.count | s->cmiss.at.count | s->l1.detour.at.count |
         s->l1.waiting | s->vmb_count | s->retry.n | s->retry.nacks | s->retry.failed.count | s->l1.wanted;
}
/* The cycle at which the unit can begin with the instruction at its head. */
static inline uint64_t ldst_due(const struct sm *s) {
  uint64_t at = s->memop[s->mem_head].at;
  at = s->mem_busy > at ? s->mem_busy : at;
  return at > s->now ? at : s->now + 1;
}
/* The cycle at which the first instruction leaves a full buffer of memory instructions, as far as known;
 * else NEVER. */
static inline uint64_t vmb_next_room(const struct sm *s) {
  uint64_t at = s->k->vmb && s->vmb_count == s->k->vmb ? s->vmb[s->vmb_head] : NEVER;
  return at > s->now ? at : s->now + 1;
}
/* The load/store unit has no place for another instruction. */
static inline bool mem_full(const struct sm *s) {
  return s->mem_count >= s->k->mem_queue || (s->k->vmb && s->vmb_count >= s->k->vmb);
}
/* Cycles before `cycle` in which a pipeline took no instruction. */
static inline uint64_t closed_before(const struct sm *s, unsigned pipe, uint64_t cycle) {
  /* without branches, which would be unpredictable */
  uint64_t at = s->closed_at[pipe], mem = pipe == PIPE_MEM, full = s->pipe_at[PIPE_MEM] == NEVER;
  uint64_t since = cycle > at ? cycle - at : 0, until = at > cycle ? at - cycle : 0;
  return s->closed[pipe] + (since & (0 - (mem & full))) - (until & (mem - 1));
}
/* coalesce.c */
/* How often the busiest bank of the L1 is read by an instruction. */
uint32_t bank_passes(const struct sm_memop *m);
/* Notes how many passes an atomic makes over the sectors of each access. Returns those beyond the first of each sector. */
uint32_t count_passes(struct sm_memop *m, unsigned shift);
/* Cycles of an access to shared memory. */
static inline uint32_t shared_cycles(const struct sm *s, const struct warp_inst *in, uint32_t word) {
  bool halved = s->k->shared_pairs && word & SLUICE_ACCESS_PAIRED && in->klass == SLUICE_LOAD;
  return in->loops * ((SLUICE_ACCESS_BANKS(word) + (halved ? 1 : 0)) >> (halved ? 1 : 0));
}
const uint32_t *coalesce(struct sm *s, struct sm_memop *m, const uint32_t *item, uint64_t mask, bool several);

#endif
