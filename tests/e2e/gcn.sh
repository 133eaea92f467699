#!/bin/sh
# A GCN compute unit: SIMDs that issue in turn, one instruction for each unit, the buffer of memory instructions under way. Times
# are computed by hand.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cp "$(dirname "$0")/../timing/gcn.ptx" "$tmp/kernels.ptx"

# A unit in which only what is tested takes time: a wavefront's 64 lanes take 4 cycles on the 16 of a SIMD.
unit="front.warp_width=64 gpu.sms=1 sm.model=gcn sm.schedulers=4 sm.scheduler=oldest sm.threads=2560 sm.stages=0 sm.fetch_width=64
sm.fetch_latency=1 sm.fetch_warps=16 l1i.on=false sm.interval.int=4 sm.mem_queue=32"

# round KERNEL BLOCK ARGUMENTS SETTINGS...: cycles of one round of a loop, from the difference of two runs
round() {
  kernel=$1 block=$2 args=$3
  shift 3
  # shellcheck disable=SC2086 # settings are words
  a=$(cycles "{kernel: $kernel, grid: [1], block: [$block], args: [$args{u32: 10}]}" "{bytes: 65536}" $unit "$@")
  # shellcheck disable=SC2086 # settings are words
  b=$(cycles "{kernel: $kernel, grid: [1], block: [$block], args: [$args{u32: 50}]}" "{bytes: 65536}" $unit "$@")
  echo $(((b - a) / 40))
}

near() { [ "$2" -ge "$3" ] && [ "$2" -le $(($3 + 8)) ] || fail "$1: $2 cycles instead of $3"; }

# A turn every 4 cycles: 32 additions, sub, setp and bra, each of which takes 4 cycles.
a_wavefront_issues_in_its_simds_turn() {
  is "vector" "$(round vectors 64 "")" $((4 * 35))
  is "scalar" "$(round scalars 64 "")" $((4 * 35))
  is "vector, each needs the one before" "$(round vector_chain 64 "")" $((4 * 35))
  is "scalar, each needs the one before" "$(round scalar_chain 64 "")" $((4 * 35))
  # a result that is a cycle late misses the turn
  is "vector results after 5 cycles" "$(round vector_chain 64 "" sm.latency.int=5)" $((8 * 31 + 4 * 4))
  is "scalar results after 5 cycles" "$(round scalar_chain 64 "" sm.scalar_latency=5)" $((8 * 31 + 4 + 8 + 8 + 4))
  # where a branch goes is known after sm.latency.ctrl
  is "a slow branch" "$(round vectors 64 "" sm.latency.ctrl=9)" $((4 * 34 + 12))
  is "two SIMDs have a turn every other cycle" "$(round scalar_chain 64 "" sm.schedulers=2 sm.scalar_latency=2 sm.latency.ctrl=2)" $((2 * 35))
}

# An instruction keeps the 16 lanes of its SIMD busy for 4 cycles; others have their own.
a_simd_is_busy_for_its_lanes() {
  is "half rate" "$(round vectors 64 "" sm.interval.int=8)" $((8 * 31 + 4 * 4))
  is "4 wavefronts on 4 SIMDs" "$(round vectors 256 "")" $((4 * 35))
  near "4 wavefronts on one SIMD" "$(round vectors 256 "" sm.cta_on_simd=true sm.scheduler=lrr)" $((4 * 4 * 32))
  near "10 wavefronts on one SIMD" "$(round vectors 640 "" sm.cta_on_simd=true sm.scheduler=lrr)" $((4 * 10 * 32))
  # 11 do not fit one: they are dealt out, at most three on each
  near "11 wavefronts" "$(round vectors 704 "" sm.cta_on_simd=true sm.scheduler=lrr)" $((4 * 3 * 32))
}

# Scalar and vector instructions of different wavefronts issue in the same cycle: a second wavefront costs as much as the scalar unit lacks.
units_take_one_instruction_each() {
  is "one" "$(round mixed 64 "" sm.cta_on_simd=true)" $((4 * 35))
  near "two" "$(round mixed 128 "" sm.cta_on_simd=true sm.scheduler=lrr)" $((4 * 18 * 2))
  [ "$(json sm.more_issued "$tmp/t.json")" -ge $((50 * 16 * 2 - 64)) ] || fail "only $(json sm.more_issued "$tmp/t.json") beside others"
  # only one of each kind: 18 scalar instructions of three wavefronts, and 16 x 3 additions, in turns of 4 cycles
  near "three" "$(round mixed 192 "" sm.cta_on_simd=true sm.scheduler=lrr)" $((4 * 18 * 3))
  is "scalar only" "$(round scalars 128 "" sm.cta_on_simd=true sm.scheduler=lrr)" $((4 * 34 * 2))
}

# Operations: one for each lane, or one for an instruction of the scalar or branch unit.
operations_are_counted_once_for_all_lanes() {
  round vectors 64 "" >/dev/null
  # ld.param, mov; 50 rounds of 32 and 3; 32 xor, ret
  [ "$(json sm.operations "$tmp/t.json")" -eq $((1 + 64 + 50 * (32 * 64 + 3) + 32 * 64 + 1)) ] || fail "vectors: $(json sm.operations "$tmp/t.json")"
  round scalars 64 "" >/dev/null
  [ "$(json sm.operations "$tmp/t.json")" -eq $((2 + 64 + 50 * 35 + 32 * 64 + 1)) ] || fail "scalars: $(json sm.operations "$tmp/t.json")"
}

# A load that hits: its 64 words are two lines, in the L1 one and two cycles after it issued, data l1d.latency after that; it is gone
# from the buffer then, and another issues in the next turn.
loads="{buffer: d}, "
memory_instructions_leave_when_done() {
  for n in 1 2 4; do
    is "$n entries" "$(round hits 64 "$loads" sm.vmb=$n l1d.latency=38)" $((40 * 8 / n))
    is "$n entries, a cycle later" "$(round hits 64 "$loads" sm.vmb=$n l1d.latency=39)" $((44 * 8 / n))
  done
  # with enough of them, one load per turn; its 64 words are two lines of a cycle each
  is "no limit" "$(round hits 64 "$loads" sm.vmb=0)" $((4 * (8 + 3)))
  is "32 entries" "$(round hits 64 "$loads" sm.vmb=32 l1d.latency=10)" $((4 * (8 + 3)))
}

# In order: what is done waits for what is not. A load past the L1 takes 144 cycles to its turn, one that hits 40. With two entries
# one of the seven hits waits behind it, and the six others leave two by two.
memory_instructions_leave_in_order() {
  quick="l1d.latency=38 noc.allocator=ideal noc.flit_bytes=4096"
  # shellcheck disable=SC2086 # settings are words
  {
    is "one" "$(round miss_and_hits 64 "$loads" sm.vmb=1 $quick)" $((144 + 7 * 40))
    is "two" "$(round miss_and_hits 64 "$loads" sm.vmb=2 $quick)" $((144 + 3 * 40))
    is "four" "$(round miss_and_hits 64 "$loads" sm.vmb=4 $quick)" $((144 + 40))
  }
  [ "$(json ldst.vmb_full_cycles "$tmp/t.json")" -gt $((50 * 144)) ] || fail "full for $(json ldst.vmb_full_cycles "$tmp/t.json") cycles"
}

# A store is two lines of four sectors, each of which the L2 writes in a cycle: 8 cycles apart when nothing waits for them.
stores_keep_their_entry_or_not() {
  for n in 1 2 4; do
    # shellcheck disable=SC2086 # settings are words
    {
      is "$n entries" "$(round stores 64 "$loads" sm.vmb=$n $quick)" $((144 * 8 / n))
      is "$n entries, sent and forgotten" "$(round stores 64 "$loads" sm.vmb=$n sm.vmb_stores=false $quick)" $((2 * 4 * 8))
    }
  done
}

# 64 words side by side need the 32 banks twice, which is less than a turn; all in one bank 64 times.
local_memory_is_a_unit_of_its_own() {
  is "no conflict" "$(round lds 64 "{u32: 4}, ")" $((4 * (8 + 3)))
  is "one bank" "$(round lds 64 "{u32: 128}, ")" $((64 * 8))
}

# A cycle to the scalar cache, l1c.latency in it, a cycle until the result can be used; then cvt and add.
scalar_loads_take_their_way() {
  is "a hit" "$(round scalar_loads 64 "$loads" l1c.latency=2)" $((8 * (4 + 4 + 4) + 12))
  is "a slower one" "$(round scalar_loads 64 "$loads" l1c.latency=3)" $((8 * (8 + 4 + 4) + 12))
  is "no cache" "$(round scalar_loads 64 "$loads" l1c.on=false l1c.latency=4)" $((8 * (4 + 4 + 4) + 12))
}

# One CTA on each of 10 compute units, all of which read one line: as many misses as caches. 3 caches have 4, 3 and 3 units.
scalar_caches_are_shared() {
  for caches in 1 3 10 0; do
    # shellcheck disable=SC2086 # settings are words
    cycles "{kernel: scalar_loads, grid: [10], block: [64], args: [{buffer: d}, {u32: 5}]}" "{bytes: 65536}" $unit gpu.sms=10 l1c.caches=$caches >/dev/null
    want=$caches
    [ "$caches" -gt 0 ] || want=10
    [ "$(json l1c.misses "$tmp/t.json")" -eq "$want" ] || fail "$caches caches: $(json l1c.misses "$tmp/t.json") misses"
    [ "$(json l1c.accesses "$tmp/t.json")" -eq $((10 * 5 * 8)) ] || fail "$caches caches: $(json l1c.accesses "$tmp/t.json") loads"
  done
}

# The same numbers however time is advanced, whatever is shared; each request answered once, in order (check.requests).
numbers_do_not_depend_on_how_time_is_advanced() {
  for g in hd7770 hd7770m2s hd7870 rx540 rx570 vega64; do
    for k in examples/gpgpusim/matmul_128 tests/kernels/histogram; do
      run "$sluice" run $k.yaml --gpu $g --set check.requests=true --json "$tmp/a.json"
      exits 0
      grep -v '"sim\.' "$tmp/a.json" >"$tmp/a"
      for how in --no-skip "--shuffle 5" "--threads 3 --delays 1"; do
        # shellcheck disable=SC2086 # options are words
        run "$sluice" run $k.yaml --gpu $g --set check.requests=true $how --json "$tmp/b.json"
        exits 0
        grep -v '"sim\.' "$tmp/b.json" >"$tmp/b"
        cmp -s "$tmp/a" "$tmp/b" || fail "$g, $k: differs with $how"
      done
    done
    turns=$((-$(json sm.more_issued "$tmp/a.json")))
    for n in sm.issued sched.scoreboard sched.pipe sched.idle; do
      turns=$((turns + $(json $n "$tmp/a.json")))
    done
    [ "$turns" -eq "$(json sm.active_cycles "$tmp/a.json")" ] || fail "$g: $turns turns in $(json sm.active_cycles "$tmp/a.json") cycles"
  done
}

# An instruction that fills the buffer of those under way, of which the first is just about to leave it, while the L1 refuses
# what is before it: the unit acts in that cycle. (Which bfs_16K does on this GPU.)
a_full_buffer_lets_go_in_time() {
  for how in "" --no-skip; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run examples/gpgpusim/bfs_16K.yaml --gpu hd7770m2s --max-cycles 30000 $how --json "$tmp/full$how.json"
    grep -v '"sim\.' "$tmp/full$how.json" >"$tmp/full$how"
  done
  [ "$(json cycles "$tmp/full.json")" -gt 20000 ] || fail "it did not run"
  cmp -s "$tmp/full" "$tmp/full--no-skip" || fail "differs with --no-skip"
}

# Where it is cut off, memory has the same cycles behind it, whether it slept or not.
a_launch_that_is_cut_off_counts_alike() {
  for how in "" --no-skip; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run spmv --size small --gpu hd7770m2s --max-cycles 40000 $how --json "$tmp/cut$how.json"
    exits 4
    grep -v '"sim\.' "$tmp/cut$how.json" >"$tmp/cut$how"
  done
  cmp -s "$tmp/cut" "$tmp/cut--no-skip" || fail "differs with --no-skip"
}

# Local memory lane by lane, one work-group of 256 that halves 256 vectors of four words: vector elements are instructions of 64 lanes; 64 lanes
# 16 bytes apart are in 16 blocks of 64 bytes; a joined load takes a cycle, a joined store two. Stores of a group: 4 wavefronts x 4 x 16, then
# 2 x 4 x 16 and 4 x 16, then 4 x (8 + 4 + 2 + 1 + 1 + 1) of the lanes that are left. With inactive lanes, which repeat their last store in each of
# the 12 instructions of a round, Multi2Sim 4.2 has 98,816 in 64 groups.
local_memory_by_lanes() {
  loads=$((8 * (2 * 16 + 16 + 8 + 4 + 2 + 1 + 1 + 1) + 4)) stores=$((256 + 128 + 64 + 4 * (8 + 4 + 2 + 1 + 1 + 1)))
  run "$sluice" run reduction -p n=2048 --gpu hd7770m2s --set front.lanes=active --json "$tmp/lds.json"
  exits 0
  is "active lanes" "$(json sm.shared_cycles "$tmp/lds.json")" $((loads + 2 * stores))
  run "$sluice" run reduction -p n=2048 --gpu hd7770m2s --json "$tmp/lds.json"
  is "all lanes" "$(json sm.shared_cycles "$tmp/lds.json")" $((loads + 2 * 98816 / 64))
  run "$sluice" run reduction -p n=2048 --gpu gtx480 --set front.shared=lanes
  exits 2 && err_has "front.shared"
}

# With moesi a store that waits for all older accesses of its L1 waits at least for a request and an answer (4 cycles each), the L2 (11)
# and memory (100) of each store that asks for a line that nobody has: one at a time. Otherwise they overlap.
coherent_stores_wait_for_all() {
  for how in line all; do
    run "$sluice" run matrixtranspose -p size=64 --gpu hd7770m2s --set gpu.sms=1 --set l1d.coherence=moesi --set l1d.coherent_store=$how --json "$tmp/$how.json"
    exits 0
    least=$(($(json coherence.store_asks "$tmp/$how.json") * 119)) took=$(json cycles "$tmp/$how.json")
    case $how in
      line) [ "$took" -lt $least ] || fail "$took cycles: stores do not overlap" ;;
      all) [ "$took" -ge $least ] || fail "$took cycles, less than $least" ;;
    esac
  done
}

# Switches of Multi2Sim's L1 with each other, however time is advanced.
switches_of_the_l1_are_deterministic() {
  for set in l1d.refused=stall l1d.pending_store=join sm.merge=lanes gpu.keep_data=false "l1d.coherence=moesi --set l1d.coherent_store=all" \
    "l1d.coherence=moesi --set l1d.coherent_store=all --set l1d.refused=stall" "l1d.coherence=none --set l1d.evict_first=false --set l2.inclusive=false"; do
    for how in "" --no-skip "--shuffle 5" "--threads 3 --delays 1"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run fastwalsh-stages -p log2_n=12 --gpu hd7770m2s --set $set --set check.requests=true $how --json "$tmp/b.json"
      exits 0
      grep -v '"sim\.' "$tmp/b.json" >"$tmp/b"
      [ "$how" ] || cp "$tmp/b" "$tmp/a"
      cmp -s "$tmp/a" "$tmp/b" || fail "$set: differs with $how"
    done
  done
}

# A stream has accesses of one kind only.
recorded_lanes_are_not_mixed() {
  run "$sluice" run reduction -p n=2048 --gpu hd7770m2s --record "$tmp/lds.sst" --json "$tmp/lds.json"
  exits 0
  run "$sluice" run "$tmp/lds.sst" --gpu hd7770m2s --json "$tmp/again.json"
  exits 0 && is "replayed" "$(json cycles "$tmp/again.json")" "$(json cycles "$tmp/lds.json")"
  run "$sluice" run "$tmp/lds.sst" --gpu hd7770
  exits 2 && err_has "front.shared = lanes"
}

wrong_units_are_refused() {
  for set in "sm.merge_lanes=4" "sm.schedulers=5" "sm.issue_width=2" "sm.scheduler=gto" "sm.scheduler=two-level" "l1c.caches=2"; do
    # shellcheck disable=SC2046,SC2086 # settings are words
    run "$sluice" run examples/gpgpusim/matmul_128.yaml $(for s in $unit $set; do echo "--set $s"; done)
    exits 2
    err_has "${set%=*}"
  done
}

tests a_wavefront_issues_in_its_simds_turn a_simd_is_busy_for_its_lanes units_take_one_instruction_each operations_are_counted_once_for_all_lanes \
  memory_instructions_leave_when_done memory_instructions_leave_in_order stores_keep_their_entry_or_not local_memory_is_a_unit_of_its_own \
  scalar_loads_take_their_way scalar_caches_are_shared numbers_do_not_depend_on_how_time_is_advanced \
  a_full_buffer_lets_go_in_time a_launch_that_is_cut_off_counts_alike local_memory_by_lanes recorded_lanes_are_not_mixed \
  coherent_stores_wait_for_all switches_of_the_l1_are_deterministic wrong_units_are_refused
finish
