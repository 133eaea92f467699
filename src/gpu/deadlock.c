/* Why nothing moves: what the warps wait for, the oldest request and where it is, and the queues on its way. */
#include "gpu/gpu.h"
#include "cache/cache.h"
#include <stdio.h>

#define SAY(...) error_add(err, EXIT_STALL, "  " __VA_ARGS__)

static const char *const kinds[] = {"load", "store", "atomic"};
static const char *const fails[] = {"every way of the set is reserved", "no miss register is free",
                                    "its miss register is full", "the queue to memory is full",
                                    "the response queue is full"};

enum where { NOWHERE, IN_SM, IN_REQUESTS, IN_SLICE, IN_ANSWERS, IN_ROUTE, IN_STREAM };

struct oldest {
  const struct mem_request *request;
  enum where where;
  const struct l2_parent *parent; /* IN_SLICE */
};

static void consider(struct oldest *o, const struct mem_request *r, enum where where,
                     const struct l2_parent *parent) {
  if (!o->request || r->born < o->request->born)
    *o = (struct oldest){r, where, parent};
}

static void look_in_ring(struct oldest *o, const struct request_ring *r, enum where where) {
  for (uint32_t i = 0; i < r->at.count; i++)
    consider(o, &r->request[ring_at(&r->at, i)], where, NULL);
}

static void look_in_port(struct oldest *o, const struct port *p, enum where where) {
  for (uint32_t i = p->popped; i != p->pushed; i++)
    consider(o, port_message(p, i), where, NULL);
}

static void look_in_route(struct oldest *o, const struct route *r) {
  for (uint32_t i = 0; i < r->n; i++) {
    look_in_port(o, &r->ask[i], IN_ROUTE);
    look_in_port(o, &r->reply[i], IN_ROUTE);
  }
  for (uint32_t i = 0; i < r->onward.at.count; i++)
    consider(o, &r->onward.slot[ring_at(&r->onward.at, i)].request, IN_ROUTE, NULL);
  for (uint32_t i = 0; i < r->lines.at.count; i++)
    consider(o, &r->lines.slot[ring_at(&r->lines.at, i)].request, IN_ROUTE, NULL);
}

/* What a load waits for that missed is found where it is on its way. */
static void look_in_streams(struct oldest *o, const struct stream_caches *s) {
  for (unsigned i = 0; i < NSTREAMS; i++) {
    if (!s->of[i].cache)
      continue;
    look_in_ring(o, &s->of[i].queue, IN_STREAM);
    look_in_ring(o, &s->of[i].miss, IN_STREAM);
  }
  look_in_ring(o, &s->other, IN_STREAM);
  look_in_port(o, &s->from, IN_STREAM);
  look_in_port(o, &s->to, IN_ANSWERS);
}

/* Those of the pool that are not free. */
static void look_in_slice(struct oldest *o, const struct l2_slice *s) {
  bool *unused = xcalloc(s->nparents + 1, sizeof *unused);
  for (uint32_t h = s->free_parent; h != UINT32_MAX; h = s->parent[h].next)
    unused[h] = true;
  for (uint32_t h = 0; h < s->nparents; h++)
    if (!unused[h])
      consider(o, &s->parent[h].request, IN_SLICE, &s->parent[h]);
  free(unused);
}

static const struct l2_slice *slice_at(const struct gpu *g, uint32_t i) {
  return &g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel];
}

static struct oldest find_oldest(const struct gpu *g) {
  struct oldest o = {0};
  for (uint32_t i = 0; i < g->nslices; i++)
    look_in_slice(&o, slice_at(g, i));
  for (uint32_t i = 0; i < g->k.sms; i++) {
    const struct sm *s = &g->sm[i];
    look_in_ring(&o, &s->miss, IN_SM);
    look_in_ring(&o, &s->cmiss, IN_SM);
    look_in_ring(&o, &s->imiss, IN_SM);
    for (uint32_t k = 0; k < s->l1.detour.at.count; k++)
      consider(&o, &s->l1.detour.request[ring_at(&s->l1.detour.at, k)], IN_SM, NULL);
    look_in_port(&o, s->out, IN_REQUESTS);
    look_in_port(&o, s->in, IN_ANSWERS);
  }
  for (uint32_t i = 0; i < g->nscalars; i++) {
    look_in_ring(&o, &g->scalar[i].miss, IN_SM);
    look_in_port(&o, g->scalar[i].out, IN_REQUESTS);
    look_in_port(&o, g->scalar[i].in, IN_ANSWERS);
  }
  for (uint32_t i = 0; g->link && i < g->nlinks; i++)
    if (g->link[i].route)
      look_in_route(&o, g->link[i].route);
  for (uint32_t i = 0; i < g->nstreams; i++)
    look_in_streams(&o, &g->stream[i]);
  for (uint32_t i = 0; i < g->nslices; i++) {
    look_in_port(&o, slice_at(g, i)->in, IN_REQUESTS);
    look_in_port(&o, slice_at(g, i)->out, IN_ANSWERS);
  }
  return o;
}

/* Where it stands in its slice. */
static void say_slice(const struct l2_slice *s, const struct l2_parent *p, struct error *err) {
  if (!p->todo) {
    SAY("  it waits for memory, or for room on the way back");
    return;
  }
  if (p->fail_cause < SLUICE_NFAILS)
    SAY("  its look-up is refused: %s", fails[p->fail_cause]);
  else if (s->fifo)
    SAY("  it waits for its turn at the tags");
  else
    SAY("  the order of a technique holds it%s", p->arrived ? "" : " off: others are before it");
}

static void say_oldest(const struct gpu *g, const struct oldest *o, uint64_t now, struct error *err) {
  static const char *const where[] = {"",
                                      "in the SM, for the network",
                                      "in the request network",
                                      "in its L2 slice",
                                      "on its way back",
                                      "between the SMs of its link",
                                      "in the stream caches of its link"};
  const struct mem_request *r = o->request;
  SAY("oldest request: a %s of line 0x%llx by SM %u%s, born %llu cycles ago, %s (slice %u)", kinds[r->kind],
      (unsigned long long)r->line, r->sm, r->flags & MEM_CODE ? " (instructions)" : "",
      (unsigned long long)(now - r->born), where[o->where], r->slice);
  if (o->parent)
    say_slice(slice_at(g, r->slice), o->parent, err);
}

static void say_queue(const char *what, uint64_t n, uint64_t of, struct error *err) {
  if (n)
    SAY("  %s: %llu of %llu%s", what, (unsigned long long)n, (unsigned long long)of, n >= of ? ", full" : "");
}

static uint64_t held(const struct port *p) {
  return p->pushed - p->released;
}

/* Requests of a slice, or their sectors, that have passed its fixed delay. */
static uint64_t incoming(const struct gpu *g, const struct l2_slice *s) {
  uint64_t sum = 0, now = engine_cycle(&g->parallel.shard[0], DOMAIN_L2);
  for (uint32_t n = 0; n < s->delay_count; n++) {
    const struct l2_delayed *d = &s->delay[(s->delay_head + n) & s->delay_mask];
    if (d->at > now)
      break;
    sum += s->in_sectors ? d->sectors : 1;
  }
  return sum;
}

static void say_streams(const struct gpu *g, const struct mem_request *r, struct error *err) {
  for (uint32_t level = 0; level < g->k.stream.levels; level++) {
    const struct stream_caches *s = &g->stream[level * g->nlinks + r->sm / g->k.noc.sms_per_link];
    const struct stream_cache *c = &s->of[r->stream - 1];
    if (!c->cache)
      continue;
    SAY("  stream caches, level %u:", level + 1);
    say_queue("  requests", c->queue.at.count, c->queue.capacity, err);
    say_queue("  miss registers", cache_mshrs_used(c->cache), s->k->cache[r->stream - 1].mshrs, err);
    say_queue("  misses on the way", c->miss.at.count, s->k->miss_queue, err);
  }
}

/* Each queue waits for the one below it. */
static void say_queues(const struct gpu *g, const struct mem_request *r, struct error *err) {
  const struct sm *m = &g->sm[r->sm];
  const struct l2_slice *s = slice_at(g, r->slice);
  const struct partition *c = &g->partition[r->slice / g->k.l2.slices_per_channel];
  SAY("queues on its way:");
  say_queue("load/store unit", m->mem_count, g->k.core.mem_queue, err);
  if (g->k.l1.d_delay)
    say_queue("way to the tags of the L1", m->delay_count, g->k.l1.d_delay, err);
  if (m->mem_blocked)
    SAY("  the L1 refuses its access: %s",
        m->fail_why == SLUICE_FAIL_QUEUE ? "the miss queue is full" : fails[m->fail_why]);
  say_queue("L1 miss registers", cache_mshrs_used(m->l1d), g->k.l1.d.mshrs, err);
  say_queue("L1 miss queue", m->miss.at.count, m->miss.capacity, err);
  say_queue(g->link ? "into the link" : "into the request network", held(m->out), m->out->capacity, err);
  if (g->stream && r->stream)
    say_streams(g, r, err);
  say_queue("out of it", held(s->in), s->in->capacity, err);
  say_queue("L2 incoming buffer", incoming(g, s), s->incoming, err);
  if (s->full)
    SAY("  the order before the tags is full");
  say_queue("L2 miss registers", cache_mshrs_used(s->cache) + s->fills.registers, g->k.l2.cache.mshrs, err);
  say_queue("L2 to memory", s->miss_count, g->k.l2.miss_queue, err);
  say_queue("memory controller, on the way", c->waiting, c->wait_cap * c->memory.controllers, err);
  say_queue("memory controller", c->outstanding, UINT32_MAX, err);
  say_queue("L2 response queue", s->done_count, g->k.l2.out, err);
  say_queue("into the response network", held(s->out), s->out->capacity, err);
  say_queue("out of it", held(m->in), m->in->capacity, err);
}

static void say_barrier(const struct sm *s, uint32_t w, struct error *err) {
  const struct sm_warp *k = &s->warp[w];
  const struct sm_cta *c = &s->cta[k->cta];
  uint32_t need = c->barrier[k->barrier].expected ? c->barrier[k->barrier].expected : c->left;
  SAY("SM %u, warp %u: at barrier %u, where %u of %u warps have arrived", s->id, w, k->barrier,
      c->barrier[k->barrier].arrived, need);
}

static void say_warps(const struct gpu *g, struct error *err) {
  uint64_t barrier = 0, drain = 0, data = 0, ready = 0, fetch = 0, all = 0;
  const struct sm *first = NULL;
  uint32_t which = 0;
  for (uint32_t i = 0; i < g->k.sms; i++)
    for (uint32_t w = 0; w < g->k.core.warps; w++) {
      const struct sm_warp *k = &g->sm[i].warp[w];
      if (!k->live)
        continue;
      all++;
      if (k->at_barrier && !first)
        first = &g->sm[i], which = w;
      if (k->ended)
        drain++;
      else if (k->at_barrier)
        barrier++;
      else if (k->fetch_ready == NEVER)
        fetch++;
      else if (g->sm[i].ready[w] == NEVER)
        data++;
      else
        ready++;
    }
  SAY("%llu warps are resident: %llu wait for data, %llu for instructions, %llu at barriers, %llu for their "
      "last accesses, "
      "%llu could issue",
      (unsigned long long)all, (unsigned long long)data, (unsigned long long)fetch,
      (unsigned long long)barrier, (unsigned long long)drain, (unsigned long long)ready);
  if (ready && !g->sm[0].l1.gate.ops)
    SAY("those wait for a place in the load/store unit, or for a pipeline");
  else if (ready)
    SAY("those are held back by a technique, or wait for a place in the load/store unit");
  if (first)
    say_barrier(first, which, err);
}

void gpu_explain(const struct gpu *g, struct error *err) {
  say_warps(g, err);
  struct oldest o = find_oldest(g);
  if (!o.request)
    return;
  say_oldest(g, &o, engine_cycle(&g->parallel.shard[0], DOMAIN_CORE), err);
  say_queues(g, o.request, err);
}
