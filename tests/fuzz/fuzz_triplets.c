/* A graph or matrix in any of the three forms: entries within rows and columns come out, or an error with
 * file and line. */
#include "workload/triplets.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct error e = {0};
  struct triplets t;
  char *text = malloc(size + 1); /* so that reading beyond the end is noticed */
  if (!text)
    abort();
  memcpy(text, data, size);
  bool ok = triplets_parse(&t, "fuzz.mtx", text, size, &e);
  if (ok != !e.code || (!ok && (e.code != EXIT_USAGE || strncmp(e.text, "fuzz.mtx:", 9) != 0)))
    abort();
  for (size_t i = 0; ok && i < t.n; i++)
    if (t.items[i].row >= t.rows || t.items[i].column >= t.columns)
      abort();
  if (ok)
    triplets_free(&t);
  error_clear(&e);
  free(text);
  return 0;
}
