/* Krizhevsky, Sutskever, Hinton (2012): five convolutions, three pools, two normalisations, three full layers.
 * `divide` divides the channels, the shapes are otherwise those of the network. */
#include "../nn/network.h"

static struct tensor normalize(struct wl *w, const char *name, const struct tensor *in) {
  enum { SPAN = 5 };
  struct tensor out = tensor_new(w, name, in->channels, in->height, in->width);
  uint64_t plane = (uint64_t)in->height * in->width;
  wl_launch(w, "normalize_channels",
            wl_range3(wl_up(in->width, 16), wl_up(in->height, 16), in->channels, 16, 16, 1),
            WL_ARGS(wl_buf(in->at), wl_buf(out.at), wl_int(in->channels), wl_int(in->height),
                    wl_int(in->width), wl_int(SPAN)));
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

WORKLOAD(alexnet) {
  uint32_t d = 1U << wl_choice(w, "divide"), image = wl_u32(w, "image");
  if (image % 32 != 3)
    wl_refuse(w, "an image of %u: 67, 99, 131 and so on (3 more than a multiple of 32) fit the layers",
              image);
  struct tensor t = tensor_random(w, "image", 3, image, image);
  t = nn_conv(w, "conv1", &t, (struct conv){96 / d, 11, 4, 0, 1, true});
  t = normalize(w, "norm1", &t);
  t = nn_max_pool(w, "pool1", &t, 3, 2, 0);
  t = nn_conv(w, "conv2", &t, (struct conv){256 / d, 5, 1, 2, 2, true});
  t = normalize(w, "norm2", &t);
  t = nn_max_pool(w, "pool2", &t, 3, 2, 0);
  tensor_check(w, &t);
  t = nn_conv(w, "conv3", &t, (struct conv){384 / d, 3, 1, 1, 1, true});
  t = nn_conv(w, "conv4", &t, (struct conv){384 / d, 3, 1, 1, 2, true});
  t = nn_conv(w, "conv5", &t, (struct conv){256 / d, 3, 1, 1, 2, true});
  t = nn_max_pool(w, "pool5", &t, 3, 2, 0);
  tensor_check(w, &t);
  t = nn_full(w, "full6", &t, 4096 / d, true);
  t = nn_full(w, "full7", &t, 4096 / d, true);
  t = nn_full(w, "full8", &t, 1000, false);
  tensor_check(w, &t);
}
