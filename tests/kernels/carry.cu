// arch: sm_75
// Carry chains: 256-bit add, subtract and multiply.
#include "common.cuh"
KERNEL carry(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a[8], b[8], s[8], d[8], p[16];
  for (int k = 0; k < 8; k++) {
    a[k] = mix(i * 16 + k) | (i % 5 == 0 ? 0xffffffffu : 0);
    b[k] = mix(i * 16 + 8 + k) & (i % 7 == 0 ? 0 : 0xffffffffu);
  }
  if (i % 3 == 0) b[0] = 1;
  asm("add.cc.u32 %0, %8, %16;\n\taddc.cc.u32 %1, %9, %17;\n\taddc.cc.u32 %2, %10, %18;\n\taddc.cc.u32 %3, %11, %19;\n\t"
      "addc.cc.u32 %4, %12, %20;\n\taddc.cc.u32 %5, %13, %21;\n\taddc.cc.u32 %6, %14, %22;\n\taddc.u32 %7, %15, %23;"
      : "=&r"(s[0]), "=&r"(s[1]), "=&r"(s[2]), "=&r"(s[3]), "=&r"(s[4]), "=&r"(s[5]), "=&r"(s[6]), "=&r"(s[7])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
        "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  asm("sub.cc.u32 %0, %8, %16;\n\tsubc.cc.u32 %1, %9, %17;\n\tsubc.cc.u32 %2, %10, %18;\n\tsubc.cc.u32 %3, %11, %19;\n\t"
      "subc.cc.u32 %4, %12, %20;\n\tsubc.cc.u32 %5, %13, %21;\n\tsubc.cc.u32 %6, %14, %22;\n\tsubc.u32 %7, %15, %23;"
      : "=&r"(d[0]), "=&r"(d[1]), "=&r"(d[2]), "=&r"(d[3]), "=&r"(d[4]), "=&r"(d[5]), "=&r"(d[6]), "=&r"(d[7])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
        "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  for (int k = 0; k < 16; k++) p[k] = 0;
  for (int j = 0; j < 8; j++) { // row by row: low halves, then high halves one place up
    asm("mad.lo.cc.u32 %0, %9, %17, %0;\n\tmadc.lo.cc.u32 %1, %10, %17, %1;\n\tmadc.lo.cc.u32 %2, %11, %17, %2;\n\t"
        "madc.lo.cc.u32 %3, %12, %17, %3;\n\tmadc.lo.cc.u32 %4, %13, %17, %4;\n\tmadc.lo.cc.u32 %5, %14, %17, %5;\n\t"
        "madc.lo.cc.u32 %6, %15, %17, %6;\n\tmadc.lo.cc.u32 %7, %16, %17, %7;\n\taddc.u32 %8, %8, 0;"
        : "+r"(p[j]), "+r"(p[j + 1]), "+r"(p[j + 2]), "+r"(p[j + 3]), "+r"(p[j + 4]), "+r"(p[j + 5]), "+r"(p[j + 6]), "+r"(p[j + 7]), "+r"(p[j + 8])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[j]));
    asm("mad.hi.cc.u32 %0, %8, %16, %0;\n\tmadc.hi.cc.u32 %1, %9, %16, %1;\n\tmadc.hi.cc.u32 %2, %10, %16, %2;\n\t"
        "madc.hi.cc.u32 %3, %11, %16, %3;\n\tmadc.hi.cc.u32 %4, %12, %16, %4;\n\tmadc.hi.cc.u32 %5, %13, %16, %5;\n\t"
        "madc.hi.cc.u32 %6, %14, %16, %6;\n\tmadc.hi.u32 %7, %15, %16, %7;"
        : "+r"(p[j + 1]), "+r"(p[j + 2]), "+r"(p[j + 3]), "+r"(p[j + 4]), "+r"(p[j + 5]), "+r"(p[j + 6]), "+r"(p[j + 7]), "+r"(p[j + 8])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[j]));
  }
  for (int k = 0; k < 8; k++) out[i * 32 + k] = s[k], out[i * 32 + 8 + k] = d[k];
  for (int k = 0; k < 16; k++) out[i * 32 + 16 + k] = p[k];
}
