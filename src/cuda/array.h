/* CUDA arrays: texels in the GPU's own layout. A program holds the address of one of these. */
#ifndef SLUICE_CUDA_ARRAY_H
#define SLUICE_CUDA_ARRAY_H

#include "cuda/cuda.h"
#include "front/texture/texture.h"

/* cudaChannelFormatDesc: bits of four channels; kind: 0 signed, 1 unsigned, 2 float. */
struct channel_desc {
  int x, y, z, w, kind;
};

enum { ARRAY_LAYERED = 1, ARRAY_SURFACE = 2, ARRAY_CUBEMAP = 4, ARRAY_GATHER = 8 };

struct cuda_array {
  struct cuda_array *next;
  struct texture t; /* integers as they are; a texture may read them as fractions */
  struct channel_desc format;
  struct cuda_extent extent; /* as the program gave it */
  unsigned flags;
};

struct cuda_array *array_find(const void *handle); /* NULL: no such array */
int array_new(const struct channel_desc *d, struct cuda_extent e, unsigned flags, struct cuda_array **to);
int array_free(void *handle);
void arrays_free_all(void);
/* Order, type and texel size of a format; false: there is no such format. */
bool array_format(const struct channel_desc *d, struct texture *t);

/* One side of a copy: an array, or rows at a pointer. Positions count bytes, rows and slices. */
struct array_side {
  struct cuda_array *array;
  void *ptr;
  size_t x, y, z, pitch, slice;
};
/* `width` in bytes. */
int array_copy(void *stream, const struct array_side *to, const struct array_side *from, size_t width,
               size_t height, size_t depth);

/* texture.c: a header in device memory, as a texture or surface object. */
int header_new(const struct texture *t, uint64_t *handle);
int header_free(uint64_t handle);
int texture_of_array(const struct cuda_array *a, struct texture *t);
int texture_of_memory(uint64_t address, const struct channel_desc *d, size_t bytes, struct texture *t);
int texture_of_rows(uint64_t address, const struct channel_desc *d, size_t width, size_t height, size_t pitch,
                    struct texture *t);
/* Integers of 8 and 16 bits are read as fractions. */
void texture_read_fractions(struct texture *t);
void headers_free_all(void);

#endif
