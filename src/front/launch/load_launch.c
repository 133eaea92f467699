/* Launches and their arguments. */
#include "base/mem.h"
#include "front/launch/load.h"
#include "front/registers.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool load_dims(struct loader *l, const struct yaml_node *n, const uint64_t max[3], uint32_t out[3]) {
  bool list = n->kind == YAML_SEQ, ok = true;
  size_t count = list ? n->n : 1;
  out[0] = out[1] = out[2] = 1;
  if (!count || count > 3)
    return load_fail(l, n, "%zu numbers (allowed: 1 to 3: x, y, z)", count);
  for (size_t i = 0; i < count; i++) {
    uint64_t v;
    if (load_u64(l, list ? n->items[i] : n, 1, max[i], &v))
      out[i] = (uint32_t)v;
    else
      ok = false;
  }
  return ok;
}

static int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static bool arg_bytes(struct loader *l, const struct yaml_node *n, struct launch_arg *a) {
  const char *s;
  if (!yaml_str(n, &s, l->err)) {
    l->findings++;
    return false;
  }
  size_t digits = strlen(s);
  if (digits % 2 || digits / 2 > LAUNCH_MAX_PARAM_BYTES)
    return load_fail(l, n, "%zu digits (allowed: an even number, two per byte, up to %d bytes)", digits,
                     LAUNCH_MAX_PARAM_BYTES);
  a->kind = ARG_BYTES;
  a->nbytes = (uint32_t)(digits / 2);
  a->bytes = xcalloc(a->nbytes, 1);
  for (uint32_t i = 0; i < a->nbytes; i++) {
    int hi = hex(s[2 * i]), lo = hex(s[2 * i + 1]);
    if (hi < 0 || lo < 0)
      return load_fail(l, n, "'%.60s': not hexadecimal at digit %" PRIu32, s, 2 * i + 1);
    a->bytes[i] = (uint8_t)(hi * 16 + lo);
  }
  return true;
}

static bool arg_value(struct loader *l, const struct yaml_node *n, enum elem_type t, struct launch_arg *a) {
  struct number v;
  if (!load_number(l, n, t, &v))
    return false;
  a->kind = ARG_VALUE;
  a->type = t;
  a->nbytes = elem_bytes(t);
  a->bytes = xcalloc(a->nbytes, 1);
  elem_store(t, v, a->bytes);
  return true;
}

static bool arg_map(struct loader *l, const struct yaml_node *n, struct launch_arg *a) {
  const struct yaml_node *buffer = yaml_get(n, "buffer"), *offset = yaml_get(n, "offset");
  if (buffer) {
    static const char *const keys[] = {"buffer", "offset"};
    return load_keys(l, n, keys, 2) && load_buffer_name(l, buffer, &a->buffer) &&
           (!offset || load_u64(l, offset, 0, l->f->buffers[a->buffer].bytes, &a->offset));
  }
  const char *keys[ELEM_NTYPES + 3] = {"buffer", "bytes", "local", "offset"};
  memcpy(keys + 4, elem_names, sizeof elem_names);
  if (!load_keys(l, n, keys, ELEM_NTYPES + 3))
    return false;
  if (n->n != 1 || offset)
    return load_fail(l, n,
                     "an argument is a buffer's name or one of {buffer: NAME, offset: N}, {TYPE: number}, "
                     "{bytes: \"hex\"}, {local: N}");
  if (strcmp(n->keys[0], "bytes") == 0)
    return arg_bytes(l, n->items[0], a);
  if (strcmp(n->keys[0], "local") == 0) {
    a->kind = ARG_LOCAL;
    return load_u64(l, n->items[0], 0, LAUNCH_MAX_SHARED, &a->offset);
  }
  for (int t = 0; t < ELEM_NTYPES - 1; t++)
    if (strcmp(n->keys[0], elem_names[t]) == 0)
      return arg_value(l, n->items[0], (enum elem_type)(t + 1), a);
  return false;
}

static void load_args(struct loader *l, const struct yaml_node *n, struct launch_step *s) {
  if (!load_list(l, n, LAUNCH_MAX_ARGS))
    return;
  s->args = xcalloc(n->n, sizeof *s->args);
  s->nargs = n->n;
  for (size_t i = 0; i < n->n && !load_give_up(l); i++) {
    const struct yaml_node *item = n->items[i];
    struct launch_arg *a = &s->args[i];
    struct number v;
    a->line = item->line;
    if (item->kind == YAML_MAP)
      arg_map(l, item, a);
    else if (item->kind == YAML_SCALAR && !item->quoted && number_parse(item->text, &v))
      load_fail(l, item, "'%.60s': a number needs its type, as in {s32: %.60s}", item->text, item->text);
    else
      load_buffer_name(l, item, &a->buffer);
  }
}

static void load_launch(struct loader *l, const struct yaml_node *n, struct launch_step *s) {
  static const char *const keys[] = {"kernel",    "grid", "block",  "shared",
                                     "registers", "args", "repeat", "fill"};
  static const uint64_t grid_max[3] = {INT32_MAX, 65535, 65535}, block_max[3] = {1024, 1024, 64};
  s->kind = STEP_LAUNCH;
  s->repeat = 1;
  if (!load_keys(l, n, keys, 8))
    return;
  const struct yaml_node *kernel = yaml_need(n, "kernel", l->err), *grid = yaml_need(n, "grid", l->err);
  const struct yaml_node *block = yaml_need(n, "block", l->err), *args = yaml_get(n, "args");
  const struct yaml_node *shared = yaml_get(n, "shared"), *repeat = yaml_get(n, "repeat");
  const struct yaml_node *registers = yaml_get(n, "registers");
  l->findings += (unsigned)(!kernel + !grid + !block);
  const char *name;
  if (kernel) {
    if (!yaml_str(kernel, &name, l->err))
      l->findings++;
    else if (strpbrk(name, " \t\r\n"))
      load_fail(l, kernel, "'%.60s' cannot be the name of a kernel", name);
    else
      s->kernel = xstrdup(name);
  }
  if (grid)
    load_dims(l, grid, grid_max, s->grid);
  if (block && load_dims(l, block, block_max, s->block)) {
    uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
    if (threads > 1024)
      load_fail(l, block, "%" PRIu64 " threads in a block (allowed: at most 1024)", threads);
  }
  if (shared)
    load_u64(l, shared, 0, LAUNCH_MAX_SHARED, &s->shared);
  uint64_t count;
  if (registers && load_u64(l, registers, 1, REGISTERS_MOST, &count))
    s->registers = (uint32_t)count;
  if (repeat)
    load_u64(l, repeat, 1, 1000000000, &s->repeat);
  if (args && !yaml_is_null(args))
    load_args(l, args, s);
}

static void load_refill(struct loader *l, const struct yaml_node *n, struct launch_step *s) {
  static const char *const outer[] = {"fill"};
  s->kind = STEP_FILL;
  if (!load_keys(l, n, outer, 1))
    return;
  const struct yaml_node *what = n->items[0], *buffer = yaml_need(what, "buffer", l->err);
  if (!buffer) {
    l->findings++;
    return;
  }
  if (!load_buffer_name(l, buffer, &s->buffer))
    return;
  /* The fill is the rest of the map: the same forms as a buffer's, less the name. */
  struct yaml_node rest = *what;
  size_t kept = 0;
  rest.items = xcalloc(what->n, sizeof *rest.items);
  rest.keys = xcalloc(what->n, sizeof *rest.keys);
  rest.key_lines = xcalloc(what->n, sizeof *rest.key_lines);
  for (size_t i = 0; i < what->n; i++)
    if (what->items[i] != buffer) {
      rest.items[kept] = what->items[i];
      rest.keys[kept] = what->keys[i];
      rest.key_lines[kept++] = what->key_lines[i];
    }
  rest.n = kept;
  const struct launch_buffer *b = &l->f->buffers[s->buffer];
  s->bytes = b->bytes;
  if (kept)
    load_fill(l, &rest, b->type, b->bytes, &s->fill);
  else
    load_fail(l, what, "with what? allowed: zero, value, iota, xorshift64, random, file");
  free(rest.items);
  free(rest.keys);
  free(rest.key_lines);
}

void load_steps(struct loader *l, const struct yaml_node *n) {
  struct launch_file *f = l->f;
  if (!load_list(l, n, LAUNCH_MAX_STEPS))
    return;
  if (!n->n) {
    load_fail(l, n, "nothing to launch");
    return;
  }
  f->steps = xcalloc(n->n, sizeof *f->steps);
  f->nsteps = n->n;
  for (size_t i = 0; i < n->n && !load_give_up(l); i++) {
    const struct yaml_node *item = n->items[i];
    f->steps[i].line = item->line;
    if (yaml_get(item, "fill") && !yaml_get(item, "kernel"))
      load_refill(l, item, &f->steps[i]);
    else
      load_launch(l, item, &f->steps[i]);
  }
}
