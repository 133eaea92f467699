/* A message of the memory system: one coalesced line access, as it travels between units. */
#ifndef SLUICE_MEM_REQUEST_H
#define SLUICE_MEM_REQUEST_H

#include <stdint.h>

enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC };
enum { MEM_LINE = 128, MEM_SECTOR = 32, MEM_SECTORS = 4 };
enum {
  MEM_ANSWERED = 1, /* an answer on its way back */
  MEM_NO_FILL = 2,  /* goes straight to registers */
  MEM_CONST = 4,    /* of the constant cache */
  MEM_PREFETCH = 8,
  MEM_CODE = 16,      /* of the instruction cache */
  MEM_WRITEBACK = 32, /* a dirty line of the L1: nobody waits for it */
};

struct mem_request {
  uint64_t line;      /* address of the 128-byte line; virtual and physical are the same */
  uint64_t bytes[2];  /* writes: which bytes of the line */
  uint64_t born;      /* core cycle at which it left the load/store unit */
  uint32_t waiter;    /* whom the SM answers */
  uint32_t technique; /* for techniques */
  uint16_t sm, slice, warp;
  uint16_t degree; /* line accesses of its instruction */
  uint8_t kind, flags, sectors, launch;
};

#endif
