/* A message of the memory system: one coalesced line access, as it travels between units. */
#ifndef SLUICE_MEM_REQUEST_H
#define SLUICE_MEM_REQUEST_H

#include <stdint.h>

/* The last two are between an L2 that includes the L1s and those: take a line back; it is gone (with `bytes` that had
 * changed). */
enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_INVALIDATE, MEM_ACKNOWLEDGE };
/* Sectors are what the network counts in; a line has at most MEM_SECTORS of them (gpu.line_bytes). */
enum { MEM_SECTOR = 32, MEM_SECTORS = 4, MEM_REFUSED = 5 };
enum {
  MEM_ANSWERED = 1, /* an answer on its way back */
  MEM_NO_FILL = 2,  /* goes straight to registers */
  MEM_CONST = 4,    /* of the constant cache */
  MEM_PREFETCH = 8,
  MEM_CODE = 16,      /* of the instruction cache */
  MEM_WRITEBACK = 32, /* a dirty line of the L1: nobody waits for it */
  MEM_REMOTE = 64,    /* answered by another L1 of the cluster: serves those who wait, fills nothing */
  MEM_SURE = 128,     /* asked of another L1 that has it for certain */
  MEM_NACK = 128,     /* of an answer: the L2 could not take it, send it again */
};

/* When a read passed each border on its way, in core cycles since it was born. What did not happen is 0:
 * read in order, each counts from the latest before it. */
struct mem_path {
  uint32_t sent;      /* into the network */
  uint32_t delivered; /* out of it, at the slice */
  uint32_t due;       /* at the tags, after the fixed delay */
  uint32_t tried;     /* for the first time: before, others were served */
  uint32_t
      refused[MEM_REFUSED]; /* not a time: core cycles refused by the tags, by cause (enum sluice_fail) */
  uint32_t looked_up;       /* the last sector of it */
  uint32_t to_memory;       /* out of the L2; the others only for what the L2 lacked */
  uint32_t at_memory;       /* at the controller, after the fixed delay */
  uint32_t opening, open;   /* the row: began to be opened, was open */
  uint32_t column;          /* the column command went */
  uint32_t filled;          /* the data came back to the L2 */
  uint32_t answered;        /* ready to go back */
  uint32_t returned;        /* into the network */
};

struct mem_request {
  uint64_t line;      /* address of the line; virtual and physical are the same */
  uint64_t bytes[2];  /* writes: which bytes of the line */
  uint64_t born;      /* core cycle at which it left the load/store unit */
  uint32_t waiter;    /* whom the SM answers */
  uint32_t technique; /* for techniques: 1: an L1 keeps the block beside it until it is there */
  uint32_t number;    /* among its SM's, where requests are followed (mem/follow.h) */
  uint16_t sm, slice, warp;
  uint16_t degree; /* line accesses of its instruction */
  uint8_t kind, flags, sectors, launch;
  uint8_t stream; /* of graphics data, from 1 (mem/stream.h); 0: none */
  uint8_t owner;  /* whose request it is: 0: an SM's; else a stream cache's of this level */
  struct mem_path path;
};

/* Core cycle `now` as a border of the request's path. */
static inline uint32_t mem_age(const struct mem_request *r, uint64_t now) {
  uint64_t age = now > r->born ? now - r->born : 0; /* a fetch that it joined may be older */
  return age < UINT32_MAX ? (uint32_t)age : UINT32_MAX;
}

#endif
