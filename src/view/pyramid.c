#include "view/pyramid.h"
#include "base/mem.h"
#include "timeline/buffer.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void base64(FILE *to, const uint8_t *p, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    uint32_t left = (uint32_t)(n - i), v = (uint32_t)p[i] << 16;
    v |= left > 1 ? (uint32_t)p[i + 1] << 8 : 0;
    v |= left > 2 ? p[i + 2] : 0;
    char out[4] = {digits[v >> 18], digits[v >> 12 & 63], left > 1 ? digits[v >> 6 & 63] : '=',
                   left > 2 ? digits[v & 63] : '='};
    fwrite(out, 1, 4, to);
  }
}

void page_bytes(FILE *to, const char *id, const uint8_t *at, size_t n) {
  uLongf size = compressBound((uLong)n);
  uint8_t *packed = xmalloc(size);
  if (compress2(packed, &size, n ? at : (const uint8_t *)"", (uLong)n, 6) != Z_OK)
    panic("zlib cannot compress %zu bytes", n);
  fprintf(to, "<script type=\"text/plain\" id=\"%s\">", id);
  base64(to, packed, size);
  fputs("</script>\n", to);
  free(packed);
}

void pyramid_init(struct pyramid *p, FILE *to, const char *id, size_t ncolumns, size_t per_chunk,
                  unsigned finest) {
  *p = (struct pyramid){.to = to, .ncolumns = ncolumns, .per_chunk = per_chunk, .finest = finest};
  snprintf(p->id, sizeof p->id, "%s", id);
}

static void emit(struct pyramid *p, unsigned l) {
  struct pyramid_level *v = &p->level[l];
  if (!v->n)
    return;
  if (l >= p->finest) {
    struct tl_out out = {0};
    tl_put(&out, v->n);
    for (size_t c = 0; c < p->ncolumns; c++)
      tl_put_column(&out, v->rows + c, v->n, p->ncolumns);
    char id[160];
    snprintf(id, sizeof id, "%s.%u.%zu", p->id, l, v->nchunks);
    page_bytes(p->to, id, out.at, out.n);
    tl_out_free(&out);
  }
  VEC_PUSH(v->starts, v->nchunks, v->cap_chunks) = v->start;
  v->start = v->time;
  v->n = 0;
}

static void push(struct pyramid *p, unsigned l, const uint64_t *row) {
  struct pyramid_level *v = &p->level[l];
  if (!v->rows) {
    v->rows = xmalloc(p->per_chunk * p->ncolumns * sizeof *v->rows);
    v->sum = xcalloc(p->ncolumns, sizeof *v->sum);
  }
  memcpy(v->rows + v->n * p->ncolumns, row, p->ncolumns * sizeof *row);
  v->n++, v->total++;
  v->time += row[0];
  if (v->n == p->per_chunk)
    emit(p, l);
  if (l + 1 == PYRAMID_LEVELS)
    return;
  for (size_t c = 0; c < p->ncolumns; c++)
    v->sum[c] += row[c];
  if (++v->nsum < PYRAMID_FACTOR)
    return;
  push(p, l + 1, v->sum);
  memset(v->sum, 0, p->ncolumns * sizeof *v->sum);
  v->nsum = 0;
}

void pyramid_push(struct pyramid *p, const uint64_t *row) {
  push(p, 0, row);
}

void pyramid_end(struct pyramid *p) {
  for (unsigned l = 0; l < PYRAMID_LEVELS; l++) {
    struct pyramid_level *v = &p->level[l];
    if (!v->rows)
      break;
    if (v->nsum && l + 1 < PYRAMID_LEVELS && v->total > 1) {
      push(p, l + 1, v->sum);
      v->nsum = 0;
    }
    emit(p, l);
  }
}

void pyramid_json(const struct pyramid *p, struct json *j) {
  json_u64(j, "finest", p->finest);
  json_u64(j, "perChunk", p->per_chunk);
  json_open(j, "levels", '[');
  for (unsigned l = 0; l < PYRAMID_LEVELS && p->level[l].total; l++) {
    json_open(j, NULL, '{');
    json_u64(j, "rows", p->level[l].total);
    json_u64s(j, "starts", p->level[l].starts, p->level[l].nchunks);
    json_close(j);
  }
  json_close(j);
}

void pyramid_free(struct pyramid *p) {
  for (unsigned l = 0; l < PYRAMID_LEVELS; l++)
    free(p->level[l].rows), free(p->level[l].sum), free(p->level[l].starts);
}
