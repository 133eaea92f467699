#include "gpu/occupancy.h"
#include "front/registers.h"

static uint64_t up(uint64_t v, uint64_t unit) {
  return (v + unit - 1) / unit * unit;
}

/* An SM without any of it is no limit to a CTA that needs none. */
static uint64_t share(uint64_t of, uint64_t each) {
  return each ? of / each : UINT32_MAX;
}

/* CTAs whose wavefronts all lie on one SIMD (gcn_place() in core/gcn.c) leave places over on each. */
static uint64_t by_warps(const struct gpu_config *k, uint64_t warps) {
  uint64_t simd = k->core.warps / k->core.schedulers;
  if (k->core.model == SM_GCN && k->core.cta_on_simd && warps <= simd)
    return simd / warps * k->core.schedulers;
  return k->core.warps / warps;
}

struct occupancy occupancy_of(const struct gpu_config *k, const struct kernel_info *info,
                              const struct launch *l, unsigned warp_width) {
  uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  uint64_t warps = (threads + warp_width - 1) / warp_width;
  uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  struct occupancy o = {0};
  uint64_t of_warp = up(info->registers, k->core.register_unit) * warp_width;
  o.registers = (uint32_t)(of_warp * warps);
  /* what is left over in a part is of no use */
  o.register_room = of_warp ? (uint32_t)(k->core.registers / k->core.register_parts / of_warp *
                                         k->core.register_parts * of_warp)
                            : 0;
  o.shared = up(info->static_shared + l->dynamic_shared + k->core.shared_reserved, k->core.shared_unit);
  o.by[OCCUPANCY_REGISTERS] = share(o.register_room, o.registers);
  o.by[OCCUPANCY_SHARED] = share(k->core.shared_bytes, o.shared);
  uint64_t places = by_warps(k, warps), held = k->core.threads / threads;
  o.by[OCCUPANCY_THREADS] = places < held ? places : held;
  o.by[OCCUPANCY_SLOTS] = k->core.ctas;
  o.by[OCCUPANCY_GRID] = (ctas + k->sms - 1) / k->sms;
  for (int i = 1; i < OCCUPANCY_NLIMITS; i++)
    if (o.by[i] < o.by[o.limit])
      o.limit = (enum occupancy_limit)i;
  o.ctas = o.by[o.limit];
  return o;
}

void occupancy_spill(const struct gpu_config *k, struct kernel_info *info, const struct launch *l,
                     unsigned warp_width) {
  if (info->registers_from != REGISTERS_PTX && info->registers_from != REGISTERS_BUILTIN &&
      info->registers_from != REGISTERS_PTXAS)
    return;
  while (info->registers > k->core.register_unit &&
         !occupancy_of(k, info, l, warp_width).by[OCCUPANCY_REGISTERS])
    info->registers = (info->registers - 1) / k->core.register_unit * k->core.register_unit;
}

void occupancy_put(const struct occupancy *o, struct stats *s) {
  static const char *const names[] = {
#define X(id, name, help) name,
      OCCUPANCY_LIMITS(X)
#undef X
  };
  static const char *const rows[] = {
#define X(id, name, help) "ctas_per_sm." name,
      OCCUPANCY_LIMITS(X)
#undef X
  };
  stats_put_u64(s, "ctas_per_sm", o->ctas);
  stats_put_text(s, "ctas_per_sm.limit", names[o->limit]);
  for (int i = 0; i < OCCUPANCY_NLIMITS; i++)
    stats_put_u64(s, rows[i], o->by[i]);
}
