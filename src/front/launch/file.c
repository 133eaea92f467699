/* What every user of a launch file needs, whether it came from YAML or from a plan. */
#include "base/mem.h"
#include "base/strbuf.h"
#include "front/launch/launch.h"
#include <stdlib.h>
#include <string.h>

void launch_file_free(struct launch_file *f) {
  if (!f)
    return;
  for (size_t i = 0; i < f->nptx; i++) {
    free(f->ptx[i].path);
    free(f->ptx[i].text);
  }
  for (size_t i = 0; i < f->nbuffers; i++) {
    free(f->buffers[i].name);
    free(f->buffers[i].sets);
    fill_free(&f->buffers[i].fill);
  }
  for (size_t i = 0; i < f->nsteps; i++) {
    struct launch_step *s = &f->steps[i];
    for (size_t k = 0; k < s->nargs; k++)
      free(s->args[k].bytes);
    free(s->args);
    free(s->kernel);
    fill_free(&s->fill);
  }
  for (size_t i = 0; i < f->noutputs; i++) {
    free(f->outputs[i].path);
    free(f->outputs[i].sets);
    fill_free(&f->outputs[i].want);
  }
  free(f->ptx);
  free(f->buffers);
  free(f->steps);
  free(f->outputs);
  free(f->path);
  free(f->dir);
  free(f);
}

bool launch_error(const struct launch_file *f, unsigned line, const char *what, size_t index,
                  struct error *err, int code, const char *fmt, ...) {
  char message[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  return error_add(err, code, "%s:%u: %s[%zu]: %s", f->path, line, what, index, message);
}

char *launch_resolve(const char *dir, const char *path) {
  struct strbuf b = {0};
  if (path[0] != '/' && strcmp(dir, ".") != 0)
    strbuf_addf(&b, "%s%s", dir, dir[0] && dir[strlen(dir) - 1] == '/' ? "" : "/");
  strbuf_add(&b, path);
  return strbuf_take(&b);
}

void launch_apply_sets(const struct launch_set *sets, size_t nsets, enum elem_type type, uint8_t *part,
                       uint64_t first, uint64_t n) {
  for (size_t i = 0; i < nsets; i++) {
    uint64_t at = sets[i].index * elem_bytes(type);
    if (at >= first && at - first < n)
      elem_store(type, sets[i].value, part + (at - first));
  }
}

bool launch_buffer_fill(const struct launch_buffer *b, uint8_t *to, bool zeroed, struct error *err) {
  /* untouched pages of a large buffer stay untouched */
  if (!(zeroed && b->fill.kind == FILL_ZERO) && !fill_apply(&b->fill, to, b->bytes, err))
    return false;
  launch_apply_sets(b->sets, b->nsets, b->type, to, 0, b->bytes);
  return true;
}
