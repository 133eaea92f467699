/* Sub-groups: warps, of 32 work-items at most (a wavefront of 64 is two of them), counted along the work-group. */
static uint sl_width(void) {
  uint w;
  __asm__("mov.u32 %0, WARP_SZ;" : "=r"(w));
  return min(w, 32u);
}
static uint sl_items(void) { return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); }

SL_FN uint get_max_sub_group_size(void) { return min(sl_width(), sl_items()); }
SL_FN uint get_num_sub_groups(void) { return (sl_items() + sl_width() - 1) / sl_width(); }
SL_FN uint get_enqueued_num_sub_groups(void) { return get_num_sub_groups(); }
SL_FN uint get_sub_group_id(void) { return (uint)get_local_linear_id() / sl_width(); }
SL_FN uint get_sub_group_local_id(void) { return (uint)get_local_linear_id() % sl_width(); }
SL_FN uint get_sub_group_size(void) { return min(sl_width(), sl_items() - get_sub_group_id() * sl_width()); }

SL_FN void sub_group_barrier(cl_mem_fence_flags flags) {
  __nvvm_membar_cta();
  __nvvm_bar_warp_sync(0xffffffffu);
}
SL_FN void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  sl_fence(scope);
  __nvvm_bar_warp_sync(0xffffffffu);
}
SL_FN int sub_group_all(int p) { return __nvvm_vote_all_sync(0xffffffffu, p != 0); }
SL_FN int sub_group_any(int p) { return __nvvm_vote_any_sync(0xffffffffu, p != 0); }

/* A value from another lane: `how` is idx or up. Wider ones go in halves, narrower ones as 32 bits. */
#define SL_SHUFFLE(how, c)                                                                                             \
  SL_FN int sl_##how(int v, uint lane) { return __nvvm_shfl_sync_##how##_i32(0xffffffffu, v, (int)lane, c); }          \
  SL_FN uint sl_##how(uint v, uint lane) { return as_uint(sl_##how(as_int(v), lane)); }                                \
  SL_FN float sl_##how(float v, uint lane) { return as_float(sl_##how(as_int(v), lane)); }                             \
  SL_FN long sl_##how(long v, uint lane) {                                                                             \
    int2 h = as_int2(v);                                                                                               \
    return as_long((int2)(sl_##how(h.x, lane), sl_##how(h.y, lane)));                                                  \
  }                                                                                                                    \
  SL_FN ulong sl_##how(ulong v, uint lane) { return as_ulong(sl_##how(as_long(v), lane)); }                            \
  SL_FN double sl_##how(double v, uint lane) { return as_double(sl_##how(as_long(v), lane)); }                         \
  SL_FN half sl_##how(half v, uint lane) { return as_half((ushort)sl_##how((int)as_ushort(v), lane)); }
SL_SHUFFLE(idx, 31)
SL_SHUFFLE(up, 0)

SL_FN int sl_add(int a, int b) { return a + b; }
SL_FN uint sl_add(uint a, uint b) { return a + b; }
SL_FN long sl_add(long a, long b) { return a + b; }
SL_FN ulong sl_add(ulong a, ulong b) { return a + b; }
SL_FN float sl_add(float a, float b) { return a + b; }
SL_FN double sl_add(double a, double b) { return a + b; }
SL_FN half sl_add(half a, half b) { return a + b; }

/* A reduction is what the last lane of an inclusive scan has. */
#define SL_SUB_GROUP_OP(T, name, op, none)                                                                             \
  SL_FN T sub_group_scan_inclusive_##name(T v) {                                                                       \
    for (uint d = 1; d < 32; d *= 2) {                                                                                 \
      T left = sl_up(v, d);                                                                                            \
      v = get_sub_group_local_id() >= d ? op(left, v) : v;                                                             \
    }                                                                                                                  \
    return v;                                                                                                          \
  }                                                                                                                    \
  SL_FN T sub_group_scan_exclusive_##name(T v) {                                                                       \
    T left = sl_up(sub_group_scan_inclusive_##name(v), 1);                                                             \
    return get_sub_group_local_id() ? left : (T)(none);                                                                \
  }                                                                                                                    \
  SL_FN T sub_group_reduce_##name(T v) {                                                                               \
    return sl_idx(sub_group_scan_inclusive_##name(v), get_sub_group_size() - 1);                                       \
  }
#define SL_SUB_GROUP(T, least, most)                                                                                   \
  SL_FN T sub_group_broadcast(T v, uint lane) { return sl_idx(v, lane); }                                              \
  SL_SUB_GROUP_OP(T, add, sl_add, 0)                                                                                   \
  SL_SUB_GROUP_OP(T, min, min, most)                                                                                   \
  SL_SUB_GROUP_OP(T, max, max, least)
SL_SUB_GROUP(int, INT_MIN, INT_MAX)
SL_SUB_GROUP(uint, 0, UINT_MAX)
SL_SUB_GROUP(long, LONG_MIN, LONG_MAX)
SL_SUB_GROUP(ulong, 0, ULONG_MAX)
SL_SUB_GROUP(float, -INFINITY, INFINITY)
SL_SUB_GROUP(double, -INFINITY, INFINITY)
SL_SUB_GROUP(half, -INFINITY, INFINITY)
