#!/bin/sh
# Generated streams on the command line: MARS' workloads run like any other, live and recorded.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
all="mars-wl1 mars-wl2 mars-wl3 mars-wl4 mars-wl5"

same() { # LIVE REPLAYED WHAT
  grep -v ',sim\.' "$1" >"$tmp/a"
  grep -v ',sim\.' "$2" >"$tmp/b"
  cmp -s "$tmp/a" "$tmp/b" || fail "$3: the statistics differ"
}

# 128 x 128 pixels in warps of 32, or 64
accesses_follow_from_the_pixels() {
  for width in 32 64; do
    run "$sluice" run mars-wl2 --functional --warp-width $width --quiet --json "$tmp/t.json" && exits 0
    n=$((128 * 128 / width))
    [ "$(json loads "$tmp/t.json")" = $((2 * n)) ] || fail "width $width: $(json loads "$tmp/t.json") loads"
    [ "$(json stores "$tmp/t.json")" = $((2 * n)) ] || fail "width $width: $(json stores "$tmp/t.json") stores"
    [ "$(json global.lanes "$tmp/t.json")" = $((4 * 128 * 128)) ] || fail "width $width: lanes"
    [ "$(json warp_instructions "$tmp/t.json")" = $((4 * n * 3)) ] || fail "width $width: instructions"
  done
}

a_replay_gives_the_same_statistics() {
  for name in $all; do
    for gpu in gtx480 cart28; do
      run "$sluice" trace record $name --gpu $gpu --param contexts=7 -o "$tmp/s" --quiet && exits 0
      run "$sluice" run $name --gpu $gpu --param contexts=7 --with mars --quiet --csv "$tmp/live.csv" && exits 0
      run "$sluice" run "$tmp/s" --gpu $gpu --with mars --quiet --csv "$tmp/again.csv" && exits 0
      same "$tmp/live.csv" "$tmp/again.csv" "$name on $gpu"
    done
  done
}

every_gpu_runs_them() {
  for gpu in $("$sluice" list gpus --json | sed -n 's/^ *"name": "\(.*\)",*$/\1/p'); do
    for name in $all; do
      run "$sluice" run $name --gpu "$gpu" --quiet && exits 0
    done
  done
}

threads_and_order_do_not_change_the_counts() {
  run "$sluice" run mars-wl1 --gpu cart28 --quiet --csv "$tmp/live.csv" && exits 0
  run "$sluice" run mars-wl1 --gpu cart28 --threads 4 --delays 1 --quiet --csv "$tmp/again.csv" && exits 0
  same "$tmp/live.csv" "$tmp/again.csv" "four threads"
  for order in ascending reversed 9; do
    run "$sluice" run mars-wl1 --functional --cta-order $order --quiet --csv "$tmp/$order.csv" && exits 0
  done
  same "$tmp/ascending.csv" "$tmp/reversed.csv" reversed
  same "$tmp/ascending.csv" "$tmp/9.csv" shuffled
  run "$sluice" trace record mars-wl1 --set front.cta_order=reversed -o "$tmp/r" --quiet && exits 0
  run "$sluice" trace record mars-wl1 -o "$tmp/f" --quiet && exits 0
  cmp -s "$tmp/r" "$tmp/f" && fail "the order of CTAs was not reversed"
}

the_seed_moves_the_texture() {
  for seed in 1 2; do
    run "$sluice" trace record mars-wl1 --seed $seed -o "$tmp/$seed" --quiet && exits 0
  done
  cmp -s "$tmp/1" "$tmp/2" && fail "two seeds, one stream"
}

# A tile is a page of 32 lines: as many requests to each, in any window.
locality_of_a_recording() {
  run "$sluice" trace record mars-wl3 --size medium --param tile=32 -o "$tmp/s" --quiet && exits 0
  run "$sluice" trace locality "$tmp/s" && exits 0
  for window in 128 1024 16384; do
    grep -q "^$window *32.00$" "$tmp/out" || fail "window $window: $(cat "$tmp/out")"
  done
  out_has "of $((1920 * 1088 / 32)) requests"
  run "$sluice" trace locality "$tmp/s" --json && exits 0 && out_has '"128": 32'
  head -c 1000 "$tmp/s" >"$tmp/cut"
  run "$sluice" trace locality "$tmp/cut" && exits 2
}

# 256 requests to two pages in turn: 64 of 128 to each, 128 of 256.
locality_of_a_list_of_addresses() {
  i=0
  while [ $i -lt 128 ]; do
    echo "0x0 R"
    echo "0x1040 W"
    i=$((i + 1))
  done >"$tmp/list"
  run "$sluice" trace locality "$tmp/list" && exits 0 && out_has "of 256 requests"
  grep -q '^128 *64.00$' "$tmp/out" || fail "$(cat "$tmp/out")"
  grep -q '^256 *128.00$' "$tmp/out" || fail "$(cat "$tmp/out")"
  grep -q '^512' "$tmp/out" && fail "a window that is not full"
  echo "0x0 X" >"$tmp/list"
  run "$sluice" trace locality "$tmp/list" && exits 2
  run "$sluice" trace locality "$tmp/nowhere" && exits 2
}

what_does_not_go_together_is_refused() {
  run "$sluice" run mars-wl1 --param width=136 && exits 2 && err_has "must be multiples of tile, 16"
  run "$sluice" run mars-wl1 --param scale=-1 && exits 2 && err_has "scale -1"
  run "$sluice" run mars-wl3 --param pass=50 && exits 2 && err_has "there is no 'pass'"
  run "$sluice" run mars-wl3 --param tile=20 && exits 2
  run "$sluice" launch-plan mars-wl1 -o "$tmp/plan" && exits 2 && err_has "no kernel that a real GPU could run"
  run "$sluice" run mars-wl1 --functional --max-instructions 10 && exits 4
}

tests accesses_follow_from_the_pixels a_replay_gives_the_same_statistics every_gpu_runs_them \
  threads_and_order_do_not_change_the_counts the_seed_moves_the_texture locality_of_a_recording \
  locality_of_a_list_of_addresses what_does_not_go_together_is_refused
finish
