/* An image's part of a memory object, and samplers. */
#ifndef SLUICE_OPENCL_IMAGE_H
#define SLUICE_OPENCL_IMAGE_H

#include "front/texture/texture.h"
#include "opencl/ocl.h"

/* An H200's and a GTX480's limits; OpenCL 3.0 asks for 16384, 2048, 65536 and 2048, and for 64 images to write. */
enum {
  IMAGE_MAX_SIDE = 16384,
  IMAGE_MAX_SIDE_3D = 2048,
  IMAGE_MAX_BUFFER = 1 << 27,
  IMAGE_MAX_LAYERS = 2048
};
enum { IMAGE_ARGS = 128, IMAGE_WRITE_ARGS = 128, IMAGE_SAMPLERS = 16 };

struct image {
  struct texture t;
  uint64_t header; /* its device address: what kernels get */
  cl_image_format format;
  cl_mem_object_type type;
  size_t host_row, host_slice; /* pitches that the program sees */
};

struct _cl_sampler {
  struct object o;
  cl_context context;
  cl_bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};
/* As kernels get it (front/texture: sampler_of_word). */
uint64_t sampler_word(cl_sampler s);

#endif
