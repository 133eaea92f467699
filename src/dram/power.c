#include "dram/power.h"
#include "base/num.h"
#include "conf/yaml.h"
#include "dram/device.h"
#include "dram/stats.h"
#include <inttypes.h>
#include <math.h>

static bool read_current(double *to, const struct yaml_node *map, const char *key, double min, double max,
                         struct error *err) {
  const struct yaml_node *n = yaml_need(map, key, err);
  if (!n || !yaml_f64(n, to, err))
    return false;
  return *to >= min && *to <= max
             ? true
             : yaml_error(n, err, "'%.60s' is out of range (allowed: %g..%g)", n->text, min, max);
}

bool dram_power_read(struct dram_power *p, const struct yaml_node *power, struct error *err) {
  static const char *const keys[] = {
#define X(field, unit, min, max, help) #field,
      DRAM_CURRENTS(X)
#undef X
          "device_bits"};
  if (!yaml_check_kind(power, YAML_MAP, err) ||
      !yaml_check_keys(power, keys, (int)(sizeof keys / sizeof *keys), err))
    return false;
  bool ok = true;
#define X(field, unit, min, max, help) ok &= read_current(&p->field, power, #field, min, max, err);
  DRAM_CURRENTS(X)
#undef X
  uint64_t bits = 0;
  const struct yaml_node *n = yaml_need(power, "device_bits", err);
  ok &= n && yaml_u64(n, 1, 4096, &bits, err);
  p->device_bits = (uint32_t)bits;
  if (ok && p->idd3n < p->idd2n)
    ok = yaml_error(yaml_get(power, "idd3n"), err,
                    "%g is less than idd2n = %g: a device with rows open takes no less", p->idd3n, p->idd2n);
  p->known = ok;
  return ok;
}

void dram_power_print(const struct dram_power *p, FILE *to) {
  char text[NUM_F64_MAX];
  if (!p->known)
    return;
  fprintf(to, "power:\n  device_bits: %" PRIu32 "\n", p->device_bits);
#define X(field, unit, min, max, help)                                                                       \
  fprintf(to, "  %s: %s  # " unit ", %s\n", #field, num_print_f64(text, p->field), help);
  DRAM_CURRENTS(X)
#undef X
}

/* Volts times milliamperes times nanoseconds are picojoules. */
struct dram_costs dram_costs(const struct dram_device *d) {
  const struct dram_power *p = &d->power;
  double devices = (double)d->bus_bits / p->device_bits * (p->lockstep ? p->lockstep : 1),
         cycle = p->vdd * devices * (double)d->tck_fs * 1e-6;
  double row = p->idd0 * d->t.rc - p->idd3n * d->t.ras - p->idd2n * (d->t.rc - d->t.ras);
  double refresh = fmax(0, p->idd5 - p->idd3n) * d->t.rfc;
  return (struct dram_costs){.activate = cycle * fmax(0, row),
                             .read = cycle * fmax(0, p->idd4r - p->idd3n) * d->burst_cycles,
                             .write = cycle * fmax(0, p->idd4w - p->idd3n) * d->burst_cycles,
                             .refresh = cycle * refresh,
                             .bank_refresh = cycle * refresh / (d->bank_groups * d->banks),
                             .open = cycle * p->idd3n,
                             .closed = cycle * p->idd2n};
}

void dram_energy_put(const struct dram_counters *c, const struct dram_device *d, struct stats *s) {
  if (!d->power.known)
    return;
  struct dram_costs of = dram_costs(d);
  double mj = 1e-9, activate = mj * of.activate * (double)c->activates,
         read = mj * of.read * (double)c->reads, write = mj * of.write * (double)c->writes,
         refresh = mj * (of.refresh * (double)(c->refreshes - c->bank_refreshes) +
                         of.bank_refresh * (double)c->bank_refreshes),
         standby = mj * (of.open * (double)c->open_cycles + of.closed * (double)c->closed_cycles);
  stats_put_f64(s, "energy.dram.activate_mj", activate);
  stats_put_f64(s, "energy.dram.read_mj", read);
  stats_put_f64(s, "energy.dram.write_mj", write);
  stats_put_f64(s, "energy.dram.refresh_mj", refresh);
  stats_put_f64(s, "energy.dram.standby_mj", standby);
  stats_put_f64(s, "energy.dram.dynamic_mj", activate + read + write);
  stats_put_f64(s, "energy.dram.total_mj", activate + read + write + refresh + standby);
}
