/* A program of somebody else's: adds two vectors through the installed library. Arguments: the PTX file. */
#include <sluice.h>
#include <stdio.h>

enum { N = 1000 };

int main(int argc, char **argv) {
  static float a[N], b[N], c[N];
  struct sluice *s = sluice_create();
  struct sluice_module *m = argc == 2 ? sluice_load_file(s, argv[1]) : NULL;
  if (!m) {
    fprintf(stderr, "%s\n", sluice_error(s));
    return 1;
  }
  for (int i = 0; i < N; i++)
    a[i] = (float)i, b[i] = 0.5f;
  struct {
    uint64_t a, b, c;
    int32_t n;
  } params = {sluice_alloc(s, sizeof a, "a"), sluice_alloc(s, sizeof b, "b"), sluice_alloc(s, sizeof c, "c"),
              N};
  struct sluice_launch l = {"vecadd", {4, 1, 1}, {256, 1, 1}, 0, &params, sizeof params};
  if (sluice_write(s, params.a, a, sizeof a) || sluice_write(s, params.b, b, sizeof b) ||
      sluice_launch(s, m, &l) || sluice_read(s, params.c, c, sizeof c)) {
    fprintf(stderr, "%s\n", sluice_error(s));
    return 1;
  }
  for (int i = 0; i < N; i++)
    if (c[i] != (float)i + 0.5f)
      return 1;
  double loads;
  if (!sluice_stat(s, "loads", &loads))
    return 1;
  printf("version %s loads %.0f\n", sluice_version(), loads);
  sluice_destroy(s);
  return 0;
}
