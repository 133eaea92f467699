#!/bin/sh
# 10^9 warp instructions of a single wave, in 256 MB of address space: memory does not grow with the run.
#   billion.sh SLUICE
set -eu
cd "$(dirname "$0")/../.."
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
prlimit --as=268435456 "$1" run tests/kernels/billion.yaml --functional --quiet --json "$tmp"
sed -n '/^  "stats"/,/^  }/p' "$tmp" | tr -d '",:' | awk '
  $1 == "warp_instructions" { n = $2 }
  $1 == "sim.peak_rss_mb" { mb = $2 }
  $1 == "sim.exec_seconds" { s = $2 }
  END {
    printf "billion: %.0f warp instructions, %.1f MB at most, %.1f s\n", n, mb, s
    exit !(n >= 1e9 && mb > 0 && mb < 70)
  }'
