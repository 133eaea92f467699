#!/bin/sh
# The command `sluice dram`: results, logs that the checker accepts, messages.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
dramcheck=$(dirname "$sluice")/tools/dramcheck/dramcheck
[ -x "$dramcheck" ] || { echo "no command $dramcheck"; exit 1; }

json_has_the_documented_names() {
  run "$sluice" dram gen:mix21_stream,n=3000 --device ref-hbm2 --json "$tmp/r.json"
  exits 0
  err_empty
  for name in cycles dram.reads dram.writes dram.activates dram.precharges dram.refreshes dram.row_hits \
    dram.row_conflicts dram.cas_per_act dram.bandwidth_gbps dram.mean_read_latency dram.read_latency_p99 \
    dram.bus_utilisation dram.efficiency dram.bank_parallelism dram.read_queue_mean sim.requests_per_second; do
    [ -n "$(json "$name" "$tmp/r.json")" ] || fail "no $name"
  done
  grep -q '"dram.device": "ref-hbm2"' "$tmp/r.json" || fail "the configuration is not in the result"
}

every_controller_and_refresh_mode_keeps_every_constraint() {
  for device in ref-ddr4 hbm3-6400 lpddr4-3200 gddr6-14000 gddr5-8gb; do
    for controller in sluice like-dramsim3 like-ramulator2 frfcfs-16 "$tmp/closed.yaml" "$tmp/timeout.yaml"; do
      printf '{base: sluice, page: closed, postpone: 8}' >"$tmp/closed.yaml"
      printf '{base: sluice, page: timeout, page_timeout: 60, postpone: 4}' >"$tmp/timeout.yaml"
      for refresh in allbank perbank; do
        run "$sluice" dram gen:mix21_random,n=4000 --device "$device" --controller "$controller" --refresh "$refresh" \
          --quiet --commands "$tmp/log"
        [ "$code" -eq 2 ] && grep -q 'no per-bank refresh' "$tmp/err" && continue
        exits 0
        run "$dramcheck" "$tmp/log"
        exits 0
      done
    done
  done
}

no_skip_writes_the_same_log_and_counters() {
  for controller in sluice like-dramsim3 like-ramulator2 frfcfs-64 frfcfs-16; do
    run "$sluice" dram gen:bursty,n=2000 --device ref-gddr5 --controller "$controller" --commands "$tmp/a" --json "$tmp/a.json"
    exits 0
    run "$sluice" dram gen:bursty,n=2000 --device ref-gddr5 --controller "$controller" --commands "$tmp/b" --json "$tmp/b.json" --no-skip --general
    exits 0
    cmp -s "$tmp/a" "$tmp/b" || fail "$controller: another log"
    grep -v '"sim\.' "$tmp/a.json" >"$tmp/a.txt"
    grep -v '"sim\.' "$tmp/b.json" >"$tmp/b.txt"
    cmp -s "$tmp/a.txt" "$tmp/b.txt" || fail "$controller: other counters"
  done
}

# With one bank group nothing is between group and column: both names are one mapping (ref-lpddr4), else not (ref-hbm2).
a_run_ends_with_a_summary() {
  run "$sluice" dram gen:stream,n=4000 --device ref-hbm2 --mapping collow --json "$tmp/s.json"
  exits 0
  out_has "4000 reads and 0 writes in $(json cycles "$tmp/s.json") cycles of ref-hbm2"
  out_has "columns for each activation"
  ! grep -q "same here" "$tmp/out" || fail "bank groups make no difference"
  run "$sluice" dram gen:stream,n=100 --device ref-lpddr4 --mapping collow
  exits 0
  out_has "mappings collow and bglow are the same here"
}

channels_write_one_log_each() {
  run "$sluice" dram gen:stream,n=4000 --device ref-hbm2 --channels 4 --quiet --commands "$tmp/c"
  exits 0
  for log in "$tmp/c" "$tmp/c.1" "$tmp/c.2" "$tmp/c.3"; do
    [ "$(grep -c ' RD ' "$log")" -eq 1000 ] || fail "$log does not hold a quarter of the reads"
    run "$dramcheck" "$log"
    exits 0
  done
}

traces_of_all_forms_give_the_same_result() {
  printf '0 R 0\n5 W 3\n130 R 9\n' >"$tmp/block"
  printf '0x0 R 0\n0x140 W 3\n0x2080 R 9\n' >"$tmp/bytes"
  printf '0x0 READ 0\n0x140 WRITE 3\n0x2080 READ 9\n' >"$tmp/dramsim3"
  for form in block bytes dramsim3; do
    run "$sluice" dram "$tmp/$form" --device ref-ddr4 --csv -
    exits 0
    grep -v ',sim\.' "$tmp/out" >"$tmp/$form.csv"
    cmp -s "$tmp/block.csv" "$tmp/$form.csv" || fail "$form differs"
  done
}

mistakes_are_named() {
  run "$sluice" dram
  exits 2
  err_has "name one trace"
  run "$sluice" dram gen:stream --device ref-ddr5
  exits 2
  err_has "ref-ddr4"
  run "$sluice" dram gen:stream --controller slice
  exits 2
  err_has "did you mean 'sluice'?"
  run "$sluice" dram gen:stream --mapping r1
  exits 2
  err_has "row bits"
  run "$sluice" dram gen:stream --refresh sometimes
  exits 2
  err_has "none, allbank, perbank"
  run "$sluice" dram gen:stream --refresh perbank
  exits 2
  err_has "no per-bank refresh"
  run "$sluice" dram gen:stream --channels 3
  exits 2
  err_has "power of two"
  printf '1 R 0\n2 Q 0\n' >"$tmp/bad"
  run "$sluice" dram "$tmp/bad"
  exits 2
  err_has "$tmp/bad:2"
  printf '99999999999 R 0\n' >"$tmp/far"
  run "$sluice" dram "$tmp/far"
  exits 2
  err_has "beyond"
  printf '1 R 18446744073709551615\n' >"$tmp/late"
  run "$sluice" dram "$tmp/late"
  exits 2
  err_has "too far away"
  run "$sluice" dram "$tmp/nothing-here" --commands -
  exits 2
  [ ! -s "$tmp/out" ] || fail "the head of a log before the mistake"
  run "$sluice" dram gen:stream,n=10 --json /nonexistent/x
  exits 1
  run "$sluice" dram gen:stream,n=10 --commands /nonexistent/x
  exits 1
}

tests a_run_ends_with_a_summary json_has_the_documented_names every_controller_and_refresh_mode_keeps_every_constraint \
  no_skip_writes_the_same_log_and_counters channels_write_one_log_each traces_of_all_forms_give_the_same_result \
  mistakes_are_named
finish
