/* The ports between the units of a GPU, and what crosses from shard to shard. */
#include "gpu/gpu.h"

/* Lets a link's SMs give lines to each other. */
static void connect_route(struct gpu *g, struct route *r) {
  for (uint32_t i = 0; i < r->n; i++) {
    struct sm *s = &g->sm[r->first + i];
    s->ask = &r->ask[i];
    s->reply = &r->reply[i];
    parallel_border(&g->parallel, s->ask);
    parallel_border(&g->parallel, s->reply);
    if (!r->notice)
      continue;
    l1_notify_cluster(s, &r->notice[i]);
    parallel_border(&g->parallel, s->notice);
  }
}

/* Puts the stream caches of a link between it and the networks, level above level. */
static void connect_streams(struct gpu *g, uint32_t link) {
  struct link *l = &g->link[link];
  struct port **out = &l->out, **in = &l->in;
  uint32_t *out_unit = &l->out_unit, *in_unit = &l->in_unit, below = l->unit;
  for (uint32_t level = 0; level < g->k.stream.levels; level++) {
    struct stream_caches *s = &g->stream[level * g->nlinks + link];
    s->below_unit = below;
    s->out = *out, s->in = *in;
    s->out_unit = *out_unit, s->in_unit = *in_unit;
    *out = &s->from, *in = &s->to;
    *out_unit = *in_unit = below = s->unit;
    out = &s->out, in = &s->in;
    out_unit = &s->out_unit, in_unit = &s->in_unit;
    parallel_border(&g->parallel, &s->from);
    parallel_border(&g->parallel, &s->to);
  }
  g->link_units[link] = below;
}

/* Input i of a crossbar, whose sender's clock has this period; output i. */
static void connect_input(struct gpu *g, struct xbar *x, uint32_t i, uint64_t sender) {
  const struct gpu_config *k = &g->k;
  uint64_t noc = g->parallel.shard[0].period[DOMAIN_NOC];
  xbar_input(x, i, k->noc.in, k->noc.inject ? noc * k->noc.inject : 1, sender * k->noc.credit);
  parallel_border(&g->parallel, &x->in[i]);
}
static void connect_output(struct gpu *g, struct xbar *x, uint32_t i) {
  const struct gpu_config *k = &g->k;
  uint64_t noc = g->parallel.shard[0].period[DOMAIN_NOC];
  port_init(&x->out[i], k->noc.out, sizeof(struct mem_request), noc * k->noc.latency, noc * k->noc.credit);
  parallel_border(&g->parallel, &x->out[i]);
}

/* Links the SMs to the networks: straight, or several of them through a shared link. */
static void connect_sms(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  const struct engine *e = &g->parallel.shard[0];
  for (uint32_t i = 0; i < g->nlinks; i++) {
    connect_input(g, &g->request, i, e->period[DOMAIN_CORE]);
    connect_output(g, &g->response, i);
  }
  for (uint32_t i = 0; !g->link && i < k->sms; i++) {
    g->sm[i].out = &g->request.in[i];
    g->sm[i].in = &g->response.out[i];
    g->sm[i].out_unit = g->request.all;
    g->sm[i].in_unit = g->response.unit_of[i];
  }
  for (uint32_t i = 0; g->link && i < k->sms; i++) {
    struct link *l = &g->link[i / k->noc.sms_per_link];
    l->out = &g->request.in[i / k->noc.sms_per_link];
    l->in = &g->response.out[i / k->noc.sms_per_link];
    l->out_unit = g->request.all;
    l->in_unit = g->response.unit_of[i / k->noc.sms_per_link];
    l->sm_unit = g->sm_units;
    g->sm[i].out = &l->from[i % k->noc.sms_per_link];
    g->sm[i].in = &l->to[i % k->noc.sms_per_link];
    g->sm[i].out_unit = g->sm[i].in_unit = l->unit;
  }
  for (uint32_t i = 0; g->stream && i < g->nlinks; i++)
    connect_streams(g, i);
  for (uint32_t i = 0; i < k->sms; i++) {
    parallel_border(&g->parallel, g->sm[i].out);
    parallel_border(&g->parallel, g->sm[i].in);
  }
  for (uint32_t i = 0; g->link && i < g->nlinks; i++)
    if (g->link[i].route)
      connect_route(g, g->link[i].route);
}

/* Acknowledgements have a network of their own: requests that wait for them cannot be in their way. */
static void connect_acks(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  const struct engine *e = &g->parallel.shard[0];
  for (uint32_t i = 0; i < k->sms; i++) {
    connect_input(g, &g->ack, i, e->period[DOMAIN_CORE]);
    g->sm[i].ack = &g->ack.in[i];
    g->sm[i].ack_unit = g->ack.unit;
  }
  for (uint32_t i = 0; i < g->nslices; i++) {
    connect_output(g, &g->ack, i);
    struct partition *c = &g->partition[i / k->l2.slices_per_channel];
    c->slice[i % k->l2.slices_per_channel].ack = &g->ack.out[i];
    c->ack_unit = g->ack.unit;
  }
  xbar_ends(&g->ack, g->sm_units, g->slice_units);
}

/* Scalar caches have links of their own, behind those of the SMs. */
static void connect_scalars(struct gpu *g) {
  const struct engine *e = &g->parallel.shard[0];
  for (uint32_t i = 0; i < g->nscalars; i++) {
    struct scalar *c = &g->scalar[i];
    c->out = &g->request.in[g->nlinks + i];
    c->in = &g->response.out[g->nlinks + i];
    connect_input(g, &g->request, g->nlinks + i, e->period[DOMAIN_CORE]);
    connect_output(g, &g->response, g->nlinks + i);
    c->out_unit = g->request.all;
    c->in_unit = g->response.unit_of[g->nlinks + i];
    c->sm_unit = g->sm_units;
    for (uint32_t j = 0; j < c->n; j++) {
      struct sm *s = &g->sm[c->first + j];
      s->scalar_ask = &c->ask[j];
      s->scalar_reply = &c->reply[j];
      s->scalar_unit = c->unit;
      parallel_border(&g->parallel, s->scalar_ask);
      parallel_border(&g->parallel, s->scalar_reply);
    }
  }
}

void gpu_connect(struct gpu *g) {
  const struct gpu_config *k = &g->k;
  const struct engine *e = &g->parallel.shard[0];
  connect_sms(g);
  connect_scalars(g);
  g->ends = xcalloc(g->nlinks + g->nscalars, sizeof *g->ends);
  for (uint32_t i = 0; i < g->nlinks + g->nscalars; i++)
    g->ends[i] = i >= g->nlinks ? g->scalar[i - g->nlinks].unit : g->link ? g->link_units[i] : g->sm_units[i];
  for (uint32_t i = 0; i < g->nslices; i++) {
    connect_output(g, &g->request, i);
    connect_input(g, &g->response, i, e->period[DOMAIN_L2]);
    struct partition *c = &g->partition[i / k->l2.slices_per_channel];
    struct l2_slice *s = &c->slice[i % k->l2.slices_per_channel];
    s->in = &g->request.out[i];
    s->out = &g->response.in[i];
    c->request_unit = g->request.all;
    c->response_unit = g->response.all;
  }
  xbar_ends(&g->request, g->ends, g->slice_units);
  xbar_ends(&g->response, g->slice_units, g->ends);
  if (k->l2.inclusive)
    connect_acks(g);
  for (uint32_t i = 0; i < k->sms; i++)
    sm_connected(&g->sm[i]);
}

/* An SM sends a request of its data caches in a cycle, and one of its instruction cache; slices and all outputs of a crossbar send one. */
static void set_pace(struct gpu *g) {
  for (uint32_t i = 0; i < g->request.inputs; i++)
    parallel_pace(&g->parallel, &g->request.in[i], 2, 1);
  for (uint32_t i = 0; i < g->request.outputs; i++)
    parallel_pace(&g->parallel, &g->request.out[i], 1, 1);
  for (uint32_t i = 0; i < g->response.inputs; i++)
    parallel_pace(&g->parallel, &g->response.in[i], 1, 1);
  for (uint32_t i = 0; i < g->response.outputs; i++)
    parallel_pace(&g->parallel, &g->response.out[i], 1, 1);
}

static void near(void *gpu, const struct engine *e, unsigned parity) {
  const struct gpu *g = gpu;
  xbar_deliver_near(&g->request, e, parity);
  xbar_deliver_near(&g->response, e, parity);
}

static void deliver(void *gpu, struct engine *e, unsigned parity) {
  struct gpu *g = gpu;
  near(g, e, parity);
  xbar_deliver(&g->request, e, parity);
  xbar_deliver(&g->response, e, parity);
}

static void collect(void *gpu, struct engine *e) {
  struct gpu *g = gpu;
  xbar_collect(&g->request, e);
  xbar_collect(&g->response, e);
}

/* Where partitions can run ahead of all other units, the network of answers may as well, and SMs as far as they know what comes from it;
 * the network of requests does not call a partition for cycles that are simulated already. */
static void run_ahead(struct gpu *g) {
  const struct engine *e = &g->parallel.shard[0];
  uint32_t reach = UINT32_MAX, n = g->nslices;
  for (uint32_t i = 0; i < g->k.l2.channels; i++)
    reach = g->partition[i].reach < reach ? g->partition[i].reach : reach;
  bool one_clock =
      e->clock[DOMAIN_CORE] == e->clock[DOMAIN_NOC] && e->clock[DOMAIN_L2] == e->clock[DOMAIN_NOC];
  if (!reach || !one_clock || g->memory_side || g->response.nmore || g->link || g->nscalars ||
      g->k.noc.allocator != NOC_ROUND_ROBIN)
    return;
  struct xbar_sender *from = xcalloc(n, sizeof *from);
  const uint64_t **until = xcalloc(n, sizeof *until);
  for (uint32_t i = 0; i < n; i++) {
    struct partition *c = &g->partition[i / g->k.l2.slices_per_channel];
    from[i] = (struct xbar_sender){.fresh = &c->fresh, .want = &c->want, .unit = g->slice_units[i]};
    until[i] = &c->fresh;
    c->known = &g->response.fresh;
  }
  xbar_may_run_ahead(&g->response, from, reach);
  xbar_receivers_ahead(&g->request, until);
  for (uint32_t i = 0; i < g->k.sms; i++)
    g->sm[i].answers = &g->response;
}

void gpu_set_windows(struct gpu *g) {
  if (g->k.noc.allocator != NOC_IDEAL)
    set_pace(g);
  if (!g->parallel.by_unit && g->parallel.nshards == 1)
    run_ahead(g);
  if (!g->parallel.by_unit || g->parallel.nshards == 1)
    return;
  xbar_by_window(&g->request, g->parallel.nshards, g->parallel.window);
  xbar_by_window(&g->response, g->parallel.nshards, g->parallel.window);
  for (uint32_t i = 0; i < g->k.sms; i++) /* notes of messages call the crossbars */
    g->sm[i].out_unit = UNIT_NOBODY;
  for (uint32_t i = 0; i < g->k.l2.channels; i++)
    g->partition[i].response_unit = UNIT_NOBODY;
  g->parallel.near = near, g->parallel.deliver = deliver, g->parallel.collect = collect;
  g->parallel.deliver_ctx = g;
}
