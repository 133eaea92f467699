/* rowfirst: a technique from outside. The L2 serves requests to the DRAM row it served last before others.
 *
 *   cc -O2 -shared -fPIC -I../../include rowfirst.c -o rowfirst.so
 *   sluice run ../gpgpusim/gather_16K.yaml --gpu cart28 --plugin ./rowfirst.so --with rowfirst:entries=16 */
#include "sluice.h"
#include <stdlib.h>
#include <string.h>

enum { P_entries, NPARAMS };
static const struct sluice_param params[NPARAMS] = {
    {.name = "entries",
     .type = SLUICE_P_UINT,
     .initial = "16",
     .min = 1,
     .max = 64,
     .unit = "requests",
     .help = "Requests it chooses among.",
     .source = "an example"},
};

enum { C_kept, NCOUNTS };
static const struct sluice_counter counters[NCOUNTS] = {
    {"kept", "requests", "Requests served from the row that was served before."},
};

struct rowfirst {
  uint64_t *count;
  uint32_t cap, n, bank, row;
  struct {
    uint32_t handle, bank, row;
  } waiting[64]; /* oldest first */
};

/* One for each L2 slice. */
static void *open(const struct sluice_env *env) {
  struct rowfirst *r = calloc(1, sizeof *r);
  if (!r)
    abort();
  r->count = env->count;
  r->cap = (uint32_t)env->param[P_entries].u;
  return r;
}

static bool insert(void *self, uint32_t handle, const struct sluice_request *q, uint64_t cycle) {
  (void)cycle;
  struct rowfirst *r = self;
  if (r->n == r->cap)
    return false;
  r->waiting[r->n].handle = handle;
  r->waiting[r->n].bank = q->bank;
  r->waiting[r->n++].row = q->row;
  return true;
}

/* The oldest of the row, else the oldest. Requests for one line are in one row: they stay in order. */
static uint32_t chosen(const struct rowfirst *r) {
  for (uint32_t i = 0; i < r->n; i++)
    if (r->waiting[i].bank == r->bank && r->waiting[i].row == r->row)
      return i;
  return 0;
}

static uint32_t pick(const void *self, uint64_t cycle) {
  (void)cycle;
  const struct rowfirst *r = self;
  return r->n ? r->waiting[chosen(r)].handle : SLUICE_NONE;
}

static void took(void *self, uint32_t handle, uint64_t cycle) {
  (void)handle, (void)cycle;
  struct rowfirst *r = self;
  uint32_t i = chosen(r);
  r->count[C_kept] += r->waiting[i].bank == r->bank && r->waiting[i].row == r->row;
  r->bank = r->waiting[i].bank;
  r->row = r->waiting[i].row;
  memmove(&r->waiting[i], &r->waiting[i + 1], (r->n - i - 1) * sizeof r->waiting[0]);
  r->n--;
}

static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle;
}

/* Time alone changes nothing. */
static uint64_t next(const void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return SLUICE_NEVER;
}

static const struct sluice_order order = {
    sizeof(struct sluice_order), open, free, insert, pick, took, refused, next};

static const struct sluice_technique rowfirst = {
    SLUICE_TECHNIQUE_HEAD,
    .name = "rowfirst",
    .summary = "The L2 prefers requests to the DRAM row it served last.",
    .paper = "an example of a plugin",
    .params = params,
    .nparams = NPARAMS,
    .counters = counters,
    .ncounters = NCOUNTS,
    .l2_order = &order,
};

/* What --plugin looks for. */
const struct sluice_technique *sluice_plugin(void);
const struct sluice_technique *sluice_plugin(void) {
  return &rowfirst;
}
