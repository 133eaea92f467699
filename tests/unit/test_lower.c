/* Lowering: every opcode real programs use is accepted, and what is not supported is refused by name. */
#include "check.h"
#include "base/strbuf.h"
#include "front/exec.h"
#include "front/ptx/ops.h"
#include <stdlib.h>

#define HEAD         ".version 8.0\n.target sm_90\n.address_size 64\n"
#define REGS         ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .b128 %q<3>;\n"
#define KERNEL(body) HEAD ".visible .entry k(.param .u64 p) {\n" REGS body "\nret;\n}\n"

/* NULL if the text loads, else the findings, to be freed. */
static char *load(const char *text) {
  struct error e = {0};
  struct ptx_module *m = ptx_parse(text, strlen(text), "t.ptx", &e);
  if (!m)
    fail_msg("not even parsed:\n%s\n%s", e.text, text);
  struct devmem_options o = devmem_defaults();
  struct devmem *mem = devmem_create(&o);
  struct program *p = program_load(m, mem, &e);
  assert_true(!p == (e.code == EXIT_USAGE));
  program_free(p);
  devmem_destroy(mem);
  char *findings = p ? NULL : strdup(e.text);
  error_clear(&e);
  return findings;
}

static void accept(const char *text) {
  char *findings = load(text);
  if (findings)
    fail_msg("refused:\n%s", findings);
}

static void refuse(const char *text, const char *part) {
  char *findings = load(text);
  if (!findings)
    fail_msg("accepted, without '%s':\n%s", part, text);
  assert_contains(findings, part);
  free(findings);
}

static bool begins(const char *s, const char *with) {
  return strncmp(s, with, strlen(with)) == 0;
}

/* A register that holds a value of the type. */
static const char *reg(enum ptx_type t, unsigned i) {
  static const char *const names[5][9] = {{"%p0", "%p1", "%p2", "%p3", "%p4", "%p5", "%p6", "%p7", "%p8"},
                                          {"%h0", "%h1", "%h2", "%h3", "%h4", "%h5", "%h6", "%h7", "%h8"},
                                          {"%r0", "%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r7", "%r8"},
                                          {"%d0", "%d1", "%d2", "%d3", "%d4", "%d5", "%d6", "%d7", "%d8"},
                                          {"%q0", "%q1", "%q2", "%q0", "%q1", "%q2", "%q0", "%q1", "%q2"}};
  unsigned bits = ptx_type_bits(t);
  return names[bits == 1 ? 0 : bits <= 16 ? 1 : bits == 32 ? 2 : bits == 64 ? 3 : 4][i];
}

static enum ptx_type last_type(const char *op) {
  const char *dot = strrchr(op, '.');
  return dot ? ptx_type_parse(dot + 1, (unsigned)strlen(dot + 1)) : PTX_NOTYPE;
}

static void put_vector(struct strbuf *s, const char *op, enum ptx_type t) {
  unsigned n = strstr(op, ".v2.") ? 2 : strstr(op, ".v4.") ? 4 : 1;
  if (n == 1) {
    strbuf_addf(s, " %s", reg(t, 1));
    return;
  }
  for (unsigned i = 0; i < n; i++)
    strbuf_addf(s, "%s%s", i ? ", " : " {", reg(t, i + 1));
  strbuf_addf(s, "}");
}

static void put_memory(struct strbuf *s, const char *op) {
  enum ptx_type t = last_type(op);
  bool load_op = begins(op, "ld");
  const char *at = strstr(op, ".param.") ? load_op ? "[p]" : "[out]" : "[%d8]";
  if (load_op) {
    put_vector(s, op, t);
    strbuf_addf(s, ", %s", at);
  } else {
    strbuf_addf(s, " %s,", at);
    put_vector(s, op, t);
  }
}

/* Operands for the opcode, as its form wants them. */
static void put_operands(struct strbuf *s, const char *op) {
  static const struct {
    const char *op, *operands;
  } fixed[] = {{"ret", ""},
               {"exit", ""},
               {"trap", ""},
               {"membar", ""},
               {"fence", ""},
               {"bra", " end"},
               {"call", " f"},
               {"bar.red.popc", " %r1, 0, %p1"},
               {"bar.red", " %p2, 0, %p1"},
               {"bar.warp.sync", " -1"},
               {"bar.arrive", " 1, 64"},
               {"bar", " 0"},
               {"shfl", " %r1|%p1, %r2, %r3, %r4, -1"},
               {"vote.sync.ballot", " %r1, %p1, -1"},
               {"vote.ballot", " %r1, %p1, -1"},
               {"vote.all.pred", " %p2, %p1"},
               {"vote", " %p2, %p1, -1"},
               {"match.any.sync.b64", " %r1, %d1, -1"},
               {"match.all.sync.b64", " %r1|%p1, %d1, -1"},
               {"match", " %r1, %r2, -1"},
               {"nanosleep", " %r1"},
               {"prefetch", " [%d8]"},
               {"activemask", " %r1"},
               {"cvta", " %d1, %d2"},
               {"isspacep", " %p1, %d1"}};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (begins(op, fixed[i].op)) {
      strbuf_addf(s, "%s", fixed[i].operands);
      return;
    }
  enum ptx_type t = last_type(op);
  struct ptx_op_match m;
  if (begins(op, "ld.") || begins(op, "st.")) {
    put_memory(s, op);
  } else if (begins(op, "atom.")) {
    strbuf_addf(s, " %s, [%%d8], %s", reg(t, 1), reg(t, 2));
    if (strstr(op, ".cas."))
      strbuf_addf(s, ", %s", reg(t, 3));
  } else if (begins(op, "red.")) {
    strbuf_addf(s, " [%%d8], %s", reg(t, 2));
  } else if (begins(op, "mov.")) {
    strbuf_addf(s, " %s, %s", reg(t, 1), reg(t, 2));
  } else if (ptx_op_resolve(op, &m)) {
    strbuf_addf(s, " %s", reg(m.op->dtype, 1));
    for (unsigned i = 0; i < m.op->nsrc; i++)
      strbuf_addf(s, ", %s", reg(m.op->stype[i], i + 2));
  }
}

static void every_opcode_of_real_programs_is_accepted(void **state) {
  (void)state;
  static const char *const outside[] = {"tex.", "suld.", "sust.", "wmma."};
  FILE *f = fopen("tests/unit/opcodes.txt", "r");
  assert_non_null(f);
  struct strbuf s = {0};
  strbuf_add(&s, HEAD ".func f() { ret; }\n.visible .entry k(.param .align 16 .b8 p[64]) {\n" REGS
                      ".param .align 16 .b8 out[64];\n");
  char line[128];
  unsigned n = 0, refused = 0;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '#')
      continue;
    bool skip = false;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
      skip |= begins(line, outside[i]);
    if (skip) {
      refused++;
      continue;
    }
    strbuf_addf(&s, "%s", line);
    put_operands(&s, line);
    strbuf_addf(&s, ";\n");
    n++;
  }
  fclose(f);
  strbuf_addf(&s, "end: ret;\n}\n");
  assert_true(n > 600 && refused < 60);
  accept(s.s);
  strbuf_free(&s);
}

static void unsupported_opcodes_are_all_named_at_once(void **state) {
  (void)state;
  char *findings =
      load(KERNEL("tex.cube.v4.f32.f32 {%r1, %r2, %r3, %r4}, [p, {%r5, %r6}];\nadd.s32 %r1, %r2, %r3;\n"
                  "add.q7.s32 %r1, %r2, %r3;\nadd.q7.s32 %r1, %r2, %r3;\nld.frob.global.u32 %r1, [%d1];"));
  assert_non_null(findings);
  assert_contains(findings, "t.ptx:10: opcode 'tex.cube.v4.f32.f32' is not supported (used 1 time in k)");
  assert_contains(findings, "t.ptx:12: opcode 'add.q7.s32' is not supported (used 2 times in k)");
  assert_contains(findings, "t.ptx:14: opcode 'ld.frob.global.u32' is not supported");
  free(findings);
}

/* `mm` uses wmma, `calls` a function that does; `add` uses neither and runs. */
static void a_kernel_is_refused_for_what_it_can_reach_and_others_run(void **state) {
  (void)state;
  static const char text[] =
      HEAD ".visible .entry add(.param .u64 p) {\n" REGS "add.s32 %r1, %r2, %r3;\nret;\n}\n"
           ".func f() {\n" REGS "add.q7.s32 %r1, %r2, %r3;\nret;\n}\n"
           ".visible .entry mm(.param .u64 p) {\n" REGS "wmma.frob.u32 %r1, %r2, %r3;\nret;\n}\n"
           ".visible .entry calls(.param .u64 p) {\n" REGS "call f;\nret;\n}\n";
  struct error e = {0};
  struct devmem_options o = devmem_defaults();
  struct devmem *mem = devmem_create(&o);
  struct program *p = program_load(ptx_parse(text, strlen(text), "t.ptx", &e), mem, &e);
  if (!p)
    fail_msg("%s", e.text);
  assert_int_equal(program_kernels(p), 3);
  assert_true(kernel_usable(program_kernel(p, "add", &e), &e));
  assert_false(kernel_usable(program_kernel(p, "mm", &e), &e));
  assert_contains(e.text, "kernel 'mm' cannot run:\nt.ptx:");
  assert_contains(e.text, "opcode 'wmma.frob.u32' is not supported (used 1 time in mm)");
  assert_null(strstr(e.text, "add.q7"));
  error_clear(&e);
  assert_false(kernel_usable(program_kernel(p, "calls", &e), &e));
  assert_contains(e.text, "opcode 'add.q7.s32' is not supported (used 1 time in f)");
  error_clear(&e);
  struct launch l = {.kernel = "mm", .grid = {1, 1, 1}, .block = {1, 1, 1}};
  struct exec_options x = exec_defaults();
  assert_null(exec_open(p, mem, &l, &x, &e));
  assert_int_equal(e.code, EXIT_USAGE);
  error_clear(&e);
  program_refusals(p, &e); /* asked for: all of them */
  assert_contains(e.text, "add.q7.s32");
  assert_contains(e.text, "wmma.frob.u32");
  error_clear(&e);
  program_free(p);
  devmem_destroy(mem);
}

static void modifiers_may_stand_in_any_order(void **state) {
  (void)state;
  accept(
      KERNEL("lg2.approx.f32.ftz %r1, %r2;\nmax.s32.relu %r1, %r2, %r3;\nfma.ftz.rn.f32 %r1, %r2, %r3, %r4;\n"
             "add.f32.sat.ftz.rz %r1, %r2, %r3;\nsetp.ftz.lt.f32 %p1, %r1, %r2;\nmul.s32.hi %r1, %r2, %r3;\n"
             "cvt.sat.rzi.u8.f32 %h1, %r1;\nld.volatile.u32.global %r1, [%d1];\nvote.ballot.sync.b32 %r1, "
             "%p1, -1;"));
  refuse(KERNEL("lg2.ftz.f32 %r1, %r2;"), "opcode 'lg2.ftz.f32'");
}

static void each_refusal_says_why(void **state) {
  (void)state;
  static const struct {
    const char *body, *part;
  } rules[] = {
      {"add.s32 %r1, %r2;", "takes 3 operands, not 2"},
      {"add.s32 %r1, %h2, %r3;", "a 16-bit register where s32 is wanted"},
      {"add.s32 %h1, %r2, %r3;", "the destination is 16 bits wide, the result 32"},
      {"add.s32 %p1, %r2, %r3;", "t.ptx:11: add.s32: a predicate and a number are mixed up (in k)"},
      {"and.pred %p1, %p2, %r1;", "a predicate and a number are mixed up"},
      {"add.s32 5, %r2, %r3;", "the destination must be a register"},
      {"add.s32 %r1|%r2, %r2, %r3;", "has one destination only"},
      {"add.f16 %h1, %h2, 0f3F800000;", "a floating-point literal cannot be a 16-bit operand"},
      {"mov.u32 %d1, %r1;", "the destination is 64 bits wide, the type 32"},
      {"mov.b64 {%r1, %h1}, %d1;", "element 1 is 16 bits wide, not 32"},
      {"mov.b32 %r1, {%h1, %h2, %h3};", "a vector of 3 elements does not fit"},
      {"mov.b16 %h1, {%h2, %h3};", "element 0 is 16 bits wide, not 8"},
      {"ld.global.u32 %r1, [%r2];", "32-bit addresses are not supported in this space"},
      {"ld.global.u32 %r1, [%h2];", "the address register must be 32 or 64 bits wide"},
      {"ld.shared.u32 %r1, [g];", "the name lies in .global, the instruction says .shared"},
      {"ld.global.u64 %r1, [g];", "a 32-bit register cannot hold u64"},
      {"ld.global.v2.u32 %r1, [g];", "a vector of 2 elements is wanted"},
      {"ld.global.v4.u32 {%r1, %r2}, [g];", "the vector has 2 elements, not 4"},
      {"ld.param.u64 %d1, [p+8];", "reads beyond the parameters"},
      {"st.param.u64 [p], %d1;", "constant memory and kernel parameters cannot be written"},
      {"st.const.u32 [%d1], %r1;", "constant memory and kernel parameters cannot be written"},
      {"st.global.u32 [g], %h1;", "a 16-bit register is too narrow for u32"},
      {"atom.global.add.b32 %r1, [g], %r2;", "no such atomic operation on this type"},
      {"atom.global.inc.u64 %d1, [g], %d2;", "no such atomic operation on this type"},
      {"atom.global.cas.b32 %r1, [g], %r2;", "takes 4 operands"},
      {"atom.global.add.u32 %d1, [g], %r2;", "the destination is 64 bits wide, the type 32"},
      {"cp.async.ca.shared.global [%d1], [%d2], 3;", "the size must be 4, 8 or 16"},
      {"mbarrier.init.shared.b64 [%d1];", "takes another number of operands"},
      {"mbarrier.test_wait.shared.b64 %r1, [%d1], %d2;", "the destination must be a predicate"},
      {"mbarrier.init.b64 [g], 1;", "an mbarrier lies in shared memory"},
      {"shfl.sync.idx.b64 %d1, %d2, 0, 31, -1;", "moves .b32 only"},
      {"redux.sync.add.b32 %r1, %r2, -1;", "no such reduction on this type"},
      {"bar.arrive 1;", "takes another number of operands"},
      {"bar.red.popc.u32 %p1, 0, %p2;", "the destination has the wrong type"},
      {"cvta.global.u32 %r1, %r2;", "only 64-bit addresses are supported"},
      {"mov.u64 %d1, %pm0_64;", "performance-monitor and graph registers are not supported"},
      {"call f, (%r1);", "'f' takes 0 arguments and 0 results, not 1 and 0"},
      {"call missing, (%r1);", "'missing' is declared extern and takes registers"},
      {"call k;", "'k' is a kernel"},
      {"mov.u64 %d1, f;", "the address of function 'f' is taken"},
      {"call %d1;", "indirect calls are not supported"},
      {"ld.global.u32 %r1, [away];", "'away' is declared extern and defined nowhere"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    struct strbuf s = {0};
    strbuf_add(&s, HEAD ".extern .func missing(.reg .b32 r); .func f() { ret; } .global .b64 g[4]; .extern "
                        ".global .b32 away;\n"
                        ".visible .entry k(.param .u64 p) {\n" REGS);
    strbuf_addf(&s, "%s\nret;\n}\n", rules[i].body);
    refuse(s.s, rules[i].part);
    strbuf_free(&s);
  }
}

static void sizes_have_limits(void **state) {
  (void)state;
  accept(HEAD ".visible .entry k() .explicitcluster .reqnctapercluster 1, 1, 1 { ret; }\n");
  refuse(HEAD ".visible .entry k() .reqnctapercluster 2 { ret; }\n",
         "t.ptx:4: 'k' asks for clusters of 2 x 1 x 1 CTAs");
  refuse(HEAD ".visible .entry k() {\n.shared .b8 s[16777217];\nret; }\n", "16 MiB is the limit");
  refuse(HEAD ".visible .entry k() {\n.local .b8 s[268435457];\nret; }\n", "bytes of local memory");
  refuse(HEAD ".visible .entry k(.param .b8 p[32765]) {\nret; }\n", "of parameters: too many");
  accept(HEAD ".visible .entry k(.param .b8 p[32764]) {\n.shared .b8 s[16777216];\nret; }\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_opcode_of_real_programs_is_accepted),
      cmocka_unit_test(unsupported_opcodes_are_all_named_at_once),
      cmocka_unit_test(a_kernel_is_refused_for_what_it_can_reach_and_others_run),
      cmocka_unit_test(modifiers_may_stand_in_any_order),
      cmocka_unit_test(each_refusal_says_why),
      cmocka_unit_test(sizes_have_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
