#!/bin/sh
# The timing model: the same numbers however they are computed, and the counts another simulator has.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# The result without what depends on the host.
result() { grep -v '"sim\.' "$1"; }

numbers_do_not_depend_on_how_time_is_advanced() {
  for k in matmul_128 ttiled_512 bfs_16K; do
    run "$sluice" run "examples/gpgpusim/$k.yaml" --json "$tmp/a.json"
    exits 0
    for how in --no-skip --general "--general --no-skip" "--shuffle 7" "--shuffle 12345" "--progress none"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run "examples/gpgpusim/$k.yaml" $how --json "$tmp/b.json"
      exits 0
      result "$tmp/a.json" >"$tmp/a"
      result "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$k differs with $how"
    done
  done
}

# The same, with the parts that are not there by default.
alternatives_do_not_depend_on_it_either() {
  one="noc.speedup=1 noc.sector_packets=false"
  for set in "noc.allocator=islip $one" "noc.allocator=ideal $one" "noc.allocator=islip noc.iterations=4 noc.sms_per_link=4 $one" \
    "noc.sms_per_link=2 gpu.noc_mhz=450" "sm.collectors=2 sm.collectors_sfu=1 sm.register_banks=4" \
    "l1d.latency=7 l1d.miss_queue=2 sm.mem_queue=1" "noc.latency=9 noc.in=3" "noc.latency=9 noc.out=2" "noc.latency=30 gpu.cta_interval=70"; do
    # shellcheck disable=SC2046 # settings are words
    set -- $(for s in $set; do echo "--set $s"; done)
    run "$sluice" run examples/gpgpusim/ttiled_512.yaml "$@" --json "$tmp/a.json"
    exits 0
    result "$tmp/a.json" >"$tmp/a"
    for how in --no-skip --general "--shuffle 7"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run examples/gpgpusim/ttiled_512.yaml "$@" $how --json "$tmp/b.json"
      exits 0
      result "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$set differs with $how"
    done
  done
}

# Partitions, the network of answers and SMs run ahead of each other as far as slots are known: with few there are always some that
# nobody knows of yet.
full_ports_change_nothing() {
  for set in "noc.in=2" "noc.in=1 noc.out=2" "noc.in=2 l2.out=1" "noc.out=1 noc.latency=2"; do
    # shellcheck disable=SC2046 # settings are words
    set -- $(for s in $set; do echo "--set $s"; done)
    for how in "" --general; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run examples/gpgpusim/bfs_16K.yaml --max-cycles 9000 "$@" $how --json "$tmp/full.json"
      exits 4
      result "$tmp/full.json" >"$tmp/full$how"
    done
    cmp -s "$tmp/full" "$tmp/full--general" || fail "$set differs with --general"
  done
}

# Two and three threads execute the kernel between them, eight leave it to one. The long kernels are cut off: the
# machine may have other things to do than let threads meet in every cycle.
numbers_do_not_depend_on_the_number_of_threads() {
  for k in vecadd_1M gather_16K tnaive_512 ttiled_512 matmul_128 bfs_16K; do
    case $k in
      matmul_128) numbers="2 3 8" most=0 ends=0 ;;
      ttiled_512) numbers="2 3" most=0 ends=0 ;;
      *) numbers=2 most=5000 ends=4 ;;
    esac
    run "$sluice" run "examples/gpgpusim/$k.yaml" --max-cycles $most --json "$tmp/a.json"
    exits $ends
    result "$tmp/a.json" >"$tmp/a"
    for n in $numbers; do
      run "$sluice" run "examples/gpgpusim/$k.yaml" --max-cycles $most --threads "$n" --delays 1 --json "$tmp/b.json"
      exits $ends
      result "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$k differs with $n threads"
    done
  done
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --no-skip --shuffle 5 --threads 3 --delays 1 --json "$tmp/b.json"
  exits 0
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --json "$tmp/a.json"
  result "$tmp/a.json" >"$tmp/a"
  result "$tmp/b.json" >"$tmp/b"
  cmp -s "$tmp/a" "$tmp/b" || fail "differs with three threads and no skipping"
  [ "$(json sim.threads "$tmp/b.json")" = 3 ] || fail "threads are not reported"
}

# Windows of 32 cycles: unit by unit on one lane and on several, cycle by cycle in any order and without skipping; buffers that
# are full most of the time.
long_windows_give_the_same_numbers() {
  for set in noc.in=72 noc.in=3; do
    run "$sluice" run examples/gpgpusim/ttiled_512.yaml --gpu v100 --set $set --threads 1 --json "$tmp/a.json"
    exits 0
    [ "$(json sim.window_cycles "$tmp/a.json")" = 32 ] || fail "windows of $(json sim.window_cycles "$tmp/a.json") cycles"
    result "$tmp/a.json" >"$tmp/a"
    for how in --no-skip "--threads 3 --delays 1 --shuffle 3" "--threads 5 --delays 2"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run examples/gpgpusim/ttiled_512.yaml --gpu v100 --set $set $how --json "$tmp/b.json"
      exits 0
      result "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$set differs with $how"
    done
  done
}

# Messages that take longer to a crossbar of iSLIP than it looks ahead (noc/voq.h), with buffers that fill.
far_messages_give_the_same_numbers() {
  for set in noc.in=72 noc.in=4; do
    run "$sluice" run examples/gpgpusim/ttiled_512.yaml --gpu h200 --set noc.inject_latency=130 --set $set --threads 1 --json "$tmp/a.json"
    exits 0
    result "$tmp/a.json" >"$tmp/a"
    for how in --no-skip "--threads 5 --delays 2"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run examples/gpgpusim/ttiled_512.yaml --gpu h200 --set noc.inject_latency=130 --set $set $how --json "$tmp/b.json"
      exits 0
      result "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$set differs with $how"
    done
  done
}

# Clocks that have no cycle in common, links that are shared, and CTAs of many turns, each of them waited for.
numbers_of_other_gpus_do_not_depend_on_threads() {
  for gpu in fermi15 cart28; do
    run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu $gpu --set front.turn=64 --json "$tmp/a.json"
    exits 0
    result "$tmp/a.json" >"$tmp/a"
    for how in "--threads 2 --delays 1" "--threads 5 --delays 1"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu $gpu --set front.turn=64 $how --json "$tmp/b.json"
      exits 0
      result "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$gpu differs with $how"
    done
  done
}

# By default as many run as help, and no more than the process may use: with one processor, one.
one_processor_has_one_thread() {
  command -v taskset >/dev/null || return 0
  for how in "" "--threads auto" "--threads 16"; do
    # shellcheck disable=SC2086 # options are words
    run taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$sluice" run examples/gpgpusim/matmul_128.yaml \
      --gpu v100 --max-cycles 2000 $how --json "$tmp/b.json"
    exits 4
    [ "$(json sim.threads "$tmp/b.json")" = 1 ] || fail "$(json sim.threads "$tmp/b.json") threads on one processor"
    [ "$(json sim.threads_average "$tmp/b.json")" = 1 ] || fail "the average is reported wrongly"
  done
}

threads_are_a_small_number() {
  for n in 0 65 two; do
    run "$sluice" run examples/gpgpusim/matmul_128.yaml --threads $n
    exits 2
    err_has "threads"
  done
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --threads 2 --functional
  exits 2
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --delays 1 # any number of how many?
  exits 2
  err_has "--threads N"
}

# Whoever executes ahead has executed more; what is counted is what the GPU got to.
a_launch_that_is_cut_off_is_the_same_at_any_number_of_threads() {
  run "$sluice" run examples/gpgpusim/vecadd_1M.yaml --max-cycles 3000 --json "$tmp/a.json"
  exits 4
  result "$tmp/a.json" >"$tmp/a"
  for n in 2 6; do
    run "$sluice" run examples/gpgpusim/vecadd_1M.yaml --max-cycles 3000 --threads $n --delays 1 --json "$tmp/b.json"
    exits 4
    result "$tmp/b.json" >"$tmp/b"
    cmp -s "$tmp/a" "$tmp/b" || fail "differs with $n threads"
  done
}

# The next launch is executed while one is simulated. What launches, fills between them and limits do is the same, and what a fault says; how
# far units had come when a fault ended the run is not.
launches_executed_before_their_time_change_nothing() {
  cat >"$tmp/add.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 a, .param .u32 n) {
  .reg .b32 %r<6>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, 256, %r2;
  mad.wide.u32 %d2, %r4, 4, %d1;
  ld.global.u32 %r5, [%d2];
  add.u32 %r5, %r5, %r1;
  st.global.u32 [%d2], %r5;
  ret;
}
END
  # launches GRID EXPECTED: three launches, a fill, one of so many CTAs
  launches() {
    printf 'ptx: add.ptx\nbuffers:\n  a: {count: 65536, type: u32, fill: zero}\nlaunches:\n'
    echo '  - {kernel: add, grid: [256], block: [256], args: [a, {u32: 1}], repeat: 3}'
    echo '  - fill: {buffer: a, value: 10}'
    echo "  - {kernel: add, grid: [$1], block: [256], args: [a, {u32: 2}]}"
    printf 'outputs:\n  - {buffer: a, equals: {value: %s}}\n' "$2"
  }
  launches 256 12 >"$tmp/right.yaml"
  launches 256 13 >"$tmp/wrong.yaml"
  launches 257 12 >"$tmp/fault.yaml"
  for how in "0 right" "1 wrong" "3 fault" "4 right --max-cycles 300"; do
    expected=${how%% *} file=${how#* }
    options=${file#"${file%% *}"} file=$tmp/${file%% *}.yaml
    for gpu in gtx480 h200; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run "$file" --gpu $gpu --threads 1 $options --json "$tmp/a.json"
      exits "$expected"
      result "$tmp/a.json" >"$tmp/a"
      cp "$tmp/err" "$tmp/said"
      for n in 6 8; do
        # shellcheck disable=SC2086 # options are words
        run "$sluice" run "$file" --gpu $gpu --threads $n --delays $n $options --json "$tmp/b.json"
        exits "$expected"
        result "$tmp/b.json" >"$tmp/b"
        [ "$expected" = 3 ] || cmp -s "$tmp/a" "$tmp/b" || fail "$how on $gpu differs with $n threads"
        cmp -s "$tmp/said" "$tmp/err" || fail "$how on $gpu says something else with $n threads"
      done
    done
  done
}

# Warp instructions and L1 accesses that GPGPU-Sim 4.2 counted on its GTX480 configuration; its L2 accesses
# lie within 1 %: merging at the L1 depends on when things happen.
counts_equal_another_simulator() {
  while read -r k instructions l1 l2; do
    run "$sluice" run "examples/gpgpusim/$k.yaml" --set memory.guard=0 --set memory.align=256 --set memory.big_align=256 \
      --json "$tmp/t.json"
    exits 0
    [ "$(json sm.issued "$tmp/t.json")" = "$instructions" ] || fail "$k: instructions"
    [ "$(json l1d.accesses "$tmp/t.json")" = "$l1" ] || fail "$k: L1 accesses"
    got=$(json l2.accesses "$tmp/t.json")
    # what of a line the L1 still has when another warp comes depends on which comes first: by 1.3 % in matmul_128
    [ $((got * 100)) -ge $((l2 * 98)) ] && [ $((got * 100)) -le $((l2 * 102)) ] || fail "$k: L2 accesses $got"
  done <<END
gather_16K 46592 135662 542650
tnaive_512 110592 270336 295182
matmul_128 266240 17408 47142
END
}

an_impossible_gpu_is_refused() {
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set l1d.sets=3
  exits 2
  err_has "l1d: 3 sets; must be a power of two"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set sm.shared_bytes=1024
  exits 2
  err_has "does not fit an SM"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set dram.device=gddr9
  exits 2
}

a_launch_can_be_cut_off_by_cycles() {
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --max-cycles 100
  exits 4
  err_has "limit of 100 cycles"
}

# SMs that sleep when the limit comes have been there until then.
a_launch_that_is_cut_off_is_the_same_without_skipping() {
  for g in gtx480 rx540; do
    run "$sluice" run examples/gpgpusim/gather_16K.yaml --gpu $g --max-cycles 3001 --json "$tmp/a.json"
    exits 4
    result "$tmp/a.json" >"$tmp/a"
    run "$sluice" run examples/gpgpusim/gather_16K.yaml --gpu $g --max-cycles 3001 --no-skip --json "$tmp/b.json"
    exits 4
    result "$tmp/b.json" >"$tmp/b"
    cmp -s "$tmp/a" "$tmp/b" || fail "$g: differs without skipping"
  done
}

# A limit of N cycles reports N, and what warps wait for when it comes is booked: all causes together are warps x cycles. A
# launch that ends with its last cycle is not cut off.
a_launch_that_is_cut_off_adds_up() {
  for g in gtx480 mars40 rx540 v100 "fermi15 --with ccws,mrpb"; do
    for n in 1 777 3001; do
      for how in "" --no-skip "--threads 3"; do
        # shellcheck disable=SC2086 # options and their values
        run "$sluice" run examples/gpgpusim/gather_16K.yaml --gpu $g --max-cycles $n $how --json "$tmp/a.json"
        exits 4
        sum=$(sed -n '/^  "stats"/,/^  }/s/^    "stall\.[a-z0-9_]*": \([0-9]*\),\{0,1\}$/\1/p' "$tmp/a.json" | awk '{s += $1} END {print s}')
        [ "$(json cycles "$tmp/a.json")" = $n ] || fail "$g $how: $(json cycles "$tmp/a.json") cycles instead of $n"
        [ "$sum" = "$(json sm.warp_cycles "$tmp/a.json")" ] || fail "$g $how, $n cycles: causes add up to $sum of $(json sm.warp_cycles "$tmp/a.json")"
        result "$tmp/a.json" >"$tmp/a$how"
        cmp -s "$tmp/a" "$tmp/a$how" || fail "$g, $n cycles: other numbers with $how"
      done
    done
  done
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --json "$tmp/a.json"
  n=$(json cycles "$tmp/a.json")
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --max-cycles "$n"
  exits 0
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --max-cycles $((n - 1))
  exits 4
}

# Two schedulers: in every cycle of an active SM each issues or has a reason not to.
every_scheduler_cycle_is_accounted_for() {
  for k in matmul_128 gather_16K bfs_16K; do
    run "$sluice" run "examples/gpgpusim/$k.yaml" --json "$tmp/t.json"
    exits 0
    sum=0
    for n in sm.issued sched.scoreboard sched.pipe sched.idle; do
      sum=$((sum + $(json $n "$tmp/t.json")))
    done
    [ "$sum" -eq $((2 * $(json sm.active_cycles "$tmp/t.json"))) ] || fail "$k: $sum"
  done
}

# 1,024 CTAs take one lock. What they do was decided before: in time they take it as fast as the L2 performs atomics, which no
# GPU could, and the run says so. Without others, or one CTA after the other, a lock is taken in time.
locks_that_change_hands_too_fast_are_counted() {
  timing_kernels
  printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 8, fill: zero}\nlaunches:\n  - {kernel: spin_lock, grid: [1024], block: [32], args: [d]}\n' >"$tmp/locks.yaml"
  printf 'outputs:\n  - {buffer: d, type: u32, equals: zero, set: {1: 1024}}\n' >>"$tmp/locks.yaml"
  sed 's/grid: .1024./grid: [1]/; /^outputs/,$d' "$tmp/locks.yaml" >"$tmp/one.yaml"
  for g in v100 gtx480 rx570; do
    run "$sluice" run "$tmp/locks.yaml" --gpu $g --json "$tmp/a.json" --record "$tmp/locks.stream"
    exits 0
    err_has "took a lock sooner than its last holder could have released it"
    [ "$(json l2.atomics "$tmp/a.json")" -eq 2048 ] || fail "$g: $(json l2.atomics "$tmp/a.json") atomics"
    [ "$(json spin.taken "$tmp/a.json")" -eq 1024 ] || fail "$g: $(json spin.taken "$tmp/a.json") locks"
    # 1,024 hand-overs of 100 cycles or more take longer than this
    [ "$(json cycles "$tmp/a.json")" -lt 50000 ] && [ "$(json spin.early "$tmp/a.json")" -gt 900 ] || fail "$g: $(json spin.early "$tmp/a.json") too early"
    result "$tmp/a.json" | grep spin >"$tmp/a"
    for how in "$tmp/locks.yaml --threads 3" "$tmp/locks.yaml --no-skip" "$tmp/locks.stream"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run $how --gpu $g --json "$tmp/b.json"
      exits 0
      result "$tmp/b.json" | grep spin | cmp -s "$tmp/a" - || fail "$g differs with $how"
    done
    run "$sluice" run "$tmp/one.yaml" --gpu $g --json "$tmp/a.json"
    exits 0
    err_empty
    [ "$(json spin.taken "$tmp/a.json")$(json spin.early "$tmp/a.json")" = 10 ] || fail "$g: one CTA"
  done
  run "$sluice" run "$tmp/locks.yaml" --set gpu.sms=1 --set sm.ctas=1 --json "$tmp/a.json"
  err_empty
  [ "$(json spin.taken "$tmp/a.json")" -eq 1024 ] && [ "$(json spin.early "$tmp/a.json")" -eq 0 ] || fail "one after the other"
}

# With sm.cas_retry who comes later has to see what the one before left: 256 CTAs that are there at once take a word one after the other, at least
# a round trip to the L2 and back (173 cycles on v100) and 30 cycles apart, and everybody tries at most as often as others were quicker.
a_cas_that_fails_is_tried_again() {
  timing_kernels
  printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 8, fill: zero}\nlaunches:\n  - {kernel: spin_lock, grid: [256], block: [32], args: [d]}\n' >"$tmp/locks.yaml"
  run "$sluice" run "$tmp/locks.yaml" --gpu v100 --set sm.cas_retry=30 --set check.requests=true --json "$tmp/a.json"
  exits 0
  err_empty
  [ "$(json spin.taken "$tmp/a.json")$(json spin.early "$tmp/a.json")" = 2560 ] || fail "$(json spin.taken "$tmp/a.json") taken"
  [ "$(json cycles "$tmp/a.json")" -ge $((255 * (173 + 30))) ] || fail "256 CTAs take a word in $(json cycles "$tmp/a.json") cycles"
  [ "$(json spin.again "$tmp/a.json")" -ge 255 ] && [ "$(json spin.again "$tmp/a.json")" -le $((255 * 256 / 2)) ] ||
    fail "$(json spin.again "$tmp/a.json") failed attempts of 256 CTAs"
  is "atomics" "$(json l2.atomics "$tmp/a.json")" $((512 + $(json spin.again "$tmp/a.json")))
  result "$tmp/a.json" >"$tmp/a"
  for how in "--threads 3 --delays 7" "--threads 16" --no-skip --general "--shuffle 5"; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run "$tmp/locks.yaml" --gpu v100 --set sm.cas_retry=30 --set check.requests=true --json "$tmp/b.json" $how
    exits 0
    result "$tmp/b.json" | cmp -s "$tmp/a" - || fail "differs with $how"
  done
  run "$sluice" run "$tmp/locks.yaml" --gpu hd7770m2s --set sm.cas_retry=30
  exits 2
  err_has "sm.cas_retry"
}

# With sm.lock_holds a lock is the holder's until its exchange comes to the L2: the warp that waits tries until then, and no longer.
a_lock_is_held_until_it_is_given_back() {
  micro=$(dirname "$0")/../../validation/h200/micro
  for held in false true; do
    run "$sluice" run "$micro/lock_plain_256.yaml" --gpu h200 --set sm.lock_holds=$held --set check.requests=true --json "$tmp/$held.json"
    exits 0
    err_empty
  done
  [ "$(json spin.taken "$tmp/true.json")" -eq 10560 ] || fail "$(json spin.taken "$tmp/true.json") taken"
  [ "$(json spin.again "$tmp/true.json")" -gt "$(($(json spin.again "$tmp/false.json") * 3 / 2))" ] || fail "$(json spin.again "$tmp/true.json") failed attempts"
  [ "$(json cycles "$tmp/true.json")" -lt 130000 ] || fail "$(json cycles "$tmp/true.json") cycles: a lock is not given back"
  result "$tmp/true.json" >"$tmp/a"
  for how in "--threads 3 --delays 7" --no-skip --general "--shuffle 5"; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run "$micro/lock_plain_256.yaml" --gpu h200 --set check.requests=true --json "$tmp/b.json" $how
    exits 0
    result "$tmp/b.json" | cmp -s "$tmp/a" - || fail "differs with $how"
  done
  run "$sluice" run "$micro/lock_plain_256.yaml" --gpu v100 --set sm.lock_holds=true
  exits 2
  err_has "sm.lock_holds"
}

# Machine code of sm_90 waits for the result of an exchange that nobody reads before a loop's next turn goes on: a round trip more for each of 16 turns.
an_exchange_without_a_reader_is_waited_for() {
  for order in assembler assembler9; do
    run "$sluice" run "$(dirname "$0")/../../validation/h200/micro/lock_plain_alone.yaml" --gpu h200 --set front.schedule=$order --json "$tmp/$order.json"
    exits 0
    err_empty
  done
  [ "$(json cycles "$tmp/assembler9.json")" -gt $(($(json cycles "$tmp/assembler.json") + 16 * 400)) ] ||
    fail "$(json cycles "$tmp/assembler9.json") cycles, $(json cycles "$tmp/assembler.json") as other GPUs have it"
}

# swap_words CTAS THREADS WORDS [PARAMETERS]: tries.bin and words.bin, as 270,336 threads that are resident at once leave them
swap_words() {
  cp "$(dirname "$0")/../kernels/swap_words.ptx" "$tmp"
  {
    printf 'ptx: swap_words.ptx\nbuffers:\n  words: {count: %s, type: u32, fill: zero}\n  tries: {count: 1, type: u32, fill: zero}\n' "$3"
    printf 'launches:\n  - {kernel: swap_words, grid: [%s], block: [%s], args: [words, {u32: %s}, tries]}\n' "$1" "$2" $(($3 - 1))
    printf 'outputs:\n  - {buffer: tries, file: tries.bin}\n  - {buffer: words, file: words.bin}\n'
  } >"$tmp/swap.yaml"
  # shellcheck disable=SC2086 # options are words
  run "$sluice" run "$tmp/swap.yaml" --functional ${4---set front.contend=270336}
  exits 0
}

# A warp is held as a whole: of CTAs of one thread 1,024 threads are 32 CTAs, as many as a window of 32.
a_cta_of_one_thread_takes_the_place_of_a_warp() {
  swap_words 512 1 1 "--set front.window=32 --set front.contend=1"
  want=$(od -An -tu4 "$tmp/tries.bin")
  swap_words 512 1 1 "--set front.window=1 --set front.contend=1024"
  is "attempts of 32 CTAs" "$(od -An -tu4 "$tmp/tries.bin")" "$want"
  swap_words 512 1 1 "--set front.window=64 --set front.contend=1"
  [ "$(od -An -tu4 "$tmp/tries.bin")" != "$want" ] || fail "64 CTAs try as often as 32"
}

# Threads that change words by CAS try as often as on an H200 (validation/h200/recorded/micro8.csv, in thousandths; within 5 %), and lose no
# change; in whatever order time is advanced. A CAS that takes a lock expects a value that nobody reads: each thread tries once.
threads_that_contend_try_as_often_as_on_a_card() {
  swap_words 1 32 1 # one lane wins each time
  is "attempts of 32 lanes" "$(od -An -tu4 "$tmp/tries.bin" | tr -d ' ')" $((32 * 33 / 2))
  for case in "132 4096 4700" "132 16384 2016" "132 65536 1259" "1056 65536 2884"; do
    # shellcheck disable=SC2086 # numbers
    set -- $case
    swap_words "$1" 256 "$2"
    tries=$(($(od -An -tu4 "$tmp/tries.bin") * 1000 / ($1 * 256)))
    [ $((tries * 100)) -gt $(($3 * 95)) ] && [ $((tries * 100)) -lt $(($3 * 105)) ] || fail "$case: $tries"
    is "changes" "$(od -An -v -w4 -tu4 "$tmp/words.bin" | awk '{ n += $1 } END { print n }')" $(($1 * 256))
  done
  run "$sluice" run "$(dirname "$0")/../kernels/swap_words.yaml" --gpu h200 --json "$tmp/a.json"
  exits 0
  result "$tmp/a.json" >"$tmp/a"
  for how in "--threads 3 --delays 7" "--threads 16" --no-skip --general "--shuffle 5"; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run "$(dirname "$0")/../kernels/swap_words.yaml" --gpu h200 --json "$tmp/b.json" $how
    exits 0
    result "$tmp/b.json" | cmp -s "$tmp/a" - || fail "differs with $how"
  done
  timing_kernels
  printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 8, fill: zero}\nlaunches:\n  - {kernel: spin_lock, grid: [256], block: [32], args: [d]}\n' >"$tmp/locks.yaml"
  for n in 0 8192; do
    run "$sluice" run "$tmp/locks.yaml" --functional --set front.contend=$n --json "$tmp/$n.json"
    exits 0
  done
  is "instructions" "$(json warp_instructions "$tmp/8192.json")" "$(json warp_instructions "$tmp/0.json")"
}

# Launches with more CTAs than the GPU holds: when one ends another starts, at the end of a window of 20 cycles. Neither skipping
# nor intervals that cut windows may move that, nor what each launch counts of the memory.
launches_do_not_depend_on_intervals_or_skipping() {
  cp examples/gpgpusim/kernels.ptx "$tmp"
  sed '/^outputs/,$d; s/1048576/131072/; s/4096/512/' examples/gpgpusim/vecadd_1M.yaml >"$tmp/many.yaml"
  for g in v100 h200; do
    for how in "" --no-skip --general "--interval 333" "--interval 777 --threads 3 --delays 1 --general"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run histogram --size small --gpu $g $how --quiet --json "$tmp/a.json"
      exits 0
      sed '/^      "intervals"/,/^      }/d; /"sim\./d; s/,$//' "$tmp/a.json" >"$tmp/b$how"
      cmp -s "$tmp/b" "$tmp/b$how" || fail "$g: other numbers with $how"
    done
    for how in "--interval 1000000" "--interval 501"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run "$tmp/many.yaml" --gpu $g --set sm.ctas=1 $how --quiet --json "$tmp/a.json"
      exits 0
      json cycles "$tmp/a.json" >>"$tmp/cut-$g"
    done
    [ "$(sort -u "$tmp/cut-$g" | wc -l)" = 1 ] || fail "$g: cycles $(tr '\n' ' ' <"$tmp/cut-$g")"
  done
}

# A crossbar that matches inputs and outputs keeps messages in queues of its own; the slots of the port stay taken until they pass, and
# full senders hear of each that comes free.
full_ports_of_matching_crossbars_are_the_same_on_threads() {
  full="--set noc.allocator=islip --set noc.speedup=1 --set noc.sector_packets=false --set noc.inject_latency=2 --set noc.credit_latency=2
    --set noc.latency=60 --set noc.out=1 --set noc.in=10"
  for t in 1 2 3; do
    # shellcheck disable=SC2086 # settings are words
    run "$sluice" run 2dconv --quiet --threads $t $full --json "$tmp/full-$t"
    exits 0
    grep -v '"sim\.' "$tmp/full-$t" >"$tmp/full-$t.kept"
    cmp -s "$tmp/full-1.kept" "$tmp/full-$t.kept" || fail "$t threads: other numbers"
  done
}

tests full_ports_of_matching_crossbars_are_the_same_on_threads numbers_do_not_depend_on_how_time_is_advanced launches_do_not_depend_on_intervals_or_skipping numbers_do_not_depend_on_the_number_of_threads \
  numbers_of_other_gpus_do_not_depend_on_threads long_windows_give_the_same_numbers far_messages_give_the_same_numbers one_processor_has_one_thread threads_are_a_small_number \
  a_launch_that_is_cut_off_is_the_same_at_any_number_of_threads launches_executed_before_their_time_change_nothing alternatives_do_not_depend_on_it_either full_ports_change_nothing \
  counts_equal_another_simulator an_impossible_gpu_is_refused \
  a_launch_can_be_cut_off_by_cycles a_launch_that_is_cut_off_is_the_same_without_skipping a_launch_that_is_cut_off_adds_up \
  every_scheduler_cycle_is_accounted_for locks_that_change_hands_too_fast_are_counted a_cas_that_fails_is_tried_again a_lock_is_held_until_it_is_given_back an_exchange_without_a_reader_is_waited_for a_cta_of_one_thread_takes_the_place_of_a_warp \
  threads_that_contend_try_as_often_as_on_a_card
finish
