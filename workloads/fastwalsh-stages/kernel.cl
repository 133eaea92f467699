/* A work-item for each pair, groups of 256, one level to a launch: all data go through global memory each time. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void walsh(__global float *data, uint step) {
  uint i = get_global_id(0), low = i % step, at = 2 * (i - low) + low;
  float a = data[at], b = data[at + step];
  data[at] = a + b;
  data[at + step] = a - b;
}
