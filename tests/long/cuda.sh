#!/bin/sh
# CUDA: every program of tests/cuda/programs, compiled with nvcc for several architectures, executed and timed; each checks
# its own result.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "nvcc is not installed: nothing to test" && exit 77; }

# program NAME: executed, and timed on two GPUs
program() {
  arch=compute_80
  [ "$1" != bulk ] || arch=compute_90
  case $1 in
  driver_api) set -- "$1" tests/cuda/programs/driver_api.cu -L/usr/local/cuda/lib64/stubs -lcuda ;;
  thrust | cub | pointers) set -- "$1" --extended-lambda tests/cuda/programs/"$1".cu ;;
  rdc) set -- "$1" -rdc=true tests/cuda/programs/rdc/main.cu tests/cuda/programs/rdc/other.cu ;;
  *) set -- "$1" tests/cuda/programs/"$1".cu ;;
  esac
  name=$1
  shift
  run nvcc -w -std=c++17 -cudart shared -gencode arch=$arch,code=$arch -o "$tmp/$name" "$@"
  exits 0
  for how in "--functional --gpu h200" "--gpu h200" "--gpu v100"; do
    # shellcheck disable=SC2086 # options are words
    run "$sluice" exec --quiet $how -- "$tmp/$name"
    exits 0
    out_has PASSED
  done
}
for f in tests/cuda/programs/*.cu tests/cuda/programs/rdc; do
  name=$(basename "$f" .cu)
  eval "program_$name() { program $name; }"
  tests "program_$name"
done
finish
