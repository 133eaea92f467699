/* Generated streams: MARS' workloads count what arithmetic says and stay within their surfaces; locality of pages on
 * lists made by hand. */
#include "base/mem.h"
#include "front/gen/locality.h"
#include "front/gen/mars.h"
#include "front/gen/surface.h"
#include "front/trace/trace.h"
#include "front/walk.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void near(double got, double want) {
  if (got < want - 1e-9 || got > want + 1e-9)
    fail_msg("%g instead of %g", got, want);
}

/* Requests 4k, 4k+1, 4k+2, 4k+3 go to page k: four each, whatever the window. */
static void runs_of_four_have_locality_four(void **state) {
  (void)state;
  struct locality *l = locality_new();
  for (uint64_t i = 0; i < 32768; i++)
    locality_add(l, i / 4 * 4096 + i % 4 * 64);
  for (unsigned w = 0; w < LOCALITY_WINDOWS; w++)
    near(locality_mean(l, w), 4);
  assert_int_equal(locality_requests(l), 32768);
  locality_free(l);
}

/* Two pages in turn: 64 of 128 each, 8192 of 16384. Windows begin anew: 127 requests fill none. */
static void locality_grows_with_the_window_when_pages_come_back(void **state) {
  (void)state;
  struct locality *l = locality_new();
  for (uint64_t i = 0; i < 127; i++)
    locality_add(l, i % 2 * 4096);
  near(locality_mean(l, 0), 0);
  for (uint64_t i = 127; i < 16384; i++)
    locality_add(l, i % 2 * 4096 + i % 64);
  for (unsigned w = 0; w < LOCALITY_WINDOWS; w++)
    near(locality_mean(l, w), 64u << w);
  locality_free(l);
}

/* The loss that MARS begins with: a source that stays in a page for 128 requests has locality 128 by itself, and 16 in
 * windows of 128 when eight such sources take turns; windows of 1024 see it again. */
static void sources_that_take_turns_scatter_locality(void **state) {
  (void)state;
  struct locality *alone = locality_new(), *merged = locality_new();
  for (uint64_t i = 0; i < 2048; i++) {
    locality_add(alone, i / 128 * 4096);
    for (uint64_t source = 0; source < 8; source++)
      locality_add(merged, (source << 32) + i / 128 * 4096);
  }
  near(locality_mean(alone, 0), 128);
  near(locality_mean(merged, 0), 16);
  near(locality_mean(merged, 3), 128);
  locality_free(alone);
  locality_free(merged);
}

/* Means are over pages: a window with one page and one with 128 are 256 requests to 129. */
static void the_mean_is_over_pages(void **state) {
  (void)state;
  struct locality *l = locality_new();
  for (uint64_t i = 0; i < 256; i++)
    locality_add(l, i < 128 ? 0 : i * 4096);
  near(locality_mean(l, 0), 256.0 / 129);
  locality_free(l);
}

static void a_tiled_page_is_a_square_of_the_picture(void **state) {
  (void)state;
  struct surface s = surface_make(100, 70, 4, true); /* 4 x 3 pages of 32 x 32 texels */
  assert_int_equal(s.size, 4 * 3 * 4096);
  assert_int_equal(surface_offset(&s, 31, 31), 4092);
  assert_int_equal(surface_offset(&s, 32, 0), 4096);
  assert_int_equal(surface_offset(&s, 0, 32), 4 * 4096);
  assert_int_equal(surface_offset(&s, 7, 3), 124); /* a line of 128 bytes is 8 x 4 */
  assert_int_equal(surface_offset(&s, 0, 4), 128);
  s = surface_make(64, 64, 1, true); /* one page */
  assert_int_equal(s.size, 4096);
  s = surface_make(100, 70, 4, false);
  assert_int_equal(surface_offset(&s, 99, 69), 100 * 70 * 4 - 4);
}

static void texels_have_places_of_their_own(void **state) {
  (void)state;
  static const uint32_t bytes[] = {1, 2, 4, 8, 16};
  for (int b = 0; b < 10; b++) {
    struct surface s = surface_make(97, 65, bytes[b / 2], b % 2);
    uint8_t *seen = xcalloc(s.size, 1);
    for (uint32_t y = 0; y < 65; y++)
      for (uint32_t x = 0; x < 97; x++) {
        uint64_t at = surface_offset(&s, x, y);
        assert_true(at % s.bytes == 0 && at + s.bytes <= s.size);
        assert_false(seen[at]++);
      }
    free(seen);
  }
}

static struct mars small(enum mars_kind kind) {
  return (struct mars){.kind = kind,
                       .name = "test",
                       .width = 192,
                       .height = 128,
                       .tile = 32,
                       .tiles_along_z = true,
                       .pixels_along_z = true,
                       .tiled = true,
                       .alu = 2,
                       .inflight = 4,
                       .pass = 100,
                       .texture_width = 256,
                       .texture_height = 64,
                       .rotation = 30,
                       .scale = 1,
                       .seed = 3};
}

/* What a stream did, and where its surfaces are. */
struct seen {
  uint64_t loads, stores, lanes_loaded, lanes_stored;
  uint64_t ctas, turns, instructions;
  unsigned nbuffers;
  uint64_t base[MARS_MOST_SURFACES], size[MARS_MOST_SURFACES];
  uint8_t *touched[MARS_MOST_SURFACES]; /* times, by byte of the buffer */
  struct locality *locality;
};

static void see(void *ctx, const struct walk_access *a) {
  struct seen *s = ctx;
  bool store = a->inst->klass == SLUICE_STORE;
  *(store ? &s->stores : &s->loads) += 1;
  *(store ? &s->lanes_stored : &s->lanes_loaded) += a->n;
  for (unsigned i = 0; i < a->n; i++) {
    unsigned b = 0;
    while (b < s->nbuffers &&
           (a->address[i] < s->base[b] || a->address[i] + a->bytes > s->base[b] + s->size[b]))
      b++;
    assert_true(b < s->nbuffers);
    s->touched[b][a->address[i] - s->base[b]]++;
  }
  uint64_t line[1024];
  for (unsigned i = 0, n = walk_lines(a, line); i < n; i++)
    locality_add(s->locality, line[i]);
}

static void count_instructions(struct seen *s, const struct exec *x, const struct sluice_segment *g) {
  for (const uint32_t *w = g->words, *end = w + g->n; w < end;) {
    struct sluice_block b = exec_block(x, w[0]);
    s->instructions += b.ninst;
    w = trace_record_end(&b, w, end, g->warp_width);
    assert_non_null(w);
  }
}

static struct seen walked(const struct mars *m, unsigned width) {
  struct seen s = {.locality = locality_new()};
  struct mars_buffer b[MARS_MOST_SURFACES];
  struct exec_options o = exec_defaults();
  struct launch l;
  struct kernel_info k;
  struct error err = {0};
  struct sluice_segment g;
  int more;
  o.warp_width = width;
  s.nbuffers = mars_buffers(m, b);
  for (unsigned i = 0; i < s.nbuffers; i++) {
    s.base[i] = DEVMEM_BASE + ((uint64_t)i << 32) + 512; /* no page's begin */
    s.size[i] = b[i].bytes;
    s.touched[i] = xcalloc(b[i].bytes, 1);
  }
  struct exec *x = mars_open(m, s.base, &o, &l, &k, &err);
  assert_non_null(x);
  assert_int_equal(l.block[0], width);
  uint64_t named[EXEC_REGISTERS / 64];
  exec_registers(x, named);
  for (uint32_t r = k.registers; r < EXEC_REGISTERS; r++)
    assert_false(named[r / 64] >> r % 64 & 1);
  while ((more = exec_next(x, &g, &err)) > 0) {
    s.turns++;
    s.ctas += g.last;
    count_instructions(&s, x, &g);
    walk_global(x, &g, see, &s);
  }
  assert_int_equal(more, 0);
  assert_int_equal(s.ctas, l.grid[0]);
  assert_int_equal(exec_ctas(x), s.ctas);
  assert_int_equal(exec_ctas_done(x), s.ctas);
  exec_close(x);
  return s;
}

static void seen_free(struct seen *s) {
  for (unsigned i = 0; i < s->nbuffers; i++)
    free(s->touched[i]);
  locality_free(s->locality);
}

/* 192 x 128 pixels are 24576, and 384 blocks of 8 x 8. Lanes: WL1 a texel for each pixel, or four; WL2 two loads and two
 * stores; WL3 a store; WL4 a load, and one for each block; WL5 a load and a store for each block. */
static void accesses_are_pixels_times_streams(void **state) {
  (void)state;
  static const struct {
    enum mars_kind kind;
    bool bilinear;
    uint64_t loaded, stored;
  } want[] = {{MARS_TEXTURE, false, 24576, 0},
              {MARS_TEXTURE, true, 4 * 24576, 0},
              {MARS_STENCIL_COLOUR, false, 2 * 24576, 2 * 24576},
              {MARS_CLEAR, false, 0, 24576},
              {MARS_HIZ_DEPTH, false, 384 + 24576, 0},
              {MARS_HIZ, false, 384, 384}};
  static const unsigned widths[] = {1, 8, 31, 32, 64};
  for (int i = 0; i < 6; i++)
    for (int w = 0; w < 5; w++)
      for (int how = 0; how < 8; how++) {
        struct mars m = small(want[i].kind);
        m.bilinear = want[i].bilinear;
        m.tiles_along_z = how & 1, m.pixels_along_z = how & 2, m.tiled = how & 4;
        struct seen s = walked(&m, widths[w]);
        assert_int_equal(s.lanes_loaded, want[i].loaded);
        assert_int_equal(s.lanes_stored, want[i].stored);
        assert_int_equal(s.instructions, 3 * (s.loads + s.stores)); /* two ALU instructions each */
        assert_int_equal(s.ctas, 6 * 4);
        seen_free(&s);
      }
}

/* 32 warps of 32 pixels a tile, 24 tiles. */
static void warp_instructions_follow_from_the_width(void **state) {
  (void)state;
  struct mars m = small(MARS_CLEAR);
  m.alu = 5;
  struct seen s = walked(&m, 32);
  assert_int_equal(s.stores, 24 * 32);
  assert_int_equal(s.instructions, 24 * 32 * 6);
  seen_free(&s);
  s = walked(&m, 64);
  assert_int_equal(s.stores, 24 * 16);
  seen_free(&s);
}

static void every_pixel_is_written_once(void **state) {
  (void)state;
  for (int how = 0; how < 8; how++) {
    struct mars m = small(MARS_CLEAR);
    m.tiles_along_z = how & 1, m.pixels_along_z = how & 2, m.tiled = how & 4;
    m.contexts = 5;
    struct seen s = walked(&m, 32);
    uint64_t once = 0;
    for (uint64_t i = 0; i < s.size[0]; i++) {
      assert_true(s.touched[0][i] <= 1);
      once += s.touched[0][i];
    }
    assert_int_equal(once, 24576);
    seen_free(&s);
  }
}

/* Five contexts share 24 tiles: five CTAs, 24 turns, the same accesses. */
static void contexts_share_the_tiles(void **state) {
  (void)state;
  struct mars m = small(MARS_TEXTURE);
  struct seen all = walked(&m, 32);
  m.contexts = 5;
  struct seen five = walked(&m, 32);
  assert_int_equal(five.ctas, 5);
  assert_int_equal(five.turns, 24);
  assert_memory_equal(all.touched[0], five.touched[0], all.size[0]);
  m.contexts = 1000;
  struct seen many = walked(&m, 32);
  assert_int_equal(many.ctas, 24);
  seen_free(&all), seen_free(&five), seen_free(&many);
}

/* Without a turn every texel of a screen as large as the texture is read once. */
static void an_unturned_texture_is_read_once(void **state) {
  (void)state;
  struct mars m = small(MARS_TEXTURE);
  m.rotation = 0;
  m.texture_width = 192, m.texture_height = 128;
  struct seen s = walked(&m, 32);
  uint64_t once = 0;
  for (uint64_t i = 0; i < s.size[0]; i++)
    once += s.touched[0][i] == 1;
  assert_int_equal(once, 24576);
  seen_free(&s);
}

static void those_that_pass_are_a_share(void **state) {
  (void)state;
  struct mars m = small(MARS_STENCIL_COLOUR);
  m.pass = 0;
  struct seen none = walked(&m, 32);
  assert_int_equal(none.lanes_stored, 0);
  assert_int_equal(none.lanes_loaded, 24576); /* stencil */
  m.pass = 25;
  struct seen some = walked(&m, 32);
  assert_true(some.lanes_stored % 8 == 0); /* whole quads, two streams */
  assert_in_range(some.lanes_stored, 2 * 24576 / 5, 2 * 24576 * 3 / 10);
  seen_free(&none), seen_free(&some);
}

/* 1024 x 32 pixels of four bytes, tiles of 32 x 32, 32 lines each. Tiled, a tile is a page: 32 requests to each. In rows, a row
 * is a page: 128 requests are four tiles, four lines of each of 32 pages. */
static void layout_decides_locality(void **state) {
  (void)state;
  struct mars m = small(MARS_CLEAR);
  m.width = 1024, m.height = 32;
  m.tiles_along_z = false;
  m.pixels_along_z = true;
  struct seen s = walked(&m, 32);
  assert_int_equal(locality_requests(s.locality), 1024);
  near(locality_mean(s.locality, 0), 32);
  seen_free(&s);
  m.tiled = false, m.pixels_along_z = false;
  s = walked(&m, 32);
  assert_int_equal(locality_requests(s.locality), 1024);
  near(locality_mean(s.locality, 0), 4);
  near(locality_mean(s.locality, 3), 32); /* all 1024 */
  seen_free(&s);
}

static void parameters_that_do_not_go_together_are_refused(void **state) {
  (void)state;
  struct error err = {0};
  struct mars m = small(MARS_CLEAR);
  m.width = 200;
  assert_false(mars_check(&m, &err));
  assert_int_equal(err.code, EXIT_USAGE);
  assert_non_null(strstr(err.text, "multiples of tile, 32"));
  error_clear(&err);
  m = small(MARS_TEXTURE);
  m.scale = 0;
  assert_false(mars_check(&m, &err));
  error_clear(&err);
  m = small(MARS_TEXTURE);
  m.rotation = 361;
  assert_false(mars_check(&m, &err));
  error_clear(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_of_four_have_locality_four),
      cmocka_unit_test(locality_grows_with_the_window_when_pages_come_back),
      cmocka_unit_test(sources_that_take_turns_scatter_locality),
      cmocka_unit_test(the_mean_is_over_pages),
      cmocka_unit_test(a_tiled_page_is_a_square_of_the_picture),
      cmocka_unit_test(texels_have_places_of_their_own),
      cmocka_unit_test(accesses_are_pixels_times_streams),
      cmocka_unit_test(warp_instructions_follow_from_the_width),
      cmocka_unit_test(every_pixel_is_written_once),
      cmocka_unit_test(contexts_share_the_tiles),
      cmocka_unit_test(an_unturned_texture_is_read_once),
      cmocka_unit_test(those_that_pass_are_a_share),
      cmocka_unit_test(layout_decides_locality),
      cmocka_unit_test(parameters_that_do_not_go_together_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
