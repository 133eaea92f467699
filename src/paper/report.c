#include "paper/page.h"
#include <stdlib.h>

void paper_report_make(struct paper_report *r, const struct paper_plan *plan,
                       const struct paper_results *results) {
  const char *command = r->command;
  *r = (struct paper_report){.plan = plan, .results = results, .command = command};
  r->tables = xcalloc(plan->nfigures + 1, sizeof *r->tables);
  r->figures = xcalloc(plan->nfigures + 1, sizeof *r->figures);
  r->svg = xcalloc(plan->nfigures + 1, sizeof *r->svg);
  for (size_t i = 0; i < plan->nfigures; i++) {
    if (!paper_plan_shows(plan, &plan->figures[i]))
      continue;
    paper_table_make(&r->tables[r->n], plan, &plan->figures[i], results);
    r->figures[r->n] = paper_table_draw(&r->tables[r->n], plan);
    r->n++;
  }
}

bool paper_report_draw(struct paper_report *r, const char *dir, struct error *err) {
  for (size_t i = 0; i < r->n; i++)
    if (!figure_write(r->figures[i], dir, &r->svg[i], err))
      return false;
  return true;
}

void paper_report_free(struct paper_report *r) {
  for (size_t i = 0; i < r->n; i++) {
    paper_table_free(&r->tables[i]);
    figure_free(r->figures[i]);
    strbuf_free(&r->svg[i]);
  }
  free(r->tables);
  free(r->figures);
  free(r->svg);
  *r = (struct paper_report){0};
}
