/* The simulated device memory: a sparse 64-bit address space of buffers.
 *
 * Each buffer is host memory of its own (large ones mmapped, so untouched pages cost nothing).
 * Between buffers lies a guard gap, so an overrun never lands in the next one. Addresses are
 * deterministic: the same sequence of allocations gives the same addresses. */
#ifndef SLUICE_FRONT_DEVMEM_H
#define SLUICE_FRONT_DEVMEM_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct devbuf {
  uint64_t addr, size;
  uint8_t *host;    /* host[i] is the byte at addr + i; NULL once freed */
  const char *name; /* for messages */
  bool freed, read_only;
};

struct devmem;

/* First address handed out; ordinary addresses lie in [DEVMEM_BASE, DEVMEM_LIMIT). */
#define DEVMEM_BASE  UINT64_C(0x700000000000)
#define DEVMEM_LIMIT UINT64_C(0x00f0000000000000)
/* Unified buffers: addresses that Linux leaves free in every process (programs lie below, libraries and stacks
 * from 0x7f0000000000 on). */
#define DEVMEM_UNIFIED     UINT64_C(0x780000000000)
#define DEVMEM_UNIFIED_END UINT64_C(0x7e0000000000)

struct devmem_options {
  uint64_t guard; /* minimum unused bytes between buffers (default 256) */
  uint64_t align; /* alignment of every buffer (default 512; power of two) */
  uint64_t big,
      big_align; /* buffers of at least `big` bytes are aligned to big_align (1 MiB, 2 MiB) as cudaMalloc does */
  uint64_t
      small_page; /* smaller buffers share pages of so many bytes with each other only; 0: they follow the buffer before */
};
struct devmem_options devmem_defaults(void);

struct devmem *devmem_create(const struct devmem_options *o);
void devmem_destroy(struct devmem *m);

/* Zero-filled. size 0 gives a buffer of no bytes with a unique address. Returns 0 and fills err if
 * the host cannot supply it. */
uint64_t devmem_alloc(struct devmem *m, uint64_t size, const char *name, struct error *err);
/* Small buffers from now on begin a page of their own (small_page), as behind the variables of a module. */
void devmem_begin_page(struct devmem *m);
/* As devmem_alloc over `host`, memory of the caller's that must outlive the buffer; NULL: as devmem_alloc. */
uint64_t devmem_alloc_over(struct devmem *m, uint64_t size, void *host, const char *name, struct error *err);
/* At a fixed address; refused when it overlaps another buffer or lies outside the range. */
bool devmem_alloc_at(struct devmem *m, uint64_t addr, uint64_t size, const char *name, struct error *err);
/* Memory that the host reads and writes at the same address: the host's bytes lie at the device address. */
uint64_t devmem_alloc_unified(struct devmem *m, uint64_t size, const char *name, struct error *err);
/* Makes `host`, memory of the caller's that must outlive the buffer, a buffer at any address outside those that
 * devmem_alloc gives out. */
bool devmem_adopt(struct devmem *m, uint64_t addr, uint64_t size, void *host, const char *name,
                  struct error *err);
/* False for an address that is not the start of a live buffer. Addresses are not reused. */
bool devmem_free(struct devmem *m, uint64_t addr);
/* Marks a live buffer (by its start) for kernels to read only; devmem_write is not bound by it. */
bool devmem_set_read_only(struct devmem *m, uint64_t addr, bool read_only);

/* The live buffer that contains addr, or NULL. The pointer is valid until the next alloc/free. */
const struct devbuf *devmem_find(const struct devmem *m, uint64_t addr);
/* Its place among the live ones in ascending order, as long as devmem_generation() stays. */
size_t devmem_index(const struct devmem *m, const struct devbuf *b);
/* Changes whenever a buffer is added or freed, so that callers can cache what devmem_find said. */
uint64_t devmem_generation(const struct devmem *m);
/* "16 bytes after the end of 'out' (0x700000000000, 4096 bytes)",
 * "8 bytes inside 'x' (0x700000001200, 64 bytes), freed", ... */
void devmem_describe(const struct devmem *m, uint64_t addr, char *buf, size_t n);

bool devmem_read(const struct devmem *m, uint64_t addr, void *to, uint64_t n);
bool devmem_write(struct devmem *m, uint64_t addr, const void *from, uint64_t n);
uint64_t devmem_bytes(const struct devmem *m); /* live bytes */
size_t devmem_count(const struct devmem *m);
const struct devbuf *devmem_at(const struct devmem *m, size_t i); /* ascending address */

#endif
