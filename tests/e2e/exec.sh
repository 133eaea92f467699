#!/bin/sh
# Programs that run for long on the simulated GPU: what is timed of them, and what is kept when they do not end by themselves.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
export ASAN_OPTIONS=detect_leaks=0:handle_segv=0 # programs leak as people's do, and a crash is a crash
export XDG_CACHE_HOME="$tmp/cache"
app=$(dirname "$sluice")/tests/app_gaussian
[ -x "$app" ] || { echo "skipped: no OpenCL" && finish; exit; }

# The program of n rows launches fan1 and fan2 n - 1 times in turn: of launches 1 to 94, fan2 are the even ones.
launches_are_chosen_by_number_and_name() {
  run "$sluice" exec --json "$tmp/all.json" -- "$app" && exits 0
  run "$sluice" exec --launches 2-4,every:10 --kernels 'fan2*' --json "$tmp/some.json" -- "$app"
  exits 0 && err_has '11 of 94 launches were timed'
  # of the whole run's instructions, those of launches 2, 4, 10, 20, ... 90
  want=$(awk '/"kernels"/ { list = 1 } list && /"warp_instructions"/ { n++; gsub(/[^0-9]/, ""); all += $0
    if (n == 2 || n == 4 || n % 10 == 0) some += $0 } END { printf "%.1f %% of the warp instructions", 100 * some / all }' "$tmp/all.json")
  grep -qF "$want" "$tmp/some.json" || fail "not $want: $(grep '"note"' "$tmp/some.json")"
  for bad in --launches=0 --launches=5-2 --launches=x --timeout=0 '--functional --kernels=a'; do
    # shellcheck disable=SC2086 # words
    run "$sluice" exec $bad -- "$app" && exits 2
  done
}

what_was_counted_is_kept() {
  run "$sluice" exec --timeout 1 --json "$tmp/t.json" -- "$app" x 600
  exits 124 && err_has 'ended after 1 s (--timeout)' && err_has 'partial: interrupted after'
  grep -q '"status": "interrupted"' "$tmp/t.json" || fail "not marked"
  [ "$(grep -c '"name": "fan' "$tmp/t.json")" -gt 1 ] || fail "the launches before are lost"
  for sig in 11 15; do # a crash; somebody ends it
    rm -f "$tmp/c.json" "$tmp/pid"
    "$sluice" exec --json "$tmp/c.json" -- sh -c "echo \$\$ >'$tmp/pid'; exec '$app' x 600" >"$tmp/out" 2>"$tmp/err" &
    starter=$!
    while [ ! -s "$tmp/pid" ]; do sleep 0.1; done
    sleep 1
    kill -$sig "$(cat "$tmp/pid")"
    code=0
    wait $starter || code=$?
    exits $((128 + sig))
    case $sig in 11) word=crashed ;; *) word=interrupted ;; esac
    grep -q "\"status\": \"$word\"" "$tmp/c.json" || fail "$sig: not marked"
    err_has "partial: $word after"
  done
}

a_terminal_shows_launch_kernel_and_ctas() {
  command -v script >/dev/null || { echo "  skipped: script(1) is not installed" && return 0; }
  script -qec "$sluice exec --timeout 3 -- $app x 600" "$tmp/typescript" >/dev/null 2>&1 </dev/null
  grep -qE 'launch [0-9]+, fan[12], [0-9]+ of [0-9]+ CTAs' "$tmp/typescript" || fail "no progress: $(tail -3 "$tmp/typescript")"
}

the_build_folder_is_a_folder_of_drivers() {
  command -v clinfo >/dev/null || { echo "  skipped: clinfo is not installed" && return 0; }
  # a sanitizer must be the first library of a process
  grep -q __asan_init "$(dirname "$sluice")/libsluice-opencl.so" && { echo "  skipped: a driver with a sanitizer" && return 0; }
  run env OCL_ICD_VENDORS="$(cd "$(dirname "$sluice")" && pwd)" clinfo -l && exits 0 && out_has Sluice
}

tests launches_are_chosen_by_number_and_name what_was_counted_is_kept a_terminal_shows_launch_kernel_and_ctas \
  the_build_folder_is_a_folder_of_drivers
finish
