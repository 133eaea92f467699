/* A message of the memory system: one coalesced line access, as it travels between units. */
#ifndef SLUICE_MEM_MEM_H
#define SLUICE_MEM_MEM_H

#include "mem/stamps.h"
#include <stdint.h>

/* Clock domains, by which units ask the engine for the cycle. */
enum clock_domain { DOMAIN_CORE, DOMAIN_NOC, DOMAIN_L2, DOMAIN_DRAM };

/* The last are between an L2 that includes the L1s and those: take a line back; it is gone (with `bytes` that had
 * changed); let others read a line (coherence/coherence.h). */
enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_INVALIDATE, MEM_ACKNOWLEDGE, MEM_DOWNGRADE };
/* Sectors are what the network counts in; a line has at most MEM_SECTORS of them (gpu.line_bytes). */
enum { MEM_SECTOR = 32, MEM_SECTORS = 4 };
enum {
  MEM_ANSWERED = 1, /* an answer on its way back */
  MEM_NO_FILL = 2,  /* goes straight to registers */
  MEM_CONST = 4,    /* of the constant cache */
  MEM_PREFETCH = 8,
  MEM_CODE = 16,      /* of the instruction cache */
  MEM_WRITEBACK = 32, /* a dirty line of the L1: nobody waits for it */
  MEM_REMOTE = 64,    /* answered by another L1 of the cluster: serves those who wait, fills nothing */
  MEM_SYSTEM = 64,    /* of a request: past the L2 as well, to memory */
  MEM_SURE = 128,     /* asked of another L1 that has it for certain */
  MEM_NACK = 128,     /* of an answer: the L2 could not take it, send it again */
};

/* 64 bytes: a line of the host's cache. */
struct mem_request {
  uint64_t line;             /* address of the line; virtual and physical are the same */
  uint64_t bytes[2];         /* writes: which bytes of the line; atomics: those that a CAS changed */
  uint64_t born;             /* core cycle at which it left the load/store unit */
  struct mem_stamps *stamps; /* the sender's, where it asks when the request passed what; else NULL */
  uint32_t waiter;           /* whom the SM answers */
  uint32_t number;           /* among its SM's, where requests are followed (mem/checker.h) */
  uint16_t sm, slice, warp;
  uint16_t degree; /* line accesses of its instruction */
  uint8_t kind, flags, sectors, launch;
  uint8_t stream;    /* of graphics data, from 1 (l1/graphics.h); 0: none */
  uint8_t owner;     /* whose request it is: 0: an SM's; else a stream cache's of this level */
  uint8_t coherence; /* of a protocol with a directory (coherence/coherence.h) */
  uint8_t technique; /* for techniques: 1: an L1 keeps the block beside it until it is there */
};

/* Core cycle `now` as a border of the request's path. */
static inline uint32_t mem_age(const struct mem_request *r, uint64_t now) {
  uint64_t age = now > r->born ? now - r->born : 0; /* a fetch that it joined may be older */
  return age < UINT32_MAX ? (uint32_t)age : UINT32_MAX;
}

#endif
