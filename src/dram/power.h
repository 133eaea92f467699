/* Energy of DRAM commands and standby from the currents of a data sheet.
 *
 * Currents are of one device of `device_bits` data pins; a channel has bus_bits / device_bits of them. An
 * access costs what its current exceeds the standby current by, over the time it flows; standby is counted
 * separately, by whether a row is open. Drivers and termination of the bus are not in these currents. */
#ifndef SLUICE_DRAM_POWER_H
#define SLUICE_DRAM_POWER_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* X(field, unit, least, most, definition) */
#define DRAM_CURRENTS(X)                                                                                     \
  X(vdd, "V", 0.1, 5, "supply")                                                                              \
  X(idd0, "mA", 0, 1e5, "one bank activated and precharged, again and again")                                \
  X(idd2n, "mA", 0, 1e5, "standby, no row open")                                                             \
  X(idd3n, "mA", 0, 1e5, "standby, rows open")                                                               \
  X(idd4r, "mA", 0, 1e5, "reading without a pause")                                                          \
  X(idd4w, "mA", 0, 1e5, "writing without a pause")                                                          \
  X(idd5, "mA", 0, 1e5, "refreshing all banks without a pause")

struct dram_power {
  bool known;
  uint32_t device_bits, lockstep; /* channels that a command goes to; 0: one */
#define X(field, unit, min, max, help) double field;
  DRAM_CURRENTS(X)
#undef X
};

/* Picojoules of a channel: one command, or one cycle of standby. */
struct dram_costs {
  double activate /* and the precharge after it */, read, write, refresh /* all banks */, bank_refresh, open,
      closed;
};

struct yaml_node;
struct dram_device;
struct dram_counters;
struct stats;
/* Reads `power:` of a device file. */
bool dram_power_read(struct dram_power *p, const struct yaml_node *power, struct error *err);
void dram_power_print(const struct dram_power *p, FILE *to);
/* Not to be asked of a device whose currents are not known. */
struct dram_costs dram_costs(const struct dram_device *d);
/* Puts energy.dram.*; nothing where the currents are not known. */
void dram_energy_put(const struct dram_counters *c, const struct dram_device *d, struct stats *s);

#endif
