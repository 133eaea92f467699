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

bool launch_buffer_fill(const struct launch_buffer *b, uint8_t *to, bool zeroed, struct error *err) {
  /* untouched pages of a large buffer stay untouched */
  if (!(zeroed && b->fill.kind == FILL_ZERO) && !fill_apply(&b->fill, to, b->bytes, err))
    return false;
  for (size_t i = 0; i < b->nsets; i++)
    elem_store(b->type, b->sets[i].value, to + b->sets[i].index * elem_bytes(b->type));
  return true;
}
