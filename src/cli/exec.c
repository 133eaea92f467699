/* sluice exec: an unmodified OpenCL or CUDA program, with the simulated GPU as its device.
 *
 * The program gets an environment in which the OpenCL loader finds one driver, ours, the system's loader finds our
 * CUDA libraries first, and both find their configuration; they say through a pipe how the kernels fared. */
#include "base/mem.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/num.h"
#include "cli/cli.h"
#include "cli/workload.h"
#include "host/choose.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const memcheck_names[] = {"reads", "error", "warn", "off", NULL};

static const struct cli_option options[] = {
    {"gpu", 'g', "GPU", "The GPU: a preset (`sluice list gpus` shows them) or a file of parameters.",
     gpu_preset_names, false, false},
    {"functional", 0, NULL, "Execute without a timing model: results and counts, no cycles.", NULL, false,
     false},
    {"with", 'w', "TECHNIQUE[:NAME=VALUE],...",
     "Build the GPU with techniques and their parameters; `sluice list techniques` shows them.", NULL, false,
     true},
    {"plugin", 0, "FILE.so", "Load a technique from a shared object (docs/techniques/plugin.md).", NULL, true,
     true},
    {"set", 's', "NAME=VALUE", "Set a parameter; `sluice list params` shows them.", NULL, false, true},
    {"config", 'c', "FILE", "Read parameters from a YAML file.", NULL, true, true},
    {"json", 0, "FILE", "Write the statistics as JSON when the program ends.", NULL, true, false},
    {"memcheck", 0, "MODE",
     "What an illegal access does: reads (default: illegal reads are reported and give 0, others end the "
     "kernel), error, warn, off.",
     memcheck_names, false, false},
    {"registers", 0, "N|KERNEL=N|SOURCE,...",
     "Registers per thread, which limit the CTAs of an SM: of all kernels, of one, or where they come from "
     "(front.registers).",
     NULL, false, false},
    {"max-instructions", 0, "N", "End a launch after this many warp instructions; 0 is no limit.", NULL,
     false, false},
    {"max-cycles", 0, "N", "End a launch after this many core cycles; 0 is no limit.", NULL, false, false},
    {"threads", 0, "N",
     "The most threads that simulate, 1 to 64, or auto (default): the same numbers, sooner.", NULL, false,
     false},
    {"launches", 0, "LIST",
     "Time only these launches, as in 10-20,every:50 (numbers from 1); the others are executed only.", NULL,
     false, false},
    {"kernels", 0, "PATTERNS", "Time only launches of these kernels, as in 'mm*,reduce?'.", NULL, false,
     false},
    {"timeout", 0, "SECONDS", "End the program after this time; what was counted until then is kept.", NULL,
     false, false},
    {"trace", 0, "DIR",
     "Record the stream of warp operations in DIR/PROGRAM.stream, to be run again with `sluice run`.", NULL,
     true, false},
    CLI_PROGRESS_OPTION,
    {"quiet", 'q', NULL, "Do not print the statistics.", NULL, false, false},
};

/* One of three places that depend on where the command is: as built, as installed. NULL: none is there. */
static char *find_beside(const char *const places[3], char self[PATH_MAX]) {
  char *found = NULL;
  ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);
  self[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(self, '/');
  if (slash)
    *slash = '\0';
  for (size_t i = 0; !found && i < 3; i++) {
    struct strbuf path = {0};
    strbuf_addf(&path, "%s%s", self, places[i]);
    found = realpath(path.s, NULL);
    strbuf_free(&path);
  }
  return found;
}

static char *find_driver(struct error *err) {
  static const char *const places[3] = {"/libsluice-opencl.so", "/../" SLUICE_LIBDIR "/libsluice-opencl.so",
                                        "/../lib/libsluice-opencl.so"};
  char self[PATH_MAX], *found = find_beside(places, self);
  if (!found)
    error_set(err, EXIT_RUNTIME, "sluice exec: no libsluice-opencl.so in %s or %s/../%s", self, self,
              SLUICE_LIBDIR);
  return found;
}

/* Links by the names that CUDA's programs ask for: first in the loader's path. A program without CUDA never looks. */
static void set_cuda(void) {
  static const char *const places[3] = {"/src/cuda/names", "/../" SLUICE_LIBDIR "/sluice-cuda",
                                        "/../lib/sluice-cuda"};
  char self[PATH_MAX], *folder = find_beside(places, self);
  const char *before = getenv("LD_LIBRARY_PATH");
  if (!folder)
    return;
  struct strbuf path = {0};
  strbuf_add(&path, folder);
  if (before && *before)
    strbuf_addf(&path, ":%s", before);
  setenv("LD_LIBRARY_PATH", path.s, 1);
  strbuf_free(&path);
  free(folder);
}

/* The program may change its folder before it ends. */
static char *absolute(const char *path) {
  struct strbuf whole = {0};
  char *here = *path == '/' ? NULL : getcwd(NULL, 0);
  if (here)
    strbuf_addf(&whole, "%s/", here);
  strbuf_add(&whole, path);
  free(here);
  return strbuf_take(&whole);
}

static void add(struct strbuf *list, char separator, const char *value) {
  if (list->n)
    strbuf_addc(list, separator);
  strbuf_add(list, value);
}

static void export(const char *name, struct strbuf *value) {
  setenv(name, strbuf_str(value), 1);
  strbuf_free(value);
}

/* The configuration in the driver's words; files by their whole path. */
static void set_configuration(const struct cli_args *a, const struct conf *conf) {
  struct strbuf set = {0}, with = {0}, config = {0}, plugins = {0}, gpu = {0}, memcheck = {0};
  for (size_t i = 0; i < a->ngiven; i++) {
    const char *name = a->given[i].option->name, *value = a->given[i].value;
    char *path = a->given[i].option->file ? absolute(value) : NULL;
    if (strcmp(name, "set") == 0)
      add(&set, '\n', value);
    else if (strcmp(name, "with") == 0)
      add(&with, '\n', value);
    else if (strcmp(name, "config") == 0)
      add(&config, ':', path);
    else if (strcmp(name, "plugin") == 0)
      add(&plugins, ':', path);
    free(path);
  }
  strbuf_addf(&memcheck, "front.memcheck=%s", conf_str(conf, "front.memcheck"));
  add(&set, '\n', memcheck.s);
  strbuf_free(&memcheck);
  strbuf_addf(&memcheck, "front.max_instructions=%llu",
              (unsigned long long)conf_u64(conf, "front.max_instructions"));
  add(&set, '\n', memcheck.s);
  strbuf_free(&memcheck);
  strbuf_addf(&memcheck, "front.registers=%s", conf_str(conf, "front.registers"));
  add(&set, '\n', memcheck.s);
  strbuf_free(&memcheck);
  const char *given = cli_value(a, "gpu");
  bool file = given && (strchr(given, '/') || strstr(given, ".y")); /* presets have no dot */
  char *path = file ? absolute(given) : xstrdup(given ? given : "");
  strbuf_add(&gpu, path);
  free(path);
  export("SLUICE_SET", &set);
  export("SLUICE_WITH", &with);
  export("SLUICE_CONFIG", &config);
  export("SLUICE_PLUGINS", &plugins);
  export("SLUICE_GPU", &gpu);
}

static void set_environment(const struct cli_args *a, const struct conf *conf, const char *driver,
                            int status) {
  struct strbuf json = {0}, number = {0}, folder = {0};
  char *path = cli_value(a, "json") ? absolute(cli_value(a, "json")) : xstrdup("");
  strbuf_add(&json, path);
  free(path);
  path = cli_value(a, "trace") ? absolute(cli_value(a, "trace")) : xstrdup("");
  strbuf_add(&folder, path);
  free(path);
  strbuf_addf(&number, "%d", status);
  setenv("OCL_ICD_VENDORS", driver, 1); /* ocl-icd: the driver itself; the Khronos loader: no folder */
  setenv("OCL_ICD_FILENAMES", driver, 1);
  set_cuda();
  setenv("SLUICE_REPORT", cli_flag(a, "quiet") ? "0" : "1", 1);
  setenv("SLUICE_FUNCTIONAL", cli_flag(a, "functional") ? "1" : "0", 1);
  setenv("SLUICE_THREADS", cli_value(a, "threads") ? cli_value(a, "threads") : "", 1);
  setenv("SLUICE_MAX_CYCLES", cli_value(a, "max-cycles") ? cli_value(a, "max-cycles") : "", 1);
  setenv("SLUICE_LAUNCHES", cli_value(a, "launches") ? cli_value(a, "launches") : "", 1);
  setenv("SLUICE_KERNELS", cli_value(a, "kernels") ? cli_value(a, "kernels") : "", 1);
  setenv("SLUICE_PROGRESS",
         cli_flag(a, "quiet")       ? "none"
         : cli_value(a, "progress") ? cli_value(a, "progress")
                                    : "auto",
         1);
  export("SLUICE_JSON", &json);
  export("SLUICE_TRACE", &folder);
  export("SLUICE_STATUS", &number);
  set_configuration(a, conf);
}

/* Options of the timing model. False after a finding. */
static bool timing_wanted(const struct cli_args *a, struct sluice_options *o, struct error *err) {
  static const char *const names[] = {"max-cycles", "threads"};
  *o = (struct sluice_options){.size = sizeof *o};
  for (int i = 0; i < 2; i++)
    if (cli_value(a, names[i]) && cli_flag(a, "functional"))
      error_add(err, EXIT_USAGE, "sluice exec: --%s is for the timing model; --functional has none",
                names[i]);
  const char *most = cli_value(a, names[0]), *threads = cli_value(a, names[1]);
  if (most && num_u64(most, &o->max_cycles) != NUM_OK)
    error_add(err, EXIT_USAGE, "sluice exec: --max-cycles '%.60s': a whole number is wanted", most);
  uint64_t n = 0;
  if (threads && strcmp(threads, "auto") != 0 &&
      (num_u64(threads, &n) != NUM_OK || n < 1 || n > SLUICE_MAX_THREADS))
    error_add(err, EXIT_USAGE, "sluice exec: --threads '%.60s': auto or 1 to %d is wanted", threads,
              SLUICE_MAX_THREADS);
  o->threads = (uint32_t)n;
  return !err->code;
}

/* Mistakes show now rather than with the first kernel. */
static void check_gpu(const struct cli_args *a, const struct sluice_options *o, struct error *err) {
  struct sluice *s = cli_handle(a, err);
  if (s && cli_told(s, sluice_options(s, o), err))
    cli_told(s, sluice_check(s), err);
  sluice_destroy(s);
}

/* In the child: as a shell would start it, but it does not outlive us. */
_Noreturn static void become(char **argv) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  execvp(argv[0], argv);
  int why = errno;
  fprintf(stderr, "sluice exec: %s: %s\n", argv[0], strerror(why));
  _exit(why == ENOENT ? 127 : 126);
}

/* What the drivers of all processes wrote: "CODE LAUNCHES" each. The worst code; *used: any wrote. */
static int read_status(int fd, bool *used) {
  struct strbuf all = {0};
  char part[256];
  for (ssize_t n; (n = read(fd, part, sizeof part)) > 0;)
    strbuf_addn(&all, part, (size_t)n);
  int worst = 0;
  for (const char *s = strbuf_str(&all); *s; s += strcspn(s, "\n") + 1) {
    int code = atoi(s);
    *used = true;
    if (code > worst)
      worst = code;
    if (!strchr(s, '\n'))
      break;
  }
  strbuf_free(&all);
  return worst;
}

static int conclude(int status, int fd, const char *program, struct error *err) {
  bool used = false;
  int device = read_status(fd, &used);
  if (WIFSIGNALED(status)) {
    error_set(err, 128 + WTERMSIG(status), "sluice exec: %s was ended by signal %d (%s)", program,
              WTERMSIG(status), strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
  }
  int code = WEXITSTATUS(status);
  if (!used && !code)
    fprintf(stderr, "sluice exec: %s ended without using the simulated GPU\n", program);
  if (device && !code)
    fprintf(stderr, "sluice exec: %s ended with 0 although a kernel failed; the exit code is %d\n", program,
            device);
  return code ? code : device;
}

enum { TIMED_OUT = 124, GRACE = 10 }; /* as timeout(1) has it; seconds to tell what was counted */

/* False: it could not be waited for. */
static bool wait_for(pid_t child, double seconds, int *status, bool *timed_out) {
  double start = clock_seconds(CLOCK_MONOTONIC);
  bool killed = false;
  for (;;) {
    pid_t ended = waitpid(child, status, seconds > 0 ? WNOHANG : 0);
    if (ended != 0)
      return ended == child;
    double passed = clock_seconds(CLOCK_MONOTONIC) - start;
    if (passed > seconds && !*timed_out) {
      *timed_out = true;
      kill(child, SIGTERM);
    }
    if (passed > seconds + GRACE && !killed) {
      killed = true;
      kill(child, SIGKILL);
    }
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
  }
}

static int start(const struct cli_args *a, const struct conf *conf, const char *driver, struct error *err) {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0) {
    error_set(err, EXIT_RUNTIME, "sluice exec: no pipe: %s", strerror(errno));
    return EXIT_RUNTIME;
  }
  char **argv = xcalloc(a->noperands + 1, sizeof *argv);
  for (size_t i = 0; i < a->noperands; i++)
    argv[i] = xstrdup(a->operands[i]);
  int code = EXIT_RUNTIME, status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    set_environment(a, conf, driver, ends[1]);
    become(argv);
  }
  close(ends[1]);
  if (child < 0)
    error_set(err, EXIT_RUNTIME, "sluice exec: no process: %s", strerror(errno));
  else {
    double seconds = 0;
    bool timed_out = false;
    if (cli_value(a, "timeout"))
      num_f64(cli_value(a, "timeout"), &seconds);
    cli_forward_interrupts(child);
    if (wait_for(child, seconds, &status, &timed_out))
      code = conclude(status, ends[0], argv[0], err);
    cli_forward_interrupts(0);
    if (timed_out)
      error_set(err, code = TIMED_OUT, "sluice exec: %s was ended after %g s (--timeout)", argv[0], seconds);
  }
  close(ends[0]);
  for (size_t i = 0; i < a->noperands; i++)
    free(argv[i]);
  free(argv);
  return code;
}

static int exec_run(const struct cli_args *a, struct error *err) {
  struct conf *conf = cli_configure(a, err);
  if (strcmp(conf_origin(conf, "front.memcheck"), "default") == 0)
    conf_assign(conf, "front.memcheck", "reads", "sluice exec", err);
  struct sluice_options timing;
  if (timing_wanted(a, &timing, err) && !cli_flag(a, "functional"))
    check_gpu(a, &timing, err);
  double seconds;
  const char *timeout = cli_value(a, "timeout");
  if (timeout && (num_f64(timeout, &seconds) != NUM_OK || !(seconds > 0 && seconds < 1e9)))
    error_add(err, EXIT_USAGE, "sluice exec: --timeout '%.60s': seconds above 0 are wanted", timeout);
  choose_check(cli_value(a, "launches"), cli_value(a, "kernels"), err);
  if (cli_flag(a, "functional") && (cli_value(a, "launches") || cli_value(a, "kernels")))
    error_add(err, EXIT_USAGE,
              "sluice exec: --launches and --kernels choose what is timed; --functional times nothing");
  cli_progress(a, err);
  if (!a->noperands)
    error_add(err, EXIT_USAGE, "sluice exec: name a program; see `sluice exec --help`");
  const char *folder = cli_value(a, "trace");
  struct error made = {0};
  if (folder && !file_make_folder(folder, &made))
    error_add(err, made.code, "sluice exec: --trace: %s", made.text);
  error_clear(&made);
  if (cli_value(a, "json") && strcmp(cli_value(a, "json"), "-") == 0)
    error_add(err, EXIT_USAGE, "sluice exec: --json -: standard output belongs to the program; name a file");
  int code = EXIT_USAGE;
  char *driver = err->code ? NULL : find_driver(err);
  if (driver)
    code = start(a, conf, driver, err);
  else
    code = err->code;
  free(driver);
  conf_free(conf);
  return code;
}

static const struct cli_example examples[] = {
    {"sluice exec -- ./bfs graph.txt", "an OpenCL or CUDA program on the timing model of a GTX480"},
    {"sluice exec --gpu v100 --json bfs.json -- ./bfs graph.txt",
     "the same on a V100; the statistics as JSON too"},
    {"sluice exec --functional --memcheck error -- ./bfs graph.txt",
     "fast, without cycles; any illegal access ends the kernel"},
    {"sluice exec --functional --trace streams -- ./bfs graph.txt",
     "keep what its kernels did; `sluice run streams/bfs.stream --gpu v100` times it without the program"},
    {"sluice exec -- clinfo", "what a program gets to know about the device"},
};

const struct cli_command cli_exec = {
    .name = "exec",
    .summary = "Run an OpenCL or CUDA program on the simulated GPU.",
    .operands = "-- PROGRAM [ARGUMENTS]",
    .details =
        "Starts a program, unmodified, in an environment in which OpenCL and CUDA have one device: the "
        "simulated "
        "GPU. OpenCL's kernels are compiled by clang; a CUDA program brings its kernels as PTX and is built "
        "with "
        "`nvcc -cudart shared`. They run on the timing model of the GPU that --gpu names and --config and "
        "--set "
        "change (gtx480, if none is named); --functional executes and counts only. Times that events report "
        "are "
        "simulated times. When the program ends, statistics of each kernel go to standard error. "
        "docs/opencl.md and "
        "docs/cuda.md tell the rest.\n\n"
        "Exit code: the program's own (128 + N if signal N ended it, 126 or 127 if it cannot be started). If "
        "that is 0 although a kernel failed: 3 for an illegal access or a trap, 4 for no progress. 2 for a "
        "mistake in the command line.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .program = true,
    .run = exec_run,
};
