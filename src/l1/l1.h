/* The L1 data and constant caches of an SM. Line accesses go straight to the tags, or through the order of a
 * technique; an access bypasses the L1 where a technique or the instruction says so. */
#ifndef SLUICE_L1_L1_H
#define SLUICE_L1_L1_H

#include "cache/cache.h"
#include "l1/aside.h"
#include "l1/config.h"
#include "mem/mem.h"
#include "core/supply.h"
#include "engine/engine.h"
#include "tech/guard.h"
#include "tech/tech.h"

struct sm;

/* One line access of a memory instruction. */
struct sm_access {
  uint64_t line, bytes[2];
  uint8_t sectors;
  uint8_t passes; /* of atomics, where it is asked for: as mem_request.coherence has it */
};

/* The instruction of an access. */
struct l1_of {
  const struct warp_inst *inst;
  uint32_t warp, tracker;
  uint16_t degree; /* line accesses of the instruction */
  uint16_t
      wait;     /* cycles that data of a hit takes more: passes over the banks of the L1 (l1d.pass_latency) */
  uint8_t kind; /* enum mem_kind */
  bool constant : 1;
  bool texture : 1;     /* through the texture cache */
  bool bypass : 1;      /* a technique lets the whole instruction bypass the L1 */
  bool again : 1;       /* the L2 sent the load back, and it is tried once more (l1/retry.h) */
  bool no_allocate : 1; /* the access takes no line of the L1: an atomic, .cg and .cv, a prefetch */
};

/* An access that waits in the order of a technique; its number is the handle that the technique knows. */
struct l1_entry {
  struct l1_of of;
  struct sm_access access;
  uint64_t epoch; /* epoch of the L1 at the last reservation fail of the access */
  uint32_t next;
};

/* An access in the delay before the tags (l1d.latency_first). */
struct l1_delayed {
  struct l1_of of;
  struct sm_access access;
  uint64_t due;
};

struct l1_hooks {
  const struct l1_config *k;
  struct l1_aside *aside;  /* NULL: a refused access holds up those behind it */
  struct tech_order order; /* ops NULL: accesses go straight to the tags */
  struct tech_l1_bypass bypass;
  struct tech_gate gate;
  struct l1_prefetch *prefetch; /* NULL: nothing is fetched ahead */
  bool names_access;            /* the replacement of the L1 wants to know what accesses are */
  uint32_t wanted;              /* lines that wait to be fetched */
  struct tech_side side_buffer; /* not on: a miss reserves a way */
  struct l1_entry *entry;       /* pool */
  uint32_t free_entry, nentries, waiting;
  bool full;                  /* the order had no room; an access must leave the order first */
  uint64_t epoch;             /* grows with every event that may end a reservation fail */
  struct request_ring detour; /* requests of the bypass technique's own queue */
  uint32_t turn;              /* the queue that sends next */
  struct tech_calls calls;
  struct tech_guard guard;
};

/* Addresses of local memory: an area for each warp slot of the GPU, apart from all buffers. */
#define SM_LOCAL_BASE UINT64_C(0x600000000000)
static inline bool sm_is_local(uint64_t line) {
  return line >> 44 == SM_LOCAL_BASE >> 44;
}

void l1_init(struct sm *s);
void l1_destroy(struct sm *s);
void l1_hooks_init(struct sm *s, struct tech_set *tech);
void l1_hooks_destroy(struct sm *s);

/* Sets of->texture and of->no_allocate from the instruction; the other fields are set. */
void l1_set_cache(const struct sm *s, struct l1_of *of);
/* Hands one access to the L1. False: reservation fail, the cause is in s->fail_why. */
bool l1_access(struct sm *s, const struct l1_of *of, const struct sm_access *a);

/* Events, as bits, that may end the reservation fail of the access that has just failed. */
enum { L1_SENT = 1, L1_FILLED = 2, L1_ACKNOWLEDGED = 4, L1_ANY = 7 };
unsigned l1_retry_events(struct sm *s, const struct l1_of *of, const struct sm_access *a);
/* Can the answer `r` end the reservation fail? A fill frees a way only in the set of its line. */
bool l1_fill_unblocks(const struct sm *s, const struct mem_request *r);
/* Counts a reservation fail whose cause has not changed, without another lookup. */
void l1_fail_again(struct sm *s);

/* Repeats a load that the L2 sent back. `tracker` UINT32_MAX: no instruction waits for the load. False:
 * reservation fail. */
bool l1_load_again(struct sm *s, uint64_t line, uint8_t sectors, uint32_t tracker);

/* Fills the data or constant cache. False: no way is free yet. */
bool l1_fill(struct sm *s, const struct mem_request *r);
/* Invalidates all lines; true: dirty lines are being written back. */
bool l1_flush(struct sm *s);

/* Serves loads of the other SMs of the cluster (noc/route.h); returns the cycle of the next one. */
uint64_t l1_serve_peer(struct sm *s);
/* Notifies the cluster's link of every change of the L1's lines from now on. */
void l1_notify_cluster(struct sm *s, struct port *to);

/* The order of a technique: l1_enqueue() adds an access (false: no room), l1_drain() serves one and returns
 * the next cycle at which it can. */
bool l1_enqueue(struct sm *s, const struct l1_of *of, const struct sm_access *a);
uint64_t l1_drain(struct sm *s);

/* Sends one request to the network. */
void l1_send_one(struct sm *s);

#endif
