#!/bin/sh
# Which instructions issue when: schedulers and their width, computed by hand where it can be.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
timing_kernels

# round KERNEL BLOCK SETTINGS...: cycles of one round of a loop, from the difference of two runs
round() {
  kernel=$1 block=$2
  shift 2
  a=$(cycles "{kernel: $kernel, grid: [1], block: [$block], args: [{u32: 10}]}" "{bytes: 4}" "$@")
  b=$(cycles "{kernel: $kernel, grid: [1], block: [$block], args: [{u32: 50}]}" "{bytes: 4}" "$@")
  echo $(((b - a) / 40))
}

# 32 additions, then sub, setp and bra: each needs the one before, which takes 4 cycles and sm.stages; the jump refills the buffer.
several_instructions_of_a_warp_issue_together() {
  for width in 1 2 4 8; do
    is "$width per cycle" "$(round independent 32 sm.issue_width=$width sm.sp_units=8 sm.fetch_width=64 sm.fetch_latency=1)" $((32 / width + 9 + 9 + 1))
  done
  # no more than there are units, nor than were fetched
  is "two units" "$(round independent 32 sm.issue_width=8 sm.sp_units=2 sm.fetch_width=64 sm.fetch_latency=1)" $((32 / 2 + 9 + 9 + 1))
  # of a buffer of four, filled anew in the cycle in which it runs empty and usable in the next
  is "four fetched" "$(round independent 32 sm.issue_width=8 sm.sp_units=8 sm.fetch_width=4 sm.fetch_latency=1)" $((32 / 4 + 9 + 9 + 1))
}

schedulers_issue_side_by_side() { # 16 warps on 1, 2, 4 and 16 schedulers: each issues 35 instructions of each of its warps in a round
  for n in 1 2 4 16; do
    got=$(round independent 512 sm.schedulers=$n sm.sp_units=16 sm.fetch_width=64 sm.fetch_latency=1 sm.scheduler=lrr)
    want=$((35 * 16 / n))
    [ $want -ge $((32 + 9 + 9 + 1)) ] || want=$((32 + 9 + 9 + 1)) # a warp alone takes that long
    [ "$got" -ge $want ] && [ $((got * 100)) -le $((want * 105)) ] || fail "$n schedulers: $got cycles instead of $want"
  done
}

# One instruction per line. A fetch that misses is sent in the next cycle and comes back as any load that hits the L2: into the
# network, 5 cycles there, 120 before the L2, 1 in it, back into the network, 5 cycles there; it can issue sm.fetch_latency later.
small="l1i.instruction_bytes=32 l1i.line_bytes=32 sm.fetch_latency=1"
miss=$((2 + 5 + 120 + 1 + 1 + 5 + 1))
instructions_come_through_their_cache() {
  # shellcheck disable=SC2086 # settings are words
  {
    is "a loop that fits" "$(round independent 32 $small l1i.sets=64 l1i.ways=1)" $((32 + 9 + 9 + 1))
    is "no cache" "$(round independent 32 $small l1i.on=false)" $((32 + 9 + 9 + 1))
    is "LRU, as many ways as instructions" "$(round independent 32 $small l1i.sets=1 l1i.ways=35)" $((32 + 9 + 9 + 1))
    is "LRU, one way too few" "$(round independent 32 $small l1i.sets=1 l1i.ways=34)" $((35 * miss))
    is "a slower L2" "$(round independent 32 $small l1i.sets=1 l1i.ways=34 l2.rop_latency=220)" $((35 * (miss + 100)))
    is "allocation on miss" "$(round independent 32 $small l1i.sets=1 l1i.ways=34 l1i.allocate=on-miss)" $((35 * miss))
  }
}

instruction_misses_are_counted() { # the kernel: ld.param, 35 of the loop, ret
  for warps in 1 8; do
    # shellcheck disable=SC2086 # settings are words
    cycles "{kernel: independent, grid: [1], block: [$((32 * warps))], args: [{u32: 3}]}" "{bytes: 4}" $small l1i.sets=64 l1i.ways=1 >/dev/null
    [ "$(json l1i.misses "$tmp/t.json")" -eq 37 ] || fail "$warps warps: $(json l1i.misses "$tmp/t.json") misses"
    [ "$(json l1i.accesses "$tmp/t.json")" -eq $((warps * (2 + 3 * 35))) ] || fail "$warps warps: $(json l1i.accesses "$tmp/t.json") fetches"
    [ "$(json l2.accesses "$tmp/t.json")" -eq 37 ] || fail "$warps warps: $(json l2.accesses "$tmp/t.json") sectors asked for"
  done
  # a line of 128 bytes is four sectors
  cycles "{kernel: independent, grid: [1], block: [32], args: [{u32: 3}]}" "{bytes: 4}" >/dev/null
  [ "$(json l2.accesses "$tmp/t.json")" -eq $((4 * $(json l1i.misses "$tmp/t.json"))) ] || fail "sectors of a line"
}

tiny_instruction_caches_only_cost_time() {
  for set in "l1i.sets=1 l1i.ways=1 l1i.mshrs=1 l1i.merges=1 l1i.miss_queue=1" "l1i.sets=2 l1i.ways=1 l1i.line_bytes=32" \
    "l1i.line_bytes=64 l1i.mshrs=1 sm.scheduler=two-level"; do
    # shellcheck disable=SC2046 # settings are words
    set -- $(for s in $set; do echo "--set $s"; done)
    run "$sluice" run examples/gpgpusim/ttiled_512.yaml "$@" --json "$tmp/a.json"
    exits 0
    grep -v '"sim\.' "$tmp/a.json" >"$tmp/a"
    for how in --no-skip "--shuffle 5"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run examples/gpgpusim/ttiled_512.yaml "$@" $how --json "$tmp/b.json"
      exits 0
      grep -v '"sim\.' "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$set differs with $how"
    done
  done
}

# The same work whichever scheduler is used, the same numbers however time is advanced, and every scheduler cycle has a reason.
every_scheduler_accounts_for_its_cycles() {
  for s in gto lrr two-level "two-level sm.active_warps=1" "gto sm.issue_width=2" "two-level sm.issue_width=4 sm.schedulers=3"; do
    # shellcheck disable=SC2046 # settings are words
    set -- $(for word in $s; do echo "--set $word"; done | sed '1s/--set /--set sm.scheduler=/')
    run "$sluice" run examples/gpgpusim/matmul_128.yaml "$@" --json "$tmp/a.json"
    exits 0
    sum=$((-$(json sm.more_issued "$tmp/a.json")))
    for n in sm.issued sched.scoreboard sched.pipe sched.idle; do
      sum=$((sum + $(json $n "$tmp/a.json")))
    done
    schedulers=2
    case $s in *schedulers=3*) schedulers=3 ;; esac
    [ "$sum" -eq $((schedulers * $(json sm.active_cycles "$tmp/a.json"))) ] || fail "$s: $sum scheduler cycles"
    [ "$(json sm.issued "$tmp/a.json")" -eq 266240 ] || fail "$s: instructions"
    grep -v '"sim\.' "$tmp/a.json" >"$tmp/a"
    for how in --no-skip "--shuffle 5"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run examples/gpgpusim/matmul_128.yaml "$@" $how --json "$tmp/b.json"
      exits 0
      grep -v '"sim\.' "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$s differs with $how"
    done
  done
}

# An addition that needs the one before finds its pipeline free: a scheduler with such a warp waits for registers or instructions
# only, from the first cycle of a launch on, and one without a warp is idle.
a_warp_alone_waits_for_no_pipeline() {
  printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 4}\nlaunches:\n  - {kernel: additions, grid: [1], block: [32], args: [{u32: 5}]}\n' >"$tmp/one.yaml"
  for of in gtx480:2 v100:4 cart28:2 rata80:4 rx570:1; do
    gpu=${of%:*} schedulers=${of#*:}
    run "$sluice" run "$tmp/one.yaml" --gpu "$gpu" --json "$tmp/a.json"
    exits 0
    active=$(json sm.active_cycles "$tmp/a.json")
    [ "$(json sched.pipe "$tmp/a.json")" = 0 ] || fail "$gpu: sched.pipe is $(json sched.pipe "$tmp/a.json")"
    busy=$(($(json sm.issued "$tmp/a.json") + $(json sched.scoreboard "$tmp/a.json")))
    [ $((busy + $(json sched.idle "$tmp/a.json"))) -eq $((schedulers * active)) ] || fail "$gpu: $busy of $active cycles"
    [ "$gpu" = rx570 ] || [ "$busy" -eq "$active" ] || fail "$gpu: the warp's scheduler has $busy of $active cycles"
  done
}

# The subtraction and the comparison take 9 cycles each to their results; the branch is issued next, and what it goes to
# sm.latency.ctrl cycles later.
a_branch_takes_its_latency() {
  for n in 1 2 7 40; do
    is "latency $n" "$(round additions 32 sm.latency.ctrl=$n sm.fetch_width=64 sm.fetch_latency=1)" $((9 + 9 + n))
  done
}

# Warps of a loop that misses: with an active set of one, the others come in one by one as each waits; with as many as there
# are warps, two-level is a rotation.
an_active_set_of_all_is_a_rotation() {
  for k in matmul_128 bfs_16K; do
    run "$sluice" run "examples/gpgpusim/$k.yaml" --set sm.scheduler=two-level --set sm.active_warps=256 --json "$tmp/a.json"
    exits 0
    two=$(json cycles "$tmp/a.json")
    run "$sluice" run "examples/gpgpusim/$k.yaml" --set sm.scheduler=lrr --json "$tmp/a.json"
    lrr=$(json cycles "$tmp/a.json")
    # warps come back in the order in which they can go on, not in that of their age
    [ $((two * 100)) -ge $((lrr * 90)) ] && [ $((two * 100)) -le $((lrr * 110)) ] || fail "$k: $two cycles, $lrr with lrr"
  done
}

# products N WITH: cycles of 16 warps that each issue N products of matrices (WITH=both: each with an approximate function beside it;
# WITH=sfu: those alone), four warps in each quarter of an h200's SM
products() {
  {
    printf '.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n'
    printf '.reg .f32 %%d<32>, %%s<8>; .reg .b32 %%a<4>; .reg .b64 %%p; ld.param.u64 %%p, [p];\n'
    for i in 0 1 2 3 4 5 6 7; do
      printf 'mov.f32 %%d%d, 0f00000000; mov.f32 %%d%d, 0f00000000; mov.f32 %%d%d, 0f00000000; mov.f32 %%d%d, 0f00000000; mov.f32 %%s%d, 0f00000000;\n' \
        $((4 * i)) $((4 * i + 1)) $((4 * i + 2)) $((4 * i + 3)) $i
    done
    printf 'mov.u32 %%a0, 0; mov.u32 %%a1, 0; mov.u32 %%a2, 0; mov.u32 %%a3, 0;\n'
    i=0
    while [ $i -lt "$1" ]; do
      d=$((i % 8 * 4))
      r="{%d$d,%d$((d + 1)),%d$((d + 2)),%d$((d + 3))}"
      [ "$2" = sfu ] || echo "$3 $r, $4, $r;"
      [ "$2" = alone ] || echo "ex2.approx.f32 %s$((i % 8)), %s$((i % 8));"
      i=$((i + 1))
    done
    for i in 0 1 2 3 4 5 6 7; do
      echo "st.global.f32 [%p], %d$((4 * i)); st.global.f32 [%p], %s$i;"
    done
    printf 'ret;\n}\n'
  } >"$tmp/products.ptx"
  printf 'ptx: products.ptx\nbuffers: {p: {bytes: 4}}\nlaunches:\n  - {kernel: k, grid: [1], block: [512], args: [p]}\n' >"$tmp/products.yaml"
  "$sluice" run "$tmp/products.yaml" --gpu h200 --set l1i.on=false --quiet --json "$tmp/products.json" || fail "products $1 $2"
  json gpu.cycles "$tmp/products.json"
}
# An H200 takes 6.1 cycles for one of m16n8k16, 4.1 of m16n8k8; an approximate function takes 8 and does not keep it waiting.
matrices_have_units_of_their_own() {
  full='mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32' a='{%a0,%a1,%a2,%a3}, {%a0,%a1}'
  half='mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32' b='{%a0,%a1}, {%a0}'
  near "m16n8k16" $(($(products 256 alone "$full" "$a") - $(products 192 alone "$full" "$a"))) $((64 * 4 * 6))
  near "m16n8k8" $(($(products 256 alone "$half" "$b") - $(products 192 alone "$half" "$b"))) $((64 * 4 * 4))
  near "m16n8k16 with functions" $(($(products 128 both "$full" "$a") - $(products 64 both "$full" "$a"))) $((64 * 4 * 8))
}
# near NAME GOT WANT: within 1 %, since the first and last instructions overlap with others
near() { [ $(($2 * 100)) -ge $(($3 * 99)) ] && [ $(($2 * 100)) -le $(($3 * 101)) ] || fail "64 of $1 on four warps: $2 cycles instead of $3"; }

tests matrices_have_units_of_their_own several_instructions_of_a_warp_issue_together schedulers_issue_side_by_side every_scheduler_accounts_for_its_cycles \
  a_warp_alone_waits_for_no_pipeline a_branch_takes_its_latency an_active_set_of_all_is_a_rotation instructions_come_through_their_cache instruction_misses_are_counted \
  tiny_instruction_caches_only_cost_time
finish
