/* Functions of libclc that miss the bounds of section 7.4 or read beyond their tables for some arguments. */

/* Sums of exponentials. libclc indexes a table with whatever a NaN converts to. */
SL_FN double cosh(double x) {
  double a = fabs(x), h = exp(a > 709.0 ? 0.5 * a : a);
  return a > 709.0 ? 0.5 * h * h : 0.5 * h + 0.5 / h;
}
SL_FN double sinh(double x) {
  double a = fabs(x), s;
  if (a < 22.0) {
    double t = expm1(a);
    s = a < 0x1p-28 ? a : 0.5 * (t + t / (t + 1.0));
  } else {
    double h = exp(a > 709.0 ? 0.5 * a : a);
    s = a > 709.0 ? 0.5 * h * h : 0.5 * h;
  }
  return copysign(s, x);
}
SL_VECTOR1(double, cosh, double)
SL_VECTOR1(double, sinh, double)

/* libclc takes some NaNs for numbers. */
SL_FN double acospi(double x) { return acos(x) * M_1_PI; }
SL_VECTOR1(double, acospi, double)

/* Lanczos' approximation with g = 6.0246800407767296 and thirteen terms, as a quotient of polynomials; for large x in
 * powers of 1/x, so that nothing overflows. gamma(x) = s(x) (x + g - 1/2)^(x - 1/2) / exp(x + g - 1/2), x > 0. */
static __constant double sl_lanczos[2][13] = {
    {23531376880.410759688572007674451636754734846804940, 42919803642.649098768957899047001988850926355848959,
     35711959237.355668049440185451547166705960488635843, 17921034426.037209699919755754458931112671403265390,
     6039542586.3520280050642916443072979210699388420708, 1439720407.3117216736632230727949123939715485786372,
     248874557.86205415651146038641322942321632125127801, 31426415.585400194380614231628318205362874684987640,
     2876370.6289353724412254090516208496135991145378768, 186056.26539522349504029498971604569928220784236328,
     8071.6720023658162106380029022722506138218516325024, 210.82427775157934587250973392071336271166969580291,
     2.5066282746310002701649081771338373386264310793408},
    {0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925, 66, 1}};

static double sl_lanczos_sum(double x) {
  double n = 0, d = 0;
  if (x < 8.0) {
    for (int i = 12; i >= 0; i--)
      n = fma(n, x, sl_lanczos[0][i]), d = fma(d, x, sl_lanczos[1][i]);
  } else {
    for (int i = 0; i <= 12; i++)
      n = n / x + sl_lanczos[0][i], d = d / x + sl_lanczos[1][i];
  }
  return n / d;
}

SL_FN double tgamma(double x) {
  if (isinf(x))
    return x > 0 ? x : NAN;
  if (x == 0.0)
    return 1.0 / x;
  double a = fabs(x), whole = floor(x);
  if (isnan(x) || (x < 0 && x == whole))
    return NAN;
  if (x > 172.0)
    return INFINITY;
  if (a < 0x1p-54)
    return 1.0 / x;
  if (x < -184.0) /* below the smallest number: zero with the sign it comes from */
    return 0.5 * whole == floor(0.5 * whole) ? 0.0 : -0.0;
  const double shift = 6.0246800407767296 - 0.5;
  double y = a + shift, over = a > shift ? y - a - shift : y - shift - a; /* a + shift was rounded up by */
  double z = a - 0.5, r = sl_lanczos_sum(a) * exp(-y);
  if (x < 0) { /* gamma(-a) = -pi / (a sin(pi a) gamma(a)) */
    r = -M_PI / (sinpi(a) * a * r);
    over = -over;
    z = -z;
  }
  r += over * 6.0246800407767296 * r / y; /* what rounding y did to power and exponential together */
  double h = pow(y, 0.5 * z);
  return r * h * h;
}
SL_FN float tgamma(float x) { return (float)tgamma((double)x); }
SL_VECTOR1(double, tgamma, double)
SL_VECTOR1(float, tgamma, float)

/* In single precision by way of double: libclc's own has the wrong sign or size at infinities and poles. */
SL_FN float lgamma(float x) { return (float)lgamma((double)x); }
SL_VECTOR1(float, lgamma, float)
#define SL_LGAMMA_R(SPACE)                                                                                             \
  SL_FN float lgamma_r(float x, SPACE int *sign) { return (float)lgamma_r((double)x, sign); }
SL_LGAMMA_R(__private)
SL_LGAMMA_R(__global)
SL_LGAMMA_R(__local)
#define SL_LGAMMA_R_N(n, SPACE)                                                                                        \
  SL_FN float##n lgamma_r(float##n x, SPACE int##n *sign) { return convert_float##n(lgamma_r(convert_double##n(x), sign)); }
#define SL_LGAMMA_R_ALL(SPACE)                                                                                         \
  SL_LGAMMA_R_N(2, SPACE) SL_LGAMMA_R_N(3, SPACE) SL_LGAMMA_R_N(4, SPACE) SL_LGAMMA_R_N(8, SPACE)                      \
  SL_LGAMMA_R_N(16, SPACE)
SL_LGAMMA_R_ALL(__private)
SL_LGAMMA_R_ALL(__global)
SL_LGAMMA_R_ALL(__local)

/* libclc's loses digits where erfc becomes small. */
SL_FN float erfc(float x) { return (float)erfc((double)x); }
SL_VECTOR1(float, erfc, float)
