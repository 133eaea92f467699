#include "gpu/power.h"
#include "base/mem.h"
#include "energy/energy.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct stat_row rows[] = {
    {"area.l1d_mm2", STAT_F64, "mm2", "Area of all L1 data caches at energy.node_nm, by CACTI 7."},
    {"area.l2_mm2", STAT_F64, "mm2", "Area of all slices of the L2."},
    {"area.tech_mm2", STAT_F64, "mm2", "Area of the memories that techniques add."},
    {"area.tech_share", STAT_F64, "", "area.tech_mm2 / area.l2_mm2."},
    {"area.beyond", STAT_U64, "memories",
     "Memories smaller or larger than those that CACTI was asked about: their cost is extrapolated."},
    {"energy.l1d.static_mj", STAT_F64, "mJ", "Leakage of the L1 data caches over the simulated time."},
    {"energy.l1d.dynamic_mj", STAT_F64, "mJ",
     "Their accesses: tags of every one, data read, written and filled."},
    {"energy.l2.static_mj", STAT_F64, "mJ", "Leakage of the L2 over the simulated time."},
    {"energy.l2.dynamic_mj", STAT_F64, "mJ", "Its accesses, those for write-backs and techniques included."},
    {"energy.tech.static_mj", STAT_F64, "mJ", "Leakage of the memories that techniques add."},
    {"energy.tech.dynamic_mj", STAT_F64, "mJ", "Accesses to those."},
    {"energy.below_l1_mj", STAT_F64, "mJ",
     "L2, techniques, and what commands of the DRAM take: what the FRC thesis adds up."},
    {"energy.total_mj", STAT_F64, "mJ",
     "L1 data caches, L2, techniques and DRAM with its standby and refresh; only where the DRAM's is known."},
    {"energy.mean_w", STAT_F64, "W", "energy.total_mj over the simulated time."},
};
const struct stat_table power_stats = {"energy and area", rows, sizeof rows / sizeof *rows};

struct part { /* an array of a technique */
  const struct sluice_technique *t;
  struct sluice_array a;
  size_t first; /* of the technique's counters */
  struct sram_cost cost;
};

struct power {
  struct sram_cost l1d, l2;
  bool l1d_parallel, l2_parallel; /* data of all ways are read with every look at the tags */
  struct part *part;
  size_t nparts, cap;
  uint64_t beyond;
  uint32_t node;
};

/* The sum of the counters that `list` names: a+b. False: one is not there, `list` is left at it. */
static bool uses(const struct sluice_technique *t, const uint64_t *count, const char **list, double *sum) {
  *sum = 0;
  while (*list && **list) {
    size_t n = strcspn(*list, "+");
    uint32_t i = 0;
    while (i < t->ncounters &&
           (strlen(t->counters[i].name) != n || strncmp(*list, t->counters[i].name, n) != 0))
      i++;
    if (i == t->ncounters)
      return false;
    *sum += count ? (double)count[i] : 0;
    *list += n + ((*list)[n] == '+');
  }
  return true;
}

static double used(const struct sluice_technique *t, const uint64_t *count, const char *list) {
  double sum;
  uses(t, count, &list, &sum);
  return sum;
}

static bool known(const struct sluice_technique *t, const char *const *lists, size_t n, struct error *err) {
  for (size_t i = 0; i < n; i++) {
    const char *at = lists[i];
    double sum;
    if (!uses(t, NULL, &at, &sum))
      return error_set(err, EXIT_USAGE,
                       "technique '%s' says that '%.60s' counts accesses, but it has no such counter",
                       t->name, at);
  }
  return true;
}

static void add(void *power, const struct sluice_technique *t, size_t first, const struct sluice_array *a) {
  struct power *p = power;
  struct part one = {.t = t, .a = *a, .first = first, .cost = energy_array(p->node, a)};
  VEC_PUSH(p->part, p->nparts, p->cap) = one;
  p->beyond += one.cost.beyond;
}

enum { EXTRAS = 4 }; /* reads and writes of the L1s, of the L2 */

static void extras(const struct sluice_technique *t, const char *lists[EXTRAS]) {
  const struct sluice_extra none = {0}, *x = t->extra ? t->extra : &none;
  lists[0] = x->l1d_reads, lists[1] = x->l1d_writes, lists[2] = x->l2_reads, lists[3] = x->l2_writes;
}

static bool check(const struct power *p, const struct gpu *g, struct error *err) {
  const char *lists[EXTRAS];
  for (const struct part *q = p->part; q < p->part + p->nparts; q++)
    if (!known(q->t, (const char *const[]){q->a.searches, q->a.reads, q->a.writes}, 3, err))
      return false;
  for (size_t i = 0; tech_chosen(g->tech, i); i++) {
    extras(tech_chosen(g->tech, i), lists);
    if (!known(tech_chosen(g->tech, i), lists, EXTRAS, err))
      return false;
  }
  return true;
}

/* A CAM selects the only line of the only set that is read. */
static bool has_sets(const char *name, const struct cache_config *c, bool parallel, struct error *err) {
  return !parallel || c->sets > 1 ||
         error_set(err, EXIT_USAGE,
                   "energy.%s_access: 'parallel' reads all ways of a set, but %s.sets is 1; use 'sequential'",
                   name, name);
}

static struct sram_cost cache_cost(uint32_t node, const struct cache_config *c, uint32_t block,
                                   bool parallel) {
  return energy_cache(node, &(struct energy_cache){.bytes = (double)c->sets * c->ways * c->line_bytes,
                                                   .ways = c->ways,
                                                   .line = c->line_bytes,
                                                   .block = block,
                                                   .parallel = parallel});
}

/* Whether `cycles` at `mhz` are shorter than an access to the array: then into text. */
static bool too_short(const char *keys, uint32_t cycles, uint64_t mhz, const struct sram_cost *c,
                      uint32_t node, char *text, size_t size) {
  double ns = cycles * 1e3 / (double)mhz;
  if (c->beyond || c->access_ns <= ns)
    return false;
  snprintf(text, size,
           "%s: %u %s at %llu MHz %s %.2f ns, but CACTI 7 needs %.2f ns (%.0f cycles) for an access to "
           "such a "
           "cache at %u nm (energy.node_nm; docs/energy.md, \"Access times\")",
           keys, cycles, cycles == 1 ? "cycle" : "cycles", (unsigned long long)mhz,
           cycles == 1 ? "is" : "are", ns, c->access_ns, ceil(c->access_ns * (double)mhz * 1e-3), node);
  return true;
}

bool power_latency(const struct power *p, const struct gpu *g, int i, char *text, size_t size) {
  bool at_once = !g->k.core.hit_stages; /* a hit is in the registers after the cycle of its look-up */
  if (i == 0)
    return g->k.l1.d_on &&
           too_short(at_once ? "l1d.latency with the look-up" : "l1d.latency", g->k.l1.d_latency + at_once,
                     g->k.core_mhz, &p->l1d, p->node, text, size);
  return too_short("l2.latency with l2.rop_latency", g->k.l2.latency + g->k.l2.rop_latency, g->k.l2_mhz,
                   &p->l2, p->node, text, size);
}

struct power *power_new(const struct gpu *g, struct error *err) {
  struct power *p = xcalloc(1, sizeof *p);
  const struct cache_config *l1 = &g->k.l1.d, *l2 = &g->k.l2.cache;
  p->node = g->k.node_nm;
  p->l1d_parallel = g->k.l1d_parallel;
  p->l2_parallel = g->k.l2_parallel;
  if ((g->k.l1.d_on && !has_sets("l1d", l1, p->l1d_parallel, err)) ||
      !has_sets("l2", l2, p->l2_parallel, err)) {
    power_free(p);
    return NULL;
  }
  if (g->k.l1.d_on)
    p->l1d = cache_cost(p->node, l1, l1->line_bytes, p->l1d_parallel);
  p->l2 = cache_cost(p->node, l2, l2->sector_bytes, p->l2_parallel);
  p->beyond = (uint64_t)p->l1d.beyond + p->l2.beyond;
  tech_arrays(g->tech, add, p);
  if (check(p, g, err))
    return p;
  power_free(p);
  return NULL;
}

void power_free(struct power *p) {
  if (p)
    free(p->part);
  free(p);
}

/* Accesses that techniques add to the caches, a line each. */
static void sum_extras(const struct gpu *g, const uint64_t *techniques, double lines[EXTRAS]) {
  const struct sluice_technique *t;
  for (size_t i = 0, first = 0; (t = tech_chosen(g->tech, i)); first += t->ncounters, i++) {
    const char *lists[EXTRAS];
    extras(t, lists);
    for (int k = 0; k < EXTRAS; k++)
      lines[k] += used(t, techniques + first, lists[k]);
  }
}

static double put_techniques(const struct power *p, double seconds, const uint64_t *techniques,
                             struct stats *s) {
  double area = 0, fixed = 0, moving = 0;
  for (size_t i = 0; i < p->nparts;) {
    const struct sluice_technique *t = p->part[i].t;
    double mine[3] = {0};
    for (; i < p->nparts && p->part[i].t == t; i++) {
      const struct part *q = &p->part[i];
      const uint64_t *count = techniques + q->first;
      struct energy_uses n = {used(t, count, q->a.searches), used(t, count, q->a.reads),
                              used(t, count, q->a.writes)};
      mine[0] += q->cost.area_mm2 * (double)q->a.units;
      mine[1] += q->cost.leakage_mw * (double)q->a.units * seconds;
      mine[2] += energy_dynamic_mj(&q->cost, n);
    }
    static const char *const names[] = {"area_mm2", "static_mj", "dynamic_mj"};
    for (int k = 0; k < 3; k++) {
      char name[160];
      snprintf(name, sizeof name, "%s.%s", t->name, names[k]);
      stats_put_f64(s, name, mine[k]);
    }
    area += mine[0], fixed += mine[1], moving += mine[2];
  }
  stats_put_f64(s, "area.tech_mm2", area);
  stats_put_f64(s, "energy.tech.static_mj", fixed);
  stats_put_f64(s, "energy.tech.dynamic_mj", moving);
  return fixed + moving;
}

void power_put(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
               const uint64_t *techniques, struct stats *s) {
#define T(id) ((double)total[C_##id])
  double seconds = T(cycles) / ((double)g->k.core_mhz * 1e6), extra[EXTRAS] = {0}, dram, all;
  double l1_blocks = (double)g->k.l1.d.line_bytes / g->k.l1.d.sector_bytes,
         l2_blocks = (double)g->k.l2.cache.line_bytes / g->k.l2.cache.sector_bytes;
  sum_extras(g, techniques, extra);
  double l1_reads = p->l1d_parallel ? T(l1d_accesses) : T(l1d_data_reads),
         l2_reads = p->l2_parallel ? T(l2_accesses) : T(l2_data_reads);
  struct energy_uses l1 = {T(l1d_accesses), l1_reads + T(l1d_writebacks) + extra[0],
                           T(l1d_data_writes) + T(l1d_fills) / l1_blocks + extra[1]};
  struct energy_uses l2 = {T(l2_accesses), l2_reads + T(l2_writes) + extra[2] * l2_blocks,
                           T(l2_data_writes) + T(l2_fills) + extra[3] * l2_blocks};
  double l1_area = p->l1d.area_mm2 * g->k.sms, l2_area = p->l2.area_mm2 * g->nslices;
  double l1_static = p->l1d.leakage_mw * g->k.sms * seconds,
         l2_static = p->l2.leakage_mw * g->nslices * seconds;
  double l1_dynamic = energy_dynamic_mj(&p->l1d, l1), l2_dynamic = energy_dynamic_mj(&p->l2, l2);
  stats_put_f64(s, "area.l1d_mm2", l1_area);
  stats_put_f64(s, "area.l2_mm2", l2_area);
  stats_put_u64(s, "area.beyond", p->beyond);
  stats_put_f64(s, "energy.l1d.static_mj", l1_static);
  stats_put_f64(s, "energy.l1d.dynamic_mj", l1_dynamic);
  stats_put_f64(s, "energy.l2.static_mj", l2_static);
  stats_put_f64(s, "energy.l2.dynamic_mj", l2_dynamic);
  double tech = put_techniques(p, seconds, techniques, s), added;
  if (stats_get(s, "area.tech_mm2", &added))
    stats_put_f64(s, "area.tech_share", added / l2_area);
  if (!stats_get(s, "energy.dram.dynamic_mj", &dram) || !stats_get(s, "energy.dram.total_mj", &all))
    return;
  stats_put_f64(s, "energy.below_l1_mj", l2_static + l2_dynamic + tech + dram);
  all += l1_static + l1_dynamic + l2_static + l2_dynamic + tech;
  stats_put_f64(s, "energy.total_mj", all);
  if (seconds > 0)
    stats_put_f64(s, "energy.mean_w", all / seconds * 1e-3);
#undef T
}
