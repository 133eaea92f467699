/* What a workload is, as a hash: neither its path nor the label it goes by. */
#include "base/json.h"
#include "front/launch/launch.h"
#include "front/trace/trace.h"
#include "lab/point.h"
#include "workload/values.h"
#include "workload/workload.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool lab_hash_file(const char *path, char out[LAB_HASH], struct error *err) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat st;
  void *p = NULL;
  bool ok = fd >= 0 && fstat(fd, &st) == 0;
  if (ok && st.st_size > 0) {
    p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    ok = p != MAP_FAILED;
  }
  if (ok)
    lab_hash(p ? p : "", p ? (size_t)st.st_size : 0, out);
  else
    error_add(err, EXIT_USAGE, "%s: %s", path, strerror(errno));
  if (ok && p)
    munmap(p, (size_t)st.st_size);
  if (fd >= 0)
    close(fd);
  return ok;
}

const char *const *lab_workload_params(const struct lab_workload *w, struct arena *mem) {
  const char **params = arena_alloc(mem, (w->params.n + 1) * sizeof *params);
  for (size_t i = 0; i < w->params.n; i++) {
    struct strbuf s = {0};
    strbuf_addf(&s, "%s=%s", w->params.at[i].name, w->params.at[i].value);
    params[i] = arena_strndup(mem, s.s, s.n);
    strbuf_free(&s);
  }
  return params;
}

/* All its parameters, whether the size or somebody set them. */
static bool of_workload(const struct lab_workload *w, const struct workload *k, struct strbuf *to,
                        struct arena *mem, struct error *err) {
  struct workload_request q = {.seed = w->seed, .input = w->input};
  struct workload_about about;
  if ((w->size && !workload_size_read(w->size, &q.size, err)) || !workload_about_read(&about, k, err))
    return false;
  q.params = lab_workload_params(w, mem), q.nparams = w->params.n;
  struct values values = {0};
  bool ok = values_read(&values, &about, &q, err);
  char ptx[LAB_HASH]; /* depends on the compiler that made it */
  lab_hash(k->ptx_n ? k->ptx : "", k->ptx_n, ptx);
  strbuf_addf(to, "workload %s %s\nsize %s\nseed %llu\n", k->name, ptx, workload_size_names[q.size],
              (unsigned long long)w->seed);
  for (size_t i = 0; ok && i < about.nparams; i++)
    strbuf_addf(to, "%s=%s\n", about.params[i].name, values.text[i]);
  char input[LAB_HASH];
  if (ok && w->input && (ok = lab_hash_file(w->input, input, err)))
    strbuf_addf(to, "input %s\n", input);
  values_free(&values);
  workload_about_free(&about);
  return ok;
}

/* As a plan, which holds everything that it names. */
static bool of_launch_file(const struct lab_workload *w, struct strbuf *to, struct error *err) {
  struct launch_file *f = launch_file_load(w->name, err);
  if (!f)
    return false;
  free(f->path);
  f->path = xstrdup("");
  char *data = NULL;
  size_t n = 0;
  FILE *mem = open_memstream(&data, &n);
  bool ok = mem && launch_file_write_plan(f, mem, err);
  if (!mem || fclose(mem) != 0)
    ok = error_add(err, EXIT_RUNTIME, "%s: out of memory", w->name);
  char h[LAB_HASH];
  lab_hash(data, ok ? n : 0, h);
  strbuf_addf(to, "launches %s\n", h);
  free(data);
  launch_file_free(f);
  return ok;
}

static bool of_file(const struct lab_workload *w, struct strbuf *to, struct error *err) {
  if (w->size || w->input || w->params.n)
    return error_add(err, EXIT_USAGE, "%s is a file: size, input and params belong to workloads", w->name);
  if (!trace_is(w->name))
    return of_launch_file(w, to, err);
  char h[LAB_HASH];
  if (!lab_hash_file(w->name, h, err))
    return false;
  strbuf_addf(to, "stream %s\n", h);
  return true;
}

static const char *label_of(const char *name, bool file, struct arena *mem) {
  const char *slash = strrchr(name, '/'), *from = slash ? slash + 1 : name, *dot = strrchr(from, '.');
  return file ? arena_strndup(mem, from, dot && dot > from ? (size_t)(dot - from) : strlen(from)) : name;
}

bool lab_workload_identify(struct lab_workload *w, struct arena *mem, struct error *err) {
  struct error own = {0};
  struct strbuf text = {0};
  const struct workload *k = trace_is(w->name) ? NULL : workload_or_file(w->name, &own);
  if (!own.code && k)
    of_workload(w, k, &text, mem, &own);
  else if (!own.code)
    of_file(w, &text, &own);
  if (!w->label)
    w->label = label_of(w->name, !k, mem);
  if (k && !w->size)
    w->size = workload_size_names[SIZE_SMALL];
  w->identity = arena_strndup(mem, strbuf_str(&text), text.n);
  strbuf_free(&text);
  bool ok = !own.code;
  if (!ok)
    error_add(err, own.code, "%s: %s", w->name, own.text);
  error_clear(&own);
  return ok;
}
