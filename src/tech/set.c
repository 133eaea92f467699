/* The techniques of one GPU: chosen, checked against each other, opened unit by unit. */
#include "base/mem.h"
#include "base/pool.h"
#include "tech/chosen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_ALIGN = 8 }; /* words: a cache line, since units run on different threads */

static const struct conf_param choice[] = {
    {.name = "tech.with",
     .type = CONF_STRING,
     .initial = "",
     .unit = "",
     .help = "Techniques the GPU is built with, by name, separated by commas.",
     .source = "sluice list techniques"},
};
const struct conf_table tech_choice = {"techniques", choice, 1};

static bool unknown(const char *name, struct error *err) {
  const char *names[64];
  int n = 0;
  for (size_t i = 0; i < tech_count() && n < 64; i++)
    names[n++] = tech_at(i)->name;
  const char *near = nearest_match(name, names, n);
  return error_add(err, EXIT_USAGE, "no technique '%.60s'%s%s%s; `sluice list techniques` shows all", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* One word up to a delimiter; *at moves past it. */
static char *word(const char **at, const char *ends) {
  size_t n = strcspn(*at, ends);
  char *w = xstrndup(*at, n);
  *at += n;
  return w;
}

/* Whether the name is among those before it; from now on it is. */
static bool given(struct strbuf *names, const char *name) {
  struct strbuf word = {0};
  strbuf_addf(&word, " %s ", name);
  bool before = strstr(strbuf_str(names), word.s);
  strbuf_add(names, word.s);
  strbuf_free(&word);
  return before;
}

static bool set_param(struct conf *c, const char *technique, const char **at, struct strbuf *names,
                      struct error *err) {
  char *name = word(at, "=:,");
  bool ok = **at == '=';
  if (!ok) {
    error_add(err, EXIT_USAGE, "--with: '%s:%.60s' is not of the form name=value", technique, name);
  } else {
    ++*at;
    char *value = word(at, ":,");
    struct strbuf full = {0};
    strbuf_addf(&full, "%s.%s", technique, name);
    ok = given(names, name)
             ? error_add(err, EXIT_USAGE,
                         "--with: parameter '%.60s' of '%s' is given twice, the second time as '%.60s'", name,
                         technique, value)
             : conf_assign(c, full.s, value, "--with", err);
    strbuf_free(&full);
    free(value);
  }
  free(name);
  return ok;
}

bool tech_with(struct conf *c, const char *text, struct error *err) {
  struct strbuf all = {0};
  strbuf_add(&all, conf_str(c, "tech.with"));
  bool ok = true;
  for (const char *at = text; ok;) {
    char *name = word(&at, ":,");
    ok = tech_find(name) || unknown(name, err);
    struct strbuf names = {0}; /* of its parameters, so far */
    while (ok && *at == ':') {
      at++;
      ok = set_param(c, name, &at, &names, err);
    }
    strbuf_free(&names);
    if (ok)
      strbuf_addf(&all, "%s%s", all.n ? "," : "", name);
    free(name);
    if (*at != ',')
      break;
    at++;
  }
  ok = ok && conf_assign(c, "tech.with", strbuf_str(&all), "--with", err);
  strbuf_free(&all);
  return ok;
}

static bool both(const void *a, const void *b) {
  return a && b;
}

/* Two on a hook where only one can be: names the hook, or NULL. */
static const char *conflict(const struct sluice_technique *a, const struct sluice_technique *b) {
  bool a1 = a->l1_order || a->l1_bypass, b1 = b->l1_order || b->l1_bypass;
  bool am = a->fill_buffer || a->victim_cache, bm = b->fill_buffer || b->victim_cache;
  return both(a->gate, b->gate)                       ? "warp gate"
         : a1 && b1                                   ? "L1 admission"
         : both(a->prefetch, b->prefetch)             ? "prefetch"
         : both(a->l2_prefetch, b->l2_prefetch)       ? "L2 prefetch"
         : both(a->route, b->route)                   ? "cluster route"
         : both(a->l2_order, b->l2_order)             ? "L2 admission"
         : am && bm                                   ? "miss management"
         : both(a->source, b->source)                 ? "memory source"
         : both(a->dram_scheduler, b->dram_scheduler) ? "DRAM scheduler"
         : both(a->replacement, b->replacement)       ? "replacement"
         : both(a->allocator, b->allocator)           ? "crossbar allocator"
         : both(a->warp_scheduler, b->warp_scheduler) ? "warp scheduler"
                                                      : NULL;
}

static void read_params(struct chosen *k, const struct conf *c) {
  for (uint32_t i = 0; i < k->t->nparams; i++) {
    char name[160];
    snprintf(name, sizeof name, "%s.%s", k->t->name, k->t->params[i].name);
    switch (k->t->params[i].type) {
    case SLUICE_P_UINT:
      k->param[i].u = conf_u64(c, name);
      break;
    case SLUICE_P_BOOL:
      k->param[i].u = conf_bool(c, name);
      break;
    case SLUICE_P_FLOAT:
      k->param[i].f = conf_f64(c, name);
      break;
    case SLUICE_P_ENUM:
      k->param[i].u = (uint64_t)conf_enum(c, name);
      break;
    }
  }
}

static bool choose(struct tech_set *s, const char *name, const struct conf *c, struct error *err) {
  const struct sluice_technique *t = tech_find(name);
  if (!t)
    return unknown(name, err);
  for (unsigned i = 0; i < s->n; i++) {
    if (s->of[i].t == t)
      return error_add(err, EXIT_USAGE, "technique '%s' is named twice", name);
    const char *hook = conflict(s->of[i].t, t);
    if (hook)
      return error_add(
          err, EXIT_USAGE,
          "'%s' and '%s' both claim the %s hook; only one can have it (if the GPU's preset brings '%s', "
          "`--set tech.with=%s` puts '%s' in its place)",
          s->of[i].t->name, name, hook, s->of[i].t->name, name, name);
  }
  if (s->n == MOST_CHOSEN)
    return error_add(err, EXIT_USAGE, "at most %d techniques can be combined", MOST_CHOSEN);
  s->of[s->n].t = t;
  s->of[s->n].outside = tech_outside(t);
  read_params(&s->of[s->n++], c);
  return true;
}

/* A parameter that was given for a technique that is not there would do nothing: say so. */
static bool unused_params(const struct tech_set *s, const struct conf *c, struct error *err) {
  bool ok = true;
  for (size_t i = 0; i < tech_count(); i++) {
    const struct sluice_technique *t = tech_at(i);
    bool used = false;
    for (unsigned k = 0; k < s->n; k++)
      used |= s->of[k].t == t;
    for (uint32_t p = 0; !used && p < t->nparams; p++) {
      char name[160];
      snprintf(name, sizeof name, "%s.%s", t->name, t->params[p].name);
      if (conf_has(c, name) && strcmp(conf_origin(c, name), "default") != 0) /* it may have come since */
        ok = error_add(err, EXIT_USAGE, "%s: %s is set, but the GPU is built without '%s' (--with %s)",
                       conf_origin(c, name), name, t->name, t->name);
    }
  }
  return ok;
}

/* Where nobody closes the states one by one: those of techniques whose memory is not in the pool. */
static void close_outside(void *set) {
  struct tech_set *s = set;
  for (size_t i = 0; i < s->nopen; i++)
    if (s->open[i].outside)
      s->open[i].close(s->open[i].self);
  for (unsigned i = 0; i < s->n; i++)
    if (s->of[i].outside && s->of[i].gpu && s->of[i].t->close_gpu)
      s->of[i].t->close_gpu(s->of[i].gpu);
}

struct tech_set *tech_set_new(const struct conf *c, const struct sluice_env *gpu, struct error *err) {
  struct tech_set *s = xcalloc(1, sizeof *s);
  bool ok = true;
  pool_ends(close_outside, s);
  for (const char *at = conf_str(c, "tech.with"); *at;) {
    char *name = word(&at, ",");
    ok &= choose(s, name, c, err);
    free(name);
    at += *at == ',';
  }
  ok = unused_params(s, c, err) && ok;
  for (unsigned i = 0; ok && i < s->n; i++) {
    struct chosen *k = &s->of[i];
    k->env = *gpu;
    k->env.param = k->param;
    const char *why = k->t->check ? k->t->check(&k->env) : NULL;
    if (why)
      ok = error_add(err, EXIT_USAGE, "technique '%s': %s", k->t->name, why);
    if (!ok)
      break;
    VEC_PUSH(k->count, k->ncount, k->capcount) = xcalloc(k->t->ncounters + COUNT_ALIGN, sizeof(uint64_t));
    k->env.count = k->count[0];
    k->env.gpu = k->gpu = k->t->open_gpu ? k->t->open_gpu(&k->env) : NULL;
    s->period[i] = k->t->period ? k->t->period(&k->env) : 0;
    s->next_tick[i] = s->period[i] ? s->period[i] : SLUICE_NEVER;
  }
  if (ok)
    return s;
  tech_set_free(s);
  return NULL;
}

void tech_set_free(struct tech_set *s) {
  if (!s)
    return;
  pool_ended(s);
  for (size_t i = 0; i < s->nopen; i++)
    s->open[i].close(s->open[i].self);
  for (unsigned i = 0; i < s->n; i++) {
    if (s->of[i].gpu && s->of[i].t->close_gpu)
      s->of[i].t->close_gpu(s->of[i].gpu);
    for (size_t k = 0; k < s->of[i].ncount; k++)
      free(s->of[i].count[k]);
    free(s->of[i].count);
  }
  free(s->open);
  free(s);
}

static struct sluice_env unit_env(struct chosen *k, uint32_t unit) {
  struct sluice_env env = k->env;
  uint64_t *count = xcalloc(k->t->ncounters + COUNT_ALIGN, sizeof *count);
  VEC_PUSH(k->count, k->ncount, k->capcount) = count;
  env.count = count;
  env.unit = unit;
  return env;
}

/* Room for a state, before it is opened; the state. Several threads may open some at a time if there is room (tech_set_reserve()). */
static void expect(struct tech_set *s) {
  size_t n = __atomic_load_n(&s->nopen, __ATOMIC_RELAXED);
  if (n >= s->capopen)
    s->open = vec_grow(s->open, n, &s->capopen, sizeof *s->open);
}
static void *opened(struct tech_set *s, const struct chosen *k, void (*close)(void *), void *self) {
  s->open[__atomic_fetch_add(&s->nopen, 1, __ATOMIC_RELAXED)] = (struct opened){close, self, k && k->outside};
  return self;
}

void tech_set_reserve(struct tech_set *s, size_t n) {
  s->open = xrealloc(s->open, (s->nopen + n) * sizeof *s->open);
  s->capopen = s->nopen + n;
}

/* The state of one unit. */
static void *start(struct tech_set *s, struct chosen *k, uint32_t unit,
                   void *(*open)(const struct sluice_env *), void (*close)(void *)) {
  struct sluice_env env = unit_env(k, unit);
  expect(s);
  return opened(s, k, close, open(&env));
}

#define FIND(field)                                                                                          \
  for (unsigned i = 0; i < s->n; i++)                                                                        \
    if (s->of[i].t->field)                                                                                   \
      return (__typeof__(none)){                                                                             \
          .ops = s->of[i].t->field,                                                                          \
          .self = start(s, &s->of[i], unit, s->of[i].t->field->open, s->of[i].t->field->close)};             \
  return none

struct tech_gate tech_gate(struct tech_set *s, uint32_t unit) {
  struct tech_gate none = {0};
  FIND(gate);
}
struct tech_order tech_l1_order(struct tech_set *s, uint32_t unit) {
  struct tech_order none = {0};
  FIND(l1_order);
}
static struct tech_l1_bypass chosen_l1_bypass(struct tech_set *s, uint32_t unit) {
  struct tech_l1_bypass none = {0};
  FIND(l1_bypass);
}
struct tech_l1_bypass tech_l1_bypass(struct tech_set *s, uint32_t unit) {
  struct tech_l1_bypass b = chosen_l1_bypass(s, unit);
  for (unsigned i = 0; i < s->n; i++)
    if (b.ops && s->of[i].t->l1_bypass == b.ops && b.ops->queue)
      b.queue = b.ops->queue(&s->of[i].env);
  return b;
}
struct tech_prefetch tech_prefetch(struct tech_set *s, uint32_t unit) {
  struct tech_prefetch none = {0};
  FIND(prefetch);
}
struct tech_l2_prefetch tech_l2_prefetch(struct tech_set *s, uint32_t unit) {
  struct tech_l2_prefetch none = {0};
  FIND(l2_prefetch);
}
struct tech_route tech_route(struct tech_set *s, uint32_t unit) {
  struct tech_route none = {0};
  FIND(route);
}
static struct tech_side fill_buffer(struct tech_set *s, struct chosen *k, uint32_t unit, uint32_t level) {
  const struct sluice_fill_buffer *f = k->t->fill_buffer;
  k->env.beside_l1 = level == SLUICE_BESIDE_L1;
  void *self = start(s, k, unit, f->open, f->close);
  return (struct tech_side){.fill = f,
                            .residents = f->residents,
                            .self = self,
                            .on = true,
                            .blocks = f->swap_blocks && f->swap_blocks(self),
                            .lookup = f->lookup(self),
                            .swap = f->swap(self)};
}

static struct tech_side victim_cache(struct tech_set *s, struct chosen *k, uint32_t unit) {
  const struct sluice_victim_cache *v = k->t->victim_cache;
  void *self = start(s, k, unit, v->open, v->close);
  return (struct tech_side){.victim = v,
                            .self = self,
                            .on = true,
                            .blocks = v->swap_blocks && v->swap_blocks(self),
                            .lookup = v->lookup(self),
                            .swap = v->swap(self)};
}

static struct tech_side beside(struct tech_set *s, uint32_t unit, uint32_t level) {
  for (unsigned i = 0; i < s->n; i++) {
    const struct sluice_fill_buffer *f = s->of[i].t->fill_buffer;
    if (f && (f->levels ? f->levels(&s->of[i].env) : SLUICE_BESIDE_L2) & level)
      return fill_buffer(s, &s->of[i], unit, level);
    if (s->of[i].t->victim_cache && level == SLUICE_BESIDE_L2)
      return victim_cache(s, &s->of[i], unit);
  }
  return (struct tech_side){0};
}

struct tech_side tech_l2_side(struct tech_set *s, uint32_t unit) {
  return beside(s, unit, SLUICE_BESIDE_L2);
}

struct tech_side tech_l1_side(struct tech_set *s, uint32_t unit) {
  return beside(s, unit, SLUICE_BESIDE_L1);
}
struct tech_replacement tech_replacement(struct tech_set *s, uint32_t unit,
                                         const struct sluice_cache_shape *shape) {
  uint32_t level = shape->l1 ? SLUICE_LEVEL_L1 : SLUICE_LEVEL_L2;
  for (unsigned i = 0; i < s->n; i++) {
    const struct sluice_replacement *r = s->of[i].t->replacement;
    if (!r || (r->levels && !(r->levels(&s->of[i].env) & level)))
      continue;
    struct sluice_env env = unit_env(&s->of[i], unit);
    expect(s);
    return (struct tech_replacement){r, opened(s, &s->of[i], r->close, r->open(&env, shape))};
  }
  return (struct tech_replacement){0};
}
/* Functions and state for a unit whose open() takes its shape, too. */
#define FIND_SHAPED(field, shape)                                                                            \
  for (unsigned i = 0; i < s->n; i++)                                                                        \
    if (s->of[i].t->field) {                                                                                 \
      struct sluice_env env = unit_env(&s->of[i], unit);                                                     \
      expect(s);                                                                                             \
      return (__typeof__(none)){                                                                             \
          .ops = s->of[i].t->field,                                                                          \
          .self = opened(s, &s->of[i], s->of[i].t->field->close, s->of[i].t->field->open(&env, shape))};     \
    }                                                                                                        \
  return none

static struct tech_allocator open_allocator(struct tech_set *s, uint32_t unit,
                                            const struct sluice_crossbar *x) {
  const struct tech_allocator none = {0};
  FIND_SHAPED(allocator, x);
}
const struct sluice_technique *tech_with_allocator(const struct tech_set *s) {
  for (unsigned i = 0; i < s->n; i++)
    if (s->of[i].t->allocator)
      return s->of[i].t;
  return NULL;
}
struct tech_allocator tech_allocator(struct tech_set *s, uint32_t unit, const struct sluice_crossbar *x) {
  struct tech_allocator a = open_allocator(s, unit, x);
  for (unsigned i = 0; i < s->n; i++)
    if (a.ops && s->of[i].t->allocator == a.ops)
      a.fifo = a.ops->fifo && a.ops->fifo(&s->of[i].env);
  return a;
}
struct tech_warp_scheduler tech_warp_scheduler(struct tech_set *s, uint32_t unit,
                                               const struct sluice_warp_slots *slots) {
  const struct tech_warp_scheduler none = {0};
  FIND_SHAPED(warp_scheduler, slots);
}
const struct sluice_warp_scheduler *tech_with_warp_scheduler(const struct tech_set *s) {
  for (unsigned i = 0; i < s->n; i++)
    if (s->of[i].t->warp_scheduler)
      return s->of[i].t->warp_scheduler;
  return NULL;
}
struct tech_order tech_source(struct tech_set *s) {
  struct tech_order none = {0};
  const uint32_t unit = 0;
  FIND(source);
}

struct tech_order tech_l2_order(struct tech_set *s, uint32_t unit,
                                enum sluice_fail (*would_fail)(void *, uint32_t), void *unit_state) {
  for (unsigned i = 0; i < s->n; i++) {
    const struct sluice_order *o = s->of[i].t->l2_order;
    if (!o)
      continue;
    s->of[i].env.would_fail = would_fail;
    s->of[i].env.unit_state = unit_state;
    return (struct tech_order){o, start(s, &s->of[i], unit, o->open, o->close)};
  }
  expect(s);
  void *self = tech_fifo.open(&(struct sluice_env){.size = sizeof(struct sluice_env), .unit = unit});
  return (struct tech_order){&tech_fifo, opened(s, NULL, tech_fifo.close, self)};
}

unsigned tech_l2_bypasses(struct tech_set *s, uint32_t unit, struct tech_l2_bypass *out) {
  unsigned n = 0;
  for (unsigned i = 0; i < s->n && n < TECH_MAX_BYPASSES; i++)
    if (s->of[i].t->l2_bypass)
      out[n++] = (struct tech_l2_bypass){
          s->of[i].t->l2_bypass,
          start(s, &s->of[i], unit, s->of[i].t->l2_bypass->open, s->of[i].t->l2_bypass->close)};
  return n;
}

bool tech_broken(const struct tech_set *s) {
  return __atomic_load_n(&s->broken, __ATOMIC_RELAXED);
}
bool *tech_broken_flag(struct tech_set *s) {
  return &s->broken;
}

static struct chosen *with_dram_scheduler(const struct tech_set *s) {
  for (unsigned i = 0; i < s->n; i++)
    if (s->of[i].t->dram_scheduler)
      return (struct chosen *)&s->of[i];
  return NULL;
}

const struct sluice_dram_scheduler *tech_dram_scheduler(const struct tech_set *s) {
  const struct chosen *k = with_dram_scheduler(s);
  return k ? k->t->dram_scheduler : NULL;
}

void *tech_dram_scheduler_open(struct tech_set *s, uint32_t unit, const struct sluice_dram_queue *queue) {
  struct chosen *k = with_dram_scheduler(s);
  struct sluice_env env = unit_env(k, unit);
  expect(s);
  return opened(s, k, k->t->dram_scheduler->close, k->t->dram_scheduler->open(&env, queue));
}

uint64_t tech_next_tick(const struct tech_set *s) {
  uint64_t least = SLUICE_NEVER;
  for (unsigned i = 0; i < s->n; i++)
    if (s->next_tick[i] < least)
      least = s->next_tick[i];
  return least;
}

void tech_tick(struct tech_set *s, const struct sluice_state *state, uint64_t cycle) {
  for (unsigned i = 0; i < s->n; i++)
    if (s->next_tick[i] == cycle) {
      s->of[i].t->tick(s->of[i].gpu, state, cycle);
      s->next_tick[i] += s->period[i];
    }
}

void tech_launch(struct tech_set *s, const struct sluice_state *state, uint64_t cycle) {
  for (unsigned i = 0; i < s->n; i++)
    if (s->of[i].t->launch)
      s->of[i].t->launch(s->of[i].gpu, state, cycle);
}
