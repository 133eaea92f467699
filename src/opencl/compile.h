/* OpenCL C to PTX, by clang and libclc.
 *
 * What PTX cannot say about a kernel's arguments (names, types, qualifiers) travels inside the PTX text as
 * comments, so that a program binary is the PTX and nothing else; ocl_kernel_read() finds it there again.
 *
 * A launch gives kernels what PTX has no register for: %envreg3, 4 and 5 hold the global offset of
 * dimensions 0, 1 and 2, %envreg6 the number of dimensions. */
#ifndef SLUICE_OPENCL_COMPILE_H
#define SLUICE_OPENCL_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ocl_text { /* a source, a header (named), an object, a binary */
  const char *name;
  const char *s;
  size_t n;
};

/* Thread-safe. True with *ptx (to be freed); *log (to be freed) holds what the compiler said, "" if nothing,
 * in both cases. `options` may be NULL. Results are cached by hash of everything that goes in. */
bool ocl_compile(const char *source, size_t n, const char *options, char **ptx, size_t *ptx_bytes,
                 char **log);

/* The same in two steps (clCompileProgram, clLinkProgram): a source with its embedded headers to an object
 * (LLVM bitcode); objects to PTX or, with `library` (-create-library), to an object again. */
bool ocl_compile_object(const struct ocl_text *source, const struct ocl_text *headers, size_t nheaders,
                        const char *options, char **object, size_t *bytes, char **log);
bool ocl_link(const struct ocl_text *objects, size_t n, const char *options, bool library, char **out,
              size_t *bytes, char **log);

/* SPIR-V to an object, for ocl_link(): where llvm-spirv is installed. */
bool ocl_il_available(void);
bool ocl_il_object(const void *il, size_t n, char **object, size_t *bytes, char **log);

enum ocl_options_check { OCL_OPTIONS_OK, OCL_OPTIONS_BAD };
/* Whether the options are ones that clBuildProgram (or, with `link`, clLinkProgram) takes at all; *log (to be freed) says
 * what is wrong with them. */
enum ocl_options_check ocl_options_check(const char *options, bool link, char **log);

/* Optional features of OpenCL C 3.0 that are there. */
struct ocl_feature {
  const char *name;
  bool by_header; /* the compiler knows nothing of it, its header does */
};
extern const struct ocl_feature ocl_features[];
extern const size_t ocl_nfeatures;

/* Values as clGetKernelArgInfo gives them. */
struct ocl_arg {
  char *name, *type_name;
  uint32_t address;         /* CL_KERNEL_ARG_ADDRESS_... */
  uint32_t access;          /* CL_KERNEL_ARG_ACCESS_... */
  uint64_t type_qualifiers; /* CL_KERNEL_ARG_TYPE_... */
};
struct ocl_kernel {
  struct ocl_arg *args; /* in the order of the PTX parameters */
  size_t nargs;
  uint32_t reqd_size[3]; /* reqd_work_group_size; 0: none */
  char *attributes;      /* CL_KERNEL_ATTRIBUTES, "" if none */
};
/* False if the PTX says nothing of this kernel (written by others). */
bool ocl_kernel_read(const char *ptx, size_t n, const char *kernel, struct ocl_kernel *out);
void ocl_kernel_free(struct ocl_kernel *k);

#endif
