#include "paper/stored.h"

static bool stat(void *self, const struct lab_point *p, const char *name, double *out) {
  struct paper_stored *s = self;
  return lab_store_stat(s->store, p->id, name, out);
}

static bool done(void *self, const struct lab_point *p, const char **why) {
  struct paper_stored *s = self;
  struct lab_outcome o = lab_store_outcome(s->store, p->id, &s->mem);
  *why = o.state == LAB_MISSING || o.state == LAB_PLANNED ? "not run" : lab_state_names[o.state];
  return o.state == LAB_DONE;
}

struct paper_results paper_stored(struct paper_stored *s, struct lab_store *store) {
  *s = (struct paper_stored){.store = store};
  return (struct paper_results){s, stat, done};
}

void paper_stored_free(struct paper_stored *s) {
  arena_free(&s->mem);
}
