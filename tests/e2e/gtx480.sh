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
# Of eight warps two meet in banks of registers by their names' numbers; names without one, as of sh_chain and c_chain, need no bank.
names_of_registers_choose_banks() {
  agree 8 20 60 fma_indep fma3 sh_chain
  agree 48 20 60 sh_chain
  agree 1 20 60 c_chain
}

# GPGPU-Sim's memory unit: a warp whose lanes read every fourth byte of a line needs four accesses of 32 bytes for data of one byte, two
# of 64 for data of two, one of 128 for data of four; one of an atomic for each lane that names the same word.
accesses_are_segments() {
  for k in "u8 4" "u16 2" "u32 1" "red 32" "reds 1" "prefetch 1"; do
    # shellcheck disable=SC2086 # kind and accesses
    set -- $k
    case $1 in
    red) what="red.global.add.u32 [%rd1], 1;" ;;
    prefetch) what="prefetch.global.L2 [%rd3];" ;; # nobody waits for it but the end of the launch
    reds) what="red.global.add.u32 [%rd3], 1;" ;;
    *) what="ld.global.$1 %r2, [%rd3];" ;;
    esac
    cat >"$tmp/segments.ptx" <<END
.version 6.4
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  $what
  ret;
}
END
    cat >"$tmp/segments.yaml" <<END
ptx: segments.ptx
buffers: {p: {count: 32, type: u32, fill: zero}}
launches: [{kernel: k, grid: [1], block: [32], args: [p]}]
END
    for gpu in gtx480 fermi15 cart28; do
      "$sluice" run "$tmp/segments.yaml" --gpu $gpu --quiet --json "$tmp/m.json" || fail "$1: exit code $?"
      n=$(json ldst.accesses "$tmp/m.json")
      [ "$n" = "$2" ] || fail "$1 on $gpu: $n accesses, not $2"
    done
  done
}

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

tests arithmetic_takes_as_long operands_banks_and_result_buses_bound_issue instructions_are_fetched_in_time names_of_registers_choose_banks \
  accesses_are_segments barriers_let_warps_go \
  shared_memory_and_its_conflicts loads_take_as_long the_l2_gives_as_much
finish
