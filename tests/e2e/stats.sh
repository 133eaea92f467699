#!/bin/sh
# Statistics: the summary, and counters by unit and over time that add up to the totals.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
timing_kernels
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
  for how in --no-skip "--shuffle 7" "--threads 3 --delays 1"; do
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
  err_has "--json, --series or --timeline"
  run "$sluice" run $matmul --interval 0 --json "$tmp/a.json"
  exits 2
  run "$sluice" run $matmul --functional --per-unit
  exits 2
  err_has "--functional has none"
}

# chase STRIDE LOADS SETTINGS...: what a load of a lone chain waits for, from the difference of two chains
chase() {
  stride=$1 n=$2 base=$((0x710000000000))
  shift 2
  for k in $((n / 4)) $n; do
    cycles "{kernel: chase, grid: [1], block: [1], args: [d, {u32: $k}]}" \
      "{count: $((n * stride / 8 + 64)), type: u64, at: $base, fill: {iota: {start: $((base + stride)), step: 8}}}" \
      "$@" >"$tmp/cycles"
    mv "$tmp/t.json" "$tmp/$k.json"
  done
  for name in issued fetch scoreboard pipe select ldst_queue request l2_queue l2 dram_queue dram dram_row dram_bus response l1; do
    d=$(($(json stall.$name "$tmp/$n.json") - $(json stall.$name "$tmp/$((n / 4)).json")))
    [ $d -eq 0 ] || printf '%s=%s ' $name $((d / (n - n / 4)))
  done
}

# waits WHAT GOT CONFIGURED...: the load's way as configured, in order, less what passed while the warp still issued the other
# three instructions of the loop
waits() {
  what=$1 got=$2
  shift 2
  want=$(echo "$got" | tr ' ' '\n' | awk -F= -v way="$*" '
    /^(issued|fetch|scoreboard)=/ { hidden += $2; own = own $0 " " }
    END {
      hidden-- # the cycle in which the load itself issued
      n = split(way, stage, " ")
      for (i = 1; i <= n; i++) {
        split(stage[i], v, "=")
        cut = hidden < v[2] ? hidden : v[2]
        hidden -= cut
        sum[v[1]] += v[2] - cut
      }
      printf "%s", own
      n = split("request l2_queue l2 dram_queue dram dram_row dram_bus response l1", names, " ")
      for (i = 1; i <= n; i++) if (sum[names[i]]) printf "%s=%d ", names[i], sum[names[i]]
    }')
  [ "$got" = "$want" ] || fail "$what: $got instead of $want"
}

# As tests/e2e/latency.sh computes the whole: a load issues in cycle t, reaches the L1 in t + 1, leaves its queue in t + 2 and
# enters the network in t + 3. gddr5-gtx480 has CL 12, a burst of 2, tRCD 12, tRP 12.
a_lone_chain_waits_for_what_is_configured() {
  to_l2="request=$((2 + 5)) l2=120" back="response=$((1 + 5)) l1=$((1 + 5))"
  same="gpu.core_mhz=924 gpu.noc_mhz=924 gpu.l2_mhz=924 l2.warm=false l2.channels=1 l2.slices_per_channel=1"
  same="$same l1d.sector_bytes=32 dram.mapping=r12g2b2c6" # one bank, a row of 4 KiB, the next after 64 KiB
  # shellcheck disable=SC2086 # settings and stages are words
  {
    waits "L1" "$(chase 0 80)" l1=$((35 + 5))
    waits "L2, 4 sectors" "$(chase 128 80)" $to_l2 l2_queue=3 l2=1 response=$((1 + 3 + 5)) l1=$((1 + 5))
    waits "L2, narrow links" "$(chase 128 80 noc.flit_bytes=4)" request=$((2 + 1 + 5)) l2=120 l2_queue=3 l2=1 \
      response=$((1 + 33 + 5)) l1=$((1 + 5))
    waits "L2, slow network" "$(chase 128 80 noc.latency=100)" request=$((2 + 100)) l2=120 l2_queue=3 l2=1 \
      response=$((1 + 3 + 100)) l1=$((1 + 5))
    waits "a row open" "$(chase 128 32 $same dram.latency=50)" $to_l2 dram=50 dram_bus=$((12 + 2 + 1)) l2=1 $back
    waits "another row open" "$(chase 65536 40 $same)" $to_l2 dram=100 dram_row=$((12 + 12)) dram_bus=$((12 + 2 + 1)) l2=1 $back
  }
}

# Resident warps times cycles, however they are spent; and a read's stages are its latency.
causes_and_stages_add_up() {
  for k in gather_16K bfs_16K; do
    run "$sluice" run examples/gpgpusim/$k.yaml --csv "$tmp/t.csv"
    exits 0
    awk -F, '$1 != l { l = $1; n++ } { l = $1 } $3 == "sm.warp_cycles" { w[l] = $4 } $3 == "latency.sum" { t[l] = $4 }
      $3 ~ /^stall\./ { s[l] += $4 }
      $3 ~ /^latency\.(l1_queue|request|l2_delay|l2_queue|dram|l2|response)$/ { p[l] += $4 }
      END { for (l in w) if (s[l] != w[l] || p[l] != t[l]) { print l, s[l], w[l], p[l], t[l]; bad = 1 } exit bad || n < 2 }' \
      "$tmp/t.csv" >"$tmp/why" || fail "$k: $(cat "$tmp/why")"
  done
}

# A histogram holds each read once: as many as there are.
histograms_hold_every_read() {
  run "$sluice" run examples/gpgpusim/gather_16K.yaml --json "$tmp/t.json"
  exits 0
  for name in sum l1_queue request l2_delay l2_queue l2 response; do
    n=$(sed -n '/^  "histograms"/,/^  }/s/^    "latency\.'$name'": \[\(.*\)\].*/\1/p' "$tmp/t.json" | tr ',' '\n' |
      awk '{ s += $1 } END { print s }')
    [ "$n" = "$(json latency.count "$tmp/t.json")" ] || fail "latency.$name: $n"
  done
}

# The plugin keeps what comes to the L2 (tests/e2e/hold.c): everything before it fills up.
a_standstill_says_who_waits_for_whom() {
  plugin=$(dirname "$sluice")/tests/hold.so
  small="--set l1i.on=false --set l2.rop_latency=1 --set l2.in=1 --set l2.in_sectors=false --set noc.out=1 --set noc.in=1 --set l1d.miss_queue=2"
  for how in "" "--threads 2 --delays 1" "--shuffle 3"; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" run examples/gpgpusim/gather_16K.yaml --gpu "$plain_gpu" --plugin "$plugin" --with hold $small --quiet $how
    exits 4
    err_has "the GPU makes no progress in cycle"
    err_has "wait for data"
    err_has "oldest request: a load of line 0x"
    err_has "in its L2 slice"
    err_has "the order of a technique holds it"
    err_has "load/store unit: 2 of 2, full"
    err_has "the L1 refuses its access: the miss queue is full"
    err_has "L1 miss queue: 1 of 2"
    err_has "into the request network: 1 of 1, full"
    err_has "L2 incoming buffer: 1 of 1, full"
    err_has "the order before the tags is full"
  done
  run "$sluice" run $matmul --plugin "$plugin" --with hold --quiet
  exits 4
  err_has "(instructions)"
}

tests a_run_prints_a_summary units_add_up_to_the_total intervals_add_up_and_do_not_depend_on_how_time_is_advanced \
  what_would_be_ignored_is_refused a_lone_chain_waits_for_what_is_configured causes_and_stages_add_up histograms_hold_every_read a_standstill_says_who_waits_for_whom
finish
