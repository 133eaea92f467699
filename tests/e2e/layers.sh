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

# `sluice run` simulates through include/: beside that, it knows its own folder, base, the model's name and a form of timelines.
the_command_runs_through_the_public_interface() {
  grep -hE '^#include "' src/cli/run.c src/cli/names.h | sed 's/.*"\(.*\)"/\1/' |
    grep -vE '^(base/.*|cli/(cli|names)\.h|lab/point\.h|sluice\.h|view/perfetto\.h)$' >"$tmp/below"
  [ ! -s "$tmp/below" ] || fail "src/cli/run.c includes $(cat "$tmp/below")"
  grep -q 'sluice_run(' src/cli/run.c || fail "src/cli/run.c does not call sluice_run()"
}

# docs/architecture.md walks one load: the functions are where its table says.
the_way_of_a_load_is_as_documented() {
  sed -n 's/^| [0-9]* |.*| `\([a-z0-9_/]*\.[ch]\)` | `\([a-z0-9_]*\)` |$/\1 \2/p' docs/architecture.md >"$tmp/way"
  [ "$(wc -l <"$tmp/way")" -ge 20 ] || fail "the table of docs/architecture.md has $(wc -l <"$tmp/way") rows"
  while read -r file function; do
    grep -qE "^[a-zA-Z].*\b$function\(" "src/$file" || fail "src/$file has no function $function"
  done <"$tmp/way"
}

tests no_folder_includes_upwards the_command_runs_through_the_public_interface the_way_of_a_load_is_as_documented
finish
