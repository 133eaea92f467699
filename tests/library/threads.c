/* Several handles on several threads at once, each with a technique of its own and some threads of the simulation: they count what
 * they count one after the other. Techniques are registered meanwhile. And a name that the library has inside. */
#include <pthread.h>
#include <sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6 };
void panic(const char *text, int line);
void panic(const char *text, int line) {
  fprintf(stderr, "%s (%d)\n", text, line);
  exit(1);
}

static const char *const with[N] = {NULL, "cart", "mrpb", "frc", "victim", "swl"};
struct job {
  const char *with;
  unsigned threads;
  double cycles, hits;
};

static void *begin(const struct sluice_env *env) {
  return (void)env, malloc(1);
}
static bool instruction(void *self, uint32_t warp, uint32_t degree, uint64_t cycle) {
  return (void)self, (void)cycle, warp + degree == 0;
}

static void *run(void *arg) {
  struct job *j = arg;
  static const struct sluice_l1_bypass hook = {
      .size = sizeof hook, .open = begin, .close = free, .instruction = instruction};
  static const struct sluice_param param[] = {
      {.name = "x", .type = SLUICE_P_BOOL, .initial = "true", .help = "Nothing."}};
  struct sluice_technique t = {SLUICE_TECHNIQUE_HEAD, .summary = "Nothing.", .paper = "a test",
                               .params = param,       .nparams = 1,          .l1_bypass = &hook};
  char name[40], why[200];
  static int number;
  int k = __atomic_fetch_add(&number, 1, __ATOMIC_RELAXED);
  snprintf(name, sizeof name, "test-%d", k);
  struct sluice_technique *kept = malloc(sizeof *kept);
  t.name = strdup(name);
  *kept = t;
  if (sluice_technique_register(kept, why, sizeof why))
    panic(why, __LINE__);
  struct sluice *s = sluice_create();
  struct sluice_options o = {.size = sizeof o, .threads = j->threads};
  if (!s || sluice_gpu(s, "fermi15") || sluice_options(s, &o) || (j->with && sluice_with(s, j->with)) ||
      sluice_run(s, "bfs", NULL) || !sluice_stat(s, "cycles", &j->cycles) ||
      !sluice_stat(s, "l2.hits", &j->hits))
    panic(s ? sluice_error(s) : "no memory", __LINE__);
  sluice_destroy(s);
  return NULL;
}

int main(void) {
  struct job alone[N], together[N];
  pthread_t thread[N];
  for (int i = 0; i < N; i++) {
    alone[i] = (struct job){.with = with[i], .threads = 1};
    together[i] = (struct job){.with = with[i], .threads = 1 + (unsigned)i % 2};
  }
  for (int i = 0; i < N; i++)
    if (pthread_create(&thread[i], NULL, run, &together[i]))
      panic("no thread", __LINE__);
  for (int i = 0; i < N; i++)
    pthread_join(thread[i], NULL);
  for (int i = 0; i < N; i++) {
    run(&alone[i]);
    if (alone[i].cycles != together[i].cycles || alone[i].hits != together[i].hits)
      panic(with[i] ? with[i] : "no technique", __LINE__);
  }
  printf("%d handles\n", N);
  return 0;
}
