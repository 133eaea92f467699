/* Groups of 16 x 16 bring a tile of temperature and power into local memory and take `steps` steps; with each
 * the outermost ring of what they hold loses its meaning, so a tile overlaps its neighbours by 2 * steps and
 * writes the inner 16 - 2 * steps squared. At the chip's edge the cell itself stands in for the missing one. */
#define TILE 16

struct chip {
  float step_by_capacity, per_rx, per_ry, per_rz, ambient;
};

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
hotspot(__global const float *restrict power, __global const float *restrict from,
        __global float *restrict to, int size, int steps, struct chip c) {
  __local float here[TILE][TILE], watts[TILE][TILE], next[TILE][TILE];
  int lx = (int)get_local_id(0), ly = (int)get_local_id(1), inner = TILE - 2 * steps;
  int x = (int)get_group_id(0) * inner - steps + lx, y = (int)get_group_id(1) * inner - steps + ly;
  bool on_chip = x >= 0 && x < size && y >= 0 && y < size;
  if (on_chip) {
    here[ly][lx] = from[y * size + x];
    watts[ly][lx] = power[y * size + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int west = x > 0 ? lx - 1 : lx, east = x < size - 1 ? lx + 1 : lx;
  int north = y > 0 ? ly - 1 : ly, south = y < size - 1 ? ly + 1 : ly;
  for (int s = 1; s <= steps; s++) {
    bool meant = on_chip && lx >= s && lx < TILE - s && ly >= s && ly < TILE - s;
    if (meant) {
      float t = here[ly][lx];
      next[ly][lx] =
          t + c.step_by_capacity *
                  (watts[ly][lx] + (here[south][lx] + here[north][lx] - 2.0f * t) * c.per_ry +
                   (here[ly][east] + here[ly][west] - 2.0f * t) * c.per_rx + (c.ambient - t) * c.per_rz);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (meant && s < steps)
      here[ly][lx] = next[ly][lx];
    else if (meant)
      to[y * size + x] = next[ly][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
