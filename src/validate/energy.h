/* Energy of the whole GPU beside a real card's: kernels, and the microbenchmarks that a table of energies comes from.
 *
 *   DIR/energy/                    launch files of the microbenchmarks
 *   DIR/recorded/energy_micro.csv  what the card took for each: watts, microseconds of a launch among many
 *   DIR/recorded/energy_warm.csv   the same of the kernels
 *   DIR/energy.csv                 which microbenchmarks are fitted
 *
 * A launch is repeated on the card, so its caches are warm: here the second launch of each file is compared. */
#ifndef SLUICE_VALIDATE_ENERGY_H
#define SLUICE_VALIDATE_ENERGY_H

#include "energy/table.h"
#include "validate/validate.h"

enum energy_kind { ENERGY_KERNEL, ENERGY_MICRO, ENERGY_REST /* the card with nothing to do */ };

struct energy_case {
  enum energy_kind kind;
  char *name;
  const char *class;
  bool calibration, fitted;
  double watts, us; /* of the card */
  /* ours; NaN: not run */
  double total_mj, static_mj, sim_us;
  double amount[NROWS]; /* what each row counts, time as simulated */
};

struct energy_set {
  struct energy_case *at;
  size_t n, cap;
};

bool energy_set_load(struct energy_set *e, const struct validate_set *s, struct error *err);
void energy_set_free(struct energy_set *e);
/* What runs print is kept in the folder `runs`, and those that are there are not run again; NULL: none. */
bool energy_set_run(struct energy_set *e, const struct validate_set *s, const struct validate_options *o,
                    const char *runs, struct strbuf *failed, struct error *err);
/* Energies by another table than the one that the runs had: it must have all rows. */
bool energy_set_price(struct energy_set *e, const struct energy_table *t, struct error *err);

/* Watts of a launch: with the time that the timing model says, or the card's. */
double energy_watts(const struct energy_case *c, bool card_time);
/* Microjoules of a launch, the same. */
double energy_uj(const struct energy_case *c, bool card_time);

struct energy_summary {
  size_t n;
  double mean, median, worst; /* absolute relative error */
  double bias;                /* geometric mean of ours over the card's */
};
enum energy_what { ENERGY_POWER, ENERGY_ENERGY };
/* Of the kernels of a part and a class; NULL: all. */
struct energy_summary energy_summarise(const struct energy_set *e, const char *part, const char *class,
                                       enum energy_what what, bool card_time);

/* Coefficients by non-negative least squares of the relative errors of the microbenchmarks that are fitted; rows that the table
 * does not have, or whose source does not begin with "fit:", stay as they are. */
bool energy_fit(const struct energy_set *e, const struct energy_table *t, double value[NROWS],
                struct error *err);

bool energy_page(const struct energy_set *e, const struct energy_table *t, const char *gpu, const char *path,
                 struct error *err);

#endif
