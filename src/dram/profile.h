/* A controller's rules as data.
 *
 * `sluice` is the default; `like-dramsim3` and `like-ramulator2` follow the rules of those simulators, so
 * that numbers can be compared. A YAML file may start from one of them and change single fields. */
#ifndef SLUICE_DRAM_PROFILE_H
#define SLUICE_DRAM_PROFILE_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The scheduler: each is a file of dram/sched/. */
enum dram_pick { DRAM_FCFS, DRAM_FRFCFS, DRAM_OLDEST_READY, DRAM_ROUND_ROBIN };
enum dram_page {
  DRAM_OPEN,
  DRAM_CLOSED,  /* a row closes with the last request that wants it */
  DRAM_TIMEOUT, /* after page_timeout cycles without one */
  DRAM_SINGLE,  /* with every access */
};

/* X(field, minimum, maximum, definition) */
#define DRAM_PROFILE_NUMBERS(X)                                                                              \
  X(read_queue, 1, 4096, "entries of the read queue")                                                        \
  X(write_queue, 0, 4096, "entries of the write queue; 0: one queue for both, of read_queue entries")        \
  X(bank_queue, 0, 4096, "entries of a queue at each bank, filled one per cycle; 0: none")                   \
  X(row_hit_cap, 0, 1000000, "hits to a row before an older request to another row may close it; 0: any")    \
  X(age_limit, 0, 1000000000, "cycles of waiting after which a request goes first; 0: none")                 \
  X(write_high, 0, 4096, "waiting writes that start a drain")                                                \
  X(write_low, 0, 4096, "waiting writes at which a drain ends while reads wait")                             \
  X(write_idle, 0, 4096, "waiting writes that start a drain when no read waits")                             \
  X(write_wait, 0, 1000000, "cycles without a waiting read before such a drain starts")                      \
  X(page_timeout, 0, 1000000, "page policy timeout: cycles without a hit after which a row is closed")       \
  X(postpone, 0, 8, "tREFI that a refresh may be late while requests wait")                                  \
  X(latency_from, 0, 1, "cycles after the hand-over at which the latency of a read starts to count")

#define DRAM_PROFILE_FLAGS(X)                                                                                \
  X(keep_hits, "a row is not closed while requests to it wait")                                              \
  X(cap_stops_hits, "once the cap is reached, further hits wait as well")                                    \
  X(use_opened, "a row is used once before it is closed, also when the direction changes meanwhile")         \
  X(pin_activated, "a request that caused an ACT keeps the row until it is served, and goes first")          \
  X(drain_all, "a drain moves as many writes as waited when it started")                                     \
  X(merge_reads, "reads of the same address are merged")                                                     \
  X(no_forwarding,                                                                                           \
    "a read behind a write of its address goes to the device, and so does each of two writes")               \
  X(refresh_one_by_one, "banks are precharged one by one before a refresh, not all at once")                 \
  X(refresh_after_pinned, "a refresh waits for pinned requests and stops all others")

struct dram_profile {
  char name[64];
  enum dram_pick pick;
  enum dram_page page;
#define X(field, min, max, help) uint32_t field;
  DRAM_PROFILE_NUMBERS(X)
#undef X
#define X(field, help) bool field;
  DRAM_PROFILE_FLAGS(X)
#undef X
};

extern const char *const dram_pick_names[], *const dram_page_names[]; /* NULL at the end */

struct sluice_dram_scheduler;
extern const struct sluice_dram_scheduler *const dram_schedulers[]; /* by enum dram_pick */
/* Does it order requests one by one, and not only by whether they hit (rows first counts as the former)? */
bool dram_scheduler_orders(const struct sluice_dram_scheduler *s);
/* Does the scheduler go with the rest of a controller's rules? */
bool dram_scheduler_check(const struct sluice_dram_scheduler *s, const struct dram_profile *p,
                          struct error *err);

/* The profile of that name, or of a YAML file. */
bool dram_profile_load(struct dram_profile *p, const char *name_or_path, struct error *err);
bool dram_profile_parse(struct dram_profile *p, const char *text, size_t n, const char *path,
                        struct error *err);
bool dram_profile_check(const struct dram_profile *p, const char *where, struct error *err);
/* Other sizes of its queues; thresholds of waiting writes in proportion. */
void dram_profile_resize(struct dram_profile *p, uint32_t entries);
const struct dram_profile *dram_profile_default(void);
size_t dram_profiles(const struct dram_profile **list);

#endif
