#include "coherence/sharers.h"
#include "base/bits.h"
#include "base/hash.h"
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
  free(s->side_line), free(s->side_set), free(s->left_set);
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
  bits_add(s->set + (size_t)place * s->words, sm);
}

const uint64_t *sharers_take(struct sharers *s, uint32_t place, uint64_t line) {
  if (s->line[place] == line)
    move(s, place);
  if (s->moved != line)
    return NULL;
  s->moved = UINT64_MAX;
  return s->moved_set;
}

void sharers_put(struct sharers *s, uint32_t place, uint64_t line, const uint64_t *set) {
  if (!set)
    return;
  if (s->line[place] != line && s->line[place] != UINT64_MAX)
    move(s, place);
  s->line[place] = line;
  memcpy(s->set + (size_t)place * s->words, set, s->words * sizeof *set);
}

/* Where the line is in the table, or the free place at which its search ends. */
static uint32_t side_at(const struct sharers *s, uint64_t line) {
  uint32_t i = (uint32_t)hash_mix(line) & s->side_mask;
  while (s->side_line[i] != UINT64_MAX && s->side_line[i] != line)
    i = (i + 1) & s->side_mask;
  return i;
}

static void side_grow(struct sharers *s) {
  uint64_t *line = s->side_line, *set = s->side_set;
  uint32_t size = s->side_mask ? s->side_mask + 1 : 0, more = size ? 2 * size : 64;
  s->side_line = xmalloc(more * sizeof *line);
  memset(s->side_line, 0xff, more * sizeof *line);
  s->side_set = xcalloc((size_t)more * s->words, sizeof *set);
  s->side_mask = more - 1;
  for (uint32_t i = 0; i < size; i++)
    if (line[i] != UINT64_MAX) {
      uint32_t at = side_at(s, line[i]);
      s->side_line[at] = line[i];
      memcpy(s->side_set + (size_t)at * s->words, set + (size_t)i * s->words, s->words * sizeof *set);
    }
  free(line), free(set);
  if (!s->left_set)
    s->left_set = xcalloc(s->words, sizeof *set);
}

static uint64_t *side_set(struct sharers *s, uint64_t line) {
  if (2 * s->beside >= s->side_mask) /* half of it stays free */
    side_grow(s);
  uint32_t at = side_at(s, line);
  s->beside += s->side_line[at] == UINT64_MAX;
  s->side_line[at] = line;
  return s->side_set + (size_t)at * s->words;
}

void sharers_put_side(struct sharers *s, uint64_t line, const uint64_t *set) {
  if (set)
    memcpy(side_set(s, line), set, s->words * sizeof *set);
}

void sharers_add_side(struct sharers *s, uint64_t line, uint32_t sm) {
  bits_add(side_set(s, line), sm);
}

const uint64_t *sharers_take_side(struct sharers *s, uint64_t line) {
  uint32_t hole = s->beside ? side_at(s, line) : 0;
  if (!s->beside || s->side_line[hole] != line)
    return NULL;
  size_t bytes = s->words * sizeof *s->left_set;
  memcpy(s->left_set, s->side_set + (size_t)hole * s->words, bytes);
  s->beside--;
  /* what was put behind it for lack of this place moves up */
  for (uint32_t i = (hole + 1) & s->side_mask; s->side_line[i] != UINT64_MAX; i = (i + 1) & s->side_mask) {
    uint32_t wants = (uint32_t)hash_mix(s->side_line[i]) & s->side_mask;
    if (((i - wants) & s->side_mask) < ((i - hole) & s->side_mask))
      continue;
    s->side_line[hole] = s->side_line[i];
    memcpy(s->side_set + (size_t)hole * s->words, s->side_set + (size_t)i * s->words, bytes);
    hole = i;
  }
  s->side_line[hole] = UINT64_MAX;
  memset(s->side_set + (size_t)hole * s->words, 0, bytes);
  return s->left_set;
}

bool sharers_has(const struct sharers *s, uint32_t place, uint64_t line, uint32_t sm) {
  return s->line[place] == line && bits_have(s->set + (size_t)place * s->words, sm);
}

bool sharers_others(const struct sharers *s, uint32_t place, uint64_t line, uint32_t sm) {
  if (s->line[place] != line)
    return false;
  for (uint32_t w = 0; w < s->words; w++)
    if (sharers_word(s, place, w) & ~(sm / 64 == w ? bit64(sm % 64) : 0))
      return true;
  return false;
}

void sharers_remove(struct sharers *s, uint32_t place, uint32_t sm) {
  bits_remove(s->set + (size_t)place * s->words, sm);
  if (s->owner[place] == sm)
    s->owner[place] = SHARERS_NONE;
}

void sharers_reset(struct sharers *s) {
  memset(s->line, 0xff, s->places * sizeof *s->line);
  memset(s->set, 0, (size_t)s->places * s->words * sizeof *s->set);
  memset(s->owner, 0xff, s->places * sizeof *s->owner);
}
