/* Launch files: a YAML file that runs kernels without host code.
 *
 *   launch_file_load ─▶ launch_file                 what the file says, checked by itself
 *        + kernels of the PTX, + devmem
 *   launch_prepare ─▶ launch_setup                  buffers allocated and filled, parameters built
 *   for each step: launch_step_fill or run setup->bound[step].launch `repeat` times
 *   launch_output_check for each output             written, or compared
 *
 * launch_file_write_plan / _read_plan carry a whole file, inputs and PTX included, to a machine
 * without YAML (tools/hw). docs/launch-files.md describes the format for users. */
#ifndef SLUICE_FRONT_LAUNCH_LAUNCH_H
#define SLUICE_FRONT_LAUNCH_LAUNCH_H

#include "base/error.h"
#include "front/devmem.h"
#include "front/exec.h"
#include "front/launch/fill.h"
#include <stdint.h>
#include <stdio.h>

/* Bounds that keep a hostile file cheap. */
#define LAUNCH_MAX_BUFFERS      4096
#define LAUNCH_MAX_STEPS        65536
#define LAUNCH_MAX_ARGS         1024
#define LAUNCH_MAX_SETS         65536
#define LAUNCH_MAX_OUTPUTS      4096
#define LAUNCH_MAX_PTX          256
#define LAUNCH_MAX_BUFFER_BYTES (UINT64_C(1) << 40)
#define LAUNCH_MAX_SHARED       (UINT64_C(1) << 20)
#define LAUNCH_MAX_PARAM_BYTES  32764

struct launch_set {
  uint64_t index;
  struct number value;
};

struct launch_buffer {
  char *name;
  unsigned line;
  uint64_t bytes;
  enum elem_type type; /* ELEM_NONE: raw bytes */
  struct fill fill;
  bool fixed; /* at the address `at` */
  uint64_t at;
  struct launch_set *sets; /* elements set after the fill */
  size_t nsets;
};

enum launch_arg_kind { ARG_BUFFER, ARG_VALUE, ARG_BYTES, ARG_LOCAL };
struct launch_arg {
  enum launch_arg_kind kind;
  unsigned line;
  size_t buffer;       /* ARG_BUFFER: index into buffers, and */
  uint64_t offset;     /* bytes from its start; ARG_LOCAL: size of the local array */
  enum elem_type type; /* ARG_VALUE */
  uint8_t *bytes;      /* ARG_VALUE, ARG_BYTES: as they lie in the parameter block */
  uint32_t nbytes;
};

/* STEP_CHECK stands in plans only: what a host program read back at that point. */
enum launch_step_kind { STEP_LAUNCH, STEP_FILL, STEP_CHECK };
struct launch_step {
  enum launch_step_kind kind;
  unsigned line;
  /* STEP_LAUNCH */
  char *kernel;
  uint32_t grid[3], block[3];
  uint64_t shared, repeat;
  uint32_t registers; /* per thread; 0: not stated */
  struct launch_arg *args;
  size_t nargs;
  /* STEP_FILL, STEP_CHECK: bytes [offset, offset + bytes) of a buffer get, or must hold, the fill's */
  size_t buffer;
  uint64_t offset, bytes;
  struct fill fill;
  enum elem_type type; /* STEP_CHECK; the tolerance is that of an output */
  double tolerance;
};

enum launch_output_kind { OUTPUT_WRITE, OUTPUT_COMPARE };
struct launch_output {
  enum launch_output_kind kind;
  unsigned line;
  size_t buffer;
  char *path;       /* OUTPUT_WRITE: as written in the file */
  struct fill want; /* OUTPUT_COMPARE */
  enum elem_type type;
  double tolerance; /* |got - want| <= tolerance * max(1, |want|) */
  uint64_t ulp;
  bool use_ulp;
  struct launch_set *sets; /* elements that differ from `want` */
  size_t nsets;
};

struct launch_ptx {
  char *path; /* resolved */
  unsigned line;
  char *text; /* NULL unless embedded by a plan */
  size_t n;
};

struct launch_file {
  char *path, *dir; /* the file, and what its relative paths start from */
  struct launch_ptx *ptx;
  struct launch_buffer *buffers;
  struct launch_step *steps;
  struct launch_output *outputs;
  size_t nptx, nbuffers, nsteps, noutputs;
};

struct launch_file *launch_file_load(const char *path, struct error *err);
/* The same from memory; `path` is for messages and relative paths. */
struct launch_file *launch_file_parse(const char *text, size_t n, const char *path, struct error *err);
void launch_file_free(struct launch_file *f);

/* A step of kind STEP_LAUNCH, ready for exec_open. */
struct launch_bound {
  struct launch launch;
  size_t kernel; /* index into what launch_prepare was given */
  uint8_t *params;
};

struct launch_setup {
  const struct launch_file *file;
  struct devmem *mem;
  uint64_t *addr;             /* of each buffer */
  struct launch_bound *bound; /* of each step; unused for STEP_FILL */
};

/* Checks every launch against the kernels' parameters, then allocates and fills. */
struct launch_setup *launch_prepare(const struct launch_file *f, struct devmem *mem,
                                    const struct kernel_info *const *kernels, size_t nkernels,
                                    struct error *err);
/* Frees the setup, not the buffers in device memory. */
void launch_setup_free(struct launch_setup *s);
bool launch_step_fill(struct launch_setup *s, size_t step, struct error *err);
bool launch_step_check(const struct launch_setup *s, size_t step, struct error *err);

/* One step alone: checked against its kernel's parameters and bound to buffers at `addr`. */
bool launch_bind(const struct launch_file *f, size_t step, const struct kernel_info *const *kernels,
                 size_t nkernels, const uint64_t *addr, struct launch_bound *to, struct error *err);

/* Stores those of the sets that lie in bytes [first, first + n) of a buffer, given that part of it. */
void launch_apply_sets(const struct launch_set *sets, size_t nsets, enum elem_type type, uint8_t *part,
                       uint64_t first, uint64_t n);
/* Fresh contents of a buffer: its fill and its sets. `zeroed`: the bytes are zero already. */
bool launch_buffer_fill(const struct launch_buffer *b, uint8_t *to, bool zeroed, struct error *err);

/* Writes or compares output i, given the bytes of its buffer. Relative paths start from `dir`, or
 * from the launch file's folder when it is NULL. A difference or a failed write adds to err
 * (EXIT_RUNTIME) and returns false. */
bool launch_output_check(const struct launch_file *f, size_t i, const uint8_t *data, const char *dir,
                         struct error *err);
/* The same for a STEP_CHECK, given the bytes of its range. */
bool launch_check(const struct launch_file *f, size_t step, const uint8_t *data, struct error *err);
/* All outputs, whatever fails; `write_only`: none is compared. */
bool launch_outputs(const struct launch_setup *s, const char *dir, bool write_only, struct error *err);

bool launch_file_write_plan(const struct launch_file *f, FILE *to, struct error *err);
struct launch_file *launch_file_read_plan(const uint8_t *data, size_t n, const char *path, struct error *err);

/* "file.yaml:12: launches[3]: " and a message, added to err. what: "launches", "outputs", ... */
bool launch_error(const struct launch_file *f, unsigned line, const char *what, size_t index,
                  struct error *err, int code, const char *fmt, ...) PRINTF_LIKE(7, 8);
/* `path` itself if absolute, or under dir. */
char *launch_resolve(const char *dir, const char *path);

#endif
