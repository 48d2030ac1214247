// What the page knows, in one place. Modules read `state`, change it with `set`, and are
// told by `on` when one of the values they named has changed.

export const state = {
  documents: [], // the maps that can be opened
  engines: [], // the engines that there are
  doc: null, // the facts of the open map
  tiles: null, // Uint8Array, 1 where a tile is free
  places: null, // Uint16Array per tile: zone, gate or wall
  levels: null, // Uint8Array per tile: the depth's level; 0 on walls
  lakes: null, // Uint16Array per tile: the lake that the water gave it
  layers: {},
  water: null, // the level down to which lakes are filled; null: all of it is decomposed
  tool: 'path',
  start: null,
  goal: null,
  chosen: ['astar', 'gateway-consistent'], // the two engines
  compare: false,
  results: [null, null], // answers for the two engines
  traces: [null, null],
  hover: null, // the tile under the pointer
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
