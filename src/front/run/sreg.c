/* Special registers. Nothing here depends on timing: clocks count the warp's own instructions, and
 * there is one multiprocessor as far as a kernel can see. */
#include "front/run/run.h"
#include <string.h>

/* Instructions the warp executed before this one. */
static uint64_t executed(const struct site *s, const struct uop *u) {
  return s->w->executed - s->block->weight + (u->inst - s->block->first_inst);
}

static uint64_t uniform(const struct site *s, const struct uop *u) {
  const struct exec *x = s->x;
  unsigned comp = u->aux2;
  unsigned c = comp < 3 ? comp : 0;
  bool xyz = comp < 3;
  switch (u->aux) {
  case PTX_NSREGS:
    return x->width; /* WARP_SZ */
  case PTX_SREG_NTID:
    return xyz ? x->block[c] : 1;
  case PTX_SREG_CTAID:
    return xyz ? s->cta->id[c] : 0;
  case PTX_SREG_NCTAID:
    return xyz ? x->grid[c] : 1;
  case PTX_SREG_WARPID:
    return s->w->index;
  case PTX_SREG_NWARPID:
    return 64;
  case PTX_SREG_SMID:
    return 0;
  case PTX_SREG_NSMID:
    return 1;
  case PTX_SREG_GRIDID:
    return x->launch_number;
  case PTX_SREG_CLOCK:
  case PTX_SREG_CLOCK64:
  case PTX_SREG_GLOBALTIMER:
  case PTX_SREG_GLOBALTIMER_LO:
    return executed(s, u);
  case PTX_SREG_CLOCK_HI:
  case PTX_SREG_GLOBALTIMER_HI:
    return executed(s, u) >> 32;
  case PTX_SREG_ENVREG:
    if (comp >= 3 && comp < 7)
      return x->envreg[comp - 3];
    return comp == 1 ? x->workspace >> 32 : comp == 2 ? x->workspace : 0; /* the driver's grid workspace */
  case PTX_SREG_DYNAMIC_SMEM_SIZE:
    return x->dynamic_shared;
  case PTX_SREG_TOTAL_SMEM_SIZE:
    return x->reserved_shared;
  case PTX_SREG_AGGR_SMEM_SIZE:
    return x->shared_bytes;
  case PTX_SREG_RESERVED_SMEM_OFFSET_BEGIN:
  case PTX_SREG_RESERVED_SMEM_OFFSET_0:
  case PTX_SREG_RESERVED_SMEM_OFFSET_1:
    return x->reserved_shared;
  case PTX_SREG_RESERVED_SMEM_OFFSET_END:
  case PTX_SREG_RESERVED_SMEM_OFFSET_CAP:
    return x->reserved_shared + RESERVED_SHARED_BYTES;
  /* clusters of one CTA */
  case PTX_SREG_CLUSTERID:
    return xyz ? s->cta->id[c] : 0;
  case PTX_SREG_NCLUSTERID:
    return xyz ? x->grid[c] : 1;
  case PTX_SREG_CLUSTER_NCTAID:
  case PTX_SREG_CLUSTER_NCTARANK:
    return 1;
  default:
    return 0;
  }
}

static uint32_t lanemask(unsigned id, unsigned lane) {
  uint32_t bit = UINT32_C(1) << (lane & 31);
  switch (id) {
  case PTX_SREG_LANEMASK_EQ:
    return bit;
  case PTX_SREG_LANEMASK_LT:
    return bit - 1;
  case PTX_SREG_LANEMASK_LE:
    return bit | (bit - 1);
  case PTX_SREG_LANEMASK_GT:
    return ~(bit | (bit - 1));
  default:
    return ~(bit - 1);
  }
}

void run_sreg(struct site *s, const struct uop *u, uint64_t mask) {
  const struct exec *x = s->x;
  for (unsigned h = 0; h < x->halves; h++) {
    uint32_t m = (uint32_t)(mask >> 32 * h), *d = site_at(s, u->d, h);
    if (!m)
      continue;
    switch (u->aux) {
    case PTX_SREG_TID: {
      if (u->aux2 > 2) {
        x->lanes->blend32(d, 0, m);
        break;
      }
      const uint32_t *t = x->tid[u->aux2] + (size_t)s->w->index * x->nlanes + 32 * h;
      if (m == UINT32_MAX)
        memcpy(d, t, 32 * sizeof *d);
      else
        for (unsigned i = 0; i < 32; i++)
          d[i] = m >> i & 1 ? t[i] : d[i];
      break;
    }
    case PTX_SREG_LANEID:
      for (unsigned i = 0; i < 32; i++)
        d[i] = m >> i & 1 ? 32 * h + i : d[i];
      break;
    case PTX_SREG_LANEMASK_EQ:
    case PTX_SREG_LANEMASK_LE:
    case PTX_SREG_LANEMASK_LT:
    case PTX_SREG_LANEMASK_GE:
    case PTX_SREG_LANEMASK_GT:
      for (unsigned i = 0; i < 32; i++)
        if (m >> i & 1)
          d[i] = lanemask(u->aux, i);
      break;
    case PTX_SREG_IS_EXPLICIT_CLUSTER:
      site_set_pred(s, u->d, 0, mask);
      return;
    case PTX_SREG_CLOCK64:
    case PTX_SREG_GLOBALTIMER:
    case PTX_SREG_GRIDID:
      x->lanes->blend64((void *)d, uniform(s, u), m);
      break;
    default:
      x->lanes->blend32(d, (uint32_t)uniform(s, u), m);
      break;
    }
  }
}
