/* Registers per thread of a launch, which decide how many CTAs an SM holds: who says how many there are.
 *
 *   front.registers has a number for the kernel, or for all     ▶ that
 *   the launch file or the workload's about.yaml states one     ▶ that
 *   else the source that front.registers names                  ▶ counted in the PTX, or asked of ptxas
 *
 * A recording holds the number it was made with, a generated stream its own; only front.registers overrides them. */
#ifndef SLUICE_FRONT_REGISTERS_H
#define SLUICE_FRONT_REGISTERS_H

#include "conf/conf.h"
#include "front/exec.h"

/* Encodings of every NVIDIA GPU since compute capability 3.5 name 255 registers and RZ. */
enum { REGISTERS_MOST = 255 };

/* What kernel_info.registers_from may be; recordings hold the number. */
#define REGISTERS_FROM(X)                                                                                    \
  X(PTX, "ptx")             /* live virtual registers of the PTX as it is written */                         \
  X(BUILTIN, "builtin")     /* the estimate of front/ptx/registers.h */                                      \
  X(PTXAS, "ptxas")         /* an installed ptxas */                                                         \
  X(LAUNCH, "launch")       /* stated by the launch file or the workload */                                  \
  X(OPTION, "option")       /* a number in front.registers */                                                \
  X(GENERATOR, "generator") /* of a generated stream */                                                      \
  X(RECORDING, "recording") /* of a recording that does not say where from */                                \
  X(TRACE, "trace")         /* of an imported trace */
enum registers_from {
#define X(id, name) REGISTERS_##id,
  REGISTERS_FROM(X)
#undef X
      REGISTERS_NFROM
};
extern const char *const registers_from_names[REGISTERS_NFROM];

/* Rule of the parameter front.registers: SOURCE, N or KERNEL=N, separated by commas; one SOURCE or N at most. */
bool registers_valid(const char *value);

struct registers;
struct registers *registers_read(const struct conf *c);
void registers_free(struct registers *r);
/* A program was loaded, from a file or this text: asks ptxas, if front.registers says so. */
bool registers_count(const struct registers *r, struct program *p, const char *path, const char *text,
                     size_t n, struct error *err);
/* Every kernel that front.registers names is among these; else the error has the nearest. */
bool registers_known(const struct registers *r, const struct kernel_info *const *kernels, size_t n,
                     struct error *err);
/* May a recording with numbers from this source run? Another source than the default needs the PTX. */
bool registers_recorded(const struct registers *r, uint32_t from, struct error *err);
/* A number that front.registers has for this kernel becomes k->registers; false: it has none. */
bool registers_override(const struct registers *r, struct kernel_info *k);
/* Sets k->registers and k->registers_from by the rules above; `stated`: by the launch, 0: not. */
void registers_choose(const struct registers *r, struct kernel_info *k, uint32_t stated);

#endif
