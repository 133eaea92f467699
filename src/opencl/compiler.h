/* The parts of compile.c: options, tools, cache, and what is read from LLVM's intermediate text.
 *
 *   source ── clang: front end, libraries, optimiser ──▶ program.ll ── ir.c ──▶ kept.ll ── clang: back end ──▶ PTX
 *                                                          │
 *                                                          └── names and types of kernel arguments ──▶ comments
 */
#ifndef SLUICE_OPENCL_COMPILER_H
#define SLUICE_OPENCL_COMPILER_H

#include "base/strbuf.h"
#include "opencl/compile.h"

/* The words of a command line. */

struct words {
  char **w;
  size_t n, cap;
};
void words_add(struct words *l, const char *word);
void words_addf(struct words *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
void words_free(struct words *l);

/* Build options as the compiler takes them. False: `log` says which word is wrong. */
struct options {
  struct words clang;
  unsigned standard; /* -cl-std: 120 is OpenCL C 1.2 */
  bool library, no_optimiser;
  bool invalid; /* a word that no option has, against one that is known and not supported */
};
bool options_parse(const char *text, bool link, struct options *o, struct strbuf *log);
void options_free(struct options *o);
/* language.c: the value of -cl-std, and the words for it. False: `log` says what there is. */
bool language_choose(const char *name, struct options *o, struct strbuf *log);
void language_add(struct words *w, unsigned standard);

/* The compiler and its library of built-in functions. */
struct tools {
  char *clang, *libclc;
  struct strbuf identity; /* changes when either does */
};
bool tools_find(struct tools *t, struct strbuf *log);
void tools_free(struct tools *t);
/* Runs a program without a shell: standard input from a file (NULL: empty), messages to the file `log`. The exit
 * code, or -1 with errno. */
int tools_run(const struct words *command, const char *in, const char *log);

/* llvm-spirv, of a version whose bitcode that clang reads; NULL: not installed. To be freed. */
char *tools_spirv(void);
/* il.c: what llvm-spirv made, as text for PTX. */
void il_to_ptx(const char *ll, size_t n, struct strbuf *out);

/* Compiled results by name, under XDG_CACHE_HOME or ~/.cache. Without such a folder nothing is ever found. */
char *cache_path(const char *key); /* NULL: there is no cache */
char *cache_read(const char *key, size_t *n);
void cache_write(const char *key, const void *data, size_t n);

/* `ll` is a module after optimisation. Leaves in `out` the kernels and what they use; `info` gets the comments
 * for the PTX. False: `log` says which function is missing. */
bool ir_reduce(const char *ll, size_t n, struct strbuf *out, struct strbuf *info, struct strbuf *log);

/* lib: what OpenCL C 1.2 needs beyond libclc; lib3: what is new in 3.0. The print of each differs when the library or the
 * compiler's own sources do. */
extern const unsigned char ocl_library_source[], ocl_library3_source[];
extern const size_t ocl_library_bytes, ocl_library3_bytes;
extern const char ocl_library_print[], ocl_library3_print[];

#endif
