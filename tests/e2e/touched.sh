#!/bin/sh
# Every counter of front end, GPU, DRAM and techniques is moved by some small run: one that is not would be a name without
# a number.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/invariants/traffic.sh
. "$(dirname "$0")/../invariants/traffic.sh"

runs=0
# counts ARGUMENTS...: runs it and keeps what it counted
counts() {
  runs=$((runs + 1))
  run "$sluice" "$@" --quiet --json "$tmp/$runs.json"
  exits 0
}

# Random traffic on a GPU with little of everything, and on one with clusters.
on() {
  gpu=$1 with=$2
  shift 2
  # shellcheck disable=SC2086 # options and their values
  counts run "$tmp/traffic.yaml" --gpu "$gpu" --with "$with" $tight "$@"
}
techniques_count() {
  counts run histogram --gpu fermi15 --with stride:confidence=1:degree=4
  counts run histogram --gpu fermi15 --with nextline:always=true:degree=16 --set l2.sets=8 --set l2.ways=2
  traffic 1 15 9 2048
  on fermi15 nonblocking:entries=4,mrpb:bypass=any:entries=2:age_limit=50
  on fermi15 bankqueue:entries=2,racb,swl:warps=2 --set l1d.merges=1 --set l1d.mshrs=64
  on fermi15 cart:age_limit=100,bucl --set l1d.mshrs=2 --set l1d.merges=1 --set l1d.miss_queue=16
  on fermi15 mars:entries=8:pages=2,bucl --set l1d.ways=1 --set l1d.sets=4 --set l1d.mshrs=64
  on fermi15 frc:entries=2:level=both --set l1d.sets=1 --set l1d.ways=1 --set l1d.mshrs=64
  on fermi15 mars:entries=8:pages=2:ways=1:conflict=pass
  on fermi15 mars:entries=4,frc:entries=4 --set l2.in=64
  on fermi15 parbs:cap=1 --set l2.sets=4
  on fermi15 drrip --set l1d.sets=4 --set l2.sets=4
  on fermi15 ship --set l1d.sets=4 --set l2.sets=4
  on fermi15 bliss:threshold=1:interval=500 --set l2.sets=4
  on rx540 frc:entries=1 --set l2.sets=1 --set l2.ways=4
  on rx540 frc:entries=8:victims=stay
  on rx540 frc:entries=8:victims=pile:slots=2
  on fermi15 victim:bytes=1024
  on fermi15 mrpb:bypass=assoc,ccws --set l1d.ways=1 --set l1d.sets=4
  on rata80 rata:ways=1
  on rata80 rata:ideal=true:in_flight=true:fill=true:width=2:slots=16
  on rata80 rata:ways=8 --set l1d.sets=1 --set l1d.ways=4
  counts run bfs -p nodes=1024 --gpu h200
  counts run "$(dirname "$0")/../../validation/h200/micro/all_same.yaml" --gpu h200
  counts run bfs -p nodes=1024 --set l2.partial_lines=1 --set l2.warm=false --set l2.cold_launches=true
  traffic 1 15 9 64
  on fermi15 bucl:mode=watch --set l1d.mshrs=64 --set l1d.merges=64 --set l1d.ways=8
}

# Protocols of the L1s, on the same traffic; accesses past all caches are a kernel's own.
protocols_count() {
  traffic 1 15 9 64
  back="--set l2.inclusive=true --set l1d.allocate=on-miss --set l1d.write_global=back --set l1d.write_global_miss=fetch --set l1d.write_local=back --set l1d.write_local_miss=fetch"
  # shellcheck disable=SC2086 # options and their values
  for protocol in moesi nmoesi; do
    counts run "$tmp/traffic.yaml" --gpu rx540 $tight --set l1d.coherence=$protocol $back
  done
  # shellcheck disable=SC2086
  counts run "$tmp/traffic.yaml" --gpu rx540 $tight --set l1d.coherence=si --set l2.inclusive=false
  printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry past(.param .u64 p)\n{\n.reg .u64 %%a;\n.reg .u32 %%v;\n' >"$tmp/past.ptx"
  printf 'ld.param.u64 %%a, [p];\nld.global.cv.u32 %%v, [%%a];\nst.global.wt.u32 [%%a], %%v;\nret;\n}\n' >>"$tmp/past.ptx"
  printf 'ptx: past.ptx\nbuffers:\n  d: {bytes: 64}\nlaunches:\n  - {kernel: past, grid: [1], block: [1], args: [d]}\n' >"$tmp/past.yaml"
  counts run "$tmp/past.yaml" --gpu hd7770 --set l1d.coherence=si
  counts run "$tmp/past.yaml" --gpu v100 --set l2.warm=false # drivers and termination of a DRAM's bus
}

# An instruction of each class that energy tells apart.
classes_count() {
  cat >"$tmp/classes.ptx" <<END
.version 8.0
.target sm_90
.address_size 64
.visible .entry classes(.param .u64 p)
{
.reg .u16 %h<2>;
.reg .u32 %r<4>;
.reg .u64 %d<2>;
.reg .f32 %f<8>;
.reg .f64 %e<2>;
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
div.u32 %r1, 12345, %r0;
mov.b32 %f0, %r1;
add.rn.f32 %f1, %f0, %f0;
ex2.approx.ftz.f32 %f1, %f1;
div.rn.f32 %f1, %f1, %f0;
cvt.f64.f32 %e0, %f1;
add.rn.f64 %e0, %e0, %e0;
div.rn.f64 %e1, %e0, %e0;
cvt.rn.f16.f32 %h0, %f1;
add.rn.f16 %h1, %h0, %h0;
shfl.sync.bfly.b32 %r2, %r0, 1, 0x1f, -1;
mov.f32 %f2, 0f00000000;
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f3,%f4,%f5,%f6}, {%r0,%r1,%r2,%r0}, {%r1,%r2}, {%f2,%f2,%f2,%f2};
bar.sync 0;
st.global.f32 [%d0], %f3;
st.global.f64 [%d0+8], %e1;
st.global.b16 [%d0+16], %h1;
ret;
}
END
  printf 'ptx: classes.ptx\nbuffers:\n  d: {bytes: 64}\nlaunches:\n  - {kernel: classes, grid: [1], block: [32], args: [d]}\n' >"$tmp/classes.yaml"
  counts run "$tmp/classes.yaml" --gpu v100
  counts run "$tmp/classes.yaml" --gpu v100 --set energy.table=none
}

every_counter_is_moved_by_something() {
  g=examples/gpgpusim k=tests/kernels
  counts run $g/matmul_128.yaml --set sm.issue_width=2 --set front.touched=true
  counts run $g/matmul_128.yaml --set l2.warm=false --set l2.merges=1 --set check.requests=true
  counts run $g/bfs_16K.yaml --set l1d.merges=2 --set l2.merges=1 --set noc.sms_per_link=3
  counts run $g/gather_16K.yaml --set l2.sets=1 --set l2.ways=1 --with racb
  counts run $g/gather_16K.yaml --set l2.mshrs=2 --set l1d.mshrs=8
  counts run $g/tnaive_512.yaml --set l2.evict_first=true --set sm.vmb=2
  counts run $g/matmul_128.yaml --set l2.sets=2 --set l2.evict_first=true --set l2.inclusive=true --set l2.nack=true
  for name in atomics_global atomics_shared constants cp_async cl_nbody cl_lookup local_array orders grid_barrier_64; do
    counts run $k/$name.yaml
  done
  counts run $k/cl_nbody.yaml --gpu rata80 --with rata
  counts run mars-wl1 --gpu mars24 --param scale=4 --param width=512 --param height=512 --param texture_width=4096 \
    --param texture_height=4096 --set gpu.locality=true
  counts run mars-wl1 --gpu mars24 --set stream.l1.texture_sets=0
  counts run mars-wl1 --gpu mars24 --set l1t.on=true
  counts run mars-wl2 --gpu mars24 --set stream.l1.colour_sets=0 --set stream.l2.colour_sets=2 --set stream.l2.mshrs=2
  counts run $k/fault_outside.yaml --memcheck warn
  printf '{base: sluice, page: closed}' >"$tmp/closed.yaml"
  counts dram gen:mix21_random,n=3000 --device ref-ddr4 --refresh allbank --controller "$tmp/closed.yaml"
  counts dram gen:mix21_random,n=3000 --device hbm2-pc --refresh perbank
  # a read of what a write is about to change, two of one block, a write of some bytes
  printf '0x0 W 0\n0x0 R 0\n0x40 R 0\n0x40 R 0\n0x80 W 0 0xff\n' >"$tmp/trace"
  counts dram "$tmp/trace" --device ref-ddr4
  counts dram "$tmp/trace" --device ref-ddr4 --controller like-dramsim3
  timing_kernels
  printf 'ptx: kernels.ptx\nbuffers:\n  d: {bytes: 8}\nlaunches:\n  - {kernel: spin_lock, grid: [64], block: [32], args: [d]}\n' >"$tmp/locks.yaml"
  counts run "$tmp/locks.yaml" --gpu v100
  counts run "$tmp/locks.yaml" --gpu v100 --set sm.cas_retry=30
  runs=$((runs + 1))
  run "$sluice" run $g/matmul_128.yaml --max-cycles 1500 --quiet --json "$tmp/$runs.json" # what a cut leaves unfinished
  exits 4
  classes_count
  techniques_count
  protocols_count
  cat "$tmp"/[0-9]*.json | sed -n 's/^ *"\([a-z0-9_.]*\)": "\{0,1\}\([^"]*[^",]\)"\{0,1\},\{0,1\}$/\1 \2/p' | awk '$2 != 0 { print $1 }' | sort -u >"$tmp/moved"
  "$sluice" list stats --json | awk -F'"' '$2 == "name" { name = $4 } $2 == "owner" { print name }' |
    sort >"$tmp/all"
  never=$(comm -23 "$tmp/all" "$tmp/moved" | tr '\n' ' ')
  [ -z "$never" ] || fail "never moved: $never"
}

tests every_counter_is_moved_by_something
finish
