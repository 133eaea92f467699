/* The arithmetic of PTX against what an H200 computed (tests/golden/), on every table this
 * machine runs. */
#include "check.h"
#include "front/ptx/ops.h"
#include "../golden/approx_bounds.h"
#include "../golden/vectors.h"
#include <fenv.h>
#include <stdlib.h>
#include <zstd.h>

enum { LANES = 32, SLOT = LANES * 16, MAX_REPORTS = 40 };

struct slots {
  _Alignas(64) uint8_t d[SLOT], a[SLOT], b[SLOT], c[SLOT], e[SLOT];
};

/* One recorded row: mnemonic, then count results of `bytes` each, then (outputs == 2) flags. */
struct record {
  const char *mnemonic;
  unsigned count, bytes, outputs;
  const uint8_t *d, *q;
};

static uint8_t *golden;
static size_t golden_size;

/* Tests run in the root of the source tree. */
static int load(void **state) {
  (void)state;
  FILE *f = fopen("tests/golden/h200.bin.zst", "rb");
  if (!f)
    return -1;
  static uint8_t packed[8 << 20];
  const size_t n = fread(packed, 1, sizeof packed, f);
  fclose(f);
  const unsigned long long size = ZSTD_getFrameContentSize(packed, n);
  if (size > (1u << 30) || !(golden = malloc(size)))
    return -1;
  golden_size = ZSTD_decompress(golden, size, packed, n);
  return ZSTD_isError(golden_size) ? -1 : 0;
}

static int unload(void **state) {
  (void)state;
  free(golden);
  return 0;
}

static bool next_record(size_t *at, struct record *r) {
  if (*at >= golden_size)
    return false;
  r->mnemonic = (const char *)golden + *at;
  const uint8_t *h = golden + *at + strlen(r->mnemonic) + 1;
  r->count = (unsigned)(h[0] | h[1] << 8);
  r->bytes = h[2];
  r->outputs = h[3];
  r->d = h + 4;
  r->q = r->d + r->count * r->bytes;
  *at = (size_t)(r->q + (r->outputs == 2 ? r->count : 0) - golden);
  return true;
}

static unsigned lane_bytes(unsigned type) {
  static const uint8_t bits[] = {0,
#define X(e, text, n, kind) n,
                                 PTX_TYPES(X)
#undef X
  };
  return bits[type] <= 16 ? 2 : bits[type] / 8;
}

static void put(uint8_t *slot, unsigned type, unsigned lane, uint64_t v) {
  if (type == PTX_PRED) {
    uint32_t m;
    memcpy(&m, slot, 4);
    m = (m & ~(1u << lane)) | (uint32_t)(v & 1) << lane;
    memcpy(slot, &m, 4);
  } else {
    memcpy(slot + lane * lane_bytes(type), &v, lane_bytes(type) > 8 ? 8 : lane_bytes(type));
  }
}

static uint64_t get(const uint8_t *slot, unsigned type, unsigned lane) {
  uint64_t v = 0;
  if (type == PTX_PRED) {
    uint32_t m;
    memcpy(&m, slot, 4);
    return m >> lane & 1;
  }
  memcpy(&v, slot + lane * lane_bytes(type), lane_bytes(type) > 8 ? 8 : lane_bytes(type));
  return v;
}

static uint64_t recorded(const struct record *r, unsigned k) {
  uint64_t v = 0;
  memcpy(&v, r->d + k * r->bytes, r->bytes);
  return v;
}

static uint64_t source(const struct ptx_op *op, unsigned j, unsigned k) {
  return golden_source(op->name, (enum ptx_type)op->stype[j], j, op->nsrc, k);
}

static void fill(struct slots *s, const struct ptx_op *op, unsigned k0, unsigned spoil) {
  uint8_t *src[4] = {s->a, s->b, s->c, s->e};
  memset(s, (int)spoil, sizeof *s);
  for (unsigned lane = 0; lane < LANES; lane++) {
    for (unsigned j = 0; j < op->nsrc; j++)
      put(src[j], op->stype[j], lane, source(op, j, k0 + lane));
    if (op->flags & (PTX_OPF_CC_IN | PTX_OPF_CC_OUT))
      put(s->e, PTX_PRED, lane, golden_carry(k0 + lane));
  }
}

static unsigned reports;

static void report(const char *isa, const struct record *r, const struct ptx_op *op, unsigned k,
                   uint64_t want, uint64_t got, const char *what) {
  if (reports++ >= MAX_REPORTS)
    return;
  fprintf(stderr, "%s %s [%u]:", isa, r->mnemonic, k);
  for (unsigned j = 0; j < op->nsrc; j++)
    fprintf(stderr, " %#llx", (unsigned long long)source(op, j, k));
  fprintf(stderr, " gives %#llx, %s %#llx\n", (unsigned long long)got, what, (unsigned long long)want);
}

static bool accepts(const struct ptx_op *op, unsigned k, uint64_t want, uint64_t got) {
  if (!(op->flags & PTX_OPF_APPROX))
    return got == want;
  return approx_ok(op->name, op->dtype, source(op, 0, k), op->nsrc > 1 ? source(op, 1, k) : 0, want, got);
}

/* Replays a row under a mask; returns the number of wrong lanes. */
static unsigned replay(const char *isa, const struct ptx_op *op, const struct record *r, uint32_t mask) {
  static struct slots s;
  static const uint8_t spoiled = 0xa5;
  unsigned wrong = 0;
  for (unsigned k0 = 0; k0 < r->count; k0 += LANES) {
    fill(&s, op, k0, spoiled);
    const bool flagged = op->flags & (PTX_OPF_CC_IN | PTX_OPF_CC_OUT);
    op->fn(s.d, s.a, s.b, s.c, s.e, mask);
    for (unsigned lane = 0; lane < LANES; lane++) {
      const uint64_t got = get(s.d, op->dtype, lane);
      if (!(mask >> lane & 1)) {
        const uint64_t kept = op->dtype == PTX_PRED
                                  ? 0xa5u >> (lane % 8) & 1
                                  : UINT64_C(0xa5a5a5a5a5a5a5a5) >> (64 - 8 * lane_bytes(op->dtype));
        if (got != kept)
          report(isa, r, op, k0 + lane, kept, got, "but should keep"), wrong++;
        continue;
      }
      const uint64_t want = recorded(r, k0 + lane);
      if (!accepts(op, k0 + lane, want, got))
        report(isa, r, op, k0 + lane, want, got, "the GPU gave"), wrong++;
      if (r->outputs == 2 && get(s.e, PTX_PRED, lane) != (r->q[k0 + lane] & 1))
        report(isa, r, op, k0 + lane, r->q[k0 + lane], get(s.e, PTX_PRED, lane),
               flagged ? "CC was" : "q was"),
            wrong++;
    }
  }
  return wrong;
}

static void every_row_gives_what_the_gpu_gave(void **state) {
  (void)state;
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  size_t ntables;
  const struct ptx_op_table *tables = ptx_op_tables(&ntables);
  unsigned wrong_rows = 0, rows = 0;
  struct record r;
  for (size_t at = 0; next_record(&at, &r);) {
    struct ptx_op_match m;
    if (!ptx_op_resolve(r.mnemonic, &m)) {
      fprintf(stderr, "no row for %s\n", r.mnemonic);
      wrong_rows++;
      continue;
    }
    const size_t row = (size_t)(m.op - ptx_ops()->ops);
    for (size_t t = 0; t < ntables; t++) {
      fesetround(m.op->flags & PTX_OPF_ROUND ? modes[m.rounding] : FE_TONEAREST);
      const unsigned wrong = replay(tables[t].isa, &tables[t].ops[row], &r, UINT32_MAX) +
                             replay(tables[t].isa, &tables[t].ops[row], &r, 0x8badf00d);
      fesetround(FE_TONEAREST);
      wrong_rows += wrong != 0;
    }
    rows++;
  }
  printf("%u recorded rows on %zu tables\n", rows, ntables);
  assert_int_equal(wrong_rows, 0);
}

/* Every row is recorded, but for those that are no PTX or not of one register. */
static void every_row_is_recorded(void **state) {
  (void)state;
  const struct ptx_op_table *t = ptx_ops();
  bool *seen = calloc(t->n, sizeof *seen);
  assert_non_null(seen);
  struct record r;
  struct ptx_op_match m;
  for (size_t at = 0; next_record(&at, &r);)
    if (ptx_op_resolve(r.mnemonic, &m))
      seen[m.op - t->ops] = true;
  for (size_t i = 0; i < t->n; i++)
    if (!seen[i] && !(t->ops[i].flags & PTX_OPF_INTERNAL) && t->ops[i].dtype != PTX_B128)
      fail_msg("%s has no recorded vectors", t->ops[i].name);
  free(seen);
}

static void what_real_programs_use_resolves(void **state) {
  (void)state;
  FILE *f = fopen("tests/golden/mnemonics.txt", "r");
  assert_non_null(f);
  struct ptx_op_match m;
  unsigned n = 0;
  for (char name[128]; fscanf(f, "%127s", name) == 1; n++)
    if (!ptx_op_resolve(name, &m))
      fail_msg("%s does not resolve", name);
  fclose(f);
  assert_true(n > 200);
}

static void spellings_choose_row_and_rounding(void **state) {
  (void)state;
  static const struct {
    const char *mnemonic, *row;
    int rounding;
  } cases[] = {
      {"mul.f32", "mul.f32", PTX_RN},         {"mul.rn.ftz.f32", "mul.ftz.f32", PTX_RN},
      {"fma.rm.f32", "fma.f32", PTX_RM},      {"add.rp.sat.f32", "add.sat.f32", PTX_RP},
      {"add.rn.f16x2", "add.f16x2", PTX_RN},  {"cvt.rz.f32.s64", "cvt.f32.s64", PTX_RZ},
      {"setp.eq.b32", "setp.eq.b32", PTX_RN}, {"cvt.rz.f16.f32", "cvt.rz.f16.f32", PTX_RN},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct ptx_op_match m;
    assert_true(ptx_op_resolve(cases[i].mnemonic, &m));
    assert_string_equal(m.op->name, cases[i].row);
    assert_int_equal(m.rounding, cases[i].rounding);
  }
}

static void illegal_forms_do_not_resolve(void **state) {
  (void)state;
  static const char *const bad[] = {
      "add",
      "add.f99",
      "add.rn.s32",
      "add.sat.u32",
      "add.ftz.f64",
      "add.rz.f16",
      "fma.f32",
      "mad.f32",
      "div.f32",
      "rcp.f64",
      "sqrt.f32",
      "cvt.f32.s32",
      "cvt.f32.f64",
      "cvt.rn.f64.f32",
      "cvt.rn.s32.f32",
      "cvt.s32.f32",
      "setp.lo.s32",
      "setp.lt.b32",
      "setp.ltu.s32",
      "shl.u32",
      "and.u32",
      "not.f32",
      "mul.s32",
      "mul.wide.u64",
      "sin.f32",
      "tanh.approx.ftz.f32",
      "abs.u32",
      "bfe.b32",
      "popc.u32",
      "selp.pred",
      "prmt.b64",
      "mul.rn.rz.f32",
      "mul.ftz.rn.f32x",
      "",
      ".",
      "add..s32",
      "ADD.S32",
      "lop3.b64",
  };
  struct ptx_op_match m;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    if (ptx_op_resolve(bad[i], &m))
      fail_msg("%s resolves to %s", bad[i], m.op->name);
}

static void all_tables_list_the_same_rows(void **state) {
  (void)state;
  size_t n;
  const struct ptx_op_table *t = ptx_op_tables(&n);
  for (size_t i = 1; i < n; i++) {
    assert_int_equal(t[i].n, t[0].n);
    for (size_t r = 0; r < t[0].n; r++)
      assert_string_equal(t[i].ops[r].name, t[0].ops[r].name);
  }
  struct ptx_op_match m;
  for (size_t r = 0; r < t[0].n; r++) /* no name twice */
    if (ptx_op_resolve(t[0].ops[r].name, &m))
      assert_int_equal(m.op - ptx_ops()->ops, r);
}

/* d may be a source. */
static void a_row_may_write_over_its_source(void **state) {
  (void)state;
  size_t n;
  const struct ptx_op_table *t = ptx_op_tables(&n);
  for (size_t i = 0; i < n; i++) {
    struct ptx_op_match m;
    _Alignas(64) uint32_t a[LANES], b[LANES];
    assert_true(ptx_op_resolve("mad.lo.s32", &m));
    for (unsigned k = 0; k < LANES; k++)
      a[k] = k, b[k] = 3;
    t[i].ops[m.op - ptx_ops()->ops].fn(a, a, b, a, NULL, 0xfffffffe);
    for (unsigned k = 0; k < LANES; k++)
      assert_int_equal(a[k], k ? 4 * k : 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_tables_list_the_same_rows),     cmocka_unit_test(what_real_programs_use_resolves),
      cmocka_unit_test(spellings_choose_row_and_rounding), cmocka_unit_test(illegal_forms_do_not_resolve),
      cmocka_unit_test(a_row_may_write_over_its_source),   cmocka_unit_test(every_row_is_recorded),
      cmocka_unit_test(every_row_gives_what_the_gpu_gave),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
