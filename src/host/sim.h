/* The simulated GPU behind the OpenCL and CUDA drivers: configuration, device memory, kernels, time, statistics.
 * Knows nothing of their objects; not thread-safe by itself.
 *
 * Configured by the environment, which `sluice exec` sets:
 *   SLUICE_GPU=NAME  SLUICE_CONFIG=FILE:FILE...  SLUICE_PLUGINS=FILE:FILE...  SLUICE_FUNCTIONAL=1
 *   SLUICE_THREADS=N  SLUICE_MAX_CYCLES=N  SLUICE_PROGRESS=auto|plain|none
 *   SLUICE_LAUNCHES, SLUICE_KERNELS: which launches are timed (choose.h)
 *   SLUICE_SET, SLUICE_WITH: what --set and --with take, one on each line
 * and written to when the program ends:
 *   SLUICE_TRACE=FOLDER  SLUICE_JSON=FILE  SLUICE_REPORT=1 (standard error)  SLUICE_STATUS=N (a descriptor) */
#ifndef SLUICE_HOST_SIM_H
#define SLUICE_HOST_SIM_H

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
/* CUDA's compute capability times 10, as the GPU's parameters say; 0: they leave it open. */
unsigned sim_capability(const struct sim *s);
/* How images lie in memory: enum texture_layout. */
int sim_image_layout(const struct sim *s);
double sim_peak_bandwidth(const struct sim *s); /* of the memory, bytes per second */
bool sim_is_broken(const struct sim *s);        /* the timing model cannot go on after a failure */
/* What the last failing launch said. */
const char *sim_why(const struct sim *s);

/* Device memory. `host`: NULL, or memory of the program's that the buffer is made of. 0 if there is no
 * more. Reports call buffers by number, from 1 in the order of their creation. */
uint64_t sim_alloc(struct sim *s, uint64_t bytes, void *host);
void sim_free(struct sim *s, uint64_t address);
/* Memory that host and device have at one address; 0 if there is no more. */
uint64_t sim_alloc_unified(struct sim *s, uint64_t bytes);
/* Memory of the program's becomes a buffer at `address`. False: something is there already. */
bool sim_adopt(struct sim *s, uint64_t address, uint64_t bytes, void *host);
/* The live buffer that contains the address, or NULL. */
const struct devbuf *sim_find(const struct sim *s, uint64_t address);
uint64_t sim_used_bytes(const struct sim *s);
uint8_t *sim_bytes(const struct sim *s, uint64_t address);

/* PTX. NULL with err where it is refused. */
struct sim_module *sim_load(struct sim *s, const char *ptx, size_t n, const char *name, struct error *err);
void sim_unload(struct sim *s, struct sim_module *m);
size_t sim_kernels(const struct sim_module *m);
const struct kernel_info *sim_kernel_at(const struct sim_module *m, size_t i);
const struct kernel_info *sim_kernel(const struct sim_module *m, const char *name);
/* Its registers per thread, as front.registers says. */
uint32_t sim_registers(const struct sim *s, const struct kernel_info *k);

/* A variable of the module; false: there is none of that name. */
bool sim_symbol(const struct sim_module *m, const char *name, uint64_t *address, uint64_t *bytes);

/* Bytes of the heap that kernels allocate from, and of each thread's stack; 0: as it is. */
void sim_set_limits(struct sim *s, uint64_t heap, uint64_t stack);
void sim_get_limits(const struct sim *s, uint64_t *heap, uint64_t *stack);

/* The program called a function of its interface that is not there: told once, and listed in the report. */
void sim_missing(struct sim *s, const char *function);
/* Something the program did deserves this exit code; the text is told. */
void sim_fail(struct sim *s, int code, const char *text);

/* How many CTAs of the launch an SM holds, by the rule that the simulated SM follows; its grid does not count. */
unsigned sim_occupancy(const struct sim *s, const struct kernel_info *k, const struct launch *l);

/* Runs a launch to its end. 0 and *ns, or the exit code that the failure deserves after it was reported. */
int sim_launch(struct sim *s, struct sim_module *m, const struct launch *l, uint64_t *ns);

/* How long a copy between host and device, or within the device, takes. */
uint64_t sim_transfer_ns(const struct sim *s, uint64_t bytes);
uint64_t sim_copy_ns(const struct sim *s, uint64_t bytes);
uint64_t sim_now(const struct sim *s); /* ns since the start; commands follow each other */
void sim_advance(struct sim *s, uint64_t ns);

#endif
