/* PTX modules made one: relocatable device code, linked by name.
 *
 * Definitions come once; declarations give way to them; what is local to a module gets a name of its own where
 * another module has the same. Variables come first, then what functions look like, then their bodies. */
#ifndef SLUICE_CUDA_JOIN_H
#define SLUICE_CUDA_JOIN_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

struct join;
struct join *join_new(void);
void join_free(struct join *j);
void join_add(struct join *j, const char *ptx, size_t n); /* copies */
size_t join_count(const struct join *j);
/* The modules as one text, owned by the caller. One module stays as it is. */
char *join_text(struct join *j, size_t *n, struct error *err);
/* libcudadevrt: what launches kernels from kernels, which is not supported. */
bool join_is_device_runtime(const char *ptx);

#endif
