/* Files of `sluice new`, from src/cli/new/ (made by scripts/embed-text). */
#ifndef SLUICE_CLI_TEMPLATES_H
#define SLUICE_CLI_TEMPLATES_H

#include <stddef.h>

#define TEMPLATES(X) X(technique) X(makefile) X(test) X(sweep)
#define X(name)                                                                                              \
  extern const unsigned char new_##name##_source[];                                                          \
  extern const size_t new_##name##_bytes;
TEMPLATES(X)
#undef X

#endif
