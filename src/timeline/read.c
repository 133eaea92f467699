#include "base/file.h"
#include "base/mem.h"
#include "timeline/block.h"
#include "timeline/buffer.h"
#include "timeline/timeline.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct timeline_reader {
  char *path;
  FILE *file;
  struct timeline_head head;
  uint8_t *packed, *raw;
  size_t cap_packed, cap_raw;
  bool in_launch;
};

bool timeline_is(const char *path) {
  char magic[sizeof TIMELINE_MAGIC - 1];
  FILE *f = fopen(path, "rb");
  bool is = f && fread(magic, 1, sizeof magic, f) == sizeof magic &&
            memcmp(magic, TIMELINE_MAGIC, sizeof magic) == 0;
  if (f)
    fclose(f);
  return is;
}

static size_t le32(const uint8_t *p) {
  return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

static bool damaged(const struct timeline_reader *r, const char *how, struct error *err) {
  return error_set(err, EXIT_USAGE, "%s: the timeline is damaged: %s", r->path, how);
}

static uint8_t *fit(uint8_t **at, size_t *cap, size_t n) {
  if (*cap < n + 1) {
    *cap = n + 1;
    *at = xrealloc(*at, *cap);
  }
  return *at;
}

/* The next block, unpacked. */
static bool next(struct timeline_reader *r, enum timeline_block *kind, struct tl_in *in, struct error *err) {
  uint8_t head[TIMELINE_BLOCK_HEAD];
  if (fread(head, 1, sizeof head, r->file) != sizeof head)
    return damaged(r, "it ends early", err);
  size_t n = le32(head + 1), packed = le32(head + 5);
  if (head[0] >= NBLOCKS || n > TIMELINE_MOST_BLOCK || packed > ZSTD_compressBound(TIMELINE_MOST_BLOCK))
    return damaged(r, "a block has no known kind or size", err);
  *kind = (enum timeline_block)head[0];
  fit(&r->packed, &r->cap_packed, packed);
  if (fread(r->packed, 1, packed, r->file) != packed)
    return damaged(r, "it ends early", err);
  if (ZSTD_getFrameContentSize(r->packed, packed) != n)
    return damaged(r, "a block does not have the size it states", err);
  size_t got = ZSTD_decompress(fit(&r->raw, &r->cap_raw, n), n, r->packed, packed);
  if (ZSTD_isError(got) || got != n)
    return damaged(r, "a block does not unpack", err);
  *in = (struct tl_in){.at = r->raw, .end = r->raw + n};
  return true;
}

static const char **get_names(struct tl_in *b, uint32_t *n) {
  uint32_t most = (uint32_t)tl_get_most(b, 4096);
  const char **names = xcalloc(most + 1, sizeof *names);
  for (*n = 0; *n < most && !b->bad; ++*n)
    names[*n] = tl_get_string(b);
  return names;
}

static bool get_head(struct timeline_reader *r, struct tl_in *b, struct error *err) {
  struct timeline_head *h = &r->head;
  uint64_t *const numbers[] = {&h->interval, &h->tick_core, &h->tick_dram, &h->window[0], &h->window[1]};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = tl_get(b);
  h->channels = (uint32_t)tl_get_most(b, 1 << 20);
  h->banks = (uint32_t)tl_get_most(b, 1 << 20);
  h->cause = get_names(b, &h->ncauses);
  h->command = get_names(b, &h->ncommands);
  uint32_t groups = (uint32_t)tl_get_most(b, 64);
  h->group = xcalloc(groups + 1, sizeof *h->group);
  uint64_t columns = 0;
  for (; h->ngroups < groups && !b->bad; h->ngroups++) {
    struct timeline_group *g = &h->group[h->ngroups];
    g->kind = tl_get_string(b);
    g->units = (uint32_t)tl_get_most(b, TIMELINE_MOST_COLUMNS);
    g->stat = get_names(b, &g->nstats);
    columns += (uint64_t)g->units * g->nstats;
  }
  if (b->bad || !h->interval || !h->tick_core || !h->tick_dram || columns > TIMELINE_MOST_COLUMNS)
    return damaged(r, "its head makes no sense", err);
  timeline_columns(h);
  return true;
}

static bool rewind_to_blocks(struct timeline_reader *r, struct error *err) {
  uint8_t start[sizeof TIMELINE_MAGIC - 1 + 4];
  rewind(r->file);
  if (fread(start, 1, sizeof start, r->file) != sizeof start ||
      memcmp(start, TIMELINE_MAGIC, sizeof TIMELINE_MAGIC - 1) != 0)
    return error_set(err, EXIT_USAGE, "%s: not a timeline (`sluice run … --timeline FILE` records one)",
                     r->path);
  size_t version = le32(start + sizeof TIMELINE_MAGIC - 1);
  return version == TIMELINE_VERSION ||
         error_set(err, EXIT_USAGE, "%s: a timeline of version %zu; this program reads version %d", r->path,
                   version, TIMELINE_VERSION);
}

struct timeline_reader *timeline_open(const char *path, struct error *err) {
  struct timeline_reader *r = xcalloc(1, sizeof *r);
  r->path = xstrdup(path);
  r->file = fopen(path, "rb");
  enum timeline_block kind = BLOCK_END;
  struct tl_in in;
  bool ok = r->file || error_set(err, EXIT_USAGE, "%s: %s", path, strerror(errno));
  ok = ok && rewind_to_blocks(r, err) && next(r, &kind, &in, err);
  if (ok && (kind == BLOCK_HEAD || damaged(r, "it has no head", err)) && get_head(r, &in, err))
    return r;
  timeline_free(r);
  return NULL;
}

static void names_free(const char **names, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    free((void *)names[i]);
  free((void *)names);
}

void timeline_free(struct timeline_reader *r) {
  if (!r)
    return;
  struct timeline_head *h = &r->head;
  if (r->file)
    fclose(r->file);
  names_free(h->cause, h->ncauses);
  names_free(h->command, h->ncommands);
  for (uint32_t g = 0; g < h->ngroups; g++) {
    free((void *)h->group[g].kind);
    names_free(h->group[g].stat, h->group[g].nstats);
  }
  free(h->group);
  free(r->path), free(r->packed), free(r->raw), free(r);
}

const struct timeline_head *timeline_head(const struct timeline_reader *r) {
  return &r->head;
}

const struct timeline_group *timeline_group(const struct timeline_head *h, const char *kind) {
  for (uint32_t g = 0; g < h->ngroups; g++)
    if (strcmp(h->group[g].kind, kind) == 0)
      return &h->group[g];
  return NULL;
}

bool timeline_stat(const struct timeline_group *g, const char *name, size_t *column) {
  for (uint32_t i = 0; g && i < g->nstats; i++)
    if (strcmp(g->stat[i], name) == 0) {
      *column = g->first + (size_t)i * g->units;
      return true;
    }
  return false;
}

static bool walk_launch(struct timeline_reader *r, struct tl_in *b, const struct timeline_visit *v) {
  char *name = tl_get_string(b);
  struct timeline_launch l = {.kernel = name};
  for (int i = 0; i < 3; i++)
    l.grid[i] = (uint32_t)tl_get_most(b, UINT32_MAX);
  for (int i = 0; i < 3; i++)
    l.block[i] = (uint32_t)tl_get_most(b, UINT32_MAX);
  l.begin = tl_get(b);
  bool ok = !b->bad && !r->in_launch;
  r->in_launch = true;
  if (ok && v->launch)
    v->launch(v->ctx, &l);
  free(name);
  return ok;
}

static bool walk_rows(struct timeline_reader *r, struct tl_in *b, const struct timeline_visit *v) {
  size_t n = (size_t)tl_get_most(b, timeline_most_rows(r->head.ncolumns)), columns = r->head.ncolumns;
  uint64_t *end = xmalloc((n + 1) * sizeof *end), *value = xmalloc((n * columns + 1) * sizeof *value);
  tl_get_column(b, end, n);
  for (size_t c = 0; c < columns && !b->bad; c++)
    tl_get_column(b, value + c * n, n);
  bool ok = !b->bad && n && r->in_launch;
  if (ok && v->rows)
    v->rows(v->ctx, n, end, value);
  free(end), free(value);
  return ok;
}

static size_t events(struct tl_in *b) {
  return (size_t)tl_get_most(b, (uint64_t)(b->end - b->at)); /* each has a byte at least */
}

static bool walk_ctas(struct timeline_reader *r, struct tl_in *b, const struct timeline_visit *v) {
  size_t n = events(b);
  struct timeline_cta *at = xcalloc(n + 1, sizeof *at);
  for (size_t i = 0; i < n && !b->bad; i++) {
    at[i].sm = (uint32_t)tl_get_most(b, UINT32_MAX);
    at[i].cta = tl_get(b);
    at[i].begin = tl_get(b);
    at[i].end = at[i].begin + tl_get(b);
  }
  bool ok = !b->bad && r->in_launch;
  if (ok && v->ctas)
    v->ctas(v->ctx, n, at);
  free(at);
  return ok;
}

static bool walk_commands(struct timeline_reader *r, struct tl_in *b, const struct timeline_visit *v) {
  size_t n = events(b);
  struct timeline_command *at = xcalloc(n + 1, sizeof *at);
  for (size_t i = 0; i < n && !b->bad; i++) {
    at[i].channel = (uint32_t)tl_get_most(b, r->head.channels);
    at[i].bank = (uint32_t)tl_get_most(b, r->head.banks);
    at[i].command = (uint32_t)tl_get_most(b, r->head.ncommands ? r->head.ncommands - 1 : 0);
    at[i].row = (uint32_t)tl_get_most(b, UINT32_MAX);
    at[i].tick = tl_get(b);
  }
  bool ok = !b->bad && r->in_launch;
  if (ok && v->commands)
    v->commands(v->ctx, n, at);
  free(at);
  return ok;
}

static bool walk_waits(struct timeline_reader *r, struct tl_in *b, const struct timeline_visit *v) {
  size_t n = events(b);
  struct timeline_wait *at = xcalloc(n + 1, sizeof *at);
  uint64_t begin = 0;
  for (size_t i = 0; i < n && !b->bad; i++) {
    at[i].sm = (uint32_t)tl_get_most(b, UINT32_MAX);
    at[i].warp = (uint32_t)tl_get_most(b, UINT32_MAX);
    at[i].cause = (uint32_t)tl_get_most(b, r->head.ncauses ? r->head.ncauses - 1 : 0);
    at[i].begin = begin += tl_unsigned(tl_get(b));
    at[i].cycles = tl_get(b);
  }
  bool ok = !b->bad && r->in_launch;
  if (ok && v->waits)
    v->waits(v->ctx, n, at);
  free(at);
  return ok;
}

static bool walk_ended(struct timeline_reader *r, struct tl_in *b, const struct timeline_visit *v) {
  uint64_t cycles = tl_get(b);
  bool ok = !b->bad && r->in_launch;
  r->in_launch = false;
  if (ok && v->ended)
    v->ended(v->ctx, cycles);
  return ok;
}

static bool walk_report(struct timeline_reader *r, struct tl_in *b, const struct timeline_visit *v) {
  (void)r;
  char *text = tl_get_string(b);
  bool ok = !b->bad;
  if (ok && v->report)
    v->report(v->ctx, text, strlen(text));
  free(text);
  return ok;
}

bool timeline_walk(struct timeline_reader *r, const struct timeline_visit *v, struct error *err) {
  static bool (*const walk[NBLOCKS])(struct timeline_reader *, struct tl_in *,
                                     const struct timeline_visit *) = {
      [BLOCK_LAUNCH] = walk_launch,     [BLOCK_ROWS] = walk_rows,   [BLOCK_CTAS] = walk_ctas,
      [BLOCK_COMMANDS] = walk_commands, [BLOCK_WAITS] = walk_waits, [BLOCK_ENDED] = walk_ended,
      [BLOCK_REPORT] = walk_report,
  };
  enum timeline_block kind = BLOCK_END;
  struct tl_in in;
  r->in_launch = false;
  if (!rewind_to_blocks(r, err))
    return false;
  while (next(r, &kind, &in, err)) {
    if (kind == BLOCK_END)
      return true;
    if (kind == BLOCK_HEAD)
      continue;
    if (!walk[kind](r, &in, v))
      return damaged(r, "a block makes no sense", err);
  }
  return false;
}
