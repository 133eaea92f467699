/* A handle with a module and three buffers, for tests of the public interface: they know sluice.h and nothing else. */
#ifndef SLUICE_TEST_API_H
#define SLUICE_TEST_API_H

#include "check.h"
#include "sluice.h"

enum { N = 1000, BLOCK = 256, GRID = 4, WARP = 32 };

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .u32 answer = 42;\n"
    ".visible .entry vecadd(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"
    "  .reg .u64 %rd<8>; .reg .u32 %r<6>; .reg .f32 %f<4>; .reg .pred %p;\n"
    "  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];\n"
    "  ld.param.u32 %r1, [n];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "  mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "  setp.ge.u32 %p, %r5, %r1;\n"
    "  @%p bra DONE;\n"
    "  mul.wide.u32 %rd4, %r5, 4;\n"
    "  add.u64 %rd5, %rd1, %rd4; add.u64 %rd6, %rd2, %rd4; add.u64 %rd7, %rd3, %rd4;\n"
    "  ld.global.f32 %f1, [%rd5];\n"
    "  ld.global.f32 %f2, [%rd6];\n"
    "  add.f32 %f3, %f1, %f2;\n"
    "  st.global.f32 [%rd7], %f3;\n"
    "DONE: ret;\n}\n"
    /* every lane reads where the table says, odd ones only */
    ".visible .entry pick(.param .u64 at, .param .u64 out) {\n"
    "  .reg .u64 %rd<8>; .reg .u32 %r<6>; .reg .pred %p;\n"
    "  ld.param.u64 %rd1, [at]; ld.param.u64 %rd2, [out];\n"
    "  mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.ne.u32 %p, %r2, 0;\n"
    "  mul.wide.u32 %rd3, %r1, 8; add.u64 %rd4, %rd1, %rd3;\n"
    "  ld.global.u64 %rd5, [%rd4];\n"
    "  @%p ld.global.u32 %r3, [%rd5];\n"
    "  mul.wide.u32 %rd6, %r1, 4; add.u64 %rd7, %rd2, %rd6;\n"
    "  @%p st.global.u32 [%rd7], %r3;\n"
    "  ret;\n}\n"
    ".visible .entry forever() {\n"
    "  .reg .u32 %r;\n  mov.u32 %r, 0;\nL: add.u32 %r, %r, 1;\n  bra L;\n}\n"
    ".visible .entry nothing() { ret; }\n";

struct vecadd_params {
  uint64_t a, b, c;
  uint32_t n; /* and four bytes of padding */
};

struct fixture {
  struct sluice *s;
  struct sluice_module *m;
  struct vecadd_params p;
  struct sluice_launch l;
};

static float a[N], b[N], c[N];

static int open_fixture(void **state) {
  static struct fixture f;
  f = (struct fixture){.s = sluice_create()};
  *state = &f;
  if (!(f.m = sluice_load_text(f.s, text, sizeof text - 1, "api.ptx")))
    return -1;
  for (int i = 0; i < N; i++)
    a[i] = (float)i, b[i] = (float)(2 * i);
  f.p = (struct vecadd_params){.a = sluice_alloc(f.s, sizeof a, "a"),
                               .b = sluice_alloc(f.s, sizeof b, "b"),
                               .c = sluice_alloc(f.s, sizeof c, NULL),
                               .n = N};
  f.l = (struct sluice_launch){.kernel = "vecadd",
                               .grid = {GRID, 1, 1},
                               .block = {BLOCK, 1, 1},
                               .params = &f.p,
                               .param_bytes = sizeof f.p};
  return sluice_write(f.s, f.p.a, a, sizeof a) || sluice_write(f.s, f.p.b, b, sizeof b);
}

static int close_fixture(void **state) {
  struct fixture *f = *state;
  sluice_destroy(f->s);
  return 0;
}

static void check_sum(struct fixture *f) {
  memset(c, 0, sizeof c);
  assert_int_equal(sluice_read(f->s, f->p.c, c, sizeof c), 0);
  for (int i = 0; i < N; i++)
    assert_true(c[i] == (float)(3 * i));
}

static double stat_of(struct sluice *s, const char *name) {
  double v = -1;
  assert_true(sluice_stat(s, name, &v));
  return v;
}

#define IN_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

#endif
