/* One kernel for streaming and collision. A group takes a row of cells along x, rows padded by eight cells.
 * The distributions of each of the 19 directions lie together (structure of arrays) with a margin of two
 * planes on either side. A work-item gathers its cell's distributions from the neighbours they come from,
 * relaxes them and stores them in place in the other grid. Walls reflect; the lid's cells move sideways. */
#define WALL    1
#define LID     2
#define PADDING 8

/* index, ex, ey, ez, weight; an odd index and the even one after it are opposite */
/* clang-format off */
#define DIRECTIONS(X)                                                                                        \
  X(0, 0, 0, 0, 1 / 3.0f)                                                                                    \
  X(1, 1, 0, 0, 1 / 18.0f) X(2, -1, 0, 0, 1 / 18.0f)                                                         \
  X(3, 0, 1, 0, 1 / 18.0f) X(4, 0, -1, 0, 1 / 18.0f)                                                         \
  X(5, 0, 0, 1, 1 / 18.0f) X(6, 0, 0, -1, 1 / 18.0f)                                                         \
  X(7, 1, 1, 0, 1 / 36.0f) X(8, -1, -1, 0, 1 / 36.0f)                                                        \
  X(9, 1, -1, 0, 1 / 36.0f) X(10, -1, 1, 0, 1 / 36.0f)                                                       \
  X(11, 1, 0, 1, 1 / 36.0f) X(12, -1, 0, -1, 1 / 36.0f)                                                      \
  X(13, 1, 0, -1, 1 / 36.0f) X(14, -1, 0, 1, 1 / 36.0f)                                                      \
  X(15, 0, 1, 1, 1 / 36.0f) X(16, 0, -1, -1, 1 / 36.0f)                                                      \
  X(17, 0, 1, -1, 1 / 36.0f) X(18, 0, -1, 1, 1 / 36.0f)
/* clang-format on */

__kernel void stream_collide(__global const float *restrict from, __global float *restrict to,
                             __global const uint *restrict flags, uint margin, uint pitch, float omega,
                             float lid_x, float lid_y) {
  int row = (int)get_local_size(0) + PADDING, plane = row * (int)get_num_groups(1);
  int cell = (int)(margin + get_global_id(0)) + (int)get_group_id(1) * row + (int)get_group_id(2) * plane;
  float f[19];
#define GATHER(I, EX, EY, EZ, W) f[I] = from[I * pitch + (uint)(cell - (EX) - (EY)*row - (EZ)*plane)];
  DIRECTIONS(GATHER)
  uint flag = flags[cell];
  if (flag & WALL) {
    to[cell] = f[0];
#define REFLECT(I, EX, EY, EZ, W)                                                                            \
  if (I)                                                                                                     \
    to[((I - 1) ^ 1) * pitch + pitch + cell] = f[I];
    DIRECTIONS(REFLECT)
    return;
  }
  float density = 0, ux = 0, uy = 0, uz = 0;
#define MOMENT(I, EX, EY, EZ, W)                                                                             \
  density += f[I];                                                                                           \
  ux += (EX)*f[I];                                                                                           \
  uy += (EY)*f[I];                                                                                           \
  uz += (EZ)*f[I];
  DIRECTIONS(MOMENT)
  ux /= density;
  uy /= density;
  uz /= density;
  if (flag & LID) {
    ux = lid_x;
    uy = lid_y;
    uz = 0;
  }
  float still = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
#define RELAX(I, EX, EY, EZ, W)                                                                              \
  {                                                                                                          \
    float along = (EX)*ux + (EY)*uy + (EZ)*uz;                                                               \
    to[I * pitch + cell] =                                                                                   \
        (1.0f - omega) * f[I] + omega * (W)*density * (still + along * (3.0f + 4.5f * along));               \
  }
  DIRECTIONS(RELAX)
}
