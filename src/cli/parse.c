#include "base/mem.h"
#include "cli/cli.h"
#include "base/num.h"
#include <stdlib.h>
#include <string.h>

static const struct cli_option help_option = {"help", 'h', NULL, "Show this help.", NULL, false, false};

static const struct cli_option *by_name(const struct cli_command *c, const char *s, size_t n) {
  for (size_t i = 0; i < c->noptions; i++)
    if (strlen(c->options[i].name) == n && strncmp(c->options[i].name, s, n) == 0)
      return &c->options[i];
  return n == 4 && strncmp(s, "help", 4) == 0 ? &help_option : NULL;
}

static const struct cli_option *by_letter(const struct cli_command *c, char letter) {
  for (size_t i = 0; i < c->noptions; i++)
    if (c->options[i].letter == letter)
      return &c->options[i];
  return letter == 'h' ? &help_option : NULL;
}

static void unknown_option(const struct cli_command *c, const char *word, size_t n, struct error *err) {
  const char **names = xcalloc(c->noptions + 1, sizeof *names);
  for (size_t i = 0; i < c->noptions; i++)
    names[i] = c->options[i].name;
  names[c->noptions] = "help";
  char *name = xstrndup(word, n);
  const char *near = nearest_match(name, names, (int)c->noptions + 1);
  error_add(err, EXIT_USAGE, "sluice %s: unknown option '--%s'%s%s%s", c->name, name,
            near ? "; did you mean '--" : "; see `sluice ", near ? near : c->name, near ? "'?" : " --help`");
  free(name);
  free(names);
}

struct cursor {
  int argc, at;
  char **argv;
};

static void accept(struct cli_args *out, const struct cli_option *o, const char *value, struct error *err) {
  if (o == &help_option) {
    out->help = true;
    return;
  }
  for (size_t i = 0; !o->repeats && i < out->ngiven; i++)
    if (out->given[i].option == o) {
      error_add(err, EXIT_USAGE, "sluice %s: option --%s is given twice", out->command->name, o->name);
      return;
    }
  VEC_PUSH(out->given, out->ngiven, out->cap_given) = (struct cli_given){o, value};
}

/* The option's argument: attached (`=value`, `-j4`), or the next word. */
static void take(struct cli_args *out, struct cursor *c, const struct cli_option *o, const char *attached,
                 struct error *err) {
  if (!o->arg) {
    if (attached)
      error_add(err, EXIT_USAGE, "sluice %s: option --%s takes no value ('%.60s' given)", out->command->name,
                o->name, attached);
    else
      accept(out, o, NULL, err);
  } else if (attached) {
    accept(out, o, attached, err);
  } else if (c->at + 1 < c->argc) {
    accept(out, o, c->argv[++c->at], err);
  } else {
    error_add(err, EXIT_USAGE, "sluice %s: option --%s needs a value: --%s %s", out->command->name, o->name,
              o->name, o->arg);
  }
}

static void parse_long(struct cli_args *out, struct cursor *c, const char *word, struct error *err) {
  const char *eq = strchr(word, '=');
  size_t n = eq ? (size_t)(eq - word) : strlen(word);
  const struct cli_option *o = by_name(out->command, word, n);
  if (o)
    take(out, c, o, eq ? eq + 1 : NULL, err);
  else
    unknown_option(out->command, word, n, err);
}

static void parse_letters(struct cli_args *out, struct cursor *c, const char *word, struct error *err) {
  for (const char *s = word; *s; s++) {
    const struct cli_option *o = by_letter(out->command, *s);
    if (!o) {
      error_add(err, EXIT_USAGE, "sluice %s: unknown option '-%c'; see `sluice %s --help`",
                out->command->name, *s, out->command->name);
      return;
    }
    if (o->arg) {
      take(out, c, o, s[1] ? s + 1 : NULL, err);
      return;
    }
    accept(out, o, NULL, err);
  }
}

bool cli_parse(const struct cli_command *cmd, int argc, char **argv, struct cli_args *out,
               struct error *err) {
  *out = (struct cli_args){.command = cmd};
  struct cursor c = {.argc = argc, .argv = argv};
  bool only_operands = false;
  for (; c.at < argc; c.at++) {
    const char *word = argv[c.at];
    only_operands = only_operands || (cmd->program && out->noperands);
    if (only_operands || word[0] != '-' || !word[1])
      VEC_PUSH(out->operands, out->noperands, out->cap_operands) = word;
    else if (strcmp(word, "--") == 0)
      only_operands = true;
    else if (word[1] == '-')
      parse_long(out, &c, word + 2, err);
    else
      parse_letters(out, &c, word + 1, err);
  }
  return out->help || !err->code;
}

void cli_args_free(struct cli_args *a) {
  free(a->given);
  free(a->operands);
  *a = (struct cli_args){0};
}

const char *cli_value(const struct cli_args *a, const char *option) {
  for (size_t i = a->ngiven; i-- > 0;)
    if (strcmp(a->given[i].option->name, option) == 0)
      return a->given[i].value ? a->given[i].value : "";
  return NULL;
}

bool cli_flag(const struct cli_args *a, const char *option) {
  return cli_value(a, option) != NULL;
}

const char *const cli_progress_names[] = {"auto", "plain", "none", NULL}; /* order of enum progress_mode */

enum progress_mode cli_progress(const struct cli_args *a, struct error *err) {
  const char *mode = cli_value(a, "progress");
  if (cli_flag(a, "quiet"))
    return PROGRESS_NONE;
  for (int i = 0; mode && cli_progress_names[i]; i++)
    if (strcmp(mode, cli_progress_names[i]) == 0)
      return (enum progress_mode)i;
  if (mode) {
    const char *near = nearest_match(mode, cli_progress_names, 3);
    error_add(err, EXIT_USAGE, "sluice %s: --progress '%.60s' (allowed: auto, plain, none)%s%s%s",
              a->command->name, mode, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  return PROGRESS_AUTO;
}

static void shell_word(struct strbuf *to, const char *word) {
  bool plain =
      *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-=.,:/%@") ==
                   strlen(word);
  strbuf_add(to, plain ? " " : " '");
  for (; *word; word++)
    if (*word == '\'')
      strbuf_add(to, "'\\''");
    else
      strbuf_addc(to, *word);
  strbuf_add(to, plain ? "" : "'");
}

char *cli_command_line(const struct cli_args *a) {
  struct strbuf s = {0};
  strbuf_addf(&s, "sluice %s", a->command->name);
  for (size_t i = 0; i < a->noperands; i++)
    shell_word(&s, a->operands[i]);
  for (size_t i = 0; i < a->ngiven; i++) {
    strbuf_addf(&s, " --%s", a->given[i].option->name);
    if (a->given[i].value)
      shell_word(&s, a->given[i].value);
  }
  return strbuf_take(&s);
}

bool cli_whole(const struct cli_args *a, const char *name, uint64_t *out, struct error *err) {
  const char *v = cli_value(a, name);
  enum num_result r = v ? num_u64(v, out) : NUM_OK;
  return r == NUM_OK ||
         error_add(err, EXIT_USAGE, "sluice %s: --%s '%.60s': %s", a->command->name, name, v,
                   r == NUM_RANGE ? "too large (at most 18446744073709551615)" : "a whole number is wanted");
}
