/* What functions of nearly every cycle seldom need, apart from them: inlined, each copy would take lines of the host's instruction cache. */
#include "engine/engine.h"

uint64_t engine_cycle_far(const struct engine *e, unsigned domain, uint64_t tick) {
  uint64_t ahead = tick - e->edge[domain] + e->period[domain] - 1;
  return tick == NEVER ? NEVER : e->edge_cycle[domain] + ahead / e->period[domain];
}

bool port_room_again(struct port *p, uint64_t now) {
  return port_slots(p, now);
}
