/* Replacement policies, each in a file of its own. A cache's parameter `replacement` names one of the first three; the others are
 * techniques. */
#ifndef SLUICE_CACHE_REPL_REPL_H
#define SLUICE_CACHE_REPL_REPL_H

#include "sluice_technique.h"

extern const struct sluice_replacement repl_lru, repl_fifo, repl_srrip;
extern const struct sluice_replacement *const cache_replacements[]; /* by enum cache_replacement */

#endif
