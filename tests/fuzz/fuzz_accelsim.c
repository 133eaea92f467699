/* Any bytes as a kernel's trace of Accel-Sim, or as the list of its kernels: refused with a message, or imported to a
 * stream that is read to its end, exported, and imported again with the same number of instructions. */
#include "front/accelsim/accelsim.h"
#include "front/trace/trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/fuzz_accelsim.XXXXXX";

static const char *in(const char *name) {
  static char path[4][128];
  static unsigned turn;
  char *to = path[turn++ % 4];
  snprintf(to, sizeof path[0], "%s/%s", folder, name);
  return to;
}

static void remove_folder(void) {
  static const char *const names[] = {"kernelslist.g", "kernel-1.traceg", "kernel-1.traceg.xz", "a.stream",
                                      "b.stream",      "d/kernelslist.g", "d/kernel-1.traceg",  "d"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    remove(in(names[i]));
  rmdir(folder);
}

static void put(const char *name, const void *data, size_t n) {
  FILE *f = fopen(in(name), "wb");
  if (!f || fwrite(data, 1, n, f) != n || fclose(f) != 0)
    abort();
}

/* The instructions of every kernel, or -1: refused. */
static long long import(const char *list, const char *stream, bool unknown) {
  struct error err = {0};
  struct accelsim_import o = {.partial = true, .progress = PROGRESS_NONE};
  if (unknown)
    sass_unknown_named("int", &o.unknown);
  bool ok = accelsim_import(in(list), in(stream), &o, &err);
  if (ok == (err.code != 0) || (!ok && err.code != EXIT_USAGE))
    abort();
  strbuf_free(&o.notes);
  error_clear(&err);
  return ok ? (long long)o.instructions : -1;
}

static void read_stream(const char *name) {
  struct error err = {0};
  struct trace_reader *r = trace_open(in(name), &err);
  if (!r)
    abort();
  for (size_t i = 0; i < trace_head(r).launches; i++) {
    struct exec *x = trace_exec(r, i);
    struct sluice_segment s;
    int more;
    while ((more = exec_next(x, &s, &err)) > 0)
      ;
    if (more < 0)
      abort(); /* what is imported is whole */
    exec_close(x);
  }
  trace_free(r);
}

static void again(long long instructions) {
  struct error err = {0};
  struct accelsim_export e = {.progress = PROGRESS_NONE};
  if (!accelsim_export(in("a.stream"), in("d"), &e, &err))
    abort();
  if (import("d/kernelslist.g", "b.stream", false) != instructions)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static bool begun;
  if (!begun) {
    if (!mkdtemp(folder))
      abort();
    atexit(remove_folder);
    begun = true;
  }
  if (!n || n > 1 << 17)
    return 0;
  bool packed = n > 5 && !memcmp(data,
                                 "\xfd"
                                 "7zXZ",
                                 5),
       list = data[0] == 'M' || data[0] == 'k';
  if (list) {
    put("kernelslist.g", data, n);
  } else {
    const char *name = packed ? "kernel-1.traceg.xz" : "kernel-1.traceg";
    put("kernelslist.g", name, strlen(name));
    put(name, data, n);
  }
  long long instructions = import("kernelslist.g", "a.stream", true);
  if (instructions < 0)
    return 0;
  read_stream("a.stream");
  if (!list)
    again(instructions);
  return 0;
}
