/* Elements of a buffer: the types a launch file can name, and numbers as a user writes them. */
#ifndef SLUICE_FRONT_LAUNCH_ELEM_H
#define SLUICE_FRONT_LAUNCH_ELEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* kind: b untyped bits, u unsigned, s signed, f float */
#define ELEM_TYPES(X)                                                                                        \
  X(U8, "u8", 1, 'u')                                                                                        \
  X(U16, "u16", 2, 'u')                                                                                      \
  X(U32, "u32", 4, 'u')                                                                                      \
  X(U64, "u64", 8, 'u')                                                                                      \
  X(S8, "s8", 1, 's')                                                                                        \
  X(S16, "s16", 2, 's')                                                                                      \
  X(S32, "s32", 4, 's')                                                                                      \
  X(S64, "s64", 8, 's')                                                                                      \
  X(B8, "b8", 1, 'b')                                                                                        \
  X(B16, "b16", 2, 'b')                                                                                      \
  X(B32, "b32", 4, 'b')                                                                                      \
  X(B64, "b64", 8, 'b')                                                                                      \
  X(F16, "f16", 2, 'f')                                                                                      \
  X(BF16, "bf16", 2, 'f')                                                                                    \
  X(F32, "f32", 4, 'f')                                                                                      \
  X(F64, "f64", 8, 'f')

enum elem_type {
  ELEM_NONE, /* not given */
#define X(e, name, bytes, kind) ELEM_##e,
  ELEM_TYPES(X)
#undef X
      ELEM_NTYPES
};

/* Names of all types in order of the enum, without ELEM_NONE: elem_names[t - 1]. */
extern const char *const elem_names[ELEM_NTYPES - 1];
const char *elem_name(enum elem_type t);
unsigned elem_bytes(enum elem_type t); /* 1 for ELEM_NONE */
char elem_kind(enum elem_type t);

/* A number as written. Whole ones keep all 64 bits: u holds them in two's complement. */
struct number {
  bool whole, negative;
  uint64_t u;
  double f; /* the value as a double, always set */
};

struct number number_u64(uint64_t v);
struct number number_f64(double v);
/* Whole where possible: decimal, 0x..., 1.5, 1e-3, inf, nan. */
bool number_parse(const char *s, struct number *out);

/* Whether the type can hold it: whole numbers in range for integers; for floats, no overflow. */
bool elem_fits(enum elem_type t, struct number v);
/* "a whole number from -128 to 127" */
const char *elem_range(enum elem_type t, char *buf, size_t n);

void elem_store(enum elem_type t, struct number v, uint8_t *to);
void elem_store_bits(enum elem_type t, uint64_t bits, uint8_t *to); /* integers: the low bits */
void elem_store_f64(enum elem_type t, double v, uint8_t *to);       /* floats: rounded to nearest even */
/* n of them, one after the other */
void elem_store_bits_many(enum elem_type t, const uint64_t *bits, uint64_t n, uint8_t *to);
void elem_store_f64_many(enum elem_type t, const double *v, uint64_t n, uint8_t *to);
uint64_t elem_load_bits(enum elem_type t, const uint8_t *from); /* signed types sign-extended */
double elem_load_f64(enum elem_type t, const uint8_t *from);
/* The element as text: "-3", "0x1f" for untyped bits, "1.5". */
const char *elem_print(enum elem_type t, const uint8_t *from, char *buf, size_t n);
/* Representable values between two elements; UINT64_MAX if exactly one is NaN, 0 if both are. */
uint64_t elem_ulps(enum elem_type t, const uint8_t *a, const uint8_t *b);

#endif
