/* Buffers: creating, moving bytes in and out, sub-buffers, mapping. */
#include "check.h"

enum { N = 1024 };

static void fill(uint8_t *b, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; i++)
    b[i] = (uint8_t)(i * 7 + seed);
}

static void a_buffer_keeps_what_is_written(void) {
  uint8_t in[N], out[N] = {0};
  fill(in, N, 1);
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, N, NULL);
  SAME(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, N, in, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueReadBuffer(queue, m, CL_FALSE, 100, 200, out + 100, 0, NULL, NULL), CL_SUCCESS);
  SAME(clFinish(queue), CL_SUCCESS);
  CHECK(memcmp(in + 100, out + 100, 200) == 0 && !out[99] && !out[300]);
  clReleaseMemObject(m);
}

static void copy_host_ptr_copies_at_creation(void) {
  uint8_t in[N], out[N];
  fill(in, N, 2);
  cl_mem m = buffer_of(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, N, in);
  memset(in, 0, N);
  read_back(m, N, out);
  fill(in, N, 2);
  CHECK(memcmp(in, out, N) == 0);
  clReleaseMemObject(m);
}

static void use_host_ptr_shows_results_when_mapped(void) {
  static int data[N] __attribute__((aligned(128)));
  for (int i = 0; i < N; i++)
    data[i] = i;
  cl_program p = build("__kernel void twice(__global int *a) { a[get_global_id(0)] *= 2; }", "");
  cl_kernel k = kernel_of(p, "twice");
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof data, data);
  clSetKernelArg(k, 0, sizeof m, &m);
  run1(k, N, 64);
  cl_int e;
  int *at =
      clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, sizeof data, 0, NULL, NULL, &e);
  SAME(e, CL_SUCCESS);
  CHECK(at == data);
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += at[i] != 2 * i;
  SAME(wrong, 0);
  at[5] = 1000;
  SAME(clEnqueueUnmapMemObject(queue, m, at, 0, NULL, NULL), CL_SUCCESS);
  run1(k, N, 64);
  int five;
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 20, 4, &five, 0, NULL, NULL), CL_SUCCESS);
  SAME(five, 2000);
  void *host;
  SAME(clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof host, &host, NULL), CL_SUCCESS);
  CHECK(host == data);
  clReleaseMemObject(m), clReleaseKernel(k), clReleaseProgram(p);
}

static void buffers_refuse_wrong_sizes_flags_and_pointers(void) {
  cl_int e;
  char host[16];
  CHECK(!clCreateBuffer(context, CL_MEM_READ_WRITE, 0, NULL, &e));
  SAME(e, CL_INVALID_BUFFER_SIZE);
  CHECK(!clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 16, NULL, &e));
  SAME(e, CL_INVALID_HOST_PTR);
  CHECK(!clCreateBuffer(context, CL_MEM_READ_WRITE, 16, host, &e));
  SAME(e, CL_INVALID_HOST_PTR);
  CHECK(!clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL, &e));
  SAME(e, CL_INVALID_VALUE);
  CHECK(!clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host, &e));
  SAME(e, CL_INVALID_VALUE);
}

static void transfers_outside_a_buffer_are_refused(void) {
  uint8_t b[64];
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 32, NULL);
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 33, b, 0, NULL, NULL), CL_INVALID_VALUE);
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 32, 1, b, 0, NULL, NULL), CL_INVALID_VALUE);
  SAME(clEnqueueWriteBuffer(queue, m, CL_TRUE, 16, 32, b, 0, NULL, NULL), CL_INVALID_VALUE);
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 32, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
  clReleaseMemObject(m);
}

static void host_access_flags_are_kept(void) {
  uint8_t b[32] = {0};
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_HOST_WRITE_ONLY, 32, NULL);
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 32, b, 0, NULL, NULL), CL_INVALID_OPERATION);
  SAME(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 32, b, 0, NULL, NULL), CL_SUCCESS);
  clReleaseMemObject(m);
  m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY, 32, NULL);
  SAME(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 32, b, 0, NULL, NULL), CL_INVALID_OPERATION);
  clReleaseMemObject(m);
}

static void copies_move_bytes_between_buffers(void) {
  uint8_t in[N], out[N];
  fill(in, N, 3);
  cl_mem a = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, N, in),
         b = buffer_of(CL_MEM_READ_WRITE, N, NULL);
  SAME(clEnqueueCopyBuffer(queue, a, b, 0, 512, 256, 0, NULL, NULL), CL_SUCCESS);
  read_back(b, N, out);
  CHECK(memcmp(in, out + 512, 256) == 0);
  SAME(clEnqueueCopyBuffer(queue, a, a, 0, 512, 256, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueCopyBuffer(queue, a, a, 0, 100, 256, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
  SAME(clEnqueueCopyBuffer(queue, a, b, 1000, 0, 100, 0, NULL, NULL), CL_INVALID_VALUE);
  clReleaseMemObject(a), clReleaseMemObject(b);
}

static void fills_repeat_a_pattern(void) {
  uint32_t out[N / 4];
  uint32_t pattern[2] = {0xdeadbeef, 0x01234567};
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, N, NULL);
  uint32_t zero = 0;
  SAME(clEnqueueFillBuffer(queue, m, &zero, 4, 0, N, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueFillBuffer(queue, m, pattern, 8, 64, 128, 0, NULL, NULL), CL_SUCCESS);
  read_back(m, N, out);
  CHECK(out[15] == 0 && out[16] == pattern[0] && out[17] == pattern[1] && out[47] == pattern[1] && !out[48]);
  SAME(clEnqueueFillBuffer(queue, m, pattern, 3, 0, 12, 0, NULL, NULL), CL_INVALID_VALUE);
  SAME(clEnqueueFillBuffer(queue, m, pattern, 8, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
  SAME(clEnqueueFillBuffer(queue, m, NULL, 4, 0, 16, 0, NULL, NULL), CL_INVALID_VALUE);
  clReleaseMemObject(m);
}

/* A box of 4 x 3 x 2 bytes out of one of 16 x 8 x 4. */
static void rectangles_keep_their_shape(void) {
  uint8_t in[16 * 8 * 4], out[4 * 3 * 2], back[16 * 8 * 4];
  fill(in, sizeof in, 5);
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof in, in);
  size_t origin[3] = {5, 2, 1}, zero[3] = {0, 0, 0}, region[3] = {4, 3, 2};
  SAME(clEnqueueReadBufferRect(queue, m, CL_TRUE, origin, zero, region, 16, 128, 4, 12, out, 0, NULL, NULL),
       CL_SUCCESS);
  int wrong = 0;
  for (size_t z = 0; z < 2; z++)
    for (size_t y = 0; y < 3; y++)
      for (size_t x = 0; x < 4; x++)
        wrong += out[z * 12 + y * 4 + x] != in[(z + 1) * 128 + (y + 2) * 16 + x + 5];
  SAME(wrong, 0);
  size_t to[3] = {0, 5, 2};
  SAME(clEnqueueWriteBufferRect(queue, m, CL_TRUE, to, zero, region, 16, 128, 0, 0, out, 0, NULL, NULL),
       CL_SUCCESS);
  read_back(m, sizeof back, back);
  CHECK(back[2 * 128 + 5 * 16] == out[0] && back[3 * 128 + 7 * 16 + 3] == out[23]);
  cl_mem other = buffer_of(CL_MEM_READ_WRITE, sizeof in, NULL);
  SAME(clEnqueueCopyBufferRect(queue, m, other, origin, zero, region, 16, 128, 16, 128, 0, NULL, NULL),
       CL_SUCCESS);
  read_back(other, sizeof back, back);
  CHECK(back[0] == out[0] && back[128 + 2 * 16 + 3] == out[23]);
  size_t too_far[3] = {14, 0, 0};
  SAME(clEnqueueReadBufferRect(queue, m, CL_TRUE, too_far, zero, (size_t[]){4, 8, 4}, 16, 128, 0, 0, in, 0,
                               NULL, NULL),
       CL_INVALID_VALUE);
  clReleaseMemObject(m), clReleaseMemObject(other);
}

static void a_sub_buffer_is_part_of_its_buffer(void) {
  cl_uint align;
  clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align, &align, NULL);
  size_t at = align / 8;
  size_t bytes = 4 * at;
  uint8_t *in = malloc(bytes), *out = malloc(bytes);
  fill(in, bytes, 9);
  cl_int e;
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, in);
  cl_buffer_region r = {at, 2 * at};
  cl_mem s = clCreateSubBuffer(m, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &r, &e);
  SAME(e, CL_SUCCESS);
  read_back(s, 2 * at, out);
  CHECK(memcmp(out, in + at, 2 * at) == 0);
  uint8_t mark = 0xab;
  SAME(clEnqueueWriteBuffer(queue, s, CL_TRUE, 1, 1, &mark, 0, NULL, NULL), CL_SUCCESS);
  read_back(m, bytes, out);
  SAME(out[at + 1], 0xab);
  cl_mem parent;
  size_t offset, size;
  SAME(clGetMemObjectInfo(s, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL), CL_SUCCESS);
  SAME(clGetMemObjectInfo(s, CL_MEM_OFFSET, sizeof offset, &offset, NULL), CL_SUCCESS);
  SAME(clGetMemObjectInfo(s, CL_MEM_SIZE, sizeof size, &size, NULL), CL_SUCCESS);
  CHECK(parent == m && offset == at && size == 2 * at);
  r = (cl_buffer_region){0, bytes + 1};
  CHECK(!clCreateSubBuffer(m, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &r, &e));
  SAME(e, CL_INVALID_VALUE);
  r = (cl_buffer_region){0, 0};
  CHECK(!clCreateSubBuffer(m, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &r, &e));
  SAME(e, CL_INVALID_BUFFER_SIZE);
  r = (cl_buffer_region){0, at};
  CHECK(!clCreateSubBuffer(s, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &r, &e));
  SAME(e, CL_INVALID_MEM_OBJECT);
  SAME(clReleaseMemObject(m), CL_SUCCESS); /* the sub-buffer keeps it */
  read_back(s, at, out);
  SAME(clReleaseMemObject(s), CL_SUCCESS);
  free(in), free(out);
}

static void a_mapped_buffer_is_written_through_its_pointer(void) {
  cl_int e;
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, N, NULL);
  uint8_t *p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_WRITE, 16, 64, 0, NULL, NULL, &e);
  SAME(e, CL_SUCCESS);
  cl_uint maps;
  SAME(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL), CL_SUCCESS);
  SAME(maps, 1);
  memset(p, 0x5a, 64);
  SAME(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL), CL_SUCCESS);
  uint8_t out[64];
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 16, 64, out, 0, NULL, NULL), CL_SUCCESS);
  CHECK(out[0] == 0x5a && out[63] == 0x5a);
  SAME(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL), CL_SUCCESS);
  SAME(maps, 0);
  SAME(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL), CL_INVALID_VALUE);
  CHECK(!clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, N + 1, 0, NULL, NULL, &e));
  SAME(e, CL_INVALID_VALUE);
  clReleaseMemObject(m);
}

static void a_buffer_can_be_migrated(void) {
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, N, NULL);
  SAME(clEnqueueMigrateMemObjects(queue, 1, &m, 0, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueMigrateMemObjects(queue, 0, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
  SAME(clFinish(queue), CL_SUCCESS);
  clReleaseMemObject(m);
}

int main(void) {
  open_device();
  RULE(a_buffer_keeps_what_is_written);
  RULE(copy_host_ptr_copies_at_creation);
  RULE(use_host_ptr_shows_results_when_mapped);
  RULE(buffers_refuse_wrong_sizes_flags_and_pointers);
  RULE(transfers_outside_a_buffer_are_refused);
  RULE(host_access_flags_are_kept);
  RULE(copies_move_bytes_between_buffers);
  RULE(fills_repeat_a_pattern);
  RULE(rectangles_keep_their_shape);
  RULE(a_sub_buffer_is_part_of_its_buffer);
  RULE(a_mapped_buffer_is_written_through_its_pointer);
  RULE(a_buffer_can_be_migrated);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return finish();
}
