/* Atomics of C11: one instruction, between the fences that its order asks for. Scopes beyond the device are the device. */
static void sl_fence(memory_scope scope) {
  if (scope == memory_scope_work_item)
    return;
  if (scope == memory_scope_work_group || scope == memory_scope_sub_group)
    __nvvm_membar_cta();
  else
    __nvvm_membar_gl();
}
static void sl_release(memory_order order, memory_scope scope) {
  if (order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst)
    sl_fence(scope);
}
static void sl_acquire(memory_order order, memory_scope scope) {
  if (order == memory_order_acquire || order == memory_order_acq_rel || order == memory_order_seq_cst)
    sl_fence(scope);
}

SL_FN void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  if (order != memory_order_relaxed)
    sl_fence(scope);
}
SL_FN void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { barrier(flags); }
SL_FN void work_group_barrier(cl_mem_fence_flags flags) { barrier(flags); }

/* The three forms of a function: with order and scope, with order, with neither. `params` and `args` are the parameters after the pointer,
 * in brackets, first as declared, then by name; what follows computes r. */
#define SL_FORMS(R, name, P, params, args, ...)                                                                        \
  SL_FN R name##_explicit(P p SL_OPEN params, memory_order order, memory_scope scope) {                                \
    sl_release(order, scope);                                                                                          \
    __VA_ARGS__ sl_acquire(order, scope);                                                                                 \
    return r;                                                                                                          \
  }                                                                                                                    \
  SL_FN R name##_explicit(P p SL_OPEN params, memory_order order) {                                                    \
    return name##_explicit(p SL_OPEN args, order, memory_scope_device);                                                \
  }                                                                                                                    \
  SL_FN R name(P p SL_OPEN params) {                                                                                   \
    return name##_explicit(p SL_OPEN args, memory_order_seq_cst, memory_scope_device);                                 \
  }
#define SL_OPEN(...) __VA_ARGS__

#define SL_TEXT(instruction, reg)                                                                                      \
  __asm__ volatile(instruction " %0, [%1], %2;" : "=" reg(r) : "l"(p), reg(v) : "memory");
#define SL_RMW(T, A, V, SPACE, name, instruction, reg)                                                                 \
  SL_FORMS(T, name, volatile SPACE A *, (, V v), (, v), T r; SL_TEXT("atom" instruction, reg))
#define SL_RMW_ALL(T, A, V, SPACE, at, bits, type, reg)                                                                \
  SL_RMW(T, A, V, SPACE, atomic_fetch_add, at ".add." SL_ADD_##type, reg)                                              \
  SL_RMW(T, A, V, SPACE, atomic_fetch_or, at ".or." bits, reg)                                                         \
  SL_RMW(T, A, V, SPACE, atomic_fetch_xor, at ".xor." bits, reg)                                                       \
  SL_RMW(T, A, V, SPACE, atomic_fetch_and, at ".and." bits, reg)                                                       \
  SL_RMW(T, A, V, SPACE, atomic_fetch_min, at ".min." #type, reg)                                                      \
  SL_RMW(T, A, V, SPACE, atomic_fetch_max, at ".max." #type, reg)                                                      \
  SL_FORMS(T, atomic_fetch_sub, volatile SPACE A *, (, V v), (, v), T r; v = -v;                                           \
           SL_TEXT("atom" at ".add." SL_ADD_##type, reg))
#define SL_ADD_s32 "u32"
#define SL_ADD_u32 "u32"
#define SL_ADD_s64 "u64"
#define SL_ADD_u64 "u64"

/* Any type of 32 or 64 bits. */
#define SL_PLAIN(T, A, SPACE, at, bits, reg, I)                                                                        \
  SL_RMW(T, A, T, SPACE, atomic_exchange, at ".exch." bits, reg)                                                       \
  SL_FORMS(T, atomic_load, const volatile SPACE A *, (), (), T r;                                                        \
           __asm__ volatile("ld.volatile" at "." bits " %0, [%1];" : "=" reg(r) : "l"(p) : "memory");)                 \
  SL_FORMS(T, atomic_load, volatile SPACE A *, (), (), T r;                                                              \
           __asm__ volatile("ld.volatile" at "." bits " %0, [%1];" : "=" reg(r) : "l"(p) : "memory");)                 \
  SL_FN void atomic_store_explicit(volatile SPACE A *p, T v, memory_order order, memory_scope scope) {                 \
    sl_release(order, scope);                                                                                          \
    __asm__ volatile("st.volatile" at "." bits " [%0], %1;" : : "l"(p), reg(v) : "memory");                            \
    if (order == memory_order_seq_cst)                                                                                 \
      sl_fence(scope);                                                                                                 \
  }                                                                                                                    \
  SL_FN void atomic_store_explicit(volatile SPACE A *p, T v, memory_order order) {                                     \
    atomic_store_explicit(p, v, order, memory_scope_device);                                                           \
  }                                                                                                                    \
  SL_FN void atomic_store(volatile SPACE A *p, T v) {                                                                  \
    atomic_store_explicit(p, v, memory_order_seq_cst, memory_scope_device);                                            \
  }                                                                                                                    \
  SL_FN void atomic_init(volatile SPACE A *p, T v) { *(volatile SPACE T *)p = v; }                                     \
  SL_SWAP(T, A, SPACE, __global, at, bits, reg, I)                                                                     \
  SL_SWAP(T, A, SPACE, __local, at, bits, reg, I)                                                                      \
  SL_SWAP(T, A, SPACE, __private, at, bits, reg, I)

/* What was expected may lie elsewhere than the object. */
#define SL_SWAP(T, A, SPACE, WHERE, at, bits, reg, I)                                                                  \
  SL_SWAP_ONE(T, A, SPACE, WHERE, atomic_compare_exchange_strong, at, bits, reg, I)                                    \
  SL_SWAP_ONE(T, A, SPACE, WHERE, atomic_compare_exchange_weak, at, bits, reg, I)
#define SL_SWAP_ONE(T, A, SPACE, WHERE, name, at, bits, reg, I)                                                        \
  SL_FN bool name##_explicit(volatile SPACE A *p, WHERE T *expected, T v, memory_order order, memory_order failure,    \
                             memory_scope scope) {                                                                     \
    T old, want = *expected;                                                                                           \
    sl_release(order, scope);                                                                                          \
    __asm__ volatile("atom" at ".cas." bits " %0, [%1], %2, %3;"                                                       \
                     : "=" reg(old)                                                                                    \
                     : "l"(p), reg(want), reg(v)                                                                       \
                     : "memory");                                                                                      \
    sl_acquire(order, scope);                                                                                          \
    bool same = as_##I(old) == as_##I(want);                                                                           \
    if (!same)                                                                                                         \
      *expected = old;                                                                                                 \
    return same;                                                                                                       \
  }                                                                                                                    \
  SL_FN bool name##_explicit(volatile SPACE A *p, WHERE T *expected, T v, memory_order order, memory_order failure) {  \
    return name##_explicit(p, expected, v, order, failure, memory_scope_device);                                       \
  }                                                                                                                    \
  SL_FN bool name(volatile SPACE A *p, WHERE T *expected, T v) {                                                       \
    return name##_explicit(p, expected, v, memory_order_seq_cst, memory_order_seq_cst, memory_scope_device);           \
  }

#define SL_ATOMICS(SPACE, at)                                                                                          \
  SL_PLAIN(int, atomic_int, SPACE, at, "b32", "r", int)                                                                \
  SL_PLAIN(uint, atomic_uint, SPACE, at, "b32", "r", int)                                                              \
  SL_PLAIN(float, atomic_float, SPACE, at, "b32", "f", int)                                                            \
  SL_PLAIN(long, atomic_long, SPACE, at, "b64", "l", long)                                                             \
  SL_PLAIN(ulong, atomic_ulong, SPACE, at, "b64", "l", long)                                                           \
  SL_PLAIN(double, atomic_double, SPACE, at, "b64", "d", long)                                                         \
  SL_RMW_ALL(int, atomic_int, int, SPACE, at, "b32", s32, "r")                                                         \
  SL_RMW_ALL(uint, atomic_uint, uint, SPACE, at, "b32", u32, "r")                                                      \
  SL_RMW_ALL(long, atomic_long, long, SPACE, at, "b64", s64, "l")                                                      \
  SL_RMW_ALL(ulong, atomic_ulong, ulong, SPACE, at, "b64", u64, "l")                                                   \
  SL_RMW_ALL(ulong, atomic_ulong, long, SPACE, at, "b64", u64, "l")                                                    \
  SL_RMW_ALL(long, atomic_long, ulong, SPACE, at, "b64", s64, "l")                                                     \
  SL_FORMS(bool, atomic_flag_test_and_set, volatile SPACE atomic_flag *, (), (), bool r; int old, v = 1;                   \
           __asm__ volatile("atom" at ".exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory"); r = old;)    \
  SL_FN void atomic_flag_clear_explicit(volatile SPACE atomic_flag *p, memory_order order, memory_scope scope) {       \
    atomic_store_explicit((volatile SPACE atomic_int *)p, 0, order, scope);                                            \
  }                                                                                                                    \
  SL_FN void atomic_flag_clear_explicit(volatile SPACE atomic_flag *p, memory_order order) {                           \
    atomic_flag_clear_explicit(p, order, memory_scope_device);                                                         \
  }                                                                                                                    \
  SL_FN void atomic_flag_clear(volatile SPACE atomic_flag *p) {                                                        \
    atomic_flag_clear_explicit(p, memory_order_seq_cst, memory_scope_device);                                          \
  }
SL_ATOMICS(__global, ".global")
SL_ATOMICS(__local, ".shared")
SL_ATOMICS(__generic, "")
