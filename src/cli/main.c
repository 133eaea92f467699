#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "front/ptx/ops.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct cli_command *const cli_commands[] = {
    &cli_run,
    &cli_exec,
    &cli_sweep,
    &cli_paper,
    &cli_report,
    &cli_plot,
    &cli_new,
    &cli_query,
    &cli_diff,
    &cli_view,
    &cli_explain,
    &cli_validate,
    &cli_dram,
    &cli_plan,
    &cli_trace,
    &cli_list,
    &cli_help_command,
    &cli_point,
    &cli_completion_command,
    &cli_manpage_command,
    NULL,
};

const struct cli_command *cli_find(const char *name) {
  for (size_t i = 0; cli_commands[i]; i++)
    if (strcmp(cli_commands[i]->name, name) == 0)
      return cli_commands[i];
  return NULL;
}

static bool unknown_command(const char *word, struct error *err) {
  const char *names[32];
  int n = 0;
  for (size_t i = 0; cli_commands[i]; i++)
    if (!cli_commands[i]->hidden)
      names[n++] = cli_commands[i]->name;
  const char *near = nearest_match(word, names, n);
  return error_set(err, EXIT_USAGE, "sluice: unknown %s '%.60s'%s%s%s", *word == '-' ? "option" : "command",
                   word, near ? "; did you mean '" : "; see `sluice --help`", near ? near : "",
                   near ? "'?" : "");
}

static void print(struct strbuf *text) {
  fwrite(strbuf_str(text), 1, text->n, stdout);
  strbuf_free(text);
}

static int dispatch(int argc, char **argv, struct error *err) {
  struct strbuf text = {0};
  if (argc < 2) {
    cli_help(&text);
    fwrite(text.s, 1, text.n, stderr);
    strbuf_free(&text);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("sluice " SLUICE_VERSION);
    return EXIT_OK;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    cli_help(&text);
    print(&text);
    return EXIT_OK;
  }
  const struct cli_command *c = cli_find(argv[1]);
  if (!c) {
    unknown_command(argv[1], err);
    return EXIT_USAGE;
  }
  struct cli_args args;
  int code = EXIT_USAGE;
  if (cli_parse(c, argc - 2, argv + 2, &args, err)) {
    if (args.help) {
      error_clear(err);
      cli_command_help(c, &text);
      print(&text);
      code = EXIT_OK;
    } else {
      code = c->run(&args, err);
    }
  }
  cli_args_free(&args);
  return code;
}

/* SLUICE_ISA picks the instruction set of the arithmetic; a name nobody knows is a mistake, not a wish. */
static bool check_isa(struct error *err) {
  const char *isa = getenv("SLUICE_ISA");
  return !isa || !strcmp(isa, ptx_ops()->isa) ||
         error_set(err, EXIT_USAGE, "SLUICE_ISA=%.60s: not available on this machine (in use: %s)", isa,
                   ptx_ops()->isa);
}

/* Is standard output a pipe that nobody reads any more? */
static bool reader_left(void) {
  struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

int main(int argc, char **argv) {
  struct error err = {0};
  void *before = mem_large_pages();
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, reported like any other */
  cli_catch_interrupts();
  int code = check_isa(&err) ? dispatch(argc, argv, &err) : EXIT_USAGE;
  if (err.text) {
    fflush(stdout);
    fprintf(stderr, "%s\n", err.text);
  }
  if (!code)
    code = err.code;
  error_clear(&err);
  if (!file_flush_stdout(&err)) {
    if (reader_left())
      code = 128 + SIGPIPE; /* as `| head` ends others */
    else
      fprintf(stderr, "%s\n", err.text);
    code = code ? code : err.code;
  }
  error_clear(&err);
  free(before);
  return code;
}
