/* Fat binaries: entries are found and unpacked, and joined when there are several; any bytes give PTX or an error. */
#include "base/mem.h"
#include "cuda/fatbin.h"
#include "cuda/indirect.h"
#include "cuda/join.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  if (n < 16)
    return 0;
  struct error err = {0};
  struct join *j = join_new();
  struct fatbin_entry e;
  unsigned machine;
  size_t at = 0, bytes, most = 64, unpacked = 0;
  while (most-- && fatbin_next(data, n, &at, &e, &err) > 0) {
    unpacked += e.unpacked;
    char *text = e.ptx && unpacked < 1 << 22 ? fatbin_unpack(&e, &bytes, &err) : NULL;
    if (text)
      join_add(j, text, bytes);
    free(text);
    error_clear(&err);
  }
  error_clear(&err);
  (void)fatbin_choose(data, n, 80, &e, &machine, &err);
  error_clear(&err);
  char *all = join_count(j) ? join_text(j, &bytes, &err) : NULL;
  if (all)
    free(indirect_rewrite(all, bytes, &bytes));
  free(all);
  error_clear(&err);
  join_free(j);
  return 0;
}
