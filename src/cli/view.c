/* sluice view: a run, or two, as a page to look at. */
#include "cli/cli.h"
#include "base/mem.h"
#include "view/view.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    {"output", 'o', "FILE",
     "Write the page here (default: the first file's name with .html in place of its ending).", NULL, true,
     false},
    {"quiet", 'q', NULL, "Do not say where the page is.", NULL, false, false},
};

/* "runs/bfs.tl" becomes "runs/bfs.html", "sweep.db#3f2a" "sweep.db-3f2a.html". */
static char *page_name(const char *source) {
  struct strbuf name = {0};
  const char *dot = strrchr(source, '.'), *slash = strrchr(source, '/'), *hash = strrchr(source, '#');
  size_t n = dot && (!slash || dot > slash) && !hash ? (size_t)(dot - source) : strlen(source);
  strbuf_addn(&name, source, n);
  strbuf_add(&name, ".html");
  for (size_t i = 0; i < name.n; i++)
    if (name.s[i] == '#')
      name.s[i] = '-';
  return strbuf_take(&name);
}

static int run_view(const struct cli_args *a, struct error *err) {
  if (a->noperands < 1 || a->noperands > VIEW_MOST_RUNS) {
    error_add(
        err, EXIT_USAGE,
        "sluice view: name one timeline or result, or two to compare (%zu given); see `sluice view --help`",
        a->noperands);
    return EXIT_USAGE;
  }
  char *path = cli_value(a, "output") ? xstrdup(cli_value(a, "output")) : page_name(a->operands[0]);
  if (view_write(a->operands, a->noperands, path, err) && !cli_flag(a, "quiet") && strcmp(path, "-") != 0)
    printf("%s: open it in a browser\n", path);
  free(path);
  return err->code;
}

static const struct cli_example examples[] = {
    {"sluice run bfs --gpu cart28 --timeline bfs.tl && sluice view bfs.tl",
     "record a run and look at it: bfs.html"},
    {"sluice view base.tl cart.tl -o both.html",
     "a baseline and a technique, side by side and as a difference"},
    {"sluice view out.json", "what the JSON of a run has: launches as wholes"},
    {"sluice view sweep.db#3f2a", "the point of a sweep whose id begins so"},
};

const struct cli_command cli_view = {
    .name = "view",
    .summary = "Make a page that shows a run over time, or two runs beside each other.",
    .operands = "FILE...",
    .details =
        "Writes one HTML file that needs no network: kernels and CTAs on SMs, IPC and stall causes, the "
        "latency of loads "
        "by stage, heat maps of SMs, L2 slices, channels and banks, DRAM commands, a roofline, histograms. "
        "Drag over a chart to "
        "zoom: all panels follow. With two files the page shows both, or their difference. A file is a "
        "timeline (`sluice run … --timeline FILE`), or else the JSON of a run or a point of a database "
        "(FILE.db#ID), of which "
        "the page shows what there is and says what would record the rest. docs/seeing.md tells how to read "
        "it.\n\n"
        "Exit codes: 0 success; 1 the page cannot be written, or the chart library is not installed; 2 a "
        "mistake in the "
        "command line, or a file that is none of these.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_view,
};
