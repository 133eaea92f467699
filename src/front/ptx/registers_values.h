/* The values of a function as an assembler sees them. A leaf is a virtual register that has to be in a register of
 * the machine; other values are computed where they are read, from a leaf, or are the same in all threads. */
#ifndef SLUICE_FRONT_PTX_REGISTERS_VALUES_H
#define SLUICE_FRONT_PTX_REGISTERS_VALUES_H

#include "front/ptx/lower.h"

/* What matters about an opcode. LOW: the low bits of the result follow from the low bits of the sources. WIDE: a
 * multiply-add of the address unit does it on the way. */
enum value_op { OP_OTHER, OP_COPY, OP_LOW, OP_SHIFT, OP_WIDE, OP_ADD };

struct value_reg {
  uint32_t def;  /* the uop that writes it, or PTX_NONE */
  uint32_t leaf; /* what it is computed from: itself, another register, VALUE_FREE; PTX_NONE: not known yet */
  uint32_t global;          /* its number among leaves that live across blocks, or PTX_NONE */
  uint32_t block, last_use; /* the block of all uses, or VALUE_FREE if there are several; the last of them */
  bool many;                /* written in several places, or partly */
  bool needed;              /* something that matters reads it */
  bool plain;               /* is read other than as an address */
  bool vector;              /* threads of a warp may have different values */
  uint8_t demand;           /* bytes that matter */
};
#define VALUE_FREE (PTX_NONE - 1)

/* A uop in leaves. */
struct value_node {
  uint32_t first_use, nuse, first_def, ndef; /* into regvalues.leaves */
  uint32_t constants;                        /* registers for constants while it executes */
};

struct regvalues {
  struct lower *l;
  uint32_t first, nblocks, first_uop, nuops;
  bool cheap; /* compute sums of one register and uniform values again wherever they are read */
  struct value_reg *reg;
  uint8_t *op;        /* by uop, from first_uop: enum value_op */
  bool *dead;         /* by uop */
  uint32_t *block_of; /* by uop */
  struct value_node *node;
  uint32_t *leaves;
  size_t nleaves, cap_leaves;
  uint64_t *in, *out; /* by block: sets of global leaves */
  uint32_t *of_global, nglobal, words;
  uint32_t *to, cap_to; /* scratch: successors of a block */
  /* of the walk that is under way */
  uint32_t at;
  bool flag, changed;
  uint8_t give;
  uint32_t depth;
};

/* registers_facts.c: fills reg[], op[] and dead[]. */
void regvalues_learn(struct regvalues *e);
void regvalues_find(struct regvalues *e, struct lower *l, uint32_t first_block, bool cheap);
void regvalues_free(struct regvalues *e);

static inline struct uop *regvalues_uop(const struct regvalues *e, uint32_t i) {
  return &e->l->uops[i];
}
static inline struct value_reg *regvalues_reg(const struct regvalues *e, slot_t s) {
  return SLOT_AREA(s) == SLOT_REG ? &e->reg[SLOT_OFFSET(s)] : NULL;
}
static inline bool regvalues_memory(const struct uop *u) {
  return u->kind == U_LD || u->kind == U_ST || u->kind == U_ATOM;
}
/* Addresses of shared and local memory have 32 bits, whatever the register they stand in. */
static inline uint8_t regvalues_address_bytes(const struct uop *u) {
  return u->x->space == PTX_SHARED || u->x->space == PTX_LOCAL ? 4 : 8;
}
static inline const struct value_node *regvalues_node(const struct regvalues *e, uint32_t i) {
  return &e->node[i - e->first_uop];
}
/* Registers of 32 bits that a leaf takes; predicates have registers of their own. */
static inline uint32_t regvalues_weight(const struct regvalues *e, uint32_t v) {
  uint8_t d = e->l->vwidth[v] ? e->reg[v].demand : 0;
  return d > 8 ? 4 : d > 4 ? 2 : d ? 1 : 0;
}
static inline bool regvalues_live(const struct regvalues *e, const uint64_t *set, uint32_t v) {
  uint32_t g = e->reg[v].global;
  return g != PTX_NONE && set[g / 64] >> g % 64 & 1;
}
uint32_t regvalues_sum(const struct regvalues *e, const uint64_t *set);
/* Has it an effect besides its results? */
bool regvalues_effect(const struct uop *u);
/* The mnemonic it comes from, or NULL. */
const struct mnem *regvalues_mnem(const struct regvalues *e, const struct uop *u);

#endif
