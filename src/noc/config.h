/* Parameters of the networks between SMs and L2 (noc.*). */
#ifndef SLUICE_NOC_CONFIG_H
#define SLUICE_NOC_CONFIG_H

#include "conf/conf.h"
#include "noc/xbar.h"

struct noc_config {
  uint32_t flit_bytes[2]; /* of requests, of answers */
  uint32_t mask_bytes, latency, inject, credit, in, out;
  enum noc_allocator allocator;
  uint32_t iterations, sms_per_link, speedup;
  bool packets;
};

extern const struct conf_table noc_params;
/* What follows from the parameters; false after adding their contradictions to err. */
bool noc_config_finish(struct noc_config *k, struct error *err);

#endif
