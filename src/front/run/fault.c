/* What the program did wrong, where, and what lies near: as a sanitizer would say it. */
#include "front/run/attempt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WARNINGS = 20, MAX_WARPS_LISTED = 16 };

/* "k.ptx:34 (k.cu:12)" */
void where(const struct exec *x, const struct func *f, uint32_t inst, char *buf, size_t n) {
  const struct ptx_func *a = f->ast;
  if (inst >= a->ninsts) {
    snprintf(buf, n, "%s, end of %s", x->p->ast->path, a->name);
    return;
  }
  const struct ptx_inst *in = &a->insts[inst];
  int k = snprintf(buf, n, "%s:%u", x->p->ast->path, in->line);
  if (in->loc == PTX_NONE || k < 0 || (size_t)k >= n)
    return;
  const struct ptx_loc *l = &a->locs[in->loc];
  const char *file = l->file < x->p->ast->nfiles ? x->p->ast->files[l->file] : NULL;
  snprintf(buf + k, n - (size_t)k, " (%s:%u)", file ? file : "?", l->line);
}

static void what(const struct site *s, enum fault kind, uint64_t addr, unsigned bytes, const char *more,
                 char *buf, size_t n) {
  char near[256] = "";
  unsigned long long a = addr;
  switch (kind) {
  case FAULT_OUTSIDE:
    devmem_describe(s->x->mem, addr, near, sizeof near);
    snprintf(buf, n,
             devmem_find(s->x->mem, addr) ? "%u bytes at 0x%llx run past the end of the buffer: %s"
                                          : "%u bytes at 0x%llx, outside any buffer: %s",
             bytes, a, near);
    break;
  case FAULT_ALIGN:
    if (addr >= DEVMEM_BASE && addr < DEVMEM_LIMIT)
      devmem_describe(s->x->mem, addr, near, sizeof near);
    snprintf(buf, n, "%u bytes at 0x%llx, which is misaligned%s%s", bytes, a, *near ? ": " : "", near);
    break;
  case FAULT_SHARED:
    snprintf(buf, n, "%u bytes at shared address 0x%llx; the CTA has %llu bytes of shared memory", bytes, a,
             (unsigned long long)s->x->shared_bytes);
    break;
  case FAULT_OTHER_CTA:
    snprintf(buf, n, "address 0x%llx lies in the shared memory of block %llu", a,
             (unsigned long long)((addr & ((UINT64_C(1) << WINDOW_SHIFT) - 1)) >> SHARED_CTA_SHIFT));
    break;
  case FAULT_LOCAL:
    snprintf(buf, n, "%u bytes at local address 0x%llx; the thread's stack ends at 0x%llx", bytes, a,
             (unsigned long long)(s->frame->local_at + (uint64_t)s->func->local_bytes));
    break;
  case FAULT_PARAM:
    snprintf(buf, n, "%u bytes at parameter address 0x%llx; the kernel has %u bytes of parameters", bytes, a,
             s->x->kernel->info.param_bytes);
    break;
  case FAULT_READONLY:
    snprintf(buf, n, "write to read-only memory at 0x%llx", a);
    break;
  case FAULT_TRAP:
    snprintf(buf, n, "the kernel executed %s", more);
    break;
  case FAULT_ASSERT:
    snprintf(buf, n, "%s", more);
    break;
  case FAULT_STACK:
    snprintf(buf, n, "call stack exhausted (front.stack_bytes = %llu per thread)",
             (unsigned long long)s->x->o.stack_bytes);
    break;
  case FAULT_BARRIER:
    snprintf(buf, n, "barrier %llu: %s", a, more);
    break;
  case FAULT_FREE:
    snprintf(buf, n, "free of 0x%llx, which malloc did not return or which was freed before", a);
    break;
  case FAULT_BRX:
    snprintf(buf, n, "index %llu is beyond the branch table", a);
    break;
  case FAULT_TEXTURE:
    snprintf(buf, n, "0x%llx is no texture, surface or image: %s", a, more);
    break;
  case FAULT_SURFACE:
    snprintf(buf, n, "%s", more);
    break;
  }
}

void fault(struct site *s, const struct uop *u, unsigned lane, enum fault kind, uint64_t addr, unsigned bytes,
           const char *more) {
  struct exec *x = s->x;
  if (x->attempt) /* reported when it is executed in its time */
    attempt_ends(x);
  if (x->failed)
    return;
  bool read = (u->kind == U_LD || u->kind == U_TEXTURE) && kind != FAULT_ALIGN;
  bool fatal = x->o.memcheck == MEMCHECK_ERROR || (x->o.memcheck == MEMCHECK_READS && !read) ||
               kind == FAULT_TRAP || kind == FAULT_ASSERT || kind == FAULT_BARRIER || kind == FAULT_STACK ||
               kind == FAULT_BRX;
  if (!fatal && x->o.memcheck == MEMCHECK_OFF)
    return;
  x->violations++;
  if (!fatal && x->violations > MAX_WARNINGS)
    return;
  char place[512], problem[768], text[1792];
  where(x, s->func, u->inst, place, sizeof place);
  what(s, kind, addr, bytes, more, problem, sizeof problem);
  size_t t = (size_t)s->w->index * x->nlanes + lane;
  const char *op =
      u->inst < s->func->ast->ninsts ? x->p->ast->mnemonics[s->func->ast->insts[u->inst].mnemonic] : "ret";
  snprintf(text, sizeof text, "%s: %s: %s\n  in kernel '%s'%s%s%s, block (%u,%u,%u), thread (%u,%u,%u)",
           place, op, problem, x->kernel->ast->name, s->func == x->kernel ? "" : ", function '",
           s->func == x->kernel ? "" : s->func->ast->name, s->func == x->kernel ? "" : "'", s->cta->id[0],
           s->cta->id[1], s->cta->id[2], x->tid[0][t], x->tid[1][t], x->tid[2][t]);
  if (fatal) {
    error_set(x->err, EXIT_FAULT, "%s", text);
    x->failed = true;
    return;
  }
  if (x->o.warn)
    x->o.warn(x->o.warn_ctx, text);
  if (x->violations == MAX_WARNINGS && x->o.warn)
    x->o.warn(x->o.warn_ctx, "further violations are counted, not shown");
}

static const char *state_name(const struct node *n) {
  return n->state == NODE_AT_BARRIER ? "waits at barrier"
         : n->state == NODE_AT_SYNC  ? "waits for its warp"
                                     : "runs";
}

/* Where every warp of the window sits. */
void describe_stall(struct exec *x, struct error *err, const char *why) {
  error_set(err, EXIT_STALL, "kernel '%s' makes no progress: %s", x->kernel->ast->name, why);
  unsigned listed = 0;
  uint64_t more = 0;
  for (size_t i = 0; i < x->nwindow; i++)
    for (uint32_t k = 0; k < x->nwarps; k++) {
      const struct cta *c = x->window[i];
      const struct warp *w = &c->warps[k];
      if (w->done)
        continue;
      for (size_t n = 0; n < w->nnodes; n++) {
        const struct node *p = &w->nodes[n];
        if (p->state == NODE_FREE || p->state == NODE_INNER || !p->mask)
          continue;
        if (listed++ >= MAX_WARPS_LISTED) {
          more++;
          continue;
        }
        char at[512], id[8] = "";
        const struct func *f = &x->p->funcs[w->frames[p->frame].func];
        const struct block *b = p->pc < x->p->nblocks ? &x->p->blocks[p->pc] : NULL;
        uint32_t inst = p->state == NODE_AT_BARRIER && p->wait ? p->wait->inst
                        : b                                    ? x->p->uops[b->first].inst
                                                               : UINT32_MAX;
        where(x, f, inst, at, sizeof at);
        if (p->state == NODE_AT_BARRIER)
          snprintf(id, sizeof id, " %u", p->barrier);
        error_add(err, EXIT_STALL, "  block (%u,%u,%u) warp %u: %s%s at %s, lanes 0x%llx", c->id[0], c->id[1],
                  c->id[2], k, state_name(p), id, at, (unsigned long long)p->mask);
      }
    }
  if (more)
    error_add(err, EXIT_STALL, "  and %llu more", (unsigned long long)more);
}
