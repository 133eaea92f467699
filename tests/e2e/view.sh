#!/bin/sh
# Timelines, traces for Perfetto and pages: recording changes no number, what is recorded adds up, and mistakes are named. What a
# browser makes of a page is in browser.sh.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cp "$(dirname "$0")/../explain/kernels.ptx" "$tmp"
printf 'ptx: kernels.ptx\nbuffers:\n  d: 1Mi\nlaunches:\n' | sed 's/1Mi/{bytes: 1Mi}/' >"$tmp/two.yaml"
echo '  - {kernel: walk, grid: [20], block: [128], args: [d, {u32: 16384}, {u32: 4096}, {u32: 4}, {u32: 128}, {u32: 0xfff}, {u32: 6}], repeat: 2}' >>"$tmp/two.yaml"
echo '  - {kernel: shared, grid: [20], block: [64], args: [{u32: 32}, {u32: 8}]}' >>"$tmp/two.yaml"

recording_changes_no_number() {
  for gpu in gtx480 v100; do
    run "$sluice" run "$tmp/two.yaml" --gpu $gpu --quiet --json "$tmp/a.json"
    exits 0
    run "$sluice" run "$tmp/two.yaml" --gpu $gpu --quiet --json "$tmp/b.json" --timeline "$tmp/$gpu.tl" --interval 200 --timeline-detail 0-5000
    exits 0
    # of the JSON only: the second has intervals too
    run "$sluice" diff "$tmp/a.json" "$tmp/b.json"
    exits 0
  done
}

traces_do_not_depend_on_threads() {
  for n in 1 3; do
    run "$sluice" run "$tmp/two.yaml" --quiet --threads $n --interval 500 --perfetto "$tmp/$n.trace" --timeline-detail 100-1500
    exits 0
  done
  cmp -s "$tmp/1.trace" "$tmp/3.trace" || fail "the trace differs with three threads"
  [ ! -e "$tmp/1.trace.timeline" ] || fail "the temporary timeline is left"
}

# 20 + 20 + 20 CTAs and three kernels, as the launch file says.
traces_have_every_cta_and_kernel() {
  [ "$(grep -c '"name":"CTA ' "$tmp/1.trace")" = 60 ] || fail "not 60 CTAs"
  [ "$(grep -c '"grid":"20 x 1 x 1"' "$tmp/1.trace")" = 3 ] || fail "not 3 kernels"
  grep -q '"name":"RD"' "$tmp/1.trace" || fail "no DRAM command"
  grep -q '"name":"stall.fetch"' "$tmp/1.trace" || fail "no counter"
  grep -q '"tid":1000,.*"name":"fetch"' "$tmp/1.trace" || fail "no warp waits"
}

units_and_statistics_are_a_choice() {
  run "$sluice" run "$tmp/two.yaml" --quiet --timeline "$tmp/few.tl" --timeline-units none --timeline-detail none
  exits 0
  run "$sluice" run "$tmp/two.yaml" --quiet --timeline "$tmp/some.tl" --timeline-units l2 --timeline-stats l2.evictions,l2.reservation_fails.*
  exits 0
  run "$sluice" view "$tmp/few.tl"
  exits 0
  grep -q 'id="d0.l2' "$tmp/few.html" && fail "units on the page that were not recorded"
  run "$sluice" view "$tmp/some.tl" -o "$tmp/chosen.html"
  exits 0
  grep -q 'id="d0.l2.l2.evictions.0.0"' "$tmp/chosen.html" || fail "the chosen statistic is not on the page"
  grep -q 'id="d0.sm' "$tmp/chosen.html" && fail "units on the page that were not chosen"
}

pages_need_nothing_else() {
  run "$sluice" view "$tmp/gtx480.tl"
  exits 0
  out_has "gtx480.html"
  grep -v '^<script type="text/plain"' "$tmp/gtx480.html" | grep -qE '(src|href)="?(https?:)?//' && fail "the page refers to the network"
  grep -q "default-src 'none'" "$tmp/gtx480.html" || fail "the page may load something"
}

results_and_points_show_what_they_have() {
  run "$sluice" run "$tmp/two.yaml" --quiet --per-unit --json "$tmp/plain.json"
  run "$sluice" view "$tmp/plain.json"
  exits 0
  printf 'name: v\nworkloads: [%s]\nbase: {label: base}\nruns: [{label: cart, with: cart}]\ngpus: [gtx480]\n' "$tmp/two.yaml" >"$tmp/s.yaml"
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/s.db" --quiet
  if [ "$code" -eq 0 ]; then
    run "$sluice" query "$tmp/s.db" 'SELECT id FROM point LIMIT 1' --csv
    id=$(tail -1 "$tmp/out")
    run "$sluice" view "$tmp/s.db#$id" -o "$tmp/point.html"
    exits 0
    run "$sluice" explain "$tmp/s.db#$id"
    exits 0
  fi
}

mistakes_are_named() {
  run "$sluice" run "$tmp/two.yaml" --timeline "$tmp/x.tl" --timeline-units sn
  exits 2
  err_has "did you mean 'sm'?"
  run "$sluice" run "$tmp/two.yaml" --timeline "$tmp/x.tl" --timeline-stats l2.hitz
  exits 2
  err_has "'l2.hitz'"
  run "$sluice" run "$tmp/two.yaml" --timeline "$tmp/x.tl" --timeline-detail 5
  exits 2
  err_has "--timeline-detail '5'"
  run "$sluice" run "$tmp/two.yaml" --timeline-units sm
  exits 2
  err_has "needs --timeline FILE"
  run "$sluice" run "$tmp/two.yaml" --functional --timeline "$tmp/x.tl"
  exits 2
  err_has "--timeline counts what a timing model does"
  run "$sluice" run "$tmp/two.yaml" --timeline "$tmp/none/x.tl"
  exits 2
  err_has "$tmp/none/x.tl"
  run "$sluice" view "$tmp/two.yaml"
  exits 2
  err_has "no timeline, and no result"
  run "$sluice" view "$tmp/absent"
  exits 2
  run "$sluice" view
  exits 2
  head -c 3000 "$tmp/gtx480.tl" >"$tmp/cut.tl"
  run "$sluice" view "$tmp/cut.tl"
  exits 2
  err_has "the timeline is damaged"
  [ ! -e "$tmp/cut.html" ] || fail "a page of a damaged timeline is left"
  SLUICE_DYGRAPHS=$tmp run "$sluice" view "$tmp/gtx480.tl"
  exits 1
  err_has "libjs-dygraphs"
}

tests recording_changes_no_number traces_do_not_depend_on_threads traces_have_every_cta_and_kernel \
  units_and_statistics_are_a_choice pages_need_nothing_else results_and_points_show_what_they_have mistakes_are_named
finish
