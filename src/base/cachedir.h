/* A folder under the user's cache ($XDG_CACHE_HOME or ~/.cache) that processes share. Files appear whole
 * (base/file.h); the time a file was last written or touched is when it was last used. */
#ifndef SLUICE_BASE_CACHEDIR_H
#define SLUICE_BASE_CACHEDIR_H

#include "base/strbuf.h"
#include <stdbool.h>
#include <stdint.h>

/* Appends the path of sluice/NAME there, made if missing; false: there is none that can be written. */
bool cachedir_find(const char *name, struct strbuf *path);
/* Marks a file as used. */
void cachedir_touch(const char *path);
/* Removes what was unused for longest until no more than `limit` bytes are left, and what writers that died
 * left behind. */
void cachedir_shrink(const char *path, uint64_t limit);

#endif
