#!/bin/sh
# The page of `sluice view` in a headless Chromium: every panel's numbers are the run's statistics, and every panel follows when
# somebody clicks, drags, chooses and zooms. Without Chromium there is nothing to test with.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
drive=$(dirname "$sluice")/tests/drive
kernels=$(dirname "$0")/../explain
browser=
for b in chromium chromium-browser google-chrome; do
  command -v $b >/dev/null && browser=$b && break
done
if [ -z "$browser" ]; then
  echo "browser: skipped, there is no Chromium (scripts/setup browser installs it)"
  exit 77
fi

# page COMMANDS: what the driver is told, after a page was opened; all that is expected becomes true
page() {
  run sh -c '"$1" "$2" <"$3"' sh "$drive" "$browser" "$tmp/commands"
  [ "$code" -eq 0 ] || fail "exit code $code: $(cat "$tmp/out" "$tmp/err")"
}

record() {
  cp "$kernels/kernels.ptx" "$tmp"
  cat >"$tmp/k.yaml" <<'END'
ptx: kernels.ptx
buffers:
  d: {bytes: 4Mi}
launches:
  - {kernel: wide_cg, grid: [60], block: [256], args: [d, {u32: 32768}, {u32: 4096}, {u32: 16}, {u32: 512}, {u32: 0xfff}, {u32: 4}]}
  - {kernel: shared, grid: [30], block: [128], args: [{u32: 32}, {u32: 8}]}
END
  run "$sluice" run "$tmp/k.yaml" --set l2.warm=false --quiet --timeline "$tmp/a.tl" --interval 200
  exits 0
  run "$sluice" run "$tmp/k.yaml" --set l2.warm=false --set dram.free=order --quiet --timeline "$tmp/b.tl" --interval 200 --json "$tmp/b.json"
  exits 0
  run "$sluice" view "$tmp/a.tl" -o "$tmp/one.html"
  exits 0
  run "$sluice" view "$tmp/a.tl" "$tmp/b.tl" -o "$tmp/two.html"
  exits 0
  run "$sluice" run "$tmp/k.yaml" --quiet --json "$tmp/plain.json"
  run "$sluice" view "$tmp/plain.json" -o "$tmp/plain.html"
  exits 0
}

# The same sums in every panel as in the run's JSON, over the whole run; and less of them in a part of it.
one_run() {
  record
  cat >"$tmp/commands" <<END
size 1280 900
open $tmp/one.html
true document.querySelectorAll('section.panel').length === 11
true Math.abs([...document.querySelectorAll('#p-power [data-stat]')].reduce((a, e) => a + +e.dataset.sum, 0) / (1e6 * sluiceView.runs[0].report.stats['energy.total_mj']) - 1) < 1e-5
true document.querySelectorAll('td.bad').length === 0
true document.querySelectorAll('td.ok').length > 100
true ['ctas', 'ipc', 'stalls', 'latency', 'memory', 'heat', 'roofline', 'histogram', 'all'].every(p => document.querySelectorAll('#p-' + p + ' td.ok').length > 0)
true +document.querySelector('#p-ipc [data-stat="gpu.cycles"]').dataset.sum === sluiceView.runs[0].report.stats['gpu.cycles']
true +document.querySelector('#p-stalls [data-stat="sm.warp_cycles"]').dataset.sum === [...document.querySelectorAll('#p-stalls [data-stat^="stall."]')].reduce((a, e) => a + +e.dataset.sum, 0)
true +document.querySelector('#p-ctas [data-stat="sm.ctas"]').dataset.sum === 90
choose #p-heat>header>.bar>select bus
true +document.querySelector('#p-heat [data-stat="dram.bus_cycles"]').dataset.sum === sluiceView.runs[0].report.stats['dram.bus_cycles']
choose #p-heat>header>.bar>select cols
true +document.querySelector('#p-heat [data-stat="bank.columns"]').dataset.sum === sluiceView.runs[0].report.stats['dram.reads'] + sluiceView.runs[0].report.stats['dram.writes']
choose #p-heat>header>.bar>select l2hits
true +document.querySelector('#p-heat [data-stat="l2.hits"]').dataset.sum === sluiceView.runs[0].report.stats['l2.hits']
choose #p-histogram>header>.bar>select latency.dram
true document.querySelectorAll('#p-histogram td.ok').length > 0 && document.querySelectorAll('#p-histogram td.bad').length === 0
END
  cat >>"$tmp/commands" <<'END'
drag #nav 0.3 0.6
true sluiceView.state.t0 > 0 && sluiceView.state.t1 < sluiceView.runs[0].length
true +document.querySelector('#p-all [data-stat="gpu.cycles"]').dataset.sum < sluiceView.runs[0].report.stats['gpu.cycles']
true +document.querySelector('#p-stalls [data-stat="sm.warp_cycles"]').dataset.sum === +document.querySelector('#p-all [data-stat="sm.warp_cycles"]').dataset.sum
true +document.querySelector('#p-roofline [data-stat="gpu.cycles"]').dataset.sum === +document.querySelector('#p-ipc [data-stat="gpu.cycles"]').dataset.sum
click #back
true sluiceView.state.t0 === 0 && sluiceView.state.t1 === sluiceView.runs[0].length
drag #p-stalls>.plots 0.4 0.7
true sluiceView.state.t0 > 0 && sluiceView.order[1].plot[0].graph.xAxisRange()[0] === sluiceView.state.t0
drag #p-heat>.plots 0.3 0.8
true sluiceView.state.back.length === 2
click #in
true sluiceView.state.back.length === 3
click #all
true document.querySelectorAll('td.bad').length === 0
choose #launch 0:1
true sluiceView.state.t0 === sluiceView.runs[0].launches[1].begin
true +document.querySelector('#p-all [data-stat="sm.ctas"]').dataset.sum >= 30
click #go-detail
true document.querySelectorAll('#p-commands [data-command]').length > 0
true [...document.querySelectorAll('#p-commands [data-command="RD"]')].some(e => +e.dataset.count > 0)
click #causes
true document.querySelector('#causes').getAttribute('aria-pressed') === 'true'
click #all
hover #p-stalls>.plots 0.5
true sluiceView.state.hover > 0
true [...document.querySelectorAll('#p-ipc .legend .val')].length > 0
size 390 844 mobile
true document.documentElement.scrollWidth <= 390
true [...document.querySelectorAll('section.panel')].every(p => p.getBoundingClientRect().right <= 391)
END
  page
}

# Side by side, and as a difference: sums of each, and B - A, are those of the two results.
two_runs() {
  cat >"$tmp/commands" <<END
size 1280 900
open $tmp/two.html
true document.querySelectorAll('#p-ipc .graph').length === 2
true document.querySelectorAll('td.bad').length === 0
true new Set([...document.querySelectorAll('#p-ipc [data-run]')].map(e => e.dataset.run)).size === 2
click [data-mode="diff"]
true sluiceView.state.mode === 'diff' && document.querySelectorAll('#p-stalls canvas').length === 1
true document.querySelectorAll('#p-all td.bad').length === 0 && document.querySelectorAll('#p-all td.ok').length > 50
true document.querySelectorAll('#p-stalls td.bad, #p-latency td.bad, #p-ipc td.bad, #p-memory td.bad').length === 0
true [...document.querySelectorAll('#p-all tr')].find(r => r.cells[0].textContent === 'gpu.cycles').cells[5].textContent.replace(/[^0-9-]/g, '') === String(sluiceView.runs[1].report.stats['gpu.cycles'] - sluiceView.runs[0].report.stats['gpu.cycles'])
click [data-mode="1"]
true document.querySelectorAll('#p-ipc .graph').length === 1
true +document.querySelector('#p-ipc [data-stat="gpu.cycles"]').dataset.sum === sluiceView.runs[1].report.stats['gpu.cycles']
open $tmp/plain.html
true document.querySelector('.note').textContent.includes('--timeline FILE')
true document.querySelectorAll('#p-all td.bad').length === 0 && document.querySelectorAll('#p-all td.ok').length > 50
END
  page
}

tests one_run two_runs
finish
