/* One text, compiled with constants: a SPECIALIZED function is inlined wherever it is called, so that arguments which are
 * constants there (a fast path or the general form, a width, a number of controllers) leave only what they ask for. The forms
 * cannot drift apart; `--general` runs those without fast paths. */
#ifndef SLUICE_BASE_SPECIALIZED_H
#define SLUICE_BASE_SPECIALIZED_H

#define SPECIALIZED static inline __attribute__((always_inline))

#endif
