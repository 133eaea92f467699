/* Locks that change hands faster than they could.
 *
 * The timing replays what functional execution did: a CAS that succeeded there succeeds here, whenever it comes. On a GPU, who
 * takes a word by CAS after another warp did must have seen what that one left, or waited for it to give the word back. Either
 * way something went from the L2 to an SM and something came back:
 *
 *   L2  ── CAS of A succeeds ──────────────────────────────── CAS of B succeeds
 *             └─▶ A learns of it, releases ─▶ at the L2 ─▶┘   at least a round trip later
 *
 * A CAS that succeeds sooner than the unloaded round trip after another warp's on the same word did so only because the
 * functional order is replayed. Each slice knows the words taken within the last round trip.
 *
 * With sm.cas_retry such a CAS fails: each slice knows who changed a word last and when, and a warp that saw the word before tries again. */
#ifndef SLUICE_L2_SPIN_H
#define SLUICE_L2_SPIN_H

#include "mem/mem.h"
#include "base/ring.h"
#include <stdbool.h>

struct spin {
  uint64_t round_trip; /* L2 cycles */
  struct spin_taken {
    uint64_t line, bytes[2], at;
    uint32_t who;
  } * taken; /* ring, oldest first */
  struct ring at;
  struct spin_word { /* by hash of the address; a word that another has taken the place of is forgotten */
    uint64_t address, at;
    uint32_t who; /* 0: nobody */
  } * word;
};

void spin_init(struct spin *s, uint64_t round_trip);
void spin_destroy(struct spin *s);
/* A CAS that succeeds takes these bytes of its line in a cycle. True: sooner than it could. */
bool spin_takes(struct spin *s, const struct mem_request *r, const uint64_t bytes[2], uint64_t cycle);
/* With sm.cas_retry: a CAS that succeeded functionally comes in a core cycle and knows words as they were in the cycle `seen`. Leaves of its
 * bytes those of words that another warp has changed by CAS since; the others are changed. True: some are left. */
bool spin_fails(struct spin *s, const struct mem_request *r, uint64_t bytes[2], uint64_t cycle,
                uint64_t seen);

#endif
