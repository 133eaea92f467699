/* What the pages have in common, and the one for a terminal. */
#include "paper/page.h"
#include "paper/verdict.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void page_number(struct strbuf *to, double v) {
  double size = fabs(v);
  if (isnan(v))
    strbuf_add(to, "–");
  else if (size >= 100 || v == floor(v))
    strbuf_addf(to, "%.0f", v == 0 ? 0 : v);
  else if (size >= 10)
    strbuf_addf(to, "%.1f", v);
  else
    strbuf_addf(to, size >= 0.01 ? "%.2f" : "%.2g", v);
}

void page_bounds(struct strbuf *to, const struct paper_number *n) {
  strbuf_add(to, isinf(n->min) ? "≤ " : isinf(n->max) ? "≥ " : "");
  page_number(to, isinf(n->min) ? n->max : n->min);
  if (!isinf(n->min) && !isinf(n->max)) {
    strbuf_add(to, " … ");
    page_number(to, n->max);
  }
}

/* Quoted where a shell would read it otherwise. */
static void shell_word(struct strbuf *to, const char *word) {
  bool plain =
      *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-=.,:/%@") ==
                   strlen(word);
  if (plain) {
    strbuf_add(to, word);
    return;
  }
  strbuf_addc(to, '\'');
  for (; *word; word++)
    if (*word == '\'')
      strbuf_add(to, "'\\''");
    else
      strbuf_addc(to, *word);
  strbuf_addc(to, '\'');
}

static void option(struct strbuf *to, const char *name, const struct lab_pairs *pairs) {
  for (size_t i = 0; i < pairs->n; i++) {
    struct strbuf word = {0};
    strbuf_addf(&word, "%s=%s", pairs->at[i].name, pairs->at[i].value);
    strbuf_addf(to, " --%s ", name);
    shell_word(to, word.s);
    strbuf_free(&word);
  }
}

void page_run_command(const struct lab_point *p, struct strbuf *to) {
  strbuf_add(to, "sluice run ");
  shell_word(to, p->workload.name);
  if (p->workload.size)
    strbuf_addf(to, " --size %s", p->workload.size);
  option(to, "param", &p->workload.params);
  strbuf_add(to, " --gpu ");
  shell_word(to, p->gpu);
  if (p->with && *p->with) {
    strbuf_add(to, " --with ");
    shell_word(to, p->with);
  }
  for (size_t i = 0; i < p->nplugins; i++) {
    strbuf_add(to, " --plugin ");
    shell_word(to, p->plugins[i]);
  }
  option(to, "set", &p->set);
}

const char *page_reading(const struct paper_report *r, size_t reading) {
  const char *name = r->plan->paper->readings[r->plan->readings[reading]].is.name;
  return *name ? name : "here";
}

size_t page_changes_row(const struct paper_table *t) {
  for (size_t i = 0; i < t->nrows; i++)
    if (t->rows[i].workload == SIZE_MAX)
      return i;
  return 0;
}

static void verdict_line(const struct paper_report *r, const struct paper_table *t,
                         const struct paper_number *n, struct strbuf *to) {
  struct paper_verdict v = paper_verdict(t, n);
  struct strbuf name = {0}, paper = {0}, mine = {0};
  strbuf_addf(&name, "%s, %s", t->figure->series[n->series].name, n->at);
  if (!isnan(n->value))
    page_number(&paper, n->value);
  else
    page_bounds(&paper, n);
  page_number(&mine, v.ours);
  if (r->plan->nreadings > 1)
    strbuf_addf(to, "    %-48s paper %8s   here %8s   ", name.s, paper.s, mine.s);
  else
    strbuf_addf(to, "    %-34s paper %8s   here %8s   ", name.s, paper.s, mine.s);
  paper_verdict_text(&v, to);
  strbuf_addc(to, '\n');
  strbuf_free(&name);
  strbuf_free(&paper);
  strbuf_free(&mine);
}

enum { SMALL_ROWS = 8 }; /* a table this small is printed whole */

static void whole_table(const struct paper_table *t, struct strbuf *to) {
  const struct paper_figure *f = t->figure;
  int wide = 8;
  bool only = f->shape == SHAPE_CHANGES && t->nrows > SMALL_ROWS; /* one row of many */
  size_t first = only ? page_changes_row(t) : 0, last = only ? first + 1 : t->nrows;
  for (size_t s = 0; s < f->nseries; s++)
    wide = (int)strlen(f->series[s].name) > wide ? (int)strlen(f->series[s].name) : wide;
  strbuf_addf(to, "    %-*s", wide, "");
  for (size_t row = first; row < last; row++)
    strbuf_addf(to, " %14.14s", t->rows[row].label);
  for (size_t s = 0; s < f->nseries; s++) {
    strbuf_addf(to, "\n    %-*s", wide, f->series[s].name);
    for (size_t row = first; row < last; row++) {
      struct strbuf v = {0};
      if (isnan(t->value[row * f->nseries + s]))
        strbuf_addc(&v, '-');
      else
        page_number(&v, t->value[row * f->nseries + s]);
      strbuf_addf(to, " %14s", v.s);
      strbuf_free(&v);
    }
  }
  strbuf_addc(to, '\n');
}

static void averages(const struct paper_table *t, struct strbuf *to) {
  const struct paper_figure *f = t->figure;
  for (size_t row = 0; row < t->nrows; row++) {
    if (t->rows[row].workload != SIZE_MAX)
      continue;
    strbuf_addf(to, "    %s:", t->rows[row].label);
    for (size_t s = 0; s < f->nseries; s++) {
      strbuf_addf(to, "%s %s ", s ? "," : "", f->series[s].name);
      page_number(to, t->value[row * f->nseries + s]);
    }
    strbuf_addc(to, '\n');
  }
}

void page_text(const struct paper_report *r, struct strbuf *to) {
  for (size_t i = 0; i < r->n; i++) {
    const struct paper_table *t = &r->tables[i];
    const struct paper_figure *f = t->figure;
    strbuf_addf(to, "%s  %s [%s]\n", f->id, f->title, f->ylabel);
    if (t->note.n)
      strbuf_addf(to, "    %s\n", t->note.s);
    if (t->nrows && (t->nrows <= SMALL_ROWS || f->shape == SHAPE_CHANGES) && f->nseries > 1)
      whole_table(t, to);
    else
      averages(t, to);
    for (size_t k = 0; k < f->nnumbers; k++)
      verdict_line(r, t, &f->numbers[k], to);
    for (size_t k = 0; k < f->nreadings; k++) {
      struct paper_ranking ranking = paper_ranking(t, k);
      if (ranking.pairs)
        strbuf_addf(to, "    ranking%s%s: %zu of %zu pairs in the paper's order\n",
                    f->nreadings > 1 ? ", " : "", f->nreadings > 1 ? page_reading(r, k) : "", ranking.same,
                    ranking.pairs);
    }
  }
}
