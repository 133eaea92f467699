/* Shared by the files that turn AST instructions into uops. */
#ifndef SLUICE_FRONT_PTX_LOWER_H
#define SLUICE_FRONT_PTX_LOWER_H

#include "front/ptx/program.h"

#define MNEM_TOKENS 16

enum mnem_group { MG_UNKNOWN, MG_ALU, MG_MOV, MG_MEM, MG_CTRL, MG_WARP, MG_MISC };

struct lower;
struct mnem;
/* Emits the uops of instruction `in`. False after lower_fail(). */
typedef bool lower_fn(struct lower *l, const struct ptx_inst *in, const struct mnem *m);

/* A mnemonic taken apart once per module. */
struct mnem {
  const char *text;
  uint8_t ntok;
  struct {
    const char *s;
    uint8_t n;
  } tok[MNEM_TOKENS];
  lower_fn *fn;            /* NULL: not supported */
  struct ptx_op_match op;  /* ALU forms */
  bool leader, terminator; /* begins / ends a basic block */
  bool checked;
};

struct pressure;
struct lower {
  struct program *p;
  struct func *f;
  const struct ptx_func *ast;
  uint32_t func_index;
  struct error *err;
  struct mnem *mnems;
  /* virtual registers: the AST's, then temporaries; lane bytes, 0 = predicate */
  uint8_t *vwidth;
  size_t nv, capv;
  uint32_t cc;               /* virtual register of the carry flag, or PTX_NONE */
  const struct ptx_inst *in; /* being lowered */
  uint32_t in_index;
  slot_t guard;
  uint8_t guard_flags;
  bool first; /* next uop is the first of its instruction */
  /* program-wide arrays under construction */
  struct uop *uops;
  size_t nuops, capuops;
  struct block *blocks;
  size_t nblocks, capblocks;
  uint32_t *post_dominator;   /* by block: the immediate one, or PC_NONE */
  struct loops_around *loops; /* by block, if lanes meet within loops */
  uint32_t *outer;            /* by loop */
  size_t nloops, caploops;
  uint32_t *inst_block;  /* block that begins at or holds an AST instruction */
  uint32_t *const_index; /* hash of the constant pool */
  size_t const_cap, const_n, consts_cap;
  size_t launch_cap;
  struct quick_map quick;
  struct pressure *pressure; /* by function: what registers are estimated from (registers.h) */
  int failures;
};

static inline bool tok_is(const struct mnem *m, unsigned i, const char *s) {
  if (i >= m->ntok)
    return false;
  unsigned k = 0;
  for (; k < m->tok[i].n && s[k]; k++)
    if (m->tok[i].s[k] != s[k])
      return false;
  return k == m->tok[i].n && !s[k];
}
/* Index of the first token equal to s, or 0 (the base never counts). */
unsigned mnem_find(const struct mnem *m, const char *s);
static inline bool mnem_has(const struct mnem *m, const char *s) {
  return mnem_find(m, s) != 0;
}
/* The n-th type token counted from the end (0 = last), or PTX_NOTYPE. */
enum ptx_type mnem_type(const struct mnem *m, unsigned from_end);

enum ptx_space mnem_space(const struct mnem *m); /* PTX_GENERIC if none is named */
bool lower_fail(struct lower *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
const struct ptx_operand *lower_op(const struct lower *l, unsigned i); /* NULL beyond the last */
struct uop *lower_emit(struct lower *l, enum uop_kind kind);
struct uop_ext *lower_ext(struct lower *l, struct uop *u);
bool lower_alu(struct lower *l, const char *row, slot_t d, slot_t a, slot_t b, slot_t c);
slot_t lower_temp(struct lower *l, unsigned lane_bytes);
slot_t lower_const(struct lower *l, uint64_t value, unsigned lane_bytes);
slot_t lower_launch_const(struct lower *l, uint32_t at, unsigned bytes, unsigned lane_bytes, bool is_signed);
/* %ntid or %nctaid of the launch; in entries only, as the above. */
slot_t lower_launch_size(struct lower *l, uint8_t size, uint32_t component);
/* Lane bytes of a type in a register; 0 for predicates. */
unsigned lane_bytes(enum ptx_type t);
unsigned slot_width(const struct lower *l, slot_t s, unsigned otherwise);
/* A source operand of the given type. SLOT_NONE after lower_fail(). */
slot_t lower_src(struct lower *l, const struct ptx_operand *o, enum ptx_type t);
/* A source of any register type; *width tells its lane bytes (immediates get `want`). */
slot_t lower_src_any(struct lower *l, const struct ptx_operand *o, unsigned want, unsigned *width);
/* A destination register as it is. `_` gives a temporary of `want` lane bytes. */
slot_t lower_dst(struct lower *l, const struct ptx_operand *o, unsigned want, unsigned *width);
/* A symbol's address in its own space: value, relative to what `rel` says. False after lower_fail(). */
enum symbol_base {
  SYMBOL_ABSOLUTE,
  SYMBOL_FRAME /* local base of the activation */,
  SYMBOL_DYNAMIC /* dynamic shared memory */
};
bool lower_symbol(struct lower *l, const struct ptx_operand *o, uint64_t *value, enum ptx_space *space,
                  enum symbol_base *rel);
/* An address operand taken apart. */
struct address {
  slot_t base; /* SLOT_NONE: absolute */
  int64_t imm;
  bool wide, frame; /* frame: imm counts from the activation's local base */
  bool entry_param; /* a kernel parameter at imm */
  enum ptx_space space;
};
bool lower_address(struct lower *l, const struct ptx_operand *o, enum ptx_space space, struct address *a);
void lower_set_address(struct lower *l, struct uop *u, const struct address *a, const struct mnem *m,
                       enum ptx_type t, unsigned vec);
void lower_describe_mem(struct lower *l, enum sluice_class klass, const struct mnem *m, enum ptx_space space,
                        unsigned bytes, bool item);
void lower_begin_block(struct lower *l);
uint32_t lower_label_inst(const struct lower *l, uint32_t label);

void lower_mnem(struct lower *l, struct mnem *m); /* fills fn; NULL if unsupported */
void lower_take_apart(struct lower *l, struct mnem *m, const char *text);
void lower_prepare_mnems(struct lower *l);
bool lower_function(struct lower *l);

lower_fn lower_op_alu, lower_op_lop3, lower_op_mov, lower_op_ld, lower_op_st, lower_op_atom, lower_op_cpasync,
    lower_op_prefetch, lower_op_nop, lower_op_fence, lower_op_cvta, lower_op_isspacep, lower_op_bra,
    lower_op_brx, lower_op_call, lower_op_ret, lower_op_exit, lower_op_trap, lower_op_bar, lower_op_shfl,
    lower_op_vote, lower_op_match, lower_op_redux, lower_op_activemask, lower_op_elect, lower_op_warpsync,
    lower_op_mma, lower_op_ldmatrix, lower_op_texture, lower_op_surface, lower_op_query, lower_op_mbarrier,
    lower_op_cluster, lower_op_mapa, lower_cpasync_mbarrier;

/* cfg.c: immediate post-dominators and spin loops of blocks[first..n). */
void cfg_analyse(struct lower *l, uint32_t first_block);
/* A loop: its head and all its blocks, from the function's first on; the same of the next inner loop with this head, if any. */
struct block_loop {
  uint32_t head, size;
  uint64_t *body;
  const uint64_t *inner;
};
/* Immediate post-dominators of a function's blocks, counted from its first; the number of its blocks stands for its end, UINT32_MAX for
 * none. Of a loop: within it, as if nobody left it; its end is where an iteration ends. */
uint32_t *cfg_post_dominators(struct lower *l, uint32_t first_block, const struct block_loop *loop);
/* loops.c: meeting points within loops. */
void loops_meet(struct lower *l, uint32_t first_block);
/* Branches around a single block. */
void cfg_find_then(struct lower *l, uint32_t first_block);
/* Registers an uop reads and writes, in slots.c. */
enum uop_role { UOP_USE, UOP_DEF, UOP_DEF_EARLY /* written while sources may still be read */ };
typedef void uop_visit_fn(void *ctx, slot_t *s, enum uop_role role);
void uop_visit(struct uop *u, uop_visit_fn *fn, void *ctx);
/* Virtual registers that are live where blocks begin. */
struct liveness {
  uint32_t first, nblocks;   /* blocks */
  uint32_t words;            /* of a set of registers */
  const uint64_t *in;        /* by block: the set */
  const uint32_t *global;    /* by virtual register: its number in sets, or PTX_NONE */
  const uint32_t *of_global; /* the reverse */
};
/* uniform.c: marks instructions that a scalar unit can execute for all lanes. */
void uniform_mark(struct lower *l, const struct liveness *v);
/* The innermost loop around a block, as blocks from the target of a branch back to that branch; `to` is 0 where there is none. */
struct around {
  uint32_t from, to;
};
/* contend.c: by block, from v->first on; to be freed. */
struct around *loops_around(const struct lower *l, const struct liveness *v);
/* contend.c: marks blocks with atomics before which other warps have their turn. */
void contend_mark(struct lower *l, const struct liveness *v);
/* unread.c: atomics that machine code of sm_90 waits for though nobody reads their results. */
void unread_mark(struct lower *l, const struct liveness *v);
/* simplify.c: removes uops whose work others can do without. */
void simplify(struct lower *l, const struct liveness *v);
/* quick.c: the shortest way to execute each uop. */
void quick_learn(struct quick_map *m);
void quick_mark(struct lower *l, uint32_t first_block);
/* predicates.c: comparisons that guard instructions. */
void predicates_mark(struct lower *l, uint32_t first_block);
/* slots.c: the registers that instructions of the stream name; simplifies what is left to do. */
void slots_describe(struct lower *l, uint32_t first_block);
/* Virtual registers become slots of the frame. */
void slots_assign(struct lower *l, uint32_t first_block);
uint32_t block_successors(const struct lower *l, const struct block *b, uint32_t *to, uint32_t cap);

#endif
