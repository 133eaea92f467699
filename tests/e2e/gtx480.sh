#!/bin/sh
# The gtx480 costs what it costs in GPGPU-Sim: microkernels of one behaviour, cycles of one more iteration, by the reference beside
# them. scripts/validate-gtx480 compares all of them, and whole kernels.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
micro=$(dirname "$0")/../timing/gtx480_micro

# slope BEHAVIOUR WARPS FROM TO: cycles of TO - FROM iterations, here and there, and whether they differ by more than 3 %
slope() {
  for n in "$3" "$4"; do
    "$sluice" run "$micro/$1_${n}_$2.yaml" --gpu gtx480 --quiet --json "$tmp/m.json" || fail "$1: exit code $?"
    json cycles "$tmp/m.json"
    sed -n "s/^$1_${n}_$2,//p" "$micro/reference.csv"
  done | paste -s -d' ' | awk '{ o = $3 - $1; t = $4 - $2; e = o / t - 1; print o, t, (e > 0.03 || e < -0.03) }'
}

# agree WARPS FROM TO BEHAVIOURS...
agree() {
  warps=$1 from=$2 to=$3
  shift 3
  for b in "$@"; do
    slope "$b" "$warps" "$from" "$to" >"$tmp/slope"
    read -r ours theirs over <"$tmp/slope"
    [ "$over" = 0 ] || fail "$b, $warps warps: $ours cycles, in GPGPU-Sim $theirs"
  done
}

arithmetic_takes_as_long() { agree 1 20 60 alu_chain fma_chain mad_chain divs; }
operands_banks_and_result_buses_bound_issue() { agree 48 20 60 alu_chain fma_chain mad_chain fma_indep fma3; }
instructions_are_fetched_in_time() { agree 1 20 60 fma_indep fma3 bars; }
barriers_let_warps_go() {
  agree 8 20 60 bars
  agree 48 20 60 bars
}
shared_memory_and_its_conflicts() {
  agree 1 20 60 sh_chain shi1 shi2 shi32
  agree 8 20 60 shi2 shi32
}
loads_take_as_long() { agree 1 20 60 ldhit ldl2 lddram; }
the_l2_gives_as_much() { agree all 4 12 ldl2tp; }

tests arithmetic_takes_as_long operands_banks_and_result_buses_bound_issue instructions_are_fetched_in_time barriers_let_warps_go \
  shared_memory_and_its_conflicts loads_take_as_long the_l2_gives_as_much
finish
