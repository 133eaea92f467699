/* Reads the kernels of a kernelslist.g as Accel-Sim's reader does, as far as its format is described
 * (docs/traces.md, "Traces of Accel-Sim"), with what that reader insists on, and prints what it saw:
 *
 *   kernels ctas warp_instructions thread_instructions global_accesses global_sectors shared_accesses memcpys bytes
 *
 * It shares nothing with the program that writes traces. The first thing that Accel-Sim would stop at ends it with 1. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names that its maps of both Volta and Ampere know, and of Ampere alone. */
static const char *const volta[] = {
    "FADD",  "FFMA", "FMUL",   "FSETP", "MUFU", "HADD2", "HFMA2", "HMMA",     "DADD",     "DFMA",  "DMUL",
    "DSETP", "BREV", "FLO",    "IADD3", "IMAD", "IMNMX", "ISETP", "LEA",      "LOP3",     "POPC",  "SHF",
    "F2F",   "F2I",  "I2F",    "I2I",   "FRND", "MOV",   "PRMT",  "SEL",      "SHFL",     "PLOP3", "LD",
    "LDC",   "LDG",  "LDL",    "LDS",   "ST",   "STG",   "STL",   "STS",      "ATOM",     "ATOMS", "ATOMG",
    "RED",   "CCTL", "MEMBAR", "BRA",   "CALL", "EXIT",  "RET",   "JMP",      "BSSY",     "BSYNC", "YIELD",
    "BAR",   "CS2R", "DEPBAR", "NOP",   "S2R",  "VOTE",  "MATCH", "WARPSYNC", "NANOSLEEP"};
static const char *const ampere[] = {"LDGSTS", "LDGDEPBAR"};

static const char *file = "";
static unsigned long line_number;
static uint64_t kernels, ctas, instructions, thread_instructions, accesses, sectors, shared, memcpys, copied;

static void stop(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  fprintf(stderr, "%s:%lu: ", file, line_number);
  vfprintf(stderr, format, ap);
  fputc('\n', stderr);
  exit(1);
}

/* Every line ends in a newline, the last too. */
static char *next_line(FILE *f) {
  static char *s;
  static size_t cap;
  ssize_t n = getline(&s, &cap, f);
  if (n < 0)
    return NULL;
  line_number++;
  if (s[n - 1] != '\n')
    stop("the last line has no newline");
  s[n - 1] = '\0';
  return s;
}

struct head {
  int grid[3], block[3], shmem, nregs, binary, version, lineinfo, id;
  unsigned long long stream, shared_base, local_base;
  char name[512];
};

static struct head read_head(FILE *f) {
  struct head h = {.shmem = -1, .nregs = -1, .binary = -1, .id = -1};
  int seen = 0;
  for (char *s; (s = next_line(f));) {
    if (!*s)
      continue;
    if (*s == '#')
      break;
    if (*s != '-')
      stop("a line of the head without '-'");
    seen += sscanf(s, "-kernel name = %511s", h.name) == 1;
    seen += sscanf(s, "-kernel id = %d", &h.id) == 1;
    seen += sscanf(s, "-grid dim = (%d,%d,%d)", &h.grid[0], &h.grid[1], &h.grid[2]) == 3;
    seen += sscanf(s, "-block dim = (%d,%d,%d)", &h.block[0], &h.block[1], &h.block[2]) == 3;
    seen += sscanf(s, "-shmem = %d", &h.shmem) == 1;
    seen += sscanf(s, "-nregs = %d", &h.nregs) == 1;
    seen += sscanf(s, "-binary version = %d", &h.binary) == 1;
    seen += sscanf(s, "-cuda stream id = %llu", &h.stream) == 1;
    seen += sscanf(s, "-shmem base_addr = 0x%llx", &h.shared_base) == 1;
    seen += sscanf(s, "-local mem base_addr = 0x%llx", &h.local_base) == 1;
    seen += strncmp(s, "-nvbit version = ", 17) == 0;
    seen += sscanf(s, "-accelsim tracer version = %d", &h.version) == 1;
    sscanf(s, "-enable lineinfo = %d", &h.lineinfo);
  }
  if (seen != 12)
    stop("the head has %d of 12 keys", seen);
  if (h.binary != 70 && h.binary != 75 && h.binary != 80 && h.binary != 86)
    stop("binary version %d is not supported", h.binary);
  if (h.version < 3 || h.version > 5)
    stop("tracer version %d", h.version);
  return h;
}

static int known(const char *name, int binary) {
  for (size_t i = 0; i < sizeof volta / sizeof *volta; i++)
    if (!strcmp(volta[i], name))
      return 1;
  for (size_t i = 0; binary >= 80 && i < sizeof ampere / sizeof *ampere; i++)
    if (!strcmp(ampere[i], name))
      return 1;
  return 0;
}

static int number(const char *s) {
  if (!*s)
    return 0;
  for (; *s; s++)
    if (!isdigit((unsigned char)*s))
      return 0;
  return 1;
}

/* The width that an opcode stands for: the first part that is a number, or U and a number; else 4 bytes. */
static int width_of(const char *opcode) {
  char copy[256];
  snprintf(copy, sizeof copy, "%s", opcode);
  for (char *t = strtok(copy, "."); t; t = strtok(NULL, ".")) {
    if (number(t))
      return atoi(t) / 8;
    if (t[0] == 'U' && number(t + 1))
      return atoi(t + 1) / 8;
  }
  return 4;
}

static char *part(char **s) {
  while (**s == ' ')
    ++*s;
  char *from = *s;
  while (**s && **s != ' ')
    ++*s;
  if (from == *s)
    return NULL;
  if (**s)
    *(*s)++ = '\0';
  return from;
}

static long long decimal(char **s, const char *what) {
  char *t = part(s), *end;
  long long v = t ? strtoll(t, &end, 10) : 0;
  if (!t || *end)
    stop("%s: a number is missing", what);
  return v;
}

static unsigned long long hexadecimal(char **s, const char *what) {
  char *t = part(s), *end;
  unsigned long long v = t ? strtoull(t, &end, 16) : 0;
  if (!t || *end)
    stop("%s: a hexadecimal number is missing", what);
  return v;
}

static void read_registers(char **s, int most) {
  long long n = decimal(s, "registers");
  if (n < 0 || n > most)
    stop("%lld registers, of at most %d", n, most);
  for (; n; n--) {
    char *t = part(s);
    if (!t || t[0] != 'R' || !number(t + 1))
      stop("a register is missing");
  }
}

static void read_addresses(char **s, unsigned mask, unsigned long long *to) {
  long long mode = decimal(s, "address mode"), step = 0;
  unsigned long long at = 0;
  int seen = 0;
  if (mode < 0 || mode > 2)
    stop("address mode %lld", mode);
  if (mode)
    at = hexadecimal(s, "base");
  if (mode == 1)
    step = decimal(s, "stride");
  for (int lane = 0; lane < 32; lane++) {
    if (!(mask >> lane & 1)) {
      if (mode == 1 && seen && mask >> lane) /* lanes behind a hole would get address 0 */
        stop("base and stride, with a hole in the mask");
      continue;
    }
    if (mode == 0)
      at = hexadecimal(s, "address");
    if (mode == 2 && seen)
      step = decimal(s, "difference");
    if (seen && mode)
      at += (unsigned long long)step;
    to[lane] = at;
    seen = 1;
  }
}

static void count_memory(const struct head *h, const char *name, unsigned mask,
                         const unsigned long long *address) {
  int global = !strcmp(name, "LDG") || !strcmp(name, "STG") || !strcmp(name, "ATOMG") ||
               !strcmp(name, "RED") || !strcmp(name, "LDGSTS");
  unsigned long long first = address[__builtin_ctz(mask)], seen[32];
  int n = 0;
  if (!strcmp(name, "LD") || !strcmp(name, "ST") || !strcmp(name, "ATOM"))
    global = first < h->shared_base || first >= h->local_base + (1 << 24);
  shared += !strcmp(name, "LDS") || !strcmp(name, "STS") || !strcmp(name, "ATOMS");
  if (!global)
    return;
  accesses++;
  for (int lane = 0; lane < 32; lane++) {
    int k = 0;
    if (!(mask >> lane & 1))
      continue;
    while (k < n && seen[k] != address[lane] / 32)
      k++;
    if (k == n)
      seen[n++] = address[lane] / 32;
  }
  sectors += (unsigned)n;
}

/* One instruction; the lanes that are done after it are added. */
static void read_instruction(char *s, const struct head *h, unsigned *done) {
  unsigned long long address[32];
  if (h->lineinfo)
    decimal(&s, "line");
  if (hexadecimal(&s, "PC") > UINT32_MAX)
    stop("a PC of more than 32 bits");
  char *m = part(&s), *end;
  unsigned long mask = m ? strtoul(m, &end, 16) : 0;
  if (!m || strlen(m) != 8 || *end)
    stop("a mask has 8 digits");
  read_registers(&s, 1);
  char *opcode = part(&s), name[32];
  if (!opcode)
    stop("no opcode");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(opcode, "."), opcode);
  if (!known(name, h->binary))
    stop("opcode %s is not in the map of version %d", name, h->binary);
  char *copy = strdup(opcode);
  read_registers(&s, 4);
  long long width = decimal(&s, "width");
  if (width) {
    read_addresses(&s, (unsigned)mask, address);
    if (mask && (width < 32 ? width : 16) != width_of(copy))
      stop("%s of %lld bytes would be read as %d bytes", copy, width, width_of(copy));
    if (mask)
      count_memory(h, name, (unsigned)mask, address);
  }
  free(copy);
  if (part(&s) && part(&s))
    stop("more than an immediate at the end");
  if (!strcmp(name, "EXIT"))
    *done |= (unsigned)mask;
  if (strcmp(opcode, "EXIT.ADDED") != 0) { /* that Accel-Sim needs and the stream does not have */
    instructions++;
    thread_instructions += (unsigned)__builtin_popcountl(mask);
  }
}

static char *filled_line(FILE *f) {
  char *s;
  while ((s = next_line(f)) && !*s)
    ;
  return s;
}

static void read_cta(FILE *f, const struct head *h) {
  int threads = h->block[0] * h->block[1] * h->block[2], x, y, z, warps = 0;
  char *s = filled_line(f);
  if (!s || sscanf(s, "thread block = %d,%d,%d", &x, &y, &z) != 3 || x >= h->grid[0] || y >= h->grid[1] ||
      z >= h->grid[2])
    stop("a thread block of the grid is expected");
  while ((s = filled_line(f)) && strcmp(s, "#END_TB")) {
    unsigned w, done = 0;
    unsigned long n = 0;
    if (sscanf(s, "warp = %u", &w) != 1 || (int)w * 32 >= threads)
      stop("a warp is expected");
    s = filled_line(f);
    if (!s || sscanf(s, "insts = %lu", &n) != 1 || !n)
      stop("the number of instructions, at least 1, is expected");
    for (; n; n--) {
      if (!(s = filled_line(f)))
        stop("the file ends");
      read_instruction(s, h, &done);
    }
    unsigned all = threads - (int)w * 32 >= 32 ? UINT32_MAX : (1u << (threads - (int)w * 32)) - 1;
    if ((done & all) != all)
      stop("lanes %08x of warp %u never exit", all & ~done, w);
    warps++;
  }
  if (!s || warps != (threads + 31) / 32)
    stop("%d warps of %d", warps, (threads + 31) / 32);
  ctas++;
}

static void read_kernel(const char *path) {
  FILE *f = fopen(path, "r");
  file = path, line_number = 0;
  if (!f)
    stop("not there");
  struct head h = read_head(f);
  uint64_t before = ctas;
  for (char *s; (s = filled_line(f));) {
    if (strcmp(s, "#BEGIN_TB"))
      stop("'%s' between thread blocks", s);
    read_cta(f, &h);
  }
  if (ctas - before != (uint64_t)h.grid[0] * (uint64_t)h.grid[1] * (uint64_t)h.grid[2])
    stop("%llu thread blocks", (unsigned long long)(ctas - before));
  fclose(f);
  kernels++;
}

int main(int argc, char **argv) {
  char *slash = argc == 2 ? strrchr(argv[1], '/') : NULL, *list = NULL, path[4096];
  FILE *f = slash ? fopen(argv[1], "r") : NULL;
  size_t cap = 0;
  if (!f)
    return 2; /* without a folder Accel-Sim finds no kernel */
  while (getline(&list, &cap, f) > 0) {
    unsigned long long address, bytes;
    list[strcspn(list, "\n")] = '\0';
    if (sscanf(list, "MemcpyHtoD,0x%llx,%llu", &address, &bytes) == 2)
      memcpys++, copied += bytes;
    if (strncmp(list, "kernel", 6) == 0) {
      snprintf(path, sizeof path, "%.*s%s", (int)(slash + 1 - argv[1]), argv[1], list);
      read_kernel(path);
    }
  }
  free(list);
  fclose(f);
  printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
         " %" PRIu64 "\n",
         kernels, ctas, instructions, thread_instructions, accesses, sectors, shared, memcpys, copied);
  return 0;
}
