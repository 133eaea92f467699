/* A run on a timing model, so that it can be read in ten seconds: one line for each question a person asks. */
#include "stat/report.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* 1234567.8 → 1,234,568 */
static void whole(struct strbuf *to, double v) {
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%.0f", v);
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0 && digits[i - 1] != '-')
      strbuf_addc(to, ',');
    strbuf_addc(to, digits[i]);
  }
}

static double of(const struct stats *s, const char *name) {
  double v;
  return stats_get(s, name, &v) ? v : 0;
}

static void line(struct strbuf *to, const char *label) {
  strbuf_addf(to, "%-12s ", label);
}

static void rate(struct strbuf *to, const struct stats *s, const char *label, const char *name,
                 const char *accesses) {
  double v;
  line(to, label);
  if (!stats_get(s, name, &v)) {
    strbuf_add(to, "no accesses\n");
    return;
  }
  strbuf_addf(to, "%.1f %% of ", 100 * v);
  whole(to, of(s, accesses));
  strbuf_add(to, " accesses\n");
}

/* The largest of the rows under a prefix, with their share of all of them. */
static void causes(struct strbuf *to, const struct stats *s, const char *prefix, const char *what) {
  enum { MOST = 3 };
  struct stat_value v, top[MOST] = {{0}};
  double sum = 0;
  size_t n = strlen(prefix);
  for (size_t i = 0; i < stats_count(s); i++) {
    if (!stats_at(s, i, &v) || strncmp(v.row->name, prefix, n) != 0)
      continue;
    sum += (double)v.u;
    if (strcmp(v.row->name + n, "issued") == 0)
      continue;
    for (int k = 0; k < MOST; k++)
      if (v.u > top[k].u) {
        memmove(top + k + 1, top + k, (size_t)(MOST - 1 - k) * sizeof *top);
        top[k] = v;
        break;
      }
  }
  line(to, "main stall");
  if (!top[0].u)
    strbuf_add(to, "none");
  for (int k = 0; k < MOST && top[k].u; k++)
    strbuf_addf(to, "%s%s %.0f %%%s%s", k ? ", " : "", top[k].row->name + n, 100 * (double)top[k].u / sum,
                k ? "" : " of ", k ? "" : what);
  strbuf_addc(to, '\n');
}

static void work(struct strbuf *to, const struct stats *s) {
  line(to, "cycles");
  whole(to, of(s, "gpu.cycles"));
  strbuf_addf(to, " (%.1f us), ", of(s, "time_us"));
  whole(to, of(s, "sm.ctas"));
  strbuf_add(to, " CTAs, ");
  whole(to, of(s, "sm.issued"));
  strbuf_add(to, " warp instructions\n");
  line(to, "IPC");
  double peak = of(s, "ipc_peak");
  strbuf_addf(to, "%.1f of %.0f thread instructions per cycle (%.1f %%)\n", of(s, "ipc"), peak,
              peak > 0 ? 100 * of(s, "ipc") / peak : 0);
  line(to, "occupancy");
  strbuf_addf(to, "%.1f %% of the warps of active SMs\n", 100 * of(s, "occupancy"));
}

static void memory(struct strbuf *to, const struct stats *s) {
  rate(to, s, "L1 hits", "l1d.hit_rate", "l1d.accesses");
  rate(to, s, "L2 hits", "l2.hit_rate", "l2.accesses");
  line(to, "DRAM");
  strbuf_addf(to, "%.1f of %.1f GB/s (%.1f %%)", of(s, "dram.bandwidth_gbps"), of(s, "dram.peak_gbps"),
              100 * of(s, "dram.bandwidth_share"));
  double v;
  if (stats_get(s, "dram.row_hit_rate", &v))
    strbuf_addf(to, ", %.1f %% row hits", 100 * v);
  strbuf_addc(to, '\n');
  line(to, "latency");
  if (stats_get(s, "latency.mean", &v))
    strbuf_addf(to, "%.0f cycles from an L1 miss to its answer, on average\n", v);
  else
    strbuf_add(to, "no reads beyond the L1\n");
}

/* The parts that take most of the energy, largest first. */
static void energy_parts(struct strbuf *to, const struct stats *s, double total) {
  enum { MOST = 4 };
  static const char first[] = "power.", last[] = "_w";
  struct stat_value v, top[MOST] = {{0}};
  for (size_t i = 0; i < stats_count(s); i++) {
    if (!stats_at(s, i, &v) || strncmp(v.row->name, first, strlen(first)) != 0)
      continue;
    for (int k = 0; k < MOST; k++)
      if (v.f > top[k].f) {
        memmove(top + k + 1, top + k, (size_t)(MOST - 1 - k) * sizeof *top);
        top[k] = v;
        break;
      }
  }
  for (int k = 0; k < MOST && top[k].f > 0; k++) {
    const char *name = top[k].row->name + strlen(first);
    strbuf_addf(to, "%s%.*s %.0f %%", k ? ", " : ": ", (int)(strlen(name) - strlen(last)), name,
                100 * top[k].f / total);
  }
}

/* Three digits, and whole numbers from a thousand on. */
static void figure(struct strbuf *to, double v) {
  if (v < 1000)
    strbuf_addf(to, "%.3g", v);
  else
    whole(to, v);
}

/* Of the whole GPU; of memories, where the rest is not known; nothing where the DRAM's is not either. */
static void energy(struct strbuf *to, const struct stats *s) {
  double v;
  if (stats_get(s, "energy.total_mj", &v) && v > 0) {
    line(to, "energy");
    strbuf_addf(to, "%.3g mJ (%.1f W)", v, of(s, "energy.mean_w"));
    energy_parts(to, s, of(s, "energy.mean_w"));
    if (stats_get(s, "energy.assumed_share", &v) && v > 0)
      strbuf_addf(to, "; %.0f %% by figures without a source", 100 * v);
    strbuf_addc(to, '\n');
    line(to, "");
    figure(to, of(s, "energy.edp_mj_us"));
    strbuf_add(to, " mJ us energy x delay");
    if (stats_get(s, "energy.pj_per_instruction", &v)) {
      strbuf_add(to, ", ");
      figure(to, v);
      strbuf_add(to, " pJ a thread instruction");
    }
    if (stats_get(s, "energy.pj_per_byte", &v)) {
      strbuf_add(to, ", ");
      figure(to, v);
      strbuf_add(to, " pJ a byte of the L2");
    }
    strbuf_addc(to, '\n');
  } else if (stats_get(s, "energy.memory_mj", &v) && v > 0) {
    line(to, "energy");
    strbuf_addf(to, "%.3g mJ in L1, L2 and DRAM; of cores and networks not known (energy.refused)\n", v);
  }
}

static const char *const columns[] = {"cycles",       "ctas_per_sm", "ctas_per_sm.limit",  "ipc",
                                      "l1d.hit_rate", "l2.hit_rate", "dram.bandwidth_gbps"};

void report_summary(const struct report *r, struct strbuf *to) {
  report_kernels(r, columns, sizeof columns / sizeof *columns, to);
  strbuf_addc(to, '\n');
  const struct stats *s = r->total;
  work(to, s);
  memory(to, s);
  energy(to, s);
  causes(to, s, "stall.", "warp cycles");
  line(to, "simulated");
  double threads = of(s, "sim.threads");
  strbuf_addf(to, "in %.2f s of processor time", of(s, "sim.exec_seconds"));
  if (threads > 1)
    strbuf_addf(to, ", on up to %.0f threads (%.1f on average)", threads, of(s, "sim.threads_average"));
  strbuf_add(to, ": ");
  whole(to, of(s, "sim.cycles_per_second"));
  strbuf_add(to, " cycles/s, ");
  whole(to, of(s, "sim.warp_instructions_per_second"));
  strbuf_add(to, " warp instructions/s\n");
}
