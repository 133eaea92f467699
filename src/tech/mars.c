/* mars: a look-ahead buffer at the GPU's edge groups requests by page (Bhati et al., "MARS: Memory Aware Reordered
 * Source").
 *
 *   RequestQ       any free slot; requests of a page are linked in the order they came
 *   PhyPageList    set-associative by page number: head and tail of each page's list
 *   PhyPageOrderQ  pages in the order of their oldest request
 *
 * Insert: behind the tail of its page, or a new page; no slot free: the source waits. No way free: the source waits, or
 * (conflict=pass) the request enters alone, a page of one that nothing joins. Forward: requests of the page at the head
 * of the order, back to back, up to `burst` of them; then, if some are left, the page goes to the place in the order
 * that the oldest of them has. */
#include "tech/declare.h"

enum { CONFLICT_WAIT, CONFLICT_PASS };
static const char *const conflicts[] = {"wait", "pass", NULL};

#define PARAMS(P)                                                                                            \
  P(entries, TECH_UINT("512", 1, 65536), "requests", "Entries of the RequestQ.", "MARS, 4")                  \
  P(pages, TECH_UINT("128", 1, 65536), "pages", "Entries of the PhyPageList.", "MARS, 4")                    \
  P(ways, TECH_UINT("2", 1, 65536), "pages", "Ways of the PhyPageList.", "MARS, 4")                          \
  P(page_bytes, TECH_UINT("4096", 128, 1 << 30), "bytes", "Bytes of a page.", "MARS, 3.2")                   \
  P(conflict, TECH_ENUM("wait", conflicts), "",                                                              \
    "A page whose set of the PhyPageList is full: the source waits, or the request enters alone, "           \
    "ungrouped.",                                                                                            \
    "assumed: the paper's text does not say")                                                                \
  P(burst, TECH_UINT("64", 1, 65536), "requests", "Requests of a page sent in one visit.",                   \
    "assumed: all of a page at 64 bytes")                                                                    \
  P(latency, TECH_UINT("1", 1, 1000), "cycles", "From insertion to the earliest forwarding.", "assumed")     \
  P(min_occupancy, TECH_UINT("0", 0, 65536), "requests", "Forward only from this many requests on.",         \
    "assumed: forwarding starts whenever memory accepts")                                                    \
  P(timeout, TECH_UINT("200", 1, 1000000), "cycles", "Forward after this long even below min_occupancy.",    \
    "assumed")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(requests, "requests", "Requests that entered the RequestQ.")                                             \
  C(visits, "visits", "Visits to a page: runs of its requests forwarded back to back.")                      \
  C(passed, "requests", "Requests that entered alone, as the set of their page was full.")                   \
  C(pages, "pages", "Pages that entered the PhyPageList.")                                                   \
  C(queue_stalls, "cycles", "Cycles the source waited for a slot of the RequestQ.")                          \
  C(page_stalls, "cycles", "Cycles the source waited for a way of the PhyPageList.")                         \
  C(wait_cycles, "cycles", "Cycles requests spent in the RequestQ, summed.")                                 \
  C(busy_cycles, "cycles", "Cycles the RequestQ held a request.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct slot {
  uint32_t handle, next;
  uint64_t cycle, seq; /* when it came, and as which one */
};
struct page {
  uint64_t number;
  uint32_t head, tail, n;
};

struct mars {
  uint64_t *count;
  uint32_t entries, npages, sets, ways, burst, latency, min_occupancy;
  uint64_t timeout, page_bytes, seq;
  bool pass;
  struct slot *slot;
  uint32_t free_slot, used;
  struct page *page;
  uint32_t *order; /* ring of pages, and of requests alone: npages + their slot */
  uint32_t order_cap, order_head, norder, sent /* of this visit */;
  uint64_t stalled_since, busy_since;
  bool stalled_for_page;
};

static void *open(const struct sluice_env *env) {
  struct mars *m = tech_new(sizeof *m);
  *m = (struct mars){.count = env->count,
                     .entries = (uint32_t)env->param[P_entries].u,
                     .npages = (uint32_t)env->param[P_pages].u,
                     .ways = (uint32_t)env->param[P_ways].u,
                     .burst = (uint32_t)env->param[P_burst].u,
                     .latency = (uint32_t)env->param[P_latency].u,
                     .min_occupancy = (uint32_t)env->param[P_min_occupancy].u,
                     .timeout = env->param[P_timeout].u,
                     .page_bytes = env->param[P_page_bytes].u,
                     .pass = env->param[P_conflict].u == CONFLICT_PASS,
                     .stalled_since = SLUICE_NEVER};
  m->sets = m->npages / m->ways;
  m->slot = xcalloc(m->entries, sizeof *m->slot);
  for (uint32_t i = 0; i < m->entries; i++)
    m->slot[i].next = i + 1 < m->entries ? i + 1 : SLUICE_NONE;
  m->page = xcalloc(m->npages, sizeof *m->page);
  m->order_cap = m->npages + m->entries;
  m->order = xcalloc(m->order_cap, sizeof *m->order);
  return m;
}

static void close(void *self) {
  struct mars *m = self;
  free(m->slot), free(m->page), free(m->order), free(m);
}

static const char *check(const struct sluice_env *env) {
  return env->param[P_pages].u % env->param[P_ways].u ? "mars.pages must be a multiple of mars.ways"
         : env->param[P_min_occupancy].u > env->param[P_entries].u
             ? "mars.min_occupancy is above mars.entries"
             : NULL;
}

/* The page's entry, or a free one of its set (n == 0). */
static uint32_t find_page(const struct mars *m, uint64_t number) {
  uint32_t first = (uint32_t)(number % m->sets) * m->ways, empty = SLUICE_NONE;
  for (uint32_t i = first; i < first + m->ways; i++) {
    if (m->page[i].n && m->page[i].number == number)
      return i;
    if (!m->page[i].n && empty == SLUICE_NONE)
      empty = i;
  }
  return empty;
}

static bool stall(struct mars *m, bool for_page, uint64_t cycle) {
  if (m->stalled_since == SLUICE_NEVER)
    m->stalled_since = cycle, m->stalled_for_page = for_page;
  return false;
}

static uint32_t *place(const struct mars *m, uint32_t i) {
  return &m->order[(m->order_head + i) % m->order_cap];
}

static const struct slot *oldest(const struct mars *m, uint32_t of) {
  return &m->slot[of < m->npages ? m->page[of].head : of - m->npages];
}

static void join(struct mars *m, uint32_t p, uint64_t number, uint32_t s) {
  struct page *k = &m->page[p];
  if (k->n++) {
    m->slot[k->tail].next = s;
  } else {
    k->number = number;
    k->head = s;
    *place(m, m->norder++) = p;
    m->count[C_pages]++;
  }
  k->tail = s;
}

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  struct mars *m = self;
  if (m->used == m->entries)
    return stall(m, false, cycle);
  uint64_t number = r->line / m->page_bytes;
  uint32_t p = find_page(m, number);
  if (p == SLUICE_NONE && !m->pass)
    return stall(m, true, cycle);
  if (m->stalled_since != SLUICE_NEVER) {
    m->count[m->stalled_for_page ? C_page_stalls : C_queue_stalls] += cycle - m->stalled_since;
    m->stalled_since = SLUICE_NEVER;
  }
  uint32_t s = m->free_slot;
  m->free_slot = m->slot[s].next;
  m->slot[s] = (struct slot){handle, SLUICE_NONE, cycle, m->seq++};
  if (!m->used++)
    m->busy_since = cycle;
  m->count[C_requests]++;
  if (p != SLUICE_NONE) {
    join(m, p, number, s);
  } else {
    *place(m, m->norder++) = m->npages + s;
    m->count[C_passed]++;
  }
  return true;
}

static const struct slot *first(const struct mars *m) {
  return oldest(m, *place(m, 0));
}

/* Back into the order, where its oldest request belongs. */
static void put_back(struct mars *m, uint32_t p) {
  uint32_t at = m->norder++;
  for (; at && oldest(m, *place(m, at - 1))->seq > oldest(m, p)->seq; at--)
    *place(m, at) = *place(m, at - 1);
  *place(m, at) = p;
}

static uint32_t pick(const void *self, uint64_t cycle) {
  const struct mars *m = self;
  if (!m->norder || first(m)->cycle + m->latency > cycle)
    return SLUICE_NONE;
  if (m->used < m->min_occupancy && cycle < first(m)->cycle + m->timeout)
    return SLUICE_NONE;
  return first(m)->handle;
}

static void took(void *self, uint32_t handle, uint64_t cycle) {
  (void)handle;
  struct mars *m = self;
  uint32_t p = *place(m, 0), s = (uint32_t)(oldest(m, p) - m->slot);
  bool alone = p >= m->npages;
  m->count[C_wait_cycles] += cycle - m->slot[s].cycle;
  m->count[C_visits] += m->sent == 0;
  m->sent++;
  if (!alone) {
    m->page[p].head = m->slot[s].next;
    m->page[p].n--;
  }
  m->slot[s].next = m->free_slot;
  m->free_slot = s;
  m->used--;
  m->count[C_busy_cycles] += cycle - m->busy_since; /* bit by bit: a launch may end while requests are here */
  m->busy_since = cycle;
  bool more = !alone && m->page[p].n;
  if (more && m->sent < m->burst)
    return;
  m->order_head = (m->order_head + 1) % m->order_cap;
  m->norder--;
  m->sent = 0;
  if (more)
    put_back(m, p);
}

static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle; /* the page keeps its turn */
}

static uint64_t next(const void *self, uint64_t cycle) {
  const struct mars *m = self;
  if (!m->norder)
    return SLUICE_NEVER;
  uint64_t t = first(m)->cycle + m->latency;
  if (m->used < m->min_occupancy && first(m)->cycle + m->timeout > t)
    t = first(m)->cycle + m->timeout;
  return t > cycle ? t : SLUICE_NEVER;
}

static const struct sluice_order order = {
    sizeof(struct sluice_order), open, close, insert, pick, took, refused, next};

static double per_visit(const uint64_t *n) {
  return (double)n[C_requests] / (double)n[C_visits];
}
static double mean_wait(const uint64_t *n) {
  return (double)n[C_wait_cycles] / (double)n[C_requests];
}
static double occupancy(const uint64_t *n) {
  return (double)n[C_wait_cycles] / (double)n[C_busy_cycles];
}
static const struct sluice_ratio ratios[] = {
    {"requests_per_visit", "requests", "Mean requests forwarded in a visit to a page.", per_visit},
    {"wait_mean", "cycles", "Mean cycles a request spends in the RequestQ.", mean_wait},
    {"occupancy", "requests", "Mean requests in the RequestQ, while there are any.", occupancy},
};

static unsigned bits(uint64_t n) {
  unsigned b = 1;
  while (n > UINT64_C(1) << b)
    b++;
  return b;
}

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  uint64_t entries = env->param[P_entries].u, pages = env->param[P_pages].u;
  if (capacity > 0)
    out[0] = (struct sluice_array){.name = "RequestQ",
                                   .entries = entries,
                                   .bits = 64 + bits(entries),
                                   .units = 1,
                                   .reads = "requests",
                                   .writes = "requests"};
  if (capacity > 1)
    out[1] = (struct sluice_array){.name = "PhyPageList",
                                   .entries = pages,
                                   .bits = 28 + 2 * bits(entries),
                                   .ways = (uint32_t)env->param[P_ways].u,
                                   .units = 1,
                                   .searches = "requests",
                                   .writes = "requests"};
  if (capacity > 2)
    out[2] = (struct sluice_array){.name = "PhyPageOrderQ",
                                   .entries = pages,
                                   .bits = bits(pages),
                                   .units = 1,
                                   .reads = "pages",
                                   .writes = "pages"};
  return 3;
}

const struct sluice_technique technique_mars = {
    TECH_HEAD,
    .name = "mars",
    .summary = "A buffer at the GPU's edge sends the requests of a page back to back.",
    .paper = "Bhati et al., MARS: Memory Aware Reordered Source",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .check = check,
    .source = &order,
};
