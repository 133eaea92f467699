/* From addresses to places: which channel, rank, bank group, bank, row and column a block lies in.
 *
 * A mapping is a string of letters, most significant bit first, one letter for each address bit above
 * the bytes of a burst; a number repeats the letter before it:
 *
 *   rrrrrrrrrrrrrrrrbbcccccccgg   or   r16b2c7g2
 *
 *   r row   b bank   g bank group   k rank   h channel   c column
 *
 * After the bits, hashes: `b0^r3^r7` exclusive-ors row bits 3 and 7 into bank bit 0 (bit 0 is the least
 * significant of a field). Fields are separated by commas: "r16b2c7g2,g0^r0,g1^r1". Only r and c bits may
 * be sources, and only b, g, k and h bits targets: that keeps the mapping one to one.
 *
 * Named mappings take the bit counts of the device:
 *   bglow   row rank bank column group channel   consecutive blocks rotate over bank groups
 *   collow  row rank bank group column channel   consecutive blocks stay in a row
 * Channels rotate fastest in both. */
#ifndef SLUICE_DRAM_MAPPING_H
#define SLUICE_DRAM_MAPPING_H

#include "dram/device.h"
#include <stdint.h>

enum dram_field { DRAM_ROW, DRAM_BANK, DRAM_GROUP, DRAM_RANK, DRAM_CHANNEL, DRAM_COLUMN, DRAM_FIELDS };

struct dram_place {
  uint32_t field[DRAM_FIELDS];
  uint32_t bank; /* number of the bank in its channel: rank, group and bank together (dram_map_place()) */
};

/* Bits of a block number only move and are exclusive-ored: a place is the exclusive or of what each of them
 * contributes. `part` has that for every group of six bits, as fields side by side: bank, group and rank
 * together at the lower end, where they number the banks of a channel. */
enum { DRAM_MAP_GROUP = 6, DRAM_MAP_GROUPS = 11 };

struct dram_map {
  uint64_t transaction; /* bytes of a block */
  uint8_t shift;        /* log2 of it */
  uint8_t bits;         /* of the block number */
  uint8_t groups;       /* of six of them */
  uint8_t width[DRAM_FIELDS];
  uint8_t at[DRAM_FIELDS]; /* where each is among the fields side by side */
  uint32_t mask[DRAM_FIELDS];
  uint32_t banks; /* mask of the bank's number within its channel */
  uint8_t runs, hashes;
  uint64_t part[DRAM_MAP_GROUPS][1 << DRAM_MAP_GROUP];
  struct { /* of each field, the run of bits at its lower end */
    uint32_t from, mask;
  } low[DRAM_FIELDS];
  struct { /* further runs */
    uint8_t from, to, field;
    uint32_t mask;
  } run[64];
  struct {
    uint64_t source; /* block bits whose parity is the hash */
    uint32_t bit;    /* in the target field */
    uint8_t field;
  } hash[64];
};

/* `text` is a name or a string as above. Checked against the bit counts of the device with `channels`
 * channels, each `lockstep` physical ones wide. */
bool dram_map_parse(struct dram_map *m, const char *text, const struct dram_device *d, uint32_t channels,
                    uint32_t lockstep, struct error *err);

static inline struct dram_place dram_map_place(const struct dram_map *m, uint64_t address) {
  uint64_t block = address >> m->shift, fields = 0; /* side by side */
  for (uint32_t i = 0; i < m->groups; i++, block >>= DRAM_MAP_GROUP)
    fields ^= m->part[i][block & ((1 << DRAM_MAP_GROUP) - 1)];
  struct dram_place p = {.bank = (uint32_t)fields & m->banks};
  for (int f = 0; f < DRAM_FIELDS; f++)
    p.field[f] = (uint32_t)(fields >> m->at[f]) & m->mask[f];
  return p;
}
/* The inverse: the address of a place's first byte. */
uint64_t dram_map_address(const struct dram_map *m, const struct dram_place *p);

#endif
