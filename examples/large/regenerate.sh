#!/bin/sh
# Compiles kernels.cl to kernels.ptx, which is committed so that running the examples needs no clang 16. LIBCLC
# names the bitcode library of nvptx64--nvidiacl.
set -eu
cd "$(dirname "$0")"
LIBCLC=${LIBCLC:-/usr/lib/clc/nvptx64--nvidiacl.bc}
clang-16 -target nvptx64--nvidiacl -cl-std=CL1.2 -O2 -Xclang -target-cpu -Xclang sm_75 -Xclang -target-feature \
  -Xclang +ptx75 -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang "$LIBCLC" \
  -S -o kernels.ptx kernels.cl
