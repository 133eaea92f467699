/* The list of techniques, and their parameters and statistics as tables. */
#include "tech/tech.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/rescue.h"
#include "conf/internal.h"
#include "tech/widen.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define TECHNIQUE(name) extern const struct sluice_technique technique_##name;
#include "tech/tech.def"
#undef TECHNIQUE

enum { MOST = 64 };

/* A technique with its rows under their full names. */
struct known {
  const struct sluice_technique *t;
  const struct sluice_technique *given; /* by whoever registered it; `t` may be a copy */
  const char *file;
  struct conf_table params;
  struct stat_table stats;
};

/* Grows only: an element is complete before nknown counts it, and never changes then, so that reading takes no lock. A GPU knows
 * the techniques that were there when its configuration was made. */
static struct known known[MOST];
static atomic_size_t nknown;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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

static void make(struct known *k, const struct sluice_technique *t) {
  *k = (struct known){.t = t, .given = t};
  make_params(k);
  make_stats(k);
}

static void built_in(void *unused) {
  (void)unused;
  size_t n = 0;
#define TECHNIQUE(name) make(&known[n++], &technique_##name);
#include "tech/tech.def"
#undef TECHNIQUE
  atomic_store_explicit(&nknown, n, memory_order_release);
}

/* The lock is given back also where the work cannot go on, with all that was allocated. */
static void locked(void (*work)(void *ctx), void *ctx) {
  struct rescue why;
  struct pool *made = pool_new(),
              *before = pool_enter(made); /* it is all handles', and nobody's if it is not whole */
  if (!made)
    out_of_memory(0);
  pthread_mutex_lock(&lock);
  bool ok = rescue_run(&why, work, ctx);
  pthread_mutex_unlock(&lock);
  pool_enter(before);
  if (ok) {
    pool_drop(made);
    return;
  }
  pool_release(made);
  rescue_raise(why.cause, why.text);
}

static void begin(void *unused) {
  if (!atomic_load_explicit(&nknown, memory_order_relaxed))
    built_in(unused);
}

size_t tech_count(void) {
  size_t n = atomic_load_explicit(&nknown, memory_order_acquire);
  if (n)
    return n;
  locked(begin, NULL);
  return atomic_load_explicit(&nknown, memory_order_acquire);
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

bool tech_outside(const struct sluice_technique *t) {
  for (size_t i = 0; i < tech_count(); i++)
    if (known[i].t == t)
      return known[i].given != t;
  return false;
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
  NEED(!t->l2_prefetch || (t->l2_prefetch->open && t->l2_prefetch->close && t->l2_prefetch->access),
       "the L2 prefetcher lacks a function");
  NEED(!t->route || (t->route->open && t->route->close && t->route->latency && t->route->look &&
                     t->route->sure && t->route->sent && t->route->asked && t->route->filled),
       "the route lacks a function");
  NEED(!t->l2_bypass || (t->l2_bypass->open && t->l2_bypass->close && t->l2_bypass->access),
       "the L2 bypass lacks a function");
  const struct sluice_fill_buffer *m = t->fill_buffer;
  NEED(!m || (m->open && m->close && m->lookup && m->swap), "the fill buffer lacks a function");
  NEED(!m || !m->take == !m->drop, "the fill buffer has only one of take and drop");
  NEED(!m || (!m->holds == !m->swapped && !m->holds == !m->evicted),
       "the fill buffer has only some of holds, swapped and evicted");
  NEED(!m || m->take || !(m->holds || m->store), "the fill buffer has entries and no take");
  NEED(!m || m->holds || !(m->store || m->levels || m->residents),
       "the fill buffer lacks holds, swapped and evicted for its entries");
  const struct sluice_residents *r = m ? m->residents : NULL;
  NEED(!r || (r->stays && r->stay && r->kept && r->serve && r->displace && r->remove && r->empty),
       "blocks that stay in the fill buffer lack a function");
  const struct sluice_victim_cache *v = t->victim_cache;
  NEED(!v || (v->open && v->close && v->lookup && v->swap && v->has && v->give && v->keep),
       "the victim cache lacks a function");
  NEED(!v || !v->missed == !v->again, "the victim cache has only one of missed and again");
  NEED(!m || !v, "it has a fill buffer and a victim cache; there is room for one of them beside a cache");
  const struct sluice_dram_scheduler *d = t->dram_scheduler;
  NEED(!d || (d->order && d->scope <= SLUICE_DRAM_BANKS_IN_TURN),
       "the DRAM scheduler lacks an order or a scope");
  NEED(!d || (!d->open == !d->close && (d->open || !(d->arrived || d->served || d->next))),
       "the DRAM scheduler lacks open or close");
  NEED(!d || !d->next == !d->elapsed, "the DRAM scheduler has only one of next and elapsed");
  NEED(!d || !d->open || d->scope == SLUICE_DRAM_ALL,
       "the DRAM scheduler has state and does not order all requests");
  const struct sluice_replacement *c = t->replacement;
  NEED(!c || (c->open && c->close && c->used && c->allocated && c->victim),
       "the replacement lacks a function (one without state is l1d.replacement=lru or fifo)");
  NEED(!t->allocator || (t->allocator->open && t->allocator->close && t->allocator->match),
       "the allocator lacks a function");
  NEED(!t->warp_scheduler ||
           (t->warp_scheduler->open && t->warp_scheduler->close && t->warp_scheduler->choose),
       "the warp scheduler lacks a function");
  NEED(!t->warp_scheduler || !t->warp_scheduler->able == !t->warp_scheduler->stalled,
       "the warp scheduler has one of able and stalled; an active set needs both");
  NEED(!t->period || t->tick, "it has a period and no tick");
  NEED(t->gate || t->l1_order || t->l1_bypass || t->prefetch || t->l2_prefetch || t->route || t->l2_order ||
           t->l2_bypass || m || v || t->source || t->dram_scheduler || t->replacement || t->allocator ||
           t->warp_scheduler,
       "it sits on no hook and would change nothing; it needs one of gate, l1_order, l1_bypass, prefetch, "
       "l2_prefetch, route, l2_order, l2_bypass, fill_buffer, victim_cache, source, dram_scheduler, "
       "replacement, allocator and warp_scheduler");
#undef NEED
  return true;
}

/* A technique, where it comes from (a file, or NULL), and what became of it. */
struct arrival {
  const struct sluice_technique *t;
  const char *file;
  struct error *err;
  bool ok;
};

static bool defaults_parse(const struct known *k, struct error *err) {
  for (size_t i = 0; i < k->params.n; i++) {
    union conf_payload v;
    if (!conf_parse(&k->params.params[i], k->t->params[i].initial, &v, "its default", err))
      return false;
  }
  return true;
}

/* Could it be one of the program's techniques? */
static bool fitting(const struct sluice_technique *t, struct error *err) {
  if (!good_name(t->name))
    return error_add(err, EXIT_USAGE, "a technique's name has lower-case letters, digits, '-' and '_' only");
  if (tech_find(t->name) || reserved(t->name))
    return error_add(err, EXIT_USAGE, "there is %s '%s' already; a technique needs another name",
                     reserved(t->name) ? "a part of the GPU called" : "a technique", t->name);
  return complete(t, err);
}

static bool accept(const struct arrival *a, struct known *k) {
  const struct sluice_technique *t = tech_widen(a->t, a->err);
  if (!t)
    return false;
  if (!fitting(t, a->err)) {
    tech_widen_undo(t);
    return false;
  }
  make(k, t);
  k->given = a->t;
  k->file = a->file ? xstrdup(a->file) : NULL;
  return defaults_parse(k, a->err);
}

static void arrive(void *ctx) {
  struct arrival *a = ctx;
  begin(NULL);
  size_t n = atomic_load_explicit(&nknown, memory_order_relaxed);
  for (size_t i = 0; i < n; i++) /* an experiment file and the command line may name the same file */
    if (a->file && known[i].given == a->t) {
      a->ok = true;
      return;
    }
  if (n == MOST)
    error_add(a->err, EXIT_USAGE, "too many techniques (at most %d)", MOST);
  else if ((a->ok = accept(a, &known[n])))
    atomic_store_explicit(&nknown, n + 1, memory_order_release);
}

/* The first two words of a technique are the same in all interfaces there have been. */
static bool same_interface(const struct sluice_technique *t, const char *file, struct error *err) {
  if (t && t->abi == SLUICE_TECHNIQUE_ABI)
    return true;
  const char *what = file ? file : "a technique";
  return t ? error_add(
                 err, EXIT_USAGE,
                 "%.200s was built for version %u of the technique interface, this program has version %u: "
                 "recompile its source with the sluice_technique.h of this program (sluice %s)",
                 what, t->abi, SLUICE_TECHNIQUE_ABI, SLUICE_VERSION)
           : error_add(err, EXIT_USAGE, "%.200s gives no technique", what);
}

static bool take(const struct sluice_technique *t, const char *file, struct error *err) {
  if (!same_interface(t, file, err))
    return false;
  struct arrival a = {.t = t, .file = file, .err = err};
  locked(arrive, &a);
  return a.ok;
}

bool tech_register(const struct sluice_technique *t, struct error *err) {
  return take(t, NULL, err);
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
  return take(get(), path, err);
}

void tech_hooks(const struct sluice_technique *t, struct strbuf *to) {
  const struct {
    bool sits;
    const char *name;
  } hooks[] = {{t->gate, "warp gate"},
               {t->l1_order, "L1 admission (order)"},
               {t->l1_bypass, "L1 admission (bypass)"},
               {t->prefetch, "L1 prefetch"},
               {t->l2_prefetch, "L2 prefetch"},
               {t->route, "cluster route"},
               {t->l2_order, "L2 admission"},
               {t->l2_bypass, "L2 bypass"},
               {t->fill_buffer, "fill buffer"},
               {t->victim_cache, "victim cache"},
               {t->source, "memory source"},
               {t->dram_scheduler, "DRAM scheduler"},
               {t->replacement, "replacement"},
               {t->allocator, "crossbar allocator"},
               {t->warp_scheduler, "warp scheduler"}};
  size_t from = to->n;
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
    if (hooks[i].sits)
      strbuf_addf(to, "%s%s", to->n > from ? ", " : "", hooks[i].name);
}
