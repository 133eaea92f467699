#!/bin/sh
# Random requests against every device preset, under every policy and refresh mode; every command goes
# through dramcheck. Rounds go on with other seeds until COMMANDS (50 million) are proven; the first
# violation ends it.
set -eu
cd "$(dirname "$0")/../.."
sluice=${1:-build/sluice} goal=${COMMANDS:-50000000}
check=$(dirname "$sluice")/tools/dramcheck/dramcheck
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

n=0
while read -r text; do
  n=$((n + 1))
  echo "$text" >"$tmp/$n.yaml"
done <<'END'
{base: sluice, page: closed, postpone: 8}
{base: sluice, page: timeout, page_timeout: 50, postpone: 4}
{base: sluice, pick: fcfs}
{base: sluice, pick: oldest-ready, age_limit: 300}
{base: sluice, pick: round-robin, write_queue: 0, page: closed}
{base: like-dramsim3, page: timeout, page_timeout: 100, postpone: 2}
{base: like-ramulator2, postpone: 8}
{base: sluice, age_limit: 200, row_hit_cap: 0, read_queue: 16, write_queue: 8, write_high: 6, write_low: 2}
{base: sluice, keep_hits: false, row_hit_cap: 2, postpone: 1}
END

total=0 runs=0 seed=0
one() { # device controller refresh trace mapping
  code=0
  "$sluice" dram "$4" --device "$1" --controller "$2" --refresh "$3" --mapping "$5" --quiet \
    --commands "$tmp/log" 2>"$tmp/err" || code=$?
  if [ "$code" -eq 2 ] && grep -Eq 'no per-bank refresh|no tREFI|no bit|bank group' "$tmp/err"; then
    return 0 # the device has no such thing
  fi
  [ "$code" -eq 0 ] || { echo "sluice dram $*: exit $code"; cat "$tmp/err"; return 1; }
  "$check" "$tmp/log" >"$tmp/out" || { echo "sluice dram $*"; head -5 "$tmp/out"; return 1; }
  total=$((total + $(grep -vc '^#' "$tmp/log"))) runs=$((runs + 1))
}

while [ "$total" -lt "$goal" ]; do
  seed=$((seed + 1))
  for device in presets/dram/*.yaml; do
    for controller in sluice like-dramsim3 like-ramulator2 "$tmp"/*.yaml; do
      for refresh in none allbank perbank; do
        case $(((runs + seed) % 4)) in
        0) trace="gen:random,n=30000,seed=$seed,reads=0.67" mapping=bglow ;;
        1) trace="gen:runs,n=30000,seed=$seed,reads=0.5" mapping=collow,b0^r0,b1^r1 ;;
        2) trace="gen:bursty,n=10000,seed=$seed" mapping=bglow,b0^r2^r4 ;;
        *) trace="gen:streams,n=30000,seed=$seed,reads=0.75" mapping=collow ;;
        esac
        one "$device" "$controller" "$refresh" "$trace" "$mapping"
        [ "$total" -lt "$goal" ] || break 3
      done
    done
  done
done
echo "$total commands in $runs runs, no violation"
