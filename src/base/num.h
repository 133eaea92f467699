/* Numbers as text, both ways, whatever the locale. */
#ifndef SLUICE_BASE_NUM_H
#define SLUICE_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum num_result { NUM_OK, NUM_SYNTAX, NUM_RANGE };

/* Decimal or 0x hexadecimal; decimals may carry an exponent (1e9) or a suffix: k M G T count by 1000,
 * Ki Mi Gi Ti by 1024, each with an optional B ("64KiB"). A bare K is refused: it means both. */
enum num_result num_u64(const char *s, uint64_t *out);
enum num_result num_i64(const char *s, int64_t *out);
/* Decimal or hexadecimal floating point; inf and nan (any case, signed) included. */
enum num_result num_f64(const char *s, double *out);
/* true false yes no on off, any case */
enum num_result num_bool(const char *s, bool *out);

/* The shortest decimal that reads back as the same double; "1" for 1.0. inf, -inf, nan otherwise.
 * `buf` holds at least NUM_F64_MAX bytes; returns buf. */
enum { NUM_F64_MAX = 32 };
char *num_print_f64(char *buf, double v);

#endif
