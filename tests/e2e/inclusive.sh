#!/bin/sh
# An L2 that includes the L1s, loads that it sends back, and evictions before fetches, end to end: what they cost, and that nothing
# stands still with queues of one entry each.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
timing_kernels
base=0x710000000000 base=$((base))
thesis="--set l2.inclusive=true --set l2.evict_first=true --set l2.nack=true"

# ran SETTINGS...: matmul_128 with an L2 of a few lines
ran() {
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set l2.sets=1 --set l2.ways=4 --set check.requests=true "$@" --quiet --json "$tmp/t.json"
  exits 0
}
numbers() { sed -n '/^  "stats"/,/^  }/p' "$tmp/t.json" | grep -v '"sim\.'; }

# Lanes read two lines of one set in turn; the L1 has room for both, the L2 for one.
lines_are_taken_back_from_the_l1() {
  again="{kernel: loads_again, grid: [1], block: [32], args: [d, {u32: 4}]}"
  small="gpu.sms=1 l1i.on=false l2.warm=false l2.channels=1 l2.slices_per_channel=1 l2.sets=1 l2.ways=1 l2.sector_bytes=128"
  # shellcheck disable=SC2086 # settings are words
  cycles "$again" "{bytes: 64Ki, at: $base}" $small >/dev/null
  hits=$(json l1d.hits "$tmp/t.json")
  # shellcheck disable=SC2086
  cycles "$again" "{bytes: 64Ki, at: $base}" $small l2.inclusive=true >/dev/null
  [ "$(json l1d.hits "$tmp/t.json")" = "$hits" ] || fail "one line, and none takes its place, but it was taken back"
  [ "$(json l2.invalidations "$tmp/t.json")" = 0 ] || fail "$(json l2.invalidations "$tmp/t.json") invalidations"
  # 80 lines once each: every one but the last is taken back, whether it is still there or not
  loads="{kernel: loads, grid: [1], block: [32], args: [d, {u64: 128}, {u32: 10}]}"
  # shellcheck disable=SC2086
  cycles "$loads" "{bytes: 64Ki, at: $base}" $small l2.inclusive=true l2.evict_first=true >/dev/null
  got="$(json l2.invalidations "$tmp/t.json") $(json l2.acknowledgements "$tmp/t.json") $(json l1d.invalidated "$tmp/t.json")"
  [ "$got" = "80 80 80" ] || fail "80 lines and a store: $got invalidated, acknowledged, dropped"
}

# The round trip of an invalidation: both ways a message of one flit through a network of 5 cycles, and what each is handed on in.
the_round_trip_is_that_of_the_network() {
  loads="{kernel: loads, grid: [1], block: [32], args: [d, {u64: 128}, {u32: 10}]}"
  small="gpu.sms=1 l1i.on=false l2.warm=false l2.channels=1 l2.slices_per_channel=1 l2.sets=1 l2.ways=1 l2.sector_bytes=128 l2.inclusive=true l2.evict_first=true"
  for latency in 5 25; do
    # shellcheck disable=SC2086
    cycles "$loads" "{bytes: 64Ki, at: $base}" $small noc.latency=$latency >/dev/null
    json l2.invalidate_cycles "$tmp/t.json" >>"$tmp/trips"
  done
  more=$(($(tail -1 "$tmp/trips") - $(head -1 "$tmp/trips")))
  [ "$more" = $((80 * 2 * 20)) ] || fail "20 cycles more each way of 80 round trips: $more"
}

numbers_do_not_depend_on_how_time_is_advanced() {
  for with in "" "--set l2.fill_latency=10" "--with frc:entries=8" "--with frc:entries=8:victims=stay" "--with frc:victims=pile:slots=2" "--with victim:bytes=256" "--set l2.evict_clean=80" "--set l2.evict_posted=true" "--set l1d.write_global=back --set l1d.write_global_miss=fetch" "--with cart"; do
    rm -f "$tmp/sums"
    for how in "" "--no-skip --shuffle 3" "--threads 3 --delays 1"; do
      # shellcheck disable=SC2086 # settings are words
      ran $thesis $with $how
      numbers | cksum >>"$tmp/sums"
    done
    [ "$(sort -u "$tmp/sums" | wc -l)" = 1 ] || fail "$with: numbers depend on how time is advanced"
    [ "$(stat l2.invalidations)" -gt 1000 ] || fail "$with: only $(stat l2.invalidations) invalidations"
  done
}

# One entry in every queue, two lines, two miss registers of one request: whatever can wait for another, does.
nothing_stands_still() {
  tight="--set l2.in=1 --set l2.in_sectors=false --set l2.out=1 --set noc.in=1 --set noc.out=1 --set l2.mshrs=2 --set l2.merges=1 --set l2.miss_queue=1 --set l2.ways=2 \
    --set l1d.miss_queue=2 --set l1d.write_global=back --set l1d.write_global_miss=validate"
  for with in "--set l2.nack=false" "" "--with frc:entries=4" "--with frc:entries=4:victims=stay" "--with victim:bytes=256" "--with nonblocking" "--with cart" "--set noc.sms_per_link=3"; do
    # shellcheck disable=SC2086 # settings are words
    ran $thesis $tight $with
    [ "$(stat l2.acknowledgements)" -gt 1000 ] || fail "$with: $(stat l2.acknowledgements) acknowledgements"
  done
}

# Eight loads of an instruction each, of lines that share the one line of the L1: one after the other, or all under way in entries.
an_frc_beside_the_l1_lets_misses_of_a_line_overlap() {
  loads="{kernel: loads, grid: [1], block: [32], args: [d, {u64: 128}, {u32: 1}]}"
  one="gpu.sms=1 l1i.on=false l2.warm=false l1d.sets=1 l1d.ways=1 l1d.index=modulo gpu.dram_mhz=700 dram.model=fixed dram.fixed_latency=1000 check.requests=true"
  # shellcheck disable=SC2086
  {
    a=$(cycles "$loads" "{bytes: 64Ki, at: $base}" $one)
    b=$(cycles "$loads" "{bytes: 64Ki, at: $base}" $one tech.with=frc frc.level=l1 frc.entries=8)
    got="$(json frc.l1_served "$tmp/t.json") $(json frc.l1_full "$tmp/t.json") $(json frc.l1_swaps "$tmp/t.json") $(json frc.served "$tmp/t.json")"
    c=$(cycles "$loads" "{bytes: 64Ki, at: $base}" $one tech.with=frc frc.level=l1 frc.entries=4)
    half="$(json frc.l1_served "$tmp/t.json") $(json frc.l1_full "$tmp/t.json")"
  }
  [ "$a" -gt 8000 ] && [ "$a" -lt 12000 ] || fail "one after the other: $a cycles for eight times a thousand"
  [ "$b" -gt 1000 ] && [ "$b" -lt 2000 ] || fail "all at once: $b cycles"
  [ "$got" = "8 0 7 0" ] || fail "served, without an entry, swapped with a line, at the L2: $got instead of 8 0 7 0"
  # four in entries, one in the line, and the rest when those are through
  [ "$c" -gt 2000 ] && [ "$c" -lt 3000 ] || fail "four entries: $c cycles"
  [ "$half" = "7 1" ] || fail "four entries: $half served and not, instead of 7 1"
}

both_levels_are_the_same_however_time_is_advanced() {
  rm -f "$tmp/sums"
  for how in "" "--no-skip --shuffle 3" "--threads 3 --delays 1"; do
    # shellcheck disable=SC2086 # settings are words
    ran $thesis --set l1d.sets=4 --with frc:level=both:entries=16 --set l1d.write_global=back --set l1d.write_global_miss=validate $how
    numbers | cksum >>"$tmp/sums"
  done
  [ "$(sort -u "$tmp/sums" | wc -l)" = 1 ] || fail "numbers depend on how time is advanced"
  [ "$(stat frc.l1_swaps)" -gt 1000 ] && [ "$(stat frc.swaps)" -gt 1000 ] || fail "swaps: $(stat frc.l1_swaps) and $(stat frc.swaps)"
}

# A launch ends when the L1s have dropped what the L2 replaced for its last requests.
launches_end_with_nothing_under_way() {
  run "$sluice" run bc --size small --gpu rx540 --with frc:entries=8 --set l2.sets=1 --set l2.ways=8 --quiet
  exits 0
}

what_cannot_be_is_refused() {
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu gtx480 --set l2.inclusive=true --set l2.allocate=on-fill
  exits 2
  err_has "l2.allocate: on-fill"
  run "$sluice" run tests/kernels/cl_bfs.yaml --set l1d.allocate=on-fill --with frc:level=l1
  exits 2
  err_has "frc.level"
  for alone in l2.evict_clean=80 l2.evict_posted=true; do
    run "$sluice" run tests/kernels/cl_bfs.yaml --set $alone
    exits 2
    err_has "${alone%=*}: nobody waits for what is replaced; l2.evict_first"
  done
  run "$sluice" run tests/kernels/cl_bfs.yaml --gpu v100 --set l2.nack=true
  exits 2
  err_has "l2.nack"
  run "$sluice" run tests/kernels/cl_bfs.yaml --set l2.inclusive=true --with racb
  exits 2
  err_has "l2.inclusive"
}

tests lines_are_taken_back_from_the_l1 the_round_trip_is_that_of_the_network numbers_do_not_depend_on_how_time_is_advanced nothing_stands_still \
  an_frc_beside_the_l1_lets_misses_of_a_line_overlap both_levels_are_the_same_however_time_is_advanced \
  launches_end_with_nothing_under_way what_cannot_be_is_refused
finish
