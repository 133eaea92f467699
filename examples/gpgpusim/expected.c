/* Results of gather, matmul and BFS, computed on the CPU from the definition of each and not from its
 * code; those of vecadd and transpose are stated by arithmetic in their launch files. Writes
 * NAME.expected.bin and prints the levels of the BFS.
 *
 *   cc -O2 -ffp-contract=off expected.c -o /tmp/expected && /tmp/expected .
 *
 * All sums below stay under 2^24, so any order of float additions gives the same bits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);

static uint32_t rnd(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 32);
}

static void reset(void) {
  state = UINT64_C(0x9E3779B97F4A7C15);
}

static void save(const char *dir, const char *name, const void *data, size_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.expected.bin", dir, name);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f) != 0) {
    perror(path);
    exit(1);
  }
}

static void gather(const char *dir) {
  enum { N = 16384, K = 8, TABLE = 1 << 22 };
  static float out[N];
  reset();
  for (int k = 0; k < K; k++)
    for (int i = 0; i < N; i++)
      out[i] += (float)((rnd() % TABLE) & 255);
  save(dir, "gather_16K", out, sizeof out);
}

static void matmul(const char *dir) {
  enum { N = 128 };
  static int a[N][N], b[N][N];
  static float c[N][N];
  reset();
  for (int i = 0; i < N * N; i++)
    a[i / N][i % N] = (int)(rnd() % 7);
  for (int i = 0; i < N * N; i++)
    b[i / N][i % N] = (int)(rnd() % 5);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = (float)sum;
    }
  save(dir, "matmul_128", c, sizeof c);
}

/* With a queue, where the kernel sweeps all vertices once per level. */
static void bfs(const char *dir) {
  enum { N = 16384, DEGREE = 8 };
  static int32_t col[N * DEGREE], dist[N], queue[N];
  reset();
  for (int e = 0; e < N * DEGREE; e++)
    col[e] = (int32_t)(rnd() % N);
  for (int v = 1; v < N; v++)
    dist[v] = -1;
  int head = 0, tail = 1, width[64] = {0};
  while (head < tail) {
    int v = queue[head++];
    width[dist[v]]++;
    for (int k = 0; k < DEGREE; k++) {
      int u = col[v * DEGREE + k];
      if (dist[u] < 0) {
        dist[u] = dist[v] + 1;
        queue[tail++] = u;
      }
    }
  }
  save(dir, "bfs_16K", dist, sizeof dist);
  int levels = 0;
  for (; width[levels]; levels++)
    printf("bfs level %d: %d vertices\n", levels, width[levels]);
  printf("%d of %d reached, %d launches\n", tail, N, levels);
}

int main(int argc, char **argv) {
  const char *dir = argc > 1 ? argv[1] : ".";
  gather(dir);
  matmul(dir);
  bfs(dir);
  return 0;
}
