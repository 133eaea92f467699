/* Tracking of points on the heart wall through the frames of an ultrasound film: a launch for each frame, a
 * work-group for each point. All of a group's data (template, window, sums) lie in its own part of global
 * memory; the steps between them are separated by barriers:
 *
 *   window      the surroundings of the last position, copied from the frame
 *   correlate   template against every place in the window
 *   sums        running sums of the window and its squares, down the columns, then along the rows
 *   best        correlation normalised by the deviation under the template; its greatest value, by a tree
 *   follow      new position, template blended with what is there now */
#define THREADS 256

struct shape {
  int width, height;    /* of a frame */
  int radius, reach;    /* of the template; how far a point moves between frames */
  int side, wide, out;  /* 2 radius + 1; side + 2 reach; 2 reach + 1 */
};

static float at(__global const float *frame, struct shape s, int x, int y) {
  return frame[clamp(y, 0, s.height - 1) * s.width + clamp(x, 0, s.width - 1)];
}

/* Sums over the template's square at (x, y), from sums that run over rows and columns. */
static float square_sum(__global const float *sum, struct shape s, int x, int y) {
  int x1 = x + s.side - 1, y1 = y + s.side - 1;
  float v = sum[y1 * s.wide + x1];
  if (x > 0)
    v -= sum[y1 * s.wide + x - 1];
  if (y > 0)
    v -= sum[(y - 1) * s.wide + x1];
  if (x > 0 && y > 0)
    v += sum[(y - 1) * s.wide + x - 1];
  return v;
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
heartwall_templates(__global const float *frame, struct shape s, __global const int *position,
                    __global float *templates) {
  int t = get_local_id(0), p = get_group_id(0), size = s.side * s.side;
  int x0 = position[2 * p] - s.radius, y0 = position[2 * p + 1] - s.radius;
  for (int i = t; i < size; i += THREADS)
    templates[p * size + i] = at(frame, s, x0 + i % s.side, y0 + i / s.side);
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
heartwall_track(__global const float *frame, struct shape s, __global int *position, __global float *templates,
                __global float *windows, __global float *squares, __global float *correlations) {
  __local float best[THREADS];
  __local int where[THREADS];
  int t = get_local_id(0), p = get_group_id(0), size = s.side * s.side, area = s.wide * s.wide;
  __global float *mine = templates + p * size, *window = windows + p * area, *square = squares + p * area;
  __global float *correlation = correlations + p * s.out * s.out;
  int x0 = position[2 * p] - s.radius - s.reach, y0 = position[2 * p + 1] - s.radius - s.reach;
  for (int i = t; i < area; i += THREADS) {
    float v = at(frame, s, x0 + i % s.wide, y0 + i / s.wide);
    window[i] = v;
    square[i] = v * v;
  }
  /* mean of the template, each work-item for itself in the same order: few, and cached */
  float mean = 0, deviation = 0;
  for (int i = 0; i < size; i++)
    mean += mine[i];
  mean /= size;
  for (int i = 0; i < size; i++)
    deviation += (mine[i] - mean) * (mine[i] - mean);
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int i = t; i < s.out * s.out; i += THREADS) {
    int ox = i % s.out, oy = i / s.out;
    float sum = 0;
    for (int y = 0; y < s.side; y++)
      for (int x = 0; x < s.side; x++)
        sum += (mine[y * s.side + x] - mean) * window[(oy + y) * s.wide + ox + x];
    correlation[i] = sum;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int x = t; x < s.wide; x += THREADS)
    for (int y = 1; y < s.wide; y++) {
      window[y * s.wide + x] += window[(y - 1) * s.wide + x];
      square[y * s.wide + x] += square[(y - 1) * s.wide + x];
    }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int y = t; y < s.wide; y += THREADS)
    for (int x = 1; x < s.wide; x++) {
      window[y * s.wide + x] += window[y * s.wide + x - 1];
      square[y * s.wide + x] += square[y * s.wide + x - 1];
    }
  barrier(CLK_GLOBAL_MEM_FENCE);
  float most = -FLT_MAX;
  int place = 0;
  for (int i = t; i < s.out * s.out; i += THREADS) {
    float sum = square_sum(window, s, i % s.out, i / s.out), sum2 = square_sum(square, s, i % s.out, i / s.out);
    float under = sum2 - sum * sum / size;
    float score = correlation[i] / sqrt(fmax(under, 1e-6f) * deviation);
    correlation[i] = score;
    if (score > most) {
      most = score;
      place = i;
    }
  }
  best[t] = most;
  where[t] = place;
  for (int step = THREADS / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < step && best[t + step] > best[t]) {
      best[t] = best[t + step];
      where[t] = where[t + step];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int dx = where[0] % s.out - s.reach, dy = where[0] / s.out - s.reach;
  x0 += dx + s.reach;
  y0 += dy + s.reach;
  for (int i = t; i < size; i += THREADS)
    mine[i] = 0.95f * mine[i] + 0.05f * at(frame, s, x0 + i % s.side, y0 + i / s.side);
  if (t == 0) {
    position[2 * p] += dx;
    position[2 * p + 1] += dy;
  }
}
