/* Loads of constants. A constant cache misses to the L2, or, as recent NVIDIA GPUs have it, to a second constant cache of the SM
 * (l1c.second_latency), which has all constants here. */
#include "l1/internal.h"

/* The addresses that lanes read in the access, which leave the cache one after the other. */
static uint32_t addresses(const struct l1_of *of, const struct sm_access *a) {
  uint32_t bytes = count_bits(a->bytes[0]) + count_bits(a->bytes[1]);
  return bytes > of->inst->bytes ? bytes / of->inst->bytes : 1;
}

/* Constants of an SM leave their cache one after the other, and those of an instruction later than the cache could take the next load: the first address of
 * a line, the others, the first of the next line. `more`: how much later the line comes, and how long it keeps the cache besides. */
static void leave(struct sm *s, const struct l1_of *of, const struct sm_access *a, uint32_t later,
                  uint32_t more) {
  const struct l1_config *k = s->l1.k;
  uint64_t from = s->constant_free > s->now ? s->constant_free : s->now, at = from;
  bool first = s->tracker[of->tracker].left == of->degree; /* of its accesses */
  if (!first && s->constant_last + k->c_address_latency > at)
    at = s->constant_last + k->c_address_latency;
  uint32_t further = k->c_interval ? addresses(of, a) - 1 : 0;
  s->constant_free = from + (further + 1) * (uint64_t)k->c_interval + more;
  s->constant_last = at + (uint64_t)further * k->c_address_latency + later;
  tracker_answer(s, of->tracker, s->constant_last + k->c_latency, s->k->hit_stages);
}

static void nobody(void *ctx, uint32_t waiter) {
  (void)ctx, (void)waiter;
}

/* The line comes from the second constant cache. */
static bool second(struct sm *s, const struct l1_of *of, const struct sm_access *a, uint64_t line) {
  struct cache_result r = cache_load(s->l1c, line, 1, of->tracker, true);
  if (r.outcome == CACHE_FAILED)
    return l1_cache_fail(s, s->l1c, r.fail);
  bool hit = r.outcome == CACHE_HIT;
  if (!hit)
    cache_fill(s->l1c, line, 1, nobody, NULL);
  const struct l1_config *k = s->l1.k;
  leave(s, of, a, hit ? 0 : k->c_second_latency - k->c_latency, hit ? 0 : k->c_second_interval);
  return true;
}

bool l1_load_constant(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (!s->l1.k->c_on) {
    leave(s, of, a, 0, 0);
    return true;
  }
  uint64_t line = l1_constant_line(s, a->line, a->sectors);
  if (s->l1.k->c_second_latency)
    return second(s, of, a, line);
  struct cache_result r = cache_load(s->l1c, line, 1, of->tracker, ring_room(&s->cmiss, 1));
  if (r.outcome == CACHE_FAILED)
    return l1_cache_fail(s, s->l1c, r.fail);
  if (r.outcome == CACHE_MISS) {
    uint32_t all = (1u << s->l1.k->c.line_bytes / MEM_SECTOR) - 1;
    l1_send(s, &s->cmiss, of, &(struct sm_access){.line = a->line, .sectors = a->sectors},
            (uint8_t)(all << (line - a->line) / MEM_SECTOR), MEM_CONST);
  }
  if (r.outcome == CACHE_HIT)
    leave(s, of, a, 0, 0);
  return true;
}
