/* GCN hardware does not hold back an instruction whose data has not come, has no branch that only some lanes take, and accesses
 * memory by descriptors. So GCN code has instructions beside those of PTX, all of the scalar unit:
 *
 *   s_waitcnt               before the first instruction that needs a load's data, or would overwrite it; vector loads complete in
 *                           order, so a wait for a load is a wait for all loads before it; all other loads are waited for together;
 *                           also before a barrier, if local memory was accessed
 *   s_load_dwordx4          of the descriptor of each buffer, where a kernel has more than one (the first is in registers from the start)
 *   s_and_saveexec, s_mov   around instructions that only some lanes execute
 *
 * Each block is translated by itself: data of loads in other blocks is taken to have come. */
#include "core/gcn_code.h"
#include "base/mem.h"
#include "core/sm.h"
#include <string.h>

enum { BUFFER_BYTES = 8 };    /* a parameter of so many bytes is a pointer to a buffer */
enum { OTHERS = UINT32_MAX }; /* a load that is no vector load */

struct writer {
  struct warp_inst *out;
  uint32_t n;
  uint16_t always;
  uint32_t *loaded; /* by register: 0: no wait needed; OTHERS; else the number of the vector load */
  uint32_t loads;   /* vector loads of the block */
  uint32_t descriptors;
  bool local; /* local memory was accessed since the last wait for local memory */
};

static void put(struct writer *w, const struct warp_inst *in) {
  w->out[w->n++] = *in;
}

static struct warp_inst scalar(const struct writer *w, const struct warp_inst *before) {
  struct warp_inst o = {.klass = SLUICE_OTHER,
                        .unit = PTX_UNIT_INT,
                        .flags = SLUICE_IF_SCALAR,
                        .pipe = before->pipe,
                        .pc = before->pc,
                        .line = before->line,
                        .source_line = before->source_line};
  for (unsigned r = 0; r < 2 * SLUICE_MAX_REGS; r++)
    o.reg[r] = w->always;
  return o;
}

static void put_scalar(struct writer *w, const struct warp_inst *before) {
  struct warp_inst o = scalar(w, before);
  put(w, &o);
}

static void waited(struct writer *w, uint32_t vector, bool others) {
  for (uint32_t r = 0; r < EXEC_REGISTERS; r++)
    if (w->loaded[r] && (w->loaded[r] == OTHERS ? others : w->loaded[r] <= vector))
      w->loaded[r] = 0;
  w->local &= !others;
}

static void wait_for_data(struct writer *w, const struct warp_inst *in) {
  uint32_t vector = 0;
  bool others = in->flags & SLUICE_IF_BARRIER && w->local;
  for (unsigned r = 0; r < in->nregs; r++) {
    uint32_t l = in->reg[r] == w->always ? 0 : w->loaded[in->reg[r]];
    others |= l == OTHERS;
    vector = l != OTHERS && l > vector ? l : vector;
  }
  if (!vector && !others)
    return;
  put_scalar(w, in);
  waited(w, vector, others);
}

static void note_access(struct writer *w, const struct warp_inst *in) {
  bool address = in->flags & SLUICE_IF_ADDRESS, local = in->space == SLUICE_SP_SHARED;
  w->local |= address && local;
  if (!(in->klass == SLUICE_LOAD && address) && in->klass != SLUICE_ATOMIC && !gcn_loads_param(in))
    return;
  bool vector = address && !local && !(in->flags & SLUICE_IF_SCALAR);
  w->loads += vector;
  for (unsigned r = 0; r < in->ndst; r++)
    if (in->reg[r] != w->always)
      w->loaded[in->reg[r]] = vector ? w->loads : OTHERS;
}

enum { PARAMS_IN_LINE = 4, DESCRIPTORS_IN_LINE = 2, DESCRIPTOR_LINE = 128, LINES = 128 };

void gcn_number_params(struct warp_inst *in, uint32_t n) {
  uint32_t params = 0;
  for (uint32_t i = 0; i < n; i++)
    if (gcn_loads_param(&in[i]))
      in[i].param_line = (uint8_t)(params++ / PARAMS_IN_LINE % LINES);
}

static uint32_t buffers(const struct warp_inst *in, uint32_t n) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < n; i++)
    k += gcn_loads_param(&in[i]) && in[i].bytes == BUFFER_BYTES;
  return k;
}

/* Puts the load of a buffer's descriptor beside the load of the pointer: code uses both, and waits for both, together. */
static void put_descriptor(struct writer *w, const struct warp_inst *in) {
  struct warp_inst o = scalar(w, in);
  o.param_line = (uint8_t)(DESCRIPTOR_LINE + w->descriptors++ / DESCRIPTORS_IN_LINE % LINES);
  o.unit = PTX_UNIT_MEM;
  o.space = SLUICE_SP_PARAM;
  put(w, &o);
}

struct warp_inst *gcn_code(const struct warp_inst *in, uint32_t *n, uint16_t always) {
  struct writer w = {.always = always};
  w.out = xcalloc(4 * (size_t)*n + 1, sizeof *w.out); /* at most a wait and two more for each instruction */
  w.loaded = xcalloc(EXEC_REGISTERS + 1, sizeof *w.loaded);
  bool table = buffers(in, *n) > 1;
  for (uint32_t i = 0; i < *n; i++) {
    wait_for_data(&w, &in[i]);
    if (in[i].klass == SLUICE_BRANCH && in[i].flags & SLUICE_IF_PARTS) {
      put_scalar(&w, &in[i]);
      put_scalar(&w, &in[i]);
    }

    put(&w, &in[i]);
    if (table && gcn_loads_param(&in[i]) && in[i].bytes == BUFFER_BYTES)
      put_descriptor(&w, &in[i]);
    note_access(&w, &in[i]);
  }
  free(w.loaded);
  *n = w.n;
  return w.out;
}
