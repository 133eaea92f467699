#!/bin/sh
# Inputs of chapter 6 of the FRC thesis (papers/frc.yaml): what the kernels access is 2 to 8 times the L2 of the GPU that each is
# for, by the program's own count of different sectors. 48 workloads, executed without a timing model.
set -eu
cd "$(dirname "$0")/../.."
sluice=${1:-build/sluice}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# NAME KEY L2 PARAM...: workloads with their parameters; `-570` and `-64` in a name say for which GPU
awk '/^workloads:/ { on = 1; next } /^[a-z]/ { on = 0 }
  !on || !/^  [a-z0-9]/ { next }
  { key = $1; sub(/:$/, "", key); name = key; l2 = 524288
    if (key ~ /-570$/) { l2 = 2097152; sub(/-570$/, "", name) }
    if (key ~ /-64$/) { l2 = 4194304; sub(/-64$/, "", name) }
    if (name ~ /^(binomialoption|blackscholes-vector|matrixmultiplication|urng)$/) next
    text = ""
    if (match($0, /params: \{[^}]*/)) { text = substr($0, RSTART + 9, RLENGTH - 9); gsub(/: /, "=", text); gsub(/,/, "", text) }
    print name, l2, text }' papers/frc.yaml >"$tmp/inputs"
n=$(wc -l <"$tmp/inputs")
[ "$n" -eq 48 ] || { echo "$n inputs instead of 3 x 16" && exit 1; }
bad=0
while read -r name l2 params; do
  set --
  for p in $params; do set -- "$@" -p "$p"; done
  "$sluice" run "$name" --size medium "$@" --functional --no-verify --set front.touched=true --quiet --json "$tmp/r.json" </dev/null
  touched=$(sed -n 's/^ *"touched.bytes": \([0-9]*\).*/\1/p' "$tmp/r.json" | tail -1)
  if [ "$touched" -lt $((2 * l2)) ] || [ "$touched" -gt $((8 * l2)) ]; then
    echo "$name $params: $touched bytes, the L2 has $l2"
    bad=1
  fi
done <"$tmp/inputs"
[ $bad -eq 0 ] && echo "48 inputs of 2 to 8 times the L2"
exit $bad
