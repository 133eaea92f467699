/* The cache of recorded streams: functional work is done once and shared by all points that need it.
 *
 * A stream lies under its hash (lab_point.stream_id) in a folder that processes and machines may share. It appears
 * whole; reading it checks every part (front/trace/trace.h). Beyond a limit those unused for longest go. */
#ifndef SLUICE_LAB_STREAMS_H
#define SLUICE_LAB_STREAMS_H

#include "lab/spec.h"

enum { LAB_STREAMS_GIB = 16 }; /* limit unless another is given */

/* The folder of the user's cache; NULL: there is none. Free it. */
char *lab_streams_default(void);
/* The path of a stream, whether it is there or not. */
void lab_streams_path(const struct lab_streams *c, const char *id, struct strbuf *to);
bool lab_streams_has(const struct lab_streams *c, const char *id);

/* Makes `id` be there: calls `record` with the path to write unless it is, while others that want the same
 * wait. False: it could not be made; whoever wanted it goes on without. */
bool lab_streams_need(const struct lab_streams *c, const char *id,
                      bool (*record)(void *ctx, const char *path), void *ctx);
/* Was a reading that failed the fault of the file? Then it is removed. */
bool lab_streams_damaged(const struct lab_streams *c, const char *id);

#endif
