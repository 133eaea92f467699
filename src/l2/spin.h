/* Locks that change owners faster than hardware allows.
 *
 * The timing model replays functional execution: a CAS that succeeded in functional execution succeeds in the timing model, whenever
 * it comes. On a GPU, a warp that takes a word by CAS after another warp did must have seen the value that the other warp left, or
 * have waited for the other warp to release the word. Either way a message went from the L2 to an SM and another came back:
 *
 *   L2  ── CAS of A succeeds ──────────────────────────────── CAS of B succeeds
 *             └─▶ A has the answer, releases ─▶ at the L2 ─▶┘   at least a round trip later
 *
 * A CAS that succeeds sooner than the unloaded round trip after another warp's CAS on the same word succeeds only because the
 * functional order is replayed. Each slice keeps the words taken within the last round trip.
 *
 * With sm.cas_retry such a CAS fails: each slice keeps which warp changed a word last and when, and a warp that saw the word before this
 * change tries again. With sm.lock_holds the word of a CAS by one lane is a lock, which others cannot have until it is given back: by a store
 * to the word, or an atomic of the holder to its sector. */
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
  struct spin_word { /* by hash of the address; a word of the same hash replaces the entry */
    uint64_t address, at;
    uint64_t until; /* a lock that `who` has not given back: nobody else has it before this cycle */
    uint32_t who;   /* 0: no warp */
  } * word;
  bool locks; /* some word has been a lock */
};

void spin_init(struct spin *s, uint64_t round_trip);
void spin_destroy(struct spin *s);
/* A CAS that succeeds takes `bytes` of its line in `cycle`. True: sooner than hardware allows. */
bool spin_takes(struct spin *s, const struct mem_request *r, const uint64_t bytes[2], uint64_t cycle);
/* With sm.cas_retry: a CAS that succeeded functionally comes in core cycle `cycle` and has seen words as they were in cycle `seen`. Leaves in
 * `bytes` the bytes of words that another warp has changed by CAS since then; the CAS changes the other words. `lock`: the word is a lock, and
 * fails while another warp has it. True: bytes are left. */
bool spin_fails(struct spin *s, const struct mem_request *r, uint64_t bytes[2], uint64_t cycle, uint64_t seen,
                bool lock);
/* With sm.lock_holds: a request that is no such CAS is looked up. */
void spin_gives_back(struct spin *s, const struct mem_request *r);

#endif
