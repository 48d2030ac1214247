// What edits change: a sample of problems before and after, in sums and one by one.

import { $, make, fill, count, duration } from './dom.js';
import { state, set, on } from './store.js';
import { followEngines, jobRow } from './jobs.js';
import { table } from './table.js';
import { complain } from './message.js';
import { toggle } from './layers.js';

let job, engine, against, auto, sums, list;
let due = false; // whether the last edit is still to be measured

const gain = (row) => row.after.expanded - row.before.expanded;

const COLUMNS = [
  { name: 'problem', title: 'From and to', value: (r) => r.n, show: (r) => `${r.from.join(',')} → ${r.to.join(',')}` },
  { name: 'before', title: 'Expansions before', value: (r) => r.before.expanded, show: (r) => count(r.before.expanded) },
  { name: 'after', title: 'Expansions after', value: (r) => r.after.expanded, show: (r) => count(r.after.expanded) },
  { name: 'change', title: 'Expansions saved or added', value: gain, show: (r) => signed(gain(r)) },
];

const signed = (n) => make(`span.${n < 0 ? 'good' : n > 0 ? 'bad' : 'none'}`, {}, n === 0 ? '0' : `${n < 0 ? '−' : '+'}${count(Math.abs(n))}`);

export function begin() {
  job = jobRow();
  engine = make('select', { id: 'effect-engine', title: 'The engine to measure with', 'aria-label': 'The engine to measure with' });
  against = make('select', { id: 'effect-against', title: 'What to compare with', 'aria-label': 'What to compare with' },
    make('option', { value: 'previous' }, 'the last edit'), make('option', { value: 'opened' }, 'all edits'));
  auto = make('input', { type: 'checkbox', id: 'effect-auto', checked: true });
  sums = make('div', { id: 'effect-sums' });
  list = table(COLUMNS, { choose, sort: { column: 3, down: false } });
  fill($('#effect'),
    make('div.tools-row', {}, engine, against,
      make('button.main', { id: 'measure', onclick: measure, title: 'Run the sample before and after' }, 'Measure'),
      make('label.check', { title: 'Measure again after every edit' }, auto, 'after every edit'), job.element),
    sums, list.element);
  $('#effect').classList.add('flush');
  followEngines(engine);
  on(['edits'], () => { due = auto.checked && state.doc.undo > 0; });
  on(['edits', 'tab', 'panels'], measureIfSeen);
  on(['doc'], () => state.doc.undo === 0 && empty());
  empty();
}

function empty() {
  job.stop();
  list.element.hidden = true;
  fill(sums, make('p.empty', {}, 'Draw a gate, merge zones or paint a wall: this page then tells what it does to a sample of problems.'));
}

/** Measures what was edited, once somebody looks: until then the cores have better to do. */
function measureIfSeen() {
  if (!due || state.tab !== 'effect' || !state.panels.right) return;
  due = false;
  measure();
}

export async function measure() {
  if (state.doc.undo === 0) return;
  try {
    const result = await job.run({ kind: 'samples', engine: engine.value, against: against.value, count: 100 });
    show(result);
  } catch (problem) {
    complain(problem);
  }
}

function show(result) {
  const { before, after, better, worse, same } = result;
  const line = (name, from, to, format, noise = false) => {
    const part = from ? (to - from) / from : 0;
    const word = Math.abs(part) < 0.0005 ? '±0 %' : `${part < 0 ? '−' : '+'}${Math.abs(100 * part).toFixed(1)} %`;
    return make('div.compare', {}, make('span', {}, name),
      make('span', {}, format(from)), make('span', {}, '→'), make('b', {}, format(to)),
      make(`span.${noise ? 'none' : part < -0.0005 ? 'good' : part > 0.0005 ? 'bad' : 'none'}`, noise ? { title: 'The times of one and the same differ as much' } : {}, word));
  };
  fill(sums, make('div.card.sums', {},
    line('Expansions', before.expanded, after.expanded, count),
    line('Time', before.micros, after.micros, duration, alike(before, after)),
    make('p.note', {}, `${count(better)} of ${count(result.rows.length)} problems better, ${count(worse)} worse, ${count(same)} the same, with ${result.engine}.`)));
  list.element.hidden = false;
  list.put(result.rows);
}

/** Whether two times differ by no more than each of them varies. */
export const alike = (one, two) => Math.min(one.runs, two.runs) < 3 || (one.low <= two.high && two.low <= one.high);

function choose(row) {
  set({ start: row.from, goal: row.to, chosen: state.chosen.includes(engine.value) ? state.chosen : [state.chosen[0], engine.value], water: null });
  toggle('search', true);
}
