/* Reads a device file and refuses what contradicts itself; see docs/dram-devices.md for the keys. */
#include "dram/device.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "conf/yaml.h"
#include "dram/presets.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const top_keys[] = {"name",   "standard", "organisation", "clock",
                                       "timing", "mapping",  "rc_reason",    "power"};
static const char *const organisation_keys[] = {"channels", "ranks",    "bank_groups",  "banks",   "rows",
                                                "columns",  "bus_bits", "burst_length", "capacity"};
static const char *const clock_keys[] = {"tck_ps", "data_rate_mts", "burst_cycles", "bandwidth_gbps",
                                         "row_and_column_bus"};
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

struct timing_row {
  const char *name;
  uint32_t min, max;
  size_t offset;
};
static const struct timing_row timing_rows[] = {
#define X(field, min, max, help) {#field, min, max, offsetof(struct dram_timing, field)},
    DRAM_TIMINGS(X)
#undef X
};

/* What a device may leave out: a limit it does not have (0), or a sum. */
static bool may_be_absent(const char *name) {
  static const char *const names[] = {"rc",   "faw", "aw32",   "rtrs", "ppd",
                                      "refi", "rfc", "rfc_pb", "cke",  "xp"};
  for (int i = 0; i < COUNT(names); i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

struct reader {
  struct dram_device *d;
  const struct yaml_node *root, *organisation, *clock, *timing;
  struct error *err;
};

static uint64_t read_u64(const struct reader *r, const struct yaml_node *map, const char *key, uint64_t min,
                         uint64_t max) {
  uint64_t v = 0;
  const struct yaml_node *n = yaml_need(map, key, r->err);
  if (n)
    yaml_u64(n, min, max, &v, r->err);
  return v;
}

/* Fields of an address are strings of bits, so their ranges are powers of two. */
static uint64_t read_power(const struct reader *r, const struct yaml_node *map, const char *key,
                           uint64_t max) {
  uint64_t v = read_u64(r, map, key, 1, max);
  if (v & (v - 1)) {
    yaml_error(yaml_get(map, key), r->err, "%" PRIu64 " is not a power of two", v);
    return 0;
  }
  return v;
}

static void read_text(const struct reader *r, const char *key, char *to, size_t size, const char *instead) {
  const char *s = NULL;
  const struct yaml_node *n = instead ? yaml_get(r->root, key) : yaml_need(r->root, key, r->err);
  if (!n)
    s = instead;
  else if (yaml_str(n, &s, r->err) && strlen(s) >= size) {
    yaml_error(n, r->err, "more than %zu characters", size - 1);
    s = NULL;
  }
  snprintf(to, size, "%s", s ? s : "");
}

static void read_organisation(const struct reader *r) {
  const struct yaml_node *o = r->organisation;
  struct dram_device *d = r->d;
  if (!o)
    return;
  yaml_check_keys(o, organisation_keys, COUNT(organisation_keys), r->err);
  d->channels = (uint32_t)read_u64(r, o, "channels", 1, 1024);
  d->ranks = (uint32_t)read_power(r, o, "ranks", 16);
  d->bank_groups = (uint32_t)read_power(r, o, "bank_groups", 16);
  d->banks = (uint32_t)read_power(r, o, "banks", 64);
  d->rows = read_power(r, o, "rows", UINT64_C(1) << 24);
  d->columns = (uint32_t)read_power(r, o, "columns", 1 << 16);
  d->bus_bits = (uint32_t)read_power(r, o, "bus_bits", 4096);
  d->burst_length = (uint32_t)read_power(r, o, "burst_length", 256);
  if (d->bus_bits && d->bus_bits < 8)
    yaml_error(yaml_get(o, "bus_bits"), r->err, "%" PRIu32 " is less than a byte (allowed: 8..4096)",
               d->bus_bits);
  d->transaction = d->bus_bits / 8 * d->burst_length;
}

static bool read_positive(const struct reader *r, const struct yaml_node *map, const char *key, double max,
                          double *out) {
  const struct yaml_node *n = yaml_need(map, key, r->err);
  double v;
  if (!n || !yaml_f64(n, &v, r->err))
    return false;
  if (!(v > 0 && v <= max))
    return yaml_error(n, r->err, "'%.60s' is out of range (allowed: above 0, up to %.0f)", n->text, max);
  *out = v;
  return true;
}

static void read_clock(const struct reader *r) {
  const struct yaml_node *c = r->clock;
  struct dram_device *d = r->d;
  double ps = 0;
  if (!c)
    return;
  yaml_check_keys(c, clock_keys, COUNT(clock_keys), r->err);
  if (read_positive(r, c, "tck_ps", 1e5, &ps)) {
    d->tck_fs = (uint64_t)llround(ps * 1000);
    if (d->tck_fs < 10000) {
      yaml_error(yaml_get(c, "tck_ps"), r->err, "'%.60s' is out of range (allowed: 10..100000)",
                 yaml_get(c, "tck_ps")->text);
      d->tck_fs = 0;
    }
  }
  d->data_rate_mts = (uint32_t)read_u64(r, c, "data_rate_mts", 1, 1000000);
  d->burst_cycles = (uint32_t)read_u64(r, c, "burst_cycles", 1, 256);
  const struct yaml_node *dual = yaml_get(c, "row_and_column_bus");
  if (dual)
    yaml_bool(dual, &d->row_and_column_bus, r->err);
}

/* "13.75ns" to cycles, rounded up: a constraint may only grow. */
static bool nanoseconds(const struct reader *r, const struct yaml_node *n, const struct timing_row *row,
                        uint32_t *out) {
  char number[32];
  size_t len = n->kind == YAML_SCALAR ? strlen(n->text) : 0;
  double ns;
  if (len < 3 || len - 2 >= sizeof number || strcmp(n->text + len - 2, "ns") != 0)
    return false;
  len -= 2;
  while (len && n->text[len - 1] == ' ')
    len--;
  memcpy(number, n->text, len);
  number[len] = 0;
  if (num_f64(number, &ns) != NUM_OK || !(ns >= 0 && ns <= 1e9)) {
    yaml_error(n, r->err, "'%.60s' is not a time in nanoseconds", n->text);
    return true;
  }
  if (!r->d->tck_fs)
    return true; /* the clock is already reported */
  uint64_t fs = (uint64_t)llround(ns * 1e6), cycles = (fs + r->d->tck_fs - 1) / r->d->tck_fs;
  if (cycles < row->min || cycles > row->max)
    yaml_error(n, r->err, "'%.60s' is %" PRIu64 " cycles, out of range (allowed: %" PRIu32 "..%" PRIu32 ")",
               n->text, cycles, row->min, row->max);
  else
    *out = (uint32_t)cycles;
  return true;
}

static void read_timing(const struct reader *r) {
  const char *names[COUNT(timing_rows)];
  for (int i = 0; i < COUNT(timing_rows); i++)
    names[i] = timing_rows[i].name;
  if (!r->timing)
    return;
  yaml_check_keys(r->timing, names, COUNT(timing_rows), r->err);
  for (int i = 0; i < COUNT(timing_rows); i++) {
    const struct timing_row *row = &timing_rows[i];
    uint32_t *to = (uint32_t *)(void *)((char *)&r->d->t + row->offset);
    const struct yaml_node *n =
        may_be_absent(row->name) ? yaml_get(r->timing, row->name) : yaml_need(r->timing, row->name, r->err);
    uint64_t v;
    if (n && !nanoseconds(r, n, row, to) && yaml_u64(n, row->min, row->max, &v, r->err))
      *to = (uint32_t)v;
  }
  if (!yaml_get(r->timing, "rc"))
    r->d->t.rc = r->d->t.ras + r->d->t.rp;
}

/* A finding about a key that may be absent is laid at the map's door. */
#define WRONG(map, key, ...) yaml_error(yaml_get(map, key) ? yaml_get(map, key) : (map), r->err, __VA_ARGS__)

static void check_capacity(const struct reader *r) {
  const struct dram_device *d = r->d;
  uint64_t stated = read_u64(r, r->organisation, "capacity", 1, UINT64_MAX);
  uint64_t is = dram_device_bytes(d) * d->channels;
  if (stated && stated != is)
    WRONG(r->organisation, "capacity",
          "%" PRIu64 " bytes are stated, but %" PRIu32 " channels x %" PRIu32 " ranks x %" PRIu32
          " bank groups x %" PRIu32 " banks x %" PRIu64 " rows x %" PRIu32 " columns x %" PRIu32
          " bytes = %" PRIu64,
          stated, d->channels, d->ranks, d->bank_groups, d->banks, d->rows, d->columns, d->transaction, is);
}

/* Clock periods are rounded to picoseconds in data sheets: 1 % separates that from a mistake. */
static bool close_to(double a, double b) {
  return fabs(a - b) <= 0.01 * fmax(a, b);
}

static void check_bandwidth(const struct reader *r) {
  const struct dram_device *d = r->d;
  double stated = 0;
  double transfers = (double)d->burst_cycles * (double)d->tck_fs * d->data_rate_mts * 1e-9;
  if (!close_to(transfers, d->burst_length))
    WRONG(r->clock, "burst_cycles",
          "%" PRIu32 " cycles of %.3f ps at %" PRIu32
          " MT/s are %.2f transfers, but burst_length is %" PRIu32,
          d->burst_cycles, (double)d->tck_fs / 1000, d->data_rate_mts, transfers, d->burst_length);
  double is = dram_device_bandwidth(d) * d->channels;
  if (read_positive(r, r->clock, "bandwidth_gbps", 1e6, &stated) && !close_to(stated, is))
    WRONG(r->clock, "bandwidth_gbps",
          "%g GB/s are stated, but %" PRIu32 " channels x %" PRIu32 " bytes in %" PRIu32
          " cycles of %.3f ps are %.2f GB/s",
          stated, d->channels, d->transaction, d->burst_cycles, (double)d->tck_fs / 1000, is);
}

static void at_least(const struct reader *r, const char *key, uint32_t value, const char *bound_is,
                     uint32_t bound) {
  if (value < bound)
    WRONG(r->timing, key, "%" PRIu32 " is less than %s = %" PRIu32, value, bound_is, bound);
}

static void check_timing(const struct reader *r) {
  const struct dram_device *d = r->d;
  const struct dram_timing *t = &d->t;
  if (t->rc != t->ras + t->rp && yaml_is_null(yaml_get(r->root, "rc_reason")))
    WRONG(r->timing, "rc",
          "%" PRIu32 " is not ras + rp = %" PRIu32 "; if that is meant, say why in 'rc_reason'", t->rc,
          t->ras + t->rp);
  at_least(r, "ccd_s", t->ccd_s, "burst_cycles (bursts share the data bus)", d->burst_cycles);
  at_least(r, "ccd_l", t->ccd_l, "ccd_s", t->ccd_s);
  at_least(r, "rrd_l", t->rrd_l, "rrd_s", t->rrd_s);
  at_least(r, "wtr_l", t->wtr_l, "wtr_s", t->wtr_s);
  uint32_t read_end = t->cl + d->burst_cycles;
  at_least(r, "rtw", t->rtw, "cl + burst_cycles - wl (read data before write data)",
           read_end > t->wl ? read_end - t->wl : 0);
  if (t->refi && !t->rfc)
    WRONG(r->timing, "rfc", "missing or 0, but refi is %" PRIu32, t->refi);
  if (t->refi && t->refi <= t->rfc)
    WRONG(r->timing, "refi", "%" PRIu32 " leaves no time between refreshes of rfc = %" PRIu32, t->refi,
          t->rfc);
  if (t->rfc_pb > t->rfc)
    WRONG(r->timing, "rfc_pb", "%" PRIu32 " is more than rfc = %" PRIu32, t->rfc_pb, t->rfc);
}

static const struct yaml_node *need_map(const struct reader *r, const char *key) {
  const struct yaml_node *n = yaml_need(r->root, key, r->err);
  return n && yaml_check_kind(n, YAML_MAP, r->err) ? n : NULL;
}

bool dram_device_parse(struct dram_device *d, const char *text, size_t n, const char *path,
                       struct error *err) {
  struct error mine = {0};
  *d = (struct dram_device){0};
  struct yaml_doc *doc = yaml_parse_text(path, text, n, &mine);
  if (doc && !doc->root)
    error_add(&mine, EXIT_USAGE, "%s: an empty file is no DRAM device", path);
  if (doc && doc->root && yaml_check_keys(doc->root, top_keys, COUNT(top_keys), &mine)) {
    struct reader r = {.d = d, .root = doc->root, .err = &mine};
    read_text(&r, "name", d->name, sizeof d->name, NULL);
    read_text(&r, "standard", d->standard, sizeof d->standard, NULL);
    read_text(&r, "mapping", d->mapping, sizeof d->mapping, "bglow");
    r.organisation = need_map(&r, "organisation");
    r.clock = need_map(&r, "clock");
    r.timing = need_map(&r, "timing");
    read_organisation(&r);
    read_clock(&r);
    read_timing(&r);
    if (yaml_get(doc->root, "power"))
      dram_power_read(&d->power, yaml_get(doc->root, "power"), &mine);
    if (!mine.code) { /* sums of wrong values would only repeat the mistake */
      check_capacity(&r);
      check_bandwidth(&r);
      check_timing(&r);
    }
  }
  yaml_close(doc);
  if (!mine.code)
    return true;
  error_add(err, mine.code, "%s", mine.text);
  error_clear(&mine);
  return false;
}

uint64_t dram_device_bytes(const struct dram_device *d) {
  return (uint64_t)d->ranks * d->bank_groups * d->banks * d->rows * d->columns * d->transaction;
}

double dram_device_bandwidth(const struct dram_device *d) {
  return (double)d->transaction / ((double)d->burst_cycles * (double)d->tck_fs * 1e-6);
}

void dram_device_print(const struct dram_device *d, FILE *to) {
  char period[NUM_F64_MAX];
  fprintf(to, "name: %s\nstandard: %s\norganisation:\n", d->name, d->standard);
  fprintf(to,
          "  channels: %" PRIu32 "\n  ranks: %" PRIu32 "\n  bank_groups: %" PRIu32 "\n  banks: %" PRIu32 "\n",
          d->channels, d->ranks, d->bank_groups, d->banks);
  fprintf(to,
          "  rows: %" PRIu64 "\n  columns: %" PRIu32 "\n  bus_bits: %" PRIu32 "\n  burst_length: %" PRIu32
          "\n",
          d->rows, d->columns, d->bus_bits, d->burst_length);
  fprintf(to, "  capacity: %" PRIu64 "\nclock:\n", dram_device_bytes(d) * d->channels);
  fprintf(to, "  tck_ps: %s\n  data_rate_mts: %" PRIu32 "\n  burst_cycles: %" PRIu32 "\n",
          num_print_f64(period, (double)d->tck_fs / 1000), d->data_rate_mts, d->burst_cycles);
  fprintf(to, "  bandwidth_gbps: %.3f\n  row_and_column_bus: %s\ntiming:\n",
          dram_device_bandwidth(d) * d->channels, d->row_and_column_bus ? "true" : "false");
#define X(field, min, max, help) fprintf(to, "  %s: %" PRIu32 "  # %s\n", #field, d->t.field, help);
  DRAM_TIMINGS(X)
#undef X
  dram_power_print(&d->power, to);
  fprintf(to, "mapping: %s\n", d->mapping);
  if (d->t.rc != d->t.ras + d->t.rp)
    fprintf(to, "rc_reason: as in the file this was read from\n");
}
