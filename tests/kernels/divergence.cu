// arch: sm_75
// Branches within branches within loops, with every way of leaving them.
#include "common.cuh"
KERNEL nested(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i), acc = 1;
  if (h & 1) {
    if (h & 2) {
      for (unsigned k = 0; k < (h >> 4 & 7); k++) {
        acc = acc * 3 + k;
        if (acc & 8)
          acc ^= h;
        else if (acc & 16)
          acc += k << 3;
        else
          acc -= 5;
      }
    } else {
      acc += 100;
      if (h & 4) {
        if (h & 8)
          acc *= 7;
        acc ^= 0x55;
      }
    }
    acc += 1;
  } else {
    unsigned k = h >> 8 & 31;
    do {
      acc = acc * 5 + 1;
      if (acc & 1)
        for (unsigned j = 0; j < (k & 3); j++)
          acc += j * k;
    } while (k-- != 0);
  }
  out[i] = acc;
}
KERNEL breaks(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i), acc = 0;
  out[i] = 0xdead0000u + i;
  if (h % 11 == 3)
    return;
  for (unsigned a = 0; a < 20; a++) {
    if ((h >> (a & 15) & 3) == 1)
      continue;
    for (unsigned b = 0;; b++) {
      if (b > (h & 15) || acc > 5000)
        break;
      if ((b ^ a ^ i) % 3 == 0)
        continue;
      acc += a * b + 1;
      if (acc % 97 == 13) {
        out[i] = acc + 0x10000;
        return;
      }
      if (acc % 89 == 7)
        goto out;
    }
    if (acc % 31 == 30)
      break;
  }
out:
  out[i] = acc;
}
KERNEL switches(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i), s = 0, acc = 0;
  for (int k = 0; k < 12; k++) {
    switch (s) {
    case 0: acc += 3; s = h & 7; break;
    case 1: acc ^= 0x1234; s = acc & 7; break;
    case 2: acc *= 3; // falls through
    case 3: acc += h >> 16; s = acc >> 3 & 7; break;
    case 4: acc -= 77; s = 6; break;
    case 5: acc = acc << 1 | acc >> 31; s = h >> 3 & 7; break;
    case 6: acc ^= h; s = acc % 9; break;
    default: acc += k; s = k & 3; break;
    }
    h = h << 5 | h >> 27;
  }
  out[i] = acc;
}
