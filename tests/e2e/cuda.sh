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
seldom_called_functions_and_versions() {
  ours "$programs/cuda_rest"
  exits 0
  grep '^\[  FAILED' "$tmp/out" && fail "$(cat "$tmp/err")"
  passed=$((passed + $(grep -c '^\[       OK' "$tmp/out")))
  err_has "cuTensorMapEncodeTiled is not supported"
}
# tests/cuda/api.txt: what works is exported, not refused, and called by some test; the rest is refused by name
every_function_that_programs_call_works_or_is_refused() {
  nm -D --defined-only "$build/libsluice-cuda.so" | sed 's/.* //; s/@.*//' | sort -u >"$tmp/exported"
  sed -n 's/^X(\(.*\))$/\1/p' src/cuda/refuse.def | sort >"$tmp/refused"
  comm -23 "$tmp/exported" "$tmp/refused" >"$tmp/working"
  cat tests/cuda/*.c tests/cuda/programs/*.cu tests/cuda/programs/rdc/* | grep -o '[a-zA-Z_0-9]*' | sort -u >"$tmp/called"
  grep -v '^#' tests/cuda/api.txt >"$tmp/api"
  while read -r name files what; do
    case $what in
    works) grep -qx "$name\|${name}_v2" "$tmp/working" || fail "$name, called in $files files, is not there" ;;
    header) ;;
    *) grep -qx "$name" "$tmp/refused" || fail "$name is $what but not refused by name" ;;
    esac
    case $what in
    works | header) grep -qx "$name\|${name}_v2" "$tmp/called" || fail "no test calls $name" ;;
    esac
  done <"$tmp/api"
  # of what NVIDIA's libraries export, nothing is missing without a name
  for theirs in /usr/local/cuda/lib64/stubs/libcuda.so /usr/local/cuda/lib64/libcudart.so.13; do
    [ -f $theirs ] || continue
    nm -D --defined-only $theirs | sed 's/.* //; s/@.*//' | grep '^cuda*[A-Z]' | sort -u >"$tmp/theirs"
    [ -z "$(comm -13 "$tmp/exported" "$tmp/theirs")" ] || fail "$theirs has $(comm -13 "$tmp/exported" "$tmp/theirs" | tr '\n' ' ')"
  done
}
textures_give_the_bits_of_an_h200() {
  ours "$programs/cuda_texture"
  exits 0
  passed=$((passed + $(grep -c '^\[       OK' "$tmp/out")))
}

# 128 warps fetch 3 x 3 texels each: lines of rows 15 a warp, of blocks 42; the 64 rows' warps at both edges save three each
fetches_take_the_lines_of_their_layout() {
  for case in pitch:1536 array:4992; do
    run "$sluice" exec --quiet --json "$tmp/stencil.json" -- "$programs/cuda_stencil" ${case%:*} 64
    exits 0
    out_has "Passed!"
    [ "$(json l1t.accesses "$tmp/stencil.json")" = ${case#*:} ] || fail "$case: $(json l1t.accesses "$tmp/stencil.json") accesses"
  done
}

# the same kernel by way of CUDA, of OpenCL and of a launch file: the same stream, the same cycles
a_launch_file_gives_the_same_stream_and_cycles() {
  "$programs/cuda_same" ptx >"$tmp/same.ptx"
  printf '%s\n' 'ptx: same.ptx' 'buffers:' '  x: {count: 5000, type: f32, fill: {value: 1}}' '  y: {count: 5000, type: f32, fill: {value: 1}}' \
    'launches:' '  - {kernel: saxpy, grid: [40], block: [128], args: [x, y, {u32: 5000}]}' >"$tmp/same.yaml"
  for gpu in v100 gtx480; do
    run "$sluice" run "$tmp/same.yaml" --gpu $gpu --quiet --json "$tmp/file.json" --record "$tmp/file.stream"
    exits 0
    run "$sluice" exec --gpu $gpu --quiet --json "$tmp/cuda.json" --trace "$tmp" -- "$programs/cuda_same"
    exits 0
    cmp -s "$tmp/file.stream" "$tmp/cuda_same.stream" || fail "$gpu: the stream of the CUDA program differs"
    others=cuda
    if [ -x "$programs/ocl_same" ]; then # the file says how a stream was made; what it holds is the same
      run "$sluice" exec --gpu $gpu --quiet --json "$tmp/opencl.json" --trace "$tmp" -- "$programs/ocl_same" "$tmp/same.ptx"
      exits 0
      for s in file ocl_same; do
        mkdir -p "$tmp/$gpu-$s"
        run "$sluice" trace export "$tmp/$s.stream" -o "$tmp/$gpu-$s"
        exits 0
      done
      diff -r "$tmp/$gpu-file" "$tmp/$gpu-ocl_same" >"$tmp/diff" || fail "$gpu: OpenCL's instructions differ: $(head -3 "$tmp/diff")"
      others="cuda opencl"
    fi
    for key in gpu.cycles warp_instructions dram.reads l2.accesses; do
      for how in $others; do
        [ "$(json $key "$tmp/file.json")" = "$(json $key "$tmp/$how.json")" ] ||
          fail "$gpu, $how: $key: $(json $key "$tmp/file.json") and $(json $key "$tmp/$how.json")"
      done
    done
  done
  run "$sluice" run "$tmp/cuda_same.stream" --gpu gtx480 --quiet --json "$tmp/again.json"
  exits 0
  [ "$(json gpu.cycles "$tmp/again.json")" = "$(json gpu.cycles "$tmp/file.json")" ] || fail "the recorded stream differs"
}

# what the simulated GPU does not have is refused by the instruction's name, and the program gets 218 (PTX that cannot be compiled)
refuses() {
  ours "$programs/cuda_fault" refuse "$1"
  exits 2
  out_has "launch 218"
  err_has "$2"
}
instructions_that_are_missing_are_named() {
  refuses wgmma wgmma.fence
  refuses tensormap cp.async.bulk.tensor
  refuses fp8 e4m3
  refuses sparse mma.sp
}
wrong_arguments_give_their_codes() {
  ours "$programs/cuda_fault" arguments
  exits 0
  for line in "threads 9" "shared 1" "grid 9" "beyond 1" "kind 21" "null 1" "fill 1" "inside 1" "free 0" "twice 1" "stale 1" "host 1"; do
    out_has "$line"
  done
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
  compile graph_nodes tests/cuda/programs/graph_nodes.cu
  passes graph_nodes
  compile groups -arch=compute_80 tests/cuda/programs/groups.cu
  passes groups
}
programs_of_the_driver_run() {
  compile driver_api tests/cuda/programs/driver_api.cu -L"$(dirname "$(command -v nvcc)")/../lib64/stubs" -lcuda
  passes driver_api
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
# cuRAND has the static runtime and machine code inside: its name is told
a_library_with_machine_code_is_named() {
  [ -e /usr/local/cuda/lib64/libcurand.so ] || return 0
  printf '%s\n' '#include <curand.h>' 'int main() { curandGenerator_t g; return curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) != 0; }' >"$tmp/library.cu"
  compile library "$tmp/library.cu" -lcurand -Xlinker -rpath=/usr/local/cuda/lib64
  ours "$tmp/library"
  exits 2
  err_has "libcurand.so"
  err_has "PTX"
}
with_nvcc=
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null; then
  echo "nvcc is not installed: programs in CUDA C++ are left out"
elif ldd "$programs/cuda_runtime" | grep -q libasan; then
  echo "a program of nvcc cannot load libraries with sanitizers: left out"
else
  with_nvcc="programs_of_nvcc_run programs_of_the_driver_run relocatable_device_code_of_nvcc_is_joined structures_lie_as_in_nvidias_headers
    a_static_runtime_is_told_so a_library_with_machine_code_is_named"
fi

# shellcheck disable=SC2086 # names are words
tests $with_nvcc rules_of_the_runtime rules_of_the_driver matrix_instructions_give_the_bits_of_an_h200 textures_give_the_bits_of_an_h200 \
  fetches_take_the_lines_of_their_layout instructions_that_are_missing_are_named wrong_arguments_give_their_codes seldom_called_functions_and_versions every_function_that_programs_call_works_or_is_refused \
  a_launch_file_gives_the_same_stream_and_cycles a_null_pointer_is_an_illegal_address a_host_pointer_is_an_illegal_address \
  a_write_behind_a_buffer_is_an_illegal_address a_write_to_freed_memory_is_an_illegal_address \
  a_misaligned_write_is_told_so a_trap_is_a_launch_failure what_is_missing_is_told_once_and_listed
finish
