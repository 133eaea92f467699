/* Included before everything else in the sources of libsluice: free() takes memory out of the pool (base/pool.h) that knows it. */
#ifndef SLUICE_BASE_FREE_H
#define SLUICE_BASE_FREE_H

#include <stdlib.h>

void mem_free(void *p);
#define free mem_free

#endif
