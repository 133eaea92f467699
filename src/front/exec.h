/* Functional execution: a loaded program, a launch, and the stream of warp operations it yields.
 *
 *   ptx_parse ─▶ program_load ─▶ exec_open(launch) ─▶ exec_next … exec_next ─▶ exec_close
 *                                                       │
 *                                                       ▼ one segment: what one CTA did in one turn
 *
 * Work is fixed before time is: nothing here depends on a timing model. CTAs run in ascending
 * order through a sliding window of `window` resident ones, each at most `turn` warp instructions
 * at a time. Memory is bounded: a segment is reused by the next call. */
#ifndef SLUICE_FRONT_EXEC_H
#define SLUICE_FRONT_EXEC_H

#include "base/error.h"
#include "front/devmem.h"
#include "front/ptx/ast.h"
#include "front/tally.h"
#include "sluice_stream.h"
#include <stdint.h>
#include <stdio.h>

/* READS: illegal reads are reported and yield 0, anything else ends the run. */
/* What an access to shared memory is; lanes that access memory. */
enum front_shared { SHARED_BANKS, SHARED_LANES };
enum front_lanes { LANES_ACTIVE, LANES_ALL };
/* Both as one number, as recorded streams have them. */
static inline unsigned front_access(int shared, int lanes) {
  return (unsigned)shared | (unsigned)lanes << 1;
}
enum memcheck { MEMCHECK_ERROR, MEMCHECK_WARN, MEMCHECK_OFF, MEMCHECK_READS };

struct exec_options {
  unsigned warp_width; /* 1..64, default 32 */
  unsigned window;     /* resident CTAs, default 256 */
  unsigned turn;       /* warp instructions per CTA turn, default 16384 */
  unsigned
      contend;  /* threads of CTAs that read before one of them changes words by atomics; default 0: none */
  int schedule; /* enum front_schedule, of the programs that are run */
  int shared, lanes; /* enum front_shared, enum front_lanes */
  int memcheck;      /* enum memcheck */
  int cta_order;     /* 0 ascending, 1 reversed, 2 shuffled by cta_seed */
  uint64_t cta_seed;
  uint64_t max_instructions; /* per launch; 0 = no limit. Exceeding ends with EXIT_STALL */
  uint64_t heap_bytes;       /* device malloc; default 8 MiB */
  uint64_t stack_bytes;      /* call frames and local memory per thread; default 512 KiB */
  uint64_t printf_bytes;     /* reserved for a bounded buffer; 0 = straight to printf_to */
  FILE *printf_to;           /* NULL: stdout */
  void (*warn)(void *ctx, const char *text);
  void *warn_ctx;
};
struct exec_options exec_defaults(void);

struct program;
/* Lowers every function, allocates module variables in `mem`. A kernel is refused for what is not supported in it or in
 * functions it can call, with file, line and opcode of all such places (kernel_info.refused); launching it is an error,
 * other kernels run. NULL if no kernel is left, after naming all places. The program keeps the module (and frees it). */
struct program *program_load(struct ptx_module *m, struct devmem *mem, struct error *err);
/* The same, after the assembler if schedule (enum front_schedule) says so. m may be NULL: then NULL comes back. */
struct program *program_load_as(struct ptx_module *m, int schedule, struct devmem *mem, struct error *err);
void program_free(struct program *p);

struct kernel_info {
  const char *name;
  uint32_t nparams;
  const struct ptx_var *params; /* type, size, align, .ptr space */
  uint32_t param_bytes;         /* size of the parameter block */
  const uint32_t *param_offset; /* where each parameter lies in it */
  uint64_t static_shared, local_bytes;
  uint32_t registers;     /* 32-bit registers per thread that occupancy counts with */
  uint8_t registers_from; /* enum registers_from (front/registers.h): who said so */
  uint32_t counted[3];    /* by enum registers_from: of the PTX, the estimate, ptxas; 0: not known */
  uint32_t reqntid[3], maxntid[3];
  const char *refused; /* why it cannot be launched, in lines; NULL: it can */
};
/* NULL if there is no such .entry; err then names the nearest. */
const struct kernel_info *program_kernel(const struct program *p, const char *name, struct error *err);
/* Adds all that is refused in it, whether a kernel needs it or not. */
void program_refusals(const struct program *p, struct error *err);
/* False after adding to err why the kernel cannot be launched. */
bool kernel_usable(const struct kernel_info *k, struct error *err);
size_t program_kernels(const struct program *p);
const struct kernel_info *program_kernel_at(const struct program *p, size_t i);
/* counted[source] of the i-th of them. */
void program_count_registers(struct program *p, size_t i, unsigned source, uint32_t n);
const char *program_target(const struct program *p); /* what .target says */
/* Address and size of a module-scope .global/.const variable; false if unknown. */
bool program_symbol(const struct program *p, const char *name, uint64_t *addr, uint64_t *size);

struct launch {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint64_t dynamic_shared;
  const void *params; /* param_bytes of kernel_info */
  uint32_t offset[3]; /* OpenCL's global offset: %envreg3, 4, 5 */
  uint32_t dims;      /* OpenCL's dimensions: %envreg6; 0: 1, as outside OpenCL */
  uint32_t registers; /* per thread, as the launch states them; 0: it does not */
  bool cooperative;   /* CTAs wait for each other: all are resident at once, whatever the window */
};

struct exec;
struct exec *exec_open(struct program *p, struct devmem *mem, const struct launch *l,
                       const struct exec_options *o, struct error *err);
void exec_close(struct exec *x);
/* Runs one turn of one CTA. 1: seg is filled, valid until the next call; 0: the launch is complete;
 * -1: fault, stall or limit, err says what (memory keeps what was written so far). */
int exec_next(struct exec *x, struct sluice_segment *seg, struct error *err);
/* Turns can be executed before their time, side by side, each on memory as it is; exec_next() adopts one when its turn comes if nothing
 * that it read has been stored to since, and executes it otherwise (front/run/attempt.h):
 *
 *   n = exec_foresee(x, most)            the next turns, as far as can be foreseen; 0: none, or it does not help
 *   exec_attempt(side, k, &seg) …        each k < n once, on any threads with a side each; meanwhile nobody calls exec_next()
 *   exec_next(x, &seg, &err) …           as always; when attempts are left, exec_foresee() gives 0
 *
 * The stream is the same whether this is done or not. */
size_t exec_foresee(struct exec *x, size_t most);
struct exec_side;
struct exec_side *exec_side_new(struct exec *x); /* NULL: nothing is executed */
void exec_side_free(struct exec_side *s);
/* True: seg is filled, valid until exec_foresee() is called again. */
bool exec_attempt(struct exec_side *s, size_t k, struct sluice_segment *seg);
/* How many turns of those foreseen are left: exec_next() may have little to do for them. */
size_t exec_foreseen(const struct exec *x);
/* Which attempt the segment is that exec_next() gave last; SIZE_MAX: none. */
size_t exec_adopted(const struct exec *x);
/* What the segment that exec_next() gave last adds up to; NULL: not known, its words have to be walked. */
const struct tally *exec_tally(const struct exec *x);
/* Static description of a block number in the stream. */
struct sluice_block exec_block(const struct exec *x, uint32_t block);
uint32_t exec_blocks(const struct exec *x); /* block numbers of the stream are below this */
/* The registers that instructions of the launch name, as a set of numbers modulo EXEC_REGISTERS. */
enum { EXEC_REGISTERS = 1024 };
void exec_registers(const struct exec *x, uint64_t named[EXEC_REGISTERS / 64]);
uint64_t exec_ctas(const struct exec *x); /* in the grid */
uint64_t exec_ctas_done(const struct exec *x);
uint64_t exec_violations(const struct exec *x); /* reported by --memcheck warn */
void exec_warn(const struct exec *x, const char *text);

/* A stream that nothing executes for: a recording (front/trace/), a generator (front/gen/). The functions above
 * ask these of the same names. */
struct exec_source {
  int (*next)(void *source, struct sluice_segment *seg, struct error *err);
  struct sluice_block (*block)(const void *source, uint32_t block);
  uint32_t (*blocks)(const void *source);
  uint64_t (*ctas)(const void *source), (*done)(const void *source), (*violations)(const void *source);
  void (*free)(void *source);
};
struct exec *exec_of_source(const struct exec_source *ops, void *source);

#endif
