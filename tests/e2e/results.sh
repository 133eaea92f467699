#!/bin/sh
# What every run of tests/kernels/manifest.txt gives, as files to compare: exit code, messages, and the JSON
# without sim., which is all that may differ between machines, builds and instruction sets.
#   results.sh SLUICE FOLDER [NAME...]      only the named launch files
set -eu
sluice=$1 to=$2
shift 2
only=" $* "
dir=$(cd "$(dirname "$0")/../kernels" && pwd)
mkdir -p "$to"
while IFS='|' read -r name options _; do
  name=${name%% *}
  case $name in '' | '#'*) continue ;; esac
  case $only in *' '?*' '*) case $only in *" $name "*) ;; *) continue ;; esac ;; esac
  file="$to/$(echo "$name$options" | tr -c 'a-zA-Z0-9_.=\n-' '_')"
  code=0
  # shellcheck disable=SC2086 # options are words
  "$sluice" run "$dir/$name.yaml" --functional $options --quiet --json "$file.json" >"$file.txt" 2>&1 </dev/null || code=$?
  echo "exit $code" >>"$file.txt"
  [ ! -f "$file.json" ] || sed -i '/^ *"sim\./d' "$file.json"
done <"$dir/manifest.txt"
