#include "core/stall.h"
#include "base/hot.h"
#include "core/stall_wait.h"
#include "stat/detail.h"

void stall_begin(struct sm *s, uint32_t w) {
  s->warp[w].since = s->now + 1;
}

void stall_pipe_taken(struct sm *s, unsigned pipe) {
  uint64_t least = s->pipe_at[pipe];
  if (least <= s->now + 1)
    return;
  s->closed[pipe] += least - s->now - 1; /* counts cycles yet to come, which closed_before() subtracts */
  s->closed_at[pipe] = least;
}

void stall_queue_full(struct sm *s) {
  s->closed_at[PIPE_MEM] = s->now + 1;
  s->pipe_at[PIPE_MEM] = NEVER;
}

void stall_queue_room(struct sm *s) {
  issue_changes(s);
  s->pipe_at[PIPE_MEM] = s->now;
  if (s->now > s->closed_at[PIPE_MEM])
    s->closed[PIPE_MEM] += s->now - s->closed_at[PIPE_MEM];
}

static __attribute__((noinline)) void note_wait(struct sm *s, uint32_t w, enum stall why, uint64_t begin,
                                                uint64_t end) {
  struct sm_waits *n = s->waits;
  begin = begin > n->from ? begin : n->from;
  end = end < n->to ? end : n->to;
  if (begin < end)
    VEC_PUSH(n->at, n->n, n->cap) = (struct sm_wait){w, why, begin, end};
}

static uint64_t note_fetch(struct sm *s, uint32_t w, uint64_t t, uint64_t end) {
  uint64_t f = s->warp[w].fetch_ready < end ? s->warp[w].fetch_ready : end;
  f = f > t ? f : t;
  note_wait(s, w, STALL_FETCH, t, f);
  return f;
}

void stall_note(struct sm *s, uint32_t w, uint64_t end) {
  const struct sm_warp *k = &s->warp[w];
  uint64_t t = k->since, ready = s->ready[w] < end ? s->ready[w] : end;
  if (t >= s->waits->to || end <= s->waits->from)
    return;
  if (t < ready) {
    t = note_fetch(s, w, t, ready);
    if (t < ready)
      note_wait(s, w, register_cause(k, s->ready[w]), t, ready);
    t = ready;
  }
  if (t >= end)
    return;
  uint64_t closed = k->pipe == PIPE_NONE ? 0 : closed_before(s, k->pipe, end) - k->closed_mark;
  closed = closed > end - t ? end - t : closed;
  note_wait(s, w, k->pipe == PIPE_MEM ? STALL_LDST : STALL_PIPE, t, t + closed);
  note_wait(s, w, STALL_SELECT, t + closed, end);
}

static void book_all(struct sm *s, uint32_t w, enum stall why) {
  struct sm_warp *k = &s->warp[w];
  if (k->since > s->now)
    return;
  s->stats.stall[why] += s->now + 1 - k->since;
  if (s->waits)
    note_wait(s, w, why, k->since, s->now + 1);
  k->since = s->now + 1;
}

void stall_barrier(struct sm *s, uint32_t w) {
  book_all(s, w, STALL_BARRIER);
}

void stall_drained(struct sm *s, uint32_t w) {
  book_all(s, w, STALL_DRAIN);
}

/* A stretch of a warp's wait that is cut into stages: each stage begins where the stage before ends. */
struct cut {
  uint64_t at, end;
  struct sm *sm;
  uint32_t warp;
};

static inline __attribute__((always_inline)) void until(struct cut *c, uint64_t t, enum stall why) {
  if (t <= c->at)
    return;
  if (t > c->end)
    t = c->end;
  c->sm->stats.stall[why] += t - c->at;
  if (RARELY(c->sm->waits))
    note_wait(c->sm, c->warp, why, c->at, t);
  c->at = t;
}

static void cut_by_stamps(struct cut *c, const struct mem_request *r, uint64_t now) {
  const struct mem_stamps *p = r->stamps;
  uint64_t born = r->born, t;
  until(c, born + p->delivered, STALL_REQUEST);
  until(c, born + p->due, STALL_L2);
  until(c, t = born + p->tried, STALL_L2_QUEUE);
  for (unsigned i = 0; p->failed && i < SLUICE_NFAILS; i++)
    if (p->more->failed[i])
      until(c, t += p->more->failed[i], (enum stall)(STALL_L2_WAYS + i));
  until(c, born + p->looked_up, STALL_L2_QUEUE);
  if (p->filled) {
    until(c, born + p->to_memory, STALL_DRAM_QUEUE);
    until(c, born + p->at_memory, STALL_DRAM);
    until(c, born + p->opening, STALL_DRAM_QUEUE);
    until(c, born + p->open, STALL_DRAM_ROW);
    until(c, born + p->column, STALL_DRAM_QUEUE);
    until(c, born + p->filled, STALL_DRAM_BUS);
  }
  until(c, born + p->answered, STALL_L2);
  until(c, now, STALL_RESPONSE);
}

HOT void stall_data(struct sm *s, uint32_t w, uint32_t tracker, uint64_t cycle) {
  struct sm_warp *k = &s->warp[w];
  const struct sm_tracker *t = &s->tracker[tracker];
  if (RARELY(s->waits))
    note_fetch(s, w, k->since, cycle);
  struct cut c = {.at = book_fetch(s, k, k->since, cycle), .end = cycle, .sm = s, .warp = w};
  k->since = c.at > cycle ? c.at : cycle;
  uint64_t refused = 0;
  for (unsigned i = 0; i < 4; i++)
    refused += t->refused[i];
  uint64_t at = t->tried - refused; /* cycle of the last attempt: all accesses then left the unit */
  until(&c, at - t->delay, STALL_LDST);
  until(&c, at, STALL_L1);
  for (unsigned i = 0; refused && i < 4; i++)
    until(&c, at += t->refused[i], (enum stall)(STALL_L1_WAYS + i));
  if (s->answer)
    cut_by_stamps(&c, s->answer, s->now);
  until(&c, cycle, s->answer_shared ? STALL_SHARED : STALL_L1);
}

/* Takes back what was booked for a warp beyond `end`: for a warp whose data has come and is on the way to the registers. */
static void take_off(struct sm *s, struct sm_warp *k, uint64_t end) {
  uint64_t fetched = k->fetch_ready < k->since ? k->fetch_ready : k->since;
  uint64_t from = fetched > end ? fetched : end;
  s->stats.stall[k->released ? STALL_BARRIER : STALL_FETCH] -= from - end;
  s->stats.stall[register_cause(k, k->since)] -= k->since - from;
  k->since = end;
}

/* Is an instruction whose result the warp's next instruction needs still in the load/store unit? *tracker: the tracker of the instruction in
 * the unit, if that has one. */
static bool in_unit(const struct sm *s, uint32_t w, uint32_t *tracker) {
  const struct sm_warp *k = &s->warp[w];
  for (uint32_t i = 0; i < s->mem_count; i++) {
    const struct sm_memop *m = &s->memop[(s->mem_head + i) & s->mem_mask];
    if (m->of.warp != w)
      continue;
    for (unsigned d = 0; d < m->of.inst->ndst; d++)
      for (unsigned n = 0; n < k->next->nregs; n++)
        if (k->next->reg[n] == m->of.inst->reg[d]) {
          *tracker = m->of.tracker;
          return true;
        }
  }
  return false;
}

/* Books until `end` what a warp waits for whose data has not come: its accesses are in the load/store unit, are refused by the L1, or are
 * beyond the L1. */
static void cut_data(struct sm *s, uint32_t w, uint64_t end) {
  struct sm_warp *k = &s->warp[w];
  if (s->waits)
    note_fetch(s, w, k->since, end);
  struct cut c = {.at = book_fetch(s, k, k->since, end), .end = end, .sm = s, .warp = w};
  uint32_t tracker = UINT32_MAX;
  if (c.at < end && k->next->orders) {
    until(&c, end, k->next->klass == SLUICE_FENCE ? STALL_FENCE : STALL_LDST);
  } else if (c.at < end && in_unit(s, w, &tracker)) {
    const struct sm_tracker *t = tracker != UINT32_MAX ? &s->tracker[tracker] : NULL;
    if (t && t->fail_cause < 4) {
      until(&c, t->tried, STALL_LDST);
      until(&c, end, (enum stall)(STALL_L1_WAYS + t->fail_cause));
    }
    until(&c, end, STALL_LDST);
  }
  until(&c, end, STALL_UNFINISHED);
  k->since = end;
}

void stall_cut(struct sm *s, uint64_t last) {
  uint64_t end = last + 1;
  for (uint32_t w = 0; w < s->nwarps; w++) {
    struct sm_warp *k = &s->warp[w];
    if (!k->live || k->since == end)
      continue;
    if (k->since > end)
      take_off(s, k, end);
    else if (k->at_barrier || k->ended) {
      if (s->waits)
        note_wait(s, w, k->ended ? STALL_DRAIN : STALL_BARRIER, k->since, end);
      s->stats.stall[k->ended ? STALL_DRAIN : STALL_BARRIER] += end - k->since;
      k->since = end;
    } else if (s->ready[w] == NEVER)
      cut_data(s, w, end);
    else {
      if (s->waits)
        stall_note(s, w, end);
      stall_wait(s, w, end);
    }
  }
}

/* Books a stage from `at` to `end`, if `end` is later than `at`; returns where the next stage begins. */
static inline uint64_t book_stage(struct sm_stats *t, enum stage i, uint64_t at, uint64_t end) {
  end = end > at ? end : at;
  t->stage[i] += end - at;
  t->stage_bucket[i][stat_bucket(end - at)]++;
  return end;
}

HOT void stall_at_once(struct sm *s, uint32_t w, uint64_t cycle, enum stall why) {
  struct sm_warp *k = &s->warp[w];
  if (RARELY(s->waits))
    note_fetch(s, w, k->since, cycle);
  struct cut c = {.at = book_fetch(s, k, k->since, cycle), .end = cycle, .sm = s, .warp = w};
  k->since = c.at > cycle ? c.at : cycle;
  until(&c, s->now, STALL_LDST);
  until(&c, cycle, why);
}

HOT void stall_answer(struct sm *s, const struct mem_request *r) {
  const struct mem_stamps *p = r->stamps;
  struct sm_stats *t = &s->stats;
  uint64_t all = s->now - r->born, at;
  at = book_stage(t, STAGE_QUEUE, 0, p->sent);
  at = book_stage(t, STAGE_REQUEST, at, p->delivered);
  at = book_stage(t, STAGE_DELAY, at, p->due);
  at = book_stage(t, STAGE_L2_QUEUE, at, p->looked_up);
  if (p->filled)
    at = book_stage(t, STAGE_DRAM, at, p->filled);
  at = book_stage(t, STAGE_L2, at, p->answered);
  book_stage(t, STAGE_RESPONSE, at, all);
  s->stats.latency_bucket[stat_bucket(all)]++;
  s->stats.fetched += p->filled != 0;
}

/* Books `cycles` cycles up to and including `last` of scheduler k, which issued nothing. In these cycles nothing happened
 * but that warps became ready: before the first warp was ready, all warps waited for registers (or barriers); from then
 * on, the ready warps waited for a pipeline. */
static void book(struct sm *s, uint32_t k, uint64_t last, uint64_t cycles) {
  const struct sched *c = &s->sched[k];
  if (!c->members) {
    s->stats.idle_cycles += cycles;
    return;
  }
  uint64_t first = NEVER, can = 0;
  for (uint32_t i = 0; i < s->words; i++)
    can |= s->can[i] & c->may[i];
  if (can)
    first = 0; /* a warp was ready all the time */
  else if (s->next_ready <= last)
    for (uint32_t i = 0; i < c->n; i++)
      if (s->ready[c->list[i]] < first)
        first = s->ready[c->list[i]];
  uint64_t piped = first > last ? 0 : last - first + 1;
  if (piped > cycles)
    piped = cycles;
  s->stats.stall_pipe += piped;
  s->stats.stall_scoreboard += cycles - piped;
}

HOT void stall_schedulers(struct sm *s, uint64_t cycle) {
  uint64_t from = s->booked + 1;
  if (cycle <= from) /* less: cycle 0, which comes before the first cycle of a launch and is booked nowhere */
    return;
  s->booked = cycle - 1;
  if (!s->nctas_running)
    return;
  if (s->k->model == SM_GCN) {
    gcn_book_skipped(s, from, cycle);
    return;
  }
  for (uint32_t k = 0; k < s->k->schedulers; k++)
    book(s, k, cycle - 1, cycle - from);
}

void stall_residents(struct sm *s, uint64_t cycle) {
  uint64_t n = cycle - s->counted;
  s->counted = cycle;
  s->stats.active_cycles += s->nctas_running ? n : 0;
  s->stats.warp_cycles += n * s->live_warps;
}
