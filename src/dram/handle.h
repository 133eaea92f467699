/* What is behind a DRAM of the public interface (sluice_dram.h). */
#ifndef SLUICE_DRAM_HANDLE_H
#define SLUICE_DRAM_HANDLE_H

#include "base/pool.h"
#include "base/rescue.h"
#include "conf/conf.h"
#include "dram/dram.h"
#include "dram/log.h"
#include "sluice_dram.h"
#include "stat/report.h"
#include <string.h>

struct sluice_dram {
  struct pool *pool; /* what it has allocated */
  struct dram *dram;
  struct dram_device device;
  enum dram_refresh refresh;
  uint32_t channels, lockstep;
  struct conf *conf; /* what it is made of, for reports */
  struct dram_log {
    FILE *to;           /* NULL: none */
    bool begun;         /* its head is written */
  } * log;              /* by channel */
  bool logs;            /* was opened so that commands can be logged */
  struct report report; /* of the last trace */
  char *trace;          /* its name */
  double wall;          /* when it was made */
  struct error err;     /* of the last call that could fail */
  bool broken;          /* by what `why` says */
  struct rescue why;
};

/* Out of memory and broken invariants end the call, not the process. */
#define ON_DRAM(d, expression, otherwise)                                                                    \
  ({                                                                                                         \
    struct rescue on_dram_;                                                                                  \
    struct pool *const outside_ = pool_enter((d)->pool);                                                     \
    __typeof__(expression) done_ =                                                                           \
        (d)->broken ? (otherwise)                                                                            \
                    : RESCUE(&on_dram_, expression, dram_handle_broke(d, &on_dram_), otherwise);             \
    pool_enter(outside_);                                                                                    \
    done_;                                                                                                   \
  })

/* The head of a log comes with the first command, or when the run of a trace begins: a trace that cannot be read leaves no log. */
static inline void dram_handle_begin_log(struct sluice_dram *d, uint32_t channel) {
  struct dram_log *l = &d->log[channel];
  if (l->to && !l->begun)
    dram_log_header(l->to, &d->device, channel, d->refresh, d->lockstep);
  l->begun = true;
}

static inline void dram_handle_broke(struct sluice_dram *d, const struct rescue *why) {
  d->broken = true;
  d->why.cause = why->cause;
  memcpy(d->why.text, why->text, sizeof why->text);
}

#endif
