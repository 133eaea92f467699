/* Completion scripts for bash and zsh. */
#include "cli/cli.h"

static void words(struct strbuf *to, const char *const *list) {
  for (size_t i = 0; list && list[i]; i++)
    strbuf_addf(to, "%s%s", i ? " " : "", list[i]);
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
    if (o->file) {
      strbuf_add(to, ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
    } else {
      strbuf_add(to, ") COMPREPLY=($(compgen -W \"");
      words(to, o->values);
      strbuf_add(to, "\" -- \"$cur\")); return ;;\n");
    }
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
      strbuf_add(to, "        COMPREPLY=($(compgen -f -- \"$cur\"))\n");
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
    if (o->file)
      strbuf_add(to, "_files");
    else if (o->values) {
      strbuf_addc(to, '(');
      words(to, o->values);
      strbuf_addc(to, ')');
    }
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
    } else {
      strbuf_add(to, "        '*:file:_files' ;;\n");
    }
  }
  strbuf_add(to, "  esac\n}\n_sluice \"$@\"\n");
}
