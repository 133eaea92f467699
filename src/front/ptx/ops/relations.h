/* Which comparison operators exist for which kind of type, for setp.def and set.def. */
#ifndef SLUICE_FRONT_PTX_OPS_RELATIONS_H
#define SLUICE_FRONT_PTX_OPS_RELATIONS_H

/* clang-format off */
/* M(operator as written, relation it means, extra arguments) */
#define RELATIONS_SIGNED(M, ...)                                                        \
  M(eq, eq, __VA_ARGS__) M(ne, ne, __VA_ARGS__) M(lt, lt, __VA_ARGS__)                  \
  M(le, le, __VA_ARGS__) M(gt, gt, __VA_ARGS__) M(ge, ge, __VA_ARGS__)
#define RELATIONS_FLOAT(M, ...)                                                         \
  RELATIONS_SIGNED(M, __VA_ARGS__)                                                      \
  M(equ, equ, __VA_ARGS__) M(neu, neu, __VA_ARGS__) M(ltu, ltu, __VA_ARGS__)            \
  M(leu, leu, __VA_ARGS__) M(gtu, gtu, __VA_ARGS__) M(geu, geu, __VA_ARGS__)            \
  M(num, num, __VA_ARGS__) M(nan, nan, __VA_ARGS__)
/* clang-format on */

#endif
