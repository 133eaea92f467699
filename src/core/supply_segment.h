/* The producing half of the instruction supply: executes turns of the front end and prepares them for the
 * SMs. */
#ifndef SLUICE_CORE_SUPPLY_SEGMENT_H
#define SLUICE_CORE_SUPPLY_SEGMENT_H

#include "base/rescue.h"
#include "core/config.h"
#include "front/count.h"
#include "core/supply.h"

struct supply_segment {
  struct supply_segment *next; /* in the queue, of the CTA, or of those to use again */
  uint64_t cta;
  bool first, last; /* of its CTA */
  uint32_t unread;  /* warps that have not got past it */
  uint32_t *words;  /* records, those of a warp side by side */
  size_t n, cap;
  uint32_t *from; /* by warp: where its records begin; one more is the end */
  struct front_counters counted;
};

/* Records of one warp that follow each other, of the segment at hand. */
struct runs {
  struct run *run;
  size_t n, cap;
};

/* Turns executed side by side (front/exec.h), one side for each thread of a team. */
struct producer_team {
  struct team *team; /* NULL: there is none */
  struct exec_side **side;
  struct runs *runs;
  struct supply_segment **segment; /* by attempt; some are left from before */
  size_t nsegments, most;          /* most: to foresee next */
};

struct producer {
  struct exec *x;
  struct functional_machine *told;
  struct error err;
  uint32_t nwarps, registers;
  uint16_t
      place[EXEC_REGISTERS]; /* of each register in a warp's scoreboard: only those that are named have one */
  bool wide, failed;
  enum rescue_cause
      cause; /* failed because of no memory or a broken invariant: which, and what happened; 0: not */
  char what[1000];
  bool params;    /* loads of parameters are memory instructions */
  uint32_t banks; /* of registers */
  const struct core_config *core;
  uint64_t violations;
  struct supply_block *block; /* as many as the program has; known before a segment names them */
  uint32_t nblocks, npc;      /* of those, how many have their pc */
  struct runs runs;
  struct producer_team together;
};

void producer_init(struct producer *p, struct exec *x, struct functional_machine *told, uint32_t nwarps,
                   bool wide, bool params, const struct core_config *core);
void producer_destroy(struct producer *p);
/* From now on others can help, who have nothing else to do when producer_next() is told so. NULL: nobody. */
void producer_helped(struct producer *p, struct team *team);
/* One turn, into a segment that is used again or NULL. NULL: the launch is complete, or p->failed. */
struct supply_segment *producer_next(struct producer *p, struct supply_segment *s, bool together);
/* How many turns are executed already, as it seems. */
size_t producer_ready(const struct producer *p);
void supply_segment_free(struct supply_segment *s);

#endif
