#!/bin/sh
# CUDA: programs of tests/cuda on the simulated GPU. Those in C bring fat binaries of their own; those in CUDA C++ are
# compiled where nvcc is installed.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
build=$(dirname "$(realpath "$sluice")")
programs=$build/tests
ASAN_OPTIONS=detect_leaks=0 # programs leave their fat binaries behind, as compiled ones do
export ASAN_OPTIONS

ours() { run "$sluice" exec --functional --quiet -- "$@"; }

rules_of_the_runtime() {
  ours "$programs/cuda_runtime"
  exits 2 # one of them is a binary without PTX
  grep '^\[  FAILED' "$tmp/out" && fail "$(cat "$tmp/err")"
  passed=$((passed + $(grep -c '^\[       OK' "$tmp/out")))
  err_has "machine code for sm_80 but no PTX"
  err_has "-gencode arch=compute_80,code=compute_80"
  err_has "dynamic parallelism"
}

rules_of_the_driver() {
  ours "$programs/cuda_driver"
  exits 2 # one of them is PTX that does not parse
  grep '^\[  FAILED' "$tmp/out" && fail "$(cat "$tmp/err")"
  passed=$((passed + $(grep -c '^\[       OK' "$tmp/out")))
}

matrix_instructions_give_the_bits_of_an_h200() {
  ours "$programs/cuda_mma"
  exits 0
  passed=$((passed + $(grep -c '^\[       OK' "$tmp/out")))
}
textures_give_the_bits_of_an_h200() {
  ours "$programs/cuda_texture"
  exits 0
  passed=$((passed + $(grep -c '^\[       OK' "$tmp/out")))
}

# the same kernel by way of CUDA and of a launch file: the same stream, the same cycles
a_launch_file_gives_the_same_stream_and_cycles() {
  "$programs/cuda_same" ptx >"$tmp/same.ptx"
  printf '%s\n' 'ptx: same.ptx' 'buffers:' '  x: {count: 5000, type: f32, fill: {value: 1}}' '  y: {count: 5000, type: f32, fill: {value: 1}}' \
    'launches:' '  - {kernel: saxpy, grid: [40], block: [128], args: [x, y, {u32: 5000}]}' >"$tmp/same.yaml"
  run "$sluice" run "$tmp/same.yaml" --gpu v100 --quiet --json "$tmp/file.json" --record "$tmp/file.stream"
  exits 0
  run "$sluice" exec --gpu v100 --quiet --json "$tmp/cuda.json" --trace "$tmp" -- "$programs/cuda_same"
  exits 0
  for key in gpu.cycles warp_instructions dram.reads; do
    [ "$(json $key "$tmp/file.json")" = "$(json $key "$tmp/cuda.json")" ] ||
      fail "$key: $(json $key "$tmp/file.json") and $(json $key "$tmp/cuda.json")"
  done
  run "$sluice" run "$tmp/cuda_same.stream" --gpu v100 --quiet --json "$tmp/again.json"
  exits 0
  [ "$(json gpu.cycles "$tmp/again.json")" = "$(json gpu.cycles "$tmp/file.json")" ] || fail "the recorded stream differs"
}

# a kernel that does wrong: nothing at the launch, the error from then on, exit 3
wrong() {
  ours "$programs/cuda_fault" "$1"
  exits 3
  out_has "launch 0"
  out_has "last 0"
  out_has "synchronise $2"
  out_has "later $2"
  err_has "in kernel '"
}
a_null_pointer_is_an_illegal_address() { wrong null 700; }
a_host_pointer_is_an_illegal_address() { wrong host 700; }
a_write_behind_a_buffer_is_an_illegal_address() { wrong end 700; }
a_write_to_freed_memory_is_an_illegal_address() { wrong freed 700; }
a_misaligned_write_is_told_so() { wrong misaligned 716; }
a_trap_is_a_launch_failure() { wrong trap 719; }

what_is_missing_is_told_once_and_listed() {
  run "$sluice" exec --functional -- "$programs/cuda_fault" missing
  exits 0
  out_has "missing 801"
  err_has "cudaMallocMipmappedArray is not supported"
  err_has "not supported: cudaMallocMipmappedArray"
  err_has "64 bytes in 1 allocation were never freed"
}

# compile NAME OPTIONS FILES...: with nvcc; the program is $tmp/NAME
compile() {
  name=$1
  shift
  run nvcc -w -std=c++17 -cudart shared -o "$tmp/$name" "$@"
  exits 0
}
passes() {
  ours "$tmp/$1"
  exits 0
  out_has PASSED
}
programs_of_nvcc_run() {
  compile streams tests/cuda/programs/streams.cu
  passes streams
  compile heap tests/cuda/programs/heap.cu
  passes heap
}
relocatable_device_code_of_nvcc_is_joined() {
  compile rdc -rdc=true tests/cuda/programs/rdc/main.cu tests/cuda/programs/rdc/other.cu
  passes rdc
}
structures_lie_as_in_nvidias_headers() {
  nvcc --version | grep -q 'release 13' || return 0 # earlier layouts are known by their sizes (layout.c)
  compile layout tests/cuda/layout.cu
  "$tmp/layout" >"$tmp/theirs"
  "$programs/cuda_layout" >"$tmp/ours"
  cmp -s "$tmp/ours" "$tmp/theirs" || fail "$(diff "$tmp/ours" "$tmp/theirs")"
}
a_static_runtime_is_told_so() {
  nvcc -w -cudart static -o "$tmp/static" tests/cuda/programs/streams.cu
  ours "$tmp/static"
  exits 2
  err_has "-cudart shared"
}
with_nvcc=
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null; then
  echo "nvcc is not installed: programs in CUDA C++ are left out"
elif ldd "$programs/cuda_runtime" | grep -q libasan; then
  echo "a program of nvcc cannot load libraries with sanitizers: left out"
else
  with_nvcc="programs_of_nvcc_run relocatable_device_code_of_nvcc_is_joined structures_lie_as_in_nvidias_headers
    a_static_runtime_is_told_so"
fi

# shellcheck disable=SC2086 # names are words
tests $with_nvcc rules_of_the_runtime rules_of_the_driver matrix_instructions_give_the_bits_of_an_h200 textures_give_the_bits_of_an_h200 \
  a_launch_file_gives_the_same_stream_and_cycles a_null_pointer_is_an_illegal_address a_host_pointer_is_an_illegal_address \
  a_write_behind_a_buffer_is_an_illegal_address a_write_to_freed_memory_is_an_illegal_address \
  a_misaligned_write_is_told_so a_trap_is_a_launch_failure what_is_missing_is_told_once_and_listed
finish
