#!/bin/sh
# Runs killed at random moments, by SIGINT and SIGKILL, while they write results: an output is the old one or
# a whole new one, and SIGINT leaves no temporary behind.
#   kill.sh SLUICE        KILLS (200) rounds for each signal
set -eu
cd "$(dirname "$0")/../.."
sluice=$(realpath "$1") rounds=${KILLS:-200}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp examples/gpgpusim/kernels.ptx "$tmp"
# One launch is short, so that many rounds are killed while results are written.
cat >"$tmp/k.yaml" <<'END'
ptx: kernels.ptx
buffers:
  a: {count: 65536, type: f32, fill: {value: 1}}
  b: {count: 65536, type: f32, fill: {value: 2}}
  c: {count: 4194304, type: f32, fill: zero}
launches:
  - {kernel: vecadd, grid: [256], block: [256], args: [a, b, c, {s32: 65536}]}
outputs:
  - {buffer: c, file: c.bin}
END
"$sluice" run "$tmp/k.yaml" --functional --quiet --json "$tmp/r.json" --csv "$tmp/r.csv"
size=$(wc -c <"$tmp/c.bin")
wall=$(sed -n '/^  "stats"/,/^  }/s/^    "sim.wall_seconds": \([0-9.]*\).*/\1/p' "$tmp/r.json")

whole() { # what was there before, or all of it
  [ ! -e "$tmp/c.bin" ] || [ "$(wc -c <"$tmp/c.bin")" -eq "$size" ] || { echo "kill: c.bin is cut off" && exit 1; }
  [ ! -e "$tmp/r.json" ] || [ "$(tail -n 1 "$tmp/r.json")" = "}" ] || { echo "kill: r.json is cut off" && exit 1; }
  [ ! -e "$tmp/r.csv" ] || tail -n 1 "$tmp/r.csv" | grep -q '^total,,sim.peak_rss_mb,' ||
    { echo "kill: r.csv is cut off: $(tail -n 1 "$tmp/r.csv")" && exit 1; }
}

for signal in INT KILL; do
  finished=0 wrote=0
  for i in $(seq "$rounds"); do
    rm -f "$tmp"/r.json "$tmp"/r.csv "$tmp"/c.bin
    "$sluice" run "$tmp/k.yaml" --functional --quiet --json "$tmp/r.json" --csv "$tmp/r.csv" 2>/dev/null &
    pid=$!
    sleep "$(awk -v w="$wall" -v i="$i" -v n="$rounds" 'BEGIN { print w * 2 * i / n }')"
    kill -$signal $pid 2>/dev/null || true
    if { wait $pid; } 2>/dev/null; then finished=$((finished + 1)); fi
    [ ! -e "$tmp/c.bin" ] || wrote=$((wrote + 1))
    whole
    if [ $signal = INT ] && [ "$(find "$tmp" -type f | grep -vcE '/(kernels.ptx|k.yaml|r.json|r.csv|c.bin)$')" -ne 0 ]; then
      echo "kill: left behind: $(ls "$tmp")"
      exit 1
    fi
  done
  echo "kill: $rounds runs ended by SIG$signal, $finished of them had finished, $wrote had written an output; all whole"
done
