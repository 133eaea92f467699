/* Expected results of the kernels about control flow and warps. */
#include "expected.h"
#include <string.h>

static void work_queue(void) {
  static u32 out[4096];
  for (u32 i = 0; i < 4096; i++)
    for (u32 x = i; x > 1; out[i]++)
      x = x % 2 ? 3 * x + 1 : x / 2;
  save("work_queue", out, sizeof out);
}

static void grid_barrier(const char *name, u32 n, int rounds) {
  static u32 a[8192], b[8192];
  for (u32 i = 0; i < n; i++)
    a[i] = mix(i);
  for (int r = 0; r < rounds; r++) {
    for (u32 i = 0; i < n; i++)
      b[i] = a[i] + 3 * a[(i + (1u << r)) % n];
    memcpy(a, b, n * sizeof *a);
  }
  save(name, a, n * sizeof *a);
}

static void later_flag(void) {
  u32 value[129] = {0};
  for (int b = 127; b >= 0; b--)
    value[b] = value[b + 1] * 5 + (u32)b;
  save("later_flag", value, 128 * sizeof *value);
}

static void locks(void) {
  u32 lane[2] = {96 * 97 / 2 * 3, 96 * 3}; /* 3 CTAs of 96 threads */
  save("spin_lock_lane", lane, sizeof lane);
  u32 cta[8];
  for (u32 i = 0; i < 8; i++)
    cta[i] = i * (100 * 99 / 2) + 100;
  save("spin_lock_cta", cta, sizeof cta);
  u32 bucket[8] = {0};
  for (u32 t = 0; t < 128; t++) {
    bucket[mix(t) % 4]++;
    bucket[4 + mix(t) % 4] += t;
  }
  save("spin_lock_buckets", bucket, sizeof bucket);
}

static void nested(void) {
  u32 out[1024];
  for (u32 i = 0; i < 1024; i++) {
    u32 h = mix(i), acc = 1;
    switch (h % 4) {
    case 3:
      for (u32 k = 0; k < h / 16 % 8; k++) {
        acc = acc * 3 + k;
        acc = acc & 8 ? acc ^ h : acc & 16 ? acc + k * 8 : acc - 5;
      }
      acc++;
      break;
    case 1:
      acc += 100;
      if (h & 4)
        acc = (h & 8 ? acc * 7 : acc) ^ 0x55;
      acc++;
      break;
    default:
      for (int k = (int)(h / 256 % 32); k >= 0; k--) {
        acc = acc * 5 + 1;
        if (acc % 2)
          for (u32 j = 0; j < (u32)k % 4; j++)
            acc += j * (u32)k;
      }
    }
    out[i] = acc;
  }
  save("nested", out, sizeof out);
}

static u32 break_one(u32 i) {
  u32 h = mix(i), acc = 0;
  if (h % 11 == 3)
    return 0xdead0000u + i;
  for (u32 a = 0; a < 20; a++) {
    if ((h >> a % 16) % 4 == 1)
      continue;
    for (u32 b = 0; b <= h % 16 && acc <= 5000; b++)
      if ((b ^ a ^ i) % 3) {
        acc += a * b + 1;
        if (acc % 97 == 13)
          return acc + 0x10000;
        if (acc % 89 == 7)
          return acc;
      }
    if (acc % 31 == 30)
      return acc;
  }
  return acc;
}

static void breaks(void) {
  u32 out[1024];
  for (u32 i = 0; i < 1024; i++)
    out[i] = break_one(i);
  save("breaks", out, sizeof out);
}

static void switches(void) {
  u32 out[1024];
  for (u32 i = 0; i < 1024; i++) {
    u32 h = mix(i), s = 0, acc = 0;
    for (u32 k = 0; k < 12; k++) {
      if (s == 0)
        acc += 3, s = h % 8;
      else if (s == 1)
        acc ^= 0x1234, s = acc % 8;
      else if (s == 2 || s == 3)
        acc = (s == 2 ? acc * 3 : acc) + h / 65536, s = acc / 8 % 8;
      else if (s == 4)
        acc -= 77, s = 6;
      else if (s == 5)
        acc = acc * 2 + acc / 0x80000000u, s = h / 8 % 8;
      else if (s == 6)
        acc ^= h, s = acc % 9;
      else
        acc += k, s = k % 4;
      h = h * 32 + h / 0x8000000u;
    }
    out[i] = acc;
  }
  save("switches", out, sizeof out);
}

/* The struct of calls.cu as separate values. */
static void turned(u32 *a, u64 *b, unsigned char c[5], u32 by) {
  unsigned char old[5];
  memcpy(old, c, 5);
  *a += by;
  *b = *b * 3 + old[by % 4];
  for (u32 i = 0; i < 5; i++)
    c[i] = (unsigned char)(old[(i + by) % 5] + by);
}

static void calls(void) {
  u32 out[256];
  for (u32 i = 0; i < 256; i++) {
    u32 h = mix(i), acc = i + 3 * h + 35, a = h, x[6];
    u64 b = (u64)h << 20;
    unsigned char c[5] = {1, 2, (unsigned char)h, 4, (unsigned char)i};
    turned(&a, &b, c, 1);
    if (h % 2)
      turned(&a, &b, c, h % 8);
    else if (h & 2)
      acc = acc * 4 + 5;
    u32 n = 2 + h % 4;
    for (u32 k = 0; k < 6; k++)
      x[k] = (h >> k) + (k < n ? (n - 1 - k) * i : 0);
    for (u32 k = 0; k < 6; k++)
      acc = acc * 31 + x[k];
    acc ^= a + (u32)b + (u32)(b >> 32);
    for (u32 k = 0; k < 5; k++)
      acc = acc * 17 + c[k];
    acc += h % 1024 * 2 + 1;
    int narrow = (signed char)(h + i);
    acc += (u32)narrow;
    out[i] = acc;
  }
  save("calls", out, sizeof out);
}

static void recursion(void) {
  u64 out[128], fact[21] = {1}, fib[13] = {0, 1}, even[17] = {1}, odd[17] = {0};
  for (u32 n = 1; n < 21; n++)
    fact[n] = n * fact[n - 1];
  for (u32 n = 2; n < 13; n++)
    fib[n] = fib[n - 1] + fib[n - 2];
  for (u32 n = 1; n < 17; n++)
    even[n] = odd[n - 1] * 3, odd[n] = even[n - 1] + 2;
  for (u32 i = 0; i < 128; i++)
    out[i] = (fact[i % 21] + (i % 2 ? fib[i % 13] << 8 : 0)) ^ (u32)even[i % 17];
  save("recursion", out, sizeof out);
}

static void shuffles(void) {
  u32 out[128][10];
  for (u32 i = 0; i < 128; i++) {
    u32 l = i % 32, w = i - l, h = mix(i);
    out[i][0] = mix(w + 5);
    out[i][1] = mix(w + h % 32);
    out[i][2] = l >= 3 ? mix(i - 3) : h;
    out[i][3] = l + 7 < 32 ? mix(i + 7) : h;
    out[i][4] = mix(w + (l ^ 21));
    out[i][5] = l % 8 >= 2 ? mix(i - 2) : h;
    out[i][6] = l % 4 < 3 ? mix(i + 1) : h;
    out[i][7] = mix(w + l / 16 * 16 + (l + 9) % 16);
    out[i][8] = (u32)(((u64)mix(i ^ 1) << 16 | (l ^ 1)) >> 8);
    out[i][9] = 0;
    for (u32 k = 0; k < 32; k++)
      out[i][9] += mix(w + k);
  }
  save("shuffles", out, sizeof out);
}

static void votes(void) {
  u32 out[256][8];
  for (u32 i = 0; i < 256; i++) {
    u32 l = i % 32, w = i - l, ones = 0, twos = 0, any = 0, block = i / 64;
    for (u32 k = 0; k < 32; k++) {
      u32 h = mix(w + k);
      ones |= (h & 1) << k;
      any |= h % 40 == 0;
      if (k % 3 == 1)
        twos |= (h >> 1 & 1) << k;
    }
    out[i][0] = ones;
    out[i][1] = any;
    out[i][2] = !any;
    out[i][3] = block % 2 || ones == 0 || ones == ~0u;
    out[i][4] = l % 3 == 1 ? twos : 0;
    out[i][5] = l % 3 == 1 ? 11 : 21;
    out[i][6] = l % 3 == 1 ? mix(w + 31) : 1;
    out[i][7] = ~0u;
  }
  save("votes", out, sizeof out);
}

static void matches(void) {
  u32 out[256][8];
  for (u32 i = 0; i < 256; i++) {
    u32 w = i / 32 * 32, h = mix(i), block = i / 64, same = 1;
    u32 five = 0, four = 0, sum = 0, umax = 0, all = ~0u, any = 0, x = 0;
    s32 smin = INT32_MAX, smax = INT32_MIN;
    for (u32 k = 0; k < 32; k++) {
      u32 g = mix(w + k);
      five |= (u32)(g % 5 == h % 5) << k;
      four |= (u32)(g % 4 == h % 4) << k;
      same &= g % 2 == h % 2;
      sum += g;
      umax = g > umax ? g : umax;
      smin = (s32)g < smin ? (s32)g : smin;
      smax = (s32)g > smax ? (s32)g : smax;
      all &= g | 0xff00ff00u;
      any |= g & 0x0ff00ff0u;
      x ^= g;
    }
    same |= block % 2;
    u32 row[8] = {five, four, same ? ~0u ^ 1 : 0, sum, (u32)smin ^ umax, all ^ any, x, (u32)smax};
    memcpy(out[i], row, sizeof row);
  }
  save("matches", out, sizeof out);
}

static void warp_bars(void) {
  u32 h[64], out[64];
  for (u32 t = 0; t < 64; t++)
    h[t] = t % 32 < 16 ? mix(t) + mix(t ^ 1) : mix(t) - mix(t ^ 3);
  u32 g[64];
  for (u32 t = 0; t < 64; t++)
    g[t] = t % 32 < 16 ? h[t] ^ h[t ^ 15] : h[t];
  for (u32 t = 0; t < 64; t++)
    out[t] = g[t] + g[t ^ 31];
  save("warp_bars", out, sizeof out);
}

static void aggregate(void) {
  u32 out[1024] = {0}, n = 0;
  for (u32 i = 0; i < 1024; i++)
    if (mix(i) % 3 == 0)
      out[n++] = 1;
  save("aggregate", out, sizeof out);
  save("aggregate_count", &n, sizeof n);
}

static void barriers(void) {
  u32 p[32] = {0};
  for (u32 r = 0; r < 20; r++)
    for (u32 l = 0; l < 32; l++)
      p[l] = p[l] * 3 + mix(r * 32 + (l ^ 1));
  save("producer", p, sizeof p);

  /* Each step of the second half doubles what it adds: 2 per bit set in the distance summed. */
  u32 sum[2] = {0}, out[512];
  for (u32 t = 0; t < 128; t++) {
    sum[0] += mix(t);
    sum[1] += mix(128 + t) << __builtin_popcount(t);
  }
  for (u32 t = 0; t < 256; t++)
    out[t] = (t < 128 ? sum[1] : sum[0]) + t;
  save("named", out, 256 * sizeof *out);

  for (u32 b = 0; b < 4; b++) {
    u32 n = 0, hit = 0;
    for (u32 t = 0; t < 96; t++) {
      n += mix(b * 96 + t) % 3 == 0;
      hit |= mix(b * 96 + t) % 500 == b;
    }
    for (u32 t = 0; t < 96; t++)
      out[b * 96 + t] = n * 4 + hit * 2 + !hit;
  }
  save("reducing", out, 4 * 96 * sizeof *out);

  for (u32 t = 0; t < 128; t++)
    out[t] = t < 32 ? t + 96 : t < 64 ? t - 32 + 97 : 2 * (1000 + 63 - t % 32);
  save("split_code", out, 128 * sizeof *out);

  memset(out, 0, sizeof out);
  for (u32 t = 0; t < 256; t++) {
    u32 w = t / 32, u = t % 128;
    if (w == 0 || w == 2 || w == 6)
      out[t] = 2 * (u + 1 + u + 33);
  }
  save("early_exit", out, 256 * sizeof *out);

  for (u32 t = 0; t < 64; t++)
    out[t] = t % 3 == 2 ? 7 : 3 * ((t % 3 ? t - 1 : t + 1) % 64);
  save("part_exit", out, 64 * sizeof *out);
}

static void flow(void) {
  u32 out[64];
  for (u32 t = 0; t < 64; t++)
    out[t] = 101 * (t % 8 + 1) - (t & 8 ? 1 : 0);
  save("irreducible", out, sizeof out);
  for (u32 t = 0; t < 64; t++)
    out[t] = (t / 3 + 1) * 3;
  save("endless", out, sizeof out);
  for (u32 t = 0; t < 64; t++)
    out[t] = t % 4 == 0 ? 99 : t % 4 == 1 ? 11 : t % 4 + 20;
  save("exits", out, sizeof out);
}

static void lookback(void) {
  static u32 out[600 * 4];
  u32 sum = 0;
  for (u32 i = 0; i < 600 * 64; i++) {
    sum += mix(i) % 256;
    if (i % 16 == 0)
      out[i / 16] = sum;
  }
  save("lookback", out, sizeof out);
}

static void big_param(void) {
  u32 out[36];
  for (u32 i = 0; i < 36; i++) {
    out[i] = 0;
    for (u32 k = 0; k < 12; k++)
      out[i] = out[i] * 2 + k * k + (k == i % 12 ? i : 0);
  }
  save("big_param_copy", out, sizeof out);
  for (u32 i = 0; i < 36; i++)
    out[i] = i % 12 * (i % 12) * 3 / 2 + 7 + i % 3 - 3;
  save("big_param", out, sizeof out);
}

void expect_control(void) {
  flow();
  lookback();
  big_param();
  work_queue();
  grid_barrier("grid_barrier_64", 64 * 64, 6);
  grid_barrier("grid_barrier_256", 256 * 32, 4);
  later_flag();
  locks();
  nested();
  breaks();
  switches();
  calls();
  recursion();
  shuffles();
  votes();
  matches();
  warp_bars();
  aggregate();
  barriers();
}
