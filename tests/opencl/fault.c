/* A program whose kernel goes wrong in the way its argument names; prints the codes it gets.
 *   fault write|read|trap|endless|deadlock|apart */
#include "check.h"

static const char source[] =
    "__kernel void write(__global int *a, int n) { a[get_global_id(0) + n] = 1; }\n"
    "__kernel void read(__global int *a, int n) { a[get_global_id(0)] = a[get_global_id(0) + n]; }\n"
    "__kernel void trap(__global int *a, int n) { if (a[0] == n - n) __builtin_trap(); }\n"
    "__kernel void endless(__global int *a, int n) { while (a[get_global_id(0)] != n) a[0] += 0; }\n"
    "__kernel void deadlock(__global int *a, int n) {\n"
    "  if (get_local_id(0) < 32) barrier(CLK_LOCAL_MEM_FENCE); else while (*(volatile __global int *)a != n) "
    "; }\n"
    "__kernel void apart(__global int *a, int n) {\n"
    "  if (get_local_id(0) & 1) { a[1] = n; barrier(CLK_LOCAL_MEM_FENCE); a[2] = n; }\n"
    "}\n";

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  open_device();
  int zero[64] = {0}, n = 1 << 20;
  cl_program p = build(source, "");
  cl_kernel k = kernel_of(p, argv[1]);
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, zero);
  size_t global = 64;
  cl_event e = NULL;
  cl_int status = 0;
  clSetKernelArg(k, 0, sizeof m, &m);
  clSetKernelArg(k, 1, sizeof n, &n);
  printf("enqueue %d\n", clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &global, 0, NULL, &e));
  printf("finish %d\n", clFinish(queue));
  clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  printf("status %d\n", status);
  printf("read %d\n", clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof zero, zero, 0, NULL, NULL));
  return 0;
}
