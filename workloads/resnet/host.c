/* He et al. (2016), the network of bottleneck blocks: 7 x 7 convolution, pool, four stages, mean, full layer.
 * `divide` divides the channels; `blocks` bounds the blocks of a stage (the real network has 3, 4, 6 and 3), `stages` the
 * stages; `shorten` cuts the loops over input maps. Launched as Tango does (nn/network.h): a map is one work-group, in which a
 * work-item has 2 x 2 outputs of a map of 56 x 56. */
#include "../nn/network.h"

static struct wl_range elements(const struct tensor *t) {
  return wl_range1(wl_up(tensor_size(t), 256), 256);
}

static struct wl_arg count(const struct tensor *t) {
  return wl_int(tensor_size(t));
}

static void rectify(struct wl *w, struct tensor *t) {
  wl_launch(w, "relu", elements(t), WL_ARGS(wl_buf(t->at), count(t)));
  for (uint64_t i = 0; t->want && i < tensor_size(t); i++)
    t->want[i] = t->want[i] < 0 ? 0 : t->want[i];
}

/* Mean and variance as training leaves them, then scale and shift; in place. */
static void normalize(struct wl *w, struct tensor *t) {
  uint32_t c = t->channels;
  uint64_t plane = (uint64_t)t->height * t->width;
  float *v[4];
  wl_buffer b[4];
  static const char *const names[4] = {"mean", "variance", "gamma", "beta"};
  static const float low[4] = {-0.1F, 0.5F, 0.7F, -0.2F}, high[4] = {0.1F, 1.5F, 1, 0.2F};
  for (int k = 0; k < 4; k++) {
    v[k] = wl_host(w, c, sizeof *v[k]);
    wl_random_f32(w, v[k], c, low[k], high[k]);
    b[k] = wl_upload(w, names[k], v[k], (uint64_t)c * 4);
  }
  wl_launch(w, "batch_norm", elements(t),
            WL_ARGS(wl_buf(t->at), wl_buf(b[0]), wl_buf(b[1]), wl_int(plane), count(t)));
  wl_launch(w, "scale", elements(t),
            WL_ARGS(wl_buf(t->at), wl_buf(b[2]), wl_buf(b[3]), wl_int(plane), count(t)));
  for (uint64_t i = 0; t->want && i < tensor_size(t); i++) {
    uint64_t k = i / plane;
    double x = (t->want[i] - (double)v[0][k]) / sqrt((double)v[1][k] + 1e-5);
    t->want[i] = x * (double)v[2][k] + (double)v[3][k];
  }
}

static struct tensor unit(struct wl *w, const char *name, const struct tensor *in, uint32_t out,
                          uint32_t kernel, uint32_t stride) {
  struct conv c = {out, kernel, stride, kernel / 2, 1, false, 0, 0};
  struct tensor t = nn_conv(w, name, in, nn_shortened(c, in->channels, wl_u32(w, "shorten")), false);
  normalize(w, &t);
  return t;
}

/* 1 x 1, 3 x 3, 1 x 1, beside the input itself, or a 1 x 1 convolution of it where the shape changes. */
static struct tensor bottleneck(struct wl *w, const struct tensor *in, uint32_t width, uint32_t stride) {
  struct tensor t = unit(w, "reduce", in, width, 1, stride), beside = *in;
  rectify(w, &t);
  t = unit(w, "middle", &t, width, 3, 1);
  rectify(w, &t);
  t = unit(w, "expand", &t, 4 * width, 1, 1);
  if (in->channels != 4 * width || stride > 1)
    beside = unit(w, "shortcut", in, 4 * width, 1, stride);
  wl_launch(w, "add", elements(&t), WL_ARGS(wl_buf(t.at), wl_buf(beside.at), count(&t)));
  for (uint64_t i = 0; t.want && i < tensor_size(&t); i++)
    t.want[i] += beside.want[i];
  rectify(w, &t);
  return t;
}

static struct tensor average(struct wl *w, const struct tensor *in) {
  struct tensor out = tensor_new(w, "average", in->channels, 1, 1);
  uint64_t plane = (uint64_t)in->height * in->width;
  wl_launch(w, "average", wl_range1(wl_up(in->channels, 64), 64),
            WL_ARGS(wl_buf(in->at), wl_buf(out.at), wl_int(in->channels), wl_int(plane)));
  for (uint64_t i = 0; out.want && i < tensor_size(in); i++)
    out.want[i / plane] += in->want[i] / (double)plane;
  return out;
}

WORKLOAD(resnet) {
  static const uint32_t real[4] = {3, 4, 6, 3};
  uint32_t d = 1U << wl_choice(w, "divide"), blocks = wl_u32(w, "blocks"), image = wl_u32(w, "image");
  struct tensor t = tensor_random(w, "image", 3, image, image);
  t = unit(w, "conv1", &t, 64 / d, 7, 2);
  rectify(w, &t);
  t = nn_max_pool(w, "pool1", &t, 3, 2, 1, false);
  for (uint32_t stage = 0; stage < wl_u32(w, "stages"); stage++) {
    uint32_t n = real[stage] < blocks ? real[stage] : blocks;
    for (uint32_t k = 0; k < n; k++)
      t = bottleneck(w, &t, (64U << stage) / d, k == 0 && stage ? 2 : 1);
    tensor_check(w, &t);
  }
  t = average(w, &t);
  t = nn_full(w, "full", &t, 1000 / d, false, wl_u32(w, "shorten"));
  tensor_check(w, &t);
}
