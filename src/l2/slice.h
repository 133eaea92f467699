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
#include "base/ring.h"
#include "engine/engine.h"
#include "l2/config.h"
#include "l2/counters.h"
#include "cache/cache.h"
#include "l2/directory.h"
#include "mem/checker.h"
#include "mem/mem.h"
#include "coherence/sharers.h"
#include "l2/spin.h"
#include "tech/guard.h"
#include "tech/tech.h"

/* A request in the slice; its number is the handle that the order knows. Two lines of the host's cache. */
struct l2_parent {
  struct mem_request request;
  uint64_t line;    /* address within the slice */
  uint64_t arrived; /* cycle at which the request could be looked up */
  uint64_t epoch;   /* epoch of the slice at the last reservation fail of the request */
  uint32_t left, next;
  uint32_t failed_at; /* age at the last reservation fail */
  uint8_t fail_cause; /* cause of that fail; SLUICE_NFAILS: the last attempt succeeded */
  uint8_t todo;       /* L2 sectors still to look up */
  bool away;          /* the line is one of the slice in the other half (l2/half.h) */
  uint32_t arrival;   /* arrival number, for the checker */
  uint32_t
      joined; /* the next of the requests that joined this one, or, until it goes to the tags, may; UINT32_MAX: none */
  uint32_t last; /* of those, where this one is the first */
  uint32_t turn; /* how many requests of its SM came before */
  uint32_t slot; /* how many requests came into the delay before */
  uint32_t twin; /* the request in that slice, or from that slice, which is the same; UINT32_MAX: none */
};
_Static_assert(sizeof(struct l2_parent) == 128, "a request in a slice is two lines of the host's cache");

/* A burst of a fetch or write-back, on the way to the controller. */
struct memory_request {
  uint64_t address; /* within the channel */
  uint64_t
      at; /* L2 cycle from which the burst may leave the slice; then DRAM cycle at which the burst is at the controller */
  uint32_t fetch; /* number of the fetch; from L2_LAST_WRITE on: a write that nothing waits for */
  bool write;
};

/* A fetch of an L2 sector in one or more bursts; or the write-back of a line that another request waits for. */
struct l2_fetch {
  uint64_t line;      /* address within the slice */
  uint64_t since;     /* cycle at which the fetch began, or its last step */
  uint64_t to_memory; /* core cycle at which the fetch left the slice */
  uint64_t at_memory; /* DRAM cycle at which the fetch came to the controller */
  uint32_t parent; /* request that gets the data, bypassing the cache; UINT32_MAX: the data fills the cache */
  uint32_t left, next;
  uint16_t slice;
  uint8_t sector;
  bool write : 1; /* the write-back of a line */
  bool
      part : 1; /* the rest of a sector that was changed in part, which fills nothing: the sector is written then, */
  bool stays_dirty : 1; /* or not */
  bool
      to_side_buffer : 1; /* the line goes to the side buffer until the data is here; of a write: the line leaves from there */
  uint32_t place; /* the way that the sector goes to, in a fast slice */
  /* of a write: */
  uint32_t
      then_sectors; /* sectors of the waiting line, fetched after the write; 0: the way of the line is held until then */
  uint64_t then;  /* the line that waits for the write; NEVER: none */
  uint64_t from;  /* first cycle at which the write may go */
  uint32_t dirty; /* dirty sectors */
  uint32_t acks;  /* L1s that must acknowledge first */
};

/* A completed fetch, with the DRAM cycles of its steps. */
struct l2_fetched {
  const struct l2_fetch *fetch;
  const struct dram_completion *done;
};

/* Fills and answers that take time (l2/fill.h). */
struct l2_fills {
  struct l2_late_fill {
    struct l2_fetch fetch;
    struct dram_completion done;
  } * fill; /* data that waits for the fill port */
  struct ring at;
  uint32_t cycles;  /* of a fill at the port */
  uint64_t free_at; /* cycle at which the port is free */
  struct l2_late_answer {
    uint32_t parent; /* from L2_NOBODY on: none */
    bool last;       /* of its miss register */
  } * answer;        /* requests whose line is here, and whose miss register is kept */
  struct ring answers;
  uint32_t registers; /* miss registers that are kept */
};

/* In place of the fetch of a burst: the last write of a changed line that makes room for another (l2.write_backs). */
#define L2_LAST_WRITE (UINT32_MAX - 1)
/* The address of a line's copy in the other half of the L2 (l2.halves): no line is there. */
#define L2_COPY (UINT64_C(1) << 62)
/* In place of a request in the delay: it has joined another (l2/join.h). */
#define L2_JOINED UINT32_MAX
/* Who waits for a line that a store had fetched, where the store itself waits for memory to have its bytes. */
#define L2_NOBODY (UINT32_MAX - 1)

struct l2_stats {
#define X(id, name, unit, help, where)
#define S(id, field, name, unit, help) uint64_t field;
  L2_COUNTERS(X, S)
#undef X
#undef S
  uint64_t queued;               /* cycles requests spent in the incoming buffer (struct sluice_state) */
  uint64_t fails[SLUICE_NFAILS]; /* reservation fails */
  uint64_t fail_cycles[SLUICE_NFAILS]; /* cycles from a reservation fail to the next attempt */
};

/* Fields in the order of use, by lines of the host's cache: what every cycle reads, the tags, the queues. */
struct l2_slice {
  _Alignas(64) struct port *in; /* from the network */
  uint64_t due, serve_at;       /* cycles at which the slice next acts by itself: queues, tags */
  uint64_t atomic_at;           /* the sector of the last atomic */
  uint64_t sums_at;             /* 1024ths of a cycle: the last sum of floats in one word is done */
  uint64_t
      result_at; /* 1024ths of a cycle: the last result of an atomic has left (l2.atomic_result_interval) */
  uint64_t atomic_line[L2_ATOMIC_LINES]; /* lines of the last atomics, the last one first */
  uint64_t in_free; /* cycle from which on the next request can come in (l2.whole_requests) */
  uint64_t
      filling; /* 1024ths of a cycle: until then data from memory take the way in (l2.fill_port_interval) */
  uint32_t in_left_over; /* rest of the time that the last one took, in 1024ths of a cycle */
  uint32_t left_over;    /* rest of the time that the slice is busy, in 1024ths of a cycle */
  uint64_t busy;         /* cycle until which an atomic or store keeps the slice busy */
  uint32_t first;        /* the request at the tags, where the order is `fifo` */
  uint32_t sure;         /* `first`, if its next sector must certainly be fetched; UINT32_MAX: not known */
  uint32_t delay_count, incoming, done_count, miss_count; /* incoming: what fills the incoming buffer */
  bool atomic_new;                                        /* the last atomic began on none of atomic_line */
  bool in_sectors;       /* sectors, not requests, fill the incoming buffer */
  bool names_access;     /* the replacement of the cache wants to know of what accesses are */
  bool closed;           /* the incoming buffer is full: nothing is taken from the network */
  bool response_blocked; /* an answer waits for room in the response network */
  bool full;             /* the order had no room; a request must leave the order first */
  bool fifo;             /* the order is `fifo` */
  bool stores_fast;      /* a store that hits keeps the slice one cycle, whole sector or not */
  bool has_timers;       /* timers are in use: fills, acknowledgements */
  bool fills_later;      /* fills or their answers take time (l2.fill_bytes, l2.hold_misses) */
  bool evicts_first;     /* a replaced line may have to leave before another line takes its way */
  bool wide_port;        /* a sector passes the data port in one cycle */
  bool parts;            /* sectors that are changed in part are read before they are written (l2/parts.h) */
  bool joins;            /* requests join earlier ones (l2/join.h) */
  bool limits_dirty;     /* changed lines are limited (l2/dirty.h) */
  bool halves;           /* lines have copies in the other half of the L2 (l2.halves) */
  bool fast;             /* fast path: no technique and no special rule between a request and the cache */
  uint32_t rop_latency;  /* of this slice (l2.rop_spread) */
  uint64_t shut;         /* cycles that were simulated ahead with a full incoming buffer (l2/ahead.h) */
  uint64_t
      open_until; /* while the partition runs ahead: the first cycle for which it is not known whether the buffer is full */
  uint64_t received; /* the last cycle in which a request came from the network */

  uint64_t unwritten; /* bursts of stores that missed (l2.write_miss) in which nothing was stored */
  struct cache *cache;
  struct l2_parent *parent; /* pool */
  uint64_t epoch;           /* grows with every event that may end a reservation fail */
  uint64_t refused;         /* epoch of the last reservation fail; NEVER: the last attempt succeeded */
  uint64_t
      hits_at; /* cycle until which the rest of a request is looked up, all sectors of which hit; 0: not known */
  uint64_t free_at; /* first cycle at which the next access could be looked up */
  uint64_t fail_since;
  enum sluice_fail fail_why;
  uint32_t local; /* number of the slice in its channel */

  struct memory_request *miss; /* ring: the miss queue, to memory */
  struct l2_delayed {
    uint32_t parent, sectors;
    uint64_t at;
    uint64_t enters,
        before; /* with l2.in_sectors: the cycle of its first sector, sectors that came before it */
  } * delay;    /* ring: the fixed delay, and behind the delay the incoming buffer */
  uint64_t sectors_in, sectors_out; /* of requests that came into the ring and left it */
  uint64_t last_enters; /* the cycle in which the youngest sector comes into the incoming buffer */
  uint32_t entering;    /* requests of the ring whose sectors have begun to come into the buffer */
  struct {
    uint32_t parent;
    uint64_t at;
  } * done;         /* ring: answers waiting for room */
  struct port *out; /* to the network */
  uint32_t miss_head, miss_mask, delay_head, delay_mask, done_head, done_mask;
  uint32_t free_parent, nparents;

  uint32_t *leader; /* by line and group of SMs: a read that others may join; UINT32_MAX: none (l2/join.h) */
  struct join_sm *join_sm; /* by SM */
  uint32_t join_look_ups, delays_gone;
  uint64_t *part; /* lines in which stores have begun to change sectors in part, as they came */
  struct ring part_ring;
  uint64_t *dirty; /* changed lines, as they changed first */
  struct ring dirty_ring;
  uint32_t ndirty;
  struct spin spin;
  struct tech_order order;
  struct {
    uint64_t line, at;
  } * held; /* ring: lines being filled, and until when */
  struct ring helds;
  struct l2_fills fills;
  unsigned nbypasses;
  struct tech_side side_buffer; /* not on: a miss reserves a way */
  struct l2_prefetch *prefetch; /* NULL: nothing is fetched ahead */
  struct tech_calls calls;
  struct tech_guard guard;
  struct l2_stats stats;
  struct {
    struct mem_stamps stamps;
    struct mem_notes more;
  } nobody;                /* time stamps of requests without a record */
  struct checker *checker; /* NULL: requests are not checked */
  struct tech_l2_bypass bypass[TECH_MAX_BYPASSES];
  struct port *ack; /* acknowledgements of L1s; NULL: the L2 does not include the L1s */
  struct sharers sharers;
  struct directory directory;
  uint32_t *leaving; /* write-backs of lines that are being evicted (evicts_first) */
  size_t nleaving, capleaving;
  struct l2_swap {
    uint64_t line, until;
  } * swapping; /* lines being exchanged with the side buffer */
  size_t nswapping, capswapping;
  struct l2_clearing {
    uint32_t fetch; /* its number */
    uint64_t until;
  } * clearing; /* clean lines being evicted (l2.evict_clean) */
  size_t nclearing, capclearing;
  uint32_t index;          /* among all slices */
  struct l2_slice *beside; /* its neighbour in the other half (l2/half.h); NULL: there are no halves */
  struct partition *owner;
};

struct partition;
bool slice_init(struct l2_slice *s, struct partition *c, uint32_t index, struct tech_set *tech);
void slice_destroy(struct l2_slice *s);
/* Simulates one cycle. `due` and `serve_at` are then the next cycles at which the slice can act without
 * memory. */
void slice_cycle(struct partition *c, struct l2_slice *s);
/* Parts of the cycle, on the fast path: slice_serve() tries the request that the order picks and returns the
 * next cycle; slice_answer() sends an answer to the network, one per cycle, and sets `due` to the next cycle at which the queues or
 * `timers` have work. */
uint64_t slice_serve(struct partition *c, struct l2_slice *s);
void slice_answer(struct partition *c, struct l2_slice *s, uint64_t timers);
/* Takes a request from the network in a cycle that is simulated already (l2/ahead.h). Returns the cycle at which the next can be taken. */
uint64_t slice_receive(struct partition *c, struct l2_slice *s);
/* Notes in which cycles after now and up to `to`, which are not simulated yet, the incoming buffer is full and no request waits in front of
 * it. Returns the first cycle for which that is not known, whatever comes in the next rop_latency cycles. */
uint64_t slice_note_shut(const struct partition *c, struct l2_slice *s, uint64_t to);
/* Books the lookups, up to `cycle`, of a request whose sectors are looked up as a whole (hits_at). */
void slice_settle(struct l2_slice *s, uint64_t cycle);
/* Is an L1 still to invalidate or downgrade a line? */
static inline bool slice_revoking(const struct l2_slice *s) {
  return s->stats.invalidations + s->stats.downgrades != s->stats.acknowledgements;
}
/* An event that may end a reservation fail: the slice tries again in `cycle`. */
static inline void slice_retry_at(struct l2_slice *s, uint64_t cycle) {
  s->epoch++;
  if (s->refused != NEVER && cycle < s->serve_at)
    s->serve_at = cycle;
}
/* The tick at which a message arrives, or at which a blocked answer finds room, as far as the ports know. */
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
/* The next sector of the request at the tags must be fetched (`sure`): while the miss queue is full, counts the reservation fail
 * without a lookup. */
void slice_fail_again(struct partition *c, struct l2_slice *s);
/* Cycles that requests have spent in the incoming buffer before `cycle`, including requests still there. */
uint64_t slice_queued(const struct l2_slice *s, uint64_t cycle);
/* Memory has the bytes of a store that missed (l2.write_miss). */
void slice_stored(struct partition *c, struct l2_slice *s, uint32_t parent);
/* All bursts of a fetch have arrived. */
void slice_filled(struct partition *c, struct l2_slice *s, const struct l2_fetched *f);
/* Their data goes into the line, and to those who wait for it. */
void slice_fill(struct partition *c, struct l2_slice *s, const struct l2_fetched *f);

/* Fetches sectors of a line, for the cache or, `parent` not UINT32_MAX, for a request that bypasses the
 * cache. */
void slice_fetch(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t parent,
                 bool to_side_buffer);
/* Sends a message that is no answer to an SM, from cycle `at` on and behind all earlier answers. */
void slice_notify(struct l2_slice *s, const struct mem_request *r, uint64_t at);
/* DRAM writes that write these sectors back. */
uint32_t slice_writes(const struct partition *c, uint32_t sectors);
void slice_write(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t fetch,
                 uint64_t from);

#endif
