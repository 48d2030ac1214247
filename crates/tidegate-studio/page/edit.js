// Changes to the map: every one is asked of the server against the version we know, then
// what changed is fetched. Changes wait for each other, so none is made against an old version.

import * as api from './api.js';
import * as map from './map.js';
import { $, fill, make } from './dom.js';
import { state, set, on } from './store.js';
import { complain, say } from './message.js';

let queue = Promise.resolve();

const DONE = {
  add_gate: 'Gate added.', move_end: 'Gate moved.', remove_gate: 'Gate removed.', merge_zones: 'Zones merged.',
  split_zone: 'Zone divided.', paint: 'Walls changed.', undo: 'Undone.', redo: 'Done again.',
  decompose: 'All zones and gates were made anew.', revert: 'As it was opened.',
};

export function begin() {
  $('#undo').onclick = undo;
  $('#redo').onclick = redo;
  on(['doc'], show);
  window.addEventListener('beforeunload', (event) => {
    if (state.doc?.dirty) event.preventDefault();
  });
}

/** Makes a change; `null` if it was refused. */
export function change(op, fields = {}) {
  const result = queue.then(() => carryOut(op, fields));
  queue = result.catch(() => {});
  return result;
}

async function carryOut(op, fields) {
  // The numbers from before the change, to be shown beside those after it.
  const before = state.results.map((result) => (result?.status === 'found' ? result : null));
  try {
    const answer = await api.post(map.path('/edit'), { version: state.doc.version, op, ...fields });
    const facts = await answer.json();
    set({ before, selected: null, outline: null });
    await map.refresh();
    set({ edits: (state.edits ?? 0) + 1 });
    const more = ['undo', 'redo'].includes(op) ? '' : ' What it does to other problems: see Effect.';
    if (state.tab !== 'effect') say((DONE[op] ?? 'Changed.') + more);
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

/** What a change would do, without making it; `refused` tells why it cannot be made. */
export async function preview(op, fields, signal) {
  const body = { version: state.doc.version, op, dry: true, ...fields };
  return (await api.post(map.path('/edit'), body, signal)).json();
}

export const undo = () => state.doc.undo > 0 && change('undo');
export const redo = () => state.doc.redo > 0 && change('redo');

export function removeChosen() {
  const { selected } = state;
  if (selected?.kind === 'gate') change('remove_gate', { gate: selected.id });
}

function show() {
  const { doc } = state;
  $('#undo').disabled = doc.undo === 0;
  $('#redo').disabled = doc.redo === 0;
  $('#save').classList.toggle('dirty', doc.dirty);
  $('#save').title = doc.dirty ? 'Save: there are unsaved changes (Ctrl+S)' : 'Save the decomposition (Ctrl+S)';
}

/** Saves zones and gates (and painted walls) where the program was told to. */
export async function save() {
  await queue;
  try {
    const answer = await api.post(map.path('/save'), { version: state.doc.version, what: 'json' });
    const { file } = await answer.json();
    await map.refresh();
    say(`Saved ${file}`);
    return file;
  } catch (problem) {
    complain(problem);
    return null;
  }
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
