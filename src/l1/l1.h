/* The way of line accesses into the L1: straight, or through the order a technique keeps; past it where a
 * technique or the instruction says so. */
#ifndef SLUICE_L1_L1_H
#define SLUICE_L1_L1_H

#include "cache/cache.h"
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
};

/* Whose access it is. */
struct l1_of {
  const struct warp_inst *inst;
  uint32_t warp, tracker;
  uint16_t degree; /* line accesses of the instruction */
  uint8_t kind;    /* enum mem_kind */
  bool constant;
  bool bypass;   /* a technique sends the whole instruction past the L1 */
  bool no_allocate; /* it never uses the L1: an atomic, .cg and .cv, a prefetch */
};

/* An access that waits in a technique's order; its number is the handle. */
struct l1_entry {
  struct l1_of of;
  struct sm_access access;
  uint64_t epoch; /* of the L1 when it was refused last */
  uint32_t next;
};

/* An access on its way to the tags (l1d.latency_first). */
struct l1_delayed {
  struct l1_of of;
  struct sm_access access;
  uint64_t due;
};

struct l1_hooks {
  const struct l1_config *k;
  struct tech_order order; /* ops NULL: accesses go straight in */
  struct tech_l1_bypass bypass;
  struct tech_gate gate;
  struct l1_prefetch *prefetch; /* NULL: nothing is fetched ahead */
  uint32_t wanted;              /* lines that wait to be fetched */
  struct tech_miss side_buffer;       /* ops NULL: a way is cleared for a block as soon as it is missed */
  struct l1_entry *entry;       /* pool */
  uint32_t free_entry, nentries, waiting;
  bool full;                  /* the order took nothing; something must leave it first */
  uint64_t epoch;             /* grows with everything that may let a refused access pass */
  struct mem_request *detour; /* ring: the bypass technique's own queue */
  uint32_t detour_head, detour_count, detour_mask;
  uint32_t turn; /* which queue sends next */
  struct tech_calls calls;
  struct tech_guard guard;
};

/* Local memory lies apart from all buffers, an area for each warp slot of the GPU. */
#define SM_LOCAL_BASE UINT64_C(0x600000000000)
static inline bool sm_is_local(uint64_t line) {
  return line >> 44 == SM_LOCAL_BASE >> 44;
}

void l1_init(struct sm *s);
void l1_destroy(struct sm *s);
void l1_hooks_init(struct sm *s, struct tech_set *tech);
void l1_hooks_destroy(struct sm *s);

/* Fills in `around`, the others being known. */
void l1_set_no_allocate(const struct sm *s, struct l1_of *of);
/* Hands one access to the L1 or past it. False: refused, s->fail_why says for what. */
bool l1_access(struct sm *s, const struct l1_of *of, const struct sm_access *a);

/* What may let the access pass that was just refused: events, as bits. */
enum { L1_SENT = 1, L1_FILLED = 2, L1_ACKNOWLEDGED = 4, L1_ANY = 7 };
unsigned l1_retry_events(struct sm *s, const struct l1_of *of, const struct sm_access *a);
/* Whether the data that has come is such an event: a way comes free in the set of its line only. */
bool l1_fill_unblocks(const struct sm *s, const struct mem_request *r);
/* It would be refused again for the same reason: counts that, without trying. */
void l1_fail_again(struct sm *s);

/* A load that the L2 sent back. `tracker` UINT32_MAX: nobody waits for it. False: refused. */
bool l1_load_again(struct sm *s, uint64_t line, uint8_t sectors, uint32_t tracker);

/* An answer for a cache of ours. False: no way to put it yet. */
bool l1_fill(struct sm *s, const struct mem_request *r);
/* Forgets all lines; true: dirty ones are on their way to the L2, or waiting to be sent. */
bool l1_flush(struct sm *s);

/* For the other SMs of the cluster (noc/route.h): gives lines they ask for; returns when it can do so next. */
uint64_t l1_serve_peer(struct sm *s);
/* From now on the link is told of every change of what the L1 has. */
void l1_notify_cluster(struct sm *s, struct port *to);

/* Order: one access in (false: no room now), one out; the latter returns when to come again by itself. */
bool l1_enqueue(struct sm *s, const struct l1_of *of, const struct sm_access *a);
uint64_t l1_drain(struct sm *s);

/* Requests to the network, one per cycle. */
void l1_send_one(struct sm *s);

#endif
