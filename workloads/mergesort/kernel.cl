/* sort_runs: groups of 512 sort runs of 1024 in local memory by merging, each element finding its place in
 * the other part by bisection. Then, for pairs of sorted runs of a length that doubles:
 *   rank_samples    every 128th element of either run, and how many of the other run come before it
 *   merge_limits    those ranks in order, for the first run and for the second: where pieces begin
 *   merge_pieces    groups of 128 merge the pieces, at most 128 + 128, in local memory
 * Of equal keys those of the first run go first. */
#define RUN    1024
#define SAMPLE 128

/* How many of n sorted values come before the key: those below it (lower), or not above it (upper). Steps halve
 * from a power of two that is n or more, without branches. The two address spaces need a copy each. */
#define BISECT(NAME, SPACE, BEFORE)                                                                          \
  static uint NAME(uint key, SPACE const uint *sorted, uint n, uint step) {                                  \
    uint low = 0;                                                                                            \
    if (n > 0)                                                                                               \
      for (; step > 0; step /= 2) {                                                                          \
        uint at = min(low + step, n);                                                                        \
        low = sorted[at - 1] BEFORE key ? at : low;                                                          \
      }                                                                                                      \
    return low;                                                                                              \
  }
BISECT(lower_local, __local, <)
BISECT(upper_local, __local, <=)
BISECT(lower_global, __global, <)
BISECT(upper_global, __global, <=)

__kernel __attribute__((reqd_work_group_size(RUN / 2, 1, 1))) void
sort_runs(__global uint *restrict out_keys, __global uint *restrict out_values,
          __global const uint *restrict in_keys, __global const uint *restrict in_values) {
  __local uint keys[RUN], values[RUN];
  uint me = get_local_id(0), first = get_group_id(0) * RUN + me;
  keys[me] = in_keys[first];
  keys[me + RUN / 2] = in_keys[first + RUN / 2];
  values[me] = in_values[first];
  values[me + RUN / 2] = in_values[first + RUN / 2];
  for (uint stride = 1; stride < RUN; stride *= 2) {
    uint at = me & (stride - 1), base = 2 * (me - at);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint ka = keys[base + at], va = values[base + at];
    uint kb = keys[base + stride + at], vb = values[base + stride + at];
    uint a = base + at + lower_local(ka, keys + base + stride, stride, stride);
    uint b = base + at + upper_local(kb, keys + base, stride, stride);
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[a] = ka;
    values[a] = va;
    keys[b] = kb;
    values[b] = vb;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out_keys[first] = keys[me];
  out_keys[first + RUN / 2] = keys[me + RUN / 2];
  out_values[first] = values[me];
  out_values[first + RUN / 2] = values[me + RUN / 2];
}

/* Of a pair's 2 * samples entries the first half are the first run's samples. */
__kernel void rank_samples(__global uint *restrict ranks_a, __global uint *restrict ranks_b,
                           __global const uint *restrict keys, uint length, uint n) {
  uint i = get_global_id(0), samples = length / SAMPLE;
  if (i >= n / SAMPLE / 2)
    return;
  uint s = i & (samples - 1), entry = 2 * (i - s);
  __global const uint *a = keys + entry * SAMPLE, *b = a + length;
  ranks_a[entry + s] = s * SAMPLE;
  ranks_b[entry + s] = lower_global(a[s * SAMPLE], b, length, length);
  ranks_b[entry + samples + s] = s * SAMPLE;
  ranks_a[entry + samples + s] = upper_global(b[s * SAMPLE], a, length, length);
}

/* Merges the two ascending halves of a pair's ranks. */
__kernel void merge_limits(__global uint *restrict limits, __global const uint *restrict ranks, uint length,
                           uint n) {
  uint i = get_global_id(0), samples = length / SAMPLE;
  if (i >= n / SAMPLE / 2)
    return;
  uint s = i & (samples - 1), entry = 2 * (i - s);
  __global const uint *a = ranks + entry, *b = a + samples;
  limits[entry + s + lower_global(a[s], b, samples, samples)] = a[s];
  limits[entry + s + upper_global(b[s], a, samples, samples)] = b[s];
}

__kernel __attribute__((reqd_work_group_size(SAMPLE, 1, 1))) void
merge_pieces(__global uint *restrict out_keys, __global uint *restrict out_values,
             __global const uint *restrict in_keys, __global const uint *restrict in_values,
             __global const uint *restrict limits_a, __global const uint *restrict limits_b, uint length) {
  __local uint a_keys[SAMPLE], b_keys[SAMPLE], keys[2 * SAMPLE], values[2 * SAMPLE];
  uint me = get_local_id(0), piece = get_group_id(0), pieces = 2 * length / SAMPLE;
  bool last = (piece & (pieces - 1)) == pieces - 1;
  uint a = limits_a[piece], na = (last ? length : limits_a[piece + 1]) - a;
  uint b = limits_b[piece], nb = (last ? length : limits_b[piece + 1]) - b;
  uint first = (piece - (piece & (pieces - 1))) * SAMPLE; /* of the pair of runs */
  uint ka = 0, va = 0, kb = 0, vb = 0;
  if (me < na) {
    ka = a_keys[me] = in_keys[first + a + me];
    va = in_values[first + a + me];
  }
  if (me < nb) {
    kb = b_keys[me] = in_keys[first + length + b + me];
    vb = in_values[first + length + b + me];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me < na) {
    uint at = me + lower_local(ka, b_keys, nb, SAMPLE);
    keys[at] = ka;
    values[at] = va;
  }
  if (me < nb) {
    uint at = me + upper_local(kb, a_keys, na, SAMPLE);
    keys[at] = kb;
    values[at] = vb;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = me; i < na + nb; i += SAMPLE) {
    out_keys[first + a + b + i] = keys[i];
    out_values[first + a + b + i] = values[i];
  }
}
