#include "base/progress.h"
#include "base/clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

void progress_start(struct progress *p, enum progress_mode mode, const char *unit) {
  *p = (struct progress){.mode = mode, .unit = unit};
  if (mode == PROGRESS_AUTO) {
    p->bar = isatty(STDERR_FILENO) == 1;
    p->mode = p->bar ? PROGRESS_PLAIN : PROGRESS_NONE;
  }
  p->start = p->last = clock_seconds(CLOCK_MONOTONIC);
}

/* "12.3 M": three digits are all a rate is good for; below 1000 things are counted, unless they are few a second */
static void human(char *buf, size_t n, double v, bool rate) {
  static const char *const suffix[] = {"", " k", " M", " G", " T"};
  int i = 0;
  while (v >= 1000 && i < 4) {
    v /= 1000;
    i++;
  }
  snprintf(buf, n, "%.*f%s", (i == 0 && !(rate && v < 10)) || v >= 100 ? 0 : v >= 10 ? 1 : 2, v, suffix[i]);
}

static void draw(struct progress *p, double t, uint64_t done, uint64_t total, uint64_t work) {
  enum { WIDTH = 24 };
  char amount[32], rate[32], left[48] = "", bar[WIDTH + 8] = "";
  double elapsed = t - p->start, part = total ? (double)done / (double)total : 0;
  human(amount, sizeof amount, (double)work, false);
  human(rate, sizeof rate, elapsed > 0 ? (double)work / elapsed : 0, true);
  if (part > 0 && part <= 1) {
    double s = elapsed / part - elapsed;
    snprintf(left, sizeof left, ", %.0f:%02d left", (double)(long)(s / 60), (int)(long)s % 60);
  }
  if (p->bar && total) {
    int filled = (int)(part * WIDTH);
    bar[0] = '[';
    for (int i = 0; i < WIDTH; i++)
      bar[i + 1] = i < filled ? '=' : ' ';
    bar[WIDTH + 1] = ']';
    bar[WIDTH + 2] = ' ';
  }
  char percent[16] = "";
  if (total)
    snprintf(percent, sizeof percent, "%3.0f %%  ", part * 100);
  bool other = p->note[0]; /* than work stands before the rate: say of what it is */
  char line[400];
  snprintf(line, sizeof line, "%s%s%s %s%s, %s%s%s/s%s", bar, percent, amount, p->unit, p->note, rate,
           other ? " " : "", other ? p->unit : "", left);
  struct winsize window;
  if (p->bar && ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 &&
      window.ws_col < sizeof line)
    line[window.ws_col - 1] = '\0'; /* a line that wraps could not be taken off again */
  fprintf(stderr, "%s%s%s", p->bar ? "\r\033[K" : "", line, p->bar ? "" : "\n");
  fflush(stderr);
  p->drawn = true;
}

void progress_note(struct progress *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(p->note, sizeof p->note, format, args);
  va_end(args);
}

void progress_update(struct progress *p, uint64_t done, uint64_t total, uint64_t work) {
  if (p->mode == PROGRESS_NONE)
    return;
  double t = clock_seconds(CLOCK_MONOTONIC);
  if (t - p->start < 2 || t - p->last < (p->bar ? 0.2 : 10))
    return;
  p->last = t;
  draw(p, t, done, total, work);
}

void progress_end(struct progress *p) {
  if (p->bar && p->drawn)
    fputs("\r\033[K", stderr);
  p->drawn = false;
}
