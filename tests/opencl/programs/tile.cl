// range: 2 32 16 16 8
// A stencil on two-dimensional local tiles with a halo, several steps, clamped borders; a transposition.
#define BX 16
#define BY 8
#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))
#define CLAMP_RANGE(x, low, high) x = (x < low) ? low : ((x > high) ? high : x)
kernel void tile(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  local float now[BY][BX], next[BY][BX];
  local int turned[BX][BY + 1];
  int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
  int cols = get_global_size(0), rows = get_global_size(1);
  int x = bx * BX + tx, y = by * BY + ty, at = y * cols + x;
  if (IN_RANGE(x, 0, cols - 1) && IN_RANGE(y, 0, rows - 1))
    now[ty][tx] = fin[at];
  turned[tx][ty] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  int w = tx - 1, e = tx + 1, north = ty - 1, s = ty + 1;
  CLAMP_RANGE(w, 0, BX - 1);
  CLAMP_RANGE(e, 0, BX - 1);
  CLAMP_RANGE(north, 0, BY - 1);
  CLAMP_RANGE(s, 0, BY - 1);
  bool done = false;
  for (int step = 0; step < 3; step++) {
    done = false;
    if (IN_RANGE(tx, step + 1, BX - step - 2) && IN_RANGE(ty, step, BY - step - 1)) {
      done = true;
      next[ty][tx] = now[ty][tx] + 0.25f * ((now[s][tx] + now[north][tx] - 2.0f * now[ty][tx]) +
                                           (now[ty][e] + now[ty][w] - 2.0f * now[ty][tx]));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (step == 2)
      break;
    if (done)
      now[ty][tx] = next[ty][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  fout[at] = done ? next[ty][tx] : now[ty][tx];
  int lin = ty * BX + tx;
  out[at] = turned[lin / BY][lin % BY];
}
