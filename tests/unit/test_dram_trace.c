#include "check.h"

#include "dram/trace.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static struct dram_trace_request *load(const char *name, uint32_t transaction, size_t *n) {
  struct error e = {0};
  struct dram_trace_request *r;
  if (!dram_trace_load(name, &(struct dram_trace_options){.transaction = transaction}, &r, n, &e))
    fail_msg("%s", e.text);
  return r;
}

/* At most 16 requests of a text. */
static size_t parse(const char *text, enum dram_trace_format f, struct dram_trace_request *to,
                    struct error *e) {
  struct dram_trace_options o = {.format = f, .transaction = 64};
  struct dram_trace *t = dram_trace_open_text("t.trc", text, strlen(text), &o, e);
  size_t n = 0, got;
  while (n < 16 && (got = dram_trace_next(t, to + n, 1, e)))
    n += got;
  dram_trace_close(t);
  return n;
}

static void is(const struct dram_trace_request *r, uint64_t address, bool write, uint64_t cycle,
               uint64_t mask) {
  assert_int_equal(r->address, address);
  assert_int_equal(r->write, write);
  assert_int_equal(r->cycle, cycle);
  assert_int_equal(r->mask, mask);
}

static void refused(const char *text, enum dram_trace_format f, const char *message) {
  struct dram_trace_request r[16];
  struct error e = {0};
  parse(text, f, r, &e);
  assert_int_equal(e.code, EXIT_USAGE);
  assert_contains(e.text, message);
  error_clear(&e);
}

/* Requests, reads and checksums of the reference set's traces.csv. */
static void generators_equal_the_reference_traces(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t n, reads;
    uint64_t hash;
  } rows[] = {
      {"gen:stream_rd", 100000, 100000, 0x5ca26bcaf3d64965},
      {"gen:stream_rw50", 100000, 50000, 0x1a3adf884f6bf8f5},
      {"gen:random_rd", 50000, 50000, 0x723ca67adf8ef7b4},
      {"gen:pingpong", 20000, 20000, 0xfc5448f1486f9125},
      {"gen:pingpong2", 20000, 20000, 0x16ac254b4b0f73a5},
      {"gen:streams16", 100000, 100000, 0x33f58dc261ecb335},
      {"gen:streams64", 100000, 100000, 0xa36aa7d87e1475e5},
      {"gen:strided", 50000, 50000, 0x1369f43c10ca0ee5},
      {"gen:strided_pow2", 50000, 50000, 0xc220f96d394c1a25},
      {"gen:bursty", 51200, 38400, 0x25751fe99719d8a5},
      {"gen:write_heavy", 50000, 10368, 0xe529f5909f807f65},
      {"gen:mix21_stream", 99000, 66000, 0x8981730468bc880d},
      {"gen:mix21_random", 50000, 33334, 0x4cf181271bb66dcf},
      {"gen:idle_random", 20000, 20000, 0x7bb16d7af8acffef},
      {"gen:half_load", 50000, 33336, 0x402f1ae585d78dc5},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t n, reads = 0;
    struct dram_trace_request *r = load(rows[i].name, 1, &n);
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < n; k++) {
      uint64_t parts[] = {r[k].address, r[k].write ? 'W' : 'R', r[k].cycle};
      reads += !r[k].write;
      for (int p = 0; p < 3; p++)
        h = (h ^ parts[p]) * UINT64_C(0x100000001b3);
    }
    if (n != rows[i].n || reads != rows[i].reads || h != rows[i].hash)
      fail_msg("%s: %zu requests, %zu reads, %016" PRIx64, rows[i].name, n, reads, h);
    free(r);
  }
}

static void generators_take_options(void **state) {
  (void)state;
  size_t n, reads = 0;
  struct dram_trace_request *r = load("gen:random,n=10k,seed=3,reads=0.67,rate=0.5", 32, &n);
  assert_int_equal(n, 10000);
  for (size_t i = 0; i < n; i++) {
    reads += !r[i].write;
    assert_int_equal(r[i].address % 32, 0);
    assert_int_equal(r[i].cycle, 2 * i);
  }
  assert_in_range(reads, 6500, 6900);
  free(r);
  r = load("gen:strided,n=4,stride=8,blocks=1024,period=5", 64, &n);
  is(&r[3], 3 * 8 * 64, false, 15, 0);
  free(r);
  r = load("gen:streams,streams=3,n=7,page=2", 1, &n);
  assert_int_equal(r[3].address, r[0].address + 1);
  free(r);
}

static void mistakes_in_a_generator_are_told_at_once(void **state) {
  (void)state;
  struct error e = {0};
  struct dram_trace_options o = {.transaction = 64};
  assert_null(dram_trace_open("gen:random,n=0,sed=1,reads=2,x", &o, &e));
  assert_int_equal(e.code, EXIT_USAGE);
  assert_contains(e.text, "gen:random: n: '0' is not a whole number in 1..");
  assert_contains(e.text, "no option 'sed'; did you mean 'seed'?");
  assert_contains(e.text, "reads: '2' is not a number in 0..1");
  assert_contains(e.text, "'x' is not option=value");
  error_clear(&e);
  assert_null(dram_trace_open("gen:stram", &o, &e));
  assert_contains(e.text, "no generator 'gen:stram'; did you mean 'gen:stream'?");
  error_clear(&e);
  assert_null(dram_trace_open("gen:", &o, &e));
  error_clear(&e);
  for (size_t i = 0; dram_generator(i); i++) {
    char name[64];
    snprintf(name, sizeof name, "gen:%s,n=5", dram_generator(i)->name);
    struct dram_trace *t = dram_trace_open(name, &o, &e);
    assert_non_null(t);
    dram_trace_close(t);
  }
}

static void each_form_is_read_and_recognised(void **state) {
  (void)state;
  struct dram_trace_request r[16];
  struct error e = {0};
  assert_int_equal(parse("# c\n\n5 R 7\n 6\tW\n9 w 8\r\n", DRAM_TRACE_AUTO, r, &e), 3);
  is(&r[0], 5 * 64, false, 7, 0);
  is(&r[1], 6 * 64, true, 0, 0);
  is(&r[2], 9 * 64, true, 8, 0);
  assert_int_equal(parse("0x40 R\n0XfF W 12 0xf0\n0x1 W 3", DRAM_TRACE_AUTO, r, &e), 3);
  is(&r[0], 0x40, false, 0, 0);
  is(&r[1], 0xff, true, 12, 0xf0);
  is(&r[2], 1, true, 3, 0);
  assert_int_equal(parse("0x40 READ 5\n0x80 WRITE 6\n", DRAM_TRACE_AUTO, r, &e), 2);
  is(&r[1], 0x80, true, 6, 0);
  assert_int_equal(parse("LD 0x40\nST 128\n", DRAM_TRACE_AUTO, r, &e), 2);
  is(&r[0], 0x40, false, 0, 0);
  is(&r[1], 128, true, 0, 0);
  assert_int_equal(parse("0x40 W\nLD 7\n", DRAM_TRACE_RAMULATOR, r, &e), 2);
  is(&r[0], 0x40, true, 0, 0);
  assert_int_equal(parse("", DRAM_TRACE_AUTO, r, &e), 0);
  assert_int_equal(e.code, 0);
  assert_int_equal(parse("18446744073709551615 R", DRAM_TRACE_AUTO, r, &e), 0);
  error_clear(&e);
}

static void bad_lines_are_named(void **state) {
  (void)state;
  refused("1 R 2\n1 X 2\n", DRAM_TRACE_AUTO, "t.trc:2: 'X': neither R nor W (expected: BLOCK R|W [CYCLE])");
  refused("1 R 2\n0x40 R\n", DRAM_TRACE_AUTO, "t.trc:2: '0x40': not a decimal number");
  refused("0x40 R\n1 R\n", DRAM_TRACE_AUTO, "t.trc:2: '1': not a hexadecimal number with 0x");
  refused("0x R\n", DRAM_TRACE_BYTES, "t.trc:1: '0x'");
  refused("0x1g R\n", DRAM_TRACE_AUTO, "t.trc:1: '0x1g': not a hexadecimal number");
  refused("0x11112222333344445 R\n", DRAM_TRACE_AUTO, "more than 64 bits");
  refused("99999999999999999999 R\n", DRAM_TRACE_AUTO, "more than 64 bits");
  refused("288230376151711744 R\n", DRAM_TRACE_AUTO, "beyond 64 bits of address");
  refused("1\n", DRAM_TRACE_AUTO, "t.trc:1: the line ends here: neither R nor W");
  refused("1 R -2\n", DRAM_TRACE_AUTO, "'-2': not a decimal number");
  refused("1 R 2 3\n", DRAM_TRACE_AUTO, "'3': more than a request");
  refused("0x1 R 2 0x3\n", DRAM_TRACE_AUTO, "'0x3': a mask on a read");
  refused("0x1 W 2 0x0\n", DRAM_TRACE_AUTO, "'0x0': a mask of no bytes");
  refused("0x1 READS 2\n", DRAM_TRACE_DRAMSIM3, "'READS': neither READ nor WRITE");
  refused("LD\n", DRAM_TRACE_AUTO, "t.trc:1: the line ends here: not a decimal number");
  refused("hello\n", DRAM_TRACE_AUTO, "t.trc:1: 'hello': not a decimal number");
  refused("\x01\xff\n", DRAM_TRACE_AUTO, "t.trc:1: '\?\?'");
}

static void a_line_without_end_is_refused(void **state) {
  (void)state;
  char text[6000];
  memset(text, '1', sizeof text);
  text[sizeof text - 1] = 0;
  refused(text, DRAM_TRACE_AUTO, "t.trc:1: a line of more than 4096 characters is no trace");
}

/* Longer than the pieces a file is read in, so that lines lie across their borders. */
static void a_file_reads_like_its_text(void **state) {
  (void)state;
  char name[] = "/tmp/sluice-trace-XXXXXX";
  int fd = mkstemp(name);
  assert_true(fd >= 0);
  FILE *f = fdopen(fd, "w");
  enum { N = 300000 };
  for (int i = 0; i < N; i++)
    fprintf(f, "%d %c %d%s", i * 7, i % 3 ? 'R' : 'W', i, i + 1 < N ? "\n" : "");
  fclose(f);
  size_t n;
  struct dram_trace_request *r = load(name, 32, &n);
  assert_int_equal(n, N);
  for (int i = 0; i < N; i++)
    if (r[i].address != (uint64_t)i * 7 * 32 || r[i].write != !(i % 3) || r[i].cycle != (uint64_t)i)
      fail_msg("request %d", i);
  free(r);
  unlink(name);
}

static void a_file_that_is_none_is_refused(void **state) {
  (void)state;
  struct error e = {0};
  struct dram_trace_options o = {.transaction = 64};
  assert_null(dram_trace_open("no-such.trc", &o, &e));
  assert_contains(e.text, "no-such.trc: cannot read");
  error_clear(&e);
  assert_null(dram_trace_open("tests", &o, &e));
  assert_contains(e.text, "tests: is a folder");
  error_clear(&e);
  enum dram_trace_format f;
  assert_false(dram_trace_format_parse(&f, "dramsim", &e));
  assert_contains(e.text, "did you mean 'dramsim3'?");
  error_clear(&e);
  assert_true(dram_trace_format_parse(&f, "bytes", &e));
  assert_int_equal(f, DRAM_TRACE_BYTES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generators_equal_the_reference_traces),
      cmocka_unit_test(generators_take_options),
      cmocka_unit_test(mistakes_in_a_generator_are_told_at_once),
      cmocka_unit_test(each_form_is_read_and_recognised),
      cmocka_unit_test(bad_lines_are_named),
      cmocka_unit_test(a_line_without_end_is_refused),
      cmocka_unit_test(a_file_reads_like_its_text),
      cmocka_unit_test(a_file_that_is_none_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
