/* Finds a GPU: compiled in, installed, or in a file. */
#include "gpu/presets.h"
#include <string.h>
#include <unistd.h>

static bool is_path(const char *s) {
  size_t n = strlen(s);
  return strchr(s, '/') || (n > 5 && strcmp(s + n - 5, ".yaml") == 0) ||
         (n > 4 && strcmp(s + n - 4, ".yml") == 0);
}

static bool unknown(const char *name, struct error *err) {
  const char *near = nearest_match(name, gpu_preset_names, (int)gpu_preset_count);
  if (near)
    return error_add(err, EXIT_USAGE,
                     "no GPU '%.60s'; did you mean '%s'? (a file's name has a '/' or ends in .yaml)", name,
                     near);
  struct strbuf all = {0};
  for (size_t i = 0; i < gpu_preset_count; i++)
    strbuf_addf(&all, "%s%s", i ? ", " : "", gpu_preset_names[i]);
  error_add(err, EXIT_USAGE, "no GPU '%.60s' (a file, or one of: %s)", name, strbuf_str(&all));
  strbuf_free(&all);
  return false;
}

bool gpu_preset_load(struct conf *c, const char *name_or_path, struct error *err) {
  for (size_t i = 0; i < gpu_preset_count; i++) {
    const struct gpu_preset *p = &gpu_preset_files[i];
    if (strcmp(p->name, name_or_path) != 0)
      continue;
    char path[128];
    snprintf(path, sizeof path, "presets/gpu/%s.yaml", p->name);
    return conf_load_text(c, path, p->text, p->n, err);
  }
  if (is_path(name_or_path))
    return conf_load_file(c, name_or_path, err);
  /* a file put beside the installed presets is one of them */
  struct strbuf installed = {0};
  strbuf_addf(&installed, "%s/%s.yaml", gpu_preset_folder, name_or_path);
  bool there = access(installed.s, R_OK) == 0;
  bool ok = there ? conf_load_file(c, installed.s, err) : unknown(name_or_path, err);
  strbuf_free(&installed);
  return ok;
}

static bool takes(const char **line, size_t *n, const char *word) {
  size_t k = strlen(word);
  if (*n < k || memcmp(*line, word, k) != 0)
    return false;
  *line += k;
  *n -= k;
  return true;
}

void gpu_about_read(struct gpu_about *a, const struct gpu_preset *p) {
  *a = (struct gpu_about){0};
  struct strbuf *to = &a->what;
  const char *s = p->text;
  while (*s == '#') {
    size_t n = strcspn(s, "\n");
    const char *next = s + n + (s[n] == '\n');
    for (s++, n--; n && *s == ' '; n--)
      s++;
    if (takes(&s, &n, "Source: "))
      to = &a->source;
    else if (takes(&s, &n, "Not modelled: "))
      to = &a->missing;
    if (to->n)
      strbuf_addc(to, ' ');
    strbuf_addn(to, s, n);
    s = next;
  }
}

void gpu_about_free(struct gpu_about *a) {
  strbuf_free(&a->what);
  strbuf_free(&a->source);
  strbuf_free(&a->missing);
}

double gpu_peak_bandwidth(const struct gpu_config *k, const struct dram_device *d) {
  double controllers = (double)k->l2.channels * k->memory.controllers, mhz = (double)k->dram_mhz;
  if (k->memory.model == MEMORY_FIXED)
    return controllers * k->l2.cache.sector_bytes / k->memory.fixed_interval * mhz * 1e6;
  return controllers * k->memory.lockstep * d->transaction / d->burst_cycles * mhz * 1e6;
}
