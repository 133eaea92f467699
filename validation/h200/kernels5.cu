// The fifth set of kernels on which the timing model is compared with a card: parts of real programs, one size each,
// most of them with branches that each lane takes as its data ask for. All of them may be looked at: they are to show
// what is missing in the model where the kept kernels of the sets before are far off. `kernels5.ptx` is made from this
// file (nvcc -O3 -arch=compute_90 -ptx); the launch files in kernels5/ name sizes and inputs.
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
  v = (v ^ v >> 15) * 0x2c1b3c6du;
  v = (v ^ v >> 12) * 0x297a2d39u;
  return v ^ v >> 15;
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
__device__ __forceinline__ uint32_t turn(uint32_t v, int by) {
  return v << by | v >> (32 - by);
}

// ---- divergent
// ----------------------------------------------------------------------------------------------------------
GLOBAL bvh_escape(const float4 *__restrict__ wobble, uint32_t *__restrict__ out, int levels) {
  // A hierarchy of boxes in the order of a walk, without a stack: a node that is missed says where to go on.
  uint32_t h = mix(gid() * 5 + 1);
  float ox = unit(h), oy = unit(mix(h + 1)), oz = -1.0f, dx = unit(mix(h + 2)) - 0.5f,
        dy = unit(mix(h + 3)) - 0.5f, dz = 1.0f;
  float ix = 1.0f / dx, iy = 1.0f / dy, iz = 1.0f / dz, best = 10.0f;
  uint32_t node = 1, visits = 0, hit = 0;
  int level = 0;
  float lx = 0, ly = 0, lz = 0;
  for (;;) {
    float4 w = wobble[node];
    // The corner of a node is that of its index, bits taken in turn for the three axes.
    uint32_t x = 0, y = 0, z = 0;
    for (int k = 0; k < level; k++) {
      uint32_t bit = node >> (level - 1 - k) & 1;
      if (k % 3 == 0)
        x = 2 * x + bit;
      else if (k % 3 == 1)
        y = 2 * y + bit;
      else
        z = 2 * z + bit;
    }
    float sx = 1.0f / (float)(1 << (level + 2) / 3), sy = 1.0f / (float)(1 << (level + 1) / 3),
          sz = 1.0f / (float)(1 << level / 3);
    lx = (float)x * sx, ly = (float)y * sy, lz = (float)z * sz;
    float shrink = 0.2f * w.w;
    float ax = (lx + shrink * sx * w.x - ox) * ix, bx = (lx + sx - shrink * sx * w.y - ox) * ix;
    float ay = (ly + shrink * sy * w.y - oy) * iy, by = (ly + sy - shrink * sy * w.z - oy) * iy;
    float az = (lz + shrink * sz * w.z - oz) * iz, bz = (lz + sz - shrink * sz * w.x - oz) * iz;
    float from = fmaxf(fmaxf(fminf(ax, bx), fminf(ay, by)), fmaxf(fminf(az, bz), 0.0f));
    float to = fminf(fminf(fmaxf(ax, bx), fmaxf(ay, by)), fminf(fmaxf(az, bz), best));
    visits++;
    if (from <= to) {
      if (level == levels) {
        best = from + 0.05f * w.x, hit = node;
      } else {
        node = 2 * node, level++;
        continue;
      }
    }
    int ones = __ffs(~node) - 1; // up while the node is a right child, then to the other child
    node = (node >> ones) + 1, level -= ones;
    if (level <= 0)
      break;
  }
  out[gid()] = hit << 10 | (visits & 1023);
}
GLOBAL voxel_walk(const uint32_t *__restrict__ solid, uint32_t *__restrict__ out, int rays) {
  // Rays through a grid of 64 x 64 x 64 cells, from cell to cell, until one is solid or the grid ends.
  uint32_t sum = 0;
  for (int r = 0; r < rays; r++) {
    uint32_t h = mix(gid() + r * 7919);
    float px = 64 * unit(h), py = 64 * unit(mix(h + 1)), pz = 0.01f;
    float dx = unit(mix(h + 2)) - 0.5f, dy = unit(mix(h + 3)) - 0.5f, dz = 0.2f + unit(mix(h + 4));
    int x = (int)px, y = (int)py, z = 0, sx = dx > 0 ? 1 : -1, sy = dy > 0 ? 1 : -1, steps = 0;
    float ux = fabsf(1.0f / dx), uy = fabsf(1.0f / dy), uz = 1.0f / dz;
    float tx = (dx > 0 ? (float)(x + 1) - px : px - (float)x) * ux,
          ty = (dy > 0 ? (float)(y + 1) - py : py - (float)y) * uy, tz = (1.0f - pz) * uz;
    while ((unsigned)x < 64 && (unsigned)y < 64 && z < 64) {
      uint32_t i = (z * 64 + y) * 2 + (x >> 5),
               w = solid[i] & solid[i + 8192] & solid[i + 16384] & solid[i + 24576];
      if (w >> (x & 31) & 1)
        break;
      steps++;
      if (tx < ty) {
        if (tx < tz)
          x += sx, tx += ux;
        else
          z++, tz += uz;
      } else if (ty < tz) {
        y += sy, ty += uy;
      } else {
        z++, tz += uz;
      }
    }
    sum = sum * 5 + steps * 4096 + z * 64 + (x & 63);
  }
  out[gid()] = sum;
}
GLOBAL json_values(const uint8_t *__restrict__ text, uint32_t *__restrict__ out, int bytes) {
  // Sums of numbers by depth of brackets; strings are jumped over. Letters: 0 to 9 digits, 10 [ 11 ] 12 { 13 } 14 , 15
  // "
  const uint8_t *p = text + (size_t)gid() * bytes, *end = p + bytes;
  uint32_t kind = 0, sum = 0, wrong = 0; // a bit for each open bracket
  int depth = 0;
  while (p < end) {
    uint8_t c = *p++;
    if (c < 10) {
      uint32_t v = c;
      while (p < end && *p < 10)
        v = v * 10 + *p++;
      sum += v * (depth + 1);
    } else if (c == 10 || c == 12) {
      if (depth == 31) {
        wrong++;
        break;
      }
      kind = kind << 1 | (c == 12);
      depth++;
    } else if (c == 11 || c == 13) {
      if (depth == 0 || (kind & 1) != (uint32_t)(c == 13)) {
        wrong++;
        continue;
      }
      kind >>= 1, depth--;
    } else if (c == 15) {
      uint32_t hash = 5381;
      while (p < end && *p != 15)
        hash = hash * 33 ^ *p++;
      p++;
      sum ^= hash;
    }
  }
  out[gid()] = sum ^ wrong << 20 ^ depth << 28;
}
GLOBAL quoted_fields(const uint8_t *__restrict__ text, const uint32_t *__restrict__ start,
                     uint32_t *__restrict__ out) {
  // A line of comma separated values for each thread, of 16 to 143 letters: fields, their longest, and doubled quotes.
  uint32_t from = gid() * 80 + (start[gid()] & 63), to = (gid() + 1) * 80 + (start[gid() + 1] & 63);
  uint32_t fields = 0, longest = 0, doubled = 0, length = 0, state = 0;
  for (uint32_t i = from; i < to; i++) {
    uint8_t c = text[i] & 31; // 0 a comma, 1 a quote
    switch (state) {
    case 0: // a field begins
      length = 0;
      if (c == 1) {
        state = 2;
        break;
      }
      state = 1;
      [[fallthrough]];
    case 1: // plain letters
      if (c == 0) {
        fields++, longest = max(longest, length);
        state = 0;
      } else {
        length++;
      }
      break;
    case 2: // between quotes
      if (c == 1)
        state = 3;
      else
        length++;
      break;
    default: // a quote within quotes
      if (c == 1) {
        doubled++, length++;
        state = 2;
      } else {
        fields++, longest = max(longest, length);
        state = c == 0 ? 0 : 1;
      }
    }
  }
  out[gid()] = fields << 16 | longest << 8 | doubled;
}
GLOBAL canonical_codes(const uint32_t *__restrict__ stream, const uint8_t *__restrict__ symbol,
                       uint32_t *__restrict__ out, int words) {
  // A Huffman code by its lengths: the first code of each length, one bit after the other.
  __shared__ uint16_t first[16], count[16], offset[16];
  if (threadIdx.x == 0) {
    uint32_t code = 0, at = 0;
    for (int k = 1; k < 16; k++) {
      uint32_t n = k < 3 ? 0 : k < 8 ? k - 1 : k < 12 ? 4 * k : 8;
      n = min(n, (1u << k) - code);
      first[k] = code, count[k] = n, offset[k] = at;
      at += n;
      code = (code + n) << 1;
    }
  }
  __syncthreads();
  uint32_t sum = 0, symbols = 0, code = 0, length = 0;
  for (int w = 0; w < words; w++) {
    uint32_t bits = stream[(size_t)w * threads_of_grid() + gid()];
    for (int b = 0; b < 32; b++) {
      code = code << 1 | (bits >> b & 1);
      length++;
      uint32_t in = code - first[length];
      if (in < count[length]) {
        sum = sum * 13 + symbol[offset[length] + in & 255];
        symbols++;
        code = 0, length = 0;
      } else if (length == 15) {
        code = 0, length = 0;
      }
    }
  }
  out[gid()] = sum ^ symbols << 20;
}
GLOBAL range_decode(const uint32_t *__restrict__ stream, uint32_t *__restrict__ out, int words, int symbols) {
  // A binary arithmetic decoder with adaptive contexts, a tree of three bits a symbol and one after it that depends on
  // it.
  uint16_t chance[16];
  for (int k = 0; k < 16; k++)
    chance[k] = 1024;
  uint32_t range = 0xffffffffu, code = stream[gid()], sum = 0, used = 1, bits = 0, left = 0;
  for (int s = 0; s < symbols; s++) {
    uint32_t node = 1;
    while (node < 8) {
      uint32_t bound = (range >> 11) * chance[node];
      if (code < bound) {
        range = bound;
        chance[node] += (2048 - chance[node]) >> 4;
        node = 2 * node;
      } else {
        range -= bound, code -= bound;
        chance[node] -= chance[node] >> 4;
        node = 2 * node + 1;
      }
      while (range < 1u << 24) {
        if (!left) {
          bits = used < (uint32_t)words ? stream[(size_t)used++ * threads_of_grid() + gid()] : 0x5a5a5a5a;
          left = 4;
        }
        range <<= 8, code = code << 8 | (bits & 255);
        bits >>= 8, left--;
      }
    }
    if (node == 9 || node == 14) // a pair is rare
      chance[8] = (chance[8] + node) & 2047;
    sum = sum * 7 + node;
  }
  out[gid()] = sum ^ chance[8];
}
GLOBAL longest_matches(const uint8_t *__restrict__ text, const uint32_t *__restrict__ before,
                       uint32_t *__restrict__ out, int chain, int most) {
  // For each place of a text the longest match that a chain of earlier places gives, as a compressor looks for it.
  uint32_t at = gid() + 4096, candidate = at - 1 - (before[at] & 63), best = 2, where = 0;
  for (int k = 0; k < chain; k++) {
    if (text[candidate + best] == text[at + best] && text[candidate] == text[at]) {
      uint32_t length = 0;
      while (length < (uint32_t)most && text[candidate + length] == text[at + length])
        length++;
      if (length > best) {
        best = length, where = candidate;
        if (length == (uint32_t)most)
          break;
      }
    }
    candidate -= 1 + (before[candidate] & 127);
    if (at - candidate > 2048)
      break;
  }
  out[gid()] = where << 5 | best;
}
GLOBAL rice_decode(const uint32_t *__restrict__ stream, int *__restrict__ out, int words, int samples) {
  // Residuals of a lossless sound coder: a unary part, k bits, a sign; the predictor sums two before.
  uint32_t used = 0, k = 1 + (gid() & 3), mean = 4;
  u64 buffer = 0;
  int left = 0, a = 0, b = 0, crc = 0;
  for (int s = 0; s < samples; s++) {
    uint32_t q = 0;
    for (;;) {
      if (left < 32) {
        uint32_t v = used < (uint32_t)words ? stream[(size_t)used * threads_of_grid() + gid()] : 0x11111111;
        used++;
        buffer |= (u64)v << (32 - left);
        left += 32;
      }
      int zeros = min(__clzll((long long)buffer), 20);
      q += zeros;
      if (zeros < 20) {
        buffer <<= zeros + 1, left -= zeros + 1;
        break;
      }
      buffer <<= 20, left -= 20;
    }
    uint32_t r = (uint32_t)(buffer >> (64 - k));
    buffer <<= k, left -= k;
    uint32_t v = q << k | r;
    int e = (int)(v >> 1) ^ -(int)(v & 1), c = 2 * a - b + e;
    c = max(-32768, min(32767, c));
    b = a, a = c;
    crc = crc * 31 + c;
    mean += v - (mean >> 4);
    if (mean > 16u << k && k < 12)
      k++;
    else if (mean < 8u << k && k > 1)
      k--;
  }
  out[gid()] = crc;
}
GLOBAL regex_threads(const uint32_t *__restrict__ code, const uint8_t *__restrict__ text,
                     uint32_t *__restrict__ out, int length, int letters) {
  // A regular expression by a list of threads: 0 letter, 1 any, 2 split, 3 jump, 4 match. Each warp has an expression,
  // each lane a text.
  uint8_t now[32], next[32], stack[32];
  const uint32_t *program = code + (gid() / 32 & 15) * length;
  uint32_t found = 0;
  int n = 0;
  for (int i = 0; i < letters; i++) {
    uint8_t c = text[(size_t)i * threads_of_grid() + gid()] & 3;
    uint32_t marked = 0, top = 0;
    int m = 0;
    // Threads that are there go on, and one begins anew.
    for (int t = 0; t <= n; t++) {
      if (t < n) {
        uint32_t o = program[now[t]];
        if ((o & 7) < 5 && (o >> 4 & 3) != c)
          continue;
        stack[top++] = (now[t] + 1) % length;
      } else {
        stack[top++] = 0;
      }
      while (top) {
        uint32_t pc = stack[--top];
        if (marked >> pc & 1)
          continue;
        marked |= 1u << pc;
        uint32_t o = program[pc], kind = o & 15;
        if (kind < 9)
          next[m++] = pc;
        else if (kind < 12) {
          stack[top++] = (pc + 1) % length;
          stack[top++] = (o >> 8) % length;
        } else if (kind < 14)
          stack[top++] = (o >> 8) % length;
        else
          found++;
        if (top > 29)
          top = 0;
      }
    }
    n = m;
    for (int t = 0; t < n; t++)
      now[t] = next[t];
  }
  out[gid()] = found << 8 | n;
}
GLOBAL aho_corasick(const uint32_t *__restrict__ table, const uint8_t *__restrict__ text,
                    uint32_t *__restrict__ out, int letters) {
  // Many words at once: a state has few children; where none fits, the state's longest suffix is tried.
  uint32_t state = 0, found = 0;
  for (int i = 0; i < letters; i++) {
    uint32_t c = text[(size_t)i * threads_of_grid() + gid()] & 7;
    for (;;) {
      uint32_t v = table[state];
      if ((v & 7) == c || (v >> 3 & 7) == c || state < 8) { // to a deeper state
        state = ((v & 7) == c ? 2 * state + 1 : 2 * state + 2 + (c & 1)) & 16383;
        if (state == 0)
          state = c + 1;
        found += (table[state] >> 26) == 0;
        break;
      }
      state = (v >> 8) % state; // a suffix is a smaller number
    }
  }
  out[gid()] = found << 16 | state;
}
GLOBAL horspool_search(const uint8_t *__restrict__ text, uint32_t *__restrict__ out, int bytes) {
  // A pattern of 4 to 11 letters for each thread in a text of its warp, with a table of shifts.
  uint8_t shift[8], pattern[11];
  uint32_t h = mix(gid() + 555), length = 4 + (h & 7), found = 0, tried = 0;
  for (int k = 0; k < 8; k++)
    shift[k] = length;
  for (uint32_t k = 0; k < length; k++) {
    pattern[k] = mix(h + k) & (k & 1 ? 7 : 3);
    if (k + 1 < length)
      shift[pattern[k]] = length - 1 - k;
  }
  const uint8_t *t = text + (size_t)(gid() / 32) * bytes;
  uint32_t at = 0;
  while (at + length <= (uint32_t)bytes) {
    int k = length - 1;
    while (k >= 0 && (t[at + k] & 7) == pattern[k])
      k--;
    tried += length - k;
    if (k < 0)
      found++;
    at += shift[t[at + length - 1] & 7];
  }
  out[gid()] = found << 16 | tried;
}
GLOBAL suffix_bounds(const uint8_t *__restrict__ text, const uint32_t *__restrict__ suffix,
                     uint32_t *__restrict__ out, uint32_t n) {
  // Places of a query of 6 to 13 letters between sorted suffixes, which are a text's in order of their hashes here.
  uint32_t q = mix(gid()), length = 6 + (q >> 29), low = 0, high = n;
  while (low < high) {
    uint32_t middle = (low + high) / 2, s = suffix[middle] & (n - 1), k = 0;
    int order = 0;
    for (; k < length && order == 0; k++)
      order = (int)(text[s + k] & 3) - (int)(q >> 2 * k & 3);
    if (order < 0 || (order == 0 && (s & 1)))
      low = middle + 1;
    else
      high = middle;
  }
  out[gid()] = low;
}
GLOBAL cuckoo_find(const uint2 *__restrict__ table, const uint32_t *__restrict__ key,
                   uint32_t *__restrict__ out, uint32_t mask, int keys) {
  uint32_t found = 0, sum = 0;
  for (int k = 0; k < keys; k++) {
    uint32_t want = key[k * threads_of_grid() + gid()] & 0xffff, at = mix(want) & mask;
    uint2 e = table[at];
    if ((e.x & 3) != (want & 3)) {
      e = table[mix(want + 0x9e3779b9u) & mask];
      if ((e.x & 3) != (want & 3)) {
        e = table[mask + 1 + (want & 7)]; // a few that found no place
        if ((e.x & 7) != (want & 7))
          continue;
      }
    }
    found++, sum += e.y;
  }
  out[gid()] = found << 24 ^ sum;
}
GLOBAL robin_hood(const uint32_t *__restrict__ key, uint32_t *__restrict__ out, int keys) {
  // Keys into a table of 64 places of each thread: who is far from home takes the place of who is near.
  uint32_t place[64];
  for (int k = 0; k < 64; k++)
    place[k] = 0;
  uint32_t moves = 0, twice = 0;
  for (int k = 0; k < keys; k++) {
    uint32_t v = (key[k * threads_of_grid() + gid()] & 0xfff) | 0x1000, at = v * 37 >> 3 & 63, far = 0;
    for (;;) {
      uint32_t w = place[at];
      if (w == 0) {
        place[at] = v;
        break;
      }
      if (w == v) {
        twice++;
        break;
      }
      uint32_t his = (at - (w * 37 >> 3)) & 63;
      if (his < far) {
        place[at] = v;
        v = w, far = his;
        moves++;
      }
      at = (at + 1) & 63, far++;
    }
  }
  uint32_t sum = 0;
  for (int k = 0; k < 64; k++)
    sum = sum * 3 + place[k];
  out[gid()] = sum ^ moves << 16 ^ twice;
}
GLOBAL shell_sort(const uint32_t *__restrict__ a,
                  uint32_t *__restrict__ b) { // 48 keys of a thread, in shared memory
  __shared__ uint32_t s[48][64];
  uint32_t t = threadIdx.x, n = threads_of_grid();
  for (int k = 0; k < 48; k++)
    s[k][t] = a[k * n + gid()];
  for (int gap = 23; gap > 0; gap = gap == 23 ? 10 : gap == 10 ? 4 : gap == 4 ? 1 : 0)
    for (int i = gap; i < 48; i++) {
      uint32_t v = s[i][t];
      int j = i;
      for (; j >= gap && s[j - gap][t] > v; j -= gap)
        s[j][t] = s[j - gap][t];
      s[j][t] = v;
    }
  for (int k = 0; k < 48; k++)
    b[k * n + gid()] = s[k][t];
}
GLOBAL longest_prefix(const uint32_t *__restrict__ route, const uint32_t *__restrict__ address,
                      uint32_t *__restrict__ out, int each) {
  // Routes of addresses by a trie of 4 bits a step, with path compression by a bit map of children.
  uint32_t sum = 0;
  for (int k = 0; k < each; k++) {
    uint32_t a = address[k * threads_of_grid() + gid()], node = a >> 22, hop = 0;
    for (int shift = 18; shift >= 0; shift -= 4) {
      uint32_t v = route[node], digit = a >> shift & 15, map = v & 0xffff;
      if (v >> 30 == 0)
        hop = v >> 16 & 255;
      if (!(map >> digit & 1))
        break;
      node = 1024 + ((node * 16 + __popc(map & ((1u << digit) - 1))) & 0x1ffff);
    }
    sum = sum * 9 + hop;
  }
  out[gid()] = sum;
}
GLOBAL treap_insert(const uint32_t *__restrict__ key, uint32_t *__restrict__ out, int keys) {
  // A binary search tree of up to 32 nodes for each thread; then sums along paths to keys.
  uint32_t node[32];
  uint8_t left[32], right[32];
  int n = 0, deep = 0;
  for (int k = 0; k < keys; k++) {
    uint32_t v = key[k * threads_of_grid() + gid()] >> 8;
    int at = 0, depth = 0;
    bool there = n == 0;
    if (n == 0) {
      node[0] = v, left[0] = right[0] = 255, n = 1;
      continue;
    }
    while (!there) {
      if (v == node[at])
        break;
      uint8_t *child = v < node[at] ? &left[at] : &right[at];
      depth++;
      if (*child == 255) {
        *child = n;
        node[n] = v, left[n] = right[n] = 255, n++;
        there = true;
      } else {
        at = *child;
      }
    }
    deep = max(deep, depth);
  }
  uint32_t sum = 0;
  for (int k = 0; k < 12; k++) {
    uint32_t v = mix(gid() + k) >> 8;
    int at = 0;
    while (at != 255) {
      sum += node[at];
      at = v < node[at] ? left[at] : right[at];
    }
  }
  out[gid()] = sum ^ deep << 24;
}
__device__ __noinline__ int negamax(uint32_t mine, uint32_t his, int alpha, int beta, int &nodes) {
  nodes++;
  // Lines of three on a board of 3 x 3.
  if ((his & his >> 1 & his >> 2 & 0x49) || (his & his >> 3 & his >> 6 & 7) || (his & 0x111) == 0x111 ||
      (his & 0x54) == 0x54)
    return -1;
  uint32_t free = ~(mine | his) & 0x1ff;
  if (!free)
    return 0;
  int best = -2;
  while (free) {
    uint32_t bit = free & -free;
    free ^= bit;
    int v = -negamax(his, mine | bit, -beta, -max(alpha, best), nodes);
    best = max(best, v);
    if (best >= beta)
      break;
  }
  return best;
}
GLOBAL minimax_board(uint32_t *__restrict__ out) { // up to six stones are placed at random
  uint32_t h = mix(gid()), mine = 0, his = 0;
  for (int k = 0; k < 6; k++) {
    uint32_t bit = 1u << (h >> 4 * k) % 9;
    if ((mine | his) & bit)
      continue;
    if (k & 1)
      his |= bit;
    else
      mine |= bit;
  }
  int nodes = 0, v = negamax(mine, his, -2, 2, nodes);
  out[gid()] = nodes * 4 + v + 1;
}
GLOBAL subset_sums(const uint32_t *__restrict__ weight, uint32_t *__restrict__ out, int items,
                   uint32_t nodes_most) {
  // Subsets of up to 20 weights that make a sum, by going back; cut off where the rest cannot reach it.
  uint16_t w[20], rest[21];
  for (int k = 0; k < items; k++)
    w[k] = 1 + (weight[k * threads_of_grid() + gid()] & 511);
  rest[items] = 0;
  for (int k = items - 1; k >= 0; k--)
    rest[k] = rest[k + 1] + w[k];
  uint32_t goal = rest[0] / 3, sum = 0, taken = 0, found = 0, nodes = 0;
  int at = 0;
  for (;;) {
    bool back = false;
    nodes++;
    if (sum == goal)
      found++, back = true;
    else if (at == items || sum > goal || sum + rest[at] < goal || nodes > nodes_most)
      back = true;
    if (!back) {
      taken |= 1u << at, sum += w[at++];
      continue;
    }
    while (at > 0 && !(taken >> (at - 1) & 1)) // to the last that was taken
      at--;
    if (at == 0 || nodes > nodes_most)
      break;
    taken &= ~(1u << (at - 1)), sum -= w[at - 1];
  }
  out[gid()] = found << 16 | (nodes & 0xffff);
}
GLOBAL knight_paths(uint32_t *__restrict__ out, int most) {
  // Walks of a knight over a board of 5 x 5 that visit no field twice, to a depth, from fields with some taken at
  // random.
  const signed char dx[8] = {1, 2, 2, 1, -1, -2, -2, -1}, dy[8] = {2, 1, -1, -2, -2, -1, 1, 2};
  uint8_t way[12], move[12];
  uint32_t seen = mix(gid()) & mix(gid() + 91) & 0x1ffffff, paths = 0;
  int depth = 0;
  way[0] = gid() % 25, move[0] = 0;
  seen |= 1u << way[0];
  while (depth >= 0) {
    if (move[depth] == 8 || depth == most) {
      paths += depth == most;
      seen &= ~(1u << way[depth--]);
      continue;
    }
    int m = move[depth]++, x = way[depth] % 5 + dx[m], y = way[depth] / 5 + dy[m];
    if ((unsigned)x > 4 || (unsigned)y > 4 || seen >> (y * 5 + x) & 1)
      continue;
    depth++;
    way[depth] = y * 5 + x, move[depth] = 0;
    seen |= 1u << (y * 5 + x);
  }
  out[gid()] = paths;
}
GLOBAL poisson_draws(uint32_t *__restrict__ out,
                     int draws) { // small means by products, large ones by rejection
  uint32_t s = mix(gid() + 17) | 1, sum = 0;
  for (int k = 0; k < draws; k++) {
    float mean = 0.5f + 24.0f * unit(xorshift(s));
    if (mean < 12.0f) {
      float p = expf(-mean), u = unit(xorshift(s));
      uint32_t n = 0;
      while (u > p)
        u *= unit(xorshift(s)), n++;
      sum += n;
      continue;
    }
    float beta = 3.14159265f * rsqrtf(3.0f * mean), alpha = beta * mean,
          c = logf(0.767f - 3.36f / mean) - mean - logf(beta);
    for (;;) {
      float u = unit(xorshift(s)) + 1e-7f, x = (alpha - logf((1.0f - u) / u)) / beta, n = floorf(x + 0.5f);
      if (n < 0)
        continue;
      float v = unit(xorshift(s)) + 1e-7f, y = alpha - beta * x, t = 1.0f + expf(y);
      if (y + logf(v / (t * t)) <= c + n * logf(mean) - lgammaf(n + 1.0f)) {
        sum += (uint32_t)n;
        break;
      }
    }
  }
  out[gid()] = sum;
}
GLOBAL ziggurat(const float2 *__restrict__ layer, float *__restrict__ out,
                int draws) { // exponentials by layers
  __shared__ float2 s[128];
  for (int k = threadIdx.x; k < 128; k += blockDim.x) {
    float2 v = layer[k];
    s[k] = make_float2((float)(k + 1) * 0.06f + 0.01f * v.x, 0.9f + 0.09f * v.y);
  }
  __syncthreads();
  uint32_t r = mix(gid() + 4) | 1;
  float sum = 0;
  for (int k = 0; k < draws; k++)
    for (;;) {
      uint32_t v = xorshift(r), i = v & 127;
      float u = unit(v), x = u * s[i].x;
      if (u < s[i].y) { // inside the layer
        sum += x;
        break;
      }
      if (i == 0) { // the tail
        sum += 7.7f - logf(unit(xorshift(r)) + 1e-7f);
        break;
      }
      if (s[i - 1].y * 0.5f + unit(xorshift(r)) * 0.5f < __expf(-0.1f * x)) {
        sum += x;
        break;
      }
    }
  out[gid()] = sum;
}
GLOBAL clip_triangles(const float *__restrict__ corner, float *__restrict__ out) {
  // A triangle cut by the four sides of a window, after Sutherland and Hodgman; its area then.
  float px[2][8], py[2][8];
  int n = 3, from = 0, count = threads_of_grid();
  for (int k = 0; k < 3; k++)
    px[0][k] = corner[(2 * k) * count + gid()] * 2.0f - 0.5f,
    py[0][k] = corner[(2 * k + 1) * count + gid()] * 2.0f - 0.5f;
  for (int side = 0; side < 4 && n; side++, from ^= 1) {
    int m = 0;
    float ax = px[from][n - 1], ay = py[from][n - 1];
    float da = side == 0 ? ax : side == 1 ? 1.0f - ax : side == 2 ? ay : 1.0f - ay;
    for (int k = 0; k < n; k++) {
      float bx = px[from][k], by = py[from][k];
      float db = side == 0 ? bx : side == 1 ? 1.0f - bx : side == 2 ? by : 1.0f - by;
      if ((da < 0) != (db < 0)) {
        float t = da / (da - db);
        px[from ^ 1][m] = ax + t * (bx - ax), py[from ^ 1][m++] = ay + t * (by - ay);
      }
      if (db >= 0)
        px[from ^ 1][m] = bx, py[from ^ 1][m++] = by;
      ax = bx, ay = by, da = db;
    }
    n = m;
  }
  float area = 0;
  for (int k = 1; k + 1 < n; k++)
    area += (px[from][k] - px[from][0]) * (py[from][k + 1] - py[from][0]) -
            (px[from][k + 1] - px[from][0]) * (py[from][k] - py[from][0]);
  out[gid()] = fabsf(area) + (float)n;
}
GLOBAL box_collisions(const float4 *__restrict__ pose, uint32_t *__restrict__ out, int n, int each) {
  // Two turned boxes are apart if one of 15 axes says so: the cheap ones first.
  float4 p = pose[gid() % n];
  float c = cosf(6.2831853f * p.w), s = sinf(6.2831853f * p.w);
  uint32_t hits = 0, axes = 0;
  for (int k = 1; k <= each; k++) {
    float4 q = pose[(gid() + k * 37) % n];
    float tx = 3.0f * (q.x - p.x), ty = 3.0f * (q.y - p.y), tz = 3.0f * (q.z - p.z);
    float d = tx * tx + ty * ty + tz * tz;
    axes++;
    if (d > 4.0f)
      continue;
    float cq = cosf(6.2831853f * q.w), sq = sinf(6.2831853f * q.w);
    // Turned about different axes: a about z, b about x.
    float r[3][3] = {{c, s * cq, s * sq}, {-s, c * cq, c * sq}, {0.0f, -sq, cq}}, e[3] = {0.9f, 0.5f, 0.4f},
          f[3] = {0.6f, 0.7f, 0.3f};
    float t[3] = {c * tx + s * ty, c * ty - s * tx, tz};
    bool apart = false;
    for (int i = 0; i < 3 && !apart; i++) {
      axes++;
      apart = fabsf(t[i]) > e[i] + f[0] * fabsf(r[i][0]) + f[1] * fabsf(r[i][1]) + f[2] * fabsf(r[i][2]);
    }
    for (int j = 0; j < 3 && !apart; j++) {
      axes++;
      float v = t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j];
      apart = fabsf(v) > f[j] + e[0] * fabsf(r[0][j]) + e[1] * fabsf(r[1][j]) + e[2] * fabsf(r[2][j]);
    }
    for (int i = 0; i < 3 && !apart; i++)
      for (int j = 0; j < 3 && !apart; j++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        float v = fabsf(t[i2] * r[i1][j] - t[i1] * r[i2][j]);
        axes++;
        apart = v > e[i1] * fabsf(r[i2][j]) + e[i2] * fabsf(r[i1][j]) + f[j1] * fabsf(r[i][j2]) +
                        f[j2] * fabsf(r[i][j1]);
      }
    hits += !apart;
  }
  out[gid()] = hits << 16 | axes;
}
GLOBAL points_in_polygons(const float2 *__restrict__ vertex, const uint32_t *__restrict__ noise,
                          uint32_t *__restrict__ out, int polygons) {
  // Which of a few polygons, of 3 to 34 corners, has the point: crossings of a ray.
  uint32_t h = mix(gid()), inside = 0;
  float x = unit(h), y = unit(mix(h));
  for (int k = 0; k < polygons; k++) {
    int id = (gid() * 3 + k * 101) & 2047, first = id * 16 + (noise[id] & 15),
        last = id * 16 + 16 + (noise[id + 1] & 15) + 2;
    float2 a = vertex[last - 1];
    bool in = false;
    for (int i = first; i < last; i++) {
      float2 b = vertex[i];
      if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x)
        in = !in;
      a = b;
    }
    inside += in;
  }
  out[gid()] = inside;
}
GLOBAL sparse_row_sums(const uint32_t *__restrict__ gap, const float *__restrict__ value,
                       const uint32_t *__restrict__ noise, float *__restrict__ out) {
  // Sum of the absolute values of the sum of two sparse rows, whose columns are sorted: a merge of uneven lists.
  uint32_t r = gid(), q = (r * 5 + 7) % threads_of_grid();
  uint32_t i = r * 24 + (noise[r] & 15), iend = i + 4 + (noise[r] >> 27), j = q * 24 + (noise[q] & 15),
           jend = j + 4 + (noise[q] >> 27);
  uint32_t a = gap[i] & 31, b = gap[j] & 31, columns = 0;
  float sum = 0;
  while (i < iend && j < jend) {
    float v = 0;
    bool first = a <= b, second = b <= a;
    if (first) {
      v += value[i++];
      a += 1 + (gap[i] & 31);
    }
    if (second) {
      v -= value[j++];
      b += 1 + (gap[j] & 31);
    }
    sum += fabsf(v), columns++;
  }
  for (; i < iend; i++, columns++)
    sum += fabsf(value[i]);
  for (; j < jend; j++, columns++)
    sum += fabsf(value[j]);
  out[r] = sum + (float)columns;
}
GLOBAL sparse_row_products(const uint32_t *__restrict__ column, const uint32_t *__restrict__ noise,
                           uint32_t *__restrict__ out, uint32_t rows) {
  // How many nonzeros a row of the product of two sparse matrices has: columns go into a table of the thread in shared
  // memory.
  __shared__ uint16_t table[64][65];
  uint16_t *mine = table[threadIdx.x];
  for (int k = 0; k < 64; k++)
    mine[k] = 0xffff;
  uint32_t r = gid(), count = 0, from = r * 6 + (noise[r] & 3), to = r * 6 + 6 + (noise[r + 1] & 3);
  for (uint32_t i = from; i < to; i++) {
    uint32_t c = column[i] % rows, cfrom = c * 6 + (noise[c] & 3), cto = c * 6 + 6 + (noise[c + 1] & 3);
    for (uint32_t j = cfrom; j < cto; j++) {
      uint16_t d = column[j] & 127 & (column[j] >> 8 | 0x55), at = d * 29 & 63;
      while (mine[at] != 0xffff && mine[at] != d && count < 60)
        at = (at + 1) & 63;
      if (mine[at] == 0xffff)
        mine[at] = d, count++;
    }
  }
  out[r] = count;
}
GLOBAL bit_bfs(const u64 *__restrict__ row, uint32_t *__restrict__ out) {
  // Breadth-first search in a graph of 64 nodes by sets of bits; how far the farthest node is, and how many are
  // reached.
  uint32_t id = gid() / 16;
  int start = gid() * 4 & 63, distance = 0;
  u64 seen = 1ull << start, front = seen;
  while (front) {
    u64 next = 0;
    for (u64 f = front; f; f &= f - 1) {
      int v = __ffsll((long long)f) - 1;
      u64 a = row[(id * 64 + v) % 32768], b = row[(id * 64 + v + 77) % 32768],
          c = row[(id * 64 + v + 131) % 32768];
      next |= a & b & c & (a >> 7 | b << 9) & (c >> 13 | a << 5);
    }
    front = next & ~seen;
    seen |= next;
    distance++;
  }
  out[gid()] = __popcll(seen) << 8 | distance;
}
GLOBAL dijkstra_16(const uint32_t *__restrict__ weight,
                   uint32_t *__restrict__ out) { // a graph of 16 nodes for each thread
  uint32_t far[16], open = 1;
  for (int k = 0; k < 16; k++)
    far[k] = 0x7fffffff;
  int start = gid() & 15, settled = 0;
  far[start] = 0;
  open = 1u << start;
  uint32_t done = 0;
  while (open) {
    uint32_t best = 0x7fffffff;
    int at = 0;
    for (uint32_t o = open; o; o &= o - 1) {
      int k = __ffs(o) - 1;
      if (far[k] < best)
        best = far[k], at = k;
    }
    open &= ~(1u << at), done |= 1u << at;
    settled++;
    for (int k = 0; k < 16; k++) {
      uint32_t w = weight[(gid() / 16 * 16 + at) * 16 + k];
      if ((w & 3) || done >> k & 1)
        continue;
      uint32_t d = best + 1 + (w >> 20 & 255);
      if (d < far[k])
        far[k] = d, open |= 1u << k;
    }
  }
  uint32_t sum = 0;
  for (int k = 0; k < 16; k++)
    sum = sum * 3 + far[k];
  out[gid()] = sum ^ settled;
}
GLOBAL photon_paths(float *__restrict__ out,
                    int photons) { // through a slab that scatters and absorbs, with roulette
  uint32_t s = mix(gid() + 99) | 1;
  float back = 0, through = 0, kept = 0;
  for (int k = 0; k < photons; k++) {
    float z = 0, ux = 0, uy = 0, uz = 1.0f, weight = 1.0f;
    for (;;) {
      z += uz * -__logf(unit(xorshift(s)) + 1e-7f) * 0.3f;
      if (z < 0) {
        back += weight;
        break;
      }
      if (z > 1.0f) {
        through += weight;
        break;
      }
      kept += 0.1f * weight;
      weight *= 0.9f;
      float g = 0.8f, t = (1.0f - g * g) / (1.0f - g + 2.0f * g * unit(xorshift(s))),
            c = (1.0f + g * g - t * t) / (2.0f * g);
      float q = sqrtf(fmaxf(0.0f, 1.0f - c * c)), sp, cp;
      __sincosf(6.2831853f * unit(xorshift(s)), &sp, &cp);
      if (fabsf(uz) > 0.999f) {
        ux = q * cp, uy = q * sp, uz = uz > 0 ? c : -c;
      } else {
        float r = sqrtf(1.0f - uz * uz), x = q * (ux * uz * cp - uy * sp) / r + ux * c,
              y = q * (uy * uz * cp + ux * sp) / r + uy * c;
        uz = -q * cp * r + uz * c, ux = x, uy = y;
      }
      if (weight < 0.3f) {
        if (unit(xorshift(s)) > 0.25f) {
          kept += weight;
          break;
        }
        weight *= 4.0f;
      }
    }
  }
  out[gid()] = back + 3.0f * through + 7.0f * kept;
}
GLOBAL pollard_rho(uint32_t *__restrict__ out, uint32_t first) { // a factor by a cycle, after Brent
  uint32_t n = first + 2 * gid(), c = 1 + (gid() & 7), y = 2, x = 2, g = 1, power = 1, length = 0, steps = 0;
  while (g == 1 && steps < 160) {
    uint32_t q = 1;
    if (length == power)
      x = y, power *= 2, length = 0;
    for (int k = 0; k < 8 && length < power; k++, length++, steps++) {
      y = (uint32_t)(((u64)y * y + c) % n);
      q = (uint32_t)((u64)q * (x > y ? x - y : y - x) % n);
    }
    uint32_t a = q, b = n;
    while (a) {
      uint32_t r = b % a;
      b = a, a = r;
    }
    g = b;
  }
  out[gid()] = g << 8 | (steps & 255);
}
GLOBAL long_division(const uint32_t *__restrict__ a, uint8_t *__restrict__ out, int words) {
  // Numbers of 64 to 192 bits as decimal digits: nine digits at a time.
  uint32_t v[6];
  int n = 2 + (a[gid()] >> 28) % (words - 1), step = threads_of_grid();
  uint8_t digits[60];
  for (int k = 0; k < n; k++)
    v[k] = a[k * step + gid()];
  int count = 0;
  while (n > 0) {
    u64 rest = 0;
    for (int k = n - 1; k >= 0; k--) {
      u64 w = rest << 32 | v[k];
      v[k] = (uint32_t)(w / 1000000000u);
      rest = w % 1000000000u;
    }
    while (n > 0 && v[n - 1] == 0)
      n--;
    uint32_t r = (uint32_t)rest;
    for (int k = 0; k < 9 && (n > 0 || r > 0); k++) {
      digits[count++] = '0' + r % 10;
      r /= 10;
    }
  }
  uint8_t *to = out + (size_t)gid() * 60;
  for (int k = 0; k < count; k++)
    to[k] = digits[count - 1 - k];
}
GLOBAL wire_messages(const uint8_t *__restrict__ bytes, uint32_t *__restrict__ out, int length) {
  // Fields of a message: a tag with a kind, then a number of seven bits a byte, four or eight bytes, or a nested
  // message.
  const uint8_t *p = bytes + (size_t)gid() * length, *end = p + length;
  uint32_t sum = 0, fields = 0, depth = 0;
  while (p < end) {
    uint8_t tag = *p++;
    fields++;
    switch (tag & 7) {
    case 0:
    case 3: { // a number
      u64 v = 0;
      int shift = 0;
      while (p < end) {
        uint8_t c = *p++;
        v |= (u64)(c & 127) << shift;
        shift += 7;
        if (c < 160 || shift > 56)
          break;
      }
      sum += (uint32_t)(v >> 1) ^ -(uint32_t)(v & 1) ^ (uint32_t)(v >> 32);
      break;
    }
    case 1: { // eight bytes
      u64 v = 0;
      for (int k = 0; k < 8 && p < end; k++)
        v = v << 8 | *p++;
      sum ^= (uint32_t)(v >> 20);
      break;
    }
    case 2: { // a string
      uint32_t n = *p++ & 15;
      while (n-- && p < end)
        sum = sum * 31 + *p++;
      break;
    }
    case 5: { // four bytes
      uint32_t v = 0;
      for (int k = 0; k < 4 && p < end; k++)
        v |= (uint32_t)*p++ << 8 * k;
      sum += v;
      break;
    }
    case 4: // a nested message
      depth++;
      break;
    default:
      if (depth)
        depth--;
      sum ^= tag * 0x01010101u;
    }
  }
  out[gid()] = sum ^ fields << 24 ^ depth << 16;
}
GLOBAL tape_machine(const uint32_t *__restrict__ code, uint32_t *__restrict__ out, int length, int steps) {
  // Eight instructions on a tape of bytes; loops jump to their brackets by looking for them. Four warps share a
  // program.
  uint8_t tape[64];
  const uint32_t *program = code + gid() / 128 % 64 * (length / 8);
  uint32_t pc = 0, at = 0, sum = 0, in = mix(gid());
  for (int k = 0; k < 64; k++)
    tape[k] = in >> (k & 15) & 3;
  for (int k = 0; k < steps; k++) {
    uint32_t i = program[pc >> 3] >> 4 * (pc & 7) & 15;
    switch (i >> 1) {
    case 0:
      at = (at + 1 + (i & 1)) & 63;
      break;
    case 1:
      at = (at - 1 - (i & 1)) & 63;
      break;
    case 2:
      tape[at]++;
      break;
    case 3:
      tape[at]--;
      break;
    case 4:
      sum = sum * 31 + tape[at];
      break;
    case 5:
      tape[at] = in & 3;
      in = in >> 2 | in << 30;
      break;
    case 6: // on to the bracket that closes, if the cell is zero
      if (tape[at] == 0)
        for (int deep = 1, n = 0; deep && n < 40; n++) {
          pc = pc + 1 == (uint32_t)length ? 0 : pc + 1;
          uint32_t o = program[pc >> 3] >> 4 * (pc & 7) >> 1 & 7;
          deep += o == 6 ? 1 : o == 7 ? -1 : 0;
        }
      break;
    default: // back to the bracket that opens, if it is not
      if (tape[at] & 3)
        for (int deep = 1, n = 0; deep && n < 40; n++) {
          pc = pc == 0 ? length - 1 : pc - 1;
          uint32_t o = program[pc >> 3] >> 4 * (pc & 7) >> 1 & 7;
          deep += o == 7 ? 1 : o == 6 ? -1 : 0;
        }
    }
    pc = pc + 1 == (uint32_t)length ? 0 : pc + 1;
  }
  out[gid()] = sum ^ at << 24 ^ pc;
}
__device__ __noinline__ float expression(const uint8_t *__restrict__ text, int &at, int end, float x,
                                         int depth) {
  if (at >= end || depth > 7)
    return x;
  uint8_t c = text[at++];
  switch (c & 7) {
  case 0:
    return expression(text, at, end, x, depth + 1) + expression(text, at, end, x, depth + 1);
  case 1:
    return expression(text, at, end, x, depth + 1) - 0.5f * expression(text, at, end, x, depth + 1);
  case 2:
    return expression(text, at, end, x, depth + 1) * expression(text, at, end, 1.0f - x, depth + 1);
  case 3:
    return fminf(expression(text, at, end, x, depth + 1), 2.0f);
  case 4:
    return -expression(text, at, end, 0.5f * x, depth + 1);
  case 5:
    return (float)(c >> 3) * 0.1f;
  default:
    return x;
  }
}
GLOBAL prefix_expressions(const uint8_t *__restrict__ text, float *__restrict__ out,
                          int bytes) { // by recursion
  int at = 0;
  float sum = 0;
  const uint8_t *mine = text + (size_t)(gid() / 2) * bytes; // two lanes have the same expressions
  while (at < bytes)
    sum = 0.5f * sum + expression(mine, at, bytes, unit(mix(gid())), 0);
  out[gid()] = sum;
}
GLOBAL sandpiles(uint32_t *__restrict__ out,
                 int grains) { // on 6 x 6 fields of a thread: four grains fall to the neighbours
  uint8_t pile[36], stack[40];
  uint32_t h = mix(gid()) | 1, falls = 0;
  for (int k = 0; k < 36; k++)
    pile[k] = 1 + (mix(h + k) & 1);
  for (int g = 0; g < grains; g++) {
    int top = 0, at = xorshift(h) % 36;
    if (++pile[at] == 4)
      stack[top++] = at;
    while (top) {
      at = stack[--top];
      pile[at] -= 4;
      falls++;
      int x = at % 6, y = at / 6;
      if (x > 0 && ++pile[at - 1] == 4)
        stack[top++] = at - 1;
      if (x < 5 && ++pile[at + 1] == 4)
        stack[top++] = at + 1;
      if (y > 0 && ++pile[at - 6] == 4)
        stack[top++] = at - 6;
      if (y < 5 && ++pile[at + 6] == 4)
        stack[top++] = at + 6;
      if (pile[at] >= 4)
        stack[top++] = at;
    }
  }
  out[gid()] = falls;
}
GLOBAL common_ancestors(const uint32_t *__restrict__ noise, uint32_t *__restrict__ out, int pairs,
                        uint32_t n) {
  uint32_t sum = 0, s = mix(gid()) | 1; // parents have smaller numbers, between a quarter and three quarters
  for (int k = 0; k < pairs; k++) {
    uint32_t a = xorshift(s) & (n - 1), b = xorshift(s) & (n - 1);
    while (a != b) {
      if (a > b)
        a = a / 4 + __umulhi(noise[a], a / 2);
      else
        b = b / 4 + __umulhi(noise[b], b / 2);
    }
    sum = sum * 3 + a;
  }
  out[gid()] = sum;
}
GLOBAL roman_numerals(const uint32_t *__restrict__ year, uint8_t *__restrict__ out, int numbers) {
  __shared__ uint16_t value[13];
  __shared__ uint8_t letter[13][2];
  if (threadIdx.x < 13) {
    const uint16_t values[13] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    const char *letters = "M\0CMD\0CDC\0XCL\0XLX\0IXV\0IVI";
    value[threadIdx.x] = values[threadIdx.x];
    letter[threadIdx.x][0] = letters[2 * threadIdx.x], letter[threadIdx.x][1] = letters[2 * threadIdx.x + 1];
  }
  __syncthreads();
  uint8_t *to = out + (size_t)gid() * numbers * 16;
  int at = 0;
  for (int k = 0; k < numbers; k++) {
    uint32_t v = year[k * threads_of_grid() + gid()] % 3000 + 1;
    for (int i = 0; i < 13; i++)
      while (v >= value[i]) {
        to[at++] = letter[i][0];
        if (letter[i][1])
          to[at++] = letter[i][1];
        v -= value[i];
      }
    if (k + 1 < numbers)
      to[at++] = ' ';
  }
}
GLOBAL marching_squares(const float *__restrict__ height, float *__restrict__ out, int w, int h, int levels) {
  // Length of the lines of equal height in a cell, for some heights.
  int x = gid() % w, y = gid() / w;
  float a = height[y * (w + 1) + x], b = height[y * (w + 1) + x + 1], c = height[(y + 1) * (w + 1) + x + 1],
        d = height[(y + 1) * (w + 1) + x];
  float sum = 0;
  for (int k = 1; k <= levels; k++) {
    float level = (float)k / (float)(levels + 1);
    int kind = (a > level) | (b > level) << 1 | (c > level) << 2 | (d > level) << 3;
    if (kind == 0 || kind == 15)
      continue;
    float top = (level - a) / (b - a), right = (level - b) / (c - b), low = (level - d) / (c - d),
          left = (level - a) / (d - a);
    switch (kind) {
    case 1:
    case 14:
      sum += sqrtf(top * top + left * left);
      break;
    case 2:
    case 13:
      sum += sqrtf((1 - top) * (1 - top) + right * right);
      break;
    case 4:
    case 11:
      sum += sqrtf((1 - low) * (1 - low) + (1 - right) * (1 - right));
      break;
    case 8:
    case 7:
      sum += sqrtf(low * low + (1 - left) * (1 - left));
      break;
    case 3:
    case 12:
      sum += sqrtf(1 + (left - right) * (left - right));
      break;
    case 6:
    case 9:
      sum += sqrtf(1 + (top - low) * (top - low));
      break;
    default: // two lines
      sum += sqrtf(top * top + left * left) + sqrtf((1 - low) * (1 - low) + (1 - right) * (1 - right));
    }
  }
  out[gid()] = sum;
}
GLOBAL raster_small(const float *__restrict__ corner, uint32_t *__restrict__ out, int triangles) {
  // Pixels that small triangles cover, row by row within their bounds.
  uint32_t pixels = 0, count = threads_of_grid();
  for (int t = 0; t < triangles; t++) {
    float x[3], y[3];
    for (int k = 0; k < 3; k++)
      x[k] = 14.0f * corner[(t * 6 + 2 * k) * count + gid()],
      y[k] = 14.0f * corner[(t * 6 + 2 * k + 1) * count + gid()];
    float area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (area < 0) { // seen from behind
      if (area < -20.0f)
        continue;
      float sx = x[1], sy = y[1];
      x[1] = x[2], y[1] = y[2], x[2] = sx, y[2] = sy;
    }
    int x0 = (int)fminf(x[0], fminf(x[1], x[2])), x1 = (int)fmaxf(x[0], fmaxf(x[1], x[2]));
    int y0 = (int)fminf(y[0], fminf(y[1], y[2])), y1 = (int)fmaxf(y[0], fmaxf(y[1], y[2]));
    for (int v = y0; v <= y1; v++) {
      bool any = false;
      for (int u = x0; u <= x1; u++) {
        float px = (float)u + 0.5f, py = (float)v + 0.5f;
        bool in = (x[1] - x[0]) * (py - y[0]) >= (px - x[0]) * (y[1] - y[0]) &&
                  (x[2] - x[1]) * (py - y[1]) >= (px - x[1]) * (y[2] - y[1]) &&
                  (x[0] - x[2]) * (py - y[2]) >= (px - x[2]) * (y[0] - y[2]);
        if (in)
          pixels += 1 + (u & v & 1), any = true;
        else if (any)
          break;
      }
    }
  }
  out[gid()] = pixels;
}
GLOBAL convex_hulls(const float2 *__restrict__ point,
                    float *__restrict__ out) { // of 16 points of each thread
  float x[16], y[16];
  int hull[18], n = threads_of_grid();
  for (int k = 0; k < 16; k++) { // sorted as they come
    float2 p = point[k * n + gid()];
    int j = k;
    for (; j > 0 && (x[j - 1] > p.x || (x[j - 1] == p.x && y[j - 1] > p.y)); j--)
      x[j] = x[j - 1], y[j] = y[j - 1];
    x[j] = p.x, y[j] = p.y;
  }
  int m = 0;
  for (int side = 0; side < 2; side++) {
    int base = m;
    for (int i = 0; i < 16; i++) {
      int k = side ? 15 - i : i;
      while (m >= base + 2) {
        int a = hull[m - 2], b = hull[m - 1];
        if ((x[b] - x[a]) * (y[k] - y[a]) - (y[b] - y[a]) * (x[k] - x[a]) > 0)
          break;
        m--;
      }
      hull[m++] = k;
    }
    m--; // it begins the other side
  }
  float area = 0;
  for (int i = 0; i < m; i++) {
    int a = hull[i], b = hull[i + 1 == m ? 0 : i + 1];
    area += x[a] * y[b] - x[b] * y[a];
  }
  out[gid()] = 0.5f * area + (float)m;
}
GLOBAL quick_select(const uint32_t *__restrict__ a, uint32_t *__restrict__ out,
                    int n) { // the median of up to 64 words in local memory
  uint32_t v[64];
  int count = n - (mix(gid()) & 31), step = threads_of_grid(), low = 0, high = count - 1, want = count / 2;
  for (int k = 0; k < count; k++)
    v[k] = a[k * step + gid()];
  while (low < high) {
    uint32_t pivot = v[(low + high) >> 1];
    int i = low - 1, j = high + 1;
    for (;;) {
      do
        i++;
      while (v[i] < pivot);
      do
        j--;
      while (v[j] > pivot);
      if (i >= j)
        break;
      uint32_t t = v[i];
      v[i] = v[j], v[j] = t;
    }
    if (want <= j)
      high = j;
    else
      low = j + 1;
  }
  out[gid()] = v[want];
}
GLOBAL greatest_eight(const float *__restrict__ a, float *__restrict__ out,
                      int n) { // of each thread's, in a heap
  float heap[8];
  int step = threads_of_grid();
  for (int k = 0; k < 8; k++)
    heap[k] = -1.0f;
  for (int i = 0; i < n; i++) {
    float v = a[i * step + gid()];
    if (v <= heap[0])
      continue;
    int at = 0;
    for (;;) {
      int child = 2 * at + 1;
      if (child >= 8)
        break;
      if (child + 1 < 8 && heap[child + 1] < heap[child])
        child++;
      if (heap[child] >= v)
        break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = v;
  }
  for (int k = 0; k < 8; k++)
    out[k * step + gid()] = heap[k];
}
GLOBAL warps_share_rows(const uint32_t *__restrict__ length, const float *__restrict__ value,
                        float *__restrict__ out) {
  // Short rows are summed by their thread; long ones by the whole warp, one after the other.
  uint32_t lane = threadIdx.x % 32, v = length[gid()], n = (v & 15) == 0 ? 40 + (v >> 24) : 1 + (v >> 4 & 7),
           from = (v >> 8 & 0xffff) * 16;
  uint32_t wide = __ballot_sync(~0u, n > 32);
  float sum = 0;
  while (wide) {
    int k = __ffs(wide) - 1;
    wide &= wide - 1;
    uint32_t m = __shfl_sync(~0u, n, k), f = __shfl_sync(~0u, from, k);
    float part = 0;
    for (uint32_t i = lane; i < m; i += 32)
      part += value[f + i];
    for (int d = 16; d; d /= 2)
      part += __shfl_xor_sync(~0u, part, d);
    if (lane == (uint32_t)k)
      sum = part;
  }
  if (n <= 32)
    for (uint32_t i = 0; i < n; i++)
      sum += value[from + i];
  out[gid()] = sum;
}
GLOBAL refilled_lanes(const uint32_t *__restrict__ seed, uint32_t *__restrict__ out, int each) {
  // Lanes whose item is done take the warp's next one, so that none waits for the longest: steps of 3 n + 1 and n / 2.
  uint32_t lane = threadIdx.x % 32, warp = gid() / 32, next = 32, item = lane, items = 32 * each,
           n = seed[warp * items + item] & 0xffff, steps = 0;
  bool busy = true;
  n |= 1;
  while (__any_sync(~0u, busy)) {
    for (int k = 0; k < 8; k++)
      if (busy && n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        steps++;
      }
    bool done = busy && n == 1;
    uint32_t all = __ballot_sync(~0u, done);
    if (done) {
      out[warp * items + item] = steps;
      item = next + __popc(all & ((1u << lane) - 1));
      busy = item < items;
      if (busy)
        n = (seed[warp * items + item] & 0xffff) | 1, steps = 0;
    }
    next += __popc(all);
  }
}
GLOBAL bloom_then_search(const uint32_t *__restrict__ bits, const uint32_t *__restrict__ run,
                         const uint32_t *__restrict__ key, uint32_t *__restrict__ out, uint32_t n, int keys) {
  // Sorted runs of a store: a filter says in which of four runs a key may be, and only there it is looked for.
  uint32_t found = 0;
  for (int k = 0; k < keys; k++) {
    uint32_t want = key[k * threads_of_grid() + gid()];
    for (uint32_t r = 0; r < 4; r++) {
      uint32_t h = mix(want + r), g = mix(h);
      if (!(bits[r * 4096 + (h >> 5 & 4095)] >> (h & 31) & 1) ||
          !(bits[r * 4096 + (g >> 5 & 4095)] >> (g & 31) & 1))
        continue;
      uint32_t low = 0, high = n; // keys of a run are 65536 apart, but for their noise
      while (low < high) {
        uint32_t m = (low + high) >> 1;
        if ((m << 16) + (run[r * n + m] & 0xffff) < want)
          low = m + 1;
        else
          high = m;
      }
      if (low < n && (run[r * n + low] & 7) == (want & 7)) {
        found += r + 1;
        break;
      }
    }
  }
  out[gid()] = found;
}

// ---- latency
// ------------------------------------------------------------------------------------------------------------
GLOBAL bst_chase(const uint2 *__restrict__ node, uint32_t *__restrict__ out, uint32_t mask, int levels,
                 int queries) {
  // A tree whose nodes lie anywhere: a node has a key and where its children begin.
  uint32_t sum = 0, want = mix(gid());
  for (int q = 0; q < queries; q++) {
    uint32_t at = q;
    for (int k = 0; k < levels; k++) {
      uint2 v = node[at];
      at = ((v.y ^ q) + (want > v.x ? 1 : 0)) & mask;
    }
    sum += at;
    want = mix(want + sum);
  }
  out[gid()] = sum;
}
GLOBAL cursor_lists(const uint32_t *__restrict__ next, const float *__restrict__ value,
                    float *__restrict__ out, uint32_t mask, int steps) {
  uint32_t a = mix(gid()) & mask,
           b = mix(gid() + 1) & mask; // two lists of each thread, as a merge of streams would walk them
  float sum = 0;
  for (int k = 0; k < steps; k++) {
    float x = value[a], y = value[b];
    if (x < y)
      sum += x, a = next[a] & mask;
    else
      sum -= y, b = next[b] & mask;
  }
  out[gid()] = sum;
}
GLOBAL three_tables(const uint32_t *__restrict__ row, const uint32_t *__restrict__ user,
                    const float4 *__restrict__ feature, float *__restrict__ out, uint32_t users,
                    uint32_t features, int each) {
  float sum = 0; // an index gives an index, which gives a record of 16 bytes
  for (int k = 0; k < each; k++) {
    float4 f = feature[user[row[gid() * each + k] & users] & features];
    sum += f.x * f.y + f.z * f.w;
  }
  out[gid()] = sum;
}
GLOBAL all_pairs_32(const uint32_t *__restrict__ weight,
                    uint32_t *__restrict__ out) { // shortest paths by Floyd and Warshall, 32 x 32 threads
  __shared__ uint32_t d[32][33];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 1024 + y * 32 + x;
  d[y][x] = x == y ? 0 : 1 + (weight[i] & 1023);
  __syncthreads();
  for (int k = 0; k < 32; k++) {
    uint32_t v = d[y][k] + d[k][x];
    if (v < d[y][x])
      d[y][x] = v;
    __syncthreads();
  }
  out[i] = d[y][x];
}
GLOBAL time_warping(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out,
                    int n) {
  // Dynamic time warping of two series of n points, diagonal by diagonal; a CTA of n threads has a pair.
  __shared__ float row[3][257], other[256];
  int t = threadIdx.x;
  float mine = a[blockIdx.x * n + t];
  other[t] = b[blockIdx.x * n + t];
  row[0][t + 1] = row[1][t + 1] = row[2][t + 1] = 1e30f;
  if (t == 0)
    row[0][0] = row[1][0] = row[2][0] = 1e30f;
  __syncthreads();
  int now = 0, one = 2, two = 1;
  for (int k = 0; k < 2 * n - 1; k++) {
    int j = k - t;
    if (j >= 0 && j < n) {
      float least = k == 0 ? 0.0f : fminf(row[one][t + 1], fminf(row[one][t], row[two][t]));
      row[now][t + 1] = least + fabsf(mine - other[j]);
    } else {
      row[now][t + 1] = 1e30f;
    }
    __syncthreads();
    int s = two;
    two = one, one = now, now = s;
  }
  if (t == n - 1)
    out[blockIdx.x] = row[one][t + 1];
}
GLOBAL viterbi_64(const float *__restrict__ score, const float *__restrict__ move, uint8_t *__restrict__ back,
                  int steps) {
  // The likeliest path through 64 states: each has four before it, and a CTA of 64 threads meets after each step.
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float m[4];
  for (int k = 0; k < 4; k++)
    m[k] = move[k * 64 + t];
  s[0][t] = t ? -10.0f : 0.0f;
  __syncthreads();
  for (int i = 0; i < steps; i++) {
    float best = -1e30f;
    int from = 0;
    for (int k = 0; k < 4; k++) {
      int p = (t >> 2) + 16 * k;
      float v = s[i & 1][p] + m[k];
      if (v > best)
        best = v, from = k;
    }
    s[i & 1 ^ 1][t] = best + score[(blockIdx.x * steps + i) * 64 + t];
    back[(blockIdx.x * steps + i) * 64 + t] = from;
    __syncthreads();
  }
  // One thread goes back along the path.
  if (t == 0) {
    int at = 0;
    for (int i = steps - 1; i >= 0; i--) {
      uint8_t *b = &back[(blockIdx.x * steps + i) * 64 + at];
      at = (at >> 2) + 16 * (*b & 3);
      *b |= 128;
    }
  }
}
GLOBAL hash_walk(const uint32_t *__restrict__ pad, uint32_t *__restrict__ out, uint32_t mask, int steps) {
  uint32_t v = mix(gid()),
           w = 0; // a proof of work by memory: each place depends on what was read before, through a hash
  for (int k = 0; k < steps; k++) {
    uint32_t a = mix(v + k) & mask;
    uint2 p = *(const uint2 *)(pad + (a & ~1u));
    w += p.y;
    v = turn(v ^ p.x, 7) * 5 + w;
  }
  out[gid()] = v;
}
GLOBAL one_lane_parses(const uint8_t *__restrict__ text, uint32_t *__restrict__ out, int bytes) {
  __shared__ uint32_t place[4][64]; // one lane finds the words of a line, then all lanes hash them
  uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, count = 0;
  const uint8_t *line = text + (size_t)(gid() / 32) * bytes;
  if (lane == 0) {
    for (int i = 0; i < bytes && count < 63; i++)
      if (line[i] < 40)
        place[warp][count++] = i;
    place[warp][count] = bytes;
  }
  __syncwarp();
  count = __shfl_sync(~0u, count, 0);
  uint32_t sum = 0;
  for (uint32_t k = lane; k < count; k += 32) {
    uint32_t h = 2166136261u;
    for (uint32_t i = place[warp][k]; i < place[warp][k + 1]; i++)
      h = (h ^ line[i]) * 16777619u;
    sum ^= h;
  }
  for (int d = 16; d; d /= 2)
    sum ^= __shfl_xor_sync(~0u, sum, d);
  if (lane == 0)
    out[gid() / 32] = sum;
}
GLOBAL conjugate_gradients(const float *__restrict__ a, float *__restrict__ x,
                           int steps) { // 64 unknowns of a CTA of 64 threads
  __shared__ float m[64][65], p[64], part[2];
  int t = threadIdx.x;
  for (int k = 0; k < 64; k++)
    m[k][t] = 0.01f * (a[(blockIdx.x * 64 + min(k, t)) * 64 + max(k, t)]) + (k == t ? 2.0f : 0.0f);
  float r = 1.0f + 0.01f * (float)t, v = 0;
  p[t] = r;
  __syncthreads();
  float rr = r * r;
  for (int d = 16; d; d /= 2)
    rr += __shfl_xor_sync(~0u, rr, d);
  if (t % 32 == 0)
    part[t / 32] = rr;
  __syncthreads();
  rr = part[0] + part[1];
  for (int k = 0; k < steps; k++) {
    float q = 0;
    for (int j = 0; j < 64; j++)
      q += m[j][t] * p[j];
    float pq = p[t] * q;
    for (int d = 16; d; d /= 2)
      pq += __shfl_xor_sync(~0u, pq, d);
    __syncthreads();
    if (t % 32 == 0)
      part[t / 32] = pq;
    __syncthreads();
    float alpha = rr / (part[0] + part[1]), s;
    v += alpha * p[t];
    r -= alpha * q;
    s = r * r;
    for (int d = 16; d; d /= 2)
      s += __shfl_xor_sync(~0u, s, d);
    __syncthreads();
    if (t % 32 == 0)
      part[t / 32] = s;
    __syncthreads();
    s = part[0] + part[1];
    p[t] = r + s / rr * p[t];
    rr = s;
    __syncthreads();
  }
  x[gid()] = v;
}
GLOBAL jacobi_rotations(const float *__restrict__ a, float *__restrict__ values, int sweeps) {
  // Eigenvalues of a symmetric matrix of 16 x 16: eight pairs are turned at once, by 128 threads.
  __shared__ float m[16][17], c[8], s[8];
  __shared__ int first[8], second[8];
  int t = threadIdx.x;
  for (int k = t; k < 256; k += 128)
    m[k / 16][k % 16] = a[blockIdx.x * 256 + min(k / 16, k % 16) * 16 + max(k / 16, k % 16)] +
                        (k % 17 == 0 ? (float)(k / 17) : 0.0f);
  __syncthreads();
  for (int round = 0; round < 15 * sweeps; round++) {
    if (t < 8) { // a tournament: 15 goes against the others in turn
      int p = t == 0 ? 15 : (round + t) % 15, q = t == 0 ? round % 15 : (round + 15 - t) % 15;
      float d = m[q][q] - m[p][p], e = m[p][q], u = 0, v = 1;
      if (fabsf(e) > 1e-9f) {
        float theta = d / (2.0f * e), w = 1.0f / (fabsf(theta) + sqrtf(theta * theta + 1.0f));
        if (theta < 0)
          w = -w;
        v = rsqrtf(w * w + 1.0f), u = w * v;
      }
      first[t] = p, second[t] = q, c[t] = v, s[t] = u;
    }
    __syncthreads();
    int pair = t / 16, k = t % 16, p = first[pair], q = second[pair];
    float x = m[p][k], y = m[q][k];
    m[p][k] = c[pair] * x - s[pair] * y, m[q][k] = s[pair] * x + c[pair] * y;
    __syncthreads();
    x = m[k][p], y = m[k][q];
    m[k][p] = c[pair] * x - s[pair] * y, m[k][q] = s[pair] * x + c[pair] * y;
    __syncthreads();
  }
  if (t < 16)
    values[blockIdx.x * 16 + t] = m[t][t];
}
GLOBAL red_black(const float *__restrict__ a, float *__restrict__ b,
                 int sweeps) { // a field of 32 x 32 in a CTA of 512 threads, by turns
  __shared__ float f[34][35];
  int t = threadIdx.x;
  for (int k = t; k < 34 * 34; k += 512)
    f[k / 34][k % 34] = a[blockIdx.x * 34 * 34 + k];
  __syncthreads();
  int y = 1 + t / 16, half = 2 * (t % 16);
  for (int k = 0; k < 2 * sweeps; k++) {
    int x = 1 + half + ((y + k) & 1);
    f[y][x] += 1.7f * (0.25f * (f[y - 1][x] + f[y + 1][x] + f[y][x - 1] + f[y][x + 1]) - f[y][x]);
    __syncthreads();
  }
  for (int k = t; k < 34 * 34; k += 512)
    b[blockIdx.x * 34 * 34 + k] = f[k / 34][k % 34];
}
GLOBAL page_tables(const u64 *__restrict__ table, uint32_t *__restrict__ out, uint32_t tables, int each) {
  uint32_t
      v = mix(gid()),
      sum =
          0; // four levels of 512 entries of eight bytes, anywhere; the address then depends on what was found
  for (int k = 0; k < each; k++) {
    uint32_t at = 0;
    for (int level = 0; level < 4; level++) {
      u64 e = table[(size_t)at * 512 + (mix(v + level) & 511)];
      at = (uint32_t)(e >> 12) % tables;
      if (level == 2 && (e & 7) == 0) // a large page
        break;
    }
    sum += at, v = mix(v ^ at);
  }
  out[gid()] = sum;
}

// ---- compute
// ------------------------------------------------------------------------------------------------------------
__device__ __forceinline__ void quarter(uint32_t &a, uint32_t &b, uint32_t &c, uint32_t &d) {
  a += b, d = turn(d ^ a, 16);
  c += d, b = turn(b ^ c, 12);
  a += b, d = turn(d ^ a, 8);
  c += d, b = turn(b ^ c, 7);
}
GLOBAL chacha_blocks(const uint32_t *__restrict__ a, uint32_t *__restrict__ out,
                     uint32_t key) { // 64 bytes of a stream cipher a thread
  uint32_t s[16], x[16];
  s[0] = 0x61707865, s[1] = 0x3320646e, s[2] = 0x79622d32, s[3] = 0x6b206574;
#pragma unroll
  for (int k = 0; k < 8; k++)
    s[4 + k] = key * (k + 1);
  s[12] = gid(), s[13] = 7, s[14] = key ^ 3, s[15] = 9;
#pragma unroll
  for (int k = 0; k < 16; k++)
    x[k] = s[k];
#pragma unroll
  for (int k = 0; k < 10; k++) {
    quarter(x[0], x[4], x[8], x[12]);
    quarter(x[1], x[5], x[9], x[13]);
    quarter(x[2], x[6], x[10], x[14]);
    quarter(x[3], x[7], x[11], x[15]);
    quarter(x[0], x[5], x[10], x[15]);
    quarter(x[1], x[6], x[11], x[12]);
    quarter(x[2], x[7], x[8], x[13]);
    quarter(x[3], x[4], x[9], x[14]);
  }
#pragma unroll
  for (int k = 0; k < 16; k++)
    out[k * threads_of_grid() + gid()] = a[k * threads_of_grid() + gid()] ^ (x[k] + s[k]);
}
GLOBAL aes_tables(const uint32_t *__restrict__ box, const uint4 *__restrict__ a,
                  uint4 *__restrict__ out) { // ten rounds by a table in shared memory
  __shared__ uint32_t t[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    t[k] = box[k];
  __syncthreads();
  uint4 v = a[gid()];
  uint32_t x = v.x, y = v.y, z = v.z, w = v.w, key = 0x2b7e1516;
#pragma unroll
  for (int r = 0; r < 10; r++) {
    uint32_t p =
        t[x & 255] ^ turn(t[y >> 8 & 255], 8) ^ turn(t[z >> 16 & 255], 16) ^ turn(t[w >> 24], 24) ^ key;
    uint32_t q =
        t[y & 255] ^ turn(t[z >> 8 & 255], 8) ^ turn(t[w >> 16 & 255], 16) ^ turn(t[x >> 24], 24) ^ (key * 3);
    uint32_t m =
        t[z & 255] ^ turn(t[w >> 8 & 255], 8) ^ turn(t[x >> 16 & 255], 16) ^ turn(t[y >> 24], 24) ^ (key * 5);
    uint32_t n =
        t[w & 255] ^ turn(t[x >> 8 & 255], 8) ^ turn(t[y >> 16 & 255], 16) ^ turn(t[z >> 24], 24) ^ (key * 7);
    x = p, y = q, z = m, w = n, key = key * 0x01000193 + r;
  }
  out[gid()] = make_uint4(x, y, z, w);
}
GLOBAL sha256_rounds(const uint32_t *__restrict__ a,
                     uint32_t *__restrict__ out) { // a block of 64 bytes a thread, all rounds unrolled
  uint32_t w[16], h[8];
#pragma unroll
  for (int k = 0; k < 16; k++)
    w[k] = a[k * threads_of_grid() + gid()];
#pragma unroll
  for (int k = 0; k < 8; k++)
    h[k] = 0x6a09e667u + 0x9e3779b9u * k;
#pragma unroll
  for (int r = 0; r < 64; r++) {
    if (r >= 16) {
      uint32_t p = w[(r + 1) & 15], q = w[(r + 14) & 15];
      w[r & 15] +=
          (turn(p, 25) ^ turn(p, 14) ^ p >> 3) + w[(r + 9) & 15] + (turn(q, 15) ^ turn(q, 13) ^ q >> 10);
    }
    uint32_t e = h[4], t = h[7] + (turn(e, 26) ^ turn(e, 21) ^ turn(e, 7)) + ((e & h[5]) ^ (~e & h[6])) +
                           w[r & 15] + 0x428a2f98u * (2 * r + 1);
    uint32_t b = h[0],
             u = (turn(b, 30) ^ turn(b, 19) ^ turn(b, 10)) + ((b & h[1]) ^ (b & h[2]) ^ (h[1] & h[2]));
    h[7] = h[6], h[6] = h[5], h[5] = h[4], h[4] = h[3] + t, h[3] = h[2], h[2] = h[1], h[1] = h[0],
    h[0] = t + u;
  }
#pragma unroll
  for (int k = 0; k < 8; k++)
    out[k * threads_of_grid() + gid()] = h[k];
}
GLOBAL keccak_rounds(const u64 *__restrict__ a, u64 *__restrict__ out,
                     int rounds) { // 25 words of 64 bits in registers
  const int offset[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                          25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
  u64 s[25], b[25], c[5];
#pragma unroll
  for (int k = 0; k < 25; k++)
    s[k] = k < 9 ? a[k * threads_of_grid() + gid()] : (u64)k * 0x9e3779b97f4a7c15ull;
  for (int r = 0; r < rounds; r++) {
#pragma unroll
    for (int x = 0; x < 5; x++)
      c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
#pragma unroll
    for (int k = 0; k < 25; k++) {
      u64 d = c[(k + 4) % 5], e = c[(k + 1) % 5], v = s[k] ^ d ^ (e << 1 | e >> 63);
      int x = k % 5, y = k / 5, to = y + 5 * ((2 * x + 3 * y) % 5);
      b[to] = k == 0 ? v : v << offset[k] | v >> (64 - offset[k]);
    }
#pragma unroll
    for (int k = 0; k < 25; k++)
      s[k] = b[k] ^ (~b[k / 5 * 5 + (k + 1) % 5] & b[k / 5 * 5 + (k + 2) % 5]);
    s[0] ^= (u64)r * 0x8000000080008081ull;
  }
#pragma unroll
  for (int k = 0; k < 4; k++)
    out[k * threads_of_grid() + gid()] = s[k];
}
GLOBAL lorenz_f64(double *__restrict__ out, int steps) { // a system of three equations, by Runge and Kutta
  double x = 1.0 + 0.0001 * gid(), y = 1.0, z = 20.0, h = 0.005;
  for (int k = 0; k < steps; k++) {
    double ax = 10.0 * (y - x), ay = x * (28.0 - z) - y, az = x * y - 2.6666666666666665 * z;
    double px = x + 0.5 * h * ax, py = y + 0.5 * h * ay, pz = z + 0.5 * h * az;
    double bx = 10.0 * (py - px), by = px * (28.0 - pz) - py, bz = px * py - 2.6666666666666665 * pz;
    px = x + 0.5 * h * bx, py = y + 0.5 * h * by, pz = z + 0.5 * h * bz;
    double cx = 10.0 * (py - px), cy = px * (28.0 - pz) - py, cz = px * py - 2.6666666666666665 * pz;
    px = x + h * cx, py = y + h * cy, pz = z + h * cz;
    double dx = 10.0 * (py - px), dy = px * (28.0 - pz) - py, dz = px * py - 2.6666666666666665 * pz;
    x += h / 6 * (ax + 2 * bx + 2 * cx + dx), y += h / 6 * (ay + 2 * by + 2 * cy + dy),
        z += h / 6 * (az + 2 * bz + 2 * cz + dz);
  }
  out[gid()] = x + y + z;
}
GLOBAL small_net_half2(const __half2 *__restrict__ a, const __half2 *__restrict__ weight,
                       __half2 *__restrict__ out) {
  // Two layers of a net with 16 inputs and 16 hidden values, two samples a thread; weights are in shared memory.
  __shared__ __half2 w[2][16][16];
  for (int k = threadIdx.x; k < 512; k += blockDim.x)
    w[k >> 8][k >> 4 & 15][k & 15] = weight[k];
  __syncthreads();
  __half2 x[16], y[16], zero = __float2half2_rn(0.0f);
#pragma unroll
  for (int k = 0; k < 16; k++)
    x[k] = a[k * threads_of_grid() + gid()];
#pragma unroll
  for (int layer = 0; layer < 2; layer++) {
#pragma unroll
    for (int i = 0; i < 16; i++) {
      __half2 s = __float2half2_rn(0.125f);
#pragma unroll
      for (int j = 0; j < 16; j++)
        s = __hfma2(w[layer][i][j], x[j], s);
      y[i] = __hmax2(s, zero);
    }
#pragma unroll
    for (int i = 0; i < 16; i++)
      x[i] = y[i];
  }
#pragma unroll
  for (int k = 0; k < 16; k++)
    out[k * threads_of_grid() + gid()] = x[k];
}
GLOBAL montgomery_256(const uint32_t *__restrict__ a, uint32_t *__restrict__ out,
                      int times) { // squares modulo a prime of 256 bits
  uint32_t x[8];
  const uint32_t p[8] = {0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 1, 0xffffffff};
#pragma unroll
  for (int k = 0; k < 8; k++)
    x[k] = a[k * threads_of_grid() + gid()];
  for (int n = 0; n < times; n++) {
    uint32_t t[10];
#pragma unroll
    for (int k = 0; k < 10; k++)
      t[k] = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
      u64 c = 0;
#pragma unroll
      for (int j = 0; j < 8; j++) {
        c += (u64)x[i] * x[j] + t[j];
        t[j] = (uint32_t)c, c >>= 32;
      }
      c += t[8];
      t[8] = (uint32_t)c, t[9] = (uint32_t)(c >> 32);
      uint32_t m = t[0];
      c = ((u64)m * p[0] + t[0]) >> 32;
#pragma unroll
      for (int j = 1; j < 8; j++) {
        c += (u64)m * p[j] + t[j];
        t[j - 1] = (uint32_t)c, c >>= 32;
      }
      c += t[8];
      t[7] = (uint32_t)c, t[8] = t[9] + (uint32_t)(c >> 32);
    }
    uint32_t s[8];
    u64 borrow = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
      u64 d = (u64)t[k] - p[k] - borrow;
      s[k] = (uint32_t)d, borrow = d >> 63;
    }
    bool less = borrow > t[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
      x[k] = less ? t[k] : s[k];
  }
#pragma unroll
  for (int k = 0; k < 8; k++)
    out[k * threads_of_grid() + gid()] = x[k];
}
GLOBAL philox_uniforms(float4 *__restrict__ out, uint32_t key,
                       int each) { // random numbers by counters: ten rounds of products
  for (int n = 0; n < each; n++) {
    uint32_t a = gid(), b = n, c = 0, d = 1, k0 = key, k1 = key ^ 0xdecafbad;
#pragma unroll
    for (int r = 0; r < 10; r++) {
      u64 p = (u64)a * 0xd2511f53u, q = (u64)c * 0xcd9e8d57u;
      a = (uint32_t)(q >> 32) ^ b ^ k0, b = (uint32_t)q;
      c = (uint32_t)(p >> 32) ^ d ^ k1, d = (uint32_t)p;
      k0 += 0x9e3779b9u, k1 += 0xbb67ae85u;
    }
    out[n * threads_of_grid() + gid()] = make_float4(unit(a), unit(b), unit(c), unit(d));
  }
}
GLOBAL lennard_jones_f64(const double *__restrict__ place, double *__restrict__ force,
                         int n) { // of n atoms on each of a thread's own
  __shared__ double s[3][64];
  double x = place[gid()], y = place[threads_of_grid() + gid()], z = place[2 * threads_of_grid() + gid()],
         fx = 0, fy = 0, fz = 0;
  for (int base = 0; base < n; base += 64) {
    __syncthreads();
    if (threadIdx.x < 64)
      for (int c = 0; c < 3; c++)
        s[c][threadIdx.x] = place[c * threads_of_grid() + base + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 64; k++) {
      double dx = s[0][k] - x, dy = s[1][k] - y, dz = s[2][k] - z, r2 = dx * dx + dy * dy + dz * dz + 0.01;
      double q = 1.0 / r2, q3 = q * q * q, f = q3 * (48.0 * q3 - 24.0) * q;
      fx += f * dx, fy += f * dy, fz += f * dz;
    }
  }
  force[gid()] = fx, force[threads_of_grid() + gid()] = fy, force[2 * threads_of_grid() + gid()] = fz;
}

// ---- atomic
// -------------------------------------------------------------------------------------------------------------
GLOBAL joint_histogram(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, uint32_t *bins,
                       int each) {
  __shared__ uint32_t s[32 * 33]; // of two images, 32 x 32 bins of a CTA
  for (int k = threadIdx.x; k < 32 * 33; k += blockDim.x)
    s[k] = 0;
  __syncthreads();
  for (int k = 0; k < each; k++) {
    size_t i = (size_t)k * threads_of_grid() + gid();
    uint32_t u = a[i] >> 3, v = (u * 3 + (b[i] >> 5)) & 31;
    atomicAdd(&s[u * 33 + v], 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
    uint32_t n = s[k / 32 * 33 + k % 32];
    if (n)
      atomicAdd(&bins[k], n);
  }
}
GLOBAL count_words(const uint32_t *__restrict__ word, uint32_t *key, uint32_t *count, uint32_t mask) {
  // A table of words and how often they come: a word finds its place, or makes it by comparing and swapping.
  uint32_t v = word[gid()], w = ((v & 0xfff) * (v >> 12 & 15) >> 2) + 1, at = mix(w) & mask;
  for (;;) {
    uint32_t k = key[at];
    if (k == 0)
      k = atomicCAS(&key[at], 0u, w);
    if (k == 0 || k == w)
      break;
    at = (at + 1) & mask;
  }
  atomicAdd(&count[at], 1u);
}
GLOBAL places_of_digits(const uint32_t *__restrict__ key, uint32_t *total, uint32_t *__restrict__ place,
                        int shift) {
  __shared__ uint32_t count[64],
      base[64]; // a pass of a radix sort: a CTA counts its digits and takes a range for each
  if (threadIdx.x < 64)
    count[threadIdx.x] = 0;
  __syncthreads();
  uint32_t d[4], at[4];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    d[k] = key[blockIdx.x * blockDim.x * 4 + k * blockDim.x + threadIdx.x] >> shift & 63;
    at[k] = atomicAdd(&count[d[k]], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 64)
    base[threadIdx.x] = atomicAdd(&total[threadIdx.x], count[threadIdx.x]);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; k++)
    place[blockIdx.x * blockDim.x * 4 + k * blockDim.x + threadIdx.x] = base[d[k]] + at[k];
}
GLOBAL strengths_of_nodes(const uint32_t *__restrict__ from, const uint32_t *__restrict__ to,
                          const float *__restrict__ weight, float *strength,
                          uint32_t nodes) { // of a graph with a few hubs, by its edges
  uint32_t a = from[gid()], b = to[gid()];
  a = (a & 15) < 5 ? a >> 8 & 255 : (a >> 4) % nodes; // a third of the edges begin at 256 nodes
  float w = weight[gid()];
  atomicAdd(&strength[a], w);
  atomicAdd(&strength[b % nodes], 0.5f * w);
}
GLOBAL nearest_by_group(const float2 *__restrict__ point, const uint32_t *__restrict__ group, u64 *least,
                        uint32_t groups, int each) {
  // The point of each group that is nearest to a target: distance and number are one word.
  for (int k = 0; k < each; k++) {
    uint32_t i = k * threads_of_grid() + gid(), g = group[i] % groups;
    float2 p = point[i];
    float dx = p.x - 0.3f, dy = p.y - 0.6f;
    u64 v = (u64)__float_as_uint(dx * dx + dy * dy) << 32 | i;
    if (v < least[g])
      atomicMin(&least[g], v);
  }
}
GLOBAL edges_of_cells(const uint32_t *__restrict__ particle, uint32_t *head, uint32_t *__restrict__ next,
                      uint32_t *seen, uint32_t cells) {
  // Particles become lists of their cells; cells that get their first one are counted by warp.
  uint32_t p = particle[gid()], c = (p >> 6) % cells, before = atomicExch(&head[c], gid() + 1);
  next[gid()] = before;
  uint32_t all = __ballot_sync(~0u, before == 0);
  if (threadIdx.x % 32 == 0 && all)
    atomicAdd(seen, __popc(all));
}
