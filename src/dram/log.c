#include "dram/log.h"
#include <string.h>

void dram_log_header(FILE *to, const struct dram_device *d, uint32_t channel, enum dram_refresh refresh,
                     uint32_t lockstep) {
  fprintf(to, "# device %s\n# channel %u\n# refresh %s\n# lockstep %u\n", d->name, channel,
          dram_refresh_names[refresh], lockstep);
}

/* Which of rank, group, bank, row, column a command has. */
static const uint8_t fields[DRAM_COMMANDS] = {
    [DRAM_ACT] = 4, [DRAM_PRE] = 3,  [DRAM_RD] = 5,  [DRAM_WR] = 5,    [DRAM_RDA] = 5,
    [DRAM_WRA] = 5, [DRAM_PREA] = 1, [DRAM_REF] = 1, [DRAM_REFPB] = 3,
};

static char *number(char *at, uint64_t v) { /* backwards */
  do
    *--at = (char)('0' + v % 10);
  while (v /= 10);
  return at;
}

void dram_log_line(FILE *to, const struct dram_issue *i) {
  char line[128], *at = line + sizeof line;
  const uint32_t value[5] = {i->rank, i->group, i->bank, i->row, i->column};
  *--at = '\n';
  for (int k = 4; k >= 0; k--) {
    if (k < fields[i->command])
      at = number(at, value[k]);
    else
      *--at = '-';
    *--at = ' ';
  }
  size_t n = strlen(dram_command_names[i->command]);
  at -= n;
  memcpy(at, dram_command_names[i->command], n);
  *--at = ' ';
  at = number(at, i->cycle);
  fwrite(at, 1, (size_t)(line + sizeof line - at), to);
}
