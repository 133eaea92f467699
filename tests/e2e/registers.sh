#!/bin/sh
# Registers per thread and CTAs per SM: stated, chosen, printed, recorded.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
timing_kernels

# launch KEYS: a launch file of 1,000 CTAs of 256 threads with further keys
launch() {
  printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 1Mi}\nlaunches:\n  - {kernel: stores, grid: [1000], block: [256], args: [d, {u32: 1}]%s}\n' "$1" >"$tmp/r.yaml"
}
# of_kernel KEY: the value in the statistics of the only launch
of_kernel() { sed -n '/^  "kernels"/,$s/^ *"'"$1"'": \(.*[^,]\),\{0,1\}$/\1/p' "$tmp/r.json"; }
has() {
  got=$(of_kernel "$1")
  [ "$got" = "$2" ] || fail "$1: $got instead of $2"
}
on_gpu() { run "$sluice" run "$tmp/r.yaml" --max-cycles 2000 --json "$tmp/r.json" "$@"; }

a_launch_file_states_registers() { # 32768 / (256 x 40) = 3
  launch ", registers: 37"
  on_gpu
  has registers 37
  has registers.from '"launch"'
  has ctas_per_sm 3
  has ctas_per_sm.limit '"registers"'
  has ctas_per_sm.threads 6
  has ctas_per_sm.slots 8
  has ctas_per_sm.grid 67
  out_has "ctas_per_sm.limit"
}

an_option_is_above_the_launch_file() {
  launch ", registers: 37"
  on_gpu --registers stores=16
  has registers 16
  has registers.from '"option"'
  has ctas_per_sm 6
  has ctas_per_sm.limit '"threads"'
  on_gpu --registers 64
  has ctas_per_sm 2
}

mistakes_are_named() {
  launch ", registers: 256"
  on_gpu
  exits 2
  err_has "r.yaml:5: launches[0].registers: '256' is out of range (allowed: 1..255)"
  launch ", register: 16"
  on_gpu
  exits 2
  err_has "did you mean 'registers'?"
  launch ""
  on_gpu --registers store=16
  exits 2
  err_has "there is no kernel 'store'; did you mean 'stores'?"
  on_gpu --registers 0
  exits 2
  err_has "'0' is not allowed (allowed: "
  on_gpu --registers 200 --set sm.registers=4096
  exits 2
  err_has "does not fit an SM"
}

a_recording_keeps_its_registers() {
  launch ", registers: 37"
  run "$sluice" run "$tmp/r.yaml" --functional --record "$tmp/r.stream" -q
  exits 0
  for how in "" "--registers stores=20"; do
    # shellcheck disable=SC2086 # words
    run "$sluice" run "$tmp/r.stream" --max-cycles 2000 --json "$tmp/r.json" $how
    [ -n "$how" ] && has registers 20 && has registers.from '"option"'
    [ -n "$how" ] || { has registers 37 && has registers.from '"launch"'; }
  done
  run "$sluice" run "$tmp/r.stream" --registers store=20
  exits 2
  err_has "did you mean 'stores'?"
}

tests a_launch_file_states_registers an_option_is_above_the_launch_file mistakes_are_named a_recording_keeps_its_registers
finish
