/* Images and samplers: the device has none (CL_DEVICE_IMAGE_SUPPORT is false), and says so with the codes
 * that the specification has for it. */
#include "opencl/ocl.h"
#include "opencl/api.h"

static cl_int without_images(cl_context c) {
  ocl_lock();
  bool is = object_is(c, KIND_CONTEXT);
  ocl_unlock();
  return is ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
}

static cl_int queue_without_images(cl_command_queue q) {
  ocl_lock();
  bool is = object_is(q, KIND_QUEUE);
  ocl_unlock();
  return is ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

cl_mem CL_API_CALL clCreateImage(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                 const cl_image_desc *desc, void *host, cl_int *err) {
  (void)flags, (void)format, (void)desc, (void)host;
  return fail(err, without_images(c));
}
cl_mem CL_API_CALL clCreateImage2D(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                   size_t width, size_t height, size_t pitch, void *host, cl_int *err) {
  (void)flags, (void)format, (void)width, (void)height, (void)pitch, (void)host;
  return fail(err, without_images(c));
}
cl_mem CL_API_CALL clCreateImage3D(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                   size_t width, size_t height, size_t depth, size_t row_pitch,
                                   size_t slice_pitch, void *host, cl_int *err) {
  (void)flags, (void)format, (void)width, (void)height, (void)depth, (void)row_pitch, (void)slice_pitch,
      (void)host;
  return fail(err, without_images(c));
}

/* An empty list is the answer, not an error. */
cl_int CL_API_CALL clGetSupportedImageFormats(cl_context c, cl_mem_flags flags, cl_mem_object_type type,
                                              cl_uint n, cl_image_format *formats, cl_uint *count) {
  (void)flags, (void)type;
  if (without_images(c) == CL_INVALID_CONTEXT)
    return CL_INVALID_CONTEXT;
  if (!n && formats)
    return CL_INVALID_VALUE;
  if (count)
    *count = 0;
  return CL_SUCCESS;
}

/* No memory object is an image. */
cl_int CL_API_CALL clGetImageInfo(cl_mem m, cl_image_info name, size_t n, void *to, size_t *ret) {
  (void)m, (void)name, (void)n, (void)to, (void)ret;
  return CL_INVALID_MEM_OBJECT;
}

cl_sampler CL_API_CALL clCreateSampler(cl_context c, cl_bool normalized, cl_addressing_mode addressing,
                                       cl_filter_mode filter, cl_int *err) {
  (void)normalized, (void)addressing, (void)filter;
  return fail(err, without_images(c));
}
cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context c, const cl_sampler_properties *list,
                                                     cl_int *err) {
  (void)list;
  return fail(err, without_images(c));
}
cl_int CL_API_CALL clRetainSampler(cl_sampler s) {
  (void)s;
  return CL_INVALID_SAMPLER;
}
cl_int CL_API_CALL clReleaseSampler(cl_sampler s) {
  (void)s;
  return CL_INVALID_SAMPLER;
}
cl_int CL_API_CALL clGetSamplerInfo(cl_sampler s, cl_sampler_info name, size_t n, void *to, size_t *ret) {
  (void)s, (void)name, (void)n, (void)to, (void)ret;
  return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                                      const size_t *region, size_t row_pitch, size_t slice_pitch, void *host,
                                      cl_uint n, const cl_event *list, cl_event *event) {
  (void)m, (void)blocking, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch, (void)host;
  (void)n, (void)list, (void)event;
  return queue_without_images(q);
}
cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                                       const size_t *region, size_t row_pitch, size_t slice_pitch,
                                       const void *host, cl_uint n, const cl_event *list, cl_event *event) {
  (void)m, (void)blocking, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch, (void)host;
  (void)n, (void)list, (void)event;
  return queue_without_images(q);
}
cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
                                      const size_t *to_origin, const size_t *region, cl_uint n,
                                      const cl_event *list, cl_event *event) {
  (void)from, (void)to, (void)from_origin, (void)to_origin, (void)region, (void)n, (void)list, (void)event;
  return queue_without_images(q);
}
cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue q, cl_mem from, cl_mem to,
                                              const size_t *origin, const size_t *region, size_t offset,
                                              cl_uint n, const cl_event *list, cl_event *event) {
  (void)from, (void)to, (void)origin, (void)region, (void)offset, (void)n, (void)list, (void)event;
  return queue_without_images(q);
}
cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue q, cl_mem from, cl_mem to, size_t offset,
                                              const size_t *origin, const size_t *region, cl_uint n,
                                              const cl_event *list, cl_event *event) {
  (void)from, (void)to, (void)origin, (void)region, (void)offset, (void)n, (void)list, (void)event;
  return queue_without_images(q);
}
cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue q, cl_mem m, const void *color, const size_t *origin,
                                      const size_t *region, cl_uint n, const cl_event *list,
                                      cl_event *event) {
  (void)m, (void)color, (void)origin, (void)region, (void)n, (void)list, (void)event;
  return queue_without_images(q);
}
void *CL_API_CALL clEnqueueMapImage(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags,
                                    const size_t *origin, const size_t *region, size_t *row_pitch,
                                    size_t *slice_pitch, cl_uint n, const cl_event *list, cl_event *event,
                                    cl_int *err) {
  (void)m, (void)blocking, (void)flags, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch;
  (void)n, (void)list, (void)event;
  return fail(err, queue_without_images(q));
}
