/* What the scripts of all pages share: unpacking, numbers, colours, tips. */
"use strict";
const page = (() => {

const HEAT = [[0, 32, 77], [58, 78, 107], [124, 123, 120], [187, 173, 108], [255, 234, 70]]; // cividis

const byId = id => document.getElementById(id);
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const cssPixels = name => parseFloat(css(name)) * parseFloat(getComputedStyle(document.documentElement).fontSize); // of rem

// The data that the program put into the page under this id.
async function unpack(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// ---- Numbers ----

function si(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  for (const [unit, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (size >= unit) return +(value / unit).toPrecision(4) + letter;
  }
  return String(+value.toPrecision(3));
}

// Ticks that lie close together need more digits than si gives.
function ticks(values) {
  const step = values.length > 1 ? values[1] - values[0] : 0;
  const top = Math.max(...values.map(Math.abs));
  const [unit, letter] = top >= 1e9 ? [1e9, "G"] : top >= 1e6 ? [1e6, "M"] : top >= 1e4 ? [1e3, "k"] : [1, ""];
  let digits = 0;
  while (digits < 6 && Math.abs((step / unit * 10 ** digits) % 1) > 1e-6) digits++;
  return values.map(v => v === 0 ? "0" : (v / unit).toFixed(digits) + letter);
}

const whole3 = value => Math.round(value).toLocaleString("en-US");
const things = (count, thing) => `${whole3(count)} ${thing}${count === 1 ? "" : "s"}`;
const time = us => us < 1000 ? us.toFixed(3) + " µs" : (us / 1000).toFixed(3) + " ms";
const bytes = value => value >= 1024 ? +(value / 1024).toFixed(1) + " KiB" : value + " B";
const percent = share => (100 * share).toFixed(1) + " %";

// ---- Pieces ----

function tip(event, text) {
  const place = byId("tip");
  place.hidden = !text;
  place.textContent = text || "";
  if (text) {
    place.style.left = Math.min(event.clientX + 14, innerWidth - 220) + "px";
    place.style.top = Math.min(event.clientY + 14, innerHeight - 90) + "px";
  }
}

function sizeCanvas(canvas) {
  const box = canvas.getBoundingClientRect(), scale = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(box.width * scale));
  canvas.height = Math.max(1, Math.round(box.height * scale));
  return canvas.getContext("2d");
}

function heat(share) {
  const at = Math.min(Math.max(share, 0), 1) * (HEAT.length - 1), i = Math.min(Math.floor(at), HEAT.length - 2);
  return HEAT[i].map((c, k) => Math.round(c + (HEAT[i + 1][k] - c) * (at - i)));
}

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

return {byId, css, cssPixels, unpack, si, ticks, whole3, things, time, bytes, percent, tip, sizeCanvas, heat, fill};

})();
