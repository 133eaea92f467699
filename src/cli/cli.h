/* Commands and their options, declared once: parsing, --help, the man page and shell completion are all
 * made from these tables. */
#ifndef SLUICE_CLI_CLI_H
#define SLUICE_CLI_CLI_H

#include "base/error.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "conf/conf.h"
#include <stdbool.h>
#include <stddef.h>

struct cli_option {
  const char *name; /* without the dashes */
  char letter;      /* 0: none */
  const char *arg;  /* name of its argument, NULL: a flag */
  const char *help;
  const char *const *values; /* for completion: NULL, or names with NULL at the end */
  bool file;                 /* the argument names a file */
  bool repeats;              /* may be given several times */
};

struct cli_example {
  const char *command, *what;
};

struct cli_args;

struct cli_command {
  const char *name, *summary;
  const char *operands; /* "WHAT", or "" */
  const char *details;  /* a paragraph or more */
  const struct cli_option *options;
  size_t noptions;
  const struct cli_example *examples;
  size_t nexamples;
  const char *const *words; /* what the first operand may be, for completion; NULL: a file */
  bool hidden;
  bool program; /* the operands are a command line of its own: options end at the first */
  /* Returns the exit code; 0 with err filled is taken as err->code. */
  int (*run)(const struct cli_args *a, struct error *err);
};

/* Every command; NULL at the end. */
extern const struct cli_command *const cli_commands[];
extern const char cli_summary[];
const struct cli_command *cli_find(const char *name);

struct cli_given {
  const struct cli_option *option;
  const char *value; /* NULL for a flag */
};

struct cli_args {
  const struct cli_command *command;
  struct cli_given *given; /* in the order of the command line */
  size_t ngiven, cap_given;
  const char **operands;
  size_t noperands, cap_operands;
  bool help;
};

/* argv without program and command name. All mistakes are reported at once. */
bool cli_parse(const struct cli_command *c, int argc, char **argv, struct cli_args *out, struct error *err);
void cli_args_free(struct cli_args *a);
const char *cli_value(const struct cli_args *a, const char *option); /* the last one given, or NULL */
bool cli_flag(const struct cli_args *a, const char *option);
/* An option's whole number, left as it is where the option is not given; false after an error. */
bool cli_whole(const struct cli_args *a, const char *option, uint64_t *out, struct error *err);

/* Loads what --plugin names: techniques, before anything that may name them is read. */
void cli_plugins(const struct cli_args *a, struct error *err);

/* "sluice run bfs --gpu v100": as the shell would take it. Free it. */
char *cli_command_line(const struct cli_args *a);

/* What --plugin, --gpu, --config, --set, --with and the options that stand for parameters make of the
 * defaults. */
struct conf *cli_configure(const struct cli_args *a, struct error *err);
/* The same as a handle of the public interface, for running; NULL after an error: no memory. */
struct sluice;
struct sluice *cli_handle(const struct cli_args *a, struct error *err);
/* With another GPU where the command line names none; NULL: none. */
struct sluice *cli_handle_of(const struct cli_args *a, const char *initial, struct error *err);

/* A row of a table of options, and what it says; --quiet means none. */
extern const char *const cli_progress_names[];
#define CLI_PROGRESS_OPTION                                                                                  \
  {                                                                                                          \
    "progress", 0, "MODE", "auto: a bar on a terminal; plain: a line every 10 s; none.", cli_progress_names, \
        false, false                                                                                         \
  }
enum progress_mode cli_progress(const struct cli_args *a, struct error *err);

void cli_help(struct strbuf *to);
void cli_command_help(const struct cli_command *c, struct strbuf *to);
void cli_manpage(struct strbuf *to);
void cli_completion_bash(struct strbuf *to);
void cli_completion_zsh(struct strbuf *to);

/* From here on SIGINT and SIGTERM end the process cleanly with 128 + signal: no half-written files,
 * standard output flushed. */
void cli_catch_interrupts(void);
/* From here on the first signal asks (base/stop.h): the command reports what was counted and ends by itself. The second,
 * or half a minute, ends it as above. */
void cli_soft_interrupts(void);
/* The same, but the signal goes to a process that reports and ends by itself; 0: it has ended. */
void cli_forward_interrupts(int pid);

extern const struct cli_command cli_run, cli_exec, cli_sweep, cli_paper, cli_report, cli_query, cli_plot,
    cli_new, cli_diff, cli_view, cli_explain, cli_validate, cli_point, cli_trace, cli_dram, cli_plan,
    cli_list, cli_help_command, cli_completion_command, cli_manpage_command;

#endif
