#!/bin/sh
# front.schedule: the assembler's order gives the results, faults and lines of the PTX.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

every_kernel_gives_the_same_result() {
  KERNEL_OPTIONS="--set front.schedule=assembler" run sh "$(dirname "$0")/kernels.sh" "$sluice"
  [ "$code" -eq 0 ] || fail "$(grep -v '^ok' "$tmp/out" | head -n 20)"
}

# Workloads and examples: device memory after every launch. All of them: tests/long/schedule.sh.
memory_is_the_same_bit_for_bit() {
  run "$(dirname "$sluice")/tests/schedule_same" bfs sgemm spmv pagerank kmeans lud nw dwt2d \
    convolution-separable examples/gpgpusim/*.yaml
  [ "$code" -eq 0 ] || fail "$(cat "$tmp/out" "$tmp/err")"
}

faults_name_the_same_line_thread_and_address() {
  for f in "$(dirname "$0")"/../kernels/fault_*.yaml; do
    run "$sluice" run "$f" --functional
    mv "$tmp/err" "$tmp/ptx.err"
    run "$sluice" run "$f" --functional --set front.schedule=assembler
    cmp -s "$tmp/ptx.err" "$tmp/err" || fail "$f: $(diff "$tmp/ptx.err" "$tmp/err")"
  done
}

# The 65th word of 64, in an iteration of an unrolled loop.
a_fault_in_an_unrolled_loop_is_that_of_its_iteration() {
  cat >"$tmp/l.ptx" <<'END'
.version 7.5
.target sm_75
.address_size 64
.visible .entry k(.param .u64 d, .param .u32 n) {
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [d]; ld.param.u32 %r2, [n];
  mov.u32 %r1, 0; mov.f32 %f2, 0f00000000;
L:
  ld.global.f32 %f1, [%rd1];
  add.f32 %f2, %f2, %f1;
  add.s64 %rd1, %rd1, 4;
  add.s32 %r1, %r1, 1;
  setp.lt.s32 %p1, %r1, %r2;
  @%p1 bra L;
  st.global.f32 [%rd1+-4], %f2;
  ret;
}
END
  printf 'ptx: l.ptx\nbuffers:\n  d: {bytes: 256, fill: zero}\nlaunches:\n  - {kernel: k, grid: [1], block: [32], args: [d, {u32: 70}]}\n' >"$tmp/l.yaml"
  for s in ptx assembler; do
    run "$sluice" run "$tmp/l.yaml" --functional --set front.schedule=$s
    exits 3
    err_has "l.ptx:9: ld.global.f32: 4 bytes at"
    err_has "right at the end of 'd'"
    cp "$tmp/err" "$tmp/$s.err"
  done
  cmp -s "$tmp/ptx.err" "$tmp/assembler.err" || fail "$(diff "$tmp/ptx.err" "$tmp/assembler.err")"
}

# GPUs whose simulators run PTX keep its order.
presets_say_which_order() {
  for g in v100 h200; do
    run "$sluice" run tests/kernels/matmul.yaml --gpu $g --echo-config
    grep -q "  schedule: assembler" "$tmp/out" || fail "$g is not assembled"
  done
  for g in gtx480 fermi15 cart28; do
    run "$sluice" run tests/kernels/matmul.yaml --gpu $g --echo-config
    grep -q "  schedule: assembler" "$tmp/out" && fail "$g is assembled"
  done
}

a_recorded_stream_names_its_order() {
  run "$sluice" trace record tests/kernels/matmul.yaml --gpu v100 -o "$tmp/s" --quiet
  exits 0
  run "$sluice" trace info "$tmp/s"
  out_has "in assembler order"
  run "$sluice" trace info "$tmp/s" --json
  out_has '"schedule": "assembler"'
  run "$sluice" run "$tmp/s" --gpu gtx480
  exits 2
  err_has "recorded with front.schedule = assembler, which is ptx now"
  run "$sluice" run "$tmp/s" --gpu v100
  exits 0
}

# Lanes that go either way in a loop that some leave meet again in each iteration where machine code has a BSYNC there (assembler9), and
# behind the loop otherwise: the same results of far fewer instructions of warps.
lanes_meet_within_loops_with_ways_out() {
  cat >"$tmp/l.ptx" <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r6, %r1;
again:
  mad.lo.s32 %r6, %r6, 1103515245, 12345;
  shr.u32 %r4, %r6, 16;
  and.b32 %r5, %r4, 3;
  setp.ne.s32 %p1, %r5, 0;
  @%p1 bra odd;
  and.b32 %r5, %r4, 60;
  setp.eq.s32 %p2, %r5, 60;
  @%p2 bra out;
  div.u32 %r3, %r3, 3;
  bra.uni next;
odd:
  div.u32 %r7, %r4, 7;
  add.s32 %r3, %r3, %r7;
next:
  add.s32 %r3, %r3, 1;
  add.s32 %r2, %r2, 1;
  setp.lt.s32 %p3, %r2, 20;
  @%p3 bra again;
  add.s32 %r3, %r3, 1000;
out:
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r3;
  ret;
}
END
  printf 'ptx: l.ptx\nbuffers:\n  o: {count: 32, type: u32}\nlaunches:\n  - {kernel: k, grid: [1], block: [32], args: [o]}\noutputs:\n  - {buffer: o, file: %s}\n' "$tmp/o" >"$tmp/l.yaml"
  for s in ptx assembler9; do
    run "$sluice" run "$tmp/l.yaml" --functional --set front.schedule=$s
    exits 0
    mv "$tmp/o" "$tmp/$s.o"
    sed -n 's/^warp_instructions *\([0-9,]*\) .*/\1/p' "$tmp/out" | tr -d , >"$tmp/$s.n"
  done
  cmp "$tmp/ptx.o" "$tmp/assembler9.o" || fail "results differ"
  [ $(($(cat "$tmp/assembler9.n") * 5)) -lt "$(cat "$tmp/ptx.n")" ] ||
    fail "$(cat "$tmp/assembler9.n") instructions of warps, $(cat "$tmp/ptx.n") if lanes meet behind the loop"
}

# Loads that wait together: the same work in fewer cycles.
loads_overlap() {
  for s in ptx assembler; do
    run "$sluice" run examples/gpgpusim/gather_16K.yaml --gpu h200 --set front.schedule=$s --json "$tmp/$s.json"
    exits 0
  done
  p=$(json cycles "$tmp/ptx.json") a=$(json cycles "$tmp/assembler.json")
  [ "$a" -lt "$p" ] || fail "$a cycles in the assembler's order, $p in that of the PTX"
}

tests every_kernel_gives_the_same_result memory_is_the_same_bit_for_bit \
  faults_name_the_same_line_thread_and_address a_fault_in_an_unrolled_loop_is_that_of_its_iteration \
  presets_say_which_order a_recorded_stream_names_its_order lanes_meet_within_loops_with_ways_out loads_overlap
finish
