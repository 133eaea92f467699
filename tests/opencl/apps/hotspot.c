/* A heat stencil in tiles with a halo in local memory, ping-pong over iterations. hotspot FOLDER [N] */
#include "host.h"

static const char *source =
    "#define IN(v, lo, hi) ((v) >= (lo) && (v) <= (hi))\n"
    "__kernel void heat(__global const float *power, __global const float *in, __global float *out, int n,\n"
    "                   float cap, float rx, float ry, float rz, float amb) {\n"
    "  __local float tile[BLOCK + 2][BLOCK + 2];\n"
    "  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);\n"
    "  for (int dy = ly; dy < BLOCK + 2; dy += BLOCK)\n"
    "    for (int dx = lx; dx < BLOCK + 2; dx += BLOCK) {\n"
    "      int gx = clamp((int)get_group_id(0) * BLOCK + dx - 1, 0, n - 1);\n"
    "      int gy = clamp((int)get_group_id(1) * BLOCK + dy - 1, 0, n - 1);\n"
    "      tile[dy][dx] = in[gy * n + gx];\n"
    "    }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (!IN(x, 0, n - 1) || !IN(y, 0, n - 1)) return;\n"
    "  float c = tile[ly + 1][lx + 1];\n"
    "  out[y * n + x] = c + cap * (power[y * n + x] +\n"
    "    (tile[ly + 2][lx + 1] + tile[ly][lx + 1] - 2.0f * c) * ry +\n"
    "    (tile[ly + 1][lx + 2] + tile[ly + 1][lx] - 2.0f * c) * rx + (amb - c) * rz);\n"
    "}\n";

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 96, iterations = 12;
  size_t all = (size_t)n * (size_t)n;
  float *temp = malloc(all * 4), *power = malloc(all * 4);
  srand(3);
  for (size_t i = 0; i < all; i++) {
    temp[i] = 320.0f + (float)(rand() % 1000) * 0.02f;
    power[i] = (float)(rand() % 100) * 1e-3f;
  }
  start();
  cl_program p = program_from(source, "-DBLOCK=16");
  cl_kernel k = kernel(p, "heat");
  cl_mem mp = buffer(all * 4, power), m[2] = {buffer(all * 4, temp), buffer(all * 4, NULL)};
  float cap = 0.5f, rx = 0.1f, ry = 0.12f, rz = 0.02f, amb = 80.0f;
  size_t local[2] = {16, 16}, global[2] = {((size_t)n + 15) / 16 * 16, ((size_t)n + 15) / 16 * 16};
  for (int i = 0; i < iterations; i++) {
    arg(k, 0, sizeof mp, &mp), arg(k, 1, sizeof m[0], &m[i & 1]), arg(k, 2, sizeof m[0], &m[~i & 1]);
    arg(k, 3, sizeof n, &n), arg(k, 4, 4, &cap), arg(k, 5, 4, &rx), arg(k, 6, 4, &ry), arg(k, 7, 4, &rz);
    arg(k, 8, 4, &amb);
    launch(k, 2, global, local);
  }
  fetch(m[iterations & 1], all * 4, temp);
  double sum = 0;
  for (size_t i = 0; i < all; i++)
    sum += temp[i];
  for (int i = 0; i < 8; i++)
    printf("%d\t%.5g\n", i * n / 8 * n + i, temp[i * n / 8 * n + i]);
  printf("mean %.5g\n", sum / (double)all);
  return 0;
}
