#include "l2/edge.h"
#include "base/ring.h"
#include <stdlib.h>

struct edge {
  struct edge_slot {
    uint32_t handle;
    uint64_t cycle;
  } * slot;
  struct ring at;
  uint32_t entries;
};

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  (void)r;
  struct edge *e = self;
  if (e->at.count == e->entries)
    return false;
  e->slot[ring_add(&e->at)] = (struct edge_slot){handle, cycle};
  return true;
}

/* What comes in one cycle can leave in the next. */
static uint32_t pick(const void *self, uint64_t cycle) {
  const struct edge *e = self;
  return e->at.count && e->slot[e->at.head].cycle < cycle ? e->slot[e->at.head].handle : SLUICE_NONE;
}

static void took(void *self, uint32_t handle, uint64_t cycle) {
  (void)handle, (void)cycle;
  struct edge *e = self;
  ring_drop(&e->at);
}

static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle; /* the oldest keeps its turn */
}

static uint64_t next(const void *self, uint64_t cycle) {
  const struct edge *e = self;
  return e->at.count && e->slot[e->at.head].cycle >= cycle ? cycle + 1 : SLUICE_NEVER;
}

static const struct sluice_order ops = {
    .insert = insert, .pick = pick, .took = took, .refused = refused, .next = next};

struct tech_order edge_new(uint32_t entries) {
  struct edge *e = xcalloc(1, sizeof *e);
  e->entries = entries;
  e->at.mask = ring_mask(entries);
  e->slot = xcalloc(e->at.mask + 1u, sizeof *e->slot);
  return (struct tech_order){&ops, e};
}

void edge_free(struct tech_order *edge) {
  if (edge->ops == &ops) {
    free(((struct edge *)edge->self)->slot);
    free(edge->self);
  }
}
