/* What the assembler makes of PTX: dump [--ptx | --9] FILE.ptx
 *
 * Prints every kernel's instructions in order, with the line each came from, one per line:
 *   kernel NAME REGISTERS registers
 *   LINE  [@[!]%p] MNEMONIC OPERANDS
 *   label NAME
 * --ptx leaves the assembler out; --9 is front.schedule = assembler9. */
#include "base/error.h"
#include "front/exec.h"
#include "front/ptx/assemble/assemble.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void operand(const struct ptx_module *m, const struct ptx_func *f, const struct ptx_operand *o);

static void list(const struct ptx_module *m, const struct ptx_func *f, const struct ptx_operand *o,
                 unsigned n, const char *open, const char *between, const char *close) {
  printf("%s", open);
  for (unsigned i = 0; i < n; i++) {
    printf("%s", i ? between : "");
    operand(m, f, &f->ops[o->first + i]);
  }
  printf("%s", close);
}

static const char *symbol(const struct ptx_module *m, const struct ptx_func *f, uint32_t id) {
  const struct ptx_symbol *s = &f->syms[id];
  switch (s->kind) {
  case PTX_SYM_VAR:
    return m->vars[s->index].name;
  case PTX_SYM_FUNC:
    return m->funcs[s->index].name;
  case PTX_SYM_LOCALVAR:
    return f->vars[s->index].name;
  case PTX_SYM_PARAM:
    return f->params[s->index].name;
  default:
    return f->rets[s->index].name;
  }
}

static void operand(const struct ptx_module *m, const struct ptx_func *f, const struct ptx_operand *o) {
  static const char *const sregs[] = {
#define X(e, text) text,
      PTX_SREGS(X)
#undef X
  };
  static const char *const changes[PTX_NCHANGES] = {"",     "-", "abs ",      "-",
                                                    "abs ", "-", "extended ", "signed "};
  char name[128];
  switch (o->kind) {
  case PTX_OP_REG:
    printf("%s%s%s", o->neg ? "!" : "", changes[o->change], ptx_reg_name(f, o->id, name, sizeof name));
    break;
  case PTX_OP_INT:
    printf("%" PRId64, (int64_t)o->u);
    break;
  case PTX_OP_F32:
  case PTX_OP_F64:
    printf("0x%" PRIx64, o->u);
    break;
  case PTX_OP_SREG:
    printf("%s.%c", sregs[o->id], "xyzw"[o->comp & 3]);
    break;
  case PTX_OP_SYM:
    printf("%s+%" PRId64, symbol(m, f, o->id), (int64_t)o->u);
    break;
  case PTX_OP_LABEL:
    printf("%s", f->labels[o->id].name);
    break;
  case PTX_OP_ADDR:
    list(m, f, o, o->n, "[", ", ", "");
    printf("+%" PRId64 "]", (int64_t)o->u);
    break;
  case PTX_OP_VEC:
    list(m, f, o, o->n, "{", ", ", "}");
    break;
  case PTX_OP_PAIR:
    list(m, f, o, 2, "", "|", "");
    break;
  case PTX_OP_LIST:
    list(m, f, o, o->n, "(", ", ", ")");
    break;
  default:
    printf("_");
    break;
  }
}

static void function(const struct ptx_module *m, const struct program *p, const struct ptx_func *f) {
  char name[128];
  struct error ignored = {0};
  const struct kernel_info *k = f->is_entry ? program_kernel(p, f->name, &ignored) : NULL;
  error_clear(&ignored);
  printf("%s %s %u registers\n", f->is_entry ? "kernel" : "function", f->name, k ? k->registers : 0);
  for (uint32_t i = 0; i < f->ninsts; i++) {
    const struct ptx_inst *in = &f->insts[i];
    for (uint32_t l = 0; l < f->nlabels; l++)
      if (f->labels[l].pos == i)
        printf("label %s\n", f->labels[l].name);
    printf("%6u  ", in->line);
    if (in->guard != PTX_NONE)
      printf("@%s%s ", in->guard_neg ? "!" : "", ptx_reg_name(f, in->guard, name, sizeof name));
    printf("%s", m->mnemonics[in->mnemonic]);
    for (unsigned o = 0; o < in->nops; o++) {
      printf(o ? ", " : " ");
      operand(m, f, &f->ops[in->first_op + o]);
    }
    printf("\n");
  }
}

int main(int argc, char **argv) {
  struct error err = {0};
  bool plain = argc == 3 && strcmp(argv[1], "--ptx") == 0, nine = argc == 3 && strcmp(argv[1], "--9") == 0;
  if (argc != 2 && !plain && !nine) {
    fprintf(stderr, "usage: dump [--ptx | --9] FILE.ptx\n");
    return 2;
  }
  struct ptx_module *m = ptx_parse_file(argv[argc - 1], &err);
  if (!m) {
    fprintf(stderr, "dump: %s\n", err.text);
    return 2;
  }
  struct devmem *mem = devmem_create(NULL);
  struct program *p = program_load_as(m,
                                      plain  ? SCHEDULE_PTX
                                      : nine ? SCHEDULE_ASSEMBLER9
                                             : SCHEDULE_ASSEMBLER,
                                      mem, &err);
  if (!p) {
    fprintf(stderr, "dump: %s\n", err.text);
    return 2;
  }
  for (uint32_t i = 0; i < m->nfuncs; i++)
    if (!m->funcs[i].is_extern)
      function(m, p, &m->funcs[i]);
  program_free(p);
  devmem_destroy(mem);
  return 0;
}
