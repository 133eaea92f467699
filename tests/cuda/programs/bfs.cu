// Breadth-first search: a loop on the host until a flag in device memory stays down.
#include "check.cuh"
#include <queue>
#include <vector>
struct Node {
  int starting, no_of_edges;
};
__global__ void step(Node *nodes, int *edges, bool *mask, bool *updating, bool *visited, int *cost, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n && mask[tid]) {
    mask[tid] = false;
    for (int i = nodes[tid].starting; i < nodes[tid].no_of_edges + nodes[tid].starting; i++)
      if (!visited[edges[i]]) {
        cost[edges[i]] = cost[tid] + 1;
        updating[edges[i]] = true;
      }
  }
}
__global__ void update(bool *mask, bool *updating, bool *visited, bool *over, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n && updating[tid]) {
    mask[tid] = visited[tid] = true;
    *over = true;
    updating[tid] = false;
  }
}
int main() {
  const int n = 3000;
  std::vector<Node> nodes(n);
  std::vector<int> edges, want(n, -1);
  srand(7);
  for (int i = 0; i < n; i++) {
    nodes[i] = {(int)edges.size(), 1 + rand() % 5};
    for (int k = 0; k < nodes[i].no_of_edges; k++)
      edges.push_back(rand() % n);
  }
  std::queue<int> q;
  q.push(0), want[0] = 0;
  while (!q.empty()) {
    int v = q.front();
    q.pop();
    for (int k = 0; k < nodes[v].no_of_edges; k++) {
      int u = edges[nodes[v].starting + k];
      if (want[u] < 0)
        want[u] = want[v] + 1, q.push(u);
    }
  }
  Node *dn;
  int *de, *dc;
  bool *mask, *updating, *visited, *over, go = true;
  OK(cudaMalloc(&dn, n * sizeof(Node)));
  OK(cudaMalloc(&de, edges.size() * sizeof(int)));
  OK(cudaMalloc(&dc, n * sizeof(int)));
  OK(cudaMalloc(&mask, n));
  OK(cudaMalloc(&updating, n));
  OK(cudaMalloc(&visited, n));
  OK(cudaMalloc(&over, 1));
  OK(cudaMemcpy(dn, nodes.data(), n * sizeof(Node), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(de, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
  OK(cudaMemset(dc, 0xff, n * sizeof(int)));
  OK(cudaMemset(mask, 0, n));
  OK(cudaMemset(updating, 0, n));
  OK(cudaMemset(visited, 0, n));
  int zero = 0;
  OK(cudaMemcpy(dc, &zero, 4, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(mask, &go, 1, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(visited, &go, 1, cudaMemcpyHostToDevice));
  while (go) {
    go = false;
    OK(cudaMemcpy(over, &go, 1, cudaMemcpyHostToDevice));
    step<<<(n + 511) / 512, 512>>>(dn, de, mask, updating, visited, dc, n);
    update<<<(n + 511) / 512, 512>>>(mask, updating, visited, over, n);
    OK(cudaMemcpy(&go, over, 1, cudaMemcpyDeviceToHost));
  }
  std::vector<int> got(n);
  OK(cudaMemcpy(got.data(), dc, n * sizeof(int), cudaMemcpyDeviceToHost));
  return finish(got == want);
}
