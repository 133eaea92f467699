#!/bin/sh
# tools/balance: what shards of a GPU have to do.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
balance=$(dirname "$sluice")/tools/balance/balance
[ -x "$balance" ] || { echo "no command $balance"; exit 1; }
kernel=tests/kernels/prints.yaml

# ratio: what the last run found
ratio() { sed -n 's/.*largest shard of each window = //p' "$tmp/out"; }

mistakes_are_named() {
  run "$balance" --help
  exits 0
  out_has "Example:"
  run "$balance" 0 gtx480 "$kernel"
  exits 2
  err_has "SHARDS is '0'; 1 to 254"
  run "$balance" 4 gtx48 "$kernel"
  exits 2
  err_has "gtx480"
  run "$balance" --cycles 4 gtx480 "$kernel"
  exits 2
  err_has "'--cycles' is not understood"
  run "$balance" 4 gtx480
  exits 2
  err_has "FILE.yaml"
}

one_shard_has_all_the_work() {
  run "$balance" 1 gtx480 "$kernel"
  exits 0
  [ "$(ratio)" = 1.00 ] || fail "one shard: $(cat "$tmp/out")"
}

instructions_are_the_same_every_time() {
  if ! command -v valgrind >/dev/null || env PATH=/nonexistent "$balance" --instructions 1 gtx480 "$kernel" 2>&1 | grep -q headers; then
    echo "  no valgrind: left out"
    return
  fi
  run "$balance" --instructions --by-shard 4 gtx480 "$kernel"
  exits 0
  err_empty
  cp "$tmp/out" "$tmp/first"
  awk -v r="$(ratio)" 'BEGIN { exit !(r > 1 && r <= 4) }' || fail "ratio $(ratio) of 4 shards"
  run "$balance" --instructions --by-shard 4 gtx480 "$kernel"
  cmp -s "$tmp/out" "$tmp/first" || fail "another count: $(diff "$tmp/first" "$tmp/out")"
}

without_valgrind_there_is_an_error() {
  run env env PATH=/nonexistent "$balance" --instructions 4 gtx480 "$kernel"
  exits 1
  err_has "valgrind"
}

tests mistakes_are_named one_shard_has_all_the_work instructions_are_the_same_every_time without_valgrind_there_is_an_error
finish
