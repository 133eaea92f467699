/* Electrostatic potential with a cutoff: atoms are sorted into cubic bins of 4 A, eight slots each. A work-group
 * owns a cube of 8 x 8 x 8 lattice points, the size of a bin, and goes through the bins around it in the
 * order of a list in constant memory; a bin is staged in local memory, and each of 128 work-items adds its
 * atoms to 4 points along z. */
#define SLOTS 8

__kernel __attribute__((reqd_work_group_size(8, 8, 2))) void
cutcp_lattice(__global const float4 *restrict bins, __constant int *neighbours, int nneighbours, int bins_x,
              int bins_y, int margin, __global float *restrict lattice, float spacing, float cutoff2,
              float inv_cutoff2) {
  __local float4 atoms[SLOTS];
  int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  int rx = get_group_id(0), ry = get_group_id(1), rz = get_group_id(2);
  int t = (lz * 8 + ly) * 8 + lx;
  int x = rx * 8 + lx, y = ry * 8 + ly, z = rz * 8 + lz;
  float px = x * spacing, py = y * spacing, pz = z * spacing;
  float sum[4] = {0, 0, 0, 0};
  int here = ((rz + margin) * bins_y + ry + margin) * bins_x + rx + margin;
  for (int b = 0; b < nneighbours; b++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < SLOTS)
      atoms[t] = bins[(here + neighbours[b]) * SLOTS + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < SLOTS; i++) {
      float4 a = atoms[i];
      if (a.w == 0) /* slots fill from the front */
        break;
      float dx = a.x - px, dy = a.y - py, dz = a.z - pz;
      float r2 = dx * dx + dy * dy;
      for (int k = 0; k < 4; k++) {
        float d = dz - 2 * k * spacing;
        float d2 = r2 + d * d;
        if (d2 < cutoff2) {
          float s = 1 - d2 * inv_cutoff2;
          sum[k] += a.w * native_rsqrt(d2) * s * s;
        }
      }
    }
  }
  int nx = get_global_size(0), ny = get_global_size(1);
  for (int k = 0; k < 4; k++)
    lattice[((z + 2 * k) * ny + y) * nx + x] = sum[k];
}
