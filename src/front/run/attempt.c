#include "front/run/attempt.h"
#include <stdlib.h>
#include <string.h>

struct exec_side {
  struct exec x; /* as that of the launch, with registers of hints, words and counts of its own */
  struct exec *of;
  struct error err;
};

void attempt_ends(struct exec *x) {
  x->failed = true;
}

bool attempt_touches(struct exec *x, const struct devbuf *b, bool write) {
  struct attempt_memory *m = x->attempt;
  size_t i = devmem_index(x->mem, b);
  uint64_t bit = UINT64_C(1) << i % 64;
  if (!write) {
    m->reads[i / 64] |= bit;
    if (m->writes[i / 64] & bit) /* what it stored is not in memory yet */
      attempt_ends(x);
  } else if (!(m->writes[i / 64] & bit)) {
    m->writes[i / 64] |= bit;
    memset(x->hints, 0, (x->p->nmemops + 1) * sizeof *x->hints); /* loads from it must be seen */
  }
  return !x->failed;
}

void attempt_stores(struct exec *x, uint8_t *host, const void *from, size_t bytes) {
  struct attempt_memory *m = x->attempt;
  size_t need = sizeof(struct attempt_store) + (bytes + 7) / 8 * 8;
  if (m->n + need > m->cap) {
    m->cap = (m->n + need) * 2;
    m->log = xrealloc(m->log, m->cap);
  }
  const struct attempt_store s = {host, bytes};
  memcpy(m->log + m->n, &s, sizeof s);
  memcpy(m->log + m->n + sizeof s, from, bytes);
  m->n += need;
}

static void make_stores(const struct attempt_memory *m) {
  for (size_t at = 0; at < m->n;) {
    struct attempt_store s;
    memcpy(&s, m->log + at, sizeof s);
    memcpy(s.host, m->log + at + sizeof s, s.bytes);
    at += sizeof s + (s.bytes + 7) / 8 * 8;
  }
}

struct exec_side *exec_side_new(struct exec *x) {
  if (x->from)
    return NULL;
  struct exec_side *s = xcalloc(1, sizeof *s);
  s->x = *x;
  s->of = x;
  s->x.hints = xcalloc(x->p->nmemops + 1, sizeof *s->x.hints);
  s->x.out = NULL, s->x.nout = s->x.capout = 0;
  s->x.tally = (struct tally){0};
  tally_grow(&s->x.tally, x->p->nblocks);
  s->x.window = s->x.pool = NULL;
  s->x.nwindow = s->x.npool = 0;
  s->x.o.warn = NULL;
  s->x.err = &s->err;
  return s;
}

void exec_side_free(struct exec_side *s) {
  if (!s)
    return;
  free(s->x.hints), free(s->x.out);
  tally_free(&s->x.tally);
  error_clear(&s->err);
  free(s);
}

static int by_host(const void *a, const void *b) {
  const struct devbuf *const *p = a, *const *q = b;
  return ((*p)->host > (*q)->host) - ((*p)->host < (*q)->host);
}

/* Can buffers be told apart by their numbers: are they few, and is none within another on the host? */
static bool buffers_apart(const struct devmem *mem) {
  size_t n = devmem_count(mem), used = 0;
  const struct devbuf *b[ATTEMPT_BUFFERS];
  if (n > ATTEMPT_BUFFERS)
    return false;
  for (size_t i = 0; i < n; i++)
    if (devmem_at(mem, i)->size)
      b[used++] = devmem_at(mem, i);
  qsort(b, used, sizeof *b, by_host);
  for (size_t i = 1; i < used; i++)
    if (b[i - 1]->host + b[i - 1]->size > b[i]->host)
      return false;
  return true;
}

static struct attempts *attempts_of(struct exec *x) {
  struct attempts *a = x->attempts;
  if (!a) {
    a = x->attempts = xcalloc(1, sizeof *a);
    a->adopted = SIZE_MAX;
    a->generation = devmem_generation(x->mem);
    a->off = !buffers_apart(x->mem);
  }
  return a;
}

/* Half of what was tried must hold, or trying is in vain. */
static bool worth_it(struct exec *x, struct attempts *a) {
  enum { FIRST = 64 };
  a->off |= x->workspace || devmem_generation(x->mem) != a->generation ||
            (a->made >= FIRST && a->held < a->made / 2);
  return !a->off && !x->failed && !x->watch_stores && !x->o.max_instructions;
}

static void foresee(struct exec *x, struct attempts *a, struct cta *of, uint64_t sequence) {
  if (a->n == a->cap) {
    a->attempt = xrealloc(a->attempt, (a->cap + 64) * sizeof *a->attempt);
    memset(a->attempt + a->cap, 0, 64 * sizeof *a->attempt);
    a->cap += 64;
  }
  struct attempt *k = &a->attempt[a->n++];
  k->of = of, k->sequence = sequence;
  k->holds = false;
  k->nout = 0;
  if (!k->cta && x->npool)
    k->cta = x->pool[--x->npool];
}

size_t exec_foresee(struct exec *x, size_t most) {
  if (x->from || x->o.shared || x->o.lanes) /* last accesses of lanes are not put back */
    return 0;
  struct attempts *a = attempts_of(x);
  if (a->next < a->n || !worth_it(x, a))
    return 0;
  a->n = a->next = 0;
  memset(a->stored, 0, sizeof a->stored);
  for (size_t i = x->cursor; i < x->nwindow && a->n < most; i++)
    foresee(x, a, x->window[i], 0);
  /* as many CTAs begin as have room, even if none of those before them ends */
  uint64_t room = x->o.window - x->nwindow, left = x->nctas - x->next_cta;
  for (uint64_t i = 0; i < room && i < left && a->n < most; i++)
    foresee(x, a, NULL, x->next_cta + i);
  a->made += a->n;
  return a->n;
}

bool exec_attempt(struct exec_side *s, size_t number, struct sluice_segment *seg) {
  struct exec *x = &s->x;
  struct attempt *a = &s->of->attempts->attempt[number];
  if (!a->cta)
    a->cta = cta_new(x);
  if (a->of)
    cta_copy(x, a->cta, a->of);
  else
    cta_begin(x, a->cta, a->sequence);
  memset(a->memory.reads, 0, sizeof a->memory.reads);
  memset(a->memory.writes, 0, sizeof a->memory.writes);
  a->memory.n = 0;
  memset(x->hints, 0, (x->p->nmemops + 1) * sizeof *x->hints);
  x->generation = devmem_generation(x->mem);
  x->attempt = &a->memory;
  x->failed = x->watch_stores = false;
  x->executed = x->progress = x->warned = x->nout = 0;
  tally_clear(&x->tally);
  a->turn = a->cta->turn;
  a->done = cta_turn(x, a->cta);
  a->holds = !x->failed && !x->warned;
  if (s->err.code)
    error_clear(&s->err);
  if (!a->holds)
    return false;
  a->executed = x->executed, a->progress = x->progress;
  uint32_t *out = a->out;
  size_t cap = a->capout;
  a->out = x->out, a->nout = x->nout, a->capout = x->capout;
  x->out = out, x->capout = cap;
  struct tally tally = a->tally;
  a->tally = x->tally, x->tally = tally;
  tally_grow(&x->tally, x->p->nblocks);
  *seg = (struct sluice_segment){.cta = a->cta->linear,
                                 .turn = a->turn,
                                 .last = a->done,
                                 .warp_width = x->width,
                                 .words = a->out,
                                 .n = a->nout};
  return true;
}

void attempts_forget(struct exec *x) {
  if (x->attempts)
    x->attempts->next = x->attempts->n;
}

/* Is it the turn that comes next? */
static bool comes_next(const struct exec *x, const struct attempt *k) {
  if (x->cursor < x->nwindow)
    return k->of == x->window[x->cursor];
  return !k->of && x->nwindow < x->o.window && x->next_cta < x->nctas && k->sequence == x->next_cta;
}

struct attempt *attempt_adopt(struct exec *x) {
  struct attempts *a = x->attempts;
  if (!a)
    return NULL;
  a->adopted = SIZE_MAX;
  if (a->next == a->n)
    return NULL;
  struct attempt *k = &a->attempt[a->next];
  bool holds = k->holds && comes_next(x, k) && devmem_generation(x->mem) == a->generation;
  for (unsigned w = 0; w < ATTEMPT_WORDS; w++)
    holds &= !(k->memory.reads[w] & a->stored[w]);
  if (!holds) {
    attempts_forget(x);
    return NULL;
  }
  make_stores(&k->memory);
  for (unsigned w = 0; w < ATTEMPT_WORDS; w++)
    a->stored[w] |= k->memory.writes[w];
  x->executed += k->executed, x->progress += k->progress;
  if (k->of) {
    x->window[x->cursor] = k->cta;
    k->cta = k->of; /* to be used again */
  } else {
    x->window[x->nwindow++] = k->cta;
    x->next_cta++;
    k->cta = NULL;
  }
  a->held++;
  a->adopted = a->next++;
  return k;
}

void attempts_free(struct exec *x) {
  struct attempts *a = x->attempts;
  for (size_t i = 0; a && i < a->cap; i++) {
    struct attempt *k = &a->attempt[i];
    if (k->cta)
      cta_free(x, k->cta);
    free(k->out), free(k->memory.log);
    tally_free(&k->tally);
  }
  if (a)
    free(a->attempt);
  free(a);
}

size_t exec_adopted(const struct exec *x) {
  return x->attempts ? x->attempts->adopted : SIZE_MAX;
}

size_t exec_foreseen(const struct exec *x) {
  return x->attempts ? x->attempts->n - x->attempts->next : 0;
}
