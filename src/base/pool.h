/* What a handle of the library owns, so that all of it can be given back where nobody is left who knows: an error that leaves the inside by
 * longjmp (base/rescue.h) forgets who had allocated what. A pool knows the memory that xmalloc() and its like return and free() takes
 * (base/free.h) while it is the thread's, and other things by their endings. Without a pool nothing is noted. */
#ifndef SLUICE_BASE_POOL_H
#define SLUICE_BASE_POOL_H

#include <stdbool.h>
#include <stdio.h>

struct pool;
struct pool *pool_new(void); /* NULL: no memory */
/* Ends what has an ending, the latest first, and frees all memory. NULL: nothing. */
void pool_release(struct pool *p);
/* Knows nothing any more: memory and things stay, with their owners. NULL: nothing. */
void pool_drop(struct pool *p);

/* The thread's from here on; NULL: none. Returns the one before. */
struct pool *pool_enter(struct pool *p);
struct pool *pool_here(void);

/* Something that is not memory: where the pool is released, end(thing) is called. pool_ended(): its owner has ended it. Without memory to note it
 * down, it is ended at once and the error raised. */
void pool_ends(void (*end)(void *thing), void *thing);
void pool_ended(const void *thing);
/* The same of a file that was opened (NULL stays NULL), and fclose() of it. */
FILE *pool_file(FILE *f);
int pool_fclose(FILE *f);

/* Memory leaves the pool: its owner is outside. */
void pool_forget(const void *memory);

/* For base/mem.c. False: no memory to note it down. */
bool pool_note(void *memory);

#endif
