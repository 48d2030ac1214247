// The ground as one bitmap, a pixel per tile: walls, ground, depth, zones, lakes or the
// distance to the goal. It is painted again only when what it shows has changed; panning and
// zooming draw it scaled.

import { state } from './store.js';
import * as palette from './palette.js';
import { isShown as isFieldShown } from './field.js';
import { paintField } from './layers/field.js';

const canvas = document.createElement('canvas');
let painted = [];

/** The bitmap, up to date. */
export function bitmap() {
  const { doc, tiles, places, altitudes, lakes, layers, water, theme } = state;
  const faint = layers.search && state.traces.some(Boolean) && water === null;
  const now = [doc, tiles, places, altitudes, lakes, water, theme, layers.zones, layers.depth, faint, state.strokes, layers.field, state.field, state.ground];
  if (now.some((value, i) => value !== painted[i])) {
    painted = now;
    paint(faint);
  }
  return canvas;
}

const small = document.createElement('canvas');
let shrunk = null; // the scale at which `small` shows the bitmap

/** The bitmap at a scale below 1, smoothed once, so that panning only copies it. */
export function shrink(scale) {
  const whole = bitmap();
  if (shrunk === scale) return small;
  shrunk = scale;
  small.width = Math.max(Math.round(whole.width * scale), 1);
  small.height = Math.max(Math.round(whole.height * scale), 1);
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'medium';
  context.drawImage(whole, 0, 0, small.width, small.height);
  return small;
}

function paint(faint) {
  shrunk = null;
  const { doc, layers, theme } = state;
  if (canvas.width !== doc.width || canvas.height !== doc.height) {
    canvas.width = doc.width;
    canvas.height = doc.height;
  }
  const context = canvas.getContext('2d');
  const image = context.createImageData(doc.width, doc.height);
  const out = new Uint32Array(image.data.buffer);
  const wall = palette.pixel(palette.parse(palette.colours(theme).wall));
  if (state.water !== null && state.lakes) paintWater(out, wall);
  else if (isFieldShown()) paintField(out, wall);
  else if (layers.depth && state.altitudes) paintDepth(out, wall);
  else paintZones(out, wall, faint);
  if (state.ground) dimTight(out);
  context.putImageData(image, 0, 0);
}

/** Ground where the unit does not fit. */
function dimTight(out) {
  const { tiles, ground, theme } = state;
  const dim = palette.pixel(palette.tight(theme));
  for (let i = 0; i < out.length; i++) if (ground[i] && !tiles[i]) out[i] = dim;
}

function paintZones(out, wall, faint) {
  const { doc, tiles, places, layers, theme } = state;
  const ground = palette.pixel(palette.ground(theme, faint));
  const shades = new Uint32Array(1 + doc.zones.length + doc.gate_list.length).fill(ground);
  if (layers.zones) {
    // Pockets stay as plain as ground without zones.
    doc.zones.forEach((zone, i) => { if (!zone.pocket) shades[i + 1] = palette.pixel(palette.zone(theme, zone.colour, faint)); });
  }
  for (let i = 0; i < out.length; i++) out[i] = tiles[i] ? shades[places[i]] : wall;
}

function paintDepth(out, wall) {
  const { tiles, altitudes: { values, most }, theme } = state;
  const shades = new Uint32Array(most + 1);
  // The square root spreads the shallows, where most tiles are.
  for (let d = 0; d <= most; d++) shades[d] = palette.pixel(palette.depth(theme, Math.sqrt(d / Math.max(most, 1))));
  for (let i = 0; i < out.length; i++) out[i] = tiles[i] ? shades[values[i]] : wall;
}

function paintWater(out, wall) {
  const { tiles, water, theme, lakes: { levels, labels, met, colours, times, highest } } = state;
  const dry = Uint32Array.from({ length: 256 }, (_, level) =>
    palette.pixel(palette.dry(theme, Math.min(level / Math.max(highest, 1), 1))));
  const wet = Uint32Array.from({ length: 8 }, (_, n) => palette.pixel(palette.lake(theme, n)));
  const shore = palette.pixel(palette.parse(palette.colours(theme).gate));
  for (let i = 0; i < out.length; i++) {
    if (!tiles[i]) out[i] = wall;
    else if (times[i] > water) out[i] = dry[levels[i]];
    else out[i] = met[i] ? shore : wet[colours[labels[i]]];
  }
}
