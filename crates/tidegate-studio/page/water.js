// The water slider: at the left nothing is flooded, at the right the decomposition is done.

import { $, count, icon } from './dom.js';
import { state, set, on } from './store.js';
import * as map from './map.js';
import { END } from './rising.js';

let playing = false;

export function begin() {
  $('#water').oninput = () => rise(Number($('#water').value));
  $('#water-play').onclick = playOrStop;
  on(['doc', 'lakes', 'water'], show);
}

const LAST = END + 1; // the zones show
const now = () => state.water ?? LAST;

/** Lets the water stand as it did at a time; at the last one the zones show. */
export async function rise(time) {
  await map.needLakes();
  const at = Math.min(Math.max(Math.round(time), 0), LAST);
  set({ water: at === LAST ? null : at });
}

/** A little on or back. */
export async function move(by) {
  await map.needLakes();
  await rise(now() + by * 20);
}

export async function playOrStop() {
  playing = !playing;
  if (!playing) return show();
  await map.needLakes();
  if (state.water === null) set({ water: 0 });
  let before = performance.now();
  let at = state.water;
  const tick = (time) => {
    if (!playing) return;
    at += ((time - before) / 8000) * END; // all in eight seconds
    before = time;
    rise(at);
    if (at >= LAST) playing = false;
    else requestAnimationFrame(tick);
    show();
  };
  requestAnimationFrame(tick);
  return show();
}

function show() {
  const { lakes, water } = state;
  const slider = $('#water');
  slider.value = now();
  icon($('#water-play'), playing ? 'pause' : 'play');
  $('#water-play').title = playing ? 'Stop the water (R)' : 'Let the water rise (R)';
  if (water === null || !lakes) {
    $('#water-text').textContent = 'risen';
    $('#water-note').textContent = 'Slide to see zones form.';
    return;
  }
  const born = lakes.births.reduce((n, birth) => n + (birth <= water ? 1 : 0), 0);
  $('#water-text').textContent = `${(water / 10).toFixed(0)} %`;
  $('#water-note').textContent = born === 1 ? '1 lake' : `${count(born)} lakes`;
}
