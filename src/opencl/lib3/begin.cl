/* What OpenCL C 3.0 has and 1.2 has not. This file comes first; the others use its macros. A pointer without a named address
 * space and a private one are the same to the compiler's back end, so that functions of private pointers serve both. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define SL_FN __attribute__((overloadable, always_inline))

/* ---- where a work-item stands ---- */

SL_FN size_t get_enqueued_local_size(uint dim) { return get_local_size(dim); }
SL_FN size_t get_local_linear_id(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
SL_FN size_t get_global_linear_id(void) {
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
         z = get_global_id(2) - get_global_offset(2);
  return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

/* ---- the address space that a pointer leads to ---- */

/* The conversion as text: the optimiser would join it with one before it to what no instruction does. */
#define SL_TO(SPACE, name, test, instruction)                                                                          \
  SPACE void *sl_##name(void *p) __asm("__" #name);                                                                    \
  __attribute__((always_inline)) SPACE void *sl_##name(void *p) {                                                      \
    ulong at;                                                                                                          \
    __asm__(instruction " %0, %1;" : "=l"(at) : "l"(p));                                                               \
    return test(p) ? (SPACE void *)at : 0;                                                                             \
  }
static bool sl_is_global(const void *p) { return __nvvm_isspacep_global((__generic void *)p); }
static bool sl_is_local(const void *p) { return __nvvm_isspacep_shared((__generic void *)p); }
static bool sl_is_private(const void *p) { return __nvvm_isspacep_local((__generic void *)p); }
SL_TO(global, to_global, sl_is_global, "cvta.to.global.u64")
SL_TO(local, to_local, sl_is_local, "cvta.to.shared.u64")
SL_TO(private, to_private, sl_is_private, "mov.u64")
SL_FN cl_mem_fence_flags get_fence(const void *p) { return sl_is_local(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE; }
SL_FN cl_mem_fence_flags get_fence(void *p) { return sl_is_local(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE; }

/* ---- trailing zeros; all bits for zero ---- */

#define SL_CTZ_N(T, n, U) SL_FN T##n ctz(T##n a) { return popcount((T##n)(~a & (a - (U)1))); }
#define SL_CTZ(T)                                                                                                      \
  SL_CTZ_N(T, , T) SL_CTZ_N(T, 2, T) SL_CTZ_N(T, 3, T) SL_CTZ_N(T, 4, T) SL_CTZ_N(T, 8, T) SL_CTZ_N(T, 16, T)
SL_CTZ(char) SL_CTZ(uchar) SL_CTZ(short) SL_CTZ(ushort) SL_CTZ(int) SL_CTZ(uint) SL_CTZ(long) SL_CTZ(ulong)
