#include "view/perfetto.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "timeline/timeline.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Processes by number; an SM's thread 0 … are CTA slots, then come warps. */
enum { GPU = 1, FIRST_SM = 10, FIRST_CHANNEL = 2000000, WARPS = 1000, SLOTS = 256 };

struct trace {
  FILE *to;
  const struct timeline_head *head;
  bool first;
  uint64_t begin, last; /* of the launch; of its last interval */
  char *kernel;
  uint32_t grid[3], block[3];
  size_t cycles, issued, dram_bytes, warp_cycles; /* columns */
  size_t *stall;
  bool *sm_named, *channel_named;
  uint32_t nsms;
  uint64_t *slot_end; /* [SM][slot]: the CTA there ends */
};

static void event(struct trace *t) {
  fputs(t->first ? "\n" : ",\n", t->to);
  t->first = false;
}

static void text(struct trace *t, const char *s) {
  struct strbuf b = {0};
  json_quote(&b, s);
  fputs(b.s, t->to);
  strbuf_free(&b);
}

static void name_of(struct trace *t, const char *what, uint32_t process, int64_t thread, const char *name) {
  event(t);
  fprintf(t->to, "{\"ph\":\"M\",\"pid\":%u,\"tid\":%" PRId64 ",\"name\":\"%s\",\"args\":{\"name\":", process,
          thread < 0 ? 0 : thread, what);
  text(t, name);
  fputs("}}", t->to);
}

static void launch(void *ctx, const struct timeline_launch *l) {
  struct trace *t = ctx;
  t->begin = l->begin, t->last = 0;
  free(t->kernel);
  t->kernel = xstrdup(l->kernel);
  memcpy(t->grid, l->grid, sizeof t->grid);
  memcpy(t->block, l->block, sizeof t->block);
  memset(t->slot_end, 0, (size_t)t->nsms * SLOTS * sizeof *t->slot_end);
}

static void ended(void *ctx, uint64_t cycles) {
  struct trace *t = ctx;
  event(t);
  fprintf(t->to, "{\"ph\":\"X\",\"pid\":%d,\"tid\":0,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"name\":", GPU,
          t->begin, cycles);
  text(t, t->kernel);
  fprintf(t->to, ",\"args\":{\"grid\":\"%u x %u x %u\",\"block\":\"%u x %u x %u\"}}", t->grid[0], t->grid[1],
          t->grid[2], t->block[0], t->block[1], t->block[2]);
}

static void rows(void *ctx, size_t n, const uint64_t *end, const uint64_t *value) {
  struct trace *t = ctx;
  for (size_t i = 0; i < n; i++) {
    uint64_t at = t->begin + t->last;
    double cycles = (double)(end[i] - t->last);
    t->last = end[i];
    event(t);
    fprintf(t->to,
            "{\"ph\":\"C\",\"pid\":%d,\"ts\":%" PRIu64
            ",\"name\":\"IPC\",\"args\":{\"instructions/cycle\":%.4f}}",
            GPU, at, (double)value[t->issued * n + i] / cycles);
    event(t);
    fprintf(t->to,
            "{\"ph\":\"C\",\"pid\":%d,\"ts\":%" PRIu64 ",\"name\":\"DRAM\",\"args\":{\"bytes/cycle\":%.4f}}",
            GPU, at, (double)value[t->dram_bytes * n + i] / cycles);
    event(t);
    fprintf(t->to,
            "{\"ph\":\"C\",\"pid\":%d,\"ts\":%" PRIu64 ",\"name\":\"warps\",\"args\":{\"resident\":%.4f}}",
            GPU, at, (double)value[t->warp_cycles * n + i] / cycles);
    for (uint32_t k = 0; k < t->head->ncauses; k++) {
      if (t->stall[k] == SIZE_MAX)
        continue;
      event(t);
      fprintf(t->to,
              "{\"ph\":\"C\",\"pid\":%d,\"ts\":%" PRIu64 ",\"name\":\"stall.%s\",\"args\":{\"warps\":%.4f}}",
              GPU, at, t->head->cause[k], (double)value[t->stall[k] * n + i] / cycles);
    }
  }
}

static void sm_named(struct trace *t, uint32_t sm) {
  if (sm >= t->nsms || t->sm_named[sm])
    return;
  char name[32];
  t->sm_named[sm] = true;
  snprintf(name, sizeof name, "SM %u", sm);
  name_of(t, "process_name", FIRST_SM + sm, -1, name);
}

/* CTAs of an SM that overlap are in rows of their own: the first that is free. They come in the order of their ends. */
static uint32_t slot_of(struct trace *t, const struct timeline_cta *c) {
  uint32_t s = 0;
  uint64_t *end = t->slot_end + (size_t)c->sm * SLOTS;
  while (s + 1 < SLOTS && end[s] > c->begin)
    s++;
  end[s] = c->end;
  return s;
}

static void ctas(void *ctx, size_t n, const struct timeline_cta *c) {
  struct trace *t = ctx;
  for (size_t i = 0; i < n; i++) {
    if (c[i].sm >= t->nsms)
      continue;
    sm_named(t, c[i].sm);
    event(t);
    fprintf(t->to,
            "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
            ",\"name\":\"CTA %" PRIu64 "\"}",
            FIRST_SM + c[i].sm, slot_of(t, &c[i]), t->begin + c[i].begin, c[i].end - c[i].begin, c[i].cta);
  }
}

static void waits(void *ctx, size_t n, const struct timeline_wait *w) {
  struct trace *t = ctx;
  for (size_t i = 0; i < n; i++) {
    if (w[i].sm >= t->nsms)
      continue;
    sm_named(t, w[i].sm);
    event(t);
    fprintf(t->to,
            "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"name\":\"%s\"}",
            FIRST_SM + w[i].sm, WARPS + w[i].warp, t->begin + w[i].begin, w[i].cycles,
            t->head->cause[w[i].cause]);
  }
}

static void commands(void *ctx, size_t n, const struct timeline_command *c) {
  struct trace *t = ctx;
  for (size_t i = 0; i < n; i++) {
    if (c[i].channel < t->head->channels && !t->channel_named[c[i].channel]) {
      char name[40];
      t->channel_named[c[i].channel] = true;
      snprintf(name, sizeof name, "DRAM channel %u", c[i].channel);
      name_of(t, "process_name", FIRST_CHANNEL + c[i].channel, -1, name);
    }
    double core = (double)t->head->tick_core;
    event(t);
    fprintf(
        t->to,
        "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"name\":\"%s\",\"args\":{\"row\":%u}}",
        FIRST_CHANNEL + c[i].channel, c[i].bank, (double)t->begin + (double)c[i].tick / core,
        (double)t->head->tick_dram / core, t->head->command[c[i].command], c[i].row);
  }
}

static void find_columns(struct trace *t) {
  const struct timeline_group *g = timeline_group(t->head, "total"), *sms;
  timeline_stat(g, "sm.thread_issued", &t->issued);
  timeline_stat(g, "dram.bytes", &t->dram_bytes);
  timeline_stat(g, "sm.warp_cycles", &t->warp_cycles);
  t->stall = xmalloc((t->head->ncauses + 1) * sizeof *t->stall);
  for (uint32_t k = 0; k < t->head->ncauses; k++) {
    char name[80];
    snprintf(name, sizeof name, "stall.%s", t->head->cause[k]);
    t->stall[k] = SIZE_MAX;
    timeline_stat(g, name, &t->stall[k]);
  }
  sms = timeline_group(t->head, "sm");
  t->nsms = sms ? sms->units : 4096;
  t->sm_named = xcalloc(t->nsms + 1, sizeof *t->sm_named);
  t->channel_named = xcalloc(t->head->channels + 1, sizeof *t->channel_named);
  t->slot_end = xcalloc((size_t)t->nsms * SLOTS, sizeof *t->slot_end);
}

bool perfetto_write(const char *timeline, const char *path, struct error *err) {
  struct timeline_reader *r = timeline_open(timeline, err);
  struct file_stream file;
  if (!r)
    return false;
  if (!file_stream_open(&file, path, err)) {
    timeline_free(r);
    return false;
  }
  struct trace t = {.to = file.to, .head = timeline_head(r), .first = true};
  find_columns(&t);
  fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us = 1 core cycle\"},\"traceEvents\":[",
        t.to);
  name_of(&t, "process_name", GPU, -1, "GPU");
  name_of(&t, "thread_name", GPU, 0, "kernels");
  struct timeline_visit v = {.ctx = &t,
                             .launch = launch,
                             .rows = rows,
                             .ctas = ctas,
                             .commands = commands,
                             .waits = waits,
                             .ended = ended};
  bool ok = timeline_walk(r, &v, err);
  fputs("\n]}\n", t.to);
  if (ok)
    ok = file_stream_commit(&file, err);
  else
    file_stream_abort(&file);
  free(t.kernel), free(t.stall), free(t.sm_named), free(t.channel_named), free(t.slot_end);
  timeline_free(r);
  return ok;
}
