#!/bin/sh
# Workloads: every folder is known by its name and gives the result of its CPU reference.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
names=$(scripts/workload-embed names workloads)

every_folder_is_listed() {
  for form in "" --json --csv --markdown; do
    # shellcheck disable=SC2086 # no option is no word
    run "$sluice" list workloads $form
    exits 0
    for name in $names; do
      grep -qF -- "$name" "$tmp/out" || fail "$name is not listed (a new folder: meson setup --reconfigure)"
    done
  done
}

every_workload_verifies_at_both_warp_widths() {
  for name in $names; do
    for width in 32 64; do
      run "$sluice" run "$name" --functional --warp-width $width --quiet
      [ "$code" -eq 0 ] || fail "$name at width $width: exit $code: $(head -n 3 "$tmp/err")"
    done
  done
}

names_and_files_are_told_apart() {
  run "$sluice" run bsf
  exits 2
  err_has "there is no workload 'bsf'; did you mean 'bfs'?"
  run "$sluice" run ./bfs --functional
  exits 2
  run "$sluice" run bfs.yaml --functional
  exits 2
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --functional --seed 3
  exits 2
  err_has "--seed belongs to workloads"
}

parameters_are_checked() {
  run "$sluice" run bfs --param node=5
  exits 2
  err_has "there is no 'node' (allowed: graph, nodes, degree); did you mean 'nodes'?"
  run "$sluice" run transpose --param width=33
  exits 2
  err_has "width: '33' (allowed: multiples of 16 from 16 to 32768)"
  run "$sluice" run bfs --size smal
  exits 2
  err_has "did you mean 'small'?"
  run "$sluice" run transpose --input x
  exits 2
  err_has "takes no file"
}

# A path of four nodes: three levels and one that finds nothing; the answer is its own reference.
a_graph_comes_from_a_file() {
  printf '0 1\n1 2\n2 3\n' >"$tmp/path"
  run "$sluice" run bfs --input "$tmp/path" --functional --json -
  exits 0
  [ "$(grep -c '"name": "bfs_expand"' "$tmp/out")" -eq 4 ] || fail "levels of a path of four nodes"
  printf '0 1\n1 -2\n' >"$tmp/bad"
  run "$sluice" run bfs --input "$tmp/bad" --functional
  exits 2
  err_has "bad:2: node -2"
  [ ! -s "$tmp/out" ] || fail "a report of a run that was refused"
}

the_seed_decides_the_input() {
  run "$sluice" run bfs --functional --seed 5 --json "$tmp/a"
  run "$sluice" run bfs --functional --seed 5 --json "$tmp/b"
  run "$sluice" run bfs --functional --seed 6 --json "$tmp/c"
  for f in a b c; do
    grep -v '"sim\.' "$tmp/$f" >"$tmp/$f.cut"
  done
  cmp -s "$tmp/a.cut" "$tmp/b.cut" || fail "one seed, two results"
  cmp -s "$tmp/a.cut" "$tmp/c.cut" && fail "two seeds, one result"
  grep -q '"seed": "5"' "$tmp/a" || fail "the result does not name its seed"
}

a_plan_holds_what_the_host_did() {
  run "$sluice" launch-plan bfs --param nodes=100 -o "$tmp/plan"
  exits 0
  for word in refill launch check; do
    grep -aq "^$word " "$tmp/plan" || fail "no $word in the plan"
  done
}

workloads_run_on_the_timing_model() {
  run "$sluice" run bfs --gpu cart28 --param nodes=500
  exits 0
  out_has "main stall"
}

tests every_folder_is_listed every_workload_verifies_at_both_warp_widths names_and_files_are_told_apart \
  parameters_are_checked a_graph_comes_from_a_file the_seed_decides_the_input \
  a_plan_holds_what_the_host_did workloads_run_on_the_timing_model
finish
