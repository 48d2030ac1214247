// The panes that show the map: they keep their canvases sharp and draw when something has
// changed, at most once per frame. What is drawn is the business of the layers.

import { $$ } from './dom.js';
import { Camera } from './camera.js';
import { state } from './store.js';
import * as base from './base.js';
import * as palette from './palette.js';

export const camera = new Camera();
const painters = []; // in the order in which they are drawn
export const panes = [];
let asked = false;
let shown = false;

/** What the last frames took, for measurements. */
export const frames = { drawn: 0, spent: 0, worst: 0 };

/** A layer of lines over the ground: `paint(context, view)`, in tiles. */
export function addPainter(paint) {
  painters.push(paint);
}

/** Draw soon. */
export function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    const began = performance.now();
    for (const pane of panes) if (!pane.element.hidden) draw(pane);
    const took = performance.now() - began;
    if (!shown && state.tiles) {
      shown = true;
      performance.mark('picture'); // the first one
    }
    frames.drawn += 1;
    frames.spent += took;
    frames.worst = Math.max(frames.worst, took);
  });
}

export function begin() {
  for (const [index, element] of $$('.pane').entries()) {
    const canvas = element.querySelector('canvas');
    const pane = { index, element, canvas, context: canvas.getContext('2d', { alpha: false }), width: 0, height: 0 };
    panes.push(pane);
    new ResizeObserver(() => measure(pane)).observe(element);
    measure(pane);
  }
  camera.onMove(redraw);
}

function measure(pane) {
  const { clientWidth: width, clientHeight: height } = pane.element;
  const dense = window.devicePixelRatio || 1;
  if (!width || !height) return;
  Object.assign(pane, { width, height, dense });
  pane.canvas.width = Math.round(width * dense);
  pane.canvas.height = Math.round(height * dense);
  if (camera.fitted && pane.index === 0) refit();
  redraw();
}

/** The whole map in a pane. */
export function fit() {
  panes.forEach(measure);
  refit();
}

function refit() {
  const [pane] = panes;
  if (state.doc) camera.fit(state.doc.width, state.doc.height, pane.width, pane.height);
}

export function draw(pane) {
  drawOn(pane.context, pane, pane.dense);
}

/** Draws what a pane shows on any context: the screen's or an exported picture's. */
export function drawOn(context, pane, dense) {
  const { doc, theme } = state;
  const colours = palette.colours(theme);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colours.back;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  if (!doc || !state.tiles) return;
  const [left, top] = camera.origin(pane.width, pane.height);
  const scale = camera.scale * dense;
  context.setTransform(scale, 0, 0, scale, Math.round(left * dense), Math.round(top * dense));
  if (scale < 1) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(base.shrink(scale), Math.round(left * dense), Math.round(top * dense));
    context.setTransform(scale, 0, 0, scale, Math.round(left * dense), Math.round(top * dense));
  } else {
    context.imageSmoothingEnabled = false;
    context.drawImage(base.bitmap(), 0, 0);
  }
  const view = {
    pane: pane.index,
    colours,
    unit: 1 / camera.scale, // one CSS pixel, in tiles
    scale: camera.scale,
    bounds: visible(pane),
  };
  for (const paint of painters) {
    context.save();
    paint(context, view);
    context.restore();
  }
}

/** Left, top, right, bottom of what a pane shows, in tiles. */
export function visible(pane) {
  const [left, top] = camera.toTile(0, 0, pane.width, pane.height);
  const [right, bottom] = camera.toTile(pane.width, pane.height, pane.width, pane.height);
  return [left, top, right, bottom];
}

/** The tile at a pointer event, and the place in tiles; `tile` is null outside the map. */
export function locate(event) {
  const element = event.target.closest('.pane');
  const pane = panes[element ? Number(element.dataset.pane) : 0];
  const box = pane.element.getBoundingClientRect();
  const at = [event.clientX - box.left, event.clientY - box.top];
  const [x, y] = camera.toTile(at[0], at[1], pane.width, pane.height);
  const tile = [Math.floor(x), Math.floor(y)];
  const { doc } = state;
  const inside = doc && tile[0] >= 0 && tile[1] >= 0 && tile[0] < doc.width && tile[1] < doc.height;
  return { pane, at, x, y, tile: inside ? tile : null };
}
