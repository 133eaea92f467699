#include "dram/fixed.h"
#include "base/mem.h"
#include <stdlib.h>

/* Answers on their way, the next first: all of one kind take equally long. */
struct line {
  struct {
    uint64_t tag, handed, done;
  } * answer; /* ring */
  uint32_t head, count, size;
};

struct fixed {
  uint32_t controllers, interval, bytes, latency[2]; /* of reads, of writes */
  unsigned shift;                                    /* log2 of a line's bytes */
  uint64_t now;
  uint64_t *ready, *busy_until; /* by controller */
  struct line line[2];          /* reads, writes */
  struct dram_counters n;
};

struct fixed *fixed_new(uint32_t controllers, uint32_t line_bytes, uint32_t interval, uint32_t read_latency,
                        uint32_t write_latency, uint32_t bytes) {
  struct fixed *f = xcalloc(1, sizeof *f);
  *f = (struct fixed){.controllers = controllers,
                      .shift = (unsigned)__builtin_ctz(line_bytes),
                      .interval = interval,
                      .bytes = bytes,
                      .latency = {read_latency, write_latency},
                      .n.channels = controllers};
  f->ready = xcalloc(controllers, sizeof *f->ready);
  f->busy_until = xcalloc(controllers, sizeof *f->busy_until);
  return f;
}

void fixed_free(struct fixed *f) {
  if (!f)
    return;
  free(f->ready), free(f->busy_until), free(f->line[0].answer), free(f->line[1].answer), free(f);
}

bool fixed_advance(struct fixed *f, uint64_t until) {
  if (until > f->now)
    f->now = f->n.cycles = until;
  return fixed_next(f) <= until;
}

uint32_t fixed_controller(const struct fixed *f, uint64_t address) {
  return (uint32_t)(address >> f->shift) & (f->controllers - 1);
}

static void grow(struct line *l) {
  uint32_t size = l->size ? 2 * l->size : 64;
  void *larger = xcalloc(size, sizeof *l->answer);
  struct line n = {.answer = larger, .count = l->count, .size = size};
  for (uint32_t i = 0; i < l->count; i++)
    n.answer[i] = l->answer[(l->head + i) & (l->size - 1)];
  free(l->answer);
  *l = n;
}

uint64_t fixed_ready(const struct fixed *f, uint32_t controller) {
  return f->ready[controller];
}

bool fixed_push(struct fixed *f, const struct dram_request *r) {
  uint32_t controller = fixed_controller(f, r->address);
  if (f->ready[controller] > f->now)
    return false;
  struct line *l = &f->line[r->write];
  if (l->count == l->size)
    grow(l);
  uint32_t at = (l->head + l->count++) & (l->size - 1);
  uint64_t done = f->now + f->latency[r->write], *busy = &f->busy_until[controller];
  l->answer[at].tag = r->tag;
  l->answer[at].handed = f->now;
  l->answer[at].done = done;
  f->ready[controller] = f->now + f->interval;
  f->n.bus_cycles += f->interval;
  f->n.bytes += f->bytes;
  if (done > *busy) {
    f->n.busy_cycles += done - (*busy > f->now ? *busy : f->now);
    *busy = done;
  }
  return true;
}

bool fixed_answer(struct fixed *f, struct dram_completion *out) {
  uint64_t at = fixed_next(f);
  bool write = !f->line[0].count || f->line[0].answer[f->line[0].head].done != at;
  struct line *l = &f->line[write];
  uint64_t handed = l->answer[l->head].handed, latency = at - handed;
  *out = (struct dram_completion){.tag = l->answer[l->head].tag,
                                  .done = at,
                                  .latency = latency,
                                  .opening = handed,
                                  .open = handed,
                                  .column = handed,
                                  .write = write};
  l->head = (l->head + 1) & (l->size - 1);
  l->count--;
  f->n.finished = at;
  if (write) {
    f->n.writes++;
    f->n.write_requests++;
    return fixed_next(f) <= f->now;
  }
  f->n.reads++;
  f->n.read_requests++;
  f->n.read_latency += latency;
  f->n.latency[stat_fine_bucket(latency)]++;
  if (latency > f->n.read_latency_max)
    f->n.read_latency_max = latency;
  return fixed_next(f) <= f->now;
}

uint64_t fixed_next(const struct fixed *f) {
  uint64_t next = DRAM_NEVER;
  for (int i = 0; i < 2; i++)
    if (f->line[i].count && f->line[i].answer[f->line[i].head].done < next)
      next = f->line[i].answer[f->line[i].head].done;
  return next;
}

const struct dram_counters *fixed_counters(const struct fixed *f) {
  return &f->n;
}
