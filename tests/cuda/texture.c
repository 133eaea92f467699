/* Textures and surfaces through the runtime: the fetches that an H200 recorded (tests/texture) give the same bits when a program
 * makes arrays, memory and texture objects for them; references, surfaces and copies of arrays do as CUDA's guide says. */
#include "own.h"
#include "../texture/cases.h"

typedef struct {
  int x, y, z, w, kind;
} format;
typedef struct {
  int type;
  union {
    struct {
      void *array;
    } array;
    struct {
      void *at;
      format f;
      size_t bytes;
    } linear;
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
typedef struct {
  int normalized, filter, address[3];
  format f;
  int srgb, more[20];
} reference;

int cudaMallocArray(void **to, const format *f, size_t width, size_t height, unsigned flags);
int cudaMalloc3DArray(void **to, const format *f, extent e, unsigned flags), cudaFreeArray(void *a);
int cudaCreateTextureObject(uint64_t *to, const resource *r, const reading *d, const void *view);
int cudaDestroyTextureObject(uint64_t t);
int cudaCreateSurfaceObject(uint64_t *to, const resource *r), cudaDestroySurfaceObject(uint64_t s);
int cudaMemcpy2DToArray(void *a, size_t x, size_t y, const void *src, size_t pitch, size_t w, size_t h,
                        int kind);
int cudaMemcpy2DFromArray(void *to, size_t pitch, const void *a, size_t x, size_t y, size_t w, size_t h,
                          int kind);
int cudaMemcpyToArray(void *a, size_t x, size_t y, const void *src, size_t n, int kind);
int cudaBindTexture(size_t *offset, const reference *r, const void *p, const format *f, size_t bytes);
int cudaBindTextureToArray(const reference *r, const void *array, const format *f);
int cudaUnbindTexture(const reference *r);
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dim,
                           int norm, int ext);

/* One fetch a thread: coordinates of four floats, a layer or index, four words of result. */
#define KERNEL(name, fetch)                                                                                  \
  ".visible .entry " name "(.param .u64 t, .param .u64 at, .param .u64 index, .param .u64 to) {\n"           \
  ".reg .b32 %r<8>; .reg .b64 %d<6>; .reg .f32 %f<8>;\n"                                                     \
  "ld.param.u64 %d0, [t]; ld.param.u64 %d1, [at]; ld.param.u64 %d2, [index]; ld.param.u64 %d3, [to];\n"      \
  "mov.u32 %r0, %tid.x; mul.wide.u32 %d4, %r0, 16; mul.wide.u32 %d5, %r0, 4;\n"                              \
  "add.s64 %d1, %d1, %d4; add.s64 %d2, %d2, %d5; add.s64 %d3, %d3, %d4;\n"                                   \
  "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d1]; ld.global.u32 %r5, [%d2];\n" fetch                          \
  " st.global.v4.u32 [%d3], {%r1, %r2, %r3, %r4}; ret; }\n"
#define TEX(shape, at, type) "tex." shape ".v4.u32." type " {%r1, %r2, %r3, %r4}, [%d0, {" at "}];"
#define GATHER(c)            "tld4." c ".2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%d0, {%f0, %f1}];"
static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n.global .texref table;\n" KERNEL(
    "k0", TEX("1d", "%f0", "f32")) KERNEL("k1", TEX("2d", "%f0, %f1", "f32"))
    KERNEL("k2", TEX("3d", "%f0, %f1, %f2, %f2", "f32")) KERNEL("k3", TEX("a1d", "%r5, %f0", "f32"))
        KERNEL("k4", TEX("a2d", "%r5, %f0, %f1, %f1", "f32")) KERNEL("k5", GATHER("r"))
            KERNEL("k6", TEX("1d", "%r5", "s32")) KERNEL("k7", TEX("2d", "%f0, %f1", "f32"))
                KERNEL("k8", GATHER("g")) KERNEL("k9", GATHER("b")) KERNEL("k10", GATHER("a"))
                    KERNEL("by_name", "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [table, "
                                      "{%r5}];") ".visible .entry surface(.param .u64 s, "
                                                 ".param .u64 d) {\n"
                                                 ".reg .b32 %r<6>; .reg .b64 %d<2>;\n"
                                                 "ld.param.u64 %d0, [s]; ld.param.u64 %d1, "
                                                 "[d]; mov.u32 %r0, %tid.x; mov.u32 %r1, "
                                                 "%tid.y; shl.b32 %r2, %r0, 2;\n"
                                                 "suld.b.2d.b32.zero {%r3}, [%d0, {%r2, "
                                                 "%r1}]; add.s32 %r3, %r3, 1000;\n"
                                                 "sub.s32 %r4, 12, %r2; sust.b.2d.b32.trap "
                                                 "[%d1, {%r4, %r1}], {%r3};\n"
                                                 "sust.b.2d.b32.zero [%d1, {64, %r1}], "
                                                 "{%r3}; ret; }\n";
static char stub[11], stub_name, stub_surface;
static reference table = {.address = {1, 1, 1}};

static format format_of(const struct texture_case *t) {
  int b = (int)(8 * case_bytes(t->element));
  return (format){b, t->channels > 1 ? b : 0, t->channels > 2 ? b : 0, t->channels > 2 ? b : 0,
                  t->element >= EL_F16 ? 2 : !(t->element & 1)};
}

static void run_case(const struct texture_case *t, const uint8_t *want, unsigned number) {
  size_t texel = case_bytes(t->element) * t->channels, row = t->size[0] * texel, slice = row * t->size[1];
  uint8_t *data = calloc(t->size[2], slice);
  for (unsigned i = 0; i < t->size[0] * t->size[1] * t->size[2]; i++)
    for (unsigned c = 0; c < t->channels; c++) {
      uint32_t v = case_texel(t, i, c);
      memcpy(data + i * texel + c * case_bytes(t->element), &v, case_bytes(t->element));
    }
  resource r = {0};
  void *array = NULL, *memory = NULL, *at, *index, *to;
  format f = format_of(t);
  if (t->shape == CASE_LINEAR) {
    SAME(cudaMalloc(&memory, row), 0);
    SAME(cudaMemcpy(memory, data, row, H2D), 0);
    r.type = 2, r.of.linear.at = memory, r.of.linear.f = f, r.of.linear.bytes = row;
  } else if (t->shape == CASE_PITCH) {
    size_t pitch;
    SAME(cudaMallocPitch(&memory, &pitch, row, t->size[1]), 0);
    SAME(cudaMemcpy2D(memory, pitch, data, row, row, t->size[1], H2D), 0);
    r.type = 3, r.of.rows.at = memory, r.of.rows.f = f;
    r.of.rows.width = t->size[0], r.of.rows.height = t->size[1], r.of.rows.pitch = pitch;
  } else {
    bool layers = t->shape == CASE_1D_LAYERS || t->shape == CASE_2D_LAYERS;
    bool flat = t->shape == CASE_1D || t->shape == CASE_1D_LAYERS;
    extent e = {t->size[0], flat ? 0 : t->size[1], layers || t->shape == CASE_3D ? t->size[2] : 0};
    SAME(cudaMalloc3DArray(&array, &f, e, layers ? 1 : t->shape == CASE_GATHER ? 8 : 0), 0);
    copy3d k = {.src = {data, row, t->size[0], t->size[1]},
                .dst_array = array,
                .extent = {t->size[0], t->size[1], t->size[2]},
                .kind = H2D};
    SAME(cudaMemcpy3D(&k), 0);
    r.of.array.array = array;
  }
  reading d = {.filter = t->linear, .mode = t->normalized_read, .normalized = t->normalized_coords};
  for (int k = 0; k < 3; k++)
    d.address[k] = (int)t->mode[k];
  memcpy(d.border, t->border, sizeof d.border);
  uint64_t object = 0;
  SAME(cudaCreateTextureObject(&object, &r, &d, NULL), 0);
  float coordinates[CASE_SAMPLES][4];
  int indices[CASE_SAMPLES];
  uint8_t got[CASE_SAMPLES * 16];
  for (unsigned i = 0; i < CASE_SAMPLES; i++) {
    for (unsigned c = 0; c < 3; c++)
      coordinates[i][c] = case_coordinate(t, i, c);
    coordinates[i][3] = 0;
    indices[i] = case_index(t, i, t->shape == CASE_LINEAR ? t->size[0] : t->size[2]);
  }
  SAME(cudaMalloc(&at, sizeof coordinates), 0);
  SAME(cudaMalloc(&index, sizeof indices), 0);
  SAME(cudaMalloc(&to, sizeof got), 0);
  SAME(cudaMemcpy(at, coordinates, sizeof coordinates, H2D), 0);
  SAME(cudaMemcpy(index, indices, sizeof indices, H2D), 0);
  void *params[] = {&object, &at, &index, &to};
  const char *kernel = &stub[t->shape == CASE_GATHER && t->component ? 7 + t->component : t->shape];
  SAME(cudaLaunchKernel(kernel, (dim3){1, 1, 1}, (dim3){CASE_SAMPLES, 1, 1}, params, 0, NULL), 0);
  SAME(cudaMemcpy(got, to, sizeof got, D2H), 0);
  if (memcmp(got, want, sizeof got))
    fprintf(stderr, "case %u differs\n", number), failures++;
  SAME(cudaDestroyTextureObject(object), 0);
  SAME(array ? cudaFreeArray(array) : cudaFree(memory), 0);
  cudaFree(at), cudaFree(index), cudaFree(to);
  free(data);
}

static void objects_give_an_h200s_bits(void) {
  FILE *f = fopen("tests/texture/h200.zst", "rb");
  static char packed[1 << 20];
  size_t n = f ? fread(packed, 1, sizeof packed, f) : 0,
         bytes = n ? (size_t)ZSTD_getFrameContentSize(packed, n) : 0;
  uint8_t *record = malloc(bytes + 1);
  SAME(ZSTD_decompress(record, bytes, packed, n), bytes);
  struct texture_case t;
  unsigned k = 0;
  for (; case_get(k, &t); k++)
    run_case(&t, record + (size_t)k * CASE_SAMPLES * 16, k);
  SAME((size_t)k * CASE_SAMPLES * 16, bytes);
  free(record);
  if (f)
    fclose(f);
}

static void a_reference_reads_what_is_bound_to_it(void) {
  int v[8] = {5, 6, 7, 8, 9, 10, 11, 12}, indices[4] = {0, 3, 7, 8}, got[16];
  void *data, *index, *to, *at;
  uint64_t none = 0;
  size_t offset = 99;
  format f = {32, 0, 0, 0, 0};
  SAME(cudaMalloc(&data, sizeof v), 0);
  SAME(cudaMalloc(&index, sizeof indices), 0);
  SAME(cudaMalloc(&at, 64), 0);
  SAME(cudaMalloc(&to, sizeof got), 0);
  SAME(cudaMemcpy(data, v, sizeof v, H2D), 0);
  SAME(cudaMemcpy(index, indices, sizeof indices, H2D), 0);
  SAME(cudaBindTexture(&offset, &table, data, &f, sizeof v), 0);
  SAME(offset, 0);
  void *params[] = {&none, &at, &index, &to};
  SAME(cudaLaunchKernel(&stub_name, (dim3){1, 1, 1}, (dim3){4, 1, 1}, params, 0, NULL), 0);
  SAME(cudaMemcpy(got, to, sizeof got, D2H), 0);
  SAME(got[0], 5);
  SAME(got[4], 8);
  SAME(got[8], 12);
  SAME(got[12], 0); /* beyond the end */
  SAME(cudaUnbindTexture(&table), 0);
  cudaFree(data), cudaFree(index), cudaFree(at), cudaFree(to);
}

static void surfaces_are_read_and_written(void) {
  int v[16], got[16];
  for (int i = 0; i < 16; i++)
    v[i] = i;
  format f = {32, 0, 0, 0, 0};
  void *a, *b;
  SAME(cudaMallocArray(&a, &f, 4, 4, 2), 0);
  SAME(cudaMallocArray(&b, &f, 4, 4, 2), 0);
  SAME(cudaMemcpyToArray(a, 0, 0, v, sizeof v, H2D), 0);
  uint64_t from, to;
  resource r = {.of = {.array = {a}}};
  SAME(cudaCreateSurfaceObject(&from, &r), 0);
  r.of.array.array = b;
  SAME(cudaCreateSurfaceObject(&to, &r), 0);
  void *params[] = {&from, &to};
  SAME(cudaLaunchKernel(&stub_surface, (dim3){1, 1, 1}, (dim3){4, 4, 1}, params, 0, NULL), 0);
  SAME(cudaMemcpy2DFromArray(got, 16, b, 0, 0, 16, 4, D2H), 0);
  for (int i = 0; i < 16; i++)
    SAME(got[i], 1000 + i / 4 * 4 + 3 - i % 4);
  SAME(cudaMemcpy2DFromArray(got, 16, b, 16, 0, 4, 1, D2H), 1);
  cudaDestroySurfaceObject(from), cudaDestroySurfaceObject(to);
  SAME(cudaFreeArray(a), 0);
  SAME(cudaFreeArray(b), 0);
}

int main(void) {
  void **fat = register_fat(fat_binary(ptx, ZSTD, 75, false));
  for (int i = 0; i < 11; i++) {
    char *name = calloc(1, 8);
    snprintf(name, 8, "k%d", i);
    register_kernel(fat, &stub[i], name);
  }
  register_kernel(fat, &stub_name, "by_name");
  register_kernel(fat, &stub_surface, "surface");
  __cudaRegisterTexture(fat, &table, NULL, "table", 1, 0, 0);
  RULE(objects_give_an_h200s_bits);
  RULE(a_reference_reads_what_is_bound_to_it);
  RULE(surfaces_are_read_and_written);
  return failures ? 1 : 0;
}
