/* The one list of all parameter and statistics tables. */
#ifndef SLUICE_TABLES_H
#define SLUICE_TABLES_H

#include "conf/conf.h"
#include "stat/stat.h"

struct conf *tables_conf(void);   /* a configuration of every parameter, at its default */
struct stats *tables_stats(void); /* room for every statistic */

#endif
