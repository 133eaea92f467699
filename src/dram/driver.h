/* Presents a list of requests to a DRAM: strictly in order, one per cycle and channel; a request that is
 * refused holds up those behind it.
 *
 * In every cycle the memory moves first, then the request at the head is handed over if its time has come
 * and its queue has room; it takes part from the next cycle on. */
#ifndef SLUICE_DRAM_DRIVER_H
#define SLUICE_DRAM_DRIVER_H

#include "dram/dram.h"
#include "dram/trace.h"

struct dram_driver {
  bool as_fast_as_accepted; /* arrival cycles of the requests are ignored */
  /* Called now and then with the number of requests handed over; may be NULL. */
  void (*progress)(void *ctx, uint64_t done, uint64_t total, uint64_t cycle);
  void (*answered)(void *ctx, const struct dram_completion *c); /* may be NULL; tag is the request's index */
  void *ctx;
};

/* Runs until every request is answered; returns the cycle by which all reads had their data and all
 * writes were issued. */
uint64_t dram_drive(struct dram *d, const struct dram_trace_request *r, size_t n,
                    const struct dram_driver *o);

#endif
