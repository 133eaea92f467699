#include "tech/guard.h"
#include "base/bits.h"
#include "base/mem.h"
#include "tech/tech.h"
#include <stdlib.h>
#include <string.h>

void guard_init(struct tech_guard *g, struct tech_set *s) {
  *g = (struct tech_guard){.broken = tech_broken_flag(s)};
}

void guard_destroy(struct tech_guard *g) {
  free(g->held);
}

void guard_enters(struct tech_guard *g, uint32_t handle) {
  if (handle / 64 >= g->words) {
    uint32_t words = handle / 64 * 2 + 1;
    g->held = xrealloc(g->held, words * sizeof *g->held);
    memset(g->held + g->words, 0, (words - g->words) * sizeof *g->held);
    g->words = words;
  }
  bits_add(g->held, handle);
}

void guard_leaves(struct tech_guard *g, uint32_t handle) {
  bits_remove(g->held, handle);
}

bool guard_wrong(struct tech_guard *g, const char *what, uint32_t handle, uint64_t cycle) {
  if (!g->what) {
    g->what = what;
    g->handle = handle;
    g->cycle = cycle;
    __atomic_store_n(g->broken, true, __ATOMIC_RELAXED); /* units on other threads may do so too */
  }
  return false;
}
