/* Questions to a database, in SQL, and their answers as a table for people, CSV or JSON. */
#ifndef SLUICE_LAB_QUERY_H
#define SLUICE_LAB_QUERY_H

#include "base/strbuf.h"
#include "lab/store.h"

enum lab_form { LAB_TABLE, LAB_CSV, LAB_JSON };
/* The answer of one or more statements; only what a database opened for reading allows. */
bool lab_query(struct lab_store *s, const char *sql, enum lab_form form, struct strbuf *to,
               struct error *err);

#endif
