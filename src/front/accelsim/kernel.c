/* A kernel's trace: its head, and thread block after thread block. */
#include "base/bits.h"
#include "base/mem.h"
#include "front/accelsim/import.h"
#include "front/accelsim/line.h"
#include "front/devmem.h"
#include "front/registers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PIECE = 1 << 20 /* words after which a thread block goes to the stream in pieces */,
  LINES_SHOWN = 4096
};

struct head {
  char *name;
  int64_t grid[3], block[3], shared, registers, binary, version, lineinfo;
  uint64_t stream;
  struct windows windows;
};

struct kernel {
  struct import *m;
  struct text *t;
  struct head h;
  uint32_t program;
  uint64_t ctas, linear, last; /* begun; the one at hand; the greatest */
  bool in_cta, any;
  uint32_t turn, warp, nwarps;
  int64_t left; /* instructions that the warp may still have, -1: it has not said */
  uint64_t threads;
};

static bool starts(const char *s, size_t n, const char *word) {
  return n >= strlen(word) && memcmp(s, word, strlen(word)) == 0;
}

/* The key of a head's line; what follows " = " is given back, NULL: another key. */
static const char *value_of(const char *s, const char *key) {
  size_t k = strlen(key);
  if (strncmp(s, key, k) != 0 || strncmp(s + k, " = ", 3) != 0)
    return NULL;
  return s + k + 3;
}

static bool three(const char *v, int64_t to[3]) {
  long long x, y, z;
  int at = 0;
  if (sscanf(v, "(%9lld,%9lld,%9lld)%n", &x, &y, &z, &at) != 3 || !at || (v[at] && v[at] != ' '))
    return false;
  to[0] = x, to[1] = y, to[2] = z;
  return true;
}

static bool number(const char *v, int64_t most, int64_t *to) {
  struct line l = {v, v + strlen(v)};
  uint32_t n;
  if (!line_u32(&l, (uint32_t)most, &n)) /* as in Accel-Sim, what follows a blank is a remark */
    return false;
  *to = n;
  return true;
}

static bool base_address(const char *v, uint64_t *to) {
  struct line l = {v, v + strlen(v)};
  return line_hex(&l, 16, to);
}

/* A line that begins with '-', which is ended by NUL. */
static bool head_line(struct head *h, const char *s, const struct text *t, struct error *err) {
  const char *v;
  bool ok = true;
  if ((v = value_of(s, "-kernel name"))) {
    free(h->name);
    h->name = xstrdup(v);
  } else if ((v = value_of(s, "-grid dim"))) {
    ok = three(v, h->grid);
  } else if ((v = value_of(s, "-block dim"))) {
    ok = three(v, h->block);
  } else if ((v = value_of(s, "-shmem"))) {
    ok = number(v, INT32_MAX, &h->shared);
  } else if ((v = value_of(s, "-nregs"))) {
    ok = number(v, 4096, &h->registers);
  } else if ((v = value_of(s, "-binary version"))) {
    ok = number(v, 9999, &h->binary);
  } else if ((v = value_of(s, "-cuda stream id"))) {
    char *end;
    h->stream = strtoull(v, &end, 10);
    ok = end != v && (!*end || *end == ' ');
  } else if ((v = value_of(s, "-shmem base_addr"))) {
    ok = base_address(v, &h->windows.shared);
  } else if ((v = value_of(s, "-local mem base_addr"))) {
    ok = base_address(v, &h->windows.local);
  } else if ((v = value_of(s, "-accelsim tracer version"))) {
    ok = number(v, 9999, &h->version);
  } else if ((v = value_of(s, "-enable lineinfo"))) {
    ok = number(v, 1, &h->lineinfo);
  }
  return ok || text_error(t, err, "'%.100s': not a value this key can have", s);
}

static bool dims_ok(const struct head *h, const struct text *t, struct error *err) {
  static const char *const axis[] = {"x", "y", "z"};
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    if (h->grid[i] < 1 || h->grid[i] > (i ? 65535 : INT32_MAX))
      return text_error(t, err, "-grid dim: %s is %lld; a grid has 1 to %d", axis[i], (long long)h->grid[i],
                        i ? 65535 : INT32_MAX);
    if (h->block[i] < 1 || h->block[i] > 1024)
      return text_error(t, err, "-block dim: %s is %lld; a thread block has 1 to 1024", axis[i],
                        (long long)h->block[i]);
    threads *= (uint64_t)h->block[i];
  }
  return threads <= 1024 || text_error(t, err, "-block dim: %llu threads; a thread block has at most 1024",
                                       (unsigned long long)threads);
}

static bool head_ok(const struct head *h, const struct text *t, struct error *err) {
  if (!h->name || h->grid[0] < 0 || h->block[0] < 0 || h->shared < 0 || h->registers < 0 || h->binary < 0)
    return text_error(t, err, "the head does not say -%s",
                      !h->name           ? "kernel name"
                      : h->grid[0] < 0   ? "grid dim"
                      : h->block[0] < 0  ? "block dim"
                      : h->shared < 0    ? "shmem"
                      : h->registers < 0 ? "nregs"
                                         : "binary version");
  if (h->version < 3 || h->version > 5)
    return text_error(t, err, "-accelsim tracer version: %s%.0lld; versions 3 to 5 are read",
                      h->version ? "" : "0 or none", (long long)h->version);
  if (h->binary < 50)
    return text_error(t, err, "-binary version: %lld; code from Maxwell (50) on is read",
                      (long long)h->binary);
  return dims_ok(h, t, err);
}

static bool read_head(struct kernel *k, struct error *err) {
  const char *line;
  size_t n;
  int more;
  k->h = (struct head){.grid = {-1}, .block = {-1}, .shared = -1, .registers = -1, .binary = -1};
  while ((more = text_line(k->t, &line, &n, err)) > 0) {
    if (!n)
      continue;
    if (line[0] == '#')
      return head_ok(&k->h, k->t, err);
    if (line[0] != '-')
      return text_error(k->t, err, "'%.*s': a line of the head begins with '-'", (int)(n < 60 ? n : 60),
                        line);
    char *copy = xstrndup(line, n);
    bool ok = head_line(&k->h, copy, k->t, err);
    free(copy);
    if (!ok)
      return false;
  }
  return more == 0 && text_error(k->t, err, "the file ends in its head");
}

static void flush(struct kernel *k, bool last) {
  struct sluice_segment s = {.cta = k->linear,
                             .turn = k->turn++,
                             .last = last,
                             .warp_width = ACCESS_LANES,
                             .words = k->m->words.w,
                             .n = k->m->words.n};
  trace_words(k->m->w, &s);
  k->m->words.n = 0;
}

/* Registers R<n>, as many as a number before them says. */
static bool registers(struct line *l, unsigned *n, uint32_t *reg) {
  uint32_t count;
  if (!line_u32(l, SLUICE_MAX_REGS, &count))
    return false;
  *n = count;
  for (uint32_t i = 0; i < count; i++) {
    line_blanks(l);
    if (l->s == l->end || *l->s != 'R')
      return false;
    l->s++;
    if (!line_u32(l, SASS_MOST_REGS, &reg[i]))
      return false;
  }
  return true;
}

static int32_t note_unknown(struct import *m, const struct text *t, const char *name, size_t n) {
  n = n < UNKNOWN_NAME ? n : UNKNOWN_NAME - 1;
  for (size_t i = 0; i < m->nunknown; i++)
    if (strncmp(m->unknown[i].name, name, n) == 0 && !m->unknown[i].name[n])
      return (int32_t)i;
  if (m->nunknown == UNKNOWN_NAMES)
    return UNKNOWN_NAMES;
  struct unknown *u = &m->unknown[m->nunknown];
  *u = (struct unknown){0};
  memcpy(u->name, name, n);
  snprintf(u->where, sizeof u->where, "%.150s:%llu", text_path(t), (unsigned long long)text_number(t));
  return (int32_t)m->nunknown++;
}

static bool width_ok(uint32_t w) {
  return w <= 32;
}

/* An instruction that no line of this kernel has had before: from the number of its destinations to its width. */
static const struct code_site *new_site(struct kernel *k, uint32_t pc, struct line *l, struct error *err) {
  const char *from = l->s;
  struct sass_line sass = {0};
  struct code_site s = {.pc = pc, .unknown = -1};
  if (!registers(l, &sass.ndst, sass.dst)) {
    text_error(k->t, err, "after the mask: the number of destinations and as many R<n> are expected");
    return NULL;
  }
  line_blanks(l);
  sass.opcode = l->s;
  while (!line_parted(l))
    l->s++;
  sass.n = (size_t)(l->s - sass.opcode);
  if (!sass.n || sass.opcode[0] < 'A' || sass.opcode[0] > 'Z') {
    text_error(k->t, err, "'%.*s': an opcode is expected", (int)(sass.n < 60 ? sass.n : 60), sass.opcode);
    return NULL;
  }
  uint32_t width;
  if (!registers(l, &sass.nsrc, sass.src) || !line_u32(l, UINT32_MAX, &width)) {
    text_error(k->t, err, "after %.*s: the number of sources, as many R<n>, and a width are expected",
               (int)(sass.n < 60 ? sass.n : 60), sass.opcode);
    return NULL;
  }
  if (!width_ok(width)) {
    text_error(k->t, err, "%.*s: a width of %u bytes; 0 to 32 are known", (int)(sass.n < 60 ? sass.n : 60),
               sass.opcode, width);
    return NULL;
  }
  s.width = sass.width = width;
  s.n = (uint32_t)(l->s - from);
  enum sass_result r = sass_decode(&sass, &k->m->o->unknown, &s.inst, &s.x);
  size_t base = 0;
  while (base < sass.n && sass.opcode[base] != '.')
    base++;
  if (r == SASS_BAD) {
    text_error(k->t, err, "'%.*s': a modifier has a number that is too large",
               (int)(sass.n < 100 ? sass.n : 100), sass.opcode);
    return NULL;
  }
  if (r == SASS_UNKNOWN)
    s.unknown = note_unknown(k->m, k->t, sass.opcode, base);
  k->m->copies_seen |= s.inst.klass == SLUICE_COPY;
  if (k->m->copies_seen && base == 6 && memcmp(sass.opcode, "DEPBAR", 6) == 0)
    s.inst.klass = SLUICE_FENCE; /* waits for what LDGSTS copies */
  const struct code_site *site = code_add(k->m->code, &s, from);
  if (!site)
    text_error(k->t, err, "more different instructions than a kernel can have");
  return site;
}

/* The address of each active lane. */
static bool addresses(struct line *l, uint32_t mask, uint64_t *to) {
  uint32_t mode;
  if (!line_u32(l, 2, &mode))
    return false;
  if (mode == 0) {
    for (; mask; mask &= mask - 1)
      if (!line_hex(l, 16, &to[__builtin_ctz(mask)]))
        return false;
    return true;
  }
  uint64_t at;
  int64_t step = 0;
  if (!line_hex(l, 16, &at) || (mode == 1 && !line_i64(l, &step)))
    return false;
  if (!mask)
    return true;
  unsigned first = (unsigned)__builtin_ctz(mask);
  to[first] = at;
  for (mask &= mask - 1; mask; mask &= mask - 1) {
    unsigned lane = (unsigned)__builtin_ctz(mask);
    if (mode == 2 && !line_i64(l, &step))
      return false;
    at += (uint64_t)step;
    to[lane] = mode == 1 ? to[first] + (uint64_t)step * (lane - first) : at;
  }
  return true;
}

static bool in_memory(const struct code_site *s, const uint64_t *address, uint32_t mask) {
  if (s->inst.space == SLUICE_SP_SHARED || s->inst.space == SLUICE_SP_LOCAL)
    return true;
  for (; mask; mask &= mask - 1)
    if (address[__builtin_ctz(mask)] >= DEVMEM_LIMIT + (UINT64_C(1) << 32))
      return false;
  return true;
}

static void put_instruction(struct kernel *k, const struct code_site *s, uint32_t mask,
                            const uint64_t *address) {
  struct import *m = k->m;
  struct words *to = &m->words;
  m->textures += s->x.texture;
  m->constants += s->inst.space == SLUICE_SP_PARAM;
  m->copies += s->inst.klass == SLUICE_COPY;
  m->generic +=
      s->inst.space == SLUICE_SP_GENERIC && s->width && !(k->h.windows.shared && k->h.windows.local);
  words_put(to, s->block);
  words_put(to, k->warp);
  words_put(to, mask);
  if (s->inst.flags & SLUICE_IF_BARRIER)
    words_put(to, s->x.barrier);
  if (s->inst.flags & SLUICE_IF_ADDRESS && mask)
    access_put(to, &s->inst, &k->h.windows, address, mask, s->x.banks, s->x.taken);
  if (to->n >= PIECE)
    flush(k, false);
}

static bool instruction(struct kernel *k, struct line l, struct error *err) {
  uint64_t pc, mask;
  uint32_t line_number;
  if (!k->in_cta || k->left < 0)
    return text_error(k->t, err, "'%.*s' where %s is expected", (int)(l.end - l.s < 60 ? l.end - l.s : 60),
                      l.s, k->in_cta ? "`warp =` and `insts =`" : "#BEGIN_TB");
  if (!k->left--)
    return text_error(k->t, err, "warp %u has more instructions than its `insts =` says", k->warp);
  if (k->h.lineinfo && !line_u32(&l, UINT32_MAX, &line_number))
    return text_error(k->t, err, "a line number is expected first (-enable lineinfo = 1)");
  if (!line_hex(&l, 8, &pc))
    return text_error(k->t, err, "'%.*s': a PC is expected", (int)(l.end - l.s < 60 ? l.end - l.s : 60), l.s);
  if (!line_hex(&l, 8, &mask))
    return text_error(k->t, err, "after the PC: a mask of 8 hexadecimal digits is expected");
  line_blanks(&l);
  const struct code_site *s = code_find(k->m->code, (uint32_t)pc, l.s);
  if (s)
    l.s += s->n;
  else if (!(s = new_site(k, (uint32_t)pc, &l, err)))
    return false;
  uint64_t address[ACCESS_LANES];
  if (s->width && !addresses(&l, (uint32_t)mask, address))
    return text_error(k->t, err,
                      "addresses are damaged: 0 and one for each of %u lanes, 1 with base and stride, or 2 "
                      "with base and %u differences are expected",
                      count_bits(mask), mask ? count_bits(mask) - 1 : 0);
  int64_t immediate;
  if (!line_ends(&l) && (!line_i64(&l, &immediate) || !line_ends(&l)))
    return text_error(k->t, err, "'%.*s' at the end: nothing more, or one number, is expected",
                      (int)(l.end - l.s < 60 ? l.end - l.s : 60), l.s);
  if (s->width && !in_memory(s, address, (uint32_t)mask))
    return text_error(k->t, err, "an address beyond %#llx", (unsigned long long)DEVMEM_LIMIT);
  if (s->unknown >= 0) {
    if (s->unknown < UNKNOWN_NAMES)
      k->m->unknown[s->unknown].n++;
    else
      k->m->unknown_others++;
    return true;
  }
  if (s->x.added)
    return true;
  put_instruction(k, s, (uint32_t)mask, address);
  k->m->o->instructions++;
  return true;
}

static bool begin_cta(struct kernel *k, struct error *err) {
  if (k->in_cta)
    return text_error(k->t, err, "#BEGIN_TB inside a thread block");
  if (k->ctas++ == (uint64_t)(k->h.grid[0] * k->h.grid[1]) * (uint64_t)k->h.grid[2])
    return text_error(k->t, err, "more thread blocks than the grid has");
  k->in_cta = true;
  k->any = false;
  k->turn = 0;
  k->left = -1;
  return true;
}

static bool end_cta(struct kernel *k, struct error *err) {
  if (!k->in_cta || !k->any)
    return text_error(k->t, err,
                      k->in_cta ? "#END_TB before `thread block =`" : "#END_TB outside a thread block");
  flush(k, true);
  k->in_cta = false;
  k->m->o->ctas++;
  return true;
}

static bool name_cta(struct kernel *k, const char *s, size_t n, struct error *err) {
  char copy[80];
  long long at[3];
  int end = 0;
  snprintf(copy, sizeof copy, "%.*s", (int)(n < 79 ? n : 79), s);
  if (sscanf(copy, "thread block = %10lld,%10lld,%10lld%n", &at[0], &at[1], &at[2], &end) != 3 || !end ||
      copy[end + (int)strspn(copy + end, " ")])
    return text_error(k->t, err, "'%.60s': `thread block = x,y,z` is expected", copy);
  if (!k->in_cta || k->any)
    return text_error(k->t, err, "`thread block =` where #BEGIN_TB is expected");
  for (int i = 0; i < 3; i++)
    if (at[i] < 0 || at[i] >= k->h.grid[i])
      return text_error(k->t, err, "thread block %lld,%lld,%lld lies outside the grid of %lld,%lld,%lld",
                        at[0], at[1], at[2], (long long)k->h.grid[0], (long long)k->h.grid[1],
                        (long long)k->h.grid[2]);
  k->linear =
      ((uint64_t)at[2] * (uint64_t)k->h.grid[1] + (uint64_t)at[1]) * (uint64_t)k->h.grid[0] + (uint64_t)at[0];
  k->last = k->linear > k->last ? k->linear : k->last;
  k->any = true;
  return true;
}

/* `warp = n` or `insts = n`. */
static bool counted(struct kernel *k, const char *s, size_t n, const char *what, uint32_t most, uint32_t *to,
                    struct error *err) {
  struct line l = {s + strlen(what), s + n};
  line_blanks(&l);
  if (l.s == l.end || *l.s++ != '=' || !line_u32(&l, most, to) || !line_ends(&l))
    return text_error(k->t, err, "'%.*s': `%s = n` is expected, with n up to %u", (int)(n < 60 ? n : 60), s,
                      what, most);
  return k->any || text_error(k->t, err, "`%s =` before `thread block =`", what);
}

static bool body_line(struct kernel *k, const char *s, size_t n, struct error *err) {
  uint32_t v;
  if (s[0] == '#') {
    if (starts(s, n, "#BEGIN_TB"))
      return begin_cta(k, err);
    if (starts(s, n, "#END_TB"))
      return end_cta(k, err);
    return text_error(k->t, err, "'%.*s': #BEGIN_TB or #END_TB is expected", (int)(n < 60 ? n : 60), s);
  }
  if (starts(s, n, "thread block"))
    return name_cta(k, s, n, err);
  if (starts(s, n, "cluster ")) /* of clusters' CTAs, which run like others */
    return true;
  if (starts(s, n, "warp")) {
    if (!k->in_cta || !counted(k, s, n, "warp", k->nwarps - 1, &k->warp, err))
      return k->in_cta ? false : text_error(k->t, err, "`warp =` outside a thread block");
    k->left = -1;
    return true;
  }
  if (starts(s, n, "insts")) {
    if (!k->in_cta || !counted(k, s, n, "insts", UINT32_MAX, &v, err))
      return k->in_cta ? false : text_error(k->t, err, "`insts =` outside a thread block");
    k->left = v;
    return true;
  }
  return instruction(k, (struct line){s, s + n}, err);
}

static void show_progress(struct import *m, const struct text *t) {
  progress_update(&m->progress, m->bytes_done + text_consumed(t), m->bytes_total,
                  m->o->bytes + text_unpacked(t));
}

static bool read_body(struct kernel *k, struct error *err) {
  const char *line;
  size_t n;
  int more;
  while ((more = text_line(k->t, &line, &n, err)) > 0) {
    if (text_number(k->t) % LINES_SHOWN == 0)
      show_progress(k->m, k->t);
    while (n && (*line == ' ' || *line == '\t'))
      line++, n--;
    if (n && !body_line(k, line, n, err))
      return false;
  }
  if (more < 0)
    return false;
  if (k->in_cta)
    return text_error(k->t, err, "the file ends inside a thread block");
  uint64_t all = (uint64_t)(k->h.grid[0] * k->h.grid[1]) * (uint64_t)k->h.grid[2];
  if (!k->m->o->partial && (!k->ctas || k->last + 1 < all))
    return text_error(
        k->t, err,
        "the file ends with %llu of %llu thread blocks, before the grid's last: cut off, unless the "
        "tracer was told to (then --partial takes it)",
        (unsigned long long)k->ctas, (unsigned long long)all);
  k->m->missing_ctas += all - k->ctas;
  return true;
}

static bool begin_kernel(struct kernel *k, struct error *err) {
  struct import *m = k->m;
  if (!code_begin(m->code, k->h.name, (unsigned)k->h.binary, &k->program))
    return text_error(k->t, err, "more than 4096 kernels of different names");
  k->threads = (uint64_t)(k->h.block[0] * k->h.block[1] * k->h.block[2]);
  k->nwarps = (uint32_t)((k->threads + ACCESS_LANES - 1) / ACCESS_LANES);
  m->streams |= m->o->kernels && m->stream_id != k->h.stream;
  m->stream_id = k->h.stream;
  struct trace_launch l = {.kernel = k->h.name,
                           .program = k->program,
                           .static_shared = (uint64_t)k->h.shared,
                           .registers = (uint32_t)k->h.registers,
                           .registers_from = REGISTERS_TRACE};
  for (int i = 0; i < 3; i++)
    l.grid[i] = (uint32_t)k->h.grid[i], l.block[i] = (uint32_t)k->h.block[i];
  trace_begin(m->w, &l, NULL);
  m->copies_seen = false;
  m->o->kernels++;
  return true;
}

bool import_kernel(struct import *m, const char *path, struct error *err) {
  struct kernel k = {.m = m, .t = text_open(path, err)};
  if (!k.t)
    return false;
  m->words.n = 0;
  bool ok = read_head(&k, err) && begin_kernel(&k, err) && read_body(&k, err);
  if (ok)
    trace_end(m->w, k.ctas, 0);
  m->bytes_done += text_consumed(k.t);
  m->o->bytes += text_unpacked(k.t);
  text_close(k.t);
  free(k.h.name);
  return ok;
}
