/* Threads that do pieces of work together, in any order; the leader, which calls team_run(), helps and waits until all pieces are done.
 *
 *   leader   ─ team_run ■ ■ ■ ■ ─ all done
 *   helpers  ···········■ ■ ■   ···· asleep until the next time
 *
 * A helper that wakes up late finds nothing left, and nobody waits for it. */
#ifndef SLUICE_ENGINE_TEAM_H
#define SLUICE_ENGINE_TEAM_H

#include <stddef.h>

struct team;
/* A team of so many threads, the leader among them; the first team_run() starts the others. NULL for fewer than two. */
struct team *team_new(unsigned threads);
void team_free(struct team *t);
unsigned team_size(const struct team *t);
/* Calls work(ctx, who, k) once for every k < n; `who`, the thread, is below team_size(), and no two calls with the same
 * `who` run at a time. */
void team_run(struct team *t, size_t n, void (*work)(void *ctx, unsigned who, size_t k), void *ctx);

#endif
