/* The map of the memory system: the request that travels between units, its kinds and flags, causes of reservation fails,
 * time stamps, clock domains; sectors of requests and of caches; queues of requests. */
#ifndef SLUICE_MEM_MEM_H
#define SLUICE_MEM_MEM_H

#include "base/hot.h"
#include "base/mem.h"
#include "base/ring.h"
#include "sluice_technique.h"
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Clock domains, by which units ask the engine for the cycle. */
enum clock_domain { DOMAIN_CORE, DOMAIN_NOC, DOMAIN_L2, DOMAIN_DRAM };

/* The last three travel between an L2 that includes the L1s and the L1s: invalidate a line; the line is gone
 * (with its dirty `bytes`); let other L1s read the line (coherence/coherence.h). */
enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_INVALIDATE, MEM_ACKNOWLEDGE, MEM_DOWNGRADE };
/* Causes of reservation fails are enum sluice_fail (include/sluice_technique.h).
 * Sectors are what the network counts in; a line has at most MEM_SECTORS of them (gpu.line_bytes). */
enum { MEM_SECTOR = 32, MEM_SECTORS = 4 };
enum {
  MEM_ANSWERED = 1, /* the message is an answer */
  MEM_NO_FILL = 2,  /* the answer fills no cache: its data goes to registers */
  MEM_CONST = 4,    /* a fetch of the constant cache */
  MEM_PREFETCH = 8,
  MEM_CODE = 16,      /* a fetch of the instruction cache */
  MEM_WRITEBACK = 32, /* a write-back of an L1: no warp waits for the acknowledgement */
  MEM_REMOTE = 64,    /* of an answer: another L1 of the cluster sent the data, which fills no cache */
  MEM_SYSTEM = 128,   /* of a request: bypasses the L2 as well */
  MEM_SURE = 256,     /* of a request to another L1: that L1 certainly has the line */
  MEM_NACK = 512,     /* of an answer: the L2 had no room, the L1 must send the request again */
  MEM_TRIES = 2048,   /* of a CAS: its warp tries again until the CAS succeeds (sm.cas_retry) */
  MEM_AGAIN =
      1024, /* of an answer to a CAS: other warps changed its `bytes` first, the SM sends the CAS again */
};

/* The times at which a request passed each border. The record belongs to the sender; the message carries the
 * record's address, and the unit that has the message writes its time, so that the record need not travel
 * along. A record is a line of the host's cache; what few requests have to note is apart.
 *
 * In core cycles since the request was born. A step that did not happen is 0; read in order, each step
 * counts from the latest step before. */
struct mem_stamps {
  uint32_t sent;      /* the request entered the network */
  uint32_t delivered; /* the request arrived at the slice */
  uint32_t due;       /* the request could be looked up, after the fixed delay */
  uint32_t tried;     /* first attempt at the tags: before, the slice served other requests */
  uint32_t looked_up; /* the last sector of the request was looked up */
  uint32_t answered;  /* the answer could enter the response network */
  /* only of requests that the L2 had to fetch for: */
  uint32_t to_memory;     /* the fetch left the L2 */
  uint32_t at_memory;     /* the fetch arrived at the controller, after the fixed delay */
  uint32_t opening, open; /* the row began to be opened; the row was open */
  uint32_t column;        /* the column command was issued */
  uint32_t filled;        /* the data was in the L2 */
  struct mem_notes *more;
  bool failed; /* the request has lost cycles to reservation fails: more->failed holds */
  bool named;  /* the instruction that asks is known: its names in `more` hold */
  bool again;  /* a CAS that the SM has sent again: more->seen holds */
};

/* What few requests have to note, beside the time stamps. */
struct mem_notes {
  uint32_t failed[SLUICE_NFAILS]; /* core cycles lost to reservation fails, by cause (enum sluice_fail) */
  uint64_t seen, shown; /* of a CAS: core cycle of the attempt before; of this attempt, if it failed */
  /* the instruction that asks, for techniques (sluice_technique.h) */
  uint32_t pc; /* number of the instruction in the program */
  uint32_t ptx_line, source_line, cta, launch;
  uint8_t op;
};

/* A pool of records with fixed addresses. Records given back last are taken first, while the host's cache
 * still has them. */
enum { STAMPS_AT_ONCE = 64 };
union stamp_slot {
  struct mem_stamps stamps;
  union stamp_slot *next;
};
struct stamp_pool {
  struct stamp_block {
    _Alignas(64) union stamp_slot slot[STAMPS_AT_ONCE];
    struct mem_notes more[STAMPS_AT_ONCE];
    struct stamp_block *next;
  } * block;
  union stamp_slot *free;
};
_Static_assert(sizeof(union stamp_slot) == 64, "time stamps are a line of the host's cache");

void stamp_pool_grow(struct stamp_pool *p);
void stamp_pool_destroy(struct stamp_pool *p);

static inline struct mem_stamps *stamps_take(struct stamp_pool *p) {
  if (!p->free)
    stamp_pool_grow(p);
  union stamp_slot *s = p->free;
  p->free = s->next;
  memset(&s->stamps, 0, offsetof(struct mem_stamps, more));
  s->stamps.failed = s->stamps.named = s->stamps.again = false;
  return &s->stamps;
}

/* Notes core cycles lost to reservation fails. */
static inline void stamps_note_fail(struct mem_stamps *stamps, unsigned cause, uint32_t cycles) {
  if (!stamps->failed)
    memset(stamps->more->failed, 0, sizeof stamps->more->failed);
  stamps->failed = true;
  stamps->more->failed[cause] += cycles;
}

/* Copies cycles lost to reservation fails. */
static inline void stamps_copy_fails(struct mem_stamps *to, const struct mem_stamps *from) {
  to->failed = from->failed;
  if (from->failed)
    memcpy(to->more->failed, from->more->failed, sizeof to->more->failed);
}

/* Gives a record back; NULL: there is none. */
static inline void stamps_give(struct stamp_pool *p, struct mem_stamps *stamps) {
  union stamp_slot *s = (union stamp_slot *)(void *)stamps;
  if (!s)
    return;
  s->next = p->free;
  p->free = s;
}

/* A request, or its answer. 64 bytes: a cache line of the host. */
struct mem_request {
  uint64_t line;             /* address of the line; virtual and physical are the same */
  uint64_t bytes[2];         /* writes: mask of the bytes written; atomics: of the bytes that a CAS changed */
  uint64_t born;             /* core cycle at which the request left the load/store unit */
  struct mem_stamps *stamps; /* where units note the times at which the request passes; NULL: nowhere */
  uint32_t waiter;           /* tracker, or entry of a cache, that waits for the answer */
  uint32_t number; /* number of the request among the requests of its SM, for the checker (mem/checker.h) */
  uint16_t sm, slice, warp;
  uint16_t degree; /* line accesses of the instruction */
  uint16_t flags;
  uint8_t kind, sectors;
  uint8_t stream; /* kind of graphics data, from 1 (l1/graphics.h); 0: none */
  uint8_t owner;  /* the sender: 0: an SM; else a stream cache of this level */
  /* what the request says to or asks of the directory (coherence/coherence.h); without a directory: what the lanes of an atomic do to
   * words (below) */
  uint8_t coherence;
  uint8_t technique; /* 1: the side buffer of the L1 takes the line (a technique) */
};

/* mem_request.coherence of an atomic, where lanes of one word take turns. A pass over a sector changes each word of the sector once.
 * MEM_PASSES: the passes over all sectors, 0: passes are not counted; of MEM_LANES, MEM_ONE_FLOAT: all lanes add f32 or f64 to one word; MEM_F64:
 * lanes add f64 to several words, with MEM_WIDE to three or more in a pass; MEM_WORDS: lanes change several words in another way; 0: one word. */
enum {
  MEM_PASSES = 0x3f,
  MEM_LANES = 0xc0,
  MEM_ONE_FLOAT = 0x40,
  MEM_F64 = 0x80,
  MEM_WORDS = 0xc0,
  MEM_WIDE = 0x20
};

/* The age of a request in core cycle `now`, as time stamps have it. */
static inline uint32_t mem_age(const struct mem_request *r, uint64_t now) {
  uint64_t age =
      now > r->born ? now - r->born : 0; /* a fetch that the request joined may be older than the request */
  return age < UINT32_MAX ? (uint32_t)age : UINT32_MAX;
}

/* Sectors of a request and sectors of a cache, which may be larger; both as bit sets. */

/* Sectors of a request → sectors of a cache whose sectors have `sector_bytes` bytes. */
static inline uint32_t sectors_to_cache(uint32_t sector_bytes, uint8_t sectors) {
  if (sector_bytes == MEM_SECTOR)
    return sectors;
  if (RARELY(sector_bytes == 2 * MEM_SECTOR))
    return (sectors & 3 ? 1u : 0) | (sectors & 12 ? 2u : 0);
  return sectors != 0;
}

/* Sectors of a cache → sectors of a request. */
static inline uint8_t sectors_from_cache(uint32_t sector_bytes, uint32_t sectors) {
  if (sector_bytes == MEM_SECTOR)
    return (uint8_t)sectors;
  if (RARELY(sector_bytes == 2 * MEM_SECTOR))
    return (uint8_t)((sectors & 1 ? 3u : 0) | (sectors & 2 ? 12u : 0));
  return sectors & 1 ? 15 : 0;
}

/* The sectors of a request in which bytes of its line lie. */
static inline uint8_t sectors_of_bytes(const uint64_t bytes[2]) {
  uint8_t out = 0;
  for (uint32_t i = 0; i < MEM_SECTORS; i++)
    if ((uint32_t)(bytes[i / 2] >> i % 2 * 32))
      out |= (uint8_t)(1u << i);
  return out;
}

/* A queue of requests of a cache that wait for the network. */
struct request_ring {
  struct mem_request *request;
  struct ring at;
  uint32_t capacity;
};

/* `spare`: requests that may be pushed beyond `capacity` without asking for room. */
static inline void ring_init(struct request_ring *r, uint32_t capacity, uint32_t spare) {
  *r = (struct request_ring){.capacity = capacity, .at.mask = ring_mask(capacity + spare)};
  r->request =
      xaligned((r->at.mask + 1u) * sizeof *r->request); /* requests are written before they are read */
}

static inline void ring_destroy(struct request_ring *r) {
  free(r->request);
}

static inline bool ring_room(const struct request_ring *r, uint32_t n) {
  return r->at.count + n <= r->capacity;
}

static inline void ring_push(struct request_ring *r, const struct mem_request *m) {
  r->request[ring_add(&r->at)] = *m;
}

/* The request pushed last. */
static inline struct mem_request *ring_last(struct request_ring *r) {
  return &r->request[ring_at(&r->at, r->at.count - 1)];
}

#endif
