/* What the units of a GPU can do at most, from its configuration. */
#ifndef SLUICE_EXPLAIN_MACHINE_H
#define SLUICE_EXPLAIN_MACHINE_H

#include "conf/yaml.h"

struct explain_machine {
  double sms, schedulers, width, warps; /* issue slots; warps an SM holds */
  double l1_ports, l1_line_cycles;      /* of a line through the data port */
  double noc, l2, dram;                 /* cycles of these clocks in a core cycle */
  double sms_per_link, allocator;       /* what the allocator lets through: 1, or less of FIFOs */
  bool ideal_noc, fixed_dram, free_rows;
  double speedup, packet;  /* packet: flits of an answer's packet, if there is one for each sector; else 0 */
  double way_up, way_down; /* core cycles of a message through an idle network */
  double l2_access, l2_atomic; /* cycles of a slice */
  double controllers, fixed_interval;
  double rc, act, turn, burst, refresh; /* DRAM cycles */
  double dram_idle;                     /* core cycles of a read from the L2 to an idle DRAM and back */
};
/* `config`: the map of a run's JSON. */
bool explain_machine_read(struct explain_machine *m, const struct yaml_node *config, struct error *err);

#endif
