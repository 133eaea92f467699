/* Drives a headless Chromium through its debugging pipe, for tests of pages. Reads commands, one on each line:
 *
 *   size WIDTH HEIGHT [mobile]     of the window
 *   open FILE                      a page, by path; waits until it says that it is ready (body[data-ready])
 *   click SELECTOR                 with the mouse, in the middle of the element
 *   drag SELECTOR X0 X1            with the mouse, between two shares of its width
 *   hover SELECTOR X               moves the mouse there
 *   choose SELECTOR VALUE          an option of a select
 *   true EXPRESSION                must become true within ten seconds
 *   say EXPRESSION                 prints its value
 *   shot FILE                      a picture of the whole page (PNG)
 *   pdf FILE                       the page as printed
 *
 *   drive CHROMIUM <commands
 *
 * Exit code 0: every `true` was; 1: one was not, or the page reported an error; 2: there is no browser that works. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int to_browser, from_browser, next_id, failures;
static pid_t browser;
static char profile[64], session[128];
static char *message; /* the last one */
static size_t message_cap, pending;

static _Noreturn void give_up(int code, const char *why) {
  fprintf(stderr, "drive: %s\n", why);
  if (browser > 0)
    kill(browser, SIGKILL);
  exit(code);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The next message, NUL at its end; false after the deadline. */
static bool receive(double deadline) {
  static size_t used; /* bytes of messages already handed out */
  if (used) {
    memmove(message, message + used, pending - used);
    pending -= used;
    used = 0;
  }
  for (;;) {
    char *end = pending ? memchr(message, 0, pending) : NULL;
    if (end) {
      used = (size_t)(end - message) + 1;
      return true;
    }
    int left = (int)((deadline - now()) * 1000);
    struct pollfd p = {.fd = from_browser, .events = POLLIN};
    if (left <= 0 || poll(&p, 1, left) <= 0)
      return false;
    if (message_cap - pending < 65536) {
      message_cap = message_cap * 2 + 65536;
      message = realloc(message, message_cap);
      if (!message)
        give_up(2, "no memory");
    }
    ssize_t n = read(from_browser, message + pending, message_cap - pending);
    if (n <= 0)
      give_up(2, "the browser has gone");
    pending += (size_t)n;
  }
}

/* Sends a command and waits for its answer, which is in `message`. */
static bool call(const char *method, const char *params) {
  char head[512];
  int id = ++next_id;
  int n = snprintf(head, sizeof head, "{\"id\":%d,%s%s%s\"method\":\"%s\",\"params\":", id,
                   *session ? "\"sessionId\":\"" : "", session, *session ? "\"," : "", method);
  if (write(to_browser, head, (size_t)n) < 0 || write(to_browser, params, strlen(params)) < 0 ||
      write(to_browser, "}", 2) < 0)
    give_up(2, "the browser does not listen");
  char wanted[32];
  snprintf(wanted, sizeof wanted, "{\"id\":%d,", id);
  for (double deadline = now() + 40; receive(deadline);) {
    if (strncmp(message, wanted, strlen(wanted)) == 0)
      return !strstr(message, "\"error\":{\"code\"");
    if (strstr(message, "\"Runtime.exceptionThrown\"")) {
      failures++;
      printf("the page reports: %.400s\n", message);
    }
  }
  give_up(2, "the browser does not answer");
}

/* A string member of the last answer, unescaped as far as ASCII goes; the caller frees. */
static char *member(const char *key) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\"%s\":\"", key);
  const char *at = strstr(message, wanted);
  if (!at)
    return NULL;
  at += strlen(wanted);
  char *out = malloc(strlen(at) + 1), *to = out;
  for (; *at && *at != '"'; at++) {
    if (*at == '\\' && at[1]) {
      at++;
      *to++ = *at == 'n' ? '\n' : *at;
    } else
      *to++ = *at;
  }
  *to = 0;
  return out;
}

static void quote(char *to, size_t n, const char *s) {
  size_t k = 0;
  for (; *s && k + 3 < n; s++) {
    if (*s == '"' || *s == '\\')
      to[k++] = '\\';
    to[k++] = *s;
  }
  to[k] = 0;
}

/* The value of an expression as JSON text; NULL: it throws. */
static char *evaluate(const char *expression) {
  static char text[16384], params[20000];
  quote(text, sizeof text, expression);
  snprintf(params, sizeof params,
           "{\"expression\":\"Promise.resolve((async () => (%s))()).then(v => JSON.stringify(v) ?? 'null')\","
           "\"awaitPromise\":true,\"returnByValue\":true}",
           text);
  if (!call("Runtime.evaluate", params) || strstr(message, "\"exceptionDetails\""))
    return NULL;
  return member("value");
}

static void must(const char *expression) {
  char *v = NULL;
  for (double deadline = now() + 10; now() < deadline;) {
    free(v);
    v = evaluate(expression);
    if (v && strcmp(v, "true") == 0) {
      free(v);
      return;
    }
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  }
  failures++;
  printf("not true: %s (%s)\n", expression, v ? v : message);
  free(v);
}

static bool box(const char *selector, double *x, double *y, double *w, double *h) {
  char text[2048];
  snprintf(text, sizeof text,
           "(() => { const e = document.querySelector(`%s`); e.scrollIntoView({block: 'center', behavior: "
           "'instant'}); const r = "
           "e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height].join(' '); })()",
           selector);
  char *v = evaluate(text);
  bool ok = v && sscanf(*v == '"' ? v + 1 : v, "%lf %lf %lf %lf", x, y, w, h) == 4;
  if (!ok) {
    failures++;
    printf("no element %s\n", selector);
  }
  free(v);
  return ok;
}

static void mouse(const char *type, double x, double y, bool down) {
  char params[256];
  snprintf(params, sizeof params,
           "{\"type\":\"%s\",\"x\":%.1f,\"y\":%.1f,\"button\":\"%s\",\"buttons\":%d,\"clickCount\":%d,"
           "\"pointerType\":"
           "\"mouse\"}",
           type, x, y, down ? "left" : "none", strcmp(type, "mouseReleased") != 0 && down, down);
  call("Input.dispatchMouseEvent", params);
}

static void press(const char *selector, double from, double to) {
  double x, y, w, h;
  if (!box(selector, &x, &y, &w, &h))
    return;
  double row = y + h * .4;
  mouse("mouseMoved", x + w * from, row, false);
  mouse("mousePressed", x + w * from, row, true);
  for (int i = 1; i <= 4 && to != from; i++)
    mouse("mouseMoved", x + w * (from + (to - from) * i / 4), row, true);
  mouse("mouseReleased", x + w * to, row, true);
}

static int digit(char c) {
  return c >= 'A' && c <= 'Z'        ? c - 'A'
         : c >= 'a' && c <= 'z'      ? c - 'a' + 26
         : isdigit((unsigned char)c) ? c - '0' + 52
         : c == '+'                  ? 62
         : c == '/'                  ? 63
                                     : -1;
}

static void save(const char *path) {
  char *data = member("data");
  FILE *f = fopen(path, "wb");
  unsigned bits = 0, n = 0;
  for (const char *p = data; f && p && *p; p++) {
    int d = digit(*p);
    if (d < 0)
      continue;
    bits = bits << 6 | (unsigned)d;
    n += 6;
    if (n >= 8) {
      n -= 8;
      fputc((int)(bits >> n & 255), f);
    }
  }
  if (f)
    fclose(f);
  free(data);
}

static void start(const char *chromium) {
  int in[2], out[2];
  snprintf(profile, sizeof profile, "/tmp/sluice-drive-XXXXXX");
  if (!mkdtemp(profile) || pipe(in) || pipe(out))
    give_up(2, strerror(errno));
  browser = fork();
  if (browser == 0) {
    /* the browser reads commands from 3 and answers to 4 */
    int a = fcntl(in[0], F_DUPFD, 10), b = fcntl(out[1], F_DUPFD, 10), null = open("/dev/null", O_RDWR);
    dup2(a, 3), dup2(b, 4), dup2(null, 0), dup2(null, 1), dup2(null, 2);
    char data[96];
    snprintf(data, sizeof data, "--user-data-dir=%s", profile);
    execlp(chromium, chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
           "--no-first-run", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
           "--force-color-profile=srgb", data, "--remote-debugging-pipe", "about:blank", (char *)NULL);
    _exit(127);
  }
  close(in[0]), close(out[1]);
  to_browser = in[1], from_browser = out[0];
  if (!call("Target.createTarget", "{\"url\":\"about:blank\"}"))
    give_up(2, message);
  char *target = member("targetId"), params[256];
  snprintf(params, sizeof params, "{\"targetId\":\"%s\",\"flatten\":true}", target ? target : "");
  free(target);
  if (!call("Target.attachToTarget", params))
    give_up(2, message);
  char *id = member("sessionId");
  snprintf(session, sizeof session, "%s", id ? id : "");
  free(id);
  call("Page.enable", "{}");
  call("Runtime.enable", "{}");
}

static void command(char *line) {
  char params[4096], *rest = strchr(line, ' ');
  if (rest)
    *rest++ = 0;
  else
    rest = line + strlen(line);
  if (strcmp(line, "size") == 0) {
    int w = 1280, h = 900;
    sscanf(rest, "%d %d", &w, &h);
    snprintf(params, sizeof params, "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":%s}", w,
             h, strstr(rest, "mobile") ? "true" : "false");
    call("Emulation.setDeviceMetricsOverride", params);
  } else if (strcmp(line, "open") == 0) {
    snprintf(params, sizeof params, "{\"url\":\"file://%s\"}", rest);
    call("Page.navigate", params);
    must("document.body && document.body.dataset.ready === 'yes'");
  } else if (strcmp(line, "click") == 0) {
    press(rest, .5, .5);
  } else if (strcmp(line, "drag") == 0 || strcmp(line, "hover") == 0) {
    char selector[1024];
    double a = .5, b = .5, x, y, w, h;
    if (sscanf(rest, "%1023s %lf %lf", selector, &a, &b) < 2)
      give_up(2, "a command without its numbers");
    if (*line == 'd')
      press(selector, a, b);
    else if (box(selector, &x, &y, &w, &h)) {
      mouse("mouseMoved", x + w * a - 3, y + h * .4, false);
      mouse("mouseMoved", x + w * a, y + h * .4, false);
    }
  } else if (strcmp(line, "choose") == 0) {
    char selector[1024], value[512];
    if (sscanf(rest, "%1023s %511s", selector, value) != 2)
      give_up(2, "a command without its value");
    snprintf(params, sizeof params,
             "(() => { const e = document.querySelector(`%s`); const there = "
             "[...e.options].some(o => o.value === `%s`); e.value = `%s`; e.dispatchEvent(new "
             "Event('change')); return there; })()",
             selector, value, value);
    must(params);
  } else if (strcmp(line, "true") == 0) {
    must(rest);
  } else if (strcmp(line, "say") == 0) {
    char *v = evaluate(rest);
    printf("%s\n", v ? v : message);
    free(v);
  } else if (strcmp(line, "shot") == 0) {
    call("Page.captureScreenshot", "{\"format\":\"png\",\"captureBeyondViewport\":true}");
    save(rest);
  } else if (strcmp(line, "pdf") == 0) {
    call("Page.printToPDF", "{\"printBackground\":false,\"landscape\":false}");
    save(rest);
  } else {
    give_up(2, line);
  }
}

static void remove_profile(void) {
  char *const rm[] = {"rm", "-rf", profile, NULL};
  pid_t p = fork();
  if (p == 0) {
    execvp("rm", rm);
    _exit(127);
  }
  waitpid(p, NULL, 0);
}

int main(int argc, char **argv) {
  char line[8192];
  signal(SIGPIPE, SIG_IGN);
  if (argc != 2)
    give_up(2, "name the browser");
  start(argv[1]);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (*line && *line != '#')
      command(line);
  }
  session[0] = 0;
  call("Browser.close", "{}");
  for (int i = 0; i < 100 && waitpid(browser, NULL, WNOHANG) == 0; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    if (i == 98)
      kill(browser, SIGKILL);
  }
  remove_profile();
  free(message);
  return failures ? 1 : 0;
}
