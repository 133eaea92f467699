/* Any bytes: the PTX parser answers with findings, or with a module in which every index points at
 * something. A module of moderate size is loaded, and its kernels run for a few thousand instructions
 * on small buffers: they end, or fault, or reach the limit. */
#include "front/exec.h"
#include "front/ptx/assemble/assemble.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST UINT64_C(16777216)

static void check(bool holds) {
  if (!holds)
    abort();
}

static void check_symbols(const struct ptx_module *m, const struct ptx_func *f, const struct ptx_symbol *s,
                          uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    switch (s[i].kind) {
    case PTX_SYM_VAR:
      check(s[i].index < m->nvars);
      break;
    case PTX_SYM_FUNC:
      check(s[i].index < m->nfuncs);
      break;
    case PTX_SYM_LOCALVAR:
      check(f && s[i].index < f->nvars);
      break;
    case PTX_SYM_PARAM:
      check(f && s[i].index < f->nparams);
      break;
    case PTX_SYM_RET:
      check(f && s[i].index < f->nrets);
      break;
    default:
      check(false);
    }
}

static void check_operand(const struct ptx_func *f, const struct ptx_operand *o) {
  switch (o->kind) {
  case PTX_OP_REG:
    check(o->id < f->nregs);
    break;
  case PTX_OP_SREG:
    check(o->id < PTX_NSREGS);
    break;
  case PTX_OP_SYM:
    check(o->id < f->nsyms);
    break;
  case PTX_OP_LABEL:
    check(o->id < f->nlabels);
    check(o->is_table == (f->labels[o->id].pos == PTX_NONE));
    break;
  case PTX_OP_ADDR:
  case PTX_OP_VEC:
  case PTX_OP_LIST:
  case PTX_OP_PAIR:
    check((uint64_t)o->first + o->n <= f->nops);
    for (uint32_t i = 0; i < o->n; i++) /* parts come before the whole: no cycles */
      check(f->ops + o->first + i < o || o < f->ops);
    break;
  default:
    check(o->kind <= PTX_OP_STR);
  }
}

static void check_vars(const struct ptx_module *m, const struct ptx_var *v, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    check(v[i].name && v[i].type < PTX_NTYPES && v[i].space < PTX_NSPACES);
    for (uint32_t k = 0; k < v[i].nrelocs; k++) {
      check(v[i].init && v[i].relocs[k].at + v[i].relocs[k].size <= v[i].size);
      check(v[i].relocs[k].sym < m->nsyms);
    }
  }
}

static void check_func(const struct ptx_module *m, const struct ptx_func *f) {
  check(f->name != NULL);
  check_vars(m, f->params, f->nparams);
  check_vars(m, f->rets, f->nrets);
  check_vars(m, f->vars, f->nvars);
  check_symbols(m, f, f->syms, f->nsyms);
  for (uint32_t i = 0; i < f->nops; i++)
    check_operand(f, &f->ops[i]);
  for (uint32_t i = 0; i < f->ninsts; i++) {
    const struct ptx_inst *in = &f->insts[i];
    check(in->mnemonic < m->nmnemonics && (uint64_t)in->first_op + in->nops <= f->nops);
    check(in->guard == PTX_NONE || in->guard < f->nregs);
    check(in->loc == PTX_NONE || in->loc < f->nlocs);
  }
  for (uint32_t i = 0; i < f->nlabels; i++) {
    check(f->labels[i].pos == PTX_NONE || f->labels[i].pos <= f->ninsts);
    check((uint64_t)f->labels[i].first + f->labels[i].n <= f->ntargets);
  }
  for (uint32_t i = 0; i < f->ntargets; i++)
    check(f->targets[i] < f->nlabels);
  char buf[64];
  for (uint32_t i = 0; i < f->nregs && i < 100; i++)
    check(ptx_reg_name(f, i, buf, sizeof buf)[0] != '\0');
}

/* Modules whose variables would fill the machine are left alone. */
static bool moderate(const struct ptx_module *m) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < m->nvars; i++)
    bytes += m->vars[i].size > MOST ? MOST : m->vars[i].size;
  for (uint32_t f = 0; f < m->nfuncs; f++) {
    for (uint32_t i = 0; i < m->funcs[f].nvars; i++)
      bytes += m->funcs[f].vars[i].size > MOST ? MOST : m->funcs[f].vars[i].size;
    if (m->funcs[f].nregs > 20000)
      return false;
  }
  return bytes < MOST && m->nfuncs < 200;
}

/* Addresses for what is 8 bytes wide, small numbers for the rest. */
static void fill_params(const struct kernel_info *k, uint64_t buffer, uint8_t *params) {
  for (uint32_t i = 0; i < k->nparams; i++) {
    uint64_t v = k->params[i].size == 8 ? buffer + 256 * i : 17 + i;
    memcpy(params + k->param_offset[i], &v, k->params[i].size < 8 ? k->params[i].size : 8);
  }
}

static void run(struct program *p, struct devmem *mem, const struct kernel_info *k, uint64_t buffer) {
  struct error e = {0};
  uint8_t *params = calloc(k->param_bytes + 8, 1);
  FILE *nowhere = fopen("/dev/null", "w");
  check(params && nowhere);
  fill_params(k, buffer, params);
  struct launch l = {
      .kernel = k->name, .grid = {2, 1, 1}, .block = {40, 1, 1}, .params = params, .dynamic_shared = 256};
  for (int d = 0; k->reqntid[0] && d < 3; d++)
    l.block[d] = k->reqntid[d] ? k->reqntid[d] : 1;
  struct exec_options o = exec_defaults();
  o.max_instructions = 2000;
  o.turn = 100;
  o.heap_bytes = 4096;
  o.stack_bytes = 8192;
  o.printf_to = nowhere;
  struct exec *x = exec_open(p, mem, &l, &o, &e);
  check(!x == (e.code != 0));
  struct sluice_segment seg;
  int more = x ? 1 : 0;
  while (more == 1)
    more = exec_next(x, &seg, &e);
  check((more < 0) == (x && e.code != 0));
  exec_close(x);
  error_clear(&e);
  fclose(nowhere);
  free(params);
}

static void load_and_run(struct ptx_module *m, int schedule) {
  struct error e = {0};
  struct devmem_options o = devmem_defaults();
  struct devmem *mem = devmem_create(&o);
  struct program *p = program_load_as(m, schedule, mem, &e);
  check(!p == (e.code != 0));
  uint64_t buffer = p ? devmem_alloc(mem, 8192, "buffer", &e) : 0;
  for (size_t i = 0; p && i < program_kernels(p) && i < 8; i++) {
    const struct kernel_info *k = program_kernel_at(p, i);
    if ((uint64_t)k->reqntid[0] * k->reqntid[1] * k->reqntid[2] <= 1024)
      run(p, mem, k, buffer);
  }
  program_free(p);
  devmem_destroy(mem);
  error_clear(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct error e = {0};
  struct ptx_module *m = ptx_parse((const char *)data, size, "fuzz.ptx", &e);
  check(!m == (e.code != 0));
  if (m) {
    check_vars(m, m->vars, m->nvars);
    check_symbols(m, NULL, m->syms, m->nsyms);
    for (uint32_t i = 0; i < m->nfuncs; i++)
      check_func(m, &m->funcs[i]);
    for (uint32_t i = 0; i < m->nmnemonics; i++)
      check(strlen(m->mnemonics[i]) > 0);
    if (moderate(m)) {
      load_and_run(m, size % 3 == 0   ? SCHEDULE_PTX
                      : size % 3 == 1 ? SCHEDULE_ASSEMBLER
                                      : SCHEDULE_ASSEMBLER9); /* frees it */
      m = NULL;
    }
  }
  ptx_module_free(m);
  error_clear(&e);
  return 0;
}
