/* Runs kernels given as OpenCL C for the tests of the built-in functions: on the executor, without an OpenCL
 * runtime in between. Built with LIB_ON_OPENCL it runs them on whatever device the OpenCL loader finds instead, so
 * that another implementation can be held against the same expectations. */
#ifndef SLUICE_TESTS_OPENCL_LIB_RUN_H
#define SLUICE_TESTS_OPENCL_LIB_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lib_program;

/* Prints the log and ends the test where the source is refused. */
struct lib_program *lib_build(const char *source, const char *options);
void lib_free(struct lib_program *p);

enum lib_kind { LIB_BUFFER, LIB_LOCAL, LIB_VALUE };
struct lib_arg {
  enum lib_kind kind;
  void *data; /* a buffer's content before and after, or a value */
  size_t bytes;
};
#define LIB_BUF(array)      ((struct lib_arg){LIB_BUFFER, (array), sizeof(array)})
#define LIB_PTR(ptr, bytes) ((struct lib_arg){LIB_BUFFER, (ptr), (bytes)})
#define LIB_SHARED(bytes)   ((struct lib_arg){LIB_LOCAL, NULL, (bytes)})
#define LIB_VAL(variable)   ((struct lib_arg){LIB_VALUE, &(variable), sizeof(variable)})

struct lib_range {
  unsigned dims;
  uint32_t offset[3], global[3], local[3];
};
#define LIB_1D(n, group) ((struct lib_range){1, {0}, {(n), 1, 1}, {(group), 1, 1}})

/* False if an access was illegal; the first is printed. */
bool lib_launch(struct lib_program *p, const char *kernel, struct lib_range r, unsigned nargs,
                const struct lib_arg *args);
#define lib_run(p, kernel, range, ...)                                                                       \
  lib_launch(p, kernel, range, sizeof((struct lib_arg[]){__VA_ARGS__}) / sizeof(struct lib_arg),             \
             (struct lib_arg[]){__VA_ARGS__})

/* What kernels printed since the last call; to be freed. NULL on another device, which prints by itself. */
char *lib_printed(struct lib_program *p);

/* How tests report: lib_check(condition, "what") counts and prints failures; lib_done() gives main's result. */
#define lib_check(condition, ...)                                                                            \
  do {                                                                                                       \
    bool lib_ok = (condition);                                                                               \
    lib_count(lib_ok);                                                                                       \
    if (!lib_ok) {                                                                                           \
      printf("%s:%d: ", __func__, __LINE__);                                                                 \
      printf(__VA_ARGS__);                                                                                   \
      putchar('\n');                                                                                         \
    }                                                                                                        \
  } while (0)
void lib_count(bool ok);
int lib_done(void);

#endif
