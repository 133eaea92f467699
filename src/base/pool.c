#include "base/pool.h"
#include "base/mem.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#undef free /* what the pool itself has is in no pool */

struct ending {
  void (*end)(void *thing);
  void *thing;
};

/* Addresses in a table with open places; threads of the handle share it. */
struct pool {
  pthread_mutex_t lock;
  void **slot;
  size_t n, mask; /* mask + 1 places, less than two thirds of them taken */
  struct ending *ending;
  size_t nendings, capendings;
};

static _Thread_local struct pool *here;

struct pool *pool_new(void) {
  enum { FIRST = 1024 };
  struct pool *p = calloc(1, sizeof *p);
  void **slot = calloc(FIRST, sizeof *slot);
  if (!p || !slot) {
    free(p), free(slot);
    return NULL;
  }
  pthread_mutex_init(&p->lock, NULL);
  p->slot = slot, p->mask = FIRST - 1;
  return p;
}

struct pool *pool_enter(struct pool *p) {
  struct pool *before = here;
  here = p;
  return before;
}

struct pool *pool_here(void) {
  return here;
}

void pool_drop(struct pool *p) {
  if (!p)
    return;
  pthread_mutex_destroy(&p->lock);
  free(p->slot), free(p->ending), free(p);
}

void pool_release(struct pool *p) {
  if (!p)
    return;
  struct pool *before = pool_enter(p);
  while (p->nendings) {
    struct ending e = p->ending[--p->nendings];
    e.end(e.thing);
  }
  pool_enter(before);
  for (size_t i = 0; i <= p->mask; i++)
    free(p->slot[i]);
  pool_drop(p);
}

static size_t home(const struct pool *p, const void *memory) {
  return (size_t)((uint64_t)(uintptr_t)memory * UINT64_C(0x9e3779b97f4a7c15) >> 20) & p->mask;
}

static size_t find(const struct pool *p, const void *memory) {
  size_t i = home(p, memory);
  while (p->slot[i] && p->slot[i] != memory)
    i = (i + 1) & p->mask;
  return i;
}

static bool grow(struct pool *p) {
  size_t places = p->mask + 1;
  void **old = p->slot, **slot = calloc(2 * places, sizeof *slot);
  if (!slot)
    return false;
  p->slot = slot, p->mask = 2 * places - 1;
  for (size_t i = 0; i < places; i++)
    if (old[i])
      p->slot[find(p, old[i])] = old[i];
  free(old);
  return true;
}

bool pool_note(void *memory) {
  struct pool *p = here;
  if (!p)
    return true;
  pthread_mutex_lock(&p->lock);
  bool room = 3 * (p->n + 1) < 2 * (p->mask + 1) || grow(p);
  if (room) {
    p->slot[find(p, memory)] = memory;
    p->n++;
  }
  pthread_mutex_unlock(&p->lock);
  return room;
}

/* Those behind a place that becomes empty move up, where they still come after their own place. */
static void close_gap(struct pool *p, size_t gap) {
  for (size_t i = (gap + 1) & p->mask; p->slot[i]; i = (i + 1) & p->mask)
    if (((i - home(p, p->slot[i])) & p->mask) >= ((i - gap) & p->mask)) {
      p->slot[gap] = p->slot[i];
      gap = i;
    }
  p->slot[gap] = NULL;
}

void pool_forget(const void *memory) {
  struct pool *p = here;
  if (!p || !memory)
    return;
  pthread_mutex_lock(&p->lock);
  size_t i = find(p, memory);
  if (p->slot[i]) {
    p->n--;
    close_gap(p, i);
  }
  pthread_mutex_unlock(&p->lock);
}

void mem_free(void *memory) {
  pool_forget(memory);
  free(memory);
}

static bool has_room(struct pool *p) {
  if (p->nendings < p->capendings)
    return true;
  size_t cap = p->capendings ? 2 * p->capendings : 16;
  struct ending *more = realloc(p->ending, cap * sizeof *more);
  if (!more)
    return false;
  p->ending = more, p->capendings = cap;
  return true;
}

void pool_ends(void (*end)(void *thing), void *thing) {
  struct pool *p = here;
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  bool room = has_room(p);
  if (room)
    p->ending[p->nendings++] = (struct ending){end, thing};
  pthread_mutex_unlock(&p->lock);
  if (room)
    return;
  end(thing);
  out_of_memory(sizeof *p->ending);
}

void pool_ended(const void *thing) {
  struct pool *p = here;
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  size_t i = p->nendings;
  while (i && p->ending[i - 1].thing != thing)
    i--;
  if (i) {
    memmove(&p->ending[i - 1], &p->ending[i], (p->nendings - i) * sizeof *p->ending);
    p->nendings--;
  }
  pthread_mutex_unlock(&p->lock);
}

static void close_file(void *f) {
  (void)fclose(f);
}

FILE *pool_file(FILE *f) {
  if (f)
    pool_ends(close_file, f);
  return f;
}

int pool_fclose(FILE *f) {
  pool_ended(f);
  return fclose(f);
}
