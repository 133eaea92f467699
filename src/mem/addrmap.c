#include "mem/addrmap.h"
#include <string.h>

static uint32_t hash_of(uint64_t turn, uint64_t more) {
  uint64_t h = (turn + more * UINT64_C(0xD6E8FEB86659FD93)) * UINT64_C(0x9E3779B97F4A7C15);
  return (uint32_t)((h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9) >> 40);
}

uint32_t addr_stage_mix(const struct addr_stage *s, uint64_t turn, uint32_t place) {
  uint32_t twos = s->n / s->odd, high = place / twos;
  return (high + hash_of(turn, 0)) % s->odd * twos + (place % twos ^ hash_of(turn, high + 1) % twos);
}

uint32_t addr_stage_unmix(const struct addr_stage *s, uint64_t turn, uint32_t number) {
  uint32_t twos = s->n / s->odd, high = (number / twos + s->odd - hash_of(turn, 0) % s->odd) % s->odd;
  return high * twos + (number % twos ^ hash_of(turn, high + 1) % twos);
}

bool addr_stage_init(struct addr_stage *s, uint32_t n, uint32_t interleave, const char *bits,
                     uint32_t line_bytes, const char *name, struct error *err) {
  *s = (struct addr_stage){.n = n, .power = !(n & (n - 1)), .bits = (unsigned)__builtin_ctz(n)};
  if (!interleave || interleave & (interleave - 1))
    return error_add(err, EXIT_USAGE, "%s: an interleave of %u bytes; it must be a power of two", name,
                     interleave);
  if (interleave < line_bytes)
    return error_add(err, EXIT_USAGE, "%s: an interleave of %u bytes would split lines of %u", name,
                     interleave, line_bytes);
  s->shift = (unsigned)__builtin_ctz(interleave);
  s->inverse = UINT64_MAX / n + 1;
  s->odd = n >> __builtin_ctz(n);
  bool halves = strcmp(bits, "hashed2") == 0;
  if (halves && interleave / 2 < line_bytes)
    return error_add(err, EXIT_USAGE, "%s: hashed2; halves of %u bytes would split lines of %u", name,
                     interleave, line_bytes);
  s->halves = halves && n > 1 ? s->shift - 1 : 0;
  s->mixed = n > 1 && (halves || strcmp(bits, "hashed") == 0);
  if (halves || s->mixed)
    return true;
  if (!bit_select_parse(&s->select, bits, name, err))
    return false;
  if (!s->select.n)
    return true;
  if (UINT64_C(1) << s->select.n != n)
    return error_add(err, EXIT_USAGE, "%s: '%s' has %u bits, which number %llu places; there are %u", name,
                     bits, s->select.n, 1ull << s->select.n, n);
  uint64_t taken = 0, added = 0;
  for (unsigned i = 0; i < s->select.n; i++) {
    uint64_t own = UINT64_C(1) << s->select.first[i];
    if (UINT64_C(1) << s->select.first[i] < line_bytes || taken & own)
      return taken & own ? error_add(err, EXIT_USAGE, "%s: '%s': bit %u is taken twice", name, bits,
                                     s->select.first[i])
                         : error_add(err, EXIT_USAGE, "%s: '%s': bit %u lies within a line of %u bytes", name,
                                     bits, s->select.first[i], line_bytes);
    taken |= own;
    added |= s->select.mask[i] & ~own;
  }
  if (taken & added)
    return error_add(err, EXIT_USAGE, "%s: '%s': a bit that is taken out cannot be added to another", name,
                     bits);
  return true;
}

uint64_t addr_stage_rest_bits(const struct addr_stage *s, uint64_t a) {
  uint64_t taken = 0;
  for (unsigned i = 0; i < s->select.n; i++)
    taken |= UINT64_C(1) << s->select.first[i];
  while (taken) { /* highest first, so that lower positions stay where they are */
    unsigned b = 63 - (unsigned)__builtin_clzll(taken);
    a = (a >> 1 & ~((UINT64_C(1) << b) - 1)) | (a & ((UINT64_C(1) << b) - 1));
    taken &= ~(UINT64_C(1) << b);
  }
  return a;
}

uint64_t addr_stage_join_bits(const struct addr_stage *s, uint32_t number, uint64_t rest) {
  uint64_t taken = 0, a = rest;
  for (unsigned i = 0; i < s->select.n; i++)
    taken |= UINT64_C(1) << s->select.first[i];
  for (uint64_t t = taken; t; t &= t - 1) { /* lowest first: room for the bits taken out */
    uint64_t below = (t & (0 - t)) - 1;
    a = (a & ~below) << 1 | (a & below);
  }
  for (unsigned i = 0; i < s->select.n; i++) {
    uint64_t own = UINT64_C(1) << s->select.first[i];
    if ((number >> i & 1) ^ (unsigned)__builtin_parityll(a & s->select.mask[i] & ~own))
      a |= own;
  }
  return a;
}
