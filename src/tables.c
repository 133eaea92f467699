#include "tables.h"
#include "dram/stats.h"
#include "front/count.h"
#include "front/params.h"
#include "gpu/config.h"
#include "gpu/machine.h"

static const struct conf_table *const params[] = {&front_params, &memory_params, &gpu_params};
static const struct stat_table *const stats[] = {&front_stats, &gpu_stats, &dram_stats, &host_stats};

struct conf *tables_conf(void) {
  return conf_new(params, sizeof params / sizeof *params);
}

struct stats *tables_stats(void) {
  return stats_new(stats, sizeof stats / sizeof *stats);
}
