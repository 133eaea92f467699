# Sourced by the end-to-end tests: `. tests/e2e/lib.sh`. $sluice is the command under test, $tmp a folder
# of its own that goes away. Each test is a function; `finish` prints what scripts/test adds up.
# shellcheck shell=sh disable=SC2034
sluice=${1:?the sluice command to test}
[ -x "$sluice" ] || { echo "no command $sluice"; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

# run COMMAND...: output in $tmp/out and $tmp/err, exit code in $code
run() {
  code=0
  "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
}

fail() {
  echo "  $*"
  ok=false
}
exits() { [ "$code" -eq "$1" ] || fail "exit code $code instead of $1: $(cat "$tmp/err")"; }
out_has() { grep -qF -e "$1" "$tmp/out" || fail "not in the output: $1"; }
err_has() { grep -qF -e "$1" "$tmp/err" || fail "not in the messages: $1; instead: $(cat "$tmp/err")"; }
err_empty() { [ ! -s "$tmp/err" ] || fail "unexpected message: $(cat "$tmp/err")"; }

# json KEY: the number of that name in the whole run's statistics
json() { sed -n '/^  "stats"/,/^  }/s/^    "'"$1"'": \([-0-9.e+]*\),\{0,1\}$/\1/p' "$2"; }

# timing_kernels: makes the kernels whose time can be computed by hand available to cycles()
timing_kernels() { cp "$(dirname "$0")/../timing/kernels.ptx" "$tmp"; }

# The GPU of cycles(), whose time can be computed by hand.
plain_gpu=$(dirname "$0")/../timing/plain.yaml

# cycles LAUNCH FROM-BUFFER SETTINGS...: runs a launch and prints how long it took
cycles() {
  printf 'ptx: kernels.ptx\nbuffers:\n  d: %s\nlaunches:\n  - %s\n' "$2" "$1" >"$tmp/t.yaml"
  shift 2
  # shellcheck disable=SC2046 # settings are words
  set -- $(for s in "$@"; do echo "--set $s"; done)
  rm -f "$tmp/t.json"
  "$sluice" run "$tmp/t.yaml" --gpu "$plain_gpu" --quiet --json "$tmp/t.json" "$@" 2>"$tmp/err" || cat "$tmp/err" >&2
  json cycles "$tmp/t.json"
}

# stat KEY: the number of that name in the last run of cycles()
stat() { json "$1" "$tmp/t.json"; }

# is NAME GOT WANT
is() { [ "$2" = "$3" ] || fail "$1: $2 cycles instead of $3"; }

tests() {
  for test_ in "$@"; do
    ok=true
    "$test_"
    if $ok; then
      passed=$((passed + 1))
      echo "[       OK ] $test_"
    else
      failed=$((failed + 1))
      echo "[  FAILED  ] $test_"
    fi
  done
}

finish() {
  echo "[  PASSED  ] $passed test(s)."
  [ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
  [ "$failed" -eq 0 ]
}
