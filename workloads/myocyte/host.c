/* The solver is on the host: a Runge-Kutta-Fehlberg step of order 4(5) calls the device six times, sends it the
 * state and reads the derivatives, and chooses the length of the next step from the error. */
#include "workload/host.h"
#include <math.h>
#include <string.h>

enum { CELL = 8, BIND = 4, N = CELL + 3 * BIND, STAGES = 6 };

/* Beeler and Reuter, J. Physiol. 268 (1977), table 1: opening and closing rate of x1, m, h, j, d, f as
 * C1 C2 C3 C4 C5 C6 C7; here in the order of the state, m h j d f x1. */
static const float rates[6][2][7] = {
    {{0, 0, 47, -1, 47, -0.1F, -1}, {40, -0.056F, 72, 0, 0, 0, 0}},
    {{0.126F, -0.25F, 77, 0, 0, 0, 0}, {1.7F, 0, 22.5F, 0, 0, -0.082F, 1}},
    {{0.055F, -0.25F, 78, 0, 0, -0.2F, 1}, {0.3F, 0, 32, 0, 0, -0.1F, 1}},
    {{0.095F, -0.01F, -5, 0, 0, -0.072F, 1}, {0.07F, -0.017F, 44, 0, 0, 0.05F, 1}},
    {{0.012F, -0.008F, 28, 0, 0, 0.15F, 1}, {0.0065F, -0.02F, 30, 0, 0, -0.2F, 1}},
    {{0.0005F, 0.083F, 50, 0, 0, 0.057F, 1}, {0.0013F, -0.06F, 20, 0, 0, -0.04F, 1}},
};
/* slow and sodium conductance, its background, stimulus and its duration */
static const float cell[5] = {0.09F, 4, 0.003F, 25, 2};
/* total protein, on and off rates of the two steps, of the target, exchange with the cell: cleft, below the
 * membrane, the rest */
static const float compartments[3][8] = {
    {4, 0.05F, 0.1F, 0.02F, 0.2F, 0.03F, 0.01F, 0.5F},
    {2, 0.04F, 0.1F, 0.02F, 0.2F, 0.02F, 0.01F, 0.2F},
    {8, 0.03F, 0.1F, 0.01F, 0.2F, 0.02F, 0.02F, 0.1F},
};
static const float at_rest[N] = {-84.6F, 0.011F, 0.988F, 0.975F, 0.003F, 1, 0.0057F, 1.8F, 1,     0.1F,
                                 0.01F,  0,      1,      0.1F,   0.01F,  0, 1,       0.1F, 0.01F, 0};

static double rate(const float *c, double v) {
  double top = (double)c[0] * exp((double)c[1] * (v + (double)c[2])) + (double)c[3] * (v + (double)c[4]);
  return top / (exp((double)c[5] * (v + (double)c[2])) + (double)c[6]);
}

/* The same equations in double. */
static void reference(double time, const float *state, float *out) {
  double y[N], dy[N];
  for (int i = 0; i < N; i++)
    y[i] = (double)state[i];
  double v = y[0], reversal = -82.3 - 13.0287 * log(y[7] * 1e-7);
  double slow = (double)cell[0] * y[4] * y[5] * (v - reversal);
  double sodium = ((double)cell[1] * y[1] * y[1] * y[1] * y[2] * y[3] + (double)cell[2]) * (v - 50);
  double outward = y[6] * 0.8 * (exp(0.04 * (v + 77)) - 1) / exp(0.04 * (v + 35));
  double part = fabs(v + 23) < 1e-3 ? 5 : 0.2 * (v + 23) / (1 - exp(-0.04 * (v + 23)));
  double inward =
      0.35 * (4 * (exp(0.04 * (v + 85)) - 1) / (exp(0.08 * (v + 53)) + exp(0.04 * (v + 53))) + part);
  dy[0] = (time < (double)cell[4] ? (double)cell[3] : 0) - (inward + outward + sodium + slow);
  for (int k = 0; k < 6; k++)
    dy[1 + k] = rate(rates[k][0], v) * (1 - y[1 + k]) - rate(rates[k][1], v) * y[1 + k];
  dy[7] = -slow + 0.07 * (1 - y[7]);
  for (int c = 0; c < 3; c++) {
    double *s = y + CELL + BIND * c, *d = dy + CELL + BIND * c, p[8];
    for (int k = 0; k < 8; k++)
      p[k] = (double)compartments[c][k];
    double first = p[1] * s[0] * (p[0] - s[1] - s[2] - s[3]) - p[2] * s[1];
    double second = p[3] * s[0] * s[1] - p[4] * s[2], third = p[5] * s[2] - p[6] * s[3];
    d[0] = p[7] * (y[7] - s[0]) - first - second;
    d[1] = first - second;
    d[2] = second - third;
    d[3] = third;
  }
  for (int i = 0; i < N; i++)
    out[i] = (float)dy[i];
}

struct device {
  wl_buffer y, rates, cell, compartments, dy;
};

static void derive(struct wl *w, const struct device *d, double time, const double *y, double *dy) {
  float state[N], out[N], want[N];
  for (int i = 0; i < N; i++)
    state[i] = (float)y[i];
  wl_write(w, d->y, 0, state, sizeof state);
  wl_launch(w, "myocyte_rhs", wl_range1(64, 32),
            WL_ARGS(wl_float((float)time), wl_buf(d->y), wl_buf(d->rates), wl_buf(d->cell),
                    wl_buf(d->compartments), wl_buf(d->dy)));
  wl_read(w, d->dy, 0, out, sizeof out);
  if (wl_verify(w)) {
    reference((double)(float)time, state, want);
    wl_check_f32(w, d->dy, want, N, 1e-3); /* differences of exponentials up to 1e3 */
  }
  for (int i = 0; i < N; i++)
    dy[i] = (double)out[i];
}

/* One step; returns the largest error relative to what is tolerated. */
static double step(struct wl *w, const struct device *d, double t, double h, const double *y, double *to) {
  /* E. Fehlberg, NASA TR R-315 (1969) */
  static const double c[STAGES] = {0, 1. / 4, 3. / 8, 12. / 13, 1, 1. / 2};
  static const double a[STAGES][STAGES - 1] = {{0},
                                               {1. / 4},
                                               {3. / 32, 9. / 32},
                                               {1932. / 2197, -7200. / 2197, 7296. / 2197},
                                               {439. / 216, -8, 3680. / 513, -845. / 4104},
                                               {-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40}};
  static const double b4[STAGES] = {25. / 216, 0, 1408. / 2565, 2197. / 4104, -1. / 5, 0};
  static const double b5[STAGES] = {16. / 135, 0, 6656. / 12825, 28561. / 56430, -9. / 50, 2. / 55};
  double k[STAGES][N], at[N], worst = 0;
  for (int s = 0; s < STAGES; s++) {
    memcpy(at, y, sizeof at);
    for (int r = 0; r < s; r++)
      for (int i = 0; i < N; i++)
        at[i] += h * a[s][r] * k[r][i];
    derive(w, d, t + c[s] * h, at, k[s]);
  }
  for (int i = 0; i < N; i++) {
    double low = 0, high = 0;
    for (int s = 0; s < STAGES; s++) {
      low += h * b4[s] * k[s][i];
      high += h * b5[s] * k[s][i];
    }
    to[i] = y[i] + high;
    double error = fabs(high - low) / (1e-3 * (1 + fabs(y[i])));
    worst = error > worst ? error : worst;
  }
  return worst;
}

WORKLOAD(myocyte) {
  double end = (double)wl_u32(w, "milliseconds"), t = 0, h = 0.01, y[N], next[N];
  struct device d = {
      .y = wl_alloc(w, "state", N * 4),
      .rates = wl_upload(w, "rates", rates, sizeof rates),
      .cell = wl_upload(w, "cell", cell, sizeof cell),
      .compartments = wl_upload(w, "compartments", compartments, sizeof compartments),
      .dy = wl_alloc(w, "derivatives", N * 4),
  };
  for (int i = 0; i < N; i++)
    y[i] = (double)at_rest[i] * (1 + 0.01 * (wl_random_unit(w) - 0.5));
  y[5] = y[5] > 1 ? 1 : y[5];
  double peak = y[0];
  while (t < end) {
    h = t + h > end ? end - t : h;
    double error = step(w, &d, t, h, y, next);
    wl_require(w, isfinite(error), "the state is no longer finite at %g ms", t);
    if (error <= 1) {
      t += h;
      memcpy(y, next, sizeof y);
      peak = y[0] > peak ? y[0] : peak;
    }
    double factor = error > 0 ? 0.9 * pow(error, -0.2) : 4;
    h *= factor < 0.2 ? 0.2 : factor > 4 ? 4 : factor;
    h = h < 1e-4 ? 1e-4 : h;
  }
  if (wl_verify(w) && end >= 5) /* the action potential overshoots zero */
    wl_require(w, peak > 0 && peak < 60, "the membrane potential peaks at %g mV", peak);
}
