#include "front/ptx/types.h"
#include <string.h>

static const struct {
  const char *name;
  uint8_t bits;
  char kind;
} types[PTX_NTYPES] = {[PTX_NOTYPE] = {"none", 0, '?'},
#define X(e, text, bits, kind) [PTX_##e] = {text, bits, kind},
                       PTX_TYPES(X)
#undef X
};

static const char *const spaces[PTX_NSPACES] = {
    [PTX_GENERIC] = "generic", [PTX_REG] = "reg",     [PTX_PARAM] = "param",   [PTX_SHARED] = "shared",
    [PTX_LOCAL] = "local",     [PTX_CONST] = "const", [PTX_GLOBAL] = "global", [PTX_TEX] = "tex",
};

const char *ptx_type_name(enum ptx_type t) {
  return types[t].name;
}

unsigned ptx_type_bits(enum ptx_type t) {
  return types[t].bits;
}

char ptx_type_kind(enum ptx_type t) {
  return types[t].kind;
}

enum ptx_type ptx_type_parse(const char *s, unsigned n) {
  for (int t = PTX_NOTYPE + 1; t < PTX_NTYPES; t++)
    if (strlen(types[t].name) == n && memcmp(types[t].name, s, n) == 0)
      return (enum ptx_type)t;
  return PTX_NOTYPE;
}

const char *ptx_space_name(enum ptx_space s) {
  return spaces[s];
}
