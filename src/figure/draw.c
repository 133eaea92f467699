/* Running gnuplot. Script, picture and complaints go through unnamed files, so that no pipe can fill up. */
#include "figure/figure.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void read_back(FILE *from, struct strbuf *to) {
  char buf[8192];
  size_t n;
  rewind(from);
  while ((n = fread(buf, 1, sizeof buf, from)) > 0)
    strbuf_addn(to, buf, n);
}

/* gnuplot's exit status, -1 if it could not be started. */
static int run(FILE *in, FILE *out, FILE *complaints) {
  pid_t child = fork();
  if (child == 0) {
    if (dup2(fileno(in), 0) >= 0 && dup2(fileno(out), 1) >= 0 && dup2(fileno(complaints), 2) >= 0)
      execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL); /* -d: nobody's own settings */
    _exit(127);
  }
  int status;
  if (child < 0)
    return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Texts under the pointer: gnuplot calls a script that would have to come with the file; a title needs none. */
static void without_script(struct strbuf *svg) {
  static const char open[] = " onmousemove=\"gnuplot_svg.showHypertext(evt,'",
                    close[] = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>";
  struct strbuf out = {0};
  const char *at = strbuf_str(svg), *next, *end;
  while ((next = strstr(at, open)) && (end = strstr(next, close))) {
    strbuf_addn(&out, at, (size_t)(next - at));
    next += sizeof open - 1;
    strbuf_add(&out, "><title>");
    strbuf_addn(&out, next, (size_t)(end - next));
    strbuf_add(&out, "</title>");
    at = end + sizeof close - 1;
  }
  strbuf_add(&out, at);
  strbuf_free(svg);
  *svg = out;
}

bool figure_draw(const struct figure *f, enum figure_form form, struct strbuf *to, struct error *err) {
  struct strbuf script = {0}, said = {0};
  figure_script(f, form, &script);
  FILE *in = tmpfile(), *out = tmpfile(), *complaints = tmpfile();
  bool ok = in && out && complaints && fwrite(script.s, 1, script.n, in) == script.n && fflush(in) == 0;
  if (!ok)
    error_set(err, EXIT_RUNTIME, "%s: cannot make a temporary file for gnuplot: %s", f->id, strerror(errno));
  if (ok) {
    rewind(in);
    int status = run(in, out, complaints);
    read_back(complaints, &said);
    ok = status == 0;
    if (status == 127)
      error_set(err, EXIT_RUNTIME, "%s: gnuplot draws the figures and is not installed (Debian: gnuplot-nox)",
                f->id);
    else if (!ok)
      error_set(err, EXIT_RUNTIME, "%s: gnuplot failed: %s", f->id, strbuf_str(&said));
  }
  if (ok) {
    struct strbuf picture = {0};
    read_back(out, &picture);
    if (form == FIGURE_SVG)
      without_script(&picture);
    strbuf_addn(to, strbuf_str(&picture), picture.n);
    strbuf_free(&picture);
  }
  if (in)
    fclose(in);
  if (out)
    fclose(out);
  if (complaints)
    fclose(complaints);
  strbuf_free(&script);
  strbuf_free(&said);
  return ok;
}
