// Algorithms of Thrust against the standard library's.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/copy.h>
#include <thrust/unique.h>
#include <thrust/sequence.h>
#include <thrust/binary_search.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/set_operations.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/extrema.h>
#include <thrust/complex.h>
#include <thrust/logical.h>
#include <vector>
#include <algorithm>
#include <numeric>
#include <cstdio>
#define CHECK(c)                                                                                             \
  do {                                                                                                       \
    if (!(c)) {                                                                                              \
      printf("FAILED line %d: %s\n", __LINE__, #c);                                                          \
      bad++;                                                                                                 \
    }                                                                                                        \
  } while (0)
int bad = 0;
struct even {
  __host__ __device__ bool operator()(int x) const {
    return x % 2 == 0;
  }
};
struct sq {
  __host__ __device__ float operator()(float x) const {
    return x * x;
  }
};
int main() {
  int n = 10000;
  std::vector<int> h(n);
  unsigned s = 1;
  for (auto &x : h) {
    s = s * 1664525u + 1013904223u;
    x = (int)(s >> 12) - 500000;
  }
  thrust::device_vector<int> d(h.begin(), h.end());
  CHECK(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0));
  auto mm = thrust::minmax_element(d.begin(), d.end());
  CHECK(*mm.first == *std::min_element(h.begin(), h.end()) &&
        *mm.second == *std::max_element(h.begin(), h.end()));
  thrust::device_vector<int> sc(n);
  std::vector<int> hs(n);
  thrust::inclusive_scan(d.begin(), d.end(), sc.begin());
  std::partial_sum(h.begin(), h.end(), hs.begin());
  CHECK(thrust::equal(sc.begin(), sc.end(), thrust::device_vector<int>(hs.begin(), hs.end()).begin()));
  thrust::device_vector<int> ev(n);
  auto e = thrust::copy_if(d.begin(), d.end(), ev.begin(), even());
  CHECK(e - ev.begin() == std::count_if(h.begin(), h.end(), [](int x) { return x % 2 == 0; }));
  thrust::sort(d.begin(), d.end());
  std::sort(h.begin(), h.end());
  thrust::host_vector<int> back = d;
  CHECK(std::equal(h.begin(), h.end(), back.begin()));
  thrust::device_vector<float> keys(n), vals(n);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), keys.begin(),
                    [] __device__(int i) -> float { return (float)((i * 7919) % 10007); });
  thrust::sequence(vals.begin(), vals.end());
  thrust::sort_by_key(keys.begin(), keys.end(), vals.begin(), thrust::greater<float>());
  thrust::host_vector<float> hk = keys, hv = vals;
  bool ok = true;
  for (int i = 0; i < n; i++) {
    ok &= hk[i] == (float)(((int)hv[i] * 7919) % 10007);
    if (i)
      ok &= hk[i] <= hk[i - 1];
  }
  CHECK(ok);
  thrust::stable_sort(vals.begin(), vals.end());
  CHECK(thrust::is_sorted(vals.begin(), vals.end()));
  float r = thrust::transform_reduce(vals.begin(), vals.begin() + 100, sq(), 0.0f, thrust::plus<float>());
  CHECK(r == 328350.0f);
  CHECK(thrust::inner_product(vals.begin(), vals.begin() + 10, vals.begin(), 0.0f) == 285.0f);
  thrust::device_vector<int> k(n), v(n, 1), ok_(n), ov(n);
  for (int i = 0; i < n; i++)
    h[i] = i / 7;
  thrust::copy(h.begin(), h.end(), k.begin());
  auto p = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), ok_.begin(), ov.begin());
  CHECK(p.first - ok_.begin() == (n + 6) / 7);
  CHECK(ov[0] == 7 && ov[1] == 7);
  CHECK(thrust::unique(k.begin(), k.end()) - k.begin() == (n + 6) / 7);
  CHECK(thrust::lower_bound(vals.begin(), vals.end(), 500.0f) - vals.begin() == 500);
  thrust::device_vector<int> a(5), b(5), c(10);
  thrust::sequence(a.begin(), a.end(), 0, 2);
  thrust::sequence(b.begin(), b.end(), 0, 3);
  auto ce = thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), c.begin());
  CHECK(ce - c.begin() == 2);
  thrust::merge(a.begin(), a.end(), b.begin(), b.end(), c.begin());
  CHECK(thrust::is_sorted(c.begin(), c.end()));
  auto pe = thrust::partition(d.begin(), d.end(), even());
  CHECK(thrust::all_of(d.begin(), pe, even()));
  thrust::device_vector<unsigned long long> ll(1000);
  thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(1000),
                    ll.begin(), [] __device__(unsigned i) -> unsigned long long {
                      thrust::default_random_engine g(i);
                      thrust::uniform_int_distribution<unsigned> u(0, 1u << 30);
                      return (unsigned long long)u(g);
                    });
  thrust::sort(ll.begin(), ll.end(),
               [] __device__(unsigned long long x, unsigned long long y) { return x > y; });
  CHECK(thrust::is_sorted(ll.rbegin(), ll.rend()));
  thrust::device_vector<double> dd(1000, 1.5);
  CHECK(thrust::reduce(dd.begin(), dd.end(), 0.0) == 1500.0);
  thrust::device_vector<thrust::complex<float>> cc(16, thrust::complex<float>(3, 4));
  CHECK(thrust::transform_reduce(
            cc.begin(), cc.end(), [] __device__(thrust::complex<float> z) -> float { return thrust::abs(z); },
            0.0f, thrust::plus<float>()) == 80.0f);
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
