/* A memory of fixed latency: each of its controllers takes a request every `interval` cycles. Lines go to controllers in turn. */
#ifndef SLUICE_DRAM_FIXED_H
#define SLUICE_DRAM_FIXED_H

#include "dram/dram.h"

struct fixed;
/* `bytes`: of a request. */
struct fixed *fixed_new(uint32_t controllers, uint32_t line_bytes, uint32_t interval, uint32_t read_latency,
                        uint32_t write_latency, uint32_t bytes);
void fixed_free(struct fixed *f);
bool fixed_advance(struct fixed *f, uint64_t until); /* true: there are answers */
uint32_t fixed_controller(const struct fixed *f, uint64_t address);
/* False: the controller's last request was less than `interval` cycles ago. */
bool fixed_push(struct fixed *f, const struct dram_request *r);
uint64_t fixed_ready(const struct fixed *f, uint32_t controller); /* the first cycle at which it takes one */
/* The first of the answers that are there. True: there are more. */
bool fixed_answer(struct fixed *f, struct dram_completion *out);
uint64_t fixed_next(const struct fixed *f); /* of an answer; DRAM_NEVER: none is on its way */
const struct dram_counters *fixed_counters(const struct fixed *f);

#endif
