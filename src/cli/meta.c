/* Commands about the command: help, completion, manpage. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

static int put(struct strbuf *text) {
  fwrite(strbuf_str(text), 1, text->n, stdout);
  strbuf_free(text);
  return EXIT_OK;
}

static int help_run(const struct cli_args *a, struct error *err) {
  struct strbuf text = {0};
  if (a->noperands == 0) {
    cli_help(&text);
    return put(&text);
  }
  const struct cli_command *c = cli_find(a->operands[0]);
  if (!c) {
    error_set(err, EXIT_USAGE, "sluice help: unknown command '%.60s'; see `sluice --help`", a->operands[0]);
    return EXIT_USAGE;
  }
  cli_command_help(c, &text);
  return put(&text);
}

static const struct cli_example help_examples[] = {
    {"sluice help list", "the same as `sluice list --help`"},
};
const struct cli_command cli_help_command = {
    .name = "help",
    .summary = "Show help for a command.",
    .operands = "[COMMAND]",
    .details = "Shows help for a command, or the list of commands.",
    .examples = help_examples,
    .nexamples = 1,
    .run = help_run,
};

static int completion_run(const struct cli_args *a, struct error *err) {
  struct strbuf text = {0};
  const char *shell = a->noperands == 1 ? a->operands[0] : "";
  if (strcmp(shell, "bash") == 0)
    cli_completion_bash(&text);
  else if (strcmp(shell, "zsh") == 0)
    cli_completion_zsh(&text);
  else {
    error_set(err, EXIT_USAGE, "sluice completion: name one shell (allowed: bash, zsh)");
    return EXIT_USAGE;
  }
  return put(&text);
}

static const char *const shells[] = {"bash", "zsh", NULL};
const struct cli_command cli_completion_command = {
    .name = "completion",
    .summary = "Print a shell completion script.",
    .operands = "SHELL",
    .details = "Prints the completion script of a shell; `make install` puts it where the shell looks.",
    .words = shells,
    .hidden = true,
    .run = completion_run,
};

static int manpage_run(const struct cli_args *a, struct error *err) {
  (void)a;
  (void)err;
  struct strbuf text = {0};
  cli_manpage(&text);
  return put(&text);
}

const struct cli_command cli_manpage_command = {
    .name = "manpage",
    .summary = "Print the man page.",
    .operands = "",
    .details = "Prints the man page in roff; `make install` installs it.",
    .hidden = true,
    .run = manpage_run,
};
