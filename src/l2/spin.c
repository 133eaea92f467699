#include "l2/spin.h"
#include "base/mem.h"
#include <stdlib.h>

void spin_init(struct spin *s, uint64_t round_trip) {
  *s = (struct spin){.round_trip = round_trip, .at = {.mask = 15}};
  s->taken = xmalloc((s->at.mask + 1u) * sizeof *s->taken);
}

void spin_destroy(struct spin *s) {
  free(s->taken), free(s->word);
}

static uint32_t name_of(const struct mem_request *r) {
  return (uint32_t)r->sm << 16 | r->warp;
}

bool spin_takes(struct spin *s, const struct mem_request *r, const uint64_t bytes[2], uint64_t cycle) {
  uint32_t who = name_of(r);
  bool early = false;
  while (s->at.count && s->taken[s->at.head].at + s->round_trip <= cycle)
    ring_drop(&s->at);
  for (uint32_t i = 0; i < s->at.count && !early; i++) {
    const struct spin_taken *t = &s->taken[ring_at(&s->at, i)];
    early = t->line == r->line && t->who != who && ((t->bytes[0] & bytes[0]) | (t->bytes[1] & bytes[1]));
  }
  if (ring_full(&s->at))
    s->taken = ring_double(s->taken, sizeof *s->taken, s->at.head, &s->at.mask);
  s->taken[ring_add(&s->at)] =
      (struct spin_taken){.line = r->line, .bytes = {bytes[0], bytes[1]}, .at = cycle, .who = who};
  return early;
}

enum { WORDS_LOG = 12, WORD = 4 };

static struct spin_word *entry_of(struct spin *s, uint64_t address) {
  return &s->word[address / WORD * UINT64_C(0x9e3779b97f4a7c15) >> (64 - WORDS_LOG)];
}

bool spin_fails(struct spin *s, const struct mem_request *r, uint64_t bytes[2], uint64_t cycle, uint64_t seen,
                bool lock) {
  enum {
    MOST = 1 << 16
  }; /* a lock that nobody is seen to give back has been given back after so many cycles */
  uint32_t who = name_of(r) + 1;
  bool any = false;
  if (!s->word)
    s->word = xcalloc(1u << WORDS_LOG, sizeof *s->word);
  s->locks |= lock;
  for (unsigned at = 0; at < 128; at += WORD) {
    uint64_t *part = &bytes[at / 64], bits = *part & UINT64_C(15) << at % 64, address = r->line + at;
    if (!bits)
      continue;
    struct spin_word *w = entry_of(s, address);
    bool others = w->who && w->address == address && w->who != who;
    if (others && (lock && w->until ? w->until > cycle : w->at > seen)) {
      any = true;
      continue;
    }
    *w = (struct spin_word){address, cycle, lock ? cycle + MOST : 0, who};
    *part &= ~bits;
  }
  return any;
}

void spin_gives_back(struct spin *s, const struct mem_request *r) {
  if (r->kind == MEM_READ || r->flags & MEM_TRIES)
    return;
  for (unsigned at = 0; at < 128; at += WORD) {
    uint64_t address = r->line + at;
    bool named = r->bytes[at / 64] >> at % 64 & 15;
    struct spin_word *w = entry_of(s, address);
    if (w->until && w->address == address &&
        (named || (r->kind == MEM_ATOMIC && r->sectors >> at / MEM_SECTOR & 1 && w->who == name_of(r) + 1)))
      *w = (struct spin_word){0};
  }
}
