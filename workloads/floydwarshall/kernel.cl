/* A work-item for each pair of nodes, groups of 16 x 16; launched once for each node that paths may pass through. */
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
pass(__global uint *distances, __global uint *via, uint nodes, uint through) {
  uint x = get_global_id(0), y = get_global_id(1);
  uint old = distances[y * nodes + x],
       other = distances[y * nodes + through] + distances[through * nodes + x];
  if (other < old) {
    distances[y * nodes + x] = other;
    via[y * nodes + x] = through;
  }
}
