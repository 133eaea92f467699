/* DRAM: channels of a device, each with its controller, at the level of single commands.
 *
 *   struct dram *d = dram_new(&options, &err);
 *   for (;;) {
 *     if (have_request && dram_push(d, &request)) ...   accepted; it takes part from the next cycle on
 *     dram_tick(d);                                      or dram_advance(d, until): the same, faster
 *     while (dram_pop(d, &completion)) ...
 *   }
 *
 * Time counts cycles of the device's command clock. `dram_cycle()` is the next cycle to be simulated;
 * advancing to `until` simulates all cycles before it. Idle and constraint-bound cycles cost nothing: a
 * channel knows the next cycle at which something can happen to it (dram_next_event). Results do not
 * depend on how time is advanced.
 *
 * Every accepted request is answered exactly once. A read is done when its last data is on the bus, a
 * write when its data has gone to the device. Nothing is allocated after dram_new(). */
#ifndef SLUICE_DRAM_DRAM_H
#define SLUICE_DRAM_DRAM_H

#include "dram/device.h"
#include "dram/mapping.h"
#include "dram/profile.h"
#include "dram/stats.h"
#include "sluice_technique.h"

#define DRAM_NEVER UINT64_MAX

enum dram_command {
  DRAM_ACT,
  DRAM_PRE,
  DRAM_RD,
  DRAM_WR,
  DRAM_RDA,
  DRAM_WRA,
  DRAM_PREA,
  DRAM_REF,
  DRAM_REFPB,
  DRAM_COMMANDS
};
extern const char *const dram_command_names[DRAM_COMMANDS];

enum dram_refresh { DRAM_REFRESH_NONE, DRAM_REFRESH_ALLBANK, DRAM_REFRESH_PERBANK };
extern const char *const dram_refresh_names[]; /* NULL at the end */

/* Idealisations, to see what an order of requests can gain at most. ROWS: every row of a bank is open. ORDER: neither
 * rows nor bank groups nor the direction of the bus cost anything; only the data bus is left. Refresh is not changed. */
enum dram_ideal { DRAM_IDEAL_NONE, DRAM_IDEAL_ROWS, DRAM_IDEAL_ORDER };
extern const char *const dram_ideal_names[]; /* none, rows, order; NULL at the end */

struct dram_request {
  uint64_t address; /* bytes; taken modulo the capacity */
  uint64_t tag;     /* comes back with the answer */
  uint64_t mask;    /* write: bytes to be written, bit i is byte i (of 1/64 of a burst where that is
                       longer); 0: all. A masked write occupies the bus like a whole one. */
  bool write;
  uint32_t sm, warp; /* who asks, for schedulers that want to know (dram_orders()) */
};

struct dram_completion {
  uint64_t tag;
  uint64_t done;    /* cycle of the last data */
  uint64_t latency; /* cycles since the request was handed over */
  /* A read's way: the row it needs began to be opened (precharge or activate, whoever asked for it) and was
   * open, its column command went. A read answered without a command has all of them at its hand-over; a row
   * that was opened before, earlier times than that. */
  uint64_t opening, open, column;
  bool write;
};

/* One command, as it goes to the device. Fields a command does not have are 0. */
struct dram_issue {
  uint64_t cycle;
  enum dram_command command;
  uint32_t channel, rank, group, bank, row, column;
};

/* A scheduler in place of the profile's. open: makes the state of a channel's controller. */
struct dram_scheduler {
  const struct sluice_dram_scheduler *ops; /* NULL: the profile's */
  void *(*open)(void *ctx, uint32_t channel, const struct sluice_dram_queue *queue);
  void *ctx;
};

struct dram_options {
  const struct dram_device *device;   /* copied */
  const struct dram_profile *profile; /* copied; NULL: the default */
  const char *mapping;                /* NULL: the device's */
  struct dram_scheduler scheduler;
  enum dram_refresh refresh;
  enum dram_ideal ideal;
  uint32_t channels; /* 0: the device's */
  uint32_t lockstep; /* physical channels that act as one wide one; 0: 1 */
  bool no_skip;      /* evaluate every cycle from scratch: slow, for checking */
  bool general;      /* no fast path: the general forms schedule every request */
  void (*log)(void *ctx, const struct dram_issue *issue); /* NULL: none */
  void *log_ctx;
};

struct dram;
/* From now on every command is told; log NULL: none. */
void dram_set_log(struct dram *d, void (*log)(void *ctx, const struct dram_issue *issue), void *ctx);
struct dram *dram_new(const struct dram_options *o, struct error *err);
/* A memory of fixed latency in place of channels: of the functions below it has push, answer, advance, next_change, retry_at,
 * channel_of, counts and add_counters. */
struct fixed;
struct dram *dram_new_fixed(struct fixed *f);
void dram_free(struct dram *d);

/* Places of the queues: of reads and writes, or one queue of both (most[1] is 0). */
struct dram_taken {
  uint32_t count[2], most[2];
  bool full[2]; /* for reads, for writes */
};
/* Those of a memory of one channel, for who looks every cycle: while they are full, nothing is accepted. NULL: it has more. */
const struct dram_taken *dram_taken(const struct dram *d);

/* Does the scheduler look at requests one by one, and at who asks? */
bool dram_orders(const struct dram *d);

/* False: its queue is full; try again in a later cycle: in dram_retry_at(), DRAM_NEVER: when something has happened here. */
bool dram_push(struct dram *d, const struct dram_request *r);
uint64_t dram_retry_at(const struct dram *d, uint32_t channel);
uint32_t dram_channel_of(const struct dram *d, uint64_t address);
/* Whether dram_push() would accept it now. */
bool dram_accepts(const struct dram *d, const struct dram_request *r);
/* Answers up to the last simulated cycle, in the order of `done`. */
bool dram_pop(struct dram *d, struct dram_completion *out);
/* Where there is one: true when there are more. */
bool dram_answer(struct dram *d, struct dram_completion *out);

/* When the last of the answers on their way will be there; DRAM_NEVER: none is. */
uint64_t dram_last_answer(const struct dram *d);

uint64_t dram_cycle(const struct dram *d);
void dram_tick(struct dram *d);
/* True: there are answers. */
bool dram_advance(struct dram *d, uint64_t until);
/* Where the queue of a memory of one channel is full: advances until it has room. False: nothing was done. */
bool dram_advance_to_room(struct dram *d, bool write);
/* The next cycle in which anything can happen without new requests; DRAM_NEVER: none. */
uint64_t dram_next_event(const struct dram *d);
/* When the next answer can be popped, of those whose command has gone to the device: dram_pop() gives it once
 * that cycle is simulated. DRAM_NEVER: none. */
uint64_t dram_next_answer(const struct dram *d);
/* The next cycle at which there may be an answer or room, without new requests, once all cycles before are simulated; DRAM_NEVER:
 * none. */
uint64_t dram_next_change(const struct dram *d);
/* Accepted requests whose command has not gone to the device yet. */
uint64_t dram_waiting(const struct dram *d);
/* No more requests will come: writes are no longer held back. */
void dram_flush(struct dram *d);

/* The cycle by which, so far, all reads had their data and all writes were issued. */
uint64_t dram_finished(const struct dram *d);

uint32_t dram_channels(const struct dram *d);
const struct dram_map *dram_mapping(const struct dram *d);
uint64_t dram_transaction(const struct dram *d); /* bytes of one request, lock-step channels together */
uint64_t dram_capacity(const struct dram *d);    /* bytes of all channels */
/* Counters of all channels together, up to the last simulated cycle. */
void dram_counters(const struct dram *d, struct dram_counters *out);
/* Likewise, added to what is there. */
void dram_add_counters(const struct dram *d, struct dram_counters *to);
/* Likewise, without the histogram of latencies (16 KB), which is left as it is. */
void dram_counts(const struct dram *d, struct dram_counters *out);

#endif
