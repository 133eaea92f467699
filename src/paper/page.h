/* Results as pages: one HTML file that needs no other, and Markdown beside its figures. */
#ifndef SLUICE_PAPER_PAGE_H
#define SLUICE_PAPER_PAGE_H

#include "paper/table.h"

/* A paper's results in one form. */
struct paper_report {
  const struct paper_plan *plan;
  const struct paper_results *results;
  struct paper_table *tables; /* of the figures the form has */
  struct figure **figures;
  struct strbuf *svg;
  size_t n;
  const char *command; /* what makes it again */
};

void paper_report_make(struct paper_report *r, const struct paper_plan *plan,
                       const struct paper_results *results);
/* Writes each figure's CSV, SVG and PDF to `dir` and keeps the SVG for the pages. */
bool paper_report_draw(struct paper_report *r, const char *dir, struct error *err);
void paper_report_free(struct paper_report *r);

void page_html(const struct paper_report *reports, size_t n, struct strbuf *to);
void page_markdown(const struct paper_report *r, struct strbuf *to);
/* For a terminal: the paper's numbers beside ours. */
void page_text(const struct paper_report *r, struct strbuf *to);

extern const char page_style[];                        /* CSS */
void page_escape(struct strbuf *to, const char *text); /* for HTML */
/* "34.2", "0.25", "19236"; "–" for NaN. */
void page_number(struct strbuf *to, double v);
/* "≤ 10", "≥ 10", "-1 … 1" */
void page_bounds(struct strbuf *to, const struct paper_number *n);
/* The name of a reading that a table shows; "here" where the file names none. */
const char *page_reading(const struct paper_report *r, size_t reading);
/* Row that a figure of changes is about. */
size_t page_changes_row(const struct paper_table *t);
/* `sluice run ...`: one of its runs alone. */
void page_run_command(const struct lab_point *p, struct strbuf *to);

#endif
