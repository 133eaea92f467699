/* Rows of a parameter table whose values go into the fields of a struct: one row has the parameter's name, field, default,
 * bounds, unit, help and source. Before its table a file says which struct that is:
 *
 *   #define CONF_OF struct core_config
 *   static const struct conf_param rows[] = {CONF_ROW_UINT("sm.ctas", ctas, "8", 1, 256, "CTAs", "…", "…"), …}; */
#ifndef SLUICE_CONF_ROWS_H
#define SLUICE_CONF_ROWS_H

#include "conf/conf.h"
#include <stddef.h>

#define CONF_TO(field) .at = offsetof(CONF_OF, field), .size = sizeof(((CONF_OF *)0)->field)
#define CONF_ROW_UINT(name_, field, initial_, lo, hi, unit_, help_, source_)                                 \
  {                                                                                                          \
    name_, CONF_UINT, initial_, .min = lo, .max = hi, .unit = unit_, .help = help_, .source = source_,       \
                                CONF_TO(field)                                                               \
  }
#define CONF_ROW_ENUM(name_, field, initial_, choices_, help_, source_)                                      \
  {                                                                                                          \
    name_, CONF_ENUM, initial_, .choices = choices_, .unit = "", .help = help_, .source = source_,           \
                                CONF_TO(field)                                                               \
  }
#define CONF_ROW_FLOAT(name_, field, initial_, lo, hi, unit_, help_, source_)                                \
  {                                                                                                          \
    name_, CONF_FLOAT, initial_, .fmin = lo, .fmax = hi, .unit = unit_, .help = help_, .source = source_,    \
                                 CONF_TO(field)                                                              \
  }
#define CONF_ROW_BOOL(name_, field, initial_, help_, source_)                                                \
  { name_, CONF_BOOL, initial_, .unit = "", .help = help_, .source = source_, CONF_TO(field) }
#define CONF_ROW_STRING(name_, field, initial_, help_, source_)                                              \
  { name_, CONF_STRING, initial_, .unit = "", .help = help_, .source = source_, CONF_TO(field) }

/* Where the defaults of the timing model come from, unless a row says otherwise. */
#define GTX480 "GPGPU-Sim 4.2, SM2_GTX480"

#endif
