/* What every unit test includes: cmocka, and a few assertions of ours. */
#ifndef SLUICE_TESTS_CHECK_H
#define SLUICE_TESTS_CHECK_H

/* cmocka.h needs these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define assert_contains(text, part)                                                                          \
  do {                                                                                                       \
    const char *check_text = (text);                                                                         \
    if (!check_text || !strstr(check_text, (part)))                                                          \
      fail_msg("'%s' is not in:\n%s", (part), check_text ? check_text : "(nothing)");                        \
  } while (0)

#endif
