/* Row macros as function definitions; a family's .c file includes this, then its .def. */
#define R1(id, name, unit, flags, D, A, expr)                                                                \
  void PTX_FN(id)(PTX_ARGS);                                                                                 \
  void PTX_FN(id)(PTX_ARGS) {                                                                                \
    LANES_BODY(D, LOAD_X(A), expr)                                                                           \
  }
#define R2(id, name, unit, flags, D, A, B, expr)                                                             \
  void PTX_FN(id)(PTX_ARGS);                                                                                 \
  void PTX_FN(id)(PTX_ARGS) {                                                                                \
    LANES_BODY(D, LOAD_X(A) LOAD_Y(B), expr)                                                                 \
  }
#define R3(id, name, unit, flags, D, A, B, C, expr)                                                          \
  void PTX_FN(id)(PTX_ARGS);                                                                                 \
  void PTX_FN(id)(PTX_ARGS) {                                                                                \
    LANES_BODY(D, LOAD_X(A) LOAD_Y(B) LOAD_Z(C), expr)                                                       \
  }
#define R4(id, name, unit, flags, D, A, B, C, E, expr)                                                       \
  void PTX_FN(id)(PTX_ARGS);                                                                                 \
  void PTX_FN(id)(PTX_ARGS) {                                                                                \
    LANES_BODY(D, LOAD_X(A) LOAD_Y(B) LOAD_Z(C) LOAD_W(E), expr)                                             \
  }
/* A row whose body is written out; types D, A, B, C, E as in the table. */
#define RX(id, name, unit, flags, nsrc, D, A, B, C, E, ...)                                                  \
  void PTX_FN(id)(PTX_ARGS);                                                                                 \
  void PTX_FN(id)(PTX_ARGS) {                                                                                \
    PTX_ARGS_UNUSED;                                                                                         \
    __VA_ARGS__                                                                                              \
  }
/* Another spelling of row id. */
#define RA(id, name, unit, flags, nsrc, D, A, B, C, E)
