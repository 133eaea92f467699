/* Fat binaries: device code of several kinds and architectures in one blob.
 *
 *   header    magic 0xba55ed50, version 1 (16 bits), bytes of this header (16), bytes of what follows (64)
 *   entry...  kind (16): 1 PTX, 2 machine code; version (16); bytes of this header (32); bytes of the payload with
 *             padding (64); compressed bytes (32); ...; at 28 the architecture (32); at 40 flags (64): 0x2000 LZ4,
 *             0x8000 zstd; at 56 the uncompressed bytes (64); then the payload */
#ifndef SLUICE_CUDA_FATBIN_H
#define SLUICE_CUDA_FATBIN_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FATBIN_MAGIC         0xba55ed50u
#define FATBIN_WRAPPER_MAGIC 0x466243b1u

struct fatbin_wrapper {
  uint32_t magic, version;
  const void *data;
  const void *const *prelinked; /* version 2: relocatable parts, NULL at the end */
};

/* What is in a fat binary of n bytes. */
struct fatbin_entry {
  bool ptx, lto;
  unsigned arch;
  uint64_t flags;
  const uint8_t *payload;
  size_t bytes, unpacked; /* as it lies there; what it becomes, 0: it is not compressed */
};
/* Entries one by one: at 0 at first. 1: entry filled; 0: no more; -1 with err. */
int fatbin_next(const uint8_t *fat, size_t n, size_t *at, struct fatbin_entry *e, struct error *err);
/* The PTX of an entry, owned by the caller, with a 0 behind it that *n does not count. */
char *fatbin_unpack(const struct fatbin_entry *e, size_t *n, struct error *err);
/* Bytes of the fat binary that begins here, header and all; 0: it is none. */
size_t fatbin_bytes(const void *fat);
/* The entry of PTX for a device of this capability (0: the newest): the newest it can run, else the oldest there
 * is. False: there is no PTX; *machine is then an architecture there is machine code for, or 0. */
bool fatbin_choose(const uint8_t *fat, size_t n, unsigned capability, struct fatbin_entry *e,
                   unsigned *machine, struct error *err);

#endif
