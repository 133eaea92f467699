#!/bin/sh
# OpenCL: the programs of tests/opencl on the simulated GPU and, where it is installed, on PoCL: the same rules
# hold, the same results come out. Programs with mistakes get error codes and a report.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
programs=$(dirname "$sluice")/tests
[ -x "$programs/ocl_objects" ] || { echo "built without OpenCL: nothing to test" && exit 77; }
pocl=/etc/OpenCL/vendors/pocl.icd
sanitized=false
ldd "$programs/ocl_objects" | grep -q libasan && sanitized=true pocl=none # the other builds compare with PoCL
XDG_CACHE_HOME=$(dirname "$(realpath "$sluice")")/cache
POCL_CACHE_DIR=$XDG_CACHE_HOME/pocl
mkdir -p "$XDG_CACHE_HOME"
export POCL_CACHE_DIR XDG_CACHE_HOME

ours() { run "$sluice" exec --functional --quiet -- "$@"; }
theirs() { run env OCL_ICD_VENDORS=$pocl "$@"; }

# rules NAME: every rule of a test program, here and on PoCL
rules() {
  ours "$programs/ocl_$1"
  exits 0
  grep '^\[  FAILED' "$tmp/out"
  passed=$((passed + $(grep -c '^\[       OK' "$tmp/out")))
  [ ! -f $pocl ] || [ -n "$2" ] || {
    cp "$tmp/out" "$tmp/ours"
    theirs "$programs/ocl_$1"
    exits 0
    cmp -s "$tmp/ours" "$tmp/out" || fail "ocl_$1: PoCL says otherwise: $(diff "$tmp/ours" "$tmp/out")"
  }
}

# app NAME: a program of the kind people have; its numbers agree with PoCL's to four digits
app() {
  ours env ASAN_OPTIONS=detect_leaks=0 "$programs/app_$1" tests/opencl/apps # they leak as people's programs do
  exits 0
  grep -E 'FAILED|WRONG|Failed' "$tmp/out" && fail "app_$1 finds its result wrong"
  [ ! -f $pocl ] || {
    cp "$tmp/out" "$tmp/ours"
    theirs "$programs/app_$1" tests/opencl/apps
    exits 0
    paste -d '\n' "$tmp/ours" "$tmp/out" | awk '
      NR % 2 { n = split($0, a); next }
      { if (split($0, b) != n) bad = 1
        for (i = 1; i <= n; i++) {
          d = a[i] - b[i]; if (d < 0) d = -d
          s = b[i] < 0 ? -b[i] : b[i]
          if (a[i] != b[i] && (a[i] + 0 == 0 && b[i] + 0 == 0 || d > 1e-4 * s + 1.1e-4)) bad = 1
        } }
      END { exit bad }' || fail "app_$1: PoCL computes otherwise: $(diff "$tmp/ours" "$tmp/out")"
  }
}

objects() { rules objects; }
memory() { rules memory; }
programs() { rules programs; }
kernels() { rules kernels; }
images() { rules images ours; } # PoCL lacks some kinds
events() { rules events; }
rules_of_the_specification_and_programs_with_mistakes() { rules strict ours; }
opencl_3() { rules three ours; } # PoCL 3.1 lacks several

program_bfs() { app bfs; }
program_gemm() { app gemm; }
program_reduction() { app reduction; }
program_hotspot() { app hotspot; }
program_math() { app math; }
program_sort() { app sort; }
program_graph() { app graph; }
program_gaussian() { app gaussian; }

the_timing_model_gives_the_same_results() {
  ours "$programs/app_sort" tests/opencl/apps 8
  cp "$tmp/out" "$tmp/functional"
  run "$sluice" exec --json "$tmp/sort.json" -- "$programs/app_sort" tests/opencl/apps 8
  exits 0
  cmp -s "$tmp/functional" "$tmp/out" || fail "other results with cycles"
  err_has "bitonic "
  [ "$(json gpu.cycles "$tmp/sort.json")" -gt 0 ] || fail "no cycles in the JSON"
  grep -q '"name": "histogram"' "$tmp/sort.json" || fail "a kernel is missing in the JSON"
}

an_illegal_write_is_an_error_and_exit_code_3() {
  ours "$programs/ocl_fault" write
  exits 3
  out_has "enqueue 0"
  out_has "finish -5"
  err_has "outside any buffer"
  err_has "in kernel 'write', block (0,0,0), thread (0,0,0)"
  err_has "(program.cl:1)" # the source's line
}

a_barrier_in_divergent_code_is_reported() {
  ours "$programs/ocl_fault" apart
  exits 0
  out_has "finish 0"
  err_has "barrier in divergent code"
}

an_illegal_read_is_reported() {
  ours "$programs/ocl_fault" read
  exits 0
  out_has "finish 0"
  err_has "outside any buffer"
  run "$sluice" exec --functional --memcheck error -- "$programs/ocl_fault" read
  exits 3
  out_has "finish -5"
  run "$sluice" exec --functional --memcheck off --quiet -- "$programs/ocl_fault" read
  exits 0
  err_empty
}

a_trap_and_a_kernel_without_progress_are_errors() {
  ours "$programs/ocl_fault" trap
  exits 3
  ours "$programs/ocl_fault" deadlock
  exits 4
  err_has "makes no progress"
  run "$sluice" exec --functional --max-instructions 1000 -- "$programs/ocl_fault" endless
  exits 4
  run "$sluice" exec --max-cycles 10 -- "$programs/ocl_fault" read
  exits 4
  out_has "finish -5"
}

# A million bytes at 8 GB/s, the default; then at 1 GB/s and half a microsecond beside.
transfers_take_the_hosts_time() {
  run "$sluice" exec --quiet -- "$programs/ocl_transfer"
  exits 0
  out_has "125000 ns"
  run "$sluice" exec --quiet --set host.bandwidth=1 --set host.latency=500 -- "$programs/ocl_transfer"
  exits 0
  out_has "1000500 ns"
}

the_exit_code_is_the_programs() {
  run "$sluice" exec -- sh -c 'exit 7'
  exits 7
  run "$sluice" exec -- no-such-program
  exits 127
  err_has "no-such-program"
  run "$sluice" exec -- sh -c 'kill -9 $$'
  exits 137
  run "$sluice" exec -- true
  exits 0
  err_has "without using the simulated GPU"
  run "$sluice" exec echo --help
  exits 0
  out_has "--help"
}

mistakes_of_the_command_line_are_named() {
  run "$sluice" exec
  exits 2
  err_has "name a program"
  run "$sluice" exec --gpu gtx481 -- true
  exits 2
  err_has "did you mean 'gtx480'"
  run "$sluice" exec --set gpu.smss=3 -- true
  exits 2
  run "$sluice" exec --threads 65 -- true
  exits 2
  run "$sluice" exec --functional --max-cycles 5 -- true
  exits 2
  run "$sluice" exec --trace /dev/null/x -- true
  exits 1
  err_has "/dev/null/x"
}

the_configuration_reaches_the_device() {
  run "$sluice" exec --gpu v100 --set gpu.sms=7 --json "$tmp/v.json" -- "$programs/ocl_fault" read
  exits 0
  grep -q '"gpu.sms": 7' "$tmp/v.json" || fail "--set did not arrive"
  grep -q '"sm.threads": 2048' "$tmp/v.json" || fail "--gpu did not arrive"
}

streams_and_threads_give_the_same_cycles() {
  run "$sluice" exec --trace "$tmp/streams" --json "$tmp/live.json" -q -- "$programs/app_sort" tests/opencl/apps 8
  exits 0
  run "$sluice" exec --threads 2 --json "$tmp/two.json" -q -- "$programs/app_sort" tests/opencl/apps 8
  exits 0
  [ "$(json gpu.cycles "$tmp/live.json")" = "$(json gpu.cycles "$tmp/two.json")" ] || fail "two threads differ"
  run "$sluice" run "$tmp/streams/app_sort.stream" --json "$tmp/again.json" -q
  exits 0
  for name in gpu.cycles warp_instructions l1d.hits l2.misses; do
    [ "$(json $name "$tmp/live.json")" = "$(json $name "$tmp/again.json")" ] || fail "$name differs"
  done
}

clinfo_lists_the_device() {
  command -v clinfo >/dev/null && ! $sanitized || return 0
  run "$sluice" exec --gpu v100 -- clinfo -l
  exits 0
  out_has "Sluice"
  out_has "v100"
}

tests objects memory programs kernels images events rules_of_the_specification_and_programs_with_mistakes \
  program_bfs program_gemm program_reduction program_hotspot program_math program_sort program_graph \
  program_gaussian the_timing_model_gives_the_same_results an_illegal_write_is_an_error_and_exit_code_3 a_barrier_in_divergent_code_is_reported \
  an_illegal_read_is_reported a_trap_and_a_kernel_without_progress_are_errors transfers_take_the_hosts_time the_exit_code_is_the_programs \
  mistakes_of_the_command_line_are_named the_configuration_reaches_the_device \
  streams_and_threads_give_the_same_cycles clinfo_lists_the_device
finish
