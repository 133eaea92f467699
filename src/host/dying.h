/* A program that is interrupted, terminated or crashes: what its kernels did until then is told all the same.
 *
 * Signals that the program leaves to their default action (SIGINT, SIGTERM, and those of a crash) are taken here. While a
 * launch runs, the launch is asked to stop and whoever ran it tells; otherwise a thread of the driver's own does. The
 * signal then takes its default action. */
#ifndef SLUICE_HOST_DYING_H
#define SLUICE_HOST_DYING_H

struct dying;

/* `tell` is called once, by one thread, while no launch runs. */
struct dying *dying_watch(void (*tell)(void *ctx, int sig), void *ctx);
/* Around each launch. The end does not return if the process is to die. */
void dying_begin(struct dying *d);
void dying_end(struct dying *d);

#endif
