#include "dram/mapping.h"
#include <string.h>

static const char letters[DRAM_FIELDS + 1] = "rbgkhc";
static const char *const field_names[DRAM_FIELDS] = {"row",  "bank",    "bank group",
                                                     "rank", "channel", "column"};

static int log2_exact(uint64_t n) {
  return n && !(n & (n - 1)) ? __builtin_ctzll(n) : -1;
}

static bool widths(uint8_t width[DRAM_FIELDS], const struct dram_device *d, uint32_t channels,
                   struct error *err) {
  const uint64_t count[DRAM_FIELDS] = {d->rows, d->banks, d->bank_groups, d->ranks, channels, d->columns};
  for (int f = 0; f < DRAM_FIELDS; f++) {
    int n = log2_exact(count[f]);
    if (n < 0 || n > 31)
      return error_set(err, EXIT_USAGE,
                       "device %s: %llu %ss cannot be addressed by bits (a power of two is needed)", d->name,
                       (unsigned long long)count[f], field_names[f]);
    width[f] = (uint8_t)n;
  }
  return true;
}

static int field_of(char letter) {
  const char *at = letter ? strchr(letters, letter) : NULL;
  return at ? (int)(at - letters) : -1;
}

static unsigned number(const char **s) {
  unsigned n = 0;
  while (**s >= '0' && **s <= '9' && n < 1000)
    n = n * 10 + (unsigned)(*(*s)++ - '0');
  return n;
}

/* Letters and repeat counts into one field per bit, most significant first. Returns the bits, or -1. */
static int spell(const char **s, uint8_t field[64], const char *text, struct error *err) {
  int n = 0;
  while (**s && **s != ',') {
    int f = field_of(**s);
    if (f < 0) {
      error_set(err, EXIT_USAGE, "mapping '%.200s': '%c' is not one of r b g k h c", text, **s);
      return -1;
    }
    (*s)++;
    unsigned times = **s >= '0' && **s <= '9' ? number(s) : 1;
    if (n + (int)times > 64) {
      error_set(err, EXIT_USAGE, "mapping '%.200s': more than 64 bits", text);
      return -1;
    }
    while (times--)
      field[n++] = (uint8_t)f;
  }
  return n;
}

/* Where each bit of each field comes from; runs of neighbours move together. */
static void make_runs(struct dram_map *m, const uint8_t *field, uint8_t from[DRAM_FIELDS][32]) {
  uint8_t have[DRAM_FIELDS] = {0};
  for (int bit = 0; bit < m->bits; bit++) {
    int f = field[m->bits - 1 - bit];
    from[f][have[f]] = (uint8_t)bit;
    bool joins = bit && field[m->bits - bit] == f;
    if (!have[f]) {
      m->low[f].from = (uint32_t)bit;
      m->low[f].mask = 1;
    } else if (joins && have[f] == __builtin_popcount(m->low[f].mask)) {
      m->low[f].mask = m->low[f].mask << 1 | 1;
    } else if (joins) {
      m->run[m->runs - 1].mask = m->run[m->runs - 1].mask << 1 | 1;
    } else {
      m->run[m->runs].from = (uint8_t)bit;
      m->run[m->runs].to = have[f];
      m->run[m->runs].field = (uint8_t)f;
      m->run[m->runs].mask = 1;
      m->runs++;
    }
    have[f]++;
  }
}

static bool term(const struct dram_map *m, const char **s, int *field, uint32_t *bit, const char *text,
                 struct error *err) {
  *field = field_of(**s);
  if (*field < 0 || (*s)[1] < '0' || (*s)[1] > '9')
    return error_set(err, EXIT_USAGE, "mapping '%.200s': a hash reads like b0^r3^r7, not '%.20s'", text, *s);
  (*s)++;
  *bit = number(s);
  if (*bit >= m->width[*field])
    return error_set(err, EXIT_USAGE, "mapping '%.200s': there is no bit %u of the %s (%u bits)", text, *bit,
                     field_names[*field], m->width[*field]);
  return true;
}

static bool hashes(struct dram_map *m, const char *s, uint8_t from[DRAM_FIELDS][32], const char *text,
                   struct error *err) {
  while (*s == ',') {
    s++;
    int target, f;
    uint32_t to, bit;
    if (m->hashes == 64)
      return error_set(err, EXIT_USAGE, "mapping '%.200s': more than 64 hashes", text);
    if (!term(m, &s, &target, &to, text, err))
      return false;
    if (target == DRAM_ROW || target == DRAM_COLUMN || *s != '^')
      return error_set(err, EXIT_USAGE, "mapping '%.200s': a hash goes into a b, g, k or h bit, like b0^r3",
                       text);
    uint64_t source = 0;
    while (*s == '^') {
      s++;
      if (!term(m, &s, &f, &bit, text, err))
        return false;
      if (f != DRAM_ROW && f != DRAM_COLUMN)
        return error_set(err, EXIT_USAGE, "mapping '%.200s': only r and c bits can be hashed into others",
                         text);
      source ^= UINT64_C(1) << from[f][bit];
    }
    m->hash[m->hashes].source = source;
    m->hash[m->hashes].field = (uint8_t)target;
    m->hash[m->hashes].bit = to;
    m->hashes++;
  }
  if (*s)
    return error_set(err, EXIT_USAGE, "mapping '%.200s': cannot read '%.20s'", text, s);
  return true;
}

/* Named mappings, by the letters of their fields from most to least significant. */
static const char *const named[][2] = {{"bglow", "rkbcgh"}, {"collow", "rkbgch"}};

static int spell_named(const struct dram_map *m, const char *order, uint8_t field[64]) {
  int n = 0;
  for (; *order; order++)
    for (int k = 0; k < m->width[field_of(*order)]; k++)
      field[n++] = (uint8_t)field_of(*order);
  return n;
}

/* What one bit of a block number contributes. */
static uint64_t contributes(const struct dram_map *m, uint64_t block) {
  uint64_t fields = 0;
  for (int f = 0; f < DRAM_FIELDS; f++)
    fields |= (block >> m->low[f].from & m->low[f].mask) << m->at[f];
  for (int i = 0; i < m->runs; i++)
    fields |= (block >> m->run[i].from & m->run[i].mask) << (m->at[m->run[i].field] + m->run[i].to);
  for (int i = 0; i < m->hashes; i++)
    if (block & m->hash[i].source)
      fields ^= UINT64_C(1) << (m->at[m->hash[i].field] + m->hash[i].bit);
  return fields;
}

static void make_parts(struct dram_map *m) {
  static const enum dram_field order[] = {DRAM_BANK,    DRAM_GROUP,  DRAM_RANK,
                                          DRAM_CHANNEL, DRAM_COLUMN, DRAM_ROW};
  unsigned at = 0;
  for (int i = 0; i < DRAM_FIELDS; i++) {
    m->at[order[i]] = (uint8_t)at;
    m->mask[order[i]] = (1u << m->width[order[i]]) - 1;
    at += m->width[order[i]];
  }
  m->banks = (1u << m->at[DRAM_CHANNEL]) - 1;
  m->groups = (uint8_t)((m->bits + DRAM_MAP_GROUP - 1) / DRAM_MAP_GROUP);
  for (unsigned g = 0; g < m->groups; g++)
    for (unsigned x = 1; x < 1 << DRAM_MAP_GROUP; x++) {
      unsigned low = (unsigned)__builtin_ctz(x), bit = g * DRAM_MAP_GROUP + low;
      m->part[g][x] = m->part[g][x & (x - 1)] ^ (bit < m->bits ? contributes(m, UINT64_C(1) << bit) : 0);
    }
}

bool dram_map_parse(struct dram_map *m, const char *text, const struct dram_device *d, uint32_t channels,
                    uint32_t lockstep, struct error *err) {
  memset(m, 0, sizeof *m);
  if (!widths(m->width, d, channels, err))
    return false;
  m->transaction = (uint64_t)d->transaction * lockstep;
  int shift = log2_exact(m->transaction);
  if (shift < 0)
    return error_set(err, EXIT_USAGE, "device %s: a transaction of %llu bytes is not a power of two", d->name,
                     (unsigned long long)m->transaction);
  m->shift = (uint8_t)shift;
  uint8_t field[64], from[DRAM_FIELDS][32], count[DRAM_FIELDS] = {0};
  const char *s = text, *order = NULL;
  size_t word = strcspn(text, ",");
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (strlen(named[i][0]) == word && memcmp(text, named[i][0], word) == 0)
      order = named[i][1];
  int total = 0;
  for (int f = 0; f < DRAM_FIELDS; f++)
    total += m->width[f];
  if (total + shift > 63)
    return error_set(err, EXIT_USAGE, "device %s: more than 63 address bits", d->name);
  int n = order ? spell_named(m, order, field) : spell(&s, field, text, err);
  if (n < 0)
    return false;
  if (order)
    s += word;
  for (int i = 0; i < n; i++)
    count[field[i]]++;
  for (int f = 0; f < DRAM_FIELDS; f++)
    if (count[f] != m->width[f])
      return error_set(err, EXIT_USAGE,
                       "mapping '%.200s': %u %s bits, but device %s with %u channel%s has %u", text, count[f],
                       field_names[f], d->name, channels, channels == 1 ? "" : "s", m->width[f]);
  m->bits = (uint8_t)n;
  make_runs(m, field, from);
  if (!hashes(m, s, from, text, err))
    return false;
  make_parts(m);
  return true;
}

uint64_t dram_map_address(const struct dram_map *m, const struct dram_place *p) {
  uint64_t block = 0;
  struct dram_place q = *p;
  /* Sources are row and column bits, which are no targets: they can be placed first. */
  for (int pass = 0; pass < 2; pass++) {
    block = 0;
    for (int f = 0; f < DRAM_FIELDS; f++)
      block |= (uint64_t)(q.field[f] & m->low[f].mask) << m->low[f].from;
    for (int i = 0; i < m->runs; i++)
      block |= (uint64_t)(q.field[m->run[i].field] >> m->run[i].to & m->run[i].mask) << m->run[i].from;
    for (int i = 0; pass == 0 && i < m->hashes; i++)
      q.field[m->hash[i].field] ^= (uint32_t)__builtin_parityll(block & m->hash[i].source) << m->hash[i].bit;
  }
  return block << m->shift;
}
