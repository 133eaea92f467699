/* Processors of the host that this process may use. */
#ifndef SLUICE_BASE_CORES_H
#define SLUICE_BASE_CORES_H

/* As many as affinity and the quotas of control groups allow, at least 1. */
unsigned cores_allowed(void);
/* Threads that could run without waiting for other processes, at least 1, while so many of ours run. */
unsigned cores_free(unsigned ours);

/* For tests. The quota of the groups that `self` (/proc/self/cgroup) names and of those above them, below `root` (where
 * control groups are mounted), in whole processors, at least 1; 0: there is none. */
unsigned cores_quota(const char *root, const char *self);
/* Threads that run, of /proc/loadavg's text; 0: not known. */
unsigned cores_running(const char *loadavg);

#endif
