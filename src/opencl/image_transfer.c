/* Commands on images: read, write, copy, fill and map. Texels are moved between the image's layout and plain rows. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/image.h"

static cl_int check(cl_command_queue q, cl_mem m) {
  if (!object_is(q, KIND_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (!object_is(m, KIND_MEM) || !m->image)
    return CL_INVALID_MEM_OBJECT;
  return m->context == q->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

/* OpenCL counts the layers of a 1D array in the second dimension. */
static bool box_of(const struct texture *t, const size_t *origin, const size_t *region,
                   struct texture_box *b) {
  bool lines = t->shape == SHAPE_1D_ARRAY;
  if (!origin || !region)
    return false;
  const size_t at[3] = {origin[0], lines ? origin[2] : origin[1], lines ? origin[1] : origin[2]};
  const size_t n[3] = {region[0], lines ? region[2] : region[1], lines ? region[1] : region[2]};
  const uint32_t size[3] = {t->width, t->height, t->depth};
  for (int d = 0; d < 3; d++)
    if (!n[d] || at[d] >= size[d] || n[d] > size[d] - at[d])
      return false;
  *b = (struct texture_box){(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2],
                            (uint32_t)n[0],  (uint32_t)n[1],  (uint32_t)n[2]};
  return true;
}

static size_t texels(const struct texture_box *b) {
  return (size_t)b->width * b->height * b->depth;
}

struct rows {
  uint8_t *at;
  size_t row, slice;
};
struct move {
  cl_mem image;
  struct texture_box box;
  struct rows rows;
  bool write, within; /* to the image; no bus */
};

static void move_rows(const struct move *m) {
  if (m->write)
    texture_write(&m->image->image->t, m->image->bytes, &m->box, m->rows.at, m->rows.row, m->rows.slice);
  else
    texture_read(&m->image->image->t, m->image->bytes, &m->box, m->rows.at, m->rows.row, m->rows.slice);
}

static cl_int run_move(struct command *c, uint64_t *ns) {
  const struct move *m = c->data;
  uint64_t bytes = texels(&m->box) * m->image->image->t.texel_bytes;
  move_rows(m);
  *ns = m->within ? sim_copy_ns(ocl_sim(), bytes) : sim_transfer_ns(ocl_sim(), bytes);
  return CL_SUCCESS;
}

/* Pitches as the program gives them; 0: tight. */
static bool pitches(const struct texture *t, const struct texture_box *b, size_t row, size_t slice,
                    struct rows *r) {
  size_t least = (size_t)b->width * t->texel_bytes;
  r->row = row ? row : least;
  r->slice = slice ? slice : r->row * b->height;
  return r->row >= least && r->slice >= r->row * b->height;
}

static cl_int host_move(cl_command_queue q, cl_mem m, bool write, cl_bool blocking, const size_t *origin,
                        const size_t *region, size_t row, size_t slice, void *host, cl_uint n,
                        const cl_event *list, cl_event *event) {
  cl_int bad = check(q, m);
  if (bad)
    return bad;
  struct move mv = {.image = m, .rows = {.at = host}, .write = write};
  if (!host || !box_of(&m->image->t, origin, region, &mv.box) ||
      !pitches(&m->image->t, &mv.box, row, slice, &mv.rows))
    return CL_INVALID_VALUE;
  if (m->flags & (CL_MEM_HOST_NO_ACCESS | (write ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY)))
    return CL_INVALID_OPERATION;
  struct command *c =
      command_new(q, write ? CL_COMMAND_WRITE_IMAGE : CL_COMMAND_READ_IMAGE, n, list, sizeof mv, &bad);
  if (!c)
    return bad;
  memcpy(c->data, &mv, sizeof mv);
  c->run = run_move;
  command_hold(c, m);
  return command_submit(c, blocking, event);
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                                      const size_t *region, size_t row_pitch, size_t slice_pitch, void *host,
                                      cl_uint n, const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = host_move(q, m, false, blocking, origin, region, row_pitch, slice_pitch, host, n, list, event);
  ocl_unlock();
  return r;
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                                       const size_t *region, size_t row_pitch, size_t slice_pitch,
                                       const void *host, cl_uint n, const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = host_move(q, m, true, blocking, origin, region, row_pitch, slice_pitch, (void *)(uintptr_t)host,
                       n, list, event);
  ocl_unlock();
  return r;
}

static cl_int buffer_move(cl_command_queue q, cl_mem image, cl_mem buffer, bool write, const size_t *origin,
                          const size_t *region, size_t offset, cl_uint n, const cl_event *list,
                          cl_event *event) {
  cl_int bad = check(q, image);
  if (bad)
    return bad;
  if (!object_is(buffer, KIND_MEM) || buffer->image)
    return CL_INVALID_MEM_OBJECT;
  if (buffer->context != q->context)
    return CL_INVALID_CONTEXT;
  struct move mv = {.image = image, .write = write, .within = true};
  const struct texture *t = &image->image->t;
  if (!box_of(t, origin, region, &mv.box))
    return CL_INVALID_VALUE;
  size_t bytes = texels(&mv.box) * t->texel_bytes;
  if (offset > buffer->size || bytes > buffer->size - offset)
    return CL_INVALID_VALUE;
  mv.rows.at = buffer->bytes + offset;
  pitches(t, &mv.box, 0, 0, &mv.rows);
  struct command *c = command_new(
      q, write ? CL_COMMAND_COPY_BUFFER_TO_IMAGE : CL_COMMAND_COPY_IMAGE_TO_BUFFER, n, list, sizeof mv, &bad);
  if (!c)
    return bad;
  memcpy(c->data, &mv, sizeof mv);
  c->run = run_move;
  command_hold(c, image);
  command_hold(c, buffer);
  return command_submit(c, CL_FALSE, event);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue q, cl_mem from, cl_mem to,
                                              const size_t *origin, const size_t *region, size_t offset,
                                              cl_uint n, const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = buffer_move(q, from, to, false, origin, region, offset, n, list, event);
  ocl_unlock();
  return r;
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue q, cl_mem from, cl_mem to, size_t offset,
                                              const size_t *origin, const size_t *region, cl_uint n,
                                              const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = buffer_move(q, to, from, true, origin, region, offset, n, list, event);
  ocl_unlock();
  return r;
}

struct copy {
  cl_mem from, to;
  struct texture_box in, out;
};

static cl_int run_copy(struct command *c, uint64_t *ns) {
  const struct copy *k = c->data;
  size_t row = (size_t)k->in.width * k->from->image->t.texel_bytes, slice = row * k->in.height;
  uint8_t *rows = xmalloc(slice * k->in.depth);
  texture_read(&k->from->image->t, k->from->bytes, &k->in, rows, row, slice);
  texture_write(&k->to->image->t, k->to->bytes, &k->out, rows, row, slice);
  free(rows);
  *ns = sim_copy_ns(ocl_sim(), slice * k->in.depth);
  return CL_SUCCESS;
}

static bool overlap(const struct texture_box *a, const struct texture_box *b) {
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height && a->z < b->z + b->depth && b->z < a->z + a->depth;
}

static cl_int copy(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
                   const size_t *to_origin, const size_t *region, cl_uint n, const cl_event *list,
                   cl_event *event) {
  cl_int bad = check(q, from);
  if (!bad)
    bad = check(q, to);
  if (bad)
    return bad;
  if (memcmp(&from->image->format, &to->image->format, sizeof from->image->format))
    return CL_IMAGE_FORMAT_MISMATCH;
  struct copy k = {.from = from, .to = to};
  if (!box_of(&from->image->t, from_origin, region, &k.in) ||
      !box_of(&to->image->t, to_origin, region, &k.out))
    return CL_INVALID_VALUE;
  /* between a stack of lines and a stack of planes the same region can be another box: texels keep their order */
  if (k.in.height != k.out.height || k.in.depth != k.out.depth)
    k.out.height = k.in.height, k.out.depth = k.in.depth;
  if (from == to && overlap(&k.in, &k.out))
    return CL_MEM_COPY_OVERLAP;
  struct command *c = command_new(q, CL_COMMAND_COPY_IMAGE, n, list, sizeof k, &bad);
  if (!c)
    return bad;
  memcpy(c->data, &k, sizeof k);
  c->run = run_copy;
  command_hold(c, from);
  command_hold(c, to);
  return command_submit(c, CL_FALSE, event);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
                                      const size_t *to_origin, const size_t *region, cl_uint n,
                                      const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = copy(q, from, to, from_origin, to_origin, region, n, list, event);
  ocl_unlock();
  return r;
}

struct fill {
  cl_mem image;
  struct texture_box box;
  uint8_t texel[16];
};

static cl_int run_fill(struct command *c, uint64_t *ns) {
  const struct fill *f = c->data;
  const struct texture *t = &f->image->image->t;
  const struct texture_box *b = &f->box;
  for (uint32_t z = b->z; z < b->z + b->depth; z++)
    for (uint32_t y = b->y; y < b->y + b->height; y++)
      for (uint32_t x = b->x; x < b->x + b->width; x++)
        memcpy(f->image->bytes + texel_offset(t, x, y, z), f->texel, t->texel_bytes);
  *ns = sim_copy_ns(ocl_sim(), texels(b) * t->texel_bytes);
  return CL_SUCCESS;
}

/* The colour is what write_imagef, write_imagei or write_imageui would write. */
static cl_int fill(cl_command_queue q, cl_mem m, const void *colour, const size_t *origin,
                   const size_t *region, cl_uint n, const cl_event *list, cl_event *event) {
  cl_int bad = check(q, m);
  if (bad)
    return bad;
  struct fill f = {.image = m};
  if (!colour || !box_of(&m->image->t, origin, region, &f.box))
    return CL_INVALID_VALUE;
  uint32_t v[4];
  memcpy(v, colour, sizeof v);
  texel_encode(&m->image->t, v, f.texel);
  struct command *c = command_new(q, CL_COMMAND_FILL_IMAGE, n, list, sizeof f, &bad);
  if (!c)
    return bad;
  memcpy(c->data, &f, sizeof f);
  c->run = run_fill;
  command_hold(c, m);
  return command_submit(c, CL_FALSE, event);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue q, cl_mem m, const void *colour, const size_t *origin,
                                      const size_t *region, cl_uint n, const cl_event *list,
                                      cl_event *event) {
  ocl_lock();
  cl_int r = fill(q, m, colour, origin, region, n, list, event);
  ocl_unlock();
  return r;
}

/* A mapped region is rows of the host's own: the program's memory under CL_MEM_USE_HOST_PTR, else rows made for it. The
 * map fills them, the unmap (map.c) brings them back. */
static cl_int run_map(struct command *c, uint64_t *ns) {
  const struct move *m = c->data;
  move_rows(m);
  *ns = sim_transfer_ns(ocl_sim(), texels(&m->box) * m->image->image->t.texel_bytes);
  return CL_SUCCESS;
}

void image_unmap(cl_mem m, const struct mapping *map) {
  struct move mv = {.image = m, .box = map->box, .rows = {map->at, map->row, map->slice}, .write = true};
  if (map->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    move_rows(&mv);
  if (!m->host_ptr)
    free(map->at);
}

static void *map_image(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags,
                       const size_t *origin, const size_t *region, size_t *row_pitch, size_t *slice_pitch,
                       cl_uint n, const cl_event *list, cl_event *event, cl_int *err) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  cl_int bad = check(q, m);
  if (bad)
    return fail(err, bad);
  const struct texture *t = &m->image->t;
  bool stack =
      t->depth > 1 || t->shape == SHAPE_3D || t->shape == SHAPE_1D_ARRAY || t->shape == SHAPE_2D_ARRAY;
  struct mapping map = {.flags = flags};
  if (!row_pitch || (stack && !slice_pitch) || flags & ~known ||
      (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)) ||
      !box_of(t, origin, region, &map.box))
    return fail(err, CL_INVALID_VALUE);
  if ((flags & CL_MAP_READ && m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) ||
      (flags & ~(cl_map_flags)CL_MAP_READ && m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
    return fail(err, CL_INVALID_OPERATION);
  struct command *c = command_new(q, CL_COMMAND_MAP_IMAGE, n, list, sizeof(struct move), &bad);
  if (!c)
    return fail(err, bad);
  if (m->host_ptr) {
    map.row = m->image->host_row, map.slice = m->image->host_slice;
    map.at = (uint8_t *)m->host_ptr + map.box.z * map.slice + map.box.y * map.row +
             (size_t)map.box.x * t->texel_bytes;
  } else {
    map.row = (size_t)map.box.width * t->texel_bytes, map.slice = map.row * map.box.height;
    map.at = xcalloc(map.box.depth, map.slice);
  }
  map.size = texels(&map.box) * t->texel_bytes;
  *row_pitch = map.row;
  if (slice_pitch)
    *slice_pitch = stack ? map.slice : 0;
  VEC_PUSH(m->maps, m->nmaps, m->cap_maps) = map;
  struct move mv = {.image = m, .box = map.box, .rows = {map.at, map.row, map.slice}};
  memcpy(c->data, &mv, sizeof mv);
  c->run = run_map;
  command_hold(c, m);
  bad = command_submit(c, blocking, event);
  return bad ? fail(err, bad) : succeed(err, map.at);
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags,
                                    const size_t *origin, const size_t *region, size_t *row_pitch,
                                    size_t *slice_pitch, cl_uint n, const cl_event *list, cl_event *event,
                                    cl_int *err) {
  ocl_lock();
  void *at = map_image(q, m, blocking, flags, origin, region, row_pitch, slice_pitch, n, list, event, err);
  ocl_unlock();
  return at;
}
