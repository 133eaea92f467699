/* The schedulers of memory controllers, each in a file of its own, which a controller's profile names (`pick`). */
#ifndef SLUICE_DRAM_SCHED_SCHEDULERS_H
#define SLUICE_DRAM_SCHED_SCHEDULERS_H

#include "tech/declare.h"

extern const struct sluice_dram_scheduler dram_fcfs, dram_frfcfs, dram_oldest_ready, dram_round_robin;

#endif
