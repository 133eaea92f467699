/* Techniques: ideas for the memory system, as files of their own.
 *
 * A technique sits on hooks. A hook is a table of functions that return decisions; the unit that owns
 * tags, miss registers and queues acts on them. The baseline is a technique like any other (`fifo`).
 *
 *   load/store unit ─▶ [l1_order] ─▶ L1 ─▶ [route] ─▶ network ─▶ L2 slice ─▶ [l2_order] ─▶ tags ─▶ [source]
 *          ▲                 └ refused: [l1_bypass]                └ refused: [l2_bypass]                  └▶ [dram_scheduler] ─▶ DRAM
 *     [gate] which warps may issue, [warp_scheduler] which of them does; [allocator] who passes the network; [replacement] in caches
 *
 * Time: `cycle` counts the clock of the unit (core for gate, warp_scheduler, L1 and route, the network's for allocator, DRAM for dram_scheduler, L2 for the rest). Functions are called
 * in the order of time. A unit sleeps while nothing can change, so a function that only answers a question
 * (pick, next) must not change state: how often it is asked is not defined, what it is told is.
 *
 * State: `open` makes the state of one unit (an SM, a cluster of them, an L2 slice, the memory side); units may run on
 * different threads, so they share nothing but `env->gpu`, which only `tick` may write.
 *
 * Versions: a struct begins with its size as whoever filled it knew it, and grows at its end only. The program takes a plugin's
 * tables up to their size and reads the rest as 0, so that a plugin goes on working when fields are added; a plugin that was
 * built against a later header than the program's is refused, and so is one of another SLUICE_TECHNIQUE_ABI. Rows of tables
 * (parameters, counters, ratios, arrays) have their size in SLUICE_TECHNIQUE_HEAD. */
#ifndef SLUICE_TECHNIQUE_H
#define SLUICE_TECHNIQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLUICE_TECHNIQUE_ABI 4u
#define SLUICE_NONE          UINT32_MAX
#define SLUICE_NEVER         UINT64_MAX

/* Why a cache did not take an access: every way of the set is reserved; no miss register; no room to merge in
 * the one there is; no room in the miss queue; no room for the answer. */
enum sluice_fail {
  SLUICE_FAIL_WAYS,
  SLUICE_FAIL_MSHR,
  SLUICE_FAIL_MERGE,
  SLUICE_FAIL_QUEUE,
  SLUICE_FAIL_RESPONSE,
  SLUICE_NFAILS
};
enum sluice_kind { SLUICE_READ, SLUICE_WRITE, SLUICE_ATOM };
enum sluice_outcome { SLUICE_HIT, SLUICE_MERGED, SLUICE_MISSED };

/* One line access. */
struct sluice_request {
  uint32_t size; /* sizeof (struct sluice_request) of the program */
  uint32_t sm, warp, slice;
  uint64_t line;                       /* address of the line */
  uint64_t arrived;                    /* cycle at which it came to the unit */
  uint32_t degree;                     /* line accesses its instruction makes */
  uint32_t channel, bank, row, column; /* of its first burst in the DRAM; l2_order, l2_bypass and source */
  uint8_t kind, sectors;               /* enum sluice_kind; 32-byte sectors of the line */
  bool pending;                        /* bypass: a fetch of the line is under way */
  bool stored;                         /* source: a write-back */
  uint8_t op; /* enum sluice_cache_op of its instruction (sluice.h); 0 where there is none */
  /* Who asks. SLUICE_NONE: no instruction that is known: write-backs, stores that nobody waits for at the L2, requests of
   * the memory side, of scalar and stream caches. */
  uint32_t pc;       /* its instruction: how many instructions of the program stand before it */
  uint32_t ptx_line; /* the line of the PTX it stands on; 0: not known */
  uint32_t cta;      /* number of the CTA in its grid */
  uint32_t launch;   /* number of the launch, from 1 */
  uint32_t age;      /* core cycles since it left the load/store unit, when the unit saw it; 0 before an L1 */
  uint32_t
      source_line; /* the line of the source by the PTX's .loc (nvcc -lineinfo); 0: not known, as in recorded streams */
};

union sluice_value {
  uint64_t u; /* uint, bool, and enum as the number of the choice */
  double f;
};

/* What a unit's state is made from. */
struct sluice_env {
  uint32_t size;                   /* sizeof (struct sluice_env) of the program */
  uint32_t unit;                   /* number of the SM, cluster or slice; 0 for the memory side */
  const union sluice_value *param; /* in the order of the technique's parameters */
  uint64_t *count;                 /* in the order of its counters; of this unit */
  void *gpu;                       /* what open_gpu made, or NULL */
  uint32_t sms, warps;             /* of the GPU; warp slots of an SM */
  uint32_t slices, channels, banks /* of a channel, all its controllers */, lines_per_row;
  uint32_t l1_lines, l2_lines, l1_sets, l2_sets; /* of one SM, of one slice */
  uint32_t line_bytes;                           /* of L1 and L2 */
  uint32_t cluster;              /* SMs that share a link to the network; 1: each has its own */
  bool beside_l1;                /* fill_buffer: the unit is an SM's L1, not a slice of the L2 */
  bool l1_reserves, l2_reserves; /* a miss clears a way at once, not when its data comes */
  bool l1_coherent;              /* a protocol keeps the L1s coherent */
  /* l2_order: what would become of a request it holds, if it were tried now; SLUICE_NFAILS: it would pass. */
  enum sluice_fail (*would_fail)(void *unit_state, uint32_t handle);
  void *unit_state;
};

/* The GPU between two instants, for decisions about all of it. */
struct sluice_state {
  uint32_t size; /* sizeof (struct sluice_state) of the program */
  uint32_t sms, slices;
  const uint64_t *issued; /* by SM: thread instructions so far */
  const uint64_t *queued; /* by slice: cycles requests have spent in its incoming buffer, summed */
  uint32_t buffer;        /* requests an incoming buffer holds */
  uint64_t l2_cycle;
};

/* An order: requests come in one at a time, and leave when the unit accepts them. */
struct sluice_order {
  uint32_t size; /* sizeof (struct sluice_order) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  /* A request, by its handle, at most one per cycle. False: not now; it is offered again after the next
   * took(). */
  bool (*insert)(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle);
  /* The one to try in this cycle, SLUICE_NONE: none. Changes nothing. One that it does not hold ends the run. */
  uint32_t (*pick)(const void *self, uint64_t cycle);
  void (*took)(void *self, uint32_t handle, uint64_t cycle);
  /* It was tried and not accepted. The unit does not try it again before something has changed. */
  void (*refused)(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle);
  /* The first cycle after this one at which pick() can answer differently by the passing of time alone. */
  uint64_t (*next)(const void *self, uint64_t cycle);
};

/* Past the L1: its data goes to registers, no line and no miss register is taken. */
struct sluice_l1_bypass {
  uint32_t size; /* sizeof (struct sluice_l1_bypass) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  /* Requests of a queue of its own towards the network; NULL or 0: they use the L1's miss queue. */
  uint32_t (*queue)(const struct sluice_env *env);
  /* A load of `degree` line accesses enters the load/store unit: bypass with all of them? Those whose line is
   * being fetched join that fetch all the same. May be NULL. */
  bool (*instruction)(void *self, uint32_t warp, uint32_t degree, uint64_t cycle);
  /* This load was refused: bypass with it? Asked once for each refusal. May be NULL. */
  bool (*access)(void *self, const struct sluice_request *r, enum sluice_fail why, uint64_t cycle);
  /* Told of loads the L1 accepted; may be NULL. */
  void (*loaded)(void *self, const struct sluice_request *r, enum sluice_outcome o, uint64_t cycle);
  /* Told of a load instruction's end: its degree, how many of its accesses hit, cycles since it
   * was issued. May be NULL. */
  void (*done)(void *self, uint32_t warp, uint32_t degree, uint32_t hits, bool bypassed, uint64_t cycles);
};

#define SLUICE_IN_FLIGHT (UINT32_MAX - 1)

/* width: loads redirected and lines answered in a cycle, beside one request and one answer of the network; 1: they share those.
 * slots: loads that may be redirected at a time; 0: as many as the response buffer has places. fills: the L1 that asked
 * keeps the line. */
struct sluice_route_way {
  uint32_t size; /* sizeof (struct sluice_route_way) of the program */
  uint32_t width, slots;
  bool fills;
};

/* Where a load that misses goes: to the L2, or to another L1 of its cluster, whose SMs share a link. SMs are numbered
 * inside the cluster. The unit asks that L1, which costs it a port; a line that is there goes to the tail of the
 * cluster's response buffer and to the registers of those who wait for it, and is not filled; else the load goes on to
 * the L2. */
struct sluice_route {
  uint32_t size; /* sizeof (struct sluice_route) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  uint32_t (*latency)(const void *self); /* cycles that requests take longer for being looked up */
  /* The SM whose L1 to ask; SLUICE_NONE: the L2; SLUICE_IN_FLIGHT: neither, as another SM of the cluster is fetching the line
   * (all of `sectors`) from the L2: the load is answered as that answer passes. `r->sm` is never answered. Changes nothing. */
  uint32_t (*look)(const void *self, const struct sluice_request *r, uint64_t cycle);
  /* True: an L1 that look() names has the line, and gives it without being asked whether it still has. */
  bool (*sure)(const void *self);
  void (*sent)(void *self, const struct sluice_request *r, uint32_t to,
               uint64_t cycle); /* by look()'s answer */
  /* What became of a load that look() sent to another L1, or (`from` SLUICE_IN_FLIGHT) let wait for an answer of the L2. */
  void (*asked)(void *self, const struct sluice_request *r, uint32_t from, bool found, uint64_t cycle);
  /* An answer of the L2 left the response buffer to fill the SM's L1. */
  void (*filled)(void *self, uint32_t sm, uint64_t line, uint64_t cycle);
  /* The SM's L1 has these sectors of the line now, all others not. No hardware would know: for ideals, and for counting
   * what was missed. A cycle late. May be NULL. */
  void (*changed)(void *self, uint32_t sm, uint64_t line, uint8_t sectors, uint64_t cycle);
  /* How the way between the L1s is built; NULL: as the first value of each says. */
  void (*way)(const void *self, struct sluice_route_way *way);
};

/* Past the L2: a read refused there goes to memory and its answer to the SM; nothing is filled. The unit sees
 * to it that a line it holds changed data for is not bypassed. */
struct sluice_l2_bypass {
  uint32_t size; /* sizeof (struct sluice_l2_bypass) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  bool (*access)(void *self, const struct sluice_request *r, enum sluice_fail why, uint64_t cycle);
};

enum { SLUICE_BESIDE_L2 = 1, SLUICE_BESIDE_L1 = 2 };

/* A block on its way between the L2 and a place beside it. */
struct sluice_kept {
  uint32_t size;        /* sizeof (struct sluice_kept) of whoever fills it */
  uint8_t valid, dirty; /* sectors of the L2: whole; of those, to be written back */
  uint64_t line;        /* SLUICE_NEVER: none */
};

/* Replaced blocks of the L2 that stay in entries of the fill buffer and serve accesses from there. All functions are needed; `self`
 * is the fill buffer's, `out` is filled by the technique and names no block before. */
struct sluice_residents {
  uint32_t size; /* sizeof (struct sluice_residents) */
  /* Do blocks stay at all? */
  bool (*stays)(const void *self);
  /* Does the block stay that swapped() or store() has put into an entry, every sector of which is whole? Else the block leaves. */
  bool (*stay)(void *self, const struct sluice_kept *block, uint64_t cycle);
  bool (*kept)(const void *self, uint64_t line); /* is the block here? */
  /* A block that is here serves an access, which changes these sectors. */
  void (*serve)(void *self, uint64_t line, uint8_t changes, uint64_t cycle);
  /* The block `line` needs an entry: the block that leaves for that, if one has to. */
  void (*displace)(void *self, uint64_t line, uint64_t cycle, struct sluice_kept *out);
  /* A block that is here leaves. */
  void (*remove)(void *self, uint64_t line, uint64_t cycle, struct sluice_kept *out);
  /* The L2 is emptied: so is what stays beside it. */
  void (*empty)(void *self, uint64_t cycle);
};

/* Where a missing block is kept while it is fetched: in a way that is cleared for it at once, or in an entry beside the cache
 * until it is here. */
struct sluice_fill_buffer {
  uint32_t size; /* sizeof (struct sluice_fill_buffer) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  /* Beside which caches it is: SLUICE_BESIDE_L1, SLUICE_BESIDE_L2 or both. NULL: the L2. Beside an L1, lookup() is not
   * asked: both are looked up together. */
  uint32_t (*levels)(const struct sluice_env *env);
  uint32_t (*lookup)(const void *self); /* cycles a miss takes longer for looking here too */
  /* Cycles until entry and victim are exchanged; who finds the block waits. */
  uint32_t (*swap)(const void *self);
  bool (*swap_blocks)(const void *self); /* does that keep the bank from everything else? NULL: no */
  /* A block that is to be fetched: is there an entry? True once more for a block that has one. NULL, with drop(): nobody
   * asks, there are no entries. */
  bool (*take)(void *self, uint64_t line, uint64_t cycle);
  /* The miss was refused after all and will be asked about again; `taken`: what take() had answered. */
  void (*drop)(void *self, uint64_t line, bool taken);
  /* What entries need (all three; NULL: take() always says no). Is the block in an entry, waiting to be written back? Then
   * whoever wants it waits. */
  bool (*holds)(const void *self, uint64_t line);
  /* The block is here and takes a way; what was there is in the entry now (SLUICE_NEVER: nothing was). */
  void (*swapped)(void *self, uint64_t line, uint64_t victim, uint64_t cycle);
  void (*evicted)(void *self, uint64_t victim, uint64_t cycle); /* it is written back, or needed not be */
  /* A store takes the way of a block that must leave first: is there an entry in which that one can wait to be written
   * back, so that the store need not wait? May be NULL: never. */
  bool (*store)(void *self, uint64_t line, uint64_t victim, uint64_t cycle);
  const struct sluice_residents *residents; /* NULL: replaced blocks leave their entries */
};

/* What the L2 replaces stays in a cache beside each slice. A block is in the L2 or here, never in both. */
struct sluice_victim_cache {
  uint32_t size; /* sizeof (struct sluice_victim_cache) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  uint32_t (*lookup)(const void *self);         /* cycles a miss takes longer for looking here too */
  uint32_t (*swap)(const void *self);           /* cycles until block and victim are exchanged */
  bool (*swap_blocks)(const void *self);        /* does that keep the bank from everything else? NULL: no */
  bool (*has)(const void *self, uint64_t line); /* is the block here? */
  /* The L2 misses a block that is here and takes it, with its victim to follow; or the block leaves for an access that bypasses
   * all caches. */
  void (*give)(void *self, uint64_t line, uint64_t cycle, struct sluice_kept *out);
  /* The L2 replaced a block: `out` is what makes room for it, if something has to. */
  void (*keep)(void *self, const struct sluice_kept *block, uint64_t cycle, struct sluice_kept *out);
  /* A load missed the L2 and found nothing here (missed); it was refused after all and will come again (again). Both, or
   * NULL. */
  void (*missed)(void *self, uint64_t line, uint64_t cycle);
  void (*again)(void *self, uint64_t line);
  void (*empty)(void *self, uint64_t cycle); /* the L2 is emptied: so is this */
};

/* Which warps may issue. Sets of warp slots are bitmaps of 64-bit words. */
struct sluice_gate {
  uint32_t size; /* sizeof (struct sluice_gate) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  void (*start)(void *self, uint32_t warp, uint32_t cta, uint64_t cycle); /* oldest first */
  void (*exit)(void *self, uint32_t warp, uint64_t cycle);
  void (*barrier)(void *self, uint32_t warp, bool waits, uint64_t cycle);
  /* Clears the bits of warps that may not issue anything (`any`), or no global or local load (`load`). All bits
   * are set before. Returns the first cycle at which its answer can change by itself. Asked again then, and
   * after each event. Changes nothing. */
  uint64_t (*allow)(const void *self, uint64_t cycle, uint64_t *any, uint64_t *load);
  /* Notified of instructions issued; of loads the L1 accepted, of stores, and of lines that others replaced (with the
   * warp that had brought them), when a way is taken: by a load or store that misses, or by data that comes. What a
   * store or an atomic drops is not replaced. Each may be NULL. */
  void (*issued)(void *self, uint32_t warp, uint64_t cycle);
  void (*loaded)(void *self, uint32_t warp, uint64_t line, enum sluice_outcome o, uint64_t cycle);
  void (*evicted)(void *self, uint32_t warp, uint64_t line, uint64_t cycle);
  void (*stored)(void *self, uint64_t line, uint64_t cycle);
};

/* What the L1 fetches before anybody asks for it: `access` is notified of every load that the L1 accepted, in their order, and
 * names lines to fetch, at most `most`. They wait in a queue of the L1 (32 lines; beyond, they are dropped) for a miss register, a way and
 * a place in the miss queue. What became of them is counted by the unit (prefetch.*). */
struct sluice_prefetch {
  uint32_t size; /* sizeof (struct sluice_prefetch) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  uint32_t (*access)(void *self, const struct sluice_request *r, enum sluice_outcome o, uint64_t *lines,
                     uint32_t most, uint64_t cycle);
};

/* What an L2 slice fetches before anybody asks for it: `access` is notified of every read that the slice looks up, once, in
 * their order, with what became of its first sector, and names lines to fetch, at most `most`, by their distance: 1 is the line of
 * this slice that follows the read's in memory, -1 the one before. They wait in a queue of the slice (32 lines; beyond, they are
 * dropped) for a cycle in which the tags have nothing else to do, a miss register, a way and a place in the miss queue; sector by
 * sector. What became of them is counted by the slice (l2.prefetch.*). */
struct sluice_l2_prefetch {
  uint32_t size; /* sizeof (struct sluice_l2_prefetch) */
  void *(*open)(const struct sluice_env *env);
  void (*close)(void *self);
  uint32_t (*access)(void *self, const struct sluice_request *r, enum sluice_outcome o, int32_t *ahead,
                     uint32_t most, uint64_t cycle);
};

/* A request in the queues of a memory controller. The struct stays where it is until the request is served. */
struct sluice_dram_entry {
  uint32_t size;    /* sizeof (struct sluice_dram_entry) of the program */
  uint32_t bank;    /* of the controller, all ranks: from 0 */
  uint64_t arrived; /* DRAM cycle */
  uint64_t age;     /* number of the request at its controller: the older the smaller */
  uint64_t mark;    /* the scheduler's own; 0 at first */
  uint32_t row, column;
  uint32_t sm,
      warp; /* of the first load or atomic that waits for the data; SLUICE_NONE: none (write-backs) */
  bool write;
};
/* A controller, as a scheduler needs to know it. */
struct sluice_dram_queue {
  uint32_t size;    /* sizeof (struct sluice_dram_queue) of the program */
  uint32_t banks;   /* all ranks */
  uint32_t entries; /* requests that the queues hold, reads and writes together */
  bool
      writes_apart; /* writes have a queue of their own, drained in turns with reads by the controller's thresholds */
};

#define SLUICE_DRAM_LAST 65535u
/* Which requests have commands to be chosen from: all; the oldest alone; all, the banks in turn. */
enum sluice_dram_scope { SLUICE_DRAM_ALL, SLUICE_DRAM_OLDEST, SLUICE_DRAM_BANKS_IN_TURN };

/* The scheduler of a memory controller. The controller keeps rows, timing, refresh and the direction of the bus, and the rules of its
 * profile (dram.controller): caps, limits of age. In each cycle the command goes whose request has the least order, of the commands that
 * can go in that cycle; of equal requests the oldest goes first. Likewise within a bank: the request of least order
 * gets its next command, a column command if its row is open, else a row command. */
struct sluice_dram_scheduler {
  uint32_t size;  /* sizeof (struct sluice_dram_scheduler) */
  uint32_t scope; /* enum sluice_dram_scope */
  /* The order of a request, at most SLUICE_DRAM_LAST (more counts as that). `hit`: its row is open. Changes nothing. A scheduler without
   * open() knows no requests: it is asked once, with r NULL, and orders by `hit` alone. */
  uint32_t (*order)(const void *self, const struct sluice_dram_entry *r, bool hit);
  /* State of one controller; what follows may be NULL where there is none. With a scope other than SLUICE_DRAM_ALL there is none. */
  void *(*open)(const struct sluice_env *env, const struct sluice_dram_queue *queue);
  void (*close)(void *self);
  /* A request has come into the queues; its column command goes and it leaves. True: the order of other requests may have changed. */
  bool (*arrived)(void *self, struct sluice_dram_entry *r, uint64_t cycle);
  bool (*served)(void *self, struct sluice_dram_entry *r, uint64_t cycle);
  /* The first cycle after this one at which orders change by the passing of time; elapsed() is called at that cycle. Both or neither. */
  uint64_t (*next)(const void *self, uint64_t cycle);
  void (*elapsed)(void *self, uint64_t cycle);
};

/* An access of a cache, as a replacement policy sees it. */
struct sluice_cache_access {
  uint32_t size; /* sizeof (struct sluice_cache_access) of the program */
  uint64_t line;
  uint64_t id; /* of the request; 0: not known. Sectors of a line that one request asks for are one use. */
  uint32_t pc; /* as in struct sluice_request; SLUICE_NONE: no instruction that is known */
  uint32_t sm, warp;
  uint8_t kind; /* enum sluice_kind */
};
struct sluice_cache_shape {
  uint32_t size; /* sizeof (struct sluice_cache_shape) of the program */
  uint32_t sets, ways;
  bool l1; /* the data cache of an SM, else a slice of the L2 */
};
enum { SLUICE_LEVEL_L2 = 1, SLUICE_LEVEL_L1 = 2 };

/* Which line of a set makes room. The cache takes an empty way first and never one whose line is being fetched. A policy without state
 * (open NULL) stamps lines: with the time when they are allocated, and with what stamp() says when they are used; the line with the least stamp
 * makes room. A policy with state decides by itself; it runs the general paths of the caches. */
struct sluice_replacement {
  uint32_t size; /* sizeof (struct sluice_replacement) */
  uint64_t (*stamp)(uint64_t stamp, uint64_t now);
  void *(*open)(const struct sluice_env *env, const struct sluice_cache_shape *shape);
  void (*close)(void *self);
  /* A line is used, after its allocation: a load or store that hits it or joins its fetch. It is allocated. It is replaced by
   * another, by the way that victim() named (not: dropped or invalidated); may be NULL. */
  void (*used)(void *self, uint32_t set, uint32_t way, const struct sluice_cache_access *a);
  void (*allocated)(void *self, uint32_t set, uint32_t way, const struct sluice_cache_access *a);
  void (*replaced)(void *self, uint32_t set, uint32_t way);
  /* The way to replace, one of those with a bit in `can` (words of 64 ways); there is one. Another answer counts as the
   * first of them. Changes nothing. */
  uint32_t (*victim)(const void *self, uint32_t set, const uint64_t *can);
  /* A way is looked for, whether the access is then accepted or not: called before victim(). May be NULL. How often an access that
   * fails is tried again is the unit's affair. */
  void (*asked)(void *self, uint32_t set, const uint64_t *can);
  /* The caches it is for: SLUICE_LEVEL_L1, SLUICE_LEVEL_L2 or both. NULL: both. */
  uint32_t (*levels)(const struct sluice_env *env);
};

/* A crossbar, as an allocator needs to know it. */
struct sluice_crossbar {
  uint32_t size; /* sizeof (struct sluice_crossbar) of the program */
  uint32_t inputs, outputs;
  bool response; /* from L2 slices to SMs (or links of SMs); else from those to the slices */
};
/* What could pass in a cycle. Sets are bitmaps of 64-bit words. */
struct sluice_asking {
  uint32_t size;                      /* sizeof (struct sluice_asking) of the program */
  uint32_t input_words, output_words; /* of a set of inputs, of outputs */
  const uint64_t *outputs; /* outputs that can take a message, and for which an input of `inputs` has one */
  const uint64_t *inputs;  /* inputs whose links are free */
  const uint64_t
      *want; /* output o, from word o * input_words on: inputs that have a message for it, free or not */
};
/* Which inputs of a crossbar pass a message to which outputs. The crossbar keeps queues, links and slots; a message takes its links as long
 * as its flits take. Needs noc.speedup=1 and noc.sector_packets=false. */
struct sluice_allocator {
  uint32_t size; /* sizeof (struct sluice_allocator) */
  /* State of one crossbar: env->unit 0 is that of requests, 1 that of responses. */
  void *(*open)(const struct sluice_env *env, const struct sluice_crossbar *x);
  void (*close)(void *self);
  /* Called in every cycle in which a message could pass, and in no other: sets match[o] to the input that passes a message to output o,
   * which is SLUICE_NONE before. Outputs of `outputs` and inputs of `inputs` only, one output for each input; anything else ends the run. */
  void (*match)(void *self, const struct sluice_asking *a, uint32_t *match, uint64_t cycle);
  /* True: an input has one queue, whose head alone asks. NULL or false: an input has a queue for every output. */
  bool (*fifo)(const struct sluice_env *env);
};

/* A warp scheduler of an SM, as its rule needs to know it. */
struct sluice_warp_slots {
  uint32_t size;                  /* sizeof (struct sluice_warp_slots) of the program */
  uint32_t warps;                 /* slots of the SM; those of this scheduler: */
  uint32_t scheduler, schedulers; /* w % schedulers == scheduler */
};
/* Which of the warps that can issue does. What a warp needs for that is the SM's affair, and so is a gate's. */
struct sluice_warp_scheduler {
  uint32_t size; /* sizeof (struct sluice_warp_scheduler) */
  void *(*open)(const struct sluice_env *env, const struct sluice_warp_slots *slots); /* of each scheduler */
  void (*close)(void *self);
  /* A warp begins, in a slot that was empty; it has ended. Each may be NULL. */
  void (*start)(void *self, uint32_t warp, uint64_t cycle);
  void (*exit)(void *self, uint32_t warp, uint64_t cycle);
  /* The warp that issues, one of those with a bit in `can` (words of 64 slots); there is one. Another answer counts as the first of them.
   * Called once for each choice (a cycle has one; a GCN compute unit makes one for each kind of instruction), and in no other cycle. */
  uint32_t (*choose)(void *self, const uint64_t *can, uint64_t cycle);
  /* For a rule that chooses from a part of its warps, the active set: both or neither. A warp can go on (told once after it has started,
   * and after each wait); it waits for something long: memory, a barrier, its instructions (and before its exit). Each may put warps that
   * can go on into `active` or take them out (words of 64 slots; a warp that waits leaves by itself); in between the set stays. choose()
   * gets warps of the active set only. */
  void (*able)(void *self, uint32_t warp, uint64_t *active, uint64_t cycle);
  void (*stalled)(void *self, uint32_t warp, uint64_t *active, uint64_t cycle);
};

enum sluice_param_type { SLUICE_P_UINT, SLUICE_P_BOOL, SLUICE_P_FLOAT, SLUICE_P_ENUM };
struct sluice_param {
  const char *name; /* without the technique's */
  enum sluice_param_type type;
  const char *initial; /* as a user would write it */
  int64_t min, max;
  double fmin, fmax;
  const char *const *choices; /* enum: names, NULL at the end */
  const char *unit, *help, *source;
};

struct sluice_counter {
  const char *name, *unit, *help;
};
/* A number made of counters, all units together. */
struct sluice_ratio {
  const char *name, *unit, *help;
  double (*value)(const uint64_t *count); /* NaN: not defined */
};

/* Storage a technique adds to each of its units, for area and energy. How often it is used is told by counters of
 * the technique: their names, joined by '+'; NULL: never. */
struct sluice_array {
  const char *name;
  uint64_t entries, bits; /* of an entry; of one with data, of its tag */
  uint32_t ways;          /* 0: a queue; `entries`: all are searched at once; else so many of a set */
  uint64_t units;         /* how many of these the GPU has */
  uint64_t data_bits;     /* of an entry; 0: it has no data beside what is searched */
  const char *searches, *reads, *writes;
};
/* Accesses that it adds to caches the GPU has anyway: of a line, to the data. */
struct sluice_extra {
  uint32_t size; /* sizeof (struct sluice_extra) */
  const char *l1d_reads, *l1d_writes, *l2_reads, *l2_writes;
};

struct sluice_technique {
  uint32_t abi, size; /* SLUICE_TECHNIQUE_HEAD fills these nine */
  uint32_t param_size, counter_size, ratio_size, array_size, env_size, request_size, state_size;
  uint32_t nparams, ncounters, nratios;
  const char *name, *summary, *paper; /* paper: where it comes from */
  const struct sluice_param *params;
  const struct sluice_counter *counters;
  const struct sluice_ratio *ratios;
  /* Fills up to `capacity` arrays, returns how many there are. More than `capacity`: it is called again with room for all. NULL: it
   * adds no storage. */
  uint32_t (*arrays)(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity);
  const struct sluice_extra *extra; /* NULL: none */
  /* The hooks it sits on. gate, l1_order + l1_bypass, prefetch, l2_prefetch, route, l2_order, fill_buffer + victim_cache, source and
   * dram_scheduler are exclusive. */
  const struct sluice_gate *gate;
  const struct sluice_order *l1_order, *l2_order, *source;
  const struct sluice_l1_bypass *l1_bypass;
  const struct sluice_prefetch *prefetch;
  const struct sluice_route *route;
  const struct sluice_l2_bypass *l2_bypass;
  const struct sluice_fill_buffer *fill_buffer;
  const struct sluice_victim_cache *victim_cache;
  const struct sluice_dram_scheduler *dram_scheduler; /* NULL: as dram.controller says */
  /* Decisions for the whole GPU: made before any unit, called every `period` core cycles (0: never) while no
   * unit runs. */
  void *(*open_gpu)(const struct sluice_env *env);
  void (*close_gpu)(void *gpu);
  uint64_t (*period)(const struct sluice_env *env);
  void (*tick)(void *gpu, const struct sluice_state *state, uint64_t cycle);
  void (*launch)(void *gpu, const struct sluice_state *state, uint64_t cycle); /* one begins; may be NULL */
  /* A mistake in its parameters taken together: a sentence, or NULL. May be NULL itself. */
  const char *(*check)(const struct sluice_env *env);
  /* New hooks are added here, behind all others. */
  const struct sluice_l2_prefetch *l2_prefetch;
  const struct sluice_replacement
      *replacement;                         /* exclusive; NULL: as l1d.replacement and l2.replacement say */
  const struct sluice_allocator *allocator; /* exclusive; NULL: as noc.allocator says */
  const struct sluice_warp_scheduler *warp_scheduler; /* exclusive; NULL: as sm.scheduler says */
};

/* How a technique begins: static const struct sluice_technique mine = {SLUICE_TECHNIQUE_HEAD, .name = "mine", …}; */
#define SLUICE_TECHNIQUE_HEAD                                                                                \
  .abi = SLUICE_TECHNIQUE_ABI, .size = sizeof(struct sluice_technique),                                      \
  .param_size = sizeof(struct sluice_param), .counter_size = sizeof(struct sluice_counter),                  \
  .ratio_size = sizeof(struct sluice_ratio), .array_size = sizeof(struct sluice_array),                      \
  .env_size = sizeof(struct sluice_env), .request_size = sizeof(struct sluice_request),                      \
  .state_size = sizeof(struct sluice_state)

/* Adds a technique that is not in this repository, for all handles that are made afterwards, on any thread. Its functions
 * and texts must stay where they are. SLUICE_OK, or SLUICE_E_INPUT with the reason in `why` (NULL: not wanted). */
SLUICE_API enum sluice_status sluice_technique_register(const struct sluice_technique *t, char *why,
                                                        size_t size);
/* The same of a shared object, whose function sluice_plugin() returns the technique. One that is loaded already stays. */
SLUICE_API enum sluice_status sluice_technique_load(const char *path, char *why, size_t size);

/* What a plugin defines, and exports. */
SLUICE_EXPORT const struct sluice_technique *sluice_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
