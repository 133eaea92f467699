/* tex, tld4, suld, sust, txq and suq.
 *
 *   tex.2d.v4.f32.f32  {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];            a texture object, or a texref by name
 *   tex.a2d.v4.f32.f32 {…}, [%rd1, %rd2, {%r1,%f5,%f6,%f6}];            with a sampler, here OpenCL's word
 *   sust.b.2d.b32.trap [%rd1, {%r1,%r2}], {%r3};
 *
 * The registers of the uop: the header's address, the sampler, coordinates (the layer first), data; then the results. */
#include "front/ptx/lower.h"

static enum texture_shape shape_of(const struct mnem *m) {
  return mnem_has(m, "1d")    ? SHAPE_1D
         : mnem_has(m, "a1d") ? SHAPE_1D_ARRAY
         : mnem_has(m, "a2d") ? SHAPE_2D_ARRAY
         : mnem_has(m, "3d")  ? SHAPE_3D
                              : SHAPE_2D;
}

static bool is_array(enum texture_shape s) {
  return s == SHAPE_1D_ARRAY || s == SHAPE_2D_ARRAY;
}

static unsigned dimensions(enum texture_shape s) {
  return s == SHAPE_1D || s == SHAPE_1D_ARRAY ? 1 : s == SHAPE_3D ? 3 : 2;
}

struct registers {
  slot_t reg[UOP_MAX_REGS];
  uint8_t width[UOP_MAX_REGS];
  unsigned n;
};

static bool take(struct registers *r, slot_t s, unsigned width) {
  if (s == SLOT_NONE)
    return false;
  r->reg[r->n] = s;
  r->width[r->n++] = (uint8_t)width;
  return true;
}

/* A header's address or a sampler: a register, or the name of a reference. */
static bool take_handle(struct lower *l, const struct ptx_operand *o, struct registers *r) {
  unsigned width = 8;
  slot_t s = lower_src_any(l, o, 8, &width);
  if (s == SLOT_NONE)
    return false;
  return width == 8 ? take(r, s, 8) : lower_fail(l, "a texture's handle has 64 bits");
}

/* [header, {coordinates}] or [header, sampler, {coordinates}]: the layer of an array is an integer and comes first. */
static bool take_place(struct lower *l, const struct ptx_operand *o, enum texture_shape shape,
                       enum ptx_type type, struct registers *r, bool *sampler) {
  if (!o || o->kind != PTX_OP_ADDR || o->n < 2 || o->n > 3)
    return lower_fail(l, "[texture, {coordinates}] is wanted");
  const struct ptx_operand *part = &l->ast->ops[o->first], *at = &part[o->n - 1];
  *sampler = o->n == 3;
  if (!take_handle(l, &part[0], r) || (*sampler && !take_handle(l, &part[1], r)))
    return false;
  unsigned n = dimensions(shape) + is_array(shape), given = at->kind == PTX_OP_VEC ? at->n : 1;
  if (given < n)
    return lower_fail(l, "%u coordinates are wanted, not %u", n, given);
  const struct ptx_operand *c = at->kind == PTX_OP_VEC ? &l->ast->ops[at->first] : at;
  for (unsigned i = 0; i < n; i++)
    if (!take(r, lower_src(l, &c[i], is_array(shape) && i == 0 ? PTX_U32 : type), 4))
      return false;
  return true;
}

static bool take_results(struct lower *l, const struct ptx_operand *o, unsigned n, enum ptx_type t,
                         struct registers *r) {
  if (o && o->kind == PTX_OP_PAIR)
    return lower_fail(l, "a predicate for textures that are not resident is not supported");
  const struct ptx_operand *e = o && o->kind == PTX_OP_VEC ? &l->ast->ops[o->first] : o;
  if (!o || (o->kind == PTX_OP_VEC ? o->n : 1u) != n)
    return lower_fail(l, "%u results are wanted", n);
  for (unsigned i = 0; i < n; i++) {
    unsigned width;
    slot_t s = lower_dst(l, &e[i], lane_bytes(t), &width);
    if (s == SLOT_NONE)
      return false;
    if (width < lane_bytes(t))
      return lower_fail(l, "a %u-bit register cannot hold %s", width * 8, ptx_type_name(t));
    take(r, s, width);
  }
  return true;
}

static struct uop *emit(struct lower *l, enum texture_op op, enum texture_shape shape,
                        const struct registers *r, unsigned results) {
  struct uop *u = lower_emit(l, U_TEXTURE);
  struct uop_ext *x = lower_ext(l, u);
  u->aux = (uint8_t)op;
  u->aux2 = (uint8_t)shape;
  x->nregs = (uint8_t)r->n;
  x->vec = (uint8_t)results;
  x->space = PTX_GLOBAL;
  for (unsigned i = 0; i < r->n; i++)
    x->regs[i] = r->reg[i], x->width[i] = r->width[i];
  return u;
}

/* Texels are counted as words: an access touches the sectors that they lie in. */
enum { TEXEL_WORD = 4 };

static void describe(struct lower *l, enum sluice_class klass, const struct mnem *m, unsigned bytes,
                     bool item, bool texture) {
  lower_describe_mem(l, klass, m, PTX_GLOBAL, bytes, item);
  if (texture)
    l->f->insts[l->in_index].cache_op = SLUICE_TEXTURE;
}

/* A level of detail or gradients choose among mipmap levels, of which there is one: they have no effect. */
bool lower_op_texture(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  bool gather = tok_is(m, 0, "tld4"), sampler;
  enum texture_shape shape = shape_of(m);
  enum ptx_type type = mnem_type(m, 1), at = mnem_type(m, 0);
  unsigned want = mnem_has(m, "level") ? 3 : mnem_has(m, "grad") ? 4 : 2;
  struct registers r = {0};
  if (type != PTX_F32 && type != PTX_U32 && type != PTX_S32)
    return lower_fail(l, "textures are read as .f32, .u32 or .s32");
  if (at != PTX_F32 && (at != PTX_S32 || gather))
    return lower_fail(l, "coordinates are .f32 or .s32");
  if (in->nops != want)
    return lower_fail(l, "takes %u operands; offsets and depth comparison are not supported", want);
  if (!take_place(l, lower_op(l, 1), shape, at, &r, &sampler) ||
      !take_results(l, lower_op(l, 0), 4, type, &r))
    return false;
  describe(l, SLUICE_LOAD, m, TEXEL_WORD, true, true);
  struct uop *u = emit(l, gather ? TEXTURE_GATHER : TEXTURE_FETCH, shape, &r, 4);
  u->x->type = (uint8_t)type;
  u->x->imm = (sampler ? TEXTURE_SAMPLER : 0) | (at == PTX_S32 ? TEXTURE_INTEGER : 0);
  u->x->op = (uint8_t)(mnem_has(m, "g") ? 1 : mnem_has(m, "b") ? 2 : mnem_has(m, "a") ? 3 : 0);
  return true;
}

static enum texture_bounds bounds_of(const struct mnem *m) {
  return mnem_has(m, "clamp") ? BOUNDS_CLAMP : mnem_has(m, "zero") ? BOUNDS_ZERO : BOUNDS_TRAP;
}

bool lower_op_surface(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  bool store = tok_is(m, 0, "sust"), formatted = store && mnem_has(m, "p"), sampler;
  enum texture_shape shape = shape_of(m);
  enum ptx_type type = mnem_type(m, 0);
  unsigned n = mnem_has(m, "v2") ? 2 : mnem_has(m, "v4") ? 4 : 1;
  struct registers r = {0};
  if (type == PTX_NOTYPE || ptx_type_bits(type) > 64 || (formatted && ptx_type_bits(type) != 32))
    return lower_fail(l, "no such type for a surface");
  unsigned bytes = ptx_type_bits(type) / 8 * n;
  if (bytes > 16)
    return lower_fail(l, "more than 16 bytes per thread");
  if (in->nops != 2)
    return lower_fail(l, "takes 2 operands");
  if (!take_place(l, lower_op(l, store ? 0 : 1), shape, PTX_S32, &r, &sampler))
    return false;
  if (sampler)
    return lower_fail(l, "a surface has no sampler");
  if (!store && !take_results(l, lower_op(l, 0), n, type, &r))
    return false;
  const struct ptx_operand *o = lower_op(l, 1), *e = o->kind == PTX_OP_VEC ? &l->ast->ops[o->first] : o;
  if (store && (o->kind == PTX_OP_VEC ? o->n : 1u) != n)
    return lower_fail(l, "%u values are wanted", n);
  for (unsigned i = 0; store && i < n; i++) {
    unsigned width = lane_bytes(type);
    slot_t s = e[i].kind == PTX_OP_REG ? lower_src_any(l, &e[i], width, &width) : lower_src(l, &e[i], type);
    if (!take(&r, s, width))
      return false;
  }
  describe(l, store ? SLUICE_STORE : SLUICE_LOAD, m, formatted ? TEXEL_WORD : bytes, true, false);
  struct uop *u = emit(l, store ? TEXTURE_STORE : TEXTURE_LOAD, shape, &r, store ? 0 : n);
  u->x->type = (uint8_t)type;
  u->x->size = (uint8_t)(ptx_type_bits(type) / 8);
  u->x->op = (uint8_t)bounds_of(m);
  u->x->imm = TEXTURE_INTEGER | (formatted ? TEXTURE_FORMATTED : 0);
  u->e = SLOT_NONE;
  u->target = n;
  return true;
}

bool lower_op_query(struct lower *l, const struct ptx_inst *in, const struct mnem *m) {
  static const struct {
    const char *word;
    enum texture_query query;
  } words[] = {{"width", QUERY_WIDTH},
               {"height", QUERY_HEIGHT},
               {"depth", QUERY_DEPTH},
               {"channel_data_type", QUERY_CHANNEL_TYPE},
               {"channel_order", QUERY_CHANNEL_ORDER},
               {"normalized_coords", QUERY_NORMALIZED},
               {"array_size", QUERY_LAYERS},
               {"filter_mode", QUERY_FILTER},
               {"addr_mode_0", QUERY_ADDRESS0},
               {"addr_mode_1", QUERY_ADDRESS1},
               {"addr_mode_2", QUERY_ADDRESS2},
               {"num_mipmap_levels", QUERY_MIPMAPS},
               {"num_samples", QUERY_SAMPLES},
               {"memory_layout", QUERY_LINEAR_MEMORY}};
  const struct ptx_operand *o = lower_op(l, 1);
  struct registers r = {0};
  if (in->nops != 2 || !o || o->kind != PTX_OP_ADDR || o->n != 1)
    return lower_fail(l, "takes a register and [texture]");
  if (!take_handle(l, &l->ast->ops[o->first], &r) || !take_results(l, lower_op(l, 0), 1, PTX_B32, &r))
    return false;
  l->f->insts[l->in_index] = (struct sluice_inst){.klass = SLUICE_OTHER, .unit = PTX_UNIT_MEM};
  struct uop *u = emit(l, TEXTURE_QUERY, SHAPE_2D, &r, 1);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (mnem_has(m, words[i].word))
      u->x->op = (uint8_t)words[i].query;
  return true;
}
