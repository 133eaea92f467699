/* What the simulation cost on this machine. */
#include "stat/stat.h"
#include "base/clock.h"
#include <sys/resource.h>
#include <time.h>

static const struct stat_row rows[] = {
    {"sim.cpu_seconds", STAT_F64, "s", "Processor time of the simulator, all threads, user and system."},
    {"sim.wall_seconds", STAT_F64, "s", "Elapsed time of the run."},
    {"sim.exec_seconds", STAT_F64, "s",
     "Processor time of the launches themselves: without loading, filling of buffers and checks of outputs."},
    {"sim.warp_instructions_per_second", STAT_F64, "1/s", "Warp instructions over sim.exec_seconds."},
    {"sim.peak_rss_mb", STAT_F64, "MB", "Largest resident memory of the simulator, in 10^6 bytes."},
};
const struct stat_table host_stats = {"The simulator on its host", rows, sizeof rows / sizeof *rows};

double stats_cpu_clock(void) {
  return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double stats_wall_clock(void) {
  return clock_seconds(CLOCK_MONOTONIC);
}

/* Three digits behind the point are all that is meant. */
static double milli(double v) {
  return (double)(int64_t)(v * 1000 + 0.5) / 1000;
}

void stats_put_host(struct stats *s, double wall_start) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  stats_put_f64(s, "sim.cpu_seconds", milli(clock_seconds(CLOCK_PROCESS_CPUTIME_ID)));
  stats_put_f64(s, "sim.wall_seconds", milli(stats_wall_clock() - wall_start));
  stats_put_f64(s, "sim.peak_rss_mb", milli((double)u.ru_maxrss * 1024 / 1e6));
}
