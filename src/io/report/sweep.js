/* The page of a sweep: unpacks its results and draws heat maps, trade-offs and the table of points. */
"use strict";
(() => {

const {byId, css, unpack, si, ticks, heat, fill, tip} = page;

const WORD_COLOURS = ["#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999"]; // Okabe and Ito
const BINS_MOST = 64;        // of an axis; above that, neighbours share a cell
const PRINTED_MOST = 16;     // columns whose cells have room for their value
const LOG_FROM = 5;          // greatest by least, from which colours are logarithmic
const ROWS_AT_ONCE = 100;
const FRONT_MOST = 200;
const SECOND_METRICS = ["lds.mean_fraction", "memory.dram_bytes_read", "totals.ds_waves_offchip", "occupancy.mean_waves_per_cu"];

// ---- Data ----

let head, names, own, points, metrics;

const isNumber = value => typeof value === "number";
const unitOf = metric => head.metrics[metric]?.[0] ?? "";

function number(value) {
  if (!isNumber(value) || !isFinite(value)) return "–";
  return (Number.isInteger(value) || Math.abs(value) >= 1e4 ? Math.round(value) : +value.toPrecision(6)).toLocaleString("en-US", {maximumFractionDigits: 12});
}

// Runs of one point: what its row says of a metric.
function meanOf(runs, column) {
  if (runs.length === 1 || !isNumber(runs[0][column])) return runs[0][column];
  return runs.reduce((sum, run) => sum + run[column], 0) / runs.length;
}

function halfWidth(runs, column) {
  if (runs.length < 2 || !isNumber(runs[0][column])) return 0;
  const mean = meanOf(runs, column);
  return head.halfWidth * Math.sqrt(runs.reduce((sum, run) => sum + (run[column] - mean) ** 2, 0) / (runs.length - 1));
}

const columnOf = name => names.indexOf(name);
const valueOf = (point, metric) => meanOf(point.runs, columnOf(metric));

function valueText(point, metric) {
  const value = valueOf(point, metric), half = halfWidth(point.runs, columnOf(metric));
  if (value === null || value === undefined) return "";
  return (isNumber(value) ? number(value) : String(value)) + (half > 0 ? ` ± ${number(+half.toPrecision(3))}` : "");
}

const settingsOf = point => names.flatMap((name, i) => name.startsWith("set.") && point.runs[0]?.[i] != null
  ? [`${name.slice(4)}=${point.runs[0][i]}`] : []);
const variedOf = point => head.axes.map((axis, a) => axis.name.includes(",") ? axis.levels[levelOf(point, a)]
  : `${axis.name}=${axis.levels[levelOf(point, a)]}`);
const levelOf = (point, axis) => head.levels[point.number * head.axes.length + axis];

function readRows(rows) {
  names = rows[0];
  const status = columnOf("status"), error = columnOf("error"), id = columnOf("point");
  const groups = Array.from({length: head.points}, () => []);
  own = {runs: rows.slice(1, 1 + head.replications), number: -1};
  for (const row of rows.slice(1 + head.replications)) groups[row[id]].push(row);
  points = groups.map((runs, number) => {
    const bad = runs.find(run => run[status] !== "done");
    const state = bad ? "failed" : runs.length < head.replications ? "missing" : "done";
    return {number, runs, state, error: bad?.[error]};
  });
  own.state = own.runs.every(run => run[status] === "done") ? "done" : "failed";
  const done = points.filter(point => point.state === "done");
  metrics = names.filter(name => name in head.metrics && done.some(point => valueOf(point, name) !== valueOf(done[0], name)));
  if (!metrics.includes(head.rank)) metrics.unshift(head.rank);
  done.sort((a, b) => valueOf(a, head.rank) - valueOf(b, head.rank) || a.number - b.number);
  done.forEach((point, i) => { point.rank = i; });
}

const numeric = () => metrics.filter(metric => points.some(point => point.state === "done" && isNumber(valueOf(point, metric))));

// ---- The heat map ----

// Neighbouring levels of a long axis share a bin.
function binsOf(axis) {
  const levels = head.axes[axis].levels;
  const most = head.sampled ? Math.min(BINS_MOST, Math.max(4, Math.floor(Math.sqrt(head.points)))) : BINS_MOST;
  const size = Math.ceil(levels.length / most), n = Math.ceil(levels.length / size);
  const label = i => {
    const first = levels[i * size], last = levels[Math.min((i + 1) * size, levels.length) - 1];
    return first === last ? first : `${first} to ${last}`;
  };
  return {n, of: point => Math.floor(levelOf(point, axis) / size), label};
}

function fixedLevels() {
  return [...byId("map-fixed").querySelectorAll("select")].filter(select => select.value !== "")
    .map(select => [+select.dataset.axis, +select.value]);
}

const shownPoints = () => {
  const fixed = fixedLevels();
  return points.filter(point => fixed.every(([axis, level]) => levelOf(point, axis) === level));
};

// Of the points that share a cell, the best by the metric that ranks.
function bestBy(cellOf) {
  const cells = new Map();
  for (const point of shownPoints()) {
    const at = cellOf(point), before = cells.get(at);
    if (!before || (point.rank ?? Infinity) < (before.rank ?? Infinity)) cells.set(at, point);
  }
  return cells;
}

function colours(values) {
  if (values.some(value => !isNumber(value))) {
    const words = [...new Set(values)].sort();
    return {words, of: value => WORD_COLOURS[words.indexOf(value) % WORD_COLOURS.length]};
  }
  const low = Math.min(...values), high = Math.max(...values);
  const map = byId("map-log").checked && low > 0 ? Math.log : value => value;
  const share = value => high > low ? (map(value) - map(low)) / (map(high) - map(low)) : 0;
  return {low, high, log: map === Math.log, of: value => `rgb(${heat(share(value)).join(",")})`};
}

function isLight(colour) {
  const [r, g, b] = colour[0] === "#" ? [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16)) : colour.match(/\d+/g).map(Number);
  return .299 * r + .587 * g + .114 * b > 120;
}

function drawLegend(scale, metric) {
  const legend = byId("map-legend");
  if (scale.words) {
    legend.replaceChildren(...scale.words.map(word => {
      const item = document.createElement("span"), swatch = document.createElement("i");
      swatch.style.background = scale.of(word);
      item.append(swatch, word);
      return item;
    }));
    return;
  }
  const ramp = document.createElement("span");
  ramp.className = "ramp";
  ramp.style.background = `linear-gradient(to right, ${Array.from({length: 9}, (_, i) => `rgb(${heat(i / 8).join(",")})`).join(", ")})`;
  legend.replaceChildren(number(scale.low), ramp, `${number(scale.high)} ${unitOf(metric)}${scale.log ? ", logarithmic" : ""}`);
}

function cellText(point, metric) {
  if (!point) return "no point here";
  const of = `point ${point.number}: ${variedOf(point).join(" ")}`;
  return point.state === "done" ? `${metric} ${valueText(point, metric)} ${unitOf(metric)}\n${of}`
    : `${of}\n${point.state}${point.error ? ": " + point.error : ""}`;
}

function makeCell(point, metric, scale, printed) {
  const cell = document.createElement("td");
  cell.tabIndex = -1;
  cell.point = point;
  cell.setAttribute("aria-label", cellText(point, metric).replace("\n", ", "));
  if (point?.state === "done") {
    const value = valueOf(point, metric), colour = scale.of(value);
    cell.style.background = colour;
    cell.className = (isLight(colour) ? "light" : "dark") + (point.rank === 0 ? " best" : "");
    cell.dataset.value = value;
    if (printed) cell.textContent = isNumber(value) ? si(value) : value;
    else if (point.rank === 0) cell.textContent = "★";
  } else if (point) {
    cell.className = "failed";
    if (printed) cell.textContent = point.state;
  }
  return cell;
}

function header(text, scope) {
  const cell = document.createElement("th");
  cell.scope = scope;
  cell.textContent = text;
  return cell;
}

function drawMap(metric, x, y) {
  const across = binsOf(x), down = binsOf(y);
  const cells = bestBy(point => down.of(point) * across.n + across.of(point));
  const done = [...cells.values()].filter(point => point.state === "done");
  const scale = colours(done.map(point => valueOf(point, metric)));
  const printed = across.n <= PRINTED_MOST && across.n * down.n <= 400;
  const table = document.createElement("table"), caption = table.createCaption();
  caption.textContent = `${metric}: ${head.axes[x].name} across, ${head.axes[y].name} down`;
  const labels = Array.from({length: across.n}, (_, i) => across.label(i));
  table.createTHead().insertRow().append(header("", "col"), ...labels.map(label => header(label, "col")));
  const body = table.createTBody();
  for (let row = 0; row < down.n; row++) {
    body.insertRow().append(header(down.label(row), "row"),
      ...Array.from({length: across.n}, (_, i) => makeCell(cells.get(row * across.n + i), metric, scale, printed)));
  }
  byId("map").replaceChildren(table);
  byId("map").classList.toggle("dense", !printed);
  byId("map").classList.toggle("upright", !printed && labels.some(label => label.length > 2));
  const first = table.querySelector("td.best") ?? table.querySelector("td");
  if (first) first.tabIndex = 0;
  drawLegend(scale, metric);
}

function drawCurve(metric, axis) {
  const bins = binsOf(axis), cells = bestBy(point => bins.of(point));
  const of = (i, get) => cells.get(i)?.state === "done" ? get(cells.get(i)) : null;
  const all = Array.from({length: bins.n}, (_, i) => i);
  const labels = all.map(bins.label);
  const isScale = labels.every((text, i) => text !== "" && isFinite(text) && (i === 0 || +text > +labels[i - 1]));
  const column = columnOf(metric), y = all.map(i => of(i, point => valueOf(point, metric)));
  const spread = side => all.map(i => of(i, point => valueOf(point, metric) + side * halfWidth(point.runs, column)));
  const line = {label: metric, stroke: "#2a8bc8", width: 1.5, points: {show: bins.n <= 200, size: 6}, spanGaps: true};
  const series = [line], data = [isScale ? labels.map(Number) : all, y], bands = [];
  if (head.replications > 1) {
    const edge = {stroke: "#2a8bc888", width: 1, points: {show: false}, spanGaps: true};
    series.push({...edge, label: "95 % to"}, {...edge, label: "95 % from"});
    data.push(spread(1), spread(-1));
    bands.push({series: [2, 3], fill: "#2a8bc833"});
  }
  const step = Math.ceil(bins.n / 24);
  drawChart("curve", {data, series, bands, xLabel: head.axes[axis].name, yLabel: `${metric} (${unitOf(metric) || "1"})`,
    splits: isScale ? undefined : () => all.filter(i => i % step === 0), xTicks: isScale ? undefined : values => values.map(i => labels[i]),
    say: i => cellText(cells.get(i), metric)});
  byId("map-legend").replaceChildren();
}

function drawShape() {
  const metric = byId("map-metric").value, x = +byId("map-x").value, down = byId("map-y").value;
  const words = !isNumber(valueOf(points.find(point => point.state === "done"), metric));
  const others = head.axes.length - (down === "" ? 1 : 2);
  byId("map").hidden = down === "";
  byId("curve").hidden = down !== "";
  byId("map-log-label").hidden = down === "" || words;
  byId("map-readout").textContent = "";
  byId("map-hint").textContent = (head.metrics[metric]?.[1] ?? metric) + ". " + (others > 0 || head.sampled ? `Of the points that share a place, the one with the least ${head.rank} is shown. ` : "")
    + (down === "" ? "" : "Dark is little, bright is much; an orange frame marks the best point. ") + "Arrow keys move from place to place.";
  if (down === "") drawCurve(metric, x);
  else drawMap(metric, x, +down);
}

function chooseMetric() {
  const values = points.filter(point => point.state === "done").map(point => valueOf(point, byId("map-metric").value));
  const low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  byId("map-log").checked = low > 0 && high / low >= LOG_FROM;
}

// The axes that are neither across nor down have a value each, or all.
function chooseAxes() {
  const x = byId("map-x").value, down = byId("map-y").value;
  fill(byId("map-y"), [...head.axes.flatMap((axis, i) => String(i) === x ? [] : [[i, axis.name]]), ["", "nothing: a line"]]);
  byId("map-y").value = down !== x ? down : [...byId("map-y").options][0].value;
  byId("map-fixed").replaceChildren(...head.axes.flatMap((axis, i) => {
    if (String(i) === x || String(i) === byId("map-y").value) return [];
    const label = document.createElement("label"), select = document.createElement("select");
    select.dataset.axis = i;
    fill(select, [["", "best over all"], ...axis.levels.map((text, level) => [level, text])]);
    label.append(axis.name + " ", select, " ");
    return [label];
  }));
}

function moveInMap(event) {
  const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
  const cell = event.target.closest("td"), step = steps[event.key];
  if (!cell || !step) return;
  event.preventDefault();
  const row = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + step[0]];
  const next = row?.cells[cell.cellIndex + step[1]];
  if (next?.tagName !== "TD") return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// ---- Charts ----

const charts = {};

// xLabel, yLabel, data, series; say(i): words for the point at index i; order: indices for arrow keys.
function drawChart(id, chart) {
  const place = byId(id);
  const axis = {stroke: css("--ink"), grid: {stroke: css("--line"), width: 1}, ticks: {stroke: css("--line")}, labelSize: 22};
  charts[id]?.destroy();
  const plot = charts[id] = new uPlot({
    width: Math.max(place.clientWidth, 280), height: 320, padding: [8, 16, 0, 0], legend: {live: false},
    cursor: {drag: {x: false, y: false}, points: {show: false}, y: chart.nearest !== undefined},
    scales: {x: {time: false, range: chart.range}, y: {range: chart.range}},
    axes: [{...axis, space: 70, splits: chart.splits, values: (u, values) => (chart.xTicks ?? ticks)(values), label: chart.xLabel},
           {...axis, size: 70, values: (u, values) => ticks(values), label: chart.yLabel}],
    bands: chart.bands ?? [], series: [{label: chart.xLabel}, ...chart.series],
  }, chart.data, place);
  const order = chart.order ?? chart.data[0].map((x, i) => i);
  let at = -1;
  const show = (i, event) => {
    byId(id === "curve" ? "map-readout" : id + "-readout").textContent = i < 0 ? "" : chart.say(i).replace("\n", ", ");
    tip(event, i < 0 || event.key ? "" : chart.say(i));
  };
  plot.over.onmousemove = event => show(chart.nearest ? chart.nearest(plot, event) : plot.cursor.idx ?? -1, event);
  plot.over.onmouseleave = event => tip(event, "");
  place.onkeydown = event => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step || !order.length) return;
    event.preventDefault();
    at = Math.min(Math.max(at + step, 0), order.length - 1);
    const i = order[at], y = chart.data.slice(1).map(column => column[i]).find(isNumber) ?? 0;
    plot.setCursor({left: plot.valToPos(chart.data[0][i], "x"), top: plot.valToPos(y, "y")});
    show(i, event);
  };
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", `${chart.yLabel} by ${chart.xLabel}; arrow keys read values`);
}

// ---- Trade-offs ----

// Points that none beats in one metric without losing in the other, by the first.
function frontOf(candidates, x, y, xUp, yUp) {
  const sx = xUp ? -1 : 1, sy = yUp ? -1 : 1;
  const sorted = [...candidates].sort((a, b) => sx * (valueOf(a, x) - valueOf(b, x)) || sy * (valueOf(a, y) - valueOf(b, y)) || a.number - b.number);
  let least = Infinity;
  return sorted.filter(point => {
    const value = sy * valueOf(point, y);
    if (value >= least) return false;
    least = value;
    return true;
  });
}

function drawFront(front, x, y) {
  const table = byId("front"), settings = head.axes.map(axis => axis.name);
  table.tHead.replaceChildren();
  table.tHead.insertRow().append(header("point", "col"), header(x, "col"), header(y, "col"), ...settings.map(name => header(name, "col")));
  table.tBodies[0].replaceChildren(...front.slice(0, FRONT_MOST).map(point => {
    const row = document.createElement("tr");
    row.append(header(point.number, "row"));
    for (const text of [valueText(point, x), valueText(point, y), ...head.axes.map((axis, a) => axis.levels[levelOf(point, a)])]) row.insertCell().textContent = text;
    return row;
  }));
}

let front = [];

function drawPareto() {
  const x = byId("pareto-x").value, y = byId("pareto-y").value;
  const sorted = points.filter(point => point.state === "done" && isNumber(valueOf(point, x)) && isNumber(valueOf(point, y)))
    .sort((a, b) => valueOf(a, x) - valueOf(b, x));
  front = frontOf(sorted, x, y, byId("pareto-x-up").checked, byId("pareto-y-up").checked);
  const chosen = new Set(front), shown = own.state === "done" ? [...sorted, own].sort((a, b) => valueOf(a, x) - valueOf(b, x)) : sorted;
  const column = of => shown.map(point => of(point) ? valueOf(point, y) : null);
  const dots = (label, colour, size, fill) => ({label, stroke: colour, paths: () => null, points: {show: true, size, stroke: colour, fill: fill ?? colour}});
  byId("pareto-hint").textContent = `Each dot is a point. ${front.length} of them ${front.length === 1 ? "is" : "are"} beaten by no other in both metrics: the front, listed below`
    + (front.length > FRONT_MOST ? ` up to the ${FRONT_MOST}th.` : ".") + " Arrow keys go along it.";
  drawChart("pareto", {
    data: [shown.map(point => valueOf(point, x)), column(point => point !== own), column(point => chosen.has(point)), column(point => point === own)],
    series: [dots("points", css("--faint"), 5), {...dots("front", "#d55e00", 9), paths: uPlot.paths.linear(), width: 1.5, spanGaps: true}, dots("the scenario's own settings", "#0072b2", 12, "transparent")],
    xLabel: `${x} (${unitOf(x) || "1"})`, yLabel: `${y} (${unitOf(y) || "1"})`,
    range: (u, low, high) => { const edge = (high - low || Math.abs(high) || 1) * .04; return [low - edge, high + edge]; },
    order: shown.flatMap((point, i) => chosen.has(point) ? [i] : []),
    nearest: (plot, event) => {
      let best = -1, least = 400; // within 20 pixels
      shown.forEach((point, i) => {
        const d = (plot.valToPos(valueOf(point, x), "x") - event.offsetX) ** 2 + (plot.valToPos(valueOf(point, y), "y") - event.offsetY) ** 2;
        if (d < least) { least = d; best = i; }
      });
      return best;
    },
    say: i => `${x} ${valueText(shown[i], x)}, ${y} ${valueText(shown[i], y)}\n${shown[i] === own ? "the scenario's own settings" : `point ${shown[i].number}: ${variedOf(shown[i]).join(" ")}`}`,
  });
  drawFront(front, x, y);
}

// ---- The table ----

let sortBy = "", sortDown = false, rowsShown = ROWS_AT_ONCE;

const tableColumns = () => ["point", ...head.axes.map((axis, a) => a), ...metrics];

function keyOf(point, column) {
  if (column === "point") return point.number;
  return isNumber(column) ? levelOf(point, column) : valueOf(point, column) ?? Infinity;
}

function matches(point, words) {
  const text = ` ${[point.state, `point=${point.number}`, ...(point.runs.length ? settingsOf(point) : variedOf(point)), point.error ?? ""].join(" ")} `.toLowerCase();
  return words.every(word => text.includes(word.includes("=") ? ` ${word} ` : word));
}

function rowOf(point, columns) {
  const row = document.createElement("tr");
  row.append(header(point.number, "row"));
  for (const column of columns.slice(1)) {
    if (isNumber(column)) {
      row.insertCell().textContent = head.axes[column].levels[levelOf(point, column)];
    } else if (point.state === "done") {
      const cell = row.insertCell();
      cell.className = "n";
      cell.textContent = valueText(point, column);
    }
  }
  if (point.state !== "done") {
    const cell = row.insertCell();
    cell.colSpan = metrics.length;
    cell.className = "note";
    cell.textContent = point.state + (point.error ? ": " + point.error : "");
  }
  return row;
}

function drawPoints() {
  const words = byId("points-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const columns = tableColumns(), wanted = points.filter(point => matches(point, words));
  const column = sortBy === "" ? head.rank : sortBy, down = sortDown ? -1 : 1;
  wanted.sort((a, b) => (a.state !== "done") - (b.state !== "done") ||
    (keyOf(a, column) < keyOf(b, column) ? -down : keyOf(a, column) > keyOf(b, column) ? down : a.number - b.number));
  const row = document.createElement("tr");
  for (const name of columns) {
    const cell = header("", "col"), button = document.createElement("button");
    button.type = "button";
    button.column = name;
    button.textContent = (isNumber(name) ? head.axes[name].name : name) + (name === column ? (sortDown ? " ▾" : " ▴") : "");
    if (name in head.metrics) { button.title = `${head.metrics[name][1]} (${unitOf(name) || "1"})`; cell.className = "n"; }
    if (name === column) cell.setAttribute("aria-sort", sortDown ? "descending" : "ascending");
    cell.append(button);
    row.append(cell);
  }
  byId("points").tHead.replaceChildren(row);
  byId("points").tBodies[0].replaceChildren(...wanted.slice(0, rowsShown).map(point => rowOf(point, columns)));
  byId("points-more").hidden = wanted.length <= rowsShown;
  const failed = points.filter(point => point.state === "failed").length;
  byId("points-hint").textContent = `${wanted.length.toLocaleString("en-US")} of ${points.length.toLocaleString("en-US")} points` + (failed ? `, ${failed.toLocaleString("en-US")} failed in all` : "")
    + (head.replications > 1 ? `; means of ${head.replications} runs with 95 % intervals` : "") + ". Metrics that are the same everywhere are left out.";
}

// ---- Controls ----

function makeMapControls() {
  if (head.axes.length === 0 || !points.some(point => point.state === "done")) {
    byId("map-section").hidden = true;
    return;
  }
  fill(byId("map-metric"), metrics.map(metric => [metric, metric]));
  byId("map-metric").value = head.rank;
  fill(byId("map-x"), head.axes.map((axis, i) => [i, axis.name]));
  const long = head.axes.map((axis, i) => i).sort((a, b) => head.axes[b].levels.length - head.axes[a].levels.length);
  byId("map-x").value = long[Math.min(1, long.length - 1)]; // the longest goes down the page
  fill(byId("map-y"), head.axes.map((axis, i) => [i, axis.name]));
  byId("map-y").value = long.length > 1 ? long[0] : "";
  chooseAxes();
  chooseMetric();
  drawShape();
  byId("map-metric").onchange = () => { chooseMetric(); drawShape(); };
  byId("map-x").onchange = byId("map-y").onchange = () => { chooseAxes(); drawShape(); };
  byId("map-fixed").onchange = byId("map-log").onchange = drawShape;
  const map = byId("map"), metric = () => byId("map-metric").value;
  map.onmousemove = event => { const cell = event.target.closest("td"); tip(event, cell ? cellText(cell.point, metric()) : ""); };
  map.onmouseleave = event => tip(event, "");
  map.onkeydown = moveInMap;
  map.addEventListener("focusin", event => {
    const cell = event.target.closest("td");
    if (cell) byId("map-readout").textContent = cellText(cell.point, metric()).replace("\n", ", ");
  });
}

function makeParetoControls() {
  const list = numeric();
  if (list.length < 2) {
    byId("pareto-view").hidden = true;
    byId("pareto-hint").textContent = "This sweep has only one metric that differs from point to point. With a second one, such as --metrics elapsed_cycles,lds.mean_fraction or --metrics all, this part shows what one costs in terms of the other.";
    return;
  }
  for (const id of ["pareto-x", "pareto-y"]) fill(byId(id), list.map(metric => [metric, metric]));
  byId("pareto-x").value = list.includes(head.rank) ? head.rank : list[0];
  byId("pareto-y").value = [...SECOND_METRICS, ...list].find(metric => list.includes(metric) && metric !== byId("pareto-x").value);
  for (const id of ["pareto-x", "pareto-y", "pareto-x-up", "pareto-y-up"]) byId(id).onchange = drawPareto;
  drawPareto();
}

function makeTableControls() {
  byId("points-filter").oninput = () => { rowsShown = ROWS_AT_ONCE; drawPoints(); };
  byId("points-more").onclick = () => { rowsShown += 5 * ROWS_AT_ONCE; drawPoints(); };
  byId("points").tHead.onclick = event => {
    const column = event.target.closest("button")?.column;
    if (column === undefined) return;
    sortDown = column === (sortBy === "" ? head.rank : sortBy) && !sortDown;
    sortBy = column;
    drawPoints();
  };
  drawPoints();
}

function redraw() {
  if (!byId("map-section").hidden) drawShape();
  if (!byId("pareto-view").hidden) drawPareto();
}

async function begin() {
  const [first, rows] = await Promise.all([unpack("sweep-head"), unpack("sweep-rows")]);
  head = JSON.parse(new TextDecoder().decode(first));
  readRows(JSON.parse(new TextDecoder().decode(rows)));
  byId("loading").hidden = true;
  makeMapControls();
  makeParetoControls();
  makeTableControls();
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(redraw, 150); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  window.tesssim = {head, points, own, metrics, valueOf, charts, front: () => front}; // for those who want to look closer
  document.documentElement.dataset.ready = "yes";
}

begin().catch(error => {
  byId("loading").textContent = "The results cannot be shown: " + error.message;
  throw error;
});

})();
