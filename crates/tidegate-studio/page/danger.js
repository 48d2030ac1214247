// The danger brush: discs that add to the cost of their tiles. They are the page's own and go
// along with every question; paths and the distance to the goal go by them.

import { $ } from './dom.js';
import { state, set, on } from './store.js';
import { say } from './message.js';

const MOST = 64; // discs
const RADIUS = [1, 64];
const STRENGTHS = [0.25, 0.5, 1, 2, 4, 8, 16, 32];
const FAINT = 0.05; // what has faded below this is gone
let radius = 8;
let strength = 4;

export const isDanger = () => state.tool === 'danger';

export function begin() {
  $('#danger-less').onclick = () => resize(-1);
  $('#danger-more').onclick = () => resize(1);
  $('#danger-weaker').onclick = () => strengthen(-1);
  $('#danger-stronger').onclick = () => strengthen(1);
  $('#danger-fade').onclick = fade;
  $('#danger-clear').onclick = () => set({ danger: [] });
  on(['tool', 'danger', 'dangerBrush'], show);
  show();
}

/** A larger or smaller disc, in steps that grow with it. */
export function resize(by) {
  const step = radius + (by > 0 ? 0 : -1) < 8 ? 1 : 4;
  radius = Math.min(Math.max(radius + by * step, RADIUS[0]), RADIUS[1]);
  set({ dangerBrush: [radius, strength] });
}

function strengthen(by) {
  const at = STRENGTHS.indexOf(strength) + by;
  strength = STRENGTHS[Math.min(Math.max(at, 0), STRENGTHS.length - 1)];
  set({ dangerBrush: [radius, strength] });
}

/** Half of what every disc adds; what is hardly there any more goes. */
function fade() {
  const halved = state.danger.map(([x, y, r, s]) => [x, y, r, Math.floor(s * 50) / 100]);
  set({ danger: halved.filter(([, , , s]) => s >= FAINT) });
}

/** A click: one more disc; with Shift or the right button the last one there goes. */
export function click({ tile }, event) {
  if (!tile) return say('That is outside the map.');
  const { danger } = state;
  if (event.shiftKey || event.button === 2) {
    const at = danger.findLastIndex(([x, y, r]) => Math.hypot(tile[0] - x, tile[1] - y) <= r);
    if (at < 0) return say(`No danger at ${tile.join(', ')}.`);
    return set({ danger: danger.toSpliced(at, 1) });
  }
  if (danger.length >= MOST) return say(`There are ${MOST} discs of danger already: fade or clear them.`);
  return set({ danger: [...danger, [...tile, radius, strength]] });
}

/** The discs as a query string has them. */
export const written = () => state.danger.map((disc) => disc.join()).join(';');

/** What is added to the cost of a tile. */
export const dangerAt = ([x, y]) => state.danger.reduce((sum, [cx, cy, r, s]) => sum + (Math.hypot(x - cx, y - cy) <= r ? s : 0), 0);

function show() {
  const { danger } = state;
  $('#danger').hidden = !isDanger();
  $('#danger-radius').textContent = `radius ${radius}`;
  $('#danger-strength').textContent = `+${strength} a tile`;
  $('#danger-less').disabled = radius === RADIUS[0];
  $('#danger-more').disabled = radius === RADIUS[1];
  $('#danger-weaker').disabled = strength === STRENGTHS[0];
  $('#danger-stronger').disabled = strength === STRENGTHS.at(-1);
  for (const button of ['#danger-fade', '#danger-clear']) $(button).disabled = danger.length === 0;
}

/** What the brush would add, for its outline. */
export const brushOf = () => radius;
