/* Images: their formats, their making, what they say of themselves. An image is a texture of the device (front/texture): a header
 * that kernels are given the address of, and texels laid out as the GPU has it. A 1D image of a buffer is the buffer's bytes. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/image.h"

/* What every kind of image can be read and written as. */
static const struct {
  cl_channel_order order;
  cl_channel_type first, last; /* types without a gap */
} formats[] = {
    {CL_R, CL_SNORM_INT8, CL_UNORM_INT16},    {CL_R, CL_SIGNED_INT8, CL_FLOAT},
    {CL_RG, CL_SNORM_INT8, CL_UNORM_INT16},   {CL_RG, CL_SIGNED_INT8, CL_FLOAT},
    {CL_RGBA, CL_SNORM_INT8, CL_UNORM_INT16}, {CL_RGBA, CL_SIGNED_INT8, CL_FLOAT},
    {CL_BGRA, CL_UNORM_INT8, CL_UNORM_INT8},  {CL_A, CL_UNORM_INT8, CL_UNORM_INT16},
    {CL_A, CL_HALF_FLOAT, CL_FLOAT},          {CL_INTENSITY, CL_UNORM_INT8, CL_UNORM_INT16},
    {CL_INTENSITY, CL_HALF_FLOAT, CL_FLOAT},  {CL_LUMINANCE, CL_UNORM_INT8, CL_UNORM_INT16},
    {CL_LUMINANCE, CL_HALF_FLOAT, CL_FLOAT},
};
enum { NFORMATS = sizeof formats / sizeof *formats };

static bool supported(const cl_image_format *f) {
  for (size_t i = 0; i < NFORMATS; i++)
    if (formats[i].order == f->image_channel_order && f->image_channel_data_type >= formats[i].first &&
        f->image_channel_data_type <= formats[i].last)
      return true;
  return false;
}

static bool known_type(cl_mem_object_type t) {
  return t >= CL_MEM_OBJECT_IMAGE2D && t <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context c, cl_mem_flags flags, cl_mem_object_type type,
                                              cl_uint n, cl_image_format *to, cl_uint *count) {
  ocl_lock();
  bool is = object_is(c, KIND_CONTEXT);
  ocl_unlock();
  if (!is)
    return CL_INVALID_CONTEXT;
  if (!known_type(type) || (!n && to))
    return CL_INVALID_VALUE;
  cl_uint all = 0;
  bool none =
      flags & CL_MEM_KERNEL_READ_AND_WRITE; /* by one kernel through one argument; else all can be both */
  for (size_t i = 0; i < NFORMATS && !none; i++)
    for (cl_channel_type t = formats[i].first; t <= formats[i].last; t++, all++)
      if (to && all < n)
        to[all] = (cl_image_format){formats[i].order, t};
  if (count)
    *count = all;
  return CL_SUCCESS;
}

/* The shape, with sizes that do not apply as 1. False: a size is wrong. */
static bool measure(const cl_image_desc *d, struct texture *t) {
  size_t w = d->image_width, h = 1, z = 1;
  size_t most = IMAGE_MAX_SIDE;
  switch (d->image_type) {
  case CL_MEM_OBJECT_IMAGE1D:
    t->shape = SHAPE_1D;
    break;
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    t->shape = SHAPE_BUFFER;
    most = IMAGE_MAX_BUFFER;
    break;
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    t->shape = SHAPE_1D_ARRAY;
    z = d->image_array_size;
    break;
  case CL_MEM_OBJECT_IMAGE2D:
    t->shape = SHAPE_2D;
    h = d->image_height;
    break;
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    t->shape = SHAPE_2D_ARRAY;
    h = d->image_height;
    z = d->image_array_size;
    break;
  default:
    t->shape = SHAPE_3D;
    h = d->image_height;
    z = d->image_depth;
    most = IMAGE_MAX_SIDE_3D;
    break;
  }
  size_t layers = t->shape == SHAPE_3D ? IMAGE_MAX_SIDE_3D : IMAGE_MAX_LAYERS;
  if (!w || !h || !z || w > most || h > most || z > layers)
    return false;
  t->width = (uint32_t)w, t->height = (uint32_t)h, t->depth = (uint32_t)z;
  return true;
}

/* Pitches of what the program gives; 0: as tight as can be. */
static bool pitches(const cl_image_desc *d, const void *host, const struct texture *t, size_t *row,
                    size_t *slice) {
  size_t least = (size_t)t->width * t->texel_bytes;
  *row = d->image_row_pitch, *slice = d->image_slice_pitch;
  if (!host && (*row || *slice) && t->shape != SHAPE_BUFFER)
    return false;
  if (*row && (*row < least || *row % t->texel_bytes))
    return false;
  *row = *row ? *row : least;
  size_t plane = *row * t->height;
  if (t->depth > 1 && *slice && (*slice < plane || *slice % *row))
    return false;
  *slice = t->depth > 1 && *slice ? *slice : plane;
  return true;
}

static void write_header(struct image *im) {
  memcpy(sim_bytes(ocl_sim(), im->header), &im->t, sizeof im->t);
}

static cl_mem make(cl_context c, cl_mem_flags flags, const cl_image_format *f, struct image *im, void *host,
                   cl_mem buffer, cl_int *err) {
  struct sim *s = ocl_sim();
  im->header = sim_alloc(s, sizeof im->t, NULL);
  uint64_t bytes = texture_lay_out(&im->t, buffer ? LAYOUT_PITCH : (enum texture_layout)sim_image_layout(s));
  uint64_t at = !im->header || !bytes ? 0 : buffer ? buffer->address : sim_alloc(s, bytes, NULL);
  if (!at) {
    sim_free(s, im->header);
    return fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  }
  cl_mem m = object_new(KIND_MEM, sizeof *m);
  m->context = c;
  object_hold(c);
  m->parent = buffer;
  if (buffer)
    object_hold(buffer);
  m->size = im->host_slice * im->t.depth;
  m->flags =
      flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY) ? flags : flags | CL_MEM_READ_WRITE;
  m->host_ptr = flags & CL_MEM_USE_HOST_PTR ? host : buffer ? buffer->host_ptr : NULL;
  m->address = at;
  m->bytes = sim_bytes(s, at);
  im->format = *f;
  im->t.magic = TEXTURE_MAGIC;
  im->t.base = at;
  im->t.num_mips = im->t.num_samples = 1;
  m->image = xmalloc(sizeof *m->image);
  *m->image = *im;
  write_header(m->image);
  if (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR))
    texture_write(&im->t, m->bytes, &(struct texture_box){0, 0, 0, im->t.width, im->t.height, im->t.depth},
                  host, im->host_row, im->host_slice);
  return succeed(err, m);
}

static cl_mem create(cl_context c, cl_mem_flags flags, const cl_image_format *f, const cl_image_desc *d,
                     void *host, cl_int *err) {
  if (!object_is(c, KIND_CONTEXT))
    return fail(err, CL_INVALID_CONTEXT);
  if (!f || !texture_texel_bytes(f->image_channel_order, f->image_channel_data_type))
    return fail(err, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  if (!d || !known_type(d->image_type) || d->num_mip_levels || d->num_samples)
    return fail(err, CL_INVALID_IMAGE_DESCRIPTOR);
  if (!supported(f))
    return fail(err, CL_IMAGE_FORMAT_NOT_SUPPORTED);
  cl_mem buffer = d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? d->buffer : NULL;
  if (!mem_flags_fit(&flags) ||
      (buffer && flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(err, CL_INVALID_VALUE);
  if ((d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) != (d->buffer != NULL))
    return fail(err, CL_INVALID_IMAGE_DESCRIPTOR);
  if (buffer && (!object_is(buffer, KIND_MEM) || buffer->image))
    return fail(err, CL_INVALID_MEM_OBJECT);
  struct image im = {.type = d->image_type};
  im.t.order = (uint16_t)f->image_channel_order;
  im.t.type = (uint16_t)f->image_channel_data_type;
  im.t.texel_bytes = texture_texel_bytes(im.t.order, im.t.type);
  if (!measure(d, &im.t))
    return fail(err, CL_INVALID_IMAGE_SIZE);
  if (!host != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(err, CL_INVALID_HOST_PTR);
  if (!pitches(d, host, &im.t, &im.host_row, &im.host_slice))
    return fail(err, CL_INVALID_IMAGE_DESCRIPTOR);
  if (buffer && im.host_row > buffer->size)
    return fail(err, CL_INVALID_IMAGE_SIZE);
  return make(c, flags, f, &im, host, buffer, err);
}

cl_mem CL_API_CALL clCreateImage(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                 const cl_image_desc *desc, void *host, cl_int *err) {
  ocl_lock();
  cl_mem m = create(c, flags, format, desc, host, err);
  ocl_unlock();
  return m;
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context c, const cl_mem_properties *list,
                                               cl_mem_flags flags, const cl_image_format *format,
                                               const cl_image_desc *desc, void *host, cl_int *err) {
  ocl_lock();
  bool good = !list || !*list || !object_is(c, KIND_CONTEXT);
  cl_mem m = good ? create(c, flags, format, desc, host, err) : fail(err, CL_INVALID_PROPERTY);
  mem_keep_properties(m, list);
  ocl_unlock();
  return m;
}

cl_mem CL_API_CALL clCreateImage2D(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                   size_t width, size_t height, size_t pitch, void *host, cl_int *err) {
  cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                     .image_width = width,
                     .image_height = height,
                     .image_row_pitch = pitch};
  return clCreateImage(c, flags, format, &d, host, err);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                   size_t width, size_t height, size_t depth, size_t row_pitch,
                                   size_t slice_pitch, void *host, cl_int *err) {
  cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                     .image_width = width,
                     .image_height = height,
                     .image_depth = depth,
                     .image_row_pitch = row_pitch,
                     .image_slice_pitch = slice_pitch};
  return clCreateImage(c, flags, format, &d, host, err);
}

void image_destroy(cl_mem m) {
  sim_free(ocl_sim(), m->image->header);
  free(m->image);
}

static cl_int image_info(cl_mem m, cl_image_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(m, KIND_MEM) || !m->image)
    return CL_INVALID_MEM_OBJECT;
  const struct image *im = m->image;
  const struct texture *t = &im->t;
  bool layers = t->shape == SHAPE_1D_ARRAY || t->shape == SHAPE_2D_ARRAY;
  bool flat = t->shape == SHAPE_1D || t->shape == SHAPE_1D_ARRAY || t->shape == SHAPE_BUFFER;
  switch (name) {
  case CL_IMAGE_FORMAT:
    return INFO(cl_image_format, im->format.image_channel_order, im->format.image_channel_data_type);
  case CL_IMAGE_ELEMENT_SIZE:
    return INFO(size_t, t->texel_bytes);
  case CL_IMAGE_ROW_PITCH:
    return INFO(size_t, im->host_row);
  case CL_IMAGE_SLICE_PITCH:
    return INFO(size_t, layers || t->shape == SHAPE_3D ? im->host_slice : 0);
  case CL_IMAGE_WIDTH:
    return INFO(size_t, t->width);
  case CL_IMAGE_HEIGHT:
    return INFO(size_t, flat ? 0 : t->height);
  case CL_IMAGE_DEPTH:
    return INFO(size_t, t->shape == SHAPE_3D ? t->depth : 0);
  case CL_IMAGE_ARRAY_SIZE:
    return INFO(size_t, layers ? t->depth : 0);
  case CL_IMAGE_BUFFER:
    return INFO(cl_mem, m->parent);
  case CL_IMAGE_NUM_MIP_LEVELS:
  case CL_IMAGE_NUM_SAMPLES:
    return INFO(cl_uint, 0);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetImageInfo(cl_mem m, cl_image_info name, size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = image_info(m, name, n, to, ret);
  ocl_unlock();
  return r;
}
