/* cl2ptx IN.cl OUT.ptx [OPTION...]: the compiler by itself, for the build and for looking at PTX. */
#include "base/file.h"
#include "opencl/compile.h"
#include "base/strbuf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 64 << 20 };

static int usage(FILE *to, int code) {
  fputs("usage: cl2ptx IN.cl OUT.ptx [OPTION...]\n"
        "\n"
        "Compiles OpenCL C 1.2 or 3.0 to PTX with clang and libclc. OPTIONs are those of clBuildProgram:\n"
        "-DNAME=VALUE, -I FOLDER, -cl-fast-relaxed-math and so on.\n"
        "\n"
        "  cl2ptx kernel.cl kernel.ptx -DTILE=16 -cl-mad-enable\n"
        "\n"
        "SLUICE_CLANG and SLUICE_LIBCLC name another compiler and bitcode library, SLUICE_CACHE_MB\n"
        "limits the cache of compiled programs under XDG_CACHE_HOME (256; 0: no cache).\n",
        to);
  return code;
}

/* One word of the options, so that it stays one. */
static void add_quoted(struct strbuf *b, const char *word) {
  strbuf_addc(b, ' ');
  for (; *word; word++) {
    if (strchr(" \t\n\"'\\", *word))
      strbuf_addc(b, '\\');
    strbuf_addc(b, *word);
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0)
    return usage(stdout, EXIT_OK);
  if (argc < 3 || argv[1][0] == '-')
    return usage(stderr, EXIT_USAGE);
  struct error err = {0};
  struct strbuf options = {0};
  size_t n = 0, bytes = 0;
  char *ptx = NULL, *log = NULL, *source = file_read(argv[1], MAX_SOURCE, &n, &err);
  for (int i = 3; i < argc; i++)
    add_quoted(&options, argv[i]);
  bool ok = source && (ocl_compile(source, n, strbuf_str(&options), &ptx, &bytes, &log) ||
                       error_set(&err, EXIT_USAGE, "%s: not compiled", argv[1]));
  if (log)
    fputs(log, stderr);
  ok = ok && file_write_atomic(argv[2], ptx, bytes, &err);
  if (!ok)
    fprintf(stderr, "cl2ptx: %s\n", err.text);
  int code = ok ? EXIT_OK : err.code;
  free(ptx);
  free(log);
  free(source);
  strbuf_free(&options);
  error_clear(&err);
  return code;
}
