#!/bin/sh
# Statistics: the summary, and counters by unit and over time that add up to the totals.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
matmul=examples/gpgpusim/matmul_128.yaml

# What a line of the summary says.
says() { sed -n "s/^$1 *//p" "$tmp/out"; }

# 64 x 64 blocks of matmul_128: 266,240 warp instructions of 32 lanes (GPGPU-Sim counts the same); two
# schedulers on 15 SMs; 6 channels of 8 x 4 bytes at 924 MHz, that is 177.4 GB/s.
a_run_prints_a_summary() {
  run "$sluice" run $matmul --gpu gtx480 --json "$tmp/t.json"
  exits 0
  cycles=$(json gpu.cycles "$tmp/t.json")
  [ "$(says cycles | sed 's/[^0-9].*//')" = "${cycles%???}" ] || fail "cycles: $(says cycles)"
  says cycles | grep -q '64 CTAs, 266,240 warp instructions' || fail "work: $(says cycles)"
  ipc=$(awk "BEGIN { printf \"%.1f of 960 thread\", 266240 * 32 / $cycles }")
  says IPC | grep -q "^$ipc" || fail "IPC: $(says IPC)"
  says DRAM | grep -q 'of 177.4 GB/s' || fail "DRAM: $(says DRAM)"
  for l in occupancy 'L1 hits' 'L2 hits' latency 'main stall' simulated; do
    [ -n "$(says "$l")" ] || fail "no line '$l'"
  done
  [ "$(wc -l <"$tmp/out")" -le 20 ] || fail "too long to be read in ten seconds"
  run "$sluice" run $matmul --gpu gtx480 --verbose
  exits 0
  out_has l1d.reservation_fails.mshr
}

# Each counter of a kind of unit, in the JSON of the whole run, adds up to its total.
units_add_up_to_the_total() {
  run "$sluice" run $matmul --per-unit --json "$tmp/u.json" --csv "$tmp/u.csv" --verbose
  exits 0
  for unit in sm l2 dram noc; do
    awk -v part="\"$unit\":" '
      /^  "kernels"/ { exit bad || seen < 5 }
      /^  "stats": {/ { in_stats = 1 } /^  }/ { in_stats = 0 }
      in_stats && /^    "/ { total[$1] = $2 + 0 }
      /^    "[a-z0-9]*": {$/ { at = $1 }
      at == part && /^      "/ {
        name = $1; sub(/^[^[]*\[/, ""); n = split($0, v, /[^0-9]+/); sum = 0
        for (i = 1; i <= n; i++) sum += v[i]
        if (sum != total[name]) { print name, sum, "instead of", total[name]; bad = 1 }
        seen++
      }' "$tmp/u.json" >"$tmp/why" || fail "$unit: $(cat "$tmp/why")"
  done
  out_has 'l2[5].hits'
  sum=$(awk -F, '$1 == "total" && $3 ~ /^sm\[[0-9]*\]\.issued$/ { s += $4 } END { print s }' "$tmp/u.csv")
  [ "$sum" = 266240 ] || fail "sm[i].issued add up to $sum"
}

# The last line of each launch ends with it; the columns add up to the run's total.
intervals_add_up_and_do_not_depend_on_how_time_is_advanced() {
  bfs=examples/gpgpusim/bfs_16K.yaml
  run "$sluice" run $bfs --interval 1000 --series "$tmp/a.csv" --json "$tmp/a.json"
  exits 0
  for how in --no-skip "--shuffle 7"; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run $bfs --interval 1000 --series "$tmp/b.csv" $how
    exits 0
    cmp -s "$tmp/a.csv" "$tmp/b.csv" || fail "differs with $how"
  done
  for name in gpu.cycles sm.issued sm.warp_cycles sched.scoreboard l1d.hits noc.response_flits l2.accesses dram.closed_cycles; do
    sum=$(awk -F, -v name=$name 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { s += $c }
      END { printf "%.0f", s }' "$tmp/a.csv")
    [ "$sum" = "$(json $name "$tmp/a.json")" ] || fail "$name: $sum"
  done
  grep -q '"intervals": {' "$tmp/a.json" || fail "not in the JSON"
}

what_would_be_ignored_is_refused() {
  run "$sluice" run $matmul --series "$tmp/a.csv"
  exits 2
  err_has "needs --interval"
  run "$sluice" run $matmul --interval 100
  exits 2
  err_has "--json or --series"
  run "$sluice" run $matmul --interval 0 --json "$tmp/a.json"
  exits 2
  run "$sluice" run $matmul --functional --per-unit
  exits 2
  err_has "--functional has none"
}

tests a_run_prints_a_summary units_add_up_to_the_total intervals_add_up_and_do_not_depend_on_how_time_is_advanced \
  what_would_be_ignored_is_refused
finish
