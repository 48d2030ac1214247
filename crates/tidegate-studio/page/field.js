// How far every tile is from the goal: fetched while its layer shows, newest first; and the way
// from a tile, step by step as the field says.

import * as api from './api.js';
import * as map from './map.js';
import { written } from './danger.js';
import { state, set, on } from './store.js';

const STRAIGHT = 5741; // the cost of a straight step
const NONE = 0xffff;
/** The steps by their number: E, S, W, N, SE, SW, NW, NE. */
const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
/** How many tiles may lie between contours. */
const SPACINGS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const MOST_CONTOURS = 20;

let key = '';
let running = null;

export function begin() {
  on(['layers', 'goal', 'doc', 'danger'], want);
}

const keyOf = () => {
  const { doc, goal, layers } = state;
  return layers.field && doc && goal && map.isFree(goal) ? JSON.stringify([doc.id, doc.walls, goal, written()]) : '';
};

async function want() {
  const now = keyOf();
  if (now === key || running) return;
  key = now;
  if (!now) return set({ field: null });
  const { doc, goal } = state;
  running = api.bytes(map.path(`/field?${new URLSearchParams({ goal: goal.join(), costs: written() })}`));
  try {
    const { buffer } = await running;
    if (state.doc.id === doc.id && state.doc.walls === doc.walls) set({ field: read(buffer, doc.width) });
  } catch (problem) {
    set({ field: null, message: { text: problem.message, bad: true } });
  } finally {
    running = null;
  }
  return want(); // the goal may have moved on meanwhile
}

function read(buffer, width) {
  const head = new DataView(buffer);
  const [unit, farthest, goal] = [4, 8, 12].map((at) => head.getUint32(at, true));
  const count = state.tiles.length;
  const values = new Uint16Array(buffer, 16, count);
  for (let i = 1; i < count; i++) values[i] += values[i - 1]; // they come as differences
  const most = farthest / STRAIGHT;
  return {
    most,
    spacing: SPACINGS.find((tiles) => most / tiles <= MOST_CONTOURS) ?? SPACINGS.at(-1),
    tiles: unit / STRAIGHT, // what a unit of the values is, in tiles
    values,
    steps: new Uint8Array(buffer, 16 + 2 * count, count),
    goal: [goal % width, Math.floor(goal / width)],
  };
}

/** Whether a value says that no way leads to the goal. */
export const isCutOff = (value) => value === NONE;

/** Whether the field is what the map shows. */
export const isShown = () => Boolean(state.layers.field && state.field && state.water === null);

/** The way from a tile to the goal: its tiles, its length, and what it costs (to a
    tenth of a tile); null if none leads there. */
export function wayFrom([x, y]) {
  const { field, doc: { width } } = state;
  if (isCutOff(field.values[y * width + x])) return null;
  const tiles = [[x, y]];
  const cost = field.values[y * width + x] * field.tiles;
  let length = 0;
  for (;;) {
    const step = STEPS[field.steps[y * width + x]];
    if (!step) return { tiles, length, cost };
    [x, y] = [x + step[0], y + step[1]];
    length += step[0] && step[1] ? Math.SQRT2 : 1;
    tiles.push([x, y]);
  }
}
