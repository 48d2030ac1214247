// What the page knows, in one place. Modules read `state`, change it with `set`, and are
// called by `on` when one of the values they named has changed.

import { ENGINES } from './host.js';

export const state = {
  documents: [], // the maps that can be opened
  engines: [], // the engines that there are
  saves: true, // whether there are files that work can be saved to; else it is downloaded
  doc: null, // the facts of the open map
  tiles: null, // Uint8Array, 1 where a tile is free
  ground: null, // for a larger unit: as `tiles`, for the map itself; null for a unit of one tile
  places: null, // per tile: 0 wall, then zones, then gates
  altitudes: null, // { most, values }: distance to the nearest wall, in fifths of a tile
  lakes: null, // { levels, labels, times, … }: how the water rose
  field: null, // { values, steps, most, … }: how far every tile is from the goal
  danger: [], // discs that add to the cost of tiles: [x, y, radius, strength]
  lastEdit: null, // what the last edit of the walls took and did
  strokes: 0, // counts strokes of the wall brush that the server does not know yet
  layers: {},
  water: null, // the time at which the rising water is looked at; null: show the zones
  tool: 'path',
  start: null,
  goal: null,
  chosen: ENGINES, // the two engines
  compare: false,
  anyAngle: false, // whether the walk at any angle is shown
  walk: null, // { status, length, points, … }: that walk
  results: [null, null], // answers for the two engines
  traces: [null, null],
  hover: null, // the tile under the pointer
  cursor: null, // the tile that the keyboard is at; null: the keyboard is elsewhere
  panels: { left: true, right: true }, // whether they show
  tab: null, // which one shows in the right panel
  selected: null, // { kind: 'zone' | 'gate', id }
  theme: 'dark',
};

const listeners = [];

/** Calls `tell` after a change of any of the named values. */
export function on(names, tell) {
  listeners.push({ names: new Set(names), tell });
}

/** Changes values and tells those who asked. */
export function set(changes) {
  const changed = Object.keys(changes).filter((name) => state[name] !== changes[name]);
  if (changed.length === 0) return;
  Object.assign(state, changes);
  for (const { names, tell } of listeners) {
    if (changed.some((name) => names.has(name))) tell(changed);
  }
}
