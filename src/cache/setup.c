#include "base/mem.h"
#include "cache/ways.h"
#include <stdio.h>
#include <stdlib.h>

/* In the order of the enums of cache.h. */
const char *const cache_index_names[] = {"modulo", "xor", "hashed", "bits", "fermi", NULL};
const char *const cache_replacement_names[] = {"lru", "fifo", "srrip", NULL};
const char *const cache_allocate_names[] = {"on-miss", "on-fill", NULL};
const char *const cache_write_miss_names[] = {"no-allocate", "fetch", "validate", NULL};

static bool power_of_two(uint32_t v) {
  return v && !(v & (v - 1));
}

bool cache_config_check(const struct cache_config *k, const char *name, struct error *err) {
  if (!power_of_two(k->sets))
    return error_add(err, EXIT_USAGE, "%s: %u sets; must be a power of two", name, k->sets);
  if (!k->ways || k->ways > 65536)
    return error_add(err, EXIT_USAGE, "%s: %u ways; 1 to 65536 are allowed", name, k->ways);
  if (!power_of_two(k->line_bytes) || k->line_bytes < 8 || k->line_bytes > 64 * MAX_LINE_WORDS)
    return error_add(err, EXIT_USAGE, "%s: lines of %u bytes; a power of two from 8 to %d is allowed", name,
                     k->line_bytes, 64 * MAX_LINE_WORDS);
  if (!power_of_two(k->sector_bytes) || k->sector_bytes > k->line_bytes ||
      k->line_bytes / k->sector_bytes > MAX_SECTORS)
    return error_add(err, EXIT_USAGE, "%s: sectors of %u bytes in lines of %u; at most %d sectors per line",
                     name, k->sector_bytes, k->line_bytes, MAX_SECTORS);
  if (!k->mshrs || !k->merges)
    return error_add(err, EXIT_USAGE, "%s: %u MSHRs of %u requests; at least one of each", name, k->mshrs,
                     k->merges);
  if (k->index == CACHE_BITS && UINT64_C(1) << k->index_bits.n != k->sets)
    return error_add(err, EXIT_USAGE, "%s.index_bits: %u bits number %llu sets; there are %u", name,
                     k->index_bits.n, 1ull << k->index_bits.n, k->sets);
  return true;
}

bool cache_config_finish(struct cache_config *k, const char *name, struct error *err) {
  char param[64];
  snprintf(param, sizeof param, "%s.index_bits", name);
  bool ok = bit_select_parse(&k->index_bits, k->index_text, param, err);
  if (*k->index_text && k->index != CACHE_BITS)
    ok = error_add(err, EXIT_USAGE, "%s is '%s', but %s.index is not `bits`", param, k->index_text, name);
  return cache_config_check(k, name, err) && ok;
}

/* An array whose beginning is the beginning of a line of the host's cache: what ways of a set have lies side by side. Its memory is not
 * touched, as caches can be large. */
static void *array(struct cache *c, unsigned i, size_t n, size_t size) {
  enum { LINE = 64 };
  uintptr_t at = (uintptr_t)(c->memory[i] = xcalloc(n * size + LINE, 1));
  return (void *)((at + LINE - 1) & ~(uintptr_t)(LINE - 1));
}

struct cache *cache_new(const struct cache_config *k) {
  struct cache *c = xcalloc(1, sizeof *c);
  c->k = *k;
  c->sectors = k->line_bytes / k->sector_bytes;
  c->line_words = (k->line_bytes + 63) / 64;
  c->line_shift = (unsigned)__builtin_ctz(k->line_bytes);
  c->sector_shift = (unsigned)__builtin_ctz(k->sector_bytes);
  c->set_bits = (unsigned)__builtin_ctz(k->sets);
  size_t n = (size_t)k->sets * k->ways;
  c->way = c->asked = c->filled = array(c, 0, n, sizeof *c->way);
  for (size_t i = 0; i < n; i++)
    c->way[i].line = NO_LINE;
  if (k->ways > WAYS_BY_LINE)
    c->tag_byte = xcalloc(n + WAYS_AT_ONCE, 1); /* the last set is read beyond its end, too */
  c->dirty_bytes = array(c, 1, n * c->line_words, sizeof *c->dirty_bytes);
  c->valid_bytes = array(c, 2, n * c->line_words, sizeof *c->valid_bytes);
  c->late = xcalloc(n, sizeof *c->late);
  c->entries = k->mshr_by_sector ? c->sectors : 1;
  c->entry = array(c, 3, n * c->entries, sizeof *c->entry);
  mshr_init(&c->mshr, k->mshrs, k->merges);
  policy_init(c);
  return c;
}

void cache_free(struct cache *c) {
  if (!c)
    return;
  mshr_destroy(&c->mshr);
  policy_destroy(c);
  for (unsigned i = 0; i < sizeof c->memory / sizeof *c->memory; i++)
    free(c->memory[i]);
  free(c->tag_byte);
  free(c->late);
  free(c);
}
