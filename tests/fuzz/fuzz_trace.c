/* Any bytes as a recorded stream: refused with a message, or read to its end. The second half of the effort goes
 * to segments alone, past the checksums that would stop it. */
#include "base/mem.h"
#include "front/trace/trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/fuzz_trace.XXXXXX";

static void remove_file(void) {
  unlink(path);
}

static void as_file(const uint8_t *data, size_t n) {
  static int fd = -1;
  if (fd < 0) {
    fd = mkstemp(path);
    atexit(remove_file);
  }
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, n, 0) != (ssize_t)n)
    abort();
  struct error err = {0};
  struct trace_reader *r = trace_open(path, &err);
  for (size_t i = 0; r && i < trace_head(r).launches; i++) {
    struct exec *x = trace_exec(r, i);
    struct sluice_segment s;
    while (exec_next(x, &s, &err) > 0)
      ;
    exec_close(x);
  }
  trace_free(r);
  error_clear(&err);
}

/* Blocks of every kind of instruction, so that any words can be records. */
static void as_segment(const uint8_t *data, size_t n) {
  static struct sluice_inst inst[3][4] = {
      {{.klass = SLUICE_LOAD, .flags = SLUICE_IF_ADDRESS}, {.klass = SLUICE_ALU, .flags = SLUICE_IF_GUARD}},
      {{.klass = SLUICE_COPY, .flags = SLUICE_IF_ADDRESS | SLUICE_IF_GUARD},
       {.klass = SLUICE_BARRIER, .flags = SLUICE_IF_BARRIER}},
      {{.klass = SLUICE_BRANCH, .flags = SLUICE_IF_GUARD},
       {.klass = SLUICE_STORE, .flags = SLUICE_IF_ADDRESS}}};
  struct sluice_block blocks[4] = {{2, inst[0]}, {2, inst[1]}, {0, NULL}, {2, inst[2]}};
  size_t words = n / 4;
  uint32_t *w = xmalloc(words * 4 + 4); /* exactly as long: a step too far is seen */
  memcpy(w, data, words * 4);
  for (int wide = 0; wide < 2; wide++)
    if (trace_segment_ok(blocks, 4, w, words, wide ? 64 : 32, 8))
      for (const uint32_t *p = w; p < w + words;)
        if (!(p = trace_record_end(&blocks[*p], p, w + words, wide ? 64 : 32)))
          abort();
  free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  if (n > 1 << 18)
    return 0;
  if (n && data[0] == 'S')
    as_file(data, n);
  else
    as_segment(data, n);
  return 0;
}
