/* smoothstep of a double vector between two scalars. */
#define SL_SMOOTHSTEP(T, n)                                                                                            \
  SL_FN T##n smoothstep(T edge0, T edge1, T##n x) { return smoothstep((T##n)edge0, (T##n)edge1, x); }
SL_VECTORS(SL_SMOOTHSTEP, double)
