/* The driver's arrays, texture and surface objects, and references: the same objects as the runtime's. */
#include "cuda/array.h"
#include "cuda/driver.h"

enum {
  FORMAT_U8 = 1,
  FORMAT_U16,
  FORMAT_U32,
  FORMAT_S8 = 8,
  FORMAT_S16,
  FORMAT_S32,
  FORMAT_HALF = 0x10,
  FORMAT_FLOAT = 0x20
};

static bool describe(int format, unsigned channels, struct channel_desc *d) {
  int bits = format == FORMAT_U8 || format == FORMAT_S8                               ? 8
             : format == FORMAT_U16 || format == FORMAT_S16 || format == FORMAT_HALF  ? 16
             : format == FORMAT_U32 || format == FORMAT_S32 || format == FORMAT_FLOAT ? 32
                                                                                      : 0;
  int kind = format >= FORMAT_HALF ? 2 : format >= FORMAT_S8 ? 0 : 1;
  *d = (struct channel_desc){bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0,
                             kind};
  return bits && (channels == 1 || channels == 2 || channels == 4);
}

static int format_of(const struct channel_desc *d, unsigned *channels) {
  *channels = d->w ? 4 : d->y ? 2 : 1;
  int size = d->x == 8 ? 0 : d->x == 16 ? 1 : 2;
  return d->kind == 2 ? (size == 1 ? FORMAT_HALF : FORMAT_FLOAT) : (d->kind ? FORMAT_U8 : FORMAT_S8) + size;
}

struct array_description {
  size_t width, height;
  int format;
  unsigned channels;
};
struct array3d_description {
  size_t width, height, depth;
  int format;
  unsigned channels, flags;
};

static int create(struct cuda_array **to, size_t w, size_t h, size_t z, int format, unsigned channels,
                  unsigned flags) {
  struct channel_desc d;
  if (!to || !describe(format, channels, &d))
    return CU_INVALID_VALUE;
  return array_new(&d, (struct cuda_extent){w, h, z}, flags, to);
}
API int cuArrayCreate_v2(struct cuda_array **to, const struct array_description *d);
API int cuArrayCreate_v2(struct cuda_array **to, const struct array_description *d) {
  DRIVER(!d ? CU_INVALID_VALUE : create(to, d->width, d->height, 0, d->format, d->channels, 0));
}
API int cuArray3DCreate_v2(struct cuda_array **to, const struct array3d_description *d);
API int cuArray3DCreate_v2(struct cuda_array **to, const struct array3d_description *d) {
  DRIVER(!d ? CU_INVALID_VALUE : create(to, d->width, d->height, d->depth, d->format, d->channels, d->flags));
}
API int cuArrayDestroy(void *array);
API int cuArrayDestroy(void *array) {
  DRIVER(array_free(array));
}
static int tell(struct array3d_description *d, const void *array) {
  const struct cuda_array *a = array_find(array);
  if (!d || !a)
    return CU_INVALID_VALUE;
  *d = (struct array3d_description){
      .width = a->extent.width, .height = a->extent.height, .depth = a->extent.depth};
  d->format = format_of(&a->format, &d->channels);
  d->flags = a->flags;
  return CU_SUCCESS;
}
API int cuArray3DGetDescriptor_v2(struct array3d_description *d, void *array);
API int cuArray3DGetDescriptor_v2(struct array3d_description *d, void *array) {
  DRIVER(tell(d, array));
}
static int tell_2d(struct array_description *d, const void *array) {
  struct array3d_description all;
  int e = d ? tell(&all, array) : CU_INVALID_VALUE;
  if (!e)
    *d = (struct array_description){all.width, all.height, all.format, all.channels};
  return e;
}
API int cuArrayGetDescriptor_v2(struct array_description *d, void *array);
API int cuArrayGetDescriptor_v2(struct array_description *d, void *array) {
  DRIVER(tell_2d(d, array));
}

/* One row of an array and memory. */
static int line(void *array, size_t at, void *p, size_t n, bool write, void *stream) {
  struct array_side a = {.array = array_find(array), .x = at}, m = {.ptr = p, .pitch = n};
  if (!a.array)
    return CU_INVALID_VALUE;
  return write ? array_copy(stream, &a, &m, n, 1, 1) : array_copy(stream, &m, &a, n, 1, 1);
}
API int cuMemcpyHtoA_v2(void *array, size_t at, const void *p, size_t n);
API int cuMemcpyHtoA_v2(void *array, size_t at, const void *p, size_t n) {
  DRIVER(line(array, at, (void *)(uintptr_t)p, n, true, NULL));
}
API int cuMemcpyAtoH_v2(void *p, void *array, size_t at, size_t n);
API int cuMemcpyAtoH_v2(void *p, void *array, size_t at, size_t n) {
  DRIVER(line(array, at, p, n, false, NULL));
}
API int cuMemcpyDtoA_v2(void *array, size_t at, device_pointer p, size_t n);
API int cuMemcpyDtoA_v2(void *array, size_t at, device_pointer p, size_t n) {
  DRIVER(line(array, at, pointer(p), n, true, NULL));
}
API int cuMemcpyAtoD_v2(device_pointer p, void *array, size_t at, size_t n);
API int cuMemcpyAtoD_v2(device_pointer p, void *array, size_t at, size_t n) {
  DRIVER(line(array, at, pointer(p), n, false, NULL));
}

/* ---- objects ---- */

struct resource {
  int type; /* 0 array, 1 mipmaps, 2 linear, 3 rows */
  union {
    void *array;
    struct {
      device_pointer at;
      int format;
      unsigned channels;
      size_t width, height, pitch; /* linear: bytes, - , - */
    } memory;
    int pad[32];
  } of;
  unsigned flags;
};
struct reading {
  int address[3], filter;
  unsigned flags, anisotropy;
  int mipmap_filter;
  float bias, least, most, border[4];
  int reserved[12];
};
enum { READ_AS_INTEGER = 1, NORMALIZED = 2, SRGB = 0x10 };

static int texture_of(const struct resource *r, struct texture *t) {
  struct channel_desc d;
  if (r->type == 0)
    return texture_of_array(array_find(r->of.array), t);
  if (r->type == 1)
    return cuda_missing("textures of mipmapped arrays");
  if (!describe(r->of.memory.format, r->of.memory.channels, &d))
    return CU_INVALID_VALUE;
  return r->type == 2 ? texture_of_memory(r->of.memory.at, &d, r->of.memory.width, t)
                      : texture_of_rows(r->of.memory.at, &d, r->of.memory.width, r->of.memory.height,
                                        r->of.memory.pitch, t);
}

static int set_reading(struct texture *t, const int *address, int filter, unsigned flags,
                       const float *border) {
  if (flags & SRGB)
    return cuda_missing("textures with sRGB");
  for (int d = 0; d < 3; d++)
    t->sampler.address[d] = (uint8_t)(address[d] & 3);
  if (!(flags & READ_AS_INTEGER))
    texture_read_fractions(t);
  t->sampler.linear = filter == 1 && !texture_is_integer(t->type);
  t->sampler.normalized = (flags & NORMALIZED) != 0;
  if (border)
    memcpy(t->sampler.border, border, sizeof t->sampler.border);
  return CU_SUCCESS;
}

static int create_texture(uint64_t *to, const struct resource *r, const struct reading *d, const void *view) {
  struct texture t;
  if (!to || !r || !d)
    return CU_INVALID_VALUE;
  if (view)
    return cuda_missing("cuTexObjectCreate with a resource view");
  int e = texture_of(r, &t);
  if (!e)
    e = set_reading(&t, d->address, d->filter, d->flags, d->border);
  return e ? e : header_new(&t, to);
}
API int cuTexObjectCreate(uint64_t *to, const struct resource *r, const struct reading *d, const void *view);
API int cuTexObjectCreate(uint64_t *to, const struct resource *r, const struct reading *d, const void *view) {
  DRIVER(create_texture(to, r, d, view));
}
API int cuTexObjectDestroy(uint64_t handle);
API int cuTexObjectDestroy(uint64_t handle) {
  DRIVER(header_free(handle));
}
static int create_surface(uint64_t *to, const struct resource *r) {
  struct texture t;
  if (!to || !r || r->type != 0)
    return CU_INVALID_VALUE;
  int e = texture_of_array(array_find(r->of.array), &t);
  return e ? e : header_new(&t, to);
}
API int cuSurfObjectCreate(uint64_t *to, const struct resource *r);
API int cuSurfObjectCreate(uint64_t *to, const struct resource *r) {
  DRIVER(create_surface(to, r));
}
API int cuSurfObjectDestroy(uint64_t handle);
API int cuSurfObjectDestroy(uint64_t handle) {
  DRIVER(header_free(handle));
}

/* ---- references ---- */

/* What the program has set so far; written to the module's variable whenever it changes. */
struct texref {
  struct texref *next;
  struct image *image;
  uint64_t at; /* the variable */
  bool bound, surface;
  struct texture t;
  struct channel_desc format;
  int address[3], filter;
  unsigned flags;
};

static int store(struct texref *r) {
  struct texture t = r->t;
  int e = r->bound && !r->surface ? set_reading(&t, r->address, r->filter, r->flags, NULL) : CU_SUCCESS;
  if (!e && r->bound)
    memcpy(sim_bytes(cuda_sim(), r->at), &t, sizeof t);
  return e;
}

static int get_reference(struct texref **to, void *module, const char *name, bool surface) {
  struct image *i = cuda_lists()->images;
  uint64_t at, bytes;
  while (i && i != module)
    i = i->next;
  if (!to || !i || !name)
    return CU_INVALID_VALUE;
  int e = image_load(i);
  if (e)
    return e;
  if (!sim_symbol(i->module, name, &at, &bytes) || bytes < sizeof(struct texture))
    return CU_SYMBOL_NOT_FOUND;
  for (struct texref *r = cuda_lists()->texrefs; r; r = r->next)
    if (r->image == i && r->at == at) {
      *to = r;
      return CU_SUCCESS;
    }
  struct texref *r = xcalloc(1, sizeof *r);
  *r = (struct texref){.next = cuda_lists()->texrefs,
                       .image = i,
                       .at = at,
                       .surface = surface,
                       .format = {32, 0, 0, 0, 2},
                       .address = {ADDRESS_CLAMP, ADDRESS_CLAMP, ADDRESS_CLAMP}};
  *to = cuda_lists()->texrefs = r;
  return CU_SUCCESS;
}
API int cuModuleGetTexRef(struct texref **to, void *module, const char *name);
API int cuModuleGetTexRef(struct texref **to, void *module, const char *name) {
  DRIVER(get_reference(to, module, name, false));
}
API int cuModuleGetSurfRef(struct texref **to, void *module, const char *name);
API int cuModuleGetSurfRef(struct texref **to, void *module, const char *name) {
  DRIVER(get_reference(to, module, name, true));
}

static bool known(const struct texref *r) {
  const struct texref *at = cuda_lists()->texrefs;
  while (at && at != r)
    at = at->next;
  return at;
}

static int set_array(struct texref *r, const void *array) {
  int e = known(r) ? texture_of_array(array_find(array), &r->t) : CU_INVALID_VALUE;
  if (e)
    return e;
  r->bound = true;
  return store(r);
}
API int cuTexRefSetArray(struct texref *r, void *array, unsigned flags);
API int cuTexRefSetArray(struct texref *r, void *array, unsigned flags) {
  (void)flags; /* CU_TRSA_OVERRIDE_FORMAT: the array's format is taken in any case */
  DRIVER(set_array(r, array));
}
API int cuSurfRefSetArray(struct texref *r, void *array, unsigned flags);
API int cuSurfRefSetArray(struct texref *r, void *array, unsigned flags) {
  (void)flags;
  DRIVER(set_array(r, array));
}

static int set_address(size_t *offset, struct texref *r, device_pointer p, size_t bytes) {
  if (offset)
    *offset = 0;
  int e = known(r) ? texture_of_memory(p, &r->format, bytes, &r->t) : CU_INVALID_VALUE;
  if (e)
    return e;
  r->bound = true;
  return store(r);
}
API int cuTexRefSetAddress_v2(size_t *offset, struct texref *r, device_pointer p, size_t bytes);
API int cuTexRefSetAddress_v2(size_t *offset, struct texref *r, device_pointer p, size_t bytes) {
  DRIVER(set_address(offset, r, p, bytes));
}
static int set_rows(struct texref *r, const struct array_description *d, device_pointer p, size_t pitch) {
  struct channel_desc f;
  if (!d || !known(r) || !describe(d->format, d->channels, &f))
    return CU_INVALID_VALUE;
  int e = texture_of_rows(p, &f, d->width, d->height, pitch, &r->t);
  if (e)
    return e;
  r->bound = true;
  return store(r);
}
API int cuTexRefSetAddress2D_v3(struct texref *r, const struct array_description *d, device_pointer p,
                                size_t pitch);
API int cuTexRefSetAddress2D_v3(struct texref *r, const struct array_description *d, device_pointer p,
                                size_t pitch) {
  DRIVER(set_rows(r, d, p, pitch));
}

enum what { SET_FORMAT, SET_ADDRESS_MODE, SET_FILTER, SET_FLAGS };
static int set(struct texref *r, enum what what, int a, unsigned b) {
  if (!known(r))
    return CU_INVALID_VALUE;
  switch (what) {
  case SET_FORMAT:
    if (!describe(a, b, &r->format))
      return CU_INVALID_VALUE;
    break;
  case SET_ADDRESS_MODE:
    if (a < 0 || a > 2 || b > ADDRESS_BORDER)
      return CU_INVALID_VALUE;
    r->address[a] = (int)b;
    break;
  case SET_FILTER:
    r->filter = a;
    break;
  case SET_FLAGS:
    r->flags = b;
    break;
  }
  return store(r);
}
API int cuTexRefSetFormat(struct texref *r, int format, int channels);
API int cuTexRefSetFormat(struct texref *r, int format, int channels) {
  DRIVER(set(r, SET_FORMAT, format, (unsigned)channels));
}
API int cuTexRefSetAddressMode(struct texref *r, int dim, int mode);
API int cuTexRefSetAddressMode(struct texref *r, int dim, int mode) {
  DRIVER(set(r, SET_ADDRESS_MODE, dim, (unsigned)mode));
}
API int cuTexRefSetFilterMode(struct texref *r, int mode);
API int cuTexRefSetFilterMode(struct texref *r, int mode) {
  DRIVER(set(r, SET_FILTER, mode, 0));
}
API int cuTexRefSetFlags(struct texref *r, unsigned flags);
API int cuTexRefSetFlags(struct texref *r, unsigned flags) {
  DRIVER(set(r, SET_FLAGS, 0, flags));
}

ALIAS(cuMemcpyHtoA_v2_ptds, cuMemcpyHtoA_v2);
ALIAS(cuMemcpyAtoH_v2_ptds, cuMemcpyAtoH_v2);
ALIAS(cuMemcpyDtoA_v2_ptds, cuMemcpyDtoA_v2);
ALIAS(cuMemcpyAtoD_v2_ptds, cuMemcpyAtoD_v2);
