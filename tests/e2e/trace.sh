#!/bin/sh
# Recorded streams: a replay gives the statistics of the live run; damaged files are refused, never walked.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
kernels=examples/gpgpusim

same() { # LIVE REPLAYED WHAT
  grep -v ',sim\.' "$1" >"$tmp/a"
  grep -v ',sim\.' "$2" >"$tmp/b"
  cmp -s "$tmp/a" "$tmp/b" || fail "$3: replayed statistics differ from live ones"
}

a_replay_gives_the_same_statistics() {
  for k in ttiled_512 matmul_128 bfs_16K; do
    for gpu in gtx480 fermi15; do
      run "$sluice" trace record $kernels/$k.yaml --gpu $gpu -o "$tmp/$k.stream" --quiet && exits 0
      for with in fifo cart,bucl; do
        run "$sluice" run $kernels/$k.yaml --gpu $gpu --with $with --quiet --csv "$tmp/live.csv" && exits 0
        run "$sluice" run "$tmp/$k.stream" --gpu $gpu --with $with --quiet --csv "$tmp/again.csv" && exits 0
        same "$tmp/live.csv" "$tmp/again.csv" "$k on $gpu with $with"
      done
    done
  done
}

functional_counts_are_the_same_with_warps_of_64() {
  run "$sluice" trace record $kernels/bfs_16K.yaml --warp-width 64 -o "$tmp/wide.stream" --quiet && exits 0
  run "$sluice" run $kernels/bfs_16K.yaml --warp-width 64 --functional --quiet --csv "$tmp/live.csv" && exits 0
  run "$sluice" run "$tmp/wide.stream" --warp-width 64 --functional --quiet --csv "$tmp/again.csv" && exits 0
  same "$tmp/live.csv" "$tmp/again.csv" "warps of 64"
  run "$sluice" run "$tmp/wide.stream"
  exits 2 && err_has 'recorded with warps of 64 threads'
}

a_timed_run_records_the_same_file() {
  run "$sluice" run $kernels/ttiled_512.yaml --gpu fermi15 --quiet --record "$tmp/beside.stream" && exits 0
  cmp -s "$tmp/beside.stream" "$tmp/ttiled_512.stream" || fail "the streams differ"
}

info_names_the_launches() {
  run "$sluice" trace info "$tmp/bfs_16K.stream" && exits 0 && out_has bfs_step
  run "$sluice" trace info "$tmp/bfs_16K.stream" --json && exits 0 && out_has '"kernel"'
}

a_file_cut_off_is_refused() {
  size=$(wc -c <"$tmp/ttiled_512.stream")
  for cut in 0 4 39 64 $((size / 2)) $((size - 1)); do
    head -c $cut "$tmp/ttiled_512.stream" >"$tmp/cut.stream"
    run "$sluice" trace info "$tmp/cut.stream" && exits 2
  done
}

a_changed_byte_is_noticed_or_harmless() {
  i=0
  while [ $i -lt 30 ]; do
    cp "$tmp/ttiled_512.stream" "$tmp/bad.stream"
    printf '\377' | dd of="$tmp/bad.stream" bs=1 seek=$((i * size / 30)) conv=notrunc 2>/dev/null
    run "$sluice" run "$tmp/bad.stream" --functional --quiet
    case $code in 0 | 2) ;; *) fail "a byte changed at $((i * size / 30)): exit code $code" ;; esac
    i=$((i + 1))
  done
}

mistakes_on_the_command_line_are_named() {
  run "$sluice" trace record "$tmp/bfs_16K.stream" -o "$tmp/x" && exits 2
  run "$sluice" trace record $kernels/bfs_16K.yaml && exits 2 && err_has '-o'
  run "$sluice" trace recrod x && exits 2 && err_has "did you mean 'record'"
}

tests a_replay_gives_the_same_statistics functional_counts_are_the_same_with_warps_of_64 \
  a_timed_run_records_the_same_file info_names_the_launches a_file_cut_off_is_refused \
  a_changed_byte_is_noticed_or_harmless mistakes_on_the_command_line_are_named
finish
