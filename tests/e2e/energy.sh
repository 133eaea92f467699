#!/bin/sh
# Energy and area on the whole machine: counters times what CACTI and the DRAM's currents say, computed here once more.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh

simulated() { # OPTIONS...
  run "$sluice" run "$@" --quiet --json "$tmp/e.json"
  exits 0
}
v() { json "$1" "$tmp/e.json"; }
# same WHAT A B: equal but for rounding
same() {
  awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && b != "" && d <= 1e-9 * (b < 0 ? -b : b)) }' ||
    fail "$1: $2 instead of $3"
}
calc() { awk "BEGIN { printf \"%.17g\", $(echo "$1" | tr '\n' ' ') }"; }

the_parts_add_up() {
  simulated examples/gpgpusim/bfs_16K.yaml --gpu gtx480
  same memories "$(v energy.memory_mj)" "$(calc "$(v energy.l1d.static_mj) + $(v energy.l1d.dynamic_mj) +
    $(v energy.l2.static_mj) + $(v energy.l2.dynamic_mj) + $(v energy.dram.activate_mj) + $(v energy.dram.read_mj) +
    $(v energy.dram.write_mj) + $(v energy.dram.refresh_mj) + $(v energy.dram.standby_mj)")"
  all=0
  for part in issue registers execution shared l1d read_only network l2 tech controllers interface dram sm_static rest; do
    all="$all + $(v energy.${part}_mj)"
    same "power of $part" "$(v power.${part}_w)" "$(calc "1e3 * $(v energy.${part}_mj) / $(v time_us)")"
  done
  same total "$(v energy.total_mj)" "$(calc "$all")"
  same "the L1's part" "$(v energy.l1d_mj)" "$(calc "$(v energy.l1d.static_mj) + $(v energy.l1d.dynamic_mj)")"
  same "the DRAM's part" "$(v energy.dram_mj)" "$(v energy.dram.total_mj)"
  same power "$(v energy.mean_w)" "$(calc "1e3 * $(v energy.total_mj) / $(v time_us)")"
  same "energy times delay" "$(v energy.edp_mj_us)" "$(calc "$(v energy.total_mj) * $(v time_us)")"
  same "an instruction's" "$(v energy.pj_per_instruction)" "$(calc "1e9 * $(v energy.total_mj) / $(v sm.thread_issued)")"
  same "a byte's" "$(v energy.pj_per_byte)" "$(calc "1e9 * $(v energy.total_mj) / ($(v l2.accesses) * 32)")"
  # of the eight launches too
  launches=$(sed -n '/^  "kernels"/,$s/^ *"energy.total_mj": \([-0-9.e+]*\),*$/\1/p' "$tmp/e.json")
  [ "$(echo "$launches" | wc -l)" -eq 8 ] || fail "not eight launches: $launches"
  same launches "$(calc "$(echo "$launches" | paste -sd+ -)")" "$(v energy.total_mj)"
}

run_says_energy_of_an_instruction_and_a_byte() {
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu gtx480 --json "$tmp/e.json"
  exits 0
  for is in "energy.edp_mj_us mJ us energy x delay" "energy.pj_per_instruction pJ a thread instruction" "energy.pj_per_byte pJ a byte of the L2"; do
    said=$(tr -d , <"$tmp/out" | sed -n "s/^\( .*\)* \([0-9.]*\) ${is#* }.*/\2/p")
    awk -v a="$said" -v b="$(v "${is%% *}")" 'BEGIN { exit !(a > 0.995 * b && a < 1.005 * b) }' || fail "'$said' ${is#* }, not $(v "${is%% *}")"
  done
}

# A table of one picojoule, or watt, for a row and nothing for all others: the row's counter is all there is.
only_row() { # ROW VALUE
  { echo "about: one row"; echo "rows:"; } >"$tmp/t.yaml"
  sed -n 's/^X([A-Z0-9_]*, "\([a-z0-9_.]*\)".*/\1/p' src/energy/rows.def | while read -r row; do
    [ "$row" = "$1" ] && value=$2 || value=0
    echo "  $row: {value: $value, source: test}" >>"$tmp/t.yaml"
  done
}
a_coefficient_times_its_counter() {
  only_row network.response 1
  simulated examples/gpgpusim/ttiled_512.yaml --gpu gtx480 --set "energy.table=$tmp/t.yaml"
  same flits "$(v energy.total_mj)" "$(calc "1e-9 * $(v noc.response_flits)")"
  same "its part" "$(v energy.network_mj)" "$(v energy.total_mj)"
  only_row registers.read 3
  simulated examples/gpgpusim/ttiled_512.yaml --gpu gtx480 --set "energy.table=$tmp/t.yaml"
  same registers "$(v energy.total_mj)" "$(calc "3e-9 * ($(v registers.reads) - $(v registers.reused))")"
  only_row static.sm 2
  simulated examples/gpgpusim/ttiled_512.yaml --gpu gtx480 --set "energy.table=$tmp/t.yaml"
  same "watts of 15 SMs" "$(v energy.total_mj)" "$(calc "2 * 15 * $(v time_us) * 1e-3")"
  same "what time costs" "$(v energy.static_mj)" "$(v energy.total_mj)"
}

# A warp of 32 lanes adds three times (32 bits, 64 bits, f32), multiplies and adds, divides: counted by class and lanes. Half of the lanes take the
# second addition.
instructions_are_counted_by_class_and_lane() {
  cat >"$tmp/w.ptx" <<END
.version 7.0
.target sm_70
.address_size 64
.visible .entry work(.param .u64 p)
{
.reg .pred %q;
.reg .u32 %r<4>;
.reg .u64 %d<4>;
.reg .f32 %f<4>;
ld.param.u64 %d1, [p];
mov.u32 %r1, %tid.x;
add.u32 %r2, %r1, %r1;
setp.lt.u32 %q, %r1, 16;
@%q add.u32 %r2, %r2, %r1;
mul.wide.u32 %d2, %r1, 4;
add.u64 %d3, %d1, %d2;
cvt.rn.f32.u32 %f1, %r2;
fma.rn.f32 %f2, %f1, %f1, %f1;
div.rn.f32 %f3, %f2, %f1;
st.global.f32 [%d3], %f3;
ret;
}
END
  printf 'ptx: w.ptx\nbuffers:\n  o: {count: 32, type: f32}\nlaunches:\n  - {kernel: work, grid: [1], block: [32], args: [o]}\n' >"$tmp/w.yaml"
  simulated "$tmp/w.yaml" --gpu gtx480 --set front.schedule=ptx
  for is in int=48 logic=32 constant=32 long=32 imul=32 cvt=32 fma=32 fdiv=32 mem=32 param=32 ctrl=32 fp32=0 fp64=0; do
    [ "$(v exec.${is%=*})" = "${is#*=}" ] || fail "exec.${is%=*} is $(v exec.${is%=*}), not ${is#*=}"
  done
  [ "$(v sm.issued_operands)" = 2 ] || fail "$(v sm.issued_operands) operands: a parameter and the thread's number"
  [ "$(v gpu.launches)" = 1 ] || fail "$(v gpu.launches) launches"
}

# The same launch twice, with cold caches: twice the dynamic energy.
twice_the_work_costs_twice_the_energy() {
  for n in 1 2; do
    sed "s/repeat: [0-9]*/repeat: $n/" validation/h200/kernels/stencil_1d.yaml | sed "s:\.\./:$PWD/validation/h200/:; s/4194304/65536/g; s/16384/256/" >"$tmp/n.yaml"
    simulated "$tmp/n.yaml" --gpu v100 --set l2.warm=false --set l2.cold_launches=true
    eval "d$n=$(calc "$(v energy.total_mj) - $(v energy.static_mj)")"
  done
  # shellcheck disable=SC2154 # d1 and d2 are set there
  awk -v a="$d1" -v b="$d2" 'BEGIN { exit !(a > 0 && b / a > 1.99 && b / a < 2.01) }' || fail "$d1 once, $d2 twice"
}

# What intervals took adds up to the run's.
power_over_time_adds_up() {
  simulated examples/gpgpusim/ttiled_512.yaml --gpu gtx480 --interval 500
  for part in rest execution dram l1d; do
    sum=$(tr -d '\n' <"$tmp/e.json" | sed 's/.*"intervals": {\(.*\)/\1/' |
      awk -v part="power.${part}_w" '{
        match($0, /"end": *\[[^]]*\]/); n = split(substr($0, RSTART, RLENGTH), end, /[^0-9.e+-]+/)
        match($0, "\"" part "\": *\\[[^]]*\\]"); split(substr($0, RSTART + length(part) + 2, RLENGTH), w, /[^0-9.e+-]+/)
        k = 0; for (i = 1; i <= n; i++) if (end[i] ~ /^[0-9]+$/) e[++k] = end[i]
        q = 0; for (i = 1; i in w; i++) if (w[i] ~ /^[0-9]/) p[++q] = w[i]
        for (i = 1; i <= k; i++) sum += p[i] * (e[i] - (i > 1 ? e[i - 1] : 0)) / 700e3
        printf "%.17g", sum }')
    awk -v a="$sum" -v b="$(v energy.${part}_mj)" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(b > 0 && d <= 1e-6 * b) }' ||
      fail "$part: intervals take $sum mJ, the run $(v energy.${part}_mj)"
  done
}

# Energy of the whole GPU is refused where a part has no model, never smaller.
a_part_without_a_model_is_no_total() {
  simulated examples/gpgpusim/matmul_128.yaml --gpu gtx480 --set energy.table=none
  [ -z "$(v energy.total_mj)" ] || fail "a total without cores"
  grep -q '"energy.refused": ".*energy.table is none' "$tmp/e.json" || fail "no reason"
  only_row issue.cta 0
  sed -i '/network.request/d' "$tmp/t.yaml"
  simulated examples/gpgpusim/matmul_128.yaml --gpu gtx480 --set "energy.table=$tmp/t.yaml"
  [ -z "$(v energy.total_mj)" ] || fail "a total without a network"
  grep -q '"energy.refused": ".*network.request' "$tmp/e.json" || fail "the row is not named"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set energy.table=femri
  exits 2
  err_has "did you mean 'fermi'"
  for wrong in 's/source: test/sauce: test/;sauce' 's/{value: 0, source: test}/{value: -1, source: test}/;out of range' 's/issue.cta/issue.ctas/;issue.ctas' 's/, source: test//;source'; do
    only_row issue.cta 0
    sed -i "0,/issue.cta/{/issue.cta/${wrong%;*}}" "$tmp/t.yaml"
    run "$sluice" run examples/gpgpusim/matmul_128.yaml --set "energy.table=$tmp/t.yaml"
    exits 2
    err_has "${wrong#*;}"
  done
}

# A slice: 64 KB, 8 ways, lines of 128 bytes; 32 nm: 45.7106 mW, 0.182425 mm2, tags 0.00161086 nJ; a RAM of 64 KB and 32 bytes: 0.0278387 nJ to read,
# 0.0328153 nJ to write. An L1: 16 KB, 4 ways: 12.5988 mW, tags 0.000572447 nJ, 0.0546855 and 0.0670717 nJ.
caches_cost_what_cacti_says() {
  simulated examples/gpgpusim/ttiled_512.yaml --gpu gtx480 --set energy.table=none
  same "L2 leakage" "$(v energy.l2.static_mj)" "$(calc "45.7106 * 12 * $(v cycles) / 700e6")"
  same "L2 accesses" "$(v energy.l2.dynamic_mj)" "$(calc "1e-6 * ($(v l2.accesses) * 0.00161086 +
    ($(v l2.data_reads) + $(v l2.writes)) * 0.0278387 + ($(v l2.data_writes) + $(v l2.fills)) * 0.0328153)")"
  same "L2 area" "$(v area.l2_mm2)" "$(calc "12 * 0.182425")"
  same "L1 leakage" "$(v energy.l1d.static_mj)" "$(calc "12.5988 * 15 * $(v cycles) / 700e6")"
  same "L1 accesses" "$(v energy.l1d.dynamic_mj)" "$(calc "1e-6 * ($(v l1d.accesses) * 0.000572447 +
    ($(v l1d.data_reads) + $(v l1d.writebacks)) * 0.0546855 +
    ($(v l1d.data_writes) + $(v l1d.fills)) * 0.0670717)")"
  # what is read was found, and what is filled came from memory
  [ "$(v l2.data_reads)" -le "$(v l2.hits)" ] || fail "more reads than hits"
}

# 512 entries of 64 bytes in 8 ways: 32 KB, 25.9855 mW, 0.0868513 mm2, tags 0.00164131, data 0.0205807 and 0.0501085 nJ.
an_frc_costs_what_cacti_says() {
  simulated examples/gpgpusim/tnaive_512.yaml --gpu rx540 --set tech.with= --with frc:entries=512
  same "FRC area" "$(v frc.area_mm2)" "$(calc "2 * 0.0868513")"
  same "FRC leakage" "$(v frc.static_mj)" "$(calc "25.9855 * 2 * $(v time_us) * 1e-6")"
  same "FRC accesses" "$(v frc.dynamic_mj)" "$(calc "1e-6 * (($(v frc.served) + $(v frc.full)) * 0.00164131 +
    $(v frc.swaps) * 0.0205807 + ($(v frc.served) + $(v frc.swaps) + $(v frc.stores)) * 0.0501085)")"
  [ "$(v frc.swaps)" -gt 0 ] || fail "no swaps"
  same share "$(v area.tech_share)" "$(calc "$(v area.tech_mm2) / $(v area.l2_mm2)")"
}

# CACTI's "normal" access: 16 KB, 4 ways, lines of 128 bytes at 32 nm: 0.745617 mm2, 16.0598 mW, tags 0.000572447 nJ as before; all four
# lines of a set are read with the tags, 0.286254 nJ; a line is written with 0.285742 nJ.
parallel_access_reads_all_ways() {
  simulated examples/gpgpusim/ttiled_512.yaml --gpu gtx480
  cycles=$(v cycles)
  simulated examples/gpgpusim/ttiled_512.yaml --gpu gtx480 --set energy.table=none --set energy.l1d_access=parallel
  [ "$(v cycles)" = "$cycles" ] || fail "another time: $(v cycles) cycles instead of $cycles"
  same "L1 area" "$(v area.l1d_mm2)" "$(calc "15 * 0.745617")"
  same "L1 leakage" "$(v energy.l1d.static_mj)" "$(calc "16.0598 * 15 * $(v cycles) / 700e6")"
  same "L1 accesses" "$(v energy.l1d.dynamic_mj)" "$(calc "1e-6 * ($(v l1d.accesses) * (0.000572447 + 0.286254) +
    $(v l1d.writebacks) * 0.286254 + ($(v l1d.data_writes) + $(v l1d.fills)) * 0.285742)")"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set energy.l1d_access=parallel --set l1d.sets=1
  exits 2
  err_has energy.l1d_access
  err_has l1d.sets
}

# The L2 slice of the GTX480 takes 0.573 ns by CACTI (64 KB, 8 ways, 128 bytes, 32 nm): a cycle of 700 MHz is enough, one of 2 GHz is not (8 launches).
a_latency_that_no_array_has_is_told_once() {
  run "$sluice" run examples/gpgpusim/bfs_16K.yaml --gpu gtx480 --json - --quiet
  exits 0
  [ ! -s "$tmp/err" ] || fail "warned of a preset: $(cat "$tmp/err")"
  run "$sluice" run examples/gpgpusim/bfs_16K.yaml --gpu gtx480 --set l2.rop_latency=0 --json - --quiet
  [ ! -s "$tmp/err" ] || fail "warned of 1.43 ns: $(cat "$tmp/err")"
  run "$sluice" run examples/gpgpusim/bfs_16K.yaml --gpu gtx480 --set l2.rop_latency=0 --set gpu.l2_mhz=2000 --json - --quiet
  exits 0
  err_has l2.latency
  err_has "2000 MHz"
  [ "$(grep -c l2.latency "$tmp/err")" -eq 1 ] || fail "told more than once in eight launches"
  ! grep -q "CACTI 7 needs" "$tmp/out" || fail "the warning is in the JSON"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu gtx480 --set l1d.latency=0 --set gpu.core_mhz=4000 --quiet
  exits 0
  err_has l1d.latency
}

# Blocks that pile up, W = 8 to a line, are charged as seven more L2s beside the entries.
what_piles_up_costs_as_many_l2s() {
  simulated examples/gpgpusim/tnaive_512.yaml --gpu rx540 --set tech.with= --with frc:entries=512:victims=pile
  same "pile area" "$(v frc.area_mm2)" "$(calc "2 * 0.0868513 + 7 * $(v area.l2_mm2)")"
  same "pile leakage" "$(v frc.static_mj)" "$(calc "25.9855 * 2 * $(v time_us) * 1e-6 + 7 * $(v energy.l2.static_mj)")"
}

a_newer_node_is_smaller() {
  for nm in 45 32 28 22; do
    simulated examples/gpgpusim/matmul_128.yaml --set energy.node_nm=$nm
    area=$(v area.l2_mm2)
    [ $nm = 45 ] || awk -v a="$area" -v b="$last" 'BEGIN { exit !(a < b) }' || fail "$nm nm: $area mm2, no less than $last"
    last=$area
  done
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --set energy.node_nm=7
  exits 2
  err_has energy.node_nm
  err_has 22..45
}

# Currents of HBM3 are not known: nothing is made up.
without_currents_there_is_no_energy() {
  simulated examples/gpgpusim/matmul_128.yaml --gpu h200 --set energy.table=none
  [ -z "$(v energy.dram.total_mj)$(v energy.total_mj)$(v energy.below_l1_mj)" ] || fail "energy of an unknown device"
  [ -n "$(v energy.l2.static_mj)" ] || fail "no energy of the L2"
  simulated examples/gpgpusim/matmul_128.yaml --gpu hd7770 --set dram.model=fixed --set dram.lockstep=1 --set dram.controllers=1
  [ -z "$(v energy.dram.total_mj)" ] || fail "energy of commands that were not"
}

currents_that_cannot_be_are_refused() {
  for wrong in 's/idd3n: 450/idd3n: 45/;idd3n' 's/vdd: 1.5/vdd: 1500/;vdd' 's/idd4r:/idd4q:/;idd4q' 's/  device_bits: 32//;device_bits'; do
    sed "${wrong%;*}" presets/dram/gddr5-1gb.yaml >"$tmp/d.yaml"
    run "$sluice" run examples/gpgpusim/matmul_128.yaml --set "dram.device=$tmp/d.yaml"
    exits 2
    err_has "${wrong#*;}"
    err_has d.yaml
  done
}

# Two devices on a channel of the GTX480, one on that of the reference device.
the_dram_alone_tells_the_same() {
  simulated examples/gpgpusim/gather_16K.yaml --gpu gtx480 --set energy.table=none
  same reads "$(v energy.dram.read_mj)" "$(calc "1e-9 * 1.5 * (1080 - 450) * 2 * 2 * 1.082251 * $(v dram.reads)")"
  run "$sluice" dram gen:random_rd,n=1000 --device gddr5-1gb --json "$tmp/e.json"
  exits 0
  same reads "$(v energy.dram.read_mj)" "$(calc "1e-9 * 1.5 * (1080 - 450) * 2 * 0.667 * $(v dram.reads)")"
  [ "$(v dram.reads)" -gt 0 ] || fail "no reads"
}

# FRC's exchange reads a line of the L2, one sector on the RX540: by the table as by CACTI.
a_technique_reads_the_l2_by_the_table_too() {
  only_row l2.read 1
  simulated examples/gpgpusim/tnaive_512.yaml --gpu rx540 --set tech.with= --with frc:entries=512 --set "energy.table=$tmp/t.yaml"
  [ "$(v frc.swaps)" -gt 0 ] || fail "no swaps"
  same "the L2's" "$(v energy.l2_mj)" "$(calc "1e-9 * ($(v l2.accesses) - $(v l2.data_writes) - $(v l2.atomics) +
    $(v frc.swaps) + $(v frc.stores))")"
}

# GPUWattch's reports have the watts of each component beside what happened in 500 cycles of 700 MHz: the table's energies times the counts are the watts.
energies_are_those_of_gpuwattch() {
  row() { sed -n "s/^  $1: {value: \([0-9.e+-]*\),.*/\1/p" presets/energy/fermi.yaml; }
  # watts of a component: picojoules of a count, + another
  for is in "IBP+SCHEDP=$(row issue.instruction):TOT_INST" "RFP=$(row registers.read):REG_RD+$(row registers.write):REG_WR+$(row registers.other):NON_REG_OPs" \
    "SPP=$(calc "$(row execution.int) / 25"):SP_ACC" "SFUP=$(calc "$(row execution.imul) / 4"):SFU_ACC" "FPUP=$(row execution.fp32):FPU_ACC" \
    "PIPEP=$(calc "$(row issue.lane) * 15 * 500 * 64"):PIPE_A" "NOCP=$(row network.request):NOC_A" \
    "DRAMP=$(row dram.read):MEM_RD+$(row dram.write):MEM_WR+$(row dram.activate):MEM_PRE" "IDLE_COREP=$(calc "$(row static.sm_idle) * 500 / 700 * 1e6"):IDLE_CORE_N"; do
    # a branch is in issue.instruction as other instructions are; by GPUWattch no scheduler sees it: up to a fifth of the instructions, a tenth of the pooling's
    case $is in IBP*) most=1.0 ;; *) most=0.003 ;; esac
    awk -F, -v is="$is" -v most=$most '
      NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; split(is, side, "="); n = split(side[1], left, "+"); m = split(side[2], right, "+"); next }
      { w = 0; for (i = 1; i <= n; i++) w += $(at[left[i]])
        s = 0; for (i = 1; i <= m; i++) { split(right[i], x, ":"); s += x[1] * $(at[x[2]]) * 700 / 500 / 1e6 }
        d = s - w; if (d < 0) d = -d; if (d > most * w + 1e-4 || (w > 0 && s < 0.99 * w)) { print $1, $2, is ": " s " W instead of " w; bad = 1 } rows++ }
      END { exit bad || rows != 16 }' validation/gtx480/reports.csv >"$tmp/out" || fail "$(cat "$tmp/out")"
  done
}

# The same kernels here: no part's share is more than 10 points from GPUWattch's, but the DRAM's of im2col and the L2's of fully-connected, of which the L2's
# rule for stores and its sectors are the reason: without them these are near as well.
shares_are_near_those_of_gpuwattch() {
  scripts/validate-energy-fermi --csv "$sluice" >"$tmp/shares" || fail "the script fails"
  [ "$(grep -c '^gtx480,' "$tmp/shares")" -eq 45 ] || fail "not nine rows for each of five kernels"
  awk -F, '$3 != "total" && ($6 > 10 || $6 < -10) && !($1 == "gtx480" && ($2 $3 ~ /^im2colDRAM/ || $2 $3 == "fully-connectedL2") && $6 > -13 && $6 < 0)' "$tmp/shares" >"$tmp/out"
  [ ! -s "$tmp/out" ] || fail "$(cat "$tmp/out")"
  awk -F, '$1 == "gtx480" && $3 != "total" { ours[$2] += $5; theirs[$2] += $4 } END { for (k in ours) { n++; if (ours[k] < 99.5 || ours[k] > 100.5 || theirs[k] < 99.5 || theirs[k] > 100.5) exit 1 } exit n != 5 }' "$tmp/shares" ||
    fail "shares that do not add up to 100: $(cat "$tmp/shares")"
}

tests the_parts_add_up run_says_energy_of_an_instruction_and_a_byte a_coefficient_times_its_counter instructions_are_counted_by_class_and_lane twice_the_work_costs_twice_the_energy \
  power_over_time_adds_up a_part_without_a_model_is_no_total caches_cost_what_cacti_says an_frc_costs_what_cacti_says what_piles_up_costs_as_many_l2s \
  parallel_access_reads_all_ways a_latency_that_no_array_has_is_told_once a_newer_node_is_smaller \
  without_currents_there_is_no_energy currents_that_cannot_be_are_refused the_dram_alone_tells_the_same a_technique_reads_the_l2_by_the_table_too energies_are_those_of_gpuwattch shares_are_near_those_of_gpuwattch
finish
