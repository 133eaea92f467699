/* Protocols with a directory, on a whole GPU: kernels of random loads, stores and atomics of a few lines by all SMs, and after every
 * cycle a look at all L1s and all slices. What must hold is written from the protocols alone. */
#include "check.h"
#include "front/functional.h"
#include "gpu/gpu.h"
#include "gpu/machine.h"
#include "cache/ways.h"
#include "l2/evict.h"
#include "tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SMS = 4, LINE = 64, LINES = 24, CTAS = 32, STEPS = 40, SHARDS = 32 };
#define BASE UINT64_C(0x710000000000)

/* Every warp takes its own line at random; a word for each of 16 shards, which the shards above share. */
static const char kernel[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry traffic(.param .u64 p, .param .u32 seed, .param .u32 steps, .param .u32 kinds)\n{\n"
    "  .reg .u64 %a, %o;\n  .reg .u32 %x, %n, %t, %w, %k, %l, %v, %m, %sum, %kinds;\n"
    "  .reg .pred %q, %r;\n"
    "  ld.param.u64 %a, [p];\n  ld.param.u32 %x, [seed];\n  ld.param.u32 %n, [steps];\n"
    "  ld.param.u32 %kinds, [kinds];\n"
    "  mov.u32 %w, %ctaid.x;\n  mad.lo.u32 %x, %w, 7919, %x;\n"
    "  mov.u32 %t, %tid.x;\n  and.b32 %t, %t, 15;\n  mov.u32 %sum, 0;\n"
    "again:\n"
    "  mad.lo.u32 %x, %x, 1664525, 1013904223;\n"
    "  shr.u32 %l, %x, 9;\n  and.b32 %l, %l, 0xffff;\n  rem.u32 %l, %l, 24;\n"
    "  shl.b32 %l, %l, 6;\n  mad.lo.u32 %l, %t, 4, %l;\n  cvt.u64.u32 %o, %l;\n  add.u64 %o, %a, %o;\n"
    "  shr.u32 %k, %x, 25;\n  rem.u32 %k, %k, %kinds;\n"
    "  setp.lt.u32 %q, %k, 4;\n  @%q bra load;\n"
    "  setp.eq.u32 %q, %k, 8;\n  @%q bra atomic;\n"
    "  shr.u32 %m, %x, %t;\n  and.b32 %m, %m, 1;\n" /* shards whose bit is set, or all of them */
    "  setp.eq.u32 %r, %m, 1;\n  setp.eq.or.u32 %r, %k, 7, %r;\n"
    "  @%r st.global.u32 [%o], 0x1010101;\n  bra next;\n"
    "load:\n  ld.global.u32 %v, [%o];\n  add.u32 %sum, %sum, %v;\n  bra next;\n"
    "atomic:\n  atom.global.or.b32 %v, [%o], 0x1010101;\n  add.u32 %sum, %sum, %v;\n"
    "next:\n  sub.u32 %n, %n, 1;\n  setp.ne.u32 %q, %n, 0;\n  @%q bra again;\n"
    "  ret;\n}\n";

/* The bytes that those of its stores change, of each line. */
static void changed_bytes(uint32_t seed, uint32_t kinds, uint64_t to[LINES]) {
  memset(to, 0, LINES * sizeof *to);
  for (uint32_t cta = 0; cta < CTAS; cta++) {
    uint32_t x = cta * 7919 + seed;
    for (int i = 0; i < STEPS; i++) {
      x = x * 1664525 + 1013904223;
      uint32_t line = (x >> 9 & 0xffff) % 24, k = (x >> 25) % kinds;
      for (uint32_t t = 0; t < 16 && k >= 4 && k < 8; t++)
        if (k == 7 || x >> t & 1)
          to[line] |= UINT64_C(15) << 4 * t;
    }
  }
}

struct look {
  struct gpu *g;
  enum l1_coherence protocol;
  uint64_t looks, seen[LINE_N + 1], shared; /* cycles times lines in each state; lines in several L1s */
};

static struct l2_slice *slice_of(const struct gpu *g, uint64_t line) {
  uint32_t i = addrmap_place(&g->k.l2.map, line).slice;
  return &g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel];
}

/* Does the directory still wait for L1s because of the line, or is it on its way out? Then it knows more than the L1s. */
static bool asked(const struct l2_slice *s, uint64_t in_slice) {
  const struct partition *c = s->owner;
  uint32_t place = cache_place(s->cache, in_slice);
  return evict_leaving(c, s, in_slice) || (place != UINT32_MAX && !cache_probe(s->cache, in_slice));
}

static void look_at_line(struct look *k, uint64_t line) {
  const struct gpu *g = k->g;
  struct l2_slice *s = slice_of(g, line);
  uint64_t in_slice = addrmap_place(&g->k.l2.map, line).address;
  uint32_t in[LINE_N + 1] = {0}, holders = 0, place = cache_place(s->cache, in_slice);
  for (uint32_t i = 0; i < g->k.sms; i++) {
    const struct sm *m = &g->sm[i];
    if (!cache_probe(m->l1d, line))
      continue;
    enum line_state now = m->coherent.state[cache_place(m->l1d, line)];
    in[now]++, holders++, k->seen[now]++;
    bool dirty = cache_changed(m->l1d, line);
    assert_int_equal(dirty, now == LINE_M || now == LINE_O || now == LINE_N);
    /* inclusion, and nobody is unknown */
    assert_true(place != UINT32_MAX || evict_leaving(s->owner, s, in_slice));
    if (asked(s, in_slice))
      continue;
    assert_true(sharers_has(&s->sharers, place, in_slice, i));
    if (now == LINE_M || now == LINE_O)
      assert_int_equal(sharers_owner(&s->sharers, place, in_slice), i);
  }
  assert_int_equal(in[LINE_I], 0); /* what can be read has a state */
  if (in[LINE_M] + in[LINE_E])
    assert_int_equal(holders, 1); /* who may write without asking is alone */
  assert_true(in[LINE_O] <= 1);
  if (in[LINE_O])
    assert_int_equal(holders, in[LINE_O] + in[LINE_S]);
  assert_int_equal(k->protocol == COHERENCE_MOESI ? in[LINE_N] : in[LINE_M] + in[LINE_O], 0);
  k->shared += holders > 1;
}

static void look(void *ctx, uint64_t cycle) {
  struct look *k = ctx;
  (void)cycle;
  k->looks++;
  for (uint64_t i = 0; i < LINES; i++)
    look_at_line(k, BASE + i * LINE);
}

static void write_files(const char *dir, uint32_t seed, uint32_t kinds) {
  char name[256];
  snprintf(name, sizeof name, "%s/k.ptx", dir);
  FILE *f = fopen(name, "w");
  fputs(kernel, f);
  fclose(f);
  snprintf(name, sizeof name, "%s/k.yaml", dir);
  f = fopen(name, "w");
  fprintf(f,
          "ptx: k.ptx\nbuffers:\n  d: {bytes: 4Ki, at: %llu}\nlaunches:\n"
          "  - {kernel: traffic, grid: [%d], block: [%d], args: [d, {u32: %u}, {u32: %d}, {u32: %u}]}\n",
          (unsigned long long)BASE, CTAS, SHARDS, seed, STEPS, kinds);
  fclose(f);
}

static void configure(struct conf *c, const char *settings) {
  struct error err = {0};
  char text[2048];
  snprintf(
      text, sizeof text,
      "gpu.sms=4 gpu.line_bytes=64 l1i.on=false l1c.line_bytes=32 l1d.sector_bytes=64 l2.sector_bytes=64 "
      "l1d.sets=1 l1d.ways=3 l1d.index=modulo l2.channels=1 l2.slices_per_channel=2 l2.inclusive=true "
      "l1d.write_global=back l1d.write_global_miss=fetch l1d.write_local=back l1d.write_local_miss=fetch "
      "l2.rop_latency=3 l2.warm=false check.requests=true dram.model=fixed dram.fixed_latency=40 %s",
      settings);
  for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
    if (!conf_set(c, w, &err))
      fail_msg("%s", err.text);
}

/* What the slices have changed of the lines, and not yet written to memory. */
static void in_l2(const struct gpu *g, uint64_t to[LINES]) {
  for (uint64_t i = 0; i < LINES; i++) {
    const struct cache *c = slice_of(g, BASE + i * LINE)->cache;
    const struct way *w = way_find(c, addrmap_place(&g->k.l2.map, BASE + i * LINE).address);
    to[i] = w ? *way_bytes(c, c->dirty_bytes, w) : 0;
  }
}

static void run(const char *settings, uint32_t seed, uint32_t kinds, bool all_here, struct look *k) {
  char dir[] = "/tmp/coherence-XXXXXX", name[256];
  struct error err = {0};
  assert_non_null(mkdtemp(dir));
  write_files(dir, seed, kinds);
  struct conf *c = tables_conf();
  configure(c, settings);
  struct machine_options o = {.threads = 1};
  struct functional_machine *m = machine_new(c, &o, &err);
  if (!m)
    fail_msg("%s", err.text);
  /* the GPU that the machine is of */
  k->g = (struct gpu *)(void *)((char *)(uintptr_t)machine_engine(m) - offsetof(struct gpu, parallel));
  k->protocol = k->g->k.l1.coherence;
  k->g->watch = (struct gpu_watch){.ctx = k, .every = 1, .pause = look};
  struct report report = {.workload = "traffic", .conf = c};
  struct functional_options f = {.machine = m};
  snprintf(name, sizeof name, "%s/k.yaml", dir);
  if (!functional_run(name, c, &f, &report, &err)) /* the invariants of the statistics are checked here */
    fail_msg("%s: %s", settings, err.text);
  if (all_here) {
    uint64_t want[LINES], got[LINES];
    changed_bytes(seed, kinds, want);
    in_l2(k->g, got);
    assert_memory_equal(got, want, sizeof want);
  }
  report_free(&report);
  machine_free(m);
  conf_free(c);
  unlink(name);
  snprintf(name, sizeof name, "%s/k.ptx", dir);
  unlink(name);
  rmdir(dir);
}

#define LARGE "l2.sets=64 l2.ways=8 "
#define SMALL "l2.sets=1 l2.ways=4 "
#define TIGHT                                                                                                \
  "l2.in=1 l2.out=1 noc.in=1 noc.out=1 l2.mshrs=2 l2.merges=1 l2.miss_queue=1 l1d.miss_queue=2 l1d.ways=2 "

static const char *const variants[] = {
    "",
    "l2.nack=true",
    "l2.nack=true l2.evict_first=true",
    "l2.nack=true tech.with=nonblocking noc.latency=17",
    "l2.evict_first=true l2.fill_latency=5 tech.with=frc frc.entries=8",
    TIGHT "l2.nack=true l2.evict_first=true",
    TIGHT "l2.ways=2",
    "tech.with=cart l2.latency=20",
    "l1d.evict_first=true l2.nack=true",
    TIGHT "l1d.evict_first=true l2.nack=true tech.with=nonblocking",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void all_variants(const char *protocol, const char *l2, uint32_t kinds, bool all_here,
                         struct look *k) {
  for (uint32_t i = 0; i < VARIANTS; i++) {
    char settings[1024];
    snprintf(settings, sizeof settings, "l1d.coherence=%s %s %s", protocol, l2, variants[i]);
    run(settings, 17 + i, kinds, all_here, k);
  }
  assert_true(k->looks > 10000 && k->shared > 1000);
}

static void one_writer_or_many_readers(void **state) {
  (void)state;
  struct look k = {0};
  all_variants("moesi", SMALL, 9, false, &k);
  for (int i = LINE_S; i <= LINE_M; i++)
    assert_true(k.seen[i] > 1000);
}

static void who_writes_parts_need_not_be_alone(void **state) {
  (void)state;
  struct look k = {0};
  all_variants("nmoesi", SMALL, 9, false, &k);
  assert_true(k.seen[LINE_S] > 1000 && k.seen[LINE_E] > 1000 && k.seen[LINE_N] > 1000);
}

/* An L2 that has room for all: in the end it has every byte that was written, and no other. */
static void every_byte_arrives(void **state) {
  (void)state;
  struct look k = {0};
  all_variants("moesi", LARGE, 8, true, &k);
  all_variants("nmoesi", LARGE, 8, true, &k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_writer_or_many_readers),
      cmocka_unit_test(who_writes_parts_need_not_be_alone),
      cmocka_unit_test(every_byte_arrives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
