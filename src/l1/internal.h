/* What the files of the L1 share: l1.c (loads and stores), fill.c (answers), order.c (accesses a technique keeps in
 * order), send.c (requests to the network), cluster.c (loads of other SMs). */
#ifndef SLUICE_L1_INTERNAL_H
#define SLUICE_L1_INTERNAL_H

#include "base/bits.h"
#include "cache/cache.h"
#include "mem/sectors.h"
#include "core/sm.h"

/* Sectors of a request → sectors of the L1, and back. */
static inline uint32_t l1_cache_sectors(const struct sm *s, uint8_t sectors) {
  return sectors_to_cache(s->l1.k->d.sector_bytes, sectors);
}

static inline uint8_t l1_request_sectors(const struct sm *s, uint32_t own) {
  return sectors_from_cache(s->l1.k->d.sector_bytes, own);
}

/* Sectors pass a data port, so many bytes per cycle. Returns the cycles that takes. */
static inline uint32_t l1_use_port(struct sm *s, uint8_t sectors) {
  uint32_t bytes = count_bits(sectors) * MEM_SECTOR,
           cycles = (bytes + s->l1.k->d_port_bytes - 1) / s->l1.k->d_port_bytes, i = 0;
  while (s->port_busy[i] > s->now)
    i++;
  s->port_busy[i] = s->now + cycles;
  return cycles;
}

/* Whether such a load goes through the texture cache. */
static inline bool l1_of_texture(const struct sm *s, uint8_t cache_op) {
  return s->l1.k->t_on && cache_op == SLUICE_TEXTURE;
}

/* The line of the constant cache that an access lies in. */
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

/* The same for what a cache has refused, and counted. */
static inline bool l1_cache_fail(struct sm *s, struct cache *by, enum cache_fail why) {
  s->fail_why = (enum sluice_fail)why;
  s->fail_cache = by;
  return false;
}

void l1_request(struct mem_request *r, struct sm *s, const struct l1_of *of, const struct sm_access *a,
                uint8_t sectors, uint8_t flags);
void l1_send(struct sm *s, const struct l1_of *of, const struct sm_access *a, uint8_t sectors, uint8_t flags);
/* Past the L1, through the technique's own queue if it has one. False: no room. */
bool l1_send_bypass(struct sm *s, const struct l1_of *of, const struct sm_access *a);
/* A queue of its own lets a load pass requests that came before it: not where one of them changes its line. */
bool l1_would_overtake_write(const struct sm *s, uint64_t line);
/* Nor may a change of a line pass loads of it there. */
bool l1_would_overtake_load(const struct sm *s, uint64_t line);
/* Changed bytes of a line, to the L2. */
void l1_write_to_l2(struct sm *s, const struct cache_result *r);
/* A line that made room, if it was dirty. */
void l1_write_back(struct sm *s, const struct cache_result *r);
/* The store is done: nothing of it is on its way. */
void l1_store_done(struct sm *s, uint32_t w, uint32_t tracker);
/* A line that was replaced, if one was, to a warp gate. */
void l1_replaced(struct sm *s, const struct cache_result *r);
/* Lines that are taken next belong to the warp, where a gate wants to know. */
static inline void l1_set_owner(struct sm *s, uint32_t warp) {
  if (s->l1.gate.ops)
    cache_set_owner(s->l1d, (uint16_t)warp);
}
/* The number of a warp's CTA in its grid. */
static inline uint32_t l1_cta(const struct sm *s, uint32_t warp) {
  const struct feed_cta *c = s->warp[warp].stream;
  return c ? (uint32_t)c->linear : UINT32_MAX;
}
/* The access as techniques see it. */
struct sluice_request l1_view(const struct sm *s, const struct l1_of *of, const struct sm_access *a);

#endif
