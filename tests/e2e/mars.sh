#!/bin/sh
# MARS' GPU: stream caches in groups of shader cores, one way to memory; and the figure that the paper begins with.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# Fig. 2, with texture reads that miss: locality grows with the window, falls on the way out, falls with more cores.
locality_has_the_shape_of_figure_2() {
  for g in mars24 mars40; do
    run "$sluice" run mars-wl1 --gpu $g --param scale=4 --param width=1920 --param height=512 --param texture_width=4160 \
      --param texture_height=4096 --set gpu.locality=true --quiet --json "$tmp/$g.json"
    exits 0
    for place in caches edge; do
      for w in 128 256 512 1024 2048 4096 8192 16384; do
        json locality.$place.w$w "$tmp/$g.json"
      done >"$tmp/$g.$place"
      [ "$(wc -l <"$tmp/$g.$place")" -eq 8 ] || fail "$g, $place: $(wc -l <"$tmp/$g.$place") windows"
      awk '$1 <= last { exit 1 } { last = $1 }' "$tmp/$g.$place" || fail "$g, $place: does not grow: $(xargs <"$tmp/$g.$place")"
    done
    paste "$tmp/$g.caches" "$tmp/$g.edge" | awk '$2 >= $1 { exit 1 }' || fail "$g: does not fall on the way out"
    # the experiment is one of misses
    [ "$(json l2.hits "$tmp/$g.json")" -lt $(($(json l2.accesses "$tmp/$g.json") / 10)) ] || fail "$g: the L3 hits"
  done
  paste "$tmp/mars24.edge" "$tmp/mars40.edge" | awk '$2 >= $1 { exit 1 }' || fail "does not fall with more cores"
}

# 128 x 128 pixels of 4 bytes are 1024 lines of 64 bytes; a warp stores two of them.
every_line_is_written_once() {
  run "$sluice" run mars-wl3 --gpu mars24 --quiet --json "$tmp/t.json"
  exits 0
  for n in stream.l1.accesses stream.l1.misses stream.l1.writebacks; do
    [ "$(json $n "$tmp/t.json")" = 1024 ] || fail "$n: $(json $n "$tmp/t.json")"
  done
  [ "$(json l2.accesses "$tmp/t.json")" = 1024 ] || fail "$(json l2.accesses "$tmp/t.json") lines reach the L3"
  run "$sluice" run mars-wl3 --gpu mars24 --quiet --set stream.l1.colour_sets=0 --json "$tmp/t.json"
  exits 0
  [ "$(json stream.l1.accesses "$tmp/t.json")" = 0 ] || fail "a cache that is not there is used"
  [ "$(json noc.request_messages "$tmp/t.json")" = 1024 ] || fail "$(json noc.request_messages "$tmp/t.json") stores pass by"
}

result() { grep -vE '"(sim|host)\.|tech.with' "$1"; }

numbers_do_not_depend_on_how_it_is_simulated() {
  while read -r what; do
    # shellcheck disable=SC2086 # arguments are words
    set -- $what
    run "$sluice" run "$@" --quiet --per-unit --json "$tmp/a.json"
    exits 0
    result "$tmp/a.json" >"$tmp/a"
    for how in "--no-skip --shuffle 7" "--threads 2 --delays 1" "--threads 4 --delays 1"; do
      # shellcheck disable=SC2086 # options are words
      run "$sluice" run "$@" $how --quiet --per-unit --json "$tmp/b.json"
      exits 0
      result "$tmp/b.json" >"$tmp/b"
      cmp -s "$tmp/a" "$tmp/b" || fail "$what differs with $how"
    done
  done <<END
mars-wl1 --gpu mars24 --set gpu.locality=true
mars-wl2 --gpu mars40 --with mars --set gpu.locality=true
mars-wl2 --gpu mars40 --with mars:conflict=pass:pages=8 --set l2.edge_stop=slice
mars-wl4 --gpu mars24 --with mars:pages=4 --set l2.edge_stop=slice
mars-wl4 --gpu mars64 --set noc.allocator=round-robin --set gpu.noc_mhz=700 --set stream.l1.depth_sets=1
mars-wl5 --gpu mars24 --with mars --set stream.l2.hiz_sets=2
tests/kernels/histogram.yaml --gpu mars40
tests/kernels/histogram.yaml --gpu h200
END
}

# A recorded stream knows which data is texture, depth or colour.
a_replay_gives_the_same_statistics() {
  run "$sluice" trace record mars-wl2 --gpu mars24 -o "$tmp/s" --quiet && exits 0
  run "$sluice" run mars-wl2 --gpu mars24 --quiet --csv "$tmp/live.csv" && exits 0
  run "$sluice" run "$tmp/s" --gpu mars24 --quiet --csv "$tmp/again.csv" && exits 0
  grep -v ',sim\.' "$tmp/live.csv" >"$tmp/a"
  grep -v ',sim\.' "$tmp/again.csv" >"$tmp/b"
  cmp -s "$tmp/a" "$tmp/b" || fail "the statistics differ"
}

compute_kernels_run_too() {
  for g in mars64 h200; do
    for k in vecadd_1M gather_16K tnaive_512 ttiled_512 matmul_128 bfs_16K; do
      run "$sluice" run examples/gpgpusim/$k.yaml --gpu $g --quiet --json "$tmp/t.json"
      exits 0
      [ "$(json noc.requests "$tmp/t.json")" = "$(json noc.answers "$tmp/t.json")" ] || fail "$g: $k: answers"
    done
  done
}

what_does_not_go_together_is_refused() {
  run "$sluice" run mars-wl1 --gpu gtx480 --set gpu.locality=true
  exits 2
  err_has "gpu.locality"
  run "$sluice" run mars-wl1 --gpu gtx480 --set stream.levels=1
  exits 2
  err_has "noc.sms_per_link must be 2 or more"
  run "$sluice" run mars-wl1 --gpu mars24 --set l2.inclusive=true
  exits 2
  err_has "know neither l2.inclusive nor l2.nack"
  run "$sluice" run mars-wl1 --gpu mars24 --set stream.l1.texture_sets=3
  exits 2
  err_has "stream.l1.texture"
}

tests locality_has_the_shape_of_figure_2 every_line_is_written_once numbers_do_not_depend_on_how_it_is_simulated \
  a_replay_gives_the_same_statistics compute_kernels_run_too what_does_not_go_together_is_refused
finish
