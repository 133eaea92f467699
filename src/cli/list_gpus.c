/* The GPU presets, each as its parameters say; only the words come from the file's comment. */
#include "cli/list_gpus.h"
#include "base/json.h"
#include "gpu/presets.h"
#include "tables.h"

struct listed {
  const char *name;
  struct conf *conf; /* holds the strings of k */
  struct gpu_config k;
  struct dram_device d;
  struct gpu_about about;
};

static bool load(struct listed *g, const struct gpu_preset *p, struct error *err) {
  *g = (struct listed){.name = p->name, .conf = tables_conf()};
  gpu_about_read(&g->about, p);
  return gpu_preset_load(g->conf, p->name, err) && gpu_config_read(&g->k, g->conf, err) &&
         dram_device_load(&g->d, g->k.memory.device, err);
}

static void unload(struct listed *g) {
  gpu_about_free(&g->about);
  conf_free(g->conf);
}

static uint64_t bytes_of(const struct cache_config *c) {
  return (uint64_t)c->sets * c->ways * c->line_bytes;
}

static uint64_t l2_bytes(const struct gpu_config *k) {
  return bytes_of(&k->l2.cache) * k->l2.channels * k->l2.slices_per_channel;
}

static void cache_text(struct strbuf *to, const struct cache_config *c) {
  strbuf_addf(to, "%llu KiB, %u sets x %u ways x %u B", (unsigned long long)(bytes_of(c) / 1024), c->sets,
              c->ways, c->line_bytes);
  if (c->sector_bytes < c->line_bytes)
    strbuf_addf(to, " in sectors of %u B", c->sector_bytes);
  strbuf_addf(to, ", %u misses", c->mshrs);
}

/* Sizes in KiB, levels apart by a slash. */
static void streams_text(struct strbuf *to, const struct stream_config *s) {
  static const char *const names[] = {
#define X(id, name) name,
      STREAMS(X)
#undef X
  };
  for (unsigned i = 0; s->levels && i < NSTREAMS; i++) {
    strbuf_addf(to, "%s%s", i ? ", " : "of a group: ", names[i]);
    for (unsigned l = 0; l < s->levels; l++)
      if (s->level[l].cache[i].sets)
        strbuf_addf(to, "%s%llu", l ? " / " : " ",
                    (unsigned long long)(bytes_of(&s->level[l].cache[i]) / 1024));
  }
  if (s->levels)
    strbuf_addf(to, " KiB, %u misses each", s->level[0].cache[0].mshrs);
}

/* Label and text of each line, the same in the table and on the page. */
static void facts(const struct listed *g, struct strbuf *to,
                  void (*fact)(struct strbuf *, const char *, const char *)) {
  const struct gpu_config *k = &g->k;
  struct strbuf s = {0};
#define FACT(label) (fact(to, label, strbuf_str(&s)), strbuf_free(&s))
  strbuf_addf(&s, "%u: %u threads, %u CTAs, %u registers, %u KiB shared memory, %u schedulers (%s)", k->sms,
              k->core.threads, k->core.ctas, k->core.registers, k->core.shared_bytes / 1024,
              k->core.schedulers, conf_str(g->conf, "sm.scheduler"));
  FACT("SMs");
  strbuf_addf(&s, "SM %llu, network %llu, L2 %llu, DRAM %llu MHz", (unsigned long long)k->core_mhz,
              (unsigned long long)k->noc_mhz, (unsigned long long)k->l2_mhz, (unsigned long long)k->dram_mhz);
  FACT("clocks");
  if (k->l1.d_on)
    cache_text(&s, &k->l1.d);
  else
    strbuf_addf(&s, "none");
  FACT("L1 of an SM");
  streams_text(&s, &k->stream);
  if (k->stream.levels)
    FACT("stream caches");
  strbuf_addf(&s, "%llu KiB in %u slices of ", (unsigned long long)(l2_bytes(k) / 1024),
              k->l2.channels * k->l2.slices_per_channel);
  cache_text(&s, &k->l2.cache);
  FACT("L2");
  if (k->memory.model == MEMORY_FIXED)
    strbuf_addf(&s, "%u controllers of fixed latency, %u cycles", k->l2.channels * k->memory.controllers,
                k->memory.fixed_latency);
  else
    strbuf_addf(&s, "%u channels of %s (%s, %u bits)",
                k->l2.channels * k->memory.controllers * k->memory.lockstep, g->d.name, g->d.standard,
                g->d.bus_bits);
  FACT("DRAM");
  strbuf_addf(&s, "%.1f GB/s", gpu_peak_bandwidth(k, &g->d) / 1e9);
  FACT("peak bandwidth");
#undef FACT
  fact(to, "source", strbuf_str(&g->about.source));
  fact(to, "not modelled", strbuf_str(&g->about.missing));
}

static void table_fact(struct strbuf *to, const char *label, const char *text) {
  strbuf_addf(to, "  %-15s %s\n", label, text);
}

static void markdown_fact(struct strbuf *to, const char *label, const char *text) {
  strbuf_addf(to, "| %s | %s |\n", label, text);
}

static void as_json(struct json *j, const struct listed *g) {
  const struct gpu_config *k = &g->k;
  json_open(j, NULL, '{');
  json_str(j, "name", g->name);
  json_str(j, "description", strbuf_str(&g->about.what));
  json_u64(j, "sms", k->sms);
  json_open(j, "clocks_mhz", '{');
  json_u64(j, "core", k->core_mhz);
  json_u64(j, "noc", k->noc_mhz);
  json_u64(j, "l2", k->l2_mhz);
  json_u64(j, "dram", k->dram_mhz);
  json_close(j);
  json_u64(j, "l1d_bytes", k->l1.d_on ? bytes_of(&k->l1.d) : 0);
  json_u64(j, "l2_bytes", l2_bytes(k));
  json_u64(j, "l2_slices", (uint64_t)k->l2.channels * k->l2.slices_per_channel);
  json_u64(j, "channels", k->l2.channels);
  json_str(j, "dram", g->d.name);
  json_f64(j, "peak_bandwidth_gbps", gpu_peak_bandwidth(k, &g->d) / 1e9);
  json_str(j, "source", strbuf_str(&g->about.source));
  json_str(j, "not_modelled", strbuf_str(&g->about.missing));
  json_open(j, "config", '{');
  conf_json(g->conf, j);
  json_close(j);
  json_close(j);
}

bool list_gpus(enum form form, const char *of, struct strbuf *to, struct error *err) {
  (void)of;
  struct json j = {0};
  bool ok = true;
  if (form == FORM_JSON)
    json_open(&j, NULL, '[');
  for (size_t i = 0; i < gpu_preset_count; i++) {
    struct listed g;
    bool loaded = load(&g, &gpu_preset_files[i], err);
    ok = ok && loaded;
    if (loaded && form == FORM_JSON) {
      as_json(&j, &g);
    } else if (loaded && form == FORM_MARKDOWN) {
      strbuf_addf(to, "\n## %s\n%s\n\n| | |\n| --- | --- |\n", g.name, strbuf_str(&g.about.what));
      facts(&g, to, markdown_fact);
    } else if (loaded) {
      strbuf_addf(to, "%s%s: %s\n", i ? "\n" : "", g.name, strbuf_str(&g.about.what));
      facts(&g, to, table_fact);
    }
    unload(&g);
  }
  if (form == FORM_JSON) {
    json_close(&j);
    *to = j.out;
  }
  return ok;
}
