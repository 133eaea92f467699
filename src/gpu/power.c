#include "gpu/power.h"
#include "base/mem.h"
#include "energy/energy.h"
#include "gpu/whole.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define T(id) ((double)total[C_##id])

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
    {"energy.memory_mj", STAT_F64, "mJ",
     "L1 data caches, L2, techniques and DRAM with its standby and refresh; only where the DRAM's is known."},
#define X(id, name, what) {"energy." name "_mj", STAT_F64, "mJ", "Of energy.total_mj: " what "."},
    ENERGY_PARTS(X)
#undef X
        {"energy.static_mj", STAT_F64, "mJ",
         "Of energy.total_mj, what only time costs: leakage, standby, constant power."},
    {"energy.total_mj", STAT_F64, "mJ",
     "The whole GPU with its DRAM and board: all parts; only where every part has a model (energy.refused)."},
    {"energy.assumed_share", STAT_F64, "", "Share of it by coefficients that have no source (energy.table)."},
    {"energy.mean_w", STAT_F64, "W", "energy.total_mj over the simulated time."},
    {"energy.edp_mj_us", STAT_F64, "mJ us",
     "Energy-delay product: energy.total_mj times the simulated time."},
    {"energy.pj_per_instruction", STAT_F64, "pJ", "energy.total_mj over sm.thread_issued."},
    {"energy.pj_per_byte", STAT_F64, "pJ", "energy.total_mj over the bytes that the L2 was asked for."},
    {"energy.refused", STAT_TEXT, "", "Why there is no energy.total_mj."},
#define POWER(id, name, what) {"power." name "_w", STAT_F64, "W", "Mean power: " what "."},
    ENERGY_PARTS(POWER)};
const struct stat_row power_rows[NPARTS] = {ENERGY_PARTS(POWER)};
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
  struct whole *whole;
  const struct dram_device *device;
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

struct power *power_new(const struct gpu *g, const struct dram_device *device, struct error *err) {
  struct power *p = xcalloc(1, sizeof *p);
  p->device = device;
  if (!(p->whole = whole_new(g->k.energy_table, err))) {
    power_free(p);
    return NULL;
  }
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
  if (p) {
    whole_free(p->whole);
    free(p->part);
  }
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

/* Area, leakage and accesses of what techniques add; those of each technique go to `s`, unless that is NULL. */
struct added {
  double area, fixed, moving;
};
static struct added techniques_mj(const struct power *p, double seconds, const uint64_t *techniques,
                                  struct stats *s) {
  struct added all = {0};
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
    for (int k = 0; s && k < 3; k++) {
      char name[160];
      snprintf(name, sizeof name, "%s.%s", t->name, names[k]);
      stats_put_f64(s, name, mine[k]);
    }
    all.area += mine[0], all.fixed += mine[1], all.moving += mine[2];
  }
  return all;
}

/* Millijoules of the memories: by the table where it has them, else by CACTI and the DRAM's currents. */
struct memories {
  double l1_static, l1_dynamic, l2_static, l2_dynamic;
  double activate, read, write, standby; /* of the DRAM; standby with refresh */
  bool dram_known, dram_by_table;
  struct added tech;
};

static void dram_mj(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
                    struct memories *m) {
  const struct whole *w = p->whole;
  if (whole_knows(w, ROW_DRAM_READ) && whole_knows(w, ROW_DRAM_WRITE) && whole_knows(w, ROW_DRAM_ACT) &&
      whole_knows(w, ROW_DRAM_STANDBY) && g->k.memory.model != MEMORY_FIXED) {
    m->read = whole_row_mj(w, ROW_DRAM_READ, g, total);
    m->write = whole_row_mj(w, ROW_DRAM_WRITE, g, total);
    m->activate = whole_row_mj(w, ROW_DRAM_ACT, g, total);
    m->dram_known = m->dram_by_table = true;
  } else if (p->device->power.known) {
    struct dram_costs of = dram_costs(p->device);
    double mj = 1e-9;
    m->activate = mj * of.activate * T(dram_activates);
    m->read = mj * of.read * T(dram_reads);
    m->write = mj * of.write * T(dram_writes);
    m->standby = mj * (of.refresh * (T(dram_refreshes) - T(dram_bank_refreshes)) +
                       of.bank_refresh * T(dram_bank_refreshes) + of.open * T(dram_open_cycles) +
                       of.closed * T(dram_closed_cycles));
    m->dram_known = true;
  }
  if (m->dram_known && whole_knows(w, ROW_DRAM_STANDBY))
    m->standby = whole_row_mj(w, ROW_DRAM_STANDBY, g, total);
}

static void cache_mj(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
                     const double extra[EXTRAS], struct memories *m) {
  const struct whole *w = p->whole;
  double seconds = T(cycles) / ((double)g->k.core_mhz * 1e6);
  double l1_blocks = (double)g->k.l1.d.line_bytes / g->k.l1.d.sector_bytes,
         l2_blocks = (double)g->k.l2.cache.line_bytes / g->k.l2.cache.sector_bytes;
  double l1_reads = p->l1d_parallel ? T(l1d_accesses) : T(l1d_data_reads),
         l2_reads = p->l2_parallel ? T(l2_accesses) : T(l2_data_reads);
  struct energy_uses l1 = {T(l1d_accesses), l1_reads + T(l1d_writebacks) + extra[0],
                           T(l1d_data_writes) + T(l1d_fills) / l1_blocks + extra[1]};
  struct energy_uses l2 = {T(l2_accesses), l2_reads + T(l2_writes) + extra[2] * l2_blocks,
                           T(l2_data_writes) + T(l2_fills) + extra[3] * l2_blocks};
  m->l1_dynamic = whole_knows(w, ROW_L1D_ACCESS)
                      ? whole_row_mj(w, ROW_L1D_ACCESS, g, total) + whole_row_mj(w, ROW_L1D_FILL, g, total) +
                            1e-9 * whole_value(w, ROW_L1D_ACCESS) * (extra[0] + extra[1])
                      : energy_dynamic_mj(&p->l1d, l1);
  m->l2_dynamic =
      whole_knows(w, ROW_L2_READ)
          ? whole_row_mj(w, ROW_L2_READ, g, total) + whole_row_mj(w, ROW_L2_WRITE, g, total) +
                whole_row_mj(w, ROW_L2_ATOMIC, g, total) +
                1e-9 * l2_blocks *
                    (whole_value(w, ROW_L2_READ) * extra[2] + whole_value(w, ROW_L2_WRITE) * extra[3])
          : energy_dynamic_mj(&p->l2, l2);
  m->l1_static = whole_knows(w, ROW_L1D_STATIC) ? whole_row_mj(w, ROW_L1D_STATIC, g, total)
                                                : p->l1d.leakage_mw * g->k.sms * seconds;
  m->l2_static = whole_knows(w, ROW_L2_STATIC) ? whole_row_mj(w, ROW_L2_STATIC, g, total)
                                               : p->l2.leakage_mw * g->nslices * seconds;
}

static struct memories memories_mj(const struct power *p, const struct gpu *g,
                                   const uint64_t total[NCOUNTERS], const uint64_t *techniques,
                                   struct stats *s) {
  struct memories m = {0};
  double extra[EXTRAS] = {0}, seconds = T(cycles) / ((double)g->k.core_mhz * 1e6);
  sum_extras(g, techniques, extra);
  cache_mj(p, g, total, extra, &m);
  dram_mj(p, g, total, &m);
  m.tech = techniques_mj(p, seconds, techniques, s);
  return m;
}

/* Parts of the whole GPU; what the table leaves to other models comes from `m`. */
static void parts_mj(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
                     const struct memories *m, struct whole_sum *of) {
  whole_sum(p->whole, g, total, of);
  of->part[PART_L1D] = m->l1_static + m->l1_dynamic;
  of->part[PART_L2] = m->l2_static + m->l2_dynamic;
  of->part[PART_TECH] = m->tech.fixed + m->tech.moving;
  of->part[PART_DRAM] = m->activate + m->read + m->write + m->standby;
  of->fixed += m->tech.fixed;
  of->fixed += whole_knows(p->whole, ROW_L1D_STATIC) ? 0 : m->l1_static;
  of->fixed += whole_knows(p->whole, ROW_L2_STATIC) ? 0 : m->l2_static;
  of->fixed += whole_knows(p->whole, ROW_DRAM_STANDBY) ? 0 : m->standby;
}

static const char *refused(const struct power *p, const struct memories *m) {
  const char *why = whole_refused(p->whole);
  return why ? why : m->dram_known ? NULL : "the DRAM device has no currents, or memory has a fixed latency";
}

bool power_interval(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
                    const uint64_t *techniques, double watts[NPARTS]) {
  struct memories m = memories_mj(p, g, total, techniques, NULL);
  if (refused(p, &m))
    return false;
  struct whole_sum of;
  parts_mj(p, g, total, &m, &of);
  double us = T(cycles) / (double)g->k.core_mhz;
  for (int i = 0; i < NPARTS; i++)
    watts[i] = us > 0 ? of.part[i] * 1e3 / us : 0;
  return true;
}

static void put_whole(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
                      const struct memories *m, struct stats *s) {
  const char *why = refused(p, m);
  if (why) {
    stats_put_text(s, "energy.refused", why);
    return;
  }
  struct whole_sum of;
  double all = 0, us = T(cycles) / (double)g->k.core_mhz, bytes = T(l2_accesses) * g->k.l2.cache.sector_bytes;
  parts_mj(p, g, total, m, &of);
  for (int i = 0; i < NPARTS; i++) {
    char name[64];
    all += of.part[i];
    snprintf(name, sizeof name, "energy.%s_mj", energy_part_names[i]);
    stats_put_f64(s, name, of.part[i]);
    snprintf(name, sizeof name, "power.%s_w", energy_part_names[i]);
    if (us > 0)
      stats_put_f64(s, name, of.part[i] * 1e3 / us);
  }
  stats_put_f64(s, "energy.static_mj", of.fixed);
  stats_put_f64(s, "energy.total_mj", all);
  if (us > 0)
    stats_put_f64(s, "energy.mean_w", all * 1e3 / us);
  stats_put_f64(s, "energy.edp_mj_us", all * us);
  if (all > 0)
    stats_put_f64(s, "energy.assumed_share", of.assumed / all);
  if (total[C_thread_issued])
    stats_put_f64(s, "energy.pj_per_instruction", all * 1e9 / T(thread_issued));
  if (bytes > 0)
    stats_put_f64(s, "energy.pj_per_byte", all * 1e9 / bytes);
}

/* Of a DRAM that the table has: in place of what its currents say. */
static void put_dram(const struct memories *m, struct stats *s) {
  if (!m->dram_by_table)
    return;
  stats_put_f64(s, "energy.dram.activate_mj", m->activate);
  stats_put_f64(s, "energy.dram.read_mj", m->read);
  stats_put_f64(s, "energy.dram.write_mj", m->write);
  stats_put_f64(s, "energy.dram.refresh_mj", 0);
  stats_put_f64(s, "energy.dram.standby_mj", m->standby);
  stats_put_f64(s, "energy.dram.dynamic_mj", m->activate + m->read + m->write);
  stats_put_f64(s, "energy.dram.total_mj", m->activate + m->read + m->write + m->standby);
}

void power_put(const struct power *p, const struct gpu *g, const uint64_t total[NCOUNTERS],
               const uint64_t *techniques, struct stats *s) {
  struct memories m = memories_mj(p, g, total, techniques, s);
  double l1_area = p->l1d.area_mm2 * g->k.sms, l2_area = p->l2.area_mm2 * g->nslices;
  stats_put_f64(s, "area.l1d_mm2", l1_area);
  stats_put_f64(s, "area.l2_mm2", l2_area);
  stats_put_f64(s, "area.tech_mm2", m.tech.area);
  stats_put_f64(s, "area.tech_share", m.tech.area / l2_area);
  stats_put_u64(s, "area.beyond", p->beyond);
  stats_put_f64(s, "energy.l1d.static_mj", m.l1_static);
  stats_put_f64(s, "energy.l1d.dynamic_mj", m.l1_dynamic);
  stats_put_f64(s, "energy.l2.static_mj", m.l2_static);
  stats_put_f64(s, "energy.l2.dynamic_mj", m.l2_dynamic);
  stats_put_f64(s, "energy.tech.static_mj", m.tech.fixed);
  stats_put_f64(s, "energy.tech.dynamic_mj", m.tech.moving);
  put_dram(&m, s);
  if (m.dram_known) {
    double l2 = m.l2_static + m.l2_dynamic + m.tech.fixed + m.tech.moving,
           dram = m.activate + m.read + m.write;
    stats_put_f64(s, "energy.below_l1_mj", l2 + dram);
    stats_put_f64(s, "energy.memory_mj", m.l1_static + m.l1_dynamic + l2 + dram + m.standby);
  }
  put_whole(p, g, total, &m, s);
}
