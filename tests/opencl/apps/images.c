/* Two ways to read a picture: `turn` copies it turned by a quarter, which walks down columns; `rotate` turns it by 30 degrees about
 * its middle with linear filtering, four texels a pixel. Prints sums that a program of its own can check.
 *   app_images [turn|rotate] [WIDTH] */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "constant sampler_t point = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_NEAREST;\n"
    "constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
    "kernel void turn(read_only image2d_t from, write_only image2d_t to) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  write_imagef(to, (int2)(x, y), read_imagef(from, point, (int2)(y, get_image_height(from) - 1 - x)));\n"
    "}\n"
    "kernel void rotate(read_only image2d_t from, write_only image2d_t to) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  float2 m = convert_float2(get_image_dim(from)) * 0.5f, p = (float2)(x + 0.5f, y + 0.5f) - m;\n"
    "  float2 q = (float2)(0.8660254f * p.x - 0.5f * p.y, 0.5f * p.x + 0.8660254f * p.y) + m;\n"
    "  write_imagef(to, (int2)(x, y), read_imagef(from, linear, q));\n"
    "}\n";

static void check(cl_int e, const char *what) {
  if (e) {
    fprintf(stderr, "%s: %d\n", what, e);
    exit(1);
  }
}

int main(int argc, char **argv) {
  int has_folder = argc > 1 && strcmp(argv[1], "turn") && strcmp(argv[1], "rotate");
  const char *only = !has_folder && argc > 1 ? argv[1] : NULL;
  size_t n = !has_folder && argc > 2 ? (size_t)atoi(argv[2]) : 64;
  cl_platform_id platform;
  cl_device_id device;
  cl_int e;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  check(e, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
  check(e, "queue");
  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
  check(e, "program");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  float *pixels = malloc(n * n * sizeof *pixels);
  for (size_t i = 0; i < n * n; i++)
    pixels[i] = (float)(i % n % 16) * 8 + (float)(i / n % 8);
  cl_image_format format = {CL_R, CL_FLOAT};
  cl_mem from =
      clCreateImage2D(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, n, n, 0, pixels, &e);
  check(e, "image");
  cl_mem to = clCreateImage2D(context, CL_MEM_WRITE_ONLY, &format, n, n, 0, NULL, &e);
  check(e, "image");
  for (int i = 0; i < 2; i++) {
    const char *name = i ? "rotate" : "turn";
    if (only && strcmp(only, name))
      continue;
    cl_kernel kernel = clCreateKernel(program, name, &e);
    check(e, "kernel");
    check(clSetKernelArg(kernel, 0, sizeof from, &from), "argument 0");
    check(clSetKernelArg(kernel, 1, sizeof to, &to), "argument 1");
    size_t global[2] = {n, n}, local[2] = {32, 8}, origin[3] = {0}, region[3] = {n, n, 1};
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "launch");
    check(clEnqueueReadImage(queue, to, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL), "read");
    double sum = 0, weighted = 0;
    for (size_t k = 0; k < n * n; k++)
      sum += (double)pixels[k], weighted += (double)pixels[k] * (double)(k % 97);
    printf("%s %.1f %.1f\n", name, sum, weighted);
    clReleaseKernel(kernel);
  }
  clReleaseMemObject(from), clReleaseMemObject(to);
  clReleaseProgram(program), clReleaseCommandQueue(queue), clReleaseContext(context);
  free(pixels);
  return 0;
}
