#include "dram/memory.h"
#include "dram/fixed.h"

static bool fixed_init(struct memory *m, const struct memory_config *k, const struct dram_device *d,
                       const struct dram_scheduler *scheduler, struct error *err) {
  if (scheduler)
    return error_set(err, EXIT_USAGE,
                     "a memory of fixed latency (dram.model) has no rule to pick requests by");
  const char *map = *k->mapping ? k->mapping : *d->mapping ? d->mapping : "bglow";
  if (!dram_map_parse(&m->map, map, d, 1, 1, err))
    return false;
  m->transaction = k->sector_bytes;
  m->dram = dram_new_fixed(fixed_new(k->controllers, k->line_bytes, k->fixed_interval, k->fixed_latency,
                                     k->fixed_write_latency, k->sector_bytes));
  return true;
}

bool memory_init(struct memory *m, const struct memory_config *k, const struct dram_scheduler *scheduler,
                 bool general, struct error *err) {
  struct dram_device device;
  struct dram_profile profile;
  *m = (struct memory){.controllers = k->controllers};
  if (!dram_device_load(&device, k->device, err) || !dram_device_retime(&device, k->timing, err))
    return false;
  if (k->model == MEMORY_FIXED)
    return fixed_init(m, k, &device, scheduler, err);
  if (!dram_profile_load(&profile, k->controller, err))
    return false;
  profile.no_forwarding |= !k->forward;
  if (k->controller_queue)
    dram_profile_resize(&profile, k->controller_queue);
  double mhz = 1e9 / (double)device.tck_fs; /* 10^15 fs per second over 10^6 Hz per MHz */
  if (mhz < (double)k->mhz * 0.999 || mhz > (double)k->mhz * 1.001)
    return error_set(err, EXIT_USAGE, "gpu.dram_mhz is %llu, but the command clock of '%s' is %.1f MHz",
                     (unsigned long long)k->mhz, k->device, mhz);
  struct dram_options o = {.device = &device,
                           .profile = &profile,
                           .mapping = *k->mapping ? k->mapping : NULL,
                           .refresh = (enum dram_refresh)k->refresh,
                           .ideal = (enum dram_ideal)k->ideal,
                           .channels = k->controllers,
                           .lockstep = k->lockstep,
                           .general = general};
  if (scheduler)
    o.scheduler = *scheduler;
  m->dram = dram_new(&o, err);
  if (!m->dram)
    return false;
  m->taken = dram_taken(m->dram);
  m->orders = dram_orders(m->dram);
  m->map = *dram_mapping(m->dram);
  m->transaction = dram_transaction(m->dram);
  return true;
}

void memory_destroy(struct memory *m) {
  dram_free(m->dram);
}
