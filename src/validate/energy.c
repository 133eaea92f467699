#include "validate/energy.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "validate/csv.h"
#include "validate/processes.h"
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_cases(struct energy_set *e, const char *path, enum energy_kind kind, struct error *err) {
  struct csv c;
  bool ok = csv_open(&c, path, err);
  while (ok && csv_next(&c)) {
    struct energy_case k = {.kind = kind, .class = "", .total_mj = NAN, .static_mj = NAN, .sim_us = NAN};
    const char *name = csv_get(&c, "name", err);
    ok = name && csv_number(&c, "watts", &k.watts, err) && csv_number(&c, "us", &k.us, err);
    if (!ok)
      break;
    bool rest = strcmp(name, "rest") == 0;
    if (!(k.watts > 0) || (!rest && !(k.us > 0)))
      ok = error_add(err, EXIT_USAGE, "%s:%zu: 'watts' and 'us' above 0 are wanted", path, c.line);
    if (rest)
      k.kind = ENERGY_REST, k.us = 1, k.fitted = kind == ENERGY_MICRO;
    k.name = xstrdup(name);
    VEC_PUSH(e->at, e->n, e->cap) = k;
  }
  free(c.text);
  return ok;
}

static bool read_fitted(struct energy_set *e, const char *path, struct error *err) {
  struct csv c;
  bool ok = csv_open(&c, path, err);
  while (ok && csv_next(&c)) {
    const char *name = csv_get(&c, "micro", err), *fit = csv_get(&c, "fit", err);
    if (!(ok = name && fit))
      break;
    bool yes = strcmp(fit, "yes") == 0, found = false;
    if (!yes && strcmp(fit, "no") != 0)
      ok = error_add(err, EXIT_USAGE, "%s:%zu: fit '%.40s': yes or no is wanted", path, c.line, fit);
    for (size_t i = 0; i < e->n; i++)
      if (e->at[i].kind == ENERGY_MICRO && strcmp(e->at[i].name, name) == 0)
        e->at[i].fitted = yes, found = true;
    if (ok && !found)
      ok = error_add(err, EXIT_USAGE, "%s:%zu: '%.60s' was not recorded", path, c.line, name);
  }
  free(c.text);
  return ok;
}

bool energy_set_load(struct energy_set *e, const struct validate_set *s, struct error *err) {
  char path[4096];
  *e = (struct energy_set){0};
  snprintf(path, sizeof path, "%s/recorded/energy_micro.csv", s->dir);
  bool ok = read_cases(e, path, ENERGY_MICRO, err);
  snprintf(path, sizeof path, "%s/energy.csv", s->dir);
  ok = ok && read_fitted(e, path, err);
  snprintf(path, sizeof path, "%s/recorded/energy_warm.csv", s->dir);
  ok = ok && read_cases(e, path, ENERGY_KERNEL, err);
  for (size_t i = 0; i < e->n && ok; i++)
    for (size_t k = 0; k < s->n && e->at[i].kind == ENERGY_KERNEL; k++)
      if (s->row[k].kind == VALIDATE_KERNEL && strcmp(s->row[k].name, e->at[i].name) == 0) {
        e->at[i].class = s->row[k].class;
        e->at[i].calibration = s->row[k].calibration;
      }
  return ok;
}

void energy_set_free(struct energy_set *e) {
  for (size_t i = 0; i < e->n; i++)
    free(e->at[i].name);
  free(e->at);
}

/* The amounts of the rows that a counter is in. */
struct counted {
  struct energy_case *to;
  enum energy_row row;
  const char *name;
  double value;
};

static void add(void *ctx, const char *name, size_t n, bool minus) {
  const struct counted *k = ctx;
  if (strlen(k->name) == n && memcmp(k->name, name, n) == 0)
    k->to->amount[k->row] += minus ? -k->value : k->value;
}

/* launch,kernel,statistic,value,unit: the second launch */
static void take(struct energy_case *c, char *text) {
  memset(c->amount, 0, sizeof c->amount);
  for (char *line = text, *end; *line; line = end) {
    end = strchr(line, '\n');
    end = end ? (*end = '\0', end + 1) : line + strlen(line);
    char *field[5] = {line};
    double v;
    for (int i = 1; i < 5 && field[i - 1]; i++)
      if ((field[i] = strchr(field[i - 1], ',')))
        *field[i]++ = '\0';
    if (strcmp(line, "1") != 0 || !field[3] || num_f64(field[3], &v) != NUM_OK)
      continue;
    if (strcmp(field[2], "energy.total_mj") == 0)
      c->total_mj = v;
    else if (strcmp(field[2], "energy.static_mj") == 0)
      c->static_mj = v;
    else if (strcmp(field[2], "time_us") == 0)
      c->sim_us = v;
    for (int r = 0; r < NROWS; r++) {
      struct counted k = {c, (enum energy_row)r, field[2], v};
      energy_row_terms((enum energy_row)r, add, &k);
    }
  }
}

struct running {
  struct energy_set *e;
  size_t *which;
  const char *runs;
  struct error *err;
};

static const char *folder(const struct energy_case *c) {
  return c->kind == ENERGY_MICRO ? "energy" : "kernels";
}

static void kept_path(char path[4096], const char *runs, const struct energy_case *c) {
  snprintf(path, 4096, "%s/%s-%s.csv", runs, folder(c), c->name);
}

static void done(void *ctx, size_t i, char *text) {
  const struct running *r = ctx;
  struct energy_case *c = &r->e->at[r->which[i]];
  char path[4096];
  if (r->runs) {
    kept_path(path, r->runs, c);
    if (!file_write_atomic(path, text, strlen(text), r->err))
      return;
  }
  take(c, text);
}

/* What an earlier run printed, where it was kept. */
static bool take_kept(struct energy_case *c, const char *runs) {
  struct error none = {0};
  char path[4096];
  size_t n;
  if (!runs)
    return false;
  kept_path(path, runs, c);
  char *text = file_read(path, 64 << 20, &n, &none);
  if (text)
    take(c, text);
  free(text);
  error_clear(&none);
  return text != NULL;
}

static bool wanted(const struct energy_case *c, const struct validate_options *o) {
  if (c->kind == ENERGY_REST || (o->only && fnmatch(o->only, c->name, 0) != 0))
    return false;
  return c->kind == ENERGY_MICRO ? o->micro : o->kernels && (c->calibration ? o->calibration : o->validation);
}

bool energy_set_run(struct energy_set *e, const struct validate_set *s, const struct validate_options *o,
                    const char *runs_kept, struct strbuf *failed, struct error *err) {
  const char *arguments[96] = {"--gpu",     o->gpu, "--quiet", "--csv",        "-",
                               "--threads", "1",    "--set",   "l2.warm=false"};
  size_t n = 9, runs = 0, *which = xcalloc(e->n + 1, sizeof *which);
  char **targets = xcalloc(e->n + 1, sizeof *targets);
  for (size_t i = 0; o->arguments && o->arguments[i] && n < 90; i++)
    arguments[n++] = o->arguments[i];
  for (size_t i = 0; i < e->n; i++) {
    if (!wanted(&e->at[i], o) || take_kept(&e->at[i], runs_kept))
      continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s.yaml", s->dir, folder(&e->at[i]), e->at[i].name);
    which[runs] = i;
    targets[runs++] = xstrdup(path);
  }
  struct running r = {e, which, runs_kept, err};
  bool ok = processes_run(&(struct processes){.targets = (const char *const *)targets,
                                              .n = runs,
                                              .arguments = arguments,
                                              .jobs = o->jobs,
                                              .progress = o->progress,
                                              .done = done,
                                              .ctx = &r,
                                              .failed = failed},
                          err);
  for (size_t i = 0; i < runs; i++)
    free(targets[i]);
  free(targets), free(which);
  return ok;
}

bool energy_set_price(struct energy_set *e, const struct energy_table *t, struct error *err) {
  for (int r = 0; r < NROWS; r++)
    if (!t->row[r].known)
      return error_add(err, EXIT_USAGE, "energy.table '%s' has no row '%s'", t->name, energy_rows[r].name);
  for (size_t i = 0; i < e->n; i++) {
    struct energy_case *c = &e->at[i];
    double moving = 0, fixed = 0, mhz = c->amount[ROW_BOARD] / c->sim_us; /* gpu.cycles */
    for (int r = 0; r < NROWS; r++) {
      double amount = c->amount[r] > 0 ? c->amount[r] : 0;
      *(energy_rows[r].unit == UNIT_PJ ? &moving : &fixed) +=
          t->row[r].value * amount * (energy_rows[r].unit == UNIT_PJ ? 1e-9 : 1e-3 / mhz);
    }
    c->static_mj = fixed;
    c->total_mj = fixed + moving;
  }
  return true;
}

double energy_uj(const struct energy_case *c, bool card_time) {
  double fixed = card_time ? c->static_mj * c->us / c->sim_us : c->static_mj;
  return (c->total_mj - c->static_mj + fixed) * 1e3;
}

double energy_watts(const struct energy_case *c, bool card_time) {
  return energy_uj(c, card_time) / (card_time ? c->us : c->sim_us);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct energy_summary energy_summarise(const struct energy_set *e, const char *part, const char *class,
                                       enum energy_what what, bool card_time) {
  struct energy_summary v = {0};
  double *error = xcalloc(e->n + 1, sizeof *error), logs = 0;
  for (size_t i = 0; i < e->n; i++) {
    const struct energy_case *c = &e->at[i];
    if (c->kind != ENERGY_KERNEL || !isfinite(c->total_mj) || !(c->sim_us > 0) ||
        (part && c->calibration != (strcmp(part, "calibration") == 0)) ||
        (class && strcmp(class, c->class) != 0))
      continue;
    double ours = what == ENERGY_POWER ? energy_watts(c, card_time) : energy_uj(c, card_time),
           card = what == ENERGY_POWER ? c->watts : c->watts * c->us;
    error[v.n] = fabs(ours / card - 1);
    v.mean += error[v.n++];
    logs += log(ours / card);
  }
  if (v.n) {
    qsort(error, v.n, sizeof *error, ascending);
    v.mean /= (double)v.n;
    v.median = v.n % 2 ? error[v.n / 2] : (error[v.n / 2 - 1] + error[v.n / 2]) / 2;
    v.worst = error[v.n - 1];
    v.bias = exp(logs / (double)v.n);
  }
  free(error);
  return v;
}
