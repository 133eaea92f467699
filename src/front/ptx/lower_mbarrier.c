/* mbarrier objects and clusters.
 *
 * An mbarrier is a 64-bit word of shared memory. Its layout is Sluice's own (programs see it only
 * through these instructions); run/mbarrier.c steps it:
 *
 *    63    | 61 .. 40        | 39 .. 20          | 19 .. 0
 *    phase | bytes expected  | arrivals a phase  | arrivals still missing
 *
 * A cluster is one CTA: its barrier is a CTA barrier, and every address maps to itself. */
#include "front/ptx/lower.h"

enum { CLUSTER_BARRIER = 15 };

static slot_t alu64(struct lower *l, const char *row, slot_t a, slot_t b) {
  slot_t d = lower_temp(l, 8);
  lower_alu(l, row, d, a, b, SLOT_NONE);
  return d;
}

/* A 32-bit operand, shifted into its place in a 64-bit word. */
static slot_t field(struct lower *l, const struct ptx_operand *o, unsigned shift) {
  slot_t v = lower_src(l, o, PTX_U32);
  if (v == SLOT_NONE)
    return v;
  v = alu64(l, "zext.b64.b32", v, SLOT_NONE);
  return shift ? alu64(l, "shl.b64", v, lower_const(l, shift, 4)) : v;
}

static bool mbarrier_init(struct lower *l, const struct mnem *m, const struct address *a) {
  slot_t count = field(l, lower_op(l, 1), 0);
  if (count == SLOT_NONE)
    return false;
  slot_t v = alu64(l, "or.b64", count, alu64(l, "shl.b64", count, lower_const(l, 20, 4)));
  lower_describe_mem(l, SLUICE_STORE, m, a->space, 8, true);
  struct uop *u = lower_emit(l, U_ST);
  lower_set_address(l, u, a, m, PTX_B64, 1);
  u->x->nregs = 1;
  u->x->regs[0] = v;
  u->x->width[0] = 8;
  return true;
}

/* arrive, arrive_drop, expect_tx, complete_tx: one step with the argument run/mbarrier.c describes. */
static bool mbarrier_step(struct lower *l, const struct mnem *m, const struct address *a, slot_t result,
                          slot_t argument) {
  lower_describe_mem(l, SLUICE_ATOMIC, m, a->space, 8, true);
  struct uop *u = lower_emit(l, U_ATOM);
  lower_set_address(l, u, a, m, PTX_B64, 1);
  u->x->op = ATOM_MBARRIER;
  u->x->nregs = ATOM_RESULT + 8;
  u->x->regs[0] = argument;
  u->x->regs[ATOM_RESULT] = result;
  u->x->width[0] = u->x->width[ATOM_RESULT] = 8;
  return true;
}

static bool mbarrier_arrive(struct lower *l, const struct mnem *m, const struct address *a,
                            const struct ptx_operand *state, const struct ptx_operand *count) {
  bool tx = mnem_has(m, "expect_tx");
  slot_t result = SLOT_NONE, argument;
  unsigned width;
  if (state && state->kind != PTX_OP_SINK) {
    result = lower_dst(l, state, 8, &width);
    if (result == SLOT_NONE)
      return false;
    if (width != 8)
      return lower_fail(l, "the state is 64 bits wide");
  }
  if (tx && !count)
    return lower_fail(l, "takes a number of bytes");
  argument = count ? field(l, count, tx ? 32 : 0) : lower_const(l, 1, 8);
  if (argument == SLOT_NONE)
    return false;
  if (tx)
    argument = alu64(l, "or.b64", argument, lower_const(l, 1, 8));
  if (tok_is(m, 1, "arrive_drop"))
    argument = alu64(l, "or.b64", argument, lower_const(l, MBARRIER_DROP, 8));
  return mbarrier_step(l, m, a, result, argument);
}

/* True once the phase of the state (or of the given parity) is over: its bit 63 differs from the word's. */
static bool mbarrier_wait(struct lower *l, const struct mnem *m, const struct address *a) {
  unsigned width;
  const struct ptx_operand *dst = lower_op(l, 0);
  slot_t q = lower_temp(l, 0), now = lower_temp(l, 8), p = lower_dst(l, dst, 0, &width);
  slot_t then = p == SLOT_NONE          ? p
                : mnem_has(m, "parity") ? field(l, lower_op(l, 2), 63)
                                        : lower_src(l, lower_op(l, 2), PTX_B64);
  if (then == SLOT_NONE)
    return false;
  if (width != 0)
    return lower_fail(l, "the destination must be a predicate");
  lower_describe_mem(l, SLUICE_LOAD, m, a->space, 8, true);
  struct uop *u = lower_emit(l, U_LD);
  lower_set_address(l, u, a, m, PTX_B64, 1);
  u->x->is_volatile = true;
  u->x->nregs = 1;
  u->x->regs[0] = now;
  u->x->width[0] = 8;
  slot_t differ = alu64(l, "xor.b64", now, then);
  lower_alu(l, "setp.lt.s64", p, differ, lower_const(l, 0, 8), SLOT_NONE);
  l->uops[l->nuops - 1].e = q;
  l->uops[l->nuops - 1].aux2 = 1;
  return true;
}

bool lower_op_mbarrier(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  static const struct {
    const char *name;
    unsigned min, max, at;
  } forms[] = {{"init", 2, 2, 0},        {"inval", 1, 1, 0},    {"expect_tx", 2, 2, 0},
               {"complete_tx", 2, 2, 0}, {"arrive", 1, 3, 1},   {"arrive_drop", 1, 3, 1},
               {"test_wait", 3, 3, 1},   {"try_wait", 3, 4, 1}, {"pending_count", 2, 2, 2}};
  unsigned f = 0;
  while (f < sizeof forms / sizeof *forms && !tok_is(m, 1, forms[f].name))
    f++;
  if (f == sizeof forms / sizeof *forms)
    return lower_fail(l, "not supported");
  if (in->nops < forms[f].min || in->nops > forms[f].max)
    return lower_fail(l, "takes another number of operands");
  if (f == 8) { /* pending_count reads a state, not memory */
    unsigned width;
    slot_t state = lower_src(l, lower_op(l, 1), PTX_B64),
           d = state == SLOT_NONE ? state : lower_dst(l, lower_op(l, 0), 4, &width);
    if (d == SLOT_NONE)
      return false;
    if (width != 4)
      return lower_fail(l, "the destination must be 32 bits wide");
    l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_ALU, .unit = PTX_UNIT_INT};
    slot_t low = lower_temp(l, 4);
    lower_alu(l, "trunc.b32.b64", low, state, SLOT_NONE, SLOT_NONE);
    return lower_alu(l, "and.b32", d, low, lower_const(l, MBARRIER_COUNT, 4), SLOT_NONE);
  }
  /* without a state the address comes first */
  unsigned at = lower_op(l, 0)->kind == PTX_OP_ADDR ? 0 : forms[f].at;
  struct address a;
  if (!lower_address(l, lower_op(l, at), mnem_space(m), &a))
    return false;
  if (a.space != PTX_SHARED && a.space != PTX_GENERIC)
    return lower_fail(l, "an mbarrier lies in shared memory");
  switch (f) {
  case 0:
    return mbarrier_init(l, m, &a);
  case 1:
    return lower_op_nop(l, in, m);
  case 2:
  case 3: {
    slot_t bytes = field(l, lower_op(l, 1), 32);
    if (bytes != SLOT_NONE && f == 3)
      bytes = alu64(l, "neg.s64", bytes, SLOT_NONE);
    return bytes != SLOT_NONE && mbarrier_step(l, m, &a, SLOT_NONE, bytes);
  }
  case 4:
  case 5:
    return mbarrier_arrive(l, m, &a, at ? lower_op(l, 0) : NULL, lower_op(l, at + 1));
  default:
    return mbarrier_wait(l, m, &a);
  }
}

/* cp.async.mbarrier.arrive: copies are complete at once, so what it adds arrives right away and the
 * count stays; .noinc arrives without having been added. */
bool lower_cpasync_mbarrier(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  struct address a;
  if (in->nops != 1 || !lower_address(l, lower_op(l, 0), mnem_space(m), &a))
    return lower_fail(l, "takes one address");
  if (!mnem_has(m, "noinc"))
    return lower_op_nop(l, in, m);
  return mbarrier_step(l, m, &a, SLOT_NONE, lower_const(l, 1, 8));
}

/* barrier.cluster.arrive does nothing yet; .wait waits for every thread of the CTA. */
bool lower_op_cluster(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  if (in->nops != 0)
    return lower_fail(l, "takes no operands");
  if (in->guard != PTX_NONE)
    return lower_fail(l, "the barrier of a cluster cannot be guarded");
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_BARRIER, .unit = PTX_UNIT_BAR};
  if (mnem_has(m, "arrive")) {
    lower_emit(l, U_NOP);
    return true;
  }
  slot_t id = lower_const(l, CLUSTER_BARRIER, 4);
  lower_emit(l, U_BAR)->a = id;
  return true;
}

/* mapa: the same address in another CTA of the cluster; getctarank: which CTA an address belongs to. */
bool lower_op_mapa(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  bool rank = tok_is(m, 0, "getctarank");
  enum ptx_type t = mnem_type(m, 0);
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_ALU, .unit = PTX_UNIT_INT};
  if ((t != PTX_U32 && t != PTX_U64) || in->nops != (rank ? 2u : 3u))
    return lower_fail(l, "malformed %s", m->text);
  unsigned want = rank ? 4 : lane_bytes(t), width;
  slot_t a = rank ? lower_const(l, 0, 4) : lower_src(l, lower_op(l, 1), t);
  slot_t d = a == SLOT_NONE ? a : lower_dst(l, lower_op(l, 0), want, &width);
  if (d == SLOT_NONE)
    return false;
  if (width != want)
    return lower_fail(l, "the destination is %u bits wide, the result %u", width * 8, want * 8);
  return lower_alu(l, want == 4 ? "mov.b32" : "mov.b64", d, a, SLOT_NONE, SLOT_NONE);
}
