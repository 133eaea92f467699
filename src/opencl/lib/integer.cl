/* mad_hi(a, b, c) = mul_hi(a, b) + c. */
#define SL_MAD_HI_N(T, n) SL_FN T##n mad_hi(T##n a, T##n b, T##n c) { return mul_hi(a, b) + c; }
#define SL_MAD_HI(T)                                                                                                   \
  SL_FN T mad_hi(T a, T b, T c) { return mul_hi(a, b) + c; }                                                           \
  SL_VECTORS(SL_MAD_HI_N, T)
SL_INTEGERS(SL_MAD_HI)
