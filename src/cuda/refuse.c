/* Functions of the interface that are not supported: they return cudaErrorNotSupported, say their name once, and stand
 * in the report. They need no arguments for that, whatever they are called with. */
#include "cuda/cuda.h"

#define X(name)                                                                                              \
  API int name(void);                                                                                        \
  API int name(void) {                                                                                       \
    RUNTIME(cuda_missing(#name));                                                                            \
  }
#include "cuda/refuse.def"
#undef X
