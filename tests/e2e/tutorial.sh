#!/bin/sh
# The tutorial's commands, as docs/tutorial.md has them.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
export XDG_CACHE_HOME="$tmp/cache"
mkdir "$tmp/bin" "$tmp/work"
ln -s "$(readlink -f "$sluice")" "$tmp/bin/sluice"

# commands: what stands between ```sh and ```, all of it
commands() { awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' docs/tutorial.md; }

every_command_works() {
  commands >"$tmp/commands"
  [ "$(wc -l <"$tmp/commands")" -ge 15 ] || fail "only $(wc -l <"$tmp/commands") commands"
  while IFS= read -r line; do
    case $line in 'sluice plot mine.db') command -v gnuplot >/dev/null || continue ;; esac
    (cd "$tmp/work" && PATH=$tmp/bin:$PATH sh -c "$line" >"$tmp/out" 2>"$tmp/err" </dev/null) || fail "$line: $(tail -3 "$tmp/err")"
  done <"$tmp/commands"
  grep -q '^16,' "$tmp/work/rate.csv" || fail "no figure: $(cat "$tmp/work/rate.csv")"
  for f in before.json after.json mine/mine.so mine.db; do [ -s "$tmp/work/$f" ] || fail "no $f"; done
}

tests every_command_works
finish
