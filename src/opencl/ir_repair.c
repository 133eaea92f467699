#include "opencl/ir.h"
#include <stdio.h>

/* libclc reads its table of the bits of 2/pi in steps of 16 bytes, beyond the 158 that it declares: the rest of the
 * last step is filled with zeros, which have no part in results. */
static bool put_pi_bits(struct strbuf *out, const char *s, const char *end) {
  static const char name[] = "@PIBITS_TBL = ", type[] = "[158 x i8] c\"", more[] = "\\00\\00\"";
  size_t n = (size_t)(end - s);
  const char *at = starts(s, end, name) ? memmem(s, n, type, sizeof type - 1) : NULL;
  const char *text = at ? at + sizeof type - 1 : NULL;
  const char *quote = text ? memchr(text, '"', (size_t)(end - text)) : NULL;
  if (!quote)
    return false;
  strbuf_addn(out, s, (size_t)(at - s));
  strbuf_add(out, "[160 x i8] c\"");
  strbuf_addn(out, text, (size_t)(quote - text));
  strbuf_add(out, more);
  strbuf_addn(out, quote + 1, (size_t)(end - quote - 1));
  return true;
}

/* LLVM's back end forgets that the amount of a 64-bit rotation counts modulo 64, and its optimiser takes away an
 * `and` that says so. An instruction it cannot see into keeps the amount small:
 *
 *   %9 = tail call i64 @llvm.fshl.i64(i64 %6, i64 %6, i64 %8)
 *   %rotate.1.0 = call i64 asm "and.b64 $0, $1, 63;", "=l,l"(i64 %8)
 *   %9 = tail call i64 @llvm.fshl.i64(i64 %6, i64 %6, i64 %rotate.1.0) */
static bool put_rotation(struct strbuf *out, const char *s, const char *e, unsigned serial) {
  const char *close = memrchr(s, ')', (size_t)(e - s)),
             *amount = close ? memrchr(s, '%', (size_t)(close - s)) : NULL;
  const char *comma = close ? memrchr(s, ',', (size_t)(close - s)) : NULL;
  unsigned width = 0;
  if (!amount || comma > amount ||
      (!starts(comma, e, ", i64 %") && sscanf(comma, ", <%u x i64> %%", &width) != 1))
    return false;
  int n = (int)(close - amount);
  static const char and[] = "asm \"and.b64 $0, $1, 63;\", \"=l,l\"";
  for (unsigned i = 0; i < width; i++) {
    strbuf_addf(out, "  %%rotate.%u.a%u = extractelement <%u x i64> %.*s, i32 %u\n", serial, i, width, n,
                amount, i);
    strbuf_addf(out, "  %%rotate.%u.b%u = call i64 %s(i64 %%rotate.%u.a%u)\n", serial, i, and, serial, i);
    strbuf_addf(out, "  %%rotate.%u.%u = insertelement <%u x i64> ", serial, i, width);
    if (i)
      strbuf_addf(out, "%%rotate.%u.%u", serial, i - 1);
    strbuf_addf(out, "%s, i64 %%rotate.%u.b%u, i32 %u\n", i ? "" : "undef", serial, i, i);
  }
  if (!width)
    strbuf_addf(out, "  %%rotate.%u.0 = call i64 %s(i64 %.*s)\n", serial, and, n, amount);
  strbuf_addn(out, s, (size_t)(amount - s));
  strbuf_addf(out, "%%rotate.%u.%u", serial, width ? width - 1 : 0);
  strbuf_addn(out, close, (size_t)(e - close));
  return true;
}

void ir_put_function(struct strbuf *out, const char *s, const char *end, unsigned *serial) {
  for (const char *e; s < end; s = e) {
    e = line_end(s, end);
    const char *at = memmem(s, (size_t)(e - s), "@llvm.fsh", 9);
    const char *type = at ? memmem(at, (size_t)(e - at), "i64(", 4) : NULL;
    if (!type || !memmem(s, (size_t)(e - s), " = ", 3) || !put_rotation(out, s, e, ++*serial))
      strbuf_addn(out, s, (size_t)(e - s));
  }
}

/* A three-element vector takes the room of four, but the back end writes three elements of an initial value and goes
 * on right behind them. So initial values are given as four, in types of the same layout that are made for them:
 *
 *   %struct.S = type { <3 x float>, i32 }             %struct.S.v4 = type { <4 x float>, i32 }
 *   @s = constant %struct.S { <3 x float> <float 1.0, float 2.0, float 3.0>, i32 5 }
 *   @s = constant %struct.S.v4 { <4 x float> <float 1.0, float 2.0, float 3.0, float 0.0>, i32 5 } */
static void put_as_four(struct strbuf *out, const char *s, const char *end) {
  while (s < end) {
    char type[16];
    int n = 0;
    if (*s == '"') { /* c"...": nothing to be seen in it */
      const char *q = memchr(s + 1, '"', (size_t)(end - s - 1));
      const char *next = q ? q + 1 : end;
      strbuf_addn(out, s, (size_t)(next - s));
      s = next;
    } else if (*s == '%') {
      size_t k = name_length(s + 1, end);
      bool quoted = k && s[k] == '"';
      strbuf_addn(out, s, k + !quoted);
      strbuf_add(out, quoted ? ".v4\"" : ".v4");
      s += k + 1;
    } else if (*s == '<' && sscanf(s, "<3 x %15[a-z0-9]>%n", type, &n) == 1 && n) {
      strbuf_addf(out, "<4 x %s>", type);
      s += n;
      const char *close = starts(s, end, " <") ? memchr(s, '>', (size_t)(end - s)) : NULL;
      if (close) {
        strbuf_addn(out, s, (size_t)(close - s));
        strbuf_addf(out, ", %s %s", type, *type == 'i' ? "0" : "0.0");
        s = close;
      }
    } else {
      strbuf_addc(out, *s++);
    }
  }
}

/* The back end writes the initial value of a half as a double. As 16 bits it is right:
 *
 *   @h = constant half 0xH3C00, align 2
 *   @h = constant i16 15360, align 2 */
static bool put_half(struct strbuf *out, const char *s, const char *end) {
  const char *at = memmem(s, (size_t)(end - s), " half 0xH", 9);
  bool whole = at && ((at - s >= 6 && memcmp(at - 6, "global", 6) == 0) ||
                      (at - s >= 8 && memcmp(at - 8, "constant", 8) == 0));
  unsigned bits = 0;
  int n = 0;
  if (!whole || sscanf(at, " half 0xH%4x%n", &bits, &n) != 1)
    return false;
  strbuf_addn(out, s, (size_t)(at - s));
  strbuf_addf(out, " i16 %u", bits);
  strbuf_addn(out, at + n, (size_t)(end - at - n));
  return true;
}

void ir_put_type(struct strbuf *out, const char *s, const char *end) {
  strbuf_addn(out, s, (size_t)(end - s));
  put_as_four(out, s, end);
}

void ir_put_variable(struct strbuf *out, const char *s, const char *end) {
  if (put_pi_bits(out, s, end) || put_half(out, s, end))
    return;
  put_as_four(out, s, end);
}
