/* Any bytes: the YAML reader answers with a tree or an error, and every node can be read. */
#include "base/num.h"
#include "conf/yaml.h"
#include <stdint.h>
#include <stdlib.h>

static void visit(const struct yaml_node *n) {
  static const char *const names[] = {"bytes", "grid", "block"};
  struct error e = {0};
  uint64_t u;
  int64_t i;
  double f;
  bool b;
  const char *s;
  int choice;
  yaml_u64(n, 1, 100, &u, &e);
  yaml_i64(n, -5, 5, &i, &e);
  yaml_f64(n, &f, &e);
  yaml_bool(n, &b, &e);
  yaml_str(n, &s, &e);
  yaml_enum(n, names, 3, &choice, &e);
  yaml_check_keys(n, names, 3, &e);
  yaml_need(n, "grid", &e);
  error_clear(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct error e = {0};
  struct yaml_doc *d = yaml_parse_text("fuzz.yaml", (const char *)data, size, &e);
  if (!d != (e.code != 0))
    abort();
  if (d && d->root) {
    /* breadth is bounded to keep an input's time linear: messages grow with depth only */
    const struct yaml_node *n = d->root;
    for (;;) {
      visit(n);
      if (n->kind == YAML_SCALAR || !n->n)
        break;
      for (size_t k = 0; k < n->n && k < 16; k++)
        visit(n->items[k]);
      n = n->items[n->n - 1];
    }
  }
  yaml_close(d);
  error_clear(&e);
  return 0;
}
