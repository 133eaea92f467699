#include "lab/run.h"
#include "base/cores.h"
#include "lab/queue.h"
#include "stat/stat.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const lab_launcher_names[] = {"local", "slurm", NULL};

static int by_id(const void *a, const void *b) {
  const struct lab_job *x = a, *y = b;
  int c = strcmp(x->point->id, y->point->id);
  return c ? c : (x->point > y->point) - (x->point < y->point);
}

/* Longest first; of equals, in the order of the sweep. */
static int by_cost(const void *a, const void *b) {
  const struct lab_job *x = a, *y = b;
  int c = (x->cost.seconds < y->cost.seconds) - (x->cost.seconds > y->cost.seconds);
  return c ? c : (x->point > y->point) - (x->point < y->point);
}

static void count(struct lab_tally *t, enum lab_state s) {
  t->done += s == LAB_DONE;
  t->failed += s == LAB_FAILED;
  t->stalled += s == LAB_STALLED;
  t->cut += s == LAB_CUT;
}

/* The different points that are to be run; the tally counts what is there already. */
static void fill(struct lab_queue *q, const struct lab_points *p) {
  struct lab_cost *cost = lab_costs(q->store, p);
  struct lab_job *all = xcalloc(p->n + 1, sizeof *all);
  for (size_t i = 0; i < p->n; i++)
    all[i] = (struct lab_job){.point = &p->at[i], .cost = cost[i]};
  qsort(all, p->n, sizeof *all, by_id);
  for (size_t i = 0; i < p->n; i++) {
    if (i && strcmp(all[i].point->id, all[i - 1].point->id) == 0)
      continue;
    q->tally.points++;
    enum lab_state s = q->store ? lab_store_outcome(q->store, all[i].point->id, NULL).state : LAB_MISSING;
    bool again = s == LAB_PLANNED || s == LAB_MISSING || (q->o->retry && s != LAB_DONE);
    if (!again)
      count(&q->tally, s);
    else
      all[q->n++] = all[i];
  }
  free(cost);
  qsort(all, q->n, sizeof *all, by_cost);
  q->job = all;
}

void lab_queue_show(struct lab_queue *q) {
  double total = 0, done = 0;
  double factor = q->estimated > 0 && q->took > 0 ? q->took / q->estimated : 1;
  size_t running = 0;
  for (size_t i = 0; i < q->n; i++) {
    double s = q->job[i].cost.seconds * factor, part = q->job[i].spent;
    total += s;
    running += !q->job[i].ended && q->job[i].started > 0;
    if (q->job[i].ended)
      done += s;
    else if (q->job[i].started > 0)
      done += part < s * 0.95 ? part : s * 0.95;
  }
  size_t bad = q->tally.failed + q->tally.stalled + q->tally.cut;
  char failures[48] = "";
  if (bad)
    snprintf(failures, sizeof failures, ", %zu not done", bad);
  progress_note(&q->progress, " of %zu, %zu running%s", q->n, running, failures);
  progress_update(&q->progress, (uint64_t)(done * 1000), (uint64_t)(total * 1000) + 1, q->ended);
}

static bool end(struct lab_queue *q, size_t job, const struct lab_outcome *o, const struct lab_value *v,
                size_t n, struct error *err) {
  struct lab_job *j = &q->job[job];
  if (!lab_store_put(q->store, j->point->id, o, v, n, err))
    return false;
  j->ended = true;
  q->ended++;
  q->tally.ran++;
  q->tally.cpu_s += o->cpu_s;
  count(&q->tally, o->state);
  if (o->state == LAB_DONE) {
    q->estimated += j->cost.seconds;
    q->took += o->cpu_s;
  }
  return true;
}

bool lab_queue_end(struct lab_queue *q, size_t job, const struct lab_result *r, struct error *err) {
  return end(q, job, &r->outcome, r->values, r->n, err);
}

bool lab_queue_lost(struct lab_queue *q, size_t job, struct lab_outcome o, struct error *err) {
  o.state = LAB_FAILED;
  return end(q, job, &o, NULL, 0, err);
}

bool lab_run(const struct lab_points *p, const char *db, const struct lab_options *o, struct lab_tally *t,
             struct error *err) {
  double start = stats_wall_clock();
  struct lab_queue q = {.store = lab_store_open(db, LAB_WRITE, err), .o = o, .db = db};
  *t = (struct lab_tally){0};
  if (!q.store)
    return false;
  bool ok = lab_store_plan(q.store, p, err);
  if (ok) {
    fill(&q, p);
    progress_start(&q.progress, o->progress, "points");
    ok = !q.n || (o->launcher == LAB_SLURM ? lab_slurm(&q, err) : lab_local(&q, err));
    progress_end(&q.progress);
  }
  *t = q.tally;
  t->wall_s = stats_wall_clock() - start;
  free(q.job);
  lab_store_close(q.store);
  return ok;
}

/* When the last of `n` processors is through, if each takes the longest that is left. */
static double finish(const struct lab_job *job, size_t njobs, size_t n) {
  double *busy = xcalloc(n, sizeof *busy), last = 0;
  for (size_t i = 0; i < njobs; i++) {
    size_t least = 0;
    for (size_t k = 1; k < n; k++)
      least = busy[k] < busy[least] ? k : least;
    busy[least] += job[i].cost.seconds;
    last = busy[least] > last ? busy[least] : last;
  }
  free(busy);
  return last;
}

bool lab_plan(const struct lab_points *p, const char *db, const struct lab_options *o, struct lab_plan *plan,
              struct error *err) {
  struct lab_queue q = {.o = o};
  if (access(db, F_OK) == 0 && !(q.store = lab_store_open(db, LAB_READ, err)))
    return false;
  fill(&q, p);
  size_t n = o->jobs ? o->jobs : cores_allowed();
  *plan = (struct lab_plan){.points = q.tally.points,
                            .done = q.tally.done,
                            .failed = q.tally.failed + q.tally.stalled + q.tally.cut,
                            .run = q.n,
                            .at_once = n,
                            .wall_s = finish(q.job, q.n, n)};
  for (size_t i = 0; i < q.n; i++) {
    plan->cpu_s += q.job[i].cost.seconds;
    plan->guessed += !q.job[i].cost.known;
  }
  free(q.job);
  lab_store_close(q.store);
  return true;
}

size_t lab_list_failures(struct lab_store *s, const struct lab_points *p, FILE *to) {
  struct arena mem = {0};
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++) {
    const struct lab_point *k = &p->at[i];
    struct lab_outcome o = lab_store_outcome(s, k->id, &mem);
    if (o.state == LAB_DONE)
      continue;
    n++;
    char *set = lab_pairs_json(&k->set);
    fprintf(to, "%s on %s with %s%s%s: %s%s%.*s\n", k->workload.label, k->gpu_label, k->label,
            k->set.n ? ", " : "", k->set.n ? set : "", lab_state_names[o.state], *o.reason ? ": " : "",
            (int)strcspn(o.reason, "\n"), o.reason);
    free(set);
  }
  arena_free(&mem);
  return n;
}
