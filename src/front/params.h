/* The front end's parameters, and the options they become. */
#ifndef SLUICE_FRONT_PARAMS_H
#define SLUICE_FRONT_PARAMS_H

#include "conf/conf.h"
#include "front/devmem.h"
#include "front/exec.h"

extern const struct conf_table front_params, memory_params;

struct exec_options front_exec_options(const struct conf *c);
struct devmem_options front_devmem_options(const struct conf *c);

#endif
