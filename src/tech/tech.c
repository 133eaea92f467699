/* The list of techniques, and their parameters and statistics as tables. */
#include "tech/tech.h"
#include "base/mem.h"
#include "conf/internal.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define TECHNIQUE(name) extern const struct sluice_technique technique_##name;
#include "tech/tech.def"
#undef TECHNIQUE

enum { MOST = 64, MOST_ROWS = 64 };

/* A technique with its rows under their full names. */
struct known {
  const struct sluice_technique *t;
  const char *file;
  struct conf_table params;
  struct stat_table stats;
};

/* Grows only, before any GPU is made. */
static struct known known[MOST];
static size_t nknown;

static const char *full(const char *technique, const char *name) {
  size_t n = strlen(technique) + strlen(name) + 2;
  char *s = xmalloc(n);
  snprintf(s, n, "%s.%s", technique, name);
  return s;
}

static void make_params(struct known *k) {
  static const enum conf_type types[] = {CONF_UINT, CONF_BOOL, CONF_FLOAT, CONF_ENUM};
  struct conf_param *rows = xcalloc(k->t->nparams + 1, sizeof *rows);
  for (uint32_t i = 0; i < k->t->nparams; i++) {
    const struct sluice_param *p = &k->t->params[i];
    rows[i] = (struct conf_param){.name = full(k->t->name, p->name),
                                  .type = types[p->type],
                                  .initial = p->initial,
                                  .min = p->min,
                                  .max = p->max,
                                  .fmin = p->fmin,
                                  .fmax = p->fmax,
                                  .choices = p->choices,
                                  .unit = p->unit ? p->unit : "",
                                  .help = p->help,
                                  .source = p->source};
  }
  k->params = (struct conf_table){k->t->name, rows, k->t->nparams};
}

static void make_stats(struct known *k) {
  struct stat_row *rows = xcalloc(k->t->ncounters + k->t->nratios + 5, sizeof *rows);
  size_t n = 0;
  for (uint32_t i = 0; i < k->t->ncounters; i++, n++)
    rows[n] = (struct stat_row){full(k->t->name, k->t->counters[i].name), STAT_U64, k->t->counters[i].unit,
                                k->t->counters[i].help};
  for (uint32_t i = 0; i < k->t->nratios; i++, n++)
    rows[n] = (struct stat_row){full(k->t->name, k->t->ratios[i].name), STAT_F64, k->t->ratios[i].unit,
                                k->t->ratios[i].help};
  if (k->t->arrays)
    rows[n++] = (struct stat_row){full(k->t->name, "storage_bits"), STAT_U64, "bits",
                                  "Storage it adds to the GPU, all units together."};
  if (k->t->arrays) {
    rows[n++] = (struct stat_row){full(k->t->name, "area_mm2"), STAT_F64, "mm2", "Area of that storage."};
    rows[n++] = (struct stat_row){full(k->t->name, "static_mj"), STAT_F64, "mJ", "What it leaks."};
    rows[n++] =
        (struct stat_row){full(k->t->name, "dynamic_mj"), STAT_F64, "mJ", "What accesses to it take."};
  }
  k->stats = (struct stat_table){k->t->name, rows, n};
}

static void add(const struct sluice_technique *t) {
  known[nknown].t = t;
  make_params(&known[nknown]);
  make_stats(&known[nknown]);
  nknown++;
}

static void begin(void) {
  if (nknown)
    return;
#define TECHNIQUE(name) add(&technique_##name);
#include "tech/tech.def"
#undef TECHNIQUE
}

size_t tech_count(void) {
  begin();
  return nknown;
}

const struct sluice_technique *tech_at(size_t i) {
  return known[i].t;
}

const struct sluice_technique *tech_find(const char *name) {
  for (size_t i = 0; i < tech_count(); i++)
    if (strcmp(known[i].t->name, name) == 0)
      return known[i].t;
  return NULL;
}

const char *tech_file(const struct sluice_technique *t) {
  for (size_t i = 0; i < tech_count(); i++)
    if (known[i].t == t)
      return known[i].file;
  return NULL;
}

const struct conf_table *tech_param_table(size_t i) {
  return known[i].params.n ? &known[i].params : NULL;
}
const struct stat_table *tech_stat_table(size_t i) {
  return known[i].stats.n ? &known[i].stats : NULL;
}

static bool good_name(const char *s) {
  if (!s || !*s)
    return false;
  for (; *s; s++)
    if (!((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') || *s == '_' || *s == '-'))
      return false;
  return true;
}

/* First parts of the program's own parameters and statistics. */
static bool reserved(const char *name) {
  static const char *const own[] = {"check",  "dram",   "front",    "global", "gpu",    "host",    "l1",
                                    "l1c",    "l1d",    "l1i",      "l1t",    "l2",     "latency", "loads",
                                    "memory", "noc",    "prefetch", "sched",  "shared", "sim",     "sm",
                                    "stall",  "stores", "tech",     "touched"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(own[i], name) == 0)
      return true;
  return false;
}

static bool complete(const struct sluice_technique *t, struct error *err) {
#define NEED(condition, what)                                                                                \
  if (!(condition))                                                                                          \
  return error_add(err, EXIT_USAGE, "technique '%.60s': %s", t->name, what)
  for (uint32_t i = 0; i < t->nparams; i++)
    NEED(t->params && good_name(t->params[i].name) && t->params[i].initial && t->params[i].help &&
             t->params[i].type <= SLUICE_P_ENUM &&
             (t->params[i].type != SLUICE_P_ENUM || t->params[i].choices),
         "a parameter lacks name, initial value, help or choices");
  for (uint32_t i = 0; i < t->ncounters; i++)
    NEED(t->counters && good_name(t->counters[i].name) && t->counters[i].unit && t->counters[i].help,
         "a counter lacks name, unit or help");
  for (uint32_t i = 0; i < t->nratios; i++)
    NEED(t->ratios && good_name(t->ratios[i].name) && t->ratios[i].unit && t->ratios[i].help &&
             t->ratios[i].value,
         "a ratio lacks name, unit, help or value");
  const struct sluice_order *orders[] = {t->l1_order, t->l2_order, t->source};
  for (int i = 0; i < 3; i++)
    NEED(!orders[i] || (orders[i]->open && orders[i]->close && orders[i]->insert && orders[i]->pick &&
                        orders[i]->took && orders[i]->refused && orders[i]->next),
         "an order lacks a function");
  NEED(!t->gate || (t->gate->open && t->gate->close && t->gate->start && t->gate->exit && t->gate->barrier &&
                    t->gate->allow),
       "the gate lacks a function");
  NEED(!t->l1_bypass || (t->l1_bypass->open && t->l1_bypass->close), "the L1 bypass lacks open or close");
  NEED(!t->prefetch || (t->prefetch->open && t->prefetch->close && t->prefetch->access),
       "the prefetcher lacks a function");
  NEED(!t->route || (t->route->open && t->route->close && t->route->latency && t->route->look &&
                     t->route->sure && t->route->sent && t->route->asked && t->route->filled),
       "the route lacks a function");
  NEED(!t->l2_bypass || (t->l2_bypass->open && t->l2_bypass->close && t->l2_bypass->access),
       "the L2 bypass lacks a function");
  const struct sluice_miss *m = t->miss;
  NEED(!m || (m->open && m->close && m->lookup && m->swap), "the miss management lacks a function");
  NEED(!m || !m->take == !m->drop, "the miss management has only one of take and drop");
  NEED(!m || (!m->holds == !m->swapped && !m->holds == !m->evicted),
       "the miss management has only some of holds, swapped and evicted");
  NEED(!m || m->take || !(m->holds || m->store), "the miss management has entries and no take");
  NEED(!m || m->holds || !(m->store || m->levels),
       "the miss management lacks holds, swapped and evicted for its entries");
  NEED(!m || (!m->has == !m->keep && !m->has == !m->give),
       "the miss management has only some of has, give and keep");
  const struct sluice_dram_scheduler *d = t->dram_scheduler;
  NEED(!d || (d->order && d->scope <= SLUICE_DRAM_BANKS_IN_TURN),
       "the DRAM scheduler lacks an order or a scope");
  NEED(!d || (!d->open == !d->close && (d->open || !(d->arrived || d->served || d->next))),
       "the DRAM scheduler lacks open or close");
  NEED(!d || !d->next == !d->elapsed, "the DRAM scheduler has only one of next and elapsed");
  NEED(!d || !d->open || d->scope == SLUICE_DRAM_ALL,
       "the DRAM scheduler has state and does not order all requests");
  NEED(!t->period || t->tick, "it has a period and no tick");
  NEED(t->gate || t->l1_order || t->l1_bypass || t->prefetch || t->route || t->l2_order || t->l2_bypass ||
           t->miss || t->source || t->dram_scheduler,
       "it sits on no hook and would change nothing; it needs one of gate, l1_order, l1_bypass, prefetch, "
       "route, "
       "l2_order, "
       "l2_bypass, miss, source and dram_scheduler");
#undef NEED
  return true;
}

bool tech_register(const struct sluice_technique *t, struct error *err) {
  begin();
  if (!t || t->abi != SLUICE_TECHNIQUE_ABI || t->size != sizeof *t)
    return error_add(err, EXIT_USAGE,
                     "a technique was built for interface %u (%u bytes); this program has %u (%zu bytes)",
                     t ? t->abi : 0, t ? t->size : 0, SLUICE_TECHNIQUE_ABI, sizeof *t);
  if (!good_name(t->name))
    return error_add(err, EXIT_USAGE, "a technique's name has lower-case letters, digits, '-' and '_' only");
  if (tech_find(t->name) || reserved(t->name))
    return error_add(err, EXIT_USAGE, "there is %s '%s' already; a technique needs another name",
                     reserved(t->name) ? "a part of the GPU called" : "a technique", t->name);
  if (nknown == MOST || t->nparams > MOST_ROWS || t->ncounters > MOST_ROWS || t->nratios > MOST_ROWS)
    return error_add(err, EXIT_USAGE,
                     "technique '%s': too many techniques, parameters or counters (at most %d)", t->name,
                     MOST);
  if (!complete(t, err))
    return false;
  add(t);
  for (size_t i = 0; i < known[nknown - 1].params.n; i++) {
    union conf_payload v;
    if (conf_parse(&known[nknown - 1].params.params[i], t->params[i].initial, &v, "its default", err))
      continue;
    nknown--; /* as if it had not come */
    return false;
  }
  return true;
}

bool tech_plugin(const char *path, struct error *err) {
  /* without a '/', dlopen would search the system's folders */
  struct strbuf full_path = {0};
  if (!strchr(path, '/'))
    strbuf_add(&full_path, "./");
  strbuf_add(&full_path, path);
  void *so = dlopen(strbuf_str(&full_path), RTLD_NOW | RTLD_LOCAL);
  strbuf_free(&full_path);
  if (!so)
    return error_add(err, EXIT_USAGE, "--plugin %.200s: %.300s", path, dlerror());
  const struct sluice_technique *(*get)(void);
  *(void **)&get = dlsym(so, "sluice_plugin");
  if (!get) {
    dlclose(so);
    return error_add(err, EXIT_USAGE, "--plugin %.200s: it has no function sluice_plugin()", path);
  }
  const struct sluice_technique *t = get();
  for (size_t i = 0; i < tech_count();
       i++) /* an experiment file and the command line may name the same file */
    if (known[i].t == t)
      return true;
  if (!tech_register(t, err))
    return false;
  known[nknown - 1].file = xstrdup(path);
  return true;
}

int sluice_technique_register(const struct sluice_technique *t, char *why, size_t size) {
  struct error e = {0};
  bool ok = tech_register(t, &e);
  if (!ok && why && size)
    snprintf(why, size, "%s", e.text ? e.text : "");
  error_clear(&e);
  return ok ? 0 : EXIT_USAGE;
}

void tech_hooks(const struct sluice_technique *t, struct strbuf *to) {
  const struct {
    bool sits;
    const char *name;
  } hooks[] = {{t->gate, "warp gate"},
               {t->l1_order, "L1 admission (order)"},
               {t->l1_bypass, "L1 admission (bypass)"},
               {t->prefetch, "L1 prefetch"},
               {t->route, "cluster route"},
               {t->l2_order, "L2 admission"},
               {t->l2_bypass, "L2 bypass"},
               {t->miss, "miss management"},
               {t->source, "memory source"},
               {t->dram_scheduler, "DRAM scheduler"}};
  size_t from = to->n;
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
    if (hooks[i].sits)
      strbuf_addf(to, "%s%s", to->n > from ? ", " : "", hooks[i].name);
}
