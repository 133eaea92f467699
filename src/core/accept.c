/* A memory instruction enters the load/store unit: line accesses, tracker, place in the queue. */
#include "core/sm.h"
#include "base/hot.h"

HOT uint32_t tracker_new(struct sm *s, const struct warp_inst *in, uint32_t warp) {
  uint32_t t = POOL_TAKE(s->tracker, s->ntrackers, s->free_tracker, next_free);
  s->tracker[t] = (struct sm_tracker){.inst = in,
                                      .warp = (uint16_t)warp,
                                      .vmb = UINT32_MAX,
                                      .fail_cause = SLUICE_NFAILS,
                                      .issued = s->now,
                                      .tried = s->now};
  return t;
}

/* Takes an entry in the buffer of memory instructions (sm.vmb). */
static uint32_t vmb_enter(struct sm *s) {
  if (!s->k->vmb)
    return UINT32_MAX;
  uint32_t e = (s->vmb_head + s->vmb_count++) & s->vmb_mask;
  s->vmb[e] = NEVER;
  if (s->vmb_count == s->k->vmb)
    s->vmb_full_since = s->now + 1;
  return e;
}

/* Finds the line accesses of all lanes; returns the end of the items. */
static const uint32_t *find_accesses(struct sm *s, struct sm_memop *m, const uint32_t *item, uint64_t mask) {
  m->seen = 0;
  m->from = m->group = 0;
  m->merge = s->k->merge[m->of.kind != MEM_READ];
  m->runs = s->k->store_runs && m->of.kind == MEM_WRITE;
  m->apart = s->k->segments && m->of.kind == MEM_ATOMIC;
  m->banks = s->l1.k->d_banks && m->of.kind != MEM_ATOMIC;
  m->count = s->l1.k->count_passes && m->of.kind == MEM_ATOMIC;
  m->nlanes = 0;
  for (int parts = m->of.inst->klass == SLUICE_COPY ? 2 : 1; parts; parts--)
    for (bool more = true, several = false; more;) {
      more = *item & SLUICE_ACCESS_MORE;
      item = coalesce(s, m, item, mask, several);
      several |= more;
    }
  bool named = m->banks || m->of.constant; /* the bytes that lanes read */
  m->of.constant &=
      s->k->model !=
      SM_GCN; /* constants of a compute unit lie in the scalar caches, or in the L1 like other data */
  uint32_t line = m->of.constant ? s->l1.k->c.line_bytes : s->l1.k->line_bytes;
  bool small = s->k->segments && !m->of.constant && (m->of.inst->bytes == 1 || m->of.inst->bytes == 2);
  uint32_t segment = small ? MEM_SECTOR * m->of.inst->bytes : line;
  if (segment < s->l1.k->line_bytes) /* a cache of shorter lines gets an access for each line */
    segment_split(m, segment < line ? segment : line);
  if (s->k->segments && m->n > 1)
    segment_order(m);
  m->passes = m->banks && m->n > 1 && !m->of.constant ? bank_passes(m) : 1;
  if (m->of.kind == MEM_READ)
    m->of.wait = (uint16_t)((m->passes - 1) * s->l1.k->d_pass_latency);
  if (RARELY(named) && m->of.kind == MEM_READ && !m->of.constant)
    for (uint32_t i = 0; i < m->n; i++)
      m->access[i].bytes[0] = m->access[i].bytes[1] = 0; /* only requests that change bytes have bytes */
  if (RARELY(m->count)) {
    if (s->k->join_atomics && m->of.inst->flags & SLUICE_IF_JOINED)
      m->nlanes = 1;
    uint32_t more = count_passes(m, s->line_shift);
    m->passes = s->k->atomic_pass_interval && more ? m->n + more * s->k->atomic_pass_interval : 1;
  }
  m->of.degree = (uint16_t)m->n;
  l1_set_cache(s, &m->of);
  if (m->of.kind != MEM_READ)
    s->warp[m->of.warp].stores += m->n;
  s->stats.mem_instructions += m->n != 0;
  s->stats.mem_accesses += m->n;
  s->warp[m->of.warp].accessed |= !m->of.constant;
  return item;
}

/* Asks a bypass technique about all accesses of an instruction. */
static void ask_bypass(struct sm *s, struct sm_memop *m) {
  const struct tech_l1_bypass *b = &s->l1.bypass;
  struct sm_tracker *t = &s->tracker[m->of.tracker];
  m->of.bypass = b->ops->instruction && b->ops->instruction(b->self, m->of.warp, m->n, s->now);
  t->degree = (uint16_t)m->n;
  t->bypass = m->of.bypass;
}

/* Takes the next place in the unit's queue. */
HOT static struct sm_memop *enter(struct sm *s, uint32_t w, const struct warp_inst *in) {
  struct sm_memop *m = &s->memop[(s->mem_head + s->mem_count++) & s->mem_mask];
  s->mem_fresh = true;
  m->vmb = vmb_enter(s);
  m->passes = 1;
  m->at = s->now + 1;
  if (s->k->collectors) { /* one cycle to take the instruction, the cycles that read operands, two from the collector to the unit */
    m->at = collect_read(&s->collect, s->k, w, in, s->now + 2, s->now) + 3;
    s->pipe_at[PIPE_MEM] = s->now + 1; /* one instruction per cycle, from all schedulers together */
  }
  if (mem_full(s))
    stall_queue_full(s);
  return m;
}

/* The destination registers wait for the data. */
static void await(struct sm_warp *k, const struct warp_inst *in) {
  k->loads++;
  for (unsigned i = 0; i < in->ndst; i++)
    warp_reg_wait(k, in->reg[i]);
}

HOT void ldst_accept_param(struct sm *s, uint32_t w, const struct warp_inst *in) {
  struct sm_memop *m = enter(s, w, in);
  m->of = (struct l1_of){.inst = in, .warp = w, .degree = 1, .kind = MEM_READ, .constant = true};
  m->shared = m->data = false;
  m->keeps = true;
  m->busy = m->next = 0;
  m->n = 1;
  m->access[0] = (struct sm_access){.line = PARAM_BASE, .sectors = 1};
  m->param = true;
  await(&s->warp[w], in);
  m->of.tracker = UINT32_MAX;
}

void ldst_accept_empty(struct sm *s, uint32_t w, const struct warp_inst *in) {
  struct sm_memop *m = enter(s, w, in);
  m->of = (struct l1_of){.inst = in, .warp = w, .tracker = UINT32_MAX, .kind = MEM_READ};
  m->shared = m->data = m->param = m->keeps = false;
  m->busy = m->n = m->next = 0;
  m->passes = s->k->empty_interval;
  m->began = s->now;
}

void ldst_track_param(struct sm *s, struct sm_memop *m) {
  m->of.tracker = tracker_new(s, m->of.inst, m->of.warp);
  s->tracker[m->of.tracker].left = 1;
  s->tracker[m->of.tracker].vmb = m->vmb;
  m->param = false;
}

HOT const uint32_t *ldst_accept(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t mask,
                                const uint32_t *item) {
  struct sm_memop *m = enter(s, w, in);
  enum mem_kind kind = in->klass == SLUICE_STORE                               ? MEM_WRITE
                       : in->klass == SLUICE_ATOMIC || in->klass == SLUICE_RED ? MEM_ATOMIC
                                                                               : MEM_READ;
  m->of = (struct l1_of){.inst = in, .warp = w, .tracker = UINT32_MAX, .kind = (uint8_t)kind};
  m->shared = m->data = m->param = false;
  m->busy = m->n = m->next = 0;
  if (SLUICE_ACCESS_FORM(*item) == SLUICE_SHARED && !(*item & SLUICE_ACCESS_MORE) &&
      in->klass != SLUICE_COPY) { /* shared memory only */
    m->shared = true;
    m->busy = shared_cycles(s, in, *item++);
  } else {
    item = find_accesses(s, m, item, mask);
  }
  struct sm_warp *k = &s->warp[w];
  bool answered = in->klass == SLUICE_LOAD || in->klass == SLUICE_ATOMIC || in->klass == SLUICE_COPY;
  m->keeps = answered || (s->k->vmb && s->k->vmb_stores && kind != MEM_READ);
  if (!m->keeps &&
      !(s->coherent.state && kind == MEM_WRITE && m->n)) /* a coherent store is done when it has its line */
    return item;
  if (answered) {
    await(k, in);
    m->data = m->shared && !m->n;
    if (m->data)
      return item;
  }
  m->of.tracker = tracker_new(s, in, w);
  struct sm_tracker *t = &s->tracker[m->of.tracker];
  if (s->coherent.in_turn && !m->of.constant)
    coherent_enters(s, m->of.tracker, kind == MEM_WRITE);
  t->left = m->n + (m->shared ? 1 : 0);
  t->vmb = m->keeps ? m->vmb : UINT32_MAX;
  t->store = !answered;
  if (s->k->vmb_in_order && t->store && m->keeps)
    k->stores++; /* until the store leaves the buffer */
  if (s->l1.bypass.ops && in->klass == SLUICE_LOAD && !m->of.constant && m->n)
    ask_bypass(s, m);
  return item;
}
