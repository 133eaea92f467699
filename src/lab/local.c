/* Points as processes of this machine: one for each, as many at once as there are processors and memory. Spec, result
 * and messages go through files that exist in memory only, so a killed sweep leaves nothing behind; its
 * processes die with it. */
#include "base/cores.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/num.h"
#include "lab/queue.h"
#include "lab/streams.h"
#include "sluice.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RESULT_MAX = 4 << 20, REASON_MAX = 2000, NAP_NS = 5 * 1000 * 1000, INTERRUPTED = 128 };

struct child {
  pid_t pid; /* 0: this place is free */
  size_t job;
  int fd[3];    /* spec, result, messages */
  bool records; /* its stream was not there when it started */
};

struct pool {
  struct lab_queue *q;
  struct child *child;
  size_t n, running;
  uint64_t kib, kib_used; /* that there is, and that those that run will have */
  size_t interrupted;
};

/* A line of /proc/meminfo or a cgroup's file: the first number in it; UINT64_MAX: none. */
static uint64_t number_in(const char *path, const char *key) {
  FILE *f = fopen(path, "r");
  char line[160];
  unsigned long long v = UINT64_MAX;
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%llu", &v) == 1)
      break;
  if (f)
    fclose(f);
  return v;
}

static uint64_t available_kib(void) {
  uint64_t free_kib = number_in("/proc/meminfo", "MemAvailable:");
  uint64_t limit = number_in("/sys/fs/cgroup/memory.max", ""),
           used = number_in("/sys/fs/cgroup/memory.current", "");
  if (limit != UINT64_MAX && used != UINT64_MAX && limit > used && (limit - used) / 1024 < free_kib)
    free_kib = (limit - used) / 1024;
  return free_kib == UINT64_MAX ? UINT64_MAX : free_kib / 10 * 9;
}

static bool out_of_files(struct error *err) {
  return error_add(err, EXIT_RUNTIME, "cannot start a point: %s", strerror(errno));
}

static void close_files(struct child *c) {
  for (int i = 0; i < 3; i++)
    if (c->fd[i] >= 0)
      close(c->fd[i]);
}

/* In the new process, where nothing but system calls is safe. Its own group: what a terminal sends to stop the
 * sweep must not look like a point that failed. */
static _Noreturn void become(const struct child *c, const char *program, pid_t parent) {
  char *const argv[] = {"sluice", "point", "/dev/stdin", NULL};
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  for (int i = 0; i < 3; i++)
    if (dup2(c->fd[i], i) < 0)
      _exit(127);
  execv(program, argv);
  _exit(127);
}

static bool start(struct pool *p, struct child *c, size_t job, struct error *err) {
  struct lab_job *j = &p->q->job[job];
  const struct lab_options *o = p->q->o;
  struct strbuf spec = {0};
  *c = (struct child){.job = job, .fd = {-1, -1, -1}};
  lab_spec_write(j->point, &o->streams, lab_threads(p->n, p->q->n - p->q->ended), &spec);
  bool ok = true;
  for (int i = 0; ok && i < 3; i++)
    ok = (c->fd[i] = memfd_create("sluice-point", MFD_CLOEXEC)) >= 0;
  ok = ok && write(c->fd[0], spec.s, spec.n) == (ssize_t)spec.n;
  strbuf_free(&spec);
  pid_t parent = getpid();
  if (ok && (c->pid = fork()) == 0)
    become(c, o->program ? o->program : "/proc/self/exe", parent);
  if (!ok || c->pid < 0) {
    out_of_files(err);
    close_files(c);
    c->pid = 0;
    return false;
  }
  c->records =
      o->streams.folder && *j->point->stream_id && !lab_streams_has(&o->streams, j->point->stream_id);
  j->started = stats_wall_clock();
  p->running++;
  p->kib_used += j->cost.kib;
  return true;
}

/* Another point records the stream it needs: it would wait. */
static bool would_wait(const struct pool *p, const struct lab_job *j) {
  for (size_t i = 0; i < p->n; i++) {
    const struct child *c = &p->child[i];
    if (c->pid && c->records && strcmp(p->q->job[c->job].point->stream_id, j->point->stream_id) == 0)
      return !lab_streams_has(&p->q->o->streams, j->point->stream_id);
  }
  return false;
}

/* The longest that fits beside those that run; SIZE_MAX: none for now. */
static size_t next_job(const struct pool *p) {
  for (size_t i = 0; i < p->q->n; i++) {
    const struct lab_job *j = &p->q->job[i];
    if (j->ended || j->started > 0 || (p->running && p->kib_used + j->cost.kib > p->kib) || would_wait(p, j))
      continue;
    return i;
  }
  return SIZE_MAX;
}

/* What was written to a file in memory, `max` bytes of its end; free it. */
static char *content(int fd, size_t max, size_t *n) {
  off_t size = lseek(fd, 0, SEEK_END);
  off_t from = size > (off_t)max ? size - (off_t)max : 0;
  char *text = xmalloc((size_t)(size - from) + 1);
  ssize_t got = pread(fd, text, (size_t)(size - from), from);
  *n = got > 0 ? (size_t)got : 0;
  text[*n] = '\0';
  return text;
}

static void why_lost(struct strbuf *to, int status, int messages) {
  size_t n;
  char *said = content(messages, REASON_MAX, &n);
  if (WIFSIGNALED(status))
    strbuf_addf(to, "killed by signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                WTERMSIG(status) == SIGKILL ? ": out of memory?" : "");
  else
    strbuf_addf(to, "ended with code %d and no result", WEXITSTATUS(status));
  while (n && said[n - 1] == '\n')
    said[--n] = '\0';
  if (n)
    strbuf_addf(to, ": %s", said);
  free(said);
}

static bool lost(struct pool *p, struct child *c, int status, const struct rusage *u, struct error *err) {
  struct strbuf why = {0};
  why_lost(&why, status, c->fd[2]);
  struct lab_outcome o = {.reason = why.s,
                          .wall_s = stats_wall_clock() - p->q->job[c->job].started,
                          .cpu_s = (double)u->ru_utime.tv_sec + (double)u->ru_utime.tv_usec * 1e-6,
                          .peak_kib = (uint64_t)u->ru_maxrss};
  bool ok = lab_queue_lost(p->q, c->job, o, err);
  strbuf_free(&why);
  return ok;
}

/* A process ended: its result goes into the database. */
static bool ended(struct pool *p, struct child *c, int status, const struct rusage *u, struct error *err) {
  struct lab_job *j = &p->q->job[c->job];
  bool ok = true;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == INTERRUPTED + SIGINT || code == INTERRUPTED + SIGTERM) {
    j->ended = true; /* in this run; the database has it as planned */
    p->q->ended++;
    p->interrupted++;
  } else {
    struct lab_result r = {0};
    struct error bad = {0};
    size_t n;
    char *text = content(c->fd[1], RESULT_MAX, &n);
    bool whole = code == 0 && lab_result_read("result", text, n, &r, &bad) && strcmp(r.id, j->point->id) == 0;
    ok = whole ? lab_queue_end(p->q, c->job, &r, err) : lost(p, c, status, u, err);
    lab_result_free(&r);
    error_clear(&bad);
    free(text);
  }
  close_files(c);
  c->pid = 0;
  p->running--;
  p->kib_used -= j->cost.kib;
  return ok;
}

static bool reap(struct pool *p, struct error *err) {
  for (size_t i = 0; i < p->n; i++) {
    int status;
    struct rusage u;
    if (p->child[i].pid && wait4(p->child[i].pid, &status, WNOHANG, &u) == p->child[i].pid &&
        !ended(p, &p->child[i], status, &u, err))
      return false;
  }
  return true;
}

static void note_time(struct pool *p) {
  for (size_t i = 0; i < p->n; i++) {
    clockid_t clock;
    double spent =
        p->child[i].pid && clock_getcpuclockid(p->child[i].pid, &clock) == 0 ? clock_seconds(clock) : 0;
    if (spent > 0) /* else the child is gone */
      p->q->job[p->child[i].job].spent = spent;
  }
}

static bool start_some(struct pool *p, struct error *err) {
  for (size_t i = 0; i < p->n; i++) {
    size_t job = p->child[i].pid ? SIZE_MAX : next_job(p);
    struct error why = {0};
    if (job == SIZE_MAX || start(p, &p->child[i], job, &why))
      continue;
    bool ok = p->running || error_add(err, why.code, "%s", why.text); /* with fewer at once it may go on */
    error_clear(&why);
    return ok;
  }
  return true;
}

static void kill_all(struct pool *p) {
  for (size_t i = 0; i < p->n; i++)
    if (p->child[i].pid) {
      kill(p->child[i].pid, SIGKILL);
      waitpid(p->child[i].pid, NULL, 0);
      close_files(&p->child[i]);
    }
}

unsigned lab_threads(size_t processors, size_t points) {
  size_t n = points ? processors / points : processors;
  return n < 1 ? 1 : n > SLUICE_MAX_THREADS ? SLUICE_MAX_THREADS : (unsigned)n;
}

bool lab_local(struct lab_queue *q, struct error *err) {
  struct pool p = {.q = q, .n = q->o->jobs ? q->o->jobs : cores_allowed()};
  p.kib = q->o->memory_kib ? q->o->memory_kib : available_kib();
  p.child = xcalloc(p.n, sizeof *p.child);
  bool ok = true;
  while (ok && q->ended < q->n) {
    ok = start_some(&p, err);
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    ok = ok && reap(&p, err);
    note_time(&p);
    lab_queue_show(q);
  }
  kill_all(&p);
  free(p.child);
  if (ok && p.interrupted)
    ok = error_add(err, EXIT_RUNTIME, "%zu points were interrupted; the same command runs them again",
                   p.interrupted);
  return ok;
}
