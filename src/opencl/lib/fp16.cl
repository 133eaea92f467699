/* Halves as numbers (cl_khr_fp16), which libclc for nvptx lacks. Most functions are those of float, rounded: float has more than
 * twice the digits and two, so that square roots and quotients round right, and others stay within the bounds of the extension. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define SL_HALF1(f)                                                                                                    \
  SL_FN half f(half a) { return (half)f((float)a); }                                                                   \
  SL_VECTOR1(half, f, half)
#define SL_HALF2(f)                                                                                                    \
  SL_FN half f(half a, half b) { return (half)f((float)a, (float)b); }                                                 \
  SL_VECTOR2(half, f, half, half)
#define SL_HALF3(f)                                                                                                    \
  SL_FN half f(half a, half b, half c) { return (half)f((float)a, (float)b, (float)c); }                               \
  SL_VECTOR3(half, f, half, half, half)

/* ---- conversions: to others, a half is a float; from others, one rounding ---- */

#define SL_FROM_HALF_N(T, n, s)                                                                                        \
  SL_FN T##n convert_##T##n##s(half##n a) { return convert_##T##n##s(__builtin_convertvector(a, float##n)); }
#define SL_FROM_HALF(T, s)                                                                                             \
  SL_FN T convert_##T##s(half a) { return convert_##T##s((float)a); }                                                  \
  SL_FROM_HALF_N(T, 2, s) SL_FROM_HALF_N(T, 3, s) SL_FROM_HALF_N(T, 4, s) SL_FROM_HALF_N(T, 8, s)                      \
  SL_FROM_HALF_N(T, 16, s)
#define SL_FROM_HALF_MODES(T, M) M(T, ) M(T, _rte) M(T, _rtz) M(T, _rtp) M(T, _rtn)
#define SL_FROM_HALF_SAT(T)                                                                                            \
  SL_FROM_HALF_MODES(T, SL_FROM_HALF)                                                                                  \
  SL_FROM_HALF(T, _sat) SL_FROM_HALF(T, _sat_rte) SL_FROM_HALF(T, _sat_rtz) SL_FROM_HALF(T, _sat_rtp)                  \
  SL_FROM_HALF(T, _sat_rtn)
SL_INTEGERS(SL_FROM_HALF_SAT)
SL_FROM_HALF_MODES(float, SL_FROM_HALF)
SL_FROM_HALF_MODES(double, SL_FROM_HALF)

#define SL_TO_HALF_N(T, n, s)                                                                                          \
  SL_FN half##n convert_half##n##s(T##n a) { return __builtin_convertvector(a, half##n); }
#define SL_TO_HALF_S(T, s)                                                                                             \
  SL_FN half convert_half##s(T a) { return (half)a; }                                                                  \
  SL_TO_HALF_N(T, 2, s) SL_TO_HALF_N(T, 3, s) SL_TO_HALF_N(T, 4, s) SL_TO_HALF_N(T, 8, s) SL_TO_HALF_N(T, 16, s)
#define SL_TO_HALF(T) SL_TO_HALF_S(T, ) SL_TO_HALF_S(T, _rte)
SL_TYPES(SL_TO_HALF)
SL_TO_HALF(half)
#define SL_TO_HALF_MODE(T, mode)                                                                                       \
  SL_FN half convert_half_##mode(T a) { return as_half(sl_half_##mode##_##T(a)); }                                     \
  SL_VECTOR1_NAMED(half, convert_half, _##mode, T)
#define SL_VECTOR1_NAMED(R, f, s, A)                                                                                   \
  SL_FN R##2 f##2##s(A##2 a) { return (R##2)(f##s(a.x), f##s(a.y)); }                                                  \
  SL_FN R##3 f##3##s(A##3 a) { return (R##3)(f##s(a.x), f##s(a.y), f##s(a.z)); }                                       \
  SL_FN R##4 f##4##s(A##4 a) { return (R##4)(f##2##s(a.lo), f##2##s(a.hi)); }                                          \
  SL_FN R##8 f##8##s(A##8 a) { return (R##8)(f##4##s(a.lo), f##4##s(a.hi)); }                                          \
  SL_FN R##16 f##16##s(A##16 a) { return (R##16)(f##8##s(a.lo), f##8##s(a.hi)); }

SL_HALF(float, rtz, "cvt.rz.f16.f32", "f")
SL_HALF(double, rtz, "cvt.rz.f16.f64", "d")
SL_TO_HALF_MODE(float, rtp) SL_TO_HALF_MODE(float, rtn) SL_TO_HALF_MODE(float, rtz)
SL_TO_HALF_MODE(double, rtp) SL_TO_HALF_MODE(double, rtn) SL_TO_HALF_MODE(double, rtz)

/* ---- mathematics ---- */

SL_HALF1(acos) SL_HALF1(acosh) SL_HALF1(acospi) SL_HALF1(asin) SL_HALF1(asinh) SL_HALF1(asinpi) SL_HALF1(atan)
SL_HALF1(atanh) SL_HALF1(atanpi) SL_HALF1(cbrt) SL_HALF1(ceil) SL_HALF1(cos) SL_HALF1(cosh) SL_HALF1(cospi)
SL_HALF1(erf) SL_HALF1(erfc) SL_HALF1(exp) SL_HALF1(exp2) SL_HALF1(exp10) SL_HALF1(expm1) SL_HALF1(fabs)
SL_HALF1(floor) SL_HALF1(lgamma) SL_HALF1(log) SL_HALF1(log2) SL_HALF1(log10) SL_HALF1(log1p) SL_HALF1(logb)
SL_HALF1(rint) SL_HALF1(round) SL_HALF1(rsqrt) SL_HALF1(sin) SL_HALF1(sinh) SL_HALF1(sinpi) SL_HALF1(sqrt)
SL_HALF1(tan) SL_HALF1(tanh) SL_HALF1(tanpi) SL_HALF1(tgamma) SL_HALF1(trunc) SL_HALF1(degrees) SL_HALF1(radians)
SL_HALF1(sign)
SL_HALF2(atan2) SL_HALF2(atan2pi) SL_HALF2(copysign) SL_HALF2(fdim) SL_HALF2(fmax) SL_HALF2(fmin) SL_HALF2(fmod)
SL_HALF2(hypot) SL_HALF2(maxmag) SL_HALF2(minmag) SL_HALF2(pow) SL_HALF2(powr) SL_HALF2(remainder) SL_HALF2(max)
SL_HALF2(min) SL_HALF2(step)
SL_HALF3(clamp) SL_HALF3(smoothstep)

/* A product of halves is exact in double, and the sum has all the digits that matter. */
SL_FN half fma(half a, half b, half c) { return (half)fma((double)a, (double)b, (double)c); }
SL_VECTOR3(half, fma, half, half, half)
SL_FN half mad(half a, half b, half c) { return (half)((float)a * (float)b + (float)c); }
SL_VECTOR3(half, mad, half, half, half)
SL_FN half mix(half a, half b, half c) { return (half)((float)a + ((float)b - (float)a) * (float)c); }
SL_VECTOR3(half, mix, half, half, half)

#define SL_HALF_INT(f)                                                                                                 \
  SL_FN half f(half a, int b) { return (half)f((float)a, b); }                                                         \
  SL_VECTOR2(half, f, half, int)
SL_HALF_INT(pown) SL_HALF_INT(rootn) SL_HALF_INT(ldexp)
SL_FN int ilogb(half a) { return ilogb((float)a); }
SL_VECTOR1(int, ilogb, half)
SL_FN half nan(ushort a) { return as_half((ushort)(0x7e00 | (a & 0x1ff))); }

/* One step on the grid of halves. */
SL_FN half nextafter(half a, half b) {
  if (a != a || b != b)
    return (half)NAN;
  if (a == b)
    return b;
  if (a == 0)
    return as_half((ushort)(1 | (b < 0 ? 0x8000 : 0)));
  return as_half((ushort)(as_ushort(a) + ((a < b) == (a > 0) ? 1 : -1)));
}
SL_VECTOR2(half, nextafter, half, half)

/* With scalars in place of the last operands. */
#define SL_HALF_SCALAR_N(n)                                                                                            \
  SL_FN half##n max(half##n a, half b) { return max(a, (half##n)(b)); }                                                \
  SL_FN half##n min(half##n a, half b) { return min(a, (half##n)(b)); }                                                \
  SL_FN half##n fmax(half##n a, half b) { return fmax(a, (half##n)(b)); }                                              \
  SL_FN half##n fmin(half##n a, half b) { return fmin(a, (half##n)(b)); }                                              \
  SL_FN half##n clamp(half##n a, half b, half c) { return clamp(a, (half##n)(b), (half##n)(c)); }                      \
  SL_FN half##n mix(half##n a, half##n b, half c) { return mix(a, b, (half##n)(c)); }                                  \
  SL_FN half##n step(half a, half##n b) { return step((half##n)(a), b); }                                              \
  SL_FN half##n smoothstep(half a, half b, half##n c) { return smoothstep((half##n)(a), (half##n)(b), c); }            \
  SL_FN half##n pown(half##n a, int b) { return pown(a, (int##n)(b)); }                                                \
  SL_FN half##n ldexp(half##n a, int b) { return ldexp(a, (int##n)(b)); }
SL_HALF_SCALAR_N(2) SL_HALF_SCALAR_N(3) SL_HALF_SCALAR_N(4) SL_HALF_SCALAR_N(8) SL_HALF_SCALAR_N(16)

/* Parts of a number, left behind a pointer. */
#define SL_HALF_PARTS_N(n, SPACE)                                                                                      \
  SL_FN half##n fract(half##n a, SPACE half##n *p) {                                                                   \
    *p = floor(a);                                                                                                     \
    return fmin(a - *p, (half##n)(0x1.ffcp-1h));                                                                       \
  }                                                                                                                    \
  SL_FN half##n modf(half##n a, SPACE half##n *p) {                                                                    \
    *p = trunc(a);                                                                                                     \
    return copysign(a - *p, a);                                                                                        \
  }                                                                                                                    \
  SL_FN half##n sincos(half##n a, SPACE half##n *p) {                                                                  \
    *p = cos(a);                                                                                                       \
    return sin(a);                                                                                                     \
  }
#define SL_HALF_PARTS(SPACE)                                                                                           \
  SL_HALF_PARTS_N(, SPACE) SL_HALF_PARTS_N(2, SPACE) SL_HALF_PARTS_N(3, SPACE) SL_HALF_PARTS_N(4, SPACE)               \
  SL_HALF_PARTS_N(8, SPACE) SL_HALF_PARTS_N(16, SPACE)
SL_HALF_PARTS(global) SL_HALF_PARTS(local) SL_HALF_PARTS(private)

/* ---- geometry ---- */

#define SL_HALF_GEOMETRY(n)                                                                                            \
  SL_FN half dot(half##n a, half##n b) { return (half)dot(convert_float##n(a), convert_float##n(b)); }                 \
  SL_FN half length(half##n a) { return (half)length(convert_float##n(a)); }                                           \
  SL_FN half distance(half##n a, half##n b) { return (half)distance(convert_float##n(a), convert_float##n(b)); }       \
  SL_FN half##n normalize(half##n a) { return convert_half##n(normalize(convert_float##n(a))); }
SL_HALF_GEOMETRY() SL_HALF_GEOMETRY(2) SL_HALF_GEOMETRY(3) SL_HALF_GEOMETRY(4)
SL_FN half3 cross(half3 a, half3 b) { return convert_half3(cross(convert_float3(a), convert_float3(b))); }
SL_FN half4 cross(half4 a, half4 b) { return convert_half4(cross(convert_float4(a), convert_float4(b))); }

/* ---- relations: scalars give int, vectors short ---- */

#define SL_HALF_IS2_N(f, n)                                                                                            \
  SL_FN short##n f(half##n a, half##n b) { return convert_short##n(f(convert_float##n(a), convert_float##n(b))); }
#define SL_HALF_IS2(f)                                                                                                 \
  SL_FN int f(half a, half b) { return f((float)a, (float)b); }                                                        \
  SL_HALF_IS2_N(f, 2) SL_HALF_IS2_N(f, 3) SL_HALF_IS2_N(f, 4) SL_HALF_IS2_N(f, 8) SL_HALF_IS2_N(f, 16)
SL_HALF_IS2(isequal) SL_HALF_IS2(isnotequal) SL_HALF_IS2(isgreater) SL_HALF_IS2(isgreaterequal) SL_HALF_IS2(isless)
SL_HALF_IS2(islessequal) SL_HALF_IS2(islessgreater) SL_HALF_IS2(isordered) SL_HALF_IS2(isunordered)
#define SL_HALF_IS1_N(f, n)                                                                                            \
  SL_FN short##n f(half##n a) { return convert_short##n(f(convert_float##n(a))); }
#define SL_HALF_IS1(f)                                                                                                 \
  SL_FN int f(half a) { return f((float)a); }                                                                          \
  SL_HALF_IS1_N(f, 2) SL_HALF_IS1_N(f, 3) SL_HALF_IS1_N(f, 4) SL_HALF_IS1_N(f, 8) SL_HALF_IS1_N(f, 16)
SL_HALF_IS1(isfinite) SL_HALF_IS1(isinf) SL_HALF_IS1(isnan) SL_HALF_IS1(signbit)
/* A half that is denormal is a normal float. */
SL_FN int isnormal(half a) { return isfinite((float)a) && fabs((float)a) >= 0x1p-14f; }
#define SL_HALF_NORMAL_N(n)                                                                                            \
  SL_FN short##n isnormal(half##n a) {                                                                                 \
    float##n f = fabs(convert_float##n(a));                                                                            \
    return convert_short##n(isfinite(f) & (f >= 0x1p-14f));                                                            \
  }
SL_HALF_NORMAL_N(2) SL_HALF_NORMAL_N(3) SL_HALF_NORMAL_N(4) SL_HALF_NORMAL_N(8) SL_HALF_NORMAL_N(16)

SL_FN half select(half a, half b, short c) { return c ? b : a; }
SL_FN half select(half a, half b, ushort c) { return c ? b : a; }
SL_FN half bitselect(half a, half b, half c) { return as_half(bitselect(as_ushort(a), as_ushort(b), as_ushort(c))); }
#define SL_HALF_SELECT_N(n)                                                                                            \
  SL_FN half##n select(half##n a, half##n b, short##n c) { return c < (short)0 ? b : a; }                                  \
  SL_FN half##n select(half##n a, half##n b, ushort##n c) { return as_short##n(c) < (short)0 ? b : a; }                       \
  SL_FN half##n bitselect(half##n a, half##n b, half##n c) {                                                           \
    return as_half##n(bitselect(as_ushort##n(a), as_ushort##n(b), as_ushort##n(c)));                                   \
  }
SL_HALF_SELECT_N(2) SL_HALF_SELECT_N(3) SL_HALF_SELECT_N(4) SL_HALF_SELECT_N(8) SL_HALF_SELECT_N(16)

/* ---- vectors in memory, images ---- */

#define SL_HALF_LOAD(n, SPACE)                                                                                         \
  SL_FN half##n vload##n(size_t i, const SPACE half *p) { return as_half##n(vload##n(i, (const SPACE ushort *)p)); }
#define SL_HALF_STORE(n, SPACE)                                                                                        \
  SL_FN void vstore##n(half##n v, size_t i, SPACE half *p) { vstore##n(as_ushort##n(v), i, (SPACE ushort *)p); }
#define SL_HALF_MEMORY(SPACE, M) M(2, SPACE) M(3, SPACE) M(4, SPACE) M(8, SPACE) M(16, SPACE)
SL_HALF_MEMORY(global, SL_HALF_LOAD) SL_HALF_MEMORY(local, SL_HALF_LOAD) SL_HALF_MEMORY(private, SL_HALF_LOAD)
SL_HALF_MEMORY(constant, SL_HALF_LOAD)
SL_HALF_MEMORY(global, SL_HALF_STORE) SL_HALF_MEMORY(local, SL_HALF_STORE) SL_HALF_MEMORY(private, SL_HALF_STORE)

#define SL_READH(kind, CF, CI)                                                                                         \
  SL_FN half4 read_imageh(read_only kind i, sampler_t s, CF c) { return convert_half4(read_imagef(i, s, c)); }         \
  SL_FN half4 read_imageh(read_only kind i, sampler_t s, CI c) { return convert_half4(read_imagef(i, s, c)); }         \
  SL_FN half4 read_imageh(read_only kind i, CI c) { return convert_half4(read_imagef(i, c)); }                         \
  SL_FN void write_imageh(write_only kind i, CI c, half4 v) { write_imagef(i, c, convert_float4(v)); }
SL_READH(image1d_t, float, int) SL_READH(image1d_array_t, float2, int2) SL_READH(image2d_t, float2, int2)
SL_READH(image2d_array_t, float4, int4) SL_READH(image3d_t, float4, int4)
SL_FN half4 read_imageh(read_only image1d_buffer_t i, int c) { return convert_half4(read_imagef(i, c)); }
SL_FN void write_imageh(write_only image1d_buffer_t i, int c, half4 v) { write_imagef(i, c, convert_float4(v)); }
