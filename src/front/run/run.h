/* State of functional execution, shared by the files of this folder.
 *
 * A warp's lanes follow paths. Paths form a tree: a leaf runs (or waits at a barrier); an inner
 * node is a place where its children's lanes meet again, or the return point of a call.
 *
 *        root  pc = after the if, all lanes          leaf reaches rpc  -> it disappears
 *        ├── leaf  pc in "then", rpc = root.pc       last child gone   -> the parent runs on
 *        └── leaf  pc in "else", rpc = root.pc
 *
 * Where lanes meet within loops (ptx/loops.c), lanes of an inner path may go to a meeting point further up: they are taken off the nodes
 * in between, which do not wait for them (paths_leave).
 *
 * As long as nobody waits for anybody this is the usual SIMT stack. When a path spins or blocks,
 * lanes that already arrived at a meeting point may leave without the others: they become a leaf
 * of their own beside it (split_waiting). */
#ifndef SLUICE_FRONT_RUN_RUN_H
#define SLUICE_FRONT_RUN_RUN_H

#include "base/bits.h"
#include "front/cta_order.h"
#include "front/exec.h"
#include "front/ptx/program.h"
#include "front/run/lanes.h"

/* Kept out of the way of what is usual. */
#define SELDOM(condition) __builtin_expect(!!(condition), 0)

enum node_state { NODE_FREE, NODE_READY, NODE_AT_BARRIER, NODE_AT_SYNC, NODE_INNER };

struct node {
  uint64_t mask;
  uint32_t pc, rpc;
  int32_t parent; /* -1: root */
  uint32_t nchild;
  uint16_t frame;
  uint8_t state;
  uint8_t skip;        /* the block's first instruction was done together with other paths */
  uint8_t is_call;     /* inner: pc is the return point */
  uint8_t barrier;     /* AT_BARRIER: which */
  uint8_t spinning;    /* gave way and has not been alone since */
  uint8_t looked;      /* others had their turn since it came to the atomic (BF_CONTENDED) */
  uint16_t callee;     /* is_call: the frame of the activation */
  uint64_t called;     /* is_call: lanes that made the call (the others just wait here) */
  uint32_t iterations; /* backward branches since it last gave way */
  uint64_t spin_hash;
  const struct uop *wait; /* what it is blocked on */
};

struct frame {
  bool used;
  uint32_t func, reg_at, local_at; /* offsets into the warp's registers and local memory */
};

struct warp {
  uint32_t index; /* in its CTA */
  bool done;
  uint64_t live;     /* lanes that have not exited */
  uint64_t executed; /* warp instructions, of the text */
  uint32_t looked;   /* turn of the CTA that ended before an atomic (BF_CONTENDED); 0: none */
  uint8_t *regs;     /* halves × half_bytes */
  size_t half_bytes;
  uint8_t *local;   /* words of all lanes side by side */
  size_t local_cap; /* bytes per thread */
  struct node *nodes;
  size_t nnodes, capnodes;
  uint32_t *ready; /* stack of ready leaves; the last runs */
  size_t nready, capready;
  struct frame *frames;
  size_t nframes, capframes;
  struct lane_last *last; /* NULL: nobody wants to know (lds.c) */
};

struct barrier {
  uint32_t arrived;    /* threads, whole warps counted in full */
  uint32_t waiting;    /* threads blocked here by sync or red */
  uint32_t expected;   /* 0: all threads of the CTA */
  uint32_t popc, nred; /* red: true predicates, participants */
};

struct cta {
  uint64_t sequence, linear;
  uint32_t id[3];
  uint32_t turn, live_warps, next_warp;
  uint64_t live_threads;
  struct warp *warps;
  uint8_t *shared;
  bool barriers_used;
  struct barrier barriers[16];
};

#define RESERVED_SHARED_BYTES                                                                                \
  1024 /* shared memory of a CTA that is the system's: groups larger than a warp meet there */

enum {
  HINT_WORD = 1,   /* the short way */
  HINT_LEARNS = 2, /* ahead.c: may yet turn out to be fed */
  HINT_FEEDS = 4,  /* ahead.c */
};

/* The buffer an instruction accessed last, and how it goes about it (word.h). */
struct hint {
  struct lane_buffer buf; /* size 0: none */
  lane_word_fn *word;     /* HINT_WORD */
  uint64_t start;         /* what all lanes' addresses have in common */
  struct tally_sum *sum;  /* where it is counted */
  slot_t address, data;
  uint8_t how; /* HINT_ and so on */
  bool global_load;
  bool read_only; /* the buffer */
  /* ahead.c: its values are indices of the load `feeds`, which reads at from + 4 * value */
  uint8_t tries; /* to find out whether it is itself fed so */
  uint32_t feeds;
  uint64_t from, base; /* base: address of lane 0 the last time */
};

struct exec {
  const struct exec_source *from; /* not NULL: nothing is executed, `source` has it; the rest is unused */
  void *source;
  struct program *p;
  struct devmem *mem;
  struct exec_options o;
  const struct func *kernel;
  uint32_t kernel_index; /* among the program's functions */
  const struct lane_fns *lanes;
  uint32_t grid[3], block[3];
  uint32_t envreg[4]; /* %envreg3…6: global offset, dimensions */
  uint64_t nctas, next_cta, done_ctas;
  uint32_t nwarps, threads;
  uint64_t shared_bytes, static_shared, dynamic_shared, local_limit;
  uint64_t reserved_shared;       /* where the system's part begins, if the program uses it */
  unsigned width, halves, nlanes; /* nlanes = 32 * halves: lanes side by side in memory */
  uint8_t *launch;                /* launch constants */
  uint8_t *params;
  uint32_t *tid[3];     /* thread indices, [warp * nlanes + lane], aligned as registers are */
  uint64_t *warp_mask;  /* lanes that exist */
  struct hint *hints;   /* by uop_ext.id; empty ones have size 0 */
  uint64_t generation;  /* of device memory, when the hints were taken */
  uint64_t workspace;   /* device address for grid-wide synchronisation */
  struct texture_view { /* of the texture that was used last */
    uint64_t handle, generation;
    struct texture t;
    uint8_t *image;
    const struct devbuf *header, *texels;
    bool good;
  } view;
  struct cta **window; /* residents, ascending */
  size_t nwindow, cursor;
  struct cta **pool; /* contexts to use again */
  size_t npool, cappool;
  struct cta_order order;
  /* the CTA and warp at work */
  struct cta *cta;
  struct warp *warp;
  uint32_t *out; /* the segment */
  size_t nout, capout;
  struct tally tally; /* of the segment */
  uint64_t executed, heap_used;
  /* progress, to notice that nothing ever changes again */
  uint64_t progress, round_progress, round_hash;
  bool watch_stores;
  bool failed, yield_warp;
  bool contended; /* others have their turn before blocks with BF_CONTENDED (exec_options.contend) */
  bool opencl, told_divergent; /* a launch of OpenCL's; barrier.c */
  uint64_t violations, warned;
  struct error *err;
  uint64_t launch_number;
  struct attempt_memory
      *attempt; /* what an attempt reads and stores; NULL: the turn's time has come (attempt.h) */
  struct attempts *attempts; /* of the launch; NULL: nobody has asked for any */
};

/* A place in a block: what the executing instruction needs to know. */
struct site {
  struct exec *x;
  struct cta *cta;
  struct warp *w;
  const struct frame *frame;
  uint8_t *base[4]; /* by slot area; [0] is the frame's registers, half 0 */
  size_t half;      /* bytes from half 0's registers to half 1's */
  const struct func *func;
  const struct block *block; /* at work, once it has begun */
};

static inline void *site_at(const struct site *s, slot_t slot, unsigned half) {
  return s->base[slot >> 30] + (slot & 0x3fffffffu) + (slot >> 30 == SLOT_REG ? half * s->half : 0);
}
/* A predicate as a mask over all lanes. */
static inline uint64_t site_pred(const struct site *s, slot_t slot) {
  uint64_t m = *(const uint32_t *)site_at(s, slot, 0);
  if (s->x->halves > 1)
    m |= (uint64_t) * (const uint32_t *)site_at(s, slot, 1) << 32;
  return m;
}
/* Lanes of mask that a uop's guard lets through. */
static inline uint64_t site_guarded(const struct site *s, const struct uop *u, uint64_t mask,
                                    unsigned halves) {
  if (!(u->flags & UF_GUARD))
    return mask;
  uint64_t g = *(const uint32_t *)site_at(s, u->guard, 0);
  if (halves > 1)
    g |= (uint64_t) * (const uint32_t *)site_at(s, u->guard, 1) << 32;
  return mask & (u->flags & UF_GUARD_NEG ? ~g : g);
}
static inline void site_set_pred(const struct site *s, slot_t slot, uint64_t value, uint64_t mask) {
  if (slot == SLOT_NONE)
    return;
  for (unsigned h = 0; h < s->x->halves; h++) {
    uint32_t *p = site_at(s, slot, h), m = (uint32_t)(mask >> 32 * h);
    *p = (*p & ~m) | ((uint32_t)(value >> 32 * h) & m);
  }
}
static inline uint32_t site_u32(const struct site *s, slot_t slot, unsigned lane) {
  return ((const uint32_t *)site_at(s, slot, lane >> 5))[lane & 31];
}
static inline uint64_t site_u64(const struct site *s, slot_t slot, unsigned lane) {
  return ((const uint64_t *)site_at(s, slot, lane >> 5))[lane & 31];
}
static inline void site_set_u32(const struct site *s, slot_t slot, unsigned lane, uint32_t v) {
  ((uint32_t *)site_at(s, slot, lane >> 5))[lane & 31] = v;
}
static inline void emit(struct exec *x, uint32_t word) {
  x->out[x->nout++] = word;
}
static inline void emit_mask(struct exec *x, uint64_t mask) {
  emit(x, (uint32_t)mask);
  if (x->halves > 1)
    emit(x, (uint32_t)(mask >> 32));
}
static inline unsigned lanes_in(uint64_t mask) {
  return mask == UINT32_MAX ? 32 : count_bits(mask);
}
/* Lanes that a guard lets through. */
static inline void emit_guard(struct exec *x, uint64_t mask) {
  emit_mask(x, mask);
  x->tally.guarded += count_bits(mask);
}
/* First word of an access, or of a part of one. */
static inline void emit_access(struct exec *x, const struct uop *u, uint32_t word, uint64_t mask) {
  emit(x, word);
  tally_access(&x->tally, u->x->kind, word, lanes_in(mask));
}

/* paths.c */
void paths_start(struct exec *x, struct warp *w, uint64_t mask);
static inline struct node *paths_current(struct warp *w) { /* NULL when none is ready */
  return w->nready ? &w->nodes[w->ready[w->nready - 1]] : NULL;
}
void paths_finish(struct exec *x, struct warp *w); /* the running leaf has arrived or lost its lanes */
void paths_diverge(struct warp *w, uint32_t rpc, const uint32_t *pc, const uint64_t *mask, unsigned n);
/* Lanes at the end of block b, which has BF_LEAVES, go to n places. Some leave a loop within which others will wait for the path's lanes:
 * those do not wait for them any more. False: nobody does so, and nothing was done. */
bool paths_leave(const struct exec *x, struct warp *w, const struct block *b, const uint32_t *pc,
                 const uint64_t *mask, unsigned n);
void paths_call(struct exec *x, struct site *s, const struct uop *u, uint64_t mask, uint32_t after);
void paths_return(struct warp *w, uint64_t mask);
void paths_exit(struct warp *w, uint64_t mask);
bool paths_give_way(struct exec *x, struct warp *w); /* another path runs next; false: they all spin */
bool paths_unblock(struct exec *x, struct warp *w);  /* nothing is ready: let waiting lanes go ahead */
void paths_block(struct warp *w, enum node_state state, const struct uop *u);
void paths_ready(struct warp *w, uint32_t node);
void frame_copy_results(struct exec *x, struct warp *w, const struct node *call, const struct frame *callee,
                        uint64_t mask);
void site_set(struct site *s, struct exec *x, struct cta *c, struct warp *w, uint16_t frame);

/* memory.c, atomic.c, warpwide.c, barrier.c, intrinsic.c: one instruction each */
void run_load(struct site *s, const struct uop *u, uint64_t mask);
void run_store(struct site *s, const struct uop *u, uint64_t mask);
void run_copy_async(struct site *s, const struct uop *u, uint64_t mask);
void run_prefetch(struct site *s, const struct uop *u, uint64_t mask);
void run_texture(struct site *s, const struct uop *u, uint64_t mask); /* texture.c */
void run_atomic(struct site *s, const struct uop *u, uint64_t mask);
uint64_t mbarrier_next(uint64_t word, uint64_t step);
void run_warpwide(struct site *s, const struct uop *u, uint64_t mask);
void run_mma(const struct site *s, const struct uop *u, unsigned half);
void run_ldmatrix(const struct site *s, const struct uop *u, unsigned half);
void run_barrier(struct site *s, const struct uop *u, uint64_t mask);
bool barrier_check(struct exec *x, struct cta *c, unsigned id);
void barrier_lanes_gone(struct exec *x, struct cta *c);
void run_intrinsic(struct site *s, const struct uop *u, const struct func *f, uint32_t local_at,
                   uint64_t mask);
void run_sreg(struct site *s, const struct uop *u, uint64_t mask);

/* access.c: pieces of a memory access */
struct access {
  uint64_t addr[64];
  uint64_t mask;
  struct lane_scan scan; /* over all lanes */
};
void access_addresses(struct site *s, slot_t base, bool wide, uint64_t imm, uint64_t mask, struct access *a);
void access_of(struct site *s, const struct uop *u, uint64_t mask, struct access *a); /* a load or store */
/* What all lanes' addresses of a load or store have in common. */
static inline uint64_t access_start(const struct site *s, const struct uop *u) {
  return (uint64_t)u->x->imm + (u->x->frame ? s->frame->local_at : 0) +
         (u->b != SLOT_NONE ? site_u64(s, u->b, 0) : 0);
}
void access_scan(const struct exec *x, struct access *a);
void emit_global(struct exec *x, const struct uop *u, const struct access *a, enum sluice_space space,
                 bool more, bool own_mask);
void emit_shared(struct exec *x, const struct uop *u, const struct access *a, unsigned bytes, bool more,
                 bool own_mask);
/* lds.c: local memory as Multi2Sim has it */
/* The last access of each lane of a warp to local memory, and to others. */
struct lane_last {
  uint32_t at[64];
  uint8_t kind[64]; /* 0: none yet; 1: load; 2: store */
  uint64_t global[64];
  uint64_t has_global; /* lanes */
};
/* Accesses of a wavefront to local memory: of `vec` elements of `size` bytes each. */
uint32_t lds_word(const struct exec *x, struct warp *w, const struct access *a, bool write, unsigned size,
                  unsigned vec);
/* Lanes that are not in a->mask, with their last access; the others are noted. */
void lanes_left(struct warp *w, const struct access *a, struct access *left);
void emit_shared_as(struct exec *x, const struct uop *u, struct warp *w, const struct access *a, bool write,
                    unsigned size, unsigned vec, bool more, bool own_mask);
void emit_local(struct exec *x, const struct uop *u, struct access *a, unsigned bytes, bool more,
                bool own_mask);
/* Host memory of [addr, addr+bytes), or NULL: then the fault was reported (and, in error mode, x->failed set). */
uint8_t *access_host(struct site *s, const struct uop *u, unsigned lane, uint64_t addr, unsigned bytes,
                     bool write);
/* Device memory may have changed: buffers that are gone must not be found in hints. */
void access_refresh(struct exec *x);
bool local_reserve(struct exec *x, struct warp *w, size_t bytes);
static inline uint8_t *local_word(const struct exec *x, const struct warp *w, uint64_t offset,
                                  unsigned lane) {
  return w->local + ((offset >> 2) * x->nlanes + lane) * 4;
}
void local_read(const struct exec *x, const struct warp *w, uint64_t offset, unsigned lane, void *to,
                unsigned bytes);
void local_write(const struct exec *x, const struct warp *w, uint64_t offset, unsigned lane, const void *from,
                 unsigned bytes);

/* ahead.c: before and after a load by word.h */
bool ahead_worth(const struct uop_ext *m, const struct lane_buffer *b);
void ahead_learn(const struct site *s, const struct uop *u, uint32_t mask);
void ahead_of_load(const struct site *s, const struct uop *u, uint32_t mask, const uint32_t *words);

/* fault.c */
enum fault {
  FAULT_OUTSIDE,
  FAULT_ALIGN,
  FAULT_SHARED,
  FAULT_OTHER_CTA,
  FAULT_LOCAL,
  FAULT_PARAM,
  FAULT_READONLY,
  FAULT_TRAP,
  FAULT_ASSERT,
  FAULT_STACK,
  FAULT_BARRIER,
  FAULT_FREE,
  FAULT_BRX,
  FAULT_TEXTURE,
  FAULT_SURFACE,
};
void fault(struct site *s, const struct uop *u, unsigned lane, enum fault kind, uint64_t addr, unsigned bytes,
           const char *more);
void describe_stall(struct exec *x, struct error *err, const char *why);
void where(const struct exec *x, const struct func *f, uint32_t inst, char *buf, size_t n);

/* path.c, for x->lanes->path: block after block of the running path n, as long as its lanes stay together and
 * nothing but a branch ends a block. True when the warp should stop here.
 * warp.c has what it seldom needs: instructions that are neither arithmetic, nor a load, nor the end of a
 * block, nor a special register; ends that are not U_BRA; and whether to stop at a backward branch, because
 * the path spins or the budget is used up. */
void run_other(struct site *s, const struct uop *u, uint64_t mask);
void path_terminate(struct site *s, struct node *n, const struct block *b, const struct uop *u,
                    uint64_t mask);
bool path_backward(struct exec *x, struct warp *w, uint32_t from, uint64_t until);
/* warp.c: runs until the warp ends, blocks, spins, or has used its budget and is at a backward branch. */
void warp_run(struct exec *x, struct cta *c, struct warp *w, uint64_t budget);
/* sync.c: warp-synchronous instructions whose lanes arrive on different paths. */
bool sync_arrive(struct exec *x, struct cta *c, struct warp *w,
                 const struct block *b); /* false: the path waits now */
bool sync_force(struct exec *x, struct cta *c,
                struct warp *w); /* lets waiting lanes go without the missing ones */
/* spin.c; not before so many backward branches */
enum { SPIN_FIRST = 16 };
bool spin_detected(struct exec *x, struct warp *w, struct node *n, const struct block *head);
uint64_t window_hash(const struct exec *x); /* of everything in the window but memory */
/* cta.c */
struct cta *cta_new(struct exec *x);
void cta_begin(struct exec *x, struct cta *c, uint64_t sequence);
void cta_copy(struct exec *x, struct cta *to, const struct cta *from);
struct cta *cta_start(struct exec *x, uint64_t sequence);
void cta_release(struct exec *x, struct cta *c);
void cta_free(struct exec *x, struct cta *c);
bool cta_turn(struct exec *x, struct cta *c); /* true: the CTA is complete */

#endif
