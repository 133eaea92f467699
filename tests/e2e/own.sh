#!/bin/sh
# A technique of one's own, from its C file to a figure: plugins in sweeps and experiment files.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
export XDG_CACHE_HOME="$tmp/cache"

# plugin FLAGS...: the example's technique as a shared object; other flags make another file of it
plugin() { ${CC:-cc} "$@" -shared -fPIC -Iinclude examples/plugin/rowfirst.c -o "$tmp/rowfirst.so" || fail "cannot compile the example"; }

sweep() {
  cat >"$tmp/s.yaml" <<END
workloads: [{file: $PWD/examples/gpgpusim/gather_16K.yaml}]
gpus: [cart28]
techniques: [none, cart, {with: rowfirst, set: {rowfirst.entries: [4, 16]}}]
plugins: [rowfirst.so]
END
}

a_new_plugin_makes_only_its_own_points_stale() {
  plugin -O2
  sweep
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '4 points, 4 done (4 run now'
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '4 points, 4 done (0 run now'
  plugin -O1
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/r.db" && exits 0 && out_has '4 points, 4 done (2 run now'
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

tests a_new_plugin_makes_only_its_own_points_stale a_plugin_may_come_from_the_command_line an_experiment_file_names_plugins
finish
