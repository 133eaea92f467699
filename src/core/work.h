/* Counts of issued instructions for the energy model: how many of each class, with how many lanes and registers.
 *
 * An instruction's key, of class and numbers of registers, is found when its block is decoded. Keys are numbered as they appear, so that
 * the counts of a kernel lie side by side; issuing the instruction adds to the count of this number. Sums over classes and registers
 * are made when counters are read. */
#ifndef SLUICE_CORE_WORK_H
#define SLUICE_CORE_WORK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* X(id, name, what): classes of instructions */
#define WORK_CLASSES(X)                                                                                      \
  X(INT, "int", "integer addition, minimum and maximum")                                                     \
  X(LOGIC, "logic", "moves, logic, shifts, comparisons and selections")                                      \
  X(LONG, "long", "integer operations of 64 bits")                                                           \
  X(IMUL, "imul", "integer multiplication, with or without addition")                                        \
  X(IDIV, "idiv", "integer division")                                                                        \
  X(FP32, "fp32", "f32 addition, multiplication, minimum and maximum")                                       \
  X(FMA, "fma", "f32 multiplication and addition")                                                           \
  X(FP16, "fp16", "f16 arithmetic")                                                                          \
  X(FP64, "fp64", "f64 arithmetic")                                                                          \
  X(FDIV, "fdiv", "f32 division, square root and reciprocal")                                                \
  X(DDIV, "ddiv", "f64 division, square root and reciprocal")                                                \
  X(SFU, "sfu", "approximate functions")                                                                     \
  X(CVT, "cvt", "conversions")                                                                               \
  X(SHUFFLE, "shuffle", "warp-wide operations")                                                              \
  X(TENSOR, "tensor", "matrices of a warp")                                                                  \
  X(CTRL, "ctrl", "branches, calls and returns")                                                             \
  X(BAR, "bar", "barriers")                                                                                  \
  X(MEM, "mem", "loads, stores and atomics")                                                                 \
  X(PARAM, "param", "loads of parameters")                                                                   \
  X(CONSTANT, "constant", "moves of constants and special registers")

enum work {
#define X(id, name, what) WORK_##id,
  WORK_CLASSES(X)
#undef X
      NWORKS
};

/* Numbers of registers that are counted apart: sources, 0 to 4 or more; destinations, 0 to 3 or more; sources that the
 * instruction before read as well, 0 to 3 or more. */
enum {
  WORK_SOURCES = 5,
  WORK_DESTINATIONS = 4,
  WORK_REUSED = 4,
  WORK_KEYS = NWORKS * WORK_SOURCES * WORK_DESTINATIONS * WORK_REUSED
};

/* The numbers of keys, of a GPU: several threads decode. */
struct work_numbers {
  pthread_mutex_t lock;
  uint32_t n;
  uint16_t key[WORK_KEYS];
  uint16_t number[WORK_KEYS]; /* of each key, plus 1; 0: none */
};
void work_numbers_init(struct work_numbers *k);

struct work_count {
  uint64_t warps, lanes;
};

struct work_sum {
  uint64_t warps[NWORKS], lanes[NWORKS];
  uint64_t
      operands; /* warps of the last two classes, which machine code has as operands of other instructions */
  uint64_t register_reads, register_writes, register_reused; /* lanes times registers */
  uint64_t other_operands;                                   /* lanes times operands that no register holds */
};

struct warp_inst;
/* Fills `work` of the instructions of a block. A register that holds a constant, as the block itself shows, is no operand from the
 * register file. */
void work_keys(struct work_numbers *k, struct warp_inst *block, size_t n);
struct work_sum work_sum(const struct work_numbers *k, const struct work_count of[WORK_KEYS]);

#endif
