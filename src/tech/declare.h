/* What the file of a technique is written with. Parameters and counters are lists of rows:
 *
 *   #define PARAMS(P) P(rows, TECH_UINT("4", 1, 64), "groups", "Row groups of a branch.", "CART, 4.2")
 *   #define COUNTS(C) C(fill_stalls, "cycles", "Cycles in which the head found no leaf.")
 *   enum { PARAMS(TECH_P_NAME) };                           P_rows: index into env->param
 *   enum { COUNTS(TECH_C_NAME) };                           C_fill_stalls: index into env->count
 *   static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};
 *   static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)}; */
#ifndef SLUICE_TECH_DECLARE_H
#define SLUICE_TECH_DECLARE_H

#include "base/mem.h"
#include "sluice_technique.h"
#include <stdlib.h>
#include <string.h>

#define TECH_HEAD        SLUICE_TECHNIQUE_HEAD
#define TECH_COUNT_OF(a) (uint32_t)(sizeof(a) / sizeof *(a))

static inline void *tech_new(size_t bytes) {
  return xcalloc(1, bytes);
}
static inline void tech_drop(void *self) {
  free(self);
}

/* The i-th array of a technique, where there is room for it. */
static inline void tech_array(struct sluice_array *out, uint32_t capacity, uint32_t i,
                              const struct sluice_array *a) {
  if (i < capacity)
    out[i] = *a;
}

#define TECH_UINT(initial_, lo, hi)   .type = SLUICE_P_UINT, .initial = initial_, .min = lo, .max = hi
#define TECH_BOOL(initial_)           .type = SLUICE_P_BOOL, .initial = initial_
#define TECH_FLOAT(initial_, lo, hi)  .type = SLUICE_P_FLOAT, .initial = initial_, .fmin = lo, .fmax = hi
#define TECH_ENUM(initial_, choices_) .type = SLUICE_P_ENUM, .initial = initial_, .choices = choices_

#define TECH_P_NAME(name_, type_, unit_, help_, source_) P_##name_,
#define TECH_P_ROW(name_, type_, unit_, help_, source_)                                                      \
  {.name = #name_, type_, .unit = unit_, .help = help_, .source = source_},
#define TECH_C_NAME(name_, unit_, help_) C_##name_,
#define TECH_C_ROW(name_, unit_, help_)  {.name = #name_, .unit = unit_, .help = help_},

#endif
