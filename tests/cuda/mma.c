/* Matrix instructions give the bits that an H200 gives: inputs made by a hash (moderate numbers, numbers of all sizes, any
 * bits at all), the results' hash as recorded on the GPU (NVIDIA H200, driver 580.159.04, CUDA 13.0). */
#include "own.h"

enum { PER = 36, N = 3 * PER };

static uint32_t mix(uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}
static uint32_t hash(uint32_t test, uint32_t k, uint32_t which, uint32_t i) {
  return mix(mix(mix(test * 977u + k) + which * 131071u) + i);
}
static uint32_t half(uint32_t r, uint32_t mode, bool bf) {
  uint32_t s = r & 0x8000u, f = r >> 16;
  if (mode == 2)
    return r & 0xffffu;
  if (bf)
    return s | (mode == 0 ? 124 + f % 7 : 97 + f % 61) << 7 | (r & 127);
  return s | (mode == 0 ? 12 + f % 7 : 1 + f % 30) << 10 | (r & 1023);
}
enum kind { F16, BF16, F32, F64 };
/* register i of operand `which` in product k */
static uint32_t word(enum kind kind, uint32_t test, uint32_t k, uint32_t which, uint32_t i) {
  uint32_t mode = k / PER, r = hash(test, k, which, 2 * i), q = hash(test, k, which, 2 * i + 1);
  if (kind != F32)
    return half(r, mode, kind == BF16) | half(q, mode, kind == BF16) << 16;
  if (mode == 2)
    return r;
  uint32_t e = mode == 0 ? (which == 2 ? 121 + q % 13 : 124 + q % 7) : 97 + q % 61;
  return (r & 0x807fffffu) | e << 23;
}
static uint64_t wide(uint32_t test, uint32_t k, uint32_t which, uint32_t i) {
  uint32_t mode = k / PER, r = hash(test, k, which, 2 * i), q = hash(test, k, which, 2 * i + 1),
           t = hash(test, k, which + 7, i);
  uint64_t b = (uint64_t)r << 32 | q;
  return mode == 2 ? b
                   : (b & 0x800fffffffffffffull) | (uint64_t)(mode == 0 ? 1020 + t % 7 : 990 + t % 61) << 52;
}

static const struct test {
  unsigned number;
  const char *name;
  enum kind ab, c;
  unsigned na, nb, nc;
  uint64_t wanted; /* FNV-1a of what the H200 gave */
} tests[] = {
#include "mma_h200.h"
};

static uint64_t fnv(const void *p, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < n; i++)
    h = (h ^ ((const uint8_t *)p)[i]) * UINT64_C(0x100000001b3);
  return h;
}

/* Each lane loads na + nb + nc registers that lie side by side, and stores nc. */
static char *kernel_of(const struct test *t, bool doubles) {
  unsigned all = t->na + t->nb + t->nc, size = doubles ? 8 : 4;
  char *p = malloc(8192);
  int n = sprintf(
      p,
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %%l, %%b; .reg .b64 %%i, %%o, %%x; .reg .b%u %%r<20>, %%d<4>;\n"
      "ld.param.u64 %%i, [in]; ld.param.u64 %%o, [out]; mov.u32 %%l, %%laneid; mov.u32 %%b, %%ctaid.x;\n"
      "mad.lo.u32 %%l, %%b, 32, %%l; mul.wide.u32 %%x, %%l, %u; add.u64 %%i, %%i, %%x;\n"
      "mul.wide.u32 %%x, %%l, %u; add.u64 %%o, %%o, %%x;\n",
      8 * size, all * size, t->nc * size);
  for (unsigned i = 0; i < all; i++)
    n += sprintf(p + n, "ld.global.b%u %%r%u, [%%i+%u];\n", 8 * size, i, i * size);
  n += sprintf(p + n, "%s {", t->name);
  for (unsigned i = 0; i < t->nc; i++)
    n += sprintf(p + n, "%s%%d%u", i ? "," : "", i);
  for (unsigned i = 0; i < all; i++)
    n += sprintf(p + n, "%s%%r%u", i == 0 || i == t->na || i == t->na + t->nb ? "},{" : ",", i);
  n += sprintf(p + n, "};\n");
  for (unsigned i = 0; i < t->nc; i++)
    n += sprintf(p + n, "st.global.b%u [%%o+%u], %%d%u;\n", 8 * size, i * size, i);
  sprintf(p + n, "ret; }\n");
  return p;
}

static char stubs[16];

static void run(const struct test *t, const void *stub) {
  bool doubles = t->ab == F64;
  unsigned all = t->na + t->nb + t->nc, each = doubles ? 8 : 4, many = doubles ? 8 : 4;
  uint8_t *in = malloc((size_t)N * 32 * all * each), *out = malloc((size_t)N * 32 * t->nc * each);
  size_t at = 0;
  for (uint32_t k = 0; k < N; k++)
    for (uint32_t lane = 0; lane < 32; lane++)
      for (uint32_t i = 0; i < all; i++) {
        uint32_t which = i < t->na ? 0 : i < t->na + t->nb ? 1 : 2;
        uint32_t r = lane * many + (which == 0 ? i : which == 1 ? i - t->na : i - t->na - t->nb);
        uint64_t v =
            doubles ? wide(t->number, k, which, r) : word(which == 2 ? t->c : t->ab, t->number, k, which, r);
        memcpy(in + at, &v, each);
        at += each;
      }
  void *from, *to, *params[] = {&from, &to};
  SAME(cudaMalloc(&from, at), 0);
  SAME(cudaMalloc(&to, (size_t)N * 32 * t->nc * each), 0);
  SAME(cudaMemcpy(from, in, at, H2D), 0);
  SAME(cudaLaunchKernel(stub, (dim3){N, 1, 1}, (dim3){32, 1, 1}, params, 0, NULL), 0);
  SAME(cudaMemcpy(out, to, (size_t)N * 32 * t->nc * each, D2H), 0);
  uint64_t got = fnv(out, (size_t)N * 32 * t->nc * each);
  CHECK(got == t->wanted);
  printf("%s %s\n", got == t->wanted ? "[       OK ]" : "[  FAILED  ]", t->name);
  cudaFree(from), cudaFree(to), free(in), free(out);
}

int main(void) {
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    register_kernel(register_fat(fat_binary(kernel_of(&tests[i], tests[i].ab == F64), PLAIN, 90, false)),
                    &stubs[i], "k");
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    run(&tests[i], &stubs[i]);
  return failures ? 1 : 0;
}
