/* Functions that the loader's table has a place for and this platform does not do: each answers
 * CL_INVALID_OPERATION, so that a program which calls one learns so instead of jumping to nowhere. */
#include "opencl/refuse.h"

/* OpenGL and EGL: no context can be shared with them. */

cl_mem CL_API_CALL refuse_CreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint bufobj,
                                             int *errcode_ret) {
  (void)context, (void)flags, (void)bufobj;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL refuse_CreateFromGLTexture2D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                                cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret) {
  (void)context, (void)flags, (void)target, (void)miplevel, (void)texture;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL refuse_CreateFromGLTexture3D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                                cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret) {
  (void)context, (void)flags, (void)target, (void)miplevel, (void)texture;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL refuse_CreateFromGLTexture(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                              cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret) {
  (void)context, (void)flags, (void)target, (void)miplevel, (void)texture;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL refuse_CreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                                   cl_GLuint renderbuffer, cl_int *errcode_ret) {
  (void)context, (void)flags, (void)renderbuffer;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

cl_int CL_API_CALL refuse_GetGLObjectInfo(cl_mem memobj, cl_gl_object_type *gl_object_type,
                                          cl_GLuint *gl_object_name) {
  (void)memobj, (void)gl_object_type, (void)gl_object_name;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_GetGLTextureInfo(cl_mem memobj, cl_gl_texture_info param_name,
                                           size_t param_value_size, void *param_value,
                                           size_t *param_value_size_ret) {
  (void)memobj, (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_EnqueueAcquireGLObjects(cl_command_queue command_queue, cl_uint num_objects,
                                                  const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list, cl_event *event) {
  (void)command_queue, (void)num_objects, (void)mem_objects, (void)num_events_in_wait_list,
      (void)event_wait_list, (void)event;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_EnqueueReleaseGLObjects(cl_command_queue command_queue, cl_uint num_objects,
                                                  const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list, cl_event *event) {
  (void)command_queue, (void)num_objects, (void)mem_objects, (void)num_events_in_wait_list,
      (void)event_wait_list, (void)event;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_GetGLContextInfoKHR(const cl_context_properties *properties,
                                              cl_gl_context_info param_name, size_t param_value_size,
                                              void *param_value, size_t *param_value_size_ret) {
  (void)properties, (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return CL_INVALID_OPERATION;
}

cl_event CL_API_CALL refuse_CreateEventFromGLsyncKHR(cl_context context, cl_GLsync sync,
                                                     cl_int *errcode_ret) {
  (void)context, (void)sync;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL refuse_CreateFromEGLImageKHR(cl_context context, CLeglDisplayKHR display,
                                                CLeglImageKHR image, cl_mem_flags flags,
                                                const cl_egl_image_properties_khr *properties,
                                                cl_int *errcode_ret) {
  (void)context, (void)display, (void)image, (void)flags, (void)properties;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

cl_int CL_API_CALL refuse_EnqueueAcquireEGLObjectsKHR(cl_command_queue command_queue, cl_uint num_objects,
                                                      const cl_mem *mem_objects,
                                                      cl_uint num_events_in_wait_list,
                                                      const cl_event *event_wait_list, cl_event *event) {
  (void)command_queue, (void)num_objects, (void)mem_objects, (void)num_events_in_wait_list,
      (void)event_wait_list, (void)event;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_EnqueueReleaseEGLObjectsKHR(cl_command_queue command_queue, cl_uint num_objects,
                                                      const cl_mem *mem_objects,
                                                      cl_uint num_events_in_wait_list,
                                                      const cl_event *event_wait_list, cl_event *event) {
  (void)command_queue, (void)num_objects, (void)mem_objects, (void)num_events_in_wait_list,
      (void)event_wait_list, (void)event;
  return CL_INVALID_OPERATION;
}

cl_event CL_API_CALL refuse_CreateEventFromEGLSyncKHR(cl_context context, CLeglSyncKHR sync,
                                                      CLeglDisplayKHR display, cl_int *errcode_ret) {
  (void)context, (void)sync, (void)display;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

/* OpenCL 2.0 and later: pipes, shared virtual memory, intermediate language, subgroups. */

cl_mem CL_API_CALL refuse_CreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                     cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                                     cl_int *errcode_ret) {
  (void)context, (void)flags, (void)pipe_packet_size, (void)pipe_max_packets, (void)properties;
  return fail(errcode_ret, CL_INVALID_OPERATION);
}

cl_int CL_API_CALL refuse_GetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                      void *param_value, size_t *param_value_size_ret) {
  (void)pipe, (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_GetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                                cl_ulong *host_timestamp) {
  (void)device, (void)device_timestamp, (void)host_timestamp;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_GetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
  (void)device, (void)host_timestamp;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_SetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                       cl_command_queue command_queue) {
  (void)context, (void)device, (void)command_queue;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_SetProgramReleaseCallback(
    cl_program program, void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data) {
  (void)program, (void)pfn_notify, (void)user_data;
  return CL_INVALID_OPERATION;
}

cl_int CL_API_CALL refuse_SetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                           size_t spec_size, const void *spec_value) {
  (void)program, (void)spec_id, (void)spec_size, (void)spec_value;
  return CL_INVALID_OPERATION;
}
