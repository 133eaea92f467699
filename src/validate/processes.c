#include "validate/processes.h"
#include "base/mem.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS = 96 };

struct process {
  pid_t pid;
  int out, errors; /* files in memory */
};

static _Noreturn void become(const struct process *p, char *const *argv, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || dup2(p->out, 1) < 0 || dup2(p->errors, 2) < 0)
    _exit(127);
  execv("/proc/self/exe", argv);
  _exit(127);
}

static bool start(struct process *p, const char *target, const char *const *arguments, struct error *err) {
  char *argv[ARGUMENTS] = {"sluice", "run", (char *)target};
  for (size_t n = 3; *arguments; arguments++) {
    if (n + 1 >= ARGUMENTS)
      return error_add(err, EXIT_USAGE, "sluice validate: too many settings (at most %d words)",
                       ARGUMENTS - 20);
    argv[n++] = (char *)*arguments;
  }
  p->out = memfd_create("sluice-validate", MFD_CLOEXEC);
  p->errors = memfd_create("sluice-validate", MFD_CLOEXEC);
  pid_t parent = getpid();
  if (p->out >= 0 && p->errors >= 0 && (p->pid = fork()) == 0)
    become(p, argv, parent);
  return (p->out >= 0 && p->errors >= 0 && p->pid > 0) ||
         error_add(err, EXIT_RUNTIME, "cannot start a run: %s", strerror(errno));
}

static char *contents(int fd) {
  off_t n = lseek(fd, 0, SEEK_END);
  char *text = xcalloc((size_t)(n > 0 ? n : 0) + 1, 1);
  ssize_t got = pread(fd, text, (size_t)(n > 0 ? n : 0), 0);
  text[got > 0 ? got : 0] = '\0';
  return text;
}

static void finish(const struct processes *all, size_t i, struct process *p, int status) {
  char *text = contents(p->out), *said = contents(p->errors);
  said[strcspn(said, "\n")] = '\0';
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    all->done(all->ctx, i, text);
  else if (WIFEXITED(status))
    strbuf_addf(all->failed, "%s: exit %d: %s\n", all->targets[i], WEXITSTATUS(status), said);
  else
    strbuf_addf(all->failed, "%s: killed by signal %d\n", all->targets[i], WTERMSIG(status));
  free(text), free(said);
  close(p->out), close(p->errors);
  p->pid = 0;
}

bool processes_run(const struct processes *all, struct error *err) {
  struct process *p = xcalloc(all->n + 1, sizeof *p);
  struct progress progress;
  size_t started = 0, ended = 0, running = 0;
  bool ok = true;
  progress_start(&progress, all->progress, "runs");
  while (ended < all->n && (ok || running)) {
    for (; ok && started < all->n && running < all->jobs; started++, running++)
      if (!(ok = start(&p[started], all->targets[started], all->arguments, err)))
        break;
    int status;
    pid_t pid = running ? waitpid(-1, &status, 0) : -1;
    if (pid < 0 && errno == EINTR)
      continue;
    for (size_t i = 0; i < started && pid > 0; i++)
      if (p[i].pid == pid) {
        finish(all, i, &p[i], status);
        ended++, running--;
        break;
      }
    progress_update(&progress, ended, all->n, ended);
  }
  progress_end(&progress);
  free(p);
  return ok;
}
