/* Writes expected/NAME.bin for the launch files beside it: plain sequential C, independent of the simulator.
 * Built and run by regenerate.sh. */
#include "expected.h"
#include <stdio.h>
#include <stdlib.h>

static const char *folder;

void save(const char *name, const void *data, size_t bytes) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.bin", folder, name);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f) != 0) {
    perror(path);
    exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: expected FOLDER\n");
    return 2;
  }
  folder = argv[1];
  expect_control();
  expect_memory();
  expect_apps();
  expect_ops();
  expect_cl();
  return 0;
}
