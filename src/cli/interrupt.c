/* SIGINT and SIGTERM are taken by a thread of their own, which may lock and flush where a signal handler
 * may not. */
#include "base/file.h"
#include "base/stop.h"
#include "cli/cli.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Commands that report what was counted until a signal came say so. */
static atomic_bool soft;
static atomic_int forward_to; /* a process */

enum { PATIENCE = 30 }; /* seconds until the run is ended all the same */

static _Noreturn void end(int sig) {
  file_remove_temporaries();
  /* The main thread may hold stdout in a write that never ends (a stopped pager): do not wait for it. */
  for (int i = 0; i < 20; i++) {
    if (ftrylockfile(stdout) == 0) {
      fflush(stdout);
      break;
    }
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
  }
  static const char text[] = "\nsluice: interrupted\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
    _exit(128 + sig);
  _exit(128 + sig);
}

static void *wait_for_signal(void *unused) {
  (void)unused;
  sigset_t set;
  int sig;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (sigwait(&set, &sig) != 0)
    return NULL;
  if (atomic_load(&soft)) {
    stop_ask(sig);
    if (atomic_load(&forward_to) > 0)
      kill(atomic_load(&forward_to), sig);
    /* timeout(1) sends the same signal twice: what comes at once is one */
    nanosleep(&(struct timespec){.tv_nsec = 500 * 1000 * 1000}, NULL);
    while (sigtimedwait(&set, NULL, &(struct timespec){0}) > 0)
      continue;
    sigtimedwait(&set, NULL, &(struct timespec){.tv_sec = PATIENCE}); /* a second one, or time is up */
  }
  end(sig);
}

void cli_soft_interrupts(void) {
  atomic_store(&soft, true);
}

void cli_forward_interrupts(int pid) {
  atomic_store(&forward_to, pid);
  atomic_store(&soft, true);
}

void cli_catch_interrupts(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL); /* threads started from here on inherit it */
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_signal, NULL) != 0) {
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* the default action still ends the run */
    return;
  }
  pthread_detach(thread);
}
