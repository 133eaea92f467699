#!/bin/sh
# Laws on random traffic, at length: every technique and every pair that goes together, on several streams and GPUs with
# little of everything. Each request answered once, those of an SM for a line in order, none waiting long, sums that add
# up (tests/laws/traffic.sh); and the same numbers on any number of threads, in any order of units, without skipping.
#   tests/long/laws.sh SLUICE
# SEEDS (3): streams for each; 5 to 10 minutes for each of them.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
# shellcheck source=tests/laws/traffic.sh
. tests/laws/traffic.sh
runs=0

numbers() { grep -v ',sim\.' "$tmp/l.csv" | cksum; }

# always GPU WITH [OPTIONS...]: the laws, and the same numbers however it is simulated
always() {
  g=$1 w=$2
  shift 2
  keeps_the_laws "$g" "$w" --csv "$tmp/l.csv" "$@"
  runs=$((runs + 1))
  [ "$code" -eq 0 ] || return
  same=$(numbers)
  for how in "--threads 2" "--threads 3 --shuffle $seed" --no-skip; do
    # shellcheck disable=SC2086 # options and their values
    keeps_the_laws "$g" "$w" --csv "$tmp/l.csv" $how "$@"
    runs=$((runs + 1))
    [ "$(numbers)" = "$same" ] || fail "$w on $g, seed $seed: other numbers with $how"
  done
}

all_of_them() {
  for seed in $(seq "${SEEDS:-3}"); do
    traffic "$seed" 45 8 4096
    for with in $singles; do always fermi15 "$with"; done
    for a in $names; do
      for b in $names; do
        [ "$a" = "$b" ] && break
        always fermi15 "$a,$b"
      done
    done
    traffic "$seed" 80 6 4096
    for with in $clusters; do always rata80 "$with"; done
    for with in $units; do always rx540 "$with" --set l2.inclusive=false; done
    always rx540 frc:entries=4 --set l2.inclusive=true --set l2.nack=true
    for b in $names; do
      [ "$b" = rata ] || always rata80 "rata:ways=2,$b"
    done
  done
  echo "$runs runs"
}

tests all_of_them
finish
