// The keyboard on the map: with the canvas in focus, arrow keys move a cursor from tile to
// tile, Enter presses there, and lets go where something is held. What happens is announced in a
// line for screen readers.

import { $ } from './dom.js';
import { state, set, on } from './store.js';
import { addPainter, camera, panes, redraw, visible } from './stage.js';
import { placeOf } from './map.js';
import { isShown as isFieldShown, wayFrom } from './field.js';
import { TOOLS } from './tools.js';

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let held = null;

export function begin() {
  const [{ canvas }] = panes;
  // The mouse focuses the canvas too; then arrow keys go on stepping through the search, until
  // Enter calls for the cursor.
  canvas.addEventListener('focus', () => canvas.matches(':focus-visible') && enter());
  canvas.addEventListener('blur', leave);
  canvas.addEventListener('pointerdown', leave);
  canvas.addEventListener('keydown', press);
  on(['doc'], () => state.cursor && !inside(state.cursor) && leave());
  on(['cursor'], () => {
    canvas.classList.toggle('steered', Boolean(state.cursor));
    redraw();
  });
  addPainter(paint);
}

const inside = ([x, y]) => x >= 0 && y >= 0 && x < state.doc.width && y < state.doc.height;

function enter() {
  if (!state.doc) return;
  const { goal, doc } = state;
  go(goal ?? [doc.width >> 1, doc.height >> 1]);
}

function leave() {
  held?.cancel();
  held = null;
  if (state.cursor) set({ cursor: null, hover: null });
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!state.cursor) {
    if (event.key === 'Enter') enter();
    return;
  }
  const step = STEPS[event.key];
  if (step) {
    const far = event.shiftKey ? 10 : 1;
    const { width, height } = state.doc;
    const [x, y] = state.cursor.map((v, i) => v + far * step[i]);
    go([Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)]);
  } else if (event.key === 'Enter') act(event);
  else if (event.key === 'Escape') {
    if (!held) return;
    held.cancel();
    held = null;
    tell('Left as it was.');
  } else return;
  event.preventDefault();
}

const where = () => ({ tile: state.cursor, x: state.cursor[0] + 0.5, y: state.cursor[1] + 0.5, exact: true });

/** Enter: presses, or lets go of what is held. */
function act(event) {
  const tool = TOOLS[state.tool];
  if (held) {
    const { up } = held;
    held = null;
    up(where(), event);
    return tell(`${at()}: let go.`);
  }
  held = tool.press(where());
  if (held) {
    held.move(where());
    return tell(`${at()}: ${held.what ?? 'brush'} held. Arrow keys move it, Enter lets go, Escape leaves it as it was.`);
  }
  const before = [state.start, state.goal, state.danger.length];
  tool.click(where(), event);
  const { length: discs } = state.danger;
  if (discs !== before[2]) return tell(`${at()}: danger ${discs > before[2] ? 'added' : 'taken away'}, ${discs} in all.`);
  if (state.start !== before[0]) return tell(`Start at ${at()}.`);
  return state.goal !== before[1] ? tell(`Goal at ${at()}.`) : undefined;
}

/** Moves the cursor with what it holds, and the map if it would leave the pane. */
function go(tile) {
  set({ cursor: tile, hover: tile });
  const [left, top, right, bottom] = visible(panes[0]);
  const [x, y] = tile;
  if (x < left + 1 || y < top + 1 || x > right - 2 || y > bottom - 2) camera.look(x + 0.5, y + 0.5, camera.scale);
  held?.move(where());
  tell(describe(tile));
}

const at = () => state.cursor.join(', ');

function describe(tile) {
  const { kind, id } = placeOf(tile);
  const pins = ['start', 'goal'].filter((name) => state[name]?.join() === tile.join());
  return [tile.join(', '), kind === 'wall' ? 'wall' : `${kind} ${id}`, ...pins, ...distance(tile, kind)].join(', ');
}

function distance(tile, kind) {
  if (!isFieldShown() || kind === 'wall') return [];
  const way = wayFrom(tile);
  return [way ? `${way.length.toFixed(1)} to the goal` : 'no way to the goal'];
}

function tell(text) {
  $('#spoken').textContent = text;
}

/** A frame around the tile, never too small to see. */
function paint(context, { pane, colours, unit }) {
  if (!state.cursor || pane !== 0) return;
  const [x, y] = state.cursor;
  const side = Math.max(1, 11 * unit);
  const box = [x + 0.5 - side / 2, y + 0.5 - side / 2, side, side];
  for (const [colour, width] of [[colours.pathEdge, 4.5], [colours.select, 2]]) {
    context.strokeStyle = colour;
    context.lineWidth = width * unit;
    context.strokeRect(...box);
  }
}
