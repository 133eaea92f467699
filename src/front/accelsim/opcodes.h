/* SASS opcodes as Accel-Sim's traces write them ("LDG.E.64.STRONG.GPU"), and the instructions they stand for here.
 *
 *   import   opcode, registers, width  ─▶ sass_decode ─▶ struct sluice_inst, struct sass_extra
 *   export   struct sluice_inst        ─▶ sass_name   ─▶ an opcode that decodes to the same
 *
 * A trace tells less of an instruction than a recorded stream. Where the opcode alone would decode to something
 * else, export adds modifiers that say so; other readers look at the first part and at numbers only:
 *
 *   .REGS        the registers of the line, and those of .D<n> (destinations) and .S<n> (sources), are all there are
 *   .CLASS<n> .UNIT<n> .SPACE<n> .CACHE<n> .FLAGS<n>   fields of struct sluice_inst
 *   .SCALAR .VOLATILE .CLOCK   flags by their names
 *   .BAR<n>      the barrier item: number, kind and threads
 *   .BANKS<n>    cycles that the banks of shared memory need
 *   .TAKEN       a CAS that changed every word it names
 *   .ADDED       not in the stream: an EXIT that Accel-Sim needs */
#ifndef SLUICE_FRONT_ACCELSIM_OPCODES_H
#define SLUICE_FRONT_ACCELSIM_OPCODES_H

#include "base/strbuf.h"
#include "sluice_stream.h"

enum { SASS_RZ = 255, SASS_MOST_REGS = 65000 };

/* One line of a trace, without what differs from one execution to the next. */
struct sass_line {
  const char *opcode;
  size_t n; /* characters of it */
  unsigned width;
  unsigned ndst, nsrc;
  uint32_t dst[SLUICE_MAX_REGS], src[SLUICE_MAX_REGS]; /* R<n> as written, RZ too */
};

/* What belongs to an execution, but stands in the opcode. */
struct sass_extra {
  uint32_t barrier; /* the item */
  uint32_t banks;   /* 0: by the addresses */
  bool taken, added;
  bool texture; /* a trace has no addresses of it */
};

enum sass_result { SASS_OK, SASS_UNKNOWN, SASS_BAD /* a modifier of the list above, with a wrong number */ };
/* `unknown`: SLUICE_NCLASSES, or the class and unit (of the ALU) that unknown opcodes are taken for. */
struct sass_unknown {
  bool given;
  uint8_t klass, unit;
};
enum sass_result sass_decode(const struct sass_line *l, const struct sass_unknown *unknown,
                             struct sluice_inst *to, struct sass_extra *x);
/* What `--unknown NAME` may name; NULL-terminated. */
extern const char *const sass_unknown_names[];
bool sass_unknown_named(const char *name, struct sass_unknown *to);

/* The line whose decoding is this instruction; l->opcode lies in `text`, which is overwritten. `exits`: lanes that
 * return here do nothing more. */
void sass_encode(const struct sluice_inst *in, const struct sass_extra *x, bool exits, struct strbuf *text,
                 struct sass_line *l);

#endif
