/* Expected results of the OpenCL kernels. */
#include "expected.h"
#include <math.h>
#include <string.h>

/* The launch files' xorshift64 fill. */
static u32 draw(u64 *x) {
  *x ^= *x << 13;
  *x ^= *x >> 7;
  *x ^= *x << 17;
  return (u32)(*x >> 32);
}

static void cl_lookup(void) {
  u32 out[256];
  for (u32 i = 0; i < 256; i++)
    out[i] = (7 + 13 * (mix(i) % 50)) * 2 + 7 + 13 * (i % 50);
  save("cl_lookup", out, sizeof out);
}

static void cl_reduce(void) {
  u32 out[4] = {0};
  for (u32 i = 0; i < 5000; i++)
    out[i % 512 / 128] += mix(i);
  save("cl_reduce", out, sizeof out);
}

static void cl_transpose(void) {
  u32 out[40][24];
  for (u32 y = 0; y < 24; y++)
    for (u32 x = 0; x < 40; x++)
      out[x][y] = y * 40 + x;
  save("cl_transpose", out, sizeof out);
}

static void cl_vectors(void) {
  u32 out[64][4];
  for (u32 i = 0; i < 64; i++) {
    u32 b = i * 4;
    out[i][3] = b + (2 * i - 64) + 16 * i;
    out[i][2] = (b + 1) * 10 + (2 * i + 1 - 64) + 8 * i;
    out[i][1] = (b + 2) * 100 + 4 * i;
    out[i][0] = (b + 3) * 1000 + 2 * i;
  }
  save("cl_vectors", out, sizeof out);
}

static void cl_bfs(void) {
  static s32 edge[4096], depth[1024], queue[1024];
  u64 x = 0x9E3779B97F4A7C15u;
  for (u32 i = 0; i < 4096; i++)
    edge[i] = (s32)(draw(&x) % 1024);
  memset(depth, -1, sizeof depth);
  u32 head = 0, tail = 1;
  depth[0] = 0;
  for (; head < tail; head++)
    for (u32 k = 0; k < 4; k++) {
      s32 j = edge[queue[head] * 4 + (s32)k];
      if (depth[j] < 0 && depth[queue[head]] < 8) {
        depth[j] = depth[queue[head]] + 1;
        queue[tail++] = j;
      }
    }
  save("cl_bfs", depth, sizeof depth);
}

static void cl_histogram(void) {
  u32 bin[256] = {0};
  u64 x = 42;
  for (u32 i = 0; i < 10000; i++)
    bin[draw(&x) % 256]++;
  save("cl_histogram", bin, sizeof bin);
}

static void cl_nbody(void) {
  double p[64][4];
  float out[64][4];
  for (u32 i = 0; i < 256; i++)
    p[i / 4][i % 4] = (float)fmod(0.37 * i, 5.0);
  for (u32 i = 0; i < 64; i++)
    for (u32 c = 0; c < 4; c++) {
      double f = 0;
      for (u32 j = 0; j < 64; j++) {
        double r2 = 0.5;
        for (u32 k = 0; k < 3; k++)
          r2 += (p[j][k] - p[i][k]) * (p[j][k] - p[i][k]);
        f += (p[j][c] - p[i][c]) / (r2 * sqrt(r2));
      }
      out[i][c] = (float)f;
    }
  save("cl_nbody", out, sizeof out);
}

static s32 clamp(s32 v, s32 most) {
  return v < 0 ? 0 : v > most ? most : v;
}

static void cl_blur(void) {
  static s32 in[20][50], out[20][50];
  u64 x = 7;
  for (u32 i = 0; i < 1000; i++)
    in[i / 50][i % 50] = (s32)(draw(&x) % 256);
  for (s32 y = 0; y < 20; y++)
    for (s32 c = 0; c < 50; c++) {
      s32 s = 0;
      for (s32 k = 0; k < 9; k++)
        s += (k % 3 == 1 ? 2 : 1) * (k / 3 == 1 ? 2 : 1) *
             in[clamp(y + k / 3 - 1, 19)][clamp(c + k % 3 - 1, 49)];
      out[y][c] = s / 16;
    }
  save("cl_blur", out, sizeof out);
}

/* A grid of 2 x 2 blocks of 3 x 2 threads: both linear numbers, 100 per dimension and the height of a block. */
static void declared(void) {
  u32 out[24][3];
  for (u32 i = 0; i < 24; i++) {
    out[i][0] = i;
    out[i][1] = i / 6 % 2 * 3 + i % 6 % 3;
    out[i][2] = 202;
  }
  save("declared", out, sizeof out);
}

void expect_cl(void) {
  declared();
  cl_lookup();
  cl_reduce();
  cl_transpose();
  cl_vectors();
  cl_bfs();
  cl_histogram();
  cl_nbody();
  cl_blur();
}
