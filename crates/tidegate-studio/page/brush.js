// The wall brush: its size, its outline on the map, and painting with it.

import { $, fill, make } from './dom.js';
import { state, set, on } from './store.js';
import { addPainter, redraw } from './stage.js';
import * as edit from './edit.js';

const MOST = 12;
let size = 1; // how many tiles it reaches from its middle, counting that one

const isBrush = () => state.tool === 'wall' || state.tool === 'ground';
const across = () => 2 * size - 1;

export function begin() {
  const text = make('output', { id: 'brush-size' });
  fill($('#brush'), 'Brush',
    make('button.quiet', { id: 'brush-less', title: 'Smaller brush ([)', 'aria-label': 'Smaller brush', onclick: () => resize(-1) }, '−'), text,
    make('button.quiet', { id: 'brush-more', title: 'Larger brush (])', 'aria-label': 'Larger brush', onclick: () => resize(1) }, '+'));
  on(['tool', 'brush'], show);
  on(['hover', 'brush'], () => isBrush() && redraw());
  addPainter(outline);
  show();
}

export function resize(by) {
  size = Math.min(Math.max(size + by, 1), MOST);
  set({ brush: size });
}

function show() {
  $('#brush').hidden = !isBrush();
  $('#brush-size').textContent = `${across()} × ${across()}`;
  $('#brush-less').disabled = size === 1;
  $('#brush-more').disabled = size === MOST;
}

/** Where the brush would paint, in a light and a dark line so that it shows on any ground. */
function outline(context, { colours, unit }) {
  const { hover } = state;
  if (!isBrush() || !hover || state.water !== null) return;
  const box = [hover[0] - size + 1, hover[1] - size + 1, across(), across()];
  for (const [colour, width] of [[colours.casing, 3.4], [colours.select, 1.4]]) {
    context.strokeStyle = colour;
    context.lineWidth = width * unit;
    context.strokeRect(...box);
  }
}

/** Paints from a press on; the server is asked when the brush is lifted. */
export function paint(where, free) {
  const touched = new Map();
  let last = null;
  const { width, height } = state.doc;
  const put = (cell, is) => { state.tiles[cell] = is ? 1 : 0; };
  const dab = (x, y) => {
    for (let ty = Math.max(y - size + 1, 0); ty < Math.min(y + size, height); ty++) {
      for (let tx = Math.max(x - size + 1, 0); tx < Math.min(x + size, width); tx++) {
        const cell = ty * width + tx;
        if (Boolean(state.tiles[cell]) === free) continue;
        put(cell, free);
        touched.set(cell, [tx, ty]);
      }
    }
  };
  const draw = ({ tile }) => {
    if (!tile) return;
    for (const [x, y] of line(last ?? tile, tile)) dab(x, y);
    last = tile;
    state.painting = true;
    set({ strokes: state.strokes + 1 });
  };
  draw(where);
  return {
    move: draw,
    up() {
      if (touched.size) edit.change('paint', { tiles: [...touched.values()], free });
      else state.painting = false;
    },
    cancel() {
      for (const cell of touched.keys()) put(cell, !free);
      state.painting = false;
      set({ strokes: state.strokes + 1 });
    },
  };
}

/** The tiles of a straight line. */
function* line([x0, y0], [x1, y1]) {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  for (let i = 0; i <= steps; i++) {
    const part = steps ? i / steps : 0;
    yield [Math.round(x0 + (x1 - x0) * part), Math.round(y0 + (y1 - y0) * part)];
  }
}
