// range: 1 256 64
// Breadth-first levels over a graph held in structures, with byte masks, and colouring by random priorities.
typedef struct {
  int start, edges;
} Node;

#define WORST 0x7fffffff

static inline Node node_of(global const int *in, int v, int n) {
  Node r;
  r.start = (in[v] & 0x3ff) % (n - 8);
  r.edges = 1 + (in[v] >> 10 & 7);
  return r;
}

kernel void graph(global const int *in, global const float *fin, global int *out, global float *fout, const int n) {
  int tid = get_global_id(0);
  local uchar visited[256];
  local bool go_on;
  local int cost[256];
  visited[get_local_id(0)] = 0;
  if (tid >= n)
    return;
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) {
    visited[i] = i % 37 == 5;
    cost[i] = visited[i] ? 0 : -1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int level = 0;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
      go_on = false;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int v = get_local_id(0); v < 256; v += get_local_size(0)) {
      if (cost[v] != level)
        continue;
      Node me = node_of(in, v, n);
      for (int e = me.start; e < me.start + me.edges; e++) {
        int to = abs(in[e]) % 256;
        if (!visited[to]) {
          visited[to] = 1;
          cost[to] = level + 1;
          go_on = true;
        }
      }
    }
    level++;
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (go_on && level < 40);
  int lowest = WORST, colour = -1;
  Node me = node_of(in, tid, n);
  for (int e = 0; e < me.edges; ++e) {
    int p = in[(me.start + e) % n] & 0xffff;
    lowest = p < lowest ? p : lowest;
  }
  colour = lowest == WORST ? -2 : (in[tid] & 0xffff) < lowest;
  out[tid] = cost[tid] * 100 + colour + 1000 * level;
  fout[tid] = fin[tid] * (float)me.edges;
}
