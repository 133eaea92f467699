#include "front/ptx/lex.h"
#include "base/num.h"
#include <stdlib.h>
#include <string.h>

enum {
  D = 1, /* decimal digit */
  H = 2, /* hexadecimal letter */
  L = 4, /* other characters of a word */
  B = 8, /* blank, newline not included */
};

static const uint8_t class_of[256] = {
    ['\t'] = B, ['\v'] = B, ['\f'] = B, ['\r'] = B, [' '] = B, ['$'] = L, ['_'] = L, ['0'] = D, ['1'] = D,
    ['2'] = D,  ['3'] = D,  ['4'] = D,  ['5'] = D,  ['6'] = D, ['7'] = D, ['8'] = D, ['9'] = D, ['a'] = H,
    ['b'] = H,  ['c'] = H,  ['d'] = H,  ['e'] = H,  ['f'] = H, ['A'] = H, ['B'] = H, ['C'] = H, ['D'] = H,
    ['E'] = H,  ['F'] = H,  ['g'] = L,  ['h'] = L,  ['i'] = L, ['j'] = L, ['k'] = L, ['l'] = L, ['m'] = L,
    ['n'] = L,  ['o'] = L,  ['p'] = L,  ['q'] = L,  ['r'] = L, ['s'] = L, ['t'] = L, ['u'] = L, ['v'] = L,
    ['w'] = L,  ['x'] = L,  ['y'] = L,  ['z'] = L,  ['G'] = L, ['H'] = L, ['I'] = L, ['J'] = L, ['K'] = L,
    ['L'] = L,  ['M'] = L,  ['N'] = L,  ['O'] = L,  ['P'] = L, ['Q'] = L, ['R'] = L, ['S'] = L, ['T'] = L,
    ['U'] = L,  ['V'] = L,  ['W'] = L,  ['X'] = L,  ['Y'] = L, ['Z'] = L,
};

static inline bool is(char c, unsigned classes) {
  return class_of[(unsigned char)c] & classes;
}

bool ptx_lex_is_word(char c) {
  return is(c, D | H | L);
}

static inline uint64_t mix(uint64_t a, uint64_t b) {
  a = (a ^ b) * 0x9e3779b97f4a7c15u;
  return a ^ (a >> 32);
}

uint64_t ptx_hash(const char *s, size_t n) {
  uint64_t h = n, w;
  if (n < 8) { /* two overlapping reads cover any length */
    uint32_t lo = 0, hi = 0;
    if (n >= 4) {
      memcpy(&lo, s, 4);
      memcpy(&hi, s + n - 4, 4);
    } else if (n > 0) {
      lo = (uint32_t)(unsigned char)s[0] | (uint32_t)(unsigned char)s[n / 2] << 8 |
           (uint32_t)(unsigned char)s[n - 1] << 16;
    }
    return mix(h, (uint64_t)hi << 32 | lo);
  }
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    memcpy(&w, s + i, 8);
    h = mix(h, w);
  }
  memcpy(&w, s + n - 8, 8);
  return mix(h, w);
}

void ptx_lex_init(struct ptx_lexer *lx, const char *text, size_t n) {
  *lx = (struct ptx_lexer){.at = text, .end = text + n, .line = 1};
}

/* Skips blanks and comments. False: a comment does not end; `at` stays at its start. */
static bool skip_blank(struct ptx_lexer *lx) {
  const char *p = lx->at;
  for (;;) {
    while (is(*p, B))
      p++;
    if (*p == '\n') {
      lx->line++;
      p++;
    } else if (p[0] == '/' && p[1] == '/') {
      const char *nl = memchr(p, '\n', (size_t)(lx->end - p));
      p = nl ? nl : lx->end;
    } else if (p[0] == '/' && p[1] == '*') {
      const char *q = p + 2;
      uint32_t lines = 0;
      while (q < lx->end && !(q[0] == '*' && q[1] == '/'))
        lines += *q++ == '\n';
      if (q >= lx->end) {
        lx->at = p;
        return false;
      }
      lx->line += lines;
      p = q + 2;
    } else {
      lx->at = p;
      return true;
    }
  }
}

static void bad(struct ptx_lexer *lx, const char *to, const char *why) {
  lx->tok.kind = TOK_BAD;
  lx->tok.len = (uint32_t)(to - lx->tok.s);
  lx->at = to;
  lx->why = why;
}

static void take(struct ptx_lexer *lx, uint8_t kind, const char *to) {
  lx->tok.kind = kind;
  lx->tok.len = (uint32_t)(to - lx->tok.s);
  lx->at = to;
}

static unsigned digit_value(char c) {
  if (c <= '9')
    return (unsigned)(c - '0');
  return (unsigned)((c | 0x20) - 'a') + 10;
}

/* Digits of `base` from p; returns their end. */
static const char *scan_digits(const char *p, unsigned base, uint64_t *value, bool *overflow) {
  uint64_t v = 0;
  for (; is(*p, D | H) && digit_value(*p) < base; p++) {
    if (v > (UINT64_MAX - digit_value(*p)) / base)
      *overflow = true;
    v = v * base + digit_value(*p);
  }
  *value = v;
  return p;
}

static const char *word_end(const char *p) {
  while (is(*p, D | H | L))
    p++;
  return p;
}

static void lex_decimal_float(struct ptx_lexer *lx, const char *s) {
  const char *p = s;
  while (is(*p, D))
    p++;
  if (*p == '.') {
    p++;
    while (is(*p, D))
      p++;
  }
  if ((*p | 0x20) == 'e') {
    p += p[1] == '+' || p[1] == '-' ? 2 : 1;
    if (!is(*p, D)) {
      bad(lx, word_end(p), "malformed number: no digits after the exponent sign");
      return;
    }
    while (is(*p, D))
      p++;
  }
  char buf[128];
  size_t n = (size_t)(p - s);
  double value = 0;
  if (is(*p, D | H | L) || n >= sizeof buf) {
    bad(lx, word_end(p), n >= sizeof buf ? "number too long" : "malformed number");
    return;
  }
  memcpy(buf, s, n);
  buf[n] = '\0';
  enum num_result r = num_f64(buf, &value);
  if (r != NUM_OK) {
    bad(lx, p, r == NUM_RANGE ? "number out of the range of .f64" : "malformed number");
    return;
  }
  take(lx, TOK_F64, p);
  memcpy(&lx->tok.u, &value, 8);
}

/* 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX: the bits of the value. */
static void lex_hex_float(struct ptx_lexer *lx, const char *s, unsigned ndigits) {
  bool overflow = false;
  const char *p = scan_digits(s + 2, 16, &lx->tok.u, &overflow);
  if (p - s - 2 != (int)ndigits || is(*p, L))
    bad(lx, word_end(p),
        ndigits == 8 ? "0f takes exactly 8 hexadecimal digits" : "0d takes exactly 16 hexadecimal digits");
  else
    take(lx, ndigits == 8 ? TOK_F32 : TOK_F64, p);
}

static void lex_number(struct ptx_lexer *lx) {
  const char *s = lx->at, *p = s;
  unsigned base = 10;
  if (s[0] == '0') {
    char c = (char)(s[1] | 0x20);
    if (c == 'f' || c == 'd') {
      lex_hex_float(lx, s, c == 'f' ? 8 : 16);
      return;
    }
    if (c == 'x' || c == 'b') {
      base = c == 'x' ? 16 : 2;
      p += 2;
    } else if (is(s[1], D)) {
      base = 8;
    }
  }
  bool overflow = false;
  const char *first = p;
  p = scan_digits(p, base, &lx->tok.u, &overflow);
  if (base == 8 || base == 10) {
    const char *q = p;
    while (is(*q, D))
      q++;
    if (*q == '.' || (*q | 0x20) == 'e') {
      lex_decimal_float(lx, s);
      return;
    }
  }
  lx->tok.is_unsigned = lx->tok.u > INT64_MAX;
  if (*p == 'U' || *p == 'u') {
    lx->tok.is_unsigned = true;
    p++;
  }
  if (p == first || is(*p, D | H | L))
    bad(lx, word_end(p), "malformed number");
  else if (overflow)
    bad(lx, p, "number does not fit in 64 bits");
  else
    take(lx, TOK_INT, p);
}

static void lex_string(struct ptx_lexer *lx) {
  const char *p = lx->at + 1;
  while (*p != '"') {
    if (*p == '\n' || *p == '\0') {
      bad(lx, p, "the string does not end on its line");
      return;
    }
    p += *p == '\\' && p[1] != '\0' && p[1] != '\n' ? 2 : 1;
  }
  take(lx, TOK_STR, p + 1);
}

static void lex_punctuation(struct ptx_lexer *lx) {
  static const struct {
    char text[3];
    uint8_t kind;
  } pairs[] = {{"<<", TOK_SHL}, {">>", TOK_SHR}, {"<=", TOK_LE},  {">=", TOK_GE},
               {"==", TOK_EQ},  {"!=", TOK_NE},  {"&&", TOK_AND}, {"||", TOK_OR}};
  const char *p = lx->at;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (p[0] == pairs[i].text[0] && p[1] == pairs[i].text[1]) {
      take(lx, pairs[i].kind, p + 2);
      return;
    }
  take(lx, (uint8_t)*p, p + 1);
}

void ptx_lex_next(struct ptx_lexer *lx) {
  bool closed = skip_blank(lx);
  const char *p = lx->at;
  lx->tok.line = lx->line;
  lx->tok.s = p;
  if (!closed) {
    lx->tok.kind = TOK_BAD;
    lx->tok.len = 2;
    lx->why = "the comment does not end";
    lx->at = lx->end;
    return;
  }
  switch (*p) {
  case ',':
  case ';':
  case '[':
  case ']':
  case '{':
  case '}':
  case '(':
  case ')':
  case ':':
  case '@':
  case '+':
  case '-':
  case '*':
  case '/':
  case '~':
  case '^':
  case '?':
    take(lx, (uint8_t)*p, p + 1);
    return;
  case '%':
    if (!is(p[1], D | H | L)) {
      take(lx, '%', p + 1);
      return;
    }
    take(lx, TOK_WORD, word_end(p + 1));
    return;
  case '.':
    if (is(p[1], D))
      lex_decimal_float(lx, p);
    else if (is(p[1], H | L))
      take(lx, TOK_DIR, word_end(p + 1));
    else
      bad(lx, p + 1, "a lone dot");
    return;
  case '"':
    lex_string(lx);
    return;
  case '<':
  case '>':
  case '=':
  case '!':
  case '&':
  case '|':
    lex_punctuation(lx);
    return;
  case '\0':
    if (p >= lx->end)
      take(lx, TOK_EOF, p);
    else
      bad(lx, p + 1, "a NUL byte");
    return;
  case '#':
    bad(lx, p + 1, "preprocessor lines are not PTX");
    return;
  default:
    if (is(*p, D))
      lex_number(lx);
    else if (is(*p, H | L))
      take(lx, TOK_WORD, word_end(p));
    else
      bad(lx, p + 1, "a character that PTX does not have");
  }
}

char ptx_lex_peek(struct ptx_lexer *lx) {
  return skip_blank(lx) ? *lx->at : '/';
}

void ptx_lex_dotted(struct ptx_lexer *lx) {
  const char *p = lx->tok.s + lx->tok.len;
  if (*p != '.')
    return; /* `at` may be further on, after a peek */
  while (*p == '.' || (p[0] == ':' && p[1] == ':'))
    p = word_end(p + (*p == '.' ? 1 : 2));
  take(lx, TOK_WORD, p);
}

bool ptx_lex_skip_block(struct ptx_lexer *lx) {
  size_t depth = 1;
  while (depth > 0) {
    if (!skip_blank(lx) || lx->at >= lx->end)
      return false;
    char c = *lx->at;
    if (c == '"') {
      lx->tok.s = lx->at;
      lex_string(lx);
      continue;
    }
    depth += c == '{';
    depth -= c == '}';
    lx->at++;
  }
  ptx_lex_next(lx);
  return true;
}
