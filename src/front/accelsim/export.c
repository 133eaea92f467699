/* From a recorded stream to the text that Accel-Sim reads. Where its reader is choosy, so is this: one destination and
 * four sources at most, opcodes of its maps, an EXIT for every lane, a newline behind every line. */
#include "base/bits.h"
#include "base/file.h"
#include "base/mem.h"
#include "front/accelsim/access.h"
#include "front/accelsim/accelsim.h"
#include "front/devmem.h"
#include "front/trace/trace.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTION = 16 /* bytes, as on Volta */, TRACER = 4 };
static const struct windows windows = {DEVMEM_LIMIT, DEVMEM_LIMIT + (UINT64_C(1) << 24)};

/* A CTA whose turns are not all there. */
struct pending {
  uint64_t cta;
  bool complete;
  struct words words;
};

struct record {
  uint32_t warp;
  size_t at; /* in the CTA's words */
};

/* An instruction as a line has it, between its mask and its addresses. */
struct said {
  char *text[2]; /* [1]: where lanes exit */
  uint32_t barrier;
};

struct out {
  struct trace_reader *t;
  struct accelsim_export *o;
  struct file_stream f;
  struct exec *x;
  const struct trace_launch *l;
  uint64_t *pc; /* of each block, in instructions */
  struct said **said;
  uint32_t nblocks, nwarps, threads;
  struct pending *queue; /* in the order of their first turns */
  size_t n, cap;
  struct record *record;
  size_t nrecords, cap_records;
  struct strbuf opcode, line;
  struct progress progress;
  uint64_t words;
};

static void say(struct strbuf *to, const struct sass_line *l) {
  strbuf_addf(to, "%u ", l->ndst);
  for (unsigned i = 0; i < l->ndst; i++)
    strbuf_addf(to, "R%u ", l->dst[i]);
  strbuf_addn(to, l->opcode, l->n);
  strbuf_addf(to, " %u ", l->nsrc);
  for (unsigned i = 0; i < l->nsrc; i++)
    strbuf_addf(to, "R%u ", l->src[i]);
  strbuf_addf(to, "%u", l->width);
}

static void put_static(struct out *o, uint32_t block, uint32_t i, const struct sluice_inst *in,
                       const struct sass_extra *x, bool exits) {
  struct sass_line l;
  struct said *s = &o->said[block][i];
  bool usual = !x->banks && !x->taken && (!s->text[exits] || s->barrier == x->barrier);
  if (usual && s->text[exits]) {
    strbuf_add(&o->line, s->text[exits]);
    return;
  }
  sass_encode(in, x, exits, &o->opcode, &l);
  size_t from = o->line.n;
  say(&o->line, &l);
  if (usual) {
    s->text[exits] = xstrdup(o->line.s + from);
    s->barrier = x->barrier;
  }
}

/* As the tracer does: base and stride where lanes in a row have them, else base and differences. */
static void put_addresses(struct strbuf *to, const uint64_t *address, uint32_t mask) {
  unsigned first = (unsigned)__builtin_ctz(mask), n = count_bits(mask);
  uint32_t row = mask >> first;
  bool line = n > 1 && !(row & (row + 1));
  int64_t stride = n > 1 ? (int64_t)(address[first + (line ? 1 : 0)] - address[first]) : 0;
  for (unsigned i = 2; line && i < n; i++)
    line = (int64_t)(address[first + i] - address[first + i - 1]) == stride;
  line = line && stride >= INT32_MIN && stride <= INT32_MAX;
  strbuf_addf(to, " %d 0x%016llx", line ? 1 : 2, (unsigned long long)address[first]);
  if (line) {
    strbuf_addf(to, " %lld", (long long)stride);
    return;
  }
  uint64_t before = address[first];
  for (uint32_t m = mask & (mask - 1); m; m &= m - 1) {
    uint64_t a = address[__builtin_ctz(m)];
    strbuf_addf(to, " %lld", (long long)(a - before));
    before = a;
  }
}

static bool flush(struct out *o, struct error *err) {
  if (o->line.n && fwrite(o->line.s, 1, o->line.n, o->f.to) != o->line.n)
    return error_set(err, EXIT_RUNTIME, "%s: cannot write: %s", o->f.path, strerror(errno));
  o->line.n = 0;
  return true;
}

/* One record; `later`: lanes with more to do. Lanes that exit are added to *exited. */
static bool put_record(struct out *o, const uint32_t *w, uint32_t later, uint32_t *exited,
                       struct error *err) {
  uint32_t number = w[0], all = w[2];
  struct sluice_block b = exec_block(o->x, number);
  w += 3;
  for (uint32_t i = 0; i < b.ninst; i++) {
    const struct sluice_inst *in = &b.insts[i];
    struct sass_extra x = {0};
    uint64_t address[ACCESS_LANES];
    uint32_t mask = in->flags & SLUICE_IF_GUARD && in->klass != SLUICE_BRANCH ? *w++ : all;
    if (in->flags & SLUICE_IF_BARRIER)
      x.barrier = *w++;
    bool accesses = in->flags & SLUICE_IF_ADDRESS && mask;
    if (accesses && !(w = access_get(w, in, &windows, mask, address, &x.banks, &x.taken)))
      return error_set(err, EXIT_USAGE, "a local access of kernel %.100s does not belong to its lane",
                       o->l->kernel);
    if (accesses && in->klass == SLUICE_COPY)
      x.banks = SLUICE_ACCESS_BANKS(*w++);
    bool exits = in->klass == SLUICE_RETURN && !(mask & later) && i + 1 == b.ninst && mask;
    *exited |= exits ? mask : 0;
    strbuf_addf(&o->line, "%04llx %08x ", (unsigned long long)((o->pc[number] + i) * INSTRUCTION), mask);
    put_static(o, number, i, in, &x, exits);
    if (accesses)
      put_addresses(&o->line, address, mask);
    else if (in->flags & SLUICE_IF_ADDRESS)
      strbuf_add(&o->line, " 1 0x0 0"); /* no lane is active */
    strbuf_add(&o->line, "\n");
  }
  o->o->instructions += b.ninst;
  return o->line.n < 1 << 16 || flush(o, err);
}

/* Lanes of the warp that the launch has threads for. */
static uint32_t live_lanes(const struct out *o, uint32_t warp) {
  uint32_t n = o->threads - warp * ACCESS_LANES;
  return n >= ACCESS_LANES ? UINT32_MAX : (1u << n) - 1;
}

/* A warp's records, in order. */
static bool put_warp(struct out *o, const struct words *all, const struct record *r, size_t n, uint32_t warp,
                     struct error *err) {
  uint64_t count = 0;
  const uint32_t *words = all->w;
  uint32_t *later = xcalloc(n + 1, sizeof *later), exited = 0, leave = 0;
  for (size_t i = n; i--;) {
    struct sluice_block b = exec_block(o->x, words[r[i].at]);
    later[i] = later[i + 1] | words[r[i].at + 2];
    count += b.ninst;
  }
  /* lanes exit with a RETURN behind which they do nothing: which do is known before the lines are written */
  for (size_t i = 0; i < n; i++) {
    const uint32_t *w = words + r[i].at;
    struct sluice_block b = exec_block(o->x, w[0]);
    const struct sluice_inst *last = b.ninst ? &b.insts[b.ninst - 1] : NULL;
    const uint32_t *end = trace_record_end(&b, w, words + all->n, ACCESS_LANES);
    if (last && last->klass == SLUICE_RETURN) {
      uint32_t mask = last->flags & SLUICE_IF_GUARD ? end[-1] : w[2];
      leave |= mask & later[i + 1] ? 0 : mask;
    }
  }
  uint32_t rest = live_lanes(o, warp) & ~leave;
  strbuf_addf(&o->line, "\nwarp = %u\ninsts = %llu\n", warp, (unsigned long long)count + (rest != 0));
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++)
    ok = put_record(o, words + r[i].at, later[i + 1], &exited, err);
  free(later);
  if (ok && rest) {
    uint64_t end = o->nblocks ? o->pc[o->nblocks - 1] + exec_block(o->x, o->nblocks - 1).ninst : 0;
    strbuf_addf(&o->line, "%04llx %08x 0 EXIT.ADDED 0 0\n", (unsigned long long)end * INSTRUCTION, rest);
  }
  return ok;
}

static int by_warp(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  if (x->warp != y->warp)
    return x->warp < y->warp ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static bool put_cta(struct out *o, const struct pending *p, struct error *err) {
  const uint32_t *gx = o->l->grid;
  strbuf_addf(&o->line, "\n#BEGIN_TB\n\nthread block = %llu,%llu,%llu\n",
              (unsigned long long)(p->cta % gx[0]), (unsigned long long)(p->cta / gx[0] % gx[1]),
              (unsigned long long)(p->cta / gx[0] / gx[1]));
  o->nrecords = 0;
  for (const uint32_t *w = p->words.w, *end = w + p->words.n; w < end;) {
    struct sluice_block b = exec_block(o->x, w[0]);
    VEC_PUSH(o->record, o->nrecords, o->cap_records) = (struct record){w[1], (size_t)(w - p->words.w)};
    w = trace_record_end(&b, w, end, ACCESS_LANES); /* the reader has checked them */
  }
  if (o->nrecords)
    qsort(o->record, o->nrecords, sizeof *o->record, by_warp);
  size_t from = 0;
  for (uint32_t warp = 0; warp < o->nwarps; warp++) {
    size_t to = from;
    while (to < o->nrecords && o->record[to].warp == warp)
      to++;
    if (!put_warp(o, &p->words, to > from ? o->record + from : NULL, to - from, warp, err))
      return false;
    from = to;
  }
  strbuf_addf(&o->line, "\n#END_TB\n");
  o->o->ctas++;
  return flush(o, err);
}

/* Puts a turn to its CTA. */
static void add(struct out *o, const struct sluice_segment *s) {
  size_t i = s->turn ? 0 : o->n;
  while (i < o->n && o->queue[i].cta != s->cta)
    i++;
  if (i == o->n)
    VEC_PUSH(o->queue, o->n, o->cap) = (struct pending){.cta = s->cta};
  struct pending *p = &o->queue[i];
  if (p->words.n + s->n >= p->words.cap)
    p->words.w = xrealloc(p->words.w, (p->words.cap = (p->words.n + s->n) * 3 / 2 + 16) * sizeof *p->words.w);
  if (s->n)
    memcpy(p->words.w + p->words.n, s->words, s->n * sizeof *s->words);
  p->words.n += s->n;
  p->complete = s->last;
  o->words += s->n;
}

/* Writes those at the head that are complete. */
static bool drain(struct out *o, bool all, struct error *err) {
  size_t done = 0;
  bool ok = true;
  while (ok && done < o->n && (all || o->queue[done].complete)) {
    ok = put_cta(o, &o->queue[done], err);
    free(o->queue[done++].words.w);
  }
  if (done)
    memmove(o->queue, o->queue + done, (o->n - done) * sizeof *o->queue);
  o->n -= done;
  return ok;
}

static void put_head(struct out *o, size_t number) {
  const struct trace_launch *l = o->l;
  bool copies = false;
  for (uint32_t b = 0; b < o->nblocks; b++)
    for (uint32_t i = 0; i < exec_block(o->x, b).ninst; i++)
      copies |= exec_block(o->x, b).insts[i].klass == SLUICE_COPY;
  strbuf_addf(
      &o->line,
      "-kernel name = %s\n-kernel id = %zu\n-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n-shmem = %llu\n"
      "-nregs = %u\n-binary version = %d\n-cuda stream id = 0\n-shmem base_addr = 0x%016llx\n"
      "-local mem base_addr = 0x%016llx\n-nvbit version = none (written by sluice)\n"
      "-accelsim tracer version = %d\n-enable lineinfo = 0\n\n"
      "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
      "[adrrescompress?] [mem_addresses] immediate\n",
      l->kernel, number, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
      (unsigned long long)(l->static_shared + l->dynamic_shared), l->registers,
      copies ? 80 : 70 /* LDGSTS came with Ampere */, (unsigned long long)windows.shared,
      (unsigned long long)windows.local, TRACER);
}

static void begin(struct out *o) {
  o->nblocks = exec_blocks(o->x);
  o->threads = o->l->block[0] * o->l->block[1] * o->l->block[2];
  o->nwarps = (o->threads + ACCESS_LANES - 1) / ACCESS_LANES;
  o->pc = xcalloc(o->nblocks + 1u, sizeof *o->pc);
  o->said = xcalloc(o->nblocks + 1u, sizeof *o->said);
  for (uint32_t b = 0; b < o->nblocks; b++) {
    uint32_t n = exec_block(o->x, b).ninst;
    o->pc[b + 1] = o->pc[b] + n;
    o->said[b] = xcalloc(n + 1u, sizeof **o->said);
  }
}

static void end(struct out *o) {
  for (uint32_t b = 0; b < o->nblocks; b++) {
    for (uint32_t i = 0; i < exec_block(o->x, b).ninst; i++)
      free(o->said[b][i].text[0]), free(o->said[b][i].text[1]);
    free(o->said[b]);
  }
  for (size_t i = 0; i < o->n; i++)
    free(o->queue[i].words.w);
  free(o->said), free(o->pc);
  exec_close(o->x);
  o->n = o->line.n = 0;
}

static bool put_launch(struct out *o, size_t i, uint64_t all_words, struct error *err) {
  struct sluice_segment s;
  int more = -1;
  o->l = trace_launch_at(o->t, i);
  o->x = trace_exec(o->t, i);
  begin(o);
  put_head(o, i + 1);
  bool ok = o->threads <= 1024 ||
            error_set(err, EXIT_USAGE, "kernel %.100s has %u threads in a CTA; Accel-Sim takes 1024",
                      o->l->kernel, o->threads);
  while (ok && (more = exec_next(o->x, &s, err)) > 0) {
    add(o, &s);
    ok = drain(o, false, err);
    progress_update(&o->progress, o->words, all_words, o->o->instructions);
  }
  ok = ok && more == 0 && drain(o, true, err) && flush(o, err);
  end(o);
  o->o->kernels += ok;
  return ok;
}

static bool put_list(struct out *o, const char *folder, struct error *err) {
  struct strbuf path = {0}, b = {0};
  strbuf_addf(&path, "%s/kernelslist.g", folder);
  struct trace_head h = trace_head(o->t);
  for (size_t i = 0; i < h.buffers; i++) {
    uint64_t address, size;
    trace_buffer(o->t, i, &address, &size);
    strbuf_addf(&b, "MemcpyHtoD,0x%016llx,%llu\n", (unsigned long long)address, (unsigned long long)size);
  }
  for (size_t i = 0; i < h.launches; i++)
    strbuf_addf(&b, "kernel-%zu.traceg\n", i + 1);
  bool ok = file_write_atomic(path.s, strbuf_str(&b), b.n, err);
  strbuf_free(&path), strbuf_free(&b);
  return ok;
}

static bool put_launches(struct out *o, const char *folder, struct error *err) {
  struct trace_head h = trace_head(o->t);
  uint64_t words = 0;
  if (h.warp_width != ACCESS_LANES)
    return error_set(err, EXIT_USAGE, "its warps have %u threads; Accel-Sim's traces have warps of 32",
                     h.warp_width);
  if (!file_make_folder(folder, err))
    return false;
  for (size_t i = 0; i < h.launches; i++)
    words += trace_launch_at(o->t, i)->words;
  for (size_t i = 0; i < h.launches; i++) {
    struct strbuf path = {0};
    strbuf_addf(&path, "%s/kernel-%zu.traceg", folder, i + 1);
    bool ok = file_stream_open(&o->f, path.s, err);
    strbuf_free(&path);
    if (!ok)
      return false;
    ok = put_launch(o, i, words, err);
    if (!ok)
      file_stream_abort(&o->f);
    if (!ok || !file_stream_commit(&o->f, err))
      return false;
  }
  return put_list(o, folder, err);
}

bool accelsim_export(const char *stream, const char *folder, struct accelsim_export *options,
                     struct error *err) {
  struct out o = {.o = options, .t = trace_open(stream, err)};
  if (!o.t)
    return false;
  progress_start(&o.progress, options->progress, "warp instructions");
  bool ok = put_launches(&o, folder, err);
  progress_end(&o.progress);
  strbuf_free(&o.opcode), strbuf_free(&o.line);
  free(o.queue), free(o.record);
  trace_free(o.t);
  return ok;
}
