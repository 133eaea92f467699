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

# Loads that wait together: the same work in fewer cycles.
loads_overlap() {
  for s in ptx assembler; do
    run "$sluice" run examples/gpgpusim/gather_16K.yaml --gpu h200 --set front.schedule=$s --json "$tmp/$s.json"
    exits 0
  done
  p=$(json cycles "$tmp/ptx.json") a=$(json cycles "$tmp/assembler.json")
  [ "$a" -lt "$p" ] || fail "$a cycles in the assembler's order, $p in that of the PTX"
}

tests every_kernel_gives_the_same_result memory_is_the_same_bit_for_bit presets_say_which_order \
  a_recorded_stream_names_its_order loads_overlap
finish
