#!/bin/sh
# The timing model at its ends: few and many SMs, small CTAs, huge grids, other warp widths.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cp "$(dirname "$0")/../timing/kernels.ptx" "$tmp"

# numbers GRID BLOCK OPTIONS...: every thread writes its number, through shared memory and a barrier; all are checked
numbers() {
  n=$(($1 * $2))
  cat >"$tmp/t.yaml" <<END
ptx: kernels.ptx
buffers:
  d: {count: $n, type: u32, fill: {value: 0xffffffff}}
launches:
  - {kernel: numbers, grid: [$1], block: [$2], args: [d, {u32: $n}]}
outputs:
  - {buffer: d, equals: {iota: {type: u32}}}
END
  ctas=$1
  shift 2
  rm -f "$tmp/t.json"
  run "$sluice" run "$tmp/t.yaml" --json "$tmp/t.json" "$@"
  exits 0
  [ "$(json sm.ctas "$tmp/t.json")" = "$ctas" ] || fail "$*: CTAs"
}

# no memory accesses: one launch of a kernel without arguments but these
plain() {
  printf 'ptx: kernels.ptx\nlaunches:\n  - {kernel: %s, grid: [%s], block: [%s], args: [%s]}\n' "$1" "$2" "$3" "$4" >"$tmp/t.yaml"
  shift 4
  rm -f "$tmp/t.json"
  run "$sluice" run "$tmp/t.yaml" --gpu "$plain_gpu" --json "$tmp/t.json" "$@"
}

from_one_sm_to_many() {
  last=
  for sms in 1 2 15 64 256; do
    numbers 60 256 --set "gpu.sms=$sms"
    now=$(json cycles "$tmp/t.json")
    # from 15 on every SM has few CTAs, and they wait for the same slices
    [ -z "$last" ] || [ "$now" -le $((last + last / 5)) ] || fail "$sms SMs need $now cycles, fewer $last"
    last=$now
  done
}

ctas_of_one_thread() {
  numbers 1 1
  numbers 1000 1
  numbers 1000 1 --set gpu.sms=256
  numbers 1000 1 --set gpu.sms=1 --set sm.ctas=1
  numbers 7 33
  numbers 3 1024
}

a_kernel_without_memory_accesses() {
  plain additions 64 256 "{u32: 10}" --set l1i.on=false
  exits 0
  for s in l1d.accesses noc.requests l2.accesses dram.reads dram.writes; do
    [ "$(json $s "$tmp/t.json")" = 0 ] || fail "$s: $(json $s "$tmp/t.json")"
  done
  # ld.param, ten rounds of three, ret: 32 warp instructions, give or take how parameters are loaded
  got=$(json sm.issued "$tmp/t.json")
  [ "$got" = $((64 * 8 * 32)) ] || fail "$got instructions"
  plain nothing 1 1 ""
  exits 0
  [ "$(json sm.issued "$tmp/t.json")" = 1 ] || fail "one instruction"
}

# A warp alone: setp needs what sub gives and bra what setp gives, latency + stages each; the next round begins a cycle later.
additions_of_a_lone_warp() {
  while read -r latency stages; do
    for n in 100 1100; do
      plain additions 1 32 "{u32: $n}" --set sm.fetch_latency=1 --set "sm.latency.int=$latency" --set "sm.stages=$stages"
      exits 0
      json cycles "$tmp/t.json"
    done >"$tmp/two"
    got=$(($(tail -n1 "$tmp/two") - $(head -n1 "$tmp/two")))
    [ $got -eq $((1000 * (2 * (latency + stages) + 1))) ] || fail "latency $latency, stages $stages: $got cycles"
  done <<END
4 5
10 5
4 0
1 0
END
}

# Neither time nor memory may grow with the grid.
huge_grids_are_cut_off() {
  for kernel in nothing additions; do
    args=
    [ $kernel = nothing ] || args="{u32: 1000}"
    for block in 1 1024; do
      before=$(date +%s)
      plain $kernel 2147483647 $block "$args" --max-cycles 3000
      exits 4
      mb=$(json sim.peak_rss_mb "$tmp/t.json")
      [ "${mb%.*}" -le 1000 ] || fail "$kernel, $block threads: $mb MB"
      [ $(($(date +%s) - before)) -le 20 ] || fail "$kernel, $block threads: too slow"
    done
  done
  plain additions 2147483647 64 "{u32: 1000}" --max-cycles 3000 --set gpu.sms=256
  exits 4
  [ "$(json cycles "$tmp/t.json")" -le 3000 ] || fail "ran longer than it may"
}

other_warp_widths() {
  for width in 64 48 16 8; do
    numbers 40 256 --warp-width $width
    result "$tmp/t.json" >"$tmp/a"
    for how in --no-skip "--shuffle 99"; do
      # shellcheck disable=SC2086 # options are words
      numbers 40 256 --warp-width $width $how
      result "$tmp/t.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "width $width differs with $how"
    done
  done
}
result() { grep -v '"sim\.' "$1"; }

# A barrier for a number of threads counts warps of the width there is.
barriers_that_count_threads() {
  for width in 64 48 32 16 8; do
    cat >"$tmp/t.yaml" <<END
ptx: kernels.ptx
buffers:
  d: {count: 128, type: u32}
launches:
  - {kernel: counted_barrier, grid: [1], block: [128], args: [d]}
outputs:
  - {buffer: d, equals: {iota: {type: u32}}}
END
    run "$sluice" run "$tmp/t.yaml" --warp-width $width
    exits 0
  done
}

# Local memory: word k of all lanes lies side by side. Four words at one place are 16 bytes per thread, however wide warps
# are. Lanes 64 bytes apart share no line: four for each lane, two where a row of 16 words is half a line.
local_memory_of_wide_warps() {
  while read -r width spread lines; do
    cat >"$tmp/t.yaml" <<END
ptx: kernels.ptx
buffers:
  d: {count: 128, type: u32}
launches:
  - {kernel: locals, grid: [1], block: [128], args: [d, {u32: $spread}]}
outputs:
  - {buffer: d, equals: {iota: {type: u32}}}
END
    rm -f "$tmp/t.json"
    run "$sluice" run "$tmp/t.yaml" --warp-width "$width" --json "$tmp/t.json"
    exits 0
    # stores and loads of these lines, and the stores of the results
    results=$((128 / (width < 32 ? width : 32)))
    [ "$(json l1d.accesses "$tmp/t.json")" = $((2 * lines + results)) ] ||
      fail "width $width, spread $spread: $(json l1d.accesses "$tmp/t.json") accesses instead of $((2 * lines + results))"
  done <<END
64 0 16
32 0 16
16 0 16
64 64 512
32 64 512
16 64 256
END
}

tests from_one_sm_to_many ctas_of_one_thread a_kernel_without_memory_accesses additions_of_a_lone_warp huge_grids_are_cut_off \
  other_warp_widths barriers_that_count_threads local_memory_of_wide_warps
finish
