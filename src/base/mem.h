/* Allocation helpers. x-functions never return NULL: out of memory goes to the boundary of the thread (base/rescue.h), or ends the
 * program with a message and EXIT_RUNTIME. An arena frees everything at once. */
#ifndef SLUICE_BASE_MEM_H
#define SLUICE_BASE_MEM_H

#include "base/hot.h"
#include <stddef.h>

_Noreturn void out_of_memory(size_t bytes);
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
void *xaligned(size_t n); /* at the beginning of a line of the host's cache; not cleared */
void *xaligned_more(void *p, size_t had,
                    size_t n); /* more of what xaligned() gave, where the first bytes stay */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);

/* Puts the first megabytes of the heap into large pages of the host, as far as the host has some: for a program's main(), before it
 * allocates. Returns what lies in front of them, for free() in the end. */
void *mem_large_pages(void);
/* A thread begins that will allocate. Nothing happens but in a program that has called mem_large_pages(). */
void mem_thread_begins(void);

struct arena_block;
struct arena {
  struct arena_block *head;
  char *at, *end;
};
void *arena_alloc(struct arena *a, size_t n); /* 16-byte aligned, zeroed */
char *arena_strndup(struct arena *a, const char *s, size_t n);
void arena_free(struct arena *a);

/* Makes room for one more in a growing array: VEC_PUSH(v->items, v->n, v->cap) = x; */
void *vec_grow(void *items, size_t n, size_t *cap, size_t size);
#define VEC_PUSH(items, n, cap)                                                                              \
  (*((n) < (cap) ? &(items)[(n)++]                                                                           \
                 : ((items) = vec_grow((items), (n), &(cap), sizeof *(items)), &(items)[(n)++])))

/* Takes an element of a pool that grows: `free_` heads its free list (UINT32_MAX: empty), linked by the elements'
 * `link`. Gives its number; elements move when the pool grows. The first begins with a line of the host's cache. */
#define POOL_TAKE(array, n, free_, link)                                                                     \
  ({                                                                                                         \
    if (RARELY((free_) == UINT32_MAX)) {                                                                     \
      uint32_t pool_size_ = (n) ? (n)*2 : 64;                                                                \
      (array) = xaligned_more((array), (n) * sizeof *(array), pool_size_ * sizeof *(array));                 \
      for (uint32_t pool_i_ = (n); pool_i_ < pool_size_; pool_i_++)                                          \
        (array)[pool_i_].link = pool_i_ + 1 < pool_size_ ? pool_i_ + 1 : UINT32_MAX;                         \
      (free_) = (n);                                                                                         \
      (n) = pool_size_;                                                                                      \
    }                                                                                                        \
    uint32_t pool_taken_ = (free_);                                                                          \
    (free_) = (array)[pool_taken_].link;                                                                     \
    pool_taken_;                                                                                             \
  })

#endif
