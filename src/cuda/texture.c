/* Texture and surface objects, and references to textures and surfaces. An object is the device address of a header
 * (front/texture); a reference is a variable of the module that holds one, filled in by a binding. */
#include "cuda/array.h"

struct header {
  struct header *next;
  uint64_t address;
};

int header_new(const struct texture *t, uint64_t *handle) {
  uint64_t at = sim_alloc(cuda_sim(), sizeof *t, NULL);
  if (!at)
    return CU_MEMORY_ALLOCATION;
  memcpy(sim_bytes(cuda_sim(), at), t, sizeof *t);
  struct header *h = xcalloc(1, sizeof *h);
  *h = (struct header){cuda_lists()->headers, at};
  cuda_lists()->headers = h;
  *handle = at;
  return CU_SUCCESS;
}

int header_free(uint64_t handle) {
  for (struct header **at = &cuda_lists()->headers; *at; at = &(*at)->next)
    if ((*at)->address == handle) {
      struct header *h = *at;
      *at = h->next;
      sim_free(cuda_sim(), handle);
      free(h);
      return CU_SUCCESS;
    }
  return CU_INVALID_VALUE;
}

void headers_free_all(void) {
  while (cuda_lists()->headers)
    header_free(cuda_lists()->headers->address);
}

static bool header_is(uint64_t handle) {
  const struct header *h = cuda_lists()->headers;
  while (h && h->address != handle)
    h = h->next;
  return h;
}

/* ---- what a texture is made of ---- */

int texture_of_array(const struct cuda_array *a, struct texture *t) {
  if (!a)
    return CU_INVALID_VALUE;
  *t = a->t;
  return CU_SUCCESS;
}

static int of_memory(uint64_t address, const struct channel_desc *d, struct texture *t) {
  *t = (struct texture){
      .magic = TEXTURE_MAGIC, .zero_alpha = 1, .num_mips = 1, .num_samples = 1, .base = address};
  if (!d || !array_format(d, t) || !sim_find(cuda_sim(), address) || address % t->texel_bytes)
    return CU_INVALID_VALUE;
  t->height = t->depth = 1;
  return CU_SUCCESS;
}

int texture_of_memory(uint64_t address, const struct channel_desc *d, size_t bytes, struct texture *t) {
  int e = of_memory(address, d, t);
  if (e)
    return e;
  const struct devbuf *b = sim_find(cuda_sim(), address);
  uint64_t most = b->size - (address - b->addr);
  uint64_t texels = (bytes < most ? bytes : most) / t->texel_bytes;
  if (!texels)
    return CU_INVALID_VALUE;
  t->shape = SHAPE_BUFFER;
  t->width = texels > UINT32_MAX ? UINT32_MAX : (uint32_t)texels;
  t->row_pitch = t->slice_pitch = (uint64_t)t->width * t->texel_bytes;
  return CU_SUCCESS;
}

int texture_of_rows(uint64_t address, const struct channel_desc *d, size_t width, size_t height, size_t pitch,
                    struct texture *t) {
  int e = of_memory(address, d, t);
  if (e)
    return e;
  const struct devbuf *b = sim_find(cuda_sim(), address);
  uint64_t most = b->size - (address - b->addr);
  if (!width || !height || width > UINT32_MAX || height > UINT32_MAX || pitch < width * t->texel_bytes ||
      pitch % t->texel_bytes || (height - 1) * pitch + width * t->texel_bytes > most)
    return CU_INVALID_VALUE;
  t->shape = SHAPE_2D;
  t->width = (uint32_t)width, t->height = (uint32_t)height;
  t->row_pitch = pitch, t->slice_pitch = pitch * height;
  return CU_SUCCESS;
}

void texture_read_fractions(struct texture *t) {
  switch (t->type) {
  case TYPE_UINT8:
    t->type = TYPE_UNORM8;
    break;
  case TYPE_SINT8:
    t->type = TYPE_SNORM8;
    break;
  case TYPE_UINT16:
    t->type = TYPE_UNORM16;
    break;
  case TYPE_SINT16:
    t->type = TYPE_SNORM16;
    break;
  default:
    break;
  }
}

/* ---- objects ---- */

enum { RESOURCE_ARRAY, RESOURCE_MIPMAPS, RESOURCE_LINEAR, RESOURCE_PITCH };
struct resource {
  int type;
  union {
    struct {
      void *array;
    } array;
    struct {
      void *at;
      struct channel_desc format;
      size_t bytes;
    } linear;
    struct {
      void *at;
      struct channel_desc format;
      size_t width, height, pitch;
    } rows;
  } of;
};
struct reading { /* cudaTextureDesc */
  int address[3], filter, mode, srgb;
  float border[4];
  int normalized;
  unsigned anisotropy;
  int mipmap_filter;
  float mipmap_bias, mipmap_least, mipmap_most;
  int disable_trilinear, seamless;
};

static int texture_of(const struct resource *r, struct texture *t) {
  switch (r->type) {
  case RESOURCE_ARRAY:
    return texture_of_array(array_find(r->of.array.array), t);
  case RESOURCE_LINEAR:
    return texture_of_memory((uint64_t)(uintptr_t)r->of.linear.at, &r->of.linear.format, r->of.linear.bytes,
                             t);
  case RESOURCE_PITCH:
    return texture_of_rows((uint64_t)(uintptr_t)r->of.rows.at, &r->of.rows.format, r->of.rows.width,
                           r->of.rows.height, r->of.rows.pitch, t);
  case RESOURCE_MIPMAPS:
    return cuda_missing("textures of mipmapped arrays");
  default:
    return CU_INVALID_VALUE;
  }
}

/* Linear filtering of integers needs fractions. */
static int set_reading(struct texture *t, const int address[3], int filter, bool fractions, int normalized,
                       const float *border) {
  for (int d = 0; d < 3; d++)
    if (address[d] < 0 || address[d] > ADDRESS_BORDER)
      return CU_INVALID_VALUE;
    else
      t->sampler.address[d] = (uint8_t)address[d];
  if (fractions)
    texture_read_fractions(t);
  t->sampler.linear = filter == 1;
  t->sampler.normalized = normalized != 0;
  if (border)
    memcpy(t->sampler.border, border, sizeof t->sampler.border);
  return t->sampler.linear && texture_is_integer(t->type) && t->shape != SHAPE_BUFFER ? CU_INVALID_VALUE
                                                                                      : CU_SUCCESS;
}

static int create_texture(uint64_t *to, const struct resource *r, const struct reading *d, const void *view) {
  struct texture t;
  if (!to || !r || !d)
    return CU_INVALID_VALUE;
  if (view)
    return cuda_missing("cudaCreateTextureObject with a resource view");
  if (d->srgb)
    return cuda_missing("cudaCreateTextureObject with sRGB");
  int e = texture_of(r, &t);
  if (!e)
    e = set_reading(&t, d->address, d->filter, d->mode == 1, d->normalized, d->border);
  return e ? e : header_new(&t, to);
}
API int cudaCreateTextureObject(uint64_t *to, const struct resource *r, const struct reading *d,
                                const void *view);
API int cudaCreateTextureObject(uint64_t *to, const struct resource *r, const struct reading *d,
                                const void *view) {
  RUNTIME(create_texture(to, r, d, view));
}
ALIAS(cudaCreateTextureObject_v2, cudaCreateTextureObject);

static int destroy(uint64_t handle) {
  return handle ? header_free(handle) : CU_SUCCESS;
}
API int cudaDestroyTextureObject(uint64_t handle);
API int cudaDestroyTextureObject(uint64_t handle) {
  RUNTIME(destroy(handle));
}

static int create_surface(uint64_t *to, const struct resource *r) {
  struct texture t;
  if (!to || !r || r->type != RESOURCE_ARRAY)
    return CU_INVALID_VALUE;
  const struct cuda_array *a = array_find(r->of.array.array);
  int e = a && !(a->flags & ARRAY_SURFACE) ? CU_INVALID_VALUE : texture_of_array(a, &t);
  return e ? e : header_new(&t, to);
}
API int cudaCreateSurfaceObject(uint64_t *to, const struct resource *r);
API int cudaCreateSurfaceObject(uint64_t *to, const struct resource *r) {
  RUNTIME(create_surface(to, r));
}
API int cudaDestroySurfaceObject(uint64_t handle);
API int cudaDestroySurfaceObject(uint64_t handle) {
  RUNTIME(destroy(handle));
}

/* What an object was made of, from its header. */
static int describe(struct resource *r, uint64_t handle) {
  if (!r || !header_is(handle))
    return CU_INVALID_VALUE;
  struct texture t;
  memcpy(&t, sim_bytes(cuda_sim(), handle), sizeof t);
  memset(r, 0, sizeof *r);
  for (struct cuda_array *a = cuda_lists()->arrays; a; a = a->next)
    if (a->t.base == t.base) {
      r->of.array.array = a;
      return CU_SUCCESS;
    }
  r->type = t.shape == SHAPE_BUFFER ? RESOURCE_LINEAR : RESOURCE_PITCH;
  r->of.linear.at = (void *)(uintptr_t)t.base;
  if (t.shape == SHAPE_BUFFER)
    r->of.linear.bytes = t.row_pitch;
  else
    r->of.rows.width = t.width, r->of.rows.height = t.height, r->of.rows.pitch = t.row_pitch;
  return CU_SUCCESS;
}
API int cudaGetTextureObjectResourceDesc(struct resource *r, uint64_t handle);
API int cudaGetTextureObjectResourceDesc(struct resource *r, uint64_t handle) {
  RUNTIME(describe(r, handle));
}
API int cudaGetSurfaceObjectResourceDesc(struct resource *r, uint64_t handle);
API int cudaGetSurfaceObjectResourceDesc(struct resource *r, uint64_t handle) {
  RUNTIME(describe(r, handle));
}

/* ---- references ---- */

/* textureReference, as programs of CUDA 11 and before hold it. */
struct text_reference {
  int normalized, filter, address[3];
  struct channel_desc format;
  int srgb;
};

struct reference {
  struct reference *next;
  struct image *image;
  const void *host;
  char *name;
  bool fractions;
};

static void add_reference(void **handle, const void *host, const char *name, bool fractions) {
  cuda_enter_raw();
  struct reference *r = xcalloc(1, sizeof *r);
  *r = (struct reference){cuda_lists()->references, (struct image *)(void *)handle, host, xstrdup(name),
                          fractions};
  cuda_lists()->references = r;
  cuda_leave();
}

API void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                               int dim, int norm, int ext);
API void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                               int dim, int norm, int ext) {
  (void)device, (void)dim, (void)ext; /* fetches say how many dimensions there are */
  add_reference(handle, host, name, norm != 0);
}
API void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                               int dim, int ext);
API void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                               int dim, int ext) {
  (void)device, (void)dim, (void)ext;
  add_reference(handle, host, name, false);
}

/* The device address of a reference's variable. */
static int find_reference(const void *host, struct reference **r, uint64_t *at) {
  uint64_t bytes;
  for (*r = cuda_lists()->references; *r && (*r)->host != host;)
    *r = (*r)->next;
  if (!*r)
    return CU_INVALID_TEXTURE;
  int e = image_load((*r)->image);
  if (!e && !sim_symbol((*r)->image->module, (*r)->name, at, &bytes))
    e = CU_INVALID_TEXTURE;
  return e;
}

static int bind(const void *host, const struct texture *t, bool surface) {
  struct reference *r;
  uint64_t at;
  int e = find_reference(host, &r, &at);
  if (e)
    return e;
  struct texture own = *t;
  const struct text_reference *how = host;
  if (!surface)
    e = how->srgb ? cuda_missing("texture references with sRGB")
                  : set_reading(&own, how->address, how->filter, r->fractions, how->normalized, NULL);
  if (!e)
    memcpy(sim_bytes(cuda_sim(), at), &own, sizeof own);
  return e;
}

static int bind_memory(size_t *offset, const void *host, const void *p, const struct channel_desc *d,
                       size_t bytes) {
  struct texture t;
  if (offset)
    *offset = 0;
  int e = texture_of_memory((uint64_t)(uintptr_t)p, d, bytes, &t);
  return e ? e : bind(host, &t, false);
}
API int cudaBindTexture(size_t *offset, const void *host, const void *p, const struct channel_desc *d,
                        size_t bytes);
API int cudaBindTexture(size_t *offset, const void *host, const void *p, const struct channel_desc *d,
                        size_t bytes) {
  RUNTIME(bind_memory(offset, host, p, d, bytes));
}

static int bind_rows(size_t *offset, const void *host, const void *p, const struct channel_desc *d,
                     size_t width, size_t height, size_t pitch) {
  struct texture t;
  if (offset)
    *offset = 0;
  int e = texture_of_rows((uint64_t)(uintptr_t)p, d, width, height, pitch, &t);
  return e ? e : bind(host, &t, false);
}
API int cudaBindTexture2D(size_t *offset, const void *host, const void *p, const struct channel_desc *d,
                          size_t width, size_t height, size_t pitch);
API int cudaBindTexture2D(size_t *offset, const void *host, const void *p, const struct channel_desc *d,
                          size_t width, size_t height, size_t pitch) {
  RUNTIME(bind_rows(offset, host, p, d, width, height, pitch));
}

static int bind_array(const void *host, const void *array, bool surface) {
  struct texture t;
  int e = texture_of_array(array_find(array), &t);
  return e ? e : bind(host, &t, surface);
}
API int cudaBindTextureToArray(const void *host, const void *array, const struct channel_desc *d);
API int cudaBindTextureToArray(const void *host, const void *array, const struct channel_desc *d) {
  (void)d; /* the array has its own, which must be the same */
  RUNTIME(bind_array(host, array, false));
}
API int cudaBindSurfaceToArray(const void *host, const void *array, const struct channel_desc *d);
API int cudaBindSurfaceToArray(const void *host, const void *array, const struct channel_desc *d) {
  (void)d;
  RUNTIME(bind_array(host, array, true));
}

static int unbind(const void *host) {
  struct reference *r;
  uint64_t at;
  int e = find_reference(host, &r, &at);
  if (!e)
    memset(sim_bytes(cuda_sim(), at), 0, sizeof(struct texture));
  return e;
}
API int cudaUnbindTexture(const void *host);
API int cudaUnbindTexture(const void *host) {
  RUNTIME(unbind(host));
}
API int cudaGetTextureAlignmentOffset(size_t *offset, const void *host);
static int alignment(size_t *offset, const void *host) {
  struct reference *r;
  uint64_t at;
  int e = offset ? find_reference(host, &r, &at) : CU_INVALID_VALUE;
  if (!e)
    *offset = 0;
  return e;
}
API int cudaGetTextureAlignmentOffset(size_t *offset, const void *host) {
  RUNTIME(alignment(offset, host));
}
API int cudaGetTextureReference(const void **to, const void *symbol);
API int cudaGetTextureReference(const void **to, const void *symbol) {
  if (to)
    *to = symbol;
  RUNTIME(to ? CU_SUCCESS : CU_INVALID_VALUE);
}

/* Only describes: how many bits each of four channels has, and whether they are signed, unsigned or floats. */
API struct channel_desc cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
API struct channel_desc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (struct channel_desc){x, y, z, w, kind};
}
