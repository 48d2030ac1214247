// The problems of a scenario: judged by an engine, sorted by how badly it does, clicked to be
// looked at.

import * as api from './api.js';
import * as map from './map.js';
import { $, make, fill, count, fixed, duration } from './dom.js';
import { state, set, on } from './store.js';
import { followEngines, jobRow } from './jobs.js';
import { table } from './table.js';
import { complain } from './message.js';
import { toggle } from './layers.js';

let list, job, engine, shown;
let known = ''; // map of the problems in the list
let problems = [];

const waste = (row) => (row.expanded === undefined ? 0 : row.expanded / Math.max(row.steps, 1));

const COLUMNS = [
  { name: '#', title: 'Number in the scenario', value: (r) => r.n, show: (r) => r.n },
  { name: 'length', title: 'Length of the best path', value: (r) => r.length, show: (r) => fixed(r.length, 1) },
  { name: 'expanded', title: 'Tiles that the engine expanded', value: (r) => r.expanded ?? 0, show: (r) => (r.expanded === undefined ? '' : count(r.expanded)) },
  { name: 'per step', title: 'Expansions for each step of the path: 1 would be perfect', value: waste, show: (r) => (r.expanded === undefined ? '' : waste(r).toFixed(1)) },
  { name: 'time', title: 'How long the engine took', value: (r) => r.micros ?? 0, show: (r) => (r.micros === undefined ? '' : duration(r.micros)) },
];

export function begin() {
  job = jobRow();
  list = table(COLUMNS, { choose });
  engine = make('select', { id: 'judge-engine', title: 'The engine to judge', 'aria-label': 'The engine to judge' });
  shown = make('p.note', { id: 'problems-note' });
  fill($('#problems'),
    make('div.tools-row', {}, engine,
      make('button.main', { id: 'judge', onclick: judge, title: 'Run every problem with this engine' }, 'Judge'),
      make('button', { id: 'scen', onclick: () => $('#file').click(), title: 'Load a .scen file' }, 'Load…'),
      make('button', { id: 'generate', onclick: generate, title: 'Make 200 problems for this map' }, 'Make'),
      job.element, shown),
    list.element);
  $('#problems').classList.add('flush');
  followEngines(engine);
  on(['doc', 'tab'], () => state.tab === 'problems' && load());
}

/** Fetches the list when the map is another one, or when it is told to. */
export async function load(again = false) {
  const { doc } = state;
  if (!doc || (known === doc.id && !again)) return;
  known = doc.id;
  const answer = await api.get(map.path('/problems'));
  problems = answer.problems;
  list.put(problems, { column: 1, down: true });
  note();
}

function note(text) {
  $('#judge').disabled = problems.length === 0;
  list.element.hidden = problems.length === 0;
  shown.textContent = text ?? (problems.length === 0
    ? 'This map has no problems yet: load a scenario, or make some.'
    : `${count(problems.length)} problems. Judge them to see which are hardest for an engine.`);
}

export async function judge() {
  if (problems.length === 0) return;
  try {
    const result = await job.run({ kind: 'judge', engine: engine.value, every: 1 });
    const byNumber = new Map(problems.map((problem) => [problem.n, problem]));
    const rows = result.rows.map((row) => ({ ...byNumber.get(row.n), ...row, length: byNumber.get(row.n).length }));
    list.put(rows, { column: 3, down: true });
    const longer = result.longer ? ` ${count(result.longer)} paths are longer than they need be.` : '';
    note(`${result.engine}: ${count(Math.round(result.mean_expanded))} expansions and ${duration(result.mean_micros)} on average.${longer}`);
  } catch (problem) {
    complain(problem);
  }
}

async function generate() {
  try {
    await api.upload(map.path('/problems?generate=200&seed=1'), new Blob([]));
    await load(true);
  } catch (problem) {
    complain(problem);
  }
}

function choose(row) {
  // The engine that was judged comes first: its search is the one that shows.
  const judged = row.expanded !== undefined && state.chosen[0] !== engine.value;
  const other = engine.value === state.chosen[1] ? state.chosen[0] : state.chosen[1];
  set({ start: row.from, goal: row.to, chosen: judged ? [engine.value, other] : state.chosen, water: null });
  toggle('search', true);
}
