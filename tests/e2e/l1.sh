#!/bin/sh
# The caches of an SM end to end: write policies by space, dirty lines, ports, the constant cache, sectors. One warp's row of local
# memory is one line; instructions do not miss here, so that every message is one of data.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
timing_kernels
base=0x710000000000 base=$((base))

# ran LAUNCH SETTINGS...: runs it; stat then tells its numbers
ran() {
  launch=$1
  shift
  cycles "$launch" "{bytes: 64Ki, at: $base}" gpu.sms=1 l1i.on=false "$@" >"$tmp/cycles"
}
# counts NAME WANT...: l1d.writebacks, noc.requests and l2.accesses of the last run
counts() {
  got="$(stat l1d.writebacks) $(stat noc.requests) $(stat l2.accesses)"
  [ "$got" = "$2 $3 $4" ] || fail "$1: $got written back, requests, sectors instead of $2 $3 $4"
}

# 50 stores of whole rows, ten rows in turn
stores_follow_the_policy_of_their_space() {
  rows="{kernel: local_rows, grid: [1], block: [32], args: [{u32: 50}, {u32: 10}]}"
  ran "$rows" l1d.write_local=through
  counts "through" 0 50 200
  ran "$rows" l1d.write_local=around
  counts "around" 0 50 200
  ran "$rows" l1d.write_local=through l1d.write_local_miss=validate
  counts "through, with a line" 0 50 200
  ran "$rows" l1d.write_local=back
  counts "back, no line taken" 0 50 200
  for miss in validate fetch; do # whole lines: nothing to fetch
    ran "$rows" l1d.write_local=back l1d.write_local_miss=$miss
    counts "back, $miss" 10 10 40
  done
  ran "$rows" l1d.write_global=back l1d.write_global_miss=validate l1d.write_local=through
  counts "another space's policy" 0 50 200
  ran "{kernel: stores, grid: [1], block: [32], args: [d, {u32: 3}]}" l1d.write_global=back l1d.write_global_miss=validate
  counts "global memory: one line, stored 96 times" 1 1 4
  ran "{kernel: stores, grid: [1], block: [32], args: [d, {u32: 3}]}"
  counts "global memory, through" 0 96 384
}

dirty_lines_are_written_back_when_replaced() {
  rows="{kernel: local_rows, grid: [1], block: [32], args: [{u32: 50}, {u32: 10}]}"
  small="l1d.write_local=back l1d.write_local_miss=validate l1d.sets=1"
  # shellcheck disable=SC2086 # settings are words
  {
    ran "$rows" $small l1d.ways=10
    counts "ten ways" 10 10 40
    ran "$rows" $small l1d.ways=9 # LRU: the row to come is always the one replaced
    counts "nine ways" 50 50 200
    ran "$rows" $small l1d.ways=1 l1d.miss_queue=2
    counts "one way" 50 50 200
  }
}

# One lane: a word of each row. Lines of 128 bytes, or sectors of 32.
partial_stores_fetch_or_remember_bytes() {
  rows="{kernel: local_rows, grid: [1], block: [1], args: [{u32: 50}, {u32: 10}]}"
  ran "$rows" l1d.write_local=back l1d.write_local_miss=validate
  counts "validate" 10 10 10
  ran "$rows" l1d.write_local=back l1d.write_local_miss=fetch
  counts "fetch a line" 10 20 50
  ran "$rows" l1d.write_local=back l1d.write_local_miss=fetch l1d.sector_bytes=32
  counts "fetch a sector" 10 20 20
  ran "$rows" l1d.write_local=through l1d.write_local_miss=fetch # data and fetch both travel
  counts "through and fetch" 0 60 90
}

# Rows are loaded first, so that stores hit.
stores_that_hit_stay() {
  rows="{kernel: local_updates, grid: [1], block: [32], args: [{u32: 50}, {u32: 10}]}"
  ran "$rows" l1d.write_local=back
  counts "back: ten fetches, ten dirty lines" 10 20 80
  ran "$rows" l1d.write_local=through
  counts "through" 0 60 240
  ran "$rows" l1d.write_local=around # the line is gone each time
  counts "around" 0 100 400
  ran "$rows" l1d.write_local=back l1d.sets=1 l1d.ways=9
  counts "nine ways: every load misses and finds a dirty line" 50 100 400
  ran "$rows" l1d.write_local=back l1d.allocate=on-fill l1d.sets=1 l1d.ways=9
  counts "allocated on fill" 50 100 400
}

fences_do_not_wait_for_what_stays() { # store, fence in the cycle after it is taken, then sub, setp and bra
  for policy in back through; do
    for n in 20 60; do
      cycles "{kernel: fenced_stores, grid: [1], block: [1], args: [d, {u32: $n}]}" "{bytes: 64Ki, at: $base}" gpu.sms=1 l1i.on=false \
        sm.fetch_latency=1 l1d.write_global=$policy l1d.write_global_miss=validate
    done >"$tmp/two"
    eval "$policy=$((($(tail -n1 "$tmp/two") - $(head -n1 "$tmp/two")) / 40))"
  done
  # shellcheck disable=SC2154 # set above
  is "kept" "$back" $((2 + 1 + 9 + 9 + 1))
  # shellcheck disable=SC2154 # set above
  is "through" "$through" $((3 + 5 + 120 + 1 + 1 + 5 + 1 + 1 + 9 + 9 + 1))
}

# milli NAME KERNEL WANT ACCESSES SETTINGS...: thousandths of a cycle per access of a stream that hits
milli() {
  name=$1 kernel=$2 want=$3 n=$4
  shift 4
  for rounds in 10 20; do
    cycles "{kernel: $kernel, grid: [8], block: [192], args: [d, {u32: $rounds}]}" "{bytes: 64Ki, at: $base}" gpu.sms=1 sm.scheduler=lrr "$@"
  done >"$tmp/two"
  got=$((($(tail -n1 "$tmp/two") - $(head -n1 "$tmp/two")) * 1000 / (10 * n)))
  [ $((got + 6)) -ge "$want" ] && [ $((got * 100)) -le $((want * 105)) ] || fail "$name: $got / 1000 cycles instead of $want"
}

ports_bound_the_rate_of_hits() { # 48 warps; 32 instructions of one line a round, or 4 of 32 lines
  milli "a line per cycle" loads_again 1000 $((48 * 32))
  milli "half a line per cycle" loads_again 2000 $((48 * 32)) l1d.port_bytes=64
  milli "a sector per cycle" loads_again 4000 $((48 * 32)) l1d.port_bytes=32
  milli "lines apart" lines_again 1000 $((48 * 4 * 32)) l1d.sets=64
  for ports in 2 4 8; do
    milli "$ports ports" lines_again $((1000 / ports)) $((48 * 4 * 32)) l1d.sets=64 l1d.ports=$ports l1d.port_bytes=32
  done
  # a load that hits waits for the last of its bytes
  for bytes in 128 32; do
    for n in 20 60; do
      cycles "{kernel: chase, grid: [1], block: [1], args: [d, {u32: $n}]}" \
        "{count: 64, type: u64, at: $base, fill: {iota: {start: $base, step: 8}}}" l1d.port_bytes=$((bytes / 4))
    done >"$tmp/two"
    is "a sector through $((bytes / 4)) bytes" $((($(tail -n1 "$tmp/two") - $(head -n1 "$tmp/two")) / 40)) $((1 + 35 + 5 + 32 * 4 / bytes - 1))
  done
}

# A technique's queues before the L1: an access enters in the cycle in which another leaves, so that the L1's port alone bounds the rate.
queues_before_the_l1_pass_an_access_per_cycle() {
  for latency in false true; do # of the L1: after its tags, or before them
    for with in "" "--with mrpb"; do
      for rounds in 10 20; do
        printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 64Ki, at: %s}\nlaunches:\n  - {kernel: loads_again, grid: [8], block: [192], args: [d, {u32: %s}]}\n' \
          "$base" $rounds >"$tmp/t.yaml"
        # shellcheck disable=SC2086 # options are words
        run "$sluice" run "$tmp/t.yaml" --gpu "$plain_gpu" --set gpu.sms=1 --set sm.scheduler=lrr --set l1d.latency_first=$latency --json "$tmp/t.json" $with
        exits 0
        stat cycles
      done >"$tmp/two"
      got=$((($(tail -n1 "$tmp/two") - $(head -n1 "$tmp/two")) * 100 / (10 * 48 * 32)))
      [ "$got" -ge 99 ] && [ "$got" -le 105 ] || fail "l1d.latency_first=$latency $with: $got / 100 cycles for an access instead of 100"
    done
  done
}

# 2 KiB of constants, word after word; or 128 bytes at once.
constants_come_in_lines_of_their_cache() {
  for line in 32 64 128; do
    ran "{kernel: constants, grid: [1], block: [32], args: [{u32: 512}, {u32: 4}, {u32: 0}]}" l1c.line_bytes=$line l1c.sets=64
    got="$(stat l1c.accesses) $(stat l1c.misses) $(stat l2.accesses)"
    [ "$got" = "512 $((2048 / line)) 64" ] || fail "lines of $line: $got accesses, misses, sectors"
    ran "{kernel: constants, grid: [1], block: [32], args: [{u32: 8}, {u32: 128}, {u32: 4}]}" l1c.line_bytes=$line l1c.sets=64
    got="$(stat l1c.accesses) $(stat l1c.misses) $(stat l2.accesses)"
    [ "$got" = "$((8 * 128 / line)) $((8 * 128 / line)) 32" ] || fail "lines of $line, lanes apart: $got"
  done
  ran "{kernel: constants, grid: [1], block: [32], args: [{u32: 512}, {u32: 4}, {u32: 0}]}" l1c.on=false
  [ "$(stat l1c.accesses) $(stat noc.requests)" = "0 0" ] || fail "no cache: requests"
  # a cache of one line, one miss register, one place in the queue: the same answers, later
  ran "{kernel: constants, grid: [1], block: [256], args: [{u32: 8}, {u32: 128}, {u32: 4}]}" l1c.sets=1 l1c.ways=1 l1c.mshrs=1 l1c.merges=1 \
    l1c.miss_queue=1
  [ "$(stat l1c.accesses)" = $((8 * 8 * 2)) ] || fail "tiny: $(stat l1c.accesses)"
}

# Words in 32 lines: with sectors only those travel that are asked for.
sectors_travel_as_asked_for() {
  for sector in 32 64 128; do
    ran "{kernel: lines_again, grid: [1], block: [32], args: [d, {u32: 1}]}" l1d.sector_bytes=$sector l1d.sets=64
    got="$(stat l1d.misses) $(stat l2.accesses) $(stat noc.response_flits)"
    n=$((sector / 32))
    [ "$got" = "32 $((32 * n)) $((32 * n))" ] || fail "sectors of $sector: $got misses, sectors, flits" # 40 bytes: 8 and a sector
  done
}

impossible_policies_are_refused() {
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set l1d.write_global=around --set l1d.write_global_miss=fetch
  exits 2
  err_has "l1d.write_global_miss: with l1d.write_global around only no-allocate makes sense"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set l1d.miss_queue=1
  exits 2
  err_has "l1d.miss_queue: 1; a dirty line beside a fetch needs 2"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set l1d.write_local_miss=fetch --set l1d.allocate=on-fill
  exits 2
  err_has "fetch needs l1d.allocate on-miss"
}

numbers_do_not_depend_on_how_time_is_advanced() {
  for set in "l1d.write_global=back l1d.write_global_miss=validate l1d.ports=4 l1d.port_bytes=32 l1d.sector_bytes=32" \
    "l1d.write_global=back l1d.write_global_miss=fetch l1d.miss_queue=2" "l1d.write_global=through l1d.write_global_miss=fetch l1d.port_bytes=48"; do
    # shellcheck disable=SC2046 # settings are words
    set -- $(for s in $set; do echo "--set $s"; done)
    for k in examples/gpgpusim/ttiled_512.yaml tests/kernels/histogram.yaml; do
      run "$sluice" run $k "$@" --json "$tmp/a.json"
      exits 0
      grep -v '"sim\.' "$tmp/a.json" >"$tmp/a"
      for how in --no-skip "--shuffle 5"; do
        # shellcheck disable=SC2086 # options are words
        run "$sluice" run $k "$@" $how --json "$tmp/b.json"
        exits 0
        grep -v '"sim\.' "$tmp/b.json" >"$tmp/b"
        cmp -s "$tmp/a" "$tmp/b" || fail "$k: $set differs with $how"
      done
    done
  done
}

# A load of many lines at several ports: what it missed is sent in the next cycle, though the rest of it is refused.
neither_do_those_of_several_ports() {
  for how in "" --no-skip; do
    # shellcheck disable=SC2086 # no option is no word
    run "$sluice" run examples/gpgpusim/bfs_16K.yaml --gpu v100 $how --json "$tmp/p.json"
    exits 0
    json gpu.cycles "$tmp/p.json" >>"$tmp/ports"
  done
  [ "$(sort -u "$tmp/ports" | wc -l)" = 1 ] || fail "cycles with and without skipping: $(tr '\n' ' ' <"$tmp/ports")"
}

# Dirty lines are written back between launches; where the next launch begins does not depend on how often that is looked at.
launches_after_a_flush_are_the_same_too() {
  for how in --no-skip "--shuffle 3" "--threads 3 --delays 1" "--progress none"; do
    # shellcheck disable=SC2086 # options and their values
    run "$sluice" run tests/kernels/cl_bfs.yaml --set l1d.write_global=back --set l1d.write_global_miss=validate $how --quiet --json "$tmp/f.json"
    exits 0
    json gpu.cycles "$tmp/f.json" >>"$tmp/flushed"
  done
  [ "$(sort -u "$tmp/flushed" | wc -l)" = 1 ] || fail "cycles: $(tr '\n' ' ' <"$tmp/flushed")"
}

tests stores_follow_the_policy_of_their_space dirty_lines_are_written_back_when_replaced partial_stores_fetch_or_remember_bytes stores_that_hit_stay \
  fences_do_not_wait_for_what_stays ports_bound_the_rate_of_hits queues_before_the_l1_pass_an_access_per_cycle constants_come_in_lines_of_their_cache sectors_travel_as_asked_for \
  impossible_policies_are_refused numbers_do_not_depend_on_how_time_is_advanced \
  neither_do_those_of_several_ports launches_after_a_flush_are_the_same_too
finish
