#include "front/accelsim/code.h"
#include "base/mem.h"
#include "front/ptx/ops.h"
#include "front/trace/trace.h"
#include <stdlib.h>
#include <string.h>

/* Blocks below `places` of their program lie as their PCs do; once there are others, it is fixed. Others, and a second instruction of the same PC (functions that a kernel
 * calls begin at 0, too), follow in the order in which they are met. */
enum {
  PLACES = 1 << 18,
  FEW = 1 << 12,
  MOST_BLOCKS = 1 << 19,
  MOST_SITES = 1 << 18,
  MOST_SAME = 512,
  MOST_PROGRAMS = 4096
};

struct extra {
  uint32_t pc, block;
};

struct program {
  char *name;
  struct sluice_block *block;
  size_t n, cap;
  struct extra *extra;
  size_t nextra, capextra;
  uint32_t places;
};

struct code {
  struct program *program;
  size_t nprograms, cap_programs;
  size_t total; /* blocks */
  struct program *running;
  unsigned binary;
  struct code_site *site;
  size_t nsites, cap_sites;
  struct strbuf texts;
  uint32_t *first; /* hash by PC: number of a site + 1 */
  uint32_t mask;
};

enum { FIRST_TABLE = 1 << 12 };

struct code *code_new(void) {
  struct code *c = xcalloc(1, sizeof *c);
  c->mask = FIRST_TABLE - 1;
  c->first = xcalloc(FIRST_TABLE, sizeof *c->first);
  return c;
}

void code_free(struct code *c) {
  if (!c)
    return;
  for (size_t i = 0; i < c->nprograms; i++) {
    struct program *p = &c->program[i];
    for (size_t b = 0; b < p->n; b++)
      free((void *)p->block[b].insts);
    free(p->block), free(p->extra), free(p->name);
  }
  strbuf_free(&c->texts);
  free(c->program), free(c->site), free(c->first);
  free(c);
}

static uint32_t slot_of(const struct code *c, uint32_t pc) {
  uint32_t h = pc * UINT32_C(0x9e3779b1);
  h ^= h >> 15;
  for (;; h++)
    if (!c->first[h & c->mask] || c->site[c->first[h & c->mask] - 1].pc == pc)
      return h & c->mask;
}

bool code_begin(struct code *c, const char *kernel, unsigned binary, uint32_t *program) {
  c->nsites = 0;
  c->texts.n = 0;
  memset(c->first, 0, (c->mask + 1u) * sizeof *c->first);
  c->binary = binary;
  size_t i = 0;
  while (i < c->nprograms && strcmp(c->program[i].name, kernel) != 0)
    i++;
  if (i == MOST_PROGRAMS)
    return false;
  if (i == c->nprograms)
    VEC_PUSH(c->program, c->nprograms, c->cap_programs) =
        (struct program){.name = xstrdup(kernel), .places = PLACES};
  c->running = &c->program[i];
  *program = (uint32_t)i;
  return true;
}

const struct code_site *code_find(const struct code *c, uint32_t pc, const char *text) {
  uint32_t k = c->first[slot_of(c, pc)];
  for (; k; k = c->site[k - 1].next) {
    const struct code_site *s = &c->site[k - 1];
    if (strncmp(text, c->texts.s + s->text, s->n) == 0 && (unsigned char)text[s->n] <= ' ')
      return s;
  }
  return NULL;
}

/* Where its code lies. From Volta on an instruction has 16 bytes; before, three of 8 bytes follow a control word. */
static uint32_t place_of(const struct code *c, uint32_t pc) {
  if (c->binary >= 70)
    return pc / 16;
  return pc / 32 * 3 + (pc % 32 ? pc % 32 / 8 - (pc % 32 >= 8) : 0);
}

static bool same(const struct sluice_inst *a, const struct sluice_inst *b) {
  return a->klass == b->klass && a->unit == b->unit && a->flags == b->flags && a->space == b->space &&
         a->bytes == b->bytes && a->cache_op == b->cache_op && a->ndst == b->ndst && a->nsrc == b->nsrc &&
         !memcmp(a->dst, b->dst, a->ndst * sizeof *a->dst) &&
         !memcmp(a->src, b->src, a->nsrc * sizeof *a->src);
}

/* Room for block numbers below n. What was not executed takes its place as the instruction of a gap. */
static bool reserve(struct code *c, struct program *p, size_t n) {
  if (n <= p->n)
    return true;
  if (c->total + (n - p->n) > MOST_BLOCKS)
    return false;
  c->total += n - p->n;
  while (p->n < n)
    VEC_PUSH(p->block, p->n, p->cap) = (struct sluice_block){0, NULL};
  return true;
}

static bool free_place(const struct program *p, uint32_t at) {
  return at >= p->n || !p->block[at].ninst;
}

static bool block_for(struct code *c, uint32_t pc, const struct sluice_inst *in, uint32_t *block) {
  struct program *p = c->running;
  uint32_t at = place_of(c, pc);
  if (at < p->places && at < p->n && p->block[at].ninst && same(p->block[at].insts, in)) {
    *block = at;
    return true;
  }
  if (at >= p->places || !free_place(p, at)) {
    for (size_t i = 0; i < p->nextra; i++)
      if (p->extra[i].pc == pc && same(p->block[p->extra[i].block].insts, in)) {
        *block = p->extra[i].block;
        return true;
      }
    if (!p->nextra) {
      size_t room = p->n < FEW / 4 ? FEW : 4 * p->n; /* for what the kernel has yet to execute */
      p->places = room < PLACES ? (uint32_t)room : PLACES;
    }
    at = p->places + (uint32_t)p->nextra;
    VEC_PUSH(p->extra, p->nextra, p->capextra) = (struct extra){pc, at};
  }
  if (!reserve(c, p, at + 1u))
    return false;
  struct sluice_inst *copy = xmalloc(sizeof *copy);
  *copy = *in;
  p->block[at] = (struct sluice_block){1, copy};
  *block = at;
  return true;
}

static void grow(struct code *c) {
  c->mask = c->mask * 2 + 1;
  free(c->first);
  c->first = xcalloc(c->mask + 1u, sizeof *c->first);
  for (size_t i = 0; i < c->nsites; i++) {
    uint32_t h = slot_of(c, c->site[i].pc);
    c->site[i].next = c->first[h];
    c->first[h] = (uint32_t)i + 1;
  }
}

const struct code_site *code_add(struct code *c, const struct code_site *given, const char *text) {
  struct code_site s = *given;
  unsigned same_pc = 0;
  for (uint32_t k = c->first[slot_of(c, s.pc)]; k; k = c->site[k - 1].next)
    same_pc++;
  if (c->nsites == MOST_SITES || same_pc == MOST_SAME)
    return NULL;
  if (s.unknown < 0 && !block_for(c, s.pc, &s.inst, &s.block))
    return NULL;
  if (c->nsites * 2 > c->mask)
    grow(c);
  s.text = (uint32_t)c->texts.n;
  strbuf_addn(&c->texts, text, s.n);
  uint32_t h = slot_of(c, s.pc);
  s.next = c->first[h];
  VEC_PUSH(c->site, c->nsites, c->cap_sites) = s;
  c->first[h] = (uint32_t)c->nsites;
  return &c->site[c->nsites - 1];
}

/* What was not executed, between what was, is as long as an instruction. */
static void fill_gaps(struct program *p) {
  size_t end = p->n < p->places ? p->n : p->places;
  while (end && !p->block[end - 1].ninst)
    end--;
  for (size_t i = 0; i < end; i++)
    if (!p->block[i].ninst) {
      struct sluice_inst *gap = xcalloc(1, sizeof *gap);
      *gap = (struct sluice_inst){.klass = SLUICE_ALU, .unit = PTX_UNIT_INT};
      p->block[i] = (struct sluice_block){1, gap};
    }
}

void code_end(struct code *c, struct trace_writer *w) {
  for (size_t i = 0; i < c->nprograms; i++) {
    struct program *p = &c->program[i];
    fill_gaps(p);
    trace_blocks(w, (uint32_t)i, p->block, p->n);
    p->block = NULL;
    p->n = p->cap = 0;
  }
}
