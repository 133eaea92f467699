/* No memory: whichever allocation fails, the call says so and the process goes on; another handle works. Linked so that the library
 * allocates here (--wrap). */
#include <sluice.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t left = SIZE_MAX; /* allocations until all fail */
static bool refused;           /* has one failed? */
static bool fails(void) {
  size_t n = __atomic_load_n(&left, __ATOMIC_RELAXED);
  if (n == SIZE_MAX)
    return false;
  if (n)
    __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED);
  else
    __atomic_store_n(&refused, true, __ATOMIC_RELAXED);
  return n == 0;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t align, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n);
void *__wrap_malloc(size_t n) {
  return fails() ? NULL : __real_malloc(n);
}
void *__wrap_calloc(size_t n, size_t size) {
  return fails() ? NULL : __real_calloc(n, size);
}
void *__wrap_realloc(void *p, size_t n) {
  return fails() ? NULL : __real_realloc(p, n);
}
void *__wrap_aligned_alloc(size_t align, size_t n) {
  return fails() ? NULL : __real_aligned_alloc(align, n);
}

static enum sluice_status attempt(double *cycles, unsigned threads) {
  struct sluice *s = sluice_create();
  if (!s)
    return SLUICE_E_MEMORY;
  struct sluice_options o = {.size = sizeof o, .threads = threads};
  enum sluice_status status;
  if ((status = sluice_gpu(s, "fermi15")) || (status = sluice_with(s, "cart")) ||
      (status = sluice_options(s, &o)) || (status = sluice_run(s, "bfs", NULL)))
    fprintf(stderr, "%s\n", sluice_error(s));
  else if (!sluice_stat(s, "cycles", cycles))
    status = sluice_error_code(s);
  sluice_destroy(s);
  return status;
}

int main(void) {
  double want, got;
  unsigned failed = 0;
  if (attempt(&want, 1))
    return 1;
  for (unsigned threads = 1; threads <= 2; threads++)
    for (size_t n = 0;; n += n / 3 + 1) {
      left = n, refused = false;
      enum sluice_status status = attempt(&got, threads);
      bool all = !refused;
      left = SIZE_MAX;
      if (status != (all ? SLUICE_OK : SLUICE_E_MEMORY)) {
        fprintf(stderr, "allocation %zu, %u threads: %s\n", n, threads, sluice_status_name(status));
        return 1;
      }
      if (all)
        break;
      failed++;
    }
  if (attempt(&got, 2) || got != want)
    return 1;
  printf("%u failures, then %.0f cycles\n", failed, got);
  return failed > 30 ? 0 : 1;
}
