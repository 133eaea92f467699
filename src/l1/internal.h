/* Shared by the files of the L1: l1.c (loads, stores and fills), order.c (accesses in a
 * technique's order), send.c (requests to the network), cluster.c (loads of other SMs). */
#ifndef SLUICE_L1_INTERNAL_H
#define SLUICE_L1_INTERNAL_H

#include "base/bits.h"
#include "cache/cache.h"
#include "mem/mem.h"
#include "core/sm.h"

/* Occupies a data port for the bytes of `sectors`; returns the cycles that takes. */
static inline uint32_t l1_use_port(struct sm *s, uint8_t sectors) {
  uint32_t bytes = count_bits(sectors) * MEM_SECTOR,
           cycles = (bytes + s->l1.k->d_port_bytes - 1) / s->l1.k->d_port_bytes, i = 0;
  while (s->port_busy[i] > s->now)
    i++;
  s->port_busy[i] = s->now + cycles;
  return cycles;
}

/* The constant cache's line of an access. */
static inline uint64_t l1_constant_line(const struct sm *s, uint64_t line, uint8_t sectors) {
  return (line + (uint64_t)__builtin_ctz(sectors) * MEM_SECTOR) & ~(uint64_t)(s->l1.k->c.line_bytes - 1);
}

static inline bool l1_miss_room(const struct sm *s) {
  return ring_room(&s->miss, 1);
}

static inline bool l1_reservation_fail(struct sm *s, enum sluice_fail why) {
  s->fail_why = why;
  s->fail_cache = NULL;
  return false;
}

/* A reservation fail that the cache `by` has counted. */
static inline bool l1_cache_fail(struct sm *s, struct cache *by, enum sluice_fail why) {
  s->fail_why = why;
  s->fail_cache = by;
  return false;
}

/* False: reservation fail. */
bool l1_load_constant(struct sm *s, const struct l1_of *of, const struct sm_access *a);

/* Puts the request of an access into a queue for the network. */
void l1_send(struct sm *s, struct request_ring *queue, const struct l1_of *of, const struct sm_access *a,
             uint8_t sectors, uint16_t flags);
/* Sends an access that bypasses the L1, through the technique's own queue if there is one. False: no room. */
bool l1_send_bypass(struct sm *s, const struct l1_of *of, const struct sm_access *a);
/* Would a load in the bypass queue overtake a write or atomic of its line in the miss queue? */
bool l1_would_overtake_write(const struct sm *s, uint64_t line);
/* Would a write overtake a load of its line in the bypass queue? */
bool l1_would_overtake_load(const struct sm *s, uint64_t line);
/* Sends the dirty bytes of a line to the L2. */
void l1_write_to_l2(struct sm *s, const struct cache_result *r);
/* Sends the victim of an access to the L2 if the victim is dirty. */
void l1_write_back(struct sm *s, const struct cache_result *r);
/* A store is complete: no request of the store is under way. */
void l1_store_done(struct sm *s, uint32_t w, uint32_t tracker);
/* Notifies the warp gate of a replaced line, if one was replaced. */
void l1_replaced(struct sm *s, const struct cache_result *r);
/* Lines allocated next belong to the warp, if there is a warp gate to be notified of their end. */
static inline void l1_set_owner(struct sm *s, uint32_t warp) {
  if (s->l1.gate.ops)
    cache_set_owner(s->l1d, (uint16_t)warp);
}
/* The access that the L1 is asked for next, if its replacement wants to know. */
static inline void l1_set_access(struct sm *s, const struct l1_of *of) {
  if (s->l1.names_access)
    cache_set_access(s->l1d, &(struct sluice_cache_access){
                                 .pc = of->inst->pc, .sm = s->id, .warp = of->warp, .kind = of->kind});
}
/* The access as techniques see it. */
struct sluice_request l1_view(const struct sm *s, const struct l1_of *of, const struct sm_access *a);

#endif
