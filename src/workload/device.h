/* What a workload's host runs on: one table of functions.
 *
 *   sim      the executor, alone or under the timing model (a functional_machine)
 *   record   sim, and a launch file of everything that was done */
#ifndef SLUICE_WORKLOAD_DEVICE_H
#define SLUICE_WORKLOAD_DEVICE_H

#include "front/launch/launch.h"
#include "front/runner.h"

struct wl_device;
/* All return false after filling err. Buffers are numbered from 0 in the order of alloc. Ranges were
 * checked by the caller. */
struct wl_device_ops {
  bool (*alloc)(struct wl_device *d, const char *name, uint64_t bytes, struct error *err);
  bool (*write)(struct wl_device *d, uint32_t buffer, uint64_t offset, const void *from, uint64_t bytes,
                struct error *err);
  bool (*read)(struct wl_device *d, uint32_t buffer, uint64_t offset, void *to, uint64_t bytes,
               struct error *err);
  /* Takes the step. */
  bool (*launch)(struct wl_device *d, struct launch_step *step, struct error *err);
  /* Runs a generated stream over all buffers. */
  bool (*generate)(struct wl_device *d, gen_open_fn *open, const void *what, struct error *err);
  /* Where these launches run again, the last one is repeated; here it is known to change nothing. */
  void (*settle)(struct wl_device *d, uint32_t times);
  /* The range was found to hold `want`, and must do so wherever these launches run. */
  bool (*expect)(struct wl_device *d, uint32_t buffer, uint64_t offset, const void *want, uint64_t bytes,
                 enum elem_type type, double tolerance, struct error *err);
  void (*close)(struct wl_device *d);
};

struct wl_device {
  const struct wl_device_ops *ops;
};

/* Executes launches of what `r` has loaded. */
struct wl_device *wl_device_sim(struct runner *r, const char *name);
/* Adds all to `f`, too; takes the inner device, not f. */
struct wl_device *wl_device_record(struct wl_device *inner, struct launch_file *f);

/* Frees what a step owns. */
void wl_step_free(struct launch_step *s);

#endif
