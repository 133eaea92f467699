/* Requests to a DRAM: read from a text file, or made by a built-in generator.
 *
 * Text forms, one request per line, blank lines and lines from '#' on ignored:
 *
 *   block      BLOCK R|W [CYCLE]              decimal; BLOCK counts transactions of the device
 *   bytes      0xADDRESS R|W [CYCLE [MASK]]   MASK: the bytes of the transaction a write changes
 *   dramsim3   0xADDRESS READ|WRITE [CYCLE]
 *   ramulator  0xADDRESS R|W   or   LD|ST ADDRESS
 *
 * The first request decides the form unless one is asked for. "gen:NAME,option=value..." is no file but
 * a generator, see dram_generator(). A name of "-" is standard input.
 *
 *   struct dram_trace *t = dram_trace_open("gen:random,n=1000", &(struct dram_trace_options){...}, &err);
 *   while ((n = dram_trace_next(t, requests, COUNT, &err)))
 *     ...
 *   dram_trace_close(t);   and err.code tells whether the end was a mistake */
#ifndef SLUICE_DRAM_TRACE_H
#define SLUICE_DRAM_TRACE_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dram_trace_request {
  uint64_t address; /* byte */
  uint64_t cycle;   /* earliest arrival */
  uint64_t mask;    /* bytes written; 0: all of the transaction */
  bool write;
};

/* X(identifier, name, what a line looks like) */
#define DRAM_TRACE_FORMATS(X)                                                                                \
  X(AUTO, "auto", "decided by the first request")                                                            \
  X(BLOCK, "block", "BLOCK R|W [CYCLE]")                                                                     \
  X(BYTES, "bytes", "0xADDRESS R|W [CYCLE [0xMASK]]")                                                        \
  X(DRAMSIM3, "dramsim3", "0xADDRESS READ|WRITE [CYCLE]")                                                    \
  X(RAMULATOR, "ramulator", "0xADDRESS R|W or LD|ST ADDRESS")

enum dram_trace_format {
#define X(id, name, help) DRAM_TRACE_##id,
  DRAM_TRACE_FORMATS(X)
#undef X
      DRAM_TRACE_FORMAT_COUNT
};
extern const char *const dram_trace_format_names[DRAM_TRACE_FORMAT_COUNT + 1]; /* NULL at the end */
bool dram_trace_format_parse(enum dram_trace_format *f, const char *name, struct error *err);

struct dram_trace_options {
  enum dram_trace_format format;
  uint32_t transaction; /* bytes of a block; at least 1 */
};

struct dram_trace;
/* NULL after filling err. The name is copied. */
struct dram_trace *dram_trace_open(const char *name, const struct dram_trace_options *o, struct error *err);
/* The same over text in memory, which must outlive the trace; `name` is for messages. */
struct dram_trace *dram_trace_open_text(const char *name, const char *text, size_t n,
                                        const struct dram_trace_options *o, struct error *err);
/* Fills up to max > 0 requests; 0 at the end and after a mistake (err says file and line). */
size_t dram_trace_next(struct dram_trace *t, struct dram_trace_request *to, size_t max, struct error *err);
/* How far it is, for a progress bar; total 0: unknown (a pipe). */
void dram_trace_position(const struct dram_trace *t, uint64_t *done, uint64_t *total);
void dram_trace_close(struct dram_trace *t);

/* All requests at once; free(*out). */
bool dram_trace_load(const char *name, const struct dram_trace_options *o, struct dram_trace_request **out,
                     size_t *n, struct error *err);

/* Generators: those of the reference set under their names there, and the general ones. */
struct dram_generator_info {
  const char *name, *help;
};
const struct dram_generator_info *dram_generator(size_t i); /* NULL past the last */

#endif
