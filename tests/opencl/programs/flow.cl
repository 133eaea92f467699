// range: 1 256 64
// Dense and sparse switches with falling through, nested loops left early, loops whose length differs by lane.
int classify(int x) {
  switch (x & 15) {
  case 0:
    return 7;
  case 1:
  case 2:
    x += 3;
  case 3:
    x *= 2;
    break;
  case 4:
    return x > 100 ? -1 : 1;
  case 5: {
    int y = x;
    while (y > 3)
      y = y % 2 ? 3 * y + 1 > 4000 ? y / 3 : 3 * y + 1 : y / 2;
    return y;
  }
  case 6:
  case 7:
  case 8:
    x ^= 0x55;
  case 9:
  case 10:
    x -= 11;
    break;
  case 11:
    for (int i = 0; i < 10; i++) {
      if (i == (x >> 4 & 7))
        continue;
      if (i > (x >> 7 & 15))
        break;
      x += i;
    }
    break;
  default:
    x = -x;
  }
  switch (x) {
  case -1000:
  case 123456:
    return 1;
  case 70000:
    return 2;
  }
  return x;
}
kernel void flow(global const int *in, global const float *fin, global int *out, global float *fout, int n) {
  int g = get_global_id(0), v = in[g] & 0xfffff, found = -1;
  float a = fin[g];
  for (int i = 0; i < 20 && found < 0; i++) {
    for (int j = 0; j < 20; j++) {
      if ((in[(g + i * j) % n] & 63) == (v & 63) && i + j > 3) {
        found = i * 20 + j;
        goto out_of_both;
      }
      if (j > i)
        break;
    }
  }
out_of_both:;
  int steps = 0;
  do {
    if (a > 2.0f) {
      a = a * 0.5f;
      continue;
    }
    a += 0.125f;
    if (steps++ > (v & 31))
      break;
  } while (a != 0.0f);
  if (v % 5 == 0) {
    out[g] = -g;
    fout[g] = 1.0f;
    return;
  }
  out[g] = classify(v) + found * 3 + steps;
  fout[g] = a;
}
