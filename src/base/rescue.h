/* A boundary for what cannot go on: out of memory, a broken invariant (panic()). Inside rescue_run() they come back to its caller
 * instead of ending the process, by longjmp. Whatever the work had allocated or half changed stays as it is: the caller
 * gives it up, uses nothing of it again, and frees it as a whole, by the pool that noted it (base/pool.h). Threads have boundaries of their own; one that works for
 * another hands what it caught over (rescue_raise). */
#ifndef SLUICE_BASE_RESCUE_H
#define SLUICE_BASE_RESCUE_H

#include <setjmp.h>
#include <stdbool.h>

enum rescue_cause { RESCUE_MEMORY = 1, RESCUE_PANIC };

struct rescue {
  enum rescue_cause cause;
  char text[1000]; /* what happened; cut off where longer */
  struct rescue *outer;
  jmp_buf out;
};

/* Runs work(ctx). False: it could not go on; r tells why. */
bool rescue_run(struct rescue *r, void (*work)(void *ctx), void *ctx);
/* The same around an expression: its value, or `otherwise` after `caught` (an expression, too), which may look at `r`. */
#define RESCUE(r, expression, caught, otherwise)                                                             \
  ({                                                                                                         \
    __typeof__(expression) rescue_value_;                                                                    \
    rescue_push(r);                                                                                          \
    if (setjmp((r)->out) == 0) {                                                                             \
      rescue_value_ = (expression);                                                                          \
      rescue_pop(r);                                                                                         \
    } else {                                                                                                 \
      rescue_pop(r);                                                                                         \
      (caught);                                                                                              \
      rescue_value_ = (otherwise);                                                                           \
    }                                                                                                        \
    rescue_value_;                                                                                           \
  })
void rescue_push(struct rescue *r);
void rescue_pop(struct rescue *r);
/* Is there a boundary on this thread? */
bool rescue_here(void);
/* To the innermost boundary of this thread; without one, says so on standard error and ends the process (abort for a panic,
 * exit code 1 for no memory). */
_Noreturn void rescue_raise(enum rescue_cause cause, const char *text);

#endif
