#!/bin/sh
# A technique of one's own, from its C file to a figure: plugins in sweeps and experiment files, figures of any sweep.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
export XDG_CACHE_HOME="$tmp/cache"
sluice=$(readlink -f "$sluice")

# plugin FLAGS...: the example's technique as a shared object; other flags make another file of it
plugin() { ${CC:-cc} "$@" -shared -fPIC -Iinclude examples/plugin/rowfirst.c -o "$tmp/rowfirst.so" || fail "cannot compile the example"; }

sweep() {
  cat >"$tmp/s.yaml" <<END
name: s
workloads: [scan, {file: $PWD/examples/gpgpusim/gather_16K.yaml}]
gpus: [cart28]
techniques: [none, cart, {with: rowfirst, set: {rowfirst.entries: [4, 16]}}]
plugins: [rowfirst.so]
END
}

a_new_plugin_makes_only_its_own_points_stale() {
  plugin -O2
  sweep
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '8 points, 8 done (8 run now'
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '8 points, 8 done (0 run now'
  plugin -O1
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '8 points, 8 done (4 run now'
}

a_plugin_may_come_from_the_command_line() {
  grep -v plugins "$tmp/s.yaml" >"$tmp/bare.yaml"
  run "$sluice" sweep "$tmp/bare.yaml" --db "$tmp/r.db" && exits 2 && err_has rowfirst
  run "$sluice" sweep "$tmp/bare.yaml" --db "$tmp/r.db" --plugin "$tmp/rowfirst.so" && exits 0 && out_has '(0 run now'
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" --plugin "$tmp/rowfirst.so" && exits 0 && out_has '(0 run now'
}

experiment() {
  cat >"$tmp/e.yaml" <<END
paper: e
title: rowfirst
gpu: cart28
size: small
plugins: [rowfirst.so]
workloads: {scan: scan}
sets: {all: [scan]}
configs: {base: {}, first: {with: rowfirst}}
figures:
  - {id: f, title: f, groups: [{set: all}], series: [first], over: base, metric: ipc, as: change, y: "%"}
  - {id: k, title: k, groups: [{set: all}], series: [first], metric: rowfirst.kept, y: requests}
END
}

an_experiment_file_names_plugins() {
  plugin -O1
  experiment
  run "$sluice" paper "$tmp/e.yaml" -o "$tmp/e" && exits 0 && out_has '2 points, 2 done (2 run now'
  grep -q '^scan,first,0,[0-9.]*,$' "$tmp/e/k.csv" || fail "no value of the plugin's statistic: $(cat "$tmp/e/k.csv")"
  run "$sluice" paper "$tmp/e.yaml" -o "$tmp/e" --quick && exits 2 && err_has "no quick form"
  grep -v plugins "$tmp/e.yaml" >"$tmp/bare.yaml"
  run "$sluice" paper "$tmp/bare.yaml" --plan && exits 2 && err_has 'rowfirst.kept'
  run "$sluice" paper "$tmp/bare.yaml" --plan --plugin "$tmp/rowfirst.so" --db "$tmp/e/results.db" && exits 0 &&
    out_has '2 done'
  sed 's/rowfirst.so/none.so/' "$tmp/e.yaml" >"$tmp/bad.yaml"
  run "$sluice" paper "$tmp/bad.yaml" --plan && exits 2 && err_has "bad.yaml:5: plugins" && err_has "none.so"
}

have_gnuplot() { command -v gnuplot >/dev/null || { echo "  skipped: gnuplot is not installed" && return 1; }; }

# of CATEGORY SERIES: its value in the CSV of a figure
of() { awk -F, -v c="$1," -v s="$2" 'index($0, c) == 1 && index($0, s) { print $(NF - 1) }' "$tmp/plot.csv"; }

# cycles_of WORKLOAD LABEL [SET]: of a point, by SQL
cycles_of() { "$sluice" query "$tmp/r.db" "SELECT cycles FROM result WHERE workload = '$1' AND label = '$2' AND \"set\" LIKE '%${3:-}%'" --csv | tail -1; }

a_finished_sweep_becomes_a_figure() {
  plugin -O1
  sweep
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0
  run "$sluice" plot "$tmp/r.db" -o "$tmp/plot.csv" && exits 0 && out_has 'speed-up over none'
  for w in scan gather_16K; do
    echo "$(cycles_of $w none) $(cycles_of $w cart) $(of $w ,cart,) $(cycles_of $w rowfirst 16) $(of $w 'entries=16"')"
  done >"$tmp/v"
  # cycles of the baseline over those of the point, and the geometric mean of two
  awk -v gm="$(of geomean ,cart,)" 'function off(a, b) { return (a - b) ^ 2 > 1e-12 }
    { if (NF != 5 || off($1 / $2, $3) || off($1 / $4, $5)) bad = 1; p = NR == 1 ? $1 / $2 : p * $1 / $2 }
    END { exit bad || NR != 2 || off(sqrt(p), gm) }' "$tmp/v" || fail "not the speed-ups of the points: $(cat "$tmp/v")"
  have_gnuplot || return 0
  (cd "$tmp" && run "$sluice" plot r.db --title 'A & B' -q && exits 0) || fail "no files of all forms"
  for e in svg pdf html csv; do [ -s "$tmp/s.$e" ] || fail "no s.$e"; done
  grep -q "<title>A &amp; B</title>" "$tmp/s.html" || fail "no page"
  grep -q "<svg" "$tmp/s.html" || fail "no drawing on the page"
  for k in 'bars --clip 0.9:1.1 --error range' 'heatmap --as change' 'scatter --against l1d.hit_rate' 'upset --as change' \
    'pareto --against tech.storage_bits -x technique' 'lines -x rowfirst.entries'; do
    # shellcheck disable=SC2086 # words
    run "$sluice" plot "$tmp/r.db" -q -o "$tmp/k.svg" -k $k && exits 0
  done
}

axes_and_baselines_are_of_the_users_choice() {
  run "$sluice" plot "$tmp/r.db" -x rowfirst.entries --where technique=rowfirst --over rowfirst.entries=4 -m cycles -o "$tmp/plot.csv"
  exits 0
  # of the two workloads, averaged: 16 entries against 4
  want=$(awk -v a="$(cycles_of scan rowfirst '"16"')" -v b="$(cycles_of scan rowfirst '"4"')" \
    -v c="$(cycles_of gather_16K rowfirst '"16"')" -v d="$(cycles_of gather_16K rowfirst '"4"')" \
    'BEGIN { printf "%.9f", sqrt(a / b * c / d) }')
  awk -v w="$want" -F, '$1 == 16 && ($4 - w) ^ 2 < 1e-14 { ok++ } $1 == 4 && $4 == 1 { ok++ } END { exit ok != 2 }' "$tmp/plot.csv" ||
    fail "not $want: $(cat "$tmp/plot.csv")"
  run "$sluice" plot "$tmp/r.db" -m rowfirst.kept --over '' --where technique=rowfirst -o "$tmp/plot.csv" && exits 0
  run "$sluice" plot "$tmp/r.db" -x entires && exits 2 && err_has "no axis 'entires'" && err_has 'rowfirst.entries'
  run "$sluice" plot "$tmp/r.db" -w technique=crat && exits 2 && err_has 'none, cart'
  run "$sluice" plot "$tmp/r.db" -m icp --over '' && exits 2 && err_has "did you mean 'ipc'?"
  run "$sluice" plot "$tmp/r.db" --over rowfirst && exits 2 && err_has 'not clear what to measure'
  run "$sluice" plot "$tmp/r.db" -o x.gif && exits 2 && err_has '.svg, .pdf, .html, .csv'
  run "$sluice" plot "$tmp/r.db" --kind bar && exits 2 && err_has "did you mean 'bars'?"
}

a_new_technique_builds_and_passes_its_test() {
  run "$sluice" new technique mine -o "$tmp/mine" && exits 0 && out_has 'make figure'
  run make -C "$tmp/mine" && exits 0 && out_has 'all tests passed'
  run "$sluice" sweep "$tmp/mine/sweep.yaml" --plan && exits 0 && out_has '20 points'
  run "$sluice" new technique mine -o "$tmp/mine" && exits 2 && err_has 'there already'
  run "$sluice" new technique cart && exits 2 && err_has "technique 'cart' already"
  run "$sluice" new technique 'My Own' && exits 2 && err_has 'a-z'
  run "$sluice" new workload mine && exits 2 && err_has 'allowed: technique'
}

tests a_new_plugin_makes_only_its_own_points_stale a_plugin_may_come_from_the_command_line an_experiment_file_names_plugins \
  a_finished_sweep_becomes_a_figure axes_and_baselines_are_of_the_users_choice a_new_technique_builds_and_passes_its_test
finish
