// Changes to the map: every one is asked of the server against the version we know, then
// what changed is fetched. Changes wait for each other, so none is made against an old version.

import * as api from './api.js';
import * as map from './map.js';
import { $, download, fill, make } from './dom.js';
import { state, set, on } from './store.js';
import { complain, say } from './message.js';

let queue = Promise.resolve();
let underway = 0; // changes that the server has not answered yet
let kept = ''; // the map and version that were last downloaded

const DONE = {
  add_gate: 'Gate added.', move_end: 'Gate moved.', remove_gate: 'Gate removed.', merge_zones: 'Zones merged.',
  split_zone: 'Zone divided.', undo: 'Undone.', redo: 'Done again.',
  decompose: 'All zones and gates were made again.', revert: 'As it was opened.', original: 'The map as its file has it.',
};

export function begin() {
  $('#undo').onclick = undo;
  $('#redo').onclick = redo;
  on(['doc'], show);
  window.addEventListener('beforeunload', (event) => {
    if (wouldLose()) event.preventDefault();
  });
}

/** Whether leaving now could lose work: the server keeps all that it knows of, if it can. */
export const wouldLose = () => underway > 0 || Boolean(state.painting) || Boolean(state.doc?.dirty && !state.doc.autosaved && kept !== `${state.doc.id} ${state.doc.version}`);

/** Makes a change; `null` if it was refused. */
export function change(op, fields = {}) {
  underway += 1;
  const result = queue.then(() => carryOut(op, fields)).finally(() => { underway -= 1; });
  queue = result.catch(() => {});
  return result;
}

async function carryOut(op, fields) {
  // The numbers from before the change, to be shown beside those after it.
  const before = state.results.map((result) => (result?.status === 'found' ? result : null));
  try {
    const answer = await api.post(map.path('/edit'), { version: state.doc.version, op, ...fields });
    const facts = await answer.json();
    set({ before, selected: null, outline: null, lastEdit: facts.edit ? { map: state.doc.id, ...facts } : null });
    await map.refresh();
    set({ edits: (state.edits ?? 0) + 1 });
    const more = ['undo', 'redo'].includes(op) ? '' : ' What it does to other problems: see Effect.';
    if (facts.gate && !facts.gate.separates) complain(new Error(useless(facts.gate)));
    else if (op !== 'paint' && state.tab !== 'effect') say((DONE[op] ?? 'Changed.') + more);
    return facts;
  } catch (problem) {
    if (problem.code === 'stale') {
      await map.refresh();
      complain(new Error('Another page changed this map in the meantime. It is shown as it is now; please try again.'));
    } else {
      if (state.painting) await map.refresh();
      complain(problem);
    }
    return null;
  }
}

/** What is the matter with a gate that does not separate two zones. */
export function useless({ number, zones }) {
  const where = zones.length ? `zone ${state.doc.zones[zones[0]].number} is on all sides of it` : 'there is nothing beside it';
  return `Gate ${number} separates nothing: ${where}. Drag its ends to walls or other gates, or undo.`;
}

/** What a change would do, without making it; `refused` tells why it cannot be made. */
export async function preview(op, fields, signal) {
  const body = { version: state.doc.version, op, dry: true, ...fields };
  return (await api.post(map.path('/edit'), body, signal)).json();
}

export const undo = () => state.doc.undo > 0 && change('undo');
export const redo = () => state.doc.redo > 0 && change('redo');

export function removeChosen() {
  const { selected } = state;
  if (selected?.kind !== 'gate') return;
  set({ selected: null }); // so that nobody asks about it any more
  change('remove_gate', { gate: selected.id });
}

function show() {
  const { doc } = state;
  $('#undo').disabled = doc.undo === 0;
  $('#redo').disabled = doc.redo === 0;
  $('#save').classList.toggle('dirty', doc.dirty);
  const kept = doc.autosaved ? ', kept until you save or undo them' : '';
  $('#save').title = doc.dirty ? `Save: there are unsaved changes${kept} (Ctrl+S)` : 'Save the decomposition (Ctrl+S)';
}

/** Saves zones and gates (and painted walls) where the program was told to. */
export async function save() {
  await queue;
  try {
    return await write(false);
  } catch (problem) {
    if (problem.code !== 'exists') complain(problem);
    else if (await agree('Replace the file?', `${problem.message}. If you replace it, what is in it now is lost.`, 'Replace it')) return write(true).catch(complain);
    return null;
  }
}

async function write(replace) {
  if (!state.saves) return pull();
  const answer = await api.post(map.path('/save'), { version: state.doc.version, what: 'json', replace });
  const { file } = await answer.json();
  await map.refresh();
  say(`Saved ${file}`);
  return file;
}

/** Where there are no files: the work as downloads. */
async function pull() {
  const { id } = state.doc;
  download(`${id}.zones.json`, await api.blob(map.path('/decomposition')));
  if (state.doc.walls > 1) download(`${id}.map`, await api.blob(map.path('/map')));
  kept = `${id} ${state.doc.version}`;
  return null;
}

/** Asks in a dialog; true if the person agrees. */
export function agree(title, text, yes) {
  const dialog = $('#ask');
  return new Promise((done) => {
    const end = (answer) => { dialog.close(); done(answer); };
    fill(dialog, make('h1', {}, title), make('p.note', {}, text),
      make('div.buttons', {}, make('button', { onclick: () => end(false) }, 'Cancel'),
        make('button.main', { onclick: () => end(true) }, yes)));
    dialog.oncancel = () => done(false);
    dialog.showModal();
  });
}
