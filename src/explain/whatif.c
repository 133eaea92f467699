#include "explain/whatif.h"
#include "base/mem.h"
#include "base/num.h"
#include "dram/device.h"
#include "tables.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A setting: a value, a factor of the present one ("x4") with the most that is allowed ("x4 16"), or the latency of an idle DRAM
 * ("idle"). */
struct setting {
  const char *name, *value;
};
enum { MOST_SETTINGS = 48 };
struct ideal {
  const char *name, *words;
  struct setting set[MOST_SETTINGS];
};

static const struct ideal ideals[] = {
    {"dram=free",
     "memory without banks, rows and buses: every request takes the time of an idle one",
     {{"dram.model", "fixed"},
      {"dram.free", "none"},
      {"dram.lockstep", "1"},
      {"dram.controllers", "64"},
      {"dram.mapping", "bglow"},
      {"dram.fixed_interval", "1"},
      {"dram.fixed_latency", "idle"},
      {"dram.fixed_write_latency", "idle"},
      {"dram.refresh", "none"}}},
    {"dram=rows", "every row of the DRAM is open", {{"dram.free", "rows"}}},
    {"dram=order", "no row, bank-group or turnaround penalty in the DRAM", {{"dram.free", "order"}}},
    {"l2=infinite",
     "an L2 64 times as large, empty at first: what is fetched once stays",
     {{"l2.warm", "false"}, {"l2.index", "hashed"}, {"l2.index_bits", ""}, {"l2.sets", "x64 1048576"}}},
    {"l2=fast",
     "L2 slices that look up four sectors in the time of one, after the same delays",
     {{"gpu.l2_mhz", "x4"},
      {"l2.rop_latency", "x4"},
      {"l2.latency", "x4"},
      {"l2.in", "x4 4096"},
      {"l2.out", "x4 4096"}}},
    {"noc=ideal",
     "crossbars that carry every message at once",
     {{"noc.allocator", "ideal"}, {"noc.sector_packets", "false"}, {"noc.speedup", "1"}}},
    {"misses=unlimited",
     "as many misses under way in L1 and L2 as there are",
     {{"l1d.mshrs", "4096"},
      {"l1d.merges", "4096"},
      {"l1d.miss_queue", "1024"},
      {"l1d.allocate", "on-fill"},
      {"l2.mshrs", "4096"},
      {"l2.merges", "1024"},
      {"l2.miss_queue", "1024"},
      {"l2.allocate", "on-fill"}}},
    {"l1=infinite",
     "L1s 64 times as large",
     {{"l1d.index", "hashed"}, {"l1d.index_bits", ""}, {"l1d.sets", "x64 1048576"}}},
    {"l1=wide",
     "eight ports of the L1, each a line wide",
     {{"l1d.ports", "8"}, {"l1d.port_bytes", "128"}, {"l1d.latency_first", "false"}}},
    {"shared=free", "shared memory without bank conflicts", {{"sm.shared_conflicts", "false"}}},
    {"issue=wide",
     "twice the schedulers, four times the pipelines, and an instruction of each kind in every cycle",
     {{"sm.schedulers", "x2 16"},       {"sm.sp_units", "x4 16"},       {"sm.sfu_units", "x4 16"},
      {"sm.collectors", "x4 32"},       {"sm.collectors_sfu", "x4 32"}, {"sm.register_banks", "0"},
      {"sm.result_buses", "0"},         {"sm.fetch_warps", "x4 64"},    {"sm.fetch_width", "x4 64"},
      {"sm.interval.int", "1"},         {"sm.interval.imul", "1"},      {"sm.interval.idiv", "1"},
      {"sm.interval.fp32", "1"},        {"sm.interval.fp16", "1"},      {"sm.interval.fp64", "1"},
      {"sm.interval.fdiv", "1"},        {"sm.interval.ddiv", "1"},      {"sm.interval.sfu", "1"},
      {"sm.interval.cvt", "1"},         {"sm.interval.shuffle", "1"},   {"sm.interval.tensor", "1"},
      {"sm.interval.logic", "1"},       {"sm.interval.imad", "1"},      {"sm.interval.imax", "1"},
      {"sm.interval.fma", "1"},         {"sm.interval.fmax", "1"},      {"sm.interval.froot", "1"},
      {"sm.interval.droot", "1"},       {"sm.interval.frcp", "1"},      {"sm.interval.drcp", "1"},
      {"sm.interval.tensor_half", "1"}, {"sm.interval.tensor_f64", "1"}}},
    {"latency=none",
     "no fixed delays in pipelines, L1, network, L2 and in front of the DRAM",
     {{"sm.latency.int", "1"},        {"sm.latency.imul", "1"},
      {"sm.latency.idiv", "1"},       {"sm.latency.fp32", "1"},
      {"sm.latency.fp16", "1"},       {"sm.latency.fp64", "1"},
      {"sm.latency.fdiv", "1"},       {"sm.latency.ddiv", "1"},
      {"sm.latency.sfu", "1"},        {"sm.latency.cvt", "1"},
      {"sm.latency.shuffle", "1"},    {"sm.latency.tensor", "1"},
      {"sm.latency.logic", "1"},      {"sm.latency.imad", "1"},
      {"sm.latency.imax", "1"},       {"sm.latency.fma", "1"},
      {"sm.latency.fmax", "1"},       {"sm.latency.froot", "1"},
      {"sm.latency.droot", "1"},      {"sm.latency.frcp", "1"},
      {"sm.latency.drcp", "1"},       {"sm.latency.tensor_half", "1"},
      {"sm.latency.tensor_f64", "1"}, {"sm.shared_latency", "1"},
      {"sm.fetch_latency", "1"},      {"l1d.latency", "1"},
      {"noc.latency", "1"},           {"noc.inject_latency", "0"},
      {"l2.rop_latency", "0"},        {"l2.latency", "1"},
      {"dram.latency", "0"}}},
};
enum { NIDEALS = sizeof ideals / sizeof *ideals };

const char *const whatif_names[NIDEALS + 2] = {
    "dram=free",   "dram=rows", "dram=order",  "l2=infinite", "l2=fast",      "noc=ideal", "misses=unlimited",
    "l1=infinite", "l1=wide",   "shared=free", "issue=wide",  "latency=none", "all",       NULL};

void whatif_list(struct strbuf *to) {
  for (int i = 0; i < NIDEALS; i++)
    strbuf_addf(to, "%-18s %s\n", ideals[i].name, ideals[i].words);
}

/* The next word of a list; false at its end. */
static bool word(const char **list, char *to, size_t n) {
  if (!**list)
    return false;
  size_t k = strcspn(*list, ",");
  snprintf(to, n, "%.*s", (int)(k < n ? k : n - 1), *list);
  *list += k + ((*list)[k] == ',');
  return true;
}

static const struct ideal *find(const char *name) {
  for (int i = 0; i < NIDEALS; i++)
    if (strcmp(ideals[i].name, name) == 0)
      return &ideals[i];
  return NULL;
}

bool whatif_check(const char *list, struct error *err) {
  char name[64];
  if (!*list)
    error_add(err, EXIT_USAGE, "sluice explain: --what-if names nothing");
  while (word(&list, name, sizeof name))
    if (strcmp(name, "all") != 0 && !find(name)) {
      const char *near = nearest_match(name, whatif_names, NIDEALS + 1);
      error_add(err, EXIT_USAGE, "sluice explain: --what-if: no ideal '%s'%s%s%s", name,
                near ? "; did you mean '" : " (", near ? near : "",
                near ? "'?" : "`sluice explain --help` lists them)");
    }
  return !err->code;
}

static bool set(struct sluice *s, const char *name, const char *value, const char *origin,
                struct error *err) {
  enum sluice_status status = sluice_set_from(s, name, value, origin);
  return !status || error_add(err, (int)status, "%s", sluice_error(s));
}

bool whatif_configure(struct sluice *s, const struct yaml_node *config, struct error *err) {
  struct conf *c = tables_conf();
  struct json j = {0};
  json_open(&j, NULL, '{');
  conf_json(c, &j);
  json_close(&j);
  struct yaml_doc *initial = yaml_parse_text("the defaults", j.out.s, j.out.n, err);
  for (size_t i = 0; initial && config && config->kind == YAML_MAP && i < config->n; i++) {
    const struct yaml_node *v = config->items[i], *d = yaml_get(initial->root, config->keys[i]);
    /* what is as it always is need not be set, and of techniques that are not in use must not */
    if (v->kind == YAML_SCALAR && !(d && d->kind == YAML_SCALAR && strcmp(d->text, v->text) == 0))
      set(s, config->keys[i], v->text, "the run", err);
  }
  if (initial)
    yaml_close(initial);
  strbuf_free(&j.out);
  conf_free(c);
  return !err->code;
}

/* DRAM cycles from a read at an idle controller to its data: activate, read, burst. */
static unsigned idle_latency(const struct yaml_node *config) {
  const struct yaml_node *device = yaml_get(config, "dram.device");
  struct dram_device d;
  struct error err = {0};
  bool known = device && device->kind == YAML_SCALAR && dram_device_load(&d, device->text, &err);
  error_clear(&err);
  return known ? d.t.rcd_rd + d.t.cl + d.burst_cycles : 30;
}

static void apply(struct sluice *s, const struct ideal *d, const struct yaml_node *config,
                  struct strbuf *said, struct error *err) {
  for (int i = 0; i < MOST_SETTINGS && d->set[i].name; i++) {
    const struct yaml_node *now = yaml_get(config, d->set[i].name);
    char value[64];
    snprintf(value, sizeof value, "%s", d->set[i].value);
    if (*d->set[i].value == 'x' && d->set[i].value[1] >= '0' && d->set[i].value[1] <= '9') {
      uint64_t v = 0;
      char *end;
      unsigned long long factor = strtoull(d->set[i].value + 1, &end, 10),
                         most = *end ? strtoull(end, NULL, 10) : 0;
      if (!now || now->kind != YAML_SCALAR || num_u64(now->text, &v) != NUM_OK)
        continue;
      v *= factor;
      snprintf(value, sizeof value, "%" PRIu64, most && v > most ? (uint64_t)most : v);
    }
    if (strcmp(value, "idle") == 0)
      snprintf(value, sizeof value, "%u", idle_latency(config));
    if (now && now->kind == YAML_SCALAR && strcmp(now->text, value) == 0)
      continue;
    strbuf_addf(said, "%s%s=%s", said->n ? " " : "", d->set[i].name, value);
    set(s, d->set[i].name, value, "--what-if", err);
  }
}

static void run_one(const struct ideal *d, const struct yaml_node *config, const char *stream,
                    struct whatif_result *to) {
  struct sluice_options o = {.size = sizeof o, .timed = true};
  struct error err = {0};
  struct strbuf said = {0};
  struct sluice *s = sluice_create();
  double cycles;
  *to = (struct whatif_result){.name = d->name};
  if (!s)
    error_set(&err, EXIT_RUNTIME, "out of memory");
  else if (whatif_configure(s, config, &err))
    apply(s, d, config, &said, &err);
  if (!err.code && (sluice_options(s, &o) || sluice_run(s, stream, NULL)))
    error_set(&err, (int)sluice_error_code(s), "%s", sluice_error(s));
  if (!err.code && sluice_stat(s, "gpu.cycles", &cycles))
    to->cycles = (uint64_t)cycles;
  if (err.code)
    to->why = xstrdup(err.text ? err.text : "it failed");
  sluice_destroy(s);
  to->settings = strbuf_take(&said);
  error_clear(&err);
}

size_t whatif_run(const char *list, const struct yaml_node *config, const char *stream,
                  struct whatif_result **out) {
  bool wanted[NIDEALS] = {false};
  char name[64];
  while (word(&list, name, sizeof name))
    for (int i = 0; i < NIDEALS; i++)
      wanted[i] |= strcmp(name, "all") == 0 || strcmp(name, ideals[i].name) == 0;
  size_t n = 0;
  *out = xcalloc(NIDEALS, sizeof **out);
  for (int i = 0; i < NIDEALS; i++)
    if (wanted[i])
      run_one(&ideals[i], config, stream, &(*out)[n++]);
  return n;
}

void whatif_free(struct whatif_result *r, size_t n) {
  for (size_t i = 0; i < n; i++)
    free(r[i].why), free(r[i].settings);
  free(r);
}

void whatif_table(const struct whatif_result *r, size_t n, uint64_t base, struct strbuf *to) {
  strbuf_addf(to, "\n%-18s %14s %10s  %s\n%-18s %14" PRIu64 " %9.3fx\n", "what if", "cycles", "speed-up",
              "which is", "(as it is)", base, 1.0);
  for (size_t i = 0; i < n; i++) {
    const struct ideal *d = find(r[i].name);
    if (r[i].cycles)
      strbuf_addf(to, "%-18s %14" PRIu64 " %9.3fx  %s\n", r[i].name, r[i].cycles,
                  (double)base / (double)r[i].cycles, d->words);
    else
      strbuf_addf(to, "%-18s %14s %10s  %.*s\n", r[i].name, "-", "-", (int)strcspn(r[i].why, "\n"), r[i].why);
  }
}
