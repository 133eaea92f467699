/* The producing half of the instruction supply: executes turns of functional execution and sorts their records for the
 * SMs. */
#ifndef SLUICE_CORE_SUPPLY_SEGMENT_H
#define SLUICE_CORE_SUPPLY_SEGMENT_H

#include "base/rescue.h"
#include "core/config.h"
#include "front/count.h"
#include "core/supply.h"

struct supply_segment {
  struct supply_segment *next; /* in the queue, in the list of the CTA, or among those to use again */
  uint64_t cta;
  bool first, last; /* segment of its CTA */
  uint32_t unread;  /* warps that have not read the segment */
  uint32_t *words;  /* records, all records of a warp side by side */
  size_t n, cap;
  uint32_t *from; /* by warp: where its records begin; behind the last warp, the end */
  struct front_counters counted;
};

/* Runs of consecutive records of one warp, in the segment that is being sorted. */
struct runs {
  struct run *run;
  size_t n, cap;
};

/* Turns executed side by side (front/exec.h), one side for each thread of a team. */
struct producer_team {
  struct team *team; /* NULL: no other threads help */
  struct exec_side **side;
  struct runs *runs;
  struct supply_segment **segment; /* of each attempt; some are left from attempts before */
  size_t nsegments, most;          /* most: turns to attempt next time */
};

struct producer {
  struct exec *x;
  struct functional_machine *told;
  struct error err;
  uint32_t nwarps, registers;
  uint16_t
      place[EXEC_REGISTERS]; /* of each register in a warp's scoreboard: only registers in use have one */
  bool wide, failed;
  enum rescue_cause
      cause; /* execution failed for want of memory or by a broken invariant; `what` says more; 0: neither */
  char what[1000];
  bool params;    /* loads of parameters are memory instructions */
  uint32_t banks; /* register banks */
  const struct core_config *core;
  struct work_numbers *numbers;
  struct supply_block *block; /* all blocks of the program; decoded before a segment names them */
  uint32_t nblocks;
  char apart
      [64]; /* what is written with each turn: not in a line of the host's cache with `block`, which all SMs read */
  uint32_t npc; /* blocks that have their pc */
  uint64_t violations;
  struct runs runs;
  struct producer_team together;
};

void producer_init(struct producer *p, struct exec *x, struct functional_machine *told, uint32_t nwarps,
                   bool wide, bool params, const struct core_config *core, struct work_numbers *numbers);
void producer_destroy(struct producer *p);
/* From now on the threads of a team can help, when producer_next() is called with `together`: they have nothing else to do then. NULL: no
 * team. */
void producer_helped(struct producer *p, struct team *team);
/* Executes one turn. Its segment reuses s, if that is not NULL. Returns NULL: the launch is complete, or p->failed. */
struct supply_segment *producer_next(struct producer *p, struct supply_segment *s, bool together);
/* How many turns ahead are executed already; the number may change. */
size_t producer_ready(const struct producer *p);
void supply_segment_free(struct supply_segment *s);

#endif
