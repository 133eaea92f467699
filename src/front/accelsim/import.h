/* The parts of an import: what kernel.c needs to know of what import.c keeps. */
#ifndef SLUICE_FRONT_ACCELSIM_IMPORT_H
#define SLUICE_FRONT_ACCELSIM_IMPORT_H

#include "front/accelsim/access.h"
#include "front/accelsim/accelsim.h"
#include "front/accelsim/code.h"
#include "front/accelsim/text.h"
#include "front/trace/trace.h"

enum { UNKNOWN_NAMES = 64, UNKNOWN_NAME = 32 };

struct unknown {
  char name[UNKNOWN_NAME];
  uint64_t n;
  char where[200]; /* the first */
};

struct import {
  struct accelsim_import *o;
  struct trace_writer *w;
  struct code *code;
  struct progress progress;
  uint64_t bytes_done, bytes_total; /* of files */
  struct words words;               /* of a thread block, not yet in the stream */
  struct unknown unknown[UNKNOWN_NAMES];
  size_t nunknown;
  uint64_t unknown_others;
  /* what is to be said in the end */
  uint64_t textures, constants, copies, missing_ctas, late_memcpys, generic, bad_order;
  uint64_t stream_id;
  bool streams, copies_seen;
};

/* One file of a kernel, from its head to its end. */
bool import_kernel(struct import *m, const char *path, struct error *err);

#endif
