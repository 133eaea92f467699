#!/bin/sh
# Papers: from an experiment file to figures and pages, and what is said when something is wrong.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
export XDG_CACHE_HOME="$tmp/cache"

experiment() {
  cat >"$tmp/mine.yaml" <<END
paper: mine
title: Two workloads & a tree
gpu: cart28
size: small
workloads: {scan: SCN, transpose: TRP}
sets: {both: [SCN, TRP]}
configs: {baseline: {}, CART: {with: cart}, SWL: {with: swl, best_of: {swl.warps: [4, 16]}, by: ipc}}
quick: {workloads: [SCN], figures: [gain]}
figures:
  - id: gain
    title: "Gain <here>"
    groups: [{set: both, mean: geomean, label: GM}]
    series: [CART, SWL]
    metric: ipc
    over: baseline
    as: change
    y: "IPC (%)"
    paper: [{series: CART, at: GM, value: 34.2}]
  - id: rate
    title: Hit rate
    groups: [{set: both}]
    series: [CART]
    metric: l2.hits / l2.accesses
    as: percent
    y: "hits (%)"
END
}

have_gnuplot() {
  command -v gnuplot >/dev/null && return
  echo "  skipped: gnuplot is not installed"
  return 1
}

# of FIGURE CATEGORY SERIES: the value in a figure's CSV
of() { awk -F, -v c="$2" -v s="$3" '$1 == c && $2 == s { print $4 }' "$tmp/out.d/$1.csv"; }

figures_have_the_numbers_of_single_runs() {
  have_gnuplot || return 0
  experiment
  run "$sluice" paper "$tmp/mine.yaml" -o "$tmp/out.d" && exits 0 && out_has '8 points, 8 done (8 run now'
  for f in gain.csv gain.svg gain.pdf rate.csv rate.svg rate.pdf index.html README.md results.db; do
    [ -s "$tmp/out.d/$f" ] || fail "no $f"
  done
  for w in scan transpose; do
    "$sluice" run $w --gpu cart28 --quiet --json "$tmp/base.json"
    "$sluice" run $w --gpu cart28 --with cart --quiet --json "$tmp/cart.json"
    label=SCN
    [ $w = scan ] || label=TRP
    echo "$(json ipc "$tmp/base.json") $(json ipc "$tmp/cart.json") $(of gain $label CART)" >>"$tmp/ratios"
  done
  # each change, and 100 (sqrt(a b) - 1) for the geometric mean
  awk -v gm="$(of gain GM CART)" 'function off(a, b) { return (a - b) ^ 2 > 1e-12 * (1 + a * a) }
    { r = $2 / $1; p = NR == 1 ? r : p * r; if (off(100 * (r - 1), $3)) bad = 1 }
    END { exit bad || off(100 * (sqrt(p) - 1), gm) }' "$tmp/ratios" || fail "other changes than those of single runs"
}

what_is_done_is_only_drawn_again() {
  have_gnuplot || return 0
  run "$sluice" paper "$tmp/mine.yaml" -o "$tmp/out.d" && exits 0 && out_has '8 points, 8 done (0 run now'
  run "$sluice" paper "$tmp/mine.yaml" --quick -o "$tmp/out.d" && exits 0 && out_has '(0 run now' &&
    out_has 'quick form: 1 of 2 workloads'
  run "$sluice" paper "$tmp/mine.yaml" --figure rate --plan --db "$tmp/none.db" && exits 0 && out_has '2 points:'
}

the_report_is_one_page() {
  have_gnuplot || return 0
  run "$sluice" report "$tmp/out.d/results.db" --paper "$tmp/mine.yaml" -o "$tmp/report" && exits 0
  page=$tmp/report/index.html
  [ "$(grep -c '<svg' "$page")" -eq 2 ] || fail "not two figures on the page"
  grep -qF 'Two workloads &amp; a tree' "$page" || fail "the title is not escaped"
  grep -qF 'sluice paper' "$page" || fail "no command to reproduce it"
  ! grep -qE '(src|href)="?(http|file|/)' "$page" || fail "the page needs other files"
}

the_page_fits_a_telephone() {
  have_gnuplot || return 0
  command -v chromium >/dev/null || { echo "  skipped: chromium is not installed" && return 0; }
  { cat "$tmp/report/index.html"
    echo '<script>document.title = "wide " + document.documentElement.scrollWidth + " svg " +
      document.querySelectorAll("figure svg").length</script>'; } >"$tmp/probe.html"
  timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" --window-size=500,900 \
    --dump-dom "file://$tmp/probe.html" >"$tmp/dom" 2>"$tmp/chromium" || fail "chromium: $(tail -1 "$tmp/chromium")"
  # shellcheck disable=SC2046 # words
  set -- $(sed -n 's/.*<title>\(wide [0-9]* svg [0-9]*\)<.*/\1/p' "$tmp/dom")
  [ "${2:-9999}" -le 500 ] || fail "the page is ${2:-of unknown} pixels wide on a screen of 500"
  [ "${4:-0}" -eq 2 ] || fail "${4:-0} figures instead of 2"
}

without_gnuplot_the_runs_are_kept() {
  experiment
  mkdir -p "$tmp/bin"
  PATH=$tmp/bin run "$sluice" paper "$tmp/mine.yaml" --quick -o "$tmp/bare/of/mine" # folders are made
  exits 1 && err_has gnuplot-nox
  [ -s "$tmp/bare/of/mine/results.db" ] || fail "no database"
}

mistakes_are_explained() {
  experiment
  run "$sluice" paper crat && exits 2 && err_has "did you mean 'cart'?"
  run "$sluice" paper cart --figure fig88 --plan && exits 2 && err_has "there is no figure 'fig88'"
  run "$sluice" paper all --quick --plan && exits 0 && out_has mars && out_has rata
  run "$sluice" paper all --figure fig2 --plan && exits 2 && err_has 'of one paper'
  run "$sluice" paper && exits 2 && err_has 'name one paper'
  run "$sluice" paper "$tmp/mine.yaml" -o /dev/null/x && exits 1 && err_has '/dev/null/x'
  run "$sluice" report "$tmp/none.db" && exits 2
  sed 's/with: cart/with: crat/' "$tmp/mine.yaml" >"$tmp/bad.yaml"
  run "$sluice" paper "$tmp/bad.yaml" --plan && exits 2 && err_has "bad.yaml:7: configs.CART" && err_has "crat"
  sed 's/metric: ipc/metrik: ipc/' "$tmp/mine.yaml" >"$tmp/bad.yaml"
  run "$sluice" paper "$tmp/bad.yaml" --plan && exits 2 && err_has 'metrik'
}

what_decides_and_readings_are_drawn() {
  have_gnuplot || return 0
  experiment
  cat >>"$tmp/mine.yaml" <<END
  - id: decides
    title: What decides
    kind: tornado
    shape: changes
    groups: [{set: both, mean: geomean, label: GM}]
    series: [CART]
    metric: ipc
    over: baseline
    as: change
    y: "IPC (%)"
    changes: [{name: fewer MSHRs, set: {l2.mshrs: 4}}]
    paper: [{series: CART, at: GM, value: 34.2}]
readings:
  plain: {chosen: true, basis: text, reason: "Table II"}
  short: {basis: choice, reason: "a short queue", set: {l2.mshrs: 4}}
END
  run "$sluice" paper "$tmp/mine.yaml" --figure decides -o "$tmp/out.d" --quick && exits 0
  [ "$(wc -l <"$tmp/out.d/decides.csv")" -eq 3 ] || fail "not two bars"
  run "$sluice" paper "$tmp/mine.yaml" --figure gain -o "$tmp/out.d" --quick --readings all && exits 0
  grep -q '^SCN,"CART, short"' "$tmp/out.d/gain.csv" || fail "no reading beside the chosen one"
  # the changed assumption is what the other reading assumes
  [ "$(of decides 'fewer MSHRs' GM)" = "$(awk -F, '$1 == "GM" && $3 == " short\"" { print $5 }' <"$tmp/out.d/gain.csv" | head -1)" ] ||
    fail "decides and the reading differ"
  run "$sluice" paper "$tmp/mine.yaml" --reading shrot --plan && exits 2 && err_has "did you mean 'short'?"
  run "$sluice" paper "$tmp/mine.yaml" --readings some --plan && exits 2 && err_has "only 'all'"
  run "$sluice" paper "$tmp/mine.yaml" --list && exits 0 && out_has 'reading plain (chosen): Table II'
}

an_empty_folder_or_database_is_refused() {
  for p in cart all; do
    run "$sluice" paper $p --quick -o ''
    exits 2
    err_has "a folder needs a name"
  done
  run "$sluice" sweep examples/sweep.yaml --db ''
  exits 2
  err_has "a database needs a name"
}

tests an_empty_folder_or_database_is_refused figures_have_the_numbers_of_single_runs what_is_done_is_only_drawn_again the_report_is_one_page \
  the_page_fits_a_telephone what_decides_and_readings_are_drawn without_gnuplot_the_runs_are_kept mistakes_are_explained
finish
