#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "front/trace/bytes.h"
#include "front/trace/trace.h"
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { LEVEL = 3 };

struct trace_writer {
  struct file_stream file;
  ZSTD_CCtx *zstd;
  struct strbuf segments; /* not yet written */
  char *packed;
  size_t packed_cap;
  uint64_t at; /* bytes written */
  bool failed, memory;
  bool too_long; /* a chunk went over the limit: the file is of no use */
  struct {
    struct sluice_block *block;
    size_t n;
  } * program;
  size_t nprograms;
  uint32_t running; /* program of the launch */
  uint64_t words;
  struct strbuf index;
  uint32_t launches;
};

static void put(struct trace_writer *w, const void *p, size_t n) {
  if (!w->failed && n && fwrite(p, 1, n, w->file.to) != n)
    w->failed = true;
  w->at += n;
}

static void chunk(struct trace_writer *w, uint32_t kind, struct strbuf *body) {
  if (body->n > CHUNK_LIMIT) { /* the reader would refuse it */
    w->too_long = true;
    body->n = 0;
    return;
  }
  size_t need = ZSTD_compressBound(body->n);
  if (need > w->packed_cap) {
    w->packed = xrealloc(w->packed, need);
    w->packed_cap = need;
  }
  size_t n = ZSTD_compress2(w->zstd, w->packed, w->packed_cap, strbuf_str(body), body->n);
  if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
    out_of_memory(need);
  if (ZSTD_isError(n))
    panic("compressing %zu bytes failed: %s", body->n, ZSTD_getErrorName(n));
  uint32_t head[4] = {kind, (uint32_t)body->n, (uint32_t)n, 0};
  put(w, head, sizeof head);
  put(w, w->packed, n);
  body->n = 0;
}

static void end_zstd(void *zstd) {
  ZSTD_freeCCtx(zstd);
}

struct trace_writer *trace_create(const char *path, const struct exec_options *o, enum trace_origin origin,
                                  struct error *err) {
  struct trace_writer *w = xcalloc(1, sizeof *w);
  if (!file_stream_open(&w->file, path, err)) {
    free(w);
    return NULL;
  }
  w->zstd = ZSTD_createCCtx();
  if (!w->zstd)
    out_of_memory(0);
  pool_ends(end_zstd, w->zstd);
  ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
  struct strbuf head = {0};
  strbuf_addn(&head, TRACE_MAGIC, 8);
  put_u32(&head, TRACE_VERSION);
  put_u32(&head, o->warp_width);
  put_u32(&head, o->window);
  put_u32(&head, o->turn);
  put_u32(&head, (uint32_t)o->schedule), put_u32(&head, origin);
  put_u32(&head, front_access(o->shared, o->lanes)), put_u32(&head, 0);
  put(w, head.s, head.n);
  strbuf_free(&head);
  return w;
}

void trace_buffers(struct trace_writer *w, const uint64_t *address_size, size_t n) {
  struct strbuf b = {0};
  for (size_t i = 0; i < 2 * n; i++)
    put_u64(&b, address_size[i]);
  chunk(w, CHUNK_MEMORY, &b);
  strbuf_free(&b);
  w->memory = true;
}

static void buffers(struct trace_writer *w, const struct devmem *mem) {
  struct strbuf b = {0};
  for (size_t i = 0; i < devmem_count(mem); i++) {
    const struct devbuf *k = devmem_at(mem, i);
    if (k->freed)
      continue;
    put_u64(&b, k->addr), put_u64(&b, k->size);
  }
  chunk(w, CHUNK_MEMORY, &b);
  strbuf_free(&b);
}

void trace_begin(struct trace_writer *w, const struct trace_launch *l, const struct devmem *mem) {
  if (!w->memory)
    buffers(w, mem);
  w->memory = true;
  while (l->program >= w->nprograms) {
    w->program = xrealloc(w->program, (w->nprograms + 1) * sizeof *w->program);
    w->program[w->nprograms].block = NULL;
    w->program[w->nprograms++].n = 0;
  }
  w->running = l->program;
  w->words = 0;
  put_u64(&w->index, w->at);
  w->launches++;
  struct strbuf b = {0};
  put_text(&b, l->kernel);
  put_u32(&b, l->program);
  for (int i = 0; i < 3; i++)
    put_u32(&b, l->grid[i]), put_u32(&b, l->block[i]);
  put_u64(&b, l->dynamic_shared), put_u64(&b, l->static_shared);
  put_u32(&b, l->registers), put_u32(&b, l->registers_from);
  chunk(w, CHUNK_LAUNCH, &b);
  strbuf_free(&b);
}

static void learn(struct sluice_block *k, const struct exec *x, uint32_t number) {
  struct sluice_block b = exec_block(x, number);
  struct sluice_inst *copy = xcalloc(b.ninst + 1, sizeof *copy);
  memcpy(copy, b.insts, b.ninst * sizeof *copy);
  *k = (struct sluice_block){b.ninst, copy};
}

/* Remembers a block a segment mentions, and all before it: where a block's code lies follows from them. */
static const struct sluice_block *note_block(struct trace_writer *w, const struct exec *x, uint32_t number) {
  struct sluice_block **list = &w->program[w->running].block;
  size_t *n = &w->program[w->running].n;
  if (number >= *n) {
    *list = xrealloc(*list, (number + 1u) * sizeof **list);
    for (; *n <= number; ++*n)
      learn(&(*list)[*n], x, (uint32_t)*n);
  }
  return &(*list)[number];
}

void trace_segment(struct trace_writer *w, const struct exec *x, const struct sluice_segment *s) {
  for (const uint32_t *p = s->words, *end = p + s->n; p < end;)
    if (!(p = trace_record_end(note_block(w, x, p[0]), p, end, s->warp_width)))
      panic("a segment of CTA %llu does not end on a record", (unsigned long long)s->cta);
  trace_words(w, s);
}

void trace_words(struct trace_writer *w, const struct sluice_segment *s) {
  if (w->segments.n + s->n * 4 + 64 > CHUNK_TARGET && w->segments.n)
    chunk(w, CHUNK_SEGMENTS, &w->segments);
  put_u64(&w->segments, s->cta);
  put_u32(&w->segments, s->turn << 1 | s->last);
  put_u32(&w->segments, (uint32_t)s->n);
  if (s->n)
    strbuf_addn(&w->segments, (const char *)s->words, s->n * 4);
  w->words += s->n;
}

void trace_blocks(struct trace_writer *w, uint32_t program, struct sluice_block *blocks, size_t n) {
  if (w->program[program].block)
    panic("the blocks of program %u are given twice", program);
  w->program[program].block = blocks;
  w->program[program].n = n;
}

void trace_end(struct trace_writer *w, uint64_t ctas_done, uint64_t violations) {
  if (w->segments.n)
    chunk(w, CHUNK_SEGMENTS, &w->segments);
  struct strbuf b = {0};
  put_u64(&b, ctas_done), put_u64(&b, violations), put_u64(&b, w->words);
  chunk(w, CHUNK_END, &b);
  strbuf_free(&b);
}

static void put_inst(struct strbuf *b, const struct sluice_inst *i) {
  const uint8_t head[8] = {i->klass, i->unit, i->flags, i->space, i->bytes, i->cache_op, i->ndst, i->nsrc};
  strbuf_addn(b, (const char *)head, sizeof head);
  strbuf_addn(b, (const char *)i->dst, sizeof i->dst);
  strbuf_addn(b, (const char *)i->src, sizeof i->src);
  put_u32(b, i->line);
}

static void put_blocks(struct trace_writer *w) {
  struct strbuf b = {0};
  for (size_t p = 0; p < w->nprograms; p++) {
    put_u32(&b, (uint32_t)p);
    uint32_t known = 0;
    for (size_t i = 0; i < w->program[p].n; i++)
      known += w->program[p].block[i].insts != NULL;
    put_u32(&b, known);
    for (size_t i = 0; i < w->program[p].n; i++) {
      const struct sluice_block *k = &w->program[p].block[i];
      if (!k->insts)
        continue;
      put_u32(&b, (uint32_t)i);
      put_u32(&b, k->ninst);
      for (uint32_t j = 0; j < k->ninst; j++)
        put_inst(&b, &k->insts[j]);
    }
  }
  chunk(w, CHUNK_BLOCKS, &b);
  strbuf_free(&b);
}

static void writer_free(struct trace_writer *w) {
  for (size_t p = 0; p < w->nprograms; p++) {
    for (size_t i = 0; i < w->program[p].n; i++)
      free((void *)w->program[p].block[i].insts);
    free(w->program[p].block);
  }
  pool_ended(w->zstd);
  ZSTD_freeCCtx(w->zstd);
  strbuf_free(&w->segments), strbuf_free(&w->index);
  free(w->program), free(w->packed);
  free(w);
}

bool trace_close(struct trace_writer *w, uint64_t footprint, bool keep, struct error *err) {
  if (!w)
    return true;
  bool ok = keep;
  if (keep) {
    uint64_t blocks = w->at, index;
    put_blocks(w);
    index = w->at;
    struct strbuf b = {0};
    put_u64(&b, footprint);
    put_u32(&b, w->launches);
    put_u32(&b, (uint32_t)w->nprograms);
    strbuf_addn(&b, strbuf_str(&w->index), w->index.n);
    chunk(w, CHUNK_INDEX, &b);
    put_u64(&b, blocks), put_u64(&b, index);
    strbuf_addn(&b, TRACE_MAGIC, 8);
    put(w, b.s, b.n);
    strbuf_free(&b);
    if (w->too_long)
      ok = error_add(err, EXIT_USAGE,
                     "%s: a turn of one CTA, or the program, takes more than %d MiB of the stream; a smaller "
                     "front.turn makes shorter turns",
                     w->file.path, CHUNK_LIMIT >> 20);
    else if (w->failed)
      ok = error_add(err, EXIT_RUNTIME, "%s: cannot write: %s", w->file.path, strerror(errno));
  }
  if (ok)
    ok = file_stream_commit(&w->file, err);
  else
    file_stream_abort(&w->file);
  writer_free(w);
  return ok;
}
