/* SPIR-V to an object, by llvm-spirv where it is installed. What it gives is LLVM's intermediate text for a machine with other
 * numbers for address spaces and other calls; here it becomes one for PTX:
 *
 *   define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(2) %table)
 *   define void @k(ptr addrspace(1) %p, ptr addrspace(4) %table)              with a node in nvvm.annotations
 *
 *                        private  global  constant  local  generic
 *   SPIR                    0        1       2        3       4
 *   PTX                     0        1       4        3       0 */
#include "base/mem.h"
#include "opencl/compiler.h"
#include "opencl/ir.h"
#include <stdio.h>
#include <stdlib.h>

static const char *space(const char *s, unsigned *n, int *length) {
  *n = 0;
  *length = 0;
  if (sscanf(s, " addrspace(%u)%n", n, length) == 1 && *length)
    return s + *length;
  *length = 0;
  return s;
}

static unsigned ptx_space(unsigned spir) {
  return spir == 2 ? 4 : spir == 4 ? 0 : spir;
}

/* "ptr addrspace(1) %x to ptr addrspace(4)" behind addrspacecast: whether both are one space of PTX. */
static bool same_space(const char *s, const char *end) {
  const char *to = memmem(s, (size_t)(end - s), " to ptr", 7), *from = memmem(s, (size_t)(end - s), "ptr", 3);
  unsigned a, b;
  int n;
  if (!to || !from || from > to)
    return false;
  space(from + 3, &a, &n);
  space(to + 7, &b, &n);
  return ptx_space(a) == ptx_space(b);
}

/* A name of a function: spaces are part of what is mangled, and of what LLVM's own functions are called. */
static const char *put_name(struct strbuf *out, const char *s, const char *end) {
  size_t n = name_length(s, end);
  bool intrinsic = starts(s, end, "llvm.");
  for (const char *e = s + n; s < e;) {
    if (!intrinsic && starts(s, e, "U3AS2")) {
      strbuf_add(out, "U3AS4");
      s += 5;
    } else if (!intrinsic && starts(s, e, "U3AS4")) {
      s += 5;
    } else if (intrinsic && e - s > 2 && s[0] == '.' && s[1] == 'p' && (s[2] == '2' || s[2] == '4')) {
      strbuf_addf(out, ".p%u", ptx_space((unsigned)(s[2] - '0')));
      s += 3;
    } else {
      strbuf_addc(out, *s++);
    }
  }
  return s;
}

static void put_line(struct strbuf *out, const char *s, const char *end) {
  static const char kernel[] = "spir_kernel ", function[] = "spir_func ", cast[] = "addrspacecast";
  while (s < end) {
    unsigned n;
    int length;
    if (*s == '"') { /* text */
      const char *q = memchr(s + 1, '"', (size_t)(end - s - 1)), *next = q ? q + 1 : end;
      strbuf_addn(out, s, (size_t)(next - s));
      s = next;
    } else if (*s == '@') {
      strbuf_addc(out, '@');
      s = put_name(out, s + 1, end);
    } else if (starts(s, end, kernel)) {
      s += sizeof kernel - 1;
    } else if (starts(s, end, function)) {
      s += sizeof function - 1;
    } else if (starts(s, end, cast)) {
      s += sizeof cast - 1;
      strbuf_add(out, same_space(s, end) ? "bitcast" : cast);
    } else if (*s == ' ' && (space(s, &n, &length), length)) {
      if (ptx_space(n))
        strbuf_addf(out, " addrspace(%u)", ptx_space(n));
      s += length;
    } else {
      strbuf_addc(out, *s++);
    }
  }
}

void il_to_ptx(const char *s, size_t n, struct strbuf *out) {
  struct strbuf list = {0}, nodes = {0};
  unsigned id = 1000000; /* beyond any that is there */
  strbuf_add(out, "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
                  "target triple = \"nvptx64--nvidiacl\"\n");
  for (const char *end = s + n, *e; s < end; s = e) {
    e = line_end(s, end);
    if (starts(s, e, "target "))
      continue;
    put_line(out, s, e);
    const char *at = memchr(s, '@', (size_t)(e - s));
    if (at && starts(s, e, "define ") && memmem(s, (size_t)(at - s), " spir_kernel ", 13)) {
      strbuf_addf(&nodes, "!%u = !{ptr @%.*s, !\"kernel\", i32 1}\n", id, (int)name_length(at + 1, e),
                  at + 1);
      strbuf_addf(&list, "%s!%u", list.n ? ", " : "", id++);
    }
  }
  if (list.n)
    strbuf_addf(out, "!nvvm.annotations = !{%s}\n%s", strbuf_str(&list), strbuf_str(&nodes));
  strbuf_free(&list);
  strbuf_free(&nodes);
}
