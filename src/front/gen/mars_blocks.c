#include "front/gen/mars_blocks.h"
#include "base/mem.h"
#include "front/ptx/ops.h"
#include <stdlib.h>

/* A stencil value is a byte, a colour, a depth, a texel and a HiZ entry four; a HiZ entry stands for 8 x 8 pixels. */
const struct mars_rule mars_rules[] = {
    [MARS_TEXTURE] = {"texture_read",
                      1,
                      1,
                      1,
                      {{"texture", 4, 1, SLUICE_TEXTURE}},
                      {{1, 4, {{.sample = 0}, {.sample = 1}, {.sample = 2}, {.sample = 3}}}}},
    [MARS_STENCIL_COLOUR] = {"stencil_colour",
                             2,
                             2,
                             1,
                             {{"stencil", 1, 1, SLUICE_STENCIL}, {"colour", 4, 1, SLUICE_COLOUR}},
                             {{1,
                               4,
                               {{.surface = 0},
                                {.surface = 1, .tested = true},
                                {.surface = 1, .store = true, .tested = true},
                                {.surface = 0, .store = true, .tested = true}}}}},
    [MARS_CLEAR] = {"clear", 1, 1, 1, {{"colour", 4, 1, SLUICE_COLOUR}}, {{1, 1, {{.store = true}}}}},
    [MARS_HIZ_DEPTH] = {"hiz_depth",
                        8,
                        2,
                        2,
                        {{"hiz", 4, 8, SLUICE_HIZ}, {"depth", 4, 1, SLUICE_DEPTH}},
                        {{8, 1, {{.surface = 0}}}, {1, 1, {{.surface = 1, .tested = true}}}}},
    [MARS_HIZ] = {"hiz_update",
                  8,
                  1,
                  1,
                  {{"hiz", 4, 8, SLUICE_HIZ}},
                  {{8, 2, {{.surface = 0}, {.store = true, .tested = true}}}}},
};

unsigned mars_accesses(const struct mars *m, unsigned pass) {
  if (m->kind == MARS_TEXTURE && !m->bilinear)
    return 1;
  return mars_rules[m->kind].pass[pass].n;
}

uint32_t mars_block_number(const struct mars *m, unsigned pass, uint32_t slot, bool retire) {
  return (pass * m->inflight + slot) * 2 + retire;
}

/* Registers: the address; for each slot a result and one for each load. */
enum { ADDRESS };
static uint16_t result(uint32_t slot) {
  return (uint16_t)(1 + slot * (1 + MARS_MOST_ACCESSES));
}
static uint16_t loaded(uint32_t slot, unsigned access) {
  return (uint16_t)(result(slot) + 1 + access);
}

static struct sluice_inst access_inst(const struct mars *m, const struct mars_rule *r,
                                      const struct mars_access *a, uint32_t slot, unsigned number) {
  bool guard = a->tested && m->pass < 100;
  struct sluice_inst i = {.klass = a->store ? SLUICE_STORE : SLUICE_LOAD,
                          .unit = PTX_UNIT_MEM,
                          .flags = (uint8_t)(SLUICE_IF_ADDRESS | (guard ? SLUICE_IF_GUARD : 0)),
                          .space = SLUICE_SP_GLOBAL,
                          .bytes = (uint8_t)r->surface[a->surface].bytes,
                          .cache_op = (uint8_t)r->surface[a->surface].stream,
                          .nsrc = 1,
                          .src = {ADDRESS}};
  if (a->store)
    i.src[i.nsrc++] = result(slot);
  else
    i.dst[i.ndst++] = loaded(slot, number);
  return i;
}

static struct sluice_inst alu_inst(uint32_t slot, const struct mars_pass *p, unsigned n) {
  struct sluice_inst i = {.klass = SLUICE_ALU,
                          .unit = PTX_UNIT_FP32,
                          .space = SLUICE_SP_GLOBAL,
                          .ndst = 1,
                          .nsrc = 1,
                          .dst = {result(slot)},
                          .src = {result(slot)}};
  for (unsigned a = 0; a < n; a++)
    if (!p->access[a].store)
      i.src[i.nsrc++] = loaded(slot, a);
  return i;
}

static struct sluice_block block_make(const struct mars *m, unsigned pass, uint32_t slot, bool retire,
                                      uint32_t *line) {
  const struct mars_rule *r = &mars_rules[m->kind];
  const struct mars_pass *p = &r->pass[pass];
  unsigned n = mars_accesses(m, pass);
  struct sluice_inst *insts = xcalloc(n * (1 + m->alu) + 1, sizeof *insts);
  uint32_t k = 0;
  for (unsigned i = 0; retire && i < n * m->alu; i++)
    insts[k++] = alu_inst(slot, p, n);
  for (unsigned a = 0; a < n; a++)
    if (p->access[a].store == retire)
      insts[k++] = access_inst(m, r, &p->access[a], slot, a);
  for (uint32_t i = 0; i < k; i++)
    insts[i].line = ++*line;
  return (struct sluice_block){k, insts};
}

struct mars_blocks mars_blocks_make(const struct mars *m) {
  unsigned passes = mars_rules[m->kind].npasses;
  struct mars_blocks b = {.n = passes * m->inflight * 2, .registers = result(m->inflight)};
  uint32_t line = 0;
  b.block = xcalloc(b.n, sizeof *b.block);
  for (unsigned pass = 0; pass < passes; pass++)
    for (uint32_t slot = 0; slot < m->inflight; slot++)
      for (int retire = 0; retire < 2; retire++)
        b.block[mars_block_number(m, pass, slot, retire)] = block_make(m, pass, slot, retire, &line);
  return b;
}

void mars_blocks_free(struct mars_blocks *b) {
  for (uint32_t i = 0; i < b->n; i++)
    free((void *)b->block[i].insts);
  free(b->block);
}
