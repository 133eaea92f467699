/* One channel and its controller: shared by the files of dram/ that make it up.
 *
 *   push ─▶ queues of each bank ─▶ candidates of each bank (channel.c) ─▶ the two picks (sched/schedule.c)
 *                                                 ▲                                   │
 *                    earliest times (timing.h) ───┴────── issue (issue.c) ◀───────────┘
 *
 * Each bank offers at most one row command and one column command of each direction. A pick is the
 * candidate that can go first, with the cycle in which it can; until something changes, nothing needs to
 * be looked at before that cycle. Banks are numbered rank by rank, group by group. */
#ifndef SLUICE_DRAM_CHANNEL_H
#define SLUICE_DRAM_CHANNEL_H

#include "base/bits.h"
#include "base/least.h"
#include "base/specialized.h"
#include "dram/dram.h"

enum { MAX_BANKS = 64, READ = 0, WRITE = 1 };
#define NONE   UINT32_MAX
#define NO_ROW UINT32_MAX

/* Who goes first among commands that are ready in the same cycle: the class, then the age; the bank tells whose
 * it is. */
#define KEY(class, seq, bank) ((uint64_t)(class) << 60 | (seq) << 6 | (bank))
#define KEY_BANK(key)         ((uint32_t)((key) & (MAX_BANKS - 1)))
enum { CLASS_REFRESH, CLASS_FIRST, CLASS_LATE_REFRESH, CLASS_COLUMN, CLASS_ROW, CLASS_IDLE };

struct entry {     /* a request; named by its index in the pool; a line of the host's cache */
  uint64_t handed; /* the cycle its latency counts from */
  uint64_t tag;
  union {
    struct {        /* while it waits */
      uint64_t seq; /* order in its queue */
      uint64_t mask;
      uint32_t row, column;
      uint32_t prev;
      uint32_t parked; /* read: writes of the same address that must wait for it */
    };
    struct { /* once served */
      uint64_t done;
      uint64_t opening, open, column_at; /* of its row (dram_completion) */
    };
  };
  uint32_t
      next; /* of a free entry: how far beyond the entry behind it the next free one is, so that fresh memory is a list */
  uint32_t merged; /* reads answered together with this one */
  uint8_t bank, type;
  bool touched; /* a command was issued for it */
};

struct list {
  uint32_t head, tail; /* oldest, youngest */
  uint32_t n;
  uint32_t hit, hits; /* the oldest for the open row; how many */
};

struct fifo {
  uint64_t first; /* when its first is done; DRAM_NEVER: it is empty */
  uint32_t head, tail;
};

struct pick {
  uint64_t at, key; /* at = DRAM_NEVER: none */
  uint32_t bank;
  uint8_t command;
};
enum { STALE_COLUMN = 1, STALE_ROW = 2, STALE_REFRESH = 4, STALE_ALL = 7 }; /* picks to be found anew */

struct delays { /* least distances, by command and the one that follows */
  struct distances {
    uint32_t bank[4], group[4], rank[4], other[4];
  } after[4];
  uint32_t read_done, write_done;
};

struct rank {
  uint64_t banks; /* mask */
  uint32_t first_group;
  uint64_t acts[32], nacts; /* times of the last ACTs, a ring; how many so far */
  uint32_t open;            /* open rows */
  uint64_t open_since;
  /* refresh */
  uint64_t due, count; /* the next one's time; how many fell due */
  uint32_t owed;
  uint32_t next_bank; /* per-bank: whose turn */
  uint64_t last_perbank;
  bool refreshing; /* one is being prepared: its banks take no other commands */
  uint32_t target; /* per-bank: the bank */
};

/* What every request needs comes first, by lines of the host's cache. */
struct channel {
  uint64_t wake;      /* next cycle to be simulated in full */
  uint64_t next_done; /* the first of all in `done` */
  struct pick column, row;

  uint64_t row_mask, column_mask[2]; /* banks with a candidate */
  /* what may keep a bank from a column command although its rank is ready for it: */
  uint64_t late_groups[2]; /* mask; its group's time */
  uint64_t opening[2];     /* mask of banks; its own, ACT to RD or WR */
  uint32_t stale;          /* picks that do not hold */
  bool plain;              /* FR-FCFS over one queue and no further rule or refresh; one rank */
  bool directed;           /* reads and writes take turns, or a request may come first (sched/direction.c) */
  bool two_buses, round_robin;
  bool alone;   /* FCFS: only the oldest request has commands */
  bool ordered; /* a scheduler orders requests one by one (sched/ordered.c) */

  uint64_t opening_until[2]; /* the least of those times */
  struct dram_taken taken;
  /* Areas under the counts: what comes at cycle t takes t away, what goes adds its t (channel_counters). */
  uint64_t area[2];
  uint64_t seq;
  uint64_t waiting;                                       /* accepted, command not issued */
  void (*log)(void *ctx, const struct dram_issue *issue); /* NULL: none */
  void *log_ctx;

  struct entry *pool;
  uint64_t pending[2]; /* masks of banks */
  struct fifo done[3]; /* reads, writes, answered at once */
  uint32_t free;
  uint32_t parked; /* writes behind a read */
  int last_type;
  uint32_t busy_banks; /* with something pending */

  uint64_t waiting_front[2]; /* masks of banks */
  uint64_t busy_from, busy_until;
  uint64_t bank_area, bank_cycles;
  uint64_t precharged; /* banks precharged for a request, not yet activated */
  uint32_t allow;      /* bit 0: reads, bit 1: writes may go */
  uint32_t turn;       /* round robin: the bank that went last */

  /* earliest times of a command (timing.h): by rank, by group, by bank */
  uint64_t in_rank[MAX_BANKS][4], in_group[MAX_BANKS][4], next[MAX_BANKS][4];
  struct bank {
    uint64_t bit; /* its own, in masks */
    struct list queue[2];
    uint32_t open_row, used, pinned;     /* used: column commands since ACT */
    uint64_t last_use, opening, open_at; /* the open row: since when it was wanted; usable */
    struct list front[2];                /* bank_queue only: what has not reached its bank yet */
  } bank[MAX_BANKS];
  uint64_t row_at[MAX_BANKS], row_key[MAX_BANKS], column_key[2][MAX_BANKS];
  uint32_t row_for[MAX_BANKS], column_for[2][MAX_BANKS];
  uint8_t row_command[MAX_BANKS], group_of[MAX_BANKS], rank_of[MAX_BANKS];
  uint64_t group_banks[MAX_BANKS]; /* mask */

  struct pick refresh;
  uint64_t room;    /* banks with room in their queue */
  uint64_t blocked; /* banks that take no requests: a refresh comes */
  bool no_skip, flush, writing;
  uint32_t owed;      /* refreshes, all ranks */
  uint32_t queued;    /* entries in bank queues */
  uint32_t draining;  /* drain_all: writes yet to move */
  uint32_t first;     /* overdue (or FCFS: oldest) request, or NONE */
  uint64_t timer;     /* refresh due or ages to be looked at */
  uint64_t drain_at;  /* when writes may go because no read waits; DRAM_NEVER: a read waits */
  uint64_t age_check; /* DRAM_NEVER: nothing waits */

  struct dram_profile p;
  struct delays d;
  const struct dram_device *device;
  const struct dram *dram;
  struct rank ranks_state[MAX_BANKS];
  uint32_t banks, ranks, groups, index;
  enum dram_refresh refresh_mode;
  uint64_t row_class;
  void *pool_memory; /* that the pool lies in */
  uint32_t pool_entries;
  /* ordered: */
  const struct sluice_dram_scheduler *scheduler;
  void *scheduler_state;
  struct sluice_dram_entry *who; /* by index in the pool: requests as the scheduler knows them */
  uint64_t order_at;             /* cycle at which orders change by themselves */

  struct dram_counters n;
};

/* Of what every request goes through there are two forms: for plain channels, and with all that profiles can
 * ask for. One text serves both: `plain`, the last argument of SPECIALIZED functions, is a constant. */

/* What a bank offers now */
void bank_offer(struct channel *c, uint32_t b);
static inline void bank_offer_column(struct channel *c, uint32_t b, uint32_t h, int type, uint64_t class) {
  c->column_mask[type] |= c->bank[b].bit;
  c->column_for[type][b] = h;
  c->column_key[type][b] = KEY(class, c->pool[h].seq, b);
}
uint32_t bank_oldest(const struct channel *c, uint32_t b);
void bank_offer_timeout(struct channel *c, uint32_t b);

/* sched/schedule.c */
void schedule_stale(struct channel *c);                          /* every pick must be found anew */
void schedule_bank(struct channel *c, uint32_t b, uint64_t now); /* the bank's offer changed for the better */
void schedule_cycle(struct channel *c, uint64_t now);            /* simulates a cycle */
/* From `from` on until a queue that is full has room; the cycle after. DRAM_NEVER: nothing happens any more. */
uint64_t schedule_until_room(struct channel *c, uint64_t from, bool write);
void schedule_wake(struct channel *c,
                   uint64_t now); /* finds picks and the next cycle of interest, from now on */

/* issue.c: each updates times, queues, offers and picks */
void issue_column(struct channel *c, uint32_t b, int type, uint64_t now);
void issue_plain_read(struct channel *c, uint32_t b, uint64_t now);
void issue_plain_write(struct channel *c, uint32_t b, uint64_t now);
void issue_row(struct channel *c, uint32_t b, uint64_t now);
void issue_refresh(struct channel *c, const struct pick *p, uint64_t now);

/* refresh.c */
void refresh_init(struct channel *c);
uint64_t refresh_timer(const struct channel *c);
void refresh_due(struct channel *c, uint64_t now);  /* the timer rang */
void refresh_retry(struct channel *c, uint32_t b);  /* the bank has less to do: what was postponed may go */
void refresh_find(struct channel *c, uint64_t now); /* c->refresh */
void refresh_issued(struct channel *c, const struct pick *p, uint64_t now);

/* sched/ordered.c: requests in the order of a scheduler that looks at each of them */
void ordered_init(struct channel *c, const struct dram_scheduler *s);
void ordered_offer(struct channel *c, uint32_t b); /* what a bank offers */
void ordered_arrived(struct channel *c, uint32_t h, uint64_t now);
void ordered_served(struct channel *c, uint32_t h, uint64_t now);
void ordered_time(struct channel *c, uint64_t now); /* the timer rang */

/* sched/direction.c: reads or writes, and who is overdue */
void direction_update(struct channel *c, uint64_t now);
/* Is it sure that direction_update() would change nothing, and that no request comes first? */
static inline bool direction_same(const struct channel *c) {
  uint32_t writes = c->taken.count[WRITE] - c->parked;
  if (c->first != NONE || !c->p.write_queue || c->p.bank_queue || c->alone || c->drain_at != DRAM_NEVER)
    return false;
  return c->writing ? c->allow == 2 && writes > c->p.write_low
                    : c->allow == 1 && c->taken.count[READ] && writes < c->p.write_high;
}
void direction_move(struct channel *c, uint64_t now); /* one entry from the front to its bank's queue */
bool direction_can_move(const struct channel *c);
void direction_ages(struct channel *c, uint64_t now);
void direction_served(struct channel *c, uint32_t h, uint64_t now); /* h leaves the queues */

/* channel.c */
void channel_init(struct channel *c, const struct dram_options *o, const struct dram *d, uint32_t index);
static inline bool channel_accepts(const struct channel *c, bool write) {
  return c->free != NONE && !c->taken.full[write];
}
/* One that it accepts. */
void channel_push(struct channel *c, const struct dram_request *r, uint32_t bank, uint32_t row,
                  uint32_t column, uint64_t cycle);
/* All but the latencies, which are c->n.latency. */
void channel_counts(const struct channel *c, uint64_t now, struct dram_counters *out);

/* Requests in a pool, and the lists they stand in. Lists are in order of age.
 *
 * Here, and not in channel.c, is what every request goes through: small enough to be inlined. */

void list_insert(struct channel *c, struct list *l, uint32_t h); /* by age */
static inline void list_remove(struct channel *c, struct list *l, uint32_t h) {
  const struct entry *e = &c->pool[h];
  *(e->prev == NONE ? &l->head : &c->pool[e->prev].next) = e->next;
  *(e->next == NONE ? &l->tail : &c->pool[e->next].prev) = e->prev;
  l->n--;
}

/* A request comes (`by` 1) or goes (-1). */
static inline void count_taken(struct channel *c, int type, int by, uint64_t now) {
  struct dram_taken *t = &c->taken;
  t->count[type] += (uint32_t)by;
  if (t->most[1])
    t->full[type] = t->count[type] >= t->most[type];
  else
    t->full[0] = t->full[1] = t->count[0] + t->count[1] >= t->most[0];
  c->area[type] -= (uint64_t)by * now;
}

/* Adds a request to its bank's queue, behind all others or `by_age`. */
static inline void queue_add(struct channel *c, uint32_t b, int type, uint32_t h, uint64_t now, bool by_age) {
  struct bank *k = &c->bank[b];
  struct list *l = &k->queue[type];
  if (by_age) {
    list_insert(c, l, h);
  } else {
    c->pool[h].prev = l->tail;
    c->pool[h].next = NONE;
    *(l->tail == NONE ? &l->head : &c->pool[l->tail].next) = h;
    l->tail = h;
    l->n++;
  }
  if (l->n == 1) {
    c->pending[type] |= k->bit;
    if (!k->queue[!type].n) { /* the bank is busy */
      c->bank_cycles -= c->busy_banks++ ? 0 : now;
      c->bank_area -= now;
    }
  }
  if (c->pool[h].row == k->open_row) {
    if (l->hit == NONE || c->pool[l->hit].seq > c->pool[h].seq)
      l->hit = h;
    l->hits++;
  }
}

static inline void queue_remove(struct channel *c, uint32_t b, int type, uint32_t h, uint64_t now) {
  const struct entry *e = &c->pool[h];
  struct list *l = &c->bank[b].queue[type];
  if (e->row == c->bank[b].open_row) {
    l->hits--;
    if (l->hit == h) {
      uint32_t k = l->hits ? e->next : NONE;
      while (k != NONE && c->pool[k].row != e->row)
        k = c->pool[k].next;
      l->hit = k;
    }
  }
  list_remove(c, l, h);
  if (!l->n) {
    c->pending[type] &= ~bit64(b);
    if (!c->bank[b].queue[!type].n) { /* the bank is idle */
      c->bank_cycles += --c->busy_banks ? 0 : now;
      c->bank_area += now;
    }
  }
}

/* The request, about to join, changes no offer of its bank: most come behind others that need the same
 * command first, or whose row stays open for them. */
SPECIALIZED bool bank_indifferent(const struct channel *c, uint32_t b, int type, uint32_t row, bool plain) {
  const struct bank *k = &c->bank[b];
  const struct list *r = &k->queue[READ], *w = &k->queue[WRITE];
  if (plain && k->open_row == NO_ROW)
    return r->n || w->n;
  if (!plain && (c->p.page == DRAM_TIMEOUT || c->ordered))
    return false;
  if (!plain && !(c->allow >> type & 1))
    return !c->p.use_opened || k->used || row != k->open_row;
  if (k->open_row == NO_ROW)
    return (c->allow & 1 && r->n) || (c->allow & 2 && w->n);
  if (row == k->open_row)
    return k->queue[type].hits != 0;
  if (c->row_mask & k->bit)
    return true;
  if (plain)
    return r->hits || w->hits;
  return c->p.keep_hits && ((c->allow & 1 && r->hits) || (c->allow & 2 && w->hits));
}

/* Each is filled in the order in which its entries are done. */
static inline void fifo_add(struct channel *c, int which, uint32_t h) {
  struct fifo *f = &c->done[which];
  c->pool[h].next = NONE;
  if (f->head == NONE) {
    f->head = h;
    f->first = c->pool[h].done;
    c->next_done = min64(c->next_done, f->first);
  } else {
    c->pool[f->tail].next = h;
  }
  f->tail = h;
}

void pool_init(struct channel *c);
void queue_row_closed(struct channel *c, uint32_t b);
uint32_t queue_find(const struct channel *c, uint32_t b, int type, uint32_t row, uint32_t column);

#endif
