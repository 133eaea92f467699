/* Copies by the whole work-group, for three-vectors: the others are in libclc. The work-items share the elements,
 * neighbours taking neighbouring ones; wait_group_events is a barrier. A three-vector occupies four elements. */
static size_t sl_local_linear_id(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

#define SL_ASYNC_ONE(T, TO, FROM)                                                                                      \
  SL_FN event_t async_work_group_strided_copy(TO T *to, const FROM T *from, size_t n, size_t stride, event_t event) {  \
    size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2);                                           \
    for (size_t i = sl_local_linear_id(); i < n; i += step)                                                            \
      to[SL_AT_##TO(i, stride)] = from[SL_AT_##FROM(i, stride)];                                                       \
    return event;                                                                                                      \
  }                                                                                                                    \
  SL_FN event_t async_work_group_copy(TO T *to, const FROM T *from, size_t n, event_t event) {                         \
    return async_work_group_strided_copy(to, from, n, (size_t)1, event);                                               \
  }
/* The stride is that of the global side. */
#define SL_AT___global(i, stride) (i) * (stride)
#define SL_AT___local(i, stride) (i)
#define SL_ASYNC(T)                                                                                                    \
  SL_ASYNC_ONE(T##3, __local, __global)                                                                                \
  SL_ASYNC_ONE(T##3, __global, __local)                                                                                \
  SL_FN void prefetch(const __global T##3 *p, size_t n) {}
SL_TYPES(SL_ASYNC)
