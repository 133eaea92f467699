// Matrices on tensor cores: wmma for every type, all layouts and shapes, and ldmatrix with mma in assembly.
#include "check.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
template <class T> struct number {
  static __host__ __device__ T of(int v) { return (T)v; }
};
template <> struct number<half> {
  static __host__ __device__ half of(int v) { return __float2half((float)v); }
};
template <> struct number<__nv_bfloat16> {
  static __host__ __device__ __nv_bfloat16 of(int v) { return __float2bfloat16((float)v); }
};
static __host__ __device__ int a_at(int i, int k) { return (i * 3 + k * 5) % 7 - 3; }
static __host__ __device__ int b_at(int k, int j) { return (k * 2 + j * 3) % 5 - 2; }
template <class T, class F, class C, int M, int N, int K, class LA, class LB>
__global__ void gemm(const T *a, const T *b, C *c, int lda, int ldb, int ldc, int steps, wmma::layout_t out) {
  wmma::fragment<wmma::matrix_a, M, N, K, F, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, F, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fill_fragment(fc, number<C>::of(1));
  constexpr bool ra = std::is_same<LA, wmma::row_major>::value, rb = std::is_same<LB, wmma::row_major>::value;
  for (int s = 0; s < steps; s++) {
    wmma::load_matrix_sync(fa, a + (ra ? s * K : s * K * lda), lda);
    wmma::load_matrix_sync(fb, b + (rb ? s * K * ldb : s * K), ldb);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; i++)
    fc.x[i] = fc.x[i] + fc.x[i];
  wmma::store_matrix_sync(c, fc, ldc, out);
}
template <class T, class F, class C, int M, int N, int K, class LA, class LB> bool run(wmma::layout_t out) {
  const int steps = 3, depth = steps * K;
  constexpr bool ra = std::is_same<LA, wmma::row_major>::value, rb = std::is_same<LB, wmma::row_major>::value;
  T *ha = new T[M * depth], *hb = new T[N * depth], *a, *b;
  C *hc = new C[M * N], *c;
  int shift = std::is_same<T, unsigned char>::value ? 3 : 0;
  for (int i = 0; i < M; i++)
    for (int k = 0; k < depth; k++)
      ha[ra ? i * depth + k : k * M + i] = number<T>::of(a_at(i, k) + shift);
  for (int k = 0; k < depth; k++)
    for (int j = 0; j < N; j++)
      hb[rb ? k * N + j : j * depth + k] = number<T>::of(b_at(k, j) + shift);
  OK(cudaMalloc(&a, M * depth * sizeof(T)));
  OK(cudaMalloc(&b, N * depth * sizeof(T)));
  OK(cudaMalloc(&c, M * N * sizeof(C)));
  OK(cudaMemcpy(a, ha, M * depth * sizeof(T), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(b, hb, N * depth * sizeof(T), cudaMemcpyHostToDevice));
  bool row = out == wmma::mem_row_major;
  gemm<T, F, C, M, N, K, LA, LB><<<1, 32>>>(a, b, c, ra ? depth : M, rb ? N : depth, row ? N : M, steps, out);
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(hc, c, M * N * sizeof(C), cudaMemcpyDeviceToHost));
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int want = 1;
      for (int k = 0; k < depth; k++)
        want += (a_at(i, k) + shift) * (b_at(k, j) + shift);
      if ((double)(float)hc[row ? i * N + j : j * M + i] != 2.0 * want)
        return false;
    }
  OK(cudaFree(a));
  OK(cudaFree(b));
  OK(cudaFree(c));
  return true;
}
typedef wmma::row_major R;
typedef wmma::col_major L;
template <class T, class F, class C, int M, int N, int K> bool layouts() {
  return run<T, F, C, M, N, K, R, L>(wmma::mem_row_major) && run<T, F, C, M, N, K, L, R>(wmma::mem_col_major) &&
         run<T, F, C, M, N, K, R, R>(wmma::mem_row_major);
}
__global__ void matrix(const half *a, const half *b, float *c) { /* 16 x 16 times 16 x 8, b by rows */
  __shared__ __align__(16) half sa[16 * 16], sb[16 * 8];
  int l = threadIdx.x;
  for (int i = l; i < 256; i += 32)
    sa[i] = a[i];
  for (int i = l; i < 128; i += 32)
    sb[i] = b[i];
  __syncwarp();
  unsigned ra[4], rb[2], pa = (unsigned)__cvta_generic_to_shared(&sa[(l % 16) * 16 + l / 16 * 8]),
                         pb = (unsigned)__cvta_generic_to_shared(&sb[(l % 16) * 8]);
  float d[4] = {0, 0, 0, 0};
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; i++)
    c[(l / 4 + i / 2 * 8) * 8 + l % 4 * 2 + i % 2] = d[i];
}
int main() {
  bool ok = layouts<half, half, float, 16, 16, 16>() && layouts<half, half, half, 16, 16, 16>();
  ok = ok && layouts<half, half, float, 32, 8, 16>() && layouts<half, half, float, 8, 32, 16>() &&
       layouts<half, half, half, 32, 8, 16>() && layouts<half, half, half, 8, 32, 16>();
  ok = ok && layouts<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>() &&
       layouts<__nv_bfloat16, __nv_bfloat16, float, 32, 8, 16>() && layouts<__nv_bfloat16, __nv_bfloat16, float, 8, 32, 16>();
  ok = ok && layouts<float, wmma::precision::tf32, float, 16, 16, 8>();
  ok = ok && layouts<signed char, signed char, int, 16, 16, 16>() && layouts<unsigned char, unsigned char, int, 32, 8, 16>() &&
       layouts<signed char, signed char, int, 8, 32, 16>();
  ok = ok && layouts<double, double, double, 8, 8, 4>();
  half ha[256], hb[128], *a, *b;
  float hc[128], *c;
  for (int i = 0; i < 256; i++)
    ha[i] = __float2half((float)a_at(i / 16, i % 16));
  for (int i = 0; i < 128; i++)
    hb[i] = __float2half((float)b_at(i / 8, i % 8));
  OK(cudaMalloc(&a, sizeof ha));
  OK(cudaMalloc(&b, sizeof hb));
  OK(cudaMalloc(&c, sizeof hc));
  OK(cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice));
  matrix<<<1, 32>>>(a, b, c);
  OK(cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      int want = 0;
      for (int k = 0; k < 16; k++)
        want += a_at(i, k) * b_at(k, j);
      ok &= hc[i * 8 + j] == want;
    }
  return finish(ok);
}
