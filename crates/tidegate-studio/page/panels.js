// The panels beside the map: which tab shows and what is folded away. On a phone there is room
// for one of them, at the foot of the page.

import { $, $$, rove } from './dom.js';
import { state, set, on } from './store.js';

const phone = matchMedia('(max-width: 719px)');
const narrow = matchMedia('(max-width: 959px)');

export function begin() {
  on(['tab'], () => {
    showTab();
    fold('right', true);
  });
  on(['panels', 'tab'], showPanels);
  rove($('.tabs'), $$('[data-tab]'), (button) => set({ tab: button.dataset.tab }));
  for (const button of $$('[data-fold]')) button.onclick = () => fold(button.dataset.fold);
  for (const button of $$('[data-sheet]')) button.onclick = () => toggleSheet(button.dataset.sheet);
  for (const width of [phone, narrow]) width.addEventListener('change', reset);
  set({ tab: 'paths' });
  reset();
}

/** What shows before the person has folded anything in a window of this width. */
function reset() {
  set({ panels: { left: !narrow.matches, right: !phone.matches } });
}

/** Shows a panel or folds it away; on a phone the other one makes room. */
export function fold(side, show = !state.panels[side]) {
  const other = side === 'left' ? 'right' : 'left';
  set({ panels: { [side]: show, [other]: state.panels[other] && !(phone.matches && show) } });
}

/** Brings a tab to the front, and its panel if that was folded away. */
export function showOnly(tab) {
  set({ tab });
  fold('right', true);
}

function toggleSheet(name) {
  if (name === 'left') return fold('left');
  const open = state.panels.right && state.tab === name;
  set({ tab: name });
  return fold('right', !open);
}

function showTab() {
  for (const button of $$('[data-tab]')) {
    const on = button.dataset.tab === state.tab;
    button.setAttribute('aria-selected', on);
    button.tabIndex = on ? 0 : -1;
  }
  for (const panel of $$('.tab')) panel.hidden = panel.id !== state.tab;
}

function showPanels() {
  const { panels, tab } = state;
  for (const side of ['left', 'right']) {
    $(`#${side}`).hidden = !panels[side];
    $(`#fold-${side}`).setAttribute('aria-expanded', panels[side]);
  }
  for (const button of $$('[data-sheet]')) {
    const name = button.dataset.sheet;
    button.setAttribute('aria-expanded', name === 'left' ? panels.left : panels.right && tab === name);
  }
}
