/* Functions that are declared only: vprintf, malloc, free, assertions, and some of OpenCL. */
#include "front/run/attempt.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t argument(const struct site *s, const struct func *f, uint32_t local_at, unsigned i,
                         unsigned lane) {
  uint64_t v = 0;
  uint64_t n = f->ast->params[i].size;
  if (i < f->ast->nparams)
    local_read(s->x, s->w, local_at + f->param_at[i], lane, &v, n < 8 ? (unsigned)n : 8);
  return v;
}

static void set_result(const struct site *s, const struct func *f, uint32_t local_at, unsigned lane,
                       uint64_t v) {
  if (!f->ast->nrets)
    return;
  uint64_t n = f->ast->rets[0].size;
  local_write(s->x, s->w, local_at + f->ret_at[0], lane, &v, n < 8 ? (unsigned)n : 8);
}

/* A string in device memory, at most n-1 characters of it. */
static const char *device_string(const struct site *s, uint64_t addr, char *buf, size_t n) {
  size_t k = 0;
  const struct devbuf *b = devmem_find(s->x->mem, addr);
  for (; b && k + 1 < n && addr + k - b->addr < b->size; k++)
    if (!(buf[k] = (char)b->host[addr + k - b->addr]))
      return buf;
  buf[k] = 0;
  return b ? buf : "(null)";
}

/* Reads from the argument block, which usually lies in the thread's local memory. */
static bool read_generic(const struct site *s, uint64_t addr, unsigned lane, void *to, unsigned bytes) {
  if (addr >> WINDOW_SHIFT == 2) {
    uint64_t at = addr & ((UINT64_C(1) << WINDOW_SHIFT) - 1);
    if (at + bytes > s->w->local_cap)
      return false;
    local_read(s->x, s->w, at, lane, to, bytes);
    return true;
  }
  return devmem_read(s->x->mem, addr, to, bytes);
}

struct print {
  const struct site *s;
  unsigned lane;
  uint64_t args, at;
  bool packed; /* arguments follow each other without padding */
  FILE *out;
  int count;
};

static uint64_t next_arg(struct print *p, unsigned bytes) {
  uint64_t v = 0;
  if (!p->packed)
    p->at = (p->at + bytes - 1) / bytes * bytes;
  read_generic(p->s, p->args + p->at, p->lane, &v, bytes);
  p->at += bytes;
  p->count++;
  return v;
}

/* One conversion: flags, width and precision, then OpenCL's vector width and the length of an argument. */
struct conversion {
  char spec[64]; /* "%-08.3" */
  size_t n;
  unsigned vector; /* elements; 0: none */
  unsigned length; /* bytes by the length modifier; 0: none */
  char c;
};

static const char *parse_conversion(struct print *p, const char *f, struct conversion *v) {
  *v = (struct conversion){.spec = "%", .n = 1};
  for (; *f && strchr("-+ #0", *f) && v->n < 20; f++)
    v->spec[v->n++] = *f;
  for (int part = 0; part < 2; part++) { /* width, then precision */
    if (part && *f != '.')
      break;
    if (part)
      v->spec[v->n++] = *f++;
    if (*f == '*') {
      v->n += (size_t)snprintf(v->spec + v->n, sizeof v->spec - v->n, "%d", (int)(int32_t)next_arg(p, 4));
      f++;
    }
    for (int digits = 0; *f >= '0' && *f <= '9'; f++)
      if (digits++ < 4)
        v->spec[v->n++] = *f;
  }
  if (*f == 'v')
    for (f++; *f >= '0' && *f <= '9'; f++)
      v->vector = v->vector < 16 ? v->vector * 10 + (unsigned)(*f - '0') : 16;
  for (; *f && strchr("hlLqjzt", *f); f++)
    v->length = *f != 'h' ? (v->length == 2 && v->vector ? 4 /* hl */ : 8) : v->length == 2 ? 1 : 2;
  v->c = *f ? *f++ : 0;
  return f;
}

static void print_integer(struct print *p, struct conversion *v, uint64_t value, unsigned bytes) {
  unsigned shift = 64 - 8 * bytes;
  char spec[72];
  if (v->c == 'c') {
    snprintf(spec, sizeof spec, "%.*sc", (int)v->n, v->spec);
    fprintf(p->out, spec, (int)value);
    return;
  }
  snprintf(spec, sizeof spec, "%.*sll%c", (int)v->n, v->spec, v->c);
  if (v->c == 'd' || v->c == 'i')
    fprintf(p->out, spec, (long long)((int64_t)(value << shift) >> shift));
  else
    fprintf(p->out, spec, (unsigned long long)(value << shift >> shift));
}

static double half_value(uint16_t h) {
  int e = h >> 10 & 31, m = h & 1023;
  double v = e == 31 ? (m ? NAN : INFINITY) : ldexp(e ? m + 1024 : m, (e ? e : 1) - 25);
  return h >> 15 ? -v : v;
}

static void print_float(struct print *p, struct conversion *v, uint64_t bits, unsigned bytes) {
  char spec[72];
  float f;
  double d;
  memcpy(&f, &bits, 4);
  memcpy(&d, &bits, 8);
  snprintf(spec, sizeof spec, "%.*s%c", (int)v->n, v->spec, v->c);
  fprintf(p->out, spec, bytes == 8 ? d : bytes == 4 ? (double)f : half_value((uint16_t)bits));
}

/* `%` already seen; returns where the format goes on. Variadic arguments are promoted: integers to four bytes at
 * least, floating point to double. Elements of vectors are not; without a length they have four bytes. */
static const char *convert(struct print *p, const char *f) {
  struct conversion v;
  char text[1024];
  f = parse_conversion(p, f, &v);
  bool integer = v.c && strchr("diouxXc", v.c), floating = v.c && strchr("fFeEgGaA", v.c);
  if (integer || floating) {
    unsigned element = v.length ? v.length : 4;
    unsigned stored = v.vector ? element : integer && element == 8 ? 8 : integer ? 4 : 8;
    for (unsigned i = 0; i < (v.vector ? v.vector : 1); i++) {
      if (i)
        fputc(',', p->out);
      uint64_t value = next_arg(p, stored);
      if (integer)
        print_integer(p, &v, value, v.vector || element < 4 ? element : stored);
      else
        print_float(p, &v, value, stored);
    }
  } else if (v.c == 's') {
    v.spec[v.n++] = 's', v.spec[v.n] = 0;
    fprintf(p->out, v.spec, device_string(p->s, next_arg(p, 8), text, sizeof text));
  } else if (v.c == 'p') {
    fprintf(p->out, "0x%llx", (unsigned long long)next_arg(p, 8));
  } else if (v.c == '%') {
    fputc('%', p->out);
  } else if (v.c) {
    fputc('%', p->out), fputc(v.c, p->out);
  }
  return f;
}

static int print(const struct site *s, unsigned lane, uint64_t format, uint64_t args, bool packed) {
  char text[4096];
  struct print p = {.s = s,
                    .lane = lane,
                    .args = args,
                    .packed = packed,
                    .out = s->x->o.printf_to ? s->x->o.printf_to : stdout};
  for (const char *f = device_string(s, format, text, sizeof text); *f;) {
    if (*f != '%') {
      fputc(*f++, p.out);
    } else {
      f = convert(&p, f + 1);
    }
  }
  return p.count;
}

static uint64_t device_malloc(struct exec *x, uint64_t bytes) {
  struct error ignored = {0};
  if (!bytes || bytes > x->o.heap_bytes || x->heap_used > x->o.heap_bytes - bytes)
    return 0;
  uint64_t addr = devmem_alloc(x->mem, bytes, "malloc", &ignored);
  error_clear(&ignored);
  access_refresh(x);
  if (addr)
    x->heap_used += bytes;
  return addr;
}

static void device_free(struct site *s, const struct uop *u, unsigned lane, uint64_t addr) {
  if (!addr)
    return;
  const struct devbuf *b = devmem_find(s->x->mem, addr);
  uint64_t bytes = b ? b->size : 0;
  if (!b || b->addr != addr || strcmp(b->name, "malloc") || !devmem_free(s->x->mem, addr)) {
    fault(s, u, lane, FAULT_FREE, addr, 0, NULL);
  } else {
    s->x->heap_used -= bytes;
    access_refresh(s->x);
  }
}

static void assertion(struct site *s, const struct uop *u, const struct func *f, uint32_t local_at,
                      unsigned lane) {
  char message[256], file[256], function[256], text[900];
  snprintf(text, sizeof text, "%s:%u: %s: assertion '%s' failed",
           f->ast->nparams > 1 ? device_string(s, argument(s, f, local_at, 1, lane), file, sizeof file) : "?",
           f->ast->nparams > 2 ? (unsigned)argument(s, f, local_at, 2, lane) : 0,
           f->ast->nparams > 3
               ? device_string(s, argument(s, f, local_at, 3, lane), function, sizeof function)
               : "?",
           f->ast->nparams > 0 ? device_string(s, argument(s, f, local_at, 0, lane), message, sizeof message)
                               : "?");
  fault(s, u, lane, FAULT_ASSERT, 0, 0, text);
}

/* OpenCL's questions about the index space. A launch has no offset. */
static uint64_t work_item(const struct site *s, enum intrinsic which, uint64_t dimension, unsigned lane) {
  const struct exec *x = s->x;
  uint64_t local = 0, global = 0;
  unsigned dims = 1;
  for (unsigned d = 3; d-- > 0;) {
    uint64_t id = x->tid[d][(size_t)s->w->index * x->nlanes + lane];
    local = local * x->block[d] + id;
    global = global * x->grid[d] * x->block[d] + (uint64_t)s->cta->id[d] * x->block[d] + id;
    if (dims == 1 && (uint64_t)x->grid[d] * x->block[d] > 1)
      dims = d + 1;
  }
  switch (which) {
  case INTRIN_WORK_DIM:
    return dims;
  case INTRIN_LOCAL_SIZE:
    return dimension < 3 ? x->block[dimension] : 1;
  case INTRIN_GLOBAL_LINEAR_ID:
    return global;
  case INTRIN_LOCAL_LINEAR_ID:
    return local;
  default:
    return 0;
  }
}

void run_intrinsic(struct site *s, const struct uop *u, const struct func *f, uint32_t local_at,
                   uint64_t mask) {
  if (s->x->attempt)
    attempt_ends(s->x);
  for (uint64_t m = mask; m && !s->x->failed; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(m);
    switch (f->intrinsic) {
    case INTRIN_VPRINTF:
      if (f->ast->nparams == 2) {
        bool inside = f->ast->params[1].unsized; /* variadic: the arguments themselves, not their address */
        uint64_t args =
            inside ? WINDOW_LOCAL | (local_at + f->param_at[1]) : argument(s, f, local_at, 1, lane);
        int n = print(s, lane, argument(s, f, local_at, 0, lane), args, inside);
        set_result(s, f, local_at, lane, inside ? 0 : (uint64_t)n); /* OpenCL's printf returns zero */
      }
      break;
    case INTRIN_MALLOC:
      if (f->ast->nparams)
        set_result(s, f, local_at, lane, device_malloc(s->x, argument(s, f, local_at, 0, lane)));
      break;
    case INTRIN_FREE:
      if (f->ast->nparams)
        device_free(s, u, lane, argument(s, f, local_at, 0, lane));
      break;
    case INTRIN_ASSERTFAIL:
      assertion(s, u, f, local_at, lane);
      break;
    case INTRIN_MISSING: {
      char text[300];
      snprintf(text, sizeof text, "a call of '%.200s', which is declared extern and defined nowhere",
               f->ast->name);
      fault(s, u, lane, FAULT_TRAP, 0, 0, text);
      s->x->failed = true;
      break;
    }
    default:
      set_result(s, f, local_at, lane,
                 work_item(s, f->intrinsic, f->ast->nparams ? argument(s, f, local_at, 0, lane) : 0, lane));
      break;
    }
  }
}
