/* The rules. Most are pairs: command B may follow command A of the same bank, group or rank only after a
 * distance. Every command is held against every earlier one that is near enough to matter, however
 * irrelevant it may look: O(n x window), but nothing to get wrong. Bank state, windows of activates,
 * refreshes and power-down are followed beside that. */
#include "dramcheck.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const rule_names[RULE_COUNT] = {
#define X(name, help) #name,
    RULES(X)
#undef X
};
const char *const rule_helps[RULE_COUNT] = {
#define X(name, help) help,
    RULES(X)
#undef X
};

#define BIT(kind) (1u << (kind))
enum {
  READS = BIT(RD) | BIT(RDA),
  WRITES = BIT(WR) | BIT(WRA),
  PRECHARGES = BIT(PRE) | BIT(PREA),
  REFRESHES = BIT(REF) | BIT(REFPB),
};

enum scope { SAME_BANK, OTHER_BANK_OF_GROUP, SAME_GROUP, OTHER_GROUP, SAME_RANK };

struct pair {
  enum rule rule;
  unsigned before, after;
  enum scope scope;
  uint64_t distance;
};
enum { MAX_PAIRS = 24, MAX_CHANNELS = 65536, LONG_WINDOW = 32 };

struct bank {
  bool open;
  uint64_t row;
  struct command act;       /* that opened it */
  struct command closing;   /* RDA or WRA, while `closed_at` matters */
  uint64_t closed_at;       /* when its own precharge starts; 0: none */
  struct command refreshed; /* last REFPB; line 0: none */
  uint64_t refreshes;
};

struct rank {
  struct command acts[LONG_WINDOW]; /* act i is in acts[i % LONG_WINDOW] */
  uint64_t act_count;
  struct command ref, down, up; /* line 0: none */
  bool is_down;
};

struct channel {
  bool used;
  struct rank *ranks;
  struct bank *banks;
  struct command *past; /* ring of what lies within the window */
  size_t first, n, cap;
  uint64_t last_cycle;
};

struct checker {
  struct device d;
  const char *log_name;
  bool refresh;
  uint64_t postpone, shown;
  struct pair pairs[MAX_PAIRS];
  int pair_count;
  uint64_t window;
  uint64_t violations, by_rule[RULE_COUNT], by_kind[KINDS], commands;
  uint64_t first_cycle, last_cycle;
  struct channel *channels;
  uint32_t channel_count;
  uint64_t named; /* rules already broken by the command at hand: one finding each */
};

static void add_pair(struct checker *k, enum rule rule, unsigned before, unsigned after, enum scope scope,
                     uint64_t distance) {
  k->pairs[k->pair_count++] = (struct pair){rule, before, after, scope, distance};
  if (distance > k->window)
    k->window = distance;
}

static void make_pairs(struct checker *k) {
  const struct device *d = &k->d;
  uint64_t write_end = d->wl + d->burst_cycles;
  add_pair(k, RULE_rc, BIT(ACT), BIT(ACT), SAME_BANK, d->rc);
  add_pair(k, RULE_rrd_l, BIT(ACT), BIT(ACT), OTHER_BANK_OF_GROUP, d->rrd_l);
  add_pair(k, RULE_rrd_s, BIT(ACT), BIT(ACT), OTHER_GROUP, d->rrd_s);
  add_pair(k, RULE_rcd_rd, BIT(ACT), READS, SAME_BANK, d->rcd_rd);
  add_pair(k, RULE_rcd_wr, BIT(ACT), WRITES, SAME_BANK, d->rcd_wr);
  add_pair(k, RULE_ras, BIT(ACT), PRECHARGES, SAME_BANK, d->ras);
  add_pair(k, RULE_rp, PRECHARGES, BIT(ACT) | REFRESHES, SAME_BANK, d->rp);
  add_pair(k, RULE_rtp, BIT(RD), PRECHARGES, SAME_BANK, d->rtp);
  add_pair(k, RULE_wr, BIT(WR), PRECHARGES, SAME_BANK, write_end + d->wr);
  add_pair(k, RULE_ccd_l, READS, READS, SAME_GROUP, d->ccd_l);
  add_pair(k, RULE_ccd_l, WRITES, WRITES, SAME_GROUP, d->ccd_l);
  add_pair(k, RULE_ccd_s, READS, READS, OTHER_GROUP, d->ccd_s);
  add_pair(k, RULE_ccd_s, WRITES, WRITES, OTHER_GROUP, d->ccd_s);
  add_pair(k, RULE_rtw, READS, WRITES, SAME_RANK, d->rtw);
  add_pair(k, RULE_wtr_l, WRITES, READS, SAME_GROUP, write_end + d->wtr_l);
  add_pair(k, RULE_wtr_s, WRITES, READS, OTHER_GROUP, write_end + d->wtr_s);
  add_pair(k, RULE_ppd, PRECHARGES, PRECHARGES, SAME_RANK, d->ppd);
  uint64_t data = d->cl + d->wl + d->burst_cycles + d->rtrs;
  if (data > k->window)
    k->window = data;
}

/* As in the log */
static void show(const struct command *c) {
  printf("%" PRIu64 " %s %" PRIu32, c->cycle, kind_names[c->kind], c->rank);
  if (has_bank(c->kind))
    printf(" %" PRIu32 " %" PRIu32, c->group, c->bank);
  else
    printf(" - -");
  if (has_row(c->kind))
    printf(" %" PRIu64, c->row);
  else
    printf(" -");
  if (has_column(c->kind))
    printf(" %" PRIu64, c->column);
  else
    printf(" -");
}

/* `earlier` may be NULL: then the command breaks the rule by itself. */
static void violation(struct checker *k, enum rule rule, const struct command *c,
                      const struct command *earlier, uint64_t required, const char *fmt, ...) {
  if (k->named & UINT64_C(1) << rule)
    return;
  k->named |= UINT64_C(1) << rule;
  k->by_rule[rule]++;
  if (k->violations++ >= k->shown)
    return;
  printf("%s:%" PRIu64 ": %s: ", k->log_name, c->line, rule_names[rule]);
  show(c);
  if (earlier) {
    printf(" comes %" PRIu64 " cycles after line %" PRIu64 ": ", c->cycle - earlier->cycle, earlier->line);
    show(earlier);
  }
  if (required)
    printf("; at least %" PRIu64, required);
  if (fmt) {
    va_list ap;
    va_start(ap, fmt);
    printf("; ");
    vprintf(fmt, ap);
    va_end(ap);
  }
  printf(" (%s)\n", rule_helps[rule]);
}

/* PREA and REF are to every bank of their rank. */
static bool whole_rank(const struct command *c) {
  return c->kind == PREA || c->kind == REF;
}

static bool related(enum scope scope, const struct command *a, const struct command *b) {
  if (a->rank != b->rank)
    return false;
  bool same_bank = whole_rank(a) || whole_rank(b) || (a->group == b->group && a->bank == b->bank);
  switch (scope) {
  case SAME_BANK:
    return same_bank;
  case OTHER_BANK_OF_GROUP:
    return a->group == b->group && !same_bank;
  case SAME_GROUP:
    return a->group == b->group;
  case OTHER_GROUP:
    return a->group != b->group;
  case SAME_RANK:
    return true;
  }
  return true;
}

/* The data bus: each column command occupies it from its latency on, for a burst. */
static void check_data(struct checker *k, const struct command *a, const struct command *b) {
  const struct device *d = &k->d;
  if (!has_column(a->kind) || !has_column(b->kind))
    return;
  uint64_t a_from = a->cycle + (BIT(a->kind) & READS ? d->cl : d->wl);
  uint64_t b_from = b->cycle + (BIT(b->kind) & READS ? d->cl : d->wl);
  uint64_t apart = a_from < b_from ? b_from - a_from : a_from - b_from;
  if (apart < d->burst_cycles)
    violation(k, RULE_data_bus, b, a, 0, "their data is %" PRIu64 " cycles apart, a burst takes %" PRIu64,
              apart, d->burst_cycles);
  else if (a->rank != b->rank && apart < d->burst_cycles + d->rtrs)
    violation(k, RULE_rtrs, b, a, 0,
              "their data leaves %" PRIu64 " cycles between the ranks, at least %" PRIu64,
              apart - d->burst_cycles, d->rtrs);
}

static void check_pairs(struct checker *k, struct channel *ch, const struct command *c) {
  for (size_t i = ch->n; i-- > 0;) {
    const struct command *e = &ch->past[(ch->first + i) & (ch->cap - 1)];
    uint64_t distance = c->cycle - e->cycle;
    if (distance >= k->window)
      break;
    if (distance == 0 && (!k->d.two_buses || has_column(c->kind) == has_column(e->kind)))
      violation(k, RULE_command_bus, c, e, 1, NULL);
    uint64_t before = k->violations;
    for (int p = 0; p < k->pair_count; p++) {
      const struct pair *r = &k->pairs[p];
      if (distance < r->distance && r->before & BIT(e->kind) && r->after & BIT(c->kind) &&
          related(r->scope, e, c))
        violation(k, r->rule, c, e, r->distance, NULL);
    }
    if (k->violations == before)
      check_data(k, e, c);
  }
}

static void remember(struct checker *k, struct channel *ch, const struct command *c) {
  while (ch->n && c->cycle - ch->past[ch->first].cycle >= k->window) {
    ch->first = (ch->first + 1) & (ch->cap - 1);
    ch->n--;
  }
  if (ch->n == ch->cap) {
    size_t cap = ch->cap ? 2 * ch->cap : 64;
    struct command *past = malloc(cap * sizeof *past);
    if (!past)
      bad_input("out of memory");
    for (size_t i = 0; i < ch->n; i++)
      past[i] = ch->past[(ch->first + i) & (ch->cap - 1)];
    free(ch->past);
    ch->past = past;
    ch->cap = cap;
    ch->first = 0;
  }
  ch->past[(ch->first + ch->n++) & (ch->cap - 1)] = *c;
}

static struct bank *bank_of(struct checker *k, struct channel *ch, const struct command *c) {
  return &ch->banks[((uint64_t)c->rank * k->d.bank_groups + c->group) * k->d.banks + c->bank];
}

/* Times that an ACT or a refresh of a bank has to keep after what closed or refreshed it. */
static void check_ready(struct checker *k, struct bank *b, const struct command *c) {
  if (b->closed_at && c->cycle < b->closed_at + k->d.rp)
    violation(k, b->closing.kind == RDA ? RULE_rda : RULE_wra, c, &b->closing,
              b->closed_at + k->d.rp - b->closing.cycle, NULL);
  if (b->refreshed.line && c->cycle < b->refreshed.cycle + k->d.rfc_pb)
    violation(k, RULE_rfc_pb, c, &b->refreshed, k->d.rfc_pb, NULL);
}

static void check_windows(struct checker *k, struct rank *r, const struct command *c) {
  static const struct {
    enum rule rule;
    uint64_t acts;
  } windows[] = {{RULE_faw, 4}, {RULE_aw32, 32}};
  for (int i = 0; i < 2; i++) {
    uint64_t length = windows[i].rule == RULE_faw ? k->d.faw : k->d.aw32;
    if (!length || r->act_count < windows[i].acts)
      continue;
    const struct command *e = &r->acts[(r->act_count - windows[i].acts) % LONG_WINDOW];
    if (c->cycle - e->cycle < length)
      violation(k, windows[i].rule, c, e, length, NULL);
  }
  r->acts[r->act_count++ % LONG_WINDOW] = *c;
}

static void activate(struct checker *k, struct bank *b, struct rank *r, const struct command *c) {
  if (b->open)
    violation(k, RULE_open, c, &b->act, 0, NULL);
  check_ready(k, b, c);
  if (r->ref.line && c->cycle - r->ref.cycle < k->d.rfc)
    violation(k, RULE_rfc, c, &r->ref, k->d.rfc, NULL);
  check_windows(k, r, c);
  b->open = true;
  b->row = c->row;
  b->act = *c;
  b->closed_at = 0;
}

static void access_column(struct checker *k, struct bank *b, const struct command *c) {
  if (!b->open)
    violation(k, RULE_closed, c, NULL, 0, NULL);
  else if (b->row != c->row)
    violation(k, RULE_row, c, &b->act, 0, NULL);
  if (c->kind != RDA && c->kind != WRA)
    return;
  uint64_t by_data = c->cycle + (c->kind == RDA ? k->d.rtp : k->d.wl + k->d.burst_cycles + k->d.wr);
  uint64_t by_row = b->open ? b->act.cycle + k->d.ras : 0;
  b->open = false;
  b->closing = *c;
  b->closed_at = by_data > by_row ? by_data : by_row;
}

/* The n-th refresh of a bank is due at n x refi and may be `postpone` intervals late. */
static void check_rate(struct checker *k, struct bank *b, const struct command *c) {
  b->refreshes++;
  uint64_t limit = (b->refreshes + k->postpone) * k->d.refi;
  if (k->refresh && c->cycle > limit)
    violation(k, RULE_refi, c, NULL, 0, "refresh %" PRIu64 " of the bank is due by cycle %" PRIu64,
              b->refreshes, limit);
}

static void refresh_bank(struct checker *k, struct bank *b, const struct command *c) {
  if (b->open)
    violation(k, RULE_ref_open, c, &b->act, 0, NULL);
  check_ready(k, b, c);
  check_rate(k, b, c);
}

static void power(struct checker *k, struct rank *r, const struct command *c) {
  if (c->kind == PDX) {
    if (!r->is_down)
      violation(k, RULE_power_down, c, NULL, 0, "the rank is not in power-down");
    else if (c->cycle - r->down.cycle < k->d.cke)
      violation(k, RULE_cke, c, &r->down, k->d.cke, NULL);
    r->is_down = false;
    r->up = *c;
    return;
  }
  if (r->is_down)
    violation(k, RULE_power_down, c, &r->down, 0, NULL);
  if (r->up.line && c->cycle - r->up.cycle < k->d.xp)
    violation(k, RULE_xp, c, &r->up, k->d.xp, NULL);
  if (c->kind == PDE) {
    r->is_down = true;
    r->down = *c;
  }
}

static void follow_state(struct checker *k, struct channel *ch, const struct command *c) {
  struct rank *r = &ch->ranks[c->rank];
  uint64_t per_rank = k->d.bank_groups * k->d.banks;
  struct bank *all = &ch->banks[c->rank * per_rank], *b = bank_of(k, ch, c);
  power(k, r, c);
  switch (c->kind) {
  case ACT:
    activate(k, b, r, c);
    break;
  case PRE:
    b->open = false;
    break;
  case PREA:
    for (uint64_t i = 0; i < per_rank; i++)
      all[i].open = false;
    break;
  case REF:
    if (r->ref.line && c->cycle - r->ref.cycle < k->d.rfc)
      violation(k, RULE_rfc, c, &r->ref, k->d.rfc, NULL);
    for (uint64_t i = 0; i < per_rank; i++)
      refresh_bank(k, &all[i], c);
    r->ref = *c;
    break;
  case REFPB:
    if (r->ref.line && c->cycle - r->ref.cycle < k->d.rfc)
      violation(k, RULE_rfc, c, &r->ref, k->d.rfc, NULL);
    refresh_bank(k, b, c);
    b->refreshed = *c;
    break;
  case RD:
  case RDA:
  case WR:
  case WRA:
    access_column(k, b, c);
    break;
  default:
    break;
  }
}

static bool exists(struct checker *k, const struct command *c) {
  const struct device *d = &k->d;
  return c->rank < d->ranks && (!has_bank(c->kind) || (c->group < d->bank_groups && c->bank < d->banks)) &&
         (!has_row(c->kind) || c->row < d->rows) && (!has_column(c->kind) || c->column < d->columns);
}

static struct channel *channel_of(struct checker *k, uint32_t i) {
  if (i >= k->channel_count) {
    uint32_t n = i + 1;
    k->channels = realloc(k->channels, n * sizeof *k->channels);
    if (!k->channels)
      bad_input("out of memory");
    memset(k->channels + k->channel_count, 0, (n - k->channel_count) * sizeof *k->channels);
    k->channel_count = n;
  }
  struct channel *ch = &k->channels[i];
  if (!ch->used) {
    ch->used = true;
    ch->ranks = calloc(k->d.ranks, sizeof *ch->ranks);
    ch->banks = calloc(k->d.ranks * k->d.bank_groups * k->d.banks, sizeof *ch->banks);
    if (!ch->ranks || !ch->banks)
      bad_input("out of memory");
  }
  return ch;
}

struct checker *checker_new(const struct device *d, const char *log_name, bool refresh, uint64_t postpone,
                            uint64_t shown) {
  struct checker *k = calloc(1, sizeof *k);
  if (!k)
    bad_input("out of memory");
  k->d = *d;
  k->log_name = log_name;
  k->refresh = refresh && d->refi;
  k->postpone = postpone;
  k->shown = shown;
  k->window = 1;
  make_pairs(k);
  return k;
}

void checker_command(struct checker *k, const struct command *given) {
  struct command copy = *given, *c = &copy;
  struct channel *ch = channel_of(k, c->channel);
  if (c->cycle < ch->last_cycle)
    bad_input("%s:%" PRIu64 ": cycle %" PRIu64 " comes after cycle %" PRIu64, k->log_name, c->line, c->cycle,
              ch->last_cycle);
  ch->last_cycle = c->cycle;
  if (!k->commands++)
    k->first_cycle = c->cycle;
  if (c->cycle > k->last_cycle)
    k->last_cycle = c->cycle;
  k->by_kind[c->kind]++;
  k->named = 0;
  if (!exists(k, c)) {
    violation(k, RULE_address, c, NULL, 0, NULL);
    return;
  }
  if (!has_bank(c->kind))
    c->group = c->bank = 0;
  check_pairs(k, ch, c);
  follow_state(k, ch, c);
  remember(k, ch, c);
}

/* A bank that should have been refreshed once more before the log ends. */
static void check_last_rate(struct checker *k, struct channel *ch, uint32_t number) {
  uint64_t due = k->last_cycle / k->d.refi, per_rank = k->d.bank_groups * k->d.banks;
  for (uint64_t r = 0; r < k->d.ranks; r++)
    for (uint64_t i = 0; i < per_rank; i++) {
      uint64_t had = ch->banks[r * per_rank + i].refreshes;
      if (had + k->postpone >= due)
        continue;
      k->by_rule[RULE_refi]++;
      if (k->violations++ < k->shown)
        printf("%s: refi: channel %" PRIu32 " rank %" PRIu64 " group %" PRIu64 " bank %" PRIu64 ": %" PRIu64
               " refreshes by cycle %" PRIu64 "; at least %" PRIu64 " (%s)\n",
               k->log_name, number, r, i / k->d.banks, i % k->d.banks, had, k->last_cycle, due - k->postpone,
               rule_helps[RULE_refi]);
      break; /* one bank of the rank speaks for all */
    }
}

uint64_t checker_end(struct checker *k) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < k->channel_count; i++) {
    struct channel *ch = &k->channels[i];
    if (!ch->used)
      continue;
    used++;
    if (k->refresh)
      check_last_rate(k, ch, i);
    free(ch->ranks);
    free(ch->banks);
    free(ch->past);
  }
  uint64_t n = k->violations;
  printf("%s: %" PRIu64 " commands", n ? "FAILED" : "OK", k->commands);
  for (int i = 0; i < KINDS; i++)
    if (k->by_kind[i])
      printf(" %s=%" PRIu64, kind_names[i], k->by_kind[i]);
  printf(", cycles %" PRIu64 "..%" PRIu64 ", channels %" PRIu32 ", refresh %s\n", k->first_cycle,
         k->last_cycle, used, k->refresh ? "checked" : "not checked");
  if (n) {
    printf("%" PRIu64 " violations:", n);
    for (int i = 0; i < RULE_COUNT; i++)
      if (k->by_rule[i])
        printf(" %s=%" PRIu64, rule_names[i], k->by_rule[i]);
    printf("\n");
  }
  free(k->channels);
  free(k);
  return n;
}
