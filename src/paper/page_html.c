/* One HTML page that needs no other file, reads on a telephone and prints. */
#include "lab/point.h"
#include "paper/page.h"
#include "paper/verdict.h"
#include <math.h>
#include <string.h>

static void element(struct strbuf *to, const char *open, const char *text, const char *close) {
  strbuf_add(to, open);
  page_escape(to, text);
  strbuf_add(to, close);
}

static void cell(struct strbuf *to, double v) {
  strbuf_add(to, "<td class=n>");
  page_number(to, v);
  strbuf_add(to, "</td>");
}

static void bounds(struct strbuf *to, const struct paper_number *n) {
  strbuf_add(to, "<td class=n>");
  page_bounds(to, n);
  strbuf_add(to, "</td>");
}

static void verdict_cell(struct strbuf *to, const struct paper_verdict *v) {
  struct strbuf text = {0};
  paper_verdict_text(v, &text);
  strbuf_addf(to, "<td class=%s>", paper_verdict_class(v));
  page_escape(to, strbuf_str(&text));
  strbuf_add(to, "</td>");
  strbuf_free(&text);
}

static void summary_of(const struct paper_report *r, const struct paper_table *t, struct strbuf *to) {
  const struct paper_figure *f = t->figure;
  strbuf_addf(to, "<tr class=head><th colspan=6><a href=\"#%s-%s\">", r->plan->paper->name, f->id);
  element(to, "", f->title, "</a>");
  for (size_t i = 0; i < f->nreadings; i++) {
    struct paper_ranking ranking = paper_ranking(t, i);
    if (ranking.pairs)
      strbuf_addf(to, "<br><span class=none>%s%s%zu of %zu pairs in the paper's order</span>",
                  f->nreadings > 1 ? page_reading(r, i) : "", f->nreadings > 1 ? ": " : "", ranking.same,
                  ranking.pairs);
  }
  strbuf_add(to, "</th></tr>\n");
  for (size_t k = 0; k < f->nnumbers; k++) {
    const struct paper_number *n = &f->numbers[k];
    struct paper_verdict v = paper_verdict(t, n);
    element(to, "<tr><td>", f->series[n->series].name, "</td><td>");
    element(to, "", n->at, "</td>");
    if (isnan(n->value))
      bounds(to, n);
    else
      cell(to, n->value);
    cell(to, v.ours);
    cell(to, v.ours - n->value);
    verdict_cell(to, &v);
    strbuf_add(to, "</tr>\n");
  }
}

static void summary(const struct paper_report *r, struct strbuf *to) {
  strbuf_add(to, "<div class=wide><table><thead><tr><th>what</th><th>where</th><th class=n>paper</th>"
                 "<th class=n>here</th><th class=n>difference</th><th>verdict</th></tr></thead><tbody>");
  for (size_t i = 0; i < r->n; i++)
    if (r->tables[i].figure->nnumbers)
      summary_of(r, &r->tables[i], to);
  strbuf_add(to, "</tbody></table></div>\n");
}

static void table(const struct paper_table *t, struct strbuf *to) {
  const struct paper_figure *f = t->figure;
  strbuf_add(to, "<details><summary>the numbers</summary><div class=wide><table><thead><tr><th></th>");
  for (size_t s = 0; s < f->nseries; s++)
    element(to, "<th class=n>", f->series[s].name, "</th>");
  strbuf_add(to, "</tr></thead><tbody>");
  for (size_t i = 0; i < t->nrows; i++) {
    element(to, t->rows[i].workload == SIZE_MAX ? "<tr><th>" : "<tr><td>", t->rows[i].label, "</td>");
    for (size_t s = 0; s < f->nseries; s++)
      cell(to, t->value[i * f->nseries + s]);
    strbuf_add(to, "</tr>\n");
  }
  strbuf_add(to, "</tbody></table></div></details>\n");
}

/* gnuplot's file begins with a declaration that has no place inside HTML. */
static void svg(const struct strbuf *file, struct strbuf *to) {
  const char *start = file->n ? strstr(file->s, "<svg") : NULL;
  if (start)
    strbuf_add(to, start);
}

static void figure(const struct paper_report *r, size_t i, struct strbuf *to) {
  const struct paper_table *t = &r->tables[i];
  const struct paper_figure *f = t->figure;
  strbuf_addf(to, "<section id=\"%s-%s\"><h3>", r->plan->paper->name, f->id);
  element(to, "", f->title, "</h3>");
  element(to, "<p>", f->about, "</p><figure><div class=wide>");
  svg(&r->svg[i], to);
  strbuf_add(to, "</div><figcaption>");
  if (t->note.n)
    element(to, "<span class=note>", t->note.s, "</span> ");
  strbuf_addf(to, "%zu runs. Again: <code>", t->runs);
  page_escape(to, r->command);
  strbuf_addf(to, " --figure %s</code></figcaption></figure>\n", f->id);
  table(t, to);
  strbuf_add(to, "</section>\n");
}

static void failures(const struct paper_report *r, struct strbuf *to) {
  size_t n = 0;
  const char *why;
  for (size_t i = 0; i < r->plan->points.n; i++) {
    const struct lab_point *p = &r->plan->points.at[i];
    if (r->results->done(r->results->self, p, &why))
      continue;
    strbuf_add(to, n++ ? "" : "<h3>Runs without result</h3><div class=wide><table><tbody>");
    element(to, "<tr><td>", why, "</td><td><code>");
    struct strbuf command = {0};
    page_run_command(p, &command);
    element(to, "", command.s, "</code></td></tr>\n");
    strbuf_free(&command);
  }
  strbuf_add(to, n ? "</tbody></table></div>\n" : "<p>Every run has a result.</p>\n");
}

static void configuration(const struct paper_report *r, struct strbuf *to) {
  const struct paper *p = r->plan->paper;
  strbuf_add(to, "<details open><summary>Configurations and workloads</summary><div "
                 "class=wide><table><thead><tr><th>name</th>"
                 "<th>GPU</th><th>--with</th><th>--set</th></tr></thead><tbody>");
  for (size_t i = 0; i < p->nconfigs; i++) {
    const struct paper_config *c = &p->configs[i];
    element(to, "<tr><td>", c->name, "</td><td>");
    element(to, "", c->gpu, "</td><td>");
    element(to, "", c->with, "</td><td>");
    for (size_t k = 0; k < c->nset; k++) {
      strbuf_add(to, k ? "<br>" : "");
      element(to, "", c->set[k].name, "=");
      page_escape(to, c->set[k].value);
    }
    if (c->best) {
      const char *const *values;
      size_t n = paper_plan_values(r->plan, c, &values);
      element(to, "best of ", c->best, " =");
      for (size_t k = 0; k < n; k++)
        element(to, k ? ", " : " ", values[k], "");
    }
    strbuf_add(to, "</td></tr>\n");
  }
  strbuf_add(to, "</tbody></table></div><p>");
  for (size_t i = 0, shown = 0; i < p->nworkloads; i++) {
    const struct paper_workload *w = &p->workloads[i];
    if (r->plan->quick && !p->quick[i])
      continue;
    strbuf_add(to, shown++ ? ", " : "");
    page_escape(to, w->label);
    strbuf_addf(to, " = <code>%s</code> %s", w->name, r->plan->quick ? w->quick_size : w->size);
  }
  strbuf_add(to, "</p></details>\n");
}

static void setting(struct strbuf *to, const char *of, const struct paper_setting *s) {
  element(to, "", of, *of ? " " : "");
  element(to, "", s->name, "=");
  element(to, "", s->value, "<br>");
}

static void readings(const struct paper *p, struct strbuf *to) {
  if (!*p->readings[0].is.name)
    return;
  strbuf_add(to, "<h3>Readings</h3><div class=wide><table><thead><tr><th></th><th>from</th><th>reason</th>"
                 "<th>support</th><th>settings</th></tr></thead><tbody>");
  for (size_t i = 0; i < p->nreadings; i++) {
    const struct paper_reading *k = &p->readings[i];
    element(to, "<tr><td>", k->is.name, i == p->chosen ? " (chosen)</td><td>" : "</td><td>");
    element(to, "", paper_basis_names[k->basis], "</td><td>");
    element(to, "", k->reason, "</td><td>");
    element(to, "", k->support, "</td><td>");
    if (k->is.gpu)
      element(to, "--gpu ", k->is.gpu, "<br>");
    for (size_t s = 0; s < k->is.nset; s++)
      setting(to, "", &k->is.set[s]);
    for (size_t s = 0; s < k->is.nparams; s++)
      setting(to, p->workloads[k->is.params[s].workload].label, &k->is.params[s].setting);
    strbuf_add(to, "</td></tr>\n");
  }
  strbuf_add(to, "</tbody></table></div>\n");
}

static void absent(const struct paper *p, struct strbuf *to) {
  if (!p->nabsent)
    return;
  strbuf_add(to, "<h3>Not reproduced here</h3><div class=wide><table><tbody>");
  for (size_t i = 0; i < p->nabsent; i++) {
    element(to, "<tr><td>", p->absent[i].id, "</td><td>");
    element(to, "", p->absent[i].what, "</td><td>");
    element(to, "", p->absent[i].why, "</td></tr>\n");
  }
  strbuf_add(to, "</tbody></table></div>\n");
}

static void one(const struct paper_report *r, struct strbuf *to) {
  const struct paper *p = r->plan->paper;
  strbuf_addf(to, "<h2 id=\"%s\">", p->name);
  element(to, "", p->title, "</h2>");
  element(to, "<p>", p->about, "</p><p>Made by</p><pre>");
  page_escape(to, r->command);
  strbuf_add(to, "</pre>\n<h3>The paper's numbers and these</h3>\n");
  summary(r, to);
  for (size_t i = 0; i < r->n; i++)
    figure(r, i, to);
  readings(p, to);
  absent(p, to);
  failures(r, to);
  configuration(r, to);
}

void page_html(const struct paper_report *reports, size_t n, struct strbuf *to) {
  strbuf_add(to, "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
                 "<meta name=viewport content=\"width=device-width, initial-scale=1\"><title>Sluice: "
                 "results</title><style>");
  strbuf_add(to, page_style);
  strbuf_addf(to,
              "</style></head><body>\n<h1>Results</h1><p>Sluice %s. A diamond in a figure is the paper's "
              "number; a red "
              "cross is a run without result.</p>\n<nav><ul>",
              lab_model());
  for (size_t i = 0; i < n; i++) {
    const struct paper *p = reports[i].plan->paper;
    strbuf_addf(to, "<li><a href=\"#%s\">", p->name);
    element(to, "", p->title, "</a></li>");
  }
  strbuf_add(to, "</ul></nav>\n");
  for (size_t i = 0; i < n; i++)
    one(&reports[i], to);
  strbuf_add(to, "</body></html>\n");
}
