// Plays a watched search: position, play, pause, step, speed. Two searches side by side go at
// the same pace, event by event, so the better one is done first.

import { $, make, fill, count, icon } from './dom.js';
import { state, set, on } from './store.js';
import { redraw } from './stage.js';
import { toggle } from './layers.js';

const SPEEDS = [['10 / s', 10], ['100 / s', 100], ['1 000 / s', 1e3], ['10 000 / s', 1e4], ['100 000 / s', 1e5], ['all in 8 s', 0]];

let at = 0;
let playing = false;
let before = 0;
let carry = 0;

const traces = () => (state.compare ? state.traces : [state.traces[0]]).filter(Boolean);
const length = () => Math.max(0, ...traces().map((trace) => trace.count));

export function begin() {
  fill($('#speed'), SPEEDS.map(([name, value]) => make('option', { value }, name)));
  $('#speed').value = '0';
  $('#play').onclick = playOrPause;
  $('#step').onclick = () => step(1);
  $('#back').onclick = () => step(-1);
  $('#first').onclick = () => seek(0);
  $('#last').onclick = () => seek(Infinity);
  $('#scrub').oninput = ({ target: { value } }) => {
    pause();
    seek(Number(value));
  };
  on(['traces', 'compare'], () => {
    // A new search is shown whole, unless it is being played.
    if (pending) {
      pending = false;
      seek(0);
      play();
    } else if (!playing) seek(Infinity);
    show();
  });
  on(['theme'], () => seek(at));
  on(['layers'], show);
  show();
}

let pending = false;

export function playOrPause() {
  if (playing) return pause();
  if (!state.layers.search || length() === 0) {
    pending = state.results[0] !== null && traces().length === 0;
    toggle('search', true);
    if (pending) return undefined;
  }
  if (at >= length()) seek(0);
  return play();
}

function play() {
  if (length() === 0) return;
  playing = true;
  before = performance.now();
  carry = 0;
  show();
  requestAnimationFrame(tick);
}

export function pause() {
  playing = false;
  show();
}

function tick(now) {
  if (!playing) return;
  const rate = Number($('#speed').value) || length() / 8;
  carry += (rate * Math.min(now - before, 100)) / 1000;
  before = now;
  const whole = Math.floor(carry);
  carry -= whole;
  if (whole > 0) seek(at + whole);
  if (at >= length()) pause();
  else requestAnimationFrame(tick);
}

/** One expansion with what it put on the open list, forward or back. */
export function step(direction) {
  pause();
  if (!state.layers.search) toggle('search', true);
  const [trace] = traces();
  if (!trace) return;
  seek(direction > 0 ? trace.nextExpansion(at) : trace.lastExpansion(at));
}

export function seek(position) {
  at = Math.min(Math.max(position, 0), length());
  for (const trace of traces()) trace.seek(at);
  redraw();
  show();
  set({ position: at });
}

function show() {
  const most = length();
  const scrub = $('#scrub');
  scrub.max = most;
  scrub.value = at;
  for (const id of ['first', 'back', 'step', 'last', 'scrub']) $(`#${id}`).disabled = most === 0;
  icon($('#play'), playing ? 'pause' : 'play');
  $('#play').title = playing ? 'Pause the search (Space)' : 'Play the search (Space)';
  const [trace] = traces();
  const cut = trace && trace.all > trace.count ? ' (cut off)' : '';
  $('#events').textContent = most ? `${count(at)} of ${count(most)} events${cut}` : 'no search shown';
}
