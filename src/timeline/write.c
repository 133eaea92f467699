#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "timeline/block.h"
#include "timeline/buffer.h"
#include "timeline/timeline.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { LEVEL = 1, FAST = -5, EVENTS = 1 << 14 };

struct timeline_writer {
  struct file_stream file;
  ZSTD_CCtx *zstd;
  struct tl_out out;
  uint8_t *packed;
  size_t cap_packed;
  size_t ncolumns, most_rows, nrows;
  uint64_t *end, *value; /* of the rows at hand */
  struct timeline_cta *cta;
  struct timeline_command *command;
  struct timeline_wait *wait;
  size_t nctas, ncommands, nwaits;
};

static void le32(uint8_t *to, size_t v) {
  for (int i = 0; i < 4; i++)
    to[i] = (uint8_t)(v >> 8 * i);
}

/* Writes what is in `out` as a block. */
static void block(struct timeline_writer *w, enum timeline_block kind) {
  size_t most = ZSTD_compressBound(w->out.n);
  if (w->cap_packed < most) {
    w->packed = xrealloc(w->packed, most);
    w->cap_packed = most;
  }
  ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, kind == BLOCK_WAITS ? FAST : LEVEL);
  size_t n =
      ZSTD_compress2(w->zstd, w->packed, w->cap_packed, w->out.n ? w->out.at : (const uint8_t *)"", w->out.n);
  if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
    out_of_memory(most);
  if (ZSTD_isError(n))
    panic("zstd: %s", ZSTD_getErrorName(n));
  uint8_t head[TIMELINE_BLOCK_HEAD] = {(uint8_t)kind};
  le32(head + 1, w->out.n);
  le32(head + 5, n);
  fwrite(head, 1, sizeof head, w->file.to);
  fwrite(w->packed, 1, n, w->file.to);
  w->out.n = 0;
}

static void put_names(struct tl_out *b, const char *const *names, uint32_t n) {
  tl_put(b, n);
  for (uint32_t i = 0; i < n; i++)
    tl_put_string(b, names[i], strlen(names[i]));
}

static void put_head(struct timeline_writer *w, const struct timeline_head *h) {
  const uint64_t numbers[] = {h->interval,  h->tick_core, h->tick_dram, h->window[0],
                              h->window[1], h->channels,  h->banks};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    tl_put(&w->out, numbers[i]);
  put_names(&w->out, h->cause, h->ncauses);
  put_names(&w->out, h->command, h->ncommands);
  tl_put(&w->out, h->ngroups);
  for (uint32_t g = 0; g < h->ngroups; g++) {
    tl_put_string(&w->out, h->group[g].kind, strlen(h->group[g].kind));
    tl_put(&w->out, h->group[g].units);
    put_names(&w->out, h->group[g].stat, h->group[g].nstats);
  }
  block(w, BLOCK_HEAD);
}

void timeline_columns(struct timeline_head *h) {
  h->ncolumns = 0;
  for (uint32_t g = 0; g < h->ngroups; g++) {
    h->group[g].first = h->ncolumns;
    h->ncolumns += (size_t)h->group[g].units * h->group[g].nstats;
  }
}

static void end_zstd(void *zstd) {
  ZSTD_freeCCtx(zstd);
}

struct timeline_writer *timeline_create(const char *path, const struct timeline_head *h, struct error *err) {
  struct timeline_writer *w = xcalloc(1, sizeof *w);
  if (!file_stream_open(&w->file, path, err)) {
    free(w);
    return NULL;
  }
  w->zstd = ZSTD_createCCtx();
  if (!w->zstd)
    out_of_memory(0);
  pool_ends(end_zstd, w->zstd);
  ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
  w->ncolumns = h->ncolumns;
  w->most_rows = timeline_most_rows(h->ncolumns);
  w->end = xmalloc(w->most_rows * sizeof *w->end);
  w->value = xmalloc((w->most_rows * w->ncolumns + 1) * sizeof *w->value);
  w->cta = xmalloc(EVENTS * sizeof *w->cta);
  w->command = xmalloc(EVENTS * sizeof *w->command);
  w->wait = xmalloc(EVENTS * sizeof *w->wait);
  fwrite(TIMELINE_MAGIC, 1, strlen(TIMELINE_MAGIC), w->file.to);
  uint8_t version[4];
  le32(version, TIMELINE_VERSION);
  fwrite(version, 1, sizeof version, w->file.to);
  put_head(w, h);
  return w;
}

static void flush_rows(struct timeline_writer *w) {
  if (!w->nrows)
    return;
  tl_put(&w->out, w->nrows);
  tl_put_column(&w->out, w->end, w->nrows, 1);
  for (size_t c = 0; c < w->ncolumns; c++)
    tl_put_column(&w->out, w->value + c, w->nrows, w->ncolumns);
  w->nrows = 0;
  block(w, BLOCK_ROWS);
}

void timeline_row(struct timeline_writer *w, uint64_t end, const uint64_t *value) {
  w->end[w->nrows] = end;
  memcpy(w->value + w->nrows * w->ncolumns, value, w->ncolumns * sizeof *value);
  if (++w->nrows == w->most_rows)
    flush_rows(w);
}

static void flush_ctas(struct timeline_writer *w) {
  if (!w->nctas)
    return;
  tl_put(&w->out, w->nctas);
  for (size_t i = 0; i < w->nctas; i++) {
    const struct timeline_cta *c = &w->cta[i];
    tl_put(&w->out, c->sm);
    tl_put(&w->out, c->cta);
    tl_put(&w->out, c->begin);
    tl_put(&w->out, c->end - c->begin);
  }
  w->nctas = 0;
  block(w, BLOCK_CTAS);
}

void timeline_cta(struct timeline_writer *w, const struct timeline_cta *c) {
  w->cta[w->nctas++] = *c;
  if (w->nctas == EVENTS)
    flush_ctas(w);
}

static void flush_commands(struct timeline_writer *w) {
  if (!w->ncommands)
    return;
  tl_put(&w->out, w->ncommands);
  for (size_t i = 0; i < w->ncommands; i++) {
    const struct timeline_command *c = &w->command[i];
    tl_put(&w->out, c->channel);
    tl_put(&w->out, c->bank);
    tl_put(&w->out, c->command);
    tl_put(&w->out, c->row);
    tl_put(&w->out, c->tick);
  }
  w->ncommands = 0;
  block(w, BLOCK_COMMANDS);
}

void timeline_command(struct timeline_writer *w, const struct timeline_command *c) {
  w->command[w->ncommands++] = *c;
  if (w->ncommands == EVENTS)
    flush_commands(w);
}

static void flush_waits(struct timeline_writer *w) {
  if (!w->nwaits)
    return;
  tl_put(&w->out, w->nwaits);
  uint64_t at = 0;
  tl_put_numbers(&w->out, NULL, w->nwaits * 5);
  for (size_t i = 0; i < w->nwaits; i++) {
    const struct timeline_wait *c = &w->wait[i];
    const uint64_t v[5] = {c->sm, c->warp, c->cause, tl_signed(c->begin - at), c->cycles};
    tl_put_numbers(&w->out, v, 5);
    at = c->begin;
  }
  w->nwaits = 0;
  block(w, BLOCK_WAITS);
}

void timeline_wait(struct timeline_writer *w, const struct timeline_wait *c) {
  w->wait[w->nwaits++] = *c;
  if (w->nwaits == EVENTS)
    flush_waits(w);
}

void timeline_launch(struct timeline_writer *w, const struct timeline_launch *l) {
  tl_put_string(&w->out, l->kernel, strlen(l->kernel));
  for (int i = 0; i < 3; i++)
    tl_put(&w->out, l->grid[i]);
  for (int i = 0; i < 3; i++)
    tl_put(&w->out, l->block[i]);
  tl_put(&w->out, l->begin);
  block(w, BLOCK_LAUNCH);
}

void timeline_ended(struct timeline_writer *w, uint64_t cycles) {
  flush_rows(w);
  flush_ctas(w);
  flush_commands(w);
  flush_waits(w);
  tl_put(&w->out, cycles);
  block(w, BLOCK_ENDED);
}

void timeline_report(struct timeline_writer *w, const char *json, size_t n) {
  tl_put_string(&w->out, json, n);
  block(w, BLOCK_REPORT);
}

bool timeline_close(struct timeline_writer *w, bool keep, struct error *err) {
  bool ok = true;
  if (keep) {
    block(w, BLOCK_END);
    ok = file_stream_commit(&w->file, err);
  } else {
    file_stream_abort(&w->file);
  }
  pool_ended(w->zstd);
  ZSTD_freeCCtx(w->zstd);
  tl_out_free(&w->out);
  free(w->packed), free(w->end), free(w->value), free(w->cta), free(w->command), free(w->wait);
  free(w);
  return ok;
}
