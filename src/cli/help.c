/* Help on the terminal and the man page. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

const char cli_summary[] = "Sluice simulates the memory hierarchy of a GPU: it runs real kernels and shows "
                           "what a memory-system idea is "
                           "worth.";

/* Words wrapped at 80 columns behind an indentation; the cursor stands at column `at`. */
static void wrap(struct strbuf *to, const char *text, int indent, int at) {
  for (const char *s = text; *s;) {
    size_t n = strcspn(s, " \n");
    if (at > indent && at + 1 + (int)n > 80) {
      strbuf_addf(to, "\n%*s", indent, "");
      at = indent;
    } else if (at > indent) {
      strbuf_addc(to, ' ');
      at++;
    }
    strbuf_addn(to, s, n);
    at += (int)n;
    s += n;
    if (*s == '\n') {
      strbuf_addf(to, "\n%*s", indent, "");
      at = indent;
    }
    if (*s)
      s++;
  }
  strbuf_addc(to, '\n');
}

static void two_columns(struct strbuf *to, const char *left, const char *right) {
  enum { COLUMN = 28 };
  strbuf_addf(to, "  %-*s", COLUMN - 4, left);
  int at = (int)strlen(left) + 2;
  if (at > COLUMN - 2)
    strbuf_addf(to, "\n%*s", COLUMN, "");
  else
    strbuf_add(to, "  ");
  wrap(to, right, COLUMN, COLUMN);
}

static const char *spelled(const struct cli_option *o, char *buf, size_t n) {
  char letter[8] = "    ";
  if (o->letter)
    snprintf(letter, sizeof letter, "-%c, ", o->letter);
  snprintf(buf, n, "%s--%s%s%s", letter, o->name, o->arg ? " " : "", o->arg ? o->arg : "");
  return buf;
}

void cli_help(struct strbuf *to) {
  wrap(to, cli_summary, 0, 0);
  strbuf_add(to, "\nUsage: sluice COMMAND [OPTIONS]\n\nCommands:\n");
  for (size_t i = 0; cli_commands[i]; i++)
    if (!cli_commands[i]->hidden)
      two_columns(to, cli_commands[i]->name, cli_commands[i]->summary);
  strbuf_add(to, "\nOptions:\n");
  two_columns(to, "-h, --help", "Show this help; `sluice COMMAND --help` shows a command's.");
  two_columns(to, "    --version", "Print the version.");
  strbuf_add(to, "\nExamples:\n");
  for (size_t i = 0; cli_commands[i]; i++)
    if (!cli_commands[i]->hidden && cli_commands[i]->nexamples)
      strbuf_addf(to, "  %s\n", cli_commands[i]->examples[0].command);
}

void cli_command_help(const struct cli_command *c, struct strbuf *to) {
  char buf[80];
  strbuf_addf(to, "Usage: sluice %s%s%s%s\n\n", c->name, *c->operands ? " " : "", c->operands,
              c->noptions ? " [OPTIONS]" : "");
  wrap(to, c->details, 0, 0);
  strbuf_add(to, "\nOptions:\n");
  for (size_t i = 0; i < c->noptions; i++)
    two_columns(to, spelled(&c->options[i], buf, sizeof buf), c->options[i].help);
  two_columns(to, "-h, --help", "Show this help.");
  if (c->nexamples)
    strbuf_add(to, "\nExamples:\n");
  for (size_t i = 0; i < c->nexamples; i++)
    strbuf_addf(to, "  %s\n      %s\n", c->examples[i].command, c->examples[i].what);
}

/* roff: a backslash, and a dot or quote at the start of a line, are its own. */
static void roff(struct strbuf *to, const char *text) {
  bool start = true;
  for (const char *s = text; *s; s++) {
    if (start && (*s == '.' || *s == '\''))
      strbuf_add(to, "\\&");
    if (*s == '\\')
      strbuf_add(to, "\\e");
    else if (*s == '-')
      strbuf_add(to, "\\-");
    else
      strbuf_addc(to, *s);
    start = *s == '\n';
  }
  strbuf_addc(to, '\n');
}

static void man_option(struct strbuf *to, const struct cli_option *o) {
  strbuf_add(to, ".TP\n.B ");
  if (o->letter)
    strbuf_addf(to, "\\-%c\\fR, \\fB", o->letter);
  struct strbuf name = {0};
  roff(&name, o->name);
  name.s[--name.n] = '\0';
  strbuf_addf(to, "\\-\\-%s", name.s);
  if (o->arg)
    strbuf_addf(to, "\\fR \\fI%s", o->arg);
  strbuf_add(to, "\\fR\n");
  roff(to, o->help);
  strbuf_free(&name);
}

void cli_manpage(struct strbuf *to) {
  strbuf_add(to, ".TH SLUICE 1 \"\" \"Sluice " SLUICE_VERSION "\"\n.SH NAME\n"
                 "sluice \\- simulate the memory hierarchy of a GPU\n.SH SYNOPSIS\n.B sluice\n"
                 ".I COMMAND\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n");
  roff(to, cli_summary);
  strbuf_add(to, ".SH COMMANDS\n");
  for (size_t i = 0; cli_commands[i]; i++) {
    const struct cli_command *c = cli_commands[i];
    if (c->hidden)
      continue;
    strbuf_addf(to, ".SS \"sluice %s %s\"\n", c->name, c->operands);
    roff(to, c->details);
    for (size_t k = 0; k < c->noptions; k++)
      man_option(to, &c->options[k]);
    if (c->nexamples)
      strbuf_add(to, ".PP\nExamples:\n");
    for (size_t k = 0; k < c->nexamples; k++) {
      strbuf_add(to, ".PP\n.RS\n.B ");
      roff(to, c->examples[k].command);
      strbuf_add(to, ".br\n");
      roff(to, c->examples[k].what);
      strbuf_add(to, ".RE\n");
    }
  }
  strbuf_add(to, ".SH \"EXIT STATUS\"\n"
                 ".TP\n0\nsuccess\n"
                 ".TP\n1\na file could not be written, memory ran out, or a comparison failed\n"
                 ".TP\n2\na mistake in the command line, configuration, PTX or launch file\n"
                 ".TP\n3\nthe simulated program did something illegal\n"
                 ".TP\n4\nthe simulated program makes no progress\n"
                 ".TP\n130, 143\ninterrupted or terminated\n");
}
