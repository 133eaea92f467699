#!/bin/sh
# Invariants on random traffic, at length: every technique and every pair that goes together, on several streams and GPUs with
# little of everything. Each request answered once, those of an SM for a line in order, none waiting long, sums that add
# up (tests/invariants/traffic.sh); and the same numbers on any number of threads, in any order of units, without skipping.
#   tests/long/invariants.sh SLUICE [PART...]
# Parts: `one` runs on one thread, with units in another order, without skipping; `threads` on 2 and 3 threads. Both by default.
# SEEDS (3): streams for each. FROM (1): the first of them. Prints a line for each combination, so that what has run is known
# when it is stopped. On two cores busy with other work `one` takes a quarter of an hour for each stream, `threads` an hour:
# threads meet every few cycles, and each waits for those that are not running.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
# shellcheck source=tests/invariants/traffic.sh
. tests/invariants/traffic.sh
shift
runs=0 refused=0

numbers() { grep -v ',sim\.' "$tmp/l.csv" | cksum; }

# always GPU WITH [OPTIONS...]: the invariants, and the same numbers however it is simulated
always() {
  g=$1 w=$2
  shift 2
  holds_the_invariants "$g" "$w" --csv "$tmp/l.csv" "$@"
  if [ "$code" -eq 2 ]; then
    refused=$((refused + 1))
    return
  fi
  runs=$((runs + 1))
  [ "$code" -eq 0 ] || return
  same=$(numbers)
  case $kind in one) ways="--shuffle=$seed --no-skip --general" ;; *) ways="--threads=2,--general --threads=3,--shuffle=$seed" ;; esac
  for how in $ways; do
    # shellcheck disable=SC2046 # options and their values
    holds_the_invariants "$g" "$w" --csv "$tmp/l.csv" $(echo "$how" | tr ',=' '  ') "$@"
    runs=$((runs + 1))
    [ "$(numbers)" = "$same" ] || fail "$w on $g, seed $seed: other numbers with $how"
  done
  echo "$kind, stream $seed, $g, $w: $(json cycles "$tmp/l.json") cycles"
}

stream_for_15() {
  traffic "$seed" 45 8 4096
  each_alone always
  each_pair always
}

stream_for_80() {
  traffic "$seed" 80 6 4096
  each_of_clusters always
  each_of_units always
  each_pair_with_rata always
}

[ $# -gt 0 ] || set -- one threads
for kind; do
  case $kind in one | threads) ;; *) echo "no part $kind: one, threads" && exit 2 ;; esac
  for seed in $(seq "${FROM:-1}" $((${FROM:-1} + ${SEEDS:-3} - 1))); do
    tests stream_for_15 stream_for_80
  done
done
echo "$runs runs, $refused combinations refused"
finish
