'use strict';
(() => {
/* ---- data: runs, chunks, windows ------------------------------------------------------------------------------ */
const LEFT = 58, RIGHT = 8; /* of every plot, so that a cycle is at the same place in all of them */
const runs = [...document.querySelectorAll('script.run')].map((e, i) => {
  const d = JSON.parse(e.textContent);
  const r = { at: i, ...d, ...d.index, letter: 'AB'[i] };
  r.length = Math.max(1, ...r.launches.map(l => l.begin + l.cycles));
  r.stats = (d.report && d.report.stats) || {};
  r.config = (d.report && d.report.config) || {};
  r.totals.key = `d${i}.t`;
  r.col = Object.fromEntries(r.totals.columns.map((n, k) => [n, k]));
  for (const u of r.units) u.key = `d${i}.${u.kind}.${u.stat}`;
  r.unit = (kind, stat) => r.units.find(u => u.kind === kind && u.stat === stat);
  return r;
});
const two = runs.length > 1;

async function unpack(id) {
  const text = document.getElementById(id).textContent, raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const s = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(s).arrayBuffer());
}
function reader(b) {
  let at = 0;
  return () => {
    let v = 0, m = 1, c;
    do { c = b[at++]; v += (c & 127) * m; m *= 128; } while (c & 128);
    return v;
  };
}
const cache = new Map();
function cached(id, make) {
  let p = cache.get(id);
  if (p) { cache.delete(id); cache.set(id, p); return p; }
  p = unpack(id).then(make);
  cache.set(id, p);
  if (cache.size > 600) cache.delete(cache.keys().next().value);
  return p;
}
const chunk = (g, level, i, columns) => cached(`${g.key}.${level}.${i}`, b => {
  const get = reader(b), n = get(), out = [];
  for (let c = 0; c < columns; c++) {
    const how = get(), v = new Float64Array(n);
    if (how === 1) v.fill(get()); else if (how === 2) for (let k = 0; k < n; k++) v[k] = get();
    out.push(v);
  }
  return out;
});
/* Rows of a group that overlap a window, at the finest level that has no more than `most` of them. Panels that ask for the same
 * get the same. */
const asked = new Map();
function rowsOf(r, g, t0, t1, most) {
  let level = g.finest;
  while (level + 1 < g.levels.length && g.levels[level].rows * Math.min(1, (t1 - t0) / r.length) > most) level++;
  const key = `${g.key} ${level} ${t0} ${t1}`;
  let p = asked.get(key);
  if (p) { asked.delete(key); asked.set(key, p); return p; }
  p = gather(g, level, t0, t1);
  asked.set(key, p);
  if (asked.size > 60) asked.delete(asked.keys().next().value);
  return p;
}
async function gather(g, level, t0, t1) {
  const columns = (g.units || g.columns.length - 1) + 1, L = g.levels[level];
  if (!L) return { t: new Float64Array([0]), col: Array.from({ length: columns }, () => new Float64Array(0)), n: 0, level };
  let a = 0, b = L.starts.length;
  while (a + 1 < L.starts.length && L.starts[a + 1] <= t0) a++;
  while (b - 1 > a && L.starts[b - 1] >= t1) b--;
  const parts = await Promise.all(Array.from({ length: b - a }, (_, k) => chunk(g, level, a + k, columns)));
  /* of each chunk, the rows from i to j */
  const cut = [], t = [];
  let at = L.starts[a], n = 0;
  for (const p of parts) {
    const d = p[0];
    let i = 0, j = 0;
    for (let k = 0, any = false; k < d.length; k++) {
      const end = at + d[k];
      if (end > t0 && at < t1) {
        if (!any) { i = k; any = true; if (!t.length) t.push(at); }
        t.push(end);
        j = k + 1;
      }
      at = end;
    }
    cut.push([i, j]);
    n += j - i;
  }
  const col = Array.from({ length: columns }, (_, c) => {
    const v = new Float64Array(n);
    let to = 0;
    parts.forEach((p, k) => { const [i, j] = cut[k]; if (j > i) { v.set(p[c].subarray(i, j), to); to += j - i; } });
    return v;
  });
  return { t: Float64Array.from(t.length ? t : [t0]), col, n, level };
}
const sum = v => { let s = 0; for (let i = 0; i < v.length; i++) s += v[i]; return s; };
async function eventsOf(r, what, t0, t1, most) {
  const list = r[what], hit = [];
  let n = 0;
  list.forEach(([k, from, to], i) => { if (to >= t0 && from <= t1) { hit.push(i); n += k; } });
  if (n > most) return null;
  const fields = what === 'ctas' ? 4 : 5;
  const parts = await Promise.all(hit.map(i => cached(`d${r.at}.${what}.${i}`, b => {
    const get = reader(b), out = new Float64Array(list[i][0] * fields);
    for (let k = 0; k < out.length; k++) out[k] = get();
    return out;
  })));
  const out = [];
  for (const p of parts) for (let k = 0; k < p.length; k += fields) out.push(p.subarray(k, k + fields));
  return out;
}

/* ---- words and numbers ---------------------------------------------------------------------------------------- */
const html = s => String(s).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[c]));
const whole = v => Math.round(v).toString().replace(/\B(?=(\d{3})+$)/g, ' ');
function short(v) {
  const a = Math.abs(v);
  if (!isFinite(v)) return '–';
  if (a < 1e-9) return '0';
  if (a >= 1e9) return +(v / 1e9).toPrecision(4) + ' G';
  if (a >= 1e6) return +(v / 1e6).toPrecision(4) + ' M';
  if (a >= 1e4) return +(v / 1e3).toPrecision(4) + ' k';
  return a >= 100 ? String(Math.round(v)) : String(+v.toPrecision(3));
}
const percent = v => isFinite(v) ? (100 * v).toFixed(1) + ' %' : '–';
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const el = (tag, attr = {}, ...kids) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attr)) {
    if (k === 'text') e.textContent = v; else if (k.startsWith('on')) e.addEventListener(k.slice(2), v); else e.setAttribute(k, v);
  }
  e.append(...kids);
  return e;
};
/* What warps do, grouped: colours of Okabe and Ito and of Tol, told apart by people who see fewer of them; order and numbers
 * tell the same. */
const STALLS = [
  ['issued', 'issued', '#009e73', ['issued']],
  ['select', 'ready, another issued', '#9fdcc5', ['select']],
  ['alu', 'arithmetic: result or pipeline', '#f0e442', ['scoreboard', 'pipe']],
  ['fetch', 'instruction fetch', '#c9c9c9', ['fetch']],
  ['sync', 'barrier, fence, drain', '#7d7d7d', ['barrier', 'fence', 'drain']],
  ['shared', 'shared memory', '#cc79a7', ['shared']],
  ['ldst', 'load/store unit', '#e69f00', ['ldst_queue']],
  ['l1', 'L1 refuses: ways, miss registers, queue', '#d55e00', ['l1_ways', 'l1_mshr', 'l1_merge', 'l1_queue']],
  ['l1lat', 'L1 latency', '#f4b183', ['l1']],
  ['request', 'request network', '#88ccee', ['request']],
  ['l2', 'L2: queue, refusals, latency', '#0072b2', ['l2_queue', 'l2_ways', 'l2_mshr', 'l2_merge', 'l2_miss_queue', 'l2_response', 'l2']],
  ['dramq', 'DRAM queue', '#332288', ['dram_queue', 'dram']],
  ['dram', 'DRAM row and data', '#7a6bd1', ['dram_row', 'dram_bus']],
  ['response', 'response network', '#56b4e9', ['response']],
  ['unfinished', 'unfinished when cut off', '#000000', ['unfinished']],
];
const STAGES = [
  ['latency.l1_queue', 'L1 miss queue', '#d55e00'], ['latency.request', 'request network', '#88ccee'],
  ['latency.l2_delay', 'fixed delay before the L2', '#c9c9c9'], ['latency.l2_queue', 'L2 queue', '#0072b2'],
  ['latency.dram', 'DRAM', '#332288'], ['latency.l2', 'L2', '#009e73'], ['latency.response', 'response network', '#56b4e9'],
];
const CIVIDIS = [[0, 32, 77], [24, 59, 112], [72, 88, 108], [107, 114, 117], [146, 140, 119], [190, 170, 104], [255, 233, 69]];
const DIVERGE = [[33, 102, 172], [103, 169, 207], [209, 229, 240], [247, 247, 247], [253, 219, 199], [239, 138, 98], [178, 24, 43]];
const shades = new Map();
function shade(list, f) {
  const key = list === CIVIDIS ? 0 : 1, k = Math.max(0, Math.min(255, Math.round(f * 255))), id = key * 256 + k;
  let c = shades.get(id);
  if (!c) {
    const x = k / 255 * (list.length - 1), i = Math.min(list.length - 2, Math.floor(x)), d = x - i;
    c = list[i].map((v, j) => Math.round(v + (list[i + 1][j] - v) * d));
    shades.set(id, c);
  }
  return c;
}

/* ---- state: one window for all panels -------------------------------------------------------------------------- */
const longest = Math.max(...runs.map(r => r.length));
const state = { mode: two ? 'side' : '0', t0: 0, t1: longest, hover: null, back: [] };
const panels = [];
let pending = null, drawn = 0;
const shownRuns = () => state.mode === 'side' || state.mode === 'diff' ? runs : [runs[+state.mode]];
function setWindow(t0, t1, keep = true) {
  const least = 8;
  t0 = Math.max(0, Math.min(t0, longest - least)); t1 = Math.min(longest, Math.max(t1, t0 + least));
  if (t0 === state.t0 && t1 === state.t1) return idle();
  if (keep) state.back.push([state.t0, state.t1]);
  state.t0 = t0; state.t1 = t1;
  return refresh();
}
function setMode(m) { state.mode = m; for (const p of panels) p.layout(); return refresh(); }
function setHover(t) {
  state.hover = t;
  for (const p of panels) p.hovered();
  nav.draw();
}
function refresh() {
  header();
  if (!pending) {
    pending = new Promise(done => requestAnimationFrame(async () => {
      pending = null;
      const mine = ++drawn;
      await Promise.all(panels.map(p => p.update().catch(e => { console.error(e); p.fail(e); })));
      nav.draw();
      if (mine === drawn) facts();
      done();
    }));
  }
  return pending;
}
async function idle() { while (pending) await pending; }

/* ---- progress: runs of the same work are compared where they have done as much of it ----------------------------- */
const WORK = 'sm.thread_issued';
async function cumulative(r, t0, t1) {
  const d = await rowsOf(r, r.totals, t0, t1, 4000), w = d.col[r.col[WORK]] || d.col[0], c = new Float64Array(d.n + 1);
  for (let i = 0; i < d.n; i++) c[i + 1] = c[i] + w[i];
  return { ...d, c };
}
async function progress(r) { return r.whole || (r.whole = await cumulative(r, 0, r.length)); }
function place(edges, x) {
  let a = 0, b = edges.length - 1;
  while (a < b) { const m = (a + b) >> 1; if (edges[m] < x) a = m + 1; else b = m; }
  const i = Math.max(1, Math.min(edges.length - 1, a)), w = edges[i] - edges[i - 1];
  return [i - 1, w > 0 ? Math.max(0, Math.min(1, (x - edges[i - 1]) / w)) : 1];
}
async function shareAt(r, t) {
  const p = await progress(r), [i, f] = place(p.t, Math.min(t, r.length)), all = p.c[p.n] || 1;
  return t <= 0 ? 0 : (p.c[i] + f * (p.c[i + 1] - p.c[i])) / all;
}
async function timeAt(r, share) {
  if (share <= 0) return 0;
  if (share >= 1) return r.length;
  const p = await progress(r), [i, f] = place(p.c, share * p.c[p.n]);
  return p.t[i] + f * (p.t[i + 1] - p.t[i]);
}
/* Sums of columns in bins of equal work. */
async function bins(r, g, columns, s0, s1, n) {
  const p = await progress(r), t0 = await timeAt(r, s0), t1 = await timeAt(r, s1);
  const whole = s0 <= 0 && s1 >= 1, d = await rowsOf(r, g, whole ? 0 : t0, whole ? r.length : t1, 4000);
  const edge = [];
  for (let k = 0; k <= n; k++) edge.push(k === 0 && whole ? d.t[0] : k === n && whole ? d.t[d.n] : await timeAt(r, s0 + (s1 - s0) * k / n));
  const out = columns.map(() => new Float64Array(n));
  columns.forEach((c, k) => {
    const v = c == null ? null : d.col[c], cum = new Float64Array(d.n + 1);
    if (!v) return;
    for (let i = 0; i < d.n; i++) cum[i + 1] = cum[i] + v[i];
    const at = x => { const [i, f] = place(d.t, x); return cum[i] + f * (cum[i + 1] - cum[i]); };
    let before = whole ? 0 : at(edge[0]);
    for (let b = 0; b < n; b++) {
      const now = whole && b === n - 1 ? cum[d.n] : at(edge[b + 1]);
      out[k][b] = now - before;
      before = now;
    }
  });
  return { bins: out, edge };
}

/* ---- drawing by hand -------------------------------------------------------------------------------------------- */
const tip = el('div', { class: 'tip', role: 'status' });
function showTip(x, y, text) {
  if (!text) { tip.style.display = 'none'; return; }
  tip.textContent = text;
  tip.style.display = 'block';
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(4, Math.min(innerWidth - w - 4, x + 14)) + 'px';
  tip.style.top = (y + h + 24 > innerHeight ? y - h - 12 : y + 16) + 'px';
}
function prepare(canvas, height) {
  const w = canvas.parentNode.clientWidth || 300, dpr = Math.max(1, window.devicePixelRatio || 1);
  canvas.width = Math.round(w * dpr); canvas.height = Math.round(height * dpr);
  canvas.style.height = height + 'px';
  const c = canvas.getContext('2d');
  c.setTransform(dpr, 0, 0, dpr, 0, 0);
  c.clearRect(0, 0, w, height);
  c.font = '12px system-ui, sans-serif';
  c.textBaseline = 'middle';
  return [c, w, height];
}
function ticks(a, b, most) {
  const span = b - a || 1, raw = span / most, p = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map(m => m * p).find(s => s >= raw), out = [];
  for (let v = Math.ceil(a / step) * step; v <= b + step * 1e-9; v += step) out.push(v);
  return out;
}
const xOf = (w, t) => LEFT + (t - state.t0) / (state.t1 - state.t0) * (w - LEFT - RIGHT);
const tOf = (w, x) => state.t0 + (x - LEFT) / (w - LEFT - RIGHT) * (state.t1 - state.t0);
function timeAxis(c, w, h, top = 0) {
  c.fillStyle = css('--soft'); c.strokeStyle = css('--grid'); c.textAlign = 'center'; c.lineWidth = 1;
  for (const t of ticks(state.t0, state.t1, Math.max(2, w / 130))) {
    const x = Math.round(xOf(w, t)) + .5;
    c.beginPath(); c.moveTo(x, top); c.lineTo(x, h - 18); c.stroke();
    c.fillText(cycles(t), Math.min(w - 24, x), h - 8);
  }
}
const cycles = t => state.t1 - state.t0 < 20000 && t >= 1e4 ? whole(t) : short(t);
function shareAxis(c, w, h, s0, s1) {
  c.fillStyle = css('--soft'); c.strokeStyle = css('--grid'); c.textAlign = 'center';
  for (const s of ticks(100 * s0, 100 * s1, Math.max(2, w / 130))) {
    const x = Math.round(LEFT + (s / 100 - s0) / (s1 - s0) * (w - LEFT - RIGHT)) + .5;
    c.beginPath(); c.moveTo(x, 0); c.lineTo(x, h - 18); c.stroke();
    c.fillText(+s.toPrecision(4) + ' %', Math.min(w - 24, x), h - 8);
  }
}
/* Drag selects a window, a double click or double tap goes back to all of it. */
function selectable(canvas, at = x => tOf(canvas.clientWidth, x), over = null) {
  let from = null, box = null;
  const place = e => e.clientX - canvas.getBoundingClientRect().left;
  canvas.addEventListener('pointerdown', e => {
    if (e.button) return;
    from = place(e);
    box = el('div', { style: 'position:absolute;top:0;bottom:0;background:var(--shade);border:1px solid var(--accent);pointer-events:none;z-index:4' });
    canvas.parentNode.append(box);
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', e => {
    const x = place(e);
    if (from !== null) {
      box.style.left = canvas.offsetLeft + Math.min(from, x) + 'px';
      box.style.width = Math.abs(x - from) + 'px';
    } else if (state.mode !== 'diff' && canvas.id !== 'nav') setHover(x < LEFT ? null : at(x));
    if (over) over(e, x);
  });
  const end = e => {
    if (from === null) return;
    const x = place(e), a = at(Math.min(from, x)), b = at(Math.max(from, x));
    const far = Math.abs(x - from) > 4;
    from = null; box.remove();
    if (far) setWindow(a, b);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', () => { from = null; if (box) box.remove(); });
  canvas.addEventListener('pointerleave', () => { if (from === null) { setHover(null); showTip(); } });
  canvas.addEventListener('dblclick', () => setWindow(0, longest));
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */
class Panel {
  constructor(id, title, hint, half) {
    this.id = id;
    this.tools = el('div', { class: 'bar' });
    this.plots = el('div', { class: 'plots' });
    this.legend = el('div', { class: 'legend' });
    this.table = el('tbody');
    this.head = el('thead');
    this.numbers = el('details', { class: 'numbers' }, el('summary', { text: 'Numbers' }), el('div', { class: 'scroll' }, el('table', { class: 'sums' }, this.head, this.table)));
    this.root = el('section', { class: 'panel' + (half ? ' half' : ''), id: 'p-' + id }, el('header', {}, el('h2', { text: title }), this.tools),
      el('p', { class: 'hint', text: hint }), this.plots, this.legend, this.numbers);
    this.seen = 0;
    panels.push(this);
  }
  layout() {
    this.drop();
    this.plots.replaceChildren();
    this.legend.replaceChildren();
    this.plot = (state.mode === 'diff' && this.oneDiff !== false ? [null] : shownRuns()).map(r => {
      const box = el('div', { class: 'plot' });
      if (two && r) box.append(el('span', { class: 'tag r' + r.at, text: r.letter }));
      this.plots.append(box);
      return { run: r, box };
    });
    for (const p of this.plot) this.make(p);
  }
  drop() { for (const p of this.plot || []) if (p.graph) p.graph.destroy(); this.plot = []; }
  make() {}
  async update() {
    const mine = ++this.seen, draw = [];
    if (state.mode === 'diff' && this.oneDiff !== false) {
      const s0 = await shareAt(runs[0], state.t0), s1 = await shareAt(runs[0], Math.min(state.t1, runs[0].length));
      draw.push(await this.difference(this.plot[0], s0, Math.max(s1, s0 + 1e-9)));
    } else draw.push(...await Promise.all(this.plot.map(p => this.load(p, p.run))));
    if (mine !== this.seen) return;
    for (const d of draw) if (d) d();
    this.hovered();
  }
  async difference() {}
  hovered() {}
  fail(e) { this.plots.replaceChildren(el('div', { class: 'empty', text: 'This panel cannot be drawn: ' + e.message })); }
  missing(p, text) {
    return () => { if (p.graph) { p.graph.destroy(); p.graph = null; } p.box.querySelectorAll('.graph, canvas, .empty').forEach(e => e.remove()); const d = el('div', { class: 'empty' }); d.innerHTML = text; p.box.append(d); };
  }
  /* Sums over the window beside the run's own statistics: [name, sum, run]. */
  sums(lines) {
    const full = state.t0 <= 0 && state.t1 >= longest;
    const byName = new Map();
    for (const [name, v, r] of lines) { if (!byName.has(name)) byName.set(name, []); byName.get(name)[r.at] = v; }
    const some = shownRuns();
    this.head.innerHTML = '<tr><th>statistic</th>' + some.map(r => `<th>${two ? r.letter + ' ' : ''}window</th><th>${two ? r.letter + ' ' : ''}run</th>`).join('') + (state.mode === 'diff' ? '<th>B − A</th>' : '') + '</tr>';
    this.table.innerHTML = [...byName].map(([name, v]) => '<tr>' + `<td>${html(name)}</td>` + some.map(r => {
      const w = v[r.at] ?? 0, t = r.stats[name], good = t === undefined || !full || w === t;
      return `<td data-panel="${this.id}" data-stat="${html(name)}" data-run="${r.at}" data-sum="${w}">${whole(w)}</td>` +
        `<td data-total="${t ?? ''}" class="${t === undefined || !full ? '' : good ? 'ok' : 'bad'}">${t === undefined ? '' : whole(t)}</td>`;
    }).join('') + (state.mode === 'diff' ? `<td>${whole((v[1] ?? 0) - (v[0] ?? 0))}</td>` : '') + '</tr>').join('');
  }
}
const record = 'run with <code>--timeline FILE</code> and view that file';
const notRecorded = (r, what) => `${what} ${r.form === 'timeline' ? 'were not recorded here' : `are not in this ${r.form === 'point' ? 'point of a database' : 'JSON result'}`}: ${record}.`;

/* Lines or stacked areas over time, by dygraphs. */
class Chart extends Panel {
  constructor(id, title, hint, o) { super(id, title, hint, o.half); this.o = o; }
  series() { return typeof this.o.series === 'function' ? this.o.series() : this.o.series; }
  make(p) {
    if (state.mode === 'diff') { p.canvas = el('canvas', { class: 'own', tabindex: 0 }); p.box.append(p.canvas); return; }
    p.div = el('div', { class: 'graph' + (this.o.tall ? ' tall' : '') });
    p.box.append(p.div);
  }
  async load(p, r) {
    const d = await rowsOf(r, r.totals, state.t0, state.t1, 1000);
    const S = this.series(), cols = n => d.col[r.col[n]];
    const v = S.map(s => s.value(cols, d));
    p.data = { t: d.t, n: d.n, v, S };
    this.part(p, r, d);
    return () => {
      if (!d.n && p.graph) return;
      const rows = [], stack = this.o.stack, order = S.map((_, k) => stack ? S.length - 1 - k : k);
      for (let i = 0; i < d.n; i++) rows.push([d.t[i], ...order.map(k => v[k] ? v[k][i] : null)]);
      if (d.n) rows.push([d.t[d.n], ...order.map(k => v[k] ? v[k][d.n - 1] : null)]);
      if (!rows.length) rows.push([0, ...order.map(() => 0)], [1, ...order.map(() => 0)]);
      this.top = Math.max(...this.plot.map(q => q.data ? this.most(q.data) : 0), 1e-9);
      const options = { file: rows, dateWindow: [state.t0, state.t1], labels: ['cycle', ...order.map(k => S[k].label)], colors: order.map(k => S[k].color),
        valueRange: [0, this.o.max || this.top * 1.06], pointSize: 3 };
      if (p.graph) { p.graph.updateOptions(options); return; }
      p.graph = new Dygraph(p.div, rows, { ...options, stackedGraph: !!stack, fillGraph: !!stack, fillAlpha: stack ? .92 : 0, stepPlot: true, strokeWidth: stack ? .4 : 1.6,
        labelsDiv: el('div'), legend: 'never', connectSeparatedPoints: true, animatedZooms: false, rightGap: RIGHT, yRangePad: 0, gridLineColor: css('--grid'), axisLineColor: css('--line'), highlightCircleSize: stack ? 0 : 3,
        axes: { x: { axisLabelFormatter: t => cycles(t), valueFormatter: cycles, pixelsPerLabel: 110, axisLabelWidth: 80 }, y: { axisLabelWidth: LEFT - 8, axisTickSize: 3, axisLabelFormatter: x => this.o.percent ? Math.round(100 * x) + ' %' : short(x) } },
        zoomCallback: (a, b) => setWindow(a, b),
        highlightCallback: (e, x) => { if (!this.own) setHover(p.graph.toDataXCoord(e.offsetX ?? 0)); }, unhighlightCallback: () => setHover(null),
        interactionModel: { ...Dygraph.defaultInteractionModel, dblclick: () => setWindow(0, longest) },
        underlayCallback: (c, area, g) => this.launches(c, area, g, r) });
    };
  }
  most(d) {
    let m = 0;
    for (let i = 0; i < d.n; i++) { let s = 0; for (const v of d.v) { if (!v) continue; s = this.o.stack ? s + v[i] : Math.max(s, v[i] || 0); } m = Math.max(m, s); }
    return m;
  }
  launches(c, area, g, r) {
    if (r.launches.length > 400) return;
    c.strokeStyle = css('--soft'); c.setLineDash([2, 3]); c.globalAlpha = .5;
    for (const l of r.launches) { const x = g.toDomXCoord(l.begin); if (l.begin > state.t0 && l.begin < state.t1) { c.beginPath(); c.moveTo(x, area.y); c.lineTo(x, area.y + area.h); c.stroke(); } }
    c.setLineDash([]); c.globalAlpha = 1;
  }
  part(p, r, d) {
    p.all = n => r.col[n] === undefined ? 0 : sum(d.col[r.col[n]]);
    p.sums = this.o.sums.filter(n => r.col[n] !== undefined).map(n => [n, sum(d.col[r.col[n]]), r]);
    this.sums([].concat(...this.plot.map(q => q.sums || [])));
  }
  async difference(p, s0, s1) {
    const n = Math.max(20, Math.min(160, Math.floor(p.box.clientWidth / 8))), S = this.series();
    const got = await Promise.all(runs.map(r => bins(r, r.totals, r.totals.columns.map((_, k) => k), s0, s1, n)));
    const v = runs.map((r, i) => { const d = { col: got[i].bins, n }; return S.map(s => s.value(name => got[i].bins[r.col[name]], d, true)); });
    p.sums = [].concat(...runs.map((r, i) => this.o.sums.filter(k => r.col[k] !== undefined).map(k => [k, sum(got[i].bins[r.col[k]]), r])));
    const D = S.map((s, k) => Float64Array.from({ length: n }, (_, b) => (v[1][k] ? v[1][k][b] : 0) - (v[0][k] ? v[0][k][b] : 0)));
    p.data = { D, S, v };
    return () => {
      this.sums(p.sums.map(([k, x, r]) => [k, Math.round(x), r]));
      const [c, w, h] = prepare(p.canvas, this.o.tall ? 280 : 210), plotH = h - 22;
      let up = 0, down = 0;
      for (let b = 0; b < n; b++) { let u = 0, l = 0; for (const x of D) { if (this.o.stack) { if (x[b] > 0) u += x[b]; else l += x[b]; } else { u = Math.max(u, x[b]); l = Math.min(l, x[b]); } } up = Math.max(up, u); down = Math.min(down, l); }
      if (up - down < 1e-12) up = 1;
      const y = x => 6 + (up - x) / (up - down) * (plotH - 12), bw = (w - LEFT - RIGHT) / n;
      shareAxis(c, w, h, s0, s1);
      c.textAlign = 'right'; c.fillStyle = css('--soft');
      for (const t of ticks(down, up, 5)) c.fillText((t > 0 ? '+' : '') + short(t), LEFT - 6, y(t));
      if (this.o.stack) for (let b = 0; b < n; b++) {
        let u = 0, l = 0;
        D.forEach((x, k) => { const a = x[b]; if (!a) return; const from = a > 0 ? u : l; if (a > 0) u += a; else l += a;
          c.fillStyle = S[k].color; c.fillRect(LEFT + b * bw, Math.min(y(from), y(from + a)), Math.max(.8, bw - .6), Math.abs(y(from) - y(from + a))); });
      } else D.forEach((x, k) => { c.strokeStyle = S[k].color; c.lineWidth = 1.8; c.beginPath(); for (let b = 0; b < n; b++) { c.lineTo(LEFT + b * bw, y(x[b])); c.lineTo(LEFT + (b + 1) * bw, y(x[b])); } c.stroke(); });
      c.strokeStyle = css('--ink'); c.lineWidth = 1; c.beginPath(); c.moveTo(LEFT, y(0)); c.lineTo(w - RIGHT, y(0)); c.stroke();
      this.legend.replaceChildren(...S.map((s, k) => [s, sum(D[k]) / n]).filter(([s, x]) => !this.o.stack || Math.abs(x) > 1e-9).map(([s, x]) => this.item(s, (x > 0 ? '+' : '') + this.text(x))));
    };
  }
  text(x) { return this.o.percent ? percent(x) : short(x); }
  item(s, value) { return el('span', { class: 'item', title: s.title || '' }, el('span', { class: 'sw', style: `background:${s.color}` }), el('span', { text: s.label }), el('span', { class: 'val', text: value })); }
  /* Beside the names: values at the pointer, or means over the window. */
  hovered() {
    if (state.mode === 'diff') return;
    const kids = [];
    for (const p of this.plot) {
      if (!p.data) continue;
      const { t, n, v, S } = p.data, at = state.hover === null ? -1 : place(t, state.hover)[0], all = t[n] - t[0] || 1;
      const items = S.map((s, k) => {
        if (!v[k]) return null;
        let x = 0;
        if (at >= 0) x = at < n ? v[k][at] : NaN; else if (s.mean) x = s.mean(p); else { for (let i = 0; i < n; i++) x += v[k][i] * (t[i + 1] - t[i]); x /= all; }
        return x === 0 && at < 0 && this.o.stack ? null : this.item(s, this.text(x));
      }).filter(Boolean);
      kids.push(el('div', { class: 'run' }, ...(two && state.mode === 'side' ? [el('span', { class: 'run-tag r' + p.run.at }, el('b', { text: p.run.letter }))] : []), ...items));
      if (p.graph && at >= 0 && state.hover >= t[0] && state.hover <= t[n]) { this.own = true; p.graph.setSelection(at); this.own = false; } else if (p.graph) { this.own = true; p.graph.clearSelection(); this.own = false; }
    }
    this.legend.replaceChildren(...kids);
  }
}
const per = (name, by) => (col, d) => { const a = col(name), b = by(col, d); return a && b ? a.map((x, i) => b[i] ? x / b[i] : 0) : null; };
const cyclesOf = (col, d) => d.col[0];
const allOf = names => col => { const v = names.map(col).filter(Boolean); return v.length ? v[0].map((_, i) => { let s = 0; for (const x of v) s += x[i]; return s; }) : null; };

const PARTS = [['issue', 'issue', '#0072b2'], ['registers', 'registers', '#56b4e9'], ['execution', 'execution', '#009e73'], ['shared', 'shared memory', '#8fd3a8'], ['l1d', 'L1', '#f0e442'], ['read_only', 'read-only caches', '#c9b458'], ['network', 'network', '#e69f00'], ['l2', 'L2', '#d55e00'], ['tech', 'techniques', '#7a3b00'],
  ['controllers', 'controllers', '#cc79a7'], ['interface', 'DRAM interface', '#b05a8a'], ['dram', 'DRAM', '#882255'], ['sm_static', 'SMs, static', '#999999'], ['rest', 'rest', '#555555']];

/* A picture on a canvas over the same window. */
class Picture extends Panel {
  make(p) {
    p.canvas = el('canvas', { class: 'own', tabindex: 0, 'aria-label': this.id });
    p.box.append(p.canvas);
    if (this.inTime !== false) selectable(p.canvas, undefined, (e, x) => this.over && this.over(p, e, x));
    else { p.canvas.addEventListener('pointermove', e => this.over && this.over(p, e, e.offsetX)); p.canvas.addEventListener('pointerleave', () => showTip()); }
  }
  crosshair(p) {
    if (!p.line) { p.line = el('div', { style: 'position:absolute;top:0;width:1px;background:var(--ink);opacity:.55;pointer-events:none;display:none' }); p.box.append(p.line); }
    const x = state.hover === null ? -1 : xOf(p.box.clientWidth, state.hover);
    p.line.style.display = x >= LEFT && state.mode !== 'diff' ? 'block' : 'none';
    p.line.style.left = x + 'px'; p.line.style.height = (p.canvas.clientHeight - 18) + 'px';
  }
  hovered() { if (this.inTime !== false) for (const p of this.plot) if (p.canvas && p.canvas.isConnected) this.crosshair(p); }
}

class Ctas extends Picture {
  constructor() { super('ctas', 'Kernels, and CTAs on SMs', 'A band for each launch; below, a row for each SM with the CTAs it holds. Far out, the shade is the resident warps. Drag to zoom.'); this.oneDiff = false; }
  async load(p, r) {
    const u = r.unit('sm', 'sm.warp_cycles'), sms = u ? u.units : +r.config['gpu.sms'] || 1;
    const list = r.ctas.length ? await eventsOf(r, 'ctas', state.t0, state.t1, 12000) : [];
    const heat = !list && u ? await rowsOf(r, u, state.t0, state.t1, p.box.clientWidth) : null;
    const inWindow = (list || []).filter(e => e[2] + e[3] >= state.t0 && e[2] <= state.t1);
    const totalRows = await rowsOf(r, r.totals, state.t0, state.t1, 1000), has = r.col['sm.ctas'] !== undefined;
    p.sums = has ? [['sm.ctas', sum(totalRows.col[r.col['sm.ctas']]), r]] : [];
    p.n = r.ctas.reduce((a, c) => a + c[0], 0);
    return () => {
      const row = Math.max(4, Math.min(16, Math.floor(330 / sms))), top = 30, [c, w, h] = prepare(p.canvas, top + sms * row + 20);
      timeAxis(c, w, h, 0);
      const colors = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999933', '#882255'], names = [...new Set(r.launches.map(l => l.kernel))];
      const color = l => colors[names.indexOf(l.kernel) % colors.length];
      c.save(); c.beginPath(); c.rect(LEFT, 0, w - LEFT - RIGHT, h); c.clip();
      r.launches.forEach((l, i) => {
        const a = xOf(w, l.begin), b = xOf(w, l.begin + l.cycles);
        if (b < LEFT || a > w) return;
        c.fillStyle = color(l); c.fillRect(a, 4, Math.max(1, b - a - 1), 20);
        if (b - a > 40) { c.save(); c.beginPath(); c.rect(a, 0, b - a - 4, 26); c.clip(); c.fillStyle = '#fff'; c.textAlign = 'left'; c.font = '600 12px system-ui, sans-serif'; c.shadowColor = '#000'; c.shadowBlur = 3; c.fillText(l.kernel, Math.max(a, LEFT) + 5, 14); c.restore(); }
      });
      if (list) {
        const slots = Array.from({ length: sms }, () => []);
        inWindow.sort((x, y) => x[2] - y[2]);
        for (const e of inWindow) { const s = slots[e[0]]; if (!s) continue; let k = s.findIndex(end => end <= e[2]); if (k < 0) k = s.push(0) - 1; s[k] = e[2] + e[3]; e.slot = k; }
        const most = Math.max(1, ...slots.map(s => s.length));
        for (const e of inWindow) {
          const a = xOf(w, e[2]), b = xOf(w, e[2] + e[3]), hh = (row - 1) / most, l = r.launches.find(k => e[2] >= k.begin && e[2] < k.begin + Math.max(1, k.cycles)) || r.launches[0];
          c.fillStyle = color(l); c.globalAlpha = .45 + .5 * ((e[1] * 7) % 5) / 5;
          c.fillRect(a, top + e[0] * row + e.slot * hh, Math.max(.7, b - a - .4), Math.max(.6, hh - (hh > 3 ? .5 : 0)));
        }
        c.globalAlpha = 1;
      } else if (heat) {
        const full = (+r.config['sm.threads'] || 2048) / (+r.config['front.warp_width'] || 32);
        for (let s = 0; s < sms; s++) for (let i = 0; i < heat.n; i++) {
          const a = xOf(w, heat.t[i]), b = xOf(w, heat.t[i + 1]), f = heat.col[1 + s][i] / ((heat.t[i + 1] - heat.t[i]) * full || 1);
          c.fillStyle = `rgb(${shade(CIVIDIS, f)})`; c.fillRect(a, top + s * row, b - a + .5, row - .5);
        }
      }
      c.restore();
      c.fillStyle = css('--soft'); c.textAlign = 'right';
      c.fillText('kernel', LEFT - 6, 14);
      const step = Math.ceil(14 / row);
      for (let s = 0; s < sms; s += step * (step > 1 ? 2 : 1)) c.fillText('SM ' + s, LEFT - 6, top + s * row + row / 2);
      p.geo = { top, row, sms, list: inWindow };
      this.sums([].concat(...this.plot.map(q => q.sums || [])));
      const kids = this.plot.map(q => el('span', { class: 'item' }, el('span', { class: 'val', text: `${two ? q.run.letter + ': ' : ''}${whole(q.n || 0)} CTAs in ${q.run.launches.length} launch${q.run.launches.length > 1 ? 'es' : ''}` })));
      if (!list) kids.push(el('span', { class: 'item' }, el('span', { class: 'val', text: 'too many CTAs here to draw each: zoom in' })));
      if (!r.ctas.length && !heat) kids.push(el('span', { class: 'item', text: 'CTAs were not recorded (--timeline FILE does)' }));
      this.legend.replaceChildren(...kids);
    };
  }
  over(p, e, x) {
    const g = p.geo, y = e.offsetY;
    if (!g) return;
    const t = tOf(p.box.clientWidth, x), l = p.run.launches.find(k => t >= k.begin && t < k.begin + k.cycles);
    let text = l ? `${l.kernel}\ngrid ${l.grid.join(' × ')}, block ${l.block.join(' × ')}\n${whole(l.cycles)} cycles from ${whole(l.begin)}` : '';
    if (y > g.top) {
      const sm = Math.floor((y - g.top) / g.row), on = g.list.filter(c => c[0] === sm && c[2] <= t && c[2] + c[3] >= t);
      text = sm < g.sms ? `SM ${sm}, cycle ${whole(t)}\n${on.length} CTA${on.length === 1 ? '' : 's'}${on.length ? ': ' + on.slice(0, 8).map(c => c[1]).join(', ') : ''}` : '';
    }
    showTip(e.clientX, e.clientY, text);
  }
}

const HEAT = [
  ['sm', 'occupancy', 'SM: resident warps', 'sm.warp_cycles', (r) => ({ per: (+r.config['sm.threads'] || 2048) / (+r.config['front.warp_width'] || 32), unit: '%' })],
  ['sm', 'issue', 'SM: instructions issued', 'sm.issued', r => ({ per: (+r.config['sm.schedulers'] || 1) * (+r.config['sm.issue_width'] || 1), unit: '%' })],
  ['sm', 'l1hits', 'SM: L1 hits', ['l1d.hits', 'l1d.accesses']],
  ['sm', 'l1ref', 'SM: L1 refuses', 'l1.refused_cycles', () => ({ per: 1, unit: '%' })],
  ['sm', 'shared', 'SM: shared memory busy', 'sm.shared_cycles', () => ({ per: 1, unit: '%' })],
  ['l2', 'l2acc', 'L2 slice: accesses', 'l2.accesses', r => ({ per: (+r.config['gpu.l2_mhz'] || 1) / (+r.config['gpu.core_mhz'] || 1), unit: '%' })],
  ['l2', 'l2hits', 'L2 slice: hits', ['l2.hits', 'l2.accesses']],
  ['l2', 'l2q', 'L2 slice: requests waiting', 'l2.wait_cycles', r => ({ per: (+r.config['gpu.l2_mhz'] || 1) / (+r.config['gpu.core_mhz'] || 1), unit: 'requests' })],
  ['dram', 'bus', 'channel: data bus', 'dram.bus_cycles', r => ({ per: (+r.config['gpu.dram_mhz'] || 1) / (+r.config['gpu.core_mhz'] || 1) * (+r.config['dram.controllers'] || 1), unit: '%' })],
  ['dram', 'queue', 'channel: queue', 'dram.queue_cycles', r => ({ per: (+r.config['gpu.dram_mhz'] || 1) / (+r.config['gpu.core_mhz'] || 1), unit: 'requests' })],
  ['dram', 'rows', 'channel: row hits', ['dram.row_hits', 'dram.row_hits', 'dram.row_misses', 'dram.row_conflicts']],
  ['bank', 'cols', 'bank: column commands', 'bank.columns', r => ({ per: (+r.config['gpu.dram_mhz'] || 1) / (+r.config['gpu.core_mhz'] || 1), unit: 'per DRAM cycle' })],
  ['bank', 'acts', 'bank: activates', 'bank.activates', r => ({ per: (+r.config['gpu.dram_mhz'] || 1) / (+r.config['gpu.core_mhz'] || 1), unit: 'per DRAM cycle' })],
];
class Heat extends Picture {
  constructor() {
    super('heat', 'Each unit over time', 'A row for each SM, L2 slice, memory channel or bank; dark is little, bright is much. Uneven rows are imbalance; bright columns are phases.');
    this.pick = el('select', { 'aria-label': 'what the heat map shows', onchange: () => refresh() });
    const own = runs[0].units.filter(u => u.kind !== 'bucket' && !HEAT.some(h => [].concat(h[3]).includes(u.stat)));
    for (const u of own) HEAT.push([u.kind, u.kind + '-' + u.stat, `${u.kind}: ${u.stat}`, u.stat, () => ({ per: 1, unit: 'per cycle' })]);
    for (const h of HEAT) if (runs.some(r => r.unit(h[0], [].concat(h[3])[0]))) this.pick.append(el('option', { value: h[1], text: h[2] }));
    this.scale = el('span', { class: 'scale' });
    if (this.pick.options.length) this.tools.append(this.scale, this.pick);
  }
  what() { return HEAT.find(h => h[1] === this.pick.value) || HEAT[0]; }
  values(h, r, cols, dur) {
    const many = Array.isArray(h[3]);
    if (many) return cols[0].map((v, i) => { let b = 0; for (const x of cols.slice(1)) b += x[i]; return b ? v / b : NaN; });
    const k = h[4](r).per;
    return cols[0].map((v, i) => dur[i] ? v / (dur[i] * k) : 0);
  }
  async load(p, r) {
    const h = this.what(), names = [].concat(h[3]), groups = names.map(n => r.unit(h[0], n));
    if (!groups[0]) return this.missing(p, notRecorded(r, 'Units'));
    const most = Math.max(100, Math.min(1200, p.box.clientWidth - LEFT - RIGHT));
    const d = await Promise.all(groups.map(g => g ? rowsOf(r, g, state.t0, state.t1, most) : null));
    const units = groups[0].units, v = [];
    for (let u = 0; u < units; u++) v.push(this.values(h, r, d.map(x => x ? x.col[1 + u] : null).filter(Boolean), d[0].col[0]));
    p.sums = [...new Set(names)].filter(n => r.unit(h[0], n)).map(n => { const k = names.indexOf(n); let s = 0; for (let u = 0; u < units; u++) s += sum(d[k].col[1 + u]); return [n, s, r]; });
    p.heat = { t: d[0].t, n: d[0].n, v, units, h };
    return () => this.paint(p, r, false);
  }
  async difference(p, s0, s1) {
    const h = this.what(), names = [].concat(h[3]);
    if (!runs.every(r => r.unit(h[0], names[0]))) return this.missing(p, notRecorded(runs.find(r => !r.unit(h[0], names[0])), 'Units'));
    const units = Math.min(...runs.map(r => r.unit(h[0], names[0]).units)), n = Math.max(40, Math.min(160, Math.floor(p.box.clientWidth / 8)));
    const all = await Promise.all(runs.map(r => Promise.all(names.map(k => bins(r, r.unit(h[0], k), Array.from({ length: units + 1 }, (_, i) => i), s0, s1, n)))));
    const v = runs.map((r, i) => Array.from({ length: units }, (_, u) => this.values(h, r, all[i].map(b => b.bins[1 + u]), all[i][0].bins[0])));
    p.sums = [].concat(...runs.map((r, i) => [...new Set(names)].map(k => { let s = 0; for (let u = 0; u < units; u++) s += sum(all[i][names.indexOf(k)].bins[1 + u]); return [k, Math.round(s), r]; })));
    p.heat = { t: Float64Array.from({ length: n + 1 }, (_, k) => k), n, v: v[0].map((row, u) => row.map((x, i) => v[1][u][i] - x)), units, h, s0, s1 };
    return () => this.paint(p, runs[0], true);
  }
  paint(p, r, diff) {
    const { t, n, v, units, h, s0, s1 } = p.heat, row = Math.max(2, Math.min(15, Math.floor(360 / units)));
    const [c, w, hh] = prepare(p.canvas, units * row + 24);
    const share = Array.isArray(h[3]) || h[4](r).unit === '%';
    if (diff) shareAxis(c, w, hh, s0, s1); else timeAxis(c, w, hh);
    const same = diff ? [p] : this.plot.filter(q => q.heat);
    let top = diff ? 0 : share ? 1 : 0;
    if (diff || !share) for (const q of same) for (const line of q.heat.v) for (const x of line) if (isFinite(x)) top = Math.max(top, Math.abs(x));
    top = top || 1;
    const x0 = i => diff ? LEFT + t[i] / n * (w - LEFT - RIGHT) : xOf(w, t[i]);
    c.save(); c.beginPath(); c.rect(LEFT, 0, w - LEFT - RIGHT, hh); c.clip();
    const image = c.createImageData(Math.max(1, n), units);
    let even = n > 0;
    for (let u = 0; u < units; u++) for (let i = 0; i < n; i++) {
      const x = v[u][i], k = (u * n + i) * 4, rgb = isFinite(x) ? shade(diff ? DIVERGE : CIVIDIS, diff ? .5 + x / top / 2 : x / top) : null;
      if (rgb) { image.data[k] = rgb[0]; image.data[k + 1] = rgb[1]; image.data[k + 2] = rgb[2]; image.data[k + 3] = 255; }
    }
    if (even) {
      const off = document.createElement('canvas');
      off.width = n; off.height = units; off.getContext('2d').putImageData(image, 0, 0);
      c.imageSmoothingEnabled = false;
      for (let i = 0; i < n; i++) c.drawImage(off, i, 0, 1, units, x0(i), 0, x0(i + 1) - x0(i) + .6, units * row);
    }
    c.restore();
    c.fillStyle = css('--soft'); c.textAlign = 'right';
    const label = { sm: 'SM', l2: 'slice', dram: 'ch.', bank: 'bank' }[h[0]], step = Math.max(1, Math.ceil(26 / row));
    for (let u = 0; u < units; u += step) c.fillText(`${label} ${u}`, LEFT - 6, u * row + Math.max(7, row / 2));
    p.geo = { row, top, share, diff };
    this.sums([].concat(...this.plot.map(q => q.sums || [])));
    const k = el('canvas', { width: 130, height: 10 }), kc = k.getContext('2d');
    for (let i = 0; i < 130; i++) { kc.fillStyle = `rgb(${shade(diff ? DIVERGE : CIVIDIS, i / 129)})`; kc.fillRect(i, 0, 1, 10); }
    const say = x => share ? Math.round(100 * x) + ' %' : short(x);
    this.scale.replaceChildren(el('span', { text: diff ? '−' + say(top) : '0' }), k, el('span', { text: (diff ? '+' : '') + say(top) + (share ? '' : ' ' + h[4](r).unit) }));
  }
  over(p, e, x) {
    const g = p.heat, u = p.geo ? Math.floor(e.offsetY / p.geo.row) : -1;
    if (!g || u < 0 || u >= g.units || x < LEFT) return showTip();
    const w = p.box.clientWidth, at = g.s0 !== undefined ? (x - LEFT) / (w - LEFT - RIGHT) * g.n : tOf(w, x), i = place(g.t, at)[0], val = g.v[u][i];
    showTip(e.clientX, e.clientY, `${g.h[2].replace(':', ' ' + u + ':')}\n${isFinite(val) ? (p.geo.share ? percent(val) : short(val) + ' ' + g.h[4](p.run || runs[0]).unit) : 'no accesses'}${p.geo.diff ? ' (B − A)' : ` in cycles ${whole(g.t[i])}–${whole(g.t[i + 1])}`}`);
  }
}

class Commands extends Picture {
  constructor() {
    super('commands', 'DRAM commands', 'A row for each bank of a channel: rows open from ACT to PRE, and each command. Recorded one by one only in a window of each launch (--timeline-detail FROM-TO).');
    this.oneDiff = false;
    this.pick = el('select', { 'aria-label': 'memory channel', onchange: () => refresh() });
    for (let i = 0; i < Math.max(...runs.map(r => r.channels)); i++) this.pick.append(el('option', { value: i, text: 'channel ' + i }));
    this.go = el('button', { id: 'go-detail', text: 'Go to the recorded window', onclick: () => { const r = shownRuns()[0], c = r.commands; if (c.length) setWindow(Math.max(0, c[0][1] - 2), Math.min(c[0][2] + 2, c[0][1] + 1500)); } });
    if (runs.some(r => r.commands.length)) this.tools.append(this.pick, this.go);
    this.color = { ACT: '#e69f00', PRE: '#8a8a8a', PREA: '#8a8a8a', RD: '#0072b2', RDA: '#0072b2', WR: '#009e73', WRA: '#009e73', REF: '#cc79a7', REFPB: '#cc79a7' };
  }
  async load(p, r) {
    if (!r.commands.length) return this.missing(p, r.form === 'timeline' ? 'No DRAM commands were recorded: nothing reached the DRAM in the window, or <code>--timeline-detail</code> was none.' : notRecorded(r, 'DRAM commands'));
    const list = await eventsOf(r, 'commands', state.t0, state.t1, 400000), ch = +this.pick.value || 0;
    const mine = (list || []).filter(e => e[0] === ch && e[4] / r.tickCore >= state.t0 - 300 && e[4] / r.tickCore <= state.t1);
    p.counts = {};
    for (const e of mine) if (e[4] / r.tickCore >= state.t0) { const n = r.commandNames[e[2]]; p.counts[n] = (p.counts[n] || 0) + 1; }
    return () => {
      const row = Math.max(7, Math.min(15, Math.floor(330 / (r.banks || 1)))), [c, w, h] = prepare(p.canvas, (r.banks || 1) * row + 24);
      timeAxis(c, w, h);
      c.save(); c.beginPath(); c.rect(LEFT, 0, w - LEFT - RIGHT, h - 18); c.clip();
      const open = new Map(), px = (w - LEFT - RIGHT) / (state.t1 - state.t0), cyc = r.tickDram / r.tickCore;
      const bar = (b, from, to, rowNumber) => { c.fillStyle = rowNumber % 2 ? 'rgba(230,159,0,.28)' : 'rgba(230,159,0,.16)'; c.fillRect(xOf(w, from), b * row + 1, Math.max(.5, (to - from) * px), row - 2); };
      const sorted = mine.slice().sort((a, b) => a[4] - b[4]);
      for (const e of sorted) {
        const t = e[4] / r.tickCore, n = r.commandNames[e[2]];
        if (n === 'ACT') open.set(e[1], [t, e[3]]);
        if (n === 'PRE' && open.has(e[1])) { const [from, k] = open.get(e[1]); bar(e[1], from, t, k); open.delete(e[1]); }
        if (n === 'PREA') { for (const [b, [from, k]] of open) bar(b, from, t, k); open.clear(); }
      }
      for (const [b, [from, k]] of open) bar(b, from, state.t1, k);
      for (const e of sorted) {
        const t = e[4] / r.tickCore, n = r.commandNames[e[2]];
        c.fillStyle = this.color[n] || '#000';
        const x = xOf(w, t), wide = Math.max(1.2, cyc * px * .9);
        if (n === 'RD' || n === 'WR' || n === 'RDA' || n === 'WRA') c.fillRect(x, e[1] * row + 2, wide, row - 4); else c.fillRect(x, e[1] * row + 1, Math.max(1.6, wide * .7), row - 2);
        if (cyc * px > 26) { c.fillStyle = css('--ink'); c.textAlign = 'left'; c.fillText(n, x + wide + 2, e[1] * row + row / 2); }
      }
      c.restore();
      c.fillStyle = css('--soft'); c.textAlign = 'right';
      const step = Math.max(1, Math.ceil(14 / row));
      for (let b = 0; b < r.banks; b += step) c.fillText('bank ' + b, LEFT - 6, b * row + row / 2);
      p.geo = { row, list: sorted };
      const kids = this.plot.map(q => el('div', { class: 'run' }, ...(two ? [el('span', { class: 'run-tag r' + q.run.at }, el('b', { text: q.run.letter }))] : []),
        ...Object.entries(q.counts || {}).map(([n, k]) => el('span', { class: 'item', 'data-command': n, 'data-count': k }, el('span', { class: 'sw', style: `background:${this.color[n]}` }), el('span', { text: n }), el('span', { class: 'val', text: whole(k) })))));
      if (!mine.length) kids.push(el('span', { class: 'item', text: list ? 'No command of this channel was recorded in this window.' : 'Zoom in to see commands.' }));
      this.legend.replaceChildren(...kids);
      this.numbers.style.display = 'none';
    };
  }
  over(p, e, x) {
    const g = p.geo;
    if (!g) return;
    const r = p.run, b = Math.floor(e.offsetY / g.row), t = tOf(p.box.clientWidth, x), near = g.list.filter(c => c[1] === b).map(c => [Math.abs(c[4] / r.tickCore - t), c]).sort((q, s) => q[0] - s[0])[0];
    showTip(e.clientX, e.clientY, near && near[0] < (state.t1 - state.t0) / 60 ? `bank ${b}: ${r.commandNames[near[1][2]]}${['ACT', 'RD', 'WR', 'RDA', 'WRA'].includes(r.commandNames[near[1][2]]) ? ' row ' + near[1][3] : ''}\ncycle ${(near[1][4] / r.tickCore).toFixed(2)}` : '');
  }
}

/* Work per byte against work per cycle: what bounds a point is the roof above it. */
class Roofline extends Picture {
  constructor() { super('roofline', 'Roofline', 'Thread instructions per byte of DRAM traffic against instructions per cycle. The roofs are the schedulers and the DRAM bus; small points are launches, the large one is the window.', true); this.inTime = false; this.oneDiff = true; }
  async gather(r) {
    const d = await rowsOf(r, r.totals, state.t0, state.t1, 1000), get = n => r.col[n] === undefined ? 0 : sum(d.col[r.col[n]]);
    return { work: get(WORK), bytes: get('dram.bytes'), cycles: sum(d.col[0]) };
  }
  async draw(p, list) {
    const got = await Promise.all(list.map(r => this.gather(r)));
    p.sums = [].concat(...list.map((r, i) => [[WORK, got[i].work, r], ['dram.bytes', got[i].bytes, r], ['gpu.cycles', got[i].cycles, r]]));
    return () => {
      const [c, w, h] = prepare(p.canvas, 260), r0 = list[0], L = 46, B = 30;
      const peak = r => r.stats.ipc_peak || 1, bw = r => (r.stats['dram.peak_gbps'] || 1) * 1000 / (+r.config['gpu.core_mhz'] || 1000);
      const pts = list.map((r, i) => ({ r, x: got[i].work / Math.max(1, got[i].bytes), y: got[i].work / Math.max(1, got[i].cycles) }));
      const ridge = peak(r0) / bw(r0), xs = [ridge, ...pts.map(q => q.x)].filter(x => x > 0);
      const lx = [Math.floor(Math.log10(Math.min(...xs) / 3)), Math.ceil(Math.log10(Math.max(...xs) * 3))], ys = [peak(r0), ...pts.map(q => q.y)].filter(x => x > 0), ly = [Math.floor(Math.log10(Math.min(...ys) / 2)), Math.log10(Math.max(...list.map(peak)) * 1.8)];
      const X = v => L + (Math.log10(v) - lx[0]) / (lx[1] - lx[0]) * (w - L - 12), Y = v => (h - B) - (Math.log10(v) - ly[0]) / (ly[1] - ly[0]) * (h - B - 10);
      c.strokeStyle = css('--grid'); c.fillStyle = css('--soft');
      for (let k = lx[0]; k <= lx[1]; k++) { c.beginPath(); c.moveTo(X(10 ** k), 10); c.lineTo(X(10 ** k), h - B); c.stroke(); c.textAlign = 'center'; if (lx[1] - lx[0] < 9 || k % 2 === 0) c.fillText(k > 3 || k < -2 ? '1e' + k : String(10 ** k), X(10 ** k), h - B + 11); }
      for (let k = Math.ceil(ly[0]); k <= ly[1]; k++) { c.beginPath(); c.moveTo(L, Y(10 ** k)); c.lineTo(w - 12, Y(10 ** k)); c.stroke(); c.textAlign = 'right'; c.fillText(k > 4 ? '1e' + k : String(10 ** k), L - 5, Y(10 ** k)); }
      c.textAlign = 'center'; c.fillText('thread instructions per DRAM byte', L + (w - L) / 2, h - 7);
      const roofs = new Set();
      for (const r of list) {
        const key = peak(r) + '/' + bw(r);
        if (roofs.has(key)) continue;
        roofs.add(key);
        c.strokeStyle = css('--ink'); c.lineWidth = 2; c.beginPath();
        const x0 = 10 ** lx[0], k = peak(r) / bw(r);
        c.moveTo(X(x0), Math.min(h - B, Y(Math.max(10 ** ly[0], x0 * bw(r))))); 
        const from = Math.max(x0, 10 ** ly[0] / bw(r));
        c.moveTo(X(from), Y(from * bw(r))); c.lineTo(X(Math.max(x0, k)), Y(peak(r))); c.lineTo(w - 12, Y(peak(r))); c.stroke();
        c.fillStyle = css('--soft'); c.textAlign = 'right'; c.fillText(`issue: ${short(peak(r))} / cycle`, w - 14, Y(peak(r)) - 9);
        c.textAlign = 'left'; c.fillText(`DRAM: ${short(bw(r))} B / cycle`, Math.min(w - 150, X(from) + 8), Math.min(h - B - 10, Y(from * bw(r)) - 4));
      }
      list.forEach(r => { for (const k of (r.report && r.report.kernels || []).slice(0, 400)) { const s = k.stats || {}, y = s[WORK] / s['gpu.cycles'], x = s[WORK] / Math.max(1, s['dram.bytes']); if (x > 0 && y > 0) { c.fillStyle = r.at ? '#d55e00' : '#0072b2'; c.globalAlpha = .35; c.beginPath(); c.arc(X(Math.min(x, 10 ** lx[1])), Y(Math.max(y, 10 ** ly[0])), 3, 0, 7); c.fill(); c.globalAlpha = 1; } } });
      pts.forEach((q, i) => {
        if (!(q.x > 0 && q.y > 0)) return;
        c.fillStyle = q.r.at ? '#d55e00' : '#0072b2'; c.strokeStyle = css('--card'); c.lineWidth = 2;
        c.beginPath(); if (q.r.at) c.rect(X(q.x) - 6, Y(q.y) - 6, 12, 12); else c.arc(X(q.x), Y(q.y), 7, 0, 7); c.fill(); c.stroke();
        if (two) { c.fillStyle = css('--ink'); c.textAlign = 'left'; c.fillText(q.r.letter, X(q.x) + 10, Y(q.y) - 8); }
      });
      this.sums(this.plot.flatMap(q => q.sums || []));
      p.items = pts.map(q => el('span', { class: 'item' }, el('span', { class: 'sw', style: `background:${q.r.at ? '#d55e00' : '#0072b2'}` }), el('span', { text: two ? q.r.letter : 'window' }), el('span', { class: 'val', text: `${short(q.y)} instructions/cycle, ${short(q.x)} per DRAM byte: ${percent(q.y / Math.min(peak(q.r), q.x * bw(q.r)))} of the roof` })));
      this.legend.replaceChildren(...this.plot.flatMap(q => q.items || []));
    };
  }
  load(p, r) { return this.draw(p, [r]); }
  difference(p) { return this.draw(p, runs); }
}
class Histogram extends Picture {
  constructor() {
    super('histogram', 'Latency of loads beyond the L1', 'How many reads took how long, by powers of two: all of the way, or a stage of it, in the window.', true);
    this.inTime = false; this.oneDiff = true;
    this.pick = el('select', { 'aria-label': 'which part of the latency', onchange: () => refresh() });
    this.pick.append(el('option', { value: 'latency.sum', text: 'whole way' }), ...STAGES.map(s => el('option', { value: s[0], text: s[1] })));
    this.tools.append(this.pick);
  }
  async draw(p, list) {
    const name = this.pick.value;
    if (list.some(r => !r.unit('bucket', name))) return this.missing(p, notRecorded(list.find(r => !r.unit('bucket', name)), 'Histograms over time'));
    const v = await Promise.all(list.map(async r => { const d = await rowsOf(r, r.unit('bucket', name), state.t0, state.t1, 4000); return d.col.slice(1).map(sum); }));
    p.lines = [].concat(...list.map((r, i) => v[i].map((x, b) => [b, x, r])));
    return () => {
      const [c, w, h] = prepare(p.canvas, 260), L = 52, B = 34, used = v.map(x => x.map((y, i) => y ? i : -1).filter(i => i >= 0)), lo = Math.min(32, ...used.flat()), hi = Math.max(lo, 0, ...used.flat());
      const most = Math.max(1, ...v.map(x => Math.max(...x))), n = hi - lo + 1, bw = (w - L - 12) / n, Y = x => h - B - x / most * (h - B - 14);
      c.fillStyle = css('--soft'); c.strokeStyle = css('--grid'); c.textAlign = 'right';
      for (const t of ticks(0, most, 4)) { c.beginPath(); c.moveTo(L, Y(t)); c.lineTo(w - 12, Y(t)); c.stroke(); c.fillText(short(t), L - 6, Y(t)); }
      list.forEach((r, i) => { const k = list.length; for (let b = lo; b <= hi; b++) { c.fillStyle = r.at ? '#d55e00' : '#0072b2'; const x = L + (b - lo) * bw + 2 + i * (bw - 4) / k; c.fillRect(x, Y(v[i][b]), Math.max(1, (bw - 4) / k - 1), h - B - Y(v[i][b])); } });
      c.fillStyle = css('--soft'); c.textAlign = 'center';
      const step = Math.max(1, Math.ceil(38 / bw));
      for (let b = lo; b <= hi; b += step) c.fillText(b < 2 ? String(b) : short(2 ** (b - 1)), L + (b - lo + .5) * bw, h - B + 12);
      c.fillText('cycles (from)', L + (w - L) / 2, h - 8);
      p.geo = { L, bw, lo, hi, v, list };
      const all = this.plot.flatMap(q => q.lines || []), full = state.t0 <= 0 && state.t1 >= longest, some = [...new Set(all.map(a => a[2]))];
      this.head.innerHTML = '<tr><th>cycles</th>' + some.map(r => `<th>${two ? r.letter + ' ' : ''}window</th><th>${two ? r.letter + ' ' : ''}run</th>`).join('') + '</tr>';
      this.table.innerHTML = Array.from({ length: 33 }, (_, b) => b).filter(b => all.some(a => a[0] === b && a[1])).map(b => `<tr><td>${b < 2 ? b : `${2 ** (b - 1)}–${2 ** b - 1}`}</td>` + some.map(r => {
        const x = all.find(a => a[0] === b && a[2] === r)[1], t = ((r.report.histograms || {})[name] || [])[b] || 0;
        return `<td data-panel="histogram" data-stat="${name}[${b}]" data-run="${r.at}" data-sum="${x}">${whole(x)}</td><td data-total="${t}" class="${full ? x === t ? 'ok' : 'bad' : ''}">${whole(t)}</td>`;
      }).join('') + '</tr>').join('');
      p.items = list.map((r, i) => el('span', { class: 'item' }, el('span', { class: 'sw', style: `background:${r.at ? '#d55e00' : '#0072b2'}` }), el('span', { class: 'val', text: `${two ? r.letter + ': ' : ''}${whole(sum(v[i]))} reads` })));
      this.legend.replaceChildren(...this.plot.flatMap(q => q.items || []));
    };
  }
  load(p, r) { return this.draw(p, [r]); }
  difference(p) { return this.draw(p, runs); }
  over(p, e, x) {
    const g = p.geo;
    if (!g) return;
    const b = g.lo + Math.floor((x - g.L) / g.bw);
    showTip(e.clientX, e.clientY, b >= g.lo && b <= g.hi ? `${b < 2 ? b : `${2 ** (b - 1)} to ${2 ** b - 1}`} cycles\n` + g.list.map((r, i) => `${two ? r.letter + ': ' : ''}${whole(g.v[i][b])} reads (${percent(g.v[i][b] / Math.max(1, sum(g.v[i])))})`).join('\n') : '');
  }
}
class Totals extends Panel {
  constructor() {
    super('all', 'All statistics', 'Sums over the window beside the totals of the run; at full width they are the same.');
    this.filter = el('input', { type: 'search', placeholder: 'filter, as in l2. or stall', 'aria-label': 'filter statistics', oninput: () => this.show() });
    this.tools.append(this.filter);
    this.numbers.open = true;
  }
  layout() { this.plot = shownRuns().map(r => ({ run: r })); }
  async update() {
    const mine = ++this.seen;
    const lines = [];
    if (state.mode === 'diff') {
      const s0 = await shareAt(runs[0], state.t0), s1 = await shareAt(runs[0], Math.min(state.t1, runs[0].length));
      for (const r of runs) { const b = await bins(r, r.totals, r.totals.columns.map((_, k) => k), s0, Math.max(s1, s0 + 1e-9), 1); r.totals.columns.forEach((n, k) => lines.push([n, Math.round(b.bins[k][0]), r])); }
    } else for (const { run: r } of this.plot) { const d = await rowsOf(r, r.totals, state.t0, state.t1, 1000); r.totals.columns.forEach((n, k) => lines.push([n, sum(d.col[k]), r])); }
    if (mine !== this.seen) return;
    this.sums(lines);
    this.show();
  }
  show() { const f = this.filter.value.trim(); for (const tr of this.table.rows) tr.style.display = !f || tr.cells[0].textContent.includes(f) ? '' : 'none'; }
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */
const app = document.getElementById('app');
const where = el('div', { class: 'where', 'aria-live': 'polite' });
const canvas = el('canvas', { id: 'nav', tabindex: 0, 'aria-label': 'whole run: drag to choose the window' });
const nav = {
  data: null,
  async load() { this.data = await Promise.all(runs.map(r => rowsOf(r, r.totals, 0, r.length, 1500))); this.draw(); },
  draw() {
    if (!this.data) return;
    const [c, w, h] = prepare(canvas, innerWidth <= 640 ? 34 : 44), X = t => LEFT + t / longest * (w - LEFT - RIGHT);
    c.fillStyle = css('--bg'); c.fillRect(LEFT, 0, w - LEFT - RIGHT, h);
    let most = 1e-9;
    const ipc = runs.map((r, i) => { const d = this.data[i], k = d.col[r.col[WORK]] || d.col[0]; return k.map((x, j) => d.col[0][j] ? x / d.col[0][j] : 0); });
    for (const v of ipc) for (const x of v) most = Math.max(most, x);
    runs.forEach((r, i) => {
      const d = this.data[i];
      c.fillStyle = i ? 'rgba(213,94,0,.55)' : 'rgba(0,114,178,.55)';
      for (let k = 0; k < d.n; k++) { const hh = ipc[i][k] / most * (h - 4); c.fillRect(X(d.t[k]), h - hh, Math.max(.6, X(d.t[k + 1]) - X(d.t[k])), hh); }
    });
    const a = X(state.t0), b = X(state.t1);
    c.fillStyle = css('--card'); c.globalAlpha = .72; c.fillRect(LEFT, 0, a - LEFT, h); c.fillRect(b, 0, w - RIGHT - b, h); c.globalAlpha = 1;
    c.strokeStyle = css('--accent'); c.lineWidth = 2; c.strokeRect(a, 1, Math.max(2, b - a), h - 2);
    if (state.hover !== null) { c.strokeStyle = css('--ink'); c.lineWidth = 1; c.beginPath(); c.moveTo(X(state.hover), 0); c.lineTo(X(state.hover), h); c.stroke(); }
    c.fillStyle = css('--soft'); c.textAlign = 'right'; c.fillText('IPC', LEFT - 6, h / 2);
  },
};
const modes = two ? el('div', { class: 'seg', role: 'group', 'aria-label': 'which runs' }, ...[['0', 'A'], ['1', 'B'], ['side', 'Side by side'], ['diff', 'Difference']].map(([m, t]) => el('button', { 'data-mode': m, text: t, onclick: () => setMode(m) }))) : '';
const launchPick = el('select', { id: 'launch', 'aria-label': 'go to a launch', onchange: e => { const [r, i] = e.target.value.split(':').map(Number); e.target.selectedIndex = 0; const l = runs[r].launches[i]; setWindow(l.begin, l.begin + l.cycles); } }, el('option', { text: 'Launch …' }));
runs.forEach(r => r.launches.slice(0, 300).forEach((l, i) => launchPick.append(el('option', { value: `${r.at}:${i}`, text: `${two ? r.letter + ' ' : ''}${i}: ${l.kernel} (${short(l.cycles)} cycles)` }))));
const scaleBy = (f, at = (state.t0 + state.t1) / 2) => setWindow(at - (at - state.t0) * f, at + (state.t1 - at) * f);
const top = el('div', { class: 'top' },
  el('div', { class: 'bar' }, el('h1', { text: 'Sluice' }),
    ...runs.map(r => el('span', { class: 'run-tag r' + r.at }, ...(two ? [el('b', { text: r.letter })] : []), el('span', { title: r.name, text: `${(r.report && r.report.workload || r.name).split('/').pop()} · ${r.name}${r.config['tech.with'] ? ' · ' + r.config['tech.with'] : ''}` }))),
    el('span', { class: 'grow' }), modes),
  el('div', { class: 'bar', style: 'margin-top:.4rem' }, where, el('span', { class: 'grow' }), ...(Math.max(...runs.map(r => r.launches.length)) > 1 ? [launchPick] : []),
    el('button', { id: 'in', text: '+', title: 'zoom in (+)', 'aria-label': 'zoom in', onclick: () => scaleBy(.5) }), el('button', { id: 'out', text: '−', title: 'zoom out (−)', 'aria-label': 'zoom out', onclick: () => scaleBy(2) }),
    el('button', { id: 'back', text: 'Back', title: 'the window before (Backspace)', onclick: () => { const w = state.back.pop(); if (w) setWindow(w[0], w[1], false); } }),
    el('button', { id: 'all', text: 'Whole run', title: 'all of it (0)', onclick: () => setWindow(0, longest) })),
  canvas);
const factsBox = el('div', { class: 'facts' });
const host = el('div', { class: 'panels' });
app.append(top, factsBox, host, el('p', { class: 'foot', text: 'Drag over any chart to zoom, double-click for the whole run; keys + − ← → 0 and Backspace. Sums over time are the statistics of the run: a tick in "Numbers" says they were compared.' }), tip);
for (const r of runs.filter(x => x.form !== 'timeline')) factsBox.before(Object.assign(el('div', { class: 'note' }), { innerHTML: `${two ? r.letter + ': ' : ''}<b>${html(r.name)}</b> is ${r.form === 'point' ? 'a point of a database' : 'the result of a run'}: the page shows what is in it, ${r.interval > 1 ? 'its intervals' : 'each launch as a whole'}. Kernels' CTAs, units over time, DRAM commands and histograms over time need a timeline: <code>sluice run … --timeline FILE</code>, then <code>sluice view FILE</code>.` }));

function header() {
  const launch = runs[0].launches.filter(l => l.begin < state.t1 && l.begin + l.cycles > state.t0);
  where.innerHTML = `cycles <strong id="t0">${whole(state.t0)}</strong> – <strong id="t1">${whole(state.t1)}</strong> of ${whole(longest)}${launch.length === 1 ? ', ' + html(launch[0].kernel) : ''}`;
  document.body.classList.toggle('side', state.mode === 'side' || state.mode === 'diff');
  document.querySelectorAll('[data-mode]').forEach(b => b.setAttribute('aria-pressed', b.dataset.mode === state.mode));
}
async function facts() {
  const list = shownRuns(), got = await Promise.all(list.map(async r => {
    let t0 = state.t0, t1 = state.t1;
    if (state.mode === 'diff') { t0 = await timeAt(r, await shareAt(runs[0], state.t0)); t1 = await timeAt(r, await shareAt(runs[0], Math.min(state.t1, runs[0].length))); }
    const d = await rowsOf(r, r.totals, t0, t1, 1000), g = n => r.col[n] === undefined ? 0 : sum(d.col[r.col[n]]), cyc = Math.max(1, sum(d.col[0]));
    const stall = STALLS.filter(s => !['issued', 'select'].includes(s[0])).map(s => [s[1], s[3].reduce((a, k) => a + g('stall.' + k), 0)]).sort((a, b) => b[1] - a[1])[0];
    return { cyc, ipc: g(WORK) / cyc, l1: g('l1d.hits') / g('l1d.accesses'), l2: g('l2.hits') / g('l2.accesses'), bytes: g('dram.bytes') / cyc / ((r.stats['dram.peak_gbps'] || NaN) * 1000 / (+r.config['gpu.core_mhz'] || 1000)), occ: g('sm.warp_cycles') / g('sm.active_cycles') / ((+r.config['sm.threads'] || NaN) / (+r.config['front.warp_width'] || 32)), lat: g('latency.sum') / g('latency.count'), stall: [stall[0], stall[1] / Math.max(1, g('sm.warp_cycles'))] };
  }));
  const line = (k, f, more) => { const a = f(got[0]), b = got[1] && f(got[1]); return el('div', { class: 'fact' }, el('div', { class: 'k', text: k }), el('div', { class: 'v', text: more(a) + (b !== undefined ? ' · ' + more(b) : '') }), ...(b !== undefined && isFinite(b / a) && a ? [el('div', { class: 'd', text: `B/A ${(b / a).toFixed(3)}` })] : [])); };
  factsBox.replaceChildren(line('cycles', g => g.cyc, whole), line('thread instructions / cycle', g => g.ipc, short), line('resident warps', g => g.occ, percent), line('L1 hits', g => g.l1, percent), line('L2 hits', g => g.l2, percent), line('DRAM bandwidth', g => g.bytes, percent), line('mean latency of a read, cycles', g => g.lat, short),
    el('div', { class: 'fact' }, el('div', { class: 'k', text: 'warps wait most for' }), ...got.map(g => el('div', { class: got.length > 1 ? 'd' : 'v', style: got.length > 1 ? '' : 'font-size:.95rem', text: `${g.stall[0]} (${percent(g.stall[1])})` }))));
}

let grouped = true;
const stallSeries = () => grouped ? STALLS.map(([id, label, color, of]) => ({ label, color, title: of.map(k => 'stall.' + k).join(' + '), value: per0(of.map(k => 'stall.' + k)) }))
  : STALLS.flatMap(([id, label, color, of]) => of.map((k, i) => ({ label: k, color: tint(color, i, of.length), title: 'stall.' + k, value: per0(['stall.' + k]) })));
const per0 = names => (col, d, binned) => { const a = allOf(names)(col); return a ? a.map((x, i) => binned ? x : d.col[0][i] ? x / d.col[0][i] : 0) : null; };
function tint(color, i, n) {
  if (n < 2) return color;
  const v = [1, 3, 5].map(k => parseInt(color.slice(k, k + 2), 16)), f = i / n * .55;
  return '#' + v.map(x => Math.round(x + (255 - x) * f).toString(16).padStart(2, '0')).join('');
}
const stallNames = STALLS.flatMap(s => s[3].map(k => 'stall.' + k));
const order = [
  new Ctas(),
  new Chart('ipc', 'Instructions per cycle', 'Thread instructions issued per core cycle, all SMs. In the difference: by how much B is above A where both have done the same share of the work.', { sums: [WORK, 'gpu.cycles', 'sm.issued'], additive: true, series: [{ label: 'IPC', color: '#0072b2', title: WORK + ' / gpu.cycles', value: per(WORK, cyclesOf), mean: p => { const { t, n, v } = p.data; let x = 0; for (let i = 0; i < n; i++) x += v[0][i] * (t[i + 1] - t[i]); return x / (t[n] - t[0] || 1); } }] }),
  new Chart('stalls', 'What warps wait for', 'Resident warps by what they do, stacked; a wait is counted in the interval in which it ends. In the difference: warp cycles that B has more (up) or fewer (down) than A for the same work.', { stack: true, tall: true, sums: [...stallNames, 'sm.warp_cycles'], series: stallSeries }),
  new Chart('latency', 'Latency of a load beyond the L1, by stage', 'Mean core cycles from an L1 miss to its answer, by where they pass.', { stack: true, half: true, sums: [...STAGES.map(s => s[0]), 'latency.sum', 'latency.count'], series: STAGES.map(([n, label, color]) => ({ label, color, title: n + ' / latency.count', value: per(n, col => col('latency.count')), mean: p => p.means && p.means[n] })) }),
  new Chart('memory', 'Hits and bandwidth', 'Shares: hits of L1 and L2, row hits of the DRAM, use of its data buses.', { half: true, percent: true, max: 1.02, sums: ['l1d.hits', 'l1d.accesses', 'l2.hits', 'l2.accesses', 'dram.row_hits', 'dram.row_misses', 'dram.row_conflicts', 'dram.bytes'], series: () => [
    { label: 'L1 hits', color: '#009e73', value: per('l1d.hits', c => c('l1d.accesses')), mean: p => p.all('l1d.hits') / p.all('l1d.accesses') }, { label: 'L2 hits', color: '#0072b2', value: per('l2.hits', c => c('l2.accesses')), mean: p => p.all('l2.hits') / p.all('l2.accesses') },
    { label: 'DRAM row hits', color: '#e69f00', value: per('dram.row_hits', c => allOf(['dram.row_hits', 'dram.row_misses', 'dram.row_conflicts'])(c)), mean: p => p.all('dram.row_hits') / (p.all('dram.row_hits') + p.all('dram.row_misses') + p.all('dram.row_conflicts')) },
    { label: 'DRAM bandwidth', color: '#d55e00', value: (c, d) => { const r = runs[0], b = c('dram.bytes'), k = (r.stats['dram.peak_gbps'] || NaN) * 1000 / (+r.config['gpu.core_mhz'] || 1000); return b ? b.map((x, i) => d.col[0][i] ? x / d.col[0][i] / k : 0) : null; } }] }),
  new Chart('power', 'Power by part', 'Watts of the whole GPU over time, stacked by part (docs/energy.md); empty where a part has no model.', { stack: true, sums: PARTS.map(p => 'energy.' + p[0] + '_nj'), series: PARTS.map(([name, label, color]) => ({ label, color, title: 'energy.' + name + '_nj / time',
    value: (c, d) => { const e = c('energy.' + name + '_nj'), mhz = +runs[0].config['gpu.core_mhz'] || 1000; return e ? e.map((x, i) => d.col[0][i] ? x * mhz / d.col[0][i] / 1000 : 0) : null; } })) }),
  new Heat(), new Commands(), new Roofline(), new Histogram(), new Totals(),
];
/* Means of latency stages are over loads, not over time. */
const latency = order[3], base = latency.part;
latency.part = function (p, r, d) { const n = r.col['latency.count'] === undefined ? 0 : sum(d.col[r.col['latency.count']]); p.means = Object.fromEntries(STAGES.map(s => [s[0], n && r.col[s[0]] !== undefined ? sum(d.col[r.col[s[0]]]) / n : 0])); base.call(this, p, r, d); };
const detailToggle = el('button', { id: 'causes', text: 'All causes', 'aria-pressed': 'false', onclick: () => { grouped = !grouped; detailToggle.setAttribute('aria-pressed', String(!grouped)); order[2].layout(); refresh(); } });
order[2].tools.append(detailToggle);
for (const p of order) { host.append(p.root); }
for (const p of order) p.layout();
selectable(canvas, x => (x - LEFT) / (canvas.clientWidth - LEFT - RIGHT) * longest);
document.addEventListener('keydown', e => {
  if (/INPUT|SELECT|TEXTAREA/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return;
  const w = state.t1 - state.t0, act = { '+': () => scaleBy(.5), '=': () => scaleBy(.5), '-': () => scaleBy(2), 0: () => setWindow(0, longest), ArrowLeft: () => setWindow(Math.max(0, state.t0 - w / 4), Math.max(0, state.t0 - w / 4) + w), ArrowRight: () => setWindow(Math.min(longest - w, state.t0 + w / 4), Math.min(longest, state.t1 + w / 4)), Backspace: () => document.getElementById('back').click() }[e.key];
  if (act) { act(); e.preventDefault(); }
});
let resizing;
addEventListener('resize', () => { clearTimeout(resizing); resizing = setTimeout(() => { for (const p of panels) for (const q of p.plot || []) if (q.graph) q.graph.resize(); refresh(); }, 120); });
addEventListener('beforeprint', () => { for (const p of panels) for (const q of p.plot || []) if (q.graph) q.graph.resize(); });
document.title = 'Sluice: ' + runs.map(r => (r.report && r.report.workload || r.name).split('/').pop()).join(' and ');
window.sluiceView = { runs, state, setWindow, setMode, setHover, idle, rowsOf, panels, order, ready: nav.load().then(refresh).then(() => { document.body.dataset.ready = 'yes'; }) };
})();
