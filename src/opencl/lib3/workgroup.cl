/* Functions of a whole work-group: by its sub-groups, which leave what they found in shared memory. 256 of them find room:
 * a work-group of 1,024 items of sub-groups of four. */
static __attribute__((noinline)) __local void *sl_scratch(void) {
  ulong at;
  __asm__("{ .shared .align 8 .b8 sl_scratch_bytes[2048]; mov.u64 %0, sl_scratch_bytes; }" : "=l"(at));
  return (__local void *)at;
}

#define SL_WORK_GROUP_OP(T, name, op, none)                                                                            \
  SL_FN T sl_left_##name(T all, uint until) { /* of the sub-groups before that one; `all` is this sub-group's */       \
    __local T *each = sl_scratch();                                                                                    \
    T left = (T)(none);                                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (!get_sub_group_local_id())                                                                                     \
      each[get_sub_group_id()] = all;                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    for (uint i = 0; i < until; i++)                                                                                   \
      left = op(left, each[i]);                                                                                        \
    return left;                                                                                                       \
  }                                                                                                                    \
  SL_FN T work_group_reduce_##name(T v) {                                                                              \
    return sl_left_##name(sub_group_reduce_##name(v), get_num_sub_groups());                                           \
  }                                                                                                                    \
  SL_FN T work_group_scan_inclusive_##name(T v) {                                                                      \
    T left = sl_left_##name(sub_group_reduce_##name(v), get_sub_group_id());                                           \
    return op(left, sub_group_scan_inclusive_##name(v));                                                               \
  }                                                                                                                    \
  SL_FN T work_group_scan_exclusive_##name(T v) {                                                                      \
    T left = sl_left_##name(sub_group_reduce_##name(v), get_sub_group_id());                                           \
    return op(left, sub_group_scan_exclusive_##name(v));                                                               \
  }
#define SL_WORK_GROUP(T, least, most)                                                                                  \
  SL_FN T work_group_broadcast(T v, size_t x, size_t y, size_t z) {                                                    \
    __local T *one = sl_scratch();                                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (get_local_id(0) == x && get_local_id(1) == y && get_local_id(2) == z)                                          \
      *one = v;                                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    return *one;                                                                                                       \
  }                                                                                                                    \
  SL_FN T work_group_broadcast(T v, size_t x, size_t y) { return work_group_broadcast(v, x, y, (size_t)0); }           \
  SL_FN T work_group_broadcast(T v, size_t x) { return work_group_broadcast(v, x, (size_t)0, (size_t)0); }             \
  SL_WORK_GROUP_OP(T, add, sl_add, 0)                                                                                  \
  SL_WORK_GROUP_OP(T, min, min, most)                                                                                  \
  SL_WORK_GROUP_OP(T, max, max, least)
SL_WORK_GROUP(int, INT_MIN, INT_MAX)
SL_WORK_GROUP(uint, 0, UINT_MAX)
SL_WORK_GROUP(long, LONG_MIN, LONG_MAX)
SL_WORK_GROUP(ulong, 0, ULONG_MAX)
SL_WORK_GROUP(float, -INFINITY, INFINITY)
SL_WORK_GROUP(double, -INFINITY, INFINITY)
SL_WORK_GROUP(half, -INFINITY, INFINITY)
SL_FN int work_group_all(int p) { return work_group_reduce_min(p != 0); }
SL_FN int work_group_any(int p) { return work_group_reduce_max(p != 0); }
