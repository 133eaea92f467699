/* A technique that keeps the first four requests of each L2 slice and takes no more, so that a machine comes to a
 * standstill. */
#include "sluice_technique.h"
#include <stdlib.h>

static void *begin(const struct sluice_env *env) {
  (void)env;
  return calloc(1, sizeof(int));
}
static void end(void *self) {
  free(self);
}
static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  (void)handle, (void)r, (void)cycle;
  return ++*(int *)self <= 4;
}
static uint32_t pick(const void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return SLUICE_NONE;
}
static void took(void *self, uint32_t handle, uint64_t cycle) {
  (void)self, (void)handle, (void)cycle;
}
static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle;
}
static uint64_t next(const void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return SLUICE_NEVER;
}

static const struct sluice_order order = {.size = sizeof(struct sluice_order),
                                          .open = begin,
                                          .close = end,
                                          .insert = insert,
                                          .pick = pick,
                                          .took = took,
                                          .refused = refused,
                                          .next = next};
static const struct sluice_technique hold = {SLUICE_TECHNIQUE_HEAD, .name = "hold",
                                             .summary = "Keeps requests and never gives them back.",
                                             .paper = "none", .l2_order = &order};

const struct sluice_technique *sluice_plugin(void);
const struct sluice_technique *sluice_plugin(void) {
  return &hold;
}
