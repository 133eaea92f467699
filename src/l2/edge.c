#include "l2/edge.h"
#include "base/mem.h"
#include <stdlib.h>

struct edge {
  struct edge_slot {
    uint32_t handle;
    uint64_t cycle;
  } * slot; /* ring */
  uint32_t head, count, entries;
};

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  (void)r;
  struct edge *e = self;
  if (e->count == e->entries)
    return false;
  e->slot[(e->head + e->count++) % e->entries] = (struct edge_slot){handle, cycle};
  return true;
}

/* What comes in one cycle can leave in the next. */
static uint32_t pick(const void *self, uint64_t cycle) {
  const struct edge *e = self;
  return e->count && e->slot[e->head].cycle < cycle ? e->slot[e->head].handle : SLUICE_NONE;
}

static void took(void *self, uint32_t handle, uint64_t cycle) {
  (void)handle, (void)cycle;
  struct edge *e = self;
  e->head = (e->head + 1) % e->entries;
  e->count--;
}

static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle; /* the oldest keeps its turn */
}

static uint64_t next(const void *self, uint64_t cycle) {
  const struct edge *e = self;
  return e->count && e->slot[e->head].cycle >= cycle ? cycle + 1 : SLUICE_NEVER;
}

static const struct sluice_order ops = {
    .insert = insert, .pick = pick, .took = took, .refused = refused, .next = next};

struct tech_order edge_new(uint32_t entries) {
  struct edge *e = xcalloc(1, sizeof *e);
  e->entries = entries;
  e->slot = xcalloc(entries, sizeof *e->slot);
  return (struct tech_order){&ops, e};
}

void edge_free(struct tech_order *edge) {
  if (edge->ops == &ops) {
    free(((struct edge *)edge->self)->slot);
    free(edge->self);
  }
}
