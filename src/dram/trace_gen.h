/* Generators behind "gen:..." names; used by trace.c only. */
#ifndef SLUICE_DRAM_TRACE_GEN_H
#define SLUICE_DRAM_TRACE_GEN_H

#include "dram/trace.h"

struct dram_gen;
/* `spec` is what follows "gen:" */
struct dram_gen *dram_gen_open(const char *spec, uint32_t transaction, struct error *err);
size_t dram_gen_next(struct dram_gen *g, struct dram_trace_request *to, size_t max);
void dram_gen_position(const struct dram_gen *g, uint64_t *done, uint64_t *total);
void dram_gen_close(struct dram_gen *g);

#endif
