/* A recorded stream: what launches did, on disk, to be run again without executing them.
 *
 *   head      "SLUICEST", version, the warp's width, R, turn, schedule, origin and access (4 bytes of zeros follow)
 *   chunk     kind, bytes, packed bytes, then that many bytes: one zstd frame with a checksum
 *     MEMORY    the buffers there are when the first launch begins
 *     LAUNCH    name, sizes, registers, shared memory, which program
 *     SEGMENTS  segments of the stream as sluice.h defines them, one after the other
 *     END       CTAs done, violations
 *     …         further launches
 *     BLOCKS    the blocks of a program that were executed, with their instructions
 *     INDEX     where each launch begins; footprint
 *   tail      where BLOCKS begins, where INDEX begins, "SLUICEST"
 *
 * Numbers are little-endian. The reader trusts nothing: every chunk is checked by its checksum and every
 * segment against the blocks before anybody walks it. */
#ifndef SLUICE_FRONT_TRACE_TRACE_H
#define SLUICE_FRONT_TRACE_TRACE_H

#include "front/exec.h"

enum { TRACE_VERSION = 1 };

/* Where a stream comes from. */
enum trace_origin { TRACE_RECORDED, TRACE_ACCELSIM /* imported: front/accelsim/ */, TRACE_NORIGINS };

struct trace_launch {
  const char *kernel;
  uint32_t grid[3], block[3], program;
  uint64_t dynamic_shared, static_shared;
  uint32_t registers, registers_from;    /* the latter: enum registers_from */
  uint64_t ctas_done, violations, words; /* known at its end */
};

/* Writing. */
struct trace_writer;
struct trace_writer *trace_create(const char *path, const struct exec_options *o, enum trace_origin origin,
                                  struct error *err);
void trace_begin(struct trace_writer *w, const struct trace_launch *l, const struct devmem *mem);
void trace_segment(struct trace_writer *w, const struct exec *x, const struct sluice_segment *s);
/* The same where no executor knows the blocks and buffers: the latter come before the first launch, address and
 * size of each; the former, of each program that a launch has named, before the end
 * (they and their instructions are on the heap, and the writer's from then on). */
void trace_buffers(struct trace_writer *w, const uint64_t *address_size, size_t n);
void trace_words(struct trace_writer *w, const struct sluice_segment *s);
void trace_blocks(struct trace_writer *w, uint32_t program, struct sluice_block *blocks, size_t n);
void trace_end(struct trace_writer *w, uint64_t ctas_done, uint64_t violations);
/* Completes the file; false after filling err. Gives up what was written if !keep. */
bool trace_close(struct trace_writer *w, uint64_t footprint, bool keep, struct error *err);

/* Reading. */
struct trace_reader;
bool trace_is(const char *path); /* does it begin like one? */
struct trace_reader *trace_open(const char *path, struct error *err);
void trace_free(struct trace_reader *r);
struct trace_head {
  unsigned warp_width, window, turn, schedule, origin;
  unsigned access; /* front_access() */
  uint64_t footprint, bytes;
  size_t launches, programs, buffers;
};
struct trace_head trace_head(const struct trace_reader *r);
/* Buffers of the first launch: address and size. */
void trace_buffer(const struct trace_reader *r, size_t i, uint64_t *address, uint64_t *size);
const struct trace_launch *trace_launch_at(const struct trace_reader *r, size_t i);
/* The launch as an executor: exec_next() and the rest work as if it were executed. */
struct exec *trace_exec(struct trace_reader *r, size_t launch);

/* The end of the record of block `b` that begins at w; NULL: it is not whole. */
const uint32_t *trace_record_end(const struct sluice_block *b, const uint32_t *w, const uint32_t *end,
                                 unsigned warp_width);
/* Is every record of a segment whole, and within its blocks, warps and lanes? */
bool trace_segment_ok(const struct sluice_block *blocks, size_t nblocks, const uint32_t *words, size_t n,
                      unsigned warp_width, uint32_t nwarps);

#endif
