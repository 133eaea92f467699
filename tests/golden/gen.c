/* Writes one PTX kernel per row (and rounding) of the table, in modules of BATCH kernels, and a
 * manifest that record.c follows:
 *   module kernel mnemonic outputs d-bytes source-types...
 * usage: gen DIR */
#include "front/ptx/ops.h"
#include "vectors.h"
#include <stdio.h>
#include <string.h>

enum { BATCH = 400 };

static const char *const rounding_name[] = {".rn", ".rz", ".rm", ".rp"};

static unsigned type_bits(unsigned t) {
  static const uint8_t bits[] = {0,
#define X(e, text, n, kind) n,
                                 PTX_TYPES(X)
#undef X
  };
  return bits[t];
}

/* Register class and its spelling; 8-bit types live in 16-bit registers. */
static const char *reg(unsigned t) {
  if (t == PTX_PRED)
    return "p";
  if (t == PTX_F32)
    return "f";
  if (t == PTX_F64)
    return "d";
  return type_bits(t) <= 16 ? "h" : type_bits(t) <= 32 ? "r" : "l";
}

static void load_source(FILE *f, unsigned t, unsigned s) {
  fprintf(f, "  ld.global.u64 %%t, [%%in+%u];\n", s * GOLDEN_MAX * 8);
  switch (*reg(t)) {
  case 'p':
    fprintf(f, "  setp.ne.u64 %%p%u, %%t, 0;\n", s);
    break;
  case 'f':
    fprintf(f, "  cvt.u32.u64 %%r9, %%t; mov.b32 %%f%u, %%r9;\n", s);
    break;
  case 'd':
    fprintf(f, "  mov.b64 %%d%u, %%t;\n", s);
    break;
  case 'h':
    fprintf(f, "  cvt.u16.u64 %%h%u, %%t;\n", s);
    break;
  case 'r':
    fprintf(f, "  cvt.u32.u64 %%r%u, %%t;\n", s);
    break;
  default:
    fprintf(f, "  mov.b64 %%l%u, %%t;\n", s);
    break;
  }
}

static void store_result(FILE *f, unsigned t, const char *num, unsigned at) {
  switch (*reg(t)) {
  case 'p':
    fprintf(f, "  selp.u64 %%t, 1, 0, %%p%s;\n", num);
    break;
  case 'f':
    fprintf(f, "  mov.b32 %%r9, %%f%s; cvt.u64.u32 %%t, %%r9;\n", num);
    break;
  case 'd':
    fprintf(f, "  mov.b64 %%t, %%d%s;\n", num);
    break;
  case 'h':
    fprintf(f, "  cvt.u64.u16 %%t, %%h%s;\n", num);
    break;
  case 'r':
    fprintf(f, "  cvt.u64.u32 %%t, %%r%s;\n", num);
    break;
  default:
    fprintf(f, "  mov.b64 %%t, %%l%s;\n", num);
    break;
  }
  fprintf(f, "  st.global.u64 [%%out+%u], %%t;\n", at);
}

static void operands(FILE *f, const struct ptx_op *op, unsigned n) {
  for (unsigned s = 0; s < n; s++)
    fprintf(f, ", %%%s%u", reg(op->stype[s]), s);
}

static void kernel(FILE *f, const struct ptx_op *op, const char *mnemonic, unsigned number) {
  fprintf(f, ".visible .entry k%u(.param .u64 pin, .param .u64 pout) {\n", number);
  fputs("  .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %l<10>; .reg .f32 %f<10>; .reg .f64 %d<10>; .reg "
        ".b8 %b<10>;\n"
        "  .reg .pred %p<10>; .reg .b64 %in, %out, %t, %o; .reg .b32 %i;\n"
        "  mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 8;\n"
        "  ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];\n"
        "  add.u64 %in, %in, %o; add.u64 %out, %out, %o;\n",
        f);
  for (unsigned s = 0; s < op->nsrc; s++)
    load_source(f, op->stype[s], s);
  if (op->flags & (PTX_OPF_CC_IN | PTX_OPF_CC_OUT)) {
    /* carry in as given (the slot after the sources), carry out through addc */
    load_source(f, PTX_U32, 8);
    fputs("  add.cc.u32 %r9, %r8, 0xffffffff;\n", f);
  }
  if (strcmp(op->name, "lop3.b32") == 0) {
    for (unsigned lut = 0; lut < 256; lut++)
      fprintf(f, "  setp.eq.u32 %%p1, %%r3, %u; @%%p1 lop3.b32 %%r7, %%r0, %%r1, %%r2, %u;\n", lut, lut);
  } else {
    const bool pair = op->flags & PTX_OPF_Q;
    /* bf16 to a byte insists on a byte register, which goes out by a pack and, signed, a conversion */
    const bool byte = (op->dtype == PTX_U8 || op->dtype == PTX_S8) && op->stype[0] == PTX_BF16;
    fprintf(f, "  %s %%%s7%s", mnemonic, byte ? "b" : reg(op->dtype), pair ? "|%p6" : "");
    operands(f, op, op->nsrc);
    fputs(";\n", f);
    if (byte)
      fprintf(f, "  mov.b16 %%h7, {%%b7, 0}; cvt.%s %%h7, %%h7;\n",
              op->dtype == PTX_S8 ? "s16.s8" : "u16.u8");
  }
  if (op->flags & PTX_OPF_CC_OUT)
    fputs("  addc.u32 %r6, 0, 0;\n", f);
  store_result(f, op->dtype, "7", 0);
  if (op->flags & PTX_OPF_Q)
    store_result(f, PTX_PRED, "6", GOLDEN_MAX * 8);
  if (op->flags & PTX_OPF_CC_OUT)
    store_result(f, PTX_U32, "6", GOLDEN_MAX * 8);
  fputs("  ret;\n}\n", f);
}

static void with_rounding(char *out, size_t n, const char *name, int r) {
  const char *dot = strchr(name, '.');
  if (r < 0)
    snprintf(out, n, "%s", name);
  else
    snprintf(out, n, "%.*s%s%s", (int)(dot - name), name, rounding_name[r], dot);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  char path[512];
  snprintf(path, sizeof path, "%s/manifest", argv[1]);
  FILE *list = fopen(path, "w"), *ptx = NULL;
  if (!list)
    return 1;
  unsigned number = 0;
  const struct ptx_op_table *t = ptx_ops();
  for (size_t i = 0; i < t->n; i++) {
    const struct ptx_op *op = &t->ops[i];
    if (op->flags & PTX_OPF_INTERNAL || op->dtype == PTX_B128)
      continue;
    const int first = op->flags & PTX_OPF_ROUND || (op->flags & PTX_OPF_MUST_ROUND) ? 0 : -1;
    const int last = op->flags & PTX_OPF_ROUND ? 3 : first;
    for (int r = first; r <= last; r++, number++) {
      if (number % BATCH == 0) {
        if (ptx)
          fclose(ptx);
        snprintf(path, sizeof path, "%s/m%u.ptx", argv[1], number / BATCH);
        if (!(ptx = fopen(path, "w")))
          return 1;
        fputs(".version 8.6\n.target sm_90\n.address_size 64\n", ptx);
      }
      char mnemonic[96];
      with_rounding(mnemonic, sizeof mnemonic, op->name, r);
      kernel(ptx, op, mnemonic, number);
      const unsigned two = op->flags & (PTX_OPF_Q | PTX_OPF_CC_OUT) ? 2 : 1;
      const unsigned bytes = op->dtype == PTX_PRED        ? 1
                             : type_bits(op->dtype) <= 16 ? 2
                                                          : type_bits(op->dtype) / 8;
      fprintf(list, "%u %u %s %u %u %u", number / BATCH, number, mnemonic, two, bytes, op->nsrc);
      for (unsigned s = 0; s < op->nsrc; s++)
        fprintf(list, " %u", op->stype[s]);
      fputc('\n', list);
    }
  }
  if (ptx)
    fclose(ptx);
  return fclose(list) != 0;
}
