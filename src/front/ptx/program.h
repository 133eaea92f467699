/* A lowered program: what the executor runs.
 *
 * A PTX instruction becomes one or more micro-operations (uops); uops stand in basic blocks that
 * are numbered through the whole program. Operands are slots (see ops.h), named by 32 bits:
 *
 *    31 30 | 29 .. 0
 *    which | byte offset from the base of that area
 *      0     the current frame's registers (before slots.c: the virtual register's number)
 *      1     the program's constants
 *      2     the launch's constants (kernel parameters)
 *      3     none
 */
#ifndef SLUICE_FRONT_PTX_PROGRAM_H
#define SLUICE_FRONT_PTX_PROGRAM_H

#include "front/exec.h"
#include "front/ptx/ast.h"
#include "front/ptx/ops.h"
#include "front/ptx/quick.h"
#include "front/texture/texture.h"
#include "sluice_stream.h"

typedef uint32_t slot_t;
#define SLOT_AREA(s)         ((s) >> 30)
#define SLOT_OFFSET(s)       ((s)&0x3fffffffu)
#define SLOT_MAKE(area, off) ((slot_t)(area) << 30 | (off))
#define SLOT_NONE            SLOT_MAKE(3u, 0u)
enum slot_area { SLOT_REG, SLOT_CONST, SLOT_LAUNCH, SLOT_NOTHING };

/* Generic addresses carry their space in the top byte; global and const ones are plain.
 * A shared address also carries its CTA, so that a pointer handed to another CTA is noticed. */
#define WINDOW_SHARED    UINT64_C(0x0100000000000000)
#define WINDOW_LOCAL     UINT64_C(0x0200000000000000)
#define WINDOW_PARAM     UINT64_C(0x0300000000000000)
#define WINDOW_SHIFT     56
#define SHARED_CTA_SHIFT 24 /* 16 MiB of shared memory per CTA, 2^31 CTAs */

enum uop_kind {
  U_ALU,       /* fn(d, a, b, c, e) */
  U_ALU_ROUND, /* the same in rounding mode aux */
  U_SREG,      /* d = special register aux, component aux2 */
  U_PACK,      /* d = { x->regs } */
  U_UNPACK,    /* { x->regs } = a */
  U_LEA_LOCAL, /* d = frame's local base + x->imm */
  U_CVTA,      /* d = a to (aux2 = 1) or from generic space aux */
  U_ISSPACEP,  /* d = a lies in space aux */
  U_LD,
  U_ST,
  U_ATOM, /* also red: d none */
  U_CPASYNC,
  U_PREFETCH,
  U_TEXTURE, /* aux: enum texture_op; registers: header, sampler, coordinates, data; then x->vec results */
  U_ACTIVEMASK,
  U_SHFL,
  U_VOTE,
  U_MATCH,
  U_REDUX,
  U_ELECT,
  U_MMA,      /* x->imm: mma.h; registers: members, a, b, c, then x->vec results */
  U_LDMATRIX, /* members, sources, then x->vec results */
  U_WARPSYNC,
  U_NOP, /* no functional effect: fences, nanosleep, hints */
  /* block terminators */
  U_BRA,
  U_BRX,
  U_CALL,
  U_RET,
  U_EXIT,
  U_TRAP,
  U_BAR,
};

enum {
  UF_GUARD = 1,
  UF_GUARD_NEG = 2,
  UF_FIRST = 4, /* first uop of a PTX instruction */
  UF_PAIR = 8,  /* a setp of quick.h, and the U_BRA right behind it whose guard is the result */
  UF_WORD = 16, /* U_LD or U_ST with x->word */
  UF_ONCE = 64, /* arithmetic whose result is read in one place */
  UF_NEAR = 32, /* U_LD of 4 bytes from shared memory into a register of 4, at a register's address */
};

/* What a U_TEXTURE does. */
enum texture_op { TEXTURE_FETCH, TEXTURE_GATHER, TEXTURE_LOAD, TEXTURE_STORE, TEXTURE_QUERY };
/* suld, sust: what happens outside the surface; x->op */
enum texture_bounds { BOUNDS_TRAP, BOUNDS_CLAMP, BOUNDS_ZERO };
/* txq, suq; x->op */
enum texture_query {
  QUERY_WIDTH,
  QUERY_HEIGHT,
  QUERY_DEPTH,
  QUERY_CHANNEL_TYPE,
  QUERY_CHANNEL_ORDER,
  QUERY_NORMALIZED,
  QUERY_LAYERS,
  QUERY_FILTER,
  QUERY_ADDRESS0,
  QUERY_ADDRESS1,
  QUERY_ADDRESS2,
  QUERY_MIPMAPS,
  QUERY_SAMPLES,
  QUERY_LINEAR_MEMORY,
};
/* x->imm of a U_TEXTURE */
enum {
  TEXTURE_SAMPLER = 1,   /* a sampler's word follows the header's address */
  TEXTURE_INTEGER = 2,   /* coordinates are integers */
  TEXTURE_FORMATTED = 4, /* sust.p: numbers, to be converted; otherwise bytes */
};

struct uop {
  uint8_t kind, flags, aux, aux2;
  uint32_t inst; /* instruction of the function's AST */
  slot_t guard, d, a, b, c, e;
  uint32_t target; /* block of U_BRA; callee of U_CALL; UF_WORD: x->id */
  uint8_t quick;   /* enum uop_quick */
  ptx_op_fn *fn;
  struct uop_ext *x;
};

/* How a lane's address follows from base (operand b, the same in all lanes, or none) and a: what it adds
 * to base + imm. */
enum uop_index {
  INDEX_NONE, /* a */
  INDEX_32,   /* 4 * a, of 32 bits with sign */
  INDEX_LOW,  /* 4 * the lower half of a, with sign */
  INDEX_KINDS
};

#define UOP_MAX_REGS 16
/* What does not fit a uop: memory accesses, vectors, barriers, calls. */
struct uop_ext {
  int64_t imm;                    /* address offset */
  int64_t imm2;                   /* cp.async: the shared side's */
  uint32_t id;                    /* index into per-launch tables (buffer hints) */
  uint8_t space;                  /* enum ptx_space */
  uint8_t type;                   /* enum ptx_type of one element */
  uint8_t size;                   /* its bytes */
  uint8_t vec;                    /* elements */
  uint8_t addr64;                 /* address register is 64 bits wide (cp.async: bit 1 for the shared side) */
  uint8_t frame;                  /* address counts from the frame's local base */
  uint8_t cache_op;               /* enum sluice_cache_op */
  uint8_t is_volatile;            /* or relaxed, acquire, release */
  uint8_t op;                     /* atomics: enum atom_op; others: sub-operation */
  uint8_t index;                  /* enum uop_index; not INDEX_NONE: with `word` only */
  uint8_t kind;                   /* enum tally_kind of its instruction */
  bool word;                      /* 4 bytes of global memory at a 64-bit address: lanes_word.h may do it */
  const struct uop_ext *producer; /* word loads: the one before it in the block, or NULL */
  uint8_t nregs;
  uint8_t width[UOP_MAX_REGS]; /* lane bytes of regs[i] */
  slot_t
      regs[UOP_MAX_REGS]; /* vector elements, SLOT_NONE for `_`; atomics: sources, results from ATOM_RESULT */
  /* calls: each argument goes to an offset of the callee's local frame or one of its registers */
  uint32_t nargs, nrets;
  struct call_arg *args, *rets;
  /* brx */
  uint32_t *targets;
  uint32_t ntargets;
};

struct call_arg {
  bool from_reg, to_reg;
  slot_t reg;      /* caller's register or constant (from_reg for args) */
  uint32_t local;  /* else offset in the caller's local frame */
  uint32_t formal; /* offset in the callee's local frame, unless to_reg */
  uint32_t bytes;
};

#define ATOM_RESULT 8

enum atom_op {
  ATOM_ADD,
  ATOM_MIN,
  ATOM_MAX,
  ATOM_AND,
  ATOM_OR,
  ATOM_XOR,
  ATOM_EXCH,
  ATOM_CAS,
  ATOM_INC,
  ATOM_DEC,
  ATOM_MBARRIER, /* a step of an mbarrier */
};

/* Counts in an mbarrier's word; a step whose arrivals leave for good. */
#define MBARRIER_COUNT 0xfffffu
#define MBARRIER_DROP  0x80000000u

enum {                   /* properties of a block */
       BF_SYNC = 1,      /* begins with a warp-synchronous instruction */
       BF_SPIN = 2,      /* head of a loop that reads what others may write: worth watching */
       BF_SYNC_LOOP = 4, /* head of a loop with atomics, volatile reads, fences or sleeps */
       BF_CONTENDED = 8, /* has an atomic that comes after what other warps have read (contend.c) */
       BF_ATTEMPTS =
           16, /* BF_CONTENDED, and the atomic is a CAS in a loop that goes on until the CAS succeeds */
       BF_LEAVES = 32, /* lanes may leave a loop at its end within which others may wait for them (loops.c) */
       BF_LEAVES_TAKEN = 64, /* ... those that take the branch */
       BF_HEAD = 128,        /* head of such a loop */
};

struct block {
  uint32_t first, end; /* uops */
  uint32_t func;
  uint32_t
      rpc; /* where lanes that part at its end meet: the immediate post-dominator, or nearer (loops.c); or PC_NONE */
  uint32_t next; /* block that follows in the text, or PC_NONE */
  uint32_t ninst;
  uint32_t weight;     /* instructions of the text that it stands for: what turns are counted in */
  uint32_t first_inst; /* in the function's sluice_inst table */
  uint32_t flags;
  uint32_t then; /* the block that some lanes pass before all meet at rpc, if it is just one; or PC_NONE */
  uint32_t live_first, live_n;       /* BF_SPIN: func->live slots that are live at its head */
  const struct uop *code, *code_end; /* first and end, once the program is complete */
};
/* Loops around a block, by number, or PC_NONE. */
struct loops_around {
  uint32_t inner; /* the innermost */
  uint32_t left;  /* BF_LEAVES: the outermost that a branch at the block's end leaves */
};
#define PC_NONE UINT32_MAX
#define PC_RET  (UINT32_MAX - 1)

/* A kernel parameter (or part of one) wanted as a slot, or the size of block or grid; each launch fills them in. */
struct launch_const {
  uint32_t at; /* in the parameter block; of a size: its component */
  uint32_t bytes, lane_bytes;
  bool is_signed;
  uint8_t size; /* 0, or SIZE_BLOCK, SIZE_GRID */
};
enum { SIZE_BLOCK = 1, SIZE_GRID };
/* The first launch slot always holds where dynamic shared memory begins (8-byte lanes). */
#define LAUNCH_DYNAMIC_SHARED SLOT_MAKE(SLOT_LAUNCH, 0u)
#define LAUNCH_FIRST          256u

struct live_slot {
  slot_t slot;
  uint32_t width; /* lane bytes; 0 = predicate */
};

/* Functions that are declared only: what the device runtime supplies, and what the OpenCL library of
 * clang lacks. Calling any other is a fault. */
enum intrinsic {
  INTRIN_NONE,
  INTRIN_MISSING,
  INTRIN_VPRINTF,
  INTRIN_MALLOC,
  INTRIN_FREE,
  INTRIN_ASSERTFAIL,
  INTRIN_WORK_DIM,
  INTRIN_GLOBAL_OFFSET,
  INTRIN_LOCAL_SIZE,
  INTRIN_GLOBAL_LINEAR_ID,
  INTRIN_LOCAL_LINEAR_ID,
};
#define VARARG_BYTES 1024u /* the most a variadic call passes */

enum { PTX_NAMES = 1024 };

struct func {
  const struct ptx_func *ast;
  enum intrinsic intrinsic;
  bool has_body, uses_workspace, uses_reserved_shared;
  uint32_t entry;              /* block */
  uint32_t frame_bytes;        /* registers, per 32 lanes */
  uint32_t registers;          /* 32-bit registers per thread */
  uint32_t local_bytes;        /* .local and .param variables of one activation, per thread */
  uint32_t local_align;        /* where they may begin: a power of two */
  uint32_t *param_at, *ret_at; /* offsets in the parameter block (entries) or the local frame */
  uint64_t *var_at; /* by AST variable: device address, shared or local offset, as its space says */
  slot_t *param_reg, *ret_reg; /* `.reg` parameters of old-style functions */
  struct live_slot *zero;      /* registers that may be read before they are written */
  uint32_t nzero;
  struct live_slot *live;
  uint32_t nlive;
  struct sluice_inst *insts;      /* by AST instruction */
  uint64_t named[PTX_NAMES / 64]; /* set of the registers that they name, modulo PTX_NAMES */
  struct kernel_info info;
  const char *refused;    /* what of it cannot be run, in lines; NULL: nothing */
  uint32_t static_shared; /* bytes of shared memory it and its callees may touch */
  struct launch_const *launch_consts;
  uint32_t nlaunch_consts, launch_bytes;
};

struct program {
  struct ptx_module *ast;
  struct devmem *mem;
  struct arena arena;
  struct uop *uops;
  uint32_t nuops;
  struct block *blocks;
  uint32_t nblocks;
  struct loops_around *loops; /* by block, where lanes meet within loops; else NULL */
  uint32_t *outer;            /* by loop: the next around it, or PC_NONE */
  struct func *funcs;         /* by AST function */
  uint64_t *var_addr;         /* by AST module variable: device address, or shared offset */
  uint8_t *consts;            /* constant slots */
  uint32_t consts_bytes;
  uint32_t nmemops; /* ids of uop_ext handed out */
  bool contended;   /* has blocks with BF_CONTENDED */
};

#endif
