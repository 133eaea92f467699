/* Any bytes as a device file: a device that keeps its promises, or an error that says what is wrong. */
#include "dram/device.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct error e = {0};
  struct dram_device d;
  bool ok = dram_device_parse(&d, (const char *)data, size, "fuzz.yaml", &e);
  if (ok == (e.code != 0))
    abort();
  if (!ok && (e.code != EXIT_USAGE || !strstr(e.text, "fuzz.yaml")))
    abort();
  if (ok && (!d.transaction || !d.tck_fs || d.t.ccd_s < d.burst_cycles || !(dram_device_bandwidth(&d) > 0) ||
             !dram_device_bytes(&d) || !d.name[0]))
    abort();
  error_clear(&e);
  return 0;
}
