#!/bin/sh
# Runs every launch file of tests/kernels/manifest.txt and checks its exit code and output.
#   kernels.sh SLUICE [NAME…]      only the named launch files
# Options for every run may be given in KERNEL_OPTIONS.
set -u
[ $# -ge 1 ] || { echo "usage: kernels.sh SLUICE [NAME...]" >&2; exit 2; }
sluice=$1
shift
only=" $* "
dir=$(cd "$(dirname "$0")/../kernels" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

fail() {
  echo "FAIL $label: $1"
  sed 's/^/     /' "$tmp/err" | head -n 12
  failed=$((failed + 1))
}

# One line of the manifest: sets label, ends in passed or failed.
check() {
  # shellcheck disable=SC2086 # options are words
  timeout 120 "$sluice" run "$dir/$1.yaml" --functional ${KERNEL_OPTIONS:-} $2 >"$tmp/out" 2>"$tmp/err"
  got=$?
  if [ "$got" -ne "$3" ]; then
    fail "exit $got, expected $3"
    return
  fi
  cat "$tmp/out" "$tmp/err" >"$tmp/all"
  rest=$4
  while [ -n "$rest" ]; do
    pattern=${rest%%" && "*}
    if ! grep -Eq -e "$pattern" "$tmp/all"; then
      fail "output lacks '$pattern'"
      return
    fi
    case $rest in *" && "*) rest=${rest#*" && "} ;; *) rest= ;; esac
  done
  echo "ok   $label"
  passed=$((passed + 1))
}

trim() {
  s=${1#"${1%%[! ]*}"}
  printf '%s' "${s%"${s##*[! ]}"}"
}

while IFS='|' read -r name options code pattern; do
  case $name in '' | '#'*) continue ;; esac
  name=$(trim "$name")
  name=${name%% *}
  options=$(trim "$options")
  case $only in *' '?*' '*) case $only in *" $name "*) ;; *) continue ;; esac ;; esac
  label="$name${options:+ $options}"
  check "$name" "$options" "$(trim "$code")" "$(trim "$pattern")"
done <"$dir/manifest.txt"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
