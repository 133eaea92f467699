#!/bin/sh
# Coherence protocols of the L1 data caches, end to end.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
base=0x710000000000 base=$((base))

# A kernel of two instructions: every lane stores its word of line 0 and loads it again. $1: the store, $2: the load.
pair() {
  cat <<EOF
.version 7.0
.target sm_70
.address_size 64
.visible .entry pair(.param .u64 p)
{
  .shared .align 4 .u32 s;
  .reg .u64 %a, %o;
  .reg .u32 %t, %v;
  .reg .pred %first;
  ld.param.u64 %a, [p];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 4;
  add.u64 %a, %a, %o;
  setp.eq.u32 %first, %t, 0;
  $1
  membar.gl;
  $2
  st.shared.u32 [s], %v;
  ret;
}
EOF
}
whole='st.global.u32 [%a], %t;' part='@%first st.global.u32 [%a], %t;' load='ld.global.u32 %v, [%a];'

# si STORE LOAD WANT: runs it; coherence.si_kept, coherence.si_dropped, reads that leave the SM, L2 sectors read and written past all caches
si() {
  pair "$1" "$load $2" >"$tmp/kernels.ptx"
  cycles "{kernel: pair, grid: [1], block: [32], args: [d]}" "{bytes: 64Ki, at: $base}" gpu.sms=1 l1i.on=false l1d.coherence=si \
    l1d.write_global=through l1d.write_local=through check.requests=true >"$tmp/cycles"
  got="$(stat coherence.si_kept) $(stat coherence.si_dropped) $(stat latency.count) $(stat coherence.system_reads) $(stat coherence.system_writes)"
  [ "$got" = "$3" ] || fail "$1 $2: kept, dropped, reads, system reads and writes $got instead of $3"
}

# FRC thesis, 4.5.4: stores write the L1 and the L2; a line that was written in part, or with GLC, then leaves the L1. GLC loads go past the L1,
# SLC accesses past the L2, too. The line has four sectors.
southern_islands() {
  si "$whole" "" "1 0 0 0 0"
  si "$whole" "$part $load" "1 1 1 0 0"
  si "$part" "" "0 0 1 0 0"
  si "st.global.cg.u32 [%a], %t;" "" "0 0 1 0 0"
  si "st.volatile.global.u32 [%a], %t;" "$load" "0 0 1 0 0"
  si "$whole" "ld.global.cg.u32 %v, [%a];" "1 0 1 0 0"
  si "$whole" "ld.volatile.global.u32 %v, [%a]; $load" "1 0 1 0 0"
  si "$whole" "ld.global.cv.u32 %v, [%a];" "1 0 1 4 0"
  si "$whole" "st.global.wt.u32 [%a], %t;" "1 1 0 0 4"
}

# What the L2 had changed of a line is in memory before a read past it: two times four sectors, and none of them again at the end.
what_goes_past_the_l2_leaves_nothing_behind() {
  si "$whole" "ld.global.cv.u32 %v, [%a]; ld.global.cv.u32 %v, [%a];" "1 0 2 8 0"
  [ "$(stat l2.writes)" = 4 ] || fail "$(stat l2.writes) sectors written instead of 4"
}

# directory PROTOCOL SMS FIRST THEN: that many SMs do both; then stat tells the numbers
directory() {
  pair "$3" "$4" >"$tmp/kernels.ptx"
  # shellcheck disable=SC2086 # settings are words
  cycles "{kernel: pair, grid: [$2], block: [32], args: [d]}" "{bytes: 64Ki, at: $base}" gpu.sms="$2" l1i.on=false l1d.coherence="$1" \
    l1d.write_global=back l1d.write_global_miss=fetch l1d.write_local=back l1d.write_local_miss=fetch l2.inclusive=true l2.sector_bytes=128 \
    check.requests=true noc.latency="${latency:-5}" ${more:-} >"$tmp/cycles"
}
# counts NAME WANT...: what stores asked for, upgrades, downgrades, invalidations, no longer exclusive, bytes that came back
counts() {
  name=$1
  shift
  got="$(stat coherence.store_asks) $(stat coherence.upgrades) $(stat coherence.downgrades) $(stat coherence.invalidations)"
  got="$got $(stat coherence.no_owner_told) $(stat coherence.bytes_merged)"
  [ "$got" = "$*" ] || fail "$name: asked, upgraded, downgrades, invalidations, no owner, bytes: $got instead of $*"
}

# One SM: who reads a line alone may write it (E). Of NMOESI the directory is told that nobody owns it.
who_is_alone_asks_once() {
  for p in moesi nmoesi; do
    directory $p 1 "$load" "$whole"
    counts "$p, load and store" 0 0 0 0 "$([ $p = moesi ] && echo 0 || echo 1)" 128
    directory $p 1 "$part" "$load"
    counts "$p, store and load" 1 0 0 0 0 4
    [ "$(stat l1d.misses) $(stat l1d.hits)" = "1 1" ] || fail "$p: the load did not find the stored line"
  done
}

# The line of an atomic leaves the L1 first, and with it what was changed there. The L2 has the line from the start: it finds the fetch of the
# store, what comes back of it, and both atomics.
an_atomic_waits_until_its_line_has_left() {
  for p in moesi nmoesi; do
    directory $p 1 "$part" "atom.global.or.b32 %v, [%a], 1; atom.global.or.b32 %v, [%a], 2;"
    counts "$p, store and atomics" 1 0 0 0 0 4
    [ "$(stat coherence.told) $(stat l2.hits)" = "1 4" ] || fail "$p: told, and found in the L2: $(stat coherence.told) $(stat l2.hits) instead of 1 4"
  done
}

# Four SMs read a line: the first has it alone (E) until the second comes.
a_second_reader_downgrades_the_first() {
  for p in moesi nmoesi; do
    directory $p 4 "$load" ""
    counts "$p, loads" 0 0 1 0 0 0
    before=$(stat coherence.wait_cycles)
    latency=25 directory $p 4 "$load" ""
    [ $(($(stat coherence.wait_cycles) - before)) = 40 ] || fail "$p: 20 cycles more each way: $before and $(stat coherence.wait_cycles)"
  done
}

# Four SMs store the same word: each takes the line from the one before; or (N) all have it, and each writes it back.
writers_take_a_line_from_each_other_or_all_have_it() {
  directory moesi 4 "$part" ""
  counts "moesi, stores" 4 0 0 3 0 16
  directory nmoesi 4 "$part" ""
  counts "nmoesi, stores" 4 0 0 0 0 16
}

# An L1 of one line, two loads: two round trips; with l1d.evict_first a third, of the first line's end.
a_line_is_asked_for_when_the_one_before_is_gone() {
  for first in false true; do
    for latency in 5 25; do
      more="l1d.sets=1 l1d.ways=1 l1d.evict_first=$first" directory nmoesi 1 "$load" "ld.global.u32 %v, [%a+128];"
      cat "$tmp/cycles"
    done >"$tmp/two"
    grew=$(($(tail -1 "$tmp/two") - $(head -1 "$tmp/two")))
    want=$([ $first = true ] && echo 120 || echo 80)
    [ "$grew" = "$want" ] || fail "l1d.evict_first=$first: 20 cycles more each way are $grew instead of $want"
  done
  latency=5
}

# settings of a protocol, for a preset of the thesis
of() {
  case $1 in
  si) echo "--set l1d.coherence=si --set l2.inclusive=false" ;;
  *) echo "--set l1d.coherence=$1 --set l2.inclusive=true --set l1d.allocate=on-miss --set l1d.write_global=back --set l1d.write_global_miss=fetch" \
    "--set l1d.write_local=back --set l1d.write_local_miss=fetch" ;;
  esac
}
ran() {
  # shellcheck disable=SC2046 # settings are words
  run "$sluice" run "$@" --set check.requests=true --quiet --json "$tmp/t.json"
  exits 0
}
numbers() { sed -n '/^  "stats"/,/^  }/p' "$tmp/t.json" | grep -v '"sim\.'; }

numbers_do_not_depend_on_how_time_is_advanced() {
  for p in $protocols; do
    for k in examples/gpgpusim/matmul_128.yaml tests/kernels/histogram.yaml; do
      rm -f "$tmp/sums"
      for how in "" "--no-skip --shuffle 3" "--threads 2 --delays 1" "--threads 3 --delays 1" "--threads 8 --delays 1"; do
        # shellcheck disable=SC2046,SC2086 # settings are words
        ran $k --gpu hd7770 $(of $p) $how
        numbers | cksum >>"$tmp/sums"
      done
      [ "$(sort -u "$tmp/sums" | wc -l)" = 1 ] || fail "$p, $k: numbers depend on how time is advanced"
    done
  done
}

kernels_end() {
  for p in $protocols; do
    for k in tests/kernels/bitonic.yaml tests/kernels/atomics_global.yaml tests/kernels/local_array.yaml examples/gpgpusim/ttiled_512.yaml; do
      # shellcheck disable=SC2046 # settings are words
      ran "$k" --gpu rx540 $(of "$p")
    done
  done
}

# One entry in every queue, two lines in a slice and in an L1.
nothing_stands_still() {
  for p in moesi nmoesi; do
    for with in "--set l2.nack=false" "--set noc.sms_per_link=3"; do
      # shellcheck disable=SC2046,SC2086 # settings are words
      ran tests/kernels/bitonic.yaml --gpu hd7770 $(of $p) --set l2.sets=1 --set l2.ways=2 --set l2.in=1 --set l2.out=1 --set noc.in=1 --set noc.out=1 \
        --set l2.mshrs=2 --set l2.merges=1 --set l2.miss_queue=1 --set l1d.miss_queue=2 --set l1d.sets=1 --set l1d.ways=2 $with
    done
  done
}

what_is_not_modelled_is_refused() {
  k=examples/gpgpusim/matmul_128.yaml
  run "$sluice" run $k --gpu rx540 --set l1d.coherence=si
  exits 2
  err_has "l2.inclusive"
  run "$sluice" run $k --gpu hd7770 --set l1d.coherence=si --set l1d.write_global=back
  exits 2
  err_has "l1d.write_global: through"
  run "$sluice" run $k --gpu hd7770 --set l1d.coherence=nmoesi
  exits 2
  err_has "l1d.write_global: back"
  err_has "l2.inclusive: true"
  err_has "l1d.allocate: on-miss"
  # shellcheck disable=SC2046 # settings are words
  run "$sluice" run $k --gpu hd7770 $(of moesi) --with racb:l2=false
  exits 2
  err_has "racb"
  # shellcheck disable=SC2046
  run "$sluice" run $k --gpu hd7770 $(of moesi) --with frc:level=l1
  exits 2
  err_has "frc"
  run "$sluice" run $k --gpu hd7770 --set l1d.evict_first=true
  exits 2
  err_has "l1d.evict_first"
  run "$sluice" run $k --gpu v100 --set l1d.coherence=si
  exits 2
  err_has "l1d.sector_bytes"
  run "$sluice" run $k --gpu hd7770 --set l1d.coherence=si --set noc.sms_per_link=2 --with rata
  exits 2
  err_has "rata"
}

protocols="si moesi nmoesi"
tests southern_islands what_goes_past_the_l2_leaves_nothing_behind who_is_alone_asks_once an_atomic_waits_until_its_line_has_left a_second_reader_downgrades_the_first \
  writers_take_a_line_from_each_other_or_all_have_it a_line_is_asked_for_when_the_one_before_is_gone numbers_do_not_depend_on_how_time_is_advanced kernels_end \
  nothing_stands_still what_is_not_modelled_is_refused
finish
