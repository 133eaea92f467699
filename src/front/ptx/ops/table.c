/* The table of one instruction set: declares every row's function, then lists the rows. */
#include "front/ptx/ops/lanes.h"

#define R1(id, ...) ptx_op_fn PTX_FN(id);
#define R2(id, ...) ptx_op_fn PTX_FN(id);
#define R3(id, ...) ptx_op_fn PTX_FN(id);
#define R4(id, ...) ptx_op_fn PTX_FN(id);
#define RX(id, ...) ptx_op_fn PTX_FN(id);
#define RA(id, ...)
#include "front/ptx/ops/all.def"
#undef R1
#undef R2
#undef R3
#undef R4
#undef RX
#undef RA

#define PTX__ PTX_NOTYPE
#define ENTRY(id, name, unit, flags, nsrc, D, A, B, C, E)                                                    \
  {name, PTX_FN(id), PTX_UNIT_##unit, flags, nsrc, PTX_##D, {PTX_##A, PTX_##B, PTX_##C, PTX_##E}},
#define R1(id, name, unit, flags, D, A, expr)               ENTRY(id, name, unit, flags, 1, D, A, _, _, _)
#define R2(id, name, unit, flags, D, A, B, expr)            ENTRY(id, name, unit, flags, 2, D, A, B, _, _)
#define R3(id, name, unit, flags, D, A, B, C, expr)         ENTRY(id, name, unit, flags, 3, D, A, B, C, _)
#define R4(id, name, unit, flags, D, A, B, C, E, expr)      ENTRY(id, name, unit, flags, 4, D, A, B, C, E)
#define RX(id, name, unit, flags, nsrc, D, A, B, C, E, ...) ENTRY(id, name, unit, flags, nsrc, D, A, B, C, E)
#define RA(id, name, unit, flags, nsrc, D, A, B, C, E)      ENTRY(id, name, unit, flags, nsrc, D, A, B, C, E)

static const struct ptx_op rows[] = {
#include "front/ptx/ops/all.def"
};

#define TABLE_STR_(x) #x
#define TABLE_STR(x)  TABLE_STR_(x)
extern const struct ptx_op_table PTX_CAT4(ptx_op_table_, PTX_OPS_ISA, , );
const struct ptx_op_table PTX_CAT4(ptx_op_table_, PTX_OPS_ISA, , ) = {TABLE_STR(PTX_OPS_ISA),
                                                                      sizeof rows / sizeof rows[0], rows};
