/* Shared by the files of this folder: a function on its way through the assembler.
 *
 *   blocks[] ── v[] ──first_op──▶ ops[]
 *      ▲                           │ label
 *      └─────── label_block[] ◀────┘
 *
 * Blocks stand in the order of the text; a block that no branch ends falls into the next. */
#ifndef SLUICE_FRONT_PTX_ASSEMBLE_ASM_H
#define SLUICE_FRONT_PTX_ASSEMBLE_ASM_H

#include "front/ptx/assemble/assemble.h"
#include "front/ptx/lower.h"

enum asm_kind {
  ASM_FIXED, /* nothing moves across it */
  ASM_PURE,  /* its results follow from its sources */
  ASM_LOAD,
  ASM_STORE,
  ASM_ATOM, /* also red: keeps its place among accesses */
  ASM_PIN,  /* the same, and among all of them: barriers, fences, volatile accesses, warp-wide instructions */
  ASM_END,  /* ends its block */
};

/* A mnemonic as the assembler sees it. */
struct asm_traits {
  uint8_t kind;    /* enum asm_kind */
  uint8_t space;   /* of an access: enum ptx_space */
  uint8_t bytes;   /* of an access, whole vector */
  bool has_result; /* operand 0 is written */
  bool keeps;      /* whether registers are read or written is not known: both */
  bool read_only;  /* a load of what nobody writes */
  bool lanes;      /* among lanes alone: shuffles, votes */
  bool cc_in, cc_out;
  uint16_t latency; /* cycles until a result can be read */
};

struct asm_block {
  struct ptx_inst *v;
  size_t n, cap;
};

struct asm_fn {
  struct ptx_module *m;
  struct ptx_func *f;
  struct lower *mnems; /* mnemonics taken apart */
  struct asm_traits **traits;
  struct ptx_operand *ops;
  size_t nops, capops;
  struct ptx_reg *regs;
  size_t nregs, capregs;
  struct ptx_label *labels;
  size_t nlabels, caplabels;
  uint32_t *label_block; /* by label: its block, or PTX_NONE */
  size_t caplabel_block;
  struct asm_block *blocks;
  size_t nblocks, capblocks;
  enum front_schedule schedule;
  bool
      order_shows; /* atomics whose order can be seen in results: how often a warp goes round must not change */
  uint32_t carry;  /* register that stands for the carry flag */
  unsigned budget; /* 32-bit registers per thread */
};

/* effects.c */
void asm_traits_of(const struct mnem *m, struct asm_traits *t);
static inline const struct asm_traits *asm_traits(const struct asm_fn *a, const struct ptx_inst *in) {
  return &(*a->traits)[in->mnemonic];
}
/* The carry flag is one more register. */
static inline uint32_t asm_cc(const struct asm_fn *a) {
  return a->carry;
}
enum asm_role { ASM_USE, ASM_DEF, ASM_DEF_PART /* lanes or parts of it keep what they had */ };
typedef void asm_visit_fn(void *ctx, uint32_t reg, enum asm_role role);
/* Registers that an instruction reads and writes; a partial write counts as both, read first. */
void asm_visit(const struct asm_fn *a, const struct ptx_inst *in, asm_visit_fn *fn, void *ctx);
/* The same, with the places where they are named, so that other registers can be put there. */
typedef void asm_place_fn(void *ctx, uint32_t *reg, enum asm_role role);
void asm_visit_places(const struct asm_fn *a, struct ptx_inst *in, asm_place_fn *fn, void *ctx);
/* Instructions of the text that leave this block: its last one stands for them, so that turns stay the same. */
void asm_account(struct asm_block *k, size_t n);
/* Kind of this instruction: its mnemonic's, unless an operand says more. */
enum asm_kind asm_kind(const struct asm_fn *a, const struct ptx_inst *in);
/* Reads a kernel's parameter: never a fault. */
bool asm_is_param(const struct asm_fn *a, const struct ptx_inst *in);

/* weight.c: by register, the 32-bit registers that it takes; to be freed. */
uint8_t *asm_weights(struct asm_fn *a);

/* cost.c: machine instructions that instruction i of a block is, about. */
unsigned asm_cost(const struct asm_fn *a, const struct asm_block *k, size_t i);

/* alias.c: where an access goes. */
struct asm_place {
  uint8_t space;
  bool known, is_symbol; /* base is a register in its state `version`, or a symbol */
  uint32_t base, version;
  uint32_t name; /* symbol beside the register, or PTX_NONE */
  int64_t at;
  uint32_t bytes;
};
struct asm_place asm_place(const struct asm_fn *a, const struct ptx_inst *in, const uint32_t *version);
bool asm_may_overlap(const struct asm_fn *a, const struct asm_place *x, const struct asm_place *y);

/* make.c: new instructions. */
struct ptx_inst asm_clone(struct asm_fn *a, const struct ptx_inst *in); /* with operands of its own */
uint32_t asm_new_reg(struct asm_fn *a, uint32_t like);
uint32_t asm_new_label(struct asm_fn *a); /* of no block yet */
uint32_t asm_mnemonic(struct asm_fn *a, const char *text);
/* An instruction of these operands, at the place of `from`. */
struct ptx_inst asm_inst(struct asm_fn *a, const struct ptx_inst *from, const char *mnemonic,
                         const struct ptx_operand *ops, unsigned n);
struct ptx_operand asm_op_reg(uint32_t reg);
struct ptx_operand asm_op_int(int64_t value);
struct ptx_operand asm_op_label(uint32_t label);
struct ptx_operand asm_op_pair(struct asm_fn *a, const struct ptx_operand both[2]);
struct ptx_operand asm_op_vector(struct asm_fn *a, const uint32_t *regs, unsigned n);

/* flow.c */
struct asm_live {
  size_t nblocks, nregs; /* when it was found out */
  uint32_t words;        /* of a set of registers */
  uint64_t *in, *out;    /* by block: registers live at its head, at its end */
  uint32_t *number;      /* by register: its number in sets, or PTX_NONE */
  uint32_t *of_number;   /* the reverse */
};
void asm_liveness(const struct asm_fn *a, struct asm_live *v);
/* By register: live at the end of block b? Room for the registers there were. */
void asm_live_at_end(const struct asm_fn *a, const struct asm_live *v, size_t b, uint8_t *live);
void asm_live_at_head(const struct asm_live *v, size_t b, uint8_t *live);
void asm_live_free(struct asm_live *v);
/* Blocks that may follow b, PTX_NONE for none; at most two unless b ends in a jump table. */
size_t asm_successors(const struct asm_fn *a, size_t b, uint32_t *to, size_t cap);

/* narrow.c: values of 8 and 16 bits in registers of 32. */
void asm_widen(struct asm_fn *a);

/* fold.c: copies and sums that others can do with; then sums in addresses, which unrolling leaves. */
void asm_fold(struct asm_fn *a);
/* Without what nobody reads. */
void asm_leave_dead(struct asm_fn *a);
/* address.c: sums of addresses of 32 bits and extended numbers. What is not needed any more is left for asm_fold_unrolled(). */
void asm_narrow_addresses(struct asm_fn *a);
/* Names of shared memory in addresses, once loads are joined. */
void asm_take_names(struct asm_fn *a);
/* logic.c: logic of three inputs, atomics without results. What is not needed any more is left for asm_fold_unrolled(). */
void asm_combine(struct asm_fn *a);
void asm_fold_unrolled(struct asm_fn *a);

/* select.c: selections that are guarded instructions. What is not needed any more is left. */
void asm_select_by_predicates(struct asm_fn *a);
/* operands.c: what operands do to their registers. What is not needed any more is left. */
void asm_take_operands(struct asm_fn *a);

/* sums.c: products that sums of 64 bits take along; then, where addresses are settled, sums of three. */
void asm_join_products(struct asm_fn *a);
void asm_join_sums(struct asm_fn *a);

/* By block: branches that lead there, falling into it not counted. Room for all, cleared. */
void asm_targets(const struct asm_fn *a, uint32_t *entries);
/* Blocks that only the one before leads to become part of it. */
void asm_merge_blocks(struct asm_fn *a);

/* vary.c: by register, may lanes have different values? To be freed. */
bool *asm_varying(const struct asm_fn *a);

/* predicate.c: short branches become predicates. */
void asm_predicate(struct asm_fn *a);
void asm_straighten(struct asm_fn *a);

/* unroll.c: loops with a counter, several iterations at a time. */
void asm_unroll(struct asm_fn *a);

/* reload.c: what is loaded twice. */
void asm_leave_reloads(struct asm_fn *a);

/* join.c: neighbouring loads of shared memory. */
void asm_join(struct asm_fn *a);

/* copies.c: registers of copies that can be one register. */
void asm_unite_copies(struct asm_fn *a);

/* list.c: instructions of each block in an order that lets results arrive before they are wanted. */
void asm_schedule(struct asm_fn *a);
/* A text that needs more registers as it stands gets them, and some for loads in flight. */
void asm_raise_budget(struct asm_fn *a);

#endif
