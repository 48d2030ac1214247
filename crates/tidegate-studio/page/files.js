// Files in and out: maps, scenarios, decompositions and indexes opened by choice or by drop;
// pictures, traces and data exported.

import * as api from './api.js';
import * as map from './map.js';
import { $, make, fill, download } from './dom.js';
import { state, set, on } from './store.js';
import { panes, drawOn } from './stage.js';
import { complain, say } from './message.js';
import { agree, wouldLose } from './edit.js';
import * as problems from './problems.js';
import { UNSAVED } from './host.js';

export function begin(openMap) {
  $('#documents').onchange = (event) => openMap(event.target.value);
  $('#open').onclick = () => $('#file').click();
  $('#file').onchange = async (event) => {
    const [file] = event.target.files;
    event.target.value = '';
    if (file) await take(file, openMap);
  };
  on(['documents', 'doc'], showList);
  drops(openMap);
  exports();
}

function showList() {
  const { documents, doc } = state;
  const group = (label, origin) => {
    const some = documents.filter((d) => origin.includes(d.origin));
    return some.length ? make('optgroup', { label }, some.map(({ id, name, width, height }) =>
      make('option', { value: id, title: `${width} × ${height}`, selected: doc && id === map.plainId(doc.id) }, name))) : null;
  };
  fill($('#documents'), group('Your maps', ['file', 'upload']), group('Bundled maps', ['bundled']));
}

/** Sorts a file by its name: scenarios and decompositions belong to the open map. */
async function take(file, openMap) {
  try {
    if (/\.scen$/i.test(file.name)) {
      const { problems: n } = await api.upload(map.path('/problems'), file);
      await map.refresh();
      await problems.load(true);
      set({ tab: 'problems' });
      say(`${n} problems loaded from ${file.name}`);
    } else if (/\.json$/i.test(file.name)) {
      await api.upload(map.path(`/load?version=${state.doc.version}`), file);
      await map.refresh();
      set({ edits: (state.edits ?? 0) + 1 });
      say(`Zones and gates loaded from ${file.name}. Undo brings the old ones back.`);
    } else {
      const { id } = await api.upload(`/maps?name=${encodeURIComponent(file.name)}`, file);
      await map.list();
      await openMap(id);
    }
  } catch (problem) {
    problem.message = `${file.name}: ${problem.message}`;
    complain(problem);
  }
}

function drops(openMap) {
  const veil = $('#veil');
  let depth = 0;
  const over = (by) => {
    depth = Math.max(0, depth + by);
    document.body.classList.toggle('dropping', depth > 0);
    if (depth > 0) veil.textContent = 'Drop a map, an image, a scenario, a decomposition or an index';
  };
  addEventListener('dragenter', (event) => { event.preventDefault(); over(1); });
  addEventListener('dragleave', () => over(-1));
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    over(0);
    const [file] = event.dataTransfer.files;
    if (file) take(file, openMap);
  });
}

const EXPORTS = [
  ['What you see, as PNG', 'png', exportPng],
  ['Zones, gates and path, as SVG', 'svg', exportSvg],
  null,
  ['Search of engine 1, for Posthoc', 'json', () => exportTrace(0)],
  ['Search of engine 2, for Posthoc', 'json', () => exportTrace(1)],
  null,
  ['Zones and gates', 'json', () => pull('/decomposition', 'zones.json')],
  ['Map', 'map', () => pull('/map', 'map')],
  ['Index with both engines', 'tide', exportIndex],
];

function exports() {
  const menu = $('#export-menu');
  fill(menu, EXPORTS.map((entry) => (entry === null ? make('hr') : make('button', {
    'data-export': entry[1],
    onclick: () => {
      menu.hidden = true;
      Promise.resolve(entry[2]()).catch(complain);
    },
  }, entry[0], make('kbd', {}, `.${entry[1]}`)))));
  $('#export').onclick = (event) => {
    event.stopPropagation();
    menu.hidden = !menu.hidden;
  };
  addEventListener('click', (event) => {
    if (!menu.hidden && !menu.contains(event.target)) menu.hidden = true;
  });
}

/** The panes as they are, twice as fine. */
export async function exportPng() {
  const shown = panes.filter((pane) => !pane.element.hidden);
  const dense = 2;
  const widths = shown.map((pane) => Math.round(pane.width * dense));
  const whole = document.createElement('canvas');
  whole.width = widths.reduce((a, b) => a + b, 0);
  whole.height = Math.round(shown[0].height * dense);
  const context = whole.getContext('2d');
  let left = 0;
  shown.forEach((pane, i) => {
    const one = document.createElement('canvas');
    one.width = widths[i];
    one.height = whole.height;
    drawOn(one.getContext('2d', { alpha: false }), pane, dense);
    context.drawImage(one, left, 0);
    left += widths[i];
  });
  const blob = await new Promise((done) => whole.toBlob(done, 'image/png'));
  download(`${state.doc.id}.png`, blob);
}

async function exportSvg() {
  const { start, goal, results, layers } = state;
  const parts = new URLSearchParams({ labels: layers.numbers });
  const [result] = results;
  if (layers.path && result?.status === 'found') {
    parts.set('from', start.join());
    parts.set('to', goal.join());
    parts.set('path', result.turns.map((tile) => tile.join()).join(';'));
  }
  await pull(`/svg?${parts}`, 'svg');
}

async function exportTrace(slot) {
  const { start: from, goal: to, chosen, doc } = state;
  if (!from || !to) throw new Error('Set a start and a goal first.');
  set({ message: { text: 'Writing the search…', busy: true } });
  let kept, all, blob;
  try {
    const answer = await api.ask(map.path('/posthoc'), { engine: chosen[slot], from, to, costs: state.danger });
    [kept, all] = ['X-Tidegate-Events', 'X-Tidegate-All-Events'].map((name) => Number(answer.headers.get(name)));
    blob = await answer.blob();
  } finally {
    set({ message: null });
  }
  download(`${doc.id}.${chosen[slot]}.trace.json`, blob);
  if (kept < all) {
    say(`The file is cut: it has the first ${kept.toLocaleString('en')} of ${all.toLocaleString('en')} events of this search.`);
  }
}

async function exportIndex() {
  const answer = await api.post(map.path('/jobs'), { kind: 'tide', engines: [...new Set(state.chosen)], save: false });
  const { job } = await answer.json();
  set({ message: { text: 'Building the index…', busy: true } });
  await api.wait(job);
  set({ message: null });
  download(`${state.doc.id}.tide`, await api.blob(`/jobs/${job}/file`));
}

async function pull(route, ending) {
  download(`${state.doc.id}.${ending}`, await api.blob(map.path(route)));
}

/** Asks before work is thrown away. */
export const maySwitch = () => !UNSAVED || !wouldLose() || agree('Leave this map?', `It has changes that are not saved. ${UNSAVED}`, 'Leave it');

