/* The order in which CTAs begin (front.cta_order): ascending, reversed or shuffled. */
#ifndef SLUICE_FRONT_CTA_ORDER_H
#define SLUICE_FRONT_CTA_ORDER_H

#include "front/exec.h"

struct cta_order {
  int order; /* as exec_options has it */
  uint64_t n;
  uint64_t key[4];
  unsigned bits;
};

struct cta_order cta_order(const struct exec_options *o, uint64_t n);
/* The CTA that begins as number i. */
uint64_t cta_order_at(const struct cta_order *c, uint64_t i);

#endif
