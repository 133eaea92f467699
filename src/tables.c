#include "tables.h"
#include "dram/stats.h"
#include "front/count.h"
#include "front/params.h"
#include "gpu/config.h"
#include "gpu/machine.h"
#include "gpu/power.h"
#include "opencl/params.h"
#include "tech/tech.h"

static const struct conf_table *const params[] = {
    &front_params, &memory_params,        &gpu_params,        &core_params,   &l1_params,   &noc_params,
    &l2_params,    &memory_config_params, &gpu_report_params, &stream_params, &tech_choice, &host_params};
static const struct stat_table *const stats[] = {&front_stats, &gpu_stats, &dram_stats, &power_stats};

enum { PARAMS = sizeof params / sizeof *params, STATS = sizeof stats / sizeof *stats, MOST = 96 };

struct conf *tables_conf(void) {
  const struct conf_table *all[MOST];
  size_t n = 0;
  for (size_t i = 0; i < PARAMS; i++)
    all[n++] = params[i];
  for (size_t i = 0; i < tech_count(); i++)
    if (tech_param_table(i))
      all[n++] = tech_param_table(i);
  return conf_new(all, n);
}

struct stats *tables_stats(void) {
  const struct stat_table *all[MOST];
  size_t n = 0;
  for (size_t i = 0; i < STATS; i++)
    all[n++] = stats[i];
  for (size_t i = 0; i < tech_count(); i++)
    if (tech_stat_table(i))
      all[n++] = tech_stat_table(i);
  all[n++] = &host_stats;
  return stats_new(all, n);
}
