/* A sum over 3 x 3 texels of a texture, nine point fetches a thread: bound by the cache that fetches go through. docs/textures.md has its numbers.
 *   cuda_stencil array|pitch SIDE      an array, laid out as the GPU does it, or pitch-linear memory */
#include "own.h"

typedef struct {
  int x, y, z, w, kind;
} format;
typedef struct {
  int type;
  union {
    void *array;
    struct {
      void *at;
      format f;
      size_t width, height, pitch;
    } rows;
    int pad[32];
  } of;
} resource;
typedef struct {
  int address[3], filter, mode, srgb;
  float border[4];
  int normalized;
  unsigned anisotropy;
  int more[6];
} reading;

int cudaMallocArray(void **to, const format *f, size_t width, size_t height, unsigned flags);
int cudaCreateTextureObject(uint64_t *to, const resource *r, const reading *d, const void *view);
int cudaMemcpy2DToArray(void *a, size_t x, size_t y, const void *src, size_t pitch, size_t w, size_t h,
                        int kind);

static const char head[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry stencil(.param .u64 t, .param .u64 to, .param .u32 side) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<4>; .reg .f32 %f<12>;\n"
    "ld.param.u64 %d0, [t]; ld.param.u64 %d1, [to]; ld.param.u32 %r8, [side];\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r0, %r1, %r2;\n"
    "mov.u32 %r0, %ctaid.y; mov.u32 %r1, %ntid.y; mov.u32 %r2, %tid.y; mad.lo.u32 %r4, %r0, %r1, %r2;\n"
    "cvt.rn.f32.u32 %f0, %r3; cvt.rn.f32.u32 %f1, %r4; mov.f32 %f2, 0f00000000;\n";
static const char tail[] = "mad.lo.u32 %r5, %r4, %r8, %r3; mul.wide.u32 %d2, %r5, 4; add.s64 %d1, %d1, %d2;\n"
                           "st.global.f32 [%d1], %f2; ret; }\n";

/* A texel's centre is half a texel beyond its edge. */
static char *program(void) {
  static char text[8192];
  size_t n = (size_t)snprintf(text, sizeof text, "%s", head);
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      float x = (float)dx + 0.5f, y = (float)dy + 0.5f;
      uint32_t bx, by;
      memcpy(&bx, &x, 4), memcpy(&by, &y, 4);
      n += (size_t)snprintf(
          text + n, sizeof text - n,
          "add.f32 %%f3, %%f0, 0f%08X; add.f32 %%f4, %%f1, 0f%08X;\n"
          "tex.2d.v4.f32.f32 {%%f5, %%f6, %%f7, %%f8}, [%%d0, {%%f3, %%f4}]; add.f32 %%f2, %%f2, %%f5;\n",
          bx, by);
    }
  snprintf(text + n, sizeof text - n, "%s", tail);
  return text;
}

static float texel(int x, int y, int side) { /* clamped to the edge */
  x = x < 0 ? 0 : x >= side ? side - 1 : x;
  y = y < 0 ? 0 : y >= side ? side - 1 : y;
  return (float)((x * 7 + y * 13) % 251);
}

int main(int argc, char **argv) {
  static char stub;
  int side = argc > 2 ? atoi(argv[2]) : 64;
  size_t row = (size_t)side * sizeof(float), all = row * (size_t)side;
  float *data = malloc(all), *got = malloc(all);
  for (int i = 0; i < side * side; i++)
    data[i] = texel(i % side, i / side, side);
  register_kernel(register_fat(fat_binary(program(), PLAIN, 75, false)), &stub, "stencil");
  format f = {.x = 32, .kind = 2};
  resource r = {0};
  if (argc > 1 && strcmp(argv[1], "pitch") == 0) {
    r.type = 3, r.of.rows.f = f, r.of.rows.width = r.of.rows.height = (size_t)side;
    SAME(cudaMallocPitch(&r.of.rows.at, &r.of.rows.pitch, row, (size_t)side), 0);
    SAME(cudaMemcpy2D(r.of.rows.at, r.of.rows.pitch, data, row, row, (size_t)side, H2D), 0);
  } else {
    SAME(cudaMallocArray(&r.of.array, &f, (size_t)side, (size_t)side, 0), 0);
    SAME(cudaMemcpy2DToArray(r.of.array, 0, 0, data, row, row, (size_t)side, H2D), 0);
  }
  reading d = {.address = {1, 1, 1}};
  uint64_t object = 0;
  void *to;
  SAME(cudaCreateTextureObject(&object, &r, &d, NULL), 0);
  SAME(cudaMalloc(&to, all), 0);
  void *params[] = {&object, &to, &side};
  SAME(cudaLaunchKernel(&stub, (dim3){(unsigned)side / 32, (unsigned)side / 8, 1}, (dim3){32, 8, 1}, params,
                        0, NULL),
       0);
  SAME(cudaMemcpy(got, to, all, D2H), 0);
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      float sum = 0;
      for (int k = 0; k < 9; k++)
        sum += texel(x + k % 3 - 1, y + k / 3 - 1, side);
      SAME(got[y * side + x], sum);
    }
  printf("%s\n", failures ? "Failed!" : "Passed!");
  return failures != 0;
}
