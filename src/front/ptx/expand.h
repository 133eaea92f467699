/* Instructions that stand for several others, written out before the text is parsed: what an assembler makes of them on
 * an H200 too.
 *
 *   wmma.load, wmma.store   the loads and stores of each lane, in the layout of fragments that an H200 has
 *   wmma.mma                two mma.sync (four for tf32)
 *   mma.sync of f64         steps of four columns
 *   cp.async.bulk           copies of 16 bytes by the thread that asks, then the step of its mbarrier */
#ifndef SLUICE_FRONT_PTX_EXPAND_H
#define SLUICE_FRONT_PTX_EXPAND_H

#include <stddef.h>

/* The text with such instructions written out, each on its line, owned by the caller, a 0 at its end; NULL: there are
 * none. What is not understood stays as it is, for the parser to refuse by name. */
char *ptx_expand(const char *text, size_t n, size_t *to);

#endif
