#include "base/mem.h"
#include "base/pool.h"
#include "base/rescue.h"
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void out_of_memory(size_t n) {
  char text[80];
  snprintf(text, sizeof text, "out of memory (%zu bytes asked for)", n);
  rescue_raise(RESCUE_MEMORY, text);
}

/* Memory that was asked for, noted where the thread has a pool. */
static void *got(void *p, size_t n) {
  if (p && pool_note(p))
    return p;
  free(p);
  out_of_memory(n);
}

void *xmalloc(size_t n) {
  return got(malloc(n ? n : 1), n);
}

void *xcalloc(size_t n, size_t size) {
  return got(calloc(n ? n : 1, size ? size : 1), size && n > SIZE_MAX / size ? SIZE_MAX : n * size);
}

void *xaligned(size_t n) {
  enum { LINE = 64 };
  return got(n <= SIZE_MAX - LINE ? aligned_alloc(LINE, (n / LINE + 1) * LINE) : NULL, n);
}

void *xaligned_more(void *p, size_t had, size_t n) {
  void *q = xaligned(n);
  if (had)
    memcpy(q, p, had);
  free(p);
  return q;
}

void *xrealloc(void *p, size_t n) {
  pool_forget(p);
  void *q = realloc(p, n ? n : 1);
  if (!q && p)
    (void)pool_note(p); /* in the place that it had */
  return got(q, n);
}

char *xstrndup(const char *s, size_t n) {
  char *p = xmalloc(n + 1);
  if (n)
    memcpy(p, s, n);
  p[n] = '\0';
  return p;
}

char *xstrdup(const char *s) {
  return xstrndup(s, strlen(s));
}

/* A page fault takes the host about a microsecond, for 4 KiB or for 2 MiB, and a small GPU is built in two thousand of 4 KiB: a tenth of the
 * time of a short run. Only the first megabytes of the heap are in large pages: what is allocated and never touched costs nothing in
 * small pages but is cleared in large ones, and the largest GPUs have much of it. */
static bool whole_program; /* whose memory is its own matter */
enum { MMAP_FROM = 128 << 10 };

void *mem_large_pages(void) {
  whole_program = true;
  void *before = NULL; /* of the first large page */
#if defined MADV_HUGEPAGE && defined M_TOP_PAD
  enum { HEAP = 64 << 20, STEP = MMAP_FROM, BEGIN = 3 * STEP };
  const uintptr_t page = (uintptr_t)2 << 20;
  mallopt(M_MMAP_THRESHOLD, 2 * BEGIN); /* from the heap, and more than is left of it */
  mallopt(M_TOP_PAD, HEAP);
  void *begin = malloc(BEGIN);
  mallopt(M_TOP_PAD, STEP);
  mallopt(M_MMAP_THRESHOLD, STEP);
  mallopt(M_TRIM_THRESHOLD, 2 * HEAP);
  uintptr_t from = ((uintptr_t)begin + page - 1) & ~(page - 1), to = (uintptr_t)sbrk(0);
  bool large = begin && from < to &&
               to - from <= HEAP + BEGIN && /* else malloc() has its memory from elsewhere */
               madvise((void *)from, to - from, MADV_HUGEPAGE) == 0;
  const size_t ahead = from - (uintptr_t)begin;
  free(begin);
  if (large)
    before = malloc(ahead);
#endif
  return before;
}

/* malloc() has a heap for each thread but the first, and makes it a few pages longer whenever it is full: thousands of system calls while 16
 * threads build an h200 and execute the first CTAs, each of which keeps the page faults of all threads waiting. So a thread lets its heap grow
 * once, as it begins, by a block that would be beside the heap at other times; pages that are not used are not mapped. */
void mem_thread_begins(void) {
#ifdef M_MMAP_THRESHOLD
  enum { HEAP = 16 << 20 };
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (!whole_program)
    return;
  pthread_mutex_lock(&lock);
  mallopt(M_MMAP_THRESHOLD, 2 * HEAP);
  free(malloc(HEAP));
  mallopt(M_MMAP_THRESHOLD, MMAP_FROM);
  pthread_mutex_unlock(&lock);
#endif
}

struct arena_block {
  struct arena_block *next;
  size_t unused; /* keeps the payload 16-byte aligned */
};

enum { ARENA_FIRST = 4096, ARENA_LARGEST = 1 << 20 };

static char *arena_block_new(struct arena *a, size_t payload) {
  if (payload > SIZE_MAX - sizeof(struct arena_block))
    out_of_memory(payload);
  struct arena_block *b = xcalloc(1, sizeof *b + payload);
  b->next = a->head;
  a->head = b;
  return (char *)(b + 1);
}

void *arena_alloc(struct arena *a, size_t n) {
  if (n > SIZE_MAX - 15)
    out_of_memory(n);
  n = n ? (n + 15) & ~(size_t)15 : 16;
  if (a->at && (size_t)(a->end - a->at) >= n) {
    void *p = a->at;
    a->at += n;
    return p;
  }
  if (n >= ARENA_LARGEST / 4) /* its own block; the current one stays in use */
    return arena_block_new(a, n);
  /* Blocks double, so that small arenas stay small and large ones call malloc rarely. */
  size_t size = ARENA_FIRST;
  size_t blocks = 0;
  for (const struct arena_block *b = a->head; b && blocks < 8; b = b->next)
    blocks++;
  size <<= blocks;
  while (size < n)
    size <<= 1;
  char *p = arena_block_new(a, size);
  a->at = p + n;
  a->end = p + size;
  return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n) {
  char *p = arena_alloc(a, n + 1);
  if (n)
    memcpy(p, s, n);
  return p;
}

void arena_free(struct arena *a) {
  for (struct arena_block *b = a->head, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  *a = (struct arena){0};
}

void *vec_grow(void *items, size_t n, size_t *cap, size_t size) {
  if (n < *cap)
    return items;
  size_t more = *cap ? *cap * 2 : 8;
  if (more < *cap || (size && more > SIZE_MAX / size))
    out_of_memory(SIZE_MAX);
  *cap = more;
  return xrealloc(items, more * size);
}
