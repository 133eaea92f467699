#include "base/bitselect.h"
#include <ctype.h>
#include <string.h>

bool bit_select_parse(struct bit_select *b, const char *text, const char *name, struct error *err) {
  *b = (struct bit_select){0};
  uint64_t mask[BIT_SELECT_MAX] = {0};
  uint8_t first[BIT_SELECT_MAX] = {0};
  unsigned n = 0;
  const char *s = text;
  while (*s == ' ')
    s++;
  while (*s) {
    if (n == BIT_SELECT_MAX)
      return error_add(err, EXIT_USAGE, "%s: '%.80s' has more than %d bits", name, text, BIT_SELECT_MAX);
    mask[n] = 0;
    for (bool begins = true;; begins = false) {
      unsigned bit = 0, digits = 0;
      for (; isdigit((unsigned char)*s) && digits < 3; s++, digits++)
        bit = bit * 10 + (unsigned)(*s - '0');
      if (!digits || bit > 63)
        return error_add(
            err, EXIT_USAGE,
            "%s: '%.80s': a bit number from 0 to 63 is wanted at '%.20s' (as in \"11^19,10^17,9\")", name,
            text, s);
      if (mask[n] >> bit & 1)
        return error_add(err, EXIT_USAGE, "%s: '%.80s': bit %u stands twice in one item", name, text, bit);
      mask[n] |= UINT64_C(1) << bit;
      if (begins)
        first[n] = (uint8_t)bit;
      if (*s != '^')
        break;
      s++;
    }
    n++;
    if (*s == ',' && s[1])
      s++;
    else if (*s)
      return error_add(err, EXIT_USAGE, "%s: '%.80s': items are separated by commas, at '%.20s'", name, text,
                       s);
  }
  b->n = n;
  for (unsigned i = 0; i < n; i++) {
    b->mask[i] = mask[n - 1 - i];
    b->first[i] = first[n - 1 - i];
  }
  return true;
}
