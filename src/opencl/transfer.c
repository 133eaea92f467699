/* Commands that move bytes: read, write, copy, fill, and their forms for rectangles. */
#include "opencl/ocl.h"
#include "opencl/api.h"

/* A box of bytes in a buffer or in the program's memory: `rows` x `slices` runs of `run` bytes. */
struct box {
  uint8_t *at;
  size_t row_pitch, slice_pitch;
};
struct transfer {
  struct box from, to;
  size_t run, rows, slices;
  bool within; /* the device: no bus */
};

static cl_int run_transfer(struct command *c, uint64_t *ns) {
  const struct transfer *t = c->data;
  for (size_t z = 0; z < t->slices; z++)
    for (size_t y = 0; y < t->rows; y++)
      memmove(t->to.at + z * t->to.slice_pitch + y * t->to.row_pitch,
              t->from.at + z * t->from.slice_pitch + y * t->from.row_pitch, t->run);
  uint64_t bytes = (uint64_t)t->run * t->rows * t->slices;
  *ns = t->within ? sim_copy_ns(ocl_sim(), bytes) : sim_transfer_ns(ocl_sim(), bytes);
  return CL_SUCCESS;
}

static cl_int check_mem(cl_command_queue q, cl_mem m) {
  if (!object_is(q, KIND_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (!object_is(m, KIND_MEM) || m->image)
    return CL_INVALID_MEM_OBJECT;
  return m->context == q->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

static bool inside(cl_mem m, size_t offset, size_t size) {
  return size && offset <= m->size && size <= m->size - offset;
}

struct waits {
  cl_uint n;
  const cl_event *list;
};

static cl_int submit(cl_command_queue q, cl_command_type type, const struct transfer *t, cl_mem a, cl_mem b,
                     cl_bool blocking, struct waits w, cl_event *event) {
  cl_int err;
  struct command *c = command_new(q, type, w.n, w.list, sizeof *t, &err);
  if (!c)
    return err;
  memcpy(c->data, t, sizeof *t);
  c->run = run_transfer;
  command_hold(c, a);
  command_hold(c, b);
  return command_submit(c, blocking, event);
}

static const cl_mem_flags no_read = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
static const cl_mem_flags no_write = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

static cl_int host_transfer(cl_command_queue q, cl_mem m, bool write, cl_bool blocking, size_t offset,
                            size_t size, void *host, struct waits w, cl_event *event) {
  cl_int bad = check_mem(q, m);
  if (bad)
    return bad;
  if (!host || !inside(m, offset, size))
    return CL_INVALID_VALUE;
  if (m->flags & (write ? no_write : no_read))
    return CL_INVALID_OPERATION;
  struct box device = {.at = m->bytes + offset}, program = {.at = host};
  struct transfer t = {
      .from = write ? program : device, .to = write ? device : program, .run = size, .rows = 1, .slices = 1};
  return submit(q, write ? CL_COMMAND_WRITE_BUFFER : CL_COMMAND_READ_BUFFER, &t, m, NULL, blocking, w, event);
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset,
                                       size_t size, void *host, cl_uint n, const cl_event *list,
                                       cl_event *event) {
  ocl_lock();
  cl_int r = host_transfer(q, m, false, blocking, offset, size, host, (struct waits){n, list}, event);
  ocl_unlock();
  return r;
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset,
                                        size_t size, const void *host, cl_uint n, const cl_event *list,
                                        cl_event *event) {
  ocl_lock();
  cl_int r = host_transfer(q, m, true, blocking, offset, size, (void *)(uintptr_t)host,
                           (struct waits){n, list}, event);
  ocl_unlock();
  return r;
}

static bool overlap(cl_mem a, size_t at_a, cl_mem b, size_t at_b, size_t size) {
  uint64_t x = a->address + at_a, y = b->address + at_b;
  return x < y ? y - x < size : x - y < size;
}

static cl_int copy(cl_command_queue q, cl_mem from, cl_mem to, size_t at_from, size_t at_to, size_t size,
                   struct waits w, cl_event *event) {
  cl_int bad = check_mem(q, from);
  if (!bad)
    bad = check_mem(q, to);
  if (bad)
    return bad;
  if (!inside(from, at_from, size) || !inside(to, at_to, size))
    return CL_INVALID_VALUE;
  if (overlap(from, at_from, to, at_to, size))
    return CL_MEM_COPY_OVERLAP;
  struct transfer t = {.from = {.at = from->bytes + at_from},
                       .to = {.at = to->bytes + at_to},
                       .run = size,
                       .rows = 1,
                       .slices = 1,
                       .within = true};
  return submit(q, CL_COMMAND_COPY_BUFFER, &t, from, to, CL_FALSE, w, event);
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to, size_t at_from,
                                       size_t at_to, size_t size, cl_uint n, const cl_event *list,
                                       cl_event *event) {
  ocl_lock();
  cl_int r = copy(q, from, to, at_from, at_to, size, (struct waits){n, list}, event);
  ocl_unlock();
  return r;
}

/* One side of a rectangular transfer. */
struct rect {
  const size_t *origin;
  size_t row_pitch, slice_pitch;
};

/* Fills in pitches left to us, places `at` on the first byte; *end is one past the last byte used. */
static cl_int place(const struct rect *r, const size_t *region, struct box *b, size_t *end) {
  b->row_pitch = r->row_pitch ? r->row_pitch : region[0];
  if (b->row_pitch < region[0])
    return CL_INVALID_VALUE;
  if (region[1] > SIZE_MAX / b->row_pitch)
    return CL_INVALID_VALUE;
  size_t least = region[1] * b->row_pitch;
  b->slice_pitch = r->slice_pitch ? r->slice_pitch : least;
  if (b->slice_pitch < least || b->slice_pitch % b->row_pitch)
    return CL_INVALID_VALUE;
  size_t start, plane, line;
  if (__builtin_mul_overflow(r->origin[2], b->slice_pitch, &plane) ||
      __builtin_mul_overflow(r->origin[1], b->row_pitch, &line) ||
      __builtin_add_overflow(plane, line, &start) || __builtin_add_overflow(start, r->origin[0], &start) ||
      __builtin_mul_overflow(region[2] - 1, b->slice_pitch, &plane) ||
      __builtin_mul_overflow(region[1] - 1, b->row_pitch, &line) ||
      __builtin_add_overflow(start, plane, end) || __builtin_add_overflow(*end, line, end) ||
      __builtin_add_overflow(*end, region[0], end))
    return CL_INVALID_VALUE;
  b->at += start;
  return CL_SUCCESS;
}

static bool rect_given(const size_t *a, const size_t *b, const size_t *region) {
  return a && b && region && region[0] && region[1] && region[2];
}

static cl_int host_rect(cl_command_queue q, cl_mem m, bool write, cl_bool blocking, const struct rect *in,
                        const struct rect *out, const size_t *region, void *host, struct waits w,
                        cl_event *event) {
  cl_int bad = check_mem(q, m);
  if (bad)
    return bad;
  if (!host || !rect_given(in->origin, out->origin, region))
    return CL_INVALID_VALUE;
  if (m->flags & (write ? no_write : no_read))
    return CL_INVALID_OPERATION;
  struct box device = {.at = m->bytes}, program = {.at = host};
  size_t end, host_end;
  if ((bad = place(in, region, &device, &end)) || (bad = place(out, region, &program, &host_end)))
    return bad;
  if (end > m->size)
    return CL_INVALID_VALUE;
  struct transfer t = {.from = write ? program : device,
                       .to = write ? device : program,
                       .run = region[0],
                       .rows = region[1],
                       .slices = region[2]};
  return submit(q, write ? CL_COMMAND_WRITE_BUFFER_RECT : CL_COMMAND_READ_BUFFER_RECT, &t, m, NULL, blocking,
                w, event);
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking,
                                           const size_t *origin, const size_t *host_origin,
                                           const size_t *region, size_t row_pitch, size_t slice_pitch,
                                           size_t host_row_pitch, size_t host_slice_pitch, void *host,
                                           cl_uint n, const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = host_rect(q, m, false, blocking, &(struct rect){origin, row_pitch, slice_pitch},
                       &(struct rect){host_origin, host_row_pitch, host_slice_pitch}, region, host,
                       (struct waits){n, list}, event);
  ocl_unlock();
  return r;
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking,
                                            const size_t *origin, const size_t *host_origin,
                                            const size_t *region, size_t row_pitch, size_t slice_pitch,
                                            size_t host_row_pitch, size_t host_slice_pitch, const void *host,
                                            cl_uint n, const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = host_rect(q, m, true, blocking, &(struct rect){origin, row_pitch, slice_pitch},
                       &(struct rect){host_origin, host_row_pitch, host_slice_pitch}, region,
                       (void *)(uintptr_t)host, (struct waits){n, list}, event);
  ocl_unlock();
  return r;
}

/* Whether any run of one box meets any of the other: both lie in one buffer with the same pitches, or the
 * program asked for something odd; then the ranges as a whole decide. */
static bool boxes_overlap(const struct box *a, size_t end_a, const struct box *b, size_t end_b,
                          const size_t *region, const size_t *origin_a, const size_t *origin_b) {
  if (a->row_pitch == b->row_pitch && a->slice_pitch == b->slice_pitch) {
    for (int d = 0; d < 3; d++)
      if (origin_a[d] + region[d] <= origin_b[d] || origin_b[d] + region[d] <= origin_a[d])
        return false;
    return true;
  }
  size_t start_a = origin_a[2] * a->slice_pitch + origin_a[1] * a->row_pitch + origin_a[0];
  size_t start_b = origin_b[2] * b->slice_pitch + origin_b[1] * b->row_pitch + origin_b[0];
  return start_a < end_b && start_b < end_a;
}

static cl_int copy_rect(cl_command_queue q, cl_mem from, cl_mem to, const struct rect *in,
                        const struct rect *out, const size_t *region, struct waits w, cl_event *event) {
  cl_int bad = check_mem(q, from);
  if (!bad)
    bad = check_mem(q, to);
  if (bad)
    return bad;
  if (!rect_given(in->origin, out->origin, region))
    return CL_INVALID_VALUE;
  struct transfer t = {.from = {.at = from->bytes},
                       .to = {.at = to->bytes},
                       .run = region[0],
                       .rows = region[1],
                       .slices = region[2],
                       .within = true};
  size_t end_from, end_to;
  if ((bad = place(in, region, &t.from, &end_from)) || (bad = place(out, region, &t.to, &end_to)))
    return bad;
  if (end_from > from->size || end_to > to->size)
    return CL_INVALID_VALUE;
  if (from == to && (in->slice_pitch != out->slice_pitch || in->row_pitch != out->row_pitch))
    return CL_INVALID_VALUE;
  if (from == to && boxes_overlap(&t.from, end_from, &t.to, end_to, region, in->origin, out->origin))
    return CL_MEM_COPY_OVERLAP;
  return submit(q, CL_COMMAND_COPY_BUFFER_RECT, &t, from, to, CL_FALSE, w, event);
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue q, cl_mem from, cl_mem to,
                                           const size_t *from_origin, const size_t *to_origin,
                                           const size_t *region, size_t from_row_pitch,
                                           size_t from_slice_pitch, size_t to_row_pitch,
                                           size_t to_slice_pitch, cl_uint n, const cl_event *list,
                                           cl_event *event) {
  ocl_lock();
  cl_int r = copy_rect(q, from, to, &(struct rect){from_origin, from_row_pitch, from_slice_pitch},
                       &(struct rect){to_origin, to_row_pitch, to_slice_pitch}, region,
                       (struct waits){n, list}, event);
  ocl_unlock();
  return r;
}

struct fill {
  uint8_t *to;
  size_t size, pattern_size;
  uint8_t pattern[128];
};

static cl_int run_fill(struct command *c, uint64_t *ns) {
  const struct fill *f = c->data;
  for (size_t i = 0; i < f->size; i += f->pattern_size)
    memcpy(f->to + i, f->pattern, f->pattern_size);
  *ns = sim_copy_ns(ocl_sim(), f->size);
  return CL_SUCCESS;
}

static cl_int fill(cl_command_queue q, cl_mem m, const void *pattern, size_t pattern_size, size_t offset,
                   size_t size, struct waits w, cl_event *event) {
  cl_int bad = check_mem(q, m);
  if (bad)
    return bad;
  if (!pattern || !pattern_size || pattern_size > 128 || pattern_size & (pattern_size - 1) ||
      !inside(m, offset, size) || offset % pattern_size || size % pattern_size)
    return CL_INVALID_VALUE;
  struct command *c = command_new(q, CL_COMMAND_FILL_BUFFER, w.n, w.list, sizeof(struct fill), &bad);
  if (!c)
    return bad;
  struct fill *f = c->data;
  *f = (struct fill){.to = m->bytes + offset, .size = size, .pattern_size = pattern_size};
  memcpy(f->pattern, pattern, pattern_size);
  c->run = run_fill;
  command_hold(c, m);
  return command_submit(c, CL_FALSE, event);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void *pattern, size_t pattern_size,
                                       size_t offset, size_t size, cl_uint n, const cl_event *list,
                                       cl_event *event) {
  ocl_lock();
  cl_int r = fill(q, m, pattern, pattern_size, offset, size, (struct waits){n, list}, event);
  ocl_unlock();
  return r;
}
