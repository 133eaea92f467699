/* Breadth-first search by levels, one work-item for each node: a node of the frontier looks at all its
 * edges, so neighbours in memory walk lists of different lengths (un-coalesced loads of edges and marks). */
struct node {
  uint first, edges;
};

__kernel void bfs_expand(__global const struct node *restrict nodes, __global const uint *restrict to,
                         __global uchar *restrict frontier, __global uchar *restrict next,
                         __global const uchar *restrict visited, __global int *restrict cost, uint n) {
  uint i = get_global_id(0);
  if (i >= n || !frontier[i])
    return;
  frontier[i] = 0;
  struct node me = nodes[i];
  int level = cost[i] + 1;
  for (uint e = me.first; e < me.first + me.edges; e++) {
    uint neighbour = to[e];
    if (!visited[neighbour]) {
      cost[neighbour] = level;
      next[neighbour] = 1;
    }
  }
}

__kernel void bfs_advance(__global uchar *restrict frontier, __global uchar *restrict next,
                          __global uchar *restrict visited, __global uint *restrict more, uint n) {
  uint i = get_global_id(0);
  if (i >= n || !next[i])
    return;
  frontier[i] = 1;
  visited[i] = 1;
  next[i] = 0;
  *more = 1;
}
