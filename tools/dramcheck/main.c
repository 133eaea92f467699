#include "dramcheck.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: dramcheck LOG [--device FILE|NAME] [--format sluice|dramsim3] [--refresh none|allbank|perbank]\n"
    "                     [--postpone N] [--max N]\n"
    "       dramcheck --rules\n"
    "\n"
    "Proves that a log of DRAM commands (- is standard input) keeps every constraint of the device.\n"
    "\n"
    "  --device D     device file, or the name of one in presets/dram or the installed presets\n"
    "                 (default: what the log's header names)\n"
    "  --format F     form of the log (default: sluice)\n"
    "  --refresh R    whether refreshes must come in time (default: what the header says, or none)\n"
    "  --postpone N   refreshes a bank may be behind (default: 8)\n"
    "  --max N        violations to show (default: 20)\n"
    "  --rules        list the rules\n"
    "\n"
    "Exit: 0 no violation, 1 violations, 2 bad input.\n"
    "\n"
    "Examples:\n"
    "  dramcheck commands.log --device hbm2-pc\n"
    "  zcat trace.gz | dramcheck - --format dramsim3 --device presets/dram/ref-ddr4.yaml\n";

void bad_input(const char *fmt, ...) {
  va_list ap;
  fflush(stdout);
  va_start(ap, fmt);
  fprintf(stderr, "dramcheck: ");
  vfprintf(stderr, fmt, ap);
  fprintf(stderr, "\n");
  va_end(ap);
  exit(EXIT_BAD_INPUT);
}

struct options {
  const char *log, *device, *format, *refresh;
  uint64_t postpone, max;
};

static uint64_t whole_number(const char *option, const char *text) {
  char *end;
  uint64_t v = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end)
    bad_input("%s: '%s' is not a whole number", option, text);
  return v;
}

static void parse(struct options *o, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(a, "--help") == 0) {
      fputs(usage, stdout);
      exit(0);
    }
    if (strcmp(a, "--rules") == 0) {
      for (int r = 0; r < RULE_COUNT; r++)
        printf("%-12s %s\n", rule_names[r], rule_helps[r]);
      exit(0);
    }
    if (a[0] != '-' || !a[1]) {
      if (o->log)
        bad_input("one log at a time: '%s' and '%s'", o->log, a);
      o->log = a;
      continue;
    }
    if (!value)
      bad_input("%s needs a value, or is unknown; see --help", a);
    if (strcmp(a, "--device") == 0)
      o->device = value;
    else if (strcmp(a, "--format") == 0)
      o->format = value;
    else if (strcmp(a, "--refresh") == 0)
      o->refresh = value;
    else if (strcmp(a, "--postpone") == 0)
      o->postpone = whole_number(a, value);
    else if (strcmp(a, "--max") == 0)
      o->max = whole_number(a, value);
    else
      bad_input("unknown option '%s'; see --help", a);
    i++;
  }
  if (!o->log)
    bad_input("no log is named; see --help");
  if (strcmp(o->format, "sluice") != 0 && strcmp(o->format, "dramsim3") != 0)
    bad_input("--format: '%s' is neither sluice nor dramsim3", o->format);
  if (o->postpone > 1000000)
    bad_input("--postpone: more than 1000000");
}

static void find_device(struct device *d, const char *name) {
  static const char *const folders[] = {"presets/dram", PRESET_FOLDER};
  char path[4096];
  if (access(name, R_OK) == 0) {
    device_read(d, name);
    return;
  }
  for (int i = 0; i < 2; i++) {
    int n = snprintf(path, sizeof path, "%s/%s.yaml", folders[i], name);
    if (n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0) {
      device_read(d, path);
      return;
    }
  }
  bad_input("no device '%s': no such file, none in presets/dram or %s", name, PRESET_FOLDER);
}

static bool refreshes(const char *mode) {
  if (strcmp(mode, "allbank") == 0 || strcmp(mode, "perbank") == 0)
    return true;
  if (*mode && strcmp(mode, "none") != 0)
    bad_input("refresh '%s' is neither none, allbank nor perbank", mode);
  return false;
}

int main(int argc, char **argv) {
  struct options o = {.format = "sluice", .postpone = 8, .max = 20};
  struct device d;
  struct command c;
  struct log l;
  parse(&o, argc, argv);
  log_open(&l, o.log, strcmp(o.format, "dramsim3") == 0);
  bool more = log_next(&l, &c);
  if (!o.device && !l.device[0])
    bad_input("%s: the log names no device; use --device", o.log);
  find_device(&d, o.device ? o.device : l.device);
  struct checker *k = checker_new(&d, o.log, refreshes(o.refresh ? o.refresh : l.refresh), o.postpone, o.max);
  for (; more; more = log_next(&l, &c))
    checker_command(k, &c);
  log_close(&l);
  uint64_t n = checker_end(k);
  if (fflush(stdout) != 0)
    bad_input("standard output cannot be written");
  return n ? EXIT_VIOLATIONS : 0;
}
