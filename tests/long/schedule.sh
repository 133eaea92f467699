#!/bin/sh
# front.schedule = assembler at length: every workload and launch file leaves the same memory after every launch as in the order of the
# PTX, and the tests of OpenCL pass on a GPU that is assembled for.
#   tests/long/schedule.sh SLUICE
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
build=$(dirname "$sluice")

every_workload_and_kernel() {
  for what in $(scripts/workload-embed names workloads) tests/kernels/*.yaml examples/gpgpusim/*.yaml; do
    case $what in *billion*) continue ;; esac
    run timeout 600 "$build/tests/schedule_same" "$what"
    [ "$code" -eq 0 ] || fail "$(head -n 3 "$tmp/out" "$tmp/err")"
  done
}

# Those that have atomics or race, at a size where CTAs take turns.
larger_ones() {
  run timeout 1800 "$build/tests/schedule_same" --medium pagerank histogram sssp bfs color bc kmeans radixsort lud tpacf
  [ "$code" -eq 0 ] || fail "$(head -n 20 "$tmp/out" "$tmp/err")"
}

opencl() {
  SLUICE_SET="front.schedule=assembler" run sh tests/e2e/opencl.sh "$sluice"
  [ "$code" -eq 0 ] || fail "$(grep -v ' OK ' "$tmp/out" | head -n 20)"
}

tests every_workload_and_kernel larger_ones opencl
finish
