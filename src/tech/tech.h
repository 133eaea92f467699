/* The techniques there are, and those a GPU is built with.
 *
 *   --with cart,mrpb:queues=16        names from tech.def (or a plugin), parameters of their own
 *   tech.with: "cart,mrpb"            the same in a configuration; parameters are `cart.rows` and so on
 *
 * Units ask a tech_set for what sits on their hook and get functions with a state of their own. */
#ifndef SLUICE_TECH_TECH_H
#define SLUICE_TECH_TECH_H

#include "conf/conf.h"
#include "sluice_technique.h"
#include "stat/stat.h"

/* All that are known: those of tech.def, then plugins. */
size_t tech_count(void);
const struct sluice_technique *tech_at(size_t i);
const struct sluice_technique *tech_find(const char *name);
bool tech_register(const struct sluice_technique *t, struct error *err);
/* Loads a shared object and calls its `sluice_plugin()`, which returns a technique. One that is loaded stays as it is. */
bool tech_plugin(const char *path, struct error *err);

/* Parameters and statistics of all of them, for the configuration and the report. */
const struct conf_table *tech_param_table(size_t i); /* i < tech_count(); NULL: it has none */
const struct stat_table *tech_stat_table(size_t i);
extern const struct conf_table tech_choice; /* tech.with */

/* "cart,mrpb:queues=16" into the configuration. */
bool tech_with(struct conf *c, const char *text, struct error *err);

/* Did it come from a plugin or a program? Its memory is its own then. */
bool tech_outside(const struct sluice_technique *t);
/* The file of a plugin; NULL: it is in this repository, or came through sluice_technique_register(). */
const char *tech_file(const struct sluice_technique *t);

/* The hooks of a technique as words, for lists and messages. */
void tech_hooks(const struct sluice_technique *t, struct strbuf *to);

struct tech_set;
/* `gpu` has the sizes of the GPU; the rest of it is filled in. */
struct tech_set *tech_set_new(const struct conf *c, const struct sluice_env *gpu, struct error *err);
void tech_set_free(struct tech_set *s);
/* For n more units' states: until there are so many, units may be made on several threads. */
void tech_set_reserve(struct tech_set *s, size_t n);

/* Has a technique made a mistake (guard.h)? */
bool tech_broken(const struct tech_set *s);
bool *tech_broken_flag(struct tech_set *s);

struct tech_order {
  const struct sluice_order *ops;
  void *self;
};
struct tech_gate {
  const struct sluice_gate *ops; /* NULL: every warp may issue */
  void *self;
};
struct tech_l1_bypass {
  const struct sluice_l1_bypass *ops; /* NULL: none */
  void *self;
  uint32_t queue; /* requests of its own queue */
};
struct tech_prefetch {
  const struct sluice_prefetch *ops; /* NULL: nothing is fetched ahead */
  void *self;
};
struct tech_l2_prefetch {
  const struct sluice_l2_prefetch *ops; /* NULL: nothing is fetched ahead */
  void *self;
};
struct tech_route {
  const struct sluice_route *ops; /* NULL: every miss goes to the L2 */
  void *self;
};
struct tech_l2_bypass {
  const struct sluice_l2_bypass *ops;
  void *self;
};
/* What a technique keeps beside a cache: a fill buffer with the blocks that stay in it, or a victim cache; functions of the other are
 * NULL. */
struct tech_side {
  const struct sluice_fill_buffer *fill; /* NULL: a way is cleared at once */
  const struct sluice_residents *residents;
  const struct sluice_victim_cache *victim;
  void *self;
  bool on;     /* one of them is there */
  bool blocks; /* an exchange keeps the bank from everything else */
  uint32_t lookup, swap;
};
struct tech_replacement {
  const struct sluice_replacement *ops; /* NULL: as configured */
  void *self;
};
struct tech_allocator {
  const struct sluice_allocator *ops; /* NULL: as configured */
  void *self;
  bool fifo;
};
struct tech_warp_scheduler {
  const struct sluice_warp_scheduler *ops; /* NULL: as configured */
  void *self;
};
enum { TECH_MAX_BYPASSES = 4 };

/* How often a unit has called the functions of its hooks. gpu/invariants.c compares these with what the unit counts of the same
 * events: a path through the unit that forgets to notify its technique breaks an invariant. */
struct tech_calls {
  uint64_t starts, exits, waits, releases, issued, loaded, stored, evicted; /* gate; waits: at barriers */
  uint64_t gate_hits, bypass_hits;        /* loaded() of a gate and of a bypass: loads that hit */
  uint64_t inserted, took, refused;       /* order */
  uint64_t taken, dropped, swapped;       /* miss: entries granted, given up, exchanged with a way */
  uint64_t exchanged, sheltered, written; /* victims in entries: of fills, of stores; those that have left */
  uint64_t stayed;                        /* of those victims, the ones that need not leave */
  uint64_t kept, partial;                 /* replaced blocks, and those that are not whole */
};

/* What sits on a unit's hook; `unit` is its number. The states live as long as the set. */
struct tech_gate tech_gate(struct tech_set *s, uint32_t unit);
struct tech_order tech_l1_order(struct tech_set *s, uint32_t unit); /* ops NULL: accesses go straight in */
struct tech_l1_bypass tech_l1_bypass(struct tech_set *s, uint32_t unit);
struct tech_prefetch tech_prefetch(struct tech_set *s, uint32_t unit);       /* of an SM */
struct tech_l2_prefetch tech_l2_prefetch(struct tech_set *s, uint32_t unit); /* of a slice */
struct tech_route tech_route(struct tech_set *s, uint32_t unit);             /* of a cluster */
/* `fifo` if nothing else; `would_fail` is what it may ask of the slice. */
struct tech_order tech_l2_order(struct tech_set *s, uint32_t unit,
                                enum sluice_fail (*would_fail)(void *unit_state, uint32_t handle),
                                void *unit_state);
unsigned tech_l2_bypasses(struct tech_set *s, uint32_t unit, struct tech_l2_bypass *out);
struct tech_side tech_l2_side(struct tech_set *s, uint32_t unit); /* of a slice */
struct tech_side tech_l1_side(struct tech_set *s, uint32_t unit); /* of an SM; a fill buffer */
/* Of a cache: an SM's L1 or an L2 slice. */
struct tech_replacement tech_replacement(struct tech_set *s, uint32_t unit,
                                         const struct sluice_cache_shape *shape);
/* Of a crossbar: 0 requests, 1 responses. Is there one at all? */
struct tech_allocator tech_allocator(struct tech_set *s, uint32_t unit, const struct sluice_crossbar *x);
const struct sluice_technique *tech_with_allocator(const struct tech_set *s);
/* Of one of an SM's schedulers. */
struct tech_warp_scheduler tech_warp_scheduler(struct tech_set *s, uint32_t unit,
                                               const struct sluice_warp_slots *slots);
const struct sluice_warp_scheduler *tech_with_warp_scheduler(const struct tech_set *s);
struct tech_order tech_source(struct tech_set *s); /* ops NULL: slices and controllers are joined directly */
/* Of the memory controllers; NULL: as configured. Its state for a controller. */
const struct sluice_dram_scheduler *tech_dram_scheduler(const struct tech_set *s);
void *tech_dram_scheduler_open(struct tech_set *s, uint32_t unit, const struct sluice_dram_queue *queue);

/* Serial decisions: the core cycle of the next one (SLUICE_NEVER: none), and the call at that cycle. */
uint64_t tech_next_tick(const struct tech_set *s);
void tech_tick(struct tech_set *s, const struct sluice_state *state, uint64_t cycle);
void tech_launch(struct tech_set *s, const struct sluice_state *state, uint64_t cycle);

/* Counters of all units together, technique by technique; a launch's are differences of two snapshots. */
size_t tech_counters(const struct tech_set *s);
void tech_counters_take(const struct tech_set *s, uint64_t *out);
/* Their rows in the statistics tables, in the same order. */
void tech_counter_rows(const struct tech_set *s, const struct stat_row **to);
void tech_counters_put(const struct tech_set *s, const uint64_t *count, struct stats *to);
/* Storage added, by technique. Returns how many arrays `each` was called for. */
size_t tech_arrays(const struct tech_set *s,
                   void (*each)(void *ctx, const struct sluice_technique *t, size_t first,
                                const struct sluice_array *a),
                   void *ctx); /* first: of t's counters among all */
const struct sluice_technique *tech_chosen(const struct tech_set *s, size_t i); /* NULL: there are no more */

/* The bits of it, all units together. */
uint64_t tech_storage_bits(const struct tech_set *s);

extern const struct sluice_order tech_fifo;

#endif
