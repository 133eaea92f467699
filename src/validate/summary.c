/* How far the timing model is from the card. */
#include "base/mem.h"
#include "validate/validate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rates of an H200, measured (validation/h200/micro): a CTA starts every 1.19 cycles (launch_256); 2,380 bytes of DRAM (dram_read16),
 * 139 sectors of the L2 (l2_read16) and 528 instructions a cycle; a line of 4 sectors a cycle in each of the 132 L1s (hit_lines_4). */
double validate_roofline(const struct validate_row *r) {
  double parts[] = {r->card[V_CTAS] * 1.19, (r->card[V_DRAM_READ] + r->card[V_DRAM_WRITE]) / 2380,
                    r->card[V_L2_SECTORS] / 139, r->card[V_L1_LOADS] / (132 * 4),
                    r->card[V_INSTRUCTIONS] / (132 * 4)};
  double most = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    most = fmax(most, parts[i]);
  return 3000 + most;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *v, size_t n) {
  qsort(v, n, sizeof *v, ascending);
  return n ? n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2 : NAN;
}

static double correlation(const double *x, const double *y, size_t n) {
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < n; i++)
    mx += x[i] / (double)n, my += y[i] / (double)n;
  for (size_t i = 0; i < n; i++) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

/* Equal values share the mean of their ranks. */
static void ranks(const double *v, double *rank, size_t n) {
  for (size_t i = 0; i < n; i++) {
    size_t less = 0, equal = 0;
    for (size_t k = 0; k < n; k++)
      less += v[k] < v[i], equal += v[k] == v[i];
    rank[i] = (double)less + (double)(equal - 1) / 2;
  }
}

struct validate_summary validate_summarise(const struct validate_set *s,
                                           bool (*wanted)(const struct validate_row *r, const void *ctx),
                                           const void *ctx) {
  struct validate_summary out = {0};
  double *error = xcalloc(8 * (s->n + 1), sizeof *error), *x = error + s->n + 1, *y = x + s->n + 1,
         *l2 = y + s->n + 1, *dram = l2 + s->n + 1, *rx = dram + s->n + 1, *ry = rx + s->n + 1,
         *code = ry + s->n + 1;
  size_t n = 0, nl2 = 0, ndram = 0, nmachine = 0;
  double logs = 0, machine_logs = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct validate_row *r = &s->row[i];
    double theirs = r->card[V_CYCLES], ours = r->ours[V_CYCLES];
    if (r->kind == VALIDATE_MICRO || !isfinite(ours) || !(theirs > 0) || !(ours > 0) ||
        (wanted && !wanted(r, ctx)))
      continue;
    error[n] = fabs(ours / theirs - 1);
    out.mean += error[n];
    out.worst = fmax(out.worst, error[n]);
    out.within += error[n] <= 0.15;
    out.roofline += fabs(validate_roofline(r) / theirs - 1);
    logs += log(ours / theirs);
    x[n] = log(theirs), y[n] = log(ours);
    n++;
    double machine = (r->ours[V_ISSUED] + r->ours[V_MORE]) / r->card[V_INSTRUCTIONS];
    if (machine > 0 && isfinite(machine)) {
      code[nmachine++] = fabs(machine - 1);
      machine_logs += log(machine);
    }
    if (r->card[V_L2_SECTORS] > 1000)
      l2[nl2++] = fabs(r->ours[V_L2_SECTORS] / r->card[V_L2_SECTORS] - 1);
    if (r->card[V_DRAM_READ] > 1e6)
      dram[ndram++] = fabs(r->ours[V_DRAM_READ] / r->card[V_DRAM_READ] - 1);
  }
  out.n = n;
  double count = n ? (double)n : NAN;
  out.mean /= count, out.within /= count, out.roofline /= count;
  out.geomean = exp(logs / count);
  out.median = median(error, n);
  out.pearson = correlation(x, y, n);
  ranks(x, rx, n), ranks(y, ry, n);
  out.spearman = correlation(rx, ry, n);
  out.l2 = median(l2, nl2);
  out.dram = median(dram, ndram);
  out.machine = nmachine ? exp(machine_logs / (double)nmachine) : NAN;
  out.machine_error = median(code, nmachine);
  free(error);
  return out;
}

static double cycles_of(const struct validate_set *s, const char *name, unsigned launch, bool card) {
  for (size_t i = 0; i < s->n; i++) {
    const struct validate_row *r = &s->row[i];
    if (r->kind == VALIDATE_MICRO && r->launch == launch && strcmp(r->name, name) == 0)
      return card ? r->card[V_CYCLES] : r->ours[V_CYCLES];
  }
  return NAN;
}

/* The first launch warms up; the second is the short one, the third the long one. */
void validate_slope(const struct validate_set *s, const struct validate_micro *m, double *card,
                    double *ours) {
  double steps = m->steps * (m->length[1] - m->length[0]);
  *card = (cycles_of(s, m->name, 2, true) - cycles_of(s, m->name, 1, true)) / steps;
  *ours = (cycles_of(s, m->name, 2, false) - cycles_of(s, m->name, 1, false)) / steps;
}
