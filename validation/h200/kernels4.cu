// The fourth set of kernels on which the timing model is compared with a card: everyday CUDA, one size of each, written before any of them
// was run on the model, and grouped by what is expected to limit them. Branches, local arrays, calls and dependent chains are used in as
// many ways as we could think of, for in the classes divergent and latency the third set has kernels that are far off. `kernels4.ptx` is
// made from this file (nvcc -O3 -arch=compute_90 -ptx); the launch files in kernels4/ name sizes and inputs.
#include <cstdint>
#include <cuda_fp16.h>
#define GLOBAL extern "C" __global__ void
typedef unsigned long long u64;
__device__ __forceinline__ int gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ int threads_of_grid() {
  return gridDim.x * blockDim.x;
}
__device__ __forceinline__ uint32_t mix(uint32_t v) { // a hash of an integer
  v = (v ^ v >> 16) * 0xa3d8f125u;
  v = (v ^ v >> 13) * 0x5c9e1b73u;
  return v ^ v >> 16;
}
__device__ __forceinline__ uint32_t xorshift(uint32_t &s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}
__device__ __forceinline__ float unit(uint32_t v) { // from 0 to 1
  return (float)(v >> 8) * (1.0f / 16777216.0f);
}

// ---- divergent ----------------------------------------------------------------------------------------------------------
GLOBAL quadtree_range(const uint8_t *__restrict__ children, uint32_t *__restrict__ out, int depth) {
  // Cells of a quadtree inside or at the edge of a rectangle; a node is its level and place.
  uint32_t stack[40], h = mix(gid()), top = 0, inside = 0, edge = 0;
  int span = 1 << depth, x0 = h & (span - 1), y0 = h >> 10 & (span - 1), x1 = x0 + 8 + (h >> 20 & 31),
      y1 = y0 + 8 + (h >> 25 & 31);
  stack[top++] = 0;
  while (top) {
    uint32_t node = stack[--top];
    int level = node >> 24, x = node >> 12 & 4095, y = node & 4095, size = span >> level;
    int left = x * size, low = y * size;
    if (left >= x1 || low >= y1 || left + size <= x0 || low + size <= y0)
      continue;
    if (left >= x0 && low >= y0 && left + size <= x1 && low + size <= y1) {
      inside += size * size;
      continue;
    }
    if (level == depth)
      continue;
    edge++;
    uint32_t has = children[((1u << 2 * level) - 1) / 3 + (y << level) + x];
    for (int k = 0; k < 4; k++)
      if (has >> k & 17) // most nodes have most children
        stack[top++] = (level + 1) << 24 | (2 * x + (k & 1)) << 12 | (2 * y + (k >> 1));
  }
  out[gid()] = inside << 12 | edge;
}
GLOBAL sphere_tree(const float4 *__restrict__ sphere, uint32_t *__restrict__ out, int nodes) {
  // A ray through a hierarchy of spheres; the nearer child first.
  uint32_t h = mix(gid() + 3);
  float ox = unit(h), oy = unit(mix(h)), dx = unit(mix(h + 1)) - 0.5f, dy = unit(mix(h + 2)) - 0.5f,
        dz = 1.0f;
  float k = rsqrtf(dx * dx + dy * dy + dz * dz), best = 4.0f;
  dx *= k, dy *= k, dz *= k;
  int stack[24], top = 0, visits = 0, hit = -1;
  stack[top++] = 1;
  while (top) {
    int n = stack[--top];
    float4 s = sphere[n];
    float scale = 1.2f * rsqrtf((float)n), px = s.x - ox, py = s.y - oy, pz = s.z;
    float along = px * dx + py * dy + pz * dz, away = px * px + py * py + pz * pz - along * along;
    visits++;
    if (away > scale * scale * s.w || along - scale > best)
      continue;
    if (2 * n >= nodes) {
      if (along < best)
        best = along, hit = n;
      continue;
    }
    int first = dx > 0 ? 1 : 0;
    stack[top++] = 2 * n + first;
    stack[top++] = 2 * n + 1 - first;
  }
  out[gid()] = (uint32_t)(hit + 1) << 12 | visits;
}
GLOBAL kd_nearest(const float2 *__restrict__ jitter, uint32_t *__restrict__ out, int levels) {
  // The nearest point; each cell of a square grid has one, cells are halved along x and y in turn.
  uint32_t h = mix(gid() * 3 + 1), node[20], at = 1;
  float wall[20], side = (float)(1 << levels / 2), qx = unit(h) * side, qy = unit(mix(h)) * side,
                  best = 1e30f;
  int top = 0;
  uint32_t found = 0;
  node[top] = 1, wall[top++] = 0;
  while (top) {
    at = node[--top];
    if (wall[top] >= best)
      continue;
    int level = 31 - __clz(at);
    while (level < levels) {
      uint32_t x = 0, y = 0; // the node's cell, from its bits
      for (int k = level - 1; k >= 0; k--)
        if ((level - 1 - k) & 1)
          y = 2 * y + (at >> k & 1);
        else
          x = 2 * x + (at >> k & 1);
      float split, q;
      if (level & 1)
        split = ((float)y + 0.5f) * (float)(1 << (levels / 2 - level / 2)), q = qy;
      else
        split = ((float)x + 0.5f) * (float)(1 << (levels / 2 - level / 2)), q = qx;
      uint32_t right = q >= split;
      node[top] = 2 * at + 1 - right, wall[top++] = (q - split) * (q - split);
      at = 2 * at + right;
      level++;
    }
    uint32_t x = 0, y = 0, leaf = at - (1u << levels);
    for (int k = levels - 2; k >= 0; k -= 2)
      x = 2 * x + (leaf >> (k + 1) & 1), y = 2 * y + (leaf >> k & 1);
    float2 j = jitter[leaf];
    float ex = (float)x + j.x - qx, ey = (float)y + j.y - qy, d = ex * ex + ey * ey;
    if (d < best)
      best = d, found = leaf;
  }
  out[gid()] = found;
}
GLOBAL trie_words(const uint32_t *__restrict__ next, const uint32_t *__restrict__ text,
                  uint32_t *__restrict__ out, uint32_t mask, int words) {
  uint32_t found = 0, bits = 0, left = 0;
  int used = 0;
  while (used < words) {
    uint32_t node = 0;
    for (;;) {
      if (!left) {
        if (used == words)
          break;
        bits = text[(size_t)used++ * threads_of_grid() + gid()];
        left = 16;
      }
      uint32_t v = next[(node & mask) * 4 + (bits & 3)];
      bits >>= 2, left--;
      if ((v & 3) == 0) { // no such child
        found += v >> 2 & 1;
        break;
      }
      node = v >> 3;
    }
  }
  out[gid()] = found;
}
GLOBAL probe_until_empty(const uint32_t *__restrict__ table, const uint32_t *__restrict__ key,
                         uint32_t *__restrict__ out, uint32_t mask, int keys) {
  uint32_t found = 0, steps = 0;
  for (int k = 0; k < keys; k++) {
    uint32_t want = key[k * threads_of_grid() + gid()], at = mix(want) & mask;
    for (;;) {
      uint32_t v = table[at];
      steps++;
      if ((v & 7) == 0) // an empty place
        break;
      if (((v ^ want) & 0xfc0) == 0) {
        found++;
        break;
      }
      at = (at + 1) & mask;
    }
  }
  out[gid()] = found << 16 | steps;
}
GLOBAL skip_lists(const uint32_t *__restrict__ noise, uint32_t *__restrict__ out, uint32_t n, int queries) {
  uint32_t sum = 0,
           s = mix(gid()) | 1; // node i is on as many levels as it ends in zeros; keys are about 16 i
  for (int q = 0; q < queries; q++) {
    uint32_t want = __umulhi(xorshift(s), 16 * n), at = 0, level = 31 - __clz(n - 1);
    for (;;) {
      uint32_t to = at + (1u << level);
      if (to < n && (16 * to + (noise[to] & 15)) <= want)
        at = to;
      else if (level == 0)
        break;
      else
        level--;
    }
    sum += at;
  }
  out[gid()] = sum;
}
GLOBAL knuth_morris_pratt(const uint32_t *__restrict__ text, uint32_t *__restrict__ out, int words) {
  uint8_t pattern[12], fail[13];
  uint32_t h = mix(gid() / 2), found = 0;
  int length = 3 + (gid() & 7), k = 0;
  for (int i = 0; i < length; i++)
    pattern[i] = h >> i & 1;
  fail[0] = 0, fail[1] = 0;
  for (int i = 1; i < length; i++) {
    while (k && pattern[i] != pattern[k])
      k = fail[k];
    if (pattern[i] == pattern[k])
      k++;
    fail[i + 1] = k;
  }
  k = 0;
  for (int w = 0; w < words; w++) {
    uint32_t bits = text[(gid() / 32 * words + w)];
    for (int b = 0; b < 32; b++) {
      uint8_t c = bits >> b & 1;
      while (k && (k == length || pattern[k] != c))
        k = fail[k];
      if (pattern[k] == c)
        k++;
      if (k == length)
        found++;
    }
  }
  out[gid()] = found;
}
GLOBAL glob_match(const uint32_t *__restrict__ text, uint32_t *__restrict__ out, int names) {
  uint8_t glob[10]; // letters 0 to 3, 4 for any letter, 5 for any string
  uint32_t h = mix(gid() + 77), good = 0;
  int length = 4 + (h >> 28) % 7;
  for (int i = 0; i < length; i++, h /= 6)
    glob[i] = h % 6;
  for (int k = 0; k < names; k++) {
    uint32_t name = text[k * threads_of_grid() + gid()];
    int letters = 6 + (name >> 28) % 9, s = 0, p = 0, star = -1, back = 0;
    bool fits = true;
    while (s < letters) {
      uint8_t c = name >> 2 * s & 3, g = p < length ? glob[p] : 6;
      if (g == 5) {
        star = p++, back = s;
      } else if (g == c || g == 4) {
        p++, s++;
      } else if (star >= 0) {
        p = star + 1, s = ++back;
      } else {
        fits = false;
        break;
      }
    }
    while (fits && p < length && glob[p] == 5)
      p++;
    good += fits && p == length;
  }
  out[gid()] = good;
}
GLOBAL edit_bounded(const u64 *__restrict__ word, uint32_t *__restrict__ out, int n, int limit) {
  // Words of 6 to 21 letters; given up where no entry of a row is within the limit.
  uint8_t row[24];
  u64 a = word[gid()], b = word[(gid() * 5 + 3) % n];
  int la = 6 + (a >> 60), lb = 6 + (b >> 60), result = limit + 1;
  if (abs(la - lb) > limit) {
    out[gid()] = result;
    return;
  }
  for (int j = 0; j <= lb; j++)
    row[j] = j;
  int i = 1;
  for (; i <= la; i++) {
    int first = max(1, i - limit), diagonal = row[first - 1], least = i <= limit ? i : 99,
        ca = a >> 2 * i & 3;
    row[0] = i;
    for (int j = first; j <= min(lb, i + limit); j++) {
      int up = j == i + limit ? 99 : row[j], left = j == i - limit ? 99 : row[j - 1];
      int cost = ca == (int)(b >> 2 * j & 3) ? diagonal : 1 + min(diagonal, min(up, left));
      diagonal = row[j];
      row[j] = cost;
      least = min(least, cost);
    }
    if (least > limit)
      break;
  }
  if (i > la)
    result = min((int)row[lb], limit + 1);
  out[gid()] = result;
}
GLOBAL lz_decode(const uint32_t *__restrict__ token, uint32_t *__restrict__ out, int bytes) {
  uint8_t window[256]; // a token is a letter, or a distance and a length
  uint32_t sum = 0;
  int at = 0;
  for (int k = 0; at < bytes; k++) {
    uint32_t t = token[k * threads_of_grid() + gid()];
    if (t & 1 || at < 4) {
      window[at & 255] = t >> 8;
      sum = sum * 31 + (t >> 8 & 255);
      at++;
      continue;
    }
    int far = 1 + (t >> 1) % min(at, 255), length = 3 + (t >> 20 & 15);
    for (int i = 0; i < length && at < bytes; i++, at++) {
      uint8_t c = window[(at - far) & 255];
      window[at & 255] = c;
      sum = sum * 31 + c;
    }
  }
  out[gid()] = sum;
}
GLOBAL run_lengths(const uint8_t *__restrict__ run, uint8_t *__restrict__ out, int pairs) {
  uint8_t *to = out + (size_t)gid() * 128;
  int at = 0;
  for (int k = 0; k < pairs && at < 128; k++) {
    uint8_t length = run[(size_t)gid() * pairs * 2 + 2 * k],
            value = run[(size_t)gid() * pairs * 2 + 2 * k + 1];
    length = length & 128 ? 1 : 1 + (length & 31);
    for (int i = 0; i < length && at < 128; i++)
      to[at++] = value;
  }
  while (at < 128)
    to[at++] = 0;
}
GLOBAL prefix_codes(const uint32_t *__restrict__ stream, const uint8_t *__restrict__ symbol,
                    uint32_t *__restrict__ out, int words) { // leading ones say how many bits follow
  u64 buffer = 0;
  uint32_t sum = 0, count = 0;
  int left = 0, used = 0;
  for (;;) {
    while (left <= 32 && used < words) {
      buffer |= (u64)stream[(size_t)used++ * threads_of_grid() + gid()] << (32 - left);
      left += 32;
    }
    int ones = __clz(~(uint32_t)(buffer >> 32));
    ones = min(ones, 7);
    int bits = ones + 1 + (ones < 2 ? 1 : ones < 4 ? 3 : 5);
    if (bits > left)
      break;
    uint32_t code = (uint32_t)(buffer >> (64 - bits)) & 31;
    sum = sum * 17 + symbol[ones * 32 + code];
    count++;
    buffer <<= bits;
    left -= bits;
  }
  out[gid()] = sum ^ count << 24;
}
GLOBAL utf8_decode(const uint8_t *__restrict__ text, uint32_t *__restrict__ out, int bytes) {
  uint32_t points = 0, bad = 0, sum = 0;
  const uint8_t *p = text + (size_t)gid() * bytes, *end = p + bytes;
  while (p < end) {
    uint8_t c = *p++;
    if (c < 0x80) {
      sum += c;
      points++;
      continue;
    }
    int more;
    uint32_t v;
    if (c < 0xc2) {
      bad++;
      continue;
    } else if (c < 0xe0)
      more = 1, v = c & 31;
    else if (c < 0xf0)
      more = 2, v = c & 15;
    else if (c < 0xf5)
      more = 3, v = c & 7;
    else {
      bad++;
      continue;
    }
    while (more && p < end && (*p & 0xc0) == 0x80)
      v = v << 6 | (*p++ & 63), more--;
    if (more)
      bad++;
    else
      sum += v, points++;
  }
  out[gid()] = sum ^ points << 20 ^ bad << 10;
}
GLOBAL parse_numbers(const uint8_t *__restrict__ text, float *__restrict__ out, int bytes) {
  const uint8_t *p = text + (size_t)gid() * bytes, *end = p + bytes; // letters 0 to 9, point, sign, e, comma
  float sum = 0;
  while (p < end) {
    bool minus = false, any = false;
    float v = 0;
    if (*p == 11)
      minus = true, p++;
    while (p < end && *p < 10)
      v = v * 10.0f + (float)*p++, any = true;
    if (p < end && *p == 10) {
      float place = 0.1f;
      p++;
      while (p < end && *p < 10)
        v += (float)*p++ * place, place *= 0.1f, any = true;
    }
    if (any && p < end && *p == 12) {
      p++;
      int e = 0;
      while (p < end && *p < 10)
        e = min(e * 10 + *p++, 6);
      for (; e > 0; e--)
        v *= 0.25f;
    }
    if (any)
      sum += fminf(minus ? -v : v, 1e6f);
    else
      p++; // a comma, or a letter out of place
  }
  out[gid()] = sum;
}
GLOBAL format_numbers(const uint32_t *__restrict__ a, uint8_t *__restrict__ out, int numbers) {
  uint8_t *to = out + (size_t)gid() * numbers * 12, digits[12];
  int at = 0;
  for (int k = 0; k < numbers; k++) {
    uint32_t v = a[k * threads_of_grid() + gid()];
    v >>= v & 31;
    int n = 0;
    if (v & 1) {
      do
        digits[n++] = '0' + v % 10;
      while (v /= 10);
    } else {
      do
        digits[n++] = "0123456789abcdef"[v & 15];
      while (v >>= 4);
      digits[n++] = 'x';
    }
    while (n)
      to[at++] = digits[--n];
    to[at++] = ',';
  }
}
GLOBAL inverse_mod(const uint32_t *__restrict__ a,
                   uint32_t *__restrict__ out) { // by Euclid's extended algorithm
  int64_t m = 998244353u - gid() % 1000, r0 = m, r1 = a[gid()] >> (gid() & 15), t0 = 0, t1 = 1;
  while (r1) {
    int64_t q = (uint32_t)r0 / (uint32_t)r1, r = r0 - q * r1, t = t0 - q * t1;
    r0 = r1, r1 = r, t0 = t1, t1 = t;
  }
  out[gid()] = r0 == 1 ? (uint32_t)(t0 < 0 ? t0 + m : t0) : 0;
}
GLOBAL miller_rabin(uint32_t *__restrict__ out, uint32_t first) {
  uint32_t n = first + 2 * gid(), d = n - 1, s = 0, prime = 1;
  if (n % 3 == 0 || n % 5 == 0 || n % 7 == 0) {
    out[gid()] = 0;
    return;
  }
  while (!(d & 1))
    d >>= 1, s++;
  for (uint32_t base = 2; prime && base <= 7; base += base == 2 ? 1 : base == 3 ? 4 : 2) {
    u64 x = 1, b = base;
    for (uint32_t e = d; e; e >>= 1) {
      if (e & 1)
        x = x * b % n;
      b = b * b % n;
    }
    if (x == 1 || x == n - 1)
      continue;
    prime = 0;
    for (uint32_t k = 1; k < s; k++) {
      x = x * x % n;
      if (x == n - 1) {
        prime = 1;
        break;
      }
    }
  }
  out[gid()] = prime;
}
GLOBAL sudoku_4(uint32_t *__restrict__ out) { // solutions of a square of 4 x 4 with some numbers given
  uint8_t cell[16], row[4], column[4], box[4], given[16];
  uint32_t s = mix(gid() + 9) | 1, found = 0;
  for (int k = 0; k < 16; k++)
    cell[k] = given[k] = 0;
  for (int k = 0; k < 4; k++)
    row[k] = column[k] = box[k] = 0;
  for (int k = 0; k < 5; k++) {
    uint32_t r = xorshift(s), at = r & 15, bit = 1u << (r >> 8 & 3), b = at / 8 * 2 + at % 4 / 2;
    if (given[at] || (row[at / 4] | column[at % 4] | box[b]) & bit)
      continue;
    given[at] = bit, row[at / 4] |= bit, column[at % 4] |= bit, box[b] |= bit;
  }
  int at = 0, step = 1;
  while (at >= 0) {
    if (at == 16) {
      found++;
      at--, step = -1;
      continue;
    }
    if (given[at]) {
      at += step;
      continue;
    }
    uint32_t r = at / 4, c = at % 4, b = at / 8 * 2 + at % 4 / 2, old = cell[at];
    row[r] &= ~old, column[c] &= ~old, box[b] &= ~old;
    uint32_t free = ~(row[r] | column[c] | box[b]) & 15 & ~(old ? 2 * old - 1 : 0), bit = free & -free;
    cell[at] = bit;
    row[r] |= bit, column[c] |= bit, box[b] |= bit;
    step = bit ? 1 : -1;
    at += step;
  }
  out[gid()] = found;
}
GLOBAL quick_sort(const uint32_t *__restrict__ a,
                  uint32_t *__restrict__ b) { // 32 keys of a thread, in local memory
  uint32_t v[32];
  int stack[16], top = 0, step = threads_of_grid();
  for (int k = 0; k < 32; k++)
    v[k] = a[k * step + gid()];
  stack[top++] = 0, stack[top++] = 31;
  while (top) {
    int high = stack[--top], low = stack[--top];
    while (high - low > 5) {
      uint32_t pivot = v[(low + high) / 2];
      int i = low, j = high;
      while (i <= j) {
        while (v[i] < pivot)
          i++;
        while (v[j] > pivot)
          j--;
        if (i <= j) {
          uint32_t swap = v[i];
          v[i++] = v[j], v[j--] = swap;
        }
      }
      if (j - low < high - i) { // the longer part waits
        stack[top++] = i, stack[top++] = high;
        high = j;
      } else {
        stack[top++] = low, stack[top++] = j;
        low = i;
      }
    }
    for (int i = low + 1; i <= high; i++) {
      uint32_t key = v[i];
      int j = i - 1;
      for (; j >= low && v[j] > key; j--)
        v[j + 1] = v[j];
      v[j + 1] = key;
    }
  }
  for (int k = 0; k < 32; k++)
    b[k * step + gid()] = v[k];
}
GLOBAL merge_sort(const uint32_t *__restrict__ a,
                  uint32_t *__restrict__ b) { // 32 keys of a thread, two local arrays
  uint32_t v[2][32];
  int step = threads_of_grid(), now = 0;
  for (int k = 0; k < 32; k++)
    v[0][k] = a[k * step + gid()];
  for (int width = 1; width < 32; width *= 2, now ^= 1)
    for (int start = 0; start < 32; start += 2 * width) {
      int i = start, j = start + width, middle = j, end = start + 2 * width, at = start;
      while (i < middle && j < end) {
        uint32_t x = v[now][i], y = v[now][j];
        if (x <= y)
          v[now ^ 1][at++] = x, i++;
        else
          v[now ^ 1][at++] = y, j++;
      }
      while (i < middle)
        v[now ^ 1][at++] = v[now][i++];
      while (j < end)
        v[now ^ 1][at++] = v[now][j++];
    }
  for (int k = 0; k < 32; k++)
    b[k * step + gid()] = v[now][k];
}
GLOBAL register_machine(const uint32_t *__restrict__ code, uint32_t *__restrict__ out, int length,
                        int steps) {
  uint32_t r[8]; // a program of its own for each thread; registers are a local array, 16 instructions
  for (int k = 0; k < 8; k++)
    r[k] = mix(gid() + k);
  uint32_t pc = gid() * 7;
  for (int k = 0; k < steps; k++) {
    uint32_t i = code[pc++ % length], a = i >> 8 & 7, b = i >> 12 & 7, c = i >> 16 & 7;
    switch (i & 15) {
    case 0:
      r[a] = r[b] + r[c];
      break;
    case 1:
      r[a] = r[b] - r[c];
      break;
    case 2:
      r[a] = r[b] * r[c];
      break;
    case 3:
      r[a] = r[b] / (r[c] | 1);
      break;
    case 4:
      r[a] = r[b] & r[c];
      break;
    case 5:
      r[a] = r[b] | r[c];
      break;
    case 6:
      r[a] = r[b] ^ r[c];
      break;
    case 7:
      r[a] = r[b] << (r[c] & 31);
      break;
    case 8:
      r[a] = r[b] >> (r[c] & 31);
      break;
    case 9:
      r[a] = __popc(r[b]);
      break;
    case 10:
      r[a] = i >> 20;
      break;
    case 11:
      if (r[a] > r[b])
        pc += c;
      break;
    case 12:
      if (r[a] & 1)
        pc++;
      break;
    case 13:
      r[a] = max(r[b], r[c]);
      break;
    case 14:
      r[a] = code[(r[b] ^ i) % length];
      break;
    default:
      r[a] = __brev(r[b]);
    }
  }
  uint32_t sum = 0;
  for (int k = 0; k < 8; k++)
    sum = sum * 3 + r[k];
  out[gid()] = sum;
}
GLOBAL scan_tokens(const uint8_t *__restrict__ text, uint32_t *__restrict__ out, int bytes) {
  const uint8_t *p = text + (size_t)gid() * bytes,
                *end = p + bytes; // letters are told apart by their high bits
  uint32_t names = 0, numbers = 0, strings = 0, comments = 0, hash = 0;
  while (p < end) {
    uint8_t c = *p++ >> 3;
    if (c < 12) { // a name
      names++;
      hash = c;
      while (p < end && *p >> 3 < 18)
        hash = hash * 33 + (*p++ >> 3);
    } else if (c < 18) {
      uint32_t v = c - 12;
      while (p < end && *p >> 3 >= 12 && *p >> 3 < 18)
        v = v * 6 + (*p++ >> 3) - 12;
      numbers += v & 1 ? 1 : 2;
    } else if (c == 18) { // up to the next quotation mark, but for escaped ones
      strings++;
      while (p < end && *p >> 3 != 18)
        p += *p >> 3 == 19 ? 2 : 1;
      p++;
    } else if (c == 19) { // up to a new line
      comments++;
      while (p < end && *p++ >> 3 < 26)
        ;
    } else if (c < 26)
      hash ^= 1u << (c & 7);
  }
  out[gid()] = names ^ numbers << 8 ^ strings << 16 ^ comments << 22 ^ hash;
}
GLOBAL gamma_draws(float *__restrict__ out, int draws) { // normals by a sum of uniforms, then accepted or not
  uint32_t s = mix(gid() + 21) | 1, tries = 0;
  float shape = 1.0f + (float)(gid() & 3), d = shape - 1.0f / 3, c = rsqrtf(9.0f * d), sum = 0;
  for (int k = 0; k < draws; k++)
    for (;;) {
      float x = -6.0f;
      for (int i = 0; i < 12; i++)
        x += unit(xorshift(s));
      float v = 1.0f + c * x, u = unit(xorshift(s));
      tries++;
      if (v <= 0)
        continue;
      v = v * v * v;
      if (u < 1.0f - 0.0331f * x * x * x * x || __logf(u) < 0.5f * x * x + d * (1.0f - v + __logf(v))) {
        sum += d * v;
        break;
      }
    }
  out[gid()] = sum + (float)tries;
}
__device__ __forceinline__ float scene(float x, float y, float z) { // distance to the nearest thing
  float plane = y + 1.0f, ball = sqrtf(x * x + y * y + (z - 3.0f) * (z - 3.0f)) - 1.0f;
  float wx = x - 3.0f * floorf(x * (1.0f / 3) + 0.5f), wz = z - 3.0f * floorf(z * (1.0f / 3) + 0.5f);
  float post = fmaxf(sqrtf(wx * wx + wz * wz) - 0.2f, y - 0.6f);
  return fminf(plane, fminf(ball, post));
}
GLOBAL ray_march(float *__restrict__ out, int width, int height) {
  int x = gid() % width, y = gid() / width;
  float dx = ((float)x + 0.5f) / (float)width * 2.0f - 1.0f,
        dy = 0.7f - ((float)y + 0.5f) / (float)height * 1.4f;
  float k = rsqrtf(dx * dx + dy * dy + 1.0f), t = 0, light = 0;
  dx *= k, dy *= k;
  for (int i = 0; i < 80; i++) {
    float d = scene(t * dx, t * dy, t * k - 1.3f);
    if (d < 0.002f) { // a shadow ray
      float s = 0.02f;
      light = 1.0f;
      while (s < 4.0f) {
        float e = scene(t * dx + 0.6f * s, t * dy + 0.7f * s, t * k - 1.3f - 0.39f * s);
        if (e < 0.001f) {
          light = 0.2f;
          break;
        }
        s += fmaxf(e, 0.02f);
      }
      break;
    }
    t += d;
    if (t > 20.0f)
      break;
  }
  out[gid()] = light * (1.0f + t);
}
GLOBAL secant_roots(float *__restrict__ out) { // a secant where it stays in the bracket, else the middle
  float a = 0.0f, b = 4.0f, c = 0.2f + 7.0f * unit(mix(gid())), p = 1.0f + (float)(gid() & 3);
  float fa = -c, fb = b * b * b / p + b - c;
  int k = 0;
  for (; k < 60 && b - a > 1e-6f; k++) {
    float m = a - fa * (b - a) / (fb - fa);
    if (!(m > a + 0.01f * (b - a)) || !(m < b - 0.01f * (b - a)) || (k & 3) == 3)
      m = 0.5f * (a + b);
    float f = m * m * m / p + m - c;
    if (fabsf(f) < 1e-6f) {
      a = b = m;
      break;
    }
    if (f < 0)
      a = m, fa = f;
    else
      b = m, fb = f;
  }
  out[gid()] = 0.5f * (a + b);
}
GLOBAL flood_areas(uint32_t *__restrict__ out) { // areas of a map of 8 x 8 cells, and the largest of them
  u64 h = (u64)mix(gid()) << 32 | mix(gid() + 1000003u);
  h |= h << 9 & (u64)mix(gid() + 5) * 0x100000001ull; // some cells more
  uint8_t stack[64];
  uint32_t areas = 0, largest = 0;
  while (h) {
    int top = 0;
    uint32_t size = 0;
    u64 low = h & -h;
    stack[top++] = __popcll(low - 1);
    h ^= low;
    areas++;
    while (top) {
      int at = stack[--top];
      size++;
      for (int k = 0; k < 4; k++) {
        if ((k == 0 && at % 8 == 0) || (k == 1 && at % 8 == 7))
          continue;
        int to = at + (k == 0 ? -1 : k == 1 ? 1 : k == 2 ? -8 : 8);
        if (to < 0 || to > 63 || !(h >> to & 1))
          continue;
        h ^= 1ull << to;
        stack[top++] = to;
      }
    }
    largest = max(largest, size);
  }
  out[gid()] = areas << 8 | largest;
}
GLOBAL union_find(const uint32_t *__restrict__ edge, uint32_t *__restrict__ out,
                  int edges) { // 64 nodes of a thread
  uint8_t parent[64];
  uint32_t sets = 64;
  for (int k = 0; k < 64; k++)
    parent[k] = k;
  for (int k = 0; k < edges && sets > 8; k++) {
    uint32_t e = edge[k * threads_of_grid() + gid()], a = e & 63, b = e >> 6 & 63;
    while (parent[a] != a)
      a = parent[a] = parent[parent[a]];
    while (parent[b] != b)
      b = parent[b] = parent[parent[b]];
    if (a == b)
      continue;
    parent[max(a, b)] = min(a, b);
    sets--;
  }
  uint32_t far = 0;
  for (uint32_t k = 0; k < 64; k++)
    for (uint32_t a = k; parent[a] != a; a = parent[a])
      far++;
  out[gid()] = sets << 16 | far;
}
__device__ __forceinline__ float peak(float x, float at) {
  return 1.0f / (0.01f + (x - at) * (x - at));
}
GLOBAL adaptive_simpson(float *__restrict__ out, float tolerance) {
  float from[20], to[20], at = unit(mix(gid())), sum = 0;
  int top = 0, parts = 0;
  from[0] = 0, to[top++] = 1;
  while (top) {
    float a = from[--top], b = to[top], m = 0.5f * (a + b), h = b - a;
    float fa = peak(a, at), fm = peak(m, at), fb = peak(b, at);
    float p = peak(0.5f * (a + m), at), q = peak(0.5f * (m + b), at);
    float whole = h / 6 * (fa + 4 * fm + fb), halves = h / 12 * (fa + 4 * p + 2 * fm + 4 * q + fb);
    parts++;
    if (fabsf(whole - halves) < tolerance * h || top > 17 || h < 1e-4f) {
      sum += halves;
      continue;
    }
    from[top] = m, to[top++] = b;
    from[top] = a, to[top++] = m;
  }
  out[gid()] = sum + 1000.0f * (float)parts;
}
GLOBAL adaptive_steps(float *__restrict__ out, float end,
                      float tolerance) { // an oscillator; step sizes by error
  float mu = 0.5f + 4.0f * unit(mix(gid())), x = 1.0f, v = 0.2f, t = 0, h = 0.05f;
  int steps = 0, refused = 0;
  while (t < end && steps < 400) {
    float k1x = v, k1v = mu * (1 - x * x) * v - x;
    float ax = x + 0.5f * h * k1x, av = v + 0.5f * h * k1v, k2x = av, k2v = mu * (1 - ax * ax) * av - ax;
    float bx = x + 0.75f * h * k2x, bv = v + 0.75f * h * k2v, k3x = bv, k3v = mu * (1 - bx * bx) * bv - bx;
    float ex = h * fabsf(2.0f / 9 * k1x + 1.0f / 3 * k2x + 4.0f / 9 * k3x - k2x);
    float ev = h * fabsf(2.0f / 9 * k1v + 1.0f / 3 * k2v + 4.0f / 9 * k3v - k2v), e = fmaxf(ex, ev);
    steps++;
    if (e > tolerance) {
      h *= 0.5f;
      refused++;
      continue;
    }
    x += h * (2.0f / 9 * k1x + 1.0f / 3 * k2x + 4.0f / 9 * k3x);
    v += h * (2.0f / 9 * k1v + 1.0f / 3 * k2v + 4.0f / 9 * k3v);
    t += h;
    if (e < 0.25f * tolerance)
      h = fminf(1.5f * h, 0.2f);
  }
  out[gid()] = (float)steps;
}
GLOBAL cell_neighbours(const uint8_t *__restrict__ count, const float2 *__restrict__ place,
                       float *__restrict__ out, int cells) { // a thread for each particle of a grid of cells
  int cell = gid() / 16, slot = gid() % 16;
  if (slot >= (count[cell] & 15)) {
    out[gid()] = 0;
    return;
  }
  float2 me = place[gid()];
  float force = 0;
  int x = cell % cells, y = cell / cells;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int other = ((y + dy) & (cells - 1)) * cells + ((x + dx) & (cells - 1)), n = count[other] & 15;
      for (int k = 0; k < n; k++) {
        if (other == cell && k == slot)
          continue;
        float2 p = place[other * 16 + k];
        float ex = p.x + (float)dx - me.x, ey = p.y + (float)dy - me.y, d = ex * ex + ey * ey;
        if (d > 0.36f)
          continue;
        force += (0.6f - sqrtf(d)) * rsqrtf(d + 0.01f);
      }
    }
  out[gid()] = force;
}
GLOBAL least_colours(const uint32_t *__restrict__ neighbour, const uint8_t *__restrict__ colour,
                     uint8_t *__restrict__ out, uint32_t n) { // of 0 to 40 neighbours
  uint32_t v = gid(), degree = __umulhi(mix(v), 41), start = v * 20;
  u64 used = 0;
  for (uint32_t k = 0; k < degree; k++) {
    uint32_t u = neighbour[start + k] % n;
    if (u == v || (mix(u) & 3) == 0) // no colour yet
      continue;
    used |= 1ull << (colour[u] & 31);
  }
  uint32_t c = 0;
  while (used >> c & 1)
    c++;
  out[v] = c;
}
GLOBAL triangles_by_search(uint32_t *__restrict__ out, const uint32_t *__restrict__ noise, uint32_t n) {
  // Neighbours of v are in order: the j-th is near v + 8 j; a pair of them is looked for in the first one's list.
  uint32_t v = gid(), found = 0, degree = 2 + (mix(v) & 15) % 13;
  for (uint32_t i = 0; i + 1 < degree; i++) {
    uint32_t u = (v + 8 * i + 1 + (noise[v * 16 + i] & 7)) % n, size = 2 + (mix(u) & 15) % 13;
    for (uint32_t j = i + 1; j < degree; j++) {
      uint32_t w = (v + 8 * j + 1 + (noise[v * 16 + j] & 7)) % n;
      int low = 0, high = size - 1;
      while (low <= high) {
        int m = (low + high) / 2;
        uint32_t t = (u + 8 * m + 1 + (noise[u * 16 + m] & 7)) % n;
        if (t == w) {
          found++;
          break;
        }
        if (t < w)
          low = m + 1;
        else
          high = m - 1;
      }
    }
  }
  out[gid()] = found;
}
GLOBAL partial_distances(const float *__restrict__ point, const float *__restrict__ mean,
                         uint32_t *__restrict__ out, int means) { // of 24 dimensions, given up where too far
  float best = 1e30f;
  uint32_t nearest = 0;
  int n = threads_of_grid();
  for (int m = 0; m < means; m++) {
    float d = 0;
    int k = 0;
    for (; k < 24; k += 4) {
      for (int i = k; i < k + 4; i++) {
        float e = point[i * n + gid()] - mean[m * 24 + i];
        d += e * e;
      }
      if (d >= best)
        break;
    }
    if (k == 24)
      best = d, nearest = m;
  }
  out[gid()] = nearest;
}
__device__ __noinline__ float area_of_circle(float a, float b) {
  return 3.14159265f * a * a + b * 1e-3f;
}
__device__ __noinline__ float area_of_box(float a, float b) {
  return a * b;
}
__device__ __noinline__ float area_of_ring(float a, float b) {
  return area_of_circle(fmaxf(a, b), 0.0f) - area_of_circle(fminf(a, b), 0.0f);
}
__device__ __noinline__ float area_of_ellipse(float a, float b) {
  float h = (a - b) * (a - b) / ((a + b) * (a + b) + 1e-6f);
  return 3.14159265f * a * b * (1.0f + h * 0.01f);
}
GLOBAL areas_by_calls(const uint32_t *__restrict__ kind, float *__restrict__ out, int shapes) {
  float sum = 0;
  for (int k = 0; k < shapes; k++) {
    uint32_t v = kind[k * threads_of_grid() + gid()];
    float a = unit(v), b = unit(v * 77777u);
    if ((v >> 4 & 3) == 0)
      sum += area_of_circle(a, b);
    else if ((v >> 4 & 3) == 1)
      sum += area_of_box(a, b);
    else if ((v >> 4 & 3) == 2)
      sum += area_of_ring(a, b);
    else
      sum += area_of_ellipse(a, b);
  }
  out[gid()] = sum;
}
__device__ __noinline__ uint32_t
partitions_of(int n, int most) { // ways to write n as a sum of parts of at most `most`
  if (n == 0)
    return 1;
  uint32_t ways = 0;
  for (int part = min(n, most); part > 0; part--)
    ways += part == 1 ? 1 : partitions_of(n - part, part);
  return ways;
}
GLOBAL partitions(uint32_t *__restrict__ out) { // by recursion
  uint32_t h = mix(gid());
  out[gid()] = partitions_of(4 + (h & 7), 2 + (h >> 8) % 5);
}
GLOBAL filter_rules(const uint4 *__restrict__ record, uint8_t *__restrict__ out,
                    const uint32_t *__restrict__ limit) {
  uint4 r = record[gid()];
  uint8_t *to = out + gid();
  *to = 0;
  if ((r.x & 7) == 7)
    return;
  if (r.x < limit[r.y & 255]) {
    *to = 1;
    return;
  }
  if (__popc(r.y) > 18 || (r.z ^ r.w) < limit[r.z & 255] >> 3) {
    *to = 2;
    return;
  }
  uint32_t score = 0;
  for (int k = 0; k < 24; k++) {
    uint32_t rule = limit[(r.w >> k & 15) * 16 + (r.x >> k & 15)];
    if ((rule & r.y) == 0)
      break;
    if (rule & 16)
      continue;
    score += rule >> 28;
    if (score > 40) {
      *to = 3;
      return;
    }
    if ((rule & 0x300) == 0)
      score += __clz(rule ^ r.z);
  }
  *to = score & 1 ? 4 : 5;
}
GLOBAL ragged_search(const uint32_t *__restrict__ noise, uint32_t *__restrict__ out, int queries) {
  uint32_t sum = 0; // rows of 1 to 2,048 keys, a row of its own for each query
  for (int q = 0; q < queries; q++) {
    uint32_t h = mix(gid() * 16 + q), row = h & 511, size = 1 + (mix(row) >> (21 + (row & 7)));
    uint32_t want = (h >> 9) % (16 * size), low = 0, high = size;
    while (low < high) {
      uint32_t m = (low + high) / 2;
      if (16 * m + (noise[row * 2048 + m] & 15) < want)
        low = m + 1;
      else
        high = m;
    }
    sum += low;
  }
  out[gid()] = sum;
}

// ---- latency ------------------------------------------------------------------------------------------------------------
GLOBAL walk_records(const uint4 *__restrict__ record, uint32_t *__restrict__ out, uint32_t mask, int steps) {
  uint32_t at = mix(gid()) & mask, sum = 0; // 32 bytes each, two dependent reads of a record
  for (int k = 0; k < steps; k++) {
    uint4 a = record[2 * at], b = record[2 * at + (a.x & 1)];
    sum += a.y ^ b.z;
    at = (a.w + sum % 7) & mask;
  }
  out[gid()] = sum;
}
GLOBAL merge_linked(const uint32_t *__restrict__ key, const uint32_t *__restrict__ next,
                    uint32_t *__restrict__ out, uint32_t mask,
                    int steps) { // two lists, the smaller head goes on
  uint32_t a = mix(2 * gid()) & mask, b = mix(2 * gid() + 1) & mask, x = key[a], y = key[b], order = 0;
  for (int k = 0; k < steps; k++)
    if (x < y) {
      order = order * 3 + 1;
      a = next[a] & mask;
      x = key[a];
    } else {
      order = order * 3 + 2;
      b = next[b] & mask;
      y = key[b];
    }
  out[gid()] = order;
}
GLOBAL page_walk(const uint32_t *__restrict__ root, const uint32_t *__restrict__ middle,
                 const uint32_t *__restrict__ leaf, uint32_t *__restrict__ out,
                 int walks) { // three tables, one after another
  uint32_t address = mix(gid()), sum = 0;
  for (int k = 0; k < walks; k++) {
    uint32_t a = root[address >> 23], b = middle[(a & 511) << 9 | (address >> 14 & 511)];
    uint32_t c = leaf[(b & 4095) << 9 | (address >> 5 & 511)];
    sum ^= c;
    address = address * 5 + c;
  }
  out[gid()] = sum;
}
GLOBAL lagged_fibonacci(uint32_t *__restrict__ out, int steps) { // a ring of 17 words in a local array
  uint32_t ring[17], sum = 0;
  for (int k = 0; k < 17; k++)
    ring[k] = mix(gid() * 17 + k);
  int i = 16, j = 4;
  for (int k = 0; k < steps; k++) {
    uint32_t v = ring[i] + ring[j];
    ring[i] = v << 9 | v >> 23;
    sum ^= v;
    i = i ? i - 1 : 16;
    j = j ? j - 1 : 16;
  }
  out[gid()] = sum;
}
GLOBAL ring_relax(const float *__restrict__ a, float *__restrict__ b,
                  int steps) { // 64 threads, two barriers a step
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[gid()];
  __syncthreads();
  for (int k = 0; k < steps; k++) {
    float v = 0.25f * s[(t + 63) & 63] + 0.5f * s[t] + 0.25f * s[(t + 1) & 63];
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  b[gid()] = s[t];
}
GLOBAL sweep_scan(const uint32_t *__restrict__ a,
                  uint32_t *__restrict__ b) { // 512 words of a CTA of 256, up and down
  __shared__ uint32_t s[512];
  int t = threadIdx.x, at = blockIdx.x * 512;
  s[2 * t] = a[at + 2 * t], s[2 * t + 1] = a[at + 2 * t + 1];
  int apart = 1;
  for (int d = 256; d > 0; d >>= 1, apart *= 2) {
    __syncthreads();
    if (t < d)
      s[apart * (2 * t + 2) - 1] += s[apart * (2 * t + 1) - 1];
  }
  if (t == 0)
    s[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    apart >>= 1;
    __syncthreads();
    if (t < d) {
      int i = apart * (2 * t + 1) - 1, j = apart * (2 * t + 2) - 1;
      uint32_t v = s[i];
      s[i] = s[j], s[j] += v;
    }
  }
  __syncthreads();
  b[at + 2 * t] = s[2 * t], b[at + 2 * t + 1] = s[2 * t + 1];
}
GLOBAL halving_sums(const float *__restrict__ a, float *__restrict__ out,
                    int rounds) { // 128 threads, each sum decides the next
  __shared__ float s[128];
  int t = threadIdx.x;
  float v = a[gid()];
  for (int k = 0; k < rounds; k++) {
    s[t] = v * v;
    __syncthreads();
    for (int d = 64; d; d /= 2) {
      if (t < d)
        s[t] += s[t + d];
      __syncthreads();
    }
    v = v * rsqrtf(s[0] * (1.0f / 128) + 0.01f) + 0.01f * (float)k;
    __syncthreads();
  }
  out[gid()] = v;
}
GLOBAL warp_bitonic(const uint32_t *__restrict__ a, uint32_t *__restrict__ b,
                    int rounds) { // keys of lanes, by shuffles
  uint32_t v = a[gid()], lane = threadIdx.x % 32;
  for (int k = 0; k < rounds; k++) {
    for (int size = 2; size <= 32; size *= 2)
      for (int d = size / 2; d; d /= 2) {
        uint32_t o = __shfl_xor_sync(~0u, v, d);
        bool low = ((lane & d) == 0) == ((lane & size) == 0);
        v = low ? min(v, o) : max(v, o);
      }
    if (k + 1 < rounds)
      v = v * 2654435761u + lane;
  }
  b[gid()] = v;
}
GLOBAL common_subsequence(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b,
                          uint32_t *__restrict__ out) {
  __shared__ int s[3][129]; // words of 128 letters, a CTA of 128 for each pair; one diagonal after another
  int t = threadIdx.x + 1, ca = a[gid()] & 3;
  const uint8_t *other = b + blockIdx.x * 128;
  for (int k = 0; k < 3; k++)
    s[k][t - 1] = s[k][t] = 0;
  __syncthreads();
  for (int d = 2; d <= 256; d++) {
    int j = d - t, *now = s[d % 3], *before = s[(d + 2) % 3], *two = s[(d + 1) % 3];
    if (j >= 1 && j <= 128)
      now[t] = (other[j - 1] & 3) == ca ? two[t - 1] + 1 : max(before[t], before[t - 1]);
    __syncthreads();
  }
  if (t == 128)
    out[blockIdx.x] = s[256 % 3][128];
}
GLOBAL align_in_warp(const uint32_t *__restrict__ a, const uint32_t *__restrict__ b, int *__restrict__ out,
                     int length) {
  int lane = threadIdx.x % 32, warp = gid() / 32; // a row for each lane, scores pass from lane to lane
  uint32_t mine = a[gid()] & 3;
  int left = 0, diagonal = 0, best = 0;
  for (int step = 0; step < length + 31; step++) {
    int up = __shfl_up_sync(~0u, left, 1), j = step - lane;
    if (lane == 0)
      up = 0;
    if (j >= 0 && j < length) {
      uint32_t c = b[warp * (length / 16) + j / 16] >> 2 * (j & 15) & 3;
      int score = max(max(0, diagonal + (c == mine ? 2 : -1)), max(up, left) - 1);
      diagonal = up;
      left = score;
      best = max(best, score);
    }
  }
  for (int d = 16; d; d /= 2)
    best = max(best, __shfl_xor_sync(~0u, best, d));
  if (lane == 0)
    out[warp] = best;
}
GLOBAL power_iteration(const float *__restrict__ a, float *__restrict__ out,
                       int rounds) { // 64 x 64, few CTAs
  __shared__ float m[64][65], v[64];
  int t = threadIdx.x;
  for (int r = 0; r < 64; r++)
    m[r][t] = a[(size_t)blockIdx.x * 4096 + r * 64 + t];
  v[t] = 1.0f;
  float largest = 0;
  for (int k = 0; k < rounds; k++) {
    __syncthreads();
    float s = 0;
#pragma unroll 8
    for (int c = 0; c < 64; c++)
      s += m[t][c] * v[c];
    __syncthreads();
    v[t] = s;
    __syncthreads();
    largest = 0;
    for (int c = 0; c < 64; c++)
      largest = fmaxf(largest, fabsf(v[c]));
    __syncthreads();
    v[t] = s / largest;
  }
  out[gid()] = v[t] * largest;
}
GLOBAL shared_links(const uint32_t *__restrict__ a, uint32_t *__restrict__ out,
                    int steps) { // a table of 2,048 words of a CTA
  __shared__ uint32_t s[2048];
  for (int k = threadIdx.x; k < 2048; k += blockDim.x)
    s[k] = a[k];
  __syncthreads();
  uint32_t p = gid() & 2047, q = 0;
  for (int k = 0; k < steps; k++) {
    uint32_t v = s[p];
    q += v >> 24;
    p = (v ^ q) & 2047;
  }
  out[gid()] = p ^ q;
}
GLOBAL local_links(uint32_t *__restrict__ out, int steps) { // a permutation of 64 bytes in a local array
  uint8_t next[64];
  uint32_t s = mix(gid()) | 1;
  for (int k = 0; k < 64; k++)
    next[k] = k;
  for (int k = 63; k > 0; k--) { // shuffled
    uint32_t j = __umulhi(xorshift(s), k + 1);
    uint8_t swap = next[k];
    next[k] = next[j], next[j] = swap;
  }
  uint32_t p = 0, sum = 0;
  for (int k = 0; k < steps; k++) {
    p = next[(p + k) & 63];
    sum = sum * 5 + p;
  }
  out[gid()] = sum;
}
GLOBAL invert_16(const float *__restrict__ a,
                 float *__restrict__ b) { // a matrix of 16 x 16 for each CTA of 16 x 16
  __shared__ float m[16][17], n[16][17];
  int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
  m[y][x] = a[at] + (x == y ? 16.0f : 0.0f);
  n[y][x] = x == y ? 1.0f : 0.0f;
  __syncthreads();
  for (int k = 0; k < 16; k++) {
    float p = 1.0f / m[k][k], u = m[k][x] * p, v = n[k][x] * p, f = m[y][k];
    __syncthreads();
    m[y][x] = y == k ? u : m[y][x] - f * u;
    n[y][x] = y == k ? v : n[y][x] - f * v;
    __syncthreads();
  }
  b[at] = n[y][x];
}

// ---- compute ------------------------------------------------------------------------------------------------------------
__device__ __forceinline__ uint32_t turn(uint32_t v, int n) {
  return __funnelshift_l(v, v, n);
}
GLOBAL sha1_blocks(const uint32_t *__restrict__ a, uint32_t *__restrict__ out,
                   int blocks) { // 80 rounds with rotations
  uint32_t h0 = 0x67452301u, h1 = 0xefcdab89u, h2 = 0x98badcfeu, h3 = 0x10325476u, h4 = 0xc3d2e1f0u;
  for (int n = 0; n < blocks; n++) {
    uint32_t w[16], p = h0, q = h1, r = h2, s = h3, t = h4;
#pragma unroll
    for (int k = 0; k < 16; k++)
      w[k] = a[(n * 16 + k) * threads_of_grid() + gid()];
#pragma unroll
    for (int k = 0; k < 80; k++) {
      if (k >= 16)
        w[k & 15] = turn(w[(k + 13) & 15] ^ w[(k + 8) & 15] ^ w[(k + 2) & 15] ^ w[k & 15], 1);
      uint32_t f = k < 20 ? (q & r) | (~q & s) : k < 40 || k >= 60 ? q ^ r ^ s : (q & r) | (q & s) | (r & s);
      uint32_t c = k < 20 ? 0x5a827999u : k < 40 ? 0x6ed9eba1u : k < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
      uint32_t v = turn(p, 5) + f + t + c + w[k & 15];
      t = s, s = r, r = turn(q, 30), q = p, p = v;
    }
    h0 += p, h1 += q, h2 += r, h3 += s, h4 += t;
  }
  out[gid()] = h0 ^ h1 ^ h2 ^ h3 ^ h4;
}
GLOBAL crc_slices(const uint32_t *__restrict__ a, uint32_t *__restrict__ out,
                  int words) { // four tables in shared memory
  __shared__ uint32_t table[4][256];
  uint32_t v = threadIdx.x, crc = ~0u; // 256 threads
  for (int s = 0; s < 4; s++) {
    for (int k = 0; k < 8; k++)
      v = v & 1 ? v >> 1 ^ 0xedb88320u : v >> 1;
    table[s][threadIdx.x] = v;
  }
  __syncthreads();
  for (int k = 0; k < words; k++) {
    crc ^= a[k * threads_of_grid() + gid()];
    crc = table[3][crc & 255] ^ table[2][crc >> 8 & 255] ^ table[1][crc >> 16 & 255] ^ table[0][crc >> 24];
  }
  out[gid()] = ~crc;
}
GLOBAL fixed_point(const int *__restrict__ a, int *__restrict__ out,
                   int steps) { // a filter of three parts with 16 bits after the point
  int x = a[gid()] >> 12, s[6] = {0, 0, 0, 0, 0, 0};
  for (int k = 0; k < steps; k++) {
    int v = x;
#pragma unroll
    for (int p = 0; p < 3; p++) {
      int y = (int)((int64_t)v * 13107 >> 16) + s[2 * p];
      s[2 * p] = (int)((int64_t)v * 26214 >> 16) - (int)((int64_t)y * -52428 >> 16) + s[2 * p + 1];
      s[2 * p + 1] = (int)((int64_t)v * 13107 >> 16) - (int)((int64_t)y * 19660 >> 16);
      v = y;
    }
    x = v + (x >> 3) + k;
  }
  out[gid()] = x;
}
__constant__ double chebyshev[16] = {1.0,      -0.5,       0.25,      -0.125,    0.0625,  -0.03125,
                                     0.015625, -0.0078125, 0.0039,    -0.0019,   0.00097, -0.00048,
                                     0.000244, -0.000122,  0.0000610, -0.0000305};
GLOBAL clenshaw_f64(const double *__restrict__ a, double *__restrict__ out, int passes) {
  double x = a[gid()];
  for (int p = 0; p < passes; p++) {
    double b1 = 0, b2 = 0;
#pragma unroll
    for (int k = 15; k > 0; k--) {
      double b = 2.0 * x * b1 - b2 + chebyshev[k];
      b2 = b1, b1 = b;
    }
    x = 0.5 * (x * b1 - b2 + chebyshev[0]);
  }
  out[gid()] = x;
}
GLOBAL fft_16_registers(const float2 *__restrict__ a, float2 *__restrict__ b, int times) { // of a thread
  const float co[8] = {1.0f, 0.9238795f, 0.7071068f, 0.3826834f, 0.0f, -0.3826834f, -0.7071068f, -0.9238795f};
  const float si[8] = {0.0f,  -0.3826834f, -0.7071068f, -0.9238795f,
                       -1.0f, -0.9238795f, -0.7071068f, -0.3826834f};
  float2 v[16];
  int n = threads_of_grid();
#pragma unroll
  for (int k = 0; k < 16; k++)
    v[(k & 1) << 3 | (k & 2) << 1 | (k & 4) >> 1 | (k & 8) >> 3] = a[k * n + gid()];
  for (int m = 0; m < times; m++) {
#pragma unroll
    for (int half = 1; half < 16; half *= 2)
#pragma unroll
      for (int i = 0; i < 16; i++)
        if (!(i & half)) {
          float c = co[(i & (half - 1)) * (8 / half)], s = si[(i & (half - 1)) * (8 / half)];
          float2 p = v[i], q = v[i + half];
          float2 r = make_float2(q.x * c - q.y * s, q.x * s + q.y * c);
          v[i] = make_float2(0.7071068f * (p.x + r.x), 0.7071068f * (p.y + r.y));
          v[i + half] = make_float2(0.7071068f * (p.x - r.x), 0.7071068f * (p.y - r.y));
        }
  }
#pragma unroll
  for (int k = 0; k < 16; k++)
    b[k * n + gid()] = v[k];
}
GLOBAL inverse_4x4(const float *__restrict__ a, float *__restrict__ b, int times) { // by minors of two rows
  float m[16];
  int n = threads_of_grid();
#pragma unroll
  for (int k = 0; k < 16; k++)
    m[k] = a[k * n + gid()] + (k % 5 == 0 ? 3.0f : 0.0f);
  for (int t = 0; t < times; t++) {
    float s0 = m[0] * m[5] - m[4] * m[1], s1 = m[0] * m[6] - m[4] * m[2], s2 = m[0] * m[7] - m[4] * m[3],
          s3 = m[1] * m[6] - m[5] * m[2], s4 = m[1] * m[7] - m[5] * m[3], s5 = m[2] * m[7] - m[6] * m[3];
    float c5 = m[10] * m[15] - m[14] * m[11], c4 = m[9] * m[15] - m[13] * m[11],
          c3 = m[9] * m[14] - m[13] * m[10], c2 = m[8] * m[15] - m[12] * m[11],
          c1 = m[8] * m[14] - m[12] * m[10], c0 = m[8] * m[13] - m[12] * m[9];
    float k = 1.0f / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
    float r[16] = {m[5] * c5 - m[6] * c4 + m[7] * c3,     -m[1] * c5 + m[2] * c4 - m[3] * c3,
                   m[13] * s5 - m[14] * s4 + m[15] * s3,  -m[9] * s5 + m[10] * s4 - m[11] * s3,
                   -m[4] * c5 + m[6] * c2 - m[7] * c1,    m[0] * c5 - m[2] * c2 + m[3] * c1,
                   -m[12] * s5 + m[14] * s2 - m[15] * s1, m[8] * s5 - m[10] * s2 + m[11] * s1,
                   m[4] * c4 - m[5] * c2 + m[7] * c0,     -m[0] * c4 + m[1] * c2 - m[3] * c0,
                   m[12] * s4 - m[13] * s2 + m[15] * s0,  -m[8] * s4 + m[9] * s2 - m[11] * s0,
                   -m[4] * c3 + m[5] * c1 - m[6] * c0,    m[0] * c3 - m[1] * c1 + m[2] * c0,
                   -m[12] * s3 + m[13] * s1 - m[14] * s0, m[8] * s3 - m[9] * s1 + m[10] * s0};
#pragma unroll
    for (int i = 0; i < 16; i++)
      m[i] = r[i] * k + (t + 1 < times && i % 5 == 0 ? 3.0f : 0.0f);
  }
#pragma unroll
  for (int k = 0; k < 16; k++)
    b[k * n + gid()] = m[k];
}
__constant__ uint8_t nibbles[64] = {12, 5, 6,  11, 9, 0,  10, 13, 3, 14, 15, 8,  4,  7, 1, 2,
                                    14, 4, 13, 1,  2, 15, 11, 8,  3, 10, 6,  12, 5,  9, 0, 7,
                                    15, 1, 8,  14, 6, 11, 3,  4,  9, 7,  2,  13, 12, 0, 5, 10,
                                    10, 0, 9,  14, 6, 3,  15, 5,  1, 13, 12, 7,  11, 4, 2, 8};
GLOBAL constant_boxes(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, int rounds) {
  uint32_t v = a[gid()],
           key = mix(gid()); // four tables of 16 in constant memory, a place of its own for each lane
  for (int r = 0; r < rounds; r++) {
    uint32_t s = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
      s |= (uint32_t)nibbles[(k & 3) * 16 + (v >> 4 * k & 15)] << 4 * k;
    s = (s & 0x11111111u) << 3 | (s & 0x22222222u) << 5 | (s & 0x44444444u) >> 2 | (s & 0x88888888u) >> 1;
    v = turn(s, 7) ^ key;
    key = key * 69069u + r;
  }
  out[gid()] = v;
}
GLOBAL big_squares(const uint32_t *__restrict__ a, uint32_t *__restrict__ out,
                   int times) { // products of 256 x 256 bits
  uint32_t x[8], y[8], p[16];
  int n = threads_of_grid();
#pragma unroll
  for (int k = 0; k < 8; k++)
    x[k] = a[k * n + gid()], y[k] = x[k] ^ 0x9e3779b9u;
  for (int t = 0; t < times; t++) {
#pragma unroll
    for (int k = 0; k < 16; k++)
      p[k] = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
      u64 carry = 0;
#pragma unroll
      for (int j = 0; j < 8; j++) {
        carry += (u64)x[i] * y[j] + p[i + j];
        p[i + j] = (uint32_t)carry;
        carry >>= 32;
      }
      p[i + 8] = (uint32_t)carry;
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
      x[k] = p[k] ^ p[k + 8], y[k] = p[k + 8] + k;
  }
#pragma unroll
  for (int k = 0; k < 16; k++)
    out[k * n + gid()] = p[k];
}
GLOBAL bit_tricks(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, int times) {
  uint32_t v = a[gid()], w = v * 3 + 1, sum = 0;
  for (int k = 0; k < times; k++) {
    sum += __popc(v & w) + __clz(v | 1) * 3 + __ffs(w);
    uint32_t r = __brev(v), g = v ^ v >> 1, b = __byte_perm(v, w, 0x3614);
    u64 wide = (u64)r << 32 | g;
    sum ^= __popcll(wide & (u64)b * 0x100000001ull) + __clzll(wide | 1);
    v = r + (g ^ b) * 5;
    w = __funnelshift_r(w, v, sum & 31) + __vabsdiffu4(v, sum);
  }
  out[gid()] = sum ^ v ^ w;
}
GLOBAL mixed_pipes(const float *__restrict__ a, float *__restrict__ out,
                   int times) { // conversions to and fro
  float x = a[gid()], y = x * 2.0f + 0.5f;
  uint32_t s = mix(gid());
  for (int k = 0; k < times; k++) {
    int i = (int)(x * 1000.0f), j = __float2int_rn(y * 100.0f);
    s = s * 1664525u + i ^ j;
    float u = (float)(s >> 16) * (1.0f / 65536.0f), v = __int_as_float((s & 0x7fffff) | 0x3f800000) - 1.0f;
    x = 0.5f * x + 0.25f * u + 0.1f * fabsf(y);
    y = fminf(fmaxf(y * 0.75f + v * 0.5f - floorf(x), -4.0f), 4.0f);
    s ^= (uint32_t)(uint8_t)i << 8;
  }
  out[gid()] = x + y;
}
GLOBAL functions_mix(const float *__restrict__ a, float *__restrict__ out,
                     int times) { // of the library, in full
  float x = a[gid()], s = 0;
  for (int k = 0; k < times; k++) {
    s += sinf(x) * expf(-x) + logf(1.0f + x * x);
    x = powf(1.1f + tanhf(s), 0.7f) + atanf(x) + cbrtf(x) * 0.1f;
    s = s * 0.5f + erff(x) - cosf(s);
  }
  out[gid()] = x + s;
}
GLOBAL filter_half2(const __half2 *__restrict__ a, __half2 *__restrict__ out, int times) { // 12 taps
  __half2 v[12], w = __floats2half2_rn(0.3f, 0.28f);
#pragma unroll
  for (int k = 0; k < 12; k++)
    v[k] = a[k * 64 + gid()];
  for (int t = 0; t < times; t++) {
#pragma unroll
    for (int k = 0; k < 12; k++) {
      __half2 s = __hmul2(v[(k + 11) % 12], w);
      s = __hfma2(v[k], w, s);
      s = __hfma2(v[(k + 1) % 12], w, s);
      v[k] = __hmax2(__hadd2(s, __float2half2_rn(0.01f)), __hneg2(v[k]));
    }
  }
  __half2 sum = v[0];
#pragma unroll
  for (int k = 1; k < 12; k++)
    sum = __hadd2(sum, v[k]);
  out[gid()] = sum;
}
GLOBAL solve_8x8(const float *__restrict__ a, float *__restrict__ x) { // elimination in registers, 72 of them
  float m[8][9];
  int n = threads_of_grid();
#pragma unroll
  for (int r = 0; r < 8; r++)
#pragma unroll
    for (int c = 0; c < 9; c++)
      m[r][c] = a[(r * 9 + c) * n + gid()] + (r == c ? 8.0f : 0.0f);
#pragma unroll
  for (int k = 0; k < 8; k++) {
    float p = 1.0f / m[k][k];
#pragma unroll
    for (int c = k; c < 9; c++)
      m[k][c] *= p;
#pragma unroll
    for (int r = 0; r < 8; r++)
      if (r != k) {
        float f = m[r][k];
#pragma unroll
        for (int c = k; c < 9; c++)
          m[r][c] -= f * m[k][c];
      }
  }
#pragma unroll
  for (int r = 0; r < 8; r++)
    x[r * n + gid()] = m[r][8];
}
GLOBAL product_odd(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float p[20][20], q[20][20]; // tiles of 20 x 20, two outputs of a thread of 20 x 10
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 20 + tx, y = blockIdx.y * 20 + ty;
  float s = 0, t = 0;
  for (int m = 0; m < n; m += 20) {
    bool in = x < n && m + ty < n, in2 = x < n && m + ty + 10 < n;
    p[ty][tx] = y < n && m + tx < n ? a[y * n + m + tx] : 0.0f;
    p[ty + 10][tx] = y + 10 < n && m + tx < n ? a[(y + 10) * n + m + tx] : 0.0f;
    q[ty][tx] = in ? b[(m + ty) * n + x] : 0.0f;
    q[ty + 10][tx] = in2 ? b[(m + ty + 10) * n + x] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 20; k++)
      s += p[ty][k] * q[k][tx], t += p[ty + 10][k] * q[k][tx];
    __syncthreads();
  }
  if (x < n && y < n)
    c[y * n + x] = s;
  if (x < n && y + 10 < n)
    c[(y + 10) * n + x] = t;
}

// ---- bandwidth ----------------------------------------------------------------------------------------------------------
struct record24 {
  uint32_t id;
  float x, y, z;
  u64 time;
};
GLOBAL scatter_records(const record24 *__restrict__ a, record24 *__restrict__ b, uint32_t odd,
                       uint32_t mask) {
  uint32_t i = gid();
  b[i * odd & mask] = a[i];
}
GLOBAL swap_middle_axes(const float *__restrict__ a, float *__restrict__ b, int heads,
                        int length) { // of four axes
  int d = threadIdx.x, h = threadIdx.y + blockIdx.y * blockDim.y, l = blockIdx.x, n = blockIdx.z;
  b[(((size_t)n * heads + h) * length + l) * 48 + d] = a[(((size_t)n * length + l) * heads + h) * 48 + d];
}
GLOBAL star_of_17(const float *__restrict__ a, float *__restrict__ b, int w,
                  int h) {    // four neighbours on each side
  __shared__ float s[24][40]; // 32 x 16 threads
  int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32 - 4, y0 = blockIdx.y * 16 - 4;
  for (int k = ty * 32 + tx; k < 24 * 40; k += 512) {
    int u = x0 + k % 40, v = y0 + k / 40;
    s[k / 40][k % 40] = u >= 0 && v >= 0 && u < w && v < h ? a[(size_t)v * w + u] : 0.0f;
  }
  __syncthreads();
  float sum = s[ty + 4][tx + 4] * 0.2f;
#pragma unroll
  for (int k = 1; k <= 4; k++)
    sum += (0.2f / (float)k) *
           (s[ty + 4 - k][tx + 4] + s[ty + 4 + k][tx + 4] + s[ty + 4][tx + 4 - k] + s[ty + 4][tx + 4 + k]);
  b[(size_t)(y0 + 4 + ty) * w + x0 + 4 + tx] = sum;
}
GLOBAL integrate_columns(const double *__restrict__ a, double *__restrict__ b, int width,
                         int rows) { // running sums down
  int x = gid();
  double s = 0;
  for (int r = 0; r < rows; r++) {
    s += a[(size_t)r * width + x];
    b[(size_t)r * width + x] = s;
  }
}
GLOBAL gather_rows96(const uint32_t *__restrict__ index, const float4 *__restrict__ table,
                     float4 *__restrict__ out) {
  int row = gid() / 8, part = gid() % 8; // six of eight threads copy a row of 96 bytes
  if (part < 6)
    out[(size_t)row * 6 + part] = table[(size_t)index[row] * 6 + part];
}
GLOBAL quarter_turn(const uchar4 *__restrict__ a, uchar4 *__restrict__ b, int w,
                    int h) { // pixels of an image
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  b[(size_t)x * h + h - 1 - y] = a[(size_t)y * w + x];
}
GLOBAL enlarge(const float *__restrict__ a, float *__restrict__ b, int w, int h, int wide,
               int high) { // bilinear
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= wide || y >= high)
    return;
  float u = ((float)x + 0.5f) * (float)w / (float)wide - 0.5f,
        v = ((float)y + 0.5f) * (float)h / (float)high - 0.5f;
  int i = (int)floorf(u), j = (int)floorf(v);
  float p = u - (float)i, q = v - (float)j;
  int i0 = max(i, 0), i1 = min(i + 1, w - 1), j0 = max(j, 0), j1 = min(j + 1, h - 1);
  float top = a[j0 * w + i0] * (1 - p) + a[j0 * w + i1] * p,
        low = a[j1 * w + i0] * (1 - p) + a[j1 * w + i1] * p;
  b[(size_t)y * wide + x] = top * (1 - q) + low * q;
}
GLOBAL median_of_frames(const uchar4 *__restrict__ a, uchar4 *__restrict__ b,
                        int n) { // of five, for each byte
  int i = gid();
  uint8_t v[5][4], m[4];
#pragma unroll
  for (int k = 0; k < 5; k++) {
    uchar4 p = a[k * n + i];
    v[k][0] = p.x, v[k][1] = p.y, v[k][2] = p.z, v[k][3] = p.w;
  }
#pragma unroll
  for (int c = 0; c < 4; c++) {
    int p = v[0][c], q = v[1][c], r = v[2][c], s = v[3][c], t = v[4][c];
    int low = max(min(p, q), min(r, s)), high = min(max(p, q), max(r, s));
    m[c] = max(min(low, high), min(max(low, high), t));
  }
  b[i] = make_uchar4(m[0], m[1], m[2], m[3]);
}
GLOBAL adam_step(float *__restrict__ w, const float *__restrict__ g, float *__restrict__ m,
                 float *__restrict__ v, float rate) {
  int i = gid(); // four arrays read, three of them written
  float d = g[i], p = 0.9f * m[i] + 0.1f * d, q = 0.999f * v[i] + 0.001f * d * d;
  m[i] = p, v[i] = q;
  w[i] -= rate * p * 10.0f / (sqrtf(q * 1000.0f) + 1e-8f);
}
GLOBAL sliding_means(const float *__restrict__ a, float *__restrict__ b,
                     int n) { // of 16, eight of them by a thread
  int first = gid() * 8;
  if (first + 24 > n)
    return;
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; k++)
    s += a[first + k];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    b[first + k] = s * 0.0625f;
    s += a[first + k + 16] - a[first + k];
  }
}

// ---- atomic -------------------------------------------------------------------------------------------------------------
GLOBAL compact_by_warps(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, uint32_t *count,
                        uint32_t mask) {
  uint32_t v = a[gid()], lane = threadIdx.x % 32, keep = (v & 3) == 0, all = __ballot_sync(~0u, keep), at = 0;
  if (lane == 0)
    at = atomicAdd(count, __popc(all));
  at = __shfl_sync(~0u, at, 0);
  if (keep)
    out[(at + __popc(all & ((1u << lane) - 1))) & mask] = v;
}
GLOBAL private_bins(const uint32_t *__restrict__ a, uint32_t *bins,
                    int words) { // four copies of 64 bins in a CTA of 256
  __shared__ uint32_t s[4][65];
  for (int k = threadIdx.x; k < 4 * 65; k += blockDim.x)
    s[k / 65][k % 65] = 0;
  __syncthreads();
  uint32_t *mine = s[threadIdx.x % 4];
  for (int k = 0; k < words; k++) {
    uint32_t v = a[k * threads_of_grid() + gid()];
    atomicAdd(&mine[v & 63], 1u);
    atomicAdd(&mine[v >> 6 & 63 & v >> 12], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    uint32_t sum = s[0][threadIdx.x] + s[1][threadIdx.x] + s[2][threadIdx.x] + s[3][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
  }
}
GLOBAL segment_ends(const uint32_t *__restrict__ a, uint32_t *sums,
                    int words) {                          // a thread's words are of few segments
  uint32_t segment = ~0u, sum = 0, first = gid() * words; // each ends where a hash of its place says so
  for (int k = 0; k < words; k++) {
    uint32_t i = first + k, s = i / 9 + (mix(i / 9) % 9 < i % 9);
    if (s != segment) {
      if (segment != ~0u)
        atomicAdd(&sums[segment], sum);
      segment = s, sum = 0;
    }
    sum += a[i];
  }
  atomicAdd(&sums[segment], sum);
}
GLOBAL queue_uneven(uint32_t *next, uint32_t *__restrict__ out,
                    uint32_t items) { // a warp takes an item after another
  int lane = threadIdx.x % 32;
  for (;;) {
    uint32_t item = 0;
    if (lane == 0)
      item = atomicAdd(next, 1u);
    item = __shfl_sync(~0u, item, 0);
    if (item >= items)
      return;
    uint32_t v = item * 32 + lane, rounds = 16 + (mix(item) & 127);
    for (uint32_t k = 0; k < rounds; k++)
      v = mix(v + k);
    out[item * 32 + lane] = v;
  }
}
GLOBAL splat_depth(const uint32_t *__restrict__ place, uint32_t *depth, int size) { // points of 2 x 2 pixels
  uint32_t v = place[gid()], x = v % (size - 1), y = (v >> 11) % (size - 1), d = mix(v) >> 8;
  atomicMin(&depth[y * size + x], d);
  atomicMin(&depth[y * size + x + 1], d);
  atomicMin(&depth[(y + 1) * size + x], d);
  atomicMin(&depth[(y + 1) * size + x + 1], d);
}
GLOBAL vote_lines(const uint32_t *__restrict__ point, uint32_t *votes,
                  int points) { // an angle for each thread and CTA's row
  __shared__ uint32_t s[512];
  for (int k = threadIdx.x; k < 512; k += blockDim.x)
    s[k] = 0;
  __syncthreads();
  float sine, cosine;
  __sincosf(3.14159265f / 64 * (float)(blockIdx.x % 64), &sine, &cosine);
  for (int k = threadIdx.x; k < points; k += blockDim.x) {
    uint32_t p = point[blockIdx.x / 64 * points + k];
    float rho = (float)(p & 255) * cosine + (float)(p >> 8 & 255) * sine;
    atomicAdd(&s[((int)rho + 512) >> 1 & 511], 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 512; k += blockDim.x)
    if (s[k])
      atomicAdd(&votes[blockIdx.x % 64 * 512 + k], s[k]);
}
GLOBAL append_to_buckets(const uint32_t *__restrict__ key, uint32_t *size, uint2 *__restrict__ bucket,
                         uint32_t room) {
  uint32_t v = key[gid()], b = v & 1023, at = atomicAdd(&size[b], 1u);
  bucket[b * room + at % room] = make_uint2(v, gid());
}
GLOBAL first_visits(const uint32_t *__restrict__ edge, uint32_t *seen, uint32_t *__restrict__ owner,
                    int each) {
  uint32_t won = 0; // who sets a bit first, owns the node
  for (int k = 0; k < each; k++) {
    uint32_t v = edge[k * threads_of_grid() + gid()] & 0x3fffff, bit = 1u << (v & 31);
    if (!(atomicOr(&seen[v >> 5], bit) & bit)) {
      owner[v] = gid();
      won++;
    }
  }
  if (won > 99)
    owner[0] = won;
}
GLOBAL reserve_ranges(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, uint32_t *end,
                      uint32_t mask) {
  uint32_t v = a[gid()], lane = threadIdx.x % 32, mine = v & 3, s = mine; // 0 to 3 words of a thread
  for (int d = 1; d < 32; d *= 2) {
    uint32_t o = __shfl_up_sync(~0u, s, d);
    if (lane >= d)
      s += o;
  }
  uint32_t at = 0;
  if (lane == 31)
    at = atomicAdd(end, s);
  at = __shfl_sync(~0u, at, 31) + s - mine;
  for (uint32_t k = 0; k < mine; k++)
    out[(at + k) & mask] = v + k;
}
GLOBAL add_normals(const uint32_t *__restrict__ corner, const float *__restrict__ place, float *normal,
                   uint32_t vertices) {
  uint32_t v[3]; // of a triangle, to each of its corners
  float p[9];
#pragma unroll
  for (int k = 0; k < 3; k++) {
    v[k] = (gid() / 2 + (corner[3 * gid() + k] & 255)) % vertices;
#pragma unroll
    for (int c = 0; c < 3; c++)
      p[3 * k + c] = place[3 * v[k] + c];
  }
  float ax = p[3] - p[0], ay = p[4] - p[1], az = p[5] - p[2], bx = p[6] - p[0], by = p[7] - p[1],
        bz = p[8] - p[2];
  float nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
#pragma unroll
  for (int k = 0; k < 3; k++) {
    atomicAdd(&normal[3 * v[k]], nx);
    atomicAdd(&normal[3 * v[k] + 1], ny);
    atomicAdd(&normal[3 * v[k] + 2], nz);
  }
}
