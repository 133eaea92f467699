#include "l2/memory_side.h"
#include "l2/edge.h"
#include "base/mem.h"
#include <string.h>

void memory_side_init(struct memory_side *m, struct partition *channels, uint32_t n, struct tech_order source,
                      bool by_slice, struct tech_set *tech) {
  *m = (struct memory_side){.channel = channels,
                            .nchannels = n,
                            .nslices = n * channels->nslices,
                            .source = source,
                            .free_entry = UINT32_MAX,
                            .epoch = 1};
  guard_init(&m->guard, tech);
  m->due = xcalloc(n, sizeof *m->due);
  m->acts = xcalloc(n, sizeof *m->acts);
  m->missing = xcalloc(n, sizeof *m->missing);
  m->held = by_slice ? xcalloc(m->nslices, sizeof *m->held) : NULL;
  for (uint32_t i = 0; i < n; i++)
    channels[i].has_source = true, channels[i].fast = false;
}

void memory_side_destroy(struct memory_side *m) {
  locality_free(m->leaving);
  edge_free(&m->source);
  guard_destroy(&m->guard);
  free(m->entry), free(m->due), free(m->acts), free(m->missing), free(m->held);
}

static void entry_free(struct memory_side *m, uint32_t e) {
  m->entry[e].next = m->free_entry;
  m->free_entry = e;
}

/* Something goes into a channel, or out of it, in this cycle. */
static void act(struct memory_side *m, uint32_t channel, uint64_t cycle) {
  struct partition *c = &m->channel[channel];
  if (!m->acts[channel])
    partition_at(c, cycle);
  m->acts[channel] = true;
}

/* The oldest miss of a slice goes into the source. */
static bool insert(struct memory_side *m, uint32_t slice, uint64_t cycle) {
  struct partition *c = &m->channel[slice / m->channel->nslices];
  struct l2_slice *s = &c->slice[slice % m->channel->nslices];
  const struct memory_request *miss = &s->miss[s->miss_head];
  struct sluice_request r = {.size = sizeof r,
                             .line = addrmap_address(&c->k->map, c->index, miss->address),
                             .arrived = cycle,
                             .slice = slice,
                             .kind = miss->write ? SLUICE_WRITE : SLUICE_READ,
                             .stored = miss->write,
                             .pc = SLUICE_NONE,
                             .cta = SLUICE_NONE,
                             .launch = SLUICE_NONE};
  partition_place(c, miss->address, &r);
  uint32_t e = POOL_TAKE(m->entry, m->nentries, m->free_entry, next);
  m->entry[e] = (struct memory_side_entry){.request = *miss, .channel = c->index};
  guard_enters(&m->guard, e);
  if (!m->source.ops->insert(m->source.self, e, &r, cycle)) {
    guard_leaves(&m->guard, e);
    entry_free(m, e);
    if (m->held)
      m->held[slice] = true;
    else
      m->full = true;
    return false;
  }
  m->calls.inserted++;
  act(m, c->index, cycle);
  m->missing[c->index]--;
  m->missing_all--;
  partition_sent(c, s);
  return true;
}

static void inserts(struct memory_side *m, uint64_t cycle) {
  uint32_t left = m->nchannels, n = m->channel->nslices;
  for (uint32_t k = 0, at = m->turn; k < m->nslices && left && m->missing_all && !m->full; k++) {
    uint32_t i = at + k < m->nslices ? at + k : at + k - m->nslices;
    uint32_t c = i / n, local = i - c * n;
    if (!m->missing[c]) {
      k += n - 1 - local; /* on to the next channel */
      continue;
    }
    const struct l2_slice *s = &m->channel[c].slice[local];
    if (!s->miss_count || s->miss[s->miss_head].at > cycle || (m->held && m->held[i]))
      continue;
    if (!insert(m, i, cycle)) {
      if (m->held)
        continue;
      break;
    }
    m->turn = i + 1 == m->nslices ? 0 : i + 1;
    left--;
  }
}

static uint32_t picked(struct memory_side *m, uint64_t cycle) {
  uint32_t e = guard_pick(&m->guard, m->source.ops->pick(m->source.self, cycle), cycle);
  m->channel->engine->asked |= m->guard.what != NULL;
  return e;
}

/* Something left the source: what it refused may go now. */
static void room(struct memory_side *m) {
  m->full = false;
  if (m->held)
    memset(m->held, 0, m->nslices * sizeof *m->held);
}

/* A slice whose oldest miss the source has not refused since something left. */
static bool can_insert(const struct memory_side *m) {
  if (!m->held)
    return m->missing_all && !m->full;
  for (uint32_t i = 0, n = m->channel->nslices; i < m->nslices; i++)
    if (!m->held[i] && m->channel[i / n].slice[i % n].miss_count)
      return true;
  return false;
}

static void forwards(struct memory_side *m, uint64_t cycle) {
  for (uint32_t left = m->nchannels; left; left--) {
    uint32_t e = picked(m, cycle);
    if (e == SLUICE_NONE || m->entry[e].epoch == m->epoch)
      return;
    struct partition *c = &m->channel[m->entry[e].channel];
    if (!partition_has_room(c, m->entry[e].request.address)) {
      m->entry[e].epoch = m->epoch;
      m->source.ops->refused(m->source.self, e, SLUICE_FAIL_QUEUE, cycle);
      continue;
    }
    act(m, c->index, cycle);
    partition_send(c, &m->entry[e].request);
    if (m->leaving)
      locality_add(m->leaving, addrmap_address(&c->k->map, c->index, m->entry[e].request.address));
    m->source.ops->took(m->source.self, e, cycle);
    m->calls.took++;
    guard_leaves(&m->guard, e);
    entry_free(m, e);
    room(m);
  }
}

static void count_missing(struct memory_side *m, uint32_t channel) {
  uint32_t n = m->channel[channel].missing;
  m->missing_all += n - m->missing[channel];
  m->missing[channel] = n;
}

/* Slices of the channels that are due or called. Returns the tick at which another is called, as far as is known. */
static uint64_t slices(struct memory_side *m, uint64_t cycle) {
  const struct engine *e = m->channel->engine;
  uint64_t tick = e->now, called = NEVER;
  for (uint32_t i = 0; i < m->nchannels; i++) {
    uint64_t t = m->due[i] <= cycle || e->no_skip ? tick : partition_next_message(&m->channel[i], tick);
    m->acts[i] = t <= tick;
    if (m->acts[i]) {
      m->due[i] = partition_slices(&m->channel[i], cycle);
      count_missing(m, i);
    } else if (t < called) {
      called = t;
    }
  }
  return called;
}

uint64_t memory_side_cycle(void *self, uint64_t cycle) {
  struct memory_side *m = self;
  uint64_t next = engine_cycle_at(m->channel->engine, DOMAIN_L2, slices(m, cycle));
  forwards(m, cycle);
  inserts(m, cycle);
  for (uint32_t i = 0; i < m->nchannels; i++) {
    if (m->acts[i]) {
      uint32_t waiting = m->channel[i].waiting;
      m->due[i] = partition_dram(&m->channel[i], cycle, m->due[i]);
      m->epoch += m->channel[i].waiting < waiting;
    }
    if (m->due[i] < next)
      next = m->due[i];
  }
  uint32_t e = picked(m, cycle + 1);
  if ((e != SLUICE_NONE && m->entry[e].epoch != m->epoch) || can_insert(m))
    return cycle + 1;
  uint64_t n = m->source.ops->next(m->source.self, cycle);
  return n < next ? n : next;
}
