/* The first byte chooses the form, the rest is a trace, or the name of a generator: requests come out, or an
 * error with file and line. */
#include "dram/trace.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void drain(struct dram_trace *t, struct error *e, const char *where) {
  struct dram_trace_request r[7];
  uint64_t done, total;
  for (int i = 0; i < 10000 && dram_trace_next(t, r, 7, e); i++)
    if (r[0].mask && !r[0].write)
      abort();
  dram_trace_position(t, &done, &total);
  if (done > total)
    abort();
  if (e->code && (e->code != EXIT_USAGE || !strstr(e->text, where)))
    abort();
  dram_trace_close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct error e = {0};
  if (!size)
    return 0;
  struct dram_trace_options o = {.format = (enum dram_trace_format)(data[0] % 6 % 5), .transaction = 64};
  const char *text = (const char *)data + 1;
  if (data[0] % 6 == 5) {
    char name[256] = "gen:";
    size_t n = size - 1 < 200 ? size - 1 : 200;
    memcpy(name + 4, text, n);
    struct dram_trace *t = dram_trace_open(name, &o, &e);
    if (!t && !e.code)
      abort();
    if (t)
      drain(t, &e, "gen:");
  } else
    drain(dram_trace_open_text("fuzz.trc", text, size - 1, &o, &e), &e, "fuzz.trc:");
  error_clear(&e);
  return 0;
}
