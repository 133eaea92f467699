/* The first line as a mapping, the rest as a controller file: what is accepted must run a few requests to
 * their end, what is refused says why. */
#include "base/rng.h"
#include "dram/driver.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 200 };

static void drive(const struct dram_device *d, const struct dram_profile *p, const char *mapping) {
  struct error e = {0};
  struct dram *m = dram_new(
      &(struct dram_options){.device = d, .profile = p, .mapping = mapping, .refresh = DRAM_REFRESH_ALLBANK},
      &e);
  if (!m != (e.code != 0))
    abort();
  if (m) {
    struct dram_trace_request r[REQUESTS];
    uint64_t seed = 1;
    for (int i = 0; i < REQUESTS; i++)
      r[i] = (struct dram_trace_request){.address = rng_below(&seed, 1 << 22) * 32, .write = i % 3 == 0};
    dram_drive(m, r, REQUESTS, &(struct dram_driver){0});
    struct dram_counters n;
    dram_counters(m, &n);
    if (n.read_requests + n.write_requests != REQUESTS || dram_waiting(m))
      abort();
  }
  dram_free(m);
  error_clear(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct error e = {0};
  struct dram_device d;
  struct dram_profile p;
  char mapping[256];
  const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
  size_t first = end ? (size_t)(end - data) : size, rest = end ? first + 1 : size;
  if (first >= sizeof mapping)
    return 0;
  memcpy(mapping, data, first);
  mapping[first] = '\0';
  if (!dram_device_load(&d, "ref-hbm2", &e))
    abort();
  bool ok = dram_profile_parse(&p, (const char *)data + rest, size - rest, "fuzz.yaml", &e);
  if (ok == (e.code != 0) || (!ok && e.code != EXIT_USAGE))
    abort();
  drive(&d, ok ? &p : NULL, mapping);
  error_clear(&e);
  return 0;
}
