/* What the assembler does for compute capability 9 alone: registers, addresses and logic as machine code has them. */
#include "front/ptx/assemble/assemble.h"
#include "sluice.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the above */
#include <cmocka.h>

static struct ptx_module *assembled(const char *body) {
  static char text[65536];
  snprintf(
      text, sizeof text,
      ".version 7.5\n.target sm_75\n.address_size 64\n"
      ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) {\n"
      ".reg .pred %%p<64>; .reg .b16 %%rs<8>; .reg .b32 %%r<400>; .reg .f32 %%f<400>; .reg .b64 %%rd<400>;\n"
      ".shared .align 16 .b8 s[4096]; .local .align 16 .b8 l[256]; .const .align 4 .b8 "
      "c[256]; .const .align 4 .b8 c2[256];\n%s\nret;\n}\n",
      body);
  struct error e = {0};
  struct ptx_module *m = ptx_parse(text, strlen(text), "t.ptx", &e);
  if (!m)
    fail_msg("%s", e.text);
  ptx_assemble(m, SCHEDULE_ASSEMBLER9);
  return m;
}

/* How many instructions have a mnemonic that begins so. */
static unsigned count(const struct ptx_module *m, const char *start) {
  const struct ptx_func *f = &m->funcs[0];
  unsigned n = 0;
  for (uint32_t i = 0; i < f->ninsts; i++)
    n += strncmp(m->mnemonics[f->insts[i].mnemonic], start, strlen(start)) == 0;
  return n;
}

static void expect(const char *body, const char *start, unsigned n) {
  struct ptx_module *m = assembled(body);
  assert_int_equal(count(m, start), n);
  ptx_module_free(m);
}

/* A list is walked in one register; where the value before is wanted behind the load of the next, a copy is needed. */
static void copies_that_go_round_a_loop_are_registers(void **state) {
  (void)state;
  expect("ld.param.u64 %rd1, [p];\n"
         "L: ld.global.u64 %rd2, [%rd1]; mov.u64 %rd1, %rd2; setp.ne.s64 %p1, %rd1, 0; @%p1 bra L;\n"
         "st.global.u64 [%rd2], %rd2;",
         "mov", 0);
  expect("ld.param.u64 %rd1, [p];\n"
         "L: mov.u64 %rd3, %rd1; ld.global.u64 %rd2, [%rd1]; mov.u64 %rd1, %rd2; setp.ne.s64 %p1, %rd1, 0; "
         "@%p1 bra L;\n"
         "st.global.u64 [%rd3], %rd2;",
         "mov", 1);
  expect("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; mov.u32 %r2, %r1; setp.ne.s32 %p1, %r1, 0; @%p1 "
         "bra M;\n"
         "L: ld.global.u32 %r2, [%rd1+4]; add.s32 %r3, %r3, %r2; setp.ne.s32 %p1, %r2, 0; @%p1 bra L;\n"
         "M: st.global.u32 [%rd1+8], %r2; st.global.u32 [%rd1+12], %r3;",
         "mov", 0);
  expect("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; mov.u32 %r2, %r1; setp.ne.s32 %p1, %r1, 0; @%p1 "
         "bra M;\n"
         "L: ld.global.u32 %r2, [%rd1+4]; add.s32 %r3, %r3, %r2; setp.ne.s32 %p1, %r2, 0; @%p1 bra L;\n"
         "M: st.global.u32 [%rd1+8], %r2; st.global.u32 [%rd1+12], %r1;",
         "mov", 1);
}

/* LOP3 of sm_90 has a predicate: whether its result is 0. ptxas 13.0 leaves comparisons with other numbers alone. */
static void a_comparison_of_logic_with_0_is_a_part_of_it(void **state) {
  (void)state;
  const char *start =
      "ld.param.u64 %rd1, [p]; ld.global.v2.u32 {%r1, %r2}, [%rd1]; setp.lt.s32 %p4, %r2, 9;\n";
  const struct {
    const char *code;
    unsigned joined, logic, compares;
  } cases[] = {
      {"and.b32 %r3, %r1, 7; setp.eq.s32 %p1, %r3, 0; @%p1 st.global.u32 [%rd1], %r2;", 1, 0, 1},
      {"and.b32 %r3, %r1, 7; setp.ne.b32 %p1, %r3, 0; @%p1 st.global.u32 [%rd1], %r3;", 1, 0, 1},
      {"and.b32 %r3, %r1, 7; setp.eq.and.b32 %p1, %r3, 0, %p4; @%p1 st.global.u32 [%rd1], %r2;", 1, 0, 1},
      {"and.b32 %r3, %r1, 1; setp.eq.b32 %p1, %r3, 1; @%p1 st.global.u32 [%rd1], %r2;", 0, 1, 2},
      {"add.s32 %r3, %r1, 1; setp.eq.s32 %p1, %r3, 0; @%p1 st.global.u32 [%rd1], %r2;", 0, 0, 2},
      {"and.b32 %r3, %r1, 7; xor.b32 %r4, %r2, %r3; setp.gt.s32 %p1, %r4, 0; @%p1 st.global.u32 [%rd1], %r2;",
       0, 1, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s @%%p4 st.global.u32 [%%rd1+8], %%r2;", start, cases[i].code);
    struct ptx_module *m = assembled(text);
    assert_int_equal(count(m, "setlop3"), cases[i].joined);
    assert_int_equal(count(m, "and.b32") + count(m, "lop3"), cases[i].logic);
    assert_int_equal(count(m, "setp"), cases[i].compares);
    ptx_module_free(m);
  }
}

/* Loops of local_chain and const_words (micro10.cu): ptxas 13.0 has SHF, LOP3, IMAD.IADD, LDL and SHF, LOP3, LDC c[3][R]. */
static void addresses_have_32_bits_but_for_global_memory(void **state) {
  (void)state;
  static const char *const start = "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; ";
  const struct {
    const char *code, *mnemonic;
    unsigned n;
  } cases[] = {
      {"mov.u64 %rd2, l; add.u64 %rd3, %rd2, 0; shl.b32 %r2, %r1, 2; cvt.u64.u32 %rd4, %r2; and.b64 %rd5, "
       "%rd4, 124;"
       "add.s64 %rd6, %rd3, %rd5; ld.local.u32 %r3, [%rd6]; st.global.u32 [%rd1], %r3;",
       "cvt|and.b64|add.", 0},
      {"mov.u64 %rd2, l; cvt.s64.s32 %rd4, %r1; add.s64 %rd6, %rd2, %rd4; ld.local.u8 %r3, [%rd6];"
       "st.global.u32 [%rd1], %r3;",
       "addwide.s32", 1},
      {"mov.u64 %rd2, c; shl.b32 %r2, %r1, 2; cvt.u64.u32 %rd4, %r2; and.b64 %rd5, %rd4, 124;"
       "add.s64 %rd6, %rd2, %rd5; ld.const.u32 %r3, [%rd6+4]; st.global.u32 [%rd1], %r3;",
       "cvt|and.b64|add|mov", 0},
      {"cvt.u64.u32 %rd4, %r1; add.s64 %rd6, %rd1, %rd4; ld.global.u8 %r3, [%rd6]; st.global.u32 [%rd1], "
       "%r3;",
       "add.s64", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024], names[64], *rest = names;
    snprintf(text, sizeof text, "%s%s", start, cases[i].code);
    struct ptx_module *m = assembled(text);
    snprintf(names, sizeof names, "%s", cases[i].mnemonic);
    unsigned n = 0;
    for (char *name; (name = strtok_r(rest, "|", &rest));)
      n += count(m, name);
    assert_int_equal(n, cases[i].n);
    ptx_module_free(m);
  }
}

/* So many multiply-adds, each waiting for the one before, perhaps behind a load of memory. */
static void put_side(char *at, size_t size, unsigned n, unsigned result, unsigned factor, bool loads) {
  size_t len = 0;
  at[0] = 0;
  if (loads)
    len = (size_t)snprintf(at, size, "ld.global.u32 %%r%u, [%%rd1+%u]; ", result + 40, 64 * result);
  for (unsigned i = 0; i < n; i++)
    len += (size_t)snprintf(at + len, size - len, "mad.lo.s32 %%r%u, %%r%u, %%r%u, %u; ", result, result,
                            factor, 7 * i + 3);
}

/* Read off machine code of ptxas 13.0 for sm_90: predicates for up to 8 instructions, 6 where all lanes go one way, 20 where a side loads from
 * memory; the side it comes to first has a jump, which counts, and becomes predicates alone where only the other one is too long. */
static void sides_of_branches_become_predicates_by_their_length(void **state) {
  (void)state;
  enum { ONE, TWO, TURNED };
  const struct {
    int form;
    bool uniform, loads_a, loads_b;
    unsigned a, b, branches;
  } cases[] = {
      {ONE, 0, 0, 0, 8, 0, 0},     {ONE, 0, 0, 0, 9, 0, 1},      {ONE, 1, 0, 0, 6, 0, 0},
      {ONE, 1, 0, 0, 7, 0, 1},     {ONE, 0, 1, 0, 19, 0, 0},     {ONE, 0, 1, 0, 20, 0, 1},
      {ONE, 1, 1, 0, 19, 0, 0},    {TURNED, 0, 0, 0, 8, 1, 0},   {TURNED, 0, 0, 0, 9, 1, 1},
      {TURNED, 0, 0, 0, 1, 7, 0},  {TURNED, 0, 0, 0, 1, 8, 2},   {TURNED, 0, 0, 0, 7, 7, 0},
      {TURNED, 0, 0, 0, 8, 8, 2},  {TWO, 0, 0, 0, 1, 8, 0},      {TWO, 0, 0, 0, 1, 9, 1},
      {TWO, 0, 0, 0, 7, 1, 0},     {TWO, 0, 0, 0, 8, 1, 2},      {TWO, 1, 0, 0, 1, 6, 0},
      {TWO, 1, 0, 0, 5, 1, 0},     {TWO, 1, 0, 0, 6, 1, 2},      {TURNED, 0, 1, 1, 19, 1, 0},
      {TURNED, 0, 1, 1, 20, 1, 1}, {TURNED, 0, 1, 1, 1, 18, 0},  {TURNED, 0, 1, 1, 1, 19, 2},
      {TURNED, 0, 1, 1, 30, 9, 1}, {TURNED, 0, 1, 1, 30, 10, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[8192], a[3072], b[3072];
    put_side(a, sizeof a, cases[i].a, 3, 1, cases[i].loads_a);
    put_side(b, sizeof b, cases[i].b, 4, 2, cases[i].loads_b);
    const char *way = cases[i].form == ONE   ? "@!%p1 bra M;"
                      : cases[i].form == TWO ? "@!%p1 bra B;"
                                             : "@%p1 bra A; bra.uni B; A:";
    snprintf(text, sizeof text,
             "ld.param.u64 %%rd1, [p]; ld.param.u32 %%r9, [n]; mov.u32 %%r8, %%tid.x; mad.wide.u32 %%rd1, "
             "%%r8, 4, %%rd1;"
             "ld.global.u32 %%r1, [%%rd1]; ld.global.u32 %%r2, [%%rd1+4]; ld.global.u32 %%r3, [%%rd1+8]; "
             "ld.global.u32 %%r4, [%%rd1+12];"
             "setp.lt.s32 %%p1, %s, 5; %s %s %s %s M: st.global.v4.u32 [%%rd1], {%%r3, %%r4, %%r43, %%r44};",
             cases[i].uniform ? "%r9" : "%r1", way, a, cases[i].form == ONE ? "" : "bra.uni M; B:", b);
    struct ptx_module *m = assembled(text);
    if (count(m, "bra") != cases[i].branches)
      fail_msg("case %zu: %u branches, not %u", i, count(m, "bra"), cases[i].branches);
    ptx_module_free(m);
  }
}

/* ptxas 13.0 branches around atomics, even if there is only one; and around what two predicates would guard. */
static void atomics_and_branches_in_branches_are_not_predicated(void **state) {
  (void)state;
  static const char *const start =
      "ld.param.u64 %rd1, [p]; ld.global.v2.u32 {%r1, %r2}, [%rd1]; setp.lt.s32 %p1, %r1, 5; @%p1 bra M; ";
  static const char *const sides[] = {
      "red.global.add.u32 [%rd1+8], %r2;", "red.shared.add.u32 [s], %r2;",
      "setp.lt.s32 %p2, %r2, 9; @%p2 bra L; mul.lo.u32 %r3, %r1, %r2; L: mul.lo.u32 %r4, %r2, %r2;"};
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    char text[1024];
    snprintf(text, sizeof text, "%s %s M: st.global.v2.u32 [%%rd1], {%%r3, %%r4};", start, sides[i]);
    expect(text, "bra", 1);
  }
}

static unsigned place_of(const struct ptx_module *m, const char *start) {
  const struct ptx_func *f = &m->funcs[0];
  for (uint32_t i = 0; i < f->ninsts; i++)
    if (strncmp(m->mnemonics[f->insts[i].mnemonic], start, strlen(start)) == 0)
      return i;
  fail_msg("no %s", start);
  return 0;
}

/* What nobody writes is loaded ahead of a barrier, what others may have written is not. */
static void loads_of_read_only_memory_pass_barriers(void **state) {
  (void)state;
  static const char *const code =
      "ld.param.u64 %%rd1, [p]; ld.param.u64 %%rd2, [q]; ld.param.u32 %%r9, [n]; st.shared.u32 [s], %%r9; "
      "bar.sync 0;"
      "ld.global%s.u32 %%r1, [%%rd1]; ld.shared.u32 %%r2, [s+4]; add.s32 %%r3, %%r1, %%r2; st.global.u32 "
      "[%%rd2], %%r3;";
  for (int nc = 0; nc < 2; nc++) {
    char text[1024];
    snprintf(text, sizeof text, code, nc ? ".nc" : "");
    struct ptx_module *m = assembled(text);
    assert_int_equal(place_of(m, "ld.global") < place_of(m, "bar"), nc);
    assert_true(place_of(m, "ld.shared") > place_of(m, "bar"));
    ptx_module_free(m);
  }
}

/* Does a load stand in front of what it stands behind in the text? */
static bool passes(const char *what, const char *load, const char *over) {
  enum { LINE = 10 }; /* of the load, in the whole text */
  char text[2048];
  snprintf(text, sizeof text,
           "ld.param.u64 %%rd1, [p]; ld.param.u64 %%rd2, [q]; mov.u32 %%r1, %%tid.x; mov.u32 %%r50, s;\n"
           "mul.wide.u32 %%rd3, %%r1, 4; add.s64 %%rd4, %%rd1, %%rd3; add.s64 %%rd5, %%rd2, %%rd3; "
           "ld.global.u32 %%r5, [%%rd4];\n"
           "%s\n%s\nmul.lo.u32 %%r20, %%r20, %%r6; st.global.u32 [%%rd5], %%r20;",
           what, load);
  struct ptx_module *m = assembled(text);
  const struct ptx_func *f = &m->funcs[0];
  uint32_t at_load = 0, at_other = 0;
  for (uint32_t i = 0; i < f->ninsts; i++) {
    if (f->insts[i].line == LINE)
      at_load = i;
    if (strncmp(m->mnemonics[f->insts[i].mnemonic], over, strlen(over)) == 0)
      at_other = i;
  }
  ptx_module_free(m);
  return at_load < at_other;
}

/* ptxas 13.0 for sm_90, each kind of load behind each of these. */
static void loads_pass_what_lanes_tell_each_other(void **state) {
  (void)state;
  static const char shfl[] = "shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1;",
                    vote[] = "setp.lt.u32 %p2, %r5, 9; vote.sync.ballot.b32 %r6, %p2, -1;",
                    bar[] = "st.shared.u32 [%r50+4], %r5; bar.sync 0; ld.shared.u32 %r6, [%r50+128];",
                    fence[] = "st.global.u32 [%rd5+64], %r5; membar.gl; ld.shared.u32 %r6, [%r50+128];",
                    plain[] = "ld.global.u32 %r20, [%rd4+65536];",
                    constant[] = "ld.global.nc.u32 %r20, [%rd4+65536];",
                    shared[] = "ld.shared.u32 %r20, [%r50];";
  assert_true(passes(shfl, plain, "shfl"));
  assert_true(passes(shfl, constant, "shfl"));
  assert_true(passes(shfl, shared, "shfl"));
  assert_true(passes(vote, plain, "vote"));
  assert_true(passes(bar, constant, "bar"));
  assert_false(passes(bar, plain, "bar"));
  assert_false(passes(fence, constant, "membar"));
}

/* ptxas 13.0: LDS R, [R + UR + 16]; a sum that something else reads stays. */
static void names_of_shared_memory_are_parts_of_addresses(void **state) {
  (void)state;
  static const char *const start =
      "ld.param.u64 %rd1, [p]; ld.global.v2.u32 {%r1, %r2}, [%rd1]; and.b32 %r3, %r1, 252; mov.u32 %r4, s;";
  const struct {
    const char *code;
    unsigned sums;
  } cases[] = {
      {"add.s32 %r5, %r4, %r3; ld.shared.u32 %r6, [%r5+16]; st.shared.u32 [%r5+32], %r2; st.global.u32 "
       "[%rd1], %r6;",
       0},
      {"add.s32 %r5, %r4, 1024; add.s32 %r6, %r5, %r3; ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd1], %r7;",
       0},
      {"add.s32 %r5, %r4, %r3; ld.shared.u32 %r6, [%r5+16]; st.global.u32 [%rd1], %r6; st.global.u32 "
       "[%rd1+4], %r5;",
       1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s", start, cases[i].code);
    expect(text, "add", cases[i].sums);
  }
  /* two tables at one index are two loads */
  expect(
      "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; cvt.u64.u32 %rd2, %r1; mov.u64 %rd3, c; mov.u64 "
      "%rd4, c2;"
      "add.s64 %rd5, %rd3, %rd2; add.s64 %rd6, %rd4, %rd2; ld.const.u8 %r2, [%rd5]; ld.const.u8 %r3, [%rd6];"
      "st.global.v2.u32 [%rd1], {%r2, %r3};",
      "ld.const", 2);
}

/* Operands of sm_90 have signs and amounts, and are halves of 64 bits or extended with RZ; FFMA takes no amounts. */
static void operands_have_signs_amounts_and_halves(void **state) {
  (void)state;
  static const char *const start =
      "ld.param.u64 %rd1, [p]; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; ld.global.u64 %rd2, [%rd1+16];"
      "mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3; ";
  static const char *const end =
      " st.global.f32 [%rd1], %f9; st.global.u32 [%rd1+4], %r9; st.global.u64 [%rd1+8], %rd9;";
  const struct {
    const char *code, *mnemonic;
    unsigned n;
  } cases[] = {
      {"neg.f32 %f4, %f1; max.f32 %f9, %f4, %f2;", "neg", 0},
      {"abs.f32 %f4, %f1; max.f32 %f9, %f4, %f2;", "abs", 0},
      {"abs.f32 %f4, %f1; fma.rn.f32 %f9, %f4, %f2, %f3;", "abs", 1},
      {"neg.f32 %f4, %f1; mul.f32 %f9, %f4, %f2; st.global.f32 [%rd1+32], %f4;", "neg", 1},
      {"neg.f16x2 %r5, %r1; add.f16x2 %r9, %r5, %r2;", "neg", 0},
      {"L: neg.f16x2 %r5, %r1; max.f16x2 %r9, %r5, %r2; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r4; @%p1 "
       "bra L;",
       "neg", 0},
      {"neg.f16x2 %r5, %r1; add.s32 %r1, %r1, 1; max.f16x2 %r9, %r5, %r1;", "neg", 1},
      {"mov.f32 %f8, 0f3C23D70A; cvt.rn.f16.f32 %rs1, %f8; cvt.rn.f16.f32 %rs2, %f8; mov.b32 %r5, {%rs1, "
       "%rs2};"
       "add.f16x2 %r9, %r5, %r2;",
       "cvt", 0},
      {"cvt.u64.u32 %rd3, %r1; add.s64 %rd9, %rd2, %rd3;", "cvt", 0},
      {"cvt.s64.s32 %rd3, %r1; add.s64 %rd9, %rd2, %rd3;", "cvt", 0},
      {"cvt.s64.s32 %rd3, %r1; add.s64 %rd9, %rd2, %rd3; st.global.u64 [%rd1+40], %rd3;", "cvt", 1},
      {"cvt.s64.s32 %rd3, %r1; cvt.s64.s32 %rd4, %r2; add.s64 %rd9, %rd4, %rd3;", "cvt", 1},
      {"cvt.u32.u64 %r5, %rd2; add.s32 %r9, %r5, 7;", "cvt", 0},
      {"shr.u64 %rd3, %rd2, 32; add.s64 %rd9, %rd3, %rd1;", "shr", 0},
      {"shr.u64 %rd3, %rd2, 31; add.s64 %rd9, %rd3, %rd1;", "shr", 1},
      {"and.b64 %rd3, %rd2, 4294967295; add.s64 %rd9, %rd3, %rd1;", "and", 0},
      {"setp.lt.s32 %p1, %r1, 4; not.pred %p2, %p1; @%p2 st.global.u32 [%rd1+40], %r2;", "not", 0},
      {"shl.b64 %rd3, %rd2, 3; add.s64 %rd9, %rd3, %rd1;", "shl.b64", 0},
      {"and.b64 %rd9, %rd2, 255;", "and.b64", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s", start, cases[i].code, end);
    expect(text, cases[i].mnemonic, cases[i].n);
  }
}

/* merge_linked of validation/h200: loads do not count, nor do products that the sums of addresses take along. */
static void two_sides_with_loads_become_predicates(void **state) {
  (void)state;
  expect("ld.param.u64 %rd1, [p]; ld.global.v2.u32 {%r1, %r2}, [%rd1];\n"
         "L: setp.lt.u32 %p1, %r1, %r2; @%p1 bra A; bra.uni B;\n"
         "A: add.s32 %r9, %r8, 1; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r5, "
         "[%rd3];"
         "and.b32 %r3, %r5, 255; mul.wide.u32 %rd4, %r3, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r1, "
         "[%rd5]; bra.uni C;\n"
         "B: add.s32 %r9, %r8, 2; mul.wide.u32 %rd6, %r4, 4; add.s64 %rd7, %rd1, %rd6; ld.global.u32 %r6, "
         "[%rd7];"
         "and.b32 %r4, %r6, 255; mul.wide.u32 %rd8, %r4, 4; add.s64 %rd9, %rd1, %rd8; ld.global.u32 %r2, "
         "[%rd9];\n"
         "C: mul.lo.s32 %r8, %r9, 3; setp.ne.s32 %p2, %r1, 0; @%p2 bra L; st.global.u32 [%rd1], %r8;",
         "bra", 1);
}

/* ptxas 13.0 makes a SEL only where one side is a number, or a register that is wanted afterwards. */
static void selections_are_guarded_instructions(void **state) {
  (void)state;
  static const char *const start =
      "ld.param.u64 %rd1, [p]; ld.global.v2.u32 {%r1, %r2}, [%rd1]; setp.lt.s32 %p1, %r2, 9;";
  const struct {
    const char *code;
    unsigned selections, copies;
  } cases[] = {
      {"xor.b32 %r3, %r1, 5; selp.b32 %r4, %r3, %r1, %p1; st.global.u32 [%rd1], %r4;", 0, 0},
      {"xor.b32 %r3, %r1, 5; selp.b32 %r4, %r1, %r3, %p1; st.global.v2.u32 [%rd1], {%r4, %r1};", 1, 0},
      {"xor.b32 %r3, %r1, 5; add.s32 %r5, %r1, %r2; selp.b32 %r4, %r5, %r3, %p1; st.global.u32 [%rd1], %r4;",
       0, 0},
      {"xor.b32 %r3, %r1, 5; selp.b32 %r4, %r3, 16, %p1; st.global.u32 [%rd1], %r4;", 1, 0},
      {"selp.u32 %r3, 1, 0, %p1; add.s32 %r4, %r1, %r3; st.global.u32 [%rd1], %r4;", 0, 0},
      {"selp.u32 %r3, 1, 0, %p1; add.s32 %r4, %r1, %r3; st.global.v2.u32 [%rd1], {%r4, %r1};", 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s", start, cases[i].code);
    expect(text, "selp", cases[i].selections);
    expect(text, "mov", cases[i].copies);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sides_of_branches_become_predicates_by_their_length),
      cmocka_unit_test(atomics_and_branches_in_branches_are_not_predicated),
      cmocka_unit_test(loads_of_read_only_memory_pass_barriers),
      cmocka_unit_test(copies_that_go_round_a_loop_are_registers),
      cmocka_unit_test(a_comparison_of_logic_with_0_is_a_part_of_it),
      cmocka_unit_test(addresses_have_32_bits_but_for_global_memory),
      cmocka_unit_test(loads_pass_what_lanes_tell_each_other),
      cmocka_unit_test(names_of_shared_memory_are_parts_of_addresses),
      cmocka_unit_test(operands_have_signs_amounts_and_halves),
      cmocka_unit_test(two_sides_with_loads_become_predicates),
      cmocka_unit_test(selections_are_guarded_instructions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
