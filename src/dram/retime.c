/* Timings given by hand in place of a device's. */
#include "base/num.h"
#include "base/strbuf.h"
#include "dram/device.h"
#include <stddef.h>
#include <string.h>

static const struct row {
  const char *name;
  uint32_t min, max;
  size_t offset;
} rows[] = {
#define X(field, min, max, help) {#field, min, max, offsetof(struct dram_timing, field)},
    DRAM_TIMINGS(X)
#undef X
};
enum { NROWS = sizeof rows / sizeof *rows };

static bool unknown(const char *name, struct error *err) {
  const char *names[NROWS];
  for (int i = 0; i < NROWS; i++)
    names[i] = rows[i].name;
  const char *near = nearest_match(name, names, NROWS);
  return error_add(err, EXIT_USAGE, "dram.timing: there is no timing '%.60s'%s%s%s", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool assign(struct dram_timing *t, const char *name, const char *value, struct error *err) {
  uint64_t v;
  for (int i = 0; i < NROWS; i++) {
    const struct row *r = &rows[i];
    if (strcmp(r->name, name) != 0)
      continue;
    if (num_u64(value, &v) != NUM_OK || v < r->min || v > r->max)
      return error_add(err, EXIT_USAGE, "dram.timing: %s: '%.60s' (allowed: %u..%u cycles)", name, value,
                       r->min, r->max);
    *(uint32_t *)(void *)((char *)t + r->offset) = (uint32_t)v;
    return true;
  }
  return unknown(name, err);
}

static bool at_least(const char *name, uint32_t v, const char *of, uint32_t least, struct error *err) {
  return v >= least ||
         error_add(err, EXIT_USAGE, "dram.timing: %s %u is less than %s = %u", name, v, of, least);
}

/* What dram_device_parse() asks of a file. */
static bool sound(const struct dram_device *d, struct error *err) {
  const struct dram_timing *t = &d->t;
  uint32_t read_end = t->cl + d->burst_cycles;
  bool ok = at_least("ccd_s", t->ccd_s, "the burst", d->burst_cycles, err);
  ok &= at_least("ccd_l", t->ccd_l, "ccd_s", t->ccd_s, err);
  ok &= at_least("rrd_l", t->rrd_l, "rrd_s", t->rrd_s, err);
  ok &= at_least("wtr_l", t->wtr_l, "wtr_s", t->wtr_s, err);
  ok &= at_least("rtw", t->rtw, "cl + burst - wl", read_end > t->wl ? read_end - t->wl : 0, err);
  if (t->refi && t->refi <= t->rfc)
    ok = error_add(err, EXIT_USAGE, "dram.timing: refi %u leaves no time between refreshes of rfc = %u",
                   t->refi, t->rfc);
  return ok;
}

bool dram_device_retime(struct dram_device *d, const char *text, struct error *err) {
  bool ok = true, rc = false;
  while (*text && ok) {
    char name[64] = "", value[32] = "";
    size_t n = strcspn(text, ","), eq = strcspn(text, "=,");
    if (eq == n || eq >= sizeof name || n - eq - 1 >= sizeof value)
      return error_add(err, EXIT_USAGE, "dram.timing: '%.60s' is not NAME=CYCLES[,NAME=CYCLES...]", text);
    memcpy(name, text, eq);
    memcpy(value, text + eq + 1, n - eq - 1);
    ok = assign(&d->t, name, value, err);
    rc |= strcmp(name, "rc") == 0;
    if (!rc && (strcmp(name, "ras") == 0 || strcmp(name, "rp") == 0))
      d->t.rc = d->t.ras + d->t.rp;
    text += n + (text[n] == ',');
  }
  return ok && sound(d, err);
}
