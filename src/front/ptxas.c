#include "front/ptxas.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "front/registers.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define USUAL_PLACE "/usr/local/cuda/bin/ptxas"
enum { USUAL_TARGET = 90, MOST_LOG = 64 << 20 };

/* Along PATH, then where CUDA's installer puts it; NULL if there is none. */
static char *find_ptxas(struct error *err) {
  const char *given = getenv("SLUICE_PTXAS"), *path = getenv("PATH");
  if (given && *given) {
    if (access(given, X_OK) == 0)
      return xstrdup(given);
    error_set(err, EXIT_USAGE, "SLUICE_PTXAS=%.200s: %s", given, strerror(errno));
    return NULL;
  }
  for (const char *p = path ? path : ""; *p;) {
    size_t n = strcspn(p, ":");
    struct strbuf file = {0};
    strbuf_addn(&file, p, n);
    strbuf_add(&file, "/ptxas");
    if (n && access(file.s, X_OK) == 0)
      return strbuf_take(&file);
    strbuf_free(&file);
    p += n + (p[n] == ':');
  }
  if (access(USUAL_PLACE, X_OK) == 0)
    return xstrdup(USUAL_PLACE);
  error_set(err, EXIT_USAGE,
            "front.registers = ptxas: there is no ptxas along PATH, nor %s, and SLUICE_PTXAS names none; "
            "front.registers = builtin needs none",
            USUAL_PLACE);
  return NULL;
}

/* "sm_90a" → 90; 0: it is none */
static unsigned target_number(const char *s) {
  if (strncmp(s, "sm_", 3) != 0)
    return 0;
  char *end;
  unsigned long v = strtoul(s + 3, &end, 10);
  bool suffix = *end == 'a' || *end == 'f';
  return s[3] >= '1' && s[3] <= '9' && v < 1000 && !end[suffix] ? (unsigned)v : 0;
}

bool ptxas_target_valid(const char *value) {
  return strcmp(value, "auto") == 0 || target_number(value);
}

/* Its messages in `log`. -1: it did not start. */
static int assemble(const char *ptxas, const char *target, const char *in, const char *log) {
  struct strbuf arch = {0};
  strbuf_addf(&arch, "-arch=%s", target);
  char *argv[] = {(char[]){"ptxas"},     (char[]){"-v"}, arch.s, (char[]){"-o"},
                  (char[]){"/dev/null"}, xstrdup(in),    NULL};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t pid;
  int status = 0, why = posix_spawn(&pid, ptxas, &files, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  free(argv[5]);
  strbuf_free(&arch);
  if (why) {
    errno = why;
    return -1;
  }
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return errno == ECHILD ? 0 : -1; /* the host ignores SIGCHLD: the messages tell */
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* "ptxas info : Compiling entry function 'NAME' for 'sm_90'", then "... Used N registers, ..." */
static void note_counts(struct program *p, const char *log) {
  static const char compiling[] = "Compiling entry function '", used[] = "Used ";
  size_t kernel = SIZE_MAX;
  for (const char *line = log, *end; *line; line = end + (*end != '\0')) {
    end = line + strcspn(line, "\n");
    const char *at = memmem(line, (size_t)(end - line), compiling, sizeof compiling - 1);
    if (at) {
      at += sizeof compiling - 1;
      size_t n = strcspn(at, "'");
      kernel = SIZE_MAX;
      for (size_t i = 0; i < program_kernels(p); i++)
        if (strncmp(program_kernel_at(p, i)->name, at, n) == 0 && !program_kernel_at(p, i)->name[n])
          kernel = i;
      continue;
    }
    at = memmem(line, (size_t)(end - line), used, sizeof used - 1);
    if (at && kernel != SIZE_MAX) {
      unsigned long v = strtoul(at + sizeof used - 1, NULL, 10);
      program_count_registers(p, kernel, REGISTERS_PTXAS, v <= REGISTERS_MOST ? (uint32_t)v : REGISTERS_MOST);
      kernel = SIZE_MAX;
    }
  }
}

static bool read_counts(struct program *p, const char *path, int code, const char *log, struct error *err) {
  if (code)
    return error_set(err, EXIT_USAGE, "%s: ptxas ended with %d: %.*s", path, code, (int)strcspn(log, "\n"),
                     log);
  note_counts(p, log);
  for (size_t i = 0; i < program_kernels(p); i++)
    if (!program_kernel_at(p, i)->counted[REGISTERS_PTXAS])
      return error_set(err, EXIT_USAGE, "%s: ptxas says nothing of the registers of kernel '%s'", path,
                       program_kernel_at(p, i)->name);
  return true;
}

static bool run(struct program *p, const char *ptxas, const char *path, const char *text, size_t n,
                const char *target, struct error *err) {
  const char *tmp = getenv("TMPDIR");
  struct strbuf folder = {0}, in = {0}, log = {0};
  strbuf_addf(&folder, "%s/sluice-ptxas-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(folder.s)) {
    error_set(err, EXIT_RUNTIME, "%s: %s", folder.s, strerror(errno));
    strbuf_free(&folder);
    return false;
  }
  strbuf_addf(&in, "%s/in.ptx", folder.s), strbuf_addf(&log, "%s/log", folder.s);
  bool ok = !text || file_write_atomic(in.s, text, n, err);
  int code = ok ? assemble(ptxas, target, text ? in.s : path, log.s) : -1;
  if (ok && code < 0)
    ok = error_set(err, EXIT_RUNTIME, "%s: %s", ptxas, strerror(errno));
  size_t bytes;
  char *said = ok ? file_read(log.s, MOST_LOG, &bytes, err) : NULL;
  ok = said && read_counts(p, path, code, said, err);
  free(said);
  unlink(in.s), unlink(log.s), rmdir(folder.s);
  strbuf_free(&folder), strbuf_free(&in), strbuf_free(&log);
  return ok;
}

bool ptxas_count(struct program *p, const char *path, const char *text, size_t n, const char *target,
                 struct error *err) {
  char *ptxas = program_kernels(p) ? find_ptxas(err) : NULL;
  if (!ptxas)
    return !program_kernels(p);
  char own[16];
  if (strcmp(target, "auto") == 0) {
    const char *wanted = program_target(p); /* "sm_75", and options behind a comma */
    snprintf(own, sizeof own, "%.*s", (int)strcspn(wanted, ", "), wanted);
    if (target_number(own) < USUAL_TARGET)
      snprintf(own, sizeof own, "sm_%d", USUAL_TARGET);
    target = own;
  }
  bool ok = run(p, ptxas, path, text, n, target, err);
  free(ptxas);
  return ok;
}
