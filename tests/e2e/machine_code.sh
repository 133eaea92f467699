#!/bin/sh
# What machine code has and PTX has not: instructions that are several, constants that are operands, accesses that no lane makes; units of
# one scheduler each; what memory sends with a sector. Expected times are computed by hand.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# steps N WARPS CODE SETTINGS...: what N more copies of the instructions take one CTA's warps on the GPU of tests/timing/plain.yaml, beyond
# the first N. In CODE, # is the number of a register: 0 to 31 in turn.
steps() {
  n=$1 warps=$2 code=$3
  shift 3
  # shellcheck disable=SC2046 # settings are words
  set -- $(for s in "$@"; do echo "--set $s"; done)
  for k in "$n" $((2 * n)); do
    {
      printf '.version 7.0\n.target sm_70\n.address_size 64\n.const .align 4 .b8 table[256];\n.shared .align 4 .b8 word[128];\n.visible .entry k(.param .u64 p) {\n'
      printf '.reg .f32 %%f<32>, %%one; .reg .pred %%empty; .reg .u64 %%p, %%lane<3>; .reg .u32 %%t, %%u<32>;\n'
      printf 'ld.param.u64 %%p, [p]; mov.f32 %%one, 0f3f800000; mov.u32 %%t, %%tid.x; setp.gt.u32 %%empty, %%t, 4096;\n'
      printf 'mov.u64 %%lane0, table; and.b32 %%u0, %%t, 3; mad.wide.u32 %%lane1, %%u0, 8, %%lane0; and.b32 %%u0, %%t, 31; mad.wide.u32 %%lane2, %%u0, 4, %%lane0;\n'
      i=0
      while [ $i -lt "$k" ]; do
        echo "$code" | sed "s/#/$((i % 32))/g; s/&/$((i % 32 * 4))/g"
        i=$((i + 1))
      done
      printf 'ret;\n}\n'
    } >"$tmp/k.ptx"
    printf 'ptx: k.ptx\nbuffers: {p: {bytes: 4096}}\nlaunches:\n  - {kernel: k, grid: [1], block: [%s], args: [p]}\n' $((warps * 32)) >"$tmp/k.yaml"
    "$sluice" run "$tmp/k.yaml" --gpu "$plain_gpu" --set sm.fetch_width=64 --set sm.fetch_latency=1 --set sm.fetch_warps=64 --set sm.schedulers=1 --set l1i.on=false \
      --quiet --json "$tmp/k$k.json" "$@" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
  done
  echo $(($(json cycles "$tmp/k$((2 * n)).json") - $(json cycles "$tmp/k$n.json")))
}
# near NAME GOT WANT: within 3 %, as the first and last instructions overlap with others
near() { [ $(($2 * 100)) -ge $(($3 * 97)) ] && [ $(($2 * 100)) -le $(($3 * 103)) ] || fail "$1: $2 cycles instead of $3"; }

div='div.rn.f32 %f#, %one, %one;'
fast='sm.sfu_units=16 sm.interval.fdiv=1 sm.latency.fdiv=20'

an_instruction_takes_its_issue_slots() {
  # shellcheck disable=SC2086 # settings are words
  near "one slot" "$(steps 64 8 "$div" $fast)" $((64 * 8))
  # shellcheck disable=SC2086
  near "ten slots" "$(steps 64 8 "$div" $fast sm.slots.fdiv=10)" $((64 * 8 * 10))
}

divisions_keep_their_warp() { # one warp, of whose divisions none needs another
  # shellcheck disable=SC2086
  near "not held" "$(steps 64 1 "$div" $fast)" 64
  # shellcheck disable=SC2086
  near "held" "$(steps 64 1 "$div" $fast sm.held_calls=true sm.stages=1)" $((64 * 21))
}

a_scheduler_has_units_of_its_own() { # a warp's functions find four units, or the one of its scheduler
  four='sm.schedulers=4 sm.sp_units=4 sm.sfu_units=4 sm.interval.sfu=8'
  # shellcheck disable=SC2086
  near "four units" "$(steps 64 1 'ex2.approx.ftz.f32 %f#, %one;' $four sm.pipes=split)" $((64 * 8 / 4))
  # shellcheck disable=SC2086
  near "one unit" "$(steps 64 1 'ex2.approx.ftz.f32 %f#, %one;' $four sm.pipes=own)" $((64 * 8))
}

a_result_reaches_its_own_pipeline_first() {
  own='sm.schedulers=4 sm.sp_units=4 sm.sfu_units=4 sm.pipes=own sm.stages=1 sm.latency.int=3 sm.latency.imul=3 sm.latency.cross=1'
  # shellcheck disable=SC2086
  near "one pipeline" "$(steps 64 1 'xor.b32 %t, %t, 5;' $own)" $((64 * 4))
  # shellcheck disable=SC2086
  near "two in turn" "$(steps 64 1 'xor.b32 %t, %t, 5; mul.lo.u32 %t, %t, 3;' $own)" $((64 * 10))
  # shellcheck disable=SC2086
  near "additions beside logic" "$(steps 64 1 'xor.b32 %t, %t, 5; add.u32 %t, %t, 3;' $own)" $((64 * 10))
}

constants_of_known_place_are_operands() { # an issue slot each, where the load/store unit has one in twenty cycles
  loads=$(steps 64 8 'ld.const.f32 %f#, [table+&];' l1c.on=false l1c.interval=20)
  [ "$loads" -ge $((64 * 8 * 10)) ] || fail "loads: $loads cycles, less than $((64 * 8 * 10))"
  near "operands" "$(steps 64 8 'ld.const.f32 %f#, [table+&];' l1c.on=false l1c.interval=20 sm.constant_operands=true)" $((64 * 8))
  is "constants" "$(json loads.const "$tmp/k128.json")" $((128 * 8)) # executed as often, whatever they cost
}

constants_leave_their_cache_address_by_address() { # 3 cycles each; lanes read one byte, a byte of each of four words, 32 words
  lane=0
  for n in 1 4 32; do
    near "$n addresses" "$(steps 64 8 "ld.const.u8 %u#, [%lane$lane];" l1c.on=false l1c.interval=3)" $((64 * 8 * 3 * n))
    lane=$((lane + 1))
  done
  # one warp, whose every load waits for the one before: 20 cycles and 7 for each of three more addresses
  one=$(steps 64 1 'ld.const.u32 %u0, [%lane0]; and.b32 %u0, %u0, 0; mad.wide.u32 %lane0, %u0, 4, %lane0;' l1c.on=false l1c.interval=3 l1c.latency=20)
  four=$(steps 64 1 'ld.const.u32 %u0, [%lane1]; and.b32 %u0, %u0, 0; mad.wide.u32 %lane1, %u0, 4, %lane1;' l1c.on=false l1c.interval=3 l1c.latency=20 l1c.address_latency=7)
  near "further addresses" $((four - one)) $((64 * 3 * 7))
  for s in l1c.second_latency=90 l1c.interval=1; do # GCN has scalar caches
    run "$sluice" run bfs --size small --gpu hd7770m2s --set l1c.on=true --set $s
    exits 2
    err_has "${s%=*}: sm.model gcn has scalar caches"
  done
  second='l1c.on=true l1c.sets=1 l1c.ways=1 l1c.latency=10 l1c.second_latency=50'
  # a line of 16 words is followed by another, which the cache has not
  # shellcheck disable=SC2086
  near "second cache" "$(steps 64 1 'ld.const.u32 %u#, [table+&];' $second l1c.interval=3 l1c.second_interval=38)" $((64 * 3 + 4 * 38))
}

stores_of_no_lane_take_the_unit() { # loads do not
  for code in '@%empty st.global.f32 [%p], %one;' '@%empty st.shared.f32 [0], %one;'; do
    near "$code" "$(steps 64 8 "$code")" $((64 * 8))
    near "$code in 3 cycles" "$(steps 64 8 "$code" sm.empty_interval=3)" $((64 * 8 * 3))
  done
  near "a load" "$(steps 64 8 '@%empty ld.global.f32 %f#, [%p];' sm.empty_interval=3)" $((64 * 8))
}

fences_of_the_gpu_take_time() {
  near "of the GPU" "$(steps 32 1 'membar.gl;' sm.fence_latency=100)" $((32 * 100))
  near "of a CTA" "$(steps 32 1 'membar.cta;' sm.fence_latency=100)" 32
  near "of a CTA, held" "$(steps 32 1 'membar.cta;' sm.fence_latency=100 sm.block_fence=40)" $((32 * 40))
  load='ld.global.f32 %f#, [%p]; add.f32 %one, %one, %f#; membar.gl;'
  near "twice after a load that has ended" $(($(steps 32 1 "$load" sm.fence_latency=3000) - $(steps 32 1 "$load" sm.fence_latency=1000))) $((32 * 2 * 2000))
  near "one after the other" "$(steps 32 8 'fence.acq_rel.gpu;' sm.fence_latency=20 sm.fence_interval=20)" $((32 * 8 * 20))
  store='st.global.f32 [%p], %one; membar.gl;'
  once=$(steps 32 8 "$store" sm.fence_latency=10) again=$(steps 32 8 "$store" sm.fence_latency=10 sm.fence_again=3000)
  [ $((again - once)) -ge $((10 * 2000)) ] || fail "other warps store: $again cycles beside $once"
  run "$sluice" run validation/h200/micro/fence_load_ca_32.yaml --gpu h200 --csv "$tmp/f.csv"
  is "hits of loads behind a fence" "$(awk -F, '$1 == 1 && $3 == "l1d.hits" { print $4 }' "$tmp/f.csv")" 0
}

# 32 lanes read as many words of one bank of the L1: each pass takes its time.
passes_over_banks_add_to_the_latency() {
  for i in 0 10; do
    run "$sluice" run validation/h200/micro/trip_l1_32.yaml --gpu h200 --set l1d.pass_latency=$i --csv "$tmp/p$i.csv"
  done
  got=$(awk -F, 'FNR == 1 { f++ } $3 == "gpu.cycles" { c[f, $1] = $4 } END { print c[2, 2] - c[2, 1] - c[1, 2] + c[1, 1] }' "$tmp/p0.csv" "$tmp/p10.csv")
  near "64 loads of 32 passes" "$got" $((64 * 31 * 10))
}

a_part_of_a_sector_of_local_memory_makes_it_valid() { # nothing is read from the L2 then
  for all in false true; do
    run "$sluice" run validation/h200/micro/local_stack_32.yaml --gpu h200 --set l1d.local_sectors=$all --csv "$tmp/l.csv"
    awk -F, '$1 == 1 && $3 == "l1d.fills" { print $4 }' "$tmp/l.csv" >"$tmp/fills.$all"
  done
  is "sectors read" "$(cat "$tmp/fills.true")" 0
  [ "$(cat "$tmp/fills.false")" -gt 0 ] || fail "bytes alone are valid, and nothing is read"
}

arrivals_at_a_barrier_take_the_unit() {
  near "nothing" "$(steps 64 8 'st.shared.f32 [word+&], %one; bar.sync 0;' sm.barrier_unit=0)" "$(steps 64 8 'st.shared.f32 [word+&], %one; bar.sync 0;')"
  near "30 cycles" "$(steps 64 8 'st.shared.f32 [word+&], %one; bar.sync 0;' sm.barrier_unit=30)" $((64 * 8 * 31))
}

sums_of_f32_in_shared_memory_keep_their_warp() { # those of integers do not
  near "f32" "$(steps 32 1 'red.shared.add.f32 [word], %one;' sm.shared_cas=50)" $((32 * 51))
  near "slots" "$(steps 32 8 'red.shared.add.f32 [word], %one;' sm.shared_cas=1 sm.slots.shared_cas=40)" $((32 * 8 * 40))
  near "f64" "$(steps 32 1 'red.shared.add.u64 [word], %p;' sm.shared_cas=50 sm.shared_cas_long=70)" $((32 * 71))
  near "the unit" "$(steps 32 32 'red.shared.add.f32 [word], %one;' sm.shared_cas=1 sm.shared_cas_unit=6)" $((32 * 32 * 6))
  [ "$(steps 32 1 'red.shared.add.u32 [word], %t;' sm.shared_cas=50)" -lt $((32 * 50)) ] || fail "integers wait, too"
}

# Warps of all schedulers write structures of two words, word by word. Of a card's 16 sectors for each two stores 8.6 come to the L2: the
# second store of a warp follows the first before others come between.
stores_of_a_warp_follow_each_other() {
  run "$sluice" run validation/h200/micro/st_fields_2.yaml --gpu h200 --csv "$tmp/f.csv"
  got=$(awk -F, '$1 == 1 { v[$3] = $4 } END { print int(v["l1d.repeated_stores"] / v["ldst.accesses"] * 100 + 0.5) }' "$tmp/f.csv")
  [ "$got" -ge 44 ] && [ "$got" -le 50 ] || fail "$got in a hundred accesses are joined instead of 46"
}

# A lane reads 128 words 32 bytes apart, one after the other.
memory_sends_more_than_a_sector() {
  for b in 0 32 64 128; do
    run "$sluice" run validation/h200/micro/chase_cold_32.yaml --gpu h200 --set l2.warm=false --set l2.cold_launches=true --set l2.fetch_bytes=$b --csv "$tmp/f.csv"
    per=$((b > 32 ? b / 32 : 1))
    got=$(awk -F, '$1 == 1 && $3 == "l2.misses" { print $4 }' "$tmp/f.csv")
    [ "$got" = $((128 / per + 1)) ] || fail "$b bytes: $got misses instead of $((128 / per + 1)), of which one is a store"
    got=$(awk -F, '$1 == 1 && $3 == "dram.reads" { print $4 }' "$tmp/f.csv")
    [ "$got" = 128 ] || fail "$b bytes: $got reads of 32 bytes instead of 128"
  done
  run "$sluice" run validation/h200/micro/chase_cold_32.yaml --gpu h200 --set l2.fetch_bytes=16
  exits 2
  # a slow memory sends the rest of a line after the last CTA has ended: the launch waits for it
  run "$sluice" run bfs --size small --gpu h200 --set l2.cold_launches=true --set l2.fetch_bytes=128 --set dram.timing=ccd_s=100,ccd_l=100
  exits 0
}

# 4.3 MB are read from memory and written elsewhere: 135,168 sectors come into 94 slices, and stores wait for them. Reads alone do not.
data_from_memory_take_the_way_of_stores() {
  printf 'ptx: %s/validation/h200/micro3.ptx\nbuffers: {p: {bytes: 8MiB}, q: {bytes: 8MiB}}\nlaunches:\n  - {kernel: copy_stream, grid: [264], block: [256], args: [p, q, {s32: 2097151}, {s32: 4}]}\n' "$PWD" >"$tmp/c.yaml"
  for i in 0 20; do
    run "$sluice" run "$tmp/c.yaml" --gpu h200 --set l2.warm=false --set gpu.l2_mhz=1980 --set l2.fill_port_interval=$i --quiet --json "$tmp/c$i.json"
    exits 0
  done
  [ "$(json cycles "$tmp/c20.json")" -ge $((135168 / 94 * 20)) ] || fail "$(json cycles "$tmp/c20.json") cycles for data of $((135168 / 94)) x 20"
  [ "$(json cycles "$tmp/c0.json")" -lt $((135168 / 94 * 10)) ] || fail "$(json cycles "$tmp/c0.json") cycles without the port"
}

# Warps of all SMs add to the 32 words of a line: four sectors for each instruction, in 4 x 3 cycles of the L2 or in 4 x 2.
atomics_of_a_line_are_served_faster() {
  for by in 0:640 2:800; do # four sectors, of l2.atomic_interval 1.6 or of 2 cycles each
    run "$sluice" run validation/h200/micro/l_add_32.yaml --gpu h200 --set l2.atomic_line_interval=${by%:*} --set gpu.l2_mhz=1980 --csv "$tmp/f.csv"
    got=$(awk -F, '$3 == "gpu.cycles" { c[$1] = $4 } END { print int((c[2] - c[1]) / 32 / 1056 * 100 + 0.5) }' "$tmp/f.csv")
    near "hundredths of a step with ${by%:*}" "$got" "${by#*:}"
  done
}

# Stores of sectors all over 64 MB: slices keep 16 changed lines, and what a channel of 47 has not yet written when the launch ends are 8 lines at most.
stores_wait_for_lines_that_are_written() {
  printf 'ptx: %s/validation/h200/micro7.ptx\nbuffers: {p: {bytes: 64MiB}}\nlaunches:\n  - {kernel: st_sectors_random, grid: [264], block: [256], args: [p, {u32: 16777215}, {s32: 4}]}\n' "$PWD" >"$tmp/s.yaml"
  for by in 0 8; do
    run "$sluice" run "$tmp/s.yaml" --gpu h200 --set l2.warm=false --set l2.dirty_lines=16 --set l2.write_backs=$by --quiet --csv "$tmp/s.csv"
    exits 0
    eval "left_$by=$(awk -F, '$1 == 0 { v[$3] = $4 } END { print v["l2.writes"] - v["dram.writes"] - v["dram.merged_writes"] }' "$tmp/s.csv")"
  done
  # shellcheck disable=SC2154
  [ "$left_8" -le $((47 * 8)) ] && [ "$left_0" -gt $((47 * 8)) ] || fail "$left_8 sectors are left, and $left_0 without the limit"
  # reads of the other half do not let a store that waits try again
  for how in "" --general --no-skip; do
    # shellcheck disable=SC2086 # an option or none
    "$sluice" run bfs -p nodes=2048 --gpu h200 --set l2.cold_launches=true --set l2.sets=1 --set l2.ways=2 --set l2.dirty_lines=1 --set l2.write_backs=1 $how --quiet --csv "$tmp/l.csv" || fail "ends $how"
    grep -v ',sim\.' "$tmp/l.csv" >"$tmp/numbers$how"
    cmp -s "$tmp/numbers" "$tmp/numbers$how" || fail "other numbers with $how"
  done
}

# hundredths NAME RANGE SETTING: cycles of the L2 for an instruction of a microbenchmark with 16 steps more, 1,056 warps
hundredths() {
  run "$sluice" run "validation/h200/micro/$1.yaml" --gpu h200 --set "$3" --set gpu.l2_mhz=1980 --csv "$tmp/f.csv"
  got=$(awk -F, '$3 == "gpu.cycles" { c[$1] = $4 } END { print int((c[2] - c[1]) / 16 / 1056 * 100 + 0.5) }' "$tmp/f.csv")
  [ "$got" -ge "${2%:*}" ] && [ "$got" -le "${2#*:}" ] || fail "$1, $3: $got hundredths of a cycle, not $2"
}

# step_of NAME RANGE SETTING: hundredths of a cycle of a step of a microbenchmark with 16 steps more
step_of() {
  run "$sluice" run "validation/h200/micro/$1.yaml" --gpu h200 --set "$3" --set gpu.l2_mhz=1980 --csv "$tmp/f.csv"
  got=$(awk -F, '$3 == "gpu.cycles" { c[$1] = $4 } END { print int((c[2] - c[1]) / 16 * 100 + 0.5) }' "$tmp/f.csv")
  [ "$got" -ge "${2%:*}" ] && [ "$got" -le "${2#*:}" ] || fail "$1, $3: $got hundredths of a cycle, not $2"
}

# Lanes of a warp change three words of a line in turn: 11 passes over a sector, in one of 94 slices.
atomics_of_several_words_take_longer_on_other_lines() {
  for by in 4:46:51 8:93:101; do
    hundredths add_words_3 "${by#*:}" l2.atomic_words_interval="${by%%:*}"
  done
}

# Lanes add f64 to one word, and each sum waits for the one before; where warps have words of their own, slices go on with others.
sums_of_one_word_wait_for_each_other() {
  step_of addd_one_32 45000:47500 l2.atomic_float_interval=3.6
  step_of addd_words_1 70000:80000 l2.atomic_float_interval=3.6
}

# A slice takes so long for each sector of f64: 64 blocks of two lines of four sectors, of 1,056 warps, on 32 slices or more.
rows_of_f64_take_their_time() {
  step_of addd_rows_64 $((264 * 8 * 100)):$((264 * 12 * 100)) l2.atomic_double_line_interval=8
}

# Two lines of a slice, four sectors of 8 words each: 1.6 cycles for the first sector of a line that is not among the last, which every other
# instruction changes, 1 for others.
rows_are_quicker_on_the_last_lines() {
  hundredths add_rows_2 390:410 l2.atomic_words_lines=2
  hundredths add_rows_2 420:440 l2.atomic_words_lines=1
}

# The last of 15 SMs begins 14 times the interval later, one SM alone at once.
code_comes_to_one_sm_after_the_other() {
  printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\nret;\n}\n' >"$tmp/c.ptx"
  for by in 1:0 15:$((1400 - 2)); do # less sm.fetch_latency, which passes meanwhile
    printf 'ptx: c.ptx\nbuffers: {p: {bytes: 4}}\nlaunches:\n  - {kernel: k, grid: [%s], block: [32], args: [p]}\n' "${by%:*}" >"$tmp/c.yaml"
    for i in 0 100; do
      "$sluice" run "$tmp/c.yaml" --gpu "$plain_gpu" --set l1i.on=false --set gpu.code_interval=$i --quiet --json "$tmp/c$i.json" || fail "interval $i"
    done
    is "${by%:*} SMs" $(($(json cycles "$tmp/c100.json") - $(json cycles "$tmp/c0.json"))) "${by#*:}"
  done
}

# two_ways SETTINGS...: 16 branches at which the first half of a warp goes another way than the second.
two_ways() {
  steps 16 1 'setp.lt.u32 %empty, %t, 16; @%empty bra A#; add.u32 %u1, %u1, 1; bra.uni B#; A#: add.u32 %u2, %u2, 1; B#: add.u32 %u3, %u3, 1;' sm.latency.diverge=1 "$@"
}
# Four ways by two tests each: at the second test of the half that waited, lanes part again.
four_ways() {
  steps 8 1 'and.b32 %u4, %t, 1; setp.eq.u32 %empty, %u4, 0; and.b32 %u4, %t, 2; @%empty bra A#; setp.eq.u32 %empty, %u4, 0; @%empty bra B#; add.u32 %u1, %u1, 1;
    bra.uni D#; B#: add.u32 %u2, %u2, 1; bra.uni D#; A#: setp.eq.u32 %empty, %u4, 0; @%empty bra C#; add.u32 %u1, %u1, 1; bra.uni D#; C#: add.u32 %u2, %u2, 1;
    D#: add.u32 %u3, %u3, 1;' sm.latency.diverge=1 "$@"
}

lanes_that_wait_and_meet_take_time() { # each branch has one half that waits, and a meeting
  all='setp.lt.u32 %empty, %t, 1000; @%empty bra A#; add.u32 %u1, %u1, 1; A#: add.u32 %u3, %u3, 1;'
  near "may part" $(($(steps 16 1 "$all" sm.latency.may_part=20) - $(steps 16 1 "$all"))) $((16 * 20))
  near "meet" $(($(two_ways sm.latency.meet=20) - $(two_ways))) $((16 * 40))
  near "part again" $(($(four_ways sm.latency.part_again=30) - $(four_ways))) $((8 * 30))
}

# A warp of eight waits for 40 cycles at jumps, in which the scheduler fetches for others: five cycles for each jump, behind which three
# instructions are fetched for nothing, and the addition.
jumps_waste_what_is_fetched() {
  jump='bra.uni A#; add.u32 %u2, %u2, 1; A#: add.u32 %u1, %u1, 1;'
  near "jumps" "$(steps 16 8 "$jump" sm.latency.ctrl=2 sm.fetch_interval=1 sm.fetch_wasted=3)" $((16 * 8 * 5))
  near "jumps, two cycles" "$(steps 16 8 "$jump" sm.latency.ctrl=2 sm.fetch_interval=2 sm.fetch_wasted=3)" $((16 * 8 * 10))
}

# The last sum reads the first, whose 20 cycles an assembler counts: 18 of them from the sum that waits for the function's result.
distances_pass_behind_instructions_that_wait() {
  sums='add.f32 %f0, %f0, %one; ex2.approx.ftz.f32 %f1, %f1; add.f32 %f2, %f1, %one; add.f32 %f3, %f0, %one;'
  own='sm.pipes=own sm.sp_units=1 sm.sfu_units=1 sm.latency.fp32=20 sm.latency.sfu=100 sm.stages=1'
  # shellcheck disable=SC2086
  near "distances" $(($(steps 16 1 "$sums" $own sm.distances=true) - $(steps 16 1 "$sums" $own))) $((16 * 18))
}

returns_take_time() { # eight calls more
  for n in 8 16; do
    {
      printf '.version 7.0\n.target sm_70\n.address_size 64\n.func f() {\nret;\n}\n.visible .entry k(.param .u64 p) {\n'
      i=0
      while [ $i -lt $n ]; do
        echo 'call.uni f;'
        i=$((i + 1))
      done
      printf 'ret;\n}\n'
    } >"$tmp/r.ptx"
    for warps in 1 8; do
      printf 'ptx: r.ptx\nbuffers: {p: {bytes: 4}}\nlaunches:\n  - {kernel: k, grid: [1], block: [%s], args: [p]}\n' $((warps * 32)) >"$tmp/r.yaml"
      for set in sm.latency.return=1 sm.latency.return=51 sm.interval.return=30; do
        "$sluice" run "$tmp/r.yaml" --gpu "$plain_gpu" --set l1i.on=false --set sm.schedulers=1 --set sm.pipes=own --set sm.sp_units=1 --set sm.sfu_units=1 --set $set --quiet --json "$tmp/r$n.$warps.$set.json" || fail "$set"
      done
    done
  done
  more() { echo $(($(json cycles "$tmp/r16.$1.$2.json") - $(json cycles "$tmp/r8.$1.$2.json"))); }
  near "latency" $(($(more 1 sm.latency.return=51) - $(more 1 sm.latency.return=1))) $((8 * 50))
  near "interval" "$(more 8 sm.interval.return=30)" $((8 * 8 * 31)) # a call takes the unit for a cycle
}

tests an_instruction_takes_its_issue_slots lanes_that_wait_and_meet_take_time jumps_waste_what_is_fetched distances_pass_behind_instructions_that_wait \
  returns_take_time divisions_keep_their_warp a_scheduler_has_units_of_its_own a_result_reaches_its_own_pipeline_first \
  constants_of_known_place_are_operands constants_leave_their_cache_address_by_address stores_of_no_lane_take_the_unit stores_of_a_warp_follow_each_other \
  atomics_of_several_words_take_longer_on_other_lines sums_of_one_word_wait_for_each_other rows_of_f64_take_their_time rows_are_quicker_on_the_last_lines stores_wait_for_lines_that_are_written \
  memory_sends_more_than_a_sector data_from_memory_take_the_way_of_stores atomics_of_a_line_are_served_faster code_comes_to_one_sm_after_the_other \
  sums_of_f32_in_shared_memory_keep_their_warp arrivals_at_a_barrier_take_the_unit \
  fences_of_the_gpu_take_time passes_over_banks_add_to_the_latency a_part_of_a_sector_of_local_memory_makes_it_valid
finish
