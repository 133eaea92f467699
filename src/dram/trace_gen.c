/* Request streams by arithmetic. The named ones are bit-exact: request i is a function of the options
 * alone (splitmix64 of the seed, plain modulo), so results can be compared with other simulators'. */
#include "dram/trace_gen.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* X(field, minimum, maximum, definition) */
#define GEN_OPTIONS(X)                                                                                       \
  X(n, 1, UINT64_C(1) << 40, "requests")                                                                     \
  X(seed, 0, UINT64_MAX, "of the random numbers")                                                            \
  X(blocks, 512, UINT64_C(1) << 40, "transactions in the address space")                                     \
  X(stride, 1, UINT64_C(1) << 32, "blocks from one request to the next")                                     \
  X(streams, 1, 4096, "interleaved streams")                                                                 \
  X(page, 1, 1 << 20, "blocks a stream or burst walks before it jumps")                                      \
  X(group, 1, UINT64_C(1) << 32, "requests that arrive together")                                            \
  X(period, 0, UINT64_C(1) << 32, "cycles between groups; 0: all at once")                                   \
  X(write_every, 0, UINT64_C(1) << 32, "every so many-th request (run) is a write; 0: none")                 \
  X(read_one_in, 0, UINT64_C(1) << 32, "runs: one in so many reads, drawn at random; 0: see write_every")

enum gen_kind { STREAM, COPY, ADD, RANDOM, PINGPONG, PINGPONG2, STREAMS, STRIDED, WALKS, RUNS };

struct gen_options {
#define X(field, min, max, help) uint64_t field;
  GEN_OPTIONS(X)
#undef X
  double reads; /* share of reads, drawn at random; negative: not given */
  double rate;  /* requests per cycle; 0: see period */
};

static const struct gen_options general = {
    .seed = 1, .blocks = 1 << 24, .stride = 33, .streams = 16, .page = 64, .group = 1, .reads = -1};

struct gen_row {
  struct dram_generator_info info;
  enum gen_kind kind;
  const char *defaults; /* where they differ from `general` */
};

static const struct gen_row rows[] = {
    {{"stream", "consecutive blocks"}, STREAM, "n=100000"},
    {{"copy", "read a[i], write b[i]"}, COPY, "n=100000"},
    {{"add", "read a[i], read b[i], write c[i]"}, ADD, "n=99000"},
    {{"random", "random blocks"}, RANDOM, "n=50000"},
    {{"strided", "blocks `stride` apart"}, STRIDED, "n=50000"},
    {{"streams", "`streams` interleaved walks over random pages"}, STREAMS, "n=100000,seed=2"},
    {{"pingpong", "one bank, every request another row"}, PINGPONG, "n=20000"},
    {{"pingpong2", "two rows of one bank in turn"}, PINGPONG2, "n=20000"},
    {{"bursty", "walks over random pages, one every `period` cycles"},
     WALKS,
     "n=51200,seed=4,group=64,period=800,write_every=4"},
    {{"runs", "four consecutive blocks at random places"}, RUNS, "n=50000,seed=8,page=4"},
    /* the reference set, by its names */
    {{"stream_rd", "reference: stream"}, STREAM, "n=100000"},
    {{"stream_rw50", "reference: copy"}, COPY, "n=100000"},
    {{"random_rd", "reference: random"}, RANDOM, "n=50000"},
    {{"streams16", "reference: 16 streams"}, STREAMS, "n=100000,seed=2"},
    {{"streams64", "reference: 64 streams"}, STREAMS, "n=100000,seed=3,streams=64"},
    {{"strided_pow2", "reference: stride 128"}, STRIDED, "n=50000,stride=128"},
    {{"write_heavy", "reference: runs, 80 % writes"}, RUNS, "n=50000,seed=5,page=4,read_one_in=5"},
    {{"mix21_stream", "reference: add"}, ADD, "n=99000"},
    {{"mix21_random", "reference: random, every third a write"}, RANDOM, "n=50000,seed=6,write_every=3"},
    {{"idle_random", "reference: one random read every 200 cycles"}, RANDOM, "n=20000,seed=7,period=200"},
    {{"half_load", "reference: runs, one request every 12 cycles, a third writes"},
     RUNS,
     "n=50000,seed=8,page=4,period=12,write_every=3"},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct dram_gen {
  enum gen_kind kind;
  struct gen_options o;
  uint32_t transaction;
  uint64_t i;           /* requests made */
  uint64_t state, coin; /* random numbers: of the addresses, of `reads` */
  uint64_t base;        /* of the current run or walk */
  bool run_writes;
  struct {
    uint64_t page, offset;
  } * streams;
};

const struct dram_generator_info *dram_generator(size_t i) {
  return i < ROWS ? &rows[i].info : NULL;
}

static const char *const option_names[] = {
#define X(field, min, max, help) #field,
    GEN_OPTIONS(X)
#undef X
        "reads",
    "rate"};
enum { OPTIONS = sizeof option_names / sizeof *option_names };

static bool set_fraction(const char *spec, const char *key, const char *value, double max, double *to,
                         struct error *err) {
  double v;
  if (num_f64(value, &v) != NUM_OK || !(v >= 0 && v <= max))
    return error_add(err, EXIT_USAGE, "gen:%s: %s: '%.40s' is not a number in 0..%g", spec, key, value, max);
  *to = v;
  return true;
}

static bool set_option(struct gen_options *o, const char *spec, const char *key, const char *value,
                       struct error *err) {
  uint64_t v, min = 0, max = 0, *to = NULL;
#define X(field, least, most, help)                                                                          \
  if (strcmp(key, #field) == 0) {                                                                            \
    to = &o->field;                                                                                          \
    min = least;                                                                                             \
    max = most;                                                                                              \
  }
  GEN_OPTIONS(X)
#undef X
  if (to) {
    if (num_u64(value, &v) != NUM_OK || v < min || v > max)
      return error_add(err, EXIT_USAGE, "gen:%s: %s: '%.40s' is not a whole number in %" PRIu64 "..%" PRIu64,
                       spec, key, value, min, max);
    *to = v;
    return true;
  }
  if (strcmp(key, "reads") == 0)
    return set_fraction(spec, key, value, 1, &o->reads, err);
  if (strcmp(key, "rate") == 0)
    return set_fraction(spec, key, value, 1e6, &o->rate, err);
  const char *near = nearest_match(key, option_names, OPTIONS);
  struct strbuf all = {0};
  for (int i = 0; i < OPTIONS; i++)
    strbuf_addf(&all, "%s%s", i ? ", " : "", option_names[i]);
  error_add(err, EXIT_USAGE, "gen:%s: no option '%.40s'%s%s%s (allowed: %s)", spec, key,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", all.s);
  strbuf_free(&all);
  return false;
}

static const struct gen_row *find_row(const char *name, struct error *err) {
  const char *names[ROWS];
  for (int i = 0; i < ROWS; i++) {
    names[i] = rows[i].info.name;
    if (strcmp(name, names[i]) == 0)
      return &rows[i];
  }
  const char *near = nearest_match(name, names, ROWS);
  struct strbuf all = {0};
  for (int i = 0; i < ROWS; i++)
    strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
  error_add(err, EXIT_USAGE, "no generator 'gen:%.40s'%s%s%s (allowed: %s)", name,
            near ? "; did you mean 'gen:" : "", near ? near : "", near ? "'?" : "", all.s);
  strbuf_free(&all);
  return NULL;
}

static uint64_t below(struct dram_gen *g, uint64_t n) {
  return rng_splitmix(&g->state) % n; /* plain modulo: the reference set's choice */
}

static uint64_t pages(const struct dram_gen *g) {
  uint64_t n = g->o.blocks / g->o.page;
  return n ? n : 1;
}

/* "key=value,key=value"; all mistakes at once */
static void set_options(struct gen_options *o, const char *name, const char *list, struct error *err) {
  char *text = xstrdup(list), *save = NULL;
  for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
    char *value = strchr(word, '=');
    if (value) {
      *value++ = 0;
      set_option(o, name, word, value, err);
    } else
      error_add(err, EXIT_USAGE, "gen:%s: '%.40s' is not option=value", name, word);
  }
  free(text);
}

struct dram_gen *dram_gen_open(const char *spec, uint32_t transaction, struct error *err) {
  struct error mine = {0};
  struct gen_options o = general;
  char *name = xstrndup(spec, strcspn(spec, ","));
  const struct gen_row *row = find_row(name, &mine);
  if (row) {
    set_options(&o, name, row->defaults, &mine);
    set_options(&o, name, spec + strlen(name), &mine);
  }
  free(name);
  if (mine.code) {
    error_add(err, mine.code, "%s", mine.text);
    error_clear(&mine);
    return NULL;
  }
  struct dram_gen *g = xcalloc(1, sizeof *g);
  g->kind = row->kind;
  g->o = o;
  g->transaction = transaction;
  g->state = o.seed;
  g->coin = o.seed ^ UINT64_C(0x5bd1e9955bd1e995);
  if (g->kind == STREAMS) {
    g->streams = xcalloc((size_t)o.streams, sizeof *g->streams);
    for (uint64_t s = 0; s < o.streams; s++)
      g->streams[s].page = below(g, pages(g));
  }
  return g;
}

/* Four blocks (`page`) at a random place, all reads or all writes. */
static uint64_t run(struct dram_gen *g, bool *write) {
  uint64_t k = g->i % g->o.page, c = g->i / g->o.page;
  if (k == 0) {
    g->base = below(g, pages(g)) * g->o.page;
    if (g->o.read_one_in)
      g->run_writes = below(g, g->o.read_one_in) != 0;
    else
      g->run_writes = g->o.write_every && c % g->o.write_every == g->o.write_every - 1;
  }
  *write = g->run_writes;
  return g->base + k;
}

static uint64_t stream_of_many(struct dram_gen *g) {
  uint64_t s = g->i % g->o.streams;
  uint64_t block = g->streams[s].page * g->o.page + g->streams[s].offset;
  if (++g->streams[s].offset == g->o.page) {
    g->streams[s].offset = 0;
    g->streams[s].page = below(g, pages(g));
  }
  return block;
}

static uint64_t next_block(struct dram_gen *g, bool *write) {
  uint64_t i = g->i, space = g->o.blocks;
  *write = g->o.write_every && i % g->o.write_every == g->o.write_every - 1;
  switch (g->kind) {
  case STREAM:
    return i % space;
  case COPY:
    *write = i & 1;
    return (i / 2 + (i & 1 ? space / 2 : 0)) % space;
  case ADD:
    *write = i % 3 == 2;
    return (i / 3 + i % 3 * (space / 4)) % space;
  case RANDOM:
    return below(g, space);
  case PINGPONG: /* only row bits change: 512 rows, 2^15 blocks apart in the space of 2^24 */
    return i % 512 * (space / 512);
  case PINGPONG2: /* two rows, the column walks in steps of 4 blocks */
    return ((i & 1) * (space / 512) + i / 2 % 32 * 4) % space;
  case STREAMS:
    return stream_of_many(g);
  case STRIDED: /* shifts by one block after every 2^17 requests */
    return (i * g->o.stride + (g->o.stride & (g->o.stride - 1) ? 0 : i >> 17)) % space;
  case WALKS:
    if (i % g->o.page == 0)
      g->base = below(g, pages(g)) * g->o.page;
    return g->base + i % g->o.page;
  case RUNS:
    return run(g, write);
  }
  return 0;
}

size_t dram_gen_next(struct dram_gen *g, struct dram_trace_request *to, size_t max) {
  size_t n = 0;
  for (; n < max && g->i < g->o.n; n++, g->i++) {
    struct dram_trace_request *r = &to[n];
    bool write;
    r->address = next_block(g, &write) * g->transaction;
    r->mask = 0;
    r->write = g->o.reads < 0 ? write : rng_unit(&g->coin) >= g->o.reads;
    r->cycle = g->o.rate > 0 ? (uint64_t)((double)g->i / g->o.rate) : g->i / g->o.group * g->o.period;
  }
  return n;
}

void dram_gen_position(const struct dram_gen *g, uint64_t *done, uint64_t *total) {
  *done = g->i;
  *total = g->o.n;
}

void dram_gen_close(struct dram_gen *g) {
  if (g)
    free(g->streams);
  free(g);
}
