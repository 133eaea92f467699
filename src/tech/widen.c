#include "tech/widen.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

/* The copies of a technique's tables. */
struct copies {
  const char *name; /* of the technique, as far as it can be told */
  struct error *err;
  void *made[32];
  unsigned n;
};

static void *room(struct copies *c, size_t bytes) {
  return c->made[c->n++] = xcalloc(1, bytes);
}

static bool fits(const struct copies *c, const char *what, size_t size, size_t full) {
  if (size >= sizeof(uint32_t) && size <= full)
    return true;
  return error_add(
      c->err, EXIT_USAGE,
      size > full
          ? "technique '%.60s' was built with a later header than this program: struct sluice_%s has %zu "
            "bytes there and %zu here; recompile it with this program's sluice_technique.h"
          : "technique '%.60s': struct sluice_%s does not tell its size (%zu of %zu bytes); begin the "
            "technique "
            "with SLUICE_TECHNIQUE_HEAD and each of its tables with .size",
      c->name, what, size, full);
}

/* A table that begins with its size. */
static bool table(struct copies *c, const char *what, const void **at, size_t full) {
  uint32_t size;
  if (!*at)
    return true;
  memcpy(&size, *at, sizeof size);
  if (!fits(c, what, size, full))
    return false;
  *at = memcpy(room(c, full), *at, size);
  return true;
}

/* Rows of `size` bytes each. */
static bool rows(struct copies *c, const char *what, const void **at, uint32_t n, uint32_t size,
                 size_t full) {
  if (!fits(c, what, size, full))
    return false;
  if (!*at || !n)
    return true;
  char *to = room(c, n * full);
  for (uint32_t i = 0; i < n; i++)
    memcpy(to + i * full, (const char *)*at + (size_t)i * size, size);
  *at = to;
  return true;
}

#define TABLE(field, type) table(c, #type, (const void **)&w->field, sizeof(struct sluice_##type))
#define ROWS(field, count, type)                                                                             \
  rows(c, #type, (const void **)&w->field, w->count, w->type##_size, sizeof(struct sluice_##type))

static bool tables(struct copies *c, struct sluice_technique *w) {
  bool ok = fits(c, "env", w->env_size, sizeof(struct sluice_env)) &&
            fits(c, "request", w->request_size, sizeof(struct sluice_request)) &&
            fits(c, "state", w->state_size, sizeof(struct sluice_state)) &&
            fits(c, "array", w->array_size, sizeof(struct sluice_array)) && ROWS(params, nparams, param) &&
            ROWS(counters, ncounters, counter) && ROWS(ratios, nratios, ratio) && TABLE(extra, extra) &&
            TABLE(gate, gate) && TABLE(l1_order, order) && TABLE(l2_order, order) && TABLE(source, order) &&
            TABLE(l1_bypass, l1_bypass) && TABLE(prefetch, prefetch) && TABLE(route, route) &&
            TABLE(l2_bypass, l2_bypass) && TABLE(fill_buffer, fill_buffer) &&
            TABLE(victim_cache, victim_cache) && TABLE(dram_scheduler, dram_scheduler) &&
            TABLE(l2_prefetch, l2_prefetch) && TABLE(replacement, replacement) &&
            TABLE(allocator, allocator) && TABLE(warp_scheduler, warp_scheduler);
  if (!ok || !w->fill_buffer)
    return ok;
  struct sluice_fill_buffer *f = (struct sluice_fill_buffer *)w->fill_buffer; /* the copy */
  return table(c, "residents", (const void **)&f->residents, sizeof *f->residents);
}

struct widened {
  struct sluice_technique t; /* first: the whole is found by it */
  struct copies c;           /* of its tables */
};

void tech_widen_undo(const struct sluice_technique *t) {
  struct widened *w = (struct widened *)t;
  while (w->c.n)
    free(w->c.made[--w->c.n]);
  free(w);
}

const struct sluice_technique *tech_widen(const struct sluice_technique *t, struct error *err) {
  enum { MOST_ROWS = 64 };
  struct copies none = {.name = "?", .err = err};
  if (!fits(&none, "technique", t->size, sizeof *t) || t->size < offsetof(struct sluice_technique, params))
    return NULL;
  struct widened *to = xcalloc(1, sizeof *to);
  struct sluice_technique *w = memcpy(&to->t, t, t->size);
  to->c = (struct copies){.name = w->name ? w->name : "?", .err = err};
  bool few = w->nparams <= MOST_ROWS && w->ncounters <= MOST_ROWS && w->nratios <= MOST_ROWS;
  if (!few)
    error_add(err, EXIT_USAGE, "technique '%.60s': too many parameters, counters or ratios (at most %d)",
              to->c.name, MOST_ROWS);
  if (few && tables(&to->c, w))
    return w;
  tech_widen_undo(w);
  return NULL;
}
