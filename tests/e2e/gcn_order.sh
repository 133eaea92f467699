#!/bin/sh
# How Multi2Sim's compute unit completes and chooses instructions, and how its L1 replaces lines (docs/gcn.md). Times are computed by
# hand.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cp "$(dirname "$0")/../timing/gcn_order.ptx" "$tmp/kernels.ptx"

# A unit in which only what is tested takes time, as in gcn.sh.
unit="front.warp_width=64 gpu.sms=1 sm.model=gcn sm.schedulers=4 sm.scheduler=oldest sm.threads=2560 sm.stages=0 sm.fetch_width=64
sm.fetch_latency=1 sm.fetch_warps=16 l1i.on=false sm.interval.int=4 sm.mem_queue=32 sm.vmb=32 noc.allocator=ideal noc.flit_bytes=4096"

# took LAUNCH SETTINGS...: cycles
took() {
  launch=$1
  shift
  # shellcheck disable=SC2086 # settings are words
  cycles "$launch" "{bytes: 65536}" $unit "$@"
}

# Eight hits of 40 cycles, each of which needs the one before it. While the last is under way three instructions and the miss of the next
# round issue, in turns 4 to 16; the next hit does when its data is there, in turn 40. In order it leaves a cycle after the miss, which takes
# 144 cycles: with turn 16 + 144, not 40 + 40. (An address of 0 is outside of all buffers and reads 0.)
data_comes_in_order() {
  for rounds in 10 50; do
    launch="{kernel: behind_a_miss, grid: [1], block: [64], args: [{buffer: d}, {u32: $rounds}]}"
    eval "loose$rounds=$(took "$launch" l1d.latency=38 front.memcheck=off)"
    eval "order$rounds=$(took "$launch" l1d.latency=38 front.memcheck=off sm.vmb_in_order=true)"
  done
  # shellcheck disable=SC2154 # by eval
  is "in order" $(((order50 - order10 - loose50 + loose10) / 40)) $((16 + 144 - 40 - 40))
}

# A wavefront that has ended holds the scalar unit until its store is done: with an L2 that takes 300 cycles more, so does the scalar
# loop beside it; else that does not notice.
a_wavefronts_end_holds_the_scalar_unit() {
  for order in false true; do
    for latency in 100 400; do
      eval "at$latency=$(took "{kernel: store_or_add, grid: [2], block: [64], args: [{buffer: d}, {u32: 400}]}" \
        sm.vmb_stores=true sm.scalar_fetch=6 sm.scalar_in_order=$order l2.latency=$latency)"
    done
    # shellcheck disable=SC2154 # by eval
    case $order in
      true) is "in order" $((at400 - at100)) 300 ;;
      false) is "any order" $((at400 - at100)) 0 ;;
    esac
  done
}

# Two wavefronts on a SIMD, which takes an addition in each turn. The older one first: its 32 are through when the other begins, which loads after 48.
# In turns the other has its 16 behind it after 32, and loads 16 turns earlier.
the_first_that_is_ready_issues() {
  launch="{kernel: long_and_short, grid: [1], block: [128], args: [{buffer: d}]}"
  old=$(took "$launch" sm.cta_on_simd=true l2.latency=500)
  first=$(took "$launch" sm.cta_on_simd=true l2.latency=500 sm.scheduler=first-ready)
  turns=$(((old - first) / 4)) # what is before the additions differs by less than two
  { [ $turns -ge 16 ] && [ $turns -lt 18 ]; } || fail "$turns turns earlier"
}

# Two ways: lines 0 and 1 are fetched, line 2 waits for the way of line 0, which was used least recently; the second store to line 0
# waits for the first. Line 2 comes first, and line 0 takes its place again in the way that it was in: four misses, and line 1 is still there.
accesses_keep_their_way() {
  printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 4096}\nlaunches:\n  - {kernel: three_lines, grid: [1], block: [4], args: [{buffer: d}]}\n' >"$tmp/lines.yaml"
  for how in "" --no-skip "--threads 3 --delays 1"; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run "$tmp/lines.yaml" --gpu hd7770m2s --set gpu.sms=1 --set l1d.sets=1 --set l1d.ways=2 --set front.lanes=active --set check.requests=true $how --json "$tmp/t.json"
    exits 0
    is "misses" "$(stat l1d.misses)" 4
    is "hits" "$(stat l1d.hits)" 1
    is "replaced" "$(stat l1d.evictions)" 2
  done
}

# Five parameters are two lines of 64 bytes, of each launch anew and in each of ten caches; a wavefront asks for each of the five.
each_launch_has_its_parameters() {
  one="{kernel: five, grid: [10], block: [64], args: [{u32: 1}, {u32: 2}, {u32: 3}, {u32: 4}, {buffer: d}]}"
  printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 4096}\nlaunches:\n  - %s\n  - %s\n  - %s\n' "$one" "$one" "$one" >"$tmp/five.yaml"
  run "$sluice" run "$tmp/five.yaml" --gpu hd7770m2s --json "$tmp/t.json"
  exits 0
  is "loads" "$(stat l1c.accesses)" $((3 * 10 * 5))
  is "missing lines" "$(stat l1c.misses)" $((3 * 10 * 2))
  # ld.param x 5, one wait for all of them, add x 3, st, ret
  is "instructions" "$(stat sm.issued)" $((3 * 10 * (5 + 1 + 3 + 1 + 1)))
  run "$sluice" run "$tmp/five.yaml" --gpu hd7770m2s --set sm.gcn_code=false --json "$tmp/t.json"
  is "instructions of PTX" "$(stat sm.issued)" $((3 * 10 * 10))
}

# A wavefront whose barrier is held up in the scalar unit, and whose loads are answered meanwhile, arrives once.
barriers_are_reached_once() {
  for how in "" --no-skip; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run dwthaar1d --size medium --gpu hd7770m2s --set check.requests=true $how --json "$tmp/dwt$how.json"
    exits 0
    grep -v '"sim\.' "$tmp/dwt$how.json" >"$tmp/dwt$how"
  done
  cmp -s "$tmp/dwt" "$tmp/dwt--no-skip" || fail "differs with --no-skip"
}

wrong_orders_are_refused() {
  for set in "sm.vmb_in_order=true sm.vmb=0" "sm.scalar_in_order=true sm.scalar_fetch=0" "sm.scalar_in_order=true sm.scalar_fetch=13 l1i.on=true" \
    "sm.gcn_code=true l1i.on=true" "l1c.params=true l1c.on=false"; do
    # shellcheck disable=SC2046,SC2086 # settings are words
    run "$sluice" run "$tmp/five.yaml" $(for s in $unit $set; do echo "--set $s"; done)
    exits 2
    err_has "${set%%=*}"
  done
  for set in sm.gcn_code=true sm.scalar_in_order=true sm.scheduler=first-ready; do
    run "$sluice" run "$tmp/five.yaml" --gpu gtx480 --set $set
    exits 2 && err_has "${set%=*}"
  done
}

tests data_comes_in_order a_wavefronts_end_holds_the_scalar_unit the_first_that_is_ready_issues accesses_keep_their_way each_launch_has_its_parameters \
  barriers_are_reached_once wrong_orders_are_refused
finish
