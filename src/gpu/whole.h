/* Energy of the whole GPU: a table of coefficients (energy/table.h) times what the units counted. */
#ifndef SLUICE_GPU_WHOLE_H
#define SLUICE_GPU_WHOLE_H

#include "energy/table.h"
#include "gpu/counters.h"

struct whole;
/* `name` none: no table. NULL after filling err. */
struct whole *whole_new(const char *name, struct error *err);
void whole_free(struct whole *w);
/* Why there is no energy of the whole GPU; NULL: there is. */
const char *whole_refused(const struct whole *w);
bool whole_knows(const struct whole *w, enum energy_row r);
/* Its coefficient; 0 where the table has none. */
double whole_value(const struct whole *w, enum energy_row r);
/* What a row costs, in millijoules; 0 where the table has none. */
double whole_row_mj(const struct whole *w, enum energy_row r, const struct gpu *g,
                    const uint64_t total[NCOUNTERS]);

struct whole_sum {
  double part[NPARTS];   /* millijoules */
  double fixed, assumed; /* of all parts: proportional to time; by coefficients without a source */
};
void whole_sum(const struct whole *w, const struct gpu *g, const uint64_t total[NCOUNTERS],
               struct whole_sum *to);

#endif
