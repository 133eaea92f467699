/* From resolved parameters to the options of the executor and of device memory. */
#include "base/num.h"
#include "front/params.h"
#include <string.h>

struct exec_options front_exec_options(const struct conf *c) {
  struct exec_options o = exec_defaults();
  o.warp_width = (unsigned)conf_u64(c, "front.warp_width");
  o.window = (unsigned)conf_u64(c, "front.window");
  o.turn = (unsigned)conf_u64(c, "front.turn");
  o.contend = (unsigned)conf_u64(c, "front.contend");
  o.schedule = conf_enum(c, "front.schedule");
  o.shared = conf_enum(c, "front.shared");
  o.lanes = conf_enum(c, "front.lanes");
  o.memcheck = conf_enum(c, "front.memcheck");
  const char *order = conf_str(c, "front.cta_order");
  o.cta_order = strcmp(order, "ascending") == 0 ? 0 : strcmp(order, "reversed") == 0 ? 1 : 2;
  if (o.cta_order == 2)
    num_u64(order, &o.cta_seed);
  o.max_instructions = conf_u64(c, "front.max_instructions");
  o.heap_bytes = conf_u64(c, "front.heap_bytes");
  o.stack_bytes = conf_u64(c, "front.stack_bytes");
  return o;
}

struct devmem_options front_devmem_options(const struct conf *c) {
  struct devmem_options o = devmem_defaults();
  o.guard = conf_u64(c, "memory.guard");
  o.align = conf_u64(c, "memory.align");
  o.big = conf_u64(c, "memory.big");
  o.big_align = conf_u64(c, "memory.big_align");
  o.small_page = conf_u64(c, "memory.small_page");
  return o;
}
