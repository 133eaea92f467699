/* One training step: the input layer on the device, what follows (16 hidden units, one output) on the host. */
#include "workload/host.h"
#include <math.h>

enum { B = 16, HIDDEN = 16 };

struct net {
  uint32_t inputs;
  float *input, *weights, *previous; /* inputs + 1; (inputs + 1) x (HIDDEN + 1), both */
  float out_weights[HIDDEN + 1], target;
};

static double squash(double x) {
  return 1 / (1 + exp(-x));
}

/* Errors of the hidden units, given their sums. */
static void hidden_delta(const struct net *n, const double *sum, float *delta) {
  double hidden[HIDDEN + 1] = {1}, out = 0;
  for (int j = 1; j <= HIDDEN; j++)
    hidden[j] = squash(sum[j]);
  for (int j = 0; j <= HIDDEN; j++)
    out += hidden[j] * (double)n->out_weights[j];
  out = squash(out);
  double error = out * (1 - out) * ((double)n->target - out);
  for (int j = 1; j <= HIDDEN; j++)
    delta[j] = (float)(hidden[j] * (1 - hidden[j]) * error * (double)n->out_weights[j]);
}

static void make(struct wl *w, struct net *n) {
  uint64_t weights = (uint64_t)(n->inputs + 1) * (HIDDEN + 1);
  n->input = wl_host(w, n->inputs + 1, sizeof *n->input);
  n->weights = wl_host(w, weights, sizeof *n->weights);
  n->previous = wl_host(w, weights, sizeof *n->previous);
  wl_random_f32(w, n->input, n->inputs + 1, 0, 1);
  n->input[0] = 1;
  /* so small that the sums stay where squash is not flat */
  float range = 1 / sqrtf((float)n->inputs);
  wl_random_f32(w, n->weights, weights, -range, range);
  wl_random_f32(w, n->previous, weights, -range / 16, range / 16);
  wl_random_f32(w, n->out_weights, HIDDEN + 1, -1, 1);
  n->target = 0.1F;
}

static void check(struct wl *w, const struct net *n, wl_buffer weights, wl_buffer previous, float eta,
                  float momentum) {
  uint64_t all = (uint64_t)(n->inputs + 1) * (HIDDEN + 1);
  double sum[HIDDEN + 1] = {0};
  float delta[HIDDEN + 1] = {0}, *want = wl_host(w, all, sizeof *want), *last = wl_host(w, all, sizeof *last);
  for (uint32_t i = 0; i <= n->inputs; i++)
    for (uint32_t j = 1; j <= HIDDEN; j++)
      sum[j] += (double)n->input[i] * (double)n->weights[(uint64_t)i * (HIDDEN + 1) + j];
  hidden_delta(n, sum, delta);
  for (uint32_t i = 0; i <= n->inputs; i++)
    for (uint32_t j = 0; j <= HIDDEN; j++) {
      uint64_t at = (uint64_t)i * (HIDDEN + 1) + j;
      double change = j ? (double)eta * (double)delta[j] * (double)n->input[i] +
                              (double)momentum * (double)n->previous[at]
                        : (double)n->previous[at];
      last[at] = (float)change;
      want[at] = (float)((double)n->weights[at] + (j ? change : 0));
    }
  /* sums of up to 65536 terms in another order: 1e-5 of values below 1 */
  wl_check_f32(w, weights, want, all, 1e-5);
  wl_check_f32(w, previous, last, all, 1e-5);
}

WORKLOAD(backprop) {
  struct net n = {.inputs = wl_u32(w, "inputs")};
  const float eta = 0.3F, momentum = 0.3F;
  make(w, &n);
  uint32_t groups = n.inputs / B;
  uint64_t bytes = (uint64_t)(n.inputs + 1) * (HIDDEN + 1) * 4;
  wl_buffer input = wl_upload(w, "input", n.input, (uint64_t)(n.inputs + 1) * 4);
  wl_buffer weights = wl_upload(w, "weights", n.weights, bytes);
  wl_buffer partial = wl_alloc(w, "partial sums", (uint64_t)groups * HIDDEN * 4);
  struct wl_range range = wl_range2(B, n.inputs, B, B);
  wl_launch(w, "backprop_forward", range,
            WL_ARGS(wl_buf(input), wl_buf(weights), wl_buf(partial), wl_int(HIDDEN)));
  float *sums = wl_host(w, (uint64_t)groups * HIDDEN, sizeof *sums), delta[HIDDEN + 1] = {0};
  double sum[HIDDEN + 1] = {0};
  wl_read(w, partial, 0, sums, (uint64_t)groups * HIDDEN * 4);
  for (uint32_t j = 1; j <= HIDDEN; j++) {
    sum[j] = (double)n.weights[j];
    for (uint32_t g = 0; g < groups; g++)
      sum[j] += (double)sums[(uint64_t)g * HIDDEN + j - 1];
  }
  hidden_delta(&n, sum, delta);
  wl_buffer deltas = wl_upload(w, "delta", delta, sizeof delta);
  wl_buffer previous = wl_upload(w, "previous", n.previous, bytes);
  wl_write(w, weights, 0, n.weights, bytes);
  wl_launch(w, "backprop_adjust", range,
            WL_ARGS(wl_buf(deltas), wl_int(HIDDEN), wl_buf(input), wl_buf(weights), wl_buf(previous),
                    wl_float(eta), wl_float(momentum)));
  if (wl_verify(w))
    check(w, &n, weights, previous, eta, momentum);
}
