/* A DRAM device as data: organisation and timing constraints, in cycles of its command clock (CK).
 *
 * presets/dram/NAME.yaml holds one; every value there has a source. All times are integers: a value
 * given in nanoseconds is rounded up to whole cycles when the file is read. */
#ifndef SLUICE_DRAM_DEVICE_H
#define SLUICE_DRAM_DEVICE_H

#include "base/error.h"
#include "dram/power.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* X(field, minimum, maximum, definition); cycles of CK */
#define DRAM_TIMINGS(X)                                                                                      \
  X(cl, 1, 1000, "RD to first data (CAS latency)")                                                           \
  X(wl, 0, 1000, "WR to first data (write latency)")                                                         \
  X(rcd_rd, 1, 1000, "ACT to RD, same bank")                                                                 \
  X(rcd_wr, 1, 1000, "ACT to WR, same bank")                                                                 \
  X(rp, 1, 1000, "PRE to ACT, same bank")                                                                    \
  X(ras, 1, 1000, "ACT to PRE, same bank")                                                                   \
  X(rc, 1, 2000, "ACT to ACT, same bank")                                                                    \
  X(rrd_s, 1, 1000, "ACT to ACT, different bank group")                                                      \
  X(rrd_l, 1, 1000, "ACT to ACT, same bank group")                                                           \
  X(faw, 0, 4000, "window in which at most four ACT fall; 0: no limit")                                      \
  X(aw32, 0, 20000, "window in which at most 32 ACT fall (GDDR5); 0: no limit")                              \
  X(ccd_s, 1, 100, "RD to RD and WR to WR, different bank group")                                            \
  X(ccd_l, 1, 100, "RD to RD and WR to WR, same bank group")                                                 \
  X(rtp, 1, 1000, "RD to PRE, same bank")                                                                    \
  X(wr, 1, 1000, "end of write data to PRE, same bank")                                                      \
  X(wtr_s, 0, 1000, "end of write data to RD, different bank group")                                         \
  X(wtr_l, 0, 1000, "end of write data to RD, same bank group")                                              \
  X(rtw, 1, 1000, "RD to WR, any bank")                                                                      \
  X(rtrs, 0, 100, "bus turn-around between ranks")                                                           \
  X(ppd, 0, 100, "PRE to PRE, any bank; 0: no limit")                                                        \
  X(refi, 0, 1000000, "mean interval of all-bank refreshes; 0: none")                                        \
  X(rfc, 0, 100000, "REF (all banks) to ACT")                                                                \
  X(rfc_pb, 0, 100000, "REF (one bank) to ACT; 0: per-bank refresh not available")                           \
  X(cke, 0, 1000, "least time in power-down; 0: no power-down")                                              \
  X(xp, 0, 1000, "exit of power-down to a command")

struct dram_device {
  char name[64];
  char standard[32];      /* "DDR4", "GDDR5", "HBM2" … */
  uint64_t tck_fs;        /* period of CK in femtoseconds, exact */
  uint32_t data_rate_mts; /* million transfers per second and pin */
  uint32_t channels;      /* independent channels in the device as a system */
  uint32_t ranks, bank_groups, banks /* per group */;
  uint64_t rows;
  uint32_t columns;        /* transactions (bursts) per row */
  uint32_t bus_bits;       /* data bus of one channel */
  uint32_t burst_length;   /* transfers */
  uint32_t burst_cycles;   /* CK the data bus is busy: nBL */
  uint32_t transaction;    /* bytes of one burst: bus_bits / 8 * burst_length */
  bool row_and_column_bus; /* HBM: one row and one column command may go in one CK */
  struct dram_timing {
#define X(field, min, max, help) uint32_t field;
    DRAM_TIMINGS(X)
#undef X
  } t;
  struct dram_power power;
  char mapping[256]; /* default address mapping, see mapping.h */
};

/* Loads and checks a device file, or the preset of that name (presets are compiled in). Refuses what
 * is inconsistent: capacity, tRC != tRAS + tRP without `rc_reason`, bandwidth not what the file claims. */
bool dram_device_load(struct dram_device *d, const char *name_or_path, struct error *err);
bool dram_device_parse(struct dram_device *d, const char *text, size_t n, const char *path,
                       struct error *err);
/* Other timings in place of the device's: "rrd_s=8,faw=32". tRC follows tRAS and tRP unless it is given. Refuses names,
 * values and combinations that a device file may not have. */
bool dram_device_retime(struct dram_device *d, const char *text, struct error *err);
size_t dram_presets(const char *const **names);
void dram_device_print(const struct dram_device *d, FILE *to);
uint64_t dram_device_bytes(const struct dram_device *d);   /* of one channel */
double dram_device_bandwidth(const struct dram_device *d); /* GB/s of one channel */

#endif
