#!/bin/sh
# scripts/validate-v100 puts steps of the v100 beside published figures.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# A chain of multiply-adds takes what the preset says: the unit's 4 cycles and 5 stages; a loop is closed meanwhile.
published_and_simulated_stand_side_by_side() {
  run scripts/validate-v100 "$sluice" fma shared
  exits 0
  out_has '| step | published | simulated | error | source |'
  out_has '| dependent f32 multiply-adds | 4 | 9.0 cycles | +125 % | guide |'
  grep -q '^| dependent loads of shared memory | 23.49 | [0-9.]* cycles | [-+][0-9]* % | mt4g |' "$tmp/out" || fail "no row of shared memory"
  [ "$(grep -c '^| dependent' "$tmp/out")" = 2 ] || fail "other rows: $(cat "$tmp/out")"
}

# Every row has a launch file, a source that the page names, and is on the page.
the_page_is_of_this_set() {
  sed 1d validation/v100/published.csv | while IFS=, read -r name what published unit source; do
    [ -f "validation/v100/${name%_in_turn}.yaml" ] || echo "no launch file of $name"
    grep -q "^- $source: " docs/validation-v100.md || echo "no source $source"
    grep -q "^| $what | $published | [0-9.]* $unit | " docs/validation-v100.md || echo "not on the page: $what"
  done >"$tmp/missing"
  [ ! -s "$tmp/missing" ] || fail "$(cat "$tmp/missing")"
}

tests published_and_simulated_stand_side_by_side the_page_is_of_this_set
finish
