/* What GCN code has between the instructions of PTX, on blocks written by hand. */
#include "core/gcn_code.h"
#include "check.h"
#include <stdlib.h>
#include <string.h>

enum { ALWAYS = 100 };

/* One instruction: what it is, the register that it writes, those that it reads (0: none). */
enum what { PARAM4, PARAM8, VECTOR, LOCAL_LOAD, LOCAL_STORE, SCALAR_LOAD, STORE, ADD, BARRIER, PART };
struct line {
  enum what what;
  uint16_t to, a, b;
};

static struct warp_inst made(struct line l) {
  static const struct warp_inst of[] = {
      [PARAM4] = {.klass = SLUICE_OTHER, .unit = PTX_UNIT_MEM, .space = SLUICE_SP_PARAM, .bytes = 4},
      [PARAM8] = {.klass = SLUICE_OTHER, .unit = PTX_UNIT_MEM, .space = SLUICE_SP_PARAM, .bytes = 8},
      [VECTOR] = {.klass = SLUICE_LOAD, .space = SLUICE_SP_GLOBAL, .flags = SLUICE_IF_ADDRESS},
      [LOCAL_LOAD] = {.klass = SLUICE_LOAD, .space = SLUICE_SP_SHARED, .flags = SLUICE_IF_ADDRESS},
      [LOCAL_STORE] = {.klass = SLUICE_STORE, .space = SLUICE_SP_SHARED, .flags = SLUICE_IF_ADDRESS},
      [SCALAR_LOAD] = {.klass = SLUICE_LOAD,
                       .space = SLUICE_SP_CONST,
                       .flags = SLUICE_IF_ADDRESS | SLUICE_IF_SCALAR},
      [STORE] = {.klass = SLUICE_STORE, .space = SLUICE_SP_GLOBAL, .flags = SLUICE_IF_ADDRESS},
      [ADD] = {.klass = SLUICE_OTHER},
      [BARRIER] = {.klass = SLUICE_BARRIER, .flags = SLUICE_IF_BARRIER},
      [PART] = {.klass = SLUICE_BRANCH, .flags = SLUICE_IF_PARTS},
  };
  struct warp_inst i = of[l.what];
  i.ndst = l.to ? 1 : 0;
  for (unsigned r = 0; r < 2 * SLUICE_MAX_REGS; r++)
    i.reg[r] = ALWAYS;
  const uint16_t regs[] = {l.to, l.a, l.b};
  for (unsigned r = 0; r < 3; r++)
    if (regs[r])
      i.reg[i.nregs++] = regs[r];
  return i;
}

/* The block as letters: '.' one of its own, 's' an instruction of the scalar unit, 'd' a load of a descriptor. */
static void becomes(const struct line *l, uint32_t n, const char *want) {
  struct warp_inst in[16], *out;
  char got[64] = "";
  for (uint32_t i = 0; i < n; i++)
    in[i] = made(l[i]);
  gcn_number_params(in, n);
  uint32_t m = n, at = 0;
  out = gcn_code(in, &m, ALWAYS);
  for (uint32_t i = 0; i < m; i++) {
    bool own = at < n && !memcmp(&out[i], &in[at], sizeof in[at]);
    got[i] = own ? '.' : gcn_loads_param(&out[i]) ? 'd' : 's';
    at += own;
    if (!own)
      assert_true(out[i].flags == SLUICE_IF_SCALAR && !out[i].nregs);
  }
  assert_int_equal(at, n);
  assert_string_equal(got, want);
  free(out);
}
#define BECOMES(want, ...)                                                                                   \
  do {                                                                                                       \
    const struct line l_[] = {__VA_ARGS__};                                                                  \
    becomes(l_, sizeof l_ / sizeof *l_, want);                                                               \
  } while (0)

static void data_is_waited_for_once(void **state) {
  (void)state;
  BECOMES("..", {ADD, 1, 0, 0}, {ADD, 2, 1, 0});
  BECOMES(".s.", {VECTOR, 1, 0, 0}, {ADD, 2, 1, 0});
  BECOMES(".s..", {VECTOR, 1, 0, 0}, {ADD, 2, 1, 0}, {ADD, 3, 1, 0});
  BECOMES(".s.", {VECTOR, 1, 0, 0}, {ADD, 1, 2, 0}); /* would be overwritten */
  BECOMES("..", {VECTOR, 1, 0, 0}, {STORE, 0, 2, 0});
}

/* vmcnt(1), then vmcnt(0); or vmcnt(0) at once, which is a wait for both. */
static void vector_loads_complete_in_order(void **state) {
  (void)state;
  BECOMES("..s.s.", {VECTOR, 1, 0, 0}, {VECTOR, 2, 0, 0}, {ADD, 3, 1, 0}, {ADD, 4, 2, 0});
  BECOMES("..s..", {VECTOR, 1, 0, 0}, {VECTOR, 2, 0, 0}, {ADD, 3, 2, 0}, {ADD, 4, 1, 0});
}

/* lgkmcnt(0); one instruction can wait for both kinds. */
static void other_loads_are_waited_for_together(void **state) {
  (void)state;
  BECOMES("...s..", {PARAM4, 1, 0, 0}, {SCALAR_LOAD, 2, 0, 0}, {LOCAL_LOAD, 3, 0, 0}, {ADD, 4, 1, 0},
          {ADD, 5, 2, 3});
  BECOMES("..s.s.", {PARAM4, 1, 0, 0}, {VECTOR, 2, 0, 0}, {ADD, 3, 1, 0}, {ADD, 4, 2, 0});
  BECOMES("..s.", {PARAM4, 1, 0, 0}, {VECTOR, 2, 0, 0}, {ADD, 3, 1, 2});
}

static void a_barrier_waits_for_local_memory(void **state) {
  (void)state;
  BECOMES(".s..", {LOCAL_STORE, 0, 1, 0}, {BARRIER, 0, 0, 0}, {BARRIER, 0, 0, 0});
  BECOMES("..", {STORE, 0, 1, 0}, {BARRIER, 0, 0, 0});
}

/* One buffer's descriptor is in registers when a wavefront begins. */
static void buffers_have_descriptors(void **state) {
  (void)state;
  BECOMES("..", {PARAM8, 1, 0, 0}, {PARAM4, 2, 0, 0});
  BECOMES(".d..d", {PARAM8, 1, 0, 0}, {PARAM4, 2, 0, 0}, {PARAM8, 3, 0, 0});
}

static void lanes_that_part_are_masked(void **state) {
  (void)state;
  BECOMES(".ss.", {ADD, 1, 0, 0}, {PART, 0, 0, 0});
  BECOMES(".sss.", {VECTOR, 1, 0, 0}, {PART, 0, 1, 0});
}

/* The loads, waits and masks of AMD's code of FloydWarshall as far as they follow from these rules: 4 parameters and 2 descriptors; waits
 * for them, for the first two of three loads and for the third, and masks around the store. */
static void floyd_warshall(void **state) {
  (void)state;
  BECOMES(".d.d..s....s.s.ss.", {PARAM8, 1, 0, 0}, {PARAM8, 2, 0, 0}, {PARAM4, 3, 0, 0}, {PARAM4, 4, 0, 0},
          {ADD, 5, 3, 4}, {VECTOR, 6, 5, 0}, {VECTOR, 7, 5, 0}, {VECTOR, 8, 5, 0}, {ADD, 9, 6, 7},
          {ADD, 10, 9, 8}, {PART, 0, 10, 0});
}

static void parameters_are_four_to_a_line(void **state) {
  (void)state;
  struct warp_inst in[6];
  for (unsigned i = 0; i < 6; i++)
    in[i] = made((struct line){i == 2 ? ADD : PARAM4, (uint16_t)(i + 1), 0, 0});
  gcn_number_params(in, 6);
  const uint8_t line[] = {0, 0, 0, 0, 0, 1};
  for (unsigned i = 0; i < 6; i++)
    assert_int_equal(in[i].param_line, line[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(data_is_waited_for_once),
      cmocka_unit_test(vector_loads_complete_in_order),
      cmocka_unit_test(other_loads_are_waited_for_together),
      cmocka_unit_test(a_barrier_waits_for_local_memory),
      cmocka_unit_test(buffers_have_descriptors),
      cmocka_unit_test(lanes_that_part_are_masked),
      cmocka_unit_test(floyd_warshall),
      cmocka_unit_test(parameters_are_four_to_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
