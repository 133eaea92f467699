/* The same as Markdown, beside the files of its figures. */
#include "paper/page.h"
#include "paper/verdict.h"
#include <math.h>

/* A vertical bar would end the cell. */
static void cell_text(struct strbuf *to, const char *s) {
  for (; *s; s++) {
    if (*s == '|')
      strbuf_addc(to, '\\');
    strbuf_addc(to, *s == '\n' ? ' ' : *s);
  }
  strbuf_add(to, " | ");
}

static void cell(struct strbuf *to, double v) {
  page_number(to, v);
  strbuf_add(to, " | ");
}

static void bounds(struct strbuf *to, const struct paper_number *n) {
  page_bounds(to, n);
  strbuf_add(to, " | ");
}

/* Paper | readings side by side. */
static void numbers(const struct paper_report *r, const struct paper_table *t, struct strbuf *to) {
  const struct paper_figure *f = t->figure;
  size_t readings = f->nreadings;
  if (!f->nnumbers)
    return;
  strbuf_add(to, "\n| series | at | paper |");
  for (size_t i = 0; i < readings; i++)
    strbuf_addf(to, " %s | |", page_reading(r, readings == r->plan->nreadings ? i : 0));
  strbuf_add(to, "\n| --- | --- | --: |");
  for (size_t i = 0; i < readings; i++)
    strbuf_add(to, " --: | --- |");
  strbuf_addc(to, '\n');
  for (size_t i = 0; i < f->nnumbers; i++) {
    const struct paper_number *n = &f->numbers[i];
    struct paper_verdict v = paper_verdict(t, n);
    if (i % readings == 0) {
      strbuf_add(to, "| ");
      cell_text(to, r->plan->paper->figures[f - r->plan->figures].series[n->series / readings].name);
      cell_text(to, n->at);
      if (isnan(n->value))
        bounds(to, n);
      else
        cell(to, n->value);
    }
    cell(to, v.ours);
    paper_verdict_text(&v, to);
    strbuf_add(to, i % readings == readings - 1 ? " |\n" : " | ");
  }
  for (size_t i = 0; i < readings; i++) {
    struct paper_ranking k = paper_ranking(t, i);
    if (k.pairs)
      strbuf_addf(to, "\nRanking%s%s: %zu of %zu pairs are in the paper's order.\n", readings > 1 ? ", " : "",
                  readings > 1 ? page_reading(r, i) : "", k.same, k.pairs);
  }
}

/* What each assumption changes, in the order of the file. */
static void changes(const struct paper_table *t, struct strbuf *to) {
  const struct paper_figure *f = t->figure;
  size_t row = page_changes_row(t);
  strbuf_addf(to, "\n| changed alone | %s | against the reading |\n| --- | --: | --: |\n", f->ylabel);
  for (size_t s = 0; s < f->nseries && t->nrows; s++) {
    double v = t->value[row * f->nseries + s];
    strbuf_add(to, "| ");
    cell_text(to, f->series[s].name);
    cell(to, v);
    if (s)
      cell(to, v - t->value[row * f->nseries]);
    else
      strbuf_add(to, "| ");
    strbuf_addc(to, '\n');
  }
}

static void settings(const struct paper_reading *r, const struct paper *p, struct strbuf *to) {
  const char *between = "";
  if (r->is.gpu)
    strbuf_addf(to, "`--gpu %s`", r->is.gpu);
  between = r->is.gpu ? ", " : "";
  for (size_t i = 0; i < r->is.nset; i++, between = ", ")
    strbuf_addf(to, "%s`%s=%s`", between, r->is.set[i].name, r->is.set[i].value);
  for (size_t i = 0; i < r->is.nparams; i++, between = ", ")
    strbuf_addf(to, "%s%s `%s=%s`", between, p->workloads[r->is.params[i].workload].label,
                r->is.params[i].setting.name, r->is.params[i].setting.value);
  strbuf_add(to, *between ? "" : "none beyond the file's");
}

static void readings(const struct paper *p, struct strbuf *to) {
  if (!*p->readings[0].is.name)
    return;
  strbuf_add(to,
             "\n## Readings\n\n| | from | reason | support | settings |\n| --- | --- | --- | --- | --- |\n");
  for (size_t i = 0; i < p->nreadings; i++) {
    const struct paper_reading *k = &p->readings[i];
    strbuf_addf(to, "| %s%s | %s | ", k->is.name, i == p->chosen ? " (chosen)" : "",
                paper_basis_names[k->basis]);
    cell_text(to, k->reason);
    cell_text(to, k->support);
    settings(k, p, to);
    strbuf_add(to, " |\n");
  }
}

static void averages(const struct paper_table *t, struct strbuf *to) {
  const struct paper_figure *f = t->figure;
  for (size_t row = 0; row < t->nrows; row++) {
    if (t->rows[row].workload != SIZE_MAX)
      continue;
    strbuf_addf(to, "\n%s (%s): ", t->rows[row].label, f->ylabel);
    for (size_t s = 0; s < f->nseries; s++) {
      strbuf_addf(to, "%s%s **", s ? ", " : "", f->series[s].name);
      page_number(to, t->value[row * f->nseries + s]);
      strbuf_add(to, "**");
    }
    strbuf_addc(to, '\n');
  }
}

void page_markdown(const struct paper_report *r, struct strbuf *to) {
  const struct paper *p = r->plan->paper;
  strbuf_addf(to, "# %s\n\n<!-- made by `%s` with Sluice %s -->\n\n%s\n\n```\n%s\n```\n", p->title,
              r->command, lab_model(), p->about, r->command);
  for (size_t i = 0; i < r->n; i++) {
    const struct paper_table *t = &r->tables[i];
    strbuf_addf(to, "\n## %s\n\n%s\n\n![%s](%s.svg)\n\n[CSV](%s.csv); %zu runs.%s%s\n", t->figure->title,
                t->figure->about, t->figure->title, t->figure->id, t->figure->id, t->runs,
                t->note.n ? " " : "", strbuf_str(&t->note));
    strbuf_addf(to, "\n`%s --figure %s`\n", r->command, t->figure->id);
    if (t->figure->shape == SHAPE_CHANGES)
      changes(t, to);
    else
      averages(t, to);
    numbers(r, t, to);
  }
  readings(p, to);
  if (p->nabsent)
    strbuf_add(to, "\n## Not reproduced here\n\n| | what | why |\n| --- | --- | --- |\n");
  for (size_t i = 0; i < p->nabsent; i++)
    strbuf_addf(to, "| %s | %s | %s |\n", p->absent[i].id, p->absent[i].what, p->absent[i].why);
}
