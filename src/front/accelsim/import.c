#include "front/accelsim/import.h"
#include "base/mem.h"
#include "front/accelsim/line.h"
#include "front/devmem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BUFFERS = 1 << 16 };

/* The list is read twice: for how much there is to do and what lies in memory at first, then to do it. */
struct list {
  const char *path;
  struct strbuf folder;
  uint64_t *buffer; /* address and size of each */
  size_t nbuffer, cap_buffer;
  uint64_t footprint, kernels;
  bool doing;
};

static bool ends_in(const char *s, const char *end) {
  size_t n = strlen(s), k = strlen(end);
  return n >= k && strcmp(s + n - k, end) == 0;
}

/* MemcpyHtoD,address,bytes */
static bool memcpy_line(struct list *k, struct import *m, const struct text *t, const char *s,
                        struct error *err) {
  const char *comma = strchr(s, ','), *second = comma ? strchr(comma + 1, ',') : NULL;
  uint64_t address;
  int64_t bytes;
  struct line a = {comma ? comma + 1 : s, second ? second : s};
  struct line b = {second ? second + 1 : s, s + strlen(s)};
  if (!second || !line_hex(&a, 16, &address) || !line_ends(&a) || !line_i64(&b, &bytes) || !line_ends(&b) ||
      bytes < 0 || address >= DEVMEM_LIMIT || (uint64_t)bytes >= DEVMEM_LIMIT)
    return text_error(t, err, "'%.100s': MemcpyHtoD,0x<address>,<bytes> is expected", s);
  if (k->doing)
    return true;
  if (k->kernels) {
    m->late_memcpys++;
    return true;
  }
  if (k->nbuffer >= 2 * MOST_BUFFERS)
    return text_error(t, err, "more than %d copies to the GPU before the first kernel", MOST_BUFFERS);
  VEC_PUSH(k->buffer, k->nbuffer, k->cap_buffer) = address;
  VEC_PUSH(k->buffer, k->nbuffer, k->cap_buffer) = (uint64_t)bytes;
  k->footprint += (uint64_t)bytes;
  return true;
}

static bool kernel_line(struct list *k, struct import *m, const struct text *t, const char *s,
                        struct error *err) {
  if (!ends_in(s, ".traceg") && !ends_in(s, ".traceg.xz"))
    return text_error(t, err, "'%.100s': names of .traceg and .traceg.xz files are expected%s", s,
                      ends_in(s, ".trace") || ends_in(s, ".trace.xz")
                          ? " (Accel-Sim's post-traces-processing makes them of raw traces)"
                          : "");
  struct strbuf path = {0};
  strbuf_addf(&path, "%s%s", strbuf_str(&k->folder), s);
  struct stat st;
  bool ok = true;
  k->kernels++;
  if (k->doing)
    ok = import_kernel(m, path.s, err);
  else if (stat(path.s, &st) != 0)
    ok = text_error(t, err, "%s is not there", path.s);
  else
    m->bytes_total += (uint64_t)st.st_size;
  strbuf_free(&path);
  return ok;
}

static bool read_list(struct list *k, struct import *m, struct error *err) {
  struct text *t = text_open(k->path, err);
  const char *line;
  size_t n;
  int more = -1;
  bool ok = t;
  k->kernels = 0;
  while (ok && (more = text_line(t, &line, &n, err)) > 0) {
    char *s = xstrndup(line, n);
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
      s[--n] = '\0';
    if (strncmp(s, "MemcpyHtoD", 10) == 0)
      ok = memcpy_line(k, m, t, s, err);
    else if (strncmp(s, "kernel", 6) == 0)
      ok = kernel_line(k, m, t, s, err);
    free(s); /* anything else is skipped, as Accel-Sim does */
  }
  text_close(t);
  if (ok && more == 0 && !k->kernels)
    return error_set(err, EXIT_USAGE, "%s: no line names a kernel's trace", k->path);
  return ok && more == 0;
}

/* Opcodes that the table does not have: they end the import, or were taken for something. */
static bool unknown_ok(const struct import *m, struct error *err) {
  if (!m->nunknown)
    return true;
  struct strbuf b = {0};
  for (size_t i = 0; i < m->nunknown; i++)
    strbuf_addf(&b, "\n  %-16s %llu times, first in %s", m->unknown[i].name,
                (unsigned long long)m->unknown[i].n, m->unknown[i].where);
  if (m->unknown_others)
    strbuf_addf(&b, "\n  others           %llu times", (unsigned long long)m->unknown_others);
  error_set(err, EXIT_USAGE,
            "opcodes that are not known (--unknown int takes them for integer arithmetic; or fp32, "
            "fp64, sfu):%s",
            strbuf_str(&b));
  strbuf_free(&b);
  return false;
}

static void note(struct import *m, uint64_t n, const char *what) {
  if (n)
    strbuf_addf(&m->o->notes, "%llu %s\n", (unsigned long long)n, what);
}

static void notes(struct import *m) {
  note(m, m->missing_ctas, "thread blocks of the grids are not in the trace: they do not run");
  note(m, m->textures,
       "texture, surface or bulk copy instructions have no addresses in a trace: no memory traffic");
  note(m, m->constants, "constant loads have no addresses in a trace: they hit");
  note(m, m->copies,
       "LDGSTS have no shared addresses in a trace: no bank conflicts of what they write, unless said");
  note(m, m->generic,
       "generic accesses of kernels that do not say where shared and local memory lie: taken for global");
  note(m, m->late_memcpys, "copies to the GPU after the first kernel do not warm the L2");
  if (m->streams)
    strbuf_addf(&m->o->notes, "kernels of several CUDA streams run one after the other\n");
}

static bool do_import(struct import *m, struct list *k, const char *stream, struct error *err) {
  struct exec_options o = exec_defaults();
  if (!read_list(k, m, err))
    return false;
  o.warp_width = ACCESS_LANES;
  if (!(m->w = trace_create(stream, &o, TRACE_ACCELSIM, err)))
    return false;
  trace_buffers(m->w, k->buffer, k->nbuffer / 2);
  k->doing = true;
  bool ok = read_list(k, m, err) && unknown_ok(m, err);
  if (ok)
    code_end(m->code, m->w);
  struct trace_writer *w = m->w;
  m->w = NULL;
  return trace_close(w, k->footprint, ok, err) && ok;
}

bool accelsim_import(const char *list, const char *stream, struct accelsim_import *o, struct error *err) {
  struct import m = {.o = o, .code = code_new()};
  struct list k = {.path = list};
  const char *slash = strrchr(list, '/');
  if (slash)
    strbuf_addn(&k.folder, list, (size_t)(slash + 1 - list));
  progress_start(&m.progress, o->progress, "bytes");
  bool ok = do_import(&m, &k, stream, err);
  progress_end(&m.progress);
  notes(&m);
  code_free(m.code);
  free(m.words.w), free(k.buffer);
  strbuf_free(&k.folder);
  return ok;
}
