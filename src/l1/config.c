#include "l1/config.h"
#include "cache/params.h"
#include "l1/repeat.h"

#define CONF_OF struct l1_config

static const char *const write_names[] = {"through", "back", "around", NULL};
static const char *const coherence_names[] = {"none", "si", "moesi", "nmoesi", NULL};

static const char *const refused_names[] = {"stall", "aside", NULL};     /* order of enum l1_refused */
static const char *const pending_store_names[] = {"join", "wait", NULL}; /* order of enum l1_pending_store */
static const char *const coherent_store_names[] = {"line", "all", NULL}; /* order of enum l1_coherent_store */

static const struct conf_param rows[] = {
    CONF_ROW_BOOL("l1i.on", i_on, "true",
                  "Instructions come through an instruction cache; false: fetches never miss.", GTX480),
    CACHE_LINE_ROWS("l1i", i, "4", "4", "modulo", "on-fill", "2", "32", GTX480),
    CONF_ROW_UINT("l1i.line_bytes", i.line_bytes, "128", 32, 128, "bytes", "Bytes of a line: a power of two.",
                  GTX480),
    CONF_ROW_UINT("l1i.miss_queue", i_miss_queue, "4", 1, 4096, "requests",
                  "Requests waiting for the network.", GTX480),
    CONF_ROW_UINT("l1i.instruction_bytes", instruction_bytes, "8", 1, 32, "bytes",
                  "Bytes of an instruction: a power of two.", "GPGPU-Sim 4.2: size of a PTX instruction"),
    CONF_ROW_BOOL("l1d.on", d_on, "true", "Global loads use the L1 data cache.", GTX480),
    CACHE_ROWS("l1d", d, "32", "4", "128", "fermi", "on-miss", "64", "8", "false", GTX480),
    CONF_ROW_ENUM(
        "l1d.write_global", write[0].policy, "around", write_names,
        "Stores to global memory: through to the L2, kept until evicted, or past the L1, dropping the line.",
        GTX480 ", write-evict"),
    CONF_ROW_ENUM("l1d.write_global_miss", write[0].miss, "no-allocate", cache_write_miss_names,
                  "What such a store does that misses.", GTX480),
    CONF_ROW_ENUM("l1d.write_local", write[1].policy, "back", write_names, "The same for local memory.",
                  GTX480),
    CONF_ROW_ENUM("l1d.write_local_miss", write[1].miss, "no-allocate", cache_write_miss_names,
                  "What such a store does that misses.", GTX480),
    CONF_ROW_ENUM("l1d.coherence", coherence, "none", coherence_names,
                  "Protocol of the L1 data caches: none, stores follow l1d.write_*; si, that of Southern "
                  "Islands; moesi "
                  "and "
                  "nmoesi with a directory in the L2 (docs/thesis-memory.md).",
                  GTX480 ", none"),
    CONF_ROW_BOOL(
        "l1d.evict_first", d_evict_first, "false",
        "With a directory, a line is asked for when it has answered that the one in its way is gone.",
        "an alternative: Multi2Sim 4.2"),
    CONF_ROW_ENUM("l1d.refused", d_refused, "stall", refused_names,
                  "An access that finds its line or all ways of its set being fetched: holds up those behind "
                  "it, or waits aside "
                  "and looks up again when that has changed, unless a technique orders accesses.",
                  "an alternative: Multi2Sim 4.2"),
    CONF_ROW_ENUM(
        "l1d.pending_store", pending_store, "join", pending_store_names,
        "With a directory, a store whose line is being fetched for another: joins it, or waits, "
        "looks up again and may "
        "miss again. Where the L2 sends loads back (l2.nack) and there is no directory, stores wait.",
        "an alternative: Multi2Sim 4.2"),
    CONF_ROW_ENUM(
        "l1d.coherent_store", coherent_store, "line", coherent_store_names,
        "moesi: a store waits for older accesses of its L1 to its line, or for all; then loads wait "
        "for older stores, too.",
        "an alternative: Multi2Sim 4.2"),
    CONF_ROW_UINT("l1d.ports", d_ports, "1", 1, 8, "ports", "Line accesses of an instruction per cycle.",
                  GTX480 ", one bank"),
    CONF_ROW_UINT("l1d.port_bytes", d_port_bytes, "128", 1, 4096, "bytes",
                  "Bytes that pass a data port in a cycle.", GTX480 ", a line"),
    CONF_ROW_BOOL(
        "l1d.banked", d_banks, "false",
        "The 32 words of a line lie in banks of their own, each of which takes one word per cycle: an "
        "instruction keeps the L1 for as long as its busiest bank needs.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_BOOL("l1d.local_sectors", local_sectors, "false",
                  "A store to a part of a sector of local memory leaves the whole sector valid in the L1 "
                  "(l1d.write_local_miss "
                  "validate): nobody else writes the rest. False: the bytes that it stores.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("l1d.pass_latency", d_pass_latency, "0", 0, 100, "cycles",
                  "What each further pass over the banks adds to the latency of a load that hits "
                  "(l1d.banked); it keeps the "
                  "L1 for one cycle.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("l1d.latency", d_latency, "35", 0, 10000, "cycles", "Load that hits.", GTX480),
    CONF_ROW_BOOL(
        "l1d.latency_first", d_latency_first, "false",
        "Accesses wait l1d.latency in a row before the tags are looked up: those that miss do so too.",
        "an alternative: GPGPU-Sim 4.2"),
    CONF_ROW_UINT("l1d.retry_latency", d_retry, "2", 1, 10000, "cycles",
                  "From a load that the L2 sent back (l2.nack) to its next attempt at the L1.",
                  "Multi2Sim 4.2: between one and two times the L1's latency, by chance"),
    CONF_ROW_UINT(
        "l1d.store_lines", d_store_lines, "0", 0, L1_STORE_LINES, "lines",
        "Of so many lines that an SM stored to last: a store that goes through is not sent if its bytes were "
        "stored before, and goes with an earlier one of its line that still waits for the network; until "
        "the launch ends; 0: every store is sent.",
        "an alternative: an L1 that joins stores"),
    CONF_ROW_UINT("l1d.store_wait", d_store_wait, "0", 0, 1000, "cycles",
                  "With l1d.store_lines: write combining in place of that. Stores that go through and change "
                  "parts of sectors wait so long "
                  "in a buffer of so many lines for stores to the same sectors, from the last of them on; "
                  "data of less than words takes "
                  "twice the room; 0: none.",
                  "an alternative: an H200 (micro13)"),
    CONF_ROW_UINT("l1d.miss_queue", d_miss_queue, "8", 1, 4096, "requests",
                  "Requests waiting for the network.", GTX480),
    CONF_ROW_BOOL("l1t.on", t_on, "true",
                  "Texture fetches come through a texture cache; false: through the L1 data cache.",
                  GTX480 "; NVIDIA: one cache with the L1 since Maxwell"),
    CACHE_LINE_ROWS("l1t", t, "4", "24", "modulo", "on-miss", "128", "4", GTX480),
    CONF_ROW_UINT("l1t.latency", t_latency, "35", 1, 10000, "cycles", "Texture fetch that hits.",
                  "assumed: as a load that hits"),
    CONF_ROW_BOOL("l1c.on", c_on, "true", "Constants come through a constant cache; false: they never miss.",
                  GTX480),
    CACHE_LINE_ROWS("l1c", c, "64", "2", "modulo", "on-fill", "2", "32", GTX480),
    CONF_ROW_UINT("l1c.line_bytes", c.line_bytes, "64", 32, 128, "bytes", "Bytes of a line: a power of two.",
                  GTX480),
    CONF_ROW_UINT("l1c.miss_queue", c_miss_queue, "4", 1, 4096, "requests",
                  "Requests waiting for the network.", GTX480),
    CONF_ROW_UINT(
        "l1c.interval", c_interval, "0", 0, 1000, "cycles",
        "From one constant load of an SM that hits to the next, which waits as long, for each address that "
        "its lanes read; 0: none waits.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "l1c.address_latency", c_address_latency, "0", 0, 1000, "cycles",
        "What each further address that lanes of a constant load read adds to its latency, at least "
        "l1c.interval.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT(
        "l1c.second_latency", c_second_latency, "0", 0, 10000, "cycles",
        "Constant load whose line is not in the constant cache: it comes from a second one of the SM, which "
        "has all constants; 0: there is none, and lines come from the L2.",
        "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("l1c.second_interval", c_second_interval, "0", 0, 1000, "cycles",
                  "What a line from the second constant cache adds to l1c.interval.",
                  "an alternative: recent NVIDIA GPUs"),
    CONF_ROW_UINT("l1c.latency", c_latency, "35", 0, 10000, "cycles",
                  "Constant load that hits; gcn: at least 1.", "assumed"),
    CONF_ROW_BOOL(
        "l1c.params", c_params, "false",
        "Parameters of kernels come through the constant cache, all from one line; gcn: through the scalar "
        "cache, four to a line, where each launch has lines of its own; false: they are at hand.",
        "an alternative: GPGPU-Sim, Multi2Sim 4.2"),
    CONF_ROW_UINT(
        "l1c.caches", c_caches, "0", 0, 1024, "caches",
        "gcn: scalar caches of the GPU, each of as many compute units as the others or one more; 0: each its "
        "own.",
        "an alternative: GCN"),
    CONF_ROW_UINT("l1c.ports", c_ports, "1", 1, 8, "ports", "gcn: loads a scalar cache looks up in a cycle.",
                  "assumed"),
};
const struct conf_table l1_params = {"L1", rows, sizeof rows / sizeof *rows};

/* What stores do, by space. */
static bool check_writes(const struct l1_config *k, struct error *err) {
  bool ok = true;
  for (int i = 0; i < 2; i++) {
    const char *space = i ? "local" : "global";
    if (k->write[i].policy == CACHE_AROUND && k->write[i].miss != CACHE_NO_ALLOCATE)
      ok =
          error_add(err, EXIT_USAGE,
                    "l1d.write_%s_miss: with l1d.write_%s around only no-allocate makes sense", space, space);
    if (k->write[i].miss == CACHE_FETCH_ON_WRITE && k->d.allocate == CACHE_ON_FILL)
      ok = error_add(err, EXIT_USAGE, "l1d.write_%s_miss: fetch needs l1d.allocate on-miss", space);
    if ((k->write[i].policy == CACHE_BACK || k->write[i].miss == CACHE_FETCH_ON_WRITE) && k->d_miss_queue < 2)
      ok = error_add(err, EXIT_USAGE, "l1d.miss_queue: 1; a dirty line beside a fetch needs 2 (l1d.write_%s)",
                     space);
  }
  return ok;
}

/* A line of a cache of constants or instructions, which has no sectors, is fetched as part of a line of the L2. */
static bool check_line(bool on, struct cache_config *c, const char *name, uint32_t line_bytes,
                       struct error *err) {
  c->sector_bytes = c->line_bytes;
  bool ok = cache_config_finish(c, name, err);
  if (on && c->line_bytes > line_bytes)
    ok = error_add(err, EXIT_USAGE, "%s.line_bytes: %u; at most a line of the L2, %u (gpu.line_bytes)", name,
                   c->line_bytes, line_bytes);
  return ok;
}

bool l1_config_finish(struct l1_config *k, struct error *err) {
  k->d_after = k->d_latency_first ? 0 : k->d_latency;
  k->d_delay = k->d_latency - k->d_after;
  k->d.line_bytes = k->line_bytes;
  bool ok = cache_config_finish(&k->d, "l1d", err);
  ok &= check_line(k->i_on, &k->i, "l1i", k->line_bytes, err);
  ok &= check_line(k->c_on, &k->c, "l1c", k->line_bytes, err);
  k->t.line_bytes = k->line_bytes;
  ok &= check_line(k->t_on, &k->t, "l1t", k->line_bytes, err);
  if (k->d_banks && (k->line_bytes != 128 || k->d_latency_first))
    ok = error_add(err, EXIT_USAGE,
                   "l1d.banked: needs lines of 128 bytes (gpu.line_bytes: %u) and l1d.latency_first false",
                   k->line_bytes);
  if (k->c_address_latency && !k->c_interval)
    ok = error_add(err, EXIT_USAGE,
                   "l1c.address_latency: %u; addresses do not wait for each other (l1c.interval: 0)",
                   k->c_address_latency);
  if (k->c_address_latency < k->c_interval)
    k->c_address_latency = k->c_interval;
  if (k->local_sectors && k->write[1].miss != CACHE_WRITE_VALIDATE)
    ok = error_add(err, EXIT_USAGE, "l1d.local_sectors: modelled with l1d.write_local_miss validate");
  if (k->d_pass_latency && !k->d_banks)
    ok = error_add(err, EXIT_USAGE, "l1d.pass_latency: there are no banks (l1d.banked: false)");
  if (k->c_second_latency && !k->c_on)
    ok =
        error_add(err, EXIT_USAGE, "l1c.second_latency: %u; there is no first constant cache (l1c.on: false)",
                  k->c_second_latency);
  if (k->c_second_latency && k->c_second_latency < k->c_latency)
    ok = error_add(err, EXIT_USAGE, "l1c.second_latency: %u; at least l1c.latency, %u", k->c_second_latency,
                   k->c_latency);
  if (k->c_second_interval && !k->c_second_latency)
    ok = error_add(err, EXIT_USAGE,
                   "l1c.second_interval: %u; there is no second constant cache (l1c.second_latency: 0)",
                   k->c_second_interval);
  if (k->instruction_bytes & (k->instruction_bytes - 1))
    ok = error_add(err, EXIT_USAGE, "l1i.instruction_bytes: %u is no power of two", k->instruction_bytes);
  if (k->d.mshr_by_sector && k->d.sector_bytes != k->d.line_bytes)
    ok = error_add(err, EXIT_USAGE, "l1d.mshr_by_sector: modelled for the L2 only");
  return check_writes(k, err) && ok;
}
