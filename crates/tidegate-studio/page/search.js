// Asks the two engines about the query, newest first: while an answer is on its way, only the
// latest wish is kept. Traces are fetched when the search layer or the player wants them.

import * as api from './api.js';
import * as map from './map.js';
import { state, set, on } from './store.js';
import { Trace } from './layers/trace.js';
import { stateOf } from './tables.js';
import { written } from './danger.js';

const slots = [0, 1].map(() => ({ key: '', running: null, wanted: false }));
const traceKeys = ['', ''];
let shown = null; // the map that the keys are about

export function begin() {
  on(['start', 'goal', 'chosen', 'doc', 'danger'], () => {
    if (state.doc?.id !== shown) forget();
    ask(0);
    ask(1);
  });
  on(['layers', 'results', 'compare'], wantTraces);
}

const keyOf = (slot) => {
  const { doc, start, goal, chosen } = state;
  if (!doc || !start || !goal) return '';
  return JSON.stringify([doc.id, doc.version, start, goal, chosen[slot], usable(chosen[slot]), written()]);
};

/** How an engine's tables stand to the map. When they are built again it is asked again; when
    they are built for the first time it has its answer. */
const usable = (engine) => stateOf(engine) ?? 'current';

/** Another map: nothing that was asked matters any more. */
function forget() {
  shown = state.doc?.id;
  traceKeys.fill('');
  for (const slot of slots) {
    slot.running?.abort();
    slot.key = '';
  }
}

/** Which end cannot be stood on, if any. */
function blocked() {
  const { start, goal } = state;
  const on = (tile) => !map.isFree(tile);
  return on(start) ? 'The start is in a wall.' : on(goal) ? 'The goal is in a wall.' : null;
}

/** Why an engine cannot answer with the danger that there is; null if it can. */
function unable(name) {
  if (!state.danger.length || state.engines.find((engine) => engine.name === name)?.costs !== false) return null;
  const others = state.engines.filter(({ costs }) => costs).map((engine) => engine.name);
  return `${name} cannot go by danger: its tables or its jumps know only the map's own costs. These can: ${others.join(', ')}.`;
}

async function ask(slot) {
  const mine = slots[slot];
  const key = keyOf(slot);
  if (key === mine.key) return;
  if (mine.running) {
    mine.wanted = true;
    // A search of another map or engine would only be in the way; a dragged pin waits.
    if (!sameButEnds(mine.key, key)) mine.running.abort();
    return;
  }
  mine.key = key;
  if (!key) return put(slot, null);
  const why = blocked() ?? unable(state.chosen[slot]);
  if (why) return put(slot, { status: 'refused', message: why, key });
  const { start: from, goal: to, danger: costs, chosen: { [slot]: engine } } = state;
  mine.running = new AbortController();
  try {
    const answer = await api.ask(map.path('/search'), { engine, from, to, costs }, mine.running.signal,
      () => put(slot, { status: 'building', engine }));
    const result = await answer.json();
    if (keyOf(slot) === key || dragging(key, slot)) put(slot, { ...result, from, to, costs, key });
  } catch (problem) {
    if (problem.name !== 'AbortError') put(slot, { status: 'refused', engine, message: problem.message, key });
  } finally {
    mine.running = null;
    const again = mine.wanted;
    mine.wanted = false;
    if (again) ask(slot);
  }
}

const sameButEnds = (a, b) => {
  if (!a || !b) return false;
  const [x, y] = [JSON.parse(a), JSON.parse(b)];
  return [0, 1, 4, 5, 6].every((i) => x[i] === y[i]);
};

/** While a pin is dragged an answer that is a little late still helps the eye. */
const dragging = (key, slot) => state.dragging && sameButEnds(key, keyOf(slot));

function put(slot, result) {
  const results = [...state.results];
  results[slot] = result;
  set({ results });
}

/** Traces for what is shown, or none. */
export async function wantTraces() {
  if (!state.layers.search) return;
  for (const slot of state.compare ? [0, 1] : [0]) fetchTrace(slot);
}

async function fetchTrace(slot) {
  const result = state.results[slot];
  if (!result || state.dragging) return;
  const key = result.key ?? '';
  if (key === traceKeys[slot]) return;
  traceKeys[slot] = key;
  let trace = null;
  if (result.status === 'found' || result.status === 'unreachable') {
    const { engine, from, to, costs } = result;
    try {
      const answer = await api.ask(map.path('/trace'), { engine, from, to, costs });
      const buffer = await answer.arrayBuffer();
      trace = new Trace(buffer, state.doc.width, state.doc.height);
    } catch (problem) {
      if (problem.name !== 'AbortError') set({ message: { text: problem.message, bad: true } });
    }
  }
  if (traceKeys[slot] !== key) return; // a newer one is on its way
  const traces = [...state.traces];
  traces[slot] = trace;
  set({ traces });
}

/** The pins were let go: now traces may be fetched. */
export function settled() {
  set({ dragging: false });
  wantTraces();
}
