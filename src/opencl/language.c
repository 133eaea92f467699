/* The language that a program is compiled as: its version, and what of OpenCL C 3.0 is there besides what must be. */
#include "opencl/compile.h"
#include "opencl/compiler.h"
#include <string.h>

/* Left out, because nothing here does it: device_enqueue, pipes, read_write_images, atomic_scope_all_devices,
 * integer_dot_product. The compiler knows some features as extensions, its header the others by their macro alone. */
const struct ocl_feature ocl_features[] = {
    {"__opencl_c_3d_image_writes", false},
    {"__opencl_c_atomic_order_acq_rel", false},
    {"__opencl_c_atomic_order_seq_cst", false},
    {"__opencl_c_atomic_scope_device", true},
    {"__opencl_c_fp64", false},
    {"__opencl_c_generic_address_space", false},
    {"__opencl_c_images", false},
    {"__opencl_c_int64", false},
    {"__opencl_c_program_scope_global_variables", false},
    {"__opencl_c_subgroups", false},
    {"__opencl_c_work_group_collective_functions", true},
};
const size_t ocl_nfeatures = sizeof ocl_features / sizeof *ocl_features;

static void add_features(struct words *w, struct strbuf *extensions) {
  for (size_t i = 0; i < ocl_nfeatures; i++)
    if (ocl_features[i].by_header)
      words_addf(w, "-D%s=1", ocl_features[i].name);
    else
      strbuf_addf(extensions, ",+%s", ocl_features[i].name);
}

/* -fgnu89-inline: an `inline` function that is not inlined still exists, as OpenCL programs expect. */
void language_add(struct words *w, unsigned standard) {
  struct strbuf extensions = {0};
  strbuf_add(&extensions, "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
                          "+cl_khr_3d_image_writes");
  if (standard >= 200)
    strbuf_add(&extensions, ",+cl_khr_subgroups");
  if (standard >= 300)
    add_features(w, &extensions);
  words_addf(w, "-cl-std=CL%u.%u", standard / 100, standard / 10 % 10);
  words_add(w, "-cl-kernel-arg-info");
  words_add(w, "-D__OPENCL_VERSION__=300");
  words_add(w, "-D__IMAGE_SUPPORT__=1");
  words_add(w, "-Xclang");
  words_add(w, "-finclude-default-header");
  words_add(w, "-Xclang");
  words_add(w, "-fgnu89-inline");
  words_add(w, "-Xclang");
  words_add(w, strbuf_str(&extensions));
  strbuf_free(&extensions);
}

bool language_choose(const char *name, struct options *o, struct strbuf *log) {
  static const struct {
    const char *name;
    unsigned standard;
  } known[] = {{"CL1.0", 100}, {"CL1.1", 110}, {"CL1.2", 120}, {"CL2.0", 200}, {"CL3.0", 300}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0) {
      o->standard = known[i].standard;
      if (o->standard == 200)
        strbuf_add(log,
                   "warning: -cl-std=CL2.0: without pipes, enqueue_kernel and read_write images, which this "
                   "device does not have\n");
      return true;
    }
  strbuf_addf(
      log, "error: -cl-std=%s: this device has OpenCL C 1.0, 1.1, 1.2 and 3.0 (CL1.0, CL1.1, CL1.2, CL3.0)\n",
      name);
  o->invalid = strncmp(name, "CL", 2) != 0;
  return false;
}
