#!/bin/sh
# Comparison with a real GPU: sums that arithmetic gives, caches that are cold, sets that are damaged.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
columns=elapsed,active,instructions,thread_instructions,l1_load_sectors,l1_load_hits,l2_sectors,l2_hits,dram_read_bytes,dram_write_bytes,registers
head=name,launch,kernel,grid,block,$columns

# set_of FACTORS...: a set of as many kernels whose card took the cycles of the timing model times a factor, cold and warm
set_of() {
  rm -rf "$tmp/set"
  mkdir -p "$tmp/set/recorded" "$tmp/set/kernels" "$tmp/set/micro"
  cp validation/h200/kernels.ptx "$tmp/set"
  echo kernel,class >"$tmp/set/kernels.csv"
  echo type,name,set >"$tmp/set/split.csv"
  echo micro,steps,short,long,caches >"$tmp/set/micro.csv"
  for f in micro kernels_cold kernels_warm workloads_cold; do echo "$head" >"$tmp/set/recorded/$f.csv"; done
  k=0
  for factor in "$@"; do
    k=$((k + 1))
    sed 's/count: 8448/count: '$((k * 2112))'/g; s/s32: 8448/s32: '$((k * 2112))'/' validation/h200/kernels/saxpy_small.yaml \
      >"$tmp/set/kernels/k$k.yaml"
    "$sluice" run "$tmp/set/kernels/k$k.yaml" --gpu gtx480 --set l2.warm=false --quiet --csv "$tmp/k.csv"
    echo "k$k,compute" >>"$tmp/set/kernels.csv"
    echo "kernel,k$k,calibration" >>"$tmp/set/split.csv"
    for launch in 0 1; do
      at=$(sed -n "s/^$launch,saxpy,gpu.cycles,\([0-9]*\),.*/\1/p" "$tmp/k.csv")
      card=$(awk "BEGIN { print $at * $factor }")
      [ $launch -eq 0 ] && where=cold || where=warm
      echo "k$k,$launch,saxpy,66x1x1,128x1x1,$card,$card,100,3200,64,0,64,0,0,0,16" >>"$tmp/set/recorded/kernels_$where.csv"
    done
  done
}

# Ratios of ours to the card 1, 0.5 and 2: errors 0, 50 and 100 %, mean and median 50, a third within 15 %, geometric mean 1.
sums_are_those_of_arithmetic() {
  set_of 1 2 0.5
  run "$sluice" validate gtx480 --from "$tmp/set" --no-workloads --json "$tmp/v.json"
  exits 0
  grep -q '^calibration  all  *all  *6 *50.0% *50.0% *33% *1.000' "$tmp/out" || fail "$(cat "$tmp/out")"
  [ "$(grep -c '"caches": "warm"' "$tmp/v.json")" -eq 3 ] || fail "three warm rows in the JSON"
}

counter() { sed -n "s/^1,[^,]*,$1,\([0-9.e+-]*\),.*/\1/p" "$tmp/k.csv"; }

# A card that takes 50 pJ for an instruction, 7 for a lane of a multiply-add and 20 W always: that is what the fit finds.
a_fit_finds_what_a_card_takes() {
  set_of 1
  mkdir "$tmp/set/energy"
  cp validation/h200/energy.ptx "$tmp/set"
  { echo "about: three rows"; echo "rows:"; } >"$tmp/t.yaml"
  sed -n 's/^X([A-Z0-9_]*, "\([a-z0-9_.]*\)".*/\1/p' src/energy/rows.def | while read -r row; do
    case $row in issue.instruction | execution.fma | static.board) source="fit: here" ;; *) source="not fitted" ;; esac
    echo "  $row: {value: 0, source: \"$source\"}" >>"$tmp/t.yaml"
  done
  echo micro,fit >"$tmp/set/energy.csv"
  for f in energy_micro energy_warm; do echo name,kernel,watts,us >"$tmp/set/recorded/$f.csv"; done
  for k in fma:f32 iadd:u32 imad:u32 fadd:f32; do
    printf 'ptx: ../energy.ptx\nbuffers:\n  o: {count: 2048, type: %s}\nlaunches:\n  - {kernel: e_%s, grid: [8], block: [256], args: [o, {s32: 32}, {s32: 4}], repeat: 2}\n' \
      "${k#*:}" "${k%:*}" >"$tmp/set/energy/${k%:*}.yaml"
    "$sluice" run "$tmp/set/energy/${k%:*}.yaml" --gpu gtx480 --set l2.warm=false --quiet --csv "$tmp/k.csv"
    echo "${k%:*},yes" >>"$tmp/set/energy.csv"
    uj="1e-6 * (50 * $(counter sm.issued) + 7 * $(counter exec.fma)) + 20 * 10" # of 10 microseconds
    echo "${k%:*},-,$(awk "BEGIN { printf \"%.17g\", ($uj) / 10 }"),10" >>"$tmp/set/recorded/energy_micro.csv"
  done
  run "$sluice" validate gtx480 --from "$tmp/set" --energy --micro --fit --table "$tmp/t.yaml"
  exits 0
  for is in "issue.instruction: {value: 50," "execution.fma: {value: 7," "static.board: {value: 20,"; do
    grep -qF "$is" "$tmp/out" || fail "no '$is' in $(grep -E 'issue|fma|board' "$tmp/out")"
  done
  run "$sluice" validate gtx480 --from "$tmp/set" --fit
  exits 2
  err_has --energy
}

# A card that takes what the model says, times 1, 2 and 0.5: errors 0, 50 and 100 %; with times as simulated, power and energy agree.
errors_of_energy_are_those_of_arithmetic() {
  set_of 1 1 1
  mkdir "$tmp/set/energy"
  echo micro,fit >"$tmp/set/energy.csv"
  for f in energy_micro energy_warm; do echo name,kernel,watts,us >"$tmp/set/recorded/$f.csv"; done
  for k in 1:1 2:2 3:0.5; do
    "$sluice" run "$tmp/set/kernels/k${k%:*}.yaml" --gpu gtx480 --set l2.warm=false --quiet --csv "$tmp/k.csv"
    echo "k${k%:*},-,$(awk "BEGIN { printf \"%.17g\", $(counter energy.mean_w) * ${k#*:} }"),$(counter time_us)" >>"$tmp/set/recorded/energy_warm.csv"
  done
  run "$sluice" validate gtx480 --from "$tmp/set" --energy --table gtx480
  exits 0
  grep -q '^calibration  all  *3 |  *50.0%  *50.0%  *100.0%  *1.000 |  *50.0%  *50.0%  *1.000 |  *50.0%  *50.0%' "$tmp/out" || fail "$(cat "$tmp/out")"
  echo k9,-,0,1 >>"$tmp/set/recorded/energy_warm.csv"
  run "$sluice" validate gtx480 --from "$tmp/set" --energy --table gtx480
  exits 2
  err_has energy_warm.csv:5
}

# A look at the validation part is noted; one at the calibration is not.
looks_are_noted() {
  set_of 1
  run "$sluice" validate gtx480 --from "$tmp/set" --no-workloads
  exits 0
  [ ! -e "$tmp/set/looks.csv" ] || fail "a look at the calibration was noted"
  sed -i s/calibration/validation/ "$tmp/set/split.csv"
  for _ in 1 2; do
    run "$sluice" validate gtx480 --from "$tmp/set" --no-workloads --part validation --cases
    exits 0
  done
  [ "$(wc -l <"$tmp/set/looks.csv")" -eq 3 ] || fail "two looks and a header: $(cat "$tmp/set/looks.csv")"
  grep -q '^k1 ' "$tmp/out" && fail "a row of the validation part was shown"
}

# Another set of kernels in the same folder has classes, recordings, a split and looks of its own: a card that took 1, 2 and 0.5 times
# the model's cycles, the last two kept. No output shows a row of the kept part.
other_sets_stand_alone() {
  set_of 1 2 0.5
  for where in cold warm; do mv "$tmp/set/recorded/kernels_$where.csv" "$tmp/set/recorded/more_$where.csv"; done
  mv "$tmp/set/kernels" "$tmp/set/more"
  mv "$tmp/set/kernels.csv" "$tmp/set/more.csv"
  sed 's/\(k[23]\),calibration/\1,validation/' "$tmp/set/split.csv" >"$tmp/set/more_split.csv"
  rm "$tmp/set/split.csv" "$tmp/set/micro.csv" "$tmp/set/recorded/micro.csv"
  run "$sluice" validate gtx480 --from "$tmp/set" --kernels more --part all --cases --json "$tmp/v.json"
  exits 0
  grep -q '^calibration  all  *all  *2 *0.0% *0.0% *100% *1.000' "$tmp/out" || fail "$(cat "$tmp/out")"
  grep -q '^validation   all  *all  *4 *75.0% *75.0% *0% *1.000' "$tmp/out" || fail "$(cat "$tmp/out")"
  [ "$(grep -c '^k[23] ' "$tmp/out")" -eq 0 ] || fail "a row of the kept part was shown: $(cat "$tmp/out")"
  [ "$(grep -c '"name": "k1"' "$tmp/v.json")" -eq 2 ] || fail "two rows of the calibration in the JSON"
  grep -q '"name": "k[23]"' "$tmp/v.json" && fail "a row of the kept part is in the JSON"
  [ "$(wc -l <"$tmp/set/more_looks.csv")" -eq 2 ] || fail "a look and a header in more_looks.csv"
  [ ! -e "$tmp/set/looks.csv" ] || fail "the look was noted beside the first set"
  for wrong in "--kernels moer" "--kernels ../set/more" "--kernels more --micro" "--kernels more --energy" "--kernels more --page x.md"; do
    # shellcheck disable=SC2086 # several words on purpose
    run "$sluice" validate gtx480 --from "$tmp/set" $wrong
    exits 2
    err_has more
  done
}

# files_of SET LEAST CLASS...: each class has some launches and each launch file a class.
files_of() {
  at=validation/h200/$1 least=$2
  shift 2
  for class in "$@"; do
    [ "$(grep -c ",$class" "$at.csv")" -ge "$least" ] || fail "$at: fewer than $least launches of class $class"
  done
  (cd "$at" && ls -- *.yaml) | sed 's/\.yaml$//' | LC_ALL=C sort >"$tmp/want"
  sed '1d; s/,.*//' "$at.csv" | LC_ALL=C sort | diff "$tmp/want" - || fail "$at: launch files and classes"
}

# draw_of SET LEAST [SHARE]: the split of a set is the one that the checksums of its kernels' names give.
draw_of() {
  set=$1 least=$2
  shift 2
  scripts/draw-split "validation/h200/$set" "$@" | cmp - "validation/h200/${set}_split.csv" || fail "the split of $set is another draw"
  files_of "$set" "$least" bandwidth latency compute divergent atomic
}

# recordings_of SET: each launch file of a set was recorded twice with cold and with warm caches, with the grid that it has.
recordings_of() {
  for file in "validation/h200/$1"/*.yaml; do
    grid=$(sed -n 's/.* grid: \[\([0-9, ]*\)\].*/\1/p' "$file" | head -n 1 | sed 's/, */x/g; s/$/x1x1/' | cut -dx -f1-3)
    for launch in 0 1; do echo "$(basename "$file" .yaml),$launch,$grid"; done
  done | LC_ALL=C sort >"$tmp/want"
  for caches in cold warm; do
    sed 1d "validation/h200/recorded/$1_$caches.csv" | cut -d, -f1,2,4 | LC_ALL=C sort | diff "$tmp/want" - || fail "$1: launches with $caches caches"
  done
}

second_set_is_whole() {
  draw_of kernels2 16
  recordings_of kernels2
}

# launches_of SET: each kernel has one launch file, of its name, in which it is launched twice.
launches_of() {
  sed -n 's/^GLOBAL \([a-z0-9_]*\)(.*/\1/p' "$at.cu" | LC_ALL=C sort | diff "$tmp/want" - || fail "launch files and kernels"
  for file in "$at"/*.yaml; do
    name=$(basename "$file" .yaml)
    twice=$(sed -n "s/.*{kernel: $name, .*repeat: 2}$/2/p; s/.*{kernel: $name, .*/1/p" "$file" | awk '{ n += $1 } END { print n }')
    [ "$twice" = 2 ] || fail "$name is not launched twice"
  done
  [ ! -e "validation/h200/recorded/$1_cold.csv" ] || recordings_of "$1"
}

# whole_of SET LEAST: half of a set calibrates.
whole_of() {
  draw_of "$1" "$2" 1/2
  launches_of "$1"
}

third_set_is_whole() { whole_of kernels3 12; }

fourth_set_is_whole() { whole_of kernels4 10; }

# All kernels of the fifth set may be looked at.
fifth_set_is_whole() {
  files_of kernels5 6 latency compute divergent atomic
  sed 's/,.*//; s/.*/kernel,&,calibration/; 1s/.*/type,name,set/' "$at.csv" | cmp - "${at}_split.csv" || fail "split of $at"
  launches_of kernels5
}

# A share that is no fraction between 0 and 1 is refused.
shares_are_fractions() {
  for share in 2 0/2 2/2 1/ /2 1/2/3 x/2 ""; do
    run scripts/draw-split validation/h200/kernels3 "$share"
    exits 2
  done
}

# What was recorded with 67 CTAs is not compared with a launch of 66.
launches_of_other_sizes_are_left_out() {
  set_of 1 2
  sed -i 's/^k1,\([01]\),saxpy,66x/k1,\1,saxpy,67x/' "$tmp/set/recorded/kernels_cold.csv"
  run "$sluice" validate gtx480 --from "$tmp/set" --no-workloads --cases
  exits 1
  err_has 'k1: 1 launches have other grids than those recorded: record it again'
  [ "$(grep -c '^k[0-9] ' "$tmp/out")" -eq 3 ] || fail "one row of four is left out: $(cat "$tmp/out")"
}

# A pattern of names chooses rows, but none of the validation part, which nobody may look at one by one.
patterns_choose_rows() {
  set_of 1 2 0.5
  run "$sluice" validate gtx480 --from "$tmp/set" --no-workloads --cases --only 'k[13]'
  exits 0
  [ "$(grep -c '^k[0-9] ' "$tmp/out")" -eq 4 ] || fail "cold and warm rows of two kernels: $(cat "$tmp/out")"
  run "$sluice" validate gtx480 --from "$tmp/set" --part validation --only k1
  exits 2
  err_has "--only"
}

# A copy of 4,096 lines reads 4 sectors of each; with cold launches none of them hits, however often it is launched.
cold_launches_find_an_empty_l2() {
  cat >"$tmp/c.yaml" <<END
ptx: $PWD/validation/h200/kernels.ptx
buffers:
  a: {count: 131072, type: f32}
  b: {count: 131072, type: f32}
launches:
  - {kernel: copy4, grid: [512], block: [256], args: [a, b, {s32: 131072}], repeat: 3}
END
  for gpu in fermi15 v100; do
    run "$sluice" run "$tmp/c.yaml" --gpu $gpu --quiet --set l1i.on=false --set l1c.params=false --set l2.warm=false --set l2.cold_launches=true --csv "$tmp/c.csv"
    exits 0
    reads=$(awk -F, '$1 ~ /^[0-2]$/ && $3 == "dram.reads" { print $4 }' "$tmp/c.csv" | sort -u)
    [ "$(echo "$reads" | wc -l)" -eq 1 ] && [ "$reads" -gt 0 ] || fail "$gpu: reads of the launches: $reads"
  done
  run "$sluice" run "$tmp/c.yaml" --gpu rx540 --functional --set l2.cold_launches=true
  run "$sluice" run "$tmp/c.yaml" --gpu rx540 --set l2.cold_launches=true
  exits 2
  err_has l2.inclusive
}

damaged_sets_are_named() {
  : >"$tmp/file"
  run "$sluice" validate h200 --energy --runs "$tmp/file/here"
  exits 1
  err_has "cannot make the folder"
  run "$sluice" validate nothing
  exits 2
  err_has "nothing is recorded of 'nothing'"
  set_of 1
  sed -i 's/compute/thinking/' "$tmp/set/kernels.csv"
  run "$sluice" validate gtx480 --from "$tmp/set"
  exits 2
  err_has "kernels.csv:2: class 'thinking'"
  set_of 1
  sed -i 's/elapsed/cycles/' "$tmp/set/recorded/kernels_cold.csv"
  run "$sluice" validate gtx480 --from "$tmp/set"
  exits 2
  err_has "kernels_cold.csv: there is no column 'elapsed'"
  set_of 1
  echo 'k1,0,saxpy,66x1x1' >>"$tmp/set/recorded/kernels_warm.csv"
  run "$sluice" validate gtx480 --from "$tmp/set"
  exits 2
  err_has "kernels_warm.csv:3: the line has 4 fields"
  run "$sluice" validate h200 --part most
  exits 2
  err_has "calibration, validation or all"
}

# 15,360 CTAs more, each 2.5 cycles after the one before it; and the launch itself.
CTAs_start_one_after_the_other() {
  for how in "" --no-skip "--threads 2"; do
    # shellcheck disable=SC2086 # several words on purpose
    run "$sluice" run validation/h200/micro/launch_32.yaml --gpu gtx480 --set gpu.launch_cycles=1000 --set gpu.cta_interval=2.5 \
      --quiet --csv "$tmp/l.csv" $how
    exits 0
    few=$(sed -n "s/^1,idle,gpu.cycles,\([0-9]*\),.*/\1/p" "$tmp/l.csv") many=$(sed -n "s/^2,idle,gpu.cycles,\([0-9]*\),.*/\1/p" "$tmp/l.csv")
    [ $((many - few)) -eq 38400 ] || fail "$how: $many - $few cycles instead of 38,400"
    [ $few -gt 3557 ] || fail "$how: $few cycles, of which 1,000 + 1,023 x 2.5 pass before the last CTA starts"
  done
}

# step NAME STEPS SETTING...: cycles of a step of a microbenchmark on the h200, from its two lengths
step() {
  name=$1 steps=$2
  shift 2
  # shellcheck disable=SC2046 # settings are words
  run "$sluice" run "validation/h200/micro/$name.yaml" --gpu h200 --quiet --csv "$tmp/m.csv" $(for s in "$@"; do echo "--set $s"; done)
  exits 0
  awk -F, -v n="$steps" '$3 == "gpu.cycles" { at[$1] = $4 } END { printf "%.1f\n", (at[2] - at[1]) / n }' "$tmp/m.csv"
}
near() { awk "BEGIN { exit !($2 >= $3 * 0.97 && $2 <= $3 * 1.03) }" || fail "$1: $2 cycles instead of $3"; }

# What each setting says, on one SM: a barrier of W warps takes 2 W + 13 cycles less the one in which the first issues; a conflict of
# N ways 2 (N - 1) more than none.
costs_are_those_that_are_set() {
  near "barrier of 8 warps" "$(step bars_256 256)" 28
  near "barrier of 32 warps" "$(step bars_1024 256)" 76
  a=$(step sh_chain_1 512) b=$(step sh_chain_8 512)
  near "conflicts of 8 ways" "$(awk "BEGIN { print $b - $a }")" 14
  near "17 lines of a load, four at once, by 16 warps" "$(step hit_lines_68 256)" 80
}

tests costs_are_those_that_are_set CTAs_start_one_after_the_other sums_are_those_of_arithmetic a_fit_finds_what_a_card_takes errors_of_energy_are_those_of_arithmetic \
  looks_are_noted other_sets_stand_alone second_set_is_whole third_set_is_whole fourth_set_is_whole fifth_set_is_whole shares_are_fractions launches_of_other_sizes_are_left_out patterns_choose_rows cold_launches_find_an_empty_l2 damaged_sets_are_named
finish
