/* The assembler's rules: what it may move, what it must not, and that it keeps to its registers. */
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

#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n"

/* A kernel with this body; its first line is line 7. */
static struct ptx_module *assembled_as(const char *directives, const char *body, enum front_schedule how) {
  static char text[65536];
  snprintf(
      text, sizeof text,
      HEAD
      ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) %s {\n"
      ".reg .pred %%p<64>; .reg .b16 %%rs<8>; .reg .b32 %%r<400>; .reg .f32 %%f<400>; .reg .b64 %%rd<400>;\n"
      ".shared .align 16 .b8 s[4096];\n%s\nret;\n}\n",
      directives, body);
  struct error e = {0};
  struct ptx_module *m = ptx_parse(text, strlen(text), "t.ptx", &e);
  if (!m)
    fail_msg("%s", e.text);
  ptx_assemble(m, how);
  return m;
}

static struct ptx_module *assembled(const char *directives, const char *body) {
  return assembled_as(directives, body, SCHEDULE_ASSEMBLER);
}

/* Where the instruction of a line stands now; the n-th of them. */
static unsigned at(const struct ptx_module *m, unsigned line) {
  const struct ptx_func *f = &m->funcs[0];
  for (uint32_t i = 0; i < f->ninsts; i++)
    if (f->insts[i].line == line)
      return i;
  fail_msg("no instruction of line %u", line);
  return 0;
}

static unsigned count(const struct ptx_module *m, const char *mnemonic) {
  const struct ptx_func *f = &m->funcs[0];
  unsigned n = 0;
  for (uint32_t i = 0; i < f->ninsts; i++)
    n += strcmp(m->mnemonics[f->insts[i].mnemonic], mnemonic) == 0;
  return n;
}

static void loads_go_before_the_uses_of_earlier_loads(void **state) {
  (void)state;
  struct ptx_module *m = assembled("", "ld.param.u64 %rd1, [p];\n"
                                       "ld.global.f32 %f1, [%rd1];\n"
                                       "add.f32 %f2, %f1, %f1;\n"
                                       "ld.global.f32 %f3, [%rd1+4];\n"
                                       "add.f32 %f4, %f3, %f2;\n"
                                       "ld.global.f32 %f5, [%rd1+8];\n"
                                       "add.f32 %f6, %f5, %f4;\n"
                                       "st.global.f32 [%rd1], %f6;");
  assert_true(at(m, 10) < at(m, 9));
  assert_true(at(m, 12) < at(m, 9));
  assert_true(at(m, 9) < at(m, 11) && at(m, 11) < at(m, 13) && at(m, 13) < at(m, 14));
  ptx_module_free(m);
}

/* Line 8 loads, line 9 uses it, line 10 is `between`, line 11 loads: does that load pass line 10? */
static bool passes(const char *between, const char *load) {
  char body[1024];
  snprintf(body, sizeof body,
           "ld.param.u64 %%rd1, [p]; ld.param.u64 %%rd2, [q]; mov.u32 %%r9, 1; mov.f32 %%f9, 0f00000000;\n"
           "ld.global.nc.f32 %%f1, [%%rd1+64];\n"
           "add.f32 %%f2, %%f1, %%f1;\n"
           "%s\n"
           "%s\n"
           "add.f32 %%f4, %%f3, %%f2;\n"
           "st.global.f32 [%%rd2+128], %%f4;",
           between, load);
  struct ptx_module *m = assembled("", body);
  bool answer = at(m, 11) < at(m, 10);
  assert_true(at(m, 8) < at(m, 9) && at(m, 9) < at(m, 12) && at(m, 12) < at(m, 13));
  ptx_module_free(m);
  return answer;
}

static void nothing_passes_barriers_fences_volatile_accesses_atomics_and_clocks(void **state) {
  (void)state;
  const char *load = "ld.global.f32 %f3, [%rd1];";
  assert_false(passes("bar.sync 0;", load));
  assert_false(passes("membar.gl;", load));
  assert_false(passes("fence.acq_rel.gpu;", load));
  assert_false(passes("st.volatile.global.f32 [%rd2], %f2;", load));
  assert_false(passes("ld.acquire.gpu.global.f32 %f8, [%rd2];", load));
  assert_false(passes("mov.u32 %r1, %clock;", load));
  assert_false(passes("red.global.add.u32 [%rd2], %r9;", load));
  assert_false(passes("atom.global.add.u32 %r1, [%rd2], %r9;", load));
  assert_false(passes("bar.sync 0;", "ld.global.nc.f32 %f3, [%rd1];"));
}

static void a_load_passes_only_stores_that_cannot_overlap_it(void **state) {
  (void)state;
  assert_false(passes("st.global.f32 [%rd2], %f2;", "ld.global.f32 %f3, [%rd1];"));
  assert_false(passes("st.global.f32 [%rd1], %f2;", "ld.global.f32 %f3, [%rd1];"));
  assert_false(passes("st.global.f32 [%rd1+2], %f2;", "ld.global.f32 %f3, [%rd1+4];"));
  assert_false(passes("st.f32 [%rd2], %f2;", "ld.global.f32 %f3, [%rd1];"));
  assert_true(passes("st.global.f32 [%rd1+4], %f2;", "ld.global.f32 %f3, [%rd1];"));
  assert_true(passes("st.global.f32 [%rd2], %f2;", "ld.global.nc.f32 %f3, [%rd1];"));
  assert_true(passes("st.shared.f32 [s], %f2;", "ld.global.f32 %f3, [%rd1];"));
  assert_true(passes("st.shared.f32 [s], %f2;", "ld.shared.f32 %f3, [s+4];"));
  assert_false(passes("st.shared.f32 [s], %f2;", "ld.shared.f32 %f3, [s+2];"));
}

static void a_register_written_twice_keeps_its_order(void **state) {
  (void)state;
  struct ptx_module *m = assembled("", "ld.param.u64 %rd1, [p];\n"
                                       "ld.global.f32 %f1, [%rd1];\n"
                                       "add.f32 %f2, %f1, %f1;\n"
                                       "ld.global.f32 %f1, [%rd1+4];\n"
                                       "@%p1 ld.global.f32 %f1, [%rd1+8];\n"
                                       "add.f32 %f3, %f1, %f2;\n"
                                       "st.global.f32 [%rd1], %f3;");
  assert_true(at(m, 9) < at(m, 10) && at(m, 10) < at(m, 11) && at(m, 11) < at(m, 12));
  ptx_module_free(m);
}

/* 32 loads and a sum of them: the most loaded values that wait for their use at once. */
static unsigned most_waiting(const char *directives) {
  char body[8192];
  size_t n = (size_t)snprintf(body, sizeof body, "ld.param.u64 %%rd1, [p]; mov.f32 %%f0, 0f00000000;\n");
  for (unsigned i = 0; i < 32; i++)
    n += (size_t)snprintf(body + n, sizeof body - n,
                          "ld.global.f32 %%f%u, [%%rd1+%u];\nadd.f32 %%f%u, %%f%u, %%f%u;\n", i + 1, 4 * i,
                          i + 101, i ? i + 100 : 0, i + 1);
  snprintf(body + n, sizeof body - n, "st.global.f32 [%%rd1], %%f132;");
  struct ptx_module *m = assembled(directives, body);
  const struct ptx_func *f = &m->funcs[0];
  unsigned waiting = 0, most = 0;
  for (uint32_t i = 0; i < f->ninsts; i++) {
    const char *name = m->mnemonics[f->insts[i].mnemonic];
    waiting += strcmp(name, "ld.global.f32") == 0;
    waiting -= strcmp(name, "add.f32") == 0;
    if (waiting > most)
      most = waiting;
  }
  ptx_module_free(m);
  return most;
}

/* ptxas 13.0 for sm_90, 32 loads and more in a block: 30 registers by default and with .maxntid or .reqntid alone,
 * 46 with .maxnreg 64 or .maxntid and .minnctapersm. */
static void loads_are_hoisted_as_far_as_registers_allow(void **state) {
  (void)state;
  unsigned usual = most_waiting("");
  assert_in_range(usual, 20, 30);
  assert_int_equal(most_waiting(".reqntid 128, 1, 1"), usual);
  assert_int_equal(most_waiting(".maxntid 1024, 1, 1"), usual);
  assert_int_equal(most_waiting(".maxnreg 64"), 32);
  assert_int_equal(most_waiting(".maxntid 128, 1, 1 .minnctapersm 1"), 32);
  assert_in_range(most_waiting(".maxnreg 16"), 4, 14);
}

/* do { sum += d[i]; count++; i += step } while (i relation limit), with the last i; threads have limits of their own. */
struct counted {
  int32_t sum, count, last;
};
enum { THREADS = 32, CELLS = 512 };

static char *loop_text(const char *compare, int step, bool negated, bool twice) {
  static char text[4096];
  snprintf(
      text, sizeof text,
      HEAD
      ".visible .entry k(.param .u64 d, .param .u64 limits, .param .u64 out, .param .s32 first) {\n"
      ".reg .pred %%p<4>; .reg .b32 %%r<16>; .reg .b64 %%rd<16>;\n"
      "ld.param.u64 %%rd1, [d]; ld.param.u64 %%rd2, [limits]; ld.param.u64 %%rd3, [out];\n"
      "ld.param.s32 %%r1, [first]; mov.u32 %%r2, %%tid.x; mul.wide.u32 %%rd4, %%r2, 4;\n"
      "add.s64 %%rd5, %%rd2, %%rd4; ld.global.u32 %%r3, [%%rd5]; mov.u32 %%r4, 0; mov.u32 %%r5, 0;\n"
      "L: and.b32 %%r7, %%r1, %d; mul.wide.u32 %%rd6, %%r7, 4; add.s64 %%rd7, %%rd1, %%rd6;\n"
      "ld.global.u32 %%r6, [%%rd7]; add.s32 %%r4, %%r4, %%r6; add.s32 %%r5, %%r5, 1;\n"
      "add.s32 %%r1, %%r1, %d; setp.%s %%p1, %%r1, %%r3;\n"
      "@%s%%p1 bra %s;\n%sE: mul.wide.u32 %%rd8, %%r2, 12; add.s64 %%rd9, %%rd3, %%rd8;\n"
      "st.global.u32 [%%rd9], %%r4; st.global.u32 [%%rd9+4], %%r5; st.global.u32 [%%rd9+8], %%r1;\nret;\n}\n",
      CELLS - 1, step, compare, negated != twice ? "!" : "", twice ? "E" : "L", twice ? "bra.uni L;\n" : "");
  return text;
}

static bool goes_on(const char *compare, int32_t i, int32_t limit) {
  bool is_unsigned = strstr(compare, "u32");
  bool below = is_unsigned ? (uint32_t)i < (uint32_t)limit : i < limit, same = i == limit;
  return !strncmp(compare, "lt", 2)   ? below
         : !strncmp(compare, "le", 2) ? below || same
         : !strncmp(compare, "gt", 2) ? !below && !same
         : !strncmp(compare, "ge", 2) ? !below
         : !strncmp(compare, "ne", 2) ? !same
                                      : same;
}

static void check_loop_as(const char *how, const char *compare, int step, bool negated, bool twice,
                          int32_t first, const int32_t *limits) {
  int32_t d[CELLS];
  struct counted got[THREADS];
  for (int i = 0; i < CELLS; i++)
    d[i] = i * i + 7;
  struct sluice *s = sluice_create();
  assert_int_equal(sluice_set(s, "front.schedule", how), 0);
  const char *text = loop_text(compare, step, negated, twice);
  struct sluice_module *m = sluice_load_text(s, text, strlen(text), "loop.ptx");
  if (!m)
    fail_msg("%s", sluice_error(s));
  struct {
    uint64_t d, limits, out;
    int32_t first, pad;
  } p = {sluice_alloc(s, sizeof d, "d"), sluice_alloc(s, THREADS * 4, "limits"),
         sluice_alloc(s, sizeof got, "out"), first, 0};
  sluice_write(s, p.d, d, sizeof d), sluice_write(s, p.limits, limits, THREADS * 4);
  struct sluice_launch l = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = &p, .param_bytes = sizeof p};
  if (sluice_launch(s, m, &l))
    fail_msg("%s", sluice_error(s));
  sluice_read(s, p.out, got, sizeof got);
  for (int t = 0; t < THREADS; t++) {
    struct counted want = {.last = first};
    do {
      want.sum += d[want.last & (CELLS - 1)];
      want.count++;
      want.last = (int32_t)((uint32_t)want.last + (uint32_t)step);
    } while (goes_on(compare, want.last, limits[t]) != negated);
    assert_int_equal(got[t].count, want.count);
    assert_int_equal(got[t].sum, want.sum);
    assert_int_equal(got[t].last, want.last);
  }
  sluice_destroy(s);
}

static void check_loop(const char *compare, int step, bool negated, bool twice, int32_t first,
                       const int32_t *limits) {
  check_loop_as("assembler", compare, step, negated, twice, first, limits);
  check_loop_as("assembler9", compare, step, negated, twice, first, limits);
}

static void unrolled_loops_run_as_often_as_before(void **state) {
  (void)state;
  int32_t up[THREADS], even[THREADS], down[THREADS], edge[THREADS];
  for (int t = 0; t < THREADS; t++) {
    up[t] = t - 3, even[t] = 2 * t + 2, down[t] = 20 - t;
    edge[t] = t < 16 ? INT32_MIN + t : INT32_MAX - 40 + t; /* limits near which bounds wrap */
  }
  check_loop("lt.s32", 1, false, false, 0, up);
  check_loop("lt.s32", 3, false, false, -5, up);
  check_loop("le.s32", 2, false, false, 0, up);
  check_loop("ge.s32", 2, true, false, 0, up);
  check_loop("lt.u32", 1, false, false, 0, even);
  check_loop("ne.s32", 2, false, false, 0, even);
  check_loop("eq.s32", 2, true, false, 0, even);
  check_loop("gt.s32", -1, false, false, 20, down);
  check_loop("ge.s32", -3, false, false, 20, down);
  check_loop("ne.s32", -1, false, false, 21, down);
  check_loop("eq.s32", 2, true, true, 0, even);
  check_loop("lt.s32", 3, false, false, INT32_MAX - 60, edge);
  check_loop("gt.s32", -3, false, false, INT32_MIN + 60, edge);
}

static const char *const body = "ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f2, %f1; add.s64 %rd1, %rd1, 4;\n";

static unsigned loads_of_loop(const char *label, const char *end, unsigned more) {
  char text[8192];
  size_t n = (size_t)snprintf(text, sizeof text,
                              "ld.param.u64 %%rd1, [p]; ld.param.u32 %%r2, [n]; mov.u32 %%r1, 0;\n%s %s",
                              label, body);
  for (unsigned i = 0; i < more; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "fma.rn.f32 %%f2, %%f2, %%f2, %%f2;\n");
  snprintf(text + n, sizeof text - n, "add.s32 %%r1, %%r1, 1; %s\nE: st.global.f32 [%%rd1], %%f2;", end);
  struct ptx_module *m = assembled("", text);
  unsigned loads = count(m, "ld.global.f32");
  ptx_module_free(m);
  return loads;
}

/* Counts of loads that ptxas 13.0 for sm_90 makes of the same loops. */
static void loops_are_unrolled_as_ptxas_does(void **state) {
  (void)state;
  const char *lt = "setp.lt.s32 %p1, %r1, %r2; @%p1 bra L;";
  assert_int_equal(loads_of_loop("L:", lt, 0), 4 + 2 + 1);
  assert_int_equal(loads_of_loop("L:", "setp.ne.s32 %p1, %r1, %r2; @%p1 bra L;", 0), 7);
  assert_int_equal(loads_of_loop("L:", lt, 42), 7);
  assert_int_equal(loads_of_loop("L:", lt, 44), 1);
  assert_int_equal(loads_of_loop("L: .pragma \"nounroll\";", lt, 0), 1);
  assert_int_equal(loads_of_loop("L:", "setp.eq.s32 %p1, %r1, %r2; @%p1 bra E; bra.uni L;", 0), 1);
  assert_int_equal(loads_of_loop("L:", "setp.ne.s32 %p1, %r1, 16; @%p1 bra L;", 0), 16);
  assert_int_equal(loads_of_loop("L:", "setp.lt.s32 %p1, %r1, 100; @%p1 bra L;", 0), 100);
}

/* Products of a loop of `products` of them besides its step, comparison and jump, and of what `first` does. */
static unsigned products_of(unsigned products, const char *first) {
  char text[8192];
  size_t n = (size_t)snprintf(text, sizeof text,
                              "ld.param.u64 %%rd1, [p]; ld.param.u32 %%r1, [n]; mov.u32 %%r2, 0; mov.u32 "
                              "%%r3, s;\nL: %s\n",
                              first);
  for (unsigned i = 0; i < products; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "fma.rn.f32 %%f1, %%f1, %%f2, %%f2;\n");
  snprintf(text + n, sizeof text - n,
           "add.s32 %%r2, %%r2, 1; setp.lt.s32 %%p1, %%r2, %%r1; @%%p1 bra L;\nst.global.f32 [%%rd1], %%f1;");
  struct ptx_module *m = assembled_as("", text, SCHEDULE_ASSEMBLER9);
  unsigned k = count(m, "fma.rn.f32");
  ptx_module_free(m);
  return k;
}

/* ptxas 13.0 for sm_90: four iterations, two and one; or the loop as it was. */
static void long_loops_are_unrolled_for_loads_only(void **state) {
  (void)state;
  const char *global = "ld.global.nc.f32 %f2, [%rd1]; add.s64 %rd1, %rd1, 128;",
             *shared = "ld.shared.f32 %f2, [%r3]; add.s32 %r3, %r3, 128;",
             *red = "red.global.add.u32 [%rd1], %r1; add.s64 %rd1, %rd1, 128;";
  assert_int_equal(products_of(18, ""), 7 * 18);
  assert_int_equal(products_of(19, ""), 19);
  assert_int_equal(products_of(21, shared), 7 * 21);
  assert_int_equal(products_of(22, shared), 22);
  assert_int_equal(products_of(44, global), 7 * 44);
  assert_int_equal(products_of(45, global), 45);
  assert_int_equal(products_of(7, red), 7 * 7);
  assert_int_equal(products_of(8, red), 8);
}

/* What machine code of sm_90 does in one instruction: IMAD.WIDE, IADD3, and numbers as operands. */
static void sums_take_products_other_sums_and_numbers_along(void **state) {
  (void)state;
  struct ptx_module *m = assembled_as(
      "",
      "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u32 %r1, [n]; mov.u32 %r9, 7; mov.u32 %r2, "
      "%tid.x;\n"
      "L: mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
      "ld.global.u32 %r3, [%rd4]; ld.global.u32 %r4, [%rd5]; add.s32 %r5, %r3, %r4; sub.s32 %r6, %r2, %r5;\n"
      "shl.b32 %r7, %r6, %r9; red.global.add.u32 [%rd5], %r7;\n"
      "add.s32 %r2, %r2, %r1; setp.lt.u32 %p1, %r2, 4096; @%p1 bra L;",
      SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "mad.wide.u32"), 2);
  assert_int_equal(count(m, "mul.wide.u32"), 0);
  assert_int_equal(count(m, "sub3.b32"), 1); /* %r2 - %r3 - %r4 */
  assert_int_equal(count(m, "sub.s32"), 0);
  assert_int_equal(count(m, "add.s32"), 1);
  assert_int_equal(count(m, "mov.u32"), 1); /* of the thread's number */
  ptx_module_free(m);
}

/* FFMA: a product that one sum reads, and signs; the result of each stays what PTX says. */
static void sums_take_float_products_and_signs_along(void **state) {
  (void)state;
  struct ptx_module *m =
      assembled_as("",
                   "ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4]; "
                   "ld.global.f32 %f3, [%rd1+8];\n"
                   "mul.f32 %f4, %f1, %f2; sub.f32 %f5, %f3, %f4;\n" /* f4 has one reader */
                   "mul.f32 %f6, %f1, %f3; add.f32 %f7, %f6, %f5; sub.f32 %f8, %f6, %f2;\n" /* f6 has two */
                   "mul.rn.f32 %f9, %f7, %f8; add.f32 %f10, %f9, %f5;\n" /* written to be rounded */
                   "neg.f32 %f11, %f10; fma.rn.f32 %f12, %f11, %f8, %f7; st.global.f32 [%rd1], %f12;",
                   SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "submul.f32"), 1);
  assert_int_equal(count(m, "mul.f32"), 1);
  assert_int_equal(count(m, "mul.rn.f32"), 1);
  assert_int_equal(count(m, "add.f32"), 2);
  assert_int_equal(count(m, "fnma.f32"), 1);
  assert_int_equal(count(m, "neg.f32"), 0);
  ptx_module_free(m);
}

/* HFMA2: the same for pairs of f16. */
static void sums_take_products_of_pairs_along(void **state) {
  (void)state;
  struct ptx_module *m = assembled_as(
      "",
      "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4];\n"
      "mul.f16x2 %r3, %r1, %r2; add.f16x2 %r4, %r3, %r1; mul.f16x2 %r5, %r2, %r2; sub.f16x2 %r6, %r4, %r5;\n"
      "st.global.u32 [%rd1], %r6;",
      SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "muladd.f16x2"), 1);
  assert_int_equal(count(m, "submul.f16x2"), 1);
  assert_int_equal(count(m, "mul.f16x2"), 0);
  ptx_module_free(m);
}

/* VIADDMNMX, LEA.HI, and fields that are not whole bytes. */
static void limits_rotations_and_fields_are_machine_code_of_sm_90(void **state) {
  (void)state;
  struct ptx_module *m =
      assembled_as("",
                   "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
                   "add.s32 %r3, %r1, %r2; min.s32 %r4, %r3, %r1; shf.l.wrap.b32 %r5, %r4, %r4, 7; add.s32 "
                   "%r6, %r5, %r2;\n"
                   "bfe.u32 %r7, %r6, 3, 5; bfe.u32 %r8, %r6, 8, 8; bfi.b32 %r9, %r7, %r8, 1, 31;\n"
                   "st.global.u32 [%rd1], %r9;",
                   SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "addmin.s32"), 1);
  assert_int_equal(count(m, "shfadd.b32"), 1);
  assert_int_equal(count(m, "add.s32"), 0);
  assert_int_equal(count(m, "bfe.u32"), 1);
  assert_int_equal(count(m, "bfi.b32"), 0);
  ptx_module_free(m);
}

/* Two sides of a branch that load one register, as nvcc writes them. */
static void sides_of_a_branch_with_two_jumps_become_predicates(void **state) {
  (void)state;
  struct ptx_module *m =
      assembled_as("",
                   "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16;\n"
                   "@%p1 bra A; bra.uni B;\nA: ld.global.u32 %r2, [%rd1]; bra.uni C;\n"
                   "B: ld.global.u32 %r2, [%rd1+8192]; add.u32 %r2, %r2, 1;\nC: st.global.u32 [%rd1], %r2;",
                   SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "bra") + count(m, "bra.uni"), 0);
  assert_int_equal(count(m, "ld.global.u32"), 2);
  ptx_module_free(m);
}

/* Loads of a loop that begins at `first` and does `work` with the word it loads. */
static unsigned loads_where(const char *first, const char *work) {
  char text[2048];
  snprintf(text, sizeof text,
           "ld.param.u64 %%rd1, [p]; ld.param.u64 %%rd9, [q]; ld.param.u32 %%r1, [n]; mov.u32 %%r2, %s; "
           "mov.u32 %%r3, s;\n"
           "L: mul.wide.s32 %%rd2, %%r2, 4; add.s64 %%rd3, %%rd1, %%rd2; ld.global.nc.u32 %%r4, [%%rd3];\n"
           "add.s64 %%rd4, %%rd9, %%rd2; %s\n"
           "add.s32 %%r2, %%r2, 32; setp.lt.s32 %%p1, %%r2, %%r1; @%%p1 bra L;\nst.global.u32 [%%rd9], %%r5;",
           first, work);
  struct ptx_module *m = assembled_as("", text, SCHEDULE_ASSEMBLER9);
  unsigned k = count(m, "ld.global.nc.u32");
  ptx_module_free(m);
  return k;
}

/* ptxas 13.0 for sm_90: loops that lanes leave one by one, unless a store goes to a pointer that is stepped on. */
static void loops_of_stores_that_lanes_leave_are_not_unrolled(void **state) {
  (void)state;
  const char *store = "st.global.u32 [%rd4], %r4;", *red = "red.global.add.u32 [%rd4], %r4;",
             *pointer = "st.global.u32 [%rd9], %r4; add.s64 %rd9, %rd9, 128;",
             *shared = "st.shared.u32 [%r3], %r4; add.s32 %r3, %r3, 128;", *sum = "add.s32 %r5, %r5, %r4;";
  assert_int_equal(loads_where("%tid.x", store), 1);
  assert_int_equal(loads_where("%ctaid.x", store), 7);
  assert_int_equal(loads_where("%tid.x", red), 1);
  assert_int_equal(loads_where("%ctaid.x", red), 7);
  assert_int_equal(loads_where("%tid.x", pointer), 7);
  assert_int_equal(loads_where("%tid.x", shared), 7);
  assert_int_equal(loads_where("%tid.x", sum), 7);
}

static void addresses_of_unrolled_iterations_are_distances_from_the_first(void **state) {
  (void)state;
  struct ptx_module *m =
      assembled("", "ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;\n"
                    "L: ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f2, %f1;\n"
                    "add.s64 %rd1, %rd1, 4; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 8; @%p1 bra L;\n"
                    "st.global.f32 [%rd1], %f2;");
  assert_int_equal(count(m, "ld.global.f32"), 8);
  assert_int_equal(count(m, "add.s64"), 1); /* what the store behind the loop has */
  assert_int_equal(count(m, "add.s32"), 0);
  ptx_module_free(m);
}

static void copies_and_sums_of_products_are_joined(void **state) {
  (void)state;
  struct ptx_module *m =
      assembled("", "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; cvta.to.global.u64 %rd2, %rd1;\n"
                    "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; mov.u64 %rd5, %rd4;\n"
                    "cvt.s64.s32 %rd6, %r1; shl.b64 %rd7, %rd6, 3; add.s64 %rd8, %rd7, %rd2;\n"
                    "shl.b32 %r2, %r1, 2; add.s32 %r3, %r2, %r1;\n"
                    "ld.global.u32 %r4, [%rd5]; st.global.u32 [%rd8], %r4; st.global.u32 [%rd8+4], %r3;");
  assert_int_equal(count(m, "cvta.to.global.u64"), 0);
  assert_int_equal(count(m, "mov.u64"), 0);
  assert_int_equal(count(m, "mul.wide.u32") + count(m, "shl.b64") + count(m, "shl.b32") + count(m, "add.s64"),
                   0);
  assert_int_equal(count(m, "mad.wide.u32"), 1);
  assert_int_equal(count(m, "mad.wide.s32"), 1);
  assert_int_equal(count(m, "mad.lo.s32"), 1);
  ptx_module_free(m);
}

static unsigned branches_around(unsigned instructions, const char *one) {
  char text[4096];
  size_t n = (size_t)snprintf(text, sizeof text,
                              "ld.param.u64 %%rd1, [p]; mov.u32 %%r1, %%tid.x; mov.f32 %%f1, 0f00000000;\n"
                              "setp.gt.u32 %%p1, %%r1, 3; @%%p1 bra L;\n");
  for (unsigned i = 0; i < instructions; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", one);
  snprintf(text + n, sizeof text - n, "L: st.global.f32 [%%rd1], %%f1;");
  struct ptx_module *m = assembled("", text);
  unsigned branches = count(m, "bra");
  ptx_module_free(m);
  return branches;
}

/* ptxas 13.0 for sm_90: eight instructions are predicated, ten are branched around, and so is division. */
static void short_branches_become_predicates(void **state) {
  (void)state;
  assert_int_equal(branches_around(1, "fma.rn.f32 %f1, %f1, %f1, %f1;"), 0);
  assert_int_equal(branches_around(8, "fma.rn.f32 %f1, %f1, %f1, %f1;"), 0);
  assert_int_equal(branches_around(10, "fma.rn.f32 %f1, %f1, %f1, %f1;"), 1);
  assert_int_equal(branches_around(8, "st.global.f32 [%rd1+8], %f1;"), 0);
  assert_int_equal(branches_around(1, "div.rn.f32 %f1, %f1, %f1;"), 1);
}

static unsigned branches_of(const char *text) {
  struct ptx_module *m = assembled("", text);
  unsigned n = count(m, "bra") + count(m, "bra.uni");
  ptx_module_free(m);
  return n;
}

static void two_short_sides_become_predicates_but_an_exit_stays(void **state) {
  (void)state;
  assert_int_equal(branches_of("ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 3;\n"
                               "@%p1 bra E; mov.f32 %f1, 0f00000000; bra.uni M; E: mov.f32 %f1, 0f3F800000;\n"
                               "M: st.global.f32 [%rd1], %f1;"),
                   0);
  assert_int_equal(branches_of("ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 3;\n"
                               "@%p1 bra E; st.global.u32 [%rd1], %r1;\nE:"),
                   1);
}

static void a_predicate_is_put_only_where_it_is_seen(void **state) {
  (void)state;
  struct ptx_module *m =
      assembled("", "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.f32 %f1, 0f00000000;\n"
                    "setp.gt.u32 %p1, %r1, 3; @%p1 bra L;\n"
                    "add.s64 %rd2, %rd1, %rd1;\n"
                    "ld.global.f32 %f1, [%rd2];\n"
                    "L: st.global.f32 [%rd1], %f1;");
  const struct ptx_func *f = &m->funcs[0];
  assert_int_equal(f->insts[at(m, 9)].guard, PTX_NONE);
  assert_int_not_equal(f->insts[at(m, 10)].guard, PTX_NONE);
  assert_true(f->insts[at(m, 10)].guard_neg);
  ptx_module_free(m);
}

static void every_instruction_keeps_its_line(void **state) {
  (void)state;
  struct ptx_module *m = assembled("", "ld.param.u64 %rd1, [p];\n"
                                       "ld.global.f32 %f1, [%rd1];\n"
                                       "sqrt.approx.f32 %f2, %f1;\n"
                                       "ld.global.f32 %f3, [%rd1+4];\n"
                                       "add.f32 %f4, %f3, %f2;\n"
                                       "st.global.f32 [%rd1], %f4;");
  const struct ptx_func *f = &m->funcs[0];
  assert_string_equal(m->mnemonics[f->insts[at(m, 8)].mnemonic], "ld.global.f32");
  assert_string_equal(m->mnemonics[f->insts[at(m, 9)].mnemonic], "sqrt.approx.f32");
  assert_string_equal(m->mnemonics[f->insts[at(m, 10)].mnemonic], "ld.global.f32");
  assert_int_equal(count(m, "st.global.f32"), 1);
  ptx_module_free(m);
}

/* Two words of a row of 64 bytes, of a variable that its declaration aligns to 4. */
static void neighbouring_words_of_shared_memory_are_loaded_together(void **state) {
  (void)state;
  struct ptx_module *m = assembled(
      "", ".shared .align 4 .b8 t[4096];\n"
          "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, t; shl.b32 %r3, %r1, 6;\n"

          "add.s32 %r4, %r3, %r2; ld.shared.f32 %f1, [%r4]; ld.shared.f32 %f2, [%r4+4];\n"
          "ld.shared.f32 %f3, [%r4+8]; ld.shared.f32 %f4, [%r4+12]; ld.shared.f32 %f5, [%r4+16];\n"
          "ld.shared.f32 %f6, [%r4+20]; ld.shared.f32 %f7, [%r4+28];\n"
          "add.f32 %f8, %f1, %f2; add.f32 %f9, %f3, %f4; add.f32 %f10, %f5, %f6; add.f32 %f11, %f8, %f9;\n"
          "add.f32 %f12, %f10, %f11; add.f32 %f13, %f12, %f7; st.global.f32 [%rd1], %f13;");
  assert_int_equal(count(m, "ld.shared.v4.f32"), 1);
  assert_int_equal(count(m, "ld.shared.v2.f32"), 1);
  assert_int_equal(count(m, "ld.shared.f32"), 1);
  const struct ptx_func *f = &m->funcs[0];
  for (uint32_t i = 0; i < f->nvars; i++)
    assert_int_equal(f->vars[i].align % 16, 0);
  ptx_module_free(m);
}

static unsigned vectors(const char *text) {
  struct ptx_module *m = assembled("", text);
  unsigned n = count(m, "ld.shared.v2.f32") + count(m, "ld.global.v2.f32");
  ptx_module_free(m);
  return n;
}

static void words_are_not_joined_unaligned_or_across_what_may_change_them(void **state) {
  (void)state;
  assert_int_equal(vectors("ld.param.u64 %rd1, [p]; ld.shared.f32 %f1, [s]; ld.shared.f32 %f2, [s+4];\n"
                           "add.f32 %f3, %f1, %f2; st.global.f32 [%rd1], %f3;"),
                   1);
  assert_int_equal(vectors("ld.param.u64 %rd1, [p]; ld.shared.f32 %f1, [s+4]; ld.shared.f32 %f2, [s+8];\n"
                           "add.f32 %f3, %f1, %f2; st.global.f32 [%rd1], %f3;"),
                   0);
  assert_int_equal(vectors("ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; ld.shared.f32 %f1, [%r1];\n"
                           "ld.shared.f32 %f2, [%r1+4]; add.f32 %f3, %f1, %f2; st.global.f32 [%rd1], %f3;"),
                   0);
  assert_int_equal(vectors("ld.param.u64 %rd1, [p]; ld.shared.f32 %f1, [s]; st.shared.f32 [s+4], %f1;\n"
                           "ld.shared.f32 %f2, [s+4]; add.f32 %f3, %f1, %f2; st.global.f32 [%rd1], %f3;"),
                   0);
  assert_int_equal(vectors("ld.param.u64 %rd1, [p]; ld.shared.f32 %f1, [s]; bar.sync 0;\n"
                           "ld.shared.f32 %f2, [s+4]; add.f32 %f3, %f1, %f2; st.global.f32 [%rd1], %f3;"),
                   0);
  assert_int_equal(vectors("ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4];\n"
                           "add.f32 %f3, %f1, %f2; st.global.f32 [%rd1], %f3;"),
                   0);
}

static unsigned loads_with(const char *between) {
  char text[1024];
  snprintf(text, sizeof text,
           "ld.param.u64 %%rd1, [p]; ld.param.u64 %%rd2, [q]; mov.u32 %%r9, 1; ld.global.f32 %%f1, [%%rd1];\n"
           "%s\nld.global.f32 %%f2, [%%rd1];\nadd.f32 %%f3, %%f1, %%f2; st.global.f32 [%%rd2], %%f3;",
           between);
  struct ptx_module *m = assembled("", text);
  unsigned n = count(m, "ld.global.f32");
  ptx_module_free(m);
  return n;
}

static void a_word_is_loaded_once_unless_it_may_have_changed(void **state) {
  (void)state;
  assert_int_equal(loads_with(""), 1);
  assert_int_equal(loads_with("st.shared.f32 [s], %f1;"), 1);
  assert_int_equal(loads_with("st.global.f32 [%rd1+4], %f1;"), 1);
  assert_int_equal(loads_with("st.global.f32 [%rd2+4], %f1;"), 2);
  assert_int_equal(loads_with("bar.sync 0;"), 2);
  assert_int_equal(loads_with("red.global.add.u32 [%rd2], %r9;"), 2);
  assert_int_equal(loads_with("membar.gl;"), 2);
}

/* How often a warp goes round decides when others get their turn, and with it who comes first. */
static void kernels_that_show_the_order_of_atomics_are_not_unrolled(void **state) {
  (void)state;
  const char *loop = "ld.param.u64 %%rd1, [p]; ld.param.u32 %%r2, [n]; mov.u32 %%r1, 0; mov.u32 %%r9, 1;\n"
                     "L: ld.global.f32 %%f1, [%%rd1]; %s; add.s64 %%rd1, %%rd1, 4; add.s32 %%r1, %%r1, 1;\n"
                     "setp.lt.s32 %%p1, %%r1, %%r2; @%%p1 bra L;";
  const struct {
    const char *atomic;
    unsigned loads;
  } cases[] = {{"red.global.add.u32 [%rd1+8], %r9; st.global.f32 [%rd1+4], %f1", 7},
               {"red.global.add.f32 [%rd1+8], %f1", 1},
               {"atom.global.add.u32 %r7, [%rd1+8], %r9; st.global.u32 [%rd1+4], %r7", 1},
               {"atom.global.add.u32 %r7, [%rd1+8], %r9; st.global.f32 [%rd1+4], %f1", 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(text, sizeof text, loop, cases[i].atomic);
    struct ptx_module *m = assembled("", text);
    assert_int_equal(count(m, "ld.global.f32"), cases[i].loads);
    ptx_module_free(m);
  }
}

/* Of a chain of n xors, ptxas 13.0 makes (n + 1) / 2 LOP3 for sm_90; a value that others read stays, and is computed again with its
 * readers (life_tiles of validation/h200 executes 8.30 million instructions on the card, 8.29 million so, 8.70 million without). */
static void logic_of_three_inputs_is_one_instruction(void **state) {
  (void)state;
  const char *chain =
      "ld.param.u64 %rd1, [p]; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n"
      "xor.b32 %r5, %r1, %r2; xor.b32 %r6, %r5, %r3; and.b32 %r7, %r6, %r4; or.b32 %r8, %r7, 5;\n"
      "st.global.u32 [%rd1], %r8;";
  struct ptx_module *m = assembled_as("", chain, SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "lop3.b32"), 2);
  assert_int_equal(count(m, "xor.b32") + count(m, "and.b32") + count(m, "or.b32"), 0);
  ptx_module_free(m);
  m = assembled("", chain);
  assert_int_equal(count(m, "lop3.b32"), 0);
  ptx_module_free(m);
  m = assembled_as("",
                   "ld.param.u64 %rd1, [p]; ld.global.v2.u32 {%r1, %r2}, [%rd1];\n"
                   "xor.b32 %r5, %r1, %r2; mov.u32 %r1, 7; xor.b32 %r6, %r5, %r1; and.b32 %r7, %r6, %r2;\n"
                   "st.global.u32 [%rd1], %r7; st.global.u32 [%rd1+4], %r6;",
                   SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "xor.b32"), 2); /* r1 changes between the first two; r6 is stored, too */
  assert_int_equal(count(m, "lop3.b32"), 1);
  ptx_module_free(m);
}

static void shifts_and_predicates_are_joined(void **state) {
  (void)state;
  const char *text =
      "ld.param.u64 %rd1, [p]; ld.global.v2.u32 {%r1, %r2}, [%rd1];\n"
      "shl.b32 %r3, %r1, 7; shr.u32 %r4, %r2, 25; or.b32 %r5, %r3, %r4; st.global.u32 [%rd1], %r5;\n"
      "shl.b32 %r6, %r1, 7; shr.u32 %r7, %r2, 24; or.b32 %r8, %r6, %r7; st.global.u32 [%rd1+4], %r8;\n"
      "setp.lt.s32 %p1, %r1, %r2; setp.eq.s32 %p2, %r1, 3; and.pred %p3, %p1, %p2; @%p3 st.global.u32 "
      "[%rd1+8], %r2;";
  struct ptx_module *m = assembled_as("", text, SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "shf.l.wrap.b32"), 1); /* 7 and 25 make 32, 7 and 24 do not */
  assert_int_equal(count(m, "shl.b32"), 1);
  assert_int_equal(count(m, "shr.u32"), 1);
  assert_int_equal(count(m, "and.pred"), 0);
  assert_int_equal(count(m, "setp.lt.and.s32") + count(m, "setp.eq.and.s32"), 1);
  ptx_module_free(m);
}

/* A register has 32 bits: what is known to be positive needs no conversion; 16 bits that may overflow do. */
static void bytes_are_computed_in_registers_of_32_bits(void **state) {
  (void)state;
  const char *text =
      "ld.param.u64 %rd1, [p]; ld.global.u8 %rs1, [%rd1]; ld.global.u16 %rs5, [%rd1+2];\n"
      "and.b16 %rs2, %rs1, 15; add.s16 %rs3, %rs2, 1; cvt.u32.u16 %r1, %rs3; st.global.u32 [%rd1+4], %r1;\n"
      "add.s16 %rs6, %rs5, 1; cvt.u32.u16 %r2, %rs6; st.global.u32 [%rd1+8], %r2;\n"
      "ld.global.u32 %r3, [%rd1+12]; cvt.u16.u32 %rs4, %r3; st.global.u8 [%rd1+16], %rs4;";
  struct ptx_module *m = assembled_as("", text, SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "and.b32"), 1);
  assert_int_equal(count(m, "add.s32"), 1);
  assert_int_equal(count(m, "add.s16"), 1);
  assert_int_equal(count(m, "cvt.u32.u16"), 1); /* of 65,535 + 1 */
  assert_int_equal(count(m, "cvt.u16.u32"), 0);
  ptx_module_free(m);
  m = assembled("", text);
  assert_int_equal(count(m, "cvt.u32.u16"), 2);
  ptx_module_free(m);
}

static void an_atomic_without_readers_is_a_reduction(void **state) {
  (void)state;
  struct ptx_module *m =
      assembled_as("",
                   "ld.param.u64 %rd1, [p]; setp.eq.u64 %p1, %rd1, 0;\n"
                   "@!%p1 atom.global.add.u32 %r1, [%rd1], 1; atom.global.max.s32 %r2, [%rd1+4], 3;\n"
                   "atom.global.exch.b32 %r3, [%rd1+8], 1; atom.global.add.u32 %r4, [%rd1], 1; st.global.u32 "
                   "[%rd1+12], %r4; atom.add.u32 %r5, [%rd1], 1; atom.add.noftz.f16x2 %r6, [%rd1], %r4;",
                   SCHEDULE_ASSEMBLER9);
  assert_int_equal(count(m, "red.global.add.u32"), 1);
  assert_int_equal(count(m, "atom.add.u32"),
                   1); /* ptxas 13.0 for sm_90: ATOM, which is for any state space */
  assert_int_equal(count(m, "atom.add.noftz.f16x2"), 1);
  assert_int_equal(count(m, "red.global.max.s32"), 1);
  assert_int_equal(count(m, "atom.global.add.u32"), 1);
  assert_int_equal(count(m, "atom.global.exch.b32"), 1);
  const struct ptx_func *f = &m->funcs[0];
  for (uint32_t i = 0; i < f->ninsts; i++)
    if (strcmp(m->mnemonics[f->insts[i].mnemonic], "red.global.add.u32") == 0)
      assert_true(f->insts[i].guard != PTX_NONE && f->insts[i].guard_neg);
  ptx_module_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_go_before_the_uses_of_earlier_loads),
      cmocka_unit_test(nothing_passes_barriers_fences_volatile_accesses_atomics_and_clocks),
      cmocka_unit_test(a_load_passes_only_stores_that_cannot_overlap_it),
      cmocka_unit_test(a_register_written_twice_keeps_its_order),
      cmocka_unit_test(loads_are_hoisted_as_far_as_registers_allow),
      cmocka_unit_test(every_instruction_keeps_its_line),
      cmocka_unit_test(unrolled_loops_run_as_often_as_before),
      cmocka_unit_test(loops_are_unrolled_as_ptxas_does),
      cmocka_unit_test(long_loops_are_unrolled_for_loads_only),
      cmocka_unit_test(sums_take_products_other_sums_and_numbers_along),
      cmocka_unit_test(sums_take_float_products_and_signs_along),
      cmocka_unit_test(sums_take_products_of_pairs_along),
      cmocka_unit_test(limits_rotations_and_fields_are_machine_code_of_sm_90),
      cmocka_unit_test(sides_of_a_branch_with_two_jumps_become_predicates),
      cmocka_unit_test(loops_of_stores_that_lanes_leave_are_not_unrolled),
      cmocka_unit_test(addresses_of_unrolled_iterations_are_distances_from_the_first),
      cmocka_unit_test(copies_and_sums_of_products_are_joined),
      cmocka_unit_test(short_branches_become_predicates),
      cmocka_unit_test(a_predicate_is_put_only_where_it_is_seen),
      cmocka_unit_test(two_short_sides_become_predicates_but_an_exit_stays),
      cmocka_unit_test(neighbouring_words_of_shared_memory_are_loaded_together),
      cmocka_unit_test(words_are_not_joined_unaligned_or_across_what_may_change_them),
      cmocka_unit_test(a_word_is_loaded_once_unless_it_may_have_changed),
      cmocka_unit_test(kernels_that_show_the_order_of_atomics_are_not_unrolled),
      cmocka_unit_test(logic_of_three_inputs_is_one_instruction),
      cmocka_unit_test(shifts_and_predicates_are_joined),
      cmocka_unit_test(bytes_are_computed_in_registers_of_32_bits),
      cmocka_unit_test(an_atomic_without_readers_is_a_reduction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
