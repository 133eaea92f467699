/* The samples' host programs as far as the GPU notices them: buffers, their contents, launches. samples KERNELS.cl SAMPLE [NUMBER...] */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_uint nargs;

static void check(cl_int e, const char *what) {
  if (e == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: error %d\n", what, e);
  exit(1);
}

static uint32_t next_random(void) {
  static uint64_t state = 123;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

static double uniform(double lo, double hi) {
  return lo + (hi - lo) * next_random() / 2147483648.0;
}

static cl_mem buffer(size_t bytes, const void *from) {
  cl_int e;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                            (void *)(uintptr_t)from, &e);
  check(e, "buffer");
  return m;
}

static void begin(const char *name) {
  cl_int e;
  if (kernel)
    clReleaseKernel(kernel);
  kernel = clCreateKernel(program, name, &e);
  check(e, name);
  nargs = 0;
}
static void arg(size_t bytes, const void *value) {
  check(clSetKernelArg(kernel, nargs++, bytes, value), "argument");
}
static void mem(cl_mem m) {
  arg(sizeof m, &m);
}
static void number(uint32_t v) {
  arg(sizeof v, &v);
}
static void real(float v) {
  arg(sizeof v, &v);
}
static void local(size_t bytes) {
  arg(bytes, NULL);
}
static void launch(size_t gx, size_t gy, size_t lx, size_t ly) {
  size_t global[2] = {gx, gy}, group[2] = {lx, ly};
  check(clEnqueueNDRangeKernel(queue, kernel, gy > 1 || ly > 1 ? 2 : 1, NULL, global, group, 0, NULL, NULL),
        "launch");
}
static void read_back(cl_mem m, size_t bytes, void *to) {
  check(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "read");
}
static void write_to(cl_mem m, size_t bytes, const void *from) {
  check(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, bytes, from, 0, NULL, NULL), "write");
}

static cl_mem floats(size_t n, double lo, double hi) {
  float *v = malloc(n * sizeof *v);
  for (size_t i = 0; i < n; i++)
    v[i] = (float)uniform(lo, hi);
  cl_mem m = buffer(n * sizeof *v, v);
  free(v);
  return m;
}
static cl_mem numbers(size_t n, double lo, double hi) {
  uint32_t *v = malloc(n * sizeof *v);
  for (size_t i = 0; i < n; i++)
    v[i] = (uint32_t)uniform(lo, hi);
  cl_mem m = buffer(n * sizeof *v, v);
  free(v);
  return m;
}

static void transpose(const uint32_t *x) {
  uint32_t n = x[0];
  cl_mem in = floats((size_t)n * n, 0, 255), out = buffer((size_t)n * n * 4, NULL);
  begin("transpose");
  mem(out), mem(in), local(16 * 16 * 4), number(n), number(n), number(16);
  launch(n, n, 16, 16);
}

static void reduction(const uint32_t *x) {
  uint32_t n = x[0];
  cl_mem in = numbers(n, 0, 5), out = buffer(n / 1024 * 16, NULL);
  begin("reduce");
  mem(in), mem(out), local(256 * 16);
  launch(n / 4, 1, 256, 1);
}

static void walsh(const uint32_t *x) {
  cl_mem data = floats(x[0], 0, 255);
  begin("walsh");
  for (uint32_t step = 1; step < x[0]; step *= 2) {
    nargs = 0;
    mem(data), number(step);
    launch(x[0] / 2, 1, 256, 1);
  }
}

static void multiply(const uint32_t *x) {
  uint32_t n = x[0];
  cl_mem a = floats((size_t)n * n, 0, 10), b = floats((size_t)n * n, 0, 10),
         c = buffer((size_t)n * n * 4, NULL);
  begin("multiply");
  mem(a), mem(b), mem(c), number(n), number(n);
  launch(n / 4, n / 4, 8, 8);
}

static void dct(const uint32_t *x) {
  uint32_t n = x[0];
  float cosines[64];
  for (int i = 0; i < 64; i++)
    cosines[i] = (float)(i < 8 ? sqrt(0.125) : 0.5 * cos((2 * (i % 8) + 1) * (i / 8) * M_PI / 16));
  cl_mem in = floats((size_t)n * n, 0, 255), out = buffer((size_t)n * n * 4, NULL),
         c = buffer(sizeof cosines, cosines);
  begin("dct");
  mem(out), mem(in), mem(c), local(64 * 4), number(n), number(8), number(0);
  launch(n, n, 8, 8);
}

static void floyd(const uint32_t *x) {
  uint32_t n = x[0], *d = malloc((size_t)n * n * 4), *via = malloc((size_t)n * n * 4);
  for (uint32_t i = 0; i < n * n; i++)
    d[i] = i % n == i / n ? 0 : (uint32_t)uniform(0, 201), via[i] = i / n;
  cl_mem distance = buffer((size_t)n * n * 4, d), path = buffer((size_t)n * n * 4, via);
  begin("floyd");
  for (uint32_t k = 0; k < n; k++) {
    nargs = 0;
    mem(distance), mem(path), number(n), number(k);
    launch((size_t)n * n, 1, n, 1);
  }
}

static void binomial(const uint32_t *x) {
  cl_mem random = floats(x[0] * 4, 0, 1), out = buffer(x[0] * 16, NULL);
  begin("binomial");
  number(254), mem(random), mem(out), local(255 * 16), local(255 * 16);
  launch((size_t)x[0] * 255, 1, 255, 1);
}

static void bitonic(const uint32_t *x) {
  cl_mem data = numbers(x[0], 0, 255);
  begin("bitonic");
  for (uint32_t stage = 0; 1u << stage < x[0]; stage++)
    for (uint32_t pass = 0; pass <= stage; pass++) {
      nargs = 0;
      mem(data), number(stage), number(pass), number(x[0]), number(1);
      launch(x[0] / 2, 1, 1, 1);
    }
}

static void scholes(const uint32_t *x) {
  (void)x; /* the same run for all sizes */
  size_t n = 256 * 256;
  cl_mem random = floats(n * 4, 0, 1), call = buffer(n * 16, NULL), put = buffer(n * 16, NULL);
  begin("scholes");
  mem(random), number(256), mem(call), mem(put);
  launch(256, 256, 16, 16);
}

static void histogram(const uint32_t *x) {
  uint32_t n = x[0] * x[0], groups = n / (128 * 256);
  cl_mem data = numbers(n, 0, 256), out = buffer(groups * 256 * 4, NULL);
  begin("histogram");
  mem(data), local(128 * 256), mem(out);
  launch((size_t)groups * 128, 1, 128, 1);
}

static void prefix(const uint32_t *x) {
  uint32_t n = x[0];
  cl_mem in = floats(n, 0, 10), out = buffer(n * 4, NULL);
  begin("prefix");
  mem(out), mem(in), local(n * 4), number(n), number(1);
  launch(n / 2, 1, n / 2, 1);
}

/* The host scans the counts between the two launches of a digit. */
static void radix(const uint32_t *x) {
  uint32_t n = x[0], items = n / 256, size = items < 64 ? items : 64, groups = items / size;
  size_t bytes = (size_t)n * 4;
  uint32_t *count = malloc(bytes);
  cl_mem from = numbers(n, 0, 4294967296.0), to = buffer(bytes, NULL), counts = buffer(bytes, NULL);
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    begin("radix_count");
    mem(from), mem(counts), number(shift), local(size * 256 * 2);
    launch(items, 1, size, 1);
    read_back(counts, bytes, count);
    uint32_t sum = 0;
    for (uint32_t value = 0; value < 256; value++)
      for (uint32_t i = 0; i < groups * size; i++) {
        uint32_t here = count[i * 256 + value];
        count[i * 256 + value] = sum;
        sum += here;
      }
    write_to(counts, bytes, count);
    begin("radix_place");
    mem(from), mem(counts), number(shift), local(size * 256 * 2), mem(to);
    launch(items, 1, size, 1);
    cl_mem other = from;
    from = to, to = other;
  }
}

static void eigen(const uint32_t *x) {
  uint32_t n = x[0] < 256 ? 256 : x[0];
  float *d = malloc(n * 4), *off = malloc(n * 4), *v = malloc(n * 8), low = 1e30f, high = -1e30f;
  for (uint32_t i = 0; i < n; i++)
    d[i] = (float)uniform(0, 256), off[i] = (float)uniform(0, 256);
  for (uint32_t i = 0; i < n; i++) { /* Gershgorin */
    float r = (i ? off[i - 1] : 0) + (i + 1 < n ? off[i] : 0);
    low = fminf(low, d[i] - r), high = fmaxf(high, d[i] + r);
  }
  for (uint32_t i = 0; i < n; i++)
    v[2 * i] = i ? high : low, v[2 * i + 1] = high;
  cl_mem diagonal = buffer(n * 4, d), beside = buffer(n * 4, off), counts = buffer(n * 4, NULL);
  cl_mem at[2] = {buffer(n * 8, v), buffer(n * 8, v)};
  for (int in = 0, more = 1; more; in = !in) {
    begin("eigen_count");
    mem(counts), mem(at[in]), mem(diagonal), mem(beside), number(n);
    launch(n, 1, 256, 1);
    begin("eigen_divide");
    mem(at[!in]), mem(at[in]), mem(counts), mem(diagonal), mem(beside), number(n), real(0.001f);
    launch(n, 1, 256, 1);
    read_back(at[!in], n * 8, v);
    more = 0;
    for (uint32_t i = 0; i < n; i++)
      more |= v[2 * i + 1] - v[2 * i] >= 0.001f;
  }
}

static void fft(const uint32_t *x) {
  (void)x;
  cl_mem re = floats(1024, 0, 255), im = floats(1024, 0, 255);
  begin("fft");
  mem(re), mem(im);
  launch(64, 1, 64, 1);
}

static void search(const uint32_t *x) {
  uint32_t *v = malloc((size_t)x[0] * 4), at = 0;
  for (uint32_t i = 0; i < x[0]; i++)
    v[i] = at += (uint32_t)uniform(0, 10);
  uint32_t key = v[x[0] / 256 / 2 * 256];
  cl_mem sorted = buffer((size_t)x[0] * 4, v), out = buffer(16, NULL);
  begin("search");
  mem(out), mem(sorted), number(256), number(key);
  launch(x[0] / 256, 1, 256, 1);
}

static void gaussian(const uint32_t *x) {
  uint32_t n = x[0];
  cl_mem image = numbers((size_t)n * n, 0, 4294967296.0), work = buffer((size_t)n * n * 4, NULL);
  for (int k = 0; k < 2; k++) {
    begin("gaussian");
    mem(image), mem(work), number(n), number(n);
    const float filter[] = {0.0047f, 0.0042f, 0.0046f, -0.0041f, -1.81f, 0.82f};
    for (int i = 0; i < 6; i++)
      real(filter[i]);
    launch(n, 1, 256, 1);
    begin("turn_image");
    mem(image), mem(work), local(16 * 16 * 4), number(n), number(n), number(16);
    launch(n, n, 16, 16);
  }
}

static const struct {
  const char *name;
  void (*run)(const uint32_t *x);
} samples[] = {{"MatrixTranspose", transpose},
               {"Reduction", reduction},
               {"FastWalshTransform", walsh},
               {"MatrixMultiplication", multiply},
               {"DCT", dct},
               {"FloydWarshall", floyd},
               {"BinomialOption", binomial},
               {"BitonicSort", bitonic},
               {"BlackScholes", scholes},
               {"Histogram", histogram},
               {"PrefixSum", prefix},
               {"RadixSort", radix},
               {"EigenValue", eigen},
               {"FFT", fft},
               {"BinarySearch", search},
               {"RecursiveGaussian", gaussian}};

static char *contents(const char *path) {
  static char text[1 << 17];
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (!n)
    fprintf(stderr, "%s: cannot be read\n", path), exit(1);
  fclose(f);
  return text;
}

int main(int argc, char **argv) {
  uint32_t x[4] = {0};
  if (argc < 3)
    fprintf(stderr, "usage: %s KERNELS.cl SAMPLE [NUMBER...]\n", argv[0]), exit(2);
  for (int i = 3; i < argc && i < 7; i++)
    x[i - 3] = (uint32_t)strtoul(argv[i], NULL, 10);
  cl_platform_id platform;
  cl_device_id device;
  cl_int e;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  check(e, "context");
  queue = clCreateCommandQueue(context, device, 0, &e);
  check(e, "queue");
  const char *source = contents(argv[1]);
  program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  check(e, "program");
  e = clBuildProgram(program, 1, &device, "", NULL, NULL);
  if (e != CL_SUCCESS) {
    char log[8192] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  check(e, "build");
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    if (!strcmp(argv[2], samples[i].name)) {
      samples[i].run(x);
      check(clFinish(queue), "end");
      return 0;
    }
  fprintf(stderr, "no sample %s\n", argv[2]);
  return 2;
}
