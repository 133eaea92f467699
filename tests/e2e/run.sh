#!/bin/sh
# sluice run: results, their forms, mistakes, and ends other than the good one.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
matmul=examples/gpgpusim/matmul_128.yaml

a_run_prints_its_counts() {
  run "$sluice" run $matmul --functional
  exits 0
  err_empty
  out_has "matmul16"
  out_has "8 x 8 x 1"
  for name in warp_instructions thread_instructions loads stores atomics sim.cpu_seconds sim.wall_seconds \
    sim.peak_rss_mb; do
    grep -q "^$name  *[0-9]" "$tmp/out" || fail "no $name"
  done
}


json_csv_and_table_agree() {
  run "$sluice" run $matmul --functional --json "$tmp/a.json" --csv "$tmp/a.csv"
  exits 0
  for name in warp_instructions thread_instructions loads stores global.sectors; do
    v=$(json "$name" "$tmp/a.json")
    [ -n "$v" ] || fail "no $name in the JSON"
    grep -q "^total,,$name,$v," "$tmp/a.csv" || fail "$name differs in the CSV"
    tr -d , <"$tmp/out" | grep -q "^$name  *$v " || fail "$name differs in the table"
  done
  for key in schema version config stats kernels; do
    grep -q "^  \"$key\": " "$tmp/a.json" || fail "no $key in the JSON"
  done
  grep -q '"status": "complete"' "$tmp/a.json" || fail "not complete"
}

matmul_counts_follow_from_its_code() {
  # 64 CTAs x 8 warps; per 16-wide tile 2 global loads, 2 shared stores, 32 shared loads; 8 tiles; one store
  run "$sluice" run $matmul --functional --json "$tmp/a.json"
  [ "$(json loads.global "$tmp/a.json")" = 8192 ] || fail "loads.global $(json loads.global "$tmp/a.json")"
  [ "$(json stores.shared "$tmp/a.json")" = 8192 ] || fail "stores.shared $(json stores.shared "$tmp/a.json")"
  [ "$(json loads.shared "$tmp/a.json")" -le 131072 ] || fail "loads.shared $(json loads.shared "$tmp/a.json")"
  [ "$(json stores.global "$tmp/a.json")" = 512 ] || fail "stores.global $(json stores.global "$tmp/a.json")"
  [ "$(json ctas "$tmp/a.json")" = 64 ] || fail "ctas $(json ctas "$tmp/a.json")"
}

json_on_standard_output_is_alone_there() {
  run "$sluice" run $matmul --functional --json -
  exits 0
  [ "$(head -c 1 "$tmp/out")" = "{" ] || fail "does not start with {"
  [ "$(tail -n 1 "$tmp/out")" = "}" ] || fail "does not end with }"
  run "$sluice" run $matmul --functional --json - --csv -
  exits 2
}

quiet_prints_nothing() {
  run "$sluice" run $matmul --functional --quiet
  exits 0
  [ ! -s "$tmp/out" ] || fail "$(cat "$tmp/out")"
}

counts_do_not_depend_on_host_order_window_or_isa() {
  run "$sluice" run $matmul --functional --json "$tmp/a.json"
  for how in "--cta-order reversed" "--cta-order 7" "--set front.window=1" "--set front.turn=100"; do
    # shellcheck disable=SC2086
    run "$sluice" run $matmul --functional $how --json "$tmp/b.json"
    exits 0
    for name in warp_instructions thread_instructions global.sectors shared.bank_cycles; do
      [ "$(json $name "$tmp/a.json")" = "$(json $name "$tmp/b.json")" ] || fail "$name differs with $how"
    done
  done
  SLUICE_ISA=generic run "$sluice" run $matmul --functional --json "$tmp/b.json"
  exits 0
  [ "$(json warp_instructions "$tmp/a.json")" = "$(json warp_instructions "$tmp/b.json")" ] || fail "isa"
}

timing_is_the_default_and_counts_the_same_work() {
  run "$sluice" run $matmul --json "$tmp/t.json"
  exits 0
  run "$sluice" run $matmul --functional --json "$tmp/f.json"
  exits 0
  [ "$(json warp_instructions "$tmp/t.json")" = "$(json warp_instructions "$tmp/f.json")" ] || fail "other work"
  [ "$(json sm.issued "$tmp/t.json")" = "$(json warp_instructions "$tmp/t.json")" ] || fail "not all of it issued"
  [ "$(json cycles "$tmp/t.json")" -gt 0 ] || fail "no cycles"
}

mistakes_on_the_command_line_are_all_named() {
  run "$sluice" run --functional --set front.windw=3 --warp-width 65 --memcheck wran
  exits 2
  err_has "--set: unknown parameter 'front.windw' (value '3'); did you mean 'front.window'?"
  err_has "--warp-width: front.warp_width: '65' is out of range (allowed: 1..64)"
  err_has "--memcheck: front.memcheck: 'wran' is not one of its values (allowed: error, warn, off, reads); did you mean 'warn'?"
  err_has "name one workload or launch file"
}

mistakes_in_a_configuration_file_have_lines() {
  printf 'front:\n  window: none\n  trun: 5\n' >"$tmp/c.yaml"
  run "$sluice" run $matmul --functional --config "$tmp/c.yaml"
  exits 2
  err_has "c.yaml:2: front.window: 'none' is not a whole number (allowed: 1..65536)"
  err_has "c.yaml:3: unknown parameter 'front.trun' (value '5'); did you mean 'front.turn'?"
  run "$sluice" run $matmul --functional --config "$tmp/missing.yaml"
  exits 2
  err_has "missing.yaml"
}

the_resolved_configuration_names_origins_and_can_be_read_back() {
  printf 'front.window: 64\n' >"$tmp/c.yaml"
  run "$sluice" run --echo-config --config "$tmp/c.yaml" --set front.turn=2Ki --memcheck off
  exits 0
  grep -q "^  window: 64  *# .*/c.yaml:1$" "$tmp/out" || fail "window: $(cat "$tmp/out")"
  grep -q "^  turn: 2048  *# --set$" "$tmp/out" || fail "turn"
  grep -q "^  memcheck: off  *# --memcheck$" "$tmp/out" || fail "memcheck"
  grep -q "^  warp_width: 32  *# default$" "$tmp/out" || fail "warp_width"
  sed 's/ *#.*//' "$tmp/out" >"$tmp/first"
  cp "$tmp/out" "$tmp/again.yaml"
  run "$sluice" run --echo-config --config "$tmp/again.yaml"
  exits 0
  sed 's/ *#.*//' "$tmp/out" | cmp -s - "$tmp/first" || fail "differs when read back"
}

a_wrong_result_is_an_error_and_marked() {
  mkdir "$tmp/w"
  cp examples/gpgpusim/kernels.ptx "$tmp/w"
  sed 's/modulo: 7/modulo: 6/' $matmul >"$tmp/w/m.yaml"
  cp examples/gpgpusim/matmul_128.expected.bin "$tmp/w"
  run "$sluice" run "$tmp/w/m.yaml" --functional --json "$tmp/w.json"
  exits 1
  err_has "C"
  grep -q '"status": "mismatch"' "$tmp/w.json" || fail "not marked"
}

a_fault_ends_the_run_with_its_counts_marked() {
  run "$sluice" run tests/kernels/fault_outside.yaml --functional --json "$tmp/f.json"
  exits 3
  grep -q '"status": "fault"' "$tmp/f.json" || fail "not marked"
}

a_file_that_cannot_be_written_is_an_error() {
  run "$sluice" run $matmul --functional --quiet --json "$tmp/no/such/folder.json"
  exits 1
  err_has "cannot write"
  if [ -w /dev/full ]; then
    run "$sluice" run $matmul --functional --quiet --json /dev/full
    exits 1
    err_has "/dev/full: cannot write"
  fi
}

an_interrupt_keeps_what_was_counted_and_marks_it() {
  # a kernel that never ends
  mkdir "$tmp/i"
  cat >"$tmp/i/k.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry forever(.param .u64 p) {
  .reg .u64 %rd<2>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, 0;
LOOP:
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  bra LOOP;
}
END
  cat >"$tmp/i/k.yaml" <<'END'
ptx: k.ptx
buffers:
  a: {bytes: 4, fill: zero}
launches:
  - {kernel: forever, grid: 1, block: 1, args: [a]}
END
  echo old >"$tmp/i/out.json"
  for how in 'INT --functional' 'TERM --functional' 'INT --threads 1' 'INT --threads 3'; do
    # shellcheck disable=SC2086 # words
    "$sluice" run "$tmp/i/k.yaml" ${how#* } --json "$tmp/i/out.json" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    sleep 0.4
    kill -"${how%% *}" $pid
    code=0
    wait $pid || code=$?
    case $how in INT*) exits 130 ;; *) exits 143 ;; esac
    err_has interrupted
    grep -q '"status": "interrupted"' "$tmp/i/out.json" || fail "$how: the result is not marked"
    [ "$(json warp_instructions "$tmp/i/out.json")" -gt 1000 ] || fail "$how: nothing was counted"
  done
  [ "$(ls "$tmp/i")" = "k.ptx
k.yaml
out.json" ] || fail "left behind: $(ls "$tmp/i")"
}

a_limit_ends_a_kernel_that_does_not_end() {
  run "$sluice" run "$tmp/i/k.yaml" --functional --max-instructions 1e5
  exits 4
}

# `mm` fetches a texture in a way that is not supported; `good` does not.
a_kernel_that_cannot_run_does_not_keep_others_from_running() {
  cat >"$tmp/two.ptx" <<END
.version 7.0
.target sm_80
.address_size 64
.visible .entry good(.param .u64 p) { .reg .u64 %d<3>; .reg .u32 %r<2>;
  ld.param.u64 %d1, [p]; mov.u32 %r1, 7; st.global.u32 [%d1], %r1; ret; }
.visible .entry mm(.param .u64 p) { .reg .b32 %r<9>; .reg .u64 %d<3>;
  ld.param.u64 %d1, [p]; wgmma.fence.sync.aligned; ret; }
END
  for k in good mm; do
    printf 'ptx: two.ptx\nbuffers: {o: {type: u32, count: 4}}\nlaunches: [{kernel: %s, grid: 1, block: 1, args: [o]}]\n' $k >"$tmp/$k.yaml"
  done
  run "$sluice" run "$tmp/good.yaml" --quiet && exits 0 && err_empty
  run "$sluice" run "$tmp/mm.yaml" --quiet && exits 2 && err_has "launches[0]: kernel 'mm' cannot run" &&
    err_has "two.ptx:7: opcode 'wgmma.fence.sync.aligned' is not supported"
  run "$sluice" list kernels "$tmp/two.ptx" && exits 2 && out_has good && err_has 'wgmma.fence.sync.aligned'
}

tests a_kernel_that_cannot_run_does_not_keep_others_from_running a_run_prints_its_counts json_csv_and_table_agree matmul_counts_follow_from_its_code \
  json_on_standard_output_is_alone_there quiet_prints_nothing counts_do_not_depend_on_host_order_window_or_isa \
  timing_is_the_default_and_counts_the_same_work mistakes_on_the_command_line_are_all_named \
  mistakes_in_a_configuration_file_have_lines the_resolved_configuration_names_origins_and_can_be_read_back \
  a_wrong_result_is_an_error_and_marked a_fault_ends_the_run_with_its_counts_marked \
  a_file_that_cannot_be_written_is_an_error an_interrupt_keeps_what_was_counted_and_marks_it \
  a_limit_ends_a_kernel_that_does_not_end
finish
