/* Counters of the chosen techniques, summed over their units, and the storage that they add. */
#include "base/mem.h"
#include "tech/chosen.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t tech_counters(const struct tech_set *s) {
  size_t n = 0;
  for (unsigned i = 0; i < s->n; i++)
    n += s->of[i].t->ncounters;
  return n;
}

void tech_counters_take(const struct tech_set *s, uint64_t *out) {
  for (unsigned i = 0; i < s->n; i++) {
    const struct chosen *k = &s->of[i];
    for (uint32_t j = 0; j < k->t->ncounters; j++) {
      out[j] = 0;
      for (size_t u = 0; u < k->ncount; u++)
        out[j] += k->count[u][j];
    }
    out += k->t->ncounters;
  }
}

void tech_counter_rows(const struct tech_set *s, const struct stat_row **to) {
  for (unsigned i = 0; i < s->n; i++) {
    size_t k = 0;
    while (tech_at(k) != s->of[i].t)
      k++;
    for (uint32_t j = 0; j < s->of[i].t->ncounters; j++)
      *to++ = &tech_stat_table(k)->rows[j];
  }
}

/* Storage that a technique adds; free it. */
static struct sluice_array *arrays_of(const struct chosen *k, uint32_t *n) {
  uint32_t room = 16, size = k->t->array_size; /* of an element as the technique knows it */
  char *out = xcalloc(room, size);
  while ((*n = k->t->arrays ? k->t->arrays(&k->env, (void *)out, room) : 0) > room) {
    free(out);
    room = *n;
    out = xcalloc(room, size);
  }
  struct sluice_array *a = xcalloc(*n + 1u, sizeof *a);
  for (uint32_t i = 0; i < *n; i++)
    memcpy(&a[i], out + (size_t)i * size, size);
  free(out);
  return a;
}

static uint64_t storage_bits(const struct chosen *k) {
  uint64_t bits = 0;
  uint32_t n;
  struct sluice_array *a = arrays_of(k, &n);
  for (uint32_t i = 0; i < n; i++)
    bits += a[i].entries * (a[i].bits + a[i].data_bits) * a[i].units;
  free(a);
  return bits;
}

uint64_t tech_storage_bits(const struct tech_set *s) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < s->n; i++)
    bits += storage_bits(&s->of[i]);
  return bits;
}

void tech_counters_put(const struct tech_set *s, const uint64_t *count, struct stats *to) {
  char name[160];
  for (unsigned i = 0; i < s->n; i++) {
    const struct sluice_technique *t = s->of[i].t;
    for (uint32_t j = 0; j < t->ncounters; j++) {
      snprintf(name, sizeof name, "%s.%s", t->name, t->counters[j].name);
      stats_put_u64(to, name, count[j]);
    }
    for (uint32_t j = 0; j < t->nratios; j++) {
      double v = t->ratios[j].value(count);
      snprintf(name, sizeof name, "%s.%s", t->name, t->ratios[j].name);
      if (isfinite(v))
        stats_put_f64(to, name, v);
    }
    if (t->arrays) {
      snprintf(name, sizeof name, "%s.storage_bits", t->name);
      stats_put_u64(to, name, storage_bits(&s->of[i]));
    }
    count += t->ncounters;
  }
}

const struct sluice_technique *tech_chosen(const struct tech_set *s, size_t i) {
  return i < s->n ? s->of[i].t : NULL;
}

size_t tech_arrays(const struct tech_set *s,
                   void (*each)(void *ctx, const struct sluice_technique *t, size_t first,
                                const struct sluice_array *a),
                   void *ctx) {
  size_t total = 0, first = 0;
  for (unsigned i = 0; i < s->n; first += s->of[i++].t->ncounters) {
    uint32_t n;
    struct sluice_array *a = arrays_of(&s->of[i], &n);
    for (uint32_t k = 0; k < n; k++, total++)
      each(ctx, s->of[i].t, first, &a[k]);
    free(a);
  }
  return total;
}
