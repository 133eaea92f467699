/* 64-bit atomics (cl_khr_int64_base_atomics, cl_khr_int64_extended_atomics). The compiler has no name for the smaller
 * and the larger of two 64-bit numbers: these are instructions as text. */
#define SL_ATOM_TEXT(name, T, SPACE, instruction)                                                                      \
  SL_FN T name(volatile SPACE T *p, T v) {                                                                             \
    T old;                                                                                                             \
    __asm__ volatile(instruction " %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");                            \
    return old;                                                                                                        \
  }
#define SL_ATOM(T, SPACE, space, type)                                                                                 \
  SL_FN T atom_add(volatile SPACE T *p, T v) { return __sync_fetch_and_add(p, v); }                                    \
  SL_FN T atom_sub(volatile SPACE T *p, T v) { return __sync_fetch_and_add(p, -v); }                                   \
  SL_FN T atom_inc(volatile SPACE T *p) { return __sync_fetch_and_add(p, (T)1); }                                      \
  SL_FN T atom_dec(volatile SPACE T *p) { return __sync_fetch_and_add(p, (T)-1); }                                     \
  SL_FN T atom_xchg(volatile SPACE T *p, T v) { return __sync_swap(p, v); }                                            \
  SL_FN T atom_and(volatile SPACE T *p, T v) { return __sync_fetch_and_and(p, v); }                                    \
  SL_FN T atom_or(volatile SPACE T *p, T v) { return __sync_fetch_and_or(p, v); }                                      \
  SL_FN T atom_xor(volatile SPACE T *p, T v) { return __sync_fetch_and_xor(p, v); }                                    \
  SL_FN T atom_cmpxchg(volatile SPACE T *p, T compare, T v) { return __sync_val_compare_and_swap(p, compare, v); }     \
  SL_ATOM_TEXT(atom_min, T, SPACE, "atom." space ".min." type)                                                         \
  SL_ATOM_TEXT(atom_max, T, SPACE, "atom." space ".max." type)
SL_ATOM(long, __global, "global", "s64")
SL_ATOM(long, __local, "shared", "s64")
SL_ATOM(ulong, __global, "global", "u64")
SL_ATOM(ulong, __local, "shared", "u64")
