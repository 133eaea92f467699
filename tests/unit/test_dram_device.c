#include "check.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "dram/device.h"
#include "dram/profile.h"
#include <math.h>
#include <stdlib.h>

static struct dram_device preset(const char *name) {
  struct error e = {0};
  struct dram_device d;
  if (!dram_device_load(&d, name, &e))
    fail_msg("%s", e.text);
  return d;
}

/* ref-ddr4 with one piece of its text exchanged; "" for `from` appends. */
static bool parse_changed(const char *from, const char *to, struct dram_device *d, struct error *e) {
  struct error mine = {0};
  size_t n;
  char *text = file_read("presets/dram/ref-ddr4.yaml", 1 << 20, &n, &mine);
  assert_non_null(text);
  struct strbuf b = {0};
  char *at = *from ? strstr(text, from) : text + n;
  assert_non_null(at);
  strbuf_addn(&b, text, (size_t)(at - text));
  strbuf_add(&b, to);
  strbuf_add(&b, at + strlen(from));
  bool ok = dram_device_parse(d, b.s, b.n, "d.yaml", e);
  strbuf_free(&b);
  free(text);
  return ok;
}

static void refused(const char *from, const char *to, const char *message) {
  struct error e = {0};
  struct dram_device d;
  assert_false(parse_changed(from, to, &d, &e));
  assert_int_equal(e.code, EXIT_USAGE);
  assert_contains(e.text, message);
  error_clear(&e);
}

static void every_preset_loads_under_its_name(void **state) {
  (void)state;
  const char *const *names;
  size_t n = dram_presets(&names);
  assert_true(n >= 18);
  for (size_t i = 0; i < n; i++) {
    struct dram_device d = preset(names[i]);
    assert_string_equal(d.name, names[i]);
    assert_true(!i || strcmp(names[i - 1], names[i]) < 0);
  }
}

static void the_compiled_presets_are_the_files(void **state) {
  (void)state;
  const char *const *names;
  size_t n = dram_presets(&names);
  for (size_t i = 0; i < n; i++) {
    char path[128];
    struct error e = {0};
    struct dram_device a = preset(names[i]), b;
    snprintf(path, sizeof path, "presets/dram/%s.yaml", names[i]);
    assert_true(dram_device_load(&b, path, &e));
    assert_memory_equal(&a.t, &b.t, sizeof a.t);
    assert_int_equal(dram_device_bytes(&a), dram_device_bytes(&b));
  }
}

/* Every line with a number carries a comment that says where it is from. */
static void every_value_of_a_preset_has_a_source(void **state) {
  (void)state;
  const char *const *names;
  size_t n = dram_presets(&names);
  for (size_t i = 0; i < n; i++) {
    char path[128];
    size_t size;
    struct error e = {0};
    snprintf(path, sizeof path, "presets/dram/%s.yaml", names[i]);
    char *text = file_read(path, 1 << 20, &size, &e), *save = NULL;
    assert_non_null(text);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
      const char *source = strchr(line, '#');
      if (line[0] == ' ' && (!source || strlen(source) < 5))
        fail_msg("%s: no source: %s", path, line);
    }
    free(text);
  }
}

static void what_is_printed_reads_back_the_same(void **state) {
  (void)state;
  const char *const *names;
  size_t n = dram_presets(&names);
  for (size_t i = 0; i < n; i++) {
    struct error e = {0};
    struct dram_device a = preset(names[i]), b;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    dram_device_print(&a, f);
    fclose(f);
    if (!dram_device_parse(&b, text, size, "printed.yaml", &e))
      fail_msg("%s", e.text);
    assert_memory_equal(&a.t, &b.t, sizeof a.t);
    assert_int_equal(a.tck_fs, b.tck_fs);
    assert_int_equal(a.row_and_column_bus, b.row_and_column_bus);
    assert_string_equal(a.mapping, b.mapping);
    free(text);
  }
}

/* From the data sheets' headlines: total GB/s and MiB. */
static void presets_have_the_bandwidth_and_capacity_of_their_name(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double gbps;
    uint64_t mib;
  } rows[] = {
      {"ddr4-2400", 19.2, 8192},   {"gddr5-gtx480", 177.4, 1536}, {"gddr5-bucl", 177.4, 1536},
      {"gddr5-1gb", 24, 128},      {"gddr5-8gb", 24, 1024},       {"gddr6-14000", 56, 2048},
      {"lpddr4-3200", 51.2, 2048}, {"hbm2-legacy", 256, 8192},    {"hbm2-pc", 256, 8192},
      {"hbm3-6400", 819.2, 16384}, {"hbm3e-9200", 1177.6, 32768}, {"ref-ddr4", 19.2, 8192},
      {"ref-hbm2", 16, 512},       {"ref-hbm3", 25.6, 512},       {"ref-gddr6", 28, 1024},
      {"ref-gddr5", 24, 1024},     {"ref-lpddr4", 12.8, 1024},    {"gddr5-thesis", 48, 512},
      {"gddr5-cart", 294.4, 2048}, {"hbm2-qv100", 870.4, 8192},   {"gddr5-thesis-pair", 48, 512},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct dram_device d = preset(rows[i].name);
    double is = dram_device_bandwidth(&d) * d.channels;
    if (fabs(is - rows[i].gbps) > 0.005 * rows[i].gbps)
      fail_msg("%s: %.2f GB/s", rows[i].name, is);
    assert_int_equal(dram_device_bytes(&d) * d.channels >> 20, rows[i].mib);
  }
}

static void the_papers_values_are_kept(void **state) {
  (void)state;
  struct dram_device d = preset("lpddr4-3200"); /* MARS section 2: 8 banks, BL8, 15-15-15 */
  assert_int_equal(d.bank_groups * d.banks, 8);
  assert_int_equal(d.burst_length, 8);
  assert_int_equal(d.t.cl, 15);
  assert_int_equal(d.t.rcd_rd, 15);
  assert_int_equal(d.t.rp, 15);
  d = preset("gddr5-thesis"); /* Table 4.2 */
  assert_int_equal(d.t.cl, 18);
  assert_int_equal(d.t.ras, 42);
  assert_int_equal(d.t.rc, 60);
  assert_int_equal(d.t.rfc, 278);
  assert_int_equal(d.tck_fs, 667000);
  d = preset("gddr5-bucl"); /* Table II */
  assert_int_equal(d.channels, 6);
  assert_int_equal(d.t.rc, 40);
  assert_int_equal(d.t.wtr_l, 5);
}

static void nanoseconds_are_rounded_up_to_cycles(void **state) {
  (void)state;
  struct error e = {0};
  struct dram_device d;
  assert_true(parse_changed("  rtp: 9  ", "  rtp: 7.5ns  ", &d, &e)); /* 7.5 / 0.833 = 9.004 */
  assert_int_equal(d.t.rtp, 10);
  assert_true(parse_changed("  rtp: 9  ", "  rtp: 7.497 ns  ", &d, &e)); /* exactly 9 x 0.833 */
  assert_int_equal(d.t.rtp, 9);
  refused("  rtp: 9  ", "  rtp: 7.5us  ", "timing.rtp: '7.5us' is not a whole number");
  refused("  rtp: 9  ", "  rtp: -1ns  ", "is not a time in nanoseconds");
  refused("  rtp: 9  ", "  rtp: 5000ns  ", "is 6003 cycles, out of range (allowed: 1..1000)");
}

static void contradictions_are_refused(void **state) {
  (void)state;
  refused("capacity: 8GiB", "capacity: 4GiB",
          "organisation.capacity: 4294967296 bytes are stated, but 1 channels x 1 ranks x 4 bank groups x 4 "
          "banks");
  refused("  rc: 56", "  rc: 57",
          "timing.rc: 57 is not ras + rp = 56; if that is meant, say why in 'rc_reason'");
  refused("bandwidth_gbps: 19.2", "bandwidth_gbps: 25.6", "clock.bandwidth_gbps: 25.6 GB/s are stated");
  refused("burst_cycles: 4 ", "burst_cycles: 8 ", "transfers, but burst_length is 8");
  refused("ccd_s: 4", "ccd_s: 3", "timing.ccd_s: 3 is less than burst_cycles");
  refused("ccd_l: 6", "ccd_l: 3", "timing.ccd_l: 3 is less than ccd_s = 4");
  refused("rrd_l: 6", "rrd_l: 3", "timing.rrd_l: 3 is less than rrd_s = 4");
  refused("wtr_l: 9", "wtr_l: 2", "timing.wtr_l: 2 is less than wtr_s = 3");
  refused("rtw: 11", "rtw: 8", "timing.rtw: 8 is less than cl + burst_cycles - wl");
  refused("refi: 9360", "refi: 400", "timing.refi: 400 leaves no time");
  refused("rfc: 420", "rfc: 0", "timing.rfc: missing or 0");
}

static void a_row_cycle_of_its_own_needs_a_reason(void **state) {
  (void)state;
  struct error e = {0};
  struct dram_device d;
  assert_true(parse_changed("mapping: bglow", "mapping: bglow\nrc_reason: measured", &d, &e));
  assert_true(parse_changed("  rc: 56 ", "  #", &d, &e));
  assert_int_equal(d.t.rc, 56);
}

static void mistakes_name_line_key_and_nearest_match(void **state) {
  (void)state;
  refused("  rcd_rd:", "  rdc_rd:", "timing: unknown key 'rdc_rd'; did you mean 'rcd_rd'?");
  refused("  rcd_rd:", "  rdc_rd:", "key 'rcd_rd' is missing");
  refused("  cl: 17", "  cl: x", "timing.cl: 'x' is not a whole number (allowed: 1..1000)");
  refused("  cl: 17", "  cl: 0", "timing.cl: '0' is out of range (allowed: 1..1000)");
  refused("banks: 4", "banks: 3", "organisation.banks: 3 is not a power of two");
  refused("tck_ps: 833", "tck_ps: 0", "clock.tck_ps: '0' is out of range");
  refused("organisation:", "organization:", "did you mean 'organisation'?");
  refused("name: ref-ddr4", "name: [a]", "name: a single value is needed here");
  refused("", "\nmore: 1\n", "unknown key 'more'");
}

static void all_mistakes_are_told_at_once(void **state) {
  (void)state;
  struct error e = {0};
  struct dram_device d;
  static const char text[] =
      "name: x\nstandard: y\norganisation: {ranks: 3}\nclock: {tck_ps: nan}\ntiming: 7\n";
  assert_false(dram_device_parse(&d, text, sizeof text - 1, "d.yaml", &e));
  assert_contains(e.text, "d.yaml:3: organisation.ranks: 3 is not a power of two");
  assert_contains(e.text, "d.yaml:3: organisation: key 'channels' is missing");
  assert_contains(e.text, "d.yaml:4: clock.tck_ps: 'nan' is out of range");
  assert_contains(e.text, "d.yaml:5: timing: a map is needed here");
  error_clear(&e);
  assert_false(dram_device_parse(&d, "", 0, "d.yaml", &e));
  assert_contains(e.text, "d.yaml: an empty file is no DRAM device");
  error_clear(&e);
}

static void an_unknown_name_gets_the_nearest_preset(void **state) {
  (void)state;
  struct error e = {0};
  struct dram_device d;
  assert_false(dram_device_load(&d, "hbm2-pcc", &e));
  assert_int_equal(e.code, EXIT_USAGE);
  assert_contains(e.text, "no DRAM device 'hbm2-pcc'; did you mean 'hbm2-pc'?");
  error_clear(&e);
  assert_false(dram_device_load(&d, "./no-such.yaml", &e));
  assert_contains(e.text, "./no-such.yaml: cannot read");
  error_clear(&e);
}

static void timings_can_be_given_by_hand(void **state) {
  (void)state;
  struct dram_device d, was;
  struct error e = {0};
  assert_true(dram_device_load(&was, "lpddr4-3200", &e));
  d = was;
  assert_true(dram_device_retime(&d, "", &e));
  assert_memory_equal(&d, &was, sizeof d);
  assert_true(dram_device_retime(&d, "rrd_s=8,rrd_l=8,faw=32,ras=60", &e));
  assert_int_equal(d.t.rrd_s, 8);
  assert_int_equal(d.t.faw, 32);
  assert_int_equal(d.t.rc, 60 + was.t.rp); /* tRC follows */
  assert_int_equal(d.t.rcd_rd, was.t.rcd_rd);
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"rdr_s=8", "there is no timing 'rdr_s'; did you mean 'rrd_s'?"},
      {"rrd_s", "'rrd_s' is not NAME=CYCLES"},
      {"rrd_s=0", "rrd_s: '0' (allowed: 1..1000 cycles)"},
      {"rrd_s=8x", "rrd_s: '8x'"},
      {"rrd_l=8", "rrd_l 8 is less than rrd_s = 16"},
      {"ccd_s=1", "ccd_s 1 is less than the burst = 4"},
      {"refi=100", "leaves no time between refreshes"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    d = was;
    assert_false(dram_device_retime(&d, bad[i].text, &e));
    assert_int_equal(e.code, EXIT_USAGE);
    assert_contains(e.text, bad[i].message);
    error_clear(&e);
  }
}

static void a_controller_s_queues_can_be_resized(void **state) {
  (void)state;
  struct dram_profile p;
  struct error e = {0};
  assert_true(dram_profile_load(&p, "sluice", &e));
  dram_profile_resize(&p, 32); /* 64, 64, 56, 8 */
  assert_int_equal(p.read_queue, 32);
  assert_int_equal(p.write_queue, 32);
  assert_int_equal(p.write_high, 28);
  assert_int_equal(p.write_low, 4);
  assert_true(dram_profile_load(&p, "frfcfs-16", &e));
  dram_profile_resize(&p, 4);
  assert_int_equal(p.read_queue, 4);
  assert_int_equal(p.write_queue, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_preset_loads_under_its_name),
      cmocka_unit_test(the_compiled_presets_are_the_files),
      cmocka_unit_test(every_value_of_a_preset_has_a_source),
      cmocka_unit_test(what_is_printed_reads_back_the_same),
      cmocka_unit_test(presets_have_the_bandwidth_and_capacity_of_their_name),
      cmocka_unit_test(the_papers_values_are_kept),
      cmocka_unit_test(nanoseconds_are_rounded_up_to_cycles),
      cmocka_unit_test(contradictions_are_refused),
      cmocka_unit_test(a_row_cycle_of_its_own_needs_a_reason),
      cmocka_unit_test(mistakes_name_line_key_and_nearest_match),
      cmocka_unit_test(all_mistakes_are_told_at_once),
      cmocka_unit_test(an_unknown_name_gets_the_nearest_preset),
      cmocka_unit_test(timings_can_be_given_by_hand),
      cmocka_unit_test(a_controller_s_queues_can_be_resized),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
