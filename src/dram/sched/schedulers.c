#include "dram/sched/schedulers.h"
#include "dram/profile.h"

const char *const dram_pick_names[] = {"fcfs", "frfcfs", "oldest-ready", "round-robin", NULL};
const struct sluice_dram_scheduler *const dram_schedulers[] = {&dram_fcfs, &dram_frfcfs, &dram_oldest_ready,
                                                               &dram_round_robin};

bool dram_scheduler_orders(const struct sluice_dram_scheduler *s) {
  return s->open || s->order(NULL, NULL, true) > s->order(NULL, NULL, false);
}

bool dram_scheduler_check(const struct sluice_dram_scheduler *s, const struct dram_profile *p,
                          struct error *err) {
  const char *rule = p->pin_activated ? "pin_activated" : "bank_queue";
  if (!p->pin_activated && !p->bank_queue)
    return true;
  if (s->scope == SLUICE_DRAM_OLDEST)
    return error_add(
        err, EXIT_USAGE,
        "controller %s: its %s does not go with a scheduler that serves the oldest request alone", p->name,
        rule);
  return !dram_scheduler_orders(s) ||
         error_add(err, EXIT_USAGE,
                   "controller %s: its %s does not go with a scheduler that orders requests one "
                   "by one; choose another dram.controller, as `sluice` or `frfcfs-64`",
                   p->name, rule);
}
