#!/bin/sh
# Rules of the GPU written again as techniques, through the public header: the hooks give them what the rules inside have, so that the
# numbers are the same.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
traffic=bfs
one="--set noc.speedup=1 --set noc.sector_packets=false"

plugin() {
  ${CC:-cc} -O2 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -Iinclude "$1" -o "$tmp/$2.so" || fail "$1 does not compile"
}

# stats OPTIONS...: of a run, but for those of the simulator and of the plugins
stats() {
  run "$sluice" run $traffic --quiet --json "$tmp/run.json" "$@"
  exits 0
  sed -n '/^  "stats"/,/^  }/p' "$tmp/run.json" | grep -vE '"(sim|crossbar|warps|groups|tech)\.'
}

# as NAME RULE PLUGIN...: OPTIONS of the rule and of the plugin give the same statistics
same() {
  # shellcheck disable=SC2086 # options are words
  { stats $2 >"$tmp/rule"; stats $3 >"$tmp/plugin"; }
  [ "$(wc -l <"$tmp/rule")" -gt 100 ] || fail "$1: no statistics"
  cmp -s "$tmp/rule" "$tmp/plugin" || fail "$1: $(diff "$tmp/rule" "$tmp/plugin" | head -4)"
}

allocators_of_plugins_are_as_those_inside() {
  plugin examples/plugin/crossbar.c crossbar
  with="--plugin $tmp/crossbar.so --with"
  for gpu in gtx480 v100; do
    base="--gpu $gpu $one"
    same "round-robin on $gpu" "$base --set noc.allocator=round-robin" "$base $with crossbar:rule=turns"
    same "islip on $gpu" "$base --set noc.allocator=islip --set noc.iterations=1" "$base $with crossbar:rule=islip"
  done
  base="--gpu gtx480 $one --set noc.in=4 --set noc.out=2 $with"
  for how in --no-skip --general "--shuffle 7" "--threads 3 --delays 1"; do
    same "oldest $how" "$base crossbar:rule=oldest" "$base crossbar:rule=oldest $how"
  done
  cmp -s "$tmp/rule" "$tmp/plugin" && stats --gpu gtx480 $one --set noc.in=4 --set noc.out=2 >"$tmp/rule"
  ! cmp -s "$tmp/rule" "$tmp/plugin" || fail "another rule gives the same numbers"
}

schedulers_of_plugins_are_as_those_inside() {
  plugin examples/plugin/warps.c warps
  with="--plugin $tmp/warps.so --with"
  for pair in gto:greedy lrr:turns oldest:oldest; do
    same "$pair" "--gpu gtx480 --set sm.scheduler=${pair%:*}" "--gpu gtx480 $with warps:rule=${pair#*:}"
  done
  same "oldest on GCN" "--gpu hd7770 --set sm.scheduler=oldest" "--gpu hd7770 $with warps:rule=oldest"
  base="--gpu gtx480 --set sm.scheduler=two-level $with warps:rule=youngest"
  for how in --no-skip --general "--shuffle 7" "--threads 3 --delays 1"; do
    same "youngest $how" "$base" "$base $how"
  done
  stats --gpu gtx480 >"$tmp/rule"
  ! cmp -s "$tmp/rule" "$tmp/plugin" || fail "another rule gives the same numbers"
}

an_active_set_of_a_plugin_is_as_the_one_inside() {
  plugin examples/plugin/groups.c groups
  with="--plugin $tmp/groups.so --with groups"
  for size in 2 8; do
    two="--set sm.scheduler=two-level --set sm.active_warps=$size"
    for gpu in gtx480 v100; do
      same "two-level of $size on $gpu" "--gpu $gpu $two" "--gpu $gpu $with:size=$size"
    done
  done
  for how in --no-skip --general "--shuffle 7" "--threads 3 --delays 1"; do
    same "groups $how" "--gpu gtx480 $with:size=2" "--gpu gtx480 $with:size=2 $how"
  done
  stats --gpu gtx480 >"$tmp/rule"
  ! cmp -s "$tmp/rule" "$tmp/plugin" || fail "another rule gives the same numbers"
  sed 's/\.stalled = stalled/.exit = NULL/' examples/plugin/groups.c >"$tmp/half.c"
  cc -O1 -w -shared -fPIC -Iinclude "$tmp/half.c" -o "$tmp/half.so"
  run "$sluice" run $traffic --gpu gtx480 --quiet --plugin "$tmp/half.so" --with groups
  exits 2
  err_has "has one of able and stalled"
}

an_allocator_that_breaks_the_interface_is_named() {
  sed 's/  match\[o\] = i;/  match[o] = c->inputs;/' examples/plugin/crossbar.c >"$tmp/wrong.c"
  plugin "$tmp/wrong.c" wrong
  # shellcheck disable=SC2086 # options are words
  run "$sluice" run $traffic --gpu gtx480 $one --quiet --plugin "$tmp/wrong.so" --with crossbar
  exits 2
  err_has "technique 'crossbar' (--plugin $tmp/wrong.so) made a mistake at crossbar 0 in cycle"
  err_has "match() named an input that cannot pass a message to the output"
}

what_an_allocator_cannot_have_is_refused() {
  plugin examples/plugin/crossbar.c crossbar
  run "$sluice" run $traffic --gpu gtx480 --set noc.speedup=2 --set noc.sector_packets=true --quiet \
    --plugin "$tmp/crossbar.so" --with crossbar
  exits 2
  err_has "noc.speedup: 2; the allocator of \`crossbar\` knows 1 only"
  err_has "noc.sector_packets: the allocator of \`crossbar\` knows whole messages only (false)"
}

tests allocators_of_plugins_are_as_those_inside schedulers_of_plugins_are_as_those_inside \
  an_active_set_of_a_plugin_is_as_the_one_inside \
  an_allocator_that_breaks_the_interface_is_named what_an_allocator_cannot_have_is_refused
finish
