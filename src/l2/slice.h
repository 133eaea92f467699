/* One L2 slice, and what it asks of memory.
 *
 *   network ─▶ in ─▶ delay ─▶ incoming ─▶ order (a technique) ─▶ tags, an access per cycle
 *      ▲                                                     ├─ hit ──────────────────▶ done ─▶ network
 *      └──────────────────────────────────────────────────── └─ miss ─▶ miss queue ─▶ memory ─▶ fill ─┘
 *
 * An access is a sector of the L2 (the whole line where it has none); a request of several is looked up one
 * after the other and leaves the order with the last. */
#ifndef SLUICE_L2_SLICE_H
#define SLUICE_L2_SLICE_H

#include "dram/dram.h"
#include "engine/engine.h"
#include "l2/config.h"
#include "l2/counters.h"
#include "cache/sector.h"
#include "l2/directory.h"
#include "mem/checker.h"
#include "mem/mem.h"
#include "coherence/sharers.h"
#include "l2/spin.h"
#include "tech/guard.h"
#include "tech/tech.h"

struct l2_parent { /* a request in the slice; its number is the handle the order knows it by */
  struct mem_request request;
  uint64_t line;    /* address within the slice */
  uint64_t arrived; /* cycle at which it was due at the tags */
  uint64_t epoch;   /* of the slice when it was refused last */
  uint32_t left, next;
  uint32_t failed_at; /* age at the last refusal */
  uint8_t fail_cause; /* and its cause; SLUICE_NFAILS: the last attempt succeeded */
  uint8_t todo;       /* L2 sectors still to look up */
  uint32_t arrival;   /* its number, where requests are followed */
};

/* A burst on its way to the controller. */
struct memory_request {
  uint64_t address; /* within the channel */
  uint64_t at;      /* L2 cycle from which it may leave the slice; then DRAM cycle at which it is there */
  uint32_t fetch;   /* UINT32_MAX: a write that nothing waits for */
  bool write;
};

/* Something asked of memory for an L2 sector, in one or more bursts; or a line written back, sector by sector, for
 * which something waits. */
struct l2_fetch {
  uint64_t line;      /* within the slice */
  uint64_t since;     /* cycle at which it was asked for, or the last step of it began */
  uint64_t to_memory; /* core cycle at which it left the slice, */
  uint64_t at_memory; /* and DRAM cycle at which it came to the controller */
  uint32_t parent;    /* whom the data goes to, past the cache; UINT32_MAX: the cache is filled */
  uint32_t left, next;
  uint16_t slice;
  uint8_t sector;
  bool write : 1; /* a line written back */
  bool
      to_side_buffer : 1; /* the block is kept beside the cache until it is here; of a write: it leaves from there */
  struct cache_place place; /* where the sector goes, in a slice that fills by sectors */
  /* of a write: */
  uint32_t then_sectors; /* of the line that waits, fetched then; 0: its way is held until then */
  uint64_t then;         /* the line that waits for it; NEVER: none */
  uint64_t from;         /* it may go from this cycle on, */
  uint32_t dirty;        /* these sectors, */
  uint32_t acks;         /* once so many L1s have said that the line is gone */
};

/* A read that is over, and the DRAM cycles of the rest of its path. */
struct l2_fetched {
  const struct l2_fetch *fetch;
  const struct dram_completion *done;
};

struct l2_stats {
#define X(id, name, unit, help, where)
#define S(id, field, name, unit, help) uint64_t field;
  L2_COUNTERS(X, S)
#undef X
#undef S
  uint64_t queued;               /* cycles requests spent in the incoming buffer (struct sluice_state) */
  uint64_t fails[SLUICE_NFAILS]; /* attempts refused */
  uint64_t fail_cycles[SLUICE_NFAILS]; /* cycles from a refusal to the next attempt */
};

/* What is needed most comes first, by lines of the host's cache: what every cycle looks at, the tags, the queues. */
struct l2_slice {
  _Alignas(64) struct port *in; /* from the network */
  uint64_t due, serve_at;       /* cycles at which it next acts by itself: its queues, its tags */
  uint64_t busy;                /* cycle until which an atomic keeps it */
  uint32_t first;               /* the request before the tags, where the order holds one: it is plain */
  uint32_t sure; /* that, if its next sector must be fetched, whatever comes; UINT32_MAX: nobody knows */
  uint32_t delay_count, incoming, done_count, miss_count; /* incoming: places behind the delay */
  bool closed;           /* nothing comes in until something leaves the incoming buffer */
  bool response_blocked; /* an answer waits for room in the network */
  bool full;             /* the order took nothing; something must leave it first */
  bool fifo;             /* the order asks for nothing: `fifo` */
  bool stores_fast;      /* stores into sectors that are here take one cycle, whole or not */
  bool has_timers;       /* things end, or come, by themselves: fills, acknowledgements */
  bool evicts_first;     /* a line that is replaced may have to go before another takes its place */
  bool wide_port;        /* a sector passes the data port at once */
  bool by_sector;        /* and what is missed, is missed and comes by sectors, each for itself */
  bool fast;             /* nor does anything else stand between a request and the cache */

  struct cache *cache;
  struct l2_parent *parent; /* pool */
  uint64_t epoch;           /* grows with everything that may let a refused access pass */
  uint64_t refused;         /* epoch of the last refusal; NEVER: the last attempt succeeded */
  uint64_t
      hits_at; /* until then the rest of a request is looked up, whose sectors are sure to hit; 0: none is */
  uint64_t free_at; /* first cycle at which the next access could be looked up */
  uint64_t fail_since;
  enum sluice_fail fail_why;
  uint32_t local; /* its number in its channel */

  struct memory_request *miss; /* ring: to memory */
  struct {
    uint32_t parent;
    uint64_t at;
  } * delay; /* ring: the fixed delay, and behind it the incoming buffer */
  struct {
    uint32_t parent;
    uint64_t at;
  } * done;         /* ring: answers waiting for room */
  struct port *out; /* to the network */
  uint32_t miss_head, miss_mask, delay_head, delay_mask, done_head, done_mask;
  uint32_t free_parent, nparents;

  struct spin spin;
  struct tech_order order;
  struct {
    uint64_t line, at;
  } * held; /* ring: lines that are being filled, and until when */
  uint32_t held_head, held_count, held_mask;
  unsigned nbypasses;
  struct tech_miss side_buffer; /* ops NULL: a way is cleared for a block as soon as it is missed */
  struct tech_calls calls;
  struct tech_guard guard;
  struct l2_stats stats;
  struct mem_stamps nobody; /* of requests that nobody wants to know the way of */
  struct checker *checker;  /* NULL: requests are not followed */
  struct tech_l2_bypass bypass[TECH_MAX_BYPASSES];
  struct port *ack; /* acknowledgements of L1s; NULL: none come */
  struct sharers sharers;
  struct directory directory;
  uint32_t *leaving; /* fetches (writes) of lines on their way out, while it is careful */
  size_t nleaving, capleaving;
  struct l2_swap {
    uint64_t line, until;
  } * swapping; /* lines that are being exchanged with a block beside the cache */
  size_t nswapping, capswapping;
  struct l2_clearing {
    uint32_t fetch; /* its number */
    uint64_t until;
  } * clearing; /* lines on their way out that take l2.evict_clean */
  size_t nclearing, capclearing;
  uint32_t index; /* among all slices */
  struct partition *owner;
};

struct partition;
bool slice_init(struct l2_slice *s, struct partition *c, uint32_t index, struct tech_set *tech);
void slice_destroy(struct l2_slice *s);
/* One cycle. Then `due` and `serve_at` are the next in which it can act without memory. */
void slice_cycle(struct partition *c, struct l2_slice *s);
/* Its parts, where the queues have nothing to do and it is simple. Tries the request that the order picks, and returns when to
 * come again by itself; answers leave. */
uint64_t slice_serve(struct partition *c, struct l2_slice *s);
void slice_answer(struct partition *c, struct l2_slice *s);
/* Books what was looked up, up to a cycle, of a request that is looked up as a whole. */
void slice_settle(struct l2_slice *s, uint64_t cycle);
/* Is an L1 still to drop a line, or to let others read it? */
static inline bool slice_revoking(const struct l2_slice *s) {
  return s->stats.invalidations + s->stats.downgrades != s->stats.acknowledgements;
}
/* Something has happened that may let a refused access pass: it is tried again in `cycle`. */
static inline void slice_retry_at(struct l2_slice *s, uint64_t cycle) {
  s->epoch++;
  if (s->refused != NEVER && cycle < s->serve_at)
    s->serve_at = cycle;
}
/* The tick at which a message comes, or room for one that waits, as far as its ports know. `ack` is its port of that name. */
static inline uint64_t slice_next_message(const struct l2_slice *s, const struct port *ack, uint64_t tick) {
  uint64_t t = s->closed ? NEVER : port_next_message(s->in);
  if (ack && port_next_message(ack) < t)
    t = port_next_message(ack);
  if (s->response_blocked) {
    uint64_t room = port_room(s->out, tick) ? tick : port_next_room(s->out);
    t = room < t ? room : t;
  }
  return t;
}
/* The attempt it is to make is refused, for sure, as the one before was or would have been: nothing is looked up. */
void slice_fail_again(struct partition *c, struct l2_slice *s);
/* Cycles requests have spent in the incoming buffer before `cycle`, those still there included. */
uint64_t slice_queued(const struct l2_slice *s, uint64_t cycle);
/* All bursts of a fetch are here. */
void slice_filled(struct partition *c, struct l2_slice *s, const struct l2_fetched *f);

/* Sectors of a line to be fetched, for the cache or (parent not UINT32_MAX) past it; to be written back from a cycle on,
 * and what then happens (a fetch's number; UINT32_MAX: nothing). */
void slice_fetch(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t parent,
                 bool to_side_buffer);
/* A message for an SM that is nobody's answer, from a cycle on and behind all answers before it. */
void slice_notify(struct l2_slice *s, const struct mem_request *r, uint64_t at);
/* Writes that such sectors of a line are. */
uint32_t slice_writes(const struct partition *c, uint32_t sectors);
void slice_write(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t fetch,
                 uint64_t from);

#endif
