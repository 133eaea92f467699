/* dramcheck: proves that a log of DRAM commands keeps every constraint of a device.
 *
 * Written apart from the simulator: it shares no code with it, reads the device file by itself and states
 * each rule as "for every earlier command ...", without the tables of earliest times a controller keeps. */
#ifndef DRAMCHECK_H
#define DRAMCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { EXIT_VIOLATIONS = 1, EXIT_BAD_INPUT = 2 };

/* Ends the program with EXIT_BAD_INPUT. */
_Noreturn void bad_input(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- device.c */

/* X(section, key, required): what of a device file matters here */
#define DEVICE_KEYS(X)                                                                                       \
  X(organisation, channels, true)                                                                            \
  X(organisation, ranks, true)                                                                               \
  X(organisation, bank_groups, true)                                                                         \
  X(organisation, banks, true)                                                                               \
  X(organisation, rows, true)                                                                                \
  X(organisation, columns, true)                                                                             \
  X(clock, burst_cycles, true)                                                                               \
  X(timing, cl, true)                                                                                        \
  X(timing, wl, true)                                                                                        \
  X(timing, rcd_rd, true)                                                                                    \
  X(timing, rcd_wr, true)                                                                                    \
  X(timing, rp, true)                                                                                        \
  X(timing, ras, true)                                                                                       \
  X(timing, rc, false)                                                                                       \
  X(timing, rrd_s, true)                                                                                     \
  X(timing, rrd_l, true)                                                                                     \
  X(timing, faw, false)                                                                                      \
  X(timing, aw32, false)                                                                                     \
  X(timing, ccd_s, true)                                                                                     \
  X(timing, ccd_l, true)                                                                                     \
  X(timing, rtp, true)                                                                                       \
  X(timing, wr, true)                                                                                        \
  X(timing, wtr_s, true)                                                                                     \
  X(timing, wtr_l, true)                                                                                     \
  X(timing, rtw, true)                                                                                       \
  X(timing, rtrs, false)                                                                                     \
  X(timing, ppd, false)                                                                                      \
  X(timing, refi, false)                                                                                     \
  X(timing, rfc, false)                                                                                      \
  X(timing, rfc_pb, false)                                                                                   \
  X(timing, cke, false)                                                                                      \
  X(timing, xp, false)

struct device {
#define X(section, key, required) uint64_t key;
  DEVICE_KEYS(X)
#undef X
  bool two_buses; /* row and column commands have pins of their own */
};
void device_read(struct device *d, const char *path);

/* ---- log.c */

enum kind { ACT, PRE, PREA, RD, RDA, WR, WRA, REF, REFPB, PDE, PDX, KINDS };
extern const char *const kind_names[KINDS];

static inline bool has_column(enum kind k) {
  return k == RD || k == RDA || k == WR || k == WRA;
}
static inline bool has_row(enum kind k) {
  return k == ACT || has_column(k);
}
static inline bool has_bank(enum kind k) {
  return has_row(k) || k == PRE || k == REFPB;
}

struct command {
  uint64_t cycle, line, row, column;
  enum kind kind;
  uint32_t channel, rank, group, bank;
};

struct log {
  FILE *file;
  const char *name;
  bool dramsim3; /* its form: a channel after the command's name */
  char *text;    /* the current line */
  size_t cap;
  uint64_t line;
  uint32_t channel; /* of the last "# channel" header */
  char device[256]; /* of the headers; "" if not named */
  char refresh[32];
};
void log_open(struct log *l, const char *name, bool dramsim3);
/* Reads the headers up to the first command, so that `device` and `refresh` are known. */
bool log_next(struct log *l, struct command *c);
void log_close(struct log *l);

/* ---- check.c */

/* X(name, what it says) */
#define RULES(X)                                                                                             \
  X(address, "rank, group, bank, row and column exist in the device")                                        \
  X(command_bus, "one command per cycle (HBM: one row and one column command)")                              \
  X(data_bus, "bursts do not overlap on the data bus")                                                       \
  X(open, "ACT only to a precharged bank")                                                                   \
  X(closed, "RD and WR only to a bank with an open row")                                                     \
  X(row, "RD and WR only to the row that is open")                                                           \
  X(ref_open, "REF only when its banks are precharged")                                                      \
  X(rcd_rd, "ACT to RD, same bank")                                                                          \
  X(rcd_wr, "ACT to WR, same bank")                                                                          \
  X(rp, "PRE to ACT or REF, same bank")                                                                      \
  X(ras, "ACT to PRE, same bank")                                                                            \
  X(rc, "ACT to ACT, same bank")                                                                             \
  X(rrd_s, "ACT to ACT, other group")                                                                        \
  X(rrd_l, "ACT to ACT, same group")                                                                         \
  X(faw, "at most 4 ACT of a rank in this time")                                                             \
  X(aw32, "at most 32 ACT of a rank in this time")                                                           \
  X(ccd_s, "RD to RD, WR to WR, other group")                                                                \
  X(ccd_l, "RD to RD, WR to WR, same group")                                                                 \
  X(rtp, "RD to PRE, same bank")                                                                             \
  X(wr, "WR to PRE, same bank: wl + burst + wr")                                                             \
  X(wtr_s, "WR to RD, other group: wl + burst + wtr_s")                                                      \
  X(wtr_l, "WR to RD, same group: wl + burst + wtr_l")                                                       \
  X(rtw, "RD to WR, same rank")                                                                              \
  X(rtrs, "data of different ranks")                                                                         \
  X(ppd, "PRE to PRE, same rank")                                                                            \
  X(rda, "RDA to ACT or REF, same bank: its precharge, then rp")                                             \
  X(wra, "WRA to ACT or REF, same bank: its precharge, then rp")                                             \
  X(rfc, "REF to ACT or REF, same rank")                                                                     \
  X(rfc_pb, "REFPB to ACT or REF, same bank")                                                                \
  X(refi, "each bank is refreshed every refi, at most `postpone` late")                                      \
  X(cke, "PDE to PDX")                                                                                       \
  X(xp, "PDX to a command, same rank")                                                                       \
  X(power_down, "no command to a rank in power-down")

enum rule {
#define X(name, help) RULE_##name,
  RULES(X)
#undef X
      RULE_COUNT
};
extern const char *const rule_names[RULE_COUNT];
extern const char *const rule_helps[RULE_COUNT];

struct checker;
struct checker *checker_new(const struct device *d, const char *log_name, bool refresh, uint64_t postpone,
                            uint64_t shown);
void checker_command(struct checker *k, const struct command *c);
/* What only the end can tell, then the report. Returns the number of violations. */
uint64_t checker_end(struct checker *k);

#endif
