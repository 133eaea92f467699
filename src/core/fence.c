/* Fences of the GPU in machine code: MEMBAR, which asks the L2 whether all is seen, and CCTL.IVALL, after which the L1 has nothing that others
 * may have changed.
 *
 *   fence is next ─▶ accesses of the warp end ─▶ fence issues ─▶ sm.fence_latency ─▶ next instruction
 *         └──── sm.fence_latency at the least ────▶│              and sm.fence_again, if other warps of the SM have accesses under way
 *          if the warp has accessed memory since   └─▶ lines of the L1 go
 *          its last fence */
#include "cache/cache.h"
#include "core/sm.h"

static bool others_access(const struct sm *s, uint32_t w) {
  for (uint32_t i = 0; i < s->nwarps; i++)
    if (i != w && s->warp[i].live && (s->warp[i].loads | s->warp[i].stores))
      return true;
  return false;
}

uint32_t fence_issue(struct sm *s, uint32_t w, uint64_t waited) {
  struct sm_warp *k = &s->warp[w];
  uint32_t first = k->accessed && waited < s->k->fence_latency ? s->k->fence_latency - (uint32_t)waited : 0;
  k->accessed = false;
  uint64_t begins = s->mem_busy > s->now ? s->mem_busy : s->now;
  s->mem_busy = begins + s->k->fence_interval;
  s->repeat.n = 0;
  bool back = s->l1.k->write[0].policy == CACHE_BACK || s->l1.k->write[1].policy == CACHE_BACK;
  if (!back && !s->coherent.state)
    cache_flush(s->l1d, NULL, NULL);
  return (uint32_t)(begins - s->now) + first + s->k->fence_latency +
         (others_access(s, w) ? s->k->fence_again : 0);
}
