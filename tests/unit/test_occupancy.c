/* CTAs per SM: NVIDIA's occupancy calculator and GPGPU-Sim's arithmetic come out, and what limits them is named. */
#include "check.h"
#include "front/registers.h"
#include "gpu/occupancy.h"
#include "gpu/presets.h"
#include "tables.h"

static struct occupancy on(const char *gpu, uint32_t registers, uint32_t threads, uint64_t shared,
                           uint32_t grid) {
  struct error err = {0};
  struct conf *c = tables_conf();
  struct gpu_config k;
  assert_true(gpu_preset_load(c, gpu, &err));
  assert_true(gpu_config_read(&k, c, &err));
  struct kernel_info info = {.name = "k", .registers = registers, .static_shared = shared};
  struct launch l = {.grid = {grid, 1, 1}, .block = {threads, 1, 1}};
  struct occupancy o = occupancy_of(&k, &info, &l, (unsigned)conf_u64(c, "front.warp_width"));
  conf_free(c);
  return o;
}

/* cudaOccMaxActiveBlocksPerMultiprocessor() of cuda_occupancy.h, CUDA 13.0, for compute capability 7.0 with 96 KiB of shared
 * memory and 9.0 with 228 KiB, of which 1 KiB of each block is reserved. */
static void nvidias_occupancy_calculator_agrees(void **state) {
  (void)state;
  static const struct {
    const char *gpu;
    uint32_t registers, threads;
    uint64_t shared, ctas;
    enum occupancy_limit limit;
  } rows[] = {
      {"v100", 16, 256, 12288, 8, OCCUPANCY_SHARED},     {"v100", 32, 128, 16384, 6, OCCUPANCY_SHARED},
      {"v100", 32, 160, 1, 12, OCCUPANCY_REGISTERS},     {"v100", 40, 160, 0, 9, OCCUPANCY_REGISTERS},
      {"v100", 48, 96, 4096, 13, OCCUPANCY_REGISTERS},   {"v100", 64, 32, 1000, 32, OCCUPANCY_REGISTERS},
      {"v100", 65, 160, 0, 5, OCCUPANCY_REGISTERS},      {"v100", 72, 512, 0, 1, OCCUPANCY_REGISTERS},
      {"v100", 128, 256, 49152, 2, OCCUPANCY_REGISTERS}, {"v100", 168, 48, 16384, 6, OCCUPANCY_REGISTERS},
      {"v100", 168, 256, 20000, 1, OCCUPANCY_REGISTERS}, {"v100", 255, 128, 49152, 2, OCCUPANCY_REGISTERS},
      {"v100", 255, 160, 0, 1, OCCUPANCY_REGISTERS},     {"h200", 24, 32, 16384, 13, OCCUPANCY_SHARED},
      {"h200", 24, 1024, 1, 2, OCCUPANCY_REGISTERS},     {"h200", 33, 32, 1, 32, OCCUPANCY_SLOTS},
      {"h200", 33, 384, 49152, 4, OCCUPANCY_REGISTERS},  {"h200", 40, 160, 4096, 9, OCCUPANCY_REGISTERS},
      {"h200", 48, 96, 16384, 13, OCCUPANCY_REGISTERS},  {"h200", 48, 160, 20000, 8, OCCUPANCY_REGISTERS},
      {"h200", 64, 32, 4096, 32, OCCUPANCY_REGISTERS},   {"h200", 72, 160, 49152, 4, OCCUPANCY_SHARED},
      {"h200", 72, 512, 1, 1, OCCUPANCY_REGISTERS},      {"h200", 128, 256, 20000, 2, OCCUPANCY_REGISTERS},
      {"h200", 168, 96, 49152, 4, OCCUPANCY_REGISTERS},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct occupancy o = on(rows[i].gpu, rows[i].registers, rows[i].threads, rows[i].shared, 1000000);
    if (o.ctas != rows[i].ctas || o.limit != rows[i].limit)
      fail_msg("%s, %u registers, %u threads, %llu bytes: %llu CTAs, limit %d, instead of %llu, %d",
               rows[i].gpu, rows[i].registers, rows[i].threads, (unsigned long long)rows[i].shared,
               (unsigned long long)o.ctas, (int)o.limit, (unsigned long long)rows[i].ctas,
               (int)rows[i].limit);
  }
}

/* 32768 / (threads in whole warps x registers rounded up to 4), 1536 / threads, 48 KiB / shared, 8. */
static void gpgpusims_arithmetic_on_the_gtx480(void **state) {
  (void)state;
  assert_int_equal(on("gtx480", 20, 256, 0, 1000).ctas, 6); /* 1536 / 256; registers allow 6, too */
  assert_int_equal(on("gtx480", 21, 256, 0, 1000).ctas, 5); /* 32768 / (256 x 24) = 5.3 */
  assert_int_equal(on("gtx480", 24, 256, 0, 1000).ctas, 5);
  assert_int_equal(on("gtx480", 25, 256, 0, 1000).ctas, 4); /* x 28: 4.6 */
  assert_int_equal(on("gtx480", 63, 250, 0, 1000).ctas, 2); /* 256 x 64 */
  assert_int_equal(on("gtx480", 10, 64, 0, 1000).ctas, 8);  /* slots */
  assert_int_equal(on("gtx480", 10, 64, 0, 1000).limit, OCCUPANCY_SLOTS);
  assert_int_equal(on("gtx480", 10, 64, 9000, 1000).ctas, 5); /* 49152 / 9000 = 5.5 */
  assert_int_equal(on("gtx480", 10, 64, 9000, 1000).limit, OCCUPANCY_SHARED);
  assert_int_equal(on("gtx480", 10, 64, 0, 31).ctas, 3); /* 31 CTAs on 15 SMs */
  assert_int_equal(on("gtx480", 10, 64, 0, 31).limit, OCCUPANCY_GRID);
}

static void numbers_sources_and_kernels_are_told_apart(void **state) {
  (void)state;
  static const char *const good[] = {"ptx", "builtin",    "ptxas",    "ptxas,k=9", "1",         "255",
                                     "k=1", "k=20,m=255", "k=20,ptx", "16,k=20",   "_Z3fooPf=9"};
  static const char *const bad[] = {"",        "0",      "256",   "ptz",  "k=", "=4",    "k=0", "k=256",
                                    "k=4,k=5", "ptx,16", "16,17", "k=4,", ",",  "k=4=5", "-1",  "1.5"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    if (!registers_valid(good[i]))
      fail_msg("'%s' is refused", good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (registers_valid(bad[i]))
      fail_msg("'%s' is taken", bad[i]);
}

/* An option's number is above the launch's, the launch's above what is counted. */
static void who_states_registers_last_is_nearest_to_the_user(void **state) {
  (void)state;
  struct error err = {0};
  struct conf *c = tables_conf();
  for (int i = 0; i < 2; i++) {
    assert_true(conf_assign(c, "front.registers", i ? "ptx" : "ptx,k=40", "a test", &err));
    struct registers *r = registers_read(c);
    struct kernel_info k = {.name = "k", .counted = {11, 12, 13}};
    registers_choose(r, &k, 30);
    assert_int_equal(k.registers, i ? 30 : 40);
    assert_int_equal(k.registers_from, i ? REGISTERS_LAUNCH : REGISTERS_OPTION);
    registers_choose(r, &k, 0);
    assert_int_equal(k.registers, i ? 11 : 40);
    registers_free(r);
  }
  conf_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nvidias_occupancy_calculator_agrees),
      cmocka_unit_test(gpgpusims_arithmetic_on_the_gtx480),
      cmocka_unit_test(numbers_sources_and_kernels_are_told_apart),
      cmocka_unit_test(who_states_registers_last_is_nearest_to_the_user),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
