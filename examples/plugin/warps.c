/* warps: warp schedulers from outside. `greedy` is sm.scheduler gto, `turns` lrr, `oldest` is oldest; `youngest` is none of the GPU's.
 *
 *   cc -O2 -shared -fPIC -I../../include warps.c -o warps.so
 *   sluice run ../gpgpusim/gather_16K.yaml --gpu cart28 --plugin ./warps.so --with warps:rule=youngest */
#include "sluice_technique.h"
#include <stdlib.h>

enum rule { GREEDY, TURNS, OLDEST, YOUNGEST };
static const char *const rules[] = {"greedy", "turns", "oldest", "youngest", NULL};

enum { P_rule, NPARAMS };
static const struct sluice_param params[NPARAMS] = {
    {.name = "rule",
     .type = SLUICE_P_ENUM,
     .initial = "greedy",
     .choices = rules,
     .unit = "",
     .help = "Which warp issues.",
     .source = "an example"},
};

enum { C_switches, NCOUNTS };
static const struct sluice_counter counters[NCOUNTS] = {
    {"switches", "choices", "Another warp than the last time."},
};

enum { MOST = 256 };
struct warps {
  uint64_t *count;
  enum rule rule;
  uint32_t list[MOST], n; /* oldest first */
  uint32_t turn, last;
};

static void *begin(const struct sluice_env *env, const struct sluice_warp_slots *slots) {
  struct warps *k = calloc(1, sizeof *k);
  if (!k || slots->warps > MOST)
    abort();
  k->count = env->count;
  k->rule = (enum rule)env->param[P_rule].u;
  k->last = SLUICE_NONE;
  return k;
}

static void start(void *self, uint32_t warp, uint64_t cycle) {
  struct warps *k = self;
  (void)cycle;
  k->list[k->n++] = warp;
}

static void end(void *self, uint32_t warp, uint64_t cycle) {
  struct warps *k = self;
  uint32_t i = 0;
  (void)cycle;
  while (k->list[i] != warp)
    i++;
  k->turn -= i < k->turn;
  for (k->n--; i < k->n; i++)
    k->list[i] = k->list[i + 1];
  if (k->last == warp)
    k->last = SLUICE_NONE;
}

static bool in(const uint64_t *set, uint32_t w) {
  return set[w / 64] >> w % 64 & 1;
}

/* The first that can, from a place of the list on. */
static uint32_t from(const struct warps *k, const uint64_t *can, uint32_t first) {
  uint32_t i = first;
  while (!in(can, k->list[i % k->n]))
    i++;
  return i % k->n;
}

static uint32_t choose(void *self, const uint64_t *can, uint64_t cycle) {
  struct warps *k = self;
  uint32_t w = SLUICE_NONE;
  (void)cycle;
  if (k->rule == GREEDY && k->last != SLUICE_NONE && in(can, k->last)) {
    w = k->last;
  } else if (k->rule == TURNS) {
    uint32_t i = from(k, can, k->turn);
    k->turn = i + 1;
    w = k->list[i];
  } else if (k->rule == YOUNGEST) {
    for (uint32_t i = k->n; w == SLUICE_NONE; i--)
      w = in(can, k->list[i - 1]) ? k->list[i - 1] : w;
  } else {
    w = k->list[from(k, can, 0)];
  }
  k->count[C_switches] += w != k->last;
  return k->last = w;
}

static const struct sluice_warp_scheduler scheduler = {
    .size = sizeof scheduler, .open = begin, .close = free, .start = start, .exit = end, .choose = choose};

static const struct sluice_technique warps = {
    SLUICE_TECHNIQUE_HEAD, .name = "warps",      .summary = "Warp schedulers.",
    .paper = "an example", .nparams = NPARAMS,   .params = params,
    .ncounters = NCOUNTS,  .counters = counters, .warp_scheduler = &scheduler};

SLUICE_EXPORT const struct sluice_technique *sluice_plugin(void) {
  return &warps;
}
