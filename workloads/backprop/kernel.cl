/* Training step of a neural network with one hidden layer of 16 units: the two parts that touch the large
 * matrix of input weights, rows of hidden + 1 floats of which the first belongs to no hidden unit. A group of 16 x
 * 16 work-items owns 16 rows.
 *
 * Forward: weights staged in local memory, multiplied by their input, summed along the rows as a tree; each
 * group leaves 16 partial sums, and the products where the weights were (the host sends those again). */
#define B 16

__kernel __attribute__((reqd_work_group_size(B, B, 1))) void
backprop_forward(__global const float *restrict input, __global float *restrict weights,
                 __global float *restrict partial, uint hidden) {
  __local float in[B], m[B][B];
  uint tx = get_local_id(0), ty = get_local_id(1), by = get_group_id(1);
  uint at = (hidden + 1) * (B * by + ty + 1) + tx + 1;
  if (tx == 0)
    in[ty] = input[B * by + ty + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  m[ty][tx] = weights[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  m[ty][tx] = m[ty][tx] * in[ty];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < B; step *= 2) {
    if (ty % (2 * step) == 0)
      m[ty][tx] = m[ty][tx] + m[ty + step][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  weights[at] = m[ty][tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tx == 0)
    partial[by * hidden + ty] = m[0][ty];
}

/* Backward: every weight and its last change, once each. */
__kernel __attribute__((reqd_work_group_size(B, B, 1))) void
backprop_adjust(__global const float *restrict delta, uint hidden, __global const float *restrict input,
                __global float *restrict weights, __global float *restrict previous, float eta,
                float momentum) {
  uint tx = get_local_id(0), ty = get_local_id(1), by = get_group_id(1);
  uint row = B * by + ty + 1;
  uint at = (hidden + 1) * row + tx + 1;
  float change = eta * delta[tx + 1] * input[row] + momentum * previous[at];
  weights[at] += change;
  previous[at] = change;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (ty == 0 && by == 0) { /* the bias row */
    float bias = eta * delta[tx + 1] + momentum * previous[tx + 1];
    weights[tx + 1] += bias;
    previous[tx + 1] = bias;
  }
}
