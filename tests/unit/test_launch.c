/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include "base/mem.h"
#include "front/launch/launch.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of the test's own, with an empty k.ptx and a file of eight bytes. */
struct fixture {
  char dir[64], yaml[80];
  struct error err;
};

static void put_file(const struct fixture *x, const char *name, const void *data, size_t n) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", x->dir, name);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static int setup(void **state) {
  struct fixture *x = calloc(1, sizeof *x);
  strcpy(x->dir, "/tmp/test_launch.XXXXXX");
  if (!x || !mkdtemp(x->dir))
    return -1;
  snprintf(x->yaml, sizeof x->yaml, "%s/x.yaml", x->dir);
  put_file(x, "k.ptx", "", 0);
  put_file(x, "in.bin", "\1\2\3\4\5\6\7\10", 8);
  *state = x;
  return 0;
}

static int teardown(void **state) {
  struct fixture *x = *state;
  static const char *const names[] = {"k.ptx", "in.bin", "out.bin"};
  for (int i = 0; i < 3; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", x->dir, names[i]);
    unlink(path);
  }
  rmdir(x->dir);
  error_clear(&x->err);
  free(x);
  return 0;
}

#define HEAD "ptx: k.ptx\n"
#define RUN  "launches: [{kernel: k, grid: 1, block: 32}]\n"

static struct launch_file *load(struct fixture *x, const char *text) {
  error_clear(&x->err);
  return launch_file_parse(text, strlen(text), x->yaml, &x->err);
}

static struct launch_file *loads(struct fixture *x, const char *text) {
  struct launch_file *f = load(x, text);
  if (!f)
    fail_msg("%s", x->err.text);
  return f;
}

static void refused(struct fixture *x, const char *text, const char *words) {
  struct launch_file *f = load(x, text);
  if (f)
    fail_msg("accepted: %s", text);
  assert_int_equal(x->err.code, EXIT_USAGE);
  if (!strstr(x->err.text, words))
    fail_msg("no '%s' in: %s", words, x->err.text);
}

/* Loads one buffer `b` with this body and returns its contents. */
static uint8_t *contents(struct fixture *x, const char *body, uint64_t *bytes) {
  char text[512];
  snprintf(text, sizeof text, HEAD RUN "buffers: {b: {%s}}\n", body);
  struct launch_file *f = loads(x, text);
  uint8_t *p = xcalloc(f->buffers[0].bytes, 1);
  assert_true(launch_buffer_fill(&f->buffers[0], p, true, &x->err));
  *bytes = f->buffers[0].bytes;
  launch_file_free(f);
  return p;
}

static void a_fill_gives_the_values_it_states(void **state) {
  struct fixture *x = *state;
  uint64_t n;
  float *f = (float *)(void *)contents(
      x, "count: 600, type: f32, fill: {iota: {start: -1, step: 1, modulo: 256}}", &n);
  assert_int_equal(n, 2400);
  assert_true(f[0] == 255 && f[1] == 0 && f[256] == 255 && f[257] == 0);
  free(f);
  int32_t *s = (int32_t *)(void *)contents(x, "bytes: 16, fill: {iota: {type: s32, start: 5, step: -3}}", &n);
  assert_true(s[0] == 5 && s[1] == 2 && s[2] == -1 && s[3] == -4);
  free(s);
  s = (int32_t *)(void *)contents(x, "count: 4, type: s32, fill: {iota: {start: -2, modulo: 5}}", &n);
  assert_true(s[0] == 3 && s[1] == 4 && s[2] == 0 && s[3] == 1);
  free(s);
  s = (int32_t *)(void *)contents(x, "count: 3, type: s32, fill: {value: -1}, set: {0: 0, 2: 7}", &n);
  assert_true(s[0] == 0 && s[1] == -1 && s[2] == 7);
  free(s);
  uint8_t *b = contents(x, "file: in.bin, offset: 2, bytes: 3", &n);
  assert_int_equal(n, 3);
  assert_memory_equal(b, "\3\4\5", 3);
  free(b);
  b = contents(x, "file: in.bin", &n);
  assert_int_equal(n, 8);
  free(b);
  uint16_t *h =
      (uint16_t *)(void *)contents(x, "count: 2, type: bf16, fill: {value: 1.5}, set: {1: -0.0}", &n);
  assert_true(h[0] == 0x3fc0 && h[1] == 0x8000);
  free(h);
}

/* Wherever in a large buffer an element is, it is start + step * i, modulo m. */
static void an_iota_keeps_to_its_rule_throughout_a_buffer(void **state) {
  struct fixture *x = *state;
  uint64_t n;
  float *f = (float *)(void *)contents(
      x, "count: 5000, type: f32, fill: {iota: {start: 3, step: 7, modulo: 1000}}", &n);
  for (int i = 0; i < 5000; i++)
    assert_true(f[i] == (float)((3 + 7 * i) % 1000));
  free(f);
  double *d = (double *)(void *)contents(
      x, "count: 1500, type: f64, fill: {iota: {start: 0.25, step: 0.5, modulo: 10}}", &n);
  for (int i = 0; i < 1500; i++)
    assert_true(d[i] == (1 + 2 * i) % 40 / 4.0);
  free(d);
  uint64_t *u = (uint64_t *)(void *)contents(
      x, "count: 1500, type: u64, fill: {iota: {step: 1, modulo: 18446744073709551615}}", &n);
  assert_true(u[0] == 0 && u[511] == 511 && u[512] == 512 && u[1499] == 1499);
  free(u);
  int64_t *s = (int64_t *)(void *)contents(
      x, "count: 1500, type: s64, fill: {iota: {start: -1000, step: 3, modulo: 17}}", &n);
  for (int i = 0; i < 1500; i++)
    assert_int_equal(s[i], ((-1000 + 3 * i) % 17 + 17) % 17);
  free(s);
  uint8_t *b = contents(x, "count: 1500, type: u8, fill: {value: 7}", &n);
  for (int i = 0; i < 1500; i++)
    assert_int_equal(b[i], 7);
  free(b);
  /* half precision: above 2048 only even numbers, ties to the one whose last bit is 0 */
  uint16_t *h = (uint16_t *)(void *)contents(x, "count: 6, type: f16, fill: {iota: {start: 2047}}", &n);
  assert_true(h[0] == 0x67ff && h[1] == 0x6800 && h[2] == 0x6800 && h[3] == 0x6801 && h[4] == 0x6802);
  free(h);
}

static void xorshift_draws_the_published_sequence_and_skips_any_distance(void **state) {
  struct fixture *x = *state;
  uint64_t n, s = UINT64_C(0x9E3779B97F4A7C15);
  uint32_t *all =
      (uint32_t *)(void *)contents(x, "count: 1000, type: u32, fill: {xorshift64: {modulo: 1000003}}", &n);
  for (int i = 0; i < 1000; i++) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    assert_int_equal(all[i], (s >> 32) % 1000003);
  }
  uint32_t *tail = (uint32_t *)(void *)contents(
      x, "count: 100, type: u32, fill: {xorshift64: {skip: 900, modulo: 1000003}}", &n);
  assert_memory_equal(tail, all + 900, 400);
  free(tail);
  free(all);
  /* the generator's period is 2^64 - 1 */
  all = (uint32_t *)(void *)contents(x, "count: 9, type: u32, fill: {xorshift64: {seed: 3}}", &n);
  tail = (uint32_t *)(void *)contents(
      x, "count: 9, type: u32, fill: {xorshift64: {seed: 3, skip: 18446744073709551615}}", &n);
  assert_memory_equal(tail, all, 36);
  free(tail);
  free(all);
}

static void random_values_keep_to_their_range(void **state) {
  struct fixture *x = *state;
  uint64_t n;
  float *f = (float *)(void *)contents(
      x, "count: 4000, type: f32, fill: {random: {seed: 1, min: -1, max: 1.0}}", &n);
  double sum = 0;
  for (int i = 0; i < 4000; i++) {
    assert_true(f[i] >= -1 && f[i] <= 1);
    sum += (double)f[i];
  }
  assert_true(fabs(sum / 4000) < 0.05);
  free(f);
  int8_t *s = (int8_t *)contents(x, "count: 4000, type: s8, fill: {random: {min: -3, max: 4}}", &n);
  int seen[8] = {0};
  for (int i = 0; i < 4000; i++) {
    assert_true(s[i] >= -3 && s[i] <= 4);
    seen[s[i] + 3]++;
  }
  for (int i = 0; i < 8; i++)
    assert_true(seen[i] > 350);
  free(s);
}

static void elements_round_to_nearest_even(void **state) {
  (void)state;
  static const struct {
    enum elem_type t;
    double v;
    uint64_t bits;
  } rows[] = {
      {ELEM_F16, 1, 0x3c00},
      {ELEM_F16, 65504, 0x7bff},
      {ELEM_F16, 65520, 0x7c00},         /* half way to 2^16: even is infinity */
      {ELEM_F16, 0x1p-24, 1},            /* smallest subnormal */
      {ELEM_F16, 0x1p-25, 0},            /* tie to even zero */
      {ELEM_F16, 0x1.8p-24, 2},          /* tie to even */
      {ELEM_F16, 1 + 0x1p-11, 0x3c00},   /* tie to even */
      {ELEM_F16, 1 + 0x1.8p-10, 0x3c02}, /* tie to even, upwards */
      {ELEM_F16, 0x1.ffep-15, 0x0400},   /* a subnormal that rounds to the least normal */
      {ELEM_F16, -2, 0xc000},
      {ELEM_BF16, 0x1.0fp0, 0x3f88}, /* tie to even, upwards */
      {ELEM_BF16, 3.3895e38, 0x7f7f},
      {ELEM_F32, 16777217, 0x4b800000},
      {ELEM_F64, 0.1, 0x3fb999999999999a},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint8_t b[8];
    elem_store_f64(rows[i].t, rows[i].v, b);
    assert_int_equal(elem_load_bits(rows[i].t, b), rows[i].bits);
  }
  for (unsigned bits = 0; bits < 65536; bits++) { /* every half float survives the way out and back */
    uint8_t b[8], c[8];
    for (int k = 0; k < 2; k++) {
      enum elem_type t = k ? ELEM_F16 : ELEM_BF16;
      elem_store_bits(t, bits, b);
      double v = elem_load_f64(t, b);
      elem_store_f64(t, v, c);
      if (!isnan(v))
        assert_memory_equal(b, c, 2);
    }
  }
}

static void mistakes_are_named_with_line_key_and_what_is_allowed(void **state) {
  struct fixture *x = *state;
  char where[200];
  snprintf(where, sizeof where, "%s:3: buffers.b.fill: unknown key 'iotta'; did you mean 'iota'?", x->yaml);
  refused(x, HEAD RUN "buffers: {b: {bytes: 4, fill: {iotta: 1}}}", where);
  refused(x, "", "is empty");
  refused(x, "[1]", "a map is needed");
  refused(x, RUN, "key 'ptx' is missing");
  refused(x, HEAD, "key 'launches' is missing");
  refused(x, HEAD "launches: []", "nothing to launch");
  refused(x, "ptx: gone.ptx\n" RUN, "cannot read");
  refused(x, "ptx: .\n" RUN, "not a regular file");
  refused(x, HEAD RUN "bufers: {}", "did you mean 'buffers'?");
  refused(x, HEAD RUN "buffers: {b: {}}", "the size is missing");
  refused(x, HEAD RUN "buffers: {b: {bytes: 2Ti}}", "allowed: 0..1099511627776");
  refused(x, HEAD RUN "buffers: {b: {count: 4}}", "needs a 'type'");
  refused(x, HEAD RUN "buffers: {b: {bytes: 6, type: f32}}", "not a whole number of f32");
  refused(x, HEAD RUN "buffers: {b: {bytes: 8, fill: {value: 1}}}", "which type?");
  refused(x, HEAD RUN "buffers: {b: {count: 8, type: s8, fill: {value: 128}}}", "from -128 to 127");
  refused(x, HEAD RUN "buffers: {b: {count: 8, type: f16, fill: {value: 1e6}}}", "f16 can hold");
  refused(x, HEAD RUN "buffers: {b: {count: 8, type: u8, fill: {xorshift64: {seed: 0}}}}", "allowed: 1..");
  refused(x, HEAD RUN "buffers: {b: {count: 8, type: u8, fill: {iota: {modulo: 0}}}}", "above 0");
  refused(x, HEAD RUN "buffers: {b: {count: 8, type: s8, fill: {random: {min: 2, max: 1}}}}",
          "min is above max");
  refused(x, HEAD RUN "buffers: {b: {count: 8, type: s8, set: {8: 1}}}",
          "no element of this buffer (it has 8)");
  refused(x, HEAD RUN "buffers: {b: {file: in.bin, bytes: 9}}", "9 are needed");
  refused(x, HEAD RUN "buffers: {b: {bytes: 4, at: 0x10}}", "out of range");
  refused(x, HEAD "launches: [{kernel: k, grid: 0, block: 1}]", "allowed: 1..2147483647");
  refused(x, HEAD "launches: [{kernel: k, grid: [1, 65536], block: 1}]", "allowed: 1..65535");
  refused(x, HEAD "launches: [{kernel: k, grid: 1, block: [32, 33]}]", "1056 threads in a block");
  refused(x, HEAD "launches: [{kernel: k, grid: 1, block: [1, 1, 65]}]", "allowed: 1..64");
  refused(x, HEAD "launches: [{kernel: k, grid: [1, 1, 1, 1], block: 1}]", "1 to 3");
  refused(x, HEAD "launches: [{kernel: k, grid: 1, block: 1, args: [b]}]", "no buffer 'b'");
  refused(x, HEAD "launches: [{kernel: k, grid: 1, block: 1, args: [7]}]", "needs its type");
  refused(x, HEAD "launches: [{kernel: k, grid: 1, block: 1, args: [{bytes: abc}]}]", "an even number");
  refused(x, HEAD "launches: [{kernel: k, grid: 1, block: 1, args: [{s33: 1}]}]", "did you mean 's32'?");
  refused(x, HEAD "launches: [{fill: {buffer: b, value: 1}}]", "no buffer 'b'");
  refused(x, HEAD "buffers: {b: {bytes: 4}}\nlaunches: [{fill: {buffer: b}}]", "with what?");
  refused(x, HEAD RUN "buffers: {b: {bytes: 4}}\noutputs: [{buffer: b}]", "an output has one of");
  refused(x, HEAD RUN "buffers: {b: {bytes: 4}}\noutputs: [{buffer: b, compare: in.bin}]", "has 8 bytes");
  refused(x, HEAD RUN "buffers: {b: {bytes: 4}}\noutputs: [{buffer: b, equals: zero, tolerance: -1}]",
          "0 or above");
  refused(x, HEAD RUN "buffers: {b: {bytes: 4}}\noutputs: [{buffer: b, equals: zero, tolerance: 1, ulp: 1}]",
          "give one");
}

static void all_mistakes_are_reported_at_once_up_to_a_bound(void **state) {
  struct fixture *x = *state;
  refused(x, HEAD "buffers: {b: {bytes: x}}\nlaunches: [{kernel: k, grid: 0, block: 0}]\n",
          "buffers.b.bytes");
  assert_non_null(strstr(x->err.text, "launches[0].grid"));
  assert_non_null(strstr(x->err.text, "launches[0].block"));
  size_t n = strlen(HEAD RUN "outputs:\n"), each = strlen("  - {}\n"), cap = n + 5000 * each + 1;
  char *text = malloc(cap);
  strcpy(text, HEAD RUN "outputs:\n");
  for (int i = 0; i < 4000; i++)
    memcpy(text + n + (size_t)i * each, "  - {}\n", each + 1);
  refused(x, text, "these were the first");
  free(text);
  int lines = 0;
  for (const char *c = x->err.text; *c; c++)
    lines += *c == '\n';
  assert_true(lines < 60);
}

/* void k(float *p, int n, float f, struct {12 bytes} s, local float *l) */
static const uint32_t offsets[] = {0, 8, 12, 16, 32};
static const struct ptx_var params[] = {
    {.name = "p", .type = PTX_U64, .size = 8},
    {.name = "n", .type = PTX_U32, .size = 4},
    {.name = "f", .type = PTX_F32, .size = 4},
    {.name = "s", .type = PTX_B8, .size = 12},
    {.name = "l", .type = PTX_U64, .size = 8, .ptr_space = PTX_SHARED, .ptr_align = 64},
};
static const struct kernel_info kernel = {.name = "k",
                                          .nparams = 5,
                                          .params = params,
                                          .param_bytes = 40,
                                          .param_offset = offsets,
                                          .static_shared = 100};
static const struct kernel_info *const kernels[] = {&kernel};

#define BUFFERS "buffers: {p: {bytes: 64}, q: {bytes: 8, at: 0x710000000003}}\n"
#define LAUNCH(args)                                                                                         \
  HEAD BUFFERS "launches: [{kernel: k, grid: [2, 3], block: 32, shared: 40, args: [" args "]}]\n"

static void arguments_land_where_the_kernel_expects_them(void **state) {
  struct fixture *x = *state;
  struct launch_file *f = loads(x, LAUNCH("{buffer: q, offset: 4}, {s32: -2}, {f32: 1.5}, {bytes: "
                                          "\"000102030405060708090a0b\"}, {local: 256}"));
  struct devmem *mem = devmem_create(NULL);
  struct launch_setup *s = launch_prepare(f, mem, kernels, 1, &x->err);
  assert_non_null(s);
  const struct launch *l = &s->bound[0].launch;
  const uint8_t *block = l->params;
  uint64_t p, local;
  int32_t n;
  float v;
  memcpy(&p, block, 8);
  memcpy(&n, block + 8, 4);
  memcpy(&v, block + 12, 4);
  memcpy(&local, block + 32, 8);
  assert_int_equal(p, 0x710000000007);
  assert_int_equal(n, -2);
  assert_true(v == 1.5f);
  assert_memory_equal(block + 16, "\0\1\2\3\4\5\6\7\10\11\12\13", 12);
  assert_int_equal(local, 192); /* 100 static, to 112; 40 dynamic; aligned to 64 */
  assert_int_equal(l->dynamic_shared, 192 + 256 - 100);
  assert_int_equal(l->grid[1], 3);
  assert_int_equal(l->grid[2], 1);
  launch_setup_free(s);
  devmem_destroy(mem);
  launch_file_free(f);
}

static void prepare_refuses(struct fixture *x, const char *text, const char *words) {
  struct launch_file *f = loads(x, text);
  struct devmem *mem = devmem_create(NULL);
  assert_null(launch_prepare(f, mem, kernels, 1, &x->err));
  assert_int_equal(x->err.code, EXIT_USAGE);
  if (!strstr(x->err.text, words))
    fail_msg("no '%s' in: %s", words, x->err.text);
  devmem_destroy(mem);
  launch_file_free(f);
}

#define TAIL ", {bytes: \"000102030405060708090a0b\"}, {local: 4}"

static void arguments_that_do_not_fit_are_refused(void **state) {
  struct fixture *x = *state;
  prepare_refuses(x, LAUNCH("p"), "takes 5 arguments, 1 are given");
  prepare_refuses(x, LAUNCH("p, {s64: 1}, {f32: 1}" TAIL), "the sizes differ");
  prepare_refuses(x, LAUNCH("p, {f32: 1}, {f32: 1}" TAIL), "one is an integer, the other a float");
  prepare_refuses(x, LAUNCH("p, p, {f32: 1}" TAIL), "64-bit integer");
  prepare_refuses(x, LAUNCH("p, {s32: 1}, {f32: 1}, {bytes: \"00\"}, {local: 4}"), "the sizes differ");
  prepare_refuses(x, LAUNCH("p, {s32: 1}, {f32: 1}, {bytes: \"000102030405060708090a0b\"}, p"),
                  "{local: BYTES}");
  prepare_refuses(x, HEAD "launches: [{kernel: kk, grid: 1, block: 1}]", "did you mean 'k'?");
  prepare_refuses(x,
                  HEAD "buffers: {a: {bytes: 8, at: 0x710000000000}, b: {bytes: 8, at: 0x710000000004}}\n"
                       "launches: [{fill: {buffer: a, zero: }}]",
                  "buffers.b: device buffer 'b'");
}

static void a_refill_between_launches_replaces_the_contents(void **state) {
  struct fixture *x = *state;
  struct launch_file *f =
      loads(x, HEAD "buffers: {d: {count: 2, type: s32, fill: {iota: }}}\n"
                    "launches: [{fill: {buffer: d, value: 9}}, {fill: {buffer: d, file: in.bin}}]");
  struct devmem *mem = devmem_create(NULL);
  struct launch_setup *s = launch_prepare(f, mem, NULL, 0, &x->err);
  assert_non_null(s);
  const uint8_t *host = devmem_find(mem, s->addr[0])->host;
  assert_memory_equal(host, "\0\0\0\0\1\0\0\0", 8);
  assert_true(launch_step_fill(s, 0, &x->err));
  assert_memory_equal(host, "\11\0\0\0\11\0\0\0", 8);
  assert_true(launch_step_fill(s, 1, &x->err));
  assert_memory_equal(host, "\1\2\3\4\5\6\7\10", 8);
  launch_setup_free(s);
  devmem_destroy(mem);
  launch_file_free(f);
}

static bool outputs_of(struct fixture *x, const char *body, const void *data) {
  char text[512];
  snprintf(text, sizeof text, HEAD RUN "buffers: {b: {count: 4, type: f32}}\noutputs: [{buffer: b, %s}]\n",
           body);
  struct launch_file *f = loads(x, text);
  bool ok = launch_output_check(f, 0, data, NULL, &x->err);
  launch_file_free(f);
  return ok;
}

static void a_comparison_keeps_its_tolerance_and_says_what_differs(void **state) {
  struct fixture *x = *state;
  const float ok[] = {0, 1, 2, 3}, off[] = {0, 1, 2.002f, 3.5f}, nan[] = {NAN, NAN, NAN, NAN};
  const float next[] = {0, 0x1.000002p0f, 2, 3};
  assert_true(outputs_of(x, "equals: {iota: }", ok));
  assert_false(outputs_of(x, "equals: {iota: }", off));
  assert_int_equal(x->err.code, EXIT_RUNTIME);
  assert_non_null(strstr(x->err.text,
                         "outputs[0]: buffer 'b' differs in 2 of 4 f32 elements; first at 2: got "
                         "2.00200009, expected 2; largest error 0.1666666"));
  assert_true(outputs_of(x, "equals: {iota: }, set: {2: 2.002, 3: 3.5}", off));
  assert_true(outputs_of(x, "equals: {iota: }, tolerance: 0.17", off));
  assert_false(outputs_of(x, "equals: {iota: }, tolerance: 0.16", off));
  assert_true(outputs_of(x, "equals: {value: nan}", nan));
  assert_false(outputs_of(x, "equals: zero, tolerance: 1e30", nan));
  assert_false(outputs_of(x, "equals: {iota: }", next));
  assert_true(outputs_of(x, "equals: {iota: }, ulp: 1", next));
  assert_false(outputs_of(x, "equals: {iota: }, ulp: 1", nan));
}

static void an_output_file_holds_the_buffer(void **state) {
  struct fixture *x = *state;
  const float data[] = {0, 1, 2, 3};
  char path[128];
  float back[5];
  snprintf(path, sizeof path, "%s/out.bin", x->dir);
  assert_true(outputs_of(x, "file: out.bin", data));
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fread(back, 1, sizeof back, f), sizeof data);
  fclose(f);
  assert_memory_equal(back, data, sizeof data);
  assert_false(outputs_of(x, "file: none/out.bin", data));
  assert_int_equal(x->err.code, EXIT_RUNTIME);
}

static char *plan_of(struct fixture *x, const struct launch_file *f, size_t *n) {
  char *data = NULL;
  FILE *to = open_memstream(&data, n);
  assert_true(launch_file_write_plan(f, to, &x->err));
  fclose(to);
  return data;
}

static void a_plan_carries_everything_and_survives_damage(void **state) {
  struct fixture *x = *state;
  struct launch_file *f =
      loads(x, HEAD
            "buffers: {a: {count: 2, type: s32, fill: {iota: {start: 3}}, set: {1: -9}}, i: {file: in.bin}}\n"
            "launches: [{kernel: k, grid: [4, 2], block: 64, args: [{buffer: i, offset: 4}, {f32: 1.5}, "
            "{local: 8}], "
            "repeat: 3}, {fill: {buffer: a, value: 5}}]\n"
            "outputs: [{buffer: i, compare: in.bin}, {buffer: a, file: out.bin}]\n");
  size_t n, again;
  char *plan = plan_of(x, f, &n);
  launch_file_free(f);
  f = launch_file_read_plan((const uint8_t *)plan, n, "x.plan", &x->err);
  assert_non_null(f);
  uint8_t bytes[8];
  assert_true(launch_buffer_fill(&f->buffers[0], bytes, false, &x->err));
  assert_memory_equal(bytes, "\3\0\0\0\xf7\xff\xff\xff", 8);
  assert_true(launch_buffer_fill(&f->buffers[1], bytes, false, &x->err));
  assert_memory_equal(bytes, "\1\2\3\4\5\6\7\10", 8);
  assert_true(launch_output_check(f, 0, bytes, NULL, &x->err));
  assert_int_equal(f->steps[0].repeat, 3);
  assert_int_equal(f->steps[0].args[0].offset, 4);
  char *copy = plan_of(x, f, &again);
  assert_int_equal(n, again);
  assert_memory_equal(plan, copy, n);
  launch_file_free(f);
  for (size_t cut = 0; cut < n - 1; cut++) {
    f = launch_file_read_plan((const uint8_t *)plan, cut, "x.plan", &x->err);
    launch_file_free(f);
    error_clear(&x->err);
  }
  for (size_t i = 0; i < n; i++) {
    char was = copy[i];
    copy[i] = (char)(was + 1);
    f = launch_file_read_plan((const uint8_t *)copy, n, "x.plan", &x->err);
    launch_file_free(f);
    copy[i] = was;
    error_clear(&x->err);
  }
  free(plan);
  free(copy);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(a_fill_gives_the_values_it_states),
      TEST(an_iota_keeps_to_its_rule_throughout_a_buffer),
      TEST(xorshift_draws_the_published_sequence_and_skips_any_distance),
      TEST(random_values_keep_to_their_range),
      TEST(elements_round_to_nearest_even),
      TEST(mistakes_are_named_with_line_key_and_what_is_allowed),
      TEST(all_mistakes_are_reported_at_once_up_to_a_bound),
      TEST(arguments_land_where_the_kernel_expects_them),
      TEST(arguments_that_do_not_fit_are_refused),
      TEST(a_refill_between_launches_replaces_the_contents),
      TEST(a_comparison_keeps_its_tolerance_and_says_what_differs),
      TEST(an_output_file_holds_the_buffer),
      TEST(a_plan_carries_everything_and_survives_damage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
