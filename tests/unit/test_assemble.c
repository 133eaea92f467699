/* The assembler's rules: what it may move, what it must not, and that it keeps to its registers. */
#include "front/ptx/assemble/assemble.h"
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
static struct ptx_module *assembled(const char *directives, const char *body) {
  static char text[65536];
  snprintf(text, sizeof text,
           HEAD ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) %s {\n"
                ".reg .pred %%p<64>; .reg .b32 %%r<400>; .reg .f32 %%f<400>; .reg .b64 %%rd<400>;\n"
                ".shared .align 16 .b8 s[4096];\n%s\nret;\n}\n",
           directives, body);
  struct error e = {0};
  struct ptx_module *m = ptx_parse(text, strlen(text), "t.ptx", &e);
  if (!m)
    fail_msg("%s", e.text);
  ptx_assemble(m);
  return m;
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

static void loads_are_hoisted_as_far_as_registers_allow(void **state) {
  (void)state;
  assert_int_equal(most_waiting(""), 32);
  unsigned few = most_waiting(".maxnreg 16");
  assert_true(few > 4 && few < 16);
  assert_true(most_waiting(".reqntid 1024, 1, 1") > 32 - 4);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_go_before_the_uses_of_earlier_loads),
      cmocka_unit_test(nothing_passes_barriers_fences_volatile_accesses_atomics_and_clocks),
      cmocka_unit_test(a_load_passes_only_stores_that_cannot_overlap_it),
      cmocka_unit_test(a_register_written_twice_keeps_its_order),
      cmocka_unit_test(loads_are_hoisted_as_far_as_registers_allow),
      cmocka_unit_test(every_instruction_keeps_its_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
