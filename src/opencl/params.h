/* Parameters of the connection between host and GPU. */
#ifndef SLUICE_OPENCL_PARAMS_H
#define SLUICE_OPENCL_PARAMS_H

#include "conf/conf.h"

extern const struct conf_table host_params;

#endif
