#!/bin/sh
# Every run of the kernels gives the same from gcc's and clang's builds, under every instruction set.
#   builds.sh SLUICE
set -eu
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for compiler in gcc clang; do
  dir=build
  [ $compiler = gcc ] || dir=build-$compiler
  [ -f "$dir/build.ninja" ] || CC=$compiler meson setup "$dir" --buildtype=release >/dev/null
  ninja -C "$dir" --quiet sluice
  for isa in generic avx2 avx512; do
    SLUICE_ISA=$isa "$dir/sluice" run examples/gpgpusim/matmul_128.yaml --functional --quiet || {
      echo "builds: no $isa on this machine"
      continue
    }
    SLUICE_ISA=$isa tests/e2e/results.sh "$dir/sluice" "$tmp/$compiler-$isa"
    diff -r "$tmp/gcc-generic" "$tmp/$compiler-$isa"
  done
done
echo "builds: $(find "$tmp/gcc-generic" -name '*.txt' | wc -l) runs are the same: $(cd "$tmp" && echo *)"
