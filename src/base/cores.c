#include "base/cores.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first line of a file; false: it cannot be read. */
static bool first_line(const char *path, char *line, size_t size) {
  FILE *f = fopen(path, "r");
  if (!f)
    return false;
  bool ok = fgets(line, (int)size, f) != NULL;
  fclose(f);
  return ok;
}

static bool number_in(const char *folder, const char *file, long long *n) {
  char line[64];
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/%s", folder, file);
  bool ok = first_line(path.s, line, sizeof line) && sscanf(line, "%lld", n) == 1;
  strbuf_free(&path);
  return ok;
}

/* Whole processors of a quota in a period; 0: no quota. */
static unsigned processors(long long quota, long long period) {
  if (quota <= 0 || period <= 0)
    return 0;
  return quota < period ? 1 : (unsigned)(quota / period);
}

/* Of one group: version 2 has "cpu.max" with quota, or "max", and period; version 1 a file for each. */
static unsigned quota_of(const char *folder) {
  char line[64];
  long long quota = 0, period = 0;
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/cpu.max", folder);
  bool two = first_line(path.s, line, sizeof line) && sscanf(line, "%lld %lld", &quota, &period) == 2;
  strbuf_free(&path);
  if (!two &&
      !(number_in(folder, "cpu.cfs_quota_us", &quota) && number_in(folder, "cpu.cfs_period_us", &period)))
    return 0;
  return processors(quota, period);
}

static unsigned lesser(unsigned a, unsigned b) {
  return !a || (b && b < a) ? b : a;
}

/* A group and those above it, up to the root of the hierarchy. */
static unsigned quota_up(const char *root, const char *controllers, const char *group) {
  struct strbuf path = {0};
  strbuf_addf(&path, "%s%s%s%s", root, *controllers ? "/" : "", controllers, group);
  size_t top = strlen(root) + (*controllers ? 1 + strlen(controllers) : 0);
  char *p = path.s;
  unsigned least = quota_of(p);
  for (size_t n = strlen(p); n > top; n--)
    if (p[n - 1] == '/') {
      p[n - 1] = 0;
      least = lesser(least, quota_of(p));
    }
  strbuf_free(&path);
  return least;
}

static bool has_cpu(const char *controllers) {
  for (const char *c = controllers; *c; c += strcspn(c, ","), c += *c == ',')
    if (strcspn(c, ",") == 3 && strncmp(c, "cpu", 3) == 0)
      return true;
  return false;
}

/* Lines are "0::/group" (version 2) and "N:cpu,cpuacct:/group" (version 1). */
unsigned cores_quota(const char *root, const char *self) {
  char line[4096];
  unsigned least = 0;
  FILE *f = fopen(self, "r");
  if (!f)
    return 0;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
      continue;
    *group++ = 0, controllers++;
    if (!*controllers) {
      least = lesser(least, quota_up(root, "", group));
    } else if (has_cpu(controllers)) { /* mounted by the names of all, or by the first */
      least = lesser(least, quota_up(root, controllers, group));
      least = lesser(least, quota_up(root, "cpu", group));
    }
  }
  fclose(f);
  return least;
}

static unsigned online(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (unsigned)n : 1;
}

/* What Slurm gave this task, where nothing but a variable says so; 0: no such variable. */
static unsigned slurm_cores(void) {
  const char *task = getenv("SLURM_CPUS_PER_TASK"), *node = getenv("SLURM_CPUS_ON_NODE");
  int n = task && *task ? atoi(task) : node && *node ? atoi(node) : 0;
  return n > 0 ? (unsigned)n : 0;
}

unsigned cores_allowed(void) {
  unsigned n = lesser(online(), slurm_cores());
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    n = lesser(n, (unsigned)CPU_COUNT(&set));
  n = lesser(n, cores_quota("/sys/fs/cgroup", "/proc/self/cgroup"));
#endif
  return n;
}

unsigned cores_running(const char *loadavg) {
  unsigned running, all;
  return sscanf(loadavg, "%*f %*f %*f %u/%u", &running, &all) == 2 ? running : 0;
}

unsigned cores_free(unsigned ours) {
  char line[128];
  unsigned n = online(), running = first_line("/proc/loadavg", line, sizeof line) ? cores_running(line) : 0;
  unsigned others = running > ours ? running - ours : 0;
  return others < n ? n - others : 1;
}
