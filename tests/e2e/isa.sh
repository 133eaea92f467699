#!/bin/sh
# The arithmetic is built for several instruction sets: each gives the same results, statistics and messages.
#   isa.sh SLUICE [all]      all: every run of the manifest, instead of the arithmetic ones
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
some="numeric libm libmf half2s bits carry div64 vectors subword mandelbrot sha256 chacha functions matmul bitonic
  shuffles votes matches reduce scan spmv nested breaks generic_ptr fault_outside fault_misaligned prints"
[ "${2-}" != all ] || some=

# A machine or a build may lack some; asking for one that is not there is refused.
available() {
  SLUICE_ISA=$1 run "$sluice" run examples/gpgpusim/matmul_128.yaml --functional --quiet
  [ "$code" -eq 0 ] || { err_has "SLUICE_ISA=$1: not available" && echo "  no $1 here" && false; }
}

every_instruction_set_gives_the_same() {
  isas=
  for isa in generic avx2 avx512; do
    available $isa || continue
    isas="$isas $isa"
    # shellcheck disable=SC2086 # names are words
    SLUICE_ISA=$isa tests/e2e/results.sh "$sluice" "$tmp/$isa" $some || fail "$isa: no results"
  done
  [ "$(find "$tmp/generic" -name '*.json' | wc -l)" -ge 20 ] || fail "too few results"
  for isa in $isas; do
    diff -r "$tmp/generic" "$tmp/$isa" >"$tmp/diff" || fail "generic and $isa differ: $(head -n 20 "$tmp/diff")"
  done
}

tests every_instruction_set_gives_the_same
finish
