#!/bin/sh
# Requests that do not reach the tags of the L2, or reach memory in part: stores that an SM repeats (l1d.store_lines), reads of
# neighbouring SMs (l2.join_sms), lines that two halves of a GPU read (l2.halves), sectors that are read before they are written (l2.partial_lines), and what single reads take
# (l2.read_interval). Numbers by hand.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$tmp/k.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry same(.param .u64 p)
{
.reg .u64 %a;
.reg .u32 %t;
ld.param.u64 %a, [p];
mov.u32 %t, %tid.x;
st.global.u32 [%a], %t;
ret;
}
.visible .entry spread(.param .u64 p)
{
.reg .u64 %a, %o;
.reg .u32 %t, %c, %n;
ld.param.u64 %a, [p];
mov.u32 %t, %tid.x;
mov.u32 %c, %ctaid.x;
mov.u32 %n, %ntid.x;
mad.lo.u32 %t, %c, %n, %t;
mul.wide.u32 %o, %t, 128;
add.u64 %a, %a, %o;
st.global.u32 [%a], %t;
ret;
}
.visible .entry reads(.param .u64 p)
{
.reg .u64 %a, %o;
.reg .u32 %t, %v;
.reg .pred %p;
ld.param.u64 %a, [p];
mov.u32 %t, %tid.x;
mul.wide.u32 %o, %t, 4;
add.u64 %o, %a, %o;
ld.global.cg.u32 %v, [%o];
setp.eq.u32 %p, %v, 1;
@%p st.global.u32 [%a], %v;
ret;
}
.visible .entry column(.param .u64 p)
{
.reg .u64 %a;
.reg .u32 %i;
.reg .pred %p;
ld.param.u64 %a, [p];
mov.u32 %i, 0;
st.global.u32 [%a+128], %i;
more:
st.global.u32 [%a], %i;
add.u64 %a, %a, 8192;
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, 20;
@%p bra more;
ret;
}
END
# launch KERNEL GRID BLOCK OPTIONS...: its statistics in $tmp/j
launch() {
  printf 'ptx: k.ptx\nbuffers:\n  d: {bytes: 1048576}\nlaunches:\n  - {kernel: %s, grid: [%s], block: [%s], args: [d]}\n' \
    "$1" "$2" "$3" >"$tmp/k.yaml"
  shift 3
  run "$sluice" run "$tmp/k.yaml" --quiet --json "$tmp/j" --set l1i.on=false --set l1c.params=false --set l2.warm=false "$@"
  exits 0
}
is() { [ "$(json "$1" "$tmp/j")" = "$2" ] || fail "$1 is $(json "$1" "$tmp/j"), not $2"; }

# 32 warps store one word: the first goes to the L2.
repeated_stores_are_sent_once() {
  launch same 1 1024 --set l1d.write_global=through
  is l1d.repeated_stores 0
  is l2.accesses 32
  launch same 1 1024 --set l1d.write_global=through --set l1d.store_lines=1
  is l1d.repeated_stores 31
  is l2.accesses 1
}

# The same with write combining: a store waits for the next one, and leaves when none has come in time.
stores_wait_for_others() {
  launch same 1 1024 --set l1d.write_global=through --set l1d.store_lines=1 --set l1d.store_wait=100
  is l1d.repeated_stores 31
  is l2.accesses 1
  last=$(json cycles "$tmp/j")
  launch same 1 1024 --set l1d.write_global=through --set l1d.store_lines=1 --set l1d.store_wait=300
  is cycles $((last + 200))
  launch spread 16 256 --set l1d.write_global=through --set l1d.store_lines=16 --set l1d.store_wait=100
  is l1d.repeated_stores 0
}

# 4096 lines, a word of each. The twelve slices of the gtx480 keep 16 lines each, of the other 4096 - 192 the rest is read.
parts_are_read_before_they_are_written() {
  launch spread 16 256
  is l2.part_reads 0
  launch spread 16 256 --set l2.partial_lines=16
  is l2.part_reads 3904
  launch spread 16 256 --set l2.partial_lines=1000
  is l2.part_reads 0
  launch spread 16 256 --set l2.partial_lines=16 --with mars # which counts what comes to memory
  is l2.part_reads 3904
}

# A line of a set, then twenty of another of eight ways: twelve of these leave, and are read first. No more than nine lines are here, so
# that a slice of ten has room for the first one.
lines_that_have_left_are_not_kept() {
  one="--set l2.channels=1 --set l2.slices_per_channel=1 --set l2.sets=64 --set l2.ways=8 --set l2.index=modulo"
  # shellcheck disable=SC2086
  launch column 1 1 $one --set l2.partial_lines=10
  is l2.part_reads 12
}

# Fifteen SMs read half a line, 64 bytes, from one slice: two sectors of the network, one of an L2 whose sectors have 64 bytes. The last of
# them waits for the fourteen others, which take longer than the network to answer; reads of several sectors do not.
a_read_of_one_sector_takes_longer() {
  for sector in 64 32; do
    launch reads 15 16 --set l2.sector_bytes=$sector --set l2.read_interval=40
    before=$(json cycles "$tmp/j")
    launch reads 15 16 --set l2.sector_bytes=$sector --set l2.read_interval=50
    is cycles $((before + (sector == 64 ? 14 * 10 : 0)))
  done
}

# Fifteen SMs read a line of four sectors; their requests come one in each cycle, and each look-up takes four. The first finds nobody
# waiting. With groups of five it is followed by those of SMs 1 to 4, which are there when the second goes to the tags, by SMs 5 to 8, by
# SM 9 alone, whose neighbours have gone, and by SMs 10 to 14: ten join, five are looked up. In one group it is followed by 1 to 4, 5 to 8, 9 to
# 12, and 13 and 14: as many.
neighbours_join() {
  launch reads 15 32
  is l2.joined 0
  is l2.accesses 60
  for group in 5 15; do
    launch reads 15 32 --set l2.join_sms=$group --set check.requests=true
    is l2.joined 10
    is l2.accesses 20
    is noc.answers 15
  done
}

# Fourteen SMs read a line: eight of the first half of the GPU, six of the second. One slice makes the last wait for thirteen others, two slices for
# seven.
two_halves_read_a_line() {
  whole="--set l2.whole_requests=true --set l2.write_miss=validate --set l2.allocate=on-miss --set l2.merges=64"
  for halves in false true; do
    # shellcheck disable=SC2086
    launch reads 14 32 $whole --set l2.halves=$halves --set l2.read_interval=40 --set check.requests=true
    before=$(json cycles "$tmp/j")
    is l2.accesses 56
    is noc.answers 14
    # shellcheck disable=SC2086
    launch reads 14 32 $whole --set l2.halves=$halves --set l2.read_interval=50
    is cycles $((before + 10 * ($(test $halves = true && echo 7 || echo 13))))
  done
}

tests repeated_stores_are_sent_once stores_wait_for_others parts_are_read_before_they_are_written lines_that_have_left_are_not_kept \
  a_read_of_one_sector_takes_longer neighbours_join two_halves_read_a_line
finish
