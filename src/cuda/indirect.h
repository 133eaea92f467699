/* Calls through pointers to functions, as PTX that the front end runs: a function's address is a number, and a call
 * through a register becomes a comparison and a direct call for each function that it can mean: those whose address is
 * taken somewhere and whose parameters are as the call's prototype says. */
#ifndef SLUICE_CUDA_INDIRECT_H
#define SLUICE_CUDA_INDIRECT_H

#include <stddef.h>

/* The text rewritten, owned by the caller; NULL: there is nothing to rewrite, or it is not understood. */
char *indirect_rewrite(const char *ptx, size_t n, size_t *to);

#endif
