#include "explain/machine.h"
#include "base/num.h"
#include "dram/device.h"
#include <math.h>
#include <string.h>

static double get(const struct yaml_node *c, const char *name, double otherwise) {
  const struct yaml_node *n = yaml_get(c, name);
  double v;
  return n && n->kind == YAML_SCALAR && num_f64(n->text, &v) == NUM_OK ? v : otherwise;
}

static bool is(const struct yaml_node *c, const char *name, const char *value) {
  const struct yaml_node *n = yaml_get(c, name);
  return n && n->kind == YAML_SCALAR && strcmp(n->text, value) == 0;
}

static double larger(double a, double b) {
  return a > b ? a : b;
}

static void read_dram(struct explain_machine *m, const struct yaml_node *c, const struct dram_device *d) {
  m->rc = d->t.rc;
  m->act = larger(d->t.rrd_s, larger(d->t.faw / 4.0, d->t.aw32 / 32.0));
  m->burst = d->burst_cycles;
  m->dram_idle = (get(c, "dram.latency", 0) + d->t.rcd_rd + d->t.cl + d->burst_cycles) / m->dram;
  if (m->fixed_dram)
    m->dram_idle = (get(c, "dram.latency", 0) + get(c, "dram.fixed_latency", 0)) / m->dram;
  /* a change of direction, one way and the other: the mean of what the bus stands idle */
  m->turn = (d->t.wl + d->t.wtr_l + larger(0, (double)d->t.rtw - d->burst_cycles)) / 2.0;
  m->refresh = is(c, "dram.refresh", "allbank")   ? d->t.rfc
               : is(c, "dram.refresh", "perbank") ? d->t.rfc_pb
                                                  : 0;
  m->free_rows = is(c, "dram.free", "rows") || is(c, "dram.free", "order");
  if (is(c, "dram.free", "order"))
    m->turn = 0;
}

bool explain_machine_read(struct explain_machine *m, const struct yaml_node *c, struct error *err) {
  *m = (struct explain_machine){0};
  if (!c || c->kind != YAML_MAP)
    return error_set(err, EXIT_USAGE, "the run has no configuration");
  double core = get(c, "gpu.core_mhz", 1), line = get(c, "gpu.line_bytes", 128);
  m->sms = get(c, "gpu.sms", 1);
  m->schedulers = get(c, "sm.schedulers", 1);
  m->width = get(c, "sm.issue_width", 1);
  m->warps = get(c, "sm.threads", 1) / get(c, "front.warp_width", 32);
  m->l1_ports = get(c, "l1d.ports", 1);
  m->l1_line_cycles = line / get(c, "l1d.port_bytes", line);
  m->noc = get(c, "gpu.noc_mhz", core) / core;
  m->l2 = get(c, "gpu.l2_mhz", core) / core;
  m->dram = get(c, "gpu.dram_mhz", core) / core;
  m->sms_per_link = get(c, "noc.sms_per_link", 1);
  m->speedup = get(c, "noc.speedup", 1);
  double flit = get(c, "noc.response_flit_bytes", 0) > 0 ? get(c, "noc.response_flit_bytes", 0)
                                                         : get(c, "noc.flit_bytes", 32);
  m->packet =
      is(c, "noc.sector_packets", "true") ? larger(1, ceil((8 + get(c, "l2.sector_bytes", 32)) / flit)) : 0;
  double way = (get(c, "noc.latency", 1) + get(c, "noc.inject_latency", 0)) / m->noc + (m->sms_per_link > 1);
  m->way_up = way + 2 / m->noc;
  m->way_down = way + 6 / m->noc; /* with the flits of a line */
  m->ideal_noc = is(c, "noc.allocator", "ideal");
  /* FIFOs whose heads wait: 2 - sqrt(2) of a uniform load (Karol, Hluchyj and Morgan, 1987) */
  m->allocator = is(c, "noc.allocator", "round-robin") ? 0.586 : 1;
  m->l2_access = larger(1, get(c, "l2.sector_bytes", 32) / get(c, "l2.port_bytes", 32));
  m->l2_atomic = get(c, "l2.atomic_interval", 1);
  m->controllers = get(c, "dram.controllers", 1);
  m->fixed_dram = is(c, "dram.model", "fixed");
  m->fixed_interval = get(c, "dram.fixed_interval", 1);
  const struct yaml_node *device = yaml_get(c, "dram.device");
  struct dram_device d;
  if (!device || device->kind != YAML_SCALAR || !dram_device_load(&d, device->text, err))
    return err->code ? false : error_set(err, EXIT_USAGE, "the run's configuration has no dram.device");
  read_dram(m, c, &d);
  return true;
}
