/* The runtime's copies and fills: linear, of symbols, in two and three dimensions. */
#include "cuda/array.h"

API int cudaMemcpyAsync(void *dst, const void *src, size_t n, int kind, void *stream) {
  RUNTIME(copy_linear(stream, dst, src, n, kind));
}
API int cudaMemcpy(void *dst, const void *src, size_t n, int kind) {
  RUNTIME(copy_linear(NULL, dst, src, n, kind));
}
API int cudaMemcpyPeer(void *dst, int to, const void *src, int from, size_t n) {
  if (to || from)
    return cuda_last(CU_INVALID_DEVICE);
  RUNTIME(copy_linear(NULL, dst, src, n, COPY_DEVICE_DEVICE));
}
API int cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t n, void *stream) {
  if (to || from)
    return cuda_last(CU_INVALID_DEVICE);
  RUNTIME(copy_linear(stream, dst, src, n, COPY_DEVICE_DEVICE));
}

static int copy_2d(void *stream, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                   size_t height, int kind) {
  if (width > dst_pitch || width > src_pitch)
    return CU_INVALID_PITCH_VALUE;
  struct copy c = {.dst = dst,
                   .src = src,
                   .dst_pitch = dst_pitch,
                   .src_pitch = src_pitch,
                   .width = width,
                   .height = height,
                   .depth = 1,
                   .kind = (enum cuda_copy_kind)kind};
  return copy_submit(stream, &c);
}
API int cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                     size_t height, int kind) {
  RUNTIME(copy_2d(NULL, dst, dst_pitch, src, src_pitch, width, height, kind));
}
API int cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                          size_t height, int kind, void *stream) {
  RUNTIME(copy_2d(stream, dst, dst_pitch, src, src_pitch, width, height, kind));
}

static void *inside(const struct cuda_pitched *p, const struct cuda_pos *at) {
  return (uint8_t *)p->ptr + at->z * p->pitch * p->ysize + at->y * p->pitch + at->x;
}
/* With an array, positions and widths in it count texels. */
static bool side_of(void *array, const struct cuda_pos *at, const struct cuda_pitched *rows,
                    struct array_side *s, size_t *texel) {
  if (!array) {
    *s = (struct array_side){
        .ptr = inside(rows, at), .pitch = rows->pitch, .slice = rows->pitch * rows->ysize};
    return rows->ptr;
  }
  struct cuda_array *a = array_find(array);
  if (!a)
    return false;
  *texel = a->t.texel_bytes;
  *s = (struct array_side){.array = a, .x = at->x * *texel, .y = at->y, .z = at->z};
  return true;
}
static int copy_3d_array(void *stream, const struct cuda_copy3d *p) {
  struct array_side to, from;
  size_t texel = 1;
  if (!side_of(p->src_array, &p->src_pos, &p->src, &from, &texel) ||
      !side_of(p->dst_array, &p->dst_pos, &p->dst, &to, &texel))
    return CU_INVALID_VALUE;
  if (p->kind < 0 || p->kind > COPY_DEFAULT)
    return CU_INVALID_MEMCPY_DIRECTION;
  return array_copy(stream, &to, &from, p->extent.width * texel, p->extent.height, p->extent.depth);
}
static int copy_3d(void *stream, const struct cuda_copy3d *p) {
  if (!p)
    return CU_INVALID_VALUE;
  if (p->src_array || p->dst_array)
    return copy_3d_array(stream, p);
  if (!p->dst.ptr || !p->src.ptr)
    return CU_INVALID_VALUE;
  struct copy c = {.dst = inside(&p->dst, &p->dst_pos),
                   .src = inside(&p->src, &p->src_pos),
                   .dst_pitch = p->dst.pitch,
                   .dst_slice = p->dst.pitch * p->dst.ysize,
                   .src_pitch = p->src.pitch,
                   .src_slice = p->src.pitch * p->src.ysize,
                   .width = p->extent.width,
                   .height = p->extent.height,
                   .depth = p->extent.depth,
                   .kind = (enum cuda_copy_kind)p->kind};
  return copy_submit(stream, &c);
}
API int cudaMemcpy3D(const struct cuda_copy3d *p) {
  RUNTIME(copy_3d(NULL, p));
}
API int cudaMemcpy3DAsync(const struct cuda_copy3d *p, void *stream) {
  RUNTIME(copy_3d(stream, p));
}
static int copy_3d_peer(void *stream, const struct cuda_copy3d_peer *p) {
  if (!p || p->src_device || p->dst_device)
    return CU_INVALID_VALUE;
  struct cuda_copy3d q = {p->src_array, p->src_pos, p->src,    p->dst_array,
                          p->dst_pos,   p->dst,     p->extent, COPY_DEVICE_DEVICE};
  return copy_3d(stream, &q);
}
API int cudaMemcpy3DPeer(const struct cuda_copy3d_peer *p) {
  RUNTIME(copy_3d_peer(NULL, p));
}
API int cudaMemcpy3DPeerAsync(const struct cuda_copy3d_peer *p, void *stream) {
  RUNTIME(copy_3d_peer(stream, p));
}

/* ---- symbols ---- */

static int symbol_at(const void *symbol, size_t n, size_t offset, void **at) {
  uint64_t address;
  size_t size;
  int e = variable_find(symbol, &address, &size);
  if (!e && (offset > size || n > size - offset))
    e = CU_INVALID_VALUE;
  if (!e)
    *at = (void *)(uintptr_t)(address + offset);
  return e;
}
static int to_symbol(void *stream, const void *symbol, const void *src, size_t n, size_t offset, int kind) {
  void *at = NULL;
  int e = symbol_at(symbol, n, offset, &at);
  if (!e && kind != COPY_HOST_DEVICE && kind != COPY_DEVICE_DEVICE && kind != COPY_DEFAULT)
    e = CU_INVALID_MEMCPY_DIRECTION;
  return e ? e : copy_linear(stream, at, src, n, kind);
}
static int from_symbol(void *stream, void *dst, const void *symbol, size_t n, size_t offset, int kind) {
  void *at = NULL;
  int e = symbol_at(symbol, n, offset, &at);
  if (!e && kind != COPY_DEVICE_HOST && kind != COPY_DEVICE_DEVICE && kind != COPY_DEFAULT)
    e = CU_INVALID_MEMCPY_DIRECTION;
  return e ? e : copy_linear(stream, dst, at, n, kind);
}
API int cudaMemcpyToSymbol(const void *symbol, const void *src, size_t n, size_t offset, int kind) {
  RUNTIME(to_symbol(NULL, symbol, src, n, offset, kind));
}
API int cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t n, size_t offset, int kind,
                                void *stream) {
  RUNTIME(to_symbol(stream, symbol, src, n, offset, kind));
}
API int cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t n, size_t offset, int kind) {
  RUNTIME(from_symbol(NULL, dst, symbol, n, offset, kind));
}
API int cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t n, size_t offset, int kind,
                                  void *stream) {
  RUNTIME(from_symbol(stream, dst, symbol, n, offset, kind));
}
API int cudaGetSymbolAddress(void **to, const void *symbol) {
  RUNTIME(!to ? CU_INVALID_VALUE : symbol_at(symbol, 0, 0, to));
}
static int symbol_size(size_t *to, const void *symbol) {
  uint64_t address;
  return to ? variable_find(symbol, &address, to) : CU_INVALID_VALUE;
}
API int cudaGetSymbolSize(size_t *to, const void *symbol) {
  RUNTIME(symbol_size(to, symbol));
}

/* ---- fills ---- */

static int fill(void *stream, void *dst, int value, size_t pitch, size_t slice, size_t width, size_t height,
                size_t depth) {
  struct fill f = {.dst = dst,
                   .pitch = pitch,
                   .slice = slice,
                   .value = (unsigned)value & 0xff,
                   .element = 1,
                   .width = width,
                   .height = height,
                   .depth = depth};
  return fill_submit(stream, &f);
}
API int cudaMemset(void *dst, int value, size_t n) {
  RUNTIME(fill(NULL, dst, value, n, n, n, 1, 1));
}
API int cudaMemsetAsync(void *dst, int value, size_t n, void *stream) {
  RUNTIME(fill(stream, dst, value, n, n, n, 1, 1));
}
API int cudaMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
  RUNTIME(fill(NULL, dst, value, pitch, 0, width, height, 1));
}
API int cudaMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height, void *stream) {
  RUNTIME(fill(stream, dst, value, pitch, 0, width, height, 1));
}
API int cudaMemset3D(struct cuda_pitched p, int value, struct cuda_extent e) {
  RUNTIME(fill(NULL, p.ptr, value, p.pitch, p.pitch * p.ysize, e.width, e.height, e.depth));
}
API int cudaMemset3DAsync(struct cuda_pitched p, int value, struct cuda_extent e, void *stream) {
  RUNTIME(fill(stream, p.ptr, value, p.pitch, p.pitch * p.ysize, e.width, e.height, e.depth));
}

ALIAS(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);
ALIAS(cudaMemcpy_ptds, cudaMemcpy);
ALIAS(cudaMemcpy2D_ptds, cudaMemcpy2D);
ALIAS(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);
ALIAS(cudaMemcpy3D_ptds, cudaMemcpy3D);
ALIAS(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);
ALIAS(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer);
ALIAS(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync);
ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);
ALIAS(cudaMemset_ptds, cudaMemset);
ALIAS(cudaMemsetAsync_ptsz, cudaMemsetAsync);
ALIAS(cudaMemset2D_ptds, cudaMemset2D);
ALIAS(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
ALIAS(cudaMemset3D_ptds, cudaMemset3D);
ALIAS(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);
