/* sluice validate: the timing model beside a real GPU. */
#include "base/cores.h"
#include "base/file.h"
#include "base/json.h"
#include "base/num.h"
#include "cli/validate.h"
#include "lab/point.h"
#include "validate/page.h"
#include "validate/validate.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const part_names[] = {"calibration", "validation", "all", NULL};
static const char *const gpu_names[] = {"h200", NULL};
static const char *const set_names[] = {"kernels", "kernels2", "kernels3", "kernels4", "kernels5", NULL};

static const struct cli_option options[] = {
    {"part", 0, "PART", "Kernels and workloads of the calibration (default), the validation, or all.",
     part_names, false, false},
    {"kernels", 0, "NAME",
     "The set of kernels: kernels (default), or kernels2 to kernels5, the second to the fifth set, which have "
     "splits and looks of their own and no workloads.",
     set_names, false, false},
    {"micro", 0, NULL, "Microbenchmarks only: cycles of a step, beside the card's.", NULL, false, false},
    {"energy", 0, NULL,
     "Energy and power of kernels, with the card's times and with simulated ones; with --micro, of the "
     "microbenchmarks that the table of energies comes from.",
     NULL, false, false},
    {"fit", 0, NULL,
     "--energy --micro: print the table's coefficients, fitted to the microbenchmarks by non-negative least "
     "squares.",
     NULL, false, false},
    {"table", 0, "NAME",
     "--energy: the table of coefficients, for --fit and --page (default: the GPU's name).", NULL, true,
     false},
    {"runs", 0, "DIR",
     "--energy: keep there what runs print, and run nothing that is there already; energies are by --table.",
     NULL, true, false},
    {"no-workloads", 0, NULL, "Kernels only, without the workloads: sooner.", NULL, false, false},
    {"only", 0, "PATTERN",
     "Only names that a shell pattern matches: 'chase_*'. Not for the validation part, whose rows stay "
     "unseen.",
     NULL, false, false},
    {"from", 0, "DIR", "The recorded set (default validation/GPU, or where it is installed).", NULL, true,
     false},
    {"set", 's', "NAME=VALUE",
     "Set a parameter of the GPU, as in `sluice run`: what does it do to the error?", NULL, false, true},
    {"config", 'c', "FILE", "Read parameters of the GPU from a YAML file.", NULL, true, true},
    {"jobs", 'j', "N", "Runs at once (default: one for each processor).", NULL, false, false},
    {"page", 0, "FILE.md", "Write the page of results, with its plot beside it.", NULL, true, false},
    {"json", 0, "FILE", "Write every row of the calibration as JSON; - is standard output.", NULL, true,
     false},
    {"cases", 0, NULL, "Print every row of the calibration; those of the validation are only summed up.",
     NULL, false, false},
    CLI_PROGRESS_OPTION,
};

static const char *folder(const char *gpu, const char *from, char *path, size_t n, struct error *err) {
  struct stat st;
  if (from)
    return from;
  for (int i = 0; i < 2; i++) {
    snprintf(path, n, i ? SLUICE_DATADIR "/validation/%s" : "validation/%s", gpu);
    if (stat(path, &st) == 0)
      return path;
  }
  error_add(err, EXIT_USAGE,
            "sluice validate: nothing is recorded of '%.40s' in validation/%.40s or " SLUICE_DATADIR
            "/validation; --from names a folder",
            gpu, gpu);
  return NULL;
}

/* The sets of kernels of a folder, for an error: those that have a split. */
static void sets_of(const char *dir, struct strbuf *to) {
  static const char tail[] = "_split.csv";
  struct dirent **file;
  int n = scandir(dir, &file, NULL, alphasort);
  strbuf_add(to, "kernels");
  for (int i = 0; i < n; i++) {
    size_t length = strlen(file[i]->d_name), rest = sizeof tail - 1;
    if (length > rest && strcmp(file[i]->d_name + length - rest, tail) == 0)
      strbuf_addf(to, ", %.*s", (int)(length - rest), file[i]->d_name);
    free(file[i]);
  }
  if (n >= 0)
    free(file);
}

static bool set_there(const char *dir, const char *kernels, struct error *err) {
  struct stat st;
  if (!kernels || strcmp(kernels, set_names[0]) == 0)
    return true;
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/%s_split.csv", dir, kernels);
  bool there = !strchr(kernels, '/') && stat(path.s, &st) == 0;
  strbuf_free(&path);
  if (there)
    return true;
  struct strbuf sets = {0};
  sets_of(dir, &sets);
  error_add(err, EXIT_USAGE, "sluice validate: --kernels '%.40s': %s has the sets %s", kernels, dir,
            strbuf_str(&sets));
  strbuf_free(&sets);
  return false;
}

static void print_micro(const struct validate_set *s) {
  double sum = 0, most = 0;
  size_t n = 0;
  printf("%-24s %12s %12s %9s\n", "step of", "card", "ours", "error");
  for (size_t i = 0; i < s->nmicro; i++) {
    double card, ours;
    validate_slope(s, &s->micro[i], &card, &ours);
    if (isnan(ours)) /* not among --only, or its run failed, which is said elsewhere */
      continue;
    printf("%-24s %12.3f %12.3f %+8.1f%%\n", s->micro[i].name, card, ours, (ours / card - 1) * 100);
    if (isfinite(ours) && card > 0) {
      double e = fabs(ours / card - 1);
      sum += e, n++;
      most = fmax(most, e);
    }
  }
  printf("%zu steps, mean absolute error %.1f %%, largest %.1f %%\n", n, n ? sum / (double)n * 100 : 0,
         most * 100);
}

static void print_cases(const struct validate_set *s) {
  printf("%-24s %-6s %3s %-24s %-10s %9s %9s %7s %7s %7s %7s\n", "name", "caches", "nr", "kernel", "class",
         "card", "ours", "cycles", "instr", "L2", "DRAM");
  for (size_t i = 0; i < s->n; i++) {
    const struct validate_row *r = &s->row[i];
    if (r->kind == VALIDATE_MICRO || !r->calibration || !isfinite(r->ours[V_CYCLES]))
      continue;
    printf("%-24s %-6s %3u %-24s %-10s %9.0f %9.0f %7.2f %7.2f %7.2f %7.2f\n", r->name,
           r->warm ? "warm" : "cold", r->launch, r->kernel, r->class, r->card[V_CYCLES], r->ours[V_CYCLES],
           r->ours[V_CYCLES] / r->card[V_CYCLES],
           (r->ours[V_ISSUED] + r->ours[V_MORE]) / r->card[V_INSTRUCTIONS],
           r->ours[V_L2_SECTORS] / r->card[V_L2_SECTORS], r->ours[V_DRAM_READ] / r->card[V_DRAM_READ]);
  }
}

static bool in_part(const struct validate_row *r, const void *ctx) {
  const char *const *want = ctx; /* part, class, caches; NULL: any */
  return (!want[0] || r->calibration == (strcmp(want[0], "calibration") == 0)) &&
         (!want[1] || strcmp(want[1], r->class) == 0) &&
         (!want[2] || r->warm == (strcmp(want[2], "warm") == 0));
}

static void print_summary(const struct validate_set *s, const char *part) {
  static const char *const classes[] = {NULL, "bandwidth", "latency", "compute", "divergent", "atomic"};
  static const char *const caches[] = {NULL, "cold", "warm"};
  printf("%-12s %-10s %-6s %5s %7s %7s %7s %8s %8s %8s %9s %8s %7s %7s %7s\n", "part", "class", "caches", "n",
         "MAE", "median", "within", "geomean", "Pearson", "rank", "roofline", "machine", "instr", "L2",
         "DRAM");
  for (size_t i = 0; i < 3 * sizeof classes / sizeof *classes; i++) {
    const char *want[] = {part, classes[i / 3], caches[i % 3]};
    struct validate_summary v = validate_summarise(s, in_part, want);
    if (v.n)
      printf("%-12s %-10s %-6s %5zu %6.1f%% %6.1f%% %6.0f%% %8.3f %8.3f %8.3f %8.1f%% %8.3f %6.1f%% %6.1f%% "
             "%6.1f%%\n",
             part ? part : "all", want[1] ? want[1] : "all", want[2] ? want[2] : "all", v.n, v.mean * 100,
             v.median * 100, v.within * 100, v.geomean, v.pearson, v.spearman, v.roofline * 100, v.machine,
             v.machine_error * 100, v.l2 * 100, v.dram * 100);
  }
}

/* Every look at the validation part is written down beside it. */
static bool note_validation(const struct validate_set *s, struct error *err) {
  char path[4096], day[32];
  const char *want[] = {"validation", NULL, NULL};
  struct validate_summary v = validate_summarise(s, in_part, want);
  time_t now = time(NULL);
  struct tm tm;
  strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &tm));
  validate_looks(s, path, sizeof path);
  FILE *f = fopen(path, "a");
  if (!f)
    return error_add(err, EXIT_RUNTIME, "%s: cannot note this look at the validation part", path);
  if (ftell(f) == 0)
    fprintf(f, "date,model,rows,mean,median,pearson\n");
  fprintf(f, "%s,%s,%zu,%.4f,%.4f,%.4f\n", day, lab_model(), v.n, v.mean, v.median, v.pearson);
  return fclose(f) == 0 || error_add(err, EXIT_RUNTIME, "%s: cannot write", path);
}

static bool write_json(const struct validate_set *s, const char *path, struct error *err) {
  static const char *const kinds[] = {"micro", "kernel", "workload"};
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_str(&j, "schema", "sluice-validate-1");
  json_str(&j, "model", lab_model());
  json_open(&j, "rows", '[');
  for (size_t i = 0; i < s->n; i++) {
    const struct validate_row *r = &s->row[i];
    bool micro = r->kind == VALIDATE_MICRO;
    if (!isfinite(r->ours[V_CYCLES]) || (!micro && !r->calibration))
      continue;
    json_open(&j, NULL, '{');
    json_str(&j, "kind", kinds[r->kind]);
    json_str(&j, "name", r->name);
    json_u64(&j, "launch", r->launch);
    json_str(&j, "kernel", r->kernel);
    json_str(&j, "class", r->class);
    json_str(&j, "caches", r->warm ? "warm" : "cold");
    json_str(&j, "part", micro ? "micro" : "calibration");
    static const struct {
      const char *name;
      enum validate_value value;
    } values[] = {
        {"cycles", V_CYCLES},   {"instructions", V_INSTRUCTIONS}, {"l2_sectors", V_L2_SECTORS},
        {"l2_hits", V_L2_HITS}, {"dram_read_bytes", V_DRAM_READ}, {"dram_write_bytes", V_DRAM_WRITE}};
    for (int side = 0; side < 2; side++) {
      json_open(&j, side ? "ours" : "card", '{');
      for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        json_f64(&j, values[k].name, side ? r->ours[values[k].value] : r->card[values[k].value]);
      json_close(&j);
    }
    json_close(&j);
  }
  json_close(&j);
  json_close(&j);
  strbuf_addc(&j.out, '\n');
  bool ok = file_write_atomic(path, j.out.s, j.out.n, err);
  strbuf_free(&j.out);
  return ok;
}

static bool read_options(const struct cli_args *a, struct validate_options *o, const char **arguments,
                         struct error *err) {
  uint64_t jobs = cores_allowed();
  const char *part = cli_value(a, "part");
  size_t n = 0;
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "set") == 0 || strcmp(a->given[i].option->name, "config") == 0) {
      if (n + 2 > 60)
        return error_add(err, EXIT_USAGE, "sluice validate: at most 30 settings");
      arguments[n++] = strcmp(a->given[i].option->name, "set") == 0 ? "--set" : "--config";
      arguments[n++] = a->given[i].value;
    }
  if (a->noperands != 1)
    error_add(err, EXIT_USAGE, "sluice validate: name one GPU, as in `sluice validate h200`");
  if (cli_value(a, "jobs") && (num_u64(cli_value(a, "jobs"), &jobs) != NUM_OK || !jobs || jobs > 1024))
    error_add(err, EXIT_USAGE, "sluice validate: --jobs '%.40s': 1 to 1024 is wanted", cli_value(a, "jobs"));
  int which = part ? -1 : 0;
  for (int i = 0; part && part_names[i]; i++)
    if (strcmp(part, part_names[i]) == 0)
      which = i;
  if (which < 0)
    error_add(err, EXIT_USAGE, "sluice validate: --part '%.40s': calibration, validation or all is wanted",
              part);
  bool micro = cli_flag(a, "micro");
  if (cli_value(a, "only") && which > 0 && !micro)
    error_add(
        err, EXIT_USAGE,
        "sluice validate: --only picks single rows, and those of the validation part are only summed up: "
        "leave out --part %s or --only",
        part);
  const char *kernels = cli_value(a, "kernels");
  bool first = !kernels || strcmp(kernels, set_names[0]) == 0;
  static const char *const of_first[] = {"micro", "energy", "page"};
  for (size_t i = 0; i < sizeof of_first / sizeof *of_first && !first; i++)
    if (cli_flag(a, of_first[i]) || cli_value(a, of_first[i]))
      error_add(err, EXIT_USAGE,
                "sluice validate: --%s is for the first set of kernels, not for --kernels %.40s", of_first[i],
                kernels);
  if (cli_flag(a, "fit") && (!micro || !cli_flag(a, "energy")))
    error_add(err, EXIT_USAGE, "sluice validate: --fit is for --energy --micro");
  *o = (struct validate_options){.gpu = a->noperands ? a->operands[0] : NULL,
                                 .arguments = arguments,
                                 .micro = micro || cli_value(a, "page"),
                                 .kernels = !micro,
                                 .workloads = !micro && first && !cli_flag(a, "no-workloads"),
                                 .calibration = which != 1,
                                 .validation = which != 0,
                                 .only = cli_value(a, "only"),
                                 .jobs = (unsigned)jobs,
                                 .progress = cli_progress(a, err)};
  return !err->code;
}

static int run_validate(const struct cli_args *a, struct error *err) {
  struct validate_options o;
  const char *arguments[64] = {NULL};
  char path[4096];
  const char *dir = NULL;
  if (!read_options(a, &o, arguments, err) ||
      !(dir = folder(o.gpu, cli_value(a, "from"), path, sizeof path, err)) ||
      !set_there(dir, cli_value(a, "kernels"), err))
    return err->code;
  struct validate_set s;
  struct strbuf failed = {0};
  bool energy = cli_flag(a, "energy");
  bool ok = validate_load(&s, dir, cli_value(a, "kernels"), err) &&
            (energy ? cli_validate_energy(a, &s, &o, &failed, err) : validate_run(&s, &o, &failed, err));
  if (ok && energy && failed.n)
    fprintf(stderr, "%s", strbuf_str(&failed));
  if (ok && !energy) {
    if (o.micro && o.kernels == false)
      print_micro(&s);
    if (o.kernels && cli_flag(a, "cases"))
      print_cases(&s);
    if (o.kernels && o.calibration)
      print_summary(&s, "calibration");
    if (o.kernels && o.validation)
      print_summary(&s, "validation");
    if (o.kernels && o.validation)
      ok = note_validation(&s, err);
    if (cli_value(a, "json"))
      ok = write_json(&s, cli_value(a, "json"), err) && ok;
    if (cli_value(a, "page"))
      ok = validate_page(&s, o.gpu, cli_value(a, "page"), err) && ok;
    if (failed.n)
      fprintf(stderr, "%s", strbuf_str(&failed));
  }
  int code = !ok ? err->code : failed.n ? EXIT_RUNTIME : EXIT_OK;
  strbuf_free(&failed);
  validate_free(&s);
  return code;
}

static const struct cli_example examples[] = {
    {"sluice validate h200 --micro", "one behaviour at a time: cycles of a step, beside the card's"},
    {"sluice validate h200 --micro --only 'sh_*'", "those of shared memory"},
    {"sluice validate h200 --cases", "the kernels and workloads that may be looked at while calibrating"},
    {"sluice validate h200 --kernels kernels2 --cases", "those of the second set of kernels"},
    {"sluice validate h200 --set noc.allocator=islip", "what a parameter does to the error"},
    {"sluice validate h200 --energy --cases", "power and energy of the kernels, beside the card's"},
    {"sluice validate h200 --part all --page docs/validation-h200.md", "everything, and the page of results"},
};

const struct cli_command cli_validate = {
    .name = "validate",
    .summary = "Compare the timing model with what was recorded of a real GPU.",
    .operands = "GPU",
    .details =
        "Runs kernels, workloads or microbenchmarks whose counters were recorded on a real GPU and prints "
        "how far the timing "
        "model's cycles, L2 sectors and DRAM bytes are from the card's: mean and median absolute error, "
        "share within 15 %, "
        "geometric mean of the ratios, correlations, and the error of a roofline from the card's own "
        "counters. The set is "
        "split, by a draw made before anything was compared, into a third (half of the third and the fourth "
        "set of kernels, all of the fifth) "
        "that may be looked at while calibrating, and "
        "the rest, of which only sums are printed; each look at it is noted in looks.csv beside the set "
        "(kernels2_looks.csv of the second set of kernels).\n\n"
        "Exit codes: 0 success; 1 a run failed or a file cannot be written; 2 a mistake in the command line "
        "or the set.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .words = gpu_names,
    .run = run_validate,
};
