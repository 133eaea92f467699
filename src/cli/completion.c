/* Completion scripts for bash and zsh. */
#include "cli/cli.h"
#include "dram/device.h"
#include "tables.h"
#include "tech/tech.h"
#include "workload/workload.h"
#include <string.h>

static void words(struct strbuf *to, const char *const *list) {
  for (size_t i = 0; list && list[i]; i++)
    strbuf_addf(to, "%s%s", i ? " " : "", list[i]);
}

/* Names that are known only when the program runs: techniques, parameters, workloads, devices. */
static void names_of_option(struct strbuf *to, const struct cli_option *o) {
  size_t from = to->n;
  if (strcmp(o->name, "with") == 0)
    for (size_t i = 0; i < tech_count(); i++)
      strbuf_addf(to, "%s%s", to->n > from ? " " : "", tech_at(i)->name);
  if (strcmp(o->name, "device") == 0) {
    const char *const *names;
    for (size_t i = 0, n = dram_presets(&names); i < n; i++)
      strbuf_addf(to, "%s%s", to->n > from ? " " : "", names[i]);
  }
  if (strcmp(o->name, "set") == 0) {
    struct conf *c = tables_conf();
    struct strbuf all = {0};
    conf_list(c, &all);
    for (const char *at = strbuf_str(&all); *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n'))
      if (*at != ' ' && *at != '\n')
        strbuf_addf(to, "%s%.*s=", to->n > from ? " " : "", (int)strcspn(at, " \n"), at);
    strbuf_free(&all);
    conf_free(c);
  }
}

/* Does the first operand name a workload, or a file? */
static bool takes_workload(const struct cli_command *c) {
  return strncmp(c->operands, "NAME|FILE.yaml", 14) == 0 && !c->words;
}

static void workload_words(struct strbuf *to) {
  for (size_t i = 0; i < workload_count; i++)
    strbuf_addf(to, "%s%s", i ? " " : "", workload_names[i]);
}

static void bash_command(struct strbuf *to, const struct cli_command *c) {
  strbuf_addf(to, "    %s)\n      case $prev in\n", c->name);
  for (size_t i = 0; i < c->noptions; i++) {
    const struct cli_option *o = &c->options[i];
    if (!o->arg)
      continue;
    strbuf_addf(to, "        --%s", o->name);
    if (o->letter)
      strbuf_addf(to, "|-%c", o->letter);
    strbuf_add(to, o->file ? ") COMPREPLY=($(compgen -f -W \"" : ") COMPREPLY=($(compgen -W \"");
    words(to, o->values);
    names_of_option(to, o);
    strbuf_add(to, "\" -- \"$cur\")); return ;;\n");
  }
  strbuf_add(to, "      esac\n      if [[ $cur == -* ]]; then\n        COMPREPLY=($(compgen -W \"--help");
  for (size_t i = 0; i < c->noptions; i++)
    strbuf_addf(to, " --%s", c->options[i].name);
  strbuf_add(to, "\" -- \"$cur\"))\n");
  if (*c->operands) {
    strbuf_add(to, "      else\n");
    if (c->words) {
      strbuf_add(to, "        COMPREPLY=($(compgen -W \"");
      words(to, c->words);
      strbuf_add(to, "\" -- \"$cur\"))\n");
    } else {
      strbuf_add(to, "        COMPREPLY=($(compgen -f -W \"");
      if (takes_workload(c))
        workload_words(to);
      strbuf_add(to, "\" -- \"$cur\"))\n");
    }
  }
  strbuf_add(to, "      fi ;;\n");
}

void cli_completion_bash(struct strbuf *to) {
  strbuf_add(to, "# bash completion for sluice\n_sluice() {\n"
                 "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                 "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W \"--help --version");
  for (size_t i = 0; cli_commands[i]; i++)
    if (!cli_commands[i]->hidden)
      strbuf_addf(to, " %s", cli_commands[i]->name);
  strbuf_add(to, "\" -- \"$cur\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; cli_commands[i]; i++)
    if (!cli_commands[i]->hidden)
      bash_command(to, cli_commands[i]);
  strbuf_add(to, "  esac\n}\ncomplete -o filenames -F _sluice sluice\n");
}

/* Text inside '...[...]' of _arguments: quotes, brackets and colons would end it. */
static void zsh_text(struct strbuf *to, const char *s) {
  for (; *s; s++) {
    if (*s == '\'')
      strbuf_add(to, "'\\''");
    else if (*s == '[' || *s == ']' || *s == ':' || *s == '\\')
      strbuf_addf(to, "\\%c", *s);
    else
      strbuf_addc(to, *s);
  }
}

static void zsh_option(struct strbuf *to, const struct cli_option *o) {
  strbuf_addf(to, "        '%s--%s%s[", o->repeats ? "*" : "", o->name, o->arg ? "=" : "");
  zsh_text(to, o->help);
  strbuf_addc(to, ']');
  if (o->arg) {
    strbuf_addc(to, ':');
    zsh_text(to, o->arg);
    strbuf_addc(to, ':');
    struct strbuf names = {0};
    words(&names, o->values);
    names_of_option(&names, o);
    if (names.n)
      strbuf_addf(to, "(%s)", names.s);
    else if (o->file)
      strbuf_add(to, "_files");
    strbuf_free(&names);
  }
  strbuf_add(to, "' \\\n");
}

void cli_completion_zsh(struct strbuf *to) {
  strbuf_add(to, "#compdef sluice\n_sluice() {\n  local -a commands\n  commands=(\n");
  for (size_t i = 0; cli_commands[i]; i++) {
    if (cli_commands[i]->hidden)
      continue;
    strbuf_addf(to, "    '%s:", cli_commands[i]->name);
    zsh_text(to, cli_commands[i]->summary);
    strbuf_add(to, "'\n");
  }
  strbuf_add(to, "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
                 "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n");
  for (size_t i = 0; cli_commands[i]; i++) {
    const struct cli_command *c = cli_commands[i];
    if (c->hidden)
      continue;
    strbuf_addf(to, "    %s)\n      _arguments \\\n", c->name);
    for (size_t k = 0; k < c->noptions; k++)
      zsh_option(to, &c->options[k]);
    strbuf_add(to, "        '--help[Show help.]' \\\n");
    if (!*c->operands) {
      strbuf_add(to, "        ;;\n");
    } else if (c->words) {
      strbuf_add(to, "        '1:what:(");
      words(to, c->words);
      strbuf_add(to, ")' '*:file:_files' ;;\n");
    } else if (takes_workload(c)) {
      strbuf_add(to, "        '1:workload or file:{_alternative \"workloads:workload:(");
      workload_words(to);
      strbuf_add(to, ")\" \"files:file:_files\"}' '*:file:_files' ;;\n");
    } else {
      strbuf_add(to, "        '*:file:_files' ;;\n");
    }
  }
  strbuf_add(to, "  esac\n}\n_sluice \"$@\"\n");
}
