/* What is behind a handle of the public interface. */
#ifndef SLUICE_API_HANDLE_H
#define SLUICE_API_HANDLE_H

#include "base/pool.h"
#include "base/rescue.h"
#include "front/functional.h"
#include "front/runner.h"
#include "gpu/machine.h"
#include "gpu/record.h"
#include "sluice.h"
#include "stat/report.h"

struct sluice_module {
  size_t unit; /* of the runner */
};

enum { HANDLE_TEXTS = 6 };

struct sluice {
  struct pool *pool; /* what it has allocated */
  struct conf *conf;
  bool gpu; /* one was named */
  struct sluice_options o;
  char *text[HANDLE_TEXTS]; /* that `o` points to */
  sluice_progress_fn *progress;
  sluice_interval_fn *interval;
  sluice_warning_fn *warning;
  void *progress_ctx, *interval_ctx, *warning_ctx;
  struct functional_watch watch;
  /* launches of the caller's own */
  struct functional_options how;
  struct runner *runner;              /* NULL: none yet */
  struct functional_machine *machine; /* of the runner, or of the run that goes on; NULL: functional */
  struct sluice_module **modules;
  size_t nmodules, cap;
  /* what was counted */
  struct report report;
  char *what;  /* was run */
  bool spent;  /* a launch failed on the GPU */
  bool stale;  /* report.total is older than the last launch */
  bool inside; /* a callback of an interval: */
  struct stats *live;
  struct stat_detail live_detail;
  struct front_counters *executed;
  /* the last failure */
  struct error err;
  bool broken; /* by what `why` says */
  struct rescue why;
};

/* Calls an expression on behalf of a handle: out of memory and broken invariants end the call, not the process. */
#define ON_HANDLE(s, expression, otherwise)                                                                  \
  ({                                                                                                         \
    struct rescue on_handle_;                                                                                \
    struct pool *const outside_ = pool_enter((s)->pool);                                                     \
    __typeof__(expression) handled_ =                                                                        \
        (s)->broken ? (otherwise)                                                                            \
                    : RESCUE(&on_handle_, expression, handle_broke(s, &on_handle_), otherwise);              \
    pool_enter(outside_);                                                                                    \
    handled_;                                                                                                \
  })
/* The same of one that sets s->err; its status. */
#define STATUS_OF(s, expression) ((void)ON_HANDLE(s, ((void)(expression), 0), 0), sluice_error_code(s))

void handle_broke(struct sluice *s, const struct rescue *why);
/* Sets an error; always false. */
bool handle_refuse(struct sluice *s, const char *format, const char *what);
/* The machine that options and configuration describe, in s->machine; none if it is functional. False after an error. */
bool handle_machine(struct sluice *s);
bool handle_timed(const struct sluice *s); /* has it a GPU? */
void handle_how(struct sluice *s);         /* fills s->watch and s->how */
void handle_forget(struct sluice *s);      /* what was counted */
struct machine_options handle_options(const struct sluice *s, struct record_options *record);

#endif
