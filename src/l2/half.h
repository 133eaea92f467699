/* The GPU in two halves (l2.halves).
 *
 * SMs and slices lie in two halves; two slices of a channel are neighbours, one in each. A line is of one slice, its own. Atomics and
 * stores go there. A read goes to the slice of its SM's half, keeps that one busy and is answered from there; if the line is not
 * one of that slice's, the read is looked up in the neighbour by a twin: a request with a handle of the neighbour's. So a line that all
 * SMs read is served by two slices. The half that has not the line keeps a copy, which takes a way, and no data. */
#ifndef SLUICE_L2_HALF_H
#define SLUICE_L2_HALF_H

#include "l2/slice.h"

/* What the neighbour knows of reservation fails of its own. */
struct half_before {
  uint64_t refused, since, epoch;
  uint32_t sure;
  enum sluice_fail why;
};

/* A look-up of a request's twin, which is made here if there is none. half_end() takes over what the request then waits for. */
struct half_before half_begin(const struct partition *c, struct l2_slice *s, uint32_t h);
void half_end(const struct partition *c, struct l2_slice *s, uint32_t h, const struct half_before *before,
              bool passes);
/* Nothing has happened since the twin's reservation fail that could end it. */
static inline bool half_waits(const struct l2_slice *s, uint32_t h) {
  uint32_t twin = s->parent[h].twin;
  return twin != UINT32_MAX && s->beside->parent[twin].epoch == s->beside->epoch;
}
/* A twin has all its sectors: the answer is that of the request in the neighbour, whose slice and handle these are then. */
void half_served(struct l2_slice **s, uint32_t *h);
/* Keeps a copy of a request's line in the half of its SM, if that is not the line's. */
void half_copy(struct partition *c, struct l2_slice *s, uint32_t h);

#endif
