#include "dram/profile.h"
#include "base/file.h"
#include "conf/yaml.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dram_page_names[] = {"open", "closed", "timeout", "single", NULL};

/* A window of 64 reads, because 32 leave bank groups idle on many streams; columns before rows keeps the bus
 * full; 32 hits bound what a stream can take from a neighbour in its bank. Writes go in batches of 48, since
 * every change of direction costs turn-arounds and often rows. */
#define SLUICE_RULES                                                                                         \
  .pick = DRAM_FRFCFS, .read_queue = 64, .write_queue = 64, .row_hit_cap = 32, .age_limit = 4096,            \
  .write_high = 56, .write_low = 8, .write_idle = 1, .write_wait = 50, .keep_hits = true,                    \
  .cap_stops_hits = true, .use_opened = true

static const struct dram_profile profiles[] = {
    {.name = "sluice", .page = DRAM_OPEN, SLUICE_RULES}, /* the default */
    /* DRAMSim2's closed page: every access opens its row and closes it again. */
    {.name = "sluice-single", .page = DRAM_SINGLE, SLUICE_RULES},
    /* DRAMsim3: 32 + 32 entries in front of queues of 8 at each bank, banks in turn, a row closed after 4
     * hits if the head of its queue wants another, the whole write buffer drained when it is full. */
    {.name = "like-dramsim3",
     .pick = DRAM_ROUND_ROBIN,
     .page = DRAM_OPEN,
     .read_queue = 32,
     .write_queue = 32,
     .bank_queue = 8,
     .row_hit_cap = 4,
     .write_high = 32,
     .write_idle = 9,
     .latency_from = 1,
     .keep_hits = true,
     .drain_all = true,
     .merge_reads = true,
     .refresh_one_by_one = true},
    /* Ramulator 2: the oldest ready command, whatever it is; a request that caused an ACT is pinned to its
     * row; write mode above 80 % or without reads, left below 20 %. */
    {.name = "like-ramulator2",
     .pick = DRAM_OLDEST_READY,
     .page = DRAM_OPEN,
     .read_queue = 32,
     .write_queue = 32,
     .write_high = 26,
     .write_low = 6,
     .pin_activated = true,
     .refresh_after_pinned = true},
    /* FR-FCFS over one queue of reads and writes and no further rule, as GPGPU-Sim has it: 64 entries in its
     * fourth version, 16 in its third. */
    {.name = "frfcfs-64", .pick = DRAM_FRFCFS, .page = DRAM_OPEN, .read_queue = 64, .keep_hits = true},
    {.name = "frfcfs-16", .pick = DRAM_FRFCFS, .page = DRAM_OPEN, .read_queue = 16, .keep_hits = true},
};

const struct dram_profile *dram_profile_default(void) {
  return &profiles[0];
}

void dram_profile_resize(struct dram_profile *p, uint32_t entries) {
  if (p->write_queue) {
    p->write_high = (uint32_t)((uint64_t)p->write_high * entries / p->write_queue);
    p->write_low = (uint32_t)((uint64_t)p->write_low * entries / p->write_queue);
    p->write_high += !p->write_high;
    p->write_queue = entries;
  }
  p->read_queue = entries;
}

size_t dram_profiles(const struct dram_profile **list) {
  *list = profiles;
  return sizeof profiles / sizeof *profiles;
}

static const struct dram_profile *find(const char *name) {
  for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
    if (strcmp(profiles[i].name, name) == 0)
      return &profiles[i];
  return NULL;
}

static bool unknown(const char *where, const char *name, struct error *err) {
  const char *names[sizeof profiles / sizeof *profiles];
  struct strbuf all = {0};
  int n = 0;
  for (; n < (int)(sizeof profiles / sizeof *profiles); n++) {
    names[n] = profiles[n].name;
    strbuf_addf(&all, "%s%s", n ? ", " : "", names[n]);
  }
  const char *near = nearest_match(name, names, n);
  error_add(err, EXIT_USAGE, "%scontroller '%.60s' (allowed: %s, or a YAML file)%s%s%s", where, name, all.s,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  strbuf_free(&all);
  return false;
}

bool dram_profile_check(const struct dram_profile *p, const char *where, struct error *err) {
  bool ok = true;
  if (p->write_queue && p->write_high > p->write_queue)
    ok = error_add(err, EXIT_USAGE, "%s: write_high %u is above write_queue %u", where, p->write_high,
                   p->write_queue);
  if (p->write_low > p->write_high)
    ok = error_add(err, EXIT_USAGE, "%s: write_low %u is above write_high %u", where, p->write_low,
                   p->write_high);
  if (p->write_queue && !p->write_high)
    ok = error_add(err, EXIT_USAGE, "%s: write_high 0 would never end a drain", where);
  if (p->page == DRAM_TIMEOUT && !p->page_timeout)
    ok = error_add(err, EXIT_USAGE, "%s: page timeout needs page_timeout", where);
  bool closes = p->page == DRAM_CLOSED || p->page == DRAM_SINGLE;
  if (p->pin_activated && (p->bank_queue || closes || p->pick == DRAM_FCFS || p->age_limit))
    ok = error_add(
        err, EXIT_USAGE,
        "%s: pin_activated goes with neither bank_queue, page closed or single, pick fcfs nor age_limit",
        where);
  if (p->refresh_after_pinned && !p->pin_activated)
    ok = error_add(err, EXIT_USAGE, "%s: refresh_after_pinned needs pin_activated", where);
  if (p->bank_queue && (p->age_limit || p->pick == DRAM_FCFS || !p->write_queue))
    ok = error_add(err, EXIT_USAGE,
                   "%s: bank_queue goes with neither age_limit nor pick fcfs, and needs write_queue", where);
  if (p->drain_all && !p->bank_queue)
    ok = error_add(err, EXIT_USAGE, "%s: drain_all needs bank_queue", where);
  return ok;
}

static void read_fields(struct dram_profile *p, const struct yaml_node *root, struct error *err) {
  int choice;
  const struct yaml_node *n;
  uint64_t v;
  if ((n = yaml_get(root, "pick")) && yaml_enum(n, dram_pick_names, 4, &choice, err))
    p->pick = (enum dram_pick)choice;
  if ((n = yaml_get(root, "page")) && yaml_enum(n, dram_page_names, 4, &choice, err))
    p->page = (enum dram_page)choice;
#define X(field, min, max, help)                                                                             \
  if ((n = yaml_get(root, #field)) && yaml_u64(n, min, max, &v, err))                                        \
    p->field = (uint32_t)v;
  DRAM_PROFILE_NUMBERS(X)
#undef X
#define X(field, help)                                                                                       \
  if ((n = yaml_get(root, #field)))                                                                          \
    yaml_bool(n, &p->field, err);
  DRAM_PROFILE_FLAGS(X)
#undef X
}

bool dram_profile_parse(struct dram_profile *p, const char *text, size_t n, const char *path,
                        struct error *err) {
  static const char *const keys[] = {"base", "pick", "page",
#define X(field, min, max, help) #field,
                                     DRAM_PROFILE_NUMBERS(X)
#undef X
#define X(field, help) #field,
                                         DRAM_PROFILE_FLAGS(X)
#undef X
  };
  struct error e = {0};
  *p = profiles[0];
  struct yaml_doc *doc = yaml_parse_text(path, text, n, &e);
  if (doc && !doc->root) {
    error_set(&e, EXIT_USAGE, "%s: empty: a controller names at least its base", path);
  } else if (doc && yaml_check_keys(doc->root, keys, (int)(sizeof keys / sizeof *keys), &e)) {
    const char *base = NULL;
    const struct yaml_node *node = yaml_get(doc->root, "base");
    if (node && yaml_str(node, &base, &e)) {
      const struct dram_profile *from = find(base);
      char where[300];
      snprintf(where, sizeof where, "%.200s:%u: base: ", path, node->line);
      if (from)
        *p = *from;
      else
        unknown(where, base, &e);
    }
    read_fields(p, doc->root, &e);
    const char *slash = strrchr(path, '/');
    snprintf(p->name, sizeof p->name, "%.63s", slash ? slash + 1 : path);
    char *dot = strrchr(p->name, '.');
    if (dot && dot != p->name)
      *dot = '\0';
    if (!e.code)
      dram_profile_check(p, path, &e);
  }
  yaml_close(doc);
  bool ok = !e.code;
  if (!ok)
    error_add(err, e.code, "%s", e.text);
  error_clear(&e);
  return ok;
}

bool dram_profile_load(struct dram_profile *p, const char *name, struct error *err) {
  const struct dram_profile *known = find(name);
  if (known) {
    *p = *known;
    return true;
  }
  if (!strchr(name, '/') && !strstr(name, ".yaml") && !strstr(name, ".yml"))
    return unknown("", name, err);
  size_t n;
  char *text = file_read(name, 1 << 20, &n, err);
  bool ok = text && dram_profile_parse(p, text, n, name, err);
  free(text);
  return ok;
}
