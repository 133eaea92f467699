/* What the parser makes of a PTX text: declarations, and functions as flat arrays of
 * instructions and operands. It knows syntax only; what an opcode means, and whether it is
 * supported, is decided by lower.c.
 *
 *   ptx_module
 *     vars[]        module-scope .global/.const/.shared variables
 *     funcs[]       .entry and .func, bodies or declarations only (extern)
 *       vars[]      .shared/.local/.param/.const/.global variables declared in the body
 *       params[], rets[]
 *       regs[]      every register of every scope, in order of declaration
 *       insts[] ──first_op──▶ ops[] ──first (vectors, call lists)──▶ ops[]
 *       labels[]    position = index of the instruction that follows
 *     mnemonics[]   each distinct "add.sat.s32" once; instructions name them by index
 */
#ifndef SLUICE_FRONT_PTX_AST_H
#define SLUICE_FRONT_PTX_AST_H

#include "base/error.h"
#include "base/mem.h"
#include "front/ptx/types.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_NONE UINT32_MAX

/* Special registers: a name may carry a component (.x .y .z .w), held in ptx_operand.comp; %envreg its
 * number there, %pm 0..7, or 8..15 for %pm0_64 and up. */
/* clang-format off */
#define PTX_SREGS(X)                                                                                    \
  X(TID, "%tid") X(NTID, "%ntid") X(CTAID, "%ctaid") X(NCTAID, "%nctaid") X(LANEID, "%laneid")          \
  X(WARPID, "%warpid") X(NWARPID, "%nwarpid") X(SMID, "%smid") X(NSMID, "%nsmid")                       \
  X(GRIDID, "%gridid") X(LANEMASK_EQ, "%lanemask_eq") X(LANEMASK_LE, "%lanemask_le")                    \
  X(LANEMASK_LT, "%lanemask_lt") X(LANEMASK_GE, "%lanemask_ge") X(LANEMASK_GT, "%lanemask_gt")          \
  X(CLOCK, "%clock") X(CLOCK_HI, "%clock_hi") X(CLOCK64, "%clock64") X(GLOBALTIMER, "%globaltimer")     \
  X(GLOBALTIMER_LO, "%globaltimer_lo") X(GLOBALTIMER_HI, "%globaltimer_hi") X(ENVREG, "%envreg")        \
  X(PM, "%pm") X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size") X(TOTAL_SMEM_SIZE, "%total_smem_size")        \
  X(AGGR_SMEM_SIZE, "%aggr_smem_size") X(CLUSTERID, "%clusterid") X(NCLUSTERID, "%nclusterid")          \
  X(CLUSTER_CTAID, "%cluster_ctaid") X(CLUSTER_NCTAID, "%cluster_nctaid")                               \
  X(CLUSTER_CTARANK, "%cluster_ctarank") X(CLUSTER_NCTARANK, "%cluster_nctarank")                       \
  X(IS_EXPLICIT_CLUSTER, "%is_explicit_cluster")                                                        \
  X(RESERVED_SMEM_OFFSET_BEGIN, "%reserved_smem_offset_begin")                                          \
  X(RESERVED_SMEM_OFFSET_END, "%reserved_smem_offset_end")                                              \
  X(RESERVED_SMEM_OFFSET_CAP, "%reserved_smem_offset_cap")                                              \
  X(CURRENT_GRAPH_EXEC, "%current_graph_exec") X(RESERVED_SMEM_OFFSET_0, "%reserved_smem_offset_0")     \
  X(RESERVED_SMEM_OFFSET_1, "%reserved_smem_offset_1")
/* clang-format on */

enum ptx_sreg {
#define X(e, text) PTX_SREG_##e,
  PTX_SREGS(X)
#undef X
      PTX_NSREGS
};

enum ptx_operand_kind {
  PTX_OP_REG,   /* id = register index in func->regs; neg: `!%p`, or `-%r`. comp: 0, or 1..4 for `%v.x`..`.w`;
                   'b' or 'h' for the selectors of video instructions, `%r1.b7610`: n digits, u = 0x7610 */
  PTX_OP_INT,   /* u = value, two's complement, sign-extended to 64 bits. comp: 1 if it is WARP_SZ (u = 32),
                   2 if it was computed from WARP_SZ = 32 */
  PTX_OP_F32,   /* u = bits of 0fXXXXXXXX */
  PTX_OP_F64,   /* u = bits of 0dXXXXXXXXXXXXXXXX, or of a decimal literal like 1.5 */
  PTX_OP_SREG,  /* id = enum ptx_sreg, comp = 0..3 for .x.y.z.w (or envreg/pm number) */
  PTX_OP_SYM,   /* id = symbol (see ptx_symbol), u = byte offset: `sym`, `sym+4`; a function's name too */
  PTX_OP_LABEL, /* id = label index in func->labels, or a .branchtargets table (is_table) */
  PTX_OP_ADDR,  /* [base+u]; base operand is ops[first] (REG or SYM), or n==0 for an absolute [imm].
                   With n>=2 more operands follow it: tex's [tex, sampler, {coords}] */
  PTX_OP_VEC,   /* {a,b,..}: ops[first..first+n) */
  PTX_OP_PAIR,  /* a|b: ops[first], ops[first+1]; either may be PTX_OP_SINK */
  PTX_OP_LIST,  /* (a,b,..) of a call: ops[first..first+n) */
  PTX_OP_SINK,  /* _ */
  PTX_OP_STR,   /* "text": id = offset in module strings */
};

/* What the assembler lets operands do; PTX has instructions for it. */
enum ptx_change {
  PTX_AS_IS,
  PTX_NEG_F32,
  PTX_ABS_F32,
  PTX_NEG_F64,
  PTX_ABS_F64,
  PTX_NEG_F16X2,
  PTX_EXTENDED,
  PTX_SIGN_EXTENDED,
  PTX_LOWER_HALF, /* of 64 bits, extended with zeros */
  PTX_UPPER_HALF,
  PTX_NCHANGES
};

struct ptx_operand {
  uint8_t kind, neg, comp, is_table;
  uint16_t n;
  uint16_t change; /* of a register's value before it is read: enum ptx_change */
  uint32_t id;
  uint32_t first;
  uint64_t u;
};

struct ptx_inst {
  uint32_t mnemonic; /* index into module->mnemonics */
  uint32_t line;     /* of the PTX text */
  uint32_t loc;      /* index into func->locs of the .loc in force, or PTX_NONE */
  uint32_t guard;    /* register index of @%p, or PTX_NONE */
  uint32_t first_op;
  uint8_t nops;
  uint8_t guard_neg : 1; /* @!%p */
  uint8_t turned : 1;    /* a branch that the text has the other way round, over a jump */
  uint16_t more;         /* instructions of the text that the assembler left out and this one stands for */
};

struct ptx_loc {
  uint32_t file, line, col;
};

struct ptx_reg {
  const char *name; /* "%r" for a parameterised range member; see num */
  int32_t num;      /* member number of `%r<8>`, or -1 for a plain name */
  uint8_t type;     /* enum ptx_type */
  uint8_t vec;      /* 1, or 2/4 for `.reg .v2 .f32 v` */
};

struct ptx_init_reloc {
  uint64_t at;
  uint32_t size;
  uint32_t sym;
  int64_t addend;
  bool generic;
};

struct ptx_var {
  const char *name;
  uint8_t space, type, vec;
  bool is_extern, is_weak, is_visible, is_common, is_managed;
  bool unsized; /* `.extern .shared .b8 s[]` */
  uint32_t align, line;
  uint64_t size; /* bytes */
  uint8_t *init; /* size bytes, or NULL: zero */
  uint32_t nrelocs;
  struct ptx_init_reloc
      *relocs; /* addresses of symbols in the initialiser; mask()-forms are refused by the parser */
  uint32_t ptr_space, ptr_align; /* params: `.ptr .global .align 4`; 0 if not given */
};

/* A name in a scope: variable, function, or parameter. */
enum ptx_symbol_kind { PTX_SYM_VAR, PTX_SYM_FUNC, PTX_SYM_LOCALVAR, PTX_SYM_PARAM, PTX_SYM_RET };
struct ptx_symbol {
  uint8_t kind;
  uint32_t index; /* module->vars, module->funcs, func->vars, func->params, func->rets */
};

struct ptx_label {
  const char *name;
  uint32_t pos;  /* instruction index; PTX_NONE for a table */
  bool nounroll; /* .pragma "nounroll" stands here */
  uint32_t line;
  uint32_t first, n; /* a .branchtargets/.calltargets table: func->targets[first..first+n) are label ids */
};

struct ptx_func {
  const char *name;
  bool is_entry, is_extern /* no body */, is_visible, is_weak, noreturn;
  uint32_t line;
  uint32_t nparams, nrets, nvars, nregs, nlabels, ninsts, nops, nlocs, nsyms, ntargets;
  struct ptx_var *params, *rets, *vars;
  struct ptx_reg *regs;
  struct ptx_label *labels;
  struct ptx_inst *insts;
  struct ptx_operand *ops;
  struct ptx_loc *locs;
  struct ptx_symbol *syms; /* operand.id of PTX_OP_SYM */
  uint32_t *targets;
  uint32_t reqntid[3], maxntid[3]; /* 0: not given */
  uint32_t cluster[3];             /* .reqnctapercluster; 0: not given */
  uint32_t maxnreg, minnctapersm;
};

struct ptx_module {
  const char *path; /* for messages */
  unsigned version_major, version_minor;
  const char *target;    /* "sm_75" */
  unsigned address_size; /* 64; 32-bit modules are refused */
  uint32_t nvars, nfuncs, nmnemonics, nfiles, nsyms;
  struct ptx_var *vars;
  struct ptx_func *funcs;
  const char **mnemonics;
  const char **files;      /* by .file number, entries may be NULL */
  struct ptx_symbol *syms; /* ptx_init_reloc.sym */
  const char *strings;
  uint64_t text_hash; /* of the source text */
  bool for_sm_90;     /* put into the order of machine code of sm_90 (SCHEDULE_ASSEMBLER9) */
  struct arena arena; /* owns all of the above */
};

/* Parses text[0..n) (need not be NUL-terminated). Errors name path and line, quote the token,
 * and say what was expected; parsing goes on after an error up to 20 findings.
 * Never crashes on any input; recursion is bounded. */
struct ptx_module *ptx_parse(const char *text, size_t n, const char *path, struct error *err);
struct ptx_module *ptx_parse_file(const char *path, struct error *err);
void ptx_module_free(struct ptx_module *m);

/* "%r12" for messages, into buf. */
const char *ptx_reg_name(const struct ptx_func *f, uint32_t reg, char *buf, size_t n);

#endif
