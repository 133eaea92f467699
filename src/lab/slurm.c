/* Points as tasks of Slurm's job arrays. Everything a task needs and leaves lies in the folder DB.jobs, which all
 * machines see:
 *
 *   ID.spec      the point (lab/spec.h)             ID.result  its result, which appears whole
 *   ID.err       what the process said              ID.exit    its code, where it ended without a result
 *   N.list       the points of array N, a line for each task
 *   N.job        the number Slurm gave the array
 *
 * So a collector that dies loses nothing: the next one finds results, and arrays that are still under way. A task
 * that is gone without a trace (its node died, somebody cancelled it) is submitted again, a bounded number of
 * times. A result that comes twice is the same result. */
#include "base/file.h"
#include "base/num.h"
#include "lab/queue.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  ARRAY_MAX = 1000 /* Slurm's own default */,
  RESULT_MAX = 4 << 20,
  ATTEMPTS = 3,
  SLOWEST_S = 5,
  GONE_POLLS = 2
};

struct task {
  size_t array;            /* it was submitted with last; SIZE_MAX: none yet */
  unsigned attempts, gone; /* submissions; polls in which nobody knew of it */
  bool seen;               /* in this poll */
};

struct array {
  uint64_t number; /* N */
  char job[32];    /* Slurm's; "" if that is not known */
  size_t *task;    /* of each line; SIZE_MAX: not of this sweep, or through */
  size_t n, cap;
};

struct slurm {
  struct lab_queue *q;
  char *folder, *program;
  struct task *task; /* one for each job of the queue */
  struct array *array;
  size_t narrays, cap_arrays;
  uint64_t next;
};

/* DB.jobs/NAME.ENDING; free it. */
static char *path_of(const struct slurm *s, const char *name, const char *ending) {
  struct strbuf p = {0};
  strbuf_addf(&p, "%s/%s.%s", s->folder, name, ending);
  return strbuf_take(&p);
}

static bool exists(const struct slurm *s, const char *name, const char *ending) {
  char *p = path_of(s, name, ending);
  bool yes = access(p, F_OK) == 0;
  free(p);
  return yes;
}

static void quote(struct strbuf *to, const char *text) {
  strbuf_addc(to, '\'');
  for (; *text; text++)
    if (*text == '\'')
      strbuf_add(to, "'\\''");
    else
      strbuf_addc(to, *text);
  strbuf_addc(to, '\'');
}

/* Runs a command line; its output without the last newline, NULL after filling err. */
static char *shell(const char *command, struct error *err) {
  FILE *f = popen(command, "r");
  struct strbuf out = {0};
  char part[4096];
  for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;)
    strbuf_addn(&out, part, n);
  int status = f ? pclose(f) : -1;
  while (out.n && out.s[out.n - 1] == '\n')
    out.s[--out.n] = '\0';
  if (status == 0)
    return out.s ? strbuf_take(&out) : xstrdup("");
  error_add(err, EXIT_RUNTIME, "slurm: `%.*s` failed: %s", (int)strcspn(command, " "), command,
            strbuf_str(&out));
  strbuf_free(&out);
  return NULL;
}

/* What every task runs; a command that ends by a signal to stop is not an end. */
static bool write_script(const struct slurm *s, struct error *err) {
  struct strbuf t = {0};
  strbuf_add(&t, "#!/bin/sh\n# A task of a sweep: $1 is its list of points.\ndir=");
  quote(&t, s->folder);
  strbuf_add(&t, "\nid=$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" \"$1\")\ncode=0\n");
  quote(&t, s->program);
  strbuf_add(&t, " point \"$dir/$id.spec\" -o \"$dir/$id.result\" 2>\"$dir/$id.err\" </dev/null || code=$?\n"
                 "case $code in 0 | 130 | 143) ;; *) echo $code >\"$dir/$id.exit\" ;; esac\n");
  char *path = path_of(s, "task", "sh");
  bool ok = file_write_atomic(path, t.s, t.n, err);
  free(path);
  strbuf_free(&t);
  return ok;
}

static size_t job_of(const struct slurm *s, const char *id) {
  for (size_t i = 0; i < s->q->n; i++)
    if (strcmp(s->q->job[i].point->id, id) == 0)
      return i;
  return SIZE_MAX;
}

static struct array *array_new(struct slurm *s, uint64_t number) {
  if (number >= s->next)
    s->next = number + 1;
  VEC_PUSH(s->array, s->narrays, s->cap_arrays) = (struct array){.number = number};
  return &s->array[s->narrays - 1];
}

static void array_add(struct slurm *s, struct array *a, size_t job) {
  VEC_PUSH(a->task, a->n, a->cap) = job;
  if (job == SIZE_MAX)
    return;
  s->task[job].array = (size_t)(a - s->array);
  s->task[job].attempts++;
  s->task[job].gone = 0;
}

/* An array that an earlier collector submitted. */
static void adopt(struct slurm *s, uint64_t number) {
  char name[32];
  struct error ignored = {0};
  size_t n, unused;
  snprintf(name, sizeof name, "%llu", (unsigned long long)number);
  char *list_path = path_of(s, name, "list"), *job_path = path_of(s, name, "job");
  char *list = file_read(list_path, RESULT_MAX, &n, &ignored), *rest = list;
  char *job = file_read(job_path, sizeof name, &unused, &ignored);
  if (list && job) {
    struct array *a = array_new(s, number);
    snprintf(a->job, sizeof a->job, "%.*s", (int)strcspn(job, "\n"), job);
    for (char *id; (id = strsep(&rest, "\n")) && *id;)
      array_add(s, a, job_of(s, id));
  }
  if (number >= s->next)
    s->next = number + 1;
  free(list), free(job), free(list_path), free(job_path);
  error_clear(&ignored);
}

static bool open_folder(struct slurm *s, struct error *err) {
  if (!file_make_folder(s->folder, err))
    return false;
  DIR *d = opendir(s->folder);
  if (!d)
    return error_add(err, EXIT_RUNTIME, "%s: cannot read: %s", s->folder, strerror(errno));
  for (struct dirent *e; (e = readdir(d));) {
    char *end;
    uint64_t number = strtoull(e->d_name, &end, 10);
    if (end != e->d_name && strcmp(end, ".list") == 0)
      adopt(s, number);
  }
  closedir(d);
  return write_script(s, err);
}

/* Not in an array that is under way, as far as anybody knows. */
static bool waiting(const struct slurm *s, size_t job) {
  return !s->q->job[job].ended && s->task[job].array == SIZE_MAX;
}

static bool write_spec(struct slurm *s, size_t job, struct error *err) {
  const struct lab_point *p = s->q->job[job].point;
  struct strbuf spec = {0};
  lab_spec_write(p, &s->q->o->streams, 1, &spec);
  char *path = path_of(s, p->id, "spec");
  bool ok = file_write_atomic(path, spec.s, spec.n, err);
  free(path);
  strbuf_free(&spec);
  return ok;
}

static bool sbatch(struct slurm *s, struct array *a, const char *list, struct error *err) {
  const struct lab_options *o = s->q->o;
  struct strbuf c = {0};
  strbuf_addf(&c, "sbatch %s --parsable --job-name=sluice --no-requeue --output=/dev/null --array=1-%zu",
              o->slurm_args ? o->slurm_args : "", a->n); /* what the user says of these does not hold */
  if (o->jobs)
    strbuf_addf(&c, "%%%u", o->jobs);
  strbuf_addc(&c, ' ');
  char *script = path_of(s, "task", "sh");
  quote(&c, script);
  strbuf_addc(&c, ' ');
  quote(&c, list);
  strbuf_add(&c, " 2>&1");
  char *answer = shell(c.s, err);
  if (answer) { /* NUMBER or NUMBER;CLUSTER, after warnings if there are any */
    const char *last = strrchr(answer, '\n');
    last = last ? last + 1 : answer;
    snprintf(a->job, sizeof a->job, "%.*s", (int)strspn(last, "0123456789"), last);
    if (!a->job[0])
      error_add(err, EXIT_RUNTIME, "slurm: sbatch said '%.200s'", answer);
  }
  free(answer), free(script);
  strbuf_free(&c);
  return a->job[0];
}

/* Submits up to ARRAY_MAX of the points that wait as one array. */
static bool submit(struct slurm *s, struct error *err) {
  struct strbuf list = {0};
  struct array *a = array_new(s, s->next);
  char name[32];
  bool ok = true;
  snprintf(name, sizeof name, "%llu", (unsigned long long)a->number);
  for (size_t i = 0; ok && i < s->q->n && a->n < ARRAY_MAX; i++)
    if (waiting(s, i)) {
      ok = write_spec(s, i, err);
      strbuf_addf(&list, "%s\n", s->q->job[i].point->id);
      array_add(s, a, i);
    }
  char *list_path = path_of(s, name, "list"), *job_path = path_of(s, name, "job");
  ok = ok && file_write_atomic(list_path, strbuf_str(&list), list.n, err) && sbatch(s, a, list_path, err) &&
       file_write_atomic(job_path, a->job, strlen(a->job), err);
  free(list_path), free(job_path);
  strbuf_free(&list);
  return ok;
}

static bool submit_all(struct slurm *s, struct error *err) {
  for (size_t i = 0; i < s->q->n; i++)
    if (waiting(s, i) && !submit(s, err))
      return false;
  return true;
}

static void forget(const struct slurm *s, const char *id) {
  static const char *const endings[] = {"result", "exit", "err", "spec"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    char *p = path_of(s, id, endings[i]);
    unlink(p);
    free(p);
  }
}

/* A process that ended without a result. */
static bool collect_exit(struct slurm *s, size_t job, struct error *err) {
  const char *id = s->q->job[job].point->id;
  char *exit_path = path_of(s, id, "exit"), *err_path = path_of(s, id, "err");
  struct error ignored = {0};
  struct strbuf why = {0};
  size_t n;
  char *code = file_read(exit_path, 64, &n, &ignored), *said = file_read(err_path, RESULT_MAX, &n, &ignored);
  int number = code ? atoi(code) : 0;
  if (number > 128)
    strbuf_addf(&why, "killed by signal %d (%s)", number - 128, strsignal(number - 128));
  else
    strbuf_addf(&why, "ended with code %d and no result", number);
  if (said && *said)
    strbuf_addf(&why, ": %.*s", (int)strcspn(said, "\n"), said);
  bool ok = lab_queue_lost(s->q, job, (struct lab_outcome){.reason = why.s}, err);
  free(code), free(said), free(exit_path), free(err_path);
  strbuf_free(&why);
  error_clear(&ignored);
  return ok;
}

/* Brings what has arrived into the database; only then its files go. */
static bool collect(struct slurm *s, bool *some, struct error *err) {
  for (size_t i = 0; i < s->q->n; i++) {
    const char *id = s->q->job[i].point->id;
    if (s->q->job[i].ended)
      continue;
    bool ok = true;
    if (exists(s, id, "result")) {
      struct lab_result r = {0};
      struct error bad = {0};
      char *path = path_of(s, id, "result");
      size_t n = 0;
      char *text = file_read(path, RESULT_MAX, &n, &bad);
      if (text && lab_result_read(path, text, n, &r, &bad) && strcmp(r.id, id) == 0)
        ok = lab_queue_end(s->q, i, &r, err);
      else
        unlink(path); /* not a result: as if it had not come */
      lab_result_free(&r);
      error_clear(&bad);
      free(text), free(path);
    } else if (exists(s, id, "exit")) {
      ok = collect_exit(s, i, err);
    }
    if (!ok)
      return false;
    if (s->q->job[i].ended) {
      forget(s, id);
      *some = true;
    }
  }
  return true;
}

static void mark(struct slurm *s, const char *job, uint64_t line, const char *state) {
  for (size_t i = 0; i < s->narrays; i++) {
    const struct array *a = &s->array[i];
    if (strcmp(a->job, job) != 0 || line < 1 || line > a->n || a->task[line - 1] == SIZE_MAX)
      continue;
    size_t k = a->task[line - 1];
    s->task[k].seen = true;
    struct lab_job *j = &s->q->job[k];
    if (strcmp(state, "RUNNING") == 0 && !(j->started > 0))
      j->started = stats_wall_clock();
    j->spent = j->started > 0 ? stats_wall_clock() - j->started : 0;
  }
}

/* Asks Slurm which tasks are under way; false: it does not answer, which is no news. */
static bool ask(struct slurm *s) {
  struct error ignored = {0};
  char *answer = shell("squeue --noheader --array --me --name=sluice --format='%F %K %T' 2>&1", &ignored),
       *rest = answer;
  for (size_t i = 0; i < s->q->n; i++)
    s->task[i].seen = false;
  for (char *line; answer && (line = strsep(&rest, "\n"));) {
    char job[32], state[32];
    unsigned long long number;
    if (sscanf(line, "%31s %llu %31s", job, &number, state) == 3)
      mark(s, job, number, state);
  }
  bool ok = answer;
  free(answer);
  error_clear(&ignored);
  return ok;
}

/* Tasks nobody knows of, though they left nothing: again, or given up. */
static bool find_lost(struct slurm *s, struct error *err) {
  for (size_t i = 0; i < s->q->n; i++) {
    struct task *t = &s->task[i];
    if (s->q->job[i].ended || t->array == SIZE_MAX)
      continue;
    t->gone = t->seen ? 0 : t->gone + 1;
    if (t->gone < GONE_POLLS) /* its result may still be on the way from another machine */
      continue;
    t->array = SIZE_MAX;
    s->q->job[i].started = 0;
    if (t->attempts < ATTEMPTS)
      continue;
    struct strbuf why = {0};
    strbuf_addf(&why, "lost %u times: Slurm ended its job and it left no result", t->attempts);
    bool ok = lab_queue_lost(s->q, i, (struct lab_outcome){.reason = why.s}, err);
    strbuf_free(&why);
    if (!ok)
      return false;
  }
  return true;
}

static bool poll_all(struct slurm *s, struct error *err) {
  double pause = 0.5;
  while (s->q->ended < s->q->n) {
    bool some = false;
    if (!submit_all(s, err))
      return false;
    nanosleep(&(struct timespec){(time_t)pause, (long)((pause - (double)(time_t)pause) * 1e9)}, NULL);
    bool known = ask(s); /* before results are looked for: one that ends between the two is found */
    if (!collect(s, &some, err) || (known && !find_lost(s, err)))
      return false;
    pause = some ? 0.5 : pause * 1.5 > SLOWEST_S ? SLOWEST_S : pause * 1.5;
    lab_queue_show(s->q);
  }
  return true;
}

/* Everything is in the database: the folder goes. */
static void remove_folder(const struct slurm *s) {
  DIR *d = opendir(s->folder);
  for (struct dirent *e; d && (e = readdir(d));)
    unlinkat(dirfd(d), e->d_name, 0);
  if (d)
    closedir(d);
  rmdir(s->folder);
}

static char *absolute(const char *path) {
  char *cwd = *path == '/' ? NULL : getcwd(NULL, 0);
  struct strbuf p = {0};
  strbuf_addf(&p, "%s%s%s", cwd ? cwd : "", cwd ? "/" : "", path);
  free(cwd);
  return strbuf_take(&p);
}

bool lab_slurm(struct lab_queue *q, struct error *err) {
  struct strbuf folder = {0};
  strbuf_addf(&folder, "%s.jobs", q->db);
  struct slurm s = {.q = q, .folder = absolute(folder.s), .next = 1};
  s.program = q->o->program ? absolute(q->o->program) : realpath("/proc/self/exe", NULL);
  s.task = xcalloc(q->n + 1, sizeof *s.task);
  for (size_t i = 0; i < q->n; i++)
    s.task[i].array = SIZE_MAX;
  bool ok = open_folder(&s, err) && poll_all(&s, err);
  if (ok)
    remove_folder(&s);
  for (size_t i = 0; i < s.narrays; i++)
    free(s.array[i].task);
  free(s.array), free(s.task), free(s.folder), free(s.program);
  strbuf_free(&folder);
  return ok;
}
