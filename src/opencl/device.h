/* Parts of the device's answers. */
#ifndef SLUICE_OPENCL_DEVICE_H
#define SLUICE_OPENCL_DEVICE_H

#include "opencl/ocl.h"

extern const char ocl_extensions[];
size_t device_sub_group(cl_device_id d); /* most work-items of a sub-group */
cl_int device_info3(cl_device_id d, cl_device_info name, size_t n, void *to, size_t *ret);
/* Names separated by blanks, as cl_name_version. */
cl_int info_extensions(const char *list, size_t n, void *to, size_t *ret);

#endif
