/* The PTX parser: what it accepts, what it makes of it, and how it refuses the rest. */
#include "check.h"
#include "front/ptx/ast.h"

#define HEAD       ".version 7.5\n.target sm_75\n.address_size 64\n"
#define BODY(text) HEAD ".visible .entry k(.param .u64 p) {\n" text "\n}\n"

static struct ptx_module *parse(const char *text) {
  struct error e = {0};
  struct ptx_module *m = ptx_parse(text, strlen(text), "t.ptx", &e);
  if (!m)
    fail_msg("refused:\n%s", e.text);
  return m;
}

/* The text must be refused, with `part` in the findings. */
static void refuse(const char *text, const char *part) {
  struct error e = {0};
  struct ptx_module *m = ptx_parse(text, strlen(text), "t.ptx", &e);
  if (m)
    fail_msg("accepted, without '%s':\n%s", part, text);
  assert_int_equal(e.code, EXIT_USAGE);
  assert_contains(e.text, part);
  error_clear(&e);
}

static const struct ptx_func *func(const struct ptx_module *m, const char *name) {
  for (uint32_t i = 0; i < m->nfuncs; i++)
    if (strcmp(m->funcs[i].name, name) == 0)
      return &m->funcs[i];
  fail_msg("no function %s", name);
  return NULL;
}

static const struct ptx_operand *op(const struct ptx_func *f, uint32_t inst, uint32_t n) {
  assert_true(inst < f->ninsts && n < f->insts[inst].nops);
  return &f->ops[f->insts[inst].first_op + n];
}

static const char *mnemonic(const struct ptx_module *m, const struct ptx_func *f, uint32_t inst) {
  return m->mnemonics[f->insts[inst].mnemonic];
}

static void an_instruction_has_its_mnemonic_line_guard_and_operands(void **state) {
  (void)state;
  struct ptx_module *m =
      parse(BODY(".reg .pred %p<2>;\n.reg .b32 %r<4>;\nadd.sat.s32 %r1, %r2, -5;\n@!%p1 bra L;\nL: ret;"));
  const struct ptx_func *f = func(m, "k");
  assert_int_equal(f->ninsts, 3);
  assert_string_equal(mnemonic(m, f, 0), "add.sat.s32");
  assert_int_equal(f->insts[0].line, 7);
  assert_int_equal(f->insts[0].guard, PTX_NONE);
  assert_int_equal(f->insts[0].nops, 3);
  char buf[16];
  assert_string_equal(ptx_reg_name(f, op(f, 0, 0)->id, buf, sizeof buf), "%r1");
  assert_string_equal(ptx_reg_name(f, op(f, 0, 1)->id, buf, sizeof buf), "%r2");
  assert_int_equal(op(f, 0, 2)->kind, PTX_OP_INT);
  assert_true(op(f, 0, 2)->u == (uint64_t)-5);
  assert_string_equal(mnemonic(m, f, 1), "bra");
  assert_string_equal(ptx_reg_name(f, f->insts[1].guard, buf, sizeof buf), "%p1");
  assert_true(f->insts[1].guard_neg);
  assert_int_equal(op(f, 1, 0)->kind, PTX_OP_LABEL);
  assert_int_equal(f->labels[op(f, 1, 0)->id].pos, 2);
  ptx_module_free(m);
}

static void equal_mnemonics_share_one_entry(void **state) {
  (void)state;
  struct ptx_module *m = parse(BODY("bar.sync 0; bar .sync 0; ret; bar.sync 1;"));
  assert_int_equal(m->nmnemonics, 2);
  const struct ptx_func *f = func(m, "k");
  assert_int_equal(f->insts[0].mnemonic, f->insts[1].mnemonic);
  assert_int_equal(f->insts[0].mnemonic, f->insts[3].mnemonic);
  ptx_module_free(m);
}

static void a_mnemonic_may_hold_double_colons(void **state) {
  (void)state;
  struct ptx_module *m = parse(BODY(".reg .f32 %f<5>; .reg .b64 %rd<2>;\n"
                                    "ld.global.nc.L1::no_allocate.v4.f32 {%f1, _, %f2, %f3}, [%rd1+-16];"));
  const struct ptx_func *f = func(m, "k");
  assert_string_equal(mnemonic(m, f, 0), "ld.global.nc.L1::no_allocate.v4.f32");
  const struct ptx_operand *v = op(f, 0, 0), *a = op(f, 0, 1);
  assert_int_equal(v->kind, PTX_OP_VEC);
  assert_int_equal(v->n, 4);
  assert_int_equal(f->ops[v->first + 1].kind, PTX_OP_SINK);
  assert_int_equal(a->kind, PTX_OP_ADDR);
  assert_int_equal(a->n, 1);
  assert_true(a->u == (uint64_t)-16);
  assert_int_equal(f->ops[a->first].kind, PTX_OP_REG);
  ptx_module_free(m);
}

/* Value of the constant that `text` is. */
static struct ptx_operand constant(const char *text) {
  char buf[512];
  snprintf(buf, sizeof buf, BODY(".reg .b64 x; mov.b64 x, %s;"), text);
  struct ptx_module *m = parse(buf);
  struct ptx_operand o = *op(func(m, "k"), 0, 1);
  ptx_module_free(m);
  return o;
}

static void constants_have_the_values_of_ptx(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint8_t kind;
    uint64_t u;
  } rows[] = {
      {"0", PTX_OP_INT, 0},
      {"017", PTX_OP_INT, 15},
      {"0x1F", PTX_OP_INT, 31},
      {"0XffU", PTX_OP_INT, 255},
      {"0b101", PTX_OP_INT, 5},
      {"-1", PTX_OP_INT, UINT64_MAX},
      {"18446744073709551615", PTX_OP_INT, UINT64_MAX},
      {"0f3F800000", PTX_OP_F32, 0x3f800000},
      {"0F3f800000", PTX_OP_F32, 0x3f800000},
      {"-0f3F800000", PTX_OP_F32, 0xbf800000},
      {"0d3FF0000000000000", PTX_OP_F64, 0x3ff0000000000000},
      {"1.5", PTX_OP_F64, 0x3ff8000000000000},
      {"-.5", PTX_OP_F64, 0xbfe0000000000000},
      {"1e1", PTX_OP_F64, 0x4024000000000000},
      {"2+3*4", PTX_OP_INT, 14},
      {"(2+3)*4", PTX_OP_INT, 20},
      {"-(5+3)*2", PTX_OP_INT, (uint64_t)-16},
      {"7/2*2", PTX_OP_INT, 6},
      {"-7/2", PTX_OP_INT, (uint64_t)-3},
      {"-7 % 4", PTX_OP_INT, (uint64_t)-3},
      {"-1 >> 1", PTX_OP_INT, UINT64_MAX},
      {"(.u64)-1 >> 1", PTX_OP_INT, INT64_MAX},
      {"1 << 4 | 1", PTX_OP_INT, 17},
      {"6 & 3 ^ 1", PTX_OP_INT, 3},
      {"~0", PTX_OP_INT, UINT64_MAX},
      {"!5", PTX_OP_INT, 0},
      {"-1 < 0", PTX_OP_INT, 1},
      {"-1 < 0U", PTX_OP_INT, 0},
      {"1 == 1 && 2 != 2 || 0", PTX_OP_INT, 0},
      {"3 > 2 ? 10 : 20", PTX_OP_INT, 10},
      {"0 ? 1 : 0 ? 2 : 3", PTX_OP_INT, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct ptx_operand o = constant(rows[i].text);
    if (o.kind != rows[i].kind || o.u != rows[i].u)
      fail_msg("%s: kind %d, value 0x%llx", rows[i].text, o.kind, (unsigned long long)o.u);
  }
}

static void warp_sz_is_marked_so_that_its_value_can_change(void **state) {
  (void)state;
  struct ptx_operand o = constant("WARP_SZ");
  assert_true(o.kind == PTX_OP_INT && o.u == 32 && o.comp == 1);
  o = constant("WARP_SZ-1");
  assert_true(o.kind == PTX_OP_INT && o.u == 31 && o.comp == 2);
  assert_int_equal(constant("32").comp, 0);
}

static void malformed_constants_are_refused(void **state) {
  (void)state;
  refuse(BODY(".reg .b32 x; mov.b32 x, 18446744073709551616;"),
         "'18446744073709551616': number does not fit");
  refuse(BODY(".reg .b32 x; mov.b32 x, 0f12;"), "'0f12': 0f takes exactly 8");
  refuse(BODY(".reg .b32 x; mov.b32 x, 0d12;"), "'0d12': 0d takes exactly 16");
  refuse(BODY(".reg .b32 x; mov.b32 x, 12ab;"), "'12ab': malformed number");
  refuse(BODY(".reg .b32 x; mov.b32 x, 0x;"), "'0x': malformed number");
  refuse(BODY(".reg .b32 x; mov.b32 x, 089;"), "'089': malformed number");
  refuse(BODY(".reg .b32 x; mov.b32 x, 1e999;"), "out of the range");
  refuse(BODY(".reg .b32 x; mov.b32 x, 1/0;"), "division by zero");
  refuse(BODY(".reg .b32 x; mov.b32 x, 1.0+1;"), "operators take integer constants");
}

static void special_registers_carry_their_component(void **state) {
  (void)state;
  struct ptx_module *m =
      parse(BODY(".reg .b32 x; .reg .b64 y; mov.u32 x, %tid.y; mov.u32 x, %envreg31; mov.u64 y, %clock64;"
                 "mov.u32 x, %laneid; mov.u64 y, %pm2_64;"));
  const struct ptx_func *f = func(m, "k");
  static const uint8_t want[][2] = {{PTX_SREG_TID, 1},
                                    {PTX_SREG_ENVREG, 31},
                                    {PTX_SREG_CLOCK64, 0},
                                    {PTX_SREG_LANEID, 0},
                                    {PTX_SREG_PM, 10}};
  for (uint32_t i = 0; i < f->ninsts; i++) {
    assert_int_equal(op(f, i, 1)->kind, PTX_OP_SREG);
    assert_int_equal(op(f, i, 1)->id, want[i][0]);
    assert_int_equal(op(f, i, 1)->comp, want[i][1]);
  }
  ptx_module_free(m);
  refuse(BODY(".reg .b32 x; mov.u32 x, %envreg32;"), "did you mean '%envreg31'?");
  refuse(BODY(".reg .b32 %tid;"), "'%tid' is a name of PTX itself");
}

static void an_inner_scope_hides_registers_of_the_outer(void **state) {
  (void)state;
  struct ptx_module *m = parse(BODY(".reg .b32 %r<4>;\n{ .reg .b32 %r<2>; mov.b32 %r1, 1; mov.b32 %r3, 1; }\n"
                                    "mov.b32 %r1, 1;\n{ .reg .b32 %r1; mov.b32 %r1, 1; mov.b32 %r2, 1; }"));
  const struct ptx_func *f = func(m, "k");
  assert_int_equal(f->nregs, 7);
  assert_int_equal(op(f, 0, 0)->id, 5); /* inner %r1 */
  assert_int_equal(op(f, 1, 0)->id, 3); /* the inner range has no %r3 */
  assert_int_equal(op(f, 2, 0)->id, 1);
  assert_int_equal(op(f, 3, 0)->id, 6); /* a plain register hides a member of a range */
  assert_int_equal(op(f, 4, 0)->id, 2);
  ptx_module_free(m);
  m = parse(BODY(".reg .b32 x<4>; .reg .b64 y;\n{ .local .u32 x2; mov.u64 y, x2; }\nmov.b32 x2, 0;"));
  f = func(m, "k");
  assert_int_equal(op(f, 0, 1)->kind, PTX_OP_SYM);
  assert_int_equal(op(f, 1, 0)->kind, PTX_OP_REG);
  ptx_module_free(m);
}

static void ranges_of_odd_prefixes_are_found(void **state) {
  (void)state;
  struct ptx_module *m = parse(BODY(".reg .b32 r1<20>, tmp<3>;\nmov.b32 r115, 1; mov.b32 tmp2, 1;"));
  const struct ptx_func *f = func(m, "k");
  assert_int_equal(op(f, 0, 0)->id, 15);
  assert_int_equal(op(f, 1, 0)->id, 22);
  ptx_module_free(m);
}

static void labels_belong_to_their_scope(void **state) {
  (void)state;
  struct ptx_module *m = parse(BODY("L: { bra L; L: ret; }\nbra L; { bra M; }\nM:"));
  const struct ptx_func *f = func(m, "k");
  assert_int_equal(f->labels[op(f, 0, 0)->id].pos, 1);
  assert_int_equal(f->labels[op(f, 2, 0)->id].pos, 0);
  assert_int_equal(f->labels[op(f, 3, 0)->id].pos, 4);
  ptx_module_free(m);
  refuse(BODY("bra LAB; { LAB: ret; }"), "t.ptx:5: 'LAB' is not declared");
  refuse(BODY("LAB1: bra LAB2;"), "did you mean 'LAB1'?");
}

static void a_branch_table_names_its_labels(void **state) {
  (void)state;
  struct ptx_module *m =
      parse(BODY(".reg .b32 r<2>;\nA: T: .branchtargets A, B, A;\nbrx.idx r1, T;\nB: ret;"));
  const struct ptx_func *f = func(m, "k");
  const struct ptx_operand *t = op(f, 0, 1);
  assert_int_equal(op(f, 0, 0)->kind, PTX_OP_REG);
  assert_int_equal(t->kind, PTX_OP_LABEL);
  assert_true(t->is_table);
  const struct ptx_label *l = &f->labels[t->id];
  assert_int_equal(l->n, 3);
  assert_int_equal(f->labels[f->targets[l->first]].pos, 0);
  assert_int_equal(f->labels[f->targets[l->first + 1]].pos, 1);
  assert_int_equal(f->labels[f->targets[l->first + 2]].pos, 0);
  ptx_module_free(m);
}

static void operands_of_every_form_are_kept_apart(void **state) {
  (void)state;
  struct ptx_module *m = parse(
      HEAD
      ".global .u32 g[8];\n.entry k(.param .u64 p) {\n.reg .pred p1, q; .reg .b32 r<9>; .reg .v2 .f32 v;"
      ".reg .f32 %f<4>; .reg .b64 %rd<2>;\n"
      "setp.lt.and.s32 p1|q, r1, -r2, !q;\nsetp.eq.s32 p1|_, r1, 0;\nmov.u64 %rd1, g+8;\nld.param.u64 %rd1, "
      "[p+4];\n"
      "ld.local.u32 r1, [16];\nld.global.u32 r1, g[2];\nmov.u64 %rd1, g[2];\nmov.f32 %f1, v.y;\n"
      "vadd4.u32.u32.u32 r1, r2.b7610, r3, r4;\ntex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f1,%f2}]; }");
  const struct ptx_func *f = func(m, "k");
  const struct ptx_operand *o = op(f, 0, 0);
  assert_int_equal(o->kind, PTX_OP_PAIR);
  assert_int_equal(f->ops[o->first].kind, PTX_OP_REG);
  assert_int_equal(f->ops[o->first + 1].id, f->ops[o->first].id + 1);
  assert_true(op(f, 0, 2)->neg && op(f, 0, 3)->neg);
  o = op(f, 1, 0);
  assert_int_equal(f->ops[o->first + 1].kind, PTX_OP_SINK);
  o = op(f, 2, 1);
  assert_true(o->kind == PTX_OP_SYM && o->u == 8 && f->syms[o->id].kind == PTX_SYM_VAR);
  o = op(f, 3, 1);
  assert_true(o->kind == PTX_OP_ADDR && o->u == 4 && f->syms[f->ops[o->first].id].kind == PTX_SYM_PARAM);
  o = op(f, 4, 1);
  assert_true(o->kind == PTX_OP_ADDR && o->n == 0 && o->u == 16);
  o = op(f, 5, 1);
  assert_true(o->kind == PTX_OP_ADDR && o->n == 1 && o->u == 8);
  o = op(f, 6, 1);
  assert_true(o->kind == PTX_OP_SYM && o->u == 8);
  o = op(f, 7, 1);
  assert_true(o->kind == PTX_OP_REG && o->comp == 2 && f->regs[o->id].vec == 2);
  o = op(f, 8, 1);
  assert_true(o->kind == PTX_OP_REG && o->comp == 'b' && o->n == 4 && o->u == 0x7610);
  o = op(f, 9, 1);
  assert_true(o->kind == PTX_OP_ADDR && o->n == 2 && f->ops[o->first + 1].kind == PTX_OP_VEC);
  ptx_module_free(m);
}

static void calls_list_results_callee_and_arguments_in_order(void **state) {
  (void)state;
  struct ptx_module *m = parse(
      HEAD
      ".func (.param .b32 r) f (.param .b64 a, .param .b32 b);\n.func h;\n.entry k() {\n.reg .b64 %rd<2>;\n"
      "{ .param .b64 a; .param .b32 b, r; call.uni (r), f, (a, b); call h; call.uni h, ();\n"
      "P: .callprototype (.param .b32 _) _ (.param .b64 _);\ncall (r), %rd1, (a), P; }\n}");
  const struct ptx_func *f = func(m, "k");
  assert_string_equal(mnemonic(m, f, 0), "call.uni");
  assert_int_equal(f->insts[0].nops, 3);
  assert_int_equal(op(f, 0, 0)->kind, PTX_OP_LIST);
  assert_int_equal(op(f, 0, 0)->n, 1);
  assert_int_equal(op(f, 0, 1)->kind, PTX_OP_SYM);
  assert_int_equal(f->syms[op(f, 0, 1)->id].kind, PTX_SYM_FUNC);
  assert_int_equal(op(f, 0, 2)->n, 2);
  assert_int_equal(f->syms[f->ops[op(f, 0, 2)->first].id].kind, PTX_SYM_LOCALVAR);
  assert_string_equal(mnemonic(m, f, 1), "call");
  assert_int_equal(f->insts[1].nops, 1);
  assert_int_equal(op(f, 2, 1)->n, 0);
  assert_int_equal(op(f, 3, 1)->kind, PTX_OP_REG);
  assert_int_equal(op(f, 3, 3)->kind, PTX_OP_LABEL);
  assert_true(op(f, 3, 3)->is_table);
  ptx_module_free(m);
  refuse(BODY("call.uni nowhere, ();"), "'nowhere' is not declared");
}

static void a_declaration_and_its_definition_are_one_function(void **state) {
  (void)state;
  struct ptx_module *m = parse(HEAD ".func f (.param .b64 a);\n.visible .func f (.param .b64 a) { ret; }\n"
                                    ".func f (.param .b64 a);\n.extern .func g;\n");
  assert_int_equal(m->nfuncs, 2);
  assert_int_equal(m->funcs[0].ninsts, 1);
  assert_false(m->funcs[0].is_extern);
  assert_true(m->funcs[0].is_visible);
  assert_true(m->funcs[1].is_extern);
  ptx_module_free(m);
  refuse(HEAD ".func f { ret; }\n.func f { ret; }", "t.ptx:5: 'f' is already declared on line 4");
}

static void an_alias_is_its_target_under_another_name(void **state) {
  (void)state;
  struct ptx_module *m = parse(HEAD ".func a;\n.func b { ret; }\n.alias a, b;\n");
  assert_string_equal(m->funcs[0].name, "a");
  assert_int_equal(m->funcs[0].ninsts, 1);
  ptx_module_free(m);
  refuse(HEAD ".func a;\n.func b;\n.alias a, b;\n", "its target 'b' a definition");
}

static void heads_keep_parameters_and_launch_bounds(void **state) {
  (void)state;
  struct ptx_module *m =
      parse(HEAD ".weak .entry k(.param .align 8 .b8 s[24], .param .u64 .ptr .global .align 4 q)\n"
                 ".maxntid 128, 2\n.reqntid 64\n.minnctapersm 3 .maxnreg 40 .explicitcluster\n"
                 ".reqnctapercluster 2, 1, 1 .pragma \"nounroll\"; { ret; }\n"
                 ".func (.reg .b32 o) f (.reg .b32 i) .noreturn { add.u32 o, i, 1; }");
  const struct ptx_func *f = func(m, "k");
  assert_true(f->is_entry && f->is_weak);
  assert_int_equal(f->nparams, 2);
  assert_int_equal(f->params[0].size, 24);
  assert_int_equal(f->params[0].align, 8);
  assert_int_equal(f->params[1].size, 8);
  assert_int_equal(f->params[1].ptr_space, PTX_GLOBAL);
  assert_int_equal(f->params[1].ptr_align, 4);
  assert_int_equal(f->maxntid[0], 128);
  assert_int_equal(f->maxntid[1], 2);
  assert_int_equal(f->maxntid[2], 1);
  assert_int_equal(f->reqntid[0], 64);
  assert_int_equal(f->minnctapersm, 3);
  assert_int_equal(f->maxnreg, 40);
  f = func(m, "f");
  assert_true(f->noreturn);
  assert_int_equal(f->params[0].space, PTX_REG);
  assert_string_equal(f->regs[0].name, "o"); /* register parameters come first: results, then arguments */
  assert_string_equal(f->regs[1].name, "i");
  ptx_module_free(m);
}

static void initialisers_become_bytes(void **state) {
  (void)state;
  struct ptx_module *m = parse(HEAD ".global .u16 a[4] = {1, 0x203, -1};\n"
                                    ".const .u32 m[][2] = {{1}, {3, 4}};\n"
                                    ".global .v2 .f32 v[2] = {{1.0, 0f40000000}, {2.0}};\n"
                                    ".global .b8 s[] = \"a\\n\\x42\\103\";\n"
                                    ".global .f64 d = 1.5;\n.global .b8 z[1099511627776];\n");
  const struct ptx_var *v = m->vars;
  assert_int_equal(v[0].size, 8);
  assert_memory_equal(v[0].init, ((const uint8_t[]){1, 0, 3, 2, 255, 255, 0, 0}), 8);
  assert_int_equal(v[1].size, 16);
  assert_memory_equal(v[1].init, ((const uint32_t[]){1, 0, 3, 4}), 16);
  assert_false(v[1].unsized);
  assert_memory_equal(v[2].init, ((const float[]){1, 2, 2, 0}), 16);
  assert_int_equal(v[3].size, 5);
  assert_memory_equal(v[3].init, "a\nBC", 5);
  assert_memory_equal(v[4].init, &(double){1.5}, 8);
  assert_true(v[5].size == (uint64_t)1 << 40 && !v[5].init);
  ptx_module_free(m);
  refuse(HEAD ".global .u32 a[2] = {1, 2, 3};", "more values than 'a' has elements");
  refuse(HEAD ".global .u32 a[2] = {{1}};", "more nested braces");
  refuse(HEAD ".global .u32 a[];", "'a' has no size");
  refuse(HEAD ".global .u32 a[1099511627776];", "more than 2^40 bytes");
  refuse(HEAD ".global .u32 a[4294967296] = {1};", "more than 2^30 bytes");
  refuse(HEAD ".global .f16 a = 1.0;", "a floating-point constant of 8 bytes in an element of type .f16");
  refuse(HEAD ".shared .u32 a = 1;", "a variable in .shared cannot have an initialiser");
}

static void addresses_in_initialisers_become_relocations(void **state) {
  (void)state;
  struct ptx_module *m =
      parse(HEAD ".global .u32 g;\n.func f;\n.global .u64 t[4] = {7, generic(g)+4, f, g-8};\n");
  const struct ptx_var *v = &m->vars[1];
  assert_int_equal(v->nrelocs, 3);
  assert_true(v->relocs[0].generic && v->relocs[0].at == 8 && v->relocs[0].addend == 4);
  assert_int_equal(m->syms[v->relocs[0].sym].kind, PTX_SYM_VAR);
  assert_int_equal(m->syms[v->relocs[1].sym].kind, PTX_SYM_FUNC);
  assert_true(!v->relocs[2].generic && v->relocs[2].addend == -8);
  ptx_module_free(m);
  refuse(HEAD ".global .u32 g;\n.global .b8 t[8] = {0xFF(g)};", "a masked address");
  refuse(HEAD ".shared .u32 s;\n.global .u64 t = s;", "'s' is in .shared");
  refuse(HEAD ".global .u32 g;\n.global .u64 t[1] = {gg};", "did you mean 'g'?");
}

static void source_lines_come_from_loc_and_file(void **state) {
  (void)state;
  struct ptx_module *m = parse(BODY("ret;\n.loc 1 12 3\nret;\n.loc 2 7 1, function_name $s0+4, inlined_at 1 "
                                    "3 2\nret;") ".file 1 \"a.cu\"\n.file 2 \"b.h\", 12345, 6\n.file 3 "
                                                 "\"/src\" \"c.cl\"\n"
                                                 ".section .debug_str { $s0: .b8 125 // }\n/* } */ { } }\n");
  const struct ptx_func *f = func(m, "k");
  assert_int_equal(f->insts[0].loc, PTX_NONE);
  assert_int_equal(f->locs[f->insts[1].loc].line, 12);
  assert_int_equal(f->locs[f->insts[2].loc].file, 2);
  assert_int_equal(m->nfiles, 4);
  assert_null(m->files[0]);
  assert_string_equal(m->files[2], "b.h");
  assert_string_equal(m->files[3], "/src/c.cl");
  ptx_module_free(m);
}

static void line_ends_and_comments_of_any_kind_are_fine(void **state) {
  (void)state;
  struct ptx_module *m = parse(".version 6.0\r\n.target sm_90a, debug\r\n.address_size 64\r\n"
                               "/* one\r\ntwo */ .entry k() { // three\r\n ret; }");
  assert_int_equal(m->funcs[0].insts[0].line, 6);
  assert_string_equal(m->target, "sm_90a");
  assert_int_equal(m->version_major, 6);
  ptx_module_free(m);
}

static void an_error_names_the_line_and_the_token(void **state) {
  (void)state;
  refuse(BODY(".reg .b32 %r<4>;\nadd.s32 %r1 %r2, 5;"), "t.ptx:6: expected ',' or ';', found '%r2'");
  refuse(BODY(".reg .b32 %r<4>;\nadd.s32 %r1, %r4, 5;"),
         "t.ptx:6: '%r4' is not declared: no such register; did you mean '%r3'?");
  refuse(BODY("bra L\n"), "expected ',' or ';', found '}'");
  refuse(BODY(".rge .b32 %r<4>;"), "'.rge' is not a directive; did you mean '.reg'?");
  refuse(HEAD "#define X 1\n", "t.ptx:4: '#': preprocessor lines are not PTX");
  refuse(HEAD "/* on and on", "t.ptx:4: '/*': the comment does not end");
  refuse(HEAD ".file 1 \"abc\n", "the string does not end on its line");
  refuse(HEAD ".entry k() { ret;", "the file ends inside a function: the '{' on line 4 has no '}'");
  refuse(HEAD ".section .debug_str {", "its '{' has no '}'");
  refuse(".version 7.5\n.target sm_75\n.address_size 32\n", "t.ptx:3: .address_size 32");
  refuse("", "no .version");
  refuse("hello", "t.ptx:1: expected a directive such as .entry or .global, found 'hello'");
}

static void a_nul_byte_is_refused(void **state) {
  (void)state;
  static const char text[] = HEAD ".entry k() { \0 ret; }";
  struct error e = {0};
  assert_null(ptx_parse(text, sizeof text - 1, "t.ptx", &e));
  assert_contains(e.text, "a NUL byte");
  error_clear(&e);
}

static void duplicates_are_refused(void **state) {
  (void)state;
  refuse(BODY(".reg .b32 %r<4>;\n.reg .b64 %r<2>;"), "t.ptx:6: '%r' is already declared on line 5");
  refuse(BODY(".reg .b32 %r<4>;\n.reg .b64 %r3;"), "'%r3' is already declared on line 5");
  refuse(BODY(".reg .b32 %r3;\n.reg .b64 %r<4>;"), "'%r' is already declared on line 5");
  refuse(BODY(".reg .b32 x, x;"), "'x' is already declared");
  refuse(BODY("L: ret;\nL: ret;"), "'L' is already declared on line 5");
  refuse(HEAD ".global .u32 a;\n.global .u32 a;", "'a' is already declared on line 4");
  struct ptx_module *m = parse(BODY(".reg .b32 %r<4>, %r4; { .reg .b32 %r<4>; }"));
  ptx_module_free(m);
}

static void findings_are_collected_up_to_twenty(void **state) {
  (void)state;
  refuse(BODY("bar x y;\nret 0f1;"), "t.ptx:6");
  char text[4096] = HEAD ".entry k() {\n";
  for (int i = 0; i < 50; i++)
    strcat(text, "mov.b32 %r1, 1;\n");
  struct error e = {0};
  assert_null(ptx_parse(text, strlen(text), "t.ptx", &e));
  int lines = 1;
  for (const char *s = e.text; *s; s++)
    lines += *s == '\n';
  assert_int_equal(lines, 20);
  error_clear(&e);
}

static void hostile_sizes_are_refused_without_memory(void **state) {
  (void)state;
  refuse(BODY(".reg .b32 %r<4000000000>;"), "4000000000 registers; at most 1048576");
  refuse(BODY(".reg .b32 %r<1048576>, x;"), "more than 1048576 registers");
  /* many functions with many registers and no use for them */
  static char text[32768];
  size_t at = (size_t)sprintf(text, HEAD);
  for (size_t i = 0; i < 400; i++)
    at += (size_t)sprintf(text + at, ".func f%zu { .reg .b32 %%r<1000000>; }\n", i);
  refuse(text, "more registers in this module than a text of its size can use");
  /* deep nesting */
  at = (size_t)sprintf(text, HEAD ".entry k() ");
  memset(text + at, '{', 20000);
  text[at + 20000] = '\0';
  refuse(text, "scopes nest deeper than");
  at = (size_t)sprintf(text, HEAD ".entry k() { .reg .b32 x; mov.b32 x, ");
  memset(text + at, '(', 20000);
  text[at + 20000] = '\0';
  refuse(text, "nests deeper than");
}

static void the_text_hash_tells_texts_apart(void **state) {
  (void)state;
  struct ptx_module *a = parse(BODY("ret;")), *b = parse(BODY("ret;")), *c = parse(BODY("exit;"));
  assert_true(a->text_hash == b->text_hash && a->text_hash != c->text_hash);
  ptx_module_free(a);
  ptx_module_free(b);
  ptx_module_free(c);
}

static void a_missing_file_is_named(void **state) {
  (void)state;
  struct error e = {0};
  assert_null(ptx_parse_file("no/such.ptx", &e));
  assert_int_equal(e.code, EXIT_USAGE);
  assert_contains(e.text, "no/such.ptx");
  error_clear(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_instruction_has_its_mnemonic_line_guard_and_operands),
      cmocka_unit_test(equal_mnemonics_share_one_entry),
      cmocka_unit_test(a_mnemonic_may_hold_double_colons),
      cmocka_unit_test(constants_have_the_values_of_ptx),
      cmocka_unit_test(warp_sz_is_marked_so_that_its_value_can_change),
      cmocka_unit_test(malformed_constants_are_refused),
      cmocka_unit_test(special_registers_carry_their_component),
      cmocka_unit_test(an_inner_scope_hides_registers_of_the_outer),
      cmocka_unit_test(ranges_of_odd_prefixes_are_found),
      cmocka_unit_test(labels_belong_to_their_scope),
      cmocka_unit_test(a_branch_table_names_its_labels),
      cmocka_unit_test(operands_of_every_form_are_kept_apart),
      cmocka_unit_test(calls_list_results_callee_and_arguments_in_order),
      cmocka_unit_test(a_declaration_and_its_definition_are_one_function),
      cmocka_unit_test(an_alias_is_its_target_under_another_name),
      cmocka_unit_test(heads_keep_parameters_and_launch_bounds),
      cmocka_unit_test(initialisers_become_bytes),
      cmocka_unit_test(addresses_in_initialisers_become_relocations),
      cmocka_unit_test(source_lines_come_from_loc_and_file),
      cmocka_unit_test(line_ends_and_comments_of_any_kind_are_fine),
      cmocka_unit_test(an_error_names_the_line_and_the_token),
      cmocka_unit_test(a_nul_byte_is_refused),
      cmocka_unit_test(duplicates_are_refused),
      cmocka_unit_test(findings_are_collected_up_to_twenty),
      cmocka_unit_test(hostile_sizes_are_refused_without_memory),
      cmocka_unit_test(the_text_hash_tells_texts_apart),
      cmocka_unit_test(a_missing_file_is_named),
  };
  return cmocka_run_group_tests_name("PTX parser", tests, NULL, NULL);
}
