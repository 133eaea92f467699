#include "front/registers.h"
#include "base/mem.h"
#include "base/num.h"
#include "front/ptxas.h"
#include <stdlib.h>
#include <string.h>

const char *const registers_from_names[REGISTERS_NFROM] = {
#define X(id, name) name,
    REGISTERS_FROM(X)
#undef X
};

static const enum registers_from sources[] = {REGISTERS_BUILTIN, REGISTERS_PTXAS, REGISTERS_PTX};
enum { SOURCES = sizeof sources / sizeof *sources };

struct stated {
  char *kernel;
  uint32_t n;
};

struct registers {
  enum registers_from source;
  char *target; /* for ptxas */
  uint32_t all; /* 0: not stated */
  struct stated *by_kernel;
  size_t n, cap;
};

/* One part of the list, `n` characters. */
static bool read_number(const char *s, size_t n, uint32_t *out) {
  char digits[16];
  uint64_t v;
  if (!n || n >= sizeof digits)
    return false;
  memcpy(digits, s, n);
  digits[n] = '\0';
  if (num_u64(digits, &v) != NUM_OK || v < 1 || v > REGISTERS_MOST)
    return false;
  *out = (uint32_t)v;
  return true;
}

static bool read_source(const char *s, size_t n, enum registers_from *out) {
  for (size_t i = 0; i < SOURCES; i++) {
    const char *name = registers_from_names[sources[i]];
    if (strlen(name) == n && strncmp(s, name, n) == 0) {
      *out = sources[i];
      return true;
    }
  }
  return false;
}

static bool read_kernel(struct registers *r, const char *s, const char *equals, size_t n) {
  struct stated k;
  if (equals == s || !read_number(equals + 1, n - (size_t)(equals + 1 - s), &k.n))
    return false;
  k.kernel = xstrndup(s, (size_t)(equals - s));
  for (size_t i = 0; i < r->n; i++)
    if (strcmp(r->by_kernel[i].kernel, k.kernel) == 0) {
      free(k.kernel);
      return false;
    }
  VEC_PUSH(r->by_kernel, r->n, r->cap) = k;
  return true;
}

static bool read_list(struct registers *r, const char *s) {
  bool general = false;
  r->source = sources[0];
  for (const char *end; s; s = *end ? end + 1 : NULL) {
    end = s + strcspn(s, ",");
    size_t n = (size_t)(end - s);
    const char *equals = memchr(s, '=', n);
    if (equals) {
      if (!read_kernel(r, s, equals, n))
        return false;
    } else if (general || (!read_source(s, n, &r->source) && !read_number(s, n, &r->all))) {
      return false;
    } else {
      general = true;
    }
  }
  return true;
}

bool registers_valid(const char *value) {
  struct registers *r = xcalloc(1, sizeof *r);
  bool ok = read_list(r, value);
  registers_free(r);
  return ok;
}

struct registers *registers_read(const struct conf *c) {
  struct registers *r = xcalloc(1, sizeof *r);
  if (!read_list(r, conf_str(c, "front.registers")))
    panic("front.registers was not checked");
  r->target = xstrdup(conf_str(c, "front.ptxas_target"));
  return r;
}

void registers_free(struct registers *r) {
  if (!r)
    return;
  for (size_t i = 0; i < r->n; i++)
    free(r->by_kernel[i].kernel);
  free(r->by_kernel);
  free(r->target);
  free(r);
}

bool registers_known(const struct registers *r, const struct kernel_info *const *kernels, size_t n,
                     struct error *err) {
  bool ok = true;
  const char **names = xcalloc(n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++)
    names[i] = kernels[i]->name;
  for (size_t i = 0; i < r->n; i++) {
    const char *wanted = r->by_kernel[i].kernel;
    size_t k = 0;
    while (k < n && strcmp(names[k], wanted) != 0)
      k++;
    if (k < n)
      continue;
    const char *near = nearest_match(wanted, names, (int)n);
    ok = error_add(err, EXIT_USAGE, "front.registers: there is no kernel '%.60s'%s%s%s", wanted,
                   near ? "; did you mean '" : "", near ? near : " in the PTX", near ? "'?" : "");
  }
  free(names);
  return ok;
}

bool registers_count(const struct registers *r, struct program *p, const char *path, const char *text,
                     size_t n, struct error *err) {
  return r->source != REGISTERS_PTXAS || ptxas_count(p, path, text, n, r->target, err);
}

bool registers_recorded(const struct registers *r, uint32_t from, struct error *err) {
  if (r->source == sources[0] || from > REGISTERS_PTXAS || from == r->source)
    return true;
  return error_set(err, EXIT_USAGE,
                   "front.registers = %s: a recording has no PTX to count in; it was made with %s (a number, "
                   "or KERNEL=N, works)",
                   registers_from_names[r->source], registers_from_names[from]);
}

bool registers_override(const struct registers *r, struct kernel_info *k) {
  uint32_t given = r->all;
  for (size_t i = 0; i < r->n; i++)
    if (strcmp(r->by_kernel[i].kernel, k->name) == 0)
      given = r->by_kernel[i].n;
  if (given)
    k->registers = given, k->registers_from = REGISTERS_OPTION;
  return given;
}

void registers_choose(const struct registers *r, struct kernel_info *k, uint32_t stated) {
  if (registers_override(r, k))
    return;
  k->registers = stated ? stated : k->counted[r->source];
  k->registers_from = (uint8_t)(stated ? REGISTERS_LAUNCH : r->source);
}
