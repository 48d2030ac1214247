// The water slider: at the left nothing is flooded, at the right the decomposition is done.

import { $, count } from './dom.js';
import { state, set, on } from './store.js';
import * as map from './map.js';

let timer = 0;

export function begin() {
  $('#water').oninput = () => rise(Number($('#water').value));
  $('#water-play').onclick = playOrStop;
  on(['doc', 'lakes', 'water'], show);
}

const steps = () => (state.lakes ? state.lakes.highest - state.lakes.least + 2 : 1);

/** Lets the water stand `step` levels high; the last step is the decomposition itself. */
export async function rise(step) {
  await map.needLakes();
  const last = steps();
  const at = Math.min(Math.max(step, 0), last);
  set({ water: at === last ? null : state.lakes.highest + 1 - at });
}

/** The step at which the water stands. */
const standing = () => (state.water === null ? steps() : state.lakes.highest + 1 - state.water);

export async function move(by) {
  await map.needLakes();
  await rise(standing() + by);
}

export async function playOrStop() {
  if (timer) return stop();
  await map.needLakes();
  if (state.water === null) await rise(0);
  timer = setInterval(() => {
    if (state.water === null) stop();
    else rise(standing() + 1);
  }, 650);
  show();
  return undefined;
}

function stop() {
  clearInterval(timer);
  timer = 0;
  show();
}

function show() {
  const { lakes, water } = state;
  const slider = $('#water');
  slider.max = steps();
  slider.value = lakes ? standing() : 1;
  $('#water-play use').setAttribute('href', `icons.svg#${timer ? 'pause' : 'play'}`);
  if (water === null || !lakes) {
    $('#water-text').textContent = 'risen';
    $('#water-note').textContent = 'Slide to see how the zones came about.';
    return;
  }
  const wet = new Set();
  for (let i = 0; i < lakes.levels.length; i++) if (lakes.levels[i] >= water) wet.add(lakes.labels[i]);
  $('#water-text').textContent = `level ${water}`;
  $('#water-note').textContent = wet.size === 1 ? '1 lake' : `${count(wet.size)} lakes`;
}
