/* Memory by parts: ranges of addresses reserved, physical memory created, the one mapped into the other. */
#include "cuda/driver.h"
#include <sys/mman.h>

enum { GRANULE = 2 << 20 };

struct part {
  size_t bytes;
  uint8_t *host;
  unsigned users; /* the handle, and every mapping */
};
struct reserved {
  uint64_t at;
  size_t bytes;
  struct reserved *next;
};
struct mapped {
  uint64_t at;
  struct part *part;
  struct mapped *next;
};
static struct {
  struct reserved *reserved;
  struct mapped *mapped;
  uint64_t next;
} map = {.next = UINT64_C(0x680000000000)}; /* no buffer and no mapping of the host lies here */

API int cuMemGetAllocationGranularity(size_t *to, const void *wanted, int option) {
  (void)wanted;
  if (!to || option < 0 || option > 1)
    return CU_INVALID_VALUE;
  *to = GRANULE;
  return CU_SUCCESS;
}

static int reserve(device_pointer *to, size_t bytes, size_t align, device_pointer wish) {
  (void)wish;
  if (!to || !bytes || bytes % GRANULE || (align & (align - 1)))
    return CU_INVALID_VALUE;
  uint64_t step = align > GRANULE ? align : GRANULE;
  struct reserved *r = xcalloc(1, sizeof *r);
  *r = (struct reserved){.at = (map.next + step - 1) / step * step, .bytes = bytes, .next = map.reserved};
  map.next = r->at + bytes + GRANULE;
  map.reserved = r;
  *to = r->at;
  return CU_SUCCESS;
}
API int cuMemAddressReserve(device_pointer *to, size_t bytes, size_t align, device_pointer wish,
                            uint64_t flags) {
  DRIVER(flags ? CU_INVALID_VALUE : reserve(to, bytes, align, wish));
}
static int unreserve(device_pointer at, size_t bytes) {
  for (struct reserved **r = &map.reserved; *r; r = &(*r)->next)
    if ((*r)->at == at && (*r)->bytes == bytes) {
      struct reserved *gone = *r;
      *r = gone->next;
      free(gone);
      return CU_SUCCESS;
    }
  return CU_INVALID_VALUE;
}
API int cuMemAddressFree(device_pointer at, size_t bytes) {
  DRIVER(unreserve(at, bytes));
}

static int create(uint64_t *to, size_t bytes) {
  if (!to || !bytes || bytes % GRANULE)
    return CU_INVALID_VALUE;
  if (bytes > sim_memory_bytes(cuda_sim()) - sim_used_bytes(cuda_sim()))
    return CU_MEMORY_ALLOCATION;
  void *host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (host == MAP_FAILED)
    return CU_MEMORY_ALLOCATION;
  struct part *p = xcalloc(1, sizeof *p);
  *p = (struct part){.bytes = bytes, .host = host, .users = 1};
  *to = (uint64_t)(uintptr_t)p;
  return CU_SUCCESS;
}
API int cuMemCreate(uint64_t *to, size_t bytes, const void *wanted, uint64_t flags) {
  DRIVER(flags || !wanted ? CU_INVALID_VALUE : create(to, bytes));
}
static int drop(struct part *p) {
  if (p && --p->users == 0) {
    munmap(p->host, p->bytes);
    free(p);
  }
  return p ? CU_SUCCESS : CU_INVALID_VALUE;
}
API int cuMemRelease(uint64_t handle) {
  DRIVER(drop((struct part *)(uintptr_t)handle));
}

static int map_part(device_pointer at, size_t bytes, size_t offset, struct part *p) {
  const struct reserved *r = map.reserved;
  while (r && (at < r->at || at - r->at >= r->bytes))
    r = r->next;
  if (!r || !p || offset || bytes != p->bytes || bytes > r->bytes - (at - r->at))
    return CU_INVALID_VALUE;
  if (!sim_adopt(cuda_sim(), at, bytes, p->host))
    return CU_INVALID_VALUE;
  struct mapped *m = xcalloc(1, sizeof *m);
  *m = (struct mapped){.at = at, .part = p, .next = map.mapped};
  map.mapped = m;
  p->users++;
  return memory_add(ALLOC_MAPPED, at, bytes, 0);
}
API int cuMemMap(device_pointer at, size_t bytes, size_t offset, uint64_t handle, uint64_t flags) {
  DRIVER(flags ? CU_INVALID_VALUE : map_part(at, bytes, offset, (struct part *)(uintptr_t)handle));
}
/* All parts that begin in the range. */
static int unmap(device_pointer at, size_t bytes) {
  bool any = false;
  for (struct mapped **m = &map.mapped; *m;) {
    struct mapped *gone = *m;
    if (gone->at < at || gone->at - at >= bytes) {
      m = &gone->next;
      continue;
    }
    memory_free(gone->at, 1u << ALLOC_MAPPED, CU_INVALID_VALUE);
    *m = gone->next;
    drop(gone->part);
    free(gone);
    any = true;
  }
  return any ? CU_SUCCESS : CU_INVALID_VALUE;
}
API int cuMemUnmap(device_pointer at, size_t bytes) {
  DRIVER(unmap(at, bytes));
}
/* The only device may always read and write. */
API int cuMemSetAccess(device_pointer at, size_t bytes, const void *access, size_t n) {
  DRIVER(bytes && access && n && memory_find(at) ? CU_SUCCESS : CU_INVALID_VALUE);
}
