/* The plainest stream there is: a work-item for each integer loads it, adds and stores it back. The suite's
 * program overlaps this kernel with copies; the kernel itself is all that reaches the GPU's memory system. */
__kernel __attribute__((reqd_work_group_size(512, 1, 1))) void increment(__global int *data, int by) {
  data[get_global_id(0)] += by;
}
