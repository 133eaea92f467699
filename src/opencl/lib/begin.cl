/* What libclc for nvptx lacks or cannot be lowered to PTX. This file comes first; the others use its macros. */
#define SL_FN __attribute__((overloadable, always_inline))

/* M(T) for the vector types of T. */
#define SL_VECTORS(M, T) M(T, 2) M(T, 3) M(T, 4) M(T, 8) M(T, 16)
#define SL_INTEGERS(M) M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong)
#define SL_TYPES(M) SL_INTEGERS(M) M(float) M(double)

/* Vector forms from narrower ones. A three-vector is padded to four; the fourth element is not looked at. */
#define SL_VECTOR1(R, f, A)                                                                                            \
  SL_FN R##2 f(A##2 a) { return (R##2)(f(a.x), f(a.y)); }                                                              \
  SL_FN R##3 f(A##3 a) { return (R##3)(f(a.x), f(a.y), f(a.z)); }                                                      \
  SL_FN R##4 f(A##4 a) { return (R##4)(f(a.lo), f(a.hi)); }                                                            \
  SL_FN R##8 f(A##8 a) { return (R##8)(f(a.lo), f(a.hi)); }                                                            \
  SL_FN R##16 f(A##16 a) { return (R##16)(f(a.lo), f(a.hi)); }
#define SL_VECTOR2(R, f, A, B)                                                                                         \
  SL_FN R##2 f(A##2 a, B##2 b) { return (R##2)(f(a.x, b.x), f(a.y, b.y)); }                                            \
  SL_FN R##3 f(A##3 a, B##3 b) { return (R##3)(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); }                               \
  SL_FN R##4 f(A##4 a, B##4 b) { return (R##4)(f(a.lo, b.lo), f(a.hi, b.hi)); }                                        \
  SL_FN R##8 f(A##8 a, B##8 b) { return (R##8)(f(a.lo, b.lo), f(a.hi, b.hi)); }                                        \
  SL_FN R##16 f(A##16 a, B##16 b) { return (R##16)(f(a.lo, b.lo), f(a.hi, b.hi)); }
#define SL_VECTOR3(R, f, A, B, C)                                                                                      \
  SL_FN R##2 f(A##2 a, B##2 b, C##2 c) { return (R##2)(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }                          \
  SL_FN R##3 f(A##3 a, B##3 b, C##3 c) { return (R##3)(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z)); }        \
  SL_FN R##4 f(A##4 a, B##4 b, C##4 c) { return (R##4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }                    \
  SL_FN R##8 f(A##8 a, B##8 b, C##8 c) { return (R##8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }                    \
  SL_FN R##16 f(A##16 a, B##16 b, C##16 c) { return (R##16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }
