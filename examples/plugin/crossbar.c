/* crossbar: allocators from outside. `turns` is the rotation of noc.allocator round-robin, `islip` one round of iSLIP, `oldest` passes the input
 * first that has passed nothing for longest.
 *
 *   cc -O2 -shared -fPIC -I../../include crossbar.c -o crossbar.so
 *   sluice run ../gpgpusim/gather_16K.yaml --gpu cart28 --plugin ./crossbar.so --with crossbar:rule=oldest */
#include "sluice_technique.h"
#include <stdlib.h>

enum rule { TURNS, ISLIP, OLDEST };
static const char *const rules[] = {"turns", "islip", "oldest", NULL};

enum { P_rule, NPARAMS };
static const struct sluice_param params[NPARAMS] = {
    {.name = "rule",
     .type = SLUICE_P_ENUM,
     .initial = "turns",
     .choices = rules,
     .unit = "",
     .help = "Who passes.",
     .source = "an example"},
};

enum { C_passed, NCOUNTS };
static const struct sluice_counter counters[NCOUNTS] = {
    {"passed", "messages", "Messages that passed a crossbar."},
};

struct crossbar {
  uint64_t *count, *last; /* last: by input, the cycle in which it passed something */
  enum rule rule;
  uint32_t inputs, outputs;
  uint32_t *grant, *accept,
      *granted; /* by output: whose turn it is; by input: likewise, and the best grant */
};

static void *some(uint32_t n, size_t size) {
  void *p = calloc(n ? n : 1, size);
  if (!p)
    abort();
  return p;
}

static void *begin(const struct sluice_env *env, const struct sluice_crossbar *x) {
  struct crossbar *c = some(1, sizeof *c);
  c->count = env->count;
  c->rule = (enum rule)env->param[P_rule].u;
  c->inputs = x->inputs, c->outputs = x->outputs;
  c->last = some(x->inputs, sizeof *c->last);
  c->grant = some(x->outputs, sizeof *c->grant);
  c->accept = some(x->inputs, sizeof *c->accept);
  c->granted = some(x->inputs, sizeof *c->granted);
  return c;
}

static void end(void *self) {
  struct crossbar *c = self;
  free(c->last), free(c->grant), free(c->accept), free(c->granted), free(c);
}

/* One queue for each input, but for iSLIP. */
static bool fifo(const struct sluice_env *env) {
  return env->param[P_rule].u != ISLIP;
}

static bool in(const uint64_t *set, uint32_t i) {
  return set[i / 64] >> i % 64 & 1;
}

static bool asks(const struct sluice_asking *a, uint32_t i, uint32_t o) {
  return in(a->inputs, i) && in(a->want + (size_t)o * a->input_words, i);
}

/* The first input that asks, from the output's turn on. */
static uint32_t in_turn(const struct crossbar *c, const struct sluice_asking *a, uint32_t o) {
  for (uint32_t k = 0; k < c->inputs; k++)
    if (asks(a, (c->grant[o] + k) % c->inputs, o))
      return (c->grant[o] + k) % c->inputs;
  return SLUICE_NONE;
}

static uint32_t longest(const struct crossbar *c, const struct sluice_asking *a, uint32_t o) {
  uint32_t best = SLUICE_NONE;
  for (uint32_t i = 0; i < c->inputs; i++)
    if (asks(a, i, o) && (best == SLUICE_NONE || c->last[i] < c->last[best]))
      best = i;
  return best;
}

static uint32_t distance(const struct crossbar *c, uint32_t i, uint32_t o) {
  return (o + c->outputs - c->accept[i]) % c->outputs;
}

static void pass(struct crossbar *c, uint32_t i, uint32_t o, uint32_t *match, uint64_t cycle) {
  match[o] = i;
  c->grant[o] = (i + 1) % c->inputs;
  c->accept[i] = (o + 1) % c->outputs;
  c->last[i] = cycle;
  c->count[C_passed]++;
}

static void match_by(void *self, const struct sluice_asking *a, uint32_t *match, uint64_t cycle) {
  struct crossbar *c = self;
  for (uint32_t i = 0; i < c->inputs; i++)
    c->granted[i] = SLUICE_NONE;
  for (uint32_t o = 0; o < c->outputs; o++) {
    if (!in(a->outputs, o))
      continue;
    uint32_t i = c->rule == OLDEST ? longest(c, a, o) : in_turn(c, a, o);
    if (c->granted[i] == SLUICE_NONE || distance(c, i, o) < distance(c, i, c->granted[i]))
      c->granted[i] = o;
  }
  for (uint32_t i = 0; i < c->inputs; i++)
    if (c->granted[i] != SLUICE_NONE)
      pass(c, i, c->granted[i], match, cycle);
}

static const struct sluice_allocator allocator = {
    .size = sizeof allocator, .open = begin, .close = end, .match = match_by, .fifo = fifo};

static const struct sluice_technique crossbar = {
    SLUICE_TECHNIQUE_HEAD, .name = "crossbar",   .summary = "Allocators of crossbars.",
    .paper = "an example", .nparams = NPARAMS,   .params = params,
    .ncounters = NCOUNTS,  .counters = counters, .allocator = &allocator};

SLUICE_EXPORT const struct sluice_technique *sluice_plugin(void) {
  return &crossbar;
}
