/* Error codes by name and in words. */
#include "cuda/cuda.h"

struct row {
  int code;
  const char *runtime; /* the driver's name follows behind the 0 */
  const char *text;
};

static const struct row rows[] = {
#define X(name, names, code, text) {code, names, text},
#include "cuda/errors.def"
#undef X
};

static const struct row *find(int code) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].code == code)
      return &rows[i];
  return NULL;
}

API const char *cudaGetErrorName(int code) {
  const struct row *r = find(code);
  return r ? r->runtime : "unrecognized error code";
}

API const char *cudaGetErrorString(int code) {
  const struct row *r = find(code);
  return r ? r->text : "unrecognized error code";
}

API int cuGetErrorName(int code, const char **to) {
  const struct row *r = find(code);
  if (!to)
    return CU_INVALID_VALUE;
  *to = r ? r->runtime + strlen(r->runtime) + 1 : NULL;
  return r ? CU_SUCCESS : CU_INVALID_VALUE;
}

API int cuGetErrorString(int code, const char **to) {
  const struct row *r = find(code);
  if (!to)
    return CU_INVALID_VALUE;
  *to = r ? r->text : NULL;
  return r ? CU_SUCCESS : CU_INVALID_VALUE;
}
