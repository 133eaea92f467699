/* Images: tex, sust.p and txq on the address that stands for an image; a sampler is a word of bits. Images and samplers are
 * pointers to the compiler's back end, and functions of one name there give them as numbers. */
#define SL_HANDLE(type) __attribute__((overloadable)) ulong sl_image(type) __asm("sl_image_handle");
#define SL_KINDS(M, access)                                                                                            \
  M(access image1d_t) M(access image1d_buffer_t) M(access image1d_array_t) M(access image2d_t)                         \
  M(access image2d_array_t) M(access image3d_t)
SL_KINDS(SL_HANDLE, read_only)
SL_KINDS(SL_HANDLE, write_only)
ulong sl_sampler(sampler_t) __asm("sl_sampler_handle");
__attribute__((always_inline)) ulong sl_image_address(global void *p) __asm("sl_image_handle");
__attribute__((always_inline)) ulong sl_image_address(global void *p) { return (ulong)p; }
__attribute__((always_inline)) ulong sl_sampler_address(constant void *p) __asm("sl_sampler_handle");
__attribute__((always_inline)) ulong sl_sampler_address(constant void *p) { return (ulong)p; }
__attribute__((always_inline)) constant void *sl_sampler_of(int bits) __asm("__translate_sampler_initializer");
__attribute__((always_inline)) constant void *sl_sampler_of(int bits) { return (constant void *)(ulong)(uint)bits; }

/* Nearest, not normalized, and outside is zero: what reading without a sampler does inside. */
#define SL_NO_SAMPLER 0x14ul

#define SL_TEX(name, shape, R, T, type, reg, C, ctype, creg, coordinates, ...)                                          \
  SL_FN R name(ulong i, ulong s, C c) {                                                                                \
    T x, y, z, w;                                                                                                      \
    __asm("tex." shape ".v4." type "." ctype " {%0,%1,%2,%3}, [%4, %5, {" coordinates "}];"                             \
          : "=" reg(x), "=" reg(y), "=" reg(z), "=" reg(w)                                                             \
          : "l"(i), "l"(s), __VA_ARGS__);                                                                              \
    return (R)(x, y, z, w);                                                                                            \
  }
#define SL_TEX_ALL(R, T, k, type, reg)                                                                                 \
  SL_TEX(sl_tex1d_##k, "1d", R, T, type, reg, float, "f32", "f", "%6", "f"(c))                                         \
  SL_TEX(sl_tex1d_##k, "1d", R, T, type, reg, int, "s32", "r", "%6", "r"(c))                                           \
  SL_TEX(sl_tex2d_##k, "2d", R, T, type, reg, float2, "f32", "f", "%6,%7", "f"(c.x), "f"(c.y))                         \
  SL_TEX(sl_tex2d_##k, "2d", R, T, type, reg, int2, "s32", "r", "%6,%7", "r"(c.x), "r"(c.y))                           \
  SL_TEX(sl_tex3d_##k, "3d", R, T, type, reg, float4, "f32", "f", "%6,%7,%8,%8", "f"(c.x), "f"(c.y), "f"(c.z))         \
  SL_TEX(sl_tex3d_##k, "3d", R, T, type, reg, int4, "s32", "r", "%6,%7,%8,%8", "r"(c.x), "r"(c.y), "r"(c.z))           \
  SL_TEX(sl_texa1d_##k, "a1d", R, T, type, reg, float2, "f32", "f", "%7,%6", "f"(c.x), "r"(sl_layer(c.y)))             \
  SL_TEX(sl_texa1d_##k, "a1d", R, T, type, reg, int2, "s32", "r", "%7,%6", "r"(c.x), "r"(sl_layer(c.y)))               \
  SL_TEX(sl_texa2d_##k, "a2d", R, T, type, reg, float4, "f32", "f", "%8,%6,%7,%7", "f"(c.x), "f"(c.y),                 \
         "r"(sl_layer(c.z)))                                                                                           \
  SL_TEX(sl_texa2d_##k, "a2d", R, T, type, reg, int4, "s32", "r", "%8,%6,%7,%7", "r"(c.x), "r"(c.y),                   \
         "r"(sl_layer(c.z)))

/* The nearest layer; beyond the last is the last (the instruction's doing), before the first the first. */
SL_FN int sl_layer(float l) { return convert_int_sat_rte(max(l, 0.0f)); }
SL_FN int sl_layer(int l) { return max(l, 0); }

SL_TEX_ALL(float4, float, f, "f32", "f")
SL_TEX_ALL(int4, int, i, "s32", "r")
SL_TEX_ALL(uint4, uint, ui, "u32", "r")

#define SL_READ(R, k, kind, shape, CF, CI)                                                                             \
  SL_FN R read_image##k(read_only kind i, sampler_t s, CF c) { return sl_tex##shape##_##k(sl_image(i), sl_sampler(s), c); } \
  SL_FN R read_image##k(read_only kind i, sampler_t s, CI c) { return sl_tex##shape##_##k(sl_image(i), sl_sampler(s), c); } \
  SL_FN R read_image##k(read_only kind i, CI c) { return sl_tex##shape##_##k(sl_image(i), SL_NO_SAMPLER, c); }
#define SL_READ_ALL(R, k)                                                                                              \
  SL_READ(R, k, image1d_t, 1d, float, int)                                                                             \
  SL_READ(R, k, image1d_array_t, a1d, float2, int2)                                                                    \
  SL_READ(R, k, image2d_t, 2d, float2, int2)                                                                           \
  SL_READ(R, k, image2d_array_t, a2d, float4, int4)                                                                    \
  SL_READ(R, k, image3d_t, 3d, float4, int4)                                                                           \
  SL_FN R read_image##k(read_only image1d_buffer_t i, int c) { return sl_tex1d_##k(sl_image(i), SL_NO_SAMPLER, c); }
SL_READ_ALL(float4, f)
SL_READ_ALL(int4, i)
SL_READ_ALL(uint4, ui)

/* A write outside does nothing. */
#define SL_WRITE(V, k, reg, kind, shape, C, coordinates, v, ...)                                                       \
  SL_FN void write_image##k(write_only kind i, C c, V t) {                                                             \
    __asm volatile("sust.p." shape ".v4.b32.zero [%4, {" coordinates "}], {%0,%1,%2,%3};"                               \
                   :                                                                                                   \
                   : reg(t.x), reg(t.y), reg(t.z), reg(t.w), "l"(sl_image(i)), __VA_ARGS__);                           \
  }
#define SL_WRITE_ALL(V, k, reg)                                                                                        \
  SL_WRITE(V, k, reg, image1d_t, "1d", int, "%5", , "r"(c))                                                            \
  SL_WRITE(V, k, reg, image1d_buffer_t, "1d", int, "%5", , "r"(c))                                                     \
  SL_WRITE(V, k, reg, image1d_array_t, "a1d", int2, "%6,%5", , "r"(c.x), "r"(c.y))                                     \
  SL_WRITE(V, k, reg, image2d_t, "2d", int2, "%5,%6", , "r"(c.x), "r"(c.y))                                            \
  SL_WRITE(V, k, reg, image2d_array_t, "a2d", int4, "%7,%5,%6,%6", , "r"(c.x), "r"(c.y), "r"(c.z))                     \
  SL_WRITE(V, k, reg, image3d_t, "3d", int4, "%5,%6,%7,%7", , "r"(c.x), "r"(c.y), "r"(c.z))
SL_WRITE_ALL(float4, f, "f")
SL_WRITE_ALL(int4, i, "r")
SL_WRITE_ALL(uint4, ui, "r")

#define SL_QUERY(name, what)                                                                                           \
  SL_FN int name(ulong i) {                                                                                            \
    int r;                                                                                                             \
    __asm("txq." what ".b32 %0, [%1];" : "=r"(r) : "l"(i));                                                             \
    return r;                                                                                                          \
  }
SL_QUERY(sl_width, "width")
SL_QUERY(sl_height, "height")
SL_QUERY(sl_depth, "depth")
SL_QUERY(sl_layers, "array_size")
SL_QUERY(sl_type, "channel_data_type")
SL_QUERY(sl_order, "channel_order")

#define SL_ASK(type)                                                                                                   \
  SL_FN int get_image_width(type i) { return sl_width(sl_image(i)); }                                                  \
  SL_FN int get_image_channel_data_type(type i) { return sl_type(sl_image(i)); }                                       \
  SL_FN int get_image_channel_order(type i) { return sl_order(sl_image(i)); }
#define SL_ASK_PLANE(type)                                                                                             \
  SL_FN int get_image_height(type i) { return sl_height(sl_image(i)); }                                                \
  SL_FN int2 get_image_dim(type i) { return (int2)(sl_width(sl_image(i)), sl_height(sl_image(i))); }
#define SL_ASK_LAYERS(type)                                                                                            \
  SL_FN size_t get_image_array_size(type i) { return (size_t)sl_layers(sl_image(i)); }
#define SL_ASK_SOLID(type)                                                                                             \
  SL_FN int get_image_height(type i) { return sl_height(sl_image(i)); }                                                \
  SL_FN int get_image_depth(type i) { return sl_depth(sl_image(i)); }                                                  \
  SL_FN int4 get_image_dim(type i) {                                                                                   \
    return (int4)(sl_width(sl_image(i)), sl_height(sl_image(i)), sl_depth(sl_image(i)), 0);                            \
  }
#define SL_ASK_ALL(access)                                                                                             \
  SL_KINDS(SL_ASK, access)                                                                                             \
  SL_ASK_PLANE(access image2d_t) SL_ASK_PLANE(access image2d_array_t) SL_ASK_SOLID(access image3d_t)                   \
  SL_ASK_LAYERS(access image1d_array_t) SL_ASK_LAYERS(access image2d_array_t)
SL_ASK_ALL(read_only)
SL_ASK_ALL(write_only)
