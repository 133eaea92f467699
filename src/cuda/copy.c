/* Copies and fills: everything is a box of rows and slices. */
#include "cuda/cuda.h"

/* The bytes that a box spans from its first to its last. */
static bool span(size_t width, size_t height, size_t depth, size_t pitch, size_t slice, size_t *bytes) {
  size_t rows = 0, slices = 0;
  return !__builtin_mul_overflow(height - 1, pitch, &rows) &&
         !__builtin_mul_overflow(depth - 1, slice, &slices) && !__builtin_add_overflow(rows, slices, bytes) &&
         !__builtin_add_overflow(*bytes, width, bytes);
}

/* Memory that only the device reaches: a host pointer it is not. */
static bool device_only(const void *p) {
  const struct allocation *a = memory_find((uint64_t)(uintptr_t)p);
  bool device;
  return a ? a->kind == ALLOC_DEVICE || a->kind == ALLOC_MAPPED
           : (memory_bytes(p, 0, &device) != (const uint8_t *)p && device);
}

static int check_side(const void *p, bool want_device, bool any, size_t bytes) {
  bool device;
  if (!p || !memory_bytes(p, bytes, &device))
    return CU_INVALID_VALUE;
  if (any)
    return CU_SUCCESS;
  return want_device ? (device ? CU_SUCCESS : CU_INVALID_VALUE)
                     : (device_only(p) ? CU_INVALID_VALUE : CU_SUCCESS);
}

int copy_check(const struct copy *c) {
  size_t from, to;
  if (c->kind > COPY_DEFAULT)
    return CU_INVALID_MEMCPY_DIRECTION;
  if (!c->width || !c->height || !c->depth)
    return CU_SUCCESS;
  if ((c->height > 1 || c->depth > 1) && (c->width > c->dst_pitch || c->width > c->src_pitch))
    return CU_INVALID_PITCH_VALUE;
  if (!span(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice, &to) ||
      !span(c->width, c->height, c->depth, c->src_pitch, c->src_slice, &from))
    return CU_INVALID_VALUE;
  bool any = c->kind == COPY_DEFAULT;
  int e = check_side(c->dst, c->kind == COPY_HOST_DEVICE || c->kind == COPY_DEVICE_DEVICE, any, to);
  return e ? e : check_side(c->src, c->kind == COPY_DEVICE_HOST || c->kind == COPY_DEVICE_DEVICE, any, from);
}

static int copy_run(struct op *op, uint64_t *ns) {
  const struct copy *c = (const struct copy *)op;
  int e = copy_check(c);
  if (e || !c->width || !c->height || !c->depth)
    return e;
  bool to_device, from_device;
  uint8_t *to = memory_bytes(c->dst, 0, &to_device);
  const uint8_t *from = memory_bytes(c->src, 0, &from_device);
  for (size_t z = 0; z < c->depth; z++)
    for (size_t y = 0; y < c->height; y++)
      memmove(to + z * c->dst_slice + y * c->dst_pitch, from + z * c->src_slice + y * c->src_pitch, c->width);
  uint64_t bytes = (uint64_t)c->width * c->height * c->depth;
  bool within = to_device && from_device && device_only(c->dst) && device_only(c->src);
  *ns = within                                       ? sim_copy_ns(cuda_sim(), bytes)
        : device_only(c->dst) || device_only(c->src) ? sim_transfer_ns(cuda_sim(), bytes)
                                                     : 0;
  return CU_SUCCESS;
}

int fill_check(const struct fill *f) {
  size_t bytes, width;
  bool device;
  if (!f->width || !f->height || !f->depth)
    return CU_SUCCESS;
  if (__builtin_mul_overflow(f->width, f->element, &width) ||
      ((f->height > 1 || f->depth > 1) && width > f->pitch) ||
      !span(width, f->height, f->depth, f->pitch, f->slice, &bytes))
    return CU_INVALID_VALUE;
  return f->dst && memory_bytes(f->dst, bytes, &device) && device &&
                 (uint64_t)(uintptr_t)f->dst % f->element == 0
             ? CU_SUCCESS
             : CU_INVALID_VALUE;
}

static void fill_row(uint8_t *to, unsigned value, unsigned element, size_t n) {
  if (element == 1)
    memset(to, (int)(value & 0xff), n);
  else
    for (size_t i = 0; i < n; i++)
      memcpy(to + i * element, &value, element); /* little endian, as the devices are */
}

static int fill_run(struct op *op, uint64_t *ns) {
  const struct fill *f = (const struct fill *)op;
  int e = fill_check(f);
  if (e || !f->width || !f->height || !f->depth)
    return e;
  bool device;
  uint8_t *to = memory_bytes(f->dst, 0, &device);
  for (size_t z = 0; z < f->depth; z++)
    for (size_t y = 0; y < f->height; y++)
      fill_row(to + z * f->slice + y * f->pitch, f->value, f->element, f->width);
  *ns =
      sim_copy_ns(cuda_sim(), (uint64_t)f->width * f->element * f->height * f->depth / 2); /* written only */
  return CU_SUCCESS;
}

struct op *copy_op(const struct copy *c) {
  struct copy *own = xmalloc(sizeof *own);
  *own = *c;
  own->op = (struct op){.run = copy_run, .type = OP_COPY, .users = 1};
  return &own->op;
}
struct op *fill_op(const struct fill *f) {
  struct fill *own = xmalloc(sizeof *own);
  *own = *f;
  own->op = (struct op){.run = fill_run, .type = OP_FILL, .users = 1};
  return &own->op;
}

int copy_submit(void *stream, const struct copy *c) {
  int e = copy_check(c);
  return e ? e : stream_submit(stream, copy_op(c));
}
int fill_submit(void *stream, const struct fill *f) {
  int e = fill_check(f);
  return e ? e : stream_submit(stream, fill_op(f));
}
int copy_linear(void *stream, void *dst, const void *src, size_t n, int kind) {
  struct copy c = {
      .dst = dst, .src = src, .width = n, .height = 1, .depth = 1, .kind = (enum cuda_copy_kind)kind};
  return copy_submit(stream, &c);
}
