/* The simulated GPU behind the platform: configuration, device memory, kernels, time, statistics. Knows
 * nothing of OpenCL's objects; not thread-safe by itself.
 *
 * Configured by the environment, which `sluice exec` sets:
 *   SLUICE_GPU=NAME  SLUICE_CONFIG=FILE:FILE...  SLUICE_PLUGINS=FILE:FILE...  SLUICE_FUNCTIONAL=1
 *   SLUICE_THREADS=N  SLUICE_MAX_CYCLES=N
 *   SLUICE_SET, SLUICE_WITH: what --set and --with take, one on each line
 * and written to when the program ends:
 *   SLUICE_TRACE=FOLDER  SLUICE_JSON=FILE  SLUICE_REPORT=1 (standard error)  SLUICE_STATUS=N (a descriptor) */
#ifndef SLUICE_OPENCL_SIM_H
#define SLUICE_OPENCL_SIM_H

#include "front/exec.h"
#include "gpu/config.h"
#include "dram/device.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;
struct sim_module;

struct sim *sim_open(struct error *err); /* NULL: the configuration is refused */
/* The program ends: writes what was asked for. The device itself goes with the process, since destructors of
 * others may still come to release what they had. */
void sim_tell(struct sim *s);

const struct gpu_config *sim_gpu(const struct sim *s);
const char *sim_gpu_name(const struct sim *s);
uint64_t sim_memory_bytes(const struct sim *s);
unsigned sim_warp_width(const struct sim *s);

/* Device memory. `host`: NULL, or memory of the program's that the buffer is made of. 0 if there is no
 * more. Reports call buffers by number, from 1 in the order of their creation. */
uint64_t sim_alloc(struct sim *s, uint64_t bytes, void *host);
void sim_free(struct sim *s, uint64_t address);
uint8_t *sim_bytes(const struct sim *s, uint64_t address);

/* PTX. NULL with err where it is refused. */
struct sim_module *sim_load(struct sim *s, const char *ptx, size_t n, const char *name, struct error *err);
void sim_unload(struct sim *s, struct sim_module *m);
size_t sim_kernels(const struct sim_module *m);
const struct kernel_info *sim_kernel_at(const struct sim_module *m, size_t i);
const struct kernel_info *sim_kernel(const struct sim_module *m, const char *name);

/* Runs a launch to its end. 0 and *ns, or the exit code that the failure deserves after it was reported. */
int sim_launch(struct sim *s, struct sim_module *m, const struct launch *l, uint64_t *ns);

/* How long a copy between host and device, or within the device, takes. */
uint64_t sim_transfer_ns(const struct sim *s, uint64_t bytes);
uint64_t sim_copy_ns(const struct sim *s, uint64_t bytes);
uint64_t sim_now(const struct sim *s); /* ns since the start; commands follow each other */
void sim_advance(struct sim *s, uint64_t ns);

#endif
