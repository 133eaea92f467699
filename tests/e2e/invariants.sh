#!/bin/sh
# Invariants on random traffic, with every technique and every pair that goes together: each request is answered once, none of an
# SM passes another of its SM for the same line where one of them changes it, none waits long, what techniques count adds
# up. (check.requests follows requests one by one; a violated invariant ends the run.) tests/long/invariants.sh does more of it.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
# shellcheck source=tests/invariants/traffic.sh
. tests/invariants/traffic.sh

every_technique_holds_the_invariants() {
  traffic 1 15 4 2048
  each_alone holds_the_invariants
  each_of_clusters holds_the_invariants
  each_of_units holds_the_invariants
}

techniques_are_notified_of_every_line_replaced() {
  traffic 1 15 4 2048
  each_way_of_replacing holds_the_invariants
}

every_pair_holds_them() {
  traffic 2 15 2 2048
  each_pair holds_the_invariants
  traffic 3 16 2 2048
  each_pair_with_rata holds_the_invariants
}

# Instruction fetches leave an SM through the same port as a flood of loads past the L1, and slow memory keeps it full.
loads_do_not_starve_instruction_fetches() {
  traffic 2 45 4 4096
  holds_the_invariants fermi15 fcfs,bucl
}

# One request waits for a line to go, another for the same is sent back: the first is still tried as soon as it can pass.
what_waits_beside_a_request_sent_back_is_not_forgotten() {
  traffic 1 32 6 4096
  for how in "" --no-skip; do
    # shellcheck disable=SC2086 # an option or none
    holds_the_invariants rx540 frc --set l2.inclusive=false --csv "$tmp/l.csv" $how
    grep -v ',sim\.' "$tmp/l.csv" >"$tmp/numbers$how"
  done
  cmp -s "$tmp/numbers" "$tmp/numbers--no-skip" || fail "other numbers without skipping"
}

# The checker sees what it is there for: a request that waits longer than allowed.
a_long_wait_is_an_error() {
  traffic 1 15 2 2048
  # shellcheck disable=SC2086 # options and their values
  run "$sluice" run "$tmp/traffic.yaml" --gpu fermi15 --quiet $tight --set check.longest_wait=100
  exits 1
  err_has "check.longest_wait allows 100"
}

tests every_technique_holds_the_invariants techniques_are_notified_of_every_line_replaced every_pair_holds_them loads_do_not_starve_instruction_fetches \
  what_waits_beside_a_request_sent_back_is_not_forgotten a_long_wait_is_an_error
finish
