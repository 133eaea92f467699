/* Results of a paper's runs in a database of the lab. */
#ifndef SLUICE_PAPER_STORED_H
#define SLUICE_PAPER_STORED_H

#include "lab/store.h"
#include "paper/table.h"

struct paper_stored {
  struct lab_store *store;
  struct arena mem;
};
/* What it returns asks `s` as long as it is used; paper_stored_free() then. */
struct paper_results paper_stored(struct paper_stored *s, struct lab_store *store);
void paper_stored_free(struct paper_stored *s);

#endif
