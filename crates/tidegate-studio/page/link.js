// The view as the address's fragment, so that a reload or a link brings it back.

import { $ } from './dom.js';
import { state, set, on } from './store.js';
import { camera } from './stage.js';
import { written } from './danger.js';
import { shared } from './host.js';
import { say } from './message.js';

let timer = 0;

/** What the address asks for. */
export function wanted() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const tile = (name) => {
    const numbers = parts.get(name)?.split(',').map(Number);
    return numbers?.length === 2 && numbers.every(Number.isInteger) ? numbers : null;
  };
  const view = parts.get('view')?.split(',').map(Number);
  return {
    map: parts.get('map'),
    view: view?.length === 3 && view.every(Number.isFinite) && view[2] > 0 ? view : null,
    layers: parts.has('layers') ? new Set(parts.get('layers').split(' ')) : null,
    start: tile('from'),
    goal: tile('to'),
    chosen: parts.get('engines')?.split(' ') ?? null,
    compare: parts.get('compare') === '1',
    anyAngle: parts.get('any-angle') === '1',
    water: /^\d+$/.test(parts.get('water') ?? '') ? Number(parts.get('water')) : null,
    danger: discs(parts.get('danger')),
    theme: ['dark', 'light'].includes(parts.get('theme')) ? parts.get('theme') : null,
  };
}

/** Discs of danger as the address has them; null if it has none. */
function discs(text) {
  const all = text?.split(';').map((disc) => disc.split(',').map(Number));
  return all?.every((disc) => disc.length === 4 && disc.every((v) => Number.isFinite(v) && v >= 0)) ? all : null;
}

/** The address's fragment for what is seen now. */
function fragment() {
  const { doc, layers, start, goal, chosen, compare, water } = state;
  const parts = new URLSearchParams({
    map: doc.id,
    view: [camera.x.toFixed(2), camera.y.toFixed(2), camera.scale.toFixed(4)].join(),
    layers: Object.keys(layers).filter((id) => layers[id]).join(' '),
    engines: chosen.join(' '),
  });
  if (start) parts.set('from', start.join());
  if (goal) parts.set('to', goal.join());
  if (compare) parts.set('compare', '1');
  if (state.anyAngle) parts.set('any-angle', '1');
  if (state.danger.length) parts.set('danger', written());
  if (water !== null) parts.set('water', water);
  return parts.toString().replaceAll('%2C', ',').replaceAll('%3B', ';');
}

/** Keeps the address up to date from now on. */
export function begin() {
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => state.doc && history.replaceState(null, '', `#${fragment()}`), 250);
  };
  on(['doc', 'layers', 'start', 'goal', 'chosen', 'compare', 'anyAngle', 'water', 'danger'], later);
  camera.onMove(later);
  $('#link').onclick = copy;
}

/** Copies a link that brings back what is seen. */
export async function copy() {
  const { link, where } = shared(`${fragment()}&theme=${state.theme}`);
  try {
    await navigator.clipboard.writeText(link);
    say(`Link copied. ${where}`);
  } catch {
    set({ message: { text: `Copy it from the address bar: ${location.href}`, bad: true } });
  }
  return link;
}
