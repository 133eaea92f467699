/* Accesses that wait aside (l1d.refused = aside), as in Multi2Sim: an access whose line is being fetched, or whose way is, holds up no
 * other. It looks up again when that has changed:
 *
 *   accesses ──▶ ready ──▶ tags ──▶ taken
 *                  ▲         └─ refused ──▶ waits for the way that it would replace, or for older accesses to its line
 *                  └── a fetch has ended: the first that waits for the way, then the first that waits for the line
 *
 * The way that a miss replaces is the one used least recently, also while it is being fetched; it counts as used from then on, and the
 * access keeps it however long it waits. A line that leaves its way for another is still found there until it is gone: who wants it
 * waits for the way, too. So the line that has just come may be replaced before those that wait for it look up again, and they
 * miss once more, in the same way. */
#include "l1/aside.h"
#include "base/mem.h"
#include "l1/internal.h"

enum { NONE = UINT32_MAX };

struct entry {
  struct l1_of of;
  struct sm_access access;
  uint32_t next;
  uint32_t place;  /* the way that it has chosen or waited for; NONE: none */
  uint64_t number; /* in the order in which they came */
};

struct list {
  uint32_t first, last;
};

struct l1_aside {
  struct entry *entry; /* pool */
  uint32_t nentries, free_entry;
  uint64_t numbers;
  uint32_t ways;
  struct list ready;
  struct list turn;  /* those that wait for older accesses (l1d.coherent_store = all) */
  struct list *way;  /* by place: those that wait for the fetch under way there */
  struct list *line; /* by set: those that wait for the fetch of their line */
};

struct l1_aside *aside_new(uint32_t sets, uint32_t ways) {
  struct l1_aside *a = xcalloc(1, sizeof *a);
  a->free_entry = NONE;
  a->ways = ways;
  a->ready = a->turn = (struct list){NONE, NONE};
  a->way = xcalloc((size_t)sets * ways, sizeof *a->way), a->line = xcalloc(sets, sizeof *a->line);
  for (uint32_t i = 0; i < sets * ways; i++)
    a->way[i] = (struct list){NONE, NONE};
  for (uint32_t i = 0; i < sets; i++)
    a->line[i] = (struct list){NONE, NONE};
  return a;
}

void aside_free(struct l1_aside *a) {
  if (!a)
    return;
  free(a->entry), free(a->way), free(a->line);
  free(a);
}

static void append(struct l1_aside *a, struct list *l, uint32_t e) {
  a->entry[e].next = NONE;
  if (l->first == NONE)
    l->first = e;
  else
    a->entry[l->last].next = e;
  l->last = e;
}

static uint32_t take_first(struct l1_aside *a, struct list *l) {
  uint32_t e = l->first;
  l->first = a->entry[e].next;
  return e;
}

void aside_enqueue(struct sm *s, const struct l1_of *of, const struct sm_access *access) {
  struct l1_aside *a = s->l1.aside;
  uint32_t e = POOL_TAKE(a->entry, a->nentries, a->free_entry, next);
  a->entry[e] = (struct entry){.of = *of, .access = *access, .place = NONE, .number = a->numbers++};
  append(a, &a->ready, e);
  s->l1.waiting++;
  s->warp[of->warp].queued++;
}

static void wake_way(struct l1_aside *a, uint32_t place) {
  if (place != NONE && a->way[place].first != NONE)
    append(a, &a->ready, take_first(a, &a->way[place]));
}

/* One after the other, the oldest first: the next looks up when the one before it is through. */
static void wake_line(struct sm *s, struct l1_aside *a, uint64_t line) {
  struct list *l = &a->line[cache_set_of(s->l1d, line)];
  uint32_t oldest = NONE, before = NONE;
  for (uint32_t e = l->first, last = NONE; e != NONE; last = e, e = a->entry[e].next)
    if (a->entry[e].access.line == line && (oldest == NONE || a->entry[e].number < a->entry[oldest].number))
      oldest = e, before = last;
  if (oldest == NONE)
    return;
  *(before == NONE ? &l->first : &a->entry[before].next) = a->entry[oldest].next;
  if (l->last == oldest)
    l->last = before;
  append(a, &a->ready, oldest);
}

void aside_turn(struct sm *s) {
  struct l1_aside *a = s->l1.aside;
  while (a->turn.first != NONE)
    append(a, &a->ready, take_first(a, &a->turn));
}

void aside_changed(struct sm *s, uint64_t line, uint32_t place) {
  wake_way(s->l1.aside, place);
  wake_line(s, s->l1.aside, line);
  aside_turn(s); /* the store that was under way may have been the last one before */
}

/* The access at the head has the way that it waited for fetched again, or leaves it to the next. */
static void leave_way(const struct sm *s, struct l1_aside *a, struct entry *e) {
  uint32_t place = e->place;
  e->place = NONE;
  if (place != NONE &&
      (cache_place(s->l1d, e->access.line) != place || !cache_pending(s->l1d, e->access.line)))
    wake_way(a, place);
}

/* Is an access to its line older than the one at the head, and waiting? */
static bool older_in(const struct l1_aside *a, const struct list *l, const struct entry *e) {
  for (uint32_t i = l->first; i != NONE; i = a->entry[i].next)
    if (a->entry[i].access.line == e->access.line && a->entry[i].number < e->number)
      return true;
  return false;
}

static bool has_older(const struct sm *s, const struct l1_aside *a, const struct entry *e) {
  uint32_t set = cache_set_of(s->l1d, e->access.line);
  bool older = older_in(a, &a->line[set], e);
  for (uint32_t w = 0; !older && w < a->ways; w++)
    older = older_in(a, &a->way[set * a->ways + w], e);
  return older;
}

static void park_for_way(struct sm *s, struct l1_aside *a, uint32_t place) {
  uint32_t e = take_first(a, &a->ready);
  if (a->entry[e].place != place)
    leave_way(s, a, &a->entry[e]);
  a->entry[e].place = place;
  append(a, &a->way[place], e);
}

static void park_for_line(struct sm *s, struct l1_aside *a) {
  uint32_t e = take_first(a, &a->ready);
  leave_way(s, a, &a->entry[e]);
  append(a, &a->line[cache_set_of(s->l1d, a->entry[e].access.line)], e);
}

/* The way that keeps the access at the head waiting. NONE: none; a way that it replaces is the next to be replaced. */
static uint32_t locked_way(struct sm *s, struct l1_aside *a) {
  struct entry *e = &a->entry[a->ready.first];
  if (e->of.no_allocate || cache_place(s->l1d, e->access.line) != NONE)
    return NONE;
  uint32_t place = coherent_leaves(s, e->access.line);
  if (place != NONE)
    return place;
  if (e->place == NONE)
    e->place = cache_choose(s->l1d, e->access.line);
  if (cache_locked(s->l1d, e->place))
    return e->place;
  cache_replace_next(s->l1d, e->access.line, e->place);
  return NONE;
}

/* The refused access at the head waits for what it lacks. False: for the queue or a miss register, at the head. */
static bool park(struct sm *s, struct l1_aside *a) {
  uint32_t e = a->ready.first;
  uint64_t line = a->entry[e].access.line;
  bool under_way = cache_pending(s->l1d, line) || retry_has(s, line);
  if (s->fail_why == SLUICE_FAIL_QUEUE || (s->fail_why == SLUICE_FAIL_MSHR && !under_way))
    return false;
  park_for_line(s, a);
  return true;
}

/* The access at the head is in the L1. */
static void taken(struct sm *s, struct l1_aside *a) {
  uint32_t e = take_first(a, &a->ready), w = a->entry[e].of.warp;
  leave_way(s, a, &a->entry[e]);
  if (!cache_pending(s->l1d, a->entry[e].access.line))
    wake_line(s, a, a->entry[e].access.line);
  a->entry[e].next = a->free_entry;
  a->free_entry = e;
  s->l1.waiting--;
  s->l1.epoch++;
  if (--s->warp[w].queued == 0)
    warp_woken(s, w); /* a barrier may wait for the warp's accesses */
}

/* Accesses at the head whose turn it is not wait for that; the tags are not asked. */
static void skip_turns(struct sm *s, struct l1_aside *a) {
  while (s->coherent.in_turn && a->ready.first != NONE && !coherent_turn(s, &a->entry[a->ready.first].of)) {
    uint32_t e = take_first(a, &a->ready);
    leave_way(s, a, &a->entry[e]);
    append(a, &a->turn, e);
  }
}

uint64_t aside_drain(struct sm *s) {
  struct l1_aside *a = s->l1.aside;
  for (uint32_t i = 0; skip_turns(s, a), i < s->l1.k->d_ports && a->ready.first != NONE; i++) {
    uint64_t free;
    if (!l1_port_free(s, &free))
      return i ? s->now + 1 : free;
    struct entry e = a->entry[a->ready.first];
    bool waits = has_older(s, a, &e);
    uint32_t place = waits ? NONE : locked_way(s, a);
    if (waits)
      park_for_line(s, a);
    else if (place != NONE)
      park_for_way(s, a, place);
    else if (l1_access(s, &e.of, &e.access))
      taken(s, a);
    else if (!park(s, a))
      return s->now + 1;
  }
  return a->ready.first != NONE || l1_has_requests(s, false) ? s->now + 1 : NEVER;
}
