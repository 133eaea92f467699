/* What a workload's host.c is written against: inputs, buffers, launches, a check.
 *
 *   WORKLOAD(transpose) {
 *     uint32_t n = wl_u32(w, "n");                          a parameter of about.yaml
 *     float *in = wl_host(w, n * n, sizeof *in);            host memory, freed at the end
 *     wl_random_f32(w, in, n * n, -1, 1);                   drawn from the seed
 *     wl_buffer a = wl_upload(w, "in", in, n * n * 4), b = wl_alloc(w, "out", n * n * 4);
 *     wl_launch(w, "transpose", wl_range2(n, n, 16, 16), WL_ARGS(wl_buf(a), wl_buf(b), wl_int(n)));
 *     if (wl_verify(w))
 *       wl_check_f32(w, b, reference(w, in, n), n * n, 0);
 *   }
 *
 * Nothing here returns a failure: what goes wrong (a fault in a kernel, a difference, a bad parameter) ends
 * the run with its message and exit code. So a host.c holds no error handling, and takes memory from wl_host
 * only. The same calls run on the functional executor, on the timing model, and write a plan for a real
 * GPU. docs/adding-a-workload.md walks through it. */
#ifndef SLUICE_WORKLOAD_HOST_H
#define SLUICE_WORKLOAD_HOST_H

#include "base/error.h"
#include "front/gen/gen.h"
#include "front/launch/elem.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl;

/* Opens the definition of a workload's function. ID is its folder's name, with _ for + and -. */
#define WORKLOAD(id)                                                                                         \
  void workload_##id(struct wl *w);                                                                          \
  void workload_##id(struct wl *w)

/* Parameters: those about.yaml declares, within the bounds stated there. */
uint64_t wl_u64(const struct wl *w, const char *name);
uint32_t wl_u32(const struct wl *w, const char *name);
double wl_f64(const struct wl *w, const char *name);
const char *wl_text(const struct wl *w, const char *name); /* one of its `values` */
/* Which of the values of a parameter it is, from 0, in the order of about.yaml. */
unsigned wl_choice(const struct wl *w, const char *name);
const char *wl_input(const struct wl *w); /* the file of --input, or NULL */

/* Parameters that do not go together (exit code 2). */
_Noreturn void wl_refuse(struct wl *w, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Host memory, zeroed, until the end of the run. */
void *wl_host(struct wl *w, uint64_t count, size_t size);

/* Random numbers from --seed. */
uint64_t wl_random(struct wl *w);
uint64_t wl_random_below(struct wl *w, uint64_t n); /* 0 .. n-1 */
double wl_random_unit(struct wl *w);                /* [0, 1) */
void wl_random_f32(struct wl *w, float *to, uint64_t n, float low, float high);
void wl_random_u32(struct wl *w, uint32_t *to, uint64_t n, uint32_t below); /* below 0: all 32 bits */

/* Device memory. */
typedef struct {
  uint32_t id;
} wl_buffer;
wl_buffer wl_alloc(struct wl *w, const char *name, uint64_t bytes); /* zeroed */
wl_buffer wl_upload(struct wl *w, const char *name, const void *from, uint64_t bytes);
void wl_write(struct wl *w, wl_buffer to, uint64_t offset, const void *from, uint64_t bytes);
void wl_zero(struct wl *w, wl_buffer to, uint64_t offset, uint64_t bytes);
/* What is read here steers the host: a real GPU must come to the same bytes. */
void wl_read(struct wl *w, wl_buffer from, uint64_t offset, void *to, uint64_t bytes);
/* The same where the bytes may depend on the order of threads (sums of floats by atomics). */
void wl_read_loose(struct wl *w, wl_buffer from, uint64_t offset, void *to, uint64_t bytes);
uint32_t wl_read_u32(struct wl *w, wl_buffer from, uint64_t index); /* one element */
void wl_write_u32(struct wl *w, wl_buffer to, uint64_t index, uint32_t value);

/* The size of a launch, as OpenCL says it: work-items in all, and of a work-group. */
struct wl_range {
  uint64_t global[3];
  uint32_t local[3];
};
struct wl_range wl_range1(uint64_t x, uint32_t lx);
struct wl_range wl_range2(uint64_t x, uint64_t y, uint32_t lx, uint32_t ly);
struct wl_range wl_range3(uint64_t x, uint64_t y, uint64_t z, uint32_t lx, uint32_t ly, uint32_t lz);
/* n rounded up to a multiple of local: for kernels that test their index. */
uint64_t wl_up(uint64_t n, uint64_t local);

/* Arguments, in the kernel's order. */
struct wl_arg {
  enum { WL_ARG_BUFFER, WL_ARG_VALUE, WL_ARG_BYTES, WL_ARG_LOCAL } kind;
  wl_buffer buffer;
  uint64_t offset; /* bytes from the buffer's start; WL_ARG_LOCAL: size */
  enum elem_type type;
  uint32_t n;
  uint8_t value[64];
};
struct wl_arg wl_buf(wl_buffer b);
struct wl_arg wl_buf_at(wl_buffer b, uint64_t offset); /* bytes */
struct wl_arg wl_int(uint64_t v);                      /* int or uint; v below 2^32 */
struct wl_arg wl_sint(int32_t v);
struct wl_arg wl_long(uint64_t v);
struct wl_arg wl_float(float v);
struct wl_arg wl_double(double v);
struct wl_arg wl_struct(const void *v, uint32_t bytes); /* a vector or struct by value, up to 64 bytes */
struct wl_arg wl_local(uint64_t bytes);                 /* a __local array of this size */

#define WL_ARGS(...)                                                                                         \
  (const struct wl_arg[]){__VA_ARGS__}, (sizeof((const struct wl_arg[]){__VA_ARGS__}) / sizeof(struct wl_arg))
void wl_launch(struct wl *w, const char *kernel, struct wl_range range, const struct wl_arg *args,
               size_t nargs);

/* A generated stream (front/gen/gen.h) in place of a launch; its buffers are all there are. */
void wl_generate(struct wl *w, gen_open_fn *open, const void *what);
uint64_t wl_seed(const struct wl *w);

/* On a real GPU, the last launch is repeated as often: for loops until nothing changes, whose number of rounds
 * depends on the order in which work-groups run. Further rounds must not change the result. */
void wl_settle(struct wl *w, uint32_t times);

/* Checks. Whether one is wanted: the reference need not be computed otherwise. */
bool wl_verify(const struct wl *w);
/* The first n elements of a buffer must equal `want`: |got - want| <= tolerance * max(1, |want|); exactly
 * for integers and tolerance 0. A difference ends the run with the first elements that differ. */
void wl_check(struct wl *w, wl_buffer b, enum elem_type type, const void *want, uint64_t n, double tolerance);
void wl_check_f32(struct wl *w, wl_buffer b, const float *want, uint64_t n, double tolerance);
void wl_check_u32(struct wl *w, wl_buffer b, const uint32_t *want, uint64_t n);
void wl_check_s32(struct wl *w, wl_buffer b, const int32_t *want, uint64_t n);
/* A property that no single array of expected values says; read with wl_read_loose. */
void wl_require(struct wl *w, bool holds, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
