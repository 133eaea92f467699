#!/bin/sh
# The timing model on several threads under ThreadSanitizer: no data race, the same cycles.
#   threads.sh SLUICE
set -eu
cd "$(dirname "$0")/../.."
sluice=$1
dir=${TSAN_BUILD:-build-tsan}
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
cycles() { sed -n 's/^    "cycles": \([0-9]*\).*/\1/p' "$tmp"; }
[ -f "$dir/build.ninja" ] || CC=gcc meson setup "$dir" --buildtype=debugoptimized -Db_sanitize=thread \
  -Dvector_isa=false -Dtests=false >/dev/null
ninja -C "$dir" --quiet sluice
for gpu in gtx480 fermi15; do
  "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu $gpu --quiet --json "$tmp"
  expected=$(cycles)
  for n in 2 5; do
    # a race is exit code 66
    "$dir/sluice" run examples/gpgpusim/matmul_128.yaml --gpu $gpu --quiet --threads $n --json "$tmp"
    [ "$(cycles)" = "$expected" ] || {
      echo "threads: $gpu, $n threads: $(cycles) cycles instead of $expected"
      exit 1
    }
  done
done
echo "threads: no data race"
