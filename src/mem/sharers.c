#include "mem/sharers.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

void sharers_init(struct sharers *s, uint32_t places, uint32_t sms) {
  s->words = (sms + 63) / 64;
  s->places = places;
  s->line = xmalloc(places * sizeof *s->line);
  memset(s->line, 0xff, places * sizeof *s->line);
  s->set = xcalloc((size_t)places * s->words, sizeof *s->set);
  s->owner = xmalloc(places * sizeof *s->owner);
  memset(s->owner, 0xff, places * sizeof *s->owner);
  s->moved = UINT64_MAX;
  s->moved_set = xcalloc(s->words, sizeof *s->moved_set);
}

void sharers_destroy(struct sharers *s) {
  free(s->line), free(s->set), free(s->owner), free(s->moved_set);
}

static void move(struct sharers *s, uint32_t place) {
  uint64_t *set = s->set + (size_t)place * s->words;
  s->moved = s->line[place];
  memcpy(s->moved_set, set, s->words * sizeof *set);
  memset(set, 0, s->words * sizeof *set);
  s->line[place] = UINT64_MAX;
  s->owner[place] = SHARERS_NONE;
}

void sharers_add(struct sharers *s, uint32_t place, uint64_t line, uint32_t sm) {
  if (s->line[place] != line) {
    if (s->line[place] != UINT64_MAX)
      move(s, place);
    s->line[place] = line;
  }
  s->set[(size_t)place * s->words + sm / 64] |= UINT64_C(1) << sm % 64;
}

const uint64_t *sharers_take(struct sharers *s, uint32_t place, uint64_t line) {
  if (s->line[place] == line)
    move(s, place);
  if (s->moved != line)
    return NULL;
  s->moved = UINT64_MAX;
  return s->moved_set;
}

bool sharers_has(const struct sharers *s, uint32_t place, uint64_t line, uint32_t sm) {
  return s->line[place] == line && sharers_word(s, place, sm / 64) >> sm % 64 & 1;
}

bool sharers_others(const struct sharers *s, uint32_t place, uint64_t line, uint32_t sm) {
  if (s->line[place] != line)
    return false;
  for (uint32_t w = 0; w < s->words; w++)
    if (sharers_word(s, place, w) & ~(sm / 64 == w ? UINT64_C(1) << sm % 64 : 0))
      return true;
  return false;
}

void sharers_remove(struct sharers *s, uint32_t place, uint32_t sm) {
  s->set[(size_t)place * s->words + sm / 64] &= ~(UINT64_C(1) << sm % 64);
  if (s->owner[place] == sm)
    s->owner[place] = SHARERS_NONE;
}

void sharers_forget(struct sharers *s) {
  memset(s->line, 0xff, s->places * sizeof *s->line);
  memset(s->set, 0, (size_t)s->places * s->words * sizeof *s->set);
  memset(s->owner, 0xff, s->places * sizeof *s->owner);
}
