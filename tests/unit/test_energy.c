/* Energy and area: CACTI's own answers come out again, what lies between them lies between, and a DRAM's commands cost what
 * its currents say. */
#include "dram/device.h"
#include "energy/energy.h"
#include "check.h"
#include <math.h>

static void near(double is, double should_be, double part) {
  if (!(fabs(is - should_be) <= part * fabs(should_be)))
    fail_msg("%.6g instead of %.6g", is, should_be);
}

static void what_cacti_was_asked_comes_out_again(void **state) {
  (void)state;
  assert_int_equal(sram_npoints, 772);
  for (size_t i = 0; i < sram_npoints; i++) {
    const double *want = sram_points[i].cost;
    struct sram_cost is = sram_cost(&sram_points[i].of);
    assert_false(is.beyond);
    int k = 0;
#define X(field, unit, help) near(is.field, want[k++], 1e-9);
    SRAM_COSTS(X)
#undef X
  }
}

/* 32 nm, 8 ways, lines of 64 bytes: 32 KB and 48 KB are CACTI's. */
static void a_size_between_two_costs_something_between(void **state) {
  (void)state;
  struct sram small = {SRAM_CACHE, 32, 32768, 64, 8}, middle = {SRAM_CACHE, 32, 40960, 64, 8};
  struct sram_cost a = sram_cost(&small), b = sram_cost(&middle);
  near(a.area_mm2, 0.0868513, 1e-6);
  assert_true(b.area_mm2 > 0.0868513 && b.area_mm2 < 0.119052);
  assert_true(b.leakage_mw > 25.9855 && b.leakage_mw < 38.2464);
  assert_false(b.beyond);
  middle.node_nm = 28; /* between 22 and 32 nm */
  small.node_nm = 22;
  assert_true(sram_cost(&middle).area_mm2 < b.area_mm2);
  assert_true(sram_cost(&middle).area_mm2 > sram_cost(&small).area_mm2);
}

static void beyond_what_cacti_was_asked_is_said(void **state) {
  (void)state;
  struct sram tiny = {SRAM_QUEUE, 32, 6, 2, 1}, huge = {SRAM_CACHE, 32, 64 << 20, 64, 16};
  struct sram_cost a = sram_cost(&tiny), b = sram_cost(&huge);
  assert_true(a.beyond && b.beyond);
  assert_true(a.area_mm2 > 0 && a.area_mm2 < 0.001);
  near(a.search_nj, 0, 0);       /* a queue is not searched */
  assert_true(b.area_mm2 > 100); /* 2 MB are 5.5 mm2 */
}

/* A bank of the RX 570's L2: area and leakage of the cache, data at the price of a sector. */
static void a_cache_reads_a_sector_and_searches_a_set(void **state) {
  (void)state;
  struct sram_cost whole = energy_cache(32, 262144, 32, 64, 64),
                   sectors = energy_cache(32, 262144, 32, 64, 32);
  near(whole.area_mm2, 0.866374, 1e-6);
  near(whole.leakage_mw, 193.454, 1e-6);
  near(whole.search_nj, 0.00826612, 1e-6);
  near(whole.read_nj, 0.0869322, 1e-6);
  near(sectors.read_nj, 0.0549914, 1e-6); /* the RAM of 256 KB with 32 bytes */
  near(sectors.area_mm2, 0.866374, 1e-6);
}

static void a_cache_of_one_set_has_a_cam(void **state) {
  (void)state;
  struct sram tags = {SRAM_CAM, 32, 512 * 5, 5, 1}, data = {SRAM_RAM, 32, 32768, 64, 1};
  struct sram_cost is = energy_cache(32, 32768, 512, 64, 64);
  near(is.search_nj, sram_cost(&tags).search_nj, 1e-9);
  near(is.area_mm2, sram_cost(&tags).area_mm2 + sram_cost(&data).area_mm2, 1e-9);
}

static void arrays_of_techniques_are_memories(void **state) {
  (void)state;
  struct sluice_array queue = {.entries = 256, .bits = 64}, cam = {.entries = 64, .bits = 64, .ways = 64},
                      tags = {.entries = 1024, .bits = 32, .ways = 4},
                      cache = {.entries = 512, .bits = 40, .ways = 8, .data_bits = 512};
  struct sram q = {SRAM_QUEUE, 32, 2048, 8, 1}, c = {SRAM_CAM, 32, 512, 8, 1},
              t = {SRAM_RAM, 32, 4096, 16, 1};
  near(energy_array(32, &queue).area_mm2, sram_cost(&q).area_mm2, 1e-9);
  near(energy_array(32, &cam).search_nj, sram_cost(&c).search_nj, 1e-9);
  near(energy_array(32, &tags).search_nj, sram_cost(&t).read_nj, 1e-9); /* a set of four at once */
  near(energy_array(32, &tags).write_nj, sram_cost(&t).write_nj / 4, 1e-9);
  near(energy_array(32, &cache).area_mm2, 0.0868513, 1e-6); /* 32 KB, 8 ways */
}

/* nJ of a device, computed by hand from DRAMsim3's currents: VDD x (IDD0 x tRC - IDD3N x tRAS - IDD2N x tRP) x tCK and so on. */
static void commands_cost_what_the_currents_say(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double devices, activate, read, write, refresh, open_mw, closed_mw;
  } of[] = {{"gddr5-1gb", 1, 6.003, 1.261, 1.421, 0, 675, 375},
            {"gddr5-8gb", 1, 0.824, 0.374, 0.340, 16.7, 91.5, 90},
            {"ddr4-2400", 8, 0.431, 0.367, 0.319, 86.6, 51.6, 40.8}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    struct dram_device d;
    struct error err = {0};
    assert_true(dram_device_load(&d, of[i].name, &err));
    struct dram_costs c = dram_costs(&d);
    double pj = 1000 * of[i].devices, cycle_ns = (double)d.tck_fs * 1e-6;
    near(c.activate, pj * of[i].activate, 0.01);
    near(c.read, pj * of[i].read, 0.01);
    near(c.write, pj * of[i].write, 0.01);
    near(c.refresh, pj * of[i].refresh, 0.01);
    near(c.bank_refresh, c.refresh / (d.banks * d.bank_groups), 1e-9);
    near(c.open, of[i].devices * of[i].open_mw * cycle_ns, 0.01);
    near(c.closed, of[i].devices * of[i].closed_mw * cycle_ns, 0.01);
    d.power.lockstep = 2;
    near(dram_costs(&d).read, 2 * c.read, 1e-9); /* both channels get the command */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_cacti_was_asked_comes_out_again),
      cmocka_unit_test(a_size_between_two_costs_something_between),
      cmocka_unit_test(beyond_what_cacti_was_asked_is_said),
      cmocka_unit_test(a_cache_reads_a_sector_and_searches_a_set),
      cmocka_unit_test(a_cache_of_one_set_has_a_cam),
      cmocka_unit_test(arrays_of_techniques_are_memories),
      cmocka_unit_test(commands_cost_what_the_currents_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
