/* One channel of the L2 with one slice, between a network that hands requests in at given cycles and a memory of fixed
 * latency. All clocks are the same. */
#ifndef TESTS_UNIT_SLICE_H
#define TESTS_UNIT_SLICE_H

#include "check.h"
#include "cache/cache.h"
#include "gpu/config.h"
#include "l2/partition.h"
#include "tables.h"
#include <stdlib.h>

enum { BENCH_MOST = 4096, BENCH_LINE = 64 };

struct bench {
  struct conf *conf;
  struct gpu_config k;
  struct tech_set *tech;
  struct engine e;
  struct partition p;
  struct port in, out, ack;
  uint32_t network, channel; /* the units */
  struct {
    uint64_t at;
    struct mem_request r;
  } todo[BENCH_MOST]; /* in the order of time */
  uint32_t n, sent;
  uint64_t answered[BENCH_MOST]; /* by waiter: the cycle of the answer, 0: none yet */
  uint32_t answers;
  /* what else the network does with a message that comes out; NULL: nothing else comes */
  void (*other)(struct bench *b, const struct mem_request *r, uint64_t cycle);
  void (*each)(struct bench *b, uint64_t cycle);              /* every cycle; may be NULL */
  void (*told)(struct bench *b, const struct mem_request *r); /* of answers; may be NULL */
  void *more;
};

static inline void bench_send(struct bench *b, const struct mem_request *r) {
  port_push(&b->in, b->e.now, r);
  engine_wake(&b->e, b->channel, b->e.now + b->in.data);
}

/* Hands in what is due in the next cycle, takes what comes out. */
static inline uint64_t bench_network(void *self, uint64_t cycle) {
  struct bench *b = self;
  while (b->sent < b->n && b->todo[b->sent].at <= cycle + 1 && port_room(&b->in, b->e.now))
    bench_send(b, &b->todo[b->sent++].r);
  if (b->each)
    b->each(b, cycle);
  const struct mem_request *r = port_front(&b->out, b->e.now);
  if (r) {
    if (r->kind <= MEM_ATOMIC && !(r->flags & MEM_NACK)) {
      assert_int_equal(b->answered[r->waiter], 0); /* once */
      b->answered[r->waiter] = cycle;
      b->answers++;
      if (b->told)
        b->told(b, r);
    } else {
      assert_non_null(b->other);
      b->other(b, r, cycle);
    }
    port_pop(&b->out, b->e.now);
    engine_wake(&b->e, b->channel, b->e.now + b->out.credit);
  }
  return cycle + 1;
}

/* `settings`: words. Lines of 64 bytes, no sectors, one access at a time, no delays of its own. */
static inline void bench_init(struct bench *b, const char *settings) {
  memset(b, 0, sizeof *b);
  struct error err = {0};
  b->conf = tables_conf();
  char text[2048];
  snprintf(text, sizeof text,
           "gpu.core_mhz=1000 gpu.noc_mhz=1000 gpu.l2_mhz=1000 gpu.dram_mhz=1000 gpu.line_bytes=64 "
           "l1d.sector_bytes=64 l1i.line_bytes=64 l2.sector_bytes=64 l2.channels=1 l2.slices_per_channel=1 "
           "l2.port_bytes=64 l2.rop_latency=0 l2.miss_queue=64 dram.model=fixed dram.latency=0 %s",
           settings);
  for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
    if (!conf_set(b->conf, w, &err))
      fail_msg("%s", err.text);
  if (!gpu_config_read(&b->k, b->conf, &err))
    fail_msg("%s", err.text);
  struct sluice_env env = {.sms = b->k.sms,
                           .warps = b->k.core.warps,
                           .slices = 1,
                           .channels = 1,
                           .banks = 16,
                           .line_bytes = BENCH_LINE,
                           .l2_sets = b->k.l2.cache.sets,
                           .l2_lines = b->k.l2.cache.sets * b->k.l2.cache.ways,
                           .cluster = 1,
                           .l2_reserves = b->k.l2.cache.allocate == CACHE_ON_MISS};
  b->tech = tech_set_new(b->conf, &env, &err);
  if (!b->tech)
    fail_msg("%s", err.text);
  engine_init(&b->e, (const uint64_t[]){1000, 1000, 1000, 1000}, 4);
  if (!partition_init(&b->p, &b->e, &b->k.l2, &b->k.memory, b->tech, 0, b->e.period[DOMAIN_DRAM], &err))
    fail_msg("%s", err.text);
  port_init(&b->in, 64, sizeof(struct mem_request), b->e.period[2], b->e.period[2]);
  port_init(&b->out, 64, sizeof(struct mem_request), 1, 1);
  b->channel = engine_add(&b->e, "channel", 2, &b->p, partition_cycle);
  b->network = engine_add(&b->e, "network", 2, b, bench_network);
  b->p.slice->in = &b->in, b->p.slice->out = &b->out;
  b->p.request_unit = b->p.response_unit = b->p.ack_unit = b->network;
  port_init(&b->ack, 64, sizeof(struct mem_request), b->e.period[2], b->e.period[2]);
  if (b->k.l2.inclusive)
    b->p.slice->ack = &b->ack;
}

/* A request of the SM for a line that comes at a cycle; its number. */
static inline uint32_t bench_ask(struct bench *b, uint64_t at, uint32_t sm, enum mem_kind kind,
                                 uint64_t line) {
  uint32_t i = b->n++;
  b->todo[i].at = at;
  b->todo[i].r = (struct mem_request){.line = line * BENCH_LINE,
                                      .bytes = {UINT64_MAX, 0},
                                      .born = at,
                                      .waiter = i,
                                      .sm = (uint16_t)sm,
                                      .kind = (uint8_t)kind,
                                      .sectors = 3};
  return i;
}

static inline void bench_run(struct bench *b, uint64_t until) {
  while (engine_step(&b->e, until * b->e.period[2])) {
  }
}

/* When the data of an answer was there: it takes l2.latency to the port, and a cycle through it. */
static inline uint64_t bench_data(const struct bench *b, uint32_t i) {
  assert_true(b->answered[i]);
  return b->answered[i] - b->k.l2.latency - 1;
}

static inline void bench_end(struct bench *b) {
  partition_destroy(&b->p);
  tech_set_free(b->tech);
  port_destroy(&b->in), port_destroy(&b->out), port_destroy(&b->ack);
  engine_destroy(&b->e);
  conf_free(b->conf);
}

#endif
