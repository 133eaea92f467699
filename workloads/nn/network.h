/* What the neural networks share: tensors, and layers on device and host. A layer draws its weights, launches,
 * and computes its output in double from the reference of its input; checks come at the end of a network
 * and after every layer of interest. */
#ifndef WORKLOADS_NN_NETWORK_H
#define WORKLOADS_NN_NETWORK_H

#include "workload/host.h"
#include <math.h>

struct tensor {
  uint32_t channels, height, width;
  wl_buffer at;
  double *want; /* NULL when nothing is checked */
};

static inline uint64_t tensor_size(const struct tensor *t) {
  return (uint64_t)t->channels * t->height * t->width;
}

static inline struct tensor tensor_new(struct wl *w, const char *name, uint32_t channels, uint32_t height,
                                       uint32_t width) {
  struct tensor t = {.channels = channels, .height = height, .width = width};
  t.at = wl_alloc(w, name, tensor_size(&t) * 4);
  if (wl_verify(w))
    t.want = wl_host(w, tensor_size(&t), sizeof *t.want);
  return t;
}

static inline struct tensor tensor_random(struct wl *w, const char *name, uint32_t channels, uint32_t height,
                                          uint32_t width) {
  struct tensor t = tensor_new(w, name, channels, height, width);
  uint64_t n = tensor_size(&t);
  float *v = wl_host(w, n, sizeof *v);
  wl_random_f32(w, v, n, -1, 1);
  wl_write(w, t.at, 0, v, n * 4);
  for (uint64_t i = 0; t.want && i < n; i++)
    t.want[i] = (double)v[i];
  return t;
}

/* Float sums of thousands of terms through a few dozen layers. */
static inline void tensor_check(struct wl *w, const struct tensor *t) {
  uint64_t n = tensor_size(t);
  float *v = wl_host(w, n, sizeof *v);
  if (!wl_verify(w))
    return;
  for (uint64_t i = 0; i < n; i++)
    v[i] = (float)t->want[i];
  wl_check_f32(w, t->at, v, n, 1e-3);
}

struct conv {
  uint32_t out, kernel, stride, pad, groups; /* out channels */
  bool relu;
  uint32_t maps, rows; /* of the input maps of an output, of a kernel's rows: how many are summed; 0: all */
};

/* Loops over input maps (of an image, over the kernel's rows) are cut to one of `by`; at least one is left. */
static inline struct conv nn_shortened(struct conv c, uint32_t per, uint32_t by) {
  if (per > 3)
    c.maps = per / by ? per / by : 1;
  else
    c.rows = c.kernel / by ? c.kernel / by : 1;
  return c;
}

/* Tango's launches: a work-group of up to 32 x 32 work-items for each map. A map of up to 32 rows is one launch; a
 * larger one is several, tile after tile, or (`each`) one in which a work-item has each x each outputs. */
enum { NN_TILE = 32 };
struct nn_launch {
  uint32_t row, column, rows, columns, each;
};
static inline uint32_t nn_launches(uint32_t height, uint32_t width, bool tiled) {
  return tiled ? (height + NN_TILE - 1) / NN_TILE * ((width + NN_TILE - 1) / NN_TILE) : 1;
}
static inline struct nn_launch nn_launch(uint32_t i, uint32_t height, uint32_t width, bool tiled) {
  uint32_t across = (width + NN_TILE - 1) / NN_TILE, most = height > width ? height : width;
  struct nn_launch l = {.each = (most + NN_TILE - 1) / NN_TILE};
  if (tiled) {
    l = (struct nn_launch){.row = i / across * NN_TILE, .column = i % across * NN_TILE, .each = 1};
    l.rows = height - l.row < NN_TILE ? height - l.row : NN_TILE;
    l.columns = width - l.column < NN_TILE ? width - l.column : NN_TILE;
    return l;
  }
  l.rows = (height + l.each - 1) / l.each;
  l.columns = (width + l.each - 1) / l.each;
  return l;
}
static inline struct wl_range nn_range(const struct nn_launch *l, uint32_t channels) {
  return wl_range3(l->rows, l->columns, channels, l->rows, l->columns, 1);
}

/* Weights that keep the size of activations: uniform, variance 2 / fan-in. */
static inline float *nn_weights(struct wl *w, uint64_t count, uint64_t fan_in) {
  float *v = wl_host(w, count, sizeof *v), range = sqrtf(6.0F / (float)fan_in);
  wl_random_f32(w, v, count, -range, range);
  return v;
}

static inline double nn_conv_at(const struct tensor *in, const struct conv *c, const float *weights,
                                uint32_t o, uint32_t y, uint32_t x) {
  uint32_t per = in->channels / c->groups, first = o / (c->out / c->groups) * per;
  double sum = 0;
  for (uint32_t i = 0; i < (c->maps ? c->maps : per); i++)
    for (uint32_t ky = 0; ky < (c->rows ? c->rows : c->kernel); ky++)
      for (uint32_t kx = 0; kx < c->kernel; kx++) {
        uint32_t iy = y * c->stride + ky - c->pad, ix = x * c->stride + kx - c->pad; /* wraps when negative */
        if (iy < in->height && ix < in->width)
          sum += in->want[((uint64_t)(first + i) * in->height + iy) * in->width + ix] *
                 (double)weights[(((uint64_t)o * per + i) * c->kernel + ky) * c->kernel + kx];
      }
  return sum;
}

static inline struct tensor nn_conv(struct wl *w, const char *name, const struct tensor *in, struct conv c,
                                    bool tiled) {
  uint32_t height = (in->height + 2 * c.pad - c.kernel) / c.stride + 1;
  uint32_t width = (in->width + 2 * c.pad - c.kernel) / c.stride + 1, per = in->channels / c.groups;
  uint64_t fan = (uint64_t)per * c.kernel * c.kernel;
  struct tensor out = tensor_new(w, name, c.out, height, width);
  float *weights = nn_weights(w, fan * c.out, fan), *bias = nn_weights(w, c.out, 600);
  wl_buffer gw = wl_upload(w, "weights", weights, fan * c.out * 4),
            gb = wl_upload(w, "bias", bias, (uint64_t)c.out * 4);
  for (uint32_t i = 0; i < nn_launches(height, width, tiled); i++) {
    struct nn_launch l = nn_launch(i, height, width, tiled);
    wl_launch(w, "conv", nn_range(&l, c.out),
              WL_ARGS(wl_buf(in->at), wl_buf(gw), wl_buf(gb), wl_buf(out.at), wl_int(per),
                      wl_int(c.maps ? c.maps : per), wl_int(c.rows ? c.rows : c.kernel), wl_int(in->height),
                      wl_int(in->width), wl_int(height), wl_int(width), wl_int(c.kernel), wl_int(c.stride),
                      wl_int(c.pad), wl_int(c.out / c.groups), wl_int(c.relu), wl_int(l.row),
                      wl_int(l.column), wl_int(l.each)));
  }
  for (uint32_t o = 0; out.want && o < c.out; o++)
    for (uint32_t y = 0; y < height; y++)
      for (uint32_t x = 0; x < width; x++) {
        double v = nn_conv_at(in, &c, weights, o, y, x) + (double)bias[o];
        out.want[((uint64_t)o * height + y) * width + x] = c.relu && v < 0 ? 0 : v;
      }
  return out;
}

/* Largest of kernel x kernel places, `stride` apart; what lies outside does not count. */
static inline struct tensor nn_max_pool(struct wl *w, const char *name, const struct tensor *in,
                                        uint32_t kernel, uint32_t stride, uint32_t pad, bool tiled) {
  uint32_t height = (in->height + 2 * pad - kernel) / stride + 1,
           width = (in->width + 2 * pad - kernel) / stride + 1;
  struct tensor out = tensor_new(w, name, in->channels, height, width);
  for (uint32_t i = 0; i < nn_launches(height, width, tiled); i++) {
    struct nn_launch l = nn_launch(i, height, width, tiled);
    wl_launch(w, "max_pool", nn_range(&l, in->channels),
              WL_ARGS(wl_buf(in->at), wl_buf(out.at), wl_int(in->height), wl_int(in->width), wl_int(height),
                      wl_int(width), wl_int(kernel), wl_int(stride), wl_int(pad), wl_int(l.row),
                      wl_int(l.column), wl_int(l.each)));
  }
  for (uint64_t i = 0; out.want && i < tensor_size(&out); i++) {
    uint32_t x = (uint32_t)(i % width), y = (uint32_t)(i / width % height);
    const double *plane = in->want + i / width / height * in->height * in->width;
    double most = -INFINITY;
    for (uint32_t ky = 0; ky < kernel; ky++)
      for (uint32_t kx = 0; kx < kernel; kx++) {
        uint32_t iy = y * stride + ky - pad, ix = x * stride + kx - pad;
        if (iy < in->height && ix < in->width)
          most = fmax(most, plane[(uint64_t)iy * in->width + ix]);
      }
    out.want[i] = most;
  }
  return out;
}

/* Sums one of `by` of its products. */
static inline struct tensor nn_full(struct wl *w, const char *name, const struct tensor *in, uint32_t outputs,
                                    bool relu, uint32_t by) {
  uint64_t n = tensor_size(in), terms = n / by ? n / by : 1;
  struct tensor out = tensor_new(w, name, outputs, 1, 1);
  float *weights = nn_weights(w, n * outputs, n), *bias = nn_weights(w, outputs, 600);
  wl_buffer gw = wl_upload(w, "weights", weights, n * outputs * 4);
  wl_buffer gb = wl_upload(w, "bias", bias, (uint64_t)outputs * 4);
  wl_launch(w, "full", wl_range1(outputs, 1),
            WL_ARGS(wl_buf(in->at), wl_buf(gw), wl_buf(gb), wl_buf(out.at), wl_int(n), wl_int(terms),
                    wl_int(relu)));
  for (uint32_t o = 0; out.want && o < outputs; o++) {
    double sum = (double)bias[o];
    for (uint64_t i = 0; i < terms; i++)
      sum += in->want[i] * (double)weights[o * n + i];
    out.want[o] = relu && sum < 0 ? 0 : sum;
  }
  return out;
}

#endif
