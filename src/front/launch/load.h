/* Inside of the launch-file loader: its pieces share the reader's state. */
#ifndef SLUICE_FRONT_LAUNCH_LOAD_H
#define SLUICE_FRONT_LAUNCH_LOAD_H

#include "conf/yaml.h"
#include "front/launch/launch.h"

struct name_index {
  const char *name;
  size_t index;
};

struct loader {
  struct launch_file *f;
  struct name_index *names; /* buffers sorted by name */
  struct error *err;
  unsigned findings;
};

/* Reading stops after this many mistakes; by then the user has enough to do. */
#define LOAD_MAX_FINDINGS 20

bool load_give_up(const struct loader *l);
/* yaml_check_keys that a map of thousands of unknown keys cannot slow down. */
bool load_keys(struct loader *l, const struct yaml_node *map, const char *const *names, int n);
/* A list, not empty unless `may_be_empty`, of at most max entries. */
bool load_list(struct loader *l, const struct yaml_node *n, size_t max);
bool load_fail(struct loader *l, const struct yaml_node *n, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool load_u64(struct loader *l, const struct yaml_node *n, uint64_t min, uint64_t max, uint64_t *out);
bool load_type(struct loader *l, const struct yaml_node *n, enum elem_type *out);
/* A number that the type can hold. */
bool load_number(struct loader *l, const struct yaml_node *n, enum elem_type t, struct number *out);
bool load_buffer_name(struct loader *l, const struct yaml_node *n, size_t *out);
/* A regular file: *path resolved (owned), *bytes its size. */
bool load_input_file(struct loader *l, const struct yaml_node *n, char **path, uint64_t *bytes);

/* Any fill form for `bytes` bytes; `type` when the fill names none itself. */
bool load_fill(struct loader *l, const struct yaml_node *n, enum elem_type type, uint64_t bytes,
               struct fill *out);
/* FILL_FILE from the keys file, offset, bytes of `map`; *size 0: as many bytes as given or there. */
bool load_file_fill(struct loader *l, const struct yaml_node *map, uint64_t *size, struct fill *out);

void load_steps(struct loader *l, const struct yaml_node *launches);

#endif
