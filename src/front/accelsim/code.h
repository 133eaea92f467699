/* The code of imported kernels: a block for each instruction, numbered by its PC. */
#ifndef SLUICE_FRONT_ACCELSIM_CODE_H
#define SLUICE_FRONT_ACCELSIM_CODE_H

#include "front/accelsim/opcodes.h"

struct trace_writer;

/* An instruction as lines of the running kernel write it: from the number of its destinations to its width. */
struct code_site {
  uint32_t pc, next; /* another with the same PC: its number + 1 */
  uint32_t text, n;  /* where that text is, and its length */
  uint32_t block;
  int32_t unknown; /* number of its opcode among those not known, -1: known */
  struct sluice_inst inst;
  struct sass_extra x;
  unsigned width;
};

struct code;
struct code *code_new(void);
void code_free(struct code *c);
/* Lines that follow are of this kernel; its program's number. False: too many kernels of different names. */
bool code_begin(struct code *c, const char *kernel, unsigned binary, uint32_t *program);
/* The site of a line; NULL: not met before. `text` is ended by a blank or the line's end. */
const struct code_site *code_find(const struct code *c, uint32_t pc, const char *text);
/* Adds one. NULL: more code than there is room for. */
const struct code_site *code_add(struct code *c, const struct code_site *s, const char *text);
/* Gives all blocks to the writer. */
void code_end(struct code *c, struct trace_writer *w);

#endif
