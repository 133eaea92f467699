/* Live buffers lie in one array sorted by address; a lookup is a binary search over it. Freed ones
 * leave a tombstone, so that a late access can be told what it hit. */
#include "front/devmem.h"
#include "base/mem.h"
#include "base/pool.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_TOMBSTONES 1024
#define MMAP_FROM      (UINT64_C(64) << 10)
/* Host and device address agree in their low bits, so that an aligned access is aligned on both. */
#define HOST_ALIGN UINT64_C(64)
/* From here on the host is asked for pages of 2 MiB: scattered accesses then seldom miss its TLB. Buffers that fill half a page or more
 * have pages as well, which are faults saved, until SPARE bytes of pages lie behind such buffers. */
#define HUGE_FROM (UINT64_C(4) << 20)
#define HUGE_PAGE (UINT64_C(2) << 20)
#define SPARE     (UINT64_C(16) << 20)

struct block {
  struct devbuf buf;
  void *base;    /* what calloc or mmap returned; NULL: the caller's memory */
  size_t mapped; /* length of the mapping, 0 if from calloc */
  uint64_t died; /* tombstones: generation of the free */
};

struct blocks {
  struct block *items;
  size_t n, cap;
};

struct range {
  uint64_t begin, end;
};

struct devmem {
  struct devmem_options opt;
  struct blocks live, dead;
  /* Addresses given out at the caller's wish; automatic placement steps over them for ever. */
  struct range *fixed;
  size_t nfixed, capfixed;
  uint64_t next, unified, generation, bytes;
  uint64_t spare;            /* bytes of large pages behind buffers, ever */
  uint64_t small, small_end; /* what is free of the page that small buffers share (small_page) */
};

struct devmem_options devmem_defaults(void) {
  return (struct devmem_options){
      .guard = 256, .align = 512, .big = UINT64_C(1) << 20, .big_align = UINT64_C(2) << 20};
}

/* Pages of the host, where nobody else gives them back; what calloc returned is in the pool. */
static void unmap_all(void *memory) {
  const struct devmem *m = memory;
  for (size_t i = 0; i < m->live.n; i++)
    if (m->live.items[i].mapped && m->live.items[i].base)
      munmap(m->live.items[i].base, m->live.items[i].mapped);
}

struct devmem *devmem_create(const struct devmem_options *o) {
  struct devmem *m = xcalloc(1, sizeof *m);
  m->opt = o ? *o : devmem_defaults();
  struct devmem_options *p = &m->opt;
  if (!p->align)
    p->align = 1;
  if (!p->big_align)
    p->big_align = p->align;
  if ((p->align & (p->align - 1)) || (p->big_align & (p->big_align - 1)))
    panic("devmem: alignments %" PRIu64 " and %" PRIu64 " must be powers of two", p->align, p->big_align);
  m->next = DEVMEM_BASE;
  m->unified = DEVMEM_UNIFIED;
  pool_ends(unmap_all, m);
  return m;
}

static void release_host(struct block *b) {
  if (b->mapped)
    munmap(b->base, b->mapped);
  else
    free(b->base);
  b->base = NULL;
  b->buf.host = NULL;
}

static void drop(struct blocks *v, size_t i) {
  free((char *)v->items[i].buf.name);
  memmove(&v->items[i], &v->items[i + 1], (v->n - i - 1) * sizeof *v->items);
  v->n--;
}

void devmem_destroy(struct devmem *m) {
  if (!m)
    return;
  pool_ended(m);
  for (size_t i = 0; i < m->live.n; i++) {
    release_host(&m->live.items[i]);
    free((char *)m->live.items[i].buf.name);
  }
  for (size_t i = 0; i < m->dead.n; i++)
    free((char *)m->dead.items[i].buf.name);
  free(m->live.items);
  free(m->dead.items);
  free(m->fixed);
  free(m);
}

/* Index of the first block that starts above addr; the one before it is the candidate. */
static size_t upper(const struct blocks *v, uint64_t addr) {
  size_t lo = 0, n = v->n;
  while (n) {
    size_t half = n / 2;
    if (v->items[lo + half].buf.addr <= addr) {
      lo += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return lo;
}

static uint64_t align_up(uint64_t a, uint64_t align) {
  return (a + align - 1) & ~(align - 1);
}

/* A buffer of no bytes still owns its address. */
static uint64_t span(uint64_t size) {
  return size ? size : 1;
}

static void insert(struct blocks *v, struct block b) {
  size_t i = upper(v, b.buf.addr);
  (void)VEC_PUSH(v->items, v->n, v->cap);
  memmove(&v->items[i + 1], &v->items[i], (v->n - 1 - i) * sizeof *v->items);
  v->items[i] = b;
}

static bool overlaps(const struct blocks *v, uint64_t addr, uint64_t size, size_t *which) {
  size_t i = upper(v, addr + span(size) - 1);
  if (!i)
    return false;
  const struct devbuf *b = &v->items[i - 1].buf;
  *which = i - 1;
  return b->addr + span(b->size) > addr;
}

/* Bytes of the large pages that a buffer lies in. */
static uint64_t large_pages(const struct block *b) {
  return align_up(b->buf.addr % HUGE_PAGE + b->buf.size, HUGE_PAGE);
}

/* The sum may not be representable in host memory terms; size is below DEVMEM_LIMIT here. */
static bool supply_host(struct devmem *m, struct block *b, void *host, struct error *err) {
  if (host) {
    b->buf.host = host;
    return true;
  }
  uint64_t spare = large_pages(b) - b->buf.size;
  bool filled = b->buf.size >= HUGE_PAGE / 2 && m->spare + spare <= SPARE;
  uint64_t align = filled || b->buf.size >= HUGE_FROM ? HUGE_PAGE : HOST_ALIGN;
  uint64_t skew = b->buf.addr % align;
  uint64_t pages = filled ? large_pages(b) : span(b->buf.size) + skew, need = pages + align;
  m->spare += filled ? spare : 0;
  if (need <= SIZE_MAX) {
    if (b->buf.size >= MMAP_FROM) {
      b->base = mmap(NULL, (size_t)need, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0);
      if (b->base == MAP_FAILED)
        b->base = NULL;
      b->mapped = (size_t)need;
    } else {
      b->base = calloc(1, (size_t)need);
      if (b->base && !pool_note(b->base)) {
        free(b->base);
        b->base = NULL;
      }
    }
  }
  if (!b->base)
    return error_set(err, EXIT_RUNTIME, "device buffer '%s': the host cannot supply %" PRIu64 " bytes",
                     b->buf.name, b->buf.size);
  uintptr_t p = ((uintptr_t)b->base + (uintptr_t)align - 1) & ~((uintptr_t)align - 1);
#ifdef MADV_HUGEPAGE
  if (align == HUGE_PAGE) /* a wish: whether it is granted changes nothing but speed */
    (void)madvise((void *)p, (size_t)pages, MADV_HUGEPAGE);
#endif
  b->buf.host = (uint8_t *)p + skew;
  return true;
}

static bool add(struct devmem *m, uint64_t addr, uint64_t size, void *host, const char *name,
                struct error *err) {
  struct block b = {.buf = {.addr = addr, .size = size, .name = name ? name : "unnamed"}};
  m->live.items = vec_grow(m->live.items, m->live.n, &m->live.cap, sizeof *m->live.items);
  char *copy = xstrdup(b.buf.name); /* nothing is allocated between pages and their place in the list */
  if (!supply_host(m, &b, host, err)) {
    free(copy);
    return false;
  }
  b.buf.name = copy;
  insert(&m->live, b);
  m->bytes += size;
  m->generation++;
  return true;
}

/* The first address that a buffer of `bytes` may have, by where earlier ones are. */
static uint64_t first_address(struct devmem *m, uint64_t bytes, uint64_t align) {
  uint64_t page = m->opt.small_page;
  if (bytes >= m->opt.big || bytes + m->opt.guard > page)
    return align_up(m->next, align);
  if (align_up(m->small, align) + bytes + m->opt.guard > m->small_end) {
    m->small = align_up(m->next, page);
    m->small_end = m->next = m->small + page;
  }
  return align_up(m->small, align);
}

void devmem_begin_page(struct devmem *m) {
  m->small = m->small_end = 0;
}

uint64_t devmem_alloc(struct devmem *m, uint64_t size, const char *name, struct error *err) {
  return devmem_alloc_over(m, size, NULL, name, err);
}

uint64_t devmem_alloc_over(struct devmem *m, uint64_t size, void *host, const char *name, struct error *err) {
  const struct devmem_options *o = &m->opt;
  uint64_t align = o->big && size >= o->big ? o->big_align : o->align;
  uint64_t addr = first_address(m, span(size), align);
  for (size_t i = 0; i < m->nfixed; i++) { /* ascending */
    struct range r = m->fixed[i];
    if (addr < DEVMEM_LIMIT && size < DEVMEM_LIMIT && addr < r.end + o->guard &&
        addr + span(size) + o->guard > r.begin)
      addr = align_up(r.end + o->guard, align);
  }
  if (addr >= DEVMEM_LIMIT || size > DEVMEM_LIMIT - addr) {
    error_set(err, EXIT_RUNTIME,
              "device buffer '%s': %" PRIu64 " bytes do not fit into the device address space",
              name ? name : "unnamed", size);
    return 0;
  }
  if (!add(m, addr, size, host, name, err))
    return 0;
  uint64_t end = addr + span(size) + o->guard;
  if (addr >= m->small && addr < m->small_end)
    m->small = end;
  m->next = end > m->next ? end : m->next;
  return addr;
}

/* Host pages at a fixed address; what another mapping occupies is stepped over. */
static void *map_at(uint64_t *at, uint64_t bytes) {
  enum { TRIES = 64 };
  for (int i = 0; i < TRIES && *at < DEVMEM_UNIFIED_END && bytes < DEVMEM_UNIFIED_END - *at; i++) {
    void *wish = (void *)(uintptr_t)*at; /* the one place where a device address becomes a host address */
    void *got = mmap(wish, (size_t)bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wish)
      return got;
    if (got != MAP_FAILED) /* a kernel that does not know MAP_FIXED_NOREPLACE takes it as a wish */
      munmap(got, (size_t)bytes);
    *at += UINT64_C(1) << 30;
  }
  return NULL;
}

uint64_t devmem_alloc_unified(struct devmem *m, uint64_t size, const char *name, struct error *err) {
  const uint64_t page = 4096;
  const char *called = name ? name : "unnamed";
  uint64_t at = m->unified, bytes = size < DEVMEM_UNIFIED_END ? align_up(span(size), page) : 0;
  m->live.items = vec_grow(m->live.items, m->live.n, &m->live.cap, sizeof *m->live.items);
  char *copy = xstrdup(called);
  void *host = bytes ? map_at(&at, bytes) : NULL;
  if (!host) {
    free(copy);
    error_set(err, EXIT_RUNTIME, "device buffer '%s': the host cannot supply %" PRIu64 " shared bytes",
              called, size);
    return 0;
  }
  struct block b = {.buf = {.addr = at, .size = size, .host = host}, .base = host, .mapped = (size_t)bytes};
  b.buf.name = copy;
  insert(&m->live, b);
  m->bytes += size;
  m->generation++;
  m->unified = at + bytes + page;
  return at;
}

bool devmem_adopt(struct devmem *m, uint64_t addr, uint64_t size, void *host, const char *name,
                  struct error *err) {
  const char *called = name ? name : "unnamed";
  size_t i;
  if (!addr || addr >= DEVMEM_LIMIT || size > DEVMEM_LIMIT - addr ||
      (addr < m->next && addr + span(size) > DEVMEM_BASE) || overlaps(&m->live, addr, size, &i))
    return error_set(err, EXIT_USAGE,
                     "device buffer '%s': [0x%" PRIx64 ", +%" PRIu64 " bytes) is taken or outside the device "
                     "addresses",
                     called, addr, size);
  if (!add(m, addr, size, host, name, err))
    return false;
  while (overlaps(&m->dead, addr, size, &i))
    drop(&m->dead, i);
  return true;
}

static void reserve(struct devmem *m, uint64_t begin, uint64_t end) {
  size_t i = 0;
  for (; i < m->nfixed && m->fixed[i].begin <= begin; i++)
    if (m->fixed[i].begin == begin && m->fixed[i].end >= end)
      return;
  (void)VEC_PUSH(m->fixed, m->nfixed, m->capfixed);
  memmove(&m->fixed[i + 1], &m->fixed[i], (m->nfixed - 1 - i) * sizeof *m->fixed);
  m->fixed[i] = (struct range){begin, end};
}

bool devmem_alloc_at(struct devmem *m, uint64_t addr, uint64_t size, const char *name, struct error *err) {
  const char *called = name ? name : "unnamed";
  if (addr < DEVMEM_BASE || addr >= DEVMEM_LIMIT || size > DEVMEM_LIMIT - addr)
    return error_set(err, EXIT_USAGE,
                     "device buffer '%s': [0x%" PRIx64 ", +%" PRIu64 " bytes) is outside the device "
                     "addresses 0x%" PRIx64 " to 0x%" PRIx64,
                     called, addr, size, DEVMEM_BASE, DEVMEM_LIMIT - 1);
  size_t i;
  if (overlaps(&m->live, addr, size, &i)) {
    const struct devbuf *b = &m->live.items[i].buf;
    return error_set(err, EXIT_USAGE,
                     "device buffer '%s': [0x%" PRIx64 ", +%" PRIu64 " bytes) overlaps '%s' (0x%" PRIx64
                     ", %" PRIu64 " bytes)",
                     called, addr, size, b->name, b->addr, b->size);
  }
  if (!add(m, addr, size, NULL, name, err))
    return false;
  while (overlaps(&m->dead, addr, size, &i))
    drop(&m->dead, i);
  reserve(m, addr, addr + span(size));
  return true;
}

static size_t find_start(const struct devmem *m, uint64_t addr) {
  size_t i = upper(&m->live, addr);
  return i && m->live.items[i - 1].buf.addr == addr ? i - 1 : SIZE_MAX;
}

static void bury(struct devmem *m, struct block b) {
  if (m->dead.n == MAX_TOMBSTONES) {
    size_t oldest = 0;
    for (size_t i = 1; i < m->dead.n; i++)
      if (m->dead.items[i].died < m->dead.items[oldest].died)
        oldest = i;
    drop(&m->dead, oldest);
  }
  b.buf.freed = true;
  b.died = m->generation;
  insert(&m->dead, b);
}

bool devmem_free(struct devmem *m, uint64_t addr) {
  size_t i = find_start(m, addr);
  if (i == SIZE_MAX)
    return false;
  struct block b = m->live.items[i];
  release_host(&b);
  memmove(&m->live.items[i], &m->live.items[i + 1], (m->live.n - i - 1) * sizeof *m->live.items);
  m->live.n--;
  m->bytes -= b.buf.size;
  m->generation++;
  bury(m, b);
  return true;
}

bool devmem_set_read_only(struct devmem *m, uint64_t addr, bool read_only) {
  size_t i = find_start(m, addr);
  if (i == SIZE_MAX)
    return false;
  m->live.items[i].buf.read_only = read_only;
  m->generation++;
  return true;
}

static const struct devbuf *containing(const struct blocks *v, uint64_t addr) {
  size_t i = upper(v, addr);
  if (!i)
    return NULL;
  const struct devbuf *b = &v->items[i - 1].buf;
  return addr - b->addr < b->size ? b : NULL;
}

const struct devbuf *devmem_find(const struct devmem *m, uint64_t addr) {
  return containing(&m->live, addr);
}

size_t devmem_index(const struct devmem *m, const struct devbuf *b) {
  _Static_assert(offsetof(struct block, buf) == 0, "a buffer is where its block is");
  return (size_t)((const struct block *)(const void *)b - m->live.items);
}

uint64_t devmem_generation(const struct devmem *m) {
  return m->generation;
}

static uint64_t distance(const struct devbuf *b, uint64_t addr) {
  return addr < b->addr ? b->addr - addr : addr - (b->addr + b->size);
}

/* The closer of `best` and the two neighbours of addr in v. */
static const struct devbuf *closest(const struct blocks *v, uint64_t addr, const struct devbuf *best) {
  size_t i = upper(v, addr);
  for (size_t k = i ? i - 1 : 0; k <= i && k < v->n; k++)
    if (!best || distance(&v->items[k].buf, addr) < distance(best, addr))
      best = &v->items[k].buf;
  return best;
}

void devmem_describe(const struct devmem *m, uint64_t addr, char *buf, size_t n) {
  const struct devbuf *b = devmem_find(m, addr);
  if (!b)
    b = containing(&m->dead, addr);
  if (b) {
    snprintf(buf, n, "%" PRIu64 " bytes inside '%s' (0x%" PRIx64 ", %" PRIu64 " bytes)%s", addr - b->addr,
             b->name, b->addr, b->size, b->freed ? ", freed" : "");
    return;
  }
  b = closest(&m->dead, addr, closest(&m->live, addr, NULL));
  if (!b) {
    snprintf(buf, n, "no buffer was ever allocated");
    return;
  }
  char where[64];
  if (addr < b->addr)
    snprintf(where, sizeof where, "%" PRIu64 " bytes before the start of", b->addr - addr);
  else if (addr == b->addr + b->size)
    snprintf(where, sizeof where, "right at the end of");
  else
    snprintf(where, sizeof where, "%" PRIu64 " bytes after the end of", distance(b, addr));
  snprintf(buf, n, "%s%s '%s' (0x%" PRIx64 ", %" PRIu64 " bytes%s)", addr < 65536 ? "close to null, " : "",
           where, b->name, b->addr, b->size, b->freed ? ", freed" : "");
}

static const struct devbuf *holding(const struct devmem *m, uint64_t addr, uint64_t n) {
  const struct devbuf *b = devmem_find(m, addr);
  return b && n <= b->size - (addr - b->addr) ? b : NULL;
}

bool devmem_read(const struct devmem *m, uint64_t addr, void *to, uint64_t n) {
  if (!n)
    return true;
  const struct devbuf *b = holding(m, addr, n);
  if (b)
    memcpy(to, b->host + (addr - b->addr), (size_t)n);
  return b != NULL;
}

bool devmem_write(struct devmem *m, uint64_t addr, const void *from, uint64_t n) {
  if (!n)
    return true;
  const struct devbuf *b = holding(m, addr, n);
  if (b)
    memcpy(b->host + (addr - b->addr), from, (size_t)n);
  return b != NULL;
}

uint64_t devmem_bytes(const struct devmem *m) {
  return m->bytes;
}

size_t devmem_count(const struct devmem *m) {
  return m->live.n;
}

const struct devbuf *devmem_at(const struct devmem *m, size_t i) {
  return i < m->live.n ? &m->live.items[i].buf : NULL;
}
