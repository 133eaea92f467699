/* Choosing a table, and finding the row a mnemonic means. */
#include "front/ptx/ops.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct ptx_op_table ptx_op_table_generic;
#ifdef PTX_OPS_X86
extern const struct ptx_op_table ptx_op_table_avx2, ptx_op_table_avx512;
#endif

enum { MAX_TABLES = 3, INDEX_SIZE = 16384 };

/* Built once, before first use, and never changed: the usable tables and a hash index of row
 * numbers by name, which is the same for all tables. */
static struct {
  pthread_once_t once;
  size_t ntables, chosen;
  struct ptx_op_table tables[MAX_TABLES];
  uint16_t slot[INDEX_SIZE]; /* row + 1; 0 is empty */
} ops = {.once = PTHREAD_ONCE_INIT};

static uint32_t name_hash(const char *s) {
  uint32_t h = 2166136261u;
  for (; *s; s++)
    h = (h ^ (uint8_t)*s) * 16777619u;
  return h ^ (h >> 15);
}

static void ops_init(void) {
#ifdef PTX_OPS_X86
  __builtin_cpu_init();
  const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    ops.tables[ops.ntables++] = ptx_op_table_avx512;
  if (avx2)
    ops.tables[ops.ntables++] = ptx_op_table_avx2;
#endif
  ops.tables[ops.ntables++] = ptx_op_table_generic;
  const char *isa = getenv("SLUICE_ISA");
  for (size_t i = 0; isa && i < ops.ntables; i++)
    if (strcmp(isa, ops.tables[i].isa) == 0)
      ops.chosen = i;
  const struct ptx_op_table *t = &ops.tables[0];
  for (size_t r = 0; r < t->n; r++) {
    uint32_t h = name_hash(t->ops[r].name) % INDEX_SIZE;
    while (ops.slot[h])
      h = (h + 1) % INDEX_SIZE;
    ops.slot[h] = (uint16_t)(r + 1);
  }
}

const struct ptx_op_table *ptx_op_tables(size_t *n) {
  pthread_once(&ops.once, ops_init);
  *n = ops.ntables;
  return ops.tables;
}

const struct ptx_op_table *ptx_ops(void) {
  pthread_once(&ops.once, ops_init);
  return &ops.tables[ops.chosen];
}

static const struct ptx_op *find(const char *name) {
  const struct ptx_op_table *t = ptx_ops();
  for (uint32_t h = name_hash(name) % INDEX_SIZE; ops.slot[h]; h = (h + 1) % INDEX_SIZE) {
    const struct ptx_op *op = &t->ops[ops.slot[h] - 1];
    if (strcmp(op->name, name) == 0)
      return op;
  }
  return NULL;
}

/* Copies s without its first .rn .rz .rm .rp into out and says which it was, or -1. */
static int take_rounding(const char *s, char *out, size_t size) {
  static const char names[4][4] = {".rn", ".rz", ".rm", ".rp"};
  for (const char *p = strchr(s, '.'); p; p = strchr(p + 1, '.'))
    for (int r = 0; r < 4; r++)
      if (strncmp(p, names[r], 3) == 0 && (p[3] == '.' || p[3] == 0)) {
        const int n = snprintf(out, size, "%.*s%s", (int)(p - s), s, p + 3);
        return n > 0 && (size_t)n < size ? r : -1;
      }
  return -1;
}

bool ptx_op_resolve(const char *mnemonic, struct ptx_op_match *out) {
  char plain[96];
  *out = (struct ptx_op_match){0};
  const struct ptx_op *op = find(mnemonic);
  if (op) {
    out->op = op;
    return !(op->flags & PTX_OPF_MUST_ROUND);
  }
  const int r = take_rounding(mnemonic, plain, sizeof plain);
  if (r < 0 || !(op = find(plain)))
    return false;
  if (!(op->flags & PTX_OPF_ROUND) && !(op->flags & PTX_OPF_RN && r == PTX_RN))
    return false;
  out->op = op;
  out->rounding = (uint8_t)r;
  return true;
}
