/* native_*: the hardware's approximations. libclc names LLVM's general functions, which have no PTX. */
#define SL_LOG2_E 1.44269504f
#define SL_LOG2_10 3.32192809f
#define SL_LN_2 0.69314718f
#define SL_LOG10_2 0.30103f

SL_FN float native_sin(float x) { return __nvvm_sin_approx_f(x); }
SL_FN float native_cos(float x) { return __nvvm_cos_approx_f(x); }
SL_FN float native_exp2(float x) { return __nvvm_ex2_approx_f(x); }
SL_FN float native_log2(float x) { return __nvvm_lg2_approx_f(x); }
SL_FN float native_recip(float x) { return __nvvm_rcp_approx_ftz_f(x); }
SL_FN float native_sqrt(float x) { return __nvvm_sqrt_approx_f(x); }
SL_FN float native_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
SL_FN float native_divide(float x, float y) { return __nvvm_div_approx_f(x, y); }
SL_FN float native_tan(float x) { return native_divide(native_sin(x), native_cos(x)); }
SL_FN float native_exp(float x) { return native_exp2(x * SL_LOG2_E); }
SL_FN float native_exp10(float x) { return native_exp2(x * SL_LOG2_10); }
SL_FN float native_log(float x) { return native_log2(x) * SL_LN_2; }
SL_FN float native_log10(float x) { return native_log2(x) * SL_LOG10_2; }
SL_FN float native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }

SL_VECTOR1(float, native_sin, float)
SL_VECTOR1(float, native_cos, float)
SL_VECTOR1(float, native_tan, float)
SL_VECTOR1(float, native_exp, float)
SL_VECTOR1(float, native_exp2, float)
SL_VECTOR1(float, native_exp10, float)
SL_VECTOR1(float, native_log, float)
SL_VECTOR1(float, native_log2, float)
SL_VECTOR1(float, native_log10, float)
SL_VECTOR1(float, native_recip, float)
SL_VECTOR1(float, native_sqrt, float)
SL_VECTOR1(float, native_rsqrt, float)
SL_VECTOR2(float, native_powr, float, float)
SL_VECTOR2(float, native_divide, float, float)
