/* Completion in the order of issue, as in Multi2Sim's compute unit (sm.vmb_in_order, sm.scalar_in_order). */
#ifndef SLUICE_CORE_IN_ORDER_H
#define SLUICE_CORE_IN_ORDER_H

#include <stdint.h>

struct sm;
struct warp_inst;

/* An instruction in the scalar unit. */
struct scalar_op {
  uint64_t at; /* cycle at which the instruction could complete; NEVER: not known yet */
  const struct warp_inst *inst;
  uint32_t warp, tracker, item;
  uint8_t kind; /* enum scalar_kind */
};
enum scalar_kind {
  SCALAR_ALU,
  SCALAR_DATA, /* a load that never misses: the time of its data is known */
  SCALAR_LOAD,
  SCALAR_BARRIER,
  SCALAR_END /* the last instruction of a wavefront, which waits for the wavefront's accesses */
};

struct scalar_order {
  struct scalar_op *op; /* ring */
  uint32_t head, count, mask;
  uint64_t last; /* cycle at which the last instruction of known time completes */
};

/* An entry of the buffer of memory instructions whose last answer has come. */
struct vmb_answer {
  uint32_t tracker, stages; /* UINT32_MAX: no register waits */
};

struct vmb_order {
  struct vmb_answer *answer; /* by entry */
  uint32_t told;             /* entries at the head whose time of leaving is known */
  uint64_t last;
};

void in_order_init(struct sm *s);
void in_order_destroy(struct sm *s);

/* An instruction enters the scalar unit; op->at is the cycle at which the instruction could complete, NEVER: scalar_order_known() will
 * set it. Returns the cycle at which the instruction completes; NEVER: not known yet, in_order.c completes the instruction later. */
uint64_t scalar_order_enter(struct sm *s, const struct scalar_op *op);
/* The load of a tracker, or the end of a warp (tracker UINT32_MAX), can complete at `at`. */
void scalar_order_known(struct sm *s, uint32_t warp, uint32_t tracker, uint64_t at);
/* scalar_order_end(): a warp has issued its last instruction; scalar_order_ended(): a warp may have no load or store left that keeps this
 * instruction in the unit. */
void scalar_order_end(struct sm *s, uint32_t w);
void scalar_order_ended(struct sm *s, uint32_t w);
/* The last answer of the memory instruction at entry `e` has come. */
void vmb_order_answer(struct sm *s, uint32_t e, uint64_t cycle, uint32_t tracker, uint32_t stages);

#endif
