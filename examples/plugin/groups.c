/* groups: a warp scheduler with an active set, from outside: rotation within few warps; one that begins to wait for something long
 * gives its place to the warp that has been able to go on for longest (Narasiman et al., MICRO 2011). With the same `size` it is the GPU's
 * own sm.scheduler=two-level.
 *
 *   cc -O2 -shared -fPIC -I../../include groups.c -o groups.so
 *   sluice run ../gpgpusim/gather_16K.yaml --gpu cart28 --plugin ./groups.so --with groups:size=4 */
#include "sluice_technique.h"
#include <stdlib.h>
#include <string.h>

enum { P_size, NPARAMS };
static const struct sluice_param params[NPARAMS] = {
    {.name = "size",
     .type = SLUICE_P_UINT,
     .initial = "8",
     .min = 1,
     .max = 256,
     .unit = "warps",
     .help = "Warps in the active set of a scheduler.",
     .source = "Narasiman et al., MICRO 2011: groups of 8"},
};

enum { C_changes, NCOUNTS };
static const struct sluice_counter counters[NCOUNTS] = {
    {"changes", "warps", "Warps that left the active set."},
};

enum { MOST = 256 };
struct list {
  uint32_t warp[MOST], n;
};
struct groups {
  uint64_t *count;
  uint32_t size, turn;
  struct list active, waiting; /* in the order in which they came */
};

static void *begin(const struct sluice_env *env, const struct sluice_warp_slots *slots) {
  struct groups *k = calloc(1, sizeof *k);
  if (!k || slots->warps > MOST)
    abort();
  k->count = env->count;
  k->size = (uint32_t)env->param[P_size].u;
  return k;
}

/* Where the warp was, MOST: not there. */
static uint32_t leave(struct list *l, uint32_t warp) {
  for (uint32_t i = 0; i < l->n; i++)
    if (l->warp[i] == warp) {
      l->n--;
      memmove(l->warp + i, l->warp + i + 1, (l->n - i) * sizeof *l->warp);
      return i;
    }
  return MOST;
}

static void enter(struct groups *k, uint32_t warp, uint64_t *active) {
  k->active.warp[k->active.n++] = warp;
  active[warp / 64] |= UINT64_C(1) << warp % 64;
}

static void able(void *self, uint32_t warp, uint64_t *active, uint64_t cycle) {
  struct groups *k = self;
  (void)cycle;
  if (k->active.n < k->size)
    enter(k, warp, active);
  else
    k->waiting.warp[k->waiting.n++] = warp;
}

static void stalled(void *self, uint32_t warp, uint64_t *active, uint64_t cycle) {
  struct groups *k = self;
  (void)cycle;
  uint32_t place = leave(&k->active, warp);
  if (place == MOST) {
    leave(&k->waiting, warp);
    return;
  }
  k->count[C_changes]++;
  k->turn -= place < k->turn;
  if (k->waiting.n) {
    uint32_t next = k->waiting.warp[0];
    leave(&k->waiting, next);
    enter(k, next, active);
  }
}

static uint32_t choose(void *self, const uint64_t *can, uint64_t cycle) {
  struct groups *k = self;
  (void)cycle;
  for (uint32_t i = 0; i < k->active.n; i++) {
    uint32_t at = (k->turn + i) % k->active.n, w = k->active.warp[at];
    if (can[w / 64] >> w % 64 & 1) {
      k->turn = at + 1;
      return w;
    }
  }
  return SLUICE_NONE; /* never: some warp of the active set can */
}

static const struct sluice_warp_scheduler scheduler = {.size = sizeof scheduler,
                                                       .open = begin,
                                                       .close = free,
                                                       .choose = choose,
                                                       .able = able,
                                                       .stalled = stalled};

static const struct sluice_technique groups = {
    SLUICE_TECHNIQUE_HEAD, .name = "groups",     .summary = "Two-level warp scheduling.",
    .paper = "an example", .nparams = NPARAMS,   .params = params,
    .ncounters = NCOUNTS,  .counters = counters, .warp_scheduler = &scheduler};

SLUICE_EXPORT const struct sluice_technique *sluice_plugin(void) {
  return &groups;
}
