/* Prints how long a write of a million bytes took, in nanoseconds of the device's clock. */
#include "check.h"

int main(void) {
  open_device();
  enum { BYTES = 1000000 };
  static char data[BYTES];
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, BYTES, NULL);
  cl_event e = NULL;
  cl_ulong start = 0, end = 0;
  if (clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, BYTES, data, 0, NULL, &e) != CL_SUCCESS)
    return 1;
  clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  printf("%llu ns\n", (unsigned long long)(end - start));
  return 0;
}
