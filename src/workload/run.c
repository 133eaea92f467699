/* A workload from end to end, on whichever device. */
#include "base/hash.h"
#include "workload/wl.h"
#include <stdlib.h>
#include <string.h>

/* True when the workload's function came to its end. Nothing here changes between setjmp and longjmp but
 * what `w` points to. */
static bool enter(struct wl *w) {
  if (setjmp(w->out))
    return false;
  w->workload->run(w);
  return true;
}

static bool run_on(struct wl *w, struct wl_device *d) {
  w->device = d;
  bool ok = enter(w);
  arena_free(&w->host);
  free(w->buffers);
  d->ops->close(d);
  return ok;
}

static void put_choices(struct report *r, const struct workload_request *q, const struct values *v) {
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)q->seed);
  report_add_choice(r, "size", workload_size_names[q->size]);
  report_add_choice(r, "seed", seed);
  if (q->input)
    report_add_choice(r, "input", q->input);
  for (size_t i = 0; i < v->about->nparams; i++)
    report_add_choice(r, v->about->params[i].name, v->text[i]);
}

/* Kernels whose registers about.yaml states are in the PTX. */
static bool check_registers(const struct workload_about *a, const struct runner *r, struct error *err) {
  size_t n;
  const struct kernel_info *const *kernels = runner_kernels(r, &n);
  const char **names = xcalloc(n + 1, sizeof *names);
  bool ok = true;
  for (size_t i = 0; i < n; i++)
    names[i] = kernels[i]->name;
  for (size_t i = 0; i < a->nregisters; i++) {
    size_t k = 0;
    while (k < n && strcmp(names[k], a->registers_of[i]) != 0)
      k++;
    const char *near = k < n ? NULL : nearest_match(a->registers_of[i], names, (int)n);
    if (k == n)
      ok = error_add(err, EXIT_USAGE, "%s: registers: there is no kernel '%.60s'%s%s%s", a->doc->file,
                     a->registers_of[i], near ? "; did you mean '" : " in the PTX", near ? near : "",
                     near ? "'?" : "");
  }
  free(names);
  return ok;
}

/* Loads about.yaml and PTX, and runs; `f`: what to record into, or NULL. */
static bool run(const struct workload *k, const struct workload_request *q, struct runner *r,
                struct launch_file *f, struct report *report, struct error *err) {
  struct workload_about about;
  if (!workload_about_read(&about, k, err))
    return false;
  struct strbuf path = {0};
  strbuf_addf(&path, "%s.ptx", k->name);
  struct wl w = {.workload = k, .request = q, .err = err, .rng = hash_mix(q->seed + 1)};
  bool ok = values_read(&w.values, &about, q, err) &&
            (!k->ptx_n || (runner_load(r, path.s, k->ptx, k->ptx_n, err) && runner_check(r, err))) &&
            check_registers(&about, r, err); /* generated streams have none */
  if (ok) {
    struct wl_device *d = wl_device_sim(r, k->name);
    put_choices(report, q, &w.values);
    ok = run_on(&w, f ? wl_device_record(d, f) : d);
    if (ok || report->n) /* refused before the first launch: nothing to report */
      runner_finish(r, ok, err);
    if (w.mismatch)
      report->status = "mismatch";
  }
  values_free(&w.values);
  workload_about_free(&about);
  strbuf_free(&path);
  return ok;
}

bool workload_run(const struct workload *k, const struct workload_request *q, const struct conf *conf,
                  const struct functional_options *o, struct report *report, struct error *err) {
  struct runner *r = runner_open(conf, o, report);
  bool ok = run(k, q, r, NULL, report, err) && runner_keep(r, err);
  runner_close(r);
  return ok;
}

/* What OpenCL's driver provides and CUDA's does not:
 * - A __constant argument is a pointer to a buffer, loaded from by ld.const. CUDA has constant memory apart, so
 *   there the load becomes a global one; with constant tables in the module (a .const variable) the two cannot be
 *   told apart.
 * - The global offset of a launch lies in %envreg3 to 5. Workloads have none. */
static char *ptx_for_gpu(const struct workload *k, size_t *n) {
  static const char *const swaps[][2] = {
      {"%envreg3", "0"}, {"%envreg4", "0"}, {"%envreg5", "0"}, {"ld.const.", "ld.global."}};
  bool tables = strstr(k->ptx, "\n.const") || strstr(k->ptx, "\n.visible .const");
  size_t nswaps = sizeof swaps / sizeof *swaps - tables;
  struct strbuf s = {0};
  for (const char *at = k->ptx; *at;) {
    size_t i = 0;
    while (i < nswaps && strncmp(at, swaps[i][0], strlen(swaps[i][0])) != 0)
      i++;
    if (i < nswaps) {
      strbuf_add(&s, swaps[i][1]);
      at += strlen(swaps[i][0]);
    } else {
      strbuf_addc(&s, *at++);
    }
  }
  *n = s.n;
  return strbuf_take(&s);
}

struct launch_file *workload_record(const struct workload *k, const struct workload_request *q,
                                    const struct conf *conf, struct error *err) {
  struct launch_file *f = xcalloc(1, sizeof *f);
  struct report report = {.workload = k->name, .conf = conf};
  struct functional_options o = {.progress = PROGRESS_NONE};
  struct runner *r = runner_open(conf, &o, &report);
  f->path = xstrdup(k->name);
  f->dir = xstrdup(".");
  f->ptx = xcalloc(1, sizeof *f->ptx);
  f->nptx = 1;
  f->ptx->text = ptx_for_gpu(k, &f->ptx->n);
  bool ok = run(k, q, r, f, &report, err);
  runner_close(r);
  report_free(&report);
  if (ok)
    return f;
  launch_file_free(f);
  return NULL;
}
