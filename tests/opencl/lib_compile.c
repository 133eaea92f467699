/* Rules about the compiler itself: options, messages, headers, the cache, what is told of kernels, linking. */
#include "lib_run.h"
#include "opencl/compile.h"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/sluice-test-XXXXXX";

struct outcome {
  bool ok;
  char *ptx, *log;
  size_t bytes;
};
static struct outcome compile(const char *source, const char *options) {
  struct outcome o = {0};
  o.ok = ocl_compile(source, strlen(source), options, &o.ptx, &o.bytes, &o.log);
  return o;
}
static void drop(struct outcome o) {
  free(o.ptx);
  free(o.log);
}
static bool says(struct outcome o, const char *text) {
  return strstr(o.log, text) != NULL;
}
static bool holds(struct outcome o, const char *text) {
  return o.ptx && strstr(o.ptx, text);
}

static enum ocl_options_check check_options(const char *options, bool link) {
  char *log = NULL;
  enum ocl_options_check c = ocl_options_check(options, link, &log);
  lib_check((c == OCL_OPTIONS_BAD) == (strstr(log, "error") != NULL), "'%s': the log says '%s'", options,
            log);
  free(log);
  return c;
}

#define STORE "kernel void k(global int *o) { o[0] = "

/* Definitions reach the program, in one word or two, quoted or not; unknown options are invalid, not ignored. */
static void options(void) {
  struct outcome o =
      compile(STORE "A + B + sizeof(C); }", "-DA=1 -D B=40 -D\"C=unsigned int\" -w -cl-mad-enable");
  lib_check(o.ok && holds(o, "45"), "%s", o.log);
  drop(o);
  o = compile(STORE "0; constant char *s = S; o[1] = s[0]; }", "-DS='\"x\"'");
  lib_check(o.ok && holds(o, "120"), "%s", o.log);
  drop(o);
  static const char *const bad[] = {"-cl-fast-relaxed-maths",
                                    "-D",
                                    "-o /tmp/x",
                                    "-fplugin=/tmp/x.so",
                                    "-Wp,-MD,/tmp/x",
                                    "@/etc/passwd",
                                    "; touch /tmp/x",
                                    "-DX=\"unfinished",
                                    "-load /tmp/x",
                                    "-create-library"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    o = compile(STORE "0; }", bad[i]);
    lib_check(!o.ok && says(o, "option"), "%s was taken: %s", bad[i], o.log);
    lib_check(check_options(bad[i], false) == OCL_OPTIONS_BAD, "%s is called good", bad[i]);
    drop(o);
  }
  o = compile(STORE "0; }", "-cl-fast-relaxed-maths");
  lib_check(says(o, "did you mean -cl-fast-relaxed-math?"), "%s", o.log);
  drop(o);
  static const char *const good[] = {"",
                                     "-cl-std=CL1.1",
                                     "-cl-single-precision-constant -cl-denorms-are-zero",
                                     "-cl-opt-disable",
                                     "-cl-strict-aliasing",
                                     "-cl-fp32-correctly-rounded-divide-sqrt -cl-no-signed-zeros",
                                     "-cl-unsafe-math-optimizations -cl-finite-math-only",
                                     "-cl-kernel-arg-info -g -Werror -Wall -Wno-unused",
                                     "-O0",
                                     "-I /nowhere -I.",
                                     "-cl-nv-verbose"};
  for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
    o = compile("kernel void k(global float *o) { o[0] = o[1] / o[2] + sqrt(o[3]); }", good[i]);
    lib_check(o.ok, "%s: %s", good[i], o.log);
    lib_check(check_options(good[i], false) == OCL_OPTIONS_OK, "%s is called bad", good[i]);
    drop(o);
  }
  static const char *const versions[] = {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++) { /* each with our own library */
    o = compile("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                "kernel void k(global half *o, global int *p) { o[0] = sqrt(o[1]); p[0] = mad_hi(p[1], p[2], "
                "p[3]); }",
                versions[i]);
    lib_check(o.ok, "%s: %s", versions[i], o.log);
    drop(o);
  }
  o = compile(STORE "0; }", "-cl-std=CL2.2");
  lib_check(!o.ok && says(o, "CL1.2, CL3.0"), "%s", o.log);
  drop(o);
  o = compile(STORE "0; }", "-cl-std=CL2.0"); /* in part, which the log says */
  lib_check(o.ok && says(o, "without pipes"), "%s", o.log);
  drop(o);
  lib_check(check_options("-create-library -enable-link-options", true) == OCL_OPTIONS_OK, "refused");
  lib_check(check_options("-DX", true) == OCL_OPTIONS_BAD, "taken");
}

/* Mistakes are told with their line; warnings come with the result, also from the cache; -Werror makes them mistakes. */
static void messages(void) {
  struct outcome o = compile("kernel void k(global int *o) {\n  o[0] = nothing;\n}\n", "");
  lib_check(!o.ok && says(o, ":2:") && says(o, "nothing"), "%s", o.log);
  drop(o);
  o = compile("kernel void k(global int *o) {\n#warning told\n  o[0] = 3; }", "");
  struct outcome again = compile("kernel void k(global int *o) {\n#warning told\n  o[0] = 3; }", "");
  lib_check(o.ok && says(o, "told") && again.ok && strcmp(o.log, again.log) == 0, "%s, then %s", o.log,
            again.log);
  drop(o), drop(again);
  o = compile("kernel void k(global int *o) {\n#warning told\n  o[0] = 3; }", "-Werror");
  lib_check(!o.ok && says(o, "told"), "%s", o.log);
  drop(o);
  o = compile("int absent(int);\nkernel void fine(global int *o) { o[0] = 1; }\nkernel void k(global int *o) "
              "{ o[0] = absent(3); }",
              "");
  lib_check(!o.ok && says(o, "undefined function 'absent', called by kernel 'k'"), "%s", o.log);
  drop(o);
  o = compile("", "");
  lib_check(o.ok, "an empty program: %s", o.log);
  drop(o);
}

/* Images and samplers are handles of 64 bits; fetches become tex with both. */
static void images(void) {
  struct outcome o = compile(
      "float4 get(read_only image2d_t i, sampler_t s) { return read_imagef(i, s, (int2)(0, 0)); }\n"
      "kernel void picture(read_only image2d_t i, sampler_t s, global float4 *o) { o[0] = get(i, s); }\n",
      "");
  lib_check(o.ok && holds(o, "tex.2d.v4.f32.s32"), "%s", o.log);
  drop(o);
  o = compile("#ifndef __IMAGE_SUPPORT__\n#error no images\n#endif\n" STORE "0; }", "");
  lib_check(o.ok, "%s", o.log);
  drop(o);
}

/* Helpers that were inlined are gone; inline functions may also be called; double, atomics and stores of bytes are on. */
static void language(void) {
  struct outcome o =
      compile("inline int twice(int x) { return 2 * x; }\nint thrice(int x) { return 3 * x; }\n" STORE
              "twice(o[1]) + thrice(o[2]); }",
              "");
  lib_check(o.ok && !holds(o, ".func"), "%s", o.log);
  drop(o);
  o = compile("#if !defined(cl_khr_fp64) || !defined(cl_khr_int64_base_atomics) || "
              "!defined(cl_khr_byte_addressable_store) || __OPENCL_C_VERSION__ != 120 || "
              "!defined(__ENDIAN_LITTLE__)\n#error missing\n#endif\n" STORE "__OPENCL_VERSION__; }",
              "");
  lib_check(o.ok && holds(o, "300"), "%s", o.log);
  drop(o);
}

/* What clGetKernelArgInfo wants is found in the PTX. */
static void arguments(void) {
  struct outcome o = compile("typedef struct { int a; float4 b; } Thing;\n"
                             "__attribute__((reqd_work_group_size(8, 4, 2))) kernel void k(global const "
                             "float *restrict in, local int *l, constant uint4 *c,\n"
                             "    Thing t, const volatile global unsigned char *v, float4 f) { l[0] = c[0].x "
                             "+ t.a + v[0] + f.x + in[0]; }\n"
                             "kernel void none(void) {}",
                             "");
  struct ocl_kernel k;
  lib_check(o.ok, "%s", o.log);
  lib_check(ocl_kernel_read(o.ptx, o.bytes, "k", &k) && k.nargs == 6, "%zu arguments", k.nargs);
  static const struct {
    const char *name, *type;
    uint32_t address;
    uint64_t qualifiers;
  } want[] = {
      {"in", "float*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
      {"l", "int*", CL_KERNEL_ARG_ADDRESS_LOCAL, 0},
      {"c", "uint4*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
      {"t", "Thing", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
      {"v", "uchar*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_VOLATILE},
      {"f", "float4", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0}};
  for (size_t i = 0; i < k.nargs && i < 6; i++)
    lib_check(strcmp(k.args[i].name, want[i].name) == 0 && strcmp(k.args[i].type_name, want[i].type) == 0 &&
                  k.args[i].address == want[i].address && k.args[i].type_qualifiers == want[i].qualifiers &&
                  k.args[i].access == CL_KERNEL_ARG_ACCESS_NONE,
              "%s: %s, %x, %llx", k.args[i].name, k.args[i].type_name, k.args[i].address,
              (long long)k.args[i].type_qualifiers);
  lib_check(k.reqd_size[0] == 8 && k.reqd_size[1] == 4 && k.reqd_size[2] == 2 &&
                strcmp(k.attributes, "reqd_work_group_size(8,4,2)") == 0,
            "%s", k.attributes);
  ocl_kernel_free(&k);
  lib_check(ocl_kernel_read(o.ptx, o.bytes, "none", &k) && k.nargs == 0 && k.reqd_size[0] == 0 &&
                !*k.attributes,
            "none");
  ocl_kernel_free(&k);
  lib_check(!ocl_kernel_read(o.ptx, o.bytes, "other", &k), "a kernel that is not there");
  drop(o);
}

static void write_file(const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  fputs(text, f);
  fclose(f);
}

static unsigned cached(void) {
  char path[256];
  snprintf(path, sizeof path, "%s/cache/sluice/opencl", folder);
  DIR *d = opendir(path);
  unsigned n = 0;
  for (struct dirent *e; d && (e = readdir(d));)
    n += e->d_name[0] != '.';
  if (d)
    closedir(d);
  return n;
}

/* The same program is compiled once; another option, source or included text is another program. Without a cache, or
 * with one that cannot be written, it still compiles; several processes may share it. */
static void cache(void) {
  char path[256], include[300];
  snprintf(path, sizeof path, "%s/cache", folder);
  mkdir(path, 0700);
  setenv("XDG_CACHE_HOME", path, 1);
  drop(compile(STORE "1; }", ""));
  unsigned first = cached();
  drop(compile(STORE "1; }", ""));
  lib_check(first == 2 && cached() == 2, "%u files, then %u", first, cached()); /* library and program */
  drop(compile(STORE "1; }", "-DX"));
  lib_check(cached() == 3, "%u files", cached());
  snprintf(include, sizeof include, "-I %s", folder);
  write_file("value.h", "#define VALUE 4711\n");
  struct outcome o = compile("#include \"value.h\"\n" STORE "VALUE; }", include);
  lib_check(o.ok && holds(o, "4711"), "%s", o.log);
  drop(o);
  write_file("value.h", "#define VALUE 1234\n");
  o = compile("#include \"value.h\"\n" STORE "VALUE; }", include);
  lib_check(o.ok && holds(o, "1234"), "an old header");
  drop(o);
  pid_t pids[4];
  for (int i = 0; i < 4; i++)
    if (!(pids[i] = fork())) {
      o = compile(STORE "99; }", "");
      _exit(o.ok && holds(o, "99") ? 0 : 1);
    }
  for (int i = 0; i < 4; i++) {
    int status = 1;
    waitpid(pids[i], &status, 0);
    lib_check(status == 0, "process %d", i);
  }
  setenv("SLUICE_CACHE_MB", "0", 1);
  unsigned before = cached();
  o = compile(STORE "77; }", "");
  lib_check(o.ok && cached() == before, "cached although switched off");
  drop(o);
  unsetenv("SLUICE_CACHE_MB");
  setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
  o = compile(STORE "78; }", "");
  lib_check(o.ok, "%s", o.log);
  drop(o);
  setenv("SLUICE_CLANG", "/nowhere/clang", 1);
  o = compile(STORE "79; }", "");
  lib_check(!o.ok && says(o, "SLUICE_CLANG=/nowhere/clang"), "%s", o.log);
  drop(o);
  unsetenv("SLUICE_CLANG");
  setenv("SLUICE_LIBCLC", "/nowhere/lib.bc", 1);
  o = compile(STORE "79; }", "");
  lib_check(!o.ok && says(o, "SLUICE_LIBCLC=/nowhere/lib.bc"), "%s", o.log);
  drop(o);
  unsetenv("SLUICE_LIBCLC");
  setenv("XDG_CACHE_HOME", path, 1);
}

/* Objects with embedded headers are linked, also by way of a library; what is missing or there twice is told. */
static void linking(void) {
  struct ocl_text header = {"sub/shared.h", "int helper(int);\n#define K 5\n", 30}, object[3] = {{0}};
  static const char *const sources[] = {"#include <sub/shared.h>\n" STORE "helper(K) + get_global_id(0); }",
                                        "int helper(int x) { return x * 111; }",
                                        "int helper(int x) { return x; }"};
  char *log = NULL, *data[3] = {0}, *out = NULL, *ptx = NULL;
  size_t bytes = 0;
  for (int i = 0; i < 3; i++) {
    struct ocl_text s = {"s", sources[i], strlen(sources[i])};
    lib_check(ocl_compile_object(&s, &header, 1, "", &data[i], &bytes, &log), "%s", log);
    object[i] = (struct ocl_text){"o", data[i], bytes};
    free(log);
  }
  lib_check(ocl_link(object, 2, "", false, &ptx, &bytes, &log) && strstr(ptx, ".entry k") &&
                strstr(ptx, "ocl.arg 1") && strstr(ptx, "555"),
            "%s", log);
  free(ptx), free(log);
  lib_check(ocl_link(object + 1, 1, "-create-library", true, &out, &bytes, &log), "%s", log);
  free(log);
  struct ocl_text with[2] = {object[0], {"library", out, bytes}};
  lib_check(ocl_link(with, 2, "", false, &ptx, &bytes, &log) && strstr(ptx, "555"), "%s", log);
  free(ptx), free(log);
  lib_check(!ocl_link(object, 1, "", false, &ptx, &bytes, &log) && strstr(log, "'helper'"), "%s", log);
  free(log);
  lib_check(!ocl_link(object, 3, "", false, &ptx, &bytes, &log) && strstr(log, "helper"), "%s", log);
  free(log);
  struct ocl_text wrong = {"../up.h", "", 0}, s = {"s", sources[1], strlen(sources[1])};
  char *none = NULL;
  lib_check(!ocl_compile_object(&s, &wrong, 1, "", &none, &bytes, &log) && strstr(log, "../up.h"), "%s", log);
  free(log);
  for (int i = 0; i < 3; i++)
    free(data[i]);
  free(out);
}

int main(void) {
  if (!mkdtemp(folder))
    return 1;
  options();
  messages();
  images();
  language();
  arguments();
  cache();
  linking();
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command))
    puts("not removed");
  return lib_done();
}
