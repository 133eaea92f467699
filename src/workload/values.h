/* The parameters of one run: those of its size, and what --param changed. */
#ifndef SLUICE_WORKLOAD_VALUES_H
#define SLUICE_WORKLOAD_VALUES_H

#include "workload/workload.h"

struct values {
  const struct workload_about *about;
  const char **text; /* of each parameter; point into about and the request */
};

/* What is wrong with a value, if anything. */
bool param_check(const struct workload_param *p, const char *value, struct error *err);

bool values_read(struct values *v, const struct workload_about *a, const struct workload_request *q,
                 struct error *err);
void values_free(struct values *v);
/* Panics at a name about.yaml does not declare, or one of another type. */
const struct workload_param *values_find(const struct values *v, const char *name, const char **text);

#endif
