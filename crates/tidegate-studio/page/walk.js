// The shortest walk at any angle between the pins: asked for while its switch is on, newest first.

import * as api from './api.js';
import * as map from './map.js';
import { $, make, fill, count, fixed, duration } from './dom.js';
import { state, set, on } from './store.js';

let key = '';
let running = false;

/** The switch and what it tells, for the panel of the query. */
export const row = () => make('div', { id: 'any-angle-row' },
  make('label.check', { title: 'The shortest walk of straight lines between the pins, not from tile to tile' },
    make('input', { type: 'checkbox', id: 'any-angle', onchange: () => set({ anyAngle: !state.anyAngle }) }), 'Any angle'),
  make('p.note', { id: 'any-angle-note', role: 'status' }));

export function begin() {
  on(['anyAngle', 'start', 'goal', 'doc'], want);
  on(['anyAngle', 'walk', 'results', 'danger'], show);
}

const keyOf = () => {
  const { anyAngle, doc, start, goal } = state;
  const asked = anyAngle && doc && start && goal && map.isFree(start) && map.isFree(goal);
  return asked ? JSON.stringify([doc.id, doc.walls, start, goal]) : '';
};

async function want() {
  const now = keyOf();
  if (now === key || running) return;
  key = now;
  if (!now) return set({ walk: null });
  const { start, goal } = state;
  running = true;
  try {
    const walk = await api.get(map.path(`/walk?${new URLSearchParams({ from: start.join(), to: goal.join() })}`));
    // A walk that is a little late still helps the eye while a pin is dragged.
    if (keyOf() === now || state.dragging) set({ walk: { ...walk, from: start, to: goal } });
  } catch (problem) {
    set({ walk: null, message: { text: problem.message, bad: true } });
  }
  running = false;
  return want(); // the pins may have moved on meanwhile
}

function show() {
  const { anyAngle, walk, danger } = state;
  $('#any-angle').checked = anyAngle;
  if (!anyAngle || !walk) return fill($('#any-angle-note'));
  if (walk.status !== 'found') return fill($('#any-angle-note'), 'No walk leads there: walls are in between.');
  const bends = Math.max(walk.points.length - 2, 0);
  const text = [make('b', {}, fixed(walk.length, 2)), ` tiles over ${count(bends)} ${bends === 1 ? 'bend' : 'bends'}, in ${duration(walk.micros)}`];
  const shortest = danger.length ? null : best(walk);
  if (shortest) text.push(`: ${(100 * (1 - walk.length / shortest)).toFixed(1)} % shorter than the path`);
  text.push(danger.length ? '; it knows nothing of danger.' : '.');
  return fill($('#any-angle-note'), ...text);
}

/** The length of the shorter path between the same ends, if there is one of more than a tile. */
function best(walk) {
  const same = (result) => result?.status === 'found' && String([result.from, result.to]) === String([walk.from, walk.to]);
  const lengths = state.results.filter(same).map(({ length }) => length).filter((length) => length > 0);
  return lengths.length ? Math.min(...lengths) : null;
}
