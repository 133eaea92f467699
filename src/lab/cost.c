#include "lab/cost.h"
#include "sluice.h"
#include "workload/workload.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_KIB = 64 << 10, UNKNOWN_KIB = 256 << 10, UNKNOWN_S = 10 };

/* Warp instructions per second on a GPU, found once. */
struct rate {
  const char *gpu;
  double value;
};

struct costs {
  sqlite3 *db; /* NULL: no results yet */
  struct rate *rates;
  size_t nrates, cap_rates;
};

/* One row of two numbers; false: no row, or NULL. */
static bool ask(sqlite3 *db, const char *sql, const struct lab_point *p, double *a, double *b) {
  sqlite3_stmt *q;
  if (!db || sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK)
    return false;
  char *params = lab_pairs_json(&p->workload.params);
  const char *const values[] = {p->workload.label, p->workload.size, params, p->gpu_label};
  for (int i = 0; i < 4; i++)
    sqlite3_bind_text(q, i + 1, values[i], -1, SQLITE_STATIC);
  bool ok = sqlite3_step(q) == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL;
  if (ok) {
    *a = sqlite3_column_double(q, 0);
    *b = sqlite3_column_double(q, 1);
  }
  sqlite3_finalize(q);
  free(params);
  return ok;
}

#define SAME_WORK                                                                                            \
  "SELECT avg(cpu_s), max(peak_kib) FROM point WHERE state = 'done' AND workload = ?1 AND size IS ?2 AND "   \
  "params = ?3 AND "
#define RATE                                                                                                 \
  "SELECT sum(value) / sum(cpu_s), count(*) FROM point JOIN stat ON stat.point = point.id AND name = "       \
  "'warp_instructions' WHERE state = 'done' AND cpu_s > 0 AND "

/* A small run, to see how fast this machine is with that GPU. */
static double measure(const struct lab_point *p) {
  struct sluice_options o = {.size = sizeof o, .threads = 1, .printf_to = stderr, .timed = true};
  struct sluice *s = sluice_create();
  double n, start = stats_cpu_clock();
  bool ok = s && !sluice_options(s, &o) && !sluice_config_text(s, "point", p->config, strlen(p->config)) &&
            !sluice_run(s, "bfs", NULL) && sluice_stat(s, "warp_instructions", &n);
  double rate = ok ? n / (stats_cpu_clock() - start) : 0;
  sluice_destroy(s);
  return rate;
}

static double rate_of(struct costs *c, const struct lab_point *p) {
  double rate, unused;
  for (size_t i = 0; i < c->nrates; i++)
    if (strcmp(c->rates[i].gpu, p->gpu_label) == 0)
      return c->rates[i].value;
  if (!ask(c->db, RATE "gpu = ?4", p, &rate, &unused) && !ask(c->db, RATE "1", p, &rate, &unused))
    rate = measure(p);
  VEC_PUSH(c->rates, c->nrates, c->cap_rates) = (struct rate){p->gpu_label, rate};
  return rate;
}

static struct lab_cost cost_of(struct costs *c, const struct lab_point *p) {
  struct lab_cost cost = {.kib = UNKNOWN_KIB};
  double seconds, kib;
  if (ask(c->db, SAME_WORK "gpu = ?4", p, &seconds, &kib) || ask(c->db, SAME_WORK "1", p, &seconds, &kib))
    return (struct lab_cost){seconds, (uint64_t)kib, true};
  enum workload_size size;
  struct error err = {0};
  struct workload_measured m;
  const struct workload *k = p->workload.size ? workload_find(p->workload.name, &err) : NULL;
  if (k && workload_size_read(p->workload.size, &size, &err) && workload_measured_read(k, size, &m)) {
    double rate = rate_of(c, p);
    cost.kib = OWN_KIB + m.footprint * 13 / 10 / 1024;
    cost.known = rate > 0 && !p->workload.params.n && !p->workload.input;
    cost.seconds = rate > 0 ? (double)m.instructions / rate : 0;
  }
  error_clear(&err);
  return cost;
}

struct lab_cost *lab_costs(struct lab_store *s, const struct lab_points *p) {
  struct costs c = {.db = s ? lab_store_handle(s) : NULL};
  struct lab_cost *cost = xcalloc(p->n + 1, sizeof *cost);
  double sum = 0;
  size_t known = 0;
  for (size_t i = 0; i < p->n; i++) {
    cost[i] = cost_of(&c, &p->at[i]);
    known += cost[i].known;
    sum += cost[i].known ? cost[i].seconds : 0;
  }
  for (size_t i = 0; i < p->n; i++)
    if (!cost[i].known && !(cost[i].seconds > 0))
      cost[i].seconds = known ? sum / (double)known : UNKNOWN_S;
  free(c.rates);
  return cost;
}
