/* Finds a device: compiled in, installed, or in a file. */
#include "base/file.h"
#include "base/strbuf.h"
#include "dram/device.h"
#include "dram/presets.h"
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <unistd.h>

enum { MAX_FILE = 1 << 20 };

size_t dram_presets(const char *const **names) {
  *names = dram_preset_names;
  return dram_preset_count;
}

static bool load_file(struct dram_device *d, const char *path, struct error *err) {
  size_t n;
  char *text = file_read(path, MAX_FILE, &n, err);
  bool ok = text && dram_device_parse(d, text, n, path, err);
  free(text);
  return ok;
}

static bool is_path(const char *s) {
  size_t n = strlen(s);
  return strchr(s, '/') || (n > 5 && strcmp(s + n - 5, ".yaml") == 0) ||
         (n > 4 && strcmp(s + n - 4, ".yml") == 0);
}

/* A preset is read once: a GPU has a channel for each of its memories. Nothing is done under the lock that could leave by another way
 * (base/rescue.h). */
static bool load_preset(struct dram_device *d, const struct dram_preset *p, struct error *err) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const struct dram_preset *last;
  static struct dram_device device;
  pthread_mutex_lock(&lock);
  bool known = p == last;
  if (known)
    *d = device;
  pthread_mutex_unlock(&lock);
  if (known)
    return true;
  char path[128];
  snprintf(path, sizeof path, "presets/dram/%s.yaml", p->name);
  if (!dram_device_parse(d, p->text, p->n, path, err))
    return false;
  pthread_mutex_lock(&lock);
  device = *d, last = p;
  pthread_mutex_unlock(&lock);
  return true;
}

bool dram_device_load(struct dram_device *d, const char *name_or_path, struct error *err) {
  for (size_t i = 0; i < dram_preset_count; i++) {
    const struct dram_preset *p = &dram_preset_files[i];
    if (strcmp(p->name, name_or_path) == 0)
      return load_preset(d, p, err);
  }
  if (is_path(name_or_path))
    return load_file(d, name_or_path, err);
  /* a file put beside the installed presets is one of them */
  struct strbuf installed = {0};
  strbuf_addf(&installed, "%s/%s.yaml", dram_preset_folder, name_or_path);
  bool there = access(installed.s, R_OK) == 0;
  bool ok = there && load_file(d, installed.s, err);
  strbuf_free(&installed);
  if (there)
    return ok;
  const char *near = nearest_match(name_or_path, dram_preset_names, (int)dram_preset_count);
  if (near)
    return error_set(err, EXIT_USAGE,
                     "no DRAM device '%.60s'; did you mean '%s'? (a file's name has a '/' or ends in .yaml)",
                     name_or_path, near);
  struct strbuf all = {0};
  for (size_t i = 0; i < dram_preset_count; i++)
    strbuf_addf(&all, "%s%s", i ? ", " : "", dram_preset_names[i]);
  error_set(err, EXIT_USAGE, "no DRAM device '%.60s' (a file, or one of: %s)", name_or_path,
            strbuf_str(&all));
  strbuf_free(&all);
  return false;
}
