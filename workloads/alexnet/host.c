/* Krizhevsky, Sutskever, Hinton (2012): five convolutions, three pools, two normalisations, three full layers,
 * launched as Tango does (nn/network.h): maps of more than 32 rows in tiles. `divide` divides the channels, `shorten` the loops
 * over input maps, `shorten_full` those of full layers; the shapes are otherwise those of the network. */
#include "../nn/network.h"

static struct tensor normalize(struct wl *w, const char *name, const struct tensor *in) {
  enum { SPAN = 5 };
  struct tensor out = tensor_new(w, name, in->channels, in->height, in->width);
  uint64_t plane = (uint64_t)in->height * in->width;
  for (uint32_t i = 0; i < nn_launches(in->height, in->width, true); i++) {
    struct nn_launch l = nn_launch(i, in->height, in->width, true);
    wl_launch(w, "normalize_channels", nn_range(&l, in->channels),
              WL_ARGS(wl_buf(in->at), wl_buf(out.at), wl_int(in->channels), wl_int(in->height),
                      wl_int(in->width), wl_int(SPAN), wl_int(l.row), wl_int(l.column), wl_int(l.each)));
  }
  for (uint64_t i = 0; out.want && i < tensor_size(&out); i++) {
    int64_t c = (int64_t)(i / plane);
    double sum = 0;
    for (int64_t k = c - SPAN / 2; k <= c + SPAN / 2; k++)
      if (k >= 0 && k < in->channels)
        sum += in->want[(uint64_t)k * plane + i % plane] * in->want[(uint64_t)k * plane + i % plane];
    out.want[i] = in->want[i] / pow(1 + 1e-4 / SPAN * sum, 0.75);
  }
  return out;
}

static struct tensor convolve(struct wl *w, const char *name, const struct tensor *in, struct conv c) {
  return nn_conv(w, name, in, nn_shortened(c, in->channels / c.groups, wl_u32(w, "shorten")), true);
}

WORKLOAD(alexnet) {
  uint32_t d = 1U << wl_choice(w, "divide"), image = wl_u32(w, "image"), by = wl_u32(w, "shorten_full");
  if (image % 32 != 3)
    wl_refuse(w, "an image of %u: 67, 99, 131 and so on (3 more than a multiple of 32) fit the layers",
              image);
  struct tensor t = tensor_random(w, "image", 3, image, image);
  t = convolve(w, "conv1", &t, (struct conv){96 / d, 11, 4, 0, 1, true, 0, 0});
  t = normalize(w, "norm1", &t);
  t = nn_max_pool(w, "pool1", &t, 3, 2, 0, true);
  t = convolve(w, "conv2", &t, (struct conv){256 / d, 5, 1, 2, 2, true, 0, 0});
  t = normalize(w, "norm2", &t);
  t = nn_max_pool(w, "pool2", &t, 3, 2, 0, true);
  tensor_check(w, &t);
  t = convolve(w, "conv3", &t, (struct conv){384 / d, 3, 1, 1, 1, true, 0, 0});
  t = convolve(w, "conv4", &t, (struct conv){384 / d, 3, 1, 1, 2, true, 0, 0});
  t = convolve(w, "conv5", &t, (struct conv){256 / d, 3, 1, 1, 2, true, 0, 0});
  t = nn_max_pool(w, "pool5", &t, 3, 2, 0, true);
  tensor_check(w, &t);
  t = nn_full(w, "full6", &t, 4096 / d, true, by);
  t = nn_full(w, "full7", &t, 4096 / d, true, by);
  t = nn_full(w, "full8", &t, 1000 / d, false, by);
  tensor_check(w, &t);
}
