#!/bin/sh
# Memory behind the L2, end to end: a fixed latency, its bandwidth, several controllers and channels in lock step.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
timing_kernels
base=0x710000000000 base=$((base))
# every clock is the same, and nothing is in the caches
still="gpu.sms=1 l1i.on=false l2.warm=false gpu.dram_mhz=700 dram.model=fixed dram.latency=0 l2.channels=1 l2.slices_per_channel=1 l2.sector_bytes=128"

# took LAUNCH SETTINGS...: prints its cycles
took() {
  launch=$1
  shift
  # shellcheck disable=SC2068 # settings are words
  cycles "$launch" "{count: 32768, type: u64, at: $base, fill: {iota: {start: $((base + 256)), step: 8}}}" $@
}

# 50 loads, each of a line of its own whose address the one before it brought.
a_read_takes_the_latency_and_nothing_more() {
  chase="{kernel: chase, grid: [1], block: [1], args: [d, {u32: 50}]}"
  a=$(took "$chase" "$still" dram.fixed_latency=100)
  b=$(took "$chase" "$still" dram.fixed_latency=300)
  is "200 cycles more for each of 50" "$((b - a))" 10000
  [ "$(stat dram.read_requests) $(stat dram.mean_read_latency) $(stat dram.read_latency_max)" = "50 300 300" ] ||
    fail "reads and their latency: $(stat dram.read_requests) $(stat dram.mean_read_latency) $(stat dram.read_latency_max)"
  c=$(took "$chase" "$still" dram.fixed_latency=100 dram.latency=200)
  is "a delay in front of the controller is the same" "$c" "$b"
  d=$(took "$chase" "$still" dram.fixed_latency=300 dram.fixed_interval=40)
  is "alone, none waits for another" "$d" "$b"
}

# 8 x 64 loads of whole lines, as many under way as there are registers for: a line every 40 cycles.
the_interval_bounds_the_bandwidth() {
  loads="{kernel: loads, grid: [1], block: [256], args: [d, {u64: 1024}, {u32: 8}]}"
  took "$loads" "$still" dram.fixed_interval=40 l1d.on=false >"$tmp/one"
  one=$(cat "$tmp/one")
  [ "$(stat dram.bus_cycles)" = $((512 * 40)) ] || fail "$(stat dram.bus_cycles) cycles with data"
  [ "$one" -ge $((512 * 40)) ] && [ "$one" -le $((512 * 40 + 1500)) ] || fail "one controller: $one cycles for 512 lines"
  two=$(took "$loads" "$still" dram.fixed_interval=40 l1d.on=false dram.controllers=2)
  [ "$two" -ge $((256 * 40)) ] && [ "$two" -le $((256 * 40 + 1500)) ] || fail "two controllers: $two cycles for 512 lines"
  [ "$(stat dram.peak_gbps)" = 4.48 ] || fail "peak of 2 x 128 bytes in 40 cycles of 700 MHz: $(stat dram.peak_gbps) GB/s"
}

# x controllers of y channels in lock step: as many bytes, and the peak is theirs.
controllers_and_lock_step_make_the_peak() {
  loads="{kernel: loads, grid: [8], block: [256], args: [d, {u64: 8192}, {u32: 3}]}"
  for shape in "1 1 29.568" "2 1 59.136" "1 2 59.136" "2 2 118.272"; do
    # shellcheck disable=SC2086 # three words
    set -- $shape
    took "$loads" l1i.on=false l1d.on=false l2.warm=false l2.channels=1 l2.slices_per_channel=1 l2.sector_bytes=128 l2.port_bytes=128 \
      l2.miss_queue=64 dram.mapping=collow dram.controllers="$1" dram.lockstep="$2" >>"$tmp/spent"
    [ "$(stat dram.peak_gbps)" = "$3" ] || fail "$1 x $2: peak $(stat dram.peak_gbps) GB/s instead of $3"
    [ "$(stat dram.bytes)" = 196608 ] || fail "$1 x $2: $(stat dram.bytes) bytes"
  done
  [ "$(sort -rnu "$tmp/spent" | sed -n '1p;$p' | tr '\n' ' ')" = "$(sed -n '1p;$p' "$tmp/spent" | tr '\n' ' ')" ] ||
    fail "more width is not faster: $(tr '\n' ' ' <"$tmp/spent")"
}

numbers_do_not_depend_on_how_time_is_advanced() {
  for model in "--set dram.model=fixed --set dram.controllers=2" \
    "--set dram.controllers=2 --set dram.lockstep=2 --set dram.mapping=collow" "--set dram.model=fixed --set dram.fixed_interval=7 --with mars"; do
    rm -f "$tmp/numbers"
    for how in "" "--no-skip --shuffle 3" "--threads 3 --delays 1"; do
      # shellcheck disable=SC2086 # settings are words
      run "$sluice" run tests/kernels/cl_bfs.yaml --set l2.sets=1 --set l2.ways=2 $model $how --quiet --json "$tmp/f.json"
      exits 0
      sed -n '/^  "stats"/,/^  }/p' "$tmp/f.json" | grep -v '"sim\.' | cksum >>"$tmp/numbers"
    done
    [ "$(sort -u "$tmp/numbers" | wc -l)" = 1 ] || fail "$model: numbers depend on how time is advanced"
  done
}

# Whenever an L2 finds the way for a line, what it replaces goes to memory if it was changed.
what_was_changed_is_written() {
  for when in on-miss on-fill; do
    run "$sluice" run examples/gpgpusim/tnaive_512.yaml --gpu cart28 --set l2.sets=4 --set l2.allocate=$when --quiet --json "$tmp/f.json"
    exits 0
    lines=$(json l2.writebacks "$tmp/f.json")
    [ "$lines" -gt 0 ] || fail "$when: nothing was written back"
    [ "$(json l2.writes "$tmp/f.json")" = "$lines" ] || fail "$when: $lines changed lines left, memory saw $(json l2.writes "$tmp/f.json")"
  done
}

# A thread writes a line word by word. The first word of a sector misses, the others find the sector there.
a_store_hits_what_was_written_in_part() {
  cat >"$tmp/words.ptx" <<END
.version 7.0
.target sm_70
.address_size 64
.visible .entry words(.param .u64 d) {
  .reg .b32 %r<2>;
  .reg .b64 %a<2>;
  ld.param.u64 %a1, [d];
$(for i in $(seq 0 31); do echo "  st.global.u32 [%a1+$((4 * i))], %r1;"; done)
  ret;
}
END
  printf 'ptx: words.ptx\nbuffers:\n  d: {count: 32, type: u32, fill: zero}\nlaunches:\n  - {kernel: words, grid: [1], block: [1], args: [d]}\n' >"$tmp/words.yaml"
  for bytes in 32 64 128; do
    for how in validate fetch; do # with a fetch the stores merge with it until its data is here
      run "$sluice" run "$tmp/words.yaml" --gpu gtx480 --set l1i.on=false --set l1c.params=false --set l2.warm=false --set l2.sector_bytes=$bytes --set l2.write_miss=$how \
        --quiet --json "$tmp/w.json"
      exits 0
      hits=$(json l2.hits "$tmp/w.json") misses=$(json l2.misses "$tmp/w.json") merges=$(json l2.merges "$tmp/w.json")
      [ "$misses" = $((128 / bytes)) ] || fail "sectors of $bytes bytes, $how: $misses misses"
      [ $((hits + merges)) = $((32 - 128 / bytes)) ] || fail "sectors of $bytes bytes, $how: $hits hits, $merges merges"
    done
  done
}

# One CTA writes 256 lines of 4 sectors three times over; with 400 cycles for each sector one slice of a channel alone takes 256 x 4 x 400
# cycles of the first pass, and those of later ones, which hit, take as long.
stores_that_hit_keep_a_slice_as_long() {
  run "$sluice" run validation/h200/micro/one_sm_store.yaml --gpu gtx480 --set l2.channels=1 --set l2.slices_per_channel=1 \
    --set l2.channel_bits= --set l2.slice_bits= --set l2.store_interval=400 --quiet --csv "$tmp/s.csv"
  exits 0
  for launch in 0 1; do
    at=$(sed -n "s/^$launch,write_full,gpu.cycles,\([0-9]*\),.*/\1/p" "$tmp/s.csv")
    [ "$at" -gt 409600 ] || fail "launch $launch: $at cycles"
  done
}

impossible_memories_are_refused() {
  while read -r named settings; do
    # shellcheck disable=SC2046 # settings are words
    run "$sluice" run tests/kernels/cl_bfs.yaml $(for s in $settings; do echo "--set $s"; done)
    exits 2
    err_has "$named"
  done <<END
dram.controllers dram.controllers=3
dram.lockstep dram.lockstep=6
dram.lockstep dram.model=fixed dram.lockstep=2
mapping dram.controllers=2
fixed dram.model=fixed tech.with=fcfs
END
}

tests a_read_takes_the_latency_and_nothing_more the_interval_bounds_the_bandwidth controllers_and_lock_step_make_the_peak \
  numbers_do_not_depend_on_how_time_is_advanced what_was_changed_is_written a_store_hits_what_was_written_in_part stores_that_hit_keep_a_slice_as_long \
  impossible_memories_are_refused
finish
