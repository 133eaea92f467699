#!/bin/sh
# Confirms the expected results on a real GPU: those launch files that manifest.txt marks "hw".
#   hw.sh plan SLUICE DIR     where Sluice is: writes DIR/NAME.plan
#   hw.sh run HWRUN DIR       where the GPU is: runs them, one line each
set -u
[ $# -eq 3 ] || { echo "usage: hw.sh plan SLUICE DIR | run HWRUN DIR" >&2; exit 2; }
mode=$1 tool=$2 dir=$3
here=$(cd "$(dirname "$0")" && pwd)
names=$(sed -n 's/^\([a-z0-9_]*\) hw |.*/\1/p' "$here/manifest.txt")
passed=0 failed=0
mkdir -p "$dir"
for name in $names; do
  if [ "$mode" = plan ]; then
    "$tool" launch-plan "$here/$name.yaml" -o "$dir/$name.plan" >"$dir/log" 2>&1
  else
    timeout 60 "$tool" "$dir/$name.plan" --out "$dir" >"$dir/log" 2>&1
  fi
  code=$?
  if [ $code -eq 0 ]; then
    passed=$((passed + 1))
    [ "$mode" = plan ] || echo "ok   $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: exit $code"
    sed 's/^/     /' "$dir/log" | head -n 8
  fi
done
rm -f "$dir/log"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
