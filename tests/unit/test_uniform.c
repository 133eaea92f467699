/* Which instructions a scalar unit could execute: worked out by hand for small kernels. */
#include "check.h"
#include "front/exec.h"
#include "front/ptx/ops.h"
#include "sluice.h"
#include <string.h>

#define HEAD                                                                                                 \
  ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 4 .b8 table[256];\n"                         \
  ".visible .entry k(.param .u64 p, .param .u32 n) {\n"                                                      \
  ".reg .pred %p<9>;\n.reg .b32 %r<30>;\n.reg .f32 %f<9>;\n.reg .b64 %d<9>;\n.shared .b32 w[64];\n"

/* The kernel's instructions in order, `yes` for those with the flag (of the unit, if flag is 0), 'v' for others. */
static void letters_are(const char *body, uint8_t flag, uint8_t unit, char yes, const char *want) {
  char text[4096], got[256] = "";
  struct error e = {0};
  snprintf(text, sizeof text, "%s%s\nret;\n}\n", HEAD, body);
  struct devmem_options o = devmem_defaults();
  struct devmem *mem = devmem_create(&o);
  struct program *p = program_load(ptx_parse(text, strlen(text), "t.ptx", &e), mem, &e);
  if (!p)
    fail_msg("%s\n%s", e.text, text);
  uint8_t params[16] = {0};
  struct launch l = {.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params};
  struct exec_options options = exec_defaults();
  struct exec *x = exec_open(p, mem, &l, &options, &e);
  size_t n = 0;
  for (uint32_t b = 0; b < exec_blocks(x); b++) {
    struct sluice_block k = exec_block(x, b);
    for (uint32_t i = 0; i < k.ninst; i++)
      got[n++] = (flag ? k.insts[i].flags & flag : k.insts[i].unit == unit) ? yes : 'v';
  }
  got[n - 1] = 0; /* ret */
  assert_string_equal(got, want);
  exec_close(x);
  program_free(p);
  devmem_destroy(mem);
  error_clear(&e);
}

static void flags_are(const char *body, uint8_t flag, char yes, const char *want) {
  letters_are(body, flag, 0, yes, want);
}

/* ptxas 13.0 for sm_90 waits 13 cycles between a comparison and what it guards, 4 before a selection. */
static void comparisons_that_guard_are_known(void **state) {
  (void)state;
  letters_are(
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 5;\nsetp.lt.u32 %p2, %r1, 6;\nsetp.lt.u32 %p3, %r1, 7;\n"
      "@%p1 add.u32 %r1, %r1, 1;\nselp.u32 %r2, 1, %r1, %p2;\nvote.sync.ballot.b32 %r3, %p3, -1;\n"
      "setp.gt.u32 %p4, %r2, %r3;\n@%p4 bra L;\nst.shared.u32 [w], %r3;\nL:",
      0, PTX_UNIT_GUARD, 'g', "vgvgvvvgvv");
}

/* 's' for those of the scalar unit */
static void is(const char *body, const char *want) {
  flags_are(body, SLUICE_IF_SCALAR, 's', want);
}

/* 'j' for atomics that one lane does for all, and branches at which lanes may part */
static void joins(const char *body, const char *want) {
  flags_are(body, SLUICE_IF_JOINED, 'j', want);
}

/* Each case assembled with ptxas 13.0 for sm_90: which atomics are done by one lane, chosen by a vote. */
static void one_lane_does_atomics_of_a_word_that_all_name(void **state) {
  (void)state;
  joins("ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\ncvt.u64.u32 %d2, %r1;\nadd.u64 %d3, %d1, %d2;\n"
        "red.global.add.u32 [%d1], 1;\nred.global.add.u32 [%d1], %r1;\natom.global.add.u32 %r2, [%d1], %r1;\n"
        "red.global.max.s32 [%d1], %r1;\nred.global.xor.b32 [%d1], %r1;\nred.global.add.u32 [%d3], 1;",
        "vvvvjjjjjv");
  joins("ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\ncvt.u64.u32 %d2, %r1;\ncvt.rn.f32.u32 %f1, %r1;\n"
        "red.global.add.f32 [%d1], %f1;\nred.global.add.u64 [%d1], %d2;\nred.global.add.u64 [%d1], 1;\n"
        "red.global.max.u64 [%d1], %d2;\nred.global.inc.u32 [%d1], %r1;\natom.global.cas.b32 %r2, [%d1], 1, "
        "2;\n"
        "atom.global.exch.b32 %r2, [%d1], 1;",
        "vvvvvvjvvvv");
  joins("ld.param.u64 %d1, [p];\natom.global.min.s32 %r1, [%d1], 3;\natom.global.min.s32 %r2, [%d1], 3;\n"
        "st.global.u32 [%d1], %r2;",
        "vjvv"); /* where the result is read, all lanes do it */
  joins(
      "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d3, %d1, %d2;\n"
      "red.global.add.u32 [%d3], 1;\nmov.u32 %r2, %tid.x;\nmul.wide.u32 %d4, %r2, 4;\nadd.u64 %d5, %d1, "
      "%d4;\n"
      "ld.global.u32 %r3, [%d5];\nmul.wide.u32 %d6, %r3, 4;\nadd.u64 %d7, %d1, %d6;\nred.global.add.u32 "
      "[%d7], 1;",
      "vvvvjvvvvvvv");
  /* the counter of a loop that lanes leave one by one */
  joins("ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nagain:\nmul.wide.u32 %d2, %r2, 4;\n"
        "add.u64 %d3, %d1, %d2;\nred.global.add.u32 [%d3], 1;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, "
        "%r1;\n"
        "@%p1 bra again;",
        "vvvvvvvvv");
}

static void branches_at_which_lanes_may_part_are_known(void **state) {
  (void)state;
  joins("ld.param.u32 %r1, [n];\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 bra over;\nadd.u32 %r3, %r1, 5;\nover:\n"
        "mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p2, %r2, 7;\n@%p2 bra out;\nadd.u32 %r4, %r1, 5;\nout:\nadd.u32 "
        "%r5, %r1, 1;",
        "vvvvvvjvv");
}

/* ptxas for sm_90: d_four of validation/h200 executes one BSSY for three branches that reconverge in one place. */
static void a_reconvergence_point_is_set_once_and_outside_of_loops(void **state) {
  (void)state;
  flags_are("mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, 7;\n@%p1 bra out;\nsetp.lt.u32 %p2, %r2, 9;\n@%p2 "
            "bra out;\n"
            "add.u32 %r4, %r2, 5;\nout:\nadd.u32 %r5, %r2, 1;",
            SLUICE_IF_MEETS, 'm', "vvmvvvv");
  flags_are("mov.u32 %r2, %tid.x;\nmov.u32 %r3, 0;\nagain:\nsub.u32 %r2, %r2, 3;\nsetp.lt.u32 %p1, %r2, "
            "7;\n@%p1 bra out;\n"
            "add.u32 %r3, %r3, 1;\nsetp.ne.u32 %p2, %r3, 9;\n@%p2 bra again;\nout:\nadd.u32 %r5, %r3, 1;",
            SLUICE_IF_MEETS, 'm', "vvvvvvvvv");
}

static void a_cas_tries_again_where_its_result_closes_the_loop(void **state) {
  (void)state;
  flags_are("ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r3, %tid.x;\nagain:\natom.global.cas.b32 %r2, "
            "[%d1], %r1, %r3;\n"
            "setp.ne.u32 %p1, %r2, %r1;\nmov.u32 %r1, %r2;\n@%p1 bra again;",
            SLUICE_IF_TRIES, 't', "vvvtvvt"); /* of the branch: SLUICE_IF_SKIPS */
  flags_are("ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r3, %tid.x;\nagain:\natom.global.cas.b32 %r2, "
            "[%d1], %r1, %r3;\n"
            "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra again;\nst.global.u32 [%d1], %r2;",
            SLUICE_IF_TRIES, 't', "vvvvvvvv");
}

static void what_threads_have_in_common_is_scalar(void **state) {
  (void)state;
  is("ld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.y;\nadd.u32 %r4, %r1, %r2;\n"
     "mad.lo.u32 %r5, %r2, %r3, %r4;\nshl.b32 %r6, %r5, 2;\nsetp.lt.u32 %p1, %r6, 7;\nselp.b32 %r7, 1, %r6, "
     "%p1;",
     "ssssssss");
}

static void what_depends_on_the_thread_is_not(void **state) {
  (void)state;
  is("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nadd.u32 %r3, %r1, %r2;\nadd.u32 %r4, %r2, 1;\n"
     "mov.u32 %r5, %laneid;\nmad.lo.u32 %r6, %r2, %r2, %r3;\nsetp.eq.u32 %p1, %r6, 0;\nselp.b32 %r7, 1, 2, "
     "%p1;",
     "vsvsvvvv");
}

/* No floating point, no long products, no division: their results are in vector registers. */
static void the_scalar_unit_cannot_do_everything(void **state) {
  (void)state;
  is("ld.param.u32 %r1, [n];\ncvt.rn.f32.u32 %f1, %r1;\nadd.f32 %f2, %f1, %f1;\nmul.wide.u32 %d1, %r1, 4;\n"
     "mul.hi.u32 %r2, %r1, %r1;\ndiv.u32 %r3, %r1, 3;\nadd.u32 %r4, %r3, 1;\nmul.lo.u32 %r5, %r1, %r1;\n"
     "cvt.u64.u32 %d2, %r1;\nadd.u64 %d3, %d2, 8;",
     "svvvvvvsss");
}

/* From memory that nobody writes, at an address all threads share. */
static void loads_are_scalar_where_nobody_writes(void **state) {
  (void)state;
  is("ld.param.u64 %d1, [p];\nld.const.u32 %r1, [table+4];\nld.global.nc.u32 %r2, [%d1];\n"
     "ld.global.u32 %r3, [%d1];\nadd.u32 %r4, %r1, %r2;\nadd.u32 %r5, %r4, %r3;\nmov.u32 %r6, %tid.x;\n"
     "cvt.u64.u32 %d2, %r6;\nadd.u64 %d3, %d1, %d2;\nld.global.nc.u32 %r7, [%d3];\nld.shared.u32 %r8, [w];",
     "sssvsvvvvvv");
}

/* r2 gets its value on one way only: lanes bring different ones to the join. r3 is the same for those who
 * are there, and nobody else reads it. */
static void lanes_that_part_bring_different_values(void **state) {
  (void)state;
  is("ld.param.u32 %r1, [n];\nmov.u32 %r2, 1;\nmov.u32 %r9, %tid.x;\nsetp.lt.u32 %p1, %r9, 7;\n@%p1 bra "
     "over;\n"
     "add.u32 %r3, %r1, 5;\nadd.u32 %r2, %r3, 1;\nover:\nadd.u32 %r4, %r2, 1;\nadd.u32 %r5, %r1, 1;",
     "svvvvsvvs");
  /* all lanes together: no difference */
  is("ld.param.u32 %r1, [n];\nmov.u32 %r2, 1;\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 bra over;\n"
     "add.u32 %r3, %r1, 5;\nadd.u32 %r2, %r3, 1;\nover:\nadd.u32 %r4, %r2, 1;",
     "sssvsss");
}

/* A counter is scalar within its loop, whoever stays in it; behind a loop that lanes leave at different times
 * it is not. */
static void loops_count_for_those_who_stay(void **state) {
  (void)state;
  is("mov.u32 %r9, %tid.x;\nmov.u32 %r1, 0;\nagain:\nadd.u32 %r2, %r1, 3;\nadd.u32 %r1, %r1, 1;\n"
     "setp.lt.u32 %p1, %r1, 9;\n@%p1 bra again;\nadd.u32 %r3, %r1, 1;",
     "vssssvs");
  is("mov.u32 %r9, %tid.x;\nmov.u32 %r1, 0;\nagain:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r9;\n"
     "@%p1 bra again;\nmov.u32 %r4, 7;",
     "vssvvs");
  is("mov.u32 %r9, %tid.x;\nmov.u32 %r1, 0;\nagain:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r9;\n"
     "@%p1 bra again;\nadd.u32 %r3, %r1, 1;",
     "vvvvvv");
  /* a loop of some of the lanes, all of which go round equally often */
  is("mov.u32 %r9, %tid.x;\nsetp.lt.u32 %p2, %r9, 7;\n@%p2 bra out;\nmov.u32 %r1, 0;\nagain:\n"
     "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra again;\nout:\nmov.u32 %r2, 1;",
     "vvvsssvs");
}

static void guarded_writes_are_scalar_under_scalar_guards(void **state) {
  (void)state;
  is("ld.param.u32 %r1, [n];\nmov.u32 %r2, 1;\nmov.u32 %r3, 1;\nmov.u32 %r9, %tid.x;\nsetp.lt.u32 %p1, %r9, "
     "7;\n"
     "setp.lt.u32 %p2, %r1, 7;\n@%p1 add.u32 %r2, %r1, 5;\n@%p2 add.u32 %r3, %r1, 5;\nadd.u32 %r4, %r2, "
     "%r3;\n"
     "add.u32 %r5, %r3, 1;",
     "svsvvsvsvs");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_threads_have_in_common_is_scalar),
      cmocka_unit_test(what_depends_on_the_thread_is_not),
      cmocka_unit_test(the_scalar_unit_cannot_do_everything),
      cmocka_unit_test(loads_are_scalar_where_nobody_writes),
      cmocka_unit_test(lanes_that_part_bring_different_values),
      cmocka_unit_test(loops_count_for_those_who_stay),
      cmocka_unit_test(guarded_writes_are_scalar_under_scalar_guards),
      cmocka_unit_test(one_lane_does_atomics_of_a_word_that_all_name),
      cmocka_unit_test(branches_at_which_lanes_may_part_are_known),
      cmocka_unit_test(comparisons_that_guard_are_known),
      cmocka_unit_test(a_reconvergence_point_is_set_once_and_outside_of_loops),
      cmocka_unit_test(a_cas_tries_again_where_its_result_closes_the_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
