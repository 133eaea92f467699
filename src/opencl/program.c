/* Programs: created from source or PTX, built, compiled and linked. program_info.c answers about them. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include <stdio.h>

static cl_program program_new(cl_context c) {
  cl_program p = object_new(KIND_PROGRAM, sizeof *p);
  p->context = c;
  object_hold(c);
  p->status = CL_BUILD_NONE;
  return p;
}

static bool is_object(const char *s, size_t n) {
  return n >= 4 && memcmp(s, "BC\xc0\xde", 4) == 0;
}

static cl_program from_source(cl_context c, cl_uint n, const char **strings, const size_t *lengths,
                              cl_int *err) {
  if (!object_is(c, KIND_CONTEXT))
    return fail(err, CL_INVALID_CONTEXT);
  for (cl_uint i = 0; i < n && strings; i++)
    if (!strings[i])
      return fail(err, CL_INVALID_VALUE);
  if (!n || !strings)
    return fail(err, CL_INVALID_VALUE);
  struct strbuf all = {0};
  for (cl_uint i = 0; i < n; i++) {
    size_t k = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    strbuf_addn(&all, strings[i], k);
  }
  cl_program p = program_new(c);
  p->source_bytes = all.n;
  p->source = all.n ? strbuf_take(&all) : xstrdup("");
  return succeed(err, p);
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context c, cl_uint n, const char **strings,
                                                 const size_t *lengths, cl_int *err) {
  ocl_lock();
  cl_program p = from_source(c, n, strings, lengths, err);
  ocl_unlock();
  return p;
}

/* SPIR-V begins with its magic number. */
static cl_program from_il(cl_context c, const void *il, size_t n, cl_int *err) {
  if (!object_is(c, KIND_CONTEXT))
    return fail(err, CL_INVALID_CONTEXT);
  if (!ocl_il_available())
    return fail(err, CL_INVALID_OPERATION);
  uint32_t magic = 0;
  if (il && n >= sizeof magic)
    memcpy(&magic, il, sizeof magic);
  if (magic != 0x07230203)
    return fail(err, CL_INVALID_VALUE);
  cl_program p = program_new(c);
  p->il = xmalloc(n);
  p->il_bytes = n;
  memcpy(p->il, il, n);
  return succeed(err, p);
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context c, const void *il, size_t n, cl_int *err) {
  ocl_lock();
  cl_program p = from_il(c, il, n, err);
  ocl_unlock();
  return p;
}

void module_drop(struct module *m) {
  if (!m || --m->users)
    return;
  sim_unload(ocl_sim(), m->sim);
  free(m->ptx);
  free(m);
}

/* Makes PTX runnable; what the simulator refuses goes into *log. */
static struct module *load(const char *ptx, size_t n, struct strbuf *log) {
  struct error why = {0};
  struct sim_module *sim = sim_load(ocl_sim(), ptx, n, "program.ptx", &why);
  if (!sim) {
    strbuf_addf(log, "%s\n", why.text);
    error_clear(&why);
    return NULL;
  }
  struct module *m = xcalloc(1, sizeof *m);
  m->users = 1;
  m->sim = sim;
  m->ptx = xstrndup(ptx, n);
  m->ptx_bytes = n;
  return m;
}

static cl_program from_binary(cl_context c, cl_uint n, const cl_device_id *devices, const size_t *lengths,
                              const unsigned char **binaries, cl_int *status, cl_int *err) {
  if (!object_is(c, KIND_CONTEXT))
    return fail(err, CL_INVALID_CONTEXT);
  if (!n || !devices || !lengths || !binaries)
    return fail(err, CL_INVALID_VALUE);
  for (cl_uint i = 0; i < n; i++) {
    if (!object_is(devices[i], KIND_DEVICE))
      return fail(err, CL_INVALID_DEVICE);
    if (!lengths[i] || !binaries[i]) {
      if (status)
        status[i] = CL_INVALID_VALUE;
      return fail(err, CL_INVALID_VALUE);
    }
  }
  const char *text = (const char *)binaries[0];
  size_t bytes = lengths[0];
  while (bytes && !text[bytes - 1]) /* some programs count the terminating zero */
    bytes--;
  bool object = is_object(text, lengths[0]);
  struct strbuf log = {0};
  struct module *m = object ? NULL : load(text, bytes, &log);
  strbuf_free(&log);
  for (cl_uint i = 0; status && i < n; i++)
    status[i] = object || m ? CL_SUCCESS : CL_INVALID_BINARY;
  if (!object && !m)
    return fail(err, CL_INVALID_BINARY);
  module_drop(m);
  cl_program p = program_new(c);
  p->binary_bytes = object ? lengths[0] : bytes;
  p->binary = xmalloc(p->binary_bytes + 1);
  memcpy(p->binary, text, p->binary_bytes);
  p->binary[p->binary_bytes] = '\0';
  p->type = object ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  return succeed(err, p);
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id *devices,
                                                 const size_t *lengths, const unsigned char **binaries,
                                                 cl_int *status, cl_int *err) {
  ocl_lock();
  cl_program p = from_binary(c, n, devices, lengths, binaries, status, err);
  ocl_unlock();
  return p;
}

/* The device has no built-in kernels, so no name can be right. */
cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context c, cl_uint n, const cl_device_id *devices,
                                                         const char *names, cl_int *err) {
  (void)n, (void)devices, (void)names;
  ocl_lock();
  bool is = object_is(c, KIND_CONTEXT);
  ocl_unlock();
  return fail(err, is ? CL_INVALID_VALUE : CL_INVALID_CONTEXT);
}

void program_destroy(cl_program p) {
  module_drop(p->module);
  free(p->source);
  free(p->il);
  free(p->binary);
  free(p->options);
  free(p->log);
  object_drop(p->context);
}

static cl_int check_devices(cl_uint n, const cl_device_id *devices) {
  if (!n != !devices)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < n; i++)
    if (!object_is(devices[i], KIND_DEVICE))
      return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

/* A new attempt forgets what the last one left. */
static void begin(cl_program p, const char *options) {
  module_drop(p->module);
  p->module = NULL;
  free(p->options);
  free(p->log);
  p->options = xstrdup(options ? options : "");
  p->log = NULL;
  p->status = CL_BUILD_IN_PROGRESS;
}

static cl_int end(cl_program p, bool ok, struct strbuf *log, cl_int failure) {
  p->log = xstrdup(strbuf_str(log));
  strbuf_free(log);
  p->status = ok ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  return ok ? CL_SUCCESS : failure;
}

/* Takes over what a compiler or linker made. */
static void adopt_binary(cl_program p, char *s, size_t n, cl_program_binary_type type) {
  free(p->binary);
  p->binary = s;
  p->binary_bytes = n;
  p->type = type;
}

/* Options for a compiler of source mean nothing any more; those for mathematics do. */
static bool make_from_il(cl_program p, const char *options, char **ptx, size_t *n, struct strbuf *log,
                         char **said) {
  struct ocl_text object = {.name = "program"};
  char *bytes = NULL;
  bool ok = ocl_il_object(p->il, p->il_bytes, &bytes, &object.n, said);
  object.s = bytes;
  if (ok) {
    strbuf_add(log, *said);
    free(*said);
    *said = NULL;
    char *why = NULL;
    bool math = ocl_options_check(options, true, &why) == OCL_OPTIONS_OK;
    free(why);
    ok = ocl_link(&object, 1, math ? options : NULL, false, ptx, n, said);
  }
  free(bytes);
  return ok;
}

static bool make_executable(cl_program p, const char *options, struct strbuf *log) {
  char *ptx = NULL, *said = NULL;
  size_t n = 0;
  bool ok = true;
  if (p->source) {
    struct strbuf with_lines = {0}; /* so that reports name lines of the source */
    strbuf_addf(&with_lines, "-g %s", options ? options : "");
    ok = ocl_compile(p->source, p->source_bytes, strbuf_str(&with_lines), &ptx, &n, &said);
    strbuf_free(&with_lines);
  } else if (p->il) {
    ok = make_from_il(p, options, &ptx, &n, log, &said);
  } else if (is_object(p->binary, p->binary_bytes)) {
    struct ocl_text object = {"program", p->binary, p->binary_bytes};
    ok = ocl_link(&object, 1, options, false, &ptx, &n, &said);
  }
  if (said)
    strbuf_add(log, said);
  free(said);
  if (ok && ptx)
    adopt_binary(p, ptx, n, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  p->module = ok ? load(p->binary, p->binary_bytes, log) : NULL;
  if (!p->module && (p->source || p->il))
    adopt_binary(p, NULL, 0, CL_PROGRAM_BINARY_TYPE_NONE);
  return p->module != NULL;
}

/* Wrong options leave a log that names them. */
static bool options_fit(cl_program p, const char *options) {
  char *said = NULL;
  struct strbuf log = {0};
  bool ok = ocl_options_check(options, false, &said) == OCL_OPTIONS_OK;
  if (!ok) {
    begin(p, options);
    strbuf_add(&log, said);
    end(p, false, &log, CL_BUILD_ERROR);
  }
  free(said);
  return ok;
}

static cl_int build(cl_program p, cl_uint n, const cl_device_id *devices, const char *options,
                    void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  if (!object_is(p, KIND_PROGRAM))
    return CL_INVALID_PROGRAM;
  cl_int bad = check_devices(n, devices);
  if (bad || (!notify && data))
    return bad ? bad : CL_INVALID_VALUE;
  if (p->nkernels)
    return CL_INVALID_OPERATION;
  if (!options_fit(p, options))
    return CL_INVALID_BUILD_OPTIONS;
  struct strbuf log = {0};
  begin(p, options);
  bool ok = make_executable(p, options, &log);
  cl_int r = end(p, ok, &log, CL_BUILD_PROGRAM_FAILURE);
  if (notify)
    callback_program(p, notify, data);
  return r;
}

cl_int CL_API_CALL clBuildProgram(cl_program p, cl_uint n, const cl_device_id *devices, const char *options,
                                  void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  ocl_lock();
  cl_int r = build(p, n, devices, options, notify, data);
  ocl_unlock();
  return r;
}

static cl_int gather_headers(cl_uint n, const cl_program *programs, const char **names,
                             struct ocl_text *out) {
  for (cl_uint i = 0; i < n; i++) {
    if (!object_is(programs[i], KIND_PROGRAM))
      return CL_INVALID_PROGRAM;
    if (!programs[i]->source || !names[i])
      return CL_INVALID_VALUE;
    out[i] = (struct ocl_text){names[i], programs[i]->source, programs[i]->source_bytes};
  }
  return CL_SUCCESS;
}

static cl_int compile(cl_program p, cl_uint n, const cl_device_id *devices, const char *options,
                      cl_uint nheaders, const cl_program *headers, const char **names,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  if (!object_is(p, KIND_PROGRAM))
    return CL_INVALID_PROGRAM;
  cl_int bad = check_devices(n, devices);
  if (bad || (!notify && data) || !nheaders != !headers || !nheaders != !names)
    return bad ? bad : CL_INVALID_VALUE;
  if ((!p->source && !p->il) || p->nkernels)
    return CL_INVALID_OPERATION;
  if (!options_fit(p, options))
    return CL_INVALID_COMPILER_OPTIONS;
  struct ocl_text *texts = xcalloc(nheaders + 1u, sizeof *texts);
  bad = gather_headers(nheaders, headers, names, texts);
  if (!bad) {
    struct strbuf log = {0};
    char *object = NULL, *said = NULL;
    size_t bytes = 0;
    begin(p, options);
    struct ocl_text source = {"program.cl", p->source, p->source_bytes};
    bool ok = p->il ? ocl_il_object(p->il, p->il_bytes, &object, &bytes, &said)
                    : ocl_compile_object(&source, texts, nheaders, options, &object, &bytes, &said);
    adopt_binary(p, ok ? object : NULL, ok ? bytes : 0,
                 ok ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT : CL_PROGRAM_BINARY_TYPE_NONE);
    strbuf_add(&log, said ? said : "");
    free(said);
    bad = end(p, ok, &log, CL_COMPILE_PROGRAM_FAILURE);
    if (notify)
      callback_program(p, notify, data);
  }
  free(texts);
  return bad;
}

cl_int CL_API_CALL clCompileProgram(cl_program p, cl_uint n, const cl_device_id *devices, const char *options,
                                    cl_uint nheaders, const cl_program *headers, const char **names,
                                    void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  ocl_lock();
  cl_int r = compile(p, n, devices, options, nheaders, headers, names, notify, data);
  ocl_unlock();
  return r;
}

static cl_int gather_objects(cl_uint n, const cl_program *programs, struct ocl_text *out) {
  for (cl_uint i = 0; i < n; i++) {
    if (!object_is(programs[i], KIND_PROGRAM))
      return CL_INVALID_PROGRAM;
    if (!programs[i]->binary || !is_object(programs[i]->binary, programs[i]->binary_bytes))
      return CL_INVALID_OPERATION; /* not compiled */
    out[i] = (struct ocl_text){"object", programs[i]->binary, programs[i]->binary_bytes};
  }
  return CL_SUCCESS;
}

static cl_program link_program(cl_context c, const char *options, cl_uint n, const cl_program *programs,
                               cl_int *err) {
  struct ocl_text *objects = xcalloc(n, sizeof *objects);
  cl_int bad = gather_objects(n, programs, objects);
  if (bad) {
    free(objects);
    return fail(err, bad);
  }
  bool library = options && strstr(options, "-create-library");
  struct strbuf log = {0};
  char *out = NULL, *said = NULL;
  size_t bytes = 0;
  cl_program p = program_new(c);
  begin(p, options);
  bool ok = ocl_link(objects, n, options, library, &out, &bytes, &said);
  strbuf_add(&log, said ? said : "");
  free(said);
  free(objects);
  if (ok) {
    adopt_binary(p, out, bytes, library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ok = library || (p->module = load(out, bytes, &log));
  }
  bad = end(p, ok, &log, CL_LINK_PROGRAM_FAILURE);
  if (err)
    *err = bad;
  return p; /* a failed one too: its log tells why */
}

cl_program CL_API_CALL clLinkProgram(cl_context c, cl_uint n, const cl_device_id *devices,
                                     const char *options, cl_uint count, const cl_program *programs,
                                     void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *err) {
  ocl_lock();
  cl_program p = NULL;
  cl_int bad = object_is(c, KIND_CONTEXT) ? check_devices(n, devices) : CL_INVALID_CONTEXT;
  if (!bad && (!count || !programs || (!notify && data)))
    bad = CL_INVALID_VALUE;
  char *said = NULL;
  if (!bad && ocl_options_check(options, true, &said) != OCL_OPTIONS_OK) {
    bad = CL_INVALID_LINKER_OPTIONS;
    fprintf(stderr, "sluice: clLinkProgram: %s", said); /* there is no program to hold a log */
  }
  free(said);
  if (bad)
    fail(err, bad);
  else if ((p = link_program(c, options, count, programs, err)) && notify)
    callback_program(p, notify, data);
  ocl_unlock();
  return p;
}

RETAIN_RELEASE(Program, cl_program, KIND_PROGRAM, CL_INVALID_PROGRAM)
