/* Runs what was recorded on the timing model: a process for each launch file or workload, several at once. */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "validate/validate.h"
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS = 96 };

struct job {
  enum validate_kind kind;
  bool warm; /* of workloads: cold launches are a run of their own */
  const char *name;
  pid_t pid;
  int out, errors; /* files in memory */
};

struct jobs {
  struct job *at;
  size_t n, cap;
};

static bool wanted(const struct validate_row *r, const struct validate_options *o) {
  if (o->only && fnmatch(o->only, r->name, 0) != 0)
    return false;
  if (r->kind == VALIDATE_MICRO)
    return o->micro;
  return (r->kind == VALIDATE_KERNEL ? o->kernels : o->workloads) &&
         (r->calibration ? o->calibration : o->validation);
}

/* Kernels are launched twice in one run: the first time the caches are cold, the second time warm. */
static bool same_job(const struct validate_row *r, const struct job *j) {
  return r->kind == j->kind && strcmp(r->name, j->name) == 0 &&
         (r->kind != VALIDATE_WORKLOAD || r->warm == j->warm);
}

static bool row_compared(const struct validate_row *r) {
  return r->kind != VALIDATE_KERNEL || r->launch == (r->warm ? 1 : 0);
}

static void list(struct jobs *jobs, const struct validate_set *s, const struct validate_options *o) {
  for (size_t i = 0; i < s->n; i++) {
    const struct validate_row *r = &s->row[i];
    bool there = !wanted(r, o);
    for (size_t k = jobs->n; k-- && !there;)
      there = same_job(r, &jobs->at[k]);
    if (!there)
      VEC_PUSH(jobs->at, jobs->n, jobs->cap) =
          (struct job){.kind = r->kind, .warm = r->warm, .name = r->name};
  }
}

static _Noreturn void become(const struct job *j, char *const *argv, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || dup2(j->out, 1) < 0 || dup2(j->errors, 2) < 0)
    _exit(127);
  execv("/proc/self/exe", argv);
  _exit(127);
}

static bool start(struct job *j, const struct validate_set *s, const struct validate_options *o,
                  struct error *err) {
  char target[4096], size[16] = "medium";
  char *const folder = j->kind == VALIDATE_MICRO ? "micro" : s->kernels, *at = strchr(j->name, '@');
  if (j->kind == VALIDATE_WORKLOAD) {
    snprintf(target, sizeof target, "%.*s", (int)(at ? (size_t)(at - j->name) : strlen(j->name)), j->name);
    if (at)
      snprintf(size, sizeof size, "%s", at + 1);
  } else {
    snprintf(target, sizeof target, "%s/%s/%s.yaml", s->dir, folder, j->name);
  }
  char *argv[ARGUMENTS] = {"sluice",  "run",   target, "--gpu",     (char *)o->gpu,
                           "--quiet", "--csv", "-",    "--threads", "1"};
  size_t n = 10;
  if (j->kind != VALIDATE_MICRO || !j->warm)
    argv[n++] = "--set", argv[n++] = "l2.warm=false";
  if (j->kind == VALIDATE_MICRO && !j->warm)
    argv[n++] = "--set", argv[n++] = "l2.cold_launches=true";
  if (j->kind == VALIDATE_WORKLOAD) {
    argv[n++] = "--size", argv[n++] = size, argv[n++] = "--no-verify";
    argv[n++] = "--set", argv[n++] = j->warm ? "l2.cold_launches=false" : "l2.cold_launches=true";
  }
  for (size_t i = 0; o->arguments && o->arguments[i]; i++) {
    if (n + 1 >= ARGUMENTS)
      return error_add(err, EXIT_USAGE, "sluice validate: too many settings (at most %d words)",
                       ARGUMENTS - 20);
    argv[n++] = (char *)o->arguments[i];
  }
  j->out = memfd_create("sluice-validate", MFD_CLOEXEC);
  j->errors = memfd_create("sluice-validate", MFD_CLOEXEC);
  pid_t parent = getpid();
  if (j->out >= 0 && j->errors >= 0 && (j->pid = fork()) == 0)
    become(j, argv, parent);
  if (j->out < 0 || j->errors < 0 || j->pid < 0)
    return error_add(err, EXIT_RUNTIME, "cannot start a run: %s", strerror(errno));
  return true;
}

static char *contents(int fd) {
  off_t n = lseek(fd, 0, SEEK_END);
  char *text = xcalloc((size_t)(n > 0 ? n : 0) + 1, 1);
  ssize_t got = pread(fd, text, (size_t)(n > 0 ? n : 0), 0);
  text[got > 0 ? got : 0] = '\0';
  return text;
}

static const struct {
  const char *name;
  enum validate_value value;
} statistics[] = {{"gpu.cycles", V_CYCLES},
                  {"warp_instructions", V_INSTRUCTIONS},
                  {"sm.issued", V_ISSUED},
                  {"sm.more_slots", V_MORE},
                  {"thread_instructions", V_THREADS},
                  {"l2.accesses", V_L2_SECTORS},
                  {"l2.hits", V_L2_HITS},
                  {"dram.reads", V_DRAM_READ},
                  {"dram.writes", V_DRAM_WRITE},
                  {"dram.bytes", V_DRAM_BYTES},
                  {"registers", V_REGISTERS},
                  {"ctas", V_CTAS}};

/* launch,kernel,statistic,value,unit */
static void take(struct validate_set *s, const struct job *j, char *text) {
  for (char *line = text, *end; *line; line = end) {
    end = strchr(line, '\n');
    end = end ? (*end = '\0', end + 1) : line + strlen(line);
    char *field[5] = {line};
    for (int i = 1; i < 5 && field[i - 1]; i++)
      if ((field[i] = strchr(field[i - 1], ',')))
        *field[i]++ = '\0';
    char *stop;
    unsigned long launch = strtoul(line, &stop, 10);
    if (stop == line || *stop || !field[3])
      continue;
    for (size_t k = 0; k < sizeof statistics / sizeof *statistics; k++) {
      double v;
      if (strcmp(field[2], statistics[k].name) != 0 || num_f64(field[3], &v) != NUM_OK)
        continue;
      for (size_t i = 0; i < s->n; i++) {
        struct validate_row *r = &s->row[i];
        if (r->launch == launch && row_compared(r) && same_job(r, j))
          r->ours[statistics[k].value] = v;
      }
    }
  }
}

/* The DRAM counts its commands, all of one size. */
static void to_bytes(struct validate_row *r) {
  double commands = r->ours[V_DRAM_READ] + r->ours[V_DRAM_WRITE], each = r->ours[V_DRAM_BYTES] / commands;
  if (commands > 0)
    r->ours[V_DRAM_READ] *= each, r->ours[V_DRAM_WRITE] *= each;
}

/* A launch of another size than the one that was recorded, since its workload has changed, is not compared. */
static bool same_launch(struct validate_row *r) {
  if (isnan(r->ours[V_CTAS]) || r->ours[V_CTAS] == r->card[V_CTAS])
    return true;
  for (int i = 0; i < V_NUMBER; i++)
    r->ours[i] = NAN;
  return false;
}

static void finish(struct validate_set *s, struct job *j, int status, struct strbuf *failed) {
  char *text = contents(j->out);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    size_t others = 0;
    take(s, j, text);
    for (size_t i = 0; i < s->n; i++)
      if (row_compared(&s->row[i]) && same_job(&s->row[i], j)) {
        to_bytes(&s->row[i]);
        others += !same_launch(&s->row[i]);
      }
    if (others)
      strbuf_addf(failed, "%s: %zu launches have other grids than those recorded: record it again\n", j->name,
                  others);
  } else {
    char *said = contents(j->errors);
    said[strcspn(said, "\n")] = '\0';
    if (WIFEXITED(status))
      strbuf_addf(failed, "%s: exit %d: %s\n", j->name, WEXITSTATUS(status), said);
    else
      strbuf_addf(failed, "%s: killed by signal %d\n", j->name, WTERMSIG(status));
    free(said);
  }
  free(text);
  close(j->out), close(j->errors);
  j->pid = 0;
}

bool validate_run(struct validate_set *s, const struct validate_options *o, struct strbuf *failed,
                  struct error *err) {
  struct jobs jobs = {0};
  list(&jobs, s, o);
  struct progress p;
  progress_start(&p, o->progress, "runs");
  size_t started = 0, ended = 0, running = 0;
  bool ok = true;
  while (ended < jobs.n && (ok || running)) {
    for (; ok && started < jobs.n && running < o->jobs; started++, running++)
      if (!(ok = start(&jobs.at[started], s, o, err)))
        break;
    int status;
    pid_t pid = running ? waitpid(-1, &status, 0) : -1;
    if (pid < 0 && errno == EINTR)
      continue;
    for (size_t i = 0; i < started && pid > 0; i++)
      if (jobs.at[i].pid == pid) {
        finish(s, &jobs.at[i], status, failed);
        ended++, running--;
        break;
      }
    progress_update(&p, ended, jobs.n, ended);
  }
  progress_end(&p);
  free(jobs.at);
  return ok;
}
