/* Images and samplers: what is written is read back, by commands and by kernels; coordinates, borders and filters do as OpenCL
 * 1.2 says in 8.2. Expected values are computed here. */
#include "check.h"

static cl_kernel kernel(const char *source, const char *name) {
  cl_program p = build(source, "");
  cl_kernel k = kernel_of(p, name);
  clReleaseProgram(p);
  return k;
}

static cl_mem image(cl_mem_object_type type, cl_channel_order order, cl_channel_type channel, size_t w,
                    size_t h, size_t d, void *host) {
  cl_image_format f = {order, channel};
  bool layers = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  cl_image_desc desc = {.image_type = type, .image_width = w, .image_height = h};
  if (layers)
    desc.image_array_size = d;
  else
    desc.image_depth = d;
  cl_int err;
  cl_mem m =
      clCreateImage(context, CL_MEM_READ_WRITE | (host ? CL_MEM_COPY_HOST_PTR : 0), &f, &desc, host, &err);
  SAME(err, CL_SUCCESS);
  return m;
}

static cl_sampler sampler(cl_bool normalized, cl_addressing_mode a, cl_filter_mode f) {
  cl_int err;
  cl_sampler s = clCreateSampler(context, normalized, a, f, &err);
  SAME(err, CL_SUCCESS);
  return s;
}

static cl_mem buffer(size_t bytes, void *host) {
  cl_int err;
  cl_mem m =
      clCreateBuffer(context, CL_MEM_READ_WRITE | (host ? CL_MEM_COPY_HOST_PTR : 0), bytes, host, &err);
  SAME(err, CL_SUCCESS);
  return m;
}

static void run(cl_kernel k, cl_uint dims, size_t x, size_t y, size_t z) {
  size_t global[3] = {x, y, z};
  SAME(clEnqueueNDRangeKernel(queue, k, dims, NULL, global, NULL, 0, NULL, NULL), CL_SUCCESS);
  SAME(clFinish(queue), CL_SUCCESS);
}

static void arg(cl_kernel k, cl_uint i, size_t n, const void *v) {
  SAME(clSetKernelArg(k, i, n, v), CL_SUCCESS);
}

static void a_region_is_read_as_it_was_written(void) {
  enum { W = 37, H = 21, D = 5 };
  static uint32_t in[W * H * D], out[W * H * D];
  for (unsigned i = 0; i < W * H * D; i++)
    in[i] = i * 2654435761u;
  static const struct {
    cl_mem_object_type type;
    size_t n[3];
  } kinds[] = {{CL_MEM_OBJECT_IMAGE1D, {W, 1, 1}},
               {CL_MEM_OBJECT_IMAGE1D_ARRAY, {W, 5, 1}},
               {CL_MEM_OBJECT_IMAGE2D, {W, H, 1}},
               {CL_MEM_OBJECT_IMAGE2D_ARRAY, {W, H, D}},
               {CL_MEM_OBJECT_IMAGE3D, {W, H, D}}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const size_t *n = kinds[k].n;
    bool lines = kinds[k].type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    cl_mem m =
        image(kinds[k].type, CL_R, CL_UNSIGNED_INT32, n[0], lines ? 1 : n[1], lines ? n[1] : n[2], NULL);
    size_t origin[3] = {0}, region[3] = {n[0], n[1], n[2]};
    memset(out, 0, sizeof out);
    SAME(clEnqueueWriteImage(queue, m, CL_TRUE, origin, region, 0, 0, in, 0, NULL, NULL), CL_SUCCESS);
    SAME(clEnqueueReadImage(queue, m, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL), CL_SUCCESS);
    CHECK(memcmp(in, out, n[0] * n[1] * n[2] * 4) == 0);
    size_t part[3] = {3, n[1] > 1 ? 1 : 0, n[2] > 1 ? 2 : 0},
           some[3] = {7, n[1] > 1 ? 3 : 1, n[2] > 1 ? 2 : 1};
    SAME(clEnqueueReadImage(queue, m, CL_TRUE, part, some, 0, 0, out, 0, NULL, NULL), CL_SUCCESS);
    for (size_t z = 0; z < some[2]; z++)
      for (size_t y = 0; y < some[1]; y++)
        for (size_t x = 0; x < some[0]; x++)
          SAME(out[(z * some[1] + y) * some[0] + x],
               in[((part[2] + z) * n[1] + part[1] + y) * n[0] + part[0] + x]);
    size_t beyond[3] = {n[0] - 1, 0, 0}, two[3] = {2, 1, 1};
    SAME(clEnqueueReadImage(queue, m, CL_TRUE, beyond, two, 0, 0, out, 0, NULL, NULL), CL_INVALID_VALUE);
    clReleaseMemObject(m);
  }
}

static void an_image_says_what_it_is(void) {
  cl_mem m = image(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNORM_INT8, 20, 10, 0, NULL);
  size_t v = 0;
  SAME(clGetImageInfo(m, CL_IMAGE_WIDTH, sizeof v, &v, NULL), CL_SUCCESS);
  SAME(v, 20);
  SAME(clGetImageInfo(m, CL_IMAGE_HEIGHT, sizeof v, &v, NULL), CL_SUCCESS);
  SAME(v, 10);
  SAME(clGetImageInfo(m, CL_IMAGE_ELEMENT_SIZE, sizeof v, &v, NULL), CL_SUCCESS);
  SAME(v, 4);
  cl_mem_object_type t = 0;
  SAME(clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof t, &t, NULL), CL_SUCCESS);
  SAME(t, CL_MEM_OBJECT_IMAGE2D);
  clReleaseMemObject(m);
  cl_uint n = 0;
  SAME(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n), CL_SUCCESS);
  CHECK(n >= 11); /* table 5.8 */
  cl_bool yes = CL_FALSE;
  SAME(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof yes, &yes, NULL), CL_SUCCESS);
  SAME(yes, CL_TRUE);
  cl_image_format bad = {CL_RGBA, CL_UNORM_SHORT_565};
  cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  cl_int err;
  CHECK(!clCreateImage(context, CL_MEM_READ_ONLY, &bad, &d, NULL, &err));
  SAME(err, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

static void kernels_copy_images(void) {
  enum { W = 19, H = 13 };
  cl_kernel k = kernel(
      "kernel void copy(read_only image2d_t a, write_only image2d_t b) {\n"
      "  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
      "  int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
      "  int2 n = get_image_dim(a);\n"
      "  write_imagef(b, c, read_imagef(a, s, (int2)(n.x - 1 - c.x, get_image_height(a) - 1 - c.y)));\n"
      "}\n",
      "copy");
  uint8_t in[W * H * 4], out[W * H * 4] = {0};
  for (unsigned i = 0; i < sizeof in; i++)
    in[i] = (uint8_t)(i * 37);
  cl_mem a = image(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNORM_INT8, W, H, 0, in);
  cl_mem b = image(CL_MEM_OBJECT_IMAGE2D, CL_BGRA, CL_UNORM_INT8, W, H, 0, NULL);
  arg(k, 0, sizeof a, &a);
  arg(k, 1, sizeof b, &b);
  run(k, 2, W, H, 1);
  size_t origin[3] = {0}, region[3] = {W, H, 1};
  SAME(clEnqueueReadImage(queue, b, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL), CL_SUCCESS);
  unsigned wrong = 0;
  for (unsigned i = 0; i < W * H; i++) {
    const uint8_t *from = &in[(W * H - 1 - i) * 4], *to = &out[i * 4];
    wrong += to[0] != from[2] || to[1] != from[1] || to[2] != from[0] || to[3] != from[3];
  }
  SAME(wrong, 0);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseKernel(k);
}

static const char fetch_2d[] =
    "kernel void fetch(read_only image2d_t i, sampler_t s, global const float2 *at, global float4 *to) {\n"
    "  int n = get_global_id(0);\n"
    "  to[n] = read_imagef(i, s, at[n]);\n"
    "}\n";

static bool near(float a, float b) {
  return a - b < 1e-3f && b - a < 1e-3f;
}

/* One texel wide steps: a row 0 10 20 30, the second 40 50 60 70. */
static void samplers_address_and_filter(void) {
  static float texels[8] = {0, 10, 20, 30, 40, 50, 60, 70};
  static const struct {
    cl_bool normalized;
    cl_addressing_mode mode;
    cl_filter_mode filter;
    float x, y, want;
  } rows[] = {
      {0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 2.7f, 1.2f, 60},
      {0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, -5, 9, 40},
      {0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, -5, 0.5f, 0},
      {0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, 3.5f, 1.5f, 70},
      {0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 1, 0.5f, 5},
      {0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 1, 1, 25},
      {0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 0, 0, 0},
      {0, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, 4, 0.5f, 15},
      {1, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, 1.125f, 0.25f, 0},
      {1, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, -0.125f, 0.25f, 30},
      {1, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, 1.125f, 0.25f, 30},
      {1, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, -0.375f, 0.75f, 50},
      {1, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, 0, 0.25f, 15},
      {1, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, 0, 0.25f, 0},
      {1, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 0.5f, 0.5f, 35},
  };
  cl_kernel k = kernel(fetch_2d, "fetch");
  cl_mem m = image(CL_MEM_OBJECT_IMAGE2D, CL_R, CL_FLOAT, 4, 2, 0, texels);
  cl_mem to = buffer(16, NULL);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cl_sampler s = sampler(rows[i].normalized, rows[i].mode, rows[i].filter);
    float at[2] = {rows[i].x, rows[i].y}, got[4] = {0};
    cl_mem from = buffer(sizeof at, at);
    arg(k, 0, sizeof m, &m);
    arg(k, 1, sizeof s, &s);
    arg(k, 2, sizeof from, &from);
    arg(k, 3, sizeof to, &to);
    run(k, 1, 1, 1, 1);
    SAME(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL), CL_SUCCESS);
    if (!near(got[0], rows[i].want))
      fprintf(stderr, "row %zu: %g, not %g\n", i, (double)got[0], (double)rows[i].want);
    CHECK(near(got[0], rows[i].want));
    SAME(got[1] * 8 + got[2] * 4 + got[3], 1); /* (r, 0, 0, 1), at the border too */
    clReleaseMemObject(from);
    clReleaseSampler(s);
  }
  clReleaseMemObject(m);
  clReleaseMemObject(to);
  clReleaseKernel(k);
}

static void every_kind_is_read_and_written_by_kernels(void) {
  cl_kernel k = kernel(
      "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
      "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "kernel void all(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_array_t c,\n"
      "                read_only image3d_t d, read_only image1d_buffer_t e, write_only image1d_t f,\n"
      "                write_only image1d_array_t g, write_only image2d_array_t h, global int *to) {\n"
      "  to[0] = read_imagei(a, s, 2).x;\n"
      "  to[1] = read_imagei(b, s, (int2)(2, 1)).x;\n"
      "  to[2] = read_imagei(c, s, (int4)(1, 1, 1, 0)).x;\n"
      "  to[3] = read_imagei(d, s, (int4)(1, 0, 1, 0)).x;\n"
      "  to[4] = read_imagei(e, 3).x;\n"
      "  to[5] = read_imagei(a, 1).x + read_imagei(b, (int2)(0, 1)).x;\n"
      "  to[6] = get_image_array_size(b) * 100 + get_image_array_size(c) * 10 + get_image_depth(d);\n"
      "  to[7] = get_image_width(e) + get_image_dim(d).z;\n"
      "  to[8] = read_imagei(c, s, (float4)(0.5f, 0.5f, 0.6f, 0)).x;\n"
      "  to[9] = read_imagei(a, s, -1).x;\n"
      "  write_imagei(f, 1, (int4)(77));\n"
      "  write_imagei(g, (int2)(0, 1), (int4)(78));\n"
      "  write_imagei(h, (int4)(1, 0, 1, 0), (int4)(79));\n"
      "  write_imagei(f, 100, (int4)(1));\n"
      "  to[10] = get_image_channel_data_type(a) == CLK_SIGNED_INT32;\n"
      "  to[11] = get_image_channel_order(a) == CLK_R;\n"
      "}\n",
      "all");
  int v[8] = {1, 2, 3, 4, 5, 6, 7, 8}, got[12] = {0};
  cl_mem m[8] = {image(CL_MEM_OBJECT_IMAGE1D, CL_R, CL_SIGNED_INT32, 4, 0, 0, v),
                 image(CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_R, CL_SIGNED_INT32, 4, 0, 2, v),
                 image(CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_R, CL_SIGNED_INT32, 2, 2, 2, v),
                 image(CL_MEM_OBJECT_IMAGE3D, CL_R, CL_SIGNED_INT32, 2, 2, 2, v),
                 NULL,
                 image(CL_MEM_OBJECT_IMAGE1D, CL_R, CL_SIGNED_INT32, 4, 0, 0, v),
                 image(CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_R, CL_SIGNED_INT32, 4, 0, 2, v),
                 image(CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_R, CL_SIGNED_INT32, 2, 2, 2, v)};
  cl_mem bytes = buffer(sizeof v, v), to = buffer(sizeof got, NULL);
  cl_image_format f = {CL_R, CL_SIGNED_INT32};
  cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8, .buffer = bytes};
  cl_int err;
  m[4] = clCreateImage(context, CL_MEM_READ_WRITE, &f, &d, NULL, &err);
  SAME(err, CL_SUCCESS);
  for (cl_uint i = 0; i < 8; i++)
    arg(k, i, sizeof m[i], &m[i]);
  arg(k, 8, sizeof to, &to);
  run(k, 1, 1, 1, 1);
  SAME(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL), CL_SUCCESS);
  static const int want[12] = {3, 7, 8, 6, 4, 7, 222, 10, 5, 0, 1, 1};
  for (int i = 0; i < 12; i++)
    SAME(got[i], want[i]);
  size_t origin[3] = {0}, line[3] = {4, 1, 1}, lines[3] = {4, 2, 1}, planes[3] = {2, 2, 2};
  int back[8];
  SAME(clEnqueueReadImage(queue, m[5], CL_TRUE, origin, line, 0, 0, back, 0, NULL, NULL), CL_SUCCESS);
  SAME(back[1], 77);
  SAME(back[3], 4);
  SAME(clEnqueueReadImage(queue, m[6], CL_TRUE, origin, lines, 0, 0, back, 0, NULL, NULL), CL_SUCCESS);
  SAME(back[4], 78);
  SAME(clEnqueueReadImage(queue, m[7], CL_TRUE, origin, planes, 0, 0, back, 0, NULL, NULL), CL_SUCCESS);
  SAME(back[5], 79);
  for (int i = 0; i < 8; i++)
    clReleaseMemObject(m[i]);
  clReleaseMemObject(bytes);
  clReleaseMemObject(to);
  clReleaseKernel(k);
}

static void images_are_copied_filled_and_mapped(void) {
  enum { W = 9, H = 7 };
  static float v[W * H * 4];
  for (unsigned i = 0; i < W * H * 4; i++)
    v[i] = (float)i;
  cl_mem a = image(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_FLOAT, W, H, 0, v);
  cl_mem b = image(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_FLOAT, W, H, 0, NULL);
  size_t at[3] = {0}, to[3] = {2, 3, 0}, n[3] = {4, 2, 1}, all[3] = {W, H, 1};
  float colour[4] = {1, 2, 3, 4}, got[W * H * 4];
  SAME(clEnqueueFillImage(queue, b, colour, at, all, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueCopyImage(queue, a, b, at, to, n, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueReadImage(queue, b, CL_TRUE, at, all, 0, 0, got, 0, NULL, NULL), CL_SUCCESS);
  SAME(got[0], 1);
  SAME(got[3], 4);
  SAME(got[(3 * W + 2) * 4], v[0]);
  SAME(got[(4 * W + 5) * 4 + 2], v[(W + 3) * 4 + 2]);
  SAME(got[(4 * W + 6) * 4], 1);
  cl_mem bytes = buffer(4 * 2 * 16, NULL);
  float flat[32];
  SAME(clEnqueueCopyImageToBuffer(queue, a, bytes, to, n, 0, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueReadBuffer(queue, bytes, CL_TRUE, 0, sizeof flat, flat, 0, NULL, NULL), CL_SUCCESS);
  SAME(flat[16], v[(4 * W + 2) * 4]);
  SAME(clEnqueueCopyBufferToImage(queue, bytes, b, 0, at, n, 0, NULL, NULL), CL_SUCCESS);
  size_t row = 0;
  cl_int err;
  float *mapped = clEnqueueMapImage(queue, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, at, all, &row, NULL, 0,
                                    NULL, NULL, &err);
  SAME(err, CL_SUCCESS);
  CHECK(row >= W * 16);
  SAME(mapped[0], flat[0]);
  mapped[row / 4 * 6 + 8 * 4] = 99;
  SAME(clEnqueueUnmapMemObject(queue, b, mapped, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueReadImage(queue, b, CL_TRUE, at, all, 0, 0, got, 0, NULL, NULL), CL_SUCCESS);
  SAME(got[(6 * W + 8) * 4], 99);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(bytes);
}

static void wrong_arguments_are_refused(void) {
  cl_kernel k = kernel(fetch_2d, "fetch");
  cl_mem b = buffer(64, NULL), line = image(CL_MEM_OBJECT_IMAGE1D, CL_R, CL_FLOAT, 4, 0, 0, NULL);
  SAME(clSetKernelArg(k, 0, sizeof b, &b), CL_INVALID_MEM_OBJECT);
  SAME(clSetKernelArg(k, 1, sizeof b, &b), CL_INVALID_SAMPLER);
  SAME(clSetKernelArg(k, 2, sizeof line, &line), CL_INVALID_MEM_OBJECT);
  cl_int err;
  CHECK(!clCreateSampler(context, CL_FALSE, 0x1234, CL_FILTER_NEAREST, &err));
  SAME(err, CL_INVALID_VALUE);
  clReleaseMemObject(b);
  clReleaseMemObject(line);
  clReleaseKernel(k);
}

int main(void) {
  open_device();
  RULE(an_image_says_what_it_is);
  RULE(a_region_is_read_as_it_was_written);
  RULE(kernels_copy_images);
  RULE(samplers_address_and_filter);
  RULE(every_kind_is_read_and_written_by_kernels);
  RULE(images_are_copied_filled_and_mapped);
  RULE(wrong_arguments_are_refused);
  return finish();
}
