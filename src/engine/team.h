/* Threads that do pieces of work together, in any order, while whoever has them done waits and helps.
 *
 *   leader   ─ team_run ■ ■ ■ ■ ─ all done
 *   helpers  ···········■ ■ ■   ···· asleep until the next time
 *
 * A helper that wakes up late finds nothing left, and nobody waits for it. */
#ifndef SLUICE_ENGINE_TEAM_H
#define SLUICE_ENGINE_TEAM_H

#include <stddef.h>

struct team;
/* With so many threads, the leader among them; they are started when there is work. NULL for fewer than two. */
struct team *team_new(unsigned threads);
void team_free(struct team *t);
unsigned team_size(const struct team *t);
/* work(ctx, who, k) for every k < n once; `who` is below team_size() and no two of the same run at a time. */
void team_run(struct team *t, size_t n, void (*work)(void *ctx, unsigned who, size_t k), void *ctx);

#endif
