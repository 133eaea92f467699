/* Sizes of workloads, as options name them. */
#include "cli/names.h"
#include "workload/workload.h"

bool cli_workload_size(const char *command, const char *size, struct error *err) {
  struct error why = {0};
  enum workload_size unused;
  bool ok = !size || workload_size_read(size, &unused, &why);
  if (!ok)
    error_add(err, why.code, "sluice %s: --%s", command, why.text);
  error_clear(&why);
  return ok;
}
