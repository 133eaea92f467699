#!/bin/sh
# A victim cache and full associativity, on an L2 of a few lines: what is fetched and written back, by counting.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh

# sequence WORDS...: a thread reads (3) or writes (w3) these lines, each access after the one before it
sequence() {
  {
    echo '.version 7.0'
    echo '.target sm_70'
    echo '.address_size 64'
    echo '.visible .entry sequence(.param .u64 data) {'
    echo '  .reg .b32 %r<2>;'
    echo '  .reg .b64 %a<3>;'
    echo '  ld.param.u64 %a1, [data];'
    for x in "$@"; do
      case $x in
      w*) for s in 0 1 2 3; do echo "  st.global.v4.u32 [%a1+$((${x#w} * 128 + s * 32))], {%r1, %r1, %r1, %r1};" && echo "  st.global.v4.u32 [%a1+$((${x#w} * 128 + s * 32 + 16))], {%r1, %r1, %r1, %r1};"; done ;;
      *) echo "  ld.global.u32 %r1, [%a1+$((x * 128))];" ;;
      esac
      # the buffer holds zeros: the next address waits for this value
      echo '  membar.gl;'
      echo '  cvt.u64.u32 %a2, %r1;'
      echo '  add.u64 %a1, %a1, %a2;'
    done
    echo '  ret;'
    echo '}'
  } | sed 's/^  ld.param/  mov.u32 %r1, 0;\n&/' >"$tmp/s.ptx"
  cat >"$tmp/s.yaml" <<END
ptx: s.ptx
buffers:
  data: {count: 4096, type: u32, fill: zero}
launches:
  - {kernel: sequence, grid: [1], block: [1], args: [data]}
END
}

# small OPTIONS...: one slice of whole lines, two to a set unless it is set otherwise, nothing before it
small() {
  run "$sluice" run "$tmp/s.yaml" --gpu fermi15 --quiet --json "$tmp/v.json" --set l2.channels=1 --set l2.slices_per_channel=1 \
    --set l2.sets=1 --set l2.ways=2 --set l2.index=modulo --set l2.sector_bytes=128 --set l2.mshr_by_sector=false --set l2.warm=false \
    --set l2.write_miss=validate --set l1d.on=false --set l1i.on=false --set l1c.on=false --set gpu.core_mhz=700 --set gpu.l2_mhz=700 --set check.requests=true "$@"
  exits 0
}
has() { [ "$(json "$1" "$tmp/v.json")" = "$2" ] || fail "$1 is $(json "$1" "$tmp/v.json"), not $2"; }

# Of 0 1 2 0 the third replaces 0, the fourth 1; with an entry, 0 is there and exchanged with 1; then 1 with 2.
what_is_replaced_is_found_again() {
  sequence 0 1 2 0 1
  small
  has l2.fetches 5
  small --with victim:bytes=128
  has l2.fetches 3
  has victim.hits 2
  has victim.kept 3
  has victim.displaced 0
  has victim.lookups 5
  has l2.hits 2
}

# An entry is one too few for four lines in turn; two are enough.
as_many_as_fit() {
  sequence 0 1 2 3 0 1 2 3
  small --with victim:bytes=128
  has l2.fetches 8
  has victim.hits 0
  small --with victim:bytes=256
  has l2.fetches 4
  has victim.hits 4
}

# 0 is changed. It leaves the L2 with 2 and the victim cache with 3: written then, once.
changed_blocks_are_written_when_they_leave() {
  sequence w0 1 2
  small
  has l2.writes 1
  small --with victim:bytes=128
  has l2.writes 0
  sequence w0 1 2 3
  small --with victim:bytes=128
  has l2.writes 1
  has victim.written_back 1
  sequence w0 1 2 0 1 2 3 # back in the L2 it is changed still
  small --with victim:bytes=128
  has l2.writes 1
  sequence w0 1 2 w0 3 1
  small --with victim:bytes=256
  has l2.fetches 3
  has victim.hits 2
}

# A hit there takes lookup and swap longer than one of the L2; a miss the lookup.
it_takes_its_time() {
  sequence 0 1 2 0
  small --with victim:bytes=128:lookup=0:swap=0
  fast=$(json cycles "$tmp/v.json")
  small --with victim:bytes=128:lookup=0:swap=7
  [ $(($(json cycles "$tmp/v.json") - fast)) -eq 7 ] || fail "a swap of 7 cycles takes $(($(json cycles "$tmp/v.json") - fast))"
  small --with victim:bytes=128:lookup=7:swap=0
  late=$(($(json cycles "$tmp/v.json") - fast)) # three misses and a hit
  [ "$late" -eq 28 ] || fail "four lookups of 7 cycles take $late"
}

# Lines 0, 4, 8 share a set of four sets; two to a set are too few for them, eight to one set are not.
full_associativity_has_no_conflicts() {
  sequence 0 4 8 0 4 8
  small --set l2.sets=4
  has l2.fetches 6
  small --set l2.sets=1 --set l2.ways=8
  has l2.fetches 3
  sequence 0 1 2 3 4 5 6 7 8 0 # but nine lines are too many
  small --set l2.sets=1 --set l2.ways=8
  has l2.fetches 10
  small --set l2.sets=1 --set l2.ways=8 --with victim:bytes=128
  has l2.fetches 9
}

mistakes_are_named() {
  sequence 0
  run "$sluice" run "$tmp/s.yaml" --gpu fermi15 --with victim:bytes=64
  exits 2
  err_has "less than a line"
  run "$sluice" run "$tmp/s.yaml" --gpu fermi15 --with victim:ways=3
  exits 2
  err_has "must be a multiple"
  run "$sluice" run "$tmp/s.yaml" --gpu fermi15 --with victim,frc
  exits 2
  err_has "'victim' and 'frc' both claim the miss management hook"
  run "$sluice" run "$tmp/s.yaml" --gpu fermi15 --with victim --set l2.allocate=on-fill
  exits 2
  err_has "on-miss"
}

tests what_is_replaced_is_found_again as_many_as_fit changed_blocks_are_written_when_they_leave it_takes_its_time \
  full_associativity_has_no_conflicts mistakes_are_named
finish
