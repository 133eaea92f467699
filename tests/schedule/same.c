/* Does the assembler leave results alone? same [--medium] NAME...
 *
 * Runs each workload (at size small, or medium) and launch file in the order of the PTX and in the assembler's of both kinds, and compares all of
 * device memory after every launch, bit for bit. Prints what differs; 0 when nothing does. */
#include "base/error.h"
#include "front/count.h"
#include "front/functional.h"
#include "front/ptx/assemble/assemble.h"
#include "front/run/run.h"
#include "tables.h"
#include "workload/workload.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hashes {
  struct functional_machine machine;
  uint64_t *v;
  char (*names)[64];
  size_t n, cap, cap_names;
};

static uint64_t hash_memory(const struct devmem *m) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < devmem_count(m); i++) {
    const struct devbuf *b = devmem_at(m, i);
    for (uint64_t k = 0; !b->freed && k < b->size; k++)
      h = (h ^ b->host[k]) * UINT64_C(0x100000001b3);
  }
  return h;
}

static bool run(struct functional_machine *m, struct exec *x, const struct kernel_info *k,
                const struct launch *l, struct error *err) {
  struct hashes *s = (struct hashes *)m;
  struct sluice_segment seg;
  int more;
  (void)l;
  while ((more = exec_next(x, &seg, err)) > 0) {
    struct front_counters c = {0};
    m->count(m->ctx, x, &seg, &c);
    m->seen(m->ctx, &c);
  }
  size_t at = s->n;
  s->names = vec_grow(s->names, at, &s->cap_names, sizeof *s->names);
  snprintf(s->names[at], sizeof *s->names, "%s", k->name);
  VEC_PUSH(s->v, s->n, s->cap) = x->mem ? hash_memory(x->mem) : 0; /* generated streams have none */
  return more == 0;
}

static void warm(struct functional_machine *m, const struct functional_buffer *b, size_t n) {
  (void)m, (void)b, (void)n;
}

static void spill(struct functional_machine *m, struct kernel_info *k, const struct launch *l) {
  (void)m, (void)k, (void)l;
}

static void put(struct functional_machine *m, struct stats *s, struct stat_detail *d) {
  (void)m, (void)s, (void)d;
}

static bool execute(const char *what, enum workload_size size, const char *schedule, struct hashes *s,
                    struct error *err) {
  *s = (struct hashes){
      .machine = {.run = run, .spill = spill, .warm = warm, .put_launch = put, .put_total = put}};
  struct conf *conf = tables_conf();
  conf_assign(conf, "front.schedule", schedule, "same", err);
  struct report report = {.workload = what, .conf = conf};
  struct functional_options o = {.machine = &s->machine, .progress = PROGRESS_NONE};
  struct workload_request q = {.size = size, .verify = true, .seed = 1};
  const struct workload *k = workload_or_file(what, err);
  bool ok = !err->code &&
            (k ? workload_run(k, &q, conf, &o, &report, err) : functional_run(what, conf, &o, &report, err));
  report_free(&report);
  conf_free(conf);
  return ok;
}

static bool same_as(const char *what, enum workload_size size, const char *schedule) {
  struct error first = {0}, second = {0};
  struct hashes p, a;
  execute(what, size, "ptx", &p, &first);
  execute(what, size, schedule, &a, &second);
  bool ok = first.code == second.code && p.n == a.n;
  if (!ok)
    printf("%s: %zu launches and code %d in the order of the PTX, %zu and %d with %s: %s\n", what, p.n,
           first.code, a.n, second.code, schedule,
           second.code  ? second.text
           : first.code ? first.text
                        : "");
  for (size_t i = 0; ok && i < p.n; i++)
    if (p.v[i] != a.v[i]) {
      ok = false;
      printf("%s: memory differs with %s after launch %zu, of '%s'\n", what, schedule, i + 1, p.names[i]);
    }
  error_clear(&first), error_clear(&second);
  free(p.v), free(p.names), free(a.v), free(a.names);
  return ok;
}

static bool same(const char *what, enum workload_size size) {
  bool ok = same_as(what, size, "assembler");
  return same_as(what, size, "assembler9") && ok;
}

int main(int argc, char **argv) {
  bool medium = argc > 1 && strcmp(argv[1], "--medium") == 0;
  int differing = 0, n = argc - 1 - medium;
  for (int i = 0; i < n; i++)
    differing += !same(argv[1 + medium + i], medium ? SIZE_MEDIUM : SIZE_SMALL);
  printf("%d of %d the same\n", n - differing, n);
  return differing != 0;
}
