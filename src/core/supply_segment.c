#include "core/distance.h"
#include "core/supply_segment.h"
#include "core/gcn_code.h"
#include "engine/team.h"
#include "base/bits.h"
#include "base/mem.h"
#include "front/functional.h"
#include "core/sm.h"
#include <stdlib.h>
#include <string.h>

struct run {
  uint32_t warp, at, n;
};

void producer_init(struct producer *p, struct exec *x, struct functional_machine *told, uint32_t nwarps,
                   bool wide, bool params, const struct core_config *core, struct work_numbers *numbers) {
  *p = (struct producer){.x = x,
                         .told = told,
                         .nwarps = nwarps,
                         .wide = wide,
                         .params = params,
                         .banks = core->register_banks,
                         .core = core,
                         .numbers = numbers,
                         .nblocks = exec_blocks(x)};
  uint64_t named[EXEC_REGISTERS / 64];
  exec_registers(x, named);
  for (uint32_t r = 0; r < EXEC_REGISTERS; r++)
    p->place[r] = named[r / 64] >> r % 64 & 1 ? (uint16_t)p->registers++ : UINT16_MAX;
  p->block = xcalloc(p->nblocks + 1u, sizeof *p->block);
}

static void disband(struct producer *p) {
  struct producer_team *t = &p->together;
  for (unsigned i = 0; t->side && i < team_size(t->team); i++) {
    exec_side_free(t->side[i]);
    free(t->runs[i].run);
  }
  for (size_t i = 0; i < t->nsegments; i++)
    if (t->segment[i])
      supply_segment_free(t->segment[i]);
  free(t->side), free(t->runs), free(t->segment);
}

void producer_destroy(struct producer *p) {
  for (uint32_t i = 0; i < p->nblocks; i++)
    free(p->block[i].inst), free(p->block[i].items);
  free(p->block);
  free(p->runs.run);
  disband(p);
  error_clear(&p->err);
}

void supply_segment_free(struct supply_segment *s) {
  free(s->words);
  free(s->from);
  free(s);
}

/* Sets the pc of blocks up to `block`: blocks lie in the program in the order of their numbers. */
static void place(struct producer *p, uint32_t block) {
  for (; p->npc <= block; p->npc++)
    p->block[p->npc].pc = p->npc ? p->block[p->npc - 1].pc + exec_block(p->x, p->npc - 1).ninst : 0;
}

/* Does the record of the instruction name the lanes that execute it? */
static inline bool guarded(const struct warp_inst *in) {
  return in->flags & SLUICE_IF_GUARD && in->klass != SLUICE_BRANCH;
}

/* Is the register of source r read by an earlier source too, under another name, as %rd5 for %f5? Collectors know registers by number. */
static bool read_already(const struct warp_inst *o, unsigned r) {
  for (unsigned i = o->ndst; i < r; i++)
    if (o->reg[i] % SLUICE_BANKS == o->reg[r] % SLUICE_BANKS && o->reg[i] < SLUICE_UNBANKED)
      return true;
  return false;
}

/* Finds the banks that collectors read and write for an instruction. A guard is no operand, so that branches have no operands. Registers in
 * no bank take no time. */
static void find_banks(struct warp_inst *o, uint32_t banks) {
  bool branch = o->klass == SLUICE_BRANCH;
  for (unsigned r = 0; r < o->nregs; r++) {
    uint64_t set = collect_set(banks, o->reg[r]);
    if (o->reg[r] >= SLUICE_UNBANKED)
      continue;
    if (r < o->ndst) {
      o->writes |= set;
    } else if (!branch && !read_already(o, r)) {
      o->operands = o->operands == 1 || o->reads & set ? 1 : 2;
      o->reads |= set;
      o->bank[o->nbanks++] = (uint8_t)(banks ? o->reg[r] % banks : 0);
    }
  }
}

static uint8_t at_most_255(uint32_t n) {
  return (uint8_t)(n < 255 ? n : 255);
}

/* Does an assembler make a sequence of machine code with branches of such instructions? */
static bool is_call(unsigned unit) {
  return unit == PTX_UNIT_FDIV || unit == PTX_UNIT_FROOT || unit == PTX_UNIT_DDIV || unit == PTX_UNIT_DROOT ||
         unit == PTX_UNIT_FRCP || unit == PTX_UNIT_DRCP || unit == PTX_UNIT_IDIV64;
}

/* In machine code a loop that compares and swaps. */
static bool is_shared_cas(const struct sluice_inst *in) {
  bool atomic = in->klass == SLUICE_ATOMIC || in->klass == SLUICE_RED;
  return atomic && in->space == SLUICE_SP_SHARED && (in->flags & SLUICE_IF_FLOAT || in->bytes == 8);
}

/* One lane, chosen by a vote and a comparison, does an atomic for all: of the sum of their values, where they differ. Shared memory itself
 * counts lanes that add a number. */
static void join(const struct core_config *k, const struct sluice_inst *in, struct warp_inst *o) {
  bool result = in->klass == SLUICE_ATOMIC, differ = in->nsrc > 1; /* an address and a value */
  bool counted = in->space == SLUICE_SP_SHARED && !differ && !result;
  o->slots = at_most_255(o->slots + (counted ? 0 : k->joined_slots) + (result ? k->joined_result_slots : 0));
  o->aside = result && k->joined_sfu;
  o->holds = at_most_255((differ ? k->unit[PTX_UNIT_REDUX].latency + k->stages + k->joined_wait : 0) +
                         (result ? k->joined_result : 0));
}

/* Arithmetic of two registers, the lower and the upper half of 64-bit integers, one after the other? */
static bool is_long(const struct sluice_inst *in) {
  return in->flags & SLUICE_IF_LONG && in->klass == SLUICE_ALU &&
         (in->unit == PTX_UNIT_INT || in->unit == PTX_UNIT_LOGIC || in->unit == PTX_UNIT_SETP ||
          in->unit == PTX_UNIT_GUARD || in->unit == PTX_UNIT_IMAX);
}

static struct warp_inst decoded(const struct producer *p, const struct sluice_inst *in, enum sm_pipe before) {
  struct warp_inst o = {.klass = in->klass,
                        .unit = in->unit,
                        .flags = in->flags,
                        .space = in->space,
                        .bytes = in->bytes,
                        .cache_op = in->cache_op,
                        .ndst = in->ndst,
                        .loops = 1,
                        .nregs = (uint8_t)(in->ndst + in->nsrc),
                        .orders = in->klass == SLUICE_FENCE || in->flags & SLUICE_IF_BARRIER};
  o.pipe = (uint8_t)sm_pipe_of(&o, p->core->pipes, before);
  if (p->core->fence_latency && in->klass == SLUICE_FENCE) {
    o.orders = in->space == SLUICE_SP_GLOBAL;
    o.aside = o.orders;
    o.holds = o.orders ? 0 : at_most_255(p->core->block_fence);
  }
  const bool joined = p->core->join_atomics && in->flags & SLUICE_IF_JOINED && in->klass != SLUICE_BRANCH;
  if (p->params && o.klass == SLUICE_OTHER && o.unit == PTX_UNIT_MEM && o.space == SLUICE_SP_PARAM && o.ndst)
    o.pipe = PIPE_MEM;
  o.operand = p->core->constant_operands && in->klass == SLUICE_LOAD && in->space == SLUICE_SP_CONST &&
              in->nsrc == (in->flags & SLUICE_IF_GUARD ? 1 : 0);
  if (o.operand)
    o.pipe = PIPE_SP;
  o.slots = at_most_255(is_long(in) ? p->core->long_slots : p->core->unit[o.unit].slots);
  if (in->klass == SLUICE_BRANCH && in->flags & SLUICE_IF_MEETS) {
    o.holds = at_most_255(p->core->may_part);
    o.slots = at_most_255(1 + p->core->part_slots);
  }
  if (joined)
    join(p->core, in, &o);
  if (p->core->shared_cas && is_shared_cas(in)) {
    o.holds = at_most_255(in->bytes == 8 && p->core->shared_cas_long ? p->core->shared_cas_long
                                                                     : p->core->shared_cas);
    o.loops = (uint8_t)p->core->shared_cas_unit;
    o.slots = at_most_255(p->core->shared_cas_slots);
  }
  if (p->core->held_calls && is_call(o.unit))
    o.holds = at_most_255(p->core->unit[o.unit].latency + p->core->stages);
  memcpy(o.reg, in->dst, in->ndst * sizeof *o.reg);
  memcpy(o.reg + in->ndst, in->src, in->nsrc * sizeof *o.reg);
  for (unsigned r = 0; r < o.nregs; r++)
    o.reg[r] %= EXEC_REGISTERS; /* the scoreboard has limited size: rare high numbers share a place */
  find_banks(&o, p->banks);
  for (unsigned r = 0; r < o.nregs; r++) {
    if (p->place[o.reg[r]] == UINT16_MAX)
      panic("an instruction names register %u, which no instruction of the launch names", o.reg[r]);
    o.reg[r] = p->place[o.reg[r]];
  }
  for (unsigned r = o.nregs; r < 2 * SLUICE_MAX_REGS; r++)
    o.reg[r] = (uint16_t)p->registers;
  return o;
}

static bool among(const uint16_t *reg, unsigned n, uint16_t r) {
  for (unsigned i = 0; i < n; i++)
    if (reg[i] == r)
      return true;
  return false;
}

/* Does an instruction of another pipeline read a result of instruction i? Of those up to the next write; the block may be a loop. */
static bool read_elsewhere(const struct warp_inst *in, uint32_t n, uint32_t i) {
  for (uint32_t k = 1, left = in[i].ndst; k <= n && left; k++) {
    const struct warp_inst *x = &in[(i + k) % n];
    for (unsigned r = 0; r < in[i].ndst; r++) {
      if (among(x->reg + x->ndst, x->nregs - x->ndst, in[i].reg[r]) && x->pipe != in[i].pipe)
        return true;
      left -= among(x->reg, x->ndst, in[i].reg[r]) && !guarded(x);
    }
  }
  return false;
}

/* Results of fixed latency go to their own pipeline first. */
static void mark_crossings(struct warp_inst *in, uint32_t n, uint8_t cycles) {
  for (uint32_t i = 0; i < n; i++)
    if ((in[i].pipe == PIPE_SP || in[i].pipe == PIPE_INT) && in[i].unit != PTX_UNIT_GUARD &&
        read_elsewhere(in, n, i))
      in[i].crosses = cycles;
}

/* Marks stores that another store follows, with at most two instructions of arithmetic between, and the latter. */
static void mark_rows(struct warp_inst *in, uint32_t n) {
  enum { BETWEEN = 2 };
  for (uint32_t i = 0, next; i < n; i++) {
    if (in[i].klass != SLUICE_STORE)
      continue;
    for (next = i + 1; next < n && next <= i + BETWEEN && in[next].klass == SLUICE_ALU; next++)
      ;
    for (uint32_t j = i; next < n && in[next].klass == SLUICE_STORE && j < next; j++)
      in[j].stays = true;
  }
}

static void add_gcn_code(const struct producer *p, struct supply_block *b) {
  struct warp_inst *code = gcn_code(b->inst, &b->n, (uint16_t)p->registers);
  free(b->inst), free(b->items);
  b->inst = code;
  b->items = xcalloc(b->n + 1, sizeof *b->items);
}

static void decode(struct producer *p, uint32_t number) {
  struct supply_block *b = &p->block[number];
  struct sluice_block s = exec_block(p->x, number);
  b->n = s.ninst;
  place(p, number);
  b->inst = xcalloc(s.ninst + 1, sizeof *b->inst);
  b->items = xcalloc(s.ninst + 1, sizeof *b->items);
  for (uint32_t i = 0; i < s.ninst; i++) {
    b->inst[i] = decoded(p, &s.insts[i], i ? (enum sm_pipe)b->inst[i - 1].pipe : PIPE_NONE);
    b->inst[i].pc = (uint32_t)(b->pc + i);
    b->inst[i].line = s.insts[i].line;
    b->inst[i].source_line = s.insts[i].source_line;
  }
  if (p->core->greedy_stores)
    mark_rows(b->inst, b->n);
  if (p->core->cross_latency)
    mark_crossings(b->inst, b->n, at_most_255(p->core->cross_latency));
  if (p->core->distances)
    distance_set(p->core, b->inst, b->n);
  if (p->core->model == SM_GCN)
    gcn_number_params(b->inst, b->n);
  if (p->core->gcn_code)
    add_gcn_code(p, b);
  for (uint32_t i = 0; i < b->n; i++) {
    if (guarded(&b->inst[i]) || b->inst[i].flags & (SLUICE_IF_BARRIER | SLUICE_IF_ADDRESS))
      b->items[b->nitems++] = i;
  }
  work_keys(p->numbers, b->inst, b->n);
}

/* Words of an access behind its first word, and words for each lane, by the form of the access. */
static const uint8_t access_words[] = {3, 2, 0, 0}, lane_words[] = {0, 1, 2, 0};

/* Skips an access of several parts, each with its lanes. */
static const uint32_t *skip_parts(const uint32_t *w, bool wide) {
  for (;;) {
    uint32_t word = *w++, form = SLUICE_ACCESS_FORM(word);
    unsigned n = count_bits(*w++);
    if (wide)
      n += count_bits(*w++);
    w += access_words[form] + lane_words[form] * n;
    if (!(word & SLUICE_ACCESS_MORE))
      return w;
  }
}

static inline const uint32_t *skip_access(const uint32_t *w, uint64_t mask, bool wide) {
  uint32_t word = *w, form = SLUICE_ACCESS_FORM(word);
  if (word & SLUICE_ACCESS_MORE)
    return skip_parts(w, wide);
  w += 1 + access_words[form];
  return lane_words[form] ? w + lane_words[form] * count_bits(mask) : w;
}

static inline const uint32_t *skip_accesses(const uint32_t *w, const struct warp_inst *in, uint64_t mask,
                                            bool wide) {
  w = skip_access(w, mask, wide);
  return in->klass == SLUICE_COPY ? skip_access(w, mask, wide) : w;
}

size_t supply_items(const uint32_t *words, const struct warp_inst *in, uint64_t mask, bool wide) {
  return (size_t)(skip_accesses(words, in, mask, wide) - words);
}

/* The end of the record that begins at w. */
static const uint32_t *record_end(struct producer *p, const uint32_t *w) {
  if (!p->block[w[0]].inst)
    decode(p, w[0]);
  const struct supply_block *b = &p->block[w[0]];
  w += 2;
  uint64_t mask = *w++;
  if (p->wide)
    mask |= (uint64_t)*w++ << 32;
  for (uint32_t i = 0; i < b->nitems; i++) {
    const struct warp_inst *in = &b->inst[b->items[i]];
    uint64_t m = mask;
    if (guarded(in)) {
      m = *w++;
      if (p->wide)
        m |= (uint64_t)*w++ << 32;
    }
    if (in->flags & SLUICE_IF_BARRIER)
      w++;
    if (in->flags & SLUICE_IF_ADDRESS && m)
      w = skip_accesses(w, in, m, p->wide);
  }
  return w;
}

/* Divides the records of a segment into runs of one warp each; from[w + 1]: the number of words of warp w. */
static void find_runs(struct producer *p, const struct sluice_segment *s, struct runs *r, uint32_t *from) {
  r->n = 0;
  for (const uint32_t *w = s->words, *end = w + s->n; w < end;) {
    const uint32_t *next = record_end(p, w);
    uint32_t n = (uint32_t)(next - w);
    from[w[1] + 1] += n;
    if (r->n && r->run[r->n - 1].warp == w[1])
      r->run[r->n - 1].n += n;
    else
      VEC_PUSH(r->run, r->n, r->cap) = (struct run){w[1], (uint32_t)(w - s->words), n};
    w = next;
  }
}

static void sort(struct producer *p, const struct sluice_segment *s, struct runs *runs,
                 struct supply_segment *to) {
  if (s->n > UINT32_MAX)
    panic("a turn of CTA %llu yields more than 16 GiB", (unsigned long long)s->cta);
  memset(to->from, 0, (p->nwarps + 2u) * sizeof *to->from);
  find_runs(p, s, runs,
            to->from + 1); /* one place up: copying below moves each beginning to that of the next warp */
  for (uint32_t i = 0; i <= p->nwarps; i++)
    to->from[i + 1] += to->from[i];
  if (to->cap < s->n) {
    to->cap = s->n + s->n / 4;
    free(to->words);
    to->words = xmalloc(to->cap * sizeof *to->words);
  }
  to->n = s->n;
  for (size_t i = 0; i < runs->n; i++) {
    const struct run *r = &runs->run[i];
    memcpy(to->words + to->from[r->warp + 1], s->words + r->at, r->n * sizeof *s->words);
    to->from[r->warp + 1] += r->n;
  }
}

static struct supply_segment *segment_new(const struct producer *p) {
  struct supply_segment *s = memset(xaligned(sizeof *s), 0, sizeof *s);
  s->from = xcalloc(p->nwarps + 2u, sizeof *s->from);
  return s;
}

enum { TURNS_FIRST = 2, TURNS_MOST = 16 }; /* turns for each thread of a team: at first; the most later */
enum { CTAS_LEAST = 8 };                   /* CTAs of a launch for which a team pays */

void producer_helped(struct producer *p, struct team *team) {
  p->together.team = exec_ctas(p->x) < CTAS_LEAST ? NULL : team;
  p->together.most = TURNS_FIRST * team_size(team);
}

/* May the block be of the launched kernel, rather than of another kernel of the module? All registers of the launched kernel have a place
 * in the scoreboard. */
static bool is_of_launch(const struct producer *p, uint32_t block) {
  struct sluice_block s = exec_block(p->x, block);
  for (uint32_t i = 0; i < s.ninst; i++) {
    for (unsigned r = 0; r < s.insts[i].ndst; r++)
      if (p->place[s.insts[i].dst[r] % EXEC_REGISTERS] == UINT16_MAX)
        return false;
    for (unsigned r = 0; r < s.insts[i].nsrc; r++)
      if (p->place[s.insts[i].src[r] % EXEC_REGISTERS] == UINT16_MAX)
        return false;
  }
  return true;
}

/* Prepares a team to execute turns side by side. False: the launch cannot be executed so. */
static bool gather(struct producer *p) {
  struct producer_team *t = &p->together;
  if (t->side)
    return true;
  unsigned n = team_size(t->team);
  t->side = xcalloc(n, sizeof *t->side);
  t->runs = xcalloc(n, sizeof *t->runs);
  for (unsigned i = 0; i < n; i++)
    if (!(t->side[i] = exec_side_new(p->x)))
      return false;
  for (uint32_t i = 0; i < p->nblocks; i++) /* decoded now, so that no two threads decode a block */
    if (!p->block[i].inst && is_of_launch(p, i))
      decode(p, i);
  return true;
}

static void attempt(void *producer, unsigned who, size_t k) {
  struct producer *p = producer;
  struct producer_team *t = &p->together;
  struct sluice_segment got;
  if (!exec_attempt(t->side[who], k, &got))
    return;
  if (!t->segment[k])
    t->segment[k] = segment_new(p);
  sort(p, &got, &t->runs[who], t->segment[k]);
}

/* Executes the next turns side by side, on the threads of the team. */
static void attempt_turns(struct producer *p) {
  struct producer_team *t = &p->together;
  if (!gather(p)) {
    t->team = NULL;
    return;
  }
  size_t n = exec_foresee(p->x, t->most);
  if (!n)
    return;
  if (t->nsegments < n) {
    t->segment = xrealloc(t->segment, n * sizeof *t->segment);
    memset(t->segment + t->nsegments, 0, (n - t->nsegments) * sizeof *t->segment);
    t->nsegments = n;
  }
  team_run(t->team, n, attempt, p);
  t->most = t->most * 2 < (size_t)TURNS_MOST * team_size(t->team) ? t->most * 2
                                                                  : (size_t)TURNS_MOST * team_size(t->team);
}

size_t producer_ready(const struct producer *p) {
  return exec_foreseen(p->x);
}

static struct supply_segment *next_turn(struct producer *p, struct supply_segment *s, bool together) {
  struct sluice_segment got;
  if (together && p->together.team && !p->failed && !exec_foreseen(p->x))
    attempt_turns(p);
  int more = p->failed ? -1 : exec_next(p->x, &got, &p->err);
  if (more <= 0) {
    p->failed = more < 0;
    if (s)
      supply_segment_free(s);
    return NULL;
  }
  size_t k = exec_adopted(p->x);
  if (k != SIZE_MAX) { /* the turn is sorted already; its place gets s, to use again */
    struct supply_segment *sorted = p->together.segment[k];
    p->together.segment[k] = s;
    s = sorted;
  } else {
    s = s ? s : segment_new(p);
    sort(p, &got, &p->runs, s);
  }
  s->next = NULL;
  s->cta = got.cta, s->first = got.turn == 0, s->last = got.last;
  s->unread = p->nwarps;
  s->counted = (struct front_counters){0};
  if (p->told && p->told->count)
    p->told->count(p->told->ctx, p->x, &got, &s->counted);
  s->counted.memcheck_violations = exec_violations(p->x) - p->violations;
  p->violations += s->counted.memcheck_violations;
  return s;
}

struct turn {
  struct producer *p;
  struct supply_segment *s;
  bool together;
};

static void take_turn(void *turn) {
  struct turn *t = turn;
  t->s = next_turn(t->p, t->s, t->together);
}

/* Locks are held, and other threads wait: a panic is kept as a failure of the execution until all threads have left. */
struct supply_segment *producer_next(struct producer *p, struct supply_segment *s, bool together) {
  struct turn t = {p, s, together};
  struct rescue why;
  if (rescue_run(&why, take_turn, &t))
    return t.s;
  p->failed = true;
  p->cause = why.cause;
  snprintf(p->what, sizeof p->what, "%s", why.text);
  return NULL;
}
