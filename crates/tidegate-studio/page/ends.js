// Start and goal as coordinates that can be typed, and what is wrong with those that cannot be.

import { make, fill } from './dom.js';
import { state, set, on } from './store.js';
import { whyNot, nearestFree } from './map.js';

/** The row of both ends; it follows the pins. */
export function ends() {
  const note = make('p.note', { id: 'ends-note', role: 'alert' });
  const fields = [field('start', 'From', note), field('goal', 'To', note)];
  const show = () => {
    fill(note);
    for (const { input, name } of fields) {
      input.value = state[name]?.join(', ') ?? '';
      input.removeAttribute('aria-invalid');
    }
  };
  on(['start', 'goal', 'doc'], show);
  const swapper = make('button.quiet', { id: 'swap', title: 'Swap start and goal (W)', 'aria-label': 'Swap start and goal', onclick: swap }, '⇄');
  return make('div', { id: 'ends' }, make('div.ends', {}, fields[0].element, swapper, fields[1].element), note);
}

export function swap() {
  set({ start: state.goal, goal: state.start });
}

function field(name, label, note) {
  const input = make('input', {
    id: `${name}-tile`, type: 'text', inputMode: 'numeric', autocomplete: 'off', spellcheck: false, placeholder: 'x, y',
    'aria-describedby': 'ends-note', title: `Type the ${name} as x, y, or drag its pin on the map`,
    onchange: () => take(name, input, note),
    onkeydown: (event) => {
      if (event.key !== 'Escape') return;
      input.value = state[name]?.join(', ') ?? '';
      input.blur();
    },
  });
  return { name, input, element: make('label', {}, label, input) };
}

function take(name, input, note) {
  const refuse = (...text) => {
    input.setAttribute('aria-invalid', 'true');
    fill(note, ...text);
  };
  const numbers = input.value.match(/-?\d+/g)?.map(Number);
  if (!state.doc) return;
  if (numbers?.length !== 2 || /[^\d\s,;()-]/.test(input.value)) return void refuse('Two whole numbers, please: x, y.');
  const why = whyNot(numbers);
  if (!why) {
    input.removeAttribute('aria-invalid');
    input.value = numbers.join(', ');
    fill(note);
    set({ [name]: numbers });
    return;
  }
  const near = nearestFree(numbers);
  refuse(why, near && make('button.quiet.link', { onclick: () => set({ [name]: near }) }, `Use ${near.join(', ')}`));
}
