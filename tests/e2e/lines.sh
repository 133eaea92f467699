#!/bin/sh
# The size of a line: what is coalesced, fetched and written back follows gpu.line_bytes. Numbers by arithmetic; instructions do not
# miss here, so that every message is one of data.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
timing_kernels
base=0x710000000000 base=$((base))
short="gpu.line_bytes=64 l1d.sector_bytes=64 l2.sector_bytes=64"

# ran LAUNCH SETTINGS...: runs it; stat then tells its numbers
ran() {
  launch=$1
  shift
  # shellcheck disable=SC2068 # settings are words
  cycles "$launch" "{bytes: 64Ki, at: $base}" gpu.sms=1 l1i.on=false l2.warm=false $@ >"$tmp/cycles"
}
# counts NAME WANT...: noc.requests, l2.accesses, l2.fetches and dram.bytes of the last run
counts() {
  got="$(stat noc.requests) $(stat l2.accesses) $(stat l2.fetches) $(stat dram.bytes)"
  [ "$got" = "$2 $3 $4 $5" ] || fail "$1: $got requests, accesses, fetches, bytes instead of $2 $3 $4 $5"
}

# One warp reads 80 rows of 128 bytes, then stores one more, which stays in the L2: as lines of 128 bytes, and of 64.
whole_rows_are_as_many_lines_as_they_fill() {
  rows="{kernel: loads, grid: [1], block: [32], args: [d, {u64: 128}, {u32: 10}]}"
  ran "$rows" l2.sector_bytes=128
  counts "lines of 128" 81 81 80 10240
  ran "$rows" l2.sector_bytes=32
  counts "lines of 128, sectors of 32, bursts of 64" 81 324 320 20480
  ran "$rows" "$short"
  counts "lines of 64" 162 162 160 10240
  ran "$rows" "$short" l2.sector_bytes=32
  counts "lines of 64, sectors of 32, bursts of 64" 162 324 320 20480
}

# Lanes 128 bytes apart: a line each. Short lines leave half of what no lane wants in memory.
a_word_fetches_its_line() {
  words="{kernel: lines_again, grid: [1], block: [32], args: [d, {u32: 1}]}"
  ran "$words" l2.sector_bytes=128
  counts "lines of 128" 32 32 32 4096
  ran "$words" "$short"
  counts "lines of 64" 32 32 32 2048
}

# 50 stores of rows of local memory, ten in turn; ten ways of one set hold as many lines, of either size.
capacity_counts_in_lines() {
  rows="{kernel: local_rows, grid: [1], block: [32], args: [{u32: 50}, {u32: 10}]}"
  back="l1d.write_local=back l1d.write_local_miss=validate l1d.sets=1 l1d.index=modulo"
  ran "$rows" "$back" l1d.ways=10
  [ "$(stat l1d.writebacks)" = 10 ] || fail "ten lines of 128: $(stat l1d.writebacks) written back"
  ran "$rows" "$back" l1d.ways=20 "$short"
  [ "$(stat l1d.writebacks)" = 20 ] || fail "twenty lines of 64: $(stat l1d.writebacks) written back"
  ran "$rows" "$back" l1d.ways=19 "$short"
  [ "$(stat l1d.writebacks)" = 100 ] || fail "nineteen lines of 64: $(stat l1d.writebacks) written back"
}

sizes_that_do_not_fit_are_refused() {
  while read -r named bad; do
    # shellcheck disable=SC2046 # settings are words
    run "$sluice" run tests/kernels/cl_bfs.yaml $(for s in $bad; do echo "--set $s"; done)
    exits 2
    err_has "$named"
  done <<END
gpu.line_bytes gpu.line_bytes=32
lines gpu.line_bytes=96
l1d: gpu.line_bytes=64
l1i.line_bytes $short
l2.interleave l2.interleave=32
split l2.interleave=64
l2.channel_bits $short l1i.line_bytes=64 l2.channels=8 l2.channel_bits=10,9,5
END
}

# Every technique follows, and time may be advanced in any way.
all_techniques_run_on_short_lines() {
  for with in "" cart mars bucl mrpb racb swl ccws frc; do
    rm -f "$tmp/numbers"
    for how in "" "--no-skip --shuffle 3" "--threads 3 --delays 1"; do
      # shellcheck disable=SC2046,SC2086 # settings are words
      run "$sluice" run tests/kernels/cl_bfs.yaml ${with:+--with $with} $(for s in $short l1i.line_bytes=64 l2.sets=1 l2.ways=2; do echo "--set $s"; done) \
        $how --quiet --json "$tmp/f.json"
      exits 0
      sed -n '/^  "stats"/,/^  }/p' "$tmp/f.json" | grep -v '"sim\.' | cksum >>"$tmp/numbers"
    done
    [ "$(sort -u "$tmp/numbers" | wc -l)" = 1 ] || fail "${with:-none}: numbers depend on how time is advanced"
  done
}

tests whole_rows_are_as_many_lines_as_they_fill a_word_fetches_its_line capacity_counts_in_lines sizes_that_do_not_fit_are_refused \
  all_techniques_run_on_short_lines
finish
