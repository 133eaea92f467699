/* What an mbarrier's word becomes; its layout is in ptx/lower_mbarrier.c.
 *
 * The argument of a step: bytes announced (negative: arrived) in the upper half, MBARRIER_DROP if
 * whoever arrives will be missing from later phases, and the number of arrivals. */
#include "front/run/run.h"

uint64_t mbarrier_next(uint64_t word, uint64_t step) {
  uint64_t missing = word & MBARRIER_COUNT, each = word >> 20 & MBARRIER_COUNT, phase = word >> 63;
  uint64_t bytes = (word >> 40 & 0x3fffff) + (step >> 32), arrivals = step & MBARRIER_COUNT;
  if (arrivals > missing)
    arrivals = missing;
  missing -= arrivals;
  if (step & MBARRIER_DROP)
    each -= each < arrivals ? each : arrivals;
  bytes &= 0x3fffff;
  if (!missing && !bytes)
    phase ^= 1, missing = each;
  return phase << 63 | bytes << 40 | each << 20 | missing;
}
