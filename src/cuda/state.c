/* The one device of the process, its lock, and what the program did last. */
#include "cuda/cuda.h"
#include <errno.h>
#include <stdio.h>

/* The interface has no handle for its own state: the only state not reached from elsewhere. */
static struct {
  pthread_mutex_t lock;
  struct sim *sim;
  bool refused; /* the configuration */
  int sticky;
  struct cuda_lists lists;
} the_cuda = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int last_error;

void cuda_enter_raw(void) {
  pthread_mutex_lock(&the_cuda.lock);
}

static bool open_device(void) {
  if (the_cuda.sim || the_cuda.refused)
    return the_cuda.sim != NULL;
  struct error err = {0};
  the_cuda.sim = sim_open(&err);
  if (!the_cuda.sim) {
    fflush(stdout);
    fprintf(stderr, "sluice: %s\n", err.text);
    the_cuda.refused = true;
  }
  error_clear(&err);
  return the_cuda.sim != NULL;
}

int cuda_enter(void) {
  cuda_enter_raw();
  if (!open_device())
    return CU_NO_DEVICE;
  return the_cuda.sticky;
}

void cuda_leave(void) {
  pthread_mutex_unlock(&the_cuda.lock);
}

int cuda_last(int error) {
  if (error && error != CU_NOT_READY)
    last_error = error;
  return error;
}

int cuda_sticky(void) {
  return the_cuda.sticky;
}
void cuda_set_sticky(int error) {
  the_cuda.sticky = error;
}
struct sim *cuda_sim(void) {
  return the_cuda.sim;
}
bool cuda_is_open(void) {
  return the_cuda.sim != NULL;
}
struct cuda_lists *cuda_lists(void) {
  return &the_cuda.lists;
}

int cuda_missing(const char *function) {
  sim_missing(the_cuda.sim, function);
  return CU_NOT_SUPPORTED;
}

/* What the program left allocated, if a report is wanted: one line, as compute-sanitizer's leak check sums it up. */
static void tell_leaks(void) {
  const char *report = getenv("SLUICE_REPORT");
  size_t bytes = 0, n = 0;
  for (size_t i = 0; i < the_cuda.lists.nallocations; i++) {
    const struct allocation *a = the_cuda.lists.allocations[i];
    if (a->graph && a->idle)
      continue;
    bytes += a->size;
    n++;
  }
  if (n && report && strcmp(report, "1") == 0) {
    fflush(stdout);
    fprintf(stderr, "sluice: %zu bytes in %zu allocation%s were never freed\n", bytes, n, n == 1 ? "" : "s");
  }
}

/* What ran is told when the program ends, however it left its objects behind. */
__attribute__((destructor)) static void at_exit(void) {
  if (pthread_mutex_trylock(&the_cuda.lock) != 0)
    return; /* a thread is still at work: its numbers are not whole */
  if (the_cuda.sim) {
    tell_leaks();
    sim_tell(the_cuda.sim);
  }
  pthread_mutex_unlock(&the_cuda.lock);
}

/* An error of a kernel is not here before a call that waits for the kernel has returned it. */
API int cudaGetLastError(void) {
  int e = last_error;
  last_error = CU_SUCCESS;
  return e;
}

API int cudaPeekAtLastError(void) {
  return last_error;
}
