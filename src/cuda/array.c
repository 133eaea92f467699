/* CUDA arrays: making, freeing, copying. */
#include "cuda/array.h"

struct cuda_array *array_find(const void *handle) {
  for (struct cuda_array *a = cuda_lists()->arrays; a; a = a->next)
    if (a == handle)
      return a;
  return NULL;
}

bool array_format(const struct channel_desc *d, struct texture *t) {
  const int bits[4] = {d->x, d->y, d->z, d->w};
  unsigned n = 0;
  while (n < 4 && bits[n])
    n++;
  for (unsigned i = 0; i < 4; i++)
    if (bits[i] != (i < n ? d->x : 0))
      return false;
  static const enum texture_type types[3][3] = {{TYPE_SINT8, TYPE_SINT16, TYPE_SINT32},
                                                {TYPE_UINT8, TYPE_UINT16, TYPE_UINT32},
                                                {0, TYPE_HALF, TYPE_FLOAT}};
  int size = d->x == 8 ? 0 : d->x == 16 ? 1 : d->x == 32 ? 2 : -1;
  if ((n != 1 && n != 2 && n != 4) || size < 0 || d->kind < 0 || d->kind > 2 || !types[d->kind][size])
    return false;
  t->order = n == 1 ? ORDER_R : n == 2 ? ORDER_RG : ORDER_RGBA;
  t->type = (uint16_t)types[d->kind][size];
  t->texel_bytes = texture_texel_bytes(t->order, t->type);
  return true;
}

int array_new(const struct channel_desc *d, struct cuda_extent e, unsigned flags, struct cuda_array **to) {
  if (!d || !to || !e.width || (flags & ARRAY_LAYERED && !e.depth) ||
      flags & ~(unsigned)(ARRAY_LAYERED | ARRAY_SURFACE | ARRAY_CUBEMAP | ARRAY_GATHER))
    return CU_INVALID_VALUE;
  if (flags & ARRAY_CUBEMAP)
    return cuda_missing("arrays of cube maps");
  struct texture t = {.magic = TEXTURE_MAGIC, .zero_alpha = 1, .num_mips = 1, .num_samples = 1};
  if (!array_format(d, &t) || e.width > UINT32_MAX || e.height > UINT32_MAX || e.depth > UINT32_MAX)
    return CU_INVALID_VALUE;
  t.width = (uint32_t)e.width;
  t.height = e.height ? (uint32_t)e.height : 1;
  t.depth = e.depth ? (uint32_t)e.depth : 1;
  t.shape = flags & ARRAY_LAYERED ? (e.height ? SHAPE_2D_ARRAY : SHAPE_1D_ARRAY)
            : e.depth             ? SHAPE_3D
            : e.height            ? SHAPE_2D
                                  : SHAPE_1D;
  uint64_t bytes = texture_lay_out(&t, (enum texture_layout)sim_image_layout(cuda_sim()));
  t.base = bytes ? sim_alloc(cuda_sim(), bytes, NULL) : 0;
  if (!t.base)
    return CU_MEMORY_ALLOCATION;
  struct cuda_array *a = xcalloc(1, sizeof *a);
  *a = (struct cuda_array){.next = cuda_lists()->arrays, .t = t, .format = *d, .extent = e, .flags = flags};
  *to = cuda_lists()->arrays = a;
  return CU_SUCCESS;
}

int array_free(void *handle) {
  for (struct cuda_array **at = &cuda_lists()->arrays; *at; at = &(*at)->next)
    if (*at == handle) {
      struct cuda_array *a = *at;
      *at = a->next;
      sim_free(cuda_sim(), a->t.base);
      free(a);
      return CU_SUCCESS;
    }
  return handle ? CU_INVALID_VALUE : CU_SUCCESS;
}

void arrays_free_all(void) {
  while (cuda_lists()->arrays)
    array_free(cuda_lists()->arrays);
}

/* ---- copies ---- */

struct array_op {
  struct op op;
  struct array_side to, from;
  size_t width, height, depth;
};

static struct texture_box box_of(const struct array_side *s, const struct array_op *k) {
  uint32_t texel = s->array->t.texel_bytes;
  return (struct texture_box){(uint32_t)(s->x / texel),     (uint32_t)s->y,      (uint32_t)s->z,
                              (uint32_t)(k->width / texel), (uint32_t)k->height, (uint32_t)k->depth};
}

static int check_side(const struct array_side *s, size_t width, size_t height, size_t depth) {
  if (s->array) {
    const struct texture *t = &s->array->t;
    size_t row = (size_t)t->width * t->texel_bytes;
    return s->x % t->texel_bytes || width % t->texel_bytes || s->x > row || width > row - s->x ||
                   s->y > t->height || height > t->height - s->y || s->z > t->depth || depth > t->depth - s->z
               ? CU_INVALID_VALUE
               : CU_SUCCESS;
  }
  bool device;
  size_t bytes = (depth - 1) * s->slice + (height - 1) * s->pitch + width;
  if ((height > 1 || depth > 1) && width > s->pitch)
    return CU_INVALID_PITCH_VALUE;
  return s->ptr && memory_bytes(s->ptr, bytes, &device) ? CU_SUCCESS : CU_INVALID_VALUE;
}

static int run_copy(struct op *op, uint64_t *ns) {
  const struct array_op *k = (const struct array_op *)op;
  struct sim *s = cuda_sim();
  size_t slice = k->width * k->height;
  bool to_device = true, from_device = true;
  uint8_t *rows = xmalloc(slice * k->depth);
  if (k->from.array) {
    struct texture_box b = box_of(&k->from, k);
    texture_read(&k->from.array->t, sim_bytes(s, k->from.array->t.base), &b, rows, k->width, slice);
  } else {
    const uint8_t *at = memory_bytes(k->from.ptr, 0, &from_device);
    for (size_t z = 0; z < k->depth; z++)
      for (size_t y = 0; y < k->height; y++)
        memcpy(rows + z * slice + y * k->width, at + z * k->from.slice + y * k->from.pitch, k->width);
  }
  if (k->to.array) {
    struct texture_box b = box_of(&k->to, k);
    texture_write(&k->to.array->t, sim_bytes(s, k->to.array->t.base), &b, rows, k->width, slice);
  } else {
    uint8_t *at = memory_bytes(k->to.ptr, 0, &to_device);
    for (size_t z = 0; z < k->depth; z++)
      for (size_t y = 0; y < k->height; y++)
        memcpy(at + z * k->to.slice + y * k->to.pitch, rows + z * slice + y * k->width, k->width);
  }
  free(rows);
  *ns = to_device && from_device ? sim_copy_ns(s, slice * k->depth) : sim_transfer_ns(s, slice * k->depth);
  return CU_SUCCESS;
}

int array_copy(void *stream, const struct array_side *to, const struct array_side *from, size_t width,
               size_t height, size_t depth) {
  if (!width || !height || !depth)
    return CU_SUCCESS;
  int e = check_side(to, width, height, depth);
  if (!e)
    e = check_side(from, width, height, depth);
  if (e)
    return e;
  struct array_op *k = xcalloc(1, sizeof *k);
  *k = (struct array_op){.op = {.run = run_copy, .type = OP_COPY, .users = 1},
                         .to = *to,
                         .from = *from,
                         .width = width,
                         .height = height,
                         .depth = depth};
  return stream_submit(stream, &k->op);
}

/* ---- the runtime's functions ---- */

API int cudaMallocArray(struct cuda_array **to, const struct channel_desc *d, size_t width, size_t height,
                        unsigned flags);
API int cudaMallocArray(struct cuda_array **to, const struct channel_desc *d, size_t width, size_t height,
                        unsigned flags) {
  RUNTIME(array_new(d, (struct cuda_extent){width, height, 0}, flags, to));
}
API int cudaMalloc3DArray(struct cuda_array **to, const struct channel_desc *d, struct cuda_extent e,
                          unsigned flags);
API int cudaMalloc3DArray(struct cuda_array **to, const struct channel_desc *d, struct cuda_extent e,
                          unsigned flags) {
  RUNTIME(array_new(d, e, flags, to));
}
API int cudaFreeArray(void *array);
API int cudaFreeArray(void *array) {
  RUNTIME(array_free(array));
}

static int array_info(struct channel_desc *d, struct cuda_extent *e, unsigned *flags, const void *array) {
  const struct cuda_array *a = array_find(array);
  if (!a)
    return CU_INVALID_VALUE;
  if (d)
    *d = a->format;
  if (e)
    *e = a->extent;
  if (flags)
    *flags = a->flags;
  return CU_SUCCESS;
}
API int cudaArrayGetInfo(struct channel_desc *d, struct cuda_extent *e, unsigned *flags, void *array);
API int cudaArrayGetInfo(struct channel_desc *d, struct cuda_extent *e, unsigned *flags, void *array) {
  RUNTIME(array_info(d, e, flags, array));
}
API int cudaGetChannelDesc(struct channel_desc *d, const void *array);
API int cudaGetChannelDesc(struct channel_desc *d, const void *array) {
  RUNTIME(d ? array_info(d, NULL, NULL, array) : CU_INVALID_VALUE);
}

static int to_array(void *stream, void *array, size_t x, size_t y, const void *src, size_t pitch,
                    size_t width, size_t height) {
  struct array_side to = {.array = array_find(array), .x = x, .y = y};
  struct array_side from = {.ptr = (void *)(uintptr_t)src, .pitch = pitch};
  return to.array ? array_copy(stream, &to, &from, width, height, 1) : CU_INVALID_VALUE;
}
static int from_array(void *stream, void *dst, size_t pitch, const void *array, size_t x, size_t y,
                      size_t width, size_t height) {
  struct array_side from = {.array = array_find(array), .x = x, .y = y}, to = {.ptr = dst, .pitch = pitch};
  return from.array ? array_copy(stream, &to, &from, width, height, 1) : CU_INVALID_VALUE;
}
static int between(void *to, size_t to_x, size_t to_y, const void *from, size_t from_x, size_t from_y,
                   size_t width, size_t height) {
  struct array_side a = {.array = array_find(to), .x = to_x, .y = to_y};
  struct array_side b = {.array = array_find(from), .x = from_x, .y = from_y};
  return a.array && b.array ? array_copy(NULL, &a, &b, width, height, 1) : CU_INVALID_VALUE;
}

/* Bytes in the order of rows: from the middle of one on, whole rows, and the rest. */
static int run_of_rows(void *stream, void *array, size_t x, size_t y, void *p, size_t n, bool write) {
  const struct cuda_array *a = array_find(array);
  if (!a)
    return CU_INVALID_VALUE;
  size_t row = (size_t)a->t.width * a->t.texel_bytes;
  for (uint8_t *at = p; n;) {
    size_t part = x ? (row - x < n ? row - x : n) : n < row ? n : row, rows = x || n < row ? 1 : n / row;
    if (x >= row)
      return CU_INVALID_VALUE;
    int e = write ? to_array(stream, array, x, y, at, part, part, rows)
                  : from_array(stream, at, part, array, x, y, part, rows);
    if (e)
      return e;
    at += part * rows, n -= part * rows, y += rows, x = 0;
  }
  return CU_SUCCESS;
}

API int cudaMemcpy2DToArrayAsync(void *array, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                 size_t height, int kind, void *stream);
API int cudaMemcpy2DToArrayAsync(void *array, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                 size_t height, int kind, void *stream) {
  RUNTIME(kind < 0 || kind > COPY_DEFAULT ? CU_INVALID_MEMCPY_DIRECTION
                                          : to_array(stream, array, x, y, src, pitch, width, height));
}
API int cudaMemcpy2DToArray(void *array, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                            size_t height, int kind);
API int cudaMemcpy2DToArray(void *array, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                            size_t height, int kind) {
  return cudaMemcpy2DToArrayAsync(array, x, y, src, pitch, width, height, kind, NULL);
}
API int cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, const void *array, size_t x, size_t y,
                                   size_t width, size_t height, int kind, void *stream);
API int cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, const void *array, size_t x, size_t y,
                                   size_t width, size_t height, int kind, void *stream) {
  RUNTIME(kind < 0 || kind > COPY_DEFAULT ? CU_INVALID_MEMCPY_DIRECTION
                                          : from_array(stream, dst, pitch, array, x, y, width, height));
}
API int cudaMemcpy2DFromArray(void *dst, size_t pitch, const void *array, size_t x, size_t y, size_t width,
                              size_t height, int kind);
API int cudaMemcpy2DFromArray(void *dst, size_t pitch, const void *array, size_t x, size_t y, size_t width,
                              size_t height, int kind) {
  return cudaMemcpy2DFromArrayAsync(dst, pitch, array, x, y, width, height, kind, NULL);
}
API int cudaMemcpy2DArrayToArray(void *to, size_t to_x, size_t to_y, const void *from, size_t from_x,
                                 size_t from_y, size_t width, size_t height, int kind);
API int cudaMemcpy2DArrayToArray(void *to, size_t to_x, size_t to_y, const void *from, size_t from_x,
                                 size_t from_y, size_t width, size_t height, int kind) {
  RUNTIME(kind < 0 || kind > COPY_DEFAULT ? CU_INVALID_MEMCPY_DIRECTION
                                          : between(to, to_x, to_y, from, from_x, from_y, width, height));
}
API int cudaMemcpyToArrayAsync(void *array, size_t x, size_t y, const void *src, size_t n, int kind,
                               void *stream);
API int cudaMemcpyToArrayAsync(void *array, size_t x, size_t y, const void *src, size_t n, int kind,
                               void *stream) {
  RUNTIME(kind < 0 || kind > COPY_DEFAULT
              ? CU_INVALID_MEMCPY_DIRECTION
              : run_of_rows(stream, array, x, y, (void *)(uintptr_t)src, n, true));
}
API int cudaMemcpyToArray(void *array, size_t x, size_t y, const void *src, size_t n, int kind);
API int cudaMemcpyToArray(void *array, size_t x, size_t y, const void *src, size_t n, int kind) {
  return cudaMemcpyToArrayAsync(array, x, y, src, n, kind, NULL);
}
API int cudaMemcpyFromArrayAsync(void *dst, const void *array, size_t x, size_t y, size_t n, int kind,
                                 void *stream);
API int cudaMemcpyFromArrayAsync(void *dst, const void *array, size_t x, size_t y, size_t n, int kind,
                                 void *stream) {
  RUNTIME(kind < 0 || kind > COPY_DEFAULT
              ? CU_INVALID_MEMCPY_DIRECTION
              : run_of_rows(stream, (void *)(uintptr_t)array, x, y, dst, n, false));
}
API int cudaMemcpyFromArray(void *dst, const void *array, size_t x, size_t y, size_t n, int kind);
API int cudaMemcpyFromArray(void *dst, const void *array, size_t x, size_t y, size_t n, int kind) {
  return cudaMemcpyFromArrayAsync(dst, array, x, y, n, kind, NULL);
}

ALIAS(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);
ALIAS(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);
ALIAS(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);
ALIAS(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);
ALIAS(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);
ALIAS(cudaMemcpyToArray_ptds, cudaMemcpyToArray);
ALIAS(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);
ALIAS(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);
ALIAS(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);
