#include "front/ptx/refuse.h"
#include "base/strbuf.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 64 };

void refuse_function(struct program *p, uint32_t f, const char *lines) {
  struct strbuf s = {0};
  if (p->funcs[f].refused)
    strbuf_addf(&s, "%s\n", p->funcs[f].refused);
  strbuf_add(&s, lines);
  p->funcs[f].refused = arena_strndup(&p->arena, s.s, s.n);
  strbuf_free(&s);
}

void refuse_opcodes(struct program *p, uint32_t f, const struct mnem *mnems) {
  const struct ptx_module *m = p->ast;
  const struct ptx_func *a = &m->funcs[f];
  for (uint32_t i = 0; i < a->ninsts; i++) {
    uint32_t k = a->insts[i].mnemonic, times = 0;
    bool first = !mnems[k].fn;
    for (uint32_t j = 0; j < i && first; j++)
      first = a->insts[j].mnemonic != k;
    if (!first)
      continue;
    for (uint32_t j = i; j < a->ninsts; j++)
      times += a->insts[j].mnemonic == k;
    struct strbuf s = {0};
    strbuf_addf(&s, "%s:%u: opcode '%s' is not supported (used %u time%s in %s)", m->path, a->insts[i].line,
                m->mnemonics[k], times, times == 1 ? "" : "s", a->name);
    refuse_function(p, f, s.s);
    strbuf_free(&s);
  }
}

/* Functions that a function names: it may call them. */
static void reach(const struct program *p, uint32_t f, bool *seen) {
  const struct ptx_func *a = &p->ast->funcs[f];
  seen[f] = true;
  for (uint32_t i = 0; i < a->nsyms; i++)
    if (a->syms[i].kind == PTX_SYM_FUNC && !seen[a->syms[i].index])
      reach(p, a->syms[i].index, seen);
}

static void refuse_kernel(struct program *p, uint32_t f, bool *seen) {
  struct strbuf all = {0};
  memset(seen, 0, p->ast->nfuncs * sizeof *seen);
  reach(p, f, seen);
  for (uint32_t g = 0; g < p->ast->nfuncs; g++)
    if (seen[g] && p->funcs[g].refused)
      strbuf_addf(&all, "%s%s", all.n ? "\n" : "", p->funcs[g].refused);
  p->funcs[f].info.refused = all.n ? arena_strndup(&p->arena, all.s, all.n) : NULL;
  strbuf_free(&all);
}

/* Every function's lines, up to a limit. */
static void list(const struct program *p, struct error *err) {
  size_t lines = 0, more = 0;
  for (uint32_t f = 0; f < p->ast->nfuncs; f++)
    for (const char *at = p->funcs[f].refused; at && *at;) {
      size_t n = strcspn(at, "\n");
      if (lines++ < MOST_LINES)
        error_add(err, EXIT_USAGE, "%.*s", (int)n, at);
      else
        more++;
      at += n + (at[n] == '\n');
    }
  if (more)
    error_add(err, EXIT_USAGE, "... and %zu more", more);
}

void program_refusals(const struct program *p, struct error *err) {
  list(p, err);
}

bool refuse_kernels(struct program *p, struct error *err) {
  bool *seen = xcalloc(p->ast->nfuncs + 1, sizeof *seen), any = false, usable = false;
  for (uint32_t f = 0; f < p->ast->nfuncs; f++) {
    any |= p->funcs[f].refused != NULL;
    if (!p->ast->funcs[f].is_entry || p->ast->funcs[f].is_extern)
      continue;
    refuse_kernel(p, f, seen);
    usable |= !p->funcs[f].info.refused;
  }
  free(seen);
  if (any && !usable)
    list(p, err);
  return usable || !any;
}

bool kernel_usable(const struct kernel_info *k, struct error *err) {
  return !k->refused || error_add(err, EXIT_USAGE, "kernel '%s' cannot run:\n%s", k->name, k->refused);
}
