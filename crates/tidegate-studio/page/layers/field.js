// The field of distances as colours with contours, and the way from the tile under the pointer.

import { state } from '../store.js';
import { isCutOff, isShown, wayFrom } from '../field.js';
import * as palette from '../palette.js';
import { centre } from './paths.js';

const SHADES = 256;

/** Colours for the whole map, a pixel per tile. */
export function paintField(out, wall) {
  const { doc: { width }, tiles, theme, field: { values, most, tiles: unit, spacing } } = state;
  const colours = Array.from({ length: SHADES }, (_, i) => palette.far(i / (SHADES - 1)));
  const shades = Uint32Array.from(colours, palette.pixel);
  const lines = Uint32Array.from(colours, (colour) => palette.pixel(palette.contour(colour)));
  const cutOff = [0, 1].map((n) => palette.pixel(palette.cutOff(theme, n)));
  const scale = (SHADES - 1) * unit / Math.max(most, unit);
  const band = spacing / unit;
  const level = (i) => (isCutOff(values[i]) ? -1 : Math.floor(values[i] / band));
  for (let i = 0, x = 0, y = 0; i < out.length; i++) {
    if (!tiles[i]) out[i] = wall;
    else if (isCutOff(values[i])) out[i] = cutOff[(x + y) % 6 < 2 ? 1 : 0];
    else {
      // The far side of a contour has the line.
      const here = level(i);
      const under = (other) => other >= 0 && other < here;
      const edge = here > 0 && (under(x > 0 ? level(i - 1) : -1) || under(x + 1 < width ? level(i + 1) : -1)
        || under(level(i - width)) || under(level(i + width)));
      out[i] = (edge ? lines : shades)[Math.min(Math.round(values[i] * scale), SHADES - 1)];
    }
    if (++x === width) {
      x = 0;
      y += 1;
    }
  }
}

/** The way from the tile under the pointer, dashed so that it is not taken for the path. */
export function paintWay(context, { unit, colours }) {
  if (!isShown() || !state.hover) return;
  const way = wayFrom(state.hover);
  if (!way) return;
  centre(context);
  context.beginPath();
  way.tiles.forEach(([x, y], i) => (i ? context.lineTo(x + 0.5, y + 0.5) : context.moveTo(x + 0.5, y + 0.5)));
  context.lineJoin = 'round';
  context.strokeStyle = colours.pathEdge;
  context.lineWidth = 4.4 * unit;
  context.stroke();
  context.setLineDash([5 * unit, 3 * unit]);
  context.strokeStyle = colours.path;
  context.lineWidth = 2 * unit;
  context.stroke();
}
