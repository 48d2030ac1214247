// Light or dark: as the system has it, until the person chooses.

import { $ } from './dom.js';
import { state, set, on } from './store.js';

const KEY = 'tidegate-theme';

export function begin() {
  const system = matchMedia('(prefers-color-scheme: light)');
  const wanted = () => localStorage.getItem(KEY) ?? (system.matches ? 'light' : 'dark');
  on(['theme'], show);
  state.theme = wanted();
  show();
  system.addEventListener('change', () => set({ theme: wanted() }));
  $('#theme').onclick = toggle;
}

export function toggle() {
  const theme = state.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, theme);
  set({ theme });
}

function show() {
  document.documentElement.dataset.theme = state.theme;
}
