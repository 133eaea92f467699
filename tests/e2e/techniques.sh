#!/bin/sh
# Techniques on the whole machine: they combine, they are refused by name where they cannot, every request is
# answered exactly once (a law checked in every run), and numbers do not depend on how they are simulated.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh

names="nonblocking bankqueue cart bucl mrpb racb swl ccws mars frc fcfs"
kernel=examples/gpgpusim/ttiled_512.yaml
irregular=examples/gpgpusim/gather_16K.yaml # un-coalesced: L1 and L2 refuse, row buffers conflict

numbers() { # FILE OPTIONS...: a hash of everything but what the host did
  file=$1
  shift
  run "$sluice" run "$file" --gpu fermi15 --quiet --csv "$tmp/n.csv" "$@"
  exits 0
  grep -v ',sim\.' "$tmp/n.csv" | cksum
}

each_gives_the_same_numbers_however_simulated() {
  for t in cart,bucl,swl,mars,frc mrpb,nonblocking,ccws racb,bankqueue,frc:entries=4,fcfs; do
    want=$(numbers $kernel --with $t)
    for how in --no-skip "--shuffle 11 --threads 3"; do
      # shellcheck disable=SC2086 # options and their values
      [ "$(numbers $kernel --with $t $how)" = "$want" ] || fail "$t: other numbers with $how"
    done
  done
}

every_compatible_pair_runs() {
  for a in $names; do
    for b in $names; do
      [ "$a" = "$b" ] && break
      run "$sluice" run $kernel --gpu fermi15 --quiet --with "$a,$b"
      case $code in
      0) ;;
      2) err_has "both claim the" ;;
      *) fail "$a,$b: exit code $code: $(cat "$tmp/err")" ;;
      esac
    done
  done
}

each_does_something_somewhere() {
  while read -r t file counter; do
    run "$sluice" run "$file" --gpu fermi15 --quiet --with "$t" --json "$tmp/t.json"
    exits 0
    v=$(json "$counter" "$tmp/t.json")
    [ "${v:-0}" != 0 ] || fail "$t: $counter is ${v:-missing}"
  done <<END
nonblocking $irregular nonblocking.passed
bankqueue $irregular bankqueue.requests
cart $irregular cart.same_row
bucl $irregular bucl.bypassed_loads
mrpb:bypass=any $irregular mrpb.bypass_other
racb $irregular racb.l1_mshr
swl:warps=4 $irregular swl.held
ccws examples/gpgpusim/bfs_16K.yaml ccws.hits
mars $irregular mars.visits
frc $irregular frc.swaps
END
}

mistakes_are_named() {
  while read -r with message; do
    run "$sluice" run $kernel --with "$with"
    exits 2
    err_has "$message"
  done <<END
cart,bankqueue 'cart' and 'bankqueue' both claim the L2 admission hook
bucl,mrpb 'bucl' and 'mrpb' both claim the L1 admission hook
swl,ccws both claim the warp gate hook
fcfs,frfcfs both claim the DRAM scheduler hook
kart did you mean 'cart'
cart:row=4 did you mean 'cart.rows'
cart:rows=99 out of range
cart:rows not of the form name=value
cart,cart named twice
mars:pages=3 must be a multiple
frc:entries=12 must be a multiple
END
  run "$sluice" run $kernel --set cart.rows=8
  exits 2
  err_has "the GPU is built without 'cart'"
  run "$sluice" run $kernel --plugin "$tmp/none.so"
  exits 2
}

a_plugin_is_a_technique_like_any_other() {
  ${CC:-cc} -O2 -Wall -Wextra -shared -fPIC -Iinclude examples/plugin/rowfirst.c -o "$tmp/rowfirst.so" ||
    fail "the example does not compile"
  run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$tmp/rowfirst.so" --with rowfirst:entries=8 --json "$tmp/p.json"
  exits 0
  [ "$(json rowfirst.kept "$tmp/p.json")" -gt 0 ] || fail "it decided nothing"
  run "$sluice" run $kernel --plugin "$tmp/rowfirst.so" --with rowfirst,cart
  exits 2
  err_has "'rowfirst' and 'cart' both claim the L2 admission hook"
  printf 'int x;' >"$tmp/empty.c"
  ${CC:-cc} -shared -fPIC "$tmp/empty.c" -o "$tmp/empty.so"
  run "$sluice" run $kernel --plugin "$tmp/empty.so"
  exits 2
  err_has "sluice_plugin()"
}

parameters_reach_the_technique() {
  run "$sluice" run "$irregular" --gpu fermi15 --quiet --with cart:rows=1:columns=1:entries=1 --json "$tmp/a.json"
  exits 0
  run "$sluice" run "$irregular" --gpu fermi15 --quiet --with cart:rows=8:columns=8:entries=8 --json "$tmp/b.json"
  exits 0
  a=$(json cart.fill_stalls "$tmp/a.json") b=$(json cart.fill_stalls "$tmp/b.json")
  [ "$a" -gt "$b" ] || fail "a smaller tree stalls less: $a, $b"
}

tests each_gives_the_same_numbers_however_simulated every_compatible_pair_runs each_does_something_somewhere \
  mistakes_are_named a_plugin_is_a_technique_like_any_other parameters_reach_the_technique
finish
