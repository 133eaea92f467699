/* The map of the memory system: the request that travels between units, its kinds and flags, clock domains.
 * (mem/stamps.h: the times at which a request passed each border; include/sluice_technique.h: causes of
 * reservation fails.) */
#ifndef SLUICE_MEM_MEM_H
#define SLUICE_MEM_MEM_H

#include "mem/stamps.h"
#include <stdint.h>

/* Clock domains, by which units ask the engine for the cycle. */
enum clock_domain { DOMAIN_CORE, DOMAIN_NOC, DOMAIN_L2, DOMAIN_DRAM };

/* The last three travel between an L2 that includes the L1s and the L1s: invalidate a line; the line is gone
 * (with its dirty `bytes`); let other L1s read the line (coherence/coherence.h). */
enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_INVALIDATE, MEM_ACKNOWLEDGE, MEM_DOWNGRADE };
/* Sectors are what the network counts in; a line has at most MEM_SECTORS of them (gpu.line_bytes). */
enum { MEM_SECTOR = 32, MEM_SECTORS = 4 };
enum {
  MEM_ANSWERED = 1, /* the message is an answer */
  MEM_NO_FILL = 2,  /* the answer fills no cache: its data goes to registers */
  MEM_CONST = 4,    /* a fetch of the constant cache */
  MEM_PREFETCH = 8,
  MEM_CODE = 16,      /* a fetch of the instruction cache */
  MEM_WRITEBACK = 32, /* a write-back of an L1: no warp waits for the acknowledgement */
  MEM_REMOTE = 64,    /* of an answer: another L1 of the cluster sent the data, which fills no cache */
  MEM_SYSTEM = 64,    /* of a request: bypasses the L2 as well */
  MEM_SURE = 128,     /* of a request to another L1: that L1 certainly has the line */
  MEM_NACK = 128,     /* of an answer: the L2 had no room, the L1 must send the request again */
};

/* A request, or its answer. 64 bytes: a cache line of the host. */
struct mem_request {
  uint64_t line;             /* address of the line; virtual and physical are the same */
  uint64_t bytes[2];         /* writes: mask of the bytes written; atomics: of the bytes that a CAS changed */
  uint64_t born;             /* core cycle at which the request left the load/store unit */
  struct mem_stamps *stamps; /* where units note the times at which the request passes; NULL: nobody asks */
  uint32_t waiter;           /* tracker, or entry of a cache, that waits for the answer */
  uint32_t number; /* number of the request among those of its SM, for the checker (mem/checker.h) */
  uint16_t sm, slice, warp;
  uint16_t degree; /* line accesses of the instruction */
  uint8_t kind, flags, sectors, launch;
  uint8_t stream; /* kind of graphics data, from 1 (l1/graphics.h); 0: none */
  uint8_t owner;  /* sender: 0: an SM; else the level of a stream cache */
  uint8_t
      coherence; /* what the request says to or asks of the directory (coherence/coherence.h); without one, of
                      * atomics: lanes of the busiest word, and whether they are floating-point numbers */
  uint8_t technique; /* 1: the side buffer of the L1 takes the line (a technique) */
};

/* mem_request.coherence of an atomic */
enum { MEM_SAME_WORD = 0x7f, MEM_FLOATS = 0x80 };

/* The age of a request in core cycle `now`, as time stamps have it. */
static inline uint32_t mem_age(const struct mem_request *r, uint64_t now) {
  uint64_t age =
      now > r->born ? now - r->born : 0; /* a fetch that the request joined may be older than the request */
  return age < UINT32_MAX ? (uint32_t)age : UINT32_MAX;
}

#endif
