#!/bin/sh
# Folders of src/ know those of their own line and of the lines above it, and no others.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh

layers="base
conf energy figure
stat timeline
engine front dram tech
mem
cache
coherence noc
l2
core l1
gpu workload
host
opencl cuda validate lab
paper plot view
explain
cli"

no_folder_includes_upwards() {
  known=" "
  while read -r layer; do
    known="$known$layer "
    for folder in $layer; do
      # shellcheck disable=SC2013 # words
      for of in $(grep -rhoE '^#include "[a-z0-9_]+/' "src/$folder" | sed 's/.*"//; s,/,,' | sort -u); do
        case $known in *" $of "*) ;; *) [ ! -d "src/$of" ] || fail "src/$folder includes src/$of, which is above it" ;; esac
      done
    done
  done <<END
$layers
END
  for folder in src/*/; do
    case $known in *" $(basename "$folder") "*) ;; *) fail "$folder is in no layer" ;; esac
  done
}

tests no_folder_includes_upwards
finish
