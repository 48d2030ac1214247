// The wall brush: its size and shape, its outline on the map, and painting with it.

import { $, $$, rove } from './dom.js';
import { state, set, on } from './store.js';
import { addPainter, redraw } from './stage.js';
import * as edit from './edit.js';

const MOST = 12;
const SHAPES = ['free', 'line', 'box'];
let size = 1; // how many tiles it reaches from its middle, counting that one
let shape = 'free';

export const isBrush = () => state.tool === 'wall' || state.tool === 'ground';
const across = () => 2 * size - 1;

export function begin() {
  $('#brush-less').onclick = () => resize(-1);
  $('#brush-more').onclick = () => resize(1);
  rove($('#brush .tools'), $$('[data-shape]'), (button) => take(button.dataset.shape));
  on(['tool', 'brush', 'shape'], show);
  on(['hover', 'brush', 'shape'], () => isBrush() && redraw());
  addPainter(outline);
  show();
}

export function resize(by) {
  size = Math.min(Math.max(size + by, 1), MOST);
  set({ brush: size });
}

function take(name) {
  shape = name;
  set({ shape });
}

/** The next shape. */
export function reshape() {
  if (isBrush()) take(SHAPES[(SHAPES.indexOf(shape) + 1) % SHAPES.length]);
}

function show() {
  $('#brush').hidden = !isBrush();
  $('#brush-size').textContent = `${across()} × ${across()}`;
  $('#brush-less').disabled = size === 1 || shape === 'box';
  $('#brush-more').disabled = size === MOST || shape === 'box';
  for (const button of $$('[data-shape]')) {
    button.setAttribute('aria-checked', button.dataset.shape === shape);
    button.tabIndex = button.dataset.shape === shape ? 0 : -1;
  }
}

/** Where the brush would paint, in a light and a dark line so that it shows on any ground. */
function outline(context, { colours, unit }) {
  const { hover } = state;
  if (!isBrush() || !hover || state.water !== null) return;
  const reach = shape === 'box' ? 1 : size;
  const box = [hover[0] - reach + 1, hover[1] - reach + 1, 2 * reach - 1, 2 * reach - 1];
  for (const [colour, width] of [[colours.casing, 3.4], [colours.select, 1.4]]) {
    context.strokeStyle = colour;
    context.lineWidth = width * unit;
    context.strokeRect(...box);
  }
}

/** Paints from a press on; the server is asked when the brush is lifted. */
export function paint(where, free) {
  const touched = new Map();
  const first = where.tile;
  let last = null;
  const { width, height } = state.doc;
  const put = (cell, is) => { state.tiles[cell] = is ? 1 : 0; };
  const cover = (left, top, right, bottom) => {
    for (let y = Math.max(top, 0); y <= Math.min(bottom, height - 1); y++) {
      for (let x = Math.max(left, 0); x <= Math.min(right, width - 1); x++) {
        const cell = y * width + x;
        if (Boolean(state.tiles[cell]) === free) continue;
        put(cell, free);
        touched.set(cell, [x, y]);
      }
    }
  };
  const along = (from, to) => {
    for (const [x, y] of line(from, to)) cover(x - size + 1, y - size + 1, x + size - 1, y + size - 1);
  };
  const wipe = () => {
    for (const cell of touched.keys()) put(cell, !free);
    touched.clear();
  };
  const draw = ({ tile }) => {
    if (!tile) return;
    const from = first ?? tile;
    if (shape !== 'free') wipe();
    if (shape === 'box') cover(Math.min(from[0], tile[0]), Math.min(from[1], tile[1]), Math.max(from[0], tile[0]), Math.max(from[1], tile[1]));
    else along(shape === 'line' ? from : last ?? tile, tile);
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
      wipe();
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
