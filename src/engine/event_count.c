#include "engine/event_count.h"
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

void event_count_signal(struct event_count *w, uint32_t count) {
#ifdef __linux__
  __atomic_store_n(&w->said, count, __ATOMIC_SEQ_CST); /* before `sleepers` is read */
  if (__atomic_load_n(&w->sleepers, __ATOMIC_SEQ_CST))
    syscall(SYS_futex, &w->said, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
  __atomic_store_n(&w->said, count, __ATOMIC_RELEASE);
#endif
}

/* Sleeps until the count is no longer `before`. Where threads share cores, the awaited thread then runs at once, which yielding does not
 * promise. */
static void sleep_until(struct event_count *w, uint32_t before) {
#ifdef __linux__
  __atomic_add_fetch(&w->sleepers, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&w->said, __ATOMIC_SEQ_CST) == before)
    syscall(SYS_futex, &w->said, FUTEX_WAIT_PRIVATE, before, NULL, NULL, 0);
  __atomic_sub_fetch(&w->sleepers, 1, __ATOMIC_SEQ_CST);
#else
  while (__atomic_load_n(&w->said, __ATOMIC_ACQUIRE) == before)
    sched_yield();
#endif
}

uint64_t event_count_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A thread that has waited for longer yields to threads that have something to do: those that execute the kernel, other processes. */
static const uint64_t yield_ns = 20000;

void event_count_await(struct event_count *w, uint32_t count, uint64_t ns) {
  enum { LOOKS = 16 }; /* at the count, for each look at the clock */
  uint64_t start = 0;
  for (unsigned i = 0; __atomic_load_n(&w->said, __ATOMIC_ACQUIRE) == count - 1; i++) {
    relax();
    if ((i + 1) % LOOKS)
      continue;
    uint64_t now = event_count_clock();
    start = start ? start : now;
    if (now - start >= ns) {
      sleep_until(w, count - 1);
      return;
    }
    if (now - start >= yield_ns)
      sched_yield();
  }
}
