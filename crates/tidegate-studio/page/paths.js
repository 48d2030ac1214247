// The panel of the query: two engines, their answers in numbers, and which did better.

import { $, make, fill, count, fixed, duration } from './dom.js';
import { state, set, on } from './store.js';
import { panes, redraw } from './stage.js';
import { ends } from './ends.js';
import * as unit from './unit.js';
import * as walk from './walk.js';
import { stateOf } from './tables.js';

const cards = [];
const STRAIGHT = 5741; // the cost of a straight step

export function begin() {
  cards.push(card(0), card(1));
  fill($('#paths'), ends(), unit.row(), cards.map(({ element }) => element), make('p.verdict', { id: 'verdict' }), walk.row(),
    make('label.check', { title: 'Both searches at the same place, at the same pace (B)' },
      make('input', { type: 'checkbox', id: 'compare', onchange: () => set({ compare: !state.compare }) }),
      'Show the two searches side by side'));
  on(['engines'], fillEngines);
  on(['chosen', 'engines', 'results', 'before', 'doc'], show);
  on(['compare'], () => {
    $('#compare').checked = state.compare;
    $('.pane[data-pane="1"]').hidden = !state.compare;
  });
  on(['compare', 'chosen', 'results'], captions);
}

/** A card's parts: built once, so that a list stays open and keeps the focus. */
function card(slot) {
  const pick = make('select', {
    id: `engine-${slot}`,
    'aria-label': `Engine ${slot + 1}`,
    onchange: () => set({ chosen: state.chosen.with(slot, pick.value) }),
  });
  const numbers = make('div', {});
  const promise = make('div.promise', {});
  const element = make('div.card', { id: `card-${slot}` },
    make('header', {}, make(`span.badge.${'ab'[slot]}`, {}, slot + 1), pick), numbers, promise);
  return { element, pick, numbers, promise };
}

function fillEngines() {
  for (const { pick } of cards) {
    fill(pick, state.engines.map(({ name, about }) => make('option', { value: name, title: about }, name)));
  }
}

function show() {
  cards.forEach(({ pick, numbers, promise }, slot) => {
    const engine = state.engines.find(({ name }) => name === state.chosen[slot]);
    pick.value = state.chosen[slot];
    pick.title = engine?.about ?? '';
    fill(numbers, body(state.results[slot], slot));
    const late = behind(state.results[slot]);
    promise.textContent = late ?? (engine ? `${engine.promise} · ${engine.about}` : '');
    promise.classList.toggle('behind', Boolean(late));
    promise.title = promise.textContent;
  });
  fill($('#verdict'), ...verdict());
}

function body(result, slot) {
  if (result?.status === 'refused') return make('div.message.bad', {}, result.message);
  if (result?.status === 'building') return make('div.message', {}, 'Building its tables…');
  if (result?.status === 'unreachable') return make('div.message', {}, 'No path leads there: walls are in between.');
  const found = result?.status === 'found';
  const most = Math.max(...state.results.map((r) => r?.expanded ?? 0), 1);
  const share = make('i', {});
  share.style.width = `${found ? Math.max((100 * result.expanded) / most, 0.5) : 0}%`;
  share.style.background = ['#4a90d9', '#d98a3d'][slot];
  return make('div', {},
    make('div.numbers', {},
      number(found ? fixed(result.length, 2) : '–', 'length', found ? lengths(result) : 'Length of the path in tiles'),
      number(found ? count(result.expanded) : '–', 'expanded', 'Tiles taken from the open list', change(result, slot)),
      number(found ? duration(result.micros) : '–', 'time', found ? spread(result) : 'How long it took')),
    make('div.bar-of', { title: 'Expansions, beside the other engine' }, share));
}

/** Where an engine's tables have fallen behind an edit: how it is answered all the same. */
function behind(result) {
  const { engine, answered_by: by } = result ?? {};
  const is = result?.status === 'found' ? stateOf(engine) : null;
  if (!is || is === 'current') return null;
  const later = state.doc.background.pending ? ', which are being built again' : '';
  const text = by !== engine ? `Answered by ${by}: an edit has overtaken its tables${later}.` : `${NAMES[is]}${later}.`;
  return text;
}

const NAMES = {
  aged: 'With tables that were often repaired', overlay: 'With tables of before and the edits over them',
  bounds: 'With tables of before the edit as lower bounds', stale: 'Without its tables',
};

const lengths = ({ length, walk, waypoints, cost, costs }) =>
  `Length of the path in tiles; pulled straight ${fixed(walk ?? length, 2)} over ${count(waypoints.length)} waypoints${
    costs.length ? `; with danger it costs ${fixed(cost / STRAIGHT, 2)}` : ''}`;

/** Where a time comes from. */
const spread = ({ runs, low, high }) => (runs === 1 ? 'One run'
  : `Median of ${runs} runs; half of them took ${duration(low)} to ${duration(high)}`);

/** How expansions moved with the last edit. */
function change(result, slot) {
  const old = state.before?.[slot];
  const same = old && result?.status === 'found' && old.engine === result.engine && old.answered_by === result.answered_by
    && String(old.from) === String(result.from) && String(old.to) === String(result.to);
  if (!same || old.version === result.version) return null;
  const part = (result.expanded - old.expanded) / Math.max(old.expanded, 1);
  const percent = Math.round(part * 100);
  return make(`span.${percent < 0 ? 'good' : percent > 0 ? 'bad' : 'none'}`, { title: `${count(old.expanded)} before the last edit` },
    percent === 0 ? ' ±0' : ` ${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`);
}

const number = (value, name, title, extra = null) =>
  make('div.number', { title }, make('b', {}, value), make('span', {}, name, extra));

function verdict() {
  const [one, two] = state.results;
  if (state.doc?.free === 0) return ['This map is all wall. Paint some ground (5), or open another map.'];
  if (one?.status !== 'found' || two?.status !== 'found') {
    return ['Click the map for a goal, shift-click for a start, or drag the pins.'];
  }
  const ratio = one.expanded / Math.max(two.expanded, 1);
  const [better, worse] = ratio >= 1 ? [two, one] : [one, two];
  const times = worse.expanded / Math.max(better.expanded, 1);
  const text = one.expanded + two.expanded === 0 ? ['Both answer without a search.']
    : better.expanded === 0 ? [make('b', {}, better.engine), ` answers without a search; ${worse.engine} expands ${count(worse.expanded)} tiles.`]
    : times < 1.05 ? ['Both look at about as many tiles.']
    : [make('b', {}, better.engine), ` expands ${times < 10 ? times.toFixed(1) : count(Math.round(times))} times fewer tiles than ${worse.engine}.`];
  const extra = Math.abs(one.cost - two.cost);
  const danger = one.costs.length > 0;
  if (extra === 0) text.push(danger ? ' With danger the paths cost the same.' : ' The paths are equally long.');
  else {
    const [long, short] = one.cost > two.cost ? [one, two] : [two, one];
    text.push(` The path of ${long.engine} is ${((100 * extra) / short.cost).toFixed(2)} % ${danger ? 'dearer with danger' : 'longer'}.`);
  }
  return text;
}

function captions() {
  for (const pane of panes) {
    const caption = pane.element.querySelector('.caption');
    const result = state.results[pane.index];
    fill(caption);
    if (!state.compare) continue;
    fill(caption, make('b', {}, state.chosen[pane.index]),
      result?.status === 'found' ? ` · ${count(result.expanded)} expanded` : '');
  }
  redraw();
}
