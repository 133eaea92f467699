#include "l1/combine.h"
#include "base/least.h"
#include "base/mem.h"
#include "l1/internal.h"
#include <string.h>

enum { WORDS = 1, PARTS_OF_WORDS = 2 }; /* sizes of entries */

void combine_init(struct sm *s) {
  if (s->l1.k->d_store_wait && s->l1.k->d_store_lines)
    s->combine.request = xcalloc(L1_STORE_LINES, sizeof *s->combine.request);
}

void combine_destroy(struct sm *s) {
  free(s->combine.request);
}

bool combine_takes(const struct sm *s, const struct sm_access *a) {
  if (!s->combine.request)
    return false;
  for (uint32_t m = a->sectors; m; m &= m - 1) {
    uint32_t sector = (uint32_t)__builtin_ctz(m);
    if ((uint32_t)(a->bytes[sector / 2] >> sector % 2 * MEM_SECTOR) != UINT32_MAX)
      return true;
  }
  return false;
}

/* Takes an entry out of the order. */
static void take_out(struct l1_combine *c, uint32_t i) {
  uint32_t behind = --c->n - i;
  memmove(c->line + i, c->line + i + 1, behind * sizeof *c->line);
  memmove(c->due + i, c->due + i + 1, behind * sizeof *c->due);
  memmove(c->place + i, c->place + i + 1, behind);
  memmove(c->size + i, c->size + i + 1, behind);
}

static void put_first(struct l1_combine *c, uint64_t line, uint64_t due, uint8_t place, uint8_t size) {
  memmove(c->line + 1, c->line, c->n * sizeof *c->line);
  memmove(c->due + 1, c->due, c->n * sizeof *c->due);
  memmove(c->place + 1, c->place, c->n);
  memmove(c->size + 1, c->size, c->n);
  c->n++;
  c->line[0] = line, c->due[0] = due, c->place[0] = place, c->size[0] = size;
}

static void leave(struct sm *s, uint32_t i) {
  struct l1_combine *c = &s->combine;
  ring_push(&s->miss, &c->request[c->place[i]]);
  c->used &= ~(1u << c->place[i]);
  c->taken -= c->size[i];
  take_out(c, i);
}

bool combine_joins(struct sm *s, const struct sm_access *a) {
  struct l1_combine *c = &s->combine;
  for (uint32_t i = 0; i < c->n; i++) {
    struct mem_request *r = &c->request[c->place[i]];
    if (c->line[i] != a->line || a->sectors & ~r->sectors)
      continue;
    uint8_t place = c->place[i], size = c->size[i];
    r->bytes[0] |= a->bytes[0], r->bytes[1] |= a->bytes[1];
    take_out(c, i);
    put_first(c, a->line, s->now + s->l1.k->d_store_wait, place, size);
    return true;
  }
  return false;
}

void combine_add(struct sm *s, bool words) {
  struct l1_combine *c = &s->combine;
  struct mem_request r = *ring_last(&s->miss);
  s->miss.at.count--;
  uint8_t size = words ? WORDS : PARTS_OF_WORDS;
  while (c->n && (c->taken + size > s->l1.k->d_store_lines || c->n == L1_STORE_LINES))
    leave(s, c->n - 1);
  uint8_t place = (uint8_t)__builtin_ctz(~c->used);
  c->request[place] = r;
  c->used |= 1u << place;
  c->taken += size;
  put_first(c, r.line, s->now + s->l1.k->d_store_wait, place, size);
}

void combine_leave(struct sm *s, uint64_t line) {
  struct l1_combine *c = &s->combine;
  for (uint32_t i = c->n; i-- > 0;)
    if (c->line[i] == line)
      leave(s, i);
}

void combine_cycle(struct sm *s) {
  struct l1_combine *c = &s->combine;
  while (c->n && c->due[c->n - 1] <= s->now && ring_room(&s->miss, 1))
    leave(s, c->n - 1);
}

uint64_t combine_next(const struct sm *s) {
  const struct l1_combine *c = &s->combine;
  if (!c->n || !ring_room(&s->miss, 1))
    return NEVER;
  return c->due[c->n - 1] > s->now ? c->due[c->n - 1] : s->now + 1;
}
