// One line to the person at a time: what went wrong, what was saved, what is being built.

import { $ } from './dom.js';
import { set, state, on } from './store.js';

let timer = 0;

export function begin() {
  on(['message'], show);
  window.addEventListener('unhandledrejection', (event) => {
    if (event.reason?.name === 'AbortError') event.preventDefault();
    else if (event.reason?.status !== undefined) {
      event.preventDefault();
      complain(event.reason);
    }
  });
}

/** Says it; errors stay longer. */
export function say(text) {
  set({ message: { text } });
}

export function complain(problem) {
  if (problem.name === 'AbortError' || problem.code === 'cancelled') return;
  set({ message: { text: problem.message, bad: true } });
}

function show() {
  const { message } = state;
  const toast = $('#toast');
  clearTimeout(timer);
  toast.hidden = !message;
  if (!message) return;
  toast.textContent = message.text;
  toast.classList.toggle('bad', Boolean(message.bad));
  if (!message.busy) timer = setTimeout(() => set({ message: null }), message.bad ? 7000 : 3500);
}
