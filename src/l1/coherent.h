/* An L1 data cache of a protocol with a directory (`moesi`, `nmoesi`): the states of its lines, and what it says to the directory.
 *
 * What an access or a message does in each state is a table (coherence/protocol.h). A replaced line is asked for again only when the
 * directory has answered what it was told of the line.
 *
 * A line that a store waits for keeps its way and its miss register; its bytes wait here. */
#ifndef SLUICE_L1_COHERENT_H
#define SLUICE_L1_COHERENT_H

#include "cache/cache.h"
#include "coherence/protocol.h"
#include "mem/mem.h"
#include "l1/l1.h"

struct coherent_bytes {
  uint64_t line, bytes[2];
};

struct coherent_notice {
  struct coherent_bytes of;
  bool waits;              /* for the answer: */
  struct mem_request then; /* the request for the line that took its place (l1d.evict_first) */
};

struct coherent {
  const struct protocol *protocol;
  uint8_t *state;                 /* [place], enum line_state; NULL: there is no such protocol */
  struct coherent_notice *notice; /* on their way to the directory, not yet answered */
  size_t nnotices, capnotices;
  struct coherent_bytes *store; /* to be written when their line comes */
  size_t nstores, capstores;
  bool in_turn; /* l1d.coherent_store = all: instructions of the L1 that are not through, oldest first */
  struct coherent_older {
    uint32_t tracker;
    bool store;
  } * older;
  size_t nolder, capolder;
};

void coherent_init(struct sm *s);
void coherent_destroy(struct sm *s);

/* l1d.coherent_store = all: an instruction has come; it is through. */
void coherent_enters(struct sm *s, uint32_t tracker, bool store);
void coherent_ends(struct sm *s, uint32_t tracker);
/* Is it the turn of an access? A store waits for all older accesses, a load for older stores. */
bool coherent_turn(const struct sm *s, const struct l1_of *of);

/* A store comes. False: refused. */
bool coherent_store(struct sm *s, const struct l1_of *of, const struct sm_access *a);
/* A store whose request was sent back, `tracker` UINT32_MAX: nobody waits for it. */
bool coherent_store_again(struct sm *s, const struct l1_of *of, const struct sm_access *a);
/* May the line be asked for? Not while the directory is still to be told of its end. */
/* The way that the line is about to leave for another (l1d.evict_first); UINT32_MAX: none. */
uint32_t coherent_leaves(const struct sm *s, uint64_t line);
bool coherent_may_ask(const struct sm *s, uint64_t line);
/* What a request for the line asks the directory for. */
enum line_ask coherent_ask(const struct sm *s, uint64_t line);
/* An access took a way for `line`, which was asked for last: who was there leaves. */
void coherent_replaced(struct sm *s, const struct cache_result *r, uint64_t line);
/* The line leaves, for an access past the L1. True: it has left, and the directory knows. */
bool coherent_drop(struct sm *s, uint64_t line);
/* The line is here, after cache_fill(). */
void coherent_filled(struct sm *s, const struct mem_request *r);
/* The directory has been told of a line. */
void coherent_notice(struct sm *s, uint64_t line);
/* The directory wants the line back, or others to read it; the acknowledgement. */
void coherent_respond(struct sm *s, const struct mem_request *r, struct mem_request *ack);
/* All lines are forgotten; a dirty one of them is on its way. */
void coherent_reset(struct sm *s);
void coherent_notify(struct sm *s, const struct mem_request *r);

#endif
