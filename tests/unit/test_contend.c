/* Which atomics come after what other warps have read, one block each (docs/timing.md). */
#include "check.h"
#include "front/ptx/program.h"
#include <string.h>

#define HEAD                                                                                                 \
  ".version 8.0\n.target sm_90\n.address_size 64\n"                                                          \
  ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n"                                       \
  ".reg .pred %p<9>;\n.reg .b32 %r<30>;\n.reg .b64 %d<9>;\n"                                                 \
  "ld.param.u64 %d1, [a];\nld.param.u64 %d2, [b];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d3, %r1, 4;\n"        \
  "add.u64 %d4, %d1, %d3;\nadd.u64 %d5, %d2, %d3;\n"

/* Does a block of the kernel wait for others? */
static void contends(const char *body, bool want) {
  char text[4096];
  struct error e = {0};
  snprintf(text, sizeof text, "%s%s\nret;\n}\n", HEAD, body);
  struct devmem_options o = devmem_defaults();
  struct devmem *mem = devmem_create(&o);
  struct program *p = program_load(ptx_parse(text, strlen(text), "t.ptx", &e), mem, &e);
  if (!p)
    fail_msg("%s\n%s", e.text, text);
  if (p->contended != want)
    fail_msg("%s in\n%s", want ? "does not wait" : "waits", body);
  program_free(p);
  devmem_destroy(mem);
  error_clear(&e);
}

static void a_cas_that_expects_what_its_loop_has_read(void **state) {
  (void)state;
  contends("ld.global.u32 %r2, [%d4];\nagain:\nadd.u32 %r3, %r2, 1;\n"
           "atom.global.cas.b32 %r4, [%d4], %r2, %r3;\nsetp.ne.u32 %p1, %r4, %r2;\nmov.u32 %r2, %r4;\n"
           "@%p1 bra again;",
           true);
  contends("again:\natom.global.cas.b32 %r4, [%d4], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra again;\n"
           "atom.global.exch.b32 %r5, [%d4], 0;",
           false); /* a lock */
}

static void an_atomic_of_an_array_that_plain_loads_read(void **state) {
  (void)state;
  contends("ld.global.u32 %r2, [%d4];\nred.global.min.u32 [%d4+4], %r2;", true);
  contends("ld.global.u32 %r2, [%d5];\nred.global.min.u32 [%d4], %r2;", false);
  contends("ld.global.nc.u32 %r2, [%d4];\nred.global.min.u32 [%d4+4], %r2;", false);
  /* an index that has been loaded points to no array */
  contends("ld.global.u32 %r2, [%d5];\nmul.wide.u32 %d6, %r2, 4;\nadd.u64 %d7, %d1, %d6;\n"
           "red.global.add.u32 [%d7], 1;",
           false);
}

static void a_queue(void **state) {
  (void)state;
  contends("ld.param.u32 %r9, [n];\nagain:\natom.global.add.u32 %r2, [%d1], 1;\n"
           "setp.lt.u32 %p1, %r2, %r9;\n@%p1 bra again;",
           true);
  contends("ld.param.u32 %r9, [n];\nagain:\nred.global.add.u32 [%d1], 1;\nsub.u32 %r9, %r9, 1;\n"
           "setp.gt.u32 %p1, %r9, 0;\n@%p1 bra again;",
           false);
  contends("atom.global.add.u32 %r2, [%d1], 1;\nst.global.u32 [%d5], %r2;", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cas_that_expects_what_its_loop_has_read),
      cmocka_unit_test(an_atomic_of_an_array_that_plain_loads_read),
      cmocka_unit_test(a_queue),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
