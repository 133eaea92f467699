/* What ir.c wrote into the PTX about kernels and their arguments, as clGetKernelArgInfo gives it.
 *
 *   // ocl.kernel NAME
 *   // ocl.size X Y Z                                  reqd_work_group_size
 *   // ocl.attributes TEXT
 *   // ocl.arg SPACE|ACCESS|QUALIFIERS|TYPE|NAME       one for each argument */
#include "base/mem.h"
#include "opencl/compile.h"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

/* If the line starts with `mark`, what follows it. */
static const char *after(const char *line, const char *end, const char *mark) {
  size_t n = strlen(mark);
  return (size_t)(end - line) >= n && memcmp(line, mark, n) == 0 ? line + n : NULL;
}

static char *field(const char **at, const char *end) {
  const char *bar = memchr(*at, '|', (size_t)(end - *at)), *stop = bar ? bar : end;
  char *s = xstrndup(*at, (size_t)(stop - *at));
  *at = bar ? bar + 1 : end;
  return s;
}

static void read_arg(struct ocl_arg *a, const char *at, const char *end) {
  char *space = field(&at, end), *access = field(&at, end), *qualifiers = field(&at, end);
  static const uint32_t spaces[] = {CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL,
                                    CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL};
  unsigned long s = strtoul(space, NULL, 10);
  a->address = s < 4 ? spaces[s] : CL_KERNEL_ARG_ADDRESS_PRIVATE;
  a->access = strcmp(access, "read_only") == 0    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
              : strcmp(access, "write_only") == 0 ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
              : strcmp(access, "read_write") == 0 ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                                  : CL_KERNEL_ARG_ACCESS_NONE;
  a->type_qualifiers = (strstr(qualifiers, "const") ? CL_KERNEL_ARG_TYPE_CONST : 0u) |
                       (strstr(qualifiers, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0u) |
                       (strstr(qualifiers, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0u);
  a->type_name = field(&at, end);
  a->name = field(&at, end);
  free(space);
  free(access);
  free(qualifiers);
}

static void read_size(uint32_t size[3], const char *at, const char *end) {
  char *text = xstrndup(at, (size_t)(end - at)), *s = text;
  for (int i = 0; i < 3; i++)
    size[i] = (uint32_t)strtoul(s, &s, 10);
  free(text);
}

bool ocl_kernel_read(const char *ptx, size_t n, const char *kernel, struct ocl_kernel *out) {
  *out = (struct ocl_kernel){0};
  const char *all = ptx + n, *at, *e;
  size_t cap = 0, want = strlen(kernel);
  bool found = false, inside = false;
  for (const char *s = ptx; s < all; s = e < all ? e + 1 : e) {
    e = memchr(s, '\n', (size_t)(all - s));
    e = e ? e : all;
    if ((at = after(s, e, "// ocl.kernel "))) {
      inside = (size_t)(e - at) == want && memcmp(at, kernel, want) == 0 && !found;
      found |= inside;
    } else if (!inside) {
      continue;
    } else if ((at = after(s, e, "// ocl.size "))) {
      read_size(out->reqd_size, at, e);
    } else if ((at = after(s, e, "// ocl.attributes "))) {
      free(out->attributes);
      out->attributes = xstrndup(at, (size_t)(e - at));
    } else if ((at = after(s, e, "// ocl.arg "))) {
      read_arg(&VEC_PUSH(out->args, out->nargs, cap), at, e);
    }
  }
  if (found && !out->attributes)
    out->attributes = xstrdup("");
  return found;
}

void ocl_kernel_free(struct ocl_kernel *k) {
  for (size_t i = 0; i < k->nargs; i++) {
    free(k->args[i].name);
    free(k->args[i].type_name);
  }
  free(k->args);
  free(k->attributes);
  *k = (struct ocl_kernel){0};
}
