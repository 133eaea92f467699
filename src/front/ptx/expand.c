#include "front/ptx/expand.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 5, MOST_REGS = 16, MOST_WORDS = 16 };

struct span {
  const char *s;
  size_t n;
};
struct statement {
  struct span word[MOST_WORDS]; /* the mnemonic between its dots */
  unsigned nwords;
  struct span op[MOST_OPERANDS];
  unsigned nops;
  const char *end; /* behind the `;` */
};

static bool is(struct span s, const char *text) {
  return strlen(text) == s.n && memcmp(s.s, text, s.n) == 0;
}
static bool has(const struct statement *t, const char *word) {
  for (unsigned i = 1; i < t->nwords; i++)
    if (is(t->word[i], word))
      return true;
  return false;
}
static bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* `mnemonic op, {op, op}, [op];` from `s`. */
static bool read_statement(const char *s, const char *end, struct statement *t) {
  *t = (struct statement){0};
  while (s < end && !blank(*s) && *s != ';' && t->nwords < MOST_WORDS) {
    const char *from = s;
    while (s < end && *s != '.' && !blank(*s) && *s != ';')
      s++;
    t->word[t->nwords++] = (struct span){from, (size_t)(s - from)};
    s += s < end && *s == '.';
  }
  while (s < end && *s != ';' && t->nops < MOST_OPERANDS) {
    while (s < end && blank(*s))
      s++;
    const char *from = s;
    int depth = 0;
    for (; s < end && *s != ';' && (depth || *s != ','); s++)
      depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
    const char *last = s;
    while (last > from && blank(last[-1]))
      last--;
    t->op[t->nops++] = (struct span){from, (size_t)(last - from)};
    s += s < end && *s == ',';
  }
  t->end = s + 1;
  return s < end && *s == ';';
}

/* The registers of `{a, b}`, or the one that stands alone. */
static unsigned registers(struct span o, struct span *to) {
  const char *s = o.s, *end = o.s + o.n;
  unsigned n = 0;
  if (o.n && *s == '{')
    s++, end--;
  while (s < end && n < MOST_REGS) {
    while (s < end && (blank(*s) || *s == ','))
      s++;
    const char *from = s;
    while (s < end && !blank(*s) && *s != ',' && *s != '}')
      s++;
    if (s > from)
      to[n++] = (struct span){from, (size_t)(s - from)};
    else
      s++;
  }
  return n;
}

/* ---- fragments ---- */

/* How a matrix of a shape lies in registers: coordinate u of an element is g + 8 * ..., v is step * t + ..., for the
 * lane 4 g + t; register by register, `per` elements along v in each. */
struct fragment {
  unsigned bits, per, step; /* of an element; in a register; elements of v from lane to lane */
  unsigned n;               /* registers that differ; others repeat them */
  unsigned u[8], v[8];      /* of the first element of each, for lane 0 */
  bool v_minor;             /* elements along v are neighbours in memory */
};

struct shape {
  unsigned m, n, k;
};

static bool read_shape(const struct statement *t, struct shape *s) {
  for (unsigned i = 1; i < t->nwords; i++) {
    char text[24];
    if (t->word[i].n >= sizeof text)
      continue;
    memcpy(text, t->word[i].s, t->word[i].n);
    text[t->word[i].n] = '\0';
    if (sscanf(text, "m%un%uk%u", &s->m, &s->n, &s->k) == 3)
      return true;
  }
  return false;
}

static unsigned type_bits(struct span type) {
  static const struct {
    const char *name;
    unsigned bits;
  } types[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"f32", 32}, {"s32", 32}, {"f64", 64},
               {"s8", 8},   {"u8", 8},    {"s4", 4},    {"u4", 4},   {"b1", 1}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (is(type, types[i].name))
      return types[i].bits;
  return 0;
}

/* Rows of a, or columns of b, in blocks of 8 (`size` of them all): by pairs of blocks, then along k, then the pair; a
 * single pair of columns of b: each block by itself. */
static void inputs(struct fragment *f, unsigned size, unsigned k, bool pairs) {
  unsigned steps = k / (4 * f->per), blocks = size / 8;
  f->step = f->per;
  for (unsigned b = 0; b < blocks; b++)
    for (unsigned s = 0; s < steps; s++) {
      unsigned r = pairs && blocks > 1 ? b / 2 * 2 * steps + 2 * s + b % 2 : b * steps + s;
      if (r >= 8)
        return;
      f->u[r] = 8 * b;
      f->v[r] = 4 * f->per * s;
    }
  f->n = blocks * steps;
}

/* Two neighbours along v in each block of 8 by 8: rows by pairs of blocks, then columns. */
static void sums(struct fragment *f, const struct shape *s) {
  bool turned = s->m == 8 && s->n == 32;
  unsigned blocks_u = (turned ? s->n : s->m) / 8, blocks_v = turned ? 1 : s->n / 8, r = 0;
  f->step = 2;
  for (unsigned v = 0; v < blocks_v; v++)
    for (unsigned u = 0; u < blocks_u; u++)
      for (unsigned j = 0; j < 2; j += f->per) {
        if (r == 8)
          return;
        f->u[r] = 8 * u;
        f->v[r++] = 8 * v + j;
      }
  f->n = r;
}

static bool find_fragment(const struct statement *t, struct fragment *f) {
  struct shape s;
  struct span type = t->word[t->nwords - 1];
  bool a = has(t, "a"), b = has(t, "b"), row = has(t, "row");
  *f = (struct fragment){.bits = type_bits(type)};
  if (!f->bits || !read_shape(t, &s) || row == has(t, "col"))
    return false;
  bool turned = s.m == 8 && s.n == 32;
  if (a || b) {
    f->per = f->bits >= 32 ? 1 : 32 / f->bits;
    inputs(f, a ? s.m : s.n, s.k, a || turned);
    f->v_minor = a ? row : !row;
  } else {
    f->per = f->bits == 16 ? 2 : 1;
    sums(f, &s);
    f->v_minor = turned ? !row : row;
  }
  return f->n > 0 && (f->bits >= 8 || f->v_minor);
}

/* ---- loads and stores ---- */

static void put(struct strbuf *o, struct span s) {
  strbuf_addn(o, s.s, s.n);
}

/* The address of element (u, v) of this lane in %wmq or %wma, as wide as the base. */
static void element_address(struct strbuf *o, const struct fragment *f, unsigned u, unsigned v, bool wide) {
  const char *major = f->v_minor ? "%wmg" : "%wmt", *minor = f->v_minor ? "%wmt" : "%wmg";
  unsigned major_at = f->v_minor ? u : v, minor_at = f->v_minor ? v : u;
  strbuf_addf(o, "add.u32 %%wma, %s, %u; mad.lo.u32 %%wma, %%wma, %%wms, %s; add.u32 %%wma, %%wma, %u; ",
              major, major_at, minor, minor_at);
  if (f->bits < 8)
    strbuf_addf(o, "mul.lo.u32 %%wma, %%wma, %u; shr.u32 %%wma, %%wma, 3; ", f->bits);
  unsigned bytes = f->bits < 8 ? 1 : f->bits / 8;
  if (wide)
    strbuf_addf(o, "mul.wide.u32 %%wmq, %%wma, %u; add.u64 %%wmq, %%wmq, %%wmb; ", bytes);
  else
    strbuf_addf(o, "mul.lo.u32 %%wma, %%wma, %u; add.u32 %%wma, %%wma, %%wmc; ", bytes);
}

struct access {
  bool load, wide;
  struct span space; /* with its dot; empty: generic */
  const char *offset;
};

static void access_one(struct strbuf *o, const struct access *a, const char *type, const char *reg,
                       size_t n) {
  const char *at = a->wide ? "%wmq" : "%wma";
  if (a->load)
    strbuf_addf(o, "ld%.*s.%s %.*s, [%s%s]; ", (int)a->space.n, a->space.s, type, (int)n, reg, at, a->offset);
  else
    strbuf_addf(o, "st%.*s.%s [%s%s], %.*s; ", (int)a->space.n, a->space.s, type, at, a->offset, (int)n, reg);
}

/* A register whose elements are neighbours goes at once, others element by element. */
static void access_register(struct strbuf *o, const struct fragment *f, const struct access *a, unsigned r,
                            struct span reg) {
  if (f->per == 1 || f->v_minor) {
    element_address(o, f, f->u[r], f->v[r], a->wide);
    access_one(o, a, f->bits == 64 ? "b64" : "b32", reg.s, reg.n);
    return;
  }
  bool halves = f->bits == 16;
  if (!a->load && halves)
    strbuf_addf(o, "mov.b32 {%%wmh0, %%wmh1}, %.*s; ", (int)reg.n, reg.s);
  for (unsigned p = 0; p < f->per; p++) {
    char name[8];
    snprintf(name, sizeof name, halves ? "%%wmh%u" : "%%wme%u", p);
    element_address(o, f, f->u[r], f->v[r] + p, a->wide);
    access_one(o, a, halves ? "b16" : "u8", name, strlen(name));
  }
  if (a->load && halves)
    strbuf_addf(o, "mov.b32 %.*s, {%%wmh0, %%wmh1}; ", (int)reg.n, reg.s);
  else if (a->load)
    strbuf_addf(
        o,
        "shl.b32 %%wme1, %%wme1, 8; shl.b32 %%wme2, %%wme2, 16; shl.b32 %%wme3, %%wme3, 24; or.b32 %%wme0, "
        "%%wme0, %%wme1; or.b32 %%wme2, %%wme2, %%wme3; or.b32 %.*s, %%wme0, %%wme2; ",
        (int)reg.n, reg.s);
}

/* `[%rd1+16]`: register and offset. A register named as nvcc names those of 32 bits is one. */
static bool read_address(struct span op, struct span *base, char offset[24], bool *wide) {
  if (op.n < 3 || op.s[0] != '[' || op.s[op.n - 1] != ']')
    return false;
  const char *s = op.s + 1, *end = op.s + op.n - 1, *plus = memchr(s, '+', (size_t)(end - s));
  *base = (struct span){s, (size_t)((plus ? plus : end) - s)};
  snprintf(offset, 24, "%.*s", plus ? (int)(end - plus) : 0, plus ? plus : "");
  *wide = !(base->n > 2 && base->s[0] == '%' && base->s[1] == 'r' && base->s[2] >= '0' && base->s[2] <= '9');
  return base->n > 0;
}

static bool expand_access(const struct statement *t, struct strbuf *o) {
  struct access a = {.load = is(t->word[1], "load")};
  struct fragment f;
  struct span regs[MOST_REGS], base;
  char offset[24];
  unsigned n = t->nops > 1 ? registers(t->op[a.load ? 0 : 1], regs) : 0;
  if (t->nops < 2 || t->nops > 3 || !find_fragment(t, &f) || n < f.n || n % f.n ||
      !read_address(t->op[a.load ? 1 : 0], &base, offset, &a.wide))
    return false;
  a.offset = offset;
  for (unsigned i = 1; i < t->nwords; i++)
    if (is(t->word[i], "shared") || is(t->word[i], "global") || is(t->word[i], "shared::cta"))
      a.space = (struct span){t->word[i].s - 1, t->word[i].n + 1};
  struct shape s;
  read_shape(t, &s);
  strbuf_add(o, "{ .reg .b32 %wmg, %wmt, %wms, %wma, %wmc, %wme<4>; .reg .b64 %wmq, %wmb; .reg .b16 %wmh<2>; "
                "mov.u32 %wmt, %laneid; shr.u32 %wmg, %wmt, 2; and.b32 %wmt, %wmt, 3; ");
  strbuf_addf(o, "mul.lo.u32 %%wmt, %%wmt, %u; mov.u32 %%wms, ", f.step);
  bool row = has(t, "row");
  unsigned rows = has(t, "b") ? s.k : s.m, columns = has(t, "a") ? s.k : s.n;
  if (t->nops == 3)
    put(o, t->op[2]);
  else
    strbuf_addf(o, "%u", row ? columns : rows);
  strbuf_addf(o, "; mov.%s %s, %.*s; ", a.wide ? "u64" : "u32", a.wide ? "%wmb" : "%wmc", (int)base.n,
              base.s);
  for (unsigned r = 0; r < f.n; r++)
    access_register(o, &f, &a, r, regs[r]);
  for (unsigned r = f.n; a.load && r < n; r++)
    strbuf_addf(o, "mov.b32 %.*s, %.*s; ", (int)regs[r].n, regs[r].s, (int)regs[r % f.n].n, regs[r % f.n].s);
  strbuf_addc(o, '}');
  return true;
}

/* ---- multiplications ---- */

static void list(struct strbuf *o, const struct span *regs, unsigned first, unsigned n) {
  strbuf_addc(o, '{');
  for (unsigned i = 0; i < n; i++) {
    if (i)
      strbuf_add(o, ", ");
    put(o, regs[first + i]);
  }
  strbuf_addc(o, '}');
}

struct product {
  const struct span *d, *c, *a, *b; /* registers of the first matrix, of the second */
  struct span types[4];             /* of d, a, b, c */
  unsigned m, k, na, nb, nc;
  const char *tail; /* ".satfinite", ".xor.popc" */
};

static void multiply(struct strbuf *o, const struct product *p, unsigned d, unsigned a, unsigned b,
                     bool from_d) {
  strbuf_addf(o, "mma.sync.aligned.m%un8k%u.row.col%s", p->m, p->k,
              strcmp(p->tail, ".satfinite") == 0 ? p->tail : "");
  for (int i = 0; i < 4; i++)
    strbuf_addf(o, ".%.*s", (int)p->types[i].n, p->types[i].s);
  strbuf_addf(o, "%s ", strcmp(p->tail, ".satfinite") == 0 ? "" : p->tail);
  list(o, p->d, d, p->nc);
  strbuf_add(o, ", ");
  list(o, p->a, a, p->na);
  strbuf_add(o, ", ");
  list(o, p->b, b, p->nb);
  strbuf_add(o, ", ");
  list(o, from_d ? p->d : p->c, d, p->nc);
  strbuf_add(o, "; ");
}

static void read_types(const struct statement *t, struct product *p) {
  struct span types[4] = {{0}};
  unsigned n = 0;
  for (unsigned i = 1; i < t->nwords && n < 4; i++)
    if (type_bits(t->word[i]))
      types[n++] = t->word[i];
  if (n == 2) { /* .d.c of f16 */
    p->types[0] = types[0], p->types[3] = types[1];
    p->types[1] = p->types[2] = (struct span){"f16", 3};
  } else {
    memcpy(p->types, types, sizeof types);
  }
  p->tail = has(t, "satfinite") ? ".satfinite"
            : has(t, "xor")     ? ".xor.popc"
            : has(t, "b1")      ? ".and.popc"
                                : "";
}

static bool expand_wmma(const struct statement *t, struct strbuf *o) {
  struct span d[MOST_REGS], a[MOST_REGS], b[MOST_REGS], c[MOST_REGS];
  struct shape s;
  struct product p = {.d = d, .c = c};
  if (t->nops != 4 || !read_shape(t, &s))
    return false;
  unsigned nd = registers(t->op[0], d), na = registers(t->op[1], a), nb = registers(t->op[2], b),
           nc = registers(t->op[3], c);
  read_types(t, &p);
  unsigned bits = type_bits(p.types[1]);
  if (!bits || nd != nc || !p.types[3].n || p.types[0].n != p.types[3].n)
    return false;
  bool turned = s.m == 8 && s.n == 32, tall = s.m == 32;
  p.m = s.m == 8 && s.n == 8 ? 8 : 16;
  p.k = bits == 32 ? 4 : s.k;
  unsigned steps = s.k / p.k, per = bits >= 32 ? 1 : 32 / bits;
  p.nb = bits == 64 ? 1 : p.k / (4 * per);
  p.na = p.m / 8 * p.nb;
  p.a = turned ? b : a, p.b = turned ? a : b;
  if (turned) {
    struct span swap = p.types[1];
    p.types[1] = p.types[2], p.types[2] = swap;
  }
  unsigned halves = p.m == 8 ? 1 : 2;
  p.nc = nd / halves;
  unsigned want_a = (turned || tall ? halves : 1) * steps * p.na,
           want_b = (turned || tall ? 1 : halves) * steps * p.nb;
  if ((turned ? nb : na) < want_a || (turned ? na : nb) < want_b || !p.nc)
    return false;
  strbuf_add(o, "{ ");
  for (unsigned h = 0; h < halves; h++)
    for (unsigned k = 0; k < steps; k++)
      multiply(o, &p, h * p.nc, (turned || tall ? h * steps : 0) * p.na + k * p.na,
               (turned || tall ? 0 : h * steps) * p.nb + k * p.nb, k > 0);
  strbuf_addc(o, '}');
  return true;
}

/* m16n8k8 and m16n8k16 of f64: four columns at a time, as they add up anyway. */
static bool expand_double(const struct statement *t, struct strbuf *o) {
  struct span d[MOST_REGS], a[MOST_REGS], b[MOST_REGS], c[MOST_REGS];
  struct shape s;
  if (t->nops != 4 || !is(t->word[t->nwords - 1], "f64") || !read_shape(t, &s) || s.m != 16 || s.n != 8 ||
      s.k <= 4)
    return false;
  unsigned nd = registers(t->op[0], d), na = registers(t->op[1], a), nb = registers(t->op[2], b),
           nc = registers(t->op[3], c);
  struct span f64 = {"f64", 3};
  struct product p = {.d = d,
                      .c = c,
                      .a = a,
                      .b = b,
                      .m = 16,
                      .k = 4,
                      .na = 2,
                      .nb = 1,
                      .nc = 4,
                      .tail = "",
                      .types = {f64, f64, f64, f64}};
  if (nd != 4 || nc != 4 || na != s.k / 2 || nb != s.k / 4)
    return false;
  strbuf_add(o, "{ ");
  for (unsigned k = 0; k < s.k / 4; k++)
    multiply(o, &p, 0, 2 * k, k, k > 0);
  strbuf_addc(o, '}');
  return true;
}

/* ---- bulk copies ---- */

/* `op + offset` as an address of its width, in a register of ours. */
static bool bulk_address(struct strbuf *o, struct span op, const char *wide_name, const char *narrow_name,
                         const char **name) {
  struct span base;
  char offset[24];
  bool wide;
  if (!read_address(op, &base, offset, &wide))
    return false;
  *name = wide ? wide_name : narrow_name;
  strbuf_addf(o, "mov.%s %s, %.*s; ", wide ? "u64" : "u32", *name, (int)base.n, base.s);
  if (offset[0])
    strbuf_addf(o, "add.%s %s, %s, %s; ", wide ? "u64" : "u32", *name, *name, offset + 1);
  return true;
}

static void bulk_advance(struct strbuf *o, const char *name) {
  strbuf_addf(o, "add.%s %s, %s, 16; ", name[3] == 'w' ? "u64" : "u32", name, name);
}

/* cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], bytes, [barrier], or back to global
 * memory in a group. */
static bool expand_bulk(const struct statement *t, struct strbuf *o, unsigned number) {
  bool in = has(t, "mbarrier::complete_tx::bytes"), out = has(t, "bulk_group");
  const char *to, *from, *barrier = NULL;
  if (has(t, "tensor") || has(t, "multicast::cluster") || in == out || t->nops < (in ? 4u : 3u) ||
      !has(t, "global"))
    return false;
  strbuf_add(o, "{ .reg .b64 %bkw<3>; .reg .b32 %bkn<3>, %bkl, %bkv<4>; .reg .pred %bkp; ");
  if (!bulk_address(o, t->op[0], "%bkw0", "%bkn0", &to) ||
      !bulk_address(o, t->op[1], "%bkw1", "%bkn1", &from) ||
      (in && !bulk_address(o, t->op[3], "%bkw2", "%bkn2", &barrier)))
    return false;
  strbuf_addf(o, "mov.u32 %%bkl, %.*s; $bulk%u: setp.eq.u32 %%bkp, %%bkl, 0; @%%bkp bra $bulk%u_end; ",
              (int)t->op[2].n, t->op[2].s, number, number);
  if (in)
    strbuf_addf(o, "cp.async.cg.shared.global [%s], [%s], 16; ", to, from);
  else
    strbuf_addf(
        o,
        "ld.shared.v4.b32 {%%bkv0, %%bkv1, %%bkv2, %%bkv3}, [%s]; st.global.v4.b32 [%s], {%%bkv0, %%bkv1, "
        "%%bkv2, %%bkv3}; ",
        from, to);
  bulk_advance(o, to);
  bulk_advance(o, from);
  strbuf_addf(o, "sub.u32 %%bkl, %%bkl, 16; bra $bulk%u; $bulk%u_end: ", number, number);
  if (in)
    strbuf_addf(o, "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%s], %.*s; ", barrier, (int)t->op[2].n,
                t->op[2].s);
  strbuf_addc(o, '}');
  return true;
}

/* Groups of bulk copies are complete when they begin. */
static bool expand_group(const struct statement *t, struct strbuf *o) {
  bool commit = has(t, "commit_group"), wait = has(t, "wait_group");
  if (commit)
    strbuf_add(o, "cp.async.commit_group;");
  else if (wait)
    strbuf_add(o, "cp.async.wait_all;");
  return commit || wait;
}

/* ---- the text ---- */

static bool expand_statement(const char *s, const char *end, struct strbuf *o, const char **behind,
                             unsigned number) {
  struct statement t;
  if (!read_statement(s, end, &t) || t.nwords < 3)
    return false;
  *behind = t.end;
  size_t before = o->n;
  bool ok = is(t.word[0], "cp")                               ? expand_bulk(&t, o, number)
            : is(t.word[0], "mma")                            ? expand_double(&t, o)
            : is(t.word[1], "mma")                            ? expand_wmma(&t, o)
            : is(t.word[1], "load") || is(t.word[1], "store") ? expand_access(&t, o)
                                                              : false;
  if (!ok && is(t.word[0], "cp")) {
    if (o->s)
      o->s[o->n = before] = '\0';
    ok = expand_group(&t, o);
  }
  if (!ok && o->s)
    o->s[o->n = before] = '\0';
  return ok;
}

/* `@%p` or `@!%p` right before s: several instructions then need a branch around them. */
static bool guarded(const char *text, const char *s) {
  while (s > text && blank(s[-1]))
    s--;
  while (s > text && !blank(s[-1]) && s[-1] != ';' && s[-1] != '@' && s[-1] != '{' && s[-1] != '}')
    s--;
  return s > text && s[-1] == '@';
}

char *ptx_expand(const char *text, size_t n, size_t *to) {
  struct strbuf out = {0};
  const char *done = text, *end = text + n;
  unsigned number = 0;
  for (const char *s = text; s < end; s++) {
    size_t left = (size_t)(end - s);
    bool wanted = (*s == 'w' && left > 5 && memcmp(s, "wmma.", 5) == 0) ||
                  (*s == 'm' && left > 9 && memcmp(s, "mma.sync.", 9) == 0) ||
                  (*s == 'c' && left > 14 && memcmp(s, "cp.async.bulk.", 14) == 0);
    if (!wanted || (s > text && !blank(s[-1]) && s[-1] != ';' && s[-1] != '{'))
      continue;
    const char *behind;
    strbuf_addn(&out, done, (size_t)(s - done));
    done = s;
    size_t before = out.n;
    bool branch = guarded(text, s);
    if (branch)
      strbuf_addf(&out, "bra $guard%u; bra $guard%u_end; $guard%u: ", number, number, number);
    if (!expand_statement(s, end, &out, &behind, number)) {
      if (out.s)
        out.s[out.n = before] = '\0';
      continue;
    }
    if (branch)
      strbuf_addf(&out, " $guard%u_end: ", number);
    for (const char *line = s; line < behind; line++) /* later lines keep their numbers */
      if (*line == '\n')
        strbuf_addc(&out, '\n');
    number++;
    done = behind;
    s = behind - 1;
  }
  if (!number) {
    strbuf_free(&out);
    return NULL;
  }
  strbuf_addn(&out, done, (size_t)(end - done));
  *to = out.n;
  return strbuf_take(&out);
}
