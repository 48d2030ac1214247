// How large the unit is that paths, the distance to the goal and zones are for. A larger one has
// a map of its own on the server, which follows the map; it is looked at, not changed.

import * as map from './map.js';
import { $$, make } from './dom.js';
import { state, set, on } from './store.js';
import { camera } from './stage.js';
import { complain, say } from './message.js';

const SIZES = [1, 2, 3, 4];
const LOOKING = new Set(['path', 'danger']); // tools that change nothing on the server
let show = null; // opens a map

export function begin(opener) {
  show = opener;
  on(['doc', 'tool'], keepToLooking);
}

/** The row of the query's panel. */
export function row() {
  const pick = make('select', {
    id: 'unit',
    title: 'A larger unit stands at its upper left tile and needs all tiles that it covers',
    onchange: () => take(Number(pick.value)),
  }, SIZES.map((size) => make('option', { value: size }, `${size} × ${size}`)));
  on(['doc'], () => { pick.value = state.doc.unit; });
  return make('label.unit', {}, 'Unit size', pick);
}

/** The same view for a unit of another size; a pin that no longer fits goes to the nearest place. */
async function take(size) {
  const { start, goal, danger } = state;
  try {
    await show(map.idFor(size), { danger, view: [camera.x, camera.y, camera.scale] });
    const fitted = (tile) => tile && (map.nearestFree(tile) ?? null);
    set({ start: fitted(start), goal: fitted(goal) });
  } catch (problem) {
    complain(problem);
  }
}

/** The tools that change the map rest while a larger unit is looked at. */
function keepToLooking() {
  const larger = state.doc?.unit > 1;
  for (const button of $$('[data-tool]')) button.disabled = larger && !LOOKING.has(button.dataset.tool);
  if (!larger || LOOKING.has(state.tool)) return;
  set({ tool: 'path' });
  say('Zones and walls are changed at unit size 1.');
}
