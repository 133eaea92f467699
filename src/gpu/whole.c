#include "gpu/whole.h"
#include "base/mem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 4, SM_CYCLES = -1 /* of all SMs: with a CTA or without */ };

struct row {
  struct {
    int counter; /* enum counter, or SM_CYCLES */
    bool minus;
  } term[MOST_TERMS];
  int n;
};

struct whole {
  struct energy_table table;
  struct row row[NROWS];
  char refused[160];
};

static void add_term(void *row, const char *name, size_t n, bool minus) {
  struct row *r = row;
  int c = 0;
  while (c < NCOUNTERS && (strlen(counter_rows[c]->name) != n || memcmp(counter_rows[c]->name, name, n) != 0))
    c++;
  if (n == strlen("sm.cycles") && memcmp(name, "sm.cycles", n) == 0)
    c = SM_CYCLES;
  if (c == NCOUNTERS || r->n == MOST_TERMS)
    panic("rows.def: '%.*s' is no counter, or one too many", (int)n, name);
  r->term[r->n].counter = c;
  r->term[r->n++].minus = minus;
}

struct whole *whole_new(const char *name, struct error *err) {
  struct whole *w = xcalloc(1, sizeof *w);
  for (int i = 0; i < NROWS; i++)
    energy_row_terms((enum energy_row)i, add_term, &w->row[i]);
  if (strcmp(name, "none") == 0) {
    snprintf(w->refused, sizeof w->refused,
             "energy.table is none: nobody has told what cores, networks and memory controllers take");
    return w;
  }
  if (!energy_table_load(&w->table, name, err)) {
    whole_free(w);
    return NULL;
  }
  const char *lacks = energy_table_lacks(&w->table);
  if (lacks)
    snprintf(w->refused, sizeof w->refused, "energy.table '%.60s' has no row '%s'", name, lacks);
  return w;
}

void whole_free(struct whole *w) {
  if (w)
    energy_table_free(&w->table);
  free(w);
}

const char *whole_refused(const struct whole *w) {
  return *w->refused ? w->refused : NULL;
}

bool whole_knows(const struct whole *w, enum energy_row r) {
  return w->table.row[r].known;
}

double whole_value(const struct whole *w, enum energy_row r) {
  return w->table.row[r].known ? w->table.row[r].value : 0;
}

double whole_row_mj(const struct whole *w, enum energy_row r, const struct gpu *g,
                    const uint64_t total[NCOUNTERS]) {
  double amount = 0;
  if (!w->table.row[r].known)
    return 0;
  for (int i = 0; i < w->row[r].n; i++) {
    int c = w->row[r].term[i].counter;
    double v = c == SM_CYCLES ? (double)total[C_cycles] * g->k.sms : (double)total[c];
    amount += w->row[r].term[i].minus ? -v : v;
  }
  /* picojoules; watts times cycles of a microsecond over so many */
  double mj = energy_rows[r].unit == UNIT_PJ ? 1e-9 : 1e-3 / (double)g->k.core_mhz;
  return mj * w->table.row[r].value * (amount > 0 ? amount : 0);
}

void whole_sum(const struct whole *w, const struct gpu *g, const uint64_t total[NCOUNTERS],
               struct whole_sum *to) {
  *to = (struct whole_sum){0};
  for (int i = 0; i < NROWS; i++) {
    double mj = whole_row_mj(w, (enum energy_row)i, g, total);
    to->part[energy_rows[i].part] += mj;
    to->fixed += energy_rows[i].unit == UNIT_W ? mj : 0;
    to->assumed += w->table.row[i].assumed ? mj : 0;
  }
}
