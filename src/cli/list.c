/* sluice list: what there is to choose from, and what the names in the output mean. */
#include "base/json.h"
#include "cli/cli.h"
#include "cli/list_gpus.h"
#include "cli/list_papers.h"
#include "cli/list_protocols.h"
#include "cli/list_ptx.h"
#include "cli/list_techniques.h"
#include "cli/list_workloads.h"
#include "dram/device.h"
#include "dram/profile.h"
#include "tables.h"
#include <stdio.h>
#include <string.h>

static bool list_params(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)err, (void)of;
  struct conf *c = tables_conf();
  struct json j = {0};
  if (form == FORM_JSON) {
    conf_list_json(c, &j);
    *to = j.out;
  } else if (form == FORM_MARKDOWN) {
    conf_list_markdown(c, to);
  } else {
    conf_list(c, to);
  }
  conf_free(c);
  return true;
}

static bool list_stats(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)err, (void)of;
  struct stats *s = tables_stats();
  struct json j = {0};
  if (form == FORM_JSON) {
    stats_list_json(s, &j);
    *to = j.out;
  } else if (form == FORM_MARKDOWN) {
    stats_list_markdown(s, to);
  } else {
    stats_list(s, to);
  }
  stats_free(s);
  return true;
}

static void list_names(const char *const *names, size_t n, enum form form, struct strbuf *to) {
  struct json j = {0};
  if (form == FORM_JSON) {
    json_open(&j, NULL, '[');
    for (size_t i = 0; i < n; i++)
      json_str(&j, NULL, names[i]);
    json_close(&j);
    strbuf_addf(to, "%s\n", strbuf_str(&j.out));
    strbuf_free(&j.out);
    return;
  }
  for (size_t i = 0; i < n; i++)
    strbuf_addf(to, form == FORM_MARKDOWN ? "- `%s`\n" : "%s\n", names[i]);
}

static bool list_devices(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)of, (void)err;
  const char *const *names;
  size_t n = dram_presets(&names);
  list_names(names, n, form, to);
  return true;
}

static bool list_controllers(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)of, (void)err;
  const struct dram_profile *list;
  const char *names[32];
  size_t n = dram_profiles(&list);
  for (size_t i = 0; i < n && i < 32; i++)
    names[i] = list[i].name;
  list_names(names, n < 32 ? n : 32, form, to);
  return true;
}

/* X(word, function, takes a file) */
#define LISTS(X)                                                                                             \
  X("params", list_params, false)                                                                            \
  X("stats", list_stats, false)                                                                              \
  X("devices", list_devices, false)                                                                          \
  X("controllers", list_controllers, false)                                                                  \
  X("gpus", list_gpus, false)                                                                                \
  X("techniques", list_techniques, false)                                                                    \
  X("workloads", list_workloads, false)                                                                      \
  X("papers", list_papers, false)                                                                            \
  X("protocols", list_protocols, false)                                                                      \
  X("ptx", list_ptx, false)                                                                                  \
  X("kernels", list_kernels, true)

static const char *const words[] = {
#define X(word, function, file) word,
    LISTS(X)
#undef X
        NULL};
static bool (*const functions[])(enum form, const char *, struct strbuf *, struct error *) = {
#define X(word, function, file) function,
    LISTS(X)
#undef X
};
static const bool takes_file[] = {
#define X(word, function, file) file,
    LISTS(X)
#undef X
};
enum { NWORDS = sizeof words / sizeof *words - 1 };

static bool wrong_word(const struct cli_args *a, struct error *err) {
  struct strbuf all = {0};
  for (int i = 0; i < NWORDS; i++)
    strbuf_addf(&all, "%s%s", i ? ", " : "", words[i]);
  if (a->noperands < 1) {
    error_set(err, EXIT_USAGE, "sluice list: name one list (allowed: %s)", all.s);
  } else {
    const char *near = nearest_match(a->operands[0], words, NWORDS);
    error_set(err, EXIT_USAGE, "sluice list: no list '%.60s' (allowed: %s)%s%s%s", a->operands[0], all.s,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  strbuf_free(&all);
  return false;
}

static bool read_form(const struct cli_args *a, enum form *form, struct error *err) {
  static const char *const names[] = {[FORM_JSON] = "json", [FORM_MARKDOWN] = "markdown", [FORM_CSV] = "csv"};
  *form = FORM_TABLE;
  for (int i = FORM_JSON; i <= FORM_CSV; i++)
    if (cli_flag(a, names[i])) {
      if (*form)
        return error_set(err, EXIT_USAGE, "sluice list: --%s and --%s exclude each other", names[*form],
                         names[i]);
      *form = (enum form)i;
    }
  if (*form == FORM_CSV && strcmp(a->operands[0], "workloads") != 0)
    return error_set(err, EXIT_USAGE, "sluice list %s: there is no --csv (allowed: --json, --markdown)",
                     a->operands[0]);
  return true;
}

/* Leaves the lines about names that begin so; lines that are set in belong to the name above. */
static bool keep_names(struct strbuf *text, const char *prefix, const char *word, struct error *err) {
  struct strbuf kept = {0};
  bool keep = false;
  for (const char *at = strbuf_str(text); *at;) {
    size_t n = strcspn(at, "\n") + 1;
    if (*at != ' ')
      keep = strncmp(at, prefix, strlen(prefix)) == 0;
    if (keep)
      strbuf_addn(&kept, at, n);
    at += at[n - 1] ? n : n - 1;
  }
  strbuf_free(text);
  *text = kept;
  return kept.n || error_set(err, EXIT_USAGE, "sluice list %s: no name begins with '%.60s'", word, prefix);
}

static int list_run(const struct cli_args *a, struct error *err) {
  int which = 0;
  while (which < NWORDS && !(a->noperands && strcmp(a->operands[0], words[which]) == 0))
    which++;
  if (which == NWORDS)
    return wrong_word(a, err), EXIT_USAGE;
  bool filters = functions[which] == list_params || functions[which] == list_stats;
  const char *prefix = filters && a->noperands == 2 ? a->operands[1] : NULL;
  if (a->noperands != (takes_file[which] || prefix ? 2 : 1)) {
    error_set(err, EXIT_USAGE, "sluice list %s: %s", words[which],
              takes_file[which] ? "name one PTX file"
              : filters         ? "at most one beginning of names may follow, as in `list params l1d`"
                                : "takes nothing more");
    return EXIT_USAGE;
  }
  enum form form;
  if (!read_form(a, &form, err))
    return EXIT_USAGE;
  struct strbuf text = {0};
  if (prefix && form != FORM_TABLE)
    error_set(err, EXIT_USAGE, "sluice list %s %.60s: a beginning of names goes with the table only",
              words[which], prefix);
  else if (functions[which](form, takes_file[which] ? a->operands[1] : NULL, &text, err) &&
           (!prefix || keep_names(&text, prefix, words[which], err)))
    fwrite(strbuf_str(&text), 1, text.n, stdout);
  strbuf_free(&text);
  return err->code;
}

static const struct cli_option options[] = {
    {"json", 0, NULL, "Print JSON instead of a table.", NULL, false, false},
    {"csv", 0, NULL, "Print CSV (workloads only).", NULL, false, false},
    {"markdown", 0, NULL, "Print Markdown: docs/ is made this way.", NULL, false, false},
};
static const struct cli_example examples[] = {
    {"sluice list params", "every parameter with type, default and what is allowed"},
    {"sluice list stats dram.", "those whose names begin so"},
    {"sluice list gpus", "the GPUs that have a name: size, clocks, caches, bandwidth, where they come from"},
    {"sluice list workloads", "the workloads that `sluice run` knows by name, and their sizes"},
    {"sluice list kernels kernels.ptx", "whether a PTX file is accepted, and what is in it"},
    {"sluice list stats --json", "the definition of every number in the output, for a program"},
};
const struct cli_command cli_list = {
    .name = "list",
    .summary = "List parameters, statistics and other things with names.",
    .operands =
        "params [PREFIX]|stats "
        "[PREFIX]|devices|controllers|gpus|techniques|protocols|workloads|papers|ptx|kernels FILE.ptx",
    .details =
        "Documents everything that has a name: params, the parameters that --set and --config take; stats, "
        "the numbers in every output with unit and definition; gpus, the presets that `sluice run --gpu` "
        "takes; workloads, what `sluice run` knows by name, with suite, sizes, instructions and footprint; "
        "papers, what `sluice paper` reproduces; ptx, the opcodes that kernels may use; "
        "kernels, the kernels of a PTX file with their parameters, registers and memory.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .words = words,
    .run = list_run,
};
