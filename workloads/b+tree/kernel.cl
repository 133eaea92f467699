/* Queries against a B+ tree of order 256: a work-group for each query, a work-item for each key of a node. All
 * keys of a node are compared at once, and the one work-item between whose key and the next the query lies
 * says where to go on. State of the descent lies in global memory, as does everything else. */
#define ORDER 256

struct node {
  int location;
  int child[ORDER + 1]; /* of a leaf: records */
  int key[ORDER + 1];   /* child i holds keys from key[i] to below key[i + 1]; INT_MAX where there is none */
  int leaf, keys;
};

/* One step down for one query. */
static void descend(__global const struct node *restrict nodes, __global int *offset, int nnodes,
                    int current, int query) {
  uint t = get_local_id(0);
  __global const struct node *n = nodes + current;
  if (n->key[t] <= query && n->key[t + 1] > query) {
    int next = n->child[t];
    if (next < nnodes)
      *offset = next;
  }
}

__kernel __attribute__((reqd_work_group_size(ORDER, 1, 1))) void
btree_find(int height, __global const struct node *restrict nodes, int nnodes,
           __global const int *restrict records, __global int *current, __global int *offset,
           __global const int *restrict queries, __global int *restrict answers) {
  uint t = get_local_id(0), b = get_group_id(0);
  for (int level = 0; level < height; level++) {
    descend(nodes, &offset[b], nnodes, current[b], queries[b]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t == 0)
      current[b] = offset[b];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (nodes[current[b]].key[t] == queries[b])
    answers[b] = records[nodes[current[b]].child[t]];
}

/* Both ends of a range at once: the first record, and how many there are. */
__kernel __attribute__((reqd_work_group_size(ORDER, 1, 1))) void
btree_range(int height, __global const struct node *restrict nodes, int nnodes,
            __global int *current, __global int *offset, __global int *last,
            __global int *offset2, __global const int *restrict start,
            __global const int *restrict end, __global int *first, __global int *length) {
  uint t = get_local_id(0), b = get_group_id(0);
  for (int level = 0; level < height; level++) {
    descend(nodes, &offset[b], nnodes, current[b], start[b]);
    descend(nodes, &offset2[b], nnodes, last[b], end[b]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t == 0) {
      current[b] = offset[b];
      last[b] = offset2[b];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (nodes[current[b]].key[t] == start[b])
    first[b] = nodes[current[b]].child[t];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (nodes[last[b]].key[t] == end[b])
    length[b] = nodes[last[b]].child[t] - first[b] + 1;
}
