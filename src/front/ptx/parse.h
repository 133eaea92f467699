/* Inside the parser: what its files share. Not for use outside parse*.c.
 *
 *   parse.c        the module: directives, .file, .section, files in, module out
 *   parse_decl.c   variables and parameters        parse_init.c   their initialisers
 *   parse_reg.c    registers
 *   parse_func.c   function heads and bodies: scopes, registers, labels, .loc
 *   parse_inst.c   instructions                    parse_operand.c  operands and names
 *   parse_expr.c   constant expressions
 *   parse_names.c  names in scopes                 parse_error.c  findings
 *
 * Arrays of the function at hand grow in scratch space that is used again for the next function,
 * and are copied to the module's arena when it ends. */
#ifndef SLUICE_FRONT_PTX_PARSE_H
#define SLUICE_FRONT_PTX_PARSE_H

#include "front/ptx/ast.h"
#include "front/ptx/lex.h"

enum {
  PTX_MAX_FINDINGS = 20,
  PTX_MAX_SCOPES = 128,
  PTX_MAX_DEPTH = 256, /* of parentheses in an expression */
  PTX_MAX_DIMS = 8,
  PTX_MAX_REGS = 1 << 20, /* per function */
  PTX_MAX_FILE = 1 << 16,
};
#define PTX_MAX_VAR_BYTES  ((uint64_t)1 << 40)
#define PTX_MAX_INIT_BYTES ((uint64_t)1 << 30) /* of a module */

#define VEC(T)                                                                                               \
  struct {                                                                                                   \
    T *v;                                                                                                    \
    size_t n, cap;                                                                                           \
  }
#define PUSH(x)                                                                                              \
  (*((x).v = (x).n < (x).cap ? (x).v : vec_grow((x).v, (x).n, &(x).cap, sizeof *(x).v), &(x).v[(x).n++]))

/* ---- names ---- */

enum ptx_name_kind {
  NAME_KEYWORD, /* index = enum ptx_keyword, count = its argument */
  NAME_MNEMONIC,
  NAME_REG,    /* a plain register */
  NAME_RANGE,  /* `%r<8>`: the prefix; members are index..index+count */
  NAME_LOWEST, /* count = lowest n of the plain registers named prefix+n, to notice clashes */
  NAME_SREG,   /* index = enum ptx_sreg, count = component if it has no other */
  NAME_SREGS,  /* %envreg<32> */
  NAME_SYM,    /* variable, parameter, function: sym_kind, index */
  NAME_LABEL,
};

struct ptx_name {
  const char *s;
  uint32_t len, hash, next, line;
  uint8_t kind, sym_kind, scope;
  uint32_t index, count;
  uint32_t sym, sym_body; /* its number in the syms[] of the body numbered sym_body */
};

/* A hash table whose newest entry of a name is found first, so that leaving a scope is popping. */
struct ptx_names {
  VEC(struct ptx_name) entries;
  uint32_t *heads; /* entry number + 1 */
  uint32_t mask;
};

void ptx_names_init(struct ptx_names *t, uint32_t buckets);
void ptx_names_free(struct ptx_names *t);
struct ptx_name *ptx_names_add(struct ptx_names *t, enum ptx_name_kind kind, const char *s, uint32_t len);
void ptx_names_pop(struct ptx_names *t, size_t to);
/* The newest entry with this name, then the next older one. */
struct ptx_name *ptx_names_find(const struct ptx_names *t, const char *s, uint32_t len);
struct ptx_name *ptx_names_older(const struct ptx_names *t, const struct ptx_name *e);

/* ---- the parser ---- */

/* A use of a name that only the end of a scope can tell: a label, before or after it. */
struct ptx_pending {
  const char *s;
  uint32_t len, line;
  uint32_t at;    /* operand, or target if is_target */
  uint32_t label; /* PTX_NONE until found */
  bool is_target;
};

struct ptx_scope {
  size_t names, pending;
  uint32_t line;
};

struct ptx_alias {
  uint32_t alias, target;
};

struct ptx_parser {
  struct ptx_lexer lx;
  struct ptx_module *m;
  struct arena *arena;
  struct error *err;
  int findings;

  struct ptx_names keywords, mnemonics, module, local;
  VEC(struct ptx_var) vars;
  VEC(struct ptx_func) funcs;
  VEC(const char *) mnemonic_text;
  VEC(const char *) files;
  VEC(struct ptx_symbol) syms;
  VEC(struct ptx_alias) aliases;
  VEC(char) strings;
  VEC(char) joined; /* a mnemonic written with blanks between its parts */
  VEC(uint8_t) init;
  VEC(struct ptx_init_reloc) relocs;
  uint64_t init_bytes, regs_total, regs_limit;

  /* the function at hand */
  uint32_t func; /* its index, PTX_NONE if its name belongs to another */
  uint32_t body; /* counts bodies, from 1 */
  uint32_t loc;
  bool in_func;
  uint8_t scope;
  unsigned braces;         /* of operands, open where an error was found */
  uint32_t plain_numbered; /* live plain registers that end in a digit */
  uint32_t odd_ranges;     /* live ranges whose prefix ends in a digit */
  struct ptx_scope scopes[PTX_MAX_SCOPES];
  VEC(struct ptx_var) fparams, frets, fvars;
  VEC(struct ptx_reg) regs;
  VEC(struct ptx_label) labels;
  VEC(struct ptx_inst) insts;
  VEC(struct ptx_operand) ops, stack;
  VEC(struct ptx_loc) locs;
  VEC(struct ptx_symbol) fsyms;
  VEC(uint32_t) targets;
  VEC(struct ptx_pending) pending;
};

/* clang-format off */
#define PTX_KEYWORDS(X)                                                                                 \
  X(VERSION, "version") X(TARGET, "target") X(ADDRESS_SIZE, "address_size") X(FILE, "file")             \
  X(SECTION, "section") X(PRAGMA, "pragma") X(ALIAS, "alias") X(LOC, "loc") X(ENTRY, "entry")           \
  X(FUNC, "func") X(VISIBLE, "visible") X(EXTERN, "extern") X(WEAK, "weak") X(COMMON, "common")         \
  X(ALIGN, "align") X(PTR, "ptr") X(ATTRIBUTE, "attribute") X(NORETURN, "noreturn")                     \
  X(MAXNTID, "maxntid") X(REQNTID, "reqntid") X(MAXNREG, "maxnreg") X(MINNCTAPERSM, "minnctapersm")     \
  X(MAXNCTAPERSM, "maxnctapersm") X(REQNCTAPERCLUSTER, "reqnctapercluster")                             \
  X(EXPLICITCLUSTER, "explicitcluster") X(MAXCLUSTERRANK, "maxclusterrank")                             \
  X(BLOCKSARECLUSTERS, "blocksareclusters") X(ABI_PRESERVE, "abi_preserve")                             \
  X(ABI_PRESERVE_CONTROL, "abi_preserve_control") X(BRANCHTARGETS, "branchtargets")                     \
  X(CALLPROTOTYPE, "callprototype") X(CALLTARGETS, "calltargets") X(REG, "reg") X(PARAM, "param")       \
  X(SHARED, "shared") X(LOCAL, "local") X(CONST, "const") X(GLOBAL, "global") X(TEX, "tex")             \
  X(TEXREF, "texref") X(SAMPLERREF, "samplerref") X(SURFREF, "surfref") X(V2, "v2") X(V4, "v4")         \
  X(V8, "v8")
/* clang-format on */

enum ptx_keyword {
  KW_NONE,
#define X(e, text) KW_##e,
  PTX_KEYWORDS(X)
#undef X
      KW_TYPE, /* the type is the second half of the answer */
};

/* ---- parse.c ---- */
enum ptx_keyword ptx_keyword(const struct ptx_parser *p, enum ptx_type *type); /* of the current token */
bool ptx_parse_file_directive(struct ptx_parser *p);
bool ptx_parse_pragma(struct ptx_parser *p);
bool ptx_unknown_directive(struct ptx_parser *p); /* a finding, with the nearest there is */

/* ---- parse_error.c: all return false ---- */
bool ptx_expected(struct ptx_parser *p, const char *what); /* ..., found the current token */
bool ptx_finding(struct ptx_parser *p, uint32_t line, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool ptx_duplicate(struct ptx_parser *p, const struct ptx_token *t, const struct ptx_name *first);
/* A name that nothing declares; suggests one of those in reach. */
bool ptx_undeclared(struct ptx_parser *p, uint32_t line, const char *what, const char *s, uint32_t len);
/* Printable, shortened, into buf. */
enum { PTX_QUOTE_MAX = 100 };
const char *ptx_quote(char buf[PTX_QUOTE_MAX], const char *s, size_t n);

/* ---- parse_expr.c ---- */
struct ptx_value {
  uint8_t kind;    /* PTX_OP_INT, PTX_OP_F32, PTX_OP_F64 */
  uint8_t warp_sz; /* 1: is WARP_SZ, 2: computed from it */
  bool is_unsigned;
  uint64_t u;
};
bool ptx_parse_expr(struct ptx_parser *p, struct ptx_value *out);
bool ptx_parse_count(struct ptx_parser *p, const char *what, uint64_t max, uint64_t *out);
bool ptx_parse_u32(struct ptx_parser *p, const char *what, uint32_t *out); /* a plain literal */

/* ---- parse_decl.c ---- */
/* Linkage, space, alignment, type: what stands before the names of a declaration. */
struct ptx_spec {
  bool is_extern, is_weak, is_visible, is_common, is_managed, noreturn;
  bool is_func, is_entry;
  bool is_ref; /* .texref .samplerref .surfref */
  uint8_t space, type, vec;
  uint32_t align, ptr_space, ptr_align;
};
bool ptx_parse_spec(struct ptx_parser *p, struct ptx_spec *spec);
bool ptx_parse_vars(struct ptx_parser *p, const struct ptx_spec *spec); /* up to and with `;` */
/* `( .param .u64 a, ... )`, up to and with the `)`; NULL drops them (a call prototype). */
enum ptx_param_role { PTX_ROLE_PARAM, PTX_ROLE_RET, PTX_ROLE_NONE };
bool ptx_parse_params(struct ptx_parser *p, enum ptx_param_role role);

/* ---- parse_reg.c ---- */
/* `name` or, with `<` as the current token, `name<n>`. */
bool ptx_declare_reg(struct ptx_parser *p, const struct ptx_token *name, const struct ptx_spec *spec);
/* What has this very name already, in this scope or from PTX itself. A range's prefix is no name. */
struct ptx_name *ptx_taken(const struct ptx_parser *p, const struct ptx_token *name);
struct ptx_name *ptx_add_local(struct ptx_parser *p, enum ptx_name_kind kind, const char *s, uint32_t len,
                               uint32_t line);

/* ---- parse_init.c ---- */
struct ptx_shape {
  unsigned ndims;
  uint64_t dim[PTX_MAX_DIMS + 1]; /* the vector width is the last */
};
bool ptx_parse_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_shape *shape);

/* ---- parse_func.c ---- */
bool ptx_parse_function(struct ptx_parser *p, const struct ptx_spec *spec);

/* ---- parse_operand.c ---- */
/* Opcodes whose operands read differently: call's lists, labels, `a[2]` as an address. */
enum ptx_opcode { PTX_OPCODE_PLAIN, PTX_OPCODE_CALL, PTX_OPCODE_BRA, PTX_OPCODE_BRX, PTX_OPCODE_MOV };
bool ptx_parse_operand(struct ptx_parser *p, struct ptx_operand *o, uint32_t opcode, unsigned depth);
/* Register, special register, symbol or label of the current token. */
bool ptx_parse_name(struct ptx_parser *p, struct ptx_operand *o, bool is_label);
void ptx_await_label(struct ptx_parser *p, const struct ptx_token *t, uint32_t at, bool is_target);
/* Moves the operands stacked from `mark` on to where they stay, side by side; returns the first. */
uint32_t ptx_settle(struct ptx_parser *p, size_t mark);

/* ---- parse_inst.c ---- */
bool ptx_parse_inst(struct ptx_parser *p);

/* ---- small things used everywhere ---- */
static inline const struct ptx_token *ptx_tok(const struct ptx_parser *p) {
  return &p->lx.tok;
}
static inline bool ptx_accept(struct ptx_parser *p, char c) {
  if (p->lx.tok.kind != (uint8_t)c)
    return false;
  ptx_lex_next(&p->lx);
  return true;
}
bool ptx_expect(struct ptx_parser *p, char c); /* or a finding */
bool ptx_tok_is(const struct ptx_token *t, const char *word);
char *ptx_copy_name(struct ptx_parser *p, const struct ptx_token *t);

#endif
