/* The L2 as copies from the host leave it: lines of buffers, in the order of their addresses, clean.
 *
 *   buffers ─ a batch of lines ─▶ slice of each line ─▶ lines by channel ─▶ each channel takes its own, in order
 *
 * Channels know nothing of each other, so that each takes its lines of a batch in one go: one channel's tags fit the caches of the host, those
 * of all channels do not, and threads warm several channels side by side. */
#include "gpu/warm.h"
#include "base/mem.h"
#include "engine/team.h"
#include <stdlib.h>

enum { BATCH = 1 << 19, PIECE = 1 << 13, FEW = 1 << 12, SMALL = 1 << 14 };

struct warming {
  struct gpu *g;
  uint64_t *line; /* of the batch: addresses, then addresses in their slices; NULL: there are no batches */
  uint32_t *slice;
  size_t n;
  uint64_t *sorted; /* the latter by channel, of channel c from begin[c] on, before begin[c + 1] */
  uint32_t *slice_sorted;
  size_t *begin;
};

/* Lines of the L2. */
static uint64_t lines(const struct gpu *g) {
  return (uint64_t)g->k.l2.cache.sets * g->k.l2.cache.ways * g->nslices;
}

static void warm_line(const struct gpu *g, uint32_t slice, uint64_t address) {
  uint32_t per_channel = g->k.l2.slices_per_channel;
  partition_warm(&g->partition[slice / per_channel], slice % per_channel, address);
}

static void find_slices(void *warming, unsigned who, size_t piece) {
  (void)who;
  struct warming *w = warming;
  size_t end = (piece + 1) * PIECE < w->n ? (piece + 1) * PIECE : w->n;
  for (size_t i = piece * PIECE; i < end; i++) {
    struct addr_place at = addrmap_place(&w->g->k.l2.map, w->line[i]);
    w->slice[i] = at.slice;
    w->line[i] = at.address;
  }
}

static void warm_channel(void *warming, unsigned who, size_t channel) {
  (void)who;
  const struct warming *w = warming;
  for (size_t i = w->begin[channel]; i < w->begin[channel + 1]; i++)
    warm_line(w->g, w->slice_sorted[i], w->sorted[i]);
}

static void sort_by_channel(struct warming *w) {
  uint32_t channels = w->g->k.l2.channels, per_channel = w->g->k.l2.slices_per_channel;
  size_t *at = xcalloc(channels + 1u, sizeof *at);
  for (size_t i = 0; i < w->n; i++)
    at[w->slice[i] / per_channel]++;
  size_t sum = 0;
  for (uint32_t c = 0; c <= channels; c++) {
    size_t n = at[c];
    w->begin[c] = at[c] = sum;
    sum += n;
  }
  for (size_t i = 0; i < w->n; i++) {
    size_t to = at[w->slice[i] / per_channel]++;
    w->sorted[to] = w->line[i];
    w->slice_sorted[to] = w->slice[i];
  }
  free(at);
}

static void in_pieces(struct warming *w, size_t n, void (*work)(void *warming, unsigned who, size_t k)) {
  if (w->g->team && w->n >= FEW) {
    team_run(w->g->team, n, work, w);
    return;
  }
  for (size_t k = 0; k < n; k++)
    work(w, 0, k);
}

static void warm_batch(struct warming *w) {
  in_pieces(w, (w->n + PIECE - 1) / PIECE, find_slices);
  sort_by_channel(w);
  in_pieces(w, w->g->k.l2.channels, warm_channel);
  w->n = 0;
}

/* One line after the other: techniques beside the L2 may know all slices and see lines in the order of their addresses, and the tags of a
 * small L2 fit the caches of the host anyway. */
static bool line_by_line(const struct gpu *g) {
  return tech_chosen(g->tech, 0) || (!g->team && lines(g) <= SMALL);
}

static void warm_begin(struct warming *w) {
  w->line = xmalloc(BATCH * sizeof *w->line);
  w->slice = xmalloc(BATCH * sizeof *w->slice);
  w->sorted = xmalloc(BATCH * sizeof *w->sorted);
  w->slice_sorted = xmalloc(BATCH * sizeof *w->slice_sorted);
  w->begin = xcalloc(w->g->k.l2.channels + 1u, sizeof *w->begin);
}

static void warm_end(struct warming *w) {
  warm_batch(w);
  free(w->line), free(w->slice), free(w->sorted), free(w->slice_sorted), free(w->begin);
}

static void warm(struct warming *w, uint64_t line) {
  if (!w->line) {
    struct addr_place at = addrmap_place(&w->g->k.l2.map, line);
    warm_line(w->g, at.slice, at.address);
    return;
  }
  w->line[w->n++] = line;
  if (w->n == BATCH)
    warm_batch(w);
}

/* So many bytes copied in one go leave nothing in the L2 of what was there before. */
static uint64_t most_bytes(const struct gpu *g) {
  return lines(g) * g->k.line_bytes * 4;
}

void gpu_warm_l2(struct gpu *g, const struct functional_buffer *b, size_t n) {
  uint64_t bytes = g->k.line_bytes, most = most_bytes(g);
  struct warming w = {.g = g};
  if (!line_by_line(g))
    warm_begin(&w);
  size_t first = n;
  while (first && (first == n || b[first].size < most))
    first--;
  for (size_t i = first; i < n; i++) {
    uint64_t at = b[i].address / bytes * bytes, end = b[i].address + b[i].size;
    if (end - at > most) /* the end of it is left */
      at = (end - most) / bytes * bytes;
    for (; at < end; at += bytes)
      warm(&w, at);
  }
  if (w.line)
    warm_end(&w);
}
