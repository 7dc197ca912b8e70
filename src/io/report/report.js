/* The page of a report: unpacks the recording that the program put into it and draws it. */
"use strict";
(() => {

const {byId, css, cssPixels, unpack, si, ticks, whole3, things, time, bytes, percent, tip, sizeCanvas, heat, fill} = page;

// Okabe and Ito's colours, which colour-blind readers can tell apart.
const STAGE_COLOURS = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00"];
const OWNER_COLOURS = ["#56b4e9", "#f0e442", "#0072b2", "#d55e00"];
const REASON_COLOURS = ["#999999", "#e69f00", "#f0e442", "#cc79a7", "#0072b2", "#56b4e9",
  "#332288", "#d55e00", "#882255", "#aa4499", "#44aa99", "#009e73"];
const SIDE_COLOURS = ["#2a8bc8", "#d55e00", "#009e73"]; // A, B, the difference

// At most so many exact changes are drawn; above that, buckets.
const EXACT_MOST = 20000;
const GROUPS_AT_ONCE = 200;

// ---- Unpacking ----

class Reader {
  constructor(bytes) { this.bytes = bytes; this.at = 0; }
  count() {
    let value = 0, unit = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return value;
  }
  change() { // zigzag
    const value = this.count();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

function readTrack(reader, n, isWork) {
  const track = {sums: new Float64Array(n)};
  const columns = [track.sums];
  if (!isWork) {
    track.min = new Float64Array(n);
    track.max = new Float64Array(n);
    columns.push(track.min, track.max);
  }
  for (const column of columns) {
    let value = 0;
    for (let i = 0; i < n; i++) column[i] = value += reader.change();
  }
  return track;
}

function readExact(reader, track) {
  const n = reader.count();
  let cycle = 0, value = 0;
  track.times = new Float64Array(n);
  track.values = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    track.times[i] = cycle += reader.count();
    track.values[i] = value += reader.change();
  }
}

const GROUP_FIELDS = ["serial", "cu", "draw", "patches", "offchip", "dsWaves", "ldsBytes", "begin", "lsEnd",
  "hsBegin", "decision", "dsBegin", "dsEnd", "ldsFreed", "end"];

function readRun(run, reader) {
  run.tracks = new Map(); // by "metric/unit"
  for (let n = reader.count(); n > 0; n--) {
    const metric = run.metrics[reader.count()], unit = reader.count();
    const isWork = reader.count() === 1;
    const track = readTrack(reader, run.buckets, isWork);
    if (reader.count() === 1) readExact(reader, track);
    run.tracks.set(metric + "/" + unit, track);
  }
  const blocks = reader.count();
  run.blocks = Array.from({length: run.cus}, () => []);
  let begin = 0;
  for (let i = 0; i < blocks; i++) {
    const cu = reader.count();
    const block = {group: reader.count() - 1, first: reader.count(), size: reader.count(), owner: reader.count()};
    begin += reader.change();
    block.begin = begin;
    block.end = begin + reader.count();
    run.blocks[cu].push(block);
  }
  run.groups = [];
  for (let n = reader.count(); n > 0; n--) {
    run.groups.push(Object.fromEntries(GROUP_FIELDS.map(name => [name, reader.count()])));
  }
}

// ---- State ----

let meta, runs;
const state = {side: 0, from: 0, to: 1, unit: "all"}; // side 2: both

const shownRuns = () => state.side === 2 ? runs : [runs[state.side]];
const whole = () => ({from: Math.min(...runs.map(r => r.from)), to: Math.max(...runs.map(r => r.to))});
const bucketTime = (run, i) => Math.min(run.from + i * run.width, run.to);

function setZoom(from, to) {
  const all = whole();
  const least = Math.min(16, all.to - all.from);
  let span = Math.min(Math.max(to - from, least), all.to - all.from);
  from = Math.min(Math.max(from, all.from), all.to - span);
  if (from === state.from && from + span === state.to) return;
  state.from = from;
  state.to = from + span;
  drawAll();
}

function zoomBy(factor) {
  const middle = (state.from + state.to) / 2, half = (state.to - state.from) / 2 * factor;
  setZoom(middle - half, middle + half);
}

function panBy(share) {
  const step = (state.to - state.from) * share;
  setZoom(state.from + step, state.to + step);
}

// ---- Series ----

// Index of the last time <= cycle; -1: none.
function find(times, cycle) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= cycle) low = middle + 1; else high = middle;
  }
  return low - 1;
}

const sum = numbers => numbers.reduce((a, b) => a + b, 0);

const hasTrack = start => runs.some(run => [...run.tracks.keys()].some(key => key.startsWith(start)));

const tracksOf = (run, metric, units) =>
  units.map(unit => run.tracks.get(metric + "/" + unit)).filter(track => track !== undefined);

function unitsOf(run, metric) {
  if (/^(waves|lds|td_queue|busy\.(valu|lds_pipe|texture|l1))/.test(metric)) {
    return state.unit === "all" ? [...Array(run.cus).keys()]
      : state.unit.startsWith("se") ? [...Array(run.cus).keys()].filter(cu => run.seOfCu[cu] === +state.unit.slice(2))
      : [+state.unit.slice(2)].filter(cu => cu < run.cus);
  }
  return state.unit.startsWith("se") ? [+state.unit.slice(2)]
    : state.unit.startsWith("cu") ? [run.seOfCu[+state.unit.slice(2)]] : [...Array(run.ses).keys()];
}

// Steps of the sums of several lists of tracks over the zoomed time: exact where the changes are
// few enough, means of buckets otherwise. {x, lists: one array a list, exact}
function steps(run, lists) {
  const from = Math.max(state.from, run.from), to = Math.min(state.to, run.to);
  const all = lists.flat();
  let changes = 0;
  const isExact = all.length > 0 && all.every(track => track.times);
  for (const track of isExact ? all : []) changes += find(track.times, to) - find(track.times, from);
  return isExact && changes <= EXACT_MOST ? exactSteps(lists, from, to) : bucketSteps(run, lists, from, to);
}

function bucketSteps(run, lists, from, to) {
  const first = Math.max(0, Math.floor((from - run.from) / run.width));
  const last = Math.min(run.buckets, Math.ceil((to - run.from) / run.width));
  const x = [];
  for (let i = first; i < last; i++) x.push(bucketTime(run, i));
  const columns = lists.map(tracks => {
    const column = new Array(x.length).fill(0);
    for (const track of tracks) for (let i = first; i < last; i++) column[i - first] += track.sums[i];
    return column.map((sum, i) => sum / (bucketTime(run, first + i + 1) - bucketTime(run, first + i)));
  });
  x.push(bucketTime(run, last));
  columns.forEach(column => column.push(column.length ? column[column.length - 1] : 0));
  return {x, lists: columns, exact: false};
}

function exactSteps(lists, from, to) {
  const events = [];
  const values = lists.map(() => 0);
  lists.forEach((tracks, list) => tracks.forEach(track => {
    let i = find(track.times, from);
    let value = i >= 0 ? track.values[i] : 0;
    values[list] += value;
    for (i++; i < track.times.length && track.times[i] <= to; i++) {
      events.push([track.times[i], list, track.values[i] - value]);
      value = track.values[i];
    }
  }));
  events.sort((a, b) => a[0] - b[0]);
  const x = [from], columns = values.map(value => [value]);
  for (const [cycle, list, change] of events) {
    values[list] += change;
    if (cycle !== x[x.length - 1]) {
      x.push(cycle);
      columns.forEach((column, i) => column.push(values[i]));
    } else {
      columns.forEach((column, i) => { column[column.length - 1] = values[i]; });
    }
  }
  x.push(to);
  columns.forEach((column, i) => column.push(values[i]));
  return {x, lists: columns, exact: true};
}

// ---- Charts ----

const charts = {};

function drawChart(id, series, data, label, stacked) {
  const place = byId(id);
  const width = Math.max(place.clientWidth, 280), left = cssPixels("--left"), right = cssPixels("--right");
  const axis = {stroke: css("--ink"), grid: {stroke: css("--line"), width: 1}, ticks: {stroke: css("--line")}};
  charts[id]?.destroy();
  const chart = charts[id] = new uPlot({
    width, height: 260, legend: {live: true}, padding: [8, right, 0, 0],
    cursor: {drag: {x: true, y: false, setScale: false}, sync: {key: "time"}},
    select: {show: true},
    scales: {x: {time: false, range: () => [state.from, state.to]}, y: {range: (u, low, high) => stacked || low >= 0 ? [0, Math.max(high * 1.05, 1)] : [low * 1.1, Math.max(high * 1.1, 1)]}},
    axes: [{...axis, space: 80, size: 30, values: (u, values) => ticks(values), label: "cycles", labelSize: 18},
           {...axis, size: left - 20, values: (u, values) => values.map(si), label, labelSize: 20}],
    series: [{label: "cycle", value: (u, v) => v === null ? "–" : whole3(v)}, ...series],
    hooks: {setSelect: [u => {
      if (u.select.width > 3) setZoom(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
    }]},
  }, data, place);
  chart.over.addEventListener("dblclick", () => setZoom(whole().from, whole().to));
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", label + " over time: " + series.map(s => s.label).join(", "));
}

// Areas upon each other; the legend tells each one's own height.
function drawStack(id, x, columns, names, colours, label) {
  const sums = columns[0]?.map(() => 0) ?? [];
  const stacked = columns.map(column => column.map((value, i) => sums[i] += value));
  const order = [...columns.keys()].reverse(); // the highest is drawn first
  const path = uPlot.paths.stepped({align: 1});
  const series = order.map(i => ({label: names[i], stroke: colours[i], fill: colours[i], width: 1, paths: path, points: {show: false},
    value: (u, v, s, at) => at === null ? "–" : si(columns[i][at])}));
  drawChart(id, series, [x, ...order.map(i => stacked[i])], label, true);
}

// One line a run and, for two, their difference; on a common grid of times.
function drawSides(id, columnsOf, label) {
  const sides = runs.map(run => columnsOf(run));
  const x = [...new Set(sides.flatMap(side => side.x))].sort((a, b) => a - b);
  const columns = sides.map((side, s) => x.map(t => {
    const at = find(side.x, t);
    return at < 0 || t >= runs[s].to ? 0 : side.values[at];
  }));
  const path = uPlot.paths.stepped({align: 1});
  const line = (name, colour, dash) => ({label: name, stroke: colour, width: 1.5, dash, paths: path, points: {show: false}, value: (u, v) => v === null ? "–" : si(v)});
  drawChart(id, [line("A", SIDE_COLOURS[0]), line("B", SIDE_COLOURS[1], [6, 3]), line("B - A", SIDE_COLOURS[2], [2, 2])],
    [x, ...columns, x.map((t, i) => columns[1][i] - columns[0][i])], label, false);
}

function sumSteps(run, lists) {
  const all = steps(run, lists);
  return {x: all.x, values: all.x.map((t, i) => all.lists.reduce((sum, column) => sum + column[i], 0))};
}

function used(run, lists, names, colours) {
  const keep = lists.map((list, i) => list.length > 0 ? i : -1).filter(i => i >= 0);
  return {lists: keep.map(i => lists[i]), names: keep.map(i => names[i]), colours: keep.map(i => colours[i])};
}

function drawWaves() {
  const listsOf = run => meta.stages.map(stage => tracksOf(run, "waves." + stage, unitsOf(run, "waves")));
  if (state.side === 2) return drawSides("waves", run => sumSteps(run, listsOf(run)), "waves");
  const run = runs[state.side];
  const {lists, names, colours} = used(run, listsOf(run), meta.stages.map(s => s.toUpperCase()), STAGE_COLOURS);
  const {x, lists: columns, exact} = steps(run, lists);
  byId("waves-hint").textContent = exact ? "Every change is shown." : `Means of ${whole3(run.width)} cycles` + (!run.full ? "."
    : run.exact ? "; nearer, every change." : "; there are more changes than a page can hold (--timeline-window records less).");
  drawStack("waves", x, columns, names, colours, "waves");
}

function drawStalls() {
  const stages = byId("stall-stage").value === "all" ? meta.stages : [byId("stall-stage").value];
  const listsOf = run => meta.stalls.map(([reason]) =>
    stages.flatMap(stage => tracksOf(run, `stall.${stage}.${reason}`, unitsOf(run, "stall"))));
  if (state.side === 2) return drawSides("stalls", run => sumSteps(run, listsOf(run)), "waiting heads");
  const run = runs[state.side];
  const {lists, names, colours} = used(run, listsOf(run), meta.stalls.map(s => s[0]), REASON_COLOURS);
  const {x, lists: columns} = steps(run, lists);
  drawStack("stalls", x, columns, names, colours, "waiting heads");
}

function drawTd() {
  const engines = [...Array(Math.max(...runs.map(run => run.ses))).keys()];
  const listsOf = run => engines.map(se =>
    tracksOf(run, "td_queue.rays", unitsOf(run, "td_queue").filter(cu => run.seOfCu[cu] === se)));
  if (state.side === 2) return drawSides("td", run => sumSteps(run, listsOf(run)), "waves");
  const run = runs[state.side];
  const {lists, names, colours} = used(run, listsOf(run), engines.map(se => "SE " + se), STAGE_COLOURS);
  const {x, lists: columns} = steps(run, lists);
  drawStack("td", x, columns, names, colours, "waves");
}

function drawOthers() {
  const metric = byId("other").value;
  const listOf = run => [tracksOf(run, metric, /^(offchip|dram|patches|ds_threads|primitives)/.test(metric) ? [0] : unitsOf(run, metric))];
  if (state.side === 2) return drawSides("others", run => sumSteps(run, listOf(run)), metric);
  const {x, lists} = steps(runs[state.side], listOf(runs[state.side]));
  drawStack("others", x, lists, [metric], [SIDE_COLOURS[0]], metric);
}

// ---- Active lanes ----

const hasLanes = run => sum(run.result.rays?.live_lanes ?? []) > 0;

// One run's histogram; `most` is the share at the top of the axis.
function lanesBars(run, most) {
  const halves = run.result.rays.live_lanes, all = sum(halves);
  const place = document.createElement("div");
  place.className = "map";
  place.innerHTML = `<div class="axis"><span>${percent(most)}</span><span class="side">${runs.length > 1 ? run.letter : ""}</span><span>0</span></div>` +
    `<div class="bars" role="img">${halves.map((n, lanes) =>
      `<i title="${lanes} lanes: ${whole3(n)} halves, ${percent(n / all)}" style="height:${100 * n / all / most}%"></i>`).join("")}</div>` +
    `<div class="bars labels" aria-hidden="true">${halves.map((n, lanes) => `<span>${lanes % 4 ? "" : lanes}</span>`).join("")}</div>` +
    `<div class="times"><span>active lanes of 32</span></div>`;
  const full = halves[halves.length - 1] / all;
  place.querySelector(".bars").setAttribute("aria-label",
    `Active lanes${runs.length > 1 ? ", run " + run.label : ""}: ${run.result.rays.mean_live_lanes.toFixed(1)} of 32 on average, all 32 in ${percent(full)} of the halves`);
  return place;
}

function drawLanes() {
  const of = shownRuns().filter(hasLanes);
  const shares = of.map(run => run.result.rays.live_lanes.map(n => n / sum(run.result.rays.live_lanes)));
  const most = Math.max(...shares.flat(), 1e-3);
  byId("lanes").replaceChildren(...of.map(run => lanesBars(run, most)));
  byId("lanes-hint").textContent = "Halves of 32 lanes of intersection instructions, by how many lanes ask for a node: " +
    of.map(run => `${runs.length > 1 ? run.letter + " " : ""}${run.result.rays.mean_live_lanes.toFixed(1)} on average`).join(", ") + ".";
  const table = byId("lanes-table");
  table.tHead.innerHTML = `<tr><th class="n" scope="col">lanes</th>` + of.map(run => {
    const name = runs.length > 1 ? run.letter + ": " : "";
    return `<th class="n" scope="col">${name}halves</th><th class="n" scope="col">${name}share</th>`;
  }).join("") + "</tr>";
  table.tBodies[0].innerHTML = (shares[0] ?? []).map((_, lanes) => `<tr><th class="n" scope="row">${lanes}</th>` + of.map((run, i) =>
    `<td class="n">${whole3(run.result.rays.live_lanes[lanes])}</td><td class="n">${percent(shares[i][lanes])}</td>`).join("") + "</tr>").join("");
}

// ---- The LDS map ----

function shade(colour, amount) {
  const parts = [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16));
  return `rgb(${parts.map(p => Math.round(p * amount)).join(",")})`;
}

function drawMap(run, cu, map) {
  const canvas = map.querySelector("canvas");
  const pen = sizeCanvas(canvas);
  const granules = run.ldsBytes / run.granule;
  const xOf = t => (t - state.from) / (state.to - state.from) * canvas.width;
  const yOf = g => canvas.height * (1 - g / granules);
  pen.fillStyle = css("--free");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.strokeStyle = css("--free");
  run.blocks[cu].forEach((block, i) => {
    if (block.end <= state.from || block.begin >= state.to) return;
    const left = Math.max(0, xOf(block.begin)), right = Math.min(canvas.width, xOf(block.end));
    const top = yOf(block.first + block.size), bottom = yOf(block.first);
    // Blocks take turns in shade; those that meet in the same one are parted by a line.
    pen.fillStyle = shade(OWNER_COLOURS[block.owner], [1, .85, .7][i % 3]);
    pen.fillRect(left, top, Math.max(right - left, 1), bottom - top);
    if (right - left > 4) pen.strokeRect(left + .5, top + .5, right - left - 1, bottom - top - 1);
  });
  canvas.setAttribute("aria-label", `LDS of CU ${cu}${runs.length > 1 ? ", run " + run.label : ""}: ${things(run.blocks[cu].length, "block")} of ${bytes(run.ldsBytes)} over time`);
  canvas.onmousemove = event => {
    const box = canvas.getBoundingClientRect();
    const t = state.from + (event.clientX - box.left) / box.width * (state.to - state.from);
    const g = (1 - (event.clientY - box.top) / box.height) * granules;
    const block = run.blocks[cu].find(b => b.begin <= t && t < b.end && b.first <= g && g < b.first + b.size);
    tip(event, block
      ? `${meta.owners[block.owner]}${block.group >= 0 ? " group " + block.group : ""}\nbytes ${whole3(block.first * run.granule)} to ${whole3((block.first + block.size) * run.granule)}\ncycles ${whole3(block.begin)} to ${whole3(block.end)}`
      : `free\nbyte ${whole3(g * run.granule)}, cycle ${whole3(t)}`);
  };
  canvas.onmouseleave = event => tip(event, "");
}

function drawMaps() {
  const cu = +byId("lds-cu").value, place = byId("lds-maps");
  place.replaceChildren(...shownRuns().map(run => {
    const map = document.createElement("div");
    map.className = "map";
    map.innerHTML = `<div class="axis"><span>${bytes(run.ldsBytes)}</span><span class="side"></span><span>0</span></div>` +
      `<canvas role="img" tabindex="0"></canvas><div class="times"><span>${whole3(state.from)}</span><span>${whole3(state.to)} cycles</span></div>`;
    map.querySelector(".side").textContent = runs.length > 1 ? run.letter : "";
    return map;
  }));
  shownRuns().forEach((run, i) => { if (cu < run.cus) drawMap(run, cu, place.children[i]); });
  const present = new Set(shownRuns().flatMap(run => run.blocks[cu]?.map(b => b.owner) ?? []));
  byId("lds-legend").innerHTML = meta.owners.map((owner, i) => present.has(i)
    ? `<span><i style="background:${OWNER_COLOURS[i]}"></i>${owner}</span>` : "").join("") + `<span><i style="background:var(--free)"></i>free</span>`;
  drawFree(cu);
}

// Free bytes and their largest run, whenever a block comes or goes.
function freeSteps(run, cu) {
  const granules = run.ldsBytes / run.granule;
  const events = [];
  for (const block of run.blocks[cu] ?? []) {
    if (block.end > state.from && block.begin < state.to) events.push([block.begin, 1, block], [block.end, 0, block]);
  }
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const held = new Uint8Array(granules), x = [state.from], free = [granules], largest = [granules];
  const stride = Math.ceil(events.length / EXACT_MOST);
  events.forEach(([cycle, take, block], i) => {
    held.fill(take, block.first, block.first + block.size);
    if (events[i + 1]?.[0] === cycle || i % stride !== 0) return;
    let count = 0, run1 = 0, most = 0;
    for (let g = 0; g < granules; g++) {
      if (held[g]) run1 = 0; else { count++; run1++; if (run1 > most) most = run1; }
    }
    const at = Math.max(cycle, state.from);
    if (at === x[x.length - 1]) { free[free.length - 1] = count; largest[largest.length - 1] = most; }
    else if (at <= Math.min(state.to, run.to)) { x.push(at); free.push(count); largest.push(most); }
  });
  x.push(Math.min(state.to, run.to));
  free.push(free[free.length - 1]);
  largest.push(largest[largest.length - 1]);
  return {x, free: free.map(g => g * run.granule), largest: largest.map(g => g * run.granule)};
}

function drawFree(cu) {
  if (state.side === 2) {
    return drawSides("free", run => { const s = freeSteps(run, cu); return {x: s.x, values: s.free.map((f, i) => f - s.largest[i])}; }, "fragmented bytes");
  }
  const {x, free, largest} = freeSteps(runs[state.side], cu);
  const path = uPlot.paths.stepped({align: 1});
  const line = (name, colour, fill) => ({label: name, stroke: colour, fill, width: 1, paths: path, points: {show: false}, value: (u, v) => v === null ? "–" : bytes(v)});
  drawChart("free", [line("free", "#d55e00", "#d55e0055"), line("largest free run", "#0072b2", "#0072b2aa")], [x, free, largest], "bytes", true);
}

// ---- Heat strips ----

// full: what its figures are a share of; bright: what the brightest colour stands for.
function stripRow(run, name, tracks, full, bright, words) {
  const row = document.createElement("div");
  row.className = "row";
  row.innerHTML = `<span></span><canvas role="img" height="1" tabindex="0"></canvas><span></span>`;
  const [label, canvas, mean] = row.children;
  const column = new Float64Array(run.buckets);
  for (const track of tracks) for (let i = 0; i < run.buckets; i++) column[i] += track.sums[i];
  const n = 600;
  const pen = (canvas.width = n, canvas.height = 1, canvas.getContext("2d"));
  const image = pen.createImageData(n, 1);
  const shareAt = (a, b) => { // mean over [a, b)
    let sum = 0;
    for (let i = Math.max(0, Math.floor((a - run.from) / run.width)); i < run.buckets && bucketTime(run, i) < b; i++) {
      const first = bucketTime(run, i), last = bucketTime(run, i + 1);
      sum += column[i] * Math.max(0, Math.min(b, last) - Math.max(a, first)) / (last - first);
    }
    return sum / (b - a) / full;
  };
  const step = (state.to - state.from) / n;
  for (let i = 0; i < n; i++) {
    const t = state.from + i * step;
    image.data.set(t >= run.to ? [0, 0, 0, 0] : [...heat(shareAt(t, t + step) * full / bright), 255], 4 * i);
  }
  pen.putImageData(image, 0, 0);
  const all = shareAt(state.from, Math.min(state.to, run.to));
  label.textContent = name;
  label.title = words || name;
  mean.textContent = percent(all);
  canvas.setAttribute("aria-label", `${words || name}: ${percent(all)} of its most, on average`);
  canvas.onmousemove = event => {
    const box = canvas.getBoundingClientRect();
    const t = state.from + Math.floor((event.clientX - box.left) / box.width * n) * step;
    tip(event, `${name}, cycle ${whole3(t)}\n${percent(shareAt(t, t + step))}`);
  };
  canvas.onmouseleave = event => tip(event, "");
  return row;
}

function heading(text) {
  const row = document.createElement("div");
  row.className = "row se";
  row.textContent = text;
  return row;
}

function drawServers() {
  const rows = [];
  for (const run of shownRuns()) {
    if (state.side === 2) rows.push(heading(`${run.letter}: ${run.label}`));
    for (const [resource, words] of meta.resources) {
      const metric = "busy." + resource, n = run.result.resources[resource]?.instances ?? 0;
      const tracks = tracksOf(run, metric, [...Array(Math.max(run.cus, run.ses, 1)).keys()]);
      if (tracks.length) rows.push(stripRow(run, resource, tracks, n, n, words));
    }
  }
  byId("servers").replaceChildren(...rows);
}

// What can be balanced over CUs: its name, its metrics, what a CU has of it, and how that is told.
const BALANCE = {
  waves: ["waves", () => meta.stages.map(s => "waves." + s), run => run.wavesPerCu, v => `${+v.toFixed(1)} waves`],
  lds: ["LDS bytes", () => meta.owners.map(o => "lds." + o), run => run.ldsBytes, bytes],
  valu: ["vector ALU issue", () => ["busy.valu"], run => run.simds, v => `${+v.toFixed(2)} SIMDs`],
  td: ["rays in the texture units", () => ["td_queue.rays"], run => run.wavesPerCu, v => `${+v.toFixed(1)} waves`],
};

// The highest mean of a bucket.
function highest(run, tracks) {
  let most = 0;
  for (let i = 0; i < run.buckets; i++) {
    most = Math.max(most, sum(tracks.map(track => track.sums[i])) / (bucketTime(run, i + 1) - bucketTime(run, i)));
  }
  return most;
}

function drawBalance() {
  const [, metricsOf, fullOf, tell] = BALANCE[byId("balance-what").value], rows = [];
  const cus = shownRuns().flatMap(run => [...Array(run.cus).keys()].map(cu => [run, cu, metricsOf().flatMap(m => tracksOf(run, m, [cu]))]));
  const bright = cus.reduce((most, [run, , tracks]) => Math.max(most, highest(run, tracks)), 0);
  for (const [run, cu, tracks] of cus) {
    if (cu === 0 || run.seOfCu[cu] !== run.seOfCu[cu - 1]) {
      rows.push(heading(`${state.side === 2 ? run.letter + ": s" : "S"}hader engine ${run.seOfCu[cu]}`));
    }
    rows.push(stripRow(run, "CU " + cu, tracks, fullOf(run), bright || 1));
  }
  byId("balance-hint").textContent = `The brightest colour is the most that a CU had, ${tell(bright)}; the numbers are shares of what a CU can have.`;
  byId("balance").replaceChildren(...rows);
}

// ---- The table of threadgroups ----

const COLUMNS = [["group", g => g.serial], ["CU", g => g.cu], ["patches", g => g.patches],
  ["mode", g => g.offchip ? "off-chip" : "on-chip"], ["admitted", g => g.begin], ["LS", g => g.lsEnd ? g.lsEnd - g.begin : 0],
  ["HS", g => g.decision - g.hsBegin], ["wait for DS", g => g.dsWaves ? g.dsBegin - g.decision : 0],
  ["DS", g => g.dsWaves ? g.dsEnd - g.dsBegin : 0], ["DS waves", g => g.dsWaves], ["LDS held", g => g.ldsFreed - g.begin],
  ["ended", g => g.end]];
let sortBy = 0, sortDown = false, groupsShown = GROUPS_AT_ONCE;

function drawGroups() {
  const both = state.side === 2;
  const rows = shownRuns().flatMap(run => run.groups.filter(g => g.end > state.from && g.begin < state.to).map(g => [run, g]));
  const key = COLUMNS[sortBy][1];
  rows.sort(([, a], [, b]) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (sortDown ? -1 : 1));
  const table = byId("groups");
  table.tHead.innerHTML = "<tr>" + (both ? "<th>run</th>" : "") + COLUMNS.map(([name], i) =>
    `<th class="n" scope="col"${i === sortBy ? ` aria-sort="${sortDown ? "descending" : "ascending"}"` : ""}><button type="button" data-column="${i}">${name}${i === sortBy ? (sortDown ? " ▾" : " ▴") : ""}</button></th>`).join("") + "</tr>";
  table.tBodies[0].innerHTML = rows.slice(0, groupsShown).map(([run, g]) => "<tr>" + (both ? `<td>${run.letter}</td>` : "") +
    COLUMNS.map(([, of]) => `<td class="n">${typeof of(g) === "number" ? whole3(of(g)) : of(g)}</td>`).join("") + "</tr>").join("");
  byId("groups-more").hidden = rows.length <= groupsShown;
  const stride = Math.max(...shownRuns().map(run => run.groupStride));
  byId("groups-hint").textContent = `${things(rows.length, "threadgroup")} in this span${stride > 1 ? `, of one in ${stride} that the page holds` : ""}; times in cycles.`;
}

// ---- Drawing ----

function drawRange() {
  const us = (state.to - state.from) / runs[0].clockMhz;
  byId("range").textContent = `cycles ${whole3(state.from)} to ${whole3(state.to)} (${time(us)})`;
}

// Sections by name: how they are drawn, and whether these runs have something to show there.
const SECTIONS = {
  waves: [drawWaves, () => true],
  lds: [drawMaps, () => runs.some(run => run.blocks.some(blocks => blocks.length > 0))],
  stalls: [drawStalls, () => hasTrack("stall.")],
  servers: [drawServers, () => hasTrack("busy.")],
  queues: [drawOthers, () => byId("other").options.length > 0],
  td: [drawTd, () => hasTrack("td_queue.")],
  lanes: [drawLanes, () => runs.some(hasLanes)],
  balance: [drawBalance, () => true],
  images: [() => {}, () => meta.images.length > 0],
  groups: [drawGroups, () => runs.some(run => run.groups.length > 0)],
};
const sectionOf = name => byId("h-" + name).closest("section");

function hideEmpty() {
  for (const [name, [, isUsed]] of Object.entries(SECTIONS)) sectionOf(name).hidden = !isUsed();
}

function drawAll() {
  drawRange();
  for (const [name, [draw]] of Object.entries(SECTIONS)) if (!sectionOf(name).hidden) draw();
}

function drawImages() {
  byId("images").replaceChildren(...meta.images.map(image => {
    const figure = document.createElement("figure"), picture = new Image(), caption = document.createElement("figcaption");
    picture.src = "data:image/png;base64," + image.png;
    picture.alt = image.alt;
    caption.textContent = image.title;
    figure.append(picture, caption);
    return figure;
  }));
}

// ---- Controls ----

function setSide(side) {
  state.side = side;
  for (const button of byId("runs").children) button.setAttribute("aria-pressed", String(+button.dataset.side === side));
  drawAll();
}

function makeControls() {
  const most = runs.reduce((a, b) => a.cus > b.cus ? a : b);
  const cus = [...Array(most.cus).keys()];
  fill(byId("unit"), [["all", "whole GPU"], ...Array.from({length: most.ses}, (_, i) => ["se" + i, "shader engine " + i]), ...cus.map(cu => ["cu" + cu, "CU " + cu])]);
  fill(byId("lds-cu"), cus.map(cu => [cu, cu]));
  byId("lds-cu").value = runs[0].fullestCu;
  fill(byId("stall-stage"), [["all", "all"], ...meta.stages.map(s => [s, s.toUpperCase()])]);
  fill(byId("balance-what"), Object.entries(BALANCE).filter(([, [, metricsOf]]) => metricsOf().some(hasTrack)).map(([key, [name]]) => [key, name]));
  const others = ["queue.vs", "queue.hs", "queue.ds", "queue.gs", "queue.ps", "queue.cs", "exports", "tf_ring", "offchip_buffers",
    "tess_blocked", "dram_read", "dram_written", "patches", "ds_threads", "primitives"];
  fill(byId("other"), others.filter(m => hasTrack(m + "/"))
    .map(m => [m, /^(dram|patches|ds_threads|primitives)/.test(m) ? m + " a cycle" : m]));
  if (runs.length > 1) {
    byId("runs").hidden = false;
    byId("runs").replaceChildren(...["A", "B", "A and B"].map((name, side) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.dataset.side = side;
      button.onclick = () => setSide(side);
      return button;
    }));
  }
  const on = (id, event, call) => byId(id).addEventListener(event, call);
  on("zoom-in", "click", () => zoomBy(.5));
  on("zoom-out", "click", () => zoomBy(2));
  on("pan-left", "click", () => panBy(-.25));
  on("pan-right", "click", () => panBy(.25));
  on("zoom-reset", "click", () => setZoom(whole().from, whole().to));
  on("unit", "change", event => {
    state.unit = event.target.value;
    if (state.unit.startsWith("cu")) byId("lds-cu").value = state.unit.slice(2);
    drawAll();
  });
  on("lds-cu", "change", drawMaps);
  on("stall-stage", "change", drawStalls);
  on("other", "change", drawOthers);
  on("balance-what", "change", drawBalance);
  on("groups-more", "click", () => { groupsShown += 5 * GROUPS_AT_ONCE; drawGroups(); });
  on("groups", "click", event => {
    const column = event.target.dataset?.column;
    if (column === undefined) return;
    sortDown = +column === sortBy && !sortDown;
    sortBy = +column;
    drawGroups();
  });
  document.addEventListener("keydown", event => {
    if (/^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {"+": () => zoomBy(.5), "=": () => zoomBy(.5), "-": () => zoomBy(2), "0": () => setZoom(whole().from, whole().to),
      ArrowLeft: () => panBy(-.25), ArrowRight: () => panBy(.25)};
    if (keys[event.key] && !event.target.closest(".scroll")) { keys[event.key](); event.preventDefault(); }
  });
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(drawAll, 150); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  // On paper all is light, and as wide as a page.
  const setPaper = isPaper => { document.documentElement.classList.toggle("paper", isPaper); drawAll(); };
  addEventListener("beforeprint", () => setPaper(true));
  addEventListener("afterprint", () => setPaper(false));
}

async function begin() {
  const [head, body] = await Promise.all([unpack("report-head"), unpack("report-body")]);
  meta = JSON.parse(new TextDecoder().decode(head));
  runs = meta.runs;
  const reader = new Reader(body);
  for (const run of runs) {
    run.metrics = meta.metrics;
    readRun(run, reader);
    run.exact = [...run.tracks.values()].some(track => track.times);
  }
  runs.forEach((run, i) => { run.letter = "AB"[i]; });
  Object.assign(state, whole());
  makeControls();
  drawImages();
  hideEmpty();
  byId("loading").hidden = true;
  setSide(runs.length > 1 ? 2 : 0);
  window.tesssim = {runs, state, setZoom, setSide, steps, tracksOf, charts}; // for those who want to look closer
  document.documentElement.dataset.ready = "yes";
}

begin().catch(error => {
  byId("loading").textContent = "The recording cannot be shown: " + error.message;
  throw error;
});

})();
