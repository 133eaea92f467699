#!/bin/sh
# Confirms workloads on a real GPU: the PTX and inputs of Sluice, what its host programs did, and the results
# of their CPU references.
#   workloads.sh plan SLUICE DIR [SIZE]   where Sluice is: writes DIR/NAME.plan for every workload
#   workloads.sh run HWRUN DIR            where the GPU is: runs them, one line each
set -u
[ $# -ge 3 ] || { echo "usage: workloads.sh plan SLUICE DIR [SIZE] | run HWRUN DIR" >&2; exit 2; }
mode=$1 tool=$2 dir=$3 size=${4:-small}
passed=0 failed=0
mkdir -p "$dir"

note() { # name exit-code
  if [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
    [ "$mode" = plan ] || echo "ok   $1"
  else
    failed=$((failed + 1))
    echo "FAIL $1: exit $2"
    sed 's/^/     /' "$dir/log" | head -n 8
  fi
}

if [ "$mode" = plan ]; then
  for name in $("$tool" list workloads --csv | sed -n 's/^\([^,]*\),small,.*/\1/p'); do
    "$tool" launch-plan "$name" --size "$size" -o "$dir/$name.plan" >"$dir/log" 2>&1
    code=$?
    grep -q 'a generated stream has no kernel' "$dir/log" || note "$name" $code
  done
else
  for plan in "$dir"/*.plan; do
    timeout 120 "$tool" "$plan" --out "$dir" >"$dir/log" 2>&1
    note "$(basename "$plan" .plan)" $?
  done
fi
rm -f "$dir/log"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
