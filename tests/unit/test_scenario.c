/* Scenarios of coherence protocols, on a whole GPU of four SMs that keep their L1s between launches: tests/scenario/NAME.scn.
 *
 *   protocol NAME                     l1d.coherence; first
 *   ACCESS SM   STATE STATE STATE STATE
 *
 * One SM accesses a line (load; store: a word; whole: all its words; atomic; evict: loads of other lines of its set), and then the line is
 * in these states in the L1s of the four SMs; '.': not there. '#' begins a comment. */
#include "check.h"
#include "cache/cache.h"
#include "front/functional.h"
#include "gpu/gpu.h"
#include "gpu/machine.h"
#include "tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SMS = 4, STEPS = 64 };
#define LINE UINT64_C(0x710000000000)

static const char kernel[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry step(.param .u64 p, .param .u32 who, .param .u32 what)\n{\n"
    "  .reg .u64 %a, %o;\n  .reg .u32 %w, %x, %t, %v;\n  .reg .pred %q, %first;\n"
    "  ld.param.u64 %a, [p];\n  ld.param.u32 %w, [who];\n  ld.param.u32 %x, [what];\n"
    "  mov.u32 %t, %ctaid.x;\n  setp.ne.u32 %q, %t, %w;\n  @%q ret;\n"
    "  mov.u32 %t, %tid.x;\n  setp.eq.u32 %first, %t, 0;\n  mul.wide.u32 %o, %t, 4;\n"
    "  add.u64 %a, %a, %o;\n"
    "  setp.eq.u32 %q, %x, 1;\n  @%q bra store;\n  setp.eq.u32 %q, %x, 2;\n  @%q bra whole;\n"
    "  setp.eq.u32 %q, %x, 3;\n  @%q bra atomic;\n  setp.eq.u32 %q, %x, 4;\n  @%q bra evict;\n"
    "  ld.global.u32 %v, [%a];\n  ret;\n"
    "store:\n  @%first st.global.u32 [%a], 1;\n  ret;\n"
    "whole:\n  st.global.u32 [%a], 2;\n  ret;\n"
    "atomic:\n  @%first atom.global.or.b32 %v, [%a], 4;\n  ret;\n"
    "evict:\n  ld.global.u32 %v, [%a+64];\n  ld.global.u32 %v, [%a+128];\n  ld.global.u32 %v, [%a+192];\n"
    "  ret;\n}\n";

struct step {
  int number; /* of its line in the script */
  uint32_t sm, what;
  char want[SMS + 1];
};

struct scenario {
  char protocol[16];
  struct step step[STEPS];
  uint32_t steps;
  struct gpu *g;
  char got[STEPS + 1][SMS + 1]; /* [launch, from 1] */
};

static void read_script(const char *name, struct scenario *s) {
  static const char *const accesses[] = {"load", "store", "whole", "atomic", "evict"};
  char path[64], text[256], word[16], state[SMS][2];
  snprintf(path, sizeof path, "tests/scenario/%s.scn", name);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  for (int number = 1; fgets(text, sizeof text, f); number++) {
    text[strcspn(text, "#\n")] = 0;
    struct step *k = &s->step[s->steps];
    if (sscanf(text, "protocol %15s", s->protocol) == 1 || !text[strspn(text, " ")])
      continue;
    assert_true(s->steps < STEPS);
    int n = sscanf(text, "%15s %u %1s %1s %1s %1s", word, &k->sm, state[0], state[1], state[2], state[3]);
    while (k->what < 5 && strcmp(word, accesses[k->what]) != 0)
      k->what++;
    if (n != 2 + SMS || k->what == 5 || k->sm >= SMS)
      fail_msg("%s:%d: '%s' is not ACCESS SM STATE STATE STATE STATE", path, number, text);
    for (int i = 0; i < SMS; i++)
      k->want[i] = *state[i];
    k->number = number;
    s->steps++;
  }
  fclose(f);
}

/* The line in each L1, as it is. */
static void look(void *ctx, uint64_t cycle) {
  struct scenario *s = ctx;
  (void)cycle;
  assert_in_range(s->g->launch.number, 1, s->steps);
  for (uint32_t i = 0; i < SMS; i++) {
    const struct sm *m = &s->g->sm[i];
    bool here = cache_probe(m->l1d, LINE);
    s->got[s->g->launch.number][i] = !here ? '.'
                                     : !m->coherent.state
                                         ? 'S'
                                         : *line_state_names[m->coherent.state[cache_place(m->l1d, LINE)]];
  }
}

static void write_launches(const char *dir, const struct scenario *s) {
  char name[64];
  snprintf(name, sizeof name, "%s/k.ptx", dir);
  FILE *f = fopen(name, "w");
  fputs(kernel, f);
  fclose(f);
  snprintf(name, sizeof name, "%s/k.yaml", dir);
  f = fopen(name, "w");
  fprintf(f, "ptx: k.ptx\nbuffers:\n  d: {bytes: 4Ki, at: %llu}\nlaunches:\n", (unsigned long long)LINE);
  for (uint32_t i = 0; i < s->steps; i++)
    fprintf(f, "  - {kernel: step, grid: [%d], block: [16], args: [d, {u32: %u}, {u32: %u}]}\n", SMS,
            s->step[i].sm, s->step[i].what);
  fclose(f);
}

static void configure(struct conf *c, const char *protocol, const char *more) {
  struct error err = {0};
  bool si = strcmp(protocol, "si") == 0;
  char text[2048];
  snprintf(
      text, sizeof text,
      "gpu.sms=4 gpu.line_bytes=64 gpu.keep_data=true l1i.on=false l1c.line_bytes=32 l1d.sector_bytes=64 "
      "l2.sector_bytes=64 l1d.sets=1 l1d.ways=3 l1d.index=modulo l2.channels=1 l2.slices_per_channel=2 "
      "l2.warm=false dram.model=fixed dram.fixed_latency=40 check.requests=true l1d.coherence=%s %s %s",
      protocol,
      si ? "l1d.write_global=through l1d.write_local=through"
         : "l2.inclusive=true l1d.write_global=back l1d.write_global_miss=fetch l1d.write_local=back "
           "l1d.write_local_miss=fetch",
      more);
  for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
    if (!conf_set(c, w, &err))
      fail_msg("%s", err.text);
}

static void run(const char *name, const char *settings) {
  struct scenario s = {0};
  char dir[] = "/tmp/scenario-XXXXXX", file[64];
  struct error err = {0};
  read_script(name, &s);
  assert_non_null(mkdtemp(dir));
  write_launches(dir, &s);
  struct conf *c = tables_conf();
  configure(c, s.protocol, settings);
  struct machine_options o = {.threads = 1};
  struct functional_machine *m = machine_new(c, &o, &err);
  if (!m)
    fail_msg("%s", err.text);
  s.g = (struct gpu *)(void *)((char *)(uintptr_t)machine_engine(m) - offsetof(struct gpu, parallel));
  s.g->watch = (struct gpu_watch){.ctx = &s, .every = 1, .pause = look};
  struct report report = {.workload = "scenario", .conf = c};
  struct functional_options f = {.machine = m};
  snprintf(file, sizeof file, "%s/k.yaml", dir);
  if (!functional_run(file, c, &f, &report, &err))
    fail_msg("%s %s: %s", name, settings, err.text);
  for (uint32_t i = 0; i < s.steps; i++)
    if (strcmp(s.got[i + 1], s.step[i].want) != 0)
      fail_msg("tests/scenario/%s.scn:%d: the line is %s, not %s (%s)", name, s.step[i].number, s.got[i + 1],
               s.step[i].want, settings);
  report_free(&report);
  machine_free(m);
  conf_free(c);
  unlink(file);
  snprintf(file, sizeof file, "%s/k.ptx", dir);
  unlink(file);
  rmdir(dir);
}

static void moesi(void **state) {
  (void)state;
  run("moesi", "");
  run("moesi", "l2.nack=true l1d.evict_first=true");
  run("moesi", "l2.nack=true l1d.coherent_store=all noc.latency=17");
}

static void nmoesi(void **state) {
  (void)state;
  run("nmoesi", "");
  run("nmoesi", "l2.nack=true l1d.evict_first=true l2.latency=20");
}

static void southern_islands(void **state) {
  (void)state;
  run("si", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moesi),
      cmocka_unit_test(nmoesi),
      cmocka_unit_test(southern_islands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
