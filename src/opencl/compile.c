#include "opencl/compile.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "opencl/compiler.h"
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TEXT = 256 << 20 };

/* One compilation: its folder for temporary files, tools, messages so far. */
struct job {
  struct tools tools;
  struct options options;
  struct strbuf log;
  char *dir;
};

static int remove_one(const char *path, const struct stat *st, int what, struct FTW *f) {
  (void)st, (void)what, (void)f;
  remove(path);
  return 0;
}

static void job_end(struct job *j, char **log) {
  if (j->dir)
    nftw(j->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  free(j->dir);
  tools_free(&j->tools);
  options_free(&j->options);
  strbuf_add(&j->log, "");
  *log = strbuf_take(&j->log);
}

static bool job_begin(struct job *j, const char *options, bool link) {
  *j = (struct job){0};
  return options_parse(options, link, &j->options, &j->log) && tools_find(&j->tools, &j->log);
}

static bool trouble(struct job *j, const char *what) {
  strbuf_addf(&j->log, "error: %s: %s\n", what, strerror(errno));
  return false;
}

static bool job_folder(struct job *j) {
  const char *tmp = getenv("TMPDIR");
  struct strbuf dir = {0};
  strbuf_addf(&dir, "%s/sluice-opencl-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  j->dir = strbuf_take(&dir);
  if (mkdtemp(j->dir))
    return true;
  trouble(j, j->dir);
  free(j->dir);
  j->dir = NULL;
  return false;
}

static char *job_file(const struct job *j, const char *name) {
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/%s", j->dir, name);
  return strbuf_take(&path);
}

static bool job_put(struct job *j, const char *name, const void *data, size_t n) {
  char *path = job_file(j, name);
  FILE *f = fopen(path, "wbe");
  bool ok = f && fwrite(data, 1, n, f) == n;
  ok = (!f || fclose(f) == 0) && ok;
  if (!ok)
    trouble(j, path);
  free(path);
  return ok;
}

static char *job_get(struct job *j, const char *name, size_t *n) {
  char *path = job_file(j, name);
  struct error err = {0};
  char *data = file_read(path, MAX_TEXT, n, &err);
  if (!data)
    strbuf_addf(&j->log, "error: %s\n", err.text);
  error_clear(&err);
  free(path);
  return data;
}

/* Runs a tool on standard input. Its messages are added to the log. */
static bool job_run(struct job *j, struct words *w, const char *in) {
  char *log = job_file(j, "messages"), *from = job_file(j, in);
  unlink(log);
  int code = tools_run(w, from, log);
  if (code < 0)
    trouble(j, w->w[0]);
  struct error ignored = {0};
  size_t n = 0;
  char *text = file_read(log, MAX_TEXT, &n, &ignored);
  char *dump =
      text ? memmem(text, n, "PLEASE submit a bug report", 26) : NULL; /* of a compiler that broke off */
  if (text)
    strbuf_addn(&j->log, text, dump ? (size_t)(dump - text) : n);
  if (code > 1)
    strbuf_addf(&j->log, "error: %s ended with code %d\n", w->w[0], code);
  error_clear(&ignored);
  free(text);
  free(log);
  free(from);
  return code == 0;
}

static void add_all(struct words *w, const char *const *list) {
  for (; *list; list++)
    words_add(w, *list);
}
#define ADD(w, ...) add_all(w, (const char *const[]){__VA_ARGS__, NULL})

/* The machine the code is for has the atomics and vector accesses of OpenCL 1.2, and nothing newer. */
static void add_target(struct words *w, const struct job *j) {
  ADD(w, j->tools.clang, "-target", "nvptx64--nvidiacl", "-O2", "-fno-color-diagnostics");
  ADD(w, "-Xclang", "-target-cpu", "-Xclang", "sm_75", "-Xclang", "-target-feature", "-Xclang", "+ptx75");
}

static void add_language(struct words *w, const struct options *o) {
  language_add(w, o->standard);
  for (size_t i = 0; i < o->clang.n; i++)
    words_add(w, o->clang.w[i]);
}

/* `mode` is -E, -c or -S; the input comes on standard input. */
static void add_ends(struct words *w, const struct job *j, const char *mode, const char *out,
                     const char *language) {
  char *path = job_file(j, out);
  ADD(w, mode, "-o", path, "-x", language, "-");
  free(path);
}

static void add_bitcode(struct words *w, const char *how, const char *path) {
  ADD(w, "-Xclang", how, "-Xclang", path);
}

/* Functions that libclc lacks. */
static const struct library {
  const char *file, *kind; /* in the job's folder, in the cache */
  const unsigned char *source;
  const size_t *bytes;
  unsigned standard;
} libraries[] = {{"library3.bc", "3.bc", ocl_library3_source, &ocl_library3_bytes, 300},
                 {"library.bc", "bc", ocl_library_source, &ocl_library_bytes, 120}};
enum { NLIBRARIES = sizeof libraries / sizeof *libraries };

/* All versions need what 1.2 has; 2.0 has most of what is new in 3.0. */
static bool library_fits(const struct library *l, unsigned standard) {
  return l->standard <= 120 || standard >= 200;
}

/* Ours first: what they define, libclc does not define again. Bitcode is read as far as it is needed. */
static void add_libraries(struct words *w, const struct job *j, unsigned standard) {
  for (size_t i = 0; i < NLIBRARIES; i++) {
    char *ours = job_file(j, libraries[i].file);
    if (library_fits(&libraries[i], standard))
      add_bitcode(w, "-mlink-builtin-bitcode", ours);
    free(ours);
  }
  add_bitcode(w, "-mlink-builtin-bitcode", j->tools.libclc);
}

struct key {
  uint64_t h[2];
  char name[48];
};

static void key_add(struct key *k, const void *data, size_t n) {
  for (int i = 0; i < 2; i++)
    k->h[i] = hash_bytes(data, n, hash_mix(k->h[i] + n));
}

static struct key key_begin(const struct job *j) {
  struct key k = {.h = {1, 2}};
  key_add(&k, SLUICE_VERSION, sizeof SLUICE_VERSION);
  key_add(&k, strbuf_str(&j->tools.identity), j->tools.identity.n);
  key_add(&k, ocl_library_print, strlen(ocl_library_print));
  key_add(&k, ocl_library3_print, strlen(ocl_library3_print));
  return k;
}

static const char *key_name(struct key *k, const char *kind) {
  snprintf(k->name, sizeof k->name, "%016" PRIx64 "%016" PRIx64 ".%s", k->h[0], k->h[1], kind);
  return k->name;
}

/* One of our libraries as bitcode in the job's folder: compiled once for each compiler. */
static bool job_library(struct job *j, const struct library *l) {
  struct key k = key_begin(j);
  size_t n = 0;
  char *bitcode = cache_read(key_name(&k, l->kind), &n);
  bool ok;
  if (bitcode) {
    ok = job_put(j, l->file, bitcode, n);
  } else {
    struct words w = {0};
    add_target(&w, j);
    language_add(&w, l->standard);
    ADD(&w, "-w", "-cl-no-stdinc",
        "-emit-llvm"); /* declarations from the header: builtin ones give way to ours */
    add_ends(&w, j, "-c", l->file, "cl");
    ok = job_put(j, "library.cl", l->source, *l->bytes) && job_run(j, &w, "library.cl") &&
         (bitcode = job_get(j, l->file, &n));
    words_free(&w);
    if (ok)
      cache_write(key_name(&k, l->kind), bitcode, n);
  }
  free(bitcode);
  return ok;
}

static bool job_libraries(struct job *j, unsigned standard) {
  bool ok = true;
  for (size_t i = 0; ok && i < NLIBRARIES; i++)
    if (library_fits(&libraries[i], standard))
      ok = job_library(j, &libraries[i]);
  return ok;
}

/* Line directives come with labels that nothing jumps to, which would end basic blocks, and with the name of the input: taken
 * out, and called program.cl. */
static void put_ptx(struct strbuf *out, const char *s, size_t n) {
  static const char *const drop[] = {"$L__tmp", "$L__func_begin", "$L__func_end", "\t.section\t.debug_loc"};
  for (const char *end = s + n, *next; s < end; s = next) {
    const char *e = memchr(s, '\n', (size_t)(end - s));
    next = e ? e + 1 : end;
    bool gone = false;
    for (size_t i = 0; i < sizeof drop / sizeof *drop; i++)
      gone |= (size_t)(next - s) > strlen(drop[i]) && memcmp(s, drop[i], strlen(drop[i])) == 0;
    const char *name = memmem(s, (size_t)(next - s), "<stdin>\"", 8),
               *open = memchr(s, '"', (size_t)(next - s));
    if (!gone && name && open && memmem(s, (size_t)(next - s), ".file", 5)) {
      strbuf_addn(out, s, (size_t)(open + 1 - s));
      strbuf_add(out, "program.cl\"\n");
    } else if (!gone) {
      strbuf_addn(out, s, (size_t)(next - s));
    }
  }
}

/* program.ll to PTX. */
static char *back_end(struct job *j, size_t *bytes) {
  size_t n = 0;
  char *ll = job_get(j, "program.ll", &n), *ptx = NULL;
  struct strbuf kept = {0}, out = {0};
  struct words w = {0};
  add_target(&w, j);
  ADD(&w, "-Xclang", "-disable-llvm-passes", "-Wno-override-module");
  add_ends(&w, j, "-S", "program.ptx", "ir");
  if (ll && ir_reduce(ll, n, &kept, &out, &j->log) && job_put(j, "kept.ll", strbuf_str(&kept), kept.n) &&
      job_run(j, &w, "kept.ll") && (ptx = job_get(j, "program.ptx", &n))) {
    put_ptx(&out, ptx, n);
    free(ptx);
    *bytes = out.n;
    ptx = strbuf_take(&out);
  }
  words_free(&w);
  strbuf_free(&kept);
  strbuf_free(&out);
  free(ll);
  return ptx;
}

/* A cached result: "LOG BYTES\n", the log, the PTX. */
static char *recall(struct job *j, const char *key, size_t *bytes) {
  size_t n = 0;
  char *data = cache_read(key, &n), *end = data, *ptx = NULL;
  unsigned long log = data ? strtoul(data, &end, 10) : 0;
  if (end != data && *end == '\n' && log < n - (size_t)(end + 1 - data)) {
    strbuf_addn(&j->log, end + 1, log);
    *bytes = n - (size_t)(end + 1 - data) - log;
    ptx = xstrndup(end + 1 + log, *bytes);
  }
  free(data);
  return ptx;
}

static void remember(const char *key, const char *log, size_t nlog, const char *ptx, size_t bytes) {
  struct strbuf b = {0};
  strbuf_addf(&b, "%zu\n", nlog);
  strbuf_addn(&b, log, nlog);
  strbuf_addn(&b, ptx, bytes);
  cache_write(key, b.s, b.n);
  strbuf_free(&b);
}

/* With #include, the text that counts is the one after the preprocessor. */
static bool key_source(struct job *j, struct key *k, const char *source, size_t n) {
  if (!memmem(source, n, "include", 7)) {
    key_add(k, source, n);
    return true;
  }
  struct words w = {0};
  add_target(&w, j);
  add_language(&w, &j->options);
  add_ends(&w, j, "-E", "program.i", "cl");
  size_t told = j->log.n, all = 0;
  char *text = NULL;
  bool ok = job_put(j, "program.cl", source, n) && job_run(j, &w, "program.cl") &&
            (text = job_get(j, "program.i", &all));
  words_free(&w);
  if (!ok)
    return false;
  j->log.n = told; /* the compiler will say it again */
  key_add(k, source, n);
  key_add(k, text, all);
  free(text);
  return true;
}

bool ocl_compile(const char *source, size_t n, const char *options, char **ptx, size_t *ptx_bytes,
                 char **log) {
  struct job j;
  struct words w = {0};
  *ptx = NULL;
  while (n && !source[n - 1]) /* lengths that count the terminator are common */
    n--;
  bool ok = job_begin(&j, options, false) && job_folder(&j);
  if (ok) {
    struct key k = key_begin(&j);
    key_add(&k, &j.options.standard, sizeof j.options.standard);
    for (size_t i = 0; i < j.options.clang.n; i++)
      key_add(&k, j.options.clang.w[i], strlen(j.options.clang.w[i]));
    size_t told = j.log.n; /* what the options caused is not part of the result */
    ok = key_source(&j, &k, source, n);
    if (ok && !(*ptx = recall(&j, key_name(&k, "ptx"), ptx_bytes)) && job_libraries(&j, j.options.standard)) {
      add_target(&w, &j);
      add_language(&w, &j.options);
      add_libraries(&w, &j, j.options.standard);
      words_add(&w, "-emit-llvm");
      add_ends(&w, &j, "-S", "program.ll", "cl");
      if (job_put(&j, "program.cl", source, n) && job_run(&j, &w, "program.cl"))
        *ptx = back_end(&j, ptx_bytes);
      if (*ptx)
        remember(key_name(&k, "ptx"), strbuf_str(&j.log) + told, j.log.n - told, *ptx, *ptx_bytes);
    }
  }
  words_free(&w);
  job_end(&j, log);
  return *ptx;
}

/* A header's name is a path below the folder: not absolute, no way up. */
static bool put_header(struct job *j, const struct ocl_text *h) {
  struct strbuf path = {0};
  bool ok = h->name && *h->name && *h->name != '/';
  for (const char *s = h->name; ok && *s;) {
    size_t n = strcspn(s, "/");
    ok = !(n == 2 && memcmp(s, "..", 2) == 0);
    s += n + (s[n] == '/');
  }
  if (!ok)
    strbuf_addf(&j->log, "error: header name '%s': a relative path without '..' is needed\n",
                h->name ? h->name : "");
  strbuf_addf(&path, "include/%s", ok ? h->name : "");
  for (size_t i = 0; ok && i < path.n; i++)
    if (path.s[i] == '/') {
      path.s[i] = 0;
      char *dir = job_file(j, path.s);
      ok = mkdir(dir, 0700) == 0 || errno == EEXIST || trouble(j, dir);
      free(dir);
      path.s[i] = '/';
    }
  ok = ok && job_put(j, path.s, h->s, h->n);
  strbuf_free(&path);
  return ok;
}

bool ocl_compile_object(const struct ocl_text *source, const struct ocl_text *headers, size_t nheaders,
                        const char *options, char **object, size_t *bytes, char **log) {
  struct job j;
  struct words w = {0};
  *object = NULL;
  bool ok = job_begin(&j, options, false) && job_folder(&j);
  for (size_t i = 0; ok && i < nheaders; i++)
    ok = put_header(&j, &headers[i]);
  size_t n = source->n;
  while (n && !source->s[n - 1])
    n--;
  if (ok && job_put(&j, "program.cl", source->s, n)) {
    char *include = job_file(&j, "include");
    add_target(&w, &j);
    if (nheaders)
      ADD(&w, "-I", include);
    free(include);
    add_language(&w, &j.options);
    ADD(&w, "-Xclang", "-disable-llvm-passes", "-emit-llvm");
    add_ends(&w, &j, "-c", "program.bc", "cl");
    if (job_run(&j, &w, "program.cl"))
      *object = job_get(&j, "program.bc", bytes);
  }
  words_free(&w);
  job_end(&j, log);
  return *object;
}

/* clang links bitcode to a module it compiles: here an empty one. */
bool ocl_link(const struct ocl_text *objects, size_t n, const char *options, bool library, char **out,
              size_t *bytes, char **log) {
  struct job j;
  struct words w = {0};
  *out = NULL;
  bool ok = job_begin(&j, options, true) && job_folder(&j) && job_put(&j, "empty.cl", "", 0);
  add_target(&w, &j);
  add_language(&w, &j.options);
  for (size_t i = 0; ok && i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "object%zu.bc", i);
    ok = job_put(&j, name, objects[i].s, objects[i].n);
    char *path = job_file(&j, name);
    add_bitcode(&w, "-mlink-bitcode-file", path);
    free(path);
  }
  if (ok && (library || j.options.library)) {
    ADD(&w, "-Xclang", "-disable-llvm-passes", "-emit-llvm");
    add_ends(&w, &j, "-c", "program.bc", "cl");
    if (job_run(&j, &w, "empty.cl"))
      *out = job_get(&j, "program.bc", bytes);
  } else if (ok && job_libraries(&j, 300)) { /* objects may be of either */
    add_libraries(&w, &j, 300);
    words_add(&w, "-emit-llvm");
    add_ends(&w, &j, "-S", "program.ll", "cl");
    if (job_run(&j, &w, "empty.cl"))
      *out = back_end(&j, bytes);
  }
  words_free(&w);
  job_end(&j, log);
  return *out;
}

bool ocl_il_available(void) {
  char *tool = tools_spirv();
  free(tool);
  return tool;
}

/* llvm-spirv's bitcode as text, that text for PTX, and bitcode again. */
bool ocl_il_object(const void *il, size_t n, char **object, size_t *bytes, char **log) {
  struct job j;
  struct words to_spir = {0}, to_text = {0}, to_object = {0};
  struct strbuf ptx = {0};
  size_t all = 0;
  char *tool = tools_spirv(), *text = NULL;
  *object = NULL;
  bool ok = job_begin(&j, NULL, false) && job_folder(&j) && job_put(&j, "program.spv", il, n);
  if (ok && !tool)
    strbuf_add(&j.log, "error: llvm-spirv is not installed, and SLUICE_LLVM_SPIRV names none\n");
  if (ok && tool) {
    char *spv = job_file(&j, "program.spv"), *bc = job_file(&j, "spir.bc"), *ll = job_file(&j, "spir.ll");
    ADD(&to_spir, tool, "-r", "--spirv-target-env=CL2.0", spv, "-o", bc);
    ADD(&to_text, j.tools.clang, "-target", "spir64", "-Xclang", "-disable-llvm-passes",
        "-Wno-override-module", "-emit-llvm", "-S", "-o", ll, "-x", "ir", bc);
    free(spv);
    free(bc);
    free(ll);
    add_target(&to_object, &j);
    ADD(&to_object, "-Xclang", "-disable-llvm-passes", "-Wno-override-module", "-emit-llvm");
    add_ends(&to_object, &j, "-c", "program.bc", "ir");
    if (job_run(&j, &to_spir, "program.spv") && job_run(&j, &to_text, "program.spv") &&
        (text = job_get(&j, "spir.ll", &all))) {
      il_to_ptx(text, all, &ptx);
      if (job_put(&j, "program.ll", strbuf_str(&ptx), ptx.n) && job_run(&j, &to_object, "program.ll"))
        *object = job_get(&j, "program.bc", bytes);
    }
  }
  words_free(&to_spir);
  words_free(&to_text);
  words_free(&to_object);
  strbuf_free(&ptx);
  free(text);
  free(tool);
  job_end(&j, log);
  return *object;
}
