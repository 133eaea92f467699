/* Finding clang and libclc, and running programs.
 *
 * LLVM reads bitcode of its own version and older ones, and libclc says which clang made it. So the clang of that
 * version is taken, or else the next newer one. SLUICE_CLANG and SLUICE_LIBCLC name others. */
#include "base/file.h"
#include "base/mem.h"
#include "opencl/compiler.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define LIBCLC_NAME "nvptx64--nvidiacl.bc"
enum { OLDEST_CLANG = 14, NEWEST_CLANG = 30, MAX_LIBCLC = 64 << 20 };

/* The program of that name along PATH; NULL if there is none. */
static char *find_program(const char *name) {
  if (strchr(name, '/'))
    return access(name, X_OK) == 0 ? xstrdup(name) : NULL;
  const char *path = getenv("PATH");
  for (const char *p = path ? path : "/usr/local/bin:/usr/bin:/bin"; *p;) {
    size_t n = strcspn(p, ":");
    struct strbuf file = {0};
    strbuf_addn(&file, p, n);
    strbuf_addf(&file, "%s%s", n ? "/" : "./", name);
    if (access(strbuf_str(&file), X_OK) == 0)
      return strbuf_take(&file);
    strbuf_free(&file);
    p += n + (p[n] == ':');
  }
  return NULL;
}

static char *find_libclc(struct strbuf *log) {
  const char *given = getenv("SLUICE_LIBCLC");
  if (given && *given) {
    if (access(given, R_OK) == 0)
      return xstrdup(given);
    strbuf_addf(log, "error: SLUICE_LIBCLC=%s: %s\n", given, strerror(errno));
    return NULL;
  }
  static const char *const places[] = {"/usr/lib/clc/", "/usr/share/clc/", "/usr/local/lib/clc/",
                                       "/usr/local/share/clc/"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    struct strbuf file = {0};
    strbuf_addf(&file, "%s%s", places[i], LIBCLC_NAME);
    if (access(strbuf_str(&file), R_OK) == 0)
      return strbuf_take(&file);
    strbuf_free(&file);
  }
  strbuf_add(log, "error: no libclc: /usr/lib/clc/" LIBCLC_NAME
                  " is missing (Debian's package libclc-16), and SLUICE_LIBCLC names no other\n");
  return NULL;
}

/* The major version of the clang that made it; 0 if it does not say. */
static unsigned libclc_version(const char *path) {
  static const char mark[] = "clang version ";
  struct error ignored = {0};
  size_t n = 0;
  char *data = file_read(path, MAX_LIBCLC, &n, &ignored);
  error_clear(&ignored);
  const char *at = data ? memmem(data, n, mark, sizeof mark - 1) : NULL;
  unsigned v = at ? (unsigned)strtoul(at + sizeof mark - 1, NULL, 10) : 0;
  free(data);
  return v;
}

static char *find_clang(const char *libclc, struct strbuf *log) {
  const char *given = getenv("SLUICE_CLANG");
  if (given && *given) {
    char *clang = find_program(given);
    if (!clang)
      strbuf_addf(log, "error: SLUICE_CLANG=%s: no such program\n", given);
    return clang;
  }
  unsigned v = libclc_version(libclc);
  for (unsigned i = v ? v : OLDEST_CLANG; i <= NEWEST_CLANG; i++) {
    char name[32];
    snprintf(name, sizeof name, "clang-%u", i);
    char *clang = find_program(name);
    if (clang)
      return clang;
  }
  strbuf_addf(log,
              "error: no compiler for OpenCL C: %s needs clang-%u or newer, and SLUICE_CLANG names none\n",
              libclc, v ? v : OLDEST_CLANG);
  return NULL;
}

/* Newer ones first; each writes bitcode of its own version of LLVM. SLUICE_LLVM_SPIRV names another. */
char *tools_spirv(void) {
  const char *given = getenv("SLUICE_LLVM_SPIRV");
  if (given && *given)
    return find_program(given);
  struct strbuf ignored = {0};
  char *libclc = find_libclc(&ignored);
  unsigned v = libclc ? libclc_version(libclc) : 0;
  strbuf_free(&ignored);
  free(libclc);
  char *found = NULL;
  for (unsigned i = v; i >= OLDEST_CLANG && !found; i--) {
    char name[32];
    snprintf(name, sizeof name, "llvm-spirv-%u", i);
    found = find_program(name);
  }
  return found ? found : find_program("llvm-spirv");
}

static void identify(struct strbuf *to, const char *path) {
  struct stat st;
  if (stat(path, &st) == 0)
    strbuf_addf(to, "%s %lld %lld.%ld\n", path, (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                st.st_mtim.tv_nsec);
}

bool tools_find(struct tools *t, struct strbuf *log) {
  *t = (struct tools){0};
  t->libclc = find_libclc(log);
  t->clang = t->libclc ? find_clang(t->libclc, log) : NULL;
  if (!t->clang)
    return false;
  identify(&t->identity, t->clang);
  identify(&t->identity, t->libclc);
  return true;
}

void tools_free(struct tools *t) {
  free(t->clang);
  free(t->libclc);
  strbuf_free(&t->identity);
}

static int spawn(pid_t *pid, char *const *argv, const char *in, const char *log) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attr;
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  /* What the host program does with its signals is no concern of the compiler. */
  static const int reset[] = {SIGPIPE, SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
    sigaddset(&usual, reset[i]);
  posix_spawnattr_init(&attr);
  posix_spawnattr_setsigmask(&attr, &none);
  posix_spawnattr_setsigdefault(&attr, &usual);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, in ? in : "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
#endif
  int why = posix_spawn(pid, argv[0], &files, &attr, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attr);
  return why;
}

int tools_run(const struct words *command, const char *in, const char *log) {
  char **argv = xcalloc(command->n + 1, sizeof *argv);
  if (command->n)
    memcpy(argv, command->w, command->n * sizeof *argv);
  pid_t pid;
  int why = spawn(&pid, argv, in, log), status = 0;
  free(argv);
  if (why) {
    errno = why;
    return -1;
  }
  while (waitpid(pid, &status, 0) < 0)
    if (errno == ECHILD) /* the host ignores SIGCHLD: whether there is output tells */
      return 0;
    else if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
