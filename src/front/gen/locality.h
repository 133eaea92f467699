/* Locality of a stream of requests as MARS defines it (Fig. 2): the mean number of requests to a 4 KB page in a
 * window of so many requests. The list is cut into windows, one after the other; the mean is over all pages of
 * all windows, and a last window that is not full does not count. */
#ifndef SLUICE_FRONT_GEN_LOCALITY_H
#define SLUICE_FRONT_GEN_LOCALITY_H

#include <stddef.h>
#include <stdint.h>

enum { LOCALITY_WINDOWS = 8 };
#define LOCALITY_WINDOW(i) (UINT32_C(128) << (i)) /* requests */
#define LOCALITY_SIZES(X)  X(128) X(256) X(512) X(1024) X(2048) X(4096) X(8192) X(16384)

struct locality;
struct locality *locality_new(void);
void locality_free(struct locality *l);
void locality_add(struct locality *l, uint64_t address);
uint64_t locality_requests(const struct locality *l);
/* Of window i of those above; 0 if none was full. */
double locality_mean(const struct locality *l, unsigned i);
/* The same over the windows of several streams. */
double locality_mean_of(const struct locality *const *l, size_t n, unsigned i);

#endif
