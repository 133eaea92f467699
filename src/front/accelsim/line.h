/* Parts of a trace's line, one after the other. */
#ifndef SLUICE_FRONT_ACCELSIM_LINE_H
#define SLUICE_FRONT_ACCELSIM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of the line; what follows it is a newline or NUL. */
struct line {
  const char *s, *end;
};

static inline void line_blanks(struct line *l) {
  while (l->s < l->end && (*l->s == ' ' || *l->s == '\t'))
    l->s++;
}
static inline bool line_ends(struct line *l) {
  line_blanks(l);
  return l->s == l->end;
}
/* A part must end where a blank or the line's end is. */
static inline bool line_parted(const struct line *l) {
  return l->s == l->end || *l->s == ' ' || *l->s == '\t';
}

static inline int line_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* Hexadecimal, of at most `most` digits that count, with or without 0x. */
static inline bool line_hex(struct line *l, unsigned most, uint64_t *to) {
  line_blanks(l);
  if (l->end - l->s > 2 && l->s[0] == '0' && (l->s[1] == 'x' || l->s[1] == 'X'))
    l->s += 2;
  const char *from = l->s;
  uint64_t v = 0;
  unsigned n = 0;
  for (int d; l->s < l->end && (d = line_digit(*l->s)) >= 0; l->s++) {
    n += n || d;
    if (n > most)
      return false;
    v = v << 4 | (uint64_t)d;
  }
  *to = v;
  return l->s > from && line_parted(l);
}

static inline bool line_u32(struct line *l, uint32_t most, uint32_t *to) {
  line_blanks(l);
  const char *from = l->s;
  uint64_t v = 0;
  for (; l->s < l->end && *l->s >= '0' && *l->s <= '9'; l->s++)
    if ((v = v * 10 + (uint64_t)(*l->s - '0')) > most)
      return false;
  *to = (uint32_t)v;
  return l->s > from && line_parted(l);
}

static inline bool line_i64(struct line *l, int64_t *to) {
  line_blanks(l);
  bool minus = l->s < l->end && *l->s == '-';
  l->s += minus;
  const char *from = l->s;
  uint64_t v = 0;
  for (; l->s < l->end && *l->s >= '0' && *l->s <= '9'; l->s++) {
    if (v > (UINT64_MAX - 9) / 10)
      return false;
    v = v * 10 + (uint64_t)(*l->s - '0');
  }
  *to = (int64_t)(minus ? 0 - v : v);
  return l->s > from && line_parted(l);
}

#endif
