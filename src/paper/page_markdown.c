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

static const char *verdict_text(const struct paper_verdict *v) {
  if (isnan(v->ours))
    return "not in these results";
  if (v->bounded)
    return v->within ? "within" : "outside";
  return paper_direction_text(v->direction);
}

static void cell(struct strbuf *to, double v) {
  page_number(to, v);
  strbuf_add(to, " | ");
}

static void bounds(struct strbuf *to, const struct paper_number *n) {
  page_bounds(to, n);
  strbuf_add(to, " | ");
}

static void numbers(const struct paper_table *t, struct strbuf *to) {
  const struct paper_figure *f = t->figure;
  if (f->nnumbers)
    strbuf_add(to,
               "\n| series | at | paper | here | difference | |\n| --- | --- | --: | --: | --: | --- |\n");
  for (size_t i = 0; i < f->nnumbers; i++) {
    const struct paper_number *n = &f->numbers[i];
    struct paper_verdict v = paper_verdict(t, n);
    strbuf_add(to, "| ");
    cell_text(to, f->series[n->series].name);
    cell_text(to, n->at);
    if (isnan(n->value))
      bounds(to, n);
    else
      cell(to, n->value);
    cell(to, v.ours);
    cell(to, v.ours - n->value);
    strbuf_addf(to, "%s |\n", verdict_text(&v));
  }
  struct paper_ranking r = paper_ranking(t);
  if (r.pairs)
    strbuf_addf(to, "\nRanking: %zu of %zu pairs are in the paper's order.\n", r.same, r.pairs);
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
    averages(t, to);
    numbers(t, to);
  }
  if (p->nabsent)
    strbuf_add(to, "\n## Not reproduced here\n\n| | what | why |\n| --- | --- | --- |\n");
  for (size_t i = 0; i < p->nabsent; i++)
    strbuf_addf(to, "| %s | %s | %s |\n", p->absent[i].id, p->absent[i].what, p->absent[i].why);
}
