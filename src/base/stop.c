#include "base/stop.h"
#include <stdatomic.h>

static atomic_int asked;

void stop_ask(int sig) {
  atomic_store_explicit(&asked, sig, memory_order_relaxed);
}

int stop_asked(void) {
  return atomic_load_explicit(&asked, memory_order_relaxed);
}

bool stop_check(struct error *err) {
  int sig = stop_asked();
  return !sig || error_set(err, 128 + sig, "interrupted; what was counted until then is partial");
}
