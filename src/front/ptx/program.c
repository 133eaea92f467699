/* Loading a program: frames and addresses of variables are laid out, then every function is lowered. */
#include "front/ptx/program.h"
#include "front/ptx/assemble/assemble.h"
#include "front/ptx/lower.h"
#include "front/ptx/refuse.h"
#include "front/ptx/registers.h"
#include "front/registers.h"
#include <stdlib.h>
#include <string.h>

static uint64_t align_up(uint64_t v, uint64_t a) {
  return a ? (v + a - 1) / a * a : v;
}

static enum intrinsic intrinsic_of(const char *name) {
  static const struct {
    const char *name;
    enum intrinsic id;
  } list[] = {{"vprintf", INTRIN_VPRINTF},
              {"malloc", INTRIN_MALLOC},
              {"free", INTRIN_FREE},
              {"__assertfail", INTRIN_ASSERTFAIL},
              {"printf", INTRIN_VPRINTF},
              {"_Z12get_work_dimv", INTRIN_WORK_DIM},
              {"_Z17get_global_offsetj", INTRIN_GLOBAL_OFFSET},
              {"_Z23get_enqueued_local_sizej", INTRIN_LOCAL_SIZE},
              {"_Z20get_global_linear_idv", INTRIN_GLOBAL_LINEAR_ID},
              {"_Z19get_local_linear_idv", INTRIN_LOCAL_LINEAR_ID}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (!strcmp(list[i].name, name))
      return list[i].id;
  return INTRIN_MISSING;
}

static uint64_t var_align(const struct ptx_var *v) {
  uint64_t natural = (uint64_t)ptx_type_bits(v->type) / 8 * (v->vec ? v->vec : 1);
  return v->align > natural ? v->align : natural ? natural : 1;
}

/* Device functions keep results, parameters and variables in their local frame; kernels have a
 * parameter block of their own. */
static void layout_function(struct program *p, uint32_t i) {
  const struct ptx_func *a = &p->ast->funcs[i];
  struct func *f = &p->funcs[i];
  f->ast = a;
  f->entry = PC_NONE;
  f->launch_bytes = LAUNCH_FIRST;
  if (a->is_extern)
    f->intrinsic = intrinsic_of(a->name);
  f->param_at = arena_alloc(&p->arena, (a->nparams + 1) * sizeof *f->param_at);
  f->ret_at = arena_alloc(&p->arena, (a->nrets + 1) * sizeof *f->ret_at);
  f->var_at = arena_alloc(&p->arena, (a->nvars + 1) * sizeof *f->var_at);
  f->param_reg = arena_alloc(&p->arena, (a->nparams + 1) * sizeof *f->param_reg);
  f->ret_reg = arena_alloc(&p->arena, (a->nrets + 1) * sizeof *f->ret_reg);
  uint64_t local = 0, params = 0;
  f->local_align = 16;
  for (uint32_t k = 0; k < a->nrets; k++) {
    f->ret_reg[k] = SLOT_NONE;
    local = align_up(local, 16);
    f->ret_at[k] = (uint32_t)local;
    local += a->rets[k].size;
  }
  for (uint32_t k = 0; k < a->nparams; k++) {
    f->param_reg[k] = SLOT_NONE;
    uint64_t *at = a->is_entry ? &params : &local;
    *at = align_up(*at, a->is_entry ? var_align(&a->params[k]) : 16);
    f->param_at[k] = (uint32_t)*at;
    *at += a->params[k].unsized && !a->is_entry ? VARARG_BYTES : a->params[k].size;
  }
  /* `.reg` formals are registers of the body with the same name */
  for (uint32_t k = 0; k < a->nparams + a->nrets; k++) {
    const struct ptx_var *v = k < a->nparams ? &a->params[k] : &a->rets[k - a->nparams];
    if (v->space != PTX_REG || a->is_extern)
      continue;
    for (uint32_t r = 0; r < a->nregs; r++)
      if (a->regs[r].num < 0 && !strcmp(a->regs[r].name, v->name)) {
        *(k < a->nparams ? &f->param_reg[k] : &f->ret_reg[k - a->nparams]) = SLOT_MAKE(SLOT_REG, r);
        break;
      }
  }
  for (uint32_t k = 0; k < a->nvars; k++) {
    const struct ptx_var *v = &a->vars[k];
    if (v->space != PTX_LOCAL && v->space != PTX_PARAM)
      continue;
    uint64_t align = var_align(v) > 16 ? var_align(v) : 16;
    f->local_align = align > f->local_align ? (uint32_t)align : f->local_align;
    local = align_up(local, align);
    f->var_at[k] = local;
    local += v->size;
  }
  struct error why = {0};
  if (local > (1u << 28) || params > 32764) {
    error_add(&why, EXIT_USAGE,
              "%s:%u: '%s' needs %llu bytes of local memory and %llu of parameters: too many", p->ast->path,
              a->line, a->name, (unsigned long long)local, (unsigned long long)params);
    local = params = 0;
  }
  if (a->cluster[0] > 1 || a->cluster[1] > 1 || a->cluster[2] > 1)
    error_add(&why, EXIT_USAGE,
              "%s:%u: '%s' asks for clusters of %u x %u x %u CTAs: only clusters of one are supported",
              p->ast->path, a->line, a->name, a->cluster[0], a->cluster[1] ? a->cluster[1] : 1,
              a->cluster[2] ? a->cluster[2] : 1);
  if (why.code)
    refuse_function(p, i, why.text);
  error_clear(&why);
  f->local_bytes = (uint32_t)align_up(local, 16);
  f->info = (struct kernel_info){.name = a->name,
                                 .nparams = a->nparams,
                                 .params = a->params,
                                 .param_bytes = (uint32_t)params,
                                 .param_offset = f->param_at};
  memcpy(f->info.reqntid, a->reqntid, sizeof a->reqntid);
  memcpy(f->info.maxntid, a->maxntid, sizeof a->maxntid);
}

/* Shared variables: which functions reach which, so that each kernel pays only for its own. */
struct reach {
  struct program *p;
  uint8_t *uses;  /* [func * nvars + var] */
  uint8_t *calls; /* [func * nfuncs + func] */
  uint32_t nv, nf;
};

static void find_uses(struct reach *r) {
  const struct ptx_module *m = r->p->ast;
  for (uint32_t f = 0; f < r->nf; f++) {
    const struct ptx_func *a = &m->funcs[f];
    for (uint32_t i = 0; i < a->nsyms; i++) {
      if (a->syms[i].kind == PTX_SYM_VAR)
        r->uses[(size_t)f * r->nv + a->syms[i].index] = 1;
      if (a->syms[i].kind == PTX_SYM_FUNC)
        r->calls[(size_t)f * r->nf + a->syms[i].index] = 1;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = 0; f < r->nf; f++)
      for (uint32_t g = 0; g < r->nf; g++) {
        if (!r->calls[(size_t)f * r->nf + g] || f == g)
          continue;
        for (uint32_t v = 0; v < r->nv; v++)
          if (r->uses[(size_t)g * r->nv + v] && !r->uses[(size_t)f * r->nv + v])
            r->uses[(size_t)f * r->nv + v] = 1, changed = true;
        for (uint32_t h = 0; h < r->nf; h++)
          if (r->calls[(size_t)g * r->nf + h] && !r->calls[(size_t)f * r->nf + h])
            r->calls[(size_t)f * r->nf + h] = 1, changed = true;
      }
  }
}

static uint64_t place_function_shared(struct program *p, uint32_t f, uint64_t at) {
  const struct ptx_func *a = &p->ast->funcs[f];
  for (uint32_t k = 0; k < a->nvars; k++) {
    if (a->vars[k].space != PTX_SHARED || a->vars[k].unsized)
      continue;
    at = align_up(at, var_align(&a->vars[k]));
    p->funcs[f].var_at[k] = at;
    at += a->vars[k].size;
  }
  return at;
}

/* Variables of several kernels or of device functions come first, at the same place for all; then each kernel's own. */
static void layout_shared(struct program *p) {
  const struct ptx_module *m = p->ast;
  struct reach r = {.p = p, .nv = m->nvars, .nf = m->nfuncs};
  r.uses = xcalloc((size_t)r.nv * r.nf + 1, 1);
  r.calls = xcalloc((size_t)r.nf * r.nf + 1, 1);
  find_uses(&r);
  uint64_t common = 0;
  uint32_t *owner = xmalloc((r.nv + 1) * sizeof *owner);
  for (uint32_t v = 0; v < r.nv; v++) {
    owner[v] = PTX_NONE;
    if (m->vars[v].space != PTX_SHARED || m->vars[v].unsized)
      continue;
    uint32_t users = 0;
    for (uint32_t f = 0; f < r.nf; f++)
      if (m->funcs[f].is_entry && r.uses[(size_t)f * r.nv + v])
        owner[v] = f, users++;
    if (users > 1) {
      owner[v] = PTX_NONE;
      common = align_up(common, var_align(&m->vars[v]));
      p->var_addr[v] = common;
      common += m->vars[v].size;
    }
  }
  for (uint32_t f = 0; f < r.nf; f++)
    if (!m->funcs[f].is_entry)
      common = place_function_shared(p, f, common);
  for (uint32_t f = 0; f < r.nf; f++) {
    if (!m->funcs[f].is_entry)
      continue;
    bool needs_common = false;
    for (uint32_t v = 0; v < r.nv; v++)
      needs_common |= m->vars[v].space == PTX_SHARED && !m->vars[v].unsized && owner[v] == PTX_NONE &&
                      r.uses[(size_t)f * r.nv + v];
    for (uint32_t g = 0; g < r.nf; g++)
      for (uint32_t k = 0; r.calls[(size_t)f * r.nf + g] && k < m->funcs[g].nvars; k++)
        needs_common |= m->funcs[g].vars[k].space == PTX_SHARED;
    uint64_t at = needs_common ? common : 0;
    for (uint32_t v = 0; v < r.nv; v++) {
      if (owner[v] != f)
        continue;
      at = align_up(at, var_align(&m->vars[v]));
      p->var_addr[v] = at;
      at += m->vars[v].size;
    }
    at = place_function_shared(p, f, at);
    if (at > UINT32_C(1) << SHARED_CTA_SHIFT) {
      struct error why = {0};
      error_add(&why, EXIT_USAGE, "%s: kernel '%s' has %llu bytes of shared memory; 16 MiB is the limit",
                m->path, m->funcs[f].name, (unsigned long long)at);
      refuse_function(p, f, why.text);
      error_clear(&why);
      at = 0;
    }
    p->funcs[f].static_shared = (uint32_t)at;
    p->funcs[f].info.static_shared = at;
  }
  free(r.uses), free(r.calls), free(owner);
}

static bool place_global(struct program *p, const struct ptx_var *v, uint64_t *addr, struct error *err) {
  if ((v->space != PTX_GLOBAL && v->space != PTX_CONST) || (v->is_extern && !v->init))
    return true;
  *addr = v->is_managed ? devmem_alloc_unified(p->mem, v->size, v->name, err)
                        : devmem_alloc(p->mem, v->size, v->name, err);
  if (!*addr)
    return false;
  return !v->init || devmem_write(p->mem, *addr, v->init, v->size) ||
         error_set(err, EXIT_RUNTIME, "cannot initialise '%s'", v->name);
}

static bool apply_relocs(struct program *p, const struct ptx_var *v, uint64_t addr, struct error *err) {
  for (uint32_t i = 0; i < v->nrelocs; i++) {
    const struct ptx_init_reloc *r = &v->relocs[i];
    const struct ptx_symbol *s = &p->ast->syms[r->sym];
    if (s->kind != PTX_SYM_VAR)
      return error_add(err, EXIT_USAGE,
                       "%s:%u: '%s' holds the address of a function: indirect calls are not supported",
                       p->ast->path, v->line, v->name);
    const struct ptx_var *to = &p->ast->vars[s->index];
    if (to->space != PTX_GLOBAL && to->space != PTX_CONST)
      return error_add(err, EXIT_USAGE, "%s:%u: '%s' holds the address of '%s', which is in .%s",
                       p->ast->path, v->line, v->name, to->name, ptx_space_name(to->space));
    uint64_t value = p->var_addr[s->index] + (uint64_t)r->addend;
    if (r->size > 8 || !devmem_write(p->mem, addr + r->at, &value, r->size))
      return error_set(err, EXIT_RUNTIME, "cannot initialise '%s'", v->name);
  }
  return true;
}

static bool layout_globals(struct program *p, struct error *err) {
  const struct ptx_module *m = p->ast;
  for (uint32_t v = 0; v < m->nvars; v++)
    if (!place_global(p, &m->vars[v], &p->var_addr[v], err))
      return false;
  for (uint32_t f = 0; f < m->nfuncs; f++)
    for (uint32_t k = 0; k < m->funcs[f].nvars; k++)
      if (!place_global(p, &m->funcs[f].vars[k], &p->funcs[f].var_at[k], err))
        return false;
  devmem_begin_page(p->mem);
  bool ok = true;
  for (uint32_t v = 0; v < m->nvars; v++)
    ok &= apply_relocs(p, &m->vars[v], p->var_addr[v], err);
  for (uint32_t f = 0; f < m->nfuncs; f++)
    for (uint32_t k = 0; k < m->funcs[f].nvars; k++)
      ok &= apply_relocs(p, &m->funcs[f].vars[k], p->funcs[f].var_at[k], err);
  return ok;
}

/* Nothing is left of a function that is refused but the reason. */
static void lower_one(struct lower *l, uint32_t f) {
  struct error own = {0};
  size_t uops = l->nuops, blocks = l->nblocks;
  l->f = &l->p->funcs[f];
  l->ast = &l->p->ast->funcs[f];
  l->func_index = f;
  l->launch_cap = 0;
  l->failures = 0;
  l->err = &own;
  refuse_opcodes(l->p, f, l->mnems);
  bool ok = lower_function(l) && l->failures == 0;
  if (own.code)
    refuse_function(l->p, f, own.text);
  if (!ok || l->f->refused) {
    l->nuops = uops, l->nblocks = blocks;
    l->f->has_body = false;
    l->f->entry = PC_NONE;
  }
  error_clear(&own);
}

static bool lower_all(struct program *p, struct error *err) {
  struct lower l = {.p = p};
  l.pressure = xcalloc(p->ast->nfuncs + 1, sizeof *l.pressure);
  lower_prepare_mnems(&l);
  quick_learn(&l.quick);
  for (uint32_t f = 0; f < p->ast->nfuncs; f++) {
    if (p->ast->funcs[f].is_extern)
      continue;
    lower_one(&l, f);
    p->funcs[f].info.registers = p->funcs[f].registers;
    p->funcs[f].info.counted[REGISTERS_PTX] = p->funcs[f].registers;
    p->funcs[f].info.local_bytes = p->funcs[f].local_bytes;
  }
  bool ok = refuse_kernels(p, err);
  for (uint32_t f = 0; ok && f < p->ast->nfuncs; f++) {
    struct kernel_info *k = &p->funcs[f].info;
    if (!p->ast->funcs[f].is_entry || p->ast->funcs[f].is_extern || k->refused)
      continue;
    k->registers = k->counted[REGISTERS_BUILTIN] = registers_estimate(p->ast, l.pressure, f);
    k->registers_from = REGISTERS_BUILTIN;
  }
  free(l.pressure);
  p->uops = l.uops, p->nuops = (uint32_t)l.nuops;
  p->blocks = l.blocks, p->nblocks = (uint32_t)l.nblocks;
  p->loops = l.loops, p->outer = l.outer;
  for (uint32_t b = 0; b < p->nblocks; b++)
    p->blocks[b].code = p->uops + p->blocks[b].first, p->blocks[b].code_end = p->uops + p->blocks[b].end;
  free(l.vwidth), free(l.mnems), free(l.const_index), free(l.post_dominator);
  return ok;
}

/* Everything but the syntax tree. */
static void release(struct program *p) {
  for (uint32_t f = 0; f < p->ast->nfuncs; f++)
    free(p->funcs[f].live), free(p->funcs[f].launch_consts);
  free(p->uops), free(p->blocks), free(p->loops), free(p->outer), free(p->consts);
  arena_free(&p->arena);
  free(p);
}

/* NULL after an error; the syntax tree is the caller's then. */
static struct program *load(struct ptx_module *m, struct devmem *mem, struct error *err) {
  struct program *p = xcalloc(1, sizeof *p);
  p->ast = m;
  p->mem = mem;
  p->funcs = arena_alloc(&p->arena, (m->nfuncs + 1) * sizeof *p->funcs);
  p->var_addr = arena_alloc(&p->arena, (m->nvars + 1) * sizeof *p->var_addr);
  for (uint32_t f = 0; f < m->nfuncs; f++)
    layout_function(p, f);
  layout_shared(p);
  if (layout_globals(p, err) && lower_all(p, err))
    return p;
  release(p);
  return NULL;
}

struct program *program_load(struct ptx_module *m, struct devmem *mem, struct error *err) {
  struct program *p = load(m, mem, err);
  if (!p)
    ptx_module_free(m);
  return p;
}

/* The estimate of registers puts PTX into an assembler's order itself: of each function, from the order as it was written. */
static uint32_t *estimates(struct ptx_module *m) {
  struct error ignored = {0}; /* loading finds it again */
  struct devmem_options o = devmem_defaults();
  struct devmem *mem = devmem_create(&o);
  uint32_t *n = xcalloc(m->nfuncs + 1, sizeof *n);
  struct program *p = load(m, mem, &ignored);
  for (uint32_t f = 0; p && f < m->nfuncs; f++)
    n[f] = p->funcs[f].info.counted[REGISTERS_BUILTIN];
  if (p)
    release(p);
  devmem_destroy(mem);
  error_clear(&ignored);
  return n;
}

struct program *program_load_as(struct ptx_module *m, int schedule, struct devmem *mem, struct error *err) {
  if (!m || schedule == SCHEDULE_PTX)
    return m ? program_load(m, mem, err) : NULL;
  uint32_t *registers = estimates(m);
  ptx_assemble(m, (enum front_schedule)schedule);
  struct program *p = program_load(m, mem, err);
  for (uint32_t f = 0; p && f < m->nfuncs; f++)
    if (registers[f])
      p->funcs[f].info.registers = p->funcs[f].info.counted[REGISTERS_BUILTIN] = registers[f];
  free(registers);
  return p;
}

void program_free(struct program *p) {
  if (!p)
    return;
  struct ptx_module *m = p->ast;
  release(p);
  ptx_module_free(m);
}

static bool is_kernel(const struct program *p, uint32_t f) {
  return p->ast->funcs[f].is_entry && (p->funcs[f].has_body || p->funcs[f].refused);
}

size_t program_kernels(const struct program *p) {
  size_t n = 0;
  for (uint32_t f = 0; f < p->ast->nfuncs; f++)
    n += is_kernel(p, f);
  return n;
}

const struct kernel_info *program_kernel_at(const struct program *p, size_t i) {
  for (uint32_t f = 0; f < p->ast->nfuncs; f++)
    if (is_kernel(p, f) && i-- == 0)
      return &p->funcs[f].info;
  return NULL;
}

void program_count_registers(struct program *p, size_t i, unsigned source, uint32_t n) {
  for (uint32_t f = 0; f < p->ast->nfuncs; f++)
    if (is_kernel(p, f) && i-- == 0)
      p->funcs[f].info.counted[source] = n;
}

const char *program_target(const struct program *p) {
  return p->ast->target;
}

const struct kernel_info *program_kernel(const struct program *p, const char *name, struct error *err) {
  size_t n = program_kernels(p);
  const char **names = xcalloc(n + 1, sizeof *names);
  const struct kernel_info *found = NULL;
  for (size_t i = 0; i < n; i++) {
    const struct kernel_info *k = program_kernel_at(p, i);
    names[i] = k->name;
    if (!strcmp(k->name, name))
      found = k;
  }
  if (!found) {
    const char *near = nearest_match(name, names, (int)n);
    error_set(err, EXIT_USAGE, "%s has no kernel '%s'%s%s%s", p->ast->path, name,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  free(names);
  return found;
}

bool program_symbol(const struct program *p, const char *name, uint64_t *addr, uint64_t *size) {
  for (uint32_t v = 0; v < p->ast->nvars; v++)
    if ((p->ast->vars[v].space == PTX_GLOBAL || p->ast->vars[v].space == PTX_CONST) &&
        !strcmp(p->ast->vars[v].name, name)) {
      *addr = p->var_addr[v];
      *size = p->ast->vars[v].size;
      return p->var_addr[v] != 0;
    }
  return false;
}
