#include "base/mem.h"
#include "base/pool.h"
#include "front/ptx/ops.h"
#include "front/registers.h"
#include "front/trace/bytes.h"
#include "front/ptx/assemble/assemble.h"
#include "front/trace/trace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { HEAD_BYTES = 40, TAIL_BYTES = 24, CHUNK_HEAD = 16, MOST_BLOCKS = 1 << 22, MOST_INSTS = 1 << 16 };

struct program_blocks {
  struct sluice_block *block;
  size_t n;
};

struct trace_reader {
  char *path;
  const uint8_t *map;
  uint64_t size;
  struct trace_head head;
  struct program_blocks *program;
  struct trace_launch *launch;
  uint64_t *begins;
  struct {
    uint64_t address, size;
  } * buffer;
};

static bool refuse(const struct trace_reader *r, const char *what, struct error *err) {
  return error_set(err, EXIT_USAGE, "%s: %s", r->path, what);
}

/* The chunk at `at`, unpacked; at moves past it. NULL after filling err. */
static uint8_t *unpack(const struct trace_reader *r, uint64_t *at, uint32_t kind, size_t *n,
                       struct error *err) {
  uint32_t head[4];
  uint64_t end = r->size - TAIL_BYTES;
  if (*at < HEAD_BYTES || *at > end || end - *at < CHUNK_HEAD) {
    refuse(r, "the recorded stream is cut off", err);
    return NULL;
  }
  memcpy(head, r->map + *at, sizeof head);
  if ((kind && head[0] != kind) || head[1] > CHUNK_LIMIT || head[2] > end - *at - CHUNK_HEAD) {
    error_set(err, EXIT_USAGE, "%s: at byte %llu something else than expected", r->path,
              (unsigned long long)*at);
    return NULL;
  }
  uint8_t *out = xmalloc(head[1] + 1u);
  size_t got = ZSTD_decompress(out, head[1], r->map + *at + CHUNK_HEAD, head[2]);
  if (ZSTD_isError(got) || got != head[1]) {
    error_set(err, EXIT_USAGE, "%s: damaged at byte %llu: %s", r->path, (unsigned long long)*at,
              ZSTD_isError(got) ? ZSTD_getErrorName(got) : "wrong length");
    free(out);
    return NULL;
  }
  *at += CHUNK_HEAD + head[2];
  *n = head[1];
  return out;
}

static uint32_t kind_at(const struct trace_reader *r, uint64_t at) {
  uint32_t kind = 0;
  if (at >= HEAD_BYTES && at <= r->size - TAIL_BYTES - CHUNK_HEAD)
    memcpy(&kind, r->map + at, 4);
  return kind;
}

static bool inst_read(struct bytes *b, struct sluice_inst *i) {
  uint8_t h[8];
  take(b, h, sizeof h);
  *i = (struct sluice_inst){.klass = h[0],
                            .unit = h[1],
                            .flags = h[2],
                            .space = h[3],
                            .bytes = h[4],
                            .cache_op = h[5],
                            .ndst = h[6],
                            .nsrc = h[7]};
  take(b, i->dst, sizeof i->dst);
  take(b, i->src, sizeof i->src);
  i->line = get_u32(b);
  return !b->bad && i->klass < SLUICE_NCLASSES && i->unit < PTX_NUNITS && i->ndst <= SLUICE_MAX_REGS &&
         i->nsrc <= SLUICE_MAX_REGS && i->bytes <= 32 && i->space <= SLUICE_SP_GENERIC &&
         i->cache_op <= SLUICE_STENCIL;
}

static bool program_read(struct bytes *b, struct program_blocks *p) {
  uint32_t known = get_u32(b);
  size_t cap = 0;
  for (uint32_t k = 0; k < known && !b->bad; k++) {
    uint32_t number = get_u32(b), n = get_u32(b);
    if (b->bad || number >= MOST_BLOCKS || n > MOST_INSTS)
      return false;
    if (number >= p->n) {
      if (number >= cap) {
        cap = number + 1u > 2 * cap ? number + 1u : 2 * cap;
        p->block = xrealloc(p->block, cap * sizeof *p->block);
      }
      memset(p->block + p->n, 0, (number + 1u - p->n) * sizeof *p->block);
      p->n = number + 1u;
    }
    if (p->block[number].insts)
      return false;
    struct sluice_inst *insts = xcalloc(n + 1u, sizeof *insts);
    p->block[number] = (struct sluice_block){n, insts};
    for (uint32_t i = 0; i < n; i++)
      if (!inst_read(b, &insts[i]))
        return false;
  }
  return !b->bad;
}

static bool blocks_read(struct trace_reader *r, uint64_t at, struct error *err) {
  size_t n;
  uint8_t *raw = unpack(r, &at, CHUNK_BLOCKS, &n, err);
  if (!raw)
    return false;
  struct bytes b = {raw, n, false};
  bool ok = true;
  for (size_t p = 0; ok && p < r->head.programs; p++)
    ok = get_u32(&b) == p && program_read(&b, &r->program[p]);
  free(raw);
  return ok || refuse(r, "its blocks are damaged", err);
}

static bool index_read(struct trace_reader *r, uint64_t at, struct error *err) {
  size_t n;
  uint8_t *raw = unpack(r, &at, CHUNK_INDEX, &n, err);
  if (!raw)
    return false;
  struct bytes b = {raw, n, false};
  r->head.footprint = get_u64(&b);
  r->head.launches = get_u32(&b);
  r->head.programs = get_u32(&b);
  bool ok = !b.bad && b.n == r->head.launches * 8 && r->head.programs <= 4096;
  if (ok) {
    r->begins = xcalloc(r->head.launches + 1, sizeof *r->begins);
    r->launch = xcalloc(r->head.launches + 1, sizeof *r->launch);
    r->program = xcalloc(r->head.programs + 1, sizeof *r->program);
    for (size_t i = 0; i < r->head.launches; i++)
      r->begins[i] = get_u64(&b);
  } else {
    r->head.launches = r->head.programs = 0;
  }
  free(raw);
  return ok || refuse(r, "its index is damaged", err);
}

static bool launch_read(struct trace_reader *r, size_t i, struct error *err) {
  struct trace_launch *l = &r->launch[i];
  uint64_t at = r->begins[i];
  size_t n;
  uint8_t *raw = unpack(r, &at, CHUNK_LAUNCH, &n, err);
  if (!raw)
    return false;
  struct bytes b = {raw, n, false};
  l->kernel = get_text(&b);
  l->program = get_u32(&b);
  uint64_t threads = 1;
  for (int k = 0; k < 3; k++) {
    l->grid[k] = get_u32(&b), l->block[k] = get_u32(&b);
    threads = threads > 65536 || l->block[k] > 65536 ? 65537 : threads * l->block[k];
  }
  l->dynamic_shared = get_u64(&b), l->static_shared = get_u64(&b);
  l->registers = get_u32(&b);
  /* recordings of earlier versions end here */
  l->registers_from = !b.bad && b.n ? get_u32(&b) : (uint32_t)REGISTERS_RECORDING;
  bool ok = !b.bad && l->program < r->head.programs && threads && threads <= 65536 && l->registers <= 4096 &&
            l->registers_from < REGISTERS_NFROM && l->dynamic_shared < UINT32_MAX &&
            l->static_shared < UINT32_MAX;
  free(raw);
  if (!ok)
    return refuse(r, "a launch is damaged", err);
  while (kind_at(r, at) == CHUNK_SEGMENTS) { /* to the end, which has its totals */
    uint32_t head[4];
    memcpy(head, r->map + at, sizeof head);
    at += CHUNK_HEAD + (uint64_t)head[2];
  }
  if (!(raw = unpack(r, &at, CHUNK_END, &n, err)))
    return false;
  b = (struct bytes){raw, n, false};
  l->ctas_done = get_u64(&b), l->violations = get_u64(&b), l->words = get_u64(&b);
  free(raw);
  return !b.bad || refuse(r, "the end of a launch is damaged", err);
}

static bool memory_read(struct trace_reader *r, struct error *err) {
  uint64_t at = HEAD_BYTES;
  size_t n;
  if (!r->head.launches)
    return true;
  uint8_t *raw = unpack(r, &at, CHUNK_MEMORY, &n, err);
  if (!raw)
    return false;
  r->head.buffers = n / 16;
  r->buffer = xcalloc(r->head.buffers + 1, sizeof *r->buffer);
  memcpy(r->buffer, raw, r->head.buffers * 16);
  free(raw);
  for (size_t i = 0; i < r->head.buffers; i++)
    if (r->buffer[i].address >= DEVMEM_LIMIT || r->buffer[i].size >= DEVMEM_LIMIT)
      return refuse(r, "its list of buffers is damaged", err);
  return true;
}

static void unmap(void *reader) {
  const struct trace_reader *r = reader;
  munmap((void *)r->map, r->size);
}

static bool map(struct trace_reader *r, struct error *err) {
  int fd = open(r->path, O_RDONLY | O_CLOEXEC);
  struct stat st;
  if (fd < 0 || fstat(fd, &st) != 0) {
    error_set(err, EXIT_USAGE, "%s: %s", r->path, strerror(errno));
    if (fd >= 0)
      close(fd);
    return false;
  }
  r->size = (uint64_t)st.st_size;
  if (S_ISREG(st.st_mode) && r->size >= HEAD_BYTES + TAIL_BYTES) {
    void *p = mmap(NULL, r->size, PROT_READ, MAP_PRIVATE, fd, 0);
    r->map = p == MAP_FAILED ? NULL : p;
    if (r->map)
      pool_ends(unmap, r);
  }
  close(fd);
  return r->map || refuse(r, "not a recorded stream (too short)", err);
}

static bool head_read(struct trace_reader *r, struct error *err) {
  uint32_t h[7];
  if (memcmp(r->map, TRACE_MAGIC, 8) != 0)
    return refuse(r, "not a recorded stream", err);
  memcpy(h, r->map + 8, sizeof h);
  if (h[0] != TRACE_VERSION)
    return error_set(err, EXIT_USAGE, "%s: version %u of the format; this program reads version %d", r->path,
                     h[0], TRACE_VERSION);
  r->head.warp_width = h[1], r->head.window = h[2], r->head.turn = h[3], r->head.schedule = h[4];
  r->head.origin = h[5], r->head.access = h[6];
  r->head.bytes = r->size;
  if (h[1] < 1 || h[1] > 64 || h[4] >= NSCHEDULES || h[5] >= TRACE_NORIGINS || h[6] > 3)
    return refuse(r, "its head is damaged", err);
  if (memcmp(r->map + r->size - 8, TRACE_MAGIC, 8) != 0)
    return refuse(r, "the recorded stream is cut off", err);
  return true;
}

struct trace_reader *trace_open(const char *path, struct error *err) {
  struct trace_reader *r = xcalloc(1, sizeof *r);
  r->path = xstrdup(path);
  uint64_t at[2] = {0, 0};
  bool ok = map(r, err) && head_read(r, err);
  if (ok)
    memcpy(at, r->map + r->size - TAIL_BYTES, sizeof at);
  ok = ok && index_read(r, at[1], err) && blocks_read(r, at[0], err) && memory_read(r, err);
  for (size_t i = 0; ok && i < r->head.launches; i++)
    ok = launch_read(r, i, err);
  if (ok)
    return r;
  trace_free(r);
  return NULL;
}

void trace_free(struct trace_reader *r) {
  if (!r)
    return;
  for (size_t p = 0; p < r->head.programs; p++) {
    for (size_t i = 0; i < r->program[p].n; i++)
      free((void *)r->program[p].block[i].insts);
    free(r->program[p].block);
  }
  for (size_t i = 0; i < r->head.launches; i++)
    free((void *)r->launch[i].kernel);
  if (r->map) {
    pool_ended(r);
    unmap(r);
  }
  free(r->program), free(r->launch), free(r->begins), free(r->buffer), free(r->path);
  free(r);
}

bool trace_is(const char *path) {
  char head[8] = {0};
  FILE *f = fopen(path, "rb");
  if (!f)
    return false;
  bool yes = fread(head, 1, 8, f) == 8 && memcmp(head, TRACE_MAGIC, 8) == 0;
  fclose(f);
  return yes;
}

struct trace_head trace_head(const struct trace_reader *r) {
  return r->head;
}
void trace_buffer(const struct trace_reader *r, size_t i, uint64_t *address, uint64_t *size) {
  *address = r->buffer[i].address;
  *size = r->buffer[i].size;
}
const struct trace_launch *trace_launch_at(const struct trace_reader *r, size_t i) {
  return &r->launch[i];
}

struct replay {
  struct trace_reader *r;
  const struct trace_launch *l;
  const struct program_blocks *p;
  uint64_t at, done;
  uint8_t *raw; /* the chunk being read */
  struct bytes b;
  uint32_t *words;
  size_t cap;
  uint32_t nwarps;
};

static int replay_next(void *source, struct sluice_segment *seg, struct error *err) {
  struct replay *t = source;
  while (!t->b.n) {
    free(t->raw);
    t->raw = NULL;
    if (kind_at(t->r, t->at) != CHUNK_SEGMENTS)
      return 0;
    size_t n;
    t->raw = unpack(t->r, &t->at, CHUNK_SEGMENTS, &n, err);
    if (!t->raw)
      return -1;
    t->b = (struct bytes){t->raw, n, false};
  }
  uint64_t cta = get_u64(&t->b);
  uint32_t turn = get_u32(&t->b), n = get_u32(&t->b);
  if (t->b.bad || n > t->b.n / 4) {
    refuse(t->r, "a segment is damaged", err);
    return -1;
  }
  if (n >= t->cap) /* of an empty one, too, there is an address */
    t->words = xrealloc(t->words, (t->cap = n + 1u) * sizeof *t->words);
  if (n)
    take(&t->b, t->words, (size_t)n * 4);
  if (!trace_segment_ok(t->p->block, t->p->n, t->words, n, t->r->head.warp_width, t->nwarps)) {
    error_set(err, EXIT_USAGE, "%s: a segment of CTA %llu is damaged", t->r->path, (unsigned long long)cta);
    return -1;
  }
  *seg = (struct sluice_segment){.cta = cta,
                                 .turn = turn >> 1,
                                 .last = turn & 1,
                                 .warp_width = t->r->head.warp_width,
                                 .words = t->words,
                                 .n = n};
  t->done += seg->last;
  return 1;
}

static struct sluice_block replay_block(const void *source, uint32_t block) {
  return ((const struct replay *)source)->p->block[block];
}
static uint32_t replay_blocks(const void *source) {
  return (uint32_t)((const struct replay *)source)->p->n;
}
static uint64_t replay_ctas(const void *source) {
  const uint32_t *grid = ((const struct replay *)source)->l->grid;
  return (uint64_t)grid[0] * grid[1] * grid[2];
}
static uint64_t replay_done(const void *source) {
  return ((const struct replay *)source)->done;
}
static uint64_t replay_violations(const void *source) {
  return ((const struct replay *)source)->l->violations;
}
static void replay_free(void *source) {
  struct replay *t = source;
  free(t->raw), free(t->words);
  free(t);
}

struct exec *trace_exec(struct trace_reader *r, size_t launch) {
  struct replay *t = xcalloc(1, sizeof *t);
  t->r = r;
  t->l = &r->launch[launch];
  t->p = &r->program[t->l->program];
  t->at = r->begins[launch];
  uint32_t head[4];
  memcpy(head, r->map + t->at, sizeof head);
  t->at += CHUNK_HEAD + (uint64_t)head[2];
  uint32_t threads = t->l->block[0] * t->l->block[1] * t->l->block[2];
  t->nwarps = (threads + r->head.warp_width - 1) / r->head.warp_width;
  static const struct exec_source ops = {.next = replay_next,
                                         .block = replay_block,
                                         .blocks = replay_blocks,
                                         .ctas = replay_ctas,
                                         .done = replay_done,
                                         .violations = replay_violations,
                                         .free = replay_free};
  return exec_of_source(&ops, t);
}
