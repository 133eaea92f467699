/* Which lane each unit of a GPU is of, so that all lanes have as much to do as can be foreseen.
 *
 * What a unit does in a cycle depends on the kernel, so every lane gets its share of each kind; and neighbours, which tend to
 * be busy in the same cycles, go to different lanes where there are more than two. */
#ifndef SLUICE_GPU_PARTITIONER_H
#define SLUICE_GPU_PARTITIONER_H

#include <stdbool.h>
#include <stdint.h>

enum deal_kind { DEAL_REQUEST, DEAL_RESPONSE, DEAL_CHANNEL, DEAL_LINK, DEAL_KINDS };

struct deal {
  uint32_t n[DEAL_KINDS]; /* parts of the two crossbars; channels; links, each with its SMs */
  bool one_memory;        /* the channels are one unit, in lane 0 */
  bool long_windows;      /* of more than a cycle */
  uint8_t *lane[DEAL_KINDS];
};

/* With n and one_memory set. */
void deal_init(struct deal *d, unsigned lanes);
void deal_destroy(struct deal *d);

#endif
