/* PTX text as tokens, one at a time, without copying. The text must end in a NUL byte at `end`;
 * a NUL before that is an error token, so the scanner needs no other bounds check. */
#ifndef SLUICE_FRONT_PTX_LEX_H
#define SLUICE_FRONT_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Punctuation is its own character code; these lie below all of them. */
enum ptx_token_kind {
  TOK_EOF,
  TOK_WORD, /* add  %r12  $L__BB0_2  _ */
  TOK_DIR,  /* .reg: a dot and a word */
  TOK_INT,
  TOK_F32, /* 0f3F800000 */
  TOK_F64, /* 0d3FF0000000000000, 1.5 */
  TOK_STR, /* with its quotes */
  TOK_SHL,
  TOK_SHR,
  TOK_LE,
  TOK_GE,
  TOK_EQ,
  TOK_NE,
  TOK_AND,
  TOK_OR,
  TOK_BAD, /* `why` says what is wrong with it */
};

struct ptx_token {
  uint8_t kind;
  bool is_unsigned; /* TOK_INT: suffix U, or beyond INT64_MAX */
  uint32_t line;
  uint32_t len;
  const char *s;
  uint64_t u; /* value or bits of a number */
};

struct ptx_lexer {
  const char *at, *end;
  uint32_t line;
  const char *why;
  struct ptx_token tok;
};

void ptx_lex_init(struct ptx_lexer *lx, const char *text, size_t n);
void ptx_lex_next(struct ptx_lexer *lx);
/* The character that starts the token after the current one; TOK_EOF at the end. */
char ptx_lex_peek(struct ptx_lexer *lx);
/* Extends a word to a mnemonic: "ld" to "ld.global.nc.L1::no_allocate.v4.f32". */
void ptx_lex_dotted(struct ptx_lexer *lx);
/* With `{` as the current token: moves to the token after the matching `}`. False if there is none. */
bool ptx_lex_skip_block(struct ptx_lexer *lx);
/* Is c part of a word after its first character? */
bool ptx_lex_is_word(char c);

uint64_t ptx_hash(const char *s, size_t n);

#endif
