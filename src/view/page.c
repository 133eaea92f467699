#include "view/page.h"
#include "base/file.h"
#include "base/strbuf.h"
#include <stdlib.h>
#include <unistd.h>

/* dygraphs, in the folders where distributions and users have it. */
static char *find(const char *name, size_t *n, struct error *err) {
  const char *own = getenv("SLUICE_DYGRAPHS");
  const char *const folders[] = {own, "/usr/share/javascript/dygraphs",
                                 "/usr/local/share/javascript/dygraphs", "/usr/share/nodejs/dygraphs/dist"};
  struct strbuf path = {0};
  char *text = NULL;
  for (size_t i = 0; !text && i < sizeof folders / sizeof *folders; i++) {
    if (!folders[i])
      continue;
    strbuf_free(&path);
    strbuf_addf(&path, "%s/%s", folders[i], name);
    if (access(path.s, R_OK) == 0)
      text = file_read(path.s, 16 << 20, n, err);
    else if (folders[i] == own)
      break;
  }
  strbuf_free(&path);
  if (!text && !err->code)
    error_set(err, EXIT_RUNTIME,
              "sluice view: the chart library dygraphs (%s) is not installed: Debian and Ubuntu have it as "
              "libjs-dygraphs; SLUICE_DYGRAPHS names another folder with dygraph.min.js and dygraph.min.css",
              name);
  return text;
}

bool page_library_find(struct page_library *l, struct error *err) {
  *l = (struct page_library){0};
  l->script = find("dygraph.min.js", &l->nscript, err);
  if (l->script)
    l->style = find("dygraph.min.css", &l->nstyle, err);
  if (l->style)
    return true;
  page_library_free(l);
  return false;
}

void page_library_free(struct page_library *l) {
  free(l->script), free(l->style);
  *l = (struct page_library){0};
}

void page_head(FILE *to, const struct page_library *l) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'unsafe-inline'; style-src "
        "'unsafe-inline'; img-src data:\">\n"
        "<title>Sluice</title>\n<style>\n",
        to);
  fwrite(l->style, 1, l->nstyle, to);
  fwrite(page_style_source, 1, page_style_bytes, to);
  fputs("</style></head><body>\n<noscript>This page draws with JavaScript.</noscript>\n<div "
        "id=\"app\"></div>\n",
        to);
}

void page_foot(FILE *to, const struct page_library *l) {
  fputs("<script>\n", to);
  fwrite(l->script, 1, l->nscript, to);
  fputs("\n</script>\n<script>\n", to);
  fwrite(page_script_source, 1, page_script_bytes, to);
  fputs("\n</script></body></html>\n", to);
}
