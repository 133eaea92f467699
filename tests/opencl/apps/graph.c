/* Page rank and colouring over a sparse graph in compressed rows, with a stop flag. graph FOLDER [NODES] */
#include "host.h"

static const char *source =
    "__kernel void rank(__global const int *row, __global const int *col, __global const int *out_degree,\n"
    "                   __global const float *old, __global float *new, int n) {\n"
    "  int t = get_global_id(0);\n"
    "  if (t >= n) return;\n"
    "  float sum = 0;\n"
    "  for (int i = row[t]; i < row[t + 1]; i++) sum += old[col[i]] / out_degree[col[i]];\n"
    "  new[t] = 0.15f / n + 0.85f * sum;\n"
    "}\n"
    "__kernel void colour(__global const int *row, __global const int *col, __global const int *weight,\n"
    "                     __global int *colours, __global int *stop, int c, int n) {\n"
    "  int t = get_global_id(0);\n"
    "  if (t >= n || (colours[t] != -1 && colours[t] != c)) return;\n"
    "  *stop = 1;\n"
    "  for (int i = row[t]; i < row[t + 1]; i++) {\n"
    "    int k = colours[col[i]];\n"
    "    if ((k == -1 || k == c) && weight[col[i]] > weight[t]) return;\n"
    "  }\n"
    "  colours[t] = c;\n"
    "}\n"
    "__kernel void finish(__global int *colours, __global int *left, int n) {\n"
    "  int t = get_global_id(0);\n"
    "  if (t < n && colours[t] == -1) atomic_inc(left);\n"
    "}\n";

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 1500, e = 0;
  size_t N = (size_t)n;
  int *row = malloc((N + 1) * 4), *col = malloc(N * 12 * 4), *degree = calloc(N, 4), *weight = malloc(N * 4),
      *colours = malloc(N * 4);
  float *rank = malloc(N * 4);
  unsigned seed = 12345;
  for (int i = 0; i < n; i++) {
    row[i] = e;
    for (int k = 0; k < i % 11 + 1; k++) {
      seed = seed * 1103515245u + 12345u;
      col[e++] = (int)(seed >> 8) % n < 0 ? 0 : (int)((seed >> 8) % (unsigned)n);
    }
    weight[i] = (int)((unsigned)i * 2654435761u >> 8);
    colours[i] = -1;
    rank[i] = 1.0f / (float)n;
  }
  row[n] = e;
  for (int i = 0; i < e; i++)
    degree[col[i]]++;
  for (int i = 0; i < n; i++)
    degree[i] = degree[i] ? degree[i] : 1;
  start();
  cl_program p = program_from(source, "-cl-std=CL1.2 -DUNUSED");
  cl_kernel kr = kernel(p, "rank"), kc = kernel(p, "colour"), kf = kernel(p, "finish");
  cl_mem mrow = buffer((N + 1) * 4, row), mcol = buffer((size_t)e * 4, col), mdeg = buffer(N * 4, degree),
         mw = buffer(N * 4, weight), mc = buffer(N * 4, colours),
         m[2] = {buffer(N * 4, rank), buffer(N * 4, NULL)}, mstop = buffer(4, NULL);
  size_t local = 128, global = (N + 127) / 128 * 128;
  for (int i = 0; i < 10; i++) {
    arg(kr, 0, sizeof mrow, &mrow), arg(kr, 1, sizeof mcol, &mcol), arg(kr, 2, sizeof mdeg, &mdeg);
    arg(kr, 3, sizeof m[0], &m[i & 1]), arg(kr, 4, sizeof m[0], &m[~i & 1]), arg(kr, 5, sizeof n, &n);
    launch(kr, 1, &global, &local);
  }
  fetch(m[0], N * 4, rank);
  float sum = 0, most = 0;
  for (int i = 0; i < n; i++) {
    sum += rank[i];
    most = rank[i] > most ? rank[i] : most;
  }
  printf("rank sum %.4f, most %.6f, first %.6f\n", sum, most, rank[0]);
  int zero = 0, left = n, c = 0;
  for (; left && c < 100; c++) {
    must(clEnqueueWriteBuffer(queue, mstop, CL_TRUE, 0, 4, &zero, 0, NULL, NULL), "write");
    arg(kc, 0, sizeof mrow, &mrow), arg(kc, 1, sizeof mcol, &mcol), arg(kc, 2, sizeof mw, &mw);
    arg(kc, 3, sizeof mc, &mc), arg(kc, 4, sizeof mstop, &mstop), arg(kc, 5, sizeof c, &c);
    arg(kc, 6, sizeof n, &n);
    launch(kc, 1, &global, &local);
    must(clEnqueueWriteBuffer(queue, mstop, CL_TRUE, 0, 4, &zero, 0, NULL, NULL), "write");
    arg(kf, 0, sizeof mc, &mc), arg(kf, 1, sizeof mstop, &mstop), arg(kf, 2, sizeof n, &n);
    launch(kf, 1, &global, &local);
    fetch(mstop, 4, &left);
  }
  fetch(mc, N * 4, colours);
  int uncoloured = 0;
  for (int i = 0; i < n; i++)
    uncoloured += colours[i] < 0;
  printf("without colour %d\n%s\n", uncoloured, uncoloured ? "FAILED" : "PASSED");
  return uncoloured != 0;
}
