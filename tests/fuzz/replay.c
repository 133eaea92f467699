/* Runs a fuzz target over files and folders given as arguments, without libFuzzer: the committed
 * corpora are part of every test run, with every compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned ran;

static int replay_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) {
    perror(path);
    return 1;
  }
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  rewind(f);
  /* exactly n bytes, so that a sanitizer sees one byte too far */
  uint8_t *data = malloc(n > 0 ? (size_t)n : 1);
  if (!data || fread(data, 1, (size_t)n, f) != (size_t)n) {
    perror(path);
    fclose(f);
    free(data);
    return 1;
  }
  fclose(f);
  LLVMFuzzerTestOneInput(data, (size_t)n);
  free(data);
  ran++;
  return 0;
}

static int replay(const char *path) {
  struct stat st;
  if (stat(path, &st) != 0) {
    perror(path);
    return 1;
  }
  if (!S_ISDIR(st.st_mode))
    return replay_file(path);
  DIR *d = opendir(path);
  if (!d) {
    perror(path);
    return 1;
  }
  int bad = 0;
  for (struct dirent *e; (e = readdir(d));) {
    char file[4096];
    if (e->d_name[0] == '.')
      continue;
    snprintf(file, sizeof file, "%s/%s", path, e->d_name);
    bad |= replay_file(file);
  }
  closedir(d);
  return bad;
}

int main(int argc, char **argv) {
  int bad = 0;
  for (int i = 1; i < argc; i++)
    bad |= replay(argv[i]);
  printf("replayed %u inputs\n", ran);
  return bad || !ran;
}
