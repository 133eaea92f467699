/* What the program's kernels did, kept until it ends: a table by kernel, JSON, and the exit code it earned. */
#ifndef SLUICE_HOST_OUTCOME_H
#define SLUICE_HOST_OUTCOME_H

#include "conf/conf.h"
#include "front/count.h"
#include "front/exec.h"
#include "front/functional.h"
#include "stat/detail.h"
#include "stat/stat.h"

struct outcome;
struct outcome *outcome_new(void);

/* A launch that ran; takes `stats` and what `detail` points to. */
void outcome_add(struct outcome *o, const struct launch *l, const struct front_counters *counted,
                 struct stats *stats, struct stat_detail *detail, double seconds);
/* A launch that was not chosen to be timed (choose.h): executed only, and in no number but that of what was left out. */
void outcome_skip(struct outcome *o, const struct front_counters *counted);
/* The program does not end by itself: what there is is partial. `how`: "interrupted", "crashed". */
void outcome_partial(struct outcome *o, const char *how);
/* Writes SLUICE_JSON as it stands, marked partial: whatever ends the process later, this is kept. */
void outcome_checkpoint(struct outcome *o, const struct conf *conf, struct functional_machine *machine);
/* The program called a function that is not there. False: it did so before. */
bool outcome_missing(struct outcome *o, const char *function);
/* A launch failed with this exit code; the first one counts. */
void outcome_fail(struct outcome *o, int code);
int outcome_code(const struct outcome *o); /* 0: none failed */
/* Writes what SLUICE_JSON, SLUICE_REPORT and SLUICE_STATUS ask for. `machine` may be NULL. */
void outcome_tell(struct outcome *o, const struct conf *conf, struct functional_machine *machine);

#endif
