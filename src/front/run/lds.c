/* Accesses of a wavefront to local memory as Multi2Sim 4.2 has them (front.shared = lanes).
 *
 * An element of a vector is an instruction of its own, in which every lane has an access, one after the other:
 *
 *   load    joins a load of the same block of 64 bytes, if no store came in between
 *   store   joins the access just before, if that is a store to the same block
 *
 * What is left goes to a memory of two ports in which an access takes two cycles; a store waits for all accesses before, and what
 * follows waits for the store. With front.lanes = all an inactive lane repeats its last access, load or store. */
#include "front/run/run.h"

enum { BLOCK_SHIFT = 6, LOAD = 1, STORE = 2, STORE_CYCLES = 2 };

struct joined {
  uint32_t blocks[64]; /* of loads since the last store */
  unsigned nblocks;
  unsigned loads, stores;
  uint32_t last; /* block of the access before, if that is a store */
  bool last_stores;
};

static void add(struct joined *j, uint32_t at, unsigned kind) {
  uint32_t block = at >> BLOCK_SHIFT;
  if (kind == STORE) {
    j->stores += !(j->last_stores && j->last == block);
    j->last = block, j->last_stores = true;
    j->nblocks = 0;
    return;
  }
  j->last_stores = false;
  for (unsigned i = 0; i < j->nblocks; i++)
    if (j->blocks[i] == block)
      return;
  j->blocks[j->nblocks++] = block;
  j->loads++;
}

uint32_t lds_word(const struct exec *x, struct warp *w, const struct access *a, bool write, unsigned size,
                  unsigned vec) {
  struct lane_last *l = w->last;
  unsigned cycles = 0;
  for (unsigned k = 0; k < vec; k++) {
    struct joined j = {.nblocks = 0};
    for (unsigned i = 0; i < x->nlanes; i++) {
      if (a->mask >> i & 1) {
        l->at[i] = (uint32_t)a->addr[i] + k * size;
        l->kind[i] = write ? STORE : LOAD;
      } else if (x->o.lanes != LANES_ALL || !l->kind[i]) {
        continue;
      }
      add(&j, l->at[i], l->kind[i]);
    }
    cycles += j.stores * STORE_CYCLES + j.loads;
  }
  return SLUICE_SHARED | SLUICE_SP_SHARED << 2 | (cycles > 0xffff ? 0xffff : cycles) << 6 | (vec - 1) << 22;
}

void lanes_left(struct warp *w, const struct access *a, struct access *left) {
  struct lane_last *l = w->last;
  left->mask = l->has_global & ~a->mask;
  for (unsigned i = 0; i < 64; i++)
    if (a->mask >> i & 1)
      l->global[i] = a->addr[i];
    else
      left->addr[i] = l->global[i];
  l->has_global |= a->mask;
}
