/* A tree built from sorted keys, leaves full; one launch of point queries and one of range queries. Keys are
 * 3 apart, so that queries can miss. */
#include "workload/host.h"
#include <string.h>

enum { ORDER = 256, GAP = 3 };

struct node {
  int32_t location, child[ORDER + 1], key[ORDER + 1], leaf, keys;
};

struct tree {
  struct node *nodes;
  uint32_t count;
  int32_t height; /* levels below the root */
  int32_t root;
};

/* Groups of ORDER entries become nodes; `low` is the least key of each entry. */
static uint32_t add_level(struct tree *t, const int32_t *low, const int32_t *child, uint32_t n, bool leaf,
                          int32_t *out_low, int32_t *out_child) {
  uint32_t made = 0;
  for (uint32_t at = 0; at < n; at += ORDER, made++) {
    uint32_t m = n - at < ORDER ? n - at : ORDER;
    struct node *d = &t->nodes[t->count];
    d->location = (int32_t)t->count;
    d->leaf = leaf;
    d->keys = (int32_t)m;
    for (uint32_t i = 0; i <= ORDER; i++) {
      d->key[i] = i < m ? low[at + i] : INT32_MAX;
      d->child[i] = i < m ? child[at + i] : INT32_MAX;
    }
    out_low[made] = low[at];
    if (!leaf)
      d->key[0] = INT32_MIN;
    out_child[made] = (int32_t)t->count++;
  }
  return made;
}

static struct tree build(struct wl *w, uint32_t records) {
  struct tree t = {.nodes = wl_host(w, records / (ORDER / 2) + 8, sizeof *t.nodes)};
  int32_t *low = wl_host(w, records, sizeof *low), *child = wl_host(w, records, sizeof *child);
  for (uint32_t i = 0; i < records; i++) {
    low[i] = (int32_t)(i * GAP);
    child[i] = (int32_t)i;
  }
  uint32_t n = add_level(&t, low, child, records, true, low, child);
  for (; n > 1; t.height++)
    n = add_level(&t, low, child, n, false, low, child);
  t.root = child[0];
  return t;
}

static wl_buffer filled(struct wl *w, const char *name, uint32_t n, int32_t value) {
  int32_t *v = wl_host(w, n, sizeof *v);
  for (uint32_t i = 0; i < n; i++)
    v[i] = value;
  return wl_upload(w, name, v, (uint64_t)n * 4);
}

static void find(struct wl *w, const struct tree *t, wl_buffer nodes, uint32_t records, uint32_t queries) {
  int32_t *value = wl_host(w, records, sizeof *value), *query = wl_host(w, queries, sizeof *query);
  int32_t *want = wl_host(w, queries, sizeof *want);
  for (uint32_t i = 0; i < records; i++)
    value[i] = (int32_t)(wl_random(w) >> 33);
  for (uint32_t i = 0; i < queries; i++) {
    uint64_t record = wl_random_below(w, records);
    bool miss = wl_random_below(w, 10) == 0;
    query[i] = (int32_t)(record * GAP) + miss;
    want[i] = miss ? -1 : value[record];
  }
  wl_buffer record = wl_upload(w, "records", value, (uint64_t)records * 4);
  wl_buffer keys = wl_upload(w, "queries", query, (uint64_t)queries * 4);
  wl_buffer current = filled(w, "current", queries, t->root), offset = filled(w, "offset", queries, t->root);
  wl_buffer answers = filled(w, "answers", queries, -1);
  wl_launch(w, "btree_find", wl_range1((uint64_t)queries * ORDER, ORDER),
            WL_ARGS(wl_sint(t->height), wl_buf(nodes), wl_int(t->count), wl_buf(record), wl_buf(current),
                    wl_buf(offset), wl_buf(keys), wl_buf(answers)));
  if (wl_verify(w))
    wl_check_s32(w, answers, want, queries);
}

static void ranges(struct wl *w, const struct tree *t, wl_buffer nodes, uint32_t records, uint32_t queries) {
  int32_t *start = wl_host(w, queries, sizeof *start), *end = wl_host(w, queries, sizeof *end);
  int32_t *want = wl_host(w, queries, sizeof *want), *want_n = wl_host(w, queries, sizeof *want_n);
  for (uint32_t i = 0; i < queries; i++) {
    uint64_t span = wl_random_below(w, records < 1000 ? records : 1000);
    uint64_t first = wl_random_below(w, records - span);
    start[i] = (int32_t)(first * GAP);
    end[i] = (int32_t)((first + span) * GAP);
    want[i] = (int32_t)first;
    want_n[i] = (int32_t)span + 1;
  }
  wl_buffer from = wl_upload(w, "starts", start, (uint64_t)queries * 4);
  wl_buffer to = wl_upload(w, "ends", end, (uint64_t)queries * 4);
  wl_buffer current = filled(w, "current first", queries, t->root),
            last = filled(w, "current last", queries, t->root);
  wl_buffer offset = filled(w, "offset first", queries, t->root),
            offset2 = filled(w, "offset last", queries, t->root);
  wl_buffer first = wl_alloc(w, "first records", (uint64_t)queries * 4);
  wl_buffer length = wl_alloc(w, "lengths", (uint64_t)queries * 4);
  wl_launch(w, "btree_range", wl_range1((uint64_t)queries * ORDER, ORDER),
            WL_ARGS(wl_sint(t->height), wl_buf(nodes), wl_int(t->count), wl_buf(current), wl_buf(offset),
                    wl_buf(last), wl_buf(offset2), wl_buf(from), wl_buf(to), wl_buf(first), wl_buf(length)));
  if (wl_verify(w)) {
    wl_check_s32(w, first, want, queries);
    wl_check_s32(w, length, want_n, queries);
  }
}

WORKLOAD(b_tree) {
  uint32_t records = wl_u32(w, "records");
  struct tree t = build(w, records);
  wl_buffer nodes = wl_upload(w, "nodes", t.nodes, (uint64_t)t.count * sizeof *t.nodes);
  find(w, &t, nodes, records, wl_u32(w, "queries"));
  ranges(w, &t, nodes, records, wl_u32(w, "ranges"));
}
