#!/bin/sh
# Builds hwrun where a CUDA toolkit is. Needs a C compiler and nothing else of Sluice's dependencies.
#   tools/hw/build.sh [OUTPUT]      CUDA_HOME names the toolkit, CC the compiler
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$root/build/hwrun}
nvcc=$(command -v nvcc || true)
cuda=${CUDA_HOME:-${nvcc:+$(dirname "$(dirname "$(readlink -f "$nvcc")")")}}
if [ -z "$cuda" ]; then
  cuda=/usr/local/cuda
fi
if [ ! -f "$cuda/include/cuda.h" ]; then
  echo "build.sh: no CUDA toolkit at '$cuda'; set CUDA_HOME" >&2
  exit 1
fi
libs=
for dir in "$cuda/lib64/stubs" "$cuda/lib/stubs"; do
  [ -d "$dir" ] && libs="$libs -L$dir"
done
mkdir -p "$(dirname "$out")"
cd "$root"
# shellcheck disable=SC2086 # several words on purpose
${CC:-cc} -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -ffp-contract=off -Iinclude -Isrc -Itools/hw -isystem "$cuda/include" \
  tools/hw/hwrun.c tools/hw/hwtimer.c tools/hw/hwenergy.c \
  src/front/launch/elem.c src/front/launch/fill.c src/front/launch/file.c src/front/launch/output.c \
  src/front/launch/plan_read.c \
  src/base/error.c src/base/file.c src/base/json.c src/base/mem.c src/base/num.c \
  src/base/pool.c src/base/rescue.c src/base/strbuf.c \
  $libs -lcuda -lm -ldl -lpthread -o "$out"
echo "$out"
