#include "instructions.h"
#include "base/mem.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_CALLGRIND
#include <valgrind/callgrind.h>

#define PIPE "SLUICE_BALANCE_PIPE" /* the variable in which its number is handed on */

enum { ANSWER = 1 << 16 }; /* as much as a pipe holds */

bool instructions_start(char **argv, struct error *err) {
  int fd[2];
  char self[4096], log[32], number[16];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0 || pipe(fd))
    return error_set(err, EXIT_RUNTIME, "cannot start anew under valgrind: %s", strerror(errno));
  self[n] = 0;
  snprintf(log, sizeof log, "--log-fd=%d", fd[1]);
  snprintf(number, sizeof number, "%d", fd[0]);
  setenv(PIPE, number, 1);
  size_t count = 0;
  while (argv[count])
    count++;
  const char *own[] = {"valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=/dev/null", log, self};
  size_t nown = sizeof own / sizeof *own;
  const char **all = xcalloc(nown + count, sizeof *all);
  memcpy(all, own, sizeof own);
  memcpy(all + nown, argv + 1, (count - 1) * sizeof *all);
  execvp("valgrind", (char *const *)(uintptr_t)all);
  int why = errno;
  free(all);
  close(fd[0]), close(fd[1]);
  unsetenv(PIPE);
  return error_set(err, EXIT_RUNTIME, "--instructions needs valgrind, which cannot be started: %s",
                   strerror(why));
}

int instructions_pipe(void) {
  const char *number = getenv(PIPE);
  return number && RUNNING_ON_VALGRIND ? atoi(number) : -1;
}

uint64_t instructions_read(void *pipe) {
  static const char name[] = "\nevents-1: ";
  CALLGRIND_TOGGLE_COLLECT;
  char text[ANSWER];
  (void)VALGRIND_MONITOR_COMMAND("status internal");
  ssize_t n = read(*(const int *)pipe, text, sizeof text - 1);
  text[n > 0 ? n : 0] = 0;
  const char *events = strstr(text, name);
  if (!events)
    panic("callgrind does not say how many instructions were executed, but '%.200s'", text);
  uint64_t count = strtoull(events + strlen(name), NULL, 10);
  CALLGRIND_TOGGLE_COLLECT;
  return count;
}
#else
bool instructions_start(char **argv, struct error *err) {
  (void)argv;
  return error_set(err, EXIT_RUNTIME,
                   "--instructions needs valgrind; its headers were not there when this was built");
}
int instructions_pipe(void) {
  return -1;
}
uint64_t instructions_read(void *pipe) {
  (void)pipe;
  return 0;
}
#endif
