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

/* Only describes: how many bits each of four channels has, and whether they are signed, unsigned or floats. */
struct channel_desc {
  int x, y, z, w, kind;
};
API struct channel_desc cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
API struct channel_desc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (struct channel_desc){x, y, z, w, kind};
}
