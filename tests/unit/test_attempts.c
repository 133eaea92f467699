/* Turns executed before their time give the stream and the memory that turns in their order give. */
#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "front/exec.h"
#include <stdlib.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
/* %r1: the thread's number in the grid; %d1, %d2: addresses of its words in a and b. */
#define KERNEL(name, shared, body)                                                                           \
  ".visible .entry " name "(.param .u64 a, .param .u64 b) {\n"                                               \
  ".reg .pred %p<4>;\n.reg .b32 %r<12>;\n.reg .b64 %d<8>;\n" shared                                          \
  "ld.param.u64 %d3, [a];\nld.param.u64 %d4, [b];\n"                                                         \
  "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.u32 %r1, %r2, 64, %r3;\n"                            \
  "mul.wide.u32 %d5, %r1, 4;\nadd.u64 %d1, %d3, %d5;\nadd.u64 %d2, %d4, %d5;\n" body "\nret;\n}\n"

static const char text[] = HEAD
    /* b[i] = a[i] + i */
    KERNEL("apart", "", "ld.global.u32 %r4, [%d1];\nadd.u32 %r4, %r4, %r1;\nst.global.u32 [%d2], %r4;")
    /* every other thread, in bytes, words of 8 and vectors; no two write to the same place */
    KERNEL(
        "parts", "",
        "and.b32 %r5, %r1, 1;\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 bra skip;\nld.global.u32 %r4, [%d1];\n"
        "add.u64 %d6, %d2, 4;\nst.global.u8 [%d6], %r4;\nst.global.u8 [%d2+1], %r4;\nst.global.u16 [%d2+2], "
        "%r4;\n"
        "skip: setp.ge.u32 %p2, %r1, 64;\n@%p2 bra end;\nmul.wide.u32 %d5, %r1, 8;\nadd.u64 %d6, %d4, %d5;\n"
        "mov.u32 %r6, 7;\nst.global.v2.u32 [%d6+32768], {%r1, %r6};\nend:")
    /* b[i] = 100 i, by way of shared memory and in many turns */
    KERNEL("turns", ".shared .b32 s[64];\n.reg .b64 %e<3>;\n",
           "mov.u64 %e0, s;\nmul.wide.u32 %e1, %r3, 4;\nadd.u64 %e2, %e0, %e1;\nmov.u32 %r4, "
           "0;\nst.shared.u32 [%e2], %r4;\n"
           "mov.u32 %r5, 0;\nloop: bar.sync 0;\nld.global.u32 %r6, [%d1];\nld.shared.u32 %r7, [%e2];\n"
           "add.u32 %r7, %r7, %r6;\nst.shared.u32 [%e2], %r7;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, "
           "100;\n@%p1 bra loop;\n"
           "st.global.u32 [%d2], %r7;")
    /* a[i] += 1 */
    KERNEL("in_place", "", "ld.global.u32 %r4, [%d1];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%d1], %r4;")
    /* b[i] = b[i - 64] + 1: a CTA reads what the one before it wrote */
    KERNEL("chain", "",
           "mov.u32 %r4, 0;\nsetp.lt.u32 %p1, %r1, 64;\n@%p1 bra first;\nld.global.u32 %r4, [%d2+-256];\n"
           "first: add.u32 %r4, %r4, 1;\nst.global.u32 [%d2], %r4;")
    /* b[i] = how many came before */
    KERNEL("ticket", "", "atom.global.add.u32 %r4, [%d3], 1;\nst.global.u32 [%d2], %r4;");

enum { CTAS = 40, THREADS = 64, WORDS = CTAS * THREADS, BYTES = WORDS * 4 + 32768, SIDES = 3 };

struct outcome {
  uint64_t hash; /* of the stream */
  size_t adopted, turns;
  uint32_t a[WORDS], b[BYTES / 4];
};

static void note(struct outcome *o, uint64_t v) {
  o->hash = (o->hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  o->hash ^= o->hash >> 29;
}

/* Attempts in any order, on any side. */
static void attempt_some(struct exec *x, struct exec_side *const *side, uint64_t *rng) {
  size_t n = exec_foresee(x, 1 + rng_splitmix(rng) % 24), order[24];
  for (size_t i = 0; i < n; i++)
    order[i] = i;
  for (size_t i = n; i-- > 0;) {
    size_t k = rng_splitmix(rng) % (i + 1), swap = order[k];
    struct sluice_segment seg;
    order[k] = order[i];
    if (exec_attempt(side[rng_splitmix(rng) % SIDES], swap, &seg))
      assert_true(seg.n && seg.words);
  }
}

/* seed 0: no attempts. */
static void execute(const char *kernel, unsigned turn, unsigned window, uint64_t seed, struct outcome *o) {
  struct error err = {0};
  struct devmem_options mo = devmem_defaults();
  struct devmem *mem = devmem_create(&mo);
  struct ptx_module *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (!m)
    fail_msg("%s", err.text);
  struct program *p = program_load(m, mem, &err);
  if (!p)
    fail_msg("%s", err.text);
  uint64_t args[2] = {devmem_alloc(mem, BYTES, "a", &err), devmem_alloc(mem, BYTES, "b", &err)};
  for (uint32_t i = 0; i < WORDS; i++)
    o->a[i] = i;
  if (strcmp(kernel, "ticket") == 0)
    memset(o->a, 0, sizeof o->a);
  assert_true(devmem_write(mem, args[0], o->a, sizeof o->a));
  struct exec_options eo = exec_defaults();
  eo.turn = turn, eo.window = window;
  struct launch l = {.kernel = kernel, .grid = {CTAS, 1, 1}, .block = {THREADS, 1, 1}, .params = args};
  struct exec *x = exec_open(p, mem, &l, &eo, &err);
  assert_non_null(x);
  struct exec_side *side[SIDES];
  for (unsigned i = 0; i < SIDES; i++)
    side[i] = exec_side_new(x);
  uint64_t rng = seed;
  struct sluice_segment seg;
  o->hash = o->adopted = o->turns = 0;
  for (;;) {
    if (seed && !exec_foreseen(x) && rng_splitmix(&rng) % 4)
      attempt_some(x, side, &rng);
    if (exec_next(x, &seg, &err) <= 0)
      break;
    o->turns++;
    o->adopted += exec_adopted(x) != SIZE_MAX;
    note(o, seg.cta), note(o, seg.turn), note(o, seg.last);
    for (size_t i = 0; i < seg.n; i++)
      note(o, seg.words[i]);
    const struct tally *t = exec_tally(x);
    note(o, t->of[TALLY_LOAD][SLUICE_SP_GLOBAL].lanes), note(o, t->of[TALLY_STORE][SLUICE_SP_GLOBAL].detail);
    note(o, t->ntouched);
  }
  assert_int_equal(err.code, 0);
  assert_int_equal(exec_ctas_done(x), CTAS);
  assert_true(devmem_read(mem, args[0], o->a, sizeof o->a));
  assert_true(devmem_read(mem, args[1], o->b, sizeof o->b));
  for (unsigned i = 0; i < SIDES; i++)
    exec_side_free(side[i]);
  exec_close(x);
  program_free(p);
  devmem_destroy(mem);
}

/* What thread i leaves in a and b, by arithmetic. */
static void check_values(const char *kernel, const struct outcome *o) {
  for (uint32_t i = 0; i < WORDS; i++) {
    if (strcmp(kernel, "apart") == 0)
      assert_int_equal(o->b[i], 2 * i);
    else if (strcmp(kernel, "turns") == 0)
      assert_int_equal(o->b[i], 100 * i);
    else if (strcmp(kernel, "in_place") == 0)
      assert_int_equal(o->a[i], i + 1);
    else if (strcmp(kernel, "chain") == 0)
      assert_int_equal(o->b[i], i / THREADS + 1);
    else if (strcmp(kernel, "ticket") == 0)
      assert_int_equal(o->b[i], i); /* CTAs, warps and lanes in ascending order */
  }
}

static void attempts_change_nothing(void **state) {
  (void)state;
  static const char *const kernels[] = {"apart", "parts", "turns", "in_place", "chain", "ticket"};
  struct outcome *one = xmalloc(sizeof *one), *other = xmalloc(sizeof *other);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    for (unsigned window = 5; window <= 256; window += 251) {
      unsigned turn = 16384;
      if (strcmp(kernels[k], "turns") == 0)
        turn = 300;
      execute(kernels[k], turn, window, 0, one);
      check_values(kernels[k], one);
      assert_int_equal(one->adopted, 0);
      for (uint64_t seed = 1; seed <= 4; seed++) {
        execute(kernels[k], turn, window, seed, other);
        if (other->hash != one->hash || memcmp(other->a, one->a, sizeof one->a) ||
            memcmp(other->b, one->b, sizeof one->b))
          fail_msg("%s: another result with seed %u, a window of %u", kernels[k], (unsigned)seed, window);
        bool apart = k < 3;
        if (apart && other->adopted < other->turns / 2)
          fail_msg("%s: of %zu turns only %zu were adopted", kernels[k], other->turns, other->adopted);
        if (k == 5 && other->adopted)
          fail_msg("%s: turns with atomics were adopted", kernels[k]);
      }
    }
  free(one), free(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(attempts_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
