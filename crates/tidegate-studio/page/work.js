// Saved and unsaved work: tells what was loaded with the map and what could not be, offers work
// that an earlier session did not save, and warns where work is not kept.

import * as api from './api.js';
import * as map from './map.js';
import { $, make, fill, count } from './dom.js';
import { state, set, on } from './store.js';
import { complain, say } from './message.js';
import * as edit from './edit.js';

const dismissed = new Set(); // what the person has read, by map and kind
let list;

export function begin() {
  list = make('div', { id: 'notices' });
  $('#stage').append(list);
  on(['doc'], show);
}

const nameOf = (file) => file.replace(/^.*[\\/]/, '');

const some = (n, name) => `${count(n)} ${name}${n === 1 ? '' : 's'}`;

const amount = ({ zones, gates }) => `${some(zones, 'zone')} and ${some(gates, 'gate')}`;

function show() {
  const { doc } = state;
  const { loaded, unfit } = doc.saved;
  const notices = [];
  if (doc.recovery) notices.push(recovery(doc.recovery));
  else if (loaded && doc.version === 1) {
    notices.push(notice('loaded', `Loaded ${loaded.files.map(nameOf).join(' and ')}: ${amount(loaded)}.`, loaded.files.join('\n'),
      make('button', { id: 'without', title: 'Show the map as its own file has it; undo brings this back', onclick: () => edit.change('original') }, 'Show without')));
  }
  if (unfit) {
    notices.push(notice('unfit', `${nameOf(unfit.file)} was not loaded and is left alone: ${unfit.why}. Saving asks before it is replaced.`, unfit.file));
  }
  if (state.saves && doc.dirty && !doc.autosaved && doc.autosave_error) {
    notices.push(notice('autosave', `Unsaved changes are lost if the program ends: ${doc.autosave_error}. Save them soon.`));
  }
  fill(list, notices);
}

/** One notice; it stays until it is read. */
function notice(kind, text, title, ...buttons) {
  const key = `${state.doc.id} ${kind}`;
  if (dismissed.has(key)) return null;
  const close = () => {
    dismissed.add(key);
    show();
  };
  return make('div.notice.float', { role: 'status', 'data-notice': kind, title }, make('span', {}, text), buttons,
    make('button.quiet', { title: 'Close', 'aria-label': 'Close', onclick: close }, '×'));
}

/** Work that was not saved: it must be decided on before anything is changed. */
function recovery(facts) {
  const when = new Date(facts.time * 1000).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  const walls = facts.walls_differ ? ', with painted walls' : '';
  return make('div.notice.float.warn', { role: 'alert', 'data-notice': 'recovery' },
    make('span', {}, make('b', {}, 'There is unsaved work on this map'), ` from ${when}: ${amount(facts)}${walls}.`),
    make('button.main', { id: 'restore', onclick: restore, title: 'Go on with it; undo brings back what you see now' }, 'Restore'),
    make('button', { id: 'discard', onclick: discard, title: 'Throw it away' }, 'Discard'));
}

async function restore() {
  try {
    await api.post(map.path('/recovery'), { version: state.doc.version });
    await map.refresh();
    set({ edits: (state.edits ?? 0) + 1 });
    say('Restored. It is still not saved: Ctrl+S saves it.');
  } catch (problem) {
    complain(problem);
  }
}

async function discard() {
  const agreed = await edit.agree('Discard the unsaved work?', 'It was kept when the last session ended without saving it, and cannot be brought back.', 'Discard it');
  if (!agreed) return;
  try {
    await api.remove(map.path('/recovery'));
    await map.refresh();
    say('Discarded.');
  } catch (problem) {
    complain(problem);
  }
}
