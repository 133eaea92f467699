/* fifo: requests go to the L2's tags in the order in which they came; the head blocks all behind it. */
#include "tech/declare.h"
#include "tech/tech.h"

struct fifo {
  uint32_t head; /* the incoming buffer is the queue: one request at a time is before the tags */
};

static void *fifo_open(const struct sluice_env *env) {
  (void)env;
  struct fifo *f = tech_new(sizeof *f);
  f->head = SLUICE_NONE;
  return f;
}

static bool fifo_insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  (void)r, (void)cycle;
  struct fifo *f = self;
  if (f->head != SLUICE_NONE)
    return false;
  f->head = handle;
  return true;
}

static uint32_t fifo_pick(const void *self, uint64_t cycle) {
  (void)cycle;
  return ((const struct fifo *)self)->head;
}

static void fifo_took(void *self, uint32_t handle, uint64_t cycle) {
  (void)handle, (void)cycle;
  ((struct fifo *)self)->head = SLUICE_NONE;
}

static void fifo_refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle;
}

static uint64_t fifo_next(const void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return SLUICE_NEVER;
}

const struct sluice_order tech_fifo = {sizeof tech_fifo, fifo_open, tech_drop,    fifo_insert,
                                       fifo_pick,        fifo_took, fifo_refused, fifo_next};

const struct sluice_technique technique_fifo = {
    TECH_HEAD,
    .name = "fifo",
    .summary = "The L2 serves requests in the order of arrival.",
    .paper = "the baseline",
    .l2_order = &tech_fifo,
};
