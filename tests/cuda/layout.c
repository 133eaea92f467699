/* Sizes and offsets of src/cuda/abi.h; layout.cu prints NVIDIA's. CUDA 12's cudaDeviceProp is known by its size. */
#include "cuda/abi.h"
#include <stdio.h>

_Static_assert(sizeof(struct cuda_prop_12) == 1032, "cudaDeviceProp of CUDA 12");

int main(void) {
#define STRUCT(ours, theirs)           printf("%s %zu\n", #theirs, sizeof(struct ours));
#define FIELD(ours, field, theirs, at) printf("%s.%s %zu\n", #theirs, #at, offsetof(struct ours, field));
#include "layout.h"
  return 0;
}
