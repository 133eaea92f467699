/* srrip: static re-reference interval prediction with hit priority (Jaleel et al., ISCA 2010). A line is expected again in a long time when it
 * is allocated and soon when it is used. Lines grow older whenever a way is looked for. */
#include "cache/repl/repl.h"
#include "cache/repl/rrip.h"

static void *open(const struct sluice_env *env, const struct sluice_cache_shape *shape) {
  (void)env;
  struct rrip *r = xmalloc(sizeof *r);
  *r = rrip_new(shape);
  return r;
}

static void close(void *self) {
  free(((struct rrip *)self)->value);
  free(self);
}

static void used(void *self, uint32_t set, uint32_t way, const struct sluice_cache_access *a) {
  (void)a;
  *rrip_at(self, set, way) = RRIP_SOON;
}

static void allocated(void *self, uint32_t set, uint32_t way, const struct sluice_cache_access *a) {
  (void)a;
  *rrip_at(self, set, way) = RRIP_LONG;
}

static uint32_t victim(const void *self, uint32_t set, const uint64_t *can) {
  return rrip_victim(self, set, can);
}

static void asked(void *self, uint32_t set, const uint64_t *can) {
  rrip_age(self, set, rrip_victim(self, set, can));
}

const struct sluice_replacement repl_srrip = {.size = sizeof(struct sluice_replacement),
                                              .open = open,
                                              .close = close,
                                              .used = used,
                                              .allocated = allocated,
                                              .victim = victim,
                                              .asked = asked};
