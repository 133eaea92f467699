#include "front/accelsim/opcodes.h"
#include "base/mem.h"
#include "front/ptx/ops.h"
#include <string.h>

enum { PAIR = 1 /* writes two registers */, PAIRS = 2 /* and reads pairs */, QUAD = 4, EXPORT = 8 };

struct row {
  const char *name;
  uint8_t klass, unit, space, flags, how;
};

#define A_ SLUICE_IF_ADDRESS
#define B_ SLUICE_IF_BARRIER
#define OP(name, klass, unit, space, flags, how)                                                             \
  {name, SLUICE_##klass, PTX_UNIT_##unit, SLUICE_SP_##space, flags, how},
#define ALU(name, unit)  OP(name, ALU, unit, GLOBAL, 0, 0)
#define CTRL(name)       OP(name, OTHER, CTRL, GLOBAL, 0, 0)
#define BRANCH(name)     OP(name, BRANCH, CTRL, GLOBAL, 0, 0)
#define EALU(name, unit) OP(name, ALU, unit, GLOBAL, 0, EXPORT)

/* Names: NVIDIA, CUDA Binary Utilities, "Instruction Set Reference", of Maxwell/Pascal to Hopper; which are there
 * and what Accel-Sim takes them for: its ISA_Def/{pascal,volta,turing,ampere,hopper}_opcode.h. By name; of rows
 * for the same instruction, export takes the first marked EXPORT, whose names every map from Pascal on has. */
static const struct row rows[] = {
    /* memory */
    OP("LDG", LOAD, MEM, GLOBAL, A_, EXPORT) OP("STG", STORE, MEM, GLOBAL, A_, EXPORT)
        OP("LDS", LOAD, MEM, SHARED, A_, EXPORT) OP("STS", STORE, MEM, SHARED, A_, EXPORT)
            OP("LDL", LOAD, MEM, LOCAL, A_, EXPORT) OP("STL", STORE, MEM, LOCAL, A_, EXPORT)
                OP("LD", LOAD, MEM, GENERIC, A_, EXPORT) OP("ST", STORE, MEM, GENERIC, A_, EXPORT)
                    OP("LDC", LOAD, MEM, CONST, A_, EXPORT) /* without addresses: see sass_decode */
    OP("LDSM", LOAD, MEM, SHARED, A_, 0) OP("STSM", STORE, MEM, SHARED, A_, 0)
        OP("ATOMG", ATOMIC, MEM, GLOBAL, A_, EXPORT) OP("ATOM", ATOMIC, MEM, GENERIC, A_, EXPORT)
            OP("ATOMS", ATOMIC, MEM, SHARED, A_, EXPORT) OP("RED", RED, MEM, GLOBAL, A_, EXPORT)
                OP("REDG", RED, MEM, GLOBAL, A_, 0) OP("LDGSTS", COPY, MEM, GLOBAL, A_,
                                                       EXPORT) OP("CCTL", PREFETCH, MEM, GLOBAL, 0, EXPORT)
                    OP("CCTLL", PREFETCH, MEM, LOCAL, 0, 0) OP("CCTLT", PREFETCH, MEM, GLOBAL, 0, 0)
                        OP("MEMBAR", FENCE, MEM, GLOBAL, 0, EXPORT) OP("FENCE", FENCE, MEM, GLOBAL, 0, 0) OP(
                            "ERRBAR", FENCE, MEM, GLOBAL, 0, 0) OP("CGAERRBAR", FENCE, MEM, GLOBAL, 0, 0)
                            OP("LDGDEPBAR", OTHER, MEM, GLOBAL, 0, 0) OP("LDTRAM", OTHER, MEM, GLOBAL, 0, 0)
                                OP("ARRIVES", OTHER, MEM, SHARED, 0, 0) OP("SYNCS", OTHER, MEM, SHARED, 0, 0)
    /* textures and surfaces, whose addresses no trace has */
    OP("TEX", OTHER, MEM, GLOBAL, 0, 0) OP("TEXS", OTHER, MEM, GLOBAL, 0, 0)
        OP("TLD", OTHER, MEM, GLOBAL, 0, 0) OP("TLDS", OTHER, MEM, GLOBAL, 0, 0)
            OP("TLD4", OTHER, MEM, GLOBAL, 0, 0) OP("TLD4S", OTHER, MEM, GLOBAL, 0, 0)
                OP("TMML", OTHER, MEM, GLOBAL, 0, 0) OP("TXD", OTHER, MEM, GLOBAL, 0, 0)
                    OP("TXQ", OTHER, MEM, GLOBAL, 0, 0) OP("TXA", OTHER, MEM, GLOBAL, 0, 0)
                        OP("SULD", OTHER, MEM, GLOBAL, 0, 0) OP("SUST", OTHER, MEM, GLOBAL, 0, 0) OP(
                            "SUATOM", OTHER, MEM, GLOBAL, 0, 0) OP("SURED", OTHER, MEM, GLOBAL, 0, 0)
                            OP("SUQUERY", OTHER, MEM, GLOBAL, 0, 0) OP("SULDB", OTHER, MEM, GLOBAL, 0, 0) OP(
                                "SUSTB", OTHER, MEM, GLOBAL, 0, 0) OP("SULDGA", OTHER, MEM, GLOBAL, 0, 0)
                                OP("UBLKCP", OTHER, MEM, GLOBAL, 0, 0) OP("UBLKPF", OTHER, MEM, GLOBAL, 0, 0)
                                    OP("UBLKRED", OTHER, MEM, GLOBAL, 0, 0)
                                        OP("UTMALDG", OTHER, MEM, GLOBAL, 0, 0)
                                            OP("UTMAPF", OTHER, MEM, GLOBAL, 0, 0)
                                                OP("UTMAREDG", OTHER, MEM, GLOBAL, 0, 0)
                                                    OP("UTMASTG", OTHER, MEM, GLOBAL, 0, 0)
                                                        OP("UTMACCTL", OTHER, MEM, GLOBAL, 0, 0)
                                                            OP("UTMACMDFLUSH", OTHER, MEM, GLOBAL, 0, 0)
    /* control; EXIT first: what a warp ends with */
    OP("EXIT", RETURN, CTRL, GLOBAL, 0, EXPORT) OP("RET", RETURN, CTRL, GLOBAL, 0, EXPORT)
        OP("RTT", RETURN, CTRL, GLOBAL, 0, 0) OP("KILL", RETURN, CTRL, GLOBAL, 0,
                                                 0) OP("BRA", BRANCH, CTRL, GLOBAL, 0, EXPORT) BRANCH("BRX")
            BRANCH("BRXU") BRANCH("JMP") BRANCH("JMX") BRANCH("JMXU") BRANCH("BRK") BRANCH("CONT")
                BRANCH("SYNC") BRANCH("BSYNC") BRANCH("BREAK") OP("CALL", CALL, CTRL, GLOBAL, 0, EXPORT)
                    OP("CAL", CALL, CTRL, GLOBAL, 0, 0) OP("JCAL", CALL, CTRL, GLOBAL, 0, 0)
                        OP("NANOSLEEP", OTHER, CTRL, GLOBAL, 0, EXPORT) CTRL("YIELD") CTRL("BPT") CTRL("SSY")
                            CTRL("PBK") CTRL("PCNT") CTRL("PRET") CTRL("PEXIT") CTRL("PLONGJMP") CTRL("BSSY")
                                CTRL("RPCMOV") CTRL("ELECT") CTRL("WARPGROUP") CTRL("ACQBULK")
                                    CTRL("USETMAXREG") CTRL("PREEXIT") OP("BMOV", ALU, INT, GLOBAL, 0, 0)
                                        OP("BAR", BARRIER, BAR, GLOBAL, B_, EXPORT)
                                            OP("WARPSYNC", BARRIER, BAR, GLOBAL, 0, EXPORT)
                                                OP("UCGABAR_ARV", OTHER, CTRL, GLOBAL, 0, 0)
                                                    OP("UCGABAR_WAIT", OTHER, CTRL, GLOBAL, 0, 0)
                                                        OP("DEPBAR", OTHER, MEM, GLOBAL, 0,
                                                           0) /* after LDGSTS: see import.c */
    /* integer */
    EALU("IADD3", INT) ALU("IADD", INT) ALU("IADD32I", INT) ALU("BMSK", INT) ALU("BREV", INT) ALU("FLO", INT)
        ALU("IABS", INT) ALU("IMNMX", INT) ALU("ISETP", INT) ALU("ISET", INT) ALU("LEA", INT) ALU("LOP", INT)
            ALU("LOP3", INT) ALU("LOP32I", INT) ALU("POPC", INT) ALU("SHF", INT) ALU("SHL", INT)
                ALU("SHR", INT) ALU("ISCADD", INT) ALU("ISCADD32I", INT) ALU("VABSDIFF", INT)
                    ALU("VABSDIFF4", INT) ALU("VADD", INT) ALU("BFE", INT) ALU("BFI", INT) ALU("ICMP", INT)
                        ALU("VMNMX", INT) ALU("VIADD", INT) ALU("VIADDMNMX", INT) ALU("VIMNMX", INT)
                            ALU("VIMNMX3", INT) ALU("VSET", INT) ALU("VSETP", INT) ALU("VSHL", INT)
                                ALU("VSHR", INT) ALU("VHMNMX", INT) EALU("IMAD", IMUL) ALU("IMUL", IMUL)
                                    ALU("IMUL32I", IMUL) ALU("IMAD32I", IMUL) ALU("IMADSP", IMUL)
                                        ALU("XMAD", IMUL) ALU("IDP", IMUL) ALU("IDP4A", IMUL)
                                            ALU("VMAD", IMUL)
    /* move, select, predicates, special registers */
    ALU("MOV", INT) ALU("MOV32I", INT) ALU("MOVM", SHUFFLE) ALU("PRMT", INT) ALU("SEL", INT) ALU("SGXT", INT)
        ALU("PLOP3", INT) ALU("PSETP", INT) ALU("PSET", INT) ALU("CSET", INT) ALU("CSETP", INT)
            ALU("P2R", INT) ALU("R2P", INT) ALU("B2R", INT) ALU("R2B", INT) ALU("S2R", INT)
                ALU("CSMTEST", INT) ALU("LEPC", INT) ALU("GETLMEMBASE", INT) ALU("SETLMEMBASE", INT)
                    ALU("SETCTAID", INT) ALU("NOP", INT) ALU("PMTRIG", INT) ALU("QSPC", INT) ALU("P2", INT)
                        OP("CS2R", ALU, INT, GLOBAL, 0, 0) EALU("SHFL", SHUFFLE) ALU("VOTE", SHUFFLE)
                            ALU("VOTE_VTG", SHUFFLE) ALU("VOTEU", SHUFFLE) ALU("MATCH", SHUFFLE)
                                ALU("REDUX", SHUFFLE) ALU("CREDUX", SHUFFLE)
    /* uniform datapath */
    ALU("R2UR", INT) ALU("S2UR", INT) ALU("UBMSK", INT) ALU("UBREV", INT) ALU("UCLEA", INT) ALU("UF2FP", CVT)
        ALU("UFLO", INT) ALU("UIADD3", INT) ALU("UIMAD", IMUL) ALU("UISETP", INT) ALU("ULEA", INT)
            ALU("ULOP", INT) ALU("ULOP3", INT) ALU("ULOP32I", INT) ALU("UMOV", INT) ALU("UP2UR", INT)
                ALU("UPLOP3", INT) ALU("UPOPC", INT) ALU("UPRMT", INT) ALU("UPSETP", INT) ALU("UR2UP", INT)
                    ALU("USEL", INT) ALU("USGXT", INT) ALU("USHF", INT) ALU("USHL", INT) ALU("USHR", INT)
                        ALU("UIMNMX", INT) ALU("UIABS", INT) ALU("UVIADD", INT)
                            OP("ULDC", OTHER, MEM, PARAM, 0, 0) OP("LDCU", OTHER, MEM, PARAM, 0, 0)
    /* floating point */
    EALU("FFMA", FP32) ALU("FADD", FP32) ALU("FADD32I", FP32) ALU("FCHK", FP32) ALU("FFMA32I", FP32)
        ALU("FMNMX", FP32) ALU("FMUL", FP32) ALU("FMUL32I", FP32) ALU("FSEL", FP32) ALU("FSET", FP32)
            ALU("FSETP", FP32) ALU("FSWZADD", FP32) ALU("FSWZ", FP32) ALU("RRO", FP32) ALU("FCMP", FP32)
                EALU("HFMA2", FP16) ALU("HADD2", FP16) ALU("HADD2_32I", FP16) ALU("HFMA2_32I", FP16)
                    ALU("HMUL2", FP16) ALU("HMUL2_32I", FP16) ALU("HSET2", FP16) ALU("HSETP2", FP16)
                        ALU("HMNMX2", FP16) OP("HMMA", ALU, FP16, GLOBAL, 0, QUAD) OP("IMMA", ALU, IMUL,
                                                                                      GLOBAL, 0, QUAD)
                            OP("BMMA", ALU, INT, GLOBAL, 0, QUAD) OP("DMMA", ALU, FP64, GLOBAL, 0, QUAD) OP(
                                "HGMMA", ALU, FP16, GLOBAL, 0, QUAD) OP("QGMMA", ALU, FP16, GLOBAL, 0, QUAD)
                                OP("IGMMA", ALU, IMUL, GLOBAL, 0, QUAD) OP("BGMMA", ALU, INT, GLOBAL, 0, QUAD)
                                    OP("DFMA", ALU, FP64, GLOBAL, 0,
                                       PAIR | PAIRS | EXPORT) OP("DADD", ALU, FP64, GLOBAL, 0, PAIR | PAIRS)
                                        OP("DMUL", ALU, FP64, GLOBAL, 0, PAIR | PAIRS)
                                            OP("DMNMX", ALU, FP64, GLOBAL, 0, PAIR | PAIRS)
                                                OP("DSETP", ALU, FP64, GLOBAL, 0, PAIRS)
                                                    OP("DSET", ALU, FP64, GLOBAL, 0, PAIRS) EALU("MUFU", SFU)
                                                        EALU("F2F", CVT) ALU("F2FP", CVT) ALU("F2I", CVT)
                                                            ALU("F2IP", CVT) ALU("I2F", CVT) ALU("I2FP", CVT)
                                                                ALU("I2I", CVT) ALU("I2IP", CVT)
                                                                    ALU("FRND", CVT)};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct row *row_named(const char *s, size_t n) {
  for (size_t i = 0; i < ROWS; i++)
    if (strlen(rows[i].name) == n && memcmp(rows[i].name, s, n) == 0)
      return &rows[i];
  return NULL;
}

static const struct {
  const char *name;
  uint8_t unit;
} unknown_as[] = {
    {"int", PTX_UNIT_INT}, {"fp32", PTX_UNIT_FP32}, {"fp64", PTX_UNIT_FP64}, {"sfu", PTX_UNIT_SFU}};
const char *const sass_unknown_names[] = {"int", "fp32", "fp64", "sfu", NULL};

bool sass_unknown_named(const char *name, struct sass_unknown *to) {
  for (size_t i = 0; i < sizeof unknown_as / sizeof *unknown_as; i++)
    if (strcmp(unknown_as[i].name, name) == 0) {
      *to = (struct sass_unknown){true, SLUICE_ALU, unknown_as[i].unit};
      return true;
    }
  return false;
}

/* One modifier. */
struct token {
  const char *s;
  size_t n;
};

static bool next_token(struct token *t, const char *end) {
  const char *s = t->s + t->n;
  if (s == end)
    return false;
  t->s = s + 1; /* past the dot */
  const char *dot = memchr(t->s, '.', (size_t)(end - t->s));
  t->n = (size_t)((dot ? dot : end) - t->s);
  return true;
}

static bool is(const struct token *t, const char *word) {
  return strlen(word) == t->n && memcmp(t->s, word, t->n) == 0;
}

/* PREFIX and a number up to `most`: 1. Not this prefix, or nothing like a number: 0. Too large: -1. */
static int numbered(const struct token *t, const char *prefix, uint64_t most, uint32_t *to) {
  size_t k = strlen(prefix);
  if (t->n <= k || memcmp(t->s, prefix, k) != 0)
    return 0;
  uint64_t v = 0;
  for (size_t i = k; i < t->n; i++) {
    if (t->s[i] < '0' || t->s[i] > '9')
      return 0;
    v = v * 10 + (uint64_t)(t->s[i] - '0');
    if (v > most)
      return -1;
  }
  *to = (uint32_t)v;
  return 1;
}

/* What the modifiers add up to. */
struct mods {
  bool strong, gpu, sys, wide, f64_first, types, arrive, regs, e, prefetch;
  uint32_t last; /* number that stands alone */
  uint32_t extra_dst[SLUICE_MAX_REGS], extra_src[SLUICE_MAX_REGS];
  unsigned nd, ns;
  int cache; /* -1: not said */
  uint8_t add_flags;
  int32_t klass, unit, space, cache_op, flags;
};

static int set_field(const struct token *t, struct mods *m, struct sass_extra *x) {
  uint32_t v = 0;
  int r;
  const struct {
    const char *prefix;
    uint32_t most;
    int32_t *to;
  } field[] = {{"CLASS", SLUICE_NCLASSES - 1, &m->klass},
               {"UNIT", PTX_NUNITS - 1, &m->unit},
               {"SPACE", SLUICE_SP_GENERIC, &m->space},
               {"CACHE", SLUICE_STENCIL, &m->cache_op},
               {"FLAGS", 63, &m->flags}};
  for (size_t i = 0; i < sizeof field / sizeof *field; i++)
    if ((r = numbered(t, field[i].prefix, field[i].most, &v))) {
      *field[i].to = (int32_t)v;
      return r;
    }
  if ((r = numbered(t, "BAR", UINT32_MAX, &v))) {
    x->barrier = v;
    return r;
  }
  if ((r = numbered(t, "BANKS", 0xffff, &v))) {
    x->banks = v;
    return r;
  }
  if (m->regs && (r = numbered(t, "D", SASS_MOST_REGS, &v)) && m->nd < SLUICE_MAX_REGS) {
    m->extra_dst[m->nd++] = v;
    return r;
  }
  if (m->regs && (r = numbered(t, "S", SASS_MOST_REGS, &v)) && m->ns < SLUICE_MAX_REGS) {
    m->extra_src[m->ns++] = v;
    return r;
  }
  return 0;
}

static const struct {
  const char *word;
  uint8_t flag;
} flag_words[] = {{"SCALAR", SLUICE_IF_SCALAR},
                  {"VOLATILE", SLUICE_IF_VOLATILE},
                  {"CLOCK", SLUICE_IF_CLOCK},
                  {"LONG", SLUICE_IF_LONG},
                  {"JOINED", SLUICE_IF_JOINED}};

static const struct {
  const char *word;
  uint8_t op;
} cache_words[] = {{"CONSTANT", SLUICE_NC}, {"CI", SLUICE_NC}, {"NC", SLUICE_NC},
                   {"CG", SLUICE_CG},       {"EF", SLUICE_CS}, {"CS", SLUICE_CS},
                   {"LU", SLUICE_LU},       {"CV", SLUICE_CV}, {"WT", SLUICE_WT}};

static void word_of(const struct token *t, struct mods *m, struct sass_extra *x) {
  uint32_t v;
  m->strong |= is(t, "STRONG");
  m->gpu |= is(t, "GPU");
  m->sys |= is(t, "SYS");
  m->wide |= is(t, "WIDE");
  m->arrive |= is(t, "ARV");
  m->regs |= is(t, "REGS");
  m->prefetch |= is(t, "PF1") || is(t, "PF2");
  m->e |= is(t, "E");
  x->taken |= is(t, "TAKEN");
  x->added |= is(t, "ADDED");
  if (!m->types && t->n > 1 && (t->s[0] == 'F' || t->s[0] == 'S' || t->s[0] == 'U') && t->s[1] >= '1' &&
      t->s[1] <= '9') {
    m->types = true;
    m->f64_first = t->n == 3 && t->s[1] == '6' && t->s[2] == '4';
  }
  for (size_t i = 0; i < sizeof flag_words / sizeof *flag_words; i++)
    m->add_flags |= is(t, flag_words[i].word) ? flag_words[i].flag : 0;
  if (numbered(t, "", 1024, &v) == 1)
    m->last = v;
  for (size_t i = 0; i < sizeof cache_words / sizeof *cache_words; i++)
    if (is(t, cache_words[i].word))
      m->cache = cache_words[i].op;
}

static void add_regs(uint16_t *list, uint8_t *n, uint32_t r, unsigned count) {
  for (unsigned i = 0; i < count && *n < SLUICE_MAX_REGS; i++)
    if (r + i != SASS_RZ && r != SASS_RZ)
      list[(*n)++] = (uint16_t)(r + i > SASS_RZ ? r + i - 1 : r + i);
}

static unsigned words_of(unsigned bytes) {
  return bytes <= 4 ? 1 : bytes >= 32 ? 8 : bytes / 4;
}

/* Registers that the line names the first of: pairs and quads follow it. */
static void registers(const struct sass_line *l, const struct row *r, const struct mods *m,
                      struct sluice_inst *to) {
  bool mem = to->flags & SLUICE_IF_ADDRESS, data = to->klass == SLUICE_LOAD || to->klass == SLUICE_ATOMIC;
  bool stores = to->klass == SLUICE_STORE || to->klass == SLUICE_RED;
  bool is_matrix = mem && r && strcmp(r->name, "LDSM") == 0;
  unsigned how = r ? r->how : 0;
  unsigned nd = is_matrix                                  ? (m->last == 2 || m->last == 4 ? m->last : 1)
                : mem && data                              ? words_of(to->bytes)
                : how & QUAD                               ? 4
                : how & PAIR                               ? 2
                : m->wide                                  ? 2
                : to->unit == PTX_UNIT_CVT && m->f64_first ? 2
                                                           : 1;
  for (unsigned i = 0; i < l->ndst; i++)
    add_regs(to->dst, &to->ndst, l->dst[i], m->regs ? 1 : nd);
  for (unsigned i = 0; i < l->nsrc; i++) {
    unsigned ns = m->regs                                      ? 1
                  : mem && m->e && i == 0                      ? 2
                  : mem && stores && i == l->nsrc - 1 && i > 0 ? words_of(to->bytes)
                  : !mem && how & PAIRS                        ? 2
                                                               : 1;
    add_regs(to->src, &to->nsrc, l->src[i], ns);
  }
  for (unsigned i = 0; i < m->nd; i++)
    add_regs(to->dst, &to->ndst, m->extra_dst[i], 1);
  for (unsigned i = 0; i < m->ns; i++)
    add_regs(to->src, &to->nsrc, m->extra_src[i], 1);
}

/* Two instructions in one opcode of SASS. */
static void special(const struct sass_line *l, const struct row *r, const struct mods *m,
                    struct sluice_inst *to, struct sass_extra *x) {
  if (strcmp(r->name, "LDC") == 0 && !l->width) /* a bank of constants, which holds parameters, too */
    to->klass = SLUICE_OTHER, to->space = SLUICE_SP_PARAM, to->flags = 0;
  if (to->klass == SLUICE_PREFETCH && l->width && m->prefetch)
    to->flags = SLUICE_IF_ADDRESS;
  if (strcmp(r->name, "BAR") == 0)
    x->barrier = m->arrive ? SLUICE_BAR_ARRIVE << 4 : SLUICE_BAR_SYNC << 4;
  x->texture = to->klass == SLUICE_OTHER && to->unit == PTX_UNIT_MEM &&
               (r->name[0] == 'T' || strncmp(r->name, "SU", 2) == 0 || strncmp(r->name, "UB", 2) == 0 ||
                strncmp(r->name, "UT", 2) == 0);
  if (to->flags & SLUICE_IF_ADDRESS) {
    bool reads = to->klass == SLUICE_LOAD, writes = to->klass == SLUICE_STORE;
    if (m->cache >= 0)
      to->cache_op = (uint8_t)m->cache;
    else if (m->strong && (reads || writes))
      to->cache_op = m->gpu ? SLUICE_CG : !m->sys ? SLUICE_CA : reads ? SLUICE_CV : SLUICE_WT;
  }
}

enum sass_result sass_decode(const struct sass_line *l, const struct sass_unknown *unknown,
                             struct sluice_inst *to, struct sass_extra *x) {
  const char *end = l->opcode + l->n, *dot = memchr(l->opcode, '.', l->n);
  struct token t = {l->opcode, (size_t)((dot ? dot : end) - l->opcode)};
  const struct row *r = row_named(t.s, t.n);
  struct mods m = {.cache = -1, .klass = -1, .unit = -1, .space = -1, .cache_op = -1, .flags = -1};
  *x = (struct sass_extra){0};
  *to = (struct sluice_inst){.bytes = (uint8_t)l->width};
  if (r)
    to->klass = r->klass, to->unit = r->unit, to->space = r->space, to->flags = r->flags;
  else if (unknown->given)
    to->klass = unknown->klass, to->unit = unknown->unit;
  else
    return SASS_UNKNOWN;
  struct sass_extra given = {0};
  while (next_token(&t, end)) {
    word_of(&t, &m, &given);
    if (set_field(&t, &m, &given) < 0)
      return SASS_BAD;
  }
  if (r)
    special(l, r, &m, to, x);
  to->flags |= m.add_flags;
  to->klass = m.klass >= 0 ? (uint8_t)m.klass : to->klass;
  to->unit = m.unit >= 0 ? (uint8_t)m.unit : to->unit;
  to->space = m.space >= 0 ? (uint8_t)m.space : to->space;
  to->cache_op = m.cache_op >= 0 ? (uint8_t)m.cache_op : to->cache_op;
  to->flags = m.flags >= 0 ? (uint8_t)(m.flags & ~SLUICE_IF_GUARD) : to->flags;
  if (!l->width)
    to->flags &= (uint8_t)~SLUICE_IF_ADDRESS;
  x->barrier = given.barrier ? given.barrier : x->barrier;
  x->banks = given.banks;
  x->taken = given.taken;
  x->added = given.added;
  registers(l, r, &m, to);
  return SASS_OK;
}

/* The row that fits best: the same in all, then in what decides where it runs. */
static const struct row *row_for(const struct sluice_inst *in, bool exits) {
  const struct row *best = NULL;
  int most = -1;
  for (size_t i = 0; i < ROWS; i++) {
    const struct row *r = &rows[i];
    bool addressed = in->flags & SLUICE_IF_ADDRESS, barrier = in->flags & SLUICE_IF_BARRIER;
    if (!(r->how & EXPORT) || (r->klass == SLUICE_RETURN && exits != (strcmp(r->name, "EXIT") == 0)))
      continue;
    bool ldc = strcmp(r->name, "LDC") == 0 && !addressed;
    uint8_t klass = ldc ? SLUICE_OTHER : r->klass, space = ldc ? SLUICE_SP_PARAM : r->space;
    int fit = (klass == in->klass) * 16 + (r->unit == in->unit) * 8 +
              (barrier == ((r->flags & B_) != 0)) * 4 + (space == in->space) * 2 +
              (addressed == ((r->flags & A_) != 0));
    if (fit > most)
      most = fit, best = r;
  }
  return best;
}

static void flags_text(struct strbuf *text, const struct sluice_inst *in) {
  for (size_t i = 0; i < sizeof flag_words / sizeof *flag_words; i++)
    if (in->flags & flag_words[i].flag)
      strbuf_addf(text, ".%s", flag_words[i].word);
}

static void cache_text(struct strbuf *text, const struct sluice_inst *in) {
  if (!(in->flags & SLUICE_IF_ADDRESS) || in->cache_op == SLUICE_CA)
    return;
  if (in->cache_op == SLUICE_CG && (in->klass == SLUICE_LOAD || in->klass == SLUICE_STORE)) {
    strbuf_addf(text, ".STRONG.GPU");
    return;
  }
  for (size_t i = 0; i < sizeof cache_words / sizeof *cache_words; i++)
    if (cache_words[i].op == in->cache_op) {
      strbuf_addf(text, ".%s", cache_words[i].word);
      return;
    }
}

static uint32_t written_as(uint16_t r) {
  return r >= SASS_RZ ? r + 1u : r;
}

static bool same_regs(const struct sluice_inst *a, const struct sluice_inst *b) {
  return a->ndst == b->ndst && a->nsrc == b->nsrc && !memcmp(a->dst, b->dst, a->ndst * sizeof *a->dst) &&
         !memcmp(a->src, b->src, a->nsrc * sizeof *a->src);
}

static void line_registers(const struct sluice_inst *in, struct sass_line *l) {
  l->ndst = in->ndst ? 1 : 0; /* as many as Accel-Sim reads */
  l->nsrc = in->nsrc < 4 ? in->nsrc : 4;
  for (unsigned i = 0; i < l->ndst; i++)
    l->dst[i] = written_as(in->dst[i]);
  for (unsigned i = 0; i < l->nsrc; i++)
    l->src[i] = written_as(in->src[i]);
}

static void correct(const struct sluice_inst *in, const struct sluice_inst *got, const struct sass_line *l,
                    struct strbuf *text) {
  uint8_t flags = (uint8_t)(in->flags & ~SLUICE_IF_GUARD);
  if (in->klass != got->klass)
    strbuf_addf(text, ".CLASS%u", in->klass);
  if (in->unit != got->unit)
    strbuf_addf(text, ".UNIT%u", in->unit);
  if (in->space != got->space)
    strbuf_addf(text, ".SPACE%u", in->space);
  if (in->cache_op != got->cache_op)
    strbuf_addf(text, ".CACHE%u", in->cache_op);
  if (flags != got->flags)
    strbuf_addf(text, ".FLAGS%u", flags);
  if (same_regs(in, got))
    return;
  strbuf_addf(text, ".REGS");
  for (unsigned i = l->ndst; i < in->ndst; i++)
    strbuf_addf(text, ".D%u", written_as(in->dst[i]));
  for (unsigned i = l->nsrc; i < in->nsrc; i++)
    strbuf_addf(text, ".S%u", written_as(in->src[i]));
}

void sass_encode(const struct sluice_inst *in, const struct sass_extra *x, bool exits, struct strbuf *text,
                 struct sass_line *l) {
  const struct row *r = row_for(in, exits);
  bool addressed = in->flags & SLUICE_IF_ADDRESS;
  text->n = 0;
  strbuf_addf(text, "%s", r->name);
  if (in->klass == SLUICE_PREFETCH && addressed)
    strbuf_add(text, ".PF2");
  /* Accel-Sim takes the width from here; it knows no 256 bits */
  static const char *const widths[] = {[1] = ".U8", [2] = ".U16", [8] = ".64", [16] = ".128", [32] = ".128"};
  if (addressed && in->bytes < sizeof widths / sizeof *widths && widths[in->bytes])
    strbuf_addf(text, "%s", widths[in->bytes]);
  if (strcmp(r->name, "BAR") == 0)
    strbuf_addf(text, (x->barrier >> 4 & 15) == SLUICE_BAR_ARRIVE ? ".ARV" : ".SYNC");
  if (strcmp(r->name, "MUFU") == 0)
    strbuf_addf(text, ".RCP");
  cache_text(text, in);
  flags_text(text, in);
  *l = (struct sass_line){.width = addressed ? in->bytes ? in->bytes : 1u : 0};
  line_registers(in, l);
  l->opcode = text->s, l->n = text->n;
  struct sluice_inst got;
  struct sass_extra seen;
  sass_decode(l, &(struct sass_unknown){0}, &got, &seen);
  correct(in, &got, l, text);
  if (in->flags & SLUICE_IF_BARRIER && seen.barrier != x->barrier)
    strbuf_addf(text, ".BAR%u", x->barrier);
  if (x->banks)
    strbuf_addf(text, ".BANKS%u", x->banks);
  if (x->taken)
    strbuf_addf(text, ".TAKEN");
  if (x->added)
    strbuf_addf(text, ".ADDED");
  l->opcode = text->s, l->n = text->n;
}
