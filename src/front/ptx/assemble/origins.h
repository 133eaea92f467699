/* Where values come from. */
#ifndef SLUICE_FRONT_PTX_ASSEMBLE_ORIGINS_H
#define SLUICE_FRONT_PTX_ASSEMBLE_ORIGINS_H

#include "front/ptx/assemble/asm.h"

struct asm_origins {
  const struct asm_fn *a;
  size_t nregs;         /* when it was found out */
  bool *written;        /* by register */
  bool *unclear;        /* by register: written twice or partly, or read where it was not written */
  struct ptx_inst *def; /* by register: the last write of the text */
};

void asm_origins_find(struct asm_origins *s, const struct asm_fn *a);
void asm_origins_free(struct asm_origins *s);
/* The one write of a plain register, without a guard; NULL if there is none. */
const struct ptx_inst *asm_origin(const struct asm_origins *s, const struct ptx_operand *o);

#endif
