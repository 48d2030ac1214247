// Long work: starts a job, shows its progress in a row with a button to cancel it.

import * as api from './api.js';
import * as map from './map.js';
import { fill, make } from './dom.js';
import { on, state } from './store.js';

/** A list of engines that shows the one of the two that is guided by tables, until the person
    chooses another. */
export function followEngines(list) {
  let picked = false;
  list.addEventListener('change', () => { picked = true; });
  on(['engines', 'chosen'], (changed) => {
    if (changed.includes('engines')) fill(list, state.engines.map(({ name }) => make('option', { value: name }, name)));
    if (!picked) list.value = state.chosen.find((name) => name !== 'astar') ?? state.chosen[0];
  });
}

/** A row with a bar; `run(body)` gives the result. */
export function jobRow() {
  const fillBar = make('i', {});
  const text = make('span.note', {});
  const cancel = make('button.quiet', { title: 'Cancel', hidden: true }, '✕');
  const element = make('div.row.job', { hidden: true }, make('div.progress', {}, fillBar), text, cancel);
  let running = null;

  async function run(body) {
    stop();
    const mine = { controller: new AbortController(), job: null };
    running = mine;
    fillBar.style.width = '0';
    text.textContent = '';
    element.hidden = false;
    cancel.hidden = false;
    cancel.onclick = () => stop();
    try {
      const { job } = await (await api.post(map.path('/jobs'), body, mine.controller.signal)).json();
      mine.job = job;
      return await api.wait(job, mine.controller.signal, ({ done, total, state: at }) => {
        fillBar.style.width = `${total ? (100 * done) / total : 0}%`;
        text.textContent = at === 'waiting' ? 'waiting' : total ? `${done} / ${total}` : '';
      });
    } finally {
      if (running === mine) {
        running = null;
        element.hidden = true;
      }
    }
  }

  function stop() {
    if (!running) return;
    if (running.job !== null) api.remove(`/jobs/${running.job}`).catch(() => {});
    running.controller.abort();
    running = null;
    element.hidden = true;
  }

  return { element, run, stop };
}
