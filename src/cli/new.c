/* sluice new: a folder to start a technique of one's own from. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/templates.h"
#include "tech/tech.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const kinds[] = {"technique", NULL};

static const struct cli_option options[] = {
    {"output", 'o', "DIR", "The folder (default ./NAME); it must not be there.", NULL, true, false},
};

struct values {
  const char *name;
  char sluice[PATH_MAX], include[PATH_MAX]; /* absolute */
};

static void fill(const char *text, size_t n, const struct values *v, struct strbuf *to) {
  const struct {
    const char *mark, *value;
  } marks[] = {{"@NAME@", v->name}, {"@SLUICE@", v->sluice}, {"@INCLUDE@", v->include}};
  for (size_t i = 0; i < n;) {
    size_t m = 0;
    while (m < 3 &&
           (n - i < strlen(marks[m].mark) || memcmp(text + i, marks[m].mark, strlen(marks[m].mark)) != 0))
      m++;
    if (m < 3) {
      strbuf_add(to, marks[m].value);
      i += strlen(marks[m].mark);
    } else {
      strbuf_addc(to, text[i++]);
    }
  }
}

/* Headers lie in ../include beside the command, in the repository and where it is installed. */
static bool find(struct values *v, struct error *err) {
  struct strbuf header = {0};
  ssize_t n = readlink("/proc/self/exe", v->sluice, sizeof v->sluice - 1);
  v->sluice[n > 0 ? n : 0] = '\0';
  strbuf_addn(&header, v->sluice,
              (size_t)(strrchr(v->sluice, '/') ? strrchr(v->sluice, '/') - v->sluice : 0));
  strbuf_add(&header, "/../include");
  bool ok = realpath(header.s, v->include);
  strbuf_add(&header, "/sluice_technique.h");
  ok = ok && access(header.s, R_OK) == 0;
  if (!ok)
    error_set(err, EXIT_RUNTIME, "%s is not there: the headers are not installed beside the command",
              header.s);
  strbuf_free(&header);
  return ok;
}

static bool good_name(const char *s, struct error *err) {
  bool ok = *s >= 'a' && *s <= 'z' && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(s) &&
            strlen(s) <= 40;
  if (!ok)
    return error_add(err, EXIT_USAGE,
                     "sluice new: '%.60s' is no name (allowed: a-z, then a-z 0-9 _ -, at most 40)", s);
  return !tech_find(s) || error_add(err, EXIT_USAGE, "sluice new: there is a technique '%s' already", s);
}

static bool write_all(const char *dir, const struct values *v, struct error *err) {
  const struct {
    const char *file;
    const unsigned char *text;
    size_t n;
  } files[] = {{"@NAME@.c", new_technique_source, new_technique_bytes},
               {"Makefile", new_makefile_source, new_makefile_bytes},
               {"test.sh", new_test_source, new_test_bytes},
               {"sweep.yaml", new_sweep_source, new_sweep_bytes}};
  if (mkdir(dir, 0777) != 0)
    return error_set(err, errno == EEXIST ? EXIT_USAGE : EXIT_RUNTIME, "%s: %s", dir,
                     errno == EEXIST ? "it is there already" : strerror(errno));
  bool ok = true;
  for (size_t i = 0; i < sizeof files / sizeof *files && ok; i++) {
    struct strbuf path = {0}, text = {0};
    strbuf_addf(&path, "%s/", dir);
    fill(files[i].file, strlen(files[i].file), v, &path);
    fill((const char *)files[i].text, files[i].n, v, &text);
    ok = file_write_atomic(path.s, text.s, text.n, err);
    strbuf_free(&path);
    strbuf_free(&text);
  }
  return ok;
}

static int run_new(const struct cli_args *a, struct error *err) {
  struct values v = {0};
  if (a->noperands != 2)
    error_add(err, EXIT_USAGE,
              "sluice new: name what is to be made and how it is called, as in `sluice new technique mine`");
  else if (strcmp(a->operands[0], kinds[0]) != 0)
    error_add(err, EXIT_USAGE, "sluice new: no '%.60s' can be made (allowed: technique)", a->operands[0]);
  else
    good_name(a->operands[1], err);
  if (err->code || !find(&v, err))
    return err->code;
  v.name = a->operands[1];
  const char *dir = cli_value(a, "output") ? cli_value(a, "output") : v.name;
  if (write_all(dir, &v, err))
    printf("%s: %s.c, Makefile, test.sh, sweep.yaml\n"
           "  cd %s && make        builds the technique and tests it\n"
           "  make figure          runs it against the GPU without it, and draws the speed-up\n",
           dir, v.name, dir);
  return err->code;
}

static const struct cli_example examples[] = {
    {"sluice new technique mine", "makes ./mine: C file, Makefile, test, sweep"},
    {"cd mine && make && make figure", "builds, tests, sweeps and draws it"},
};

const struct cli_command cli_new = {
    .name = "new",
    .summary = "Make a folder to start a technique of one's own from.",
    .operands = "technique NAME",
    .details =
        "Writes a technique that works, to be changed: its C file with a parameter, counters and one hook; a "
        "Makefile; "
        "a test of what every technique must keep to; a sweep that compares it with the GPU without it. "
        "docs/techniques/plugin.md tells what techniques can do.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .words = kinds,
    .run = run_new,
};
