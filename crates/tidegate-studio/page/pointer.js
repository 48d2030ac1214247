// The pointer on the map: panning and zooming, and what each tool does with a press, a drag
// and a release.

import { $, $$ } from './dom.js';
import { state, set, on } from './store.js';
import { camera, panes, locate, redraw, addPainter, fit } from './stage.js';
import { placeOf, isFree } from './map.js';
import * as edit from './edit.js';
import * as search from './search.js';

let drag = null; // { move(where, event), up(where, event) }
export const brush = { size: 1 };

export function begin() {
  const stage = $('#stage');
  stage.addEventListener('pointerdown', down);
  stage.addEventListener('pointermove', move);
  stage.addEventListener('pointerup', up);
  stage.addEventListener('pointercancel', () => { drag = null; });
  stage.addEventListener('pointerleave', () => !drag && set({ hover: null }));
  stage.addEventListener('contextmenu', (event) => event.target.matches('canvas') && event.preventDefault());
  stage.addEventListener('wheel', wheel, { passive: false });
  $('#zoom-in').onclick = () => zoomBy(1.5);
  $('#zoom-out').onclick = () => zoomBy(1 / 1.5);
  $('#zoom-fit').onclick = fit;
  for (const button of $$('[data-tool]')) button.onclick = () => set({ tool: button.dataset.tool });
  on(['tool'], showTool);
  addPainter(paintDraft);
  showTool();
}

export function zoomBy(factor) {
  const [{ width, height }] = panes;
  camera.zoom(factor, width / 2, height / 2, width, height);
}

function wheel(event) {
  if (!event.target.matches('canvas')) return;
  event.preventDefault();
  const { pane, at } = locate(event);
  const lines = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
  camera.zoom(Math.exp(-lines / 400), at[0], at[1], pane.width, pane.height);
}

function down(event) {
  if (!event.target.matches('canvas') || !state.doc) return;
  const where = locate(event);
  event.target.setPointerCapture(event.pointerId);
  const panning = event.button === 1 || event.altKey;
  drag = (panning ? null : TOOLS[state.tool](where, event)) ?? pan(event);
}

function move(event) {
  if (!event.target.matches('canvas') || !state.doc) return;
  const where = locate(event);
  if (where.tile?.join() !== state.hover?.join()) set({ hover: where.tile });
  if (drag) drag.move(where, event);
  else event.target.style.cursor = cursor(where);
}

function up(event) {
  const mine = drag;
  drag = null;
  mine?.up?.(locate(event), event);
}

/** Drags the map; a press without a drag is a click. */
function pan(event, click) {
  let last = [event.clientX, event.clientY];
  let far = 0;
  return {
    move(_, next) {
      const [dx, dy] = [next.clientX - last[0], next.clientY - last[1]];
      far += Math.abs(dx) + Math.abs(dy);
      if (far < 4) return;
      last = [next.clientX, next.clientY];
      camera.pan(dx, dy);
    },
    up(where, next) {
      if (far < 4) click?.(where, next);
    },
  };
}

const near = ([x, y], where, pixels, lift = 0) =>
  Math.hypot(where.x - x - 0.5, where.y - y - 0.5 + lift / camera.scale) * camera.scale <= pixels;

const TOOLS = { path: pathTool, gate: gateTool, merge: mergeTool, wall: (w) => paintTool(w, false), ground: (w) => paintTool(w, true) };

/** Which pin is under the pointer: its tip or its head. */
function pinAt(where) {
  for (const name of ['goal', 'start']) {
    const tile = state[name];
    if (tile && (near(tile, where, 9) || near(tile, where, 12, 16))) return name;
  }
  return null;
}

function pathTool(where, event) {
  const name = pinAt(where);
  if (name) {
    set({ dragging: true });
    return {
      move: ({ tile }) => tile && isFree(tile) && set({ [name]: tile }),
      up: () => search.settled(),
    };
  }
  return pan(event, ({ tile }, next) => {
    if (!tile) return;
    const place = placeOf(tile);
    if (place.kind === 'wall') return;
    if (state.tab === 'regions') set({ selected: place });
    else set({ [next.shiftKey || next.button === 2 ? 'start' : 'goal']: tile });
  });
}

/** The gate and the end of it under the pointer. */
function gateAt(where) {
  const { gate_list: gates } = state.doc;
  for (const gate of gates) {
    for (const end of ['a', 'b']) if (near(gate[end], where, 7)) return { gate, end };
  }
  for (const gate of gates) if (toLine(gate, where) * camera.scale <= 6) return { gate };
  return null;
}

function toLine({ a, b }, { x, y }) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const [px, py] = [x - a[0] - 0.5, y - a[1] - 0.5];
  const part = Math.min(Math.max((px * dx + py * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(px - part * dx, py - part * dy);
}

let draft = null; // { from, to, gate }
let asking = null;

function gateTool(where, event) {
  const hit = gateAt(where);
  if (hit) set({ selected: { kind: 'gate', id: hit.gate.id } });
  if (hit && !hit.end) return pan(event);
  if (!where.tile) return null;
  const from = hit ? hit.gate[hit.end === 'a' ? 'b' : 'a'] : where.tile;
  const [op, fields] = hit ? ['move_end', { gate: hit.gate.id, end: hit.end }] : ['add_gate', { from }];
  let moved = false;
  return {
    move({ tile }) {
      if (!tile || tile.join() === draft?.to?.join()) return;
      moved ||= tile.join() !== where.tile.join();
      draft = { from, to: tile, gate: draft?.gate };
      redraw();
      tryOut(op, { ...fields, to: tile });
    },
    up({ tile }) {
      asking?.abort();
      draft = null;
      redraw();
      if (!moved) {
        if (!hit) set({ selected: null });
        return;
      }
      edit.change(op, { ...fields, to: tile ?? from });
    },
  };
}

/** Shows where the gate would come to lie; one question at a time. */
async function tryOut(op, fields) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  try {
    const answer = await edit.preview(op, fields, mine.signal);
    if (asking === mine && draft) {
      draft.gate = answer.gate ?? null;
      draft.refused = Boolean(answer.refused) || answer.gate?.separates === false;
      redraw();
    }
  } catch {
    // Asked anew in the meantime.
  }
}

function mergeTool(where, event) {
  return pan(event, ({ tile }) => {
    const place = tile ? placeOf(tile) : null;
    if (place?.kind !== 'zone') return;
    const { selected } = state;
    if (selected?.kind !== 'zone' || selected.id === place.id) set({ selected: place });
    else edit.change('merge_zones', { a: selected.id, b: place.id });
  });
}

function paintTool(where, free) {
  const touched = new Map();
  let last = null;
  const { width, height } = state.doc;
  const dab = (x, y) => {
    const reach = brush.size - 1;
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        const [tx, ty] = [x + dx, y + dy];
        if (tx < 0 || ty < 0 || tx >= width || ty >= height) continue;
        const cell = ty * width + tx;
        if (Boolean(state.tiles[cell]) === free) continue;
        state.tiles[cell] = free ? 1 : 0;
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

function paintDraft(context, { colours, unit }) {
  if (!draft) return;
  const between = (a, b, colour, width, dash) => {
    context.beginPath();
    context.moveTo(a[0] + 0.5, a[1] + 0.5);
    context.lineTo(b[0] + 0.5, b[1] + 0.5);
    context.setLineDash(dash);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  };
  context.lineCap = 'round';
  between(draft.from, draft.to, draft.refused ? colours.gate : colours.select, 1.4 * unit, [4 * unit, 5 * unit]);
  if (draft.gate) between(draft.gate.a, draft.gate.b, colours.manual, 4 * unit, []);
}

function cursor(where) {
  if (state.tool === 'path') return pinAt(where) ? 'grab' : 'crosshair';
  if (state.tool === 'gate') {
    const hit = gateAt(where);
    return hit?.end ? 'move' : hit ? 'pointer' : 'crosshair';
  }
  return state.tool === 'merge' ? 'pointer' : 'cell';
}

function showTool() {
  for (const button of $$('[data-tool]')) {
    button.setAttribute('role', 'radio');
    button.setAttribute('aria-checked', button.dataset.tool === state.tool);
  }
  if (state.tool === 'gate' && !state.layers.gates) set({ layers: { ...state.layers, gates: true } });
}
