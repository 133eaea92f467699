/* Speed of the PTX parser: parse FILE.ptx...
 *
 * Makes one module of about 20 MB from the entries of the given files, copied over and over with a number
 * behind their names, so that it reads as compilers write. Prints megabytes, seconds to parse, seconds to parse
 * and lower, and seconds the assembler takes (front.schedule); processor time, best of three. The files may hold no module variables. */
#include "base/file.h"
#include "base/strbuf.h"
#include "front/exec.h"
#include "front/ptx/assemble/assemble.h"
#include "stat/stat.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TARGET = 20000000, MAX_NAMES = 256 };

struct source {
  char *text;
  const char *body; /* behind the header's last line */
  const char *names[MAX_NAMES];
  size_t lengths[MAX_NAMES], n;
};

static void fail(const char *what, const struct error *err) {
  fprintf(stderr, "parse: %s\n", err && err->code ? err->text : what);
  exit(1);
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%';
}

static size_t word_length(const char *p) {
  size_t n = 0;
  while (is_word(p[n]))
    n++;
  return n;
}

static void read_source(struct source *s, const char *path) {
  struct error err = {0};
  size_t n;
  if (!(s->text = file_read(path, UINT64_C(1) << 30, &n, &err)))
    fail(path, &err);
  s->body = strstr(s->text, ".address_size");
  if (!s->body || !(s->body = strchr(s->body, '\n')))
    fail("no .address_size", NULL);
  for (const char *p = s->body; s->n < MAX_NAMES && (p = strstr(p, ".entry ")); s->n++) {
    p += strlen(".entry ");
    s->names[s->n] = p;
    s->lengths[s->n] = word_length(p);
  }
}

static bool is_own(const struct source *s, const char *word, size_t length) {
  for (size_t i = 0; i < s->n; i++)
    if (length >= s->lengths[i] && !memcmp(word, s->names[i], s->lengths[i]))
      return true;
  return false;
}

static void copy_source(struct strbuf *to, const struct source *s, unsigned number) {
  for (const char *p = s->body; *p;) {
    const size_t n = word_length(p);
    if (n) {
      strbuf_addn(to, p, n);
      if (is_own(s, p, n))
        strbuf_addf(to, "_%u", number);
      p += n;
    } else {
      strbuf_addc(to, *p++);
    }
  }
}

static double best(double a, double b) {
  return a < b ? a : b;
}

int main(int argc, char **argv) {
  struct strbuf text = {0};
  if (argc < 2)
    fail("which files?", NULL);
  struct source *sources = calloc((size_t)argc - 1, sizeof *sources);
  if (!sources)
    fail("no memory", NULL);
  for (int i = 1; i < argc; i++)
    read_source(&sources[i - 1], argv[i]);
  strbuf_add(&text, ".version 8.0\n.target sm_75\n.address_size 64\n");
  for (unsigned k = 0; text.n < TARGET; k++)
    copy_source(&text, &sources[k % (unsigned)(argc - 1)], k);

  double parse = 1e9, load = 1e9, assemble = 1e9;
  for (int i = 0; i < 3; i++) {
    struct error err = {0};
    const double start = stats_cpu_clock();
    struct ptx_module *m = ptx_parse(text.s, text.n, "bench.ptx", &err);
    parse = best(parse, stats_cpu_clock() - start);
    struct devmem *mem = devmem_create(NULL);
    struct program *p = m ? program_load(m, mem, &err) : NULL;
    load = best(load, stats_cpu_clock() - start);
    if (!p)
      fail("cannot load", &err);
    program_free(p);
    devmem_destroy(mem);
    m = ptx_parse(text.s, text.n, "bench.ptx", &err);
    const double parsed = stats_cpu_clock();
    ptx_assemble(m, SCHEDULE_ASSEMBLER9);
    assemble = best(assemble, stats_cpu_clock() - parsed);
    ptx_module_free(m);
  }
  printf("%.3f %.4f %.4f %.4f\n", (double)text.n / 1e6, parse, load, assemble);
  for (int i = 1; i < argc; i++)
    free(sources[i - 1].text);
  free(sources);
  strbuf_free(&text);
}
