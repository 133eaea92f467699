#!/bin/sh
# Folders of src/ know those of their own line and of the lines above it, and no others; the documentation of the house is true.
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
api host
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

# Commands, sweeps and papers simulate through include/. Beside that and each other they know what is configured, counted and drawn, and
# these: names and descriptions (of GPUs, techniques, workloads, devices), files that are read and written (streams, traces, launch
# files, timelines), the PTX that is listed. None of them simulates.
tools="cli lab explain paper plot validate view figure"
known="base conf stat timeline $tools"
descriptions="gpu/presets.h tech/tech.h workload/workload.h workload/values.h dram/device.h dram/profile.h dram/params.h energy/table.h \
host/choose.h gpu/record.h"
files="front/trace/trace.h front/walk.h front/gen/locality.h front/accelsim/accelsim.h front/launch/launch.h dram/trace.h"
ptx="front/exec.h front/ptx/ops.h front/ptx/assemble/assemble.h"
# What runs something and is declared in one of these headers, too.
runs='workload_run|workload_record|functional_run|functional_replay|machine_new|gpu_new|gpu_run|runner_open|exec_open|dram_new|dram_drive'
commands_run_through_the_public_interface() {
  for folder in $tools; do
    grep -rhE '^#include "' "src/$folder" | sed 's/.*"\(.*\)"/\1/' | sort -u >"$tmp/includes"
    while read -r header; do
      case " $known " in *" ${header%%/*} "*) continue ;; esac
      case "$header" in sluice*.h | tables.h) continue ;; esac
      case " $descriptions $files $ptx " in *" $header "*) ;; *) fail "src/$folder includes $header" ;; esac
    done <"$tmp/includes"
    grep -rnE "\b($runs)\(" "src/$folder" >"$tmp/calls" && fail "below the public interface: $(cat "$tmp/calls")"
  done
  for call in sluice_run src/cli/workload.c sluice_run src/lab/work.c sluice_run src/explain/whatif.c sluice_plan src/cli/plan.c \
    sluice_check src/cli/exec.c sluice_dram_run src/cli/dram.c; do
    case $call in src/*) grep -q "\b$name(" "$call" || fail "$call does not call $name()" ;; *) name=$call ;; esac
  done
}

# docs/architecture.md walks one load: the functions are where its table says.
the_way_of_a_load_is_as_documented() {
  sed -n 's/^| [0-9]* |.*| `\([a-z0-9_/]*\.[ch]\)` | `\([a-z0-9_]*\)` |$/\1 \2/p' docs/architecture.md >"$tmp/way"
  [ "$(wc -l <"$tmp/way")" -ge 20 ] || fail "the table of docs/architecture.md has $(wc -l <"$tmp/way") rows"
  while read -r file function; do
    grep -qE "^[a-zA-Z].*\b$function\(" "src/$file" || fail "src/$file has no function $function"
  done <"$tmp/way"
}

tests no_folder_includes_upwards commands_run_through_the_public_interface the_way_of_a_load_is_as_documented
finish
