/* Techniques of older headers: their tables, shorter than the program's, as tables of the program's size. */
#ifndef SLUICE_TECH_WIDEN_H
#define SLUICE_TECH_WIDEN_H

#include "base/error.h"
#include "sluice_technique.h"

/* A copy in which every table has the program's size and what the technique does not know is 0; the copy lasts as long as the
 * process, unless it is undone. NULL after saying which table is of another interface. */
const struct sluice_technique *tech_widen(const struct sluice_technique *t, struct error *err);
void tech_widen_undo(
    const struct sluice_technique *t); /* frees what tech_widen() made: the technique is refused */

#endif
