#include "host/dying.h"
#include "base/mem.h"
#include "base/stop.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

static const int taken[] = {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
enum { NTAKEN = sizeof taken / sizeof *taken, CRASH_PATIENCE_MS = 5000 };

struct dying {
  void (*tell)(void *ctx, int sig);
  void *ctx;
  pthread_mutex_t lock; /* running, told */
  bool running, told;
};

/* Signal handlers have no argument of their own: the process has one device. */
static struct {
  volatile pid_t owner; /* a child of fork() has no thread that tells */
  int pipe[2];
} the_signals;

static void die(int sig) {
  signal(sig, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, sig);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  raise(sig);
  _exit(128 + sig);
}

static bool crash(int sig) {
  return sig != SIGINT && sig != SIGTERM && sig != SIGHUP;
}

static void handle(int sig) {
  unsigned char byte = (unsigned char)sig;
  if (getpid() != the_signals.owner)
    die(sig);
  if (!crash(sig))
    stop_ask(sig);
  if (write(the_signals.pipe[1], &byte, 1) != 1)
    die(sig);
  if (!crash(sig))
    return;
  /* what the thread needs may be locked by whoever crashed: not for ever */
  for (int i = 0; i < CRASH_PATIENCE_MS / 10; i++)
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
  die(sig);
}

/* With the lock held. */
static void tell_once(struct dying *d, int sig) {
  if (!d->told)
    d->tell(d->ctx, sig);
  d->told = true;
}

static void *wait_for_signals(void *self) {
  struct dying *d = self;
  unsigned char byte;
  while (read(the_signals.pipe[0], &byte, 1) == 1) {
    int sig = byte;
    pthread_mutex_lock(&d->lock);
    bool mine = !d->running || crash(sig); /* a launch in which a crash came does not end */
    if (mine) {
      tell_once(d, sig);
      die(sig);
    }
    pthread_mutex_unlock(&d->lock);
  }
  return NULL;
}

struct dying *dying_watch(void (*tell)(void *ctx, int sig), void *ctx) {
  struct dying *d = xcalloc(1, sizeof *d);
  *d = (struct dying){.tell = tell, .ctx = ctx};
  pthread_mutex_init(&d->lock, NULL);
  pthread_t thread;
  sigset_t all, before;
  if (pipe2(the_signals.pipe, O_CLOEXEC) != 0)
    return d;
  sigfillset(&all); /* the program's signals go to the program's threads */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&thread, NULL, wait_for_signals, d) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!started)
    return d;
  pthread_detach(thread);
  the_signals.owner = getpid();
  for (int i = 0; i < NTAKEN; i++) {
    struct sigaction was, now = {.sa_handler = handle, .sa_flags = SA_RESTART | SA_NODEFER};
    if (sigaction(taken[i], NULL, &was) == 0 && was.sa_handler == SIG_DFL)
      sigaction(taken[i], &now, NULL);
  }
  return d;
}

void dying_begin(struct dying *d) {
  pthread_mutex_lock(&d->lock);
  d->running = true;
  pthread_mutex_unlock(&d->lock);
}

void dying_end(struct dying *d) {
  pthread_mutex_lock(&d->lock);
  d->running = false;
  int sig = stop_asked();
  if (sig) {
    tell_once(d, sig);
    die(sig);
  }
  pthread_mutex_unlock(&d->lock);
}
