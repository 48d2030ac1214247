// What each tool does with a press on the map; the right button paints the other of wall and
// ground. A press gives what is held from then on:
// `move(where)` follows it, `up(where, event)` lets go, `cancel()` leaves all as it was; null if
// nothing is held. `click(where, event)` is a press and release at one place.

import { state, set } from './store.js';
import { camera, redraw, addPainter } from './stage.js';
import { placeOf, isFree, whyNot } from './map.js';
import * as brush from './brush.js';
import * as danger from './danger.js';
import * as edit from './edit.js';
import * as search from './search.js';
import { say } from './message.js';

export function begin() {
  addPainter(paintDraft);
}

/** Whether a tile is under the pointer; fingers are thicker, the keyboard's cursor is exact. */
function near([x, y], where, pixels, lift = 0) {
  if (where.exact) return lift === 0 && where.tile[0] === x && where.tile[1] === y;
  const far = Math.hypot(where.x - x - 0.5, where.y - y - 0.5 + lift / camera.scale) * camera.scale;
  return far <= pixels * (where.finger ? 2 : 1);
}

export const TOOLS = {
  path: { press: holdPin, click: setEnd },
  gate: { press: holdGate, click: chooseGate },
  merge: { press: () => null, click: mergeAt },
  wall: { press: (where, event) => brush.paint(where, event?.button === 2) },
  ground: { press: (where, event) => brush.paint(where, event?.button !== 2) },
  danger: { press: () => null, click: danger.click },
};

/** Which pin is under the pointer: its tip or its head. */
function pinAt(where) {
  for (const name of ['goal', 'start']) {
    const tile = state[name];
    if (tile && (near(tile, where, 9) || near(tile, where, 12, 16))) return name;
  }
  return null;
}

function holdPin(where) {
  const name = pinAt(where);
  if (!name) return null;
  const from = state[name];
  set({ dragging: true });
  return {
    what: name,
    move: ({ tile }) => tile && isFree(tile) && set({ [name]: tile }),
    up({ tile }) {
      search.settled();
      if (!tile || !isFree(tile)) say(`A pin needs free ground: the ${name} stays at ${state[name].join(', ')}.`);
    },
    cancel() {
      set({ [name]: from });
      search.settled();
    },
  };
}

function setEnd({ tile }, event) {
  const looking = state.tab === 'regions';
  if (!tile) {
    if (!looking) say('That is outside the map.');
  } else if (looking) {
    const place = placeOf(tile);
    if (place.kind === 'wall') say(`${tile.join(', ')} is a wall: it belongs to no zone.`);
    else set({ selected: place });
  } else if (isFree(tile)) set({ [event.shiftKey || event.button === 2 ? 'start' : 'goal']: tile });
  else say(whyNot(tile));
}

/** The gate and the end of it under the pointer. */
function gateAt(where) {
  const { gate_list: gates } = state.doc;
  for (const gate of gates) {
    for (const end of ['a', 'b']) if (near(gate[end], where, 7)) return { gate, end };
  }
  const reach = where.exact ? 0.5 * camera.scale : where.finger ? 12 : 6;
  for (const gate of gates) if (toLine(gate, where) * camera.scale <= reach) return { gate };
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

function chooseGate(where) {
  const hit = gateAt(where);
  set({ selected: hit ? { kind: 'gate', id: hit.gate.id } : null });
}

/** A new gate, or an end of one that there is. */
function holdGate(where) {
  const hit = gateAt(where);
  if (hit) chooseGate(where);
  if ((hit && !hit.end) || !where.tile) return null;
  const from = hit ? hit.gate[hit.end === 'a' ? 'b' : 'a'] : where.tile;
  const [op, fields] = hit ? ['move_end', { gate: hit.gate.id, end: hit.end }] : ['add_gate', { from }];
  let moved = false;
  const drop = () => {
    asking?.abort();
    draft = null;
    redraw();
  };
  return {
    what: hit ? 'end of the gate' : 'gate',
    move({ tile }) {
      if (!tile || tile.join() === draft?.to?.join()) return;
      moved ||= tile.join() !== where.tile.join();
      draft = { from, to: tile, gate: draft?.gate };
      redraw();
      tryOut(op, { ...fields, to: tile });
    },
    up(at) {
      drop();
      if (moved) edit.change(op, { ...fields, to: at.tile ?? from });
      else chooseGate(at);
    },
    cancel: drop,
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
    // Asked again in the meantime.
  }
}

function mergeAt({ tile }) {
  const place = tile ? placeOf(tile) : null;
  const { selected } = state;
  if (place?.kind !== 'zone') say('Click inside a zone, then inside a neighbour.');
  else if (selected?.kind !== 'zone' || selected.id === place.id) set({ selected: place });
  else edit.change('merge_zones', { a: selected.id, b: place.id });
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

/** The shape of the mouse's arrow over a place. */
export function shape(where) {
  if (state.tool === 'path') return pinAt(where) ? 'grab' : 'crosshair';
  if (state.tool === 'gate') {
    const hit = gateAt(where);
    return hit?.end ? 'move' : hit ? 'pointer' : 'crosshair';
  }
  return state.tool === 'merge' ? 'pointer' : 'cell';
}
