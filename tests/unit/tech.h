/* A technique alone: its parameters by name, its counters, and the few questions a unit would ask. */
#ifndef TESTS_UNIT_TECH_H
#define TESTS_UNIT_TECH_H

#include "sluice_technique.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct rig {
  const struct sluice_technique *t;
  union sluice_value param[64];
  uint64_t count[64];
  struct sluice_env env;
};

static inline int rig_param(const struct rig *r, const char *name) {
  for (uint32_t i = 0; i < r->t->nparams; i++)
    if (strcmp(r->t->params[i].name, name) == 0)
      return (int)i;
  fail_msg("no parameter %s", name);
  return 0;
}

/* Sizes of a small GPU, and every parameter at its default. */
static inline void rig_init(struct rig *r, const struct sluice_technique *t) {
  memset(r, 0, sizeof *r);
  r->t = t;
  r->env = (struct sluice_env){.param = r->param,
                               .count = r->count,
                               .sms = 15,
                               .warps = 48,
                               .slices = 12,
                               .channels = 6,
                               .banks = 16,
                               .lines_per_row = 16,
                               .line_bytes = 128,
                               .l1_lines = 128,
                               .l2_lines = 512,
                               .l1_sets = 32,
                               .l2_sets = 64};
  for (uint32_t i = 0; i < t->nparams; i++) {
    const struct sluice_param *p = &t->params[i];
    if (p->type == SLUICE_P_FLOAT)
      r->param[i].f = strtod(p->initial, NULL);
    else if (p->type == SLUICE_P_BOOL)
      r->param[i].u = strcmp(p->initial, "true") == 0;
    else if (p->type == SLUICE_P_UINT)
      r->param[i].u = strtoull(p->initial, NULL, 10);
    else
      while (strcmp(p->choices[r->param[i].u], p->initial) != 0)
        r->param[i].u++;
  }
}

static inline void rig_set(struct rig *r, const char *name, uint64_t v) {
  r->param[rig_param(r, name)].u = v;
}
static inline void rig_choose(struct rig *r, const char *name, const char *choice) {
  int i = rig_param(r, name);
  r->param[i].u = 0;
  while (strcmp(r->t->params[i].choices[r->param[i].u], choice) != 0)
    r->param[i].u++;
}
static inline uint64_t rig_count(const struct rig *r, const char *name) {
  for (uint32_t i = 0; i < r->t->ncounters; i++)
    if (strcmp(r->t->counters[i].name, name) == 0)
      return r->count[i];
  fail_msg("no counter %s", name);
  return 0;
}

/* A request at a place in the DRAM; lines of a row follow each other. */
static inline struct sluice_request at(uint32_t bank, uint32_t row, uint32_t column) {
  return (struct sluice_request){.line = (((uint64_t)row * 16 + bank) * 16 + column) * 128,
                                 .bank = bank,
                                 .row = row,
                                 .column = column,
                                 .sectors = 15};
}

#endif
