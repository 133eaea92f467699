#!/bin/sh
# Records the golden vectors on the GPU of this machine into parts OUTDIR/h200.bin.aa, .ab ...; then
#   cat OUTDIR/h200.bin.* >h200.bin && zstd -19 --long=27 h200.bin -o tests/golden/h200.bin.zst
# usage: tests/golden/record.sh OUTDIR     needs gcc, the CUDA toolkit and a driver
set -eu
out=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cuda=${CUDA_HOME:-/usr/local/cuda}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$root"
printf '%s\n' src/front/ptx/ops/*.c src/front/ptx/ops.c | xargs -P 8 -I{} sh -c \
  "gcc -std=gnu17 -O1 -ffp-contract=off -Isrc -c {} -o $tmp/\$(echo {} | tr / _).o"
gcc -std=gnu17 -Isrc -Itests/golden tests/golden/gen.c "$tmp"/*.o -lm -lpthread -o "$tmp/gen"
gcc -std=gnu17 -O2 -Isrc -Itests/golden -I"$cuda/include" tests/golden/record.c \
  -L"$cuda/lib64/stubs" -L"$cuda/targets/x86_64-linux/lib/stubs" -lcuda -o "$tmp/record"
mkdir "$tmp/ptx"
"$tmp/gen" "$tmp/ptx"
printf '%s\n' "$tmp"/ptx/*.ptx | sed 's/\.ptx$//' | xargs -P 8 -I{} "$cuda/bin/ptxas" -arch=sm_90 {}.ptx -o {}.cubin
mkdir -p "$out"
"$tmp/record" "$tmp/ptx" "$out/h200.bin"
split -b 15000000 "$out/h200.bin" "$out/h200.bin." && rm "$out/h200.bin"
