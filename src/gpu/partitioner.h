/* Which shard each unit of a GPU is of, so that all shards have as much to do as can be foreseen.
 *
 * What a unit does in a cycle depends on the kernel, so every shard gets its share of each kind; and neighbours, which tend to
 * be busy in the same cycles, go to different shards where there are more than two. */
#ifndef SLUICE_GPU_PARTITIONER_H
#define SLUICE_GPU_PARTITIONER_H

#include <stdbool.h>
#include <stdint.h>

enum partitioner_kind {
  PARTITIONER_REQUEST,
  PARTITIONER_RESPONSE,
  PARTITIONER_CHANNEL,
  PARTITIONER_LINK,
  PARTITIONER_KINDS
};

struct partitioner {
  uint32_t n[PARTITIONER_KINDS]; /* parts of the two crossbars; channels; links, each with its SMs */
  bool one_memory;               /* the channels are one unit, in shard 0 */
  bool long_windows;             /* of more than a cycle */
  uint8_t *shard[PARTITIONER_KINDS];
};

/* With n and one_memory set. */
void partitioner_init(struct partitioner *d, unsigned shards);
void partitioner_destroy(struct partitioner *d);

#endif
