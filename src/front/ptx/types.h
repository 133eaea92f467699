/* PTX scalar types and state spaces, shared by parser, lowering and executor. */
#ifndef SLUICE_FRONT_PTX_TYPES_H
#define SLUICE_FRONT_PTX_TYPES_H

#include <stdint.h>

/*        enum      text    bits  kind: b untyped, u unsigned, s signed, f float, p predicate */
#define PTX_TYPES(X)                                                                                         \
  X(B8, "b8", 8, 'b')                                                                                        \
  X(B16, "b16", 16, 'b')                                                                                     \
  X(B32, "b32", 32, 'b')                                                                                     \
  X(B64, "b64", 64, 'b')                                                                                     \
  X(B128, "b128", 128, 'b')                                                                                  \
  X(U8, "u8", 8, 'u')                                                                                        \
  X(U16, "u16", 16, 'u')                                                                                     \
  X(U32, "u32", 32, 'u')                                                                                     \
  X(U64, "u64", 64, 'u')                                                                                     \
  X(S8, "s8", 8, 's')                                                                                        \
  X(S16, "s16", 16, 's')                                                                                     \
  X(S32, "s32", 32, 's')                                                                                     \
  X(S64, "s64", 64, 's')                                                                                     \
  X(F16, "f16", 16, 'f')                                                                                     \
  X(F16X2, "f16x2", 32, 'f')                                                                                 \
  X(BF16, "bf16", 16, 'f')                                                                                   \
  X(BF16X2, "bf16x2", 32, 'f')                                                                               \
  X(TF32, "tf32", 32, 'f')                                                                                   \
  X(F32, "f32", 32, 'f')                                                                                     \
  X(F64, "f64", 64, 'f')                                                                                     \
  X(E4M3X2, "e4m3x2", 16, 'f')                                                                               \
  X(E5M2X2, "e5m2x2", 16, 'f')                                                                               \
  X(U16X2, "u16x2", 32, 'u')                                                                                 \
  X(S16X2, "s16x2", 32, 's')                                                                                 \
  X(PRED, "pred", 1, 'p')

enum ptx_type {
  PTX_NOTYPE,
#define X(e, text, bits, kind) PTX_##e,
  PTX_TYPES(X)
#undef X
      PTX_NTYPES
};

enum ptx_space {
  PTX_GENERIC, /* no space named */
  PTX_REG,
  PTX_PARAM,
  PTX_SHARED,
  PTX_LOCAL,
  PTX_CONST,
  PTX_GLOBAL,
  PTX_TEX,
  PTX_NSPACES
};

const char *ptx_type_name(enum ptx_type t);
unsigned ptx_type_bits(enum ptx_type t);
char ptx_type_kind(enum ptx_type t);
/* Type named by `s[0..n)` (without the dot), or PTX_NOTYPE. */
enum ptx_type ptx_type_parse(const char *s, unsigned n);
const char *ptx_space_name(enum ptx_space s);

#endif
