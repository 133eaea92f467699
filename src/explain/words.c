/* An explanation in words: what limits, how that is known, what would help. */
#include "explain/explain.h"
#include "base/json.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

static double share(const struct explain_part *p, enum limiter l) {
  return p->slots > 0 ? 100 * p->limit[l] / p->slots : 0;
}

static double use(const struct explain_part *p, enum use u) {
  return p->cycles > 0 ? p->use[u] / p->cycles : 0;
}

/* The ideal of --what-if that takes a limiter away; NULL: none can be built. */
static const char *const ideals[NLIMITERS] = {
    [LIMIT_ISSUE] = "issue=wide",         [LIMIT_ARITHMETIC] = "issue=wide",
    [LIMIT_SHARED] = "shared=free",       [LIMIT_L1_PORTS] = "l1=wide",
    [LIMIT_L1_CAPACITY] = "l1=infinite",  [LIMIT_MISS_REGISTERS] = "misses=unlimited",
    [LIMIT_CROSSBAR] = "noc=ideal",       [LIMIT_L2_BANDWIDTH] = "l2=fast",
    [LIMIT_L2_SLICE] = "l2=fast",         [LIMIT_L2_MISSES] = "misses=unlimited",
    [LIMIT_DRAM_BANDWIDTH] = "dram=free", [LIMIT_DRAM_BANKS] = "dram=rows",
    [LIMIT_DRAM_CHANNEL] = "dram=free",   [LIMIT_LATENCY] = "latency=none",
    [LIMIT_FEW_WARPS] = "latency=none",
};

/* What the statistics say for it. */
static void evidence(const struct explain *e, const struct explain_part *p, enum limiter l,
                     struct strbuf *to) {
#define U(x) (100 * use(p, USE_##x))
  switch (l) {
  case LIMIT_ISSUE:
    strbuf_addf(to,
                "%.0f %% of the issue slots of SMs with CTAs are used (sm.issued), and %.1f warps of a "
                "scheduler could issue in "
                "a cycle (stall.select)",
                U(ISSUE), use(p, USE_ELIGIBLE));
    break;
  case LIMIT_ARITHMETIC:
    strbuf_addf(to,
                "in %.0f %% of the schedulers' cycles a warp is ready and its pipeline is busy (sched.pipe, "
                "stall.pipe)",
                U(ALU));
    break;
  case LIMIT_SHARED:
    strbuf_addf(to,
                "shared memory is busy in %.0f %% of the cycles (sm.shared_cycles); more than one cycle for "
                "an access are bank "
                "conflicts (shared.bank_cycles_per_access)",
                U(SHARED));
    break;
  case LIMIT_L1_PORTS:
    strbuf_addf(to,
                "the load/store unit hands a line to the L1 in %.0f %% of the cycles (ldst.accesses); warps "
                "wait for their turn "
                "(stall.ldst_queue)",
                U(L1_PORT));
    break;
  case LIMIT_L1_CAPACITY:
    strbuf_addf(
        to,
        "%.0f %% of what comes to the L1s are lines that they had and replaced within four times their size "
        "(l1d.refetched of l1d.filled)",
        U(REFETCH));
    break;
  case LIMIT_MISS_REGISTERS:
    strbuf_addf(to,
                "the L1s refuse accesses in %.0f %% of the cycles because miss registers, their merges or "
                "ways are taken "
                "(l1.reservation_cycles), and nothing behind them is full: crossbar %.0f %%, L2 %.0f %%, "
                "DRAM %.0f %%",
                U(L1_REFUSE), U(XBAR), U(L2), U(DRAM));
    break;
  case LIMIT_CROSSBAR:
    strbuf_addf(to,
                "the busiest port of the crossbars carries %.0f %% of what their allocator lets through "
                "(noc.request_flits, "
                "noc.response_flits); L2 %.0f %%, DRAM %.0f %%",
                U(XBAR), U(L2), U(DRAM));
    break;
  case LIMIT_L2_BANDWIDTH:
    strbuf_addf(to,
                "the busiest L2 slice looks up a sector in %.0f %% of its cycles, all slices in %.0f %% "
                "(l2.accesses); crossbar "
                "%.0f %%, DRAM %.0f %%",
                U(L2), U(L2_MEAN), U(XBAR), U(DRAM));
    break;
  case LIMIT_L2_SLICE:
    strbuf_addf(to,
                "one L2 slice looks up a sector in %.0f %% of its cycles, all together %.0f %% (l2.accesses "
                "by slice)",
                U(L2), U(L2_MEAN));
    break;
  case LIMIT_L2_MISSES:
    strbuf_addf(
        to,
        "L2 slices refuse in %.0f %% of their cycles for want of ways, miss registers or room to memory "
        "(l2.reservation_cycles), and the DRAM is at %.0f %%",
        U(L2_FULL), U(DRAM));
    break;
  case LIMIT_DRAM_BANDWIDTH:
    strbuf_addf(to,
                "the busiest channel's data bus is taken %.0f %% of the time, turnarounds included "
                "(dram.bus_cycles), the "
                "channels' mean is %.0f %%; banks need %.0f %% (dram.activates x tRC)",
                U(BUS), U(DRAM_MEAN), U(BANK));
    break;
  case LIMIT_DRAM_BANKS:
    strbuf_addf(to,
                "the busiest bank opens rows for %.0f %% of the time (activates x tRC), all of its channel "
                "for %.0f %% (tRRD, tFAW); "
                "the data bus carries %.0f %%",
                U(BANK), U(ACT), U(BUS));
    break;
  case LIMIT_DRAM_CHANNEL:
    strbuf_addf(to,
                "the busiest DRAM channel is at %.0f %%, the mean of all at %.0f %% (dram.bus_cycles, "
                "dram.activates by channel)",
                U(DRAM), U(DRAM_MEAN));
    break;
  case LIMIT_LATENCY:
    strbuf_addf(to,
                "SMs hold %.0f %% of the warps they can, and nothing is full: issue %.0f %%, crossbar %.0f "
                "%%, L2 %.0f %%, DRAM %.0f %%",
                U(WARPS), U(ISSUE), U(XBAR), U(L2), U(DRAM));
    break;
  case LIMIT_FEW_WARPS:
    strbuf_addf(to,
                "SMs with CTAs hold %.0f %% of the warps they can (occupancy%s%s), %.0f %% of the SMs have "
                "one, and nothing is full: "
                "issue %.0f %%, crossbar %.0f %%, L2 %.0f %%, DRAM %.0f %%",
                U(WARPS), e->occupancy_limit ? ", limited by " : "",
                e->occupancy_limit ? e->occupancy_limit : "", U(ACTIVE), U(ISSUE), U(XBAR), U(L2), U(DRAM));
    break;
  case LIMIT_IMBALANCE:
    strbuf_addf(to, "in the mean %.0f %% of the SMs have a CTA (sm.active_cycles); the others have run out",
                U(ACTIVE));
    break;
  case LIMIT_BARRIERS:
    strbuf_add(to, "most waiting warps are at a barrier (stall.barrier)");
    break;
  case LIMIT_FETCH:
    strbuf_add(to, "warps wait for instructions (stall.fetch)");
    break;
  default:
    break;
  }
#undef U
}

static void wrap(struct strbuf *to, const char *text, int indent, int width) {
  int at = indent;
  strbuf_addf(to, "%*s", indent, "");
  while (*text) {
    int n = (int)strcspn(text, " ");
    if (at + n > width && at > indent) {
      strbuf_addf(to, "\n%*s", indent, "");
      at = indent;
    }
    strbuf_addn(to, text, (size_t)n);
    at += n + 1;
    text += n;
    if (*text) {
      text++;
      if (at + (int)strcspn(text, " ") <= width)
        strbuf_addc(to, ' ');
    }
  }
  strbuf_addc(to, '\n');
}

static void limiters(const struct explain *e, const struct explain_part *p, struct strbuf *to) {
  enum limiter order[NLIMITERS];
  explain_order(p, order);
  for (int i = 0; i < NLIMITERS; i++) {
    double s = share(p, order[i]);
    if (s < 1 && i > 0)
      break;
    struct strbuf line = {0};
    strbuf_addf(to, "\n%d. %s: %.0f %% of the time\n", i + 1, limiter_words[order[i]], s);
    evidence(e, p, order[i], &line);
    wrap(to, strbuf_str(&line), 3, 110);
    strbuf_free(&line);
    struct strbuf most = {0};
    if (s < 99.5)
      strbuf_addf(&most, "Without it, at most %.2f times as fast, if nothing else became the limit.",
                  100 / (100 - s));
    else
      strbuf_add(&most, "Without it, something else would be the limit.");
    if (ideals[order[i]])
      strbuf_addf(&most, " --what-if %s runs that.", ideals[order[i]]);
    wrap(to, strbuf_str(&most), 3, 110);
    strbuf_free(&most);
  }
}

static void stalls(const struct explain *e, struct strbuf *to) {
  strbuf_add(to, "\nWarps spend their time");
  int shown = 0;
  bool used[64] = {false};
  for (int k = 0; k < 5; k++) {
    int best = -1;
    for (size_t i = 0; i < e->ncauses; i++)
      if (!used[i] && (best < 0 || e->run.stall[i] > e->run.stall[best]))
        best = (int)i;
    if (best < 0 || e->run.stall[best] * 100 < e->run.warp_cycles)
      break;
    used[best] = true;
    strbuf_addf(to, "%s %s %.0f %%", shown++ ? "," : ":", e->cause[best],
                100 * e->run.stall[best] / e->run.warp_cycles);
  }
  strbuf_add(to, shown ? "\n" : " nowhere that was counted\n");
  if (e->reads > 0 && e->latency[7] > 0) {
    static const char *const stages[] = {"L1 queue", "request network", "L2 delay", "L2 queue", "DRAM",
                                         "L2",       "response network"};
    strbuf_addf(to, "A read beyond the L1 takes %.0f cycles:", e->latency[7] / e->reads);
    for (int i = 0; i < 7; i++)
      strbuf_addf(to, "%s %s %.0f", i ? "," : "", stages[i], e->latency[i] / e->reads);
    strbuf_addc(to, '\n');
  }
}

static void launches(const struct explain *e, struct strbuf *to) {
  if (e->nlaunches < 2)
    return;
  strbuf_addf(to, "\n%-28s %12s  %s\n", "launch", "cycles", "limited first by");
  for (size_t i = 0; i < e->nlaunches && i < 20; i++) {
    enum limiter order[NLIMITERS];
    explain_order(&e->launch[i], order);
    strbuf_addf(to, "%3zu %-24.24s %12.0f  %s %.0f %%, %s %.0f %%\n", i, e->launch[i].name,
                e->launch[i].cycles, limiter_names[order[0]], share(&e->launch[i], order[0]),
                limiter_names[order[1]], share(&e->launch[i], order[1]));
  }
  if (e->nlaunches > 20)
    strbuf_addf(to, "... and %zu more launches (--json has all)\n", e->nlaunches - 20);
}

void explain_first(const struct explain *e, struct strbuf *to) {
  enum limiter order[NLIMITERS];
  explain_order(&e->run, order);
  const char *words = limiter_words[order[0]];
  strbuf_addf(to, "%s: %.0f cycles, %.1f thread instructions per cycle\n", e->workload, e->run.cycles,
              e->run.cycles > 0 ? e->work_done / e->run.cycles : 0);
  strbuf_addf(to, "It is limited by %.*s (%s, %.0f %% of the time).\n", (int)strcspn(words, ":"), words,
              limiter_names[order[0]], share(&e->run, order[0]));
}

void explain_words(const struct explain *e, struct strbuf *to) {
  explain_first(e, to);
  if (!e->units)
    strbuf_add(to, "The source has no counters of units: which of them is busiest is not known (--per-unit, "
                   "or --timeline FILE).\n");
  limiters(e, &e->run, to);
  double left = e->run.slots > 0 ? 100 * e->run.work / e->run.slots : 0;
  if (left >= 1)
    strbuf_addf(to, "\nIn %.0f %% of the time schedulers issue, which is what they are for.\n", left);
  stalls(e, to);
  launches(e, to);
}

static void part_json(struct json *j, const struct explain_part *p) {
  enum limiter order[NLIMITERS];
  static const char *const uses[NUSES] = {
#define X(id, words) #id,
      USES(X)
#undef X
  };
  explain_order(p, order);
  json_str(j, "name", p->name);
  json_f64(j, "cycles", p->cycles);
  json_str(j, "limiter", limiter_names[order[0]]);
  json_open(j, "limiters", '{');
  for (int i = 0; i < NLIMITERS; i++)
    if (p->limit[order[i]] > 0)
      json_f64(j, limiter_names[order[i]], share(p, order[i]) / 100);
  json_close(j);
  json_f64(j, "work", p->slots > 0 ? p->work / p->slots : 0);
  json_open(j, "use", '{');
  for (int i = 0; i < NUSES; i++) {
    char name[32];
    size_t n = strlen(uses[i]);
    for (size_t k = 0; k <= n && k < sizeof name; k++)
      name[k] = uses[i][k] >= 'A' && uses[i][k] <= 'Z' ? (char)(uses[i][k] - 'A' + 'a') : uses[i][k];
    json_f64(j, name, use(p, (enum use)i));
  }
  json_close(j);
}

void explain_json(const struct explain *const *e, size_t n, struct strbuf *to) {
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_open(&j, "runs", '[');
  for (size_t i = 0; i < n; i++) {
    json_open(&j, NULL, '{');
    json_str(&j, "source", e[i]->source);
    json_str(&j, "workload", e[i]->workload);
    part_json(&j, &e[i]->run);
    json_open(&j, "launches", '[');
    for (size_t k = 0; k < e[i]->nlaunches; k++) {
      json_open(&j, NULL, '{');
      part_json(&j, &e[i]->launch[k]);
      json_close(&j);
    }
    json_close(&j);
    json_close(&j);
  }
  json_close(&j);
  json_close(&j);
  strbuf_addf(to, "%s\n", strbuf_str(&j.out));
  strbuf_free(&j.out);
}
