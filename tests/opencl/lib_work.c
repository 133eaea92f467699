/* Rules about work-items: where they stand, what they share, what they print. */
#include "lib_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* get_global_id counts from the offset; sizes and groups do not; dimensions that are not there have size 1, index 0. */
static void index_space(void) {
  static const char source[] =
      "kernel void where(global uint *out) {\n"
      "  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);\n"
      "  size_t z = get_global_id(2) - get_global_offset(2);\n"
      "  global uint *o = out + 32 * ((z * get_global_size(1) + y) * get_global_size(0) + x);\n"
      "  for (int d = 0; d < 4; d++) {\n"
      "    o[d] = get_global_id(d); o[4 + d] = get_local_id(d); o[8 + d] = get_group_id(d);\n"
      "    o[12 + d] = get_global_size(d); o[16 + d] = get_local_size(d); o[20 + d] = get_num_groups(d);\n"
      "    o[24 + d] = get_global_offset(d);\n"
      "  }\n"
      "  o[28] = get_work_dim();\n"
      "}\n";
  struct lib_program *p = lib_build(source, "");
  for (unsigned dims = 1; dims <= 3; dims++) {
    enum { X = 8, Y = 6, Z = 4 };
    static uint32_t out[X * Y * Z][32];
    uint32_t offset[3] = {100, 20, 3}, global[3] = {X, Y, Z}, local[3] = {4, 3, 2};
    for (unsigned d = dims; d < 3; d++)
      offset[d] = 0, global[d] = local[d] = 1;
    struct lib_range r = {.dims = dims};
    memcpy(r.offset, offset, sizeof offset);
    memcpy(r.global, global, sizeof global);
    memcpy(r.local, local, sizeof local);
    lib_check(lib_run(p, "where", r, LIB_BUF(out)), "illegal access");
    unsigned bad = 0;
    for (uint32_t z = 0; z < global[2]; z++)
      for (uint32_t y = 0; y < global[1]; y++)
        for (uint32_t x = 0; x < global[0]; x++) {
          const uint32_t *o = out[(z * global[1] + y) * global[0] + x], at[3] = {x, y, z};
          for (unsigned d = 0; d < 3; d++)
            bad += o[d] != at[d] + offset[d] || o[4 + d] != at[d] % local[d] ||
                   o[8 + d] != at[d] / local[d] || o[12 + d] != global[d] || o[16 + d] != local[d] ||
                   o[20 + d] != global[d] / local[d] || o[24 + d] != offset[d];
          bad += o[3] != 0 || o[7] != 0 || o[11] != 0 || o[15] != 1 || o[19] != 1 || o[23] != 1 || o[27] != 0;
          bad += o[28] != dims;
        }
    lib_check(!bad, "%u dimensions: %u wrong", dims, bad);
  }
  lib_free(p);
}

/* An atomic function changes memory as its operation says and returns what was there before. */
static const char *const spaces[] = {"global", "local"};
static const char *const atomic_types[] = {"int", "uint", "long", "ulong"};

static uint64_t atomic_result(const char *op, unsigned type, uint64_t old, uint64_t v, uint64_t compare) {
  bool sign = type % 2 == 0, wide = type >= 2;
  int64_t so = wide ? (int64_t)old : (int64_t)(int32_t)old, sv = wide ? (int64_t)v : (int64_t)(int32_t)v;
  if (!wide)
    old = (uint32_t)old, v = (uint32_t)v, compare = (uint32_t)compare;
  bool less = sign ? sv < so : v < old;
  return strcmp(op, "add") == 0    ? old + v
         : strcmp(op, "sub") == 0  ? old - v
         : strcmp(op, "xchg") == 0 ? v
         : strcmp(op, "inc") == 0  ? old + 1
         : strcmp(op, "dec") == 0  ? old - 1
         : strcmp(op, "min") == 0  ? (less ? v : old)
         : strcmp(op, "max") == 0  ? (less ? old : v)
         : strcmp(op, "and") == 0  ? (old & v)
         : strcmp(op, "or") == 0   ? (old | v)
         : strcmp(op, "xor") == 0  ? (old ^ v)
         : old == compare          ? v
                                   : old; /* cmpxchg */
}

static void atomics(void) {
  static const char *const ops[] = {"add", "sub", "xchg", "inc", "dec",    "min",
                                    "max", "and", "or",   "xor", "cmpxchg"};
  enum { NOPS = 11, N = 16 };
  for (unsigned t = 0; t < 4; t++) {
    char *source = malloc(64 << 10);
    size_t n = (size_t)sprintf(source, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                                       "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n");
    for (unsigned s = 0; s < 2; s++)
      for (unsigned k = 0; k < NOPS; k++) {
        const char *args = k == 3 || k == 4 ? "" : k == 10 ? ", c[i], v[i]" : ", v[i]";
        n += (size_t)sprintf(
            source + n,
            "kernel void %s_%s(global %s *m, global const %s *v, global const %s *c, global %s *old) {\n"
            "  local %s shared[%d];\n  size_t i = get_global_id(0);\n  shared[i] = m[i];\n"
            "  old[i] = %s_%s(&%s[i]%s);\n%s}\n",
            spaces[s], ops[k], atomic_types[t], atomic_types[t], atomic_types[t], atomic_types[t],
            atomic_types[t], N, t < 2 ? "atomic" : "atom", ops[k], s ? "shared" : "m", args,
            s ? "  m[i] = shared[i];\n" : "");
      }
    struct lib_program *p = lib_build(source, "");
    for (unsigned s = 0; s < 2; s++)
      for (unsigned k = 0; k < NOPS; k++) {
        uint64_t m[N], v[N], c[N], old[N], before[N];
        uint32_t m4[N], v4[N], c4[N], old4[N];
        char kernel[32];
        for (unsigned i = 0; i < N; i++) {
          before[i] = UINT64_C(0x9e3779b97f4a7c15) * (i + 1), v[i] = UINT64_C(0xbf58476d1ce4e5b9) * (i + 3);
          c[i] = i % 2 ? before[i] : i;
          m[i] = before[i];
          m4[i] = (uint32_t)m[i], v4[i] = (uint32_t)v[i], c4[i] = (uint32_t)c[i];
        }
        snprintf(kernel, sizeof kernel, "%s_%s", spaces[s], ops[k]);
        bool legal =
            t < 2 ? lib_run(p, kernel, LIB_1D(N, N), LIB_BUF(m4), LIB_BUF(v4), LIB_BUF(c4), LIB_BUF(old4))
                  : lib_run(p, kernel, LIB_1D(N, N), LIB_BUF(m), LIB_BUF(v), LIB_BUF(c), LIB_BUF(old));
        unsigned bad = !legal;
        for (unsigned i = 0; i < N; i++) {
          uint64_t want = atomic_result(ops[k], t, before[i], v[i], c[i]);
          bad += t < 2 ? m4[i] != (uint32_t)want || old4[i] != (uint32_t)before[i]
                       : m[i] != want || old[i] != before[i];
        }
        lib_check(!bad, "%s %s: %u wrong", atomic_types[t], kernel, bad);
      }
    lib_free(p);
    free(source);
  }
}

/* Concurrent additions all count; a float can be exchanged; the names of OpenCL 1.0 still work. */
static void atomic_sums(void) {
  static const char source[] =
      "kernel void sums(global int *total, global int *old, global float *f, global float *fold) {\n"
      "  local int here;\n  local float there;\n"
      "  size_t i = get_global_id(0);\n"
      "  if (get_local_id(0) == 0) { here = 0; there = -1; }\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  atomic_inc(&here);\n  atom_add(&here, 2);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (get_local_id(0) == 0) { atomic_add(&total[0], here); fold[get_group_id(0)] = "
      "atomic_xchg(&there, 7.5f); }\n"
      "  old[i] = atom_inc(&total[1]);\n"
      "  if (i == 3) fold[4] = atomic_xchg(f, 2.25f);\n"
      "}\n";
  struct lib_program *p = lib_build(source, "");
  int32_t total[2] = {0}, old[256], seen[256] = {0};
  float f[1] = {1.5f}, fold[5] = {0};
  lib_check(lib_run(p, "sums", LIB_1D(256, 64), LIB_BUF(total), LIB_BUF(old), LIB_BUF(f), LIB_BUF(fold)),
            "illegal");
  unsigned bad = 0;
  for (unsigned i = 0; i < 256; i++)
    bad += old[i] < 0 || old[i] >= 256 || seen[old[i]]++;
  lib_check(!bad && total[0] == 256 * 3 && total[1] == 256, "%u wrong, %d, %d", bad, total[0], total[1]);
  lib_check(f[0] == 2.25f && fold[4] == 1.5f && fold[0] == -1 && fold[3] == -1, "%g %g", (double)f[0],
            (double)fold[4]);
  lib_free(p);
}

/* A work-group copies n elements either way, with a stride on the global side, and has them after the wait. */
static void async_copies(void) {
  static const char *const elements[] = {"char", "int", "double", "float3", "short4", "uchar16", "long2"};
  static const unsigned bytes[] = {1, 4, 8, 16, 8, 16, 16}, used[] = {1, 4, 8, 12, 8, 16, 16};
  for (unsigned k = 0; k < 7; k++) {
    enum { COUNT = 50, STRIDE = 3 };
    char source[2048];
    const char *e = elements[k];
    snprintf(
        source, sizeof source,
        "kernel void copy(global const %s *in, global %s *out, global const %s *far, global %s *wide) {\n"
        "  local %s a[%d], b[%d];\n"
        "  event_t e = async_work_group_copy(a, in, %d, 0);\n"
        "  e = async_work_group_strided_copy(b, far, %d, %d, e);\n"
        "  wait_group_events(1, &e);\n"
        "  event_t f[2];\n"
        "  f[0] = async_work_group_copy(out, a, %d, 0);\n"
        "  f[1] = async_work_group_strided_copy(wide, b, %d, %d, 0);\n"
        "  wait_group_events(2, f);\n  prefetch(in, 4);\n"
        "}\n",
        e, e, e, e, e, COUNT, COUNT, COUNT, COUNT, STRIDE, COUNT, COUNT, STRIDE);
    struct lib_program *p = lib_build(source, "");
    static uint8_t in[COUNT * 16], out[COUNT * 16], far[COUNT * STRIDE * 16], wide[COUNT * STRIDE * 16];
    for (unsigned i = 0; i < sizeof in; i++)
      in[i] = (uint8_t)(i * 7 + 1);
    for (unsigned i = 0; i < sizeof far; i++)
      far[i] = (uint8_t)(i * 13 + 5);
    memset(out, 0, sizeof out);
    memset(wide, 0xaa, sizeof wide);
    size_t n = bytes[k];
    struct lib_range r = {2, {0}, {8, 4, 1}, {8, 4, 1}};
    bool legal = lib_run(p, "copy", r, LIB_PTR(in, COUNT * n), LIB_PTR(out, COUNT * n),
                         LIB_PTR(far, COUNT * STRIDE * n), LIB_PTR(wide, COUNT * STRIDE * n));
    unsigned bad = !legal;
    for (unsigned i = 0; i < COUNT; i++)
      for (unsigned b = 0; b < used[k]; b++) {
        bad += out[i * n + b] != in[i * n + b];
        bad += wide[i * STRIDE * n + b] != far[i * STRIDE * n + b];
        bad += i + 1 < COUNT && wide[(i * STRIDE + 1) * n + b] != 0xaa;
      }
    lib_check(!bad, "%s: %u wrong", e, bad);
    lib_free(p);
  }
}

/* printf writes what C would, and vectors element by element; it returns zero. */
static void prints(void) {
  static const char source[] =
      "constant char text[] = \"text\";\n"
      "kernel void print(global int *a, float4 v, char3 c, double d, global int *result) {\n"
      "  result[0] = printf(\"%d %5.2f|%-6d|%+i|%06x|%c|%s|%%|%e\\n\", a[0], d, a[1], a[2], a[3], 'x', "
      "\"literal\", 1.5f);\n"
      "  printf(\"%v4hlf %v3hhd %#v2hlx %v2ld\\n\", v, c, (uint2)(17, 255), (long2)(-1, 1L << 40));\n"
      "  printf(\"%hd %hhu %ld %lu %g %a\\n\", (short)-3, (uchar)200, -5L, 18446744073709551615UL, d, "
      "1.0f);\n"
      "  printf(\"%5.1v2hlf;%*d\\n\", (float2)(1.25f, -2.0f), 4, 7);\n"
      "  printf(\"%s plain\\n\", text);\n"
      "  printf(\"nothing else\\n\");\n"
      "}\n";
  struct lib_program *p = lib_build(source, "");
  int32_t a[4] = {42, 7, 8, 0xbeef}, result[1] = {99};
  float v[4] = {1, 2.5f, -3, 1e6f};
  int8_t c[4] = {-1, 2, 127, 0};
  double d = 3.14159;
  lib_check(
      lib_run(p, "print", LIB_1D(1, 1), LIB_BUF(a), LIB_VAL(v), LIB_VAL(c), LIB_VAL(d), LIB_BUF(result)),
      "illegal");
  char *got = lib_printed(p);
  static const char want[] =
      "42  3.14|7     |+8|00beef|x|literal|%|1.500000e+00\n"
      "1.000000,2.500000,-3.000000,1000000.000000 -1,2,127 0x11,0xff -1,1099511627776\n"
      "-3 200 -5 18446744073709551615 3.14159 0x1p+0\n"
      "  1.2, -2.0;   7\n"
      "text plain\n"
      "nothing else\n";
  lib_check(!got || strcmp(got, want) == 0, "printed:\n%s", got);
  lib_check(result[0] == 0, "printf gave %d", result[0]);
  free(got);
  lib_free(p);
}

int main(void) {
  index_space();
  atomics();
  atomic_sums();
  async_copies();
  prints();
  return lib_done();
}
