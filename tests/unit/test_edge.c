/* Assumptions about memory that experiments change alone: what a refusal at the GPU's edge stops (l2.edge_stop), queues and timings
 * of a controller (dram.controller_queue, dram.timing), and forwarding (dram.forward). */
#include "slice.h"
#include "dram/device.h"
#include "dram/dram.h"
#include "dram/profile.h"
#include "l2/internal.h"
#include "l2/memory_side.h"

/* A buffer at the edge that takes nothing of slice 0, and gives nothing away. */
struct refuser {
  uint32_t taken[2], asked[2];
};

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  (void)handle, (void)cycle;
  struct refuser *f = self;
  f->asked[r->slice]++;
  f->taken[r->slice] += r->slice == 1;
  return r->slice == 1;
}
static uint32_t pick(const void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return SLUICE_NONE;
}
static void nothing(void *self, uint32_t handle, uint64_t cycle) {
  (void)self, (void)handle, (void)cycle;
}
static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle;
}
static uint64_t never(const void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return UINT64_MAX;
}

/* Each of two slices has three lines to write; slice 0 is asked first, once, and refused. `all`: that is the end of it, `slice`: the
 * other's go, one in a cycle. */
static void a_refusal_at_the_edge_stops_all_slices_or_its_own(void **state) {
  (void)state;
  static const struct sluice_order ops = {
      .size = sizeof ops, .insert = insert, .pick = pick, .took = nothing, .refused = refused, .next = never};
  for (int by_slice = 0; by_slice < 2; by_slice++) {
    struct bench b;
    bench_init(&b, "l2.slices_per_channel=2 l2.interleave=64");
    struct port in, out;
    port_init(&in, 64, sizeof(struct mem_request), 1, 1);
    port_init(&out, 64, sizeof(struct mem_request), 1, 1);
    b.p.slice[1].in = &in, b.p.slice[1].out = &out;
    struct refuser f = {{0}, {0}};
    struct memory_side m;
    memory_side_init(&m, &b.p, 1, (struct tech_order){&ops, &f}, by_slice, b.tech);
    partition_at(&b.p, 0);
    for (uint64_t i = 0; i < 6; i++)
      slice_to_memory(&b.p, &b.p.slice[i % 2], i * BENCH_LINE, 1, UINT32_MAX, true, 0);
    for (uint64_t cycle = 0; cycle < 10; cycle++)
      memory_side_cycle(&m, cycle);
    assert_int_equal(f.asked[0], 1);
    assert_int_equal(f.taken[1], by_slice ? 3 : 0);
    m.source.ops = NULL; /* not the GPU's own buffer */
    memory_side_destroy(&m);
    port_destroy(&in), port_destroy(&out);
    bench_end(&b);
  }
}

/* Thresholds keep their share of the queue: of 64 and 48 high, 16 low, 32 entries leave 24 and 8. */
static void a_controller_of_another_size_keeps_its_shares(void **state) {
  (void)state;
  struct dram_profile p = *dram_profile_default();
  p.read_queue = p.write_queue = 64, p.write_high = 48, p.write_low = 16;
  dram_profile_resize(&p, 32);
  assert_int_equal(p.read_queue, 32);
  assert_int_equal(p.write_queue, 32);
  assert_int_equal(p.write_high, 24);
  assert_int_equal(p.write_low, 8);
  dram_profile_resize(&p, 1);
  assert_int_equal(p.write_high, 1); /* or nothing would ever be written */
}

static void timings_replace_the_devices(void **state) {
  (void)state;
  struct dram_device d, was;
  struct error err = {0};
  assert_true(dram_device_load(&d, "lpddr4-3200", &err));
  was = d;
  assert_true(dram_device_retime(&d, "rrd_s=8,rrd_l=8,faw=32", &err));
  assert_int_equal(d.t.rrd_s, 8);
  assert_int_equal(d.t.rrd_l, 8);
  assert_int_equal(d.t.faw, 32);
  assert_int_equal(d.t.rcd_rd, was.t.rcd_rd);
  assert_int_equal(d.t.ras, was.t.ras);
  assert_false(dram_device_retime(&d, "rrd=8", &err));
  error_clear(&err);
  assert_false(dram_device_retime(&d, "faw", &err));
  error_clear(&err);
}

/* A write waits behind a read of another row; a read of the write's address then is answered from it, or goes to the device after it. */
static void without_forwarding_a_read_goes_to_the_device(void **state) {
  (void)state;
  struct error err = {0};
  struct dram_device d;
  assert_true(dram_device_load(&d, "ref-ddr4", &err));
  for (int forward = 0; forward < 2; forward++) {
    struct dram_profile p = *dram_profile_default();
    p.no_forwarding = !forward;
    struct dram *m = dram_new(&(struct dram_options){.device = &d, .profile = &p}, &err);
    struct dram_completion c;
    uint64_t latency = 0;
    dram_tick(m);
    assert_true(dram_push(m, &(struct dram_request){.address = 1 << 20, .tag = 1}));
    assert_true(dram_push(m, &(struct dram_request){.address = 64, .tag = 2, .write = true}));
    assert_true(dram_push(m, &(struct dram_request){.address = 64, .tag = 3, .write = true}));
    assert_true(dram_push(m, &(struct dram_request){.address = 64, .tag = 4}));
    for (int i = 0; i < 1000; i++) {
      dram_tick(m);
      while (dram_pop(m, &c))
        latency = c.tag == 4 ? c.latency : latency;
    }
    struct dram_counters n;
    dram_counters(m, &n);
    assert_int_equal(n.forwarded, forward);
    assert_int_equal(n.writes,
                     forward ? 1 : 2); /* two of one address are one, where writes that wait are known */
    assert_int_equal(n.reads, forward ? 1 : 2);
    assert_true(forward ? latency == 1 : latency >= d.t.cl);
    dram_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refusal_at_the_edge_stops_all_slices_or_its_own),
      cmocka_unit_test(a_controller_of_another_size_keeps_its_shares),
      cmocka_unit_test(timings_replace_the_devices),
      cmocka_unit_test(without_forwarding_a_read_goes_to_the_device),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
