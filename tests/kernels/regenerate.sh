#!/bin/sh
# Rebuilds what is committed beside its source: expected/*.bin always, *.ptx with --ptx (needs nvcc and
# clang; CUDA names the toolkit's folder, LIBCLC the bitcode library of nvptx64--nvidiacl).
set -eu
cd "$(dirname "$0")"
CC=${CC:-cc}
CUDA=${CUDA:-/usr/local/cuda}
LIBCLC=${LIBCLC:-/usr/lib/clc/nvptx64--nvidiacl.bc}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

if [ "${1-}" = --ptx ]; then
  shift
  [ $# -gt 0 ] || set -- *.cu *.cl
  for f in "$@"; do
    out=${f%.c?}.ptx
    case $f in
    *.cu) # "// arch: sm_NN" on the first line
      # shellcheck disable=SC2046 # options are words
      "$CUDA/bin/nvcc" -ptx $(sed -n '1s,^// arch: ,-arch=,p' "$f") $(sed -n '1,3s,^// flags: ,,p' "$f") -o "$out" "$f" ;;
    *.cl) # "// clang: VERSION"; the library is clang 16's
      version=$(sed -n '1s,^// clang: ,,p' "$f")
      link='' cpu=''
      [ "$version" -lt 16 ] || link="-Xclang -mlink-builtin-bitcode -Xclang $LIBCLC" cpu="-Xclang -target-cpu -Xclang sm_75 -Xclang -target-feature -Xclang +ptx75"
      # shellcheck disable=SC2086 # options are words
      "clang-$version" -target nvptx64--nvidiacl -cl-std=CL1.2 -O2 $cpu -Xclang -finclude-default-header $link -S -o "$out" "$f" ;;
    esac
    sed -i -E 's,^(\s*\.file\s+[0-9]+ ")[^"]*/,\1,' "$out" # source names without the folder
  done
fi
mkdir -p expected
$CC -std=c17 -O1 -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -o "$tmp/expected" expected*.c -lm
"$tmp/expected" expected
