#include "core/work.h"
#include "front/ptx/ops.h"
#include "core/supply.h"
#include <stdbool.h>

static enum work class_of(const struct warp_inst *in) {
  static const uint8_t of[PTX_NUNITS] = {
      [PTX_UNIT_INT] = WORK_INT,           [PTX_UNIT_IMUL] = WORK_IMUL,
      [PTX_UNIT_IDIV] = WORK_IDIV,         [PTX_UNIT_FP32] = WORK_FP32,
      [PTX_UNIT_FP16] = WORK_FP16,         [PTX_UNIT_FP64] = WORK_FP64,
      [PTX_UNIT_FDIV] = WORK_FDIV,         [PTX_UNIT_DDIV] = WORK_DDIV,
      [PTX_UNIT_SFU] = WORK_SFU,           [PTX_UNIT_CVT] = WORK_CVT,
      [PTX_UNIT_SHUFFLE] = WORK_SHUFFLE,   [PTX_UNIT_CTRL] = WORK_CTRL,
      [PTX_UNIT_BAR] = WORK_BAR,           [PTX_UNIT_MEM] = WORK_MEM,
      [PTX_UNIT_TENSOR] = WORK_TENSOR,     [PTX_UNIT_LOGIC] = WORK_LOGIC,
      [PTX_UNIT_IMAD] = WORK_IMUL,         [PTX_UNIT_IMAX] = WORK_INT,
      [PTX_UNIT_SETP] = WORK_LOGIC,        [PTX_UNIT_ICVT] = WORK_CVT,
      [PTX_UNIT_I2F] = WORK_CVT,           [PTX_UNIT_BITS] = WORK_LOGIC,
      [PTX_UNIT_IMUL64] = WORK_IMUL,       [PTX_UNIT_IMAD64] = WORK_IMUL,
      [PTX_UNIT_VOTE] = WORK_SHUFFLE,      [PTX_UNIT_REDUX] = WORK_SHUFFLE,
      [PTX_UNIT_FMA] = WORK_FMA,           [PTX_UNIT_TENSOR_HALF] = WORK_TENSOR,
      [PTX_UNIT_TENSOR_F64] = WORK_TENSOR, [PTX_UNIT_FMAX] = WORK_FP32,
      [PTX_UNIT_FROOT] = WORK_FDIV,        [PTX_UNIT_DROOT] = WORK_DDIV,
      [PTX_UNIT_SFU_FULL] = WORK_SFU,      [PTX_UNIT_TRIG] = WORK_SFU,
      [PTX_UNIT_FP16X2] = WORK_FP16,       [PTX_UNIT_HCVT] = WORK_CVT,
      [PTX_UNIT_GUARD] = WORK_LOGIC,       [PTX_UNIT_IDIV64] = WORK_IDIV,
      [PTX_UNIT_FRCP] = WORK_FDIV,         [PTX_UNIT_DRCP] = WORK_DDIV,
  };
  enum work w = (enum work)of[in->unit < PTX_NUNITS ? in->unit : PTX_UNIT_INT];
  if (w == WORK_MEM && in->space == SLUICE_SP_PARAM)
    return WORK_PARAM;
  if (w == WORK_LOGIC && in->nregs == in->ndst)
    return WORK_CONSTANT;
  return in->flags & SLUICE_IF_LONG && (w == WORK_INT || w == WORK_LOGIC || w == WORK_IMUL) ? WORK_LONG : w;
}

/* Does an instruction before place `at` of the block move a constant into the register, with no other write since? */
static bool is_constant(const struct warp_inst *block, size_t at, uint16_t reg) {
  enum { FAR = 64 }; /* constants are moved right before they are used */
  for (size_t i = at; i-- && at - i < FAR;)
    for (unsigned k = 0; k < block[i].ndst; k++)
      if (block[i].reg[k] == reg)
        return class_of(&block[i]) == WORK_CONSTANT;
  return false;
}

/* Did the instruction before read the source, too? A register file that keeps its last operands still has it at hand then. */
static bool was_read(const struct warp_inst *before, uint16_t reg) {
  for (unsigned k = before->ndst; k < before->nregs; k++)
    if (before->reg[k] == reg)
      return true;
  return false;
}

static unsigned at_most(unsigned n, unsigned most) {
  return n < most ? n : most;
}

static uint16_t key_of(const struct warp_inst *block, size_t at) {
  const struct warp_inst *in = &block[at];
  unsigned sources = 0, reused = 0;
  for (unsigned i = in->ndst; i < in->nregs; i++) {
    if (is_constant(block, at, in->reg[i]))
      continue;
    sources++;
    reused += at && was_read(&block[at - 1], in->reg[i]);
  }
  sources = at_most(sources, WORK_SOURCES - 1);
  unsigned key = (unsigned)class_of(in) * WORK_SOURCES + sources;
  key = key * WORK_DESTINATIONS + at_most(in->ndst, WORK_DESTINATIONS - 1);
  return (uint16_t)(key * WORK_REUSED + at_most(at_most(reused, sources), WORK_REUSED - 1));
}

void work_numbers_init(struct work_numbers *k) {
  *k = (struct work_numbers){.n = 0};
  pthread_mutex_init(&k->lock, NULL);
}

void work_keys(struct work_numbers *k, struct warp_inst *block, size_t n) {
  pthread_mutex_lock(&k->lock);
  for (size_t i = 0; i < n; i++) {
    uint16_t key = key_of(block, i), *number = &k->number[key];
    if (!*number) {
      k->key[k->n] = key;
      *number = (uint16_t)(k->n + 1);
      __atomic_store_n(&k->n, k->n + 1, __ATOMIC_RELEASE); /* work_sum() may run meanwhile */
    }
    block[i].work = (uint16_t)(*number - 1);
  }
  pthread_mutex_unlock(&k->lock);
}

/* Operands of 64 bits lie in two registers of the file. */
static unsigned width(unsigned work) {
  return work == WORK_LONG || work == WORK_FP64 || work == WORK_DDIV ? 2 : 1;
}

/* Operands of an instruction of a class that no register holds: immediates, parameters, special registers, the address of a memory
 * access. */
static unsigned operands(unsigned work, unsigned sources) {
  static const uint8_t of[NWORKS] = {
      [WORK_INT] = 2,  [WORK_LOGIC] = 2, [WORK_LONG] = 2, [WORK_IMUL] = 2,    [WORK_IDIV] = 2,
      [WORK_FP32] = 2, [WORK_FMA] = 3,   [WORK_FP16] = 2, [WORK_FP64] = 2,    [WORK_FDIV] = 2,
      [WORK_DDIV] = 2, [WORK_SFU] = 1,   [WORK_CVT] = 1,  [WORK_SHUFFLE] = 2,
  };
  bool one = work == WORK_MEM || work == WORK_PARAM || work == WORK_CONSTANT;
  return one ? 1 : of[work] > sources ? of[work] - sources : 0;
}

struct work_sum work_sum(const struct work_numbers *k, const struct work_count of[WORK_KEYS]) {
  struct work_sum sum = {0};
  uint32_t n = __atomic_load_n(&k->n, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < n; i++) {
    unsigned key = k->key[i];
    unsigned again = key % WORK_REUSED, destinations = key / WORK_REUSED % WORK_DESTINATIONS,
             sources = key / WORK_REUSED / WORK_DESTINATIONS % WORK_SOURCES,
             w = key / WORK_REUSED / WORK_DESTINATIONS / WORK_SOURCES;
    sum.warps[w] += of[i].warps;
    sum.lanes[w] += of[i].lanes;
    sum.register_reads += of[i].lanes * sources * width(w);
    sum.register_writes += of[i].lanes * destinations * width(w);
    sum.register_reused += of[i].lanes * again * width(w);
    sum.other_operands += of[i].lanes * operands(w, sources);
  }
  sum.operands = sum.warps[WORK_PARAM] + sum.warps[WORK_CONSTANT];
  return sum;
}
