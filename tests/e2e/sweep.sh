#!/bin/sh
# Sweeps: what they run, what they keep, and that nothing is lost whatever happens to them.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
export XDG_CACHE_HOME="$tmp/cache"
kernels=$PWD/examples/gpgpusim

# query SQL [DB]: rows of the database
query() { "$sluice" query "${2:-$tmp/r.db}" "$1" --csv | tail -n +2; }

# content DB: all that a sweep determines, without times and memory
content() {
  query "SELECT id, workload, size, gpu, \"with\", \"set\", params, config, state, reason FROM point ORDER BY id;
    SELECT * FROM stat ORDER BY point, name; SELECT * FROM member ORDER BY sweep, number;
    SELECT * FROM config ORDER BY id; PRAGMA integrity_check" "$1"
}

small_sweep() {
  cat >"$tmp/s.yaml" <<END
name: s
workloads: [bfs, {file: $kernels/ttiled_512.yaml}]
gpus: [gtx480, fermi15]
techniques: [cart]
END
}

a_sweep_gives_the_numbers_of_single_runs() {
  small_sweep
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '4 points, 4 done (4 run now'
  for gpu in gtx480 fermi15; do
    for w in bfs "$kernels/ttiled_512.yaml"; do
      label=$(basename "$w" .yaml)
      "$sluice" run "$w" --gpu $gpu --with cart --quiet --csv "$tmp/run.csv" || fail "$w does not run"
      awk -F, '$1 == "total" && $3 !~ /^sim\./ { print $3 "," $4 }' "$tmp/run.csv" | sort >"$tmp/want"
      query "SELECT name, value FROM stat JOIN result USING (point)
             WHERE workload = '$label' AND gpu = '$gpu' AND label = 'cart'" | sort >"$tmp/got"
      # SQLite prints 15 digits of a number
      awk -F, 'NR == FNR { want[$1] = $2; next }
        !($1 in want) || (d = want[$1] - $2) * d > 1e-24 * want[$1] ^ 2 { bad++ } { n++ }
        END { exit bad || n != length(want) }' "$tmp/want" "$tmp/got" ||
        fail "$label on $gpu: other statistics than of a single run"
    done
  done
}

what_is_done_is_not_run_again() {
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '4 points, 4 done (0 run now'
  echo "set: {l2.warm: [true, false]}" >>"$tmp/s.yaml" # true is what they had
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '8 points, 8 done (4 run now'
}

functional_work_is_done_once() {
  small_sweep
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/once.db" --cache "$tmp/streams" && exits 0
  n=$(find "$tmp/streams" -name '*.stream' | wc -l)
  case $n in 2 | 3 | 4) ;; *) fail "$n streams for 2 workloads and at most 2 layouts of memory" ;; esac
  [ "$(find "$tmp/streams" -type f ! -name '*.stream' | wc -l)" -eq 0 ] || fail "other files are left beside them"
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/live.db" --cache-limit 0 && exits 0
  content "$tmp/once.db" >"$tmp/a"
  content "$tmp/live.db" >"$tmp/b"
  cmp -s "$tmp/a" "$tmp/b" || fail "replayed and executed points differ"
}

the_cache_keeps_to_its_limit() {
  mkdir -p "$tmp/limited"
  for f in old older; do head -c 300000 /dev/zero >"$tmp/limited/$f.stream"; done
  touch -d '3 days ago' "$tmp/limited/older.stream"
  touch -d '2 days ago' "$tmp/limited/old.stream"
  printf 'workloads: bfs\n' >"$tmp/one.yaml"
  run "$sluice" sweep "$tmp/one.yaml" --db "$tmp/limited.db" --cache "$tmp/limited" --cache-limit 550000 && exits 0
  [ ! -e "$tmp/limited/older.stream" ] || fail "what was unused for longest is still there"
  [ -e "$tmp/limited/old.stream" ] || fail "more went than had to"
}

a_damaged_stream_is_noticed_and_made_again() {
  for f in "$tmp"/streams/*.stream; do
    size=$(wc -c <"$f")
    cp "$f" "$tmp/good.stream"
    printf '\377\377\377\377' | dd of="$f" bs=1 seek=$((size / 3)) conv=notrunc 2>/dev/null
  done
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/again.db" --cache "$tmp/streams" && exits 0
  content "$tmp/again.db" >"$tmp/b"
  cmp -s "$tmp/a" "$tmp/b" || fail "results after damage differ"
  cmp -s "$f" "$tmp/good.stream" || fail "the damaged stream was not replaced"
}

points_that_end_badly_have_a_reason_and_no_numbers() {
  cat >"$tmp/bad.yaml" <<END
workloads: [bfs, {file: $kernels/ttiled_512.yaml}]
techniques: [none, 'cart,fifo']
max_cycles: 6000
END
  run "$sluice" sweep "$tmp/bad.yaml" --db "$tmp/bad.db"
  exits 1 && out_has '4 points, 1 done (4 run now' && out_has '2 failed, 0 stalled, 1 cut off'
  err_has 'cut off at the limit of 6000 cycles' && err_has 'L2 admission'
  [ "$(query "SELECT count(*) FROM result WHERE state != 'done' AND cycles IS NOT NULL" "$tmp/bad.db")" = 0 ] ||
    fail "a point that is not done shows cycles"
  run "$sluice" sweep "$tmp/bad.yaml" --db "$tmp/bad.db"
  exits 1 && out_has '(0 run now' && err_has 'retry'
  run "$sluice" sweep "$tmp/bad.yaml" --db "$tmp/bad.db" --retry
  exits 1 && out_has '(3 run now'
}

a_crash_is_a_failed_point() {
  printf 'workloads: [bfs, {name: bfs, label: big, size: medium}]\n' >"$tmp/crash.yaml"
  "$sluice" sweep "$tmp/crash.yaml" --db "$tmp/crash.db" --jobs 1 >"$tmp/out" 2>"$tmp/err" &
  pid=$!
  point=
  while kill -0 $pid && [ -z "$point" ]; do
    sleep 0.02
    point=$(pgrep -P $pid) # the longest runs first
  done
  kill -ABRT "$point"
  code=0
  wait $pid || code=$?
  exits 1 && out_has '2 points, 1 done' && err_has 'big on gtx480 with none: failed: killed by signal 6'
}

# Each fits alone, two never do: however many processors there are, one runs at a time.
points_share_the_memory_there_is() {
  printf 'workloads: [bfs, histogram]\nset: {l2.mshrs: [16, 32]}\n' >"$tmp/memory.yaml"
  "$sluice" sweep "$tmp/memory.yaml" --db "$tmp/memory.db" --jobs 8 --memory 1MiB >"$tmp/out" 2>"$tmp/err" &
  pid=$!
  most=0
  while kill -0 $pid 2>/dev/null; do
    n=$(pgrep -c -P $pid)
    [ "$n" -le $most ] || most=$n
  done
  wait $pid || fail "it failed: $(cat "$tmp/err")"
  [ $most -eq 1 ] || fail "$most at once in memory for one"
}

a_plan_says_what_will_be_run() {
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/none.db" --plan && exits 0 && out_has '4 points: 0 done' &&
    out_has ' at once, through at '
  [ ! -e "$tmp/none.db" ] || fail "a plan made a database"
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" --plan && exits 0 && out_has '0 to be run'
}

# the database $tmp/killed.db of a sweep that is through
compare_killed() {
  content "$tmp/killed.db" >"$tmp/a"
  cmp -s "$tmp/a" "$tmp/b" || fail "after $i kills: the database differs from that of an undisturbed sweep"
}

# Kills the sweep after a random time, again and again; one that came to its end is compared and begun anew.
a_killed_sweep_ends_like_an_undisturbed_one() {
  cat >"$tmp/kill.yaml" <<END
workloads: [bfs, histogram]
techniques: [none, bucl]
set: {l2.mshrs: [16, 32]}
END
  run "$sluice" sweep "$tmp/kill.yaml" --db "$tmp/quiet.db" && exits 0 && out_has '8 points, 8 done'
  content "$tmp/quiet.db" >"$tmp/b"
  i=0
  tries=0
  while [ $i -lt "${KILLS:-3}" ]; do
    tries=$((tries + 1))
    setsid "$sluice" sweep "$tmp/kill.yaml" --db "$tmp/killed.db" --cache "$tmp/kill-streams" --quiet >"$tmp/out" 2>&1 &
    pid=$!
    sleep "$(awk -v s=$((tries + $$)) 'BEGIN { srand(s); printf "%.3f", rand() * 0.8 }')"
    if kill -9 $pid 2>/dev/null; then
      i=$((i + 1))
      wait $pid 2>/dev/null
      [ ! -s "$tmp/killed.db" ] || [ "$(query 'PRAGMA integrity_check' "$tmp/killed.db")" = ok ] ||
        fail "kill $i: the database is damaged"
    else
      wait $pid || fail "after $i kills: $(cat "$tmp/out")"
      compare_killed
      rm -rf "$tmp/killed.db" "$tmp/kill-streams"
    fi
  done 2>/dev/null
  run "$sluice" sweep "$tmp/kill.yaml" --db "$tmp/killed.db" --cache "$tmp/kill-streams" && exits 0
  compare_killed
  sleep 0.1
  ! pgrep -f "$tmp/kill-streams" >/dev/null || fail "processes of a killed sweep are left"
}

two_sweeps_at_once_are_refused_or_correct() {
  rm -f "$tmp/two.db"*
  "$sluice" sweep "$tmp/kill.yaml" --db "$tmp/two.db" --quiet >"$tmp/first" 2>&1 &
  pid=$!
  while [ ! -e "$tmp/two.db" ]; do sleep 0.02; done
  run "$sluice" sweep "$tmp/kill.yaml" --db "$tmp/two.db" --quiet
  case $code in
  0) ;; # the first was through already
  1) err_has 'another sweep (process' ;;
  *) fail "exit code $code: $(cat "$tmp/err")" ;;
  esac
  wait $pid || fail "the first sweep failed: $(cat "$tmp/first")"
  content "$tmp/two.db" >"$tmp/a"
  cmp -s "$tmp/a" "$tmp/b" || fail "the database differs from that of one sweep"
}

# A file of no more than so many bytes is what a full disk looks like to the one who writes it.
a_full_disk_loses_nothing() {
  rm -f "$tmp/full.db"*
  (
    trap '' XFSZ
    ulimit -f 120
    "$sluice" sweep "$tmp/kill.yaml" --db "$tmp/full.db" --quiet >"$tmp/out" 2>"$tmp/err"
    echo $? >"$tmp/code"
  )
  [ "$(cat "$tmp/code")" = 1 ] || fail "exit code $(cat "$tmp/code") on a full disk"
  err_has 'full.db: cannot write'
  [ "$(query 'PRAGMA integrity_check' "$tmp/full.db")" = ok ] || fail "the database is damaged"
  n=$(query "SELECT count(*) FROM point WHERE state = 'done'" "$tmp/full.db")
  run "$sluice" sweep "$tmp/kill.yaml" --db "$tmp/full.db"
  exits 0 && out_has "8 points, 8 done ($((8 - n)) run now"
}

what_cannot_be_written_is_named() {
  mkdir -p "$tmp/ro"
  cp "$tmp/quiet.db" "$tmp/ro/r.db"
  chmod 555 "$tmp/ro"
  if [ "$(id -u)" -eq 0 ]; then # permissions mean nothing to root: another kind of folder that takes no files
    run "$sluice" sweep "$tmp/s.yaml" --db /proc/r.db
    exits 1 && err_has '/proc/r.db.lock: cannot write'
  else
    run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/ro/other.db"
    exits 1 && err_has 'ro/other.db.lock: cannot write'
  fi
  chmod 755 "$tmp/ro"
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/nowhere/r.db" && exits 1 && err_has 'nowhere/r.db.lock: cannot write'
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/cached.db" --cache /proc/none && exits 0 # slower, no error
  run "$sluice" sweep "$tmp/s.yaml" --db tests/meson.build
  exits 2 && err_has 'tests/meson.build' && rm -f tests/meson.build.lock
}

mistakes_are_named() {
  run "$sluice" sweep && exits 2 && err_has 'name one sweep file'
  run "$sluice" sweep "$tmp/nothing.yaml" && exits 2 && err_has nothing.yaml
  run "$sluice" sweep "$tmp/s.yaml" --jobs 0 && exits 2 && err_has '1..4096'
  run "$sluice" sweep "$tmp/s.yaml" --memory x && exits 2
  printf 'workloads: [bfs]\ntechnique: [cart]\n' >"$tmp/m.yaml"
  run "$sluice" sweep "$tmp/m.yaml" && exits 2 && err_has "m.yaml:2" && err_has "did you mean 'techniques'"
}

the_example_runs() {
  run "$sluice" sweep examples/sweep.yaml --db "$tmp/example.db" && exits 0 && out_has '20 points, 20 done'
}

queries_read_and_never_write() {
  run "$sluice" query "$tmp/example.db" "SELECT count(*) AS n FROM result WHERE cycles > 0" && exits 0 && out_has 20
  run "$sluice" query "$tmp/example.db" && exits 0 && out_has 'SWL-Best'
  run "$sluice" query "$tmp/example.db" 'SELECT 1 AS one, NULL AS none' --json && exits 0 && out_has '"none": null'
  run "$sluice" query "$tmp/example.db" 'DELETE FROM stat' && exits 2 && err_has readonly
  run "$sluice" query "$tmp/example.db" 'SELEC' && exits 2 && err_has 'syntax error'
  run "$sluice" query "$tmp/nothing.db" 'SELECT 1' && exits 2 && err_has nothing.db
  [ ! -e "$tmp/nothing.db" ] || fail "a query made a database"
}

# run_csv FILE NAME VALUE...: a run's CSV
run_csv() {
  printf 'launch,kernel,statistic,value,unit\n' >"$1"
  file=$1
  shift
  while [ $# -gt 0 ]; do
    printf 'total,,%s,%s,n\n' "$1" "$2" >>"$file"
    shift 2
  done
}

# By hand: cycles fall by a quarter, which is the answer. 30 of 100 warp cycles become 10 of 80: 17.5 points less. l2.hits doubles,
# l2.misses falls to a fifth, the larger ratio; l2.merges was zero; loads stay.
differences_begin_with_the_answer() {
  run_csv "$tmp/a.csv" cycles 100 l2.hits 8 loads 7 stall.l2 30 sm.warp_cycles 100 l2.misses 10 l2.merges 0
  run_csv "$tmp/b.csv" cycles 75 l2.hits 16 loads 7 stall.l2 10 sm.warp_cycles 80 l2.misses 2 l2.merges 900
  run "$sluice" diff "$tmp/a.csv" "$tmp/b.csv" --csv
  exits 1
  printf '%s\n' part,point,name,a,b,change,points answer,,cycles,100,75,-0.25, stacks,,stall.l2,30,10,-0.6666666666666666,-17.5 \
    statistics,,l2.misses,10,2,-0.8, statistics,,l2.hits,8,16,1, statistics,,sm.warp_cycles,100,80,-0.2, statistics,,l2.merges,0,900,, |
    cmp -s - "$tmp/out" || fail "other changes: $(cat "$tmp/out")"
  run "$sluice" diff "$tmp/a.csv" "$tmp/b.csv" --over 99 && exits 1 && out_has '2 of 7 values differ'
  run "$sluice" diff "$tmp/a.csv" "$tmp/b.csv" --only loads && exits 0
  run "$sluice" diff "$tmp/quiet.db" "$tmp/killed.db" && exits 0 && out_has '0 of'
  run "$sluice" diff "$tmp/quiet.db" "$tmp/example.db" && exits 1 && out_has 'points only in'
  run "$sluice" run bfs --quiet --json "$tmp/a.json" && run "$sluice" run bfs --quiet --with cart --json "$tmp/b.json"
  run "$sluice" diff "$tmp/a.json" "$tmp/b.json" && exits 1 && out_has tech.with
  [ "$(sed -n 2p "$tmp/out" | cut -c1-9)" = '  cycles ' ] || fail "cycles are not the first: $(head -3 "$tmp/out")"
  run "$sluice" diff "$tmp/a.json" "$tmp/a.json" && exits 0
  run "$sluice" diff "$tmp/a.json" "$tmp/r.db" && exits 2 && err_has 'is a database'
  run "$sluice" diff "$tmp/s.yaml" "$tmp/a.json" && exits 2 && err_has s.yaml
}

tests a_sweep_gives_the_numbers_of_single_runs what_is_done_is_not_run_again functional_work_is_done_once the_cache_keeps_to_its_limit \
  a_damaged_stream_is_noticed_and_made_again points_that_end_badly_have_a_reason_and_no_numbers \
  a_crash_is_a_failed_point points_share_the_memory_there_is a_plan_says_what_will_be_run a_killed_sweep_ends_like_an_undisturbed_one \
  two_sweeps_at_once_are_refused_or_correct a_full_disk_loses_nothing what_cannot_be_written_is_named \
  mistakes_are_named the_example_runs \
  queries_read_and_never_write differences_begin_with_the_answer
finish
