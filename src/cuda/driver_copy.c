/* Copies of the driver API in three dimensions and between arrays, fills of rows, advice about managed memory. */
#include "cuda/array.h"
#include "cuda/driver.h"

/* ---- CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER: the same but for a context in place of a reserved word ---- */

enum { SIDE_HOST = 1, SIDE_DEVICE, SIDE_ARRAY, SIDE_UNIFIED };
struct side3d {
  size_t x, y, z, level;
  int type;
  void *host;
  device_pointer device;
  void *array;
  void *context;
  size_t pitch, height;
};
struct copy3d {
  struct side3d src, dst;
  size_t width, height, depth;
};

static void *base(const struct side3d *s) {
  return s->type == SIDE_HOST ? s->host : pointer(s->device);
}
/* Rows without a pitch follow each other; so do slices without a height. */
static bool side_of(const struct side3d *s, const struct copy3d *c, struct array_side *to) {
  if (s->type < SIDE_HOST || s->type > SIDE_UNIFIED || s->level)
    return false;
  if (s->type == SIDE_ARRAY) {
    *to = (struct array_side){.array = array_find(s->array), .x = s->x, .y = s->y, .z = s->z};
    return to->array;
  }
  size_t pitch = s->pitch ? s->pitch : c->width, height = s->height ? s->height : c->height;
  if (!base(s) || pitch < c->width || (c->depth > 1 && height < c->height))
    return false;
  *to = (struct array_side){.ptr = (uint8_t *)base(s) + (s->z * height + s->y) * pitch + s->x,
                            .pitch = pitch,
                            .slice = pitch * height};
  return true;
}
static int copy_3d(void *stream, const struct copy3d *c) {
  struct array_side to, from;
  if (!c || !side_of(&c->src, c, &from) || !side_of(&c->dst, c, &to))
    return CU_INVALID_VALUE;
  if (to.array || from.array)
    return array_copy(stream, &to, &from, c->width, c->height, c->depth);
  struct copy plain = {.dst = to.ptr,
                       .src = from.ptr,
                       .dst_pitch = to.pitch,
                       .dst_slice = to.slice,
                       .src_pitch = from.pitch,
                       .src_slice = from.slice,
                       .width = c->width,
                       .height = c->height,
                       .depth = c->depth,
                       .kind = COPY_DEFAULT};
  return copy_submit(stream, &plain);
}
API int cuMemcpy3D_v2(const struct copy3d *c);
API int cuMemcpy3D_v2(const struct copy3d *c) {
  DRIVER(copy_3d(NULL, c));
}
API int cuMemcpy3DAsync_v2(const struct copy3d *c, void *stream);
API int cuMemcpy3DAsync_v2(const struct copy3d *c, void *stream) {
  DRIVER(copy_3d(stream, c));
}
ALIAS(cuMemcpy3D_v2_ptds, cuMemcpy3D_v2);
ALIAS(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync_v2);
ALIAS(cuMemcpy3DPeer, cuMemcpy3D_v2);
ALIAS(cuMemcpy3DPeer_ptds, cuMemcpy3D_v2);
ALIAS(cuMemcpy3DPeerAsync, cuMemcpy3DAsync_v2);
ALIAS(cuMemcpy3DPeerAsync_ptsz, cuMemcpy3DAsync_v2);

/* Contexts share one memory. */
API int cuMemcpyPeer(device_pointer to, void *to_context, device_pointer from, void *from_context, size_t n) {
  (void)to_context, (void)from_context;
  DRIVER(copy_linear(NULL, pointer(to), pointer(from), n, COPY_DEVICE_DEVICE));
}
API int cuMemcpyPeerAsync(device_pointer to, void *to_context, device_pointer from, void *from_context,
                          size_t n, void *stream) {
  (void)to_context, (void)from_context;
  DRIVER(copy_linear(stream, pointer(to), pointer(from), n, COPY_DEVICE_DEVICE));
}
ALIAS(cuMemcpyPeer_ptds, cuMemcpyPeer);
ALIAS(cuMemcpyPeerAsync_ptsz, cuMemcpyPeerAsync);

/* ---- one row of an array, from a byte of it on ---- */

static int array_row(void *stream, void *to, size_t to_at, const void *from, size_t from_at, bool to_array,
                     bool from_array, size_t n) {
  struct array_side t = {.ptr = to, .pitch = n}, f = {.ptr = (void *)(uintptr_t)from, .pitch = n};
  if (to_array)
    t = (struct array_side){.array = array_find(to), .x = to_at};
  if (from_array)
    f = (struct array_side){.array = array_find(from), .x = from_at};
  if ((to_array && !t.array) || (from_array && !f.array) || !to || !from)
    return CU_INVALID_VALUE;
  return array_copy(stream, &t, &f, n, 1, 1);
}
API int cuMemcpyAtoA_v2(void *to, size_t to_at, void *from, size_t from_at, size_t n) {
  DRIVER(array_row(NULL, to, to_at, from, from_at, true, true, n));
}
API int cuMemcpyHtoAAsync_v2(void *to, size_t at, const void *from, size_t n, void *stream) {
  DRIVER(array_row(stream, to, at, from, 0, true, false, n));
}
API int cuMemcpyAtoHAsync_v2(void *to, void *from, size_t at, size_t n, void *stream) {
  DRIVER(array_row(stream, to, 0, from, at, false, true, n));
}
ALIAS(cuMemcpyAtoA_v2_ptds, cuMemcpyAtoA_v2);
ALIAS(cuMemcpyHtoAAsync_v2_ptsz, cuMemcpyHtoAAsync_v2);
ALIAS(cuMemcpyAtoHAsync_v2_ptsz, cuMemcpyAtoHAsync_v2);

/* ---- fills of rows ---- */

static int fill_rows(void *stream, device_pointer to, size_t pitch, unsigned value, unsigned element,
                     size_t width, size_t height) {
  struct fill f = {.dst = pointer(to),
                   .pitch = pitch,
                   .value = value,
                   .element = element,
                   .width = width,
                   .height = height,
                   .depth = 1};
  return fill_submit(stream, &f);
}
API int cuMemsetD2D8Async(device_pointer to, size_t pitch, unsigned char value, size_t width, size_t height,
                          void *stream) {
  DRIVER(fill_rows(stream, to, pitch, value, 1, width, height));
}
API int cuMemsetD2D16_v2(device_pointer to, size_t pitch, unsigned short value, size_t width, size_t height) {
  DRIVER(fill_rows(NULL, to, pitch, value, 2, width, height));
}
API int cuMemsetD2D16Async(device_pointer to, size_t pitch, unsigned short value, size_t width, size_t height,
                           void *stream) {
  DRIVER(fill_rows(stream, to, pitch, value, 2, width, height));
}
API int cuMemsetD2D32Async(device_pointer to, size_t pitch, unsigned value, size_t width, size_t height,
                           void *stream) {
  DRIVER(fill_rows(stream, to, pitch, value, 4, width, height));
}
ALIAS(cuMemsetD2D8Async_ptsz, cuMemsetD2D8Async);
ALIAS(cuMemsetD2D16_v2_ptds, cuMemsetD2D16_v2);
ALIAS(cuMemsetD2D16Async_ptsz, cuMemsetD2D16Async);
ALIAS(cuMemsetD2D32Async_ptsz, cuMemsetD2D32Async);

/* ---- words that a stream writes, or waits for ---- */

static int write_word(void *stream, device_pointer at, uint64_t value, unsigned bytes) {
  struct fill f = {
      .dst = pointer(at), .value = (unsigned)value, .element = 4, .width = 1, .height = 1, .depth = 1};
  int e = at % bytes ? CU_INVALID_VALUE : fill_submit(stream, &f);
  if (e || bytes == 4)
    return e;
  f.dst = pointer(at + 4);
  f.value = (unsigned)(value >> 32);
  return fill_submit(stream, &f);
}
/* flags: 0 at least, as a difference; 1 equal; 2 any bit; 3 any bit missing. Nothing else runs meanwhile, so what is
 * not there yet would be waited for for ever. */
static int wait_word(void *stream, device_pointer at, uint64_t value, unsigned flags, unsigned bytes) {
  bool device;
  int e;
  const struct cuda_stream *s = stream_find(stream, &e);
  if (!s)
    return e;
  if (s->capture)
    return cuda_missing("a wait for a value in a graph");
  const uint8_t *p = at % bytes ? NULL : memory_bytes(pointer(at), bytes, &device);
  uint64_t have = 0;
  if (!p || !device || flags > 3)
    return CU_INVALID_VALUE;
  memcpy(&have, p, bytes);
  uint64_t all = bytes == 4 ? UINT32_MAX : UINT64_MAX, top = (all >> 1) + 1;
  bool met = flags == 0   ? !((have - value) & top)
             : flags == 1 ? have == (value & all)
             : flags == 2 ? (have & value) != 0
                          : (~(have | value) & all) != 0;
  return met ? CU_SUCCESS : cuda_missing("a wait for a value that is not there yet");
}
API int cuStreamWriteValue32_v2(void *stream, device_pointer at, uint32_t value, unsigned flags) {
  DRIVER(flags > 1 ? CU_INVALID_VALUE : write_word(stream, at, value, 4));
}
API int cuStreamWriteValue64_v2(void *stream, device_pointer at, uint64_t value, unsigned flags) {
  DRIVER(flags > 1 ? CU_INVALID_VALUE : write_word(stream, at, value, 8));
}
API int cuStreamWaitValue32_v2(void *stream, device_pointer at, uint32_t value, unsigned flags) {
  DRIVER(wait_word(stream, at, value, flags, 4));
}
API int cuStreamWaitValue64_v2(void *stream, device_pointer at, uint64_t value, unsigned flags) {
  DRIVER(wait_word(stream, at, value, flags, 8));
}
ALIAS(cuStreamWriteValue32_v2_ptsz, cuStreamWriteValue32_v2);
ALIAS(cuStreamWriteValue64_v2_ptsz, cuStreamWriteValue64_v2);
ALIAS(cuStreamWaitValue32_v2_ptsz, cuStreamWaitValue32_v2);
ALIAS(cuStreamWaitValue64_v2_ptsz, cuStreamWaitValue64_v2);
