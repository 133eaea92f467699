/* mad_hi(a, b, c) = mul_hi(a, b) + c. */
#define SL_MAD_HI_N(T, n) SL_FN T##n mad_hi(T##n a, T##n b, T##n c) { return mul_hi(a, b) + c; }
#define SL_MAD_HI(T)                                                                                                   \
  SL_FN T mad_hi(T a, T b, T c) { return mul_hi(a, b) + c; }                                                           \
  SL_VECTORS(SL_MAD_HI_N, T)
SL_INTEGERS(SL_MAD_HI)

/* libclc takes the sign of the first argument for the side of the overflow: wrong for 0 - INT_MIN. */
#define SL_SUB_SAT(T, MIN, MAX)                                                                                        \
  SL_FN T sub_sat(T a, T b) {                                                                                          \
    T r;                                                                                                               \
    return __builtin_sub_overflow(a, b, &r) ? (b < 0 ? MAX : MIN) : r;                                                 \
  }                                                                                                                    \
  SL_VECTOR2(T, sub_sat, T, T)
SL_SUB_SAT(int, INT_MIN, INT_MAX)
SL_SUB_SAT(long, LONG_MIN, LONG_MAX)

/* The sum in 128 bits; libclc's overflows in the addition. */
SL_FN long mad_sat(long a, long b, long c) {
  ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
  long high = mul_hi(a, b) + (c >> 63) + (sum < low);
  return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}
SL_VECTOR3(long, mad_sat, long, long, long)
