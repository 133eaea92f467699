// arch: sm_75
// A persistent kernel: every thread draws items from one atomic counter until none is left.
#include "common.cuh"
KERNEL work_queue(unsigned *next, unsigned *out, unsigned n)
{
  unsigned i;
  while ((i = atomicAdd(next, 1u)) < n) {
    unsigned x = i, steps = 0;
    while (x > 1) { // Collatz, so items take unequal time
      x = x & 1 ? 3 * x + 1 : x >> 1;
      steps++;
    }
    out[i] = steps;
  }
}
