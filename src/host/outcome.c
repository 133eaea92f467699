#include "host/outcome.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "stat/report.h"
#include "tables.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A program may launch millions of kernels. Each is listed by itself up to here; all are in the sums. */
enum { MOST_LISTED = 10000 };

struct by_kernel {
  char *name;
  uint64_t launches, cycles;
  struct front_counters sum;
};

struct outcome {
  struct report report;
  struct front_counters total;
  struct by_kernel *kernels;
  size_t n, cap;
  uint64_t launches, skipped;
  struct front_counters left_out; /* of launches that were not timed */
  const char *partial;            /* how the program died; NULL: it did not */
  char *note;
  double start, exec_seconds;
  int code;
  const char **missing; /* functions that the program called in vain */
  size_t nmissing, cap_missing;
};

struct outcome *outcome_new(void) {
  struct outcome *o = xcalloc(1, sizeof *o);
  o->start = stats_wall_clock();
  return o;
}

static struct by_kernel *kernel_named(struct outcome *o, const char *name) {
  for (size_t i = 0; i < o->n; i++)
    if (strcmp(o->kernels[i].name, name) == 0)
      return &o->kernels[i];
  VEC_PUSH(o->kernels, o->n, o->cap) = (struct by_kernel){.name = xstrdup(name)};
  return &o->kernels[o->n - 1];
}

void outcome_add(struct outcome *o, const struct launch *l, const struct front_counters *counted,
                 struct stats *stats, struct stat_detail *detail, double seconds) {
  struct by_kernel *k = kernel_named(o, l->kernel);
  double cycles = 0;
  stats_get(stats, "cycles", &cycles);
  k->launches++;
  k->cycles += (uint64_t)cycles;
  front_counters_add(&k->sum, counted);
  front_counters_add(&o->total, counted);
  o->launches++;
  o->exec_seconds += seconds;
  if (o->report.n < MOST_LISTED) {
    report_add_kernel(&o->report, l->kernel, l->grid, l->block, stats, detail);
  } else {
    stats_free(stats);
    stat_detail_free(detail);
  }
}

void outcome_skip(struct outcome *o, const struct front_counters *counted) {
  front_counters_add(&o->left_out, counted);
  o->skipped++;
}

void outcome_partial(struct outcome *o, const char *how) {
  o->partial = how;
}

bool outcome_missing(struct outcome *o, const char *function) {
  for (size_t i = 0; i < o->nmissing; i++)
    if (strcmp(o->missing[i], function) == 0)
      return false;
  VEC_PUSH(o->missing, o->nmissing, o->cap_missing) = function;
  return true;
}

void outcome_fail(struct outcome *o, int code) {
  if (!o->code)
    o->code = code;
}

int outcome_code(const struct outcome *o) {
  return o->code;
}

static void row(const struct by_kernel *k, int wide, bool timed, struct strbuf *to) {
  char cycles[24] = "-", ipc[24] = "-";
  if (timed)
    snprintf(cycles, sizeof cycles, "%llu", (unsigned long long)k->cycles);
  if (timed && k->cycles)
    snprintf(ipc, sizeof ipc, "%.2f", (double)k->sum.thread_instructions / (double)k->cycles);
  strbuf_addf(to, "%-*.*s %9llu %14s %17llu %19llu %12llu %12llu %10llu %8s\n", wide, wide, k->name,
              (unsigned long long)k->launches, cycles, (unsigned long long)k->sum.warp_instructions,
              (unsigned long long)k->sum.thread_instructions, (unsigned long long)k->sum.loads,
              (unsigned long long)k->sum.stores, (unsigned long long)k->sum.atomics, ipc);
}

static void table(const struct outcome *o, bool timed, struct strbuf *to) {
  struct by_kernel all = {.name = (char[]){"total"}, .launches = o->launches, .sum = o->total};
  int wide = 6;
  for (size_t i = 0; i < o->n; i++) {
    all.cycles += o->kernels[i].cycles;
    if ((int)strlen(o->kernels[i].name) > wide)
      wide = (int)strlen(o->kernels[i].name);
  }
  wide = wide > 40 ? 40 : wide;
  strbuf_addf(to, "%-*s %9s %14s %17s %19s %12s %12s %10s %8s\n", wide, "kernel", "launches", "cycles",
              "warp_instructions", "thread_instructions", "loads", "stores", "atomics", "ipc");
  for (size_t i = 0; i < o->n; i++)
    row(&o->kernels[i], wide, timed, to);
  if (o->n > 1)
    row(&all, wide, timed, to);
  if (o->launches > MOST_LISTED)
    strbuf_addf(to, "(JSON lists the first %d launches one by one)\n", MOST_LISTED);
  if (o->total.memcheck_violations)
    strbuf_addf(to, "illegal accesses: %llu\n", (unsigned long long)o->total.memcheck_violations);
}

static void list_missing(const struct outcome *o, struct strbuf *to) {
  for (size_t i = 0; i < o->nmissing; i++)
    strbuf_addf(to, "%s%s", i ? ", " : "not supported: ", o->missing[i]);
  if (o->nmissing)
    strbuf_addc(to, '\n');
}

/* How much of the work the numbers are of; "": all of it. */
static void describe_choice(struct outcome *o) {
  struct strbuf s = {0};
  double timed = (double)o->total.warp_instructions, all = timed + (double)o->left_out.warp_instructions;
  if (o->skipped)
    strbuf_addf(
        &s,
        "%llu of %llu launches were timed, %.1f %% of the warp instructions; the others were executed only",
        (unsigned long long)o->launches, (unsigned long long)(o->launches + o->skipped),
        all > 0 ? 100 * timed / all : 0);
  free(o->note);
  o->note = s.n ? strbuf_take(&s) : NULL;
}

static void sum_up(struct outcome *o, const struct conf *conf, struct functional_machine *machine) {
  struct report *r = &o->report;
  stats_free(r->total); /* of a checkpoint */
  stat_detail_free(&r->detail);
  r->detail = (struct stat_detail){0};
  describe_choice(o);
  r->note = o->note;
  r->workload = program_invocation_name;
  r->status = o->partial              ? o->partial
              : o->code == EXIT_FAULT ? "fault"
              : o->code == EXIT_STALL ? "stall"
              : o->code               ? "failed"
                                      : NULL;
  r->conf = conf;
  r->total = tables_stats();
  front_counters_put(&o->total, r->total);
  if (machine)
    machine->put_total(machine, r->total, &r->detail);
  stats_put_host(r->total, o->start);
  stats_put_f64(r->total, "sim.exec_seconds", o->exec_seconds);
  if (o->exec_seconds > 0)
    stats_put_f64(r->total, "sim.warp_instructions_per_second",
                  (double)o->total.warp_instructions / o->exec_seconds);
}

static void print_report(const struct outcome *o, bool timed) {
  struct strbuf text = {0};
  if (o->partial)
    strbuf_addf(&text, "partial: %s after %llu launch%s\n", o->partial,
                (unsigned long long)(o->launches + o->skipped), o->launches + o->skipped == 1 ? "" : "es");
  if (o->launches)
    table(o, timed, &text);
  if (o->note)
    strbuf_addf(&text, "%s\n", o->note);
  list_missing(o, &text);
  fflush(stdout);
  fwrite(text.s, 1, text.n, stderr);
  strbuf_free(&text);
}

static void write_json(struct outcome *o, const char *path) {
  struct strbuf text = {0};
  struct error err = {0};
  report_json(&o->report, &text);
  if (!file_write_atomic(path, text.s, text.n, &err)) {
    fprintf(stderr, "sluice: %s\n", err.text);
    outcome_fail(o, err.code);
  }
  error_clear(&err);
  strbuf_free(&text);
}

/* One line for each process that used the device: whoever started it learns what became of it. */
static void write_status(const struct outcome *o, const char *descriptor) {
  uint64_t fd;
  if (num_u64(descriptor, &fd) != NUM_OK || fd > INT_MAX)
    return;
  char line[64];
  int n = snprintf(line, sizeof line, "%d %llu\n", o->code, (unsigned long long)(o->launches + o->skipped));
  if (write((int)fd, line, (size_t)n) != n)
    return; /* the program closed it, or the starter is gone: nobody to tell */
}

void outcome_tell(struct outcome *o, const struct conf *conf, struct functional_machine *machine) {
  const char *json = getenv("SLUICE_JSON"), *report = getenv("SLUICE_REPORT"),
             *status = getenv("SLUICE_STATUS");
  sum_up(o, conf, machine);
  if (report && *report && strcmp(report, "0") != 0 && (o->launches || o->skipped || o->nmissing))
    print_report(o, machine != NULL);
  if (json && *json)
    write_json(o, json);
  if (status && *status)
    write_status(o, status);
}

void outcome_checkpoint(struct outcome *o, const struct conf *conf, struct functional_machine *machine) {
  const char *json = getenv("SLUICE_JSON");
  if (!json || !*json)
    return;
  o->partial = "partial";
  sum_up(o, conf, machine);
  write_json(o, json);
  o->partial = NULL;
}
