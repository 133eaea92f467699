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
  if (ok)
    read_back(out, to);
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
