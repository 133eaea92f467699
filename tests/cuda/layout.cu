// The same as layout.c, of NVIDIA's headers.
#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>
int main() {
#define STRUCT(ours, theirs) printf("%s %zu\n", #theirs, sizeof(theirs));
#define FIELD(ours, field, theirs, at) printf("%s.%s %zu\n", #theirs, #at, offsetof(theirs, at));
#include "layout.h"
}
